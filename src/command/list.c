/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "command/command.h"
#include "command/results.h"
#include "report/number.h"
#include "report/table.h"

/* What is asked for; NULL: all. */
struct filter {
	const char *option;
	const char *tree;
};

/* NAME finds every value of it, NAME=VALUE that one. */
static gboolean option_matches(const char *wanted, const char *label)
{
	gsize length;

	if (!wanted)
		return TRUE;
	if (g_str_has_prefix(wanted, "CONFIG_"))
		wanted += strlen("CONFIG_");
	length = strlen(wanted);
	return label && !strncmp(label, wanted, length) &&
	       (!label[length] || (label[length] == '=' && !strchr(wanted, '=')));
}

/* What is priced, or one of the kernels that are compared. */
static gboolean price_matches(const char *wanted, const struct report_price *price)
{
	for (guint v = 0; wanted && v < price->variants->len; v++)
		if (!report_price_is_of_option(price) &&
		    option_matches(wanted,
		                   ((struct report_variant *)price->variants->pdata[v])->label))
			return TRUE;
	return option_matches(wanted, price->option);
}

static gboolean same_path(const char *a, const char *b)
{
	g_autofree char *x = g_canonicalize_filename(a, NULL);
	g_autofree char *y = g_canonicalize_filename(b, NULL);

	return !strcmp(x, y);
}

/* The tree as --tree or tree= named it, or its kernel's version. */
static gboolean is_tree(const char *wanted, const char *tree, const char *version)
{
	if (!g_strcmp0(wanted, version))
		return TRUE;
	return tree && (!strcmp(wanted, tree) || same_path(wanted, tree));
}

/* The study's tree, or that of one of the kernels that are compared. */
static gboolean tree_matches(const char *wanted, const price_report_t *report)
{
	const struct report_provenance *provenance = &report->provenance;

	if (!wanted || is_tree(wanted, provenance->tree, provenance->kernel_version))
		return TRUE;
	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint v = 0; v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];

			if (is_tree(wanted, variant->tree, variant->kernel_version))
				return TRUE;
		}
	}
	return FALSE;
}

static char *date_text(gint64 seconds)
{
	g_autoptr(GDateTime) date = g_date_time_new_from_unix_local(seconds);

	return date ? g_date_time_format(date, "%Y-%m-%d %H:%M") : g_strdup("?");
}

static void append_cost(GString *text, const struct comparison *comparison)
{
	g_autofree char *cost = number_signed(comparison->cost_percent, 1);

	g_string_append_printf(text, "%s%s%s%s", text->len ? ", " : "", cost,
	                       isnan(comparison->cost_percent) ? "" : " %",
	                       comparison->significant ? " *" : "");
}

static char *costs_text(const struct report_price *price)
{
	GString *text = g_string_new(NULL);

	for (guint w = 0; w < price->workloads->len; w++) {
		const struct report_workload *row = price->workloads->pdata[w];

		for (guint v = 1; v < row->comparisons->len; v++)
			append_cost(text, &g_array_index(row->comparisons, struct comparison, v));
	}
	return g_string_free(text, FALSE);
}

/* A study that was killed and one that is being measured look alike. */
static const char *state_text(enum store_state state)
{
	static const char *const texts[] = {
		[STORE_OPEN] = "incomplete",
		[STORE_COMPLETE] = "complete",
		[STORE_INTERRUPTED] = "incomplete: interrupted",
		[STORE_FAILED] = "incomplete: failed",
	};

	return texts[state];
}

static void add_row(text_table_t *table, const struct store_study *study, const char *what,
                    guint rows, char *costs)
{
	char *cells[] = { g_strdup_printf("%" G_GINT64_FORMAT, study->id),
		          date_text(study->created),
		          g_strdup(what),
		          g_strdup(study->report->provenance.tree),
		          g_strdup_printf("%u", rows),
		          costs,
		          g_strdup(state_text(study->state)) };

	text_table_add(table, cells, G_N_ELEMENTS(cells));
}

/* One line a price; a study that was ended before its first has one without costs. */
static guint add_study(text_table_t *table, const struct store_study *study,
                       const struct filter *filter)
{
	const GPtrArray *prices = study->report->prices;
	guint added = 0;

	if (!tree_matches(filter->tree, study->report))
		return 0;
	if (!prices->len && !filter->option) {
		add_row(table, study, study->kind, 0, NULL);
		return 1;
	}
	for (guint i = 0; i < prices->len; i++) {
		const struct report_price *price = prices->pdata[i];

		if (!price_matches(filter->option, price))
			continue;
		add_row(table, study, price->option, price->workloads->len, costs_text(price));
		added++;
	}
	return added;
}

static void add_header(text_table_t *table)
{
	static const char *const names[] = {
		"ID", "date", "what", "tree", "rows", "costs", "state"
	};
	char *cells[G_N_ELEMENTS(names)];

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		cells[i] = g_strdup(names[i]);
	text_table_add(table, cells, G_N_ELEMENTS(names));
}

/* The whole output; owned by the caller, NULL on failure. */
static char *list_text(store_t *store, const struct filter *filter, GError **error)
{
	g_autoptr(text_table_t) table = text_table_new("rlllrll");
	g_autoptr(GArray) ids = store_ids(store, error);
	g_autoptr(GString) text = g_string_new(NULL);
	guint added = 0;

	add_header(table);
	for (guint i = 0; ids && i < ids->len; i++) {
		g_autoptr(store_study_t) study =
			store_load(store, g_array_index(ids, gint64, i), error);

		if (!study)
			return NULL;
		added += add_study(table, study, filter);
	}
	if (!ids)
		return NULL;
	if (added)
		text_table_print(table, "", text);
	else if (ids->len)
		g_string_printf(text, "No result in %s is of that.\n", store_file(store));
	else
		g_string_printf(text, "The store %s is empty; `kcost price` fills it.\n",
		                store_file(store));
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static int run_list(const struct command *command, int argc, char **argv, GCancellable *cancellable)
{
	g_autofree char *option = NULL, *tree = NULL, *store_option = NULL;
	g_autofree char *path = NULL, *text = NULL;
	const GOptionEntry entries[] = {
		{ "option", 'o', 0, G_OPTION_ARG_STRING, &option,
		  "only prices of this option: NAME or NAME=VALUE", "OPTION" },
		{ "tree", 't', 0, G_OPTION_ARG_FILENAME, &tree,
		  "only results of this tree, named as for price or by its version", "TREE" },
		RESULTS_STORE_ENTRY(&store_option),
		G_OPTION_ENTRY_NULL,
	};
	g_autoptr(store_t) store = NULL;
	g_autoptr(GError) error = NULL;
	int status;

	(void)cancellable;
	if (!command_parse(command, entries, NULL, &argc, &argv, &status))
		return status;
	if (argc > 1)
		return command_usage(command, "what is '%s'? this command takes options only",
		                     argv[1]);
	path = store_path(store_option);
	store = store_open_to_read(path, &error);
	if (store)
		text = list_text(store, &(struct filter){ option, tree }, &error);
	return text ? command_print(text) : command_fail(error);
}

const struct command command_list = {
	.name = "list",
	.usage = "",
	.summary = "list the stored results",
	.run = run_list,
};
