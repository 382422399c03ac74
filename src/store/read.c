/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "store/private.h"

/* A study on its way out of the database. */
struct loading {
	database_t *database;
	gint64 study;
	price_report_t *report;
	GError *error; /* the first failure */
};

void store_study_free(struct store_study *study)
{
	if (!study)
		return;
	g_free(study->kind);
	g_free(study->failure);
	g_free(study->request);
	g_free(study->base_config);
	price_report_free(study->report);
	g_free(study);
}

/* The next row; FALSE at the end, and after a failure, which is kept. */
static gboolean next_row(struct loading *loading, sqlite3_stmt *rows)
{
	return rows && !loading->error && database_next(loading->database, rows, &loading->error);
}

#define QUERY(loading, sql, ...) \
	((loading)->error        \
	         ? NULL          \
	         : database_query((loading)->database, &(loading)->error, sql, __VA_ARGS__))

/* A name the schema's CHECK does not know cannot be there. */
static enum store_state state_of(const char *name)
{
	for (int state = STORE_COMPLETE; state <= STORE_FAILED; state++)
		if (!g_strcmp0(name, store_state_name(state)))
			return state;
	return STORE_OPEN;
}

static void read_provenance(sqlite3_stmt *row, int at, struct report_provenance *provenance)
{
	char **texts[] = {
		&provenance->kcost_version,
		&provenance->kernel_version,
		&provenance->tree,
		&provenance->tree_identity,
		&provenance->tree_git,
		&provenance->base_config,
		&provenance->compiler,
		&provenance->qemu_version,
		&provenance->qemu_arguments,
		&provenance->cpu_model,
		&provenance->kernel_command_line,
		&provenance->guest_sha256,
	};

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		*texts[i] = database_text(row, at++);
	provenance->precision = database_real(row, at);
}

static gboolean load_study(struct loading *loading, struct store_study *study)
{
	g_autoptr(sqlite3_stmt) row =
		QUERY(loading,
	              "SELECT kind, created, state, failure, request, base_config_text,"
	              "  kcost_version, kernel_version, tree, tree_identity, tree_git, base_config,"
	              "  compiler, qemu_version, qemu_arguments, cpu_model, kernel_command_line,"
	              "  guest_sha256, precision, stars FROM study WHERE id = ?",
	              INTEGER_VALUE(loading->study));
	g_autofree char *state = NULL;

	if (!next_row(loading, row))
		return FALSE;
	study->id = loading->study;
	study->kind = database_text(row, 0);
	study->created = sqlite3_column_int64(row, 1);
	state = database_text(row, 2);
	study->state = state_of(state);
	study->failure = database_text(row, 3);
	study->request = database_text(row, 4);
	study->base_config = database_text(row, 5);
	read_provenance(row, 6, &study->report->provenance);
	study->report->stars = (enum star_rule)sqlite3_column_int(row, 19);
	study->report->complete = study->state == STORE_COMPLETE;
	return TRUE;
}

static void load_seeds(struct loading *loading)
{
	g_autoptr(sqlite3_stmt) rows =
		QUERY(loading, "SELECT DISTINCT seed FROM boot WHERE study = ? ORDER BY seed",
	              INTEGER_VALUE(loading->study));

	while (next_row(loading, rows)) {
		guint64 seed = (guint64)sqlite3_column_int64(rows, 0);

		g_array_append_val(loading->report->provenance.seeds, seed);
	}
}

/* The rows of a query for name, off and on. */
static void read_changes(struct loading *loading, sqlite3_stmt *rows, GPtrArray *changes)
{
	while (next_row(loading, rows)) {
		struct config_change *change = g_new0(struct config_change, 1);

		change->name = database_text(rows, 0);
		change->off = database_text(rows, 1);
		change->on = database_text(rows, 2);
		g_ptr_array_add(changes, change);
	}
}

static void load_changes(struct loading *loading, gint64 id, struct report_price *price)
{
	g_autoptr(sqlite3_stmt) rows =
		QUERY(loading,
	              "SELECT name, off_value, on_value FROM config_change WHERE price = ?"
	              " ORDER BY ordinal",
	              INTEGER_VALUE(id));

	read_changes(loading, rows, price->config_changes);
}

static GPtrArray *load_variant_changes(struct loading *loading, gint64 id, guint variant)
{
	GPtrArray *changes = g_ptr_array_new_with_free_func((GDestroyNotify)config_change_free);
	g_autoptr(sqlite3_stmt) rows = QUERY(loading,
	                                     "SELECT name, off_value, on_value FROM variant_change"
	                                     " WHERE price = ? AND variant = ? ORDER BY ordinal",
	                                     INTEGER_VALUE(id), INTEGER_VALUE(variant));

	read_changes(loading, rows, changes);
	return changes;
}

static void load_notes(struct loading *loading, gint64 id, struct report_price *price)
{
	g_autoptr(sqlite3_stmt) rows =
		QUERY(loading, "SELECT text FROM note WHERE price = ? ORDER BY ordinal",
	              INTEGER_VALUE(id));

	while (next_row(loading, rows))
		g_ptr_array_add(price->notes, database_text(rows, 0));
}

static void load_variants(struct loading *loading, gint64 id, struct report_price *price)
{
	g_autoptr(sqlite3_stmt) rows = QUERY(
		loading,
		"SELECT label, image_sha256, cmdline, config_sha256, text, data, bss, bzimage,"
		"  boot_instructions, memory_bytes, warnings, first_warning, kernel_version, tree,"
		"  tree_identity, compiler, has_changes, origin FROM variant WHERE price = ?"
		" ORDER BY ordinal",
		INTEGER_VALUE(id));

	while (next_row(loading, rows)) {
		g_autofree char *label = database_text(rows, 0), *cmdline = database_text(rows, 2);
		g_autofree char *image = database_text(rows, 1);
		struct report_variant *variant = report_variant_new(label);

		variant->image_sha256 = *image ? g_steal_pointer(&image) : NULL;
		variant->cmdline = *cmdline ? g_steal_pointer(&cmdline) : NULL;
		variant->config_sha256 = database_text(rows, 3);
		variant->text = (guint64)sqlite3_column_int64(rows, 4);
		variant->data = (guint64)sqlite3_column_int64(rows, 5);
		variant->bss = (guint64)sqlite3_column_int64(rows, 6);
		variant->bzimage = (guint64)sqlite3_column_int64(rows, 7);
		variant->boot_instructions = (guint64)sqlite3_column_int64(rows, 8);
		variant->memory_bytes = (guint64)sqlite3_column_int64(rows, 9);
		variant->warnings = (guint)sqlite3_column_int64(rows, 10);
		variant->first_warning = database_text(rows, 11);
		variant->kernel_version = database_text(rows, 12);
		variant->tree = database_text(rows, 13);
		variant->tree_identity = database_text(rows, 14);
		variant->compiler = database_text(rows, 15);
		variant->origin = database_text(rows, 17);
		if (sqlite3_column_int(rows, 16))
			variant->config_changes =
				load_variant_changes(loading, id, price->variants->len);
		g_ptr_array_add(price->variants, variant);
	}
}

/* For a price that was cut off: its figures from all boots, in the order of rows and seeds. */
static void derive_figures(struct loading *loading, gint64 id, struct report_variant *variant)
{
	g_autoptr(sqlite3_stmt) rows =
		QUERY(loading,
	              "SELECT boot_instructions, memory_bytes, warnings, first_warning"
	              " FROM workload JOIN boot ON boot.workload = workload.name"
	              "  AND boot.params = workload.params"
	              " WHERE workload.price = ? AND study = ? AND image_sha256 = ?"
	              "  AND cmdline = coalesce(?, '') ORDER BY ordinal, seed",
	              INTEGER_VALUE(id), INTEGER_VALUE(loading->study),
	              TEXT_VALUE(variant->image_sha256), TEXT_VALUE(variant->cmdline));

	while (next_row(loading, rows)) {
		variant->warnings += (guint)sqlite3_column_int64(rows, 2);
		if (!variant->first_warning)
			variant->first_warning = database_text(rows, 3);
		if (variant->boot_instructions)
			continue;
		variant->boot_instructions = (guint64)sqlite3_column_int64(rows, 0);
		variant->memory_bytes = (guint64)sqlite3_column_int64(rows, 1);
	}
}

static struct report_workload *read_workload(sqlite3_stmt *row, guint variants)
{
	g_autofree char *name = database_text(row, 0), *params = database_text(row, 1);
	g_auto(GStrv) words = g_strsplit(params, " ", -1);
	struct report_workload *workload = report_workload_new(name, variants);

	for (char **word = words; *word; word++)
		g_ptr_array_add(workload->params, g_strdup(*word));
	workload->key = database_text(row, 2);
	workload->key_name = database_text(row, 3);
	workload->unit = database_text(row, 4);
	workload->operation = database_text(row, 5);
	workload->operations = (guint64)sqlite3_column_int64(row, 6);
	workload->fell_short = sqlite3_column_int(row, 7);
	return workload;
}

/* A seed counts once every variant that is measured has it, and for a finished price up to its
 * last. Variants with the same kernel each find its boots. */
#define BOOTS_OF_ROW                                                                       \
	" FROM workload JOIN variant ON variant.price = workload.price"                    \
	" JOIN boot ON boot.study = ?1 AND boot.workload = workload.name"                  \
	"  AND boot.params = workload.params AND boot.image_sha256 = variant.image_sha256" \
	"  AND boot.cmdline = variant.cmdline AND variant.origin IS NULL"                  \
	"  AND (workload.last_seed IS NULL OR boot.seed <= workload.last_seed)"

static guint count_measured(const struct report_price *price)
{
	guint count = 0;

	for (guint v = 0; v < price->variants->len; v++)
		count += !((struct report_variant *)price->variants->pdata[v])->origin;
	return count;
}

/* Rows of variant, seed, iteration, value, operations, switches, user and idle. */
static void read_samples(struct loading *loading, sqlite3_stmt *rows,
                         struct report_workload *workload)
{
	while (next_row(loading, rows)) {
		struct sample sample = {
			.seed = (guint64)sqlite3_column_int64(rows, 1),
			.iteration = (guint)sqlite3_column_int64(rows, 2),
			.value = database_real(rows, 3),
			.operations = (guint64)sqlite3_column_int64(rows, 4),
			.switches = (guint64)sqlite3_column_int64(rows, 5),
			.user = database_real(rows, 6),
			.idle = database_real(rows, 7),
		};

		if (sqlite3_column_int64(rows, 0) < workload->samples->len)
			sample_set_add(workload->samples->pdata[sqlite3_column_int(rows, 0)],
			               &sample);
	}
}

static void load_given(struct loading *loading, gint64 id, guint ordinal,
                       struct report_workload *workload)
{
	g_autoptr(sqlite3_stmt) rows =
		QUERY(loading,
	              "SELECT variant, seed, iteration, value, operations, switches, user, idle "
	              "FROM given"
	              " WHERE price = ? AND workload = ? ORDER BY variant, seed, iteration",
	              INTEGER_VALUE(id), INTEGER_VALUE(ordinal));

	read_samples(loading, rows, workload);
}

static void load_samples(struct loading *loading, gint64 id, guint ordinal,
                         const struct report_price *price, struct report_workload *workload)
{
	g_autoptr(sqlite3_stmt) rows =
		QUERY(loading,
	              "SELECT variant.ordinal, boot.seed, iteration, value, sample.operations, "
	              "switches, user, idle" BOOTS_OF_ROW " JOIN sample ON sample.boot = boot.id"
	              " WHERE workload.price = ?2 AND workload.ordinal = ?3"
	              " AND boot.seed IN (SELECT boot.seed" BOOTS_OF_ROW
	              "  WHERE workload.price = ?2 AND workload.ordinal = ?3"
	              "  GROUP BY boot.seed HAVING count(*) = ?4)"
	              " ORDER BY variant.ordinal, boot.seed, iteration",
	              INTEGER_VALUE(loading->study), INTEGER_VALUE(id), INTEGER_VALUE(ordinal),
	              INTEGER_VALUE(count_measured(price)));

	read_samples(loading, rows, workload);
	load_given(loading, id, ordinal, workload);
	report_workload_summarise(workload);
}

static void load_workloads(struct loading *loading, gint64 id, struct report_price *price)
{
	g_autoptr(sqlite3_stmt) rows =
		QUERY(loading,
	              "SELECT name, params, key, key_name, unit, operation, operations, fell_short"
	              " FROM workload WHERE price = ? ORDER BY ordinal",
	              INTEGER_VALUE(id));

	while (next_row(loading, rows)) {
		struct report_workload *workload = read_workload(rows, price->variants->len);

		g_ptr_array_add(price->workloads, workload);
		load_samples(loading, id, price->workloads->len - 1, price, workload);
	}
}

static void load_prices(struct loading *loading)
{
	g_autoptr(sqlite3_stmt) rows = QUERY(
		loading, "SELECT id, label, final FROM price WHERE study = ? ORDER BY ordinal",
		INTEGER_VALUE(loading->study));

	while (next_row(loading, rows)) {
		struct report_price *price = report_price_new();
		gint64 id = sqlite3_column_int64(rows, 0);

		g_ptr_array_add(loading->report->prices, price);
		price->option = database_text(rows, 1);
		load_changes(loading, id, price);
		load_notes(loading, id, price);
		load_variants(loading, id, price);
		load_workloads(loading, id, price);
		for (guint i = 0; !sqlite3_column_int(rows, 2) && i < price->variants->len; i++)
			if (!((struct report_variant *)price->variants->pdata[i])->origin)
				derive_figures(loading, id, price->variants->pdata[i]);
	}
}

/* All in one read transaction, for the study may just be written to. */
static gboolean load_all(store_t *store, struct loading *loading, struct store_study *study)
{
	gboolean found = FALSE;

	if (!database_run_values(store->database, "BEGIN", NULL, 0, &loading->error))
		return FALSE;
	found = load_study(loading, study);
	if (found) {
		load_seeds(loading);
		load_prices(loading);
		if (!loading->error)
			store_load_times(loading->database, loading->study, loading->report,
			                 &loading->error);
		if (!loading->error)
			store_load_profiles(loading->database, loading->study, loading->report,
			                    &loading->error);
	}
	database_end(store->database, TRUE, loading->error ? NULL : &loading->error);
	return found;
}

struct store_study *store_load(store_t *store, gint64 id, GError **error)
{
	g_autoptr(store_study_t) study = g_new0(struct store_study, 1);
	struct loading loading = { .database = store->database, .study = id };
	gboolean found;

	study->report = loading.report = price_report_new();
	found = load_all(store, &loading, study);
	if (!found && !loading.error)
		store_unknown(store, id, &loading.error);
	if (!loading.error)
		return g_steal_pointer(&study);
	g_propagate_error(error, loading.error);
	return NULL;
}
