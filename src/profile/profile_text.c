/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/error.h"
#include "profile/profile.h"

#define HEADER "kcost-profile 1"

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

char *profile_to_text(const profile_t *profile)
{
	GString *text = g_string_new(HEADER "\n");

	append_totals(text, profile);
	if (profile->missing)
		g_string_append_printf(text, "missing %s\n", profile->missing);
	for (guint i = PROFILE_ROOTS; i < profile->functions->len; i++) {
		const struct profile_function *function = profile_function_at(profile, i);

		g_string_append_printf(text, "f %s\t%s\n", function->name,
		                       function->file ? function->file : "");
	}
	for (guint i = 0; i < profile->nodes->len; i++) {
		const struct profile_node *node = profile_node_at(profile, i);

		g_string_append_printf(text, "%u %u %" G_GUINT64_FORMAT " %" G_GUINT64_FORMAT "\n",
		                       i - node->parent, node->function, node->calls, node->self);
	}
	g_string_append(text, "end\n");
	return g_string_free(text, FALSE);
}

/* @count numbers, parted by single blanks, and nothing else. */
static gboolean read_numbers(const char *line, guint64 *numbers, guint count)
{
	for (guint i = 0; i < count; i++) {
		char *end;

		if (!g_ascii_isdigit(*line))
			return FALSE;
		numbers[i] = g_ascii_strtoull(line, &end, 10);
		if (*end != (i + 1 < count ? ' ' : '\0'))
			return FALSE;
		line = end + 1;
	}
	return TRUE;
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

static gboolean read_node(profile_t *profile, const char *line, guint *count)
{
	guint64 numbers[4];

	if (!read_numbers(line, numbers, 4) || numbers[0] > *count ||
	    (numbers[0] == 0) != (*count == 0) || numbers[1] >= profile->functions->len)
		return FALSE;
	if (*count == 0) {
		struct profile_node *root = &g_array_index(profile->nodes, struct profile_node, 0);

		root->calls = numbers[2];
		root->self = numbers[3];
	} else {
		profile_add_node(profile, *count - (guint32)numbers[0], (guint32)numbers[1],
		                 numbers[2], numbers[3]);
	}
	++*count;
	return TRUE;
}

static gboolean read_line(profile_t *profile, const char *line, guint *count)
{
	if (g_str_has_prefix(line, "missing ")) {
		g_free(profile->missing);
		profile->missing = g_strdup(line + strlen("missing "));
		return TRUE;
	}
	if (g_str_has_prefix(line, "f "))
		return *count == 0 && read_function(profile, line + 2);
	return read_node(profile, line, count);
}

profile_t *profile_from_text(const char *text, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
	g_autoptr(profile_t) profile = profile_new();
	guint count = 0, i = 2;
	gboolean fine = g_strv_length(lines) >= 4 && !strcmp(lines[0], HEADER) &&
	                read_totals(profile, lines[1]);

	while (fine && lines[i] && strcmp(lines[i], "end") != 0)
		fine = read_line(profile, lines[i++], &count);
	if (fine && lines[i] && count)
		return g_steal_pointer(&profile);
	error_set(error, KCOST_ERROR_MISSING,
	          "reading a stored profile: line %u is not what this kcost writes; measure again "
	          "with --profile",
	          i + 1);
	return NULL;
}
