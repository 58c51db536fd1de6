/*
 * Phases of a request that the program made: which request an event is of, and how long each phase
 * took.
 */
#ifndef ANALYSIS_REPORTS_PHASES_H
#define ANALYSIS_REPORTS_PHASES_H

#include "analysis/reports/facts.h"

enum phase {
	PHASE_QUEUE,	/* until there was a connection */
	PHASE_DNS,	/* looking up the host's name for a new one */
	PHASE_CONNECT,
	PHASE_TLS,	/* its handshake */
	PHASE_HEADERS,	/* sending them */
	PHASE_BODY,	/* sending it */
	PHASE_WAIT,	/* until the headers of the response were there */
	PHASE_RESPONSE,	/* reading its body */
	PHASES
};

/* Events that bound them, as kinds of facts from a number on. */
enum phase_event {
	LEFT_QUEUE, HEADERS_START, HEADERS_STOP, BODY_START, BODY_STOP, ANSWERED, RESPONSE_START,
	RESPONSE_STOP, DNS_START, DNS_STOP, CONNECT_START, CONNECT_STOP, TLS_START, TLS_STOP,
	PHASE_EVENTS
};

/* Of one request; all zero at first. */
struct phase_times {
	int64_t		ns[PHASES];	/* those that it has had, summed: a redirect sends again */
	int64_t		from[PHASES];	/* when those that are under way began */
	int64_t		sent;		/* when sending ended */
	uint8_t		has, begun;	/* bit by phase */
	bool		is_sent;
};

struct phases;

struct phases	*phases_new(const struct report_run *run);
void		 phases_free(struct phases *p);		/* NULL is fine */
/* The request of this number (from 1) begins with the event, ends with it. */
void		 phases_open(struct phases *p, const struct fact *f, uint64_t number);
void		 phases_close(struct phases *p, const struct fact *f);
/* The request that the event is of, by its activity's path; 0: of none that is open. */
uint64_t	 phases_find(const struct phases *p, const struct fact *f);
/* Field 0 of LEFT_QUEUE is the time in milliseconds. */
void		 phase_add(struct phase_times *t, enum phase_event what, const struct fact *f);
const char	*phase_name(enum phase phase);

#endif
