/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "guest/report.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <termios.h>
#include <unistd.h>

int report_open(void)
{
	int fd = open("/dev/ttyS1", O_RDWR | O_NOCTTY | O_CLOEXEC);
	struct termios raw;

	if (fd < 0)
		return -1;
	if (tcgetattr(fd, &raw) < 0) {
		close(fd);
		return -1;
	}
	cfmakeraw(&raw);
	raw.c_cflag |= CLOCAL;
	tcsetattr(fd, TCSANOW, &raw);
	return fd;
}

void report_line(int fd, const char *format, ...)
{
	char line[1024];
	size_t length, done = 0;
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line) - 1, format, args);
	va_end(args);
	length = strlen(line);
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)line[i] < ' ' || line[i] == 0x7f)
			line[i] = '?';
	line[length++] = '\n';
	while (done < length) {
		ssize_t n = write(fd, line + done, length - done);

		if (n > 0)
			done += (size_t)n;
		else if (n == 0 || errno != EINTR)
			return;
	}
	tcdrain(fd);
}

void machine_end(void)
{
	reboot(RB_AUTOBOOT);
	for (;;)
		pause();
}
