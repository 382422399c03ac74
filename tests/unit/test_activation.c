/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "pricelist/activation.h"
#include "pricelist/option_facts.h"

/* What the table of this kcost says of options, against what the kernel's sources do with their
 * boot parameters (the functions named are those of Linux 6.1). */
static const struct {
	const char *name, *option, *config, *cmdline;
	gboolean active;
	const char *by;
} cases[] = {
	/* early_debug_pagealloc(), and DEBUG_PAGEALLOC_ENABLE_DEFAULT. */
	{ "pagealloc", "DEBUG_PAGEALLOC", "CONFIG_DEBUG_PAGEALLOC=y\n", "quiet", FALSE, NULL },
	{ "pagealloc-on", "DEBUG_PAGEALLOC", "CONFIG_DEBUG_PAGEALLOC=y\n", "debug_pagealloc=on",
	  TRUE, "debug_pagealloc=on" },
	{ "pagealloc-1", "DEBUG_PAGEALLOC", "CONFIG_DEBUG_PAGEALLOC=y\n", "debug-pagealloc=1", TRUE,
	  "debug-pagealloc=1" },
	{ "pagealloc-default", "DEBUG_PAGEALLOC", "CONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT=y\n", "",
	  TRUE, "CONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT=y" },
	{ "pagealloc-default-off", "DEBUG_PAGEALLOC", "CONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT=y\n",
	  "debug_pagealloc=off", FALSE, "debug_pagealloc=off" },
	/* setup_slub_debug(). */
	{ "slub", "SLUB_DEBUG", "CONFIG_SLUB_DEBUG=y\n", NULL, FALSE, NULL },
	{ "slub-all", "SLUB_DEBUG", "CONFIG_SLUB_DEBUG=y\n", "slub_debug", TRUE, "slub_debug" },
	{ "slub-some", "SLUB_DEBUG", "CONFIG_SLUB_DEBUG=y\n", "slub_debug=FZ,kmalloc-64", TRUE,
	  "slub_debug=FZ,kmalloc-64" },
	{ "slub-on", "SLUB_DEBUG", "CONFIG_SLUB_DEBUG_ON=y\n", "", TRUE, "CONFIG_SLUB_DEBUG_ON=y" },
	{ "slub-off", "SLUB_DEBUG", "CONFIG_SLUB_DEBUG_ON=y\n", "slub_debug=-", FALSE,
	  "slub_debug=-" },
	{ "slub-newer", "SLUB_DEBUG", "CONFIG_SLUB_DEBUG=y\n", "slab_debug=P", TRUE,
	  "slab_debug=P" },
	/* early_init_on_alloc(): on with the option, until the parameter says otherwise. */
	{ "init", "INIT_ON_ALLOC_DEFAULT_ON", "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n", "", TRUE,
	  NULL },
	{ "init-off", "INIT_ON_ALLOC_DEFAULT_ON", "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n",
	  "init_on_alloc=0", FALSE, "init_on_alloc=0" },
	/* param_set_sample_interval(): 0 stops it. */
	{ "kfence", "KFENCE", "CONFIG_KFENCE_SAMPLE_INTERVAL=100\n", "", TRUE,
	  "CONFIG_KFENCE_SAMPLE_INTERVAL!=0" },
	{ "kfence-0", "KFENCE", "CONFIG_KFENCE_SAMPLE_INTERVAL=0\n", "", FALSE, NULL },
	{ "kfence-0-on", "KFENCE", "CONFIG_KFENCE_SAMPLE_INTERVAL=0\n", "kfence.sample_interval=50",
	  TRUE, "kfence.sample_interval=50" },
	{ "kfence-off", "KFENCE", "CONFIG_KFENCE_SAMPLE_INTERVAL=100\n", "kfence.sample_interval=0",
	  FALSE, "kfence.sample_interval=0" },
	/* lockdep.prove_locking is a module parameter that is 1. */
	{ "lockdep", "PROVE_LOCKING", "CONFIG_PROVE_LOCKING=y\n", "", TRUE, NULL },
	{ "lockdep-off", "PROVE_LOCKING", "CONFIG_PROVE_LOCKING=y\n", "lockdep.prove_locking=0",
	  FALSE, "lockdep.prove_locking=0" },
	/* setup_psi(). */
	{ "psi", "PSI", "CONFIG_PSI=y\n# CONFIG_PSI_DEFAULT_DISABLED is not set\n", "", TRUE,
	  "CONFIG_PSI_DEFAULT_DISABLED=n" },
	{ "psi-disabled", "PSI", "CONFIG_PSI_DEFAULT_DISABLED=y\n", "", FALSE, NULL },
	{ "psi-disabled-on", "PSI", "CONFIG_PSI_DEFAULT_DISABLED=y\n", "psi=yes", TRUE, "psi=yes" },
	/* cgroup_disable= takes a list. */
	{ "memcg", "MEMCG", "CONFIG_MEMCG=y\n", "", TRUE, NULL },
	{ "memcg-off", "MEMCG", "CONFIG_MEMCG=y\n", "cgroup_disable=pids,memory", FALSE,
	  "cgroup_disable=pids,memory" },
	{ "page-owner", "PAGE_OWNER", "CONFIG_PAGE_OWNER=y\n", NULL, FALSE, NULL },
	{ "unknown", "NO_SUCH_OPTION", "CONFIG_A=y\n", "no_such_option=0", TRUE, NULL },
	/* How the kernel splits its command line: parse_args(), next_arg(). */
	{ "last-wins", "PSI", "CONFIG_A=y\n", "psi=0 psi=1", TRUE, "psi=1" },
	{ "last-wins-off", "PSI", "CONFIG_A=y\n", "psi=1 psi=0", FALSE, "psi=0" },
	{ "longer-name", "PSI", "CONFIG_PSI_DEFAULT_DISABLED=y\n", "psi2=1 xpsi=1", FALSE, NULL },
	{ "no-value", "PSI", "CONFIG_PSI_DEFAULT_DISABLED=y\n", "psi", FALSE, NULL },
	{ "in-quotes", "PSI", "CONFIG_PSI_DEFAULT_DISABLED=y\n", "a=\"b psi=1\"", FALSE, NULL },
	{ "value-in-quotes", "PSI", "CONFIG_PSI_DEFAULT_DISABLED=y\n", "psi=\"1\"", TRUE, "psi=1" },
	{ "of-init", "PSI", "CONFIG_PSI_DEFAULT_DISABLED=y\n", "quiet -- psi=1", FALSE, NULL },
};

static option_facts_t *load_facts(void)
{
	g_autoptr(GError) error = NULL;
	option_facts_t *facts = option_facts_load(&error);

	g_assert_no_error(error);
	return facts;
}

static config_file_t *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	config_file_t *config = config_file_parse(text, strlen(text), "test", &error);

	g_assert_no_error(error);
	return config;
}

static void test_case(gconstpointer data)
{
	const typeof(cases[0]) *row = data;
	g_autoptr(option_facts_t) facts = load_facts();
	const struct option_fact *fact = option_facts_find(facts, row->option);
	g_autoptr(config_file_t) config = parse(row->config);
	g_auto(activation_t) activation = { 0 };

	activation_decide(fact ? fact->on : NULL, fact ? fact->off : NULL, config, row->cmdline,
	                  &activation);
	g_assert_cmpint(activation.active, ==, row->active);
	g_assert_cmpstr(activation.by, ==, row->by);
	if (activation.active)
		g_assert_null(activation.how);
}

/* The parameter of an option that is off. */
static const struct {
	const char *name, *option, *cmdline, *word;
} stand_ins[] = {
	{ "init", "INIT_ON_ALLOC_DEFAULT_ON", "init_on_alloc=1", "init_on_alloc=1" },
	{ "init-on", "INIT_ON_ALLOC_DEFAULT_ON", "quiet init_on_alloc=on", "init_on_alloc=on" },
	{ "init-off", "INIT_ON_ALLOC_DEFAULT_ON", "init_on_alloc=0", NULL },
	{ "init-then-off", "INIT_ON_ALLOC_DEFAULT_ON", "init_on_alloc=1 init_on_alloc=0", NULL },
	{ "none", "INIT_ON_ALLOC_DEFAULT_ON", "", NULL },
	/* It needs the code, which is not there. */
	{ "poison", "PAGE_POISONING", "page_poison=1", NULL },
};

static void test_stand_in(gconstpointer data)
{
	const typeof(stand_ins[0]) *row = data;
	g_autoptr(option_facts_t) facts = load_facts();
	const struct option_fact *fact = option_facts_find(facts, row->option);
	g_autofree char *word = activation_stand_in(fact->on, fact->off, row->cmdline);

	g_assert_cmpstr(word, ==, row->word);
}

static void test_text(void)
{
	g_autoptr(option_facts_t) facts = load_facts();
	g_autofree char *slub = activation_text(option_facts_find(facts, "SLUB_DEBUG")->on);
	g_autofree char *init =
		activation_text(option_facts_find(facts, "INIT_ON_ALLOC_DEFAULT_ON")->on);
	g_auto(GStrv) ways = activation_parse("page_owner=on or CONFIG_X=y");

	g_assert_cmpstr(slub, ==, "CONFIG_SLUB_DEBUG_ON=y or slub_debug or slab_debug");
	g_assert_null(init);
	g_assert_cmpuint(g_strv_length(ways), ==, 2);
	g_assert_cmpstr(ways[1], ==, "CONFIG_X=y");
}

/* arch/x86/kernel/setup.c: the built-in command line comes first, or is the only one. */
static const struct {
	const char *name, *config, *cmdline, *result;
} cmdlines[] = {
	{ "none", "CONFIG_A=y\n", NULL, "" },
	{ "given", "CONFIG_A=y\n", "quiet", "quiet" },
	{ "both", "CONFIG_CMDLINE_BOOL=y\nCONFIG_CMDLINE=\"a=\\\"b c\\\" d\"\n", "quiet",
	  "a=\"b c\" d quiet" },
	{ "built-in", "CONFIG_CMDLINE_BOOL=y\nCONFIG_CMDLINE=\"d\"\n", NULL, "d" },
	{ "override", "CONFIG_CMDLINE_BOOL=y\nCONFIG_CMDLINE=\"d\"\nCONFIG_CMDLINE_OVERRIDE=y\n",
	  "quiet", "d" },
	{ "not-used", "# CONFIG_CMDLINE_BOOL is not set\nCONFIG_CMDLINE=\"d\"\n", "quiet",
	  "quiet" },
	{ "empty", "CONFIG_CMDLINE=\"\"\n", "quiet", "quiet" },
};

static void test_cmdline(gconstpointer data)
{
	const typeof(cmdlines[0]) *row = data;
	g_autoptr(config_file_t) config = parse(row->config);
	g_autofree char *result = activation_cmdline(config, row->cmdline);

	g_assert_cmpstr(result, ==, row->result);
}

/* The table that is shipped: enough options, and every word of it understood. */
static void test_facts(void)
{
	g_autoptr(option_facts_t) facts = load_facts();
	const GPtrArray *all = option_facts_all(facts);
	g_autoptr(GPtrArray) classes = option_facts_classes(facts);

	g_assert_cmpuint(all->len, >=, 60);
	g_assert_cmpuint(classes->len, >=, 6);
	g_assert_true(g_ptr_array_find_with_equal_func(classes, "hardening", g_str_equal, NULL));
	for (guint i = 0; i < all->len; i++) {
		const struct option_fact *fact = all->pdata[i];

		for (char **item = fact->on; *item; item++)
			g_assert_true(g_regex_match_simple(
				"^(CONFIG_[A-Z0-9_]+!?=[a-z0-9]+|[+]?[a-z0-9_.]+(=[a-z0-9_*-]+)?"
				"|[a-z]+:[a-z0-9_./]+)$",
				*item, 0, 0));
		for (char **item = fact->off; *item; item++)
			g_assert_true(
				g_regex_match_simple("^[a-z0-9_.]+(=[a-z0-9_*-]+)?$", *item, 0, 0));
		g_assert_true(g_regex_match_simple("^[A-Z0-9_]+$", fact->option, 0, 0));
	}
}

static const struct {
	const char *name, *text;
} bad_facts[] = {
	{ "few-fields", "A\tdebug\t-\t-\n" },
	{ "many-fields", "A\tdebug\t-\t-\t-\t-\n" },
	{ "no-name", "-\tdebug\t-\t-\t-\n" },
	{ "no-class", "A\t-\t-\t-\t-\n" },
	{ "twice", "A\tdebug\t-\t-\t-\nA\tdebug\t-\t-\t-\n" },
	{ "blanks", "A debug - - -\n" },
};

static void test_bad_facts(gconstpointer data)
{
	const typeof(bad_facts[0]) *row = data;
	g_autofree char *text = g_strconcat("# comment\n\n", row->text, NULL);
	g_autoptr(GError) error = NULL;

	g_assert_null(option_facts_parse(text, "F.tsv", &error));
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	g_assert_nonnull(strstr(error->message,
	                        strcmp(row->name, "twice") ? "F.tsv, line 3" : "F.tsv, line 4"));
}

#define ADD_TABLE(table, prefix, function)                                           \
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {                            \
		g_autofree char *path =                                              \
			g_strconcat("/activation/" prefix "/", table[i].name, NULL); \
		g_test_add_data_func(path, &table[i], function);                     \
	}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD_TABLE(cases, "case", test_case)
	ADD_TABLE(stand_ins, "stand-in", test_stand_in)
	ADD_TABLE(cmdlines, "cmdline", test_cmdline)
	ADD_TABLE(bad_facts, "bad-facts", test_bad_facts)
	g_test_add_func("/activation/text", test_text);
	g_test_add_func("/activation/facts", test_facts);
	return g_test_run();
}
