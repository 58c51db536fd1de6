/* Replacing the trace in the viewer: the file is read again, or another one is opened. */
#ifndef UI_REREAD_H
#define UI_REREAD_H

#include <stdbool.h>

struct panes;
struct ui;
struct view;

void	panes_init(struct panes *p, struct view *v);
void	panes_release(struct panes *p);
/* Open the file again and show the same part of it. False after a message with the reason. */
bool	ui_reread(struct ui *ui);
/* Open another file instead. The state of this one is saved. False after a message with the
   reason. */
bool	ui_open(struct ui *ui, const char *path);

#endif
