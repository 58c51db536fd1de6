/*
 * A bell is a pipe. Each ring writes a byte to it; if the pipe is full, the byte is not needed.
 */
#include "tnav/base/bell.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "tnav/base/mem.h"

struct bell {
	int	pipe[2];
};

struct bell *
bell_new(void)
{
	struct bell	*b = mem_zalloc(1, sizeof *b);
	int		 why;

	if (pipe(b->pipe) != 0) {
		why = errno;
		mem_free(b);
		errno = why;
		return NULL;
	}
	for (int i = 0; i < 2; i++) {
		(void)fcntl(b->pipe[i], F_SETFL, O_NONBLOCK);
		(void)fcntl(b->pipe[i], F_SETFD, FD_CLOEXEC);
	}
	return b;
}

void
bell_free(struct bell *b)
{
	if (b == NULL)
		return;
	close(b->pipe[0]);
	close(b->pipe[1]);
	mem_free(b);
}

void
bell_ring(struct bell *b)
{
	ssize_t	n = write(b->pipe[1], "", 1);

	(void)n;
}

int
bell_fd(const struct bell *b)
{
	return b->pipe[0];
}

bool
bell_heard(struct bell *b)
{
	uint8_t	bytes[64];
	bool	heard = false;

	while (read(b->pipe[0], bytes, sizeof bytes) > 0)
		heard = true;
	return heard;
}
