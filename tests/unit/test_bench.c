/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <glib/gstdio.h>

#include "base/error.h"
#include "base/paths.h"
#include "bench/cgroup.h"
#include "bench/native.h"
#include "bench/warnings.h"

static const struct native_sample *sample_at(const GArray *samples, guint i)
{
	return &g_array_index(samples, struct native_sample, i);
}

/* 2,000,000 ns less 500,000 are 1.5 ms; never below zero. */
static void test_parse(void)
{
	g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(struct native_sample));
	g_autoptr(GError) error = NULL;

	g_assert_true(native_parse("overhead 500000\nsample 2000000 7\nsample 400000 8\n", 2,
	                           samples, &error));
	g_assert_no_error(error);
	g_assert_cmpfloat_with_epsilon(sample_at(samples, 0)->seconds, 0.0015, 1e-12);
	g_assert_cmpuint(sample_at(samples, 0)->operations, ==, 7);
	g_assert_cmpfloat(sample_at(samples, 1)->seconds, ==, 0);
}

static void test_parse_faults(void)
{
	static const struct {
		const char *output;
		const char *error;
	} cases[] = {
		{ "error starting task 3 of 40: no more\n", "starting task 3 of 40: no more" },
		{ "sample 1 1\n", "*gave 1 samples instead of 2*" },
		{ "", "*gave 0 samples instead of 2*" },
		{ "sample 1 1\nsample x 1\n", "*'sample x 1' is no line*" },
		{ "sample 1 1\nsample -1 1\n", "*'sample -1 1' is no line*" },
		{ "hello\n", "*'hello' is no line*" },
		{ "overhead 1 2 3\n", "*is no line*" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(struct native_sample));
		g_autoptr(GError) error = NULL;

		g_test_message("%s", cases[i].output);
		g_assert_false(native_parse(cases[i].output, 2, samples, &error));
		g_assert_true(error_is(error, KCOST_ERROR_MISSING));
		g_assert_true(g_pattern_match_simple(cases[i].error, error->message));
	}
}

/* ---- a machine of files ---- */

static void put(const char *root, const char *path, const char *text)
{
	g_autofree char *full = g_strconcat(root, path, NULL);
	g_autofree char *dir = g_path_get_dirname(full);

	g_assert_cmpint(g_mkdir_with_parents(dir, 0700), ==, 0);
	g_assert_true(g_file_set_contents(full, text, -1, NULL));
}

/* Two processors and nothing to complain of. */
static char *quiet_machine(void)
{
	char *root = paths_make_temporary(NULL);

	g_assert_nonnull(root);
	put(root, "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
	put(root, "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "performance\n");
	put(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
	put(root, "/sys/devices/system/cpu/smt/active", "0\n");
	put(root, "/proc/loadavg", "0.05 0.10 0.20 1/100 4711\n");
	put(root, "/proc/self/cgroup", "0::/user.slice/me.scope\n");
	put(root, "/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n");
	put(root, "/sys/fs/cgroup/user.slice/me.scope/cpu.max", "max 100000\n");
	return root;
}

static void test_warnings(void)
{
	static const struct {
		const char *path;
		const char *text;
		guint expected;
	} cases[] = {
		{ "/proc/uptime", "1 2\n", 0 },
		{ "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n",
		  1 << WARNING_GOVERNOR },
		{ "/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", 1 << WARNING_TURBO },
		{ "/sys/devices/system/cpu/cpufreq/boost", "1\n", 1 << WARNING_TURBO },
		{ "/sys/devices/system/cpu/smt/active", "1\n", 1 << WARNING_SMT },
		{ "/proc/loadavg", "0.19 0 0 1/100 4711\n", 0 },
		{ "/proc/loadavg", "0.21 0 0 1/100 4711\n", 1 << WARNING_LOAD },
		{ "/sys/fs/cgroup/user.slice/cpu.max", "50000 100000\n", 1 << WARNING_QUOTA },
		{ "/proc/self/cgroup", "0::/\n", 1 << WARNING_CGROUP },
		{ "/proc/self/cgroup", "4:memory:/x\n", 0 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(temporary_dir_t) root = quiet_machine();

		g_test_message("%s: %s", cases[i].path, cases[i].text);
		put(root, cases[i].path, cases[i].text);
		g_assert_cmpuint(bench_warnings(root), ==, cases[i].expected);
	}
	g_assert_cmpuint(bench_warnings("/nowhere"), ==, 0);
}

static void test_advice(void)
{
	for (guint i = 0; i < WARNING_COUNT; i++) {
		g_assert_nonnull(bench_warning_text((enum bench_warning)i));
		g_assert_nonnull(bench_warning_advice((enum bench_warning)i));
	}
}

/* A group of at most 100 tasks that has 20 takes 80 more, and a group around it counts too. */
static void test_task_limit(void)
{
	static const struct {
		const char *path, *text;
		guint64 tasks;
		const char *error; /* NULL: there is room */
	} cases[] = {
		{ "user.slice/me.scope/pids.max", "max\n", 1000, NULL },
		{ "user.slice/me.scope/pids.max", "100\n", 80, NULL },
		{ "user.slice/me.scope/pids.max", "100\n", 81,
		  "81 tasks are needed, but the control group /user.slice/me.scope may have 100*" },
		{ "user.slice/pids.max", "60\n", 80, "80 tasks *group /user.slice may have 60*" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(temporary_dir_t) root = quiet_machine();
		g_autofree char *path = g_strconcat("/sys/fs/cgroup/", cases[i].path, NULL);
		g_autoptr(GError) error = NULL;
		gboolean fine;

		put(root, "/sys/fs/cgroup/user.slice/me.scope/pids.current", "20\n");
		put(root, path, cases[i].text);
		fine = cgroup_check_tasks(root, cases[i].tasks, &error);
		g_assert_cmpint(fine, ==, !cases[i].error);
		if (cases[i].error)
			g_assert_true(g_pattern_match_simple(cases[i].error, error->message));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/bench/parse", test_parse);
	g_test_add_func("/bench/parse-faults", test_parse_faults);
	g_test_add_func("/bench/warnings", test_warnings);
	g_test_add_func("/bench/advice", test_advice);
	g_test_add_func("/bench/task-limit", test_task_limit);
	return g_test_run();
}
