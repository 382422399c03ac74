/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/kconfig_tool.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"

#define TOOL "scripts/kconfig/kcost-kconfig"

enum {
	LIMIT_SECONDS = 600, /* for a run that takes a second, so that a hang ends some time */
	SHOWN_LINES = 12,    /* of make's output in an error */
};

/* The sources of share/kconfig that are compiled, and the headers that they include. */
static const char *const sources[] = {
	"main.c", "symbols.c", "details.c", "reach.c",  "plan.c",
	"expr.c", "json.c",    "probes.c",  "export.h", "probes.h",
};

/* What a run needs of a build directory: Kbuild would make fixdep anew each time, and the
 * exporter. */
static const char *const tool_files[] = { "scripts/basic/fixdep", "scripts/basic/.fixdep.cmd",
	                                  TOOL };

void kconfig_export_free(kconfig_export_t *export)
{
	if (!export)
		return;
	g_free(export->config);
	g_free(export->symbols);
	g_free(export);
}

/* ---- children ---- */

static char *last_lines(const char *output)
{
	const char *start = output + strlen(output);
	guint lines = SHOWN_LINES + 1;

	while (start > output && (start[-1] != '\n' || --lines > 0))
		start--;
	return g_strchomp(g_strdup(start));
}

static char *how_it_failed(const process_result_t *result)
{
	g_autofree char *shown = last_lines(result->output);

	if (result->end == PROCESS_TIMED_OUT)
		return g_strdup_printf("make did not end within %d minutes", LIMIT_SECONDS / 60);
	if (result->end == PROCESS_SIGNALED)
		return g_strdup_printf("make was killed by signal %d%s%s", result->status,
		                       *shown ? ", after:\n" : "", shown);
	return g_strdup(*shown ? shown : "make failed without a word");
}

/* Runs @argv with @variables (name, value, ..., NULL; or NULL) added to the environment. What the
 * compiler leaves when it is killed is in the build directory @out, which does not outlive it. */
static gboolean run(const char *const *argv, const char *out, const char *const *variables,
                    const char *doing, const kernel_tree_t *tree, GCancellable *cancellable,
                    GError **error)
{
	g_auto(GStrv) clean = process_clean_environment();
	struct process_spec spec = { .argv = argv, .limit_seconds = LIMIT_SECONDS };
	g_auto(process_result_t) result = { 0 };
	g_autofree char *how = NULL;

	clean = g_environ_setenv(clean, "TMPDIR", out, TRUE);
	for (; variables && *variables; variables += 2)
		clean = g_environ_setenv(clean, variables[0], variables[1], TRUE);
	spec.envp = (const char *const *)clean;
	if (!process_run(&spec, cancellable, &result, error))
		return FALSE;
	if (result.end == PROCESS_EXITED && result.status == 0)
		return TRUE;
	/* The child speaks English (LC_ALL=C), unlike g_strerror(). */
	if (strstr(result.output, "No space left on device"))
		return error_set_errno(error, ENOSPC, "cannot %s of %s", doing, tree->path);
	how = how_it_failed(&result);
	return error_set(
		error, KCOST_ERROR_KERNEL,
		"cannot %s of %s: %s\nSee whether `make O=DIR olddefconfig` does better there.",
		doing, tree->path, how);
}

static gboolean need_programs(const char *const *programs, const kernel_tree_t *tree,
                              GError **error)
{
	for (; *programs; programs++) {
		g_autofree char *path = g_find_program_in_path(*programs);

		if (!path)
			return error_set(error, KCOST_ERROR_MISSING,
			                 "the Kconfig of %s needs the program %s, which is not "
			                 "in PATH; install it (on Debian: apt-get install %s)",
			                 tree->path, *programs, *programs);
	}
	return TRUE;
}

/* ---- the exporter ---- */

char *kconfig_tool_identity(GError **error)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	for (gsize i = 0; i < G_N_ELEMENTS(sources); i++) {
		g_autofree char *name = g_build_filename("kconfig", sources[i], NULL);
		g_autofree char *path = paths_share_file(name, error);
		g_autofree char *hash = path ? paths_sha256(path, error) : NULL;

		if (!hash)
			return NULL;
		g_checksum_update(sum, (const guchar *)hash, -1);
	}
	return g_strdup(g_checksum_get_string(sum));
}

/* The cache's name for an exporter. */
static char *tool_key(const kernel_tree_t *tree, GCancellable *cancellable, GError **error)
{
	const char *version[] = { "gcc", "-v", NULL };
	g_autofree char *compiler = process_capture(version, cancellable, error);
	g_autofree char *exporter = compiler ? kconfig_tool_identity(error) : NULL;
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	if (!exporter)
		return NULL;
	g_checksum_update(sum, (const guchar *)tree->kconfig, -1);
	/* The objects hold no path of the tree, but fixdep's record of its own build does. */
	g_checksum_update(sum, (const guchar *)tree->path, strlen(tree->path) + 1);
	g_checksum_update(sum, (const guchar *)compiler, -1);
	g_checksum_update(sum, (const guchar *)exporter, -1);
	return g_strdup(g_checksum_get_string(sum));
}

/* How the tree's headers say where a menu entry was defined: a macro for the exporter, or NULL.
 * C cannot ask whether a struct has a member. */
static const char *layout_macro(const kernel_tree_t *tree)
{
	g_autofree char *path = g_build_filename(tree->path, "scripts/kconfig/expr.h", NULL);
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL) || !strstr(text, "*filename;"))
		return "-DKCOST_MENU_HAS_FILE";
	return "-DKCOST_MENU_HAS_FILENAME";
}

/* Adds the tree's Kconfig objects, all but conf's own. */
static gboolean add_objects(GPtrArray *argv, const char *out, GError **error)
{
	g_autofree char *path = g_build_filename(out, "scripts/kconfig", NULL);
	g_autoptr(GError) cause = NULL;
	g_autoptr(GDir) dir = g_dir_open(path, 0, &cause);
	const char *name;

	if (!dir)
		return error_set(error, KCOST_ERROR_KERNEL, "the tree's Kconfig was not built: %s",
		                 cause->message);
	while ((name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".o") && strcmp(name, "conf.o") != 0)
			g_ptr_array_add(argv, g_build_filename(path, name, NULL));
	return TRUE;
}

static gboolean add_sources(GPtrArray *argv, GError **error)
{
	for (gsize i = 0; i < G_N_ELEMENTS(sources); i++) {
		g_autofree char *name = g_build_filename("kconfig", sources[i], NULL);
		g_autofree char *path = paths_share_file(name, error);

		if (!path)
			return FALSE;
		if (g_str_has_suffix(path, ".c"))
			g_ptr_array_add(argv, g_steal_pointer(&path));
	}
	return TRUE;
}

static gboolean compile_tool(const kernel_tree_t *tree, const char *out, GCancellable *cancellable,
                             GError **error)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(argv, g_strdup("gcc"));
	g_ptr_array_add(argv, g_strdup("-O2"));
	g_ptr_array_add(argv, g_strdup("-w"));
	g_ptr_array_add(argv, g_strdup("-Wl,--wrap=popen,--wrap=pclose")); /* probes.c */
	g_ptr_array_add(argv, g_strdup(layout_macro(tree)));
	g_ptr_array_add(argv, g_strdup_printf("-I%s/scripts/kconfig", tree->path));
	g_ptr_array_add(argv, g_strdup_printf("-I%s/scripts/include", tree->path));
	g_ptr_array_add(argv, g_strdup_printf("-I%s/scripts/kconfig", out));
	g_ptr_array_add(argv, g_strdup("-o"));
	g_ptr_array_add(argv, g_build_filename(out, TOOL, NULL));
	if (!add_sources(argv, error) || !add_objects(argv, out, error))
		return FALSE;
	g_ptr_array_add(argv, NULL);
	return run((const char *const *)argv->pdata, out, NULL,
	           "compile the exporter against the Kconfig", tree, cancellable, error);
}

/* Builds the tree's Kconfig objects and the exporter in the build directory @out. */
static gboolean build_tool(const kernel_tree_t *tree, const char *out, GCancellable *cancellable,
                           GError **error)
{
	static const char *const programs[] = { "make", "gcc", "flex", "bison", NULL };
	g_autofree char *place = g_strdup_printf("O=%s", out);
	g_autofree char *jobs = g_strdup_printf("-j%u", g_get_num_processors());
	const char *argv[] = { "make", "-s",          jobs,           "-C", tree->path,
		               place,  "ARCH=x86_64", "build_config", NULL };

	return need_programs(programs, tree, error) &&
	       run(argv, out, NULL, "build the Kconfig parser", tree, cancellable, error) &&
	       compile_tool(tree, out, cancellable, error);
}

/* Copies the tool's files from one build directory to another. */
static gboolean copy_tool(const char *from, const char *to, GError **error)
{
	for (gsize i = 0; i < G_N_ELEMENTS(tool_files); i++) {
		g_autofree char *source = g_build_filename(from, tool_files[i], NULL);
		g_autofree char *target = g_build_filename(to, tool_files[i], NULL);
		g_autofree char *dir = g_path_get_dirname(target);

		if (g_mkdir_with_parents(dir, 0777))
			return error_set_errno(error, errno, "cannot make %s", dir);
		if (!paths_copy_file(source, target, error))
			return FALSE;
		if (chmod(target, 0755))
			return error_set_errno(error, errno, "cannot change the mode of %s",
			                       target);
	}
	return TRUE;
}

static gboolean has_tool(const char *dir)
{
	for (gsize i = 0; i < G_N_ELEMENTS(tool_files); i++) {
		g_autofree char *path = g_build_filename(dir, tool_files[i], NULL);

		if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
			return FALSE;
	}
	return TRUE;
}

/* Puts a built tool into the cache under @name. Another process may have been faster. */
static gboolean cache_tool(const char *out, const char *cache, const char *name, GError **error)
{
	g_autoptr(temporary_dir_t) dir = g_build_filename(cache, "tmp-XXXXXX", NULL);

	if (!g_mkdtemp_full(dir, 0777))
		return error_set_errno(error, errno, "cannot make a directory in %s", cache);
	if (!copy_tool(out, dir, error))
		return FALSE;
	if (rename(dir, name) && errno != ENOTEMPTY && errno != EEXIST)
		return error_set_errno(error, errno, "cannot make %s", name);
	return TRUE;
}

/* Makes @out a build directory with the exporter in it, from the cache if it is there. */
static gboolean prepare_tool(const kernel_tree_t *tree, const char *out, GCancellable *cancellable,
                             GError **error)
{
	static const char *const programs[] = { "make", "gcc", NULL };
	g_autofree char *cache = paths_cache_subdir("kconfig", error);
	g_autofree char *key = NULL;
	g_autofree char *name = NULL;

	if (!cache || !need_programs(programs, tree, error))
		return FALSE;
	key = tool_key(tree, cancellable, error);
	if (!key)
		return FALSE;
	name = g_build_filename(cache, key, NULL);
	if (has_tool(name))
		return copy_tool(name, out, error);
	return build_tool(tree, out, cancellable, error) && cache_tool(out, cache, name, error);
}

/* ---- requests ---- */

/* A directory for temporary files whose path Kbuild can take. */
static char *make_work_dir(GError **error)
{
	g_autofree char *path = NULL;

	if (!strpbrk(g_get_tmp_dir(), " \t\n:"))
		return paths_make_temporary(error);
	path = g_strdup("/tmp/kcost-XXXXXX");
	if (g_mkdtemp(path))
		return g_steal_pointer(&path);
	error_set_errno(error, errno, "cannot make a temporary directory in /tmp");
	return NULL;
}

static char *job_file(const char *dir, gsize number, const char *kind)
{
	return g_strdup_printf("%s/%" G_GSIZE_FORMAT ".%s", dir, number, kind);
}

/* Writes the files of one request and its line in the list of jobs. */
static gboolean write_job(const struct kconfig_request *request, const char *dir, gsize number,
                          GString *jobs, GError **error)
{
	g_autofree char *base = job_file(dir, number, "base");
	g_autofree char *edits = job_file(dir, number, "edits");
	g_autofree char *config = job_file(dir, number, "config");
	g_autofree char *symbols = job_file(dir, number, "symbols");
	g_autofree char *text = config_file_source(request->base);
	g_autofree char *edits_text = request->edits ? config_file_text(request->edits) : NULL;

	if (!paths_write_file(base, text, -1, error))
		return FALSE;
	if (edits_text && !paths_write_file(edits, edits_text, -1, error))
		return FALSE;
	g_string_append_printf(jobs, "%s\t%s\t%s\t%s\t%s\t%s\n",
	                       request->rest_is_no ? "no" : "default", base,
	                       edits_text ? edits : "-", config, symbols,
	                       request->goal      ? request->goal
	                       : request->details ? "details"
	                                          : "plain");
	return TRUE;
}

static char *write_jobs(const struct kconfig_request *requests, gsize count, const char *dir,
                        GError **error)
{
	g_autofree char *path = g_build_filename(dir, "jobs", NULL);
	g_autoptr(GString) jobs = g_string_new(NULL);

	for (gsize i = 0; i < count; i++)
		if (!write_job(&requests[i], dir, i, jobs, error))
			return NULL;
	if (!paths_write_file(path, jobs->str, jobs->len, error))
		return NULL;
	return g_steal_pointer(&path);
}

static char *read_result(const char *dir, gsize number, const char *kind, GError **error)
{
	g_autofree char *path = job_file(dir, number, kind);
	g_autoptr(GError) cause = NULL;
	char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, &cause))
		error_set(error, KCOST_ERROR_KERNEL,
		          "the tree's Kconfig left no result: %s; try again", cause->message);
	return text;
}

static GPtrArray *read_results(const char *dir, gsize count, GError **error)
{
	g_autoptr(GPtrArray) exports =
		g_ptr_array_new_with_free_func((GDestroyNotify)kconfig_export_free);

	for (gsize i = 0; i < count; i++) {
		kconfig_export_t *export = g_new0(kconfig_export_t, 1);

		g_ptr_array_add(exports, export);
		export->config = read_result(dir, i, "config", error);
		if (export->config)
			export->symbols = read_result(dir, i, "symbols", error);
		if (!export->symbols)
			return NULL;
	}
	return g_steal_pointer(&exports);
}

/* Runs the exporter of the build directory @out in Kbuild's environment. */
static gboolean run_tool(const kernel_tree_t *tree, const char *out, const char *jobs,
                         const char *probes, GCancellable *cancellable, GError **error)
{
	g_autofree char *place = g_strdup_printf("O=%s", out);
	const char *argv[] = {
		"make",   "-s", "-C", tree->path, place, "ARCH=x86_64", "config-prog=kcost-kconfig",
		"config", NULL
	};
	const char *variables[] = { "KCOST_KCONFIG_JOBS", jobs, "KCOST_KCONFIG_PROBES", probes,
		                    NULL };

	return run(argv, out, variables, "resolve a configuration with the Kconfig", tree,
	           cancellable, error);
}

GPtrArray *kconfig_tool_run(const kernel_tree_t *tree, const struct kconfig_request *requests,
                            gsize count, const char *probes, GCancellable *cancellable,
                            GError **error)
{
	g_autoptr(temporary_dir_t) dir = make_work_dir(error);
	g_autofree char *out = g_build_filename(dir ? dir : "", "out", NULL);
	g_autofree char *jobs = NULL;

	if (!dir)
		return NULL;
	if (g_mkdir_with_parents(out, 0777)) {
		error_set_errno(error, errno, "cannot make %s", out);
		return NULL;
	}
	if (!prepare_tool(tree, out, cancellable, error))
		return NULL;
	jobs = write_jobs(requests, count, dir, error);
	if (!jobs || !run_tool(tree, out, jobs, probes, cancellable, error))
		return NULL;
	return read_results(dir, count, error);
}
