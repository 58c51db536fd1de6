/*
 * The keys of a counter by names of frames: the same stacks occur again and again, and each has
 * many keys.
 *
 *	event -> the number of its list of names, its other values -> known? keys 7, 9, 12
 *
 * A list has a number while the reader of fields keeps it (field/frames.c), and another one when it
 * is made again. So the numbers of keys can be kept for the number of the list and the bytes of the
 * other values: neither names nor their bytes are made for an event whose stack is known.
 *
 * Invariant: kept keys are those that the event's cells give, in the same order. The cache is
 * direct-mapped, and neither many keys nor long values are kept, so no file can make it grow.
 */
#include "engine/pass/counter.h"

#include <limits.h>
#include <string.h>

#include "engine/field/reader.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

#define SLOTS		1024u
#define KEYS_MOST	256u	/* more keys of a stack are not kept */
#define BYTES_MOST	256u	/* nor are longer values */

struct slot {
	struct key_bytes	 of;	/* numbers of lists, other values; empty: unused */
	uint32_t		*keys;
	size_t			 n, cap;
};

struct stack_keys {
	struct field_ref	*others;	/* refs of the counter, without names of frames */
	struct key_bytes	 of;		/* of the event */
	struct slot		*want;		/* for the event; NULL: its keys can't be kept */
	struct slot		 slot[SLOTS];
};

/* ---- making */

static bool
is_frames(const struct field_ref *f)
{
	return f->def->kind == FIELD_HEADER && f->def->class == CLASS_FRAMES;
}

void
counter_stacks_init(struct counter *c)
{
	/* No trace has all of this, so no event has the field. */
	static const struct field_def	nothing = { .kind = FIELD_HEADER, .needs = UINT_MAX };
	size_t				n = c->by->n + c->nvalues;
	bool				any = false;

	for (size_t i = 0; i < c->by->n; i++)
		any |= is_frames(&c->refs[i]) && field_in_trace(c->refs[i].def, c->t);
	if (!any)
		return;
	c->stacks = mem_zalloc(1, sizeof *c->stacks);
	c->stacks->others = mem_zalloc(n, sizeof *c->stacks->others);
	memcpy(c->stacks->others, c->refs, n * sizeof *c->refs);
	for (size_t i = 0; i < c->by->n; i++)
		if (is_frames(&c->refs[i]))
			c->stacks->others[i].def = &nothing;
	key_init(&c->stacks->of);
	for (unsigned i = 0; i < SLOTS; i++)
		key_init(&c->stacks->slot[i].of);
}

void
counter_stacks_free(struct counter *c)
{
	struct stack_keys	*s = c->stacks;

	if (s == NULL)
		return;
	for (unsigned i = 0; i < SLOTS; i++) {
		key_release(&s->slot[i].of);
		mem_free(s->slot[i].keys);
	}
	key_release(&s->of);
	mem_free(s->others);
	mem_free(s);
}

/* ---- finding */

/* Begin s->of with the numbers of the event's lists. False: a list has none. */
static bool
lists_put(struct counter *c, const struct event *e)
{
	struct stack_keys	*s = c->stacks;

	key_clear(&s->of);
	for (size_t i = 0; i < c->by->n; i++) {
		uint64_t	number;

		if (!is_frames(&c->refs[i]))
			continue;
		number = reader_frame_list(c->reader, e, frames_are_modules(c->refs[i].def));
		if (number == 0)
			return false;
		buf_add(&s->of.id, &number, sizeof number);
	}
	return true;
}

/* Add the other values of the key to s->of. False: there is a list of them, or they are long. */
static bool
others_put(struct counter *c, const struct event *e)
{
	struct stack_keys	*s = c->stacks;

	counter_add_time(c, &s->of, e);
	for (size_t i = 0; i < c->by->n; i++) {
		if (is_frames(&c->refs[i]))
			continue;
		if (counter_is_list(c, i))
			return false;
		key_add(&s->of, &c->cells[i], &c->key_options);
	}
	return s->of.id.len + s->of.note.len <= BYTES_MOST;
}

static void
keys_copy(uint32_t **to, size_t *nto, size_t *cap, const uint32_t *from, size_t n)
{
	*to = mem_grow(*to, cap, n, sizeof **to);
	memcpy(*to, from, n * sizeof **to);
	*nto = n;
}

/* The slot for s->of. Lists that were made one after another have different slots. */
static struct slot *
slot_of(struct counter *c)
{
	struct stack_keys	*s = c->stacks;
	const char		*id = s->of.id.p;
	size_t			 len = s->of.id.len;
	uint64_t		 at;

	memcpy(&at, id, sizeof at);
	if (len > sizeof at)
		at += hash_bytes(c->seed, id + sizeof at, len - sizeof at);
	return &s->slot[at % SLOTS];
}

bool
counter_stack_find(struct counter *c, const struct event *e, uint64_t row)
{
	struct stack_keys	*s = c->stacks;
	struct slot		*at;

	s->want = NULL;
	if (e->stack == 0 || !lists_put(c, e))
		return false;
	if (c->by->n + c->nvalues > 1) {
		counter_cells_get(c, s->others, e, row);
		counter_cells_step(c);
	}
	if (!others_put(c, e))
		return false;
	at = slot_of(c);
	if (!spans_equal(span_of_buf(&at->of.id), span_of_buf(&s->of.id)) ||
	    !spans_equal(span_of_buf(&at->of.note), span_of_buf(&s->of.note))) {
		s->want = at;
		return false;
	}
	keys_copy(&c->keys, &c->nkeys, &c->keys_cap, at->keys, at->n);
	return true;
}

static void
bytes_copy(struct buf *to, const struct buf *from)
{
	buf_clear(to);
	buf_add(to, from->p, from->len);
}

void
counter_stack_keep(struct counter *c)
{
	struct stack_keys	*s = c->stacks;

	if (s->want == NULL || c->nkeys > KEYS_MOST)
		return;
	bytes_copy(&s->want->of.id, &s->of.id);
	bytes_copy(&s->want->of.note, &s->of.note);
	keys_copy(&s->want->keys, &s->want->n, &s->want->cap, c->keys, c->nkeys);
}
