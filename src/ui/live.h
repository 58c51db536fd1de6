/*
 * A trace that is being received, as the shell shows it: the window of the last seconds, rates on
 * the top line, and what leaving means for the session.
 */
#ifndef UI_LIVE_H
#define UI_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"

struct ui;

void	live_begin(struct ui *ui);
/* Is it received, and not all of it indexed yet? */
bool	live_runs(const struct ui *ui);
/* How does the session stand? A few times a second, whatever is called how often. */
void	live_look(struct ui *ui, int64_t now);
/* The program has started again: leave, to show it. False: it hasn't. */
bool	live_go_on(struct ui *ui);
/* The end of the list is followed: the window moves along, if nobody has chosen another. */
void	live_slide(struct ui *ui);
/* Append its part of the top line; false: there is nothing to say. */
bool	live_text(const struct ui *ui, struct buf *out);
/* Ask what is to become of it before leaving; false: nothing has to be asked. */
bool	live_ask(struct ui *ui);
/* The viewer is being left: stop the session; what was received stays. */
void	live_leave(struct ui *ui);
/* Can't another trace be shown now? The message then says why. */
bool	live_refuses(struct ui *ui);
/* Keep the stream under a name of the user's. */
void	live_keep(struct ui *ui, const char *path);

#endif
