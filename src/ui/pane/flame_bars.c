/*
 * The places of the bars of a flame graph. Children are side by side below their parent, the
 * heaviest on the left. The first one that is narrower than a cell ends its row, since those after
 * it are lighter. So the number of visited frames is at most the number of cells, plus one per bar.
 * With other weights than those of the shape, all children of bars are visited.
 */
#include "ui/pane/flame_bars.h"

#include "tnav/base/mem.h"

void
flame_bars_release(struct flame_bars *b)
{
	mem_free(b->v);
	b->v = NULL;
	b->n = b->cap = 0;
}

static void
add(struct flame_bars *b, int y, int x, int w, uint32_t node)
{
	ARRAY_ADD(b->v, b->n, b->cap, (struct flame_bar){ y, x, w, node });
}

/* Place the next line: the children of the last line's bars. */
static void
lay_children(struct flame_bars *b, const struct calltree_node *v, const double *weight,
    size_t first, size_t end, int y)
{
	for (size_t i = first; i < end; i++) {
		struct flame_bar	up = b->v[i];
		double			whole, done = 0, w;

		whole = weight != NULL ? weight[up.node] : v[up.node].incl;
		for (uint32_t n = up.node + 1; n < v[up.node].end; n = v[n].end) {
			int	from = (int)(done / whole * up.w), to;

			w = weight != NULL ? weight[n] : v[n].incl;
			to = (int)((done + w) / whole * up.w);
			b->looked++;
			if (to > up.w || (weight == NULL && (!(w > 0) || to <= from)))
				break;
			if (to > from)
				add(b, y, up.x + from, to - from, n);
			done += w;
		}
	}
}

void
flame_bars_lay(struct flame_bars *b, const struct calltree_shape *s, const double *weight,
    uint32_t node, int lines, int w)
{
	size_t	first = 0, end;

	b->n = 0;
	b->looked = 0;
	if (!(s->v[node].incl > 0) || (weight != NULL && !(weight[node] > 0)))
		return;
	add(b, 0, 0, w, node);
	for (int y = 1; first < b->n && y < lines; y++) {
		end = b->n;
		lay_children(b, s->v, weight, first, end, y);
		first = end;
	}
}
