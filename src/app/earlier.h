/*
 * Names of methods that were compiled before a session began: a second, short session, of which
 * nothing is wanted but its rundown.
 */
#ifndef APP_EARLIER_H
#define APP_EARLIER_H

struct earlier;
struct session_peer;
struct trace;

/* Ask the program, once, in a thread of its own; NULL: there is no thread. What arrives goes to a
   file without a name in the folder. The peer outlives it. */
struct earlier	*earlier_begin(const struct session_peer *peer, const char *folder);
/* What it says, as a trace that is indexed: until earlier_end(). NULL: nothing, or not yet. */
struct trace	*earlier_trace(const struct earlier *e);
/* Once it is done: what went wrong, a phrase. NULL: nothing. */
const char	*earlier_problem(struct earlier *e);
/* Waits for the end of the second session, but not long; NULL is fine. */
void		 earlier_end(struct earlier *e);

#endif
