/*
 * tnav stats: how many events, how many bytes and when, by the values of any fields.
 */
#include <inttypes.h>
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/listing.h"
#include "app/payload.h"
#include "app/run.h"
#include "app/tally.h"
#include "app/walk.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"

#define NS_PER_S	1e9

struct stats {
	struct run		*s;
	struct field_reader	*reader;
	struct field_list	 by;
	struct cell		*cells;
	struct tally		*tally;
	uint32_t		*of_type;	/* by type: key + 1, where types decide */
	bool			 by_type;	/* types decide all of it */
	struct count		 all;
};

static int
stats_event(void *arg, const struct event *e, uint64_t row)
{
	struct stats	*st = arg;
	uint32_t	 key = st->of_type != NULL ? st->of_type[e->type] : 0;

	if (key == 0) {
		field_get(st->reader, st->by.v, st->by.n, e, row, st->cells);
		key = tally_find(st->tally, st->cells) + 1;
		if (st->of_type != NULL)
			st->of_type[e->type] = key;
	}
	count_add(tally_count(st->tally, key - 1), e);
	count_add(&st->all, e);
	return 0;
}

/* The whole trace by what types decide: the index has the counts already. */
static void
stats_of_index(struct stats *st)
{
	struct type_stat	*ts;
	size_t			 n = trace_type_stats(st->s->t, &ts);

	for (size_t i = 0; i < n; i++) {
		struct event	 e = { .type = ts[i].type, .thread = EVENT_NONE,
				     .capture = EVENT_NONE };
		struct count	*c;

		if (ts[i].c.events == 0)
			continue;
		field_get(st->reader, st->by.v, st->by.n, &e, 0, st->cells);
		c = tally_count(st->tally, tally_find(st->tally, st->cells));
		if (c->events == 0 || ts[i].c.first < c->first)
			c->first = ts[i].c.first;
		if (c->events == 0 || ts[i].c.last > c->last)
			c->last = ts[i].c.last;
		c->events += ts[i].c.events;
		c->bytes += ts[i].c.bytes;
		st->all.events += ts[i].c.events;
	}
	mem_free(ts);
}

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
		tally_cells(st->tally, (uint32_t)row, r->key);
	r->row = row;
	if (col < st->by.n)
		*out = r->key[col];
	else
		stats_cell(st->s->t, tally_count(st->tally, (uint32_t)row), st->all.events,
		    r->seconds, col - (unsigned)st->by.n, out);
}

static int
print_stats(struct stats *st)
{
	const struct options	*o = st->s->opt;
	struct stats_rows	 rows = { .st = st, .row = TABLE_NO_ROW };
	size_t			 n = st->by.n + STATS_COLUMNS;
	struct table_column	*column = mem_zalloc(n, sizeof *column);
	struct table		 t = { .column = column, .ncolumns = (unsigned)n, .src = &rows,
				    .cell = row_cell, .nrows = tally_sort(st->tally) };
	struct listing		 l;
	int			 code;

	for (size_t i = 0; i < st->by.n; i++)
		column[i].name = st->by.names[i];
	memcpy(column + st->by.n, stats_column, STATS_COLUMNS * sizeof *column);
	rows.key = mem_zalloc(st->by.n, sizeof *rows.key);
	rows.seconds = stats_seconds(st->s);
	if (o->given[OPT_TOP] && o->number[OPT_TOP] < t.nrows)
		t.nrows = (size_t)o->number[OPT_TOP];
	code = listing_open(&l, st->s, column, (unsigned)n);
	if (code == 0) {
		if (listing_print(&l, st->s, &t) < 0)
			code = EXIT_OUTPUT;
		listing_close(&l);
	}
	if (tally_count(st->tally, TALLY_MAX)->events > 0)
		message_put("%s: %" PRIu64 " events have still other values, which are not listed",
		    run_name(o), tally_count(st->tally, TALLY_MAX)->events);
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
		code = EXIT_USAGE;
	}
	buf_release(&why);
	if (code == 0)
		code = run_check_fields(s, &st->by, "--by");
	if (code != 0) {
		field_list_release(&st->by);
		return code;
	}
	st->reader = field_reader_new(s->t, &(struct field_options){
	    .words = s->opt->given[OPT_ENUMS] ? WORDS_INSTEAD : WORDS_CHEAP });
	st->cells = mem_zalloc(st->by.n, sizeof *st->cells);
	st->tally = tally_new(st->by.n);
	st->by_type = field_list_of_type(&st->by, s->t);
	if (st->by_type)
		st->of_type = mem_zalloc(trace_types(s->t), sizeof *st->of_type);
	return 0;
}

static void
stats_close(struct stats *st)
{
	field_reader_free(st->reader);
	tally_free(st->tally);
	field_list_release(&st->by);
	mem_free(st->cells);
	mem_free(st->of_type);
}

int
command_stats(const struct options *o)
{
	struct run	s;
	struct stats	st;
	int		code = run_open(&s, o), err = 0;

	if (code != 0)
		return code;
	code = stats_open(&st, &s);
	if (code == 0) {
		if (st.by_type && !selection_is_part(&s.sel))
			stats_of_index(&st);
		else
			err = run_walk(&s, stats_event, &st);
		code = exit_of_reading(err);
		if (code != EXIT_RESOURCE && print_stats(&st) != 0)
			code = EXIT_USAGE;
		stats_close(&st);
	}
	return run_close(&s, code, false);
}
