/*
 * Names, interned.
 *
 *	raw	Demo.Shapes+Circle.get_Item(int32)	as the trace has it
 *		|<---- type ----->|name    |args	types and arguments are names of their own,
 *							as many methods share them
 *	clean	Demo.Shapes.Circle.get_Item(int)
 *
 * Both forms are made on first use: most are never used.
 *
 * Invariant: a name never changes once added; its forms are published once.
 */
#include "analysis/symbols/names.h"

#include <stdatomic.h>
#include <string.h>

#include "analysis/symbols/clean.h"
#include "tnav/base/hash.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"

#define ROOM	((size_t)64 << 10)	/* of the block of the arena that texts share */

struct name_form {
	uint32_t	len;
	char		text[];
};

typedef _Atomic(const struct name_form *)	form_at;	/* NULL: not made yet */

struct sym_name {
	const char	*text;		/* of a method: only its own name */
	uint32_t	 len, type, args;	/* type, args: names; NAME_NONE: not a method */
	bool		 is_bool;
	form_at		 raw, clean;
};

void
sym_names_init(struct sym_names *n)
{
	*n = (struct sym_names){ .type = NAME_NONE, .args = NAME_NONE,
	    .lock = lock_new(LOCK_LEAF) };
}

void
sym_names_release(struct sym_names *n)
{
	arena_release(&n->arena);
	segvec_release(&n->v);
	hashtable_release(&n->by_text);
	lock_free(n->lock);
}

/* Names are many and short, so they are stored without terminator and alignment. */
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

struct span
sym_names_text(const struct sym_names *n, uint32_t i)
{
	const struct sym_name	*s = segvec_at(&n->v, i);

	return (struct span){ (const uint8_t *)s->text, s->len };
}

/* The number of the text with these parts, added if it is new. */
static uint32_t
intern(struct sym_names *n, struct span text, uint32_t type, uint32_t args, bool is_bool)
{
	uint64_t	 parts = hash_pair(type, (uint64_t)args << 1 | is_bool);
	uint64_t	 hash = hash_more(parts, text.p, text.len);
	struct sym_name	*s;

	HASHTABLE_EACH(&n->by_text, hash, i) {
		s = segvec_at(&n->v, *i);
		if (s->type == type && s->args == args && s->is_bool == is_bool &&
		    spans_equal(sym_names_text(n, *i), text))
			return *i;
	}
	s = segvec_add(&n->v, sizeof *s);
	s->text = keep_text(n, text.p, text.len);
	s->len = (uint32_t)text.len;
	s->type = type;
	s->args = args;
	s->is_bool = is_bool;
	hashtable_add(&n->by_text, hash, (uint32_t)(n->v.n - 1));
	return (uint32_t)(n->v.n - 1);
}

static struct span
part_of(struct span s, size_t from, size_t to)
{
	return from < to ? (struct span){ s.p + from, to - from } : (struct span){ NULL, 0 };
}

/* intern() of a part. It is often equal to *last, that of the previous method. */
static uint32_t
intern_part(struct sym_names *n, uint32_t *last, struct span text)
{
	if (*last == NAME_NONE || !spans_equal(sym_names_text(n, *last), text))
		*last = intern(n, text, NAME_NONE, NAME_NONE, false);
	return *last;
}

uint32_t
sym_names_add(struct sym_names *n, const struct name_text *t)
{
	size_t		name_at = t->type_len > 0 ? (size_t)t->type_len + 1 : 0;
	uint32_t	type, args;

	if (t->native)
		return intern(n, t->raw, NAME_NONE, NAME_NONE, false);
	type = intern_part(n, &n->type, part_of(t->raw, 0, t->type_len));
	args = intern_part(n, &n->args, part_of(t->raw, t->args_at, t->raw.len));
	return intern(n, part_of(t->raw, name_at, t->args_at), type, args, t->is_bool);
}

static bool
is_method(const struct sym_name *s)
{
	return s->type != NAME_NONE;
}

static void
make_raw(const struct sym_names *n, const struct sym_name *s, struct buf *out)
{
	struct span	type = sym_names_text(n, s->type), args = sym_names_text(n, s->args);

	buf_add(out, type.p, type.len);
	if (type.len > 0)
		buf_putc(out, '.');
	buf_add(out, s->text, s->len);
	buf_add(out, args.p, args.len);
}

static void
make_clean(const struct sym_names *n, const struct sym_name *s, struct buf *out)
{
	const struct method_parts	parts = {
		.type = sym_names_text(n, s->type),
		.name = { (const uint8_t *)s->text, s->len },
		.args = sym_names_text(n, s->args),
		.is_bool = s->is_bool,
	};

	clean_method(out, &parts);
}

/* Publish a form. If another thread has published it first, that one is used. */
static void
publish(struct sym_names *n, form_at *at, const struct buf *b)
{
	struct name_form	*f;

	lock_take(n->lock);
	if (atomic_load(at) == NULL) {
		f = arena_alloc(&n->arena, sizeof *f + b->len);
		f->len = (uint32_t)b->len;
		if (b->len > 0)
			memcpy(f->text, b->p, b->len);
		atomic_store_explicit(at, f, memory_order_release);
	}
	lock_drop(n->lock);
}

static struct span
form_of(struct sym_names *n, uint32_t i, bool clean)
{
	struct sym_name		*s = segvec_at(&n->v, i);
	form_at			*at = clean ? &s->clean : &s->raw;
	const struct name_form	*f;
	struct buf		 b = { 0 };

	if (!is_method(s))
		return sym_names_text(n, i);
	if (atomic_load_explicit(at, memory_order_acquire) == NULL) {
		(clean ? make_clean : make_raw)(n, s, &b);
		publish(n, at, &b);
		buf_release(&b);
	}
	f = atomic_load_explicit(at, memory_order_acquire);
	return (struct span){ (const uint8_t *)f->text, f->len };
}

struct span
sym_names_raw(struct sym_names *n, uint32_t i)
{
	return form_of(n, i, false);
}

struct span
sym_names_clean(struct sym_names *n, uint32_t i)
{
	return form_of(n, i, true);
}

bool
sym_names_parts(const struct sym_names *n, uint32_t i, uint32_t *type_len, uint32_t *args_at)
{
	const struct sym_name	*s = segvec_at(&n->v, i);

	*type_len = is_method(s) ? (uint32_t)sym_names_text(n, s->type).len : 0;
	*args_at = *type_len + (*type_len > 0) + s->len;
	return is_method(s);
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
	struct span	x = sym_names_text(names, a), y = sym_names_text(names, b);

	if (underscores(x) != underscores(y))
		return underscores(x) < underscores(y);
	if (x.len != y.len)
		return x.len < y.len;
	return memcmp(x.p, y.p, x.len) < 0;
}

/* The parameter list of a signature: the text after the two blanks. */
static struct span
arguments(struct span s)
{
	for (size_t i = 0; i + 2 < s.len; i++)
		if (s.p[i] == ' ' && s.p[i + 1] == ' ' && s.p[i + 2] == '(')
			return (struct span){ s.p + i + 2, s.len - i - 2 };
	for (size_t i = 0; i < s.len; i++)	/* not the expected form */
		if (s.p[i] == '(')
			return (struct span){ s.p + i, s.len - i };
	return (struct span){ s.p, 0 };
}

static bool
gives_bool(struct span signature)
{
	return span_begins(signature, "instance bool  (");
}

/* The longest prefix that fits and ends at a character. */
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
