/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "machine/machine.h"

void machine_boot_clear(machine_boot_t *boot)
{
	plan_results_clear(&boot->results);
	g_clear_pointer(&boot->first_warning, g_free);
	g_clear_pointer(&boot->console, g_free);
	g_clear_pointer(&boot->times, g_free);
}

void machine_provenance_clear(machine_provenance_t *provenance)
{
	g_clear_pointer(&provenance->emulator, g_free);
	g_clear_pointer(&provenance->arguments, g_free);
	g_clear_pointer(&provenance->cpu_model, g_free);
	g_clear_pointer(&provenance->cmdline, g_free);
	g_clear_pointer(&provenance->guest_sha256, g_free);
}
