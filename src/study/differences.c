/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/differences.h"

#include <string.h>

enum { SHOWN_NAMES = 8 };

static gboolean is_set_by(const struct wanted *wanted, const char *name)
{
	for (guint i = 0; i < wanted->settings->len; i++)
		if (!strcmp(((const option_t *)wanted->settings->pdata[i])->name, name))
			return TRUE;
	return FALSE;
}

/* What the compiler and its tools say of themselves is no configuration: it has its own note. */
static gboolean is_of_tools(const char *name)
{
	static const char *const names[] = {
		"CC_VERSION_TEXT", "GCC_VERSION",        "CLANG_VERSION",  "AS_VERSION",
		"LD_VERSION",      "LLD_VERSION",        "PAHOLE_VERSION", "RUSTC_VERSION_TEXT",
		"RUSTC_VERSION",   "RUSTC_LLVM_VERSION",
	};

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		if (!strcmp(names[i], name))
			return TRUE;
	return FALSE;
}

static void note_config(const struct wanted *base, const struct wanted *other, GPtrArray *notes)
{
	g_autoptr(GPtrArray) changes = config_file_diff(base->config, other->config);
	g_autoptr(GString) names = g_string_new(NULL);
	guint count = 0;

	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];

		if (is_set_by(base, change->name) || is_set_by(other, change->name) ||
		    is_of_tools(change->name))
			continue;
		if (count++ < SHOWN_NAMES)
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", change->name);
	}
	if (!count)
		return;
	if (count > SHOWN_NAMES)
		g_string_append_printf(names, " and %u more", count - SHOWN_NAMES);
	g_ptr_array_add(notes, g_strdup_printf("%s and %s differ in %u configuration option%s that "
	                                       "nobody set: %s",
	                                       base->label, other->label, count,
	                                       count == 1 ? "" : "s", names->str));
}

static const char *or_unknown(const char *text)
{
	return text ? text : "not known";
}

static void note_compiler(const struct wanted *base, const struct wanted *other, GPtrArray *notes)
{
	const char *one = base->kernel->compiler, *two = other->kernel->compiler;

	if (one && !g_strcmp0(one, two))
		return;
	g_ptr_array_add(
		notes,
		g_strdup_printf("%s: %s has %s, %s has %s",
	                        one && two ? "The compilers differ" : "The compilers may differ",
	                        base->label, or_unknown(one), other->label, or_unknown(two)));
}

static gboolean same_boot(const struct wanted *base, const struct wanted *other)
{
	return !strcmp(base->kernel->image_sha256, other->kernel->image_sha256) &&
	       !g_strcmp0(base->variant->cmdline, other->variant->cmdline);
}

static void note_pair(const struct wanted *base, const struct wanted *other, GPtrArray *notes)
{
	gboolean named = base->variant->config || other->variant->config;

	if (same_boot(base, other)) {
		g_ptr_array_add(notes,
		                g_strdup_printf("%s and %s are the same kernel image, booted "
		                                "alike: each boot is made once",
		                                base->label, other->label));
		return;
	}
	note_compiler(base, other, notes);
	if (!base->config || !other->config)
		g_ptr_array_add(
			notes, g_strdup_printf("The configuration of %s is not known, so what else "
		                               "differs cannot be said",
		                               base->config ? other->label : base->label));
	else if (!named)
		note_config(base, other, notes);
}

void differences_note(const GPtrArray *wanted, GPtrArray *notes)
{
	for (guint i = 1; i < wanted->len; i++)
		if (wanted->pdata[0] && wanted->pdata[i])
			note_pair(wanted->pdata[0], wanted->pdata[i], notes);
}
