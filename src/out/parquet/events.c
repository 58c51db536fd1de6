/*
 * Events as rows of Parquet.
 *
 *	column	trace time | t ticks | provider id name | tid thread | stack | size payload ..
 *	made of	the file   | event   | type: once	| thread     | list  | event
 *
 * What depends on the type or the thread alone is read once for each of them and put again, and so
 * is a stack that another event of the part has. Other fields come from their cells. These columns
 * are put event by event, all others column by column for some events.
 *
 * Invariant: a column has the values of the JSON lines' key, in its type.
 */
#include "out/parquet/events.h"

#include <string.h>

#include "out/parquet/cells.h"
#include "out/parquet/stacks.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/engine/label.h"
#include "tnav/engine/naming.h"

#define STACKS		1024u		/* stacks of a part that are remembered */
#define NO_COLUMN	SIZE_MAX
#define KEPT_MOST	65536u		/* types and threads whose cells are kept */
#define AT_ONCE		256u		/* events whose columns are put one after the other */

/* How a column gets its value. */
enum event_how {
	HOW_NOT,			/* no event of this trace has it */
	HOW_TRACE, HOW_TIME,		/* the columns that JSON has not */
	HOW_RAW,			/* a number of struct event */
	HOW_ROW,
	HOW_TYPE, HOW_THREAD,		/* kept */
	HOW_HEADER,			/* a cell, by field_get_next() */
	HOW_STACK, HOW_LABELS, HOW_PAYLOAD, HOW_UNDECODED, HOW_ERROR,
	HOW_CELL,			/* a cell, by field_get() with others of the payload */
	HOWS,
};

struct event_column {
	enum event_how		 how;
	const struct field_ref	*ref;
	struct cell_kinds	 kinds;		/* of a field that depends on the event */
	bool			 looks;
};

struct event_file {
	struct parquet_place	*place;
	const char		*name;		/* of its folder, or NULL */
	struct trace		*t;
	struct event_out_options opt;
	const struct field_list	*fields;
	struct field_list	 all;
	struct event_column	*of;		/* by column of the file */
	struct parquet_column	*column;
	size_t			 n;
	size_t			*each, neach;	/* the columns that are put event by event ... */
	size_t			*flat, nflat;	/* ... and for many events */
	size_t			 at[HOWS];	/* the last column of each, or NO_COLUMN */
	struct stack_book	*book;		/* its stacks are ids; or NULL: they are lists */
	struct field_ref	*own;		/* borrowed: those of HOW_CELL ... */
	size_t			*own_at;	/* ... and their columns */
	size_t			 nown;
	struct place_facts	 facts;
	struct parquet_file	*file;
	uint64_t		 rows;		/* taken */
	struct output		*o;
	char			*path;
};

/* What a column has for a type or a thread. */
struct kept_value {
	uint32_t		part;		/* the rows whose value it is; 0: not known */
	bool			has;
	uint64_t		v;
};

struct kept_column {
	struct kept_value	*v;
	size_t			 n;
};

struct kept_stack {
	uint32_t		part, stack;
	uint64_t		scope, hash;	/* hash: of names */
	struct parquet_ref	ref;
};

/* The list of the last event with labels. */
struct kept_labels {
	uint32_t		part;
	uint64_t		loads;
	struct parquet_ref	ref;		/* len 0: none has a name */
};

struct event_part {
	struct event_file	*f;
	struct field_reader	*reader, *once;
	struct cell		*cell;
	struct parquet_rows	*rows;
	uint32_t		 part;		/* counts rows objects, from 1 on */
	struct kept_column	*kept;		/* by column */
	struct kept_stack	*stack;		/* STACKS of them, when there is one */
	struct kept_labels	 labels;
	struct stack_part	*stacks;	/* or NULL, as the book */
	struct stack_scope	 scope;
	struct buf		 text, one;
	struct cell_kinds	*kinds;		/* by column */
	struct parquet_ref	 trace;		/* the trace's name in these rows */
};

/* ---- columns */

static enum parquet_type
type_of_class(const struct field_def *d)
{
	switch (d->class) {
	case CLASS_NUMBER: case CLASS_KEYWORDS:
		return d->raw == RAW_TICKS ? PARQUET_I64 : PARQUET_U64;
	case CLASS_LEVEL: case CLASS_OPCODE:
		return PARQUET_U8;
	case CLASS_BYTES:
		return PARQUET_U64;
	case CLASS_TIME: case CLASS_DUR:
		return PARQUET_I64;
	case CLASS_GUID:
		return PARQUET_UUID;
	case CLASS_FRAMES:
		return PARQUET_JSON;
	default:
		return PARQUET_TEXT;
	}
}

/* Objects of JSON. */
static bool
is_json(const struct field_def *d)
{
	static const char *const	names[] = { "payload", "builtin" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(d->name, names[i]) == 0)
			return true;
	return false;
}

static bool
is_named(const struct field_def *d, const char *name)
{
	return d->kind == FIELD_HEADER && strcmp(d->name, name) == 0;
}

static enum event_how
how_of(const struct event_file *f, const struct field_ref *r)
{
	const struct field_def	*d = r->def;
	enum field_of		 of = field_ref_of(r, f->t);

	if (d->kind != FIELD_HEADER)
		return HOW_CELL;
	if (!field_in_trace(d, f->t))
		return HOW_NOT;
	if (d->raw != RAW_NONE && !field_is_span(d, f->t) &&
	    !(d->raw == RAW_TICKS && trace_has(f->t, HAS_SUBSTREAMS)))
		return HOW_RAW;
	if (is_named(d, "row"))
		return f->opt.rows ? HOW_ROW : HOW_NOT;
	if (d->class == CLASS_STACK)
		return HOW_STACK;
	if (is_named(d, "labels"))
		return HOW_LABELS;
	if (is_named(d, "payload"))
		return HOW_PAYLOAD;
	if (is_named(d, "undecoded"))
		return HOW_UNDECODED;
	if (is_named(d, "error"))
		return HOW_ERROR;
	if (of == OF_TYPE || d->of == OF_META)
		return HOW_TYPE;
	if (of == OF_THREAD)
		return HOW_THREAD;
	return d->of == OF_PAYLOAD ? HOW_CELL : HOW_HEADER;
}

static void
add_column(struct event_file *f, const char *name, enum event_how how, enum parquet_type type)
{
	f->of[f->n].how = how;
	f->column[f->n++] = (struct parquet_column){ .name = name, .type = type };
}

static void
add_field(struct event_file *f, const struct field_ref *r, const char *name)
{
	const struct field_def	*d = r->def;
	struct event_column	*c = &f->of[f->n];

	c->ref = r;
	c->looks = d->kind != FIELD_HEADER;
	add_column(f, name, how_of(f, r), is_json(d) ? PARQUET_JSON : type_of_class(d));
	if (is_named(d, "raw"))
		f->column[f->n - 1].type = PARQUET_BYTES;
	if (c->how == HOW_ROW)
		f->column[f->n - 1].required = true;
	if (d->kind == FIELD_HEADER && d->class == CLASS_STACK) {
		f->column[f->n - 1].list = f->book == NULL;
		f->column[f->n - 1].type = f->opt.symbols && f->book == NULL ? PARQUET_TEXT :
		    PARQUET_U64;
	}
	if (is_named(d, "labels"))
		f->column[f->n - 1].list = true;
	if (c->how != HOW_CELL)
		return;
	f->own_at[f->nown] = f->n - 1;
	f->own[f->nown++] = *r;
}

/* Sort out the columns by how an event puts them. */
static void
sort_columns(struct event_file *f)
{
	for (size_t how = 0; how < HOWS; how++)
		f->at[how] = NO_COLUMN;
	for (size_t i = 0; i < f->n; i++) {
		f->at[f->of[i].how] = i;
		if (f->of[i].how >= HOW_TRACE && f->of[i].how <= HOW_THREAD)
			f->flat[f->nflat++] = i;
		else if (f->of[i].how == HOW_HEADER)
			f->each[f->neach++] = i;
	}
}

struct event_file *
event_file_new(struct parquet_place *p, const char *name, struct trace *t,
    const struct event_out_options *opt, const struct field_list *fields)
{
	struct event_file	*f = mem_zalloc(1, sizeof *f);
	size_t			 n;

	f->place = p;
	f->name = name;
	f->t = t;
	f->opt = *opt;
	f->fields = fields != NULL ? fields : &f->all;
	if (fields == NULL)
		field_list_all(&f->all, NULL, opt->rows, opt->crc, opt->raw);
	n = f->fields->n + 2;
	f->of = mem_zalloc(n, sizeof *f->of);
	f->column = mem_zalloc(n, sizeof *f->column);
	f->own = mem_zalloc(n, sizeof *f->own);
	f->own_at = mem_zalloc(n, sizeof *f->own_at);
	f->each = mem_zalloc(n, sizeof *f->each);
	f->flat = mem_zalloc(n, sizeof *f->flat);
	f->book = p->stacks && opt->symbols ? stack_book_new() : NULL;
	place_facts_init(&f->facts, p);
	if (!field_list_titled(f->fields, "trace"))
		add_column(f, "trace", HOW_TRACE, PARQUET_TEXT);
	if (f->facts.has_started && !field_list_titled(f->fields, "time")) {
		add_column(f, "time", HOW_TIME, PARQUET_TIME);
		f->column[f->n - 1].required = true;
	}
	for (size_t i = 0; i < f->fields->n; i++)
		add_field(f, &f->fields->v[i], f->fields->titles[i]);
	sort_columns(f);
	return f;
}

bool
event_file_looks(const struct event_file *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->of[i].looks)
			return true;
	return false;
}

void
event_file_looked(struct event_file *f, struct event_part *part)
{
	for (size_t i = 0; i < f->n; i++) {
		if (!f->of[i].looks)
			continue;
		f->of[i].kinds.seen |= part->kinds[i].seen;
		f->of[i].kinds.huge |= part->kinds[i].huge;
		part->kinds[i] = (struct cell_kinds){ .seen = 0 };
		f->column[i].type = cell_kinds_type(&f->of[i].kinds, CELL_NONE);
	}
}

/* The column in whose order the rows are; -1: there is none. */
static int
sorted_column(const struct event_file *f)
{
	if (!f->opt.rows || !trace_ordered(f->t) || f->at[HOW_TIME] == NO_COLUMN)
		return -1;
	return (int)f->at[HOW_TIME];
}

int
event_file_open(struct event_file *f, bool many)
{
	struct parquet_options	opt = { .workers = f->place->workers, .key = f->facts.key,
				    .nkeys = f->facts.n, .sorted = sorted_column(f),
				    .many = many };
	int			err = place_open(f->place, f->name, NULL, &f->o, &f->path);

	if (err == ERR_OK)
		f->file = parquet_file_new(f->o, f->column, f->n, &opt);
	return err;
}

int
event_file_end(struct event_file *f, bool keep)
{
	int	err = ERR_OK, closed = ERR_OK;

	if (f->file != NULL && keep)
		err = parquet_file_end(f->file);
	else
		parquet_file_drop(f->file);
	if (f->o != NULL)
		closed = place_close(f->place, f->o, f->path, keep && err == ERR_OK);
	if (f->book != NULL && keep && err == ERR_OK && closed == ERR_OK)
		closed = stack_book_write(f->book, f->place, &f->facts);
	stack_book_free(f->book);
	place_facts_release(&f->facts);
	field_list_release(&f->all);
	mem_free(f->of);
	mem_free(f->column);
	mem_free(f->own);
	mem_free(f->own_at);
	mem_free(f->each);
	mem_free(f->flat);
	mem_free(f);
	return err < 0 ? err : closed;
}

/* ---- parts */

static void
set_rows(struct event_part *p, struct parquet_rows *r)
{
	p->rows = r;
	p->part++;
	p->trace = (struct parquet_ref){ .len = 0 };
}

struct event_part *
event_part_new(struct event_file *f)
{
	const struct field_options	 o = { .no_rows = !f->opt.rows,
					    .words = f->opt.enums ? WORDS_INSTEAD : WORDS_CHEAP,
					    .frames = f->opt.symbols ? FRAMES_RAW :
					    FRAMES_ADDRESSES };
	struct event_part		*p = mem_zalloc(1, sizeof *p);

	p->f = f;
	p->reader = field_reader_new(f->t, &o);
	p->once = field_reader_new(f->t, &o);
	p->stacks = f->book != NULL ? stack_part_new(f->book) : NULL;
	p->cell = mem_zalloc(f->nown + 1, sizeof *p->cell);
	p->kept = mem_zalloc(f->n, sizeof *p->kept);
	p->kinds = mem_zalloc(f->n, sizeof *p->kinds);
	set_rows(p, parquet_rows_new(f->column, f->n));
	return p;
}

void
event_part_free(struct event_part *p)
{
	if (p == NULL)
		return;
	for (size_t i = 0; i < p->f->n; i++)
		mem_free(p->kept[i].v);
	field_reader_free(p->reader);
	field_reader_free(p->once);
	stack_part_free(p->stacks);
	parquet_rows_free(p->rows);
	buf_release(&p->text);
	buf_release(&p->one);
	mem_free(p->kept);
	mem_free(p->stack);
	mem_free(p->kinds);
	mem_free(p->cell);
	mem_free(p);
}

uint32_t
event_part_rows(const struct event_part *p)
{
	return p->rows->n;
}

uint64_t
event_file_rows(const struct event_file *f)
{
	return f->rows;
}

size_t
event_file_bytes(const struct event_file *f)
{
	return parquet_file_bytes(f->file);
}

int
event_file_flush(struct event_file *f)
{
	return parquet_file_flush(f->file);
}

int
event_file_take(struct event_file *f, struct event_part *part, uint64_t limit)
{
	struct parquet_rows	*r = part->rows;

	if (limit < r->n)
		parquet_rows_cut(r, (uint32_t)limit);
	set_rows(part, parquet_file_rows(f->file));
	if (f->book != NULL && f->at[HOW_STACK] != NO_COLUMN)
		stack_part_map(part->stacks, &r->cell[f->at[HOW_STACK]]);
	f->rows += r->n;
	return parquet_file_add(f->file, r);
}

void
event_part_look(struct event_part *p, const struct event *e)
{
	field_get(p->reader, p->f->own, p->f->nown, e, ROW_UNKNOWN, p->cell);
	for (size_t i = 0; i < p->f->nown; i++)
		if (p->f->of[p->f->own_at[i]].looks)
			cell_kinds_add(&p->kinds[p->f->own_at[i]], &p->cell[i]);
}

/* ---- values of a type or a thread */

static void
read_value(struct event_part *p, size_t column, const struct event *e, struct kept_value *k)
{
	struct cell	cell;

	field_get(p->once, p->f->of[column].ref, 1, e, ROW_UNKNOWN, &cell);
	k->part = p->part;
	k->has = parquet_value(p->rows, column, &cell, &k->v);
}

/* The column's value for a type or a thread that may be new. */
static struct kept_value
kept_value(struct event_part *p, size_t column, const struct event *e)
{
	struct kept_column	*k = &p->kept[column];
	bool			 by_type = p->f->of[column].how == HOW_TYPE;
	uint32_t		 i = by_type ? e->type : e->thread;
	struct kept_value	 own = { .has = false };

	if (!by_type && i == EVENT_NONE)
		return own;
	if (i >= KEPT_MOST || (by_type && e->labels != 0 &&
	    labels_override(field_labels(p->reader, e)))) {
		read_value(p, column, e, &own);
		return own;
	}
	k->v = array_reach(k->v, &k->n, i, sizeof *k->v);
	if (k->v[i].part != p->part)
		read_value(p, column, e, &k->v[i]);
	return k->v[i];
}

/* ---- stacks */

static struct parquet_ref
put_addresses(struct event_part *p, size_t column, const struct event *e)
{
	const uint64_t	*ips;
	size_t		 n = field_stack(p->reader, e, &ips);

	for (size_t i = 0; i < n; i++)
		parquet_element_u64(p->rows, column, ips[i]);
	return n > 0 ? parquet_list(p->rows, column, (uint32_t)n) : (struct parquet_ref){ 0, 0 };
}

/* The names as the JSON has them, whose length bounds them; with a book as a number of the part. */
static struct parquet_ref
put_names(struct event_part *p, size_t column, const struct event *e)
{
	const uint64_t		*ips;
	size_t			 n = field_stack(p->reader, e, &ips), len = 1;
	struct parquet_ref	 number = { .len = (uint32_t)n };

	for (size_t i = 0; i < n; i++) {
		struct frame_name	name;

		(void)trace_name_bounded(p->f->t, e, ips[i], (unsigned)i, false, len, &name);
		buf_clear(&p->one);
		frame_text(&p->one, &name, ips[i], FRAME_RAW);
		if (p->stacks != NULL) {
			stack_part_frame(p->stacks, span_of_buf(&p->one), name.module, ips[i]);
			len += p->one.len;
			continue;
		}
		parquet_element_text(p->rows, column, span_of_buf(&p->one));
		buf_clear(&p->text);
		json_text8(&p->text, span_of_buf(&p->one));
		len += p->text.len + (i > 0);
	}
	if (n > 0 && p->stacks == NULL)
		return parquet_list(p->rows, column, (uint32_t)n);
	if (n > 0) {
		number.at = stack_part_end(p->stacks);
		parquet_again(p->rows, column, number);
	}
	return number;
}

/* What names the frames, and with ids also where they are. */
static uint64_t
stack_hash(struct event_part *p, const struct event *e)
{
	const uint64_t	*ips;
	size_t		 n;
	uint64_t	 hash;

	buf_clear(&p->text);
	field_stack_json(p->reader, &p->text, e);
	hash = hash_bytes(p->text.p, p->text.len);
	if (p->stacks == NULL)
		return hash;
	n = field_stack(p->reader, e, &ips);
	return hash_more(hash, ips, n * sizeof *ips);
}

/* Many events of a part have the same stack: its list is put again. */
static void
put_stack(struct event_part *p, size_t column, const struct event *e)
{
	struct kept_stack	*k;
	/* A number of the book's part is the same in all rows. */
	struct kept_stack	 of = { .part = p->stacks != NULL ? 0 : p->part,
				    .stack = e->stack };

	if (e->stack == 0)
		return;
	if (p->stack == NULL)
		p->stack = mem_zalloc(STACKS, sizeof *p->stack);
	k = &p->stack[stack_place(e) % STACKS];
	if (p->f->opt.symbols) {
		of.hash = stack_hash(p, e);
	} else if (trace_stack_scope(p->f->t, e, &p->scope)) {
		of.scope = (uint64_t)p->scope.now.number + 1;
	} else {
		(void)put_addresses(p, column, e);
		return;
	}
	if (k->part == of.part && k->stack == of.stack && k->scope == of.scope &&
	    k->hash == of.hash) {
		if (k->ref.len > 0)
			parquet_again(p->rows, column, k->ref);
		return;
	}
	of.ref = p->f->opt.symbols ? put_names(p, column, e) : put_addresses(p, column, e);
	*k = of;
}

/* ---- labels */

static void
put_labels(struct event_part *p, size_t column, const struct event *e)
{
	const struct label_set	*s = field_labels(p->reader, e);
	struct kept_labels	*k = &p->labels;
	uint32_t		 n = 0;

	if (k->part == p->part && k->loads == s->loads) {
		if (k->ref.len > 0)
			parquet_again(p->rows, column, k->ref);
		return;
	}
	*k = (struct kept_labels){ .part = p->part, .loads = s->loads };
	for (size_t i = 0; i < s->n; i++) {
		buf_clear(&p->one);
		if (!label_text(&s->v[i], &p->one))
			continue;
		parquet_element_text(p->rows, column, span_of_buf(&p->one));
		n++;
	}
	if (n > 0)
		k->ref = parquet_list(p->rows, column, n);
}

/* ---- some events, column by column */

/* Cells of a column, for some events. */
struct event_run {
	const struct pass_batch	*b;
	uint32_t		 from, n;
	uint64_t		 v[AT_ONCE];
	bool			 has[AT_ONCE];	/* unless all have a value */
};

static const struct event *
run_event(const struct event_run *x, uint32_t i)
{
	return &x->b->ev[x->b->at[x->from + i]];
}

static int64_t
utc_of(const struct event_file *f, const struct event *e)
{
	int64_t	ns = trace_ns(f->t, e->ts), utc;

	if (__builtin_add_overflow(f->facts.started, ns, &utc))
		utc = ns < 0 ? INT64_MIN : INT64_MAX;
	return utc;
}

static void
get_raw(const struct event_file *f, enum field_raw raw, struct event_run *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		const struct event	*e = run_event(x, i);

		switch (raw) {
		case RAW_TIME:
			x->v[i] = (uint64_t)trace_ns(f->t, e->ts);
			break;
		case RAW_TICKS:
			x->v[i] = (uint64_t)e->ts;
			break;
		case RAW_DUR:
			x->v[i] = e->dur;
			break;
		case RAW_CPU:
			x->v[i] = (uint64_t)e->cpu;
			x->has[i] = e->cpu >= 0;
			break;
		case RAW_SEQ:
			x->v[i] = e->seq;
			break;
		case RAW_SIZE:
			x->v[i] = e->size;
			break;
		case RAW_NONE:
			break;
		}
	}
}

/* Returns whether all have a value. */
static bool
get_kept(struct event_part *p, size_t column, struct event_run *x)
{
	bool	all = true;

	for (uint32_t i = 0; i < x->n; i++) {
		struct kept_value	k = kept_value(p, column, run_event(x, i));

		x->v[i] = k.v;
		x->has[i] = k.has;
		all &= k.has;
	}
	return all;
}

static void
get_trace(struct event_part *p, size_t column, struct event_run *x)
{
	if (p->trace.len == 0)
		p->trace = parquet_keep(p->rows, column, span_of(p->f->place->trace));
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i] = parquet_ref_value(p->trace);
}

static void
put_run(struct event_part *p, size_t column, struct event_run *x)
{
	const struct event_file		*f = p->f;
	const struct event_column	*c = &f->of[column];
	bool				 all = true;

	switch (c->how) {
	case HOW_TRACE:
		get_trace(p, column, x);
		break;
	case HOW_TIME:
		for (uint32_t i = 0; i < x->n; i++)
			x->v[i] = (uint64_t)utc_of(f, run_event(x, i));
		break;
	case HOW_ROW:
		for (uint32_t i = 0; i < x->n; i++)
			x->v[i] = pass_row(x->b, x->from + i);
		break;
	case HOW_RAW:
		get_raw(f, c->ref->def->raw, x);
		all = c->ref->def->raw != RAW_CPU;
		break;
	default:
		all = get_kept(p, column, x);
		break;
	}
	parquet_run(p->rows, column, x->v, all ? NULL : x->has, x->n);
}

/* ---- an event */

/* The payload, and what reading it tells. */
static void
put_payload(struct event_part *p, const struct event *e)
{
	const struct event_file	*f = p->f;
	struct payload_result	 res = { 0 };
	struct buf		*to = &p->text;
	size_t			 from;

	if (f->at[HOW_PAYLOAD] != NO_COLUMN)
		to = &p->rows->cell[f->at[HOW_PAYLOAD]].text;
	else
		buf_clear(to);
	from = to->len;
	payload_json(to, trace_type(f->t, e->type), trace_payload(f->t, e), f->opt.enums, &res);
	if (f->at[HOW_PAYLOAD] != NO_COLUMN)
		parquet_text_from(p->rows, f->at[HOW_PAYLOAD], from);
	if (f->at[HOW_UNDECODED] != NO_COLUMN && res.undecoded > 0)
		parquet_u64(p->rows, f->at[HOW_UNDECODED], res.undecoded);
	if (f->at[HOW_ERROR] != NO_COLUMN && res.error != NULL)
		parquet_text(p->rows, f->at[HOW_ERROR], span_of(res.error));
}

/* Before all others: the reader's next call takes back what the cells borrow. */
static void
put_cells(struct event_part *p, const struct event *e, uint64_t row)
{
	if (p->f->nown == 0)
		return;
	field_get(p->reader, p->f->own, p->f->nown, e, row, p->cell);
	for (size_t i = 0; i < p->f->nown; i++)
		parquet_cell(p->rows, p->f->own_at[i], &p->cell[i]);
}

static void
put_event(struct event_part *p, const struct event *e, uint64_t row)
{
	const struct event_file	*f = p->f;
	struct cell		 cell;

	put_cells(p, e, row);
	field_turn(p->reader);
	if (f->at[HOW_STACK] != NO_COLUMN)
		put_stack(p, f->at[HOW_STACK], e);
	if (f->at[HOW_LABELS] != NO_COLUMN && e->labels != 0)
		put_labels(p, f->at[HOW_LABELS], e);
	for (size_t i = 0; i < f->neach; i++) {
		field_get_next(p->reader, f->of[f->each[i]].ref->def, false, e, row, &cell);
		parquet_cell(p->rows, f->each[i], &cell);
	}
	if (f->at[HOW_PAYLOAD] != NO_COLUMN || f->at[HOW_UNDECODED] != NO_COLUMN ||
	    f->at[HOW_ERROR] != NO_COLUMN)
		put_payload(p, e);
	parquet_row_end(p->rows);
}

void
event_part_add(struct event_part *p, const struct pass_batch *b)
{
	struct event_run	x = { .b = b };

	for (; x.from < b->n; x.from += x.n) {
		x.n = b->n - x.from < AT_ONCE ? b->n - x.from : AT_ONCE;
		for (uint32_t i = 0; i < x.n; i++)
			put_event(p, run_event(&x, i), pass_row(b, x.from + i));
		for (size_t i = 0; i < p->f->nflat; i++)
			put_run(p, p->f->flat[i], &x);
	}
}
