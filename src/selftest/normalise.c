/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "selftest/normalise.h"

#include <string.h>

/* What a kernel prints around a message that says nothing of what was found: kernel/panic.c,
 * lib/dump_stack.c, arch/x86/kernel/{dumpstack,process_64}.c. */
static const char *const noise[] = {
	"---[ end trace", "CPU: ",     "Hardware name:", "Modules linked in:",
	"Call Trace:",    "<TASK>",    "</TASK>",        "<IRQ>",
	"</IRQ>",         "<SOFTIRQ>", "</SOFTIRQ>",     "Code: ",
	"RIP: ",          "RSP: ",     "RAX: ",          "RDX: ",
	"RBP: ",          "R10: ",     "R13: ",          "FS: ",
	"CS: ",           "CR2: ",     "DR0: ",          "DR3: ",
	"PKRU: ",         "EFLAGS: ",  "ORIG_RAX: ",     "Workqueue: ",
};

/* Functions of the checks themselves and of the printing of traces: which of them are on the stack
 * is how a check is made, not what it found. And irq_exit_rcu() with its body: it takes from the
 * count, so whether the compiler makes one function of the two depends on the check's size. */
static const char *const checkers[] = {
	"dump_stack",
	"dump_stack_lvl",
	"check_preemption_disabled",
	"debug_smp_processor_id",
	"__this_cpu_preempt_check",
	"preempt_count_add",
	"preempt_count_sub",
	"preempt_latency_start",
	"preempt_latency_stop",
	"__warn",
	"report_bug",
	"handle_bug",
	"exc_invalid_op",
	"asm_exc_invalid_op",
	"irq_exit_rcu",
	"__irq_exit_rcu",
};

/* Each pattern's matches become the text beside it; in this order. */
static const struct {
	const char *pattern, *replacement;
} substitutions[] = {
	{ "^WARNING: CPU: \\d+ PID: \\d+ at ", "WARNING: at " },
	{ "(\\.[ch]):\\d+\\b", "\\1" },                       /* line numbers */
	{ "\\+0x[0-9a-f]+/0x[0-9a-f]+", "" },                 /* where in a function */
	{ "\\.(isra|constprop|part|cold)(\\.\\d+)?\\b", "" }, /* parts that the compiler made */
	/* Process numbers; a worker has a number after a slash in its name too. */
	{ "\\b((?:code|atomic): .+)/\\d+(?=/0x|$)", "\\1" },
	{ "\\b(leaked .+)\\[\\d+\\]$", "\\1" },
	{ "\\b(leaked .+/0x[0-9a-f]{8})/\\d+$", "\\1" },
	{ "\\b(locks? held by .+)/\\d+([.:])", "\\1\\2" },
	{ "\\bpid: \\d+", "pid" },                         /* the same */
	{ "\\b(last function: )[0-9a-f]{8,}\\b", "\\1" },  /* addresses */
	{ "\\[<[0-9a-f]+>\\] ?", "" },                     /* the same */
	{ "\\b0x[0-9a-f]{9,}\\b", "ADDRESS" },             /* the same */
	{ "\\b[0-9a-f]{16}\\b", "ADDRESS" },               /* the same */
	{ "\\bmemory: \\d+K$", "memory" },                 /* of parts of the image, at boot */
	{ "^(irq event stamp): \\d+$", "\\1" },            /* lockdep's count of events */
	{ "^(\\w+irqs last +\\w+ at) \\(\\d+\\)", "\\1" }, /* the same */
	/* One does all its work in the other, which is a function of its own or not as GCC likes.
	 */
	{ "^(softirqs last +\\w+ at: .*)\\b__irq_exit_rcu\\b", "\\1irq_exit_rcu" },
};

/* A message begins a report when it begins so, or holds what stands in marks. A WARN() is known by
 * the line before it. */
static const char *const beginnings[] = {
	"BUG: ",
	"initcall ",
};

static const char *const marks[] = {
	"callbacks suppressed",
};

const char *normalise_skip_prefixes(const char *line, char **from)
{
	const char *end;

	*from = NULL;
	if (line[0] == '<' && g_ascii_isdigit(line[1]) && line[2] == '>')
		line += 3;
	while (line[0] == '[' && (end = strchr(line, ']'))) {
		const char *word = line + 1 + strspn(line + 1, " ");

		/* Neither a time nor a caller: the message's own bracket. */
		if (!g_ascii_isdigit(*word) &&
		    !((*word == 'T' || *word == 'C') && g_ascii_isdigit(word[1])))
			break;
		if (*word == 'T' || *word == 'C') {
			g_free(*from);
			*from = g_strndup(word, (gsize)(end - word));
		}
		line = end + 1;
		line += *line == ' ';
	}
	if (!*from)
		*from = g_strdup("");
	return line;
}

static gboolean is_noise(const char *text)
{
	for (gsize i = 0; i < G_N_ELEMENTS(noise); i++)
		if (g_str_has_prefix(text, noise[i]))
			return TRUE;
	/* A return address that the unwinder found but does not vouch for. */
	return !*text || g_str_has_prefix(text, "? ");
}

static gboolean is_checker(const char *function)
{
	for (gsize i = 0; i < G_N_ELEMENTS(checkers); i++)
		if (!strcmp(function, checkers[i]))
			return TRUE;
	return FALSE;
}

static char *substitute(const char *text)
{
	char *made = g_strdup(text);

	for (gsize i = 0; i < G_N_ELEMENTS(substitutions); i++) {
		g_autoptr(GRegex) pattern = g_regex_new(substitutions[i].pattern, 0, 0, NULL);
		char *next = g_regex_replace(pattern, made, -1, 0, substitutions[i].replacement, 0,
		                             NULL);

		g_free(made);
		made = next;
	}
	return made;
}

char *normalise_line(const char *message)
{
	const char *text = message + strspn(message, " \t");
	gboolean is_frame = text > message && strstr(text, "+0x");
	g_autofree char *line = NULL;

	if (is_noise(text))
		return NULL;
	line = substitute(text);
	if (!is_frame)
		return g_steal_pointer(&line);
	return is_checker(line) ? NULL : g_strconcat("  ", line, NULL);
}

gboolean normalise_begins_report(const char *line)
{
	for (gsize i = 0; i < G_N_ELEMENTS(beginnings); i++)
		if (g_str_has_prefix(line, beginnings[i]))
			return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(marks); i++)
		if (strstr(line, marks[i]))
			return TRUE;
	return FALSE;
}
