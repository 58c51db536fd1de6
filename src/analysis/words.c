/*
 * Texts, each once.
 *
 *	0	System.String		by hash: found again
 *	1	System.Byte[]
 *	...	(others)		all that came when there were too many
 *
 * Invariant: a word keeps its number and its place; there are no more than LIMIT_WORDS and one,
 * of LIMIT_WORD_BYTES and one of the longest.
 */
#include "analysis/words.h"

#include <string.h>

#include "tnav/base/arena.h"
#include "tnav/base/hash.h"
#include "tnav/base/hashtable.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

struct words {
	struct span		*v;
	size_t			 n, cap;
	size_t			 bytes;
	uint64_t		 beyond;
	uint32_t		 others;	/* WORD_NONE: not needed so far */
	struct hash_keys	 keys;
	struct hashtable	 table;
	struct arena		 arena;
};

struct words *
words_new(void)
{
	struct words	*w = mem_zalloc(1, sizeof *w);

	w->keys = hash_keys(hash_seed());
	w->others = WORD_NONE;
	hashtable_init(&w->table);
	arena_init(&w->arena);
	return w;
}

void
words_free(struct words *w)
{
	if (w == NULL)
		return;
	mem_free(w->v);
	hashtable_release(&w->table);
	arena_release(&w->arena);
	mem_free(w);
}

static uint32_t
word_keep(struct words *w, struct span text)
{
	const char	*kept = arena_strndup(&w->arena, (const char *)text.p, text.len);

	w->v = mem_grow(w->v, &w->cap, w->n + 1, sizeof *w->v);
	w->v[w->n++] = (struct span){ (const uint8_t *)kept, text.len };
	w->bytes += text.len;
	return (uint32_t)(w->n - 1);
}

static uint32_t
word_others(struct words *w)
{
	w->beyond++;
	if (w->others == WORD_NONE)
		w->others = word_keep(w, span_of("(others)"));
	return w->others;
}

uint32_t
words_add(struct words *w, struct span text)
{
	uint64_t	hash;
	size_t		at = 0;

	if (text.p == NULL)
		text = span_of("");
	if (text.len > LIMIT_NAME)
		text.len = LIMIT_NAME;
	hash = hash_bytes_by(&w->keys, text.p, text.len);
	for (const uint32_t *i; (i = hashtable_next(&w->table, hash, &at)) != NULL;)
		if (w->v[*i].len == text.len && memcmp(w->v[*i].p, text.p, text.len) == 0)
			return *i;
	if (w->n >= LIMIT_WORDS || w->bytes >= LIMIT_WORD_BYTES)
		return word_others(w);
	hashtable_add(&w->table, hash, (uint32_t)w->n);
	return word_keep(w, text);
}

uint32_t
words_n(const struct words *w)
{
	return (uint32_t)w->n;
}

struct span
words_at(const struct words *w, uint32_t word)
{
	return w->v[word];
}

uint64_t
words_beyond(const struct words *w)
{
	return w->beyond;
}
