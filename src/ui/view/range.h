/* A range of times marked by the user. While it is being marked, one end is the selection. */
#ifndef UI_VIEW_RANGE_H
#define UI_VIEW_RANGE_H

#include <stdbool.h>
#include <stdint.h>

struct view;

struct range {
	bool		set, growing;
	int64_t		a, b;
};

void	view_range_toggle(struct view *v);		/* begin at the selection, or end there */
void	view_range_set(struct view *v, int64_t from, int64_t to);
bool	view_range(const struct view *v, int64_t *from, int64_t *to);	/* false: none */
/* Make the range the window. False: there is none, or a message says why not. */
bool	view_range_zoom(struct view *v);

#endif
