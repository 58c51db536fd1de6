/*
 * The table of activities, as a tree, and a row with its totals.
 */
#include <string.h>

#include "analysis/activities/private.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"
#include "tnav/model/activity.h"
#include "tnav/model/json.h"

#define INDENT_MOST	20u

struct act_src {
	struct table		 table;
	struct activities	*a;
	unsigned		 flags;
	size_t			 n;		/* rows of activities; one more is the summary */
	uint32_t		*row;		/* of an entry, for parents */
	struct buf		 text[ACT_COLUMNS];
	uint64_t		*tid;		/* scratch: of a cell */
	size_t			 tid_cap;
};

/* ---- an activity */

static struct cell
hex_cell(struct buf *b, const uint8_t *id, size_t len)
{
	buf_bytes_hex(b, id, len);
	return (struct cell){ .kind = CELL_PLAIN, .text = span_of_buf(b) };
}

static struct cell
id_cell(struct act_src *x, const struct activity *v)
{
	if (v->kind == ACTIVITY_ID)
		return cell_guid(v->id);
	if (v->kind == ACTIVITY_TRACE)
		return hex_cell(&x->text[ACT_ACTIVITY], v->id, 16);
	return hex_cell(&x->text[ACT_ACTIVITY], v->id + 16, 8);
}

static struct cell
path_cell(struct act_src *x, const struct activity *v, unsigned col)
{
	struct activity_path	path;

	/* Which process it is of was found out before. */
	if (!v->has_path || !parents_path(x->a, v, &path))
		return cell_null();
	activity_path_text(&x->text[col], &path);
	return (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&x->text[col]) };
}

static struct cell
creator_cell(struct act_src *x, const struct activity *v)
{
	const struct event_type	*type;
	struct buf		*b = &x->text[ACT_CREATOR];

	if (v->creator == ACTIVITY_NONE)
		return cell_null();
	type = trace_type(x->a->t, v->creator);
	buf_printf(b, "%s/%s", type->provider, type->event != NULL ? type->event : type->name);
	return (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(b) };
}

static const char *
name_of(const struct act_src *x, const struct activity *v)
{
	if (v->creator != ACTIVITY_NONE)
		return trace_type(x->a->t, v->creator)->name;
	if (v->kind == ACTIVITY_ID)
		return NULL;
	return v->kind == ACTIVITY_TRACE ? "trace" : "span";
}

/* Before the name: the line of the critical path. */
static const char *
line_of(const struct act_src *x, const struct activity *v)
{
	if ((x->flags & ACTIVITIES_LINE) == 0)
		return "";
	if (!v->critical)
		return "  ";
	return (x->flags & ACTIVITIES_ASCII) != 0 ? "| " : "\xe2\x94\x83 ";
}

static struct cell
name_cell(struct act_src *x, const struct activity *v)
{
	const char	*name = name_of(x, v);
	struct cell	 cell = { .kind = CELL_TEXT };
	struct buf	*b = &x->text[ACT_NAME];

	if (name == NULL)
		return cell_null();
	if ((x->flags & ACTIVITIES_INDENT) != 0)
		buf_fill(b, ' ', 2 * min_u64(v->depth, INDENT_MOST));
	buf_puts(b, line_of(x, v));
	buf_puts(b, name);
	cell.text = span_of_buf(b);
	if ((x->flags & ACTIVITIES_LINE) != 0) {
		cell.word = cell.text;		/* on a screen */
		cell.text = cell_str(name).text;
	}
	return cell;
}

static struct cell
parent_cell(const struct act_src *x, uint32_t i)
{
	return i != ACTIVITY_NONE && x->a->all.v[i].kind == ACTIVITY_ID ?
	    cell_guid(x->a->all.v[i].id) : cell_null();
}

/* The links of one entry, which stand together. */
static size_t
links_of(const struct links *l, uint32_t entry, size_t *from)
{
	size_t	end;

	*from = 0;
	BISECT(*from, l->n, i, l->v[i].a < entry);
	for (end = *from; end < l->n && l->v[end].a == entry; end++)
		;
	return end - *from;
}

/* Append the thread's id, if it has one. */
static size_t
add_tid(const struct activities *a, uint32_t thread, uint64_t *tid, size_t n)
{
	if (thread >= a->nthreads || !a->thread[thread].has_tid)
		return n;
	tid[n] = a->thread[thread].tid;
	return n + 1;
}

static struct cell
threads_cell(struct act_src *x, const struct activity *v)
{
	struct buf		*b = &x->text[ACT_THREADS];
	const struct links	*l = &x->a->all.threads;
	size_t			 from, n, tids = 0;
	uint64_t		*tid;

	n = links_of(l, (uint32_t)(v - x->a->all.v), &from);
	tid = x->tid = mem_grow(x->tid, &x->tid_cap, n + LOW_THREADS, sizeof *tid);
	for (uint64_t low = v->low_threads; low != 0; low &= low - 1)
		tids = add_tid(x->a, (uint32_t)__builtin_ctzll(low), tid, tids);
	for (size_t i = 0; i < n; i++)
		tids = add_tid(x->a, l->v[from + i].b, tid, tids);
	sort_array(tid, tids, sizeof *tid, compare_u64);
	json_open(b, '[');
	for (size_t i = 0; i < tids; i++)
		if (i == 0 || tid[i] != tid[i - 1])
			json_u64(b, tid[i]);
	json_close(b, ']');
	return cell_raw(b->p, b->len);
}

/* What the span says that began it. */
static struct cell
span_cell(const struct act_src *x, const struct activity *v, unsigned col)
{
	int64_t	dur;

	if (!v->has_span)
		return cell_none();
	switch (col) {
	case ACT_START:
		return cell_time(trace_ns(x->a->t, v->at.ts));
	case ACT_STATE:
		return cell_str(span_state_name(v->state));
	case ACT_SELF:
		return v->state == SPAN_PAIRED ? cell_dur(v->self) : cell_null();
	default:
		return activity_dur(x->a, v, &dur) ? cell_dur(dur) : cell_null();
	}
}

/* What its own part is of the critical path that it is on. */
static struct cell
critical_share(const struct act_src *x, const struct activity *v)
{
	int64_t	dur;

	if (!v->critical)
		return cell_none();
	return activity_dur(x->a, &x->a->all.v[v->head], &dur) ?
	    cell_share((double)v->way, (double)dur) : cell_null();
}

static struct cell
time_or_null(const struct act_src *x, const struct activity *v, int64_t ts)
{
	return v->events > 0 ? cell_time(trace_ns(x->a->t, ts)) : cell_null();
}

static struct cell
activity_cell(struct act_src *x, const struct activity *v, unsigned col)
{
	static const char *const	kind[] = { "activity", "traceId", "spanId" };

	switch (col) {
	case ACT_FILE: case ACT_SOURCE:		/* a TraceId is of all of them */
		return v->kind == ACTIVITY_ID ?
		    source_cell(x->a->t, v->id[ACTIVITY_SOURCE], col == ACT_FILE) : cell_null();
	case ACT_KIND:
		return cell_str(kind[v->kind]);
	case ACT_ACTIVITY:
		return id_cell(x, v);
	case ACT_PATH:
		return path_cell(x, v, col);
	case ACT_NAME:
		return name_cell(x, v);
	case ACT_CREATOR:
		return creator_cell(x, v);
	case ACT_START: case ACT_DUR: case ACT_SELF: case ACT_STATE:
		return span_cell(x, v, col);
	case ACT_EVENTS:
		return cell_u64(v->events);
	case ACT_AS_RELATED:
		return cell_u64(v->as_related);
	case ACT_FIRST:
		return time_or_null(x, v, v->first);
	case ACT_LAST:
		return time_or_null(x, v, v->last);
	case ACT_THREADS:
		return threads_cell(x, v);
	case ACT_STARTS:
		return cell_u64(v->starts);
	case ACT_STOPS:
		return cell_u64(v->stops);
	case ACT_EXCEPTIONS:
		return cell_u64(v->exceptions);
	case ACT_BY_PATH:
		return parent_cell(x, v->by_path);
	case ACT_BY_RELATED:
		return parent_cell(x, v->by_related);
	case ACT_PARENT:
		return parent_cell(x, v->parent);
	case ACT_PARENT_PATH:
		return v->parent != ACTIVITY_NONE ?
		    path_cell(x, &x->a->all.v[v->parent], col) : cell_null();
	case ACT_CRITICAL:
		return v->critical ? cell_bool(true) : cell_none();
	case ACT_CRITICAL_TIME:
		return v->critical ? cell_dur(v->way) : cell_none();
	case ACT_CRITICAL_SHARE:
		return critical_share(x, v);
	default:
		return cell_none();
	}
}

static uint64_t
count_ids(const struct activities *a)
{
	uint64_t	n = 0;

	for (size_t i = 0; i < a->all.n; i++)
		n += a->all.v[i].kind == ACTIVITY_ID;
	return n;
}

static struct cell
summary_cell(const struct activities *a, unsigned col)
{
	switch (col) {
	case ACT_KIND:
		return cell_str("summary");
	case ACT_ACTIVITIES:
		return cell_u64(count_ids(a));
	case ACT_PATHS:
		return cell_u64(a->paths);
	case ACT_OTHER_IDS:
		return cell_u64(count_ids(a) - a->paths);
	case ACT_WITHOUT:
		return cell_u64(a->all.without);
	case ACT_WITH:
		return cell_u64(a->all.with);
	case ACT_ROOTS:
		return cell_u64(a->roots);
	case ACT_REUSED:
		return cell_u64(a->reused);
	case ACT_SAME:
		return cell_u64(a->same);
	case ACT_DIFFERS:
		return cell_u64(a->differs);
	default:
		return cell_none();
	}
}

/* ---- the table */

static void
table_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct act_src	*x = src;

	buf_clear(&x->text[col]);
	if (row < x->n)
		*out = activity_cell(x, activities_at(x->a, (uint32_t)row), col);
	else
		*out = summary_cell(x->a, col);
}

static size_t
table_parent(void *src, size_t row)
{
	struct act_src	*x = src;
	uint32_t	 up = row < x->n ? activities_at(x->a, (uint32_t)row)->up : ACTIVITY_NONE;

	return up != ACTIVITY_NONE ? x->row[up] : TABLE_NO_ROW;
}

/* All that was written under the id, or, of a trace, below it. */
static bool
table_evidence(void *src, size_t row, struct table_evidence *out)
{
	struct act_src		*x = src;
	const struct activity	*v;
	struct buf		 id = { 0 };

	if (row >= x->n)
		return false;
	v = activities_at(x->a, (uint32_t)row);
	out->kind = EVIDENCE_FILTER;
	if (v->kind == ACTIVITY_ID) {
		activities_put_name(x->a, x->a->order[row], &id);
		buf_printf(&out->filter, "activity = %s", buf_str(&id));
	} else if (v->kind == ACTIVITY_TRACE) {
		buf_bytes_hex(&id, v->id, 16);
		buf_printf(&out->filter, "label.TraceId = \"%s\"", buf_str(&id));
	} else {
		buf_bytes_hex(&id, v->id + 16, 8);
		buf_printf(&out->filter, "label.SpanId = \"%s\"", buf_str(&id));
	}
	buf_release(&id);
	return true;
}

static void
table_release(void *src)
{
	struct act_src	*x = src;

	for (unsigned i = 0; i < ACT_COLUMNS; i++)
		buf_release(&x->text[i]);
	mem_free(x->row);
	mem_free(x->tid);
	mem_free(x);
}

static enum tone
table_tone(void *src, size_t row, unsigned col)
{
	struct act_src	*x = src;

	if (row >= x->n || (col != ACT_PATH && col != ACT_NAME) ||
	    !activities_at(x->a, (uint32_t)row)->critical)
		return TONE_NORMAL;
	return TONE_STRONG;
}

struct table *
activities_table(struct activities *a, unsigned flags)
{
	struct act_src	*x = mem_zalloc(1, sizeof *x);

	x->a = a;
	x->flags = flags;
	x->n = a->all.n;
	x->row = mem_zalloc(x->n + 1, sizeof *x->row);
	for (size_t i = 0; i < x->n; i++)
		x->row[a->order[i]] = (uint32_t)i;
	x->table = (struct table){ .column = activities_columns, .ncolumns = ACT_COLUMNS,
	    .nrows = x->n + ((flags & ACTIVITIES_SUMMARY) != 0 && x->n > 0), .src = x,
	    .cell = table_cell, .parent = table_parent, .tone = table_tone,
	    .evidence = table_evidence, .release = table_release,
	    .open_depth = 1, .empty = "no event has an activity id" };
	x->table.absent = sources_absent(a->t, ACT_FILE);
	if ((flags & ACTIVITIES_SUMMARY) == 0)
		x->table.idle = ~UINT64_C(0) << ACT_ACTIVITIES | UINT64_C(1) << ACT_KIND;
	return &x->table;
}

size_t
activities_table_row(const struct table *t, uint32_t entry)
{
	const struct act_src	*x = t->src;

	return entry < x->n ? x->row[entry] : TABLE_NO_ROW;
}
