/*
 * The spans that begin in the window with an event that matches the filter.
 *
 *	each, the longest first  --=-->  by name  --Enter-->  how long those of the name last
 *	    p |        ^ p       <--=--           <--Left--      |Enter      ^Left
 *	 pauses for collections                                those of a bucket
 *
 * The other form is the activities as a tree, the longest first: requests, and what they caused.
 * Enter shows the events of an activity. The cursor follows the selection, to the activity of the
 * event.
 *
 * Enter on a span goes to the event that begins it. On a span of a bucket it also makes the span
 * the window.
 */
#include "tnav/analysis/activities.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/task.h"
#include "tnav/base/units.h"
#include "ui/pane/table.h"

#define CHOOSES		(VIEW_WINDOW | VIEW_FILTER | VIEW_SPANS)
#define DEPENDS		(VIEW_INDEX | VIEW_ROWS | CHOOSES)
#define LONGEST		10000u
#define AT_ONCE_NS	15000000

enum level { EACH, PAUSES, NAMES, BUCKETS, IN_BUCKET };

/* Actions of act(). */
enum { ACT_BY_NAME, ACT_PAUSES, ACT_LIST, ACT_TREE };

struct spans_pane {
	struct table_pane	 p;
	bool			 tree, tree_made;	/* it shows activities */
	struct table		*activities;	/* or NULL */
	struct view_changes	 activities_seen;	/* when they were built */
	bool			 followed;
	uint64_t		 followed_off;	/* of the event that the cursor followed last */
	enum level		 level, made;	/* made: what p.built shows */
	uint32_t		 name;		/* of BUCKETS and below */
	unsigned		 bucket;
	size_t			 back[IN_BUCKET];	/* the row at each level above */
	bool			 returns;	/* go to the row of back[] when it is built */
	uint64_t		 n;		/* spans in the window */
	struct task		 choosing;
	struct spans		*from;		/* which it reads, ... */
	struct filter		*filter;	/* ... with this copy, or NULL, ... */
	struct spans_table_of	 of;		/* ... and these options */
	struct span_choice	*choice;	/* what is shown, or NULL; not during the task */
	struct view_changes	 chosen;	/* when the choice was begun */
};

#define ACTIVITIES_DEPEND	(VIEW_INDEX | VIEW_SPANS)

static const struct table	no_activities = TABLE_WITHOUT_ROWS(activities_columns, ACT_COLUMNS,
				    "finding activities ...");
static const struct table	tree_stopped = TABLE_WITHOUT_ROWS(activities_columns, ACT_COLUMNS,
				    "stopped (Alt-a finds activities again)");
static const struct table	nothing = TABLE_WITHOUT_ROWS(spans_columns, SPANS_COLUMNS,
				    "finding spans ...");
static const struct table	stopped = TABLE_WITHOUT_ROWS(spans_columns, SPANS_COLUMNS,
				    "stopped (Alt-9 finds spans again)");
static const struct table	choosing = TABLE_WITHOUT_ROWS(spans_columns, SPANS_COLUMNS,
				    "choosing spans ...");

static bool
is_waiting(const struct table *t)
{
	return t == &nothing || t == &stopped || t == &choosing;
}

static void
drop(struct spans_pane *self)
{
	table_free(self->p.built);		/* first: it may read the choice */
	task_halt(&self->choosing);
	span_choice_free(self->choice);
	filter_free(self->filter);
	self->p.built = NULL;
	self->choice = NULL;
	self->filter = NULL;
}

static struct spans_table_of
options(const struct spans_pane *self, const struct view *v)
{
	bool	sums = self->level == NAMES || self->level == BUCKETS;

	return (struct spans_table_of){ .list = !sums, .names = sums, .longest = LONGEST,
	    .windowed = !v->window.whole, .from = v->window.from, .to = v->window.to,
	    .narrow = self->level == IN_BUCKET, .pauses = self->level == PAUSES,
	    .name = self->name, .bucket = self->bucket };
}

/* Was the choice made for these options? Sums are made for all names at once. */
static bool
is_of(const struct spans_pane *self, const struct spans_table_of *of)
{
	const struct spans_table_of	*was = &self->of;

	return was->list == of->list && was->pauses == of->pauses && was->narrow == of->narrow &&
	    (!of->narrow || (was->name == of->name && was->bucket == of->bucket));
}

static void
choose(void *arg)
{
	struct spans_pane	*self = arg;

	self->choice = span_choice_new(self->from, &self->of, &self->choosing.stop);
}

/* Take the choice if it is made. */
static bool
takes(struct spans_pane *self, struct view *v)
{
	if (task_take(&self->choosing))
		return true;
	if (v->stopped)
		drop(self);
	else
		view_await_task(v, &self->choosing);
	return false;
}

/* Is the choice ready, if these options need one? A small one is made immediately. */
static bool
is_chosen(struct spans_pane *self, struct view *v, struct spans *s,
    const struct spans_table_of *of)
{
	if (of->names && v->window.whole && v->filter.text == NULL) {
		drop(self);
		return true;		/* these sums were made with the spans */
	}
	if ((self->choosing.runs || self->choice != NULL) && is_of(self, of) &&
	    !view_changed(v, &self->chosen, CHOOSES))
		return !self->choosing.runs || takes(self, v);
	drop(self);
	if (v->stopped)
		return false;
	self->from = s;
	self->of = *of;
	(void)view_filter_again(v, &self->filter);
	self->of.filter = self->filter;
	self->chosen = v->changes;
	task_start(&self->choosing, TASK_APART, choose, self);
	(void)task_wait(&self->choosing, AT_ONCE_NS);
	return takes(self, v);
}

static const char *
why_empty(const struct spans_pane *self, const struct view *v)
{
	if (v->filter.text != NULL)
		return "no span begins in this window with an event that matches the filter";
	if (self->level == PAUSES)
		return "no GC suspension begins here";
	return "no span begins in this window (0 shows the whole trace)";
}

static struct table *
make(struct spans_pane *self, struct view *v, struct spans *s, struct spans_table_of *of)
{
	struct table	*t;

	of->choice = self->choice;
	of->all = &self->n;
	of->titles = true;
	if (self->level == BUCKETS)
		return span_buckets_table(s, of);
	t = spans_table(s, of);
	t->sort = 1 + (self->level == NAMES ? SPANS_TOTAL : SPANS_DUR);
	if (spans_count(s) > 0 && (self->level == PAUSES || !v->window.whole ||
	    v->filter.text != NULL))
		t->empty = why_empty(self, v);
	return t;
}

/* ---- activities */

static const struct table *
activities_pane_table(struct spans_pane *self, struct view *v)
{
	struct activities	*a = v->deriving.now.of[DERIVED_ACTIVITIES];

	deriving_need(&v->deriving, NEEDS_SPANS);
	if (a == NULL)
		return v->stopped ? &tree_stopped : &no_activities;
	if (!view_changed(v, &self->activities_seen, ACTIVITIES_DEPEND))
		return self->activities;
	table_free(self->activities);
	self->activities = activities_table(a, ACTIVITIES_LINE |
	    (v->display.ascii ? ACTIVITIES_ASCII : 0u));
	self->activities->sort = ACT_DUR + 1;
	self->activities->stamp = self->activities->rows_stamp = view_stamp(v, ACTIVITIES_DEPEND);
	if (activities_remark(a) != NULL)
		self->activities->empty = activities_remark(a);
	self->activities_seen = v->changes;
	return self->activities;
}

/* Stand on the activity of the selected event, if it has one and is another event than before. */
static void
spans_follow(void *arg, struct view *v)
{
	struct spans_pane	*self = arg;
	const struct table	*t = self->tree ? activities_pane_table(self, v) : NULL;
	struct activities	*a = v->deriving.now.of[DERIVED_ACTIVITIES];
	struct event		 e;
	uint8_t			 guid[16];

	if (t == NULL || t != self->activities || !v->sel.has || !view_selected(v, &e) ||
	    (self->followed && self->followed_off == v->sel.off))
		return;
	self->followed = true;
	self->followed_off = v->sel.off;
	if (trace_activity(v->t, &e, guid))
		table_pane_stand(&self->p, v, activities_table_row(t, activities_find(a,
		    event_source(&e), guid)));
}

/* ---- the table */

static const struct table *
spans_pane_table(void *arg, struct view *v)
{
	struct spans_pane	*self = arg;
	struct spans		*s = v->deriving.now.of[DERIVED_SPANS];
	struct spans_table_of	 of;

	if (self->tree != self->tree_made)
		table_pane_reset(&self->p);
	self->tree_made = self->tree;
	if (self->tree)
		return activities_pane_table(self, v);
	deriving_need(&v->deriving, NEEDS_SPANS);
	if (s == NULL)
		return v->stopped ? &stopped : &nothing;
	if (self->p.built != NULL && self->made == self->level &&
	    !view_changed(v, &self->p.seen, DEPENDS))
		return self->p.built;
	/* Names have other numbers after spans were found again. */
	if (self->level > NAMES && view_changed(v, &self->p.seen, VIEW_SPANS))
		self->level = NAMES;
	of = options(self, v);
	if (!is_chosen(self, v, s, &of))
		return v->stopped ? &stopped : &choosing;
	if (self->made != self->level)
		table_pane_reset(&self->p);
	table_free(self->p.built);
	self->p.built = make(self, v, s, &of);
	self->made = self->level;
	self->p.built->stamp = self->p.built->rows_stamp = view_stamp(v, DEPENDS);
	self->p.seen = v->changes;
	if (self->returns) {
		self->returns = false;
		table_pane_stand(&self->p, v, self->back[self->level]);
	}
	return self->p.built;
}

static void
go_to_level(struct spans_pane *self, struct view *v, enum level to)
{
	enum level	from = self->level;

	if (to > from && from < IN_BUCKET)
		self->back[from] = table_pane_row(&self->p, v);
	self->level = to;
	self->returns = to < from && to < IN_BUCKET;
}

/* The span under the cursor, or NULL. */
static const struct span_record *
span_here(struct spans_pane *self, struct view *v)
{
	struct spans		*s = v->deriving.now.of[DERIVED_SPANS];
	size_t			 row = table_pane_row(&self->p, v);
	const struct table	*t = spans_pane_table(self, v);
	uint64_t		 span;

	if (self->tree || is_waiting(t) || row == TABLE_NO_ROW || self->level == BUCKETS ||
	    !spans_table_span(t, row, &span))
		return NULL;
	return spans_at(s, span);
}

static enum span_ends
spans_times(void *arg, struct view *v, int64_t *from, int64_t *to)
{
	return span_ends_of(span_here(arg, v), from, to);
}

/* Go to its first event. For a span of a bucket, make it the window, too. */
static bool
enter_span(struct spans_pane *self, struct view *v)
{
	int64_t	from, to;
	bool	whole = self->level == IN_BUCKET && spans_times(self, v, &from, &to) == ENDS_THERE;
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
	if (self->tree || is_waiting(t) || row == TABLE_NO_ROW)
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

	if (m.kind == MOVE_SIDE && m.n < 0 && self->level > NAMES && !self->tree) {
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
	if (self->tree)
		return true;
	if (self->level == NAMES)
		buf_printf(out, "--by-name%c", '\0');
	else
		buf_printf(out, "--list%c--top=%u%c", '\0', LONGEST, '\0');
	return self->level == EACH || self->level == NAMES;
}

static const char *
spans_prints(void *arg, unsigned *depends)
{
	const struct spans_pane	*self = arg;

	*depends = self->tree ? 0 : PRINTS_WINDOW | PRINTS_FILTER;
	return self->tree ? "activities" : "spans";
}

/* Show activities, or spans; focused: it has the focus already. */
static void
go_to_form(struct spans_pane *self, struct view *v, bool tree, bool focused)
{
	if (self->tree == tree && focused)
		view_say(v, "%s already has the focus", tree ? "activities" : "spans");
	self->tree = tree;
}

/* Switch between each span and names, or between all spans and pauses for collections; or show
   activities or spans ("focused": it has the focus already). */
static void
spans_act(void *arg, struct view *v, int64_t what, const char *focus)
{
	static const char *const	words[] = { [PAUSES] = "GC suspensions",
					    [EACH] = "each span", [NAMES] = "spans by name" };
	struct spans_pane		*self = arg;
	enum level			 to = what == ACT_PAUSES ? PAUSES : NAMES;

	if (what >= ACT_LIST) {
		go_to_form(self, v, what == ACT_TREE, focus[0] != '\0');
		return;
	}
	if (self->tree)
		self->level = EACH;
	self->tree = false;
	go_to_level(self, v, self->level == to || self->level > NAMES ? EACH : to);
	view_say(v, "%s", words[self->level]);
}

static void
put_name(struct spans_pane *self, struct view *v, struct buf *left)
{
	const struct spans	*s = v->deriving.now.of[DERIVED_SPANS];
	const struct span_name	*n = spans_name(s, self->name);

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

	if (self->tree ? t != self->activities : is_waiting(t))
		return;
	if (self->tree) {
		buf_puts(left, "activities");
		table_pane_put_sort(&self->p, t, ", ", left);
		buf_counts(right, "# activit{y|ies}", t->nrows);
		return;
	}
	if (self->level > NAMES) {
		put_name(self, v, left);
	} else {
		table_pane_put_sort(&self->p, t, of[self->level], left);
	}
	if (self->level == NAMES || self->level == BUCKETS) {
		buf_counts(right, self->level == NAMES ? "# name{s}" : "# range{s}", t->nrows);
		return;
	}
	if (self->n > t->nrows)
		buf_counts(right, "the longest # of ", t->nrows);
	buf_counts(right, "# span{s}", self->n);
}

static void
spans_pane_release(void *arg)
{
	struct spans_pane	*self = arg;

	drop(self);
	table_free(self->activities);
	task_release(&self->choosing);
}

static void
spans_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	spans_follow(arg, v);
	table_pane_draw(arg, v, c, r, focus);
}

/* Only .NET programs are suspended for collections. */
static bool
spans_useful(void *arg, struct view *v, const char *command)
{
	const struct spans_pane	*self = arg;

	if (strcmp(command, "right") == 0)
		return self->tree;
	if (strcmp(command, "left") == 0 || strcmp(command, "span") == 0)
		return !self->tree;
	return strcmp(command, "pauses") != 0 || trace_has(v->t, HAS_IDS);
}

const struct pane_ops	pane_spans = {
	.prints_now = spans_prints,
	.print_options = spans_print_options,
	.hints = "open=go right=unfold spans-by-name pauses span left=back sort close help",
	.useful = spans_useful,
	.size = sizeof(struct spans_pane),
	.release = spans_pane_release,
	.title = spans_title,
	.table = spans_pane_table,
	.draw = spans_draw,
	.follow = spans_follow,
	.move = spans_move,
	.enter = spans_enter,
	.enters = "Go to the event that begins the span; by name, show how long its spans last; "
	    "of an activity, show only its events.",
	.field = table_pane_field,
	.point = table_pane_point,
	TABLE_PANE_SORTS,
	.act = spans_act,
	.times = spans_times,
};
