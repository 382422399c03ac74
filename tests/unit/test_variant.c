/* SPDX-License-Identifier: GPL-2.0-or-later */

/* SPECs of `kcost compare`: what is right gives exactly its parts, what is wrong says why. The
 * right answers follow from the grammar in docs/compare.md. */
#include <string.h>

#include "base/error.h"
#include "kernel/variant.h"

/* Lists are written with blanks between their items. */
static const struct good {
	const char *spec, *label;
	const char *tree, *rev, *config, *cmdline, *image, *vmlinux, *id, *logs, *patches,
		*settings;
} good[] = {
	{ .spec = "name=base", .label = "base" },
	{ .spec = "tree=6.1", .label = "6.1", .tree = "6.1" },
	{ .spec = "rev=v6.1-rc1~3", .label = "v6.1-rc1~3", .rev = "v6.1-rc1~3" },
	{ .spec = "set=DEBUG_PREEMPT=y",
	  .label = "DEBUG_PREEMPT=y",
	  .settings = "DEBUG_PREEMPT=y" },
	{ .spec = "set=A=y,set=CONFIG_B=n",
	  .label = "A=y,CONFIG_B=n",
	  .settings = "A=y CONFIG_B=n" },
	{ .spec = "name=x,patch=a/one.patch,patch=two.patch",
	  .label = "x",
	  .patches = "a/one.patch two.patch" },
	{ .spec = "patch=a/one.patch", .label = "one.patch", .patches = "a/one.patch" },
	{ .spec = "cmdline=init_on_alloc=1 quiet",
	  .label = "init_on_alloc=1 quiet",
	  .cmdline = "init_on_alloc=1 quiet" },
	{ .spec = "cmdline=slub_debug=FZ\\,dentry,tree=t",
	  .label = "t,slub_debug=FZ,dentry",
	  .cmdline = "slub_debug=FZ,dentry",
	  .tree = "t" },
	{ .spec = "tree=a\\,b\\,", .label = "a,b,", .tree = "a,b," },
	/* Only a comma is escaped: any other backslash is itself. */
	{ .spec = "cmdline=dyndbg=\"func f\\n\"",
	  .label = "dyndbg=\"func f\\n\"",
	  .cmdline = "dyndbg=\"func f\\n\"" },
	{ .spec = "tree=\\\\,rev=x", .label = "\\,rev=x", .tree = "\\,rev=x" },
	{ .spec = "set=CMDLINE=a=b", .label = "CMDLINE=a=b", .settings = "CMDLINE=a=b" },
	{ .spec = "image=linux-image-6.1.0-50-cloud-amd64_6.1.176-1_amd64.deb",
	  .label = "linux-image-6.1.0-50-cloud-amd64",
	  .image = "linux-image-6.1.0-50-cloud-amd64_6.1.176-1_amd64.deb" },
	{ .spec = "image=/boot/vmlinuz-6.1,cmdline=a",
	  .label = "a,vmlinuz-6.1",
	  .image = "/boot/vmlinuz-6.1",
	  .cmdline = "a" },
	{ .spec = "image=a/vmlinuz-x,vmlinux=b/vmlinux",
	  .label = "vmlinuz-x",
	  .image = "a/vmlinuz-x",
	  .vmlinux = "b/vmlinux" },
	{ .spec = "config=dir/x.config", .label = "x.config", .config = "dir/x.config" },
	{ .spec = "id=12,name=before", .label = "before", .id = "12" },
	{ .spec = "log=run/out.txt", .label = "out.txt", .logs = "run/out.txt" },
	{ .spec = "log=a/1.txt,name=a,log=a/2.txt", .label = "a", .logs = "a/1.txt a/2.txt" },
	{ .spec = "id=12:DEBUG_PREEMPT=y",
	  .label = "12:DEBUG_PREEMPT=y",
	  .id = "12:DEBUG_PREEMPT=y" },
	{ .spec = "id=12:A=y\\,B=n,name=both", .label = "both", .id = "12:A=y,B=n" },
};

static char *joined(const GPtrArray *list)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < list->len; i++)
		g_string_append_printf(text, "%s%s", i ? " " : "", (char *)list->pdata[i]);
	return g_string_free(text, FALSE);
}

static void test_good(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(good); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(variant_t) variant = variant_parse(good[i].spec, &error);
		g_autofree char *patches = NULL, *settings = NULL, *logs = NULL;

		g_test_message("%s", good[i].spec);
		g_assert_no_error(error);
		patches = joined(variant->patches);
		settings = joined(variant->settings);
		logs = joined(variant->logs);
		g_assert_cmpstr(variant->label, ==, good[i].label);
		g_assert_cmpstr(variant->tree, ==, good[i].tree);
		g_assert_cmpstr(variant->rev, ==, good[i].rev);
		g_assert_cmpstr(variant->config, ==, good[i].config);
		g_assert_cmpstr(variant->cmdline, ==, good[i].cmdline);
		g_assert_cmpstr(variant->image, ==, good[i].image);
		g_assert_cmpstr(variant->vmlinux, ==, good[i].vmlinux);
		g_assert_cmpstr(variant->id, ==, good[i].id);
		g_assert_cmpstr(logs, ==, good[i].logs ? good[i].logs : "");
		g_assert_cmpint(variant_is_given(variant), ==, good[i].id || good[i].logs);
		g_assert_cmpstr(patches, ==, good[i].patches ? good[i].patches : "");
		g_assert_cmpstr(settings, ==, good[i].settings ? good[i].settings : "");
	}
}

static const struct bad {
	const char *spec, *message;
} bad[] = {
	{ "", "is no key=value" },
	{ "base", "write name=base" },
	{ "set=A=y,", "is no key=value" },
	{ "set=A=y,,tree=x", "is no key=value" },
	{ "frob=1", "no key 'frob'; the keys are name, tree, rev, patch" },
	{ "=1", "no key ''" },
	{ "Set=A=y", "no key 'Set'" },
	{ "tree=", "tree= has no value" },
	{ "tree=a,tree=b", "tree= is given twice" },
	{ "name=a,name=b", "name= is given twice" },
	{ "cmdline=a,cmdline=b", "cmdline= is given twice" },
	{ "cmdline=slub_debug=FZ,dentry", "'dentry' is no key=value" },
	{ "set=A", "set=A lacks a value: write set=A=y" },
	{ "set=A=", "has no value" },
	{ "set==y", "is no option" },
	{ "set=A B=y", "is no option" },
	{ "image=a,set=A=y", "set= cannot stand beside it" },
	{ "image=a,tree=b", "tree= cannot stand beside it" },
	{ "image=a,patch=b", "patch= cannot stand beside it" },
	{ "vmlinux=v", "image= must stand beside it" },
	{ "set=A=y,vmlinux=v", "image= must stand beside it" },
	{ "id=1,vmlinux=v", "vmlinux= cannot stand beside it" },
	{ "id=1,cmdline=a", "cmdline= cannot stand beside it" },
	{ "log=f,set=A=y", "set= cannot stand beside it" },
	{ "id=1,log=f", "cannot stand beside it" },
	{ "id=1,id=2", "id= is given twice" },
	{ "log=a,log=", "log= has no value" },
};

static void test_bad(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) error = NULL;

		g_test_message("'%s'", bad[i].spec);
		g_assert_null(variant_parse(bad[i].spec, &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, bad[i].message));
	}
}

static void test_several(void)
{
	static const struct {
		const char *specs[10];
		const char *message; /* NULL: fine */
	} rows[] = {
		{ { "name=a" }, "2 to 8 variants, not 1" },
		{ { "name=a", "name=b" }, NULL },
		{ { "name=a", "name=b", "name=c", "name=d", "name=e", "name=f", "name=g",
		    "name=h" },
		  NULL },
		{ { "name=a", "name=b", "name=c", "name=d", "name=e", "name=f", "name=g", "name=h",
		    "name=i" },
		  "not 9" },
		{ { "set=A=y", "set=A=y" }, "two variants are called 'A=y'" },
		{ { "set=A=y", "set=A=y,name=again" }, NULL },
		{ { "name=a", "b" }, "is no key=value" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(GPtrArray) variants = variants_parse(rows[i].specs, &error);

		if (!rows[i].message) {
			g_assert_no_error(error);
			g_assert_cmpuint(variants->len, ==, g_strv_length((char **)rows[i].specs));
			continue;
		}
		g_assert_null(variants);
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, rows[i].message));
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/variant/good", test_good);
	g_test_add_func("/variant/bad", test_bad);
	g_test_add_func("/variant/several", test_several);
	return g_test_run();
}
