/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/recorder.h"

#include "base/error.h"
#include "study/measure_row.h"

struct recorder {
	store_t *store;
	const char *kind;
	progress_t *progress;
	struct measure_sink sink;
	gint64 study;
	guint price;   /* the present one's number */
	GError *error; /* the first failure to store */
};

/* Notes a failure once. A study goes on without its store. */
static gboolean settle(recorder_t *recorder, GError *failure)
{
	if (failure) {
		progress_note(recorder->progress, "from here on nothing is stored: %s",
		              failure->message);
		recorder->error = failure;
	}
	return TRUE;
}

static gboolean keep_study(const price_report_t *report, const char *request,
                           const char *base_config, void *data, GError **error)
{
	recorder_t *recorder = data;
	GError *failure = NULL;

	(void)error;
	recorder->study = store_begin_study(recorder->store, recorder->kind, request, base_config,
	                                    report, &failure);
	return settle(recorder, failure);
}

static gboolean keep_price(const struct report_price *price, void *data, GError **error)
{
	recorder_t *recorder = data;
	GError *failure = NULL;

	(void)error;
	if (recorder->error)
		return TRUE;
	store_add_price(recorder->store, recorder->study, recorder->price, price, &failure);
	return settle(recorder, failure);
}

/* The samples of a boot; GArray of struct sample. */
static GArray *boot_samples(const machine_boot_t *boot, guint64 seed)
{
	GArray *samples = g_array_new(FALSE, FALSE, sizeof(struct sample));

	for (guint i = 0; i < boot->results.samples->len; i++) {
		struct sample sample = measure_sample(
			seed, &g_array_index(boot->results.samples, struct plan_sample, i));

		g_array_append_val(samples, sample);
	}
	return samples;
}

static gboolean keep_boot(const struct measure_variant *variant, const struct measure_cell *cell,
                          guint64 seed, const machine_boot_t *boot, void *data, GError **error)
{
	recorder_t *recorder = data;
	g_autoptr(GArray) samples = boot_samples(boot, seed);
	struct store_boot kept = {
		.image_sha256 = variant->kernel->image_sha256,
		.cmdline = variant->cmdline,
		.workload = cell->workload,
		.params = cell->params,
		.seed = seed,
		.boot_instructions = boot->results.boot,
		.memory_bytes = boot->results.memory,
		.warnings = boot->warnings,
		.first_warning = boot->first_warning,
		.seconds = boot->seconds,
		.console = boot->console,
		.times = boot->times,
		.samples = (const struct sample *)(void *)samples->data,
		.sample_count = samples->len,
	};
	GError *failure = NULL;

	(void)error;
	if (recorder->error)
		return TRUE;
	store_add_boot(recorder->store, recorder->study, &kept, &failure);
	return settle(recorder, failure);
}

static gboolean keep_profile(const struct measure_variant *variant, const struct measure_cell *cell,
                             guint64 seed, const profile_t *profile, void *data, GError **error)
{
	recorder_t *recorder = data;
	struct store_boot boot = {
		.image_sha256 = variant->kernel->image_sha256,
		.cmdline = variant->cmdline,
		.workload = cell->workload,
		.params = cell->params,
		.seed = seed,
	};
	GError *failure = NULL;

	(void)error;
	if (recorder->error)
		return TRUE;
	store_add_profile(recorder->store, recorder->study, &boot, profile, &failure);
	return settle(recorder, failure);
}

static gboolean keep_priced(const struct report_price *price, void *data, GError **error)
{
	recorder_t *recorder = data;
	GError *failure = NULL;

	(void)error;
	if (recorder->error)
		return TRUE;
	store_finish_price(recorder->store, recorder->study, recorder->price++, price, &failure);
	return settle(recorder, failure);
}

recorder_t *recorder_new(store_t *store, const char *kind, progress_t *progress)
{
	recorder_t *recorder = g_new0(recorder_t, 1);

	recorder->store = store;
	recorder->kind = kind;
	recorder->progress = progress;
	recorder->sink = (struct measure_sink){
		.study = keep_study,
		.price = keep_price,
		.boot = keep_boot,
		.profile = keep_profile,
		.priced = keep_priced,
		.data = recorder,
	};
	return recorder;
}

void recorder_free(recorder_t *recorder)
{
	if (!recorder)
		return;
	g_clear_error(&recorder->error);
	g_free(recorder);
}

const struct measure_sink *recorder_sink(recorder_t *recorder)
{
	return &recorder->sink;
}

gboolean recorder_finish(recorder_t *recorder, const GError *failure, GError **error)
{
	enum store_state state = !failure                                     ? STORE_COMPLETE
	                         : error_is(failure, KCOST_ERROR_INTERRUPTED) ? STORE_INTERRUPTED
	                                                                      : STORE_FAILED;

	if (recorder->study && !recorder->error)
		store_finish_study(recorder->store, recorder->study, state,
		                   failure ? failure->message : NULL, &recorder->error);
	if (!recorder->error)
		return TRUE;
	g_propagate_error(error, g_error_copy(recorder->error));
	return FALSE;
}

gint64 recorder_id(const recorder_t *recorder)
{
	return recorder->study;
}
