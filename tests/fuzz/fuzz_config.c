/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For libFuzzer: whatever a file holds, the reader of configurations refuses it with a sentence, or
 * accounts for every line of it and gives what reads back as the same. */
#include <stdint.h>
#include <string.h>

#include "kernel/config_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* As g_assert(), which a build may leave out. */
static void must(gboolean holds, const char *what)
{
	if (!holds)
		g_error("%s", what);
}

static void check_lines(const config_reading_t *reading)
{
	guint other = reading->counts[FINDING_COMMENTED_OUT] + reading->counts[FINDING_MENTION] +
	              reading->counts[FINDING_UNREADABLE];

	must(reading->settings + reading->comments + other == reading->lines,
	     "every line is counted once");
	for (guint i = 0; i < reading->findings->len; i++) {
		const struct config_finding *finding = reading->findings->pdata[i];

		must(finding->line >= 1 && finding->line <= reading->lines, "a line of the text");
		must(finding->earlier < finding->line, "an earlier line");
		must(g_utf8_validate(finding->text, -1, NULL), "a text that can be printed");
	}
}

static void check_values(const config_reading_t *reading)
{
	g_autofree char *text = config_file_text(reading->config);
	g_autoptr(config_file_t) again = config_file_parse(text, strlen(text), "again", NULL);
	g_autoptr(GPtrArray) changes = NULL;
	g_autoptr(GPtrArray) names = config_file_names(reading->config);

	must(again != NULL, "what was read can be read again");
	changes = config_file_diff(reading->config, again);
	must(changes->len == 0, "and is the same");
	must(names->len > 0 && names->len <= reading->settings, "a name for each setting");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(config_reading_t) reading =
		config_reading_parse((const char *)data, size, "fuzz", &error);

	must((reading == NULL) == (error != NULL), "a reading or an error");
	if (!reading)
		return 0;
	check_lines(reading);
	check_values(reading);
	return 0;
}
