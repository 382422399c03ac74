/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options as users write them, and the two sides of their prices, on the small model of
 * data/kconfig-why.jsonl. */
#include <string.h>

#include "base/error.h"
#include "kernel/option.h"
#include "kernel_model.h"

static const struct {
	const char *text, *name, *value; /* name NULL: refused */
} parses[] = {
	{ "DEBUG_PREEMPT", "DEBUG_PREEMPT", NULL },
	{ "CONFIG_DEBUG_PREEMPT", "DEBUG_PREEMPT", NULL },
	{ "LOG_BUF_SHIFT=20", "LOG_BUF_SHIFT", "20" },
	{ "CONFIG_CMDLINE=a=b c", "CMDLINE", "a=b c" },
	{ "9P_FS=m", "9P_FS", "m" },
	{ "", NULL, NULL },
	{ "=y", NULL, NULL },
	{ "A B", NULL, NULL },
	{ "A-B", NULL, NULL },
	{ "A=", NULL, NULL },
	{ "CONFIG_", NULL, NULL },
};

static void test_parse(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(parses); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(option_t) option = option_parse(parses[i].text, &error);

		g_test_message("'%s'", parses[i].text);
		if (!parses[i].name) {
			g_assert_null(option);
			g_assert_true(error_is(error, KCOST_ERROR_USAGE));
			continue;
		}
		g_assert_no_error(error);
		g_assert_cmpstr(option->name, ==, parses[i].name);
		g_assert_cmpstr(option->value, ==, parses[i].value);
	}
}

static const struct {
	const char *text, *off, *on; /* off NULL: refused with a message that holds on */
} sides_table[] = {
	/* A boolean: n against y, or the other value against the one that was asked for. */
	{ "DEBUG_PREEMPT", "DEBUG_PREEMPT=n", "DEBUG_PREEMPT=y" },
	{ "DEBUG_PREEMPT=y", "DEBUG_PREEMPT=n", "DEBUG_PREEMPT=y" },
	{ "DEBUG_PREEMPT=n", "DEBUG_PREEMPT=y", "DEBUG_PREEMPT=n" },
	{ "DEBUG_PREEMPT=m", NULL, "a y or n" },
	{ "EXT4_FS", "EXT4_FS=n", "EXT4_FS=y" },
	{ "EXT4_FS=m", "EXT4_FS=n", "EXT4_FS=m" },
	/* A number: its default against the value. */
	{ "LOG_BUF_SHIFT=20", "LOG_BUF_SHIFT=17", "LOG_BUF_SHIFT=20" },
	{ "LOG_BUF_SHIFT=17", NULL, "the default already" },
	{ "LOG_BUF_SHIFT", NULL, "say which value" },
	{ "LOG_BUF_SHIFT=big", NULL, "whole-number" },
	/* A choice: the base's member against the one that was asked for. */
	{ "PREEMPT_NONE", "PREEMPT=y", "PREEMPT_NONE=y" },
	{ "PREEMPT_NONE=y", "PREEMPT=y", "PREEMPT_NONE=y" },
	{ "PREEMPT_NONE=n", NULL, "name the member" },
	{ "PREEMPT", "PREEMPT_NONE=y", "PREEMPT=y" },
	{ "DEBUG_PREMPT", NULL, "nearest names are DEBUG_PREEMPT" },
};

static void test_sides(void)
{
	g_autoptr(kconfig_model_t) model = make_model();

	for (gsize i = 0; i < G_N_ELEMENTS(sides_table); i++) {
		g_autoptr(option_t) option = option_parse(sides_table[i].text, NULL);
		g_autoptr(GError) error = NULL;
		g_autoptr(option_sides_t) sides = option_sides_new(option, model, &error);

		g_test_message("%s", sides_table[i].text);
		if (!sides_table[i].off) {
			g_assert_null(sides);
			g_assert_true(error_is(error, KCOST_ERROR_USAGE));
			g_assert_nonnull(strstr(error->message, sides_table[i].on));
			continue;
		}
		g_assert_no_error(error);
		g_assert_cmpstr(sides->label[0], ==, sides_table[i].off);
		g_assert_cmpstr(sides->label[1], ==, sides_table[i].on);
	}
}

/* All other members of a choice are written as off, so that no second y is left to win. */
static void test_choice_edits(void)
{
	g_autoptr(kconfig_model_t) model = make_model();
	g_autoptr(option_t) option = option_parse("PREEMPT_NONE", NULL);
	g_autoptr(option_sides_t) sides = option_sides_new(option, model, NULL);

	g_assert_cmpstr(config_file_get(sides->edits[1], "PREEMPT_NONE"), ==, "y");
	g_assert_cmpstr(config_file_get(sides->edits[1], "PREEMPT"), ==, "n");
	g_assert_cmpstr(config_file_get(sides->edits[0], "PREEMPT"), ==, "y");
	g_assert_cmpstr(config_file_get(sides->edits[0], "PREEMPT_NONE"), ==, "n");
}

/* A text is written with Kconfig's quotes and escapes. */
static void test_text_edit(void)
{
	g_autoptr(kconfig_model_t) model = make_model();
	g_autoptr(option_t) option = option_parse("CMDLINE=say \"hi\" \\o/", NULL);
	g_autoptr(option_sides_t) sides = option_sides_new(option, model, NULL);

	g_assert_cmpstr(config_file_get(sides->edits[1], "CMDLINE"), ==,
	                "\"say \\\"hi\\\" \\\\o/\"");
}

/* PREEMPT_COUNT is y in the model: asking for n is refused with Kconfig's reason. */
static void test_check(void)
{
	g_autoptr(kconfig_model_t) model = make_model();
	g_autoptr(option_t) have = option_parse("PREEMPT_COUNT=y", NULL);
	g_autoptr(option_t) want = option_parse("PREEMPT_COUNT=n", NULL);
	g_autoptr(GError) error = NULL;

	g_assert_true(option_check(have, model, NULL));
	g_assert_false(option_check(want, model, &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "PREEMPT_COUNT=n cannot be had"));
	g_assert_nonnull(strstr(error->message, "PREEMPTION"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/option/parse", test_parse);
	g_test_add_func("/option/sides", test_sides);
	g_test_add_func("/option/choice-edits", test_choice_edits);
	g_test_add_func("/option/text-edit", test_text_edit);
	g_test_add_func("/option/check", test_check);
	return g_test_run();
}
