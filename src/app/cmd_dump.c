/*
 * tnav dump: the events, one a line.
 *
 *	row 7	{"row":7,...}
 *		{"gap":1482,...,"after":7,...}		with --gaps
 *	row 8	{"row":8,...}
 *
 * tnav/out/rows.h describes the format of a row. Workers write the rows of a piece into memory, and
 * the merge takes them over. Where rows cannot be written separately, workers pass on the events.
 * They do the same with the rest of a piece whose rows have become long: many events may have the
 * same long stack.
 */
#include <string.h>

#include "app/command.h"
#include "app/dump_parquet.h"
#include "app/exit.h"
#include "app/follow.h"
#include "app/gaps.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/out/rows.h"


struct dump {
	struct run		*s;
	struct field_list	 fields;	/* chosen fields */
	struct row_writer	*w;
	struct event_out_options out;
	bool			 limited, in_file_order;
	uint64_t		 limit, left;	/* lines to print; lines still to be printed */
	struct gap		*gaps;
	struct placed_gap	*placed;	/* none in file order */
	size_t			 ngaps, gap;	/* number of gaps; the next one */
	bool			 any;		/* an event matched */
};

/* An event of a piece. */
struct dumped {
	struct event	e;
	uint64_t	row;
	size_t		end;		/* its end in the output of the piece, with gaps */
	size_t		gap;		/* the next one after it */
};

/* The rows of a piece: in w, or as events. */
struct dump_piece {
	struct dump		*d;
	struct row_writer	*w;		/* NULL: only events are kept */
	struct dumped		*v;		/* see dumped_at() */
	uint64_t		 n, written;	/* number of events; of the first ones, how many
						   are in w */
	size_t			 cap, gap0;	/* gap0: number of gaps before the first event */
};

/* ---- gaps */

/* The number of gaps before the row. */
static size_t
gaps_before(const struct dump *d, uint64_t row)
{
	size_t	at = 0;

	BISECT(at, d->in_file_order ? 0 : d->ngaps, i, d->placed[i].row <= row);
	return at;
}

/* Print gaps from the next one up to `to`, within the limit. */
static int
print_gaps(struct dump *d, size_t to)
{
	int	err = ERR_OK;

	for (; d->gap < to && d->left > 0 && err == ERR_OK; d->left--)
		err = row_writer_gap(d->w, &d->placed[d->gap++]);
	return err;
}

/* ---- pieces: any thread */

static void *
piece_begin(void *arg)
{
	struct dump		*d = arg;
	struct dump_piece	*p = mem_zalloc(1, sizeof *p);

	p->d = d;
	if (row_writer_splits(d->w))
		p->w = row_writer_part(d->w);
	return p;
}

/* The index in v of event i. Of written events only the last one is kept, unless the limit may
   cut the piece. */
static size_t
dumped_at(const struct dump_piece *p, uint64_t i)
{
	if (p->w == NULL || p->d->limited)
		return (size_t)i;
	return i < p->written ? 0 : (size_t)(i - p->written) + 1;
}

/* Write the gaps before the event, except before the first one, and the event. */
static void
piece_write(struct dump_piece *p, struct dumped *x)
{
	const struct dump	*d = p->d;
	size_t			 gap = p->n > 0 ? x->gap : 0;

	x->gap = d->ngaps > 0 ? gaps_before(d, x->row) : 0;
	if (p->n == 0)
		p->gap0 = gap = x->gap;
	if (p->n >= p->written)
		return;
	while (gap < x->gap)
		(void)row_writer_gap(p->w, &d->placed[gap++]);	/* to memory: cannot fail */
	(void)row_writer_event(p->w, &x->e, x->row);
	x->end = row_writer_bytes(p->w);
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct dump_piece	*p = state;

	for (uint32_t i = 0; i < b->n && p->n < p->d->limit; i++) {
		size_t		 gap = p->n > 0 ? p->v[dumped_at(p, p->n - 1)].gap : 0, at;
		struct dumped	*x;

		if (p->w != NULL && p->written == p->n && row_writer_bytes(p->w) < PIECE_MOST)
			p->written++;
		at = dumped_at(p, p->n);
		p->v = mem_grow(p->v, &p->cap, at + 1, sizeof *p->v);
		x = &p->v[at];
		*x = (struct dumped){ .e = b->ev[b->at[i]], .gap = gap };
		if (b->row0 != ROW_UNKNOWN)
			x->row = pass_row(b, i);
		piece_write(p, x);
		p->n++;
	}
}

static void
piece_free(void *state)
{
	struct dump_piece	*p = state;

	if (p->w != NULL)
		(void)row_writer_end(p->w);
	mem_free(p->v);
	mem_free(p);
}

/* ---- merging: one thread */

/* The number of lines for the first n events of the piece, with the gaps before them. If n is
   not the number of all events, v must have each event. */
static uint64_t
piece_lines(const struct dump *d, const struct dump_piece *p, uint64_t n)
{
	return n + (p->v[dumped_at(p, n - 1)].gap - d->gap);
}

/* The number of events of the piece that are within the limit. */
static uint64_t
piece_fits(const struct dump *d, const struct dump_piece *p)
{
	uint64_t	n = 0;

	if (!d->limited)
		return p->n;
	BISECT(n, p->n, i, piece_lines(d, p, i + 1) <= d->left);
	return n;
}

/* Print the first n events of the piece, which are within the limit. */
static int
piece_print(struct dump *d, struct dump_piece *p, uint64_t n)
{
	uint64_t	left = d->left - piece_lines(d, p, n);
	uint64_t	written = n < p->written ? n : p->written;
	int		err = print_gaps(d, p->gap0);

	if (written > 0 && err == ERR_OK) {
		const struct dumped	*last = &p->v[dumped_at(p, written - 1)];

		err = row_writer_take(d->w, p->w, last->end);
		d->gap = last->gap;
	}
	for (uint64_t i = written; i < n && err == ERR_OK; i++) {
		const struct dumped	*x = &p->v[dumped_at(p, i)];

		err = print_gaps(d, x->gap);
		if (err == ERR_OK)
			err = row_writer_event(d->w, &x->e, x->row);
	}
	d->left = left;
	return err;
}

static int
piece_merge(void *arg, void *state)
{
	struct dump		*d = arg;
	struct dump_piece	*p = state;
	uint64_t		 n = piece_fits(d, p);
	int			 err = n > 0 ? piece_print(d, p, n) : ERR_OK;

	d->any |= p->n > 0;
	/* The next event is beyond the limit, but there is room for gaps before it. */
	if (n < p->n && err == ERR_OK)
		err = print_gaps(d, p->v[dumped_at(p, n)].gap);
	return err == ERR_OK && d->left == 0 ? 1 : err;
}

/* Its rows were taken over. */
static void
piece_clear(void *state)
{
	struct dump_piece	*p = state;

	p->n = p->written = 0;
}

static const struct pass_ops	dump_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

/* ---- the whole */

/* A field may occur only once: fields are the keys of an object. */
static int
check_once(struct dump *d, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (strcmp(d->fields.titles[k], d->fields.titles[i]) != 0)
			continue;
		return run_refuse(d->s, "-e: '%s' is given twice", d->fields.names[i]);
	}
	return 0;
}

/* In a list of several traces each row begins with what it is of, unless that was requested. */
static int
read_fields(struct dump *d, struct buf *why)
{
	const char	*text = d->s->opt->text[OPT_FIELDS];
	int		 err = field_list_init(&d->fields, text, why);
	struct buf	 list = { 0 };

	if (err < 0 || !d->s->joined || field_list_titled(&d->fields, "file") ||
	    field_list_titled(&d->fields, "source"))
		return err;
	field_list_release(&d->fields);
	buf_printf(&list, "file,source,%s", text);
	err = field_list_init(&d->fields, buf_str(&list), why);
	buf_release(&list);
	return err;
}

/* Read the fields of -e. Returns 0 or an exit code after a message. */
static int
open_fields(struct dump *d)
{
	struct buf	why = { 0 };
	int		code = 0;

	if (read_fields(d, &why) < 0)
		code = run_refuse(d->s, "-e: %s", buf_str(&why));
	buf_release(&why);
	if (d->s->many)			/* each row begins with the name of its file */
		field_list_drop(&d->fields, "file");
	for (size_t i = 1; i < d->fields.n && code == 0; i++)
		code = check_once(d, i);
	return code == 0 ? run_check_fields(d->s, &d->fields, "-e") : code;
}

/* Check that options which need time order are not used in file order. */
static int
check_order(const struct dump *d)
{
	unsigned	needs = filter_needs(d->s->sel.filter, d->s->t) |
			    field_list_needs(&d->fields, d->s->t);

	if (!d->in_file_order || (needs & NEEDS_DELTAS) == 0)
		return 0;
	return run_refuse(d->s, "dump: delta needs time order: remove --order file");
}

static int
dump_open(struct dump *d, struct run *s)
{
	const struct options		*o = s->opt;
	struct event_out_options	 opt = {
		.enums = o->given[OPT_ENUMS],
		.crc = o->given[OPT_CRC],
		.raw = o->given[OPT_RAW],
		.symbols = o->given[OPT_SYMBOLS] || o->given[OPT_PERF_MAP] ||
		    o->given[OPT_SYMBOL_PATH],
		.rows = o->choice[OPT_ORDER] == 0,
		.file = s->many ? s->file : NULL,
		.file_cells = s->file_cells,
	};
	int				 code;

	memset(d, 0, sizeof *d);
	d->s = s;
	d->limited = o->given[OPT_LIMIT];
	d->limit = d->left = d->limited ? o->number[OPT_LIMIT] : UINT64_MAX;
	d->in_file_order = o->choice[OPT_ORDER] == 1;
	if (opt.symbols)
		(void)run_need(s, NEEDS_SYMBOLS);
	if (o->given[OPT_GAPS]) {
		run_tell_unnumbered(s);
		d->ngaps = run_gaps(s, &d->gaps, &d->placed);
		gaps_sort_by_row(d->placed, d->ngaps);
	}
	code = o->given[OPT_FIELDS] ? open_fields(d) : 0;
	if (code == 0)
		code = check_order(d);
	d->out = opt;
	if (code == 0 && !run_to_parquet(s))
		d->w = row_writer_new(s->t, s->o, &s->st, &opt,
		    o->given[OPT_FIELDS] ? &d->fields : NULL, &s->rows);
	return code;
}

static void
dump_close(struct dump *d)
{
	if (d->w != NULL)
		(void)row_writer_end(d->w);
	field_list_release(&d->fields);
	mem_free(d->gaps);
	mem_free(d->placed);
}

/* Returns 0, 1 if the limit was reached, or an error. */
static int
dump_events(struct dump *d)
{
	int	err = 1;

	if (d->left > 0)
		err = run_pass(d->s, d->in_file_order ? PASS_FILE : PASS_TIME, &dump_ops, d);
	return err == 0 ? print_gaps(d, d->ngaps) : err;
}

static int
dump_some(void *arg, uint64_t row0, uint64_t row1)
{
	struct dump	*d = arg;

	if (!d->in_file_order && row1 == row0)
		return ERR_OK;
	d->s->row0 = row0;
	d->s->row1 = row1;
	return dump_events(d);
}

int
dump_each(struct run *s)
{
	struct dump	d;
	struct pass_place segment = { 0, 0 };	/* the next one in file order */
	int		code = dump_open(&d, s);

	s->few_rows = !run_to_parquet(s);
	s->resume = s->opt->given[OPT_FOLLOW] && d.in_file_order ? &segment : NULL;
	if (code == 0 && s->opt->given[OPT_BY_TYPE])
		code = exit_of_reading(dump_by_type(s, &d.out, &d.any));
	else if (code == 0 && run_to_parquet(s))
		code = exit_of_reading(dump_parquet(s, &d.out,
		    s->opt->given[OPT_FIELDS] ? &d.fields : NULL, d.limit, &d.any));
	else if (code == 0)
		code = exit_of_reading(s->opt->given[OPT_FOLLOW] ?
		    follow_rows(s->t, s->o, !d.in_file_order, dump_some, &d) : dump_events(&d));
	if (code == EXIT_CLEAN && !d.any && d.limit > 0)
		selection_tell_none(&s->sel, buf_str(&s->where));
	dump_close(&d);
	return code;
}
