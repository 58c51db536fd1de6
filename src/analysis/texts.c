/*
 * Texts, each kept once.
 *
 *	0 "Induced"   1 "AllocSmall"   2 ...		bytes in the arena, found by hash
 *
 * Invariant: the number and the address of a text never change; all texts together have at most
 * LIMIT_REPORT_TEXTS bytes.
 */
#include "analysis/texts.h"

#include <string.h>

#include "tnav/base/arena.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/json.h"

struct texts {
	struct span		*v;
	size_t			 n, cap;
	size_t			 bytes;
	uint64_t		 seed;
	struct hashtable	 table;
	struct arena		 arena;
};

struct texts *
texts_new(void)
{
	struct texts	*t = mem_zalloc(1, sizeof *t);

	t->seed = hash_seed();
	hashtable_init(&t->table);
	arena_init(&t->arena);
	return t;
}

void
texts_free(struct texts *t)
{
	if (t == NULL)
		return;
	mem_free(t->v);
	hashtable_release(&t->table);
	arena_release(&t->arena);
	mem_free(t);
}

uint32_t
texts_add(struct texts *t, struct span text)
{
	uint64_t	hash = hash_bytes(t->seed, text.p, text.len);
	size_t		at = 0;

	for (uint32_t *i; (i = hashtable_next(&t->table, hash, &at)) != NULL;)
		if (t->v[*i].len == text.len &&
		    (text.len == 0 || memcmp(t->v[*i].p, text.p, text.len) == 0))
			return *i;
	if (t->bytes + text.len > LIMIT_REPORT_TEXTS || t->n >= LIMIT_REPORT_ROWS)
		return TEXT_NONE;
	t->v = mem_grow(t->v, &t->cap, t->n + 1, sizeof *t->v);
	t->v[t->n].p = (const uint8_t *)arena_strndup(&t->arena, (const char *)text.p, text.len);
	t->v[t->n].len = text.len;
	t->bytes += text.len;
	hashtable_add(&t->table, hash, (uint32_t)t->n);
	return (uint32_t)t->n++;
}

uint32_t
texts_add_str(struct texts *t, const char *text)
{
	return texts_add(t, span_of(text));
}

struct span
texts_at(const struct texts *t, uint32_t i)
{
	return i < t->n ? t->v[i] : (struct span){ NULL, 0 };
}

/* ---- counts */

void
text_counts_init(struct text_counts *c)
{
	*c = (struct text_counts){ .texts = texts_new() };
}

void
text_counts_release(struct text_counts *c)
{
	texts_free(c->texts);
	mem_free(c->count);
	*c = (struct text_counts){ .n = 0 };
}

void
text_counts_add(struct text_counts *c, struct span text, uint64_t by)
{
	uint32_t	i = texts_add(c->texts, text);

	if (i == TEXT_NONE)
		return;
	if (i >= c->n) {
		c->count = mem_grow(c->count, &c->cap, (size_t)i + 1, sizeof *c->count);
		c->count[c->n++] = 0;
	}
	c->count[i] += by;
}

void
text_counts_json(const struct text_counts *c, struct buf *out)
{
	json_open(out, '{');
	for (size_t i = 0; i < c->n; i++) {
		json_key_text(out, texts_at(c->texts, (uint32_t)i));
		json_u64(out, c->count[i]);
	}
	json_close(out, '}');
}
