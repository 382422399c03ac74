/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree_test.h"

#include "base/process.h"

gboolean tree_test_each(void (*add)(const kernel_tree_t *tree))
{
	const char *trees = g_getenv("KCOST_TEST_TREE");
	g_auto(GStrv) paths = NULL;

	if (!trees || !*trees)
		return FALSE;
	paths = g_strsplit(trees, ":", -1);
	for (char **path = paths; *path; path++) {
		kernel_tree_t *tree = g_new0(kernel_tree_t, 1);

		tree->path = g_canonicalize_filename(*path, NULL);
		tree->name = g_path_get_basename(tree->path);
		tree->kconfig = g_strdup(tree->path);
		add(tree);
	}
	return TRUE;
}

static void run(const char *const *argv, const char *name, const char *value)
{
	g_auto(GStrv) environment = process_clean_environment();
	struct process_spec spec = { .argv = argv };
	g_auto(process_result_t) result = { 0 };
	g_autoptr(GError) error = NULL;

	if (name)
		environment = g_environ_setenv(environment, name, value, TRUE);
	spec.envp = (const char *const *)environment;
	process_run(&spec, NULL, &result, &error);
	g_assert_no_error(error);
	if (result.status)
		g_test_message("%s", result.output);
	g_assert_cmpint(result.end, ==, PROCESS_EXITED);
	g_assert_cmpint(result.status, ==, 0);
}

void tree_test_make(const kernel_tree_t *tree, const char *out, const char *target,
                    const char *name, const char *value)
{
	g_autofree char *place = g_strdup_printf("O=%s", out);
	const char *argv[] = { "make", "-s", "-C", tree->path, place, "ARCH=x86_64", target, NULL };

	run(argv, name, value);
}

char *tree_test_read(const char *out)
{
	g_autofree char *path = g_build_filename(out, ".config", NULL);
	g_autoptr(GError) error = NULL;
	char *text = NULL;

	g_file_get_contents(path, &text, NULL, &error);
	g_assert_no_error(error);
	return text;
}

char *tree_test_olddefconfig(const kernel_tree_t *tree, const char *out, const char *text)
{
	g_autofree char *path = g_build_filename(out, ".config", NULL);
	g_autoptr(GError) error = NULL;

	g_file_set_contents(path, text, -1, &error);
	g_assert_no_error(error);
	tree_test_make(tree, out, "olddefconfig", NULL, NULL);
	return tree_test_read(out);
}
