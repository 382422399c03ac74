/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/native.h"

#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/vfs.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"

#define NANOSECONDS 1e-9

static gboolean number(const char *text, guint64 *value)
{
	return text && g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, value, NULL);
}

static gboolean read_line(const char *line, guint64 *overhead, GArray *samples, GError **error)
{
	g_auto(GStrv) words = g_strsplit(line, " ", -1);
	guint count = g_strv_length(words);
	guint64 nanoseconds;
	struct native_sample sample;

	if (g_str_has_prefix(line, "error "))
		return error_set(error, KCOST_ERROR_MISSING, "%s", line + strlen("error "));
	if (count == 2 && !strcmp(words[0], "overhead") && number(words[1], overhead))
		return TRUE;
	if (count != 3 || strcmp(words[0], "sample") || !number(words[1], &nanoseconds) ||
	    !number(words[2], &sample.operations))
		return error_set(error, KCOST_ERROR_MISSING,
		                 "reading what kcost-bench printed: '%s' is no line of it; is it "
		                 "of another version?",
		                 line);
	sample.seconds = (double)(nanoseconds - MIN(nanoseconds, *overhead)) * NANOSECONDS;
	g_array_append_val(samples, sample);
	return TRUE;
}

gboolean native_parse(const char *output, guint iterations, GArray *samples, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(output, "\n", -1);
	guint64 overhead = 0;

	for (char **line = lines; *line; line++)
		if (**line && !read_line(*line, &overhead, samples, error))
			return FALSE;
	if (samples->len == iterations)
		return TRUE;
	return error_set(error, KCOST_ERROR_MISSING,
	                 "kcost-bench gave %u samples instead of %u: it was ended from outside",
	                 samples->len, iterations);
}

/* A directory on a tmpfs for the workload's files, which is removed even if the workload is killed.
 * NULL: none, and the workload will say so if it needs one. */
static char *make_scratch(void)
{
	const char *places[] = { g_get_tmp_dir(), "/tmp", "/dev/shm" };

	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_autofree char *path = g_build_filename(places[i], "kcost-XXXXXX", NULL);
		struct statfs status;

		if (!statfs(places[i], &status) && status.f_type == TMPFS_MAGIC && g_mkdtemp(path))
			return g_steal_pointer(&path);
	}
	return NULL;
}

static gboolean run_program(const struct native_request *request, const char *scratch,
                            GCancellable *cancellable, process_result_t *result, GError **error)
{
	g_autofree char *program = paths_bench_binary(error);
	g_autofree char *warmup = g_strdup_printf("%u", request->warmup);
	g_autofree char *iterations = g_strdup_printf("%u", request->iterations);
	g_autofree char *tmpdir = g_strdup_printf("TMPDIR=%s", scratch ? scratch : "/tmp");
	const char *argv[] = { program, request->workload, request->params,
		               warmup,  iterations,        request->fifo ? "fifo" : NULL,
		               NULL };
	const char *envp[] = { tmpdir, NULL };
	const struct process_spec spec = { .argv = argv, .envp = envp };

	return program && process_run(&spec, cancellable, result, error);
}

/* Waits for the tasks that the program left when it was killed: they die with it, each as soon as
 * it runs, and come to this process because it is their subreaper. */
static void reap_orphans(void)
{
	pid_t child;

	do
		child = waitpid(-1, NULL, 0);
	while (child > 0 || (child < 0 && errno == EINTR));
}

GArray *native_run(const struct native_request *request, GCancellable *cancellable, GError **error)
{
	g_autoptr(temporary_dir_t) scratch = make_scratch();
	g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(struct native_sample));
	g_auto(process_result_t) result = { 0 };
	gboolean ran;

	prctl(PR_SET_CHILD_SUBREAPER, 1);
	ran = run_program(request, scratch, cancellable, &result, error);
	reap_orphans();
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	if (!ran || !native_parse(result.output, request->iterations, samples, error))
		return NULL;
	return g_steal_pointer(&samples);
}
