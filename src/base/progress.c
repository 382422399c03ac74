/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

enum { REDRAW_US = 100 * 1000 };

struct progress {
	GMutex mutex;
	gboolean terminal;
	gboolean quiet;
	char *phase;
	guint done;
	guint all;
	gint64 started; /* monotonic microseconds: this phase */
	gint64 drawn;   /* the last redraw */
};

progress_t *progress_new(gboolean quiet)
{
	progress_t *progress = g_new0(progress_t, 1);

	g_mutex_init(&progress->mutex);
	progress->terminal = isatty(STDERR_FILENO);
	progress->quiet = quiet;
	return progress;
}

static void clear_line(const progress_t *progress)
{
	if (progress->terminal && !progress->quiet)
		fputs("\r\033[K", stderr);
}

void progress_free(progress_t *progress)
{
	if (!progress)
		return;
	clear_line(progress);
	fflush(stderr);
	g_mutex_clear(&progress->mutex);
	g_free(progress->phase);
	g_free(progress);
}

static void print_time_left(const progress_t *progress)
{
	double spent = (g_get_monotonic_time() - progress->started) * 1e-6;
	guint left;

	if (!progress->done || progress->done >= progress->all)
		return;
	left = (guint)(spent / progress->done * (progress->all - progress->done) + 0.5);
	fprintf(stderr, ", %u:%02u left", left / 60, left % 60);
}

static void draw(progress_t *progress, gboolean now)
{
	gint64 time = g_get_monotonic_time();

	if (!progress->terminal || progress->quiet || !progress->phase)
		return;
	if (!now && time - progress->drawn < REDRAW_US)
		return;
	progress->drawn = time;
	fprintf(stderr, "\r%s", progress->phase);
	if (progress->all) {
		fprintf(stderr, ": %u/%u", progress->done, progress->all);
		print_time_left(progress);
	}
	fputs("\033[K", stderr);
	fflush(stderr);
}

void progress_phase(progress_t *progress, guint all, const char *format, ...)
{
	va_list args;

	if (!progress)
		return;
	g_mutex_lock(&progress->mutex);
	g_free(progress->phase);
	va_start(args, format);
	progress->phase = g_strdup_vprintf(format, args);
	va_end(args);
	progress->done = 0;
	progress->all = all;
	progress->started = g_get_monotonic_time();
	if (!progress->terminal && !progress->quiet)
		fprintf(stderr, "kcost: %s\n", progress->phase);
	draw(progress, TRUE);
	g_mutex_unlock(&progress->mutex);
}

void progress_step(progress_t *progress, guint count)
{
	if (!progress)
		return;
	g_mutex_lock(&progress->mutex);
	progress->done += count;
	draw(progress, FALSE);
	g_mutex_unlock(&progress->mutex);
}

void progress_grow(progress_t *progress, guint all)
{
	if (!progress)
		return;
	g_mutex_lock(&progress->mutex);
	progress->all = all;
	draw(progress, TRUE);
	g_mutex_unlock(&progress->mutex);
}

void progress_note(progress_t *progress, const char *format, ...)
{
	g_autofree char *text = NULL;
	va_list args;

	if (!progress)
		return;
	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_mutex_lock(&progress->mutex);
	if (!progress->quiet) {
		clear_line(progress);
		fprintf(stderr, "kcost: %s\n", text);
	}
	draw(progress, TRUE);
	g_mutex_unlock(&progress->mutex);
}
