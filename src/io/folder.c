/*
 * Walking through a folder: the folders to be read are kept in a list, not on the stack.
 *
 *	todo	DIR 0 | DIR/lib 1 | DIR/lib/x 2 | ...		path, depth
 *
 * Invariant: each folder is open only while its names are read.
 */
#include "tnav/io/folder.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>

#include "tnav/base/buf.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

struct todo {
	char		*path;
	unsigned	 depth;
};

struct walking {
	const struct folder_walk	*w;
	struct todo			*todo;
	size_t				 n, cap;
	uint32_t			 entries;	/* names read so far */
	struct buf			 path;
};

bool
file_is_regular(const char *path, uint64_t most)
{
	struct stat	st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size <= most;
}

static void
add_todo(struct walking *k, const char *path, unsigned depth)
{
	ARRAY_ADD(k->todo, k->n, k->cap, (struct todo){ mem_strdup(path), depth });
}

static bool
look_at(struct walking *k, const struct todo *in, const char *name)
{
	struct stat	st;

	if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return true;
	buf_clear(&k->path);
	buf_printf(&k->path, "%s/%s", in->path, name);
	if (lstat(buf_str(&k->path), &st) != 0)
		return true;
	if (S_ISDIR(st.st_mode)) {
		if (in->depth + 1 < FOLDER_DEPTH)
			add_todo(k, buf_str(&k->path), in->depth + 1);
		return true;
	}
	if ((!S_ISREG(st.st_mode) && !S_ISLNK(st.st_mode)) || !k->w->wanted(k->w->arg, name))
		return true;
	return !file_is_regular(buf_str(&k->path), UINT64_MAX) ||
	    k->w->file(k->w->arg, buf_str(&k->path));
}

/* False: stop the walk. */
static bool
read_folder(struct walking *k, const struct todo *in, DIR *dir)
{
	bool	more = true;

	for (struct dirent *e = readdir(dir); e != NULL && more; e = readdir(dir))
		more = k->entries++ < FOLDER_ENTRIES && look_at(k, in, e->d_name);
	return more;
}

int
folder_walk(const char *path, const struct folder_walk *w)
{
	struct walking	k = { .w = w };
	bool		more = true;
	int		err = ERR_OK;

	add_todo(&k, path, 0);
	while (k.n > 0) {
		struct todo	in = k.todo[--k.n];
		DIR		*dir = more ? opendir(in.path) : NULL;

		if (dir != NULL) {
			more = read_folder(&k, &in, dir);
			closedir(dir);
		} else if (more && in.depth == 0) {
			err = ERR_IO;	/* unreadable subfolders are left out */
		}
		mem_free(in.path);
	}
	mem_free(k.todo);
	buf_release(&k.path);
	return err;
}
