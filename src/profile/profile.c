/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/profile.h"

#include <string.h>

#include "profile/plugin_tree.h"
#include "profile/symbol_table.h"

_Static_assert((int)PROFILE_ALL == (int)SYMBOL_ALL && (int)PROFILE_USER == (int)SYMBOL_USER &&
                       (int)PROFILE_INTERRUPTS == (int)SYMBOL_INTERRUPTS &&
                       (int)PROFILE_UNKNOWN == (int)SYMBOL_UNKNOWN &&
                       (int)PROFILE_ROOTS == (int)SYMBOL_FIRST,
               "the plugin's numbers");

static void function_free(gpointer data)
{
	struct profile_function *function = data;

	g_free(function->name);
	g_free(function->file);
	g_free(function);
}

profile_t *profile_new(void)
{
	static const char *const roots[] = {
		[PROFILE_ALL] = "[all]",
		[PROFILE_USER] = "[user]",
		[PROFILE_INTERRUPTS] = "[interrupts]",
		[PROFILE_UNKNOWN] = "[unknown]",
	};
	profile_t *profile = g_new0(profile_t, 1);

	_Static_assert(G_N_ELEMENTS(roots) == PROFILE_ROOTS, "a name for each");
	profile->functions = g_ptr_array_new_with_free_func(function_free);
	profile->nodes = g_array_new(FALSE, FALSE, sizeof(struct profile_node));
	for (gsize i = 0; i < G_N_ELEMENTS(roots); i++)
		profile_add_function(profile, roots[i], NULL);
	profile_add_node(profile, 0, PROFILE_ALL, 0, 0);
	return profile;
}

static void row_clear(gpointer row)
{
	event_row_clear(row);
}

void profile_end_events(profile_t *profile)
{
	g_clear_pointer(&profile->rows, g_array_unref);
	profile->events = (struct profile_events){ 0 };
}

void profile_begin_events(profile_t *profile)
{
	profile_end_events(profile);
	profile->rows = g_array_new(FALSE, TRUE, sizeof(struct event_row));
	g_array_set_clear_func(profile->rows, row_clear);
	g_array_set_size(profile->rows, profile->nodes->len);
}

void profile_add_events(profile_t *profile, guint32 node, enum time_counter counter, guint64 n)
{
	event_row_add(&g_array_index(profile->rows, struct event_row, node), counter, n);
}

void profile_sum_events(const profile_t *profile, struct time_counts *sums)
{
	*sums = (struct time_counts){ 0 };
	for (guint i = 0; profile->rows && i < profile->rows->len; i++)
		event_row_add_to(profile_row_at(profile, i), sums);
}

void profile_free(profile_t *profile)
{
	if (!profile)
		return;
	g_ptr_array_unref(profile->functions);
	g_array_unref(profile->nodes);
	profile_end_events(profile);
	g_free(profile->missing);
	g_free(profile);
}

guint32 profile_add_function(profile_t *profile, const char *name, const char *file)
{
	struct profile_function *function = g_new0(struct profile_function, 1);

	function->name = g_strdup(name);
	function->file = g_strdup(file);
	g_ptr_array_add(profile->functions, function);
	return profile->functions->len - 1;
}

guint32 profile_add_node(profile_t *profile, guint32 parent, guint32 function, guint64 calls,
                         guint64 self)
{
	struct profile_node node = { parent, function, calls, self };

	g_array_append_val(profile->nodes, node);
	if (profile->rows)
		g_array_set_size(profile->rows, profile->nodes->len);
	return profile->nodes->len - 1;
}

static char *full_name(const struct profile_function *function)
{
	return g_strdup_printf("%s\t%s", function->name, function->file ? function->file : "");
}

GPtrArray *profile_keys(const profile_t *profile)
{
	GPtrArray *keys = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < profile->functions->len; i++) {
		char *name = profile_function_at(profile, i)->name;
		guint count = GPOINTER_TO_UINT(g_hash_table_lookup(seen, name));

		g_hash_table_insert(seen, name, GUINT_TO_POINTER(count + 1));
	}
	for (guint i = 0; i < profile->functions->len; i++) {
		const struct profile_function *function = profile_function_at(profile, i);
		guint count = GPOINTER_TO_UINT(g_hash_table_lookup(seen, function->name));

		g_ptr_array_add(keys, count > 1 ? full_name(function) : g_strdup(function->name));
	}
	return keys;
}

/* For each function of @from its number in @to, where it is added if need be. */
static guint32 *map_functions(profile_t *to, const profile_t *from)
{
	g_autoptr(GHashTable) numbers =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	guint32 *map = g_new0(guint32, from->functions->len);

	for (guint i = 0; i < to->functions->len; i++)
		g_hash_table_insert(numbers, full_name(profile_function_at(to, i)),
		                    GUINT_TO_POINTER(i));
	for (guint i = 0; i < from->functions->len; i++) {
		const struct profile_function *function = profile_function_at(from, i);
		g_autofree char *name = full_name(function);
		gpointer number;

		if (!g_hash_table_lookup_extended(numbers, name, NULL, &number)) {
			number = GUINT_TO_POINTER(
				profile_add_function(to, function->name, function->file));
			g_hash_table_insert(numbers, g_steal_pointer(&name), number);
		}
		map[i] = GPOINTER_TO_UINT(number);
	}
	return map;
}

static void merge_totals(struct profile_totals *to, const struct profile_totals *from)
{
	to->regions += from->regions;
	to->measured += from->measured;
	to->instructions += from->instructions;
	to->operations += from->operations;
	to->halts += from->halts;
	to->broken += from->broken;
	to->differing += from->differing;
	to->refaults += from->refaults;
	to->unsure += from->unsure;
	to->unmatched += from->unmatched;
	to->folded += from->folded;
}

static void merge_row(profile_t *to, guint32 at, const struct event_row *row)
{
	struct time_counts counts = { 0 };

	event_row_add_to(row, &counts);
	for (int i = 0; i < TIME_COUNTERS; i++)
		if (counts.n[i])
			profile_add_events(to, at, (enum time_counter)i, counts.n[i]);
}

/* Whether the two together have events. */
static void meet_events(profile_t *to, const profile_t *from)
{
	gboolean empty = to->nodes->len == 1 && !to->totals.regions;

	if (!from->rows || (!to->rows && !empty)) {
		profile_end_events(to);
		return;
	}
	if (!to->rows)
		profile_begin_events(to);
	time_counts_add(&to->events.counts, &from->events.counts);
	to->events.broken += from->events.broken;
	to->events.differing += from->events.differing;
}

/* The plugin's tree finds the nodes; its numbers are those of @to's nodes. */
static void merge_nodes(profile_t *to, const profile_t *from, const guint32 *functions)
{
	g_autofree guint32 *map = g_new0(guint32, from->nodes->len);
	struct tree tree;

	tree_init(&tree, PROFILE_ALL, G_MAXUINT32);
	for (guint i = 1; i < to->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(to, i);

		tree_child(&tree, node->parent, node->function);
	}
	for (guint i = 0; i < from->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(from, i);
		guint32 function = functions[node->function];
		guint32 at = i ? tree_child(&tree, map[node->parent], function) : 0;

		if (at == to->nodes->len)
			profile_add_node(to, map[node->parent], function, 0, 0);
		map[i] = at;
		g_array_index(to->nodes, struct profile_node, at).calls += node->calls;
		g_array_index(to->nodes, struct profile_node, at).self += node->self;
		if (to->rows)
			merge_row(to, at, profile_row_at(from, i));
	}
	tree_clear(&tree);
}

void profile_merge(profile_t *to, const profile_t *from)
{
	g_autofree guint32 *functions = map_functions(to, from);

	meet_events(to, from);
	merge_nodes(to, from, functions);
	merge_totals(&to->totals, &from->totals);
	if (!to->missing)
		to->missing = g_strdup(from->missing);
}

guint64 profile_sum(const profile_t *profile)
{
	guint64 sum = 0;

	for (guint i = 0; i < profile->nodes->len; i++)
		sum += profile_node_at(profile, i)->self;
	return sum;
}

guint64 *profile_inclusive(const profile_t *profile)
{
	guint64 *inclusive = g_new(guint64, profile->nodes->len);

	for (guint i = 0; i < profile->nodes->len; i++)
		inclusive[i] = profile_node_at(profile, i)->self;
	for (guint i = profile->nodes->len - 1; i > 0; i--)
		inclusive[profile_node_at(profile, i)->parent] += inclusive[i];
	return inclusive;
}

guint64 profile_idle(const profile_t *profile)
{
	const struct profile_totals *totals = &profile->totals;

	return totals->measured > totals->instructions ? totals->measured - totals->instructions
	                                               : 0;
}
