/*
 * Regions are cut into slices when they are closed, and shown in part while they are open.
 *
 *	regions   |<-- closed: rows are final -->|<-- open: rows may move -->
 *	slices    |   0   | 1 |    2     |   3   | published |
 *
 * Invariant: rows of closed regions never change; what is published of the open one is replaced
 * as a whole, under a new generation.
 */
#include "engine/index/regions.h"

#include "engine/view/cut.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define PUBLISH_SHARE	8		/* of the time that goes into showing rows: one part */

void
region_open(struct trace *t)
{
	t->open = (struct region){
		.row0 = t->progress.rows, .record0 = t->index.records.n,
		.seg0 = t->index.segments.n,
		.stack0 = t->stacks.block.n, .label0 = t->labels.block.n,
		.tmin = INT64_MAX, .tmax = INT64_MIN,
		.epoch = t->names.epoch, .flush_off = t->names.flush_off,
	};
	t->published = 0;
}

void
region_close(struct trace *t)
{
	struct slice_list	list = { NULL, 0, 0 };
	int64_t			begin;

	t->close_now = false;
	if (t->open.events == 0) {
		lock_take(t->lock);
		region_open(t);		/* with the flushes of the barrier */
		lock_drop(t->lock);
		return;
	}
	begin = job_now_ns();
	slice_cut(t, &t->open, (uint32_t)t->index.regions.n, &list);
	if (list.n > 1)
		t->open.touch = slice_touch(t, &t->open, &list);
	lock_take(t->lock);
	t->progress.sort_ns += job_now_ns() - begin;
	*(struct region *)segvec_add(&t->index.regions) = t->open;
	for (size_t i = 0; i < list.n; i++) {
		struct slice	*s = segvec_add(&t->index.slices);

		*s = list.s[i];
		if (t->index.slices.n > 1) {
			const struct slice	*prev = segvec_at(&t->index.slices,
						    t->index.slices.n - 2);

			s->tmost = s->tmost > prev->tmost ? s->tmost : prev->tmost;
		}
	}
	t->progress.rows += t->open.events;
	t->open_slices.n = 0;
	t->open_pub.events = 0;
	t->open_gen++;
	region_open(t);
	lock_drop(t->lock);
	mem_free(list.s);
}

void
region_publish(struct trace *t, bool idle)
{
	struct slice_list	list = { NULL, 0, 0 }, old;
	int64_t			begin = job_now_ns();

	if (!atomic_load(&t->want_rows) || t->open.events == t->published)
		return;
	if (t->open.events < t->published * 2 &&
	    (!idle || begin - t->published_at < t->publish_ns * PUBLISH_SHARE))
		return;
	slice_cut(t, &t->open, (uint32_t)t->index.regions.n, &list);
	lock_take(t->lock);
	old = t->open_slices;
	t->open_slices = list;
	t->open_pub = t->open;
	t->open_gen++;
	lock_drop(t->lock);
	t->published = t->open.events;
	t->published_at = job_now_ns();
	t->publish_ns = t->published_at - begin;
	mem_free(old.s);
	atomic_fetch_add(&t->generation, 1);
}
