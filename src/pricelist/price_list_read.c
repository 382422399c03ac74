/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>
#include <string.h>

#include "base/csv.h"
#include "base/error.h"
#include "pricelist/price_list.h"
#include "pricelist/price_list_columns.h"

struct reader {
	const char *name;
	const char *text;         /* what is left */
	guint line;               /* of what is left, from 1 */
	guint row;                /* the line of the row that is being read */
	int places[COLUMN_COUNT]; /* in a row; -1: the file has no such column */
	price_list_t *list;
};

static gboolean fail(const struct reader *reader, guint line, const char *what, GError **error)
{
	return error_set(error, KCOST_ERROR_USAGE,
	                 "the price list %s, line %u: %s; docs/prices.md describes the format, "
	                 "`kcost sweep` writes it",
	                 reader->name, line, what);
}

/* `# key: value`; other comments are of no consequence. */
static void read_heading(struct reader *reader, const char *line)
{
	const char *colon = strstr(line, ": ");
	g_autofree char *key = NULL;

	line += strspn(line, "# ");
	if (!colon || colon <= line)
		return;
	key = g_strndup(line, colon - line);
	if (key[strcspn(key, " \t")] == '\0')
		price_list_add(reader->list, key, colon + 2);
}

static gboolean read_header(struct reader *reader, GError **error)
{
	while (*reader->text == '#') {
		gsize length = strcspn(reader->text, "\n");
		g_autofree char *line = g_strchomp(g_strndup(reader->text, length));

		if (reader->line == 1 && strcmp(line, PRICE_LIST_FIRST_LINE) != 0)
			break;
		if (reader->line > 1)
			read_heading(reader, line);
		reader->text += length + (reader->text[length] == '\n');
		reader->line++;
	}
	return reader->line > 1 || fail(reader, 1,
	                                "its first line is not '" PRICE_LIST_FIRST_LINE
	                                "', so it is none, or of another kcost",
	                                error);
}

static gboolean read_columns(struct reader *reader, GError **error)
{
	static const enum price_column needed[] = { COLUMN_OPTION, COLUMN_OFF,      COLUMN_ON,
		                                    COLUMN_STATUS, COLUMN_WORKLOAD, COLUMN_COST };
	guint line = reader->line;
	g_autoptr(GPtrArray) names = csv_take_record(&reader->text, &reader->line);

	for (guint i = 0; i < COLUMN_COUNT; i++) {
		reader->places[i] = -1;
		for (guint n = 0; names && n < names->len; n++)
			if (!strcmp(names->pdata[n], price_column_name(i)))
				reader->places[i] = (int)n;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(needed); i++) {
		g_autofree char *what = NULL;

		if (reader->places[needed[i]] >= 0)
			continue;
		what = g_strdup_printf("there is no column '%s'", price_column_name(needed[i]));
		return fail(reader, line, what, error);
	}
	return TRUE;
}

/* The cell's text, or NULL if it is empty or the file does not have the column. */
static const char *cell(const struct reader *reader, const GPtrArray *cells,
                        enum price_column column)
{
	int place = reader->places[column];
	const char *text = place >= 0 && (guint)place < cells->len ? cells->pdata[place] : NULL;

	return text && *text ? text : NULL;
}

static gboolean read_number(const struct reader *reader, const GPtrArray *cells,
                            enum price_column column, double *number, GError **error)
{
	const char *text = cell(reader, cells, column);
	g_autofree char *what = NULL;
	char *end;

	*number = NAN;
	if (!text)
		return TRUE;
	*number = g_ascii_strtod(text, &end);
	if (!*end && isfinite(*number))
		return TRUE;
	what = g_strdup_printf("%s is no number: '%s'", price_column_name(column), text);
	return fail(reader, reader->row, what, error);
}

struct number_place {
	enum price_column column;
	double *number;
};

static gboolean read_numbers(const struct reader *reader, const GPtrArray *cells,
                             const struct number_place *places, gsize count, GError **error)
{
	for (gsize i = 0; i < count; i++)
		if (!read_number(reader, cells, places[i].column, places[i].number, error))
			return FALSE;
	return TRUE;
}

static gboolean read_changes(const struct reader *reader, const GPtrArray *cells,
                             struct price_entry *entry, GError **error)
{
	const char *text = cell(reader, cells, COLUMN_CHANGES);
	GPtrArray *changes = price_changes_parse(text ? text : "");

	if (!changes)
		return fail(reader, reader->row, "config_changes are not 'NAME off->on; ...'",
		            error);
	g_ptr_array_unref(entry->changes);
	entry->changes = changes;
	return TRUE;
}

static void read_strings(const struct reader *reader, const GPtrArray *cells,
                         struct price_entry *entry)
{
	const struct {
		enum price_column column;
		char **text;
	} strings[] = {
		{ COLUMN_DEFAULT, &entry->fallback },
		{ COLUMN_CLASS, &entry->class_name },
		{ COLUMN_BOTH, &entry->both },
		{ COLUMN_CMDLINE, &entry->cmdline },
		{ COLUMN_ACTIVATED_BY, &entry->activated_by },
		{ COLUMN_SHA256_OFF, &entry->image_sha256[0] },
		{ COLUMN_SHA256_ON, &entry->image_sha256[1] },
		{ COLUMN_NOTE, &entry->note },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(strings); i++)
		*strings[i].text = g_strdup(cell(reader, cells, strings[i].column));
}

/* The entry that the row belongs to, a new one if it is the first of it. */
static struct price_entry *read_entry(struct reader *reader, const GPtrArray *cells, GError **error)
{
	const char *option = cell(reader, cells, COLUMN_OPTION);
	const char *off = cell(reader, cells, COLUMN_OFF), *on = cell(reader, cells, COLUMN_ON);
	struct price_entry *entry = option ? price_list_find(reader->list, option, off, on,
	                                                     cell(reader, cells, COLUMN_CMDLINE))
	                                   : NULL;
	struct number_place places[3];

	if (!option)
		return fail(reader, reader->row, "the row names no option", error), NULL;
	if (entry)
		return entry;
	entry = price_entry_new(option, off, on);
	g_ptr_array_add(reader->list->entries, entry);
	read_strings(reader, cells, entry);
	places[0] = (struct number_place){ COLUMN_BOOT, &entry->boot_percent };
	places[1] = (struct number_place){ COLUMN_IMAGE, &entry->image_bytes };
	places[2] = (struct number_place){ COLUMN_MEMORY, &entry->memory_bytes };
	if (!read_numbers(reader, cells, places, G_N_ELEMENTS(places), error) ||
	    !read_changes(reader, cells, entry, error))
		return NULL;
	return entry;
}

static gboolean read_cost(struct reader *reader, const GPtrArray *cells, struct price_cost *cost,
                          GError **error)
{
	const char *status = cell(reader, cells, COLUMN_STATUS);
	double boots;
	const struct number_place places[] = {
		{ COLUMN_BOOTS, &boots },           { COLUMN_MEAN_OFF, &cost->mean_off },
		{ COLUMN_MEAN_ON, &cost->mean_on }, { COLUMN_COST, &cost->cost },
		{ COLUMN_LOW, &cost->lo },          { COLUMN_HIGH, &cost->hi },
	};

	if (!read_numbers(reader, cells, places, G_N_ELEMENTS(places), error))
		return FALSE;
	cost->boots = boots > 0 && boots < G_MAXINT ? (guint)boots : 0;
	cost->unit = g_strdup(cell(reader, cells, COLUMN_UNIT));
	if (strcmp(status, PRICE_LIST_OK) != 0)
		cost->reason = g_strdup(status);
	else if (isnan(cost->cost))
		return fail(reader, reader->row, "its status is ok, but it has no cost_percent",
		            error);
	return TRUE;
}

static gboolean read_row(struct reader *reader, const GPtrArray *cells, GError **error)
{
	const char *status = cell(reader, cells, COLUMN_STATUS);
	const char *workload = cell(reader, cells, COLUMN_WORKLOAD);
	const char *parameters = cell(reader, cells, COLUMN_PARAMETERS);
	struct price_entry *entry = read_entry(reader, cells, error);

	if (!entry)
		return FALSE;
	if (!status)
		return fail(reader, reader->row, "the row has no status", error);
	if (entry->reason ||
	    (workload ? price_entry_cost(entry, workload, parameters ? parameters : "") != NULL
	              : entry->costs->len > 0))
		return fail(reader, reader->row, "an earlier row says the same, or otherwise",
		            error);
	if (workload)
		return read_cost(reader, cells, price_entry_add_cost(entry, workload, parameters),
		                 error);
	if (!strcmp(status, PRICE_LIST_OK))
		return fail(reader, reader->row, "its status is ok, but it names no workload",
		            error);
	entry->reason = g_strdup(status);
	return TRUE;
}

static gboolean read_rows(struct reader *reader, GError **error)
{
	while (*reader->text) {
		g_autoptr(GPtrArray) cells = NULL;

		reader->row = reader->line;
		cells = csv_take_record(&reader->text, &reader->line);
		if (cells->len == 1 && !*(const char *)cells->pdata[0])
			continue; /* an empty line */
		if (!read_row(reader, cells, error))
			return FALSE;
	}
	return TRUE;
}

price_list_t *price_list_parse(const char *text, const char *name, GError **error)
{
	g_autoptr(price_list_t) list = price_list_new();
	struct reader reader = { .name = name, .text = text, .line = 1, .list = list };

	list->name = g_strdup(name);
	if (g_str_has_prefix(text, "\xef\xbb\xbf"))
		reader.text += 3;
	if (!read_header(&reader, error) || !read_columns(&reader, error) ||
	    !read_rows(&reader, error))
		return NULL;
	return g_steal_pointer(&list);
}

price_list_t *price_list_load(const char *path, GError **error)
{
	g_autofree char *text = NULL;
	g_autoptr(GError) cause = NULL;

	if (g_file_get_contents(path, &text, NULL, &cause))
		return price_list_parse(text, path, error);
	error_set(error, KCOST_ERROR_USAGE, "cannot read the price list: %s", cause->message);
	return NULL;
}
