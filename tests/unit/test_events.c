/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "core_fixture.h"
#include "profile/plugin_events.h"

/* Events by place: traces made by hand, whose counts follow from counting on one's fingers. */

enum { USER = 1, F, HANDLER, NODES };

static void test_row(void)
{
	static const enum time_counter order[] = { TIME_BRANCHES, TIME_CLI, TIME_INSTRUCTIONS,
		                                   TIME_TAKEN,    TIME_STI, TIME_CLI };
	struct event_row row = { 0 };
	struct time_counts counts = { 0 };

	g_assert_cmpuint(event_row_get(&row, TIME_CLI), ==, 0);
	for (guint i = 0; i < G_N_ELEMENTS(order); i++)
		event_row_add(&row, order[i], i + 1);
	g_assert_cmpuint(event_row_count(&row), ==, 5);
	g_assert_cmpuint(event_row_get(&row, TIME_CLI), ==, 2 + 6);
	g_assert_cmpuint(event_row_get(&row, TIME_INSTRUCTIONS), ==, 3);
	g_assert_cmpuint(event_row_get(&row, TIME_BRANCHES), ==, 1);
	g_assert_cmpuint(event_row_get(&row, TIME_POPF), ==, 0);
	event_row_add_to(&row, &counts);
	event_row_add_to(&row, &counts);
	g_assert_cmpuint(counts.n[TIME_STI], ==, 10);
	g_assert_cmpuint(counts.n[TIME_TAKEN], ==, 8);
	g_assert_cmpuint(counts.n[TIME_LINES], ==, 0);
	/* Taken out again, it is gone. */
	event_row_add(&row, TIME_STI, -(guint64)5);
	g_assert_cmpuint(event_row_count(&row), ==, 4);
	event_row_reset(&row);
	g_assert_cmpuint(event_row_count(&row), ==, 0);
	g_assert_cmpuint(event_row_get(&row, TIME_CLI), ==, 0);
	event_row_clear(&row);
}

/* Each counter there is, from the last to the first. */
static void test_full_row(void)
{
	struct event_row row = { 0 };

	for (int i = TIME_COUNTERS - 1; i >= 0; i--)
		event_row_add(&row, (enum time_counter)i, (guint64)i + 1);
	for (int i = 0; i < TIME_COUNTERS; i++)
		g_assert_cmpuint(event_row_get(&row, (enum time_counter)i), ==, i + 1);
	event_row_clear(&row);
}

struct trace {
	struct core core;
	struct events events;
	struct core_block *blocks[8];
	guint count;
	struct time_counts before;
};

static void take_counts(const struct trace *trace, struct time_counts *counts)
{
	*counts = trace->core.counts;
	core_add_blocks(trace->blocks, trace->count, counts);
}

static struct trace *trace_new(void)
{
	struct trace *trace = g_new0(struct trace, 1);

	core_init(&trace->core, &small_core);
	events_init(&trace->events, &trace->core, USER);
	return trace;
}

static struct core_block *keep(struct trace *trace, struct core_block *block)
{
	return trace->blocks[trace->count++] = block;
}

static void begin(struct trace *trace)
{
	take_counts(trace, &trace->before);
	events_region_begin(&trace->events);
}

/* The places' sums must be what the core and its blocks have counted themselves. */
static void finish(struct trace *trace)
{
	struct time_counts sums = { 0 }, counts;

	events_region_end(&trace->events);
	take_counts(trace, &counts);
	time_counts_subtract(&counts, &trace->before);
	for (guint node = 0; node < NODES; node++)
		event_row_add_to(events_row(&trace->events, node), &sums);
	for (int i = 0; i < TIME_COUNTERS; i++)
		g_assert_cmpuint(sums.n[i], ==, counts.n[i]);
}

static void trace_free(struct trace *trace)
{
	for (guint i = 0; i < trace->count; i++)
		core_block_free(trace->blocks[i]);
	events_clear(&trace->events);
	core_clear(&trace->core);
	g_free(trace);
}

static void assert_events(const struct trace *trace, guint32 node, enum time_counter counter,
                          guint64 expected)
{
	g_assert_cmpuint(event_row_get(events_row(&trace->events, node), counter), ==, expected);
}

/* cli, and a call; what is called does popf and returns; sti, and a jump back to the start. */
static void test_places(void)
{
	struct trace *trace = trace_new();
	struct core_block *call = keep(trace, BLOCK(0x1000, "\xfa\xe8\xfa\x0f\x00\x00", 5));
	struct core_block *callee = keep(trace, BLOCK(0x2000, "\x9d\xc3", 1));
	struct core_block *back = keep(trace, BLOCK(0x1006, "\xfb\xeb\xf7", 2));

	begin(trace);
	for (guint turn = 0; turn < 10; turn++) {
		events_block(&trace->events, call, USER);
		events_block(&trace->events, callee, F);
		events_block(&trace->events, back, USER);
	}
	finish(trace);
	assert_events(trace, USER, TIME_INSTRUCTIONS, 10 * (2 + 2));
	assert_events(trace, USER, TIME_CLI, 10);
	assert_events(trace, USER, TIME_STI, 10);
	assert_events(trace, USER, TIME_POPF, 0);
	assert_events(trace, F, TIME_INSTRUCTIONS, 10 * 2);
	assert_events(trace, F, TIME_POPF, 10);
	assert_events(trace, F, TIME_CLI, 0);
	/* A branch is of the place that it leaves; where the last jump went to was not seen. */
	assert_events(trace, USER, TIME_TAKEN, 10 + 9);
	assert_events(trace, F, TIME_TAKEN, 10);
	assert_events(trace, USER, TIME_BRANCHES, 0);
	assert_events(trace, F, TIME_BRANCHES, 10);
	assert_events(trace, F, TIME_MISSED_RETURN, 0);
	/* The line of the call is that of the jump before, but for the first time. */
	assert_events(trace, USER, TIME_LINES, 1 + 10);
	assert_events(trace, F, TIME_LINES, 10);
	assert_events(trace, USER, TIME_FETCH_MEMORY, 1);
	assert_events(trace, F, TIME_FETCH_MEMORY, 1);
	assert_events(trace, USER, TIME_FETCH_WALK, 1);
	assert_events(trace, F, TIME_FETCH_WALK, 1);
	assert_events(trace, HANDLER, TIME_INSTRUCTIONS, 0);
	trace_free(trace);
}

/* An access is of the place that makes it, be it the last instruction's: a call's or return's. */
static void test_accesses(void)
{
	struct trace *trace = trace_new();
	struct core_block *call = keep(trace, BLOCK(0x1000, "\xfa\xe8\xfa\x0f\x00\x00", 5));
	struct core_block *callee = keep(trace, BLOCK(0x2000, "\x9d\xc3", 1));

	begin(trace);
	events_block(&trace->events, call, USER);
	core_access(&trace->core, 0x8000, 0x8000, CORE_STORE);
	events_block(&trace->events, callee, F);
	core_access(&trace->core, 0x9000, 0x9000, CORE_LOAD);
	core_access(&trace->core, 0x9040, 0x9040, CORE_LOAD);
	finish(trace);
	assert_events(trace, USER, TIME_STORE_MEMORY, 1);
	assert_events(trace, USER, TIME_LOAD_MEMORY, 0);
	assert_events(trace, USER, TIME_DATA_WALK, 1);
	assert_events(trace, F, TIME_STORE_MEMORY, 0);
	assert_events(trace, F, TIME_LOAD_MEMORY, 2);
	assert_events(trace, F, TIME_DATA_WALK, 1);
	trace_free(trace);
}

/* What is interrupted does not pay for that: the handler does. */
static void test_interrupt(void)
{
	struct trace *trace = trace_new();
	struct core_block *call = keep(trace, BLOCK(0x1000, "\xfa\xe8\xfa\x0f\x00\x00", 5));
	struct core_block *handler = keep(trace, BLOCK(0x3000, "\x90\x48\xcf", 2));

	begin(trace);
	events_block(&trace->events, call, USER);
	events_block(&trace->events, handler, HANDLER);
	events_block(&trace->events, call, USER);
	finish(trace);
	assert_events(trace, USER, TIME_INTERRUPT, 0);
	assert_events(trace, USER, TIME_TAKEN, 0);
	assert_events(trace, HANDLER, TIME_INTERRUPT, 1);
	assert_events(trace, HANDLER, TIME_IRET, 1);
	trace_free(trace);
}

/* Only what happens in the region counts, and the next one begins at zero. */
static void test_region(void)
{
	struct trace *trace = trace_new();
	struct core_block *call = keep(trace, BLOCK(0x1000, "\xfa\xe8\xfa\x0f\x00\x00", 5));
	struct core_block *callee = keep(trace, BLOCK(0x2000, "\x9d\xeb\xfe", 2));

	events_block(&trace->events, call, USER);
	for (guint i = 0; i < 2; i++) {
		begin(trace);
		events_block(&trace->events, callee, F);
		events_block(&trace->events, callee, F);
		finish(trace);
		assert_events(trace, USER, TIME_INSTRUCTIONS, 0);
		/* The call's end showed in the first region, by what followed it. */
		assert_events(trace, USER, TIME_TAKEN, i ? 0 : 1);
		assert_events(trace, F, TIME_INSTRUCTIONS, 4);
		assert_events(trace, F, TIME_POPF, 2);
		events_block(&trace->events, callee, F);
	}
	trace_free(trace);
}

/* nop, cli; then a symbol begins: nop, sti. */
static void test_rest(void)
{
	struct trace *trace = trace_new();
	struct core_block *block = keep(trace, BLOCK(0x1000, "\x90\xfa\x90\xfb", 1));
	struct core_block *rest = BLOCK(0x1002, "\x90\xfb", 1);

	begin(trace);
	for (guint i = 0; i < 3; i++) {
		events_block(&trace->events, block, USER);
		events_rest(&trace->events, rest, F);
		core_access(&trace->core, 0x8000, 0x8000, CORE_LOAD);
		trace->core.last = NULL;
	}
	/* The same symbol goes on. */
	events_block(&trace->events, block, F);
	events_rest(&trace->events, rest, F);
	finish(trace);
	assert_events(trace, USER, TIME_INSTRUCTIONS, 3 * 2);
	assert_events(trace, USER, TIME_CLI, 3);
	assert_events(trace, USER, TIME_STI, 0);
	assert_events(trace, USER, TIME_LOAD_MEMORY, 0);
	assert_events(trace, F, TIME_INSTRUCTIONS, 3 * 2 + 4);
	assert_events(trace, F, TIME_CLI, 1);
	assert_events(trace, F, TIME_STI, 3 + 1);
	assert_events(trace, F, TIME_LOAD_MEMORY, 1);
	core_block_free(rest);
	trace_free(trace);
}

/* Two cli, of which the second is executed by the block that follows. That shows only the second
 * time: at first an interrupt comes in between. */
static void test_cut(void)
{
	struct trace *trace = trace_new();
	struct core_block *block = keep(trace, BLOCK(0x1ffe, "\xfa\xfa", 1));
	struct core_block *next = keep(trace, BLOCK(0x1fff, "\xfa\x90", 1));
	struct core_block *handler = keep(trace, BLOCK(0x3000, "\x90\x48\xcf", 2));

	begin(trace);
	events_block(&trace->events, block, F);
	events_block(&trace->events, handler, HANDLER);
	for (guint i = 0; i < 2; i++) {
		events_block(&trace->events, block, F);
		events_block(&trace->events, next, USER);
		trace->core.last = NULL;
	}
	finish(trace);
	assert_events(trace, HANDLER, TIME_INTERRUPT, 1);
	assert_events(trace, F, TIME_INSTRUCTIONS, 2 + 1 + 1);
	assert_events(trace, F, TIME_CLI, 2 + 1 + 1);
	assert_events(trace, USER, TIME_INSTRUCTIONS, 2 * 2);
	assert_events(trace, USER, TIME_CLI, 2);
	trace_free(trace);
}

/* A loop that the model follows no more closely is counted on. */
static void test_spinning(void)
{
	struct trace *trace = trace_new();
	struct core_block *loop = keep(trace, BLOCK(0x1000, "\x90\x75\xfd", 2)); /* jnz 0x1000 */

	begin(trace);
	for (guint i = 0; i < 1000; i++)
		events_block(&trace->events, loop, F);
	finish(trace);
	assert_events(trace, F, TIME_INSTRUCTIONS, 2 * 1000);
	assert_events(trace, F, TIME_TAKEN, 999);
	assert_events(trace, F, TIME_BRANCHES, 999);
	assert_events(trace, F, TIME_LINES, 1);
	trace_free(trace);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/events/row", test_row);
	g_test_add_func("/events/full-row", test_full_row);
	g_test_add_func("/events/places", test_places);
	g_test_add_func("/events/accesses", test_accesses);
	g_test_add_func("/events/interrupt", test_interrupt);
	g_test_add_func("/events/region", test_region);
	g_test_add_func("/events/rest", test_rest);
	g_test_add_func("/events/cut", test_cut);
	g_test_add_func("/events/spinning", test_spinning);
	return g_test_run();
}
