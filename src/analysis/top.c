/*
 * The events with the greatest values.
 *
 *	piece	events -> values -> the greatest of them
 *	merge	those of the piece -> those of all
 *
 *	delta	piece	thread 7: first 10, 12, last 15		2 and 3 are the piece's own
 *		merge	last of 7 was 4				6 of its first event
 *
 * Invariant: no row that is kept is less than one that was left out.
 */
#include "tnav/analysis/top.h"

#include <string.h>

#include "tnav/analysis/table.h"
#include "tnav/base/greatest.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"

/* A thread's events in a piece. */
struct ends {
	struct top_row	first;		/* without a value */
	bool		listed;		/* the filter lets the first one through */
	int64_t		last;
};

struct top {
	struct trace		*t;
	const struct field_ref	*f;	/* NULL: delta */
	const struct filter	*only;
	int64_t			 from;
	struct greatest		 kept;
	uint64_t		 counted;
	int64_t			*last;	/* by thread: of its last event that was merged, */
	bool			*met;	/* ... if there was one */
	size_t			 nthreads, last_cap, met_cap;
};

struct top_piece {
	const struct top	*whole;
	struct field_reader	*reader;
	struct filter_eval	*eval;	/* of delta, or NULL */
	struct greatest		 kept;
	uint64_t		 counted;
	struct ends		*ends;
	size_t			 nends, cap;
	struct hashtable	 by_thread;
};

/* ---- which is better */

static bool
is_better(const void *x, const void *y)
{
	const struct top_row	*a = x, *b = y;

	if (a->value != b->value)
		return a->value > b->value;
	if (a->ts != b->ts)
		return a->ts < b->ts;
	return a->off < b->off;
}

/* ---- values of a field */

/* Of several values the greatest. */
static int
take_value(void *arg, const struct cell *c)
{
	struct top_row	*r = arg;
	long double	 value;

	if (!table_number(c, &value) || (r->cell.kind != CELL_NONE && value <= r->value))
		return 0;
	r->value = value;
	r->cell = *c;
	r->cell.word = (struct span){ NULL, 0 };
	return 0;
}

static struct top_row
row_of(const struct event *e)
{
	return (struct top_row){ .ts = e->ts, .off = e->off, .thread = e->thread,
	    .type = e->type };
}

static void
add_field(struct top_piece *p, const struct event *e, uint64_t row)
{
	struct top_row	r = row_of(e);

	(void)field_each(p->reader, p->whole->f, e, row, take_value, &r);
	if (r.cell.kind == CELL_NONE)
		return;
	p->counted++;
	greatest_keep(&p->kept, &r);
}

/* ---- the time since the previous event of the thread */

static void
set_delta(const struct top *top, struct top_row *r, int64_t before)
{
	int64_t	ns;

	if (__builtin_sub_overflow(trace_ns(top->t, r->ts), trace_ns(top->t, before), &ns))
		ns = INT64_MAX;
	r->value = (long double)ns;
	r->cell = cell_dur(ns);
}

static bool
is_listed(const struct top_piece *p, const struct event *e, uint64_t row)
{
	return e->ts >= p->whole->from && (p->eval == NULL || filter_match_row(p->eval, e, row));
}

static struct ends *
ends_of(struct top_piece *p, uint32_t thread)
{
	uint64_t	 hash = hash_u64(0, thread);
	size_t		 at = 0;
	uint32_t	*i;

	while ((i = hashtable_next(&p->by_thread, hash, &at)) != NULL)
		if (p->ends[*i].first.thread == thread)
			return &p->ends[*i];
	return NULL;
}

static void
add_first(struct top_piece *p, const struct event *e, uint64_t row)
{
	p->ends = mem_grow(p->ends, &p->cap, p->nends + 1, sizeof *p->ends);
	p->ends[p->nends] = (struct ends){ .first = row_of(e), .last = e->ts,
	    .listed = is_listed(p, e, row) };
	hashtable_add(&p->by_thread, hash_u64(0, e->thread), (uint32_t)p->nends++);
}

static void
add_delta(struct top_piece *p, const struct event *e, uint64_t row)
{
	struct ends	*of = ends_of(p, e->thread);
	struct top_row	 r = row_of(e);

	if (e->thread == EVENT_NONE)
		return;
	if (of == NULL) {
		add_first(p, e, row);
		return;
	}
	set_delta(p->whole, &r, of->last);
	of->last = e->ts;
	/* Few are: the filter is asked of these alone. */
	if (greatest_wants(&p->kept, &r) && is_listed(p, e, row))
		greatest_keep(&p->kept, &r);
}

static void
merge_ends(struct top *top, const struct ends *of)
{
	uint32_t	thread = of->first.thread;
	struct top_row	r = of->first;

	if (thread >= top->nthreads) {
		size_t	n = (size_t)thread + 1;

		top->last = mem_grow(top->last, &top->last_cap, n, sizeof *top->last);
		top->met = mem_grow(top->met, &top->met_cap, n, sizeof *top->met);
		memset(top->met + top->nthreads, 0, (n - top->nthreads) * sizeof *top->met);
		top->nthreads = n;
	}
	if (top->met[thread] && of->listed) {
		set_delta(top, &r, top->last[thread]);
		greatest_keep(&top->kept, &r);
	}
	top->met[thread] = true;
	top->last[thread] = of->last;
}

/* ---- the pass */

static void *
piece_begin(void *arg)
{
	struct top		*top = arg;
	struct top_piece	*p = mem_zalloc(1, sizeof *p);

	p->whole = top;
	greatest_init(&p->kept, sizeof(struct top_row), top->kept.most, is_better);
	if (top->f != NULL)
		p->reader = field_reader_new(top->t,
		    &(struct field_options){ .words = WORDS_BARE });
	else if (top->only != NULL)
		p->eval = filter_eval_new(top->only, top->t);
	hashtable_init(&p->by_thread);
	return p;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct top_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++) {
		const struct event	*e = &b->ev[b->at[i]];
		uint64_t		 row = b->row0;

		if (row != ROW_UNKNOWN)
			row += b->at[i];
		if (p->reader != NULL)
			add_field(p, e, row);
		else
			add_delta(p, e, row);
	}
}

static void
piece_drop(void *arg, void *state)
{
	struct top_piece	*p = state;

	(void)arg;
	field_reader_free(p->reader);
	filter_eval_free(p->eval);
	hashtable_release(&p->by_thread);
	greatest_release(&p->kept);
	mem_free(p->ends);
	mem_free(p);
}

static int
piece_merge(void *arg, void *state)
{
	struct top		*top = arg;
	struct top_piece	*p = state;

	for (size_t i = 0; i < p->kept.n; i++)
		greatest_keep(&top->kept, greatest_at(&p->kept, i));
	for (size_t i = 0; i < p->nends; i++)
		merge_ends(top, &p->ends[i]);
	top->counted += p->counted;
	piece_drop(arg, state);
	return 0;
}

const struct pass_ops	top_ops = { piece_begin, piece_add, piece_merge, piece_drop };

/* ---- the whole */

struct top *
top_new(struct trace *t, const struct field_ref *f, size_t most)
{
	struct top	*top = mem_zalloc(1, sizeof *top);

	top->t = t;
	top->f = f;
	greatest_init(&top->kept, sizeof(struct top_row), most, is_better);
	return top;
}

struct top *
top_new_delta(struct trace *t, const struct filter *only, int64_t from, size_t most)
{
	struct top	*top = top_new(t, NULL, most);

	top->only = only;
	top->from = from;
	return top;
}

void
top_free(struct top *top)
{
	if (top == NULL)
		return;
	greatest_release(&top->kept);
	mem_free(top->last);
	mem_free(top->met);
	mem_free(top);
}

size_t
top_rows(const struct top *top)
{
	return top->kept.n;
}

const struct top_row *
top_row(const struct top *top, size_t i)
{
	return greatest_at(&top->kept, i);
}

void
top_sort(struct top *top)
{
	greatest_sort(&top->kept);
}

uint64_t
top_counted(const struct top *top)
{
	return top->counted;
}
