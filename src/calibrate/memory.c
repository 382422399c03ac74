/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "base/error.h"

enum {
	LINE = 64,
	PAGE = 4096,
	LARGE_PAGE = 2 << 20,
	MOST_PAGES = 1 << 14,
	LEAST_PAGES = 8,
	LEAST_BYTES = 4096,
	STEPS = 2048,
	COPY_TIMES = 16,
	COPY_CHUNK = 128 << 10,
	/* What is a whole number of pages apart looks like the same place to some cores. */
	NO_ALIAS = PAGE / 2,
	FINE_BYTES = 8 << 20, /* up to which there are four sizes to an octave */
};

static const gsize copy_bytes[] = { 256, 512, 768, 1024, 1536, 2048, 3072, 4096 };

static char *map(gsize size, int advice, GError **error)
{
	/* Large pages need an address that is a multiple of their size. */
	char *memory = mmap(NULL, size + LARGE_PAGE, PROT_READ | PROT_WRITE,
	                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	guintptr rest = (guintptr)memory % LARGE_PAGE, before = rest ? LARGE_PAGE - rest : 0;

	if (memory == MAP_FAILED) {
		error_set_errno(error, errno, "cannot get %zu MiB of memory to measure with",
		                size >> 20);
		return NULL;
	}
	if (before)
		munmap(memory, before);
	munmap(memory + before + size, LARGE_PAGE - before);
	madvise(memory + before, size, advice);
	return memory + before;
}

/* TRUE if at least half of @size bytes are in large pages. */
static gboolean has_large_pages(gsize size)
{
	static const char key[] = "\nAnonHugePages:";
	g_autofree char *text = NULL;
	const char *line;

	if (!g_file_get_contents("/proc/self/smaps_rollup", &text, NULL, NULL))
		return FALSE;
	line = strstr(text, key);
	return line && g_ascii_strtoull(line + strlen(key), NULL, 10) * 1024 >= size / 2;
}

/* 0 to @count - 1 in random order. */
static guint32 *random_order(struct meter *meter, guint32 count)
{
	guint32 *order = g_new0(guint32, count);

	for (guint32 i = 0; i < count; i++) {
		guint32 other = g_rand_int(meter->random) % (i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	return order;
}

/* In no order, so that no two neighbours have neighbouring frames: some cores keep such in one
 * entry of a TLB. */
static void touch_pages(struct memory *memory)
{
	g_autofree guint32 *order = random_order(memory->meter, MOST_PAGES);

	for (guint32 i = 0; i < MOST_PAGES; i++)
		memory->small[(gsize)order[i] * PAGE] = 1;
}

gboolean memory_init(struct memory *memory, gsize most, GError **error)
{
	memory->large_size = most;
	memory->small_size = (gsize)MOST_PAGES * PAGE;
	memory->large = map(memory->large_size, MADV_HUGEPAGE, error);
	memory->small = memory->large ? map(memory->small_size, MADV_NOHUGEPAGE, error) : NULL;
	if (!memory->small)
		return FALSE;
	memset(memory->large, 1, memory->large_size);
	memory->large_pages = has_large_pages(memory->large_size);
	touch_pages(memory);
	return TRUE;
}

void memory_clear(struct memory *memory)
{
	if (memory->large)
		munmap(memory->large, memory->large_size);
	if (memory->small)
		munmap(memory->small, memory->small_size);
}

/* A pointer in each of @count places, which lead through all of them and round again. Places are
 * @stride bytes apart, and each one line further on in its page than the one before. */
static void *make_chain(struct meter *meter, char *base, guint32 count, gsize stride)
{
	g_autofree guint32 *order = random_order(meter, count);
	void **first = NULL, **last = NULL;

	for (guint32 i = 0; i < count; i++) {
		gsize shift = stride > LINE ? order[i] % (PAGE / LINE) * LINE : 0;
		void **place = (void **)(void *)(base + order[i] * stride + shift);

		if (last)
			*last = place;
		else
			first = place;
		last = place;
	}
	*last = first;
	return first;
}

struct chase {
	void *at;
	guint64 steps;
};

static void run_chase(void *data)
{
	struct chase *chase = data;

	chase->at = code_chase(chase->at, chase->steps);
}

/* Adds @memory's repetitions of one chain to @samples: cycles a step. */
static void chase(const struct memory *memory, void *chain, guint32 count, GArray *samples)
{
	struct chase work = { chain, 0 };

	for (guint i = 0; i < memory->repetitions; i++) {
		double cycles;

		/* Once through all of it, so that what fits is there, whoever ran in between; for a
		 * long chain having been made must do. */
		work.steps = ((guint64)count + 15) / 16 * 16;
		if (count <= FINE_BYTES / LINE)
			run_chase(&work);
		work.steps = STEPS;
		cycles = meter_time(memory->meter, run_chase, &work) / STEPS;
		g_array_append_val(samples, cycles);
	}
}

/* 1, 1.25, 1.5, 1.75, 2, 2.5, ...: the sizes that caches and TLBs have. */
static gsize next_size(gsize size, gboolean fine)
{
	gsize octave = (gsize)1 << (g_bit_storage(size) - 1);

	return size + octave / (fine ? 4 : 2);
}

static struct reading reading_in(GArray *samples)
{
	return reading_of((double *)(void *)samples->data, samples->len);
}

static gboolean stopped(const struct memory *memory, GError **error)
{
	return g_cancellable_is_cancelled(memory->cancellable) &&
	       !error_set(error, KCOST_ERROR_INTERRUPTED, "measuring the core was stopped");
}

/* A curve on its way: for each x the samples of all rounds. */
struct survey {
	GArray *x;          /* double */
	GPtrArray *samples; /* GArray of double */
};

static void free_array(gpointer array)
{
	g_array_unref(array);
}

static void survey_init(struct survey *survey)
{
	survey->x = g_array_new(FALSE, FALSE, sizeof(double));
	survey->samples = g_ptr_array_new_with_free_func(free_array);
}

static void survey_add(struct survey *survey, double x)
{
	g_array_append_val(survey->x, x);
	g_ptr_array_add(survey->samples, g_array_new(FALSE, FALSE, sizeof(double)));
}

static gboolean more_rounds(const struct memory *memory, guint done)
{
	return done < memory->rounds && g_get_monotonic_time() < memory->deadline;
}

/* Takes all rounds, the points of each one after the other, and makes the points. */
static GArray *survey_finish(struct survey *survey, const struct memory *memory,
                             void (*sample)(const struct memory *memory, double x, GArray *samples),
                             GError **error)
{
	g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(struct curve_point));
	gboolean go_on = TRUE;

	for (guint round = 0; go_on && (!round || more_rounds(memory, round)); round++)
		for (guint i = 0; go_on && i < survey->x->len; i++) {
			sample(memory, g_array_index(survey->x, double, i),
			       survey->samples->pdata[i]);
			go_on = !stopped(memory, error);
		}
	for (guint i = 0; go_on && i < survey->x->len; i++) {
		struct reading reading = reading_in(survey->samples->pdata[i]);
		struct curve_point point = { g_array_index(survey->x, double, i), reading.value,
			                     reading.spread };

		g_array_append_val(points, point);
	}
	g_array_unref(survey->x);
	g_ptr_array_unref(survey->samples);
	return go_on ? g_steal_pointer(&points) : NULL;
}

static void sample_latency(const struct memory *memory, double x, GArray *samples)
{
	guint32 lines = (guint32)(x / LINE);

	chase(memory, make_chain(memory->meter, memory->large, lines, LINE), lines, samples);
}

GArray *memory_latency(struct memory *memory, GError **error)
{
	struct survey survey;

	survey_init(&survey);
	for (gsize size = LEAST_BYTES; size <= memory->large_size;
	     size = next_size(size, size < FINE_BYTES))
		survey_add(&survey, (double)size);
	return survey_finish(&survey, memory, sample_latency, error);
}

/* Both kinds in turn, so that whatever changes in between touches both. */
static void sample_pages(const struct memory *memory, double x, GArray *samples)
{
	g_autoptr(GArray) apart = g_array_new(FALSE, FALSE, sizeof(double));
	g_autoptr(GArray) together = g_array_new(FALSE, FALSE, sizeof(double));
	guint32 pages = (guint32)x;
	double difference;

	chase(memory, make_chain(memory->meter, memory->small, pages, PAGE), pages, apart);
	chase(memory, make_chain(memory->meter, memory->large, pages, LINE), pages, together);
	difference = reading_in(apart).value - reading_in(together).value;
	g_array_append_val(samples, difference);
}

GArray *memory_pages(struct memory *memory, GError **error)
{
	struct survey survey;

	survey_init(&survey);
	for (gsize pages = LEAST_PAGES; pages <= MOST_PAGES; pages = next_size(pages, TRUE))
		survey_add(&survey, (double)pages);
	return survey_finish(&survey, memory, sample_pages, error);
}

struct copy {
	char *to;
	const char *from;
	gsize bytes;
	guint64 times;
};

static void run_copy(void *data)
{
	const struct copy *copy = data;

	code_copy(copy->to, copy->from, copy->bytes, copy->times);
}

static void sample_copy(const struct memory *memory, double x, GArray *samples)
{
	struct copy copy = { memory->large + 2 * PAGE + NO_ALIAS, memory->large, (gsize)x,
		             COPY_TIMES };

	run_copy(&copy);
	for (guint i = 0; i < memory->repetitions; i++) {
		double cycles = meter_time(memory->meter, run_copy, &copy) / COPY_TIMES;

		g_array_append_val(samples, cycles);
	}
}

GArray *memory_copies(struct memory *memory, GError **error)
{
	struct survey survey;

	survey_init(&survey);
	for (guint i = 0; i < G_N_ELEMENTS(copy_bytes); i++)
		survey_add(&survey, (double)copy_bytes[i]);
	return survey_finish(&survey, memory, sample_copy, error);
}

/* Piece by piece through one half of the memory, into the other half. */
static void sample_string(const struct memory *memory, double x, GArray *samples)
{
	gsize half = (gsize)x / 2, all = half - NO_ALIAS, bytes = MIN(all, COPY_CHUNK), place = 0;
	struct copy copy = { memory->large + half + NO_ALIAS, memory->large, all, 1 };

	run_copy(&copy);
	copy.bytes = bytes;
	copy.times = MAX(COPY_CHUNK / bytes / 2, 1);
	for (guint i = 0; i < memory->repetitions; i++) {
		double cycles;

		copy.from = memory->large + place;
		copy.to = memory->large + half + NO_ALIAS + place;
		cycles = meter_time(memory->meter, run_copy, &copy) / (double)copy.times /
		         (2 * (double)bytes / LINE);
		g_array_append_val(samples, cycles);
		place = place + 2 * bytes <= all ? place + bytes : 0;
	}
}

GArray *memory_strings(struct memory *memory, GError **error)
{
	struct survey survey;

	survey_init(&survey);
	for (gsize size = 4 * LEAST_BYTES; size <= memory->large_size;
	     size = next_size(size, FALSE))
		survey_add(&survey, (double)size);
	return survey_finish(&survey, memory, sample_string, error);
}
