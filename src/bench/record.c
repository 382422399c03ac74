/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/record.h"

#include <string.h>
#include <sys/utsname.h>

#include "guest/workload.h"
#include "study/measure_row.h"

#define UNIT "seconds"

static char *read_trimmed(const char *path)
{
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? g_strstrip(text) : NULL;
}

/* "Intel(R) Xeon(R) ...": the first "model name" of /proc/cpuinfo. */
static char *cpu_model(void)
{
	g_autofree char *text = read_trimmed("/proc/cpuinfo");
	const char *line = text ? strstr(text, "model name") : NULL;
	const char *colon = line ? strchr(line, ':') : NULL;

	return colon ? g_strndup(colon + 2, strcspn(colon + 2, "\n")) : NULL;
}

/* What tells one build of a kernel from another: /proc/version has compiler, time and number. */
static void fill_variant(struct report_variant *variant, const char *version)
{
	struct utsname name;

	variant->image_sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, version, -1);
	if (uname(&name) == 0)
		variant->kernel_version = g_strdup(name.release);
}

price_report_t *record_new(const char *label)
{
	price_report_t *report = price_report_new();
	struct report_price *price = report_price_new();
	struct report_variant *variant = report_variant_new(label);
	g_autofree char *version = read_trimmed("/proc/version");

	fill_variant(variant, version ? version : "");
	g_ptr_array_add(price->variants, variant);
	price->option = g_strdup(label);
	g_ptr_array_add(price->notes, g_strdup_printf("%s: real time on one boot of this machine; "
	                                              "each sample counts as independent",
	                                              label));
	g_ptr_array_add(report->prices, price);
	report->complete = TRUE;
	report->provenance.kcost_version = g_strdup(KCOST_VERSION);
	report->provenance.kernel_version = g_strdup(variant->kernel_version);
	report->provenance.cpu_model = cpu_model();
	report->provenance.kernel_command_line = read_trimmed("/proc/cmdline");
	return report;
}

static void remember_seed(GArray *seeds, guint64 seed)
{
	if (seeds->len < seed)
		g_array_append_val(seeds, seed);
}

void record_add(price_report_t *report, const struct native_request *request, const GArray *samples)
{
	const struct measure_cell cell = { .workload = request->workload,
		                           .params = request->params };
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *row = measure_row_new(&cell, UNIT, 1);

	for (guint i = 0; i < samples->len; i++) {
		const struct native_sample *from = &g_array_index(samples, struct native_sample, i);
		struct sample sample = {
			.seed = i + 1,
			.value = from->seconds,
			.operations = from->operations,
		};

		sample_set_add(row->samples->pdata[0], &sample);
		remember_seed(report->provenance.seeds, sample.seed);
	}
	report_workload_summarise(row);
	g_ptr_array_add(price->workloads, row);
}

static gboolean store_row(const struct report_price *price, const struct report_workload *row,
                          gint64 study, store_t *store, GError **error)
{
	const struct report_variant *variant = price->variants->pdata[0];
	const sample_set_t *set = row->samples->pdata[0];
	g_autoptr(GPtrArray) params = g_ptr_array_new();
	g_autofree char *text = NULL;

	for (guint i = 0; i < row->params->len; i++)
		g_ptr_array_add(params, row->params->pdata[i]);
	g_ptr_array_add(params, NULL);
	text = g_strjoinv(" ", (char **)params->pdata);
	for (guint i = 0; i < set->samples->len; i++) {
		const struct sample *sample = &g_array_index(set->samples, struct sample, i);
		struct store_boot boot = {
			.image_sha256 = variant->image_sha256,
			.workload = row->name,
			.params = text,
			.seed = sample->seed,
			.seconds = sample->value,
			.samples = sample,
			.sample_count = 1,
		};

		if (!store_add_boot(store, study, &boot, error))
			return FALSE;
	}
	return TRUE;
}

gint64 record_store(const price_report_t *report, const char *request, store_t *store,
                    GError **error)
{
	const struct report_price *price = report->prices->pdata[0];
	gint64 study = store_begin_study(store, "bench", request, NULL, report, error);

	if (!study || !store_add_price(store, study, 0, price, error))
		return 0;
	for (guint i = 0; i < price->workloads->len; i++)
		if (!store_row(price, price->workloads->pdata[i], study, store, error))
			return 0;
	if (!store_finish_price(store, study, 0, price, error) ||
	    !store_finish_study(store, study, STORE_COMPLETE, NULL, error))
		return 0;
	return study;
}
