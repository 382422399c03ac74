/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#include "audit/gates.h"
#include "audit/render.h"
#include "base/error.h"
#include "base/paths.h"

#define X86 "# Linux/x86 6.1.5 Kernel Configuration\n"
#define HACKBENCH 0 /* the fixture's columns */
#define SYSCALL 1

/* Audits @config with the fixture's prices, which are made up (tests/unit/data/prices). */
static audit_t *audit_text_of(const char *config, const char *cmdline, const price_list_t *list)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *path = g_build_filename(dir, "test.config", NULL);
	g_autofree char *prices =
		g_build_filename(g_getenv("KCOST_TEST_DATA"), "prices", "fixture.csv", NULL);
	const struct audit_request request = {
		.config = path, .root = "", .prices = prices, .list = list, .cmdline = cmdline
	};
	g_autoptr(GError) error = NULL;
	audit_t *audit;

	g_assert_true(g_file_set_contents(path, config, -1, NULL));
	audit = audit_new(&request, &error);
	g_assert_no_error(error);
	return audit;
}

/* A configuration and a boot, and what of one option is said. */
static const struct {
	const char *name, *config, *cmdline, *option;
	gboolean listed; /* it has a row */
	gboolean charged, active;
	double hackbench; /* the price; NaN: none */
	enum audit_origin origin;
} matches[] = {
	{ "on", "CONFIG_DEBUG_PREEMPT=y\n", "", "DEBUG_PREEMPT", TRUE, TRUE, TRUE, 28.1235,
	  ORIGIN_CHOICE },
	{ "off", "# CONFIG_DEBUG_PREEMPT is not set\nCONFIG_A=y\n", "", "DEBUG_PREEMPT", FALSE,
	  FALSE, FALSE, NAN, 0 },
	{ "not-there", "CONFIG_A=y\n", "", "DEBUG_PREEMPT", FALSE, FALSE, FALSE, NAN, 0 },
	{ "module", "CONFIG_DEBUG_PREEMPT=m\n", "", "DEBUG_PREEMPT", TRUE, TRUE, TRUE, 28.1235,
	  ORIGIN_CHOICE },
	{ "odd", "CONFIG_DEBUG_PREEMPT=yes\n", "", "DEBUG_PREEMPT", FALSE, FALSE, FALSE, NAN, 0 },
	{ "default", "CONFIG_SLUB_DEBUG=y\nCONFIG_SLUB_DEBUG_ON=y\n", "", "SLUB_DEBUG", TRUE, TRUE,
	  TRUE, 0.5, ORIGIN_DEFAULT },
	/* Dormant, and the price is of it dormant: that is paid. */
	{ "dormant", "CONFIG_PAGE_POISONING=y\n", "quiet", "PAGE_POISONING", TRUE, TRUE, FALSE,
	  0.02, ORIGIN_CHOICE },
	{ "active-dormant-price", "CONFIG_PAGE_POISONING=y\n", "page_poison=1", "PAGE_POISONING",
	  TRUE, TRUE, TRUE, 0.02, ORIGIN_CHOICE },
	/* Of two prices the one that fits. */
	{ "two-dormant", "CONFIG_DEBUG_PAGEALLOC=y\n", "", "DEBUG_PAGEALLOC", TRUE, TRUE, FALSE,
	  0.3, ORIGIN_CHOICE },
	{ "two-active", "CONFIG_DEBUG_PAGEALLOC=y\n", "debug_pagealloc=on", "DEBUG_PAGEALLOC", TRUE,
	  TRUE, TRUE, 90, ORIGIN_CHOICE },
	/* The price is of it active, and it is not: nothing is charged. */
	{ "price-of-active", "CONFIG_INIT_ON_ALLOC_DEFAULT_ON=y\n", "init_on_alloc=0",
	  "INIT_ON_ALLOC_DEFAULT_ON", TRUE, FALSE, FALSE, 4, ORIGIN_CHOICE },
	{ "by-parameter", "CONFIG_A=y\n", "init_on_alloc=1", "INIT_ON_ALLOC_DEFAULT_ON", TRUE, TRUE,
	  TRUE, 4, ORIGIN_DEFAULT },
	{ "by-own-cmdline",
	  "CONFIG_CMDLINE_BOOL=y\nCONFIG_CMDLINE=\"debug_pagealloc=on\"\n"
	  "CONFIG_DEBUG_PAGEALLOC=y\n",
	  NULL, "DEBUG_PAGEALLOC", TRUE, TRUE, TRUE, 90, ORIGIN_CHOICE },
	{ "choice", "CONFIG_PREEMPT_NONE=y\n", "", "PREEMPT_NONE", TRUE, TRUE, TRUE, -3,
	  ORIGIN_CHOICE },
	{ "number", "CONFIG_LOG_BUF_SHIFT=20\n", "", "LOG_BUF_SHIFT", TRUE, TRUE, TRUE, 0,
	  ORIGIN_CHOICE },
	{ "other-number", "CONFIG_LOG_BUF_SHIFT=19\n", "", "LOG_BUF_SHIFT", FALSE, FALSE, FALSE,
	  NAN, 0 },
	{ "listed-without-price", "CONFIG_KASAN=y\n", "", "KASAN", TRUE, FALSE, TRUE, NAN,
	  ORIGIN_CHOICE },
	{ "known-but-not-listed", "CONFIG_DEBUG_SG=y\n", "", "DEBUG_SG", TRUE, FALSE, TRUE, NAN,
	  ORIGIN_UNKNOWN },
	{ "unknown", "CONFIG_NO_SUCH_OPTION=y\n", "", "NO_SUCH_OPTION", FALSE, FALSE, FALSE, NAN,
	  0 },
};

static void test_match(gconstpointer data)
{
	const typeof(matches[0]) *match = data;
	g_autofree char *config = g_strconcat(X86, match->config, NULL);
	g_autoptr(audit_t) audit = audit_text_of(config, match->cmdline, NULL);
	const struct audit_row *row = audit_find(audit, match->option);

	g_assert_cmpint(row != NULL, ==, match->listed);
	if (!row)
		return;
	g_assert_cmpint(row->charged, ==, match->charged);
	g_assert_cmpint(row->activation.active, ==, match->active);
	g_assert_cmpint(row->origin, ==, match->origin);
	if (isnan(match->hackbench))
		g_assert_true(isnan(row->dearest));
	else
		g_assert_cmpfloat(row->costs[HACKBENCH]->cost, ==, match->hackbench);
}

static void test_understated(void)
{
	g_autoptr(audit_t) audit = audit_text_of(
		X86 "CONFIG_PAGE_POISONING=y\nCONFIG_SLUB_DEBUG=y\n", "page_poison=1", NULL);

	g_assert_true(audit_find(audit, "PAGE_POISONING")->understated);
	g_assert_false(audit_find(audit, "SLUB_DEBUG")->understated);
}

/* 250 + 28.1235 for hackbench, and 1.25 for the system call: DEBUG_SPINLOCK's 12 is in
 * PROVE_LOCKING's price, which has none for the system call. */
static void test_sums(void)
{
	g_autoptr(audit_t) audit =
		audit_text_of(X86 "CONFIG_DEBUG_PREEMPT=y\nCONFIG_DEBUG_SPINLOCK=y\n"
	                          "CONFIG_PROVE_LOCKING=y\n",
	                      "", NULL);
	const struct audit_column *hackbench = audit->columns->pdata[HACKBENCH];
	const struct audit_column *syscall = audit->columns->pdata[SYSCALL];
	const struct audit_row *row = audit->rows->pdata[0];

	g_assert_cmpfloat_with_epsilon(hackbench->sum, 278.1235, 1e-9);
	g_assert_cmpuint(hackbench->counted, ==, 2);
	g_assert_cmpfloat_with_epsilon(syscall->sum, 1.25, 1e-9);
	g_assert_cmpuint(syscall->counted, ==, 1);
	/* Dearest first. */
	g_assert_cmpstr(row->option, ==, "PROVE_LOCKING");
	g_assert_cmpstr(audit_find(audit, "DEBUG_SPINLOCK")->within->option, ==, "PROVE_LOCKING");
	g_assert_null(row->within);
	g_assert_cmpuint(audit->on, ==, 3);
}

/* The warning that a configuration gets, or none. */
static const struct {
	const char *name, *config, *cmdline, *says;
	gboolean does;
} warnings[] = {
	{ "same-series", X86 "CONFIG_A=y\n", "", "matched by name", FALSE },
	{ "other-version", "# Linux/x86 6.12.1 Kernel Configuration\nCONFIG_A=y\n", "",
	  "of Linux 6.1.99, the configuration is of 6.12.1", TRUE },
	{ "other-arch", "# Linux/arm64 6.1.1 Kernel Configuration\nCONFIG_A=y\n", "",
	  "of x86_64, the configuration is of arm64", TRUE },
	{ "32-bit", X86 "# CONFIG_64BIT is not set\nCONFIG_X86_32=y\n", "",
	  "the configuration is of i386", TRUE },
	{ "fragment", "CONFIG_A=y\n", "", "no header of Kconfig's", TRUE },
	{ "no-fragment", X86 "CONFIG_A=y\n", "", "no header of Kconfig's", FALSE },
	{ "no-cmdline", X86 "CONFIG_A=y\n", NULL, "boot parameters are not known", TRUE },
	{ "cmdline", X86 "CONFIG_A=y\n", "", "boot parameters are not known", FALSE },
	{ "contradiction", X86 "CONFIG_A=y\nCONFIG_A=m\n", "",
	  "1 of its lines contradict an earlier line; the later one counts; the first is line 3: A",
	  TRUE },
	{ "commented-out", X86 "CONFIG_A=y\n#CONFIG_B=y\n#CONFIG_C=y\n", "",
	  "2 of its lines are commented out and set nothing; the first is line 3: #CONFIG_B=y",
	  TRUE },
};

static void test_warning(gconstpointer data)
{
	const typeof(warnings[0]) *row = data;
	g_autoptr(audit_t) audit = audit_text_of(row->config, row->cmdline, NULL);
	gboolean found = FALSE;

	for (guint i = 0; i < audit->warnings->len; i++)
		found |= strstr(audit->warnings->pdata[i], row->says) != NULL;
	g_assert_cmpint(found, ==, row->does);
}

/* Gates against one configuration, in which DEBUG_PREEMPT, PAGE_POISONING and SLUB_DEBUG_ON are on.
 */
static const struct {
	const char *name, *max_cost, *fail_on, *cmdline;
	guint exceeded;
	const char *says; /* the first sentence has it */
} gates[] = {
	{ "none", NULL, NULL, "", 0, NULL },
	{ "below", "70%", NULL, "", 0, NULL },
	/* 28.1235 has an interval from 27.8: not above 28 beyond doubt; SLUB_DEBUG_ON's 60 is. */
	{ "doubt", "28%", NULL, "", 1, "SLUB_DEBUG_ON=y costs hackbench-process-sockets groups=1" },
	{ "above", "27%", NULL, "", 2, NULL },
	{ "of-a-workload", "syscall-null=1%", NULL, "", 1,
	  "DEBUG_PREEMPT=y costs syscall-null 1.25" },
	{ "own-limit", "hackbench-process-sockets=99%", NULL, "", 0, NULL },
	{ "name", NULL, "DEBUG_PREEMPT", "", 1, "DEBUG_PREEMPT: it is y" },
	{ "name-config", NULL, "CONFIG_DEBUG_PREEMPT", "", 1, NULL },
	{ "name-off", NULL, "DEBUG_LIST", "", 0, NULL },
	{ "name-dormant", NULL, "PAGE_POISONING", "", 1, NULL },
	{ "class", NULL, "class:debug", "", 2, NULL },
	{ "class-dormant", NULL, "class:hardening", "", 0, NULL },
	{ "class-active", NULL, "class:hardening", "page_poison=1", 1,
	  "class:hardening: PAGE_POISONING=y" },
	{ "list", NULL, "DEBUG_LIST, DEBUG_PREEMPT,class:tracing", "", 1, NULL },
};

static const char gated_config[] =
	X86 "CONFIG_DEBUG_PREEMPT=y\nCONFIG_PAGE_POISONING=y\nCONFIG_SLUB_DEBUG_ON=y\n"
	    "# CONFIG_DEBUG_LIST is not set\n";

static audit_gates_t *parse_gates(const char *max_cost, const char *fail_on, GError **error)
{
	char *limits[] = { (char *)max_cost, NULL }, *names[] = { (char *)fail_on, NULL };

	return audit_gates_parse(limits, names, error);
}

static void test_gate(gconstpointer data)
{
	const typeof(gates[0]) *row = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(audit_gates_t) parsed = parse_gates(row->max_cost, row->fail_on, &error);
	g_autoptr(audit_t) audit = audit_text_of(gated_config, row->cmdline, NULL);
	g_autoptr(GPtrArray) exceeded = NULL;
	g_autoptr(GPtrArray) doubts = NULL;

	g_assert_no_error(error);
	g_assert_true(audit_gates_check(parsed, audit, &error));
	exceeded = audit_gates_exceeded(parsed, audit, NULL);
	doubts = audit_gates_doubts(parsed, audit);
	g_assert_cmpuint(exceeded->len, ==, row->exceeded);
	g_assert_cmpuint(doubts->len, ==, 0);
	if (row->says)
		g_assert_nonnull(strstr(exceeded->pdata[0], row->says));
}

static const struct {
	const char *name, *max_cost, *fail_on, *says;
	gboolean parses; /* and is refused later */
} bad_gates[] = {
	{ "no-number", "five", NULL, "takes a percentage", FALSE },
	{ "no-workload", "nope=1%", NULL, "no workload 'nope'", TRUE },
	{ "no-class", NULL, "class:debgu", "no option is of that class; there are debug", TRUE },
	{ "blank", NULL, "A B", "not 'A B'", FALSE },
	{ "empty", NULL, "A,", "not 'A,'", FALSE },
};

static void test_bad_gate(gconstpointer data)
{
	const typeof(bad_gates[0]) *row = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(audit_gates_t) parsed = parse_gates(row->max_cost, row->fail_on, &error);
	g_autoptr(audit_t) audit = audit_text_of(gated_config, "", NULL);

	g_assert_cmpint(parsed != NULL, ==, row->parses);
	if (parsed)
		g_assert_false(audit_gates_check(parsed, audit, &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, row->says));
}

static void test_misspelt(void)
{
	g_autoptr(audit_gates_t) parsed = parse_gates(NULL, "DEBUG_PREMPT,KASAN", NULL);
	g_autoptr(audit_t) audit = audit_text_of(gated_config, "", NULL);
	g_autoptr(GPtrArray) doubts = audit_gates_doubts(parsed, audit);

	g_assert_cmpuint(doubts->len, ==, 1);
	g_assert_nonnull(strstr(doubts->pdata[0], "DEBUG_PREMPT"));
}

/* The default that came in a version bump. */
static void test_diff(void)
{
	static const char before[] = X86 "CONFIG_PREEMPT_NONE=y\nCONFIG_SLUB_DEBUG_ON=y\n"
					 "CONFIG_DEBUG_SG=y\nCONFIG_HZ=250\nCONFIG_SAME=y\n";
	static const char after[] = X86 "CONFIG_DEBUG_PREEMPT=y\nCONFIG_SLUB_DEBUG_ON=y\n"
					"CONFIG_HZ=1000\nCONFIG_SAME=y\n";
	g_autoptr(audit_t) to = audit_text_of(after, "", NULL);
	g_autoptr(audit_t) from = audit_text_of(before, "", to->list);
	g_autoptr(audit_diff_t) diff = audit_diff_new(from, to);
	g_autoptr(audit_gates_t) parsed = parse_gates("1%", "class:debug", NULL);
	g_autoptr(GPtrArray) exceeded = audit_gates_exceeded(parsed, to, diff);
	const struct audit_difference *first = diff->priced->pdata[0];
	const struct audit_difference *second = diff->priced->pdata[1];

	g_assert_cmpuint(diff->priced->len, ==, 2);
	g_assert_cmpstr(first->option, ==, "DEBUG_PREEMPT");
	g_assert_cmpstr(first->from, ==, "n");
	g_assert_cmpstr(first->to, ==, "y");
	g_assert_cmpfloat(first->change[HACKBENCH], ==, 28.1235);
	/* What saved 3 is gone; the system call has no price there. */
	g_assert_cmpstr(second->option, ==, "PREEMPT_NONE");
	g_assert_cmpfloat(second->change[HACKBENCH], ==, 3);
	g_assert_true(isnan(second->change[SYSCALL]));
	g_assert_cmpfloat_with_epsilon(diff->sums[HACKBENCH], 31.1235, 1e-9);
	g_assert_cmpuint(diff->known->len, ==, 1);
	g_assert_cmpstr(((struct audit_difference *)diff->known->pdata[0])->option, ==, "DEBUG_SG");
	g_assert_cmpuint(diff->others->len, ==, 1);
	/* SLUB_DEBUG_ON is as dear as before, and no news: 28 and 1.25 above 1, and the class. */
	g_assert_cmpuint(exceeded->len, ==, 3);
}

/* What boots otherwise may cost otherwise: SLUB_DEBUG alike, activated by another option. */
static void test_diff_activated(void)
{
	g_autoptr(audit_t) to = audit_text_of(X86 "CONFIG_PAGE_POISONING=y\nCONFIG_CMDLINE_BOOL=y\n"
	                                          "CONFIG_CMDLINE=\"page_poison=1\"\n",
	                                      NULL, NULL);
	g_autoptr(audit_t) from = audit_text_of(X86 "CONFIG_PAGE_POISONING=y\n", NULL, to->list);
	g_autoptr(audit_diff_t) diff = audit_diff_new(from, to);
	const struct audit_difference *difference = diff->priced->pdata[0];

	g_assert_cmpuint(diff->priced->len, ==, 1);
	g_assert_cmpstr(difference->option, ==, "PAGE_POISONING");
	g_assert_cmpstr(difference->from, ==, "dormant");
	g_assert_cmpstr(difference->to, ==, "active");
}

/* In the form of kernel-hardening-checker 0.6.10, json_dump() in its engine.py. */
static const char checks[] =
	"[{\"option_name\": \"CONFIG_INIT_ON_ALLOC_DEFAULT_ON\", \"type\": \"kconfig\", "
	"\"desired_val\": \"y\", \"decision\": \"kspp\", \"reason\": \"self_protection\", "
	"\"check_result\": \"FAIL: \\\"is not set\\\"\", \"check_result_bool\": false},"
	"{\"option_name\": \"CONFIG_NO_SUCH\", \"type\": \"kconfig\", \"desired_val\": \"y\"},"
	"{\"option_name\": \"kernel.kptr_restrict\", \"type\": \"sysctl\"}]";

static void test_annotate(void)
{
	g_autoptr(audit_t) audit = audit_text_of(X86 "CONFIG_A=y\n", "", NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *text = audit_annotate(audit, checks, "khc.json", &error);
	g_autoptr(JsonParser) parser = json_parser_new();
	JsonArray *array, *prices;
	JsonObject *cost;

	g_assert_no_error(error);
	g_assert_true(json_parser_load_from_data(parser, text, -1, NULL));
	array = json_node_get_array(json_parser_get_root(parser));
	g_assert_cmpuint(json_array_get_length(array), ==, 3);
	cost = json_array_get_object_element(array, 0);
	g_assert_cmpstr(json_object_get_string_member(cost, "decision"), ==, "kspp");
	cost = json_object_get_object_member(cost, "kcost");
	g_assert_false(json_object_get_boolean_member(cost, "paid"));
	prices = json_object_get_array_member(cost, "prices");
	g_assert_cmpint(json_object_get_int_member(json_array_get_object_element(prices, 0),
	                                           "cost_percent"),
	                ==, 4);
	for (guint i = 1; i < 3; i++)
		g_assert_false(
			json_object_has_member(json_array_get_object_element(array, i), "kcost"));
}

static const char *const no_checks[] = {
	"",  "{}",  "[1]", "[{\"name\": 1}]", "[[\"CONFIG_A\"]]", "[{\"option_name\": 1}]",
	"[", "null"
};

static void test_no_checks(void)
{
	g_autoptr(audit_t) audit = audit_text_of(X86 "CONFIG_A=y\n", "", NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(no_checks); i++) {
		g_autoptr(GError) error = NULL;

		g_test_message("%s", no_checks[i]);
		g_assert_null(audit_annotate(audit, no_checks[i], "khc.json", &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, "khc.json"));
	}
}

/* Every format of the same: the prices and the names are in it, and JSON is JSON. */
static void test_formats(void)
{
	static const char *const names[] = { "text", "markdown", "json", "csv" };
	static const char *const prices[] = { "+28.1 *", "+28.1 \\*", "28.1235", "28.1235" };
	g_autoptr(audit_t) audit = audit_text_of(gated_config, "", NULL);
	g_autoptr(audit_t) from = audit_text_of(X86 "CONFIG_A=y\n", "", audit->list);
	g_autoptr(audit_diff_t) diff = audit_diff_new(from, audit);

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		const struct audit_format *format = audit_format_find(names[i]);
		g_autofree char *one = format->render(audit), *two = format->render_diff(diff);
		g_autoptr(JsonParser) parser = json_parser_new();

		g_assert_nonnull(strstr(one, prices[i]));
		g_assert_nonnull(strstr(two, "28.1"));
		g_assert_true(g_str_has_suffix(one, "\n"));
		if (strcmp(names[i], "json") != 0)
			continue;
		g_assert_true(json_parser_load_from_data(parser, one, -1, NULL));
		g_assert_true(json_parser_load_from_data(parser, two, -1, NULL));
	}
	g_assert_null(audit_format_find("xml"));
}

#define ADD_TABLE(table, prefix, function)                                                      \
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {                                       \
		g_autofree char *path = g_strconcat("/audit/" prefix "/", table[i].name, NULL); \
		g_test_add_data_func(path, &table[i], function);                                \
	}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD_TABLE(matches, "match", test_match)
	ADD_TABLE(warnings, "warning", test_warning)
	ADD_TABLE(gates, "gate", test_gate)
	ADD_TABLE(bad_gates, "bad-gate", test_bad_gate)
	g_test_add_func("/audit/understated", test_understated);
	g_test_add_func("/audit/sums", test_sums);
	g_test_add_func("/audit/misspelt", test_misspelt);
	g_test_add_func("/audit/diff", test_diff);
	g_test_add_func("/audit/diff-activated", test_diff_activated);
	g_test_add_func("/audit/annotate", test_annotate);
	g_test_add_func("/audit/no-checks", test_no_checks);
	g_test_add_func("/audit/formats", test_formats);
	return g_test_run();
}
