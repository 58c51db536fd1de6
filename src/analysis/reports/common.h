/*
 * What several reports put into their rows.
 */
#ifndef ANALYSIS_REPORTS_COMMON_H
#define ANALYSIS_REPORTS_COMMON_H

#include "analysis/reports/dist.h"
#include "analysis/reports/facts.h"
#include "analysis/reports/rows.h"
#include "analysis/reports/texts.h"
#include "analysis/spans/loss.h"
#include "tnav/engine/naming.h"

#define EVENTS_DROPPED	"events are left out: no room for a temporary file"

/* Columns of people for what durations come to. */
struct figure_columns {
	unsigned	total, mean, p50, p90, p99, max;
};
/* The object into the column json, the figures into those of people; nothing where there are
   none. */
void	row_dist(struct rows *r, unsigned json, const struct figure_columns *c, struct dist *d);
/* Share of a whole, null where that is 0. */
void	row_share(struct rows *r, unsigned col, double part, double whole);
void	row_guid(struct rows *r, unsigned col, const uint8_t *guid);	/* NULL: null */
/* The number's word by this map of the built-in table, else the number as text. */
void	row_map(struct rows *r, unsigned col, const char *map, uint64_t v);
/* A text, or null. */
void	row_word(struct rows *r, unsigned col, const struct texts *t, uint32_t text);
/* A method: programs see its raw name, people the words. */
void	row_method(struct rows *r, unsigned col, struct span raw, struct span words);
/* ... of which either text may be none. */
void	row_words(struct rows *r, unsigned col, const struct texts *t, uint32_t raw,
	    uint32_t words);
/* What the events of methods call the i-th frame of a fact's stack; false: nothing. */
bool	fact_frame(const struct report_run *run, const struct fact *f, size_t i,
	    struct frame_name *name);
/* Append Type.Method(int) of a raw name whose type and arguments are this long and begin here. */
void	method_words(struct buf *out, struct span raw, size_t type_len, size_t args_at);
/* ... of "instance void [shop] Shop.Day+<Step>d__10::MoveNext()", as catch blocks name methods. */
void	il_method_words(struct buf *out, struct span name);
/* A number's bits, whatever its sign: a key. */
uint64_t fact_bits(const struct fact *f, unsigned i);
/* Where it is known, else null. */
void	row_number(struct rows *r, unsigned col, bool known, uint64_t v);
/* ... as people see it, in hexadecimal. */
void	row_address(struct rows *r, unsigned col, bool known, uint64_t v);
/* A time in ns. */
void	row_time(struct rows *r, unsigned col, bool known, int64_t ns);
void	row_dur(struct rows *r, unsigned col, bool known, int64_t ns);
/* A number that was written as a float of ns. */
int64_t	fact_ns(const struct fact *f, unsigned i);
/* Enter filters by the expression and the thread, where that has an id. */
void	row_filter_tid(struct rows *r, const struct report_run *run, uint32_t thread,
	    const char *expr);
/* The event of the longest of several, for Enter. A zeroed one has none. */
struct best {
	int64_t		dur, ts;
	uint64_t	off;
};
void	best_offer(struct best *b, int64_t dur, int64_t ts, uint64_t off);
void	row_best(struct rows *r, const struct best *b);
/* Append 1.2 ms as people read it, and 1.2 µs in UTF-8. */
void	put_dur(struct buf *out, int64_t ns);
/* That as 1.2 us, for ASCII. */
void	plain_units(struct buf *b);
void	put_bytes(struct buf *out, uint64_t bytes);
/* Does it begin with one of the texts? NULL ends them. */
bool	begins_with_any(struct span text, const char *const *some);
/* "3 locks", "1 lock". */
void	put_count(struct buf *out, uint64_t n, const char *one, const char *many);

#endif
