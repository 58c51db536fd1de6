/*
 * Counts by value: a hash table over keys that are kept as bytes.
 *
 *	event	fields, values	->  cells  ->  id, note	->  key 7		key.c
 *	key 7	count, bins, and a figure for each value			figure.c
 *		{ key 7, value 0, hash } ...		different values	distinct.c
 *
 * Fields that follow from the type or the thread alone are got once for each of them.
 *
 * Invariant: all = the sum of the keys, beyond and without. Memory is bounded by the number of
 * keys, what is kept of a text, and the limits of ranks and different values.
 */
#include "tnav/engine/count.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/pass/bins.h"
#include "engine/pass/distinct.h"
#include "engine/pass/figure.h"
#include "engine/pass/key.h"
#include "tnav/base/arena.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/steps.h"

#define NOT_YET		0u
#define BEYOND		COUNT_BEYOND	/* in place of a key's number */
#define WITHOUT		(COUNT_BEYOND - 1)

struct entry {
	uint64_t	 hash;
	const char	*id, *note;	/* note NULL: events differ in it */
	uint32_t	 id_len, note_len;
	struct count	 count;
};

/* The values that a field of the key has in one event, as bytes one after another. */
struct parts {
	struct key_bytes	 bytes;
	size_t			*id_end, *note_end;	/* of each */
	size_t			 n, id_cap, note_cap;
};

struct counter {
	struct trace			*t;
	const struct field_list		*by;
	struct count_options		 opt;
	struct field_reader		*reader, *numbers;	/* of keys; of values: often it */
	struct field_ref		*refs;			/* by and values; borrowed paths */
	struct cell			*cells;			/* of by, of values */
	size_t				 nvalues;
	struct entry			*entry;
	size_t				 n, cap;
	struct bins			 bins;
	struct figure			*figure;	/* nvalues a key */
	size_t				 figures_cap;
	struct figure			*beyond_figure;	/* nvalues */
	bool				*ranked, *different;	/* asked for, by value */
	uint64_t			 nranked;	/* numbers in all ranks */
	bool				 rough;		/* ... are too many: these are sketches */
	struct distinct			 distinct;
	struct hashtable		 table;
	uint64_t			 seed;
	struct count			 all, beyond, without;
	struct arena			 arena;
	struct key_bytes		 key;		/* scratch: */
	struct parts			*parts;		/* by field of the key */
	uint32_t			*keys;		/* of the event */
	size_t				 nkeys, keys_cap;
	struct buf			 text;
	enum field_of			 of;		/* what all fields follow from */
	uint32_t			*known;		/* by type or thread: number + 1 */
	size_t				 nknown;
};

/* ---- counts */

void
count_add(struct count *c, const struct event *e)
{
	if (c->events == 0 || e->ts < c->first)
		c->first = e->ts;
	if (c->events == 0 || e->ts > c->last)
		c->last = e->ts;
	c->events++;
	c->bytes += e->size;
}

void
count_merge(struct count *c, const struct count *from)
{
	if (from->events == 0)
		return;
	if (c->events == 0 || from->first < c->first)
		c->first = from->first;
	if (c->events == 0 || from->last > c->last)
		c->last = from->last;
	c->events += from->events;
	c->bytes += from->bytes;
}

/* ---- making */

/* What all of the fields follow from. */
static enum field_of
follows_from(const struct field_list *by, struct trace *t)
{
	enum field_of	of = by->n > 0 ? field_ref_of(&by->v[0], t) : OF_EVENT;

	for (size_t i = 1; i < by->n; i++)
		if (field_ref_of(&by->v[i], t) != of)
			return OF_EVENT;
	return of;
}

static void
limits_default(struct count_limits *l)
{
	l->few = l->few > 0 ? l->few : LIMIT_SAMPLE_FEW;
	l->group = l->group > 0 ? l->group : LIMIT_SAMPLE_GROUP;
	l->all = l->all > 0 ? l->all : LIMIT_SAMPLE_ALL;
	l->distinct = l->distinct > 0 ? l->distinct : LIMIT_DISTINCT;
}

/* Values are numbers, also where keys are words. */
static void
readers_new(struct counter *c)
{
	struct field_options	numbers = c->opt.fields;

	c->reader = c->numbers = field_reader_new(c->t, &c->opt.fields);
	if (c->opt.fields.words != WORDS_INSTEAD || c->nvalues == 0)
		return;
	numbers.words = WORDS_BARE;
	c->numbers = field_reader_new(c->t, &numbers);
}

static void
values_init(struct counter *c)
{
	const struct aggregates	*a = c->opt.aggregates;

	c->nvalues = a != NULL ? a->values.n : 0;
	c->ranked = mem_zalloc(c->nvalues + 1, sizeof *c->ranked);
	c->different = mem_zalloc(c->nvalues + 1, sizeof *c->different);
	c->beyond_figure = mem_zalloc(c->nvalues + 1, sizeof *c->beyond_figure);
	for (size_t i = 0; a != NULL && i < a->n; i++) {
		c->ranked[a->v[i].value] |= a->v[i].kind == AGGREGATE_PCT;
		c->different[a->v[i].value] |= a->v[i].kind == AGGREGATE_DISTINCT;
	}
	c->refs = mem_zalloc(c->by->n + c->nvalues + 1, sizeof *c->refs);
	memcpy(c->refs, c->by->v, c->by->n * sizeof *c->refs);
	if (c->nvalues > 0)
		memcpy(c->refs + c->by->n, a->values.v, c->nvalues * sizeof *c->refs);
	c->cells = mem_zalloc(c->by->n + c->nvalues + 1, sizeof *c->cells);
}

static void
known_init(struct counter *c)
{
	c->of = c->opt.every_ns > 0 ? OF_EVENT : follows_from(c->by, c->t);
	if (c->of == OF_TYPE)
		c->nknown = trace_types(c->t);
	if (c->of == OF_THREAD)
		c->nknown = trace_threads(c->t);
	c->known = mem_zalloc(c->nknown + 1, sizeof *c->known);
}

static struct counter *
make(struct trace *t, const struct field_list *by, const struct count_options *o, uint64_t seed)
{
	struct counter	*c = mem_zalloc(1, sizeof *c);

	c->t = t;
	c->by = by;
	c->opt = *o;
	c->seed = seed;
	limits_default(&c->opt.limits);
	values_init(c);
	readers_new(c);
	known_init(c);
	c->parts = mem_zalloc(by->n + 1, sizeof *c->parts);
	for (size_t i = 0; i < by->n; i++)
		key_init(&c->parts[i].bytes);
	distinct_init(&c->distinct, seed, (size_t)c->opt.limits.distinct);
	hashtable_init(&c->table);
	arena_init(&c->arena);
	key_init(&c->key);
	buf_init(&c->text);
	return c;
}

struct counter *
counter_new(struct trace *t, const struct field_list *by, const struct count_options *o)
{
	return make(t, by, o, hash_seed());
}

struct counter *
counter_new_part(const struct counter *whole)
{
	return make(whole->t, whole->by, &whole->opt, whole->seed);
}

static void
figures_free(struct counter *c)
{
	for (size_t i = 0; i < c->n * c->nvalues; i++)
		figure_release(&c->figure[i]);
	for (size_t i = 0; i < c->nvalues; i++)
		figure_release(&c->beyond_figure[i]);
	mem_free(c->figure);
	mem_free(c->beyond_figure);
}

void
counter_free(struct counter *c)
{
	if (c == NULL)
		return;
	figures_free(c);
	if (c->numbers != c->reader)
		field_reader_free(c->numbers);
	field_reader_free(c->reader);
	for (size_t i = 0; i < c->by->n; i++) {
		key_release(&c->parts[i].bytes);
		mem_free(c->parts[i].id_end);
		mem_free(c->parts[i].note_end);
	}
	mem_free(c->parts);
	mem_free(c->refs);
	mem_free(c->cells);
	mem_free(c->ranked);
	mem_free(c->different);
	mem_free(c->entry);
	bins_release(&c->bins);
	mem_free(c->keys);
	mem_free(c->known);
	distinct_release(&c->distinct);
	hashtable_release(&c->table);
	arena_release(&c->arena);
	key_release(&c->key);
	buf_release(&c->text);
	mem_free(c);
}

/* ---- keys */

/* A key as bytes, with the hash of its id. */
struct key_view {
	uint64_t	 hash;
	const char	*id, *note;
	uint32_t	 id_len, note_len;
};

static void
figures_new(struct counter *c)
{
	size_t	at = c->n * c->nvalues;

	if (c->nvalues == 0)
		return;
	c->figure = mem_grow(c->figure, &c->figures_cap, at + c->nvalues, sizeof *c->figure);
	memset(&c->figure[at], 0, c->nvalues * sizeof *c->figure);
}

static uint32_t
key_new(struct counter *c, const struct key_view *k)
{
	if (c->n == c->opt.keys || c->arena.total > LIMIT_KEY_BYTES)
		return BEYOND;
	c->entry = mem_grow(c->entry, &c->cap, c->n + 1, sizeof *c->entry);
	c->entry[c->n] = (struct entry){ .hash = k->hash, .id_len = k->id_len,
	    .id = arena_strndup(&c->arena, k->id, k->id_len), .note_len = k->note_len };
	if (k->note != NULL)
		c->entry[c->n].note = arena_strndup(&c->arena, k->note, k->note_len);
	if (c->opt.bins)
		bins_key(&c->bins);
	figures_new(c);
	hashtable_add(&c->table, k->hash, (uint32_t)c->n);
	return (uint32_t)c->n++;
}

/* Words and the like stay those of the key as long as all of its events have the same. */
static void
note_compare(struct entry *e, const struct key_view *k)
{
	if (e->note == NULL)
		return;
	if (k->note == NULL || k->note_len != e->note_len ||
	    memcmp(k->note, e->note, k->note_len) != 0)
		e->note = NULL;
}

static uint32_t
key_find(struct counter *c, const struct key_view *k)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&c->table, k->hash, &at)) != NULL;) {
		struct entry	*e = &c->entry[*i];

		if (e->hash != k->hash || e->id_len != k->id_len ||
		    memcmp(e->id, k->id, k->id_len) != 0)
			continue;
		note_compare(e, k);
		return *i;
	}
	return key_new(c, k);
}

static uint32_t
bytes_find(struct counter *c, const struct key_bytes *b)
{
	return key_find(c, &(struct key_view){ .id = b->id.p, .id_len = (uint32_t)b->id.len,
	    .note = b->note.p, .note_len = (uint32_t)b->note.len,
	    .hash = hash_bytes(c->seed, b->id.p, b->id.len) });
}

static struct key_options
key_options(const struct counter *c)
{
	return (struct key_options){ .most = c->opt.text, .valued = c->opt.valued,
	    .seed = c->seed };
}

/* The first cell of the key, if it is a time: the begin of the step in which the event lies. */
static void
add_time(struct counter *c, const struct event *e)
{
	const struct key_options	o = key_options(c);
	int64_t				ns, into;
	struct cell			cell;

	if (c->opt.every_ns == 0)
		return;
	ns = trace_ns(c->t, e->ts);
	into = ns % c->opt.every_ns;
	into = into < 0 ? into + c->opt.every_ns : into;
	if (__builtin_sub_overflow(ns, into, &ns))
		ns = INT64_MIN;
	cell = cell_time(ns);
	key_add(&c->key, &cell, &o);
}

static bool
is_there(const struct cell *c)
{
	return c->kind != CELL_NONE || c->word.p != NULL;
}

/* The number of the key that the cells are. */
static uint32_t
cells_find(struct counter *c, const struct event *e)
{
	const struct key_options	o = key_options(c);
	bool				any = !c->opt.skip;

	key_clear(&c->key);
	add_time(c, e);
	for (size_t i = 0; i < c->by->n; i++) {
		any |= is_there(&c->cells[i]);
		key_add(&c->key, &c->cells[i], &o);
	}
	return any ? bytes_find(c, &c->key) : WITHOUT;
}

/* ---- keys of several values */

struct part_arg {
	struct counter	*c;
	struct parts	*p;
};

static int
part_add(void *arg, const struct cell *cell)
{
	struct part_arg			*a = arg;
	struct parts			*p = a->p;
	const struct key_options	 o = key_options(a->c);
	struct cell			 one = *cell;

	if (a->c->opt.steps)
		steps_begin(&one);
	key_add(&p->bytes, &one, &o);
	p->id_end = mem_grow(p->id_end, &p->id_cap, p->n + 1, sizeof *p->id_end);
	p->note_end = mem_grow(p->note_end, &p->note_cap, p->n + 1, sizeof *p->note_end);
	p->id_end[p->n] = p->bytes.id.len;
	p->note_end[p->n++] = p->bytes.note.len;
	return 0;
}

static bool
is_list(const struct counter *c, size_t field)
{
	return c->opt.each && c->refs[field].def->class != CLASS_STACK &&
	    field_is_list(&c->refs[field], &c->cells[field]);
}

/* The values of each field of the key; how many keys they make. */
static size_t
parts_read(struct counter *c, const struct event *e, uint64_t row)
{
	size_t	most = 1;

	for (size_t i = 0; i < c->by->n; i++) {
		struct parts	*p = &c->parts[i];

		p->n = 0;
		key_clear(&p->bytes);
		if (is_list(c, i))
			(void)field_each(c->reader, &c->refs[i], e, row, part_add,
			    &(struct part_arg){ c, p });
		else
			(void)part_add(&(struct part_arg){ c, p }, &c->cells[i]);
		most = p->n > most ? p->n : most;
	}
	return most;
}

/* The i-th value of a field; its only one stands beside each of another's. */
static void
part_put(struct counter *c, const struct parts *p, size_t i)
{
	static const struct cell	nothing = { .kind = CELL_NONE };
	const struct key_options	o = key_options(c);
	size_t				id, note;

	i = p->n == 1 ? 0 : i;
	if (i >= p->n) {
		key_add(&c->key, &nothing, &o);
		return;
	}
	id = i > 0 ? p->id_end[i - 1] : 0;
	note = i > 0 ? p->note_end[i - 1] : 0;
	buf_add(&c->key.id, p->bytes.id.p + id, p->id_end[i] - id);
	buf_add(&c->key.note, p->bytes.note.p + note, p->note_end[i] - note);
}

static void
keys_put(struct counter *c, uint32_t key)
{
	c->keys = mem_grow(c->keys, &c->keys_cap, c->nkeys + 1, sizeof *c->keys);
	c->keys[c->nkeys++] = key;
}

static bool
any_part(const struct counter *c)
{
	for (size_t i = 0; i < c->by->n; i++)
		if (is_list(c, i) ? c->parts[i].n > 0 : is_there(&c->cells[i]))
			return true;
	return false;
}

static void
lists_find(struct counter *c, const struct event *e, uint64_t row)
{
	size_t	n = parts_read(c, e, row);

	if (c->opt.skip && !any_part(c)) {
		keys_put(c, WITHOUT);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		key_clear(&c->key);
		add_time(c, e);
		for (size_t k = 0; k < c->by->n; k++)
			part_put(c, &c->parts[k], i);
		keys_put(c, bytes_find(c, &c->key));
	}
}

static bool
has_list(const struct counter *c)
{
	for (size_t i = 0; i < c->by->n; i++)
		if (is_list(c, i))
			return true;
	return false;
}

/* Numbers of the key become the steps in which they lie. */
static void
cells_step(struct counter *c)
{
	for (size_t i = 0; i < c->by->n && c->opt.steps; i++)
		if (!is_list(c, i))
			steps_begin(&c->cells[i]);
}

/* Get cells: those of the key, unless that is known, and those of the values. */
static void
cells_get(struct counter *c, const struct event *e, uint64_t row, bool known)
{
	size_t	n = c->by->n;

	if (!known && c->numbers == c->reader) {
		field_get(c->reader, c->refs, n + c->nvalues, e, row, c->cells);
		return;
	}
	if (!known)
		field_get(c->reader, c->refs, n, e, row, c->cells);
	if (c->nvalues > 0)
		field_get(c->numbers, c->refs + n, c->nvalues, e, row, c->cells + n);
}

/* The event's keys, and the cells of its values. */
static void
event_find(struct counter *c, const struct event *e, uint64_t row)
{
	uint32_t	 at = c->of == OF_THREAD ? e->thread : e->type;
	uint32_t	*known = at < c->nknown ? &c->known[at] : NULL;
	bool		 is_known = known != NULL && *known != NOT_YET;

	c->nkeys = 0;
	cells_get(c, e, row, is_known);
	cells_step(c);
	if (is_known) {
		keys_put(c, *known - 1);
		return;
	}
	if (has_list(c)) {
		lists_find(c, e, row);
		return;
	}
	keys_put(c, cells_find(c, e));
	if (known != NULL && c->keys[0] != BEYOND)
		*known = c->keys[0] + 1;
}

static struct count *
count_of(struct counter *c, uint32_t key)
{
	return key == BEYOND ? &c->beyond : key == WITHOUT ? &c->without : &c->entry[key].count;
}

/* ---- values */

static struct figure *
figure_of(struct counter *c, uint32_t key, size_t value)
{
	if (key == BEYOND)
		return &c->beyond_figure[value];
	return &c->figure[key * c->nvalues + value];
}

/* Too many numbers for percentiles that are exact. */
static bool
is_too_much(const struct counter *c, const struct ranks *s)
{
	return s->n > c->opt.limits.group || (c->rough && s->n > c->opt.limits.few);
}

/* Keep the ranks within their limits, after numbers have been added to one of them. */
static void
ranks_bound(struct counter *c, struct ranks *s, uint64_t added)
{
	c->nranked += added;
	if (!c->rough && c->nranked > c->opt.limits.all) {
		c->rough = true;
		for (size_t i = 0; i < c->n * c->nvalues; i++) {
			struct ranks	*other = c->figure[i].ranks;

			if (other != NULL && is_too_much(c, other))
				ranks_roughen(other);
		}
	}
	if (is_too_much(c, s))
		ranks_roughen(s);
}

static struct ranks *
ranks_of(struct counter *c, struct figure *f)
{
	if (f->ranks == NULL) {
		f->ranks = mem_alloc(sizeof *f->ranks);
		ranks_init(f->ranks, c->seed);
	}
	return f->ranks;
}

static void
distinct_count(struct counter *c, uint32_t key, size_t value, uint64_t hash)
{
	struct figure		*f = figure_of(c, key, value);
	enum distinct_is	 is;

	if (key == BEYOND)
		return;
	is = distinct_add(&c->distinct, (struct distinct_value){ hash, key, (uint32_t)value });
	f->different += is == DISTINCT_NEW;
	f->more |= is == DISTINCT_BEYOND;
}

static void
value_add(struct counter *c, uint32_t key, size_t value, const struct cell *cell)
{
	struct figure		*f = figure_of(c, key, value);
	struct filter_num	 v = figure_number(cell);
	uint64_t		 hash;

	if (c->different[value] && key_hash(cell, c->seed, &hash))
		distinct_count(c, key, value, hash);
	if (v.kind == NUM_NONE) {
		f->others += cell->kind != CELL_NONE && cell->kind != CELL_NULL;
		return;
	}
	if (c->ranked[value] && key != BEYOND)
		(void)ranks_of(c, f);
	figure_add(f, &v, cell->kind);
	if (f->ranks != NULL)
		ranks_bound(c, f->ranks, 1);
}

struct value_arg {
	struct counter	*c;
	size_t		 value, i;	/* i: values so far */
};

/* One of several values: of the key, or where there are several, of the one in its place. */
static int
value_each(void *arg, const struct cell *cell)
{
	struct value_arg	*a = arg;
	size_t			 i = a->i++;

	if (a->c->nkeys == 1)
		i = 0;
	if (i >= a->c->nkeys)
		return 1;
	value_add(a->c, a->c->keys[i], a->value, cell);
	return 0;
}

/* The event's values of a field to its keys. */
static void
values_add(struct counter *c, size_t value, const struct event *e, uint64_t row)
{
	size_t	field = c->by->n + value;

	if (is_list(c, field)) {
		(void)field_each(c->numbers, &c->refs[field], e, row, value_each,
		    &(struct value_arg){ .c = c, .value = value });
		return;
	}
	for (size_t i = 0; i < c->nkeys; i++)
		value_add(c, c->keys[i], value, &c->cells[field]);
}

/* ---- adding */

static void
key_count(struct counter *c, uint32_t key, const struct event *e)
{
	count_add(count_of(c, key), e);
	count_add(&c->all, e);
	if (c->opt.bins)
		bins_cover(&c->bins, e->ts);
	if (c->opt.bins && key < WITHOUT)
		bins_add(&c->bins, key, e->ts);
}

void
counter_add(struct counter *c, const struct event *e, uint64_t row)
{
	event_find(c, e, row);
	for (size_t i = 0; i < c->nkeys; i++)
		key_count(c, c->keys[i], e);
	if (c->keys[0] == WITHOUT)
		return;
	for (size_t i = 0; i < c->nvalues; i++)
		values_add(c, i, e, row);
}

/* Do types alone tell which events match? */
static bool
types_decide(struct filter_eval *only, const struct type_stat *ts, size_t n)
{
	bool	sure = true;

	for (size_t i = 0; only != NULL && i < n && sure; i++)
		sure = ts[i].c.events == 0 || filter_type_verdict(only, ts[i].type) >= 0;
	return sure;
}

bool
counter_add_index(struct counter *c, struct filter_eval *only)
{
	bool			 sure;
	struct type_stat	*ts;
	size_t			 n;

	if (c->of != OF_TYPE || c->nvalues > 0)
		return false;
	n = trace_type_stats(c->t, &ts);
	sure = types_decide(only, ts, n);
	for (size_t i = 0; i < n && sure; i++) {
		struct event	e = { .type = ts[i].type, .thread = EVENT_NONE,
				    .capture = EVENT_NONE };

		if (ts[i].c.events == 0 ||
		    (only != NULL && filter_type_verdict(only, ts[i].type) == 0))
			continue;
		event_find(c, &e, ROW_UNKNOWN);
		count_merge(count_of(c, c->keys[0]), &ts[i].c);
		count_merge(&c->all, &ts[i].c);
	}
	mem_free(ts);
	return sure;
}

/* ---- merging */

static void
figures_merge(struct counter *into, uint32_t key, const struct figure *from)
{
	for (size_t i = 0; i < into->nvalues; i++) {
		struct figure	*f = figure_of(into, key, i);

		figure_merge(f, &from[i]);
		if (from[i].ranks == NULL || key == BEYOND)
			continue;
		ranks_merge(ranks_of(into, f), from[i].ranks);
		ranks_bound(into, f->ranks, from[i].ranks->n);
	}
}

/* keys: by key of the part, its number here. */
static void
distinct_merge(struct counter *into, const struct counter *from, const uint32_t *keys)
{
	for (size_t i = 0; i < from->distinct.n; i++) {
		const struct distinct_value	*v = &from->distinct.v[i];

		distinct_count(into, keys[v->key], v->field, v->hash);
	}
}

void
counter_merge(struct counter *into, const struct counter *from)
{
	uint32_t	*keys = mem_zalloc(from->n + 1, sizeof *keys);
	bool		 same = into->seed == from->seed;

	assert(same || into->nvalues == 0);
	bins_cover_all(&into->bins, &from->bins);
	for (size_t i = 0; i < from->n; i++) {
		const struct entry	*e = &from->entry[i];

		keys[i] = key_find(into, &(struct key_view){ .id = e->id, .id_len = e->id_len,
		    .note = e->note, .note_len = e->note_len,
		    .hash = same ? e->hash : hash_bytes(into->seed, e->id, e->id_len) });
		count_merge(count_of(into, keys[i]), &e->count);
		if (into->nvalues > 0)
			figures_merge(into, keys[i], &from->figure[i * from->nvalues]);
		if (into->opt.bins && keys[i] < WITHOUT)
			bins_merge(&into->bins, keys[i], &from->bins, i);
	}
	distinct_merge(into, from, keys);
	figures_merge(into, BEYOND, from->beyond_figure);
	count_merge(&into->all, &from->all);
	count_merge(&into->beyond, &from->beyond);
	count_merge(&into->without, &from->without);
	mem_free(keys);
}

/* ---- asking */

uint32_t
counter_keys(const struct counter *c)
{
	return (uint32_t)c->n;
}

const struct count *
counter_count(const struct counter *c, uint32_t key)
{
	return &c->entry[key].count;
}

unsigned
counter_bins(const struct counter *c, uint32_t key, uint64_t out[COUNT_BINS])
{
	return bins_get(&c->bins, key, out);
}

void
counter_cover(struct counter *c, int64_t first, int64_t last)
{
	bins_cover(&c->bins, first);
	bins_cover(&c->bins, last);
}

const struct count *
counter_all(const struct counter *c)
{
	return &c->all;
}

const struct count *
counter_beyond(const struct counter *c)
{
	return &c->beyond;
}

const struct count *
counter_without(const struct counter *c)
{
	return &c->without;
}

size_t
counter_width(const struct counter *c)
{
	return c->by->n + (c->opt.every_ns > 0);
}

bool
counter_cells(const struct counter *c, uint32_t key, struct cell *cells)
{
	const struct entry	*e = &c->entry[key];

	return key_cells(e->id, e->note, cells, counter_width(c));
}

void
counter_aggregate(struct counter *c, uint32_t key, const struct aggregate *a, struct cell *out)
{
	figure_cell(figure_of(c, key, a->value), a, &c->text, out);
}

struct count_remarks
counter_remarks(const struct counter *c, const struct aggregate *a)
{
	struct count_remarks	r = { .others = c->beyond_figure[a->value].others };

	for (size_t i = 0; i < c->n; i++) {
		const struct figure	*f = &c->figure[i * c->nvalues + a->value];

		r.sketched += f->ranks != NULL && f->ranks->rough;
		r.capped += f->more;
		r.others += f->others;
	}
	return r;
}

struct order {
	const struct count	*count;
	uint32_t		 key;
};

static int
by_events(const void *a, const void *b)
{
	const struct order	*x = a, *y = b;

	if (x->count->events != y->count->events)
		return x->count->events > y->count->events ? -1 : 1;
	if (x->count->first != y->count->first)
		return x->count->first < y->count->first ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

void
counter_order(const struct counter *c, uint32_t *order)
{
	struct order	*o = mem_zalloc(c->n + 1, sizeof *o);

	for (size_t i = 0; i < c->n; i++)
		o[i] = (struct order){ &c->entry[i].count, (uint32_t)i };
	qsort(o, c->n, sizeof *o, by_events);
	for (size_t i = 0; i < c->n; i++)
		order[i] = o[i].key;
	mem_free(o);
}
