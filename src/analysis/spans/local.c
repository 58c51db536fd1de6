/*
 * Spans that begin and end within one piece, where nobody asks for them one by one: most do,
 * and the workers pair, nest and sum them up. The rest is left to who merges the pieces.
 *
 *	piece		  A[  B[ ]B  C[  ]C  ]A  D]  E[  F[ ]F	  D's start, E's stop: not here
 *	summed here	  A   B      C				   F
 *	left		  A's time			 D]  E[    F's time
 *
 * Which span is around another may turn on one that isn't known to end yet: E may be around F, or,
 * if it never ends, what is around E. So what is around a span is known only where no start that is
 * left lies in between. A span that has such a start in it is left as a whole (crossed); one that
 * nothing known is around leaves its time, for the self time of what may be.
 *
 *	rule one	the first start under a key throws out what is open before the piece: this
 *			is left, too
 *	rule fifo	a stop ends the oldest, which may be older than the piece: all is left
 *
 * Native spans say their ends. Such a span is left as a whole if others may follow that lie in it,
 * or if it begins with the piece, as those that begin at the same time are nested by their lengths.
 *
 * Invariant: sums are the same wherever pieces begin.
 */
#include "analysis/spans/local.h"

#include <string.h>

#include "analysis/spans/nesting.h"
#include "analysis/spans/pairing.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define NONE	UINT32_MAX

enum fate {
	FATE_LEFT,	/* it is what it was */
	FATE_ENDED,	/* a start whose stop is here, or that another one throws out */
	FATE_STOPPED,	/* a stop whose start is here */
};

/* Of a mark; or of a native span. */
struct local_mark {
	uint32_t		prev;	/* older start under the key */
	uint32_t		mate;	/* what ended it */
	uint32_t		below;	/* on the stack of its thread */
	uint8_t			fate;
	bool			thrown : 1, crossed : 1, inside : 1;
	bool			nests : 1;	/* ends on the thread that it began on */
	struct nest_cover	cover;
};

/* A key, by the mark that it was first met in. */
struct local_key {
	uint32_t	stamp, mark;
	uint32_t	youngest;	/* that is open; NONE */
	bool		before;		/* others may be open that aren't known here */
};

struct local_thread {
	uint32_t	stamp, top;	/* of what may be around the next one */
	uint32_t	open_stamp, open;	/* the next start that is left */
};

struct local {
	struct spans		*s;
	struct sums		*sums;
	uint64_t		 found;
	uint64_t		 marks;		/* that it was given */
	uint32_t		 stamp;
	struct local_mark	*v;
	size_t			 cap;
	struct local_key	*key;
	size_t			 keys;		/* a power of two */
	struct local_thread	*thread;
	uint32_t		 nthreads;
	uint32_t		*order;		/* of native ones */
	size_t			 order_cap;
};

struct local *
local_new(struct spans *s, struct sums *sums)
{
	struct local	*l = mem_zalloc(1, sizeof *l);

	l->s = s;
	l->sums = sums;
	l->nthreads = trace_threads(s->t);
	l->thread = mem_zalloc((size_t)l->nthreads + 1, sizeof *l->thread);
	return l;
}

void
local_free(struct local *l)
{
	if (l == NULL)
		return;
	sums_free(l->sums);
	mem_free(l->v);
	mem_free(l->key);
	mem_free(l->thread);
	mem_free(l->order);
	mem_free(l);
}

struct sums *
local_sums(const struct local *l)
{
	return l->sums;
}

uint64_t
local_found(const struct local *l)
{
	return l->found;
}

uint64_t
local_marks(const struct local *l)
{
	return l->marks;
}

void
local_clear(struct local *l)
{
	l->marks = 0;
}

/* Room for so many, and nothing of the last ones. */
static void
local_begin(struct local *l, size_t n)
{
	size_t	keys = l->keys > 0 ? l->keys : 1024;

	l->v = mem_grow(l->v, &l->cap, n, sizeof *l->v);
	while (keys < 2 * n)
		keys *= 2;
	l->stamp++;
	if (keys == l->keys && l->stamp != 0)
		return;
	mem_free(l->key);
	l->key = mem_zalloc(keys, sizeof *l->key);
	l->keys = keys;
	memset(l->thread, 0, l->nthreads * sizeof *l->thread);
	l->stamp = 1;
}

/* NULL: it is of no thread, and so in no other span. */
static struct local_thread *
thread_of(struct local *l, uint32_t thread)
{
	struct local_thread	*h;

	if (thread >= l->nthreads)
		return NULL;
	h = &l->thread[thread];
	if (h->stamp != l->stamp) {
		h->stamp = l->stamp;
		h->top = NONE;
	}
	return h;
}

/* ---- pairing */

/* NULL: nothing here began under the key, and nothing is to. */
static struct local_key *
key_of(struct local *l, const struct marks *m, uint32_t i, bool add)
{
	const struct span_mark	*k = &m->v[i];

	for (size_t at = k->hash & (l->keys - 1);; at = (at + 1) & (l->keys - 1)) {
		struct local_key	*key = &l->key[at];
		const struct span_mark	*first = &m->v[key->mark];

		if (key->stamp != l->stamp) {
			if (!add)
				return NULL;
			*key = (struct local_key){ .stamp = l->stamp, .mark = i,
			    .youngest = NONE, .before = true };
			return key;
		}
		if (first->hash == k->hash && first->len == k->len &&
		    memcmp(m->keys.p + first->key, m->keys.p + k->key, k->len) == 0)
			return key;
	}
}

/* Does the event begin more than one? How these stand to each other is told by their groups. */
static bool
begins_more(const struct marks *m, uint32_t i)
{
	const struct span_mark	*k = &m->v[i];

	return (i > 0 && !k[-1].stop && k[-1].row == k->row) ||
	    (i + 1 < m->n && !k[1].stop && k[1].row == k->row);
}

static void
pair_stop(struct local *l, const struct marks *m, uint32_t i)
{
	struct local_key	*key = key_of(l, m, i, false);
	uint32_t		 start = key != NULL ? key->youngest : NONE;

	if (start == NONE)
		return;
	key->youngest = l->v[start].prev;
	l->v[start].mate = i;
	l->v[start].fate = FATE_ENDED;
	l->v[i].fate = FATE_STOPPED;
}

static void
pair_start(struct local *l, struct marks *m, uint32_t i)
{
	struct span_mark	*k = &m->v[i];
	bool			 leave = begins_more(m, i);
	struct local_key	*key = key_of(l, m, i, !leave);

	if (key == NULL)
		return;
	if (leave) {
		key->youngest = NONE;
		key->before = true;
		return;
	}
	k->throws = k->rule == SPAN_ONE && key->before;
	key->before = false;
	for (; k->rule == SPAN_ONE && key->youngest != NONE;
	    key->youngest = l->v[key->youngest].prev) {
		l->v[key->youngest].fate = FATE_ENDED;
		l->v[key->youngest].thrown = true;
		l->v[key->youngest].mate = i;
	}
	l->v[i].prev = key->youngest;
	key->youngest = i;
}

static void
pair_all(struct local *l, struct marks *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		l->v[i] = (struct local_mark){ .fate = FATE_LEFT, .mate = NONE,
		    .cover.reached = INT64_MIN };
		if (m->v[i].rule == SPAN_FIFO)
			continue;
		if (m->v[i].stop)
			pair_stop(l, m, i);
		else
			pair_start(l, m, i);
	}
}

/* ---- nesting */

static bool
can_nest(const struct local *l, const struct marks *m, uint32_t i)
{
	const struct local_mark	*x = &l->v[i];

	return x->fate == FATE_ENDED && !x->thrown &&
	    m->v[i].thread == m->v[x->mate].thread && m->v[i].thread < l->nthreads;
}

/* Which of them may lie in others, and which of these have a start in them that is left. */
static void
find_crossed(struct local *l, const struct marks *m)
{
	for (uint32_t i = (uint32_t)m->n; i-- > 0; ) {
		struct local_thread	*h = thread_of(l, m->v[i].thread);

		if (m->v[i].stop || h == NULL)
			continue;
		if (l->v[i].fate == FATE_LEFT) {
			h->open_stamp = l->stamp;
			h->open = i;
		} else {
			l->v[i].nests = can_nest(l, m, i);
			l->v[i].crossed = l->v[i].nests &&
			    h->open_stamp == l->stamp && h->open < l->v[i].mate;
		}
	}
}

/* Put it on the stack of its thread, in what is around it if that is known. */
static void
nest(struct local *l, struct local_thread *h, uint32_t i, int64_t start, int64_t stop)
{
	struct local_mark	*x = &l->v[i];

	if (h->top != NONE) {
		struct local_mark	*up = &l->v[h->top];

		x->inside = up->fate == FATE_ENDED && !up->crossed;
		if (x->inside)
			nest_cover_add(&up->cover, trace_ns(l->s->t, start),
			    trace_ns(l->s->t, stop));
	}
	x->below = h->top;
	h->top = i;
}

static void
nest_all(struct local *l, const struct marks *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct span_mark	*k = &m->v[i];
		struct local_thread	*h = thread_of(l, k->thread);

		if (k->stop || h == NULL)
			continue;
		if (l->v[i].fate == FATE_LEFT) {
			l->v[i].below = h->top;
			h->top = i;
		} else if (l->v[i].nests) {
			const struct span_mark	*end = &m->v[l->v[i].mate];

			while (h->top != NONE && l->v[h->top].fate == FATE_ENDED &&
			    m->v[l->v[h->top].mate].row < end->row)
				h->top = l->v[h->top].below;
			nest(l, h, i, k->ts, end->ts);
		}
	}
}

/* ---- sums */

/* Sum it up; false: what is around it isn't known, and its time is to be left. */
static bool
sum_up(struct local *l, struct span_record *r, const struct local_mark *x, bool nests)
{
	int64_t	dur = 0;
	bool	has = spans_dur(l->s, r, &dur), left = nests && !x->inside;

	if ((r->flags & SPAN_CHOSEN) != 0 && !(left && x->crossed)) {
		sums_put(l->sums, r, has, dur);
		if (has)
			sums_put_self(l->sums, r->name, nests ? nest_self(dur, &x->cover) : dur);
		r->flags &= (uint8_t)~SPAN_CHOSEN;
	}
	l->found += !left;
	return !left;
}

static struct span_record
record_of(const struct local *l, const struct marks *m, uint32_t i)
{
	const struct span_mark	*k = &m->v[i], *end = &m->v[l->v[i].mate];
	struct span_record	 r = { .row = k->row, .start = k->ts, .off = k->off,
				    .thread = k->thread, .name = k->name };

	mark_flags(k, &r);
	if (l->v[i].thrown)
		record_throw_out(l->s, &r, end->ts);
	else
		record_stop(l->s, &r, end);
	return r;
}

/* What is left of a mark; false: nothing. */
static bool
mark_left(struct local *l, struct marks *m, uint32_t i)
{
	struct span_mark	*k = &m->v[i];
	struct span_record	 r;

	if (l->v[i].fate == FATE_LEFT)
		return true;
	if (l->v[i].fate == FATE_STOPPED)
		return false;
	r = record_of(l, m, i);
	k->done = true;
	if (!sum_up(l, &r, &l->v[i], l->v[i].nests)) {
		k->whole = (uint32_t)m->nwhole;
		marks_whole(m, &r);
	}
	return k->throws || k->whole != NONE;
}

static void
take_pairs(struct local *l, struct marks *m)
{
	size_t	n = 0;

	l->marks += m->n;
	local_begin(l, m->n);
	pair_all(l, m);
	find_crossed(l, m);
	nest_all(l, m);
	for (uint32_t i = 0; i < m->n; i++)
		l->v[i].inside = mark_left(l, m, i);
	for (uint32_t i = 0; i < m->n; i++)
		if (l->v[i].inside)
			m->v[n++] = m->v[i];
	m->n = n;
}

/* ---- native spans */

struct order_by {
	const struct span_record	*r;
	uint32_t			 i;
};

/* Of those that begin together the longer one first. */
static int
by_end(const void *a, const void *b)
{
	const struct order_by	*x = a, *y = b;

	if (x->r->stop != y->r->stop)
		return x->r->stop > y->r->stop ? -1 : 1;
	return x->i < y->i ? -1 : x->i > y->i;
}

static void
put_run(struct local *l, const struct marks *m, uint32_t from, uint32_t to)
{
	struct order_by	*v;

	l->order[from] = from;
	if (to - from == 1)
		return;
	v = mem_alloc((to - from) * sizeof *v);
	for (uint32_t i = from; i < to; i++)
		v[i - from] = (struct order_by){ &m->whole[i], i };
	sort_array(v, to - from, sizeof *v, by_end);
	for (uint32_t i = from; i < to; i++)
		l->order[i] = v[i - from].i;
	mem_free(v);
}

static void
put_in_order(struct local *l, const struct marks *m)
{
	uint32_t	to;

	l->order = mem_grow(l->order, &l->order_cap, m->nwhole, sizeof *l->order);
	for (uint32_t i = 0; i < m->nwhole; i = to) {
		to = i + 1;
		while (to < m->nwhole && m->whole[to].start == m->whole[i].start)
			to++;
		put_run(l, m, i, to);
	}
}

static void
nest_native(struct local *l, const struct marks *m, uint32_t i)
{
	const struct span_record	*r = &m->whole[i];
	struct local_thread		*h = thread_of(l, r->thread);

	l->v[i] = (struct local_mark){ .fate = FATE_ENDED, .cover.reached = INT64_MIN,
	    .crossed = r->stop >= m->whole[m->nwhole - 1].start ||
	    r->start == m->whole[0].start };
	if (h == NULL)
		return;
	while (h->top != NONE && m->whole[h->top].stop < r->stop)
		h->top = l->v[h->top].below;
	nest(l, h, i, r->start, r->stop);
}

static void
take_native(struct local *l, struct marks *m)
{
	size_t	n = 0;

	local_begin(l, m->nwhole);
	put_in_order(l, m);
	for (uint32_t i = 0; i < m->nwhole; i++)
		nest_native(l, m, l->order[i]);
	for (uint32_t i = 0; i < m->nwhole; i++) {
		struct span_record	*r = &m->whole[i];

		if (!sum_up(l, r, &l->v[i], r->thread < l->nthreads))
			m->whole[n++] = *r;
	}
	m->nwhole = n;
}

void
local_take(struct local *l, struct marks *m)
{
	if (l->s->native && m->nwhole > 0)
		take_native(l, m);
	else if (m->n > 0)
		take_pairs(l, m);
}
