/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sweep/row.h"

#include <math.h>
#include <string.h>

#include "pricelist/activation.h"

/* What would activate the option in the kernel that has it, if nothing does there. */
static char *dormant_by(const sweep_item_t *item, const struct option_fact *fact)
{
	const char *text = item->config[1];
	g_auto(activation_t) activation = { 0 };
	g_autoptr(config_file_t) config = NULL;

	if (!fact || !text)
		return NULL;
	config = config_file_parse(text, strlen(text), item->spec, NULL);
	activation_decide(fact->on, fact->off, config, NULL, &activation);
	return activation.active ? NULL : activation_text(fact->on);
}

struct price_entry *row_new(const sweep_item_t *item, const option_facts_t *facts)
{
	struct price_entry *entry = price_entry_new(item->option, item->off, item->on);
	const struct option_fact *fact = option_facts_find(facts, item->option);

	entry->fallback = g_strdup(item->fallback);
	entry->both = g_strdup(item->both);
	entry->reason = g_strdup(item->reason);
	entry->class_name = g_strdup(fact ? fact->class_name : NULL);
	entry->activated_by = dormant_by(item, fact);
	return entry;
}

static double image_bytes(const struct report_variant *variant)
{
	return (double)(variant->text + variant->data + variant->bss);
}

/* What is set on both sides has a column of its own. */
static void set_note(struct price_entry *entry, const struct report_price *price)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < price->notes->len; i++)
		if (!g_str_has_prefix(price->notes->pdata[i], "set on both sides for "))
			g_string_append_printf(text, "%s%s", text->len ? "; " : "",
			                       (char *)price->notes->pdata[i]);
	for (guint i = 0; i < 2; i++) {
		const struct report_variant *variant = price->variants->pdata[i];

		if (variant->warnings)
			g_string_append_printf(text, "%s%s: %u kernel warnings, the first: %s",
			                       text->len ? "; " : "", variant->label,
			                       variant->warnings, variant->first_warning);
	}
	g_free(entry->note);
	entry->note = g_string_free(text, FALSE);
	if (!*entry->note)
		g_clear_pointer(&entry->note, g_free);
}

void row_fill_tag(struct price_entry *entry, const struct report_price *price)
{
	const struct report_variant *off = price->variants->pdata[0];
	const struct report_variant *on = price->variants->pdata[1];

	entry->image_bytes = image_bytes(on) - image_bytes(off);
	if (off->boot_instructions && on->boot_instructions) {
		entry->boot_percent =
			100 * ((double)on->boot_instructions / (double)off->boot_instructions - 1);
		entry->memory_bytes = (double)on->memory_bytes - (double)off->memory_bytes;
	}
	g_ptr_array_unref(entry->changes);
	entry->changes = config_changes_copy(price->config_changes, FALSE);
	for (guint i = 0; i < 2; i++) {
		const struct report_variant *variant = price->variants->pdata[i];

		g_free(entry->image_sha256[i]);
		entry->image_sha256[i] = g_strdup(variant->image_sha256);
	}
	set_note(entry, price);
}

static char *params_text(const struct report_workload *workload)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < workload->params->len; i++)
		g_string_append_printf(text, "%s%s", i ? " " : "",
		                       (char *)workload->params->pdata[i]);
	return g_string_free(text, FALSE);
}

void row_add_cost(struct price_entry *entry, const struct report_price *price, guint at)
{
	const struct report_workload *workload = price->workloads->pdata[at];
	const struct summary *off = &g_array_index(workload->summaries, struct summary, 0);
	const struct summary *on = &g_array_index(workload->summaries, struct summary, 1);
	const struct comparison *comparison =
		&g_array_index(workload->comparisons, struct comparison, 1);
	g_autofree char *params = params_text(workload);
	struct price_cost *cost;

	cost = price_entry_add_cost(entry, workload->name, params);
	cost->unit = g_strdup(workload->unit);
	cost->boots = MIN(off->boots, on->boots);
	cost->mean_off = off->mean;
	cost->mean_on = on->mean;
	cost->cost = comparison->cost_percent;
	cost->lo = comparison->lo;
	cost->hi = comparison->hi;
	if (isnan(cost->cost))
		cost->reason = g_strdup("no samples that could be compared");
}

void row_add_reason(struct price_entry *entry, const struct measure_cell *cell, const char *reason)
{
	price_entry_add_cost(entry, cell->workload, cell->params)->reason = g_strdup(reason);
}

static int compare_entries(const struct price_entry *a, const struct price_entry *b)
{
	int order = strcmp(a->option, b->option);

	if (!order)
		order = g_strcmp0(a->on, b->on);
	return order ? order : g_strcmp0(a->off, b->off);
}

void row_put(price_list_t *list, struct price_entry *entry)
{
	struct price_entry *old =
		price_list_find(list, entry->option, entry->off, entry->on, entry->cmdline);
	guint at = 0;

	if (old)
		g_ptr_array_remove(list->entries, old);
	while (at < list->entries->len && compare_entries(list->entries->pdata[at], entry) < 0)
		at++;
	g_ptr_array_insert(list->entries, (int)at, entry);
}

struct price_entry *row_find(const price_list_t *list, const sweep_item_t *item)
{
	return price_list_find(list, item->option, item->off, item->on, NULL);
}

gboolean row_has_price(const struct price_entry *entry)
{
	for (guint i = 0; i < entry->costs->len; i++)
		if (!((struct price_cost *)entry->costs->pdata[i])->reason)
			return TRUE;
	return FALSE;
}
