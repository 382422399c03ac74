/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The plugin that QEMU loads to estimate time: tells the core model of every block and access, and
 * writes what it counted at the end of each measured region. One processor only, so nothing is
 * locked. Arguments: model=FILE out=FILE. */
#include <errno.h>
#include <glib.h>
#include <string.h>

#include "profile/plugin_decode.h"
#include "time/plugin_core.h"
#include "time/time_file.h"

struct plugin {
	FILE *out;
	struct time_counts before; /* when the region began */
	gboolean in_region;
};

int qemu_plugin_version = KCOST_QEMU_PLUGIN_API;

/* QEMU hands a callback one pointer, which is needed for what the callback is about. */
static struct plugin plugin;

static void on_begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (!plugin.in_region)
		plugin_core_counts(&plugin.before);
	plugin.in_region = TRUE;
}

static void on_end(unsigned int cpu, void *data)
{
	struct time_counts counts;

	(void)cpu;
	(void)data;
	if (!plugin.in_region)
		return;
	plugin.in_region = FALSE;
	plugin_core_counts(&counts);
	time_counts_subtract(&counts, &plugin.before);
	if (!time_file_region(plugin.out, &counts))
		qemu_plugin_outs("kcost: the core model's counts cannot be written\n");
}

static void watch_instruction(struct qemu_plugin_insn *insn)
{
	uint8_t bytes[QEMU_INSN_MOST];
	enum insn_kind kind = insn_decode(bytes, qemu_bytes(insn, bytes));

	if (kind == INSN_BEGIN || kind == INSN_END)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, kind == INSN_BEGIN ? on_begin : on_end,
		                                       QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	struct core_block *block = plugin_core_block(tb);

	(void)id;
	plugin_core_follow(tb, block);
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++)
		watch_instruction(qemu_plugin_tb_get_insn(tb, i));
	plugin_core_watch(tb, block);
}

static void on_early_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	plugin_core_early(tb);
}

static const char *argument(int argc, char **argv, const char *name)
{
	g_autofree char *prefix = g_strconcat(name, "=", NULL);

	for (int i = 0; i < argc; i++)
		if (g_str_has_prefix(argv[i], prefix))
			return argv[i] + strlen(prefix);
	return "";
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	const char *out = argument(argc, argv, "out");

	if (strcmp(info->target_name, "x86_64") != 0 || !info->system_emulation ||
	    info->system.smp_vcpus != 1) {
		fputs("kcost: the core model is of one x86_64 processor\n", stderr);
		return -1;
	}
	if (!plugin_core_open(argument(argc, argv, "model")))
		return -1;
	plugin.out = fopen(out, "we");
	if (!plugin.out || !time_file_begin(plugin.out)) {
		g_autofree char *text =
			g_strdup_printf("kcost: cannot write %s: %s\n", out, g_strerror(errno));

		fputs(text, stderr);
		return -1;
	}
	plugin_core_start(id, on_early_translation, on_translation);
	return 0;
}
