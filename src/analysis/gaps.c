/*
 * The table of gaps: which thread lost how many events, when, and how that was detected.
 */
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"

struct gaps {
	struct table			 table;
	struct trace			*t;
	const struct placed_gap		*gap;
	struct buf			 text;
};

/* The event before a gap, else the one after it. False: there is none. */
static bool
event_beside(struct trace *t, const struct gap *g, struct event *e)
{
	uint64_t	off = g->has_prev ? g->prev_off : g->next_off, row;

	return off != 0 && trace_row_of(t, g->has_prev ? g->prev_ts : g->to, off, &row) == 1 &&
	    trace_event(t, row, e) == 1;
}

/* The index that the thread has at the gap. */
static struct cell
index_cell(struct trace *t, const struct gap *g)
{
	struct thread_stat	st;
	uint64_t		thread, capture;
	struct event		e;

	if (!trace_has(t, HAS_INDEXES))
		return cell_none();
	if (event_beside(t, g, &e) && trace_thread_indexes(t, &e, &thread, &capture))
		return cell_u64(capture);
	trace_thread(t, g->thread, &st);
	return st.has_index ? cell_u64(st.thread_index) : cell_none();
}

static struct cell
tid_cell(struct trace *t, const struct gap *g)
{
	struct thread_stat	st;

	if (g->thread >= trace_threads(t))
		return cell_none();
	trace_thread(t, g->thread, &st);
	return st.has_tid ? cell_u64(st.tid) : cell_none();
}

static struct cell
whose_cell(struct trace *t, const struct gap *g, bool file)
{
	struct thread_stat	st;

	if (g->thread >= trace_threads(t))
		return cell_none();
	trace_thread(t, g->thread, &st);
	return source_cell(t, st.source, file);
}

static struct cell
after_cell(struct trace *t, const struct placed_gap *p)
{
	const struct gap	*g = p->gap;
	uint64_t		 after = p->after;
	bool			 has = p->has_after;

	if (!p->looked)
		has = g->has_prev && trace_row_of(t, g->prev_ts, g->prev_off, &after) == 1;
	return has ? cell_u64(after) : cell_null();
}

struct cell
gaps_cell(struct trace *t, const struct placed_gap *p, unsigned col)
{
	const struct gap	*g = p->gap;

	switch (col) {
	case GAPS_FILE:
	case GAPS_SOURCE:
		return whose_cell(t, g, col == GAPS_FILE);
	case GAPS_LOST:
		return cell_u64(g->lost);
	case GAPS_TID:
		return tid_cell(t, g);
	case GAPS_INDEX:
		return index_cell(t, g);
	case GAPS_STREAM:
		return trace_has(t, HAS_SUBSTREAMS) ? tid_cell(t, g) : cell_none();
	case GAPS_INCARNATION:
		return cell_u64(g->incarnation);
	case GAPS_WHY:
		return cell_str(gap_why_name(g->why));
	case GAPS_DETECTED:
		return cell_str(gap_why_words(g->why));
	case GAPS_AFTER:
		return after_cell(t, p);
	case GAPS_FROM:
	case GAPS_TO:
		return cell_time(trace_ns(t, col == GAPS_FROM ? g->from : g->to));
	case GAPS_WITHIN:
		return cell_dur(trace_dur(t, g->from, g->to));
	default:
		return cell_none();
	}
}

static void
numbers_cell(struct gaps *s, const struct gap *g, struct cell *out)
{
	buf_clear(&s->text);
	buf_grouped(&s->text, g->seq_from);
	if (g->seq_to != g->seq_from)
		buf_counts(&s->text, " to #", g->seq_to);
	*out = cell_str(buf_str(&s->text));
}

/* A description of a thread that has no id. */
static void
thread_word(struct gaps *s, const struct gap *g, struct cell *out)
{
	struct thread_stat	st = { .thread = g->thread };

	if (out->kind != CELL_NONE)
		return;
	if (g->thread < trace_threads(s->t))
		trace_thread(s->t, g->thread, &st);
	buf_clear(&s->text);
	buf_putc(&s->text, '#');
	buf_u64(&s->text, st.has_index ? st.thread_index : g->thread);
	out->word = span_of_buf(&s->text);
}

static void
table_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct gaps	*s = src;

	if (col == GAPS_NUMBERS)
		numbers_cell(s, s->gap[row].gap, out);
	else
		*out = gaps_cell(s->t, &s->gap[row], col);
	if (col == GAPS_TID)
		thread_word(s, s->gap[row].gap, out);
}

/* The event after the gap, where the gap commands also go; else the one before it. */
static bool
gaps_evidence(void *src, size_t row, struct table_evidence *out)
{
	const struct gap	*g = ((struct gaps *)src)->gap[row].gap;

	out->kind = EVIDENCE_EVENT;
	out->ts = g->next_off != 0 || !g->has_prev ? g->to : g->prev_ts;
	out->off = g->next_off != 0 ? g->next_off : g->has_prev ? g->prev_off : 0;
	return true;
}

static bool
gaps_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	struct gaps	*s = src;
	struct cell	 c = tid_cell(s->t, s->gap[row].gap);

	if (c.kind == CELL_NONE)
		return false;
	buf_puts(field, "tid");
	buf_u64(value, c.u);
	return true;
}

const struct gap *
gaps_table_gap(const struct table *t, size_t row)
{
	return row < t->nrows ? ((struct gaps *)t->src)->gap[row].gap : NULL;
}

static void
gaps_release(void *src)
{
	struct gaps	*s = src;

	buf_release(&s->text);
	mem_free(s);
}

struct table *
gaps_table(struct trace *t, const struct placed_gap *gaps, size_t n)
{
	struct gaps	*s = mem_zalloc(1, sizeof *s);

	s->t = t;
	s->gap = gaps;
	s->table = (struct table){ .column = gaps_columns, .ncolumns = GAPS_COLUMNS, .nrows = n,
	    .src = s, .cell = table_cell, .evidence = gaps_evidence, .key = gaps_key,
	    .release = gaps_release, .empty = "no lost events detected" };
	s->table.idle = UINT64_C(1) << GAPS_INCARNATION;
	for (size_t i = 0; i < n; i++)
		if (gaps[i].gap->incarnation > 1)
			s->table.idle = 0;
	s->table.absent = sources_absent(t, GAPS_FILE);
	if (!trace_has(t, HAS_INDEXES))
		s->table.absent |= UINT64_C(1) << GAPS_INDEX;
	if (!trace_has(t, HAS_SUBSTREAMS))
		s->table.absent |= UINT64_C(1) << GAPS_STREAM;
	return &s->table;
}

/* ---- windows */

uint64_t
gaps_lost(struct trace *t, const struct pass_options *window)
{
	uint64_t	 lost = 0;
	struct loss	 whole;
	struct gap	*all;
	size_t		 gaps;

	if (!pass_is_bounded(window)) {
		trace_loss(t, &whole);
		return whole.lost;
	}
	gaps = trace_gaps(t, &all);
	for (size_t i = 0; i < gaps; i++)
		if (gap_touches(&all[i], window))
			lost = add_u64(lost, all[i].lost);
	mem_free(all);
	return lost;
}
