/*
 * The head of a trace: letting go of its first regions.
 *
 *	regions		| 0 | 1 | 2 | 3 | 4 | open		too much is kept
 *	head			    ^ moves, under the lock	counts of 0 and 1 are taken back
 *	turn		passes that begin now read from 2 on
 *	later		no pass of the turn before runs, no view before the head is pinned:
 *			[ hole ] M [ hole ]			the room of 0 and 1 is given back
 *
 * Invariant: bytes are given back only when nobody can read them: rows before the head have no
 * views, and no segments in passes. So zeroes are never decoded.
 */
#include "engine/index/head.h"

#include "engine/view/cache.h"
#include "engine/view/decode.h"
#include "engine/view/resolve.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/head.h"
#include "tnav/engine/trace.h"
#include "tnav/io/file.h"

/* Bytes that stay around a description, so that it can be read again: of its block, and its row. */
#define BEFORE		192u
#define AFTER		4u
#define SLACK_MOST	(UINT64_C(64) << 20)	/* that is let go at a time, about */

void
trace_head(struct trace *t, struct trace_head *out)
{
	lock_take(t->lock);
	*out = (struct trace_head){ t->head.row, t->head.ts };
	lock_drop(t->lock);
}

uint64_t
trace_rows_kept(struct trace *t)
{
	struct trace_head	h;
	uint64_t		rows = trace_rows(t);

	trace_head(t, &h);
	return rows > h.row ? rows - h.row : 0;
}

unsigned
head_enter(struct trace *t)
{
	unsigned	turn;

	lock_take(t->lock);
	turn = t->head.turn;
	t->head.passes[turn]++;
	lock_drop(t->lock);
	return turn;
}

void
head_leave(struct trace *t, unsigned turn)
{
	lock_take(t->lock);
	t->head.passes[turn]--;
	lock_drop(t->lock);
}

/* ---- choosing */

/* Under the lock. */
static const struct region *
region_at(const struct trace *t, uint64_t i)
{
	return segvec_at(&t->index.regions, i);
}

/* Where a region begins: after the last events before it, since its stacks come before its own;
   the first one with its events. */
static uint64_t
region_off(const struct trace *t, const struct region *r)
{
	const struct segment		*g = segvec_at(&t->index.segments, r->seg0);
	const struct event_frame	*f = segvec_at(&t->index.frames, g->frame0);

	if (r->seg0 == 0)
		return f->off;
	g = segvec_at(&t->index.segments, r->seg0 - 1);
	f = segvec_at(&t->index.frames, g->frame0 + g->nframes - 1);
	return f->off + f->head + f->len + f->tail;
}

/* Under the lock: is more than that kept, if the region is the first? */
static bool
is_over(struct trace *t, const struct trace_keep *k, const struct region *r)
{
	return (k->bytes > 0 && t->progress.committed - region_off(t, r) > k->bytes) ||
	    (k->ns > 0 && trace_dur(t, r->tmin, t->progress.tmax) > k->ns);
}

/* Under the lock: the region with which the kept part should begin. */
static uint64_t
choose_region(struct trace *t, const struct trace_keep *k)
{
	uint64_t		 slack = k->bytes / 8 < SLACK_MOST ? k->bytes / 8 : SLACK_MOST;
	const struct trace_keep	 less = { k->bytes - slack, k->ns - k->ns / 8 };
	uint64_t		 i = t->head.region;

	if (i >= t->index.regions.n || !is_over(t, k, region_at(t, i)))
		return i;
	while (i + 1 < t->index.regions.n && is_over(t, &less, region_at(t, i)))
		i++;
	return i;
}

/* ---- counts of what is let go */

struct gone {
	struct count	*type, *thread;
	size_t		 types, threads;
};

static void
count_gone(struct count *c, size_t n, uint32_t i, const struct event *e)
{
	if (i >= n)
		return;
	c[i].events++;
	c[i].bytes += e->size;
}

static void
count_segments(struct trace *t, uint64_t from, uint64_t to, struct gone *x)
{
	struct event	*ev = mem_alloc(SCAN_SEGMENT * sizeof *ev);
	struct resolver	*rv = resolver_new(t);
	struct decoded	 d = { .lost = false };

	for (uint64_t i = from; i < to; i++) {
		const struct segment	*g = segvec_known(&t->index.segments, i);
		size_t			 n = segment_events(t, g, ev, &d);

		resolver_events(rv, g, ev, n, &d);
		for (size_t k = 0; k < n; k++) {
			count_gone(x->type, x->types, ev[k].type, &ev[k]);
			count_gone(x->thread, x->threads, ev[k].thread, &ev[k]);
		}
	}
	decoded_release(&d);
	resolver_free(rv);
	mem_free(ev);
}

static void
count_less(struct count *c, const struct count *gone)
{
	c->events -= gone->events < c->events ? gone->events : c->events;
	c->bytes -= gone->bytes < c->bytes ? gone->bytes : c->bytes;
}

/* Under the lock. First and last times stay: types and threads were there. */
static void
take_back(struct trace *t, const struct gone *x)
{
	for (size_t i = 0; i < x->types; i++)
		count_less(&((struct type_rec *)segvec_at(&t->names.types, i))->c, &x->type[i]);
	for (size_t i = 0; i < x->threads; i++)
		count_less(&((struct thread_rec *)segvec_at(&t->names.threads, i))->s.c,
		    &x->thread[i]);
}

/* ---- giving back the room */

struct file_stretch {
	uint64_t	from, to;
};

struct kept_stretches {
	struct file_stretch	*v;
	size_t		 n, cap;
};

static void
keep_bytes(struct kept_stretches *k, uint64_t off, uint64_t len)
{
	ARRAY_ADD(k->v, k->n, k->cap, (struct file_stretch){
	    off > BEFORE ? off - BEFORE : 0, off + len + AFTER });
}

SORT_ORDER(compare_stretches, struct file_stretch, RISING(from))

/* The bytes in [from, to) that describe types and threads. */
static void
find_descriptions(struct trace *t, uint64_t from, uint64_t to, struct kept_stretches *k)
{
	const uint8_t	*base = source_span(t->source, 0, 1).p;

	lock_take(t->lock);
	for (uint64_t i = 0; i < t->names.types.n; i++) {
		const struct type_rec	*r = segvec_at(&t->names.types, i);
		struct span		 s = r->content;
		uint64_t		 off = s.len > 0 ? (uint64_t)(s.p - base) : 0;

		if (s.len > 0 && off >= from && off < to)
			keep_bytes(k, off, s.len);
	}
	for (uint64_t i = 0; i < t->names.decls.n; i++) {
		uint64_t	off = ((const struct decl_rec *)segvec_at(&t->names.decls, i))->row;
		struct span	s = source_span(t->source, off, 2);

		if (off != 0 && off >= from && off < to && s.len == 2)
			keep_bytes(k, off, 2 + (uint64_t)s.p[0] + (uint64_t)s.p[1] * 256);
	}
	lock_drop(t->lock);
	sort_array(k->v, k->n, sizeof *k->v, compare_stretches);
}

static void
give_back(struct trace *t, int fd, uint64_t from, uint64_t to)
{
	struct kept_stretches	k = { .n = 0 };

	find_descriptions(t, from, to, &k);
	for (size_t i = 0; i < k.n && k.v[i].from < to; i++) {
		file_empty(fd, from, k.v[i].from);
		from = k.v[i].to > from ? k.v[i].to : from;
	}
	file_empty(fd, from, to);
	mem_free(k.v);
}

/* Give back what was let go before, if nobody reads it. False: it is still read. */
static bool
finish(struct trace *t, int fd)
{
	uint64_t	from, to, row;
	bool		read;

	lock_take(t->lock);
	from = t->head.empty;
	if (from == 0 && t->head.off > 0)
		from = region_off(t, region_at(t, 0));	/* not what is before all events */
	to = t->head.off;
	row = t->head.row;
	read = t->head.passes[!t->head.turn] > 0;
	lock_drop(t->lock);
	if (from == to)
		return true;
	if (read || view_cache_pins_below(t->cache, row))
		return false;
	give_back(t, fd, from, to);
	lock_take(t->lock);
	t->head.empty = to;
	lock_drop(t->lock);
	return true;
}

/* ---- */

/* Under the lock. */
static void
head_move(struct trace *t, uint64_t region)
{
	const struct region	*r = region_at(t, region);

	t->head.region = (uint32_t)region;
	t->head.row = r->row0;
	t->head.segment = r->seg0;
	t->head.off = region_off(t, r);
	t->head.ts = r->tmin;
	t->head.turn = !t->head.turn;
}

bool
trace_let_go(struct trace *t, int fd, const struct trace_keep *keep)
{
	struct gone	x;
	uint64_t	region, from, to;

	if (t->joined != NULL || !finish(t, fd))
		return false;
	lock_take(t->lock);
	region = choose_region(t, keep);
	from = t->head.segment;
	to = region != t->head.region ? region_at(t, region)->seg0 : from;
	x.types = (size_t)t->names.types.n;
	x.threads = (size_t)t->names.threads.n;
	lock_drop(t->lock);
	if (to == from)
		return false;
	x.type = mem_zalloc(x.types + 1, sizeof *x.type);
	x.thread = mem_zalloc(x.threads + 1, sizeof *x.thread);
	count_segments(t, from, to, &x);
	lock_take(t->lock);
	take_back(t, &x);
	head_move(t, region);
	lock_drop(t->lock);
	atomic_fetch_add(&t->generation, 1);
	mem_free(x.type);
	mem_free(x.thread);
	(void)finish(t, fd);
	return true;
}
