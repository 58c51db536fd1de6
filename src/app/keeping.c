/*
 * attach --keep: letting go of the first events of a session.
 *
 *	grows	file [header, hole, kept ...]		the engine's head (tnav/engine/head.h)
 *	end	file [header, hole, kept] -> an excerpt of what is kept -> its name
 *
 * Invariant: whatever ends the program, the name has one of these two; tnav reads both, the first
 * one as damaged.
 */
#include "app/keeping.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/rotation.h"
#include "app/rotation_list.h"
#include "app/stopping.h"
#include "tnav/base/err.h"
#include "tnav/base/text.h"
#include "tnav/engine/excerpt.h"
#include "tnav/engine/trace.h"
#include "tnav/io/file.h"
#include "tnav/out/message.h"

#define NS_PER_S	INT64_C(1000000000)
#define DEFAULT_BYTES	UINT64_C(1000000000)
#define LEAST_BYTES	UINT64_C(1000000)	/* sequence points are rarer than that */
#define LEAST_NS	NS_PER_S
#define MEMORY_BYTES	UINT64_C(64000000)
#define SESSIONS	4u			/* times the limit: of all in the folder */

int
keeping_read(struct keeping *k, const struct options *o)
{
	const char	*s = o->text[OPT_KEEP_LAST];

	*k = (struct keeping){ .limit.bytes = DEFAULT_BYTES, .words = "1 GB" };
	if (o->given[OPT_KEEP_LAST] && strcmp(s, "all") == 0) {
		*k = (struct keeping){ .limit.bytes = 0 };
		return 0;
	}
	if (o->given[OPT_KEEP_LAST]) {
		k->limit.bytes = 0;
		if (!rotation_read_limit(s, &k->limit.ns, &k->limit.bytes, NULL) ||
		    (k->limit.ns > 0 ? k->limit.ns < LEAST_NS : k->limit.bytes < LEAST_BYTES))
			return exit_usage("--keep: not a size from 1MB, a time from 1s, or all: "
			    "'%s' (500MB, 10m)", s);
		(void)snprintf(k->words, sizeof k->words, "%s", s);
	}
	return 0;
}

bool
keeping_lets_go(const struct keeping *k)
{
	return !k->whole && k->words[0] != '\0';
}

void
keeping_test(struct keeping *k, int fd, const char *path)
{
	if (!keeping_lets_go(k) || file_can_empty(fd))
		return;
	message_put("%s: the file system cannot give back a part of a file, so all is kept",
	    path);
	*k = (struct keeping){ .limit.bytes = 0 };
}

void
keeping_look(const struct keeping *k, struct trace *t, int fd)
{
	if (keeping_lets_go(k))
		(void)trace_let_go(t, fd, &k->limit);
}

void
keeping_in_memory(struct keeping *k, const struct options *o)
{
	if (!o->given[OPT_KEEP_LAST])
		*k = (struct keeping){ .limit.bytes = MEMORY_BYTES, .words = "64 MB" };
}

void
keeping_add(const struct keeping *k, const char *path)
{
	struct rotation	r = { .list = { .fd = -1, .sessions = true },
			    .keep_bytes = SESSIONS * (k->limit.bytes > 0 ? k->limit.bytes :
			    DEFAULT_BYTES) };
	struct stat	st;
	struct buf	stem = { 0 };

	if (k->words[0] == '\0' || lstat(path, &st) != 0)
		return;
	buf_add(&stem, path, (size_t)(text_base_name(path) - path));
	buf_puts(&stem, "received");
	rotation_list_open(&r, buf_str(&stem));
	if (r.list.fd >= 0)
		rotation_add(&r, path, &st);
	rotation_release(&r);
	buf_release(&stem);
}

bool
keeping_has_let_go(struct trace *t)
{
	struct trace_head	head;

	trace_head(t, &head);
	return head.row > 0;
}

/* ---- the end */

struct writing {
	struct progress_line	line;
	unsigned		before;		/* signals */
};

static bool
tick(void *arg, uint64_t done, uint64_t all)
{
	struct writing	*w = arg;

	progress_tick(&w->line, "writing what is kept (Ctrl-C skips it)", done, all);
	return stopping_count() != w->before;
}

static int
write_excerpt(struct trace *t, int fd, uint64_t *bytes)
{
	struct writing		w = { .before = stopping_count() };
	struct trace_head	head;
	struct excerpt_result	r;
	struct output		*o = output_on(fd);
	int			rc;

	trace_head(t, &head);
	progress_init(&w.line, false);
	w.line.work = "writing";
	rc = excerpt_write(t, o, &(struct excerpt_options){ .note = "the last part of a session",
	    .pass = { .from = head.ts, .has_from = true, .tick = tick, .tick_arg = &w } }, &r);
	progress_end(&w.line);
	if (rc == ERR_CANCELED)
		errno = EINTR;
	if (output_close(o, rc == 0, bytes) != 0)
		rc = ERR_IO;
	return rc == 0 ? 0 : ERR_IO;
}

int
keeping_write(struct trace *t, const char *path, const char *other, uint64_t *bytes)
{
	struct file_new	*f;
	uint64_t	 written = 0;
	int		 fd, rc;

	if (file_new(&f, path, FILE_PRIVATE | FILE_REPLACE) != 0)
		return ERR_IO;
	fd = dup(file_new_fd(f));	/* the output closes it */
	rc = fd < 0 ? ERR_IO : write_excerpt(t, fd, &written);
	if (rc == 0 && other != NULL)
		rc = file_link(file_new_fd(f), other, FILE_PRIVATE | FILE_REPLACE);
	if (file_new_end(f, rc == 0) != 0)
		rc = ERR_IO;
	if (rc == 0)
		*bytes = written;
	return rc;
}
