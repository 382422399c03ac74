/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selftest/render.h"

#include "report/json_members.h"
#include "report/table.h"

static const char *const verdict_names[] = {
	[SELFTEST_RIGHT] = "right",
	[SELFTEST_MISSED] = "MISSED",
	[SELFTEST_EXTRA] = "EXTRA",
	[SELFTEST_NOT_RUN] = "NOT RUN",
};

/* Cases with, or without, reports to be made, and how many of them kernel @index got right. */
static void count_right(const selftest_result_t *result, guint index, gboolean misuses,
                        guint *right, guint *all)
{
	*right = *all = 0;
	for (guint i = 0; i < result->rows->len; i++) {
		const struct selftest_row *row = result->rows->pdata[i];

		if ((row->expected > 0) != misuses)
			continue;
		++*all;
		*right += row->verdicts[index] == SELFTEST_RIGHT;
	}
}

static void append_summary(GString *text, const selftest_result_t *result)
{
	for (guint i = 0; i < result->runs->len; i++) {
		const selftest_run_t *run = result->runs->pdata[i];
		guint caught, misuses, silent, correct;

		count_right(result, i, TRUE, &caught, &misuses);
		count_right(result, i, FALSE, &silent, &correct);
		g_string_append_printf(text,
		                       "%s (Linux %s): %u of %u misuses caught, silent on %u of %u "
		                       "correct uses\n",
		                       run->label, run->version, caught, misuses, silent, correct);
	}
	if (result->runs->len < 2)
		return;
	if (!result->unequal)
		g_string_append_printf(text, "All %u kernels say the same, message for message.\n",
		                       result->runs->len);
	else
		g_string_append_printf(text, "%u of %u cases are not reported alike.\n",
		                       result->unequal, result->rows->len);
}

static gboolean is_fine(const selftest_result_t *result, const struct selftest_row *row)
{
	for (guint i = 0; i < result->runs->len; i++)
		if (row->verdicts[i] != SELFTEST_RIGHT)
			return FALSE;
	return row->equal;
}

static void add_header(text_table_t *table, const selftest_result_t *result)
{
	g_autoptr(GPtrArray) cells = g_ptr_array_new();

	g_ptr_array_add(cells, g_strdup("case"));
	g_ptr_array_add(cells, g_strdup("reports"));
	for (guint i = 0; i < result->runs->len; i++)
		g_ptr_array_add(cells, g_strdup(((selftest_run_t *)result->runs->pdata[i])->label));
	if (result->runs->len > 1)
		g_ptr_array_add(cells, g_strdup("alike"));
	text_table_add(table, (char **)cells->pdata, cells->len);
}

static void add_row(text_table_t *table, const selftest_result_t *result,
                    const struct selftest_row *row)
{
	g_autoptr(GPtrArray) cells = g_ptr_array_new();

	g_ptr_array_add(cells, g_strdup(row->name));
	g_ptr_array_add(cells, g_strdup_printf("%u", row->expected));
	for (guint i = 0; i < result->runs->len; i++)
		g_ptr_array_add(cells, g_strdup(verdict_names[row->verdicts[i]]));
	if (result->runs->len > 1)
		g_ptr_array_add(cells, g_strdup(row->equal ? "yes" : "NO"));
	text_table_add(table, (char **)cells->pdata, cells->len);
}

static void append_table(GString *text, const selftest_result_t *result, gboolean all)
{
	g_autofree char *alignment = g_strnfill(result->runs->len + 3, 'l');
	g_autoptr(text_table_t) table = NULL;
	guint rows = 0;

	alignment[1] = 'r';
	table = text_table_new(alignment);
	add_header(table, result);
	for (guint i = 0; i < result->rows->len; i++) {
		const struct selftest_row *row = result->rows->pdata[i];

		if (!all && is_fine(result, row))
			continue;
		add_row(table, result, row);
		rows++;
	}
	if (!rows)
		return;
	g_string_append_c(text, '\n');
	text_table_print(table, "  ", text);
}

static void append_case(GString *text, const selftest_run_t *run, const selftest_case_t *one)
{
	g_string_append_printf(text, "%s:%s\n", run->label,
	                       !one                 ? " did not run"
	                       : !one->reports->len ? " says nothing"
	                                            : "");
	for (guint i = 0; one && i < one->reports->len; i++) {
		const selftest_report_t *report = one->reports->pdata[i];

		for (guint line = 0; line < report->lines->len; line++)
			g_string_append_printf(text, "    %s\n",
			                       (char *)report->lines->pdata[line]);
	}
}

/* What was said where something is wrong. */
static void append_details(GString *text, const selftest_result_t *result)
{
	for (guint i = 0; i < result->rows->len; i++) {
		const struct selftest_row *row = result->rows->pdata[i];

		if (is_fine(result, row))
			continue;
		g_string_append_printf(text, "\n%s\n", row->name);
		for (guint run = 0; run < result->runs->len; run++)
			append_case(text, result->runs->pdata[run],
			            selftest_find(result->logs->pdata[run], row->name));
	}
}

char *selftest_render_text(const selftest_result_t *result, gboolean all)
{
	GString *text = g_string_new(NULL);

	append_summary(text, result);
	append_table(text, result, all);
	append_details(text, result);
	return g_string_free(text, FALSE);
}

static void add_kernels(JsonBuilder *json, const selftest_result_t *result)
{
	member_array(json, "kernels");
	for (guint i = 0; i < result->runs->len; i++) {
		const selftest_run_t *run = result->runs->pdata[i];

		json_builder_begin_object(json);
		member_string(json, "label", run->label);
		member_string(json, "version", run->version);
		member_string(json, "image_sha256", run->image_sha256);
		json_builder_end_object(json);
	}
	json_builder_end_array(json);
}

static void add_reports(JsonBuilder *json, const selftest_case_t *one)
{
	json_builder_begin_array(json);
	for (guint i = 0; one && i < one->reports->len; i++) {
		const selftest_report_t *report = one->reports->pdata[i];

		json_builder_begin_array(json);
		for (guint line = 0; line < report->lines->len; line++)
			json_builder_add_string_value(json, report->lines->pdata[line]);
		json_builder_end_array(json);
	}
	json_builder_end_array(json);
}

static void add_case(JsonBuilder *json, const selftest_result_t *result,
                     const struct selftest_row *row)
{
	json_builder_begin_object(json);
	member_string(json, "name", row->name);
	member_count(json, "expected", row->expected);
	member_boolean(json, "equal", row->equal);
	member_array(json, "verdicts");
	for (guint i = 0; i < result->runs->len; i++)
		json_builder_add_string_value(json, verdict_names[row->verdicts[i]]);
	json_builder_end_array(json);
	member_array(json, "reports");
	for (guint i = 0; i < result->runs->len; i++)
		add_reports(json, selftest_find(result->logs->pdata[i], row->name));
	json_builder_end_array(json);
	json_builder_end_object(json);
}

char *selftest_render_json(const selftest_result_t *result)
{
	g_autoptr(JsonBuilder) json = json_builder_new();

	json_builder_begin_object(json);
	member_string(json, "schema", "kcost.selftest/1");
	add_kernels(json, result);
	member_array(json, "cases");
	for (guint i = 0; i < result->rows->len; i++)
		add_case(json, result, result->rows->pdata[i]);
	json_builder_end_array(json);
	json_builder_end_object(json);
	return json_to_text(json);
}
