/*
 * The table of event types: names, counts and fields.
 */
#include "tnav/analysis/tables.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/attributes.h"
#include "tnav/engine/joined.h"
#include "tnav/model/value.h"

struct types {
	struct table		 table;
	struct trace		*t;
	struct type_stat	*st;
	struct attribute_names	*names;		/* NULL: types declare their fields */
	struct buf		 json, words;	/* fields of the last row */
};

/* "Depth:u32" */
static void
add_name(struct types *s, const char *name, const struct field *f)
{
	size_t	from;

	buf_puts(&s->words, s->words.len > 0 ? "," : "");
	from = s->words.len;
	buf_puts(&s->words, name);
	buf_putc(&s->words, ':');
	field_type_text(&s->words, f);
	buf_puts(&s->json, s->json.len > 1 ? "," : "");
	json_text8(&s->json, span_of_buf_from(&s->words, from));
}

/* In formats without declared fields, events show which attributes exist. */
static void
add_attributes(struct types *s, uint32_t type)
{
	const struct field	*f;
	uint32_t		 at = 0;
	const char		*name = attribute_name_of(s->names, type, &at, &f);

	for (; name != NULL; name = attribute_name_of(s->names, type, &at, &f))
		add_name(s, name, f);
}

/* Add each field. Fields of an object without a name are added in its place, as in paths. */
static void
add_fields(struct types *s, const struct field *fields, uint32_t n, unsigned depth)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct field	*f = &fields[i];

		if (f->kind == FK_PAD)
			continue;
		if (f->name[0] == '\0' && f->kind == FK_OBJECT && depth < LIMIT_NESTING) {
			add_fields(s, f->fields, f->nfields, depth + 1);
			continue;
		}
		if (f->kind != FK_ATTRIBUTES)
			add_name(s, f->name, f);
	}
}

static struct cell
fields_cell(struct types *s, const struct event_type *ty)
{
	struct cell	c;

	buf_clear(&s->json);
	buf_clear(&s->words);
	buf_putc(&s->json, '[');
	add_fields(s, ty->fields, ty->nfields, 0);
	if (s->names != NULL)
		add_attributes(s, ty->index);
	buf_putc(&s->json, ']');
	c = cell_raw(s->json.p, s->json.len);
	c.word = (struct span){ (const uint8_t *)buf_str(&s->words), s->words.len };
	return c;
}

static void
types_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct types			*s = src;
	const struct type_stat		*st = &s->st[row];
	const struct event_type		*ty = trace_type(s->t, st->type);
	bool				 ids = trace_has(s->t, HAS_IDS);

	*out = cell_none();
	switch (col) {
	case TYPES_FILE:
	case TYPES_SOURCE:
		*out = source_cell(s->t, trace_type_source(s->t, st->type), col == TYPES_FILE);
		break;
	case TYPES_PROVIDER:
		*out = cell_str(ty->provider);
		break;
	case TYPES_ID:
	case TYPES_VERSION:
		if (ids)
			*out = cell_u64(col == TYPES_ID ? ty->id : ty->version);
		break;
	case TYPES_NAME:
		*out = cell_name(ty->name);
		break;
	case TYPES_EVENT:
		*out = cell_str(ty->event);
		break;
	case TYPES_EVENTS:
		*out = cell_u64(st->c.events);
		break;
	case TYPES_BYTES:
		*out = cell_bytes(st->c.bytes);
		break;
	case TYPES_FIRST:
	case TYPES_LAST:
		*out = stats_time(s->t, &st->c,
		    col == TYPES_FIRST ? st->c.first : st->c.last);
		break;
	case TYPES_FIELDS:
		*out = fields_cell(s, ty);
		break;
	default:
		break;
	}
}

static void
types_release(void *src)
{
	struct types	*s = src;

	mem_free(s->st);
	attribute_names_free(s->names);
	buf_release(&s->json);
	buf_release(&s->words);
	mem_free(s);
}

struct table *
types_table(struct trace *t, const struct count *part)
{
	struct types	*s = mem_zalloc(1, sizeof *s);
	size_t		 n, kept = 0;

	s->t = t;
	n = trace_type_stats(t, &s->st);
	if (n > 0 && attributes_in(trace_type(t, s->st[0].type))) {
		s->names = attribute_names_new(t);
		attribute_names_add_all(s->names);
	}
	for (size_t i = 0; i < n; i++) {
		struct type_stat	st = s->st[i];

		if (part != NULL)
			st.c = part[st.type];
		if (part == NULL || st.c.events > 0)
			s->st[kept++] = st;
	}
	s->table = (struct table){ .column = types_columns, .ncolumns = TYPES_COLUMNS,
	    .nrows = kept, .src = s, .cell = types_cell, .release = types_release,
	    .empty = "no event types" };
	s->table.absent = sources_absent(t, TYPES_FILE);
	return &s->table;
}
