/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <time.h>

#include "base/error.h"
#include "store/private.h"

gint64 store_begin_study(store_t *store, const char *kind, const char *request,
                         const char *base_config, const price_report_t *report, GError **error)
{
	const struct report_provenance *provenance = &report->provenance;

	if (!database_run(
		    store->database, error,
		    "INSERT INTO study (kind, created, request, base_config_text, kcost_version,"
		    "  kernel_version, tree, tree_identity, tree_git, base_config, compiler,"
		    "  qemu_version, qemu_arguments, cpu_model, kernel_command_line,"
		    "  guest_sha256, precision, stars, core, core_text)"
		    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		    TEXT_VALUE(kind), INTEGER_VALUE(time(NULL)), TEXT_VALUE(request),
		    TEXT_VALUE(base_config), TEXT_VALUE(provenance->kcost_version),
		    TEXT_VALUE(provenance->kernel_version), TEXT_VALUE(provenance->tree),
		    TEXT_VALUE(provenance->tree_identity), TEXT_VALUE(provenance->tree_git),
		    TEXT_VALUE(provenance->base_config), TEXT_VALUE(provenance->compiler),
		    TEXT_VALUE(provenance->qemu_version), TEXT_VALUE(provenance->qemu_arguments),
		    TEXT_VALUE(provenance->cpu_model), TEXT_VALUE(provenance->kernel_command_line),
		    TEXT_VALUE(provenance->guest_sha256), REAL_VALUE(provenance->precision),
		    INTEGER_VALUE(report->stars),
		    TEXT_VALUE(report->core ? report->core->name : NULL),
		    TEXT_VALUE(report->core ? report->core->text : NULL)))
		return 0;
	return database_last_id(store->database);
}

/* "groups=4 loops=20"; the same for every way to write the blanks. */
char *store_join_params(const GPtrArray *params)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < params->len; i++)
		g_string_append_printf(text, "%s%s", i ? " " : "", (char *)params->pdata[i]);
	return g_string_free(text, FALSE);
}

char *store_normal_params(const char *params)
{
	g_auto(GStrv) words = g_strsplit(params, " ", -1);
	g_autoptr(GPtrArray) some = g_ptr_array_new();

	for (char **word = words; *word; word++)
		if (**word)
			g_ptr_array_add(some, *word);
	return store_join_params(some);
}

static gboolean add_changes(store_t *store, gint64 row, const struct report_price *price,
                            GError **error)
{
	for (guint i = 0; i < price->config_changes->len; i++) {
		const struct config_change *change = price->config_changes->pdata[i];

		if (!database_run(store->database, error,
		                  "INSERT INTO config_change VALUES (?, ?, ?, ?, ?)",
		                  INTEGER_VALUE(row), INTEGER_VALUE(i), TEXT_VALUE(change->name),
		                  TEXT_VALUE(change->off), TEXT_VALUE(change->on)))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_variant_changes(store_t *store, gint64 row, guint variant,
                                    const GPtrArray *changes, GError **error)
{
	for (guint i = 0; changes && i < changes->len; i++) {
		const struct config_change *change = changes->pdata[i];

		if (!database_run(store->database, error,
		                  "INSERT INTO variant_change VALUES (?, ?, ?, ?, ?, ?)",
		                  INTEGER_VALUE(row), INTEGER_VALUE(variant), INTEGER_VALUE(i),
		                  TEXT_VALUE(change->name), TEXT_VALUE(change->off),
		                  TEXT_VALUE(change->on)))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_variants(store_t *store, gint64 row, const struct report_price *price,
                             GError **error)
{
	for (guint i = 0; i < price->variants->len; i++) {
		const struct report_variant *variant = price->variants->pdata[i];

		if (!database_run(
			    store->database, error,
			    "INSERT INTO variant (price, ordinal, label, image_sha256, cmdline,"
			    "  config_sha256, kernel_version, tree, tree_identity, compiler,"
			    "  has_changes, text, data, bss, bzimage, origin)"
			    " VALUES (?, ?, ?, coalesce(?, ''), coalesce(?, ''), ?, ?, ?, ?, ?, ?,"
			    "  ?, ?, ?, ?, ?)",
			    INTEGER_VALUE(row), INTEGER_VALUE(i), TEXT_VALUE(variant->label),
			    TEXT_VALUE(variant->image_sha256), TEXT_VALUE(variant->cmdline),
			    TEXT_VALUE(variant->config_sha256), TEXT_VALUE(variant->kernel_version),
			    TEXT_VALUE(variant->tree), TEXT_VALUE(variant->tree_identity),
			    TEXT_VALUE(variant->compiler),
			    INTEGER_VALUE(variant->config_changes != NULL),
			    INTEGER_VALUE(variant->text), INTEGER_VALUE(variant->data),
			    INTEGER_VALUE(variant->bss), INTEGER_VALUE(variant->bzimage),
			    TEXT_VALUE(variant->origin)) ||
		    !add_variant_changes(store, row, i, variant->config_changes, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_workloads(store_t *store, gint64 row, const struct report_price *price,
                              GError **error)
{
	for (guint i = 0; i < price->workloads->len; i++) {
		const struct report_workload *workload = price->workloads->pdata[i];
		g_autofree char *params = store_join_params(workload->params);

		if (!database_run(store->database, error,
		                  "INSERT INTO workload (price, ordinal, name, params, key,"
		                  "  key_name, unit, operation, operations)"
		                  " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
		                  INTEGER_VALUE(row), INTEGER_VALUE(i), TEXT_VALUE(workload->name),
		                  TEXT_VALUE(params), TEXT_VALUE(workload->key),
		                  TEXT_VALUE(workload->key_name), TEXT_VALUE(workload->unit),
		                  TEXT_VALUE(workload->operation),
		                  INTEGER_VALUE(workload->operations)))
			return FALSE;
	}
	return TRUE;
}

static gboolean add_given_set(store_t *store, gint64 row, guint workload, guint variant,
                              const sample_set_t *set, GError **error)
{
	for (guint i = 0; i < set->samples->len; i++) {
		const struct sample *sample = &g_array_index(set->samples, struct sample, i);

		if (!database_run(store->database, error,
		                  "INSERT INTO given VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		                  INTEGER_VALUE(row), INTEGER_VALUE(workload),
		                  INTEGER_VALUE(variant), INTEGER_VALUE(sample->seed),
		                  INTEGER_VALUE(sample->iteration), REAL_VALUE(sample->value),
		                  INTEGER_VALUE(sample->operations),
		                  INTEGER_VALUE(sample->switches), REAL_VALUE(sample->user),
		                  REAL_VALUE(sample->idle)))
			return FALSE;
	}
	return TRUE;
}

/* The samples of what is not measured. */
static gboolean add_given(store_t *store, gint64 row, const struct report_price *price,
                          GError **error)
{
	for (guint w = 0; w < price->workloads->len; w++) {
		const struct report_workload *workload = price->workloads->pdata[w];

		for (guint v = 0; v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];

			if (variant->origin &&
			    !add_given_set(store, row, w, v, workload->samples->pdata[v], error))
				return FALSE;
		}
	}
	return TRUE;
}

static gboolean add_notes(store_t *store, gint64 row, const struct report_price *price,
                          GError **error)
{
	for (guint i = 0; i < price->notes->len; i++)
		if (!database_run(store->database, error, "INSERT INTO note VALUES (?, ?, ?)",
		                  INTEGER_VALUE(row), INTEGER_VALUE(i),
		                  TEXT_VALUE(price->notes->pdata[i])))
			return FALSE;
	return TRUE;
}

#define THIS_PRICE "price = (SELECT id FROM price WHERE study = ? AND ordinal = ?)"

/* What is known of a variant once all its boots are made. */
static gboolean set_figures(store_t *store, gint64 study, guint ordinal, guint place,
                            const struct report_variant *variant, GError **error)
{
	return database_run(store->database, error,
	                    "UPDATE variant SET boot_instructions = ?, memory_bytes = ?,"
	                    "  warnings = ?, first_warning = ?"
	                    " WHERE " THIS_PRICE " AND variant.ordinal = ?",
	                    INTEGER_VALUE(variant->boot_instructions),
	                    INTEGER_VALUE(variant->memory_bytes), INTEGER_VALUE(variant->warnings),
	                    TEXT_VALUE(variant->first_warning), INTEGER_VALUE(study),
	                    INTEGER_VALUE(ordinal), INTEGER_VALUE(place));
}

/* Of what is not measured they are known from the start. */
static gboolean set_given_figures(store_t *store, gint64 study, guint ordinal,
                                  const struct report_price *price, GError **error)
{
	for (guint i = 0; i < price->variants->len; i++) {
		const struct report_variant *variant = price->variants->pdata[i];

		if (variant->origin && !set_figures(store, study, ordinal, i, variant, error))
			return FALSE;
	}
	return TRUE;
}

static gboolean insert_price(store_t *store, gint64 study, guint ordinal,
                             const struct report_price *price, GError **error)
{
	gint64 row;

	if (!database_run(store->database, error,
	                  "INSERT INTO price (study, ordinal, label) VALUES (?, ?, ?)",
	                  INTEGER_VALUE(study), INTEGER_VALUE(ordinal), TEXT_VALUE(price->option)))
		return FALSE;
	row = database_last_id(store->database);
	return add_changes(store, row, price, error) && add_variants(store, row, price, error) &&
	       add_workloads(store, row, price, error) && add_given(store, row, price, error) &&
	       set_given_figures(store, study, ordinal, price, error) &&
	       add_notes(store, row, price, error);
}

gboolean store_add_price(store_t *store, gint64 study, guint ordinal,
                         const struct report_price *price, GError **error)
{
	return database_begin(store->database, error) &&
	       database_end(store->database, insert_price(store, study, ordinal, price, error),
	                    error);
}

static gboolean insert_samples(store_t *store, gint64 row, const struct store_boot *boot,
                               GError **error)
{
	for (guint i = 0; i < boot->sample_count; i++) {
		const struct sample *sample = &boot->samples[i];

		if (!database_run(store->database, error,
		                  "INSERT INTO sample VALUES (?, ?, ?, ?, ?, ?, ?)",
		                  INTEGER_VALUE(row), INTEGER_VALUE(sample->iteration),
		                  REAL_VALUE(sample->value), INTEGER_VALUE(sample->operations),
		                  INTEGER_VALUE(sample->switches), REAL_VALUE(sample->user),
		                  REAL_VALUE(sample->idle)))
			return FALSE;
	}
	return TRUE;
}

static gboolean insert_boot(store_t *store, gint64 study, const struct store_boot *boot,
                            GError **error)
{
	g_autofree char *params = store_normal_params(boot->params);

	return database_run(
		       store->database, error,
		       "INSERT INTO boot (study, image_sha256, cmdline, workload, params, seed,"
		       "  boot_instructions, memory_bytes, warnings, first_warning, seconds,"
		       "  console, times)"
		       " VALUES (?, ?, coalesce(?, ''), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		       INTEGER_VALUE(study), TEXT_VALUE(boot->image_sha256),
		       TEXT_VALUE(boot->cmdline), TEXT_VALUE(boot->workload), TEXT_VALUE(params),
		       INTEGER_VALUE(boot->seed), INTEGER_VALUE(boot->boot_instructions),
		       INTEGER_VALUE(boot->memory_bytes), INTEGER_VALUE(boot->warnings),
		       TEXT_VALUE(boot->first_warning), REAL_VALUE(boot->seconds),
		       TEXT_VALUE(boot->console), TEXT_VALUE(boot->times)) &&
	       insert_samples(store, database_last_id(store->database), boot, error);
}

gboolean store_add_boot(store_t *store, gint64 study, const struct store_boot *boot, GError **error)
{
	return database_begin(store->database, error) &&
	       database_end(store->database, insert_boot(store, study, boot, error), error);
}

/* The last seed that counts: the sets that are measured all have the same seeds. */
static guint64 last_seed(const struct report_price *price, const struct report_workload *workload)
{
	guint first = report_price_first_measured(price);
	const GArray *samples;

	if (first == workload->samples->len)
		return 0;
	samples = ((sample_set_t *)workload->samples->pdata[first])->samples;
	return samples->len ? g_array_index(samples, struct sample, samples->len - 1).seed : 0;
}

static gboolean finish_rows(store_t *store, gint64 study, guint ordinal,
                            const struct report_price *price, GError **error)
{
	for (guint i = 0; i < price->workloads->len; i++) {
		const struct report_workload *workload = price->workloads->pdata[i];

		if (!database_run(
			    store->database, error,
			    "UPDATE workload SET operations = ?, last_seed = ?, fell_short = ?"
			    " WHERE " THIS_PRICE " AND workload.ordinal = ?",
			    INTEGER_VALUE(workload->operations),
			    INTEGER_VALUE(last_seed(price, workload)),
			    INTEGER_VALUE(workload->fell_short != 0), INTEGER_VALUE(study),
			    INTEGER_VALUE(ordinal), INTEGER_VALUE(i)))
			return FALSE;
	}
	return TRUE;
}

static gboolean finish_variants(store_t *store, gint64 study, guint ordinal,
                                const struct report_price *price, GError **error)
{
	for (guint i = 0; i < price->variants->len; i++)
		if (!set_figures(store, study, ordinal, i, price->variants->pdata[i], error))
			return FALSE;
	return TRUE;
}

/* Notes come up as boots are made, so the final list replaces all. */
static gboolean finish_notes(store_t *store, gint64 study, guint ordinal,
                             const struct report_price *price, GError **error)
{
	if (!database_run(store->database, error, "DELETE FROM note WHERE " THIS_PRICE,
	                  INTEGER_VALUE(study), INTEGER_VALUE(ordinal)))
		return FALSE;
	for (guint i = 0; i < price->notes->len; i++)
		if (!database_run(store->database, error,
		                  "INSERT INTO note SELECT id, ?, ? FROM price"
		                  " WHERE study = ? AND ordinal = ?",
		                  INTEGER_VALUE(i), TEXT_VALUE(price->notes->pdata[i]),
		                  INTEGER_VALUE(study), INTEGER_VALUE(ordinal)))
			return FALSE;
	return TRUE;
}

static gboolean finish_price(store_t *store, gint64 study, guint ordinal,
                             const struct report_price *price, GError **error)
{
	return finish_rows(store, study, ordinal, price, error) &&
	       finish_variants(store, study, ordinal, price, error) &&
	       finish_notes(store, study, ordinal, price, error) &&
	       database_run(store->database, error,
	                    "UPDATE price SET final = 1 WHERE study = ? AND ordinal = ?",
	                    INTEGER_VALUE(study), INTEGER_VALUE(ordinal));
}

gboolean store_finish_price(store_t *store, gint64 study, guint ordinal,
                            const struct report_price *price, GError **error)
{
	return database_begin(store->database, error) &&
	       database_end(store->database, finish_price(store, study, ordinal, price, error),
	                    error);
}

gboolean store_finish_study(store_t *store, gint64 study, enum store_state state,
                            const char *failure, GError **error)
{
	if (!database_run(
		    store->database, error, "UPDATE study SET state = ?, failure = ? WHERE id = ?",
		    TEXT_VALUE(store_state_name(state)), TEXT_VALUE(failure), INTEGER_VALUE(study)))
		return FALSE;
	return database_changes(store->database) == 1 || store_unknown(store, study, error);
}
