/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "command/command.h"
#include "command/price_options.h"
#include "sweep/options_file.h"
#include "sweep/pins.h"
#include "sweep/row.h"
#include "sweep/sweep.h"

static const char description[] =
	"Prices each option as `kcost price OPTION --with-deps` does and keeps its rows in FILE as "
	"soon "
	"as it\n"
	"is done; run again, it goes on where it was stopped. What cannot be had is a row with the "
	"reason.\n"
	"\n"
	"Examples:\n"
	"  kcost sweep DEBUG_LIST SLUB_STATS LOG_BUF_SHIFT=20 --tree 6.1 -o prices.csv\n"
	"  kcost sweep --class debug --tree 6.1 -o prices.csv --dry-run\n"
	"  kcost sweep --options wanted.options --tree ~/linux --base-config my.config -o "
	"prices.csv\n";

enum { LONG = 30 * 24 * 3600 }; /* seconds: the boots are counted, not timed */

#define RUNS "4" /* boots of each kernel and row */

/* As given on the command line. */
struct sweep_options {
	struct price_options price;
	char **files, **classes, **menus, *most;
	gboolean fresh, retry, dry_run;
	guint most_options; /* 0: all */
};

/* One run of the command. */
struct sweeping {
	const struct sweep_options *options;
	progress_t *progress;
	sweep_t *sweep;
	price_list_t *list; /* as in the file */
	guint priced, failed;
};

static GOptionEntry *make_entries(struct sweep_options *options)
{
	struct price_options *price = &options->price;
	const GOptionEntry entries[] = {
		{ "output", 'o', 0, G_OPTION_ARG_FILENAME, &price->output,
		  "the price list: made, or gone on with", "FILE" },
		{ "options", 'O', 0, G_OPTION_ARG_FILENAME_ARRAY, &options->files,
		  "the options in a file, one a line; may be repeated", "FILE" },
		{ "class", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->classes,
		  "the options of a class: debug, hardening, ...; may be repeated", "NAME" },
		{ "menu", 0, 0, G_OPTION_ARG_STRING_ARRAY, &options->menus,
		  "the options below one of the tree's menus: \"Kernel hacking\"; may be repeated",
		  "TITLE" },
		{ "tree", 't', 0, G_OPTION_ARG_FILENAME, &price->tree,
		  "kernel tree: a directory, or 6.1 or 6.12 for Debian's linux-source (default: "
		  "here, else the newest of these)",
		  "TREE" },
		{ "base-config", 'c', 0, G_OPTION_ARG_FILENAME, &price->base_config,
		  "the .config or fragment to start from (default: kcost's minimal one)", "FILE" },
		{ "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &price->settings,
		  "set an option in all kernels; may be repeated", "OPT=VAL" },
		{ "workload", 'w', 0, G_OPTION_ARG_STRING_ARRAY, &price->workloads,
		  "what to run: a name, a pattern, or all (default: the quick suite)",
		  "NAME,NAME..." },
		{ "quick", 0, 0, G_OPTION_ARG_NONE, &price->quick_suite,
		  "of the workloads only those of the quick suite", NULL },
		{ "groups", 'g', 0, G_OPTION_ARG_STRING, &price->groups,
		  "hackbench's groups, one row each", "N,N..." },
		{ "loops", 'l', 0, G_OPTION_ARG_STRING, &price->loops,
		  "hackbench's messages from each sender", "N" },
		{ "runs", 'r', 0, G_OPTION_ARG_STRING, &price->runs,
		  "boots of each kernel and row (default: " RUNS ")", "N" },
		{ "iterations", 'i', 0, G_OPTION_ARG_STRING, &price->iterations,
		  "samples a boot (default: 3)", "N" },
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &price->jobs,
		  "processors to use, for builds and boots (default: all)", "N" },
		{ "max-options", 0, 0, G_OPTION_ARG_STRING, &options->most,
		  "stop after that many, those whose kernels are built soonest", "N" },
		{ "retry", 0, 0, G_OPTION_ARG_NONE, &options->retry,
		  "try again what has no price in the list", NULL },
		{ "fresh", 0, 0, G_OPTION_ARG_NONE, &options->fresh,
		  "begin the list anew if there is one", NULL },
		{ "dry-run", 'n', 0, G_OPTION_ARG_NONE, &options->dry_run,
		  "only say what would be priced, and what stands against it", NULL },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &price->quiet, "no progress on stderr",
		  NULL },
		G_OPTION_ENTRY_NULL,
	};

	return g_memdup2(entries, sizeof(entries));
}

static void clear_options(struct sweep_options *options)
{
	price_options_clear(&options->price);
	g_strfreev(options->files);
	g_strfreev(options->classes);
	g_strfreev(options->menus);
	g_free(options->most);
}

static gboolean finish_options(struct sweep_options *options, GError **error)
{
	struct price_options *price = &options->price;
	guint64 most = 0;

	if (!price->output && !options->dry_run)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "where to? name the price list with -o FILE, or look first with "
		                 "--dry-run");
	if (options->most &&
	    !g_ascii_string_to_unsigned(options->most, 10, 1, G_MAXINT, &most, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--max-options takes a whole number from 1 on, not '%s'",
		                 options->most);
	options->most_options = (guint)most;
	if (!price->workloads)
		price->quick_suite = TRUE;
	if (!price->runs)
		price->runs = g_strdup(RUNS);
	if (!price_options_finish(price, NULL, error))
		return FALSE;
	price->request.measure.max_seconds = LONG;
	price->request.measure.core = NULL; /* price lists hold instructions */
	return TRUE;
}

/* ---- which options ---- */

static gboolean add_class(const option_facts_t *facts, const char *name, GPtrArray *specs,
                          GError **error)
{
	const GPtrArray *all = option_facts_all(facts);
	g_autoptr(GPtrArray) classes = NULL;
	g_autofree char *list = NULL;
	guint before = specs->len;

	for (guint i = 0; i < all->len; i++) {
		const struct option_fact *fact = all->pdata[i];

		if (!strcmp(fact->class_name, name))
			g_ptr_array_add(specs, g_strdup(fact->option));
	}
	if (specs->len > before)
		return TRUE;
	classes = option_facts_classes(facts);
	g_ptr_array_add(classes, NULL);
	list = g_strjoinv(", ", (char **)classes->pdata);
	return error_set(error, KCOST_ERROR_USAGE, "there is no class '%s'; there are %s", name,
	                 list);
}

/* All options that were asked for, but for those of menus, which the tree has to be asked for. */
static GPtrArray *choose(const struct sweep_options *options, char *const *names,
                         const option_facts_t *facts, GError **error)
{
	g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);

	for (; *names; names++)
		g_ptr_array_add(specs, g_strdup(*names));
	for (char **file = options->files; file && *file; file++)
		if (!options_file_load(*file, specs, error))
			return NULL;
	for (char **name = options->classes; name && *name; name++)
		if (!add_class(facts, *name, specs, error))
			return NULL;
	return g_steal_pointer(&specs);
}

/* ---- the list ---- */

static price_list_t *begin_list(const price_list_t *pins)
{
	price_list_t *list = price_list_new();

	for (guint i = 0; i < pins->keys->len; i++)
		price_list_add(list, pins->keys->pdata[i], pins->values->pdata[i]);
	return list;
}

/* The list to go on with: the file's, if its prices and the new ones can stand side by side. */
static price_list_t *open_list(const struct sweep_options *options, const price_list_t *pins,
                               GError **error)
{
	const char *path = options->price.output;
	g_autoptr(price_list_t) list = NULL;
	g_autoptr(GPtrArray) differences = NULL;

	if (!path || options->fresh || !g_file_test(path, G_FILE_TEST_EXISTS))
		return begin_list(pins);
	list = price_list_load(path, error);
	if (!list)
		return NULL;
	differences = pins_differences(list, pins);
	if (!differences->len)
		return g_steal_pointer(&list);
	error_set(
		error, KCOST_ERROR_USAGE,
		"the prices in %s were measured otherwise (%s%s), so new ones cannot stand beside "
		"them: name another file, or begin it anew with --fresh",
		path, (char *)differences->pdata[0], differences->len > 1 ? ", and more" : "");
	return NULL;
}

/* Takes out what is in the list already. */
static guint drop_done(const struct sweeping *sweeping, GPtrArray *items)
{
	guint before = items->len;

	for (guint i = items->len; i > 0; i--) {
		const struct price_entry *entry = row_find(sweeping->list, items->pdata[i - 1]);

		if (entry && (!sweeping->options->retry || row_has_price(entry)))
			g_ptr_array_remove_index(items, i - 1);
	}
	return before - items->len;
}

/* ---- the work ---- */

static void tell(struct sweeping *sweeping, const sweep_item_t *item, guint at, guint all,
                 const struct price_entry *entry)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < entry->costs->len; i++) {
		const struct price_cost *cost = entry->costs->pdata[i];

		if (!cost->reason)
			g_string_append_printf(text, "%s%+.1f %%", text->len ? ", " : "",
			                       cost->cost);
	}
	if (row_has_price(entry))
		sweeping->priced++;
	else
		sweeping->failed++;
	progress_note(sweeping->progress, "%u of %u: %s: %s", at, all, item->spec,
	              text->len       ? text->str
	              : entry->reason ? entry->reason
	                              : "no workload could run");
}

/* Prices @items and takes those that are done out of it. */
static gboolean price_all(struct sweeping *sweeping, GPtrArray *items, GError **error)
{
	guint most = sweeping->options->most_options;
	guint count = most ? MIN(most, items->len) : items->len;

	for (guint i = 0; i < count; i++) {
		const sweep_item_t *item;
		struct price_entry *entry;

		if (!sweep_order(sweeping->sweep, items, error))
			return FALSE;
		item = items->pdata[0];
		entry = sweep_price(sweeping->sweep, item, error);
		if (!entry)
			return FALSE;
		row_put(sweeping->list, entry);
		if (!price_list_save(sweeping->list, sweeping->options->price.output, error))
			return FALSE;
		tell(sweeping, item, i + 1, count, entry);
		g_ptr_array_remove_index(items, 0);
	}
	return TRUE;
}

static char *dry_text(const GPtrArray *items, guint done)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < items->len; i++) {
		const sweep_item_t *item = items->pdata[i];

		g_string_append_printf(text, "%-40s %s", item->spec,
		                       item->reason ? item->reason : "can be priced");
		if (item->both)
			g_string_append_printf(text, ", with %s on both sides", item->both);
		g_string_append_c(text, '\n');
	}
	g_string_append_printf(text, "%u option%s, and %u in the list already\n", items->len,
	                       items->len == 1 ? "" : "s", done);
	return g_string_free(text, FALSE);
}

static int finish(const struct sweeping *sweeping, guint done)
{
	const char *path = sweeping->options->price.output;
	g_autofree char *text = g_strdup_printf(
		"%s: %u option%s priced now, %u without a price, %u in the list before\n", path,
		sweeping->priced, sweeping->priced == 1 ? "" : "s", sweeping->failed, done);

	return command_print(text);
}

/* What the tree has to be asked for: whether it has the @names, and what its menus hold. */
static gboolean ask_tree(const struct sweeping *sweeping, GPtrArray *specs, char *const *names,
                         GError **error)
{
	for (; *names; names++)
		if (!sweep_check_name(sweeping->sweep, *names, error))
			return FALSE;
	for (char **menu = sweeping->options->menus; menu && *menu; menu++)
		if (!sweep_add_menu(sweeping->sweep, *menu, specs, error))
			return FALSE;
	return TRUE;
}

/* From the specs to the items that are to be priced. */
static GPtrArray *plan(struct sweeping *sweeping, GPtrArray *specs, char *const *names, guint *done,
                       GError **error)
{
	g_autoptr(GPtrArray) items = NULL;

	if (!ask_tree(sweeping, specs, names, error))
		return NULL;
	sweeping->list = open_list(sweeping->options, sweep_pins(sweeping->sweep), error);
	if (!sweeping->list)
		return NULL;
	items = sweep_plan(sweeping->sweep, specs, error);
	if (!items)
		return NULL;
	*done = drop_done(sweeping, items);
	return g_steal_pointer(&items);
}

static int work(struct sweeping *sweeping, GPtrArray *specs, char *const *names)
{
	g_autoptr(GError) error = NULL;
	guint done = 0;
	g_autoptr(GPtrArray) items = plan(sweeping, specs, names, &done, &error);
	g_autofree char *text = NULL;

	if (!items)
		return command_fail(error);
	if (sweeping->options->dry_run) {
		text = dry_text(items, done);
		return command_print(text);
	}
	if (!price_all(sweeping, items, &error)) {
		if (sweeping->priced + sweeping->failed)
			progress_note(sweeping->progress,
			              "%u option%s in %s now; the same command goes on "
			              "from there",
			              sweeping->priced + sweeping->failed,
			              sweeping->priced + sweeping->failed == 1 ? " is" : "s are",
			              sweeping->options->price.output);
		return command_fail(error);
	}
	return finish(sweeping, done);
}

static int sweep(const struct command *command, struct sweep_options *options, char *const *names,
                 GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(option_facts_t) facts = NULL;
	g_autoptr(GPtrArray) specs = NULL;
	struct sweeping sweeping = { .options = options };
	int status, lock = -1;

	if (!finish_options(options, &error) || !command_check_needs(command, &error))
		return command_fail(error);
	facts = option_facts_load(&error);
	specs = facts ? choose(options, names, facts, &error) : NULL;
	if (!specs)
		return command_fail(error);
	if (!specs->len && !options->menus)
		return command_usage(command, "which options? name them, or give a --class, a "
		                              "--menu or an --options FILE");
	if (!options->dry_run && (lock = sweep_lock_list(options->price.output, &error)) < 0)
		return command_fail(error);
	sweeping.progress = progress_new(options->price.quiet);
	sweeping.sweep =
		sweep_new(&options->price.request, facts, sweeping.progress, cancellable, &error);
	status = sweeping.sweep ? work(&sweeping, specs, names) : command_fail(error);
	g_clear_pointer(&sweeping.list, price_list_free);
	sweep_free(sweeping.sweep);
	progress_free(sweeping.progress);
	if (lock >= 0)
		close(lock);
	return status;
}

static int run_sweep(const struct command *command, int argc, char **argv,
                     GCancellable *cancellable)
{
	struct sweep_options options = { 0 };
	g_autofree GOptionEntry *entries = make_entries(&options);
	int status;

	if (command_parse(command, entries, description, &argc, &argv, &status))
		status = sweep(command, &options, argv + 1, cancellable);
	clear_options(&options);
	return status;
}

const struct command command_sweep = {
	.name = "sweep",
	.usage = "[OPTION...]",
	.summary = "a price list: what each of many options costs",
	.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU,
	.run = run_sweep,
};
