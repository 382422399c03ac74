/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef KCOST_TESTS_TRACER_FIXTURE_H
#define KCOST_TESTS_TRACER_FIXTURE_H

#include <glib.h>
#include <string.h>

#include "profile/plugin_tracer.h"

/* The tracer, driven by hand through what a processor may do. Each function is a symbol that begins
 * at 0x1000 times its number above KERNEL; what must come out follows from counting the steps. */
#define KERNEL 0xffffffff81000000u
#define STACK_A 0xffff888000104000u /* tops of two kernel stacks */
#define STACK_B 0xffff888000208000u

enum function {
	SYSCALL = SYMBOL_FIRST,
	F,
	G,
	H,
	FAULT,
	TICK,
	STUB,
	THREAD,
	THUNK,
	MODULE,
	FUNCTIONS,
};

struct machine {
	struct tracer tracer;
	guint64 error_code;
	gboolean readable;
	guint32 symbol;          /* that is being run */
	guint64 flat[FUNCTIONS]; /* instructions of each symbol, counted without the tree */
};

static inline guint32 flags_of(guint32 symbol)
{
	switch (symbol) {
	case SYSCALL:
		return SYMBOL_SYNCHRONOUS;
	case FAULT:
		return SYMBOL_SYNCHRONOUS | SYMBOL_PAGE_FAULT;
	case TICK:
		return SYMBOL_INTERRUPT;
	case STUB:
		return SYMBOL_INTERRUPT | SYMBOL_STUB;
	case THREAD:
		return SYMBOL_THREAD;
	case MODULE:
		return SYMBOL_ANYWHERE;
	default:
		return 0;
	}
}

static inline bool read_error_code(void *data, uint64_t address, uint64_t distance, uint64_t *value)
{
	struct machine *machine = data;

	(void)address;
	g_assert_cmpuint(distance, ==, 8);
	*value = machine->error_code;
	return machine->readable;
}

static inline void begin(struct machine *machine)
{
	memset(machine->flat, 0, sizeof(machine->flat));
	tracer_region_begin(&machine->tracer);
}

static inline void machine_init(struct machine *machine, guint32 limit)
{
	*machine = (struct machine){ .readable = TRUE };
	tracer_init(&machine->tracer, limit);
	machine->tracer.read = read_error_code;
	machine->tracer.read_data = machine;
	machine->tracer.flat = machine->flat;
	begin(machine);
}

static inline guint64 pc_of(guint32 symbol, guint64 offset)
{
	return KERNEL + symbol * 0x1000u + offset;
}

/* As QEMU counts. */
static inline void execute(struct machine *machine, guint32 symbol, guint count)
{
	machine->tracer.executed += count;
	machine->symbol = symbol;
	machine->flat[symbol] += count;
}

/* A run of @count instructions that begins @offset bytes into @symbol. */
static inline void run(struct machine *machine, guint32 symbol, guint64 offset, guint count)
{
	struct block block = {
		.pc = symbol == SYMBOL_USER ? 0x401000 : pc_of(symbol, offset),
		.symbol = symbol,
		.flags = flags_of(symbol),
		.start = symbol != SYMBOL_USER && offset == 0,
	};

	tracer_block(&machine->tracer, &block);
	execute(machine, symbol, count);
}

/* The call that ends @symbol's run, to return to @offset in it. */
static inline void call(struct machine *machine, guint64 sp, guint32 symbol, guint64 offset)
{
	execute(machine, symbol, 1);
	tracer_call(&machine->tracer, sp, pc_of(symbol, offset));
}

static inline void ret(struct machine *machine, guint64 sp)
{
	execute(machine, machine->symbol, 1);
	tracer_return(&machine->tracer, sp);
}

static inline void iret(struct machine *machine, guint64 sp)
{
	execute(machine, machine->symbol, 1);
	tracer_iret(&machine->tracer, sp);
}

#endif
