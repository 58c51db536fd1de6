/*
 * Everything that is known of the selected event: its header, its payload as a tree, what could
 * not be decoded, and its bytes.
 *
 *	lines[0..n)	made when another event is selected: label, text
 *	behind them	the payload in hex, 16 bytes a line, made when drawn
 *
 * Invariant: lines belong to the event (made_ts, made_off) as the index knew it at made_gen.
 */
#include <stdio.h>
#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/model/value.h"
#include "tnav/ui/pane.h"

#define TREE_MAX	20000u		/* lines of one payload's tree */
#define FRAMES_MAX	64u		/* addresses of a stack */
#define LABEL_MOST	128u		/* bytes of an attribute's name */

struct line {
	uint32_t	label, label_len, text, text_len;	/* in the buffer */
	uint16_t	indent;
	uint16_t	style;			/* of the text */
};

struct details {
	struct list	 list;
	struct line	*lines;
	size_t		 n, cap;
	struct buf	 words;
	uint64_t	 made_gen, made_off;
	int64_t		 made_ts;
	uint32_t	 made_type;
	bool		 made;
	struct span	 payload;
	int		 label_w;		/* cells for labels */
	/* While the tree is made: */
	uint64_t	 element[LIMIT_NESTING + 2];	/* the next one's number, by depth */
	uint32_t	 left_out;
};

/* Begin a line; its text is what is added to words until the next one. */
static struct buf *
line_add(struct details *d, unsigned indent, enum style st, const char *label)
{
	struct line	*l;

	if (d->n > 0) {
		l = &d->lines[d->n - 1];
		l->text_len = (uint32_t)(d->words.len - l->text);
	}
	d->lines = mem_grow(d->lines, &d->cap, d->n + 1, sizeof *d->lines);
	l = &d->lines[d->n++];
	*l = (struct line){ .label = (uint32_t)d->words.len, .indent = (uint16_t)indent,
	    .style = (uint16_t)st, .label_len = (uint32_t)strlen(label) };
	buf_puts(&d->words, label);
	l->text = (uint32_t)d->words.len;
	return &d->words;
}

/* The last line's text is whole. */
static void
lines_end(struct details *d)
{
	if (d->n > 0)
		d->lines[d->n - 1].text_len =
		    (uint32_t)(d->words.len - d->lines[d->n - 1].text);
}

/* ---- the header */

static void
add_times(struct details *d, struct view *v, const struct event *e)
{
	const struct trace_info	*info = trace_info(v->t);
	int64_t			 ns = trace_ns(v->t, e->ts), utc;

	units_secs(line_add(d, 0, ST_NORMAL, "time"), ns, 9);
	buf_puts(&d->words, " s");
	if (info->has_sync_utc && !__builtin_add_overflow(info->sync_utc, ns, &utc))
		units_utc(line_add(d, 0, ST_NORMAL, "utc"), utc, 7);
	buf_i64(line_add(d, 0, ST_NORMAL, "ticks"), e->ts);
}

static void
add_thread(struct details *d, struct view *v, const char *label, uint32_t thread)
{
	struct thread_stat	st = { .name = NULL };

	view_thread_text(v, thread, line_add(d, 0, ST_NORMAL, label));
	if (thread >= trace_threads(v->t))
		return;
	trace_thread(v->t, thread, &st);
	if (st.name != NULL)
		buf_printf(&d->words, "  %s", st.name);
	if (st.has_pid)
		buf_printf(&d->words, "  of process %llu", (unsigned long long)st.pid);
}

static void
add_type(struct details *d, const struct event_type *ty)
{
	struct buf	*b = line_add(d, 0, ST_EVENT, "event");
	const char	*level = level_name(ty->level);

	buf_puts(b, ty->name);
	if (ty->event != NULL && strcmp(ty->event, ty->name) != 0)
		buf_printf(b, "   %s", ty->event);
	buf_puts(line_add(d, 0, ST_NORMAL, "provider"), ty->provider);
	buf_printf(line_add(d, 0, ST_NORMAL, "id"), "%u, version %u", ty->id, ty->version);
	b = line_add(d, 0, ST_NORMAL, "level");
	buf_u64(b, ty->level);
	if (level != NULL)
		buf_printf(b, " %s", level);
	buf_puts(line_add(d, 0, ST_NORMAL, "keywords"), "0x");
	buf_hex(&d->words, ty->keywords, 1);
	if (ty->has_opcode || ty->opcode_word != NULL) {
		b = line_add(d, 0, ST_NORMAL, "opcode");
		if (ty->has_opcode)
			buf_printf(b, "%u ", ty->opcode);
		if (ty->opcode_word != NULL)
			buf_puts(b, ty->opcode_word);
	}
	if (ty->task_word != NULL)
		buf_puts(line_add(d, 0, ST_NORMAL, "task"), ty->task_word);
}

static void
add_loss(struct details *d, struct view *v, const struct event *e)
{
	uint64_t		 lost = trace_event_lost(v->t, e);
	const struct gap	*g = view_gap_before(v, e);
	struct buf		*b;

	if (lost == 0)
		return;
	b = line_add(d, 0, ST_GAP, "before it");
	if (g != NULL) {
		view_gap_text(v, g, b);
	} else {
		buf_grouped(b, lost);
		buf_puts(b, " events lost");
	}
	buf_puts(line_add(d, 0, ST_DIM, ""), "a larger buffer at collection loses fewer "
	    "(dotnet-trace --buffersize)");
}

static void
add_stack(struct details *d, struct view *v, const struct event *e)
{
	uint64_t	*ips = mem_zalloc(FRAMES_MAX, sizeof *ips);
	size_t		 n = trace_stack(v->t, e, ips, FRAMES_MAX);

	if (n > 0)
		buf_printf(line_add(d, 0, ST_NORMAL, "stack"), "%s%zu frames, innermost first",
		    n == FRAMES_MAX ? "at least " : "", n);
	for (size_t i = 0; i < n; i++) {
		buf_puts(line_add(d, 1, ST_NORMAL, ""), "0x");
		buf_hex(&d->words, ips[i], trace_info(v->t)->pointer_size * 2);
	}
	mem_free(ips);
}

static void
add_header(struct details *d, struct view *v, const struct event *e)
{
	uint8_t	guid[16];

	add_type(d, trace_type(v->t, e->type));
	add_times(d, v, e);
	add_thread(d, v, "thread", e->thread);
	if (e->capture != e->thread)
		add_thread(d, v, "written by", e->capture);
	if (e->cpu >= 0)
		buf_i64(line_add(d, 0, ST_NORMAL, "cpu"), e->cpu);
	if (trace_has_sequence(v->t))
		buf_grouped(line_add(d, 0, ST_NORMAL, "number"), e->seq);
	add_loss(d, v, e);
	if (trace_activity(v->t, e, guid))
		guid_text(line_add(d, 0, ST_NORMAL, "activity"), guid);
	if (trace_related(v->t, e, guid))
		guid_text(line_add(d, 0, ST_NORMAL, "related"), guid);
	add_stack(d, v, e);
	buf_grouped(line_add(d, 0, ST_NORMAL, "offset"), e->off);
	buf_printf(&d->words, "  (0x%llx) in the file", (unsigned long long)e->off);
}

/* ---- the payload as a tree */

static int
add_value(void *arg, const struct value *val)
{
	struct details	*d = arg;
	char		 name[LABEL_MOST];
	const char	*label = name;
	bool		 opens = val->kind == VK_OBJECT || val->kind == VK_ARRAY;
	unsigned	 depth = val->depth <= LIMIT_NESTING ? val->depth : LIMIT_NESTING;

	if (val->kind == VK_OBJECT_END || val->kind == VK_ARRAY_END)
		return 0;
	if (d->n >= TREE_MAX) {
		d->left_out++;
		return 0;
	}
	if (val->element) {
		(void)snprintf(name, sizeof name, "[%llu]",
		    (unsigned long long)d->element[depth]++);
	} else if (val->name.p != NULL) {
		(void)snprintf(name, sizeof name, "%.*s", (int)(val->name.len < sizeof name ?
		    val->name.len : sizeof name - 1), (const char *)val->name.p);
	} else {
		label = val->field->name;
	}
	d->element[depth + 1] = 0;
	(void)line_add(d, 1 + depth, val->kind == VK_NULL ? ST_DIM : ST_NORMAL, label);
	if (!opens)
		value_text(&d->words, val);
	return 0;
}

static void
add_payload(struct details *d, struct view *v, const struct event *e)
{
	const struct event_type	*ty = trace_type(v->t, e->type);
	struct payload_result	 res = { 0 };
	struct buf		*b;

	d->payload = trace_payload(v->t, e);
	b = line_add(d, 0, ST_TITLE, "payload");
	buf_grouped(b, e->size);
	buf_printf(b, " bytes, fields by: %s", schema_source_words(ty->source));
	if (ty->missing)
		buf_puts(line_add(d, 1, ST_WARN, ""), "no metadata row says what this event is");
	memset(d->element, 0, sizeof d->element);
	d->left_out = 0;
	(void)payload_walk(ty, d->payload, trace_info(v->t)->pointer_size, add_value, d, &res);
	if (d->left_out > 0)
		buf_printf(line_add(d, 1, ST_DIM, ""), "and %u more values", d->left_out);
	if (res.note != NULL)
		buf_printf(line_add(d, 1, ST_DIM, ""), "note: %s", res.note);
	if (res.error != NULL)
		buf_printf(line_add(d, 1, ST_ERROR, ""), "error: %s", res.error);
	if (res.undecoded > 0)
		buf_printf(line_add(d, 1, ST_WARN, ""), "%u of %u bytes are not decoded",
		    res.undecoded, e->size);
	if (d->payload.len < e->size)
		buf_puts(line_add(d, 1, ST_ERROR, ""), "the file has become shorter: bytes gone");
}

/* Enough cells for the labels, within reason. */
static void
measure(struct details *d)
{
	d->label_w = 8;
	for (size_t i = 0; i < d->n; i++) {
		const struct line	*l = &d->lines[i];
		size_t			 w = 2u * l->indent + text_width((struct span){
		    (const uint8_t *)d->words.p + l->label, l->label_len }, TEXT_UTF8);

		if (l->text_len > 0 && w > (size_t)d->label_w)
			d->label_w = w > 24 ? 24 : (int)w;
	}
}

static bool
make(struct details *d, struct view *v)
{
	struct event	e;

	if (view_selected(v, &e) != 1)
		return false;
	if (d->made && d->made_gen == v->gen && d->made_ts == e.ts && d->made_off == e.off)
		return true;
	if (!d->made || d->made_type != e.type)
		d->list.top = 0;	/* an event of the same kind keeps what one looks at */
	d->n = 0;
	buf_clear(&d->words);
	add_header(d, v, &e);
	add_payload(d, v, &e);
	lines_end(d);
	measure(d);
	d->made = true;
	d->made_gen = v->gen;
	d->made_ts = e.ts;
	d->made_off = e.off;
	d->made_type = e.type;
	return true;
}

/* ---- drawing */

static void
draw_hex(struct details *d, struct canvas *c, struct rect r, int y, uint64_t at, unsigned step)
{
	struct buf	b;
	size_t		n = d->payload.len - (size_t)at;
	int		x = r.x + 2;

	if (n > step)
		n = step;
	buf_init(&b);
	buf_hex(&b, at, 4);
	x += canvas_buf(c, y, x, r.w, ST_DIM, &b) + 2;
	buf_clear(&b);
	for (size_t i = 0; i < step; i++) {
		if (i < n)
			buf_hex(&b, d->payload.p[at + i], 2);
		else
			buf_puts(&b, "  ");
		buf_puts(&b, i % 8 == 7 ? "  " : " ");
	}
	x += canvas_buf(c, y, x, r.x + r.w - x, ST_NORMAL, &b);
	buf_clear(&b);
	for (size_t i = 0; i < n; i++) {
		uint8_t	byte = d->payload.p[at + i];

		buf_putc(&b, byte >= ' ' && byte < 127 ? (char)byte : '.');
	}
	(void)canvas_buf(c, y, x, r.x + r.w - x, ST_DIM, &b);
	buf_release(&b);
}

static void
draw_line(struct details *d, struct canvas *c, struct rect r, int y, const struct line *l)
{
	const uint8_t	*words = (const uint8_t *)d->words.p;
	int		 x = r.x + 1 + 2 * (l->indent < 12 ? l->indent : 12), used;
	int		 text_x = r.x + 1 + d->label_w + 2;

	used = canvas_text(c, y, x, r.w / 2, l->style == ST_TITLE ? ST_STRONG : ST_DIM,
	    (struct span){ words + l->label, l->label_len });
	if (x + used + 1 > text_x)
		text_x = x + used + 1;
	if (l->label_len == 0)
		text_x = x;
	(void)canvas_text(c, y, text_x, r.x + r.w - text_x,
	    l->style == ST_TITLE ? ST_DIM : (enum style)l->style,
	    (struct span){ words + l->text, l->text_len });
}

static void
details_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct details	*d = arg;
	unsigned	 step = r.w >= 77 ? 16 : 8;
	uint64_t	 hex;

	(void)focus;
	if (!make(d, v)) {
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM, "no event is selected");
		return;
	}
	hex = (d->payload.len + step - 1) / step;
	d->list.scrolls = true;
	list_fit(&d->list, d->n + (hex > 0 ? hex + 1 : 0), r.h);
	for (int i = 0; i < r.h; i++) {
		uint64_t	at = d->list.top + (uint64_t)i;

		if (at < d->n)
			draw_line(d, c, r, r.y + i, &d->lines[at]);
		else if (at == d->n && hex > 0)
			(void)canvas_puts(c, r.y + i, r.x + 1, r.w - 1, ST_STRONG, "bytes");
		else if (at < d->list.n)
			draw_hex(d, c, r, r.y + i, (at - d->n - 1) * step, step);
	}
}

static void
details_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct details	*d = arg;
	struct event	 e;

	if (view_selected(v, &e) != 1)
		return;
	buf_puts(left, trace_type(v->t, e.type)->name);
	if (d->list.n > (uint64_t)d->list.h && d->list.h > 0)
		buf_printf(right, "line %llu of %llu", (unsigned long long)d->list.top + 1,
		    (unsigned long long)d->list.n);
}

static bool
details_move(void *arg, struct view *v, struct move m)
{
	struct details	*d = arg;

	(void)v;
	return list_move(&d->list, m);
}

static void
details_release(void *arg)
{
	struct details	*d = arg;

	mem_free(d->lines);
	buf_release(&d->words);
}

const struct pane_ops	pane_details = {
	.name = "details",
	.number = 3,
	.size = sizeof(struct details),
	.release = details_release,
	.title = details_title,
	.draw = details_draw,
	.move = details_move,
};
