/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "bench/warnings.h"
#include "calibrate/calibrate.h"
#include "report/number.h"

enum { COLUMNS = 110 };

/* A comment, in lines that are not too long. */
static void add_comment(GString *text, const char *comment)
{
	g_auto(GStrv) words = g_strsplit(comment, " ", -1);
	gsize column = 0;

	for (char **word = words; *word; word++) {
		gboolean fits = column && column + 1 + strlen(*word) <= COLUMNS;

		if (!fits) {
			g_string_append(text, column ? "\n#" : "#");
			column = 1;
		}
		g_string_append_printf(text, " %s", *word);
		column += 1 + strlen(*word);
	}
	g_string_append_c(text, '\n');
}

static void add_head(GString *text, const calibrated_t *calibrated,
                     const calibration_t *calibration, const cpu_model_t *base)
{
	g_autofree char *first = g_strdup_printf(
		"Written by kcost calibrate on this core: %s%s. \"measured\" marks what was "
		"measured "
		"there (the median of the faster half of many repetitions; spread: from the "
		"fastest "
		"twentieth to the median of all), \"from %s\" what was taken from that core.",
		calibration->processor,
		calibration->virtual_machine ? ", in a virtual machine" : "", base->name);

	g_string_append(text, "# SPDX-License-Identifier: GPL-2.0-or-later\n");
	add_comment(text, first);
	add_comment(text, "Loads from further away than L1 cost what they take longer over 1.5, "
	                  "stores over 3; fetches in full: as in the files that come with kcost.");
	for (guint i = 0; i < WARNING_COUNT; i++)
		if (calibration->warnings & 1u << i && i != WARNING_CGROUP)
			g_string_append_printf(text, "# Warning: %s.\n", bench_warning_text(i));
	g_string_append(text, "#\n# Not told:\n");
	for (guint i = 0; i < calibrated->unknown->len; i++)
		add_comment(text, calibrated->unknown->pdata[i]);
}

static void add_key(GString *text, const calibrated_t *calibrated, const cpu_model_t *base,
                    const char *group, const char *key, const char *base_value)
{
	const struct calibrated_number *number = calibrated_find(calibrated, group, key);
	g_autofree char *value = number ? number_shortest(number->value) : g_strdup(base_value);
	g_autofree char *from = g_strdup_printf("from %s", base->name);

	add_comment(text, number ? number->source : from);
	g_string_append_printf(text, "%s = %s\n", key, value);
}

static void add_group(GString *text, const calibrated_t *calibrated,
                      const calibration_t *calibration, const cpu_model_t *base, GKeyFile *file,
                      const char *group)
{
	g_auto(GStrv) keys = g_key_file_get_keys(file, group, NULL, NULL);

	g_string_append_printf(text, "\n[%s]\n", group);
	for (char **key = keys; key && *key; key++) {
		g_autofree char *value = g_key_file_get_string(file, group, *key, NULL);

		if (g_str_equal(group, "core") && g_str_equal(*key, "summary"))
			g_string_append_printf(
				text, "summary = %s, calibrated%s\n", calibration->processor,
				calibration->virtual_machine ? " in a virtual machine" : "");
		else
			add_key(text, calibrated, base, group, *key, value);
	}
}

char *calibrated_text(const calibrated_t *calibrated, const calibration_t *calibration,
                      const cpu_model_t *base, GError **error)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(cpu_model_t) model = NULL;
	g_auto(GStrv) groups = NULL;

	if (!g_key_file_load_from_data(file, base->text, strlen(base->text), G_KEY_FILE_NONE,
	                               NULL)) {
		error_set(error, KCOST_ERROR_USAGE, "the CPU model %s cannot be read", base->name);
		return NULL;
	}
	add_head(text, calibrated, calibration, base);
	groups = g_key_file_get_groups(file, NULL);
	for (char **group = groups; *group; group++)
		add_group(text, calibrated, calibration, base, file, *group);
	model = cpu_model_parse("of this core", text->str, error);
	return model ? g_string_free(g_steal_pointer(&text), FALSE) : NULL;
}
