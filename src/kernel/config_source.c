/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/config_source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/error.h"
#include "base/unpack.h"
#include "kernel/debian_image.h"
#include "kernel/ikconfig.h"

enum {
	FILE_MOST = 1 << 30,     /* bytes: a vmlinux with its debugging information */
	STREAM_MOST = 128 << 20, /* of what is no file, and may have no end */
	CONFIG_MOST = 32 << 20,  /* of a .config */
	PACKED_MOST = 512 << 20, /* of what is packed */
	BLOCK = 256 * 1024,
	MOST_LAYERS = 3, /* a .config.gz in a .xz, and so on */
};

void config_source_free(config_source_t *source)
{
	if (!source)
		return;
	g_free(source->name);
	g_free(source->text);
	g_free(source);
}

static config_source_t *source_new(const char *name, char *text, gsize length)
{
	config_source_t *source = g_new0(config_source_t, 1);

	source->name = g_strdup(name);
	source->text = text;
	source->length = length;
	return source;
}

/* Reads to the end of a file, a pipe or something endless. NULL with errno; EFBIG: too much. */
static GString *read_all(int fd)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *block = g_malloc(BLOCK);
	struct stat status;
	const gsize most = !fstat(fd, &status) && S_ISREG(status.st_mode) ? FILE_MOST : STREAM_MOST;
	ssize_t count;

	while ((count = read(fd, block, BLOCK)) != 0) {
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return NULL;
		g_string_append_len(text, block, count);
		if (text->len > most) {
			errno = EFBIG;
			return NULL;
		}
	}
	return g_steal_pointer(&text);
}

static GString *read_file(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	GString *text = fd < 0 ? NULL : read_all(fd);
	int saved = errno;

	if (fd >= 0)
		close(fd);
	if (!text)
		error_set(error, KCOST_ERROR_USAGE,
		          "cannot read the config %s: %s; name a kernel's .config, its vmlinuz or "
		          "a Debian linux-image package, or - for standard input",
		          path, g_strerror(saved));
	return text;
}

static gboolean is_archive(const GString *data)
{
	return data->len >= 8 && !memcmp(data->str, "!<arch>\n", 8);
}

/* What is not packed (any more): text, or a kernel to look into. */
static config_source_t *from_plain(const char *name, char *data, gsize size, GError **error)
{
	gsize length = 0;
	char *text;

	if (!ikconfig_is_image(data, size)) {
		/* Whether it is a configuration is for the reader of configurations to say. */
		if (size <= CONFIG_MOST)
			return source_new(name, g_steal_pointer(&data), size);
		g_free(data);
		error_set(error, KCOST_ERROR_USAGE,
		          "the config %s is larger than 32 MiB, so it is none; name a kernel's "
		          ".config",
		          name);
		return NULL;
	}
	text = ikconfig_find(data, size, &length);
	g_free(data);
	if (text)
		return source_new(name, text, length);
	error_set(error, KCOST_ERROR_USAGE,
	          "the kernel %s carries no configuration: it was built without CONFIG_IKCONFIG, "
	          "or is packed in a way that kcost does not know; name its .config instead, as "
	          "/boot/config-VERSION",
	          name);
	return NULL;
}

static config_source_t *from_data(const char *name, GString *data, GError **error)
{
	gsize size = data->len;
	char *plain = g_string_free(data, FALSE);

	for (int i = 0; i < MOST_LAYERS; i++) {
		gsize inside = 0;
		char *unpacked = unpack_stream(plain, size, PACKED_MOST, &inside);

		if (!unpacked)
			break;
		g_free(plain);
		plain = unpacked;
		size = inside;
	}
	return from_plain(name, plain, size, error);
}

char *config_source_beside(const char *path)
{
	g_autofree char *dir = g_path_get_dirname(path);
	g_autofree char *name = g_path_get_basename(path);
	g_autofree char *config = NULL;

	if (!g_str_has_prefix(name, "vmlinuz"))
		return NULL;
	config = g_strdup_printf("%s/config%s", dir, name + strlen("vmlinuz"));
	return g_file_test(config, G_FILE_TEST_IS_REGULAR) ? g_steal_pointer(&config) : NULL;
}

static config_source_t *from_file(const char *path, GError **error);

static config_source_t *from_package(const char *path, GError **error)
{
	g_autofree char *vmlinuz = debian_image_unpack(path, error);
	g_autofree char *beside = vmlinuz ? config_source_beside(vmlinuz) : NULL;
	config_source_t *source = NULL;

	if (vmlinuz)
		source = from_file(beside ? beside : vmlinuz, error);
	if (!source)
		return NULL;
	g_free(source->name);
	source->name = g_strdup(path);
	return source;
}

static config_source_t *from_file(const char *path, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autofree char *beside = NULL;
	GString *data = read_file(path, error);
	config_source_t *source;

	if (!data)
		return NULL;
	if (is_archive(data)) {
		g_string_free(data, TRUE);
		return from_package(path, error);
	}
	source = from_data(path, data, &cause);
	beside = source ? NULL : config_source_beside(path);
	if (beside)
		return from_file(beside, error);
	if (!source)
		g_propagate_error(error, g_steal_pointer(&cause));
	return source;
}

static config_source_t *from_input(GError **error)
{
	GString *data = read_all(STDIN_FILENO);

	if (data)
		return from_data("standard input", data, error);
	error_set(error, KCOST_ERROR_USAGE, "cannot read a config from standard input: %s",
	          g_strerror(errno));
	return NULL;
}

static config_source_t *from_running(const char *root, GError **error)
{
	static const char *const places[] = {
		"/proc/config.gz",           "/boot/config-%s",
		"/lib/modules/%s/config",    "/lib/modules/%s/build/.config",
		"/usr/lib/kernel/config-%s", "/lib/modules/%s/vmlinuz",
		"/boot/vmlinuz-%s",
	};
	struct utsname system;

	uname(&system);
	for (gsize i = 0; i < G_N_ELEMENTS(places); i++) {
		g_auto(GStrv) parts = g_strsplit(places[i], "%s", 2);
		g_autofree char *place = g_strjoinv(system.release, parts);
		g_autofree char *path = g_strconcat(root, place, NULL);
		config_source_t *source =
			g_file_test(path, G_FILE_TEST_EXISTS) ? from_file(path, NULL) : NULL;

		if (!source)
			continue;
		source->running = TRUE;
		return source;
	}
	error_set(error, KCOST_ERROR_MISSING,
	          "the running kernel's configuration is neither in /proc/config.gz nor in "
	          "/boot/config-%s or /lib/modules/%s; name a file",
	          system.release, system.release);
	return NULL;
}

config_source_t *config_source_open(const char *where, const char *root, GError **error)
{
	if (!where)
		return from_running(root, error);
	return strcmp(where, "-") ? from_file(where, error) : from_input(error);
}
