/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "base/error.h"
#include "profile/attribution.h"
#include "profile_fixture.h"

/* The trees of profile_fixture.h. All expected figures are worked out by hand from its table; they
 * are instructions an operation, of which there are ten on either side. */

static subsystems_t *table(void)
{
	g_autoptr(GError) error = NULL;
	subsystems_t *subsystems = subsystems_load(&error);

	g_assert_no_error(error);
	return subsystems;
}

static attribution_t *attribute(profile_t *base, profile_t *other)
{
	g_autoptr(subsystems_t) subsystems = table();
	g_autoptr(cpu_model_t) core = fixture_core();
	const struct attribution_terms terms = { subsystems, core };
	attribution_t *attribution = attribution_new(base, other, &terms);

	profile_free(base);
	profile_free(other);
	return attribution;
}

static const struct attribution_row *find(const GPtrArray *rows, const char *name)
{
	for (guint i = 0; i < rows->len; i++)
		if (g_str_equal(attribution_row_at(rows, i)->name, name))
			return attribution_row_at(rows, i);
	return NULL;
}

struct expected {
	const char *name;
	guint64 base, other; /* instructions */
	double difference;
};

static void assert_rows(const GPtrArray *rows, const struct expected *expected, guint count)
{
	guint64 sum[2] = { 0 };

	g_assert_cmpuint(rows->len, ==, count);
	for (guint i = 0; i < count; i++) {
		const struct attribution_row *row = find(rows, expected[i].name);

		g_assert_nonnull(row);
		g_assert_cmpuint(row->instructions[0], ==, expected[i].base);
		g_assert_cmpuint(row->instructions[1], ==, expected[i].other);
		g_assert_cmpfloat_with_epsilon(row->difference, expected[i].difference, 1e-9);
		g_assert_cmpfloat_with_epsilon(row->share, expected[i].difference / 72, 1e-9);
		for (int side = 0; side < 2; side++)
			sum[side] += row->instructions[side];
	}
	/* Nothing is lost, whatever the grouping. */
	g_assert_cmpuint(sum[0], ==, 1180);
	g_assert_cmpuint(sum[1], ==, 1900);
}

static void test_functions(void)
{
	static const struct expected expected[] = {
		{ "send", 500, 1000, 50 }, { "check", 0, 200, 20 },  { "lock", 100, 200, 10 },
		{ "gone", 80, 0, -8 },     { "entry", 300, 300, 0 }, { "[user]", 200, 200, 0 },
	};
	g_autoptr(attribution_t) attribution = attribute(fixture_base(), fixture_other());
	const struct attribution_row *check = find(attribution->functions, "check");

	assert_rows(attribution->functions, expected, G_N_ELEMENTS(expected));
	g_assert_cmpfloat(attribution->each[0], ==, 118);
	g_assert_cmpfloat(attribution->each[1], ==, 190);
	g_assert_cmpfloat(attribution->difference, ==, 72);
	/* The largest difference first. */
	g_assert_cmpstr(attribution_row_at(attribution->functions, 0)->name, ==, "send");
	g_assert_cmpfloat(check->calls_each[1], ==, 4);
	g_assert_cmpfloat(check->each_call[1], ==, 5);
	g_assert_true(isnan(check->each_call[0]));
}

/* check is paid by who called it: 120 by send, 80 by lock; gone by send. */
static void test_payers(void)
{
	static const struct expected payers[] = {
		{ "send", 580, 1120, 54 },
		{ "lock", 100, 280, 18 },
		{ "entry", 300, 300, 0 },
		{ "[user]", 200, 200, 0 },
	};
	static const struct expected subsystems[] = {
		{ "AF_UNIX", 580, 1120, 54 },
		{ "locking", 100, 280, 18 },
		{ "entry", 300, 300, 0 },
		{ "user", 200, 200, 0 },
	};
	/* Locking only serves its callers. */
	static const struct expected callers[] = {
		{ "AF_UNIX", 680, 1400, 72 },
		{ "entry", 300, 300, 0 },
		{ "user", 200, 200, 0 },
	};
	static const struct expected files[] = {
		{ "net/unix/af_unix.c", 580, 1120, 54 },
		{ "kernel/locking/spinlock.c", 100, 280, 18 },
		{ "arch/x86/entry/entry_64.S", 300, 300, 0 },
		{ "[user]", 200, 200, 0 },
	};
	g_autoptr(attribution_t) attribution = attribute(fixture_base(), fixture_other());

	assert_rows(attribution->payers, payers, G_N_ELEMENTS(payers));
	assert_rows(attribution->subsystems, subsystems, G_N_ELEMENTS(subsystems));
	assert_rows(attribution->callers, callers, G_N_ELEMENTS(callers));
	assert_rows(attribution->files, files, G_N_ELEMENTS(files));
}

static void assert_time(const GPtrArray *rows, const char *name, double base, double other)
{
	const struct attribution_time *time = &find(rows, name)->time;

	g_assert_cmpfloat_with_epsilon(time->each[0], base, 1e-9);
	g_assert_cmpfloat_with_epsilon(time->each[1], other, 1e-9);
	g_assert_cmpfloat_with_epsilon(time->difference, other - base, 1e-9);
	g_assert_cmpfloat_with_epsilon(time->share, (other - base) / 56, 1e-9);
}

/* Half a nanosecond for each instruction of the tables above, and 20 for each call of lock, of
 * which there are 1 and 2 an operation: 59 + 20 and 95 + 40 nanoseconds. So lock pays the most
 * time, with a quarter of the instructions. */
static void test_times(void)
{
	g_autoptr(attribution_t) attribution = attribute(fixture_with_events(fixture_base()),
	                                                 fixture_with_events(fixture_other()));

	g_assert_true(attribution->timed);
	g_assert_cmpfloat_with_epsilon(attribution->time.each[0], 79, 1e-9);
	g_assert_cmpfloat_with_epsilon(attribution->time.each[1], 135, 1e-9);
	g_assert_cmpfloat_with_epsilon(attribution->time.difference, 56, 1e-9);
	assert_time(attribution->functions, "send", 25, 50);
	assert_time(attribution->functions, "check", 0, 10);
	assert_time(attribution->functions, "lock", 25, 50);
	assert_time(attribution->functions, "gone", 4, 0);
	assert_time(attribution->functions, "entry", 15, 15);
	assert_time(attribution->payers, "send", 29, 56);
	assert_time(attribution->payers, "lock", 25, 54);
	assert_time(attribution->subsystems, "locking", 25, 54);
	assert_time(attribution->files, "net/unix/af_unix.c", 29, 56);
	assert_time(attribution->callers, "AF_UNIX", 54, 110);
	g_assert_cmpfloat_with_epsilon(attribution->user_time.each[1], 10, 1e-9);
	g_assert_cmpfloat_with_epsilon(attribution->user_time.difference, 0, 1e-9);
}

/* Where one side has no events there is no time, and all else is as ever. */
static void test_no_times(void)
{
	g_autoptr(attribution_t) attribution =
		attribute(fixture_base(), fixture_with_events(fixture_other()));

	g_assert_false(attribution->timed);
	g_assert_cmpfloat(attribution->time.difference, ==, 0);
	g_assert_cmpfloat(find(attribution->functions, "lock")->time.each[1], ==, 0);
	g_assert_cmpfloat(attribution->difference, ==, 72);
}

/* send: 1 call of 58 an operation becomes 2 of 56. In the middle, 1.5 calls, two instructions
 * cheaper each are -3; the other 57 are volume. lock: 1 of 10 becomes 2 of 14: 1.5 x 4 = 6 and 12.
 */
static void test_rate_and_volume(void)
{
	g_autoptr(attribution_t) attribution = attribute(fixture_base(), fixture_other());
	const struct attribution_row *send = find(attribution->payers, "send");
	const struct attribution_row *lock = find(attribution->payers, "lock");

	g_assert_cmpfloat_with_epsilon(send->rate, -3, 1e-9);
	g_assert_cmpfloat_with_epsilon(send->volume, 57, 1e-9);
	g_assert_cmpfloat_with_epsilon(lock->rate, 6, 1e-9);
	g_assert_cmpfloat_with_epsilon(lock->volume, 12, 1e-9);
	g_assert_cmpfloat_with_epsilon(attribution->rate, 3, 1e-9);
	g_assert_cmpfloat_with_epsilon(attribution->volume, 69, 1e-9);
	g_assert_cmpfloat_with_epsilon(attribution->user, 0, 1e-9);
	g_assert_cmpfloat_with_epsilon(attribution->rate + attribution->volume + attribution->user,
	                               72, 1e-9);
}

/* A kernel against itself differs nowhere. */
static void test_same(void)
{
	g_autoptr(attribution_t) attribution = attribute(fixture_other(), fixture_other());
	const GPtrArray *lists[] = { attribution->functions, attribution->payers,
		                     attribution->files, attribution->subsystems,
		                     attribution->callers };

	for (gsize l = 0; l < G_N_ELEMENTS(lists); l++)
		for (guint i = 0; i < lists[l]->len; i++) {
			const struct attribution_row *row = attribution_row_at(lists[l], i);

			g_assert_cmpfloat(row->difference, ==, 0);
			g_assert_cmpfloat(row->rate, ==, 0);
			g_assert_cmpfloat(row->volume, ==, 0);
			g_assert_cmpfloat(row->share, ==, 0);
		}
	g_assert_cmpfloat(attribution->difference, ==, 0);
}

/* Static functions of one name are told apart by their files. */
static void test_same_names(void)
{
	profile_t *base = profile_new(), *other = profile_new();
	g_autoptr(attribution_t) attribution = NULL;

	profile_add_node(base, 0, profile_add_function(base, "init", "mm/slub.c"), 1, 10);
	profile_add_node(base, 0, profile_add_function(base, "init", "fs/pipe.c"), 1, 20);
	profile_add_node(other, 0, profile_add_function(other, "init", "fs/pipe.c"), 1, 21);
	profile_add_node(other, 0, profile_add_function(other, "init", "mm/slub.c"), 1, 10);
	fixture_totals(base, 30);
	fixture_totals(other, 31);
	attribution = attribute(base, other);
	g_assert_cmpuint(attribution->payers->len, ==, 2);
	g_assert_cmpstr(attribution_row_at(attribution->payers, 0)->file, ==, "fs/pipe.c");
	g_assert_cmpfloat_with_epsilon(attribution_row_at(attribution->payers, 0)->difference, 0.1,
	                               1e-9);
	g_assert_cmpfloat(attribution_row_at(attribution->payers, 1)->difference, ==, 0);
}

/* Functions of which no file is known are together; user space and modules are no such functions.
 */
static void test_unknown_files(void)
{
	profile_t *sides[2];
	g_autoptr(attribution_t) attribution = NULL;

	for (guint i = 0; i < 2; i++) {
		profile_t *profile = sides[i] = profile_new();
		guint32 f = profile_add_function(profile, "f", NULL);
		guint32 g = profile_add_function(profile, "g", NULL);
		guint32 module = profile_add_function(profile, "[module text]", NULL);
		guint32 at = profile_add_node(profile, 0, PROFILE_USER, 0, 200);

		at = profile_add_node(profile, at, f, 10, 890);
		profile_add_node(profile, at, g, 10, 40 + 720 * i);
		profile_add_node(profile, at, module, 10, 50);
		fixture_totals(profile, 1180 + 720 * i);
	}
	attribution = attribute(sides[0], sides[1]);
	assert_rows(attribution->files,
	            (const struct expected[]){ { "unknown file", 930, 1650, 72 },
	                                       { "[module text]", 50, 50, 0 },
	                                       { "[user]", 200, 200, 0 } },
	            3);
}

static void test_subsystems(void)
{
	static const struct {
		const char *file, *name;
		gboolean through;
	} cases[] = {
		{ "mm/memcontrol.c", "memcg", FALSE },
		{ "mm/memory.c", "memory-management", FALSE },
		{ "kernel/locking/mutex.c", "locking", TRUE },
		{ "kernel/rcu/tree.c", "rcu", TRUE },
		{ "kernel/sched/core.c", "scheduler", FALSE },
		{ "net/unix/af_unix.c", "AF_UNIX", FALSE },
		{ "sound/core/pcm.c", "sound/core", FALSE }, /* no line fits: the directory */
		{ "core.c", "unknown", FALSE },
		{ NULL, "unknown", FALSE },
	};
	g_autoptr(subsystems_t) subsystems = table();

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		gboolean through = !cases[i].through;
		g_autofree char *name = subsystems_find(subsystems, cases[i].file, &through);

		g_assert_cmpstr(name, ==, cases[i].name);
		g_assert_cmpint(through, ==, cases[i].through);
	}
}

static void test_bad_table(void)
{
	static const char *const bad[] = { "mm/slub.c\n", "# fine\nmm/ a b\n",
		                           "mm/ a through b\n" };

	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		g_assert_null(subsystems_parse(bad[i], "table", &error));
		g_assert_error(error, KCOST_ERROR, KCOST_ERROR_MISSING);
		g_assert_nonnull(strstr(error->message, i == 1 ? "line 2" : "line 1"));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/attribution/functions", test_functions);
	g_test_add_func("/attribution/payers", test_payers);
	g_test_add_func("/attribution/rate-and-volume", test_rate_and_volume);
	g_test_add_func("/attribution/times", test_times);
	g_test_add_func("/attribution/no-times", test_no_times);
	g_test_add_func("/attribution/same", test_same);
	g_test_add_func("/attribution/same-names", test_same_names);
	g_test_add_func("/attribution/subsystems", test_subsystems);
	g_test_add_func("/attribution/bad-table", test_bad_table);
	g_test_add_func("/attribution/unknown-files", test_unknown_files);
	return g_test_run();
}
