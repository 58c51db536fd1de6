/*
 * What the marks of a piece tell alone, without those before and behind.
 */
#ifndef ANALYSIS_SPANS_LOCAL_H
#define ANALYSIS_SPANS_LOCAL_H

#include "analysis/spans/marks.h"
#include "analysis/spans/sums.h"

struct local;

struct local	*local_new(struct spans *s, struct sums *sums);	/* which it owns */
void		 local_free(struct local *l);	/* NULL is fine */
/* Take out of marks that were just added the spans that they hold all of, and sum them up. */
void		 local_take(struct local *l, struct marks *m);
/* What was summed up, and how many spans are no longer among the marks: of all pieces so far. */
struct sums	*local_sums(const struct local *l);
uint64_t	 local_found(const struct local *l);
/* Marks that it was given since local_clear(), whatever is left of them. */
uint64_t	 local_marks(const struct local *l);
void		 local_clear(struct local *l);

#endif
