/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Explanations and plans on real trees, in one run of each one's Kconfig: on a copy made of links,
 * in which lib/Kconfig.debug has DEBUG_PREEMPT's `default y` back (it was there until 6.1.5x) and a
 * few symbols of our own, whose right plans can be read off below. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/paths.h"
#include "kernel/explain.h"
#include "tree_test.h"

/* KT_WANTED can be had through KT_EASY only: KT_NEVER has no way. KT_HIDDEN is on when one of its
 * selectors is; KT_FREE is held by two. */
static const char own_symbols[] =
	"\nconfig KT_BASE\n\tbool \"base\"\n"
	"\nconfig KT_NEVER\n\tbool\n"
	"\nconfig KT_EASY\n\tbool \"easy\"\n\tdepends on KT_BASE\n"
	"\nconfig KT_WANTED\n\tbool \"wanted\"\n\tdepends on KT_NEVER || KT_EASY\n"
	"\tdepends on !KT_ENEMY\n"
	"\nconfig KT_ENEMY\n\tbool \"enemy\"\n\tdefault y\n"
	"\nconfig KT_HIDDEN\n\tbool\n"
	"\nconfig KT_SELECTS\n\tbool \"selects\"\n\tdepends on KT_BASE\n\tselect KT_HIDDEN\n"
	"\nconfig KT_FREE\n\tbool \"free\"\n"
	"\nconfig KT_HOLDS\n\tbool \"holds\"\n\tdefault y\n\tselect KT_FREE\n"
	"\nconfig KT_HOLDS_TOO\n\tbool \"holds too\"\n\tdefault KT_ENEMY\n\tselect KT_FREE\n"
	"\nconfig KT_SUGGESTED\n\tbool \"suggested\"\n"
	"\nconfig KT_SUGGESTS\n\tbool \"suggests\"\n\tdefault y\n\timply KT_SUGGESTED\n"
	"\nconfig KT_IMPOSSIBLE\n\tbool \"impossible\"\n\tdepends on KT_NEVER\n"
	"\nconfig KT_NUMBER\n\tint \"number\"\n\trange 1 100\n\tdefault 7\n"
	"\nconfig KT_MANY\n\tbool \"many\"\n\tdepends on KT_NUMBER > 50\n";

static const char fragment[] = "CONFIG_64BIT=y\nCONFIG_EXPERT=y\nCONFIG_PREEMPT=y\n"
			       "CONFIG_DEBUG_KERNEL=y\nCONFIG_NET=y\nCONFIG_SLUB_DEBUG=y\n"
			       "# CONFIG_SECURITY is not set\n";

/* Links every entry of @from in @to but @name. */
static void link_all(const char *from, const char *to, const char *name)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GDir) dir = g_dir_open(from, 0, &error);
	const char *entry;

	g_assert_no_error(error);
	g_assert_cmpint(g_mkdir(to, 0777), ==, 0);
	while ((entry = g_dir_read_name(dir))) {
		g_autofree char *target = g_build_filename(from, entry, NULL);
		g_autofree char *link = g_build_filename(to, entry, NULL);

		if (strcmp(entry, name) != 0)
			g_assert_cmpint(symlink(target, link), ==, 0);
	}
}

/* @text with `default y` put into DEBUG_PREEMPT, behind its dependencies. */
static char *with_default(const char *text)
{
	const char *config = strstr(text, "\nconfig DEBUG_PREEMPT\n");
	const char *help = config ? strstr(config, "\n\thelp\n") : NULL;

	g_assert_nonnull(help);
	return g_strdup_printf("%.*s\n\tdefault y%s%s", (int)(help - text), text, help,
	                       own_symbols);
}

/* The copy in @dir, which stands for the real tree. */
static kernel_tree_t *copy_tree(const kernel_tree_t *tree, const char *dir)
{
	kernel_tree_t *copy = g_new0(kernel_tree_t, 1);
	g_autofree char *lib = g_build_filename(tree->path, "lib", NULL);
	g_autofree char *file = g_build_filename(lib, "Kconfig.debug", NULL);
	g_autofree char *own_lib = NULL, *own_file = NULL, *text = NULL, *changed = NULL;
	g_autoptr(GError) error = NULL;

	copy->path = g_build_filename(dir, "tree", NULL);
	copy->name = g_strdup(tree->name);
	copy->version = g_strdup("0");
	copy->identity = g_strconcat(tree->identity, " with a default", NULL);
	copy->lock = -1;
	own_lib = g_build_filename(copy->path, "lib", NULL);
	own_file = g_build_filename(own_lib, "Kconfig.debug", NULL);
	link_all(tree->path, copy->path, "lib");
	link_all(lib, own_lib, "Kconfig.debug");
	g_file_get_contents(file, &text, NULL, &error);
	g_assert_no_error(error);
	changed = with_default(text);
	g_file_set_contents(own_file, changed, -1, &error);
	g_assert_no_error(error);
	return copy;
}

/* ---- chains ---- */

/* A symbol, and the names and deciders that lead from it to what a person or the tree chose. */
static const struct {
	const char *name, *value;
	struct {
		const char *name;
		enum decider decider;
	} links[6];
} chains[] = {
	{ "DEBUG_PREEMPT", "y", { { "DEBUG_PREEMPT", DECIDED_BY_DEFAULT } } },
	{ "PREEMPT_COUNT",
	  "y",
	  { { "PREEMPT_COUNT", DECIDED_BY_SELECT },
	    { "PREEMPTION", DECIDED_BY_SELECT },
	    { "PREEMPT_BUILD", DECIDED_BY_SELECT },
	    { "PREEMPT", DECIDED_BY_LINE } } },
	{ "PREEMPT_NONE",
	  "n",
	  { { "PREEMPT_NONE", DECIDED_BY_CHOICE }, { "PREEMPT", DECIDED_BY_LINE } } },
	{ "HZ_100",
	  "n",
	  { { "HZ_100", DECIDED_BY_CHOICE }, { "HZ_250", DECIDED_BY_CHOICE_DEFAULT } } },
	{ "RT_MUTEXES",
	  "y",
	  { { "RT_MUTEXES", DECIDED_BY_IMPLY }, { "FUTEX", DECIDED_BY_DEFAULT } } },
	{ "SECURITY", "n", { { "SECURITY", DECIDED_BY_LINE } } },
	{ "SECURITY_NETWORK", "n", { { "SECURITY_NETWORK", DECIDED_BY_CONDITION } } },
	{ "KT_HIDDEN", "n", { { "KT_HIDDEN", DECIDED_BY_NOTHING } } },
	{ "KT_BASE", "n", { { "KT_BASE", DECIDED_BY_NOTHING } } },
	{ "KT_SUGGESTED",
	  "y",
	  { { "KT_SUGGESTED", DECIDED_BY_IMPLY }, { "KT_SUGGESTS", DECIDED_BY_DEFAULT } } },
	{ "KT_HOLDS_TOO",
	  "y",
	  { { "KT_HOLDS_TOO", DECIDED_BY_DEFAULT }, { "KT_ENEMY", DECIDED_BY_DEFAULT } } },
	{ "KT_FREE",
	  "y",
	  { { "KT_FREE", DECIDED_BY_SELECT }, { "KT_HOLDS", DECIDED_BY_DEFAULT } } },
};

static void check_chain(const kconfig_model_t *model, const config_file_t *config, gsize row)
{
	g_autoptr(GPtrArray) chain = explain_chain(model, config, FALSE, chains[row].name);
	const struct reason *first;

	g_test_message("%s", chains[row].name);
	g_assert_cmpuint(chain->len, >, 0);
	first = chain->pdata[0];
	g_assert_cmpstr(first->symbol->value, ==, chains[row].value);
	for (guint i = 0; i < chain->len; i++) {
		const struct reason *reason = chain->pdata[i];

		g_assert_cmpstr(reason->symbol->name, ==, chains[row].links[i].name);
		g_assert_cmpint(reason->decider, ==, chains[row].links[i].decider);
	}
	g_assert_null(chains[row].links[chain->len].name);
}

/* STACKTRACE is selected by way of SLUB_DEBUG, whatever else selects it. */
static void check_stacktrace(const kconfig_model_t *model, const config_file_t *config)
{
	g_autoptr(GPtrArray) chain = explain_chain(model, config, FALSE, "STACKTRACE");
	const struct reason *first = chain->pdata[0], *last = chain->pdata[chain->len - 1];

	g_assert_cmpint(first->decider, ==, DECIDED_BY_SELECT);
	g_assert_true(g_str_has_suffix(first->file, "Kconfig") || strstr(first->file, "Kconfig."));
	g_assert_cmpint(first->line, >, 0);
	g_assert_cmpint(last->decider, !=, DECIDED_BY_SELECT);
}

/* Where the default was put back: the line behind its dependencies. */
static void check_default(const kconfig_model_t *model, const config_file_t *config)
{
	g_autoptr(GPtrArray) chain = explain_chain(model, config, FALSE, "DEBUG_PREEMPT");
	const struct reason *reason = chain->pdata[0];
	const struct kconfig_details *details = kconfig_model_details(model, "DEBUG_PREEMPT");

	g_assert_cmpstr(reason->value, ==, "y");
	g_assert_nonnull(strstr(reason->condition, "PREEMPTION [=y]"));
	g_assert_cmpstr(reason->file, ==, "lib/Kconfig.debug");
	g_assert_cmpint(reason->line, ==, details->definitions[0].line + 3);
	g_assert_nonnull(strstr(details->definitions[0].help, "smp_processor_id"));
}

/* ---- plans ---- */

/* A goal and its settings in order; NULL for one that cannot be had. The plans of the tree's own
 * symbols follow from the Kconfig files of both 6.1 and 6.12. */
static const struct {
	const char *goal;
	gboolean found;
	const char *settings;
} plans[] = {
	{ "DEBUG_PREEMPT=!", TRUE, "DEBUG_PREEMPT=n" },
	{ "PREEMPT=!", TRUE, NULL },
	{ "kt_wanted=y", TRUE, "KT_BASE=y KT_EASY=y KT_ENEMY=n KT_WANTED=y" },
	{ "KT_HIDDEN=y", TRUE, "KT_BASE=y KT_SELECTS=y" },
	{ "KT_FREE=n", TRUE, NULL },
	{ "KT_IMPOSSIBLE=y", FALSE, "" },
	{ "KT_MANY=y", TRUE, "KT_NUMBER=51 KT_MANY=y" },
	{ "KT_NUMBER=30", TRUE, "KT_NUMBER=30" },
	{ "KT_NUMBER=300", FALSE, NULL },
	{ "SECURITY_NETWORK=y", TRUE, "SECURITY=y SECURITY_NETWORK=y" },
	{ "NO_SUCH_SYMBOL=y", FALSE, "" },
};

static char *settings_of(const struct kconfig_plan *plan)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < plan->count; i++)
		g_string_append_printf(text, "%s%s=%s", i ? " " : "", plan->steps[i].name,
		                       plan->steps[i].value);
	return g_string_free(text, FALSE);
}

/* What was found must also be what comes out. */
static void check_plan(const kconfig_model_t *model, gsize row)
{
	const struct kconfig_plan *plan = kconfig_model_plan(model);
	g_autofree char *settings = settings_of(plan);
	const char *value = config_file_get(kconfig_model_config(model), plan->goal);

	g_test_message("%s: %s", plans[row].goal, settings);
	g_assert_cmpint(plan->found, ==, plans[row].found);
	if (plans[row].settings)
		g_assert_cmpstr(settings, ==, plans[row].settings);
	if (plan->found)
		g_assert_cmpstr(value ? value : "n", ==, plan->value);
}

static void test_explain(gconstpointer data)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(kernel_tree_t) tree = copy_tree(data, dir);
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) config =
		config_file_parse(fragment, strlen(fragment), "test", &error);
	struct kconfig_request requests[1 + G_N_ELEMENTS(plans)] = {
		{ .base = config, .details = TRUE },
	};
	g_autoptr(GPtrArray) models = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(plans); i++)
		requests[i + 1] = (struct kconfig_request){ .base = config, .goal = plans[i].goal };
	models = kconfig_resolve(tree, requests, G_N_ELEMENTS(requests), NULL, &error);
	g_assert_no_error(error);
	for (gsize i = 0; i < G_N_ELEMENTS(chains); i++)
		check_chain(models->pdata[0], config, i);
	check_stacktrace(models->pdata[0], config);
	check_default(models->pdata[0], config);
	for (gsize i = 0; i < G_N_ELEMENTS(plans); i++)
		check_plan(models->pdata[i + 1], i);
}

/* On the tree as it is: nobody turns DEBUG_PREEMPT on, and one setting would. */
static void test_as_it_is(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) config =
		config_file_parse(fragment, strlen(fragment), "test", &error);
	struct explain_request request = {
		.tree = tree,
		.config = config,
		.config_name = "test",
		.name = "config_debug_preempt",
	};
	g_autoptr(explanation_t) explanation = explanation_new(&request, NULL, &error);
	const struct reason *reason;

	g_assert_no_error(error);
	g_assert_cmpstr(explanation->symbol->name, ==, "DEBUG_PREEMPT");
	g_assert_cmpstr(explanation->symbol->value, ==, "n");
	reason = explanation->chain->pdata[0];
	g_assert_cmpint(reason->decider, ==, DECIDED_BY_NOTHING);
	g_assert_true(explanation->confirmed);
	g_assert_cmpuint(explanation->plan->count, ==, 1);
}

static void add(const kernel_tree_t *tree, const char *name, GTestDataFunc function)
{
	g_autofree char *path = g_strdup_printf("/explain_tree/%s/%s", tree->name, name);

	g_test_add_data_func(path, tree, function);
}

static void add_tests(const kernel_tree_t *tree)
{
	add(tree, "copy", test_explain);
	add(tree, "as-it-is", test_as_it_is);
}

static void test_skipped(void)
{
	g_test_skip("KCOST_TEST_TREE names no kernel tree");
}

int main(int argc, char **argv)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *cache = g_build_filename(dir, "cache", NULL);

	g_setenv("KCOST_CACHE", cache, TRUE);
	g_test_init(&argc, &argv, NULL);
	if (!tree_test_each(add_tests))
		g_test_add_func("/explain_tree/skipped", test_skipped);
	return g_test_run();
}
