/*
 * Equal buckets of an interval of time.
 *
 *	from |----0----|----1----|----2----| to		n = 3
 *
 * Invariant: a later time never lies in an earlier bucket.
 */
#include "ui/view/time_buckets.h"

#include "tnav/base/mem.h"

unsigned
view_bucket(int64_t ts, int64_t from, int64_t to, unsigned n)
{
	double	len = (double)((uint64_t)to - (uint64_t)from), at;

	if (to <= from || ts <= from || n <= 1)
		return 0;
	at = (double)((uint64_t)ts - (uint64_t)from) * n / len;
	return at >= n ? n - 1 : (unsigned)at;
}

int64_t
view_bucket_start(unsigned bucket, int64_t from, int64_t to, unsigned n)
{
	unsigned __int128	len = (uint64_t)to - (uint64_t)from;

	/* The first tick of the bucket. */
	return (int64_t)((uint64_t)from + (uint64_t)((len * bucket + n - 1) / n));
}

void
runs_add(struct runs *s, const struct event *e, int64_t bucket)
{
	uint32_t		*at = &s->recent[e->thread % THREADS_RECENT];
	struct thread_run	*r = *at < s->n ? &s->v[*at] : NULL;

	if (r == NULL || r->thread != e->thread || r->bucket != bucket) {
		*at = (uint32_t)s->n;
		s->v = mem_grow(s->v, &s->cap, s->n + 1, sizeof *s->v);
		r = &s->v[s->n++];
		*r = (struct thread_run){ .thread = e->thread, .bucket = bucket };
	}
	r->n++;
	r->bytes += e->size;
}
