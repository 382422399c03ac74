/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/paths.h"
#include "pricelist/price_list.h"
#include "pricelist/price_list_columns.h"

const char *price_column_name(enum price_column column)
{
	static const char *const names[] = {
		[COLUMN_OPTION] = "option",
		[COLUMN_OFF] = "off",
		[COLUMN_ON] = "on",
		[COLUMN_DEFAULT] = "default",
		[COLUMN_CLASS] = "class",
		[COLUMN_STATUS] = "status",
		[COLUMN_WORKLOAD] = "workload",
		[COLUMN_PARAMETERS] = "parameters",
		[COLUMN_UNIT] = "unit",
		[COLUMN_BOOTS] = "boots",
		[COLUMN_MEAN_OFF] = "mean_off",
		[COLUMN_MEAN_ON] = "mean_on",
		[COLUMN_COST] = "cost_percent",
		[COLUMN_LOW] = "ci_low",
		[COLUMN_HIGH] = "ci_high",
		[COLUMN_BOOT] = "boot_percent",
		[COLUMN_IMAGE] = "image_bytes",
		[COLUMN_MEMORY] = "memory_bytes",
		[COLUMN_CHANGES] = "config_changes",
		[COLUMN_BOTH] = "both_sides",
		[COLUMN_CMDLINE] = "cmdline",
		[COLUMN_ACTIVATED_BY] = "activated_by",
		[COLUMN_SHA256_OFF] = "image_sha256_off",
		[COLUMN_SHA256_ON] = "image_sha256_on",
		[COLUMN_NOTE] = "note",
	};
	_Static_assert(G_N_ELEMENTS(names) == COLUMN_COUNT, "a name for each column");

	return names[column];
}

/* The shortest decimal that reads back as the same double; empty for what is no number. */
static char *exact(double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE] = "";
	static const char *const formats[] = { "%.15g", "%.16g", "%.17g" };

	for (gsize i = 0; isfinite(value) && i < G_N_ELEMENTS(formats); i++) {
		g_ascii_formatd(text, sizeof(text), formats[i], value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	return g_strdup(text);
}

/* A percentage with its four decimals: as near as anyone can want it, and a number to read. */
static char *percent(double value)
{
	char text[352] = "";

	if (isfinite(value))
		g_ascii_formatd(text, sizeof(text), "%.4f", value);
	return g_strdup(strcmp(text, "-0.0000") ? text : "0.0000");
}

static char *whole(double value)
{
	return isfinite(value) ? g_strdup_printf("%.0f", value) : g_strdup("");
}

static void fill_entry(char **cells, const struct price_entry *entry)
{
	cells[COLUMN_OPTION] = g_strdup(entry->option);
	cells[COLUMN_OFF] = g_strdup(entry->off);
	cells[COLUMN_ON] = g_strdup(entry->on);
	cells[COLUMN_DEFAULT] = g_strdup(entry->fallback);
	cells[COLUMN_CLASS] = g_strdup(entry->class_name);
	cells[COLUMN_BOOT] = percent(entry->boot_percent);
	cells[COLUMN_IMAGE] = whole(entry->image_bytes);
	cells[COLUMN_MEMORY] = whole(entry->memory_bytes);
	cells[COLUMN_CHANGES] = price_changes_text(entry->changes);
	cells[COLUMN_BOTH] = g_strdup(entry->both);
	cells[COLUMN_CMDLINE] = g_strdup(entry->cmdline);
	cells[COLUMN_ACTIVATED_BY] = g_strdup(entry->activated_by);
	cells[COLUMN_SHA256_OFF] = g_strdup(entry->image_sha256[0]);
	cells[COLUMN_SHA256_ON] = g_strdup(entry->image_sha256[1]);
	cells[COLUMN_NOTE] = g_strdup(entry->note);
}

static void fill_cost(char **cells, const struct price_cost *cost)
{
	cells[COLUMN_STATUS] = g_strdup(cost->reason ? cost->reason : PRICE_LIST_OK);
	cells[COLUMN_WORKLOAD] = g_strdup(cost->workload);
	cells[COLUMN_PARAMETERS] = g_strdup(cost->parameters);
	cells[COLUMN_UNIT] = g_strdup(cost->unit);
	cells[COLUMN_BOOTS] = cost->boots ? g_strdup_printf("%u", cost->boots) : NULL;
	cells[COLUMN_MEAN_OFF] = exact(cost->mean_off);
	cells[COLUMN_MEAN_ON] = exact(cost->mean_on);
	cells[COLUMN_COST] = percent(cost->cost);
	cells[COLUMN_LOW] = percent(cost->lo);
	cells[COLUMN_HIGH] = percent(cost->hi);
}

/* @cost: NULL for an entry that has none. */
static void append_row(GString *text, const struct price_entry *entry,
                       const struct price_cost *cost)
{
	char *cells[COLUMN_COUNT] = { NULL };

	fill_entry(cells, entry);
	if (cost)
		fill_cost(cells, cost);
	else
		cells[COLUMN_STATUS] =
			g_strdup(entry->reason ? entry->reason : "no workload was run");
	for (guint i = 0; i < COLUMN_COUNT; i++) {
		if (i)
			g_string_append_c(text, ',');
		csv_append_field(text, cells[i]);
		g_free(cells[i]);
	}
	g_string_append_c(text, '\n');
}

char *price_list_text(const price_list_t *list)
{
	GString *text = g_string_new(PRICE_LIST_FIRST_LINE "\n");

	for (guint i = 0; i < list->keys->len; i++)
		g_string_append_printf(text, "# %s: %s\n", (char *)list->keys->pdata[i],
		                       (char *)list->values->pdata[i]);
	for (guint i = 0; i < COLUMN_COUNT; i++)
		g_string_append_printf(text, "%s%s", i ? "," : "", price_column_name(i));
	g_string_append_c(text, '\n');
	for (guint i = 0; i < list->entries->len; i++) {
		const struct price_entry *entry = list->entries->pdata[i];

		for (guint c = 0; c < entry->costs->len; c++)
			append_row(text, entry, entry->costs->pdata[c]);
		if (!entry->costs->len)
			append_row(text, entry, NULL);
	}
	return g_string_free(text, FALSE);
}

gboolean price_list_save(const price_list_t *list, const char *path, GError **error)
{
	g_autofree char *text = price_list_text(list);

	return paths_write_file(path, text, -1, error);
}
