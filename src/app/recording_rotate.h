/*
 * record --rotate: one file after another.
 */
#ifndef APP_RECORDING_ROTATE_H
#define APP_RECORDING_ROTATE_H

#include <stdbool.h>

struct recording;
struct session_state;

/* Once, before the first session: what --rotate asks for. 0, or an exit code after a message. */
int	recording_rotate_begin(struct recording *r);
/* Receive into file after file until the recording or the program ends. The state is that of `now`;
   *code grows to the worst of the others. */
void	recording_rotate(struct recording *r, struct session_state *st, int *code);
/* Nothing could be written to `now`, which has ended: make room, and begin another file. False: it
   is over. */
bool	recording_recover(struct recording *r);

#endif
