/*
 * The heap: who holds the memory, by type and by object.
 *
 *	walks of the heap -> graphs -> kinds heap, root, type, object, path: by walk
 *
 * A walk some of whose events were lost has no retained sizes, dominators or paths, and its counts
 * are lower bounds (atLeast). See tnav/analysis/heap.h for what the words mean.
 */
#include "tnav/analysis/heap.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/heap/groups.h"
#include "analysis/heap/inside.h"
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/base/units.h"
#include "tnav/model/json.h"
#include "tnav/model/value.h"

#define OBJECTS_SHOWN	100u
#define PATHS_SHOWN	20u
#define PATH_ENDS	16u	/* objects of a path that are shown at either end */

struct heap_report {
	struct heap_walks	*walks;
	struct heap_paths	*paths;		/* of each walk, if they are known */
};

static int
heap_collect(struct report_state *s, struct pass_result *result)
{
	struct heap_report	*x = s->own;
	int			 err = heap_walks_make(&x->walks, s->run->t, &s->run->o, result);

	if (err != ERR_OK)
		return err;
	x->paths = mem_zalloc(x->walks->n + 1, sizeof *x->paths);
	for (size_t i = 0; i < x->walks->n; i++)
		if (x->walks->walk[i].exact)
			heap_paths_make(&x->paths[i], &x->walks->walk[i]);
	return ERR_OK;
}

static void
heap_release_report(struct report_state *s)
{
	struct heap_report	*x = s->own;

	for (size_t i = 0; x->walks != NULL && i < x->walks->n; i++)
		heap_paths_release(&x->paths[i]);
	mem_free(x->paths);
	heap_walks_free(x->walks);
}

static struct table *
heap_table_inside(struct report_state *s, const struct table_inside *at, struct buf *title)
{
	struct heap_report	*x = s->own;
	size_t			 i = 0;

	while (i < x->walks->n && x->walks->walk[i].off != at->of)
		i++;
	if (i == x->walks->n)
		return NULL;
	return heap_inside_table(x->walks, &x->walks->walk[i],
	    x->paths[i].from != NULL ? &x->paths[i] : NULL, at, title);
}

/* ---- rows */

static void
begin(struct rows *r, const struct heap *h, const char *kind)
{
	row_begin(r, kind);
	row_known(r, HE_GC, h->has_gc, cell_u64(h->gc));
	if (!h->exact)
		row_put(r, HE_AT_LEAST, cell_bool(true));
	row_event(r, h->ts, h->off);
}

static void
lead_to(struct rows *r, const struct heap *h, enum heap_inside kind, uint32_t type,
    uint32_t object)
{
	const struct table_inside	at = heap_inside(h, kind, type, object);

	row_inside(r, &at);
}

static void
put_type(struct rows *r, struct buf *text, struct span name)
{
	buf_clear(text);
	heap_type_words(name, text);
	row_name(r, HE_TYPE, name, span_of_buf(text));
}

static void
put_heap(struct rows *r, const struct heap *h)
{
	begin(r, h, "heap");
	row_put(r, HE_OBJECTS, cell_u64(h->n));
	row_put(r, HE_BYTES, cell_bytes(h->bytes));
	row_known(r, HE_REACHABLE, h->exact, cell_u64(h->reachable));
	row_known(r, HE_REACHABLE_BYTES, h->exact, cell_bytes(h->reachable_bytes));
	row_put(r, HE_EDGES, cell_u64(h->edges));
	row_known(r, HE_OUTSIDE, h->exact, cell_u64(h->outside));
	row_put(r, HE_TYPES, cell_u64(h->type_ids));
	if (h->exact)
		return;
	row_put(r, HE_CUT, cell_bool(h->cut));
	row_put(r, HE_UNKNOWN, cell_u64(h->unknown));
}

/* In the order of their words. */
static void
put_roots(struct rows *r, const struct heap *h)
{
	static const enum heap_root_kind	order[] = { HEAP_FINALIZER, HEAP_HANDLE, HEAP_STACK,
						    HEAP_OTHER, HEAP_OUTSIDE, HEAP_STATIC,
						    HEAP_WEAK };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		if (h->roots[order[i]] == 0)
			continue;
		begin(r, h, "root");
		row_str(r, HE_ROOT_KIND, heap_root_word(order[i]));
		row_known(r, HE_COUNT, h->exact || order[i] != HEAP_OUTSIDE,
		    cell_u64(h->roots[order[i]]));
		if (order[i] < HEAP_ROOTS)
			lead_to(r, h, INSIDE_ROOTS, order[i], 0);
	}
}

static uint64_t
rank_of(const struct heap *h, const struct heap_type *t)
{
	return h->exact ? t->retained : t->bytes;
}

struct heap_ranked_type {
	const struct heap_type	*type;
	uint64_t		 by;
};

SORT_ORDER(compare_types, struct heap_ranked_type,
    FALLING(by) COMPARED(spans_compare, type->name))

/* The types by retained size, or else bytes, then name. mem_free() it. */
static struct heap_ranked_type *
rank_types(const struct heap *h)
{
	struct heap_ranked_type	*v = mem_alloc(((size_t)h->ntypes + 1) * sizeof *v);

	for (uint32_t i = 0; i < h->ntypes; i++)
		v[i] = (struct heap_ranked_type){ &h->type[i], rank_of(h, &h->type[i]) };
	sort_array(v, h->ntypes, sizeof *v, compare_types);
	return v;
}

/* The generation of most of its objects, and of how many if not of all. */
static void
put_generation(struct rows *r, struct buf *text, const struct heap_type *t)
{
	unsigned	most = 0;

	for (unsigned i = 1; i < HEAP_GENERATIONS; i++)
		most = t->of[i] >= t->of[most] ? i : most;
	if (t->of[most] == 0)
		return;
	buf_clear(text);
	buf_puts(text, heap_generation_word(most));
	if (t->of[most] < t->count)
		buf_printf(text, " %.0f %%", 100 * (double)t->of[most] / (double)t->count);
	row_text(r, HE_MOSTLY, span_of_buf(text));
}

static int64_t
growth(uint64_t before, uint64_t after)
{
	return sub_i64((int64_t)min_u64(after, INT64_MAX), (int64_t)min_u64(before, INT64_MAX));
}

/* The types of an earlier walk by name. */
struct heap_before {
	const struct heap	*h;	/* NULL: there is none to compare with */
	struct texts		*names;	/* in the order of its types */
};

static void
before_make(struct heap_before *b, const struct heap *before, const struct heap *h)
{
	*b = (struct heap_before){ .h = NULL };
	if (before == NULL || !before->exact || !h->exact)
		return;
	b->h = before;
	b->names = texts_new();
	for (uint32_t i = 0; i < before->ntypes; i++)
		(void)texts_add(b->names, before->type[i].name);
}

/* How much more the type retains than before. */
static void
put_grown_type(struct rows *r, const struct heap_before *b, const struct heap_type *t)
{
	uint32_t	at;

	if (b->h == NULL)
		return;
	at = texts_add(b->names, t->name);
	row_put(r, HE_GREW, cell_i64(growth(at < b->h->ntypes ? b->h->type[at].retained : 0,
	    t->retained)));
}

static void
put_types(struct report_state *s, struct rows *r, const struct heap *h,
    const struct heap_ranked_type *v, const struct heap_before *before)
{
	for (uint32_t i = 0; i < h->ntypes; i++) {
		const struct heap_type	*t = v[i].type;

		begin(r, h, "type");
		put_type(r, &s->text, t->name);
		row_put(r, HE_COUNT, cell_u64(t->count));
		row_put(r, HE_BYTES, cell_bytes(t->bytes));
		row_known(r, HE_RETAINED, h->exact, cell_bytes(t->retained));
		row_share(r, HE_SHARE, (double)v[i].by, heap_whole(h));
		row_known(r, HE_UNREACHABLE, h->exact, cell_u64(t->unreachable));
		put_generation(r, &s->text, t);
		put_grown_type(r, before, t);
		if (t->count > 1)
			lead_to(r, h, INSIDE_TYPE, (uint32_t)(t - h->type), 0);
		else
			lead_to(r, h, INSIDE_OBJECT, HEAP_NONE, t->first);
	}
}

static void
put_root(struct report_state *s, struct rows *r, const struct heap *h,
    const struct heap_root *root)
{
	const struct heap_walks	*w = ((struct heap_report *)s->own)->walks;
	struct buf		 name = { 0 };

	if (root == NULL) {
		row_null(r, HE_ROOT);
		return;
	}
	buf_clear(&s->text);
	heap_root_text(w, h, root, true, &s->text);
	heap_root_text(w, h, root, false, &name);
	row_name(r, HE_ROOT, span_of_buf(&name), span_of_buf(&s->text));
	buf_release(&name);
}

static void
put_objects(struct report_state *s, struct rows *r, const struct heap *h)
{
	uint32_t	*v;
	size_t		 n = heap_greatest(h, HEAP_NONE, 0, OBJECTS_SHOWN, &v);

	for (size_t i = 0; i < n; i++) {
		uint32_t	up = h->exact ? h->dom[v[i]] : HEAP_NONE;

		begin(r, h, "object");
		row_put(r, HE_ADDRESS, cell_hex(h->addr[v[i]]));
		put_type(r, &s->text, h->type[h->name[v[i]]].name);
		row_put(r, HE_BYTES, cell_bytes(h->size[v[i]]));
		row_known(r, HE_RETAINED, h->exact, cell_bytes(h->exact ? h->retained[v[i]] : 0));
		row_share(r, HE_SHARE, (double)heap_weight(h, v[i]), heap_whole(h));
		row_known(r, HE_DOMINATOR, h->exact && up != 0,
		    cell_hex(h->addr[up == HEAP_NONE ? 0 : up]));
		put_root(s, r, h, heap_root_of(h, v[i]));
		if (h->nranges > 0)
			row_str(r, HE_MOSTLY,
			    heap_generation_word(heap_generation(h, v[i])));
		lead_to(r, h, INSIDE_OBJECT, HEAP_NONE, v[i]);
	}
	mem_free(v);
}

/* ---- generations, and sizes of what has no size of its type */

static void
put_generations(struct rows *r, const struct heap *h)
{
	uint64_t	count[HEAP_GENERATIONS + 1] = { 0 }, bytes[HEAP_GENERATIONS + 1] = { 0 };

	if (h->nranges == 0)
		return;
	for (uint32_t i = 1; i <= h->n; i++) {
		unsigned	generation = heap_generation(h, i);

		count[generation]++;
		bytes[generation] = add_u64(bytes[generation], h->size[i]);
	}
	for (unsigned i = 0; i <= HEAP_GENERATIONS; i++) {
		if (count[i] == 0)
			continue;
		begin(r, h, "generation");
		row_str(r, HE_GENERATION, heap_generation_word(i));
		row_put(r, HE_COUNT, cell_u64(count[i]));
		row_put(r, HE_BYTES, cell_bytes(bytes[i]));
		row_share(r, HE_SHARE, (double)bytes[i], (double)h->bytes);
	}
}

#define SIZED_MOST	1000u		/* types */
#define LARGE		85000u		/* objects from this size on are large */

/* Sizes from one of these on, up to the next one. */
static const uint64_t	sizes[] = { 0, 64, 256, 1024, 4096, 16384, LARGE, 1 << 20 };
#define SIZES		(sizeof sizes / sizeof *sizes)

static bool
is_sized(struct span name)
{
	return spans_equal(name, span_of("System.String")) || (name.len > 2 &&
	    name.p[name.len - 1] == ']' && strchr("[,*", name.p[name.len - 2]) != NULL);
}

struct heap_sizes {
	uint32_t	 n;
	uint32_t	*of;		/* by type: 1 + its number here; 0: not counted */
	uint64_t	 count[SIZED_MOST][SIZES], bytes[SIZED_MOST][SIZES];
};

static void
put_size(struct report_state *s, struct rows *r, const struct heap *h, const struct heap_sizes *x,
    const struct heap_type *t)
{
	uint32_t	i = x->of[t - h->type];

	for (unsigned k = 0; i > 0 && k < SIZES; k++) {
		uint64_t	bytes = x->bytes[i - 1][k];

		if (x->count[i - 1][k] == 0)
			continue;
		begin(r, h, "size");
		put_type(r, &s->text, t->name);
		row_put(r, HE_SIZE_FROM, cell_bytes(sizes[k]));
		row_known(r, HE_SIZE_TO, k + 1 < SIZES, cell_bytes(sizes[(k + 1) % SIZES]));
		row_put(r, HE_COUNT, cell_u64(x->count[i - 1][k]));
		row_put(r, HE_BYTES, cell_bytes(bytes));
		row_share(r, HE_SHARE, (double)bytes, (double)h->bytes);
		lead_to(r, h, INSIDE_TYPE, (uint32_t)(t - h->type), 0);
	}
}

/* Of the first types, in their order. */
static void
put_sizes(struct report_state *s, struct rows *r, const struct heap *h,
    const struct heap_ranked_type *v)
{
	struct heap_sizes	*x = mem_zalloc(1, sizeof *x);

	x->of = mem_zalloc((size_t)h->ntypes + 1, sizeof *x->of);
	for (uint32_t i = 0; i < h->ntypes && x->n < SIZED_MOST; i++)
		if (is_sized(v[i].type->name))
			x->of[v[i].type - h->type] = ++x->n;
	for (uint32_t i = 1; i <= h->n; i++) {
		uint32_t	at = x->of[h->name[i]];
		unsigned	k = SIZES - 1;

		if (at == 0)
			continue;
		while (h->size[i] < sizes[k])
			k--;
		x->count[at - 1][k]++;
		x->bytes[at - 1][k] = add_u64(x->bytes[at - 1][k], h->size[i]);
	}
	for (uint32_t i = 0; i < h->ntypes; i++)
		put_size(s, r, h, x, v[i].type);
	mem_free(x->of);
	mem_free(x);
}

/* ---- paths */

/* Append one object of a path as JSON, and as words, which may be NULL: a static field has told
   them. */
static void
path_step(const struct heap *h, uint32_t object, struct buf *json, struct buf *words)
{
	struct span	name = h->type[h->name[object]].name;

	json_next(json);
	json_open(json, '{');
	json_key_u64(json, "address", h->addr[object]);
	json_key(json, "type");
	json_text8(json, name);
	json_close(json, '}');
	if (words == NULL)
		return;
	buf_puts(words, " > ");
	heap_type_words(name, words);
}

static void
put_path(struct report_state *s, struct rows *r, const struct heap *h,
    const struct heap_paths *p, uint32_t to)
{
	uint32_t	*step, n = 0, root = to;
	struct buf	 json = { 0 }, words = { 0 };

	for (uint32_t at = to; at != 0; at = p->from[at], n++)
		root = at;
	step = mem_alloc(((size_t)n + 1) * sizeof *step);
	for (uint32_t at = to, i = n; at != 0; at = p->from[at])
		step[--i] = at;
	put_root(s, r, h, heap_root_best(h, root));
	buf_add(&words, s->text.p, s->text.len);
	row_put(r, HE_LENGTH, cell_u64(n));
	json_open(&json, '[');
	for (uint32_t i = 0; i < n; i++) {
		if (n > 2 * PATH_ENDS && i == PATH_ENDS) {
			i = n - PATH_ENDS;
			buf_puts(&words, " > ...");
		}
		path_step(h, step[i], &json,
		    i == 0 && heap_root_best(h, root)->kind == HEAP_STATIC ? NULL : &words);
	}
	json_close(&json, ']');
	row_json_words(r, HE_PATH, span_of_buf(&json), span_of_buf(&words));
	buf_release(&json);
	buf_release(&words);
	mem_free(step);
}

/* Of each of the first types, the path to its first object. */
static void
put_paths(struct report_state *s, struct rows *r, const struct heap *h,
    const struct heap_paths *p, const struct heap_ranked_type *v)
{
	for (uint32_t i = 0; h->exact && i < h->ntypes && i < PATHS_SHOWN; i++) {
		uint32_t	object = v[i].type->first;

		if (object == 0 || p->from[object] == HEAP_NONE)
			continue;
		begin(r, h, "path");
		row_put(r, HE_ADDRESS, cell_hex(h->addr[object]));
		put_type(r, &s->text, v[i].type->name);
		row_put(r, HE_BYTES, cell_bytes(h->size[object]));
		row_put(r, HE_RETAINED, cell_bytes(h->retained[object]));
		put_path(s, r, h, p, object);
		lead_to(r, h, INSIDE_OBJECT, HEAP_NONE, object);
	}
}

/* ---- the difference between two walks */

struct grown {
	uint32_t	group;
	int64_t		retained;
};

SORT_ORDER(compare_grown, struct grown, FALLING(retained) RISING(group))

/* The types from the root's down to the group's. */
static void
put_group_path(struct report_state *s, struct rows *r, const struct heap_groups *g, uint32_t at)
{
	uint32_t	step[64], n = 0;
	struct buf	json = { 0 };

	for (; g->v[at].parent != 0 && n < 64; at = g->v[at].parent)
		step[n++] = at;
	buf_clear(&s->text);
	buf_add(&s->text, texts_at(g->texts, g->v[at].words).p,
	    texts_at(g->texts, g->v[at].words).len);
	row_text(r, HE_ROOT, texts_at(g->texts, g->v[at].name));
	json_open(&json, '[');
	for (uint32_t i = n; i-- > 0; ) {
		struct span	name = texts_at(g->texts, g->v[step[i]].name);

		json_next(&json);
		json_text8(&json, name);
		if (i + 1 == n && s->text.p[s->text.len - 1] == ')')
			continue;		/* the words of a static field have told it */
		buf_puts(&s->text, " > ");
		heap_type_words(name, &s->text);
	}
	json_close(&json, ']');
	row_json_words(r, HE_PATH, span_of_buf(&json), span_of_buf(&s->text));
	buf_release(&json);
}

static void
put_grown(struct report_state *s, struct rows *r, const struct heap *h,
    const struct heap_groups *g, uint32_t i)
{
	const struct heap_group_sum	*a = &g->v[i].of[0], *b = &g->v[i].of[1];

	begin(r, h, "diff");
	put_type(r, &s->text, texts_at(g->texts, g->v[i].name));
	row_put(r, HE_COUNT, cell_u64(b->count));
	row_put(r, HE_BYTES, cell_bytes(b->bytes));
	row_put(r, HE_RETAINED, cell_bytes(b->retained));
	row_put(r, HE_MORE_COUNT, cell_i64(growth(a->count, b->count)));
	row_put(r, HE_MORE_BYTES, cell_i64(growth(a->bytes, b->bytes)));
	row_put(r, HE_MORE_RETAINED, cell_i64(growth(a->retained, b->retained)));
	put_group_path(s, r, g, i);
}

/* Groups whose own objects are other than before, the greatest growth first. */
static void
put_difference(struct report_state *s, struct rows *r, const struct heap_walks *wa,
    const struct heap *a, const struct heap_walks *wb, const struct heap *b)
{
	struct heap_groups	 g;
	struct grown		*v;
	size_t			 n = 0;

	if (!a->exact || !b->exact)
		return;
	heap_groups_init(&g);
	heap_groups_add(&g, wa, a, 0);
	heap_groups_add(&g, wb, b, 1);
	v = mem_alloc(g.n * sizeof *v);
	for (uint32_t i = 1; i < g.n; i++) {
		const struct heap_group_sum	*of = g.v[i].of;

		if (g.v[i].depth > 1 && (of[0].count != of[1].count || of[0].bytes != of[1].bytes))
			v[n++] = (struct grown){ i, growth(of[0].retained, of[1].retained) };
	}
	sort_array(v, n, sizeof *v, compare_grown);
	for (size_t i = 0; i < n; i++)
		put_grown(s, r, b, &g, v[i].group);
	mem_free(v);
	heap_groups_release(&g);
}

/* What a walk is compared with, and the walks that it is one of: the last one before, or the first
   of its own trace. NULL: there is none. */
static const struct heap *
heap_before(const struct report_state *s, size_t walk, const struct heap_walks **of)
{
	const struct report_state	*before = s->run->before;

	*of = ((const struct heap_report *)(before != NULL ? before : s)->own)->walks;
	if (before == NULL)
		return walk > 0 ? &(*of)->walk[0] : NULL;
	return (*of)->n > 0 ? &(*of)->walk[(*of)->n - 1] : NULL;
}

static void
compare_walks(struct report_state *s, struct rows *r, const struct heap_walks *w)
{
	const struct heap_walks	*of;
	const struct heap	*before = w->n > 0 ? heap_before(s, w->n - 1, &of) : NULL;

	if (before != NULL)
		put_difference(s, r, of, before, w, &w->walk[w->n - 1]);
}

static void
heap_rows(struct report_state *s, struct rows *r)
{
	const struct heap_report	*x = s->own;
	const struct heap_walks		*w = x->walks, *of;

	for (size_t i = 0; i < w->n; i++) {
		const struct heap	*h = &w->walk[i];
		struct heap_ranked_type	*v = rank_types(h);
		struct heap_before	 before;

		put_heap(r, h);
		put_roots(r, h);
		before_make(&before, heap_before(s, i, &of), h);
		put_types(s, r, h, v, &before);
		texts_free(before.names);
		put_objects(s, r, h);
		put_paths(s, r, h, &x->paths[i], v);
		put_sizes(s, r, h, v);
		put_generations(r, h);
		mem_free(v);
	}
	compare_walks(s, r, w);
}

/* ---- totals */

static void
put_total_roots(const struct heap *h, struct buf *out)
{
	static const char *const	words[HEAP_ROOT_KINDS] = {
		[HEAP_STATIC] = "static field", [HEAP_HANDLE] = "handle",
		[HEAP_STACK] = "from stacks", [HEAP_FINALIZER] = "in the finalizer queue",
		[HEAP_OTHER] = "other", [HEAP_WEAK] = "weak (holding nothing)",
		[HEAP_OUTSIDE] = "leading to no object",
	};
	const char			*sep = "roots: ";

	for (unsigned k = 0; k < HEAP_ROOT_KINDS; k++) {
		if (h->roots[k] == 0)
			continue;
		buf_puts(out, sep);
		buf_grouped(out, h->roots[k]);
		buf_printf(out, " %s%s", words[k],
		    k <= HEAP_HANDLE && h->roots[k] != 1 ? "s" : "");
		sep = ", ";
	}
	buf_puts(out, "\n");
}

/* What is missing, and what therefore is not known. */
static void
put_unknown(const struct heap *h, struct buf *out)
{
	buf_puts(out, h->cut ? "the walk's end is missing" : "events of the walk were lost");
	if (h->unknown > 0) {
		buf_puts(out, ", and the references of ");
		buf_grouped(out, h->unknown);
		buf_puts(out, " objects");
	}
	buf_puts(out, ": counts are lower bounds, retained sizes and paths are unknown\n");
}

static void
put_total(const struct heap *h, struct buf *out)
{
	const char	*least = h->exact ? "" : "at least ";

	if (h->has_gc)
		buf_printf(out, "collection %" PRIu64 ": ", h->gc);
	buf_puts(out, least);
	buf_grouped(out, h->n);
	buf_puts(out, " objects, ");
	units_bytes(out, h->bytes);
	if (h->exact) {
		buf_puts(out, "; reachable: ");
		buf_grouped(out, h->reachable);
		buf_puts(out, " objects, ");
		units_bytes(out, h->reachable_bytes);
	}
	if (h->pause_ns > 0) {
		buf_puts(out, "; the program stood still for ");
		put_dur(out, (int64_t)h->pause_ns);
	}
	buf_puts(out, "\n");
	put_total_roots(h, out);
	if (!h->exact)
		put_unknown(h, out);
	if (h->nranges == 0)
		buf_puts(out, "generations: unknown (the trace has no GC/GenerationRange)\n");
}

static void
heap_totals(struct report_state *s, struct buf *out)
{
	const struct heap_walks	*w = ((struct heap_report *)s->own)->walks;
	const struct heap_walks	*before = s->run->before == NULL ? NULL :
				    ((struct heap_report *)s->run->before->own)->walks;

	if (before != NULL && before->n > 0) {
		buf_puts(out, "before: ");
		put_total(&before->walk[before->n - 1], out);
	}
	for (size_t i = 0; i < w->n; i++)
		put_total(&w->walk[i], out);
}

const struct report	report_heap = {
	.title = "The heap by type",
	.compared = "diff", .rows_filtered = true,
	TABLES_OF(heap, HE),
	.own = sizeof(struct heap_report), .collect = heap_collect,
	.release = heap_release_report, .rows = heap_rows, .totals = heap_totals,
	.inside = heap_table_inside,
};
