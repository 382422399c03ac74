/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Which boot parameters a kernel did not take, from what it says: the notes are those of
 * docs/protocol.md, the console's lines those of the kernel's init/main.c and kernel/params.c. */
#include <string.h>

#include "base/error.h"
#include "study/boot_parameters.h"

static void boot_init(machine_boot_t *boot, const char *notes, const char *console)
{
	g_auto(GStrv) lines = g_strsplit(notes, "\n", -1);

	*boot = (machine_boot_t){ .console = g_strdup(console) };
	boot->results.notes = g_ptr_array_new_with_free_func(g_free);
	for (char **line = lines; *line; line++)
		if (**line)
			g_ptr_array_add(boot->results.notes, g_strdup(*line));
}

static void test_check(void)
{
	static const struct {
		const char *cmdline, *notes, *console;
		const char *message; /* NULL: all were taken */
	} rows[] = {
		{ NULL, "", "", NULL },
		{ "init_on_alloc=1", "", "", NULL },
		{ "foo_bar=1", "boot parameter unknown: foo_bar=1", "",
		  "foo_bar=1 and ignored it" },
		{ "foo_bar", "boot parameter unknown: foo_bar", "", "parameter foo_bar and" },
		{ "a=1 foo-bar=\"x y\" b", "boot parameter unknown: foo-bar=x y", "",
		  "foo-bar=x y" },
		{ "foo-bar=1", "boot parameter unknown: foo_bar=1", "", "foo_bar=1" },
		/* The machine's own are not what was asked for. */
		{ "init_on_alloc=1", "boot parameter unknown: nokaslr", "", NULL },
		{ NULL, "boot parameter unknown: nokaslr", "", NULL },
		/* The kernel finds these by itself, and hands them on as unknown. */
		{ "pti=on nopti", "boot parameter unknown: pti=on\nboot parameter unknown: nopti",
		  "", NULL },
		{ "ptis=on", "boot parameter unknown: ptis=on", "", "ptis=on and ignored it" },
		/* A name that only begins alike is another one. */
		{ "nokas=1", "boot parameter unknown: nokaslr", "", NULL },
		{ "nokaslr=1", "boot parameter unknown: nokas", "", NULL },
		{ "init_on_alloc=banana", "",
		  "[    0.0] Malformed early option 'init_on_alloc'\r\n",
		  "cannot use the value of its boot parameter init_on_alloc" },
		{ "page_alloc.shuffle=x", "",
		  "[    0.1] Booting kernel: `x' invalid for parameter `page_alloc.shuffle'\n",
		  "page_alloc.shuffle" },
		{ "a=1", "", "[    0.1] Booting kernel: `x' invalid for parameter `b'\n", NULL },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		g_auto(machine_boot_t) boot = { 0 };

		g_test_message("%s / %s", rows[i].cmdline, rows[i].notes);
		boot_init(&boot, rows[i].notes, rows[i].console);
		if (boot_parameters_check("X", rows[i].cmdline, &boot, &error)) {
			g_assert_null(rows[i].message);
			continue;
		}
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(rows[i].message);
		g_assert_nonnull(strstr(error->message, rows[i].message));
	}
}

static void test_note(void)
{
	g_autoptr(GPtrArray) notes = g_ptr_array_new_with_free_func(g_free);
	g_auto(machine_boot_t) boot = { 0 };

	boot_init(&boot,
	          "boot parameter not shown: slub.frob=1\nboot parameter not shown: other.x=1", "");
	boot_parameters_note("quiet slub.frob=1", &boot, notes);
	boot_parameters_note("quiet slub.frob=1", &boot, notes);
	boot_parameters_note(NULL, &boot, notes);
	g_assert_cmpuint(notes->len, ==, 1);
	g_assert_nonnull(strstr(notes->pdata[0], "slub.frob=1 is not in"));
	machine_boot_clear(&boot);
	boot_init(&boot, "boot parameter unknown: pti=on\nboot parameter unknown: x", "");
	boot_parameters_note("pti=on x", &boot, notes);
	g_assert_cmpuint(notes->len, ==, 2);
	g_assert_nonnull(strstr(notes->pdata[1], "pti=on is one that a kernel reads"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/boot-parameters/check", test_check);
	g_test_add_func("/boot-parameters/note", test_note);
	return g_test_run();
}
