/*
 * --rotate and --keep.
 *
 * Invariant: made[] are files that this recording wrote to their end, in the order of their ends;
 * what is kept for good is not among them. Times are those of the monotonic clock, so that setting
 * the clock removes nothing.
 */
#include "app/rotation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/rotation_list.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/out/message.h"

#define NS_PER_S	INT64_C(1000000000)
#define LEAST_NS	NS_PER_S		/* of a file: sessions cost the program */
#define LEAST_BYTES	UINT64_C(100000)
#define INCIDENTS_MOST	10u			/* for which files are kept, for the disk's sake */

/* ---- options */

bool
rotation_read_limit(const char *s, int64_t *ns, uint64_t *bytes, uint64_t *files)
{
	size_t	len = strlen(s);
	bool	bare = len > 0 && strspn(s, "0123456789") == len;

	if (bare && (files == NULL || len > 9))
		return false;
	if (bare)
		*files = strtoull(s, NULL, 10);
	else if (units_parse_dur(s, len, NS_PER_S, ns) != 0 &&
	    units_parse_bytes(s, len, bytes) != 0)
		return false;
	return *ns > 0 || *bytes > 0 || (bare && *files > 0);
}

/* What has no meaning without --rotate, or with it. */
static const char *
find_conflict(const struct options *o)
{
	if (!o->given[OPT_ROTATE] && (o->given[OPT_KEEP] || o->given[OPT_WHEN]))
		return "--keep and --when need --rotate (60s, 100MB)";
	if (o->given[OPT_ROTATE] && o->given[OPT_MAX_SIZE])
		return "--max-size ends a recording without --rotate; --keep limits the disk space";
	if (o->given[OPT_ROTATE] && o->given[OPT_UNTIL])
		return "--until ends a recording without --rotate; --when keeps what was recorded";
	return NULL;
}

static int
read_when(struct rotation *r, const char *when)
{
	r->counter = when != NULL ? until_counter_new(when) : NULL;
	return r->counter != NULL ? 0 : until_option("--when", when);
}

int
rotation_begin(struct rotation *r, const struct options *o)
{
	const char	*rotate = o->text[OPT_ROTATE], *keep = o->text[OPT_KEEP];
	const char	*conflict = find_conflict(o);

	*r = (struct rotation){ .on = o->given[OPT_ROTATE], .list.fd = -1 };
	if (conflict != NULL)
		return exit_usage("%s", conflict);
	if (r->on && (!rotation_read_limit(rotate, &r->every_ns, &r->every_bytes, NULL) ||
	    (r->every_ns > 0 ? r->every_ns < LEAST_NS : r->every_bytes < LEAST_BYTES)))
		return exit_usage("--rotate: not a time from 1s, or a size from 100KB: '%s' (60s, "
		    "100MB)", rotate);
	if (o->given[OPT_KEEP] && !rotation_read_limit(keep, &r->keep_ns, &r->keep_bytes,
	    &r->keep_files))
		return exit_usage("--keep: not a number of files, a size or a time: '%s' (10, 1GB, "
		    "1h)", keep);
	return read_when(r, o->text[OPT_WHEN]);
}

void
rotation_release(struct rotation *r)
{
	for (size_t i = 0; i < r->n; i++)
		mem_free(r->made[i].path);
	mem_free(r->made);
	for (size_t i = 0; i < ROTATION_BEGUN; i++)
		mem_free(r->begun[i]);
	until_counter_free(r->counter);
	rotation_list_end(r);
}

bool
rotation_is_due(const struct rotation *r, int64_t begun, uint64_t bytes)
{
	return r->on && ((r->every_ns > 0 && job_now_ns() - begun >= r->every_ns) ||
	    (r->every_bytes > 0 && bytes >= r->every_bytes));
}

/* ---- the files */

/* Is it the file that was made, as it was then? Another one may have its name, and its inode. */
static bool
is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	    a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static void
remove_oldest(struct rotation *r, const char *why)
{
	struct made_file	*f = &r->made[0];
	struct stat		 st;
	bool			 ours = lstat(f->path, &st) == 0 && is_same(&st, &f->was);

	if (ours && unlink(f->path) != 0)
		message_put("%s: cannot be removed: %s", f->path, strerror(errno));
	else if (ours)
		message_note("%s: removed (%s)", f->path, why);
	mem_free(f->path);
	memmove(f, f + 1, --r->n * sizeof *f);
}

static bool
is_beyond(const struct rotation *r)
{
	uint64_t	sum = 0;

	for (size_t i = 0; i < r->n; i++)
		sum += (uint64_t)r->made[i].was.st_size;
	return (r->keep_files > 0 && r->n > r->keep_files) ||
	    (r->keep_bytes > 0 && sum > r->keep_bytes) ||
	    (r->keep_ns > 0 && r->n > 0 && job_now_ns() - r->made[0].ended > r->keep_ns);
}

void
rotation_look(struct rotation *r)
{
	size_t	before = r->n;

	while (r->n > 0 && is_beyond(r))
		remove_oldest(r, r->list.sessions ? "the oldest of those that attach kept" :
		    "--keep");
	if (r->n != before)
		rotation_list_write(r);
}

void
rotation_add_begun(struct rotation *r, const char *path)
{
	size_t	i = 0;

	while (i < ROTATION_BEGUN && r->begun[i] != NULL)
		i++;
	if (i == ROTATION_BEGUN)
		return;
	r->begun[i] = mem_strdup(path);
	rotation_list_write(r);
}

void
rotation_add(struct rotation *r, const char *path, const struct stat *was)
{
	for (size_t i = 0; i < ROTATION_BEGUN; i++)
		if (text_same(r->begun[i], path)) {
			mem_free(r->begun[i]);
			r->begun[i] = NULL;
		}
	if (was != NULL && r->keep_next > 0) {
		r->keep_next--;
		message_note("%s: kept", path);
	} else if (was != NULL && rotation_is_limited(r)) {
		rotation_take(r, path, was, job_now_ns());
	}
	rotation_list_write(r);
	rotation_look(r);
}

void
rotation_keep(struct rotation *r, unsigned more, const char *why)
{
	if (r->keep_next > 0 || r->incidents > INCIDENTS_MOST)
		return;
	if (r->incidents++ == INCIDENTS_MOST) {
		message_put("%s: files of %u incidents are kept; no others will be", why,
		    INCIDENTS_MOST);
		return;
	}
	message_note("%s: the files that are there, the current one and the next one are kept",
	    why);
	for (size_t i = 0; i < r->n; i++) {
		message_note("%s: kept", r->made[i].path);
		mem_free(r->made[i].path);
	}
	r->n = 0;
	r->keep_next = more;
	rotation_list_write(r);
}

bool
rotation_drop(struct rotation *r)
{
	if (r->n < 2)
		return false;
	remove_oldest(r, "the disk is full");
	return true;
}
