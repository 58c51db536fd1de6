/*
 * A call tree of both sides in the order of drawing: a node, then all below it, the heaviest of
 * either side first, so that what is gone keeps its place.
 *
 *	rows		0 Main	1 Main;Run	2 Main;Save	(the parent's row is in the key)
 *	by parent	- 0	0 1		0 2		-> depth first: 0 1 2
 */
#include "analysis/diff/diff.h"

#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct below {
	uint32_t	parent, judged;		/* parent: a row; EVENT_NONE at the top */
	double		weight;
};

static int
by_parent(const void *x, const void *y)
{
	const struct below	*a = x, *b = y;

	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->weight < b->weight || a->weight > b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->judged < b->judged ? -1 : a->judged > b->judged;
}

/* The first of those below a row. */
static size_t
find(const struct below *v, size_t n, uint32_t parent)
{
	size_t	at = 0;

	BISECT(at, n, i, v[i].parent < parent);
	return at;
}

void
diff_tree_make(struct diff_tree *out, const struct sides *d)
{
	struct below	*v = mem_zalloc(d->njudged + 1, sizeof *v);
	/* By depth: the next one, and whose they are. */
	size_t		*at = mem_zalloc(d->njudged + 2, sizeof *at);
	uint32_t	*parent = mem_zalloc(d->njudged + 2, sizeof *parent);
	size_t		 n = d->njudged, depth = 0;

	*out = (struct diff_tree){ .judged = mem_zalloc(n + 1, sizeof *out->judged),
	    .depth = mem_zalloc(n + 1, sizeof *out->depth) };
	for (uint32_t i = 0; i < n; i++) {
		const struct diff_judged	*j = &d->judged[i];

		v[i] = (struct below){ (uint32_t)d->row[j->row].key[0].u, i,
		    j->r.a > j->r.b ? j->r.a : j->r.b };
	}
	sort_array(v, n, sizeof *v, by_parent);
	parent[0] = EVENT_NONE;
	at[0] = find(v, n, EVENT_NONE);
	for (;;) {
		const struct below	*b = &v[at[depth]];

		if (at[depth] == n || b->parent != parent[depth]) {
			if (depth-- == 0)
				break;
			continue;
		}
		out->depth[out->n] = (uint32_t)depth;
		out->judged[out->n++] = b->judged;
		at[depth++]++;
		parent[depth] = d->judged[b->judged].row;
		at[depth] = find(v, n, parent[depth]);
	}
	mem_free(parent);
	mem_free(v);
	mem_free(at);
}

void
diff_tree_release(struct diff_tree *t)
{
	mem_free(t->judged);
	mem_free(t->depth);
}
