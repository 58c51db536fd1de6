/*
 * Names of methods for a trace that is viewed while it is received. They come from two more
 * sessions in the same program, whose data is not kept.
 */
#ifndef APP_NAMES_H
#define APP_NAMES_H

struct attach_names;
struct session;
struct session_peer;
struct trace;

enum names_when {
	NAMES_BEFORE,		/* methods compiled before the main session began */
	NAMES_SINCE,		/* methods compiled while it runs */
	NAMES_WHENS
};

/* Start the sessions in a thread; NULL: no thread could be started. The data goes to unnamed
   files in the folder. peer and main must outlive the result. */
struct attach_names	*names_begin(const struct session_peer *peer, struct session *main,
    const char *folder);
/* The trace with the names, valid until names_end(). That of NAMES_BEFORE is complete; the other
   one grows. NULL: none, or not yet. */
struct trace	*names_trace(const struct attach_names *n, enum names_when when);
/* A phrase for the problem, which stays the same. NULL: none so far. */
const char	*names_problem(struct attach_names *n, enum names_when when);
/* End the sessions. Waits for that, but not long. NULL is fine. */
void		 names_end(struct attach_names *n);

#endif
