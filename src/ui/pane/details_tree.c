/*
 * An event as lines.
 *
 *	event     GC/Start        name = "GC/Start"
 *	payload   16 bytes
 *	  Count   7               payload.Count = 7	bytes 0..4 of the payload
 *	  Info    {"a":1}         opens: JSON
 *	    a     1
 *	provider  Microsoft-...
 *
 * Invariant: a line's text is complete before the next line begins. The lines inside a line that
 * opens follow it, with more indentation.
 */
#include "ui/pane/details_tree.h"

#include <stdio.h>
#include <string.h>

#include "tnav/analysis/spans.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/label.h"
#include "tnav/engine/naming.h"
#include "tnav/engine/spans.h"
#include "tnav/model/docs.h"
#include "tnav/model/value.h"
#include "ui/draw/canvas.h"

#include "ui/pane/text_tree.h"
#include "ui/view/span_ends.h"

#define TREE_MAX	20000u		/* lines of one payload */
#define FRAMES_MAX	64u		/* addresses of a stack; the stack pane has all */

struct span
tree_span(const struct buf *b, struct tree_text s)
{
	return (struct span){ (const uint8_t *)b->p + s.at, s.len };
}

void
tree_release(struct details_tree *t)
{
	mem_free(t->v);
	buf_release(&t->words);
	buf_release(&t->terms);
	buf_release(&t->path);
}

static void
line_end(struct details_tree *t)
{
	if (t->n > 0)
		t->v[t->n - 1].text.len = (uint32_t)(t->words.len - t->v[t->n - 1].text.at);
}

/* Begin a line. Its text is what is appended to the buffer before the next line begins. */
static struct buf *
line_add_span(struct details_tree *t, unsigned indent, enum style st, struct span label)
{
	struct tree_line	*l;

	line_end(t);
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	l = &t->v[t->n++];
	*l = (struct tree_line){ .indent = (uint16_t)indent, .style = (uint8_t)st,
	    .label = { (uint32_t)t->words.len, (uint32_t)label.len } };
	buf_add(&t->words, label.p, label.len);
	l->text.at = (uint32_t)t->words.len;
	return &t->words;
}

static struct buf *
line_add(struct details_tree *t, unsigned indent, enum style st, const char *label)
{
	return line_add_span(t, indent, st, span_of(label));
}

static struct tree_line *
last_line(struct details_tree *t)
{
	return &t->v[t->n - 1];
}

static void
set_term(struct details_tree *t, const struct buf *name, const struct buf *value)
{
	struct tree_line	*l = last_line(t);

	l->name = (struct tree_text){ (uint32_t)t->terms.len, (uint32_t)name->len };
	buf_add(&t->terms, name->p, name->len);
	l->value = (struct tree_text){ (uint32_t)t->terms.len, (uint32_t)value->len };
	buf_add(&t->terms, value->p, value->len);
}

/* ---- the header */

/* Add a line for the field, if the event has it. The caller may append to the result. */
static struct buf *
add_field(struct details_tree *t, struct view *v, const struct event *e, const char *label,
    const char *field)
{
	struct field_at	 f = { 0 };
	struct buf	*b = NULL;

	if (field_at_name(&f, v, field, e, v->sel.row)) {
		b = line_add(t, 0, strcmp(field, "name") == 0 ? ST_EVENT : ST_NORMAL, label);
		buf_add(b, f.text.p, f.text.len);
		buf_puts(&f.name, field);
		set_term(t, &f.name, &f.value);
	}
	field_at_release(&f);
	return b;
}

static void
add_guid(struct details_tree *t, struct view *v, const struct event *e, const char *field)
{
	struct buf	*b = add_field(t, v, e, field, field);
	struct span	 value;

	if (b == NULL)
		return;
	value = tree_span(&t->terms, last_line(t)->value);
	if (b->len - last_line(t)->text.at < value.len) {	/* the value is a path: append
								   its GUID */
		buf_puts(b, "   ");
		buf_add(b, value.p, value.len);
	}
}

static void
add_times(struct details_tree *t, struct view *v, const struct event *e)
{
	const struct trace_info	*info = trace_info(v->t);
	int64_t			 ns = trace_ns(v->t, e->ts), utc;

	units_secs(line_add(t, 0, ST_NORMAL, "time"), ns, 9);
	buf_puts(&t->words, " s");
	if (info->has_sync_utc && !__builtin_add_overflow(info->sync_utc, ns, &utc))
		units_utc(line_add(t, 0, ST_NORMAL, "utc"), utc, 7);
	(void)add_field(t, v, e, "ticks", "ticks");
	(void)add_field(t, v, e, "duration", "dur");
}

static void
add_type(struct details_tree *t, struct view *v, const struct event *e)
{
	const struct event_type	*ty = trace_type(v->t, e->type);
	struct buf		*b;

	if (ty->event != NULL && strcmp(ty->event, ty->name) != 0)
		(void)add_field(t, v, e, "alias", "event");
	(void)add_field(t, v, e, "provider", "provider");
	b = add_field(t, v, e, "id", "id");
	if (b != NULL)
		(void)add_field(t, v, e, "version", "version");
	(void)add_field(t, v, e, "level", "level");
	(void)add_field(t, v, e, "keywords", "keywords");
	(void)add_field(t, v, e, "opcode", "opcode");
	if (ty->task_word != NULL)
		buf_puts(line_add(t, 0, ST_NORMAL, "task"), ty->task_word);
	if (ty->description != NULL)
		buf_puts(line_add(t, 0, ST_NORMAL, "description"), ty->description);
	if (ty->message != NULL)
		buf_puts(line_add(t, 0, ST_NORMAL, "message"), ty->message);
}

static void
add_threads(struct details_tree *t, struct view *v, const struct event *e)
{
	(void)add_field(t, v, e, "thread", "tid");
	(void)add_field(t, v, e, "thread name", "thread");
	(void)add_field(t, v, e, "process", "pid");
	if (e->capture != e->thread)
		view_thread_text(v, e->capture, line_add(t, 0, ST_NORMAL, "capture thread"));
	(void)add_field(t, v, e, "substream", "substream");
	(void)add_field(t, v, e, "cpu", "cpu");
	(void)add_field(t, v, e, "sequence no.", "seq");
}

/* The event before or after a gap. */
static void
add_gap_end(struct details_tree *t, struct view *v, const char *label, int64_t ts, uint64_t off)
{
	const struct event_type	*ty;
	struct event		 e;
	uint64_t		 row;

	if (trace_row_of(v->t, ts, off, &row) != 1 || trace_event(v->t, row, &e) != 1)
		return;
	ty = trace_type(v->t, e.type);
	view_secs(v, ts, line_add(t, 1, ST_NORMAL, label));
	buf_printf(&t->words, "  %s/%s  row ", ty->provider, ty->name);
	buf_grouped(&t->words, row);
}

/*
 * What the gap is, how it was detected, and how to avoid it. earlier: events that were lost in gaps
 * that a sequence point reported.
 */
static void
add_gap(struct details_tree *t, struct view *v, const struct gap *g, bool before, uint64_t earlier)
{
	struct buf	*b = &t->words;

	buf_puts(b, g->lost + earlier == 1 ? " event, " : " events, ");
	if (earlier > 0)
		buf_counts(b, "# of them reported earlier by a sequence point; ", earlier);
	buf_puts(b, g->lost == 1 ? "number " : "numbers ");
	buf_grouped(b, g->seq_from);
	if (g->seq_to != g->seq_from) {
		buf_puts(b, v->display.ascii ? " ... " : " \xe2\x80\xa6 ");
		buf_grouped(b, g->seq_to);
	}
	last_line(t)->opens = true;
	if (g->why != GAP_START)
		units_dur(line_add(t, 1, ST_NORMAL, "within"), trace_dur(v->t, g->from, g->to),
		    v->display.ascii);
	if (before && g->has_prev)
		add_gap_end(t, v, "event before", g->prev_ts, g->prev_off);
	if (!before && g->next_off != 0)
		add_gap_end(t, v, "event after", g->to, g->next_off);
	buf_puts(line_add(t, 1, ST_NORMAL, "detected by"), gap_why_words(g->why));
	buf_puts(line_add(t, 1, ST_DIM, "to avoid this"),
	    "collect with a larger buffer (dotnet-trace --buffersize)");
}

static void
add_loss(struct details_tree *t, struct view *v, const struct event *e)
{
	const struct gap	*g = gaps_before(&v->gaps, e);

	if (add_field(t, v, e, "lost before", "lost") != NULL) {
		last_line(t)->style = ST_GAP;
		if (g != NULL)
			add_gap(t, v, g, true, trace_event_lost(v->t, e) - g->lost);
		else
			buf_puts(&t->words, v->gaps.loss.kept < v->gaps.loss.gaps ? " events" :
			    " events, reported by an earlier sequence point ({ goes there)");
	}
	g = gaps_after(&v->gaps, e);
	if (g != NULL) {
		buf_grouped(line_add(t, 0, ST_GAP, "lost after"), g->lost);
		add_gap(t, v, g, false, 0);
	}
}

static void
add_labels(struct details_tree *t, struct view *v, const struct event *e)
{
	struct label_set	*l = mem_zalloc(1, sizeof *l);
	struct span		 key;
	struct buf		 name = { 0 };

	labels_load(l, v->t, e);
	for (size_t i = 0; i < l->n; i++) {
		if (!label_name(&l->v[i], &key) || label_find(l, 0, key) < i)
			continue;
		buf_clear(&name);
		filter_quote_name(&name, "label.", (const char *)key.p, key.len);
		(void)add_field(t, v, e, buf_str(&name), buf_str(&name));
	}
	buf_release(&name);
	mem_free(l);
}

static void
set_frame_term(struct details_tree *t, struct view *v, const struct frame_name *f, uint64_t ip)
{
	struct buf	name = { 0 }, value = { 0 };

	field_of_frame(&name, &value, v, f, ip);
	set_term(t, &name, &value);
	buf_release(&name);
	buf_release(&value);
}

static void
add_stack(struct details_tree *t, struct view *v, const struct event *e)
{
	uint64_t	*ips = mem_zalloc(FRAMES_MAX, sizeof *ips);
	size_t		 n = trace_stack(v->t, e, ips, FRAMES_MAX), behind = 0;

	if (n > 0) {
		buf_printf(line_add(t, 0, ST_NORMAL, "stack"), "%s%zu frames  (Alt-4)",
		    n == FRAMES_MAX ? "at least " : "", n);
		last_line(t)->opens = last_line(t)->closed = true;
	}
	for (size_t i = 0; i < n; i++) {
		struct frame_name	 f;
		struct buf		*line;
		size_t			 before;

		(void)trace_name_bounded(v->t, e, ips[i], (unsigned)i, true, behind, &f);
		line = line_add(t, 1, f.raw.p != NULL ? ST_NORMAL : ST_DIM, "");
		before = line->len;
		frame_text(line, &f, ips[i], v->display.raw_names ? FRAME_RAW : FRAME_CLEAN);
		behind += line->len - before;
		set_frame_term(t, v, &f, ips[i]);
	}
	mem_free(ips);
}

/* ---- the payload */

struct nested {
	struct details_tree	*t;
	unsigned		 indent;
	uint64_t		 element;
};

/* A part of a structured text. It has the bytes of the whole text, and no field. */
static void
add_member(void *arg, unsigned depth, struct span key, struct span value, bool opens)
{
	struct nested	*x = arg;
	char		 number[32];

	if (key.len == 0) {
		(void)snprintf(number, sizeof number, "[%llu]", (unsigned long long)x->element++);
		key = span_of(number);
	}
	buf_add(line_add_span(x->t, x->indent + depth, ST_NORMAL, key), value.p, value.len);
	last_line(x->t)->opens = opens;
	if (opens)
		x->element = 0;
}

static void
open_text(struct details_tree *t, unsigned indent)
{
	struct tree_line	 at = *last_line(t);
	size_t			 line = t->n - 1;
	struct nested		 x = { .t = t, .indent = indent + 1 };
	size_t			 len = t->words.len - at.text.at;
	char			*copy = mem_strndup(t->words.p + at.text.at, len);

	t->v[line].opens = text_tree((struct span){ (const uint8_t *)copy, len }, add_member, &x);
	for (size_t i = line + 1; i < t->n; i++) {
		t->v[i].off = at.off;
		t->v[i].len = at.len;
	}
	mem_free(copy);
}

/* Set the path for values at this depth and remember it. */
static void
set_path(struct details_tree *t, const struct value *val, unsigned depth)
{
	struct span	name = val->name;

	t->path.len = t->path_len[depth];
	if (!val->element && name.len > 0) {
		if (t->path.len > 0)
			buf_putc(&t->path, '.');
		buf_add(&t->path, name.p, name.len);
	}
	t->path_len[depth + 1] = t->path.len;
}

static void
set_payload_term(struct details_tree *t, const struct value *val)
{
	const struct field_ref	ref = { .def = field_def_of(FIELD_PAYLOAD) };
	struct buf		name = { 0 }, value = { 0 }, text = { 0 };
	struct cell		c;

	filter_quote_name(&name, "payload.", t->path.p, t->path.len);
	if (val->kind != VK_OBJECT && val->kind != VK_ARRAY) {
		field_value_cell(&c, val, WORDS_CHEAP, &text);
		(void)field_value(&value, &ref, &c);
	}
	set_term(t, &name, &value);
	buf_release(&text);
	buf_release(&name);
	buf_release(&value);
}

static int
add_value(void *arg, const struct value *val)
{
	struct details_tree	*t = arg;
	char			 number[32];
	struct span		 label = val->name;
	bool			 opens = val->kind == VK_OBJECT || val->kind == VK_ARRAY;
	unsigned		 depth = val->depth <= LIMIT_NESTING ? val->depth : LIMIT_NESTING;

	if (val->kind == VK_OBJECT_END || val->kind == VK_ARRAY_END) {
		if (t->left_out == 0 && t->open[depth] < t->n) {
			t->v[t->open[depth]].off = val->off;
			t->v[t->open[depth]].len = val->len;
		}
		return 0;
	}
	if (t->n >= TREE_MAX) {
		t->left_out++;
		return 0;
	}
	set_path(t, val, depth);
	if (val->element) {
		(void)snprintf(number, sizeof number, "[%llu]",
		    (unsigned long long)t->element[depth]++);
		label = span_of(number);
	}
	t->element[depth + 1] = 0;
	(void)line_add_span(t, 1 + depth, val->kind == VK_NULL ? ST_DIM : ST_NORMAL, label);
	set_payload_term(t, val);
	last_line(t)->off = val->off;
	last_line(t)->len = val->len;
	last_line(t)->opens = opens;
	if (opens)
		t->open[depth] = t->n - 1;
	else
		value_text(&t->words, val);
	if (val->kind == VK_TEXT16 || val->kind == VK_TEXT8)
		open_text(t, 1 + depth);
	return 0;
}

static void
add_payload(struct details_tree *t, struct view *v, const struct event *e)
{
	const struct event_type	*ty = trace_type(v->t, e->type);
	struct payload_result	 res = { 0 };
	struct buf		*b;

	t->payload = trace_payload(v->t, e);
	b = line_add(t, 0, ST_TITLE, "payload");
	last_line(t)->opens = true;
	buf_grouped(b, e->size);
	buf_printf(b, " bytes, decoded with: %s", schema_source_words(ty->source));
	if (ty->missing)
		buf_puts(line_add(t, 1, ST_WARN, ""), "the trace has no metadata for this event");
	memset(t->element, 0, sizeof t->element);
	memset(t->path_len, 0, sizeof t->path_len);
	t->left_out = 0;
	(void)payload_walk_all(ty, t->payload, add_value, t, &res);
	if (t->left_out > 0)
		buf_printf(line_add(t, 1, ST_DIM, ""), "%u more values", t->left_out);
	if (res.note != NULL)
		buf_printf(line_add(t, 1, ST_DIM, ""), "note: %s", res.note);
	if (res.error != NULL)
		buf_printf(line_add(t, 1, ST_ERROR, ""), "error: %s", res.error);
	if (res.undecoded > 0) {
		b = line_add(t, 1, ST_WARN, "");
		buf_counts(b, "# of # bytes are not decoded", res.undecoded, e->size);
		if (res.undecoded <= t->payload.len) {
			last_line(t)->off = (uint32_t)t->payload.len - res.undecoded;
			last_line(t)->len = res.undecoded;
		}
	}
	if (t->payload.len < e->size)
		buf_puts(line_add(t, 1, ST_ERROR, ""),
		    "the file was truncated: some bytes are gone");
}

/* ---- spans */

/* The label of the span, and its duration or why that is unknown. */
static void
add_span(struct details_tree *t, struct view *v, const char *label, const struct span_record *r)
{
	const struct span_name	*n = spans_name(v->deriving.now.of[DERIVED_SPANS], r->name);
	bool			 sure = r->state == SPAN_PAIRED && (r->flags & SPAN_DOUBTFUL) == 0;

	buf_printf(line_add(t, 0, sure ? ST_NORMAL : ST_WARN, label), "%s: ", n->group);
	view_span_text(v, r, &t->words);
}

/* The spans that the event begins and ends, once they are found. Native ones have the line dur. */
static void
add_spans(struct details_tree *t, struct view *v, const struct event *e)
{
	const struct spans		*s = v->deriving.now.of[DERIVED_SPANS];
	const struct span_source	*source = trace_lent(v->t, DERIVED_SPANS);
	const struct span_record	*r;
	struct span_info		 ended[SPANS_AT_EVENT];
	unsigned			 n;

	if (s == NULL || source == NULL || trace_has(v->t, HAS_DURATIONS))
		return;
	for (unsigned i = 0; i < SPANS_AT_EVENT; i++) {
		r = view_span_known(v, e, i);
		if (r == NULL)
			break;
		add_span(t, v, r->row != SPAN_NO_ROW ? "begins" : "ends", r);
	}
	n = source->at(source->self, e, v->sel.row, true, ended, SPANS_AT_EVENT);
	for (unsigned i = 0; i < n; i++)
		add_span(t, v, "ends", spans_at(s, ended[i].span));
}

/* The description of one of .NET's own events. */
static void
add_doc(struct details_tree *t, struct view *v, const struct event *e)
{
	struct event_doc	doc;

	if (doc_find(trace_type(v->t, e->type), &doc))
		buf_add(line_add(t, 0, ST_DIM, "means"), doc.text.p, doc.text.len);
}

static void
add_block(struct details_tree *t, struct view *v, const struct event *e)
{
	struct block	b;
	struct buf	*text;

	if (!trace_block(v->t, e, &b))
		return;
	text = line_add(t, 0, ST_NORMAL, "block");
	view_block_text(v, &b, e, text);
	buf_printf(text, "  (%s%s)", b.kind, b.first == e->off ? ", its earliest event" : "");
}

void
tree_make(struct details_tree *t, struct view *v, const struct event *e)
{
	uint64_t	off = e->off & EVENT_OFFSET;

	t->n = 0;
	buf_clear(&t->words);
	buf_clear(&t->terms);
	buf_clear(&t->path);
	(void)add_field(t, v, e, "event", "name");
	add_doc(t, v, e);
	add_loss(t, v, e);
	add_payload(t, v, e);	/* the payload comes early, where no scrolling is needed */
	add_spans(t, v, e);
	add_type(t, v, e);
	add_times(t, v, e);
	add_threads(t, v, e);
	add_guid(t, v, e, "activity");
	add_guid(t, v, e, "related");
	add_labels(t, v, e);
	add_stack(t, v, e);
	add_block(t, v, e);
	buf_grouped(line_add(t, 0, ST_NORMAL, "offset"), off);
	buf_printf(&t->words, "  (0x%llx) in the file", (unsigned long long)off);
	line_end(t);
	if (trace_sources(v->t) > 1)
		(void)add_field(t, v, e, "file", "file");
}
