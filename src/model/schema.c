/*
 * The built-in table of events: two texts that are compiled in, parsed on first use.
 *
 *   clr_events_tsv   provider \t id \t version \t name ... \t Count:u32;Values:{A:ptr}[Count]
 *        | copied, cut at tabs and colons in place: the cells are the strings
 *   rows   sorted by provider, id, version          maps   sorted by name
 *
 * A field that is the count of an array gets a slot: the walk stores its value there for the array.
 * The records of an array use the same slots, one record after another.
 *
 * Invariant: a table never changes once the_table points to it.
 * Grammar: the head of events.tsv.
 */
#include "tnav/model/schema.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/buf.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "model/clr_data.h"
#include "tnav/base/sort.h"
#include "tnav/model/program.h"

#define ANY		UINT32_MAX
#define EVENT_CELLS	10
#define MAP_CELLS	4
#define RUNTIME		"Microsoft-Windows-DotNETRuntime"

struct schema {
	struct arena		 arena;
	struct schema_row	*rows;
	uint32_t		 nrows;
	struct value_map	*maps;
	uint32_t		 nmaps;
};

/*
 * The table, set once. A caller that finds NULL parses a table and tries to set it here; if several
 * do so at the same time, one succeeds and the others free theirs.
 */
static _Atomic(const struct schema *)	the_table;

/* A record whose fields are being parsed. A count may refer to them. */
struct scope {
	const struct scope	*up;
	struct field		*fields;
	uint32_t		 n;
};

struct row_parser {
	struct schema	*t;
	char		*p;
	uint32_t	 nslots;
	bool		 bad;
};

static const struct type_word {
	const char	*word;
	enum field_kind	 kind;
	uint32_t	 flags;
} type_words[] = {
	{ "u8", FK_U8, 0 }, { "i8", FK_I8, 0 }, { "u16", FK_U16, 0 }, { "i16", FK_I16, 0 },
	{ "u32", FK_U32, 0 }, { "i32", FK_I32, 0 }, { "u64", FK_U64, 0 }, { "i64", FK_I64, 0 },
	{ "u32x", FK_U32, FIELD_HEX }, { "u64x", FK_U64, FIELD_HEX },
	{ "f32", FK_F32, 0 }, { "f64", FK_F64, 0 },
	{ "bool32", FK_BOOL32, 0 }, { "bool8", FK_BOOL8, 0 },
	{ "ptr", FK_PTR, FIELD_HEX }, { "guid", FK_GUID, 0 }, { "filetime", FK_DATETIME, 0 },
	{ "utf16z", FK_UTF16Z, 0 }, { "utf8z", FK_UTF8Z, 0 }, { "str16", FK_STR16, 0 },
	{ "varu", FK_VARU, 0 }, { "varux", FK_VARU, FIELD_HEX },
	{ "bytes", FK_BYTES, 0 }, { "padptr", FK_PAD, 0 },
};

/* ---- fields */

static const struct value_map *
map_find(const struct schema *t, const char *name)
{
	size_t	at = 0;

	BISECT(at, t->nmaps, i, strcmp(t->maps[i].name, name) < 0);
	return at < t->nmaps && strcmp(t->maps[at].name, name) == 0 ? &t->maps[at] : NULL;
}

/* Cut off the word at p before one of the ends; *end is that character, replaced by a NUL. */
static char *
parse_word(struct row_parser *ps, const char *ends, char *end)
{
	char	*word = ps->p;

	ps->p += strcspn(ps->p, ends);
	*end = *ps->p;
	if (*end != '\0')
		*ps->p++ = '\0';
	return word;
}

/* The slot of an earlier field of this name, in this record or else in those around it. */
static bool
parse_slot(struct row_parser *ps, const struct scope *r, const char *name, uint32_t *slot)
{
	for (; r != NULL; r = r->up) {
		for (uint32_t i = r->n; i-- > 0;) {
			struct field	*f = &r->fields[i];

			if (strcmp(f->name, name) != 0)
				continue;
			if (f->slot == FIELD_NO_SLOT && ps->nslots < FIELD_NO_SLOT)
				f->slot = (uint8_t)ps->nslots++;
			*slot = f->slot;
			return f->slot != FIELD_NO_SLOT;
		}
	}
	return false;
}

/* Parse the text between brackets: "*", "12" or the name of a field. */
static void
parse_count(struct row_parser *ps, const struct scope *r, struct field *f, const char *n)
{
	if (strcmp(n, "*") == 0) {
		f->array = AK_REST;
	} else if (*n >= '0' && *n <= '9') {
		f->array = AK_FIXED;
		f->count = (uint32_t)strtoul(n, NULL, 10);
	} else {
		f->array = AK_BY_FIELD;
		ps->bad |= !parse_slot(ps, r, n, &f->count);
	}
}

static void
parse_type(struct row_parser *ps, struct field *f, const char *word)
{
	for (size_t i = 0; i < sizeof type_words / sizeof type_words[0]; i++) {
		if (strcmp(type_words[i].word, word) != 0)
			continue;
		f->kind = type_words[i].kind;
		f->flags |= type_words[i].flags;
		/* The padding of a C structure is not a value, though some rows say u16. */
		if (f->kind == FK_U16 && strcmp(f->name, "Padding") == 0) {
			f->kind = FK_PAD;
			f->count = 2;
		}
		return;
	}
	ps->bad = true;
}

static char	parse_list(struct row_parser *ps, const struct scope *up, const struct field **out,
		    uint32_t *n);

/* Parse one field; returns the character that ended it: ';', '}' or NUL. */
static char
parse_field(struct row_parser *ps, struct scope *r)
{
	struct field	*f = &r->fields[r->n];
	char		 end;

	f->slot = FIELD_NO_SLOT;
	if (*ps->p == '?') {
		f->flags |= FIELD_OPTIONAL;
		ps->p++;
	}
	f->name = parse_word(ps, ":", &end);
	if (*ps->p == '{') {
		ps->p++;
		f->kind = FK_OBJECT;
		ps->bad |= parse_list(ps, r, &f->fields, &f->nfields) != '}';
		parse_word(ps, "[:;}", &end);
	} else {
		parse_type(ps, f, parse_word(ps, "[:;}", &end));
	}
	if (end == '[') {
		parse_count(ps, r, f, parse_word(ps, "]", &end));
		parse_word(ps, ":;}", &end);
	}
	if (end == ':') {
		f->map = map_find(ps->t, parse_word(ps, ";}", &end));
		ps->bad |= f->map == NULL;
	}
	r->n++;
	return end;
}

/* Parse fields up to the end of the text or the brace that closes the record. */
static char
parse_list(struct row_parser *ps, const struct scope *up, const struct field **out, uint32_t *n)
{
	struct scope	r = { .up = up };
	uint32_t	count = 1;
	unsigned	depth = 0;
	char		end;

	for (const char *p = ps->p; *p != '\0' && (*p != '}' || depth > 0); p++) {
		depth += *p == '{';
		depth -= *p == '}';
		count += *p == ';' && depth == 0;
	}
	r.fields = arena_alloc(&ps->t->arena, count * sizeof *r.fields);
	do {
		end = parse_field(ps, &r);
	} while (end == ';' && r.n < count);
	*out = r.fields;
	*n = r.n;
	return end;
}

/* ---- rows */

/* Cut the next line into n cells, skipping comments; false at the end. */
static bool
line_cells(char **p, char *cell[], unsigned n)
{
	while (**p == '#' || **p == '\n') {
		*p += strcspn(*p, "\n");
		*p += **p == '\n';
	}
	if (**p == '\0')
		return false;
	for (unsigned i = 0; i < n; i++) {
		cell[i] = *p;
		*p += strcspn(*p, "\t\n");
		if (**p != '\0')
			*(*p)++ = '\0';
	}
	return true;
}

static uint32_t
count_lines(const char *p)
{
	uint32_t	n = 1;

	while ((p = strchr(p, '\n')) != NULL) {
		n++;
		p++;
	}
	return n;
}

static const char *
cell_or_null(const char *cell)
{
	return strcmp(cell, "-") == 0 ? NULL : cell;
}

static uint32_t
cell_number(const char *cell)
{
	return strcmp(cell, "*") == 0 ? ANY : (uint32_t)strtoul(cell, NULL, 10);
}

/* The word of "1:Start"; NULL for "0:-" and for "0:Info", which means no opcode. */
static const char *
cell_word(const char *cell)
{
	const char	*colon = strchr(cell, ':');

	if (colon == NULL || strcmp(cell, "0:Info") == 0)
		return NULL;
	return cell_or_null(colon + 1);
}

static void
table_parse_maps(struct schema *t)
{
	char			*p = arena_strndup(&t->arena, clr_maps_tsv, strlen(clr_maps_tsv));
	uint32_t		 n = count_lines(p);
	struct value_name	*v = arena_alloc(&t->arena, n * sizeof *v);
	char			*cell[MAP_CELLS];

	t->maps = arena_alloc(&t->arena, n * sizeof *t->maps);
	for (; line_cells(&p, cell, MAP_CELLS); v++) {
		struct value_map	*m = t->nmaps > 0 ? &t->maps[t->nmaps - 1] : NULL;

		if (m == NULL || strcmp(m->name, cell[0]) != 0) {
			m = &t->maps[t->nmaps++];
			m->name = cell[0];
			m->bits = strcmp(cell[1], "bits") == 0;
			m->values = v;
		}
		*v = (struct value_name){ strtoull(cell[2], NULL, 0), cell[3] };
		m->n++;
	}
}

static void
row_parse(struct schema *t, struct schema_row *row, char *cell[EVENT_CELLS])
{
	struct row_parser	ps = { .t = t, .p = cell[9] };

	row->provider = cell[0];
	row->id = cell_number(cell[1]);
	row->version = cell_number(cell[2]);
	row->name = cell[3];
	row->display = cell_or_null(cell[4]);
	row->task_word = cell_word(cell[5]);
	row->opcode_word = cell_word(cell[6]);
	row->keywords = strtoull(cell[8], NULL, 0);
	if (cell_or_null(cell[9]) != NULL)
		ps.bad |= parse_list(&ps, NULL, &row->fields, &row->nfields) != '\0';
	row->nslots = ps.nslots;
	/* The table is part of the program, so it has no syntax errors. */
	assert(!ps.bad);
	if (strcmp(row->provider, RUNTIME) == 0 && strcmp(row->name, "ExceptionThrown") == 0 &&
	    row->nfields > 1)
		((struct field *)row->fields)[1].flags |= FIELD_IF_FITS;
}

static int
row_key_compare(const struct schema_row *r, const char *provider, uint32_t id, uint32_t version)
{
	int	cmp = strcmp(r->provider, provider);

	if (cmp != 0)
		return cmp;
	if (r->id != id)
		return r->id < id ? -1 : 1;
	return r->version < version ? -1 : r->version > version;
}

static int
row_compare(const void *a, const void *b)
{
	const struct schema_row	*y = b;
	int			 cmp = row_key_compare(a, y->provider, y->id, y->version);

	/* Rows for any id are sorted by name; "*" comes before all letters. */
	return cmp != 0 ? cmp : strcmp(((const struct schema_row *)a)->name, y->name);
}

SORT_ORDER(map_compare, struct value_map, COMPARED(strcmp, name))

static void
table_parse_rows(struct schema *t)
{
	char	*p = arena_strndup(&t->arena, clr_events_tsv, strlen(clr_events_tsv));
	char	*cell[EVENT_CELLS];

	t->rows = arena_alloc(&t->arena, count_lines(p) * sizeof *t->rows);
	while (line_cells(&p, cell, EVENT_CELLS))
		row_parse(t, &t->rows[t->nrows++], cell);
	sort_array(t->rows, t->nrows, sizeof *t->rows, row_compare);
}

static const struct schema *
table_get(void)
{
	const struct schema	*now = atomic_load_explicit(&the_table, memory_order_acquire);
	struct schema		*t;

	if (now != NULL)
		return now;
	t = mem_zalloc(1, sizeof *t);
	table_parse_maps(t);
	sort_array(t->maps, t->nmaps, sizeof *t->maps, map_compare);
	table_parse_rows(t);
	if (atomic_compare_exchange_strong(&the_table, &now, t))
		return t;
	arena_release(&t->arena);
	mem_free(t);
	return now;
}

/* ---- look-up */

/* The first row at or after the key. */
static uint32_t
table_lower(const struct schema *t, const char *provider, uint32_t id, uint32_t version)
{
	size_t	at = 0;

	BISECT(at, t->nrows, i, row_key_compare(&t->rows[i], provider, id, version) < 0);
	return (uint32_t)at;
}

static bool
row_is(const struct schema *t, uint32_t i, const char *provider, uint32_t id)
{
	return i < t->nrows && t->rows[i].id == id && strcmp(t->rows[i].provider, provider) == 0;
}

static const struct schema_row *
table_by_name(const struct schema *t, const char *provider, const char *name)
{
	const struct schema_row	*any = NULL;

	if (*name == '\0')
		return NULL;
	for (uint32_t i = table_lower(t, provider, ANY, 0); row_is(t, i, provider, ANY); i++) {
		if (strcmp(t->rows[i].name, name) == 0)
			return &t->rows[i];
		if (strcmp(t->rows[i].name, "*") == 0)
			any = &t->rows[i];
	}
	return any;
}

const struct schema_row *
schema_find(const char *provider, uint32_t id, uint32_t version, const char *name, bool *exact)
{
	const struct schema	*t = table_get();
	uint32_t		 i = table_lower(t, provider, id, version);

	*exact = false;
	if (id != ANY) {
		if (row_is(t, i, provider, id) &&
		    (t->rows[i].version == version || t->rows[i].version == ANY)) {
			*exact = true;
			return &t->rows[i];
		}
		if (i > 0 && row_is(t, i - 1, provider, id))
			return &t->rows[i - 1];
	}
	*exact = true;		/* a row for any id applies to any version */
	return table_by_name(t, provider, name);
}

const struct schema_row *
schema_row_at(uint32_t i)
{
	const struct schema	*t = table_get();

	return i < t->nrows ? &t->rows[i] : NULL;
}

const struct value_map *
schema_map(const char *name)
{
	return map_find(table_get(), name);
}

/* ---- completion of a type */

/*
 * Is the table's description right and the trace's wrong or incomplete? Universal.System and two
 * events of the task library declare fields that they do not write. Descriptions that the runtime
 * generates stop before an array or a text that they can't express.
 */
static bool
table_knows_better(const struct event_type *t, const struct schema_row *row, bool exact)
{
	if (strcmp(t->provider, "Universal.System") == 0)
		return true;
	if (strcmp(t->provider, "System.Threading.Tasks.TplEventSource") == 0)
		return t->id == 20 || t->id == 21;
	if (!exact || strncmp(t->provider, RUNTIME, strlen(RUNTIME)) != 0 ||
	    t->nfields >= row->nfields)
		return false;
	for (uint32_t i = 0; i < t->nfields; i++) {
		if (strcmp(t->fields[i].name, row->fields[i].name) != 0)
			return false;
	}
	return true;
}

static bool
kind_is_number(enum field_kind k)
{
	return (k >= FK_U8 && k <= FK_PTR) || k == FK_VARU || k == FK_VARI;
}

/* Add the table's names of values, and its hex flags, to fields that the trace describes. */
static void
fields_enrich(struct event_type *t, const struct schema_row *row, struct arena *a)
{
	struct field	*own = NULL;

	for (uint32_t i = 0; i < t->nfields && i < row->nfields; i++) {
		const struct field	*f = &t->fields[i], *known = &row->fields[i];
		uint32_t		 hex = known->flags & FIELD_HEX;

		if (!kind_is_number(f->kind) || strcmp(f->name, known->name) != 0 ||
		    (known->map == NULL && hex == 0))
			continue;
		if (own == NULL) {
			own = arena_alloc(a, t->nfields * sizeof *own);
			memcpy(own, t->fields, t->nfields * sizeof *own);
		}
		own[i].map = known->map;
		own[i].flags |= hex;
	}
	if (own != NULL)
		t->fields = own;
}

/* An event OrderStart with opcode Start is shown as Order/Start, as runtime events are. */
static void
name_by_opcode(struct event_type *t, struct arena *a)
{
	const char	*word = t->opcode == 1 ? "Start" : "Stop";
	size_t		 len = strlen(t->name), n = strlen(word);
	struct buf	 b = { 0 };

	if (!t->has_opcode || (t->opcode != 1 && t->opcode != 2) || len <= n ||
	    strcmp(t->name + len - n, word) != 0 || t->name[len - n - 1] == '/')
		return;
	buf_add(&b, t->name, len - n);
	buf_printf(&b, "/%s", word);
	t->event = t->name;
	t->name = arena_strndup(a, b.p, b.len);
	buf_release(&b);
}

static void
complete_name(struct event_type *t, const struct schema_row *row, struct arena *a)
{
	const char	*shown = row != NULL && row->display != NULL ? row->display :
			    row != NULL ? row->name : "";
	char		 number[16];

	t->event = NULL;
	if (row != NULL && strcmp(row->name, "*") != 0) {
		if (*t->name == '\0')
			t->name = row->name;
		if (strcmp(t->name, shown) != 0) {
			t->event = t->name;
			t->name = shown;
		}
	} else if (*t->name == '\0') {
		snprintf(number, sizeof number, "#%u", t->id);
		t->name = arena_strndup(a, number, strlen(number));
	} else {
		name_by_opcode(t, a);
	}
}

/* Mark which variants could apply to these fields. */
static void
fields_mark_odd(struct event_type *t, const struct field *f, uint32_t n, unsigned depth)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct field	*e = &f[i];

		for (unsigned in = 0; e->inner != NULL && in < LIMIT_NESTING; in++)
			e = e->inner;
		t->odd_bool |= e->kind == FK_BOOL32;
		t->odd_date |= e->kind == FK_DATETIME;
		t->odd_real |= e->kind == FK_DECIMAL;
		t->odd_text |= e->kind == FK_CHAR8 && e->array == AK_NONE;
		if (e->kind == FK_OBJECT && depth < LIMIT_NESTING)
			fields_mark_odd(t, e->fields, e->nfields, depth + 1);
	}
}

void
schema_complete(struct event_type *t, struct arena *a)
{
	const struct schema_row	*row;
	bool			 exact;

	/* Attributes carry their own names and types, and their events have no ids. */
	if (t->nfields == 1 && t->fields[0].kind == FK_ATTRIBUTES) {
		t->nslots = 0;
		t->program = program_new(a, t, NULL);
		return;
	}
	row = schema_find(t->provider, t->id, t->version, t->name, &exact);
	/* Some providers number their events anew in each process: the names must be equal. */
	if (row != NULL && *t->name != '\0' && strcmp(row->name, "*") != 0 &&
	    strcmp(row->name, t->name) != 0)
		row = NULL;
	t->nslots = 0;
	if (row != NULL) {
		t->task_word = row->task_word;
		t->opcode_word = row->opcode_word;
		if (t->source == SCHEMA_NONE || table_knows_better(t, row, exact)) {
			/*
			 * For Universal.System only the declared fields: what its writer adds after
			 * them is not part of the event, and is reported as undecoded bytes.
			 */
			if (t->source == SCHEMA_NONE || t->nfields > row->nfields ||
			    strcmp(t->provider, "Universal.System") != 0)
				t->nfields = row->nfields;
			t->source = exact ? SCHEMA_BUILTIN : SCHEMA_OLDER;
			t->fields = row->fields;
			t->nslots = row->nslots;
		} else {
			fields_enrich(t, row, a);
		}
	}
	complete_name(t, row, a);
	t->builtin = builtin_find(t);
	if (t->source == SCHEMA_TRACE)
		fields_mark_odd(t, t->fields, t->nfields, 0);
	t->program = program_new(a, t, NULL);
}
