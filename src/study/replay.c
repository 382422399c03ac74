/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "study/replay.h"

#include <stddef.h>
#include <string.h>

static const struct sample *sample_at(const sample_set_t *set, guint i)
{
	return &g_array_index(set->samples, struct sample, i);
}

guint *replay_boots(const price_report_t *stored, guint cell_count)
{
	guint *boots = g_new0(guint, MAX(stored->prices->len * cell_count, 1));

	for (guint p = 0; p < stored->prices->len; p++) {
		const struct report_price *price = stored->prices->pdata[p];
		guint first = report_price_first_measured(price);

		for (guint w = 0; w < price->workloads->len && w < cell_count; w++) {
			const struct report_workload *row = price->workloads->pdata[w];
			const sample_set_t *set =
				first < row->samples->len ? row->samples->pdata[first] : NULL;

			if (set && set->samples->len)
				boots[p * cell_count + w] =
					(guint)sample_at(set, set->samples->len - 1)->seed;
		}
	}
	return boots;
}

static const struct sample *find_sample(const sample_set_t *set, const struct sample *like)
{
	for (guint i = 0; set && i < set->samples->len; i++) {
		const struct sample *sample = sample_at(set, i);

		if (sample->seed == like->seed && sample->iteration == like->iteration)
			return sample;
	}
	return NULL;
}

/* The samples that @now has of variant @label in row @w of price @p; or NULL. */
static const sample_set_t *find_set(const price_report_t *now, guint p, guint w,
                                    const struct report_workload *row, const char *label)
{
	const struct report_price *price = p < now->prices->len ? now->prices->pdata[p] : NULL;
	const struct report_workload *other =
		price && w < price->workloads->len ? price->workloads->pdata[w] : NULL;

	if (!other || g_strcmp0(other->name, row->name))
		return NULL;
	for (guint v = 0; v < price->variants->len && v < other->samples->len; v++) {
		const struct report_variant *variant = price->variants->pdata[v];

		if (!g_strcmp0(variant->label, label))
			return other->samples->pdata[v];
	}
	return NULL;
}

static void compare_sets(const sample_set_t *then, const sample_set_t *now, const char *label,
                         const struct report_workload *row, replay_result_t *result)
{
	for (guint i = 0; i < then->samples->len; i++) {
		const struct sample *old = sample_at(then, i), *new = find_sample(now, old);
		struct replay_difference difference = {
			.variant = label,
			.workload = row,
			.then = *old,
			.missing = !new,
		};

		result->samples++;
		if (new &&new->value == old->value &&new->operations ==
		    old->operations &&new->switches == old->switches &&new->user == old->user)
			continue;
		if (new)
			difference.now = *new;
		g_array_append_val(result->differences, difference);
	}
}

static void compare_samples(const price_report_t *stored, const price_report_t *now,
                            replay_result_t *result)
{
	for (guint p = 0; p < stored->prices->len; p++) {
		const struct report_price *price = stored->prices->pdata[p];

		for (guint w = 0; w < price->workloads->len; w++) {
			const struct report_workload *row = price->workloads->pdata[w];

			for (guint v = 0; v < price->variants->len; v++) {
				const struct report_variant *variant = price->variants->pdata[v];

				if (variant->origin)
					continue;
				compare_sets(row->samples->pdata[v],
				             find_set(now, p, w, row, variant->label),
				             variant->label, row, result);
			}
		}
	}
}

static void note(replay_result_t *result, const char *what, const char *then, const char *now)
{
	if (g_strcmp0(then, now))
		g_ptr_array_add(result->provenance,
		                g_strdup_printf("%s: %s then, %s now", what, then ? then : "none",
		                                now ? now : "none"));
}

static const struct report_variant *find_variant(const struct report_price *price,
                                                 const char *label)
{
	for (guint v = 0; v < price->variants->len; v++) {
		const struct report_variant *variant = price->variants->pdata[v];

		if (!g_strcmp0(variant->label, label))
			return variant;
	}
	return NULL;
}

static void compare_images(const price_report_t *stored, const price_report_t *now,
                           replay_result_t *result)
{
	for (guint p = 0; p < stored->prices->len && p < now->prices->len; p++) {
		const struct report_price *old = stored->prices->pdata[p];

		for (guint v = 0; v < old->variants->len; v++) {
			const struct report_variant *then = old->variants->pdata[v];
			const struct report_variant *other =
				then->origin ? NULL
					     : find_variant(now->prices->pdata[p], then->label);
			g_autofree char *what = g_strdup_printf("image of %s", then->label);

			if (other)
				note(result, what, then->image_sha256, other->image_sha256);
		}
	}
}

/* What a sample may depend on. */
static void compare_provenance(const price_report_t *stored, const price_report_t *now,
                               replay_result_t *result)
{
	static const struct {
		const char *what;
		gsize offset;
	} parts[] = {
		{ "kcost", offsetof(struct report_provenance, kcost_version) },
		{ "kernel", offsetof(struct report_provenance, kernel_version) },
		{ "tree's content", offsetof(struct report_provenance, tree_identity) },
		{ "compiler", offsetof(struct report_provenance, compiler) },
		{ "QEMU", offsetof(struct report_provenance, qemu_version) },
		{ "QEMU's arguments", offsetof(struct report_provenance, qemu_arguments) },
		{ "CPU model", offsetof(struct report_provenance, cpu_model) },
		{ "boot parameters", offsetof(struct report_provenance, kernel_command_line) },
		{ "guest program", offsetof(struct report_provenance, guest_sha256) },
	};
	const char *then = (const char *)&stored->provenance;
	const char *other = (const char *)&now->provenance;

	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		note(result, parts[i].what, *(char *const *)(const void *)(then + parts[i].offset),
		     *(char *const *)(const void *)(other + parts[i].offset));
}

void replay_compare(const price_report_t *stored, const price_report_t *now,
                    replay_result_t *result)
{
	*result = (replay_result_t){
		.differences = g_array_new(FALSE, FALSE, sizeof(struct replay_difference)),
		.provenance = g_ptr_array_new_with_free_func(g_free),
	};
	compare_samples(stored, now, result);
	compare_provenance(stored, now, result);
	compare_images(stored, now, result);
}

void replay_result_clear(replay_result_t *result)
{
	g_clear_pointer(&result->differences, g_array_unref);
	g_clear_pointer(&result->provenance, g_ptr_array_unref);
}
