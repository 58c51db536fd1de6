/*
 * A call tree of both sides in the order of drawing: a node, then all below it, the heaviest of
 * either side first, so that what is gone keeps its place.
 *
 *	rows		0 Main	1 Main;Run	2 Main;Save	(the parent's row is in the key)
 *	by parent	- 0	0 1		0 2		-> depth first: 0 1 2
 *
 * Folded, a path comes after all below it: only then is its own weight known, which is what theirs
 * leave of it.
 */
#include "analysis/diff/diff.h"

#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/naming.h"

#define LEAST_WEIGHT	0.5	/* less is an error of rounding: weights are whole */

struct below {
	uint32_t	parent, judged;		/* parent: a row; EVENT_NONE at the top */
	double		weight;
};

SORT_ORDER(by_parent, struct below, RISING(parent) FALLING(weight) RISING(judged))

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

/* ---- folded */

/* A path: of each depth, how long it is, and what is left of its weight without that of those
   below it. */
struct folded_level {
	size_t	len;
	double	weight[2];
};

static void
weigh(const struct sides *d, uint32_t row, double weight[2])
{
	weight[0] = weight[1] = 0;
	for (unsigned i = 0; i < d->ntraces; i++)
		if (d->row[row].part[i] != NULL)
			weight[diff_side(d, i)] += d->row[row].part[i]->sum;
}

/* The depth is left: nothing more lies below it. */
static void
end_level(struct buf *path, const struct folded_level *l, diff_path_fn fn, void *arg)
{
	path->len = l->len;
	if (l->weight[0] >= LEAST_WEIGHT || l->weight[1] >= LEAST_WEIGHT)
		fn(arg, span_of_buf(path), l->weight);
}

static void
begin_level(const struct sides *d, struct buf *path, struct folded_level *l, uint32_t depth,
    uint32_t row)
{
	weigh(d, row, l[depth].weight);
	for (unsigned i = 0; i < 2 && depth > 0; i++)
		l[depth - 1].weight[i] -= l[depth].weight[i];
	path->len = depth > 0 ? l[depth - 1].len : 0;
	if (path->len < STACK_TEXT_MOST) {
		buf_puts(path, depth > 0 ? ";" : "");
		calltree_fold_name(path, d->row[row].key[1].text);
	}
	l[depth].len = path->len;
}

void
diff_fold(struct sides *d, diff_path_fn fn, void *arg)
{
	struct diff_tree	 t;
	struct folded_level	*l;
	struct buf		 path = { 0 };
	size_t			 depth = 0;	/* open levels */

	diff_judge(d);
	diff_tree_make(&t, d);
	l = mem_zalloc(t.n + 1, sizeof *l);
	for (size_t i = 0; i < t.n; i++) {
		while (depth > t.depth[i])
			end_level(&path, &l[--depth], fn, arg);
		begin_level(d, &path, l, t.depth[i], d->judged[t.judged[i]].row);
		depth = t.depth[i] + 1;
	}
	while (depth > 0)
		end_level(&path, &l[--depth], fn, arg);
	buf_release(&path);
	mem_free(l);
	diff_tree_release(&t);
}

void
diff_tree_release(struct diff_tree *t)
{
	mem_free(t->judged);
	mem_free(t->depth);
}
