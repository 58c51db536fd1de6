/* Folders with diagnostics sockets, each read once, to find the socket of a process. */
#ifndef LIVE_FOLDER_H
#define LIVE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* A file dotnet-diagnostic-{pid}-{key}-socket. */
struct folder_socket {
	uint64_t	 pid, key;
	int64_t		 changed;	/* ns since 1970 */
	uint32_t	 uid;
	char		*name;
};

struct folder {
	dev_t			 dev;
	ino_t			 ino;
	struct folder_socket	*v;	/* sorted by pid */
	size_t			 n, cap;
};

struct folders {
	struct folder	*v;
	size_t		 n, cap;
};

void	folders_release(struct folders *f);
/*
 * The socket of a process in a folder: the one whose key is the start of the process, else the
 * newest. It must be owned by the user of the process, or by root. NULL: there is none, or the
 * folder cannot be read.
 */
const struct folder_socket *folders_find(struct folders *f, const char *path, uint64_t pid,
    uint64_t started, uint32_t uid);

#endif
