/*
 * The meaning of ids in a file: metadata ids and types, raw thread ids, declarations, threads.
 *
 *	(metadata id, epoch) -> type		types with the same content are one
 *	raw id -> declarations by offset -> thread	a thread has one or, declared again, several
 *
 * Invariant: only the committer's thread changes this, under the trace's lock. The size of the file
 * limits the number of each. All beyond the limit count as one, whose name says so.
 */
#include <string.h>

#include "engine/index/index.h"
#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/schema.h"

void
names_release(struct id_names *n)
{
	for (uint64_t i = 0; i < n->decls.n; i++)
		mem_free(((struct decl_rec *)segvec_at(&n->decls, i))->inc);
	for (uint64_t i = 0; i < n->binds.n; i++)
		mem_free(((struct bind_rec *)segvec_at(&n->binds, i))->decl);
	segvec_release(&n->types);
	segvec_release(&n->threads);
	segvec_release(&n->decls);
	segvec_release(&n->binds);
	idmap_release(&n->type_ids);
	idmap_release(&n->thread_ids);
	hashtable_release(&n->contents);
	idmap_release(&n->identities);
}

size_t
names_memory(const struct id_names *n)
{
	return segvec_bytes(&n->types) + segvec_bytes(&n->threads) + segvec_bytes(&n->decls) +
	    segvec_bytes(&n->binds) + idmap_bytes(&n->type_ids) + idmap_bytes(&n->thread_ids) +
	    hashtable_bytes(&n->contents) + idmap_bytes(&n->identities);
}

/* May a file with n entries of a kind have another at off? One per so many bytes is allowed. */
static bool
may_have(uint64_t n, uint64_t most, uint64_t off, uint64_t bytes)
{
	return n < most && n < LIMIT_ANY_FILE + off / bytes;
}

#define UNDECLARED	"events refer to threads that the file does not declare"

static struct thread_rec *
thread_rec_add(struct trace *t)
{
	struct thread_rec	*r = segvec_add(&t->names.threads, sizeof *r);

	r->s.thread = (uint32_t)t->names.threads.n - 1;
	r->s.c.first = r->s.c.last = INFO_NO_TIME;
	r->s.incarnations = 1;
	return r;
}

/* Add a thread, which occurs at off of the file; false: there are too many. */
static bool
thread_add(struct trace *t, uint64_t off, uint32_t *thread)
{
	if (!may_have(t->names.threads.n, LIMIT_THREADS, off, LIMIT_ENTRY_BYTES)) {
		diag_add(t->diag, SEV_WARN, FIND_LIMIT, off, 0,
		    "too many threads for a file of this size: the rest count as one");
		return false;
	}
	*thread = thread_rec_add(t)->s.thread;
	return true;
}

/* Add a declaration, valid from off on. */
static uint32_t
decl_add(struct trace *t, uint64_t raw, uint32_t thread, uint64_t off)
{
	struct decl_rec	*d = segvec_add(&t->names.decls, sizeof *d);
	uint32_t	 i = (uint32_t)t->names.decls.n - 1, at;
	struct bind_rec	*b;

	d->index = raw;
	d->thread = thread;
	d->off = off;
	d->stamp = t->loss.barriers;
	d->base = t->names.flush_off > 0;
	if (idmap_get(&t->names.thread_ids, raw, 0, &at)) {
		b = segvec_at(&t->names.binds, at);
	} else {
		idmap_set(&t->names.thread_ids, raw, 0, (uint32_t)t->names.binds.n);
		b = segvec_add(&t->names.binds, sizeof *b);
	}
	ARRAY_ADD(b->decl, b->n, b->cap, i);
	return i;
}

/* The declaration for all threads beyond the limit. Nothing is known about it, nor its losses. */
static uint32_t
decl_over(struct trace *t)
{
	if (t->names.over_decl == 0) {
		struct thread_rec	*r = thread_rec_add(t);
		struct decl_rec		*d = segvec_add(&t->names.decls, sizeof *d);

		r->s.name = "threads beyond the limit";
		d->thread = r->s.thread;
		t->names.over_decl = (uint32_t)t->names.decls.n;
	}
	return t->names.over_decl - 1;
}

static uint64_t
decl_off(const struct trace *t, uint32_t decl)
{
	return ((struct decl_rec *)segvec_at(&t->names.decls, decl))->off;
}

bool
index_decl_range(const struct trace *t, uint64_t raw, uint64_t off, uint64_t flush_off,
    uint32_t *decl, uint64_t *from, uint64_t *to)
{
	const struct bind_rec	*b;
	size_t			 after = 0;	/* the first one declared after off */
	uint32_t		 at;

	if (!idmap_get(&t->names.thread_ids, raw, 0, &at))
		return false;
	b = segvec_at(&t->names.binds, at);
	BISECT(after, b->n, i, decl_off(t, b->decl[i]) <= off);
	*from = after > 0 ? decl_off(t, b->decl[after - 1]) : 0;
	*to = after < b->n ? decl_off(t, b->decl[after]) : UINT64_MAX;
	/* A declaration after off is used if there is none before. */
	for (size_t i = after > 0 ? after - 1 : after; i < b->n && i <= after; i++) {
		*decl = b->decl[i];
		if (decl_off(t, *decl) >= flush_off)
			return true;
	}
	return false;
}

bool
index_decl(const struct trace *t, uint64_t raw, uint64_t off, uint64_t flush_off, uint32_t *decl)
{
	uint64_t	from, to;

	return index_decl_range(t, raw, off, flush_off, decl, &from, &to);
}

uint32_t
index_decl_get(struct trace *t, uint64_t raw, uint64_t off)
{
	uint32_t	 decl, thread;
	struct thread_rec *r;

	if (index_decl(t, raw, off, t->names.flush_off, &decl))
		return decl;
	if (!thread_add(t, off, &thread))
		return decl_over(t);
	r = segvec_at(&t->names.threads, thread);
	r->s.has_pid = t->format.info.has_pid;
	r->s.pid = t->format.info.pid;
	if (t->format.declares) {
		diag_add(t->diag, SEV_WARN, FIND_THREAD, off, 0, UNDECLARED);
		r->s.has_index = true;
		r->s.thread_index = raw;
		decl = decl_add(t, raw, thread, t->names.flush_off);
		((struct decl_rec *)segvec_at(&t->names.decls, decl))->assumed = true;
		return decl;
	}
	r->s.has_tid = true;
	r->s.tid = raw;
	return decl_add(t, raw, thread, 0);
}

static struct type_rec *
type_rec_add(struct trace *t)
{
	struct type_rec	*r = segvec_add(&t->names.types, sizeof *r);

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
	if (idmap_get(&t->names.type_ids, type->metadata_id, t->names.epoch, &i)) {
		r = segvec_at(&t->names.types, i);	/* the placeholder of earlier events */
	} else {
		i = (uint32_t)t->names.types.n;
		r = type_rec_add(t);
		idmap_set(&t->names.type_ids, type->metadata_id, t->names.epoch, i);
	}
	own->index = i;
	r->t = own;
	r->content = content;
	return i;
}

/* The type for all types beyond the limit. */
static uint32_t
type_over(struct trace *t, uint64_t off)
{
	struct event_type	*own;

	diag_add(t->diag, SEV_WARN, FIND_LIMIT, off, 0,
	    "too many event types for a file of this size: the rest count as one");
	if (t->names.over_type == 0) {
		own = arena_alloc(&t->arena, sizeof *own);
		*own = (struct event_type){
			.provider = "", .name = "types beyond the limit", .missing = true,
			.source = SCHEMA_NONE, .index = (uint32_t)t->names.types.n,
		};
		type_rec_add(t)->t = own;
		t->names.over_type = (uint32_t)t->names.types.n;
	}
	return t->names.over_type - 1;
}

uint32_t
index_type(struct trace *t, uint32_t epoch, uint64_t metadata_id, uint64_t off)
{
	struct event_type	type = { .provider = "", .missing = true, .source = SCHEMA_NONE };
	struct buf		name = { 0 };
	uint32_t		i;

	if (idmap_get(&t->names.type_ids, metadata_id, epoch, &i))
		return i;
	if (t->format.types_wide) {
		t->format.ops->commit_row(&t->format, metadata_id, off);
		if (idmap_get(&t->names.type_ids, metadata_id, epoch, &i))
			return i;
	}
	if (!may_have(t->names.types.n, LIMIT_TYPES, off, LIMIT_ENTRY_BYTES))
		return type_over(t, off);
	diag_add(t->diag, SEV_WARN, FIND_METADATA, off, 0,
	    "events whose metadata is not in the file: their payloads are shown as bytes");
	if (t->format.types_wide)		/* the id is a hash, which changes with each run */
		buf_printf(&name, "description at %llu unknown", (unsigned long long)off);
	else
		buf_printf(&name, "metadata #%llu missing", (unsigned long long)metadata_id);
	type.name = arena_strndup(&t->arena, name.p, name.len);
	type.metadata_id = metadata_id;
	buf_release(&name);
	return type_add(t, &type, (struct span){ NULL, 0 });
}

/* The newest type with this content, or NULL. */
static uint32_t *
content_find(const struct trace *t, struct span content, uint64_t hash)
{
	HASHTABLE_EACH(&t->names.contents, hash, i) {
		const struct type_rec	*r = segvec_at(&t->names.types, *i);

		if (spans_equal(r->content, content))
			return i;
	}
	return NULL;
}

bool
names_type_known(void *arg, uint64_t metadata_id, struct span content, uint64_t off)
{
	struct trace	*t = arg;
	struct type_rec	*r;
	const uint32_t	*same;
	uint32_t	 i;

	if (idmap_get(&t->names.type_ids, metadata_id, t->names.epoch, &i)) {
		r = segvec_at(&t->names.types, i);
		if (r->t->missing)
			return false;		/* events came first: replace the placeholder */
		if (!spans_equal(r->content, content))
			diag_add(t->diag, SEV_WARN, FIND_METADATA, off, content.len,
			    "a metadata id is defined twice with different content; the first is "
			    "kept");
		return true;
	}
	same = content_find(t, content, hash_bytes(content.p, content.len));
	if (same == NULL)
		return false;
	idmap_set(&t->names.type_ids, metadata_id, t->names.epoch, *same);
	return true;
}

void
names_type(void *arg, struct span content, const struct event_type *type)
{
	struct trace		*t = arg;
	struct event_type	 own = *type;
	uint64_t		 hash = hash_bytes(content.p, content.len);
	uint32_t		*same = content_find(t, content, hash);
	uint32_t		 i;

	if (!may_have(t->names.types.n, LIMIT_TYPES, own.off, LIMIT_ENTRY_BYTES)) {
		type_over(t, own.off);
		return;
	}
	own.pointer_size = (uint8_t)t->format.info.pointer_size;
	schema_complete(&own, &t->arena);
	i = type_add(t, &own, content);
	if (same != NULL)
		*same = i;
	else
		hashtable_add(&t->names.contents, hash, i);
}

/* The identity of a declared thread: process and thread id, else its name and key/values. */
static uint64_t
identity_hash(const struct thread_decl *d)
{
	uint64_t	h = hash_pair(d->has_pid, d->pid);

	if (d->has_tid)
		return hash_pair(d->has_pid ? d->pid : UINT64_MAX, d->tid);
	h = hash_more(h, d->name, d->name != NULL ? strlen(d->name) : 0);
	for (uint32_t i = 0; i < d->nkv; i++) {
		h = hash_more(h, d->kv[i].key, strlen(d->kv[i].key));
		h = hash_more(h, d->kv[i].value, strlen(d->kv[i].value));
	}
	return h;
}

/* A declaration that was assumed for events since the last flush and comes only now; or NULL. */
static struct decl_rec *
decl_assumed(const struct trace *t, uint64_t raw)
{
	const struct bind_rec	*b;
	struct decl_rec		*d;
	uint32_t		 at;

	if (!idmap_get(&t->names.thread_ids, raw, 0, &at))
		return NULL;
	b = segvec_at(&t->names.binds, at);
	d = segvec_at(&t->names.decls, b->decl[b->n - 1]);
	return d->assumed && d->off >= t->names.flush_off ? d : NULL;
}

static void
thread_fill(struct trace *t, struct thread_rec *r, const struct thread_decl *d)
{
	r->s.has_tid = d->has_tid;
	r->s.tid = d->tid;
	/* A thread without a process id belongs to the trace's process, if that is known. */
	r->s.has_pid = d->has_pid || t->format.info.has_pid;
	r->s.pid = d->has_pid ? d->pid : t->format.info.pid;
	r->s.has_index = true;
	r->s.thread_index = d->index;
	r->s.nkv = d->nkv;
	r->s.kv = d->kv;
}

/*
 * A block of events may come before the block of its threads. In a growing file it is then read
 * first. The declaration replaces the assumed one, and there is no finding.
 */
static bool
names_assumed(struct trace *t, const struct thread_decl *d, bool known, uint64_t hash)
{
	struct decl_rec		*assumed = decl_assumed(t, d->index);
	struct thread_rec	*r;
	uint32_t		 thread;

	if (assumed == NULL || (known && idmap_get(&t->names.identities, hash, 0, &thread)))
		return false;
	assumed->assumed = false;
	assumed->row = d->off;
	if (known)
		idmap_set(&t->names.identities, hash, 0, assumed->thread);
	r = segvec_at(&t->names.threads, assumed->thread);
	thread_fill(t, r, d);
	if (d->name != NULL && d->name[0] != '\0')
		r->s.name = d->name;
	diag_take_back(t->diag, FIND_THREAD, UNDECLARED);
	return true;
}

void
names_thread(void *arg, const struct thread_decl *d)
{
	struct trace		*t = arg;
	bool			 known = d->has_tid || d->name != NULL || d->nkv > 0;
	uint64_t		 hash = identity_hash(d);
	struct thread_rec	*r;
	uint32_t		 thread, decl;

	if (names_assumed(t, d, known, hash))
		return;
	if (!known || !idmap_get(&t->names.identities, hash, 0, &thread)) {
		if (!thread_add(t, d->off, &thread))
			return;
		if (known)
			idmap_set(&t->names.identities, hash, 0, thread);
		thread_fill(t, segvec_at(&t->names.threads, thread), d);
	}
	r = segvec_at(&t->names.threads, thread);
	if (d->name != NULL && d->name[0] != '\0')
		r->s.name = d->name;
	if (may_have(t->names.decls.n, UINT32_MAX, d->off, LIMIT_DECL_BYTES)) {
		decl = decl_add(t, d->index, thread, d->off);
		((struct decl_rec *)segvec_at(&t->names.decls, decl))->row = d->off;
	} else {
		diag_add(t->diag, SEV_WARN, FIND_LIMIT, d->off, 0,
		    "a thread index is reused too often; later threads count as one");
	}
}
