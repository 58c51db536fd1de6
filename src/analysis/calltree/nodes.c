/*
 * A prefix tree.
 *
 *	v	0 root | 1 (Main, 0) | 2 (Run, 1) | 3 (Save, 1) ...
 *
 * Invariant: v[i].parent < i, except for the root.
 */
#include "analysis/calltree/nodes.h"

#include "tnav/base/hash.h"
#include "tnav/base/mem.h"

void
nodes_init(struct nodes *t, uint32_t most)
{
	*t = (struct nodes){ .most = most };
	ARRAY_ADD(t->v, t->n, t->cap, (struct node){ .key = UINT32_MAX });
}

void
nodes_release(struct nodes *t)
{
	hashtable_release(&t->by_key);
	mem_free(t->v);
	t->v = NULL;
	t->n = t->cap = 0;
}

static uint32_t
add(struct nodes *t, uint32_t parent, uint32_t key)
{
	ARRAY_ADD(t->v, t->n, t->cap, (struct node){ .key = key, .parent = parent });
	return (uint32_t)(t->n - 1);
}

uint32_t
nodes_append(struct nodes *t, uint32_t parent, uint32_t key)
{
	t->steps++;
	return add(t, parent, key);
}

uint32_t
nodes_child(struct nodes *t, uint32_t parent, uint32_t key)
{
	uint64_t	hash = hash_pair(parent, key);

	t->steps++;
	HASHTABLE_EACH(&t->by_key, hash, i)
		if (t->v[*i].parent == parent && t->v[*i].key == key)
			return *i;
	if (t->n >= t->most) {
		t->full = true;
		return parent;
	}
	hashtable_add(&t->by_key, hash, (uint32_t)t->n);
	return add(t, parent, key);
}
