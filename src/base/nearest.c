/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/nearest.h"

#include <string.h>

/* A distance above which a name is no suggestion: half of its letters would have to change. */
#define DISTANCE_MOST 0.5

/* How much further than the best one a name may be: a slip of the pen needs no list. */
#define BEHIND_BEST 0.25

struct candidate {
	const char *name; /* owned by the caller */
	double distance;  /* 0: the same, 1: nothing in common */
};

struct nearest {
	char *wanted; /* comparable */
	char **words; /* of it */
	GArray *candidates;
};

/* Letters to insert, delete, change, or swap with their neighbour, to make @a of @b (the optimal
 * string alignment distance). */
static guint edit_distance(const char *a, const char *b)
{
	const gsize rows = strlen(a) + 1, columns = strlen(b) + 1;
	g_autofree guint *cells = g_new(guint, rows * columns);

#define CELL(i, j) cells[(i)*columns + (j)]
	for (gsize i = 0; i < rows; i++)
		CELL(i, 0) = i;
	for (gsize j = 0; j < columns; j++)
		CELL(0, j) = j;
	for (gsize i = 1; i < rows; i++) {
		for (gsize j = 1; j < columns; j++) {
			guint best = CELL(i - 1, j - 1) + (a[i - 1] != b[j - 1]);

			best = MIN(best, MIN(CELL(i - 1, j), CELL(i, j - 1)) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				best = MIN(best, CELL(i - 2, j - 2) + 1);
			CELL(i, j) = best;
		}
	}
	return CELL(rows - 1, columns - 1);
#undef CELL
}

/* The part of the letters that has to change. */
static double letters_apart(const char *a, const char *b)
{
	const gsize longer = MAX(strlen(a), strlen(b));
	const gsize shorter = MIN(strlen(a), strlen(b));

	/* So many letters must be added at least: no need to look. */
	if (longer - shorter > longer * DISTANCE_MOST || longer > 128)
		return 1;
	return (double)edit_distance(a, b) / MAX(longer, 1);
}

/* The part of both names' words that the other lacks: PREEMPT_DEBUG and DEBUG_PREEMPT have the
 * same. A tenth is kept, so that an order that agrees counts. */
static double words_apart(char **a, const char *name)
{
	g_auto(GStrv) b = g_strsplit(name, "_", -1);
	const guint total = g_strv_length(a) + g_strv_length(b);
	guint shared = 0;

	for (char **word = a; *word; word++)
		if (**word && g_strv_contains((const char *const *)b, *word))
			shared++;
	return shared ? 0.1 + 0.9 * (1 - 2.0 * shared / total) : 1;
}

/* One name inside the other: the part that is missing, halved, since the rest is right. */
static double part_apart(const char *a, const char *b)
{
	const double longer = MAX(strlen(a), strlen(b));
	const double shorter = MIN(strlen(a), strlen(b));

	if (shorter < 3 || (!strstr(a, b) && !strstr(b, a)))
		return 1;
	return 0.05 + 0.5 * (1 - shorter / longer);
}

/* Capitals, and one mark between words. Owned by the caller. */
static char *comparable(const char *name)
{
	return g_strdelimit(g_ascii_strup(name, -1), "-", '_');
}

nearest_t *nearest_new(const char *wanted)
{
	nearest_t *nearest = g_new0(nearest_t, 1);

	nearest->wanted = comparable(wanted);
	nearest->words = g_strsplit(nearest->wanted, "_", -1);
	nearest->candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate));
	return nearest;
}

void nearest_free(nearest_t *nearest)
{
	if (!nearest)
		return;
	g_free(nearest->wanted);
	g_strfreev(nearest->words);
	g_array_unref(nearest->candidates);
	g_free(nearest);
}

void nearest_consider(nearest_t *nearest, const char *name, double behind)
{
	g_autofree char *other = comparable(name);
	struct candidate candidate = { .name = name };

	candidate.distance =
		MIN(MIN(letters_apart(nearest->wanted, other), words_apart(nearest->words, other)),
	            part_apart(nearest->wanted, other));
	if (candidate.distance > DISTANCE_MOST)
		return;
	candidate.distance += behind;
	g_array_append_val(nearest->candidates, candidate);
}

static int compare_candidates(gconstpointer a, gconstpointer b)
{
	const struct candidate *left = a, *right = b;

	if (left->distance != right->distance)
		return left->distance < right->distance ? -1 : 1;
	return strcmp(left->name, right->name);
}

/* How many of the sorted @candidates are worth a mention. */
static guint count_near(const GArray *candidates)
{
	guint count = 0;

	while (count < candidates->len &&
	       g_array_index(candidates, struct candidate, count).distance <=
	               g_array_index(candidates, struct candidate, 0).distance + BEHIND_BEST)
		count++;
	return count;
}

char **nearest_names(nearest_t *nearest, guint most)
{
	char **names;

	g_array_sort(nearest->candidates, compare_candidates);
	most = MIN(most, count_near(nearest->candidates));
	names = g_new0(char *, most + 1);
	for (guint i = 0; i < most; i++)
		names[i] = g_strdup(g_array_index(nearest->candidates, struct candidate, i).name);
	return names;
}
