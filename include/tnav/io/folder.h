/*
 * The files below a folder that the user named.
 */
#ifndef TNAV_IO_FOLDER_H
#define TNAV_IO_FOLDER_H

#include <stdbool.h>
#include <stdint.h>

#define FOLDER_DEPTH	12u			/* levels of subfolders that are read */
#define FOLDER_ENTRIES	(UINT32_C(1) << 20)	/* names that are read in all */

struct folder_walk {
	/* Is a file of this name, without its path, wanted? */
	bool	(*wanted)(void *arg, const char *name);
	/* Called for each wanted regular file; false ends the walk. */
	bool	(*file)(void *arg, const char *path);
	void	*arg;
};

/* Walk a folder. Links to folders are not followed. 0, or ERR_IO and errno: it can't be read. */
int	folder_walk(const char *path, const struct folder_walk *w);
/* Is it a regular file, or a link to one, of at most so many bytes? */
bool	file_is_regular(const char *path, uint64_t most);

#endif
