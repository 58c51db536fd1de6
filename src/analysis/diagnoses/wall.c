/*
 * What threads did, by samples.
 *
 *	shape by thread, top-down	node = a frame below its parent
 *	place of a node	= place of its parent + what the frame's method is
 *	samples that end at the node -> doing, by its place
 *
 * Invariant: a node's place depends on its parent's place and its own label alone, and parents come
 * first, so that all nodes are seen once.
 */
#include "analysis/diagnoses/wall.h"

#include "tnav/analysis/cut.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

/* Where a node is. */
struct node_place {
	struct doing_place	p;		/* frames are labels of the shape */
	uint32_t		thread;		/* number in wall.thread */
};

static unsigned
kind_of(const struct folding *own, const struct calltree_label *l)
{
	const struct folding_frame	frame = { .raw = l->text, .clean = l->clean,
					    .module = l->module, .method = true };

	return l->kind == LABEL_FRAME ? doing_method(own, &frame) : 0;
}

/* label: of the innermost method. */
static void
add_samples(struct wall *w, const struct node_place *at, uint32_t label, bool managed,
    double samples)
{
	const struct doing_place	*p = &at->p;
	enum doing	 doing = doing_at(p, managed);
	uint32_t	 below = p->own == LABEL_NONE && p->below == LABEL_NONE ? label : p->below;
	struct site	*s;

	if (samples <= 0)
		return;
	w->doing[doing] += samples;
	w->thread[at->thread].all += samples;
	w->thread[at->thread].doing[doing] += samples;
	if (doing == DOING_LOCK)
		w->thread[at->thread].lock_own = p->own;
	if ((p->is & METHOD_WORKER) != 0 && doing != DOING_IDLE)
		w->workers += samples;
	s = groups_get(w->sites, ((uint64_t)doing << 32) | p->own, below);
	if (s == NULL)
		return;
	s->doing = doing;
	s->own = p->own;
	s->below = below;
	s->samples += samples;
}

static struct node_place
place_below(struct wall *w, const struct node_place *above, uint32_t label, unsigned is)
{
	struct node_place	p = *above;

	if (w->shape->label[label].kind != LABEL_THREAD) {
		doing_call(&p.p, label, is);
		return p;
	}
	w->thread = mem_grow(w->thread, &w->cap, w->nthreads + 1, sizeof *w->thread);
	w->thread[w->nthreads] = (struct wall_thread){ .lock_own = LABEL_NONE };
	return (struct node_place){ .p = doing_start(), .thread = (uint32_t)w->nthreads++ };
}

/* The own method with most samples in methods that queue. */
static void
find_queuer(struct wall *w, const double *queued)
{
	double	most = 0;

	w->queuer = LABEL_NONE;
	for (uint32_t i = 0; i < w->shape->nlabels; i++) {
		if (queued[i] <= most)
			continue;
		most = queued[i];
		w->queuer = i;
	}
}

static void
add_nodes(struct wall *w, const unsigned *is, bool unmarked)
{
	const struct calltree_shape	*s = w->shape;
	struct node_place		*place = mem_zalloc(s->n, sizeof *place);
	double				*queued = mem_zalloc(s->nlabels + 1, sizeof *queued);

	place[0] = (struct node_place){ .p = doing_start() };
	for (uint32_t i = 1; i < s->n; i++) {
		const struct calltree_node	*n = &s->v[i];
		double				 external = calltree_part(s, i).excl;

		place[i] = place_below(w, &place[n->parent], n->label, is[n->label]);
		if (w->nthreads == 0)
			continue;
		if ((place[i].p.is & METHOD_QUEUE) != 0 && place[i].p.own != LABEL_NONE)
			queued[place[i].p.own] += n->excl;
		add_samples(w, &place[i], n->label, true, n->excl - external);
		add_samples(w, &place[i], n->label, unmarked, external);
	}
	find_queuer(w, queued);
	mem_free(queued);
	mem_free(place);
}

void
wall_init(struct wall *w, const struct calltree *tree, bool unmarked)
{
	const struct calltree_shape_options	 o = { .form = FORM_TOP_DOWN, .threads = true };
	struct folding				*own;
	unsigned				*is;

	*w = (struct wall){ .queuer = LABEL_NONE };
	w->sites = groups_new(sizeof(struct site), LIMIT_REPORT_GROUPS);
	if (tree == NULL || calltree_part_name(tree) == NULL)
		return;
	w->shape = calltree_shape_new(tree, &o);
	is = mem_zalloc(w->shape->nlabels + 1, sizeof *is);
	own = doing_rules();
	for (uint32_t i = 0; i < w->shape->nlabels; i++)
		is[i] = kind_of(own, &w->shape->label[i]);
	folding_free(own);
	add_nodes(w, is, unmarked);
	mem_free(is);
	for (size_t i = 0; i < w->nthreads; i++)
		if (w->thread[i].all > w->rounds)
			w->rounds = w->thread[i].all;
}

void
wall_release(struct wall *w)
{
	groups_free(w->sites);
	calltree_shape_free(w->shape);
	mem_free(w->thread);
}

double
wall_threads(const struct wall *w, enum doing doing)
{
	return w->rounds > 0 ? w->doing[doing] / w->rounds : 0;
}

bool
wall_top(const struct wall *w, enum doing doing, struct site *out)
{
	out->samples = 0;
	for (size_t i = 0; i < groups_n(w->sites); i++) {
		const struct site	*s = groups_at(w->sites, i);

		if (s->doing == doing && s->samples > out->samples)
			*out = *s;
	}
	return out->samples > 0;
}

void
wall_name(const struct wall *w, uint32_t label, bool brief, struct buf *out)
{
	struct span	name = w->shape->label[label].clean;

	buf_span(out, brief ? cut_brief(name) : name);
}

void
wall_cause(const struct wall *w, const struct site *s, struct buf *out)
{
	if (s->below != LABEL_NONE)
		wall_name(w, s->below, true, out);
	if (s->below != LABEL_NONE && s->own != LABEL_NONE)
		buf_puts(out, ", called from ");
	if (s->own != LABEL_NONE)
		wall_name(w, s->own, false, out);
}
