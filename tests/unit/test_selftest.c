/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The logs are hand-made after the format strings of the kernel's lib/smp_processor_id.c,
 * kernel/sched/core.c, kernel/panic.c and kernel/printk/printk.c. */
#include <json-glib/json-glib.h>
#include <string.h>

#include "selftest/normalise.h"
#include "selftest/render.h"

static const char misuse[] = "dpt: begin module/kthread/read_1\n"
			     "BUG: using __this_cpu_read() in preemptible [00000000] code: dpt/12\n"
			     "caller is dpt_read_1+0x10/0x20 [debug_preempt_test]\n"
			     "CPU: 0 PID: 12 Comm: dpt Not tainted 6.1.192 #1\n"
			     "Call Trace:\n"
			     " <TASK>\n"
			     " dump_stack_lvl+0x34/0x48\n"
			     " check_preemption_disabled+0xdd/0xe0\n"
			     " ? nothing_sure+0x1/0x2\n"
			     " dpt_read_1+0x10/0x20 [debug_preempt_test]\n"
			     " kthread+0xe6/0x110\n"
			     " </TASK>\n"
			     "dpt: end module/kthread/read_1 count 0\n";

static const selftest_case_t *only(const GPtrArray *log)
{
	g_assert_cmpuint(log->len, ==, 1);
	return log->pdata[0];
}

static void test_reads_a_report(void)
{
	static const char *const lines[] = {
		"BUG: using __this_cpu_read() in preemptible [00000000] code: dpt",
		"caller is dpt_read_1 [debug_preempt_test]",
		"  dpt_read_1 [debug_preempt_test]",
		"  kthread",
	};
	g_autoptr(GPtrArray) log = selftest_log_read(misuse);
	const selftest_case_t *one = only(log);
	const selftest_report_t *report;

	g_assert_cmpstr(one->name, ==, "module/kthread/read_1");
	g_assert_cmpstr(one->count, ==, "0");
	g_assert_cmpuint(one->reports->len, ==, 1);
	report = one->reports->pdata[0];
	g_assert_cmpuint(report->lines->len, ==, G_N_ELEMENTS(lines));
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++)
		g_assert_cmpstr(report->lines->pdata[i], ==, lines[i]);
}

/* Two tasks and an interrupt print at the same time; one line has a level, all have the time. */
static void test_takes_processors_apart(void)
{
	static const char text[] =
		"[    6.1][   T9] dpt: begin builtin/kthread/smp_processor_id\n"
		"<3>[    6.2][   T9] BUG: using smp_processor_id() in preemptible [00000000] code: "
		"dpt/9\n"
		"[    6.2][   T7] BUG: using __this_cpu_add() in preemptible [00000000] code: "
		"other/7\r\n"
		"[    6.2][   T9] caller is dpt_smp_processor_id+0x1/0x2\n"
		"[    6.2][    C1] BUG: sleeping function called from invalid context at "
		"lib/x.c:12\n"
		"[    6.2][   T7] caller is other_function+0x1/0x2\n"
		"[    6.3][    C1] in_atomic(): 1, irqs_disabled(): 0, non_block: 0, pid: 0, name: "
		"swapper\n"
		"[    6.3][   T9]  dpt_smp_processor_id+0x1/0x2\n"
		"[    6.4][   T9] dpt: end builtin/kthread/smp_processor_id count 0\n";
	static const char *const second_lines[] = {
		"caller is dpt_smp_processor_id",
		"caller is other_function",
		"in_atomic(): 1, irqs_disabled(): 0, non_block: 0, pid, name: swapper",
	};
	g_autoptr(GPtrArray) log = selftest_log_read(text);
	const selftest_case_t *one = only(log);

	g_assert_cmpuint(one->reports->len, ==, G_N_ELEMENTS(second_lines));
	for (gsize i = 0; i < G_N_ELEMENTS(second_lines); i++) {
		const selftest_report_t *report = one->reports->pdata[i];

		g_assert_cmpstr(report->lines->pdata[1], ==, second_lines[i]);
	}
}

/* A WARN() is one report: the text, then the line that says where. */
static void test_reads_warn(void)
{
	static const char text[] =
		"dpt: begin builtin/kthread/underflow\n"
		"------------[ cut here ]------------\n"
		"DEBUG_LOCKS_WARN_ON(val > preempt_count())\n"
		"WARNING: CPU: 0 PID: 12 at kernel/sched/core.c:5751 preempt_count_sub+0x48/0x80\n"
		"RIP: 0010:preempt_count_sub+0x48/0x80\n"
		"Code: 00 01 02\n"
		"---[ end trace 0000000000000000 ]---\n"
		"dpt: end builtin/kthread/underflow count 0\n"
		"BUG: using smp_processor_id() in preemptible [00000000] code: nobody/1\n";
	g_autoptr(GPtrArray) log = selftest_log_read(text);
	const selftest_case_t *one = only(log);
	const selftest_report_t *report;

	g_assert_cmpuint(one->reports->len, ==, 1);
	report = one->reports->pdata[0];
	g_assert_cmpuint(report->lines->len, ==, 2);
	g_assert_cmpstr(report->message, ==, "DEBUG_LOCKS_WARN_ON(val > preempt_count())");
	g_assert_cmpstr(report->lines->pdata[1], ==,
	                "WARNING: at kernel/sched/core.c preempt_count_sub");
}

static char *replaced(const char *text, const char *from, const char *to)
{
	g_auto(GStrv) parts = g_strsplit(text, from, -1);

	g_assert_nonnull(parts[1]);
	return g_strjoinv(to, parts);
}

static void test_equality(void)
{
	static const struct {
		const char *from, *to;
		gboolean equal;
	} table[] = {
		{ "+0x10/0x20", "+0x99/0xaa", TRUE },
		{ "dpt/12", "dpt/13", TRUE },
		{ " check_preemption_disabled+0xdd/0xe0\n", "", TRUE },
		{ "6.1.192", "6.1.193", TRUE },
		{ "caller is dpt_read_1", "caller is dpt_read_2", FALSE },
		{ "__this_cpu_read", "__this_cpu_write", FALSE },
		{ "[00000000]", "[00000001]", FALSE },
		{ " kthread+0xe6/0x110\n", "", FALSE },
		{ "count 0", "count 1", FALSE },
		{ " kthread+", " __irq_exit_rcu+0x1/0x2\n kthread+", TRUE },
		{ " kthread+", " irq_enter_rcu+0x1/0x2\n kthread+", FALSE },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
		g_autofree char *text = replaced(misuse, table[i].from, table[i].to);
		g_autoptr(GPtrArray) one = selftest_log_read(misuse);
		g_autoptr(GPtrArray) other = selftest_log_read(text);

		g_assert_cmpint(selftest_case_equal(only(one), only(other)), ==, table[i].equal);
	}
}

/* A case without an end (an initcall that leaks) lasts until programs run, so the boot's own lines
 * (init/main.c) are in it; the image's parts may be of other sizes. Lockdep counts what every
 * kernel does more or less of (print_irqtrace_events() in kernel/locking/lockdep.c). Processes are
 * numbered as they come. */
static const struct {
	const char *line, *normal;
} numbers[] = {
	{ "Freeing unused kernel image (initmem) memory: 636K",
	  "Freeing unused kernel image (initmem) memory" },
	{ "irq event stamp: 3973", "irq event stamp" },
	{ "BUG: scheduling while atomic: kworker/0:1/10/0x00000002",
	  "BUG: scheduling while atomic: kworker/0:1/0x00000002" },
	{ "BUG: using smp_processor_id() in preemptible [00000000] code: dpt/45",
	  "BUG: using smp_processor_id() in preemptible [00000000] code: dpt" },
	{ "BUG: workqueue leaked atomic, lock or RCU: kworker/0:1[10]",
	  "BUG: workqueue leaked atomic, lock or RCU: kworker/0:1" },
	{ "BUG: workqueue leaked lock or atomic: kworker/0:0/0x00000001/8",
	  "BUG: workqueue leaked lock or atomic: kworker/0:0/0x00000001" },
	{ "no locks held by kworker/0:1/10.", "no locks held by kworker/0:1." },
	{ "1 lock held by dpt/45:", "1 lock held by dpt:" },
	{ "hardirqs last  enabled at (3973): [<ffffffff8106ad5f>] __up_console_sem+0x5f/0x70",
	  "hardirqs last  enabled at: __up_console_sem" },
	{ "softirqs last disabled at (0): [<0000000000000000>] 0x0",
	  "softirqs last disabled at: 0x0" },
	{ "softirqs last disabled at (7): [<ffffffff8106ad5f>] __irq_exit_rcu+0x5f/0x70",
	  "softirqs last disabled at: irq_exit_rcu" },
};

static void test_numbers_do_not_matter(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++) {
		g_autofree char *line = normalise_line(numbers[i].line);

		g_assert_cmpstr(line, ==, numbers[i].normal);
	}
}

enum { NO_ROW = -1 };

/* Of the case @name. */
static int verdict(const char *console, const char *name)
{
	selftest_run_t run = { .label = (char *)"x", .console = (char *)console };
	g_autoptr(GPtrArray) runs = g_ptr_array_new();
	g_autoptr(GError) error = NULL;
	g_autoptr(selftest_result_t) result = NULL;

	g_ptr_array_add(runs, &run);
	result = selftest_judge(runs, &error);
	g_assert_no_error(error);
	for (guint i = 0; i < result->rows->len; i++) {
		const struct selftest_row *row = result->rows->pdata[i];

		if (!strcmp(row->name, name))
			return (int)row->verdicts[0];
	}
	return NO_ROW;
}

/* Against share/selftest/debug-preempt/expected. */
static void test_verdicts(void)
{
	static const char quiet[] = "dpt: begin module/kthread/ok_raw\n"
				    "dpt: end module/kthread/ok_raw count 0\n";
	static const char pair[] = "dpt: begin builtin/kthread/cmpxchg_double\n"
				   "dpt: end builtin/kthread/cmpxchg_double count 0\n";
	g_autofree char *caller = replaced(misuse, "dpt_read_1", "elsewhere");
	g_autofree char *named = replaced(misuse, "dpt_read_1", "workfn=dpt_read_1");
	g_autofree char *longer = replaced(misuse, "dpt_read_1", "fn=my_dpt_read_1");
	g_autofree char *second = replaced(misuse, "dpt: end", "BUG: another\ndpt: end");
	g_autofree char *silent = replaced(misuse, "BUG: ", "no ");
	g_autofree char *loud = replaced(quiet, "dpt: end", "BUG: something\ndpt: end");

	g_assert_cmpint(verdict(misuse, "module/kthread/read_1"), ==, SELFTEST_RIGHT);
	g_assert_cmpint(verdict(caller, "module/kthread/read_1"), ==, SELFTEST_MISSED);
	g_assert_cmpint(verdict(named, "module/kthread/read_1"), ==, SELFTEST_RIGHT);
	g_assert_cmpint(verdict(longer, "module/kthread/read_1"), ==, SELFTEST_MISSED);
	g_assert_cmpint(verdict(second, "module/kthread/read_1"), ==, SELFTEST_EXTRA);
	g_assert_cmpint(verdict(silent, "module/kthread/read_1"), ==, SELFTEST_MISSED);
	g_assert_cmpint(verdict(quiet, "module/kthread/read_1"), ==, SELFTEST_NOT_RUN);
	g_assert_cmpint(verdict(quiet, "module/kthread/ok_raw"), ==, SELFTEST_RIGHT);
	g_assert_cmpint(verdict(loud, "module/kthread/ok_raw"), ==, SELFTEST_EXTRA);
	/* What some kernels have: no row where none ran it, and judged where one did. */
	g_assert_cmpint(verdict(quiet, "builtin/kthread/cmpxchg_double"), ==, NO_ROW);
	g_assert_cmpint(verdict(pair, "builtin/kthread/cmpxchg_double"), ==, SELFTEST_MISSED);
}

/* A kernel that says it rightly beside one that is silent. */
static void test_renders(void)
{
	g_autofree char *silent = replaced(misuse, "BUG: ", "no ");
	selftest_run_t right = { .label = (char *)"right",
		                 .version = (char *)"6.1",
		                 .console = (char *)misuse };
	selftest_run_t wrong = { .label = (char *)"wrong",
		                 .version = (char *)"6.1",
		                 .console = silent };
	g_autoptr(GPtrArray) runs = g_ptr_array_new();
	g_autoptr(selftest_result_t) result = NULL;
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autofree char *text = NULL, *json = NULL;
	JsonArray *cases;

	g_ptr_array_add(runs, &right);
	g_ptr_array_add(runs, &wrong);
	result = selftest_judge(runs, NULL);
	text = selftest_render_text(result, FALSE);
	g_assert_true(g_str_has_prefix(text, "right (Linux 6.1): 1 of "));
	g_assert_nonnull(strstr(text, "\nwrong (Linux 6.1): 0 of "));
	g_assert_nonnull(strstr(text, "\n1 of "));
	g_assert_true(
		g_regex_match_simple("module/kthread/read_1 +1 +right +MISSED +NO\n", text, 0, 0));
	json = selftest_render_json(result);
	g_assert_true(json_parser_load_from_data(parser, json, -1, NULL));
	cases = json_object_get_array_member(json_node_get_object(json_parser_get_root(parser)),
	                                     "cases");
	g_assert_cmpuint(json_array_get_length(cases), ==, result->rows->len);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/selftest/reads-a-report", test_reads_a_report);
	g_test_add_func("/selftest/takes-processors-apart", test_takes_processors_apart);
	g_test_add_func("/selftest/reads-warn", test_reads_warn);
	g_test_add_func("/selftest/equality", test_equality);
	g_test_add_func("/selftest/numbers", test_numbers_do_not_matter);
	g_test_add_func("/selftest/verdicts", test_verdicts);
	g_test_add_func("/selftest/renders", test_renders);
	return g_test_run();
}
