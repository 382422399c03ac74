/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/warnings.h"

#include <string.h>

#include "bench/cgroup.h"

/* Tasks that run besides, for each processor, above which a machine is not quiet. */
static const double quiet_load = 0.1;

/* A file's text without its last newline, or NULL. */
static char *read_text(const char *root, const char *path)
{
	g_autofree char *full = g_strconcat(root, path, NULL);
	char *text = NULL;

	if (!g_file_get_contents(full, &text, NULL, NULL))
		return NULL;
	return g_strchomp(text);
}

static gboolean text_is(const char *root, const char *path, const char *expected)
{
	g_autofree char *text = read_text(root, path);

	return g_strcmp0(text, expected) == 0;
}

/* Calls @is for each directory cpuN, until it is TRUE. @count: how many there are. */
static gboolean any_processor(const char *root, gboolean (*is)(const char *root, const char *cpu),
                              guint *count)
{
	g_autofree char *path = g_strconcat(root, "/sys/devices/system/cpu", NULL);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *name;
	gboolean found = FALSE;

	while (dir && (name = g_dir_read_name(dir))) {
		if (!g_str_has_prefix(name, "cpu") || !g_ascii_isdigit(name[3]))
			continue;
		found = found || (is && is(root, name));
		*count += 1;
	}
	return found;
}

static gboolean has_other_governor(const char *root, const char *cpu)
{
	g_autofree char *path =
		g_strdup_printf("/sys/devices/system/cpu/%s/cpufreq/scaling_governor", cpu);
	g_autofree char *governor = read_text(root, path);

	return governor && strcmp(governor, "performance");
}

static gboolean governor_varies(const char *root)
{
	guint count = 0;

	return any_processor(root, has_other_governor, &count);
}

/* Documentation/admin-guide/pm/intel_pstate.rst and cpufreq.rst of the kernel. */
static gboolean turbo_is_on(const char *root)
{
	return text_is(root, "/sys/devices/system/cpu/intel_pstate/no_turbo", "0") ||
	       text_is(root, "/sys/devices/system/cpu/cpufreq/boost", "1");
}

static gboolean smt_is_on(const char *root)
{
	return text_is(root, "/sys/devices/system/cpu/smt/active", "1");
}

static gboolean others_run(const char *root)
{
	g_autofree char *load = read_text(root, "/proc/loadavg");
	guint count = 0;

	any_processor(root, NULL, &count);
	return load && g_ascii_strtod(load, NULL) > quiet_load * MAX(count, 1);
}

static gboolean is_unlimited(const char *group, const char *text, void *data)
{
	return g_str_has_prefix(text, "max");
}

static gboolean quota_is_set(const char *root)
{
	return !cgroup_walk(root, "cpu.max", is_unlimited, NULL);
}

static gboolean cgroup_is_root(const char *root)
{
	g_autofree char *group = cgroup_own(root);

	return g_strcmp0(group, "/") == 0;
}

static const struct {
	gboolean (*holds)(const char *root);
	const char *text, *advice;
} warnings[] = {
	[WARNING_GOVERNOR] = { governor_varies, "the processors' frequency follows their load",
	                       "cpupower frequency-set -g performance" },
	[WARNING_TURBO] = { turbo_is_on,
	                    "turbo is on: the frequency depends on temperature and neighbours",
	                    "write 1 to /sys/devices/system/cpu/intel_pstate/no_turbo, or 0 to "
	                    "/sys/devices/system/cpu/cpufreq/boost" },
	[WARNING_SMT] = { smt_is_on, "two processors share a core (SMT)",
	                  "write off to /sys/devices/system/cpu/smt/control" },
	[WARNING_LOAD] = { others_run, "other tasks are running",
	                   "wait until the load average in /proc/loadavg is near 0" },
	[WARNING_QUOTA] = { quota_is_set,
	                    "this control group's processor time is limited (cpu.max)",
	                    "run it from a shell of another group" },
	[WARNING_CGROUP] = { cgroup_is_root,
	                     "in the root control group the kernel's memory is not charged, which "
	                     "the exact machine's is",
	                     "systemd-run --user --scope kcost bench ..." },
};

_Static_assert(G_N_ELEMENTS(warnings) == WARNING_COUNT, "a text for each warning");

const char *bench_warning_text(enum bench_warning warning)
{
	return warnings[warning].text;
}

const char *bench_warning_advice(enum bench_warning warning)
{
	return warnings[warning].advice;
}

guint bench_warnings(const char *root)
{
	guint found = 0;

	for (guint i = 0; i < WARNING_COUNT; i++)
		if (warnings[i].holds(root))
			found |= 1u << i;
	return found;
}
