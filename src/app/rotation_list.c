/*
 * The list of a rotation's files. A line each, the oldest first:
 *
 *	whole DEVICE INODE SIZE SECONDS NANOSECONDS NAME	as it was at its end: time of change
 *	begun DEVICE INODE 0 SECONDS NANOSECONDS NAME		a session wrote to it: time of birth
 *
 * Of the sessions of attach only whole ones are on it: .received.rotation in their folder, which
 * stays.
 *
 * Numbers are decimal. A file that was begun grew until the recording was killed, so that only its
 * birth tells whether another one has its name and inode; without that it stays.
 */
#include "app/rotation_list.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "app/recording.h"
#include "app/rotation.h"
#include "app/stopping.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/io/file.h"
#include "tnav/out/message.h"

#define LIST_MOST	((size_t)1 << 20)
#define NS_PER_S	INT64_C(1000000000)
#define LOCK_TRIES	20u		/* another session ends at the same time */
#define LOCK_NS		(NS_PER_S / 100)

static bool
read_all(int fd, struct buf *out)
{
	ssize_t	n = pread(fd, buf_room(out, LIST_MOST), LIST_MOST, 0);

	out->len += n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* ---- the files */

/* The text after _20261129_120000, or NULL. */
static const char *
after_date(const char *s)
{
	static const char	form[] = "_dddddddd_dddddd";

	for (size_t i = 0; i < sizeof form - 1; i++, s++)
		if (form[i] == 'd' ? *s < '0' || *s > '9' : *s != form[i])
			return NULL;
	return s;
}

/* The ending of a file's name, or _2 and so on before it. */
static bool
is_end(const char *s)
{
	if (*s == '_')
		s += 1 + strspn(s + 1, "0123456789");
	return strcmp(s, NAME_END) == 0;
}

/* NAME_20261129_120000.nettrace */
static bool
is_rotated(const char *name, const char *base)
{
	size_t		 len = strlen(base);
	const char	*s = strncmp(name, base, len) == 0 ? after_date(name + len) : NULL;

	return s != NULL && is_end(s);
}

/* NAME_20261129_120000_PID.nettrace, or _stacks or _heap1 before the ending. */
static bool
is_session(const char *name)
{
	const char	*s = NULL;

	for (; *name != '\0' && s == NULL; name++)
		s = after_date(name);
	if (s == NULL || *s != '_' || s[1] < '0' || s[1] > '9')
		return false;
	s += 1 + strspn(s + 1, "0123456789");
	if (strncmp(s, "_stacks", 7) == 0)
		s += 7;
	else if (strncmp(s, "_heap", 5) == 0)
		s += 5 + strspn(s + 5, "0123456789");
	return is_end(s);
}

static bool
birth(const char *path, struct timespec *out)
{
	struct statx	sx;

	if (statx(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_BTIME, &sx) != 0 ||
	    (sx.stx_mask & STATX_BTIME) == 0)
		return false;
	*out = (struct timespec){ sx.stx_btime.tv_sec, sx.stx_btime.tv_nsec };
	return true;
}

/* Is the file of that name the one on the list? *st: as it is now. */
static bool
is_listed(const char *path, bool whole, const uint64_t id[3], struct timespec at, struct stat *st)
{
	struct timespec	born;

	if (lstat(path, st) != 0 || !S_ISREG(st->st_mode) || st->st_dev != id[0] ||
	    st->st_ino != id[1])
		return false;
	if (whole)
		return (uint64_t)st->st_size == id[2] && st->st_mtim.tv_sec == at.tv_sec &&
		    st->st_mtim.tv_nsec == at.tv_nsec;
	return birth(path, &born) && born.tv_sec == at.tv_sec && born.tv_nsec == at.tv_nsec;
}

/* When it ended, by the clock that nobody sets. */
static int64_t
ended(const struct stat *st)
{
	struct timespec	now;
	int64_t		age = 0;

	if (clock_gettime(CLOCK_REALTIME, &now) == 0 && now.tv_sec > st->st_mtim.tv_sec &&
	    now.tv_sec - st->st_mtim.tv_sec < INT64_MAX / NS_PER_S / 2)
		age = (now.tv_sec - st->st_mtim.tv_sec) * NS_PER_S;
	return job_now_ns() - age;
}

void
rotation_take(struct rotation *r, const char *path, const struct stat *was, int64_t ended)
{
	ARRAY_ADD(r->made, r->n, r->cap, (struct made_file){ mem_strdup(path), *was, ended });
}

static bool
take_line(struct rotation *r, const char *line, struct buf *folder, const char *base)
{
	uint64_t	id[3];
	struct timespec	at;
	struct stat	st;
	struct buf	path = { 0 };
	char		kind[8];
	int		n = 0;
	bool		good = false;

	if (sscanf(line, "%7s %" SCNu64 " %" SCNu64 " %" SCNu64 " %ld %ld %n", kind, &id[0], &id[1],
	    &id[2], &at.tv_sec, &at.tv_nsec, &n) != 6 || n == 0 || strchr(line + n, '/') != NULL ||
	    !(r->list.sessions ? is_session(line + n) : is_rotated(line + n, base)))
		return false;
	buf_printf(&path, "%s%s", buf_str(folder), line + n);
	good = is_listed(buf_str(&path), strcmp(kind, "whole") == 0, id, at, &st);
	if (good)
		rotation_take(r, buf_str(&path), &st, ended(&st));
	buf_release(&path);
	return good;
}

static void
take_all(struct rotation *r, struct buf *text, struct buf *folder, const char *base)
{
	unsigned	n = 0;
	char		*end;

	for (char *line = text->p; (end = memchr(line, '\n', text->len -
	    (size_t)(line - text->p))) != NULL; line = end + 1) {
		*end = '\0';
		n += take_line(r, line, folder, base);
	}
	if (n > 0 && !r->list.sessions)
		message_note("%u file%s of an earlier recording, which did not end in order, count "
		    "for --keep", n, n == 1 ? "" : "s");
}

void
rotation_list_open(struct rotation *r, const char *stem)
{
	const char	*base = text_base_name(stem);
	struct buf	folder = { 0 }, text = { 0 };

	if (r->list.fd >= 0 || !rotation_is_limited(r) || strchr(stem, '\n') != NULL)
		return;
	buf_add(&folder, stem, (size_t)(base - stem));
	buf_printf(&r->list.path, "%s.%s.rotation", buf_str(&folder), base);
	r->list.fd = file_open_locked(buf_str(&r->list.path));
	for (unsigned i = 0; i < LOCK_TRIES && r->list.fd < 0 && r->list.sessions; i++) {
		(void)stopping_await(LOCK_NS);
		r->list.fd = file_open_locked(buf_str(&r->list.path));
	}
	if (r->list.fd < 0)
		buf_release(&r->list.path);
	else if (read_all(r->list.fd, &text))
		take_all(r, &text, &folder, base);
	buf_release(&folder);
	buf_release(&text);
}

/* ---- writing */

static void
put_line(struct buf *out, const char *kind, const struct stat *st, int64_t size, struct timespec at,
    const char *path)
{
	buf_printf(out, "%s %" PRIu64 " %" PRIu64 " %" PRId64 " %ld %ld %s\n", kind,
	    (uint64_t)st->st_dev, (uint64_t)st->st_ino, size, (long)at.tv_sec, at.tv_nsec,
	    text_base_name(path));
}

void
rotation_list_write(struct rotation *r)
{
	struct timespec	born;
	struct stat	st;
	struct buf	out = { 0 };

	if (r->list.fd < 0)
		return;
	for (size_t i = 0; i < r->n; i++)
		put_line(&out, "whole", &r->made[i].was, r->made[i].was.st_size,
		    r->made[i].was.st_mtim, r->made[i].path);
	/* Files that will be kept for good are not for a later recording to remove. */
	for (size_t i = 0; i < ROTATION_BEGUN && r->keep_next == 0; i++)
		if (r->begun[i] != NULL && lstat(r->begun[i], &st) == 0 &&
		    birth(r->begun[i], &born))
			put_line(&out, "begun", &st, 0, born, r->begun[i]);
	(void)file_rewrite(r->list.fd, &out);	/* old lines are compared with the files, too */
	buf_release(&out);
}

void
rotation_list_end(struct rotation *r)
{
	struct stat	st, own;

	if (r->list.fd < 0)
		return;
	if (lstat(buf_str(&r->list.path), &st) == 0 && fstat(r->list.fd, &own) == 0 &&
	    st.st_dev == own.st_dev && st.st_ino == own.st_ino && !r->list.sessions)
		(void)unlink(buf_str(&r->list.path));
	close(r->list.fd);
	r->list.fd = -1;
	buf_release(&r->list.path);
}
