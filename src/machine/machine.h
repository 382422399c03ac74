/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_MACHINE_MACHINE_H
#define KCOST_MACHINE_MACHINE_H

#include <gio/gio.h>

#include "machine/plan.h"
#include "program/program.h"

/* A machine is a way to run a kernel: it boots one, hands it a plan, and gives back what the guest
 * measured, or why there is nothing to be had from this boot. */

struct machine_job {
	const char *bzimage;
	const char *label;         /* for errors: "DEBUG_PREEMPT=y" */
	const char *extra_cmdline; /* added to the machine's own boot parameters; or NULL */
	const plan_t *plan;
	gboolean acpi;      /* the kernel has ACPI, or it is not known whether it has */
	const char *module; /* a module's file, for the guest's workload "selftest"; or NULL */
	/* The program that the plan's workload "program" runs, or NULL. Its samples are counted by
	 * a plugin of our own; see struct plan_sample. */
	const program_t *program;
	guint64 fault_entry; /* where the kernel's page faults enter it; 0: not known */
	/* What QEMU loads with it, as its -plugin takes it; or NULL. It finds the machine's RAM
	 * under the name of QEMU's memory-backend-memfd. Samples are the same with and without. */
	const char *plugin;
};

/* What a boot that went well gave. */
typedef struct machine_boot {
	plan_results_t results;
	guint warnings;      /* `BUG:` and `WARNING:` lines on the console */
	char *first_warning; /* the first of them, or NULL */
	char *console;       /* all that the kernel printed */
	double seconds;      /* real time */
	char *times; /* what the core model counted (time/time_file.h), if it ran; or NULL */
} machine_boot_t;

void machine_boot_clear(machine_boot_t *boot);

/* What must be recorded so that samples can be had again. Owned by the caller. */
typedef struct machine_provenance {
	char *emulator;  /* "QEMU emulator version 7.2.22 (Debian ...)" */
	char *arguments; /* as run, without the files' places */
	char *cpu_model;
	char *cmdline; /* the kernel's boot parameters */
	char *guest_sha256;
} machine_provenance_t;

void machine_provenance_clear(machine_provenance_t *provenance);

struct machine {
	const char *name;
	const char *summary;
	const char *unit; /* of a sample: "instructions" */
	/* Boots once. Thread-safe. Errors: KCOST_ERROR_KERNEL (panic, oops, hang, a guest that
	 * failed, QEMU that died: says which, with the console's last lines; no sample of such a
	 * boot is given), KCOST_ERROR_MISSING, KCOST_ERROR_INTERRUPTED. */
	gboolean (*run)(const struct machine_job *job, GCancellable *cancellable,
	                machine_boot_t *boot, GError **error);
	gboolean (*describe)(GCancellable *cancellable, machine_provenance_t *provenance,
	                     GError **error);
	/* Kconfig symbols without which a kernel says nothing here, "A|B" where one of them is
	 * enough; NULL-terminated. */
	const char *const *needs;
};

extern const struct machine machine_exact;

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(machine_boot_t, machine_boot_clear)
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(machine_provenance_t, machine_provenance_clear)

#endif
