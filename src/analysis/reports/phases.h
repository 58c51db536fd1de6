/*
 * Phases of a request that the program sent: how long each took.
 */
#ifndef ANALYSIS_REPORTS_PHASES_H
#define ANALYSIS_REPORTS_PHASES_H

#include "analysis/facts/facts.h"

enum phase {
	PHASE_QUEUE,	/* until a connection was available */
	PHASE_DNS,	/* looking up the name of the host, for a new connection */
	PHASE_CONNECT,
	PHASE_TLS,	/* TLS handshake */
	PHASE_HEADERS,	/* sending the headers */
	PHASE_BODY,	/* sending the body */
	PHASE_WAIT,	/* until the headers of the response arrived */
	PHASE_RESPONSE,	/* reading the body of the response */
	PHASES
};

/* Events that begin and end phases, as kinds of facts above a first number. */
enum phase_event {
	LEFT_QUEUE, HEADERS_START, HEADERS_STOP, BODY_START, BODY_STOP, ANSWERED, RESPONSE_START,
	RESPONSE_STOP, DNS_START, DNS_STOP, CONNECT_START, CONNECT_STOP, TLS_START, TLS_STOP,
	PHASE_EVENTS
};

/* The phases of one request. Zero it before use. */
struct phase_times {
	int64_t		ns[PHASES];	/* duration of each phase, summed: after a redirect,
					   phases repeat */
	int64_t		from[PHASES];	/* start of each phase in progress */
	int64_t		sent;		/* when sending ended */
	uint8_t		has, begun;	/* bits by phase */
	bool		is_sent;
};

/* Field 0 of LEFT_QUEUE is the time in milliseconds. */
void		 phase_add(struct phase_times *t, enum phase_event what, const struct fact *f);
extern const char *const	phase_name[PHASES];

#endif
