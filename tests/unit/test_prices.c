/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The price lists that come with kcost: whether their rows agree with themselves, by arithmetic.
 * That they are what is measured is for `kcost check`. */
#include <math.h>
#include <string.h>

#include "pricelist/price_list.h"

/* How many options a list has a price of, at least. */
enum { FEWEST = 60 };

static price_list_t *load(gconstpointer path)
{
	g_autoptr(GError) error = NULL;
	price_list_t *list = price_list_load(path, &error);

	g_assert_no_error(error);
	return list;
}

/* A list is only ever written by a sweep. */
static void test_same_bytes(gconstpointer path)
{
	g_autoptr(price_list_t) list = load(path);
	g_autofree char *before = NULL;
	g_autofree char *after = price_list_text(list);

	g_assert_true(g_file_get_contents(path, &before, NULL, NULL));
	g_assert_cmpstr(after, ==, before);
}

static void check_cost(const struct price_entry *entry, const struct price_cost *cost)
{
	g_test_message("%s %s", entry->option, cost->workload);
	/* Costs are rounded to four decimals. */
	g_assert_cmpfloat_with_epsilon(cost->cost, 100 * (cost->mean_on / cost->mean_off - 1),
	                               0.000051);
	g_assert_cmpfloat(cost->lo, <=, cost->cost);
	g_assert_cmpfloat(cost->cost, <=, cost->hi);
	g_assert_cmpuint(cost->boots, >=, 2);
	/* One image has one number. */
	if (!g_strcmp0(entry->image_sha256[0], entry->image_sha256[1]))
		g_assert_cmpfloat(cost->cost, ==, 0);
}

static void test_rows(gconstpointer path)
{
	g_autoptr(price_list_t) list = load(path);
	guint priced = 0;

	for (guint i = 0; i < list->entries->len; i++) {
		const struct price_entry *entry = list->entries->pdata[i];
		gboolean has_price = FALSE;

		for (guint j = 0; j < entry->costs->len; j++) {
			const struct price_cost *cost = entry->costs->pdata[j];

			if (cost->reason)
				continue;
			has_price = TRUE;
			check_cost(entry, cost);
		}
		g_assert_true(has_price || entry->reason || entry->costs->len);
		if (!has_price)
			continue;
		priced++;
		g_assert_cmpuint(strlen(entry->image_sha256[0]), ==, 64);
		g_assert_cmpuint(strlen(entry->image_sha256[1]), ==, 64);
		g_assert_cmpuint(entry->changes->len, >, 0);
	}
	g_assert_cmpuint(priced, >=, FEWEST);
}

/* An off side that several options share is one kernel, and has one number. */
static void test_one_base(gconstpointer path)
{
	g_autoptr(price_list_t) list = load(path);
	g_autoptr(GHashTable) means = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < list->entries->len; i++) {
		const struct price_entry *entry = list->entries->pdata[i];

		for (guint j = 0; j < entry->costs->len; j++) {
			const struct price_cost *cost = entry->costs->pdata[j], *other;
			char *key = g_strdup_printf("%s %s %s", entry->image_sha256[0],
			                            cost->workload, cost->parameters);

			other = g_hash_table_lookup(means, key);
			if (other && !cost->reason)
				g_assert_cmpfloat(other->mean_off, ==, cost->mean_off);
			if (cost->reason)
				g_free(key);
			else
				g_hash_table_insert(means, key, (gpointer)cost);
		}
	}
}

static void add(const char *path, const char *what, GTestDataFunc function)
{
	g_autofree char *base = g_path_get_basename(path);
	g_autofree char *name = g_strdup_printf("/prices/%s/%s", base, what);

	g_test_add_data_func_full(name, g_strdup(path), function, g_free);
}

static void test_none(void)
{
	g_test_skip("no price list in prices/");
}

int main(int argc, char **argv)
{
	const char *place = g_getenv("KCOST_TEST_PRICES");
	g_autoptr(GDir) dir = place ? g_dir_open(place, 0, NULL) : NULL;
	guint lists = 0;
	const char *name;

	g_test_init(&argc, &argv, NULL);
	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(place, name, NULL);

		if (!g_str_has_suffix(name, ".csv"))
			continue;
		lists++;
		add(path, "same-bytes", test_same_bytes);
		add(path, "rows", test_rows);
		add(path, "one-base", test_one_base);
	}
	if (!lists)
		g_test_add_func("/prices/none", test_none);
	return g_test_run();
}
