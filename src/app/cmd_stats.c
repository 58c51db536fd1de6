/*
 * tnav stats: counts, bytes and times of events by the values of any fields, with sums and other
 * aggregates of further fields.
 *
 *	key			 counted			aggregates
 *	time name	  |	 events bytes share ...  |	sum.Size p99.Size
 */
#include <inttypes.h>
#include <string.h>

#include "app/stats_request.h"
#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/run.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/count.h"

#define NS_PER_S	1e9

#define KEYS_MAX	(1u << 20)
#define TEXT_MAX	4096u

struct stats {
	struct run		*s;
	struct stats_request	 request;
	struct counter		*count;
	uint32_t		*order;		/* row -> key */
	/* The last row that was requested: */
	struct cell		*key;
	size_t			 row;
	struct buf		*text;		/* of each cell of the key */
	double			 seconds;	/* for rates */
};

/* ---- counting */

static void
stats_count(struct stats *st)
{
	struct selection	*sel = &st->s->sel;
	enum pass_order		 order = PASS_ANY;

	/* The index already has the counts by type of the whole trace. */
	if (!sel->has_from && !sel->has_to && counter_add_index(st->count, sel->eval))
		return;
	/* Rows are known in time order only. */
	if (field_list_has(&st->request.by, FIELD_ROWS) ||
	    field_list_has(&st->request.aggregates.values, FIELD_ROWS))
		order = PASS_TIME;
	(void)run_pass(st->s, order, &counter_ops, st->count);
}

/* ---- cells */

/* Length of the window in seconds; without one, from the first event to the last. */
static double
stats_seconds(struct stats *st)
{
	struct run	*s = st->s;
	int64_t		 first, last;

	if (st->request.every_ns > 0)
		return (double)st->request.every_ns / NS_PER_S;
	if (!trace_range(s->t, &first, &last))
		return 0;
	if (s->sel.has_from)
		first = s->sel.from;
	if (s->sel.has_to)
		last = s->sel.to;
	return ((double)trace_ns(s->t, last) - (double)trace_ns(s->t, first)) / NS_PER_S;
}

/* A text that is cut ends in "...". */
static void
cut_cell(struct cell *c, struct buf *text)
{
	buf_clear(text);
	cell_text(text, c, false);
	buf_puts(text, "\xe2\x80\xa6");
	if (c->kind != CELL_TEXT)
		c->kind = CELL_PLAIN;
	c->text = span_of_buf(text);
}

/* In text, replace a value by its displayed form. */
static void
people_cell(struct cell *c, struct buf *text)
{
	if (c->word.p == NULL && (c->show & SHOW_HEX) == 0)
		return;
	buf_clear(text);
	cell_text(text, c, false);
	*c = (struct cell){ .kind = CELL_PLAIN, .text = span_of_buf(text) };
}

/* Every row has all columns of the key, even if its events lack the field. */
static void
key_cell(struct stats *st, unsigned col, bool whole, struct cell *c)
{
	bool	full = (c->kind == CELL_TEXT || c->kind == CELL_BLOB) && c->text.len == TEXT_MAX;

	if (c->kind == CELL_NONE)
		c->kind = CELL_NULL;
	else if (full && !whole)
		cut_cell(c, &st->text[col]);
	else if (out_is_for_people(st->s->st.format))
		people_cell(c, &st->text[col]);
}

static void
key_cells(struct stats *st, uint32_t key)
{
	bool	whole = counter_cells(st->count, key, st->key);

	for (unsigned i = 0; i < st->request.nkeys; i++)
		key_cell(st, i, whole, &st->key[i]);
}

static void
row_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct stats	*st = src;
	unsigned	 nkeys = st->request.nkeys;
	uint32_t	 key = st->order != NULL ? st->order[row] : (uint32_t)row;

	if (st->row != row && col < nkeys)
		key_cells(st, key);
	if (col < nkeys)
		st->row = row;
	if (col < nkeys)
		*out = st->key[col];
	else if (col < nkeys + STATS_COLUMNS)
		stats_cell(st->s->t, counter_count(st->count, key), counter_all(st->count)->events,
		    st->seconds, col - nkeys, out);
	else
		counter_aggregate(st->count, key,
		    &st->request.aggregates.v[col - nkeys - STATS_COLUMNS], out);
}

/* ---- printing */

static void
sort_rows(struct stats *st, struct table *t)
{
	struct table_order	 order = { .n = 0 };
	uint32_t		*rows = mem_zalloc(t->nrows + 1, sizeof *rows);

	if (st->request.sort == TABLE_UNSORTED) {
		counter_order(st->count, rows);
	} else {
		table_order_make(&order, t, st->request.sort, st->request.up);
		if (order.n > 0)
			memcpy(rows, order.row, order.n * sizeof *rows);
		table_order_release(&order);
	}
	st->order = rows;
	st->row = TABLE_NO_ROW;
}

struct placed {
	int64_t		time;		/* the beginning of its time step */
	size_t		at;		/* in the order of rows */
};

SORT_ORDER(by_time, struct placed, RISING(time) RISING(at))

/* Keep the first rows of each time step, in their order. Returns how many. */
static size_t
keep_top(struct stats *st, size_t n, uint64_t top)
{
	struct placed	*v = mem_zalloc(n + 1, sizeof *v);
	bool		*drop = mem_zalloc(n + 1, sizeof *drop);
	size_t		 first = 0, kept = 0;

	for (size_t i = 0; i < n; i++) {
		(void)counter_cells(st->count, st->order[i], st->key);
		v[i] = (struct placed){ st->key[0].i, i };
	}
	sort_array(v, n, sizeof *v, by_time);
	for (size_t i = 0; i < n; i++) {
		if (v[i].time != v[first].time)
			first = i;
		drop[v[i].at] = i - first >= top;
	}
	for (size_t i = 0; i < n; i++)
		if (!drop[i])
			st->order[kept++] = st->order[i];
	mem_free(v);
	mem_free(drop);
	return kept;
}

/* Is it the first aggregate of its field, among the percentiles or among all that need numbers? */
static bool
is_first(const struct aggregates *a, size_t i, bool pct)
{
	for (size_t k = 0; k < i; k++)
		if (a->v[k].value == a->v[i].value && a->v[k].kind != AGGREGATE_DISTINCT &&
		    (!pct || a->v[k].kind == AGGREGATE_PCT))
			return false;
	return a->v[i].kind != AGGREGATE_DISTINCT && (!pct || a->v[i].kind == AGGREGATE_PCT);
}

/* Report what is not exact, or was left out. */
static void
tell_aggregate(struct stats *st, size_t i)
{
	const struct aggregates		*a = &st->request.aggregates;
	const struct aggregate		*g = &a->v[i];
	const char			*field = a->values.names[g->value];
	const struct count_remarks	 r = counter_remarks(st->count, g);

	if (g->kind == AGGREGATE_DISTINCT && r.capped > 0)
		message_put("%s: %s is a lower bound in %" PRIu64 " rows: at most %u "
		    "distinct values are counted", run_name(st->s), g->name, r.capped,
		    LIMIT_DISTINCT);
	if (r.sketched > 0 && is_first(a, i, true))
		message_put("%s: percentiles of %s are approximate (within 1 %%) in %" PRIu64
		    " rows, which have too many numbers to be exact", run_name(st->s), field,
		    r.sketched);
	if (r.others > 0 && is_first(a, i, false))
		message_put("%s: %" PRIu64 " values of %s are not numbers and are skipped",
		    run_name(st->s), r.others, field);
}

/* Report keys that are not listed. Totals include them. */
static void
tell_beyond(struct stats *st)
{
	const struct aggregates	*a = &st->request.aggregates;
	const struct count	*beyond = counter_beyond(st->count);
	struct buf		 text = { 0 };
	struct cell		 c;

	if (beyond->events == 0)
		return;
	for (size_t i = 0; i < a->n; i++) {
		if (a->v[i].kind == AGGREGATE_PCT || a->v[i].kind == AGGREGATE_DISTINCT)
			continue;
		counter_aggregate(st->count, COUNT_BEYOND, &a->v[i], &c);
		buf_printf(&text, ", %s ", a->v[i].name);
		cell_json(&text, &c);
	}
	message_put("%s: %" PRIu64 " more events, with values beyond the limit, are not listed: "
	    "bytes %" PRIu64 "%s", run_name(st->s), beyond->events, beyond->bytes, buf_str(&text));
	buf_release(&text);
}

/* Report that events of several providers share a name, and were added up. */
static void
tell_shared(struct stats *st)
{
	const struct field_list	*by = &st->request.by;
	uint32_t		*providers, shared = 0;

	if (st->s->st.format != OUT_TEXT || by->n != 1 || by->v[0].def == NULL ||
	    strcmp(by->v[0].def->name, "name") != 0)
		return;
	providers = mem_zalloc(counter_keys(st->count), sizeof *providers);
	counter_providers(st->count, providers);
	for (uint32_t i = 0; i < counter_keys(st->count); i++)
		shared += providers[i] > 1;
	if (shared > 0)
		message_note("%s: %u %s used by several providers; --by provider,name separates "
		    "them", run_name(st->s), shared, shared == 1 ? "name is" : "names are");
	mem_free(providers);
}

static int
print_stats(struct stats *st)
{
	struct table		 t = { .column = st->request.column, .src = st, .cell = row_cell,
				    .ncolumns = st->request.ncolumns,
				    .nrows = counter_keys(st->count),
				    .tie = st->request.nkeys + STATS_EVENTS + 1 };
	int			 code = listing_check(st->s, t.column, t.ncolumns);

	if (code != 0)
		return code;
	st->seconds = stats_seconds(st);
	sort_rows(st, &t);
	st->s->sort = TABLE_UNSORTED;		/* its rows are sorted as they are counted */
	if (st->request.every_ns > 0 && st->s->opt->given[OPT_TOP])
		t.nrows = keep_top(st, t.nrows, st->s->opt->number[OPT_TOP]);
	else
		t.nrows = listing_top(st->s, t.nrows);
	if (listing_print_order(st->s, &t, NULL) < 0)
		code = EXIT_OUTPUT;
	tell_beyond(st);
	tell_shared(st);
	for (size_t i = 0; i < st->request.aggregates.n; i++)
		tell_aggregate(st, i);
	return code;
}

/* ---- the whole */

/* Text shows names of values; files have the values themselves, as in the other output. */
static enum field_words
words_of(const struct run *s)
{
	if (s->opt->given[OPT_ENUMS])
		return WORDS_INSTEAD;
	return out_is_for_people(s->st.format) ? WORDS_ALL : WORDS_BARE;
}

static int
stats_open(struct stats *st, struct run *s)
{
	int	code;

	*st = (struct stats){ .s = s, .row = TABLE_NO_ROW };
	code = stats_request_init(&st->request, s);
	if (code != 0) {
		stats_request_release(&st->request);
		return code;
	}
	st->count = counter_new(s->t, &st->request.by, &(struct count_options){
	    .fields.words = words_of(s), .keys = KEYS_MAX, .text = TEXT_MAX, .valued = true,
	    .each = true, .every_ns = st->request.every_ns,
	    .aggregates = &st->request.aggregates });
	st->key = mem_zalloc(st->request.nkeys, sizeof *st->key);
	st->text = mem_zalloc(st->request.nkeys, sizeof *st->text);
	return 0;
}

static void
stats_close(struct stats *st)
{
	for (unsigned i = 0; i < st->request.nkeys; i++)
		buf_release(&st->text[i]);
	mem_free(st->text);
	mem_free(st->key);
	mem_free(st->order);
	counter_free(st->count);
	stats_request_release(&st->request);
}

int
stats_each(struct run *s)
{
	struct stats	st;
	int		code = stats_open(&st, s);

	if (code != 0)
		return code;
	stats_count(&st);
	if (print_stats(&st) != 0)
		code = EXIT_USAGE;
	if (counter_all(st.count)->events == 0)
		selection_tell_none(&s->sel, buf_str(&s->where));
	run_tell_loss(s);
	stats_close(&st);
	return code;
}
