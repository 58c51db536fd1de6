/*
 * Bytes that a program allocated between collections.
 *
 *	objects in gen0, large and pinned ones
 *	        /|        /|     /
 *	    /  / |   /  /  |  /
 *	   /  /  |  /  /   | /	a collection begins: what grew since the last one ended
 *	  [GC 1] [ GC 2 ]	it ends: the next growth is measured from here
 *	     [ background  ]	gen0 goes on while it runs; at its end large objects are swept
 *
 * Free space does not count, since the runtime allocates in it, too. But a background collection
 * makes free space of what was allocated just before, also in gen0. While one runs, growth is what
 * the size or the objects grew by, whichever is more. It counts for the collection that begins
 * next.
 *
 * Where sizes do not tell, GCAllocationTick does, unless events were lost: the runtime writes one
 * for each 100 KB that it has handed out. Sizes are more exact: they leave out what was not used of
 * it.
 *
 * Invariant: each byte is counted for one collection. A growth is unknown if the end of the
 * collection before it is.
 */
#include "analysis/reports/collections.h"

#include "analysis/spans/loss.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"

enum { GEN0, LARGE, PINNED, PARTS };

struct moment_of {
	int64_t			 ns;
	struct collection	*c;
	bool			 is_end;
};

struct amounts {
	uint64_t	size[PARTS], objects[PARTS];
};

struct growing {
	bool				 known;		/* v is what is there */
	bool				 swept;		/* a background collection ran since v */
	uint32_t			 background;	/* those that run */
	struct amounts			 v;
	uint64_t			 carry;		/* bytes already seen for the next one */
	uint64_t			 number, clr;	/* of the latest collection; 0: none */
	bool				 ticks;		/* all of them are in the trace */
	uint64_t			 handed_out;	/* before the latest one that has a part */
	uint32_t			 next;		/* the one after that */
};

SORT_ORDER(by_time, struct moment_of, RISING(ns) FALLING(is_end) RISING(c->p.number))

static uint64_t
more(uint64_t now, uint64_t then)
{
	return now > then ? now - then : 0;
}

static void
measure(const struct by_generation *size, const struct by_generation *unused, struct amounts *v)
{
	static const unsigned	where[PARTS] = { [GEN0] = 0, [LARGE] = 3, [PINNED] = 4 };

	for (unsigned i = 0; i < PARTS; i++) {
		unsigned	k = where[i];

		v->size[i] = k < size->n ? size->v[k] : 0;
		v->objects[i] = more(v->size[i], unused->v[k]);
	}
}

/* What this part grew by since it was measured. */
static uint64_t
growth_of(const struct growing *x, const struct amounts *now, unsigned part)
{
	uint64_t	objects = more(now->objects[part], x->v.objects[part]);
	uint64_t	size = more(now->size[part], x->v.size[part]);

	return x->swept ? max_u64(objects, size) : objects;
}

/* Does no collection lie between this one and the latest? None lies before the first one. */
static bool
follows(const struct growing *x, const struct collection *c)
{
	if (x->number == 0)
		return true;
	return x->known && x->clr == c->clr && c->number <= x->number + 1;
}

/*
 * The sizes have said what they can: ticks say the rest. The sizes before a background collection
 * include large objects that were allocated while it ran.
 */
static void
complete(struct growing *x, struct collection *c)
{
	if (x->ticks && (c->growth.state != GROWTH_KNOWN || c->type == GC_BACKGROUND))
		c->growth = (struct gc_growth){ GROWTH_TICKS,
		    more(c->handed_out, x->handed_out) };
	x->handed_out = c->handed_out;
	x->next = c->p.number + 1;
}

static void
begins(struct growing *x, struct collection *c)
{
	bool		follow = follows(x, c), background = c->type == GC_BACKGROUND;
	bool		before = x->number == 0 && c->number != 1;
	uint64_t	bytes = x->carry;
	struct amounts	now;

	x->background += background;
	x->clr = c->clr;
	x->number = max_u64(x->number, c->number);
	x->known = background && follow;
	if (!c->has_history) {
		c->growth.state = x->known ? GROWTH_LATER : GROWTH_UNKNOWN;
		if (!x->known)
			complete(x, c);
		return;
	}
	measure(&c->before, &c->loose, &now);
	for (unsigned k = 0; k < PARTS; k++)
		bytes = add_u64(bytes, growth_of(x, &now, k));
	if (before)
		c->growth.state = GROWTH_BEFORE;
	else if (follow)
		c->growth = (struct gc_growth){ x->swept ? GROWTH_AT_LEAST : GROWTH_KNOWN, bytes };
	complete(x, c);
	x->v = now;
	x->swept = x->known = background;
	x->carry = 0;
}

static void
ends(struct growing *x, const struct collection *c)
{
	bool		background = c->p.has_start && c->type == GC_BACKGROUND;
	struct amounts	now;

	x->background -= background && x->background > 0;
	if (!c->p.has_start) {
		x->clr = c->clr;
		x->number = max_u64(x->number, c->number);
	}
	if (!c->has_history) {
		x->known = x->known && background;
		return;
	}
	measure(&c->after, &c->unused, &now);
	if (!background) {
		x->v = now;
		x->known = true;
		x->swept = x->background > 0;
		x->carry = 0;
		return;
	}
	for (unsigned k = LARGE; k < PARTS; k++) {
		x->carry = add_u64(x->carry, growth_of(x, &now, k));
		x->v.size[k] = now.size[k];
		x->v.objects[k] = now.objects[k];
	}
}

void
gc_growths(struct gc_collections *g)
{
	uint32_t		 all = pairs_n(g->collections);
	struct growing		 x = { .ticks = g->has_ticks && !losses_any(g->run->losses),
				    .next = 1 };
	struct moment_of	*m = mem_zalloc(2 * (size_t)all + 1, sizeof *m);
	size_t			 n = 0;

	for (uint32_t i = 1; i <= all; i++) {
		struct collection	*c = gc_collection(g, i);

		if (c->p.has_start)
			m[n++] = (struct moment_of){ c->p.start, c, false };
		if (c->p.has_stop)
			m[n++] = (struct moment_of){ c->p.stop, c, true };
	}
	sort_array(m, n, sizeof *m, by_time);
	for (size_t i = 0; i < n; i++) {
		if (m[i].is_end)
			ends(&x, m[i].c);
		else
			begins(&x, m[i].c);
	}
	for (uint32_t i = x.next; x.ticks && i <= all; i++)
		if (gc_collection(g, i)->growth.state == GROWTH_LATER)
			complete(&x, gc_collection(g, i));
	mem_free(m);
}
