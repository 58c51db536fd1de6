/*
 * Which spans and names a table lists.
 *
 *	each	all that are chosen, in the order of time;
 *		or the longest, of a window, a name, a bucket
 *	names	those that have any, the greatest total first
 */
#include "analysis/spans/span_rows.h"

#include <string.h>

#include "tnav/base/greatest.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

static void
list_chosen(struct span_rows *x, const struct spans *s)
{
	uint64_t	n = spans_count(s);
	size_t		cap;

	x->nspans = (size_t)n;
	if (s->opt.pass.filter == NULL && !pass_is_bounded(&s->opt.pass))
		return;
	x->nspans = 0;
	x->span = mem_zalloc(1, sizeof *x->span);
	cap = 1;
	for (uint64_t i = 0; i < n; i++) {
		if ((spans_at(s, i)->flags & SPAN_CHOSEN) == 0)
			continue;
		ARRAY_ADD(x->span, x->nspans, cap, i);
	}
}

/* ---- the longest */

struct longest {
	int64_t		dur;
	uint64_t	span;
};

static bool
is_longer(const void *a, const void *b)
{
	const struct longest	*x = a, *y = b;

	return x->dur != y->dur ? x->dur > y->dur : x->span < y->span;
}

/*
 * Collections stop the program for reasons 1 and 6; the sampler does it for reason 0, a thousand
 * times a second, and its suspensions have the same name.
 */
struct pause_filter {
	struct filter		*filter;
	struct filter_eval	*eval;
	struct trace		*t;
};

static void
pauses_init(struct pause_filter *p, struct trace *t)
{
	p->filter = filter_own("payload.Reason in (1, 6)");
	p->t = t;
	p->eval = filter_eval_new(p->filter, t);
}

static void
pauses_release(struct pause_filter *p)
{
	filter_eval_free(p->eval);
	filter_free(p->filter);
}

static bool
is_pause(const struct pause_filter *p, const struct spans *s, const struct span_record *r)
{
	struct event	e;

	return strcmp(spans_name(s, r->name)->group, "GC suspension") == 0 &&
	    r->row != SPAN_NO_ROW && trace_event(p->t, r->row, &e) == 1 &&
	    filter_match_row(p->eval, &e, r->row);
}

static bool
is_asked_for(const struct spans_table_of *of, const struct span_record *r, int64_t dur)
{
	if (!of->narrow)
		return true;
	if (r->name != of->name)
		return false;
	return of->bucket == SPAN_BUCKETS || (dur >= 0 && span_bucket(dur) == of->bucket);
}

/* The longest so far. */
struct listing {
	const struct spans		*s;
	const struct spans_table_of	*of;
	struct pause_filter		 pauses;
	struct greatest			 kept;
	uint64_t			 all;
};

static void
list_span(void *arg, uint64_t span, const struct span_record *r)
{
	struct listing	*x = arg;
	struct longest	 l = { .dur = -1, .span = span };

	(void)spans_dur(x->s, r, &l.dur);
	if (!is_asked_for(x->of, r, l.dur) || (x->of->pauses && !is_pause(&x->pauses, x->s, r)))
		return;
	greatest_keep(&x->kept, &l);
	x->all++;
}

void
span_rows_longest(struct span_rows *x, const struct span_range *w, const struct spans_table_of *of)
{
	struct listing	listing = { .s = w->s, .of = of };

	*x = (struct span_rows){ .nspans = 0 };
	if (of->pauses)
		pauses_init(&listing.pauses, w->s->t);
	greatest_init(&listing.kept, sizeof(struct longest), of->longest, is_longer);
	span_range_each(w, list_span, &listing);
	greatest_sort(&listing.kept);
	x->nspans = listing.kept.n;
	x->span = mem_zalloc(x->nspans + 1, sizeof *x->span);
	for (size_t i = 0; i < x->nspans; i++)
		x->span[i] = ((const struct longest *)greatest_at(&listing.kept, i))->span;
	x->all = listing.all;
	greatest_release(&listing.kept);
	if (of->pauses)
		pauses_release(&listing.pauses);
}

/* Names come in the order in which threads met them: that is not to be seen. */
static int
by_words(const struct span_name *a, const struct span_name *b)
{
	int	d = strcmp(a->group, b->group);

	if (d == 0)
		d = strcmp(a->provider, b->provider);
	if (d == 0)
		d = strcmp(a->name, b->name);
	if (d == 0 && a->by.p != NULL && b->by.p != NULL)
		d = memcmp(a->by.p, b->by.p, a->by.len < b->by.len ? a->by.len : b->by.len);
	if (d != 0)
		return d;
	return a->by.len < b->by.len ? -1 : a->by.len > b->by.len;
}

struct ranked_name {
	int64_t			 total;
	uint64_t		 count;
	const struct span_name	*words;
	uint32_t		 name;
};

SORT_ORDER(by_total, struct ranked_name, FALLING(total) FALLING(count) COMPARED(by_words, words))

static void
list_names(struct span_rows *x, const struct spans *s, const struct sums *sums)
{
	uint32_t		 n = spans_names(s);
	struct ranked_name	*v = mem_zalloc((size_t)n + 1, sizeof *v);

	x->name = mem_zalloc((size_t)n + 1, sizeof *x->name);
	for (uint32_t i = 0; i < n; i++) {
		const struct span_sum	*m = sums_at(sums, i);

		if (sum_all(m) > 0)
			v[x->nnames++] = (struct ranked_name){ .total = m->total,
			    .count = sum_all(m), .name = i, .words = spans_name(s, i) };
	}
	sort_array(v, x->nnames, sizeof *v, by_total);
	for (size_t i = 0; i < x->nnames; i++)
		x->name[i] = v[i].name;
	mem_free(v);
}

void
span_rows_copy(struct span_rows *x, const struct span_rows *of)
{
	x->nspans = of->nspans;
	x->all = of->all;
	x->span = mem_alloc((x->nspans + 1) * sizeof *x->span);
	memcpy(x->span, of->span, x->nspans * sizeof *x->span);
}

void
span_rows_list(struct span_rows *x, const struct spans *s, const struct sums *sums,
    const struct spans_table_of *of)
{
	struct span_range	w = span_range_of(s, of);

	*x = (struct span_rows){ .nspans = 0 };
	if (of->list && of->longest > 0)
		span_rows_longest(x, &w, of);
	else if (of->list)
		list_chosen(x, s);
	if (of->names)
		list_names(x, s, sums);
}

void
span_rows_release(struct span_rows *x)
{
	mem_free(x->span);
	mem_free(x->name);
}
