/*
 * The kinds of columns, and a set of columns.
 *
 *	columns.tsv	time  delta  dur  thread  ...  payload  field  label
 *	columns.v	[x] time  [x] event  [x] payload.Reason  [ ] delta  ...
 *
 * Invariant: a set has each kind of the table once, and any number of fields and labels, each with
 * its own name. A new kind needs only a row of the table.
 */
#include "ui/view/column.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "tnav/analysis/cut.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/engine/joined.h"
#include "tnav/model/value.h"
#include "ui/view/view.h"

#define COLUMNS_MAX	64u
#define WHOLE_MOST	1e15	/* from here on a double is no exact number */
#define TENTH_NS	1e8	/* of a second */
#define WIDEST		40	/* greatest width of a column that fits its values */

bool
column_delta(const struct column *col, const struct column_row *r, struct field_at *out)
{
	int64_t	ns;

	(void)col;
	if (r->before == NULL)
		return false;
	ns = trace_dur(r->v->t, r->before->ts, r->e->ts);
	if (ns >= 0)
		buf_putc(&out->text, '+');
	units_dur_short(&out->text, ns, r->v->display.ascii);
	return true;
}

/* The end of a long provider's name, for little room: DotNETRuntime. */
static const char *
short_provider(const char *name)
{
	size_t		n = 0;
	const char	*from = name;

	for (const char *p = name; *p != '\0'; p++, n++)
		if ((*p == '-' || *p == '.') && p[1] != '\0')
			from = p + 1;
	return n > 16 ? from : name;
}

/* The file's name without its folder. */
bool
column_file(const struct column *col, const struct column_row *r, struct field_at *out)
{
	struct trace	*t = r->v->t;
	const char	*path = trace_path(trace_source(t, event_source(r->e)));

	(void)col;
	buf_puts(&out->text, text_base_name(path));
	(void)filter_quote(&out->value, path, strlen(path));
	return true;
}

bool
column_event(const struct column *col, const struct column_row *r, struct field_at *out)
{
	const struct event_type	*ty = trace_type(r->v->t, r->e->type);
	const char		*slash = strrchr(ty->name, '/');

	(void)col;
	if (slash == NULL && ty->provider[0] != '\0' && r->v->display.several_providers) {
		buf_puts(&out->text, short_provider(ty->provider));
		out->front = out->text.len;
		out->front_end = true;
		buf_putc(&out->text, '/');
	} else if (slash != NULL && !trace_has(r->v->t, HAS_DURATIONS)) {
		/* names of spans are plain text */
		out->front = (size_t)(slash - ty->name);
	}
	buf_puts(&out->text, ty->name[0] != '\0' ? ty->name : "(no name)");
	(void)filter_quote(&out->value, ty->name, strlen(ty->name));
	return true;
}

static bool
counter_cell(const struct column_row *r, const char *path, struct cell *out)
{
	struct field_ref	ref;

	field_ref_payload(&ref, path);
	field_get(r->v->reader, &ref, 1, r->e, r->row, out);
	field_ref_release(&ref);
	if (out->kind == CELL_F64 && out->f >= 0 && out->f < WHOLE_MOST && trunc(out->f) == out->f)
		*out = cell_u64(u64_of(out->f));
	out->show |= SHOW_GROUPED | SHOW_ROUNDED;
	return out->kind > CELL_NULL;
}

static double
seconds_of(const struct cell *c)
{
	if (c->kind == CELL_U64)
		return (double)c->u;
	return c->kind == CELL_F32 || c->kind == CELL_F64 ? c->f : 0;
}

#define COUNTER_CELLS	20u	/* of a counter's name, so that its value is seen at 80 columns */

/* "working-set 54.9 MB (1 s)  ": what an EventCounter says, before all that its payload has. */
static void
put_counter(const struct column_row *r, struct buf *out)
{
	const bool	ascii = r->v->display.ascii;
	struct cell	c = { .kind = CELL_NONE };

	if (strcmp(trace_type(r->v->t, r->e->type)->name, "EventCounters") != 0 ||
	    !counter_cell(r, "Payload.Name", &c) || c.kind != CELL_TEXT)
		return;
	cut_name(out, c.text, ascii ? TEXT_ASCII : TEXT_UTF8, COUNTER_CELLS);
	if (counter_cell(r, "Payload.Mean", &c) || counter_cell(r, "Payload.Increment", &c)) {
		buf_putc(out, ' ');
		cell_text(out, &c, ascii);
	}
	if (counter_cell(r, "Payload.DisplayUnits", &c) && c.kind == CELL_TEXT && c.text.len > 0) {
		buf_putc(out, ' ');
		cell_text(out, &c, ascii);
	}
	if (counter_cell(r, "Payload.IntervalSec", &c)) {
		c = cell_dur(i64_of(trunc(seconds_of(&c) * 10 + 0.5) * TENTH_NS));
		buf_puts(out, " (");
		cell_text(out, &c, ascii);
		buf_putc(out, ')');
	}
	buf_puts(out, "  ");
}

bool
column_payload(const struct column *col, const struct column_row *r, struct field_at *out)
{
	const struct event_type	*type = trace_type(r->v->t, r->e->type);
	struct payload_result	 res;

	(void)col;
	out->raw = trace_payload(r->v->t, r->e);
	put_counter(r, &out->text);
	payload_line(&out->text, type, out->raw, &res);
	builtin_line(&out->text, type, out->raw);
	return true;
}

/* Fields without a row in columns.tsv, and payload.FIELD and label.KEY, of which a set has any
   number. */
static const struct column_kind	kind_number = { .width = 12, .right = true, .fits = true,
	.from_w = -1 };
static const struct column_kind	kind_text = { .width = 18, .fits = true, .from_w = -1 };

/* ---- the set */

/* Add a column. field is the name of its field, or NULL. */
static void
add(struct column_set *cs, const struct column_kind *kind, const char *field, bool shown)
{
	struct column	*col;
	struct buf	 why = { 0 };

	cs->v = mem_grow(cs->v, &cs->cap, cs->n + 1, sizeof *cs->v);
	col = &cs->v[cs->n++];
	*col = (struct column){ .kind = kind, .shown = shown,
	    .name = mem_strdup(kind->name != NULL ? kind->name : field) };
	if (field != NULL)
		(void)field_ref_init(&col->ref, field, strlen(field), &why);
	buf_release(&why);
}

static bool
has_name(const struct column_set *cs, const char *name)
{
	for (size_t i = 0; i < cs->n; i++)
		if (strcmp(cs->v[i].name, name) == 0)
			return true;
	return false;
}

unsigned
columns_need(const struct column_set *cs, struct trace *t)
{
	unsigned	needs = 0;

	for (size_t i = 0; i < cs->n; i++)
		if (cs->v[i].ref.def != NULL && column_shown(cs, &cs->v[i], INT_MAX))
			needs |= field_needs(&cs->v[i].ref, t);
	return needs;
}

static bool
has_field(const char *name)
{
	for (size_t i = 0; i < column_nkinds; i++)
		if (column_kinds[i].field != NULL && strcmp(column_kinds[i].field, name) == 0)
			return true;
	return false;
}

/* Add every column that is not in the set yet. */
static void
add_all(struct column_set *cs, bool by_themselves)
{
	const struct field_def	*d;

	for (size_t i = 0; i < column_nkinds; i++) {
		const struct column_kind	*k = &column_kinds[i];
		const char			*name = k->name != NULL ? k->name : k->field;

		if (!has_name(cs, name))
			add(cs, k, k->field, by_themselves && k->from_w >= 0);
	}
	for (unsigned i = 0; (d = field_def(i))->kind == FIELD_HEADER; i++)
		if (!(d->flags & FIELD_DUMP) && !has_field(d->name) && !has_name(cs, d->name))
			add(cs, d->class == CLASS_NUMBER ? &kind_number : &kind_text, d->name,
			    false);
}

void
columns_release(struct column_set *cs)
{
	for (size_t i = 0; i < cs->n; i++) {
		field_ref_release(&cs->v[i].ref);
		mem_free(cs->v[i].name);
	}
	mem_free(cs->v);
	*cs = (struct column_set){ .w = 80 };
}

void
columns_default(struct column_set *cs)
{
	columns_release(cs);
	add_all(cs, true);
}

/* The index of the column with this name, or whose field has it. */
static size_t
find_name(const struct column_set *cs, const char *name)
{
	for (size_t i = 0; i < cs->n; i++)
		if (strcmp(cs->v[i].name, name) == 0)
			return i;
	for (size_t i = 0; i < cs->n; i++)
		if (cs->v[i].ref.def != NULL && cs->v[i].ref.def->kind == FIELD_HEADER &&
		    strcmp(cs->v[i].ref.def->name, name) == 0)
			return i;
	return cs->n;
}

static bool
is_spelled_out(const char *name)
{
	return strncmp(name, "payload.", 8) == 0 || strncmp(name, "label.", 6) == 0 ||
	    strncmp(name, "stack[", 6) == 0 || strncmp(name, "builtin.", 8) == 0;
}

/* Add a column for a field that is not in the table. Reason becomes payload.Reason. */
static bool
add_field(struct column_set *cs, const char *name, bool bare, struct buf *why)
{
	struct field_ref	ref = { .def = NULL };
	struct buf		full = { 0 };
	bool			good = bare || is_spelled_out(name);

	if (!good)
		buf_printf(why, "unknown column \"%s\" (time, thread, event, payload.%s, label.%s, "
		    "...)",
		    name, name, name);
	good = good && field_ref_init(&ref, name, strlen(name), why) == 0;
	if (good && ref.def->kind == FIELD_HEADER) {
		buf_printf(why, "%s can only be printed", name);
		good = false;
	}
	if (good && ref.def->kind == FIELD_PAYLOAD && !is_spelled_out(name))
		filter_quote_name(&full, "payload.", ref.path, strlen(ref.path));
	if (good)
		add(cs, &kind_text, full.len > 0 ? buf_str(&full) : name, true);
	buf_release(&full);
	field_ref_release(&ref);
	return good;
}

/* Add the named column to the set. `was` has every column once. */
static bool
add_named(struct column_set *cs, const struct column_set *was, const char *name, bool bare,
    struct buf *why)
{
	size_t			 i = find_name(was, name);
	const struct column	*col = &was->v[i];

	if (i == was->n)
		return add_field(cs, name, bare, why);
	if (!has_name(cs, col->name))
		add(cs, col->kind, col->kind->name != NULL ? col->kind->field : col->name, true);
	return true;
}

/* Make a set of these columns, and after them those that are not shown. bare: fields of payloads
   may be named without "payload.". */
static bool
make_set(struct column_set *to, const struct column_set *was, const char *list, bool bare,
    struct buf *why)
{
	char	*copy = mem_strdup(list), *end;
	bool	 ok = true, more = true;
	size_t	 len;

	*to = (struct column_set){ .w = was->w, .has = was->has, .chosen = true };
	for (char *p = copy; more && ok; p = end + 1) {
		end = p + field_name_len(p);
		more = *end != '\0';
		*end = '\0';
		p += strspn(p, " ");
		for (len = strlen(p); len > 0 && p[len - 1] == ' '; len--)
			p[len - 1] = '\0';
		if (*p != '\0')
			ok = add_named(to, was, p, bare, why);
		if (ok && to->n > COLUMNS_MAX) {
			buf_printf(why, "more than %u columns", COLUMNS_MAX);
			ok = false;
		}
	}
	mem_free(copy);
	if (ok && to->n == 0) {
		buf_puts(why, "no column given: time,event,payload");
		ok = false;
	}
	if (ok)
		add_all(to, false);
	return ok;
}

/* Replace the set by one that is good. */
static bool
replace(struct column_set *cs, struct column_set *to, bool good)
{
	columns_release(good ? cs : to);
	if (good)
		*cs = *to;
	return good;
}

bool
columns_set(struct column_set *cs, const char *list, struct buf *why)
{
	struct column_set	to;

	return replace(cs, &to, make_set(&to, cs, list, false, why));
}

/* Check the fields that are new in the set, as the filter would. */
static bool
check_new(const struct column_set *cs, const struct column_set *old, struct view *v,
    struct buf *why)
{
	struct field_list	l = { .v = mem_zalloc(cs->n + 1, sizeof *l.v) };
	bool			good;

	for (size_t i = 0; i < cs->n; i++)
		if (cs->v[i].ref.def != NULL && cs->v[i].ref.def->kind != FIELD_HEADER &&
		    !has_name(old, cs->v[i].name))
			l.v[l.n++] = cs->v[i].ref;
	good = view_check_fields(v, &l, why, why);
	mem_free(l.v);
	return good;
}

bool
columns_choose(struct view *v, const char *list, struct buf *why)
{
	struct column_set	*cs = &v->display.columns, to;
	bool			 good = make_set(&to, cs, list, true, why);

	return replace(cs, &to, good && check_new(&to, cs, v, why));
}

void
columns_text(const struct column_set *cs, struct buf *out)
{
	bool	first = true;

	for (size_t i = 0; i < cs->n; i++) {
		if (!column_shown(cs, &cs->v[i], cs->w))
			continue;
		buf_printf(out, "%s%s", first ? "" : ",", cs->v[i].name);
		first = false;
	}
}

/* From now on the user chooses. At first, the columns that are shown by default stay. */
static void
choose(struct column_set *cs)
{
	for (size_t i = 0; i < cs->n && !cs->chosen; i++)
		cs->v[i].shown = column_shown(cs, &cs->v[i], cs->w);
	cs->chosen = true;
}

void
columns_toggle(struct column_set *cs, size_t i)
{
	choose(cs);
	cs->v[i].shown = !cs->v[i].shown;
}

bool
columns_move(struct column_set *cs, size_t i, int dir)
{
	struct column	c;
	size_t		to = dir < 0 ? i - 1 : i + 1;

	if (to >= cs->n)
		return false;
	choose(cs);
	c = cs->v[i];
	cs->v[i] = cs->v[to];
	cs->v[to] = c;
	return true;
}

/* ---- one column */

const char *
column_title(const struct column *col)
{
	const struct field_def	*d = col->ref.def;

	if (col->kind->title != NULL)
		return col->kind->title;
	if (d->kind != FIELD_HEADER)
		return col->ref.path;
	return d->title != NULL ? d->title : d->name;
}

bool
column_shown(const struct column_set *cs, const struct column *col, int w)
{
	return col->shown && (cs->chosen ||
	    (col->kind->from_w <= w && (col->kind->needs & ~cs->has) == 0));
}

static int
time_width(struct view *v)
{
	struct buf	b = { 0 };
	size_t		first;

	if (!v->window.any || v->display.time_format == TIME_DELTA)
		return 12;
	view_time(v, v->window.from, &b);
	first = b.len;
	buf_clear(&b);
	view_time(v, v->window.to, &b);
	first = b.len > first ? b.len : first;
	buf_release(&b);
	return (int)first + 1;
}

int
column_width(const struct column *col, struct view *v, int w)
{
	const char	*name = col->name;
	size_t		 title = strlen(column_title(col));

	if (strcmp(name, "time") == 0)
		return time_width(v);
	if (strcmp(name, "thread") == 0)
		return (int)v->display.tid_width + 1;
	if (strcmp(name, "event") == 0)
		return 1 + (w < 90 ? 24 : w < 140 ? 34 : 44);
	if (col->kind->fits && col->widest > 0)
		return 1 + (title > (size_t)col->widest ? (int)(title < WIDEST ? title : WIDEST) :
		    col->widest);
	return col->kind->width;
}

bool
column_right(const struct column *col)
{
	return col->kind->right || (col->kind->fits && col->numbers && !col->words);
}

void
column_measure(struct column *col, const struct column_row *r, struct field_at *cell)
{
	size_t	cells;

	if (!col->kind->fits || !column_cell(col, r, cell) || cell->text.len == 0)
		return;
	cells = text_width(span_of_buf(&cell->text), r->v->display.ascii ? TEXT_ASCII : TEXT_UTF8);
	col->numbers |= cell->number;
	col->words |= !cell->number;
	if (cells > (size_t)col->widest)
		col->widest = cells < WIDEST ? (int)cells : WIDEST;
}

bool
column_cell(const struct column *col, const struct column_row *r, struct field_at *out)
{
	const struct field_def	*d = col->ref.def;

	field_at_clear(out);
	if (d != NULL)
		buf_puts(&out->name, d->kind == FIELD_HEADER ? d->name : col->name);
	if (col->kind->format != NULL)
		return col->kind->format(col, r, out);
	return field_at_ref(out, r->v, &col->ref, r->e, r->row);
}
