/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The plugin that QEMU loads to estimate time: tells the core model of every block and access, and
 * writes what it counted at the end of each measured region. One processor only, so nothing is
 * locked. Arguments: model=FILE out=FILE.
 *
 * Until the first instruction of user space nothing is looked at but blocks as they begin: the
 * kernel's boot takes as long as without the plugin. Then all code is translated anew, so that
 * the caches are warm and the predictors taught by the time the first region begins. */
#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "profile/plugin_decode.h"
#include "profile/plugin_qemu.h"
#include "time/cpu.h"
#include "time/time_file.h"

/* Where Linux maps its image: physical address 0 (Documentation/arch/x86/x86_64/mm.rst). */
#define IMAGE 0xffffffff80000000

struct plugin {
	qemu_plugin_id_t id;
	struct core core;
	GHashTable *blocks; /* of struct kept_block, by themselves */
	GPtrArray *all;     /* their core blocks */
	FILE *out;
	struct time_counts before; /* when the region began */
	gboolean awake;            /* user space was reached */
	gboolean in_region;
	/* What is at the beginning of RAM, as QEMU has it. */
	uint64_t ram;
};

/* Code that was translated before, so that its count goes on. */
struct kept_block {
	uint64_t pc, physical;
	guint32 size, hash; /* bytes of code, and their hash */
	struct core_block *block;
};

int qemu_plugin_version = KCOST_QEMU_PLUGIN_API;

/* QEMU hands a callback one pointer, which is needed for what the callback is about. */
static struct plugin plugin;

static guint kept_hash(gconstpointer data)
{
	const struct kept_block *kept = data;

	return (guint)(kept->pc * 31 + kept->physical) ^ kept->hash;
}

static gboolean kept_equal(gconstpointer a, gconstpointer b)
{
	const struct kept_block *one = a, *other = b;

	return one->pc == other->pc && one->physical == other->physical &&
	       one->size == other->size && one->hash == other->hash;
}

static void on_block(unsigned int cpu, void *data)
{
	(void)cpu;
	core_block(&plugin.core, data);
}

static gboolean find_physical(qemu_plugin_meminfo_t info, uint64_t address, uint64_t *physical)
{
	if (core_translate(&plugin.core, address, physical))
		return TRUE;
	if (!qemu_physical(info, address, physical))
		return FALSE;
	core_learn(&plugin.core, address, *physical);
	return TRUE;
}

static inline void access_memory(qemu_plugin_meminfo_t info, uint64_t address, gboolean string)
{
	uint64_t physical;

	if (core_is_recent(&plugin.core, address) || !find_physical(info, address, &physical))
		return;
	core_access(&plugin.core, address, physical,
	            string                           ? CORE_STRING
	            : qemu_plugin_mem_is_store(info) ? CORE_STORE
	                                             : CORE_LOAD);
}

static void on_access(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	(void)cpu;
	(void)data;
	access_memory(info, address, FALSE);
}

static void on_string(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	(void)cpu;
	(void)data;
	access_memory(info, address, TRUE);
}

static void take_counts(struct time_counts *counts)
{
	*counts = plugin.core.counts;
	core_add_blocks((struct core_block *const *)plugin.all->pdata, plugin.all->len, counts);
}

static void on_begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (!plugin.in_region)
		take_counts(&plugin.before);
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
	take_counts(&counts);
	for (int i = 0; i < TIME_COUNTERS; i++)
		counts.n[i] -= plugin.before.n[i];
	if (!time_file_region(plugin.out, &counts))
		qemu_plugin_outs("kcost: the core model's counts cannot be written\n");
}

/* Where an instruction's code lies in RAM. QEMU tells its own address of it; the first code that is
 * seen is the kernel's, which Linux maps at a fixed distance. */
static uint64_t code_physical(const struct qemu_plugin_insn *insn)
{
	return (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn) - plugin.ram;
}

static void watch_instruction(struct qemu_plugin_insn *insn, gboolean string, gboolean access)
{
	uint8_t bytes[QEMU_INSN_MOST];
	enum insn_kind kind = insn_decode(bytes, qemu_bytes(insn, bytes));

	if (kind == INSN_BEGIN || kind == INSN_END)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, kind == INSN_BEGIN ? on_begin : on_end,
		                                       QEMU_PLUGIN_CB_NO_REGS, NULL);
	if (access)
		qemu_watch_memory(insn, string ? on_string : on_access, NULL);
}

/* What pushes or pops a register: bits 3 to 7 of its opcode; else 0. */
static uint8_t stack_opcode(const struct qemu_plugin_insn *insn)
{
	uint8_t code[QEMU_INSN_MOST];
	const uint8_t *bytes = code;
	size_t size = qemu_bytes(insn, code);

	if (size == 2 && bytes[0] == 0x41)
		bytes++;
	else if (size != 1)
		return 0;
	return (*bytes & 0xf0) == 0x50 ? *bytes & 0xf8 : 0;
}

/* Of eight words pushed or popped one after another the first and the last lie in all lines that
 * the others do. @run: how many such instructions went before this one. */
static gboolean is_amid(const struct qemu_plugin_tb *tb, size_t i, guint *run)
{
	uint8_t this = stack_opcode(qemu_plugin_tb_get_insn(tb, i));
	gboolean more = this && i + 1 < qemu_plugin_tb_n_insns(tb) &&
	                stack_opcode(qemu_plugin_tb_get_insn(tb, i + 1)) == this;

	if (!this || !more || *run == 7)
		*run = 0;
	else
		++*run;
	return *run > 1;
}

static struct core_block *make_block(const struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb);
	struct core_block *block =
		core_block_new(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)));

	for (size_t i = 0; i < count; i++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint8_t bytes[QEMU_INSN_MOST];
		uint32_t size = (uint32_t)qemu_bytes(insn, bytes);

		core_block_add(block, plugin.core.line_shift, qemu_plugin_insn_vaddr(insn),
		               code_physical(insn), bytes, size);
	}
	return block;
}

/* FNV-1a over the code. */
static void hash_code(const struct qemu_plugin_tb *tb, struct kept_block *kept)
{
	guint32 hash = 2166136261u;

	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint8_t bytes[QEMU_INSN_MOST];
		size_t size = qemu_bytes(insn, bytes);

		kept->size += (guint32)size;
		for (size_t b = 0; b < size; b++)
			hash = (hash ^ bytes[b]) * 16777619u;
	}
	kept->hash = hash;
}

static struct core_block *find_block(const struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	struct kept_block wanted = {
		.pc = qemu_plugin_insn_vaddr(first),
		.physical = code_physical(first),
	};
	struct kept_block *kept;

	hash_code(tb, &wanted);
	kept = g_hash_table_lookup(plugin.blocks, &wanted);
	if (kept)
		return kept->block;
	wanted.block = make_block(tb);
	kept = g_memdup2(&wanted, sizeof(wanted));
	g_hash_table_add(plugin.blocks, kept);
	g_ptr_array_add(plugin.all, kept->block);
	return kept->block;
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t count = qemu_plugin_tb_n_insns(tb);
	struct core_block *block = find_block(tb);
	guint run = 0;

	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, block);
	for (size_t i = 0; i < count; i++)
		watch_instruction(qemu_plugin_tb_get_insn(tb, i), block->repeated && i == count - 1,
		                  !is_amid(tb, i, &run));
}

static void on_awake(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
}

static void wake(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (plugin.awake)
		return;
	plugin.awake = TRUE;
	qemu_plugin_reset(plugin.id, on_awake);
}

/* Before user space. */
static void on_early_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	uint64_t pc = qemu_plugin_insn_vaddr(first);

	(void)id;
	if (pc >= IMAGE && !plugin.ram)
		plugin.ram = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(first) - (pc - IMAGE);
	if (!(pc >> 63) && plugin.ram)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, wake, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

static void fail(const char *what, const char *file, const char *why)
{
	g_autofree char *text = g_strdup_printf("kcost: %s %s: %s\n", what, file, why);

	fputs(text, stderr);
}

static const char *argument(int argc, char **argv, const char *name)
{
	g_autofree char *prefix = g_strconcat(name, "=", NULL);

	for (int i = 0; i < argc; i++)
		if (g_str_has_prefix(argv[i], prefix))
			return argv[i] + strlen(prefix);
	return "";
}

static gboolean read_model(const char *path)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(cpu_model_t) model = NULL;

	if (g_file_get_contents(path, &text, NULL, &error))
		model = cpu_model_parse(path, text, &error);
	if (!model) {
		fail("cannot read the CPU model", path, error->message);
		return FALSE;
	}
	core_init(&plugin.core, &model->shape);
	return TRUE;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	const char *out = argument(argc, argv, "out");

	if (strcmp(info->target_name, "x86_64") != 0 || !info->system_emulation ||
	    info->system.smp_vcpus != 1) {
		fputs("kcost: the core model is of one x86_64 processor\n", stderr);
		return -1;
	}
	if (!read_model(argument(argc, argv, "model")))
		return -1;
	plugin.out = fopen(out, "we");
	if (!plugin.out || !time_file_begin(plugin.out)) {
		fail("cannot write", out, g_strerror(errno));
		return -1;
	}
	plugin.id = id;
	plugin.blocks = g_hash_table_new(kept_hash, kept_equal);
	plugin.all = g_ptr_array_new();
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_early_translation);
	return 0;
}
