/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "command/command.h"
#include "command/recorder.h"
#include "command/results.h"
#include "kernel/variant.h"
#include "study/price_study.h"

static const char description[] = "FILE is a log of another program: output of perf bench sched "
				  "messaging or of hackbench, JSON\n"
				  "of hyperfine, a column of numbers; or a work directory of "
				  "mmtests. Each becomes one variant of\n"
				  "a new result, the first being the base. --name names them in "
				  "turn; files of one name are runs\n"
				  "of one variant, and a single --name is for all files.\n"
				  "\n"
				  "Examples:\n"
				  "  kcost import before.txt after.txt --name before --name after\n"
				  "  kcost import boot1.txt boot2.txt boot3.txt --name server\n";

static variant_t *find_variant(const GPtrArray *variants, const char *label)
{
	for (guint i = 0; i < variants->len; i++)
		if (!strcmp(((variant_t *)variants->pdata[i])->label, label))
			return variants->pdata[i];
	return NULL;
}

/* Two files of the same name in two directories are not meant for one. */
static gboolean check_unnamed(const GPtrArray *variants, const char *label, const char *file,
                              GError **error)
{
	return !find_variant(variants, label) ||
	       error_set(
		       error, KCOST_ERROR_USAGE,
		       "%s: another file is called '%s' as well; tell them apart with a --name for "
		       "each, or say with one --name that they are runs of one variant",
		       file, label);
}

static gboolean add_file(GPtrArray *variants, const char *file, const char *name, GError **error)
{
	g_autofree char *base = g_path_get_basename(file);
	const char *label = name ? name : base;
	variant_t *variant;

	if (!name && !check_unnamed(variants, label, file, error))
		return FALSE;
	variant = find_variant(variants, label);
	if (!variant) {
		variant = variant_new(label);
		g_ptr_array_add(variants, variant);
	}
	g_ptr_array_add(variant->logs, g_strdup(file));
	return TRUE;
}

/* GPtrArray of variant_t, owned by the caller. */
static GPtrArray *make_variants(char *const *files, char *const *names, GError **error)
{
	g_autoptr(GPtrArray) variants =
		g_ptr_array_new_with_free_func((GDestroyNotify)variant_free);
	guint count = g_strv_length((char **)files);
	guint named = names ? g_strv_length((char **)names) : 0;

	if (named > 1 && named != count)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "%u files and %u names: give one --name for each file, or one for "
		                 "all of them",
		                 count, named),
		       NULL;
	for (guint i = 0; i < count; i++)
		if (!add_file(variants, files[i], named ? names[named == 1 ? 0 : i] : NULL, error))
			return NULL;
	if (variants->len > VARIANTS_MOST)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "a result has %d variants at most, not %u; import them in parts",
		                 VARIANTS_MOST, variants->len),
		       NULL;
	return g_steal_pointer(&variants);
}

static int tell(const price_report_t *report, gint64 id)
{
	const struct report_price *price = report->prices->pdata[0];
	g_autofree char *text = NULL;

	for (guint i = 0; i < price->notes->len; i++)
		fprintf(stderr, "kcost: note: %s\n", (char *)price->notes->pdata[i]);
	text = g_strdup_printf("kept as result %" G_GINT64_FORMAT ": %s, %u row%s\n", id,
	                       price->option, price->workloads->len,
	                       price->workloads->len == 1 ? "" : "s");
	return command_print(text);
}

static int import(const char *store_option, const GPtrArray *variants)
{
	g_autofree char *path = store_path(store_option);
	g_autoptr(price_report_t) report = price_report_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(store_t) store = store_open_to_write(path, &error);
	g_autoptr(recorder_t) recorder = store ? recorder_new(store, "import", NULL) : NULL;
	struct price_request request = { .variants = variants, .keep_all_rows = TRUE };

	if (!store)
		return command_fail(error);
	request.sink = recorder_sink(recorder);
	if (!compare_study_run(&request, NULL, report, NULL, &error) ||
	    !recorder_finish(recorder, NULL, &error))
		return command_fail(error);
	return tell(report, recorder_id(recorder));
}

static int run_import(const struct command *command, int argc, char **argv,
                      GCancellable *cancellable)
{
	g_autofree char *store = NULL;
	g_auto(GStrv) names = NULL;
	g_autoptr(GPtrArray) variants = NULL;
	g_autoptr(GError) error = NULL;
	const GOptionEntry entries[] = {
		{ "name", 'n', 0, G_OPTION_ARG_STRING_ARRAY, &names,
		  "what the files are called in reports, in turn (default: their names)", "LABEL" },
		RESULTS_STORE_ENTRY(&store),
		G_OPTION_ENTRY_NULL,
	};
	int status;

	(void)cancellable;
	if (!command_parse(command, entries, description, &argc, &argv, &status))
		return status;
	if (argc < 2)
		return command_usage(command, "which file? name at least one");
	variants = make_variants(argv + 1, names, &error);
	return variants ? import(store, variants) : command_fail(error);
}

const struct command command_import = {
	.name = "import",
	.usage = "FILE...",
	.summary = "keep the logs of other programs as a result",
	.run = run_import,
};
