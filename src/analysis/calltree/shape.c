/*
 * Shapes of a tree.
 *
 *	base nodes (frames) + cells -> trie of labels with figures -> sorted -> calltree_node[]
 *
 *	top-down	a node's label below that of its parent, unless it is folded away
 *	bottom-up	from each node with weight of its own upward
 *	callers		from the outermost node of the method upward
 *	callees		from the innermost node of the method downward
 *	by		sums by label over the base nodes; in recursion once a stack
 *
 * Invariant: in the trie a node has a greater number than its parent; in the result it follows its
 * parent.
 */
#include "analysis/calltree/private.h"
#include "analysis/calltree/threads.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define NOWHERE		UINT32_MAX

struct figures {
	double		excl, excl_part, incl, incl_part;
	uint64_t	events;		/* its own; once summed up, with those of descendants */
};

struct trie {
	struct nodes	 nodes;		/* keys are labels */
	struct figures	*v;
	size_t		 n, cap;
};

struct shaper {
	const struct calltree			*c;
	const struct calltree_shape_options	*o;
	struct labels				*labels;
	struct calltree_shape			*out;
};

/* Is the shape no longer wanted? Tested in loops that may be long. */
static bool
stopped(const struct calltree_shape_options *o, size_t i)
{
	return labels_stopped(o->stop, i);
}

static void
trie_init(struct trie *t, const struct calltree *c)
{
	*t = (struct trie){ .n = 0 };
	nodes_init(&t->nodes, c->seed, LIMIT_CALL_NODES);
}

static void
trie_release(struct trie *t)
{
	nodes_release(&t->nodes);
	mem_free(t->v);
}

static struct figures *
figures_at(struct trie *t, uint32_t node)
{
	if (t->n < t->nodes.n) {
		t->v = mem_grow(t->v, &t->cap, t->nodes.n, sizeof *t->v);
		memset(t->v + t->n, 0, (t->nodes.n - t->n) * sizeof *t->v);
		t->n = t->nodes.n;
	}
	return &t->v[node & ~NODE_CUT];
}

/* Add the weights of descendants to each node. */
static void
sum_up(struct trie *t)
{
	(void)figures_at(t, 0);
	for (size_t i = 0; i < t->n; i++) {
		t->v[i].incl += t->v[i].excl;
		t->v[i].incl_part += t->v[i].excl_part;
	}
	for (size_t i = t->n - 1; i > 0; i--) {
		struct figures	*up = &t->v[t->nodes.v[i].parent];

		up->incl += t->v[i].incl;
		up->incl_part += t->v[i].incl_part;
		up->events += t->v[i].events;
	}
}

static void
add_cell(struct trie *t, uint32_t node, const struct weight_cell *x)
{
	struct figures	*f = figures_at(t, node);

	f->excl += x->weight;
	f->excl_part += x->part ? x->weight : 0;
	f->events += x->events;
}

/* ---- top-down */

static void
top_down(struct shaper *s, struct trie *t)
{
	const struct calltree	*c = s->c;
	uint32_t		*map = mem_zalloc(c->nodes.n, sizeof *map);

	labels_of_nodes(s->labels, c, &t->nodes, map, s->o->stop);
	for (size_t i = 0; i < c->cells.n; i++)
		add_cell(t, map[c->cells.v[i].stack], &c->cells.v[i]);
	mem_free(map);
}

/* Top-down, with threads below the root. */
static void
by_threads(struct shaper *s, struct trie *t)
{
	struct thread_walk	w;

	thread_walk_init(&w, s->c, s->labels);
	for (size_t i = 0; i < w.n && !stopped(s->o, i); i++) {
		if (i == 0 || w.v[i].label != w.v[i - 1].label)
			thread_walk_enter(&w, nodes_child(&t->nodes, 0, w.v[i].label));
		add_cell(t, thread_walk_node(&w, &t->nodes, w.v[i].cell->stack), w.v[i].cell);
	}
	thread_walk_release(&w);
}

/* ---- sorting: descendants follow their node */

struct child {
	double		weight, tie;
	uint32_t	node;
};

static int
heaviest_first(const void *a, const void *b)
{
	const struct child	*x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->tie != y->tie)
		return x->tie > y->tie ? -1 : 1;
	return (x->node > y->node) - (x->node < y->node);
}

/* The children of node i are child[first[i]] ... child[first[i + 1] - 1]. */
struct family {
	uint32_t	*first, *child;
	struct child	*some;		/* scratch */
	size_t		 some_cap;
};

static void
sort_children(struct family *f, const struct trie *t, size_t i, bool by_own)
{
	uint32_t	*child = f->child + f->first[i];
	size_t		 n = f->first[i + 1] - f->first[i];

	if (n < 2)
		return;
	f->some = mem_grow(f->some, &f->some_cap, n, sizeof *f->some);
	for (size_t k = 0; k < n; k++) {
		const struct figures	*x = &t->v[child[k]];

		f->some[k] = (struct child){ by_own ? x->excl : x->incl, x->incl, child[k] };
	}
	sort_array(f->some, n, sizeof *f->some, heaviest_first);
	for (size_t k = 0; k < n; k++)
		child[k] = f->some[k].node;
}

static void
family_init(struct family *f, const struct trie *t, const struct calltree_shape_options *o)
{
	*f = (struct family){ .some = NULL };
	f->first = mem_zalloc(t->n + 2, sizeof *f->first);
	f->child = mem_zalloc(t->n + 1, sizeof *f->child);
	for (size_t i = 1; i < t->n; i++)
		f->first[t->nodes.v[i].parent + 2]++;
	for (size_t i = 2; i < t->n + 2; i++)
		f->first[i] += f->first[i - 1];
	for (size_t i = 1; i < t->n; i++)
		f->child[f->first[t->nodes.v[i].parent + 1]++] = (uint32_t)i;
	for (size_t i = 0; i < t->n && !stopped(o, i); i++)
		sort_children(f, t, i, o->form == FORM_BY);
}

static void
family_release(struct family *f)
{
	mem_free(f->first);
	mem_free(f->child);
	mem_free(f->some);
}

static uint64_t
label_hash(const struct labels *l, uint32_t label)
{
	struct span	text = l->v[label].text;

	return hash_bytes(l->v[label].kind, text.p, text.len);
}

static double
size_of(double weight)
{
	return weight < 0 ? -weight : weight;
}

static uint64_t
id_hash(uint64_t id)
{
	return hash_u64(0, id);
}

/* Append a node of the trie to the result. Returns its number there. */
static uint32_t
emit(struct shaper *s, const struct trie *t, uint32_t node, uint32_t parent, uint32_t root)
{
	const struct figures	*f = &t->v[node];
	struct calltree_shape	*out = s->out;
	uint32_t		 label = node == 0 ? root : t->nodes.v[node].key;
	struct calltree_node	*x = &out->v[out->n];

	*x = (struct calltree_node){ .incl = f->incl, .excl = f->excl, .label = label,
	    .incl_part = f->incl_part, .excl_part = f->excl_part, .events = f->events,
	    .parent = parent, .id = 1 };
	if (node != 0) {
		x->depth = out->v[parent].depth + 1;
		x->id = hash_pair(0, out->v[parent].id, label_hash(s->labels, label));
	}
	if (s->o->by_id)
		hashtable_add(&out->by_id, id_hash(x->id), out->n);
	return out->n++;
}

/* Have all requested rows been added, not counting the root? */
static bool
is_one_too_many(const struct shaper *s)
{
	return s->o->most > 0 && s->o->form == FORM_BY && s->out->n > s->o->most;
}

/* A node on the path from the root to where emit_all() is: the children next to end are left. */
struct branch {
	uint32_t	next, end;
};

static struct branch
branch_into(const struct family *f, uint32_t node)
{
	return (struct branch){ f->first[node], f->first[node + 1] };
}

/* Append all nodes of the trie to the result. No node is searched for any more. */
static void
emit_all(struct shaper *s, struct trie *t, uint32_t root_label)
{
	struct calltree_shape	*out = s->out;
	double			 least = s->o->least * size_of(out->total);
	struct family		 f;
	struct branch		*path = NULL;
	size_t			 depth = 0, cap = 0;
	uint32_t		 at;

	hashtable_release(&t->nodes.by_key);
	family_init(&f, t, s->o);
	out->v = mem_zalloc(t->n, sizeof *out->v);
	at = emit(s, t, 0, 0, root_label);
	path = mem_grow(path, &cap, 1, sizeof *path);
	path[0] = branch_into(&f, 0);
	while (!stopped(s->o, out->n)) {
		uint32_t	child;

		if (path[depth].next == path[depth].end) {
			out->v[at].end = out->n;
			if (at == 0)
				break;
			at = out->v[at].parent;
			depth--;
			continue;
		}
		child = f.child[path[depth].next++];
		if (size_of(t->v[child].incl) < least || is_one_too_many(s)) {
			out->left_out++;
			continue;
		}
		at = emit(s, t, child, at, root_label);
		path = mem_grow(path, &cap, ++depth + 1, sizeof *path);
		path[depth] = branch_into(&f, child);
	}
	mem_free(path);
	family_release(&f);
}

/* ---- the other forms, made from the top-down shape */

static void
add_own(struct trie *t, uint32_t node, const struct calltree_node *x, uint64_t own)
{
	struct figures	*f = figures_at(t, node);

	f->excl += x->excl;
	f->excl_part += x->excl_part;
	f->events += own;
}

/* The events of each node without its descendants. */
static uint64_t *
own_events(const struct calltree_shape *s)
{
	uint64_t	*own = mem_zalloc(s->n + 1, sizeof *own);

	for (uint32_t i = 0; i < s->n; i++) {
		own[i] += s->v[i].events;
		if (i > 0)
			own[s->v[i].parent] -= s->v[i].events;
	}
	return own;
}

static void
bottom_up(struct shaper *s, const struct calltree_shape *down, struct trie *t)
{
	uint64_t	*own = own_events(down);
	uint32_t	 none = labels_other(s->labels, "(no frames)");

	for (uint32_t i = 0; i < down->n && !stopped(s->o, i); i++) {
		uint32_t	at = 0, next;

		if (own[i] == 0)
			continue;
		if (i == 0)
			at = nodes_child(&t->nodes, 0, none);
		for (uint32_t x = i; x != 0; x = down->v[x].parent) {
			next = nodes_child(&t->nodes, at, down->v[x].label);
			if (next == at)
				break;
			at = next;
		}
		add_own(t, at, &down->v[i], own[i]);
	}
	mem_free(own);
}

/* Nodes with a label that have no ancestor with the same label. */
static bool *
outermost(const struct calltree_shape *down, uint32_t label)
{
	bool		*is = mem_zalloc(down->n + 1, sizeof *is);
	uint32_t	 end = 0;

	for (uint32_t i = 1; i < down->n; i++) {
		if (i < end || down->v[i].label != label)
			continue;
		is[i] = true;
		end = down->v[i].end;
	}
	return is;
}

static void
callers(struct shaper *s, const struct calltree_shape *down, uint32_t label, struct trie *t)
{
	bool	*is = outermost(down, label);

	for (uint32_t i = 1; i < down->n && !stopped(s->o, i); i++) {
		struct figures	*f;
		uint32_t	 at = 0, next;

		if (!is[i])
			continue;
		for (uint32_t x = down->v[i].parent; x != 0; x = down->v[x].parent) {
			next = nodes_child(&t->nodes, at, down->v[x].label);
			if (next == at)
				break;
			at = next;
		}
		f = figures_at(t, at);
		f->excl += down->v[i].incl;
		f->excl_part += down->v[i].incl_part;
		f->events += down->v[i].events;
	}
	mem_free(is);
}

static void
callees(const struct calltree_shape *down, uint32_t label, struct trie *t)
{
	uint32_t	*map = mem_zalloc(down->n + 1, sizeof *map);
	uint64_t	*own = own_events(down);

	map[0] = NOWHERE;
	for (uint32_t i = 1; i < down->n; i++) {
		uint32_t	up = map[down->v[i].parent], child;

		map[i] = up;
		if (down->v[i].label == label) {
			map[i] = 0;
		} else if (up != NOWHERE && (up & NODE_CUT) == 0) {
			child = nodes_child(&t->nodes, up, down->v[i].label);
			map[i] = child != up ? child : up | NODE_CUT;
		}
		if (map[i] != NOWHERE)
			add_own(t, map[i], &down->v[i], own[i]);
	}
	mem_free(map);
	mem_free(own);
}

/* ---- sums by label */

/* The tree as needed to sum up by label: most traces have many more nodes than labels. */
struct summing {
	const struct calltree	*c;
	const struct labels	*l;
	struct trie		*t;		/* a node per label, below the root */
	uint32_t		*of_label;	/* its node; 0: none yet */
	uint32_t		 none;		/* the label of what has no frames */
	uint32_t		*child, *next;	/* of a node: its first child, its next sibling */
	struct child_sum {
		double		incl, part;
		uint64_t	events;
	}			*v;		/* of nodes, with their descendants */
};

static struct figures *
figures_of(struct summing *m, uint32_t label)
{
	if (m->of_label[label] == 0)
		m->of_label[label] = nodes_append(&m->t->nodes, 0, label);
	return figures_at(m->t, m->of_label[label]);
}

/* The label that a node's own weight counts for: its own, or that of the nearest ancestor that is
   not folded away. */
static uint32_t
visible_label(const struct summing *m, uint32_t node)
{
	const struct node	*v = m->c->nodes.v;

	while (node != 0 && m->l->of_frame[v[node].key] == LABEL_AWAY)
		node = v[node].parent;
	return node != 0 ? m->l->of_frame[v[node].key] : m->none;
}

/* Exclusive weights. What has no frames has nothing below it. */
static void
sum_own(struct summing *m)
{
	const struct calltree	*c = m->c;

	for (size_t i = 0; i < c->cells.n; i++) {
		const struct weight_cell	*x = &c->cells.v[i];
		uint32_t			 label = visible_label(m, x->stack);
		struct figures			*f = figures_of(m, label);
		double				 part = x->part ? x->weight : 0;

		f->excl += x->weight;
		f->excl_part += part;
		if (label != m->none)
			continue;
		f->incl += x->weight;
		f->incl_part += part;
		f->events += x->events;
	}
}

/* The weights of nodes, each added to its parent; and the lists of children. */
static void
sum_nodes(struct summing *m)
{
	for (size_t i = 0; i < m->c->cells.n; i++) {
		const struct weight_cell	*x = &m->c->cells.v[i];

		m->v[x->stack].incl += x->weight;
		m->v[x->stack].part += x->part ? x->weight : 0;
		m->v[x->stack].events += x->events;
	}
	for (size_t i = m->c->nodes.n - 1; i > 0; i--) {
		uint32_t	 parent = m->c->nodes.v[i].parent;
		struct child_sum	*up = &m->v[parent];

		up->incl += m->v[i].incl;
		up->part += m->v[i].part;
		up->events += m->v[i].events;
		m->next[i] = m->child[parent];
		m->child[parent] = (uint32_t)i;
	}
}

/* Enter a node: its weight counts for its label, unless that is the label of an ancestor. */
static void
sum_enter(struct summing *m, uint32_t node, uint32_t *open)
{
	uint32_t	 label = m->l->of_frame[m->c->nodes.v[node].key];
	struct figures	*f;

	if (label == LABEL_AWAY || open[label]++ > 0)
		return;
	f = figures_of(m, label);
	f->incl += m->v[node].incl;
	f->incl_part += m->v[node].part;
	f->events += m->v[node].events;
}

static void
sum_leave(const struct summing *m, uint32_t node, uint32_t *open)
{
	uint32_t	label = m->l->of_frame[m->c->nodes.v[node].key];

	if (label != LABEL_AWAY)
		open[label]--;
}

/* Inclusive weights: each node after its parent, and before the parent's next child. */
static void
sum_labels(struct summing *m, const struct calltree_shape_options *o)
{
	uint32_t	*open = mem_zalloc(m->l->n + 1, sizeof *open);
	uint32_t	 at = m->child[0];

	for (size_t i = 0; at != 0 && !stopped(o, i); i++) {
		sum_enter(m, at, open);
		if (m->child[at] != 0) {
			at = m->child[at];
			continue;
		}
		for (; at != 0; at = m->c->nodes.v[at].parent) {
			sum_leave(m, at, open);
			if (m->next[at] != 0)
				break;
		}
		at = at != 0 ? m->next[at] : 0;
	}
	mem_free(open);
}

static void
by_label(struct shaper *s, struct trie *t)
{
	size_t		n = s->c->nodes.n;
	struct summing	m = { .c = s->c, .l = s->labels, .t = t,
			    .none = labels_other(s->labels, "(no frames)") };

	m.of_label = mem_zalloc(s->labels->n + 1, sizeof *m.of_label);
	m.child = mem_zalloc(n, sizeof *m.child);
	m.next = mem_zalloc(n, sizeof *m.next);
	m.v = mem_zalloc(n, sizeof *m.v);
	(void)figures_at(t, 0);
	sum_nodes(&m);
	sum_labels(&m, s->o);
	sum_own(&m);
	t->v[0] = (struct figures){ .incl = m.v[0].incl, .incl_part = m.v[0].part,
	    .events = m.v[0].events };
	t->nodes.steps += n;
	mem_free(m.of_label);
	mem_free(m.child);
	mem_free(m.next);
	mem_free(m.v);
}

static void
emit_by(struct shaper *s)
{
	struct trie	t;

	trie_init(&t, s->c);
	by_label(s, &t);
	s->out->total = t.v[0].incl;
	s->out->total_part = t.v[0].incl_part;
	s->out->steps += t.nodes.steps;
	emit_all(s, &t, labels_other(s->labels, "all"));
	trie_release(&t);
}

/* ---- making a shape */

static void
emit_top_down(struct shaper *s, double least)
{
	struct calltree_shape_options	 o = *s->o;
	const struct calltree_shape_options *asked = s->o;
	struct trie			 t;

	trie_init(&t, s->c);
	o.least = least;
	o.form = FORM_TOP_DOWN;
	o.by_id = asked->by_id && asked->form == FORM_TOP_DOWN;
	o.threads = asked->threads && asked->form == FORM_TOP_DOWN;
	s->o = &o;
	if (o.threads)
		by_threads(s, &t);
	else
		top_down(s, &t);
	sum_up(&t);
	s->out->total = t.v[0].incl;
	s->out->total_part = t.v[0].incl_part;
	s->out->cut = s->out->cut || t.nodes.full;
	s->out->steps += t.nodes.steps;
	emit_all(s, &t, labels_other(s->labels, "all"));
	s->o = asked;
	trie_release(&t);
}

static void
emit_other(struct shaper *s)
{
	struct calltree_shape	down = *s->out;
	struct trie		t;
	uint32_t		root = down.v[0].label;

	trie_init(&t, s->c);
	if (s->o->form == FORM_CALLERS || s->o->form == FORM_CALLEES)
		root = labels_find(s->labels, s->o->of);
	if (s->o->form == FORM_BOTTOM_UP)
		bottom_up(s, &down, &t);
	else if (root != LABEL_AWAY && s->o->form == FORM_CALLERS)
		callers(s, &down, root, &t);
	else if (root != LABEL_AWAY)
		callees(&down, root, &t);
	s->out->unknown = root == LABEL_AWAY;
	if (s->out->unknown)
		root = labels_other(s->labels, s->o->of);
	mem_free(down.v);
	s->out->v = NULL;
	sum_up(&t);
	s->out->cut = s->out->cut || t.nodes.full;
	s->out->steps += t.nodes.steps;
	s->out->n = 0;
	emit_all(s, &t, root);
	trie_release(&t);
}

struct calltree_shape *
calltree_shape_new(const struct calltree *c, const struct calltree_shape_options *o)
{
	static const enum label_form	forms[] = {
		[GROUP_METHOD] = LABELS_METHOD, [GROUP_MODULE] = LABELS_MODULE,
		[GROUP_NAMESPACE] = LABELS_NAMESPACE,
	};
	struct calltree_shape	*out = mem_zalloc(1, sizeof *out);
	struct shaper		 s = { .c = c, .o = o, .out = out };

	out->labels = s.labels = mem_zalloc(1, sizeof *s.labels);
	labels_init(s.labels, c->seed);
	hashtable_init(&out->by_id);
	labels_of_frames(s.labels, c, forms[o->group], o->folding, o->stop);
	if (o->form == FORM_BY)
		emit_by(&s);
	else
		emit_top_down(&s, o->form == FORM_TOP_DOWN ? o->least : 0);
	if (o->form != FORM_BY && o->form != FORM_TOP_DOWN && !stopped(o, 0))
		emit_other(&s);
	if (stopped(o, 0)) {
		calltree_shape_free(out);
		return NULL;
	}
	out->label = s.labels->v;
	out->nlabels = (uint32_t)s.labels->n;
	return out;
}

void
calltree_shape_free(struct calltree_shape *s)
{
	if (s == NULL)
		return;
	labels_release(s->labels);
	hashtable_release(&s->by_id);
	mem_free(s->labels);
	mem_free(s->v);
	mem_free(s);
}

bool
calltree_shape_find(const struct calltree_shape *s, uint64_t id, uint32_t *node)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&s->by_id, id_hash(id), &at)) != NULL; )
		if (s->v[*i].id == id) {
			*node = *i;
			return true;
		}
	return false;
}
