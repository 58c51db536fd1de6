/*
 * Names of fields: parsing them into refs and lists, and writing them in the filter language.
 *
 *	payload."odd name"  ->  { payload.FIELD, "odd name" }  ->  payload."odd name"
 *
 * Invariant: if a value is written, the filter "NAME = value" matches the event that it came from.
 */
#include <string.h>

#include "engine/field/reader.h"
#include "engine/filter/quote.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "tnav/engine/joined.h"

#define BLOB_MAX	1024u		/* the most bytes written as a hex literal */

/* ---- names to refs */

static const struct field_def *
find_def(const char *name, size_t len)
{
	const struct span	 s = { (const uint8_t *)name, len };
	const struct field_def	*d;

	for (unsigned i = 0; (d = field_def(i))->kind == FIELD_HEADER; i++)
		if (span_is(s, d->name) || span_is(s, d->json))
			return d;
	return NULL;
}

const struct field_def *
field_def_of(enum field_ref_kind kind)
{
	const struct field_def	*d = NULL;

	for (unsigned i = 0; d == NULL || d->kind != kind; i++)
		d = field_def(i);
	return d;
}

/* Remove prefix and its dot from the front. */
static bool
take_prefix(const char **name, size_t *len, const char *prefix)
{
	size_t	n = strlen(prefix);

	if (*len < n + 1 || memcmp(*name, prefix, n) != 0 || (*name)[n] != '.')
		return false;
	*name += n + 1;
	*len -= n + 1;
	return true;
}

/* A copy of a name, without its quotes if it has any. NULL: the quotes are bad or end too early. */
static char *
unquoted(const char *name, size_t len)
{
	struct buf	b = { 0 };
	size_t		pos = 0;
	char		*path = NULL;

	if (quote_opens(name, len) == 0)
		return mem_strndup(name, len);
	if (quote_read(name, len, &pos, &b, SIZE_MAX, NULL) == QUOTE_CLOSED && pos == len &&
	    (b.len == 0 || memchr(b.p, '\0', b.len) == NULL))
		path = mem_strndup(buf_str(&b), b.len);
	buf_release(&b);
	return path;
}

/* Parse "stack[3]". */
static bool
parse_frame(const char *name, size_t len, unsigned *frame)
{
	static const char	front[] = "stack[";
	size_t			at = sizeof front - 1;
	unsigned		n = 0;

	if (len < at + 2 || memcmp(name, front, at) != 0 || name[len - 1] != ']' ||
	    (name[at] == '0' && len > at + 2))
		return false;
	for (; at < len - 1 && n < LIMIT_STACK_FRAMES; at++) {
		if (name[at] < '0' || name[at] > '9')
			return false;
		n = n * 10 + (unsigned)(name[at] - '0');
	}
	*frame = n;
	return n < LIMIT_STACK_FRAMES;
}

static int
ref_init(struct field_ref *r, const char *name, size_t len, bool quotes, struct buf *why)
{
	const char	*whole = name;
	bool		 label;

	*r = (struct field_ref){ .def = find_def(name, len) };
	if (r->def != NULL)
		return ERR_OK;
	if (parse_frame(name, len, &r->frame)) {
		r->def = field_def_of(FIELD_FRAME);
		r->path = mem_strndup(name, len);
		return ERR_OK;
	}
	label = take_prefix(&name, &len, "label");
	if (!label)
		(void)take_prefix(&name, &len, "payload");
	r->def = field_def_of(label ? FIELD_LABEL : FIELD_PAYLOAD);
	if (!quotes)
		r->path = mem_strndup(name, len);
	else if (len > 0 && name[len - 1] != '.')
		r->path = unquoted(name, len);
	if (r->path != NULL && r->path[0] != '\0')
		return ERR_OK;
	if (len > 0)
		buf_puts(why, "empty or unterminated field name");
	else if (name == whole)
		buf_puts(why, "empty field name");
	else
		buf_printf(why, "empty field name: %s", label ? "label.NAME" : "payload.NAME");
	field_ref_release(r);
	return ERR_USAGE;
}

int
field_ref_init(struct field_ref *r, const char *name, size_t len, struct buf *why)
{
	return ref_init(r, name, len, true, why);
}

int
field_ref_bare(struct field_ref *r, const char *name, struct buf *why)
{
	return ref_init(r, name, strlen(name), false, why);
}

void
field_ref_payload(struct field_ref *r, const char *path)
{
	*r = (struct field_ref){ .def = field_def_of(FIELD_PAYLOAD), .path = mem_strdup(path) };
}

void
field_ref_row_text(struct field_ref *r)
{
	*r = (struct field_ref){ .def = &field_row_text_def };
}

void
field_ref_release(struct field_ref *r)
{
	mem_free(r->path);
	*r = (struct field_ref){ .path = NULL };
}

enum field_of
field_ref_of(const struct field_ref *r, struct trace *t)
{
	if (r->def->of == OF_META)
		return trace_has(t, HAS_LABELS) ? OF_EVENT : OF_TYPE;
	return r->def->of;
}

/* ---- lists */

/* Does a part of a name begin at this offset? */
static bool
begins_part(const char *list, size_t at)
{
	return at == 0 || list[at - 1] == '.' || list[at - 1] == ' ';
}

size_t
field_name_len(const char *list)
{
	size_t		n = 0, len = strlen(list);
	struct buf	skipped = { 0 };

	while (n < len && list[n] != ',') {
		if (!begins_part(list, n) || quote_opens(list + n, len - n) == 0)
			n++;
		else
			(void)quote_read(list, len, &n, &skipped, SIZE_MAX, NULL);
	}
	buf_release(&skipped);
	return n;
}

char *
field_title(const char *name, size_t len)
{
	size_t		at = 0;
	char		*path, *title;
	struct buf	text = { 0 };

	while (at < len && (!begins_part(name, at) || quote_opens(name + at, len - at) == 0))
		at++;
	path = unquoted(name + at, len - at);
	if (path == NULL)
		return mem_strndup(name, len);
	buf_add(&text, name, at);
	buf_puts(&text, path);
	title = mem_strdup(buf_str(&text));
	buf_release(&text);
	mem_free(path);
	return title;
}

int
field_list_init(struct field_list *l, const char *list, struct buf *why)
{
	size_t	cap = 0, len, rest;

	*l = (struct field_list){ .text = mem_strdup(list) };
	for (char *p = l->text, *end; p != NULL; p = rest == ',' ? end + 1 : NULL) {
		end = p + field_name_len(p);
		rest = (unsigned char)*end;
		*end = '\0';
		while (*p == ' ')
			p++;
		for (len = strlen(p); len > 0 && p[len - 1] == ' '; len--)
			p[len - 1] = '\0';
		l->v = mem_grow(l->v, &cap, l->n + 1, sizeof *l->v);
		l->names = mem_realloc(l->names, l->n + 1, sizeof *l->names);
		l->names[l->n] = p;
		l->titles = mem_realloc(l->titles, l->n + 1, sizeof *l->titles);
		if (field_ref_init(&l->v[l->n], p, len, why) != ERR_OK) {
			field_list_release(l);
			return ERR_USAGE;
		}
		l->titles[l->n++] = field_title(p, len);
	}
	return ERR_OK;
}

static void
release_one(struct field_list *l, size_t i)
{
	field_ref_release(&l->v[i]);
	if (l->titles != NULL)
		mem_free(l->titles[i]);
}

void
field_list_drop(struct field_list *l, const char *name)
{
	size_t	kept = 0;

	for (size_t i = 0; i < l->n; i++) {
		if (l->v[i].def->kind == FIELD_HEADER && strcmp(l->v[i].def->name, name) == 0) {
			release_one(l, i);
			continue;
		}
		l->v[kept] = l->v[i];
		l->names[kept] = l->names[i];
		l->titles[kept++] = l->titles[i];
	}
	l->n = kept;
}

bool
field_list_titled(const struct field_list *l, const char *title)
{
	size_t	i = 0;

	while (i < l->n && strcmp(l->titles[i], title) != 0)
		i++;
	return i < l->n;
}

void
field_list_release(struct field_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		release_one(l, i);
	mem_free(l->v);
	mem_free(l->names);
	mem_free(l->titles);
	mem_free(l->text);
	*l = (struct field_list){ .v = NULL };
}

bool
field_list_has(const struct field_list *l, unsigned flag)
{
	for (size_t i = 0; i < l->n; i++)
		if ((l->v[i].def->flags & flag) != 0)
			return true;
	return false;
}

unsigned
field_needs(const struct field_ref *r, struct trace *t)
{
	unsigned	needs = r->def->derived;

	if (t != NULL && !field_is_span(r->def, t))
		needs &= ~NEEDS_SPANS;
	if (r->def->class == CLASS_FRAMES || r->def->kind == FIELD_FRAME)
		needs |= NEEDS_SYMBOLS;
	return needs;
}

unsigned
field_list_needs(const struct field_list *l, struct trace *t)
{
	unsigned	needs = 0;

	for (size_t i = 0; i < l->n; i++)
		needs |= field_needs(&l->v[i], t);
	return needs;
}

void
field_list_all(struct field_list *l, struct trace *t, bool rows, bool crc, bool raw)
{
	const struct field_def	*d;
	struct buf		 list = { 0 }, why = { 0 };

	if (t != NULL && trace_sources(t) > 1)
		buf_puts(&list, "file,source");
	for (unsigned i = 0; (d = field_def(i))->kind == FIELD_HEADER; i++) {
		if (d->span != NULL &&
		    (d->needs == 0 || (t != NULL && !trace_has(t, d->needs))))
			continue;
		if (d->flags & FIELD_MADE || (t != NULL && !field_in_trace(d, t)) ||
		    (!rows && strcmp(d->name, "row") == 0) ||
		    (!crc && strcmp(d->name, "crc") == 0) || (!raw && strcmp(d->name, "raw") == 0))
			continue;
		if (list.len > 0)
			buf_putc(&list, ',');
		buf_puts(&list, field_json_name(d));
	}
	(void)field_list_init(l, buf_str(&list), &why);		/* it is our own list */
	buf_release(&list);
	buf_release(&why);
}

/* ---- writing in the filter language */

static bool
quote_span(struct buf *out, struct span s)
{
	return filter_quote(out, (const char *)s.p, s.len);
}

/* Write a time or a duration. The language has no negative ones, and takes the greatest number as
   too large. */
static bool
put_ns(struct buf *out, int64_t ns)
{
	if (ns < 0 || ns == INT64_MAX)
		return false;
	buf_i64(out, ns);
	buf_puts(out, "ns");
	return true;
}

/* Write the cell's text, which the language reads too. */
static bool
put_as_text(struct buf *out, const struct cell *c)
{
	struct cell	bare = *c;

	bare.word.p = NULL;
	bare.show = 0;
	cell_text(out, &bare, true);
	return true;
}

bool
field_value(struct buf *out, const struct field_ref *f, const struct cell *c)
{
	switch (c->kind) {
	case CELL_NONE:
		return f->def->class == CLASS_OPCODE && c->word.p != NULL &&
		    quote_span(out, c->word);
	case CELL_TEXT:
		return quote_span(out, c->text);
	case CELL_RAW:
		return f->def->class == CLASS_TEXT && quote_span(out, c->text);
	case CELL_BLOB:		/* without quotes, digits would be a number */
		if (c->text.len == 0 || c->text.len > BLOB_MAX)
			return false;
		buf_putc(out, '"');
		put_as_text(out, c);
		buf_putc(out, '"');
		return true;
	case CELL_TIME: case CELL_DUR:
		return put_ns(out, c->i);
	case CELL_U64:
		if (f->def->class == CLASS_DUR)
			return false;		/* too long for a duration */
		buf_u64(out, c->u);
		return true;
	case CELL_BYTES:
		buf_u64(out, c->u);
		return true;
	case CELL_BOOL: case CELL_I64: case CELL_F32: case CELL_F64: case CELL_HEX:
	case CELL_ADDRESS: case CELL_GUID: case CELL_PLAIN:
		return put_as_text(out, c);
	case CELL_NULL: case CELL_SHARE: case CELL_SPARK:
		break;
	}
	return false;
}
