/*
 * tnav stats: how many events, how many bytes and when, by the values of any fields.
 */
#include <inttypes.h>
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/engine/count.h"

#define NS_PER_S	1e9

#define KEYS_MAX	(1u << 20)
#define TEXT_MAX	4096u

struct stats {
	struct run		*s;
	struct field_list	 by;
	struct count_options	 opt;
	struct counter		*count;
	uint32_t		*order;		/* of the keys, most events first */
};

/* ---- counting: a counter a piece */

static void *
piece_begin(void *arg)
{
	struct stats	*st = arg;

	return counter_new(st->s->t, &st->by, &st->opt);
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++) {
		uint64_t	row = b->row0;

		if (row != ROW_UNKNOWN)
			row += b->at[i];
		counter_add(state, &b->ev[b->at[i]], row);
	}
}

static int
piece_merge(void *arg, void *state)
{
	struct stats	*st = arg;

	counter_merge(st->count, state);
	counter_free(state);
	return 0;
}

static void
piece_drop(void *arg, void *state)
{
	(void)arg;
	counter_free(state);
}

static const struct pass_ops	count_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .drop = piece_drop,
};

/* Rows are known in the order of time only. */
static enum pass_order
order_of(const struct field_list *by)
{
	for (size_t i = 0; i < by->n; i++)
		if (by->v[i].def->kind == FIELD_HEADER && strcmp(by->v[i].def->name, "row") == 0)
			return PASS_TIME;
	return PASS_ANY;
}

static void
stats_count(struct stats *st)
{
	struct selection	*sel = &st->s->sel;

	/* The index has the counts of the whole trace by type already. */
	if (!sel->has_from && !sel->has_to && counter_add_index(st->count, sel->eval))
		return;
	(void)run_pass(st->s, order_of(&st->by), &count_ops, st);
}

/* ---- printing */

/* Seconds of the time that is looked at: the window's, else from the first event to the last. */
static double
stats_seconds(struct run *s)
{
	int64_t	first, last;

	if (!trace_range(s->t, &first, &last))
		return 0;
	if (s->sel.has_from)
		first = s->sel.from;
	if (s->sel.has_to)
		last = s->sel.to;
	return ((double)trace_ns(s->t, last) - (double)trace_ns(s->t, first)) / NS_PER_S;
}

/* The table's rows: the key's cells, then what is counted of it. */
struct stats_rows {
	struct stats	*st;
	struct cell	*key;		/* of the row that was asked for last */
	size_t		 row;
	double		 seconds;
};

static void
row_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct stats_rows	*r = src;
	struct stats		*st = r->st;

	if (r->row != row)
		(void)counter_cells(st->count, st->order[row], r->key);
	r->row = row;
	if (col < st->by.n)
		*out = r->key[col];
	else
		stats_cell(st->s->t, counter_count(st->count, st->order[row]),
		    counter_all(st->count)->events, r->seconds, col - (unsigned)st->by.n, out);
}

static int
print_stats(struct stats *st)
{
	const struct options	*o = st->s->opt;
	struct stats_rows	 rows = { .st = st, .row = TABLE_NO_ROW };
	size_t			 n = st->by.n + STATS_COLUMNS;
	struct table_column	*column = mem_zalloc(n, sizeof *column);
	struct table		 t = { .column = column, .ncolumns = (unsigned)n, .src = &rows,
				    .cell = row_cell, .nrows = counter_keys(st->count) };
	int			 code;

	for (size_t i = 0; i < st->by.n; i++)
		column[i].name = st->by.names[i];
	memcpy(column + st->by.n, stats_column, STATS_COLUMNS * sizeof *column);
	rows.key = mem_zalloc(st->by.n, sizeof *rows.key);
	st->order = mem_zalloc(t.nrows + 1, sizeof *st->order);
	counter_order(st->count, st->order);
	rows.seconds = stats_seconds(st->s);
	if (o->given[OPT_TOP] && o->number[OPT_TOP] < t.nrows)
		t.nrows = (size_t)o->number[OPT_TOP];
	code = listing_check(st->s, column, (unsigned)n);
	if (code == 0 && listing_print(st->s, &t) < 0)
		code = EXIT_OUTPUT;
	if (counter_beyond(st->count)->events > 0)
		message_put("%s: %" PRIu64 " events have still other values, which are not listed",
		    run_name(st->s), counter_beyond(st->count)->events);
	mem_free(rows.key);
	mem_free(column);
	return code;
}

static int
stats_open(struct stats *st, struct run *s)
{
	const char		*by = s->opt->text[OPT_BY];
	struct buf		 why;
	int			 code = 0;

	memset(st, 0, sizeof *st);
	st->s = s;
	buf_init(&why);
	if (field_list_init(&st->by, by != NULL ? by : "provider,name", &why) < 0) {
		message_put("--by: %s", buf_str(&why));
		s->stop = true;
		code = EXIT_USAGE;
	}
	buf_release(&why);
	if (code == 0)
		code = run_check_fields(s, &st->by, "--by");
	if (code != 0) {
		field_list_release(&st->by);
		return code;
	}
	st->opt = (struct count_options){ .keys = KEYS_MAX, .text = TEXT_MAX,
	    .fields.words = s->opt->given[OPT_ENUMS] ? WORDS_INSTEAD : WORDS_BARE };
	st->count = counter_new(s->t, &st->by, &st->opt);
	return 0;
}

static void
stats_close(struct stats *st)
{
	counter_free(st->count);
	field_list_release(&st->by);
	mem_free(st->order);
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
	run_tell_loss(s);
	stats_close(&st);
	return code;
}
