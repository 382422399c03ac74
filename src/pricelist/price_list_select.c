/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "pricelist/price_list.h"

guint price_list_version(const char *version)
{
	guint value = 0;

	if (!version || !g_ascii_isdigit(*version))
		return 0;
	for (int shift = 20; shift >= 0; shift -= 10) {
		guint64 part = g_ascii_strtoull(version, (char **)&version, 10);

		value |= (guint)MIN(part, 1023) << shift;
		if (*version != '.' || !g_ascii_isdigit(version[1]))
			break;
		version++;
	}
	return value;
}

/* How a list fits, the greater the better. */
struct fit {
	gboolean arch;
	guint distance; /* of the versions */
	guint version;
};

static struct fit fit_of(const price_list_t *list, const char *arch, const char *version)
{
	guint wanted = price_list_version(version);
	struct fit fit = {
		.arch = !arch || !g_strcmp0(price_list_get(list, PRICE_LIST_ARCH), arch),
		.version = price_list_version(price_list_get(list, PRICE_LIST_KERNEL)),
	};

	if (wanted)
		fit.distance = MAX(wanted, fit.version) - MIN(wanted, fit.version);
	return fit;
}

static gboolean is_better(const struct fit *a, const struct fit *b)
{
	if (a->arch != b->arch)
		return a->arch;
	if (a->distance != b->distance)
		return a->distance < b->distance;
	return a->version > b->version;
}

static int compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The files' paths, in order of their names, so that the choice does not depend on the disk. */
static GPtrArray *list_files(const char *dir)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) entries = g_dir_open(dir, 0, NULL);
	const char *name;

	while (entries && (name = g_dir_read_name(entries)))
		if (g_str_has_suffix(name, ".csv"))
			g_ptr_array_add(paths, g_build_filename(dir, name, NULL));
	g_ptr_array_sort(paths, compare_names);
	return paths;
}

price_list_t *price_list_select(const char *dir, const char *arch, const char *version,
                                GError **error)
{
	g_autoptr(GPtrArray) paths = list_files(dir);
	g_autoptr(price_list_t) best = NULL;
	struct fit best_fit = { 0 };

	for (guint i = 0; i < paths->len; i++) {
		g_autoptr(price_list_t) list = price_list_load(paths->pdata[i], error);
		struct fit fit;

		if (!list)
			return NULL;
		fit = fit_of(list, arch, version);
		if (best && !is_better(&fit, &best_fit))
			continue;
		g_clear_pointer(&best, price_list_free);
		best = g_steal_pointer(&list);
		best_fit = fit;
	}
	return g_steal_pointer(&best);
}
