/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is done in a task that may migrate: each misuse, each correct use, and
 * the table of them. A part of debug_preempt_test.c.
 */

struct dpt_case {
	const char *name;
	void (*run)(void);
	bool atomic;	/* not with PREEMPT_RT, whose locks disable nothing */
};

struct dpt_pair {
	u64 first, second;
};

static DEFINE_PER_CPU(u8, dpt_1);
static DEFINE_PER_CPU(u16, dpt_2);
static DEFINE_PER_CPU(u32, dpt_4);
static DEFINE_PER_CPU(u64, dpt_8);
static DEFINE_PER_CPU(struct dpt_pair, dpt_pair) __aligned(16);

struct dpt_local {
	local_lock_t lock;
	int value;
};

static DEFINE_PER_CPU(struct dpt_local, dpt_local) = {
	.lock = INIT_LOCAL_LOCK(lock),
};

static DEFINE_SPINLOCK(dpt_spin);
static DEFINE_RAW_SPINLOCK(dpt_raw_spin);
static DEFINE_RWLOCK(dpt_rw);
static volatile unsigned long dpt_sink;

/* Each checked operation once: what the correct uses do in their context. */
static noinline void dpt_touch(void)
{
	dpt_sink = smp_processor_id();
	dpt_sink = (unsigned long)this_cpu_ptr(&dpt_4);
	dpt_sink = __this_cpu_read(dpt_8);
	__this_cpu_write(dpt_1, 1);
	__this_cpu_add(dpt_2, 3);
	__this_cpu_inc(dpt_4);
	dpt_sink = __this_cpu_add_return(dpt_8, 3);
	dpt_sink = __this_cpu_xchg(dpt_4, 5);
	dpt_sink = __this_cpu_cmpxchg(dpt_8, 1, 2);
}

/* Misuses: identification of the CPU and pointers. */
static noinline void dpt_smp_processor_id(void)
{
	dpt_sink = smp_processor_id();
}

static noinline void dpt_this_cpu_ptr(void)
{
	dpt_sink = (unsigned long)this_cpu_ptr(&dpt_4);
}

static noinline void dpt_two_in_one(void)
{
	dpt_sink = smp_processor_id();
	dpt_sink = __this_cpu_read(dpt_4);
	dpt_sink = smp_processor_id();
}

/* Misuses: the operations, per size. */
#define DPT_OPS(size)							\
static noinline void dpt_read_##size(void)				\
{									\
	dpt_sink = __this_cpu_read(dpt_##size);				\
}									\
static noinline void dpt_write_##size(void)				\
{									\
	__this_cpu_write(dpt_##size, 1);				\
}									\
static noinline void dpt_add_##size(void)				\
{									\
	__this_cpu_add(dpt_##size, 3);					\
}									\
static noinline void dpt_and_##size(void)				\
{									\
	__this_cpu_and(dpt_##size, 3);					\
}									\
static noinline void dpt_or_##size(void)				\
{									\
	__this_cpu_or(dpt_##size, 3);					\
}									\
static noinline void dpt_xchg_##size(void)				\
{									\
	dpt_sink = __this_cpu_xchg(dpt_##size, 3);			\
}									\
static noinline void dpt_cmpxchg_##size(void)				\
{									\
	dpt_sink = __this_cpu_cmpxchg(dpt_##size, 3, 4);		\
}									\
static noinline void dpt_add_return_##size(void)			\
{									\
	dpt_sink = __this_cpu_add_return(dpt_##size, 3);		\
}									\
static noinline void dpt_inc_##size(void)				\
{									\
	__this_cpu_inc(dpt_##size);					\
}									\
static noinline void dpt_sub_##size(void)				\
{									\
	__this_cpu_sub(dpt_##size, 1);					\
}

DPT_OPS(1)
DPT_OPS(2)
DPT_OPS(4)
DPT_OPS(8)

/* Modules cannot have it: what it falls back to is not exported. */
#if defined(CONFIG_X86_64) && !defined(MODULE) && \
	LINUX_VERSION_CODE < KERNEL_VERSION(6, 6, 0)
#define DPT_HAS_DOUBLE
static noinline void dpt_cmpxchg_double(void)
{
	struct dpt_pair __percpu *pair = &dpt_pair;

	/* Its alternative cannot be moved with an address in it. */
	OPTIMIZER_HIDE_VAR(pair);
	dpt_sink = __this_cpu_cmpxchg_double(pair->first, pair->second, 0, 0,
					     1, 1);
}
#endif

/* Misuses: one flood, then one more when the interval is over. */
static noinline void dpt_flood(void)
{
	int i;

	for (i = 0; i < 3 * RATELIMIT_BURST; i++)
		dpt_sink = __this_cpu_read(dpt_4);
	msleep(QUIET_MS);
	dpt_sink = __this_cpu_read(dpt_4);
}

/* Misuses: the lock was left before its data were. */
static noinline void dpt_after_local_unlock(void)
{
	unsigned long flags;

	local_lock_irqsave(&dpt_local.lock, flags);
	local_unlock_irqrestore(&dpt_local.lock, flags);
	__this_cpu_inc(dpt_local.value);
}

static noinline void dpt_irqs_on_in_local_lock(void)
{
	unsigned long flags;

	local_lock_irqsave(&dpt_local.lock, flags);
	local_irq_restore(flags);
	local_unlock_irqrestore(&dpt_local.lock, flags);
}

static noinline void dpt_after_irq_restore(void)
{
	unsigned long flags;

	local_irq_save(flags);
	dpt_sink = smp_processor_id();
	local_irq_restore(flags);
	dpt_sink = smp_processor_id();
}

static noinline void dpt_after_preempt_enable(void)
{
	preempt_disable();
	dpt_sink = smp_processor_id();
	preempt_enable();
	dpt_sink = smp_processor_id();
}

/* Misuses: the preemption count. */
static noinline void dpt_underflow(void)
{
	preempt_enable();
}

static noinline void dpt_underflow_spin_unlock(void)
{
	spin_unlock(&dpt_spin);
	barrier();	/* or it is a jump, and this function not on the stack */
}

static noinline void dpt_underflow_preempt_bits(void)
{
	local_bh_disable();
	preempt_enable();
	local_bh_enable();
}

static noinline void dpt_underflow_softirq(void)
{
	preempt_count_sub(SOFTIRQ_OFFSET);
	barrier();
}

static noinline void dpt_disable_levels(int levels)
{
	int i;

	for (i = 0; i < levels; i++)
		preempt_disable();
	for (i = 0; i < levels; i++)
		preempt_enable();
}

static noinline void dpt_overflow(void)
{
	dpt_disable_levels(PREEMPT_MASK - 10);
}

static noinline void dpt_no_overflow(void)
{
	dpt_disable_levels(PREEMPT_MASK - 11);
}

/* Misuses that are reported without DEBUG_PREEMPT; with it, says where. */
static noinline void dpt_sleep_preempt_disabled(void)
{
	preempt_disable();
	schedule_timeout_uninterruptible(1);
}

static noinline void dpt_sleep_nested(void)
{
	preempt_disable();
	spin_lock(&dpt_spin);
	schedule_timeout_uninterruptible(1);
	/* The scheduler has set the count right again. */
	preempt_disable();
	preempt_disable();
	spin_unlock(&dpt_spin);
	preempt_enable();
}

static noinline void dpt_sleep_spinlock(void)
{
	spin_lock(&dpt_spin);
	schedule_timeout_uninterruptible(1);
	preempt_disable();
	spin_unlock(&dpt_spin);
}

static noinline void dpt_sleep_bh(void)
{
	local_bh_disable();
	schedule_timeout_uninterruptible(1);
}

static noinline void dpt_might_sleep_preempt(void)
{
	preempt_disable();
	might_sleep();
	preempt_enable();
}

static noinline void dpt_might_sleep_rwlock(void)
{
	read_lock(&dpt_rw);
	might_sleep();
	read_unlock(&dpt_rw);
}

static noinline void dpt_might_sleep_spin_bh(void)
{
	spin_lock_bh(&dpt_spin);
	might_sleep();
	spin_unlock_bh(&dpt_spin);
}

/* Correct uses. */
static noinline void dpt_ok_raw(void)
{
	dpt_sink = raw_smp_processor_id();
	dpt_sink = (unsigned long)raw_cpu_ptr(&dpt_4);
	dpt_sink = raw_cpu_read(dpt_4);
	raw_cpu_add(dpt_8, 1);
	this_cpu_inc(dpt_4);
	dpt_sink = this_cpu_read(dpt_8);
}

static noinline void dpt_ok_preempt_disable(void)
{
	preempt_disable();
	dpt_touch();
	preempt_enable();
}

static noinline void dpt_ok_get_cpu(void)
{
	dpt_sink = get_cpu();
	dpt_touch();
	put_cpu();
}

static noinline void dpt_ok_get_cpu_var(void)
{
	get_cpu_var(dpt_4)++;
	put_cpu_var(dpt_4);
}

static noinline void dpt_ok_spin_lock(void)
{
	raw_spin_lock(&dpt_raw_spin);
	dpt_touch();
	raw_spin_unlock(&dpt_raw_spin);
}

static noinline void dpt_ok_spin_trylock(void)
{
	if (raw_spin_trylock(&dpt_raw_spin)) {
		dpt_touch();
		raw_spin_unlock(&dpt_raw_spin);
	}
}

static noinline void dpt_ok_spin_irqsave(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&dpt_raw_spin, flags);
	dpt_touch();
	raw_spin_unlock_irqrestore(&dpt_raw_spin, flags);
}

static noinline void dpt_ok_bh(void)
{
	local_bh_disable();
	dpt_touch();
	local_bh_enable();
}

static noinline void dpt_ok_irq_disable(void)
{
	local_irq_disable();
	dpt_touch();
	local_irq_enable();
}

static noinline void dpt_ok_irq_save(void)
{
	unsigned long flags;

	local_irq_save(flags);
	dpt_touch();
	local_irq_restore(flags);
}

static noinline void dpt_ok_local_lock(void)
{
	unsigned long flags;

	local_lock(&dpt_local.lock);
	__this_cpu_inc(dpt_local.value);
	local_unlock(&dpt_local.lock);
	local_lock_irq(&dpt_local.lock);
	__this_cpu_inc(dpt_local.value);
	local_unlock_irq(&dpt_local.lock);
	local_lock_irqsave(&dpt_local.lock, flags);
	__this_cpu_inc(dpt_local.value);
	dpt_sink = (unsigned long)this_cpu_ptr(&dpt_local);
	local_unlock_irqrestore(&dpt_local.lock, flags);
}

static noinline void dpt_ok_migrate_disable(void)
{
	migrate_disable();
	dpt_touch();
	migrate_enable();
}

static noinline void dpt_ok_rcu_preempt_off(void)
{
	rcu_read_lock();
	preempt_disable();
	dpt_touch();
	preempt_enable();
	rcu_read_unlock();
}

static noinline void dpt_ok_nested(void)
{
	unsigned long flags;

	preempt_disable();
	raw_spin_lock_irqsave(&dpt_raw_spin, flags);
	dpt_touch();
	raw_spin_unlock_irqrestore(&dpt_raw_spin, flags);
	dpt_touch();
	preempt_enable();
}

/*
 * What a check that goes all the way does with registers must not be seen: the
 * values are where a function that is called may leave its own.
 */
static noinline void dpt_ok_values(void)
{
#ifdef CONFIG_X86
	unsigned long a = 1, c = 2, d = 4, si = 8, di = 16;

	migrate_disable();
	asm volatile("" : "+a" (a), "+c" (c), "+d" (d), "+S" (si), "+D" (di));
	__this_cpu_inc(dpt_8);
	asm volatile("" : "+a" (a), "+c" (c), "+d" (d), "+S" (si), "+D" (di));
	dpt_sink = smp_processor_id();
	asm volatile("" : "+a" (a), "+c" (c), "+d" (d), "+S" (si), "+D" (di));
	migrate_enable();
	WARN(a + c + d + si + di != 31, "a check changed a value\n");
#endif
}

#define DPT_CASE(fn) { #fn, dpt_##fn, false }
#define DPT_ATOMIC(fn) { #fn, dpt_##fn, true }
#define DPT_SIZE(size)							\
	DPT_CASE(read_##size), DPT_CASE(write_##size),			\
	DPT_CASE(add_##size), DPT_CASE(and_##size), DPT_CASE(or_##size),\
	DPT_CASE(xchg_##size), DPT_CASE(cmpxchg_##size),		\
	DPT_CASE(add_return_##size), DPT_CASE(inc_##size),		\
	DPT_CASE(sub_##size)

static const struct dpt_case dpt_thread_cases[] = {
	DPT_CASE(smp_processor_id),
	DPT_CASE(this_cpu_ptr),
	DPT_CASE(two_in_one),
	DPT_SIZE(1),
	DPT_SIZE(2),
	DPT_SIZE(4),
	DPT_SIZE(8),
#ifdef DPT_HAS_DOUBLE
	DPT_CASE(cmpxchg_double),
#endif
	DPT_CASE(flood),
	DPT_CASE(after_local_unlock),
	DPT_ATOMIC(irqs_on_in_local_lock),
	DPT_CASE(after_irq_restore),
	DPT_CASE(after_preempt_enable),
	DPT_CASE(underflow),
	DPT_ATOMIC(underflow_spin_unlock),
	DPT_ATOMIC(underflow_preempt_bits),
	DPT_ATOMIC(underflow_softirq),
	DPT_CASE(overflow),
	DPT_CASE(no_overflow),
	DPT_CASE(sleep_preempt_disabled),
	DPT_ATOMIC(sleep_nested),
	DPT_ATOMIC(sleep_spinlock),
	DPT_ATOMIC(sleep_bh),
	DPT_CASE(might_sleep_preempt),
	DPT_ATOMIC(might_sleep_rwlock),
	DPT_ATOMIC(might_sleep_spin_bh),
	DPT_CASE(ok_raw),
	DPT_CASE(ok_preempt_disable),
	DPT_CASE(ok_get_cpu),
	DPT_CASE(ok_get_cpu_var),
	DPT_CASE(ok_spin_lock),
	DPT_CASE(ok_spin_trylock),
	DPT_CASE(ok_spin_irqsave),
	DPT_CASE(ok_bh),
	DPT_CASE(ok_irq_disable),
	DPT_CASE(ok_irq_save),
	DPT_CASE(ok_local_lock),
	DPT_CASE(ok_migrate_disable),
	DPT_CASE(ok_rcu_preempt_off),
	DPT_CASE(ok_nested),
	DPT_CASE(ok_values),
};
