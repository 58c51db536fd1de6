/*
 * The spans that begin in the window.
 *
 *	each, the longest first  --=-->  by name  --Enter-->  how long those of the name last
 *	    p |        ^ p       <--=--           <--Left--      |Enter      ^Left
 *	 pauses for collections                                those of a bucket
 *
 * Enter on a span goes to the event that begins it; on one of a bucket makes it the window, too.
 */
#include "tnav/analysis/spans.h"
#include "tnav/base/units.h"
#include "ui/pane/table.h"

#define DEPENDS		(VIEW_INDEX | VIEW_WINDOW | VIEW_ROWS | VIEW_SPANS)
#define LONGEST		10000u
#define AT_ONCE_NS	15000000

enum level { EACH, PAUSES, NAMES, BUCKETS, IN_BUCKET };

/* What act() means. */
enum { ACT_BY_NAME, ACT_PAUSES };

struct spans_pane {
	struct table_pane	 p;
	struct table		*t;
	enum level		 level, made;	/* made: what t is */
	uint32_t		 name;		/* of BUCKETS and below */
	unsigned		 bucket;
	size_t			 back[IN_BUCKET];	/* the row that was left at a level above */
	uint64_t		 n;		/* in the window */
	struct view_changes	 seen;		/* when t was made */
	struct span_summing	*summing;	/* of a window: sums by name, or NULL */
	struct view_changes	 summed;	/* when they were begun */
};

static const struct table	nothing = { .column = spans_column, .ncolumns = SPANS_COLUMNS,
	.sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED, .empty = "finding spans ..." };

static const struct table	stopped = { .column = spans_column, .ncolumns = SPANS_COLUMNS,
	.sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED,
	.empty = "stopped (Alt-9 finds spans again)" };

static const struct table	adding = { .column = spans_column, .ncolumns = SPANS_COLUMNS,
	.sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED, .empty = "summing up spans ..." };

static bool
is_waiting(const struct table *t)
{
	return t == &nothing || t == &stopped || t == &adding;
}

/* Are the sums of the window there, if the level takes any? Few spans are added up at once. */
static bool
sums_there(struct spans_pane *self, struct view *v, struct spans *s)
{
	if (v->window.whole || (self->level != NAMES && self->level != BUCKETS))
		return true;
	if (self->summing == NULL || view_changed(v, &self->summed, VIEW_WINDOW | VIEW_SPANS)) {
		table_free(self->t);	/* it may read the sums of before */
		self->t = NULL;
		span_summing_free(self->summing);
		self->summing = span_summing_new(s, v->window.from, v->window.to);
		self->summed = v->changes;
		return span_summing_wait(self->summing, AT_ONCE_NS);
	}
	return span_summing_wait(self->summing, 0);
}

static bool
spans_work(void *arg, struct view *v, int64_t budget_ns)
{
	struct spans_pane	*self = arg;

	(void)v;
	return self->summing != NULL && !span_summing_wait(self->summing, budget_ns);
}

static struct table *
make(struct spans_pane *self, struct view *v, struct spans *s)
{
	struct spans_table_of		 of = { .list = self->level != NAMES,
					    .names = self->level == NAMES, .longest = LONGEST,
					    .windowed = !v->window.whole, .from = v->window.from,
					    .to = v->window.to, .all = &self->n,
					    .narrow = self->level == IN_BUCKET,
					    .pauses = self->level == PAUSES,
					    .name = self->name, .bucket = self->bucket };
	struct table			*t;

	if (self->level == NAMES || self->level == BUCKETS)
		of.summing = v->window.whole ? NULL : self->summing;
	if (self->level == BUCKETS)
		return span_buckets_table(s, &of);
	t = spans_table(s, &of);
	t->sort = self->level == NAMES ? SPANS_TOTAL : SPANS_DUR;
	if (self->level == PAUSES)
		t->empty = "no GC suspension begins here";
	else if (!v->window.whole && spans_count(s) > 0)
		t->empty = "no span begins in this window (0 shows the whole trace)";
	return t;
}

static const struct table *
spans_pane_table(void *arg, struct view *v)
{
	struct spans_pane	*self = arg;
	struct spans		*s = spanning_spans(v->spanning);

	spanning_ask(v->spanning);
	if (s == NULL)
		return v->stopped ? &stopped : &nothing;
	if (self->t != NULL && self->made == self->level && !view_changed(v, &self->seen, DEPENDS))
		return self->t;
	/* What was found anew has other numbers for names. */
	if (self->level > NAMES && view_changed(v, &self->seen, VIEW_SPANS))
		self->level = NAMES;
	if (!sums_there(self, v, s))
		return &adding;
	if (self->made != self->level)
		table_pane_reset(&self->p);
	table_free(self->t);
	self->t = make(self, v, s);
	self->made = self->level;
	self->t->stamp = self->t->rows_stamp = view_stamp(v, DEPENDS);
	self->seen = v->changes;
	return self->t;
}

static void
go_to_level(struct spans_pane *self, struct view *v, enum level to)
{
	enum level	from = self->level;
	size_t		stand = TABLE_NO_ROW;

	if (to > from && from < IN_BUCKET)
		self->back[from] = table_pane_row(&self->p, v);
	if (to < from && to < IN_BUCKET)
		stand = self->back[to];
	self->level = to;
	if (stand != TABLE_NO_ROW)
		table_pane_stand(&self->p, v, stand);
}

/* The span under the cursor; NULL: there is none. */
static const struct span_record *
span_here(struct spans_pane *self, struct view *v)
{
	struct spans		*s = spanning_spans(v->spanning);
	size_t			 row = table_pane_row(&self->p, v);
	const struct table	*t = spans_pane_table(self, v);
	uint64_t		 span;

	if (is_waiting(t) || row == TABLE_NO_ROW || self->level == BUCKETS ||
	    !spans_table_span(t, row, &span))
		return NULL;
	return spans_at(s, span);
}

static enum mate
spans_times(void *arg, struct view *v, int64_t *from, int64_t *to)
{
	const struct span_record	*r = span_here(arg, v);

	if (r == NULL)
		return MATE_NONE;
	if (r->state != SPAN_PAIRED)
		return MATE_LOST;
	*from = r->start;
	*to = r->stop < INT64_MAX ? r->stop + 1 : r->stop;
	return MATE_THERE;
}

/* To its first event; of a bucket it is the window, too: who came so far looks for this one. */
static bool
enter_span(struct spans_pane *self, struct view *v)
{
	int64_t	from, to;
	bool	whole = self->level == IN_BUCKET && spans_times(self, v, &from, &to) == MATE_THERE;
	bool	went = table_pane_enter(self, v);

	if (went && whole)
		(void)view_window(v, from, to);
	return went;
}

static bool
spans_enter(void *arg, struct view *v)
{
	struct spans_pane		*self = arg;
	size_t				 row = table_pane_row(&self->p, v);
	const struct table		*t = spans_pane_table(arg, v);

	if (span_here(self, v) != NULL)
		return enter_span(self, v);
	if (is_waiting(t) || row == TABLE_NO_ROW)
		return table_pane_enter(arg, v);
	if (self->level == BUCKETS) {
		self->bucket = span_buckets_bucket(t, row);
		go_to_level(self, v, IN_BUCKET);
	} else if (spans_table_name(t, row, &self->name)) {
		go_to_level(self, v, BUCKETS);
	}
	return false;
}

static bool
spans_move(void *arg, struct view *v, struct move m)
{
	struct spans_pane	*self = arg;

	if (m.kind == MOVE_SIDE && m.n < 0 && self->level > NAMES) {
		go_to_level(self, v, self->level - 1);
		return true;
	}
	return table_pane_move(arg, v, m);
}

static bool
spans_print_options(void *arg, struct view *v, struct buf *out)
{
	const struct spans_pane	*self = arg;

	(void)v;
	if (self->level == NAMES)
		buf_printf(out, "--by-name%c", '\0');
	else
		buf_printf(out, "--list%c--top=%u%c", '\0', LONGEST, '\0');
	return self->level == EACH || self->level == NAMES;
}

/* Each, or by name; each, or those for which collections stopped the program. */
static void
spans_act(void *arg, struct view *v, int64_t what, const char *unused)
{
	static const char *const	words[] = { [PAUSES] = "GC suspensions",
					    [EACH] = "each span", [NAMES] = "spans by name" };
	struct spans_pane		*self = arg;
	enum level			 to = what == ACT_PAUSES ? PAUSES : NAMES;

	(void)unused;
	go_to_level(self, v, self->level == to || self->level > NAMES ? EACH : to);
	view_say(v, "%s", words[self->level]);
}

static void
put_name(struct spans_pane *self, struct view *v, struct buf *left)
{
	const struct span_name	*n = spans_name(spanning_spans(v->spanning), self->name);

	buf_printf(left, "%s", n->group);
	if (self->level != IN_BUCKET)
		return;
	buf_puts(left, ", ");
	units_dur(left, span_bucket_from(self->bucket), v->display.ascii);
	buf_puts(left, " or longer");
	if (self->bucket + 1 < SPAN_BUCKETS) {
		buf_puts(left, ", under ");
		units_dur(left, span_bucket_from(self->bucket + 1), v->display.ascii);
	}
}

static void
spans_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	static const char *const	 of[] = { [EACH] = "", [NAMES] = "by name, ",
					    [PAUSES] = "GC suspensions, " };
	struct spans_pane		*self = arg;
	const struct table		*t = spans_pane_table(arg, v);

	if (is_waiting(t))
		return;
	if (self->level > NAMES) {
		put_name(self, v, left);
	} else {
		buf_puts(left, of[self->level]);
		buf_printf(left, "sorted by %s", table_title(t, table_pane_by(&self->p, t)));
	}
	if (self->level == NAMES || self->level == BUCKETS) {
		buf_grouped(right, t->nrows);
		buf_puts(right, self->level == NAMES ? " name" : " range");
		buf_puts(right, t->nrows == 1 ? "" : "s");
		return;
	}
	if (self->n > t->nrows) {
		buf_puts(right, "the longest ");
		buf_grouped(right, t->nrows);
		buf_puts(right, " of ");
	}
	buf_grouped(right, self->n);
	buf_puts(right, self->n == 1 ? " span" : " spans");
}

static void
spans_pane_release(void *arg)
{
	struct spans_pane	*self = arg;

	table_free(self->t);
	span_summing_free(self->summing);
	table_pane_release(self);
}

/* A collection suspends programs of .NET. */
static bool
spans_useful(void *arg, struct view *v, const char *command)
{
	(void)arg;
	return strcmp(command, "pauses") != 0 || trace_has(v->t, HAS_IDS);
}

const struct pane_ops	pane_spans = {
	.name = "spans",
	.prints = "spans",
	.depends = PRINTS_WINDOW,
	.print_options = spans_print_options,
	.hints = "open=go spans-by-name pauses span left=back sort-next close help",
	.useful = spans_useful,
	.size = sizeof(struct spans_pane),
	.release = spans_pane_release,
	.title = spans_title,
	.table = spans_pane_table,
	.draw = table_pane_draw,
	.move = spans_move,
	.enter = spans_enter,
	.field = table_pane_field,
	.point = table_pane_point,
	.sort = table_pane_sort,
	.act = spans_act,
	.times = spans_times,
	.work = spans_work,
};
