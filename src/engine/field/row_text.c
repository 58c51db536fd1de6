/*
 * The row's text, which a bare /regex/ searches.
 *
 *	provider/name provider/event 4711 worker Count=3 Text=time out undecoded=2 [key=value]
 *	once per type			cached	 payload_line()			    labels
 *
 * Invariant: the text before the thread depends on the type alone.
 */

#include "engine/field/reader.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"

static void
put_name(struct buf *out, const char *provider, const char *name)
{
	buf_puts(out, provider);
	if (provider[0] != '\0')
		buf_putc(out, '/');
	buf_puts(out, name);
	buf_putc(out, ' ');
}

void
field_row_names(struct buf *out, const struct event_type *type)
{
	put_name(out, type->provider, type->name);
	if (type->event != NULL)
		put_name(out, type->provider, type->event);
}

/* ---- the part that is made once per type */

static void
row_learn(struct field_reader *r, struct row_type *row, uint32_t type)
{
	const struct event_type	*t = reader_type(r, type);
	struct buf		 b = { 0 };

	field_row_names(&b, t);
	row->names = mem_strndup(b.p, b.len);
	row->names_len = b.len;
	buf_release(&b);
}

static const struct row_type *
row_of(struct field_reader *r, uint32_t type)
{
	r->row = array_reach(r->row, &r->nrow, type, sizeof *r->row);
	if (r->row[type].names == NULL)
		row_learn(r, &r->row[type], type);
	return &r->row[type];
}

struct span
reader_row_front(struct field_reader *r, uint32_t type)
{
	const struct row_type	*row = row_of(r, type);

	return (struct span){ (const uint8_t *)row->names, row->names_len };
}

void
reader_row_release(struct field_reader *r)
{
	for (size_t i = 0; i < r->nrow; i++)
		mem_free(r->row[i].names);
	mem_free(r->row);
	buf_release(&r->row_who);
	buf_release(&r->row_labels);
}

/* ---- the text */

static void
who_learn(struct field_reader *r, uint32_t thread)
{
	const struct field_who	*w = field_who(r, thread);
	struct buf		*out = &r->row_who;

	buf_clear(out);
	if (w != NULL && w->has_tid)
		buf_u64(out, w->tid);
	if (w != NULL && w->has_tid && w->name != NULL)
		buf_putc(out, ' ');
	if (w != NULL && w->name != NULL)
		buf_puts(out, w->name);
	buf_putc(out, ' ');
}

/* Append the thread's part. It is cached, because mostly the thread is that of the last event. */
static void
put_who(struct field_reader *r, struct buf *out, uint32_t thread)
{
	uint64_t	now = trace_generation(r->t) + 1;

	if (thread != r->row_thread || now != r->row_at) {
		who_learn(r, thread);
		r->row_thread = thread;
		r->row_at = now;
	}
	buf_add(out, r->row_who.p, r->row_who.len);
}

bool
field_payload_text(struct field_reader *r, struct buf *out, const struct event *e,
    struct payload_result *res)
{
	const struct event_type	*type = reader_type(r, e->type);
	struct span		 payload = trace_payload(r->t, e);
	size_t			 end;

	payload_line(out, type, payload, res);
	end = out->len;
	builtin_line(out, type, payload);
	return out->len > end;
}

void
reader_row_numbers(struct field_reader *r, struct buf *out, const struct event *e, size_t shortest)
{
	payload_numbers(out, reader_type(r, e->type), trace_payload(r->t, e), shortest);
}

/* Append the labels' part. It is cached, because mostly the labels are those of the last event. */
static void
put_labels(struct field_reader *r, struct buf *out, const struct event *e)
{
	const struct label_set	*s;

	s = field_labels(r, e);
	if (s->loads != r->row_loads) {
		buf_clear(&r->row_labels);
		labels_text(s, &r->row_labels);
		r->row_loads = s->loads;
	}
	if (r->row_labels.len == 0)
		return;
	buf_putc(out, ' ');
	buf_add(out, r->row_labels.p, r->row_labels.len);
}

void
field_row_text(struct field_reader *r, struct buf *out, const struct event *e)
{
	const struct row_type	*row = row_of(r, e->type);
	struct payload_result	 res;

	buf_add(out, row->names, row->names_len);
	put_who(r, out, e->thread);
	(void)field_payload_text(r, out, e, &res);
	if (res.undecoded > 0) {
		buf_puts(out, " undecoded=");
		buf_u64(out, res.undecoded);
	}
	if (e->labels != 0)
		put_labels(r, out, e);
}
