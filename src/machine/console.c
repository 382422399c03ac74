/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/console.h"

#include <string.h>

void console_summary_clear(console_summary_t *summary)
{
	g_clear_pointer(&summary->first_warning, g_free);
	g_clear_pointer(&summary->death, g_free);
}

static gboolean starts_with_any(const char *line, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (g_str_has_prefix(line, *prefixes))
			return TRUE;
	return FALSE;
}

/* The message proper, behind `<3>` and `[    1.234567] ` or `[    1.234567][ T12] `. */
static const char *skip_prefixes(const char *line)
{
	if (line[0] == '<' && g_ascii_isdigit(line[1]) && line[2] == '>')
		line += 3;
	while (line[0] == '[' && (line[1] == ' ' || g_ascii_isdigit(line[1]))) {
		const char *end = strchr(line, ']');
		if (!end)
			break;
		line = end + 1;
		while (*line == ' ')
			line++;
	}
	return line;
}

/* These end the kernel; the lines are those of kernel/panic.c and arch/x86's fault handlers. An
 * oops ends it too, for the guest is booted with oops=panic. */
static gboolean is_death(const char *message)
{
	static const char *const deaths[] = {
		"Kernel panic - not syncing",
		"Oops:",
		"general protection fault",
		"BUG: unable to handle",
		"BUG: kernel NULL pointer dereference",
		"kernel BUG at ",
		"double fault:",
		"traps: PANIC",
		NULL,
	};

	return starts_with_any(message, deaths);
}

static gboolean is_warning(const char *message)
{
	static const char *const warnings[] = { "BUG:", "WARNING:", NULL };

	return starts_with_any(message, warnings);
}

static void add_line(char *line, console_summary_t *summary)
{
	const char *message;

	g_strchomp(line);
	message = skip_prefixes(line);
	if (is_death(message)) {
		if (!summary->death)
			summary->death = g_strdup(message);
	} else if (is_warning(message)) {
		summary->warnings++;
		if (!summary->first_warning)
			summary->first_warning = g_strdup(message);
	}
}

void console_summarise(const char *text, console_summary_t *summary)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	*summary = (console_summary_t){ 0 };
	for (char **line = lines; *line; line++)
		add_line(*line, summary);
}
