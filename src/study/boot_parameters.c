/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/boot_parameters.h"

#include <string.h>

#include "base/error.h"

#define UNKNOWN "boot parameter unknown: "
#define NOT_SHOWN "boot parameter not shown: "

/* The names of the parameters in @cmdline, split as the kernel does: at blanks outside of double
 * quotes, up to the '='. Owned by the caller. */
static GPtrArray *parameter_names(const char *cmdline)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	gboolean quoted = FALSE;
	const char *start = cmdline;

	for (const char *c = cmdline;; c++) {
		quoted ^= *c == '"';
		if (*c && (quoted || !g_ascii_isspace(*c)))
			continue;
		if (c > start)
			g_ptr_array_add(names, g_strndup(start, MIN(strcspn(start, "="),
			                                            (gsize)(c - start))));
		if (!*c)
			return names;
		start = c + 1;
	}
}

/* The kernel takes '-' and '_' in a name for the same. */
static gboolean same_name(const char *a, const char *b, gsize length)
{
	if (strlen(a) != length)
		return FALSE;
	for (gsize i = 0; i < length; i++)
		if (a[i] != b[i] && (!strchr("-_", a[i]) || !strchr("-_", b[i])))
			return FALSE;
	return TRUE;
}

/* The name in @names that @word, "NAME" or "NAME=VALUE", is about; or NULL. */
static const char *find_name(const GPtrArray *names, const char *word)
{
	for (guint i = 0; i < names->len; i++)
		if (same_name(names->pdata[i], word, strcspn(word, "=")))
			return names->pdata[i];
	return NULL;
}

/* Those that the kernel finds in its command line by itself (cmdline_find_option() in
 * arch/x86/kernel and mm of 6.1 and 6.12), without telling the parser, which then hands them to
 * init as unknown. */
static gboolean is_searched(const char *name)
{
	static const char *const searched[] = {
		"pti",
		"nopti",
		"spectre_v2",
		"nospectre_v2",
		"spectre_v2_user",
		"spec_store_bypass_disable",
		"nospec_store_bypass_disable",
		"clearcpuid",
		"no387",
		"nofxsr",
		"noxsave",
		"noxsaveopt",
		"noxsaves",
		"split_lock_detect",
		"tsx",
		"fred",
		"nousershstk",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(searched); i++)
		if (!strcmp(name, searched[i]))
			return TRUE;
	return FALSE;
}

static gboolean check_known(const char *label, const GPtrArray *names, const machine_boot_t *boot,
                            GError **error)
{
	for (guint i = 0; i < boot->results.notes->len; i++) {
		const char *note = boot->results.notes->pdata[i], *name;

		if (!g_str_has_prefix(note, UNKNOWN))
			continue;
		name = find_name(names, note + strlen(UNKNOWN));
		if (!name || is_searched(name))
			continue;
		return error_set(
			error, KCOST_ERROR_USAGE,
			"the kernel with %s does not know the boot parameter %s and ignored "
			"it, so it has no cost; look for its spelling in the tree's "
			"Documentation/admin-guide/kernel-parameters.txt, and for the option "
			"that it needs",
			label, note + strlen(UNKNOWN));
	}
	return TRUE;
}

/* What the kernel's parser prints of a value that it cannot use (kernel/params.c, init/main.c). */
static const char *complaint(const char *line)
{
	static const char *const parts[] = { "' invalid for parameter `",
		                             "' too large for parameter `",
		                             "Malformed early option '" };

	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
		const char *found = strstr(line, parts[i]);

		if (found)
			return found + strlen(parts[i]);
	}
	return NULL;
}

static gboolean check_values(const char *label, const GPtrArray *names, const machine_boot_t *boot,
                             GError **error)
{
	g_auto(GStrv) lines = g_strsplit(boot->console ? boot->console : "", "\n", -1);

	for (char **line = lines; *line; line++) {
		const char *about = complaint(*line);
		g_autofree char *name = about ? g_strndup(about, strcspn(about, "'")) : NULL;

		if (name && find_name(names, name))
			return error_set(error, KCOST_ERROR_USAGE,
			                 "the kernel with %s cannot use the value of its boot "
			                 "parameter %s and ignored it; it says: %s",
			                 label, name, g_strchomp(*line));
	}
	return TRUE;
}

gboolean boot_parameters_check(const char *label, const char *cmdline, const machine_boot_t *boot,
                               GError **error)
{
	g_autoptr(GPtrArray) names = parameter_names(cmdline ? cmdline : "");

	return !names->len ||
	       (check_known(label, names, boot, error) && check_values(label, names, boot, error));
}

/* What @note says of a parameter in @names that may have been ignored; or NULL. Owned by the
 * caller.
 */
static char *doubt(const char *note, const GPtrArray *names)
{
	const char *word = note + strlen(NOT_SHOWN), *name;

	if (g_str_has_prefix(note, NOT_SHOWN) && find_name(names, word))
		return g_strdup_printf(
			"The boot parameter %s is not in the kernel's /sys/module: it "
			"may be unknown, and then it costs nothing",
			word);
	if (!g_str_has_prefix(note, UNKNOWN))
		return NULL;
	word = note + strlen(UNKNOWN);
	name = find_name(names, word);
	if (name && is_searched(name))
		return g_strdup_printf(
			"The boot parameter %s is one that a kernel reads without a trace: it may "
			"be "
			"unknown, or not have to do with this processor, and then it costs nothing",
			word);
	return NULL;
}

void boot_parameters_note(const char *cmdline, const machine_boot_t *boot, GPtrArray *notes)
{
	g_autoptr(GPtrArray) names = parameter_names(cmdline ? cmdline : "");

	for (guint i = 0; i < boot->results.notes->len; i++) {
		g_autofree char *text = doubt(boot->results.notes->pdata[i], names);

		if (text && !g_ptr_array_find_with_equal_func(notes, text, g_str_equal, NULL))
			g_ptr_array_add(notes, g_steal_pointer(&text));
	}
}
