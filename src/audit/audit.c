/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "audit/audit.h"

#include <math.h>
#include <string.h>

#include "audit/rows.h"
#include "base/error.h"
#include "base/paths.h"

const char *audit_origin_name(enum audit_origin origin)
{
	static const char *const names[] = {
		[ORIGIN_UNKNOWN] = "unknown",
		[ORIGIN_DEFAULT] = "default",
		[ORIGIN_CHOICE] = "choice",
	};
	_Static_assert(G_N_ELEMENTS(names) == ORIGIN_COUNT, "a name for each origin");

	return names[origin];
}

void audit_free(audit_t *audit)
{
	if (!audit)
		return;
	g_ptr_array_unref(audit->unpriced);
	g_ptr_array_unref(audit->rows);
	g_ptr_array_unref(audit->columns);
	g_ptr_array_unref(audit->warnings);
	option_facts_free(audit->facts);
	price_list_free(audit->own_list);
	g_free(audit->arch);
	g_free(audit->cmdline);
	config_reading_free(audit->reading);
	config_source_free(audit->source);
	g_free(audit);
}

/* The architecture as a price list names it: the kernel's x86 is two. */
static char *find_arch(const config_file_t *config)
{
	const char *arch = config_file_arch(config);

	if (g_strcmp0(arch, "x86") != 0)
		return g_strdup(arch);
	if (config_file_is_on(config, "X86_32") ||
	    !g_strcmp0(config_file_get(config, "64BIT"), "n"))
		return g_strdup("i386");
	return g_strdup("x86_64");
}

static char *running_cmdline(const char *root)
{
	g_autofree char *path = g_strconcat(root, "/proc/cmdline", NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? g_strstrip(text) : NULL;
}

static void find_cmdline(audit_t *audit, const struct audit_request *request)
{
	g_autofree char *running = NULL;
	const char *cmdline = request->cmdline;

	if (!cmdline && audit->source->running) {
		running = running_cmdline(request->root);
		cmdline = running;
		audit->cmdline_is_running = running != NULL;
	}
	audit->cmdline = activation_cmdline(audit->reading->config, cmdline);
	if (!cmdline && !*audit->cmdline)
		g_clear_pointer(&audit->cmdline, g_free);
}

/* FALSE only for a list that is there and wrong. */
static gboolean find_list(audit_t *audit, const struct audit_request *request, GError **error)
{
	g_autofree char *dir = NULL;
	g_autoptr(GError) cause = NULL;

	audit->list = request->list;
	if (audit->list)
		return TRUE;
	if (request->prices) {
		audit->own_list = price_list_load(request->prices, &cause);
	} else {
		dir = paths_price_lists(NULL);
		if (dir)
			audit->own_list = price_list_select(
				dir, audit->arch, config_file_version(audit->reading->config),
				&cause);
	}
	audit->list = audit->own_list;
	if (!cause)
		return TRUE;
	g_propagate_error(error, g_steal_pointer(&cause));
	return FALSE;
}

G_GNUC_PRINTF(2, 3) static void warn(audit_t *audit, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(audit->warnings, g_strdup_vprintf(format, args));
	va_end(args);
}

/* "6.1" of 6.1.192. */
static char *series(const char *version)
{
	const char *dot = strchr(version, '.'), *second = dot ? strchr(dot + 1, '.') : NULL;

	return second ? g_strndup(version, second - version) : g_strdup(version);
}

static void warn_of_version(audit_t *audit)
{
	const char *version = config_file_version(audit->reading->config);
	const char *listed = price_list_get(audit->list, PRICE_LIST_KERNEL);
	g_autofree char *mine = version ? series(version) : NULL;
	g_autofree char *theirs = listed ? series(listed) : NULL;

	if (mine && theirs && strcmp(mine, theirs) != 0)
		warn(audit,
		     "the prices are of Linux %s, the configuration is of %s: options are matched "
		     "by name, and what one costs may have changed",
		     listed, version);
}

static void warn_of_arch(audit_t *audit)
{
	const char *listed = price_list_get(audit->list, PRICE_LIST_ARCH);

	if (audit->arch && listed && strcmp(audit->arch, listed) != 0)
		warn(audit,
		     "the prices are of %s, the configuration is of %s: options are matched by "
		     "name, and what one costs there may be something else",
		     listed, audit->arch);
}

static void warn_of_list(audit_t *audit)
{
	if (!audit->list) {
		warn(audit, "there is no price list: options are named without their prices; name "
		            "one with --prices, or make one with `kcost sweep`");
		return;
	}
	warn_of_version(audit);
	warn_of_arch(audit);
}

static void warn_of_config(audit_t *audit)
{
	const config_reading_t *reading = audit->reading;

	if (reading->fragment)
		warn(audit, "the configuration has no header of Kconfig's: options that it does "
		            "not name are taken to be off");
	if (!audit->cmdline)
		warn(audit, "the boot parameters are not known: what waits for one is taken to be "
		            "dormant (see --cmdline)");
	for (guint kind = 0; kind < FINDING_KINDS; kind++) {
		const struct config_finding *first = NULL;

		for (guint i = 0; i < reading->findings->len && !first; i++) {
			const struct config_finding *finding = reading->findings->pdata[i];

			first = finding->kind == kind ? finding : NULL;
		}
		if (first)
			warn(audit, "%u of its lines %s; the first is line %u: %s",
			     reading->counts[kind], config_finding_description(kind), first->line,
			     first->text);
	}
}

static guint count_on(const config_file_t *config)
{
	g_autoptr(GPtrArray) names = config_file_names(config);
	guint count = 0;

	for (guint i = 0; i < names->len; i++) {
		const char *value = config_file_get(config, names->pdata[i]);

		count += !strcmp(value, "y") || !strcmp(value, "m");
	}
	return count;
}

audit_t *audit_new(const struct audit_request *request, GError **error)
{
	g_autoptr(audit_t) audit = g_new0(audit_t, 1);

	audit->warnings = g_ptr_array_new_with_free_func(g_free);
	audit->columns = g_ptr_array_new_with_free_func(audit_column_free);
	audit->rows = g_ptr_array_new_with_free_func(audit_row_free);
	audit->unpriced = g_ptr_array_new_with_free_func(audit_row_free);
	audit->facts = option_facts_load(error);
	audit->source =
		audit->facts ? config_source_open(request->config, request->root, error) : NULL;
	audit->reading = audit->source
	                         ? config_reading_parse(audit->source->text, audit->source->length,
	                                                audit->source->name, error)
	                         : NULL;
	if (!audit->reading)
		return NULL;
	audit->arch = find_arch(audit->reading->config);
	audit->on = count_on(audit->reading->config);
	find_cmdline(audit, request);
	if (!find_list(audit, request, error))
		return NULL;
	warn_of_list(audit);
	warn_of_config(audit);
	audit_fill_rows(audit);
	return g_steal_pointer(&audit);
}

static const struct audit_row *find_row(const GPtrArray *rows, const char *option)
{
	for (guint i = 0; i < rows->len; i++) {
		const struct audit_row *row = rows->pdata[i];

		if (!strcmp(row->option, option))
			return row;
	}
	return NULL;
}

const struct audit_row *audit_find(const audit_t *audit, const char *option)
{
	const struct audit_row *row = find_row(audit->rows, option);

	return row ? row : find_row(audit->unpriced, option);
}

double audit_row_paid(const struct audit_row *row, guint column)
{
	return row && row->charged && row->costs[column] ? row->costs[column]->cost : 0;
}
