/*
 * The table of spans: each of them, then what they come to by name.
 *
 *	kind  group  name            start  dur    state	count  total
 *	span  GC     GCStart         1.2s   3.1ms  paired
 *	name  GC     GCStart			{...}		60     33.5ms
 *
 * What takes an event to tell (its activity, the values of its key) is looked up as cells are
 * asked for, in the order of time mostly.
 */
#include <string.h>

#include "analysis/dist.h"
#include "analysis/spans/choice.h"
#include "analysis/spans/label.h"
#include "analysis/spans/loss.h"
#include "analysis/spans/marks.h"
#include "analysis/spans/private.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/engine/field.h"
#include "tnav/engine/joined.h"

/* Of the screen: of each span, and of names. */
#define BIT(col)	(UINT64_C(1) << (col))
#define EACH_SHOWN	(BIT(SPANS_FILE) | (BIT(SPANS_STATES_OF) - BIT(SPANS_GROUP)))
#define NAMES_SHOWN	(BIT(SPANS_FILE) | BIT(SPANS_GROUP) | BIT(SPANS_NAME) | BIT(SPANS_BY) | \
	    (BIT(SPANS_COLUMNS) - BIT(SPANS_SELF_TOTAL)))

struct spans_src {
	struct table		 table;
	struct spans		*s;
	struct marker		*marker;	/* for keys */
	struct field_reader	*who;
	struct span_rows	 rows;
	const struct sums	*sums;
	bool			 titles;
	unsigned		 least, most;	/* buckets that any name has spans in */
	uint64_t		 row;		/* of the event, + 1; 0: none */
	struct event		 e;
	bool			 has_event;
	struct buf		 text[SPANS_COLUMNS];
};

/* ---- a span */

static const struct span_record *
record_of(const struct spans_src *x, size_t row)
{
	return spans_at(x->s, x->rows.span != NULL ? x->rows.span[row] : row);
}

/* Its first known event; NULL: the file changed. */
static const struct event *
event_of(struct spans_src *x, const struct span_record *r)
{
	uint64_t	row = r->row != SPAN_NO_ROW ? r->row : r->stop_row;

	if (x->row != row + 1) {
		x->row = row + 1;
		x->has_event = trace_event(x->s->t, row, &x->e) == 1;
	}
	return x->has_event ? &x->e : NULL;
}

static struct cell
thread_cell(struct spans_src *x, uint32_t thread)
{
	const struct field_who	*w = thread != EVENT_NONE ? field_who(x->who, thread) : NULL;
	struct cell		 c = cell_null();

	if (w != NULL && w->has_tid)
		return cell_u64(w->tid);
	if (w != NULL)
		c.word = span_of(w->number);
	return c;
}

static struct cell
pid_cell(struct spans_src *x, const struct span_record *r)
{
	uint32_t		 thread = r->thread != EVENT_NONE ? r->thread : r->stop_thread;
	const struct field_who	*w = field_who(x->who, thread);

	if (w == NULL || (!w->has_pid && !trace_has(trace_source(x->s->t, w->source), HAS_INDEXES)))
		return cell_none();
	return cell_u64(w->pid);
}

static struct cell
activity_cell(struct spans_src *x, const struct span_record *r)
{
	const struct event	*e = event_of(x, r);
	struct buf		*b = &x->text[SPANS_ACTIVITY];
	uint8_t			 guid[16];

	if (e == NULL || !trace_activity(x->s->t, e, guid))
		return cell_null();
	buf_add(b, guid, sizeof guid);
	return (struct cell){ .kind = CELL_GUID, .text = span_of_buf(b) };
}

/* The parts of its key; where the activity is that, the thread if there is none. */
static struct cell
matched_cell(struct spans_src *x, const struct span_record *r)
{
	const struct span_pair	*p = pair_of(spans_name(x->s, r->name));
	struct buf		*b = &x->text[SPANS_MATCHED];
	const char		*key = p != NULL ? p->key : "activity";

	if ((r->flags & SPAN_NATIVE) != 0)
		return cell_none();
	if ((r->flags & SPAN_BY_START) != 0)
		return cell_str("startThread");
	if ((r->flags & SPAN_BY_THREAD) != 0 && strcmp(key, "activity") == 0)
		key = "thread";
	for (size_t len; *key != '\0'; key += len + (key[len] == '+')) {
		len = strcspn(key, "+");
		if (len == 13 && memcmp(key, "ClrInstanceID", len) == 0)
			continue;
		if (b->len > 0)
			buf_putc(b, '+');
		buf_add(b, key, len);
	}
	return (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(b) };
}

static struct cell
key_cell(struct spans_src *x, const struct span_record *r)
{
	const struct event	*e = event_of(x, r);
	struct buf		*b = &x->text[SPANS_KEY];

	if (e == NULL || (r->flags & SPAN_NATIVE) != 0)
		return cell_none();
	marker_key_text(x->marker, e, r->name, r->row == SPAN_NO_ROW, b);
	return cell_raw(b->p, b->len);
}

static struct cell
gap_cell(struct spans_src *x, const struct span_record *r)
{
	struct buf	*b = &x->text[SPANS_GAP];
	bool		 may = (r->flags & SPAN_DOUBTFUL) != 0 || r->state == SPAN_LOST_IN_GAP ||
			    r->state == SPAN_ORPHAN_AFTER_GAP;
	struct span_gap	 g;

	if (!may || !spans_gap(x->s, r, &g))
		return cell_none();
	gap_json(b, x->s->t, &g.gap, thread_cell(x, g.gap.thread), g.candidates);
	return cell_raw(b->p, b->len);
}

static struct cell
state_cell(const struct span_record *r)
{
	struct cell	c = cell_str(span_state_name(r->state));

	if ((r->flags & SPAN_DOUBTFUL) != 0)
		c.word = span_of("doubtful");
	else if ((r->flags & SPAN_BY_START) != 0)
		c.word = span_of("by thread");
	return c;
}

static struct cell
text_cell(struct span text)
{
	return (struct cell){ .kind = CELL_TEXT, .text = text };
}

static struct cell
name_part(const struct spans_src *x, const struct span_name *n, unsigned col)
{
	switch (col) {
	case SPANS_FILE: case SPANS_SOURCE:
		return source_cell(x->s->t, n->source, col == SPANS_FILE);
	case SPANS_GROUP:
		return cell_str(n->group);
	case SPANS_PROVIDER:
		return cell_str(n->provider);
	case SPANS_NAME:
		return cell_name(x->titles ? n->title : n->name);
	default:
		return n->by.p != NULL ? text_cell(n->by) : cell_null();
	}
}

static struct cell
label_cell(struct spans_src *x, const struct span_record *r)
{
	spans_label(x->s, r, &x->text[SPANS_LABEL]);
	return text_cell(span_of_buf(&x->text[SPANS_LABEL]));
}

static struct cell
row_cell(uint64_t row)
{
	return row != SPAN_NO_ROW ? cell_u64(row) : cell_null();
}

static struct cell
span_cell(struct spans_src *x, const struct span_record *r, unsigned col)
{
	int64_t	dur;

	switch (col) {
	case SPANS_KIND:
		return cell_str("span");
	case SPANS_FILE: case SPANS_SOURCE: case SPANS_GROUP: case SPANS_PROVIDER:
	case SPANS_NAME: case SPANS_BY:
		return name_part(x, spans_name(x->s, r->name), col);
	case SPANS_LABEL:
		return label_cell(x, r);
	case SPANS_START:
		return r->row != SPAN_NO_ROW ? cell_time(trace_ns(x->s->t, r->start)) : cell_null();
	case SPANS_DUR:
		return spans_dur(x->s, r, &dur) ? cell_dur(dur) : cell_null();
	case SPANS_SELF:
		return r->state == SPAN_PAIRED ? cell_dur(r->self) : cell_null();
	case SPANS_TID:
		return thread_cell(x, r->thread);
	case SPANS_STOP_TID:
		return thread_cell(x, r->stop_thread);
	case SPANS_ACTIVITY:
		return activity_cell(x, r);
	case SPANS_MATCHED:
		return matched_cell(x, r);
	case SPANS_KEY:
		return key_cell(x, r);
	case SPANS_STATE:
		return state_cell(r);
	case SPANS_ROW:
		return row_cell(r->row);
	case SPANS_STOP_ROW:
		return row_cell(r->stop_row);
	case SPANS_PID:
		return pid_cell(x, r);
	case SPANS_GAP:
		return gap_cell(x, r);
	default:
		return cell_none();
	}
}

/* ---- a name */

static struct cell
states_cell(struct spans_src *x, const struct span_sum *m)
{
	struct buf	*b = &x->text[SPANS_STATES_OF];

	for (unsigned i = 0; i < SPAN_STATES; i++) {
		if (m->states[i] == 0)
			continue;
		buf_printf(b, "%c\"%s\":", b->len == 0 ? '{' : ',', span_state_name(i));
		buf_u64(b, m->states[i]);
	}
	buf_putc(b, '}');
	return cell_raw(b->p, b->len);
}

static struct cell
figures_cell(struct spans_src *x, const struct span_sum *m)
{
	struct buf			*b = &x->text[SPANS_DUR];
	const struct dist_figures	 f = { .n = m->n, .total = m->total, .min = m->min,
		.mean = m->n > 0 ? m->total / (int64_t)m->n : 0, .p50 = m->p50, .p90 = m->p90,
		.p99 = m->p99, .p999 = m->p999, .max = m->max };

	dist_figures_json(&f, b);
	return cell_raw(b->p, b->len);
}

static struct cell
dur_or_null(const struct span_sum *m, int64_t v)
{
	return m->n > 0 ? cell_dur(v) : cell_null();
}

static struct cell
counted(uint64_t n)
{
	struct cell	c = cell_u64(n);

	c.show = SHOW_GROUPED;
	return c;
}

static struct cell
figure_cell(const struct span_sum *m, unsigned col)
{
	switch (col) {
	case SPANS_COUNT:
		return counted(sum_all(m));
	case SPANS_CROSS:
		return counted(m->cross);
	case SPANS_OPENED:
		return counted(m->states[SPAN_OPEN] + m->states[SPAN_REPLACED]);
	case SPANS_LOST:
		return counted(m->states[SPAN_LOST_IN_GAP] + m->states[SPAN_ORPHAN_AFTER_GAP]);
	case SPANS_ORPHANED:
		return counted(m->states[SPAN_ORPHAN] + m->states[SPAN_ORPHAN_WITHOUT_ID]);
	case SPANS_DOUBTFUL:
		return counted(m->doubtful);
	case SPANS_SELF_TOTAL:
		return cell_dur(m->self);
	case SPANS_TOTAL:
		return cell_dur(m->total);
	case SPANS_MEAN:
		return dur_or_null(m, m->n > 0 ? m->total / (int64_t)m->n : 0);
	case SPANS_MIN:
		return dur_or_null(m, m->min);
	case SPANS_P50:
		return dur_or_null(m, m->p50);
	case SPANS_P90:
		return dur_or_null(m, m->p90);
	case SPANS_P99:
		return dur_or_null(m, m->p99);
	case SPANS_P999:
		return dur_or_null(m, m->p999);
	case SPANS_MAX:
		return dur_or_null(m, m->max);
	default:
		return cell_none();
	}
}

/* All names have the same scale. */
static struct cell
histogram_cell(const struct spans_src *x, const struct span_sum *m)
{
	uint32_t	n = x->most - x->least + 1;

	if (m->n == 0)
		return cell_null();
	return (struct cell){ .kind = CELL_SPARK, .spark = { .part = m->bucket + x->least,
	    .n = n, .known = n } };
}

static void
find_scale(struct spans_src *x)
{
	x->least = SPAN_BUCKETS;
	for (size_t i = 0; i < x->rows.nnames; i++) {
		const struct span_sum	*m = sums_at(x->sums, x->rows.name[i]);

		for (unsigned b = 0; b < SPAN_BUCKETS; b++) {
			if (m->bucket[b] == 0)
				continue;
			x->least = b < x->least ? b : x->least;
			x->most = b > x->most ? b : x->most;
		}
	}
	if (x->least > x->most)
		x->least = x->most;
}

static struct cell
sum_cell(struct spans_src *x, uint32_t name, unsigned col)
{
	const struct span_sum	*m = sums_at(x->sums, name);

	switch (col) {
	case SPANS_KIND:
		return cell_str("name");
	case SPANS_FILE: case SPANS_SOURCE: case SPANS_GROUP: case SPANS_PROVIDER:
	case SPANS_NAME: case SPANS_BY:
		return name_part(x, spans_name(x->s, name), col);
	case SPANS_DUR:
		return figures_cell(x, m);
	case SPANS_STATES_OF:
		return states_cell(x, m);
	case SPANS_HISTOGRAM:
		return histogram_cell(x, m);
	default:
		return figure_cell(m, col);
	}
}

/* ---- the table */

static void
table_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct spans_src	*x = src;

	buf_clear(&x->text[col]);
	if (row < x->rows.nspans)
		*out = span_cell(x, record_of(x, row), col);
	else
		*out = sum_cell(x, x->rows.name[row - x->rows.nspans], col);
}

static bool
table_evidence(void *src, size_t row, struct table_evidence *out)
{
	struct spans_src		*x = src;
	const struct span_record	*r;

	if (row >= x->rows.nspans)
		return false;
	r = record_of(x, row);
	out->kind = EVIDENCE_EVENT;
	out->ts = r->row != SPAN_NO_ROW ? r->start : r->stop;
	out->off = r->off;
	return true;
}

static void
table_release(void *src)
{
	struct spans_src	*x = src;

	for (unsigned i = 0; i < SPANS_COLUMNS; i++)
		buf_release(&x->text[i]);
	marker_free(x->marker);
	field_reader_free(x->who);
	span_rows_release(&x->rows);
	mem_free(x);
}

bool
spans_table_name(const struct table *t, size_t row, uint32_t *name)
{
	const struct spans_src	*x = t->src;

	if (row < x->rows.nspans || row - x->rows.nspans >= x->rows.nnames)
		return false;
	*name = x->rows.name[row - x->rows.nspans];
	return true;
}

bool
spans_table_span(const struct table *t, size_t row, uint64_t *span)
{
	const struct spans_src	*x = t->src;

	if (row >= x->rows.nspans)
		return false;
	*span = x->rows.span != NULL ? x->rows.span[row] : row;
	return true;
}

struct table *
spans_table(struct spans *s, const struct spans_table_of *of)
{
	struct spans_src	*x = mem_zalloc(1, sizeof *x);

	x->s = s;
	x->titles = of->titles;
	x->marker = marker_new(s);
	x->who = field_reader_new(s->t, &(struct field_options){ .words = WORDS_BARE });
	x->sums = s->sums;
	if (of->names && of->choice != NULL)
		x->sums = span_choice_sums(of->choice);
	if (of->list && of->choice != NULL)
		span_rows_copy(&x->rows, span_choice_rows(of->choice));
	else
		span_rows_list(&x->rows, s, x->sums, of);
	if (of->all != NULL)
		*of->all = x->rows.all;
	find_scale(x);
	x->table = (struct table){ .column = spans_columns, .ncolumns = SPANS_COLUMNS,
	    .nrows = x->rows.nspans + x->rows.nnames, .src = x, .cell = table_cell,
	    .evidence = table_evidence, .release = table_release,
	    .empty = "no event of this trace starts or ends a span" };
	x->table.absent = sources_absent(s->t, SPANS_FILE);
	if (s->opt.by == NULL)
		x->table.absent |= UINT64_C(1) << SPANS_BY;
	if (!of->names)
		x->table.idle = ~EACH_SHOWN;
	else if (!of->list)
		x->table.idle = ~NAMES_SHOWN;
	return &x->table;
}
