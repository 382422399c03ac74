/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The plugin that QEMU loads: finds in each translated block what the tracer must hear of, and
 * writes a tree at the end of each measured region. One processor only, so nothing is locked.
 * Arguments: symbols=FILE out=FILE [limit=NODES] [model=FILE]. With a core's file as the model the
 * tree has the events of src/time's model too. */
#include <errno.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "profile/plugin_decode.h"
#include "profile/plugin_memory.h"
#include "profile/plugin_modules.h"
#include "profile/plugin_output.h"
#include "profile/plugin_qemu.h"
#include "time/plugin_core.h"

/* Nodes. One with events takes some four times as much memory. */
enum { DEFAULT_LIMIT = 4000000, TIMED_LIMIT = 1500000 };

/* Of modules, at most. */
enum { MODULE_FUNCTIONS = 1 << 16 };

struct plugin {
	struct tracer tracer;
	struct symbol_table symbols;
	struct guest_memory memory;
	struct modules modules;
	uint32_t numbers;   /* of symbols, above all that can be used */
	GHashTable *blocks; /* pc -> struct block */
	FILE *out;
	uint64_t *flat_before; /* the flat counters when the region began */
	/* With a model. */
	struct events events;
	struct time_counts counts, counts_before; /* of the region; when it began */
	/* The memory access that is being looked at. */
	qemu_plugin_meminfo_t access;
	uint64_t access_address, access_value;
};

/* Where another symbol begins in the middle of a block. */
struct boundary {
	const struct block *block;      /* what begins there */
	const struct core_block *whole; /* the block that it is in */
	struct core_block *rest;        /* of that, from there on */
};

int qemu_plugin_version = KCOST_QEMU_PLUGIN_API;

/* QEMU hands a callback one pointer, which is needed for what the callback is about. */
static struct plugin plugin;

static const struct block user_block = { .symbol = SYMBOL_USER };

static bool is_kernel(uint64_t address)
{
	return address >> 63;
}

/* QEMU's offset of a place in RAM is that of its block, which is found by what must be there: the
 * return address that was just stored. */
static bool read_memory(void *data, uint64_t address, uint64_t distance, uint64_t *value)
{
	struct plugin *self = data;
	uint64_t physical, stored;
	bool same_page = (self->access_address ^ (self->access_address + distance)) < 4096;

	(void)address;
	if (!self->memory.base && !guest_memory_find(&self->memory))
		return false;
	return same_page && qemu_physical(self->access, self->access_address, &physical) &&
	       guest_memory_read(&self->memory, physical, &stored) &&
	       stored == self->access_value &&
	       guest_memory_read(&self->memory, physical + distance, value);
}

static void on_block(unsigned int cpu, void *data)
{
	(void)cpu;
	tracer_block(&plugin.tracer, data);
}

/* The same for the core model too, which has the block's symbol and what the tracer calls the
 * block. */
static void on_core_block(unsigned int cpu, void *data)
{
	struct core_block *block = data;

	(void)cpu;
	if (plugin.tracer.symbol != block->mark)
		tracer_arrive(&plugin.tracer, block->data);
	events_block(&plugin.events, block, plugin.tracer.node);
}

static void on_boundary(unsigned int cpu, void *data)
{
	const struct boundary *boundary = data;

	(void)cpu;
	tracer_block(&plugin.tracer, boundary->block);
	/* What the model has found not to be the block's is not the rest's either. */
	if (boundary->rest->next != boundary->whole->next)
		core_block_cut(boundary->rest);
	events_rest(&plugin.events, boundary->rest, plugin.tracer.node);
}

/* A callback of the instruction that ended a block may come again for accesses that QEMU makes
 * after it; only the first one after the instruction was begun counts. */
static bool disarm(void)
{
	if (!plugin.tracer.armed)
		return false;
	plugin.tracer.armed = 0;
	return true;
}

static void on_call(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	(void)cpu;
	if (!qemu_plugin_mem_is_store(info) || !disarm())
		return;
	plugin.access = info;
	plugin.access_address = address;
	plugin.access_value = (uint64_t)(uintptr_t)data;
	tracer_call(&plugin.tracer, address, plugin.access_value);
}

static void on_return(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	(void)cpu;
	(void)data;
	if (!qemu_plugin_mem_is_store(info) && disarm())
		tracer_return(&plugin.tracer, address);
}

static void on_iret(unsigned int cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	(void)cpu;
	(void)data;
	if (!qemu_plugin_mem_is_store(info) && disarm())
		tracer_iret(&plugin.tracer, address);
}

static void on_begin(unsigned int cpu, void *data)
{
	(void)cpu;
	(void)data;
	if (plugin.tracer.in_region)
		return;
	memcpy(plugin.flat_before, plugin.tracer.flat,
	       plugin.numbers * sizeof(*plugin.flat_before));
	tracer_region_begin(&plugin.tracer);
	if (!plugin.events.core)
		return;
	plugin_core_counts(&plugin.counts_before);
	events_region_begin(&plugin.events);
}

static void end_events(void)
{
	events_region_end(&plugin.events);
	plugin_core_counts(&plugin.counts);
	time_counts_subtract(&plugin.counts, &plugin.counts_before);
}

static void on_end(unsigned int cpu, void *data)
{
	const struct output_region region = {
		.tracer = &plugin.tracer,
		.flat_before = plugin.flat_before,
		.symbols = plugin.numbers,
		.events = plugin.events.core ? &plugin.events : NULL,
		.counts = &plugin.counts,
	};

	(void)cpu;
	(void)data;
	if (!plugin.tracer.in_region)
		return;
	tracer_region_end(&plugin.tracer);
	if (plugin.events.core)
		end_events();
	if (!output_region(plugin.out, &region))
		qemu_plugin_outs("kcost: the call tree cannot be written\n");
}

/* The symbol that @pc is in; all zero but for the number if none. */
static struct symbol_place find_place(uint64_t pc)
{
	const struct symbol_place *place = symbol_table_find(&plugin.symbols, pc);
	const struct module_function *function = NULL;

	if (pc >= SYMBOL_MODULES && (plugin.memory.base || guest_memory_find(&plugin.memory)))
		function = modules_find(&plugin.modules, pc);

	if (function)
		return (struct symbol_place){ function->address, function->number, 0 };
	return place ? *place : (struct symbol_place){ .number = SYMBOL_UNKNOWN };
}

/* Blocks stay, for callbacks have them. Where modules are there may be another's code later. */
static const struct block *find_block(uint64_t pc)
{
	struct symbol_place place;
	struct block *block;

	if (!is_kernel(pc))
		return &user_block;
	block = g_hash_table_lookup(plugin.blocks, &pc);
	if (block && pc < SYMBOL_MODULES)
		return block;
	place = find_place(pc);
	if (block && block->symbol == place.number && block->start == (place.address == pc))
		return block;
	block = g_new(struct block, 1);
	*block = (struct block){ pc, place.number, place.flags, place.address == pc };
	g_hash_table_replace(plugin.blocks, &block->pc, block);
	return block;
}

/* Another symbol than @last that instruction @i begins in, though the block goes on; or NULL. */
static const struct block *find_boundary(const struct qemu_plugin_insn *insn,
                                         const struct block *last)
{
	struct symbol_place place;
	uint64_t pc = qemu_plugin_insn_vaddr(insn);

	if (!is_kernel(pc))
		return NULL;
	place = find_place(pc);
	if (!place.address || (place.address != pc && place.number == last->symbol))
		return NULL;
	return find_block(pc);
}

static void watch_boundary(struct qemu_plugin_tb *tb, size_t i, const struct block *block,
                           const struct core_block *whole)
{
	struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
	struct boundary *boundary;

	if (!whole) {
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_block, QEMU_PLUGIN_CB_NO_REGS,
		                                       (void *)(uintptr_t)block);
		return;
	}
	boundary = g_new(struct boundary, 1);
	*boundary = (struct boundary){ block, whole, plugin_core_rest(tb, i) };
	qemu_plugin_register_vcpu_insn_exec_cb(insn, on_boundary, QEMU_PLUGIN_CB_NO_REGS, boundary);
}

static void watch_access(struct qemu_plugin_insn *insn, qemu_plugin_vcpu_mem_cb_t call,
                         uint64_t value)
{
	qemu_count(insn, &plugin.tracer.armed);
	qemu_watch_memory(insn, call, (void *)(uintptr_t)value);
}

static void watch_kernel(struct qemu_plugin_insn *insn, enum insn_kind kind)
{
	uint64_t next = qemu_plugin_insn_vaddr(insn) + qemu_plugin_insn_size(insn);

	if (kind == INSN_CALL)
		watch_access(insn, on_call, next);
	else if (kind == INSN_RET)
		watch_access(insn, on_return, 0);
	else if (kind == INSN_IRET)
		watch_access(insn, on_iret, 0);
	else if (kind == INSN_HALT)
		qemu_count(insn, &plugin.tracer.halts);
}

static void watch_instruction(struct qemu_plugin_insn *insn, uint32_t symbol)
{
	uint8_t bytes[QEMU_INSN_MOST];
	enum insn_kind kind = insn_decode(bytes, qemu_bytes(insn, bytes));

	if (is_kernel(qemu_plugin_insn_vaddr(insn)))
		watch_kernel(insn, kind);
	else if (kind == INSN_BEGIN || kind == INSN_END)
		qemu_plugin_register_vcpu_insn_exec_cb(insn, kind == INSN_BEGIN ? on_begin : on_end,
		                                       QEMU_PLUGIN_CB_NO_REGS, NULL);
	qemu_count(insn, &plugin.tracer.executed);
	qemu_count(insn, &plugin.tracer.flat[symbol]);
}

/* @core: what the model has of the block, or NULL. */
static void watch_block(struct qemu_plugin_tb *tb, struct core_block *core)
{
	size_t count = qemu_plugin_tb_n_insns(tb);
	const struct block *block =
		find_block(qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0)));

	if (core) {
		core->mark = block->symbol;
		core->data = block;
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_core_block, QEMU_PLUGIN_CB_NO_REGS,
		                                     core);
	} else {
		qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS,
		                                     (void *)(uintptr_t)block);
	}
	for (size_t i = 0; i < count; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		const struct block *next = i ? find_boundary(insn, block) : NULL;

		if (next) {
			block = next;
			watch_boundary(tb, i, block, core);
		}
		watch_instruction(insn, block->symbol);
	}
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	watch_block(tb, NULL);
}

static void on_timed_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	struct core_block *core = plugin_core_block(tb);

	(void)id;
	watch_block(tb, core);
	plugin_core_watch(tb, core);
}

static void on_early_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	on_translation(id, tb);
	plugin_core_early(tb);
}

static void fail(const char *what, const char *file)
{
	g_autofree char *text =
		g_strdup_printf("kcost: %s %s: %s\n", what, file, g_strerror(errno));

	fputs(text, stderr);
}

static void tell_function(uint32_t number, const char *name, const char *module)
{
	(void)number; /* they follow each other */
	output_function(plugin.out, name, module);
}

struct arguments {
	const char *symbols, *out, *model;
	uint32_t limit;
};

static const char *value_of(const char *argument, const char *name)
{
	size_t length = strlen(name);

	return !strncmp(argument, name, length) && argument[length] == '=' ? argument + length + 1
	                                                                   : NULL;
}

static struct arguments read_arguments(int argc, char **argv)
{
	struct arguments arguments = { .symbols = "", .out = "" };

	for (int i = 0; i < argc; i++) {
		const char *value;

		if ((value = value_of(argv[i], "symbols")))
			arguments.symbols = value;
		else if ((value = value_of(argv[i], "out")))
			arguments.out = value;
		else if ((value = value_of(argv[i], "limit")))
			arguments.limit = (uint32_t)strtoul(value, NULL, 10);
		else if ((value = value_of(argv[i], "model")))
			arguments.model = value;
	}
	if (!arguments.limit)
		arguments.limit = arguments.model ? TIMED_LIMIT : DEFAULT_LIMIT;
	return arguments;
}

static void begin(const struct arguments *arguments)
{
	tracer_init(&plugin.tracer, arguments->limit);
	plugin.tracer.read = read_memory;
	plugin.tracer.read_data = &plugin;
	plugin.blocks = g_hash_table_new(g_int64_hash, g_int64_equal);
	plugin.numbers = plugin.symbols.numbers + MODULE_FUNCTIONS;
	modules_init(&plugin.modules, &plugin.memory, plugin.symbols.roots, plugin.symbols.numbers,
	             plugin.numbers);
	plugin.modules.tell = tell_function;
	plugin.tracer.flat = g_new0(uint64_t, plugin.numbers);
	plugin.flat_before = g_new0(uint64_t, plugin.numbers);
	if (arguments->model)
		events_init(&plugin.events, plugin_core(), plugin.tracer.node);
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	struct arguments arguments = read_arguments(argc, argv);

	if (strcmp(info->target_name, "x86_64") != 0 || !info->system_emulation ||
	    info->system.smp_vcpus != 1) {
		fputs("kcost: the call tree is of one x86_64 processor\n", stderr);
		return -1;
	}
	if (!symbol_table_read(&plugin.symbols, arguments.symbols)) {
		fail("cannot read the symbols", arguments.symbols);
		return -1;
	}
	if (arguments.model && !plugin_core_open(arguments.model))
		return -1;
	plugin.out = fopen(arguments.out, "we");
	if (!plugin.out || fputs(TREE_FILE_HEADER, plugin.out) < 0 || fflush(plugin.out)) {
		fail("cannot write", arguments.out);
		return -1;
	}
	begin(&arguments);
	if (arguments.model)
		plugin_core_start(id, on_early_translation, on_timed_translation);
	else
		qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	return 0;
}
