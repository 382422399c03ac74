/* SPDX-License-Identifier: GPL-2.0-or-later */

/* GNU cpio is the peer that must read what is written. */
#include <gio/gio.h>
#include <glib/gstdio.h>
#include <string.h>

#include "base/error.h"
#include "machine/initramfs.h"

static const char guest_contents[] = "\177ELF\0not really a program\n";

static char *make_directory(char **guest)
{
	char *directory = g_dir_make_tmp("kcost-initramfs-XXXXXX", NULL);

	g_assert_nonnull(directory);
	*guest = g_build_filename(directory, "guest", NULL);
	g_assert_true(
		g_file_set_contents(*guest, guest_contents, sizeof(guest_contents) - 1, NULL));
	return directory;
}

static void remove_directory(const char *directory)
{
	g_autoptr(GDir) entries = g_dir_open(directory, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(entries))) {
		g_autofree char *path = g_build_filename(directory, name, NULL);

		g_assert_cmpint(g_remove(path), ==, 0);
	}
	g_assert_cmpint(g_rmdir(directory), ==, 0);
}

static char *archive_make(const char *directory, const char *name, const char *guest,
                          const char *plan, gsize *length)
{
	g_autofree char *path = g_build_filename(directory, name, NULL);
	g_autoptr(GError) error = NULL;
	char *bytes;

	g_assert_true(initramfs_write(path, guest, plan, NULL, NULL, &error));
	g_assert_no_error(error);
	g_assert_true(g_file_get_contents(path, &bytes, length, NULL));
	return bytes;
}

/* Neither the time nor the place nor the file's own mode may show in the bytes. */
static void test_same_bytes(void)
{
	g_autofree char *guest = NULL, *other_guest = NULL;
	g_autofree char *directory = make_directory(&guest);
	g_autofree char *other = make_directory(&other_guest);
	gsize length, other_length, different_length;
	g_autofree char *bytes = archive_make(directory, "a", guest, "plan\n", &length);
	g_autofree char *other_bytes = NULL, *different = NULL;

	g_assert_cmpint(g_chmod(other_guest, 0700), ==, 0);
	g_usleep(1100000);
	other_bytes = archive_make(other, "b", other_guest, "plan\n", &other_length);
	different = archive_make(other, "c", other_guest, "blan\n", &different_length);
	g_assert_cmpmem(bytes, length, other_bytes, other_length);
	g_assert_cmpuint(length, ==, different_length);
	g_assert_cmpint(memcmp(bytes, different, length), !=, 0);
	remove_directory(directory);
	remove_directory(other);
}

static char *cpio(const char *archive, const char *const *argv)
{
	g_autoptr(GSubprocessLauncher) launcher = g_subprocess_launcher_new(
		G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_SILENCE);
	g_autoptr(GSubprocess) child = NULL;
	g_autoptr(GBytes) output = NULL;

	g_subprocess_launcher_setenv(launcher, "TZ", "UTC", TRUE);
	g_subprocess_launcher_set_stdin_file_path(launcher, archive);
	child = g_subprocess_launcher_spawnv(launcher, argv, NULL);
	g_assert_nonnull(child);
	g_assert_true(g_subprocess_communicate(child, NULL, NULL, &output, NULL, NULL));
	g_assert_true(g_subprocess_get_successful(child));
	return g_strndup(g_bytes_get_data(output, NULL), g_bytes_get_size(output));
}

static void test_read_by_cpio(void)
{
	static const char *const list[] = { "cpio", "-tv", "--numeric-uid-gid", NULL };
	static const char *const extract[] = { "cpio", "-i", "--to-stdout", "plan", NULL };
	g_autofree char *program = g_find_program_in_path("cpio");
	g_autofree char *guest = NULL, *names = NULL, *plan = NULL, *bytes = NULL;
	g_autofree char *directory = make_directory(&guest);
	g_autofree char *archive = g_build_filename(directory, "archive", NULL);
	gsize length;

	if (!program) {
		remove_directory(directory);
		g_test_skip("cpio is not installed");
		return;
	}
	bytes = archive_make(directory, "archive", guest, "line 1\nline 2\n", &length);
	g_assert_cmpmem(bytes, 6, "070701", 6);
	names = cpio(archive, list);
	g_assert_true(g_regex_match_simple("^-rwxr-xr-x +1 0 +0 +26 Jan +1 +1970 init\n"
	                                   "-rw-r--r-- +1 0 +0 +14 Jan +1 +1970 plan\n$",
	                                   names, 0, 0));
	plan = cpio(archive, extract);
	g_assert_cmpstr(plan, ==, "line 1\nline 2\n");
	remove_directory(directory);
}

static void test_faults(void)
{
	g_autofree char *guest = NULL;
	g_autofree char *directory = make_directory(&guest);
	g_autofree char *path = g_build_filename(directory, "none", "archive", NULL);
	g_autofree char *missing = g_build_filename(directory, "missing", NULL);
	g_autofree char *archive = g_build_filename(directory, "archive", NULL);
	g_autoptr(GError) error = NULL;

	g_assert_false(initramfs_write(path, guest, "", NULL, NULL, &error));
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	g_assert_nonnull(strstr(error->message, path));
	g_clear_error(&error);
	g_assert_false(initramfs_write(archive, missing, "", NULL, NULL, &error));
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	g_assert_nonnull(strstr(error->message, missing));
	remove_directory(directory);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/initramfs/same-bytes", test_same_bytes);
	g_test_add_func("/initramfs/cpio", test_read_by_cpio);
	g_test_add_func("/initramfs/faults", test_faults);
	return g_test_run();
}
