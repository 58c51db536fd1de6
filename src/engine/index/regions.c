/*
 * Regions are cut into slices when they are closed. Parts of the open region are published.
 *
 *	regions   |<-- closed: rows are final -->|<-- open: rows may move -->
 *	slices    |   0   | 1 |    2     |   3   | published |
 *
 * Invariant: rows of closed regions never change; the published part of the open region is replaced
 * as a whole, under a new generation.
 */
#include "engine/index/regions.h"

#include "engine/view/cut.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

void
region_open(struct trace *t)
{
	t->open = (struct region){
		.row0 = t->progress.rows, .record0 = t->index.records.n,
		.seg0 = t->index.segments.n,
		.stack0 = t->stacks.block.n, .label0 = t->labels.block.n,
		.tmin = INT64_MAX, .tmax = INT64_MIN,
		.epoch = t->names.epoch, .flush_off = t->names.flush_off,
		.has_point = t->has_barrier, .point = t->barrier_ts,
	};
	t->published = 0;
}

void
region_add(struct trace *t, const struct region *r, const struct slice_list *list)
{
	uint32_t	region = (uint32_t)t->index.regions.n;

	*(struct region *)segvec_add(&t->index.regions, sizeof *r) = *r;
	for (size_t i = 0; i < list->n; i++) {
		struct slice	*s = segvec_add(&t->index.slices, sizeof *s);

		*s = list->s[i];
		s->region = region;
		if (t->index.slices.n > 1) {
			const struct slice	*prev = segvec_at(&t->index.slices,
						    t->index.slices.n - 2);

			s->tmost = s->tmost > prev->tmost ? s->tmost : prev->tmost;
		}
	}
	t->progress.rows += r->events;
}

void
region_close(struct trace *t)
{
	struct slice_list	list = { NULL, 0, 0 };
	int64_t			begin;
	uint32_t		*touch = NULL;

	t->close_now = false;
	if (t->open.events == 0) {
		lock_take(t->lock);
		region_open(t);		/* takes over the flushes of the barrier */
		lock_drop(t->lock);
		return;
	}
	begin = job_now_ns();
	slice_cut(t, &t->open, segments_all(&t->open), &list);
	if (list.n > 1)
		touch = slice_touch(t, &t->open, segments_all(&t->open), &list);
	lock_take(t->lock);
	t->open.touch = touch;		/* under the lock: others read the open region */
	t->progress.sort_ns += job_now_ns() - begin;
	region_add(t, &t->open, &list);
	t->progress.final = t->progress.committed;
	t->open_slices.n = 0;
	t->open_pub.events = 0;
	t->open_gen++;
	region_open(t);
	lock_wake(t->lock);
	lock_drop(t->lock);
	mem_free(list.s);
}

void
open_show(struct trace *t, struct slice_list list)
{
	t->open_slices = list;
	t->open_pub = t->open;
	t->open_gen++;
}

/* Remove the slices of the newest region from the index; returns a copy. */
static struct slice_list
slices_take(struct trace *t, uint32_t region)
{
	struct slice_list	list = { NULL, 0, 0 };
	uint64_t		first = t->index.slices.n;

	while (first > 0 && ((struct slice *)segvec_at(&t->index.slices, first - 1))->region ==
	    region)
		first--;
	list.n = (size_t)(t->index.slices.n - first);
	list.s = mem_grow(NULL, &list.cap, list.n, sizeof *list.s);
	for (size_t i = 0; i < list.n; i++)
		list.s[i] = *(struct slice *)segvec_at(&t->index.slices, first + i);
	segvec_cut(&t->index.slices, first);
	return list;
}

void
region_open_again(struct trace *t)
{
	uint32_t	 n = (uint32_t)t->index.regions.n - 1;
	struct slice_list list;

	if (!t->closed_by_end)
		return;
	t->closed_by_end = false;
	t->open = *(struct region *)segvec_at(&t->index.regions, n);
	if (t->open.touch != NULL) {	/* a thread that makes a view may still use it */
		ARRAY_ADD(t->old_touch, t->nold_touch, t->old_touch_cap, t->open.touch);
	}
	t->open.touch = NULL;
	segvec_cut(&t->index.regions, n);
	list = slices_take(t, n);
	t->progress.rows -= t->open.events;
	mem_free(t->open_slices.s);	/* from when it was open before */
	open_show(t, list);
	t->published = t->open.events;
	t->opened_again++;		/* the numbers of its slices will be used again */
}

bool
publish_rested(const struct trace *t, int64_t now)
{
	return now - t->published_at >= t->publish_ns * PUBLISH_SHARE;
}

bool
publish_is_due(const struct trace *t, uint64_t events, bool idle, int64_t now)
{
	return events >= t->published * 2 || (idle && publish_rested(t, now));
}

void
publish_done(struct trace *t, uint64_t events, int64_t begin)
{
	t->published = events;
	t->published_at = job_now_ns();
	t->publish_ns = t->published_at - begin;
}

bool
region_publish(struct trace *t, bool idle)
{
	struct slice_list	list = { NULL, 0, 0 }, old;
	int64_t			begin = job_now_ns();

	if (!atomic_load(&t->want_rows) || t->open.events == t->published)
		return true;
	if (!publish_is_due(t, t->open.events, idle, begin))
		return false;
	slice_cut(t, &t->open, segments_all(&t->open), &list);
	lock_take(t->lock);
	old = t->open_slices;
	open_show(t, list);
	lock_drop(t->lock);
	publish_done(t, t->open.events, begin);
	mem_free(old.s);
	atomic_fetch_add(&t->generation, 1);
	return true;
}
