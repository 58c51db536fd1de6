/*
 * Where and when the state of a trace is kept: at the end of one viewer, for the next.
 */
#ifndef UI_STATE_KEEP_H
#define UI_STATE_KEEP_H

struct ui;

/* Bring back what was kept of this trace. */
void	keep_restore(struct ui *ui);
/* Keep what is shown. */
void	keep_save(struct ui *ui);

#endif
