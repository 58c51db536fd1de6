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

#include <stdatomic.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "io/seen.h"

#define LOOK_NS		((int64_t)100000000)	/* between two checks */

static const char	rewritten[] = "the file was rewritten while it was followed";

struct watch {
	int			 fd;
	const char		*path;
	dev_t			 dev;
	ino_t			 ino;
	struct lock		*lock;
	_Atomic uint64_t	 size;
	_Atomic bool		 done, stop;
	_Atomic(const char *)	 error;
	struct seen		 seen;		/* of size bytes; protected by the lock */
};

static void
end(struct watch *w, const char *why)
{
	atomic_store(&w->error, why);
	atomic_store(&w->done, true);
}

/* Measure the file. It may be truncated while its bytes are compared, so that is looked at last.
   Called with the lock held. */
static void
look(struct watch *w)
{
	uint64_t	size = atomic_load(&w->size);
	struct stat	st, now, named;
	bool		stands;

	if (atomic_load(&w->done) || fstat(w->fd, &st) != 0)
		return;
	stands = seen_stands(&w->seen, w->fd, &st);
	if (fstat(w->fd, &now) == 0 && (uint64_t)now.st_size < size) {
		end(w, "the file was truncated while it was followed");
	} else if (!stands) {
		end(w, rewritten);
	} else if ((uint64_t)st.st_size > size) {
		seen_sample(&w->seen, w->fd, &st, (uint64_t)st.st_size);
		atomic_store(&w->size, (uint64_t)st.st_size);
	} else if (stat(w->path, &named) == 0 &&
	    (named.st_dev != w->dev || named.st_ino != w->ino)) {
		end(w, "the followed file was replaced by another file");
	}
}

struct watch *
watch_new(int fd, const char *path, const struct stat *st, uint64_t size)
{
	struct watch	*w = mem_zalloc(1, sizeof *w);

	w->fd = fd;
	w->path = path;
	w->dev = st->st_dev;
	w->ino = st->st_ino;
	w->lock = lock_new(LOCK_FEED);
	atomic_store(&w->size, size);
	seen_take(&w->seen, fd, st, size);
	seen_sample(&w->seen, fd, st, size);
	return w;
}

static uint64_t
watch_size(void *feed)
{
	struct watch	*w = feed;

	return atomic_load(&w->size);
}

static bool
watch_done(void *feed)
{
	struct watch	*w = feed;

	return atomic_load(&w->done);
}

static void
watch_wait(void *feed, uint64_t n, int64_t until)
{
	struct watch	*w = feed;

	lock_take(w->lock);
	for (;;) {
		int64_t	next = job_now_ns() + LOOK_NS;

		look(w);
		if (atomic_load(&w->size) > n || atomic_load(&w->done) || atomic_load(&w->stop))
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
	atomic_store(&w->stop, true);
	lock_wake(w->lock);
	lock_drop(w->lock);
}

bool
watch_rewritten(const struct watch *w)
{
	return atomic_load(&w->error) == rewritten;
}

static const char *
watch_error(void *feed)
{
	struct watch	*w = feed;

	return atomic_load(&w->error);
}

static void
watch_free(void *feed)
{
	struct watch	*w = feed;

	lock_free(w->lock);
	mem_free(w);
}

const struct feed_ops	watch_feed = {
	.size = watch_size, .done = watch_done, .wait = watch_wait, .stop = watch_stop,
	.error = watch_error, .free = watch_free,
};
