/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/attribution.h"

#include <math.h>
#include <string.h>

#include "time/estimate.h"

/* What is charged to a function in one way, by side. */
struct charge {
	guint64 instructions[2];
	double ns[2]; /* estimated */
};

/* A function of either kernel. */
struct function {
	const struct profile_function *named; /* as one of the kernels has it */
	char *subsystem;
	gboolean through; /* it only serves its callers */
	gboolean ran[2];
	guint64 calls[2];
	struct charge self;
	struct charge paid;   /* charged to it */
	struct charge folded; /* charged to it when what serves its callers is folded */
};

/* The two profiles over common functions. */
struct work {
	const profile_t *sides[2];
	guint32 *maps[2];  /* a profile's function -> the common one */
	double *times[2];  /* nanoseconds of each node; or NULL */
	GArray *functions; /* struct function; the first are the profile's roots */
	attribution_t *to;
};

static void row_free(gpointer data)
{
	struct attribution_row *row = data;

	g_free(row->name);
	g_free(row->file);
	g_free(row->subsystem);
	g_free(row);
}

void attribution_free(attribution_t *attribution)
{
	if (!attribution)
		return;
	g_ptr_array_unref(attribution->functions);
	g_ptr_array_unref(attribution->payers);
	g_ptr_array_unref(attribution->files);
	g_ptr_array_unref(attribution->subsystems);
	g_ptr_array_unref(attribution->callers);
	g_free(attribution);
}

static struct function *function_at(const struct work *work, guint i)
{
	return &g_array_index(work->functions, struct function, i);
}

static void add_side(struct work *work, int side, GHashTable *numbers)
{
	const profile_t *profile = work->sides[side];
	g_autoptr(GPtrArray) keys = profile_keys(profile);

	work->maps[side] = g_new0(guint32, profile->functions->len);
	for (guint i = 0; i < profile->functions->len; i++) {
		gpointer number;

		if (!g_hash_table_lookup_extended(numbers, keys->pdata[i], NULL, &number)) {
			struct function function = { .named = profile_function_at(profile, i) };

			number = GUINT_TO_POINTER(work->functions->len);
			g_hash_table_insert(numbers, g_strdup(keys->pdata[i]), number);
			g_array_append_val(work->functions, function);
		}
		work->maps[side][i] = GPOINTER_TO_UINT(number);
	}
}

static void find_subsystems(struct work *work, const subsystems_t *subsystems)
{
	for (guint i = 0; i < work->functions->len; i++) {
		struct function *function = function_at(work, i);

		if (i == PROFILE_USER)
			function->subsystem = g_strdup("user");
		else
			function->subsystem = subsystems_find(subsystems, function->named->file,
			                                      &function->through);
	}
}

/* What the events of each node take on the core. */
static double *node_times(const profile_t *profile, const cpu_model_t *core)
{
	double *times = g_new(double, profile->nodes->len);

	for (guint i = 0; i < profile->nodes->len; i++) {
		struct time_counts counts = { 0 };

		event_row_add_to(profile_row_at(profile, i), &counts);
		times[i] = estimate_nanoseconds(core, &counts);
	}
	return times;
}

static void find_times(struct work *work, const cpu_model_t *core)
{
	work->to->timed = core && work->sides[0]->rows && work->sides[1]->rows;
	for (int side = 0; side < 2 && work->to->timed; side++)
		work->times[side] = node_times(work->sides[side], core);
}

static void charge(const struct work *work, int side, guint node, struct charge *to)
{
	to->instructions[side] += profile_node_at(work->sides[side], node)->self;
	if (work->times[side])
		to->ns[side] += work->times[side][node];
}

static void count(struct work *work, int side)
{
	const profile_t *profile = work->sides[side];

	for (guint i = 0; i < profile->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(profile, i);
		struct function *function = function_at(work, work->maps[side][node->function]);

		charge(work, side, i, &function->self);
		function->calls[side] += node->calls;
		function->ran[side] |= node->self || node->calls;
	}
}

/* Who pays for what is executed in a function: itself, if both kernels run it. The roots always
 * may. */
static gboolean can_pay(const struct work *work, guint32 function, gboolean folding)
{
	const struct function *entry = function_at(work, function);

	if (function < PROFILE_ROOTS)
		return TRUE;
	return entry->ran[0] && entry->ran[1] && !(folding && entry->through);
}

static void pay(struct work *work, int side, gboolean folding)
{
	const profile_t *profile = work->sides[side];
	g_autofree guint32 *payers = g_new0(guint32, profile->nodes->len);

	for (guint i = 0; i < profile->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(profile, i);
		guint32 function = work->maps[side][node->function];
		struct function *payer;

		payers[i] = can_pay(work, function, folding) ? function : payers[node->parent];
		payer = function_at(work, payers[i]);
		charge(work, side, i, folding ? &payer->folded : &payer->paid);
	}
}

static double per(guint64 number, guint64 whole)
{
	return whole ? (double)number / (double)whole : NAN;
}

/* The middle of the two ways to split a product's change: rate and volume add up to it. What only
 * one side calls is volume; what neither calls (it was running when the region began), rate. */
static void split(struct attribution_row *row)
{
	const double *calls = row->calls_each;

	row->rate = row->volume = 0;
	if (row->calls[0] && row->calls[1]) {
		row->rate = (calls[0] + calls[1]) / 2 * (row->each_call[1] - row->each_call[0]);
		row->volume = row->difference - row->rate;
	} else if (row->calls[0] || row->calls[1]) {
		row->volume = row->difference;
	} else {
		row->rate = row->difference;
	}
}

static double share_of(double difference, double whole)
{
	return whole != 0 ? difference / whole : 0;
}

/* `each` is known. */
static void finish_time(const attribution_t *attribution, struct attribution_time *time)
{
	time->difference = time->each[1] - time->each[0];
	time->share = share_of(time->difference, attribution->time.difference);
}

static void finish_row(const attribution_t *attribution, struct attribution_row *row)
{
	for (int side = 0; side < 2; side++) {
		guint64 operations = attribution->operations[side];

		row->each[side] = per(row->instructions[side], operations);
		row->calls_each[side] = per(row->calls[side], operations);
		row->each_call[side] = per(row->instructions[side], row->calls[side]);
	}
	row->difference = row->each[1] - row->each[0];
	row->share = share_of(row->difference, attribution->difference);
	finish_time(attribution, &row->time);
}

static struct attribution_row *new_row(const struct work *work, const struct function *function,
                                       const struct charge *charged)
{
	struct attribution_row *row = g_new0(struct attribution_row, 1);

	row->name = g_strdup(function->named->name);
	row->file = g_strdup(function->named->file);
	row->subsystem = g_strdup(function->subsystem);
	for (int side = 0; side < 2; side++) {
		guint64 operations = work->to->operations[side];

		row->instructions[side] = charged->instructions[side];
		row->calls[side] = function->calls[side];
		row->time.each[side] = operations ? charged->ns[side] / (double)operations : 0;
	}
	finish_row(work->to, row);
	split(row);
	return row;
}

/* Adds @row to the row of @name in a coarser list. */
static void add_to_group(GPtrArray *groups, GHashTable *known, const char *name,
                         const struct attribution_row *row)
{
	struct attribution_row *group = g_hash_table_lookup(known, name);

	if (!group) {
		group = g_new0(struct attribution_row, 1);
		group->name = g_strdup(name);
		g_hash_table_insert(known, group->name, group);
		g_ptr_array_add(groups, group);
	}
	for (int side = 0; side < 2; side++) {
		group->instructions[side] += row->instructions[side];
		group->time.each[side] += row->time.each[side];
	}
	group->rate += row->rate;
	group->volume += row->volume;
	if (!group->subsystem)
		group->subsystem = g_strdup(row->subsystem);
}

static int compare_rows(gconstpointer a, gconstpointer b)
{
	const struct attribution_row *x = *(const struct attribution_row *const *)a;
	const struct attribution_row *y = *(const struct attribution_row *const *)b;
	double first = fabs(x->difference), second = fabs(y->difference);

	if (first != second)
		return first > second ? -1 : 1;
	if (x->each[1] != y->each[1])
		return x->each[1] > y->each[1] ? -1 : 1;
	return strcmp(x->name, y->name);
}

/* The roots are no function of any file. */
static const char *file_of(const struct attribution_row *row)
{
	if (row->file)
		return row->file;
	return *row->name == '[' ? row->name : "unknown file";
}

/* Rows of one list summed by file or subsystem. */
static GPtrArray *group_rows(const attribution_t *attribution, const GPtrArray *rows,
                             gboolean by_file)
{
	GPtrArray *groups = g_ptr_array_new_with_free_func(row_free);
	g_autoptr(GHashTable) known = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < rows->len; i++) {
		const struct attribution_row *row = attribution_row_at(rows, i);

		add_to_group(groups, known, by_file ? file_of(row) : row->subsystem, row);
	}
	for (guint i = 0; i < groups->len; i++)
		finish_row(attribution, groups->pdata[i]);
	g_ptr_array_sort(groups, compare_rows);
	return groups;
}

static gboolean is_charged(const struct charge *charged)
{
	return charged->instructions[0] || charged->instructions[1] || charged->ns[0] > 0 ||
	       charged->ns[1] > 0;
}

/* Rows of the functions that are charged with something in the member at @offset. */
static GPtrArray *function_rows(const struct work *work, gsize offset)
{
	GPtrArray *rows = g_ptr_array_new_with_free_func(row_free);

	for (guint i = 0; i < work->functions->len; i++) {
		const struct function *function = function_at(work, i);
		const struct charge *charged =
			(const struct charge *)(const void *)((const char *)function + offset);

		if (is_charged(charged))
			g_ptr_array_add(rows, new_row(work, function, charged));
	}
	g_ptr_array_sort(rows, compare_rows);
	return rows;
}

static void add_parts(attribution_t *attribution)
{
	for (guint i = 0; i < attribution->payers->len; i++) {
		const struct attribution_row *row = attribution_row_at(attribution->payers, i);

		if (!g_strcmp0(row->subsystem, "user")) {
			attribution->user += row->difference;
			attribution->user_each[0] += row->each[0];
			attribution->user_each[1] += row->each[1];
			attribution->user_time.each[0] += row->time.each[0];
			attribution->user_time.each[1] += row->time.each[1];
		} else {
			attribution->rate += row->rate;
			attribution->volume += row->volume;
		}
	}
}

static double time_each(const struct work *work, int side)
{
	guint64 operations = work->to->operations[side];
	double sum = 0;

	for (guint i = 0; work->times[side] && i < work->sides[side]->nodes->len; i++)
		sum += work->times[side][i];
	return operations ? sum / (double)operations : 0;
}

static void fill(const struct work *work)
{
	attribution_t *to = work->to;
	g_autoptr(GPtrArray) folded = NULL;

	for (int side = 0; side < 2; side++) {
		to->instructions[side] = profile_sum(work->sides[side]);
		to->operations[side] = work->sides[side]->totals.operations;
		to->idle[side] = profile_idle(work->sides[side]);
		to->each[side] = per(to->instructions[side], to->operations[side]);
		to->idle_each[side] = per(to->idle[side], to->operations[side]);
		to->time.each[side] = time_each(work, side);
	}
	to->difference = to->each[1] - to->each[0];
	to->time.difference = to->time.each[1] - to->time.each[0];
	to->time.share = share_of(to->time.difference, to->time.difference);
	to->functions = function_rows(work, offsetof(struct function, self));
	to->payers = function_rows(work, offsetof(struct function, paid));
	folded = function_rows(work, offsetof(struct function, folded));
	to->files = group_rows(to, to->payers, TRUE);
	to->subsystems = group_rows(to, to->payers, FALSE);
	to->callers = group_rows(to, folded, FALSE);
	add_parts(to);
	finish_time(to, &to->user_time);
}

attribution_t *attribution_new(const profile_t *base, const profile_t *other,
                               const struct attribution_terms *terms)
{
	struct work work = {
		.sides = { base, other },
		.functions = g_array_new(FALSE, TRUE, sizeof(struct function)),
		.to = g_new0(attribution_t, 1),
	};
	g_autoptr(GHashTable) numbers =
		g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (int side = 0; side < 2; side++)
		add_side(&work, side, numbers);
	find_subsystems(&work, terms->subsystems);
	find_times(&work, terms->core);
	for (int side = 0; side < 2; side++)
		count(&work, side);
	for (int side = 0; side < 2; side++) {
		pay(&work, side, FALSE);
		pay(&work, side, TRUE);
	}
	fill(&work);
	for (guint i = 0; i < work.functions->len; i++)
		g_free(function_at(&work, i)->subsystem);
	g_array_unref(work.functions);
	for (int side = 0; side < 2; side++) {
		g_free(work.maps[side]);
		g_free(work.times[side]);
	}
	return work.to;
}
