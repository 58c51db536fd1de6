/*
 * The kinds of columns, and the set of them that a person has chosen.
 *
 *	kinds[]		time  delta  dur  thread  ...  payload  field  label
 *	columns.v	[x] time  [x] event  [x] payload.Reason  [ ] delta  ...
 *
 * Invariant: a set has each kind of the table once, but for fields and labels, of which it has any
 * number, each with its own name. To add a kind is to add a line to the table.
 */
#include "ui/view/column.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "ui/view/view.h"

#define COLUMNS_MAX	64u

/* A difference of times in few cells: +0.8 us, +91 ms, +12.3 s. */
static void
short_delta(struct buf *out, int64_t ns, bool ascii)
{
	static const struct { int64_t ns; const char *utf8, *ascii; } units[] = {
		{ 1000000000, " s", " s" }, { 1000000, " ms", " ms" },
		{ 1000, " \xc2\xb5s", " us" }, { 1, " ns", " ns" },
	};
	int	i = 0;

	buf_puts(out, ns < 0 ? "-" : "+");
	if (ns < 0)
		ns = ns > INT64_MIN ? -ns : INT64_MAX;
	while (i < 3 && ns < units[i].ns)
		i++;
	buf_i64(out, ns / units[i].ns);
	if (i < 3 && ns / units[i].ns < 100)
		buf_printf(out, ".%d", (int)(ns % units[i].ns * 10 / units[i].ns));
	buf_puts(out, ascii ? units[i].ascii : units[i].utf8);
}

static bool
format_delta(const struct column *col, const struct column_row *r, struct field_at *out)
{
	(void)col;
	if (r->before == NULL)
		return false;
	short_delta(&out->text, trace_ns(r->v->t, r->e->ts) - trace_ns(r->v->t, r->before->ts),
	    r->v->ascii);
	return true;
}

/* The end of a long provider's name, for where there is little room: DotNETRuntime. */
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

static bool
format_event(const struct column *col, const struct column_row *r, struct field_at *out)
{
	const struct event_type	*ty = trace_type(r->v->t, r->e->type);
	const char		*slash = strrchr(ty->name, '/');

	(void)col;
	if (slash == NULL && ty->provider[0] != '\0' && r->v->several_providers) {
		buf_puts(&out->text, short_provider(ty->provider));
		out->front = out->text.len;
		out->front_end = true;
		buf_putc(&out->text, '/');
	} else if (slash != NULL && !trace_has(r->v->t, HAS_DURATIONS)) {
		/* a span's is just text */
		out->front = (size_t)(slash - ty->name);
	}
	buf_puts(&out->text, ty->name[0] != '\0' ? ty->name : "(no name)");
	field_quote(&out->value, ty->name, strlen(ty->name));
	return true;
}

static bool
format_payload(const struct column *col, const struct column_row *r, struct field_at *out)
{
	struct payload_result	res;

	(void)col;
	out->raw = trace_payload(r->v->t, r->e);
	payload_line(&out->text, trace_type(r->v->t, r->e->type), out->raw,
	    trace_info(r->v->t)->pointer_size, &res);
	return true;
}

static const struct column_kind	kinds[] = {
{ "time", "time", 12, true, true, 0, 0, ST_TIME, "time", "when, in the chosen format (t)", NULL },
{ "delta", "delta", 9, true, true, 60, 0, ST_DIM, NULL, "since the row above", format_delta },
{ "dur", "dur", 11, true, false, 0, HAS_DURATIONS, ST_BAR, "dur", "how long it took", NULL },
{ "thread", "tid", 6, true, true, 0, 0, ST_THREAD, "tid", "the thread's id", NULL },
{ "thread-name", "thread name", 16, false, false, 110, HAS_NAMES, ST_THREAD, "thread",
	"the thread's name", NULL },
{ "pid", "process", 8, true, false, 100, HAS_PROCESSES, ST_THREAD, "pid", "the process id", NULL },
{ "cpu", "cpu", 5, true, false, -1, 0, ST_NORMAL, "cpu", "the processor", NULL },
{ "provider", "provider", 26, false, false, -1, 0, ST_NORMAL, "provider", "who wrote it", NULL },
{ "event", "event", 24, false, false, 0, 0, ST_EVENT, "name", "what it is", format_event },
{ "id", "id", 6, true, false, -1, 0, ST_NORMAL, "id", "its number with its provider", NULL },
{ "level", "level", 14, false, false, -1, 0, ST_NORMAL, "level", "how much it matters", NULL },
{ "keywords", "keywords", 19, false, false, -1, 0, ST_DIM, "keywords", "its groups, as bits",
	NULL },
{ "opcode", "opcode", 10, false, false, -1, 0, ST_NORMAL, "opcode", "start, stop, ...", NULL },
{ "seq", "number", 13, true, false, -1, 0, ST_DIM, "seq", "its number on its thread", NULL },
{ "row", "row", 12, true, false, -1, 0, ST_DIM, "row", "its place in the trace", NULL },
{ "size", "size", 8, true, false, -1, 0, ST_DIM, "size", "bytes of payload", NULL },
{ "lost", "lost", 10, true, false, -1, 0, ST_GAP, "lost", "events lost just before it", NULL },
{ "activity", "activity", 20, false, false, -1, 0, ST_NORMAL, "activity",
	"its activity, as a path where it is one", NULL },
{ "related", "related", 20, false, false, -1, 0, ST_NORMAL, "related", "the activity's parent",
	NULL },
{ "substream", "substream", 10, true, false, -1, 0, ST_NORMAL, "substream",
	"the substream (Heph)", NULL },
{ "payload", "payload", 0, false, false, 0, 0, ST_NORMAL, NULL, "the payload in one line",
	format_payload },
};

/* Of which a set has any number. */
static const struct column_kind	kind_field = { "payload.FIELD", NULL, 18, false, false, 0, 0,
	ST_NORMAL, NULL, "a field of the payload", NULL };
static const struct column_kind	kind_label = { "label.KEY", NULL, 18, false, false, 0, 0,
	ST_NORMAL, NULL, "a label", NULL };

#define KINDS	(sizeof kinds / sizeof *kinds)

/* ---- the set */

static void
add(struct column_set *cs, const struct column_kind *kind, const char *field, bool shown)
{
	cs->v = mem_grow(cs->v, &cs->cap, cs->n + 1, sizeof *cs->v);
	cs->v[cs->n++] = (struct column){ .kind = kind, .shown = shown,
	    .field = field != NULL ? mem_strdup(field) : NULL };
}

void
columns_init(struct column_set *cs)
{
	*cs = (struct column_set){ .w = 80 };
}

void
columns_release(struct column_set *cs)
{
	for (size_t i = 0; i < cs->n; i++)
		mem_free(cs->v[i].field);
	mem_free(cs->v);
	columns_init(cs);
}

void
columns_default(struct column_set *cs)
{
	columns_release(cs);
	for (size_t i = 0; i < KINDS; i++)
		add(cs, &kinds[i], NULL, kinds[i].from_w >= 0);
}

static bool
has_kind(const struct column_set *cs, const struct column_kind *kind)
{
	for (size_t i = 0; i < cs->n; i++)
		if (cs->v[i].kind == kind)
			return true;
	return false;
}

/* Add the column of that name to the set. */
static bool
add_named(struct column_set *cs, const char *name, struct buf *why)
{
	if (strncmp(name, "payload.", 8) == 0 && name[8] != '\0') {
		add(cs, &kind_field, name, true);
		return true;
	}
	if (strncmp(name, "label.", 6) == 0 && name[6] != '\0') {
		add(cs, &kind_label, name, true);
		return true;
	}
	for (size_t i = 0; i < KINDS; i++)
		if (strcmp(kinds[i].name, name) == 0) {
			if (!has_kind(cs, &kinds[i]))
				add(cs, &kinds[i], NULL, true);
			return true;
		}
	buf_printf(why, "no column \"%s\" (time, thread, event, payload.%s, label.%s, ...)", name,
	    name, name);
	return false;
}

bool
columns_set(struct column_set *cs, const char *list, struct buf *why)
{
	struct column_set	 to;
	char		*copy = mem_strdup(list), *next;
	bool		 ok = true;

	columns_init(&to);
	to.has = cs->has;
	to.chosen = true;
	for (char *p = copy; p != NULL && ok; p = next) {
		next = strchr(p, ',');
		if (next != NULL)
			*next++ = '\0';
		p += strspn(p, " ");
		p[strcspn(p, " ")] = '\0';
		if (*p != '\0')
			ok = add_named(&to, p, why);
		if (ok && to.n > COLUMNS_MAX) {
			buf_printf(why, "more than %u columns", COLUMNS_MAX);
			ok = false;
		}
	}
	mem_free(copy);
	if (ok && to.n == 0) {
		buf_puts(why, "no column is named: time,event,payload");
		ok = false;
	}
	if (!ok) {
		columns_release(&to);
		return false;
	}
	for (size_t i = 0; i < KINDS; i++)
		if (!has_kind(&to, &kinds[i]))
			add(&to, &kinds[i], NULL, false);
	columns_release(cs);
	*cs = to;
	return true;
}

void
columns_text(const struct column_set *cs, struct buf *out)
{
	bool	first = true;

	for (size_t i = 0; i < cs->n; i++) {
		if (!column_shown(cs, &cs->v[i], cs->w))
			continue;
		buf_printf(out, "%s%s", first ? "" : ",", column_name(&cs->v[i]));
		first = false;
	}
}

/* From now on a person says which: at first those that stood there. */
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
	if (i >= cs->n)
		return;
	choose(cs);
	cs->v[i].shown = !cs->v[i].shown;
}

bool
columns_move(struct column_set *cs, size_t i, int dir)
{
	struct column	c;
	size_t		to = dir < 0 ? i - 1 : i + 1;

	if (i >= cs->n || to >= cs->n)
		return false;
	choose(cs);
	c = cs->v[i];
	cs->v[i] = cs->v[to];
	cs->v[to] = c;
	return true;
}

/* ---- one column */

const char *
column_name(const struct column *col)
{
	return col->field != NULL ? col->field : col->kind->name;
}

const char *
column_title(const struct column *col)
{
	if (col->field == NULL)
		return col->kind->title;
	return strchr(col->field, '.') + 1;
}

const char *
column_field(const struct column *col)
{
	return col->field != NULL ? col->field : col->kind->field;
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
	struct buf	b;
	size_t		first;

	if (!v->any || v->time_format == TIME_DELTA)
		return 12;
	buf_init(&b);
	view_time(v, v->from, &b);
	first = b.len;
	buf_clear(&b);
	view_time(v, v->to, &b);
	first = b.len > first ? b.len : first;
	buf_release(&b);
	return (int)first + 1;
}

int
column_width(const struct column *col, struct view *v, int w)
{
	const char	*name = col->kind->name;

	if (strcmp(name, "time") == 0)
		return time_width(v);
	if (strcmp(name, "thread") == 0)
		return (int)v->tid_width + 1;
	if (strcmp(name, "event") == 0)
		return 1 + (w < 90 ? 24 : w < 140 ? 34 : 44);
	return col->kind->width;
}

bool
column_cell(const struct column *col, const struct column_row *r, struct field_at *out)
{
	const char	*field = column_field(col);

	field_at_clear(out);
	if (field != NULL)
		buf_puts(&out->name, field);
	if (col->kind->format != NULL)
		return col->kind->format(col, r, out);
	return field != NULL && field_get(r->v, r->e, r->row, field, out);
}

void
columns_line(struct view *v, const struct event *e, uint64_t row, struct buf *out)
{
	struct column_row	r = { .v = v, .e = e, .row = row };
	struct field_at		f;
	size_t			n = 0;

	field_at_init(&f);
	for (size_t i = 0; i < v->columns.n; i++) {
		const struct column	*col = &v->columns.v[i];

		if (!column_shown(&v->columns, col, v->columns.w) || !column_cell(col, &r, &f))
			continue;
		buf_puts(out, n++ > 0 ? "  " : "");
		buf_add(out, f.text.p, f.text.len);
	}
	field_at_release(&f);
}
