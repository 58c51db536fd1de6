/*
 * Frames, interned.
 *
 *	name	Demo.Here.Say(int32), Demo.dll	by the addresses of both texts
 *	none	libc.so.6, 0x2784f		by the module's place and the offset
 *	none	0x7f88647878af			by the address
 */
#include "analysis/calltree/frames.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

void
frames_release(struct frames *f)
{
	hashtable_release(&f->by_name);
	hashtable_release(&f->by_text);
	mem_free(f->v);
	mem_free(f->name);
	*f = (struct frames){ .n = 0 };
}

size_t
frames_bytes(const struct frames *f)
{
	return f->cap * sizeof *f->v + f->name_cap * sizeof *f->name +
	    hashtable_bytes(&f->by_name) + hashtable_bytes(&f->by_text);
}

/* What tells frames with equal texts apart. */
static uint64_t
number_of(const struct frame_name *name, uint64_t ip)
{
	if (name->raw.p != NULL)
		return name->unsure;
	return name->has_offset ? name->offset : ip;
}

static uint64_t
text_hash(const struct frame_name *name)
{
	return hash_pair((uintptr_t)name->raw.p, (uintptr_t)name->module.p);
}

static uint64_t
frame_hash(const struct frame_name *name, uint64_t number)
{
	return hash_pair(text_hash(name), number << 1 | name->has_offset);
}

static bool
same_texts(const struct frame_name *a, const struct frame_name *b)
{
	return a->raw.p == b->raw.p && a->module.p == b->module.p &&
	    a->has_offset == b->has_offset && a->unsure == b->unsure;
}

struct call_frame
frames_at(const struct frames *f, uint32_t i)
{
	const struct frame_entry	*x = &f->v[i];
	struct call_frame		 out = { .name = f->name[x->name], .ip = x->ip };

	if (out.name.has_offset)
		out.name.offset = x->number;
	return out;
}

uint32_t
frames_find(const struct frames *f, const struct frame_name *name, uint64_t ip)
{
	uint64_t	number = number_of(name, ip), hash = frame_hash(name, number);

	HASHTABLE_EACH(&f->by_name, hash, i)
		if (f->v[*i].number == number &&
		    same_texts(&f->name[f->v[*i].name], name))
			return *i;
	return FRAME_NONE;
}

static uint32_t
name_add(struct frames *f, const struct frame_name *name)
{
	uint64_t	hash = text_hash(name);

	HASHTABLE_EACH(&f->by_text, hash, i)
		if (same_texts(&f->name[*i], name))
			return *i;
	f->name = mem_grow(f->name, &f->name_cap, f->nnames + 1, sizeof *f->name);
	f->name[f->nnames] = *name;
	if (name->clean.p == NULL)
		f->name[f->nnames].clean = name->raw;
	hashtable_add(&f->by_text, hash, (uint32_t)f->nnames);
	return (uint32_t)f->nnames++;
}

uint32_t
frames_add(struct frames *f, const struct frame_name *name, uint64_t ip)
{
	uint64_t	number = number_of(name, ip);

	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->v[f->n] = (struct frame_entry){ number, ip, name_add(f, name) };
	hashtable_add(&f->by_name, frame_hash(name, number), (uint32_t)f->n);
	f->unnamed += name->raw.p == NULL;
	return (uint32_t)f->n++;
}
