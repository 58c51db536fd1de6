/*
 * Shapes of a tree.
 *
 *	base nodes (frames) + cells -> trie of labels + weights -> calltree_node[] of the trie
 *	-> the same in the order of drawing
 *
 *	top-down	a node's label below that of its parent, unless it is folded away
 *	bottom-up	from each node with weight of its own upward
 *	callers		from the outermost node of the method upward
 *	callees		from the innermost node of the method downward
 *	by		sums by label over the base nodes; in recursion once a stack
 *
 * A trace may have more nodes than bytes / 10, so what is no longer needed is freed at once, and
 * the nodes are moved in place.
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

/* Weight that belongs to one node of the trie. */
struct own_weight {
	double		excl, part;
	uint64_t	events;
	uint32_t	node;
};

struct own_weights {
	struct own_weight	*v;
	size_t			 n, cap;
};

struct trie {
	struct nodes		 nodes;		/* keys are labels */
	struct own_weights	 own;
	struct calltree_node	*v;		/* by number, once all nodes are there */
	struct calltree_part	*part;		/* the same; NULL: no weight is a part */
	size_t			 n, cap, part_cap;
	bool			 parted;
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

static bool
has_part(const struct calltree *c)
{
	for (size_t i = 0; i < c->cells.n; i++)
		if (c->cells.v[i].part)
			return true;
	return false;
}

static void
trie_init(struct trie *t, const struct calltree *c)
{
	*t = (struct trie){ .parted = has_part(c) };
	nodes_init(&t->nodes, LIMIT_CALL_NODES);
}

static void
trie_release(struct trie *t)
{
	nodes_release(&t->nodes);
	mem_free(t->own.v);
	mem_free(t->v);
	mem_free(t->part);
}

/* All nodes that there are so far get their figures. */
static void
trie_grow(struct trie *t)
{
	size_t	more = t->nodes.n - t->n;

	if (more == 0)
		return;
	t->v = mem_grow(t->v, &t->cap, t->nodes.n, sizeof *t->v);
	memset(t->v + t->n, 0, more * sizeof *t->v);
	if (t->parted) {
		t->part = mem_grow(t->part, &t->part_cap, t->nodes.n, sizeof *t->part);
		memset(t->part + t->n, 0, more * sizeof *t->part);
	}
	t->n = t->nodes.n;
}

static void
own_add(struct own_weights *own, const struct own_weight *w)
{
	ARRAY_ADD(own->v, own->n, own->cap, *w);
}

/* No node is added any more: give each its own weight, and those of its descendants. */
static void
sum_up(struct trie *t)
{
	hashtable_release(&t->nodes.by_key);
	trie_grow(t);
	for (size_t i = 0; i < t->own.n; i++) {
		const struct own_weight	*w = &t->own.v[i];

		t->v[w->node].excl += w->excl;
		t->v[w->node].events += w->events;
		if (t->parted)
			t->part[w->node].excl += w->part;
	}
	for (size_t i = 0; i < t->n; i++)
		t->v[i].incl = t->v[i].excl;
	for (size_t i = t->n - 1; i > 0; i--) {
		struct calltree_node	*up = &t->v[t->nodes.v[i].parent];

		up->incl += t->v[i].incl;
		up->events += t->v[i].events;
	}
	for (size_t i = 0; i < t->n && t->parted; i++)
		t->part[i].incl = t->part[i].excl;
	for (size_t i = t->n - 1; i > 0 && t->parted; i--)
		t->part[t->nodes.v[i].parent].incl += t->part[i].incl;
}

static void
add_cell(struct trie *t, uint32_t node, const struct weight_cell *x)
{
	own_add(&t->own, &(struct own_weight){ .node = node & ~NODE_CUT, .excl = x->weight,
	    .part = x->part ? x->weight : 0, .events = x->events });
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

SORT_ORDER(heaviest_first, struct child, FALLING(weight) FALLING(tie) RISING(node))

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
		const struct calltree_node	*x = &t->v[child[k]];

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
		f->first[t->v[i].parent + 2]++;
	for (size_t i = 2; i < t->n + 2; i++)
		f->first[i] += f->first[i - 1];
	for (size_t i = 1; i < t->n; i++)
		f->child[f->first[t->v[i].parent + 1]++] = (uint32_t)i;
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

	return hash_more(l->v[label].kind, text.p, text.len);
}

static double
size_of(double weight)
{
	return weight < 0 ? -weight : weight;
}

/* A node on the path from the root to where the result ends: the children next to end are left. */
struct branch {
	uint32_t	node, next, end;
};

/* The order of drawing while it is made. */
struct ordering {
	struct family	 f;
	struct branch	*path;
	size_t		 depth, cap;
	uint32_t	*place;		/* of a node of the trie in the result; NOWHERE: left out */
};

/* Append the node of the trie to the result, below the end of the path, which it becomes. */
static void
append(struct shaper *s, struct trie *t, struct ordering *o, uint32_t node)
{
	struct calltree_shape	*out = s->out;
	struct calltree_node	*x = &t->v[node];

	x->id = 1;
	if (node != 0) {
		const struct calltree_node	*up = &t->v[o->path[o->depth].node];

		x->parent = o->place[o->path[o->depth].node];
		x->depth = up->depth + 1;
		x->id = hash_pair(up->id, label_hash(s->labels, x->label));
		o->depth++;
	}
	o->path = mem_grow(o->path, &o->cap, o->depth + 1, sizeof *o->path);
	o->path[o->depth] = (struct branch){ node, o->f.first[node], o->f.first[node + 1] };
	if (s->o->by_id)
		hashtable_add(&out->by_id, hash_u64(x->id), out->n);
	o->place[node] = out->n++;
}

/* Have all requested rows been added, not counting the root? */
static bool
is_one_too_many(const struct shaper *s)
{
	return s->o->most > 0 && s->o->form == FORM_BY && s->out->n > s->o->most;
}

/* Say of each node where it stands in the result. */
static void
order_nodes(struct shaper *s, struct trie *t, struct ordering *o)
{
	double	least = s->o->least * size_of(s->out->total);

	append(s, t, o, 0);
	while (!stopped(s->o, s->out->n)) {
		struct branch	*b = &o->path[o->depth];
		uint32_t	 child;

		if (b->next == b->end) {
			t->v[b->node].end = s->out->n;
			if (o->depth == 0)
				break;
			o->depth--;
			continue;
		}
		child = o->f.child[b->next++];
		if (size_of(t->v[child].incl) < least || is_one_too_many(s))
			s->out->left_out++;
		else
			append(s, t, o, child);
	}
}

/* Move each node to its place. What is left out ends up behind all others. */
static void
move_nodes(struct trie *t, uint32_t *place)
{
	for (uint32_t i = 0; i < t->n; i++) {
		while (place[i] != NOWHERE && place[i] != i) {
			uint32_t		to = place[i];
			struct calltree_node	x = t->v[to];

			t->v[to] = t->v[i];
			t->v[i] = x;
			if (t->parted) {
				struct calltree_part	part = t->part[to];

				t->part[to] = t->part[i];
				t->part[i] = part;
			}
			place[i] = place[to];
			place[to] = to;
		}
	}
}

/* Make the result of the nodes of the trie, which is empty then. */
static void
emit_all(struct shaper *s, struct trie *t, uint32_t root_label)
{
	struct ordering	o = { .place = mem_alloc(t->n * sizeof *o.place) };

	memset(o.place, 0xff, t->n * sizeof *o.place);
	for (size_t i = 0; i < t->n; i++) {
		t->v[i].label = i == 0 ? root_label : t->nodes.v[i].key;
		t->v[i].parent = t->nodes.v[i].parent;
	}
	nodes_release(&t->nodes);
	family_init(&o.f, t, s->o);
	order_nodes(s, t, &o);
	family_release(&o.f);
	mem_free(o.path);
	move_nodes(t, o.place);
	mem_free(o.place);
	s->out->v = t->v;
	s->out->part = t->part;
	t->v = NULL;
	t->part = NULL;
}

/* ---- the other forms, made from the top-down shape */

/* A node of the top-down shape as far as others are made from it. */
struct label_step {
	uint32_t	label, parent;
};

struct label_steps {
	struct label_step		*v;
	uint32_t		 n;
	struct own_weights	 own;		/* by number of a step */
};

/* Take events of descendants off each node. */
static void
keep_own_events(struct calltree_shape *s)
{
	for (uint32_t i = 1; i < s->n; i++)
		s->v[s->v[i].parent].events -= s->v[i].events;
}

/* The weights of nodes without their descendants. */
static void
own_weights(struct own_weights *own, struct calltree_shape *down)
{
	keep_own_events(down);
	for (uint32_t i = 0; i < down->n; i++)
		if (down->v[i].events > 0)
			own_add(own, &(struct own_weight){ .node = i, .excl = down->v[i].excl,
			    .part = calltree_part(down, i).excl, .events = down->v[i].events });
}

/* Of nodes with the label that have no ancestor with the same label: all that lies in them. */
static void
outermost_weights(struct own_weights *own, const struct calltree_shape *down, uint32_t label)
{
	uint32_t	end = 0;

	for (uint32_t i = 1; i < down->n; i++) {
		if (i < end || down->v[i].label != label)
			continue;
		own_add(own, &(struct own_weight){ .node = i, .excl = down->v[i].incl,
		    .part = calltree_part(down, i).incl, .events = down->v[i].events });
		end = down->v[i].end;
	}
}

/* Keep of the shape what is needed, and free it. */
static void
steps_init(struct label_steps *x, struct calltree_shape *down, enum calltree_form form,
    uint32_t label)
{
	*x = (struct label_steps){ .n = down->n };
	if (form == FORM_CALLERS)
		outermost_weights(&x->own, down, label);
	else
		own_weights(&x->own, down);
	x->v = mem_alloc((size_t)down->n * sizeof *x->v);
	for (uint32_t i = 0; i < down->n; i++)
		x->v[i] = (struct label_step){ down->v[i].label, down->v[i].parent };
	mem_free(down->v);
	mem_free(down->part);
	down->v = NULL;
	down->part = NULL;
	down->n = 0;
}

/* The node of the trie whose path is that from a step up to the root. */
static uint32_t
climb(struct trie *t, const struct label_steps *x, uint32_t from)
{
	uint32_t	at = 0, next;

	for (uint32_t i = from; i != 0; i = x->v[i].parent) {
		next = nodes_child(&t->nodes, at, x->v[i].label);
		if (next == at)
			break;
		at = next;
	}
	return at;
}

static void
bottom_up(struct shaper *s, const struct label_steps *x, struct trie *t)
{
	uint32_t	none = labels_other(s->labels, "(no frames)");

	for (size_t i = 0; i < x->own.n && !stopped(s->o, i); i++) {
		struct own_weight	w = x->own.v[i];

		w.node = w.node == 0 ? nodes_child(&t->nodes, 0, none) : climb(t, x, w.node);
		own_add(&t->own, &w);
	}
}

static void
callers(struct shaper *s, const struct label_steps *x, struct trie *t)
{
	for (size_t i = 0; i < x->own.n && !stopped(s->o, i); i++) {
		struct own_weight	w = x->own.v[i];

		w.node = climb(t, x, x->v[w.node].parent);
		own_add(&t->own, &w);
	}
}

static void
callees(const struct label_steps *x, uint32_t label, struct trie *t)
{
	uint32_t	*map = mem_alloc(((size_t)x->n + 1) * sizeof *map);

	map[0] = NOWHERE;
	for (uint32_t i = 1; i < x->n; i++) {
		uint32_t	up = map[x->v[i].parent], child;

		map[i] = up;
		if (x->v[i].label == label) {
			map[i] = 0;
		} else if (up != NOWHERE && (up & NODE_CUT) == 0) {
			child = nodes_child(&t->nodes, up, x->v[i].label);
			map[i] = child != up ? child : up | NODE_CUT;
		}
	}
	for (size_t i = 0; i < x->own.n; i++) {
		struct own_weight	w = x->own.v[i];

		if (map[w.node] == NOWHERE)
			continue;
		w.node = map[w.node] & ~NODE_CUT;
		own_add(&t->own, &w);
	}
	mem_free(map);
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

/* The node of the label. */
static uint32_t
node_of(struct summing *m, uint32_t label)
{
	if (m->of_label[label] == 0) {
		m->of_label[label] = nodes_append(&m->t->nodes, 0, label);
		trie_grow(m->t);
	}
	return m->of_label[label];
}

static void
add_incl(struct summing *m, uint32_t node, double weight, double part, uint64_t events)
{
	m->t->v[node].incl += weight;
	m->t->v[node].events += events;
	if (m->t->parted)
		m->t->part[node].incl += part;
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
		uint32_t			 node = node_of(m, label);
		double				 part = x->part ? x->weight : 0;

		m->t->v[node].excl += x->weight;
		if (m->t->parted)
			m->t->part[node].excl += part;
		if (label == m->none)
			add_incl(m, node, x->weight, part, x->events);
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
	const struct child_sum	*sum = &m->v[node];
	uint32_t		 label = m->l->of_frame[m->c->nodes.v[node].key];

	if (label != LABEL_AWAY && open[label]++ == 0)
		add_incl(m, node_of(m, label), sum->incl, sum->part, sum->events);
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
	trie_grow(t);
	sum_nodes(&m);
	sum_labels(&m, s->o);
	sum_own(&m);
	add_incl(&m, 0, m.v[0].incl, m.v[0].part, m.v[0].events);
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
	s->out->total_part = t.parted ? t.part[0].incl : 0;
	s->out->steps += t.nodes.steps;
	emit_all(s, &t, labels_other(s->labels, "all"));
	trie_release(&t);
}

/* ---- making a shape */

static void
emit_top_down(struct shaper *s, double least)
{
	struct calltree_shape_options	 o = *s->o;
	const struct calltree_shape_options *own = s->o;
	struct trie			 t;

	trie_init(&t, s->c);
	o.least = least;
	o.form = FORM_TOP_DOWN;
	o.by_id = own->by_id && own->form == FORM_TOP_DOWN;
	o.threads = own->threads && own->form == FORM_TOP_DOWN;
	s->o = &o;
	if (o.threads)
		by_threads(s, &t);
	else
		top_down(s, &t);
	sum_up(&t);
	s->out->total = t.v[0].incl;
	s->out->total_part = t.parted ? t.part[0].incl : 0;
	s->out->cut = s->out->cut || t.nodes.full;
	s->out->steps += t.nodes.steps;
	emit_all(s, &t, labels_other(s->labels, "all"));
	s->o = own;
	trie_release(&t);
}

static void
emit_other(struct shaper *s)
{
	enum calltree_form	form = s->o->form;
	struct label_steps		x;
	struct trie		t;
	uint32_t		root = s->out->v[0].label;

	if (form != FORM_BOTTOM_UP)
		root = labels_find(s->labels, s->o->of);
	steps_init(&x, s->out, form, root);
	trie_init(&t, s->c);
	if (form == FORM_BOTTOM_UP)
		bottom_up(s, &x, &t);
	else if (root != LABEL_AWAY && form == FORM_CALLERS)
		callers(s, &x, &t);
	else if (root != LABEL_AWAY)
		callees(&x, root, &t);
	mem_free(x.v);
	mem_free(x.own.v);
	s->out->unknown = root == LABEL_AWAY;
	if (s->out->unknown)
		root = labels_other(s->labels, s->o->of);
	sum_up(&t);
	s->out->cut = s->out->cut || t.nodes.full;
	s->out->steps += t.nodes.steps;
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
	struct calltree		 busy;
	bool			 hides = calltree_hide_idle(c, o->folding, &busy, &out->hidden);
	struct shaper		 s = { .c = &busy, .o = o, .out = out };

	out->labels = s.labels = mem_zalloc(1, sizeof *s.labels);
	labels_of_frames(s.labels, c, forms[o->group], o->folding, o->stop);
	if (o->form == FORM_BY)
		emit_by(&s);
	else
		emit_top_down(&s, o->form == FORM_TOP_DOWN ? o->least : 0);
	if (o->form != FORM_BY && o->form != FORM_TOP_DOWN && !stopped(o, 0))
		emit_other(&s);
	if (hides)
		mem_free(busy.cells.v);
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
	mem_free(s->part);
	mem_free(s);
}

bool
calltree_shape_find(const struct calltree_shape *s, uint64_t id, uint32_t *node)
{
	HASHTABLE_EACH(&s->by_id, hash_u64(id), i)
		if (s->v[*i].id == id) {
			*node = *i;
			return true;
		}
	return false;
}

struct calltree_shares
calltree_shares(const struct calltree_shape *s, double all, double part)
{
	double	rest = s->total - s->total_part;

	return (struct calltree_shares){ rest > 0 ? (all - part) / rest : 0,
	    s->total_part > 0 ? part / s->total_part : 0 };
}

bool
calltree_difference(const struct calltree_shape *s, size_t node, double *points)
{
	struct calltree_shares	x = calltree_shares(s, s->v[node].incl,
				    calltree_part(s, node).incl);

	*points = 100 * (x.b - x.a);
	return s->total_part > 0 && s->total > s->total_part;
}
