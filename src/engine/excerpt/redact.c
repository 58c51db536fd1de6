/*
 * Redaction: what is a text, and what becomes of it.
 *
 *	text --SipHash, key--> 64 bits --again, with a counter--> 8 letters each
 *
 * Letters are consonants, upper and lower case in turn, as no text of a trace has them; so a search
 * for the texts afterwards finds what was forgotten, and nothing by chance. Each unit becomes one
 * letter, so no length in the payload changes. Units of zero stay.
 *
 * The texts are found by their first eight bytes, in either encoding:
 *
 *	bytes at p -> a bit per hash: rarely set -> sorted texts with these bytes -> compare
 */
#include "tnav/engine/redact.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "tnav/base/array.h"
#include "tnav/base/hash.h"
#include "tnav/base/interned.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/model/value.h"

#define BITS		(1u << 23)	/* of the table of first bytes */
/* In place of a kind: of a field that is kept, or always redacted. */
#define REDACT_NONE	0u
#define REDACT_ALWAYS	0x100u
#define FILL_CUT	0xff		/* the rest of a payload that ends inside a field: zeroes
					   might be read as an empty text */

/* A field with a rule of its own. */
struct redact_rule {
	char	*field;			/* PROVIDER/EVENT.FIELD */
	bool	 keep;
};

struct redact {
	unsigned			 what;
	uint64_t			 k0, k1;
	const struct redact_texts	*hidden;	/* or NULL */
	struct redact_rule		*rule;
	size_t				 nrules, rule_cap;
};

/* ---- SipHash-2-4 */

static inline uint64_t
rotate(uint64_t x, unsigned n)
{
	return x << n | x >> (64 - n);
}

static inline void
sip_round(uint64_t v[4])
{
	v[0] += v[1];
	v[2] += v[3];
	v[1] = rotate(v[1], 13) ^ v[0];
	v[3] = rotate(v[3], 16) ^ v[2];
	v[0] = rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = rotate(v[1], 17) ^ v[2];
	v[3] = rotate(v[3], 21) ^ v[0];
	v[2] = rotate(v[2], 32);
}

static inline void
sip_word(uint64_t v[4], uint64_t m)
{
	v[3] ^= m;
	sip_round(v);
	sip_round(v);
	v[0] ^= m;
}

static uint64_t
sip(uint64_t k0, uint64_t k1, const void *bytes, size_t len)
{
	const uint8_t	*p = bytes;
	uint64_t	 v[4] = { k0 ^ 0x736f6d6570736575, k1 ^ 0x646f72616e646f6d,
			    k0 ^ 0x6c7967656e657261, k1 ^ 0x7465646279746573 };
	uint64_t	 last = (uint64_t)len << 56;
	size_t		 i = 0;

	for (; len - i >= 8; i += 8)
		sip_word(v, load_u64le(p + i));
	for (unsigned shift = 0; i < len; i++, shift += 8)
		last |= (uint64_t)p[i] << shift;
	sip_word(v, last);
	v[2] ^= 0xff;
	for (unsigned n = 0; n < 4; n++)
		sip_round(v);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

struct redact *
redact_new(unsigned what, const char *key)
{
	struct redact	*r = mem_zalloc(1, sizeof *r);

	r->what = what;
	r->k0 = key != NULL ? sip(1, 2, key, strlen(key)) : hash_seed();
	r->k1 = key != NULL ? sip(3, 4, key, strlen(key)) : hash_seed();
	return r;
}

void
redact_free(struct redact *r)
{
	if (r == NULL)
		return;
	for (size_t i = 0; i < r->nrules; i++)
		mem_free(r->rule[i].field);
	mem_free(r->rule);
	mem_free(r);
}

void
redact_field(struct redact *r, const char *field, bool keep)
{
	ARRAY_ADD(r->rule, r->nrules, r->rule_cap, (struct redact_rule){ mem_strdup(field), keep });
}

void
redact_seek(struct redact *r, const struct redact_texts *hidden)
{
	r->hidden = hidden;
}

/* ---- what a text is */

static bool
has_word(struct span s, const char *const *words)
{
	for (; *words != NULL; words++) {
		size_t	n = strlen(*words);

		for (size_t i = 0; i + n <= s.len; i++)
			if (strncasecmp((const char *)s.p + i, *words, n) == 0)
				return true;
	}
	return false;
}

unsigned
redact_kind(struct span field, struct span text)
{
	static const char *const	args[] = { "commandline", "cmdline", "argument", "args",
					    "environment", NULL };
	static const char *const	paths[] = { "path", "file", "directory", "url", "uri",
					    "host", "query", NULL };
	static const char *const	names[] = { "name", "signature", "type", NULL };

	if (has_word(field, args))
		return REDACT_ARGS;
	if (has_word(field, paths))
		return REDACT_PATHS;
	if (has_word(field, names))
		return REDACT_NAMES;
	if (text.len > 0 && (memchr(text.p, '/', text.len) != NULL ||
	    memchr(text.p, '\\', text.len) != NULL))
		return REDACT_PATHS;
	return REDACT_TEXT;
}

/* ---- letters */

/* The letters of a text, one after the other. */
struct letters {
	const struct redact	*r;
	uint64_t		 hash, bits;
	uint64_t		 n;		/* letters so far */
};

static char
letter_next(struct letters *l)
{
	static const char	letter[] = "BCDFGHJKLMNPQRSTVWXZ";
	uint64_t		block[2] = { l->hash, l->n / 8 };
	char			c;

	if (l->n % 8 == 0)
		l->bits = sip(l->r->k0, l->r->k1, block, sizeof block);
	c = letter[(l->bits & 0xff) % 20];
	l->bits >>= 8;
	return (char)(l->n++ % 2 == 0 ? c : c | 0x20);
}

static struct letters
letters_of(const struct redact *r, struct span text)
{
	return (struct letters){ .r = r, .hash = sip(r->k1, r->k0, text.p, text.len) };
}

/* ---- texts that were replaced */

struct redact_text {
	size_t	at, len;
};

struct redact_texts {
	struct interned		 all;
	size_t			 bytes, most;	/* of them, and how many may be */
	bool			 beyond;	/* there were more */
	/* For searching: of each text both encodings, by their bytes. */
	struct buf		 forms;
	struct redact_text	*form;
	size_t			 nforms;
	uint64_t		*bit;		/* NULL: not sorted */
};

struct redact_texts *
redact_texts_new(size_t most)
{
	struct redact_texts	*x = mem_zalloc(1, sizeof *x);

	x->most = most;
	return x;
}

void
redact_texts_free(struct redact_texts *x)
{
	if (x == NULL)
		return;
	interned_release(&x->all);
	buf_release(&x->forms);
	mem_free(x->form);
	mem_free(x->bit);
	mem_free(x);
}

static void
text_add(struct redact_texts *x, struct span s)
{
	uint32_t	number;

	if (x == NULL || s.len * 2 < REDACT_LEAST || interned_find(&x->all, s, &number))
		return;
	if (s.len > x->most - x->bytes) {
		x->beyond = true;
		return;
	}
	(void)interned_add(&x->all, s);
	x->bytes += s.len;
}

void
redact_texts_add(struct redact_texts *x, const struct redact_texts *more)
{
	for (size_t i = 0; i < more->all.n; i++)
		text_add(x, more->all.v[i]);
	x->beyond |= more->beyond;
}

size_t
redact_texts_count(const struct redact_texts *x)
{
	return x->all.n;
}

bool
redact_texts_beyond(const struct redact_texts *x)
{
	return x->beyond;
}

static struct span
form_span(const struct redact_texts *x, size_t i)
{
	return (struct span){ (const uint8_t *)x->forms.p + x->form[i].at, x->form[i].len };
}

/* Where the bits of the first bytes of a form are. */
static inline uint32_t
bit_of(const uint8_t *p)
{
	return (uint32_t)(load_u64le(p) * 0x9e3779b97f4a7c15u >> 41) % BITS;
}

/* A form to be sorted, with its bytes. */
struct sorted_form {
	struct span	s;
};

SORT_ORDER(form_compare, struct sorted_form, COMPARED(spans_compare, s))

static void
form_add(struct redact_texts *x, size_t *n, size_t at)
{
	size_t	len = x->forms.len - at;

	if (len < REDACT_LEAST)
		x->forms.len = at;
	else
		x->form[(*n)++] = (struct redact_text){ at, len };
}

/* UTF-8 as UTF-16: only ASCII, which texts in both encodings mostly are. */
static void
put_wide(struct buf *out, const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		buf_putc(out, p[i]);
		buf_putc(out, 0);
	}
}

static bool
is_ascii(const char *p, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)p[i] >= 0x80)
			return false;
	return true;
}

void
redact_texts_sort(struct redact_texts *x)
{
	struct sorted_form	*v;
	struct buf		 all = { 0 };
	size_t			 n = 0;

	x->form = mem_zalloc(2 * x->all.n + 1, sizeof *x->form);
	for (size_t i = 0; i < x->all.n; i++) {
		const struct span	s = x->all.v[i];
		const char		*p = (const char *)s.p;
		size_t			 at = x->forms.len;

		buf_span(&x->forms, s);
		form_add(x, &n, at);
		at = x->forms.len;
		if (is_ascii(p, s.len))
			put_wide(&x->forms, p, s.len);
		form_add(x, &n, at);
	}
	x->nforms = n;
	v = mem_zalloc(n + 1, sizeof *v);
	for (size_t i = 0; i < n; i++)
		v[i].s = form_span(x, i);
	sort_array(v, n, sizeof *v, form_compare);
	for (size_t i = 0; i < n; i++) {
		x->form[i] = (struct redact_text){ all.len, v[i].s.len };
		buf_span(&all, v[i].s);
	}
	buf_release(&x->forms);
	x->forms = all;
	x->bit = mem_zalloc(BITS / 64, sizeof *x->bit);
	for (size_t i = 0; i < n; i++) {
		uint32_t	bit = bit_of(form_span(x, i).p);

		x->bit[bit / 64] |= UINT64_C(1) << bit % 64;
	}
	mem_free(v);
}

/* Does s begin with one of the texts? */
static bool
begins_with_text(const struct redact_texts *x, struct span s, struct span *text)
{
	size_t	at = 0;

	/* Texts that s begins with come before it, those with the same first bytes together. */
	BISECT(at, x->nforms, i, spans_compare(form_span(x, i), s) <= 0);
	while (at-- > 0) {
		*text = form_span(x, at);
		if (memcmp(text->p, s.p, REDACT_LEAST) != 0)
			return false;
		if (text->len <= s.len && memcmp(text->p, s.p, text->len) == 0)
			return true;
	}
	return false;
}

bool
redact_texts_find(const struct redact_texts *x, struct span s, size_t *at, struct span *text)
{
	for (size_t i = 0; i + REDACT_LEAST <= s.len && x->bit != NULL; i++) {
		uint32_t	bit = bit_of(s.p + i);

		if ((x->bit[bit / 64] >> bit % 64 & 1) == 0 ||
		    !begins_with_text(x, (struct span){ s.p + i, s.len - i }, text))
			continue;
		*at = i;
		return true;
	}
	return false;
}

/* ---- payloads */

/* Is a text to be redacted: because of its kind, or because it contains one that is? */
static bool
is_chosen(const struct redact *r, unsigned kind, struct span bytes)
{
	struct span	text;
	size_t		at;

	if (kind == REDACT_NONE)
		return false;
	return (r->what & kind) != 0 || kind == REDACT_ALWAYS ||
	    (r->hidden != NULL && redact_texts_find(r->hidden, bytes, &at, &text));
}

struct redacting {
	const struct redact	*r;
	const struct event_type	*type;
	struct span		 payload;
	char			*out;
	struct redact_texts	*texts;
	struct buf		 utf8;
	size_t			 end;		/* of what was decoded */
	size_t			 before;	/* ... without a last byte: in a tracepoint it
						   begins a text (model/builtin.c) */
	bool			 odd;		/* a value is not in the payload */
};

void
redact_utf8(const struct redact *r, unsigned kind, char *p, size_t len,
    struct redact_texts *texts)
{
	struct span	s = { (const uint8_t *)p, len };
	struct letters	l;

	if (!is_chosen(r, kind, s))
		return;
	text_add(texts, s);
	l = letters_of(r, s);
	for (size_t i = 0; i < len; i++)
		if (p[i] != '\0')
			p[i] = letter_next(&l);
}

static void
redact_utf16(struct redacting *w, unsigned kind, char *p, size_t len)
{
	struct letters	l;

	if (!is_chosen(w->r, kind, (struct span){ (const uint8_t *)p, len }))
		return;
	text_add(w->texts, span_of_buf(&w->utf8));
	l = letters_of(w->r, span_of_buf(&w->utf8));
	for (size_t i = 0; i + 1 < len; i += 2) {
		if (p[i] == '\0' && p[i + 1] == '\0')
			continue;
		p[i] = letter_next(&l);
		p[i + 1] = '\0';
	}
}

/* Take the text from the beginning of *s. False: it begins otherwise. */
static bool
take_text(const char **s, const char *text, size_t len)
{
	if (strncmp(*s, text, len) != 0)
		return false;
	*s += len;
	return true;
}

/* The kinds that the value counts as: all, none, or its own. */
static unsigned
kind_of(const struct redacting *w, const struct value *v, unsigned kind)
{
	const struct event_type	*t = w->type;

	for (size_t i = 0; i < w->r->nrules; i++) {
		const char	*s = w->r->rule[i].field;

		if (take_text(&s, t->provider, strlen(t->provider)) && take_text(&s, "/", 1) &&
		    take_text(&s, t->name, strlen(t->name)) && take_text(&s, ".", 1) &&
		    take_text(&s, (const char *)v->name.p, v->name.len) && *s == '\0')
			return w->r->rule[i].keep ? REDACT_NONE : REDACT_ALWAYS;
	}
	return kind;
}

static int
redact_value(void *arg, const struct value *v)
{
	struct redacting	*w = arg;
	size_t			 at, len;
	struct span		 text;

	if (v->kind != VK_OBJECT && v->kind != VK_ARRAY && v->kind != VK_NULL &&
	    (size_t)v->off + v->len > w->end) {
		w->end = (size_t)v->off + v->len;
		w->before = v->len == 1 ? (size_t)v->off : w->end;
	}
	if (v->kind != VK_TEXT16 && v->kind != VK_TEXT8 && v->kind != VK_BYTES)
		return 0;
	if (v->bytes.len == 0)
		return 0;
	if (v->bytes.p < w->payload.p ||
	    v->bytes.p + v->bytes.len > w->payload.p + w->payload.len) {
		w->odd = true;
		return 0;
	}
	at = (size_t)(v->bytes.p - w->payload.p);
	len = v->bytes.len;
	w->end = at + len > w->end ? at + len : w->end;
	buf_clear(&w->utf8);
	if (v->kind == VK_TEXT16)
		text_from_utf16(&w->utf8, v->bytes);
	text = v->kind == VK_TEXT16 ? span_of_buf(&w->utf8) : v->bytes;
	if (v->kind == VK_TEXT16)
		redact_utf16(w, kind_of(w, v, redact_kind(v->name, text)), w->out + at, len);
	else if (v->kind == VK_TEXT8)
		redact_utf8(w->r, kind_of(w, v, redact_kind(v->name, text)), w->out + at, len,
		    w->texts);
	else if (is_chosen(w->r, kind_of(w, v, REDACT_TEXT), v->bytes))
		memset(w->out + at, 0, len);
	return 0;
}

static bool
is_tracepoint(const struct event_type *t)
{
	return t->nfields > 0 && strcmp(t->fields[0].name, "common_type") == 0;
}

void
redact_payload(const struct redact *r, const struct event_type *t, struct span payload,
    struct buf *out, struct redact_texts *texts)
{
	struct redacting	w = { .r = r, .type = t, .payload = payload, .texts = texts };
	struct payload_result	res = { .undecoded = 0 };

	buf_clear(out);
	buf_span(out, payload);
	if (payload.len == 0)
		return;
	w.out = out->p;
	(void)payload_walk(t, payload, redact_value, &w, &res);
	if (w.odd)
		w.end = 0;
	else if (res.undecoded > 0 && is_tracepoint(t))
		w.end = w.before;
	if ((w.odd || res.error != NULL || res.undecoded > 0 || t->nfields == 0) &&
	    w.end < payload.len)
		memset(out->p + w.end, res.error != NULL ? FILL_CUT : 0, payload.len - w.end);
	buf_release(&w.utf8);
}
