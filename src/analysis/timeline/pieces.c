/*
 * The events of a piece, as the timeline needs them: their payloads as JSON, and the values of
 * counters.
 *
 *	EventCounters { Payload { Name Mean | Increment } }	EventCounters of any EventSource
 *	System.Diagnostics.Metrics { meterName instrumentName tags, value | rate | lastValue }
 */
#include <string.h>

#include "analysis/timeline/private.h"
#include "tnav/analysis/table.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/field.h"

#define METERS	"System.Diagnostics.Metrics"

enum { F_PAYLOAD, F_NAME, F_MEAN, F_INCREMENT, F_METER, F_INSTRUMENT, F_TAGS, F_VALUE, F_RATE,
    F_LAST, FIELDS };

enum counter_kind { COUNTER_UNKNOWN, COUNTER_NOT, COUNTER_EVENT, COUNTER_METER };

struct piece_reader {
	struct trace		*t;
	struct field_reader	*fields;
	struct field_ref	 ref[FIELDS];
	uint8_t			*kind;		/* enum counter_kind, by type */
	size_t			 nkinds;
};

static struct piece_reader *
reader_new(struct trace *t)
{
	static const char *const	path[FIELDS] = {
		[F_NAME] = "Payload.Name", [F_MEAN] = "Payload.Mean",
		[F_INCREMENT] = "Payload.Increment", [F_METER] = "meterName",
		[F_INSTRUMENT] = "instrumentName", [F_TAGS] = "tags", [F_VALUE] = "value",
		[F_RATE] = "rate", [F_LAST] = "lastValue",
	};
	struct piece_reader	*r = mem_zalloc(1, sizeof *r);
	struct buf		 why = { 0 };

	r->t = t;
	r->fields = field_reader_new(t, &(struct field_options){ .words = WORDS_BARE,
	    .no_rows = true });
	(void)field_ref_init(&r->ref[F_PAYLOAD], "payload", strlen("payload"), &why);
	buf_release(&why);
	for (unsigned i = F_NAME; i < FIELDS; i++)
		field_ref_payload(&r->ref[i], path[i]);
	return r;
}

struct timeline_piece *
timeline_piece_new(struct trace *t)
{
	struct timeline_piece	*p = mem_zalloc(1, sizeof *p);

	p->reader = reader_new(t);
	return p;
}

void
timeline_piece_free(struct timeline_piece *p)
{
	for (unsigned i = 0; i < FIELDS; i++)
		if (p->reader->ref[i].def != NULL)
			field_ref_release(&p->reader->ref[i]);
	field_reader_free(p->reader->fields);
	mem_free(p->reader->kind);
	mem_free(p->reader);
	buf_release(&p->texts);
	mem_free(p->v);
	mem_free(p);
}

void
timeline_piece_clear(struct timeline_piece *p)
{
	p->n = 0;
	buf_clear(&p->texts);
}

/* ---- counters */

static enum counter_kind
kind_of(struct piece_reader *r, uint32_t type)
{
	const struct event_type	*x;

	r->kind = array_reach(r->kind, &r->nkinds, type, sizeof *r->kind);
	if (r->kind[type] != COUNTER_UNKNOWN)
		return r->kind[type];
	x = trace_type(r->t, type);
	r->kind[type] = COUNTER_NOT;
	if (strcmp(x->name, "EventCounters") == 0)
		r->kind[type] = COUNTER_EVENT;
	else if (strcmp(x->provider, METERS) == 0 && strstr(x->name, "ValuePublished") != NULL)
		r->kind[type] = COUNTER_METER;
	return r->kind[type];
}

/* A number, or a text that is one. False: it is neither, or not finite. */
static bool
number_of(const struct cell *c, double *out)
{
	long double	n;

	if (c->kind == CELL_TEXT)
		return text_number(c->text, out);
	if (!table_number(c, &n))
		return false;
	*out = (double)n;
	return true;
}

static void
put_part(struct buf *out, const char *before, const struct cell *c)
{
	if (c->kind != CELL_TEXT || c->text.len == 0)
		return;
	buf_puts(out, before);
	buf_span(out, c->text);
}

/* Its value, and its name to texts. False: it is not a counter with a value. */
static bool
read_counter(struct timeline_piece *p, const struct event *e, double *value)
{
	struct piece_reader	*r = p->reader;
	enum counter_kind	 kind = kind_of(r, e->type);
	struct cell		 c[FIELDS];

	if (kind == COUNTER_NOT)
		return false;
	field_get(r->fields, r->ref + F_NAME, FIELDS - F_NAME, e, ROW_UNKNOWN, c + F_NAME);
	if (kind == COUNTER_EVENT) {
		if (!number_of(&c[F_MEAN], value) && !number_of(&c[F_INCREMENT], value))
			return false;
		buf_puts(&p->texts, trace_type(r->t, e->type)->provider);
		put_part(&p->texts, "/", &c[F_NAME]);
		return true;
	}
	if (!number_of(&c[F_VALUE], value) && !number_of(&c[F_LAST], value) &&
	    !number_of(&c[F_RATE], value))
		return false;
	put_part(&p->texts, "", &c[F_METER]);
	put_part(&p->texts, "/", &c[F_INSTRUMENT]);
	put_part(&p->texts, " ", &c[F_TAGS]);
	return true;
}

/* ---- events */

static void
read_payload(struct timeline_piece *p, const struct event *e)
{
	struct cell	c;

	field_get(p->reader->fields, &p->reader->ref[F_PAYLOAD], 1, e, ROW_UNKNOWN, &c);
	if (c.kind == CELL_RAW && c.text.len > 2)	/* {} is nothing */
		buf_span(&p->texts, c.text);
}

static void
add_item(struct timeline_piece *p, const struct event *e, uint64_t row)
{
	struct trace		*t = p->reader->t;
	struct timeline_item	*x;

	p->v = mem_grow(p->v, &p->cap, p->n + 1, sizeof *p->v);
	x = &p->v[p->n++];
	*x = (struct timeline_item){ .row = row, .ts = e->ts, .thread = e->thread,
	    .type = e->type, .text = p->texts.len };
	x->is_counter = read_counter(p, e, &x->value);
	if (!x->is_counter)
		read_payload(p, e);
	x->end = p->texts.len;
	x->has_activity = trace_activity(t, e, x->activity);
	x->has_related = trace_related(t, e, x->related);
}

void
timeline_piece_add(struct timeline_piece *p, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		add_item(p, &b->ev[b->at[i]], pass_row(b, i));
}
