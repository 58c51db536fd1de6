/*
 * Counts by value: a hash table of keys, which are kept as bytes.
 *
 *	event	fields, values	->  keys 7, 9					count_keys.c
 *	key 7	count, bins, and a figure for each value			count_values.c
 *
 * Invariant: all = the sum of the keys, beyond and without. Memory is bounded by the number of
 * keys, the length that is kept of a text, and the limits of ranks and distinct values.
 */
#include "engine/pass/counter.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/pass.h"

/* ---- making a counter */

/* What all of the fields depend on: the type, the thread, or else the event. */
static enum field_of
follows_from(const struct field_list *by, struct trace *t)
{
	enum field_of	of = by->n > 0 ? field_ref_of(&by->v[0], t) : OF_EVENT;

	for (size_t i = 1; i < by->n; i++)
		if (field_ref_of(&by->v[i], t) != of)
			return OF_EVENT;
	return of;
}

/* Does each of the fields depend on the type alone, or on the thread alone? */
static bool
follows_from_both(const struct counter *c)
{
	bool	both = c->by->n > 1 && c->opt.every_ns == 0;

	for (size_t i = 0; i < c->by->n && both; i++) {
		enum field_of	of = field_ref_of(&c->by->v[i], c->t);

		both = of == OF_TYPE || of == OF_THREAD;
	}
	return both;
}

/* Fields of the header have one value, except for names of frames and of spans. */
static bool
may_be_list(const struct field_def *d, struct trace *t)
{
	return d->kind != FIELD_HEADER || d->class == CLASS_FRAMES || field_is_span(d, t);
}

/* Can a field of the key have several values? */
static bool
has_lists(const struct counter *c)
{
	for (size_t i = 0; i < c->by->n && c->opt.each; i++)
		if (may_be_list(c->by->v[i].def, c->t))
			return true;
	return false;
}

static void
limits_default(struct count_limits *l)
{
	l->few = l->few > 0 ? l->few : LIMIT_SAMPLE_FEW;
	l->group = l->group > 0 ? l->group : LIMIT_SAMPLE_GROUP;
	l->all = l->all > 0 ? l->all : LIMIT_SAMPLE_ALL;
	l->distinct = l->distinct > 0 ? l->distinct : LIMIT_DISTINCT;
}

/* Make the readers: for values, a separate one that gives numbers if keys are words. */
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
	c->known = mem_zalloc(c->nknown, sizeof *c->known);
	if (c->of == OF_EVENT && follows_from_both(c))
		c->pairs = mem_zalloc(KEY_PAIRS, sizeof *c->pairs);
	else if (c->of != OF_TYPE && c->of != OF_THREAD && c->by->n == 1 && c->opt.every_ns == 0)
		c->lone = mem_zalloc(KEY_NUMBERS, sizeof *c->lone);
}

/* All but what says what to count, and the readers. */
static void
counts_init(struct counter *c)
{
	const struct count_options	*o = &c->opt;
	const struct field_list		*by = c->by;

	values_init(c);
	known_init(c);
	counter_ways_init(c);
	counter_stacks_init(c);
	c->parts = mem_zalloc(by->n + 1, sizeof *c->parts);
	c->distinct = (struct distinct){ .limit = (size_t)o->limits.distinct };
	bins_init(&c->bins, COUNT_BINS);
	if (o->slices > 0) {
		bins_cover(&c->bins, 0);
		bins_cover(&c->bins, o->slices - 1);
	}
	c->text = mem_zalloc(c->nvalues + 1, sizeof *c->text);
}

struct counter *
counter_new(struct trace *t, const struct field_list *by, const struct count_options *o)
{
	struct counter	*c = mem_zalloc(1, sizeof *c);

	c->t = t;
	c->by = by;
	c->opt = *o;
	c->slice.first = 1;		/* none: last is less */
	c->key_options = (struct key_options){ .most = o->text, .valued = o->valued };
	limits_default(&c->opt.limits);
	c->lists = has_lists(c);
	c->nvalues = o->aggregates != NULL ? o->aggregates->values.n : 0;
	readers_new(c);
	counts_init(c);
	return c;
}

struct counter *
counter_new_part(const struct counter *whole)
{
	return counter_new(whole->t, whole->by, &whole->opt);
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

static void
counts_release(struct counter *c)
{
	figures_free(c);
	counter_ways_release(c);
	counter_stacks_free(c);
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
	mem_free(c->pairs);
	mem_free(c->lone);
	distinct_release(&c->distinct);
	hashtable_release(&c->table);
	arena_release(&c->arena);
	key_release(&c->key);
	for (size_t i = 0; i < c->nvalues; i++)
		buf_release(&c->text[i]);
	mem_free(c->text);
}

void
counter_free(struct counter *c)
{
	if (c == NULL)
		return;
	counts_release(c);
	if (c->numbers != c->reader)
		field_reader_free(c->numbers);
	field_reader_free(c->reader);
	mem_free(c);
}
/* ---- adding */

/* The slice of a time: mostly that of the event before. */
static unsigned
slice_of(struct counter *c, int64_t ts)
{
	const struct count_options	*o = &c->opt;
	int64_t				 ends[2];

	if (ts >= c->slice.first && ts <= c->slice.last)
		return c->slice.at;
	c->slice.at = time_bucket(ts, o->slices_from, o->slices_to, o->slices);
	c->slice.first = c->slice.last = ts;
	for (unsigned i = 0; i < 2; i++)
		ends[i] = time_bucket_start(c->slice.at + i, o->slices_from, o->slices_to,
		    o->slices);
	/* time_bucket() rounds, so a tick at an end may lie in the next slice. It never falls. */
	if (ends[0] < ts && time_bucket(ends[0], o->slices_from, o->slices_to, o->slices) ==
	    c->slice.at)
		c->slice.first = ends[0];
	if (--ends[1] > ts && time_bucket(ends[1], o->slices_from, o->slices_to, o->slices) ==
	    c->slice.at)
		c->slice.last = ends[1];
	return c->slice.at;
}

/* Count the event for each of its keys, of which there is one or more. */
static void
keys_count(struct counter *c, const uint32_t *keys, size_t n, const struct event *e)
{
	int64_t	ts = e->ts;

	count_add(&c->all, e);
	c->all.events += n - 1;
	c->all.bytes += (n - 1) * e->size;
	for (size_t i = 0; i < n; i++)
		count_add(counter_count_of(c, keys[i]), e);
	if (!c->opt.bins)
		return;
	if (c->opt.slices > 0)		/* all are covered */
		ts = slice_of(c, ts);
	else
		bins_cover(&c->bins, ts);
	for (size_t i = 0; i < n; i++)
		if (keys[i] < WITHOUT)
			bins_add(&c->bins, keys[i], ts, 1);
}

/* Add an event without making cells, as for most types. False: this one needs cells. */
static bool
add_placed(struct counter *c, const struct event *e)
{
	const struct type_way	*w = counter_way(c, e->type);
	uint32_t		 key = w->same ? counter_known(c, e) : 0;

	if (!w->placed || (w->same && key == 0) || (!w->bare && !counter_placed(c, w, e)))
		return false;
	key = w->same ? key - 1 : counter_find_lone(c, e);
	keys_count(c, &key, 1, e);
	for (size_t i = 0; i < c->nvalues && key != WITHOUT && !w->bare; i++)
		if (c->number[i].num.kind != NUM_NONE)
			counter_add_number(c, key, i, &c->number[i]);
	return true;
}

void
counter_add(struct counter *c, const struct event *e, uint64_t row)
{
	uint32_t	known = 0;

	if (c->stacks != NULL && counter_stack_count(c, e, row))
		return;
	if (c->nvalues == 0)
		known = counter_known(c, e);
	if (known != 0) {
		known--;
		keys_count(c, &known, 1, e);
		return;
	}
	if (add_placed(c, e))
		return;
	counter_find(c, e, row);
	keys_count(c, c->keys, c->nkeys, e);
	if (c->keys[0] == WITHOUT)
		return;
	for (size_t i = 0; i < c->nvalues; i++)
		counter_add_values(c, i, e, row);
}

/* ---- counts from the index */

bool
count_types(struct trace *t, struct filter_eval *only, count_type_fn fn, void *arg)
{
	struct type_stat	*ts;
	size_t			 n = trace_type_stats(t, &ts);
	bool			 sure = true;

	for (size_t i = 0; only != NULL && i < n && sure; i++)
		sure = ts[i].c.events == 0 || filter_type_verdict(only, ts[i].type) >= 0;
	for (size_t i = 0; i < n && sure; i++)
		if (ts[i].c.events > 0 &&
		    (only == NULL || filter_type_verdict(only, ts[i].type) > 0))
			fn(arg, ts[i].type, &ts[i].c);
	mem_free(ts);
	return sure;
}

static void
add_type(void *arg, uint32_t type, const struct count *count)
{
	struct counter		*c = arg;
	const struct event	 e = { .type = type, .thread = EVENT_NONE,
				     .capture = EVENT_NONE };

	counter_find(c, &e, ROW_UNKNOWN);
	count_merge(counter_count_of(c, c->keys[0]), count);
	count_merge(&c->all, count);
}

bool
counter_add_index(struct counter *c, struct filter_eval *only)
{
	return c->of == OF_TYPE && c->nvalues == 0 && count_types(c->t, only, add_type, c);
}

/* ---- merging */

/* keys: for each key of from, its number in into. */
static void
known_merge(struct counter *into, const struct counter *from, const uint32_t *keys)
{
	for (size_t i = 0; i < from->nknown; i++) {
		uint32_t	key = from->known[i];

		if (key != 0 && key <= from->n && keys[key - 1] < WITHOUT)
			counter_know(into, (uint32_t)i, keys[key - 1]);
	}
}

void
counter_merge(struct counter *into, const struct counter *from)
{
	uint32_t	*keys = mem_zalloc(from->n + 1, sizeof *keys);

	bins_cover_all(&into->bins, &from->bins);
	for (size_t i = 0; i < from->n; i++) {
		const struct key_texts	*e = &from->entry[i];

		keys[i] = counter_key(into, &(struct key_view){ .id = e->id, .id_len = e->id_len,
		    .note = e->note, .note_len = e->note_len,
		    .hash = e->hash });
		count_merge(counter_count_of(into, keys[i]), &e->count);
		if (into->nvalues > 0)
			counter_merge_figures(into, keys[i], &from->figure[i * from->nvalues]);
		if (into->opt.bins && keys[i] < WITHOUT)
			bins_merge(&into->bins, keys[i], &from->bins, i);
	}
	if (into->of == OF_TYPE && from->of == OF_TYPE)
		known_merge(into, from, keys);
	counter_merge_distinct(into, from, keys);
	counter_merge_figures(into, BEYOND, from->beyond_figure);
	count_merge(&into->all, &from->all);
	count_merge(&into->beyond, &from->beyond);
	count_merge(&into->without, &from->without);
	mem_free(keys);
}

/* ---- passes */

static void *
part_begin(void *whole)
{
	struct counter	*c = counter_new_part(whole);

	counter_stacks_later(c);
	return c;
}

static void
part_add(void *part, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		counter_add(part, &b->ev[b->at[i]], pass_row(b, i));
}

static int
part_merge(void *whole, void *part)
{
	counter_stacks_settle(part);
	counter_merge(whole, part);
	return 0;
}

/* What the readers know of the trace stays: names of stacks, for instance. */
static void
part_clear(void *part)
{
	struct counter	*c = part, was = *c;

	counts_release(&was);
	*c = (struct counter){ .t = was.t, .by = was.by, .opt = was.opt,
	    .key_options = was.key_options, .lists = was.lists, .nvalues = was.nvalues,
	    .reader = was.reader, .numbers = was.numbers };
	counts_init(c);
	counter_stacks_later(c);
}

static void
part_free(void *part)
{
	counter_free(part);
}

const struct pass_ops	counter_ops = {
	.begin = part_begin, .add = part_add, .merge = part_merge, .clear = part_clear,
	.free = part_free,
};

/* ---- results */

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

struct key_provider {
	uint32_t	 key;
	const char	*provider;
};

SORT_ORDER(by_key_and_provider, struct key_provider, RISING(key) COMPARED(strcmp, provider))

void
counter_providers(const struct counter *c, uint32_t *out)
{
	struct key_provider	*p = mem_zalloc(c->nknown, sizeof *p);
	size_t			 n = 0;

	memset(out, 0, c->n * sizeof *out);
	for (size_t i = 0; c->of == OF_TYPE && i < c->nknown; i++)
		if (c->known[i] != 0 && c->known[i] <= c->n)
			p[n++] = (struct key_provider){ .key = c->known[i] - 1,
			    .provider = trace_type(c->t, (uint32_t)i)->provider };
	sort_array(p, n, sizeof *p, by_key_and_provider);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || by_key_and_provider(&p[i - 1], &p[i]) != 0)
			out[p[i].key]++;
	mem_free(p);
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

uint64_t
counter_searched(const struct counter *c)
{
	return c->searched;
}

size_t
counter_width(const struct counter *c)
{
	return c->by->n + (c->opt.every_ns > 0);
}

bool
counter_cells(const struct counter *c, uint32_t key, struct cell *cells)
{
	const struct key_texts	*e = &c->entry[key];

	return key_cells(e->id, e->note, cells, counter_width(c));
}

void
counter_aggregate(struct counter *c, uint32_t key, const struct aggregate *a, struct cell *out)
{
	figure_cell(counter_figure_of(c, key, a->value), a, &c->text[a->value], out);
}

struct count_remarks
counter_remarks(const struct counter *c, const struct aggregate *a)
{
	struct count_remarks	r = { .others = c->beyond_figure[a->value].others };

	for (size_t i = 0; i < c->n; i++) {
		const struct accumulator	*f = &c->figure[i * c->nvalues + a->value];

		r.sketched += f->ranks != NULL && f->ranks->rough;
		r.capped += f->more;
		r.others += f->others;
	}
	return r;
}

struct key_order {
	const struct count	*count;
	uint32_t		 key;
};

SORT_ORDER(by_events, struct key_order, FALLING(count->events) RISING(count->first) RISING(key))

void
counter_order(const struct counter *c, uint32_t *order)
{
	struct key_order	*o = mem_zalloc(c->n + 1, sizeof *o);

	for (size_t i = 0; i < c->n; i++)
		o[i] = (struct key_order){ &c->entry[i].count, (uint32_t)i };
	sort_array(o, c->n, sizeof *o, by_events);
	for (size_t i = 0; i < c->n; i++)
		order[i] = o[i].key;
	mem_free(o);
}
