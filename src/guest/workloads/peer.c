/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workloads/peer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

pid_t peer_start(struct workload_run *run, void (*work)(void *data), void *data)
{
	pid_t parent = getpid(), child = fork();

	if (child < 0)
		return workload_fail(run, "fork: %s", strerror(errno));
	if (child > 0)
		return child;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() == parent)
		work(data);
	_exit(0);
}

void peer_stop(pid_t peer)
{
	if (peer <= 0)
		return;
	kill(peer, SIGKILL);
	while (waitpid(peer, NULL, 0) < 0 && errno == EINTR)
		;
}

void echo_work(void *data)
{
	const struct echo *echo = data;
	unsigned char byte;

	for (int i = 0; i < 2; i++)
		if (echo->theirs[i] >= 0)
			close(echo->theirs[i]);
	while (read(echo->in, &byte, 1) == 1) {
		byte ^= echo->xor ;
		if (write(echo->out, &byte, 1) != 1)
			return;
	}
}

int echo_turn(struct workload_run *run, int in, int out, unsigned char *byte, unsigned char xor)
{
	unsigned char answer;
	ssize_t n;

	if (write(out, byte, 1) != 1)
		return workload_fail(run, "sending a byte: %s", strerror(errno));
	n = read(in, &answer, 1);
	if (n != 1)
		return workload_fail(run, "receiving a byte: %s",
		                     n < 0 ? strerror(errno) : "the other end is gone");
	if (answer != (*byte ^ xor))
		return workload_fail(run, "the byte %#x came back as %#x instead of %#x", *byte,
		                     answer, *byte ^ xor);
	*byte = answer + 1;
	return 0;
}
