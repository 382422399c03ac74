/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "command/command.h"
#include "sweep/pins.h"
#include "sweep/recheck.h"
#include "sweep/sweep.h"

static const char description[] =
	"Builds, boots and measures again as FILE says it was measured, and compares every figure "
	"to the\n"
	"digit. Without OPTION all of the list is priced again. Exit status 1: not all are the "
	"same.\n"
	"\n"
	"Examples:\n"
	"  kcost check prices/linux-6.1-x86_64.csv DEBUG_PREEMPT SLUB_STATS\n"
	"  kcost check prices.csv --tree ~/linux\n";

enum { MOST_JOBS = 1024 };

/* As given on the command line. */
struct check_options {
	char *tree, *config, *jobs;
	gboolean rebuild, quiet;
};

/* One run of the command. */
struct checking {
	const struct check_options *options;
	const price_list_t *list;
	GPtrArray *entries; /* of the list, to be checked */
	progress_t *progress;
	GCancellable *cancellable;
	guint different;
};

static gboolean add_named(const price_list_t *list, const char *name, GPtrArray *entries,
                          GError **error)
{
	guint before = entries->len;

	for (guint i = 0; i < list->entries->len; i++) {
		struct price_entry *entry = list->entries->pdata[i];

		if (recheck_means(name, entry) && !g_ptr_array_find(entries, entry, NULL))
			g_ptr_array_add(entries, entry);
	}
	return entries->len > before ||
	       error_set(error, KCOST_ERROR_USAGE, "the price list %s has no row for %s",
	                 list->name, name);
}

static GPtrArray *choose(const price_list_t *list, char *const *names, GError **error)
{
	g_autoptr(GPtrArray) entries = g_ptr_array_new();

	for (char *const *name = names; *name; name++)
		if (!add_named(list, *name, entries, error))
			return NULL;
	for (guint i = 0; !*names && i < list->entries->len; i++)
		g_ptr_array_add(entries, list->entries->pdata[i]);
	for (guint i = 0; i < entries->len; i++) {
		const struct price_entry *entry = entries->pdata[i];

		if (!entry->cmdline)
			continue;
		error_set(error, KCOST_ERROR_USAGE,
		          "%s was priced with the boot parameters %s, which check cannot do yet: "
		          "name other rows",
		          entry->option, entry->cmdline);
		return NULL;
	}
	if (entries->len)
		return g_steal_pointer(&entries);
	error_set(error, KCOST_ERROR_USAGE, "the price list %s has no rows", list->name);
	return NULL;
}

static gboolean set_request(const struct check_options *options, struct price_request *request,
                            GError **error)
{
	guint64 jobs = g_get_num_processors();

	if (options->jobs &&
	    !g_ascii_string_to_unsigned(options->jobs, 10, 1, MOST_JOBS, &jobs, NULL))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "--jobs takes a whole number from 1 to %u, not '%s'", MOST_JOBS,
		                 options->jobs);
	if (options->tree)
		request->tree = options->tree;
	if (options->config)
		request->base_config = options->config;
	request->measure.jobs = (guint)jobs;
	request->rebuild = options->rebuild;
	return TRUE;
}

/* What makes a difference without any fault of the list. */
static gboolean look_at_pins(const struct checking *checking, const price_list_t *here,
                             GError **error)
{
	g_autoptr(GPtrArray) differences = pins_differences(checking->list, here);

	if (!pins_same_subject(checking->list, here))
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%s is of something else than what is here (%s): name the same "
		                 "with --tree and --base-config",
		                 checking->list->name, (char *)differences->pdata[0]);
	for (guint i = 0; i < differences->len; i++)
		progress_note(checking->progress, "%s", (char *)differences->pdata[i]);
	if (differences->len)
		progress_note(checking->progress,
		              "so the kernels and samples here cannot be expected to be "
		              "those of the list");
	return TRUE;
}

static gboolean judge(struct checking *checking, const struct price_entry *then,
                      const struct price_entry *now, GError **error)
{
	struct price_entry *rounded = recheck_rounded(now, error);
	g_autoptr(GPtrArray) differences = NULL;

	if (!rounded)
		return FALSE;
	differences = recheck_differences(then, rounded);
	price_entry_free(rounded);
	if (!differences->len)
		printf("%s: identical (%s)\n", then->option,
		       then->reason ? "no price, then and now" : "all figures");
	else
		printf("%s: different\n", then->option);
	for (guint i = 0; i < differences->len; i++)
		printf("  %s\n", (char *)differences->pdata[i]);
	fflush(stdout);
	checking->different += differences->len > 0;
	return TRUE;
}

/* One entry, which alone is planned: the options of a list may be many. */
static gboolean check_entry(struct checking *checking, sweep_t *sweep,
                            const struct price_entry *entry, GError **error)
{
	g_autoptr(GPtrArray) specs = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) items = NULL;
	struct price_entry *now;
	gboolean fine;

	g_ptr_array_add(specs, recheck_spec(entry));
	items = sweep_plan(sweep, specs, error);
	now = items ? sweep_price(sweep, items->pdata[0], error) : NULL;
	if (!now)
		return FALSE;
	fine = judge(checking, entry, now, error);
	price_entry_free(now);
	return fine;
}

static gboolean check_all(struct checking *checking, GError **error)
{
	g_autoptr(pinned_t) pinned = pins_request(checking->list, error);
	g_autoptr(sweep_t) sweep = NULL;

	if (!pinned || !set_request(checking->options, &pinned->request, error))
		return FALSE;
	sweep = sweep_new(&pinned->request, NULL, checking->progress, checking->cancellable, error);
	if (!sweep || !look_at_pins(checking, sweep_pins(sweep), error))
		return FALSE;
	for (guint i = 0; i < checking->entries->len; i++)
		if (!check_entry(checking, sweep, checking->entries->pdata[i], error))
			return FALSE;
	return TRUE;
}

static int finish(const struct checking *checking)
{
	guint all = checking->entries->len;
	const char *plural = all == 1 ? "" : "s";
	g_autofree char *text = checking->different
	                                ? g_strdup_printf("Different: %u of %u option%s.\n",
	                                                  checking->different, all, plural)
	                                : g_strdup_printf("Identical: %u option%s.\n", all, plural);
	int status = command_print(text);

	return status == EXIT_DONE && checking->different ? EXIT_GATE : status;
}

static int check(const struct command *command, const struct check_options *options,
                 char *const *arguments, GCancellable *cancellable)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(price_list_t) list = NULL;
	g_autoptr(GPtrArray) entries = NULL;
	g_autoptr(progress_t) progress = NULL;
	struct checking checking = { .options = options, .cancellable = cancellable };

	if (!*arguments)
		return command_usage(command, "which price list? name its file");
	list = price_list_load(*arguments, &error);
	entries = list ? choose(list, arguments + 1, &error) : NULL;
	if (!entries || !command_check_needs(command, &error))
		return command_fail(error);
	progress = progress_new(options->quiet);
	checking.list = list;
	checking.entries = entries;
	checking.progress = progress;
	return check_all(&checking, &error) ? finish(&checking) : command_fail(error);
}

static int run_check(const struct command *command, int argc, char **argv,
                     GCancellable *cancellable)
{
	struct check_options options = { 0 };
	const GOptionEntry entries[] = {
		{ "tree", 't', 0, G_OPTION_ARG_FILENAME, &options.tree,
		  "where the list's kernel tree is here (default: as the list names it)", "TREE" },
		{ "base-config", 'c', 0, G_OPTION_ARG_FILENAME, &options.config,
		  "where its base configuration is here", "FILE" },
		{ "jobs", 'j', 0, G_OPTION_ARG_STRING, &options.jobs,
		  "processors to use, for builds and boots (default: all)", "N" },
		{ "rebuild", 0, 0, G_OPTION_ARG_NONE, &options.rebuild,
		  "build the kernels even if they are in the cache", NULL },
		{ "quiet", 'q', 0, G_OPTION_ARG_NONE, &options.quiet, "no progress on stderr",
		  NULL },
		G_OPTION_ENTRY_NULL,
	};
	int status;

	if (command_parse(command, entries, description, &argc, &argv, &status))
		status = check(command, &options, argv + 1, cancellable);
	g_free(options.tree);
	g_free(options.config);
	g_free(options.jobs);
	return status;
}

const struct command command_check = {
	.name = "check",
	.usage = "FILE [OPTION...]",
	.summary = "price again what a price list says: is every figure the same?",
	.needs = NEEDS_KERNEL_BUILD | NEEDS_QEMU,
	.run = run_check,
};
