/*
 * Blocks of events as they are in the file, to show the file's structure.
 *
 *	file     | [ frame ] .. [ frame ][ frame ]	an event is in the last frame of the index
 *	             event				that begins before it
 *
 * A decoded block is kept for neighbouring events, most of which are in the same block. If two
 * threads need the same block at the same time, both decode it.
 *
 * Invariant: the kept blocks are changed and read under their lock.
 */
#include "tnav/engine/trace.h"

#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "engine/joined/joined.h"
#include "engine/view/decode.h"

#define BATCH		256u		/* events decoded at a time */
#define BLOCKS_KEPT	128u		/* blocks in the cache */

struct block_cache {
	struct lock	*lock;
	struct block	 block[BLOCKS_KEPT];
	unsigned	 next;
};

struct block_cache *
block_cache_new(void)
{
	struct block_cache	*c = mem_zalloc(1, sizeof *c);

	c->lock = lock_new(LOCK_LEAF);
	return c;
}

void
block_cache_free(struct block_cache *c)
{
	if (c == NULL)
		return;
	lock_free(c->lock);
	mem_free(c);
}

static bool
cache_find(struct block_cache *c, uint64_t off, struct block *out)
{
	bool	found = false;

	lock_take(c->lock);
	for (size_t i = 0; i < BLOCKS_KEPT && !found; i++) {
		*out = c->block[i];
		found = off - out->off < out->size;	/* after its begin, before its end */
	}
	lock_drop(c->lock);
	return found;
}

static void
cache_add(struct block_cache *c, const struct block *b)
{
	lock_take(c->lock);
	c->block[c->next++ % BLOCKS_KEPT] = *b;
	lock_drop(c->lock);
}

/* Find the frame of the event in the index. */
static bool
frame_find(struct trace *t, const struct event *e, struct frame *fr)
{
	const struct event_frame	*f = NULL;
	uint64_t			 after = 0;	/* the first that begins after it */

	lock_take(t->lock);
	BISECT(after, t->index.frames.n, i,
	    ((struct event_frame *)segvec_at(&t->index.frames, i))->off <= e->off);
	if (after > 0)
		f = segvec_at(&t->index.frames, after - 1);
	lock_drop(t->lock);
	if (f == NULL || e->off - f->off > f->head + f->len)
		return false;
	*fr = (struct frame){ .kind = FRAME_EVENTS, .off = f->off, .body = f->off + f->head,
	    .len = f->len, .next = f->off + f->head + f->len + f->tail, .cut = f->cut };
	return true;
}

static void
add_event(struct block *b, const struct event *e)
{
	if (b->events == 0 || e->ts < b->tmin) {
		b->first = e->off;
		b->tmin = e->ts;
	}
	if (b->events == 0 || e->ts > b->tmax)
		b->tmax = e->ts;
	b->events++;
}

/* Sum up the events of the block. False: none can be read. */
static bool
look_inside(struct trace *t, const struct frame *fr, struct block *b)
{
	const struct format_ops	*ops = t->format.ops;
	struct decoded		 d = { .lost = false };
	struct span		 body = source_span(t->source, fr->body, fr->len);
	struct event		*ev = mem_alloc(BATCH * sizeof *ev);
	struct decode_state	 st;
	const char		*text;
	uint64_t		 writer = 0;
	size_t			 n = 0;

	b->one_thread = true;
	b->more = ops->begin(&t->format, fr, body, &st, &text) >= 0;
	while (b->more && b->events < BLOCK_EVENTS) {
		d.threads.n = d.types.n = 0;
		n = ops->decode(&t->format, fr, body, &st, ev, BATCH, &d.threads, &d.types);
		b->more = n > 0;
		for (size_t i = 0; i < n; i++) {
			if (b->events == 0)
				writer = d.threads.id[ev[0].capture];
			add_event(b, &ev[i]);
			b->one_thread &= d.threads.id[ev[i].capture] == writer;
		}
	}
	mem_free(ev);
	decoded_release(&d);
	return b->events > 0;
}

static bool
block_find(struct trace *t, const struct event *e, struct block *out)
{
	struct frame	fr;

	if (cache_find(t->blocks, e->off, out))
		return true;
	if (!index_has(t, HAS_BLOCKS) || !frame_find(t, e, &fr))
		return false;
	*out = (struct block){ .kind = t->format.ops->block, .off = fr.off,
	    .size = fr.next - fr.off };
	if (!look_inside(t, &fr, out))
		return false;
	cache_add(t->blocks, out);
	return true;
}

bool
trace_block(struct trace *t, const struct event *e, struct block *out)
{
	uint64_t	 base = e->off & ~EVENT_OFFSET;
	struct trace	*home;
	struct event	 own;

	home = event_home(t, &e, &own);
	if (!block_find(home, e, out))
		return false;
	out->first += base;
	if (home != t) {
		const struct clock_map	*c = &joined_source(t, (uint32_t)(base >>
					    EVENT_SOURCE_SHIFT))->clock;

		out->tmin = clock_to(c, out->tmin);
		out->tmax = clock_to(c, out->tmax);
	}
	return true;
}
