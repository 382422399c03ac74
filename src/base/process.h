/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_BASE_PROCESS_H
#define KCOST_BASE_PROCESS_H

#include <gio/gio.h>

/* The one place that starts children. A child is an argument vector, never a shell string; it runs
 * in a process group of its own, so that killing it takes its children along, and it dies with
 * the calling thread. */
struct process_spec {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up in PATH */
	const char *const *envp; /* NULL: process_clean_environment() */
	const char *cwd;         /* NULL: the current directory */
	const char *log;         /* file that takes stdout and stderr (appended); NULL: captured */
	const int *inherit;      /* descriptors kept open in the child, ended by -1; or NULL */
	double limit_seconds;    /* wall-clock limit; 0: none */
	/* Called about ten times a second while the child runs, if set; FALSE kills the child. */
	gboolean (*watch)(GPid pid, void *data);
	void *watch_data;
};

enum process_end {
	PROCESS_EXITED,
	PROCESS_SIGNALED,
	PROCESS_TIMED_OUT,
	PROCESS_STOPPED_BY_WATCH,
};

typedef struct process_result {
	enum process_end end;
	int status;     /* exit status, or the signal's number */
	char *output;   /* stdout and stderr together when no log was named; owned */
	double seconds; /* wall-clock */
	/* It was told to end early (SIGTERM) and did so by itself: time to tidy up was enough. */
	gboolean orderly;
} process_result_t;

/* Runs the child to its end. FALSE only if it could not be started (KCOST_ERROR_MISSING, names the
 * program) or @cancellable was triggered (KCOST_ERROR_INTERRUPTED; the group has been killed and
 * reaped within two seconds; @result's orderly tells how). A child that fails is a result, not an
 * error. Thread-safe. */
gboolean process_run(const struct process_spec *spec, GCancellable *cancellable,
                     struct process_result *result, GError **error);
void process_result_clear(struct process_result *result);

/* Runs @argv and gives its output, stripped of the final newline; owned by the caller. A non-zero
 * exit is KCOST_ERROR_MISSING with the output's last lines. */
char *process_capture(const char *const *argv, GCancellable *cancellable, GError **error);

/* PATH, HOME and TMPDIR of ours with LC_ALL=C and TZ=UTC, and nothing else: variables such as
 * MAKEFLAGS, ARCH or KCFLAGS of the user's shell would change what is built. Owned (g_strfreev). */
char **process_clean_environment(void);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(process_result_t, process_result_clear)

#endif
