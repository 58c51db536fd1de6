/*
 * The watch: a thread that waits for more of a file checks it from time to time.
 *
 *	file     |      read      | seen |  new  |
 *	                         size'          size	the first bytes and the last ones before the
 *							old end are compared, and a sample if it was
 *							written without growing: io/seen.h
 *
 * The file is checked only while a thread waits. Watching ends when the file becomes shorter, is
 * rewritten, or another one takes its name. A file that was removed may still be written, so it is
 * still watched.
 *
 * Invariant: size never falls; the bytes below it were in the file when it was reported.
 */
#include "io/watch.h"

#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "io/seen.h"

#define LOOK_NS		((int64_t)100000000)	/* between two checks */

static const char	rewritten[] = "the file was rewritten while it was followed";

struct watch {
	struct feed_state	 feed;
	int			 fd;
	const char		*path;
	dev_t			 dev;
	ino_t			 ino;
	struct lock		*lock;
	/* Protected by the lock: */
	bool			 stop;
	struct seen		 seen;		/* of size bytes */
};

static void
end(struct watch *w, const char *why)
{
	atomic_store(&w->feed.error, why);
	atomic_store(&w->feed.done, true);
}

/* Measure the file. It may be truncated while its bytes are compared, so that is looked at last.
   Called with the lock held. */
static void
look(struct watch *w)
{
	uint64_t	size = atomic_load(&w->feed.size);
	struct stat	st, now, named;
	bool		stands;

	if (atomic_load(&w->feed.done) || fstat(w->fd, &st) != 0)
		return;
	stands = seen_stands(&w->seen, w->fd, &st);
	if (fstat(w->fd, &now) == 0 && (uint64_t)now.st_size < size) {
		end(w, "the file was truncated while it was followed");
	} else if (!stands) {
		end(w, rewritten);
	} else if ((uint64_t)st.st_size > size) {
		seen_sample(&w->seen, w->fd, &st, (uint64_t)st.st_size);
		atomic_store(&w->feed.size, (uint64_t)st.st_size);
	} else if (stat(w->path, &named) == 0 &&
	    (named.st_dev != w->dev || named.st_ino != w->ino)) {
		end(w, "the followed file was replaced by another file");
	}
}

struct feed_state *
watch_new(int fd, const char *path, const struct stat *st, uint64_t size)
{
	struct watch	*w = mem_zalloc(1, sizeof *w);

	w->fd = fd;
	w->path = path;
	w->dev = st->st_dev;
	w->ino = st->st_ino;
	w->lock = lock_new(LOCK_FEED);
	atomic_store(&w->feed.size, size);
	seen_take(&w->seen, fd, st, size);
	seen_sample(&w->seen, fd, st, size);
	return &w->feed;
}

static void
watch_wait(void *feed, uint64_t n, int64_t until)
{
	struct watch	*w = feed;

	lock_take(w->lock);
	for (;;) {
		int64_t	next = job_now_ns() + LOOK_NS;

		look(w);
		if (atomic_load(&w->feed.size) > n || atomic_load(&w->feed.done) || w->stop)
			break;
		if (!lock_wait_until(w->lock, next < until ? next : until) && next >= until)
			break;
	}
	lock_drop(w->lock);
}

static void
watch_stop(void *feed)
{
	struct watch	*w = feed;

	lock_take(w->lock);
	look(w);			/* bytes written before the stop still count */
	w->stop = true;
	lock_wake(w->lock);
	lock_drop(w->lock);
}

bool
watch_rewritten(const struct feed_state *watch)
{
	return atomic_load(&watch->error) == rewritten;
}

static void
watch_free(void *feed)
{
	struct watch	*w = feed;

	lock_free(w->lock);
	mem_free(w);
}

const struct feed_ops	watch_feed = {
	.wait = watch_wait, .stop = watch_stop, .free = watch_free,
};
