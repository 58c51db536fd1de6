/*
 * From the lists of a walk to its graph: which references each object has, and what holds it.
 *
 *	edge	a b c d e f ...		each object takes its number of them, in turn
 *	first	0 2 2 5 ...		numbers of objects in place of addresses; what leads to
 *					no object is left out
 *
 * Where events are missing, places in the list of references are known up to the first hole. After
 * a hole in that list they are known again if it has exactly the references that are missing from
 * the sum of all counts; after a hole in the list of objects they are not. The references of an
 * object are all known, or none of them is taken.
 *
 * The runtime keeps static fields in arrays of its own. An array of objects that a handle holds and
 * that refers to the object of a static field is such a table: these references are left out, or no
 * static field would hold anything alone.
 */
#include "analysis/heap/private.h"

#include "analysis/heap/places.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"

#define ROOT_HANDLE	2u
#define ROOT_OLDER	3u
#define FLAG_PINNED	1u
#define FLAG_WEAK	2u
#define FLAG_COUNTED	8u
#define FLAG_THREAD	1u	/* of a static field */

/* References of the list whose places are known: [at, end) are those received from `real` on. */
struct known_run {
	uint64_t	at, end, real;
};

/* A reference that the list doesn't have. */
struct extra {
	uint32_t	from, to;
};

struct graph {
	struct heap		*h;
	struct heap_raw		*r;
	struct heap_work	*w;
	struct heap_places	 places;
	struct known_run	*run;
	size_t			 nruns;
	uint64_t		 aligned;	/* the first object after a hole in that list */
	uint64_t		 nedges;	/* kept ones */
	uint8_t			*is_static;	/* bits: a static field refers to the object; */
	uint8_t			*is_table;	/* the runtime's own array; */
	uint8_t			*is_known;	/* ... it was looked whether it is one; */
	uint8_t			*holds_static;	/* as the key of a dependent handle */
	struct extra		*extra;
	size_t			 nextra, extra_cap;
};

static bool
bit(const uint8_t *bits, uint32_t i)
{
	return (bits[i >> 3] >> (i & 7) & 1) != 0;
}

static void
bit_set(uint8_t *bits, uint32_t i)
{
	bits[i >> 3] = (uint8_t)(bits[i >> 3] | 1u << (i & 7));
}

/* ---- places in the list of references */

static uint64_t
sum_counts(const struct heap *h)
{
	uint64_t	sum = 0;

	for (uint32_t i = 1; i <= h->n; i++)
		sum += h->first[i];
	return sum;
}

/* How many references are missing, by the indexes of their events; 0: that is not known. */
static uint64_t
missing_edges(const struct heap_list *l)
{
	uint64_t	n = 0;

	for (size_t i = 0; i < l->nholes; i++) {
		uint64_t	hole;

		if (l->hole[i].events == 0 || l->uneven ||
		    __builtin_mul_overflow(l->hole[i].events, l->whole, &hole))
			return 0;
		n = add_u64(n, hole);
	}
	return n;
}

static void
find_runs(struct graph *g)
{
	const struct heap_list	*l = &g->r->edges;
	uint64_t		 missing = missing_edges(l), sum = sum_counts(g->h), before = 0;
	bool			 all = g->r->nodes.nholes == 0 && missing > 0 &&
				    sum == add_u64(l->n, missing);
	struct known_run	*run = mem_zalloc(l->nholes + 1, sizeof *run);

	g->run = run;
	g->aligned = g->r->nodes.nholes > 0 ? g->r->nodes.hole[0].at : UINT64_MAX;
	run->end = l->nholes > 0 ? l->hole[0].at : l->n;
	g->nruns = 1;
	for (size_t i = 0; i < l->nholes && all; i++) {
		before += l->hole[i].events * l->whole;
		run[i + 1].real = l->hole[i].at;
		run[i + 1].at = run[i + 1].real + before;
		run[i + 1].end = before + (i + 1 < l->nholes ? l->hole[i + 1].at : l->n);
		g->nruns++;
	}
	g->h->exact = sum == l->n;
}

/* Numbers in place of the addresses of one object's references. */
static void
take_edges(struct graph *g, uint32_t *to, uint64_t real, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t	object = heap_places_find(&g->places, g->r->edge[real + i]);

		if (object != 0)
			to[g->nedges++] = object;
		else
			g->h->outside++;
	}
}

/* In place: a number needs half the room of its address. */
static bool
number_edges(struct graph *g)
{
	struct heap		*h = g->h;
	uint32_t		*to = (uint32_t *)(void *)g->r->edge;
	const struct known_run	*run = g->run, *last = g->run + g->nruns - 1;
	uint64_t		 at = 0;

	for (uint32_t i = 1; i <= h->n; i++) {
		uint32_t	n = h->first[i];

		h->first[i] = (uint32_t)g->nedges;
		while (run < last && at >= run->end)
			run++;
		if (n > 0 && i < g->aligned && at >= run->at && at + n <= run->end) {
			take_edges(g, to, run->real + (at - run->at), n);
		} else if (n > 0) {
			h->first_unknown = h->unknown == 0 ? i : h->first_unknown;
			h->unknown++;
		}
		at += n;
		if (heap_work_step(g->w))
			return false;
	}
	h->first[0] = 0;
	h->to = mem_realloc(to, g->nedges + 1, sizeof *to);
	g->r->edge = NULL;
	return true;
}

/* ---- roots */

static enum heap_root_kind
kind_of(const struct raw_root *r)
{
	static const enum heap_root_kind	kinds[] = { HEAP_STACK, HEAP_FINALIZER,
						    HEAP_HANDLE, HEAP_OTHER };

	if (r->is_static)
		return HEAP_STATIC;
	return r->kind < 4 ? kinds[r->kind] : HEAP_OTHER;
}

static void
add_extra(struct graph *g, uint32_t from, uint32_t to)
{
	ARRAY_ADD(g->extra, g->nextra, g->extra_cap, (struct extra){ from, to });
}

/* Does the object refer to one of a static field? */
static bool
refers_to_static(const struct graph *g, uint32_t object)
{
	const struct heap	*h = g->h;
	uint64_t		 end = object < h->n ? h->first[object + 1] : g->nedges;

	for (uint64_t e = h->first[object]; e < end; e++)
		if (bit(g->is_static, h->to[e]))
			return true;
	return bit(g->holds_static, object);
}

static void
find_table(struct graph *g, const struct raw_root *r, uint32_t object)
{
	static const char	 objects[] = "System.Object[]";
	const struct heap_type	*type = &g->h->type[g->h->name[object]];

	if (r->is_static || (r->kind != ROOT_HANDLE && r->kind != ROOT_OLDER))
		return;
	if (type->known && !spans_equal(type->name, span_of(objects)))
		return;
	if (bit(g->is_known, object))
		return;
	bit_set(g->is_known, object);
	if (!refers_to_static(g, object))
		return;
	if (type->known)
		bit_set(g->is_table, object);
	else
		g->h->exact = false;	/* it may be one */
}

SORT_ORDER(compare_roots, struct heap_root, RISING(object) FALLING(kind == HEAP_STATIC)
    RISING(field))

/* A root that holds the object. field keeps the order of those without one. */
static void
add_root(struct graph *g, const struct raw_root *r, uint32_t object)
{
	struct heap	*h = g->h;
	uint32_t	 type;

	if (!r->is_static || !idmap_get(&g->r->types, r->type, 0, &type))
		type = HEAP_NONE;
	h->root[h->nroots] = (struct heap_root){ .object = object, .kind = (uint8_t)kind_of(r),
	    .type = type, .field = r->is_static ? r->field : h->nroots,
	    .pinned = !r->is_static && (r->flags & FLAG_PINNED) != 0,
	    .counted = !r->is_static && (r->flags & FLAG_COUNTED) != 0,
	    .of_thread = r->is_static && (r->flags & FLAG_THREAD) != 0 };
	h->nroots++;
}

static void
see_root(struct graph *g, const struct raw_root *r)
{
	uint32_t	object = heap_places_find(&g->places, r->addr);

	if (object == 0) {
		g->h->roots[HEAP_OUTSIDE] += !r->is_static;
		return;
	}
	find_table(g, r, object);
	if (!r->is_static && (r->flags & FLAG_WEAK) != 0) {
		g->h->roots[HEAP_WEAK]++;
		return;
	}
	g->h->roots[kind_of(r)]++;
	add_root(g, r, object);
}

static void
find_roots(struct graph *g)
{
	struct heap_raw	*r = g->r;
	size_t		 bytes = ((size_t)g->h->n >> 3) + 1;
	uint32_t	 key, value;

	g->is_static = mem_zalloc(bytes, 1);
	g->is_table = mem_zalloc(bytes, 1);
	g->is_known = mem_zalloc(bytes, 1);
	g->holds_static = mem_zalloc(bytes, 1);
	g->h->root = mem_zalloc(r->nroot + 1, sizeof *g->h->root);
	for (size_t i = 0; i < r->nroot; i++)
		if (r->root[i].is_static)
			bit_set(g->is_static, heap_places_find(&g->places, r->root[i].addr));
	g->is_static[0] &= (uint8_t)~1u;	/* the root of all stands for none */
	for (size_t i = 0; i < r->nlink; i++) {
		key = heap_places_find(&g->places, r->link[i][0]);
		value = heap_places_find(&g->places, r->link[i][1]);
		if (key == 0 || value == 0)
			continue;
		add_extra(g, key, value);
		if (bit(g->is_static, value))
			bit_set(g->holds_static, key);
	}
	for (size_t i = 0; i < r->nroot; i++)
		see_root(g, &r->root[i]);
	sort_array(g->h->root, g->h->nroots, sizeof *g->h->root, compare_roots);
	for (uint32_t i = 0; i < g->h->nroots; i++)
		if (i == 0 || g->h->root[i].object != g->h->root[i - 1].object)
			add_extra(g, 0, g->h->root[i].object);
}

/* ---- the graph */

SORT_ORDER(compare_extras, struct extra, RISING(from) RISING(to))

/* Append a reference, unless it is one of a table to a static field. */
static void
keep_edge(struct graph *g, uint32_t *to, uint64_t *n, uint32_t from, uint32_t object)
{
	if (!bit(g->is_table, from) || !bit(g->is_static, object))
		to[(*n)++] = object;
}

static bool
join_edges(struct graph *g)
{
	struct heap		*h = g->h;
	uint32_t		*to = mem_alloc((g->nedges + g->nextra + 1) * sizeof *to);
	const struct extra	*x = g->extra, *end = g->extra + g->nextra;
	uint64_t		 n = 0, e = 0, stop;

	sort_array(g->extra, g->nextra, sizeof *g->extra, compare_extras);
	for (uint32_t i = 0; i <= h->n; i++) {
		stop = i < h->n ? h->first[i + 1] : g->nedges;
		h->first[i] = (uint32_t)n;
		for (; e < stop; e++)
			keep_edge(g, to, &n, i, h->to[e]);
		for (; x < end && x->from == i; x++)
			keep_edge(g, to, &n, i, x->to);
		if (heap_work_step(g->w))
			break;
	}
	h->first = mem_realloc(h->first, (size_t)h->n + 2, sizeof *h->first);
	h->first[h->n + 1] = (uint32_t)n;
	mem_free(h->to);
	h->to = to;
	return !g->w->stop;
}

/* ---- types */

/* The text of a type whose name did not come. */
static uint32_t
unnamed_text(struct texts *texts, uint64_t id)
{
	struct buf	b = { 0 };
	uint32_t	text;

	buf_puts(&b, "0x");
	buf_hex(&b, id, 1);
	text = texts_add(texts, span_of_buf(&b));
	buf_release(&b);
	return text;
}

/* The names of the walk's types; to each type its name. */
static uint32_t *
find_names(struct heap *h, const struct heap_raw *r, struct texts *texts)
{
	uint32_t	*name = mem_alloc((r->ntype + 1) * sizeof *name);
	struct idmap	 by_text = { 0 };

	h->type = mem_zalloc(r->ntype + 1, sizeof *h->type);
	for (size_t i = 0; i < r->ntype; i++) {
		bool		known = r->type[i].name != TEXT_NONE;
		uint32_t	text = known ? r->type[i].name :
				    unnamed_text(texts, r->type[i].id);

		if (text == TEXT_NONE)
			text = texts_add_str(texts, "");
		if (!idmap_get(&by_text, text, 0, &name[i])) {
			name[i] = h->ntypes;
			idmap_set(&by_text, text, 0, h->ntypes);
			h->type[h->ntypes++] = (struct heap_type){ .known = known,
			    .name = text != TEXT_NONE ? texts_at(texts, text) : span_of("") };
		}
	}
	idmap_release(&by_text);
	return name;
}

static void
count_types(struct heap *h, struct heap_raw *r, struct texts *texts)
{
	uint32_t	*name = find_names(h, r, texts);

	for (uint32_t i = 1; i <= h->n; i++) {
		struct heap_type	*type = &h->type[name[h->name[i]]];

		h->name[i] = name[h->name[i]];
		type->count++;
		type->bytes = add_u64(type->bytes, h->size[i]);
		h->bytes = add_u64(h->bytes, h->size[i]);
	}
	for (size_t i = 0; i < r->ntype; i++)
		idmap_set(&r->types, r->type[i].id, 0, name[i]);
	h->type_ids = r->ntype;
	mem_free(name);
}

/* ---- all of it */

static void
judge(struct heap *h, const struct heap_raw *r)
{
	h->cut = !r->stopped;
	h->edges = r->edges.n;
	h->exact = h->exact && r->stopped && h->lost == 0 && h->unknown == 0 && !r->too_many &&
	    r->nodes.nholes == 0 && r->edges.nholes == 0 && r->roots.nholes == 0 &&
	    r->links.nholes == 0 && r->nrootevents + r->nstatics > 0;
}

bool
heap_graph_make(struct heap *h, struct heap_raw *r, struct texts *texts, struct heap_work *w)
{
	struct graph	g = { .h = h, .r = r, .w = w };
	bool		done;

	*h = r->h;
	r->h = (struct heap){ .n = 0 };
	h->n = (uint32_t)(r->nodes.n - 1);
	count_types(h, r, texts);
	heap_places_make(&g.places, h->addr, h->n);
	find_runs(&g);
	done = number_edges(&g);
	if (done) {
		find_roots(&g);
		done = join_edges(&g);
	}
	judge(h, r);
	heap_places_release(&g.places);
	mem_free(g.run);
	mem_free(g.is_static);
	mem_free(g.is_table);
	mem_free(g.is_known);
	mem_free(g.holds_static);
	mem_free(g.extra);
	return done;
}
