/* SPDX-License-Identifier: GPL-2.0-or-later */

/* A guest program for the profiler's test, in place of kcost's own ($KCOST_GUEST): each sample is a
 * region in which something happens that a call tree must survive. It answers in the guest protocol
 * (docs/protocol.md); how many samples there are is SAMPLES in test_profile.sh. */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "guest/region.h"

enum { PAGE = 4096, SOME = 256 * PAGE };

static char *map(size_t size)
{
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		_exit(1);
	return pages;
}

/* Page faults in user space and, in read(), in the kernel. */
static void fault(void)
{
	int zero = open("/dev/zero", O_RDONLY);
	char *user = map(SOME), *kernel = map(SOME);

	for (size_t i = 0; i < SOME; i += PAGE)
		user[i] = 1;
	if (read(zero, kernel, SOME) != SOME)
		_exit(1);
	close(zero);
	munmap(user, SOME);
	munmap(kernel, SOME);
}

static void in_children(void (*work)(void), int count)
{
	for (int i = 0; i < count; i++) {
		pid_t child = fork();

		if (child == 0) {
			work();
			_exit(0);
		}
		waitpid(child, NULL, 0);
	}
}

static void fork_only(void)
{
	in_children(fault, 3);
}

static void start_again(void)
{
	execl("/init", "/init", "again", NULL);
	_exit(1);
}

static void execute(void)
{
	in_children(start_again, 3);
}

static void *thread_fault(void *data)
{
	fault();
	return data;
}

static void thread(void)
{
	pthread_t threads[4];

	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, thread_fault, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
}

static void ignore(int number)
{
	(void)number;
}

static void signals(void)
{
	signal(SIGUSR1, ignore);
	for (int i = 0; i < 50; i++)
		raise(SIGUSR1);
}

static void write_nowhere(void)
{
	*(volatile int *)8 = 1; // NOLINT: that is what it is for
}

static void jump_nowhere(void)
{
	((void (*)(void))0x100000000000)(); // NOLINT: likewise
}

static void divide(void)
{
	volatile int zero = 0;

	zero = 1 / zero;
}

static void undefined(void)
{
	__asm__ volatile("ud2");
}

static void breakpoint(void)
{
	__asm__ volatile("int3");
}

/* Every exception that ends a program. */
static void die(void)
{
	in_children(write_nowhere, 1);
	in_children(jump_nowhere, 1);
	in_children(divide, 1);
	in_children(undefined, 1);
	in_children(breakpoint, 1);
}

static void wait_idle(void)
{
	struct timespec time = { 0, 20000000 };

	for (int i = 0; i < 3; i++)
		nanosleep(&time, NULL);
}

static void spin(void)
{
	for (volatile long i = 0; i < 3000000; i++)
		;
}

static void say(int port, const char *format, ...)
{
	char line[128];
	va_list args;
	int length;

	va_start(args, format);
	length = vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	if (write(port, line, (size_t)length) != length)
		_exit(1);
}

int main(int argc, char **argv)
{
	static void (*const all[])(void) = { fault,   fork_only, execute,   thread,
		                             signals, die,       wait_idle, spin };
	struct termios raw;
	int port;

	if (argc > 1 && !strcmp(argv[1], "again")) {
		fault();
		return 0;
	}
	mkdir("/dev", 0755);
	mount("dev", "/dev", "devtmpfs", 0, NULL);
	port = open("/dev/ttyS1", O_RDWR | O_NOCTTY);
	tcgetattr(port, &raw);
	cfmakeraw(&raw);
	tcsetattr(port, TCSANOW, &raw);
	say(port, "kcost-results 1\nboot 1\nmemory 1\n");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		uint64_t begin = region_begin(), end;

		all[i]();
		end = region_end();
		say(port, "sample 0 %zu %llu 1 0\n", i, (unsigned long long)(end - begin));
	}
	say(port, "end\n");
	sleep(1); /* for the port to send it all */
	reboot(RB_AUTOBOOT);
	return 0;
}
