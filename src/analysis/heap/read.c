/*
 * From the events of a walk of the heap to its lists, as they were received.
 *
 *	GCBulkNode	| node node ... | node ...	one list of objects; Index counts the events
 *	GCBulkEdge	| edge edge ... | edge ...	one list of references, in their order
 *	GCBulkRootEdge, GCBulkRootStaticVar		what holds an object
 *	BulkType					names of types, also after the walk
 *
 * A walk lies between the GCStart and the GCStop of one collection. Where an Index is missing, the
 * list has a hole; what it means is decided in graph.c.
 *
 * Events: clr/events.tsv of the shared data, ids 15 to 18 and 38.
 */
#include "analysis/heap/private.h"

#include <string.h>

#include "analysis/facts/facts.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"

#define OBJECTS_MOST	(UINT32_MAX - 2u)
#define FIELDS_KNOWN	32u	/* descriptions of fields whose role is remembered */
#define FLAG_THREAD	1u	/* of a static field: each thread has its own */

enum heap_event { WALK_KINDS };
static const struct fact_def	defs[] = { WALK_FACTS };

/* What a value of an event is. */
enum role {
	R_NONE, R_INDEX, R_COUNT, R_ADDRESS, R_SIZE, R_TYPE, R_EDGES, R_VALUE, R_KIND, R_FLAG,
	R_KEY, R_HELD, R_OBJECT, R_TEXT, R_GENERATION, R_LENGTH, ROLES,
};
static const struct {
	const char	*field;
	enum role	 role;
} role_names[] = {
	{ "Index", R_INDEX }, { "Count", R_COUNT }, { "Address", R_ADDRESS }, { "Size", R_SIZE },
	{ "TypeID", R_TYPE }, { "EdgeCount", R_EDGES }, { "Value", R_VALUE },
	{ "RootedNodeAddress", R_ADDRESS }, { "GCRootKind", R_KIND }, { "GCRootFlag", R_FLAG },
	{ "GCKeyNodeID", R_KEY }, { "GCValueNodeID", R_HELD }, { "ObjectID", R_OBJECT },
	{ "Flags", R_FLAG }, { "FieldName", R_TEXT }, { "Name", R_TEXT },
	{ "Generation", R_GENERATION }, { "RangeStart", R_ADDRESS },
	{ "RangeUsedLength", R_LENGTH },
};

struct heap_reader {
	struct trace		*t;
	struct texts		*texts;
	struct heap_raw		*raw;		/* the last one may be open */
	size_t			 n, cap;
	bool			 open;
	/* Of the newest GCStart without a GCStop: */
	bool			 started;
	struct fact		 start;
	struct event		 start_event;
	uint64_t		 start_count;
	int64_t			 suspend_ns;	/* INT64_MIN: none */
	bool			 restarts;	/* the last walk has stopped, threads have not
						   restarted */
	struct idmap		 names;		/* texts, by type id */
	/* The current event: */
	unsigned		 kind;
	bool			 began;		/* its first element came */
	uint64_t		 head[ROLES], v[ROLES];	/* of the event, and of the element */
	uint64_t		 elements;
	bool			 in;		/* in an element */
	struct buf		 text;
	struct {
		const struct field	*field;
		enum role		 role;
	} known[FIELDS_KNOWN];
};

/* ---- lists */

static void
add_hole(struct heap_list *l, uint64_t events)
{
	ARRAY_ADD(l->hole, l->nholes, l->holes_cap, (struct heap_hole){ l->n, events });
}

/* An event of the list begins. Events before it are missing if its index is too great; if it is too
   small, nothing is known of what follows. */
static void
list_begin(struct heap_list *l, uint64_t index)
{
	if (index != l->next)
		add_hole(l, index > l->next ? index - l->next : 0);
	l->next = index + 1;
	if (l->newest > 0 && l->whole == 0)
		l->whole = l->newest;
	l->uneven |= l->newest != l->whole;
	l->newest = 0;
}

/* It ends; it said that it had `count` elements. */
static void
list_end(struct heap_list *l, uint64_t had, uint64_t count)
{
	l->newest = had;
	if (had != count)
		add_hole(l, 0);
}

static void
list_release(struct heap_list *l)
{
	mem_free(l->hole);
}

/* ---- walks */

void
heap_release(struct heap *h)
{
	mem_free(h->addr);
	mem_free(h->size);
	mem_free(h->name);
	mem_free(h->first);
	mem_free(h->to);
	mem_free(h->dom);
	mem_free(h->retained);
	mem_free(h->kid);
	mem_free(h->next);
	mem_free(h->root);
	mem_free(h->type);
	mem_free(h->range);
}

void
heap_raw_release(struct heap_raw *r)
{
	heap_release(&r->h);
	list_release(&r->nodes);
	list_release(&r->edges);
	list_release(&r->roots);
	list_release(&r->links);
	mem_free(r->edge);
	mem_free(r->root);
	mem_free(r->link);
	mem_free(r->type);
	idmap_release(&r->types);
}

/* Append an object, of which the first is the root of all. */
static void
add_object(struct heap_raw *r, uint64_t addr, uint64_t size, uint32_t type, uint64_t edges)
{
	uint64_t	i = r->nodes.n;

	r->h.addr = mem_grow(r->h.addr, &r->cap[0], i + 2, sizeof *r->h.addr);
	r->h.size = mem_grow(r->h.size, &r->cap[1], i + 2, sizeof *r->h.size);
	r->h.name = mem_grow(r->h.name, &r->cap[2], i + 2, sizeof *r->h.name);
	r->h.first = mem_grow(r->h.first, &r->cap[3], i + 2, sizeof *r->h.first);
	r->h.addr[i] = addr;
	r->h.size[i] = size;
	r->h.name[i] = type;
	r->h.first[i] = (uint32_t)min_u64(edges, UINT32_MAX);
	r->nodes.n++;
}

static void
walk_begin(struct heap_reader *x, const struct fact *f)
{
	const struct event	*e = x->started ? &x->start_event : f->ev;
	struct heap_raw		*r;

	x->raw = mem_grow(x->raw, &x->cap, x->n + 1, sizeof *x->raw);
	r = &x->raw[x->n++];
	*r = (struct heap_raw){ .h = { .has_gc = x->started, .gc = x->start_count,
	    .start_ns = x->started ? x->start.ns : f->ns, .ts = e->ts, .off = e->off },
	    .stop_ns = INT64_MAX, .suspend_ns = x->suspend_ns, .thread = f->ev->capture,
	    .chosen = x->started ? x->start.chosen : f->chosen };
	add_object(r, 0, 0, HEAP_NONE, 0);
	x->open = true;
	x->started = false;
}

/* Names of types that came until now. A later one may use the id again. */
static void
name_types(const struct heap_reader *x, struct heap_raw *r)
{
	for (size_t i = 0; i < r->ntype; i++)
		if (r->type[i].name == TEXT_NONE)
			(void)idmap_get(&x->names, r->type[i].id, 0, &r->type[i].name);
}

SORT_ORDER(compare_ranges, struct heap_range, RISING(from) RISING(to))

/* A walk without objects is none. */
static void
walk_end(struct heap_reader *x)
{
	struct heap_raw	*r;

	if (!x->open)
		return;
	x->open = false;
	r = &x->raw[x->n - 1];
	if (r->nodes.n <= 1 || !r->chosen) {
		heap_raw_release(r);
		x->n--;
		return;
	}
	name_types(x, r);
	sort_array(r->h.range, r->h.nranges, sizeof *r->h.range, compare_ranges);
}

static uint32_t
type_index(struct heap_raw *r, uint64_t id)
{
	uint32_t	i;

	if (r->ntype > 0 && r->type[r->ntype - 1].id == id)
		return (uint32_t)r->ntype - 1;
	if (idmap_get(&r->types, id, 0, &i))
		return i;
	r->type = mem_grow(r->type, &r->type_cap, r->ntype + 1, sizeof *r->type);
	r->type[r->ntype] = (struct raw_type){ id, TEXT_NONE };
	idmap_set(&r->types, id, 0, (uint32_t)r->ntype);
	return (uint32_t)r->ntype++;
}

/* ---- elements */

static void
add_root(struct heap_raw *r, const struct raw_root *root)
{
	ARRAY_ADD(r->root, r->nroot, r->root_cap, *root);
}

static void
add_node(struct heap_raw *r, const uint64_t *v)
{
	if (r->nodes.n > OBJECTS_MOST) {
		r->too_many = true;
		return;
	}
	add_object(r, v[R_ADDRESS], v[R_SIZE], type_index(r, v[R_TYPE]), v[R_EDGES]);
}

static void
add_edge(struct heap_raw *r, uint64_t to)
{
	if (r->edges.n >= OBJECTS_MOST) {
		r->too_many = true;
		return;
	}
	if (r->edges.n == r->edge_cap)
		r->edge = mem_grow(r->edge, &r->edge_cap, r->edges.n + 1, sizeof *r->edge);
	r->edge[r->edges.n++] = to;
}

static void
add_element(struct heap_reader *x)
{
	struct heap_raw	*r = x->open ? &x->raw[x->n - 1] : NULL;
	const uint64_t	*v = x->v;

	switch (x->kind) {
	case E_TYPE:
		if (x->text.len > 0)
			idmap_set(&x->names, v[R_TYPE], 0,
			    texts_add(x->texts, span_of_buf(&x->text)));
		break;
	case E_NODE:
		add_node(r, v);
		break;
	case E_EDGE:
		add_edge(r, v[R_VALUE]);
		break;
	case E_ROOT:
		add_root(r, &(struct raw_root){ .addr = v[R_ADDRESS],
		    .kind = (uint8_t)min_u64(v[R_KIND], UINT8_MAX), .flags = (uint8_t)v[R_FLAG] });
		break;
	case E_STATIC:
		add_root(r, &(struct raw_root){ .addr = v[R_OBJECT], .type = v[R_TYPE],
		    .field = texts_add(x->texts, span_of_buf(&x->text)), .is_static = true,
		    .flags = (uint8_t)v[R_FLAG] });
		break;
	case E_LINK:
		r->link = mem_grow(r->link, &r->link_cap, r->nlink + 1, sizeof *r->link);
		r->link[r->nlink][0] = v[R_KEY];
		r->link[r->nlink++][1] = v[R_HELD];
		break;
	default:
		break;
	}
	x->elements++;
}

/* ---- values */

static enum role
role_find(const char *field)
{
	for (size_t i = 0; i < sizeof role_names / sizeof *role_names; i++)
		if (strcmp(role_names[i].field, field) == 0)
			return role_names[i].role;
	return R_NONE;
}

/* A description of a field belongs to the trace, and stays at its address. */
static enum role
role_of(struct heap_reader *x, const struct field *f)
{
	size_t	i = ((uintptr_t)f / sizeof *f) % FIELDS_KNOWN;

	if (x->known[i].field != f) {
		x->known[i].field = f;
		x->known[i].role = role_find(f->name);
	}
	return x->known[i].role;
}

static struct heap_list *
list_of(struct heap_reader *x)
{
	struct heap_raw	*r = &x->raw[x->n - 1];

	switch (x->kind) {
	case E_NODE:
		return &r->nodes;
	case E_EDGE:
		return &r->edges;
	case E_ROOT:
		return &r->roots;
	case E_LINK:
		return &r->links;
	default:
		return NULL;
	}
}

/* The first element comes: Index is known. */
static void
event_begin(struct heap_reader *x)
{
	struct heap_list	*l;

	if (x->began)
		return;
	x->began = true;
	l = x->open && x->kind != E_TYPE ? list_of(x) : NULL;
	if (l != NULL)
		list_begin(l, x->head[R_INDEX]);
}

static int
take_value(void *arg, const struct value *v)
{
	struct heap_reader	*x = arg;
	enum role		 role;

	switch (v->kind) {
	case VK_OBJECT:
		event_begin(x);
		memset(x->v, 0, sizeof x->v);
		buf_clear(&x->text);
		x->in = true;
		return 0;
	case VK_OBJECT_END:
		if (x->in)
			add_element(x);
		x->in = false;
		return 0;
	case VK_NULL:		/* the payload has ended: so has the last whole element */
		x->in = false;
		return 0;
	case VK_ARRAY: case VK_ARRAY_END:
		return 0;
	default:
		break;
	}
	role = role_of(x, v->field);
	if (role == R_TEXT)
		value_text(&x->text, v);
	else if (v->kind == VK_UINT || v->kind == VK_INT)
		(x->in ? x->v : x->head)[role] = v->u;
	return 0;
}

/* Read the payload of the event. */
static void
read_values(struct heap_reader *x, const struct fact *f)
{
	struct payload_result	 result;
	struct heap_list	*l;

	memset(x->head, 0, sizeof x->head);
	x->kind = f->kind;
	x->elements = 0;
	x->in = x->began = false;
	(void)payload_walk(trace_type(x->t, f->ev->type), trace_payload(x->t, f->ev), take_value,
	    x, &result);
	if (f->kind < E_TYPE)
		return;
	event_begin(x);
	l = x->open && f->kind != E_TYPE ? list_of(x) : NULL;
	if (l != NULL)
		list_end(l, x->elements, x->head[R_COUNT]);
}

/* ---- events */

static void
see_start(struct heap_reader *x, const struct fact *f)
{
	read_values(x, f);
	walk_end(x);
	x->started = true;
	x->start = *f;
	x->start_event = *f->ev;
	x->start_count = x->head[R_COUNT];
}

static void
see_stop(struct heap_reader *x, const struct fact *f)
{
	struct heap_raw	*r;

	read_values(x, f);
	if (!x->open) {
		x->started = x->started && x->start_count != x->head[R_COUNT];
		return;
	}
	r = &x->raw[x->n - 1];
	if (r->h.has_gc && r->h.gc != x->head[R_COUNT])
		return;
	r->h.gc = x->head[R_COUNT];
	r->stopped = true;
	r->stop_ns = f->ns;
	x->restarts = r->suspend_ns != INT64_MIN && r->chosen;
	walk_end(x);
}

static void
see_restart(struct heap_reader *x, const struct fact *f)
{
	if (x->restarts && x->n > 0 && !x->open)
		x->raw[x->n - 1].h.pause_ns =
		    (uint64_t)sub_i64(f->ns, x->raw[x->n - 1].suspend_ns);
	x->restarts = false;
	x->suspend_ns = INT64_MIN;
}

/* Those before the walk are of the addresses before the collection. */
static void
see_range(struct heap_reader *x, const struct fact *f)
{
	struct heap_raw		*r = x->open ? &x->raw[x->n - 1] : NULL;
	const uint64_t		*v = x->head;

	read_values(x, f);
	if (r == NULL || r->nodes.n <= 1 || v[R_GENERATION] >= HEAP_GENERATIONS ||
	    v[R_LENGTH] == 0)
		return;
	ARRAY_ADD(r->h.range, r->h.nranges, r->ranges_cap, (struct heap_range){
	    .from = v[R_ADDRESS],
	    .to = add_u64(v[R_ADDRESS], v[R_LENGTH]), .generation = (unsigned)v[R_GENERATION] });
}

static void
see_event(void *self, const struct fact *f)
{
	struct heap_reader	*x = self;

	switch (f->kind) {
	case E_START:
		see_start(x, f);
		return;
	case E_STOP:
		see_stop(x, f);
		return;
	case E_SUSPEND:
		x->suspend_ns = f->ns;
		return;
	case E_RESTART:
		see_restart(x, f);
		return;
	case E_RANGE:
		see_range(x, f);
		return;
	case E_TYPE:
		break;
	default:
		if (!x->open)
			walk_begin(x, f);
		if (f->kind == E_STATIC)
			x->raw[x->n - 1].nstatics++;
		if (f->kind == E_ROOT)
			x->raw[x->n - 1].nrootevents++;
	}
	read_values(x, f);
}

/* ---- losses */

/* How many events were lost while the walk was written, by the thread that wrote it? */
static void
count_lost(struct trace *t, struct heap_raw *r)
{
	struct gap	*gap;
	size_t		 n = trace_gaps(t, &gap);

	for (size_t i = 0; i < n; i++)
		if (gap[i].thread == r->thread && trace_ns(t, gap[i].to) >= r->h.start_ns &&
		    trace_ns(t, gap[i].from) <= r->stop_ns)
			r->h.lost = add_u64(r->h.lost, max_u64(gap[i].lost, 1));
	mem_free(gap);
}

int
heap_read(struct trace *t, const struct report_options *o, struct texts *texts,
    struct heap_raw **out, size_t *n, struct pass_result *result)
{
	struct heap_reader		 x = { .t = t, .texts = texts, .suspend_ns = INT64_MIN };
	const struct fact_reader	 reader = { .def = defs, .pairs = true, .add = see_event,
					    .self = &x };
	const struct report_run		 run = { .t = t, .o = *o };
	int				 err;

	err = facts_read(&run, &reader, 1, result);
	walk_end(&x);
	for (size_t i = 0; i < x.n; i++) {
		name_types(&x, &x.raw[i]);
		count_lost(t, &x.raw[i]);
	}
	idmap_release(&x.names);
	buf_release(&x.text);
	*out = x.raw;
	*n = x.n;
	return err;
}
