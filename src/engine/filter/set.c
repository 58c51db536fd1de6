/*
 * The values of a list, sorted for each kind of value that they can be compared with.
 *
 *	(7, 2.5, abc, "7", 2.0)		whole 2 7 7   real 2.0 2.5   texts 7 7 2.5 2.0 abc
 *
 * Invariant: a value is found exactly if it is equal to one of the literals.
 */
#include "engine/filter/set.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

typedef int (*order_fn)(const void *a, const void *b);

struct sorted_array {
	char	*v;
	size_t	 n, size;
};

struct filter_set {
	struct sorted_array	whole;	/* struct filter_num: U or I */
	struct sorted_array	real;	/* double: literals with a point or an exponent */
	struct sorted_array	utc;	/* struct utc */
	struct sorted_array	guid, path;	/* literals, by pointer */
	struct sorted_array	text[SET_TEXTS];
};

/* ---- orders */

static int
order_number(const void *a, const void *b)
{
	int	order = 0;

	(void)num_compare(a, b, &order);
	return order;
}

/* The key is a 32-bit float. Rounding the others to floats keeps their order. */
static int
order_real32(const void *key, const void *b)
{
	double	y = num_round_f32(*(const double *)b);

	return compare_f64(key, &y);
}

static int
order_utc(const void *a, const void *b)
{
	return utc_compare(*(const struct utc *)a, *(const struct utc *)b);
}

static const struct filter_literal *
literal_at(const void *p)
{
	return *(const struct filter_literal *const *)p;
}

static int
order_guid(const void *a, const void *b)
{
	return memcmp(literal_at(a)->guid, literal_at(b)->guid, sizeof literal_at(a)->guid);
}

static int
order_path(const void *a, const void *b)
{
	const struct activity_path	*x = &literal_at(a)->path, *y = &literal_at(b)->path;
	uint32_t			 kinds = x->n == 0 ? 0 : UINT32_MAX >> (32 - x->n);
	int				 steps;

	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	steps = memcmp(x->step, y->step, x->n * sizeof x->step[0]);
	if (steps != 0 || (x->overflow & kinds) == (y->overflow & kinds))
		return steps;
	return (x->overflow & kinds) < (y->overflow & kinds) ? -1 : 1;
}

static int
order_text(const void *a, const void *b)
{
	const struct filter_literal	*x = literal_at(a), *y = literal_at(b);

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return x->len == 0 ? 0 : memcmp(x->text, y->text, x->len);
}

static int
order_fold(const void *a, const void *b)
{
	const struct filter_literal	*x = literal_at(a), *y = literal_at(b);

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return strncasecmp(x->text, y->text, x->len);
}

static order_fn
order_of(enum set_texts which)
{
	return which == SET_ALL ? order_text : order_fold;
}

/* ---- making */

static void
sorted_add(struct sorted_array *s, size_t most, const void *v, size_t size)
{
	if (s->v == NULL)
		s->v = mem_zalloc(most, size);
	s->size = size;
	memcpy(s->v + s->n++ * size, v, size);
}

static void
sorted_order(struct sorted_array *s, order_fn order)
{
	sort_array(s->v, s->n, s->size, order);
}

/* Add a number. A whole number may be written as 2.0 or 1e3. */
static void
add_number(struct filter_set *s, size_t most, const struct filter_num *n)
{
	struct filter_num	whole;

	if (n->kind == NUM_F)
		sorted_add(&s->real, most, &n->f, sizeof n->f);
	if (num_whole(n, &whole))
		sorted_add(&s->whole, most, &whole, sizeof whole);
}

static void
add_literal(struct filter_set *s, size_t most, const struct filter_literal *l)
{
	add_number(s, most, &l->num);
	if (l->has_utc)
		sorted_add(&s->utc, most, &l->utc, sizeof l->utc);
	if (l->has_guid)
		sorted_add(&s->guid, most, &l, sizeof l);
	if (l->has_path)
		sorted_add(&s->path, most, &l, sizeof l);
	sorted_add(&s->text[SET_ALL], most, &l, sizeof l);
	sorted_add(&s->text[SET_FOLD], most, &l, sizeof l);
	if (l->num.kind == NUM_NONE)
		sorted_add(&s->text[SET_NO_NUMBER], most, &l, sizeof l);
	if (!l->has_utc)
		sorted_add(&s->text[SET_NO_TIME], most, &l, sizeof l);
}

struct filter_set *
filter_set_new(const struct filter_literal *lits, size_t n)
{
	struct filter_set	*s = mem_zalloc(1, sizeof *s);

	for (size_t i = 0; i < n; i++)
		add_literal(s, n, &lits[i]);
	sorted_order(&s->whole, order_number);
	sorted_order(&s->real, compare_f64);
	sorted_order(&s->utc, order_utc);
	sorted_order(&s->guid, order_guid);
	sorted_order(&s->path, order_path);
	for (unsigned i = 0; i < SET_TEXTS; i++)
		sorted_order(&s->text[i], order_of((enum set_texts)i));
	return s;
}

void
filter_set_free(struct filter_set *s)
{
	if (s == NULL)
		return;
	mem_free(s->whole.v);
	mem_free(s->real.v);
	mem_free(s->utc.v);
	mem_free(s->guid.v);
	mem_free(s->path.v);
	for (unsigned i = 0; i < SET_TEXTS; i++)
		mem_free(s->text[i].v);
	mem_free(s);
}

/* ---- searching */

static bool
sorted_has(const struct sorted_array *s, const void *key, order_fn order, uint64_t *steps)
{
	size_t	lo = 0, hi = s->n;

	while (lo < hi) {
		size_t	mid = lo + (hi - lo) / 2;
		int	way = order(key, s->v + mid * s->size);

		++*steps;
		if (way == 0)
			return true;
		if (way > 0)
			lo = mid + 1;
		else
			hi = mid;
	}
	return false;
}

bool
filter_set_number(const struct filter_set *s, const struct filter_num *n, bool f32, uint64_t *steps)
{
	if (n->kind == NUM_F && isnan(n->f))
		return false;
	if (n->kind == NUM_F && sorted_has(&s->real, &n->f, f32 ? order_real32 : compare_f64,
	    steps))
		return true;
	return sorted_has(&s->whole, n, order_number, steps);
}

bool
filter_set_text(const struct filter_set *s, enum set_texts which, struct span text, uint64_t *steps)
{
	const struct filter_literal	 key = { .text = (char *)text.p, .len = text.len };
	const struct filter_literal	*p = &key;

	return sorted_has(&s->text[which], &p, order_of(which), steps);
}

bool
filter_set_empty(const struct filter_set *s, enum set_texts which)
{
	return s->text[which].n == 0;
}

bool
filter_set_utc(const struct filter_set *s, struct utc utc, uint64_t *steps)
{
	return sorted_has(&s->utc, &utc, order_utc, steps);
}

bool
filter_set_guid(const struct filter_set *s, const uint8_t guid[16], uint64_t *steps)
{
	struct filter_literal		 key = { .text = NULL };
	const struct filter_literal	*p = &key;

	memcpy(key.guid, guid, sizeof key.guid);
	return sorted_has(&s->guid, &p, order_guid, steps);
}

bool
filter_set_path(const struct filter_set *s, const struct activity_path *path, uint64_t *steps)
{
	const struct filter_literal	 key = { .path = *path };
	const struct filter_literal	*p = &key;

	return sorted_has(&s->path, &p, order_path, steps);
}
