/*
 * Which spans lie in which, on one thread: depth, and time that is a span's own.
 */
#ifndef ANALYSIS_SPANS_NESTING_H
#define ANALYSIS_SPANS_NESTING_H

#include "analysis/spans/private.h"
#include "tnav/base/num.h"

/* How much of a span others take. All zero but for reached, INT64_MIN: nothing so far. */
struct nest_cover {
	int64_t		reached;	/* ns: children cover the time up to here, ... */
	int64_t		covered;	/* ... so much of it */
};

/* The time from a to b, ns, is a child's; children come in the order of their starts, or of their
   ends if one that begins before another ends has begun before that. */
static inline void
nest_cover_add(struct nest_cover *c, int64_t a, int64_t b)
{
	if (a < c->reached)
		a = c->reached;
	if (b <= a)
		return;
	c->reached = b;
	c->covered = add_i64(c->covered, sub_i64(b, a));
}

/* What others cover of a time that begins behind all that is covered so far. */
static inline void
nest_cover_join(struct nest_cover *c, const struct nest_cover *more)
{
	c->reached = more->reached;
	c->covered = add_i64(c->covered, more->covered);
}

/* What is left of a duration. */
static inline int64_t
nest_self(int64_t dur, const struct nest_cover *c)
{
	int64_t	self;

	return __builtin_sub_overflow(dur, c->covered, &self) ? 0 : self;
}

struct nesting;

/* A span of a number, or what else it was added as: its time without that of those in it, ns. */
typedef void (*nest_fn)(void *arg, uint64_t span, int64_t self, size_t depth);

struct nesting	*nesting_new(struct trace *t, nest_fn ended, void *arg);
void	nesting_free(struct nesting *n);	/* NULL is fine */
/* The next span in the order of time. */
void	nesting_add(struct nesting *n, const struct span_record *r, uint64_t span, int64_t dur);
/* There are no more: those that are still around others end. */
void	nesting_end(struct nesting *n);

/* Set depth and self of all records. */
void	nesting_make(struct spans *s);

#endif
