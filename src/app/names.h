/*
 * Names of methods for a trace that is viewed while it is received: two more sessions in the same
 * program, of which nothing is kept.
 */
#ifndef APP_NAMES_H
#define APP_NAMES_H

struct names;
struct session;
struct session_peer;
struct trace;

enum names_when {
	NAMES_BEFORE,		/* of what was compiled before the main session began */
	NAMES_SINCE,		/* ... and of what is, as long as it goes on */
	NAMES_WHENS
};

/* Ask the program in a thread of its own; NULL: there is no thread. What arrives goes to files
   without a name in the folder. Peer and main session outlive it. */
struct names	*names_begin(const struct session_peer *peer, struct session *main,
    const char *folder);
/* What it says, as a trace, until names_end(): that of NAMES_BEFORE is whole, the other one grows.
   NULL: nothing, or not yet. */
struct trace	*names_trace(const struct names *n, enum names_when when);
/* What went wrong, a phrase; it stays the same. NULL: nothing, so far. */
const char	*names_problem(struct names *n, enum names_when when);
/* Ends the sessions, and waits for that, but not long; NULL is fine. */
void		 names_end(struct names *n);

#endif
