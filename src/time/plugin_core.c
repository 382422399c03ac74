/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/plugin_core.h"

#include <stdio.h>

/* Where Linux maps its image: physical address 0 (Documentation/arch/x86/x86_64/mm.rst). */
#define IMAGE 0xffffffff80000000

struct plugin_core {
	struct core core;
	GHashTable *blocks; /* of struct kept_block, by themselves */
	GPtrArray *all;     /* their core blocks */
	gboolean awake;     /* user space was reached */
	qemu_plugin_id_t id;
	qemu_plugin_vcpu_tb_trans_cb_t on_awake; /* for each block from then on */
	/* What is at the beginning of RAM, as QEMU has it. */
	uint64_t ram;
};

/* Code that was translated before, so that its count goes on. */
struct kept_block {
	uint64_t pc, physical;
	guint32 size, hash; /* bytes of code, and their hash */
	struct core_block *block;
};

/* QEMU hands a callback one pointer, which is needed for what the callback is about. */
static struct plugin_core plugin;

struct core *plugin_core(void)
{
	return &plugin.core;
}

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

static gboolean find_physical(qemu_plugin_meminfo_t info, uint64_t address, uint64_t *physical)
{
	if (core_translate(&plugin.core, address, physical))
		return TRUE;
	if (!qemu_physical(info, address, physical))
		return FALSE;
	core_learn(&plugin.core, address, *physical);
	return TRUE;
}

/* Apart, so that the usual case needs no registers to be kept. */
static __attribute__((noinline)) void access_anew(qemu_plugin_meminfo_t info, uint64_t address,
                                                  gboolean string)
{
	uint64_t physical;

	if (!find_physical(info, address, &physical))
		return;
	core_access(&plugin.core, address, physical,
	            string                           ? CORE_STRING
	            : qemu_plugin_mem_is_store(info) ? CORE_STORE
	                                             : CORE_LOAD);
}

static inline void access_memory(qemu_plugin_meminfo_t info, uint64_t address, gboolean string)
{
	if (!core_access_again(&plugin.core, address))
		access_anew(info, address, string);
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

/* Where an instruction's code lies in RAM. QEMU tells its own address of it; the first code that is
 * seen is the kernel's, which Linux maps at a fixed distance. */
static uint64_t code_physical(const struct qemu_plugin_insn *insn)
{
	return (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(insn) - plugin.ram;
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

struct core_block *plugin_core_rest(const struct qemu_plugin_tb *tb, size_t from)
{
	size_t count = qemu_plugin_tb_n_insns(tb);
	struct core_block *block =
		core_block_new(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from)));

	for (size_t i = from; i < count; i++) {
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

struct core_block *plugin_core_block(const struct qemu_plugin_tb *tb)
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
	wanted.block = plugin_core_rest(tb, 0);
	kept = g_memdup2(&wanted, sizeof(wanted));
	g_hash_table_add(plugin.blocks, kept);
	g_ptr_array_add(plugin.all, kept->block);
	return kept->block;
}

static void run(unsigned int cpu, void *block)
{
	(void)cpu;
	core_block(&plugin.core, block);
}

void plugin_core_follow(struct qemu_plugin_tb *tb, struct core_block *block)
{
	qemu_plugin_register_vcpu_tb_exec_cb(tb, run, QEMU_PLUGIN_CB_NO_REGS, block);
}

void plugin_core_watch(const struct qemu_plugin_tb *tb, const struct core_block *block)
{
	size_t count = qemu_plugin_tb_n_insns(tb);
	guint run = 0;

	for (size_t i = 0; i < count; i++)
		if (!is_amid(tb, i, &run))
			qemu_watch_memory(qemu_plugin_tb_get_insn(tb, i),
			                  block->repeated && i == count - 1 ? on_string : on_access,
			                  NULL);
}

void plugin_core_counts(struct time_counts *counts)
{
	*counts = plugin.core.counts;
	core_add_blocks((struct core_block *const *)plugin.all->pdata, plugin.all->len, counts);
}

/* Translates anew, with what is to be called now. */
static void on_awake(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, plugin.on_awake);
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

void plugin_core_start(qemu_plugin_id_t id, qemu_plugin_vcpu_tb_trans_cb_t early,
                       qemu_plugin_vcpu_tb_trans_cb_t awake)
{
	plugin.id = id;
	plugin.on_awake = awake;
	qemu_plugin_register_vcpu_tb_trans_cb(id, early);
}

void plugin_core_early(struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
	uint64_t pc = qemu_plugin_insn_vaddr(first);

	if (pc >= IMAGE && !plugin.ram)
		plugin.ram = (uint64_t)(uintptr_t)qemu_plugin_insn_haddr(first) - (pc - IMAGE);
	if (!(pc >> 63) && plugin.ram)
		qemu_plugin_register_vcpu_tb_exec_cb(tb, wake, QEMU_PLUGIN_CB_NO_REGS, NULL);
}

gboolean plugin_core_open(const char *path)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) error = NULL;
	g_autoptr(cpu_model_t) model = NULL;

	if (g_file_get_contents(path, &text, NULL, &error))
		model = cpu_model_parse(path, text, &error);
	if (!model) {
		g_autofree char *why = g_strdup_printf("kcost: cannot read the CPU model %s: %s\n",
		                                       path, error->message);

		fputs(why, stderr);
		return FALSE;
	}
	core_init(&plugin.core, &model->shape);
	plugin.blocks = g_hash_table_new(kept_hash, kept_equal);
	plugin.all = g_ptr_array_new();
	return TRUE;
}
