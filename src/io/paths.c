/*
 * The user's folders.
 *
 *	config	$XDG_CONFIG_HOME  else  $HOME/.config
 *	state	$XDG_STATE_HOME   else  $HOME/.local/state
 *	moment	$XDG_RUNTIME_DIR  else  $TMPDIR  else  /tmp
 */
#include "tnav/io/paths.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *
absolute(const char *variable)
{
	const char	*path = getenv(variable);

	return path != NULL && path[0] == '/' ? path : NULL;
}

static bool
put_base(struct buf *out, const char *variable, const char *below_home)
{
	const char	*dir = absolute(variable), *home = absolute("HOME");

	if (dir != NULL)
		buf_puts(out, dir);
	else if (home != NULL)
		buf_printf(out, "%s%s", home, below_home);
	return dir != NULL || home != NULL;
}

bool
paths_config(struct buf *out, const char *name)
{
	if (!put_base(out, "XDG_CONFIG_HOME", "/.config"))
		return false;
	buf_printf(out, "/tnav/%s", name);
	return true;
}

/* Make all missing folders above the path. */
static void
make_above(struct buf *path, mode_t mode)
{
	(void)buf_str(path);
	for (char *p = path->p + 1; p < path->p + path->len; p++) {
		if (*p == '/') {
			*p = '\0';
			(void)mkdir(path->p, mode);
			*p = '/';
		}
	}
}

void
paths_make_above(const char *path)
{
	struct buf	b = { 0 };

	buf_puts(&b, path);
	make_above(&b, 0777);
	buf_release(&b);
}

bool
paths_state(struct buf *out, bool make)
{
	struct stat	st;

	if (!put_base(out, "XDG_STATE_HOME", "/.local/state"))
		return false;
	buf_puts(out, "/tnav");
	if (make) {
		make_above(out, 0700);
		(void)mkdir(out->p, 0700);
	}
	return stat(buf_str(out), &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid();
}

/* Is it a folder of this user, in which no other user can replace files? */
static bool
is_own(const struct stat *st)
{
	return S_ISDIR(st->st_mode) && st->st_uid == geteuid() && (st->st_mode & 022) == 0;
}

bool
paths_live(struct buf *out)
{
	struct stat	st;

	if (!paths_state(out, true) || stat(buf_str(out), &st) != 0 || !is_own(&st))
		return false;
	buf_puts(out, "/live");
	(void)mkdir(buf_str(out), 0700);
	return lstat(out->p, &st) == 0 && is_own(&st);
}

void
paths_moment(struct buf *out)
{
	const char	*dir = absolute("XDG_RUNTIME_DIR");

	if (dir == NULL)
		dir = absolute("TMPDIR");
	buf_puts(out, dir != NULL ? dir : "/tmp");
}

void
paths_expand(struct buf *out, const char *path)
{
	const char	*home = absolute("HOME");

	if (home != NULL && path[0] == '~' && (path[1] == '/' || path[1] == '\0')) {
		buf_puts(out, home);
		path++;
	}
	buf_puts(out, path);
}

static bool
is_folder(const char *dir, const char *name)
{
	struct stat	st;
	struct buf	path = { 0 };
	bool		is;

	buf_printf(&path, "%s/%s", dir, name);
	is = stat(buf_str(&path), &st) == 0 && S_ISDIR(st.st_mode);
	buf_release(&path);
	return is;
}

void
paths_list(const char *dir, void (*each)(void *arg, const char *name, bool folder), void *arg)
{
	DIR		*d = opendir(dir);
	struct dirent	*e = d != NULL ? readdir(d) : NULL;

	for (unsigned n = 0; e != NULL && n < PATHS_LISTED; n++) {
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			each(arg, e->d_name, is_folder(dir, e->d_name));
		e = readdir(d);
	}
	if (d != NULL)
		(void)closedir(d);
}
