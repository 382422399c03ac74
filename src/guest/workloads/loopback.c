/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/workloads/loopback.h"

#include <net/if.h>
#include <netinet/in.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

static int device_up(struct workload_run *run, int fd)
{
	struct ifreq request = { .ifr_name = "lo" };

	if (ioctl(fd, SIOCGIFFLAGS, &request) < 0)
		return workload_fail_call(run, "asking for the loopback device", NULL);
	if (request.ifr_flags & IFF_UP)
		return 0;
	request.ifr_flags |= IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &request) < 0)
		return workload_fail_call(run, "setting the loopback device up", NULL);
	return 0;
}

int loopback_up(struct workload_run *run)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), failed;

	if (fd < 0)
		return workload_fail_call(run, "an internet socket", "INET");
	failed = device_up(run, fd);
	close(fd);
	return failed;
}

int loopback_listen(void)
{
	struct sockaddr_in address = { .sin_family = AF_INET,
		                       .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	if (bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0 && listen(fd, 1) == 0)
		return fd;
	close(fd);
	return -1;
}

int loopback_connect(int listener, int pair[2])
{
	struct sockaddr_in address;
	socklen_t size = sizeof(address);

	if (getsockname(listener, (struct sockaddr *)&address, &size) < 0)
		return -1;
	pair[1] = socket(AF_INET, SOCK_STREAM, 0);
	if (pair[1] < 0 || connect(pair[1], (struct sockaddr *)&address, size) < 0)
		return -1;
	pair[0] = accept(listener, NULL, NULL);
	return pair[0] < 0 ? -1 : 0;
}
