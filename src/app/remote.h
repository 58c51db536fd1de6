/*
 * A program of another host: HOST:NAME. The user's own ssh starts a tnav there, which records it.
 */
#ifndef APP_REMOTE_H
#define APP_REMOTE_H

#include <stdbool.h>
#include <stdint.h>

#include "app/child.h"
#include "app/options.h"

struct choice;

struct remote {
	char			*host;		/* as ssh takes it; NULL: there is none */
	char			*name;		/* id, name or socket of the program there */
	struct child_process	 ssh;
	int			 output;	/* what ssh and that tnav say: a file */
	uint64_t		 shown;		/* bytes of it that the user has seen */
};

/* Is it HOST:NAME, not a name or a path on this machine? */
bool	remote_is(const char *what);
/* False: it cannot be passed to ssh; see why. */
bool	remote_init(struct remote *r, const char *what, struct buf *why);
/* The host without the user, to show; NULL: there is none. */
const char *remote_host(const struct remote *r);
/*
 * Start ssh, and wait until the first bytes of the trace arrive: ssh may ask for a password
 * meanwhile. profile: of the events, besides what the options say; or NULL. Returns a connected
 * socket whose end is that of the session there, or -1 with the reason in why.
 */
int	remote_start(struct remote *r, const struct options *o, const char *profile,
	    struct choice *c, struct buf *why);
/* The stream has ended, or is not wanted: wait for ssh. Show what it says, if it has failed. */
void	remote_end(struct remote *r);
void	remote_release(struct remote *r);	/* ends it, too */

#endif
