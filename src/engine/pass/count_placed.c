/*
 * Counting events without cells, if the description of their type gives the places of the numbers
 * of all fields.
 *
 *	by a, sum b	type 3: a is u32 at 4, b is u32 at 24	-> the key of 4711, and 120
 *			type 4: has neither			-> its only key, and no value
 *			type 5: a is a text			by cells
 *
 * Invariant: an event adds the same as by its cells. If the bytes at these places are not enough to
 * know that, cells are used.
 */
#include "engine/pass/counter.h"

#include <math.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"

/* ---- places */

static bool
is_float(enum field_kind k)
{
	return k == FK_F32 || k == FK_F64;
}

/* Is it a number whose cell would have no word? */
static bool
is_bare_number(const struct field *f, enum field_words words)
{
	switch (f->kind) {
	case FK_U8: case FK_I8: case FK_U16: case FK_I16: case FK_U32: case FK_I32: case FK_U64:
	case FK_I64: case FK_PTR: case FK_F32: case FK_F64:
		break;
	default:
		return false;
	}
	return f->array == AK_NONE &&
	    (f->map == NULL || words == WORDS_CHEAP || words == WORDS_BARE);
}

static struct number_place
payload_place(struct counter *c, size_t field, const struct event_type *type)
{
	const struct program	*program = field_program(&c->programs[field], type);
	const struct field	*f = program_field(program);
	bool			 key = field < c->by->n;
	enum field_words	 words = c->opt.fields.words;

	if (program_absent(program))
		return (struct number_place){ .is = PLACE_NEVER };
	if (!key && words == WORDS_INSTEAD)
		words = WORDS_BARE;		/* as for c->numbers */
	if (f == NULL || !is_bare_number(f, words) || (key && is_float(f->kind)))
		return (struct number_place){ .is = PLACE_CELL };
	return (struct number_place){ .is = PLACE_PAYLOAD, .program = program,
	    .at = program_place(program),
	    .show = f->flags & FIELD_HEX || f->kind == FK_PTR ? SHOW_HEX : 0 };
}

/* The place of a header field, as a value. Keys of raw header fields are rare, or have words. */
static struct number_place
header_place(const struct counter *c, const struct field_def *d)
{
	bool	raw = d->raw == RAW_DUR || d->raw == RAW_SIZE || d->raw == RAW_SEQ;

	if (!raw || !trace_has(c->t, d->needs) || field_is_span(d, c->t))
		return (struct number_place){ .is = PLACE_CELL };
	return (struct number_place){ .is = PLACE_HEADER, .raw = d->raw };
}

static struct number_place
place_of(struct counter *c, size_t field, const struct event_type *type)
{
	const struct field_ref	*f = &c->refs[field];

	if (f->def->kind == FIELD_PAYLOAD)
		return payload_place(c, field, type);
	if (field < c->by->n && field_ref_of(f, c->t) == OF_TYPE)
		return (struct number_place){ .is = PLACE_TYPE };
	if (field >= c->by->n && f->def->kind == FIELD_HEADER)
		return header_place(c, f->def);
	return (struct number_place){ .is = PLACE_CELL };
}

/* ---- types */

static void
way_make(struct counter *c, struct type_way *w, uint32_t type)
{
	const struct event_type	*ty = trace_type(c->t, type);
	size_t			 n = c->by->n + c->nvalues;

	w->at = mem_zalloc(n + 1, sizeof *w->at);
	w->same = w->placed = w->bare = c->opt.every_ns == 0;
	for (size_t i = 0; i < n; i++) {
		w->at[i] = place_of(c, i, ty);
		if (i < c->by->n)
			w->same &= w->at[i].is == PLACE_NEVER || w->at[i].is == PLACE_TYPE;
		else
			w->bare &= w->at[i].is == PLACE_NEVER;
		if (i >= c->by->n)
			w->placed &= w->at[i].is == PLACE_NEVER ||
			    (w->at[i].is != PLACE_CELL && !c->different[i - c->by->n]);
	}
	if (!w->same)
		w->placed &= c->lone != NULL && w->at[0].is == PLACE_PAYLOAD && !c->opt.steps;
	w->bare &= w->same;
	w->made = true;
}

const struct type_way *
counter_way_new(struct counter *c, uint32_t type)
{
	c->way = array_reach(c->way, &c->nways, type, sizeof *c->way);
	if (!c->way[type].made)
		way_make(c, &c->way[type], type);
	return &c->way[type];
}

void
counter_ways_init(struct counter *c)
{
	c->programs = mem_zalloc(c->by->n + c->nvalues + 1, sizeof *c->programs);
	c->number = mem_zalloc(c->nvalues + 1, sizeof *c->number);
	for (size_t i = 0; i < c->by->n + c->nvalues; i++)
		if (c->refs[i].def->kind == FIELD_PAYLOAD)
			field_programs_init(&c->programs[i], c->refs[i].path);
}

void
counter_ways_release(struct counter *c)
{
	for (size_t i = 0; i < c->by->n + c->nvalues; i++)
		field_programs_release(&c->programs[i]);
	for (size_t i = 0; i < c->nways; i++)
		mem_free(c->way[i].at);
	mem_free(c->programs);
	mem_free(c->number);
	mem_free(c->way);
}

/* ---- events */

static void
header_read(struct placed_number *n, enum field_raw raw, const struct event *e)
{
	bool	dur = raw == RAW_DUR && e->dur <= INT64_MAX;

	n->num.kind = dur ? NUM_I : NUM_U;
	if (raw == RAW_SIZE)
		n->num.u = e->size;
	else
		n->num.u = raw == RAW_DUR ? e->dur : e->seq;
	n->kind = dur ? CELL_DUR : CELL_U64;
	if (raw == RAW_SIZE)
		n->kind = CELL_BYTES;
}

/* Read a number. False: the value is of another kind, or the payload ends before it. */
static inline bool
payload_read(struct placed_number *n, const struct number_place *p, struct span payload)
{
	struct value	v;

	if ((p->at.width == 0 || !payload_place_number(p->at, payload, &v.kind, &v.u)) &&
	    !program_first(p->program, payload, &v))
		return false;
	if (v.kind == VK_UINT || v.kind == VK_INT) {
		n->num.kind = v.kind == VK_INT ? NUM_I : NUM_U;
		n->num.u = v.u;
		n->kind = v.kind == VK_INT ? CELL_I64 : CELL_U64;
		return true;
	}
	if ((v.kind != VK_F32 && v.kind != VK_F64) || !isfinite(v.f))
		return false;
	n->num.kind = NUM_F;
	n->num.f = v.f;
	n->kind = v.kind == VK_F32 ? CELL_F32 : CELL_F64;
	return true;
}

bool
counter_placed(struct counter *c, const struct type_way *w, const struct event *e)
{
	const struct number_place	*value = w->at + c->by->n;
	struct span			 payload = trace_payload(c->t, e);
	struct placed_number		 lone;

	for (size_t i = 0; i < c->nvalues; i++) {
		c->number[i].num.kind = NUM_NONE;
		if (value[i].is == PLACE_HEADER)
			header_read(&c->number[i], value[i].raw, e);
		else if (value[i].is == PLACE_PAYLOAD &&
		    !payload_read(&c->number[i], &value[i], payload))
			return false;
	}
	if (w->same)
		return true;
	if (!payload_read(&lone, &w->at[0], payload))
		return false;
	c->cells[0] = (struct cell){ .kind = lone.kind, .show = w->at[0].show, .u = lone.num.u };
	return true;
}
