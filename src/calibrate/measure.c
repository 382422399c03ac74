/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <sched.h>
#include <string.h>

#include "base/error.h"
#include "bench/warnings.h"
#include "calibrate/calibrate.h"
#include "calibrate/memory.h"

enum {
	ROUNDS = 60,
	QUICK_ROUNDS = 9,
	PROBE_CYCLES = 20000, /* that one repetition takes, about */
	MOST_TURNS = 4096,
	MEMORY_ROUNDS = 3,
	MEMORY_REPETITIONS = 12,
	PROBE_SECONDS = 10,  /* after which no more rounds begin */
	MEMORY_SECONDS = 15, /* likewise */
	QUICK_REPETITIONS = 5,
};

static const gsize mebibyte = 1 << 20;

struct probing {
	enum probe probe;
	struct code_space *space;
	guint64 turns;
};

static void run_probe(void *data)
{
	const struct probing *probing = data;

	code_run(probing->probe, probing->space, probing->turns);
}

/* Once without the clock, so that its code is there; then with other decisions than those, which
 * some predictors would know. */
static double time_probe(struct meter *meter, struct probing *probing)
{
	guint64 turns = probing->turns;

	code_prepare(probing->probe, meter->space, g_rand_int(meter->random));
	probing->turns = 1;
	run_probe(probing);
	probing->turns = turns;
	code_prepare(probing->probe, meter->space, g_rand_int(meter->random));
	return meter_time(meter, run_probe, probing);
}

static guint64 turns_for(struct meter *meter, enum probe probe)
{
	struct probing probing = { probe, meter->space, 1 };
	double least = INFINITY;

	for (int i = 0; i < 5; i++)
		least = MIN(least, time_probe(meter, &probing));
	return (guint64)CLAMP(PROBE_CYCLES / MAX(least, 1), 1, MOST_TURNS);
}

/* All probes once in each round, so that what disturbs for a while disturbs all. */
static gboolean measure_probes(struct meter *meter, guint rounds, struct reading *readings,
                               GCancellable *cancellable, GError **error)
{
	g_autofree double *cycles = g_new(double, PROBE_COUNT *(gsize)rounds);
	gint64 deadline = g_get_monotonic_time() + PROBE_SECONDS * G_USEC_PER_SEC;
	struct probing probings[PROBE_COUNT];
	guint done = 0;

	for (int probe = 0; probe < PROBE_COUNT; probe++)
		probings[probe] = (struct probing){
			.probe = (enum probe)probe,
			.space = meter->space,
			.turns = code_has(probe) ? turns_for(meter, probe) : 0,
		};
	for (; done < rounds && (done < QUICK_ROUNDS || g_get_monotonic_time() < deadline);
	     done++) {
		if (g_cancellable_is_cancelled(cancellable))
			return error_set(error, KCOST_ERROR_INTERRUPTED,
			                 "measuring the core was stopped");
		for (int probe = 0; probe < PROBE_COUNT; probe++)
			if (probings[probe].turns)
				cycles[(guint)probe * rounds + done] =
					time_probe(meter, &probings[probe]) /
					(double)(probings[probe].turns * code_operations(probe));
	}
	for (int probe = 0; probe < PROBE_COUNT; probe++)
		readings[probe] = reading_of(cycles + (guint)probe * rounds,
		                             probings[probe].turns ? done : 0);
	return TRUE;
}

static gboolean text_has(const char *path, const char *what)
{
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, what);
}

/* Bytes; 0 if it is not known. */
static gsize available_memory(void)
{
	static const char key[] = "MemAvailable:";
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents("/proc/meminfo", &text, NULL, NULL))
		return 0;
	line = strstr(text, key);
	return line ? g_ascii_strtoull(line + strlen(key), NULL, 10) * 1024 : 0;
}

/* Four times the last cache, so that little of it is found there. */
static gsize most_bytes(const calibration_t *calibration, gboolean quick)
{
	gsize last = 0, available = available_memory(), most;

	for (guint i = 0; i < calibration->cache_count; i++)
		if (calibration->caches[i].level == 3)
			last = calibration->caches[i].size;
	most = last ? CLAMP(4 * last, 64 * mebibyte, 512 * mebibyte) : 256 * mebibyte;
	if (available)
		most = MIN(most, available / 4);
	if (quick)
		most = MIN(most, 32 * mebibyte);
	return MAX(most / (2 * mebibyte), 1) * 2 * mebibyte;
}

static gboolean measure_memory(struct meter *meter, gboolean quick, calibration_t *calibration,
                               GCancellable *cancellable, GError **error)
{
	struct memory memory = {
		.meter = meter,
		.rounds = quick ? 1 : MEMORY_ROUNDS,
		.repetitions = quick ? QUICK_REPETITIONS : MEMORY_REPETITIONS,
		.deadline = g_get_monotonic_time() + MEMORY_SECONDS * G_USEC_PER_SEC,
		.cancellable = cancellable,
	};
	gboolean fine = memory_init(&memory, most_bytes(calibration, quick), error);

	calibration->large_pages = memory.large_pages;
	fine = fine && (calibration->copies = memory_copies(&memory, error)) &&
	       (calibration->pages = memory_pages(&memory, error)) &&
	       (calibration->latency = memory_latency(&memory, error)) &&
	       (calibration->strings = memory_strings(&memory, error));
	memory_clear(&memory);
	return fine;
}

calibration_t *calibration_new(void)
{
	calibration_t *calibration = g_new0(calibration_t, 1);

	for (int probe = 0; probe < PROBE_COUNT; probe++)
		calibration->probes[probe] = reading_of(NULL, 0);
	calibration->mhz = reading_of(NULL, 0);
	return calibration;
}

static gboolean measure(calibration_t *calibration, gboolean quick, GCancellable *cancellable,
                        GError **error)
{
	struct meter meter;
	gboolean fine;

	meter_init(&meter);
	fine = measure_probes(&meter, quick ? QUICK_ROUNDS : ROUNDS, calibration->probes,
	                      cancellable, error) &&
	       measure_memory(&meter, quick, calibration, cancellable, error);
	calibration->mhz = meter_mhz(&meter);
	meter_clear(&meter);
	return fine;
}

calibration_t *calibration_measure(gboolean quick, GCancellable *cancellable, GError **error)
{
	g_autoptr(calibration_t) calibration = calibration_new();
	cpu_set_t before, here;
	gboolean fine;
	int cpu = sched_getcpu();

	if (!code_check(error))
		return NULL;
	calibration->processor = code_processor();
	calibration->virtual_machine = code_is_virtual();
	calibration->cache_count = code_caches(calibration->caches, CALIBRATE_MOST_CACHES);
	code_tlbs(calibration->tlbs);
	calibration->isolation =
		text_has("/sys/devices/system/cpu/vulnerabilities/meltdown", "PTI");
	calibration->warnings = bench_warnings("");
	CPU_ZERO(&here);
	CPU_SET((size_t)MAX(cpu, 0), &here);
	if (sched_getaffinity(0, sizeof(before), &before) || cpu < 0)
		cpu = -1;
	else
		sched_setaffinity(0, sizeof(here), &here);
	fine = measure(calibration, quick, cancellable, error);
	if (cpu >= 0)
		sched_setaffinity(0, sizeof(before), &before);
	return fine ? g_steal_pointer(&calibration) : NULL;
}

static void unref_points(GArray *points)
{
	if (points)
		g_array_unref(points);
}

void calibration_free(calibration_t *calibration)
{
	if (!calibration)
		return;
	unref_points(calibration->latency);
	unref_points(calibration->pages);
	unref_points(calibration->copies);
	unref_points(calibration->strings);
	g_free(calibration->processor);
	g_free(calibration);
}
