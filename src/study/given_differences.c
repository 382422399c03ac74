/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/given_differences.h"

#include <string.h>

enum { SHOWN_NAMES = 8 };

/* A text of a variant or of the machine it ran on. */
struct part {
	const char *what; /* in the plural */
	gsize offset;
};

static const struct part variant_parts[] = {
	{ "kernels' versions", offsetof(struct report_variant, kernel_version) },
	{ "compilers", offsetof(struct report_variant, compiler) },
};

static const struct part machine_parts[] = {
	{ "versions of QEMU", offsetof(struct report_provenance, qemu_version) },
	{ "QEMU's arguments", offsetof(struct report_provenance, qemu_arguments) },
	{ "CPU models", offsetof(struct report_provenance, cpu_model) },
	{ "machine's boot parameters", offsetof(struct report_provenance, kernel_command_line) },
	{ "guest programs", offsetof(struct report_provenance, guest_sha256) },
	{ "versions of kcost", offsetof(struct report_provenance, kcost_version) },
};

/* Two variants, and where each ran. */
struct pair {
	const struct report_variant *base, *other;
	const struct report_provenance *base_machine, *other_machine;
};

static const char *text_at(const void *object, const struct part *part)
{
	return *(char *const *)(const void *)((const char *)object + part->offset);
}

static const char *or_unknown(const char *text)
{
	return text ? text : "not known";
}

static void note_texts(const struct pair *pair, const char *what, const char *one, const char *two,
                       GPtrArray *notes)
{
	if (!g_strcmp0(one, two))
		return;
	g_ptr_array_add(notes,
	                g_strdup_printf("The %s %s: %s has %s, %s has %s", what,
	                                one && two ? "differ" : "may differ", pair->base->label,
	                                or_unknown(one), pair->other->label, or_unknown(two)));
}

/* The name says more than the hash: it is given where it differs. */
static void note_source(const struct pair *pair, GPtrArray *notes)
{
	const char *one = pair->base->tree_identity, *two = pair->other->tree_identity;

	if (!one || !two || !strcmp(one, two) ||
	    g_strcmp0(pair->base->kernel_version, pair->other->kernel_version))
		return;
	g_ptr_array_add(notes,
	                g_strdup_printf("The sources differ: %s is of %s (%.12s), %s of %s (%.12s)",
	                                pair->base->label, or_unknown(pair->base->tree), one,
	                                pair->other->label, or_unknown(pair->other->tree), two));
}

static void note_cmdline(const struct pair *pair, GPtrArray *notes)
{
	const char *one = pair->base->cmdline, *two = pair->other->cmdline;

	if (g_strcmp0(one, two))
		g_ptr_array_add(notes,
		                g_strdup_printf("The boot parameters differ: %s has %s, %s has %s",
		                                pair->base->label, one ? one : "none",
		                                pair->other->label, two ? two : "none"));
}

static void note_names(const struct pair *pair, GPtrArray *notes)
{
	const GPtrArray *changes = pair->other->config_changes;
	g_autoptr(GString) names = g_string_new(NULL);

	for (guint i = 0; i < MIN(changes->len, SHOWN_NAMES); i++)
		g_string_append_printf(names, "%s%s", i ? ", " : "",
		                       ((struct config_change *)changes->pdata[i])->name);
	if (changes->len > SHOWN_NAMES)
		g_string_append_printf(names, " and %u more", changes->len - SHOWN_NAMES);
	if (changes->len)
		g_ptr_array_add(notes,
		                g_strdup_printf("%s and %s differ in %u configuration option%s: %s",
		                                pair->base->label, pair->other->label, changes->len,
		                                changes->len == 1 ? "" : "s", names->str));
}

static void note_config(const struct pair *pair, GPtrArray *notes)
{
	const char *one = pair->base->config_sha256, *two = pair->other->config_sha256;

	if (pair->other->config_changes)
		note_names(pair, notes);
	else if (!one || !two)
		g_ptr_array_add(notes,
		                g_strdup_printf("The configuration of %s is not known",
		                                one ? pair->other->label : pair->base->label));
	else if (strcmp(one, two))
		g_ptr_array_add(notes,
		                g_strdup_printf("The configurations of %s and %s differ; in what "
		                                "is not kept with a result",
		                                pair->base->label, pair->other->label));
}

static void note_machine(const struct pair *pair, GPtrArray *notes)
{
	static const struct report_provenance unknown = { 0 };
	const struct report_provenance *one = pair->base_machine ? pair->base_machine : &unknown;
	const struct report_provenance *two = pair->other_machine ? pair->other_machine : &unknown;

	for (gsize i = 0; one != two && i < G_N_ELEMENTS(machine_parts); i++)
		note_texts(pair, machine_parts[i].what, text_at(one, &machine_parts[i]),
		           text_at(two, &machine_parts[i]), notes);
}

static void note_kernels(const struct pair *pair, GPtrArray *notes)
{
	if (!g_strcmp0(pair->base->image_sha256, pair->other->image_sha256) &&
	    !g_strcmp0(pair->base->cmdline, pair->other->cmdline)) {
		g_ptr_array_add(notes,
		                g_strdup_printf("%s and %s are the same kernel image, booted alike",
		                                pair->base->label, pair->other->label));
		return;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(variant_parts); i++)
		note_texts(pair, variant_parts[i].what, text_at(pair->base, &variant_parts[i]),
		           text_at(pair->other, &variant_parts[i]), notes);
	note_source(pair, notes);
	note_cmdline(pair, notes);
	note_config(pair, notes);
}

static gboolean is_of_logs(const GPtrArray *givens, guint v)
{
	return givens->pdata[v] && given_is_of_logs(givens->pdata[v]);
}

static const struct report_provenance *machine_of(const GPtrArray *givens, guint v,
                                                  const struct report_provenance *now)
{
	const given_t *given = givens->pdata[v];

	if (!given)
		return now;
	return given->study ? &given->study->report->provenance : NULL;
}

/* All that can be said of logs, in one sentence. */
static void note_logs(const struct report_price *price, const GPtrArray *givens, GPtrArray *notes)
{
	g_autoptr(GString) labels = g_string_new(NULL);
	guint count = 0;

	for (guint v = 0; v < price->variants->len; v++) {
		if (!is_of_logs(givens, v))
			continue;
		g_string_append_printf(labels, "%s%s", count++ ? ", " : "",
		                       ((struct report_variant *)price->variants->pdata[v])->label);
	}
	if (count)
		g_ptr_array_add(
			notes, g_strdup_printf("%s %s from logs, which do not say of which kernel, "
		                               "compiler and machine they are" GIVEN_LOGS_NOTE_END,
		                               labels->str, count == 1 ? "is" : "are"));
}

void given_differences_note(const struct report_price *price, const GPtrArray *givens,
                            const struct report_provenance *now, GPtrArray *notes)
{
	if (price->variants->len > 1)
		note_logs(price, givens, notes);
	for (guint v = 1; v < price->variants->len; v++) {
		struct pair pair = { price->variants->pdata[0], price->variants->pdata[v],
			             machine_of(givens, 0, now), machine_of(givens, v, now) };

		if ((!givens->pdata[0] && !givens->pdata[v]) || is_of_logs(givens, 0) ||
		    is_of_logs(givens, v))
			continue;
		note_kernels(&pair, notes);
		note_machine(&pair, notes);
	}
}

GPtrArray *given_config_changes(const given_t *base, const given_t *other)
{
	const struct report_variant *variant;
	gboolean swapped;

	if (!base->price || !other->price || base->study->id != other->study->id ||
	    strcmp(base->price->option, other->price->option))
		return NULL;
	if (base->at == other->at)
		return g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);
	swapped = base->at != 0;
	if (swapped && other->at != 0)
		return NULL;
	variant = given_variant(swapped ? base : other);
	/* An option's price keeps the changes of its second side as its own. */
	if (!variant->config_changes)
		return report_price_is_of_option(base->price)
		               ? config_changes_copy(base->price->config_changes, swapped)
		               : NULL;
	return config_changes_copy(variant->config_changes, swapped);
}
