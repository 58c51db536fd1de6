/*
 * The change stamp: which parts of the view have changed since a client last looked.
 *
 * The view counts the changes of each kind. Code that computes something from the view saves the
 * counters (seen = v->changes), and computes it again if view_changed() reports a change of a kind
 * that it depends on. Counters that are all 0 differ from those of any view.
 */
#ifndef UI_VIEW_CHANGE_H
#define UI_VIEW_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

enum view_change {
	VIEW_INDEX = 0x1,	/* the index has grown */
	VIEW_WINDOW = 0x2,	/* another window was chosen */
	VIEW_ROWS = 0x4,	/* the window has other rows or times, also by growing */
	VIEW_FILTER = 0x8,	/* the filter runs again */
	VIEW_SEARCH = 0x10,	/* the search runs again */
	VIEW_LIST = 0x20,	/* indexes may mean other rows: view_rows_follow() */
	VIEW_SELECTION = 0x40,	/* another event is selected */
	VIEW_COUNTS = 0x80,	/* the counts by thread (tallies.by_thread) are complete again */
	VIEW_LANES = 0x100,	/* the counts of the timeline (tallies.lanes) are complete again */
	VIEW_NAMES = 0x400,	/* names of frames, threads or processes have changed */
	VIEW_SPANS = 0x800,	/* spans and activities were found */
	VIEW_SCOPE = 0x200,	/* another window or filter was set; not by growing */
};

#define VIEW_CHANGES	12u

struct view_changes {
	uint64_t	n[VIEW_CHANGES];
};

struct view;

/* Has one of these kinds changed since? */
bool	view_changed(const struct view *v, const struct view_changes *seen, unsigned kinds);
/* A number that changes whenever one of these kinds does. */
uint64_t view_stamp(const struct view *v, unsigned kinds);
/* These kinds have changed now. */
void	view_change(struct view *v, unsigned kinds);

#endif
