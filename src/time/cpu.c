/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "time/cpu.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/error.h"

/* A whole number of the core's shape. */
static const struct shape_key {
	const char *group, *key;
	size_t offset;
	gboolean wide; /* 64 bits */
	guint64 least, most;
} shape_keys[] = {
#define NUMBER(group, key, field, least, most)                                     \
	{                                                                          \
		group, key, offsetof(struct core_shape, field), FALSE, least, most \
	}
#define CACHE(group, field)                                                             \
	{ group, "size", offsetof(struct core_shape, field.size), TRUE, 64, 1u << 30 }, \
		NUMBER(group, "ways", field.ways, 1, 64)
#define TLB(group, field)                                     \
	NUMBER(group, "entries", field.entries, 1, 1u << 20), \
		NUMBER(group, "ways", field.ways, 1, 1u << 20)
	NUMBER("core", "line", line, 16, 1024),
	CACHE("l1i", l1i),
	CACHE("l1d", l1d),
	CACHE("l2", l2),
	CACHE("l3", l3),
	TLB("itlb", itlb),
	TLB("itlb-large", itlb_large),
	TLB("dtlb", dtlb),
	TLB("dtlb-large", dtlb_large),
	TLB("tlb2", tlb2),
	NUMBER("branches", "history", predictor.history, 1, 24),
	NUMBER("branches", "target-bits", predictor.target_bits, 1, 20),
	NUMBER("branches", "return-depth", predictor.return_depth, 1, PREDICTOR_MOST_RETURNS),
};

/* One file on its way in. */
struct reading {
	const char *name;
	GKeyFile *file;
};

static gboolean bad(const struct reading *reading, const char *group, const char *key,
                    const char *what, GError **error)
{
	return error_set(error, KCOST_ERROR_USAGE, "the CPU model %s: [%s] %s: %s", reading->name,
	                 group, key, what);
}

static gboolean read_number(const struct reading *reading, const char *group, const char *key,
                            double *value, GError **error)
{
	g_autofree char *text = g_key_file_get_string(reading->file, group, key, NULL);
	char *end;

	if (!text)
		return bad(reading, group, key, "is missing", error);
	*value = g_ascii_strtod(text, &end);
	if (end == text || *g_strchug(end) || !isfinite(*value) || *value < 0)
		return bad(reading, group, key, "is no number from 0 on", error);
	return TRUE;
}

static gboolean read_shape_key(const struct reading *reading, const struct shape_key *key,
                               struct core_shape *shape, GError **error)
{
	char *to = (char *)shape + key->offset;
	double value;

	if (!read_number(reading, key->group, key->key, &value, error))
		return FALSE;
	if (value != floor(value) || value < (double)key->least || value > (double)key->most) {
		g_autofree char *what = g_strdup_printf("is no whole number from %" G_GUINT64_FORMAT
		                                        " to %" G_GUINT64_FORMAT,
		                                        key->least, key->most);

		return bad(reading, key->group, key->key, what, error);
	}
	if (key->wide)
		*(uint64_t *)(void *)to = (uint64_t)value;
	else
		*(uint32_t *)(void *)to = (uint32_t)value;
	return TRUE;
}

static gboolean check_cache(const struct reading *reading, const char *group,
                            const struct cache_shape *cache, guint32 line, GError **error)
{
	if (cache->size % ((guint64)line * cache->ways) == 0)
		return TRUE;
	return bad(reading, group, "size", "is no whole number of sets of lines", error);
}

static gboolean check_tlb(const struct reading *reading, const char *group,
                          const struct tlb_shape *tlb, GError **error)
{
	return tlb->entries % tlb->ways == 0 ||
	       bad(reading, group, "entries", "is no whole number of sets", error);
}

static gboolean check_shape(const struct reading *reading, const struct core_shape *shape,
                            GError **error)
{
	if (shape->line & (shape->line - 1))
		return bad(reading, "core", "line", "is no power of two", error);
	return check_cache(reading, "l1i", &shape->l1i, shape->line, error) &&
	       check_cache(reading, "l1d", &shape->l1d, shape->line, error) &&
	       check_cache(reading, "l2", &shape->l2, shape->line, error) &&
	       check_cache(reading, "l3", &shape->l3, shape->line, error) &&
	       check_tlb(reading, "itlb", &shape->itlb, error) &&
	       check_tlb(reading, "itlb-large", &shape->itlb_large, error) &&
	       check_tlb(reading, "dtlb", &shape->dtlb, error) &&
	       check_tlb(reading, "dtlb-large", &shape->dtlb_large, error) &&
	       check_tlb(reading, "tlb2", &shape->tlb2, error);
}

static gboolean read_cycles(const struct reading *reading, double *cycles, GError **error)
{
	for (int i = 0; i < TIME_COUNTERS; i++)
		if (time_counters[i].part != TIME_PARTS &&
		    !read_number(reading, "cycles", time_counters[i].name, &cycles[i], error))
			return FALSE;
	return TRUE;
}

static gboolean is_known(const char *group, const char *key)
{
	enum time_counter counter;

	if (!strcmp(group, "core") && (!strcmp(key, "summary") || !strcmp(key, "mhz")))
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(shape_keys); i++)
		if (!strcmp(group, shape_keys[i].group) && !strcmp(key, shape_keys[i].key))
			return TRUE;
	if (strcmp(group, "cycles") != 0)
		return FALSE;
	counter = time_counter_find(key);
	return counter != TIME_COUNTERS && time_counters[counter].part != TIME_PARTS;
}

/* A misspelt key must not pass for a comment. */
static gboolean check_keys(const struct reading *reading, GError **error)
{
	g_auto(GStrv) groups = g_key_file_get_groups(reading->file, NULL);

	for (char **group = groups; *group; group++) {
		g_auto(GStrv) keys = g_key_file_get_keys(reading->file, *group, NULL, NULL);

		for (char **key = keys; key && *key; key++)
			if (!is_known(*group, *key))
				return bad(reading, *group, *key, "is not known", error);
	}
	return TRUE;
}

static gboolean read_model(const struct reading *reading, cpu_model_t *model, GError **error)
{
	model->summary = g_key_file_get_string(reading->file, "core", "summary", NULL);
	if (!model->summary)
		return bad(reading, "core", "summary", "is missing", error);
	if (!read_number(reading, "core", "mhz", &model->mhz, error))
		return FALSE;
	if (model->mhz <= 0)
		return bad(reading, "core", "mhz", "must be above 0", error);
	for (gsize i = 0; i < G_N_ELEMENTS(shape_keys); i++)
		if (!read_shape_key(reading, &shape_keys[i], &model->shape, error))
			return FALSE;
	return check_shape(reading, &model->shape, error) &&
	       read_cycles(reading, model->cycles, error) && check_keys(reading, error);
}

cpu_model_t *cpu_model_parse(const char *name, const char *text, GError **error)
{
	g_autoptr(GKeyFile) file = g_key_file_new();
	g_autoptr(cpu_model_t) model = g_new0(cpu_model_t, 1);
	g_autoptr(GError) cause = NULL;
	struct reading reading = { name, file };

	model->name = g_strdup(name);
	model->text = g_strdup(text);
	if (!g_key_file_load_from_data(file, text, strlen(text), G_KEY_FILE_NONE, &cause)) {
		error_set(error, KCOST_ERROR_USAGE, "the CPU model %s cannot be read: %s", name,
		          cause->message);
		return NULL;
	}
	return read_model(&reading, model, error) ? g_steal_pointer(&model) : NULL;
}

gboolean cpu_model_same_shape(const cpu_model_t *a, const cpu_model_t *b)
{
	for (gsize i = 0; i < G_N_ELEMENTS(shape_keys); i++) {
		const struct shape_key *key = &shape_keys[i];
		gsize size = key->wide ? sizeof(uint64_t) : sizeof(uint32_t);

		if (memcmp((const char *)&a->shape + key->offset,
		           (const char *)&b->shape + key->offset, size) != 0)
			return FALSE;
	}
	return TRUE;
}

void cpu_model_free(cpu_model_t *model)
{
	if (!model)
		return;
	g_free(model->name);
	g_free(model->summary);
	g_free(model->text);
	g_free(model);
}
