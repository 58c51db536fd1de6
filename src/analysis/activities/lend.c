/*
 * The tree of activities lent to the engine, for `activity within //1/2`.
 *
 *	order	//1/2  //1/2/1  //1/2/1/2  //1/3
 *	at	0      1        2          3
 *	end	3      3        3          4		what is within //1/2 is at 0 to 2
 *
 * Paths are found by a hash of their numbers: one path may be an activity of several processes.
 *
 * Invariant: nothing changes once it is lent, so any thread may read it.
 */
#include "analysis/activities/private.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/model/value.h"

static bool
same_path(const struct activity_path *x, const struct activity_path *y)
{
	return x->n == y->n && activity_path_under(x, y);
}

SORT_ORDER(by_hash, struct path_entry, RISING(hash) RISING(entry))

static void
places_make(struct activities *a)
{
	size_t	n = a->all.n;

	a->at = mem_zalloc(n + 1, sizeof *a->at);
	a->end = mem_zalloc(n + 1, sizeof *a->end);
	for (size_t k = 0; k < n; k++) {
		a->at[a->order[k]] = (uint32_t)k;
		a->end[a->order[k]] = (uint32_t)k + 1;
	}
	/* Backwards: what is below an activity is done before it. */
	for (size_t k = n; k-- > 0; ) {
		uint32_t	i = a->order[k], up = a->all.v[i].up;

		if (up != ACTIVITY_NONE && a->end[up] < a->end[i])
			a->end[up] = a->end[i];
	}
}

static void
paths_make(struct activities *a)
{
	struct activity_path	p;

	a->path = mem_zalloc(a->all.n + 1, sizeof *a->path);
	for (size_t i = 0; i < a->all.n; i++)
		if (a->all.v[i].kind == ACTIVITY_ID && a->all.v[i].has_path &&
		    parents_path(a, &a->all.v[i], &p))
			a->path[a->paths_known++] = (struct path_entry){
			    activity_path_hash(&p, p.n), (uint32_t)i };
	sort_array(a->path, a->paths_known, sizeof *a->path, by_hash);
}

static bool
is_below(const struct activities *a, uint32_t i, uint32_t top)
{
	return a->at[i] >= a->at[top] && a->at[i] < a->end[top];
}

static bool
below_path(const struct activities *a, uint32_t i, const struct activity_path *path)
{
	uint64_t		hash = activity_path_hash(path, path->n);
	size_t			at = 0;
	struct activity_path	p;

	BISECT(at, a->paths_known, k, a->path[k].hash < hash);
	for (; at < a->paths_known && a->path[at].hash == hash; at++)
		if (is_below(a, i, a->path[at].entry) &&
		    parents_path(a, &a->all.v[a->path[at].entry], &p) && same_path(&p, path))
			return true;
	return false;
}

static bool
source_within(void *self, uint32_t source, const uint8_t id[16], const uint8_t *top,
    const struct activity_path *path)
{
	const struct activities	*a = self;
	uint32_t		 i = activities_find(a, source, id), k;

	if (i == ACTIVITY_NONE)
		return false;
	if (top == NULL)
		return below_path(a, i, path);
	/* Of joined traces, another one may have sent the request. */
	for (uint32_t of = 0; of < trace_sources(a->t); of++) {
		k = activities_find(a, of, top);
		if (k != ACTIVITY_NONE && is_below(a, i, k))
			return true;
	}
	return false;
}

void
activities_prepare(struct activities *a)
{
	places_make(a);
	paths_make(a);
	a->source = (struct activity_source){ .self = a, .within = source_within };
}

/* Is it the only activity that has this path? */
static bool
is_only(const struct activities *a, uint32_t entry, const struct activity_path *path)
{
	uint64_t		hash = activity_path_hash(path, path->n);
	size_t			at = 0, found = 0;
	struct activity_path	p;

	BISECT(at, a->paths_known, k, a->path[k].hash < hash);
	for (; at < a->paths_known && a->path[at].hash == hash; at++)
		found += a->path[at].entry != entry &&
		    parents_path(a, &a->all.v[a->path[at].entry], &p) && same_path(&p, path);
	return found == 0 && a->paths_known > 0 && !a->all.full;
}

void
activities_put_name(const struct activities *a, uint32_t entry, struct buf *out)
{
	const struct activity	*v = &a->all.v[entry];
	struct activity_path	 path;

	if (v->has_path && parents_path(a, v, &path) && is_only(a, entry, &path))
		activity_path_text(out, &path);
	else
		guid_text(out, v->id);
}
