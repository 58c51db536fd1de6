/*
 * The walks of a trace, and what is asked of one.
 *
 *	events -> raw walks -> one after the other: graph -> dominators -> sums by type
 */
#include "analysis/heap/private.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/greatest.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define STEPS	6u	/* of each object: see heap_work_step() */

/* ---- making */

static bool
make_walk(struct heap *h, struct heap_raw *r, struct texts *texts, struct heap_work *w)
{
	w->done = 0;
	w->all = r->nodes.n * STEPS;
	if (!heap_graph_make(h, r, texts, w))
		return false;
	if (h->exact && !heap_dominators_make(h, w))
		return false;
	return heap_types_retained(h, w);
}

int
heap_walks_make(struct heap_walks **out, struct trace *t, const struct report_options *o,
    struct pass_result *result)
{
	struct heap_walks	*x = mem_zalloc(1, sizeof *x);
	struct heap_work	 w = { .tick = o->pass.tick, .arg = o->pass.tick_arg };
	struct heap_raw		*raw;
	size_t			 n;
	int			 err;

	x->texts = texts_new();
	err = heap_read(t, o, x->texts, &raw, &n, result);
	x->walk = mem_zalloc(n + 1, sizeof *x->walk);
	for (size_t i = 0; i < n; i++) {
		if (err == ERR_OK && !make_walk(&x->walk[x->n++], &raw[i], x->texts, &w))
			err = ERR_CANCELED;
		heap_raw_release(&raw[i]);
	}
	mem_free(raw);
	if (err != ERR_OK) {
		heap_walks_free(x);
		x = NULL;
	}
	*out = x;
	return err;
}

void
heap_walks_free(struct heap_walks *x)
{
	if (x == NULL)
		return;
	for (size_t i = 0; i < x->n; i++)
		heap_release(&x->walk[i]);
	mem_free(x->walk);
	texts_free(x->texts);
	mem_free(x);
}

/* ---- roots */

const char *
heap_root_word(enum heap_root_kind kind)
{
	static const char *const	words[HEAP_ROOT_KINDS] = {
		[HEAP_STATIC] = "static", [HEAP_HANDLE] = "handle", [HEAP_STACK] = "local",
		[HEAP_FINALIZER] = "finalizer", [HEAP_OTHER] = "other", [HEAP_WEAK] = "weak",
		[HEAP_OUTSIDE] = "outside",
	};

	return words[kind];
}

/* The first root of this object, or of a later one. */
static const struct heap_root *
root_at(const struct heap *h, uint32_t object)
{
	size_t	at = 0;

	BISECT(at, h->nroots, i, h->root[i].object < object);
	return &h->root[at];
}

const struct heap_root *
heap_root_of(const struct heap *h, uint32_t object)
{
	const struct heap_root	*r = root_at(h, object);

	return r < h->root + h->nroots && r->object == object ? r : NULL;
}

const struct heap_root *
heap_root_best(const struct heap *h, uint32_t object)
{
	const struct heap_root	*best = heap_root_of(h, object), *end = h->root + h->nroots;

	for (const struct heap_root *r = best; r != NULL && r < end && r->object == object; r++)
		if (r->kind < best->kind)
			best = r;
	return best;
}

/* ---- words of roots */

static void
static_text(const struct heap_walks *w, const struct heap *h, const struct heap_root *r,
    bool words, struct buf *out)
{
	struct span	type = r->type < h->ntypes ? h->type[r->type].name : span_of("?");
	struct span	field = r->field != TEXT_NONE ? texts_at(w->texts, r->field) : span_of("?");

	buf_puts(out, words && r->of_thread ? "thread static " : "static ");
	buf_span(out, words ? field : type);
	buf_puts(out, words ? " (" : ".");
	if (words)
		heap_type_words(type, out);
	else
		buf_span(out, field);
	buf_puts(out, words ? ")" : "");
}

void
heap_root_text(const struct heap_walks *w, const struct heap *h, const struct heap_root *r,
    bool words, struct buf *out)
{
	static const char *const	word[HEAP_ROOTS] = {
		[HEAP_HANDLE] = "handle", [HEAP_STACK] = "stack",
		[HEAP_FINALIZER] = "finalizer queue", [HEAP_OTHER] = "other root",
	};

	if (r->kind == HEAP_STATIC) {
		static_text(w, h, r, words, out);
		return;
	}
	buf_puts(out, words ? word[r->kind] : heap_root_word(r->kind));
	buf_puts(out, r->pinned ? ", pinned" : "");
	buf_puts(out, r->counted ? ", counted" : "");
}

/* ---- names of types: System.Collections.Generic.List`1[Shop.Order] -> List<Order> */

/* The end of a name's part: of the namespace, the type, its arguments. */
void
heap_type_words(struct span name, struct buf *out)
{
	size_t	part = out->len;	/* where the current name begins */

	for (size_t i = 0; i < name.len; i++) {
		char	c = (char)name.p[i];
		bool	opens = c == '[' && i + 1 < name.len &&
			    strchr("],*", name.p[i + 1]) == NULL;

		if (c == '.' && i + 1 < name.len && name.p[i + 1] != '.') {
			out->len = part;	/* a namespace */
		} else if (c == '`') {
			while (i + 1 < name.len && name.p[i + 1] >= '0' && name.p[i + 1] <= '9')
				i++;
		} else if (opens || c == ',') {
			buf_puts(out, opens ? "<" : ", ");
			part = out->len;
		} else if (c == ']' && (i == 0 || strchr("[,*", name.p[i - 1]) == NULL)) {
			buf_putc(out, '>');
		} else {
			buf_putc(out, c == '+' ? '.' : c);
			if (c == '+')
				part = out->len;
		}
	}
}

/* ---- paths */

/* The objects that roots hold, in the order in which they are preferred. */
struct start {
	uint64_t	addr;
	uint32_t	object, kind;
};

SORT_ORDER(compare_starts, struct start, RISING(kind) RISING(addr) RISING(object))

static struct start *
find_starts(const struct heap *h, uint32_t *n)
{
	struct start	*s = mem_alloc(((size_t)h->nroots + 1) * sizeof *s);

	*n = 0;
	for (uint32_t i = 0; i < h->nroots; i++) {
		uint32_t	object = h->root[i].object;

		if (i > 0 && h->root[i - 1].object == object)
			continue;
		s[(*n)++] = (struct start){ h->addr[object], object,
		    heap_root_best(h, object)->kind };
	}
	sort_array(s, *n, sizeof *s, compare_starts);
	return s;
}

/* Breadth first. The order of the roots is that of all that they reach in as many steps. */
void
heap_paths_make(struct heap_paths *p, const struct heap *h)
{
	uint32_t	*queue = mem_alloc(((size_t)h->n + 1) * sizeof *queue), n;
	struct start	*s = find_starts(h, &n);

	p->from = mem_alloc(((size_t)h->n + 1) * sizeof *p->from);
	memset(p->from, 0xff, ((size_t)h->n + 1) * sizeof *p->from);
	for (uint32_t i = 0; i < n; i++) {
		queue[i] = s[i].object;
		p->from[s[i].object] = 0;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t e = h->first[queue[i]]; e < h->first[queue[i] + 1]; e++) {
			uint32_t	to = h->to[e];

			if (p->from[to] != HEAP_NONE)
				continue;
			p->from[to] = queue[i];
			queue[n++] = to;
		}
	mem_free(queue);
	mem_free(s);
}

void
heap_paths_release(struct heap_paths *p)
{
	mem_free(p->from);
	p->from = NULL;
}

/* ---- the greatest objects */

struct ranked_object {
	uint64_t	by, addr;
	uint32_t	object;
};

static bool
is_greater(const void *a, const void *b)
{
	const struct ranked_object	*x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by;
	return x->addr != y->addr ? x->addr < y->addr : x->object < y->object;
}

static void
keep_object(const struct heap *h, struct greatest *g, uint32_t name, uint32_t i)
{
	const struct ranked_object	x = { heap_weight(h, i), h->addr[i], i };

	if ((name == HEAP_NONE && h->exact && h->dom[i] == HEAP_NONE) ||
	    (name != HEAP_NONE && h->name[i] != name))
		return;
	greatest_keep(g, &x);
}

size_t
heap_greatest(const struct heap *h, uint32_t name, uint32_t dominator, size_t most,
    uint32_t **out)
{
	struct greatest	g;
	size_t		n;

	greatest_init(&g, sizeof(struct ranked_object), most, is_greater);
	for (uint32_t i = 1; i <= h->n && dominator == 0; i++)
		keep_object(h, &g, name, i);
	for (uint32_t i = dominator > 0 ? h->kid[dominator] : 0; i != 0; i = h->next[i])
		keep_object(h, &g, name, i);
	greatest_sort(&g);
	n = g.n;
	*out = mem_alloc((n + 1) * sizeof **out);
	for (size_t i = 0; i < n; i++)
		(*out)[i] = ((const struct ranked_object *)greatest_at(&g, i))->object;
	greatest_release(&g);
	return n;
}
