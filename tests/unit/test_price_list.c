/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "base/paths.h"
#include "pricelist/price_list.h"

static char *fixture_path(void)
{
	return g_build_filename(g_getenv("KCOST_TEST_DATA"), "prices", "fixture.csv", NULL);
}

/* What was written by hand is written to the same byte. */
static void test_same_bytes(void)
{
	g_autofree char *path = fixture_path();
	g_autoptr(GError) error = NULL;
	g_autoptr(price_list_t) list = price_list_load(path, &error);
	g_autofree char *before = NULL;
	g_autofree char *after = NULL;

	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(path, &before, NULL, NULL));
	after = price_list_text(list);
	g_assert_cmpstr(after, ==, before);
}

/* What the file says, read by eye. */
static void test_values(void)
{
	g_autofree char *path = fixture_path();
	g_autoptr(GError) error = NULL;
	g_autoptr(price_list_t) list = price_list_load(path, &error);
	const struct price_entry *entry;
	const struct price_cost *cost;
	const struct config_change *change;

	g_assert_no_error(error);
	g_assert_cmpstr(price_list_get(list, PRICE_LIST_KERNEL), ==, "6.1.99");
	g_assert_cmpstr(price_list_get(list, PRICE_LIST_SEEDS), ==, "1-4");
	g_assert_null(price_list_get(list, "nothing"));
	entry = price_list_find(list, "DEBUG_PREEMPT", "n", "y", NULL);
	g_assert_cmpuint(entry->costs->len, ==, 2);
	cost = price_entry_cost(entry, "hackbench-process-sockets", "groups=1 loops=20");
	g_assert_cmpfloat(cost->cost, ==, 28.1235);
	g_assert_cmpfloat(cost->lo, ==, 27.8);
	g_assert_cmpfloat(cost->hi, ==, 28.7);
	g_assert_cmpfloat(cost->mean_on, ==, 1281234.5);
	g_assert_cmpuint(cost->boots, ==, 4);
	g_assert_cmpfloat(entry->image_bytes, ==, -1092);
	g_assert_cmpstr(entry->image_sha256[1], ==, "aa01");
	g_assert_null(price_entry_cost(entry, "hackbench-process-sockets", "groups=2"));
	entry = price_list_find(list, "PROVE_LOCKING", "n", "y", NULL);
	cost = price_entry_cost(entry, "syscall-null", "");
	g_assert_cmpstr(cost->reason, ==, "the guest ran out of memory");
	g_assert_true(isnan(cost->cost));
	g_assert_cmpuint(entry->changes->len, ==, 4);
	change = entry->changes->pdata[2];
	g_assert_cmpstr(change->name, ==, "LOCKDEP");
	g_assert_cmpstr(change->on, ==, "y");
	entry = price_list_find(list, "KASAN", "n", "y", NULL);
	g_assert_cmpuint(entry->costs->len, ==, 0);
	g_assert_cmpstr(entry->reason, ==, "it does not boot: no shadow memory, in 128 MB");
	entry = price_list_find(list, "PREEMPT_NONE", "PREEMPT=y", "y", NULL);
	g_assert_cmpstr(entry->class_name, ==, "preemption");
	g_assert_nonnull(price_list_find(list, "DEBUG_PAGEALLOC", "n", "y", "debug_pagealloc=on"));
	entry = price_list_find(list, "LOG_BUF_SHIFT", "17", "20", NULL);
	g_assert_cmpstr(entry->note, ==, "a note, with a comma and \"quotes\"");
}

/* What is made in memory survives being written and read. */
static void test_round_trip(void)
{
	g_autoptr(price_list_t) made = price_list_new();
	struct price_entry *entry = price_entry_new("A", "n", "y");
	struct price_cost *cost;
	g_autoptr(price_list_t) read = NULL;
	g_autoptr(GError) error = NULL;
	g_autofree char *text = NULL;

	price_list_add(made, PRICE_LIST_KERNEL, "6.1.5");
	price_list_add(made, PRICE_LIST_COMPILER, "gcc: (x)\n12.2 ");
	price_list_add(made, PRICE_LIST_TREE, NULL);
	g_ptr_array_add(made->entries, entry);
	entry->note = g_strdup("two\nlines, \"and\" a comma");
	cost = price_entry_add_cost(entry, "w", NULL);
	cost->mean_off = 1.0 / 3;
	cost->mean_on = 123456789012345.67;
	cost->cost = 1.23456;
	cost->lo = -0.00001;
	text = price_list_text(made);
	read = price_list_parse(text, "test", &error);
	g_assert_no_error(error);
	g_assert_cmpstr(price_list_get(read, PRICE_LIST_COMPILER), ==, "gcc: (x) 12.2");
	g_assert_null(price_list_get(read, PRICE_LIST_TREE));
	entry = price_list_find(read, "A", "n", "y", NULL);
	g_assert_cmpstr(entry->note, ==, "two\nlines, \"and\" a comma");
	g_assert_true(isnan(entry->boot_percent));
	cost = entry->costs->pdata[0];
	g_assert_cmpfloat(cost->mean_off, ==, 1.0 / 3);
	g_assert_cmpfloat(cost->mean_on, ==, 123456789012345.67);
	/* Rounded to four decimals, and no negative zero. */
	g_assert_cmpfloat(cost->cost, ==, 1.2346);
	g_assert_false(signbit(cost->lo));
	g_assert_true(isnan(cost->hi));
}

/* Rows that two lists differ in only by the order of their columns are the same. */
static void test_columns(void)
{
	static const char text[] =
		"# kcost price list 1\r\n# kernel: 6.1\r\nstatus,future,workload,cost_percent,"
		"on,off,option\r\nok,?,w,2.5,y,n,A\r\n\r\nok,?,w,1,y,n,\"B\"";
	g_autoptr(GError) error = NULL;
	g_autoptr(price_list_t) list = price_list_parse(text, "test", &error);
	const struct price_entry *entry;

	g_assert_no_error(error);
	g_assert_cmpstr(price_list_get(list, PRICE_LIST_KERNEL), ==, "6.1");
	g_assert_cmpuint(list->entries->len, ==, 2);
	entry = list->entries->pdata[0];
	g_assert_cmpstr(entry->option, ==, "A");
	g_assert_cmpfloat(price_entry_cost(entry, "w", "")->cost, ==, 2.5);
	entry = list->entries->pdata[1];
	g_assert_cmpstr(entry->option, ==, "B");
}

#define HEAD "# kcost price list 1\n"
#define COLUMNS "option,off,on,status,workload,cost_percent,config_changes\n"

static const struct {
	const char *name, *text, *says;
} refusals[] = {
	{ "empty", "", "line 1" },
	{ "other", "option,off\n", "line 1: its first line" },
	{ "later-version", "# kcost price list 2\n" COLUMNS, "line 1: its first line" },
	{ "no-columns", HEAD, "no column 'option'" },
	{ "lacks-status", HEAD "option,off,on,workload,cost_percent\n", "no column 'status'" },
	{ "no-number", HEAD COLUMNS "A,n,y,ok,w,x,\n", "line 3: cost_percent is no number: 'x'" },
	{ "nan", HEAD COLUMNS "A,n,y,ok,w,nan,\n", "line 3: cost_percent is no number" },
	{ "no-option", HEAD COLUMNS ",n,y,ok,w,1,\n", "line 3: the row names no option" },
	{ "no-status", HEAD COLUMNS "A,n,y,,w,1,\n", "line 3: the row has no status" },
	{ "no-cost", HEAD COLUMNS "A,n,y,ok,w,,\n", "line 3: its status is ok" },
	{ "no-workload", HEAD COLUMNS "A,n,y,ok,,1,\n", "names no workload" },
	{ "twice", HEAD COLUMNS "A,n,y,ok,w,1,\nA,n,y,ok,w,2,\n", "line 4: an earlier row" },
	{ "both", HEAD COLUMNS "A,n,y,ok,w,1,\nA,n,y,no boot,,,\n", "line 4: an earlier row" },
	{ "failed-and-not", HEAD COLUMNS "A,n,y,no boot,,,\nA,n,y,ok,w,1,\n",
	  "line 4: an earlier row" },
	{ "changes", HEAD COLUMNS "A,n,y,ok,w,1,A n-y\n", "line 3: config_changes" },
	{ "lines-in-quotes", HEAD COLUMNS "A,n,y,ok,\"w\nx\",1,\nB,n,y,ok,w,x,\n", "line 5:" },
};

static void test_refusal(gconstpointer data)
{
	const typeof(refusals[0]) *row = data;
	g_autoptr(GError) error = NULL;

	g_assert_null(price_list_parse(row->text, "F.csv", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "F.csv"));
	g_assert_nonnull(strstr(error->message, row->says));
}

static void test_missing(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(price_list_load("/nonexistent/list.csv", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "/nonexistent/list.csv"));
}

static const struct {
	const char *name, *text;
	guint count; /* G_MAXUINT: it is none */
	const char *last[3];
} changes[] = {
	{ "none", "", 0, { NULL } },
	{ "one", "A n->y", 1, { "A", "n", "y" } },
	{ "two", "A n->y; B 17->20", 2, { "B", "17", "20" } },
	{ "unset", "A ->17; B 17->", 2, { "B", "17", "" } },
	{ "minus", "A -1->-2", 1, { "A", "-1", "-2" } },
	{ "texts", "A \"x; y->z\"->\"\\\"->; \"", 1, { "A", "\"x; y->z\"", "\"\\\"->; \"" } },
	{ "no-arrow", "A n y", G_MAXUINT, { NULL } },
	{ "no-name", " n->y", G_MAXUINT, { NULL } },
	{ "name-alone", "A", G_MAXUINT, { NULL } },
};

static void test_changes(gconstpointer data)
{
	const typeof(changes[0]) *row = data;
	g_autoptr(GPtrArray) parsed = price_changes_parse(row->text);
	g_autofree char *text = NULL;
	const struct config_change *last;

	if (row->count == G_MAXUINT) {
		g_assert_null(parsed);
		return;
	}
	g_assert_cmpuint(parsed->len, ==, row->count);
	text = price_changes_text(parsed);
	g_assert_cmpstr(text, ==, row->text);
	if (!row->count)
		return;
	last = parsed->pdata[parsed->len - 1];
	g_assert_cmpstr(last->name, ==, row->last[0]);
	g_assert_cmpstr(last->off, ==, row->last[1]);
	g_assert_cmpstr(last->on, ==, row->last[2]);
}

/* Which of the lists below fits; the names are in the order of the files. */
static const struct {
	const char *name, *arch, *version, *best;
} choices[] = {
	{ "same", "x86_64", "6.1.170", "6.1.99" },
	{ "between", "x86_64", "6.6.3", "6.1.99" },
	{ "newer", "x86_64", "6.18.44", "6.12.5" },
	{ "much-newer", "x86_64", "7.2", "6.12.5" },
	{ "older", "x86_64", "5.10.1", "6.1.99" },
	{ "other-arch-known", "arm64", "6.12.5", "6.6.1" },
	{ "other-arch", "riscv", "6.1.1", "6.1.99" },
	{ "no-version", "x86_64", NULL, "6.12.5" },
	{ "nothing", NULL, NULL, "6.12.5" },
};

static void write_list(const char *dir, const char *name, const char *arch, const char *version)
{
	g_autoptr(price_list_t) list = price_list_new();
	g_autofree char *path = g_build_filename(dir, name, NULL);

	price_list_add(list, PRICE_LIST_KERNEL, version);
	price_list_add(list, PRICE_LIST_ARCH, arch);
	g_assert_true(price_list_save(list, path, NULL));
}

static void test_select(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *other = g_build_filename(dir, "readme.txt", NULL);
	g_autoptr(GError) error = NULL;

	g_assert_null(price_list_select(dir, "x86_64", "6.1.1", &error));
	g_assert_no_error(error);
	g_assert_true(g_file_set_contents(other, "no list", -1, NULL));
	write_list(dir, "a.csv", "x86_64", "6.1.99");
	write_list(dir, "b.csv", "x86_64", "6.12.5");
	write_list(dir, "c.csv", "arm64", "6.6.1");
	for (gsize i = 0; i < G_N_ELEMENTS(choices); i++) {
		g_autoptr(price_list_t) best =
			price_list_select(dir, choices[i].arch, choices[i].version, &error);

		g_assert_no_error(error);
		g_test_message("%s", choices[i].name);
		g_assert_cmpstr(price_list_get(best, PRICE_LIST_KERNEL), ==, choices[i].best);
	}
	g_free(other);
	other = g_build_filename(dir, "d.csv", NULL);
	g_assert_true(g_file_set_contents(other, "no list", -1, NULL));
	g_assert_null(price_list_select(dir, "x86_64", "6.1.1", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
}

static void test_version(void)
{
	static const char *const ascending[] = { "5.4",     "5.10",     "5.10.1", "6.1",
		                                 "6.1.192", "6.12-rc1", "6.12.1" };

	for (gsize i = 1; i < G_N_ELEMENTS(ascending); i++)
		g_assert_cmpuint(price_list_version(ascending[i]), >,
		                 price_list_version(ascending[i - 1]));
	g_assert_cmpuint(price_list_version("next"), ==, 0);
	g_assert_cmpuint(price_list_version(NULL), ==, 0);
}

/* RFC 4180, 2.1 to 2.7. */
static const struct {
	const char *name, *text;
	const char *fields[4]; /* of the first record */
	guint lines;           /* that it spans */
} records[] = {
	{ "plain", "a,b\nc", { "a", "b" }, 1 },
	{ "crlf", "a,b\r\nc", { "a", "b" }, 1 },
	{ "no-end", "a,b", { "a", "b" }, 1 },
	{ "empty-fields", ",\n", { "", "" }, 1 },
	{ "quotes", "\"a,b\",\"c\"\"d\"\n", { "a,b", "c\"d" }, 1 },
	{ "break", "\"a\nb\",c\n", { "a\nb", "c" }, 2 },
	{ "not-closed", "a,\"b\nc", { "a", "b\nc" }, 2 },
};

static void test_csv(gconstpointer data)
{
	const typeof(records[0]) *row = data;
	const char *text = row->text;
	guint line = 1, count = 0;
	g_autoptr(GPtrArray) fields = csv_take_record(&text, &line);

	for (; row->fields[count]; count++)
		g_assert_cmpstr(fields->pdata[count], ==, row->fields[count]);
	g_assert_cmpuint(fields->len, ==, count);
	g_assert_cmpuint(line, ==, 1 + row->lines);
}

/* Whatever a file holds is a list or an error. */
static void test_noise(void)
{
	static const char *const pieces[] = { "A",    ",", "\"", "\n",   "ok", "1", "w",
		                              "n->y", "#", "-",  "\r\n", ";",  " " };

	for (int round = 0; round < 3000; round++) {
		g_autoptr(GString) text = g_string_new(HEAD COLUMNS);
		g_autoptr(price_list_t) list = NULL;
		g_autoptr(price_list_t) again = NULL;

		for (int i = g_test_rand_int_range(0, 40); i > 0; i--)
			g_string_append(text,
			                pieces[g_test_rand_int_range(0, G_N_ELEMENTS(pieces))]);
		list = price_list_parse(text->str, "noise", NULL);
		if (list) {
			g_autofree char *once = price_list_text(list), *twice = NULL;

			again = price_list_parse(once, "again", NULL);
			g_assert_nonnull(again);
			twice = price_list_text(again);
			g_assert_cmpstr(twice, ==, once);
		}
	}
}

#define ADD_TABLE(table, prefix, function)                                           \
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {                            \
		g_autofree char *path =                                              \
			g_strconcat("/price_list/" prefix "/", table[i].name, NULL); \
		g_test_add_data_func(path, &table[i], function);                     \
	}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD_TABLE(refusals, "refusal", test_refusal)
	ADD_TABLE(changes, "changes", test_changes)
	ADD_TABLE(records, "csv", test_csv)
	g_test_add_func("/price_list/same-bytes", test_same_bytes);
	g_test_add_func("/price_list/values", test_values);
	g_test_add_func("/price_list/round-trip", test_round_trip);
	g_test_add_func("/price_list/columns", test_columns);
	g_test_add_func("/price_list/missing", test_missing);
	g_test_add_func("/price_list/select", test_select);
	g_test_add_func("/price_list/version", test_version);
	g_test_add_func("/price_list/noise", test_noise);
	return g_test_run();
}
