/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "base/process.h"
#include "machine/console.h"
#include "machine/counts.h"
#include "machine/initramfs.h"
#include "machine/machine.h"

/* The exact machine: QEMU's interpreter with icount, where one guest instruction is one nanosecond
 * of the guest's clock and nothing of the host's time is seen. One processor only: with two,
 * icount would have to order their instructions by the host's scheduling. */

#define EMULATOR "qemu-system-x86_64"
#define COUNTS "counts"                 /* a file of a program's run */
#define CPU_MODEL "max,-rdrand,-rdseed" /* those two would bring the host's randomness in */
/* loglevel=5: warnings reach the console, and so this program; reboot=t: without ACPI a reboot
 * must be a triple fault for QEMU to end; tsc_early_khz: one tick is one instruction, so nothing is
 * left to calibrate. */
#define CMDLINE                                                                                  \
	"console=ttyS0 loglevel=5 oops=panic panic=-1 reboot=t nokaslr norandmaps tsc=reliable " \
	"clocksource=tsc tsc_early_khz=1000000"
/* Calibrating the local APIC's timer spins for 0.2 virtual seconds, which would be more than half
 * of the boot (measured: 386 million instructions with it, 170 million without) and 8 of 9 real
 * seconds. The tick comes from the PIT instead. */
#define WITHOUT_ACPI " nolapic_timer no_timer_check"
/* To a kernel with ACPI this machine is one of "reduced hardware": it has no PIT, and without the
 * local APIC's timer nothing would ever wake it. */
#define WITH_ACPI " no_timer_check"

enum {
	DEFAULT_MEMORY_MIB = 1024,
	CONSOLE_LINES = 12,  /* of the console in an error */
	IDLE_SECONDS = 60,   /* of real time in which QEMU did nothing at all */
	START_SECONDS = 120, /* of processor time, for a boot that says nothing yet */
	SLOWEST = 10,        /* processor seconds that a guest's second may take (usual: 4) */
};

/* What is watched while QEMU runs. */
struct watch {
	const char *console, *results;
	gint64 heard;         /* bytes of both when the guest last spoke */
	double heard_cpu;     /* QEMU's processor seconds then */
	gint64 heard_time;    /* real microseconds then */
	double idle_cpu;      /* processor seconds when idleness was last ruled out */
	gint64 idle_time;     /* real microseconds then */
	double stall_seconds; /* of processor time without a word, once init has spoken */
	guint waiting;        /* looks in a row at which it could run, but may not have */
	const char *hang;     /* what kind of hang ended it, or NULL */
};

static gint64 file_size(const char *path)
{
	struct stat status;

	return stat(path, &status) ? 0 : status.st_size;
}

/* User and system seconds of a process: fields 14 and 15 of /proc/PID/stat, proc(5). */
static double cpu_seconds(GPid pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/stat", (int)pid);
	g_autofree char *text = NULL;
	unsigned long user = 0, system = 0;
	const char *rest;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		return 0;
	rest = strrchr(text, ')');
	if (!rest || sscanf(rest + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user,
	                    &system) != 2)
		return 0;
	return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* TRUE if a thread of the process runs or waits for a processor: state R in
 * /proc/PID/task/TID/stat, proc(5). */
static gboolean can_run(GPid pid)
{
	g_autofree char *path = g_strdup_printf("/proc/%d/task", (int)pid);
	g_autoptr(GDir) dir = g_dir_open(path, 0, NULL);
	const char *thread;

	while (dir && (thread = g_dir_read_name(dir))) {
		g_autofree char *file = g_build_filename(path, thread, "stat", NULL);
		g_autofree char *text = NULL;
		const char *rest;

		if (!g_file_get_contents(file, &text, NULL, NULL))
			continue;
		rest = strrchr(text, ')');
		if (rest && g_str_has_prefix(rest, ") R"))
			return TRUE;
	}
	return FALSE;
}

/* Progress is judged by QEMU's own processor time, so that a loaded host is no hang. */
static gboolean watch_guest(GPid pid, void *data)
{
	struct watch *watch = data;
	gint64 spoken = file_size(watch->console) + file_size(watch->results);
	gint64 now = g_get_monotonic_time();
	double cpu = cpu_seconds(pid);
	double patience = file_size(watch->results) ? watch->stall_seconds : START_SECONDS;

	if (spoken != watch->heard || !watch->heard_time) {
		watch->heard = spoken;
		watch->heard_cpu = cpu;
		watch->heard_time = now;
	}
	/* On a host that has no time for it QEMU gets nowhere, but it is not idle. One that sleeps
	 * wakes now and then for a moment, but not at two looks in a row. */
	watch->waiting = can_run(pid) ? watch->waiting + 1 : 0;
	if (cpu - watch->idle_cpu > 0.5 || watch->waiting >= 2 || !watch->idle_time) {
		watch->idle_cpu = cpu;
		watch->idle_time = now;
	}
	if (cpu - watch->heard_cpu > patience)
		watch->hang = "it computed on and on without a word";
	else if ((now - watch->idle_time) * 1e-6 > IDLE_SECONDS)
		watch->hang = "it stood still: no timer was left to wake it, or QEMU was stopped";
	return watch->hang == NULL;
}

/* QEMU's option syntax: a comma in a value is doubled. */
static char *escape_commas(const char *path)
{
	g_auto(GStrv) parts = g_strsplit(path, ",", -1);

	return g_strjoinv(",,", parts);
}

/* The arguments that make the machine what it is; the seed and the files come on top. */
static GPtrArray *machine_arguments(guint memory_mib)
{
	static const char *const fixed[] = {
		EMULATOR,
		"-accel",
		"tcg",
		"-M",
		"microvm,x-option-roms=on",
		"-cpu",
		CPU_MODEL,
		"-smp",
		"1",
		"-nodefaults",
		"-no-user-config",
		"-display",
		"none",
		"-no-reboot",
		"-icount",
		"shift=0,sleep=off",
		"-rtc",
		"base=2020-01-01,clock=vm",
	};
	GPtrArray *arguments = g_ptr_array_new_with_free_func(g_free);

	for (gsize i = 0; i < G_N_ELEMENTS(fixed); i++)
		g_ptr_array_add(arguments, g_strdup(fixed[i]));
	g_ptr_array_add(arguments, g_strdup("-m"));
	g_ptr_array_add(arguments, g_strdup_printf("%u", memory_mib));
	return arguments;
}

static void add_option(GPtrArray *arguments, const char *option, char *value)
{
	g_ptr_array_add(arguments, g_strdup(option));
	g_ptr_array_add(arguments, value);
}

static char *full_cmdline(const struct machine_job *job)
{
	const char *extra = job->extra_cmdline && *job->extra_cmdline ? job->extra_cmdline : NULL;

	return g_strconcat(CMDLINE, job->acpi ? WITH_ACPI : WITHOUT_ACPI, extra ? " " : NULL, extra,
	                   NULL);
}

/* The plugin interface of QEMU 7.2 reads no memory; a memfd can be read beside it. */
static void add_plugins(GPtrArray *arguments, const struct machine_job *job, const char *counter,
                        const char *dir)
{
	g_autofree char *out = g_build_filename(dir, COUNTS, NULL);

	if (job->plugin)
		add_option(arguments, "-plugin", g_strdup(job->plugin));
	if (counter)
		add_option(arguments, "-plugin", counts_argument(counter, out, job->fault_entry));
	add_option(arguments, "-machine", g_strdup("memory-backend=ram"));
	add_option(arguments, "-object",
	           g_strdup_printf("memory-backend-memfd,id=ram,size=%uM", job->plan->memory_mib));
}

/* @counter: the plugin's file, or NULL. */
static char **run_arguments(const struct machine_job *job, const char *counter, const char *dir)
{
	GPtrArray *arguments = machine_arguments(job->plan->memory_mib);
	g_autofree char *place = escape_commas(dir);

	add_option(arguments, "-seed", g_strdup_printf("%" G_GUINT64_FORMAT, job->plan->seed));
	add_option(arguments, "-kernel", g_strdup(job->bzimage));
	add_option(arguments, "-initrd", g_strdup_printf("%s/initramfs", dir));
	add_option(arguments, "-append", full_cmdline(job));
	add_option(arguments, "-serial", g_strdup_printf("file:%s/console", place));
	/* microvm has one serial port of its own; the second is the result channel. */
	add_option(arguments, "-chardev",
	           g_strdup_printf("file,id=results,path=%s/results", place));
	add_option(arguments, "-device", g_strdup("isa-serial,chardev=results"));
	if (job->plugin || counter)
		add_plugins(arguments, job, counter, dir);
	g_ptr_array_add(arguments, NULL);
	return (char **)g_ptr_array_free(arguments, FALSE);
}

static char *read_text(const char *path)
{
	char *text = NULL;
	gsize length = 0;

	if (!g_file_get_contents(path, &text, &length, NULL))
		return g_strdup("");
	for (gsize i = 0; i < length; i++)
		if (!text[i])
			text[i] = '?';
	return text;
}

/* The guest calls every program of the user's by one name. Owned. */
static char *guest_error(const struct machine_job *job, const char *text)
{
	static const char prefix[] = "workload program: ";

	if (job->program && g_str_has_prefix(text, prefix))
		return g_strdup_printf("the guest reports of %s: %s", job->program->name,
		                       text + strlen(prefix));
	return g_strdup_printf("the guest reports: %s", text);
}

/* Why this boot gives no samples, or NULL if it was sound. Owned. */
static char *find_fault(const struct machine_job *job, const struct watch *watch,
                        const process_result_t *qemu, const console_summary_t *console,
                        const plan_results_t *results)
{
	if (console->death)
		return g_strdup_printf("the kernel died: %s", console->death);
	if (watch->hang)
		return g_strdup_printf("the guest hung: %s", watch->hang);
	if (qemu->end == PROCESS_SIGNALED)
		return g_strdup_printf("QEMU was killed by signal %d (%s)", qemu->status,
		                       g_strsignal(qemu->status));
	if (qemu->status != 0)
		return g_strdup_printf("QEMU ended with status %d", qemu->status);
	if (results->error)
		return guest_error(job, results->error);
	if (!results->boot)
		return g_strdup("the machine ended before init said a word");
	if (!results->complete)
		return g_strdup("the machine ended in the middle of its plan");
	return NULL;
}

static gboolean report_fault(const struct machine_job *job, const char *fault, const char *dir,
                             GError **error)
{
	g_autofree char *console = g_build_filename(dir, "console", NULL);
	g_autofree char *emulator = g_build_filename(dir, "qemu.log", NULL);
	g_autofree char *console_tail = paths_tail(console, CONSOLE_LINES);
	g_autofree char *emulator_tail = paths_tail(emulator, 3);

	return error_set(error, KCOST_ERROR_KERNEL,
	                 "no samples from the kernel with %s (seed %" G_GUINT64_FORMAT "): %s%s%s\n"
	                 "the console's last lines:\n%s",
	                 job->label, job->plan->seed, fault, *emulator_tail ? "\nQEMU says: " : "",
	                 emulator_tail, *console_tail ? console_tail : "(it printed nothing)");
}

/* What is wrong with the counts, or NULL. Owned. */
static char *read_counts(const char *dir, GArray *samples)
{
	g_autofree char *path = g_build_filename(dir, COUNTS, NULL);
	g_autofree char *text = read_text(path);
	g_autoptr(GError) error = NULL;

	return counts_read(text, samples, &error) ? NULL : g_strdup(error->message);
}

/* Tells a sound boot from all others. */
static gboolean judge(const struct machine_job *job, const char *dir, const struct watch *watch,
                      const process_result_t *qemu, machine_boot_t *boot, GError **error)
{
	g_autofree char *console_text = read_text(watch->console);
	g_autofree char *results_text = read_text(watch->results);
	g_auto(console_summary_t) console = { 0 };
	g_autofree char *fault = NULL;
	g_autoptr(GError) unreadable = NULL;
	gboolean read = plan_results_parse(results_text, strlen(results_text), job->plan,
	                                   &boot->results, &unreadable);

	console_summarise(console_text, &console);
	fault = find_fault(job, watch, qemu, &console, &boot->results);
	if (!fault && !read)
		fault = g_strdup(unreadable->message);
	if (!fault && job->program)
		fault = read_counts(dir, boot->results.samples);
	if (fault)
		return report_fault(job, fault, dir, error);
	boot->warnings = console.warnings;
	boot->first_warning = g_steal_pointer(&console.first_warning);
	boot->console = g_steal_pointer(&console_text);
	boot->seconds = qemu->seconds;
	return TRUE;
}

static gboolean prepare(const struct machine_job *job, const char *dir, GError **error)
{
	g_autofree char *guest = paths_guest_binary(error);
	g_autofree char *initramfs = g_build_filename(dir, "initramfs", NULL);
	g_autofree char *plan = plan_text(job->plan);

	const char *more = job->program ? job->program->archive : NULL;

	return guest && initramfs_write(initramfs, guest, plan, job->module, more, error);
}

static gboolean exact_run(const struct machine_job *job, GCancellable *cancellable,
                          machine_boot_t *boot, GError **error)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(error);
	g_autofree char *console = NULL, *results = NULL, *log = NULL, *counter = NULL;
	g_auto(GStrv) arguments = NULL;
	g_auto(process_result_t) qemu = { 0 };

	*boot = (machine_boot_t){ 0 };
	if (!dir || !prepare(job, dir, error))
		return FALSE;
	if (job->program && !(counter = paths_count_plugin(error)))
		return FALSE;
	console = g_build_filename(dir, "console", NULL);
	results = g_build_filename(dir, "results", NULL);
	log = g_build_filename(dir, "qemu.log", NULL);
	arguments = run_arguments(job, counter, dir);
	{
		struct watch watch = {
			.console = console,
			.results = results,
			.stall_seconds = START_SECONDS + SLOWEST * job->plan->limit_seconds,
		};
		struct process_spec spec = {
			.argv = (const char *const *)arguments,
			.log = log,
			.watch = watch_guest,
			.watch_data = &watch,
		};

		if (!process_run(&spec, cancellable, &qemu, error))
			return FALSE;
		if (judge(job, dir, &watch, &qemu, boot, error))
			return TRUE;
	}
	machine_boot_clear(boot);
	return FALSE;
}

static gboolean exact_describe(GCancellable *cancellable, machine_provenance_t *provenance,
                               GError **error)
{
	const char *argv[] = { EMULATOR, "--version", NULL };
	g_autoptr(GPtrArray) arguments = machine_arguments(DEFAULT_MEMORY_MIB);
	g_autofree char *version = process_capture(argv, cancellable, error);
	g_autofree char *guest = version ? paths_guest_binary(error) : NULL;

	*provenance = (machine_provenance_t){ 0 };
	if (!guest)
		return FALSE;
	provenance->guest_sha256 = paths_sha256(guest, error);
	if (!provenance->guest_sha256)
		return FALSE;
	g_ptr_array_add(arguments, NULL);
	provenance->emulator = g_strndup(version, strcspn(version, "\n"));
	provenance->arguments = g_strjoinv(" ", (char **)arguments->pdata);
	provenance->cpu_model = g_strdup(CPU_MODEL);
	provenance->cmdline = g_strdup(CMDLINE WITHOUT_ACPI);
	return TRUE;
}

static const char *const exact_needs[] = {
	"64BIT", "PRINTK",      "BLK_DEV_INITRD",      "BINFMT_ELF",
	"TTY",   "SERIAL_8250", "SERIAL_8250_CONSOLE", "PROC_FS",
	"SYSFS", "DEVTMPFS",    "X86_MPPARSE|ACPI",    NULL,
};

const struct machine machine_exact = {
	.name = "exact",
	.summary = "QEMU, one virtual processor, time counted in guest instructions",
	.unit = "instructions",
	.run = exact_run,
	.describe = exact_describe,
	.needs = exact_needs,
};
