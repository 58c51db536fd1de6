/*
 * The files below a folder that the user named.
 */
#ifndef TNAV_IO_FOLDER_H
#define TNAV_IO_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#define FOLDER_DEPTH	12u			/* folders within each other that are looked into */
#define FOLDER_ENTRIES	(UINT32_C(1) << 20)	/* names that are looked at in all */

struct folder_walk {
	bool	(*wanted)(void *arg, const char *name);		/* of a file, by its own name */
	/* A regular file; false ends it. */
	bool	(*file)(void *arg, const char *path);
	void	*arg;
};

/* Go through it. Links to folders are not followed. 0, or ERR_IO and errno: it can't be read. */
int	folder_walk(const char *path, const struct folder_walk *w);
/* Is it a regular file, or a link to one, of so many bytes at the most? */
bool	file_is_regular(const char *path, uint64_t most);

#endif
