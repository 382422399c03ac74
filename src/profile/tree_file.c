/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "profile/tree_file.h"

#include <string.h>

#include "base/error.h"
#include "profile/plugin_output.h"

/* Where the reader is; a number that is not there makes it fail for good. */
struct reader {
	const guint8 *at, *end;
	gboolean failed;
	const kernel_symbols_t *symbols;
	GPtrArray *module_functions; /* struct kernel_function, numbered after those of symbols */
};

static void region_free(gpointer data)
{
	struct tree_file_region *region = data;

	profile_free(region->profile);
	g_free(region);
}

static guint64 get(struct reader *reader)
{
	guint64 number = 0;

	for (guint shift = 0; shift < 64 && reader->at < reader->end; shift += 7) {
		guint8 byte = *reader->at++;

		number |= (guint64)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return number;
	}
	reader->failed = TRUE;
	return 0;
}

static const struct kernel_function *function_at(const struct reader *reader, guint64 number)
{
	const GPtrArray *own = reader->symbols->functions, *modules = reader->module_functions;

	if (number < own->len)
		return own->pdata[number];
	return number - own->len < modules->len ? modules->pdata[number - own->len] : NULL;
}

/* The profile's function for the plugin's number. */
static guint32 function_of(struct reader *reader, profile_t *profile, GHashTable *known,
                           guint64 number)
{
	const struct kernel_function *function;
	gpointer found;

	if (number < PROFILE_ROOTS)
		return (guint32)number;
	function = function_at(reader, number);
	if (!function) {
		reader->failed = TRUE;
		return 0;
	}
	found = g_hash_table_lookup(known, GUINT_TO_POINTER(number));
	if (!found) {
		found = GUINT_TO_POINTER(
			profile_add_function(profile, function->name, function->file));
		g_hash_table_insert(known, GUINT_TO_POINTER(number), found);
	}
	return GPOINTER_TO_UINT(found);
}

/* Of a node, if @node is one, and to @counts. */
static void read_events(struct reader *reader, profile_t *profile, gint64 node,
                        struct time_counts *counts)
{
	guint64 count = get(reader);

	for (guint64 i = 0; i < count && !reader->failed; i++) {
		guint64 counter = get(reader), n = get(reader);

		if (counter >= TIME_COUNTERS) {
			reader->failed = TRUE;
			return;
		}
		counts->n[counter] += n;
		if (node >= 0)
			profile_add_events(profile, (guint32)node, (enum time_counter)counter, n);
	}
}

static void read_nodes(struct reader *reader, struct tree_file_region *region, GHashTable *known)
{
	profile_t *profile = region->profile;
	guint64 count = get(reader);

	for (guint64 i = 0; i < count && !reader->failed; i++) {
		guint64 distance = get(reader);
		guint32 function = function_of(reader, profile, known, get(reader));
		guint64 calls = get(reader), self = get(reader);

		if (distance > i || (distance == 0) != (i == 0) || (i == 0 && function)) {
			reader->failed = TRUE;
		} else if (i == 0) {
			g_array_index(profile->nodes, struct profile_node, 0).self = self;
		} else {
			profile_add_node(profile, (guint32)(i - distance), function, calls, self);
		}
		if (!reader->failed)
			read_events(reader, profile, (gint64)i, &region->event_sums);
	}
}

/* Counters of functions, which do not come from the tree, against the tree's. */
static void read_counters(struct reader *reader, struct tree_file_region *region, GHashTable *known)
{
	profile_t *profile = region->profile;
	guint64 count = get(reader);
	g_autofree guint64 *self = NULL;

	if (!count || reader->failed)
		return;
	self = g_new0(guint64, profile->functions->len);
	for (guint i = 0; i < profile->nodes->len; i++)
		self[profile_node_at(profile, i)->function] += profile_node_at(profile, i)->self;
	for (guint64 i = 0; i < count && !reader->failed; i++) {
		guint64 number = get(reader), counted = get(reader);
		gpointer found = g_hash_table_lookup(known, GUINT_TO_POINTER(number));
		guint32 function =
			number < PROFILE_ROOTS ? (guint32)number : GPOINTER_TO_UINT(found);

		region->flat_counters++;
		if ((number >= PROFILE_ROOTS && !found) || self[function] != counted)
			region->flat_differences++;
		else
			self[function] = 0;
	}
	/* What the tree has and no counter. */
	for (guint i = 0; i < profile->functions->len && !region->flat_differences; i++)
		region->flat_differences += self[i] != 0;
}

/* The counts that do not come from the tree; without a model nothing has events. */
static void read_model(struct reader *reader, struct tree_file_region *region)
{
	profile_t *profile = region->profile;
	guint64 model = get(reader);

	if (model > 1)
		reader->failed = TRUE;
	if (model == 1)
		read_events(reader, profile, -1, &profile->events.counts);
	else
		profile_end_events(profile);
	profile->events.broken = memcmp(&region->event_sums, &profile->events.counts,
	                                sizeof(region->event_sums)) != 0;
}

static struct tree_file_region *read_region(struct reader *reader)
{
	struct tree_file_region *region = g_new0(struct tree_file_region, 1);
	g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);

	region->profile = profile_new();
	profile_begin_events(region->profile);
	region->totals.regions = 1;
	region->totals.instructions = get(reader);
	region->totals.halts = get(reader);
	region->totals.refaults = get(reader);
	region->totals.unsure = get(reader);
	region->totals.unmatched = get(reader);
	region->totals.folded = get(reader);
	read_nodes(reader, region, known);
	read_counters(reader, region, known);
	read_model(reader, region);
	if (get(reader) != TREE_RECORD_END)
		reader->failed = TRUE;
	region->sum = profile_sum(region->profile);
	region->profile->totals = region->totals;
	return region;
}

/* Owned by the caller. */
static char *get_text(struct reader *reader)
{
	guint64 length = get(reader);

	if (reader->failed || length > (guint64)(reader->end - reader->at)) {
		reader->failed = TRUE;
		return g_strdup("");
	}
	reader->at += length;
	return g_strndup((const char *)reader->at - length, length);
}

/* Its file is what the module's is called. */
static void read_function(struct reader *reader)
{
	struct kernel_function *function = g_new0(struct kernel_function, 1);
	g_autofree char *module = NULL;

	function->name = get_text(reader);
	module = get_text(reader);
	function->file = g_strconcat(module, ".ko", NULL);
	g_ptr_array_add(reader->module_functions, function);
}

static void read_record(struct reader *reader, GPtrArray *regions)
{
	switch (get(reader)) {
	case TREE_FUNCTION:
		read_function(reader);
		break;
	case TREE_RECORD:
		g_ptr_array_add(regions, read_region(reader));
		break;
	default:
		reader->failed = TRUE;
	}
}

GPtrArray *tree_file_parse(const guint8 *data, gsize length, const kernel_symbols_t *symbols,
                           GError **error)
{
	static const char header[] = TREE_FILE_HEADER;
	gsize skipped = sizeof(header) - 1;
	g_autoptr(GPtrArray) regions = g_ptr_array_new_with_free_func(region_free);
	g_autoptr(GPtrArray) functions = g_ptr_array_new_with_free_func(kernel_function_free);
	struct reader reader = { .end = data + length, .symbols = symbols };

	reader.failed = length < skipped || memcmp(data, header, skipped) != 0;
	reader.at = reader.failed ? reader.end : data + skipped;
	reader.module_functions = functions;
	while (!reader.failed && reader.at < reader.end)
		read_record(&reader, regions);
	if (!reader.failed)
		return g_steal_pointer(&regions);
	error_set(
		error, KCOST_ERROR_KERNEL,
		"reading the call tree that QEMU's plugin wrote: it is cut off or damaged after %u "
		"regions; is there room in %s?",
		regions->len, g_get_tmp_dir());
	return NULL;
}

GPtrArray *tree_file_read(const char *path, const kernel_symbols_t *symbols, GError **error)
{
	g_autoptr(GError) cause = NULL;
	g_autofree char *data = NULL;
	gsize length = 0;

	if (g_file_get_contents(path, &data, &length, &cause))
		return tree_file_parse((const guint8 *)data, length, symbols, error);
	error_set(error, KCOST_ERROR_KERNEL, "QEMU's plugin wrote no call tree: %s",
	          cause->message);
	return NULL;
}
