/*
 * The time from the previous event of the same thread.
 */
#ifndef ENGINE_FIELD_DELTA_H
#define ENGINE_FIELD_DELTA_H

#include <stdbool.h>
#include <stdint.h>

struct delta_memo;
struct event;
struct field_reader;

/* False: the thread has no event before it, or the trace has no deltas. */
bool	reader_delta(struct field_reader *r, const struct event *e, uint64_t row, int64_t *ns);
void	delta_memo_free(struct delta_memo *m);

#endif
