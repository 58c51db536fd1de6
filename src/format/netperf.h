/*
 * The layout of events, which NetPerf V1, V2 and V3 share.
 */
#ifndef TNAV_SRC_FORMAT_NETPERF_H
#define TNAV_SRC_FORMAT_NETPERF_H

#include "tnav/format/format.h"

#define NETPERF_HEADER	56u	/* bytes of an event before its payload, both sizes included */
#define NETPERF_LEAST	(NETPERF_HEADER - 4)	/* the least value of its size */

/* Functions of format_ops. */
int		netperf_scan(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, struct scan *s);
size_t		netperf_decode(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
		    struct id_list *types);
struct span	netperf_own_stack(const struct format *f, const struct event *e);

/* The metadata row at off. The size before it is clipped to its event. */
struct span	netperf_row(const struct format *f, uint64_t off);

#endif
