/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/meter.h"

#include <time.h>

enum { CHAIN_TURNS = 64, OVERHEAD_TRIES = 1000 };

static gint64 now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_RAW, &now);
	return (gint64)now.tv_sec * 1000000000 + now.tv_nsec;
}

static double find_overhead(void)
{
	guint64 least = G_MAXUINT64;

	for (int i = 0; i < OVERHEAD_TRIES; i++) {
		guint64 begin = code_ticks();

		least = MIN(least, code_ticks() - begin);
	}
	return (double)least;
}

void meter_init(struct meter *meter)
{
	*meter = (struct meter){
		.space = g_aligned_alloc0(1, sizeof(struct code_space), 64),
		.random = g_rand_new_with_seed(1),
		.chains = g_array_new(FALSE, FALSE, sizeof(double)),
		.overhead = find_overhead(),
		.begun = code_ticks(),
		.begun_at = now_ns(),
	};
}

void meter_clear(struct meter *meter)
{
	g_aligned_free(meter->space);
	g_rand_free(meter->random);
	g_array_unref(meter->chains);
}

static double ticks_of(const struct meter *meter, void (*work)(void *data), void *data)
{
	guint64 begin = code_ticks();

	work(data);
	return MAX((double)(code_ticks() - begin) - meter->overhead, 0);
}

static void run_chain(void *data)
{
	code_run(PROBE_CHAIN, data, CHAIN_TURNS);
}

/* Ticks in a cycle. */
static double time_chain(const struct meter *meter)
{
	double ticks = ticks_of(meter, run_chain, meter->space);

	return MAX(ticks, 1) / (CHAIN_TURNS * code_operations(PROBE_CHAIN));
}

double meter_time(struct meter *meter, void (*work)(void *data), void *data)
{
	double before = time_chain(meter), ticks = ticks_of(meter, work, data);
	double after = time_chain(meter), chain = MIN(before, after);

	g_array_append_val(meter->chains, chain);
	return ticks / chain;
}

struct reading meter_mhz(const struct meter *meter)
{
	double ticks = (double)(code_ticks() - meter->begun);
	double microseconds = (double)(now_ns() - meter->begun_at) / 1000;
	g_autofree double *chains =
		g_memdup2(meter->chains->data, sizeof(double) * meter->chains->len);
	struct reading reading = reading_of(chains, meter->chains->len);

	reading.value = ticks / microseconds / reading.value;
	return reading;
}
