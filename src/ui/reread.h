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

#endif
