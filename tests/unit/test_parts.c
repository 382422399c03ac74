/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report_fixture.h"

#include "report/render.h"

#include <string.h>

/* Two boots of one sample: 1,000 instructions in user space on both sides, 500 and 600 in the
 * kernel without and with the option, and 2 ms of waiting with it. */
static price_report_t *program_report(gboolean known)
{
	price_report_t *report = fixture_report();
	struct report_price *price = report->prices->pdata[0];
	struct report_workload *workload;

	g_ptr_array_set_size(price->workloads, 0);
	workload = fixture_workload(price, "tool");
	g_free(workload->name);
	workload->name = g_strdup("tool");
	workload->operations = 1;
	for (guint v = 0; v < 2; v++)
		for (guint64 seed = 1; seed <= 2; seed++) {
			struct sample sample = {
				.seed = seed,
				.value = 1500 + 100 * v,
				.operations = 1,
				.user = known || seed > 1 ? 1000 : 0,
				.idle = v ? 2e6 : 0,
			};

			sample_set_add(workload->samples->pdata[v], &sample);
		}
	report_workload_summarise(workload);
	return report;
}

static void test_summaries(void)
{
	g_autoptr(price_report_t) report = program_report(TRUE);
	const struct report_price *price = report->prices->pdata[0];
	const struct report_workload *workload = price->workloads->pdata[0];
	const struct report_part *user, *kernel;

	g_assert_cmpuint(workload->parts->len, ==, 2);
	user = workload->parts->pdata[0];
	kernel = workload->parts->pdata[1];
	g_assert_cmpstr(user->name, ==, "user space");
	g_assert_cmpfloat(g_array_index(user->summaries, struct summary, 1).mean, ==, 1000);
	g_assert_cmpfloat(g_array_index(user->comparisons, struct comparison, 1).cost_percent, ==,
	                  0);
	g_assert_cmpstr(kernel->name, ==, "kernel");
	g_assert_cmpfloat(g_array_index(kernel->summaries, struct summary, 0).mean, ==, 500);
	/* 600 / 500 */
	g_assert_cmpfloat_with_epsilon(
		g_array_index(kernel->comparisons, struct comparison, 1).cost_percent, 20, 1e-9);
	g_assert_cmpfloat(g_array_index(workload->idle, double, 0), ==, 0);
	g_assert_cmpfloat(g_array_index(workload->idle, double, 1), ==, 2e6);
}

static void test_text(void)
{
	g_autoptr(price_report_t) report = program_report(TRUE);
	g_autofree char *text = render_format_find("text")->render(report);

	g_assert_nonnull(strstr(text, "Its instructions in user space and in the kernel\n"));
	g_assert_nonnull(strstr(text, "user space  1,000   1,000  0.00 %"));
	g_assert_nonnull(strstr(text, "kernel        500     600  +20.00 % *  [20.00, 20.00]"));
	g_assert_nonnull(strstr(text, "tool waits 0.002000 s of a run (=y)"));
	g_assert_null(strstr(text, "of a run (=n)"));
}

/* Half of the samples without the figure: there is none for the row. */
static void test_unknown(void)
{
	g_autoptr(price_report_t) report = program_report(FALSE);
	const struct report_price *price = report->prices->pdata[0];
	const struct report_workload *workload = price->workloads->pdata[0];
	g_autofree char *text = render_format_find("text")->render(report);

	g_assert_cmpuint(workload->parts->len, ==, 0);
	g_assert_null(strstr(text, "user space"));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/parts/summaries", test_summaries);
	g_test_add_func("/parts/text", test_text);
	g_test_add_func("/parts/unknown", test_unknown);
	return g_test_run();
}
