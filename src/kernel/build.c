/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/build.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "kernel/built.h"
#include "kernel/config_file.h"
#include "kernel/function_files.h"
#include "kernel/jobserver.h"
#include "kernel/objects.h"

/* Raised whenever the way of building changes what comes out for the same inputs. */
#define BUILD_RECIPE "kcost build 1"

/* One kernel that is to be built. */
struct job {
	const struct build_request *request;
	struct build *build;
	char *key;
	char *dir; /* its place in the cache */
	char *log;
	gint64 log_read; /* bytes of the log that were counted as steps */
};

/* All of one call, shared by the threads. */
struct build {
	const kernel_tree_t *tree;
	const char *cache; /* .../kernels */
	gboolean rebuild;
	progress_t *progress;
	GCancellable *stop; /* the caller's, or a failure of one of the jobs */
	jobserver_t jobserver;
	GMutex mutex;  /* of what follows */
	guint waiting; /* jobs not yet started */
	GError *error; /* the first */
};

static void job_free(gpointer data)
{
	struct job *job = data;

	g_free(job->key);
	g_free(job->dir);
	g_free(job->log);
	g_free(job);
}

static char *cache_key(const kernel_tree_t *tree, const struct build_request *request)
{
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);

	/* The compiler, assembler and linker are in the .config: CC_VERSION_TEXT, AS_VERSION, ...
	 */
	g_checksum_update(sum, (const guchar *)BUILD_RECIPE, sizeof(BUILD_RECIPE));
	g_checksum_update(sum, (const guchar *)tree->identity, strlen(tree->identity) + 1);
	g_checksum_update(sum, (const guchar *)request->config_text, -1);
	if (request->module)
		g_checksum_update(sum, (const guchar *)request->module, -1);
	return g_strndup(g_checksum_get_string(sum), 32);
}

/* Fixed names instead of the time, user, host and directories that would get into the image. */
static char **build_environment(const struct build *build, const char *objects)
{
	g_autofree char *map = g_strdup_printf("-ffile-prefix-map=%s=obj -ffile-prefix-map=%s=src",
	                                       objects, build->tree->path);
	const struct {
		const char *name, *value;
	} fixed[] = {
		{ "KBUILD_BUILD_TIMESTAMP", "1970-01-01 00:00:00 UTC" },
		{ "KBUILD_BUILD_USER", "kcost" },
		{ "KBUILD_BUILD_HOST", "kcost" },
		{ "KBUILD_BUILD_VERSION", "1" },
		/* Set, though empty: no "+" for a tree that is in a git repository, so that the
		 * same content gives the same image outside of one. */
		{ "LOCALVERSION", "" },
		{ "KCFLAGS", map },
		{ "KAFLAGS", map },
		{ "MAKEFLAGS", build->jobserver.makeflags },
	};
	char **environment = process_clean_environment();

	for (gsize i = 0; i < G_N_ELEMENTS(fixed); i++)
		environment = g_environ_setenv(environment, fixed[i].name, fixed[i].value, TRUE);
	return environment;
}

/* Each new line of the log is a step done. */
static gboolean watch_log(GPid pid, void *data)
{
	struct job *job = data;
	g_autoptr(GMappedFile) map = g_mapped_file_new(job->log, FALSE, NULL);
	gint64 length = map ? (gint64)g_mapped_file_get_length(map) : 0;
	const char *text = map ? g_mapped_file_get_contents(map) : NULL;
	guint lines = 0;

	(void)pid;
	for (; job->log_read < length; job->log_read++)
		lines += text[job->log_read] == '\n';
	if (lines)
		progress_step(job->build->progress, lines);
	return TRUE;
}

/* The log lies on the same disk as the objects, so a full one may keep what the compiler said of it
 * from being written: then what is free tells. */
static gboolean disk_is_full(const struct job *job, const char *log_tail)
{
	struct statvfs disk;

	if (strstr(log_tail, "No space left on device"))
		return TRUE;
	return !statvfs(job->build->cache, &disk) && disk.f_bavail * disk.f_frsize < 64 * 1024;
}

static gboolean build_failed(const struct job *job, GError **error)
{
	g_autofree char *tail = paths_tail(job->log, 14);

	if (disk_is_full(job, tail))
		return error_set_errno(error, ENOSPC, "cannot build the kernel with %s (log: %s)",
		                       job->request->label, job->log);
	return error_set(error, KCOST_ERROR_KERNEL,
	                 "the kernel with %s did not build; the log is %s and ends:\n%s",
	                 job->request->label, job->log, tail);
}

/* Kbuild resolves the .config once more: what is built must be what was asked. */
static gboolean check_config(const struct job *job, const char *objects, GError **error)
{
	g_autofree char *path = g_build_filename(objects, ".config", NULL);
	const char *text = job->request->config_text;
	g_autoptr(config_file_t) built = config_file_load(path, error);
	g_autoptr(config_file_t) asked = NULL;
	g_autoptr(GPtrArray) changes = NULL;
	struct config_change *first;

	if (!built)
		return FALSE;
	asked = config_file_parse(text, strlen(text), job->request->label, error);
	if (!asked)
		return FALSE;
	changes = config_file_diff(asked, built);
	if (!changes->len)
		return TRUE;
	first = changes->pdata[0];
	return error_set(
		error, KCOST_ERROR_KERNEL,
		"Kbuild changed the configuration with %s while building: %s from %s to %s",
		job->request->label, first->name, first->off, first->on);
}

static gboolean run_make(struct job *job, objects_t *objects, GError **error)
{
	g_autofree char *out = g_strdup_printf("O=%s", objects->path);
	g_auto(GStrv) environment = build_environment(job->build, objects->path);
	const char *argv[] = {
		"make",    "--no-print-directory", "-C", job->build->tree->path, out, "ARCH=x86_64",
		"bzImage", job->request->module,   NULL,
	};
	struct process_spec spec = {
		.argv = argv,
		.envp = (const char *const *)environment,
		.log = job->log,
		.inherit = job->build->jobserver.fds,
		.watch = watch_log,
		.watch_data = job,
	};
	g_auto(process_result_t) result = { 0 };

	g_unlink(job->log);
	objects_begin(objects);
	if (!process_run(&spec, job->build->stop, &result, error)) {
		objects_end(objects, result.orderly);
		return FALSE;
	}
	objects_end(objects, result.end == PROCESS_EXITED);
	if (result.end != PROCESS_EXITED || result.status != 0)
		return build_failed(job, error);
	return check_config(job, objects->path, error);
}

/* Moves @from to @to; from a directory that is built in again it is copied. */
static gboolean keep_file(const objects_t *objects, const char *from, const char *to,
                          GError **error)
{
	if (objects->kept)
		return paths_copy_file(from, to, error);
	return !g_rename(from, to) || error_set_errno(error, errno, "cannot move %s", from);
}

/* Where each function's source is: only the objects know, and they go. */
static gboolean keep_function_files(const objects_t *objects, const char *to, GError **error)
{
	g_autofree char *text = function_files_collect(objects->path);
	g_autofree char *path = g_build_filename(to, FUNCTION_FILES_NAME, NULL);

	return paths_write_file(path, text, -1, error);
}

/* Puts what is kept of a build into a directory that then gets its final name. */
static gboolean keep_results(const struct job *job, const objects_t *objects, GError **error)
{
	const struct {
		const char *from, *to;
	} kept[] = {
		{ "arch/x86/boot/bzImage", "bzImage" }, { "vmlinux", "vmlinux" },
		{ "System.map", "System.map" },         { ".config", "config" },
		{ job->request->module, KEPT_MODULE },
	};
	g_autoptr(temporary_dir_t) scratch = g_strdup_printf("%s/.new-XXXXXX", job->build->cache);
	g_autofree char *log = NULL;

	if (!g_mkdtemp_full(scratch, 0777))
		return error_set_errno(error, errno, "cannot make a directory in the cache %s",
		                       job->build->cache);
	for (gsize i = 0; i < G_N_ELEMENTS(kept) && kept[i].from; i++) {
		g_autofree char *from = g_build_filename(objects->path, kept[i].from, NULL);
		g_autofree char *to = g_build_filename(scratch, kept[i].to, NULL);
		if (!keep_file(objects, from, to, error))
			return FALSE;
	}
	log = g_build_filename(scratch, "build.log", NULL);
	if (!paths_copy_file(job->log, log, error) || !keep_function_files(objects, scratch, error))
		return FALSE;
	g_unlink(job->log);
	paths_remove_tree(job->dir);
	if (g_rename(scratch, job->dir))
		return error_set_errno(error, errno, "cannot name the built kernel %s", job->dir);
	return TRUE;
}

static gboolean build_in(struct job *job, GError **error)
{
	const struct build_request *request = job->request;
	g_autoptr(objects_t) objects =
		objects_open(job->build->tree, job->build->cache, request->config_text,
	                     job->build->rebuild, job->build->stop, error);

	return objects && objects_configure(objects, request->config_text, error) &&
	       run_make(job, objects, error) && keep_results(job, objects, error);
}

static gboolean is_whole(const char *dir)
{
	g_autofree char *image = g_build_filename(dir, "bzImage", NULL);

	return g_file_test(image, G_FILE_TEST_IS_REGULAR);
}

static gboolean job_build(struct job *job, GError **error)
{
	g_autofree char *lock_file = g_strconcat(job->dir, ".lock", NULL);
	int lock = paths_lock(lock_file, job->build->stop, error);
	gboolean fine;

	if (lock < 0)
		return FALSE;
	/* Another kcost may have built it while this one waited for the lock. */
	if (is_whole(job->dir) && !job->build->rebuild) {
		close(lock);
		return TRUE;
	}
	fine = build_in(job, error);
	close(lock);
	return fine;
}

static void job_run(gpointer data, gpointer shared)
{
	struct job *job = data;
	struct build *build = shared;
	g_autoptr(GError) error = NULL;
	gboolean fine;

	g_mutex_lock(&build->mutex);
	build->waiting--;
	g_mutex_unlock(&build->mutex);
	fine = job_build(job, &error);
	g_mutex_lock(&build->mutex);
	if (!fine && !build->error)
		build->error = g_steal_pointer(&error);
	if (!build->waiting)
		jobserver_give(&build->jobserver);
	g_mutex_unlock(&build->mutex);
	if (!fine)
		g_cancellable_cancel(build->stop);
}

static struct job *job_new(struct build *build, const struct build_request *request)
{
	struct job *job = g_new0(struct job, 1);

	job->request = request;
	job->build = build;
	job->key = cache_key(build->tree, request);
	job->dir = g_build_filename(build->cache, job->key, NULL);
	job->log = g_strdup_printf("%s/%s.log", build->cache, job->key);
	return job;
}

static gboolean known_key(GPtrArray *jobs, const char *key)
{
	for (guint i = 0; i < jobs->len; i++)
		if (!strcmp(((struct job *)jobs->pdata[i])->key, key))
			return TRUE;
	return FALSE;
}

/* A guess at the number of lines that the builds print: on x86_64 eight for three options that are
 * on (measured: 438 options and 1,159 lines with the minimal config of 6.1). */
static guint guess_steps(GPtrArray *jobs)
{
	guint steps = 0;

	for (guint i = 0; i < jobs->len; i++) {
		const char *at = ((struct job *)jobs->pdata[i])->request->config_text;
		for (; (at = strstr(at, "=y\n")); at++)
			steps++;
	}
	return steps * 8 / 3;
}

static void stop_all(GCancellable *caller, gpointer stop)
{
	(void)caller;
	g_cancellable_cancel(stop);
}

static gboolean run_jobs(struct build *build, struct job **jobs, guint count, guint processors,
                         GError **error)
{
	guint threads = MIN(count, processors);
	GThreadPool *pool;

	if (!count)
		return TRUE;
	if (!jobserver_init(&build->jobserver, processors, threads, error))
		return FALSE;
	build->waiting = count;
	pool = g_thread_pool_new(job_run, build, threads, TRUE, NULL);
	for (guint i = 0; i < count; i++)
		g_thread_pool_push(pool, jobs[i], NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	jobserver_clear(&build->jobserver);
	if (!build->error)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&build->error));
	return FALSE;
}

/* Where no objects help the first kernel, it goes alone: they will help the others. */
static gboolean goes_alone(const struct build *build, const GPtrArray *jobs)
{
	const struct job *first = jobs->pdata[0];

	return !build->rebuild && jobs->len > 1 &&
	       !objects_help(build->tree, build->cache, first->request->config_text);
}

static gboolean run_all(struct build *build, GPtrArray *jobs, guint processors,
                        GCancellable *cancellable, GError **error)
{
	guint alone;
	struct job **first = (struct job **)jobs->pdata;
	gulong handler;
	gboolean fine;

	if (!jobs->len)
		return TRUE;
	progress_phase(build->progress, guess_steps(jobs), "building %u kernel%s of Linux %s",
	               jobs->len, jobs->len == 1 ? "" : "s", build->tree->version);
	alone = goes_alone(build, jobs);
	handler = g_cancellable_connect(cancellable, G_CALLBACK(stop_all), build->stop, NULL);
	fine = run_jobs(build, first, alone, processors, error) &&
	       run_jobs(build, first + alone, jobs->len - alone, processors, error);
	g_cancellable_disconnect(cancellable, handler);
	return fine;
}

static GPtrArray *load_all(const struct build *build, const struct build_request *requests,
                           guint count, GError **error)
{
	g_autoptr(GPtrArray) kernels = g_ptr_array_new_with_free_func((GDestroyNotify)kernel_free);

	for (guint i = 0; i < count; i++) {
		g_autofree char *key = cache_key(build->tree, &requests[i]);
		g_autofree char *dir = g_build_filename(build->cache, key, NULL);
		kernel_t *kernel = kernel_load(dir, &requests[i], error);
		if (!kernel)
			return NULL;
		g_ptr_array_add(kernels, kernel);
	}
	return g_steal_pointer(&kernels);
}

gboolean kernel_build_estimate(const kernel_tree_t *tree, const char *const *config_texts,
                               guint count, struct affected *work, GError **error)
{
	g_autofree char *cache = paths_cache_subdir("kernels", error);

	if (!cache)
		return FALSE;
	objects_nearest(tree, cache, config_texts, count, work);
	for (guint i = 0; i < count; i++) {
		const struct build_request request = { .config_text = config_texts[i] };
		g_autofree char *key = cache_key(tree, &request);
		g_autofree char *dir = g_build_filename(cache, key, NULL);

		if (is_whole(dir))
			work[i] = (struct affected){ .total = 1 };
	}
	return TRUE;
}

GPtrArray *kernel_build_all(const kernel_tree_t *tree, const struct build_request *requests,
                            guint count, guint jobs, gboolean rebuild, progress_t *progress,
                            GCancellable *cancellable, GError **error)
{
	g_autofree char *cache = paths_cache_subdir("kernels", error);
	g_autoptr(GCancellable) stop = g_cancellable_new();
	g_autoptr(GPtrArray) missing = g_ptr_array_new_with_free_func(job_free);
	struct build build = {
		.tree = tree,
		.cache = cache,
		.rebuild = rebuild,
		.progress = progress,
		.stop = stop,
	};
	gboolean fine;

	if (!cache)
		return NULL;
	if (strpbrk(cache, " \t:")) {
		error_set(error, KCOST_ERROR_USAGE,
		          "cannot build in the cache %s: Kbuild takes no path with a blank or a "
		          "colon; "
		          "name another with KCOST_CACHE=DIR",
		          cache);
		return NULL;
	}
	for (guint i = 0; i < count; i++) {
		struct job *job = job_new(&build, &requests[i]);
		if (known_key(missing, job->key) || (!rebuild && is_whole(job->dir)))
			job_free(job);
		else
			g_ptr_array_add(missing, job);
	}
	g_mutex_init(&build.mutex);
	fine = run_all(&build, missing, MAX(jobs, 1), cancellable, error);
	g_mutex_clear(&build.mutex);
	return fine ? load_all(&build, requests, count, error) : NULL;
}
