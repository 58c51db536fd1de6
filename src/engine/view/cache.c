/*
 * Views by the key of their slice, and in the order of their use.
 *
 *	bucket  [ ]-> view -> view                   newest <-> view <-> ... <-> view  oldest
 *	        [ ]-> view                           making: memory is taken, no events yet
 *
 * A view is decoded by the first thread that asks for it, without the lock; who asks for the same
 * one meanwhile waits for it. What is being made, or pinned, is not thrown out.
 *
 * Invariant: bytes is the sum over all views; events of a view never change once it was made.
 */
#include "engine/view/cache.h"

#include <assert.h>

#include "tnav/base/job.h"
#include "tnav/base/mem.h"

#define BUCKETS	4096u

enum view_state { VIEW_MAKING, VIEW_READY, VIEW_FAILED };

struct cached_view {
	struct slice_view	 v;		/* first: the user's pointer */
	enum view_state		 state;
	struct event		*ev;
	uint64_t		 key;
	unsigned		 pins;
	size_t			 bytes;
	struct cached_view	*newer, *older, *next;	/* next: of the bucket */
};

struct view_cache {
	struct lock		*lock;
	struct cached_view	*newest, *oldest;
	size_t			 bytes, cap;
	struct cached_view	*bucket[BUCKETS];
};

struct view_cache *
view_cache_new(size_t cap)
{
	struct view_cache	*c = mem_zalloc(1, sizeof *c);

	c->lock = lock_new();
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

static void
view_free(struct view_cache *c, struct cached_view *v)
{
	struct cached_view	**at = bucket_of(c, v->key);

	while (*at != v)
		at = &(*at)->next;
	*at = v->next;
	view_unlink(c, v);
	c->bytes -= v->bytes;
	mem_free(v->ev);
	mem_free(v);
}

/* Make room for more bytes; pinned views stay. */
static void
cache_evict(struct view_cache *c, size_t more)
{
	struct cached_view	*v = c->oldest, *next;

	for (; v != NULL && c->bytes + more > c->cap; v = next) {
		next = v->newer;
		if (v->pins == 0)
			view_free(c, v);
	}
}

static struct cached_view *
cache_find(struct view_cache *c, uint64_t key)
{
	struct cached_view	*v = *bucket_of(c, key);

	while (v != NULL && v->key != key)
		v = v->next;
	return v;
}

/* One that is to be made: what it takes meanwhile counts already. */
static struct cached_view *
cache_add(struct view_cache *c, const struct slice_ref *ref)
{
	struct cached_view	 *v = mem_zalloc(1, sizeof *v);
	struct cached_view	**bucket = bucket_of(c, ref->key);

	v->bytes = ((size_t)ref->s.n + SCAN_SEGMENT) * sizeof *v->ev + sizeof *v;
	cache_evict(c, v->bytes);
	c->bytes += v->bytes;
	v->key = ref->key;
	v->next = *bucket;
	*bucket = v;
	view_to_front(c, v);
	return v;
}

/* Decode its events, the lock dropped meanwhile. */
static void
view_make(struct view_cache *c, struct trace *t, struct cached_view *v, const struct slice_ref *ref)
{
	struct event	*ev;

	lock_drop(c->lock);
	ev = slice_events(t, ref);
	lock_take(c->lock);
	c->bytes -= v->bytes;
	v->bytes = sizeof *v + (ev != NULL ? ref->s.n * sizeof *ev : 0);
	c->bytes += v->bytes;
	v->ev = ev;
	v->v = (struct slice_view){ .row0 = ref->s.row0, .n = ref->s.n, .final = ref->final,
	    .ev = ev };
	v->state = ev != NULL ? VIEW_READY : VIEW_FAILED;
	lock_wake(c->lock);
}

/* No pin any more: what failed goes at once, since the slice remembers it. */
static void
view_unpin(struct view_cache *c, struct cached_view *v)
{
	assert(v->pins > 0);
	v->pins--;
	if (v->pins == 0 && v->state == VIEW_FAILED)
		view_free(c, v);
	cache_evict(c, 0);
}

/* ---- for all */

void
view_cache_free(struct view_cache *c)
{
	if (c == NULL)
		return;
	while (c->newest != NULL)
		view_free(c, c->newest);
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

const struct slice_view *
view_cache_get(struct view_cache *c, struct trace *t, const struct slice_ref *ref)
{
	const struct slice_view	*out = NULL;
	struct cached_view	*v;

	lock_take(c->lock);
	v = cache_find(c, ref->key);
	if (v != NULL) {
		v->pins++;
		while (v->state == VIEW_MAKING)
			lock_wait(c->lock);
		view_unlink(c, v);
		view_to_front(c, v);
	} else {
		v = cache_add(c, ref);
		v->pins++;
		view_make(c, t, v, ref);
	}
	if (v->state == VIEW_READY)
		out = &v->v;
	else
		view_unpin(c, v);
	lock_drop(c->lock);
	return out;
}

void
view_cache_put(struct view_cache *c, const struct slice_view *view)
{
	/* It is the first member, and what the user was given is const for the user. */
	struct cached_view	*v = (struct cached_view *)(uintptr_t)view;

	lock_take(c->lock);
	view_unpin(c, v);
	lock_drop(c->lock);
}
