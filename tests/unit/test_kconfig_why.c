/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user is told of an option that did not survive, from a small model written by hand in the
 * exporter's format (data/kconfig-why.jsonl); its facts are those of Linux 6.1's x86 Kconfig. */
#include <string.h>

#include "kernel_model.h"

static const struct {
	const char *name, *wanted, *says;
} reasons[] = {
	{ "DEBUG_PREEMT", "y",
	  "this tree has no option DEBUG_PREEMT for x86_64; the nearest name is "
	  "DEBUG_PREEMPT" },
	{ "QQQQQQQQ", "y", "this tree has no option QQQQQQQQ for x86_64" },
	{ "DEBUG_PREEMPT", "5", "DEBUG_PREEMPT is a bool: it takes y or n, not `5`" },
	{ "DEBUG_PREEMPT", "m", "DEBUG_PREEMPT is a bool: it takes y or n, not `m`" },
	{ "DEBUG_PREEMPT", "", "DEBUG_PREEMPT is a bool: it takes y or n, not ``" },
	{ "EXT4_FS", "yes", "EXT4_FS is a tristate: it takes y, m or n, not `yes`" },
	{ "EXT4_FS", "m",
	  "EXT4_FS=m needs modules, and MODULES is n here: without it EXT4_FS is y or n" },
	{ "LOG_BUF_SHIFT", "abc",
	  "LOG_BUF_SHIFT takes a decimal number without leading zeros, not `abc`" },
	{ "LOG_BUF_SHIFT", "017",
	  "LOG_BUF_SHIFT takes a decimal number without leading zeros, not `017`" },
	{ "LOG_BUF_SHIFT", "y",
	  "LOG_BUF_SHIFT takes a decimal number without leading zeros, not `y`" },
	{ "LOG_BUF_SHIFT", "5", "5 is outside LOG_BUF_SHIFT's range, which is 12 to 25" },
	{ "LOG_BUF_SHIFT", "26", "26 is outside LOG_BUF_SHIFT's range, which is 12 to 25" },
	{ "LOG_BUF_SHIFT", "-1", "-1 is outside LOG_BUF_SHIFT's range, which is 12 to 25" },
	{ "BASE", "0x100", "0x100 is outside BASE's range, which is 0x8 to 0xff" },
	{ "BASE", "7", "7 is outside BASE's range, which is 0x8 to 0xff" },
	{ "BASE", "0xg", "BASE takes a hexadecimal number such as 0x10, not `0xg`" },
	{ "PREEMPT_COUNT", "n",
	  "PREEMPT_COUNT is y and cannot be set by hand, because it has no prompt: it is selected "
	  "by `PREEMPTION [=y]`" },
	{ "DEBUG_INFO", "y",
	  "DEBUG_INFO is n and cannot be set by hand, because it has no prompt: it is on when it "
	  "is selected by DWARF4 or DWARF5" },
	{ "X86_64", "n",
	  "X86_64 is y and cannot be set by hand, because it has no prompt: only its defaults "
	  "decide; it depends on `64BIT [=y]`" },
	{ "CLANG_VERSION", "140000",
	  "CLANG_VERSION is 0 and cannot be set by hand, because it has no prompt: only its "
	  "defaults decide" },
	{ "SYSFS", "n",
	  "SYSFS is y because it is selected by `USB [=y] && PCI [=y]`, which would have to be "
	  "turned off first" },
	{ "PREEMPT_NONE", "y",
	  "PREEMPT_NONE is n as a member of the choice \"Preemption Model\", of which exactly one "
	  "is y: now it is PREEMPT" },
	{ "PREEMPT", "n",
	  "PREEMPT is y as a member of the choice \"Preemption Model\", of which exactly one is "
	  "y; set another one to y: PREEMPT_NONE" },
	{ "PREEMPT_RT", "y",
	  "PREEMPT_RT is n and cannot be set by hand here, because it needs ARCH_SUPPORTS_RT=y "
	  "(which has no prompt); its prompt's condition is `ARCH_SUPPORTS_RT [=n]`" },
	{ "SECURITY_NETWORK", "y",
	  "SECURITY_NETWORK is n and cannot be set by hand here, because it needs SECURITY=y; its "
	  "prompt's condition is `SECURITY [=n]`" },
	{ "SELINUX", "y",
	  "SELINUX is n and cannot be set by hand here, because it needs SECURITY_NETWORK=y "
	  "(which itself needs SECURITY=y), PREEMPT=n (a member of the choice \"Preemption "
	  "Model\") and DEBUG_INFO=y (which has no prompt; selected by DWARF4 or DWARF5); its "
	  "prompt's condition is `SECURITY_NETWORK [=n] && !PREEMPT [=y] && DEBUG_INFO [=n]`" },
	{ "ARM_ONLY", "y",
	  "ARM_ONLY is n and cannot be set by hand here, because it needs ARM64=y (which this "
	  "architecture does not have); its prompt's condition is `ARM64 [=n]`" },
	{ "NEVER", "y",
	  "NEVER is n and cannot be set by hand here, because its prompt's condition can never be "
	  "true with this architecture and compiler; its prompt's condition is `n`" },
	{ "NO_SYSFS", "y",
	  "NO_SYSFS is n and cannot be set by hand here, because it needs SYSFS=n (selected by "
	  "`USB [=y] && PCI [=y]`); its prompt's condition is `!SYSFS [=y]`" },
	{ "CRYPTO_X", "y",
	  "CRYPTO_X can be no more than m here, because it needs CRYPTO=y; its prompt's condition "
	  "is `CRYPTO [=m]`" },
	{ "DEBUG_PAGEALLOC", "y", "DEBUG_PAGEALLOC is y, as asked for" },
	{ "DEBUG_PAGEALLOC", "n",
	  "DEBUG_PAGEALLOC is y although it can be set by hand: another setting of it was in the "
	  "way" },
};

static void test_reason(gconstpointer data)
{
	const typeof(reasons[0]) *row = data;
	g_autoptr(kconfig_model_t) model = make_model();
	g_autofree char *why = kconfig_model_why_not(model, row->name, row->wanted);

	g_assert_cmpstr(why, ==, row->says);
}

/* A list of selectors that is long is counted, not printed. */
static void test_many_selectors(void)
{
	g_autoptr(kconfig_export_t) export = g_new0(kconfig_export_t, 1);
	g_autoptr(kconfig_model_t) model = NULL;
	g_autofree char *why = NULL;

	export->config = g_strdup("CONFIG_A=y\n");
	export->symbols =
		g_strdup("{\"name\":\"X\",\"type\":\"bool\",\"value\":\"n\",\"selectors\":"
	                 "[\"A\",\"B\",\"C\",\"D\",\"E\",\"F\",\"G\",\"H\",\"I\"]}\n");
	model = kconfig_model_new(export, NULL);
	why = kconfig_model_why_not(model, "X", "y");
	g_assert_true(g_str_has_suffix(why, "selected by A, B, C, D, E, F or 3 others"));
}

static const struct {
	const char *name, *value;
	gboolean is;
} values[] = {
	{ "PREEMPT", "y", TRUE },
	{ "PREEMPT", "n", FALSE },
	{ "PREEMPT", "yes", FALSE },
	{ "LOG_BUF_SHIFT", "17", TRUE },
	{ "LOG_BUF_SHIFT", "7", FALSE },
	{ "PHYSICAL_START", "0x1000000", TRUE },
	{ "PHYSICAL_START", "1000000", TRUE },
	{ "PHYSICAL_START", "0X01000000", TRUE },
	{ "PHYSICAL_START", "0x100000", FALSE },
	{ "CMDLINE", "a \"b\\c", TRUE },
	{ "CMDLINE", "\"a \\\"b\\\\c\"", TRUE },
	{ "CMDLINE", "\"a\"", FALSE },
	{ "NO_SUCH", "n", FALSE },
};

static void test_value(gconstpointer data)
{
	const typeof(values[0]) *row = data;
	g_autoptr(kconfig_model_t) model = make_model();

	g_assert_cmpint(kconfig_symbol_is(kconfig_model_find(model, row->name), row->value), ==,
	                row->is);
}

/* What a person types, and the name that must come first. */
static const struct {
	const char *typed, *first;
} names[] = {
	{ "DEBUG_PREEMPT", "DEBUG_PREEMPT" },
	{ "debug_preempt", "DEBUG_PREEMPT" },
	{ "CONFIG_DEBUG_PREEMPT", "DEBUG_PREEMPT" },
	{ "config_debug_pagealloc", "DEBUG_PAGEALLOC" },
	{ "DEBUG_PAGE_ALLOC", "DEBUG_PAGEALLOC" },
	{ "PREEMPT_DEBUG", "DEBUG_PREEMPT" },
	{ "DEBGU_PREEMPT", "DEBUG_PREEMPT" },
	{ "LOG_BUFFER_SHIFT", "LOG_BUF_SHIFT" },
	{ "EXT4", "EXT4_FS" },
	{ "XYZ_SELINUX", "SELINUX" },
	{ "MODULE", "MODULES" },
};

static void test_suggestion(gconstpointer data)
{
	const typeof(names[0]) *row = data;
	g_autoptr(kconfig_model_t) model = make_model();
	g_auto(GStrv) near = kconfig_model_suggest(model, row->typed, 3);

	g_assert_cmpstr(near[0], ==, row->first);
	g_assert_cmpuint(g_strv_length(near), <=, 3);
}

static void test_no_suggestion(void)
{
	g_autoptr(kconfig_model_t) model = make_model();
	g_auto(GStrv) strange = kconfig_model_suggest(model, "ZZZZZZZZZZZZ", 5);
	g_auto(GStrv) nothing = kconfig_model_suggest(model, "", 5);
	g_auto(GStrv) none = kconfig_model_suggest(model, "PREEMPT", 0);

	g_assert_null(strange[0]);
	g_assert_null(nothing[0]);
	g_assert_null(none[0]);
}

static void test_fields(void)
{
	g_autoptr(kconfig_model_t) model = make_model();
	const struct kconfig_symbol *symbol = kconfig_model_find(model, "LOG_BUF_SHIFT");
	const struct kconfig_symbol *member = kconfig_model_find(model, "PREEMPT_RT");

	g_assert_cmpstr(symbol->name, ==, "LOG_BUF_SHIFT");
	g_assert_cmpint(symbol->type, ==, KCONFIG_INT);
	g_assert_cmpstr(symbol->value, ==, "17");
	g_assert_cmpstr(symbol->default_value, ==, "17");
	g_assert_cmpstr(symbol->range, ==, "12 25");
	g_assert_cmpstr(symbol->file, ==, "Kconfig");
	g_assert_cmpint(symbol->line, ==, 7);
	g_assert_true(symbol->prompt_visible);
	g_assert_cmpint(symbol->prompt_limit, ==, 'y');
	g_assert_null(symbol->unmet[0]);
	g_assert_null(symbol->choice);
	g_assert_null(symbol->selected_by);
	g_assert_cmpstr(member->choice, ==, "Preemption Model");
	g_assert_cmpstr(member->choice_members[2], ==, "PREEMPT_RT");
	g_assert_null(member->choice_members[3]);
	g_assert_cmpstr(member->unmet[0], ==, "ARCH_SUPPORTS_RT=y");
	g_assert_false(member->prompt_visible);
	g_assert_true(kconfig_model_find(model, "PREEMPT_RT") == member);
	g_assert_null(kconfig_model_find(model, "CONFIG_PREEMPT"));
	g_assert_cmpstr(kconfig_model_text(model), ==, "CONFIG_PREEMPT=y\n");
	g_assert_cmpstr(config_file_get(kconfig_model_config(model), "PREEMPT"), ==, "y");
}

#define ADD_TABLE(table, prefix, function)                                          \
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {                           \
		g_autofree char *path =                                             \
			g_strdup_printf("/kconfig/" prefix "/%" G_GSIZE_FORMAT, i); \
		g_test_add_data_func(path, &table[i], function);                    \
	}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD_TABLE(reasons, "reason", test_reason)
	ADD_TABLE(values, "value", test_value)
	ADD_TABLE(names, "suggestion", test_suggestion)
	g_test_add_func("/kconfig/reason/many-selectors", test_many_selectors);
	g_test_add_func("/kconfig/suggestion/none", test_no_suggestion);
	g_test_add_func("/kconfig/fields", test_fields);
	return g_test_run();
}
