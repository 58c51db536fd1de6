/*
 * The events by which others are understood.
 *
 *	chosen events	-> addresses of their stacks			any thread
 *	events of code	-> those whose range has such an address	likewise
 *	maps of code	-> those of methods that are kept
 *
 * Invariant: the result does not depend on the order in which pieces are read.
 */
#include "tnav/analysis/context.h"

#include <string.h>

#include "analysis/facts/facts.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/idmap.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define ENTRY_BYTES	(64u << 10)	/* code that one entry of precompiled code may name */

/* What an event is about, and which fields tell it. */
enum about { CONTEXT_KINDS };
enum { CONTEXT_FIELDS };

static const struct fact_def	defs[] = { CONTEXT_FACTS };

/* Addresses in stacks. */
struct code_places {
	uint64_t	*v;
	size_t		 n, cap;
};

/* An event that is kept, and the method that it is about, or whose map it has. */
struct context_event {
	struct event	e;
	uint64_t	method;
	bool		has_method, is_map;
};

struct context_events {
	struct context_event	*v;
	size_t		 n, cap;
};

struct choosing {
	struct trace			*t;
	const struct pass_options	*chosen;
	bool				 all;	/* names, not only those of their stacks */
	struct code_places		 places;	/* sorted, each once */
	struct context_events		 kept;
};

/* ---- addresses */

static void
places_tidy(struct code_places *p)
{
	size_t	n = 0;

	sort_array(p->v, p->n, sizeof *p->v, compare_u64);
	for (size_t i = 0; i < p->n; i++)
		if (n == 0 || p->v[n - 1] != p->v[i])
			p->v[n++] = p->v[i];
	p->n = n;
}

#define TIDY_LEAST	(64u << 10)

struct code_piece {
	struct trace		*t;
	struct code_places		 places;
	size_t			 tidy;		/* they are tidied at so many */
	struct stack_reader	 reader;
	struct stack_scope	 scope;
	struct idmap		 seen;		/* stacks by scope */
	uint64_t		*ips;
};

static void *
piece_begin(void *arg)
{
	struct choosing		*c = arg;
	struct code_piece	*p = mem_zalloc(1, sizeof *p);

	p->t = c->t;
	p->tidy = TIDY_LEAST;
	p->ips = mem_alloc(LIMIT_STACK_FRAMES * sizeof *p->ips);
	return p;
}

/* Was this stack of this thread seen already? */
static bool
is_seen(struct code_piece *p, const struct event *e)
{
	uint32_t	any;
	bool		has = trace_stack_scope(p->t, e, &p->scope);

	if (has && p->seen.n > TIDY_LEAST)
		idmap_release(&p->seen);
	if (!has)
		return false;
	if (idmap_get(&p->seen, e->stack, p->scope.now.number, &any))
		return true;
	idmap_set(&p->seen, e->stack, p->scope.now.number, 0);
	return false;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct code_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];
		size_t			 n;

		if (e->stack == 0 || is_seen(p, e))
			continue;
		n = trace_stack_next(p->t, &p->reader, e, p->ips, LIMIT_STACK_FRAMES);
		p->places.v = mem_grow(p->places.v, &p->places.cap, p->places.n + n,
		    sizeof *p->places.v);
		for (size_t k = 0; k < n; k++)
			p->places.v[p->places.n++] = p->ips[k];
		if (p->places.n >= p->tidy) {
			places_tidy(&p->places);
			p->tidy = p->places.n * 2 > TIDY_LEAST ? p->places.n * 2 : TIDY_LEAST;
		}
	}
}

static int
piece_merge(void *arg, void *state)
{
	struct choosing			*c = arg;
	const struct code_piece	*p = state;
	struct code_places			*all = &c->places;

	all->v = mem_grow(all->v, &all->cap, all->n + p->places.n + 1, sizeof *all->v);
	if (p->places.n > 0)
		memcpy(all->v + all->n, p->places.v, p->places.n * sizeof *all->v);
	all->n += p->places.n;
	return ERR_OK;
}

static void
piece_free(void *state)
{
	struct code_piece	*p = state;

	mem_free(p->places.v);
	mem_free(p->ips);
	idmap_release(&p->seen);
	mem_free(p);
}

static const struct pass_ops	places_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .free = piece_free,
	.stays = true,
};

static int
read_places(struct choosing *c)
{
	struct pass_options	po = *c->chosen;
	struct pass_result	result;
	int			err;

	po.order = PASS_ANY;
	err = pass_run(c->t, &po, &places_ops, c, &result);
	places_tidy(&c->places);
	return err;
}

/*
 * Does a stack have an address in [start, end)? Of any process: the symbols of a file may be given
 * for one of those that have mapped it.
 */
static bool
is_used(const struct choosing *c, uint64_t start, uint64_t end)
{
	const struct code_places	*p = &c->places;
	size_t				 at = 0;

	if (c->all)
		return true;
	BISECT(at, p->n, i, p->v[i] < start);
	return at < p->n && p->v[at] < end;
}

/* ---- events */

struct context_part {
	struct choosing		*c;
	struct context_events	 kept;
};

static void
part_begin(void *part, void *arg)
{
	((struct context_part *)part)->c = arg;
}

static uint64_t
end_of(uint64_t start, uint64_t len)
{
	return len < UINT64_MAX - start ? start + len : UINT64_MAX;
}

static void
part_add(void *part, const struct fact *f)
{
	struct context_part	*p = part;
	struct context_event		 k = { .e = *f->ev };
	bool			 keep = true;

	switch ((enum about)f->kind) {
	case ABOUT_ALL:
		break;
	case ABOUT_METHOD:
		/* Events without a range are about methods that are named elsewhere. */
		keep = !fact_has(f, START) || is_used(p->c, fact_u64(f, START),
		    end_of(fact_u64(f, START), fact_u64(f, SIZE)));
		k.has_method = fact_has(f, METHOD_ID);
		k.method = fact_u64(f, METHOD_ID);
		break;
	case ABOUT_ENTRY:
		keep = is_used(p->c, fact_u64(f, START),
		    end_of(fact_u64(f, START), ENTRY_BYTES));
		break;
	case ABOUT_MAP:
		k.is_map = true;
		k.method = fact_u64(f, 0);
		break;
	case ABOUT_SYMBOL:
		keep = is_used(p->c, fact_u64(f, START),
		    end_of(fact_u64(f, SIZE), 1));
		break;
	}
	if (!keep)
		return;
	ARRAY_ADD(p->kept.v, p->kept.n, p->kept.cap, k);
}

static void
part_merge(void *arg, void *part)
{
	struct choosing			*c = arg;
	const struct context_part	*p = part;
	struct context_events		*all = &c->kept;

	all->v = mem_grow(all->v, &all->cap, all->n + p->kept.n + 1, sizeof *all->v);
	if (p->kept.n > 0)
		memcpy(all->v + all->n, p->kept.v, p->kept.n * sizeof *all->v);
	all->n += p->kept.n;
}

static void
part_release(void *part)
{
	mem_free(((struct context_part *)part)->kept.v);
}

static const struct fact_parts	parts = {
	.def = defs, .size = sizeof(struct context_part), .begin = part_begin, .add = part_add,
	.merge = part_merge, .release = part_release,
};

/* Copy the events, but not the maps of methods that are not kept. */
static size_t
take(const struct choosing *c, struct event *out)
{
	const struct context_events	*l = &c->kept;
	uint64_t		*method = mem_zalloc(l->n + 1, sizeof *method);
	size_t			 n = 0, methods = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].has_method)
			method[methods++] = l->v[i].method;
	sort_array(method, methods, sizeof *method, compare_u64);
	for (size_t i = 0; i < l->n; i++) {
		size_t	at = 0;

		BISECT(at, methods, k, method[k] < l->v[i].method);
		if (!l->v[i].is_map || c->all ||
		    (at < methods && method[at] == l->v[i].method))
			out[n++] = l->v[i].e;
	}
	mem_free(method);
	return n;
}

int
context_choose(struct trace *t, const struct pass_options *chosen, bool all, struct event **out,
    size_t *n)
{
	struct choosing	c = { .t = t, .chosen = chosen, .all = all };
	int		err = ERR_OK;

	if (!all && trace_has(t, HAS_STACKS))
		err = read_places(&c);
	if (err == ERR_OK)
		err = facts_parts(t, &parts, &c, chosen);
	*out = mem_zalloc(c.kept.n + 1, sizeof **out);
	*n = take(&c, *out);
	mem_free(c.places.v);
	mem_free(c.kept.v);
	return err;
}
