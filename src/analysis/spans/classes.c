/*
 * The part that events of a type have in spans, decided once per type.
 *
 *	type		"System.Net.Http" "RequestStart"
 *	use		pair 40, start, key: activity
 *	type		"Demo" "Order/Start"
 *	use		by name, base 3 (Demo, Order), start, key: activity
 *
 * Invariant: the ending of a type's name counts only if no row of the table names the type, whether
 * or not a condition of the row holds.
 */
#include "analysis/spans/classes.h"

#include <string.h>

#include "analysis/facts/facts.h"
#include "analysis/spans/private.h"
#include "analysis/texts.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/filter.h"

#define USES		16u		/* of a type */

struct classes {
	struct trace		*t;
	struct name_table	*names;
	bool			 native;
	struct arena		 arena;		/* of classes */
	struct type_class	**class;	/* by type; NULL: not asked for yet */
	size_t			 n;
	struct texts		*bases;		/* provider NUL name */
	struct type_class	 none;
};

struct classes *
classes_new(struct trace *t, struct name_table *names, bool native)
{
	struct classes	*c = mem_zalloc(1, sizeof *c);

	c->t = t;
	c->names = names;
	c->native = native;
	c->bases = texts_new();
	return c;
}

void
classes_free(struct classes *c)
{
	if (c == NULL)
		return;
	mem_free(c->class);
	texts_free(c->bases);
	arena_release(&c->arena);
	mem_free(c);
}

/* ---- rows of the table */

static const struct program *
field_new(struct classes *c, const struct event_type *type, const char *path, size_t len)
{
	return program_new(&c->arena, type, arena_strndup(&c->arena, path, len));
}

/* One part of a key: thread, process, activity, FIELD, A=B, Arguments.X */
static struct class_part
part_new(struct classes *c, const struct event_type *type, const char *s, size_t len, bool stop)
{
	struct class_part	p = { .kind = PART_FIELD };
	const char		*other = memchr(s, '=', len);
	const struct span	 word = { (const uint8_t *)s, len };

	if (span_is(word, "thread"))
		p.kind = PART_THREAD;
	else if (span_is(word, "process"))
		p.kind = PART_PROCESS;
	else if (span_is(word, "activity"))
		p.kind = PART_ACTIVITY;
	else if (len > 10 && memcmp(s, "Arguments.", 10) == 0) {
		p.kind = PART_ARGUMENT;
		p.argument = arena_strndup(&c->arena, s + 10, len - 10);
		p.keys = program_new(&c->arena, type, "Arguments.Key");
		p.values = program_new(&c->arena, type, "Arguments.Value");
	} else if (other == NULL) {
		p.field = field_new(c, type, s, len);
	} else if (stop) {
		p.field = field_new(c, type, other + 1, (size_t)(s + len - other - 1));
	} else {
		p.field = field_new(c, type, s, (size_t)(other - s));
	}
	return p;
}

/* The alternative of "A|B[F=v]" that has the name, or NULL; *cond is behind the name. */
static const char *
alternative(const char *list, const char *name, size_t *len, const char **cond)
{
	size_t	n = strlen(name);

	for (const char *p = list; *p != '\0'; p += *p == '|') {
		*len = strcspn(p, "|");
		if (*len >= n && memcmp(p, name, n) == 0 && (*len == n || p[n] == '[')) {
			*cond = p + n;
			return p;
		}
		p += *len;
	}
	return NULL;
}

static void
use_key(struct classes *c, const struct event_type *type, struct class_use *u, const char *key)
{
	for (size_t len; *key != '\0' && u->nparts < CLASS_PARTS; key += len + (key[len] == '+')) {
		len = strcspn(key, "+");
		u->part[u->nparts++] = part_new(c, type, key, len, u->stop);
	}
}

static void
use_condition(struct classes *c, const struct event_type *type, struct class_use *u,
    const char *cond)
{
	size_t	len = strcspn(cond, "=");

	if (cond[0] != '[' || cond[len] != '=')
		return;
	u->when = field_new(c, type, cond + 1, len - 1);
	u->is = arena_strndup(&c->arena, cond + len + 1, strcspn(cond + len + 1, "]"));
}

/* Is the row about the type? Then a use of it. */
static bool
row_use(struct classes *c, const struct event_type *type, const char *called, unsigned row,
    bool stop, struct class_use *u)
{
	const struct span_pair	*p = &span_pairs[row];
	const char		*cond;
	size_t			 len;

	if (strcmp(type->provider, p->provider) != 0 ||
	    alternative(stop ? p->stop : p->start, called, &len, &cond) == NULL)
		return false;
	*u = (struct class_use){ .pair = (uint16_t)row, .stop = stop, .rule = p->rule };
	u->name = names_add(c->names, &(struct span_name){ .group = p->group,
	    .provider = type->provider, .name = called, .title = type->name,
	    .source = trace_type_source(c->t, type->index) });
	use_condition(c, type, u, cond);
	use_key(c, type, u, p->key);
	return true;
}

static unsigned
rows_uses(struct classes *c, const struct event_type *type, const char *called,
    struct class_use *use)
{
	unsigned	n = 0;

	for (int stop = 1; stop >= 0; stop--)
		for (unsigned i = 0; i < span_npairs && n < USES; i++)
			n += row_use(c, type, called, i, stop, &use[n]);
	return n;
}

/* ---- by name */

/* The same number for the same provider and base name; one for all that have no room. */
static uint32_t
base_number(struct classes *c, const char *provider, const char *name, size_t len)
{
	struct buf	key = { 0 };
	uint32_t	i;

	buf_add(&key, provider, strlen(provider) + 1);
	buf_add(&key, name, len);
	i = texts_add(c->bases, span_of_buf(&key));
	buf_release(&key);
	return i;
}

static bool
name_use(struct classes *c, const struct event_type *type, const char *called,
    struct class_use *u)
{
	size_t	len = strlen(type->name);
	bool	stop = span_ends(span_of(type->name), "Stop");

	if (strcmp(type->provider, RUNTIME) == 0 || strcmp(type->provider, RUNDOWN) == 0)
		return false;
	if (!stop && !span_ends(span_of(type->name), "Start"))
		return false;
	*u = (struct class_use){ .pair = PAIR_BY_NAME, .stop = stop, .rule = SPAN_LIFO,
	    .has_opcode = type->has_opcode, .opcode = type->opcode, .nparts = 1,
	    .part[0].kind = PART_ACTIVITY };
	len -= stop ? 4 : 5;
	if (len > 0 && type->name[len - 1] == '/')
		len--;
	u->base = base_number(c, type->provider, type->name, len);
	u->name = names_add(c->names, &(struct span_name){ .group = "EventSource",
	    .provider = type->provider, .name = called, .title = type->name,
	    .source = trace_type_source(c->t, type->index) });
	return true;
}

/* ---- a type */

static struct type_class *
class_new(struct classes *c, const struct class_use *use, unsigned n)
{
	struct type_class	*k;

	if (n == 0)
		return &c->none;
	k = arena_alloc(&c->arena, sizeof *k);
	k->n = n;
	k->use = arena_alloc(&c->arena, n * sizeof *use);
	memcpy(k->use, use, n * sizeof *use);
	return k;
}

/* The name without its slash: GC/Start is GCStart. */
static void
put_joined(struct buf *out, const char *name)
{
	for (; *name != '\0'; name++)
		if (*name != '/')
			buf_putc(out, *name);
}

static struct type_class *
class_make(struct classes *c, const struct event_type *type)
{
	struct class_use	use[USES];
	struct buf		joined = { 0 };
	const char		*called = type->event;
	unsigned		n;

	if (c->native) {
		use[0] = (struct class_use){ .pair = PAIR_NATIVE };
		use[0].name = names_add(c->names, &(struct span_name){ .group = "Span",
		    .provider = type->provider, .name = type->name, .title = type->name,
		    .source = trace_type_source(c->t, type->index) });
		return class_new(c, use, 1);
	}
	put_joined(&joined, type->name);
	if (called == NULL)
		called = buf_str(&joined);
	n = rows_uses(c, type, called, use);
	if (n == 0 && called != joined.p)
		n = rows_uses(c, type, buf_str(&joined), use);
	if (n == 0)
		n = name_use(c, type, called, &use[0]);
	buf_release(&joined);
	return class_new(c, use, n);
}

const struct type_class *
classes_get(struct classes *c, uint32_t type)
{
	if (type >= trace_types(c->t))
		return &c->none;
	c->class = array_reach(c->class, &c->n, type, sizeof *c->class);
	if (c->class[type] == NULL)
		c->class[type] = class_make(c, trace_type(c->t, type));
	return c->class[type];
}

const struct type_class *
spans_class(struct spans *s, uint32_t type)
{
	const struct type_class	*c;

	lock_take(s->lock);
	c = classes_get(s->classes, type);
	lock_drop(s->lock);
	return c;
}

/* ---- what may be a part of a span */

static void
put_names(struct buf *out, const char *list)
{
	while (*list != '\0') {
		buf_puts(out, " or name = ");
		(void)filter_quote(out, list, strcspn(list, "|["));
		list += strcspn(list, "|");
		list += *list == '|';
	}
}

void
classes_filter(struct buf *out)
{
	buf_puts(out, "name ~ \"(Start|Stop)$\"");
	for (unsigned i = 0; i < span_npairs; i++) {
		put_names(out, span_pairs[i].start);
		put_names(out, span_pairs[i].stop);
	}
}
