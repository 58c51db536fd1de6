/*
 * Which spans lie in which, on one thread: depth, and time that is a span's own.
 */
#ifndef ANALYSIS_SPANS_NESTING_H
#define ANALYSIS_SPANS_NESTING_H

#include "analysis/spans/private.h"

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
