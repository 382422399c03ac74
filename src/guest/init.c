/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The guest's init. It is started by the kernel as /init, makes the machine ready, starts itself
 * again as the runner of the workloads, and ends the machine when that has ended. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/conditions.h"
#include "guest/machine.h"
#include "guest/orders.h"
#include "guest/parameters.h"
#include "guest/report.h"
#include "guest/runner.h"
#include "guest/workload.h"

/* The counter at this program's first instruction; written there and never again. */
extern const uint64_t guest_first_tick;

__asm__(".pushsection .bss\n\t"
        ".p2align 3\n\t"
        ".globl guest_first_tick\n"
        "guest_first_tick: .zero 8\n\t"
        ".popsection\n\t"
        ".pushsection .text\n\t"
        ".globl guest_start\n"
        "guest_start:\n\t"
        "rdtsc\n\t"
        "movl %eax, guest_first_tick(%rip)\n\t"
        "movl %edx, guest_first_tick+4(%rip)\n\t"
        "xorl %edx, %edx\n\t" /* libc takes it for a function to call at exit */
        "jmp _start\n\t"
        ".popsection");

static int runner_main(int results)
{
	struct orders orders;
	int failed;

	unsetenv("PAD");
	failed = orders_read(&orders, ORDERS_PATH);
	if (failed)
		report_line(results, "error %s", orders.error);
	else
		failed = runner_run(&orders, results);
	orders_clear(&orders);
	return failed ? 1 : 0;
}

static void runner_exec(struct random *random, int results)
{
	char number[16], *padding = conditions_padding(random);
	char *argv[] = { "/init", "run", number, NULL };
	char *envp[] = { padding, NULL };

	snprintf(number, sizeof(number), "%d", dup(results));
	conditions_shift_tick(random);
	execve("/init", argv, envp);
	report_line(results, "error starting the runner: %s", strerror(errno));
	_exit(1);
}

/* Waits for the runner, and reaps what it leaves behind. */
static int runner_wait(pid_t runner)
{
	int status;
	pid_t child;

	do
		child = waitpid(-1, &status, 0);
	while (child != runner && (child >= 0 || errno == EINTR));
	return child == runner ? status : -1;
}

static void runner_start(struct random *random, int results)
{
	pid_t runner = fork();
	int status;

	if (runner < 0) {
		report_line(results, "error starting the runner: %s", strerror(errno));
		return;
	}
	if (runner == 0)
		runner_exec(random, results);
	status = runner_wait(runner);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		report_line(results, "end");
	else if (WIFEXITED(status) && WEXITSTATUS(status) == WORKLOAD_EXIT_PANIC)
		_exit(1);
	else if (WIFSIGNALED(status))
		report_line(results, "error the runner was ended by signal %d (%s)",
		            WTERMSIG(status), strsignal(WTERMSIG(status)));
}

/* What init does between its first line and the last. */
static void plan_carry_out(int results, uint64_t free_bytes)
{
	struct orders orders;
	struct random random;
	char error[256] = "";

	if (workload_table_fault()) {
		report_line(results, "error %s", workload_table_fault());
		return;
	}
	if (orders_read(&orders, ORDERS_PATH) < 0) {
		report_line(results, "error %s", orders.error);
		return;
	}
	report_line(results, "memory %llu",
	            (unsigned long long)((orders.memory_mib << 20) - free_bytes));
	if (machine_enter_cgroup(error, sizeof(error)) < 0) {
		report_line(results, "%s %s", orders.memcg_required ? "error" : "note", error);
		if (orders.memcg_required)
			return;
	}
	random = (struct random){ orders.seed };
	if (conditions_apply(&random) < 0)
		report_line(results, "error setting the seed's conditions: %s", strerror(errno));
	else
		runner_start(&random, results);
}

static void init_main(char *const *arguments)
{
	uint64_t free_bytes = 0;
	char error[256] = "";
	int results;

	if (machine_mount(&free_bytes, error, sizeof(error)) < 0) {
		fprintf(stderr, "kcost-guest: %s\n", error);
		machine_end();
	}
	results = report_open();
	if (results < 0) {
		fprintf(stderr, "kcost-guest: opening the result channel /dev/ttyS1: %s\n",
		        strerror(errno));
		machine_end();
	}
	report_line(results, "kcost-results 1");
	report_line(results, "boot %llu", (unsigned long long)guest_first_tick);
	parameters_report(results, arguments, environ);
	plan_carry_out(results, free_bytes);
	machine_end();
}

int main(int argc, char **argv)
{
	if (argc == 3 && strcmp(argv[1], "run") == 0)
		return runner_main(atoi(argv[2]));
	if (getpid() == 1)
		init_main(argv + 1);
	fprintf(stderr, "kcost-guest is the init of a virtual machine that kcost starts; "
	                "it does nothing here.\n");
	return 2;
}
