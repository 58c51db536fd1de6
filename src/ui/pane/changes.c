/*
 * What changed between two traces, or between a marked range and the rest: diagnoses that came or
 * went, then requests by route, events, spans and methods, the greatest change first.
 *
 *	A      before.nettrace: 6.7 s, 92,165 events
 *	B      after.nettrace: 6.5 s, 50,003 events
 *	of     name			A	B	change	interval
 *	event  Contention/Start		2.1	1,204	x 570	x 300 .. x 800
 *
 * Enter shows the events of the row in A; of a span the spans, of a diagnosis the summary,
 * of a request the requests, of a method the samples.
 *
 * Actions of act(): 0 shows the next kind of rows.
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "ui/pane/table.h"

#define LARGE		20		/* lines of a pane with room for all notes */

struct changes {
	struct table_pane	 p;
	struct diff_merge	 of[DIFF_MERGED];
	uint64_t		 stamp;		/* for which the table was made, + 1 */
	const char		*only;		/* what is shown: "event"; NULL: all */
	uint64_t		 made;		/* number of tables made */
	int			 h;		/* lines of the pane */
};

static const struct table_column	none[] = {
	{ .name = "change", .kind = CELL_TEXT },
};

/* ---- notes */

static struct buf *
note(struct changes *self, const char *label, enum tone tone)
{
	return &table_pane_note(&self->p, label, tone, NULL)->text;
}

/* The end of an item of a page; its text. */
static const char *
item_text(struct page *page, size_t i, size_t *len)
{
	size_t	from = page->item[i].from;

	*len = (i + 1 < page->n ? page->item[i + 1].from : page->text.len) - from;
	return buf_str(&page->text) + from;
}

static bool
is_side(const char *text)
{
	return (text[0] == 'A' || text[0] == 'B') && text[1] == ' ' && text[2] == ' ';
}

/* What differs in what was recorded: each in a line where there is room. */
static void
note_others(struct changes *self, struct page *page, size_t from)
{
	size_t	n = page->n - from - 1, len;	/* the last one is about figures */

	for (size_t i = from; i < page->n && (self->h >= LARGE || n == 1) &&
	    self->p.nnotes < TABLE_NOTES; i++) {
		const char	*text = item_text(page, i, &len);

		if (i + 1 < page->n || self->h >= LARGE)
			buf_add(note(self, "", TONE_DIM), text, len);
	}
	if (self->h < LARGE && n > 1)
		buf_printf(note(self, "", TONE_DIM), "%zu differences in what was recorded are "
		    "not compared: z shows them.", n);
}

/* What was recorded, as diff_about() says it: the two sides have a line each. */
static void
make_notes(struct changes *self, struct view *v, struct sides *d)
{
	struct trace	*b = comparison_trace(&v->comparison);
	struct page	 page = { 0 };
	size_t		 i = 0, len;

	diff_about(d, &page);
	for (; i < page.n && is_side(item_text(&page, i, &len)); i++) {
		const char	*text = item_text(&page, i, &len);
		struct buf	*to = note(self, text[0] == 'A' ? "A" : "B", TONE_NORMAL);

		buf_add(to, text + 3, len - 3);
		if (text[0] == 'B' && b != NULL && !trace_clean(b))
			buf_puts(to, "; it is cut or damaged");
	}
	if (i < page.n)
		note_others(self, &page, i);
	page_release(&page);
}

/* ---- the table */

static const char *
why_nothing(struct view *v)
{
	struct comparison	*c = &v->comparison;
	int64_t			 from, to;

	if (c->with == WITH_NOTHING)
		return "nothing is compared (:diff FILE compares this trace with another one, "
		    ":diff range the marked range with the rest)";
	if (!c->task.runs && c->why.len > 0)
		return buf_str(&c->why);
	if (v->stopped)
		return "stopped (:changes goes on)";
	if (comparison_busy(c))
		return "being compared ...";
	if (c->with == WITH_RANGE && !view_range(v, &from, &to))
		return "no range is marked: v at its start, v at its end";
	return "there is nothing beside the range: 0 shows the whole trace";
}

static void
drop(struct changes *self)
{
	table_free(self->p.built);
	self->p.built = NULL;
	table_pane_drop_notes(&self->p);
}

/* Which of the parts is shown alone; n: none is. */
static size_t
part_of(const struct changes *self, size_t n)
{
	size_t	i = 0;

	while (i < n && (self->only == NULL || strcmp(self->of[i].what, self->only) != 0))
		i++;
	return i;
}

static void
make_table(struct changes *self, struct view *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (self->of[i].events)
			make_notes(self, v, self->of[i].d);
	if (self->only != NULL) {
		self->of[0] = self->of[part_of(self, n)];
		n = 1;
	}
	self->p.built = diff_merged(self->of, (unsigned)n, v->display.ascii);
	self->made++;
	self->p.built->stamp = self->p.built->rows_stamp = self->made;
	self->p.built->empty = "neither side has any";
}

static const struct table *
changes_table(void *arg, struct view *v)
{
	struct changes	*self = arg;
	size_t		 n;

	comparison_follow(&v->comparison);
	if (self->stamp != v->comparison.stamp + 1) {
		self->stamp = v->comparison.stamp + 1;
		drop(self);
		n = comparison_parts(&v->comparison, self->of);
		if (part_of(self, n) == n)
			self->only = NULL;
		if (n > 0)
			make_table(self, v, n);
	}
	if (self->p.built != NULL)
		return self->p.built;
	self->p.t = (struct table)TABLE_WITHOUT_ROWS(none, 1, why_nothing(v));
	self->p.t.stamp = self->p.t.rows_stamp = self->made;
	return &self->p.t;
}

static void
changes_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct changes	*self = arg;

	(void)changes_table(self, v);
	if (v->comparison.with == WITH_FILE)
		buf_printf(left, "to %s", text_base_name(v->comparison.path));
	else if (v->comparison.with == WITH_RANGE)
		buf_puts(left, "from the rest to the range");
	if (self->only != NULL && self->p.built != NULL)
		buf_printf(left, ", %ss only", strcmp(self->only, "diagnosis") == 0 ? "diagnose" :
		    self->only);
	comparison_doing(&v->comparison, right);
}

static void
changes_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct changes	*self = arg;

	if ((self->h >= LARGE) != (r.h >= LARGE))
		self->stamp = 0;		/* other notes fit */
	self->h = r.h;
	table_pane_draw(self, v, c, r, focus);
}

/* ---- acts */

static const char *
changes_opens(void *arg, struct view *v)
{
	struct changes	*self = arg;
	size_t		 row = table_pane_row(&self->p, v);
	const char	*what;
	bool		 in_a;

	if (self->p.built == NULL || row == TABLE_NO_ROW || row >= self->p.built->nrows)
		return NULL;
	what = diff_merged_what(self->p.built, row, &in_a);
	if (!in_a) {
		view_say(v, "A has none of these");
		return NULL;
	}
	if (strcmp(what, "span") == 0)
		return "spans-by-name";
	if (strcmp(what, "request") == 0)
		return "requests";
	if (strcmp(what, "method") == 0)
		return "samples";
	return strcmp(what, "diagnosis") == 0 ? "summary" : NULL;
}

static bool
changes_enter(void *arg, struct view *v)
{
	struct changes	*self = arg;
	size_t		 row = table_pane_row(&self->p, v);
	bool		 in_a = true;

	if (self->p.built != NULL && row != TABLE_NO_ROW && row < self->p.built->nrows)
		(void)diff_merged_what(self->p.built, row, &in_a);
	return in_a && table_pane_enter(self, v);
}

static void
changes_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct changes		*self = arg;
	size_t			 n, next;

	(void)what;
	(void)name;
	n = comparison_parts(&v->comparison, self->of);
	next = self->only != NULL ? part_of(self, n) + 1 : 0;
	self->only = next < n ? self->of[next].what : NULL;
	self->stamp = 0;
	table_pane_reset(&self->p);
}

/* A marked range and its rest are no two windows. */
static bool
changes_print_options(void *arg, struct view *v, struct buf *out)
{
	(void)arg;
	(void)out;
	return v->comparison.with == WITH_FILE;
}

const struct pane_ops	pane_changes = {
	.prints = "diff",
	.depends = PRINTS_WINDOW | PRINTS_FILTER | PRINTS_OTHER,
	.print_options = changes_print_options,
	.hints = "open=go changes-kind flame=flame calls=calls sort close help",
	.size = sizeof(struct changes),
	.title = changes_title,
	.table = changes_table,
	.draw = changes_draw,
	TABLE_PANE_MOVES,
	TABLE_PANE_SORTS,
	.enter = changes_enter,
	.opens = changes_opens,
	.enters = "Show the events of the row in A; of a span, the spans; of a diagnosis, the "
	    "summary; of a request, the requests; of a method, the samples.",
	.act = changes_act,
};
