/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/config_reading.h"

#include <string.h>

#include "base/error.h"

#define SYMBOL "CONFIG_"
#define NOT_SET "is not set"
#define BLANKS " \t\f\v"

enum {
	MOST_FINDINGS = 1000,
	MOST_TEXT = 100, /* bytes of a line that are kept */
};

struct reader {
	config_reading_t *reading;
	GString *canonical; /* the same lines as Kconfig writes them, empty where it sets nothing */
	const char *whole;  /* the line as it stands */
};

static const struct {
	const char *name, *description;
} kinds[] = {
	[FINDING_CONTRADICTION] = { "contradiction",
	                            "contradict an earlier line; the later one counts" },
	[FINDING_COMMENTED_OUT] = { "commented-out", "are commented out and set nothing" },
	[FINDING_MENTION] = { "mention", "name an option but set nothing" },
	[FINDING_TRAILING] = { "trailing", "have text behind the value, which was left out" },
	[FINDING_ODD_VALUE] = { "odd-value",
	                        "have a value that is neither y, m, n, a number nor in quotes" },
	[FINDING_UNREADABLE] = { "unreadable", "are no configuration and were left out" },
};
_Static_assert(G_N_ELEMENTS(kinds) == FINDING_KINDS, "words for each kind");

const char *config_finding_description(enum config_finding_kind kind)
{
	return kinds[kind].description;
}

const char *config_finding_name(enum config_finding_kind kind)
{
	return kinds[kind].name;
}

static void finding_free(gpointer data)
{
	struct config_finding *finding = data;

	g_free(finding->text);
	g_free(finding);
}

void config_reading_free(config_reading_t *reading)
{
	if (!reading)
		return;
	g_clear_pointer(&reading->config, config_file_free);
	g_ptr_array_unref(reading->findings);
	g_free(reading);
}

/* @text cut to what can be shown on one line. */
static char *printable(const char *text)
{
	g_autofree char *part = g_strndup(text, MOST_TEXT);
	g_autofree char *valid = g_utf8_make_valid(part, -1);

	for (char *c = valid; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	g_strstrip(valid);
	return strlen(text) > MOST_TEXT ? g_strconcat(valid, "...", NULL) : g_strdup(valid);
}

static void find(config_reading_t *reading, enum config_finding_kind kind, guint line,
                 guint earlier, const char *text)
{
	struct config_finding *finding;

	reading->counts[kind]++;
	if (reading->findings->len >= MOST_FINDINGS)
		return;
	finding = g_new0(struct config_finding, 1);
	finding->kind = kind;
	finding->line = line;
	finding->earlier = earlier;
	finding->text = printable(text);
	g_ptr_array_add(reading->findings, finding);
}

static void find_here(const struct reader *reader, enum config_finding_kind kind)
{
	find(reader->reading, kind, reader->reading->lines, 0, reader->whole);
}

static const char *skip_blanks(const char *c)
{
	while ((*c && strchr(BLANKS, *c)) || g_str_has_prefix(c, "\xc2\xa0"))
		c += *c == '\xc2' ? 2 : 1;
	return c;
}

static gsize word_length(const char *text)
{
	gsize length = 0;

	while (g_ascii_isalnum(text[length]) || text[length] == '_')
		length++;
	return length;
}

/* The end of the value that begins at @value: behind the closing quote, or before what cannot be
 * part of a value without quotes. NULL: a quote is not closed. */
static const char *value_end(const char *value)
{
	const char *c = value + 1;

	if (*value != '"')
		return value + strcspn(value, BLANKS "#`|");
	while (*c && *c != '"')
		c += *c == '\\' && c[1] ? 2 : 1;
	return *c ? c + 1 : NULL;
}

static gboolean all_digits(const char *text, gboolean hex)
{
	gsize length = strspn(text, hex ? "0123456789abcdefABCDEF" : "0123456789");

	return length && !text[length];
}

static gboolean is_usual(const char *value)
{
	if (!*value || *value == '"' || (strchr("ymn", *value) && !value[1]))
		return TRUE;
	if (g_ascii_strncasecmp(value, "0x", 2) == 0)
		return all_digits(value + 2, TRUE);
	return all_digits(value + (*value == '-'), FALSE);
}

/* Text behind a value that is a comment, or belongs to what the line is written in. */
static gboolean is_remark(const char *text)
{
	static const char *const starts[] = { "#", "//", "/*", "--", "|", "`", NULL };

	text = skip_blanks(text);
	if (!*text)
		return TRUE;
	for (const char *const *start = starts; *start; start++)
		if (g_str_has_prefix(text, *start))
			return TRUE;
	return FALSE;
}

static void set(struct reader *reader, const char *name, gsize length, const char *value)
{
	reader->reading->settings++;
	g_string_append_printf(reader->canonical, SYMBOL "%.*s=%s", (int)length, name, value);
}

/* `X = value ...`, behind its name: @rest begins with the '='. */
static void read_value(struct reader *reader, const char *name, gsize length, const char *rest)
{
	const char *start = skip_blanks(rest + 1), *end = value_end(start);
	g_autofree char *value = NULL;

	if (!end) {
		find_here(reader, FINDING_UNREADABLE);
		return;
	}
	value = g_strndup(start, end - start);
	set(reader, name, length, value);
	if (!is_usual(value))
		find_here(reader, FINDING_ODD_VALUE);
	if (!is_remark(end))
		find_here(reader, FINDING_TRAILING);
}

/* A line from its CONFIG_ on. */
static void read_setting(struct reader *reader, const char *line, gboolean comment)
{
	const char *name = line + strlen(SYMBOL);
	gsize length = word_length(name);
	const char *rest = skip_blanks(name + length);

	if (!length) {
		find_here(reader, FINDING_UNREADABLE);
	} else if (g_str_has_prefix(rest, NOT_SET)) {
		set(reader, name, length, "n");
		if (!is_remark(rest + strlen(NOT_SET)))
			find_here(reader, FINDING_TRAILING);
	} else if (*rest == '=') {
		if (comment)
			find_here(reader, FINDING_COMMENTED_OUT);
		else
			read_value(reader, name, length, rest);
	} else {
		find_here(reader,
		          comment || is_remark(rest) ? FINDING_MENTION : FINDING_UNREADABLE);
	}
}

/* What Markdown, a mail or a list puts before a line. */
static const char *skip_decoration(const char *line)
{
	const char *before;

	do {
		before = line;
		line = skip_blanks(line);
		line += strspn(line, ">|`");
		if (*line && strchr("-*+", *line) && (line[1] == ' ' || line[1] == '`'))
			line++;
	} while (line != before);
	return line;
}

static void read_comment(struct reader *reader, const char *line)
{
	const char *text = skip_blanks(line + strspn(line, "#"));

	if (g_str_has_prefix(text, SYMBOL)) {
		read_setting(reader, text, TRUE);
		return;
	}
	reader->reading->comments++;
	/* The architecture and the version stand there. */
	if (g_str_has_prefix(text, "Linux/")) {
		g_string_append_printf(reader->canonical, "# %s", text);
		if (strstr(text, "Kernel Configuration"))
			reader->reading->fragment = FALSE;
	}
}

static void read_line(struct reader *reader, char *whole)
{
	const char *line;

	reader->reading->lines++;
	reader->whole = g_strchomp(whole);
	line = skip_decoration(whole);
	if (*line == '#')
		read_comment(reader, line);
	else if (g_str_has_prefix(line, SYMBOL))
		read_setting(reader, line, FALSE);
	/* Nothing but blanks, or the fence of a block of code, with or without its language. */
	else if (!*line || g_str_has_prefix(skip_blanks(whole), "```"))
		reader->reading->comments++;
	else
		find_here(reader, FINDING_UNREADABLE);
	g_string_append_c(reader->canonical, '\n');
}

/* @text with '\n' alone as the end of a line, in UTF-8 if it was in UTF-16. Owned by the caller. */
static char *even_out(const char *text, gsize length, gsize *even_length)
{
	g_autofree char *converted = NULL;
	gsize count = 0;
	char *even;

	if (length >= 2 && (!memcmp(text, "\xff\xfe", 2) || !memcmp(text, "\xfe\xff", 2))) {
		converted = g_convert(text, (gssize)length, "UTF-8", "UTF-16", NULL, &count, NULL);
		if (converted) {
			text = converted;
			length = count;
		}
		count = 0;
	}
	if (length >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
		text += 3;
		length -= 3;
	}
	even = g_malloc(length + 1);
	for (gsize i = 0; i < length; i++) {
		if (text[i] != '\r')
			even[count++] = text[i];
		else if (i + 1 == length || (text[i + 1] != '\n' && text[i + 1] != '\r'))
			even[count++] = '\n';
	}
	even[count] = '\0';
	*even_length = count;
	return even;
}

static void find_contradictions(config_reading_t *reading)
{
	g_autoptr(GPtrArray) names = config_file_names(reading->config);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i];
		guint earlier = config_file_overruled(reading->config, name);

		if (earlier)
			find(reading, FINDING_CONTRADICTION,
			     config_file_line(reading->config, name), earlier, name);
	}
}

static int compare_findings(gconstpointer a, gconstpointer b)
{
	const struct config_finding *left = *(struct config_finding *const *)a;
	const struct config_finding *right = *(struct config_finding *const *)b;

	return left->line < right->line ? -1 : left->line > right->line;
}

static void read_lines(struct reader *reader, char *text)
{
	while (text && *text) {
		char *end = strchr(text, '\n');

		if (end)
			*end++ = '\0';
		read_line(reader, text);
		text = end;
	}
}

config_reading_t *config_reading_parse(const char *text, gsize length, const char *name,
                                       GError **error)
{
	g_autoptr(config_reading_t) reading = g_new0(config_reading_t, 1);
	g_autoptr(GString) canonical = g_string_new(NULL);
	struct reader reader = { .reading = reading, .canonical = canonical };
	g_autofree char *even = even_out(text, length, &length);

	reading->findings = g_ptr_array_new_with_free_func(finding_free);
	reading->fragment = TRUE;
	if (memchr(even, '\0', length)) {
		error_set(error, KCOST_ERROR_USAGE,
		          "the config %s is binary, not a text file; name a kernel's .config, its "
		          "vmlinuz or a Debian linux-image package",
		          name);
		return NULL;
	}
	read_lines(&reader, even);
	if (!reading->settings) {
		error_set(error, KCOST_ERROR_USAGE,
		          "the config %s %s; name a kernel's .config or a fragment of one", name,
		          length ? "has no line of the form CONFIG_NAME=value" : "is empty");
		return NULL;
	}
	reading->config = config_file_parse(canonical->str, canonical->len, name, error);
	if (!reading->config)
		return NULL;
	find_contradictions(reading);
	g_ptr_array_sort(reading->findings, compare_findings);
	return g_steal_pointer(&reading);
}
