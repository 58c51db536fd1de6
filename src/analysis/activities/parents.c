/*
 * Which activity belongs to which.
 *
 *	parent	the related id of most of its starts, else the longest path above its own; in
 *		another trace, what sent the request (remote.c)
 *	up	the parent; none for one activity of each circle of parents
 *	order	//1/2  //1/2/1  //1/2/1/2  //1/3 ...	each after the one that it belongs to
 *
 * A head is the topmost activity of its line that has a start and an end. Its critical path is
 * found backwards: from its end to the child that ended last, from the start of that child to the
 * one that ended last before it, and so on, also within each child.
 *
 *	head	 [==......==......=]	= its own time on the path
 *	  child	    [====]			the second one that ended last
 *	  child	      ..  [==....]		the last; before it began the path was elsewhere
 *	    child	    [==]		in it likewise
 *
 * Invariant: up has no circles; an activity follows its up. No step is deeper than its list.
 */
#include <string.h>

#include "analysis/activities/private.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/model/activity.h"

/* The path of an activity. Most are much shorter than the longest one. */
struct path_at {
	size_t		from;			/* its steps among all */
	uint32_t	n, overflow;
};

/* An activity with what it is sorted by, so that sorting needs to look at few of them. */
struct seen_at {
	struct moment		 at;
	const struct activity	*v;
};

struct tree {
	struct activities	*a;
	const struct spans	*spans;		/* or NULL */
	struct activity		*v;
	uint32_t		 n;
	struct seen_at		*seen;		/* all of them, as they were seen */
	struct path_at		*path;		/* of those that have one */
	uint32_t		*step;		/* all of their steps */
	size_t			 nsteps, steps_cap;
	struct hashtable	 paths;
	uint32_t		*child;		/* all of them, those of one parent together */
	uint32_t		*from;		/* where an activity's children begin */
};

/* ---- paths */

bool
parents_path(const struct activities *a, const struct activity *v, struct activity_path *out)
{
	const struct thread_stat	*t = v->thread < a->nthreads ? &a->thread[v->thread] : NULL;
	bool				 has = t != NULL && t->has_pid && t->pid != 0;

	return v->kind == ACTIVITY_ID &&
	    activity_path_decode(out, v->id, has, has ? t->pid : 0);
}

static void
path_get(const struct tree *x, uint32_t i, struct activity_path *out)
{
	const struct path_at	*p = &x->path[i];

	out->n = p->n;
	out->overflow = p->overflow;
	memcpy(out->step, x->step + p->from, p->n * sizeof *x->step);
}

static void
path_put(struct tree *x, uint32_t i, const struct activity_path *path)
{
	struct path_at	*p = &x->path[i];

	*p = (struct path_at){ .from = x->nsteps, .n = path->n, .overflow = path->overflow };
	x->nsteps += p->n;
	x->step = mem_grow(x->step, &x->steps_cap, x->nsteps, sizeof *x->step);
	memcpy(x->step + p->from, path->step, p->n * sizeof *x->step);
}

/* Where the table has the activity whose path is the first n steps; NULL: nowhere. */
static uint32_t *
path_find(const struct tree *x, uint8_t source, const struct activity_path *p, unsigned n,
    uint64_t hash)
{
	HASHTABLE_EACH(&x->paths, hash, i) {
		struct activity_path	other;

		path_get(x, *i, &other);
		if (other.n == n && x->v[*i].id[ACTIVITY_SOURCE] == source &&
		    activity_path_under(p, &other))
			return i;
	}
	return NULL;
}

static bool
seen_before(const struct activity *a, const struct activity *b)
{
	if (a->seen.ts != b->seen.ts || a->seen.off != b->seen.off)
		return moment_before(&a->seen, &b->seen);
	return !a->seen_related && b->seen_related;
}

/* Of several with one path the first stands for it. */
static void
path_enter(struct tree *x, uint32_t i, const struct activity_path *path)
{
	uint64_t	 hash = activity_path_hash(path, path->n);
	uint32_t	*k = path_find(x, x->v[i].id[ACTIVITY_SOURCE], path, path->n, hash);

	if (k == NULL)
		hashtable_add(&x->paths, hash, i);
	else if (seen_before(&x->v[i], &x->v[*k]))
		*k = i;
}

static void
paths_decode(struct tree *x)
{
	for (uint32_t i = 0; i < x->n; i++) {
		struct activity		*v = &x->v[i];
		struct activity_path	 path;

		v->has_path = parents_path(x->a, v, &path);
		if (!v->has_path)
			continue;
		x->a->paths++;
		path_put(x, i, &path);
		path_enter(x, i, &path);
	}
}

/* ---- parents */

static uint32_t
parent_by_path(const struct tree *x, uint32_t i)
{
	struct activity_path	 path;
	const uint32_t		*up = NULL;

	if (!x->v[i].has_path)
		return ACTIVITY_NONE;
	path_get(x, i, &path);
	for (unsigned n = path.n - 1; n > 0 && up == NULL; n--)
		up = path_find(x, x->v[i].id[ACTIVITY_SOURCE], &path, n,
		    activity_path_hash(&path, n));
	return up != NULL ? *up : ACTIVITY_NONE;
}

/* The related id of most starts; of several the one that was first. */
static void
parents_by_related(struct tree *x)
{
	const struct links	*l = &x->a->all.related;
	const struct link	*best = NULL;

	for (size_t i = 0; i < l->n; i++) {
		const struct link	*k = &l->v[i];

		if (best == NULL || best->a != k->a || k->n > best->n ||
		    (k->n == best->n && moment_before(&k->first, &best->first)))
			best = k;
		x->v[k->a].by_related = best->b;
	}
}

static void
parents_make(struct tree *x)
{
	for (uint32_t i = 0; i < x->n; i++)
		x->v[i].by_path = x->v[i].by_related = x->v[i].parent = ACTIVITY_NONE;
	parents_by_related(x);
	for (uint32_t i = 0; i < x->n; i++) {
		struct activity	*v = &x->v[i];
		uint8_t		 trace[24] = { 0 };

		v->by_path = parent_by_path(x, i);
		v->parent = v->by_related != ACTIVITY_NONE ? v->by_related : v->by_path;
		if (v->kind == ACTIVITY_SPAN) {
			memcpy(trace, v->id, 16);
			v->parent = found_find(&x->a->all, ACTIVITY_TRACE, trace);
		}
		v->up = v->parent;
	}
}

/* ---- order */

static int
compare_ids(const uint8_t *x, const uint8_t *y)
{
	return memcmp(x, y, sizeof ((struct activity *)NULL)->id);
}

SORT_ORDER(by_seen, struct seen_at, RISING(at.ts) RISING(at.off) RISING(v->seen_related)
    COMPARED(compare_ids, v->id))

static void
seen_make(struct tree *x)
{
	x->seen = mem_zalloc((size_t)x->n + 1, sizeof *x->seen);
	for (uint32_t i = 0; i < x->n; i++)
		x->seen[i] = (struct seen_at){ x->v[i].seen, &x->v[i] };
	sort_array(x->seen, x->n, sizeof *x->seen, by_seen);
}

/* Follow the parents from each activity, as they were seen: threads found them in any order. Who
   comes back to the way that is being gone is cut. */
static void
circles_cut(struct tree *x)
{
	uint32_t	*way = mem_zalloc((size_t)x->n + 1, sizeof *way);

	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t	k = (uint32_t)(x->seen[i].v - x->v);

		while (way[k] == 0) {
			way[k] = i + 1;
			if (x->v[k].up == ACTIVITY_NONE)
				break;
			if (way[x->v[k].up] == i + 1) {
				x->v[k].up = ACTIVITY_NONE;
				break;
			}
			k = x->v[k].up;
		}
	}
	mem_free(way);
}

/* All activities as they were seen; those of one parent together, roots at the end. */
static void
children_make(struct tree *x)
{
	uint32_t	*next;

	x->child = mem_zalloc((size_t)x->n + 1, sizeof *x->child);
	x->from = mem_zalloc((size_t)x->n + 2, sizeof *x->from);
	next = mem_zalloc((size_t)x->n + 1, sizeof *next);
	for (uint32_t i = 0; i < x->n; i++) {
		uint32_t	up = x->v[i].up != ACTIVITY_NONE ? x->v[i].up : x->n;

		x->from[up + 1]++;
	}
	for (uint32_t i = 0; i <= x->n; i++) {
		x->from[i + 1] += x->from[i];
		next[i] = x->from[i];
	}
	for (uint32_t i = 0; i < x->n; i++) {
		const struct activity	*v = x->seen[i].v;
		uint32_t		 up = v->up != ACTIVITY_NONE ? v->up : x->n;

		x->child[next[up]++] = (uint32_t)(v - x->v);
	}
	mem_free(next);
}

/* Down the tree, without recursion. */
static void
order_make(struct tree *x)
{
	uint32_t	*stack = mem_zalloc((size_t)x->n + 1, sizeof *stack), n = 0, out = 0;

	x->a->order = mem_zalloc((size_t)x->n + 1, sizeof *x->a->order);
	for (uint32_t i = x->from[x->n + 1]; i > x->from[x->n]; i--)
		stack[n++] = x->child[i - 1];
	while (n > 0) {
		uint32_t	i = stack[--n];

		x->a->order[out++] = i;
		x->v[i].depth = x->v[i].up != ACTIVITY_NONE ? x->v[x->v[i].up].depth + 1 : 0;
		for (uint32_t k = x->from[i + 1]; k > x->from[i]; k--)
			stack[n++] = x->child[k - 1];
	}
	mem_free(stack);
}

/* ---- times */

/* The span that its first start begins; of several the longest. *near: where that of the activity
   seen before it is. */
static void
span_join(const struct tree *x, struct activity *v, uint64_t *near)
{
	const struct spans	*s = x->spans;
	int64_t			 longest = -1, dur;

	if (s == NULL || v->creator == ACTIVITY_NONE || v->has_span)
		return;
	*near = spans_from_moment(s, v->at.ts, v->at.off, *near);
	for (uint64_t i = *near; i < spans_count(s); i++) {
		const struct span_record	*r = spans_at(s, i);

		if (r->off != v->at.off)
			break;
		if (!spans_dur(s, r, &dur))
			dur = 0;
		if (r->row == SPAN_NO_ROW || dur <= longest)
			continue;
		longest = dur;
		activity_span(x->a, v, r);
	}
}

/* Has it a begin and an end? ns */
static bool
times_of(const struct tree *x, uint32_t i, int64_t *begin, int64_t *end)
{
	const struct activity	*v = &x->v[i];

	if (!v->has_span)
		return false;
	*begin = trace_ns(x->a->t, v->at.ts);
	*end = trace_ns(x->a->t, v->end);
	return v->state == SPAN_PAIRED;
}

struct timed {
	int64_t		begin, end;
	uint32_t	i;
};

SORT_ORDER(by_begin, struct timed, RISING(begin) RISING(i))

/* The latest end first. */
SORT_ORDER(by_end, struct timed, FALLING(end) FALLING(begin) RISING(i))

static size_t
timed_children(const struct tree *x, uint32_t i, struct timed *out)
{
	size_t	n = 0;

	for (uint32_t k = x->from[i]; k < x->from[i + 1]; k++) {
		out[n].i = x->child[k];
		n += times_of(x, x->child[k], &out[n].begin, &out[n].end);
	}
	return n;
}

/* Its time less what its children cover of it. */
static int64_t
self_of(int64_t begin, int64_t end, const struct timed *c, size_t n)
{
	int64_t	self, reached = begin;

	if (__builtin_sub_overflow(end, begin, &self))
		self = INT64_MAX;
	for (size_t i = 0; i < n; i++) {
		int64_t	from = c[i].begin > reached ? c[i].begin : reached;
		int64_t	to = c[i].end < end ? c[i].end : end;

		if (to <= from)
			continue;
		self = sub_i64(self, sub_i64(to, from));
		reached = to;
	}
	return self;
}

/* What its end waited for: backwards, each time the child that ended last. The rest is its own. */
static void
critical_children(struct tree *x, struct activity *v, int64_t end, const struct timed *c, size_t n)
{
	v->way = 0;
	for (size_t i = 0; i < n && c[i].end >= v->way_from; i++) {
		struct activity	*child = &x->v[c[i].i];

		if (c[i].end > end)
			continue;
		child->critical = true;
		child->way_from = c[i].begin > v->way_from ? c[i].begin : v->way_from;
		v->way = add_i64(v->way, sub_i64(end, c[i].end));
		end = child->way_from;
	}
	v->way = add_i64(v->way, sub_i64(end, v->way_from));
}

/* The head of an activity whose parent has got its own. */
static uint32_t
head_of(const struct tree *x, uint32_t i, bool timed)
{
	uint32_t	up = x->v[i].up;

	if (up != ACTIVITY_NONE && x->v[up].head != ACTIVITY_NONE)
		return x->v[up].head;
	return timed ? i : ACTIVITY_NONE;
}

static void
times_make(struct tree *x)
{
	struct timed	*c = mem_zalloc((size_t)x->n + 1, sizeof *c);
	uint64_t	 near = 0;

	for (uint32_t i = 0; i < x->n; i++)
		span_join(x, &x->v[x->seen[i].v - x->v], &near);
	for (uint32_t k = 0; k < x->n; k++) {
		uint32_t	i = x->a->order[k];
		struct activity	*v = &x->v[i];
		int64_t		 begin, end;
		bool		 timed = times_of(x, i, &begin, &end) && end >= begin;
		size_t		 n;

		v->head = head_of(x, i, timed);
		if (!timed)
			continue;
		if (v->head == i) {
			v->critical = true;
			v->way_from = begin;
		}
		n = timed_children(x, i, c);
		sort_array(c, n, sizeof *c, by_begin);
		v->self = self_of(begin, end, c, n);
		sort_array(c, n, sizeof *c, by_end);
		if (v->critical)
			critical_children(x, v, end, c, n);
	}
	mem_free(c);
}

/* ---- all */

static void
count_all(struct tree *x)
{
	struct activities	*a = x->a;

	for (uint32_t i = 0; i < x->n; i++) {
		const struct activity	*v = &x->v[i];

		if (v->kind != ACTIVITY_ID)
			continue;
		a->roots += v->parent == ACTIVITY_NONE;
		a->reused += v->starts > 1;
		if (v->by_path == ACTIVITY_NONE || v->by_related == ACTIVITY_NONE)
			continue;
		a->same += v->by_path == v->by_related;
		a->differs += v->by_path != v->by_related;
	}
}

void
parents_find(struct activities *a, const struct spans *spans)
{
	struct tree	x = { .a = a, .spans = spans, .v = a->all.v, .n = (uint32_t)a->all.n };

	mem_free(a->thread);
	a->nthreads = trace_thread_stats(a->t, &a->thread);
	hashtable_reserve(&x.paths, x.n);
	x.path = mem_zalloc((size_t)x.n + 1, sizeof *x.path);
	paths_decode(&x);
	parents_make(&x);
	remotes_find(a);
	seen_make(&x);
	circles_cut(&x);
	children_make(&x);
	order_make(&x);
	times_make(&x);
	count_all(&x);
	hashtable_release(&x.paths);
	mem_free(x.path);
	mem_free(x.step);
	mem_free(x.seen);
	mem_free(x.child);
	mem_free(x.from);
}
