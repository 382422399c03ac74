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
	"config KT_BASE\n\tbool \"base\"\n"
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
	"\nconfig KT_MANY\n\tbool \"many\"\n\tdepends on KT_NUMBER > 50\n"
	"\nchoice\n\tprompt \"number\"\n\tdefault KT_TWO\n"
	"\nconfig KT_ONE\n\tbool \"one\"\n"
	"\nconfig KT_TWO\n\tbool \"two\"\n"
	"\nendchoice\n"
	"\nmenu \"Kt outer\"\n"
	"\nconfig KT_OUTER\n\tbool \"outer\"\n"
	"\nif KT_BASE\n"
	"\nmenuconfig KT_INNER\n\tbool \"Kt inner\"\n"
	"\nconfig KT_BELOW\n\tbool \"below\"\n\tdepends on KT_INNER\n"
	"\nendif\n"
	"\nconfig KT_SIZE\n\tint \"size\"\n"
	"\nendmenu\n";

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
	return g_strdup_printf("%.*s\n\tdefault y%s", (int)(help - text), text, help);
}

static void write_file(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, text, -1, &error);
	g_assert_no_error(error);
}

static kernel_tree_t *new_copy(const kernel_tree_t *tree, const char *dir, const char *kind)
{
	kernel_tree_t *copy = g_new0(kernel_tree_t, 1);

	copy->path = g_build_filename(dir, kind, NULL);
	copy->kconfig = g_strconcat(tree->kconfig, kind, NULL);
	copy->lock = -1;
	return copy;
}

/* The tree with nothing but our own symbols. */
static kernel_tree_t *make_own(const kernel_tree_t *tree, const char *dir)
{
	kernel_tree_t *copy = new_copy(tree, dir, "own");

	link_all(tree->path, copy->path, "Kconfig");
	write_file(copy->path, "Kconfig", own_symbols);
	return copy;
}

/* The tree with the default. */
static kernel_tree_t *make_defaulted(const kernel_tree_t *tree, const char *dir)
{
	kernel_tree_t *copy = new_copy(tree, dir, "default");
	g_autofree char *lib = g_build_filename(tree->path, "lib", NULL);
	g_autofree char *file = g_build_filename(lib, "Kconfig.debug", NULL);
	g_autofree char *own_lib = g_build_filename(copy->path, "lib", NULL);
	g_autofree char *text = NULL, *changed = NULL;
	g_autoptr(GError) error = NULL;

	link_all(tree->path, copy->path, "lib");
	link_all(lib, own_lib, "Kconfig.debug");
	g_file_get_contents(file, &text, NULL, &error);
	g_assert_no_error(error);
	changed = with_default(text);
	write_file(own_lib, "Kconfig.debug", changed);
	return copy;
}

/* ---- chains ---- */

/* A symbol, and the names and deciders that lead from it to what a person or the tree chose. */
struct chain_case {
	const char *name, *value;
	struct {
		const char *name;
		enum decider decider;
	} links[6];
};

static const struct chain_case real_chains[] = {
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
};

static const struct chain_case own_chains[] = {
	{ "KT_HIDDEN", "n", { { "KT_HIDDEN", DECIDED_BY_NOTHING } } },
	{ "KT_BASE", "n", { { "KT_BASE", DECIDED_BY_NOTHING } } },
	{ "KT_SUGGESTED",
	  "y",
	  { { "KT_SUGGESTED", DECIDED_BY_IMPLY }, { "KT_SUGGESTS", DECIDED_BY_DEFAULT } } },
	{ "KT_HOLDS_TOO",
	  "y",
	  { { "KT_HOLDS_TOO", DECIDED_BY_DEFAULT }, { "KT_ENEMY", DECIDED_BY_DEFAULT } } },
	{ "KT_ONE",
	  "n",
	  { { "KT_ONE", DECIDED_BY_CHOICE }, { "KT_TWO", DECIDED_BY_CHOICE_DEFAULT } } },
	{ "KT_NEVER", "n", { { "KT_NEVER", DECIDED_BY_NOTHING } } },
	{ "KT_WANTED", "n", { { "KT_WANTED", DECIDED_BY_CONDITION } } },
	{ "KT_FREE",
	  "y",
	  { { "KT_FREE", DECIDED_BY_SELECT }, { "KT_HOLDS", DECIDED_BY_DEFAULT } } },
};

static void check_chain(const kconfig_model_t *model, const config_file_t *config,
                        const struct chain_case *right)
{
	g_autoptr(GPtrArray) chain = explain_chain(model, config, FALSE, right->name);
	const struct reason *first;

	g_test_message("%s", right->name);
	g_assert_cmpuint(chain->len, >, 0);
	first = chain->pdata[0];
	g_assert_cmpstr(first->symbol->value, ==, right->value);
	for (guint i = 0; i < chain->len; i++) {
		const struct reason *reason = chain->pdata[i];

		g_assert_cmpstr(reason->symbol->name, ==, right->links[i].name);
		g_assert_cmpint(reason->decider, ==, right->links[i].decider);
	}
	g_assert_null(right->links[chain->len].name);
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
struct plan_case {
	const char *goal;
	gboolean found;
	const char *settings;
};

static const struct plan_case real_plans[] = {
	{ "DEBUG_PREEMPT=!", TRUE, "DEBUG_PREEMPT=n" },
	{ "SECURITY_NETWORK=y", TRUE, "SECURITY=y SECURITY_NETWORK=y" },
	{ "preempt=!", TRUE, "PREEMPT_NONE=y" },
};

static const struct plan_case own_plans[] = {
	{ "kt_wanted=y", TRUE, "KT_BASE=y KT_EASY=y KT_ENEMY=n KT_WANTED=y" },
	{ "KT_HIDDEN=y", TRUE, "KT_BASE=y KT_SELECTS=y" },
	{ "KT_FREE=!", TRUE, "KT_HOLDS=n KT_HOLDS_TOO=n KT_FREE=n" },
	{ "KT_IMPOSSIBLE=y", FALSE, "" },
	{ "KT_MANY=y", TRUE, "KT_NUMBER=51 KT_MANY=y" },
	{ "KT_NUMBER=30", TRUE, "KT_NUMBER=30" },
	{ "KT_NUMBER=300", FALSE, "" },
	{ "KT_NUMBER=!", FALSE, "" },
	{ "KT_TWO=!", TRUE, "KT_ONE=y" },
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
static void check_plan(const kconfig_model_t *model, const struct plan_case *right)
{
	const struct kconfig_plan *plan = kconfig_model_plan(model);
	g_autofree char *settings = settings_of(plan);
	const char *value = config_file_get(kconfig_model_config(model), plan->goal);

	g_test_message("%s: %s", right->goal, settings);
	g_assert_cmpint(plan->found, ==, right->found);
	g_assert_cmpstr(settings, ==, right->settings);
	if (plan->found)
		g_assert_cmpstr(value ? value : "n", ==, plan->value);
}

/* Resolves @config with details, and with each plan; the first model is the one with details. */
static GPtrArray *resolve(const kernel_tree_t *tree, const config_file_t *config,
                          const struct plan_case *plans, gsize count)
{
	g_autofree struct kconfig_request *requests = g_new0(struct kconfig_request, count + 1);
	g_autoptr(GError) error = NULL;
	GPtrArray *models;

	requests[0] = (struct kconfig_request){ .base = config, .details = TRUE };
	for (gsize i = 0; i < count; i++)
		requests[i + 1] = (struct kconfig_request){ .base = config, .goal = plans[i].goal };
	models = kconfig_resolve(tree, requests, count + 1, NULL, &error);
	g_assert_no_error(error);
	return models;
}

static config_file_t *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	config_file_t *config = config_file_parse(text, strlen(text), "test", &error);

	g_assert_no_error(error);
	return config;
}

/* A title, and the options that stand below it in own_symbols. */
static const char *const own_menus[][2] = {
	{ "kt OUTER", "KT_OUTER KT_INNER KT_BELOW" },
	{ "Kt inner", "KT_BELOW" },
	/* A choice; and what Kconfig itself puts below the option before it, which it depends on.
	 */
	{ "number", "KT_MANY KT_ONE KT_TWO" },
};

static void check_menu(const kconfig_model_t *model, const char *title, const char *right)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) options = kconfig_model_menu(model, title, &error);
	g_autofree char *text = NULL;

	g_assert_no_error(error);
	g_ptr_array_add(options, NULL);
	text = g_strjoinv(" ", (char **)options->pdata);
	g_assert_cmpstr(text, ==, right);
}

static void test_own(gconstpointer data)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(kernel_tree_t) tree = make_own(data, dir);
	g_autoptr(config_file_t) config = parse("CONFIG_KT_NEVER=y\n");
	g_autoptr(GPtrArray) models = resolve(tree, config, own_plans, G_N_ELEMENTS(own_plans));

	for (gsize i = 0; i < G_N_ELEMENTS(own_chains); i++)
		check_chain(models->pdata[0], config, &own_chains[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(own_menus); i++)
		check_menu(models->pdata[0], own_menus[i][0], own_menus[i][1]);
	for (gsize i = 0; i < G_N_ELEMENTS(own_plans); i++)
		check_plan(models->pdata[i + 1], &own_plans[i]);
}

static void test_default(gconstpointer data)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(kernel_tree_t) tree = make_defaulted(data, dir);
	g_autoptr(config_file_t) config = parse(fragment);
	g_autoptr(GPtrArray) models = resolve(tree, config, real_plans, G_N_ELEMENTS(real_plans));

	for (gsize i = 0; i < G_N_ELEMENTS(real_chains); i++)
		check_chain(models->pdata[0], config, &real_chains[i]);
	check_stacktrace(models->pdata[0], config);
	check_default(models->pdata[0], config);
	for (gsize i = 0; i < G_N_ELEMENTS(real_plans); i++)
		check_plan(models->pdata[i + 1], &real_plans[i]);
}

static void add(const kernel_tree_t *tree, const char *name, GTestDataFunc function)
{
	g_autofree char *path = g_strdup_printf("/explain_tree/%s/%s", tree->name, name);

	g_test_add_data_func(path, tree, function);
}

static void add_tests(const kernel_tree_t *tree)
{
	add(tree, "own", test_own);
	add(tree, "default", test_default);
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
