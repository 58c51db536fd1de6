/*
 * Spans that begin and end in one piece are found by the thread that reads it. Where only a few
 * spans are needed, all others of them are void: pairing passes over their marks.
 *
 *	marks	start A   start B   stop B   start C   stop A		A, B: matched; C: not
 *	below	-         -                  -
 *	table	key of A -> its youngest start in the piece
 *
 * A stop ends the youngest start of its key, so the two have no effect on what is open before and
 * after them. That holds for SPAN_LIFO alone: marks of other rules are left as they are.
 *
 * Invariant: what pairing does with the marks that are left is what it would do with them if it had
 * paired all.
 */
#include "analysis/spans/balance.h"

#include "tnav/base/hashtable.h"
#include "tnav/base/mem.h"

#define NONE		UINT32_MAX
#define STARTS_LEAST	1024u		/* bits */
#define BITS_A_START	64u		/* few others are taken for a start that is needed */
#define BYTES_A_BIT	16u		/* of the file; most events take more */

/*
 * ---- starts that are needed
 *
 * A bit for every few bytes of the file, again from the first bit on behind the last one: events
 * that are near each other have bits that are.
 */

struct span_starts {
	uint64_t	*bit;
	uint64_t	 mask;
};

struct span_starts *
span_starts_new(size_t n)
{
	struct span_starts	*s = mem_zalloc(1, sizeof *s);
	uint64_t		 bits = STARTS_LEAST;

	while (bits / BITS_A_START < n)
		bits *= 2;
	s->bit = mem_zalloc((size_t)bits / 64, sizeof *s->bit);
	s->mask = bits - 1;
	return s;
}

void
span_starts_free(struct span_starts *s)
{
	if (s == NULL)
		return;
	mem_free(s->bit);
	mem_free(s);
}

void
span_starts_add(struct span_starts *s, uint64_t off)
{
	uint64_t	at = off / BYTES_A_BIT & s->mask;

	s->bit[at / 64] |= UINT64_C(1) << at % 64;
}

static bool
is_needed(const struct span_starts *s, uint64_t off)
{
	uint64_t	at = off / BYTES_A_BIT & s->mask;

	return (s->bit[at / 64] >> at % 64 & 1) != 0;
}

/* ---- marks of a piece */

struct balance {
	const struct span_starts *needed;	/* NULL: all are */
	struct hashtable	 table;		/* of a key: its youngest start, or the last one */
	uint32_t		*below;		/* of a start: the one of its key before it */
	size_t			 cap;
};

struct balance *
balance_new(const struct span_starts *needed)
{
	struct balance	*b = mem_zalloc(1, sizeof *b);

	b->needed = needed;
	return b;
}

void
balance_free(struct balance *b)
{
	if (b == NULL)
		return;
	hashtable_release(&b->table);
	mem_free(b->below);
	mem_free(b);
}

void
balance_clear(struct balance *b)
{
	hashtable_clear(&b->table);
}

/* Where the number of the youngest start of the mark's key is; NULL: it had none. */
static uint32_t *
youngest_of(struct balance *b, const struct mark_list *m, const struct span_mark *k)
{
	HASHTABLE_EACH(&b->table, k->hash, i) {
		const struct span_mark	*o = &m->v[*i];

		if (o->len == k->len &&
		    memcmp(m->keys.p + o->key, m->keys.p + k->key, k->len) == 0)
			return i;
	}
	return NULL;
}

static void
add_start(struct balance *b, const struct mark_list *m, uint32_t i)
{
	uint32_t	*youngest = youngest_of(b, m, &m->v[i]);

	b->below[i] = youngest != NULL ? *youngest : NONE;
	if (youngest != NULL)
		*youngest = i;
	else
		hashtable_add(&b->table, m->v[i].hash, i);
}

static void
add_stop(struct balance *b, struct mark_list *m, uint32_t i)
{
	uint32_t		*youngest = youngest_of(b, m, &m->v[i]);
	struct span_mark	*start, *stop = &m->v[i];

	if (youngest == NULL || m->v[*youngest].is_matched)
		return;
	start = &m->v[*youngest];
	start->is_matched = stop->is_matched = true;
	start->other = i;
	stop->other = SPAN_NO_ROW;
	if (b->needed != NULL && !is_needed(b->needed, start->off))
		start->is_void = stop->is_void = true;
	if (b->below[*youngest] != NONE)
		*youngest = b->below[*youngest];
}

void
balance_add(struct balance *b, struct mark_list *m, size_t i)
{
	if (m->n > b->cap)
		b->below = mem_grow(b->below, &b->cap, m->n, sizeof *b->below);
	for (; i < m->n; i++) {
		if (m->v[i].rule != SPAN_LIFO || m->v[i].native)
			continue;
		if (m->v[i].stop)
			add_stop(b, m, (uint32_t)i);
		else
			add_start(b, m, (uint32_t)i);
	}
}
