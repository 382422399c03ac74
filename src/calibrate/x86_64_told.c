/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <cpuid.h>
#include <string.h>

#include "calibrate/code.h"

/* What CPUID tells. Intel: Software Developer's Manual, volume 2, CPUID; AMD: AMD64 Architecture
 * Programmer's Manual, volume 3, appendix E. */

enum {
	LEAF_CACHES = 4,
	LEAF_TLBS = 0x18,
};

static const guint leaf_name = 0x80000002;
static const guint leaf_amd_first = 0x80000005;  /* L1 caches and TLBs */
static const guint leaf_amd_second = 0x80000006; /* L2 and L3 */
static const guint leaf_amd_caches = 0x8000001d; /* as Intel's leaf 4 */
static const guint leaf_amd_more = 0x80000021;

/* A leaf's registers. */
struct words {
	guint a, b, c, d;
};

static gboolean ask(guint leaf, guint index, struct words *words)
{
	return __get_cpuid_count(leaf, index, &words->a, &words->b, &words->c, &words->d);
}

char *code_processor(void)
{
	struct words words[3];
	char text[sizeof(words) + 1] = "";

	for (guint i = 0; i < 3; i++)
		if (!ask(leaf_name + i, 0, &words[i]))
			return g_strdup("a processor without a name");
	memcpy(text, words, sizeof(words));
	return g_strstrip(g_strdup(text));
}

/* Leaf 1, ECX, bit 31: never set by hardware. */
gboolean code_is_virtual(void)
{
	struct words words;

	return ask(1, 0, &words) && words.c >> 31;
}

/* "AuthenticAMD", or "HygonGenuine", which has AMD's leaves; EDX is in the middle. */
static gboolean is_amd(void)
{
	struct words words;

	return ask(0, 0, &words) && (words.d == signature_AMD_edx || words.d == 0x6e65476e);
}

/* Leaf 4, and AMD's like it. */
static guint listed_caches(guint leaf, struct code_cache *caches, guint most)
{
	guint found = 0;
	struct words words;

	for (guint i = 0; found < most && ask(leaf, i, &words) && words.a & 31; i++) {
		guint ways = (words.b >> 22) + 1, line = (words.b & 0xfff) + 1;
		guint parts = (words.b >> 12 & 0x3ff) + 1;

		caches[found++] = (struct code_cache){
			.level = words.a >> 5 & 7,
			.instructions = (words.a & 31) == 2,
			.size = (guint64)ways * parts * line * ((guint64)words.c + 1),
			.ways = ways,
			.line = line,
		};
	}
	return found;
}

/* AMD's four bits for ways; 0: it does not say. @all: those of a fully associative one. */
static guint amd_ways(guint code, guint all)
{
	static const guint ways[] = { 0, 1, 2, 3, 4, 6, 8, 0, 16, 0, 32, 48, 64, 96, 128 };

	return code == 15 ? all : ways[code];
}

static struct code_cache amd_first_cache(guint word, gboolean instructions)
{
	struct code_cache cache = {
		.level = 1,
		.instructions = instructions,
		.size = (guint64)(word >> 24) << 10,
		.ways = word >> 16 & 0xff,
		.line = word & 0xff,
	};

	if (cache.ways == 0xff && cache.line)
		cache.ways = (guint)(cache.size / cache.line);
	return cache;
}

/* The older leaves, which do not tell of L3 what one core has. */
static guint amd_caches(struct code_cache *caches, guint most)
{
	struct words first, second;
	guint found = 0;
	struct code_cache all[3];

	if (!ask(leaf_amd_first, 0, &first) || !ask(leaf_amd_second, 0, &second))
		return 0;
	all[0] = amd_first_cache(first.c, FALSE);
	all[1] = amd_first_cache(first.d, TRUE);
	all[2] = (struct code_cache){
		.level = 2,
		.size = (guint64)(second.c >> 16) << 10,
		.ways = amd_ways(second.c >> 12 & 15, 0),
		.line = second.c & 0xff,
	};
	for (guint i = 0; i < G_N_ELEMENTS(all) && found < most; i++)
		if (all[i].size && all[i].ways && all[i].line)
			caches[found++] = all[i];
	return found;
}

guint code_caches(struct code_cache *caches, guint most)
{
	guint found = listed_caches(is_amd() ? leaf_amd_caches : LEAF_CACHES, caches, most);

	return found || !is_amd() ? found : amd_caches(caches, most);
}

static struct code_tlb make_tlb(guint entries, guint ways)
{
	return ways && entries % ways == 0 ? (struct code_tlb){ entries, ways }
	                                   : (struct code_tlb){ 0, 0 };
}

/* Eight bits of ways, eight of entries. */
static struct code_tlb amd_first_tlb(guint half)
{
	guint entries = half & 0xff, ways = half >> 8 & 0xff;

	return make_tlb(entries, ways == 0xff ? entries : ways);
}

static void amd_tlbs(struct code_tlb *tlbs)
{
	struct words first, second, more;
	guint unit = 1, entries;

	if (!ask(leaf_amd_first, 0, &first) || !ask(leaf_amd_second, 0, &second))
		return;
	/* EAX, bit 14 (L2TlbSizeX32): sizes of the second level are in units of 32. */
	if (ask(leaf_amd_more, 0, &more) && more.a >> 14 & 1)
		unit = 32;
	entries = (second.b >> 16 & 0xfff) * unit;
	tlbs[CODE_ITLB_LARGE] = amd_first_tlb(first.a);
	tlbs[CODE_DTLB_LARGE] = amd_first_tlb(first.a >> 16);
	tlbs[CODE_ITLB] = amd_first_tlb(first.b);
	tlbs[CODE_DTLB] = amd_first_tlb(first.b >> 16);
	tlbs[CODE_TLB2] = make_tlb(entries, amd_ways(second.b >> 28, entries));
}

/* Which of them an entry of leaf 18H tells of, for pages of 4 KiB or, @large, of 2 MiB. */
static enum code_tlb_kind intel_kind(const struct words *words, gboolean large)
{
	enum { DATA = 1, INSTRUCTIONS, BOTH, LOADS };
	guint kind = words->d & 31, level = words->d >> 5 & 7;

	if (!(words->b & (large ? 2 : 1)))
		return CODE_TLBS;
	if (level == 2 && kind == BOTH && !large)
		return CODE_TLB2;
	if (level == 1 && kind == INSTRUCTIONS)
		return large ? CODE_ITLB_LARGE : CODE_ITLB;
	if (level == 1 && (kind == DATA || kind == LOADS))
		return large ? CODE_DTLB_LARGE : CODE_DTLB;
	return CODE_TLBS;
}

static void intel_tlbs(struct code_tlb *tlbs)
{
	struct words words;
	guint last;

	if (!ask(LEAF_TLBS, 0, &words))
		return;
	last = words.a;
	for (guint i = 0; i <= last && ask(LEAF_TLBS, i, &words); i++) {
		guint ways = words.b >> 16, entries = ways * words.c;

		/* EDX, bit 8: fully associative. */
		if (words.d >> 8 & 1)
			ways = entries;
		for (gboolean large = FALSE; large <= TRUE; large++) {
			enum code_tlb_kind kind = intel_kind(&words, large);

			if (kind != CODE_TLBS && !tlbs[kind].entries)
				tlbs[kind] = make_tlb(entries, ways);
		}
	}
}

void code_tlbs(struct code_tlb tlbs[CODE_TLBS])
{
	memset(tlbs, 0, CODE_TLBS * sizeof(*tlbs));
	if (is_amd())
		amd_tlbs(tlbs);
	else
		intel_tlbs(tlbs);
}
