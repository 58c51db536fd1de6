/*
 * Literals that the texts of an event must contain for a pattern to match.
 *
 *	row's text	provider/name 4711 worker Count=3 Where={Id=7 Text=time out} [key=value]
 *	parts		[-----------] [--] [----] [---] ^ [---] [] ^ [--] [--] [-] [-] [---]
 *
 * A part contains no separator, so a literal without one is inside one part: a name of the type, a
 * word of its enumerations, a number, or a piece of a text of the payload. A text is in the payload
 * as shown, in UTF-8 or UTF-16. All other values have a few forms, each with few characters.
 *
 * Invariant: see search.h. A value of unknown form is assumed to contain anything.
 */
#include "engine/filter/search.h"

#include <string.h>

#include "engine/field/reader.h"
#include "engine/filter/probe.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/engine/label.h"
#include "tnav/model/path.h"
#include "tnav/model/value.h"

/* The characters between the parts of a row's text, and between the words of a number. */
#define SEPARATORS	" ={}[]|"

/* Forms of values, and the characters that can occur in them, in lower case. */
enum form {
	FORM_UINT, FORM_INT, FORM_HEX, FORM_FLOAT, FORM_GUID, FORM_DATE, FORM_BYTES, FORM_BOOL,
	FORMS
};

#define ALL_FORMS	((1u << FORMS) - 1)
#define FORM(f)		(1u << (f))

static const char *const	form_characters[FORMS] = {
	[FORM_UINT] = "0123456789",
	[FORM_INT] = "0123456789-",
	[FORM_HEX] = "0123456789abcdefx",
	[FORM_FLOAT] = "0123456789-+.e",
	[FORM_GUID] = "0123456789abcdef-",
	[FORM_DATE] = "0123456789-:.tz",
	[FORM_BYTES] = "0123456789abcdef",
	[FORM_BOOL] = "",
};

/* Words that some of the forms can have. */
static const struct { const char *word; unsigned forms; } form_words[] = {
	{ "true", FORM(FORM_BOOL) }, { "false", FORM(FORM_BOOL) },
	{ "NaN", FORM(FORM_FLOAT) }, { "-Infinity", FORM(FORM_FLOAT) },
	{ "null", ALL_FORMS }, { "undecoded", ALL_FORMS },
};

#define THREADS_SEARCHED	4096u	/* with more threads, the answer is "maybe" */

enum known { UNKNOWN, NO, YES, BY_VALUE };	/* BY_VALUE: in a value that is not a text */

struct text_term {
	bool		 has_literals;
	bool		 row;			/* searches the row's text */
	const char	*path;			/* else: a field of the payload */
	unsigned	 n, npayload;
	struct needle	 part[REGEX_LITERALS_MOST];
	struct needle	 payload[2 * REGEX_LITERALS_MOST];
	size_t		 shortest;		/* bytes of the shortest part */
	unsigned	 forms;			/* forms that could contain one of the parts */
	uint8_t		*types, *threads;	/* enum known */
	size_t		 ntypes, nthreads;
	uint64_t	 threads_at;		/* trace_generation() when they were searched */
	uint32_t	 nall;			/* 1 + the threads of which it is known ... */
	bool		 in_all;		/* ... whether one may have it */
	uint64_t	 labels_at;		/* labels->loads of the last search in labels, */
	bool		 labels_have;		/* ... and its result */
};

struct text_search {
	struct trace		*t;
	struct field_reader	*reader;
	struct label_set	*labels;	/* if needed */
	struct buf		 text;
	size_t			 nterms;
	struct text_term	 term[];
};

/* ---- the literals */

/* The longest part of the literal without a separator. */
static struct span
longest_part(const struct regex_literal *l)
{
	struct span	best = { NULL, 0 };

	for (size_t i = 0; i < l->len; ) {
		size_t	from = i;

		while (i < l->len && strchr(SEPARATORS, l->text[i]) == NULL)
			i++;
		if (i - from > best.len)
			best = (struct span){ (const uint8_t *)l->text + from, i - from };
		i++;
	}
	return best;
}

static bool
could_hold(const char *characters, struct span part)
{
	for (size_t i = 0; i < part.len; i++) {
		uint8_t	c = part.p[i];

		if (c >= 'A' && c <= 'Z')
			c |= 0x20;
		if (c == '\0' || strchr(characters, c) == NULL)
			return false;
	}
	return true;
}

/* The forms that could contain a part of a literal; n is the same part as a needle. */
static unsigned
forms_of(struct span part, const struct needle *n)
{
	unsigned	forms = 0;

	for (unsigned i = 0; i < FORMS; i++)
		if (could_hold(form_characters[i], part))
			forms |= FORM(i);
	for (size_t i = 0; i < sizeof form_words / sizeof form_words[0]; i++)
		if (needle_in(n, span_of(form_words[i].word)))
			forms |= form_words[i].forms;
	return forms;
}

static bool
has_letters(struct span s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z')
			return true;
	return false;
}

static bool
add_literal(struct text_term *x, const struct regex_literal *l, bool caseless)
{
	struct span	part = longest_part(l), whole = { (const uint8_t *)l->text, l->len };
	struct needle	*n = &x->part[x->n];

	caseless = caseless && has_letters(whole);
	if (part.len < 2 || !needle_init(n, (const char *)part.p, part.len, caseless, false))
		return false;
	x->forms |= forms_of(part, n);
	if (x->n == 0 || part.len < x->shortest)
		x->shortest = part.len;
	x->n++;
	/* A text of the payload does not consist of parts. */
	if (!x->row)
		part = whole;
	for (unsigned utf16 = 0; utf16 < 2; utf16++)
		if (!needle_init(&x->payload[x->npayload++], (const char *)part.p, part.len,
		    caseless, utf16 != 0))
			return false;
	return true;
}

static void
term_init(struct text_term *x, const struct filter_term *term)
{
	const struct regex_literals	*l;

	x->row = term->ref.def->kind == FIELD_ROW_TEXT;
	x->path = term->ref.path;
	if ((!x->row && term->ref.def->kind != FIELD_PAYLOAD) || term->op != FO_TEXT ||
	    term->negate || term->fits != probe_regex || term->re == NULL)
		return;
	l = regex_literals(term->re);
	x->has_literals = l->n > 0;
	for (unsigned i = 0; i < l->n && x->has_literals; i++)
		x->has_literals = add_literal(x, &l->v[i], regex_caseless(term->re));
}

struct text_search *
text_search_new(const struct filter *f, struct trace *t, struct field_reader *r)
{
	struct text_search	*s = mem_zalloc(1, sizeof *s + f->nterms * sizeof s->term[0]);
	bool			 any = false;

	s->t = t;
	s->reader = r;
	s->nterms = f->nterms;
	for (size_t i = 0; i < f->nterms; i++) {
		term_init(&s->term[i], &f->terms[i]);
		any |= s->term[i].has_literals;
	}
	if (any)
		return s;
	text_search_free(s);
	return NULL;
}

void
text_search_free(struct text_search *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->nterms; i++) {
		mem_free(s->term[i].types);
		mem_free(s->term[i].threads);
	}
	mem_free(s->labels);
	buf_release(&s->text);
	mem_free(s);
}

bool
text_search_has(const struct text_search *s, size_t term)
{
	return s != NULL && s->term[term].has_literals;
}

const struct needle *
text_needles(const struct text_search *s, size_t term, unsigned *n)
{
	*n = s->term[term].npayload;
	return s->term[term].payload;
}

static bool
holds_part(const struct text_term *x, struct span text)
{
	for (unsigned i = 0; i < x->n; i++)
		if (needle_in(&x->part[i], text))
			return true;
	return false;
}

/* ---- types */

static unsigned
forms_of_kind(const struct field *f)
{
	switch (f->kind) {
	case FK_CHAR16: case FK_CHAR8: case FK_UTF16Z: case FK_UTF8Z: case FK_STR16:
	case FK_HEPH_STR: case FK_PAD: case FK_OBJECT:
		return 0;
	case FK_BOOL8: case FK_BOOL32:
		return FORM(FORM_BOOL);
	case FK_U8:			/* an array of u8 is bytes */
		return FORM(FORM_UINT) | FORM(FORM_BYTES);
	case FK_U16: case FK_U32: case FK_U64: case FK_VARU: case FK_HEPH_U64:
		return FORM(FORM_UINT);
	case FK_I8: case FK_I16: case FK_I32: case FK_I64: case FK_VARI: case FK_HEPH_I64:
		return FORM(FORM_INT);
	case FK_PTR:
		return FORM(FORM_HEX);
	case FK_F32: case FK_F64: case FK_HEPH_F64:
		return FORM(FORM_FLOAT);
	case FK_GUID:
		return FORM(FORM_GUID);
	case FK_DATETIME:
		return FORM(FORM_DATE) | FORM(FORM_BYTES);
	case FK_DECIMAL:
		return FORM(FORM_BYTES) | FORM(FORM_FLOAT);
	case FK_BYTES:
		return FORM(FORM_BYTES);
	case FK_ATTRIBUTES:
		return FORM(FORM_INT) | FORM(FORM_FLOAT);
	default:
		return ALL_FORMS;
	}
}

static bool
in_words(const struct text_term *x, const struct value_map *map)
{
	for (uint32_t i = 0; map != NULL && i < map->n; i++)
		if (holds_part(x, span_of(map->values[i].name)))
			return true;
	return false;
}

/* May it be in a value of one of these forms, in a word, or in a name shown in the row's text? */
static bool
in_fields(const struct text_term *x, const struct field *f, uint32_t n, unsigned which,
    unsigned depth)
{
	if (depth > LIMIT_NESTING)
		return true;
	for (uint32_t i = 0; i < n; i++) {
		unsigned	forms = forms_of_kind(&f[i]);

		if (f[i].flags & FIELD_HEX || (f[i].map != NULL && f[i].map->bits))
			forms |= FORM(FORM_HEX);
		if ((forms & which) != 0 || in_words(x, f[i].map) ||
		    (x->row && holds_part(x, span_of(f[i].name))) ||
		    (f[i].inner != NULL && in_fields(x, f[i].inner, 1, which, depth + 1)) ||
		    in_fields(x, f[i].fields, f[i].nfields, which, depth + 1))
			return true;
	}
	return false;
}

/* Is it in the names of the type, as the row's text shows them? */
static bool
in_names(const struct text_term *x, const struct event_type *type)
{
	struct buf	b = { 0 };
	bool		in;

	field_row_names(&b, type);
	in = holds_part(x, span_of_buf(&b));
	buf_release(&b);
	return in;
}

struct field_holds {
	const struct text_term	*x;
	bool			 may;
};

static void
field_holds(void *arg, const struct field *f)
{
	struct field_holds	*a = arg;

	a->may = a->may || f == NULL || in_fields(a->x, f, 1, a->x->forms, 0);
}

/* May it be in the field of the term? */
static bool
in_path(const struct text_term *x, const struct event_type *type)
{
	struct field_holds	 a = { .x = x };
	const struct field	*o = builtin_object(type);

	if (!path_in_fields(x->path, type->fields, type->nfields, 0) ||
	    (o != NULL && path_in_fields(x->path, o, 1, 0)))
		return true;
	path_each(x->path, type->fields, type->nfields, 0, field_holds, &a);
	return a.may;
}

static enum known
type_holds(const struct text_term *x, const struct event_type *type)
{
	const struct field	*f = type->fields;
	uint32_t		 n = type->nfields;

	if (x->forms == ALL_FORMS)
		return YES;
	if (!x->row)
		return in_path(x, type) ? YES : NO;
	if (in_names(x, type) || in_fields(x, f, n, 0, 0) ||
	    (type->builtin != NULL && in_fields(x, builtin_object(type), 1, 0, 0)))
		return YES;
	/* The row's text also has the number of undecoded bytes. */
	if ((x->forms & FORM(FORM_UINT)) != 0 || in_fields(x, f, n, x->forms, 0) ||
	    (type->builtin != NULL && in_fields(x, builtin_object(type), 1, x->forms, 0)))
		return BY_VALUE;
	return NO;
}

static enum known
type_known(struct text_search *s, size_t term, uint32_t type)
{
	struct text_term	*x = &s->term[term];

	x->types = array_reach(x->types, &x->ntypes, type, 1);
	if (x->types[type] == UNKNOWN)
		x->types[type] = (uint8_t)type_holds(x, trace_type(s->t, type));
	return (enum known)x->types[type];
}

bool
text_in_type(struct text_search *s, size_t term, uint32_t type)
{
	return type_known(s, term, type) != NO;
}

bool
text_in_values(struct text_search *s, size_t term, const struct event *e)
{
	enum known	known = type_known(s, term, e->type);

	if (known != BY_VALUE)
		return known == YES;
	buf_clear(&s->text);
	reader_row_numbers(s->reader, &s->text, e, s->term[term].shortest);
	return holds_part(&s->term[term], span_of_buf(&s->text));
}

/* ---- threads and labels, which only the row's text has */

static bool
thread_holds(struct text_search *s, const struct text_term *x, uint32_t thread)
{
	const struct field_who	*w = field_who(s->reader, thread);

	if (w == NULL)
		return false;
	buf_clear(&s->text);
	buf_u64(&s->text, w->tid);
	return (w->has_tid && holds_part(x, span_of_buf(&s->text))) ||
	    (w->name != NULL && holds_part(x, span_of(w->name)));
}

/* Search the threads again if their names may have changed. */
static void
threads_refresh(struct text_search *s, struct text_term *x)
{
	uint64_t	now = trace_generation(s->t);

	if (now == x->threads_at)
		return;
	x->threads_at = now;
	array_clear(x->threads, x->nthreads, sizeof *x->threads);
	x->nall = 0;
}

bool
text_in_thread(struct text_search *s, size_t term, uint32_t thread)
{
	struct text_term	*x = &s->term[term];

	if (!x->row || thread == EVENT_NONE)
		return false;
	threads_refresh(s, x);
	x->threads = array_reach(x->threads, &x->nthreads, thread, 1);
	if (x->threads[thread] == UNKNOWN)
		x->threads[thread] = thread_holds(s, x, thread) ? YES : NO;
	return x->threads[thread] == YES;
}

bool
text_of_row(const struct text_search *s, size_t term)
{
	return s->term[term].row;
}

static bool
threads_hold(struct text_search *s, size_t term, uint32_t n)
{
	if (n > THREADS_SEARCHED)
		return true;
	for (uint32_t i = 0; i < n; i++)
		if (text_in_thread(s, term, i))
			return true;
	return false;
}

bool
text_in_threads(struct text_search *s, size_t term)
{
	struct text_term	*x = &s->term[term];
	uint32_t		 n = x->row ? trace_threads(s->t) : 0;

	threads_refresh(s, x);
	if (x->nall != n + 1) {
		x->in_all = threads_hold(s, term, n);
		x->nall = n + 1;
	}
	return x->in_all;
}

/* Keys and texts are in the block as they are shown. */
bool
text_in_label_block(const struct text_search *s, size_t term, struct span block)
{
	const struct text_term	*x = &s->term[term];

	return (x->forms & (FORM(FORM_INT) | FORM(FORM_BYTES))) != 0 ||
	    holds_part(x, span_of("TraceId")) || holds_part(x, span_of("SpanId")) ||
	    holds_part(x, block);
}

bool
text_in_labels(struct text_search *s, size_t term, const struct event *e)
{
	struct text_term	*x = &s->term[term];

	if (!x->row || e->labels == 0)
		return false;
	if (s->labels == NULL)
		s->labels = mem_zalloc(1, sizeof *s->labels);
	/* Mostly the labels are those of the last event. */
	labels_load(s->labels, s->t, e);
	if (x->labels_at != s->labels->loads) {
		buf_clear(&s->text);
		labels_text(s->labels, &s->text);
		x->labels_have = holds_part(x, span_of_buf(&s->text));
		x->labels_at = s->labels->loads;
	}
	return x->labels_have;
}

/* ---- events */

bool
text_search_may(struct text_search *s, size_t term, const struct event *e)
{
	const struct text_term	*x = &s->term[term];
	struct span		 payload;

	if (text_in_values(s, term, e))
		return true;
	payload = trace_payload(s->t, e);
	for (unsigned i = 0; i < x->npayload; i++)
		if (needle_in(&x->payload[i], payload))
			return true;
	return text_in_thread(s, term, e->thread) || text_in_labels(s, term, e);
}
