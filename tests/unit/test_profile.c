/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "kernel/function_files.h"
#include "profile/plugin_decode.h"
#include "profile/plugin_output.h"
#include "profile/tree_file.h"
#include "profile_fixture.h"
#include "report/profile_files.h"

/* Profiles on their way from the plugin's file through the store to other programs. */

static void assert_equal(const profile_t *a, const profile_t *b)
{
	g_autofree char *x = profile_to_text(a), *y = profile_to_text(b);

	g_assert_cmpstr(x, ==, y);
}

static void test_merge(void)
{
	g_autoptr(profile_t) merged = profile_new();
	g_autoptr(profile_t) base = fixture_base(), other = fixture_other();
	g_autofree guint64 *inclusive = NULL;

	profile_merge(merged, base);
	assert_equal(merged, base);
	profile_merge(merged, other);
	g_assert_cmpuint(profile_sum(merged), ==, 1180 + 1900);
	g_assert_cmpuint(merged->totals.operations, ==, 20);
	/* The other has two nodes that the base has not. */
	g_assert_cmpuint(merged->nodes->len, ==, base->nodes->len + 2);
	inclusive = profile_inclusive(merged);
	g_assert_cmpuint(inclusive[0], ==, 1180 + 1900);
	g_assert_cmpuint(inclusive[3], ==, 500 + 100 + 80 + 1000 + 120 + 200 + 80); /* send */
	g_assert_cmpuint(profile_node_at(merged, 3)->calls, ==, 30);
}

static void test_text(gconstpointer events)
{
	g_autoptr(profile_t) profile =
		events ? fixture_with_events(fixture_other()) : fixture_other();
	g_autoptr(profile_t) again = NULL;
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;

	profile->missing = g_strdup("something");
	profile->totals.unmatched = G_MAXUINT64;
	text = profile_to_text(profile);
	again = profile_from_text(text, &error);
	g_assert_no_error(error);
	assert_equal(profile, again);
	g_assert_cmpstr(again->missing, ==, "something");
	g_assert_cmpuint(again->totals.unmatched, ==, G_MAXUINT64);
	/* No beginning of it is taken for all of it. */
	for (gsize length = 0; length + 1 < strlen(text); length++) {
		g_autofree char *cut = g_strndup(text, length);
		g_autoptr(GError) failure = NULL;

		if (profile_from_text(cut, &failure))
			g_error("%zu bytes were taken for all", length);
		g_assert_error(failure, KCOST_ERROR, KCOST_ERROR_MISSING);
	}
}

static void test_folded(void)
{
	g_autoptr(profile_t) profile = fixture_other();
	g_autofree char *text = profile_folded(profile, NULL);

	g_assert_cmpstr(text, ==,
	                "[user] 200\n"
	                "[user];entry 300\n"
	                "[user];entry;send 1000\n"
	                "[user];entry;send;check 120\n"
	                "[user];entry;send;lock 200\n"
	                "[user];entry;send;lock;check 80\n");
}

/* By the format's specification: self cost after fn=, then each callee with its calls and its
 * inclusive cost. */
static void test_callgrind(void)
{
	g_autoptr(profile_t) profile = fixture_other();
	g_autofree char *text = profile_callgrind(profile, NULL, "a title");

	g_assert_true(g_str_has_prefix(text, "# callgrind format\nversion: 1\n"));
	g_assert_nonnull(strstr(text, "\ncmd: a title\n"));
	g_assert_nonnull(strstr(text, "\nevents: Instructions\nsummary: 1900\n"));
	g_assert_nonnull(strstr(text, "\nfl=net/unix/af_unix.c\nfn=send\n0 1000\n"
	                              "cfi=lib/smp_processor_id.c\ncfn=check\ncalls=20 0\n0 120\n"
	                              "cfi=kernel/locking/spinlock.c\ncfn=lock\ncalls=20 0\n"
	                              "0 280\n"));
	/* Nobody is seen to call user space, but its cost must not become the root's own. */
	g_assert_nonnull(
		strstr(text, "\nfn=[all]\n0 0\ncfi=\?\?\?\ncfn=[user]\ncalls=1 0\n0 1900\n"));
}

static void test_flamegraph(void)
{
	g_autoptr(profile_t) base = fixture_base(), other = fixture_other();
	g_autoptr(GError) error = NULL;
	g_autofree char *svg = profile_flamegraph(base, other, "a <title>", "message", &error);

	g_assert_no_error(error);
	g_assert_nonnull(strstr(svg, "a &lt;title&gt;"));
	/* 1400 of 1900 from the left edge on. */
	g_assert_nonnull(
		strstr(svg, "data-name=\"send\" data-x=\"0.000000000\" data-w=\"0.736842105\""));
	g_assert_nonnull(
		strstr(svg, "<title>check: 0.0 -> 12.0 instructions per message, +12.0; "));
	/* All of check is new: full red; lock doubled and more. */
	g_assert_nonnull(strstr(svg, "fill=\"rgb(250,55,55)\""));
	g_assert_true(g_str_has_suffix(svg, "</svg>\n"));
}

/* A kernel with the functions f and g, numbered as the plugin's file below has them. */
static kernel_symbols_t *two_functions(void)
{
	kernel_symbols_t *symbols = g_new0(kernel_symbols_t, 1);
	static const char *const names[] = { "f", "g" };

	symbols->places = g_array_new(FALSE, FALSE, sizeof(struct symbol_place));
	symbols->functions = g_ptr_array_new();
	g_ptr_array_set_size(symbols->functions, SYMBOL_FIRST);
	for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
		struct kernel_function *function = g_new0(struct kernel_function, 1);

		function->name = g_strdup(names[i]);
		g_ptr_array_add(symbols->functions, function);
	}
	return symbols;
}

static void free_two_functions(kernel_symbols_t *symbols)
{
	for (guint i = SYMBOL_FIRST; i < symbols->functions->len; i++) {
		struct kernel_function *function = symbols->functions->pdata[i];

		g_free(function->name);
		g_free(function);
	}
	kernel_symbols_free(symbols);
}

/* What the plugin writes of a tree that is filled in by hand. @now, @before: flat counters, or
 * NULL. */
static char *write_tree(gsize *length, const guint64 *now, const guint64 *before, gboolean model)
{
	struct event_row rows[8] = { { 0 } };
	const struct events events = { .rows = rows, .capacity = G_N_ELEMENTS(rows) };
	struct time_counts counts = { .n = { [TIME_LOCKED] = 7, [TIME_TAKEN] = G_MAXUINT64 } };
	struct tracer tracer;
	const struct output_region region = { .tracer = &tracer,
		                              .flat_before = before,
		                              .symbols = now ? SYMBOL_FIRST + 2 : 0,
		                              .events = model ? &events : NULL,
		                              .counts = &counts };
	char *data = NULL;
	FILE *file = open_memstream(&data, length);
	guint32 f, g;

	fputs(TREE_FILE_HEADER, file);
	tracer_init(&tracer, 100);
	tracer.flat = (guint64 *)now;
	f = tree_child(&tracer.tree, tracer.user_node, SYMBOL_FIRST);
	tree_child(&tracer.tree, f, SYMBOL_FIRST); /* without figures: stays out */
	g = tree_child(&tracer.tree, f, SYMBOL_FIRST + 1);
	tracer.tree.nodes[f].calls = 3;
	tracer.tree.nodes[g].calls = 300;
	tracer.tree.nodes[g].self = 1000000007;
	event_row_add(&rows[f], TIME_LOCKED, 3);
	event_row_add(&rows[g], TIME_LOCKED, 4);
	event_row_add(&rows[g], TIME_TAKEN, G_MAXUINT64);
	tracer.counts = (struct tracer_counts){ 1000000007, 1, 2, 3, 4, 5 };
	for (int i = 0; i < 2; i++)
		g_assert_true(output_region(file, &region));
	fclose(file);
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		event_row_clear(&rows[i]);
	tracer_clear(&tracer);
	return data;
}

static void test_tree_file(void)
{
	kernel_symbols_t *symbols = two_functions();
	gsize length = 0;
	g_autofree char *data = write_tree(&length, NULL, NULL, FALSE);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) regions = tree_file_parse((guint8 *)data, length, symbols, &error);
	const struct tree_file_region *region;
	g_autofree char *folded = NULL;

	g_assert_no_error(error);
	g_assert_cmpuint(regions->len, ==, 2);
	region = regions->pdata[1];
	folded = profile_folded(region->profile, NULL);
	g_assert_cmpstr(folded, ==, "[user];f;g 1000000007\n");
	g_assert_cmpuint(region->profile->nodes->len, ==, 4);
	g_assert_cmpuint(profile_node_at(region->profile, 2)->calls, ==, 3);
	g_assert_cmpuint(region->sum, ==, 1000000007);
	g_assert_cmpuint(region->totals.instructions, ==, 1000000007);
	g_assert_cmpuint(region->totals.halts, ==, 1);
	g_assert_cmpuint(region->totals.refaults, ==, 2);
	g_assert_cmpuint(region->totals.unsure, ==, 3);
	g_assert_cmpuint(region->totals.unmatched, ==, 4);
	g_assert_cmpuint(region->totals.folded, ==, 5);
	free_two_functions(symbols);
}

/* With a core model: node 2 is f, 3 is g. A sum that is not what was counted beside it shows. */
static void test_tree_file_events(void)
{
	kernel_symbols_t *symbols = two_functions();
	gsize length = 0;
	g_autofree char *data = write_tree(&length, NULL, NULL, TRUE);
	g_autoptr(GError) error = NULL;
	g_autoptr(GPtrArray) regions = tree_file_parse((guint8 *)data, length, symbols, &error);
	const struct tree_file_region *region;
	const guint8 *found;

	g_assert_no_error(error);
	region = regions->pdata[0];
	fixture_assert_events(region->profile, 2, TIME_LOCKED, 3, 7);
	fixture_assert_events(region->profile, 3, TIME_LOCKED, 4, 7);
	fixture_assert_events(region->profile, 3, TIME_TAKEN, G_MAXUINT64, G_MAXUINT64);
	g_assert_cmpuint(region->profile->events.broken, ==, 0);
	g_ptr_array_set_size(regions, 0);
	/* The pair of f's locked instructions becomes one less. */
	found = memmem(data, length, ((const guint8[]){ 1, TIME_LOCKED, 3 }), 3);
	g_assert_nonnull(found);
	data[found - (const guint8 *)data + 2] = 2;
	g_clear_pointer(&regions, g_ptr_array_unref);
	regions = tree_file_parse((guint8 *)data, length, symbols, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(((struct tree_file_region *)regions->pdata[0])->profile->events.broken, ==,
	                 1);
	g_assert_cmpuint(((struct tree_file_region *)regions->pdata[1])->profile->events.broken, ==,
	                 0);
	free_two_functions(symbols);
}

/* Each function's own counter is held against the tree: f executed nothing, g 1,000,000,007. */
static void test_tree_file_counters(void)
{
	static const struct {
		guint64 f, g;
		guint counters, differences;
	} cases[] = {
		{ 0, 1000000007, 1, 0 }, /* what did not change is not written */
		{ 0, 1000000008, 1, 1 }, { 1, 1000000007, 2, 1 }, { 1, 0, 1, 1 }, { 0, 0, 0, 0 },
	};
	kernel_symbols_t *symbols = two_functions();

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		const guint64 now[] = { [SYMBOL_FIRST] = 7 + cases[i].f, 9 + cases[i].g };
		const guint64 before[] = { [SYMBOL_FIRST] = 7, 9 };
		gsize length = 0;
		g_autofree char *data = write_tree(&length, now, before, FALSE);
		g_autoptr(GPtrArray) regions =
			tree_file_parse((guint8 *)data, length, symbols, NULL);
		const struct tree_file_region *region = regions->pdata[0];

		g_assert_cmpuint(region->flat_counters, ==, cases[i].counters);
		g_assert_cmpuint(region->flat_differences, ==, cases[i].differences);
	}
	free_two_functions(symbols);
}

/* Functions of modules come as they are met: one before the first region, one before the second. */
static void test_tree_file_modules(void)
{
	kernel_symbols_t *symbols = two_functions();
	guint32 first = symbols->functions->len;
	gsize length = 0;
	char *data = NULL;
	FILE *file = open_memstream(&data, &length);
	struct tracer tracer;
	const struct output_region region = { .tracer = &tracer };
	g_autoptr(GPtrArray) regions = NULL;
	g_autoptr(GError) error = NULL;
	const profile_t *profile;

	fputs(TREE_FILE_HEADER, file);
	tracer_init(&tracer, 100);
	for (guint32 i = 0; i < 2; i++) {
		guint32 node = tree_child(&tracer.tree, tracer.user_node, first + i);

		output_function(file, i ? "close" : "open", "first");
		tracer.tree.nodes[node].calls = tracer.tree.nodes[node].self = 7;
		g_assert_true(output_region(file, &region));
	}
	fclose(file);
	regions = tree_file_parse((guint8 *)data, length, symbols, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(regions->len, ==, 2);
	profile = ((struct tree_file_region *)regions->pdata[1])->profile;
	for (guint i = 0; i < 2; i++) {
		const struct profile_function *function = profile_function_at(
			profile, profile_node_at(profile, profile->nodes->len - 2 + i)->function);

		g_assert_cmpstr(function->name, ==, i ? "close" : "open");
		g_assert_cmpstr(function->file, ==, "first.ko");
	}
	/* A number that nothing was said of before. */
	data[sizeof(TREE_FILE_HEADER) - 1] = TREE_RECORD;
	g_clear_pointer(&regions, g_ptr_array_unref);
	regions = tree_file_parse((guint8 *)data, length, symbols, NULL);
	g_assert_null(regions);
	tracer_clear(&tracer);
	free(data);
	free_two_functions(symbols);
}

/* Cut at any byte it is an error or holds whole regions; with any byte changed nothing is read
 * beyond the end (which the sanitizers see). */
static void test_damaged_tree_file(gconstpointer model)
{
	kernel_symbols_t *symbols = two_functions();
	gsize length = 0, whole = sizeof(TREE_FILE_HEADER) - 1;
	g_autofree char *data = write_tree(&length, NULL, NULL, model != NULL);
	gsize record = (length - whole) / 2;

	for (gsize cut = 0; cut < length; cut++) {
		g_autofree guint8 *some = g_memdup2(data, MAX(cut, 1));
		g_autoptr(GError) error = NULL;
		g_autoptr(GPtrArray) regions = tree_file_parse(some, cut, symbols, &error);

		g_assert_true((regions != NULL) == (cut == whole || cut == whole + record));
	}
	for (gsize at = 0; at < length; at++)
		for (int bit = 0; bit < 8; bit++) {
			g_autofree guint8 *other = g_memdup2(data, length);
			g_autoptr(GPtrArray) regions = NULL;

			other[at] ^= (guint8)(1 << bit);
			regions = tree_file_parse(other, length, symbols, NULL);
			g_assert_true(at >= whole || !regions);
		}
	free_two_functions(symbols);
}

/* A System.map of a kernel that has what the tracer must tell apart. */
static void test_system_map(void)
{
	static const char map[] = "0000000000000000 A fixed_percpu_data\n"
				  "ffffffff81000000 T entry_SYSCALL_64\n"
				  "ffffffff81000100 t __pfx_f\n"
				  "ffffffff81000110 t f.isra.0\n"
				  "ffffffff81000200 T asm_exc_page_fault\n"
				  "ffffffff81000300 t f.isra.0.cold\n"
				  "ffffffff81000400 D jiffies\n"
				  "ffffffff81000410 D init_top_pgt\n"
				  "ffffffff81000420 d modules\n"
				  "ffffffff81000430 t modules\n"
				  "ffffffff81000500 T ret_from_fork\n";
	g_autofree char *dir = g_dir_make_tmp("kcost-map-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "System.map", NULL);
	g_autoptr(GError) error = NULL;
	struct symbol_files files = { .dir = dir };
	g_autoptr(kernel_symbols_t) symbols = NULL;
	g_autofree char *text = NULL;

	g_assert_null(kernel_symbols_open(&files, NULL, &error));
	g_assert_error(error, KCOST_ERROR, KCOST_ERROR_MISSING);
	g_clear_error(&error);
	g_assert_true(g_file_set_contents(path, map, -1, NULL));
	symbols = kernel_symbols_open(&files, "mm/a.c\tf.isra.0\tg\n", &error);
	g_assert_no_error(error);
	text = kernel_symbols_text(symbols);
	/* First what leads to modules; then numbers from 4 on; flags as in symbol_table.h; the cold
	 * part is f's. */
	g_assert_cmpstr(text, ==,
	                "kcost-symbols 2\n"
	                "ffffffff81000420 ffffffff81000410 0\n"
	                "ffffffff81000000 4 1\n"
	                "ffffffff81000110 5 0\n"
	                "ffffffff81000200 6 33\n"
	                "ffffffff81000300 5 0\n"
	                "ffffffff81000430 7 0\n"
	                "ffffffff81000500 8 8\n"
	                "ffffffff9fffffff 9 64\n");
	g_assert_cmpstr(((struct kernel_function *)symbols->functions->pdata[5])->name, ==, "f");
	g_assert_cmpstr(((struct kernel_function *)symbols->functions->pdata[5])->file, ==,
	                "mm/a.c");
	g_assert_nonnull(symbols->missing);
	remove(path);
	remove(dir);
}

/* The plugin reads what kcost writes. */
static void test_symbol_table(void)
{
	static const char good[] = "kcost-symbols 2\nffffffff81000420 ffffffff81000410 0\n"
				   "ffffffff81000000 4 1\nffffffff81000110 5 0\n";
	static const char *const bad[] = { "",
		                           "kcost-symbols 1\nffffffff81000000 4 1\n",
		                           "kcost-symbols 2\n",
		                           "kcost-symbols 2\n0 0\n",
		                           "kcost-symbols 2\n0 0 0\n",
		                           "kcost-symbols 2\n0 0 0\nffffffff81000000 4\n",
		                           "kcost-symbols 2\n0 0 0\n20 4 0\n10 5 0\n" };
	g_autofree char *dir = g_dir_make_tmp("kcost-table-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "symbols", NULL);
	struct symbol_table table;

	g_assert_true(g_file_set_contents(path, good, -1, NULL));
	g_assert_true(symbol_table_read(&table, path));
	g_assert_cmpuint(table.numbers, ==, 6);
	g_assert_cmphex(table.roots[ROOT_MODULES], ==, 0xffffffff81000420);
	g_assert_cmphex(table.roots[ROOT_PAGE_TABLES], ==, 0xffffffff81000410);
	g_assert_cmphex(table.roots[ROOT_FIVE_LEVELS], ==, 0);
	g_assert_null(symbol_table_find(&table, 0xffffffff80ffffff));
	g_assert_cmpuint(symbol_table_find(&table, 0xffffffff81000000)->number, ==, 4);
	g_assert_cmpuint(symbol_table_find(&table, 0xffffffff8100010f)->number, ==, 4);
	g_assert_cmpuint(symbol_table_find(&table, G_MAXUINT64)->number, ==, 5);
	symbol_table_clear(&table);
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_assert_true(g_file_set_contents(path, bad[i], -1, NULL));
		g_assert_false(symbol_table_read(&table, path));
	}
	remove(path);
	g_assert_false(symbol_table_read(&table, path));
	remove(dir);
}

/* Bytes as an assembler gives them (as and objdump of binutils 2.40). */
static void test_decode(void)
{
	static const struct {
		guint8 bytes[10];
		gsize size;
		enum insn_kind kind;
	} cases[] = {
		{ { 0xe8, 1, 2, 3, 4 }, 5, INSN_CALL },                 /* call rel32 */
		{ { 0xff, 0xd0 }, 2, INSN_CALL },                       /* call *%rax */
		{ { 0x41, 0xff, 0xd3 }, 3, INSN_CALL },                 /* call *%r11 */
		{ { 0xff, 0x14, 0xc5, 0, 0, 0, 0 }, 7, INSN_CALL },     /* call *0(,%rax,8) */
		{ { 0xff, 0xe0 }, 2, INSN_OTHER },                      /* jmp *%rax */
		{ { 0xff, 0x30 }, 2, INSN_OTHER },                      /* push (%rax) */
		{ { 0xff, 0x00 }, 2, INSN_OTHER },                      /* incl (%rax) */
		{ { 0xc3 }, 1, INSN_RET },                              /* ret */
		{ { 0xf3, 0xc3 }, 2, INSN_RET },                        /* repz ret */
		{ { 0xc2, 8, 0 }, 3, INSN_RET },                        /* ret $8 */
		{ { 0x48, 0xcf }, 2, INSN_IRET },                       /* iretq */
		{ { 0xf4 }, 1, INSN_HALT },                             /* hlt */
		{ { 0x0f, 0x01, 0xc9 }, 3, INSN_HALT },                 /* mwait */
		{ { 0x0f, 0x05 }, 2, INSN_OTHER },                      /* syscall */
		{ { 0x66, 0x90 }, 2, INSN_OTHER },                      /* xchg %ax,%ax */
		{ { 0x48, 0xc7, 0xc0, 0xe8, 0, 0, 0 }, 7, INSN_OTHER }, /* mov $0xe8,%rax */
		{ { 0x0f, 0x1f, 0x84, 0, 0x01, 0x42, 0x63, 0x6b }, 8, INSN_BEGIN },
		{ { 0x0f, 0x1f, 0x84, 0, 0x02, 0x45, 0x63, 0x6b }, 8, INSN_END },
		{ { 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0 }, 8, INSN_OTHER }, /* nopl */
		{ { 0x66 }, 1, INSN_OTHER },
		{ { 0 }, 0, INSN_OTHER },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpint(insn_decode(cases[i].bytes, cases[i].size), ==, cases[i].kind);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/profile/merge", test_merge);
	g_test_add_data_func("/profile/text", NULL, test_text);
	g_test_add_data_func("/profile/text-with-events", "", test_text);
	g_test_add_func("/profile/tree-file-events", test_tree_file_events);
	g_test_add_func("/profile/tree-file-counters", test_tree_file_counters);
	g_test_add_func("/profile/tree-file-modules", test_tree_file_modules);
	g_test_add_func("/profile/folded", test_folded);
	g_test_add_func("/profile/callgrind", test_callgrind);
	g_test_add_func("/profile/flamegraph", test_flamegraph);
	g_test_add_func("/profile/tree-file", test_tree_file);
	g_test_add_data_func("/profile/damaged-tree-file", NULL, test_damaged_tree_file);
	g_test_add_data_func("/profile/damaged-tree-file-with-events", "", test_damaged_tree_file);
	g_test_add_func("/profile/system-map", test_system_map);
	g_test_add_func("/profile/symbol-table", test_symbol_table);
	g_test_add_func("/profile/decode", test_decode);
	return g_test_run();
}
