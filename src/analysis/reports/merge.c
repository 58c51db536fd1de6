/*
 * The order of the rows of several sources in one table.
 *
 *	source 0	type type  task wait task		summary
 *	source 1	type       task           ran ran	summary
 *	order		type type type  task task wait task  ran ran  summary summary
 *
 * Kinds follow each other as in each source. Kinds that alternate in a source are a group, whose
 * rows keep their order. In a group rows are merged by time.
 *
 * Invariant: the rows of each source keep their order within a group.
 */
#include "analysis/reports/merge.h"

#include <string.h>

#include "tnav/base/sort.h"

#define KINDS_MOST	32u

/* All kinds, in their order. */
struct kinds {
	struct {
		const char	*kind;
		bool		 more;		/* the next one is of the same group */
	} v[KINDS_MOST];
	size_t	n;
};

static size_t
kind_find(const struct kinds *k, const char *kind)
{
	size_t	i = 0;

	while (i < k->n && strcmp(k->v[i].kind, kind) != 0)
		i++;
	return i;
}

static void
kind_insert(struct kinds *k, size_t at, const char *kind)
{
	bool	within = at > 0 && k->v[at - 1].more;

	memmove(&k->v[at + 1], &k->v[at], (k->n - at) * sizeof *k->v);
	k->v[at].kind = kind;
	k->v[at].more = within;
	k->n++;
}

/* The place of a kind that follows the one at `last` (SIZE_MAX: the first one) in a source. */
static size_t
kind_after(struct kinds *k, size_t last, const char *kind)
{
	size_t	at = kind_find(k, kind), end = last <= KINDS_MOST ? last : 0;

	if (at == k->n && k->n < KINDS_MOST) {
		at = last + 1;
		kind_insert(k, at, kind);
	}
	for (size_t i = at; i < end; i++)
		k->v[i].more = true;
	return at;
}

static void
kinds_find(struct kinds *k, const struct row_to_merge *v, size_t n)
{
	size_t	last = SIZE_MAX;

	for (size_t i = 0; i < n; i++) {
		bool	first = i == 0 || v[i].at.of != v[i - 1].at.of;

		if (!first && v[i].kind == v[i - 1].kind)
			continue;
		last = kind_after(k, first ? SIZE_MAX : last, v[i].kind);
	}
}

static unsigned
group_of(const struct kinds *k, const char *kind)
{
	size_t		at = kind_find(k, kind);
	unsigned	group = 0;

	for (size_t i = 0; i < at; i++)
		group += !k->v[i].more;
	return group;
}

SORT_ORDER(in_order, struct row_to_merge, RISING(group) RISING(ns) RISING(at.of) RISING(at.row))

/* A row is not before one of its group that precedes it in its source. */
static void
set_times(struct row_to_merge *v, size_t n)
{
	int64_t	least[KINDS_MOST + 1];

	for (size_t i = 0; i < n; i++) {
		bool	first = i == 0 || v[i].at.of != v[i - 1].at.of;

		for (size_t k = 0; first && k <= KINDS_MOST; k++)
			least[k] = INT64_MIN;
		if (v[i].has_time && v[i].ns > least[v[i].group])
			least[v[i].group] = v[i].ns;
		v[i].ns = least[v[i].group];
	}
}

void
rows_merge(struct row_to_merge *v, size_t n)
{
	struct kinds	k = { .n = 0 };

	kinds_find(&k, v, n);
	for (size_t i = 0; i < n; i++)
		v[i].group = i > 0 && v[i].kind == v[i - 1].kind ? v[i - 1].group :
		    group_of(&k, v[i].kind);
	set_times(v, n);
	sort_array(v, n, sizeof *v, in_order);
}
