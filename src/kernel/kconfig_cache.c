/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/kconfig_cache.h"

#include <string.h>
#include <sys/stat.h>

#include "base/gzip.h"
#include "base/paths.h"

/* What Kconfig files and Kbuild ask for their versions and abilities. */
static const char *const probed[] = {
	"gcc",     "g++",     "as",    "ld",    "ar",     "nm",    "objcopy",
	"objdump", "readelf", "strip", "clang", "ld.lld", "rustc", "bindgen",
	"pahole",  "python3", "perl",  "awk",   "flex",   "bison",
};

/* A part of the key ends with a NUL, so that no two lists of parts run together. */
static void add_part(GChecksum *sum, const char *part)
{
	g_checksum_update(sum, (const guchar *)part, strlen(part) + 1);
}

static void add_program(GChecksum *sum, const char *name)
{
	g_autofree char *path = g_find_program_in_path(name);
	g_autofree char *stamp = NULL;
	struct stat status;

	if (!path || stat(path, &status))
		return add_part(sum, "-");
	stamp = g_strdup_printf("%s %" G_GINT64_FORMAT " %" G_GINT64_FORMAT ".%ld", path,
	                        (gint64)status.st_size, (gint64)status.st_mtim.tv_sec,
	                        status.st_mtim.tv_nsec);
	add_part(sum, stamp);
}

/* All of the key that the requests of one run share. */
static GChecksum *common_key(const kernel_tree_t *tree, GError **error)
{
	g_autofree char *exporter = kconfig_tool_identity(error);
	GChecksum *sum;

	if (!exporter)
		return NULL;
	sum = g_checksum_new(G_CHECKSUM_SHA256);
	add_part(sum, exporter);
	add_part(sum, tree->kconfig);
	for (gsize i = 0; i < G_N_ELEMENTS(probed); i++)
		add_program(sum, probed[i]);
	return sum;
}

/* Where the tools' answers are kept, whatever is requested. */
static char *probes_file(const char *cache, const GChecksum *common)
{
	g_autoptr(GChecksum) sum = g_checksum_copy(common);

	return g_strdup_printf("%s/%.32s.probes", cache, g_checksum_get_string(sum));
}

static char *request_file(const char *cache, const GChecksum *common,
                          const struct kconfig_request *request)
{
	g_autoptr(GChecksum) sum = g_checksum_copy(common);
	g_autofree char *base = config_file_source(request->base);
	g_autofree char *edits = request->edits ? config_file_text(request->edits) : g_strdup("");

	add_part(sum, request->rest_is_no ? "no" : "default");
	add_part(sum, base);
	add_part(sum, edits);
	if (request->details || request->goal)
		add_part(sum, request->goal ? request->goal : "details");
	return g_strdup_printf("%s/%.32s.gz", cache, g_checksum_get_string(sum));
}

/* A file holds the .config, a NUL, and the symbols. NULL if there is none that can be read. */
static kconfig_export_t *load(const char *file)
{
	gsize length = 0;
	g_autofree char *text = gzip_read_file(file, &length);
	kconfig_export_t *export;
	gsize config;

	config = text ? strlen(text) : 0;
	if (!text || config >= length)
		return NULL;
	export = g_new0(kconfig_export_t, 1);
	export->config = g_strdup(text);
	export->symbols = g_strdup(text + config + 1);
	return export;
}

/* Only a memory: a run that cannot be kept is made again. */
static void save(const char *file, const kconfig_export_t *export)
{
	g_autoptr(GString) text = g_string_new(export->config);

	g_string_append_c(text, '\0');
	g_string_append(text, export->symbols);
	gzip_write_file(file, text->str, text->len, NULL);
}

static gboolean run_missing(const kernel_tree_t *tree, const struct kconfig_request *requests,
                            const char *probes, char **files, GPtrArray *exports,
                            GCancellable *cancellable, GError **error)
{
	g_autofree struct kconfig_request *missing = g_new0(struct kconfig_request, exports->len);
	g_autoptr(GPtrArray) fresh = NULL;
	guint count = 0;

	for (guint i = 0; i < exports->len; i++)
		if (!exports->pdata[i])
			missing[count++] = requests[i];
	if (!count)
		return TRUE;
	fresh = kconfig_tool_run(tree, missing, count, probes, cancellable, error);
	if (!fresh)
		return FALSE;
	for (guint i = 0; i < exports->len; i++) {
		if (exports->pdata[i])
			continue;
		exports->pdata[i] = g_ptr_array_steal_index(fresh, 0);
		save(files[i], exports->pdata[i]);
	}
	return TRUE;
}

static void export_free(gpointer export)
{
	kconfig_export_free(export);
}

GPtrArray *kconfig_cache_run(const kernel_tree_t *tree, const struct kconfig_request *requests,
                             gsize count, GCancellable *cancellable, GError **error)
{
	g_autoptr(GPtrArray) exports = g_ptr_array_new_with_free_func(export_free);
	g_autofree char *cache = paths_cache_subdir("resolved", error);
	g_autoptr(GChecksum) common = cache ? common_key(tree, error) : NULL;
	g_auto(GStrv) files = g_new0(char *, count + 1);
	g_autofree char *probes = NULL;

	if (!common)
		return NULL;
	for (gsize i = 0; i < count; i++) {
		files[i] = request_file(cache, common, &requests[i]);
		g_ptr_array_add(exports, load(files[i]));
	}
	probes = probes_file(cache, common);
	if (!run_missing(tree, requests, probes, files, exports, cancellable, error))
		return NULL;
	return g_steal_pointer(&exports);
}

enum { MOST_AT_ONCE = 16 }; /* what a request gives takes some megabytes of memory */

static gboolean fill(const kernel_tree_t *tree, const struct kconfig_request *requests,
                     const char *probes, const GPtrArray *files, guint first,
                     GCancellable *cancellable, GError **error)
{
	guint count = MIN(files->len - first, MOST_AT_ONCE);
	g_autoptr(GPtrArray) fresh =
		kconfig_tool_run(tree, requests + first, count, probes, cancellable, error);

	for (guint i = 0; fresh && i < count; i++)
		save(files->pdata[first + i], fresh->pdata[i]);
	return fresh != NULL;
}

gboolean kconfig_cache_fill(const kernel_tree_t *tree, const struct kconfig_request *requests,
                            gsize count, GCancellable *cancellable, GError **error)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new_with_free_func(g_free);
	g_autofree struct kconfig_request *missing = g_new0(struct kconfig_request, count);
	g_autofree char *cache = paths_cache_subdir("resolved", error);
	g_autoptr(GChecksum) common = cache ? common_key(tree, error) : NULL;
	g_autofree char *probes = NULL;

	if (!common)
		return FALSE;
	for (gsize i = 0; i < count; i++) {
		g_autofree char *file = request_file(cache, common, &requests[i]);

		if (g_file_test(file, G_FILE_TEST_EXISTS))
			continue;
		missing[files->len] = requests[i];
		g_ptr_array_add(files, g_steal_pointer(&file));
	}
	probes = probes_file(cache, common);
	for (guint first = 0; first < files->len; first += MOST_AT_ONCE)
		if (!fill(tree, missing, probes, files, first, cancellable, error))
			return FALSE;
	return TRUE;
}
