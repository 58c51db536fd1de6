/*
 * The trace's spans at the viewer's turns.
 */
#ifndef UI_FIND_SPANS_H
#define UI_FIND_SPANS_H

#include <stdbool.h>

struct ui;

/* Spans that have been found since: a filter that asks for them is decided anew. */
void	ui_follow_spans(struct ui *ui);
/* Find them, if that takes no longer than a key may: true, they are there. */
bool	ui_await_spans(struct ui *ui);

#endif
