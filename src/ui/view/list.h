/* The list: the rows of the window that match the filter, by index. */
#ifndef UI_VIEW_LIST_H
#define UI_VIEW_LIST_H

#include <stdint.h>

#include "tnav/model/event.h"

struct view;

uint64_t view_count(const struct view *v);
int	view_row(struct view *v, uint64_t index, uint64_t *row);	/* 1, 0 */
int	view_event(struct view *v, uint64_t index, struct event *e, uint64_t *row);	/* 1, 0 */

#endif
