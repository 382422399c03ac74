/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <glib.h>
#include <string.h>

#include "tracer_fixture.h"

/* The node that is reached from the root through @path, ended by 0. */
static const struct tree_node *node_at(const struct machine *machine, const guint32 *path)
{
	const struct tree *tree = &machine->tracer.tree;
	guint32 at = TREE_ROOT;

	for (; *path; path++) {
		guint32 child = 0;

		for (guint32 i = 1; i < tree->count; i++)
			if (tree->nodes[i].parent == at && tree->nodes[i].symbol == *path)
				child = i;
		g_assert_cmpuint(child, !=, 0);
		at = child;
	}
	return &tree->nodes[at];
}

#define PATH(...) ((const guint32[]){ __VA_ARGS__, 0 })

static void assert_node(const struct machine *machine, const guint32 *path, gint64 self,
                        guint64 calls)
{
	const struct tree_node *node = node_at(machine, path);

	g_assert_cmpint(node->self, ==, self);
	g_assert_cmpuint(node->calls, ==, calls);
}

/* Each function has in all its nodes what was executed of it. */
static void assert_functions(const struct machine *machine)
{
	const struct tree *tree = &machine->tracer.tree;
	gint64 self[FUNCTIONS] = { 0 };

	for (guint32 i = 0; i < tree->count; i++)
		self[tree->nodes[i].symbol] += tree->nodes[i].self;
	for (guint32 symbol = 0; symbol < FUNCTIONS; symbol++)
		g_assert_cmpint(self[symbol], ==, (gint64)machine->flat[symbol]);
}

/* Ends the region: the tree must hold all that was executed, @expected instructions. */
static void finish(struct machine *machine, guint64 expected)
{
	const struct tree *tree = &machine->tracer.tree;
	gint64 sum = 0;

	tracer_region_end(&machine->tracer);
	for (guint32 i = 0; i < tree->count; i++)
		sum += tree->nodes[i].self;
	g_assert_cmpuint(machine->tracer.counts.instructions, ==, expected);
	g_assert_cmpint(sum, ==, (gint64)expected);
	if (!machine->tracer.counts.folded)
		assert_functions(machine);
}

/* A system call that calls f, which calls g. */
static void enter_kernel(struct machine *machine)
{
	run(machine, SYMBOL_USER, 0, 10);
	run(machine, SYSCALL, 0, 5);
	call(machine, STACK_A - 0x100, SYSCALL, 0x20);
	run(machine, F, 0, 7);
}

static void test_calls(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	for (int i = 0; i < 3; i++) {
		call(&machine, STACK_A - 0x180, F, 0x30);
		run(&machine, G, 0, 11);
		ret(&machine, STACK_A - 0x180);
		run(&machine, F, 0x30, 2);
	}
	ret(&machine, STACK_A - 0x100);
	run(&machine, SYSCALL, 0x20, 3);
	run(&machine, SYMBOL_USER, 0, 4);
	finish(&machine, 10 + 6 + 7 + 3 * (1 + 12 + 2) + 1 + 3 + 4);
	assert_node(&machine, PATH(SYMBOL_USER), 14, 0);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL), 9, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 7 + 3 * 3 + 1, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, G), 3 * 12, 3);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* g jumps to h, which returns to g's caller; and a function that calls itself. */
static void test_tail_call(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	call(&machine, STACK_A - 0x180, F, 0x30);
	run(&machine, G, 0, 3);
	run(&machine, H, 0, 4);
	call(&machine, STACK_A - 0x200, H, 0x10);
	run(&machine, H, 0, 1);
	ret(&machine, STACK_A - 0x200);
	run(&machine, H, 0x10, 1);
	ret(&machine, STACK_A - 0x180);
	run(&machine, F, 0x30, 2);
	finish(&machine, 10 + 6 + 7 + 1 + 3 + 5 + 2 + 2 + 2);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 10, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, G), 3, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, H), 7, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, H, H), 2, 1);
	tracer_clear(&machine.tracer);
}

/* The stub jumps on to the common entry, which saves what was interrupted above its first call. */
static void take_interrupt(struct machine *machine, guint64 sp)
{
	run(machine, STUB, 0x40, 2);
	run(machine, TICK, 0, 1);
	call(machine, sp, TICK, 0x10);
	run(machine, H, 0, 5);
	ret(machine, sp);
	run(machine, TICK, 0x10, 2);
	iret(machine, sp + 16);
}

/* Anywhere: in the middle of f, between a call and its callee, and between a return and its caller.
 */
static void test_interrupt(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	take_interrupt(&machine, STACK_A - 0x300);
	run(&machine, F, 0x10, 1);
	call(&machine, STACK_A - 0x180, F, 0x30);
	take_interrupt(&machine, STACK_A - 0x300);
	run(&machine, G, 0, 2);
	ret(&machine, STACK_A - 0x180);
	take_interrupt(&machine, STACK_A - 0x300);
	run(&machine, F, 0x30, 1);
	finish(&machine, 10 + 6 + 7 + 1 + 1 + 3 + 1 + 3 * 13);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 7 + 1 + 1 + 1, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, G), 3, 1);
	assert_node(&machine, PATH(SYMBOL_INTERRUPTS, STUB), 6, 3);
	assert_node(&machine, PATH(SYMBOL_INTERRUPTS, TICK), 3 * 5, 3);
	assert_node(&machine, PATH(SYMBOL_INTERRUPTS, TICK, H), 3 * 6, 3);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* A fault in f: what faulted is begun twice and counts once, unless it could not be fetched. A
 * fault is f's, so its handler hangs below f. The entry's first call may return from another place
 * on the stack, as that of error_entry does, which is no second entry. */
static void test_fault(gconstpointer data)
{
	gboolean fetch = !g_strcmp0(data, "fetch"), moved = !g_strcmp0(data, "moved");
	struct machine machine;

	machine_init(&machine, 1000);
	machine.error_code = fetch ? 0x10 : 0x2;
	enter_kernel(&machine);
	run(&machine, FAULT, 0, 2);
	call(&machine, STACK_A - 0x200, FAULT, 0x8);
	run(&machine, H, 0, 5);
	ret(&machine, STACK_A - (moved ? 0x278 : 0x200));
	run(&machine, FAULT, 0x8, 2);
	call(&machine, STACK_A - 0x280, FAULT, 0x10);
	run(&machine, G, 0, 1);
	ret(&machine, STACK_A - 0x280);
	run(&machine, FAULT, 0x10, 1);
	iret(&machine, STACK_A - 0x200 + 16);
	run(&machine, F, 0x14, 3);
	finish(&machine, 10 + 6 + 7 + 3 + 6 + 3 + 2 + 2 + 3 - (fetch ? 0 : 1));
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), fetch ? 10 : 9, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, FAULT), 8, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, FAULT, H), 6, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, FAULT, G), 2, 1);
	g_assert_cmpuint(machine.tracer.counts.refaults, ==, fetch ? 0 : 1);
	g_assert_cmpuint(machine.tracer.counts.unsure, ==, 0);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* Without the error code the commoner case is assumed, and said so. */
static void test_fault_unsure(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	machine.readable = FALSE;
	run(&machine, SYMBOL_USER, 0, 10);
	run(&machine, FAULT, 0, 2);
	call(&machine, STACK_A - 0x200, FAULT, 0x8);
	run(&machine, H, 0, 5);
	ret(&machine, STACK_A - 0x200);
	run(&machine, FAULT, 0x8, 2);
	iret(&machine, STACK_A - 0x200 + 16);
	run(&machine, SYMBOL_USER, 0, 3);
	finish(&machine, 10 + 3 + 6 + 3 + 3 - 1);
	assert_node(&machine, PATH(SYMBOL_USER), 12, 0);
	g_assert_cmpuint(machine.tracer.counts.unsure, ==, 1);
	tracer_clear(&machine.tracer);
}

/* f switches to another stack by returning from there: first to a thread that is new, then back. */
static void test_switch(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	call(&machine, STACK_A - 0x180, F, 0x30);
	run(&machine, G, 0, 4);
	ret(&machine, STACK_B - 0x100); /* the new thread's stack */
	run(&machine, THREAD, 0, 6);
	call(&machine, STACK_B - 0x100, THREAD, 0x10);
	run(&machine, G, 0, 2);
	ret(&machine, STACK_A - 0x180);
	run(&machine, F, 0x30, 1);
	call(&machine, STACK_A - 0x180, F, 0x40);
	run(&machine, G, 0, 4);
	ret(&machine, STACK_B - 0x100);
	run(&machine, THREAD, 0x10, 1);
	finish(&machine, 10 + 6 + 7 + 1 + 5 + 7 + 3 + 2 + 5 + 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 7 + 1 + 1 + 1, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, G), 10, 2);
	assert_node(&machine, PATH(THREAD), 8, 1);
	assert_node(&machine, PATH(THREAD, G), 3, 1);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* A system call's f calls a thunk, which calls its own middle, replaces the return address and
 * returns: a jump. */
static void jump_through_thunk(struct machine *machine)
{
	machine_init(machine, 1000);
	enter_kernel(machine);
	call(machine, STACK_A - 0x180, F, 0x30);
	run(machine, THUNK, 0, 0);
	call(machine, STACK_A - 0x188, THUNK, 0x5);
	run(machine, THUNK, 0x10, 1);
	ret(machine, STACK_A - 0x188);
}

/* To g. */
static void test_retpoline(void)
{
	struct machine machine;

	jump_through_thunk(&machine);
	run(&machine, G, 0, 9);
	ret(&machine, STACK_A - 0x180);
	run(&machine, F, 0x30, 1);
	finish(&machine, 10 + 6 + 7 + 1 + 1 + 2 + 10 + 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 9, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, THUNK), 3, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, G), 10, 1);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* Through a thunk into one of a module's functions, of which it is not known where they begin; it
 * calls another one, and g. */
static void test_module(void)
{
	struct machine machine;

	jump_through_thunk(&machine);
	run(&machine, MODULE, 0x123, 4);
	call(&machine, STACK_A - 0x188, MODULE, 0x130);
	run(&machine, MODULE, 0x456, 5);
	call(&machine, STACK_A - 0x190, MODULE, 0x460);
	run(&machine, G, 0, 9);
	ret(&machine, STACK_A - 0x190);
	run(&machine, MODULE, 0x460, 0);
	ret(&machine, STACK_A - 0x188);
	run(&machine, MODULE, 0x130, 2);
	ret(&machine, STACK_A - 0x180);
	run(&machine, F, 0x30, 1);
	finish(&machine, 10 + 6 + 7 + 1 + 1 + 2 + (4 + 1 + 5 + 1) + 10 + 1 + 3 + 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 9, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, THUNK), 3, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, MODULE), 4 + 1 + 5 + 1 + 1 + 3, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, MODULE, G), 10, 1);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* g moves its return address down the stack, as the kernel's error_entry does. */
static void test_moved_return(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	call(&machine, STACK_A - 0x180, F, 0x30);
	run(&machine, G, 0, 4);
	ret(&machine, STACK_A - 0x1f8);
	run(&machine, F, 0x30, 1);
	finish(&machine, 10 + 6 + 7 + 1 + 5 + 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 9, 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, G), 5, 1);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* An iret to the next instruction only serialises. */
static void test_iret_to_self(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	iret(&machine, STACK_A - 0x200);
	run(&machine, F, 0x12, 3);
	finish(&machine, 10 + 6 + 7 + 1 + 3);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 11, 1);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* A return into the middle of what never called is not hidden. */
static void test_unmatched(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	ret(&machine, STACK_B - 0x80);
	run(&machine, H, 0x24, 3);
	finish(&machine, 10 + 6 + 7 + 1 + 3);
	assert_node(&machine, PATH(H), 3, 0);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 1);
	tracer_clear(&machine.tracer);
}

/* Calls that never return leave no trace once their stack is used anew. */
static void test_abandoned(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	call(&machine, STACK_A - 0x180, F, 0x30);
	run(&machine, G, 0, 1);
	run(&machine, SYMBOL_USER, 0, 1);
	enter_kernel(&machine);
	call(&machine, STACK_A - 0x180, F, 0x44);
	run(&machine, H, 0, 1);
	ret(&machine, STACK_A - 0x180);
	run(&machine, F, 0x44, 1);
	finish(&machine, 2 * (10 + 6 + 7 + 1) + 1 + 1 + 2 + 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 7 + 1 + 7 + 1 + 1, 2);
	g_assert_cmpuint(machine.tracer.counts.unmatched, ==, 0);
	tracer_clear(&machine.tracer);
}

/* A tree of five nodes: root, user, interrupts, the system call and f. */
static void test_limit(void)
{
	struct machine machine;

	machine_init(&machine, 5);
	enter_kernel(&machine);
	call(&machine, STACK_A - 0x180, F, 0x30);
	run(&machine, G, 0, 4);
	ret(&machine, STACK_A - 0x180);
	run(&machine, F, 0x30, 1);
	finish(&machine, 10 + 6 + 7 + 1 + 5 + 1);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 7 + 1 + 5 + 1, 2);
	g_assert_cmpuint(machine.tracer.tree.count, ==, 5);
	g_assert_cmpuint(machine.tracer.counts.folded, ==, 1);
	tracer_clear(&machine.tracer);
}

/* What ran before a region is not in it, but its calls are returned from there. */
static void test_region(void)
{
	struct machine machine;

	machine_init(&machine, 1000);
	enter_kernel(&machine);
	call(&machine, STACK_A - 0x180, F, 0x30);
	run(&machine, G, 0, 4);
	begin(&machine);
	ret(&machine, STACK_A - 0x180);
	run(&machine, F, 0x30, 8);
	finish(&machine, 9);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F), 8, 0);
	assert_node(&machine, PATH(SYMBOL_USER, SYSCALL, F, G), 1, 0);
	tracer_clear(&machine.tracer);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/tracer/calls", test_calls);
	g_test_add_func("/tracer/tail-call", test_tail_call);
	g_test_add_func("/tracer/interrupt", test_interrupt);
	g_test_add_data_func("/tracer/data-fault", NULL, test_fault);
	g_test_add_data_func("/tracer/fetch-fault", "fetch", test_fault);
	g_test_add_data_func("/tracer/moved-return-fault", "moved", test_fault);
	g_test_add_func("/tracer/unsure-fault", test_fault_unsure);
	g_test_add_func("/tracer/switch", test_switch);
	g_test_add_func("/tracer/retpoline", test_retpoline);
	g_test_add_func("/tracer/module", test_module);
	g_test_add_func("/tracer/moved-return", test_moved_return);
	g_test_add_func("/tracer/iret-to-self", test_iret_to_self);
	g_test_add_func("/tracer/unmatched", test_unmatched);
	g_test_add_func("/tracer/abandoned", test_abandoned);
	g_test_add_func("/tracer/limit", test_limit);
	g_test_add_func("/tracer/region", test_region);
	return g_test_run();
}
