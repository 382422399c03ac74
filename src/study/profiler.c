/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/profiler.h"

#include <string.h>

#include "base/error.h"
#include "base/paths.h"
#include "kernel/function_files.h"
#include "profile/tree_file.h"
#include "study/measure_row.h"
#include "time/time_file.h"

enum { SEED = 1 }; /* of the boot that is made again: every study has it */

struct profiler {
	const measure_session_t *session;
	const struct measure_options *options;
	const struct measure_sink *sink; /* or NULL */
	progress_t *progress;
	GHashTable *profiles; /* key -> profile_t */
	char *plugin;         /* its file */
};

/* One boot to be profiled. */
struct task {
	char *key;
	const struct measure_variant *variant;
	const struct measure_cell *cell;
	profile_t *profile; /* once it went well */
};

/* What the threads share. */
struct pass {
	profiler_t *profiler;
	GCancellable *stop;
	GMutex mutex; /* of error and the sink */
	GError *error;
};

static void task_free(gpointer data)
{
	struct task *task = data;

	g_free(task->key);
	profile_free(task->profile);
	g_free(task);
}

profiler_t *profiler_new(const measure_session_t *session, const struct measure_options *options,
                         const struct measure_sink *sink, progress_t *progress)
{
	profiler_t *profiler = g_new0(profiler_t, 1);

	profiler->session = session;
	profiler->options = options;
	profiler->sink = sink;
	profiler->progress = progress;
	profiler->profiles = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
	                                           (GDestroyNotify)profile_free);
	return profiler;
}

void profiler_free(profiler_t *profiler)
{
	if (!profiler)
		return;
	g_hash_table_destroy(profiler->profiles);
	g_free(profiler->plugin);
	g_free(profiler);
}

static char *task_key(const struct measure_variant *variant, const struct measure_cell *cell)
{
	return g_strdup_printf("%s\n%s\n%s\n%s", variant->kernel->image_sha256,
	                       variant->cmdline ? variant->cmdline : "", cell->workload,
	                       cell->params);
}

/* A region is whole if its tree's sum is what was counted, all together and function by function,
 * and that is what the guest measured; where the processor waited, virtual time passed as well.
 * Calls that were folded are their callers' in the tree alone. */
static void check_region(struct profile_totals *totals, const struct tree_file_region *region)
{
	gboolean idle = totals->halts && totals->measured > totals->instructions;
	gboolean functions = totals->folded || (region->flat_counters && !region->flat_differences);

	if (region->sum != totals->instructions || !functions ||
	    (!idle && totals->measured != totals->instructions))
		totals->broken++;
}

static gboolean is_same(const struct plan_sample *a, const struct plan_sample *b)
{
	return a->value == b->value && a->operations == b->operations && a->switches == b->switches;
}

static gboolean differs(const machine_boot_t *ordinary, const struct plan_sample *sample, guint i)
{
	return !ordinary || i >= ordinary->results.samples->len ||
	       !is_same(sample, &g_array_index(ordinary->results.samples, struct plan_sample, i));
}

/* What the core model counted in the ordinary boot: GArray of struct time_counts; or NULL. */
static GArray *ordinary_counts(const machine_boot_t *ordinary)
{
	return ordinary && ordinary->times ? time_file_parse(ordinary->times, NULL) : NULL;
}

static gboolean counts_differ(const GArray *ordinary, const profile_t *profile, guint i)
{
	return !ordinary || i >= ordinary->len ||
	       memcmp(&g_array_index(ordinary, struct time_counts, i), &profile->events.counts,
	              sizeof(struct time_counts)) != 0;
}

/* All regions together; each belongs to one sample. */
static profile_t *join_regions(const struct pass *pass, const struct task *task,
                               const GPtrArray *regions, const machine_boot_t *boot, GError **error)
{
	const GArray *samples = boot->results.samples;
	const machine_boot_t *ordinary =
		measure_session_find(pass->profiler->session, task->variant, task->cell, SEED);
	g_autoptr(GArray) counts = ordinary_counts(ordinary);
	profile_t *all;

	if (regions->len != samples->len) {
		error_set(error, KCOST_ERROR_KERNEL,
		          "profiling the kernel with %s: %u call trees for %u samples; is the "
		          "plugin of this kcost?",
		          task->variant->label, regions->len, samples->len);
		return NULL;
	}
	all = profile_new();
	for (guint i = 0; i < regions->len; i++) {
		const struct plan_sample *sample = &g_array_index(samples, struct plan_sample, i);
		struct tree_file_region *region = regions->pdata[i];
		struct profile_totals *totals = &region->profile->totals;

		totals->measured = sample->value;
		totals->operations = sample->operations;
		totals->differing = differs(ordinary, sample, i);
		if (region->profile->rows)
			region->profile->events.differing =
				counts_differ(counts, region->profile, i);
		check_region(totals, region);
		profile_merge(all, region->profile);
	}
	return all;
}

/* As QEMU's -plugin takes it: a comma in a value is doubled. @model may be NULL. */
static char *plugin_argument(const char *plugin, const char *symbols, const char *out,
                             const char *model)
{
	g_autofree char *text = g_strjoin("\n", plugin, symbols, out, model, NULL);
	g_auto(GStrv) pieces = g_strsplit(text, ",", -1);
	g_autofree char *escaped = g_strjoinv(",,", pieces);
	g_auto(GStrv) files = g_strsplit(escaped, "\n", 4);

	return g_strdup_printf("file=%s,symbols=%s,out=%s%s%s", files[0], files[1], files[2],
	                       model ? ",model=" : "", model ? files[3] : "");
}

/* What the plugin reads: the symbols, and the core's file if there is a core. */
static gboolean write_inputs(const kernel_symbols_t *symbols, const char *names,
                             const cpu_model_t *core, const char *model, GError **error)
{
	g_autofree char *text = kernel_symbols_text(symbols);

	return paths_write_file(names, text, -1, error) &&
	       (!core || paths_write_file(model, core->text, -1, error));
}

static profile_t *profile_boot(const struct pass *pass, const struct task *task,
                               const kernel_symbols_t *symbols, const char *dir, GError **error)
{
	const cpu_model_t *core = pass->profiler->options->core;
	g_autofree char *names = g_build_filename(dir, "symbols", NULL);
	g_autofree char *out = g_build_filename(dir, "tree", NULL);
	g_autofree char *model = core ? g_build_filename(dir, "core.ini", NULL) : NULL;
	g_autofree char *plugin = plugin_argument(pass->profiler->plugin, names, out, model);
	g_autoptr(GPtrArray) regions = NULL;
	profile_t *profile = NULL;
	machine_boot_t *boot;

	if (!write_inputs(symbols, names, core, model, error))
		return NULL;
	boot = measure_boot(pass->profiler->session, task->variant, task->cell, SEED, plugin,
	                    pass->stop, error);
	if (!boot)
		return NULL;
	regions = tree_file_read(out, symbols, error);
	if (regions)
		profile = join_regions(pass, task, regions, boot, error);
	measure_boot_free(boot);
	if (profile)
		profile->missing = g_strdup(symbols->missing);
	return profile;
}

static profile_t *profile_task(const struct pass *pass, const struct task *task, GError **error)
{
	const kernel_t *kernel = task->variant->kernel;
	struct symbol_files files = measure_symbol_files(kernel);
	g_autofree char *others =
		function_files_are_in(kernel->dir) ? NULL : function_files_known(kernel->bzimage);
	g_autoptr(kernel_symbols_t) symbols = kernel_symbols_open(&files, others, error);
	g_autoptr(temporary_dir_t) dir = symbols ? paths_make_temporary(error) : NULL;

	return dir ? profile_boot(pass, task, symbols, dir, error) : NULL;
}

static void task_run(gpointer data, gpointer shared)
{
	struct task *task = data;
	struct pass *pass = shared;
	const struct measure_sink *sink = pass->profiler->sink;
	g_autoptr(GError) error = NULL;
	gboolean fine;

	if (g_cancellable_is_cancelled(pass->stop))
		return;
	task->profile = profile_task(pass, task, &error);
	progress_step(pass->profiler->progress, 1);
	g_mutex_lock(&pass->mutex);
	fine = task->profile &&
	       (!sink || !sink->profile ||
	        sink->profile(task->variant, task->cell, SEED, task->profile, sink->data, &error));
	/* What a failure cancels is no failure of its own. */
	if (!fine && !pass->error)
		pass->error = g_steal_pointer(&error);
	g_mutex_unlock(&pass->mutex);
	if (!fine)
		g_cancellable_cancel(pass->stop);
}

static void stop_pass(GCancellable *caller, gpointer stop)
{
	(void)caller;
	g_cancellable_cancel(stop);
}

static gboolean run_tasks(profiler_t *profiler, GPtrArray *tasks, GCancellable *cancellable,
                          GError **error)
{
	g_autoptr(GCancellable) stop = g_cancellable_new();
	struct pass pass = { .profiler = profiler, .stop = stop };
	guint threads = MAX(MIN(profiler->options->jobs, tasks->len), 1);
	gulong handler = g_cancellable_connect(cancellable, G_CALLBACK(stop_pass), stop, NULL);
	GThreadPool *pool = g_thread_pool_new(task_run, &pass, threads, TRUE, NULL);

	g_mutex_init(&pass.mutex);
	for (guint i = 0; i < tasks->len; i++)
		g_thread_pool_push(pool, tasks->pdata[i], NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	g_cancellable_disconnect(cancellable, handler);
	g_mutex_clear(&pass.mutex);
	for (guint i = 0; i < tasks->len; i++) {
		struct task *task = tasks->pdata[i];

		if (task->profile)
			g_hash_table_insert(profiler->profiles, g_steal_pointer(&task->key),
			                    g_steal_pointer(&task->profile));
	}
	if (!pass.error)
		return TRUE;
	g_propagate_error(error, pass.error);
	return FALSE;
}

static gboolean is_planned(const GPtrArray *tasks, const char *key)
{
	for (guint i = 0; i < tasks->len; i++)
		if (!strcmp(((const struct task *)tasks->pdata[i])->key, key))
			return TRUE;
	return FALSE;
}

static void add_task(const profiler_t *profiler, const struct measure_variant *variant,
                     const struct measure_cell *cell, GPtrArray *tasks)
{
	g_autofree char *key = task_key(variant, cell);
	struct task *task;

	if (g_hash_table_contains(profiler->profiles, key) || is_planned(tasks, key))
		return;
	task = g_new0(struct task, 1);
	task->key = g_steal_pointer(&key);
	task->variant = variant;
	task->cell = cell;
	g_ptr_array_add(tasks, task);
}

static void fill_row(const profiler_t *profiler, const struct measure_variant *variants,
                     guint count, const struct measure_cell *cell, struct report_workload *row)
{
	row->profiles = g_ptr_array_new_with_free_func((GDestroyNotify)profile_free);
	for (guint i = 0; i < count; i++) {
		g_autofree char *key = task_key(&variants[i], cell);
		profile_t *copy = profile_new();

		profile_merge(copy, g_hash_table_lookup(profiler->profiles, key));
		g_ptr_array_add(row->profiles, copy);
	}
}

gboolean profiler_prepare(profiler_t *profiler, const struct measure_variant *variants, guint count,
                          GError **error)
{
	if (!profiler->plugin)
		profiler->plugin = paths_profile_plugin(error);
	if (!profiler->plugin)
		return FALSE;
	for (guint i = 0; i < count; i++) {
		struct symbol_files files = measure_symbol_files(variants[i].kernel);

		if (!kernel_symbols_check(&files, error))
			return FALSE;
	}
	return TRUE;
}

gboolean profiler_run(profiler_t *profiler, const struct measure_variant *variants, guint count,
                      const struct measure_cell *cells, guint cell_count,
                      struct report_price *price, GCancellable *cancellable, GError **error)
{
	g_autoptr(GPtrArray) tasks = g_ptr_array_new_with_free_func(task_free);

	for (guint cell = 0; cell < cell_count; cell++)
		for (guint i = 0; i < count; i++)
			add_task(profiler, &variants[i], &cells[cell], tasks);
	progress_phase(profiler->progress, tasks->len, "profiling %s", price->option);
	if (!run_tasks(profiler, tasks, cancellable, error))
		return FALSE;
	for (guint cell = 0; cell < cell_count; cell++)
		fill_row(profiler, variants, count, &cells[cell], price->workloads->pdata[cell]);
	return report_price_decompose(price, profiler->options->core, error);
}
