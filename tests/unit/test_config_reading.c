/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "kernel/config_reading.h"

/* A line as somebody might have written it, what it says of CONFIG_X (NULL: nothing), and what is
 * told of it besides: the letter of a finding, or "". */
static const struct {
	const char *name, *text, *value;
	const char *findings; /* a letter each, see letters */
} lines[] = {
	{ "y", "CONFIG_X=y", "y", "" },
	{ "n", "CONFIG_X=n", "n", "" },
	{ "not-set", "# CONFIG_X is not set", "n", "" },
	{ "not-set-trailing-blanks", "# CONFIG_X is not set \t ", "n", "" },
	{ "not-set-narrow", "#CONFIG_X is not set", "n", "" },
	{ "not-set-wide", "#   CONFIG_X   is not set", "n", "" },
	{ "not-set-bare", "CONFIG_X is not set", "n", "" },
	{ "not-set-remark", "# CONFIG_X is not set # slow", "n", "" },
	{ "not-set-and-more", "# CONFIG_X is not set yet", "n", "t" },
	{ "crlf", "CONFIG_X=y\r", "y", "" },
	{ "not-set-crlf", "# CONFIG_X is not set\r", "n", "" },
	{ "negative", "CONFIG_X=-1", "-1", "" },
	{ "hex-64", "CONFIG_X=0xffffffff81000000", "0xffffffff81000000", "" },
	{ "hex-case", "CONFIG_X=0XFFaa", "0XFFaa", "" },
	{ "string", "CONFIG_X=\"a b # c\"", "\"a b # c\"", "" },
	{ "string-escapes", "CONFIG_X=\"a\\\"b\\\\\"", "\"a\\\"b\\\\\"", "" },
	{ "empty", "CONFIG_X=", "", "" },
	{ "remark", "CONFIG_X=y # why", "y", "" },
	{ "remark-close", "CONFIG_X=y# why", "y", "" },
	{ "remark-c", "CONFIG_X=42 /* why */", "42", "" },
	{ "remark-behind-string", "CONFIG_X=\"a\" // why", "\"a\"", "" },
	{ "trailing", "CONFIG_X=y CONFIG_Y=y", "y", "t" },
	{ "trailing-behind-string", "CONFIG_X=\"a\" b", "\"a\"", "t" },
	{ "odd", "CONFIG_X=yes", "yes", "o" },
	{ "odd-quotes", "CONFIG_X='y'", "'y'", "o" },
	{ "odd-minus", "CONFIG_X=-", "-", "o" },
	{ "odd-hex", "CONFIG_X=0x", "0x", "o" },
	{ "commented-out", "#CONFIG_X=y", NULL, "c" },
	{ "commented-out-wide", "#  CONFIG_X=y", NULL, "c" },
	{ "bare-comment", "# CONFIG_X", NULL, "m" },
	{ "bare", "CONFIG_X", NULL, "m" },
	{ "prose-comment", "# CONFIG_X costs too much", NULL, "m" },
	{ "prose", "CONFIG_X costs too much", NULL, "u" },
	{ "prose-before", "set CONFIG_X=y", NULL, "u" },
	{ "no-name", "CONFIG_=y", NULL, "u" },
	{ "open-quote", "CONFIG_X=\"a", NULL, "u" },
	{ "open-quote-escaped", "CONFIG_X=\"a\\\"", NULL, "u" },
	{ "lower-case", "config_x=y", NULL, "u" },
	{ "removed-in-a-patch", "-CONFIG_X=y", NULL, "u" },
	{ "blank-around-equals", "CONFIG_X = y", "y", "" },
	{ "indented", "    CONFIG_X=y", "y", "" },
	{ "no-break-space",
	  "\xc2\xa0"
	  "CONFIG_X=y",
	  "y", "" },
	{ "list-item", "- CONFIG_X=y", "y", "" },
	{ "list-item-star", " * CONFIG_X=y", "y", "" },
	{ "code", "`CONFIG_X=y`", "y", "" },
	{ "code-in-list", "- `CONFIG_X=y` because it is safe", "y", "" },
	{ "code-not-set", "`# CONFIG_X is not set`", "n", "" },
	{ "table", "| CONFIG_X=y | why |", "y", "" },
	{ "table-string", "| CONFIG_X=\"a|b\" | why |", "\"a|b\"", "" },
	{ "quoted-mail", "> > CONFIG_X=y", "y", "" },
	{ "fence", "```", NULL, "" },
	{ "fence-language", "```config", NULL, "" },
	{ "comment", "# Processor type and features", NULL, "" },
	{ "blank", " \t", NULL, "" },
	{ "latin-1", "CONFIG_X=\"caf\xe9\"", "\"caf\xe9\"", "" },
	{ "other-name", "CONFIG_X_Y=y", NULL, "" },
};

static const char letters[] = {
	[FINDING_CONTRADICTION] = 'd', [FINDING_COMMENTED_OUT] = 'c', [FINDING_MENTION] = 'm',
	[FINDING_TRAILING] = 't',      [FINDING_ODD_VALUE] = 'o',     [FINDING_UNREADABLE] = 'u',
};
_Static_assert(sizeof(letters) == FINDING_KINDS, "a letter for each kind");

static config_reading_t *read_text(const char *text, gsize length)
{
	g_autoptr(GError) error = NULL;
	config_reading_t *reading = config_reading_parse(text, length, "test", &error);

	g_assert_no_error(error);
	return reading;
}

static char *findings_text(const config_reading_t *reading)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < reading->findings->len; i++)
		g_string_append_c(
			text,
			letters[((struct config_finding *)reading->findings->pdata[i])->kind]);
	return g_string_free(text, FALSE);
}

static void test_line(gconstpointer data)
{
	const typeof(lines[0]) *row = data;
	g_autofree char *text = g_strdup_printf("CONFIG_KEPT=y\n%s\nCONFIG_LAST=m\n", row->text);
	g_autoptr(config_reading_t) reading = read_text(text, strlen(text));
	g_autofree char *findings = findings_text(reading);

	g_assert_cmpstr(config_file_get(reading->config, "X"), ==, row->value);
	g_assert_cmpstr(findings, ==, row->findings);
	g_assert_cmpstr(config_file_get(reading->config, "KEPT"), ==, "y");
	g_assert_cmpstr(config_file_get(reading->config, "LAST"), ==, "m");
	g_assert_cmpuint(reading->lines, ==, 3);
	if (row->value)
		g_assert_cmpuint(config_file_line(reading->config, "X"), ==, 2);
	if (*row->findings)
		g_assert_cmpuint(((struct config_finding *)reading->findings->pdata[0])->line, ==,
		                 2);
	/* Every line is counted as something. */
	g_assert_cmpuint(
		reading->settings + reading->comments + reading->counts[FINDING_COMMENTED_OUT] +
			reading->counts[FINDING_MENTION] + reading->counts[FINDING_UNREADABLE],
		==, reading->lines);
}

/* Whole files: the values of A and B, and how many lines there are. */
static const struct {
	const char *name, *text;
	gssize length; /* -1: up to its NUL */
	guint lines;
	const char *a, *b;
} files[] = {
	{ "no-final-newline", "CONFIG_A=y\nCONFIG_B=m", -1, 2, "y", "m" },
	{ "crlf", "CONFIG_A=y\r\nCONFIG_B=m\r\n", -1, 2, "y", "m" },
	{ "cr", "CONFIG_A=y\rCONFIG_B=m\r", -1, 2, "y", "m" },
	{ "cr-cr-lf", "CONFIG_A=y\r\r\nCONFIG_B=m\r\r\n", -1, 2, "y", "m" },
	{ "byte-order-mark",
	  "\xef\xbb\xbf"
	  "CONFIG_A=y\nCONFIG_B=m\n",
	  -1, 2, "y", "m" },
	{ "utf-16-le",
	  "\xff\xfe"
	  "C\0O\0N\0F\0I\0G\0_\0A\0=\0y\0\n\0",
	  24, 1, "y", NULL },
	{ "utf-16-be",
	  "\xfe\xff"
	  "\0C\0O\0N\0F\0I\0G\0_\0A\0=\0y\0\n",
	  24, 1, "y", NULL },
	{ "later-wins", "CONFIG_A=y\nCONFIG_A=m\nCONFIG_B=1\n", -1, 3, "m", "1" },
	{ "markdown", "# My kernel\n\nIt has:\n\n```\nCONFIG_A=y\n# CONFIG_B is not set\n```\n", -1,
	  8, "y", "n" },
};

static void test_file(gconstpointer data)
{
	const typeof(files[0]) *row = data;
	gsize length = row->length < 0 ? strlen(row->text) : (gsize)row->length;
	g_autoptr(config_reading_t) reading = read_text(row->text, length);

	g_assert_cmpstr(config_file_get(reading->config, "A"), ==, row->a);
	g_assert_cmpstr(config_file_get(reading->config, "B"), ==, row->b);
	g_assert_cmpuint(reading->lines, ==, row->lines);
	g_assert_true(reading->fragment);
}

static void test_contradiction(void)
{
	static const char text[] = "CONFIG_A=y\nCONFIG_B=y\n# CONFIG_A is not set\nCONFIG_B=y\n";
	g_autoptr(config_reading_t) reading = read_text(text, strlen(text));
	const struct config_finding *finding;

	g_assert_cmpuint(reading->findings->len, ==, 1);
	finding = reading->findings->pdata[0];
	g_assert_cmpint(finding->kind, ==, FINDING_CONTRADICTION);
	g_assert_cmpuint(finding->line, ==, 3);
	g_assert_cmpuint(finding->earlier, ==, 1);
	g_assert_cmpstr(finding->text, ==, "A");
	g_assert_cmpstr(config_file_get(reading->config, "A"), ==, "n");
}

static void test_heading(void)
{
	static const char text[] = "#\n# Automatically generated file; DO NOT EDIT.\n"
				   "# Linux/x86 6.1.170 Kernel Configuration\n#\nCONFIG_A=y\n";
	g_autoptr(config_reading_t) reading = read_text(text, strlen(text));

	g_assert_false(reading->fragment);
	g_assert_cmpstr(config_file_version(reading->config), ==, "6.1.170");
	g_assert_cmpstr(config_file_arch(reading->config), ==, "x86");
}

/* A value of 10 kB stays whole; of a line that is no configuration a part is kept to show. */
static void test_long(void)
{
	g_autofree char *value = g_strnfill(10 * 1024, 'v');
	g_autofree char *text = g_strdup_printf("CONFIG_A=\"%s\"\n%s\n", value, value);
	g_autofree char *quoted = g_strdup_printf("\"%s\"", value);
	g_autoptr(config_reading_t) reading = read_text(text, strlen(text));

	g_assert_cmpstr(config_file_get(reading->config, "A"), ==, quoted);
	g_assert_cmpuint(reading->counts[FINDING_UNREADABLE], ==, 1);
	g_assert_cmpuint(strlen(((struct config_finding *)reading->findings->pdata[0])->text), <,
	                 200);
}

/* All are counted, be they too many to keep. */
static void test_many(void)
{
	g_autoptr(GString) text = g_string_new("CONFIG_A=y\n");
	g_autoptr(config_reading_t) reading = NULL;

	for (int i = 0; i < 5000; i++)
		g_string_append(text, "prose\n");
	reading = read_text(text->str, text->len);
	g_assert_cmpuint(reading->counts[FINDING_UNREADABLE], ==, 5000);
	g_assert_cmpuint(reading->findings->len, ==, 1000);
}

static const struct {
	const char *name, *text;
	gsize length;
	const char *says;
} refusals[] = {
	{ "empty", "", 0, "is empty" },
	{ "prose", "Dear sir,\nCONFIG_ is\n", 21, "no line" },
	{ "only-comments", "# CONFIG_X\n#CONFIG_Y=y\n", 23, "no line" },
	{ "nul", "CONFIG_X=y\n\0\n", 13, "binary" },
	{ "utf-16-cut",
	  "\xff\xfe"
	  "C\0O",
	  5, "binary" },
};

static void test_refusal(gconstpointer data)
{
	const typeof(refusals[0]) *row = data;
	g_autoptr(GError) error = NULL;

	g_assert_null(config_reading_parse(row->text, row->length, "F.config", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "F.config"));
	g_assert_nonnull(strstr(error->message, row->says));
}

/* What Kconfig wrote is read as Kconfig's own reader reads it. */
static void test_as_kconfig(void)
{
	g_autofree char *path =
		g_build_filename(g_getenv("KCOST_SHARE"), "minimal-x86_64.config", NULL);
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) strict = config_file_load(path, &error);
	g_autoptr(config_reading_t) reading = NULL;
	g_autoptr(GPtrArray) changes = NULL;
	gsize length;

	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(path, &text, &length, NULL));
	reading = read_text(text, length);
	changes = config_file_diff(strict, reading->config);
	g_assert_cmpuint(changes->len, ==, 0);
	g_assert_cmpuint(reading->findings->len, ==, 0);
}

#define ADD_TABLE(table, prefix, function)                                               \
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {                                \
		g_autofree char *path =                                                  \
			g_strconcat("/config_reading/" prefix "/", table[i].name, NULL); \
		g_test_add_data_func(path, &table[i], function);                         \
	}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD_TABLE(lines, "line", test_line)
	ADD_TABLE(files, "file", test_file)
	ADD_TABLE(refusals, "refusal", test_refusal)
	g_test_add_func("/config_reading/contradiction", test_contradiction);
	g_test_add_func("/config_reading/heading", test_heading);
	g_test_add_func("/config_reading/long", test_long);
	g_test_add_func("/config_reading/many", test_many);
	g_test_add_func("/config_reading/as-kconfig", test_as_kconfig);
	return g_test_run();
}
