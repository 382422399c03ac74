/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/measure.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "study/boot_parameters.h"
#include "study/measure_row.h"
#include "study/timed_boot.h"

enum { MOST_BOOTS = 200 };

struct measure_session {
	const struct machine *machine;
	struct measure_options options;
	const struct measure_sink *sink; /* or NULL */
	progress_t *progress;
	GHashTable *boots;   /* key -> machine_boot_t */
	const guint *wanted; /* see measure_session_want(); or NULL */
	GArray *seeds;       /* guint64, ascending: those of the boots */
	gint64 deadline;     /* monotonic microseconds; 0 until the first boot */
};

/* One boot to be made. */
struct task {
	char *key;
	const struct measure_variant *variant;
	const struct measure_cell *cell;
	guint64 seed;
	machine_boot_t *boot; /* once it went well */
};

/* The boots of one round, shared by the threads. */
struct round {
	measure_session_t *session;
	GCancellable *stop; /* the caller's, or the first failure */
	GMutex mutex;       /* of error and the sink */
	GError *error;
};

/* One comparison in work. */
struct work {
	measure_session_t *session;
	const struct measure_variant *variants;
	guint variant_count;
	const struct measure_cell *cells;
	guint cell_count;
	struct report_price *price;
	guint *targets; /* boots wanted of each cell */
};

void measure_boot_free(gpointer data)
{
	machine_boot_clear(data);
	g_free(data);
}

static void task_free(gpointer data)
{
	struct task *task = data;

	g_free(task->key);
	if (task->boot)
		measure_boot_free(task->boot);
	g_free(task);
}

measure_session_t *measure_session_new(const struct machine *machine,
                                       const struct measure_options *options,
                                       const struct measure_sink *sink, progress_t *progress)
{
	measure_session_t *session = g_new0(measure_session_t, 1);

	session->machine = machine;
	session->options = *options;
	session->sink = sink;
	session->progress = progress;
	session->boots = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, measure_boot_free);
	session->seeds = g_array_new(FALSE, FALSE, sizeof(guint64));
	return session;
}

void measure_session_free(measure_session_t *session)
{
	if (!session)
		return;
	g_hash_table_destroy(session->boots);
	g_array_unref(session->seeds);
	g_free(session);
}

void measure_session_want(measure_session_t *session, const guint *boots)
{
	session->wanted = boots;
}

GArray *measure_session_seeds(const measure_session_t *session)
{
	return g_array_copy(session->seeds);
}

static void remember_seed(measure_session_t *session, guint64 seed)
{
	guint at = session->seeds->len;

	while (at > 0 && g_array_index(session->seeds, guint64, at - 1) > seed)
		at--;
	if (at == 0 || g_array_index(session->seeds, guint64, at - 1) != seed)
		g_array_insert_val(session->seeds, at, seed);
}

static char *boot_key(const struct measure_variant *variant, const struct measure_cell *cell,
                      guint64 seed)
{
	return g_strdup_printf("%s\n%s\n%s\n%s\n%" G_GUINT64_FORMAT, variant->kernel->image_sha256,
	                       variant->cmdline ? variant->cmdline : "", cell->workload,
	                       cell->params, seed);
}

const machine_boot_t *measure_session_find(const measure_session_t *session,
                                           const struct measure_variant *variant,
                                           const struct measure_cell *cell, guint64 seed)
{
	g_autofree char *key = boot_key(variant, cell, seed);

	return g_hash_table_lookup(session->boots, key);
}

static const machine_boot_t *find_boot(const struct work *work, guint variant, guint cell,
                                       guint64 seed)
{
	return measure_session_find(work->session, &work->variants[variant], &work->cells[cell],
	                            seed);
}

static gboolean time_is_over(const measure_session_t *session)
{
	return session->deadline && g_get_monotonic_time() > session->deadline;
}

machine_boot_t *measure_boot(const measure_session_t *session,
                             const struct measure_variant *variant, const struct measure_cell *cell,
                             guint64 seed, const char *plugin, GCancellable *cancellable,
                             GError **error)
{
	g_autoptr(plan_t) plan = measure_plan(variant, cell, &session->options, seed);
	struct machine_job job = {
		.bzimage = variant->kernel->bzimage,
		.label = variant->label,
		.extra_cmdline = variant->cmdline,
		.acpi = variant->acpi,
		.plan = plan,
		.plugin = plugin,
		.program = cell->program,
		.fault_entry = cell->program ? measure_fault_entry(variant->kernel) : 0,
	};
	machine_boot_t *boot = g_new0(machine_boot_t, 1);

	if (!session->machine->run(&job, cancellable, boot, error)) {
		g_free(boot);
		return NULL;
	}
	if (boot_parameters_check(job.label, job.extra_cmdline, boot, error))
		return boot;
	measure_boot_free(boot);
	return NULL;
}

static gboolean tell_sink(const struct task *task, const struct round *round, GError **error)
{
	const struct measure_sink *sink = round->session->sink;

	return !sink ||
	       sink->boot(task->variant, task->cell, task->seed, task->boot, sink->data, error);
}

static void task_run(gpointer data, gpointer shared)
{
	struct task *task = data;
	struct round *round = shared;
	g_autoptr(GError) error = NULL;
	gboolean fine;

	if (g_cancellable_is_cancelled(round->stop) || time_is_over(round->session))
		return;
	task->boot = timed_boot(round->session, round->session->options.core, task->variant,
	                        task->cell, task->seed, round->stop, &error);
	progress_step(round->session->progress, 1);
	g_mutex_lock(&round->mutex);
	fine = task->boot && tell_sink(task, round, &error);
	/* What a failure cancels is no failure of its own. */
	if (!fine && !round->error)
		round->error = g_steal_pointer(&error);
	g_mutex_unlock(&round->mutex);
	if (!fine)
		g_cancellable_cancel(round->stop);
}

static void stop_round(GCancellable *caller, gpointer stop)
{
	(void)caller;
	g_cancellable_cancel(stop);
}

/* Makes the boots, @jobs side by side, and remembers those that went well. */
static gboolean run_tasks(measure_session_t *session, GPtrArray *tasks, GCancellable *cancellable,
                          GError **error)
{
	g_autoptr(GCancellable) stop = g_cancellable_new();
	struct round round = { .session = session, .stop = stop };
	guint threads = MAX(MIN(session->options.jobs, tasks->len), 1);
	gulong handler = g_cancellable_connect(cancellable, G_CALLBACK(stop_round), stop, NULL);
	GThreadPool *pool = g_thread_pool_new(task_run, &round, threads, TRUE, NULL);

	g_mutex_init(&round.mutex);
	if (!session->deadline)
		session->deadline = g_get_monotonic_time() +
		                    (gint64)(session->options.max_seconds * G_USEC_PER_SEC);
	for (guint i = 0; i < tasks->len; i++)
		g_thread_pool_push(pool, tasks->pdata[i], NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	g_cancellable_disconnect(cancellable, handler);
	g_mutex_clear(&round.mutex);
	for (guint i = 0; i < tasks->len; i++) {
		struct task *task = tasks->pdata[i];
		if (!task->boot)
			continue;
		remember_seed(session, task->seed);
		g_hash_table_insert(session->boots, g_steal_pointer(&task->key),
		                    g_steal_pointer(&task->boot));
	}
	if (!round.error)
		return TRUE;
	g_propagate_error(error, round.error);
	return FALSE;
}

/* Adds the boot of one variant to @tasks unless it was made or is in it already. */
static void add_task(const struct work *work, guint variant, guint cell, guint64 seed,
                     GPtrArray *tasks)
{
	g_autofree char *key = boot_key(&work->variants[variant], &work->cells[cell], seed);
	struct task *task;

	if (g_hash_table_contains(work->session->boots, key))
		return;
	for (guint i = 0; i < tasks->len; i++)
		if (!strcmp(((struct task *)tasks->pdata[i])->key, key))
			return;
	task = g_new0(struct task, 1);
	task->key = g_steal_pointer(&key);
	task->variant = &work->variants[variant];
	task->cell = &work->cells[cell];
	task->seed = seed;
	g_ptr_array_add(tasks, task);
}

/* All boots that the targets still lack: seed by seed, the variants taking turns. */
static GPtrArray *missing_tasks(const struct work *work)
{
	GPtrArray *tasks = g_ptr_array_new_with_free_func(task_free);
	guint most = 0;

	for (guint cell = 0; cell < work->cell_count; cell++)
		most = MAX(most, work->targets[cell]);
	for (guint64 seed = 1; seed <= most; seed++)
		for (guint cell = 0; cell < work->cell_count; cell++)
			for (guint i = 0; i < work->variant_count && seed <= work->targets[cell];
			     i++)
				if (!work->variants[i].given)
					add_task(work, i, cell, seed, tasks);
	return tasks;
}

/* A seed counts once every variant that is measured has it. */
static gboolean seed_is_whole(const struct work *work, guint cell, guint64 seed)
{
	for (guint i = 0; i < work->variant_count; i++)
		if (!work->variants[i].given && !find_boot(work, i, cell, seed))
			return FALSE;
	return TRUE;
}

/* With the samples that are given. */
static struct report_workload *new_row(const struct work *work, guint cell)
{
	struct report_workload *row = measure_row_new(
		&work->cells[cell], work->session->machine->unit, work->variant_count);

	for (guint i = 0; i < work->variant_count; i++) {
		const GPtrArray *given = work->variants[i].given;
		const sample_set_t *set = given ? given->pdata[cell] : NULL;

		for (guint s = 0; set && s < set->samples->len; s++)
			sample_set_add(row->samples->pdata[i],
			               &g_array_index(set->samples, struct sample, s));
	}
	return row;
}

static struct report_workload *fill_row(const struct work *work, guint cell)
{
	struct report_workload *row = new_row(work, cell);

	for (guint64 seed = 1; seed <= work->targets[cell]; seed++) {
		if (!seed_is_whole(work, cell, seed))
			continue;
		for (guint i = 0; i < work->variant_count; i++)
			if (!work->variants[i].given)
				measure_add_samples(row, i, seed, find_boot(work, i, cell, seed));
	}
	report_workload_summarise(row);
	return row;
}

/* Boot, memory and warnings of a variant: the first from its first boot, the last from all. */
static void fill_variant(const struct work *work, guint variant)
{
	struct report_variant *to = work->price->variants->pdata[variant];

	to->warnings = 0;
	g_clear_pointer(&to->first_warning, g_free);
	to->boot_instructions = to->memory_bytes = 0;
	for (guint cell = 0; cell < work->cell_count; cell++) {
		for (guint64 seed = 1; seed <= work->targets[cell]; seed++) {
			const machine_boot_t *boot = find_boot(work, variant, cell, seed);
			if (!boot)
				continue;
			to->warnings += boot->warnings;
			if (!to->first_warning)
				to->first_warning = g_strdup(boot->first_warning);
			if (to->boot_instructions)
				continue;
			measure_add_notes(&work->variants[variant], boot, work->price->notes);
			to->boot_instructions = boot->results.boot;
			to->memory_bytes = boot->results.memory;
		}
	}
}

static void fill_price(const struct work *work)
{
	g_ptr_array_set_size(work->price->workloads, 0);
	for (guint cell = 0; cell < work->cell_count; cell++)
		g_ptr_array_add(work->price->workloads, fill_row(work, cell));
	for (guint i = 0; i < work->variant_count; i++)
		if (!work->variants[i].given)
			fill_variant(work, i);
}

/* The most boots that may serve the comparison of variant @v with the base. A side that is given
 * gets no better: more boots than it has, on the other side, would gain little. */
static guint most_boots(const struct work *work, const struct report_workload *row, guint v)
{
	gboolean base_given = work->variants[0].given != NULL;
	gboolean given = work->variants[v].given != NULL;
	guint most = MOST_BOOTS;

	if (base_given && given)
		return 0;
	if (base_given || given)
		most = MAX(sample_set_boots(row->samples->pdata[given ? v : 0]),
		           COMPARISON_FEWEST_BOOTS);
	return MIN(most, MOST_BOOTS);
}

/* The boots that a row needs for every one of its intervals. */
static guint boots_needed(const struct work *work, const struct report_workload *row)
{
	guint first = report_price_first_measured(work->price);
	guint now = sample_set_boots(row->samples->pdata[first]), needed = now;

	for (guint i = 1; i < row->comparisons->len; i++) {
		const struct comparison *comparison =
			&g_array_index(row->comparisons, struct comparison, i);
		guint more =
			comparison_boots_needed(comparison, now, work->session->options.precision,
		                                most_boots(work, row, i));
		needed = MAX(needed, more);
	}
	return needed;
}

/* Raises the targets of the rows that are not precise enough; FALSE when there is none. */
static gboolean raise_targets(const struct work *work)
{
	gboolean raised = FALSE;

	for (guint cell = 0; cell < work->cell_count; cell++) {
		guint needed = boots_needed(work, work->price->workloads->pdata[cell]);
		raised = raised || needed > work->targets[cell];
		work->targets[cell] = MAX(work->targets[cell], needed);
	}
	return raised;
}

static void mark_shortfall(const struct work *work)
{
	double precision = work->session->options.precision;

	for (guint cell = 0; cell < work->cell_count; cell++) {
		struct report_workload *row = work->price->workloads->pdata[cell];
		for (guint i = 1; i < row->comparisons->len; i++) {
			const struct comparison *comparison =
				&g_array_index(row->comparisons, struct comparison, i);

			/* No time would have narrowed it for what is given. */
			row->fell_short |= !work->variants[0].given && !work->variants[i].given &&
			                   comparison_half_width(comparison) > precision;
		}
	}
}

static gboolean run_rounds(const struct work *work, GCancellable *cancellable, GError **error)
{
	measure_session_t *session = work->session;
	guint done = 0;

	for (;;) {
		g_autoptr(GPtrArray) tasks = missing_tasks(work);
		gboolean fine;

		if (!done)
			progress_phase(session->progress, tasks->len, "measuring %s",
			               work->price->option);
		else
			progress_grow(session->progress, done + tasks->len);
		done += tasks->len;
		fine = run_tasks(session, tasks, cancellable, error);
		fill_price(work);
		if (!fine)
			return FALSE;
		if (session->wanted || session->options.runs || time_is_over(session) ||
		    !raise_targets(work))
			return TRUE;
	}
}

/* The boots of a cell to begin with. */
static guint first_target(const measure_session_t *session, guint cell)
{
	if (session->wanted)
		return session->wanted[cell];
	return session->options.runs ? session->options.runs : COMPARISON_FEWEST_BOOTS;
}

/* Fills in what is known before the first boot. */
static gboolean begin_price(const struct work *work, GError **error)
{
	const struct measure_sink *sink = work->session->sink;

	for (guint cell = 0; cell < work->cell_count; cell++)
		g_ptr_array_add(work->price->workloads, new_row(work, cell));
	return !sink || sink->price(work->price, sink->data, error);
}

/* @error: NULL when there is a failure already. */
static gboolean end_price(const struct work *work, GError **error)
{
	const struct measure_sink *sink = work->session->sink;

	return !sink || sink->priced(work->price, sink->data, error);
}

gboolean measure_price(measure_session_t *session, const struct measure_variant *variants,
                       guint count, const struct measure_cell *cells, guint cell_count,
                       struct report_price *price, GCancellable *cancellable, GError **error)
{
	g_autofree guint *targets = g_new(guint, cell_count);
	struct work work = {
		.session = session,
		.variants = variants,
		.variant_count = count,
		.cells = cells,
		.cell_count = cell_count,
		.price = price,
		.targets = targets,
	};

	for (guint cell = 0; cell < cell_count; cell++)
		targets[cell] = first_target(session, cell);
	if (!begin_price(&work, error))
		return FALSE;
	if (!run_rounds(&work, cancellable, error)) {
		end_price(&work, NULL);
		return FALSE;
	}
	if (!session->wanted && !session->options.runs)
		mark_shortfall(&work);
	return end_price(&work, error);
}
