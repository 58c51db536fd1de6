/*
 * The other side of a request: what its ids say (W3C Trace Context), and what its times say about
 * the clocks of both sides.
 *
 *	client	start ------------------------ stop	ids of Activity/Start, written within it
 *	server	        start -------- stop		its parent is the client's span
 */
#ifndef ANALYSIS_REPORTS_REMOTE_H
#define ANALYSIS_REPORTS_REMOTE_H

#include "tnav/base/hashtable.h"
#include "tnav/engine/trace.h"

struct request_ids {
	uint8_t	trace[16], span[8];
	uint8_t	parent[8];		/* the span that it is part of; zeros: none */
	bool	server;			/* it was received, else sent */
};

/* Read them from a DiagnosticSource's Activity/Start. False: it is not that of a request. */
bool	request_ids_read(struct trace *t, const struct event *e, struct request_ids *out);

/* Spans that were sent, by their ids. Zeroed, there are none. */
struct sent_span {
	struct request_ids	ids;
	uint32_t		source, number;		/* of its trace; which one it is there */
};
struct sent_spans {
	struct sent_span	*v;
	size_t			 n, cap;
	struct hashtable	 table;
};

#define ANY_SOURCE	UINT32_MAX

void	sent_add(struct sent_spans *s, const struct request_ids *ids, uint32_t source,
	    uint32_t number);
/* That whose receiver has these ids, of any other trace than this one; or NULL. */
const struct sent_span *sent_find(const struct sent_spans *s, const struct request_ids *received,
	    uint32_t but);
void	sent_release(struct sent_spans *s);

/*
 * What may be added to the times of a source, in ns, so that each request of it lies within its
 * other side: this is NTP's rule, for all requests at once.
 *
 *	c0 <= s0, s1 <= c1	[lo, hi][0]
 *	c0 <= s0 <= c1		[lo, hi][1]: a server may write its end after the answer was there
 */
struct clock_bounds {
	uint64_t	n;		/* requests; 0: nothing is known */
	int64_t		lo[2], hi[2];	/* lo > hi: they contradict each other */
};

/* A request of the client from c0 to c1, which the server handled from s0 to s1. moves_server: the
   times of the server are those to be changed. */
void	clock_bounds_add(struct clock_bounds *b, int64_t c0, int64_t c1, int64_t s0, int64_t s1,
	    bool moves_server);
/* Do only the starts agree? */
bool	clock_bounds_by_starts(const struct clock_bounds *b);
/* The middle, and how far it may be off; -1: the clocks drift, or a time is wrong. */
int64_t	clock_bounds_shift(const struct clock_bounds *b);
int64_t	clock_bounds_error(const struct clock_bounds *b);

#endif
