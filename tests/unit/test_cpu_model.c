/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "time/estimate.h"
#include "time/time_file.h"

static const char *const shipped[] = { "skylake-server", "zen4" };

static char *shipped_text(const char *name)
{
	g_autofree char *file = g_strdup_printf("cpu/%s.ini", name);
	g_autofree char *path = paths_share_file(file, NULL);
	char *text = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	return text;
}

static void test_shipped(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(shipped); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(cpu_model_t) model = cpu_model_open(shipped[i], &error);

		g_assert_no_error(error);
		g_assert_cmpstr(model->name, ==, shipped[i]);
		g_assert_cmpuint(model->shape.l1d.size, ==, 32768);
		g_assert_cmpuint(model->shape.line, ==, 64);
		g_assert_cmpfloat(model->cycles[TIME_LOCKED], >, 1);
		g_assert_cmpfloat(model->cycles[TIME_REPEATS], ==, 0);
	}
}

/* @from is replaced by @to in a good file, and the message must hold @message. */
static void test_errors(void)
{
	static const struct {
		const char *from, *to, *message;
	} faults[] = {
		{ "locked = 18", "locked = many", "[cycles] locked: is no number from 0 on" },
		{ "locked = 18", "locked = 18 cycles", "[cycles] locked: is no number" },
		{ "locked = 18", "locked = -1", "[cycles] locked: is no number from 0 on" },
		{ "locked = 18", "locked = inf", "[cycles] locked: is no number from 0 on" },
		{ "locked = 18", "", "[cycles] locked: is missing" },
		{ "locked = 18", "locked = 18\nlokced = 18", "[cycles] lokced: is not known" },
		{ "locked = 18", "locked = 18\nrepeats = 1", "[cycles] repeats: is not known" },
		{ "mhz = 3000", "mhz = 0", "[core] mhz: must be above 0" },
		{ "line = 64", "line = 48", "[core] line: is no power of two" },
		{ "line = 64", "line = 8", "[core] line: is no whole number from 16 to 1024" },
		{ "size = 25952256", "size = 25952257", "[l3] size: is no whole number of sets" },
		{ "history = 14", "history = 40", "[branches] history: is no whole number" },
		{ "history = 14", "history = 1.5", "[branches] history: is no whole number" },
		{ "entries = 1536", "entries = 1537",
		  "[tlb2] entries: is no whole number of sets" },
		{ "[tlb2]", "[tlb3]", "[tlb2] entries: is missing" },
		{ "summary =", "# summary =", "[core] summary: is missing" },
		{ "[core]", "[core", "cannot be read" },
	};
	g_autofree char *good = shipped_text("skylake-server");

	for (gsize i = 0; i < G_N_ELEMENTS(faults); i++) {
		g_auto(GStrv) pieces = g_strsplit(good, faults[i].from, 2);
		g_autofree char *text = g_strjoinv(faults[i].to, pieces);
		g_autoptr(GError) error = NULL;

		g_assert_cmpuint(g_strv_length(pieces), ==, 2);
		g_assert_null(cpu_model_parse("mine.ini", text, &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, faults[i].message));
		g_assert_nonnull(strstr(error->message, "mine.ini"));
	}
}

static void test_unknown(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(cpu_model_open("skylark", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "skylake-server, zen4"));
	g_clear_error(&error);
	g_assert_null(cpu_model_open("/nowhere/mine", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
}

/* 1,000 instructions of which 100 are no real ones, at 0.25 cycles; 10 locked ones at 18. */
static void test_cycles(void)
{
	cpu_model_t model = { .cycles = { [TIME_INSTRUCTIONS] = 0.25, [TIME_LOCKED] = 18 } };
	struct time_counts counts = { { [TIME_INSTRUCTIONS] = 1000,
		                        [TIME_REPEATS] = 100,
		                        [TIME_LOCKED] = 10,
		                        [TIME_LINES] = 77 } };
	double by_counter[TIME_COUNTERS], parts[TIME_PARTS];

	g_assert_cmpfloat(estimate_cycles(&model, &counts, by_counter), ==, 225 + 180);
	g_assert_cmpfloat(by_counter[TIME_INSTRUCTIONS], ==, 225);
	g_assert_cmpfloat(by_counter[TIME_LOCKED], ==, 180);
	estimate_parts(&model, &counts, parts);
	g_assert_cmpfloat(parts[TIME_BASE], ==, 225);
	g_assert_cmpfloat(parts[TIME_SERIALISING], ==, 180);
	g_assert_cmpfloat(parts[TIME_DATA], ==, 0);
}

/* The most and the least of a ratio over all corners of the box, by trying them all. */
static void try_corners(const double *base, const double *other, guint count, double *lo,
                        double *hi)
{
	*lo = G_MAXDOUBLE;
	*hi = -G_MAXDOUBLE;
	for (guint corner = 0; corner < 1u << count; corner++) {
		double above = 0, below = 0;

		for (guint i = 0; i < count; i++) {
			double factor = corner >> i & 1 ? 1.3 : 0.7;

			above += factor * other[i];
			below += factor * base[i];
		}
		*lo = MIN(*lo, 100 * (above / below - 1));
		*hi = MAX(*hi, 100 * (above / below - 1));
	}
}

static void test_range(void)
{
	enum { USED = 8, TRIALS = 200 };
	g_autoptr(GRand) random = g_rand_new_with_seed(7);

	/* All parts grow alike: whatever the constants are, so does the whole. */
	{
		double base[TIME_COUNTERS] = { 100, 300 }, other[TIME_COUNTERS] = { 110, 330 };
		double lo, hi;

		estimate_range(base, other, &lo, &hi);
		g_assert_cmpfloat_with_epsilon(lo, 10, 1e-9);
		g_assert_cmpfloat_with_epsilon(hi, 10, 1e-9);
	}
	/* 100 and 100, of which only the first doubles: (2 * 1.3 + 0.7) / (1.3 + 0.7), (2 * 0.7 +
	 * 1.3) / (0.7 + 1.3). */
	{
		double base[TIME_COUNTERS] = { 100, 100 }, other[TIME_COUNTERS] = { 200, 100 };
		double lo, hi;

		estimate_range(base, other, &lo, &hi);
		g_assert_cmpfloat_with_epsilon(hi, 65, 1e-9);
		g_assert_cmpfloat_with_epsilon(lo, 35, 1e-9);
	}
	for (guint trial = 0; trial < TRIALS; trial++) {
		double base[TIME_COUNTERS] = { 0 }, other[TIME_COUNTERS] = { 0 };
		double lo, hi, least, most;

		for (guint i = 0; i < USED; i++) {
			base[i] = g_rand_double_range(random, 0, 100);
			other[i] = g_rand_double_range(random, 0, 200);
		}
		estimate_range(base, other, &lo, &hi);
		try_corners(base, other, USED, &least, &most);
		g_assert_cmpfloat_with_epsilon(lo, least, 1e-9);
		g_assert_cmpfloat_with_epsilon(hi, most, 1e-9);
	}
}

static void test_file(void)
{
	struct time_counts counts[2] = { { { 1, 2, 3 } }, { { 4, 5, G_MAXUINT64 } } };
	char *text = NULL;
	gsize length;
	FILE *file = open_memstream(&text, &length);
	g_autoptr(GError) error = NULL;
	g_autoptr(GArray) read = NULL;

	g_assert_true(time_file_begin(file));
	for (guint i = 0; i < 2; i++)
		g_assert_true(time_file_region(file, &counts[i]));
	fputs("7 8", file); /* cut off */
	fclose(file);
	read = time_file_parse(text, &error);
	g_assert_no_error(error);
	g_assert_cmpmem(read->data, read->len * sizeof(*counts), counts, sizeof(counts));
	g_assert_null(time_file_parse("kcost-time 1 instruction unheard-of\n1 2\n", &error));
	g_assert_true(error_is(error, KCOST_ERROR_KERNEL));
	g_clear_error(&error);
	g_assert_null(time_file_parse("", NULL));
	g_assert_null(time_file_parse("kcost-time 1 instruction\n1 2\n", NULL));
	g_assert_null(time_file_parse("kcost-time 1 instruction\nmany\n", NULL));
	{
		g_autoptr(GArray) some = time_file_parse("kcost-time 1 popf locked\n5 7\n", NULL);

		g_assert_cmpuint(some->len, ==, 1);
		g_assert_cmpuint(g_array_index(some, struct time_counts, 0).n[TIME_POPF], ==, 5);
		g_assert_cmpuint(g_array_index(some, struct time_counts, 0).n[TIME_LOCKED], ==, 7);
		g_assert_cmpuint(g_array_index(some, struct time_counts, 0).n[TIME_CLI], ==, 0);
	}
	*strstr(text, "\n1 2") = ' ';
	g_assert_null(time_file_parse(text, NULL));
	free(text);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/cpu-model/shipped", test_shipped);
	g_test_add_func("/cpu-model/errors", test_errors);
	g_test_add_func("/cpu-model/unknown", test_unknown);
	g_test_add_func("/cpu-model/cycles", test_cycles);
	g_test_add_func("/cpu-model/range", test_range);
	g_test_add_func("/cpu-model/file", test_file);
	return g_test_run();
}
