/*
 * The aggregates of groups, by name.
 *
 *	PCT "50,99.9:Size,dur"	->  p50.Size p50.dur p99.9.Size p99.9.dur
 *
 * Invariant: names are unique, and each field is in values once.
 */
#include "tnav/engine/aggregate.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/units.h"
#include "tnav/model/path.h"

#define DECIMALS	6u	/* of a percentile's share */
#define NAME_SHOWN	100

static const char *const	names[AGGREGATE_KINDS] = {
	[AGGREGATE_COUNT] = "count",
	[AGGREGATE_SUM] = "sum",
	[AGGREGATE_AVG] = "avg",
	[AGGREGATE_MIN] = "min",
	[AGGREGATE_MAX] = "max",
	[AGGREGATE_PCT] = "p",
	[AGGREGATE_DISTINCT] = "distinct",
};

const char *
aggregate_name(unsigned kind)
{
	return kind < AGGREGATE_KINDS ? names[kind] : NULL;
}

void
aggregates_release(struct aggregates *a)
{
	for (size_t i = 0; i < a->n; i++)
		mem_free((char *)(uintptr_t)a->v[i].name);
	mem_free(a->v);
	for (size_t i = 0; i < a->values.n; i++)
		mem_free((char *)(uintptr_t)a->values.names[i]);
	field_list_release(&a->values);
	*a = (struct aggregates){ .n = 0 };
}

/* ---- adding */

/* The index of the field in values, added if it is new. The name is known to be valid. */
static uint32_t
value_of(struct aggregates *a, const char *name)
{
	struct field_list	*l = &a->values;
	struct buf		 why = { 0 };

	for (size_t i = 0; i < l->n; i++)
		if (strcmp(l->names[i], name) == 0)
			return (uint32_t)i;
	l->v = mem_realloc(l->v, l->n + 1, sizeof *l->v);
	l->names = mem_realloc(l->names, l->n + 1, sizeof *l->names);
	(void)field_ref_init(&l->v[l->n], name, strlen(name), &why);
	buf_release(&why);
	l->names[l->n] = mem_strdup(name);
	return (uint32_t)l->n++;
}

/* Add an aggregate of a field. front: the first part of its name, "sum" or "p99.9". */
static int
add_one(struct aggregates *a, struct aggregate one, const char *front, const char *field,
    const char *title, struct buf *why)
{
	struct buf	name = { 0 };

	buf_printf(&name, "%s.%s", front, title);
	for (size_t i = 0; i < a->n; i++) {
		if (strcmp(a->v[i].name, buf_str(&name)) != 0)
			continue;
		buf_printf(why, "%.*s is given twice", NAME_SHOWN, buf_str(&name));
		buf_release(&name);
		return ERR_USAGE;
	}
	one.value = value_of(a, field);
	one.name = mem_strdup(buf_str(&name));
	ARRAY_ADD(a->v, a->n, a->cap, one);
	buf_release(&name);
	return ERR_OK;
}

static int
add_fields(struct aggregates *a, struct aggregate one, const char *front, const char *list,
    struct buf *why)
{
	struct field_list	l;
	int			err = field_list_init(&l, list, why);

	for (size_t i = 0; i < l.n && err == ERR_OK; i++)
		err = add_one(a, one, front, l.names[i], l.titles[i], why);
	field_list_release(&l);
	return err;
}

/* ---- percentiles */

/* Parse "99.9": more than 0 and at most 100, with at most DECIMALS decimals. */
static bool
parse_share(const char *s, size_t len, uint32_t *share)
{
	uint64_t	v = 0;
	size_t		i = 0, decimals = 0;

	for (; i < len && i < 3 && is_digit(s[i]); i++)
		v = v * 10 + (uint64_t)(s[i] - '0');
	if (i == 0)
		return false;
	if (i < len && s[i] == '.')
		for (i++; i < len && decimals < DECIMALS && is_digit(s[i]); i++, decimals++)
			v = v * 10 + (uint64_t)(s[i] - '0');
	if (i < len || s[len - 1] == '.')
		return false;
	for (; decimals < DECIMALS; decimals++)
		v *= 10;
	*share = (uint32_t)v;
	return v > 0 && v <= AGGREGATE_WHOLE;
}

/* Append "p99.9": equal shares give equal texts. */
static void
put_share(struct buf *out, uint32_t share)
{
	uint32_t	whole = AGGREGATE_WHOLE / 100, rest = share % whole;

	buf_printf(out, "p%u", share / whole);
	if (rest > 0)
		buf_putc(out, '.');
	for (; rest > 0; rest = rest * 10 % whole)
		buf_putc(out, (char)('0' + rest * 10 / whole));
}

static int
add_percentiles(struct aggregates *a, const char *list, struct buf *why)
{
	const char	*fields = strchr(list, ':'), *p = list;
	struct buf	 front = { 0 };
	int		 err = ERR_OK;

	if (fields == NULL) {
		buf_puts(why, "expected percentiles, a colon and fields: 50,99:Size");
		return ERR_USAGE;
	}
	while (p <= fields && err == ERR_OK) {
		struct aggregate	one = { .kind = AGGREGATE_PCT };
		size_t			len = strcspn(p, ",:");

		buf_clear(&front);
		if (parse_share(p, len, &one.share)) {
			put_share(&front, one.share);
			err = add_fields(a, one, buf_str(&front), fields + 1, why);
		} else {
			buf_printf(why, "not a percentile: '%.*s' (expected 0.000001 to 100)",
			    (int)(len < NAME_SHOWN ? len : NAME_SHOWN), p);
			err = ERR_USAGE;
		}
		p += len + 1;
	}
	buf_release(&front);
	return err;
}

int
aggregates_add(struct aggregates *a, enum aggregate_kind kind, const char *list, struct buf *why)
{
	if (kind == AGGREGATE_PCT)
		return add_percentiles(a, list, why);
	return add_fields(a, (struct aggregate){ .kind = kind }, names[kind], list, why);
}

/* ---- words */

/* The length of a word: up to a blank that is neither in quotes nor after a comma. */
static size_t
word_len(const char *s)
{
	char	quote = 0;
	size_t	n = 0;

	for (; s[n] != '\0'; n++) {
		if (quote == '"' && s[n] == '\\' && s[n + 1] != '\0')
			n++;
		else if (quote != 0)
			quote = s[n] == quote ? 0 : quote;
		else if (s[n] == '"' || s[n] == '\'')
			quote = s[n];
		else if (s[n] == ' ' && (n == 0 || s[n - 1] != ','))
			break;
	}
	return n;
}

/* Add the aggregates of a list of fields. what: "sum" or the like, or "p99". */
static int
add_words(struct aggregates *a, const char *what, const char *fields, struct buf *why)
{
	struct buf	list = { 0 };
	uint32_t	share;
	int		err;

	for (unsigned k = 0; k < AGGREGATE_KINDS; k++)
		if (k != AGGREGATE_PCT && strcmp(names[k], what) == 0)
			return aggregates_add(a, (enum aggregate_kind)k, fields, why);
	if (what[0] != 'p' || !parse_share(what + 1, strlen(what + 1), &share)) {
		buf_printf(why, "unknown aggregate '%.*s'; write sum, avg, min, max, count, "
		    "distinct or p99, and a field; or every 1s", NAME_SHOWN, what);
		return ERR_USAGE;
	}
	buf_printf(&list, "%s:%s", what + 1, fields);
	err = aggregates_add(a, AGGREGATE_PCT, buf_str(&list), why);
	buf_release(&list);
	return err;
}

static int
add_every(struct aggregates *a, const char *step, struct buf *why)
{
	if (a->every_ns > 0)
		buf_puts(why, "at most one time step can be given");
	else if (units_parse_dur(step, strlen(step), 0, &a->every_ns) == 0 && a->every_ns > 0)
		return ERR_OK;
	else
		buf_printf(why, "not a time step: '%.*s' (100ms, 1s, 5m)", NAME_SHOWN,
		    step);
	return ERR_USAGE;
}

/* Add a pair of words: an aggregate and its fields, or "every" and a time step. */
static int
add_pair(struct aggregates *a, const char *what, const char *fields, struct buf *why)
{
	if (fields[0] == '\0') {
		buf_printf(why, "'%.*s' needs a field", NAME_SHOWN, what);
		return ERR_USAGE;
	}
	if (strcmp(what, "every") == 0)
		return add_every(a, fields, why);
	return add_words(a, what, fields, why);
}

/* The length of the fields at the front; 0: the text begins with "every". */
static size_t
first_word(const char *words)
{
	size_t	len = word_len(words), blanks = strspn(words + len, " ");

	return len == 5 && memcmp(words, "every", 5) == 0 && words[len + blanks] >= '0' &&
	    words[len + blanks] <= '9' ? 0 : len;
}

int
aggregates_words(struct aggregates *a, const char *words, struct buf *why)
{
	size_t		 first = first_word(words);
	const char	*p = words + first;
	int		 err = ERR_OK;

	for (p += strspn(p, " "); err == ERR_OK && *p != '\0'; p += strspn(p, " ")) {
		size_t	 nwhat = word_len(p), blanks = strspn(p + nwhat, " ");
		size_t	 nfields = word_len(p + nwhat + blanks);
		char	*what = mem_strndup(p, nwhat);
		char	*fields = mem_strndup(p + nwhat + blanks, nfields);

		err = add_pair(a, what, fields, why);
		p += nwhat + blanks + nfields;
		mem_free(what);
		mem_free(fields);
	}
	return err == ERR_OK ? (int)first : err;
}

/* ---- what fits */

static bool
is_numeric(const struct field *f)
{
	switch (f->kind) {
	case FK_U8: case FK_I8: case FK_U16: case FK_I16: case FK_U32: case FK_I32: case FK_U64:
	case FK_I64: case FK_PTR: case FK_F32: case FK_F64: case FK_DECIMAL: case FK_VARU:
	case FK_VARI: case FK_HEPH_U64: case FK_HEPH_I64: case FK_HEPH_F64:
		return true;
	default:
		return false;
	}
}

/* Can the field at the path be a number, or the elements of the array? */
static void
see_number(void *arg, const struct field *f)
{
	unsigned	inner = 0;

	while (f != NULL && f->inner != NULL && inner++ < LIMIT_NESTING)
		f = f->inner;
	*(bool *)arg |= f == NULL || (is_numeric(f) && (f->flags & FIELD_TEXT) == 0);
}

static const char *
class_words(enum field_class class)
{
	switch (class) {
	case CLASS_TEXT:
		return "is text";
	case CLASS_KEYWORDS:
		return "is a set of bits";
	case CLASS_FRAMES:
		return "is a list of names";
	case CLASS_STACK:
		return "is a list of addresses";
	case CLASS_GUID:
		return "is an id";
	default:
		return NULL;
	}
}

static const char *
noun(enum aggregate_kind kind)
{
	if (kind == AGGREGATE_KINDS)
		return "histogram";
	return kind == AGGREGATE_PCT ? "percentiles" : names[kind];
}

static bool
payload_may_be_number(const struct field_ref *f, struct trace *t)
{
	bool	any = false, number = false;

	for (uint32_t i = 0; i < trace_types(t); i++) {
		const struct event_type	*ty = trace_type(t, i);

		path_each(f->path, ty->fields, ty->nfields, 0, see_number, &number);
		any |= path_in_fields(f->path, ty->fields, ty->nfields, 0);
	}
	return number || !any;		/* an unknown field is reported elsewhere */
}

bool
aggregate_fits(enum aggregate_kind kind, const struct field_ref *f, struct trace *t,
    struct buf *why)
{
	const char	*is = class_words(f->def->class);

	if (kind == AGGREGATE_DISTINCT || f->def->kind == FIELD_LABEL)
		return true;
	if (f->def->kind == FIELD_PAYLOAD)
		is = payload_may_be_number(f, t) ? NULL : "is not a number";
	else if (f->def->class == CLASS_TIME && (kind == AGGREGATE_SUM || kind == AGGREGATE_KINDS))
		is = "is a time";
	if (is == NULL)
		return true;
	buf_printf(why, "%.*s %s and has no %s", NAME_SHOWN,
	    f->path != NULL ? f->path : f->def->name, is, noun(kind));
	return false;
}
