/* Finding spans for the viewer. */
#ifndef UI_FIND_SPANS_H
#define UI_FIND_SPANS_H

#include <stdbool.h>

struct ui;

/* If spans have been found since the last call: run a filter that uses them again. */
void	ui_follow_spans(struct ui *ui);
/* Wait for the spans as long as a key may take. True: they are available. */
bool	ui_await_spans(struct ui *ui);

#endif
