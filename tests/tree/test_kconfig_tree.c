/* SPDX-License-Identifier: GPL-2.0-or-later */
/* kconfig_resolve() against real trees. The right configuration is the one that the tree's own
 * `make olddefconfig` writes, to the byte. With `-m slow`, also on defconfig, allyesconfig and the
 * like, on random configurations and on damaged ones. */
#include <glib/gstdio.h>
#include <string.h>

#include "base/paths.h"
#include "base/process.h"
#include "kernel/kconfig_model.h"
#include "tree_test.h"

enum { RANDOM_CONFIGS = 10 };

static config_file_t *load_minimal(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *path = paths_share_file("minimal-x86_64.config", &error);
	config_file_t *config;

	g_assert_no_error(error);
	config = config_file_load(path, &error);
	g_assert_no_error(error);
	return config;
}

static config_file_t *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	config_file_t *config = config_file_parse(text, strlen(text), "test", &error);

	g_assert_no_error(error);
	return config;
}

static GPtrArray *resolve(const kernel_tree_t *tree, const struct kconfig_request *requests,
                          gsize count)
{
	g_autoptr(GError) error = NULL;
	GPtrArray *models = kconfig_resolve(tree, requests, count, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpuint(models->len, ==, count);
	return models;
}

/* What the exporter says of each symbol against what conf wrote: a symbol with a line has that
 * value, a boolean or tristate without one is n. */
static void check_symbol(const char *name, gboolean has_prompt, void *data)
{
	const kconfig_model_t *model = data;
	const struct kconfig_symbol *symbol = kconfig_model_find(model, name);
	const char *written = config_file_get(kconfig_model_config(model), name);

	g_assert_nonnull(symbol);
	g_assert_cmpstr(symbol->name, ==, name);
	g_assert_true((symbol->prompt != NULL) == has_prompt);
	if (!written && (symbol->type == KCONFIG_BOOL || symbol->type == KCONFIG_TRISTATE))
		written = "n";
	if (written && !kconfig_symbol_is(symbol, written))
		g_test_message("%s is %s, but .config says %s", name, symbol->value, written);
	g_assert_true(!written || kconfig_symbol_is(symbol, written));
	/* A prompt that is on has nothing unmet, one that is off has, or it can never be on. */
	if (symbol->prompt && symbol->prompt_limit == 'y')
		g_assert_null(symbol->unmet[0]);
	if (symbol->prompt && !symbol->prompt_visible)
		g_assert_true(symbol->unmet[0] || !symbol->prompt_possible);
}

static void check_config(const kconfig_model_t *model, const char *expected, const char *what)
{
	if (strcmp(kconfig_model_text(model), expected) != 0)
		g_test_message("%s differs", what);
	g_assert_cmpstr(kconfig_model_text(model), ==, expected);
	kconfig_model_each_name(model, check_symbol, (gpointer)model);
}

/* ---- the same as make ---- */

static void test_minimal(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	g_autoptr(temporary_dir_t) out = paths_make_temporary(NULL);
	g_autoptr(config_file_t) minimal = load_minimal();
	g_autofree char *source = config_file_source(minimal);
	g_autofree char *path = paths_share_file("minimal-x86_64.config", NULL);
	struct kconfig_request requests[] = {
		{ .base = minimal, .rest_is_no = TRUE },
		{ .base = minimal },
	};
	g_autoptr(GPtrArray) models = resolve(tree, requests, G_N_ELEMENTS(requests));
	g_autofree char *allno = NULL, *rest_no = NULL, *rest_default = NULL;

	tree_test_make(tree, out, "allnoconfig", "KCONFIG_ALLCONFIG", path);
	allno = tree_test_read(out);
	rest_no = tree_test_olddefconfig(tree, out, allno);
	check_config(models->pdata[0], rest_no, "allnoconfig");
	rest_default = tree_test_olddefconfig(tree, out, source);
	check_config(models->pdata[1], rest_default, "olddefconfig");
}

/* ---- edits ---- */

/* An edit on the minimal configuration, the value that comes of it (NULL: Kconfig's versions
 * differ: 6.1 takes the default and 6.12 the nearest in the range) and, if that is not what was
 * asked for, words of the reason. Ranges, selects and conditions are those of the Kconfig files
 * of 6.1 and 6.12. */
static const struct {
	const char *name, *wanted, *value, *reason;
} edits[] = {
	{ "DEBUG_PREEMPT", "y", "y", NULL },
	{ "DEBUG_PREEMPT", "n", "n", NULL },
	{ "LOG_BUF_SHIFT", "20", "20", NULL },
	{ "LOG_BUF_SHIFT", "5", NULL, "5 is outside LOG_BUF_SHIFT's range, which is 12 to 25" },
	{ "LOG_BUF_SHIFT", "abc", "17", "takes a decimal number" },
	{ "PHYSICAL_START", "0x2000000", "0x2000000", NULL },
	{ "PHYSICAL_START", "2000000", "2000000", NULL },
	{ "LOCALVERSION", "-a \"b\\", "-a \"b\\", NULL },
	{ "LOCALVERSION", "\"-c\"", "-c", NULL },
	{ "PREEMPT_NONE", "y", "y", NULL },
	{ "PREEMPT", "n", "n", NULL },
	{ "PREEMPT_COUNT", "n", "y", "it has no prompt: it is selected by `PREEMPTION [=y]`" },
	{ "IKCONFIG", "m", "y", "MODULES is n here" },
	{ "IKCONFIG", "y", "y", NULL },
	{ "64BIT", "n", "y", "can never be true with this architecture and compiler" },
	{ "SECURITY_SELINUX", "y", "n", "INET=y" },
	{ "DEBUG_INFO", "y", "n", "selected by DEBUG_INFO_DWARF" },
	{ "DEBUG_KERNEL", "no", "y", "DEBUG_KERNEL is a bool: it takes y or n" },
};

static void test_edits(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	g_autoptr(config_file_t) minimal = load_minimal();
	g_autoptr(GPtrArray) files =
		g_ptr_array_new_with_free_func((GDestroyNotify)config_file_free);
	struct kconfig_request requests[G_N_ELEMENTS(edits)];
	g_autoptr(GPtrArray) models = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(edits); i++) {
		config_file_t *edit = config_file_new();

		config_file_set(edit, edits[i].name, edits[i].wanted);
		g_ptr_array_add(files, edit);
		requests[i] = (struct kconfig_request){ .base = minimal,
			                                .rest_is_no = TRUE,
			                                .edits = edit };
	}
	models = resolve(tree, requests, G_N_ELEMENTS(requests));
	for (gsize i = 0; i < G_N_ELEMENTS(edits); i++) {
		const kconfig_model_t *model = models->pdata[i];
		const struct kconfig_symbol *symbol = kconfig_model_find(model, edits[i].name);
		g_autofree char *why = kconfig_model_why_not(model, edits[i].name, edits[i].wanted);

		g_test_message("%s=%s: %s", edits[i].name, edits[i].wanted, why);
		if (edits[i].value)
			g_assert_cmpstr(symbol->value, ==, edits[i].value);
		g_assert_true(kconfig_symbol_is(symbol, edits[i].wanted) == !edits[i].reason);
		g_assert_nonnull(strstr(why, edits[i].reason ? edits[i].reason : "as asked for"));
	}
}

/* Edits are laid over a configuration that was resolved without them, and take others along. */
static void test_edits_together(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	g_autoptr(config_file_t) minimal = load_minimal();
	g_autoptr(config_file_t) modules = parse("CONFIG_MODULES=y\nCONFIG_IKCONFIG=m\n");
	g_autoptr(config_file_t) voluntary = parse("CONFIG_PREEMPT_VOLUNTARY=y\n");
	struct kconfig_request requests[] = {
		{ .base = minimal, .rest_is_no = TRUE },
		{ .base = minimal, .rest_is_no = TRUE, .edits = modules },
		{ .base = minimal, .rest_is_no = TRUE, .edits = voluntary },
	};
	g_autoptr(GPtrArray) models = resolve(tree, requests, G_N_ELEMENTS(requests));
	const config_file_t *base = kconfig_model_config(models->pdata[0]);
	const config_file_t *with_modules = kconfig_model_config(models->pdata[1]);
	const config_file_t *with_voluntary = kconfig_model_config(models->pdata[2]);

	g_assert_cmpstr(config_file_get(base, "PREEMPT"), ==, "y");
	g_assert_cmpstr(config_file_get(base, "PREEMPT_COUNT"), ==, "y");
	g_assert_cmpstr(config_file_get(with_modules, "MODULES"), ==, "y");
	g_assert_cmpstr(config_file_get(with_modules, "IKCONFIG"), ==, "m");
	g_assert_cmpstr(config_file_get(with_voluntary, "PREEMPT_VOLUNTARY"), ==, "y");
	g_assert_cmpstr(config_file_get(with_voluntary, "PREEMPT"), ==, "n");
	g_assert_null(config_file_get(with_voluntary, "PREEMPT_COUNT"));
	g_assert_cmpstr(config_file_arch(base), ==, "x86");
}

/* ---- what is known of a symbol ---- */

static void test_symbols(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	g_autoptr(config_file_t) minimal = load_minimal();
	g_autoptr(config_file_t) edit = parse("CONFIG_LOG_BUF_SHIFT=20\nCONFIG_MODULES=y\n");
	struct kconfig_request request = { .base = minimal, .rest_is_no = TRUE, .edits = edit };
	g_autoptr(GPtrArray) models = resolve(tree, &request, 1);
	const kconfig_model_t *model = models->pdata[0];
	const struct kconfig_symbol *shift = kconfig_model_find(model, "LOG_BUF_SHIFT");
	const struct kconfig_symbol *preempt = kconfig_model_find(model, "PREEMPT");
	const struct kconfig_symbol *none = kconfig_model_find(model, "PREEMPT_NONE");
	const struct kconfig_symbol *debug = kconfig_model_find(model, "DEBUG_PREEMPT");
	const struct kconfig_symbol *count = kconfig_model_find(model, "PREEMPT_COUNT");

	g_assert_cmpint(shift->type, ==, KCONFIG_INT);
	g_assert_cmpstr(shift->value, ==, "20");
	g_assert_cmpstr(shift->default_value, ==, "17");
	g_assert_cmpstr(shift->range, ==, "12 25");
	g_assert_cmpstr(shift->file, ==, "init/Kconfig");
	g_assert_cmpstr(kconfig_model_find(model, "MODULES")->default_value, ==, "n");
	g_assert_cmpstr(preempt->choice, ==, "Preemption Model");
	g_assert_true(g_strv_contains(preempt->choice_members, "PREEMPT_VOLUNTARY"));
	g_assert_cmpstr(preempt->default_value, ==, "n");
	g_assert_cmpstr(none->default_value, ==, "y");
	g_assert_cmpstr(debug->prompt, ==, "Debug preemptible kernel");
	g_assert_cmpstr(debug->prompt_condition, ==,
	                "DEBUG_KERNEL [=y] && PREEMPTION [=y] && TRACE_IRQFLAGS_SUPPORT [=y]");
	g_assert_cmpstr(debug->file, ==, "lib/Kconfig.debug");
	g_assert_null(count->prompt);
	g_assert_true(g_strv_contains(count->selectors, "PREEMPTION"));
	g_assert_cmpstr(count->selected_by, ==, "PREEMPTION [=y]");
	g_assert_null(kconfig_model_find(model, "ARM64"));
}

/* ---- two at once, and a tree that stays as it is ---- */

static gpointer resolve_minimal(gpointer data)
{
	g_autoptr(config_file_t) minimal = load_minimal();
	struct kconfig_request request = { .base = minimal, .rest_is_no = TRUE };

	return resolve(data, &request, 1);
}

/* From an empty cache, so that both build the exporter. */
static void test_concurrent(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	GThread *thread = g_thread_new("resolve", resolve_minimal, (gpointer)tree);
	g_autoptr(GPtrArray) here = resolve_minimal((gpointer)tree);
	g_autoptr(GPtrArray) there = g_thread_join(thread);

	g_assert_cmpstr(kconfig_model_text(here->pdata[0]), ==,
	                kconfig_model_text(there->pdata[0]));
}

static void test_untouched(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	const char *argv[] = { "find", tree->path, "-newer", g_getenv("KCOST_TEST_STAMP"), NULL };
	g_autoptr(GError) error = NULL;
	g_autofree char *newer = process_capture(argv, NULL, &error);

	g_assert_no_error(error);
	g_assert_cmpstr(newer, ==, "");
}

/* ---- many configurations ---- */

struct corpus {
	GPtrArray *names;
	GPtrArray *texts;
};

static void corpus_add(struct corpus *corpus, char *name, char *text)
{
	g_ptr_array_add(corpus->names, name);
	g_ptr_array_add(corpus->texts, text);
}

static void add_made(struct corpus *corpus, const kernel_tree_t *tree, const char *out)
{
	static const char *const targets[] = { "allnoconfig", "allyesconfig", "allmodconfig",
		                               "tinyconfig", "x86_64_defconfig" };

	for (gsize i = 0; i < G_N_ELEMENTS(targets); i++) {
		tree_test_make(tree, out, targets[i], NULL, NULL);
		corpus_add(corpus, g_strdup(targets[i]), tree_test_read(out));
	}
	for (int seed = 1; seed <= RANDOM_CONFIGS; seed++) {
		g_autofree char *value = g_strdup_printf("%d", seed);

		tree_test_make(tree, out, "randconfig", "KCONFIG_SEED", value);
		corpus_add(corpus, g_strdup_printf("randconfig %d", seed), tree_test_read(out));
	}
}

/* Every third line is lost, every fifth symbol has another name: as of another version. */
static char *make_stale(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *stale = g_string_new(NULL);

	for (guint i = 0; lines[i]; i++) {
		if (i % 3 == 0)
			continue;
		if (i % 5 == 0 && g_str_has_prefix(lines[i], "CONFIG_"))
			g_string_append_printf(stale, "CONFIG_OLD_%s\n", lines[i] + 7);
		else
			g_string_append_printf(stale, "%s\n", lines[i]);
	}
	return g_string_free(stale, FALSE);
}

/* Lines that contradict what follows or went before, members of a choice among them. */
static char *make_contradictory(const char *text)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	GString *twice = g_string_new(text);

	for (guint i = 0; lines[i]; i += 7) {
		const gsize length = strlen(lines[i]);

		if (g_str_has_prefix(lines[i], "# CONFIG_") && length > 20)
			g_string_append_printf(twice, "%.*s=y\n", (int)length - 13, lines[i] + 2);
		else if (g_str_has_suffix(lines[i], "=y"))
			g_string_append_printf(twice, "# %.*s is not set\n", (int)length - 2,
			                       lines[i]);
	}
	g_string_append(twice, "CONFIG_PREEMPT=y\nCONFIG_PREEMPT_NONE=y\n"
	                       "# CONFIG_PREEMPT_NONE is not set\n"
	                       "CONFIG_HZ_100=y\nCONFIG_HZ_1000=y\nCONFIG_HZ_300=n\n");
	return g_string_free(twice, FALSE);
}

/* What no Kconfig wrote: values of other types, open quotes, blanks, a line of 10 kB. */
static char *make_garbled(const char *text)
{
	g_autofree char *filler = g_strnfill(10 * 1024, 'v');

	return g_strdup_printf("%s\n CONFIG_SMP=n\nCONFIG_LOG_BUF_SHIFT=\"x\"\nCONFIG_NR_CPUS=08\n"
	                       "CONFIG_CMDLINE=\"%s\nCONFIG_LOCALVERSION=\"%s\"\n"
	                       "CONFIG_PHYSICAL_START=-1\nCONFIG_SLUB=yes\nCONFIG_MODULES=m\n"
	                       "CONFIG_=y\nCONFIG\n# CONFIG_KALLSYMS is not set  \n"
	                       "CONFIG_RCU_CPU_STALL_TIMEOUT=99999\n%s\xff\xfe\n"
	                       "CONFIG_PRINTK=y  \nCONFIG_HZ_250=y # as ever",
	                       text, filler, filler, filler);
}

static char *replace(const char *text, const char *from, const char *to)
{
	g_auto(GStrv) parts = g_strsplit(text, from, -1);

	return g_strjoinv(to, parts);
}

static void add_damaged(struct corpus *corpus, const kernel_tree_t *tree)
{
	const char *defconfig = corpus->texts->pdata[4];
	const char *random = corpus->texts->pdata[5];
	g_autofree char *path = g_build_filename(tree->path, "arch/arm64/configs/defconfig", NULL);
	g_autoptr(GError) error = NULL;
	char *foreign = NULL;

	corpus_add(corpus, g_strdup("stale"), make_stale(random));
	corpus_add(corpus, g_strdup("contradictory"), make_contradictory(defconfig));
	corpus_add(corpus, g_strdup("garbled"), make_garbled(defconfig));
	corpus_add(corpus, g_strdup("carriage returns"), replace(random, "\n", "\r\n"));
	corpus_add(corpus, g_strdup("a third"), g_strndup(defconfig, strlen(defconfig) / 3));
	corpus_add(corpus, g_strdup("no means n"), replace(defconfig, "=y", "=n"));
	g_file_get_contents(path, &foreign, NULL, &error);
	g_assert_no_error(error);
	corpus_add(corpus, g_strdup("of arm64"), foreign);
}

static void test_corpus(gconstpointer data)
{
	const kernel_tree_t *tree = data;
	g_autoptr(temporary_dir_t) out = paths_make_temporary(NULL);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) bases =
		g_ptr_array_new_with_free_func((GDestroyNotify)config_file_free);
	struct corpus corpus = { names, texts };
	g_autofree struct kconfig_request *requests = NULL;
	g_autoptr(GPtrArray) models = NULL;

	add_made(&corpus, tree, out);
	add_damaged(&corpus, tree);
	requests = g_new0(struct kconfig_request, texts->len);
	for (guint i = 0; i < texts->len; i++) {
		g_ptr_array_add(bases, parse(texts->pdata[i]));
		requests[i].base = bases->pdata[i];
	}
	models = resolve(tree, requests, texts->len);
	for (guint i = 0; i < texts->len; i++) {
		g_autofree char *expected = tree_test_olddefconfig(tree, out, texts->pdata[i]);

		check_config(models->pdata[i], expected, names->pdata[i]);
	}
}

/* ---- all of it ---- */

static void add(const kernel_tree_t *tree, const char *name, GTestDataFunc function)
{
	g_autofree char *path = g_strdup_printf("/kconfig_tree/%s/%s", tree->name, name);

	g_test_add_data_func(path, tree, function);
}

static void add_tests(const kernel_tree_t *tree)
{
	if (!g_test_slow()) {
		add(tree, "concurrent", test_concurrent);
		add(tree, "minimal", test_minimal);
		add(tree, "edits", test_edits);
		add(tree, "edits-together", test_edits_together);
		add(tree, "symbols", test_symbols);
	} else {
		add(tree, "corpus", test_corpus);
	}
	add(tree, "untouched", test_untouched);
}

static void test_skipped(void)
{
	g_test_skip("KCOST_TEST_TREE names no kernel tree");
}

int main(int argc, char **argv)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *cache = g_build_filename(dir, "cache", NULL);
	g_autofree char *stamp = g_build_filename(dir, "stamp", NULL);

	g_setenv("KCOST_CACHE", cache, TRUE);
	g_setenv("KCOST_TEST_STAMP", stamp, TRUE);
	g_file_set_contents(stamp, "", 0, NULL);
	g_test_init(&argc, &argv, NULL);
	if (!tree_test_each(add_tests))
		g_test_add_func("/kconfig_tree/skipped", test_skipped);
	return g_test_run();
}
