/*
 * The index builder: one walk over the frames of the file, scans of their events beside it, and a
 * committer that takes everything in file order.
 *
 *	committer   frames a ticket, frames a ticket, ... | scans one itself | commits the oldest
 *	workers     take the oldest ticket that waits and scan it
 *
 *	ring  [done][done][scanning][scanning][ready][ready][free]...
 *	       ^ committed next                        ^ framed last
 *
 * A ticket is a record's worth of neighbouring frames: data frames, event frames, at most one
 * barrier, which is its last. Frames that are open (Heph) are scanned by who walks them.
 *
 * Invariant: what is committed depends on the file alone, not on the number of workers or on who
 * was faster: tickets are cut by bytes and frames, and committed in file order by one thread.
 */
#include "engine/index/index.h"
#include "engine/view/cut.h"

#include <assert.h>
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/schema.h"

#define PUBLISH_SHARE	8		/* of the time that goes into showing rows: one part */
#define LOOK_AHEAD	4096u		/* bytes that a format may look at behind a frame */
#define WAIT_BYTES	(1u << 20)	/* gone through in vain: each arrival is looked at, */
#define WAIT_SHARE	8u		/* ... beyond: when one part of them has come */
#define MAP_AHEAD	(1u << 20)	/* bytes whose pages are asked for at once */

enum ticket_state { TICKET_FREE, TICKET_READY, TICKET_SCANNING, TICKET_DONE };

struct frames {
	struct frame	*f;
	size_t		 n, cap;
};

/* A frame that has events, and where its first would begin in its body. */
struct held_frame {
	struct frame	 f;
	uint64_t	 begin;
};

struct ticket {
	enum ticket_state	 state;		/* under the indexer's lock */
	uint64_t		 off, end;
	struct frames		 data, events;
	struct frame		 barrier;
	bool			 has_barrier;
	/* The scan, and where it stands. */
	struct scan		 scan;
	struct decode_state	 at;
	size_t			 frame;
	bool			 in_frame, paused;
	bool			 held;		/* the frame is in hold already */
	uint64_t		 begin;		/* of the frame's events in its body */
	struct held_frame	*hold;		/* those that were not committed yet */
	size_t			 nhold, hold_cap;
	bool			 lost;		/* a page of it was lost under the scan */
	/* What the committer made of it so far. */
	bool			 has_record;
	uint64_t		 record;
};

struct indexer {
	struct trace	*t;
	struct lock	*lock;
	struct ticket	*ring;
	size_t		 size, head, n;		/* head: the oldest; n: not free */
	uint64_t	 off;			/* of the next frame to walk to */
	struct frame	 ahead;			/* a frame that did not fit the last ticket */
	uint64_t	 mapped;		/* of open frames: their pages were asked for */
	bool		 open, has_ahead, walked, stop;
};

/* ---- walking frames */

static bool
is_magic(const struct trace *t, uint64_t off)
{
	struct span	b = source_span(t->source, off, 8);

	return b.len == 8 && t->format.ops->probe(b) > 0;
}

static void
walk_end(struct trace *t, enum finding_kind kind, const char *text)
{
	t->cut = true;
	t->cut_off = source_size(t->source);
	diag_add(t->diag, SEV_WARN, kind, t->cut_off, 0, "%s", text);
}

/* Behind the end mark at *off; true: something more can be framed, *off is there. */
static bool
walk_behind_end(struct trace *t, uint64_t *off)
{
	uint64_t	size = source_size(t->source), at = *off;
	bool		more;

	if (at >= size)
		return false;
	more = !is_magic(t, at) && t->format.ops->resync(&t->format, at, off);
	diag_add(t->diag, SEV_WARN, FIND_TRAILING, at, size - at, is_magic(t, at) ?
	    "another trace begins behind the end mark; only the first is read" :
	    more ? "the end mark is not at the end of the file; reading goes on behind it" :
	    "bytes follow the end mark");
	return more;
}

/* No frame can be told at *off (err says why). True: a later one can, *off is there. */
static bool
walk_damage(struct trace *t, uint64_t *off, int err)
{
	uint64_t	size = source_size(t->source), at = *off, next;

	if (t->format.ops->resync(&t->format, at + 1, &next)) {
		diag_add(t->diag, SEV_WARN, FIND_SKIPPED, at, next - at,
		    "bytes that are no part of the format are skipped");
		*off = next;
		return true;
	}
	if (err == ERR_TRUNCATED)
		walk_end(t, FIND_CUT, "the file is cut inside a block's header");
	else
		diag_add(t->diag, SEV_ERROR, FIND_SKIPPED, at, size - at,
		    "nothing can be read from here to the end of the file");
	*off = size;
	return false;
}

/*
 * Of input that is still being spooled, what was made of a frame (r, fr) is to be believed only
 * when all of it has arrived, and what the format looks at behind it.
 */
static bool
walk_believes(struct trace *t, int r, const struct frame *fr)
{
	uint64_t	size = source_size(t->source);

	return source_complete(t->source) || atomic_load(&t->cancel) ||
	    (r == 1 && !fr->cut && size >= LOOK_AHEAD && fr->next <= size - LOOK_AHEAD);
}

/*
 * Wait for more input to tell the frame at off. Where much was gone through in vain it has to be
 * more in proportion, so that the work stays linear however slowly input arrives.
 */
static void
walk_wait(struct trace *t, uint64_t off)
{
	uint64_t	size = source_size(t->source), more = 0;

	if (off < size && size - off > WAIT_BYTES)
		more = (size - off) / WAIT_SHARE;
	source_wait(t->source, size + more);
}

/* Can the next frame be told without waiting for input? */
static bool
walk_ready(struct trace *t, uint64_t off)
{
	struct frame	fr;

	return source_complete(t->source) ||
	    (off < source_size(t->source) &&
	    walk_believes(t, t->format.ops->frame(&t->format, off, &fr), &fr));
}

/*
 * The next frame at or after *off, stepping over what is damaged; moves *off behind it. 1 or 0: no
 * more. Findings are made, and the end is noted.
 */
static int
walk_frame(struct trace *t, uint64_t *off, struct frame *fr)
{
	uint64_t	size;

	while (*off >= source_size(t->source) && !source_complete(t->source) &&
	    !atomic_load(&t->cancel))
		source_wait(t->source, source_size(t->source));
	while (*off < source_size(t->source)) {
		int	r = t->format.ops->frame(&t->format, *off, fr);

		if (!walk_believes(t, r, fr)) {
			walk_wait(t, *off);
			continue;
		}
		size = source_size(t->source);
		if (r == 1) {
			assert(fr->next > *off);
			*off = fr->next;
			if (fr->cut && fr->next < size)
				diag_add(t->diag, SEV_WARN, FIND_BAD_BLOCK, fr->off,
				    fr->next - fr->off,
				    "a block's size is wrong; it is read up to the next one");
			else if (fr->cut)
				walk_end(t, FIND_CUT, "the file is cut inside a block");
			return 1;
		}
		if (r == 0) {
			*off = fr->next;
			if (walk_behind_end(t, off))
				continue;
			*off = UINT64_MAX;
			return 0;
		}
		if (!walk_damage(t, off, r))
			return 0;
	}
	if (*off == source_size(t->source) && !t->cut && !t->format.no_end_mark)
		walk_end(t, FIND_NOT_CLOSED,
		    "the trace was not closed: the traced process was killed, or is still running");
	*off = UINT64_MAX;
	return 0;
}

/* ---- scanning: any thread */

/* Events in the scan so far: all segments but the last are full. */
static uint64_t
scan_events(const struct scan *s)
{
	return (uint64_t)s->nseg * SCAN_SEGMENT - s->seg_left;
}

/* The frame under the scan has events: views will read it. Where an open one ends is known now. */
static void
ticket_hold(struct ticket *k, const struct frame *fr)
{
	k->held = true;
	k->hold = mem_grow(k->hold, &k->hold_cap, k->nhold + 1, sizeof *k->hold);
	k->hold[k->nhold] = (struct held_frame){ .f = *fr, .begin = k->begin };
	if (fr->open) {
		k->hold[k->nhold].f.len = k->at.pos;
		k->hold[k->nhold].f.next = fr->body + k->at.pos;
	}
	k->nhold++;
}

static void
ticket_scan(struct trace *t, struct ticket *k)
{
	const struct format_ops	*ops = t->format.ops;
	uint64_t		 lost = source_lost(t->source);
	const char		*text = NULL;

	k->paused = false;
	for (; k->frame < k->events.n; k->frame++) {
		const struct frame	*fr = &k->events.f[k->frame];
		struct span		 body = source_span(t->source, fr->body, fr->len);
		uint64_t		 events = scan_events(&k->scan);

		if (!k->in_frame) {
			if (ops->begin(&t->format, fr, body, &k->at, &text) < 0) {
				scan_add_bad(&k->scan, fr->body, body.len, text);
				continue;
			}
			k->begin = k->at.pos;
			k->held = false;
		}
		k->in_frame = true;
		k->paused = ops->scan(&t->format, fr, body, &k->at, &k->scan) == 0;
		if (!k->held && scan_events(&k->scan) > events)
			ticket_hold(k, fr);
		if (k->paused)
			break;
		k->in_frame = false;
	}
	scan_close(&k->scan);
	k->lost |= source_lost(t->source) != lost;
}

static void
ticket_take(struct indexer *x, struct ticket *k)
{
	k->state = TICKET_SCANNING;
	lock_drop(x->lock);
	source_ahead(x->t->source, k->off, k->end - k->off);
	ticket_scan(x->t, k);
	lock_take(x->lock);
	k->state = TICKET_DONE;
	lock_wake(x->lock);
}

static struct ticket *
ticket_ready(struct indexer *x)
{
	for (size_t i = 0; i < x->n; i++) {
		struct ticket	*k = &x->ring[(x->head + i) % x->size];

		if (k->state == TICKET_READY)
			return k;
	}
	return NULL;
}

static void
worker_run(void *arg)
{
	struct indexer	*x = arg;

	lock_take(x->lock);
	while (!x->stop) {
		struct ticket	*k = ticket_ready(x);

		if (k != NULL)
			ticket_take(x, k);
		else
			lock_wait(x->lock);
	}
	lock_drop(x->lock);
}

/* ---- filling: the committer */

static void
frames_add(struct frames *fs, const struct frame *fr)
{
	fs->f = mem_grow(fs->f, &fs->cap, fs->n + 1, sizeof *fs->f);
	fs->f[fs->n++] = *fr;
}

/* Open frames are read as they are cut: ask for the pages in front of the walk. */
static void
walk_ahead(struct indexer *x)
{
	if (!x->open || x->off + MAP_AHEAD / 2 < x->mapped)
		return;
	if (x->mapped < x->off)
		x->mapped = x->off;
	source_ahead(x->t->source, x->mapped, MAP_AHEAD);
	x->mapped += MAP_AHEAD;
}

/* Fill a free ticket from the walk; false: there is nothing more. */
static bool
ticket_fill(struct indexer *x, struct ticket *k)
{
	bool	any = false;

	if (k->scan.run == NULL)
		scan_init(&k->scan, x->t->seed);
	k->data.n = k->events.n = k->nhold = 0;
	k->has_barrier = k->has_record = k->in_frame = k->paused = k->lost = false;
	k->frame = 0;
	while (!x->walked && !k->has_barrier) {
		struct frame	fr;

		if (any && !x->has_ahead && !walk_ready(x->t, x->off))
			break;			/* show what has arrived */
		walk_ahead(x);
		if (x->has_ahead) {
			fr = x->ahead;
			x->has_ahead = false;
		} else if (walk_frame(x->t, &x->off, &fr) != 1) {
			x->walked = true;
			break;
		}
		if (any && !fr.open && fr.next - k->off > RECORD_BYTES && k->events.n > 0) {
			x->ahead = fr;
			x->has_ahead = true;
			break;
		}
		if (!any)
			k->off = fr.off;
		any = true;
		k->end = fr.next;
		if (fr.kind == FRAME_EVENTS) {
			frames_add(&k->events, &fr);
		} else if (fr.kind == FRAME_BARRIER) {
			k->barrier = fr;
			k->has_barrier = true;
		} else {
			frames_add(&k->data, &fr);
		}
		if (fr.open) {
			x->open = true;
			ticket_scan(x->t, k);
			assert(!k->paused);
			x->off = k->end = fr.body + k->at.pos;
		}
		if (k->events.n + k->data.n >= RECORD_FRAMES || k->end - k->off >= RECORD_BYTES)
			break;
	}
	return any;
}

/* ---- committing: under the trace's lock */

/* May a file with n things of a kind have one more at off? It may have one each so many bytes. */
static bool
may_have(uint64_t n, uint64_t most, uint64_t off, uint64_t bytes)
{
	return n < most && n < LIMIT_ANY_FILE + off / bytes;
}

static struct thread_rec *
thread_rec_add(struct trace *t)
{
	struct thread_rec	*r = segvec_add(&t->threads);

	r->s.thread = (uint32_t)t->threads.n - 1;
	r->s.c.first = r->s.c.last = INFO_NO_TIME;
	r->s.lives = 1;
	return r;
}

/* At off of the file; false: there are too many. */
static bool
thread_add(struct trace *t, uint64_t off, uint32_t *thread)
{
	if (!may_have(t->threads.n, LIMIT_THREADS, off, LIMIT_ENTRY_BYTES)) {
		diag_add(t->diag, SEV_WARN, FIND_LIMIT, off, 0,
		    "more threads than are kept of a file of this size: the rest count as one");
		return false;
	}
	*thread = thread_rec_add(t)->s.thread;
	return true;
}

/* Declared at off, true from there on. */
static uint32_t
decl_add(struct trace *t, uint64_t raw, uint32_t thread, uint64_t off)
{
	struct decl_rec	*d = segvec_add(&t->decls);
	uint32_t	 i = (uint32_t)t->decls.n - 1, at;
	struct bind_rec	*b;

	d->index = raw;
	d->thread = thread;
	d->off = off;
	d->stamp = t->barriers;
	d->base = t->flush_off > 0;
	if (idmap_get(&t->thread_ids, raw, 0, &at)) {
		b = segvec_at(&t->binds, at);
	} else {
		idmap_set(&t->thread_ids, raw, 0, (uint32_t)t->binds.n);
		b = segvec_add(&t->binds);
	}
	b->decl = mem_grow(b->decl, &b->cap, b->n + 1, sizeof *b->decl);
	b->decl[b->n++] = i;
	return i;
}

/* What events of threads beyond the limit name: nothing is known of it, least of all its losses. */
static uint32_t
decl_over(struct trace *t)
{
	if (t->over_decl == 0) {
		struct thread_rec	*r = thread_rec_add(t);
		struct decl_rec		*d = segvec_add(&t->decls);

		r->s.name = "threads beyond the limit";
		d->thread = r->s.thread;
		t->over_decl = (uint32_t)t->decls.n;
	}
	return t->over_decl - 1;
}

bool
index_decl(const struct trace *t, uint64_t raw, uint64_t off, uint64_t flush_off, uint32_t *decl)
{
	const struct bind_rec	*b;
	uint32_t		 at, lo = 0, hi;

	if (!idmap_get(&t->thread_ids, raw, 0, &at))
		return false;
	b = segvec_at(&t->binds, at);
	for (hi = b->n; lo < hi; ) {		/* the first declared behind off */
		uint32_t	mid = (lo + hi) / 2;

		if (((struct decl_rec *)segvec_at(&t->decls, b->decl[mid]))->off <= off)
			lo = mid + 1;
		else
			hi = mid;
	}
	/* Declared behind its use is better than nothing. */
	for (uint32_t i = lo > 0 ? lo - 1 : lo; i < b->n && i <= lo; i++) {
		*decl = b->decl[i];
		if (((struct decl_rec *)segvec_at(&t->decls, *decl))->off >= flush_off)
			return true;
	}
	return false;
}

/* The declaration that a raw id means at off, made if there is none. */
static uint32_t
decl_get(struct trace *t, uint64_t raw, uint64_t off)
{
	uint32_t	 decl, thread;
	struct thread_rec *r;

	if (index_decl(t, raw, off, t->flush_off, &decl))
		return decl;
	if (!thread_add(t, off, &thread))
		return decl_over(t);
	r = segvec_at(&t->threads, thread);
	if (t->format.declares) {
		diag_add(t->diag, SEV_WARN, FIND_THREAD, off, 0,
		    "events name threads that the file does not declare");
		r->s.has_index = true;
		r->s.thread_index = raw;
		return decl_add(t, raw, thread, t->flush_off);
	}
	r->s.has_tid = true;
	r->s.tid = raw;
	r->s.has_pid = t->format.info.has_pid;
	r->s.pid = t->format.info.pid;
	return decl_add(t, raw, thread, 0);
}

static struct type_rec *
type_rec_add(struct trace *t)
{
	struct type_rec	*r = segvec_add(&t->types);

	r->c.first = r->c.last = INFO_NO_TIME;
	return r;
}

static uint32_t
type_add(struct trace *t, const struct event_type *type, struct span content)
{
	struct event_type	*own = arena_alloc(&t->arena, sizeof *own);
	struct type_rec		*r;
	uint32_t		 i;

	*own = *type;
	if (idmap_get(&t->type_ids, type->metadata_id, t->epoch, &i)) {
		r = segvec_at(&t->types, i);	/* the stand-in of events that came first */
	} else {
		i = (uint32_t)t->types.n;
		r = type_rec_add(t);
		idmap_set(&t->type_ids, type->metadata_id, t->epoch, i);
	}
	own->index = i;
	r->t = own;
	r->content = content;
	return i;
}

/* What events of types beyond the limit are of. */
static uint32_t
type_over(struct trace *t, uint64_t off)
{
	struct event_type	*own;

	diag_add(t->diag, SEV_WARN, FIND_LIMIT, off, 0,
	    "more event types than are kept of a file of this size: the rest count as one");
	if (t->over_type == 0) {
		own = arena_alloc(&t->arena, sizeof *own);
		*own = (struct event_type){
			.provider = "", .name = "types beyond the limit", .missing = true,
			.source = SCHEMA_NONE, .index = (uint32_t)t->types.n,
		};
		type_rec_add(t)->t = own;
		t->over_type = (uint32_t)t->types.n;
	}
	return t->over_type - 1;
}

uint32_t
index_type(struct trace *t, uint32_t epoch, uint64_t metadata_id, uint64_t off)
{
	struct event_type	type = { .provider = "", .missing = true, .source = SCHEMA_NONE };
	struct buf		name;
	uint32_t		i;

	if (idmap_get(&t->type_ids, metadata_id, epoch, &i))
		return i;
	if (t->format.types_wide) {
		t->format.ops->commit_row(&t->format, metadata_id, off);
		if (idmap_get(&t->type_ids, metadata_id, epoch, &i))
			return i;
	}
	if (!may_have(t->types.n, LIMIT_TYPES, off, LIMIT_ENTRY_BYTES))
		return type_over(t, off);
	diag_add(t->diag, SEV_WARN, FIND_METADATA, off, 0,
	    "events whose metadata is not in the file: their payloads are shown as bytes");
	buf_init(&name);
	if (t->format.types_wide)		/* the id is a hash, another one in each run */
		buf_printf(&name, "description at %llu unknown", (unsigned long long)off);
	else
		buf_printf(&name, "metadata #%llu missing", (unsigned long long)metadata_id);
	type.name = arena_strndup(&t->arena, name.p, name.len);
	type.metadata_id = metadata_id;
	buf_release(&name);
	return type_add(t, &type, (struct span){ NULL, 0 });
}

static bool
same_bytes(struct span a, struct span b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* The newest type with the content; or NULL. */
static uint32_t *
content_find(const struct trace *t, struct span content, uint64_t hash)
{
	size_t	at = 0;

	for (uint32_t *i; (i = hashtable_next(&t->contents, hash, &at)) != NULL; )
		if (same_bytes(((struct type_rec *)segvec_at(&t->types, *i))->content, content))
			return i;
	return NULL;
}

static bool
on_type_known(void *arg, uint64_t metadata_id, struct span content, uint64_t off)
{
	struct trace	*t = arg;
	struct type_rec	*r;
	const uint32_t	*same;
	uint32_t	 i;

	if (idmap_get(&t->type_ids, metadata_id, t->epoch, &i)) {
		r = segvec_at(&t->types, i);
		if (r->t->missing)
			return false;		/* events came before it: it takes their place */
		if (!same_bytes(r->content, content))
			diag_add(t->diag, SEV_WARN, FIND_METADATA, off, content.len,
			    "a metadata id is given twice, with other content; the first is kept");
		return true;
	}
	same = content_find(t, content, hash_bytes(t->seed, content.p, content.len));
	if (same == NULL)
		return false;
	idmap_set(&t->type_ids, metadata_id, t->epoch, *same);
	return true;
}

static void
on_type(void *arg, struct span content, const struct event_type *type)
{
	struct trace		*t = arg;
	struct event_type	 own = *type;
	uint64_t		 hash = hash_bytes(t->seed, content.p, content.len);
	uint32_t		*same = content_find(t, content, hash);
	uint32_t		 i;

	if (!may_have(t->types.n, LIMIT_TYPES, own.off, LIMIT_ENTRY_BYTES)) {
		type_over(t, own.off);
		return;
	}
	schema_complete(&own, &t->arena);
	i = type_add(t, &own, content);
	if (same != NULL)
		*same = i;
	else
		hashtable_add(&t->contents, hash, i);
}

static void
on_stacks(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len)
{
	struct trace	*t = arg;

	t->open.nstacks += lists_add(&t->stacks, t->open.stack0, first, count, off, len);
}

static void
on_labels(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len)
{
	struct trace	*t = arg;

	t->open.nlabels += lists_add(&t->labels, t->open.label0, first, count, off, len);
}

/* What a declared thread is known by: process and thread id, else its name and key/values. */
static uint64_t
identity_hash(const struct trace *t, const struct thread_decl *d)
{
	uint64_t	h = t->seed;

	if (d->has_tid)
		return hash_pair(h, d->has_pid ? d->pid : UINT64_MAX, d->tid);
	h = hash_pair(h, d->has_pid, d->pid);
	h = hash_bytes(h, d->name, d->name != NULL ? strlen(d->name) : 0);
	for (uint32_t i = 0; i < d->nkv; i++) {
		h = hash_bytes(h, d->kv[i].key, strlen(d->kv[i].key));
		h = hash_bytes(h, d->kv[i].value, strlen(d->kv[i].value));
	}
	return h;
}

static void
on_thread(void *arg, const struct thread_decl *d)
{
	struct trace		*t = arg;
	bool			 known = d->has_tid || d->name != NULL || d->nkv > 0;
	uint64_t		 hash = identity_hash(t, d);
	struct thread_rec	*r;
	uint32_t		 thread;

	if (!known || !idmap_get(&t->identities, hash, 0, &thread)) {
		if (!thread_add(t, d->off, &thread))
			return;
		if (known)
			idmap_set(&t->identities, hash, 0, thread);
		r = segvec_at(&t->threads, thread);
		r->s.has_tid = d->has_tid;
		r->s.tid = d->tid;
		r->s.has_pid = d->has_pid;
		r->s.pid = d->pid;
		r->s.has_index = true;
		r->s.thread_index = d->index;
		r->s.nkv = d->nkv;
		r->s.kv = d->kv;
	}
	r = segvec_at(&t->threads, thread);
	if (d->name != NULL && d->name[0] != '\0')
		r->s.name = d->name;
	if (may_have(t->decls.n, UINT32_MAX, d->off, LIMIT_DECL_BYTES))
		decl_add(t, d->index, thread, d->off);
	else
		diag_add(t->diag, SEV_WARN, FIND_LIMIT, d->off, 0,
		    "a thread's index has other threads more often than is kept");
}

static void
on_thread_remove(void *arg, uint64_t index, uint32_t number, uint64_t off)
{
	struct trace	*t = arg;
	uint32_t	 decl;

	if (index_decl(t, index, off, t->flush_off, &decl))
		loss_remove(t, decl, number);
	else
		diag_add(t->diag, SEV_WARN, FIND_THREAD, off, 0,
		    "a thread is removed that the file does not declare");
}

static void
on_barrier(void *arg, int64_t ts, uint64_t off)
{
	struct trace	*t = arg;

	if (t->has_barrier && ts < t->barrier_ts)
		diag_add(t->diag, SEV_NOTE, FIND_TIME, off, 0,
		    "a sequence point is earlier than the one before it");
	t->barrier_now = ts;
	t->barrier_off = off;
	t->nentries = 0;
}

static void
on_barrier_thread(void *arg, uint64_t raw, uint32_t number)
{
	struct trace	*t = arg;
	uint32_t	 decl = decl_get(t, raw, t->barrier_off);

	t->entries = mem_grow(t->entries, &t->entries_cap, t->nentries + 1, sizeof *t->entries);
	t->entries[t->nentries++] = (struct barrier_entry){ decl, number };
}

static void
on_barrier_end(void *arg, unsigned flush, uint64_t next)
{
	struct trace	*t = arg;

	loss_barrier(t, t->barrier_now);
	if (flush & BARRIER_FLUSH_THREADS)
		t->flush_off = next;
	if (flush & BARRIER_FLUSH_TYPES)
		t->epoch++;
	t->barrier_ts = t->barrier_now;
	t->has_barrier = true;
	t->close_now = true;
}

const struct commit_ops	index_commit_ops = {
	.type_known = on_type_known,
	.type = on_type,
	.stacks = on_stacks,
	.barrier = on_barrier,
	.barrier_thread = on_barrier_thread,
	.barrier_end = on_barrier_end,
	.thread = on_thread,
	.thread_remove = on_thread_remove,
	.labels = on_labels,
};

static void
count_merge(struct count *c, const struct id_count *e)
{
	if (c->events == 0 || e->first < c->first)
		c->first = e->first;
	if (c->events == 0 || e->last > c->last)
		c->last = e->last;
	c->events += e->events;
	c->bytes += e->bytes;
}

const struct region *
index_region(const struct trace *t, uint32_t record)
{
	const struct record	*r = segvec_at(&t->records, record);

	return r->region < t->regions.n ? segvec_at(&t->regions, r->region) : &t->open;
}

static struct record *
record_get(struct trace *t, struct ticket *k)
{
	struct record	*r;

	if (k->has_record)
		return segvec_at(&t->records, k->record);
	k->record = t->records.n;
	k->has_record = true;
	r = segvec_add(&t->records);
	r->types0 = t->type_counts.n;
	r->region = (uint32_t)t->regions.n;
	t->open.nrecords++;
	return r;
}

static void
commit_order(struct trace *t, const struct scan *s)
{
	if (!t->has_barrier || s->tmin >= t->barrier_ts)
		return;
	t->disordered = true;
	diag_add(t->diag, SEV_NOTE, FIND_ORDER, s->run[0].off_first, 0,
	    "events are earlier than the sequence point before them");
}

/* A query of types alone needs no more than this. */
static void
record_type(struct trace *t, struct record *r, uint32_t type, uint64_t n)
{
	if (r->ntypes == TYPES_UNKNOWN)
		return;
	if (r->ntypes == TYPES_KEPT) {
		r->ntypes = TYPES_UNKNOWN;
		return;
	}
	*(struct type_count *)segvec_add(&t->type_counts) =
	    (struct type_count){ type, (uint32_t)n };
	r->ntypes++;
}

static void
commit_counts(struct trace *t, const struct scan *s, struct record *r)
{
	for (size_t i = 0; i < s->types.n; i++) {
		const struct id_count	*c = &s->types.entry[i];
		uint32_t		 type = index_type(t, t->epoch, c->id, c->off);

		count_merge(&((struct type_rec *)segvec_at(&t->types, type))->c, c);
		record_type(t, r, type, c->events);
	}
	for (size_t i = 0; i < s->threads.n; i++) {
		const struct id_count	*c = &s->threads.entry[i];
		struct decl_rec		*d = segvec_at(&t->decls, decl_get(t, c->id, c->off));

		if (i < THREADS_KEPT)
			*(struct thread_count *)segvec_add(&t->thread_counts) =
			    (struct thread_count){ .first = c->first, .last = c->last,
			    .thread = d->thread, .n = (uint32_t)c->events };
		count_merge(&((struct thread_rec *)segvec_at(&t->threads, d->thread))->s.c, c);
	}
}

/* Is there a label list of the largest number that events name? Lists are numbered from 1. */
static void
commit_labels(struct trace *t, const struct scan *s)
{
	if (s->label_most == 0 || lists_find(&t->labels, t->open.label0, t->open.nlabels,
	    UINT64_MAX, s->label_most) != NULL)
		return;
	diag_add(t->diag, SEV_WARN, FIND_LABEL, s->label_off, 0,
	    "events name label lists that are not in the file");
}

static void
commit_runs(struct trace *t, const struct scan *s)
{
	struct {
		uint64_t	raw;
		uint32_t	decl;		/* + 1 */
	}	memo[16] = { { 0, 0 } };

	for (size_t i = 0; i < s->nrun && trace_has(t, HAS_NUMBERS); i++) {
		const struct seq_run	*run = &s->run[i];
		unsigned		 at = (unsigned)(run->capture % 16);

		/* What is declared can be declared anew at any place of the file. */
		if (memo[at].decl == 0 || memo[at].raw != run->capture || t->format.declares) {
			memo[at].raw = run->capture;
			memo[at].decl = decl_get(t, run->capture, run->off_first) + 1;
		}
		loss_run(t, memo[at].decl - 1, run);
	}
}

static void
commit_held(struct trace *t, const struct held_frame *h)
{
	struct event_frame	*f = segvec_add(&t->frames);
	uint64_t		 tail = h->f.next - h->f.body - h->f.len;

	*f = (struct event_frame){ .off = h->f.off, .len = h->f.len,
	    .head = (uint32_t)(h->f.body - h->f.off), .cut = h->f.cut,
	    .tail = (uint16_t)(tail < UINT16_MAX ? tail : UINT16_MAX) };
}

/*
 * Where a segment begins: in a frame of those held from *at on, or in the last one of what was
 * committed before, frame0 - 1. A frame without events, in which it may have begun, isn't held.
 */
static void
segment_place(struct trace *t, const struct ticket *k, const struct scan_segment *g,
    uint64_t frame0, size_t *at, struct segment *e)
{
	const struct event_frame	*before = NULL;
	bool				 inside;

	if (frame0 > 0)
		before = segvec_at(&t->frames, frame0 - 1);
	while (*at < k->nhold && k->hold[*at].f.off < g->frame_off)
		++*at;
	e->frame0 = frame0 + *at;
	inside = *at < k->nhold && k->hold[*at].f.off == g->frame_off &&
	    k->hold[*at].begin != g->state[0];
	if (before != NULL && before->off == g->frame_off) {
		e->frame0 = frame0 - 1;
		inside = true;
	}
	if (!inside)
		return;
	memcpy(segvec_add(&t->states), g->state, sizeof g->state);
	e->state = t->states.n;
}

static void
commit_segments(struct trace *t, struct ticket *k)
{
	const struct scan	*s = &k->scan;
	uint64_t		 frame0 = t->frames.n;
	struct segment		*last = NULL;
	size_t			 at = 0;

	for (size_t i = 0; i < k->nhold; i++)
		commit_held(t, &k->hold[i]);
	for (size_t i = 0; i < s->nseg; i++) {
		const struct scan_segment	*g = &s->seg[i];
		struct segment			*e;

		if (g->n == 0)
			continue;
		e = segvec_add(&t->segments);
		*e = (struct segment){ .tmin = g->tmin, .tmax = g->tmax, .n = g->n,
		    .record = (uint32_t)k->record };
		segment_place(t, k, g, frame0, &at, e);
		if (last != NULL)
			last->nframes = (uint32_t)(e->frame0 - last->frame0) + (e->state != 0);
		last = e;
		t->open.nseg++;
	}
	if (last != NULL)
		last->nframes = (uint32_t)(t->frames.n - last->frame0);
}

/* What was scanned of a ticket, all of it or, when it paused, a part. */
static void
commit_scan(struct trace *t, struct ticket *k)
{
	struct scan	*s = &k->scan;
	struct region	*g = &t->open;

	for (size_t i = 0; i < s->nbad; i++)
		diag_add(t->diag, SEV_WARN, FIND_BAD_BLOCK, s->bad[i].off, s->bad[i].bytes, "%s",
		    s->bad[i].text);
	for (size_t i = 0; i < s->nrow; i++)
		t->format.ops->commit_row(&t->format, 0, s->row[i]);
	if (s->events == 0)
		return;
	commit_counts(t, s, record_get(t, k));
	commit_segments(t, k);
	commit_runs(t, s);
	commit_order(t, s);
	commit_labels(t, s);
	g->events += s->events;
	g->tmin = s->tmin < g->tmin ? s->tmin : g->tmin;
	g->tmax = s->tmax > g->tmax ? s->tmax : g->tmax;
	t->tmin = s->tmin < t->tmin ? s->tmin : t->tmin;
	t->tmax = s->tmax > t->tmax ? s->tmax : t->tmax;
	t->events += s->events;
}

static void
commit_frame(struct trace *t, const struct frame *fr)
{
	t->format.ops->commit(&t->format, fr, source_span(t->source, fr->body, fr->len));
}

static void
region_open(struct trace *t)
{
	t->open = (struct region){
		.row0 = t->rows, .record0 = t->records.n, .seg0 = t->segments.n,
		.stack0 = t->stacks.block.n, .label0 = t->labels.block.n,
		.tmin = INT64_MAX, .tmax = INT64_MIN,
		.epoch = t->epoch, .flush_off = t->flush_off,
	};
	t->published = 0;
}

/* Slices of a closed region become the trace's; the open region begins anew. */
static void
region_close(struct trace *t)
{
	struct slice_list	list = { NULL, 0, 0 };
	int64_t			begin;

	t->close_now = false;
	if (t->open.events == 0) {
		lock_take(t->lock);
		region_open(t);		/* with the flushes of the barrier */
		lock_drop(t->lock);
		return;
	}
	begin = job_now_ns();
	slice_cut(t, &t->open, (uint32_t)t->regions.n, &list);
	if (t->format.unordered)
		t->open.touch = slice_touch(t, &t->open, &list);
	lock_take(t->lock);
	t->sort_ns += job_now_ns() - begin;
	*(struct region *)segvec_add(&t->regions) = t->open;
	for (size_t i = 0; i < list.n; i++) {
		struct slice	*s = segvec_add(&t->slices);

		*s = list.s[i];
		if (t->slices.n > 1) {
			const struct slice	*prev = segvec_at(&t->slices, t->slices.n - 2);

			s->tmost = s->tmost > prev->tmost ? s->tmost : prev->tmost;
		}
	}
	t->rows += t->open.events;
	t->open_slices.n = 0;
	t->open_pub.events = 0;
	t->open_gen++;
	region_open(t);
	lock_drop(t->lock);
	mem_free(list.s);
}

/*
 * Show what there is of the open region: its rows may still move. Each time it has doubled, so
 * that the work of cutting it stays linear; and all of it when input is waited for (idle), unless
 * that would take more than a part of the time.
 */
static void
region_publish(struct trace *t, bool idle)
{
	struct slice_list	list = { NULL, 0, 0 }, old;
	int64_t			begin = job_now_ns();

	if (!atomic_load(&t->want_rows) || t->open.events == t->published)
		return;
	if (t->open.events < t->published * 2 &&
	    (!idle || begin - t->published_at < t->publish_ns * PUBLISH_SHARE))
		return;
	slice_cut(t, &t->open, (uint32_t)t->regions.n, &list);
	lock_take(t->lock);
	old = t->open_slices;
	t->open_slices = list;
	t->open_pub = t->open;
	t->open_gen++;
	lock_drop(t->lock);
	t->published = t->open.events;
	t->published_at = job_now_ns();
	t->publish_ns = t->published_at - begin;
	mem_free(old.s);
	atomic_fetch_add(&t->generation, 1);
}

void
index_publish_info(struct trace *t)
{
	const struct trace_info	*was = atomic_load_explicit(&t->info, memory_order_relaxed);
	const struct trace_info	*now = &t->format.info;
	struct trace_info	*copy;

	if (was != NULL && was->format == now->format && was->version == now->version &&
	    was->has_sync_utc == now->has_sync_utc && was->sync_utc == now->sync_utc)
		return;
	copy = arena_alloc(&t->arena, sizeof *copy);
	*copy = *now;
	atomic_store_explicit(&t->info, copy, memory_order_release);
}

static void
ticket_commit(struct trace *t, struct ticket *k)
{
	lock_take(t->lock);
	for (size_t i = 0; i < k->data.n; i++)
		commit_frame(t, &k->data.f[i]);
	for (;;) {
		if (k->lost)
			diag_add(t->diag, SEV_ERROR, FIND_SHRUNK, k->off, k->end - k->off,
			    "the file shrank while it was read; what was there is left out");
		else
			commit_scan(t, k);
		cost_add(&t->costs.index_events, k->scan.events);
		scan_reset(&k->scan);
		k->nhold = 0;
		if (!k->paused || k->lost)
			break;
		lock_drop(t->lock);
		ticket_scan(t, k);
		lock_take(t->lock);
	}
	if (k->has_barrier)
		commit_frame(t, &k->barrier);
	index_publish_info(t);
	cost_add(&t->costs.index_frames, k->data.n + k->events.n + k->has_barrier);
	cost_add(&t->costs.index_bytes, k->end - k->off);
	t->committed = k->end;
	lock_drop(t->lock);
	if (t->close_now)
		region_close(t);
	else
		region_publish(t, false);
	atomic_fetch_add(&t->generation, 1);
}

/* ---- the committer's loop */

/* Cut tickets while there is room; false: nothing was done and the lock was held throughout. */
static bool
indexer_fill(struct indexer *x)
{
	bool	done = false;

	if (x->n == 0 && !x->walked && !x->has_ahead && !walk_ready(x->t, x->off)) {
		lock_drop(x->lock);
		region_publish(x->t, true);
		lock_take(x->lock);
	}
	while (x->n < x->size && !x->walked &&
	    (x->n == 0 || x->has_ahead || walk_ready(x->t, x->off))) {
		struct ticket	*k = &x->ring[(x->head + x->n) % x->size];
		bool		 any;

		lock_drop(x->lock);
		any = ticket_fill(x, k);
		lock_take(x->lock);
		done = true;
		if (!any)
			break;
		k->state = k->frame < k->events.n ? TICKET_READY : TICKET_DONE;
		x->n++;
		if (k->state == TICKET_READY)
			lock_wake(x->lock);
	}
	return done;
}

static void
indexer_loop(struct indexer *x)
{
	lock_take(x->lock);
	while (!atomic_load(&x->t->cancel)) {
		struct ticket	*k;

		if (x->n < x->size / 2 + 1)
			indexer_fill(x);
		if (x->n == 0)
			break;
		k = &x->ring[x->head];
		if (k->state == TICKET_DONE) {
			lock_drop(x->lock);
			ticket_commit(x->t, k);
			lock_take(x->lock);
			k->state = TICKET_FREE;
			x->head = (x->head + 1) % x->size;
			x->n--;
			continue;
		}
		k = ticket_ready(x);
		if (k != NULL)
			ticket_take(x, k);
		else if (!indexer_fill(x))
			lock_wait(x->lock);
	}
	x->stop = true;
	lock_wake(x->lock);
	lock_drop(x->lock);
}

static void
index_finish(struct trace *t)
{
	bool	canceled = atomic_load(&t->cancel);

	if (source_error(t->source) != NULL)
		diag_add(t->diag, SEV_WARN, FIND_UNREADABLE, source_size(t->source), 0, "%s",
		    source_error(t->source));
	if (!canceled)
		region_close(t);
	lock_take(t->lock);
	t->complete = !canceled;
	t->ended_ns = job_now_ns();
	lock_wake(t->lock);
	lock_drop(t->lock);
	atomic_fetch_add(&t->generation, 1);
}

void
index_run(struct trace *t)
{
	struct indexer	x = { .t = t, .off = t->first, .size = t->workers * 8 + 2 };
	struct job	*jobs[LIMIT_WORKERS] = { NULL };

	if (t->workers == 1)
		x.size = 1;		/* frame, scan, commit: while it is in the cache */
	x.lock = lock_new();
	x.ring = mem_zalloc(x.size, sizeof *x.ring);
	lock_take(t->lock);
	region_open(t);
	lock_drop(t->lock);
	lock_take(x.lock);
	indexer_fill(&x);		/* while nobody else wants the address space changed */
	lock_drop(x.lock);
	for (unsigned i = 1; i < t->workers; i++)
		jobs[i] = job_start_apart(i - 1, worker_run, &x);
	indexer_loop(&x);
	for (unsigned i = 1; i < t->workers; i++)
		job_join(jobs[i]);
	index_finish(t);		/* nobody waits for the memory to be given back */
	for (size_t i = 0; i < x.size; i++) {
		scan_release(&x.ring[i].scan);
		mem_free(x.ring[i].data.f);
		mem_free(x.ring[i].events.f);
		mem_free(x.ring[i].hold);
	}
	mem_free(x.ring);
	lock_free(x.lock);
}
