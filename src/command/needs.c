/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "command/command.h"

static const struct {
	unsigned int need;
	const char *program;
	const char *package; /* Debian's */
} programs[] = {
	{ NEEDS_KERNEL_BUILD, "make", "make" },
	{ NEEDS_KERNEL_BUILD, "gcc", "gcc" },
	{ NEEDS_KERNEL_BUILD, "ld", "binutils" },
	{ NEEDS_KERNEL_BUILD, "flex", "flex" },
	{ NEEDS_KERNEL_BUILD, "bison", "bison" },
	{ NEEDS_KERNEL_BUILD, "bc", "bc" },
	{ NEEDS_KERNEL_BUILD, "perl", "perl" },
	{ NEEDS_QEMU, "qemu-system-x86_64", "qemu-system-x86" },
};

gboolean command_check_needs(const struct command *command, GError **error)
{
	g_autoptr(GString) missing = g_string_new(NULL);
	g_autoptr(GString) packages = g_string_new(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(programs); i++) {
		g_autofree char *path = NULL;

		if (!(command->needs & programs[i].need))
			continue;
		path = g_find_program_in_path(programs[i].program);
		if (path)
			continue;
		g_string_append_printf(missing, "%s%s", missing->len ? ", " : "",
		                       programs[i].program);
		g_string_append_printf(packages, " %s", programs[i].package);
	}
	if (!missing->len)
		return TRUE;
	return error_set(error, KCOST_ERROR_MISSING,
	                 "kcost %s needs %s, not found in PATH; on Debian: apt install%s",
	                 command->name, missing->str, packages->str);
}
