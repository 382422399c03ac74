/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "kallsyms_fixture.h"
#include "kernel/image_payload.h"
#include "profile/build_id.h"
#include "profile/kallsyms.h"
#include "profile/raw_symbols.h"

/* The tables of kernels' own symbols: made here by the rules of scripts/kallsyms.c of each version,
 * and those of real kernels, of which vmlinux and System.map say what is in them. */

static const struct kallsyms_layout layouts[] = {
	{ "5.10", FALSE, FALSE, PER_CPU },   { "5.10-up", FALSE, FALSE, RELATIVE },
	{ "6.2", FALSE, TRUE, PER_CPU },     { "6.12", TRUE, TRUE, PER_CPU },
	{ "6.12-up", TRUE, TRUE, RELATIVE },
};

struct heard {
	const struct kallsyms_layout *layout;
	guint count;
	gboolean wrong;
};

static void hear(gpointer data, guint64 address, char type, const char *name)
{
	struct heard *heard = data;
	guint i = heard->count++;
	g_autofree char *expected = kallsyms_name(i);

	heard->wrong |= address != kallsyms_address(i, heard->layout->form) || type != *expected ||
	                strcmp(name, expected + 1) != 0;
}

static void test_layout(gconstpointer data)
{
	struct heard heard = { .layout = data };
	g_autoptr(GString) kernel = kallsyms_kernel(data);
	g_autoptr(GError) error = NULL;

	kallsyms_read(kernel->str, kernel->len, hear, &heard, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(heard.count, ==, KALLSYMS);
	g_assert_false(heard.wrong);
}

static void count(gpointer data, guint64 address, char type, const char *name)
{
	(void)address;
	(void)type;
	(void)name;
	(*(guint *)data)++;
}

/* Cut off or damaged: nothing is told, or as many symbols as there are. */
static void test_damaged(void)
{
	for (int round = 0; round < 400; round++) {
		g_autoptr(GString) kernel =
			kallsyms_kernel(&layouts[(guint)round % G_N_ELEMENTS(layouts)]);
		gint32 most = (gint32)kernel->len;
		gsize size = (gsize)g_test_rand_int_range(round % 2 ? 0 : most, most + 1);
		g_autofree char *copy = NULL;
		guint told = 0;

		for (int i = 0; i < round % 5; i++)
			kernel->str[g_test_rand_int_range(0, most)] =
				(char)g_test_rand_int_range(0, 256);
		copy = g_memdup2(kernel->str, size);
		if (kallsyms_read(copy, size, count, &told, NULL))
			g_assert_cmpuint(told, >, 0);
		else
			g_assert_cmpuint(told, ==, 0);
	}
}

static void test_none(void)
{
	g_autoptr(GString) kernel = kallsyms_kernel(&layouts[0]);
	g_autoptr(GError) error = NULL;
	guint told = 0;

	g_assert_false(kallsyms_read("", 0, count, &told, &error));
	g_assert_error(error, KCOST_ERROR, KCOST_ERROR_MISSING);
	g_clear_error(&error);
	/* Up to the middle of the tokens. */
	g_assert_false(kallsyms_read(kernel->str, kernel->len - 800, count, &told, &error));
	g_assert_error(error, KCOST_ERROR, KCOST_ERROR_MISSING);
	g_assert_nonnull(strstr(error->message, "CONFIG_KALLSYMS"));
}

/* The same functions as in a System.map, and no labels, be they in entries or of sections. */
static void test_labels(void)
{
	static const char map[] = "ffffffff81000000 T _stext\n"
				  "ffffffff81000000 T startup_64\n"
				  "ffffffff81001000 T __sched_text_start\n"
				  "ffffffff81001000 t schedule\n"
				  "ffffffff81002000 T entry_SYSCALL_64\n"
				  "ffffffff81002020 T entry_SYSCALL_64_safe_stack\n"
				  "ffffffff81002040 T entry_SYSRETQ_end\n"
				  "ffffffff81002060 T my_safe_stack\n"
				  "ffffffff81002080 W weak\n"
				  "ffffffff81002080 T strong\n"
				  "ffffffff810020c0 T __x86_indirect_thunk_array\n"
				  "ffffffff810020c0 T __x86_indirect_thunk_rax\n"
				  "ffffffff810020e0 T __x86_indirect_thunk_rbx\n"
				  "ffffffff81003000 T _etext\n";
	static const char *const kept[] = { "startup_64",       "schedule",
		                            "entry_SYSCALL_64", "my_safe_stack",
		                            "strong",           "__x86_indirect_thunk_array" };
	g_autofree char *dir = g_dir_make_tmp("kcost-labels-XXXXXX", NULL);
	g_autofree char *path = g_build_filename(dir, "System.map", NULL);
	g_autoptr(GArray) symbols = NULL;

	g_assert_true(g_file_set_contents(path, map, -1, NULL));
	symbols = raw_symbols_read_map(path, NULL);
	g_assert_cmpuint(symbols->len, ==, G_N_ELEMENTS(kept));
	for (guint i = 0; i < symbols->len; i++)
		g_assert_cmpstr(g_array_index(symbols, struct raw_symbol, i).name, ==, kept[i]);
	remove(path);
	remove(dir);
}

/* One real kernel's table against the tables that the linker and nm made. */
struct truth {
	GHashTable *map;  /* the lines of System.map */
	GHashTable *bare; /* the same without the type */
	guint wrong, count;
};

/* @line, "ADDRESS TYPE NAME", without its type; the caller frees it. */
static char *without_type(const char *line)
{
	const char *type = strchr(line, ' ');

	g_assert_nonnull(type);
	return g_strdup_printf("%.*s%s", (int)(type - line), line, type + strlen(" T"));
}

/* make_percpus_absolute() in scripts/kallsyms.c writes A for the type of each per-CPU variable,
 * where nm has D or V. */
static void compare(gpointer data, guint64 address, char type, const char *name)
{
	struct truth *truth = data;
	g_autofree char *line =
		g_strdup_printf("%016" G_GINT64_MODIFIER "x %c %s", address, type, name);
	g_autofree char *bare = without_type(line);

	truth->wrong += type == 'A' ? !g_hash_table_contains(truth->bare, bare)
	                            : !g_hash_table_contains(truth->map, line);
	truth->count++;
}

static struct truth truth_of(const char *dir)
{
	struct truth truth = {
		.map = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.bare = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
	};
	g_autofree char *path = g_build_filename(dir, "System.map", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
	lines = g_strsplit(g_strchomp(text), "\n", -1);
	for (char **line = lines; *line; line++) {
		g_hash_table_add(truth.bare, without_type(*line));
		g_hash_table_add(truth.map, g_strdup(*line));
	}
	return truth;
}

/* Every function of vmlinux is told, at its place. */
static void check_functions(const char *dir, const char *kernel, gsize size)
{
	g_autofree char *path = g_build_filename(dir, "vmlinux", NULL);
	g_autoptr(GArray) elf = raw_symbols_read_elf(path, NULL);
	g_autoptr(GArray) told = raw_symbols_read_kallsyms(kernel, size, NULL);
	guint found = 0, functions = 0;

	g_assert_nonnull(elf);
	g_assert_nonnull(told);
	for (guint i = 0, j = 0; i < elf->len; i++) {
		const struct raw_symbol *symbol = &g_array_index(elf, struct raw_symbol, i);

		while (j < told->len &&
		       g_array_index(told, struct raw_symbol, j).address < symbol->address)
			j++;
		functions += symbol->function;
		if (j < told->len && symbol->function)
			found += !strcmp(g_array_index(told, struct raw_symbol, j).name,
			                 symbol->name);
	}
	g_test_message("%u of %u functions of vmlinux; %u in all", found, functions, told->len);
	g_assert_cmpuint(functions, >, 5000);
	g_assert_cmpuint(found, >=, functions - functions / 200);
}

static void check_kernel(const char *dir)
{
	g_autofree char *path = g_build_filename(dir, "bzImage", NULL);
	g_autofree char *vmlinux = g_build_filename(dir, "vmlinux", NULL);
	g_autoptr(GMappedFile) image = g_mapped_file_new(path, FALSE, NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *kernel = NULL, *ids[2] = { NULL };
	struct truth truth = truth_of(dir);
	gsize size = 0;

	g_assert_nonnull(image);
	kernel = image_payload(g_mapped_file_get_contents(image), g_mapped_file_get_length(image),
	                       &size);
	g_assert_nonnull(kernel);
	kallsyms_read(kernel, size, compare, &truth, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(truth.count, >, 5000);
	g_assert_cmpuint(truth.wrong, ==, 0);
	check_functions(dir, kernel, size);
	ids[0] = build_id_of_data(kernel, size);
	ids[1] = build_id_of_file(vmlinux);
	g_assert_nonnull(ids[0]);
	g_assert_cmpstr(ids[0], ==, ids[1]);
	g_free(ids[1]);
	g_hash_table_destroy(truth.map);
	g_hash_table_destroy(truth.bare);
}

/* Which kernels of the cache: with CONFIG_KALLSYMS_ALL the table has the per-CPU variables too. */
static const struct kind {
	const char *name, *version, *all;
} kinds[] = {
	{ "6.1", "Linux/x86_64 6.1.", "# CONFIG_KALLSYMS_ALL is not set" },
	{ "6.1-all", "Linux/x86_64 6.1.", "CONFIG_KALLSYMS_ALL=y" },
	{ "6.12", "Linux/x86_64 6.12.", "# CONFIG_KALLSYMS_ALL is not set" },
	{ "6.12-all", "Linux/x86_64 6.12.", "CONFIG_KALLSYMS_ALL=y" },
};

static gboolean is_of(const char *dir, const struct kind *kind)
{
	g_autofree char *path = g_build_filename(dir, "config", NULL);
	g_autofree char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) && strstr(text, kind->version) &&
	       strstr(text, "CONFIG_KALLSYMS=y") && strstr(text, kind->all);
}

/* One kernel of that kind in the cache. */
static void test_real(gconstpointer kind)
{
	g_autofree char *cache = paths_cache_subdir("kernels", NULL);
	g_autoptr(GDir) kernels = cache ? g_dir_open(cache, 0, NULL) : NULL;
	const char *name;

	while (kernels && (name = g_dir_read_name(kernels))) {
		g_autofree char *dir = g_build_filename(cache, name, NULL);

		if (is_of(dir, kind)) {
			check_kernel(dir);
			return;
		}
	}
	g_test_skip("no kernel of that kind in the cache");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(layouts); i++) {
		g_autofree char *name = g_strconcat("/kallsyms/layout/", layouts[i].name, NULL);

		g_test_add_data_func(name, &layouts[i], test_layout);
	}
	g_test_add_func("/kallsyms/damaged", test_damaged);
	g_test_add_func("/kallsyms/none", test_none);
	g_test_add_func("/kallsyms/labels", test_labels);
	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++) {
		g_autofree char *name = g_strconcat("/kallsyms/real/", kinds[i].name, NULL);

		g_test_add_data_func(name, &kinds[i], test_real);
	}
	return g_test_run();
}
