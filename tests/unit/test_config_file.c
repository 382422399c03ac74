/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "kernel/config_file.h"

/* One line or file and what it says of CONFIG_X. The right values are what conf's reader takes
 * (scripts/kconfig/confdata.c), but for the blanks and carriage returns that it trips over. */
static const struct {
	const char *name, *text, *value;
} readings[] = {
	{ "y", "CONFIG_X=y\n", "y" },
	{ "m", "CONFIG_X=m\n", "m" },
	{ "n", "CONFIG_X=n\n", "n" },
	{ "not-set", "# CONFIG_X is not set\n", "n" },
	{ "int", "CONFIG_X=42\n", "42" },
	{ "negative", "CONFIG_X=-1\n", "-1" },
	{ "hex", "CONFIG_X=0xffffffff81000000\n", "0xffffffff81000000" },
	{ "string", "CONFIG_X=\"a b\"\n", "\"a b\"" },
	{ "empty-string", "CONFIG_X=\"\"\n", "\"\"" },
	{ "escapes", "CONFIG_X=\"a\\\"b\\\\\"\n", "\"a\\\"b\\\\\"" },
	{ "equals-in-string", "CONFIG_X=\"a=b # c\"\n", "\"a=b # c\"" },
	{ "no-value", "CONFIG_X=\n", "" },
	{ "no-final-newline", "CONFIG_X=y", "y" },
	{ "crlf", "CONFIG_X=y\r\n", "y" },
	{ "crlf-not-set", "# CONFIG_X is not set\r\n", "n" },
	{ "crlf-string", "CONFIG_X=\"a\"\r\n", "\"a\"" },
	{ "trailing-blanks", "CONFIG_X=42  \t \n", "42" },
	{ "trailing-blanks-not-set", "# CONFIG_X is not set  \n", "n" },
	{ "comment-behind", "CONFIG_X=42 # why\n", "42" },
	{ "comment-behind-string", "CONFIG_X=\"a\" # why\n", "\"a\"" },
	{ "later-wins", "CONFIG_X=y\nCONFIG_X=m\n", "m" },
	{ "later-not-set-wins", "CONFIG_X=y\n# CONFIG_X is not set\n", "n" },
	{ "byte-order-mark",
	  "\xef\xbb\xbf"
	  "CONFIG_X=y\n",
	  "y" },
	{ "among-others", "# c\n\nfoo\nCONFIG_XY=m\nCONFIG_X=y\nCONFIG_=z\n", "y" },
	{ "commented-out", "CONFIG_Y=y\n#CONFIG_X=y\n", NULL },
	{ "commented-out-wide", "CONFIG_Y=y\n# CONFIG_X=y\n", NULL },
	{ "bare-name", "CONFIG_Y=y\n# CONFIG_X\nCONFIG_X\n", NULL },
	{ "not-quite-not-set", "CONFIG_Y=y\n# CONFIG_X is not set yet\n", NULL },
	{ "open-quote", "CONFIG_Y=y\nCONFIG_X=\"a\n", NULL },
	{ "open-quote-escaped", "CONFIG_Y=y\nCONFIG_X=\"a\\\"\n", NULL },
	{ "indented", "CONFIG_Y=y\n CONFIG_X=y\n", NULL },
	{ "blank-before-equals", "CONFIG_Y=y\nCONFIG_X =y\n", NULL },
	{ "longer-name", "CONFIG_X_Y=y\n", NULL },
	{ "other-case", "CONFIG_Y=y\nconfig_x=y\n", NULL },
};

static void test_reading(gconstpointer data)
{
	const typeof(readings[0]) *reading = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) config =
		config_file_parse(reading->text, strlen(reading->text), "test", &error);

	g_assert_no_error(error);
	g_assert_cmpstr(config_file_get(config, "X"), ==, reading->value);
}

static const struct {
	const char *name, *text;
	gsize length;
	const char *says;
} refusals[] = {
	{ "empty", "", 0, "is empty" },
	{ "blank", " \n\n", 3, "no line" },
	{ "prose", "Dear sir,\nCONFIG_ is\n", 21, "no line" },
	{ "only-commented-out", "#CONFIG_X=y\n", 12, "no line" },
	{ "nul", "CONFIG_X=y\n\0\n", 13, "binary" },
	{ "utf16",
	  "\xff\xfe"
	  "C\0O\0",
	  6, "binary" },
	{ "gzip", "\x1f\x8b\x08\x01", 4, "compressed" },
	{ "elf",
	  "\x7f"
	  "ELF\x02\x01",
	  6, "program" },
};

static void test_refusal(gconstpointer data)
{
	const typeof(refusals[0]) *refusal = data;
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) config =
		config_file_parse(refusal->text, refusal->length, "F.config", &error);

	g_assert_null(config);
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "F.config"));
	g_assert_nonnull(strstr(error->message, refusal->says));
}

static void test_load_missing(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(config_file_load("/nonexistent/.config", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "/nonexistent/.config"));
	g_assert_nonnull(strstr(error->message, g_strerror(ENOENT)));
}

static void test_load_directory(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(config_file_load("/", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, g_strerror(EISDIR)));
}

/* Something without an end must not be read to its end. */
static void test_load_endless(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(config_file_load("/dev/zero", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "larger than 32 MiB"));
}

static void test_load_pipe(void)
{
	static const char text[] = "CONFIG_X=y\n";
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) config = NULL;
	g_autofree char *path = NULL;
	int ends[2];

	g_assert_cmpint(pipe(ends), ==, 0);
	g_assert_cmpint(write(ends[1], text, strlen(text)), ==, strlen(text));
	close(ends[1]);
	path = g_strdup_printf("/proc/self/fd/%d", ends[0]);
	config = config_file_load(path, &error);
	close(ends[0]);
	g_assert_no_error(error);
	g_assert_cmpstr(config_file_get(config, "X"), ==, "y");
}

static config_file_t *parse(const char *text)
{
	g_autoptr(GError) error = NULL;
	config_file_t *config = config_file_parse(text, strlen(text), "test", &error);

	g_assert_no_error(error);
	return config;
}

static void test_long_value(void)
{
	g_autofree char *value = g_strnfill(10 * 1024, 'v');
	g_autofree char *line = g_strdup_printf("CONFIG_X=\"%s\"\nCONFIG_Y=y\n", value);
	g_autoptr(config_file_t) config = parse(line);
	g_autofree char *text = config_file_text(config);

	g_assert_cmpstr(text, ==, line);
}

/* The form of conf_write(): scripts/kconfig/confdata.c. */
static void test_text(void)
{
	g_autoptr(config_file_t) config = parse("# h\nCONFIG_A=y\nCONFIG_B=n\r\nCONFIG_C=\"c\"");
	g_autofree char *text = config_file_text(config);

	g_assert_cmpstr(text, ==, "CONFIG_A=y\n# CONFIG_B is not set\nCONFIG_C=\"c\"\n");
}

/* A line that is set again moves to the end: with two members of one choice Kconfig takes the last.
 */
static void test_set(void)
{
	g_autoptr(config_file_t) config = parse("CONFIG_A=y\nCONFIG_B=y\n");
	g_autofree char *text = NULL;

	config_file_set(config, "C", "m");
	config_file_set(config, "A", config_file_get(config, "A"));
	config_file_set(config, "B", "n");
	text = config_file_text(config);
	g_assert_cmpstr(text, ==, "CONFIG_C=m\nCONFIG_A=y\n# CONFIG_B is not set\n");
	g_assert_cmpstr(config_file_get(config, "B"), ==, "n");
	g_assert_null(config_file_get(config, "D"));
}

/* Of a repeated symbol the line that wins; a value that was set is in no line. */
static void test_line(void)
{
	g_autoptr(config_file_t) config =
		parse("# h\nCONFIG_A=y\r\n\n# CONFIG_B is not set\nCONFIG_A=m\nCONFIG_C=1");

	g_assert_cmpuint(config_file_line(config, "A"), ==, 5);
	g_assert_cmpuint(config_file_line(config, "B"), ==, 4);
	g_assert_cmpuint(config_file_line(config, "C"), ==, 6);
	g_assert_cmpuint(config_file_line(config, "D"), ==, 0);
	g_assert_cmpuint(config_file_overruled(config, "A"), ==, 2);
	g_assert_cmpuint(config_file_overruled(config, "B"), ==, 0);
	config_file_set(config, "A", "n");
	g_assert_cmpuint(config_file_line(config, "A"), ==, 0);
}

/* As /proc/config.gz. The bytes are those of `printf 'CONFIG_X=y\n' | gzip -n`. */
static void test_gzip(void)
{
	static const guchar gzip[] = { 0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00,
		                       0x00, 0x03, 0x73, 0xf6, 0xf7, 0x73, 0xf3, 0x74,
		                       0x8f, 0x8f, 0xb0, 0xad, 0xe4, 0x02, 0x00, 0x9b,
		                       0xa9, 0x91, 0xf7, 0x0b, 0x00, 0x00, 0x00 };
	g_autoptr(GError) error = NULL;
	g_autoptr(config_file_t) config =
		config_file_parse((const char *)gzip, sizeof(gzip), "config.gz", &error);
	g_autofree char *source = NULL;

	g_assert_no_error(error);
	g_assert_cmpstr(config_file_get(config, "X"), ==, "y");
	source = config_file_source(config);
	g_assert_cmpstr(source, ==, "CONFIG_X=y\n");
	g_assert_null(config_file_parse((const char *)gzip, sizeof(gzip) - 9, "F.gz", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "F.gz"));
}

static void test_source(void)
{
	static const char text[] = "garbage\r\nCONFIG_A=y \n# CONFIG_B\n";
	g_autoptr(config_file_t) config = parse(text);
	g_autoptr(config_file_t) made = config_file_new();
	g_autofree char *before = config_file_source(config);
	g_autofree char *after = NULL;
	g_autofree char *of_made = NULL;

	g_assert_cmpstr(before, ==, text);
	config_file_set(config, "C", "y");
	after = config_file_source(config);
	g_assert_cmpstr(after, ==, "CONFIG_A=y\nCONFIG_C=y\n");
	config_file_set(made, "D", "1");
	of_made = config_file_source(made);
	g_assert_cmpstr(of_made, ==, "CONFIG_D=1\n");
}

/* The heading is the tree's main menu; architectures are named as its directories under arch/. */
static const struct {
	const char *name, *text, *arch;
} architectures[] = {
	{ "x86", "#\n# Linux/x86 6.1.192 Kernel Configuration\n#\nCONFIG_A=y\n", "x86" },
	{ "x86_64", "# Linux/x86_64 6.12.0 Kernel Configuration\nCONFIG_A=y\n", "x86" },
	{ "i386", "# Linux/i386 2.6.32 Kernel Configuration\nCONFIG_A=y\n", "x86" },
	{ "arm64", "# Linux/arm64 6.1.0 Kernel Configuration\r\nCONFIG_A=y\n", "arm64" },
	{ "sparc64", "# Linux/sparc64 6.1.0 Kernel Configuration\nCONFIG_A=y\n", "sparc" },
	{ "riscv-symbol", "CONFIG_RISCV=y\nCONFIG_64BIT=y\n", "riscv" },
	{ "arm64-symbol", "CONFIG_ARM64=y\n# CONFIG_ARM is not set\n", "arm64" },
	{ "x86_64-symbol", "CONFIG_X86_64=y\n", "x86" },
	{ "powerpc-symbol", "CONFIG_PPC64=y\nCONFIG_PPC=y\n", "powerpc" },
	{ "user-mode", "CONFIG_X86_64=y\nCONFIG_UML=y\n", "um" },
	{ "off", "# CONFIG_ARM64 is not set\nCONFIG_A=y\n", NULL },
	{ "fragment", "CONFIG_A=y\n", NULL },
	{ "other-comment", "# Linux/x86 is fine\nCONFIG_A=y\n", NULL },
};

static void test_architecture(gconstpointer data)
{
	const typeof(architectures[0]) *row = data;
	g_autoptr(config_file_t) config = parse(row->text);

	g_assert_cmpstr(config_file_arch(config), ==, row->arch);
}

static const struct {
	const char *name, *off, *on;
	const char *changes; /* NAME:OFF>ON, joined by blanks */
} differences[] = {
	{ "none", "CONFIG_A=y\n", "# c\nCONFIG_A=y\n", "" },
	{ "order-only", "CONFIG_A=y\nCONFIG_B=m\n", "CONFIG_B=m\nCONFIG_A=y\n", "" },
	{ "value", "CONFIG_A=1\n", "CONFIG_A=2\n", "A:1>2" },
	{ "turned-on", "# CONFIG_A is not set\n", "CONFIG_A=y\n", "A:n>y" },
	{ "missing-is-n", "CONFIG_Z=1\n", "CONFIG_A=m\nCONFIG_Z=1\n", "A:n>m" },
	{ "missing-here-is-n", "CONFIG_A=y\nCONFIG_Z=1\n", "CONFIG_Z=1\n", "A:y>n" },
	{ "missing-and-not-set", "# CONFIG_A is not set\nCONFIG_Z=1\n", "CONFIG_Z=1\n", "" },
	{ "missing-number", "CONFIG_Z=y\n", "CONFIG_Z=y\nCONFIG_A=17\n", "A:>17" },
	{ "missing-string", "CONFIG_A=\"y\"\nCONFIG_Z=y\n", "CONFIG_Z=y\n", "A:\"y\">" },
	{ "name-order", "CONFIG_B=1\nCONFIG_A=1\nCONFIG_C_=1\nCONFIG_C0=1\n",
	  "CONFIG_C0=2\nCONFIG_C_=2\nCONFIG_B=2\nCONFIG_A=2\n", "A:1>2 B:1>2 C0:1>2 C_:1>2" },
};

static void test_difference(gconstpointer data)
{
	const typeof(differences[0]) *row = data;
	g_autoptr(config_file_t) off = parse(row->off);
	g_autoptr(config_file_t) on = parse(row->on);
	g_autoptr(GPtrArray) changes = config_file_diff(off, on);
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];

		g_string_append_printf(text, "%s%s:%s>%s", i ? " " : "", change->name, change->off,
		                       change->on);
	}
	g_assert_cmpstr(text->str, ==, row->changes);
}

/* A line of pieces that mean something to the reader, in an order that need not. */
static void append_random_line(GString *text)
{
	static const char *const pieces[] = {
		"CONFIG_", "A", "B_1", "=",  "y",         "n",          "\"",          "\\",   " ",
		"\t",      "#", " ",   "\r", "# CONFIG_", "is not set", " is not set", "\xff",
	};

	for (int i = g_test_rand_int_range(0, 9); i > 0; i--)
		g_string_append(text, pieces[g_test_rand_int_range(0, G_N_ELEMENTS(pieces))]);
	g_string_append_c(text, '\n');
}

/* What was read and written is read as the same. */
static void test_round_trip(void)
{
	for (int round = 0; round < 5000; round++) {
		g_autoptr(GString) text = g_string_new("CONFIG_KEPT=y\n");
		g_autoptr(config_file_t) first = NULL;
		g_autoptr(config_file_t) second = NULL;
		g_autoptr(GPtrArray) changes = NULL;
		g_autofree char *written = NULL;

		for (int i = g_test_rand_int_range(1, 8); i > 0; i--)
			append_random_line(text);
		first = parse(text->str);
		written = config_file_text(first);
		second = parse(written);
		changes = config_file_diff(first, second);
		g_assert_cmpuint(changes->len, ==, 0);
		g_assert_cmpstr(config_file_get(second, "KEPT"), ==, "y");
	}
}

#define ADD_TABLE(table, prefix, function)                                            \
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {                             \
		g_autofree char *path =                                               \
			g_strconcat("/config_file/" prefix "/", table[i].name, NULL); \
		g_test_add_data_func(path, &table[i], function);                      \
	}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	ADD_TABLE(readings, "reading", test_reading)
	ADD_TABLE(refusals, "refusal", test_refusal)
	ADD_TABLE(architectures, "architecture", test_architecture)
	ADD_TABLE(differences, "difference", test_difference)
	g_test_add_func("/config_file/load/missing", test_load_missing);
	g_test_add_func("/config_file/load/directory", test_load_directory);
	g_test_add_func("/config_file/load/endless", test_load_endless);
	g_test_add_func("/config_file/load/pipe", test_load_pipe);
	g_test_add_func("/config_file/long-value", test_long_value);
	g_test_add_func("/config_file/text", test_text);
	g_test_add_func("/config_file/set", test_set);
	g_test_add_func("/config_file/line", test_line);
	g_test_add_func("/config_file/gzip", test_gzip);
	g_test_add_func("/config_file/source", test_source);
	g_test_add_func("/config_file/round-trip", test_round_trip);
	return g_test_run();
}
