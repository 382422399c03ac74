/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "profile/profile.h"

#define HEADER "kcost-profile 1"
#define HEADER_EVENTS "kcost-profile 2"

/* The totals in the order of their line. */
enum { TOTALS = 11 };

static void totals_pointers(struct profile_totals *totals, guint64 *pointers[TOTALS])
{
	guint64 *all[] = {
		&totals->regions, &totals->measured,  &totals->instructions, &totals->operations,
		&totals->halts,   &totals->broken,    &totals->differing,    &totals->refaults,
		&totals->unsure,  &totals->unmatched, &totals->folded,
	};

	_Static_assert(G_N_ELEMENTS(all) == TOTALS && sizeof(*totals) == TOTALS * sizeof(guint64),
	               "every total has its place");
	memcpy(pointers, all, sizeof(all));
}

static void append_totals(GString *text, const profile_t *profile)
{
	struct profile_totals totals = profile->totals;
	guint64 *pointers[TOTALS];

	totals_pointers(&totals, pointers);
	g_string_append(text, "totals");
	for (int i = 0; i < TOTALS; i++)
		g_string_append_printf(text, " %" G_GUINT64_FORMAT, *pointers[i]);
	g_string_append_c(text, '\n');
}

/* Which counters there are, and the regions' own counts. */
static void append_counts(GString *text, const struct profile_events *events)
{
	g_string_append(text, "events");
	for (int i = 0; i < TIME_COUNTERS; i++)
		g_string_append_printf(text, " %s", time_counters[i].name);
	g_string_append_printf(text, "\ncounts %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
	                       events->broken, events->differing);
	for (int i = 0; i < TIME_COUNTERS; i++)
		g_string_append_printf(text, " %" G_GUINT64_FORMAT, events->counts.n[i]);
	g_string_append_c(text, '\n');
}

static void append_row(GString *text, const struct event_row *row)
{
	for (int i = 0; i < TIME_COUNTERS; i++) {
		guint64 n = event_row_get(row, (enum time_counter)i);

		if (n)
			g_string_append_printf(text, " %d %" G_GUINT64_FORMAT, i, n);
	}
}

char *profile_to_text(const profile_t *profile)
{
	GString *text = g_string_new(profile->rows ? HEADER_EVENTS "\n" : HEADER "\n");

	append_totals(text, profile);
	if (profile->rows)
		append_counts(text, &profile->events);
	if (profile->missing)
		g_string_append_printf(text, "missing %s\n", profile->missing);
	for (guint i = PROFILE_ROOTS; i < profile->functions->len; i++) {
		const struct profile_function *function = profile_function_at(profile, i);

		g_string_append_printf(text, "f %s\t%s\n", function->name,
		                       function->file ? function->file : "");
	}
	for (guint i = 0; i < profile->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(profile, i);

		g_string_append_printf(text, "%u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT,
		                       i - node->parent, node->function, node->calls, node->self);
		if (profile->rows)
			append_row(text, profile_row_at(profile, i));
		g_string_append_c(text, '\n');
	}
	g_string_append(text, "end\n");
	return g_string_free(text, FALSE);
}

/* A profile on its way in. */
struct reading {
	profile_t *profile;
	guint nodes;
	/* Which counter each number of the text is; NULL without events. */
	GArray *counters;
};

/* @count numbers, parted by single blanks; gives what follows, which is a blank or the end, or NULL
 * if they are not there. */
static const char *take_numbers(const char *line, guint64 *numbers, guint count)
{
	for (guint i = 0; i < count; i++) {
		char *end;

		if (!g_ascii_isdigit(*line))
			return NULL;
		numbers[i] = g_ascii_strtoull(line, &end, 10);
		if (*end != ' ' && (*end || i + 1 < count))
			return NULL;
		line = i + 1 < count ? end + 1 : end;
	}
	return line;
}

/* The same, and nothing else. */
static gboolean read_numbers(const char *line, guint64 *numbers, guint count)
{
	const char *end = take_numbers(line, numbers, count);

	return end && !*end;
}

static gboolean read_totals(profile_t *profile, const char *line)
{
	guint64 numbers[TOTALS], *pointers[TOTALS];

	if (!g_str_has_prefix(line, "totals ") ||
	    !read_numbers(line + strlen("totals "), numbers, TOTALS))
		return FALSE;
	totals_pointers(&profile->totals, pointers);
	for (int i = 0; i < TOTALS; i++)
		*pointers[i] = numbers[i];
	return TRUE;
}

static gboolean read_function(profile_t *profile, const char *line)
{
	const char *tab = strchr(line, '\t');
	g_autofree char *name = tab ? g_strndup(line, (gsize)(tab - line)) : NULL;

	if (!name || !*name)
		return FALSE;
	profile_add_function(profile, name, tab[1] ? tab + 1 : NULL);
	return TRUE;
}

static gboolean read_names(struct reading *reading, const char *line)
{
	g_auto(GStrv) names = g_strsplit(line, " ", -1);

	if (reading->counters || reading->nodes)
		return FALSE;
	reading->counters = g_array_new(FALSE, FALSE, sizeof(enum time_counter));
	for (char **name = names; *name; name++) {
		enum time_counter counter = time_counter_find(*name);

		if (counter == TIME_COUNTERS)
			return FALSE;
		g_array_append_val(reading->counters, counter);
	}
	profile_begin_events(reading->profile);
	return TRUE;
}

static gboolean read_counts(const struct reading *reading, const char *line)
{
	struct profile_events *events = &reading->profile->events;
	guint count = reading->counters ? reading->counters->len : 0;
	g_autofree guint64 *numbers = g_new0(guint64, count + 2);

	if (!count || !read_numbers(line, numbers, count + 2))
		return FALSE;
	events->broken = numbers[0];
	events->differing = numbers[1];
	for (guint i = 0; i < count; i++)
		events->counts.n[g_array_index(reading->counters, enum time_counter, i)] =
			numbers[i + 2];
	return TRUE;
}

/* Pairs of a counter's number and its count, each after a blank. */
static gboolean read_row(const struct reading *reading, const char *line)
{
	guint64 pair[2];

	while (*line) {
		line = take_numbers(line + 1, pair, 2);
		if (!line || !reading->counters || pair[0] >= reading->counters->len)
			return FALSE;
		profile_add_events(reading->profile, reading->nodes,
		                   g_array_index(reading->counters, enum time_counter, pair[0]),
		                   pair[1]);
	}
	return TRUE;
}

static gboolean read_node(struct reading *reading, const char *line)
{
	profile_t *profile = reading->profile;
	guint64 numbers[4];
	const char *row = take_numbers(line, numbers, 4);

	if (!row || numbers[0] > reading->nodes || (numbers[0] == 0) != (reading->nodes == 0) ||
	    numbers[1] >= profile->functions->len)
		return FALSE;
	if (reading->nodes == 0) {
		struct profile_node *root = &g_array_index(profile->nodes, struct profile_node, 0);

		root->calls = numbers[2];
		root->self = numbers[3];
	} else {
		profile_add_node(profile, reading->nodes - (guint32)numbers[0], (guint32)numbers[1],
		                 numbers[2], numbers[3]);
	}
	if (!read_row(reading, row))
		return FALSE;
	reading->nodes++;
	return TRUE;
}

static gboolean read_line(struct reading *reading, const char *line)
{
	if (g_str_has_prefix(line, "missing ")) {
		g_free(reading->profile->missing);
		reading->profile->missing = g_strdup(line + strlen("missing "));
		return TRUE;
	}
	if (g_str_has_prefix(line, "events "))
		return read_names(reading, line + strlen("events "));
	if (g_str_has_prefix(line, "counts "))
		return read_counts(reading, line + strlen("counts "));
	if (g_str_has_prefix(line, "f "))
		return reading->nodes == 0 && read_function(reading->profile, line + 2);
	return read_node(reading, line);
}

profile_t *profile_from_text(const char *text, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(profile_t) profile = profile_new();
	struct reading reading = { .profile = profile };
	guint i = 2;
	gboolean fine = g_strv_length(lines) >= 4 &&
	                (!strcmp(lines[0], HEADER) || !strcmp(lines[0], HEADER_EVENTS)) &&
	                read_totals(profile, lines[1]);

	while (fine && lines[i] && strcmp(lines[i], "end") != 0)
		fine = read_line(&reading, lines[i++]);
	g_clear_pointer(&reading.counters, g_array_unref);
	if (fine && lines[i] && reading.nodes)
		return g_steal_pointer(&profile);
	error_set(error, KCOST_ERROR_MISSING,
	          "reading a stored profile: line %u is not what this kcost writes; measure again "
	          "with --profile",
	          i + 1);
	return NULL;
}
