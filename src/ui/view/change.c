/*
 * The change stamp: a counter for each kind of change of the view.
 *
 *	kind	  index  window  rows  filter ...
 *	view	    17      3     18      4
 *	seen	    17      2     17      4		window and rows have changed
 *
 * Invariant: a counter of a view is at least 1 and never falls.
 */
#include "ui/view/change.h"

#include "ui/view/view.h"

bool
view_changed(const struct view *v, const struct view_changes *seen, unsigned kinds)
{
	for (unsigned i = 0; i < VIEW_CHANGES; i++)
		if ((kinds >> i & 1) != 0 && seen->n[i] != v->changes.n[i])
			return true;
	return false;
}

uint64_t
view_stamp(const struct view *v, unsigned kinds)
{
	uint64_t	sum = 0;

	for (unsigned i = 0; i < VIEW_CHANGES; i++)
		if ((kinds >> i & 1) != 0)
			sum += v->changes.n[i];
	return sum;
}

void
view_change(struct view *v, unsigned kinds)
{
	for (unsigned i = 0; i < VIEW_CHANGES; i++)
		if ((kinds >> i & 1) != 0)
			v->changes.n[i]++;
}
