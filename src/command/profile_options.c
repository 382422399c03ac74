/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "command/profile_options.h"

#include "base/error.h"
#include "base/paths.h"
#include "report/profile_files.h"

/* What the files are of. */
struct choice {
	const struct report_price *price;
	const struct report_decomposition *decomposition;
	guint v;
};

void profile_options_clear(struct profile_options *options)
{
	g_clear_pointer(&options->folded, g_free);
	g_clear_pointer(&options->callgrind, g_free);
	g_clear_pointer(&options->flamegraph, g_free);
	g_clear_pointer(&options->of, g_free);
}

gboolean profile_options_any(const struct profile_options *options)
{
	return options->folded || options->callgrind || options->flamegraph;
}

static gboolean fits(const struct report_price *price, guint v, const char *label)
{
	const struct report_variant *variant = price->variants->pdata[v];

	return label ? !g_strcmp0(variant->label, label) : v + 1 == price->variants->len;
}

static gboolean choose(const price_report_t *report, const char *label, struct choice *choice,
                       GError **error)
{
	g_autoptr(GString) known = g_string_new(NULL);

	for (guint p = 0; p < report->prices->len; p++) {
		const struct report_price *price = report->prices->pdata[p];

		for (guint v = 0; price->decompositions->len && v < price->variants->len; v++) {
			const struct report_variant *variant = price->variants->pdata[v];

			g_string_append_printf(known, "%s%s", known->len ? ", " : "",
			                       variant->label);
			if (!fits(price, v, label))
				continue;
			*choice = (struct choice){ price, price->decompositions->pdata[0], v };
			return TRUE;
		}
	}
	if (!known->len)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "this result has no profile; measure with --profile");
	return error_set(error, KCOST_ERROR_USAGE, "--of takes one of %s, not '%s'", known->str,
	                 label);
}

static char *title_of(const struct choice *choice)
{
	const struct report_variant *base = choice->price->variants->pdata[0];
	const struct report_variant *variant = choice->price->variants->pdata[choice->v];
	const struct report_decomposition *decomposition = choice->decomposition;

	return g_strdup_printf("%s%s%s: %s%s%s", decomposition->workload,
	                       *decomposition->rows ? ", " : "", decomposition->rows,
	                       variant->label, choice->v ? " against " : "",
	                       choice->v ? base->label : "");
}

static gboolean write_text(const char *path, char *text, GError **error)
{
	gboolean fine = paths_write_file(path, text, -1, error);

	g_free(text);
	return fine;
}

static gboolean write_flamegraph(const char *path, const struct choice *choice, const char *title,
                                 GError **error)
{
	const struct report_decomposition *decomposition = choice->decomposition;
	const profile_t *base = choice->v ? decomposition->profiles->pdata[0] : NULL;
	char *svg = profile_flamegraph(base, decomposition->profiles->pdata[choice->v], title,
	                               decomposition->operation, error);

	return svg && write_text(path, svg, error);
}

static gboolean write_stacks(const struct profile_options *options, const profile_t *profile,
                             const guint64 *nanoseconds, GError **error)
{
	if (options->in_time && !nanoseconds)
		return error_set(error, KCOST_ERROR_USAGE,
		                 "this profile has no estimated time; measure with --profile and a "
		                 "--cpu-model other than none");
	return write_text(options->folded,
	                  profile_folded(profile, options->in_time ? nanoseconds : NULL), error);
}

gboolean profile_options_write(const struct profile_options *options, const price_report_t *report,
                               GError **error)
{
	g_autofree char *title = NULL;
	g_autofree guint64 *nanoseconds = NULL;
	const profile_t *profile;
	struct choice choice = { 0 };

	if (!profile_options_any(options))
		return TRUE;
	if (!choose(report, options->of, &choice, error))
		return FALSE;
	title = title_of(&choice);
	profile = choice.decomposition->profiles->pdata[choice.v];
	nanoseconds = profile_nanoseconds(profile, report->core);
	return (!options->folded || write_stacks(options, profile, nanoseconds, error)) &&
	       (!options->callgrind ||
	        write_text(options->callgrind, profile_callgrind(profile, nanoseconds, title),
	                   error)) &&
	       (!options->flamegraph ||
	        write_flamegraph(options->flamegraph, &choice, title, error));
}
