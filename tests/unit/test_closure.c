/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "program/closure.h"

#include <elf.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/paths.h"
#include "program/elf_file.h"
#include "program/library_dirs.h"

#define LINKER "/lib64/ld-linux-x86-64.so.2"

static char *real(const char *path)
{
	char *resolved = realpath(path, NULL);

	g_assert_nonnull(resolved);
	return resolved;
}

static void add_real(GHashTable *set, const char *path)
{
	g_autofree char *resolved = real(path);

	g_hash_table_add(set, g_strdup(resolved));
}

/* What the dynamic linker itself says that it would load: "name => path (address)" lines. NULL if
 * it says nothing of that kind. */
static GHashTable *ask_linker(const char *program)
{
	/* Of a link it would take the link's place for $ORIGIN; the kernel starts what it leads to.
	 */
	g_autofree char *resolved = real(program);
	const char *argv[] = { LINKER, "--list", resolved, NULL };
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	g_autofree char *output = NULL;
	g_auto(GStrv) lines = NULL;
	int status = -1;

	if (!g_spawn_sync(NULL, (char **)argv, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
	                  &output, NULL, &status, NULL) ||
	    status) {
		g_hash_table_unref(set);
		return NULL;
	}
	lines = g_strsplit(output, "\n", -1);
	for (char **line = lines; *line; line++) {
		char *arrow = strstr(*line, " => "), *end = strrchr(*line, '(');

		if (!arrow || !end || arrow[4] != '/')
			continue;
		*end = '\0';
		add_real(set, g_strchomp(arrow + 4));
	}
	return set;
}

static GHashTable *ask_closure(const char *program)
{
	g_autoptr(closure_t) closure = closure_new();
	g_autoptr(GError) error = NULL;
	GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	closure_add(closure, program, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(closure->missing->len, ==, 0);
	g_assert_cmpstr(closure->files->pdata[0], ==, program);
	for (guint i = 1; i < closure->files->len; i++)
		add_real(set, closure->files->pdata[i]);
	return set;
}

static void assert_same(const char *program)
{
	g_autoptr(GHashTable) linker = ask_linker(program), own = ask_closure(program);
	GHashTableIter iter;
	gpointer path;

	g_assert_nonnull(linker);
	/* The linker lists itself too, without an arrow where nothing else needs it by name. */
	add_real(linker, LINKER);
	g_hash_table_iter_init(&iter, linker);
	while (g_hash_table_iter_next(&iter, &path, NULL))
		if (!g_hash_table_contains(own, path))
			g_error("%s: %s is not found", program, (char *)path);
	g_hash_table_iter_init(&iter, own);
	while (g_hash_table_iter_next(&iter, &path, NULL))
		if (!g_hash_table_contains(linker, path))
			g_error("%s: %s is not needed", program, (char *)path);
}

/* The peer: the dynamic linker of this machine, asked about a few dozen programs, those that are
 * here. */
static void test_against_linker(void)
{
	static const char *const programs[] = {
		"bash",
		"dash",
		"ls",
		"tar",
		"grep",
		"perl",
		"git",
		"gdb",
		"sqlite3",
		"redis-server",
		"redis-benchmark",
		"python3.11",
		"curl",
		"ssh",
		"openssl",
		"systemctl",
		"apt",
		"dpkg",
		"qemu-system-x86_64",
		"gcc",
		"ld.bfd",
		"make",
		"cmake",
		"mount",
		"ip",
		"vim",
		"Rscript",
		"clang",
		"busctl",
		"journalctl",
		"psql",
		"ffmpeg",
		"java",
		"node",
	};
	guint asked = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(programs); i++) {
		g_autofree char *path = g_build_filename("/usr/bin", programs[i], NULL);

		if (!elf_file_is(path))
			continue;
		assert_same(path);
		asked++;
	}
	g_test_message("%u programs", asked);
	g_assert_cmpuint(asked, >=, 6);
}

static char *fixture(const char *variable)
{
	const char *path = g_getenv(variable);

	g_assert_nonnull(path);
	return g_strdup(path);
}

/* Meson links it with a RUNPATH that begins with $ORIGIN. */
static void test_origin(void)
{
	g_autofree char *program = fixture("CLOSURE_FIXTURE");
	g_autoptr(elf_file_t) file = elf_file_read(program, NULL);
	g_autoptr(GHashTable) own = NULL;

	g_assert_nonnull(file);
	g_assert_true(file->runpath || file->rpath);
	g_assert_nonnull(strstr(file->runpath ? file->runpath : file->rpath, "$ORIGIN"));
	assert_same(program);
	/* The program, its library, libc and the linker at least. */
	own = ask_closure(program);
	g_assert_cmpuint(g_hash_table_size(own), >=, 3);
}

static void test_static(void)
{
	g_autofree char *program = fixture("KCOST_GUEST");
	g_autoptr(closure_t) closure = closure_new();
	g_autoptr(GError) error = NULL;

	closure_add(closure, program, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(closure->files->len, ==, 1);
}

/* A copy of the fixture beside the original, in which @from is @to; they have one length. */
static char *patched(const char *name, const char *from, const char *to)
{
	g_autofree char *program = fixture("CLOSURE_FIXTURE");
	g_autofree char *text = NULL, *dir = g_path_get_dirname(program);
	char *copy = g_build_filename(dir, name, NULL), *at;
	gsize length;

	g_assert_cmpuint(strlen(from), ==, strlen(to));
	g_assert_true(g_file_get_contents(program, &text, &length, NULL));
	at = memmem(text, length, from, strlen(from));
	g_assert_nonnull(at);
	while (at) {
		memcpy(at, to, strlen(to));
		at = memmem(text, length, from, strlen(from));
	}
	g_assert_true(g_file_set_contents(copy, text, (gssize)length, NULL));
	return copy;
}

static void test_missing_library(void)
{
	g_autofree char *program = patched("no-library", "libclosure_fixture_library.so",
	                                   "libclosure_nowhere_here123.so");
	g_autoptr(closure_t) closure = closure_new();
	g_autoptr(GError) error = NULL, missing = NULL;

	closure_add(closure, program, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(closure->missing->len, ==, 1);
	g_assert_nonnull(
		strstr(closure->missing->pdata[0], "libclosure_nowhere_here123.so, needed by "));
	g_assert_false(closure_check(closure, &missing));
	g_assert_true(error_is(missing, KCOST_ERROR_MISSING));
	g_assert_nonnull(strstr(missing->message, "libclosure_nowhere_here123.so"));
	g_unlink(program);
}

static void test_missing_interpreter(void)
{
	g_autofree char *program = patched("no-linker", LINKER, "/lib64/ld-nowhere-here.so.2");
	g_autoptr(closure_t) closure = closure_new();
	g_autoptr(GError) error = NULL;

	g_assert_false(closure_add(closure, program, &error));
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	g_assert_nonnull(strstr(error->message, "/lib64/ld-nowhere-here.so.2"));
	g_unlink(program);
}

/* An ELF header alone: its first bytes by the gABI, chapter 4. */
static char *write_header(const char *dir, guchar class, guint16 machine, guint16 type)
{
	char *path = g_build_filename(dir, "header", NULL);
	union {
		Elf32_Ehdr narrow;
		Elf64_Ehdr wide;
	} header = { 0 };

	memcpy(header.narrow.e_ident, ELFMAG, SELFMAG);
	header.narrow.e_ident[EI_CLASS] = class;
	header.narrow.e_ident[EI_DATA] = ELFDATA2LSB;
	header.narrow.e_ident[EI_VERSION] = EV_CURRENT;
	header.narrow.e_type = type;
	header.narrow.e_machine = machine;
	header.narrow.e_version = EV_CURRENT;
	if (class == ELFCLASS32)
		header.narrow.e_ehsize = sizeof(Elf32_Ehdr);
	else
		header.wide.e_ehsize = sizeof(Elf64_Ehdr);
	g_assert_true(g_file_set_contents(path, (const char *)&header, sizeof(header), NULL));
	return path;
}

static void test_other_machines(void)
{
	static const struct {
		guchar class;
		guint16 machine, type;
		const char *says;
	} cases[] = {
		{ ELFCLASS32, EM_386, ET_EXEC, "32-bit program for another machine" },
		{ ELFCLASS64, EM_AARCH64, ET_DYN, "64-bit program for another machine" },
		{ ELFCLASS64, EM_X86_64, ET_REL, "neither a program nor a library" },
	};
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autofree char *path =
			write_header(dir, cases[i].class, cases[i].machine, cases[i].type);
		g_autoptr(closure_t) closure = closure_new();
		g_autoptr(GError) error = NULL;

		g_assert_false(closure_add(closure, path, &error));
		g_assert_true(error_is(error, KCOST_ERROR_USAGE));
		g_assert_nonnull(strstr(error->message, cases[i].says));
		g_assert_cmpint(elf_file_is_relocatable(path), ==, cases[i].type == ET_REL);
	}
	g_assert_false(elf_file_is_relocatable("/dev/null"));
}

static gboolean has_file(const closure_t *closure, const char *path)
{
	return g_ptr_array_find_with_equal_func(closure->files, path, g_str_equal, NULL);
}

static void test_scripts(void)
{
	static const struct {
		const char *text;
		const char *files[3]; /* that must be among the closure's */
		const char *error;    /* or what is said instead */
	} cases[] = {
		{ "#!/bin/sh\necho\n", { "/bin/sh" }, NULL },
		{ "#! /bin/sh -e\n", { "/bin/sh" }, NULL },
		{ "#!/bin/sh", { "/bin/sh" }, NULL },
		{ "#!/usr/bin/env sh\n", { "/usr/bin/env", "/usr/bin/sh" }, NULL },
		{ "#!/usr/bin/env -S A=1 sh -e\n", { "/usr/bin/env", "/usr/bin/sh" }, NULL },
		{ "#!/usr/bin/env kcost-no-such-program\n", { "/usr/bin/env" }, NULL },
		{ "no script at all\n", { NULL }, NULL },
		{ "", { NULL }, NULL },
		{ "#!/no/such/interpreter\n",
		  { NULL },
		  "needs the interpreter '/no/such/interpreter'" },
		{ "#!relative\n", { NULL }, "needs the interpreter 'relative'" },
		{ "#!\n", { NULL }, "needs the interpreter ''" },
	};
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *path = g_build_filename(dir, "script", NULL);

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(closure_t) closure = closure_new();
		g_autoptr(GError) error = NULL;
		gboolean fine;

		g_assert_true(g_file_set_contents(path, cases[i].text, -1, NULL));
		fine = closure_add(closure, path, &error);
		g_assert_cmpint(fine, ==, !cases[i].error);
		if (cases[i].error)
			g_assert_nonnull(strstr(error->message, cases[i].error));
		for (const char *const *file = cases[i].files; *file; file++)
			g_assert_true(has_file(closure, *file));
	}
}

/* Each script is the next one's interpreter: the kernel goes four deep. */
static void test_script_chain(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *first = g_build_filename(dir, "0", NULL);
	g_autoptr(closure_t) closure = closure_new();
	g_autoptr(GError) error = NULL;

	for (int i = 0; i < 7; i++) {
		g_autofree char *path = g_strdup_printf("%s/%d", dir, i);
		g_autofree char *text = g_strdup_printf("#!%s/%d\n", dir, i + 1);

		g_assert_true(g_file_set_contents(path, i < 6 ? text : "#!/bin/sh\n", -1, NULL));
	}
	g_assert_false(closure_add(closure, first, &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "too many interpreters"));
}

static void write_in(const char *dir, const char *name, const char *text)
{
	g_autofree char *path = g_build_filename(dir, name, NULL);

	g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void assert_dirs(const GPtrArray *dirs, const char *joined)
{
	g_autoptr(GString) text = g_string_new(NULL);

	for (guint i = 0; i < dirs->len; i++)
		g_string_append_printf(text, "%s%s", i ? " " : "", (char *)dirs->pdata[i]);
	g_assert_cmpstr(text->str, ==, joined);
}

/* ldconfig(8): comments, several directories on a line, and includes by pattern, beside the file.
 */
static void test_configuration(void)
{
	g_autoptr(temporary_dir_t) dir = paths_make_temporary(NULL);
	g_autofree char *path = g_build_filename(dir, "ld.so.conf", NULL);
	g_autofree char *more = g_build_filename(dir, "more", NULL);
	g_autoptr(GPtrArray) dirs = NULL, none = library_dirs_configured("/no/such/file");

	g_assert_cmpint(g_mkdir(more, 0700), ==, 0);
	write_in(dir, "ld.so.conf",
	         "# libraries\n/first\ninclude more/*.conf\n  /a /b:/c,/d # not /e\nrelative\n"
	         "hwcap 1 nosegneg\n");
	write_in(more, "1.conf", "/one\n");
	write_in(more, "2.conf", "/two\ninclude ../ld.so.conf2\n");
	write_in(more, "3.txt", "/three\n");
	write_in(dir, "ld.so.conf2", "/nested");
	dirs = library_dirs_configured(path);
	assert_dirs(dirs, "/first /one /two /nested /a /b /c /d");
	assert_dirs(none, "");
	/* A file that includes itself has an end. */
	write_in(dir, "ld.so.conf", "/x\ninclude ld.so.conf\n");
	g_clear_pointer(&dirs, g_ptr_array_unref);
	dirs = library_dirs_configured(path);
	g_assert_cmpstr(dirs->pdata[0], ==, "/x");
}

static void test_paths(void)
{
	static const struct {
		const char *list, *dirs;
	} cases[] = {
		{ "$ORIGIN/../lib:/opt/x", "/here/bin/../lib /opt/x" },
		{ "${ORIGIN}", "/here/bin" },
		{ "/usr/$LIB/$PLATFORM", "/usr/lib/x86_64-linux-gnu/x86_64" },
		{ "::relative:", "" },
		{ NULL, "" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		g_autoptr(GPtrArray) dirs = library_dirs_of(cases[i].list, "/here/bin");

		assert_dirs(dirs, cases[i].dirs);
	}
}

/* A library that only ld.so.conf leads to: the guest's linker must be told. */
static void test_extra_dirs(void)
{
	g_autofree char *program = patched("elsewhere", "$ORIGIN", "/nowher");
	g_autofree char *library = fixture("CLOSURE_LIBRARY");
	g_autofree char *dir = g_path_get_dirname(library);
	g_autoptr(temporary_dir_t) scratch = paths_make_temporary(NULL);
	g_autoptr(closure_t) closure = closure_new();
	g_autoptr(GError) error = NULL;

	write_in(scratch, "ld.so.conf", dir);
	g_free(closure->configuration);
	closure->configuration = g_build_filename(scratch, "ld.so.conf", NULL);
	closure_add(closure, program, &error);
	g_assert_no_error(error);
	g_assert_cmpuint(closure->missing->len, ==, 0);
	g_assert_cmpuint(closure->extra->len, ==, 1);
	g_assert_cmpstr(closure->extra->pdata[0], ==, dir);
	g_unlink(program);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/closure/against-linker", test_against_linker);
	g_test_add_func("/closure/origin", test_origin);
	g_test_add_func("/closure/static", test_static);
	g_test_add_func("/closure/missing-library", test_missing_library);
	g_test_add_func("/closure/missing-interpreter", test_missing_interpreter);
	g_test_add_func("/closure/other-machines", test_other_machines);
	g_test_add_func("/closure/scripts", test_scripts);
	g_test_add_func("/closure/script-chain", test_script_chain);
	g_test_add_func("/closure/configuration", test_configuration);
	g_test_add_func("/closure/paths", test_paths);
	g_test_add_func("/closure/extra-dirs", test_extra_dirs);
	return g_test_run();
}
