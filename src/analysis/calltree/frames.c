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
frames_init(struct frames *f, uint64_t seed)
{
	*f = (struct frames){ .seed = seed };
	hashtable_init(&f->by_name);
}

void
frames_release(struct frames *f)
{
	hashtable_release(&f->by_name);
	mem_free(f->v);
	mem_free(f->key);
	f->v = NULL;
	f->key = NULL;
	f->n = f->cap = f->key_cap = 0;
}

void
frames_clear(struct frames *f)
{
	frames_release(f);
	frames_init(f, f->seed);
}

size_t
frames_bytes(const struct frames *f)
{
	return f->cap * sizeof *f->v + f->key_cap * sizeof *f->key +
	    hashtable_bytes(&f->by_name);
}

static struct frame_key
key_of(const struct frame_name *name, uint64_t ip)
{
	struct frame_key	k = { .raw = name->raw.p, .module = name->module.p };

	if (name->raw.p != NULL)
		k.number = name->unsure;
	else if (name->has_offset)
		k.number = name->offset;
	else
		k = (struct frame_key){ .number = ip };
	return k;
}

static uint64_t
hash_key_of(const struct frames *f, const struct frame_key *k)
{
	return hash_pair(hash_pair(f->seed, (uintptr_t)k->raw, (uintptr_t)k->module), k->number, 1);
}

uint32_t
frames_find(const struct frames *f, const struct frame_name *name, uint64_t ip)
{
	const struct frame_key	k = key_of(name, ip);
	uint64_t		hash = hash_key_of(f, &k);
	size_t			at = 0;

	for (uint32_t *i; (i = hashtable_next(&f->by_name, hash, &at)) != NULL; )
		if (f->key[*i].raw == k.raw && f->key[*i].module == k.module &&
		    f->key[*i].number == k.number)
			return *i;
	return FRAME_NONE;
}

uint32_t
frames_add(struct frames *f, const struct frame_name *name, uint64_t ip)
{
	const struct frame_key	k = key_of(name, ip);
	struct frame		*x;

	f->v = mem_grow(f->v, &f->cap, f->n + 1, sizeof *f->v);
	f->key = mem_grow(f->key, &f->key_cap, f->n + 1, sizeof *f->key);
	f->key[f->n] = k;
	x = &f->v[f->n];
	*x = (struct frame){ .name = *name, .ip = ip };
	if (name->clean.p == NULL)
		x->name.clean = name->raw;
	hashtable_add(&f->by_name, hash_key_of(f, &k), (uint32_t)f->n);
	return (uint32_t)f->n++;
}
