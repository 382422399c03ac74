/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "calibrate/calibrate.h"
#include "curve_fixture.h"

/* From raw curves and readings of known answer to a core's numbers: no clock is in this. */

/* A core with simple numbers: four instructions a cycle, everything else in whole cycles. */
static calibration_t *make_calibration(void)
{
	static const struct step latency[] = {
		{ 32 * KIB, 5 }, { 1 * MIB, 14 }, { 24 * MIB, 65 }, { 0, 305 }
	};
	static const struct step pages[] = { { 64, 0 }, { 1536, 9 }, { 0, 39 } };
	static const struct step strings[] = {
		{ 32 * KIB, 2 }, { 1 * MIB, 3 }, { 24 * MIB, 6 }, { 0, 20 }
	};
	static const struct {
		enum probe probe;
		double value;
	} readings[] = {
		{ PROBE_CHAIN, 1 },          { PROBE_ADDS, 0.25 },
		{ PROBE_MIXED, 0.26 },       { PROBE_LOCKED, 18.25 },
		{ PROBE_CMPXCHG16B, 23.25 }, { PROBE_PUSHF, 1.5 },
		{ PROBE_PUSHF_POPF, 24.5 },  { PROBE_LFENCE, 4.25 },
		{ PROBE_MFENCE, 33.5 },      { PROBE_SFENCE, 6.5 },
		{ PROBE_DIVIDE_32, 27.25 },  { PROBE_DIVIDE_64, 61.25 },
		{ PROBE_RDTSC, 25.25 },      { PROBE_CPUID, 150.25 },
		{ PROBE_XSAVE, 41.25 },      { PROBE_XRSTOR, 37.25 },
		{ PROBE_RANDOM, 460.25 },    { PROBE_PAUSE, 140.25 },
		{ PROBE_SEGMENT, 14.25 },    { PROBE_SYSCALL, 325 },
		{ PROBE_SCAN, 2 },           { PROBE_STRAIGHT, 1.75 },
		{ PROBE_JUMPS, 2.5 },        { PROBE_BRANCH_NEVER, 1 },
		{ PROBE_BRANCH_ALWAYS, 2 },  { PROBE_BRANCH_RANDOM, 9.5 },
		{ PROBE_INDIRECT_ONE, 2 },   { PROBE_INDIRECT_RANDOM, 17 },
		{ PROBE_RETURN_RIGHT, 5 },   { PROBE_RETURN_WRONG, 21 },
	};
	calibration_t *calibration = calibration_new();

	g_assert_cmpuint(G_N_ELEMENTS(readings), ==, PROBE_COUNT);
	for (gsize i = 0; i < G_N_ELEMENTS(readings); i++)
		calibration->probes[readings[i].probe] =
			(struct reading){ readings[i].value, 0.01 };
	calibration->processor = g_strdup("A core of whole numbers");
	calibration->mhz = (struct reading){ 3210.4, 0.01 };
	calibration->large_pages = TRUE;
	calibration->latency = make_curve(latency, 4 * KIB, 256 * MIB, 0);
	calibration->pages = make_curve(pages, 8, 16384, 0);
	calibration->strings = make_curve(strings, 16 * KIB, 256 * MIB, 0);
	calibration->copies = g_array_new(FALSE, FALSE, sizeof(struct curve_point));
	for (double x = 256; x <= 4096; x *= 2) {
		struct curve_point point = { x, 35.25 + x / 32, 0 };

		g_array_append_val(calibration->copies, point);
	}
	return calibration;
}

static cpu_model_t *open_base(void)
{
	g_autoptr(GError) error = NULL;
	cpu_model_t *base = cpu_model_open("skylake-server", &error);

	g_assert_no_error(error);
	return base;
}

/* Written, and read again by what reads every core's file. */
static cpu_model_t *write_and_read(const calibration_t *calibration, const cpu_model_t *base)
{
	g_autoptr(calibrated_t) calibrated = calibrated_new(calibration, base);
	g_autoptr(GError) error = NULL;
	g_autofree char *text = calibrated_text(calibrated, calibration, base, &error);
	cpu_model_t *model = NULL;

	g_assert_no_error(error);
	model = cpu_model_parse("calibrated.ini", text, &error);
	g_assert_no_error(error);
	return model;
}

struct expected {
	enum time_counter counter;
	double cycles;
};

static void check_cycles(const cpu_model_t *model, const struct expected *expected, gsize count)
{
	for (gsize i = 0; i < count; i++) {
		double cycles = model->cycles[expected[i].counter];

		if (fabs(cycles - expected[i].cycles) > 1e-9)
			g_test_message("%s: %g", time_counters[expected[i].counter].name, cycles);
		g_assert_cmpfloat_with_epsilon(cycles, expected[i].cycles, 1e-9);
	}
}

static void test_derive(void)
{
	/* By hand from make_calibration(). Latencies: (14 - 5) / 1.5, (65 - 5) / 3, ... Half of
	 * random branches are missed: (9.5 - 1.5) / 0.5; 15 of 16 targets: 15 / (15 / 16). A call:
	 * 325 less 100 / 4, divided as skylake-server's 55, 55 and twice 20. */
	static const struct expected expected[] = {
		{ TIME_INSTRUCTIONS, 0.25 },
		{ TIME_LOCKED, 18 },
		{ TIME_CMPXCHG16B, 23 },
		{ TIME_PUSHF, 1 },
		{ TIME_POPF, 23 },
		{ TIME_LFENCE, 4 },
		{ TIME_MFENCE, 33 },
		{ TIME_SFENCE, 6 },
		{ TIME_DIVIDE_32, 26 },
		{ TIME_DIVIDE_64, 60 },
		{ TIME_RDTSC, 25 },
		{ TIME_CPUID, 150 },
		{ TIME_XSAVE, 41 },
		{ TIME_XRSTOR, 37 },
		{ TIME_RANDOM, 460 },
		{ TIME_PAUSE, 140 },
		{ TIME_DESCRIPTOR, 14 },
		{ TIME_SCAN_STEPS, 2 },
		{ TIME_TAKEN, 0.5 },
		{ TIME_MISSED_BRANCH, 16 },
		{ TIME_MISSED_INDIRECT, 16 },
		{ TIME_MISSED_RETURN, 16 },
		{ TIME_SYSCALL, 110 },
		{ TIME_SYSRET, 110 },
		{ TIME_SWAPGS, 40 },
		{ TIME_STRING_START, 35 },
		{ TIME_STRING_BYTES, 0.03125 },
		{ TIME_LOAD_L2, 6 },
		{ TIME_LOAD_L3, 40 },
		{ TIME_LOAD_MEMORY, 200 },
		{ TIME_STORE_L2, 3 },
		{ TIME_STORE_L3, 20 },
		{ TIME_STORE_MEMORY, 100 },
		{ TIME_FETCH_L2, 9 },
		{ TIME_FETCH_L3, 60 },
		{ TIME_FETCH_MEMORY, 300 },
		{ TIME_STRING_L2, 1 },
		{ TIME_STRING_L3, 4 },
		{ TIME_STRING_MEMORY, 18 },
		{ TIME_DATA_TLB2, 6 },
		{ TIME_DATA_WALK, 26 },
		{ TIME_FETCH_TLB2, 9 },
		{ TIME_FETCH_WALK, 39 },
	};
	g_autoptr(calibration_t) calibration = make_calibration();
	g_autoptr(cpu_model_t) base = open_base();
	g_autoptr(cpu_model_t) model = write_and_read(calibration, base);

	check_cycles(model, expected, G_N_ELEMENTS(expected));
	g_assert_cmpfloat(model->mhz, ==, 3210);
	g_assert_cmpuint(model->shape.l1d.size, ==, 32 * KIB);
	g_assert_cmpuint(model->shape.l2.size, ==, 1 * MIB);
	/* In whole sets of 11 lines. */
	g_assert_cmpuint(model->shape.l3.size, ==, 35747 * 11 * 64);
	g_assert_cmpuint(model->shape.dtlb.entries, ==, 64);
	g_assert_cmpuint(model->shape.tlb2.entries, ==, 1536);
	/* What is not measured. */
	g_assert_cmpfloat(model->cycles[TIME_IRET], ==, base->cycles[TIME_IRET]);
	g_assert_cmpfloat(model->cycles[TIME_CLI], ==, base->cycles[TIME_CLI]);
	g_assert_cmpuint(model->shape.predictor.history, ==, base->shape.predictor.history);
	g_assert_nonnull(strstr(model->summary, "A core of whole numbers"));
}

/* What the processor tells is taken where the curves agree with it, and for what they do not show.
 */
static void test_told(void)
{
	g_autoptr(calibration_t) calibration = make_calibration();
	g_autoptr(cpu_model_t) base = open_base();
	g_autoptr(cpu_model_t) model = NULL;
	const struct code_cache told[] = {
		{ 1, FALSE, 40 * KIB, 10, 64 }, /* 32 KiB were measured */
		{ 1, TRUE, 64 * KIB, 4, 64 },
		{ 2, FALSE, 4 * MIB, 16, 64 }, /* far from the 1 MiB measured */
		{ 3, FALSE, 24 * MIB, 12, 64 },
	};

	memcpy(calibration->caches, told, sizeof(told));
	calibration->cache_count = G_N_ELEMENTS(told);
	calibration->tlbs[CODE_ITLB] = (struct code_tlb){ 256, 8 };
	calibration->tlbs[CODE_DTLB] = (struct code_tlb){ 72, 72 };
	calibration->tlbs[CODE_TLB2] = (struct code_tlb){ 8192, 8 };
	model = write_and_read(calibration, base);
	g_assert_cmpuint(model->shape.l1d.size, ==, 40 * KIB);
	g_assert_cmpuint(model->shape.l1d.ways, ==, 10);
	g_assert_cmpuint(model->shape.l1i.size, ==, 64 * KIB);
	g_assert_cmpuint(model->shape.l1i.ways, ==, 4);
	g_assert_cmpuint(model->shape.l2.size, ==, 1 * MIB);
	g_assert_cmpuint(model->shape.l2.ways, ==, 16);
	g_assert_cmpuint(model->shape.l3.size, ==, 24 * MIB);
	g_assert_cmpuint(model->shape.itlb.entries, ==, 256);
	g_assert_cmpuint(model->shape.dtlb.entries, ==, 72);
	g_assert_cmpuint(model->shape.dtlb.ways, ==, 72);
	g_assert_cmpuint(model->shape.tlb2.entries, ==, 1536);
	g_assert_cmpuint(model->shape.tlb2.ways, ==, 12);
}

static gboolean is_unknown(const calibrated_t *calibrated, const char *what)
{
	for (guint i = 0; i < calibrated->unknown->len; i++)
		if (strstr(calibrated->unknown->pdata[i], what))
			return TRUE;
	return FALSE;
}

static void set_noise(calibration_t *calibration)
{
	calibration->probes[PROBE_LOCKED].spread = 0.4;
}

/* The difference is 16 cycles, the noise of its two parts 6. */
static void set_noisy_difference(calibration_t *calibration)
{
	calibration->probes[PROBE_RETURN_RIGHT].spread = 0.36;
	calibration->probes[PROBE_RETURN_WRONG].spread = 0.2;
}

static void set_missing(calibration_t *calibration)
{
	calibration->probes[PROBE_RANDOM] = reading_of(NULL, 0);
}

static void set_virtual(calibration_t *calibration)
{
	calibration->virtual_machine = TRUE;
}

static void set_isolation(calibration_t *calibration)
{
	calibration->isolation = TRUE;
}

static void set_dear_call(calibration_t *calibration)
{
	calibration->probes[PROBE_SYSCALL].value = 2000;
}

static void set_free_call(calibration_t *calibration)
{
	calibration->probes[PROBE_SYSCALL].value = 20;
}

static void flatten(GArray *points)
{
	for (guint i = 0; i < points->len; i++)
		g_array_index(points, struct curve_point, i).y = 5;
}

static void set_flat_latency(calibration_t *calibration)
{
	flatten(calibration->latency);
}

static void set_flat_pages(calibration_t *calibration)
{
	flatten(calibration->pages);
}

static void set_flat_copies(calibration_t *calibration)
{
	flatten(calibration->copies);
}

/* A third level that is memory: no L3 was seen. */
static void set_no_l3(calibration_t *calibration)
{
	static const struct step latency[] = { { 32 * KIB, 5 }, { 1 * MIB, 14 }, { 0, 305 } };

	g_array_unref(calibration->latency);
	calibration->latency = make_curve(latency, 4 * KIB, 256 * MIB, 0);
}

/* From 32 MiB on. */
static void set_noisy_memory(calibration_t *calibration)
{
	for (guint i = 0; i < calibration->latency->len; i++) {
		struct curve_point *point =
			&g_array_index(calibration->latency, struct curve_point, i);

		point->spread = point->x < 32 * MIB ? 0.02 : 0.3;
	}
}

static void set_small_pages(calibration_t *calibration)
{
	calibration->large_pages = FALSE;
}

/* What cannot be told is said, and is the base's. */
static void test_unknown(void)
{
	static const struct {
		void (*set)(calibration_t *calibration);
		const char *says, *group, *key; /* key: NULL if none is missing */
	} cases[] = {
		{ set_noise, "locked: repetitions differ by 40 %", "cycles", "locked" },
		{ set_noisy_difference, "missed_return: repetitions differ by 6.00 cycles",
		  "cycles", "missed_return" },
		{ set_missing, "random: this processor does not have it", "cycles", "random" },
		{ set_virtual, "cpuid: in a virtual machine", "cycles", "cpuid" },
		{ set_virtual, "(here 39 cycles)", "cycles", "data_walk" },
		{ set_isolation, "getppid takes 325 cycles here, but with page-table isolation",
		  "cycles", "syscall" },
		{ set_dear_call, "getppid takes 2000 cycles here", "cycles", "sysret" },
		{ set_free_call, "getppid takes 20 cycles here", "cycles", "swapgs" },
		{ set_flat_latency, "l2: its end is not to be seen", "l2", "size" },
		{ set_flat_latency, "load, store, fetch from memory", "cycles", "load_memory" },
		{ set_flat_pages, "dtlb, tlb2, walks", "tlb2", "entries" },
		{ set_flat_copies, "string_start, string_byte", "cycles", "string_byte" },
		{ set_no_l3, "load, store, fetch from L3", "cycles", "load_l3" },
		{ set_no_l3, "l3: its end is not to be seen", "l3", "size" },
		{ set_noisy_memory, "fetch from memory: repetitions differ by 30 %", "cycles",
		  "store_memory" },
		{ set_small_pages, "latencies hold page walks", NULL, NULL },
		{ set_small_pages, "iret, interrupt, wrmsr", "cycles", "iret" },
	};
	g_autoptr(cpu_model_t) base = open_base();

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(calibration_t) calibration = make_calibration();
		g_autoptr(calibrated_t) calibrated = NULL;
		g_autoptr(cpu_model_t) model = NULL;

		cases[i].set(calibration);
		calibrated = calibrated_new(calibration, base);
		g_assert_true(is_unknown(calibrated, cases[i].says));
		if (cases[i].key)
			g_assert_null(calibrated_find(calibrated, cases[i].group, cases[i].key));
		model = write_and_read(calibration, base);
		g_assert_nonnull(model);
	}
}

/* The third of three levels is the third cache if no more than that was accessed. */
static void test_small_memory(void)
{
	g_autoptr(calibration_t) calibration = make_calibration();
	g_autoptr(cpu_model_t) base = open_base();
	g_autoptr(cpu_model_t) model = NULL;

	while (g_array_index(calibration->latency, struct curve_point,
	                     calibration->latency->len - 1)
	               .x > 20 * MIB)
		g_array_set_size(calibration->latency, calibration->latency->len - 1);
	calibration->caches[0] = (struct code_cache){ 3, FALSE, 24 * MIB, 12, 64 };
	calibration->cache_count = 1;
	model = write_and_read(calibration, base);
	g_assert_cmpfloat(model->cycles[TIME_LOAD_L3], ==, 40);
	g_assert_cmpfloat(model->cycles[TIME_LOAD_MEMORY], ==, base->cycles[TIME_LOAD_MEMORY]);
	g_assert_cmpuint(model->shape.l3.size, ==, base->shape.l3.size);
}

/* Each number has where it is from above it, and no line is too long to read. */
static void test_sources(void)
{
	g_autoptr(calibration_t) calibration = make_calibration();
	g_autoptr(cpu_model_t) base = open_base();
	g_autoptr(calibrated_t) calibrated = calibrated_new(calibration, base);
	g_autofree char *text = calibrated_text(calibrated, calibration, base, NULL);
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	guint measured = 0, taken = 0, numbers = 0;

	for (guint i = 1; lines[i]; i++) {
		gboolean number = strstr(lines[i], " = ") && lines[i][0] != '#' &&
		                  !g_str_has_prefix(lines[i], "summary");

		g_assert_cmpuint(strlen(lines[i]), <=, 120);
		measured += g_str_has_prefix(lines[i], "# measured");
		taken += g_str_equal(lines[i], "# from skylake-server");
		numbers += number;
		if (number)
			g_assert_true(g_str_has_prefix(lines[i - 1], "#"));
	}
	g_assert_cmpuint(measured, ==, calibrated->numbers->len);
	g_assert_cmpuint(measured + taken, ==, numbers);
	g_assert_nonnull(strstr(text, "\n# from skylake-server\niret = 330\n"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/calibrate/derive", test_derive);
	g_test_add_func("/calibrate/told", test_told);
	g_test_add_func("/calibrate/unknown", test_unknown);
	g_test_add_func("/calibrate/small-memory", test_small_memory);
	g_test_add_func("/calibrate/sources", test_sources);
	return g_test_run();
}
