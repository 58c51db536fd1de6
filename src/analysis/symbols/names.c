/*
 * Names, interned.
 *
 *	raw	Demo.Shapes+Circle.get_Item(int32)	as the trace has it
 *		|<---- type ----->|name    |args
 *	clean	Demo.Shapes.Circle.get_Item(int)	made when it is asked for first
 *
 * Invariant: a name never changes once added; its clean form is published once, and its length
 * before it.
 */
#include "analysis/symbols/names.h"

#include <stdatomic.h>
#include <string.h>

#include "analysis/symbols/clean.h"
#include "tnav/base/hash.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"

#define ROOM	((size_t)64 << 10)	/* of the arena that texts share */

struct sym_name {
	const char		*raw;
	uint32_t		 len, type_len, args_at;
	bool			 native, is_bool;
	_Atomic(const char *)	 clean;		/* NULL: not made yet */
	uint32_t		 clean_len;
};

void
sym_names_init(struct sym_names *n)
{
	n->seed = hash_seed();
	arena_init(&n->arena);
	n->room = NULL;
	n->nroom = 0;
	segvec_init(&n->v, sizeof(struct sym_name));
	hashtable_init(&n->by_text);
	n->lock = lock_new();
}

void
sym_names_release(struct sym_names *n)
{
	arena_release(&n->arena);
	segvec_release(&n->v);
	hashtable_release(&n->by_text);
	lock_free(n->lock);
}

/* Names are many and short: they stand side by side, without an end or an alignment. */
static const char *
keep_text(struct sym_names *n, const void *p, size_t len)
{
	char	*to;

	if (len == 0)
		return "";
	if (len > ROOM / 4)
		return arena_strndup(&n->arena, p, len);
	if (len > n->nroom) {
		n->room = arena_alloc(&n->arena, ROOM);
		n->nroom = ROOM;
	}
	to = memcpy(n->room, p, len);
	n->room += len;
	n->nroom -= len;
	return to;
}

static bool
same(const struct sym_name *s, const struct name_text *t)
{
	return s->len == t->raw.len && s->native == t->native && s->type_len == t->type_len &&
	    s->args_at == t->args_at && s->is_bool == t->is_bool &&
	    (s->len == 0 || memcmp(s->raw, t->raw.p, s->len) == 0);
}

uint32_t
sym_names_add(struct sym_names *n, const struct name_text *t)
{
	uint64_t	 hash = hash_bytes(n->seed, t->raw.p, t->raw.len);
	struct sym_name	*s;
	size_t		 at = 0;

	for (uint32_t *i; (i = hashtable_next(&n->by_text, hash, &at)) != NULL; )
		if (same(segvec_at(&n->v, *i), t))
			return *i;
	s = segvec_add(&n->v);
	s->raw = keep_text(n, t->raw.p, t->raw.len);
	s->len = (uint32_t)t->raw.len;
	s->type_len = t->type_len;
	s->args_at = t->args_at;
	s->native = t->native;
	s->is_bool = t->is_bool;
	hashtable_add(&n->by_text, hash, (uint32_t)(n->v.n - 1));
	return (uint32_t)(n->v.n - 1);
}

struct span
sym_names_raw(const struct sym_names *n, uint32_t i)
{
	const struct sym_name	*s = segvec_at(&n->v, i);

	return (struct span){ (const uint8_t *)s->raw, s->len };
}

static void
make_clean(struct sym_names *n, struct sym_name *s)
{
	struct method_parts	 parts = {
		.type = { (const uint8_t *)s->raw, s->type_len },
		.is_bool = s->is_bool,
	};
	size_t			 name_at = s->type_len > 0 ? s->type_len + 1 : 0;
	struct buf		 b;
	const char		*text;

	parts.name = (struct span){ (const uint8_t *)s->raw + name_at, s->args_at - name_at };
	parts.args = (struct span){ (const uint8_t *)s->raw + s->args_at, s->len - s->args_at };
	buf_init(&b);
	clean_method(&b, &parts);
	lock_take(n->lock);
	if (atomic_load(&s->clean) == NULL) {
		text = keep_text(n, buf_str(&b), b.len);
		s->clean_len = (uint32_t)b.len;
		atomic_store_explicit(&s->clean, text, memory_order_release);
	}
	lock_drop(n->lock);
	buf_release(&b);
}

struct span
sym_names_clean(struct sym_names *n, uint32_t i)
{
	struct sym_name	*s = segvec_at(&n->v, i);
	const char	*text;

	if (s->native)
		return sym_names_raw(n, i);
	if (atomic_load_explicit(&s->clean, memory_order_acquire) == NULL)
		make_clean(n, s);
	text = atomic_load_explicit(&s->clean, memory_order_acquire);
	return (struct span){ (const uint8_t *)text, s->clean_len };
}

bool
sym_names_parts(const struct sym_names *n, uint32_t i, uint32_t *type_len, uint32_t *args_at)
{
	const struct sym_name	*s = segvec_at(&n->v, i);

	*type_len = s->type_len;
	*args_at = s->args_at;
	return !s->native;
}

size_t
sym_names_bytes(const struct sym_names *n)
{
	return n->arena.total + segvec_bytes(&n->v) + hashtable_bytes(&n->by_text);
}

static size_t
underscores(struct span s)
{
	return s.len > 0 && s.p[0] == '_';
}

bool
sym_names_better(void *names, uint32_t a, uint32_t b)
{
	struct span	x = sym_names_raw(names, a), y = sym_names_raw(names, b);

	if (underscores(x) != underscores(y))
		return underscores(x) < underscores(y);
	if (x.len != y.len)
		return x.len < y.len;
	return memcmp(x.p, y.p, x.len) < 0;
}

/* The parameter list of a signature: what follows the two blanks. */
static struct span
arguments(struct span s)
{
	for (size_t i = 0; i + 2 < s.len; i++)
		if (s.p[i] == ' ' && s.p[i + 1] == ' ' && s.p[i + 2] == '(')
			return (struct span){ s.p + i + 2, s.len - i - 2 };
	for (size_t i = 0; i < s.len; i++)	/* it is not as expected */
		if (s.p[i] == '(')
			return (struct span){ s.p + i, s.len - i };
	return (struct span){ s.p, 0 };
}

static bool
gives_bool(struct span signature)
{
	static const char	is[] = "instance bool  (";

	return signature.len >= sizeof is - 1 && memcmp(signature.p, is, sizeof is - 1) == 0;
}

/* No more than fits, and no part of a character. */
static size_t
fitting(struct span s, size_t room)
{
	size_t	n = s.len < room ? s.len : room;

	while (n > 0 && n < s.len && (s.p[n] & 0xc0) == 0x80)
		n--;
	return n;
}

static void
add_part(struct buf *text, struct span part, size_t begin)
{
	size_t	used = text->len - begin;

	buf_add(text, part.p, fitting(part, LIMIT_NAME - (used < LIMIT_NAME ? used : LIMIT_NAME)));
}

void
name_of_method(struct buf *text, struct span type, struct span name, struct span signature,
    struct name_text *out)
{
	size_t	begin = text->len;

	*out = (struct name_text){ .is_bool = gives_bool(signature) };
	add_part(text, type, begin);
	out->type_len = (uint32_t)(text->len - begin);
	if (out->type_len > 0)
		buf_putc(text, '.');
	add_part(text, name, begin);
	out->args_at = (uint32_t)(text->len - begin);
	add_part(text, arguments(signature), begin);
	out->raw.len = text->len - begin;
}
