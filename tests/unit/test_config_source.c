/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <archive.h>
#include <archive_entry.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "base/gzip.h"
#include "base/paths.h"
#include "base/unpack.h"
#include "kernel/config_source.h"
#include "kernel/ikconfig.h"

static const char config[] = "CONFIG_X=y\n# CONFIG_Y is not set\n";

/* The compressors that a kernel may be packed with, as far as libarchive has them in itself. */
static const struct {
	const char *name;
	int (*filter)(struct archive *);
} packers[] = {
	{ "gzip", archive_write_add_filter_gzip }, { "bzip2", archive_write_add_filter_bzip2 },
	{ "xz", archive_write_add_filter_xz },     { "lzma", archive_write_add_filter_lzma },
	{ "lz4", archive_write_add_filter_lz4 },   { "zstd", archive_write_add_filter_zstd },
};

/* @data packed, by libarchive's writer. */
static GString *pack(int (*filter)(struct archive *), const char *data, gsize size)
{
	struct archive *writer = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	GString *packed = g_string_new(NULL);
	gsize room = size * 2 + (1 << 20), used = 0;

	g_string_set_size(packed, room);
	archive_write_set_format_raw(writer);
	g_assert_cmpint(filter(writer), ==, ARCHIVE_OK);
	archive_write_set_bytes_in_last_block(writer, 1);
	g_assert_cmpint(archive_write_open_memory(writer, packed->str, room, &used), ==, 0);
	archive_entry_set_filetype(entry, AE_IFREG);
	g_assert_cmpint(archive_write_header(writer, entry), ==, ARCHIVE_OK);
	g_assert_cmpint(archive_write_data(writer, data, size), ==, (la_ssize_t)size);
	g_assert_cmpint(archive_write_close(writer), ==, ARCHIVE_OK);
	archive_entry_free(entry);
	archive_write_free(writer);
	return g_string_set_size(packed, used);
}

static void append_noise(GString *text, guint size)
{
	for (guint i = 0; i < size; i++)
		g_string_append_c(text, (char)(i * 7919 >> 3));
}

/* A kernel's data: the configuration between its marks (kernel/configs.c), among other things, one
 * of which looks like a mark; the greater part of it is behind. */
static GString *make_kernel(void)
{
	g_autoptr(GBytes) packed = gzip_pack(config, strlen(config));
	GString *kernel = g_string_new("\177ELF data IKCFG_ST no gzip");

	append_noise(kernel, 20000);
	g_string_append(kernel, "IKCFG_ST");
	g_string_append_len(kernel, g_bytes_get_data(packed, NULL), g_bytes_get_size(packed));
	g_string_append(kernel, "IKCFG_ED more");
	append_noise(kernel, 300000);
	return kernel;
}

static void put_number(GString *image, gsize place, guint32 number)
{
	for (int i = 0; i < 4; i++)
		image->str[place + i] = (char)(number >> 8 * i);
}

/* A bzImage as Documentation/arch/x86/boot.rst has it: one setup sector beside the boot sector, and
 * the payload at an offset behind them. */
static GString *make_bzimage(const GString *payload)
{
	GString *image = g_string_new(NULL);
	const gsize offset = 300;

	g_string_set_size(image, 1024 + offset);
	memset(image->str, 0, image->len);
	image->str[0x1f1] = 1;
	memcpy(image->str + 0x202, "HdrS", 4);
	image->str[0x206] = 0x0f;
	image->str[0x207] = 2;
	put_number(image, 0x248, offset);
	put_number(image, 0x24c, (guint32)payload->len);
	g_string_append_len(image, payload->str, payload->len);
	return g_string_append(image, "certificates");
}

static void check_found(const GString *image)
{
	gsize length = 0;
	g_autofree char *found = ikconfig_find(image->str, image->len, &length);

	g_assert_true(ikconfig_is_image(image->str, image->len));
	g_assert_cmpmem(found, length, config, strlen(config));
}

static void test_bzimage(gconstpointer data)
{
	const typeof(packers[0]) *packer = data;
	g_autoptr(GString) kernel = make_kernel();
	g_autoptr(GString) payload = pack(packer->filter, kernel->str, kernel->len);
	g_autoptr(GString) image = NULL;

	/* As mkpiggy wants it: the size of what is inside behind it. */
	g_string_append_len(payload, "\1\2\3\4", 4);
	image = make_bzimage(payload);
	check_found(image);
}

/* An image of another kind, of which only the magic number tells where the kernel is. */
static void test_anywhere(gconstpointer data)
{
	const typeof(packers[0]) *packer = data;
	g_autoptr(GString) kernel = make_kernel();
	g_autoptr(GString) payload = NULL;
	g_autoptr(GString) image = g_string_new("MZ stub \x1f\x8b\x08 no gzip, BZh nor that ");

	payload = pack(packer->filter, kernel->str, kernel->len);
	g_string_append_len(image, payload->str, payload->len);
	g_string_append(image, "behind it");
	check_found(image);
}

/* The frame that `lz4 -l` writes and kernels have: its magic, then blocks, each behind its size.
 * This block is one sequence of literals alone (lz4_Block_format.md). */
static void test_lz4_legacy(void)
{
	g_autoptr(GString) kernel = make_kernel();
	g_autoptr(GString) block = g_string_new("\xf0");
	g_autoptr(GString) payload = g_string_new("\x02\x21\x4c\x18....");
	g_autoptr(GString) image = NULL;
	gsize rest = kernel->len - 15;

	for (; rest >= 255; rest -= 255)
		g_string_append_c(block, '\xff');
	g_string_append_c(block, (char)rest);
	g_string_append_len(block, kernel->str, kernel->len);
	put_number(payload, 4, (guint32)block->len);
	g_string_append_len(payload, block->str, block->len);
	image = make_bzimage(payload);
	check_found(image);
}

static void test_vmlinux(void)
{
	g_autoptr(GString) kernel = make_kernel();

	check_found(kernel);
}

/* Whatever is cut off or damaged: nothing is found, or the configuration. */
static void test_damaged(void)
{
	g_autoptr(GString) kernel = make_kernel();
	g_autoptr(GString) payload = pack(archive_write_add_filter_gzip, kernel->str, kernel->len);
	g_autoptr(GString) image = make_bzimage(payload);

	for (int round = 0; round < 60; round++) {
		gsize size = (gsize)g_test_rand_int_range(0, (gint32)image->len + 1), length = 0;
		g_autofree char *copy = g_memdup2(image->str, image->len);
		g_autofree char *found = NULL;

		for (int i = 0; i < round % 4; i++)
			copy[g_test_rand_int_range(0, (gint32)image->len)] =
				(char)g_test_rand_int_range(0, 256);
		found = ikconfig_find(copy, size, &length);
		if (found)
			g_assert_cmpuint(length, >, 0);
	}
}

static void test_none(void)
{
	static const char text[] = "\177ELF, and IKCFG_ST alone";
	gsize length = 0;

	g_assert_null(ikconfig_find(text, sizeof(text), &length));
	g_assert_null(ikconfig_find("", 0, &length));
}

struct place {
	char *dir; /* removed at the end */
};

static void set_up(struct place *place, gconstpointer data)
{
	place->dir = paths_make_temporary(NULL);
	g_assert_nonnull(place->dir);
}

static void tear_down(struct place *place, gconstpointer data)
{
	paths_remove_tree(place->dir);
	g_free(place->dir);
}

static char *write_file(const struct place *place, const char *name, const char *data, gsize size)
{
	char *path = g_build_filename(place->dir, name, NULL);
	g_autofree char *dir = g_path_get_dirname(path);

	g_assert_cmpint(g_mkdir_with_parents(dir, 0777), ==, 0);
	g_assert_true(g_file_set_contents(path, data, (gssize)size, NULL));
	return path;
}

static void check_opens(const char *path)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(config_source_t) source = config_source_open(path, "", &error);

	g_assert_no_error(error);
	g_assert_cmpmem(source->text, source->length, config, strlen(config));
	g_assert_cmpstr(source->name, ==, path);
	g_assert_false(source->running);
}

/* Packed under a name that does not tell. */
static void test_packed(struct place *place, gconstpointer data)
{
	for (gsize i = 0; i < G_N_ELEMENTS(packers); i++) {
		g_autoptr(GString) packed = pack(packers[i].filter, config, strlen(config));
		g_autoptr(GString) twice =
			pack(archive_write_add_filter_gzip, packed->str, packed->len);
		g_autofree char *once_path = write_file(place, "once", packed->str, packed->len);
		g_autofree char *twice_path = write_file(place, "twice", twice->str, twice->len);

		check_opens(once_path);
		check_opens(twice_path);
	}
}

static void test_plain(struct place *place, gconstpointer data)
{
	g_autofree char *path = write_file(place, "x.config", config, strlen(config));

	check_opens(path);
}

static void test_beside(struct place *place, gconstpointer data)
{
	g_autofree char *vmlinuz = write_file(place, "vmlinuz-6.1", "MZ, and nothing more", 20);
	g_autoptr(GError) error = NULL;
	g_autofree char *beside = NULL;
	g_autoptr(config_source_t) source = NULL;

	g_assert_null(config_source_open(vmlinuz, "", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "CONFIG_IKCONFIG"));
	g_clear_error(&error);
	beside = write_file(place, "config-6.1", config, strlen(config));
	source = config_source_open(vmlinuz, "", &error);
	g_assert_no_error(error);
	g_assert_cmpstr(source->name, ==, beside);
}

/* The first place that has one. */
static void test_running(struct place *place, gconstpointer data)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(config_source_t) source = NULL;
	g_autofree char *boot = NULL, *name = NULL, *proc = NULL;
	struct utsname system;
	g_autoptr(GString) packed =
		pack(archive_write_add_filter_gzip, "CONFIG_P=y\n", strlen("CONFIG_P=y\n"));

	g_assert_null(config_source_open(NULL, place->dir, &error));
	g_assert_true(error_is(error, KCOST_ERROR_MISSING));
	g_clear_error(&error);
	uname(&system);
	name = g_strdup_printf("boot/config-%s", system.release);
	boot = write_file(place, name, config, strlen(config));
	source = config_source_open(NULL, place->dir, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(source->name, ==, boot);
	g_assert_true(source->running);
	config_source_free(source);
	proc = write_file(place, "proc/config.gz", packed->str, packed->len);
	source = config_source_open(NULL, place->dir, &error);
	g_assert_no_error(error);
	g_assert_cmpstr(source->name, ==, proc);
	g_assert_cmpstr(source->text, ==, "CONFIG_P=y\n");
}

static void test_missing(void)
{
	g_autoptr(GError) error = NULL;

	g_assert_null(config_source_open("/nonexistent/.config", "", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
	g_assert_nonnull(strstr(error->message, "/nonexistent/.config"));
	g_clear_error(&error);
	g_assert_null(config_source_open("/", "", &error));
	g_assert_true(error_is(error, KCOST_ERROR_USAGE));
}

/* A bomb is not unpacked to its end. */
static void test_bomb(void)
{
	g_autofree char *zeros = g_malloc0(1 << 20);
	g_autoptr(GString) packed = pack(archive_write_add_filter_xz, zeros, 1 << 20);
	gsize length = 0;
	g_autofree char *all = unpack_stream(packed->str, packed->len, 1 << 20, &length);

	g_assert_nonnull(all);
	g_assert_cmpuint(length, ==, 1 << 20);
	g_assert_null(unpack_stream(packed->str, packed->len, (1 << 20) - 1, &length));
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(packers); i++) {
		g_autofree char *bzimage =
			g_strconcat("/config_source/bzimage/", packers[i].name, NULL);
		g_autofree char *anywhere =
			g_strconcat("/config_source/anywhere/", packers[i].name, NULL);

		g_test_add_data_func(bzimage, &packers[i], test_bzimage);
		/* libarchive's lzma and lz4 begin otherwise than those of a kernel's build. */
		if (strcmp(packers[i].name, "lz4") != 0 && strcmp(packers[i].name, "lzma") != 0)
			g_test_add_data_func(anywhere, &packers[i], test_anywhere);
	}
	g_test_add_func("/config_source/lz4-legacy", test_lz4_legacy);
	g_test_add_func("/config_source/vmlinux", test_vmlinux);
	g_test_add_func("/config_source/damaged", test_damaged);
	g_test_add_func("/config_source/none", test_none);
	g_test_add_func("/config_source/missing", test_missing);
	g_test_add_func("/config_source/bomb", test_bomb);
	g_test_add("/config_source/packed", struct place, NULL, set_up, test_packed, tear_down);
	g_test_add("/config_source/plain", struct place, NULL, set_up, test_plain, tear_down);
	g_test_add("/config_source/beside", struct place, NULL, set_up, test_beside, tear_down);
	g_test_add("/config_source/running", struct place, NULL, set_up, test_running, tear_down);
	return g_test_run();
}
