/*
 * Spans that begin and end within one piece, where nobody asks for them one by one: most do,
 * and the workers pair, nest and sum them up. The rest is left to who merges the pieces.
 *
 *	piece		  A[  B[ ]B  C[  ]C  ]A  D]  E[  F[ ]F	  D's start, E's stop: not here
 *	summed here	  A   B      C				   F
 *	left		  A's time			 D]  E[    F's time
 *
 * What is open on a thread stands in a list, in the order of starts. A span that ends there lies in
 * the one before it in the list, which is still open; or, if that one ends elsewhere or never, in
 * the next one before that doesn't (up). Spans come to what is around them in the order of their
 * ends, so each covers of it what is behind the ends of those before.
 *
 * If a span ends while some stay open that began in it, these may end elsewhere, and what lay in
 * them lies in it. Its cover is unsure then: it is left as a whole, and so are the times of all
 * that may lie in it, and of what is around these. A span that nothing known is around leaves its
 * time, for the self time of what may be.
 *
 *	rule one	the first start under a key throws out what is open before the piece: this
 *			is left, too
 *	rule fifo	a stop ends the oldest, which may be older than the piece: all is left
 *
 * Native spans say their ends. Such a span is left as a whole if others may follow that lie in it,
 * or if it begins with the piece, as those that begin at the same time are nested by their lengths.
 *
 * Invariant: sums are the same wherever pieces begin. Rows are in the order of time.
 */
#include "analysis/spans/local.h"

#include <string.h>

#include "analysis/spans/nesting.h"
#include "analysis/spans/pairing.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define NONE	UINT32_MAX
#define STOPS	16u		/* of one event that are looked at together */

enum fate {
	FATE_LEFT,	/* it is what it was: a start without a stop, or the reverse */
	FATE_STOP,	/* a stop whose start is here */
	FATE_NESTED,	/* a start that ended on its thread, and is summed up */
	FATE_WHOLE,	/* likewise, but left as a whole */
	FATE_APART,	/* one that ended elsewhere, or that another start threw out */
};

/* Of a mark; or of a native span. */
struct local_mark {
	uint32_t		prev;		/* older start under the key */
	uint32_t		below, above;	/* in its thread's list; below: afterwards, too */
	uint32_t		mate;		/* what ended it */
	uint32_t		up;		/* around it in the end; NONE */
	uint8_t			fate;
	bool			unsure;		/* its cover may lack something */
	bool			mixed;		/* what lies in it may lie in this or that, */
	bool			below_mixed;	/* ... and so it may itself */
	bool			leaves;		/* its time, or itself as a whole */
	bool			holds;		/* what lies in it is left, too */
	bool			keep;		/* something is left of the mark */
	bool			inside, crossed;	/* native: in one that is known; as WHOLE */
	struct nest_cover	cover;
};

/* A key, where it was first met. */
struct local_key {
	uint64_t	hash;
	uint32_t	stamp;
	uint32_t	at, len;	/* bytes of marks.keys */
	uint32_t	youngest;	/* that is open; NONE */
	bool		before;		/* others may be open that aren't known here */
};

struct local_thread {
	uint32_t	stamp, top;	/* the last of its list */
	uint32_t	mixed;		/* what is open and began before this mark is mixed */
};

struct local {
	struct spans		*s;
	struct sums		*sums;
	uint64_t		 found;
	uint64_t		 marks;		/* that it was given */
	uint32_t		*ended;		/* by their ends; then what is kept */
	size_t			 nended, ended_cap;
	uint32_t		 stamp;
	struct local_mark	*v;
	size_t			 cap;
	struct local_key	*key;
	size_t			 keys;		/* a power of two */
	struct local_thread	*thread;
	uint32_t		 nthreads;
	bool			 unsure;	/* something of the piece is */
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
	mem_free(l->ended);
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
	l->ended = mem_grow(l->ended, &l->ended_cap, n, sizeof *l->ended);
	l->nended = 0;
	l->unsure = false;
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
		h->mixed = 0;
	}
	return h;
}

/* NULL: nothing here began under the key, and nothing is to. */
static struct local_key *
key_of(struct local *l, const struct marks *m, uint32_t i, bool add)
{
	const struct span_mark	*k = &m->v[i];

	for (size_t at = k->hash & (l->keys - 1);; at = (at + 1) & (l->keys - 1)) {
		struct local_key	*key = &l->key[at];

		if (key->stamp != l->stamp) {
			if (!add)
				return NULL;
			*key = (struct local_key){ .hash = k->hash, .stamp = l->stamp,
			    .at = k->key, .len = k->len, .youngest = NONE, .before = true };
			return key;
		}
		if (key->hash == k->hash && key->len == k->len &&
		    key_same(m->keys.p + key->at, m->keys.p + k->key, k->len))
			return key;
	}
}

/* ---- what is open on a thread */

static void
list_push(struct local *l, struct local_thread *h, uint32_t i)
{
	if (h == NULL)
		return;
	if (h->top != NONE)
		l->v[h->top].above = i;
	l->v[i].below = h->top;
	h->top = i;
}

/* Does something lie in it that will be passed on if it doesn't end on its thread? */
static bool
holds_any(const struct local_mark *x)
{
	return x->unsure || x->cover.reached != INT64_MIN;
}

/* Where others stay open that began in it, what lies in them may lie in it instead: theirs is
   mixed. */
static void
list_remove(struct local *l, struct local_thread *h, uint32_t i)
{
	struct local_mark	*x = &l->v[i];

	if (h == NULL)
		return;
	if (h->top == i) {
		h->top = x->below;
	} else {
		l->v[x->above].below = x->below;
		x->unsure = l->unsure = true;
		h->mixed = x->mate;
	}
	if (x->below != NONE)
		l->v[x->below].above = x->above;
}

/* It did not end where it began: what lay in it lies in the one before it. */
static void
cover_pass(struct local *l, const struct local_mark *x, int64_t start)
{
	struct local_mark	*up = x->below != NONE ? &l->v[x->below] : NULL;

	if (up == NULL || !holds_any(x))
		return;
	if (!x->unsure && up->cover.reached <= start)
		nest_cover_join(&up->cover, &x->cover);
	else
		up->unsure = l->unsure = true;
}

/* ---- ends of spans */

static struct span_record
record_of(const struct local *l, const struct marks *m, uint32_t i, bool thrown)
{
	const struct span_mark	*k = &m->v[i], *end = &m->v[l->v[i].mate];
	struct span_record	 r = { .row = k->row, .start = k->ts, .off = k->off,
				    .thread = k->thread, .name = k->name };

	mark_flags(k, &r);
	if (thrown)
		record_throw_out(l->s, &r, end->ts);
	else
		record_stop(l->s, &r, end);
	return r;
}

static void
sum_up(struct local *l, const struct span_record *r, const struct nest_cover *cover)
{
	int64_t	dur = 0;
	bool	has = spans_dur(l->s, r, &dur);

	if ((r->flags & SPAN_CHOSEN) == 0)
		return;
	sums_put(l->sums, r, has, dur);
	if (has)
		sums_put_self(l->sums, r->name, cover != NULL ? nest_self(dur, cover) : dur);
}

/* Sum up the span from i to its mate. Where a gap may be to blame for something, by its record. */
static void
sum_pair(struct local *l, const struct marks *m, uint32_t i, const struct nest_cover *cover)
{
	const struct span_mark	*k = &m->v[i], *end = &m->v[l->v[i].mate];
	int64_t			 dur;

	if (!end->stop || (end->by_thread && losses_any(l->s->losses))) {
		const struct span_record	r = record_of(l, m, i, !end->stop);

		sum_up(l, &r, cover);
		return;
	}
	if (!k->chosen)
		return;
	dur = spans_time(l->s, k->ts, end->ts);
	sums_put_dur(l->sums, k->name, dur, false, k->thread != end->thread);
	sums_put_self(l->sums, k->name, cover != NULL ? nest_self(dur, cover) : dur);
}

/* The start's span ends at a mark, which is its stop, or the start that throws it out. */
static void
span_end(struct local *l, const struct marks *m, uint32_t i, uint32_t mate)
{
	const struct span_mark	*k = &m->v[i], *end = &m->v[mate];
	struct local_thread	*h = thread_of(l, k->thread);
	struct local_mark	*x = &l->v[i];

	x->mate = mate;
	l->ended[l->nended++] = i;
	list_remove(l, h, i);
	if (!end->stop || h == NULL || k->thread != end->thread) {
		x->fate = FATE_APART;
		x->mixed = h != NULL && i < h->mixed;
		sum_pair(l, m, i, NULL);
		cover_pass(l, x, spans_ns(l->s, k->ts));
		return;
	}
	x->fate = x->unsure ? FATE_WHOLE : FATE_NESTED;
	if (!x->unsure)
		sum_pair(l, m, i, &x->cover);
	if (x->below != NONE)
		nest_cover_add(&l->v[x->below].cover, spans_ns(l->s, k->ts),
		    spans_ns(l->s, end->ts));
}

/* ---- pairing */

/* Does the event begin more than one? How these stand to each other is told by their groups. */
static bool
begins_more(const struct marks *m, uint32_t i)
{
	const struct span_mark	*k = &m->v[i];

	return (i > 0 && !k[-1].stop && k[-1].row == k->row) ||
	    (i + 1 < m->n && !k[1].stop && k[1].row == k->row);
}

static void
mark_init(struct local_mark *x)
{
	*x = (struct local_mark){ .fate = FATE_LEFT, .keep = true, .mate = NONE, .below = NONE,
	    .above = NONE, .cover.reached = INT64_MIN };
}

/* Its start, which is no longer open under the key; NONE: it isn't here. */
static uint32_t
start_of(struct local *l, const struct marks *m, uint32_t i)
{
	struct local_key	*key;
	uint32_t		 start;

	mark_init(&l->v[i]);
	key = m->v[i].rule != SPAN_FIFO ? key_of(l, m, i, false) : NULL;
	if (key == NULL || key->youngest == NONE)
		return NONE;
	start = key->youngest;
	key->youngest = l->v[start].prev;
	l->v[i].fate = FATE_STOP;
	l->v[i].keep = false;
	return start;
}

static bool
is_same_stop(const struct marks *m, uint32_t i)
{
	return i < m->n && m->v[i].stop && m->v[i].row == m->v[i - 1].row;
}

/* What one event ends: of these the youngest first, as that lies in the others. How many stops. */
static uint32_t
take_stops(struct local *l, const struct marks *m, uint32_t i)
{
	struct {
		uint32_t	start, stop;
	}		ends[STOPS];
	uint32_t	n = 0, all = 0;

	do {
		uint32_t	start = start_of(l, m, i + all), k = n;

		if (start != NONE) {
			for (; k > 0 && ends[k - 1].start < start; k--)
				ends[k] = ends[k - 1];
			ends[k].start = start;
			ends[k].stop = i + all;
			n++;
		}
		all++;
	} while (all < STOPS && is_same_stop(m, i + all));
	for (uint32_t k = 0; k < n; k++)
		span_end(l, m, ends[k].start, ends[k].stop);
	return all;
}

static void
take_stop(struct local *l, const struct marks *m, uint32_t i)
{
	uint32_t	start = start_of(l, m, i);

	if (start != NONE)
		span_end(l, m, start, i);
}

/* The start under its key; what is open there is thrown out if that is the rule. */
static void
open_start(struct local *l, struct marks *m, uint32_t i)
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
	while (k->rule == SPAN_ONE && key->youngest != NONE) {
		uint32_t	thrown = key->youngest;

		key->youngest = l->v[thrown].prev;
		span_end(l, m, thrown, i);
	}
	l->v[i].prev = key->youngest;
	key->youngest = i;
}

static void
take_start(struct local *l, struct marks *m, uint32_t i)
{
	mark_init(&l->v[i]);
	if (m->v[i].rule != SPAN_FIFO)
		open_start(l, m, i);
	list_push(l, thread_of(l, m->v[i].thread), i);
}

static void
pair_all(struct local *l, struct marks *m)
{
	uint32_t	some = 1;

	for (uint32_t i = 0; i < m->n; i += some) {
		some = 1;
		if (!m->v[i].stop)
			take_start(l, m, i);
		else if (is_same_stop(m, i + 1))
			some = take_stops(l, m, i);
		else
			take_stop(l, m, i);
	}
}

/* ---- what is left */

/* What it lies in, once that is told of all that ended later, and whether that is known here. */
static void
find_around(struct local *l, uint32_t i)
{
	struct local_mark	*x = &l->v[i];

	x->up = x->below;
	if (x->below != NONE && l->v[x->below].fate == FATE_APART) {
		x->up = l->v[x->below].up;
		x->below_mixed = l->v[x->below].mixed || l->v[x->below].below_mixed;
	}
	x->leaves = x->fate == FATE_WHOLE || (x->fate == FATE_NESTED &&
	    (x->below_mixed || x->up == NONE || l->v[x->up].fate != FATE_NESTED));
}

/* Who merges takes what is left for what is around the rest: so what that lies in is left, too. */
static void
leave_around(struct local *l)
{
	for (size_t k = 0; k < l->nended; k++) {
		const struct local_mark	*x = &l->v[l->ended[k]];

		if (x->leaves && x->up != NONE && l->v[x->up].fate == FATE_NESTED)
			l->v[x->up].leaves = l->v[x->up].holds = true;
	}
}

/* Which of the spans that ended leave something. */
static void
find_left(struct local *l, const struct marks *m)
{
	for (size_t k = l->nended; k-- > 0; )
		find_around(l, l->ended[k]);
	if (l->unsure)
		leave_around(l);
	for (size_t k = 0; k < l->nended; k++) {
		struct local_mark	*x = &l->v[l->ended[k]];

		l->found += !x->leaves;
		x->keep = x->leaves | m->v[l->ended[k]].throws;
	}
}

/* Leave a span that is known, for what may be around it; or with what lies in it. */
static void
leave_time(struct local *l, struct marks *m, uint32_t i)
{
	struct span_record	r = record_of(l, m, i, false);

	if (l->v[i].fate == FATE_NESTED)
		r.flags &= (uint8_t)~SPAN_CHOSEN;
	m->v[i].outer = l->v[i].fate == FATE_NESTED && l->v[i].up == NONE &&
	    !l->v[i].below_mixed && !l->v[i].holds;
	m->v[i].whole = (uint32_t)m->nwhole;
	marks_whole(m, &r);
}

/* The marks of which something is left, in their order. No guess is to be missed. */
static size_t
list_kept(struct local *l, const struct marks *m)
{
	size_t	n = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		l->ended[n] = i;
		n += l->v[i].keep;
	}
	return n;
}

static void
take_pairs(struct local *l, struct marks *m)
{
	size_t	n;

	l->marks += m->n;
	local_begin(l, m->n);
	pair_all(l, m);
	find_left(l, m);
	n = list_kept(l, m);
	for (size_t k = 0; k < n; k++) {
		uint32_t	i = l->ended[k];

		if (l->v[i].fate != FATE_LEFT) {
			m->v[i].done = true;
			m->v[i].whole = NONE;
			if (l->v[i].leaves)
				leave_time(l, m, i);
		}
		if (k < i)
			m->v[k] = m->v[i];
	}
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

/* On the stack of its thread, in what is around it if that is known. */
static void
nest_native(struct local *l, const struct marks *m, uint32_t i)
{
	const struct span_record	*r = &m->whole[i];
	struct local_thread		*h = thread_of(l, r->thread);
	struct local_mark		*x = &l->v[i];

	mark_init(x);
	x->crossed = r->stop >= m->whole[m->nwhole - 1].start || r->start == m->whole[0].start;
	if (h == NULL)
		return;
	while (h->top != NONE && m->whole[h->top].stop < r->stop)
		h->top = l->v[h->top].below;
	if (h->top != NONE) {
		x->inside = !l->v[h->top].crossed;
		if (x->inside)
			nest_cover_add(&l->v[h->top].cover, spans_ns(l->s, r->start),
			    spans_ns(l->s, r->stop));
	}
	x->below = h->top;
	h->top = i;
}

/* Sum it up; true: what is around it isn't known, and its time is to be left. */
static bool
native_left(struct local *l, struct span_record *r, const struct local_mark *x)
{
	bool	nests = r->thread < l->nthreads, left = nests && !x->inside;

	if (!(left && x->crossed)) {
		sum_up(l, r, nests ? &x->cover : NULL);
		r->flags &= (uint8_t)~SPAN_CHOSEN;
	}
	l->found += !left;
	return left;
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

		if (native_left(l, r, &l->v[i]))
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
