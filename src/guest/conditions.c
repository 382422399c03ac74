/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/conditions.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/random.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILDREN 64
#define PADDING 4096
#define SEED_WORDS 4 /* of 64 bits: what the kernel wants to be told before it is ready */

/* Instructions, at one a nanosecond. */
#define LONGEST_TICK 10000000 /* 100 Hz */
#define USUAL_TICK 4000000    /* 250 Hz */
#define SETTLING 8000000

/* What the sleeper takes, as 1 plus up to so many of each. */
#define PAGES 512
#define FILES 128
#define SOCKETS 64
#define PIPES 32

static int children_pass(struct random *random)
{
	uint64_t count = 1 + random_below(random, CHILDREN);

	for (uint64_t i = 0; i < count; i++) {
		pid_t child = fork();

		if (child < 0)
			return -1;
		if (child == 0)
			_exit(0);
		if (waitpid(child, NULL, 0) != child)
			return -1;
	}
	return 0;
}

static void pages_take(struct random *random)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t count = 1 + random_below(random, PAGES);
	char *memory = mmap(NULL, count * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	                    -1, 0);

	if (memory == MAP_FAILED)
		return;
	for (size_t i = 0; i < count; i++)
		memory[i * page] = 1;
	for (size_t i = 0; i < count; i++)
		if (random_next(random) & 1)
			madvise(memory + i * page, page, MADV_DONTNEED);
}

/* Opens 1 plus up to @limit pairs (files: two descriptors of one) and closes those that chance
 * picks once all are open. A kernel without sockets takes none. */
static void pairs_take(struct random *random, int (*open_pair)(int pair[2]), size_t limit)
{
	int pairs[FILES + 1][2];
	size_t count = 1 + random_below(random, limit), opened = 0;

	while (opened < count && open_pair(pairs[opened]) == 0)
		opened++;
	for (size_t i = 0; i < opened; i++)
		if (random_next(random) & 1) {
			close(pairs[i][0]);
			close(pairs[i][1]);
		}
}

static int open_files(int pair[2])
{
	pair[0] = open("/dev/null", O_RDONLY);
	pair[1] = pair[0] < 0 ? -1 : dup(pair[0]);
	return pair[1] < 0 ? -1 : 0;
}

static int open_sockets(int pair[2])
{
	return socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
}

static int open_pipe(int pair[2])
{
	return pipe(pair);
}

static void sleeper_main(struct random *random, int ready)
{
	char byte = 0;

	pages_take(random);
	pairs_take(random, open_files, FILES);
	pairs_take(random, open_sockets, SOCKETS);
	pairs_take(random, open_pipe, PIPES);
	if (write(ready, &byte, 1) != 1)
		_exit(1);
	close(ready);
	for (;;)
		pause();
}

static int sleeper_start(struct random *random)
{
	struct random its_own = { random_next(random) };
	int ready[2];
	pid_t child;
	char byte;
	ssize_t n;

	if (pipe(ready) < 0)
		return -1;
	child = fork();
	if (child == 0)
		sleeper_main(&its_own, ready[1]);
	close(ready[1]);
	n = child < 0 ? -1 : read(ready[0], &byte, 1);
	close(ready[0]);
	return n == 1 ? 0 : -1;
}

/* The kernel would wait for interrupts to tell it something that cannot be guessed, and there is
 * nothing of that kind here: so it believes what it is told. */
static int kernel_seed(struct random *random)
{
	/* struct rand_pool_info with its array. */
	struct {
		int entropy_count; /* bits */
		int buf_size;      /* bytes */
		uint64_t words[SEED_WORDS];
	} seed = { .entropy_count = 8 * sizeof(seed.words), .buf_size = sizeof(seed.words) };
	int fd = open("/dev/random", O_WRONLY | O_CLOEXEC), failed;

	for (size_t i = 0; i < SEED_WORDS; i++)
		seed.words[i] = random_next(random);
	failed = fd < 0 ? -1 : ioctl(fd, RNDADDENTROPY, &seed);
	if (fd >= 0)
		close(fd);
	return failed;
}

int conditions_apply(struct random *random)
{
	if (kernel_seed(random) < 0 || children_pass(random) < 0 || sleeper_start(random) < 0)
		return -1;
	return 0;
}

char *conditions_padding(struct random *random)
{
	size_t length = random_below(random, PADDING);
	char *text = malloc(sizeof("PAD=") + length);

	if (!text)
		return NULL;
	memcpy(text, "PAD=", 4);
	memset(text + 4, 'x', length);
	text[4 + length] = '\0';
	return text;
}

/* Two instructions a turn. */
static void burn(uint64_t instructions)
{
	uint64_t turns = 1 + instructions / 2;

	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r"(turns) : : "cc");
}

void conditions_shift_tick(struct random *random)
{
	burn(random_below(random, LONGEST_TICK));
}

void conditions_settle(struct random *random)
{
	burn(SETTLING + random_below(random, USUAL_TICK));
}
