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
/* Events of a piece. */
void		 local_add(struct local *l, struct marker *k, const struct pass_batch *b);
/* The marks of the piece so far. */
const struct marks *local_marks(const struct local *l);
/* The piece ends: what is left of its marks is put behind others. */
void		 local_end(struct local *l, struct marks *left);
/* What was summed up, and how many spans were not left: of all pieces so far. */
struct sums	*local_sums(const struct local *l);
uint64_t	 local_found(const struct local *l);

#endif
