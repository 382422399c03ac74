/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <math.h>

#include "calibrate/derive.h"

/* An out-of-order core has one and a half loads under way at once, and stores wait in a buffer:
 * docs/time.md and share/cpu/skylake-server.ini have the sources of both. */
static const double loads_at_once = 1.5;
static const double stores_at_once = 3;
/* A size that was measured and one that the processor tells are the same up to this ratio: others'
 * lines, and frames that fall into the same sets, make a cache seem smaller. */
static const double same_size = 2;

enum { L1, L2, L3, MEMORY, PLACES };

static const char *const place_groups[] = { "l1d", "l2", "l3" };

/* What the latency curve tells; a level that was not seen has no value. */
struct places {
	struct curve_level levels[PLACES];
	gboolean seen[PLACES];
	double sizes[MEMORY]; /* bytes, as they are written; 0: not known */
};

static const struct code_cache *told_cache(const calibration_t *calibration, guint level,
                                           gboolean instructions)
{
	for (guint i = 0; i < calibration->cache_count; i++)
		if (calibration->caches[i].level == level &&
		    calibration->caches[i].instructions == instructions)
			return &calibration->caches[i];
	return NULL;
}

/* Three levels are the first two, and memory; or the third cache, if what was accessed is not much
 * larger than that. */
static void find_places(const calibration_t *calibration, struct places *places)
{
	const struct curve_point *points = (const void *)calibration->latency->data;
	guint count = calibration->latency->len;
	const struct code_cache *third = told_cache(calibration, 3, FALSE);
	struct curve_level levels[PLACES];
	guint found = curve_levels(points, count, PLACES, levels);

	for (guint i = 0; i < found; i++) {
		guint place = i;

		if (i == 2 && found == 3 &&
		    !(third && points[count - 1].x < 2 * (double)third->size))
			place = MEMORY;
		places->levels[place] = levels[i];
		places->seen[place] = TRUE;
	}
}

/* The level's end in whole sets of lines, or what the processor says if that is about the same. */
static void put_cache(struct derivation *derivation, struct places *places, guint place)
{
	const calibration_t *calibration = derivation->calibration;
	const struct cache_shape *caches[] = { &derivation->base->shape.l1d,
		                               &derivation->base->shape.l2,
		                               &derivation->base->shape.l3 };
	const struct code_cache *told = told_cache(calibration, place + 1, FALSE);
	const char *group = place_groups[place];
	double end = places->levels[place].end, set;
	double line = told ? told->line : derivation->base->shape.line;
	double ways = told ? told->ways : caches[place]->ways;

	if (!places->seen[place] || end == 0) {
		derive_unknown(derivation, "%s: its end is not to be seen in the latencies", group);
		return;
	}
	set = line * ways;
	places->sizes[place] = MAX(round(end / set), 1) * set;
	if (told && fabs(log2(end / (double)told->size)) <= log2(same_size)) {
		places->sizes[place] = (double)told->size;
		derive_put(derivation, group, "size", (double)told->size,
		           "the processor's own word; latencies rise above %.0f KiB", end / 1024);
	} else if (told) {
		derive_put(derivation, group, "size", places->sizes[place],
		           "measured: latencies rise above this; the processor says %.0f KiB",
		           (double)told->size / 1024);
	} else {
		derive_put(derivation, group, "size", places->sizes[place],
		           "measured: latencies rise above this");
	}
	if (told)
		derive_put(derivation, group, "ways", told->ways, "the processor's own word");
}

static void put_told(struct derivation *derivation)
{
	const struct code_cache *fetched = told_cache(derivation->calibration, 1, TRUE);
	const struct code_cache *first = told_cache(derivation->calibration, 1, FALSE);

	if (first)
		derive_put(derivation, "core", "line", first->line, "the processor's own word");
	if (!fetched) {
		derive_unknown(derivation, "l1i: the processor does not say");
		return;
	}
	derive_put(derivation, "l1i", "size", (double)fetched->size, "the processor's own word");
	derive_put(derivation, "l1i", "ways", fetched->ways, "the processor's own word");
}

/* Costs of what was found at @place, from how much longer a load from there takes. */
static void put_latency(struct derivation *derivation, const struct places *places, guint place)
{
	const double latency = places->levels[place].value, first = places->levels[L1].value;
	const double further = latency - first;
	const struct {
		enum time_counter counter;
		double at_once;
		const char *how;
	} kinds[] = {
		{ TIME_LOAD_L2, loads_at_once, ", over 1.5" },
		{ TIME_STORE_L2, stores_at_once, ", over 3" },
		{ TIME_FETCH_L2, 1, "" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(kinds); i++)
		derive_put(derivation, "cycles", time_counters[kinds[i].counter + place - L2].name,
		           further / kinds[i].at_once,
		           "measured: %.1f cycles from there, %.1f from L1; the difference%s",
		           latency, first, kinds[i].how);
}

static void derive_caches(struct derivation *derivation, struct places *places)
{
	static const char *const names[] = { "L1", "L2", "L3", "memory" };

	if (!derivation->calibration->latency) {
		derive_unknown(derivation, "caches: no latencies were measured");
		return;
	}
	find_places(derivation->calibration, places);
	for (guint place = L1; place < MEMORY; place++)
		put_cache(derivation, places, place);
	for (guint place = L2; place < PLACES; place++)
		if (!places->seen[place])
			derive_unknown(derivation,
			               "load, store, fetch from %s: the latencies have no such "
			               "level",
			               names[place]);
		else if (places->levels[place].spread > most_spread)
			derive_unknown(derivation,
			               "load, store, fetch from %s: repetitions differ by %.0f %%",
			               names[place], 100 * places->levels[place].spread);
		else
			put_latency(derivation, places, place);
	if (!derivation->calibration->large_pages)
		derive_unknown(derivation, "latencies hold page walks: the kernel gave no large "
		                           "pages (/sys/kernel/mm/transparent_hugepage/enabled)");
}

/* What the processor says, for those whose ends are not measured. */
static void put_told_tlb(struct derivation *derivation, const char *group, enum code_tlb_kind kind)
{
	const struct code_tlb *told = &derivation->calibration->tlbs[kind];

	if (!told->entries) {
		derive_unknown(derivation, "%s: the processor does not say", group);
		return;
	}
	derive_put(derivation, group, "entries", told->entries, "the processor's own word");
	derive_put(derivation, group, "ways", told->ways, "the processor's own word");
}

/* What the processor says if the level's end is about there; else the end, in whole sets of the
 * base, or all in one if it is fully associative. */
static void put_tlb(struct derivation *derivation, const char *group, enum code_tlb_kind kind,
                    const struct tlb_shape *base, double end)
{
	const struct code_tlb *told = &derivation->calibration->tlbs[kind];
	gboolean full = base->ways == base->entries;
	double ways = full ? end : base->ways;

	if (told->entries && fabs(log2(end / told->entries)) <= log2(same_size)) {
		derive_put(derivation, group, "entries", told->entries,
		           "the processor's own word; loads take longer from more than %.0f pages",
		           end);
		derive_put(derivation, group, "ways", told->ways, "the processor's own word");
		return;
	}
	derive_put(derivation, group, "entries", MAX(round(end / ways), 1) * ways,
	           "measured: loads take longer from more than %.0f pages", end);
	if (full)
		derive_put(derivation, group, "ways", ways, "fully associative, as %s",
		           derivation->base->name);
}

/* By how much longer a load takes on @level than on the first one. */
static void put_further(struct derivation *derivation, const struct curve_level *levels,
                        guint level, enum time_counter data, enum time_counter fetch)
{
	double further = levels[level].value - levels[0].value;

	derive_put(derivation, "cycles", time_counters[data].name, further / loads_at_once,
	           "measured: a load takes %.1f cycles longer; over 1.5", further);
	derive_put(derivation, "cycles", time_counters[fetch].name, further,
	           "measured, of loads: %.1f cycles longer", further);
}

static void put_pages(struct derivation *derivation, const struct curve_level *levels)
{
	put_tlb(derivation, "dtlb", CODE_DTLB, &derivation->base->shape.dtlb, levels[0].end);
	put_tlb(derivation, "tlb2", CODE_TLB2, &derivation->base->shape.tlb2, levels[1].end);
	put_further(derivation, levels, 1, TIME_DATA_TLB2, TIME_FETCH_TLB2);
	if (derivation->calibration->virtual_machine)
		derive_unknown(derivation,
		               "data_walk, fetch_walk: in a virtual machine a walk is through the "
		               "hypervisor's tables too (here %.0f cycles)",
		               levels[2].value - levels[0].value);
	else
		put_further(derivation, levels, 2, TIME_DATA_WALK, TIME_FETCH_WALK);
}

/* The curve begins at nothing, so what a load takes anyway is added: levels are told apart by their
 * ratio. */
static void derive_tlbs(struct derivation *derivation, const struct places *places)
{
	const GArray *pages = derivation->calibration->pages;
	g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct curve_point));
	double load = places->seen[L1] ? places->levels[L1].value : 1;
	struct curve_level levels[3];

	put_told_tlb(derivation, "itlb", CODE_ITLB);
	put_told_tlb(derivation, "itlb-large", CODE_ITLB_LARGE);
	put_told_tlb(derivation, "dtlb-large", CODE_DTLB_LARGE);
	for (guint i = 0; pages && i < pages->len; i++) {
		struct curve_point point = g_array_index(pages, struct curve_point, i);

		point.y = MAX(point.y + load, load / 2);
		g_array_append_val(points, point);
	}
	if (curve_levels((const void *)points->data, points->len, 3, levels) == 3)
		put_pages(derivation, levels);
	else
		derive_unknown(derivation,
		               "dtlb, tlb2, walks: their two levels are not to be seen in "
		               "the loads from many pages");
}

static void derive_copies(struct derivation *derivation)
{
	const GArray *copies = derivation->calibration->copies;
	double start, slope;

	if (!copies || !curve_line((const void *)copies->data, copies->len, &start, &slope) ||
	    slope <= 0) {
		derive_unknown(derivation, "string_start, string_byte: REP MOVSB takes no longer "
		                           "for more bytes");
		return;
	}
	start = MAX(start - derivation->share, 0);
	derive_put(derivation, "cycles", time_counters[TIME_STRING_START].name, start,
	           "measured: REP MOVSB of 256 to 4,096 bytes in L1, the line's start");
	derive_put(derivation, "cycles", time_counters[TIME_STRING_BYTES].name, slope,
	           "measured: REP MOVSB of 256 to 4,096 bytes in L1, %.1f bytes a cycle",
	           1 / slope);
}

/* REP MOVSB in the middle of each cache, against L1. */
static void derive_strings(struct derivation *derivation, const struct places *places)
{
	const GArray *strings = derivation->calibration->strings;
	const struct curve_point *points;
	double first;

	if (!strings || !strings->len || places->sizes[L1] == 0)
		return;
	points = (const void *)strings->data;
	first = curve_near(points, strings->len, places->sizes[L1] / 2);
	for (guint place = L2; place < PLACES; place++) {
		double largest = points[strings->len - 1].x, size, cycles;

		size = place == MEMORY ? largest
		                       : sqrt(places->sizes[place - 1] * places->sizes[place]);
		if (size == 0 || !places->seen[place])
			continue;
		cycles = curve_near(points, strings->len, size);
		derive_put(derivation, "cycles", time_counters[TIME_STRING_L2 + place - L2].name,
		           cycles - first,
		           "measured: REP MOVSB within %.0f KiB, %.2f cycles a line, in L1 %.2f",
		           size / 1024, cycles, first);
	}
}

void derive_memory(struct derivation *derivation)
{
	struct places places = { 0 };

	put_told(derivation);
	derive_caches(derivation, &places);
	derive_tlbs(derivation, &places);
	derive_copies(derivation);
	derive_strings(derivation, &places);
}
