/*
 * The fold rule "idle": a tree without the samples of threads that wait for work.
 *
 *	node: place = place of its parent + what its method is	(doing.h)
 *	cell: at an idle node -> hidden, else copied
 *
 * Only for wall-clock samples, since other events of an idle thread are no waits.
 */
#include "analysis/calltree/doing.h"
#include "analysis/calltree/private.h"
#include "tnav/base/mem.h"

static unsigned *
methods(const struct calltree *c)
{
	struct folding	*own = doing_rules();
	unsigned	*is = mem_zalloc(c->frames.n + 1, sizeof *is);

	for (uint32_t i = 0; i < c->frames.n; i++) {
		const struct call_frame		f = frames_at(&c->frames, i);
		const struct folding_frame	x = { .raw = f.name.raw, .clean = f.name.clean,
						    .module = f.name.module, .method = true };

		is[i] = x.raw.p != NULL ? doing_method(own, &x) : 0;
	}
	folding_free(own);
	return is;
}

/* Which nodes end an idle stack? */
static bool *
idle_nodes(const struct calltree *c)
{
	unsigned		*is = methods(c);
	struct doing_place	*place = mem_zalloc(c->nodes.n, sizeof *place);
	bool			*idle = mem_zalloc(c->nodes.n, sizeof *idle);

	place[0] = doing_start();
	for (uint32_t i = 1; i < c->nodes.n; i++) {
		place[i] = place[c->nodes.v[i].parent];
		doing_call(&place[i], c->nodes.v[i].key, is[c->nodes.v[i].key]);
		idle[i] = doing_at(&place[i], true) == DOING_IDLE;
	}
	mem_free(place);
	mem_free(is);
	return idle;
}

bool
calltree_hide_idle(const struct calltree *c, const struct folding *rules, struct calltree *busy,
    double *hidden)
{
	enum calltree_weighing	 kind = c->o.weight->kind;
	bool			*idle;
	struct weight_cell	*v;

	*hidden = 0;
	*busy = *c;
	if (rules == NULL || !folding_hides_idle(rules) || !c->has_types ||
	    (kind != WEIGH_SAMPLES && kind != WEIGH_TIME))
		return false;
	idle = idle_nodes(c);
	v = mem_zalloc(c->cells.n + 1, sizeof *v);
	busy->cells.n = 0;
	busy->cells.v = v;
	for (size_t i = 0; i < c->cells.n; i++)
		if (idle[c->cells.v[i].stack])
			*hidden += c->cells.v[i].weight;
		else
			v[busy->cells.n++] = c->cells.v[i];
	mem_free(idle);
	return true;
}
