// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Commits every misuse that DEBUG_PREEMPT must report and every correct use on
 * which it must stay silent, one after the other, each between two marks in
 * the kernel log:
 *
 *	dpt: begin WHERE/NAME
 *	...what the kernel says...
 *	dpt: end WHERE/NAME count COUNT
 *
 * WHERE is "builtin" or "module". COUNT is the preemption count after the case
 * and 0 unless the case says otherwise. Between cases the rate limit's interval
 * passes and debug_locks is armed again, so that each case reports for itself.
 *
 * The file is compiled twice: as a module, and (from debug_preempt_builtin.c)
 * into the kernel.
 */
#define pr_fmt(fmt) "dpt: " fmt

#include <linux/completion.h>
#include <linux/console.h>
#include <linux/cpu.h>
#include <linux/debug_locks.h>
#include <linux/delay.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/interrupt.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/local_lock.h>
#include <linux/module.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/proc_fs.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/spinlock.h>
#include <linux/timer.h>
#include <linux/uaccess.h>
#include <linux/version.h>
#include <linux/workqueue.h>

#ifdef MODULE
#define WHERE "module"
#else
#define WHERE "builtin"
#endif

/* The rate limit lets ten messages pass in five seconds. */
#define QUIET_MS 5200
#define RATELIMIT_BURST 10

#include "debug_preempt_cases.h"

/* The two that are also tried from other kinds of context. */
static noinline void dpt_misuse_pair(void)
{
	dpt_sink = smp_processor_id();
	__this_cpu_inc(dpt_4);
}

static void dpt_begin(const char *context, const char *name)
{
	msleep(QUIET_MS);
	debug_locks = 1;
	pr_info("begin " WHERE "/%s/%s\n", context, name);
}

static void dpt_end(const char *context, const char *name)
{
	int count = preempt_count();

	/* A case may leave a count behind; the next one starts from none. */
	if (count)
		preempt_count_set(0);
	pr_info("end " WHERE "/%s/%s count %x\n", context, name, count);
}

static DECLARE_COMPLETION(dpt_done);

static int dpt_thread(void *unused)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(dpt_thread_cases); i++) {
		if (IS_ENABLED(CONFIG_PREEMPT_RT) && dpt_thread_cases[i].atomic)
			continue;
		dpt_begin("kthread", dpt_thread_cases[i].name);
		dpt_thread_cases[i].run();
		dpt_end("kthread", dpt_thread_cases[i].name);
	}
	complete(&dpt_done);
	return 0;
}

static int dpt_bound_thread(void *unused)
{
	dpt_begin("bound_kthread", "ok");
	dpt_touch();
	dpt_end("bound_kthread", "ok");
	complete(&dpt_done);
	return 0;
}

static void dpt_run_thread(int (*run)(void *), const char *name, int cpu)
{
	struct task_struct *task;

	task = kthread_create(run, NULL, "%s", name);
	if (IS_ERR(task)) {
		pr_err("no thread %s\n", name);
		return;
	}
	reinit_completion(&dpt_done);
	if (cpu >= 0)
		kthread_bind(task, cpu);
	wake_up_process(task);
	wait_for_completion(&dpt_done);
}

/*
 * Work: an unbound worker may migrate, a bound one may not. On a machine of one
 * CPU the unbound worker counts as bound too, and the kernel stays silent.
 */
static void dpt_unbound_work(struct work_struct *work)
{
	dpt_begin("unbound_work", "misuse");
	dpt_misuse_pair();
	dpt_end("unbound_work", "misuse");
}

static void dpt_bound_work(struct work_struct *work)
{
	dpt_begin("bound_work", "ok");
	dpt_touch();
	dpt_end("bound_work", "ok");
}

static void dpt_leaky_work(struct work_struct *work)
{
	preempt_disable();
}

static DECLARE_WORK(dpt_work_unbound, dpt_unbound_work);
static DECLARE_WORK(dpt_work_bound, dpt_bound_work);
static DECLARE_WORK(dpt_work_leaky, dpt_leaky_work);

static void dpt_run_work(struct workqueue_struct *queue,
			 struct work_struct *work)
{
	queue_work(queue, work);
	flush_work(work);
}

/* Interrupts, soft and hard. */

static void dpt_ok_timer_fn(struct timer_list *unused)
{
	dpt_touch();
	complete(&dpt_done);
}

static void dpt_sleeping_timer_fn(struct timer_list *unused)
{
	might_sleep();
	complete(&dpt_done);
}

static void dpt_leaky_timer_fn(struct timer_list *unused)
{
	complete(&dpt_done);
	preempt_disable();
}

static DEFINE_TIMER(dpt_ok_timer, dpt_ok_timer_fn);
static DEFINE_TIMER(dpt_sleeping_timer, dpt_sleeping_timer_fn);
static DEFINE_TIMER(dpt_leaky_timer, dpt_leaky_timer_fn);

static void dpt_run_timer(struct timer_list *timer, const char *name)
{
	dpt_begin("timer", name);
	reinit_completion(&dpt_done);
	mod_timer(timer, jiffies + 2);
	wait_for_completion(&dpt_done);
	msleep(20);
	dpt_end("timer", name);
}

static enum hrtimer_restart dpt_ok_hrtimer_fn(struct hrtimer *unused)
{
	dpt_touch();
	complete(&dpt_done);
	return HRTIMER_NORESTART;
}

static enum hrtimer_restart dpt_sleeping_hrtimer_fn(struct hrtimer *unused)
{
	might_sleep();
	complete(&dpt_done);
	return HRTIMER_NORESTART;
}

static void dpt_run_hrtimer(enum hrtimer_restart (*fn)(struct hrtimer *),
			    const char *name)
{
	static struct hrtimer timer;

	dpt_begin("hrtimer", name);
	reinit_completion(&dpt_done);
	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
	timer.function = fn;
	hrtimer_start(&timer, ms_to_ktime(3), HRTIMER_MODE_REL_HARD);
	wait_for_completion(&dpt_done);
	msleep(20);
	dpt_end("hrtimer", name);
}

static void dpt_tasklet_fn(struct tasklet_struct *unused)
{
	dpt_touch();
	complete(&dpt_done);
}

static DECLARE_TASKLET(dpt_tasklet, dpt_tasklet_fn);

static void dpt_run_tasklet(void)
{
	dpt_begin("tasklet", "ok");
	reinit_completion(&dpt_done);
	tasklet_schedule(&dpt_tasklet);
	wait_for_completion(&dpt_done);
	dpt_end("tasklet", "ok");
}

static void dpt_ipi_fn(void *unused)
{
	dpt_touch();
}

static void dpt_run_ipi(void)
{
	dpt_begin("ipi", "ok");
	on_each_cpu(dpt_ipi_fn, NULL, 1);
	dpt_end("ipi", "ok");
}

/* A system call: a write to /proc/dpt-WHERE. "leak" returns with preemption off. */
static ssize_t dpt_proc_write(struct file *file, const char __user *from,
			      size_t size, loff_t *pos)
{
	char what[16] = "";

	if (size >= sizeof(what) || copy_from_user(what, from, size))
		return -EINVAL;
	if (!strncmp(what, "leak", 4)) {
		dpt_begin("syscall", "leak");
		preempt_disable();
		return size;
	}
	if (!strncmp(what, "end", 3)) {
		dpt_end("syscall", "leak");
		return size;
	}
	dpt_begin("syscall", "misuse");
	dpt_misuse_pair();
	dpt_end("syscall", "misuse");
	return size;
}

static const struct proc_ops dpt_proc_ops = {
	.proc_write = dpt_proc_write,
};

static int __init dpt_init(void)
{
	dpt_run_thread(dpt_thread, "dpt", -1);
	dpt_run_thread(dpt_bound_thread, "dpt-bound", 0);
	dpt_run_work(system_unbound_wq, &dpt_work_unbound);
	dpt_run_work(system_wq, &dpt_work_bound);
	dpt_begin("work", "leak");
	dpt_run_work(system_wq, &dpt_work_leaky);
	dpt_end("work", "leak");
	dpt_run_timer(&dpt_ok_timer, "ok");
	dpt_run_timer(&dpt_sleeping_timer, "sleep");
	dpt_run_timer(&dpt_leaky_timer, "leak");
	dpt_run_hrtimer(dpt_ok_hrtimer_fn, "ok");
	dpt_run_hrtimer(dpt_sleeping_hrtimer_fn, "sleep");
	dpt_run_tasklet();
	dpt_run_ipi();
	proc_create("dpt-" WHERE, 0200, NULL, &dpt_proc_ops);
	pr_info("done " WHERE "\n");
	dpt_begin("initcall", "leak");
	preempt_disable();
	return 0;
}

#ifndef MODULE
/*
 * Consoles are set up with interrupts on, but before the scheduler runs: every
 * context is bound to the one CPU even without the boot task's count.
 */
static int __init dpt_early(void)
{
	int count = preempt_count();

	pr_info("begin " WHERE "/early/ok\n");
	preempt_count_set(0);
	dpt_touch();
	preempt_count_set(count);
	pr_info("end " WHERE "/early/ok count %x\n", count);
	return 0;
}
console_initcall(dpt_early);
late_initcall(dpt_init);
#else
module_init(dpt_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Commits what DEBUG_PREEMPT must and must not report");
#endif
