/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/program.h"

#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "machine/counts.h"
#include "program/command_line.h"
#include "program/payload.h"
#include "study/measure_row.h"

static void test_command_lines(void)
{
	static const struct {
		const char *text;
		const char *environment, *argv; /* parted by bars */
		const char *name;
		const char *error;
	} cases[] = {
		{ "true", "", "true", "true", NULL },
		{ "/usr/bin/sqlite3 a.db '.read x.sql'", "", "/usr/bin/sqlite3|a.db|.read x.sql",
		  "sqlite3", NULL },
		{ "A=1 B='x y' env C=2", "A=1|B=x y", "env|C=2", "env", NULL },
		{ "sh -c 'a < b | c'", "", "sh|-c|a < b | c", "sh", NULL },
		{ "x ''  \"\"", "", "x||", "x", NULL },
		{ "'./my prog' 1", "", "./my prog|1", "my_prog", NULL },
		{ "1A=2 x", "", "1A=2|x", "1A_2", NULL },
		{ "", "", "", NULL, "there is none" },
		{ "   ", "", "", NULL, "there is none" },
		{ "A=1", "", "", NULL, "names no program" },
		{ "''", "", "", NULL, "names no program" },
		{ "x 'open", "", "", NULL, "--run takes a command" },
		{ "sqlite3 x.db < y.sql", "", "", NULL, "no shell runs it, so '<'" },
		{ "a | b", "", "", NULL, "no shell runs it, so '|'" },
		{ "a 2>&1", "", "", NULL, "no shell runs it, so '2>&1'" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(command_line_t) command = command_line_parse(cases[i].text, &error);
		g_autofree char *environment = NULL, *argv = NULL, *name = NULL;

		if (cases[i].error) {
			g_assert_null(command);
			g_assert_true(error_is(error, KCOST_ERROR_USAGE));
			g_assert_nonnull(strstr(error->message, cases[i].error));
			continue;
		}
		g_assert_no_error(error);
		environment = g_strjoinv("|", command->environment);
		argv = g_strjoinv("|", command->argv);
		name = command_line_name(command);
		g_assert_cmpstr(environment, ==, cases[i].environment);
		g_assert_cmpstr(argv, ==, cases[i].argv);
		g_assert_cmpstr(name, ==, cases[i].name);
	}
}

/* archive + 2 x unpacked + 512, in MiB, up to a multiple of 256, 1,024 at least. */
static void test_memory(void)
{
	static const struct {
		guint64 archive, unpacked; /* MiB */
		guint mib;
	} cases[] = {
		{ 0, 0, 1024 },     { 100, 100, 1024 },   { 170, 171, 1024 },
		{ 170, 172, 1280 }, { 200, 200, 1280 },   { 256, 256, 1280 },
		{ 257, 256, 1536 }, { 1000, 1000, 3584 }, { 1500, 1600, 5376 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		g_assert_cmpuint(
			program_memory_needed(cases[i].archive << 20, cases[i].unpacked << 20), ==,
			cases[i].mib);
}

static char *in(const char *dir, const char *name)
{
	return g_build_filename(dir, name, NULL);
}

static void write_in(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = in(dir, name);
	g_autofree char *parent = g_path_get_dirname(path);

	g_assert_cmpint(g_mkdir_with_parents(parent, 0755), ==, 0);
	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void link_in(const char *dir, const char *name, const char *target)
{
	g_autofree char *path = in(dir, name);

	g_assert_cmpint(symlink(target, path), ==, 0);
}

/* "TYPE MODE NAME CONTENT" of each entry: d, l or f; the content of a link is where it leads. */
static char *list_archive(const char *path)
{
	struct archive *reader = archive_read_new();
	GString *text = g_string_new(NULL);
	struct archive_entry *entry;

	archive_read_support_format_cpio(reader);
	g_assert_cmpint(archive_read_open_filename(reader, path, 10240), ==, ARCHIVE_OK);
	while (archive_read_next_header(reader, &entry) == ARCHIVE_OK) {
		char content[256] = "";
		gboolean link = archive_entry_filetype(entry) == AE_IFLNK;

		archive_read_data(reader, content, sizeof(content) - 1);
		g_string_append_printf(text, "%s %o %s %s\n",
		                       link                                        ? "l"
		                       : archive_entry_filetype(entry) == AE_IFDIR ? "d"
		                                                                   : "f",
		                       archive_entry_perm(entry), archive_entry_pathname(entry),
		                       link ? archive_entry_symlink(entry) : content);
	}
	archive_read_free(reader);
	return g_string_free(text, FALSE);
}

static char *list_payload(const payload_t *payload, const char *dir)
{
	g_autofree char *path = in(dir, "payload.cpio");
	g_autoptr(GError) error = NULL;

	payload_write(payload, "c", 1, path, &error);
	g_assert_no_error(error);
	return list_archive(path);
}

/* Links stay links, on the way of a path too; what they lead to comes along. */
static void test_payload_same(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(payload_t) payload = payload_new();
	g_autofree char *real_dir = realpath(dir, NULL);
	g_autofree char *path = in(real_dir, "bin/tool");
	g_autofree char *list = NULL, *link = NULL, *second = NULL, *file = NULL;
	g_autoptr(GError) error = NULL;

	write_in(real_dir, "usr/bin/tool-2", "x");
	link_in(real_dir, "bin", "usr/bin");
	link_in(real_dir, "usr/bin/tool", "tool-2");
	payload_add_same(payload, path, &error);
	g_assert_no_error(error);
	list = list_payload(payload, real_dir);
	link = g_strdup_printf("l 777 program%s/bin usr/bin\n", real_dir);
	second = g_strdup_printf("l 777 program%s/usr/bin/tool tool-2\n", real_dir);
	file = g_strdup_printf("f 644 program%s/usr/bin/tool-2 x\n", real_dir);
	g_assert_nonnull(strstr(list, link));
	g_assert_nonnull(strstr(list, second));
	g_assert_nonnull(strstr(list, file));
	g_assert_nonnull(payload_source(payload, path));
}

static void test_payload_places(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(payload_t) payload = payload_new();
	g_autofree char *a = in(dir, "a"), *b = in(dir, "b"), *list = NULL;
	g_autoptr(GError) error = NULL, clash = NULL, directory = NULL;

	write_in(dir, "a", "A");
	write_in(dir, "b", "B");
	g_assert_cmpint(g_chmod(a, 04755), ==, 0);
	payload_add_file(payload, a, "/x/../y/file", &error);
	g_assert_no_error(error);
	/* The same again is no clash, another file is. */
	payload_add_file(payload, a, "/y/file", &error);
	g_assert_no_error(error);
	g_assert_false(payload_add_file(payload, b, "/y/file", &clash));
	g_assert_true(error_is(clash, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(clash->message, "two things would be /y/file in the guest"));
	g_assert_false(payload_add_file(payload, b, "/y", &directory));
	g_assert_nonnull(strstr(directory->message, "two things would be /y "));
	list = list_payload(payload, dir);
	g_assert_true(g_str_has_prefix(
		list,
		"d 755 program \nd 755 program/y \nf 4755 program/y/file A\nf 644 command c\n"));
	/* One file of a byte: a page, and one for each entry's own. */
	g_assert_cmpuint(payload_measure(payload).files, ==, 1);
	g_assert_cmpuint(payload_measure(payload).unpacked, ==, 3 * 4096);
}

static void test_payload_dir(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(payload_t) payload = payload_new();
	g_autoptr(GPtrArray) found = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *tree = in(dir, "tree"), *list = NULL, *fifo = in(dir, "tree/fifo");
	g_autoptr(GError) error = NULL;

	write_in(dir, "tree/sub/one", "1");
	link_in(dir, "tree/link", "sub/one");
	link_in(dir, "tree/dangling", "/no/such/file");
	g_assert_cmpint(mkfifo(fifo, 0600), ==, 0);
	payload_add_dir(payload, tree, "/t", found, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(found->len, ==, 1);
	list = list_payload(payload, dir);
	g_assert_true(g_str_has_prefix(list, "d 755 program \n"
	                                     "d 755 program/t \n"
	                                     "l 777 program/t/dangling /no/such/file\n"
	                                     "l 777 program/t/link sub/one\n"
	                                     "d 755 program/t/sub \n"
	                                     "f 644 program/t/sub/one 1\n"));
}

static void tar_add(struct archive *tar, const char *name, guint type, const char *content,
                    const char *target)
{
	struct archive_entry *entry = archive_entry_new();

	archive_entry_set_pathname(entry, name);
	archive_entry_set_filetype(entry, type);
	archive_entry_set_perm(entry, type == AE_IFDIR ? 0700 : 0640);
	archive_entry_set_mtime(entry, 1234567890, 0);
	archive_entry_set_size(entry, content ? (la_int64_t)strlen(content) : 0);
	if (type == AE_IFLNK)
		archive_entry_set_symlink(entry, target);
	else if (target)
		archive_entry_set_hardlink(entry, target);
	g_assert_cmpint(archive_write_header(tar, entry), ==, ARCHIVE_OK);
	if (content)
		archive_write_data(tar, content, strlen(content));
	archive_entry_free(entry);
}

static char *make_tar(const char *dir)
{
	char *path = in(dir, "root.tar.gz");
	struct archive *tar = archive_write_new();

	archive_write_set_format_pax_restricted(tar);
	archive_write_add_filter_gzip(tar);
	g_assert_cmpint(archive_write_open_filename(tar, path), ==, ARCHIVE_OK);
	tar_add(tar, "./", AE_IFDIR, NULL, NULL);
	tar_add(tar, "./usr/bin/", AE_IFDIR, NULL, NULL);
	tar_add(tar, "./usr/bin/tool", AE_IFREG, "tool", NULL);
	tar_add(tar, "./usr/bin/again", AE_IFREG, NULL, "./usr/bin/tool");
	tar_add(tar, "./bin", AE_IFLNK, NULL, "usr/bin");
	tar_add(tar, "./etc/conf", AE_IFREG, "theirs", NULL);
	archive_write_close(tar);
	archive_write_free(tar);
	return path;
}

/* A later file goes through the tree's links and takes a file's place. */
static void test_payload_tar(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(payload_t) payload = payload_new();
	g_autofree char *tar = make_tar(dir), *mine = in(dir, "mine"), *list = NULL, *bad = NULL;
	g_autoptr(GError) error = NULL, reading = NULL;

	write_in(dir, "mine", "ours");
	payload_add_tar(payload, tar, &error);
	g_assert_no_error(error);
	payload_add_file(payload, mine, "/etc/conf", &error);
	g_assert_no_error(error);
	payload_add_file(payload, mine, "/bin/new", &error);
	g_assert_no_error(error);
	g_assert_nonnull(payload_source(payload, "/bin/tool"));
	g_assert_null(payload_source(payload, "/bin"));
	list = list_payload(payload, dir);
	g_assert_true(g_str_has_prefix(list, "d 755 program \n"
	                                     "l 777 program/bin usr/bin\n"
	                                     "d 755 program/etc \n"
	                                     "f 644 program/etc/conf ours\n"
	                                     "d 755 program/usr \n"
	                                     "d 700 program/usr/bin \n"
	                                     "f 640 program/usr/bin/again tool\n"
	                                     "f 644 program/usr/bin/new ours\n"
	                                     "f 640 program/usr/bin/tool tool\n"
	                                     "f 644 command c\n"
	                                     "f 644 times "));
	g_assert_nonnull(strstr(list, "\n1234567890 /usr/bin/tool\n"));
	bad = in(dir, "mine");
	g_assert_false(payload_add_tar(payload, bad, &reading));
	g_assert_nonnull(strstr(reading->message, "cannot read the archive"));
}

static program_t *make(const char *command, const char *file, const char *dir, GError **error)
{
	const char *files[] = { file, NULL }, *dirs[] = { dir, NULL };
	struct program_request request = { .command = command, .files = files, .dirs = dirs };

	return program_new(&request, error);
}

static void test_program_errors(void)
{
	static const struct {
		const char *command, *file, *dir;
		enum kcost_error code;
		const char *says;
	} cases[] = {
		{ "kcost-no-such-program", NULL, NULL, KCOST_ERROR_MISSING,
		  "there is no program 'kcost-no-such-program'" },
		{ "/no/such/program", NULL, NULL, KCOST_ERROR_MISSING, "there is no program" },
		{ "/usr/bin", NULL, NULL, KCOST_ERROR_USAGE, "is a directory, not a program" },
		{ "/etc/passwd", NULL, NULL, KCOST_ERROR_USAGE, "may not be executed" },
		{ "sh", "/no/such/file", NULL, KCOST_ERROR_MISSING, "there is no /no/such/file" },
		{ "sh", "/usr/bin", NULL, KCOST_ERROR_USAGE, "bring it with --dir" },
		{ "sh", NULL, "/etc/passwd", KCOST_ERROR_MISSING, "there is no directory" },
		{ "sh", "/etc/passwd:/usr/bin/sh", NULL, KCOST_ERROR_USAGE, "two things would be" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GError) error = NULL;
		g_autoptr(program_t) program =
			make(cases[i].command, cases[i].file, cases[i].dir, &error);

		g_assert_null(program);
		g_assert_true(error_is(error, cases[i].code));
		g_assert_nonnull(strstr(error->message, cases[i].says));
	}
}

/* The archive holds the command as the guest reads it, and is the same each time. */
static void test_program(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autoptr(GError) error = NULL;
	g_autofree char *file = g_strdup_printf("%s/data:/srv/", dir);
	g_autoptr(program_t) program = NULL, again = NULL;
	g_autofree char *list = NULL, *params = NULL;

	write_in(dir, "data", "D");
	program = make("PATH=/x sh -c 'echo'", file, NULL, &error);
	g_assert_no_error(error);
	again = make("PATH=/x sh -c 'echo'", file, NULL, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(program->name, ==, "sh");
	g_assert_cmpstr(program->sha256, ==, again->sha256);
	g_assert_cmpuint(program->memory_mib, ==, 1024);
	params = program_params(program);
	g_assert_true(g_str_has_prefix(params, "payload=sha256:"));
	g_assert_cmpuint(strlen(params), ==, strlen("payload=sha256:") + 12);
	list = list_archive(program->archive);
	g_assert_nonnull(strstr(list, "program/srv/data D\n"));
	g_assert_nonnull(strstr(list, "program/proc \n"));
}

static void test_counts(void)
{
	static const struct {
		const char *text, *error;
	} bad[] = {
		{ "", "wrote 'nothing'" },
		{ "kcost-counts 2\n", "wrote 'kcost-counts 2'" },
		{ "kcost-counts 1\n1 2 3 4 0 0\n", "saw 1 samples, the guest reported 2" },
		{ "kcost-counts 1\n1 2 3 4 0 0\n1 2\n", "wrote '1 2'" },
		{ "kcost-counts 1\n1 2 3 4 0 0\n1 2 3 4 0 x\n", "wrote '1 2 3 4 0 x'" },
		{ "kcost-counts 1\n1 2 3 4 0 0\n1 2 3 4 1 0\n", "after kcost_roi_begin()" },
	};
	g_autoptr(GArray) samples = g_array_new(FALSE, TRUE, sizeof(struct plan_sample));
	g_autoptr(GError) error = NULL;
	g_autofree char *argument = counts_argument("/a,b/p.so", "/c", 0xffffffff81000010);
	const struct plan_sample *last;

	g_array_set_size(samples, 2);
	for (gsize i = 0; i < G_N_ELEMENTS(bad); i++) {
		g_autoptr(GError) cause = NULL;

		g_assert_false(counts_read(bad[i].text, samples, &cause));
		g_assert_true(error_is(cause, KCOST_ERROR_KERNEL));
		g_assert_nonnull(strstr(cause->message, bad[i].error));
	}
	counts_read("kcost-counts 1\n1 2 3 0 0 0\n10 20 30 40 0 5\n", samples, &error);
	g_assert_no_error(error);
	last = &g_array_index(samples, struct plan_sample, 1);
	g_assert_cmpuint(last->user, ==, 10);
	g_assert_cmpuint(last->kernel, ==, 20);
	g_assert_cmpuint(last->halts, ==, 30);
	g_assert_cmpuint(last->pairs, ==, 40);
	g_assert_cmpstr(argument, ==, "file=/a,,b/p.so,out=/c,fault=ffffffff81000010");
}

/* What the report takes of a sample: less its overhead, which is in user space, and without waiting
 * where it was counted. Between a program's own marks nothing is taken off. */
static void test_samples(void)
{
	static const struct {
		struct plan_sample from;
		double value, user, idle;
	} cases[] = {
		{ { .value = 1000, .overhead = 16 }, 984, 0, 0 },
		{ { .value = 900, .overhead = 16, .user = 600, .kernel = 300 }, 884, 584, 0 },
		{ { .value = 1000, .overhead = 16, .user = 600, .kernel = 300, .halts = 2 },
		  884,
		  584,
		  100 },
		{ { .value = 5000,
		    .overhead = 16,
		    .user = 600,
		    .kernel = 300,
		    .pairs = 1,
		    .halts = 2 },
		  900,
		  600,
		  0 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct sample sample = measure_sample(3, &cases[i].from);

		g_assert_cmpfloat(sample.value, ==, cases[i].value);
		g_assert_cmpfloat(sample.user, ==, cases[i].user);
		g_assert_cmpfloat(sample.idle, ==, cases[i].idle);
		g_assert_cmpuint(sample.seed, ==, 3);
	}
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/program/command-lines", test_command_lines);
	g_test_add_func("/program/memory", test_memory);
	g_test_add_func("/program/payload/same", test_payload_same);
	g_test_add_func("/program/payload/places", test_payload_places);
	g_test_add_func("/program/payload/dir", test_payload_dir);
	g_test_add_func("/program/payload/tar", test_payload_tar);
	g_test_add_func("/program/errors", test_program_errors);
	g_test_add_func("/program/new", test_program);
	g_test_add_func("/program/counts", test_counts);
	g_test_add_func("/program/samples", test_samples);
	return g_test_run();
}
