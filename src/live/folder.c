/*
 * Diagnostics sockets, by folder.
 *
 *	{folder}, /proc/PID/root{folder}	-> device and inode -> read once -> sockets by pid
 *
 * Invariant: a folder is read once, even if it is reached by several paths. Its sockets are sorted
 * by pid.
 */
#include "live/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define SOCKETS_MOST	65536u		/* per folder; no system has more */

static void
release_folder(struct folder *d)
{
	for (size_t i = 0; i < d->n; i++)
		mem_free(d->v[i].name);
	mem_free(d->v);
}

void
folders_release(struct folders *f)
{
	for (size_t i = 0; i < f->n; i++)
		release_folder(&f->v[i]);
	mem_free(f->v);
	*f = (struct folders){ 0 };
}

SORT_ORDER(by_pid, struct folder_socket, RISING(pid))

static void
add(struct folder *d, int fd, const char *name)
{
	struct folder_socket	s = { 0 };
	struct stat		st;
	int			end = -1;

	if (sscanf(name, "dotnet-diagnostic-%" SCNu64 "-%" SCNu64 "-socket%n", &s.pid, &s.key,
	    &end) != 2 || end < 0 || name[end] != '\0' || d->n >= SOCKETS_MOST)
		return;
	if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISSOCK(st.st_mode))
		return;
	s.uid = st.st_uid;
	s.changed = (int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec;
	s.name = mem_strdup(name);
	ARRAY_ADD(d->v, d->n, d->cap, s);
}

static const struct folder *
folder_at(struct folders *f, const char *path)
{
	struct folder	 d = { 0 };
	struct dirent	*e;
	struct stat	 st;
	DIR		*dir;

	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
		return NULL;
	for (size_t i = 0; i < f->n; i++)
		if (f->v[i].dev == st.st_dev && f->v[i].ino == st.st_ino)
			return &f->v[i];
	d.dev = st.st_dev;
	d.ino = st.st_ino;
	dir = opendir(path);
	if (dir != NULL) {
		for (e = readdir(dir); e != NULL; e = readdir(dir))
			add(&d, dirfd(dir), e->d_name);
		closedir(dir);
	}
	sort_array(d.v, d.n, sizeof *d.v, by_pid);
	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n] = d;
	return &f->v[f->n++];
}

const struct folder_socket *
folders_find(struct folders *f, const char *path, uint64_t pid, uint64_t started, uint32_t uid)
{
	const struct folder_socket	*best = NULL;
	const struct folder		*d = folder_at(f, path);
	size_t				 at = 0;

	BISECT(at, d != NULL ? d->n : 0, i, d->v[i].pid < pid);
	for (; d != NULL && at < d->n && d->v[at].pid == pid; at++) {
		const struct folder_socket	*s = &d->v[at];

		if (s->uid != uid && s->uid != 0)
			continue;
		if (s->key == started)
			return s;
		if (best == NULL || s->changed > best->changed)
			best = s;
	}
	return best;
}
