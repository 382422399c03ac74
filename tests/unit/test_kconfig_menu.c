/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options of a menu, from lines written by hand in the exporter's format: two menus that are
 * nested, an option that is defined in two places, and what does not count. */
#include "base/error.h"
#include "kernel/kconfig_model.h"

#define LINE(name, type, prompt, definitions)                                       \
	"{\"name\":\"" name "\",\"type\":\"" type "\"" prompt ",\"visible\":\"y\"," \
	"\"definitions\":[" definitions "]}\n"
#define PROMPT ",\"prompt\":\"p\""
#define IN(titles) "{\"at\":\"\",\"prompt\":\"p\",\"menus\":[" titles "]}"
#define OUTER "\"Kernel hacking\""
#define INNER OUTER ",\"Memory Debugging\""

static const char symbols[] = LINE("TOP", "bool", PROMPT, IN(""))
	LINE("OUT", "bool", PROMPT, IN(OUTER)) LINE("DEEP", "tristate", PROMPT, IN(INNER))
		LINE("NUMBER", "int", PROMPT, IN(INNER)) LINE("HIDDEN", "bool", "", IN(INNER))
			LINE("TWICE", "bool", PROMPT, IN("\"Networking\"") "," IN(INNER));

static const struct {
	const char *title;
	const char *options; /* or NULL: there is no such menu */
	const char *says;
} rows[] = {
	{ "Kernel hacking", "OUT DEEP TWICE", NULL },
	{ "kernel HACKING", "OUT DEEP TWICE", NULL },
	{ "Memory Debugging", "DEEP TWICE", NULL },
	{ "Networking", "TWICE", NULL },
	{ "Kernel", NULL, "did you mean \"Kernel hacking\"?" },
	{ "memory hacking debugging", NULL,
	  "did you mean \"Memory Debugging\", \"Kernel hacking\"?" },
	{ "Cooking", NULL, "no menu \"Cooking\" with options that can be set" },
	{ "", NULL, "no menu \"\"" },
};

static void test_menu(gconstpointer data)
{
	const typeof(rows[0]) *row = data;
	g_autoptr(kconfig_export_t) export = g_new0(kconfig_export_t, 1);
	g_autoptr(kconfig_model_t) model = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) options = NULL;
	g_autofree char *text = NULL;

	export->config = g_strdup("CONFIG_TOP=y\n");
	export->symbols = g_strdup(symbols);
	model = kconfig_model_new(export, NULL);
	options = kconfig_model_menu(model, row->title, &error);
	if (!row->options) {
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(g_strrstr(error->message, row->says));
		return;
	}
	g_assert_no_error(error);
	g_ptr_array_add(options, NULL);
	text = g_strjoinv(" ", (char **)options->pdata);
	g_assert_cmpstr(text, ==, row->options);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/kconfig_menu/%" G_GSIZE_FORMAT, i);

		g_test_add_data_func(path, &rows[i], test_menu);
	}
	return g_test_run();
}
