/*
 * The activity, the related activity and the V6 labels of the selected event, with the number of
 * events in the window that match the filter and have the same value.
 *
 *	label          value                                          events
 *	activity       //1/30/2  4bf92f35-...                            214
 *	TraceId        4bf92f3577b34da6a3ce929d0e0e4736                1,102
 *
 * Invariant: `key` holds the labels that are counted. Another event with the same labels keeps the
 * counts, so moving within an activity counts only once.
 */
#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/label.h"
#include "ui/pane/table.h"
#include "ui/view/counting.h"

enum { LABEL, VALUE, EVENTS, LABEL_COLUMNS };

#define LINES_MAX	64u
#define HEADING		3	/* lines above the labels, and one below */
#define DEPENDS		(VIEW_INDEX | VIEW_SELECTION)

static const struct table_column	columns[LABEL_COLUMNS] = {
	[LABEL] = { .name = "label", .kind = CELL_TEXT, .tone = TONE_DIM, .width = 8,
	    .most = 17 },
	[VALUE] = { .name = "value", .kind = CELL_TEXT, .tone = TONE_STRONG, .width = 20,
	    .most = -1 },
	[EVENTS] = { .name = "events", .kind = CELL_U64, .width = 10 },
};

struct label_line {
	struct field_at	 f;		/* raw: the bytes of an activity id */
	size_t		 title;		/* bytes of its name that are left out */
	struct buf	 value;		/* displayed value, with the GUID of a path */
};

struct labels_pane;

/* The fields and texts to count. It does not change, since all threads read it, and is retired
   when something else is counted. */
struct label_request {
	struct labels_pane	*self;		/* where to merge the counts */
	struct trace		*t;
	struct field_ref	 ref[LINES_MAX];
	struct buf		 text[LINES_MAX];
	size_t			 n;
	bool			 ascii;
};

struct labels_pane {
	struct table_pane	 p;
	struct table		 t;
	struct view		*v;
	struct label_line	 line[LINES_MAX];
	size_t			 n, left_out;
	struct view_changes	 seen;		/* when they were found */
	struct buf		 key;		/* identifies what is counted */
	uint64_t		 events[LINES_MAX];	/* counts of the lines, merged */
	struct counting		 counting;
	uint64_t		 round;		/* changes when lines change */
};

/* ---- lines */

static void
line_add(struct labels_pane *self, struct view *v, const struct event *e, const char *field,
    size_t prefix)
{
	struct label_line	*l = &self->line[self->n];

	if (self->n == LINES_MAX) {
		self->left_out++;
		return;
	}
	field_at_clear(&l->f);
	buf_clear(&l->value);
	if (!field_at_name(&l->f, v, field, e, ROW_UNKNOWN))
		return;
	buf_puts(&l->f.name, field);
	l->title = prefix;
	buf_add(&l->value, l->f.text.p, l->f.text.len);
	/* A path is followed by the id that it describes. */
	if (prefix == 0 && l->f.text.len != l->f.value.len)
		buf_printf(&l->value, "  %s", buf_str(&l->f.value));
	self->n++;
}

static void
add_label(struct labels_pane *self, struct view *v, const struct event *e,
    const struct label *label)
{
	struct span	key;
	struct buf	name;
	bool		twice = false;

	if (!label_name(label, &key))
		return;
	buf_init(&name);
	filter_quote_name(&name, "label.", (const char *)key.p, key.len);
	for (size_t i = 0; i < self->n; i++)	/* of a repeated key, the first value is here */
		twice |= strcmp(buf_str(&self->line[i].f.name), buf_str(&name)) == 0;
	if (!twice)
		line_add(self, v, e, buf_str(&name), strlen("label."));
	buf_release(&name);
}

static void
find_lines(struct labels_pane *self, struct view *v, const struct event *e)
{
	struct label	*label = mem_zalloc(LIMIT_LABELS, sizeof *label);
	size_t		 n = trace_labels(v->t, e, label, LIMIT_LABELS);

	line_add(self, v, e, "activity", 0);
	line_add(self, v, e, "related", 0);
	for (size_t i = 0; i < n; i++)
		add_label(self, v, e, &label[i]);
	mem_free(label);
}

static void
key_of(const struct labels_pane *self, struct buf *out)
{
	for (size_t i = 0; i < self->n; i++)
		buf_printf(out, "%s=%s\n", buf_str((struct buf *)&self->line[i].f.name),
		    buf_str((struct buf *)&self->line[i].f.value));
}

/* ---- counting */

struct label_counts {
	const struct label_request	*want;
	struct field_reader		*reader;
	struct buf			 text;
	uint64_t			 events[LINES_MAX];
	struct cell			 cell[LINES_MAX];
};

static void *
part_begin(void *arg)
{
	struct label_counts	*p = mem_zalloc(1, sizeof *p);

	p->want = arg;
	p->reader = field_reader_new(p->want->t, &field_at_options);
	buf_init(&p->text);
	return p;
}

static bool
is_text(const struct label_counts *p, size_t i)
{
	const struct buf	*want = &p->want->text[i];

	return p->cell[i].kind != CELL_NONE && p->text.len == want->len &&
	    (want->len == 0 || memcmp(p->text.p, want->p, want->len) == 0);
}

/* Get all cells of an event together, so that its labels are looked up once. */
static void
part_add(void *state, const struct pass_batch *b)
{
	struct label_counts	*p = state;

	for (uint32_t k = 0; k < b->n; k++) {
		field_get(p->reader, p->want->ref, p->want->n, &b->ev[b->at[k]], ROW_UNKNOWN,
		    p->cell);
		for (size_t i = 0; i < p->want->n; i++) {
			buf_clear(&p->text);
			cell_text(&p->text, &p->cell[i], p->want->ascii);
			p->events[i] += is_text(p, i);
		}
	}
}

static void
part_free(void *state)
{
	struct label_counts	*p = state;

	field_reader_free(p->reader);
	buf_release(&p->text);
	mem_free(p);
}

static int
part_merge(void *arg, void *state)
{
	struct label_request	*want = arg;

	for (size_t i = 0; i < want->n; i++)
		want->self->events[i] += ((struct label_counts *)state)->events[i];
	return 0;
}

static struct label_request *
wanted_new(struct labels_pane *self, struct view *v)
{
	struct label_request	*w = mem_zalloc(1, sizeof *w);
	struct buf		 why;

	buf_init(&why);
	w->self = self;
	w->t = v->t;
	w->ascii = v->display.ascii;
	w->n = self->n;
	for (size_t i = 0; i < self->n; i++) {
		const struct field_at	*f = &self->line[i].f;

		(void)field_ref_init(&w->ref[i], f->name.p, f->name.len, &why);
		buf_init(&w->text[i]);
		buf_add(&w->text[i], f->text.p, f->text.len);
	}
	buf_release(&why);
	return w;
}

static void
wanted_end(void *arg)
{
	struct label_request	*w = arg;

	for (size_t i = 0; i < w->n; i++) {
		field_ref_release(&w->ref[i]);
		buf_release(&w->text[i]);
	}
	mem_free(w);
}

static void
begin(struct labels_pane *self, struct view *v)
{
	static const struct pass_ops	ops = { .begin = part_begin, .add = part_add,
					    .merge = part_merge, .free = part_free };
	struct label_request		*want = wanted_new(self, v);

	memset(self->events, 0, sizeof self->events);
	counting_begin(&self->counting, v, &(struct counting_request){ .of = COUNT_SHOWN,
	    .ops = &ops, .arg = want, .end = wanted_end, .owned = want });
	self->counting.done = self->n == 0;
}

/* Follow the selection. If the labels are equal, keep the counts. */
static void
follow(struct labels_pane *self, struct view *v)
{
	struct event	e;
	struct buf	key;

	if (self->v == NULL || view_changed(v, &self->seen, DEPENDS)) {
		self->v = v;
		self->seen = v->changes;
		self->n = self->left_out = 0;
		self->round++;
		if (view_selected(v, &e) == 1)
			find_lines(self, v, &e);
	}
	buf_init(&key);
	key_of(self, &key);
	if (counting_follow(&self->counting) || strcmp(buf_str(&key), buf_str(&self->key)) != 0)
		begin(self, v);
	counting_want(&self->counting);
	buf_clear(&self->key);
	buf_add(&self->key, key.p, key.len);
	buf_release(&key);
}

/* ---- the table */

static void
labels_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct labels_pane	*self = src;
	struct label_line	*l = &self->line[row];

	if (col == LABEL)
		*out = cell_str(buf_str(&l->f.name) + l->title);
	else if (col == VALUE)
		*out = (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&l->value) };
	else
		*out = cell_u64(self->events[row]);
}

static bool
labels_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	const struct field_at	*f = &((struct labels_pane *)src)->line[row].f;

	buf_add(field, f->name.p, f->name.len);
	buf_add(value, f->value.p, f->value.len);
	return true;
}

static bool
labels_evidence(void *src, size_t row, struct table_evidence *out)
{
	struct field_at	*f = &((struct labels_pane *)src)->line[row].f;

	out->kind = EVIDENCE_FILTER;
	return field_term(&out->filter, buf_str(&f->name), buf_str(&f->value));
}

static const struct table *
labels_table(void *arg, struct view *v)
{
	struct labels_pane	*self = arg;

	follow(self, v);
	self->t = (struct table){ .column = columns, .ncolumns = LABEL_COLUMNS, .nrows = self->n,
	    .src = self, .cell = labels_cell, .key = labels_key, .evidence = labels_evidence,
	    .sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED, .rows_stamp = self->round,
	    .stamp = self->round + view_stamp(v, VIEW_INDEX),
	    .empty = !v->sel.has ? "no event selected" : trace_has(v->t, HAS_ACTIVITIES) ?
	    "no activity and no labels (:filter-add has activity)" :
	    "this format has no activities and no labels" };
	return &self->t;
}

static void
labels_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct labels_pane	*self = arg;

	follow(self, v);
	if (self->n == 0)
		return;
	buf_puts(left, v->window.whole ? "of the event, counted in the trace" :
	    "of the event, counted in this window");
	if (self->left_out > 0)
		buf_printf(right, "%zu more labels, ", self->left_out);
	if (counting_busy(&self->counting))
		buf_printf(right, "%u %% counted%s",
		    (unsigned)(counting_share(&self->counting) * 100),
		    v->stopped ? ", stopped: j resumes" : "");
}

static int
labels_lines(void *arg, struct view *v, bool opened)
{
	(void)opened;
	return (int)labels_table(arg, v)->nrows + HEADING;
}

/* ---- keys */

/* If Esc stopped the counting, a key continues it. */
static bool
labels_move(void *arg, struct view *v, struct move m)
{
	struct labels_pane	*self = arg;
	bool			 again = v->stopped && counting_busy(&self->counting);

	if (again)
		v->stopped = false;
	return table_pane_move(self, v, m) || again;
}

static bool
labels_field(void *arg, struct view *v, struct field_at *out)
{
	struct labels_pane	*self = arg;
	size_t			 row = table_pane_row(&self->p, v);
	const struct field_at	*f;

	if (row == TABLE_NO_ROW)
		return false;
	f = &self->line[row].f;
	(void)labels_key(self, row, &out->name, &out->value);
	buf_add(&out->text, f->text.p, f->text.len);
	out->raw = f->raw;
	return true;
}

static void
labels_release(void *arg)
{
	struct labels_pane	*self = arg;

	counting_release(&self->counting);
	for (size_t i = 0; i < LINES_MAX; i++) {
		field_at_release(&self->line[i].f);
		buf_release(&self->line[i].value);
	}
	buf_release(&self->key);
	table_pane_release(self);
}

const struct pane_ops	pane_labels = {
	.name = "labels",
	.hints = "open=only next-of-activity copy-field close help",
	.size = sizeof(struct labels_pane),
	.release = labels_release,
	.title = labels_title,
	.table = labels_table,
	.draw = table_pane_draw,
	.lines = labels_lines,
	.move = labels_move,
	.enter = table_pane_enter,
	.field = labels_field,
	.point = table_pane_point,
	TABLE_PANE_SORTS,
};
