/*
 * The activities as a tree: requests, and what they caused. Enter shows the events of an activity.
 */
#include "tnav/analysis/activities.h"
#include "ui/pane/table.h"

#define DEPENDS		(VIEW_INDEX | VIEW_SPANS)

struct activities_pane {
	struct table_pane	 p;
	struct table		*t;
	struct view_changes	 seen;		/* when t was made */
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
	self->t->stamp = self->t->rows_stamp = view_stamp(v, DEPENDS);
	if (activities_remark(a) != NULL)
		self->t->empty = activities_remark(a);
	self->seen = v->changes;
	return self->t;
}

static void
activities_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	const struct table	*t = activities_pane_table(arg, v);

	if (t == &nothing || t == &stopped)
		return;
	buf_puts(left, "requests and what they caused");
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
	TABLE_PANE_SORTED,
};
