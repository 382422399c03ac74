/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/number.h"
#include "report/table.h"
#include "report/text.h"

#include <stddef.h>
#include <string.h>

#define SHORT_HASH 12

enum {
	MOST_CHANGES = 40,  /* lines of a configuration that are all shown */
	FIRST_CHANGES = 20, /* of more than those */
};

/* The figures of a price tag. One that is 0 on every side is not known and left out. */
static const struct tag_figure {
	const char *name;
	gsize offset;
} figures[] = {
	{ "boot, instructions", offsetof(struct report_variant, boot_instructions) },
	{ "memory in use, bytes", offsetof(struct report_variant, memory_bytes) },
	{ "text, bytes", offsetof(struct report_variant, text) },
	{ "data, bytes", offsetof(struct report_variant, data) },
	{ "bss, bytes", offsetof(struct report_variant, bss) },
	{ "bzImage, bytes", offsetof(struct report_variant, bzimage) },
};

static double figure_of(const struct report_price *price, guint v, const struct tag_figure *figure)
{
	const char *variant = price->variants->pdata[v];

	return (double)*(const guint64 *)(const void *)(variant + figure->offset);
}

static gboolean figure_is_known(const struct report_price *price, const struct tag_figure *figure)
{
	for (guint v = 0; v < price->variants->len; v++)
		if (figure_of(price, v, figure) != 0)
			return TRUE;
	return FALSE;
}

static char *grouped_difference(double off, double on)
{
	g_autofree char *size = number_grouped(on - off, 0);

	return g_strconcat(on > off ? "+" : "", size, NULL);
}

static char *percent_difference(double off, double on)
{
	g_autofree char *percent = number_signed(off ? 100 * (on / off - 1) : 0, 2);

	return off && on != off ? g_strdup_printf("%s %%", percent) : NULL;
}

static void add_figure(text_table_t *table, const struct report_price *price,
                       const struct tag_figure *figure)
{
	guint variants = price->variants->len, count = 0;
	g_autofree char **cells = g_new0(char *, variants + 3);

	cells[count++] = g_strdup(figure->name);
	for (guint v = 0; v < variants; v++)
		cells[count++] = figure_of(price, v, figure) != 0
		                         ? number_grouped(figure_of(price, v, figure), 0)
		                         : g_strdup("-");
	if (variants == 2 && figure_of(price, 0, figure) != 0 && figure_of(price, 1, figure) != 0) {
		double off = figure_of(price, 0, figure), on = figure_of(price, 1, figure);

		cells[count++] = grouped_difference(off, on);
		cells[count++] = percent_difference(off, on);
	}
	text_table_add(table, cells, count);
}

static void add_tag_header(text_table_t *table, const struct report_price *price)
{
	guint variants = price->variants->len, count = 1;
	g_autofree char **cells = g_new0(char *, variants + 2);

	for (guint v = 0; v < variants; v++)
		cells[count++] = report_side_name(price, v);
	if (variants == 2)
		cells[count++] = g_strdup("difference");
	text_table_add(table, cells, count);
}

static void append_figures(GString *text, const struct report_price *price)
{
	g_autofree char *right = g_strnfill(price->variants->len + 2, 'r');
	g_autofree char *alignment = g_strconcat("l", right, NULL);
	g_autoptr(text_table_t) table = text_table_new(alignment);
	guint known = 0;

	add_tag_header(table, price);
	for (guint i = 0; i < G_N_ELEMENTS(figures); i++) {
		if (!figure_is_known(price, &figures[i]))
			continue;
		add_figure(table, price, &figures[i]);
		known++;
	}
	if (!known)
		return;
	g_string_append(text, "\nPrice tag\n");
	text_table_print(table, "  ", text);
}

static const char *side_value(const char *value)
{
	return value && *value ? value : "(not set)";
}

/* TRUE if a variant's label, NAME=VALUE, is about the option @name. */
static gboolean is_labelled(const struct report_price *price, const char *name)
{
	gsize length = strlen(name);

	for (guint v = 0; v < price->variants->len; v++) {
		const struct report_variant *variant = price->variants->pdata[v];

		if (strncmp(variant->label, name, length) == 0 && variant->label[length] == '=')
			return TRUE;
	}
	return FALSE;
}

/* How many lines changed that the labels do not name. */
static guint other_changes(const struct report_price *price)
{
	guint others = 0;

	for (guint i = 0; i < price->config_changes->len; i++) {
		const struct config_change *change = price->config_changes->pdata[i];

		others += !is_labelled(price, change->name);
	}
	return others;
}

/* A table of changed lines; a list that nobody would read to its end is cut. */
static void append_changes(GString *text, const GPtrArray *changes)
{
	g_autoptr(text_table_t) table = text_table_new("ll");
	guint shown = changes->len > MOST_CHANGES ? FIRST_CHANGES : changes->len;

	for (guint i = 0; i < shown; i++) {
		const struct config_change *change = changes->pdata[i];
		char *cells[] = { g_strdup(change->name),
			          g_strdup_printf("%s -> %s", side_value(change->off),
			                          side_value(change->on)) };

		text_table_add(table, cells, G_N_ELEMENTS(cells));
	}
	text_table_print(table, "  ", text);
	if (shown < changes->len)
		g_string_append_printf(text, "  ... and %u more (all of them: --format json)\n",
		                       changes->len - shown);
}

/* An option's own change, and what came with it. */
static void append_option_changes(GString *text, const struct report_price *price)
{
	guint others = other_changes(price);
	int option = (int)strcspn(price->option ? price->option : "", "=");

	if (price->config_changes->len == 0)
		return;
	g_string_append(text, "\nWhat differs in the configuration\n");
	append_changes(text, price->config_changes);
	if (others)
		g_string_append_printf(text,
		                       "  Note: %u other %s changed with %.*s; the price is of all "
		                       "of them together.\n",
		                       others, others == 1 ? "option" : "options", option,
		                       price->option ? price->option : "");
}

/* Every variant against the first one. */
static void append_variant_changes(GString *text, const struct report_price *price)
{
	const struct report_variant *base = price->variants->pdata[0];

	for (guint v = 1; v < price->variants->len; v++) {
		const struct report_variant *variant = price->variants->pdata[v];

		if (!variant->config_changes || !variant->config_changes->len)
			continue;
		g_string_append_printf(text, "\nWhat differs in the configuration, %s -> %s\n",
		                       base->label, variant->label);
		append_changes(text, variant->config_changes);
	}
}

static void append_warnings(GString *text, const struct report_price *price)
{
	g_autoptr(text_table_t) table = text_table_new("lrl");
	gboolean any = FALSE;

	for (guint v = 0; v < price->variants->len; v++) {
		const struct report_variant *variant = price->variants->pdata[v];
		char *cells[] = { report_side_name(price, v),
			          g_strdup_printf("%u", variant->warnings),
			          g_strdup(variant->first_warning) };

		any = any || variant->warnings > 0;
		text_table_add(table, cells, G_N_ELEMENTS(cells));
	}
	if (!any)
		return;
	g_string_append(text, "\nKernel warnings on the console (number, the first one)\n");
	text_table_print(table, "  ", text);
}

void text_append_price_tag(GString *text, const struct report_price *price)
{
	append_figures(text, price);
	if (report_price_is_of_option(price))
		append_option_changes(text, price);
	else
		append_variant_changes(text, price);
	append_warnings(text, price);
}

/* "1-6, 9". */
static char *seeds_text(const GArray *seeds)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < seeds->len;) {
		guint64 first = g_array_index(seeds, guint64, i), last = first;

		for (i++; i < seeds->len && g_array_index(seeds, guint64, i) == last + 1; i++)
			last++;
		g_string_append_printf(text, "%s%" G_GUINT64_FORMAT, text->len ? ", " : "", first);
		if (last > first)
			g_string_append_printf(text, "-%" G_GUINT64_FORMAT, last);
	}
	return g_string_free(text, FALSE);
}

static void add_line(text_table_t *table, const char *name, char *value)
{
	char *cells[] = { g_strdup(name), value };

	if (value && *value) {
		text_table_add(table, cells, G_N_ELEMENTS(cells));
		return;
	}
	g_free(cells[0]);
	g_free(value);
}

static char *tree_text(const struct report_provenance *provenance)
{
	GString *text = g_string_new(provenance->kernel_version);

	if (provenance->tree)
		g_string_append_printf(text, ", tree %s", provenance->tree);
	if (provenance->tree_git)
		g_string_append_printf(text, " at %s", provenance->tree_git);
	if (provenance->tree_identity)
		g_string_append_printf(text, " (sha256 %.*s)", SHORT_HASH,
		                       provenance->tree_identity);
	return g_string_free(text, FALSE);
}

/* "0123456789ab DEBUG_PREEMPT=y", and what is known of where it came from. */
static char *image_text(const struct report_price *price, const struct report_variant *variant)
{
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "%.*s %s", SHORT_HASH, variant->image_sha256, variant->label);
	/* The sides of an option are of the one tree that is named above. */
	if (report_price_is_of_option(price))
		return g_string_free(text, FALSE);
	if (variant->kernel_version)
		g_string_append_printf(text, ", Linux %s", variant->kernel_version);
	if (variant->tree)
		g_string_append_printf(text, ", tree %s", variant->tree);
	if (variant->cmdline)
		g_string_append_printf(text, ", booted with %s", variant->cmdline);
	return g_string_free(text, FALSE);
}

static void add_images(text_table_t *table, const price_report_t *report)
{
	const char *name = "images";

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint v = 0; v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];

			if (!variant->image_sha256)
				continue;
			add_line(table, name, image_text(price, variant));
			name = "";
		}
	}
}

/* Where the samples come from that this study did not measure. */
static void add_origins(text_table_t *table, const price_report_t *report)
{
	const char *name = "read";

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint v = 0; v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];

			if (!variant->origin)
				continue;
			add_line(table, name,
			         g_strdup_printf("%s from %s", variant->label, variant->origin));
			name = "";
		}
	}
}

/* FALSE if all that was measured was measured in another unit. */
static gboolean counts_instructions(const price_report_t *report)
{
	gboolean other = FALSE;

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++) {
			const struct report_workload *workload = price->workloads->pdata[w];

			if (g_strcmp0(workload->unit, "instructions") == 0)
				return TRUE;
			other = TRUE;
		}
	}
	return !other;
}

void text_append_provenance(GString *text, const price_report_t *report)
{
	const struct report_provenance *provenance = &report->provenance;
	g_autoptr(text_table_t) table = text_table_new("ll");
	g_autofree char *qemu =
		g_strdup_printf("%s%s%s", provenance->qemu_version ? provenance->qemu_version : "",
	                        provenance->cpu_model ? ", CPU model " : "",
	                        provenance->cpu_model ? provenance->cpu_model : "");

	if (counts_instructions(report))
		g_string_append(
			text, "\nInstructions on one vCPU: the same number on every machine and in "
			      "every run. Lock contention,\ncache misses and branch mispredictions "
			      "are not seen, so the cost in time on real hardware differs.\n");
	add_line(table, "kernel", tree_text(provenance));
	add_line(table, "base", g_strdup(provenance->base_config));
	add_line(table, "compiler", g_strdup(provenance->compiler));
	add_line(table, "QEMU", g_steal_pointer(&qemu));
	add_line(table, "seeds", seeds_text(provenance->seeds));
	add_images(table, report);
	add_origins(table, report);
	add_line(table, "kcost", g_strdup(provenance->kcost_version));
	g_string_append(text, "\nMeasured with\n");
	text_table_print(table, "  ", text);
}
