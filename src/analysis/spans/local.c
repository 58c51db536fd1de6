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
 * them lies in it. Its cover is unsure then, and what lies in what is found once more at the end of
 * the piece, when the ends are known (nest_again). If one of those is still open then, the span is
 * left as a whole, and so are the times of all that may lie in it. A span that nothing known is
 * around leaves its time, for the self time of what may be.
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
#include "analysis/spans/states.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define NONE	UINT32_MAX
#define STOPS	16u		/* of one event that are looked at together */
#define KEYS_LEAST	1024u

/* What is done for each event is one function: calls take longer than most of it. */
#define HOT		inline __attribute__((always_inline))
#define COLD		__attribute__((noinline))

enum fate {
	FATE_LEFT,	/* a start without a stop */
	FATE_NESTED,	/* a start that ended on its thread, and is summed up */
	FATE_WHOLE,	/* likewise, but left as a whole */
	FATE_APART,	/* one that ended elsewhere, or that another start threw out */
};

/* Of a start; or of a native span. */
struct local_mark {
	uint32_t		prev;		/* older start under the key */
	uint32_t		below, above;	/* in its thread's list; below: afterwards, too */
	uint32_t		mate;		/* what ended it */
	uint32_t		up;		/* around it in the end; NONE */
	uint8_t			fate;
	bool			unsure;		/* its cover may lack something */
	bool			leaves;		/* its time, or itself as a whole */
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
};

struct local {
	struct spans		*s;
	struct sums		*sums;
	uint64_t		 found;
	bool			 lossy;		/* the trace has gaps */
	struct marks		 m;		/* of the piece */
	uint32_t		*ended;		/* starts in the order of their ends */
	size_t			 nended, ended_cap;
	uint32_t		 stamp;
	struct local_mark	*v;		/* by mark */
	uint8_t			*left;		/* likewise: something is left of it */
	size_t			 cap, left_cap, room;	/* room: marks that there is room for */
	struct local_key	*key;
	size_t			 keys, nkeys;	/* keys: a power of two */
	struct local_thread	*thread;
	uint32_t		 nthreads;
	bool			 unsure;	/* something of the piece is */
	bool			 apart;		/* something of the piece ended elsewhere */
	uint32_t		*order;		/* of native ones */
	size_t			 order_cap;
};

struct local *
local_new(struct spans *s, struct sums *sums)
{
	struct local	*l = mem_zalloc(1, sizeof *l);

	l->s = s;
	l->sums = sums;
	l->lossy = losses_any(s->losses);
	l->nthreads = trace_threads(s->t);
	l->thread = mem_zalloc((size_t)l->nthreads + 1, sizeof *l->thread);
	l->stamp = 1;
	l->keys = KEYS_LEAST;
	l->key = mem_zalloc(l->keys, sizeof *l->key);
	span_marks_init(&l->m);
	return l;
}

void
local_free(struct local *l)
{
	if (l == NULL)
		return;
	sums_free(l->sums);
	span_marks_release(&l->m);
	mem_free(l->v);
	mem_free(l->left);
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

const struct marks *
local_marks(const struct local *l)
{
	return &l->m;
}

/* Forget all keys, and what is open on threads. */
static void
forget(struct local *l)
{
	l->nkeys = 0;
	l->stamp++;
	if (l->stamp != 0)
		return;
	memset(l->key, 0, l->keys * sizeof *l->key);
	memset(l->thread, 0, l->nthreads * sizeof *l->thread);
	l->stamp = 1;
}

/* Nothing of the last piece. */
static void
clear(struct local *l)
{
	span_marks_clear(&l->m);
	l->nended = 0;
	l->unsure = l->apart = false;
	forget(l);
}

/* For so many marks. */
static void
make_room(struct local *l, size_t n)
{
	l->v = mem_grow(l->v, &l->cap, n, sizeof *l->v);
	l->left = mem_grow(l->left, &l->left_cap, n, sizeof *l->left);
	l->ended = mem_grow(l->ended, &l->ended_cap, n, sizeof *l->ended);
	l->room = n;
}

/* NULL: it is of no thread, and so in no other span. */
static HOT struct local_thread *
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

/* Where the key is, or is to be put: then its stamp is another. */
static HOT struct local_key *
key_slot(const struct local *l, const struct span_mark *k)
{
	for (size_t at = k->hash & (l->keys - 1);; at = (at + 1) & (l->keys - 1)) {
		struct local_key	*key = &l->key[at];

		if (key->stamp != l->stamp || (key->hash == k->hash && key->len == k->len &&
		    key_same(l->m.keys.p + key->at, l->m.keys.p + k->key, k->len)))
			return key;
	}
}

static COLD void
keys_double(struct local *l)
{
	size_t			 n = l->keys;
	struct local_key	*old = l->key;

	l->keys *= 2;
	l->key = mem_zalloc(l->keys, sizeof *l->key);
	for (size_t i = 0; i < n; i++) {
		size_t	at = old[i].hash & (l->keys - 1);

		if (old[i].stamp != l->stamp)
			continue;
		while (l->key[at].stamp == l->stamp)
			at = (at + 1) & (l->keys - 1);
		l->key[at] = old[i];
	}
	mem_free(old);
}

/* NULL: nothing here began under the key. */
static HOT struct local_key *
key_find(const struct local *l, const struct span_mark *k)
{
	struct local_key	*key = key_slot(l, k);

	return key->stamp == l->stamp ? key : NULL;
}

static HOT struct local_key *
key_add(struct local *l, const struct span_mark *k)
{
	struct local_key	*key = key_slot(l, k);

	if (key->stamp == l->stamp)
		return key;
	if (2 * l->nkeys >= l->keys) {
		keys_double(l);
		key = key_slot(l, k);
	}
	l->nkeys++;
	*key = (struct local_key){ .hash = k->hash, .stamp = l->stamp, .at = k->key,
	    .len = k->len, .youngest = NONE, .before = true };
	return key;
}

/* ---- what is open on a thread */

static HOT void
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

/* Where others stay open that began in it, what lies in them may lie in it instead. */
static HOT void
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

/* Where it is to be: to copy what was just written in parts is slow. */
static void
record_make(const struct local *l, uint32_t i, bool thrown, struct span_record *r)
{
	const struct span_mark	*k = &l->m.v[i], *end = &l->m.v[l->v[i].mate];

	*r = (struct span_record){ .row = k->row, .start = k->ts, .off = k->off,
	    .thread = k->thread, .name = k->name };
	mark_flags(k, r);
	if (thrown)
		record_throw_out(l->s, r, end->ts);
	else
		record_stop(l->s, r, end);
}

static COLD void
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

static COLD void
sum_record(struct local *l, uint32_t i, const struct nest_cover *cover)
{
	struct span_record	r;

	record_make(l, i, !l->m.v[l->v[i].mate].stop, &r);
	sum_up(l, &r, cover);
}

/* Sum up the span from i to its mate. Where a gap may be to blame for something, by its record. */
static HOT void
sum_pair(struct local *l, uint32_t i, const struct nest_cover *cover)
{
	const struct span_mark	*k = &l->m.v[i], *end = &l->m.v[l->v[i].mate];
	int64_t			 dur;

	if (!end->stop || (end->by_thread && l->lossy)) {
		sum_record(l, i, cover);
		return;
	}
	if (!k->chosen)
		return;
	dur = spans_time(l->s, k->ts, end->ts);
	sums_put_both(l->sums, k->name, dur, cover != NULL ? nest_self(dur, cover) : dur,
	    k->thread != end->thread);
}

/* It ended on another thread, or was thrown out. */
static COLD void
end_apart(struct local *l, uint32_t i)
{
	struct local_mark	*x = &l->v[i];

	x->fate = FATE_APART;
	l->apart = true;
	sum_pair(l, i, NULL);
	cover_pass(l, x, spans_ns(l->s, l->m.v[i].ts));
}

/* The start's span ends at a mark, which is its stop, or the start that throws it out. */
static HOT void
span_end(struct local *l, uint32_t i, uint32_t mate)
{
	const struct span_mark	*k = &l->m.v[i], *end = &l->m.v[mate];
	struct local_thread	*h = thread_of(l, k->thread);
	struct local_mark	*x = &l->v[i];

	x->mate = mate;
	l->ended[l->nended++] = i;
	list_remove(l, h, i);
	if (!end->stop || h == NULL || k->thread != end->thread) {
		end_apart(l, i);
		return;
	}
	x->fate = x->unsure ? FATE_WHOLE : FATE_NESTED;
	if (!x->unsure)
		sum_pair(l, i, &x->cover);
	if (x->below != NONE)
		nest_cover_add(&l->v[x->below].cover, spans_ns(l->s, k->ts),
		    spans_ns(l->s, end->ts));
}

/* ---- pairing */

static HOT void
mark_init(struct local_mark *x)
{
	*x = (struct local_mark){ .fate = FATE_LEFT, .mate = NONE, .below = NONE, .above = NONE,
	    .cover.reached = INT64_MIN };
}

/* Its start, which is no longer open under the key; NONE: it isn't here. */
static HOT uint32_t
start_of(struct local *l, uint32_t i)
{
	struct local_key	*key;
	uint32_t		 start;

	l->left[i] = true;
	key = l->m.v[i].rule != SPAN_FIFO ? key_find(l, &l->m.v[i]) : NULL;
	if (key == NULL || key->youngest == NONE)
		return NONE;
	start = key->youngest;
	key->youngest = l->v[start].prev;
	l->left[i] = false;
	return start;
}

/* What one event ends: of these the youngest first, as that lies in the others. How many stops. */
static uint32_t
take_stops(struct local *l, uint32_t i)
{
	struct {
		uint32_t	start, stop;
	}		ends[STOPS];
	uint32_t	n = 0, all = 0;

	do {
		uint32_t	start = start_of(l, i + all), k = n;

		if (start != NONE) {
			for (; k > 0 && ends[k - 1].start < start; k--)
				ends[k] = ends[k - 1];
			ends[k].start = start;
			ends[k].stop = i + all;
			n++;
		}
		all++;
	} while (all < STOPS && i + all < l->m.n && l->m.v[i + all].stop);
	for (uint32_t k = 0; k < n; k++)
		span_end(l, ends[k].start, ends[k].stop);
	return all;
}

static HOT void
take_stop(struct local *l, uint32_t i)
{
	uint32_t	start = start_of(l, i);

	if (start != NONE)
		span_end(l, start, i);
}

/* The start under its key; what is open there is thrown out if that is the rule. */
static HOT void
open_start(struct local *l, uint32_t i)
{
	struct span_mark	*k = &l->m.v[i];
	struct local_key	*key = key_add(l, k);

	k->throws = k->rule == SPAN_ONE && key->before;
	key->before = false;
	while (k->rule == SPAN_ONE && key->youngest != NONE) {
		uint32_t	thrown = key->youngest;

		key->youngest = l->v[thrown].prev;
		span_end(l, thrown, i);
	}
	l->v[i].prev = key->youngest;
	key->youngest = i;
}

/* One of several that an event begins: how these stand to each other is told by their groups. */
static COLD void
leave_start(const struct local *l, uint32_t i)
{
	struct local_key	*key = key_find(l, &l->m.v[i]);

	if (key == NULL)
		return;
	key->youngest = NONE;
	key->before = true;
}

static HOT void
take_start(struct local *l, uint32_t i, bool alone)
{
	mark_init(&l->v[i]);
	l->left[i] = true;
	if (l->m.v[i].rule != SPAN_FIFO && alone)
		open_start(l, i);
	else if (l->m.v[i].rule != SPAN_FIFO)
		leave_start(l, i);
	list_push(l, thread_of(l, l->m.v[i].thread), i);
}

/* Several marks of one event, from this on. */
static COLD void
take_several(struct local *l, uint32_t i)
{
	bool	alone;

	while (i < l->m.n && l->m.v[i].stop)
		i += take_stops(l, i);
	alone = i + 1 == l->m.n;
	for (; i < l->m.n; i++)
		take_start(l, i, alone);
}

/* The marks of one event, from this on. */
static HOT void
take_event(struct local *l, uint32_t from)
{
	if (l->m.n > l->room)
		make_room(l, l->m.cap);
	if (l->m.n - from > 1)
		take_several(l, from);
	else if (l->m.v[from].stop)
		take_stop(l, from);
	else
		take_start(l, from, true);
}

/* The ids of activities lie elsewhere in the file. Where one event has none, others rarely do. */
static COLD void
activity_ahead(const struct local *l, const struct pass_batch *b, uint32_t i)
{
	if (i < b->n && may_have_activity(&b->ev[b->at[i]]))
		trace_activity_ahead(l->s->t, &b->ev[b->at[i]]);
}

void
local_add(struct local *l, struct marker *k, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t		 from = (uint32_t)l->m.n;
		const struct event	*e = batch_event(b, i);

		if (may_have_activity(e))
			activity_ahead(l, b, i + EVENTS_AHEAD / 2);
		marker_add(k, &l->m, e, pass_row(b, i));
		if (l->m.n > from)
			take_event(l, from);
	}
}

/* ---- what is left */

static void
leave(struct local *l, uint32_t i)
{
	l->found += !l->v[i].leaves;
	l->left[i] = l->v[i].leaves | l->m.v[i].throws;
}

/* Where all spans that ended did so on their threads, after all that began in them. */
static void
find_plain(struct local *l)
{
	for (size_t k = 0; k < l->nended; k++) {
		uint32_t		 i = l->ended[k];
		struct local_mark	*x = &l->v[i];

		x->up = x->below;
		x->leaves = x->up == NONE || l->v[x->up].fate != FATE_NESTED;
		leave(l, i);
	}
}

/* Where some ended elsewhere: what lay in these lies in what they lay in, which ended later. */
static void
find_apart(struct local *l)
{
	for (size_t k = l->nended; k-- > 0; ) {
		struct local_mark	*x = &l->v[l->ended[k]];

		x->up = x->below;
		if (x->below != NONE && l->v[x->below].fate == FATE_APART)
			x->up = l->v[x->below].up;
		x->leaves = x->fate == FATE_NESTED &&
		    (x->up == NONE || l->v[x->up].fate != FATE_NESTED);
		leave(l, l->ended[k]);
	}
}

static uint64_t
end_row(const struct local *l, uint32_t i)
{
	return l->m.v[l->v[i].mate].row;
}

/* A start that stays open: what follows it in what is around it may lie in either. */
static void
nest_open(struct local *l, struct local_thread *h, uint32_t i)
{
	while (h->top != NONE && end_row(l, h->top) <= l->m.v[i].row)
		h->top = l->v[h->top].below;
	for (uint32_t k = h->top; k != NONE && !l->v[k].unsure; k = l->v[k].below)
		l->v[k].unsure = true;
}

/* A span that ended on its thread. As in nesting.c, ends in the list of the thread never grow. */
static void
nest_ended(struct local *l, struct local_thread *h, uint32_t i)
{
	struct local_mark	*x = &l->v[i];
	uint64_t		 end = end_row(l, i);

	while (h->top != NONE && end_row(l, h->top) < end)
		h->top = l->v[h->top].below;
	x->unsure = false;
	x->cover = (struct nest_cover){ .reached = INT64_MIN };
	x->up = x->below = h->top;
	h->top = i;
	if (x->up != NONE)
		nest_cover_add(&l->v[x->up].cover, spans_ns(l->s, l->m.v[i].ts),
		    spans_ns(l->s, l->m.v[x->mate].ts));
}

static void
nest_again(struct local *l)
{
	forget(l);
	for (uint32_t i = 0; i < l->m.n; i++) {
		const struct span_mark	*k = &l->m.v[i];
		struct local_thread	*h = k->stop ? NULL : thread_of(l, k->thread);

		if (h != NULL && l->v[i].fate == FATE_LEFT)
			nest_open(l, h, i);
		else if (h != NULL && l->v[i].fate != FATE_APART)
			nest_ended(l, h, i);
	}
}

/* Where some ended before what began in them. */
static void
find_again(struct local *l)
{
	nest_again(l);
	for (size_t k = 0; k < l->nended; k++) {
		struct local_mark	*x = &l->v[l->ended[k]];

		if (x->fate != FATE_WHOLE || x->unsure)
			continue;
		x->fate = FATE_NESTED;
		sum_pair(l, l->ended[k], &x->cover);
	}
	for (size_t k = 0; k < l->nended; k++) {
		struct local_mark	*x = &l->v[l->ended[k]];

		x->leaves = x->fate == FATE_WHOLE || (x->fate == FATE_NESTED &&
		    (x->up == NONE || l->v[x->up].fate == FATE_WHOLE));
		leave(l, l->ended[k]);
	}
}

/* Which of the spans that ended leave something. */
static void
find_left(struct local *l)
{
	if (l->unsure)
		find_again(l);
	else if (l->apart)
		find_apart(l);
	else
		find_plain(l);
}

/* A span that is known, for what may be around it; or with what lies in it. */
static void
put_time(const struct local *l, struct marks *to, uint32_t i)
{
	struct span_record	*r = span_marks_whole(to);

	record_make(l, i, false, r);
	if (l->v[i].fate == FATE_NESTED)
		r->flags &= (uint8_t)~SPAN_CHOSEN;
}

/* What a span may lie in that leaves its time. */
static enum span_around
around_of(const struct local *l, const struct local_mark *x)
{
	if (x->fate != FATE_NESTED)
		return AROUND_KNOWN;
	if (x->up == NONE)
		return AROUND_BEFORE;
	return l->v[x->up].fate == FATE_LEFT ? AROUND_OPEN : AROUND_KNOWN;
}

static void
put_left(const struct local *l, struct marks *to, uint32_t i)
{
	const struct local_mark	*x = &l->v[i];
	bool			 done = !l->m.v[i].stop && x->fate != FATE_LEFT;
	struct span_mark	*k = span_marks_copy(to, &l->m, &l->m.v[i],
				    !done || l->m.v[i].throws);

	if (!done)
		return;
	k->done = true;
	k->whole = NONE;
	if (!x->leaves)
		return;
	k->around = (uint8_t)around_of(l, x);
	k->whole = (uint32_t)to->nwhole;
	put_time(l, to, i);
}

static void
pairs_end(struct local *l, struct marks *to)
{
	uint64_t	some;

	find_left(l);
	for (uint32_t i = 0; i < l->m.n; i++) {
		while (i + sizeof some <= l->m.n) {
			memcpy(&some, l->left + i, sizeof some);
			if (some != 0)
				break;
			i += (uint32_t)sizeof some;
		}
		if (i < l->m.n && l->left[i])
			put_left(l, to, i);
	}
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
put_run(struct local *l, uint32_t from, uint32_t to)
{
	struct order_by	*v;

	l->order[from] = from;
	if (to - from == 1)
		return;
	v = mem_alloc((to - from) * sizeof *v);
	for (uint32_t i = from; i < to; i++)
		v[i - from] = (struct order_by){ &l->m.whole[i], i };
	sort_array(v, to - from, sizeof *v, by_end);
	for (uint32_t i = from; i < to; i++)
		l->order[i] = v[i - from].i;
	mem_free(v);
}

static void
put_in_order(struct local *l)
{
	uint32_t	to;

	l->order = mem_grow(l->order, &l->order_cap, l->m.nwhole, sizeof *l->order);
	for (uint32_t i = 0; i < l->m.nwhole; i = to) {
		to = i + 1;
		while (to < l->m.nwhole && l->m.whole[to].start == l->m.whole[i].start)
			to++;
		put_run(l, i, to);
	}
}

/* On the stack of its thread, in what is around it if that is known. */
static void
nest_native(struct local *l, uint32_t i)
{
	const struct span_record	*r = &l->m.whole[i];
	struct local_thread		*h = thread_of(l, r->thread);
	struct local_mark		*x = &l->v[i];

	mark_init(x);
	x->crossed = r->stop >= l->m.whole[l->m.nwhole - 1].start ||
	    r->start == l->m.whole[0].start;
	if (h == NULL)
		return;
	while (h->top != NONE && l->m.whole[h->top].stop < r->stop)
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
natives_end(struct local *l, struct marks *to)
{
	make_room(l, l->m.nwhole);
	put_in_order(l);
	for (uint32_t i = 0; i < l->m.nwhole; i++)
		nest_native(l, l->order[i]);
	for (uint32_t i = 0; i < l->m.nwhole; i++)
		if (native_left(l, &l->m.whole[i], &l->v[i]))
			*span_marks_whole(to) = l->m.whole[i];
}

void
local_end(struct local *l, struct marks *to)
{
	if (l->m.nwhole > 0)
		natives_end(l, to);
	pairs_end(l, to);
	clear(l);
}
