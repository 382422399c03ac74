/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TEST_STORE_FIXTURE_H
#define KCOST_TEST_STORE_FIXTURE_H

#include "report_fixture.h"
#include "store/store.h"

#include <glib/gstdio.h>
#include <stdio.h>

/* Stores in directories of their own, and reports written to them boot by boot, as a study does. */

static inline char *fixture_store_path(void)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *dir = g_dir_make_tmp("kcost-store-XXXXXX", &error);

	g_assert_no_error(error);
	return g_build_filename(dir, "results.sqlite", NULL);
}

/* Removes what fixture_store_path() made. */
static inline void fixture_store_remove(const char *path)
{
	static const char *const suffixes[] = { "", "-wal", "-shm", "-journal" };
	g_autofree char *dir = g_path_get_dirname(path);

	for (gsize i = 0; i < G_N_ELEMENTS(suffixes); i++) {
		g_autofree char *file = g_strconcat(path, suffixes[i], NULL);

		remove(file);
	}
	g_assert_cmpint(g_rmdir(dir), ==, 0);
}

static inline store_t *fixture_store(const char *path)
{
	g_autoptr(GError) error = NULL;
	store_t *store = store_open_to_write(path, &error);

	g_assert_no_error(error);
	return store;
}

static inline gint64 fixture_begin(store_t *store, const price_report_t *report)
{
	g_autoptr(GError) error = NULL;
	gint64 id = store_begin_study(store, "price", "{}", "CONFIG_64BIT=y\n", report, &error);

	g_assert_no_error(error);
	return id;
}

static inline char *fixture_params(const struct report_workload *workload)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (guint i = 0; i < workload->params->len; i++)
		g_ptr_array_add(words, workload->params->pdata[i]);
	g_ptr_array_add(words, NULL);
	return g_strjoinv(" ", (char **)words->pdata);
}

/* Makes variant @v one that was read from a log, not measured. */
static inline void fixture_give(struct report_price *price, guint v)
{
	struct report_variant *variant = price->variants->pdata[v];

	variant->origin = g_strdup("log run.txt");
	g_clear_pointer(&variant->image_sha256, g_free);
}

/* The boot of @seed with the samples that @workload has of variant @v. */
static inline void fixture_add_boot(store_t *store, gint64 study, const struct report_price *price,
                                    const struct report_workload *workload, guint v, guint64 seed)
{
	const struct report_variant *variant = price->variants->pdata[v];
	const GArray *all = ((const sample_set_t *)workload->samples->pdata[v])->samples;
	g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(struct sample));
	g_autofree char *params = fixture_params(workload);
	g_autoptr(GError) error = NULL;
	struct store_boot boot = {
		.image_sha256 = variant->image_sha256,
		.cmdline = variant->cmdline,
		.workload = workload->name,
		.params = params,
		.seed = seed,
		.boot_instructions = variant->boot_instructions,
		.memory_bytes = variant->memory_bytes,
		.warnings = variant->warnings ? 1 : 0,
		.first_warning = variant->first_warning,
		.seconds = 1.5,
		.console = "[    0.0] Linux\r\n",
	};

	for (guint i = 0; i < all->len; i++)
		if (g_array_index(all, struct sample, i).seed == seed)
			g_array_append_val(samples, g_array_index(all, struct sample, i));
	boot.samples = (const struct sample *)(void *)samples->data;
	boot.sample_count = samples->len;
	store_add_boot(store, study, &boot, &error);
	g_assert_no_error(error);
}

static inline void fixture_add_boots(store_t *store, gint64 study, const struct report_price *price,
                                     guint64 seeds)
{
	for (guint64 seed = 1; seed <= seeds; seed++)
		for (guint w = 0; w < price->workloads->len; w++)
			for (guint v = 0; v < price->variants->len; v++)
				if (!((struct report_variant *)price->variants->pdata[v])->origin)
					fixture_add_boot(store, study, price,
					                 price->workloads->pdata[w], v, seed);
}

/* A whole study of fixture_report()'s kind: seeds 1 and 2. */
static inline gint64 fixture_keep(store_t *store, const price_report_t *report)
{
	gint64 study = fixture_begin(store, report);
	g_autoptr(GError) error = NULL;

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		store_add_price(store, study, p, price, &error);
		g_assert_no_error(error);
		fixture_add_boots(store, study, price, 2);
		store_finish_price(store, study, p, price, &error);
		g_assert_no_error(error);
	}
	store_finish_study(store, study, STORE_COMPLETE, NULL, &error);
	g_assert_no_error(error);
	return study;
}

#endif
