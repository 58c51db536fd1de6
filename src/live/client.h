/*
 * The clients of a port: programs that have connected to it, by their cookies.
 *
 *	added: REQUESTED for its process info -> NEW: it has answered -> KNOWN: it was returned
 *	             no answer: removed
 *
 * A client closes its connection after each answer and connects again, so what is still to be
 * requested is kept here. The table is bounded: the oldest client is forgotten.
 */
#ifndef LIVE_CLIENT_H
#define LIVE_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "live/peer.h"
#include "tnav/live/message.h"

enum client_state { CLIENT_REQUESTED, CLIENT_NEW, CLIENT_KNOWN };

struct client {
	struct advert	who;
	enum client_state state;
	size_t		round;		/* REQUESTED: older requests follow for older runtimes */
	bool		resume;		/* a resume is to be sent, or is not answered yet */
	bool		busy;		/* a request is running */
	int64_t		until_ns;	/* of what is pending */
	char		*name;		/* from NEW on: the entry assembly, else the command line */
};

struct clients {
	struct client	*v;		/* the oldest first */
	size_t		 n;
};

void	clients_release(struct clients *cs);
/* All pointers are valid until the next client_add() or client_remove(). NULL: there is none. */
struct client *client_find(struct clients *cs, const uint8_t cookie[16]);
/* NULL: too many that have answered wait to be returned. */
struct client *client_add(struct clients *cs, const struct advert *who);
void	client_remove(struct clients *cs, struct client *c);
/* The oldest NEW one, which becomes KNOWN. */
struct client *client_next(struct clients *cs);
/* Is an answer of it awaited? */
bool	client_is_pending(const struct client *c);
/* The request to be sent over an idle connection. False: there is none. */
bool	client_wants(const struct client *c, enum request *r);
/* Take what came of that request. False: it is no answer of a runtime. */
bool	client_answer(struct client *c, const struct exchange *x);

#endif
