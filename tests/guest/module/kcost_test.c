/* SPDX-License-Identifier: GPL-2.0-or-later */

/* A module whose instructions can be told by hand: the loop has three a turn, 1,000 turns, one
 * before them, and the return. */
#include <linux/module.h>
#include <linux/proc_fs.h>
#include <linux/slab.h>

static noinline void kcost_test_loop(void)
{
	unsigned long turns;

	asm volatile("movl $1000, %k0\n1:\tnop\n\tdecl %k0\n\tjnz 1b" : "=r"(turns) : : "cc");
}

/* Calls the kernel, too. */
static noinline void kcost_test_outer(void)
{
	kcost_test_loop();
	kfree(kmalloc(100, GFP_KERNEL));
	barrier();
}

static ssize_t test_write(struct file *file, const char __user *from, size_t size, loff_t *place)
{
	kcost_test_outer();
	return size;
}

static const struct proc_ops operations = { .proc_write = test_write };

static int __init kcost_test_init(void)
{
	kcost_test_loop();
	return proc_create("kcost_test", 0200, NULL, &operations) ? 0 : -ENOMEM;
}

static void __exit kcost_test_exit(void)
{
	remove_proc_entry("kcost_test", NULL);
}

module_init(kcost_test_init);
module_exit(kcost_test_exit);
MODULE_LICENSE("GPL");
