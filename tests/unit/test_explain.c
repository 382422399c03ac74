/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who decided an option, from symbols in the exporter's format (data/explain.jsonl). They are those
 * of Linux 6.1's x86 Kconfig with PREEMPT and SLUB_DEBUG on; DEBUG_PREEMPT has the default that it
 * had until 6.1.5x. What must be said of each is read off those Kconfig files. */
#include <string.h>

#include "base/error.h"
#include "kernel/explain.h"
#include "kernel/kconfig_model.h"
#include "report/explain_render.h"

#define CONFIG                             \
	"# A fragment\n"                   \
	"CONFIG_PREEMPT=y\n"               \
	"CONFIG_DEBUG_KERNEL=y\n"          \
	"CONFIG_LOG_BUF_SHIFT=5\n"         \
	"CONFIG_SECURITY_SELINUX=y\n"      \
	"# CONFIG_STACKTRACE is not set\n" \
	"CONFIG_FUTEX=y\n"

static char *load_symbols(void)
{
	g_autofree char *path =
		g_build_filename(g_getenv("KCOST_TEST_DATA"), "explain.jsonl", NULL);
	g_autoptr(GError) error = NULL;
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	return text;
}

/* Takes @symbols. */
static kconfig_model_t *make_model(const char *config, char *symbols)
{
	g_autoptr(kconfig_export_t) export = g_new0(kconfig_export_t, 1);
	g_autoptr(GError) error = NULL;
	kconfig_model_t *model;

	export->config = g_strdup(config);
	export->symbols = symbols;
	model = kconfig_model_new(export, &error);
	g_assert_no_error(error);
	return model;
}

static config_file_t *make_config(const char *text)
{
	g_autoptr(GError) error = NULL;
	config_file_t *config = config_file_parse(text, strlen(text), "test", &error);

	g_assert_no_error(error);
	return config;
}

/* An explanation in which @plan_line and @after are what the exporter answered to NAME=!. */
static explanation_t *explain(const config_file_t *config, gboolean rest_is_no, const char *name,
                              const char *plan_line, const char *before, const char *after)
{
	kernel_tree_t tree = { .name = (char *)"6.1", .version = (char *)"6.1.0" };
	struct explain_request request = {
		.tree = &tree,
		.config = config,
		.config_name = "my.config",
		.rest_is_no = rest_is_no,
		.name = name,
	};
	g_autoptr(GError) error = NULL;
	explanation_t *explanation =
		explanation_from_models(&request, make_model(before, load_symbols()),
	                                make_model(after, g_strdup(plan_line)), &error);

	g_assert_no_error(error);
	return explanation;
}

#define NO_PLAN "{\"plan\":[],\"found\":false,\"goal\":\"X\",\"value\":\"n\"}\n"
#define SELINUX_LACKS                                                                          \
	"SECURITY_SELINUX=n  it cannot be set, because it needs SECURITY_NETWORK=y, AUDIT=y, " \
	"INET=y"

static const struct {
	const char *name;
	gboolean rest_is_no;
	const char *config; /* NULL: CONFIG */
	const char *why;
} chains[] = {
	{ "DEBUG_PREEMPT", FALSE, NULL,
	  "DEBUG_PREEMPT=y  by its default, `default y if DEBUG_KERNEL [=y] && PREEMPTION [=y] && "
	  "TRACE_IRQFLAGS_SUPPORT [=y]` (lib/Kconfig.debug:1234)\n" },
	{ "DEBUG_PREEMPT", FALSE, "\nCONFIG_DEBUG_PREEMPT=y\n",
	  "DEBUG_PREEMPT=y  set in my.config, line 2; its default says the same\n" },
	{ "DEBUG_PREEMPT", FALSE, "# CONFIG_DEBUG_PREEMPT is not set\nCONFIG_DEBUG_PREEMPT=y\n",
	  "DEBUG_PREEMPT=y  set in my.config, line 2, against line 1; its default says the "
	  "same\n" },
	{ "config_preempt_count", FALSE, NULL,
	  "PREEMPT_COUNT=y  selected by PREEMPTION (kernel/Kconfig.preempt:94)\n"
	  "PREEMPTION=y  selected by PREEMPT_BUILD (kernel/Kconfig.preempt:11)\n"
	  "PREEMPT_BUILD=y  selected by PREEMPT (kernel/Kconfig.preempt:54); also by "
	  "PREEMPT_DYNAMIC\n"
	  "PREEMPT=y  set in my.config, line 2; its default would be n\n" },
	/* Of two that select it nobody chose one. */
	{ "PREEMPT_BUILD", FALSE, "CONFIG_X=y\n",
	  "PREEMPT_BUILD=y  selected by PREEMPT_DYNAMIC (kernel/Kconfig.preempt:100); also by "
	  "PREEMPT\n"
	  "PREEMPT_DYNAMIC=y  by its default, `default y if HAVE_PREEMPT_DYNAMIC [=y] && "
	  "!PREEMPT_RT [=n] && HAVE_PREEMPT_DYNAMIC_CALL [=y]` (kernel/Kconfig.preempt:101)\n" },
	/* A line that a select overrides. */
	{ "STACKTRACE", FALSE, NULL,
	  "STACKTRACE=y  selected by STACKDEPOT (lib/Kconfig:699); my.config says n in line 6, "
	  "which Kconfig does not take\n"
	  "STACKDEPOT=y  selected by SLUB_DEBUG (mm/Kconfig.debug:60)\n"
	  "SLUB_DEBUG=y  by its default, `default y if SLUB [=y] && SYSFS [=y]` "
	  "(mm/Kconfig.debug:57)\n" },
	{ "RT_MUTEXES", FALSE, NULL,
	  "RT_MUTEXES=y  implied by FUTEX (init/Kconfig:1634)\n"
	  "FUTEX=y  set in my.config, line 7; its default says the same\n" },
	{ "PREEMPT_NONE", FALSE, NULL,
	  "PREEMPT_NONE=n  of the choice \"Preemption Model\", PREEMPT is the one\n"
	  "PREEMPT=y  set in my.config, line 2; its default would be n\n" },
	{ "HZ", FALSE, NULL,
	  "HZ=250  by its default, `default 250 if HZ_250 [=y]` (kernel/Kconfig.hz:54)\n"
	  "HZ_250=y  the default of the choice \"Timer frequency\" (kernel/Kconfig.hz:8)\n" },
	{ "HZ_100", FALSE, NULL,
	  "HZ_100=n  of the choice \"Timer frequency\", HZ_250 is the one\n"
	  "HZ_250=y  the default of the choice \"Timer frequency\" (kernel/Kconfig.hz:8)\n" },
	{ "SECURITY_SELINUX", FALSE, NULL,
	  SELINUX_LACKS "; my.config says y in line 5, which Kconfig does not take\n" },
	{ "SECURITY_SELINUX", FALSE, "CONFIG_X=y\n", SELINUX_LACKS "\n" },
	/* Out of its range: what came out is the default. */
	{ "LOG_BUF_SHIFT", FALSE, NULL,
	  "LOG_BUF_SHIFT=17  by its default, `default 17 if PRINTK [=y]` (init/Kconfig:728); "
	  "my.config says 5 in line 4, which Kconfig does not take\n" },
	{ "LOG_BUF_SHIFT", TRUE, "CONFIG_X=y\n",
	  "LOG_BUF_SHIFT=17  by its default, `default 17 if PRINTK [=y]` (init/Kconfig:728)\n" },
	{ "PREEMPT_RT", FALSE, "CONFIG_X=y\n",
	  "PREEMPT_RT=n  it cannot be set, because it needs ARCH_SUPPORTS_RT=y\n" },
};

static void test_chain(gconstpointer data)
{
	const typeof(chains[0]) *row = data;
	g_autoptr(config_file_t) config = make_config(row->config ? row->config : CONFIG);
	g_autoptr(explanation_t) explanation = explain(config, row->rest_is_no, row->name, NO_PLAN,
	                                               "CONFIG_X=y\n", "CONFIG_X=y\n");
	g_autofree char *why = explain_text_why(explanation);

	g_assert_cmpstr(why, ==, row->why);
}

/* Of an option that is off and that the minimal configuration does not name. */
static void test_rest(void)
{
	g_autofree char *symbols = load_symbols();
	g_auto(GStrv) parts = g_strsplit(symbols,
	                                 "\"name\":\"DEBUG_PREEMPT\",\"type\":\"bool\","
	                                 "\"value\":\"y\"",
	                                 2);
	g_autoptr(config_file_t) config = make_config(CONFIG);
	g_autoptr(kconfig_model_t) model = NULL;
	g_autoptr(GPtrArray) chain = NULL;
	const struct reason *reason;

	g_assert_cmpuint(g_strv_length(parts), ==, 2);
	model = make_model("CONFIG_X=y\n",
	                   g_strjoin("\"name\":\"DEBUG_PREEMPT\",\"type\":\"bool\",\"value\":\"n\"",
	                             parts[0], parts[1], NULL));
	chain = explain_chain(model, config, TRUE, "DEBUG_PREEMPT");
	g_assert_cmpuint(chain->len, ==, 1);
	reason = chain->pdata[0];
	g_assert_cmpint(reason->decider, ==, DECIDED_BY_REST);
	g_assert_cmpstr(reason->symbol->default_value, ==, "y");
	g_assert_null(reason->wanted);
}

#define STACKTRACE_PLAN                                                                      \
	"{\"plan\":[{\"name\":\"SLUB_DEBUG\",\"value\":\"n\",\"for\":\"STACKDEPOT\"},"       \
	"{\"name\":\"STACKTRACE\",\"value\":\"n\"}],\"found\":true,\"goal\":\"STACKTRACE\"," \
	"\"value\":\"n\"}\n"

/* A plan, what it takes along, and why; and a plan that resolving does not bear out. */
static void test_plan(void)
{
	static const char before[] =
		"CONFIG_SLUB_DEBUG=y\nCONFIG_STACKDEPOT=y\nCONFIG_STACKTRACE=y\n";
	g_autoptr(config_file_t) config = make_config(CONFIG);
	g_autoptr(explanation_t) good = explain(config, FALSE, "STACKTRACE", STACKTRACE_PLAN,
	                                        before, "# CONFIG_SLUB_DEBUG is not set\n");
	g_autoptr(explanation_t) bad =
		explain(config, FALSE, "STACKTRACE", STACKTRACE_PLAN, before, before);
	g_autofree char *how = explain_text_how(good), *not_how = explain_text_how(bad);
	const struct consequence *lost;

	g_assert_true(good->confirmed);
	g_assert_cmpstr(how, ==,
	                "To turn STACKTRACE off, confirmed by resolving it:\n"
	                "  SLUB_DEBUG=n  for STACKDEPOT\n"
	                "  STACKTRACE=n\n");
	g_assert_cmpuint(good->consequences->len, ==, 1);
	lost = good->consequences->pdata[0];
	g_assert_cmpstr(lost->name, ==, "STACKDEPOT");
	g_assert_cmpstr(lost->to, ==, "n");
	g_assert_null(lost->why);
	g_assert_false(bad->confirmed);
	g_assert_cmpuint(bad->consequences->len, ==, 0);
	g_assert_true(g_str_has_prefix(not_how,
	                               "To turn STACKTRACE off no way was found: STACKTRACE "
	                               "is y because it is selected by"));
}

#define PREEMPT_PLAN                                                              \
	"{\"plan\":[{\"name\":\"PREEMPT_NONE\",\"value\":\"y\"}],\"found\":true," \
	"\"goal\":\"PREEMPT\",\"value\":\"n\"}\n"

static void test_text(void)
{
	static const char before[] = "CONFIG_PREEMPT=y\nCONFIG_PREEMPT_BUILD=y\nCONFIG_OTHER=y\n";
	g_autoptr(config_file_t) config = make_config(CONFIG);
	g_autoptr(explanation_t) explanation =
		explain(config, FALSE, "PREEMPT", PREEMPT_PLAN, before,
	                "CONFIG_PREEMPT_NONE=y\nCONFIG_OTHER=y\n");
	g_autofree char *text = explain_text(explanation);

	g_assert_cmpstr(
		text, ==,
		"PREEMPT is y in Linux 6.1.0 (6.1) with my.config\n"
		"  bool, \"Preemptible Kernel (Low-Latency Desktop)\", of the choice \"Preemption "
		"Model\"\n"
		"  defined at kernel/Kconfig.preempt:51\n"
		"  depends on y && !ARCH_NO_PREEMPT [=n]\n"
		"  selects PREEMPT_BUILD (kernel/Kconfig.preempt:54)\n"
		"\nWho decided it\n"
		"  PREEMPT=y  set in my.config, line 2; its default would be n\n"
		"\nTo turn PREEMPT off, confirmed by resolving it:\n"
		"  PREEMPT_NONE=y  instead of PREEMPT\n"
		"\nLost or changed with it (1)\n"
		"  PREEMPT_BUILD  y -> n  PREEMPT selects it\n");
}

static void test_help(void)
{
	g_autoptr(config_file_t) config = make_config(CONFIG);
	g_autoptr(explanation_t) explanation =
		explain(config, FALSE, "debug_preempt", NO_PLAN, "CONFIG_X=y\n", "CONFIG_X=y\n");
	g_autofree char *text = explain_text(explanation);

	g_assert_true(g_str_has_suffix(text, "\nHelp\n  If you say Y here\n\n  so be it.\n"));
}

static void test_json(void)
{
	static const char before[] =
		"CONFIG_SLUB_DEBUG=y\nCONFIG_STACKDEPOT=y\nCONFIG_STACKTRACE=y\n";
	g_autoptr(config_file_t) config = make_config(CONFIG);
	g_autoptr(explanation_t) explanation = explain(config, FALSE, "STACKTRACE", STACKTRACE_PLAN,
	                                               before, "# CONFIG_SLUB_DEBUG is not set\n");
	g_autofree char *text = explain_json(explanation);
	g_autoptr(GError) error = NULL;
	g_autoptr(JsonNode) node = json_from_string(text, &error);
	JsonObject *object, *link, *how;
	JsonArray *why;

	g_assert_no_error(error);
	object = json_node_get_object(node);
	g_assert_cmpstr(json_object_get_string_member(object, "name"), ==, "STACKTRACE");
	g_assert_cmpstr(json_object_get_string_member(object, "type"), ==, "bool");
	why = json_object_get_array_member(object, "why");
	g_assert_cmpuint(json_array_get_length(why), ==, 3);
	link = json_array_get_object_element(why, 0);
	g_assert_cmpstr(json_object_get_string_member(link, "decided_by"), ==, "select");
	g_assert_cmpstr(json_object_get_string_member(link, "by"), ==, "STACKDEPOT");
	g_assert_cmpstr(json_object_get_string_member(link, "file"), ==, "lib/Kconfig");
	g_assert_cmpint(json_object_get_int_member(link, "line"), ==, 699);
	g_assert_cmpstr(json_object_get_string_member(link, "config_value"), ==, "n");
	g_assert_true(json_object_get_boolean_member(link, "config_dropped"));
	link = json_array_get_object_element(why, 2);
	g_assert_cmpstr(json_object_get_string_member(link, "decided_by"), ==, "default");
	how = json_object_get_object_member(object, "how");
	g_assert_true(json_object_get_boolean_member(how, "confirmed"));
	g_assert_cmpuint(json_array_get_length(json_object_get_array_member(how, "settings")), ==,
	                 2);
	g_assert_cmpuint(json_array_get_length(json_object_get_array_member(object, "changes")), ==,
	                 1);
}

static void test_unknown(void)
{
	kernel_tree_t tree = { .name = (char *)"6.1", .version = (char *)"6.1.0" };
	g_autoptr(config_file_t) config = make_config(CONFIG);
	struct explain_request request = { .tree = &tree,
		                           .config = config,
		                           .name = "DEBUG_PREEMT" };
	g_autoptr(GError) error = NULL;

	g_assert_null(explanation_from_models(&request, make_model("CONFIG_X=y\n", load_symbols()),
	                                      make_model("CONFIG_X=y\n", g_strdup(NO_PLAN)),
	                                      &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "DEBUG_PREEMPT"));
}

/* No run of Kconfig for what cannot be a name. */
static void test_no_name(void)
{
	static const char *const names[] = { "", "A B", "X=y", "CONFIG_", "a\tb", "\xc3\xa4" };
	kernel_tree_t tree = { .path = (char *)"/nonexistent" };
	g_autoptr(config_file_t) config = make_config(CONFIG);

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		struct explain_request request = { .tree = &tree,
			                           .config = config,
			                           .name = names[i] };
		g_autoptr(GError) error = NULL;

		g_assert_null(explanation_new(&request, NULL, &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, "is no option"));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(chains); i++) {
		g_autofree char *path = g_strdup_printf("/explain/chain/%zu-%s", i, chains[i].name);

		g_test_add_data_func(path, &chains[i], test_chain);
	}
	g_test_add_func("/explain/rest", test_rest);
	g_test_add_func("/explain/plan", test_plan);
	g_test_add_func("/explain/text", test_text);
	g_test_add_func("/explain/help", test_help);
	g_test_add_func("/explain/json", test_json);
	g_test_add_func("/explain/unknown", test_unknown);
	g_test_add_func("/explain/no-name", test_no_name);
	return g_test_run();
}
