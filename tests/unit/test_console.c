/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is read off a kernel's console. The lines are as the kernel prints them (kernel/panic.c,
 * arch/x86/mm/fault.c, lib/smp_processor_id.c of Linux 6.1). */
#include "machine/console.h"

static const struct {
	const char *text;
	guint warnings;
	const char *first_warning, *death;
} consoles[] = {
	{ "", 0, NULL, NULL },
	{ "Linux version 6.1\nreboot: machine restart\n", 0, NULL, NULL },
	{ "WARNING: CPU: 0 PID: 1 at mm/slub.c:42 foo+0x1/0x20\n", 1,
	  "WARNING: CPU: 0 PID: 1 at mm/slub.c:42 foo+0x1/0x20", NULL },
	{ "[    0.123456] WARNING: a\r\n[    0.2][    T1] BUG: b\r\n", 2, "WARNING: a", NULL },
	{ "<4>[    1.000000] BUG: using smp_processor_id() in preemptible [00000000] code: x/1\n",
	  1, "BUG: using smp_processor_id() in preemptible [00000000] code: x/1", NULL },
	/* Only at the start of a message: a program may print the word. */
	{ "init: no WARNING: here\n", 0, NULL, NULL },
	{ "[    2.0] Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000000\n", 0,
	  NULL, "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00000000" },
	/* The first of a death's lines is the cause. */
	{ "BUG: kernel NULL pointer dereference, address: 0000000000000000\n"
	  "Oops: 0000 [#1] PREEMPT SMP\nKernel panic - not syncing: Fatal exception\n",
	  0, NULL, "BUG: kernel NULL pointer dereference, address: 0000000000000000" },
	{ "general protection fault, probably for non-canonical address: 0000 [#1]\n", 0, NULL,
	  "general protection fault, probably for non-canonical address: 0000 [#1]" },
	/* A last line that was cut off counts. */
	{ "WARNING: cut of", 1, "WARNING: cut of", NULL },
};

static void test_summarise(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(consoles); i++) {
		g_auto(console_summary_t) summary = { 0 };

		g_test_message("%s", consoles[i].text);
		console_summarise(consoles[i].text, &summary);
		g_assert_cmpuint(summary.warnings, ==, consoles[i].warnings);
		g_assert_cmpstr(summary.first_warning, ==, consoles[i].first_warning);
		g_assert_cmpstr(summary.death, ==, consoles[i].death);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/console/summarise", test_summarise);
	return g_test_run();
}
