/*
 * The activities as a tree, the longest first: requests, and what they caused. Enter shows the
 * events of an activity. The cursor follows the selection, to the activity of the event.
 */
#include "tnav/analysis/activities.h"
#include "ui/pane/table.h"

#define DEPENDS		(VIEW_INDEX | VIEW_SPANS)

struct activities_pane {
	struct table_pane	 p;
	struct table		*t;
	struct view_changes	 seen;		/* when t was made */
	bool			 followed;
	uint64_t		 of;		/* payload offset of the event that the cursor
						   followed last */
};

static const struct table	nothing = { .column = activities_column, .ncolumns = ACT_COLUMNS,
	.sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED, .empty = "finding activities ..." };

static const struct table	stopped = { .column = activities_column, .ncolumns = ACT_COLUMNS,
	.sort = TABLE_UNSORTED, .tie = TABLE_UNSORTED,
	.empty = "stopped (Alt-a finds activities again)" };

static const struct table *
activities_pane_table(void *arg, struct view *v)
{
	struct activities_pane	*self = arg;
	struct activities	*a = deriving_get(v->deriving, DERIVED_ACTIVITIES);

	deriving_need(v->deriving, NEEDS_SPANS);
	if (a == NULL)
		return v->stopped ? &stopped : &nothing;
	if (self->t != NULL && !view_changed(v, &self->seen, DEPENDS))
		return self->t;
	table_free(self->t);
	self->t = activities_table(a, ACTIVITIES_LINE |
	    (v->display.ascii ? ACTIVITIES_ASCII : 0u));
	self->t->sort = ACT_DUR;
	self->t->stamp = self->t->rows_stamp = view_stamp(v, DEPENDS);
	if (activities_remark(a) != NULL)
		self->t->empty = activities_remark(a);
	self->seen = v->changes;
	return self->t;
}

/* Stand on the activity of the selected event, if it has one and is another event than before. */
static void
activities_follow(void *arg, struct view *v)
{
	struct activities_pane	*self = arg;
	const struct table	*t = activities_pane_table(arg, v);
	struct activities	*a = deriving_get(v->deriving, DERIVED_ACTIVITIES);
	struct event		 e;
	uint8_t			 guid[16];

	if (t != self->t || (self->followed && self->of == v->sel.off) || !v->sel.has ||
	    !view_selected(v, &e))
		return;
	self->followed = true;
	self->of = v->sel.off;
	if (trace_activity(v->t, &e, guid))
		table_pane_stand(&self->p, v, activities_table_row(t, activities_find(a, guid)));
}

static void
activities_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	activities_follow(arg, v);
	table_pane_draw(arg, v, c, r, focus);
}

static void
activities_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	const struct table	*t = activities_pane_table(arg, v);

	if (t == &nothing || t == &stopped)
		return;
	buf_printf(left, "requests and what they caused, sorted by %s",
	    table_title(t, table_pane_by(arg, t)));
	buf_counts(right, "# activit{y|ies}", t->nrows);
}

static void
activities_pane_release(void *arg)
{
	struct activities_pane	*self = arg;

	table_free(self->t);
	table_pane_release(self);
}

const struct pane_ops	pane_activities = {
	.name = "activities",
	.prints = "activities",
	.hints = "open=only right=unfold sort close help",
	.size = sizeof(struct activities_pane),
	.release = activities_pane_release,
	.title = activities_title,
	.table = activities_pane_table,
	.draw = activities_draw,
	.follow = activities_follow,
	TABLE_PANE_ROWS,
};
