/* Saving the state of a trace when a viewer ends, for the next one. */
#ifndef UI_STATE_KEEP_H
#define UI_STATE_KEEP_H

struct ui;

/* Restore the saved state of this trace. */
void	keep_restore(struct ui *ui);
/* Save the current state. */
void	keep_save(struct ui *ui);

#endif
