/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest/workloads/workloads.h"

enum { STATUS = 42, LOAD_ADDRESS = 0x400000 };

static const struct workload_param params[] = { WORKLOAD_CALLS(60), { 0 } };

/* A whole program: exit_group(STATUS). */
struct program {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	unsigned char code[12];
};

struct executed {
	int program;
};

static struct program program_make(void)
{
	return (struct program){
		.header = {
			.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			             EV_CURRENT },
			.e_type = ET_EXEC,
			.e_machine = EM_X86_64,
			.e_version = EV_CURRENT,
			.e_entry = LOAD_ADDRESS + offsetof(struct program, code),
			.e_phoff = offsetof(struct program, segment),
			.e_ehsize = sizeof(Elf64_Ehdr),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
		},
		.segment = {
			.p_type = PT_LOAD,
			.p_flags = PF_R | PF_X,
			.p_vaddr = LOAD_ADDRESS,
			.p_paddr = LOAD_ADDRESS,
			.p_filesz = sizeof(struct program),
			.p_memsz = sizeof(struct program),
			.p_align = 0x1000,
		},
		.code = {
			0xbf, STATUS, 0, 0, 0, /* mov $STATUS, %edi */
			0xb8, 231, 0, 0, 0,    /* mov $__NR_exit_group, %eax */
			0x0f, 0x05,            /* syscall */
		},
	};
}

static int setup(struct workload_run *run)
{
	struct executed *executed = run->state;
	struct program program = program_make();

	executed->program = memfd_create("kcost-program", MFD_CLOEXEC);
	if (executed->program < 0)
		return workload_fail_call(run, "memfd_create", "MEMFD_CREATE");
	if (write(executed->program, &program, sizeof(program)) != (ssize_t)sizeof(program))
		return workload_fail_call(run, "writing a program", NULL);
	return 0;
}

static int once(struct workload_run *run)
{
	const struct executed *executed = run->state;
	char *const arguments[] = { "kcost-program", NULL }, *const environment[] = { NULL };
	pid_t child = fork();
	int status;

	if (child < 0)
		return workload_fail_call(run, "fork", NULL);
	if (child == 0) {
		fexecve(executed->program, arguments, environment);
		_exit(1);
	}
	if (waitpid(child, &status, 0) != child)
		return workload_fail_call(run, "waitpid", NULL);
	if (!WIFEXITED(status) || WEXITSTATUS(status) != STATUS)
		return workload_fail(run, "the program did not run: its process ended with %#x",
		                     (unsigned int)status);
	return 0;
}

static void teardown(struct workload_run *run)
{
	const struct executed *executed = run->state;

	if (executed->program >= 0)
		close(executed->program);
}

const struct workload fork_exec = {
	.name = "fork-exec",
	.summary = "a child process that executes a tiny static program, and its reaping",
	.operation = "program",
	.flags = WORKLOAD_QUICK,
	.params = params,
	.state_size = sizeof(struct executed),
	.setup = setup,
	.once = once,
	.teardown = teardown,
};
