/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"

enum {
	POLL_MS = 100,
	GRACE_MS = 1000, /* between SIGTERM and SIGKILL */
};

/* A started child and the descriptors that tell of it. */
struct child {
	GPid pid;
	int pidfd;
	int output; /* read end of its stdout and stderr, or -1 */
};

void process_result_clear(process_result_t *result)
{
	g_clear_pointer(&result->output, g_free);
}

char **process_clean_environment(void)
{
	static const char *const kept[] = { "PATH", "HOME", "TMPDIR" };
	char **environment = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(kept); i++) {
		const char *value = g_getenv(kept[i]);
		if (value)
			environment = g_environ_setenv(environment, kept[i], value, TRUE);
	}
	environment = g_environ_setenv(environment, "LC_ALL", "C", TRUE);
	return g_environ_setenv(environment, "TZ", "UTC", TRUE);
}

/* Runs between fork and exec: only async-signal-safe calls, for other threads may hold locks. */
G_NORETURN static void child_exec(const struct process_spec *spec, const char *program, char **envp,
                                  int output, int report, pid_t parent)
{
	sigset_t none;
	int null = open("/dev/null", O_RDONLY);
	int failed;

	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(127);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	dup2(null, STDIN_FILENO);
	dup2(output, STDOUT_FILENO);
	dup2(output, STDERR_FILENO);
	close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
	for (const int *fd = spec->inherit; fd && *fd >= 0; fd++)
		fcntl(*fd, F_SETFD, 0);
	if (!spec->cwd || !chdir(spec->cwd))
		execve(program, (char *const *)spec->argv, envp);
	failed = errno;
	if (write(report, &failed, sizeof(failed)) < 0)
		_exit(126);
	_exit(127);
}

/* The descriptor that takes the child's output: the log, or a pipe whose read end is *reader. */
static int open_output(const struct process_spec *spec, int *reader, GError **error)
{
	int ends[2];
	int fd;

	*reader = -1;
	if (spec->log) {
		fd = open(spec->log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
		if (fd < 0)
			error_set_errno(error, errno, "cannot write the log %s", spec->log);
		return fd;
	}
	if (pipe2(ends, O_CLOEXEC)) {
		error_set_errno(error, errno, "cannot make a pipe");
		return -1;
	}
	*reader = ends[0];
	return ends[1];
}

static gboolean child_fork(const struct process_spec *spec, const char *program, char **envp,
                           int output, struct child *child, GError **error)
{
	int report[2];
	int failed = 0;
	pid_t parent = getpid();
	ssize_t count;

	if (pipe2(report, O_CLOEXEC))
		return error_set_errno(error, errno, "cannot make a pipe");
	child->pid = fork();
	if (child->pid == 0)
		child_exec(spec, program, envp, output, report[1], parent);
	close(report[1]);
	if (child->pid < 0) {
		close(report[0]);
		return error_set_errno(error, errno, "cannot start %s", spec->argv[0]);
	}
	setpgid(child->pid, child->pid);
	do
		count = read(report[0], &failed, sizeof(failed));
	while (count < 0 && errno == EINTR);
	close(report[0]);
	if (count == sizeof(failed)) {
		waitpid(child->pid, NULL, 0);
		return error_set_errno(error, failed, "cannot run %s", program);
	}
	child->pidfd = pidfd_open(child->pid, 0);
	return TRUE;
}

static gboolean child_start(const struct process_spec *spec, struct child *child, GError **error)
{
	g_autofree char *program = g_find_program_in_path(spec->argv[0]);
	g_auto(GStrv) clean = process_clean_environment();
	char **envp = spec->envp ? (char **)spec->envp : clean;
	gboolean started;
	int output;

	if (!program)
		return error_set(
			error, KCOST_ERROR_MISSING,
			"the program %s is not installed or not in PATH; `make deps` in kcost's "
			"source tree installs all that is needed",
			spec->argv[0]);
	output = open_output(spec, &child->output, error);
	if (output < 0)
		return FALSE;
	started = child_fork(spec, program, envp, output, child, error);
	close(output);
	if (!started && child->output >= 0)
		close(child->output);
	return started;
}

/* TRUE once the child has ended; it is still to be reaped. */
static gboolean child_wait(const struct child *child, int milliseconds)
{
	struct pollfd poll_fd = { .fd = child->pidfd, .events = POLLIN };

	return poll(&poll_fd, 1, milliseconds) > 0;
}

/* Asks the whole group to end, then makes it. TRUE: asking was enough. */
static gboolean child_kill(const struct child *child)
{
	kill(-child->pid, SIGTERM);
	if (child_wait(child, GRACE_MS))
		return TRUE;
	kill(-child->pid, SIGKILL);
	child_wait(child, -1);
	return FALSE;
}

/* Kills what is left of the group while the zombie still holds its number, then reaps. */
static void child_reap(struct child *child, process_result_t *result)
{
	siginfo_t info = { 0 };

	kill(-child->pid, SIGKILL);
	while (waitid(P_PID, child->pid, &info, WEXITED) && errno == EINTR)
		continue;
	if (result->end == PROCESS_EXITED && info.si_code != CLD_EXITED)
		result->end = PROCESS_SIGNALED;
	result->status = info.si_status;
	close(child->pidfd);
}

/* Takes what the child wrote; FALSE at the end of its output. */
static gboolean child_read(struct child *child, GString *text)
{
	char buffer[4096];
	ssize_t count = read(child->output, buffer, sizeof(buffer));

	if (count > 0)
		g_string_append_len(text, buffer, count);
	if (count > 0 || (count < 0 && errno == EINTR))
		return TRUE;
	close(child->output);
	child->output = -1;
	return FALSE;
}

/* Waits until something happens to the child; TRUE once it has ended. */
static gboolean child_poll(struct child *child, GCancellable *cancellable, GString *text)
{
	struct pollfd fds[] = {
		{ .fd = child->pidfd, .events = POLLIN },
		{ .fd = child->output, .events = POLLIN },
		{ .fd = cancellable ? g_cancellable_get_fd(cancellable) : -1, .events = POLLIN },
	};
	gboolean ended;

	if (poll(fds, G_N_ELEMENTS(fds), POLL_MS) < 0)
		fds[0].revents = fds[1].revents = 0;
	ended = fds[0].revents != 0;
	if (fds[1].revents)
		child_read(child, text);
	if (cancellable && fds[2].fd >= 0)
		g_cancellable_release_fd(cancellable);
	return ended;
}

static void child_drain(struct child *child, GString *text)
{
	if (child->output < 0)
		return;
	/* A grandchild may hold the pipe open: take only what is there. */
	fcntl(child->output, F_SETFL, O_NONBLOCK);
	while (child_read(child, text))
		continue;
	if (child->output >= 0)
		close(child->output);
	child->output = -1;
}

gboolean process_run(const struct process_spec *spec, GCancellable *cancellable,
                     process_result_t *result, GError **error)
{
	struct child child = { .output = -1 };
	g_autoptr(GString) text = g_string_new(NULL);
	gint64 start = g_get_monotonic_time();
	gboolean cancelled = FALSE;

	*result = (process_result_t){ .end = PROCESS_EXITED };
	if (g_cancellable_is_cancelled(cancellable))
		return error_set(error, KCOST_ERROR_INTERRUPTED, "interrupted");
	if (!child_start(spec, &child, error))
		return FALSE;
	while (!child_poll(&child, cancellable, text)) {
		cancelled = g_cancellable_is_cancelled(cancellable);
		result->seconds = (g_get_monotonic_time() - start) * 1e-6;
		if (spec->limit_seconds > 0 && result->seconds > spec->limit_seconds)
			result->end = PROCESS_TIMED_OUT;
		else if (spec->watch && !spec->watch(child.pid, spec->watch_data))
			result->end = PROCESS_STOPPED_BY_WATCH;
		if (cancelled || result->end != PROCESS_EXITED) {
			result->orderly = child_kill(&child);
			break;
		}
	}
	child_reap(&child, result);
	child_drain(&child, text);
	result->seconds = (g_get_monotonic_time() - start) * 1e-6;
	if (cancelled)
		return error_set(error, KCOST_ERROR_INTERRUPTED, "interrupted");
	if (!spec->log)
		result->output = g_utf8_make_valid(text->str, text->len);
	return TRUE;
}

char *process_capture(const char *const *argv, GCancellable *cancellable, GError **error)
{
	struct process_spec spec = { .argv = argv };
	g_auto(process_result_t) result = { 0 };

	if (!process_run(&spec, cancellable, &result, error))
		return NULL;
	g_strchomp(result.output);
	if (result.end == PROCESS_EXITED && result.status == 0)
		return g_steal_pointer(&result.output);
	error_set(error, KCOST_ERROR_MISSING, "%s ended with status %d: %s", argv[0], result.status,
	          *result.output ? result.output : "(no output)");
	return NULL;
}
