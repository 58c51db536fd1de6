/* tnav dump --format parquet. */
#ifndef APP_DUMP_PARQUET_H
#define APP_DUMP_PARQUET_H

#include "app/run.h"
#include "tnav/engine/field.h"
#include "tnav/out/event.h"

/* Write the selected events, with these fields (NULL: all), at most `limit`. *any: there were some.
   Returns 0 or the result of the pass; the run tells of a file that could not be written. */
int	dump_parquet(struct run *s, const struct event_out_options *opt,
	    const struct field_list *fields, uint64_t limit, bool *any);
/* The same with a file for each type. */
int	dump_by_type(struct run *s, const struct event_out_options *opt, bool *any);

#endif
