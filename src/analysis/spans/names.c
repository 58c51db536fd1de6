/*
 * Names of spans, each once.
 *
 *	0	GC   Microsoft-Windows-DotNETRuntime  GCStart
 *	1	JIT  Microsoft-Windows-DotNETRuntime  MethodJittingStarted
 *
 * Invariant: a name keeps its number and its place, as others read names while one is added; there
 * are no more than LIMIT_SPAN_NAMES and one.
 */
#include "analysis/spans/names.h"

#include <string.h>

#include "tnav/base/arena.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/segvec.h"

struct name_table {
	struct segvec		 v;		/* of struct span_name */
	struct hashtable	 table;
	struct arena		 arena;
};

struct name_table *
names_new(void)
{
	return mem_zalloc(1, sizeof(struct name_table));
}

void
names_free(struct name_table *n)
{
	if (n == NULL)
		return;
	segvec_release(&n->v);
	hashtable_release(&n->table);
	arena_release(&n->arena);
	mem_free(n);
}

static bool
is_same(const struct span_name *a, const struct span_name *b)
{
	return a->source == b->source && strcmp(a->group, b->group) == 0 &&
	    strcmp(a->provider, b->provider) == 0 && strcmp(a->name, b->name) == 0 &&
	    (a->by.p == NULL) == (b->by.p == NULL) && spans_equal(a->by, b->by);
}

static uint64_t
name_hash(const struct span_name *v)
{
	uint64_t	h = hash_more(v->source, v->group, strlen(v->group));

	h = hash_more(h, v->provider, strlen(v->provider));
	h = hash_more(h, v->name, strlen(v->name));
	return hash_more(h ^ (v->by.p != NULL), v->by.p, v->by.len);
}

static char *
keep(struct name_table *n, const char *s)
{
	return arena_strndup(&n->arena, s, strlen(s));
}

uint32_t
names_add(struct name_table *n, const struct span_name *name)
{
	struct span_name	 v = *name;
	uint64_t		 hash;

	if (n->v.n >= LIMIT_SPAN_NAMES)
		v = (struct span_name){ .group = "", .provider = "", .name = "(other names)",
		    .title = "(other names)" };
	hash = name_hash(&v);
	HASHTABLE_EACH(&n->table, hash, i)
		if (is_same(names_at(n, *i), &v))
			return *i;
	v.group = keep(n, v.group);
	v.provider = keep(n, v.provider);
	v.name = keep(n, v.name);
	v.title = keep(n, v.title);
	if (v.by.p != NULL)
		v.by.p = (const uint8_t *)arena_strndup(&n->arena, (const char *)v.by.p, v.by.len);
	*(struct span_name *)segvec_add(&n->v, sizeof v) = v;
	hashtable_add(&n->table, hash, (uint32_t)(n->v.n - 1));
	return (uint32_t)(n->v.n - 1);
}

uint32_t
names_n(const struct name_table *n)
{
	return (uint32_t)n->v.n;
}

const struct span_name *
names_at(const struct name_table *n, uint32_t i)
{
	return segvec_known(&n->v, i);
}
