/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"

static const struct row {
	const char *typed, *found; /* the names found, by commas */
} rows[] = {
	{ "getdents", "getdents" },
	{ "GETDENTS", "getdents" },
	{ "getdens", "getdents" },
	{ "pingpong-pipe", "pipe-pingpong" }, /* all words; of unix-pingpong half of them */
	{ "pipe_pingpong", "pipe-pingpong" },
	{ "pingpong", "pipe-pingpong,unix-pingpong" }, /* a part of both, as long */
	{ "xxxxxxxxxxxx", "" },
	{ "", "" },
};

static const char *const names[] = { "getdents", "unix-pingpong", "pipe-pingpong", "stat" };

static char *find(const char *typed, double behind, guint most)
{
	g_autoptr(nearest_t) nearest = nearest_new(typed);
	g_auto(GStrv) found = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(names); i++)
		nearest_consider(nearest, names[i], i == 2 ? behind : 0);
	found = nearest_names(nearest, most);
	return g_strjoinv(",", found);
}

static void test_found(gconstpointer data)
{
	const struct row *row = data;
	g_autofree char *found = find(row->typed, 0, 2);

	g_assert_cmpstr(found, ==, row->found);
}

static void test_behind(void)
{
	g_autofree char *found = find("pingpong", 0.01, 2);
	g_autofree char *one = find("pingpong", 0, 1);
	g_autofree char *none = find("pingpong", 0, 0);

	g_assert_cmpstr(found, ==, "unix-pingpong,pipe-pingpong");
	g_assert_cmpstr(one, ==, "pipe-pingpong");
	g_assert_cmpstr(none, ==, "");
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		g_autofree char *path = g_strdup_printf("/nearest/found/%zu", i);

		g_test_add_data_func(path, &rows[i], test_found);
	}
	g_test_add_func("/nearest/behind", test_behind);
	return g_test_run();
}
