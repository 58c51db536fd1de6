/*
 * Durations by name, for percentiles. Several threads collect them, each in lists of its own.
 */
#ifndef ANALYSIS_SPANS_DURS_H
#define ANALYSIS_SPANS_DURS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DUR_RANKS	4u

struct dur_pool;

/* Those of one name: the short ones, or the others, which take two words each. */
struct dur_list {
	uint32_t	*v;
	uint32_t	 n, cap;
};

/* Durations of a name, on their way into the pool; wide: two words each, the low one first. */
typedef void (*durs_fn)(void *arg, uint32_t name, const uint32_t *v, uint32_t words, bool wide);

/* What one thread has collected and not yet given to the pool. */
struct durs {
	struct dur_pool	*pool;
	durs_fn		 given;		/* or NULL */
	void		*arg;
	struct dur_list	*list;		/* of name i: 2i, 2i + 1 */
	size_t		 n, cap;
};

struct dur_pool	*dur_pool_new(void);
void		 dur_pool_free(struct dur_pool *p);	/* NULL is fine */
/* There was no room for all of them. */
bool		 dur_pool_no_room(const struct dur_pool *p);
/*
 * The durations of the name that stand at these ranks, from 0 in ascending order, when all are
 * sorted. The greatest of all is known. Once all lists were given to the pool.
 */
void		 dur_pool_ranks(const struct dur_pool *p, uint32_t name, int64_t greatest,
		    const uint64_t rank[DUR_RANKS], int64_t out[DUR_RANKS]);

void	durs_init(struct durs *d, struct dur_pool *p, durs_fn given, void *arg);
void	durs_release(struct durs *d);
/* Give all to the pool; any thread. */
void	durs_give(struct durs *d);
/* Where a list has no room, or isn't there yet. */
void	durs_add_slowly(struct durs *d, uint32_t name, int64_t dur);

static inline void
durs_add(struct durs *d, uint32_t name, int64_t dur)
{
	size_t	i = (size_t)name * 2;

	if (i < d->n && d->list[i].n < d->list[i].cap && (uint64_t)dur <= UINT32_MAX)
		d->list[i].v[d->list[i].n++] = (uint32_t)dur;
	else
		durs_add_slowly(d, name, dur);
}

#endif
