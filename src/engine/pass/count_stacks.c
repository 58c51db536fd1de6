/*
 * The keys of a counter by names of frames: the same stacks occur again and again, and each has
 * many keys.
 *
 *	event -> the number of its list of names, its other values -> known? keys 7, 9, 12
 *	name, if there is no other field			   -> known? key 7
 *
 * A list has a number while the reader of fields keeps it (field/frames.c), and another one when it
 * is made again. So the numbers of keys can be kept for the number of the list and the bytes of the
 * other values: neither names nor their bytes are made for an event whose stack is known. In a part
 * of a pass such an event isn't even counted for each of its keys: events are counted by list, and
 * what was counted is added to the keys when the list leaves, or when the part ends.
 *
 * Invariant: kept keys are those that the event's cells give, in the same order. The caches are
 * direct-mapped, and neither many keys nor long values are kept, so no file can make them grow.
 */
#include "engine/pass/counter.h"

#include <limits.h>
#include <string.h>

#include "engine/field/reader.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

#define SLOTS		8192u
#define NAMES		4096u	/* slots for single names */
#define KEYS_MOST	256u	/* more keys of a stack are not kept */
#define BYTES_MOST	256u	/* nor are longer values */

struct slot {
	uint64_t		 list;	/* its number, if names are all of the key; 0: unused */
	struct key_bytes	 of;	/* else numbers of lists, other values; empty: unused */
	uint32_t		*keys;
	size_t			 n, cap;
	struct count		 count;	/* not yet added to the keys */
};

/* The key of a name, which is the namer's: its address tells which it is. */
struct name_key {
	const void	*name;
	uint32_t	 key;		/* + 1; 0: unused */
};

struct stack_keys {
	struct field_ref	*others;	/* refs of the counter, without names of frames */
	bool			 alone;		/* single names are all of the key */
	bool			 modules;	/* ... those of modules */
	uint64_t		 list;		/* of the event, as in its slot */
	struct key_bytes	 of;
	struct slot		*want;		/* for the event; NULL: its keys can't be kept */
	bool			 later;		/* events are counted by slot */
	uint64_t		 generation;	/* of the namer whose names are kept */
	struct slot		 slot[SLOTS];
	struct slot		 none;		/* alone: of events without a stack; n 0: unused */
	struct name_key		 name[NAMES];
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
	c->stacks->alone = n == 1 && c->opt.each && !c->opt.steps && c->opt.every_ns == 0;
	c->stacks->modules = frames_are_modules(c->refs[0].def);
}

void
counter_stacks_later(struct counter *c)
{
	if (c->stacks != NULL)
		c->stacks->later = c->nvalues == 0 && !c->opt.bins;
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
	mem_free(s->none.keys);
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

/* Add to its keys what was counted in the slot. */
static void
slot_settle(struct counter *c, struct slot *at)
{
	if (at->count.events == 0)
		return;
	count_merge(&c->all, &at->count);
	c->all.events += (at->n - 1) * at->count.events;
	c->all.bytes += (at->n - 1) * at->count.bytes;
	for (size_t i = 0; i < at->n; i++)
		count_merge(counter_count_of(c, at->keys[i]), &at->count);
	at->count = (struct count){ .events = 0 };
}

void
counter_stacks_settle(struct counter *c)
{
	for (unsigned i = 0; c->stacks != NULL && i < SLOTS; i++)
		slot_settle(c, &c->stacks->slot[i]);
	if (c->stacks != NULL)
		slot_settle(c, &c->stacks->none);
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
		at += hash_bytes(id + sizeof at, len - sizeof at);
	return &s->slot[at % SLOTS];
}

/* slot_find() where names are all of the key. */
static struct slot *
slot_find_alone(struct counter *c, const struct event *e)
{
	struct stack_keys	*s = c->stacks;
	struct slot		*at;

	s->list = e->stack != 0 ? reader_frame_list(c->reader, e, s->modules) : 0;
	if (s->list == 0 && e->stack != 0)
		return NULL;
	at = s->list != 0 ? &s->slot[s->list % SLOTS] : &s->none;
	if (s->list != 0 ? at->list == s->list : at->n > 0)
		return at;
	s->want = at;
	return NULL;
}

/* The slot with the event's keys; NULL: they aren't known, s->want says where to keep them. */
static struct slot *
slot_find(struct counter *c, const struct event *e, uint64_t row)
{
	struct stack_keys	*s = c->stacks;
	struct slot		*at;

	s->want = NULL;
	if (s->alone)
		return slot_find_alone(c, e);
	if (e->stack == 0 || !lists_put(c, e))
		return NULL;
	if (c->by->n + c->nvalues > 1) {
		counter_cells_get(c, s->others, e, row);
		counter_cells_step(c);
	}
	if (!others_put(c, e))
		return NULL;
	at = slot_of(c);
	if (spans_equal(span_of_buf(&at->of.id), span_of_buf(&s->of.id)) &&
	    spans_equal(span_of_buf(&at->of.note), span_of_buf(&s->of.note)))
		return at;
	s->want = at;
	return NULL;
}

static int
name_find(void *arg, const struct cell *name)
{
	struct counter	*c = arg;
	size_t		 hash = ((uintptr_t)name->text.p >> 3) * 0x9e3779b1u;
	struct name_key	*at = &c->stacks->name[hash % NAMES];
	uint32_t	 key = at->key - 1;

	if (at->key == 0 || at->name != name->text.p) {
		key_clear(&c->key);
		key_add(&c->key, name, &c->key_options);
		key = counter_bytes_find(c, &c->key);
		if (key != BEYOND)
			*at = (struct name_key){ name->text.p, key + 1 };
	}
	counter_keys_put(c, key);
	return 0;
}

/* Set c->keys to those of the names of the event's stack, which are all of its key. False: it has
   no names. */
static bool
names_find(struct counter *c, const struct event *e, uint64_t row)
{
	struct stack_keys	*s = c->stacks;
	uint64_t		 generation = trace_namer_generation(c->t);

	if (s->generation != generation)
		memset(s->name, 0, sizeof s->name);
	s->generation = generation;
	(void)field_each(c->reader, &c->refs[0], e, row, name_find, c);
	return c->nkeys > 0;
}

static void
bytes_copy(struct buf *to, const struct buf *from)
{
	buf_clear(to);
	buf_add(to, from->p, from->len);
}

static void
stack_keep(struct counter *c)
{
	struct stack_keys	*s = c->stacks;

	if (s->want == NULL || c->nkeys > KEYS_MOST)
		return;
	slot_settle(c, s->want);
	s->want->list = s->alone ? s->list : 0;
	bytes_copy(&s->want->of.id, &s->of.id);
	bytes_copy(&s->want->of.note, &s->of.note);
	keys_copy(&s->want->keys, &s->want->n, &s->want->cap, c->keys, c->nkeys);
}

static bool
stack_find(struct counter *c, const struct event *e, uint64_t row)
{
	const struct slot	*at = slot_find(c, e, row);

	if (at != NULL)
		keys_copy(&c->keys, &c->nkeys, &c->keys_cap, at->keys, at->n);
	if (at != NULL || c->stacks->want == NULL || !c->stacks->alone)
		return at != NULL;
	if (!names_find(c, e, row))
		return false;
	stack_keep(c);
	return true;
}

bool
counter_stack_count(struct counter *c, const struct event *e, uint64_t row)
{
	struct slot	*at = c->stacks->later ? slot_find(c, e, row) : NULL;

	if (at != NULL)
		count_add(&at->count, e);
	return at != NULL;
}

void
counter_find(struct counter *c, const struct event *e, uint64_t row)
{
	uint32_t	known = counter_known(c, e);
	size_t		n = c->by->n;

	c->nkeys = 0;
	if (known != 0) {
		if (c->nvalues > 0)
			field_get(c->numbers, c->refs + n, c->nvalues, e, row, c->cells + n);
		counter_keys_put(c, known - 1);
		return;
	}
	if (c->stacks != NULL && stack_find(c, e, row))
		return;
	counter_cells_find(c, e, row);
	if (c->stacks != NULL)
		stack_keep(c);
}
