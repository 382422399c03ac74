/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "profile_fixture.h"
#include "report/profile_files.h"

/* Profiles with the events of a core model: joined, kept as text, and as time for other programs.
 */

static void assert_equal(const profile_t *a, const profile_t *b)
{
	g_autofree char *x = profile_to_text(a), *y = profile_to_text(b);

	g_assert_cmpstr(x, ==, y);
}

/* Node 4 is lock in the base; in what is merged too. */
static void test_merge_events(void)
{
	g_autoptr(profile_t) merged = profile_new();
	g_autoptr(profile_t) base = fixture_with_events(fixture_base());
	g_autoptr(profile_t) other = fixture_with_events(fixture_other()), without = fixture_base();

	base->events.broken = 1;
	other->events.differing = 2;
	profile_merge(merged, base);
	assert_equal(merged, base);
	profile_merge(merged, other);
	fixture_assert_events(merged, 4, TIME_LOCKED, 10 + 20, 10 + 20);
	fixture_assert_events(merged, 4, TIME_INSTRUCTIONS, 100 + 200, 1180 + 1900);
	g_assert_cmpuint(merged->events.broken, ==, 1);
	g_assert_cmpuint(merged->events.differing, ==, 2);
	/* Some of them are not the whole. */
	profile_merge(merged, without);
	g_assert_null(merged->rows);
	profile_merge(merged, other);
	g_assert_null(merged->rows);
}

/* As kcost 0.1 has written them before there were events. */
static void test_old_text(void)
{
	static const char text[] = "kcost-profile 1\n"
				   "totals 1 7 7 2 0 0 0 0 0 0 0\n"
				   "f send\tnet/unix/af_unix.c\n"
				   "0 0 0 0\n1 1 0 3\n1 4 2 4\nend\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(profile_t) profile = profile_from_text(text, &error);
	g_autofree char *again = NULL;

	g_assert_no_error(error);
	g_assert_null(profile->rows);
	g_assert_cmpuint(profile_sum(profile), ==, 7);
	again = profile_to_text(profile);
	g_assert_cmpstr(again, ==, text);
}

/* Counters are known by name, so that a later kcost may have others. */
static void test_events_text(void)
{
	static const char text[] = "kcost-profile 2\n"
				   "totals 1 7 7 2 0 0 0 0 0 0 0\n"
				   "events locked instruction\ncounts 0 1 5 7\n"
				   "0 0 0 0\n1 1 0 3 1 3\n1 3 2 4 1 4 0 5\nend\n";
	static const char *const wrong[] = { "events locked strange\ncounts 0 1 5 7\n",
		                             "events locked instruction\ncounts 0 1 5\n",
		                             "counts 0 1 5 7\n" };
	g_autoptr(GError) error = NULL;
	g_autoptr(profile_t) profile = profile_from_text(text, &error);
	g_auto(GStrv) lines = g_strsplit(text, "events locked instruction\ncounts 0 1 5 7\n", 2);

	g_assert_no_error(error);
	fixture_assert_events(profile, 2, TIME_LOCKED, 5, 5);
	fixture_assert_events(profile, 1, TIME_INSTRUCTIONS, 3, 7);
	g_assert_cmpuint(profile->events.differing, ==, 1);
	for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++) {
		g_autofree char *bad = g_strjoinv(wrong[i], lines);

		g_assert_null(profile_from_text(bad, NULL));
	}
}

/* The same in nanoseconds: half of it, and 20 for each call of lock. */
static void test_time_files(void)
{
	g_autoptr(profile_t) profile = fixture_with_events(fixture_other());
	g_autoptr(cpu_model_t) core = fixture_core();
	g_autofree guint64 *ns = profile_nanoseconds(profile, core);
	g_autofree char *folded = profile_folded(profile, ns);
	g_autofree char *callgrind = profile_callgrind(profile, ns, "a title");

	g_assert_cmpstr(folded, ==,
	                "[user] 100\n"
	                "[user];entry 150\n"
	                "[user];entry;send 500\n"
	                "[user];entry;send;check 60\n"
	                "[user];entry;send;lock 500\n"
	                "[user];entry;send;lock;check 40\n");
	g_assert_nonnull(
		strstr(callgrind, "\nevents: Instructions Nanoseconds\nsummary: 1900 1350\n"));
	g_assert_nonnull(strstr(callgrind, "\nfn=send\n0 1000 500\n"
	                                   "cfi=lib/smp_processor_id.c\ncfn=check\ncalls=20 0\n"
	                                   "0 120 60\n"
	                                   "cfi=kernel/locking/spinlock.c\ncfn=lock\ncalls=20 0\n"
	                                   "0 280 540\n"));
	g_assert_null(profile_nanoseconds(profile, NULL));
}

/* Fractions are not lost, however small each is: 6 nodes' 1900 instructions of 0.001 ns are 2 ns.
 */
static void test_small_times(void)
{
	g_autoptr(profile_t) profile = fixture_with_events(fixture_other());
	g_autoptr(cpu_model_t) core = fixture_core();
	g_autofree guint64 *ns = NULL;
	guint64 sum = 0;

	core->cycles[TIME_INSTRUCTIONS] = 0.001;
	core->cycles[TIME_LOCKED] = 0;
	ns = profile_nanoseconds(profile, core);
	for (guint i = 0; i < profile->nodes->len; i++)
		sum += ns[i];
	g_assert_cmpuint(sum, ==, 2);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/profile-events/old-text", test_old_text);
	g_test_add_func("/profile-events/events-text", test_events_text);
	g_test_add_func("/profile-events/merge-events", test_merge_events);
	g_test_add_func("/profile-events/time-files", test_time_files);
	g_test_add_func("/profile-events/small-times", test_small_times);
	return g_test_run();
}
