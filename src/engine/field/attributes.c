/*
 * Names of attributes by type, each once, in the order of their first occurrence.
 *
 *	event of type 3	{ id, name }		(3, id) (3, name)
 *	event of type 5	{ id }			(5, id)
 *	event of type 3	{ name, error }		(3, error)
 *
 * Invariant: memory is bounded by LIMIT_ATTRIBUTE_NAMES and the length of a name.
 */
#include "tnav/engine/attributes.h"

#include <string.h>

#include "tnav/base/arena.h"
#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/value.h"

#define BATCH	1024u		/* events decoded at once */

struct name {
	const char	*text;
	size_t		 len;
	const struct field *f;		/* of its first value, or NULL */
	uint32_t	 type;
	uint32_t	 next;		/* 1 + the next one of the same type; 0: none */
};

/* The names of a type, a linked list: indexes + 1. */
struct name_chain {
	uint32_t	first, last;
};

struct attribute_names {
	struct trace		*t;
	struct arena		 arena;
	struct hashtable	 table;
	struct name		*name;
	size_t			 n, cap;
	struct name_chain	*chain;		/* by type */
	size_t			 nchains;
	uint32_t		 type;		/* of the current event */
	bool			 full;
};

bool
attributes_in(const struct event_type *type)
{
	for (uint32_t i = 0; i < type->nfields; i++)
		if (type->fields[i].kind == FK_ATTRIBUTES)
			return true;
	return false;
}

struct attribute_names *
attribute_names_new(struct trace *t)
{
	struct attribute_names	*n = mem_zalloc(1, sizeof *n);

	n->t = t;
	return n;
}

void
attribute_names_free(struct attribute_names *n)
{
	if (n == NULL)
		return;
	mem_free(n->name);
	mem_free(n->chain);
	hashtable_release(&n->table);
	arena_release(&n->arena);
	mem_free(n);
}

static void
chain_add(struct attribute_names *n, uint32_t type, uint32_t name)
{
	struct name_chain	*c;

	n->chain = array_reach(n->chain, &n->nchains, type, sizeof *n->chain);
	c = &n->chain[type];
	if (c->last > 0)
		n->name[c->last - 1].next = name + 1;
	else
		c->first = name + 1;
	c->last = name + 1;
}

static void
add(struct attribute_names *n, struct span text, const struct field *f)
{
	uint64_t	hash = hash_more(n->type, text.p, text.len);

	HASHTABLE_EACH(&n->table, hash, i) {
		const struct name	*have = &n->name[*i];

		if (have->type == n->type && have->len == text.len &&
		    (text.len == 0 || memcmp(have->text, text.p, text.len) == 0))
			return;
	}
	if (n->n == LIMIT_ATTRIBUTE_NAMES || text.len > LIMIT_ATTRIBUTE_NAME) {
		n->full = true;
		return;
	}
	n->name = mem_grow(n->name, &n->cap, n->n + 1, sizeof *n->name);
	n->name[n->n] = (struct name){ .len = text.len, .type = n->type, .f = f,
	    .text = arena_strndup(&n->arena, text.len > 0 ? (const char *)text.p : "", text.len) };
	hashtable_add(&n->table, hash, (uint32_t)n->n);
	chain_add(n, n->type, (uint32_t)n->n++);
}

void
attribute_names_put(struct attribute_names *n, uint32_t type, struct span name)
{
	n->type = type;
	add(n, name, NULL);
}

static int
on_value(void *arg, const struct value *v)
{
	if (v->depth == 0 && v->attribute && v->kind != VK_ARRAY_END)
		add(arg, v->name, v->field);
	return 0;
}

bool
attribute_names_add(struct attribute_names *n, const struct event *e)
{
	const struct event_type	*type = trace_type(n->t, e->type);
	struct payload_result	 res;

	n->type = e->type;
	if (attributes_in(type))
		(void)payload_walk(type, trace_payload(n->t, e), on_value, n, &res);
	return !n->full;
}

void
attribute_names_add_all(struct attribute_names *n)
{
	struct event	*ev = mem_zalloc(BATCH, sizeof *ev);
	struct file_pos	 pos = { { 0 } };
	int		 got;

	do {
		got = trace_file_next(n->t, &pos, ev, BATCH);
		for (int i = 0; i < got; i++)
			(void)attribute_names_add(n, &ev[i]);
	} while (got != 0);
	mem_free(ev);
}

const char *
attribute_name(const struct attribute_names *n, size_t i)
{
	return i < n->n ? n->name[i].text : NULL;
}

const char *
attribute_name_of(const struct attribute_names *n, uint32_t type, uint32_t *at,
    const struct field **f)
{
	uint32_t	i = *at;

	if (i == 0 && type < n->nchains)
		i = n->chain[type].first;
	else if (i > 0)
		i = n->name[i - 1].next;
	*at = i;
	*f = i > 0 ? n->name[i - 1].f : NULL;
	return i > 0 ? n->name[i - 1].text : NULL;
}
