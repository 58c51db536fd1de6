/*
 * Event rows to an output.
 *
 *	event -> event_out_json, event_out_text -> output's buffer	whole lines
 *	event -> field_get -> cells -> writer				chosen fields
 *	event -> runs of fields						csv, tsv
 *
 *	fields	t ticks | provider id version name | tid thread | cpu size payload
 *	runs	event	  type: written once per type   thread	  event
 */
#include "tnav/out/rows.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/digits.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/label.h"

#define PART_KEPT	(4u << 20)	/* bytes of a part's memory that are kept for reuse */
#define TEXTS_KEPT	65536u		/* types and threads whose texts are kept */

/* The text of a run of a type or a thread is written once and kept. Stacks of addresses need no
   cell. HEADER: fields are read one by one; EVENT: in one walk over the payload. */
enum run_kind { RUN_EVENT, RUN_HEADER, RUN_TYPE, RUN_THREAD, RUN_STACK };

/* Consecutive fields of the same kind. */
struct field_run {
	enum run_kind	 kind;
	size_t		 first, n;
	size_t		 cell;		/* RUN_EVENT: its first cell */
	struct buf	*text;		/* by type or thread; p NULL: not written yet */
	size_t		 texts;
};

struct row_writer {
	struct output			*o;
	bool				 part;		/* the output is its own memory */
	struct out_style		 st;
	struct event_out_options	 opt;
	struct trace			*t;
	struct event_out		*x;
	const char			*file;		/* name at the beginning of each row, or
							   NULL */
	/* If there are fields: */
	struct writer			*cells_to;	/* or NULL */
	bool				 borrowed;	/* cells_to belongs to the caller */
	const struct field_list		*fields;
	struct field_list		 all;		/* if none were chosen */
	struct field_reader		*reader;
	struct cell			*cells;
	struct field_run		*run;		/* of csv and tsv; or NULL */
	size_t				 nruns;
	struct field_ref		*own;		/* fields of RUN_EVENT; borrowed */
	size_t				 nown;
	struct field_reader		*once;		/* for the other fields */
	enum field_raw			*raw;		/* by field: how it is written without a
							   cell; or NONE */
	char				 comma;		/* or a tab */
	bool				 titled;	/* the titles are written */
	struct writer			*gaps_to;	/* jsonl; NULL until the first gap */
	const char			*gap_names[GAPS_IN_FILES];
};

/* Is it a number in struct event, written in digits? */
static bool
is_raw(const struct row_writer *w, const struct field_def *d)
{
	return d->raw != RAW_NONE && trace_has(w->t, d->needs) && !field_is_span(d, w->t) &&
	    !(d->raw == RAW_TIME && w->st.utc) && trace_sources(w->t) == 1 &&
	    !(d->raw == RAW_TICKS && trace_has(w->t, HAS_SUBSTREAMS));
}

static enum run_kind
run_kind(const struct row_writer *w, const struct field_ref *f, const struct field_options *o)
{
	enum field_of	of = field_ref_of(f, w->t);

	if (f->def->class == CLASS_STACK && o->frames == FRAMES_ADDRESSES && !w->st.tty)
		return RUN_STACK;
	if (is_raw(w, f->def))
		return RUN_HEADER;
	/* Labels may override the type; that is tested for each event. */
	if (of == OF_TYPE || f->def->of == OF_META)
		return RUN_TYPE;
	if (of == OF_THREAD)
		return RUN_THREAD;
	if (f->def->kind == FIELD_HEADER && field_in_trace(f->def, w->t))
		return RUN_HEADER;
	return RUN_EVENT;
}

static void
runs_init(struct row_writer *w, const struct field_options *o)
{
	const struct field_list	*l = w->fields;
	struct field_run	*r = NULL;

	w->run = mem_zalloc(l->n + 1, sizeof *w->run);
	w->own = mem_zalloc(l->n + 1, sizeof *w->own);
	w->raw = mem_zalloc(l->n + 1, sizeof *w->raw);
	w->once = field_reader_new(w->t, o);
	w->comma = w->st.format == OUT_CSV ? ',' : '\t';
	for (size_t i = 0; i < l->n; i++) {
		enum run_kind	kind = run_kind(w, &l->v[i], o);

		if (is_raw(w, l->v[i].def))
			w->raw[i] = l->v[i].def->raw;
		if (r == NULL || r->kind != kind || kind == RUN_STACK) {
			r = &w->run[w->nruns++];
			*r = (struct field_run){ .kind = kind, .first = i, .cell = w->nown };
		}
		r->n++;
		if (kind == RUN_EVENT)
			w->own[w->nown++] = l->v[i];
	}
}

static void
runs_free(struct row_writer *w)
{
	for (size_t i = 0; i < w->nruns; i++) {
		for (size_t k = 0; k < w->run[i].texts; k++)
			buf_release(&w->run[i].text[k]);
		mem_free(w->run[i].text);
	}
	mem_free(w->run);
	mem_free(w->own);
	mem_free(w->raw);
	field_reader_free(w->once);
}

static void
open_fields(struct row_writer *w, const struct event_out_options *opt,
    const struct field_list *fields, struct writer **rows)
{
	const struct field_options	 fo = { .no_rows = !opt->rows,
					    .words = opt->enums ? WORDS_INSTEAD : WORDS_CHEAP,
					    .frames = opt->symbols ? FRAMES_RAW :
					    FRAMES_ADDRESSES };

	if (fields == NULL)
		field_list_all(&w->all, w->file == NULL ? w->t : NULL, opt->rows, opt->crc,
		    opt->raw);
	w->fields = fields != NULL ? fields : &w->all;
	w->reader = field_reader_new(w->t, &fo);
	w->cells = mem_zalloc(w->fields->n, sizeof *w->cells);
	w->borrowed = rows != NULL;
	w->cells_to = rows != NULL ? *rows : NULL;
	if (w->cells_to == NULL)
		w->cells_to = writer_new(w->o, &w->st, (const char *const *)w->fields->titles,
		    w->fields->n,
		    w->file != NULL);
	if (w->file != NULL)
		writer_file(w->cells_to, w->file, &w->st);
	if (rows != NULL)
		*rows = w->cells_to;
	if (w->file == NULL && (w->st.format == OUT_CSV || w->st.format == OUT_TSV))
		runs_init(w, &fo);
}

struct row_writer *
row_writer_new(struct trace *t, struct output *o, const struct out_style *st,
    const struct event_out_options *opt, const struct field_list *fields, struct writer **rows)
{
	struct row_writer	*w = mem_zalloc(1, sizeof *w);

	w->t = t;
	w->o = o;
	w->st = *st;
	w->opt = *opt;
	w->file = opt->file;
	w->x = event_out_new(t, &w->st, opt);
	if (fields != NULL || st->format == OUT_CSV || st->format == OUT_TSV ||
	    st->format == OUT_MARKDOWN)
		open_fields(w, opt, fields, rows);
	return w;
}

/* Do labels of the event differ from its type? */
static bool
is_overridden(struct row_writer *w, const struct event *e)
{
	return labels_override(field_labels(w->reader, e));
}

/* Where the run's text is kept; NULL: it is not kept. */
static struct buf *
run_text(struct row_writer *w, struct field_run *r, const struct event *e)
{
	uint32_t	i = r->kind == RUN_TYPE ? e->type : e->thread;

	if (i >= TEXTS_KEPT || (r->kind == RUN_TYPE && e->labels != 0 && is_overridden(w, e)))
		return NULL;
	r->text = array_reach(r->text, &r->texts, i, sizeof *r->text);
	return &r->text[i];
}

/* The fields of a type or a thread, as written for its first event. */
static void
write_once(struct row_writer *w, struct field_run *r, const struct event *e, uint64_t row)
{
	struct buf	*text = run_text(w, r, e), *out = output_buf(w->o);
	struct cell	*cells = w->cells + w->nown;
	size_t		 from = out->len;

	if (text != NULL && text->p != NULL) {
		buf_add(out, text->p, text->len);
		return;
	}
	field_get(w->once, w->fields->v + r->first, r->n, e, row, cells);
	writer_part(w->cells_to, r->first, cells, r->n);
	if (text == NULL)
		return;
	buf_add(text, out->p + from, out->len - from);
	(void)buf_str(text);		/* allocates, also if it is empty */
}

static char *
put_raw(struct trace *t, char *to, enum field_raw raw, const struct event *e)
{
	switch (raw) {
	case RAW_TIME:
		return digits_i64(to, trace_ns(t, e->ts));
	case RAW_TICKS:
		return digits_i64(to, e->ts);
	case RAW_DUR:
		return digits_u64(to, e->dur);
	case RAW_CPU:
		return e->cpu >= 0 ? digits_u64(to, (uint64_t)e->cpu) : to;
	case RAW_SEQ:
		return digits_u64(to, e->seq);
	case RAW_SIZE:
		return digits_u64(to, e->size);
	case RAW_NONE:
		break;
	}
	return to;
}

/* A run of fields that are mostly numbers or missing. */
static void
write_header(struct row_writer *w, const struct field_run *r, const struct event *e, uint64_t row)
{
	const size_t	 most = 2 + DIGITS_MOST, end = r->first + r->n;
	struct buf	*out = output_buf(w->o);
	char		*to = buf_room(out, r->n * most);
	struct cell	 c;

	for (size_t i = r->first; i < end; i++) {
		if (i > 0)
			*to++ = w->comma;
		if (w->raw[i] != RAW_NONE) {
			to = put_raw(w->t, to, w->raw[i], e);
			continue;
		}
		field_get_next(w->reader, w->fields->v[i].def, false, e, row, &c);
		if (c.kind == CELL_U64) {
			to = digits_u64(to, c.u);
		} else if (c.kind == CELL_I64) {
			to = digits_i64(to, c.i);
		} else if (c.kind > CELL_NULL) {
			out->len = (size_t)(to - out->p);
			cell_put(out, &c, &w->st);
			to = buf_room(out, (end - i) * most);
		}
	}
	out->len = (size_t)(to - out->p);
}

/* Copy a text of up to eight bytes. Always writes eight bytes, for which there is room. */
static inline char *
put_short(char *to, const char text[8], size_t len)
{
	memcpy(to, text, 8);
	return to + len;
}

/* ["0x7f","0x4"]; nothing if there are no addresses. */
static char *
put_stack(char *to, const uint64_t *ips, size_t n)
{
	if (n == 0)
		return to;
	to = digits_hex(put_short(to, "[\"0x\0\0\0", 4), ips[0]);
	for (size_t i = 1; i < n; i++)
		to = digits_hex(put_short(to, "\",\"0x\0\0", 5), ips[i]);
	return put_short(to, "\"]\0\0\0\0\0", 2);
}

/* The same in CSV: "[""0x7f"",""0x4""]". */
static char *
put_stack_csv(char *to, const uint64_t *ips, size_t n)
{
	if (n == 0)
		return to;
	to = digits_hex(put_short(to, "\"[\"\"0x\0", 6), ips[0]);
	for (size_t i = 1; i < n; i++)
		to = digits_hex(put_short(to, "\"\",\"\"0x", 7), ips[i]);
	return put_short(to, "\"\"]\"\0\0\0", 4);
}

/* Writes the same as the stack's cell would. */
static void
write_stack(struct row_writer *w, const struct field_run *r, const struct event *e)
{
	struct buf	*out = output_buf(w->o);

	if (r->first > 0)
		buf_putc(out, w->comma);
	if (e->stack != 0)
		field_stack_text(w->reader, out, e, w->st.format == OUT_CSV ? put_stack_csv :
		    put_stack);
}

static int
write_runs(struct row_writer *w, const struct event *e, uint64_t row)
{
	if (!w->titled)
		writer_titles(w->cells_to, false);
	w->titled = true;
	field_turn(w->reader);
	if (w->nown > 0)
		field_get(w->reader, w->own, w->nown, e, row, w->cells);
	for (size_t i = 0; i < w->nruns; i++) {
		struct field_run	*r = &w->run[i];

		if (r->kind == RUN_EVENT)
			writer_part(w->cells_to, r->first, w->cells + r->cell, r->n);
		else if (r->kind == RUN_HEADER)
			write_header(w, r, e, row);
		else if (r->kind == RUN_STACK)
			write_stack(w, r, e);
		else
			write_once(w, r, e, row);
	}
	return writer_row_end(w->cells_to);
}

int
row_writer_event(struct row_writer *w, const struct event *e, uint64_t row)
{
	if (w->run != NULL)
		return write_runs(w, e, row);
	if (w->cells_to != NULL) {
		field_get(w->reader, w->fields->v, w->fields->n, e, row, w->cells);
		return writer_row(w->cells_to, w->cells);
	}
	if (w->st.format == OUT_JSONL)
		event_out_json(w->x, output_buf(w->o), e, row);
	else
		event_out_text(w->x, output_buf(w->o), e);
	return output_step(w->o);
}

int
row_writer_gap(struct row_writer *w, const struct placed_gap *g)
{
	struct cell	cells[GAPS_IN_FILES];

	if (w->st.format != OUT_JSONL) {
		event_out_gap_text(w->x, output_buf(w->o), g->gap);
		return output_step(w->o);
	}
	for (unsigned i = 0; i < GAPS_IN_FILES; i++) {
		w->gap_names[i] = gaps_columns[i].name;
		cells[i] = gaps_cell(w->t, g, i);
	}
	if (w->gaps_to == NULL)
		w->gaps_to = writer_new(w->o, &w->st, w->gap_names, GAPS_IN_FILES,
		    w->file != NULL);
	if (w->file != NULL)
		writer_file(w->gaps_to, w->file, &w->st);
	return writer_row(w->gaps_to, cells);
}

int
row_writer_end(struct row_writer *w)
{
	bool	own = w->cells_to != NULL && !w->borrowed;
	int	err = own ? writer_end(w->cells_to) : ERR_OK;
	int	gaps = w->gaps_to != NULL ? writer_end(w->gaps_to) : ERR_OK;

	event_out_free(w->x);
	runs_free(w);
	field_reader_free(w->reader);
	field_list_release(&w->all);
	mem_free(w->cells);
	if (w->part)
		(void)output_close(w->o, false, NULL);
	mem_free(w);
	return err != ERR_OK ? err : gaps;
}

/* ---- parts */

bool
row_writer_splits(const struct row_writer *w)
{
	return w->cells_to == NULL || w->st.format != OUT_TEXT;
}

struct row_writer *
row_writer_part(const struct row_writer *w)
{
	struct row_writer	*p = row_writer_new(w->t, output_on(-1), &w->st, &w->opt,
				    w->fields, NULL);

	p->part = true;
	if (p->cells_to != NULL)
		writer_titles(p->cells_to, true);
	return p;
}

size_t
row_writer_bytes(const struct row_writer *part)
{
	return output_buf(part->o)->len;
}

int
row_writer_take(struct row_writer *w, struct row_writer *part, size_t bytes)
{
	struct buf	*b = output_buf(part->o);

	if (w->cells_to != NULL)
		writer_titles(w->cells_to, false);
	buf_add(output_buf(w->o), b->p, bytes);
	buf_clear(b);
	if (b->cap > PART_KEPT)
		buf_release(b);
	return output_step(w->o);
}

void
row_line(struct buf *out, struct trace *t, const struct out_style *st, const struct event *e,
    uint64_t row)
{
	static const struct event_out_options	 opt = { .rows = true };
	struct event_out			*x = event_out_new(t, st, &opt);

	if (st->format == OUT_JSONL)
		event_out_json(x, out, e, row);
	else
		event_out_text(x, out, e);
	if (out->len > 0 && out->p[out->len - 1] == '\n')
		out->len--;
	event_out_free(x);
}
