/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "calibrate/derive.h"

#include <math.h>
#include <stdarg.h>

/* Instructions of the kernel between SYSCALL and SYSRET, about: as in share/cpu/skylake-server.ini.
 */
static const double call_instructions = 100;
/* A system call that takes more, in the base's, has more in it. */
static const double most_call = 3;
/* Of four decisions at random two are mispredicted; of 16 targets all but one. */
static const double missed_directions = 0.5;
static const double missed_targets = 1 - 1.0 / CODE_TARGETS;

/* To four digits: more would be noise. */
static double rounded(double value)
{
	double unit;

	if (value == 0)
		return 0;
	unit = pow(10, floor(log10(fabs(value))) - 3);
	/* Dividing by a power of ten gives the nearest double, multiplying by a fraction does not.
	 */
	return unit < 1 ? round(value / unit) / round(1 / unit) : round(value / unit) * unit;
}

void derive_put(struct derivation *derivation, const char *group, const char *key, double value,
                const char *source, ...)
{
	struct calibrated_number *number = g_new(struct calibrated_number, 1);
	va_list args;

	va_start(args, source);
	*number = (struct calibrated_number){
		.group = g_strdup(group),
		.key = g_strdup(key),
		.value = g_str_equal(group, "cycles") ? rounded(MAX(value, 0)) : value,
		.source = g_strdup_vprintf(source, args),
	};
	va_end(args);
	g_ptr_array_add(derivation->result->numbers, number);
}

void derive_unknown(struct derivation *derivation, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_ptr_array_add(derivation->result->unknown, g_strdup_vprintf(format, args));
	va_end(args);
}

static const char *counter_name(enum time_counter counter)
{
	return time_counters[counter].name;
}

/* TRUE if the probe was run; else why the key @name has no number is noted. */
static gboolean is_there(struct derivation *derivation, enum probe probe, const char *name)
{
	if (!isnan(derivation->calibration->probes[probe].value))
		return TRUE;
	derive_unknown(derivation, "%s: this processor does not have it", name);
	return FALSE;
}

/* ... and its repetitions agree. */
static gboolean is_good(struct derivation *derivation, enum probe probe, const char *name)
{
	const struct reading *reading = &derivation->calibration->probes[probe];

	if (!is_there(derivation, probe, name))
		return FALSE;
	if (reading->spread <= most_spread)
		return TRUE;
	derive_unknown(derivation, "%s: repetitions differ by %.0f %%", name,
	               100 * reading->spread);
	return FALSE;
}

/* What an instruction takes beyond its share: a probe's cycles an operation, less @less. */
static void put_probe(struct derivation *derivation, enum time_counter counter, enum probe probe,
                      double less)
{
	const struct reading *reading = &derivation->calibration->probes[probe];
	const char *name = counter_name(counter);

	if (is_good(derivation, probe, name))
		derive_put(derivation, "cycles", name, reading->value - less,
		           "measured: %s, one in %.2f cycles (spread %.1f %%)", code_name(probe),
		           reading->value, 100 * reading->spread);
}

/* The difference between two probes, divided by @times. */
static void put_difference(struct derivation *derivation, enum time_counter counter,
                           enum probe probe, enum probe without, double less, double times)
{
	const struct reading *with = &derivation->calibration->probes[probe];
	const struct reading *base = &derivation->calibration->probes[without];
	const char *name = counter_name(counter);

	double difference = with->value - base->value;
	double noise = with->spread * with->value + base->spread * base->value;

	if (!is_there(derivation, probe, name) || !is_there(derivation, without, name))
		return;
	if (noise > most_spread * MAX(difference, 1))
		derive_unknown(derivation,
		               "%s: repetitions differ by %.2f cycles, what is measured by %.2f",
		               name, noise, difference);
	else
		derive_put(derivation, "cycles", name, difference / times - less,
		           "measured: %s %.2f cycles (spread %.1f %%), %s %.2f (%.1f %%)",
		           code_name(probe), with->value, 100 * with->spread, code_name(without),
		           base->value, 100 * base->spread);
}

static void derive_core(struct derivation *derivation)
{
	const calibration_t *calibration = derivation->calibration;
	const struct reading *adds = &calibration->probes[PROBE_ADDS];
	const struct reading *mixed = &calibration->probes[PROBE_MIXED];
	const char *name = counter_name(TIME_INSTRUCTIONS);

	derivation->share = derivation->base->cycles[TIME_INSTRUCTIONS];
	if (calibration->mhz.spread <= most_spread)
		derive_put(derivation, "core", "mhz", round(calibration->mhz.value),
		           "measured: additions in a chain, one a cycle (spread %.1f %%)",
		           100 * calibration->mhz.spread);
	else
		derive_unknown(derivation, "mhz: repetitions differ by %.0f %%",
		               100 * calibration->mhz.spread);
	if (!is_good(derivation, PROBE_ADDS, name) || !is_good(derivation, PROBE_MIXED, name))
		return;
	derive_put(
		derivation, "cycles", name, MIN(adds->value, mixed->value),
		"measured: independent additions, %.2f a cycle (spread %.1f %%); with loads among "
		"them, %.2f (%.1f %%)",
		1 / adds->value, 100 * adds->spread, 1 / mixed->value, 100 * mixed->spread);
	derivation->share = MIN(adds->value, mixed->value);
}

static void derive_instructions(struct derivation *derivation)
{
	/* What else is in an operation takes its shares of the core; what a division waits for, an
	 * OR, a cycle. */
	static const struct {
		enum time_counter counter;
		enum probe probe;
		double shares, cycles;
	} simple[] = {
		{ TIME_LOCKED, PROBE_LOCKED, 1, 0 },
		{ TIME_CMPXCHG16B, PROBE_CMPXCHG16B, 1, 0 },
		{ TIME_PUSHF, PROBE_PUSHF, 2, 0 },
		{ TIME_LFENCE, PROBE_LFENCE, 1, 0 },
		{ TIME_MFENCE, PROBE_MFENCE, 2, 0 },
		{ TIME_SFENCE, PROBE_SFENCE, 2, 0 },
		{ TIME_DIVIDE_32, PROBE_DIVIDE_32, 1, 1 },
		{ TIME_DIVIDE_64, PROBE_DIVIDE_64, 1, 1 },
		{ TIME_RDTSC, PROBE_RDTSC, 1, 0 },
		{ TIME_XSAVE, PROBE_XSAVE, 1, 0 },
		{ TIME_XRSTOR, PROBE_XRSTOR, 1, 0 },
		{ TIME_RANDOM, PROBE_RANDOM, 1, 0 },
		{ TIME_PAUSE, PROBE_PAUSE, 1, 0 },
		{ TIME_DESCRIPTOR, PROBE_SEGMENT, 1, 0 },
		{ TIME_SCAN_STEPS, PROBE_SCAN, 0, 0 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(simple); i++)
		put_probe(derivation, simple[i].counter, simple[i].probe,
		          simple[i].shares * derivation->share + simple[i].cycles);
	put_difference(derivation, TIME_POPF, PROBE_PUSHF_POPF, PROBE_PUSHF, 0, 1);
	if (derivation->calibration->virtual_machine)
		derive_unknown(derivation, "cpuid: in a virtual machine it goes to the hypervisor");
	else
		put_probe(derivation, TIME_CPUID, PROBE_CPUID, derivation->share);
}

static void derive_branches(struct derivation *derivation)
{
	const struct reading *probes = derivation->calibration->probes;
	const struct reading *random = &probes[PROBE_BRANCH_RANDOM];
	const char *name = counter_name(TIME_MISSED_BRANCH);
	double known = (probes[PROBE_BRANCH_NEVER].value + probes[PROBE_BRANCH_ALWAYS].value) / 2;

	put_difference(derivation, TIME_TAKEN, PROBE_JUMPS, PROBE_STRAIGHT, derivation->share, 1);
	put_difference(derivation, TIME_MISSED_INDIRECT, PROBE_INDIRECT_RANDOM, PROBE_INDIRECT_ONE,
	               0, missed_targets);
	put_difference(derivation, TIME_MISSED_RETURN, PROBE_RETURN_WRONG, PROBE_RETURN_RIGHT, 0,
	               1);
	if (is_good(derivation, PROBE_BRANCH_RANDOM, name) &&
	    is_good(derivation, PROBE_BRANCH_NEVER, name) &&
	    is_good(derivation, PROBE_BRANCH_ALWAYS, name))
		derive_put(
			derivation, "cycles", name, (random->value - known) / missed_directions,
			"measured: branches taken at random %.2f cycles (spread %.1f %%), always "
			"or never %.2f; half of the former are mispredicted",
			random->value, 100 * random->spread, known);
}

/* A null system call is SYSCALL, two SWAPGS, SYSRET and some instructions: what is left after those
 * is divided as in the base. Mitigations make it another thing: what they add is the kernel's that
 * runs here, not of those that are priced. */
static void derive_calls(struct derivation *derivation)
{
	static const enum time_counter parts[] = { TIME_SYSCALL, TIME_SYSRET, TIME_SWAPGS };
	static const char names[] = "syscall, sysret, swapgs";
	const double *cycles = derivation->base->cycles;
	const struct reading *call = &derivation->calibration->probes[PROBE_SYSCALL];
	double base = cycles[TIME_SYSCALL] + cycles[TIME_SYSRET] + 2 * cycles[TIME_SWAPGS];
	double rest = call->value - call_instructions * derivation->share;

	if (!is_good(derivation, PROBE_SYSCALL, names))
		return;
	if (derivation->calibration->isolation || rest > most_call * base || rest <= 0) {
		derive_unknown(
			derivation, "%s: getppid takes %.0f cycles here, %s", names, call->value,
			derivation->calibration->isolation
				? "but with page-table isolation, which changes tables twice"
				: "which is not what these instructions take: mitigations, or "
				  "no real system call");
		return;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		derive_put(
			derivation, "cycles", counter_name(parts[i]),
			cycles[parts[i]] * rest / base,
			"measured: getppid %.0f cycles (spread %.1f %%), less %.0f instructions; "
			"divided among SYSCALL, SYSRET and two SWAPGS as in %s",
			call->value, 100 * call->spread, call_instructions, derivation->base->name);
}

/* What no program in user space can execute, or none alone. */
static void note_privileged(struct derivation *derivation)
{
	derive_unknown(derivation, "iret, interrupt, wrmsr, rdmsr, cr3, control, cli, sti, stac, "
	                           "invlpg, port, halt: only the kernel can do them");
	derive_unknown(derivation, "history, target-bits, return-depth: not measured");
	if (derivation->calibration->virtual_machine)
		derive_unknown(
			derivation,
			"this is a virtual machine: the last cache and memory are shared "
			"with others, and the processor says what the hypervisor has it say");
}

static void free_number(gpointer data)
{
	struct calibrated_number *number = data;

	g_free(number->group);
	g_free(number->key);
	g_free(number->source);
	g_free(number);
}

calibrated_t *calibrated_new(const calibration_t *calibration, const cpu_model_t *base)
{
	calibrated_t *result = g_new(calibrated_t, 1);
	struct derivation derivation = { calibration, base, result, 0 };

	result->numbers = g_ptr_array_new_with_free_func(free_number);
	result->unknown = g_ptr_array_new_with_free_func(g_free);
	derive_core(&derivation);
	derive_memory(&derivation);
	derive_instructions(&derivation);
	derive_branches(&derivation);
	derive_calls(&derivation);
	note_privileged(&derivation);
	return result;
}

void calibrated_free(calibrated_t *calibrated)
{
	if (!calibrated)
		return;
	g_ptr_array_unref(calibrated->numbers);
	g_ptr_array_unref(calibrated->unknown);
	g_free(calibrated);
}

const struct calibrated_number *calibrated_find(const calibrated_t *calibrated, const char *group,
                                                const char *key)
{
	for (guint i = 0; i < calibrated->numbers->len; i++) {
		const struct calibrated_number *number = calibrated->numbers->pdata[i];

		if (g_str_equal(number->group, group) && g_str_equal(number->key, key))
			return number;
	}
	return NULL;
}
