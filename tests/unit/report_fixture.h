/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TEST_REPORT_FIXTURE_H
#define KCOST_TEST_REPORT_FIXTURE_H

#include "report/render.h"

/* A small report made by hand for the renderers' tests: one option, hackbench at given group
 * counts, two boots of two iterations a side, values chosen so that means and costs are round. */

static inline void fixture_change(struct report_price *price, const char *name, const char *off,
                                  const char *on)
{
	struct config_change *change = g_new0(struct config_change, 1);

	change->name = g_strdup(name);
	change->off = g_strdup(off);
	change->on = g_strdup(on);
	g_ptr_array_add(price->config_changes, change);
}

static inline void fixture_variant(struct report_price *price, const char *label, guint64 size)
{
	struct report_variant *variant = report_variant_new(label);

	variant->image_sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, label, -1);
	variant->config_sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, "config", -1);
	variant->text = size;
	variant->data = size / 2;
	variant->bss = size / 4;
	variant->bzimage = size / 5;
	variant->boot_instructions = 100 * size;
	variant->memory_bytes = 10 * size;
	g_ptr_array_add(price->variants, variant);
}

static inline struct report_workload *fixture_workload(struct report_price *price,
                                                       const char *groups)
{
	struct report_workload *workload =
		report_workload_new("hackbench-process-sockets", price->variants->len);

	g_ptr_array_add(workload->params, g_strdup_printf("groups=%s", groups));
	g_ptr_array_add(workload->params, g_strdup("loops=20"));
	workload->key = g_strdup(groups);
	workload->key_name = g_strdup("groups");
	workload->unit = g_strdup("instructions");
	workload->operation = g_strdup("message");
	workload->operations = 8000 * g_ascii_strtoull(groups, NULL, 10);
	g_ptr_array_add(price->workloads, workload);
	return workload;
}

/* A workload of one row, whose 1,000 operations are of its own kind. */
static inline struct report_workload *fixture_plain(struct report_price *price, const char *name,
                                                    const char *operation)
{
	struct report_workload *workload = report_workload_new(name, price->variants->len);

	workload->key = g_strdup(name);
	workload->key_name = g_strdup("workload");
	workload->unit = g_strdup("instructions");
	workload->operation = g_strdup(operation);
	workload->operations = 1000;
	g_ptr_array_add(price->workloads, workload);
	return workload;
}

/* Two boots (seeds 1 and 2) of two iterations with the mean @mean; the boots' means are
 * @mean - @spread and @mean + @spread. */
static inline void fixture_samples(struct report_workload *workload, guint v, double mean,
                                   double spread)
{
	for (guint i = 0; i < 4; i++) {
		double boot = mean + (i / 2 ? spread : -spread);
		struct sample sample = {
			i / 2 + 1, i % 2, boot + (i % 2 ? 10 : -10), 8000, 0, 0, 0
		};

		sample_set_add(workload->samples->pdata[v], &sample);
	}
	report_workload_summarise(workload);
}

static inline void fixture_provenance(struct report_provenance *provenance)
{
	const guint64 seeds[] = { 1, 2 };

	provenance->kcost_version = g_strdup("0.1.0");
	provenance->kernel_version = g_strdup("6.1.192");
	provenance->tree = g_strdup("6.1");
	provenance->tree_identity = g_strnfill(64, 'a');
	provenance->base_config = g_strdup("kcost's minimal config");
	provenance->compiler = g_strdup("gcc (Debian 12.2.0-14) 12.2.0");
	provenance->qemu_version = g_strdup("QEMU 7.2.22");
	provenance->qemu_arguments = g_strdup("-accel tcg -M microvm");
	provenance->cpu_model = g_strdup("max,-rdrand,-rdseed");
	provenance->kernel_command_line = g_strdup("console=ttyS0 quiet");
	provenance->guest_sha256 = g_strnfill(64, 'b');
	provenance->precision = 2;
	g_array_append_vals(provenance->seeds, seeds, G_N_ELEMENTS(seeds));
}

/* DEBUG_PREEMPT at 1, 4 and 12 groups: +25 %, +33.4 % and nothing. */
static inline price_report_t *fixture_report(void)
{
	price_report_t *report = price_report_new();
	struct report_price *price = report_price_new();
	struct report_workload *workload;

	report->complete = TRUE;
	fixture_provenance(&report->provenance);
	price->option = g_strdup("DEBUG_PREEMPT=y");
	g_ptr_array_add(report->prices, price);
	fixture_change(price, "DEBUG_PREEMPT", "n", "y");
	fixture_variant(price, "DEBUG_PREEMPT=n", 2000000);
	fixture_variant(price, "DEBUG_PREEMPT=y", 2050000);
	workload = fixture_workload(price, "1");
	fixture_samples(workload, 0, 34000000, 10000);
	fixture_samples(workload, 1, 42500000, 10000);
	workload = fixture_workload(price, "4");
	fixture_samples(workload, 0, 140000000, 100000);
	fixture_samples(workload, 1, 186760000, 100000);
	workload = fixture_workload(price, "12");
	fixture_samples(workload, 0, 420000000, 9000000);
	fixture_samples(workload, 1, 421260000, 9000000);
	return report;
}

#endif
