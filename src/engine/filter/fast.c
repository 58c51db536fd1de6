/*
 * Terms that are decided without cells, by bounds of whole numbers.
 *
 *	order to 3.5	-1 -1 -1 -1  1  1  1 ...	of 0 1 2 3 4 5 6 ...
 *	< 3.5		[0 ......  3]			found by bisection
 *
 * The order of a number and a literal grows with the number, so the numbers for which a term is
 * true lie between two bounds, whatever the literal is. The bounds are found with the comparison
 * itself.
 *
 * Invariant: a number is within the bounds exactly if the term is true by probe_order().
 */
#include "engine/filter/fast.h"

#include "engine/filter/operators.h"
#include "engine/filter/probe.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

#define SIGN	(UINT64_C(1) << 63)

/* All values of a field in ascending order: scale_at() gives the i-th. */
struct scale {
	struct trace	*t;		/* ticks; NULL: numbers */
	bool		 sign;
};

static struct filter_num
scale_at(const struct scale *s, uint64_t i)
{
	if (!s->sign)
		return (struct filter_num){ .kind = NUM_U, .u = i };
	if (s->t == NULL)
		return (struct filter_num){ .kind = NUM_I, .i = (int64_t)(i ^ SIGN) };
	return (struct filter_num){ .kind = NUM_I, .i = trace_ns(s->t, (int64_t)(i ^ SIGN)) };
}

/* Is the i-th value at least (above: more than) the literal? */
static bool
scale_reaches(const struct scale *s, uint64_t i, const struct filter_literal *l, bool above)
{
	struct filter_num	n = scale_at(s, i);
	int			order = 0;

	(void)num_compare(&n, &l->num, &order);
	return order > 0 || (order == 0 && !above);
}

/* The first value that does; false: there is none. */
static bool
scale_first(const struct scale *s, const struct filter_literal *l, bool above, uint64_t *first)
{
	*first = 0;
	BISECT(*first, UINT64_MAX, i, !scale_reaches(s, i, l, above));
	return scale_reaches(s, *first, l, above);
}

/* The values from .. to of a scale, by index; none: no value. */
struct bounds {
	uint64_t	from, to;
	bool		none;
};

static void
bounds_above(struct bounds *b, const struct scale *s, const struct filter_literal *l, bool above)
{
	uint64_t	first;

	if (!scale_first(s, l, above, &first))
		b->none = true;
	else if (first > b->from)
		b->from = first;
}

static void
bounds_below(struct bounds *b, const struct scale *s, const struct filter_literal *l, bool above)
{
	uint64_t	first;

	if (!scale_first(s, l, above, &first))
		return;
	if (first == 0)
		b->none = true;
	else if (first - 1 < b->to)
		b->to = first - 1;
}

static void
whole_set(struct whole *w, const struct filter_term *term, const struct scale *s)
{
	struct bounds			 b = { .to = UINT64_MAX };
	const struct filter_literal	*l = term->lits;

	if (term->op == FO_RANGE) {
		if (!l[0].open)
			bounds_above(&b, s, &l[0], false);
		if (!l[1].open)
			bounds_below(&b, s, &l[1], false);
	} else {
		if (!(term->holds & HOLDS_LESS))
			bounds_above(&b, s, l, !(term->holds & HOLDS_SAME));
		if (!(term->holds & HOLDS_MORE))
			bounds_below(&b, s, l, (term->holds & HOLDS_SAME) != 0);
	}
	w->none = b.none || b.from > b.to;
	w->least = s->sign ? b.from ^ SIGN : b.from;
	w->width = b.to - b.from;
}

/* Does it compare with one number, or with the two numbers of a range? */
static bool
is_bounded(const struct filter_term *term)
{
	if (term->op > FO_RANGE || (term->op != FO_RANGE && term->nlits != 1))
		return false;
	for (size_t i = 0; i < term->nlits; i++)
		if (!term->lits[i].open && term->lits[i].num.kind == NUM_NONE)
			return false;
	return true;
}

bool
term_whole(const struct filter_term *term, struct whole *w)
{
	struct scale	s = { .sign = false };

	if (!is_bounded(term))
		return false;
	whole_set(w, term, &s);
	return true;
}

/* ---- terms */

static bool
has_sign(enum field_raw raw)
{
	return raw == RAW_TIME || raw == RAW_TICKS;
}

void
fast_term_refresh(struct fast_term *f, const struct filter_term *term, struct trace *t)
{
	struct scale	s = { .t = t, .sign = true };

	array_clear(f->thread, f->nthread, sizeof *f->thread);
	if (f->way == WAY_NUMBER && term->ref.def->raw == RAW_TIME)
		whole_set(&f->plain, term, &s);
}

void
fast_term_init(struct fast_term *f, const struct filter_term *term, struct trace *t, bool threads)
{
	const struct field_def	*d = term->ref.def;
	struct scale		 plain = { .sign = false }, sign = { .sign = true };

	*f = (struct fast_term){ .way = WAY_CELL, .raw = d->raw, .negate = term->negate,
	    .bounded = is_bounded(term) };
	if (d->kind == FIELD_PAYLOAD) {
		f->way = WAY_PAYLOAD;
		field_programs_init(&f->programs, term->ref.path);
	} else if (d->kind == FIELD_ROW_TEXT && term->op == FO_TEXT && term->fits == probe_regex) {
		f->way = WAY_ROW;
	} else if (d->of == OF_THREAD && threads) {
		f->way = WAY_THREAD;
	} else if (d->raw != RAW_NONE && f->bounded && trace_has(t, d->needs) &&
	    (d->raw != RAW_TICKS || !trace_has(t, HAS_SUBSTREAMS))) {
		f->way = WAY_NUMBER;
		plain.sign = has_sign(d->raw);
	}
	if (!f->bounded)
		return;
	whole_set(&f->plain, term, &plain);
	whole_set(&f->sign, term, &sign);
	fast_term_refresh(f, term, t);
}

void
fast_term_release(struct fast_term *f)
{
	mem_free(f->thread);
	mem_free(f->front);
	field_programs_release(&f->programs);
}
