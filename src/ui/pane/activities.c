/*
 * The activities as a tree, the longest first: requests, and what they caused. Enter shows the
 * events of an activity. The cursor follows the selection, to the activity of the event.
 */
#include "ui/pane/activities.h"

#include "tnav/analysis/activities.h"

#define DEPENDS		(VIEW_INDEX | VIEW_SPANS)

static const struct table	nothing = TABLE_WITHOUT_ROWS(activities_columns, ACT_COLUMNS,
				    "finding activities ...");
static const struct table	stopped = TABLE_WITHOUT_ROWS(activities_columns, ACT_COLUMNS,
				    "stopped (Alt-a finds activities again)");

const struct table *
activities_tree_table(struct activities_tree *self, struct view *v)
{
	struct activities	*a = v->deriving.now.of[DERIVED_ACTIVITIES];

	deriving_need(&v->deriving, NEEDS_SPANS);
	if (a == NULL)
		return v->stopped ? &stopped : &nothing;
	if (self->t != NULL && !view_changed(v, &self->seen, DEPENDS))
		return self->t;
	table_free(self->t);
	self->t = activities_table(a, ACTIVITIES_LINE |
	    (v->display.ascii ? ACTIVITIES_ASCII : 0u));
	self->t->sort = ACT_DUR + 1;
	self->t->stamp = self->t->rows_stamp = view_stamp(v, DEPENDS);
	if (activities_remark(a) != NULL)
		self->t->empty = activities_remark(a);
	self->seen = v->changes;
	return self->t;
}

void
activities_tree_follow(struct activities_tree *self, struct table_pane *p, struct view *v)
{
	const struct table	*t = activities_tree_table(self, v);
	struct activities	*a = v->deriving.now.of[DERIVED_ACTIVITIES];
	struct event		 e;
	uint8_t			 guid[16];

	if (t != self->t || (self->followed && self->of == v->sel.off) || !v->sel.has ||
	    !view_selected(v, &e))
		return;
	self->followed = true;
	self->of = v->sel.off;
	if (trace_activity(v->t, &e, guid))
		table_pane_stand(p, v, activities_table_row(t, activities_find(a,
		    event_source(&e), guid)));
}

void
activities_tree_release(struct activities_tree *self)
{
	table_free(self->t);
}
