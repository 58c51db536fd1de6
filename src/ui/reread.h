/*
 * The panes as a whole, and another trace in them: the file, read again.
 */
#ifndef UI_REREAD_H
#define UI_REREAD_H

#include <stdbool.h>

struct panes;
struct ui;

void	panes_init(struct panes *p);
void	panes_release(struct panes *p);
/* Open the file anew and show the same of it. False: the message says why not. */
bool	ui_reread(struct ui *ui);
/* Open another file in place of this one, whose state is kept. False: the message says why. */
bool	ui_open(struct ui *ui, const char *path);

#endif
