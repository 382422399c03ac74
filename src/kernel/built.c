/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel/built.h"

#include <glib/gstdio.h>
#include <string.h>

#include "base/paths.h"
#include "kernel/config_file.h"
#include "kernel/sections.h"

void kernel_free(kernel_t *kernel)
{
	if (!kernel)
		return;
	g_free(kernel->dir);
	g_free(kernel->vmlinux);
	g_free(kernel->module);
	g_free(kernel->bzimage);
	g_free(kernel->image_sha256);
	g_free(kernel->config_sha256);
	g_free(kernel->compiler);
	g_free(kernel);
}

kernel_t *kernel_load(const char *dir, const struct build_request *request, GError **error)
{
	g_autoptr(kernel_t) kernel = g_new0(kernel_t, 1);
	g_autofree char *vmlinux = g_build_filename(dir, "vmlinux", NULL);
	const char *text = request->config_text;
	g_autoptr(config_file_t) config = NULL;
	struct section_sizes sizes;
	const char *compiler;
	GStatBuf status;

	kernel->dir = g_strdup(dir);
	kernel->bzimage = g_build_filename(dir, "bzImage", NULL);
	if (request->module)
		kernel->module = g_build_filename(dir, KEPT_MODULE, NULL);
	kernel->image_sha256 = paths_sha256(kernel->bzimage, error);
	if (!kernel->image_sha256 || !section_sizes_read(vmlinux, &sizes, error))
		return NULL;
	config = config_file_parse(text, strlen(text), request->label, error);
	if (!config)
		return NULL;
	compiler = config_file_get(config, "CC_VERSION_TEXT");
	kernel->compiler = g_strdup(compiler ? compiler : "unknown");
	g_strdelimit(kernel->compiler, "\"", ' ');
	g_strstrip(kernel->compiler);
	kernel->config_sha256 = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1);
	kernel->text = sizes.text;
	kernel->data = sizes.data;
	kernel->bss = sizes.bss;
	kernel->bzimage_size = g_stat(kernel->bzimage, &status) ? 0 : status.st_size;
	return g_steal_pointer(&kernel);
}
