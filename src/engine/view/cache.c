/*
 * Views, found by the key of their slice, and in the order of their last use.
 *
 *	bucket  [ ]-> view -> view                   newest <-> view <-> ... <-> view  oldest
 *	        [ ]-> view                           being made: has memory, but no events yet
 *	room    [        ][        ]                 memory of evicted views
 *
 * A view is decoded by the first thread that requests it, without the lock; other threads that
 * request it meanwhile wait. If that thread is stopped, one of those that wait makes the view anew.
 * A view that is being made or is pinned is not evicted.
 *
 * A pass reads more slices than there is room for, once each. Its views would evict all others, and
 * be evicted before they are requested again. So they are dropped when the pass has used them,
 * unless the whole trace fits. The next view is made in the memory of the last one, because getting
 * new memory from the system takes longer than filling it.
 *
 * Invariant: bytes is the sum over all views and rooms; events of a view never change once it was
 * made.
 */
#include "engine/view/cache.h"

#include <assert.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define BUCKETS		4096u
#define ROOMS		4u		/* rooms that are kept */
#define ROOM_EVENTS	(SLICE_MOST + SCAN_SEGMENT)	/* enough for all but huge slices */

enum view_state { VIEW_MAKING, VIEW_READY, VIEW_FAILED, VIEW_LEFT };	/* LEFT: unmade */

/* Memory for events. The system provides pages only for the part that was written. */
struct room {
	struct event	*ev;
	size_t		 events;	/* its capacity, */
	size_t		 touched;	/* ... and the part that was ever written */
};

struct cached_view {
	struct slice_view	 v;		/* first: the user's pointer */
	enum view_state		 state;
	struct room		 room;
	uint64_t		 key;
	unsigned		 pins;
	bool			 passes;	/* only passes requested it */
	size_t			 bytes;
	struct cached_view	*newer, *older, *next;	/* next: of the bucket */
};

struct view_cache {
	struct lock		*lock;
	struct cached_view	*newest, *oldest;
	size_t			 bytes, cap;
	struct room		 room[ROOMS];
	size_t			 rooms;
	struct order_room	 order[ROOMS];	/* memory for sorting, to be used again */
	size_t			 orders;
	struct cached_view	*bucket[BUCKETS];
};

struct view_cache *
view_cache_new(size_t cap)
{
	struct view_cache	*c = mem_zalloc(1, sizeof *c);

	c->lock = lock_new(LOCK_VIEWS);
	c->cap = cap;
	return c;
}

/* ---- under the cache's lock */

static struct cached_view **
bucket_of(struct view_cache *c, uint64_t key)
{
	return &c->bucket[(key ^ key >> 24) % BUCKETS];
}

static void
view_unlink(struct view_cache *c, struct cached_view *v)
{
	*(v->newer ? &v->newer->older : &c->newest) = v->older;
	*(v->older ? &v->older->newer : &c->oldest) = v->newer;
}

static void
view_to_front(struct view_cache *c, struct cached_view *v)
{
	v->newer = NULL;
	v->older = c->newest;
	*(c->newest ? &c->newest->newer : &c->oldest) = v;
	c->newest = v;
}

static size_t
room_bytes(const struct room *r)
{
	return r->touched * sizeof *r->ev;
}

/* Keep the memory for the next view, if it has the usual size. */
static void
room_give(struct view_cache *c, struct room *r)
{
	if (r->ev != NULL && c->rooms < ROOMS && r->events == ROOM_EVENTS) {
		c->bytes += room_bytes(r);
		c->room[c->rooms++] = *r;
	} else {
		mem_free(r->ev);
	}
	*r = (struct room){ .ev = NULL };
}

/* Memory for so many events. */
static struct room
room_take(struct view_cache *c, size_t n)
{
	struct room	r = { .events = n > ROOM_EVENTS / 4 && n < ROOM_EVENTS ? ROOM_EVENTS : n };

	if (c->rooms > 0 && r.events == ROOM_EVENTS) {
		r = c->room[--c->rooms];
		c->bytes -= room_bytes(&r);
	} else {
		r.ev = mem_alloc(r.events * sizeof *r.ev);
	}
	r.touched = n > r.touched ? n : r.touched;
	return r;
}

static void
view_free(struct view_cache *c, struct cached_view *v)
{
	struct cached_view	**at = bucket_of(c, v->key);

	while (*at != v)
		at = &(*at)->next;
	*at = v->next;
	view_unlink(c, v);
	c->bytes -= v->bytes;
	room_give(c, &v->room);
	mem_free(v);
}

/* Evict the view that was used longest ago and is not pinned. False: there is none. */
static bool
evict_one(struct view_cache *c)
{
	struct cached_view	*v = c->oldest;

	while (v != NULL && v->pins > 0)
		v = v->newer;
	if (v != NULL)
		view_free(c, v);
	return v != NULL;
}

/* Free memory down to the limit: unused rooms first, then views. */
static void
cache_evict(struct view_cache *c)
{
	while (c->bytes > c->cap) {
		if (c->rooms > 0) {
			c->rooms--;
			c->bytes -= room_bytes(&c->room[c->rooms]);
			mem_free(c->room[c->rooms].ev);
		} else if (!evict_one(c)) {
			break;
		}
	}
}

static struct cached_view *
cache_find(struct view_cache *c, uint64_t key)
{
	struct cached_view	*v = *bucket_of(c, key);

	while (v != NULL && (v->key != key || v->state == VIEW_LEFT))
		v = v->next;
	return v;
}

/* Add a view that is to be made. Its memory counts from now on. */
static struct cached_view *
cache_add(struct view_cache *c, const struct slice_ref *ref)
{
	struct cached_view	 *v = mem_zalloc(1, sizeof *v);
	struct cached_view	**bucket = bucket_of(c, ref->key);
	size_t			  n = (size_t)ref->s.n + SCAN_SEGMENT;

	if (c->rooms == 0 && c->bytes + n * sizeof *v->room.ev > c->cap)
		(void)evict_one(c);
	v->room = room_take(c, n);
	v->bytes = room_bytes(&v->room) + sizeof *v;
	v->key = ref->key;
	v->passes = true;
	v->pins = 1;
	v->next = *bucket;
	*bucket = v;
	view_to_front(c, v);
	c->bytes += v->bytes;
	cache_evict(c);
	return v;
}

/* Decode its events; drops the lock meanwhile. */
static void
view_make(struct view_cache *c, struct trace *t, struct cached_view *v,
    const struct slice_ref *ref, const atomic_bool *stop)
{
	struct order_room	order = { .key = NULL };
	bool			made;

	if (c->orders > 0)
		order = c->order[--c->orders];
	lock_drop(c->lock);
	made = slice_events(t, ref, v->room.ev, &order, stop);
	lock_take(c->lock);
	if (c->orders < ROOMS)
		c->order[c->orders++] = order;
	else
		order_room_release(&order);
	v->v = (struct slice_view){ .row0 = ref->s.row0, .n = ref->s.n, .final = ref->final,
	    .ev = v->room.ev };
	if (made)
		v->state = VIEW_READY;
	else
		v->state = slice_stopped(stop) ? VIEW_LEFT : VIEW_FAILED;
	lock_wake(c->lock);
}

/* The last pin is gone: free a view without events, and note a failure in its slice. */
static void
view_unpin(struct view_cache *c, struct cached_view *v)
{
	assert(v->pins > 0);
	v->pins--;
	if (v->pins == 0 && (v->state != VIEW_READY || v->passes))
		view_free(c, v);
	cache_evict(c);
}

/* ---- the interface */

void
view_cache_free(struct view_cache *c)
{
	if (c == NULL)
		return;
	while (c->newest != NULL) {
		assert(c->newest->pins == 0);
		view_free(c, c->newest);
	}
	while (c->rooms > 0)
		mem_free(c->room[--c->rooms].ev);
	while (c->orders > 0)
		order_room_release(&c->order[--c->orders]);
	lock_free(c->lock);
	mem_free(c);
}

size_t
view_cache_bytes(struct view_cache *c)
{
	size_t	n;

	lock_take(c->lock);
	n = c->bytes + sizeof *c;
	lock_drop(c->lock);
	return n;
}

size_t
view_cache_cap(const struct view_cache *c)
{
	return c->cap;
}

/* The view of the slice, pinned: ready, failed or left. Makes it if no thread has. */
static struct cached_view *
view_pin(struct view_cache *c, struct trace *t, const struct slice_ref *ref,
    const atomic_bool *stop)
{
	struct cached_view	*v = cache_find(c, ref->key);

	if (v == NULL) {
		v = cache_add(c, ref);
		view_make(c, t, v, ref, stop);
		return v;
	}
	v->pins++;
	while (v->state == VIEW_MAKING)
		lock_wait(c->lock);
	view_unlink(c, v);
	view_to_front(c, v);
	return v;
}

const struct slice_view *
view_cache_get(struct view_cache *c, struct trace *t, const struct slice_ref *ref,
    enum view_use use, const atomic_bool *stop)
{
	const struct slice_view	*out = NULL;
	struct cached_view	*v;
	bool			 left;

	lock_take(c->lock);
	do {
		v = view_pin(c, t, ref, stop);
		v->passes &= use == VIEW_PASSES;
		left = v->state == VIEW_LEFT;
		if (v->state == VIEW_READY)
			out = &v->v;
		else
			view_unpin(c, v);
	} while (left && !slice_stopped(stop));
	lock_drop(c->lock);
	return out;
}

void
view_cache_put(struct view_cache *c, const struct slice_view *view)
{
	/* v is the first member, and only the user's pointer is const. */
	struct cached_view	*v = (struct cached_view *)(uintptr_t)view;

	lock_take(c->lock);
	view_unpin(c, v);
	lock_drop(c->lock);
}

bool
view_cache_pins_below(struct view_cache *c, uint64_t row)
{
	struct cached_view	*v;

	lock_take(c->lock);
	v = c->newest;
	while (v != NULL && (v->pins == 0 || (v->state != VIEW_MAKING && v->v.row0 >= row)))
		v = v->older;
	lock_drop(c->lock);
	return v != NULL;
}
