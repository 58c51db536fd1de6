/*
 * A trace that a test feeds: a file, and a feed that tells at once what is in it.
 */
#include "feeder.h"

#include <unistd.h>

#include "asserts.h"
#include "tnav/base/job.h"

static void
feed_wait(void *feed, uint64_t n, int64_t until)
{
	struct feeder	*w = feed;

	lock_take(w->lock);
	while (w->feed.size <= n && !w->feed.done && lock_wait_until(w->lock, until))
		;
	lock_drop(w->lock);
}

static void
feed_stop(void *feed)
{
	struct feeder	*w = feed;

	lock_take(w->lock);
	w->feed.done = true;
	lock_wake(w->lock);
	lock_drop(w->lock);
}

static void
feed_free(void *feed)
{
	(void)feed;
}

static const struct feed_ops	feed_ops = {
	feed_wait, feed_stop, feed_free,
};

void
feeder_init(struct feeder *w)
{
	const char	*tmp = getenv("TMPDIR");

	memset(w, 0, sizeof *w);
	snprintf(w->path, sizeof w->path, "%s/tnav-follow-XXXXXX", tmp ? tmp : "/tmp");
	w->fd = mkstemp(w->path);
	assert_true(w->fd >= 0);
	w->lock = lock_new(LOCK_FEED);
}

void
feeder_release(struct feeder *w)
{
	close(w->fd);
	unlink(w->path);
	lock_free(w->lock);
}

void
feeder_append(struct feeder *w, const void *p, size_t n)
{
	assert_int_equal(write(w->fd, p, n), (ssize_t)n);
	w->size += n;
	lock_take(w->lock);
	w->feed.size = w->size;
	lock_wake(w->lock);
	lock_drop(w->lock);
}

struct trace_feed
feeder_feed(struct feeder *w)
{
	return (struct trace_feed){ dup(w->fd), { &feed_ops, &w->feed } };
}
