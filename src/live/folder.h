/*
 * Folders with diagnostics sockets, each read once: which socket belongs to a process?
 */
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
	struct folder_socket	*v;	/* by pid */
	size_t			 n, cap;
};

struct folders {
	struct folder	*v;
	size_t		 n, cap;
};

void	folders_release(struct folders *f);
/*
 * The socket of a process in a folder: the one whose key is its start, else the newest; only one
 * that the process's user or root owns. NULL: there is none, or the folder can't be read.
 */
const struct folder_socket *folders_find(struct folders *f, const char *path, uint64_t pid,
    uint64_t started, uint32_t uid);

#endif
