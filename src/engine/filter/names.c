/*
 * The names of the filter language: those of a trace, those near a misspelt one, and the words for
 * levels and opcodes.
 *
 * The names of a trace are read again each time, because types are added while it is indexed.
 */
#include <string.h>
#include <strings.h>

#include "engine/filter/ast.h"
#include "tnav/base/limits.h"
#include "tnav/base/near.h"
#include "tnav/base/text.h"
#include "tnav/model/keywords.h"
#include "tnav/model/path.h"
#include "tnav/model/value.h"

#define OPCODES	256u

/* ---- words */

int
level_of(const char *name, size_t len)
{
	for (unsigned i = 0; level_name(i) != NULL; i++)
		if (strlen(level_name(i)) == len && strncasecmp(level_name(i), name, len) == 0)
			return (int)i;
	return -1;
}

static bool
is_word(const char *have, const char *name)
{
	return have != NULL && strcasecmp(have, name) == 0;
}

/* A standard opcode, or one that the built-in table gives a type of the trace. */
static bool
opcode_known(struct trace *t, const char *name)
{
	uint32_t	n = trace_types(t);

	for (unsigned i = 0; i < OPCODES; i++)
		if (is_word(opcode_name(i), name))
			return true;
	for (uint32_t i = 0; i < n; i++)
		if (is_word(trace_type(t, i)->opcode_word, name))
			return true;
	return false;
}

/* ---- names in a trace */

/* Is `have` equal to provider/name? */
static bool
is_qualified(const char *provider, const char *have, const char *name)
{
	size_t	n = strlen(provider);

	return n > 0 && strncmp(name, provider, n) == 0 && name[n] == '/' &&
	    text_same(have, name + n + 1);
}

static bool
is_event(const struct event_type *type, const char *name)
{
	return text_same(type->name, name) || text_same(type->event, name) ||
	    is_qualified(type->provider, type->name, name) ||
	    is_qualified(type->provider, type->event, name);
}

bool
names_have(struct trace *t, enum name_kind kind, const char *name)
{
	uint32_t	n = trace_types(t);

	if (kind == NAME_OPCODE)
		return opcode_known(t, name);
	for (uint32_t i = 0; i < n; i++) {
		const struct event_type	*type = trace_type(t, i);

		if ((kind == NAME_PROVIDER && text_same(type->provider, name)) ||
		    (kind == NAME_NAME && is_event(type, name)) ||
		    (kind == NAME_EVENT && text_same(type->event, name)) ||
		    (kind == NAME_FIELD && path_in_type(name, type)))
			return true;
	}
	return false;
}

/* ---- near names */

static void
consider_fields(struct near *near, struct buf *path, const struct field *fields, uint32_t n,
    unsigned depth)
{
	for (uint32_t i = 0; i < n && depth <= LIMIT_NESTING && !near_is_full(near); i++) {
		const struct field	*f = &fields[i];
		size_t			 len = path->len;

		if (f->kind != FK_PAD)
			near_consider(near, path->p, path->len, f->name, strlen(f->name));
		if (f->fields == NULL)
			continue;
		buf_puts(path, f->name);
		if (f->name[0] != '\0')
			buf_putc(path, '.');
		consider_fields(near, path, f->fields, f->nfields, depth + 1);
		path->len = len;
	}
}

/* The start of the event's name if name begins with a provider of the trace and a slash; or 0. */
static size_t
provider_front(struct trace *t, const char *name)
{
	uint32_t	n = t != NULL ? trace_types(t) : 0;

	for (uint32_t i = 0; i < n && strchr(name, '/') != NULL; i++) {
		const char	*provider = trace_type(t, i)->provider;
		size_t		 len = strlen(provider);

		if (len > 0 && strncmp(name, provider, len) == 0 && name[len] == '/')
			return len + 1;
	}
	return 0;
}

/* Consider the name of an event, with its provider if the wanted name has one. */
static void
consider_event(struct near *near, const struct event_type *type, const char *name)
{
	struct buf	b = { 0 };

	if (name == NULL)
		return;
	if (near->nfront == 0) {
		near_text(near, name);
		return;
	}
	buf_printf(&b, "%s/", type->provider);
	near_consider(near, b.p, b.len, name, strlen(name));
	buf_release(&b);
}

void
names_consider(struct near *near, struct trace *t, enum name_kind kind)
{
	uint32_t	n = t != NULL ? trace_types(t) : 0;
	struct buf	path = { 0 };

	for (uint32_t i = 0; i < n && !near_is_full(near); i++) {
		const struct event_type	*type = trace_type(t, i);

		if (kind == NAME_PROVIDER)
			near_text(near, type->provider);
		if (kind == NAME_NAME)
			consider_event(near, type, type->name);
		if (kind == NAME_NAME || kind == NAME_EVENT)
			consider_event(near, type, type->event);
		if (kind == NAME_OPCODE)
			near_text(near, type->opcode_word);
		if (kind != NAME_FIELD)
			continue;
		consider_fields(near, &path, type->fields, type->nfields, 0);
		if (type->builtin != NULL)
			consider_fields(near, &path, builtin_object(type), 1, 0);
	}
	buf_release(&path);
}

static void
consider_words(struct near *near, enum name_kind kind)
{
	const char	*p = NULL;
	struct keyword	 k;

	if (kind == NAME_FIELD || kind == NAME_HEADER)
		for (unsigned i = 0; field_def(i) != NULL; i++)
			near_consider(near, NULL, 0, field_def(i)->name,
			    strcspn(field_def(i)->name, "."));
	if (kind == NAME_FIELD && strcasecmp(near->name, "not") == 0)
		near_text(near, "not");
	if (kind == NAME_LEVEL)
		for (unsigned i = 0; level_name(i) != NULL; i++)
			near_text(near, level_name(i));
	if (kind == NAME_OPCODE)
		for (unsigned i = 0; i < OPCODES; i++)
			near_text(near, opcode_name(i));
	while (kind == NAME_KEYWORD && keyword_next(&p, &k))
		near_consider(near, NULL, 0, (const char *)k.name.p, k.name.len);
}

void
names_near(struct buf *out, struct trace *t, enum name_kind kind, const char *name)
{
	const char	*dot = kind == NAME_FIELD ? strrchr(name, '.') : NULL;
	size_t		 front = dot != NULL ? (size_t)(dot + 1 - name) : 0;
	struct near	 near;

	if (kind == NAME_NAME)
		front = provider_front(t, name);
	near_init(&near, name, front);
	consider_words(&near, kind);
	names_consider(&near, t, kind);
	near_put(&near, out);
}
