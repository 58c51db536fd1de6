/*
 * The change stamp: what of the view is another than when somebody looked last.
 *
 * The view counts the changes of each kind. Who makes something of the view keeps the counters that
 * held then (seen = v->changes) and makes it anew when view_changed() says that one of the kinds
 * that it depends on has changed. Counters that are all 0 were never the view's.
 */
#ifndef UI_VIEW_CHANGE_H
#define UI_VIEW_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum view_change {
	VIEW_INDEX = 0x1,	/* the index knows more */
	VIEW_WINDOW = 0x2,	/* another window was chosen */
	VIEW_ROWS = 0x4,	/* the window has other rows or times, be it that it grew */
	VIEW_FILTER = 0x8,	/* what the filter lets through is looked for anew */
	VIEW_SEARCH = 0x10,	/* so is what the search finds */
	VIEW_LIST = 0x20,	/* indexes may mean other rows: view_rows_follow() */
	VIEW_SELECTION = 0x40,	/* another event is selected */
	VIEW_COUNTS = 0x80,	/* the counts by thread (tallies.by_thread) are whole anew */
	VIEW_LANES = 0x100,	/* so are those of the timeline (tallies.lanes) */
	VIEW_NAMES = 0x400,	/* frames, threads or processes are called otherwise */
	VIEW_SPANS = 0x800,	/* spans and activities were found */
	VIEW_ASKED = 0x200,	/* another window or filter was set, not just found to be larger */
};

#define VIEW_CHANGES	12u

struct view_changes {
	uint64_t	n[VIEW_CHANGES];
};

struct view;

/* Has one of the kinds changed since? */
bool	view_changed(const struct view *v, const struct view_changes *seen, unsigned kinds);
/* A number that is another whenever one of the kinds has changed. */
uint64_t view_stamp(const struct view *v, unsigned kinds);
/* They have changed now. */
void	view_change(struct view *v, unsigned kinds);

#endif
