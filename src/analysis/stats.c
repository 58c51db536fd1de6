/*
 * The columns of stats and of the tally that follow those of the fields.
 */
#include "tnav/analysis/tables.h"

struct cell
stats_time(struct trace *t, const struct count *c, int64_t ts)
{
	if (c->events == 0 || ts == INFO_NO_TIME)
		return cell_null();
	return cell_time(trace_ns(t, ts));
}

void
stats_cell(struct trace *t, const struct count *c, uint64_t all, double seconds, unsigned col,
    struct cell *out)
{
	*out = cell_null();
	switch (col) {
	case STATS_EVENTS:
		*out = cell_u64(c->events);
		break;
	case STATS_BYTES:
		*out = cell_u64(c->bytes);
		break;
	case STATS_SHARE:
		*out = cell_f64(all > 0 ? (double)c->events / (double)all : 0);
		out->kind = CELL_SHARE;
		break;
	case STATS_FIRST:
		*out = stats_time(t, c, c->first);
		break;
	case STATS_LAST:
		*out = stats_time(t, c, c->last);
		break;
	case STATS_RATE:
		if (seconds > 0)
			*out = cell_f64((double)c->events / seconds);
		break;
	default:
		break;
	}
}
