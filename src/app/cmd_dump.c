/*
 * tnav dump: the events, one a line.
 *
 *	row 7	{"row":7,...}
 *		{"gap":1482,...,"after":7,...}		with --gaps
 *	row 8	{"row":8,...}
 *
 * jsonl and text have their own path to the output's buffer; chosen fields, CSV and TSV are cells
 * through a writer.
 */
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/payload.h"
#include "app/run.h"
#include "app/walk.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/out/event.h"
#include "tnav/out/table.h"

struct dump {
	struct run		*s;
	struct event_out	*x;
	struct field_reader	*reader;
	struct field_list	 fields;
	struct cell		*cells;
	struct writer		*w;		/* NULL: whole lines */
	uint64_t		 left;		/* events that may still be printed */
	struct gap		*gaps;
	struct placed_gap	*placed;
	size_t			 ngaps, gap;	/* how many, the next one */
	struct writer		*gap_writer;	/* jsonl */
	const char		*gap_names[GAPS_IN_FILES];
};

static int
print_gap(struct dump *d, const struct placed_gap *g)
{
	struct cell	cells[GAPS_IN_FILES];

	if (d->gap_writer == NULL) {
		event_out_gap_text(d->x, output_buf(d->s->o), g->gap);
		return output_step(d->s->o);
	}
	for (unsigned i = 0; i < GAPS_IN_FILES; i++)
		gaps_cell(d->s->t, g, i, &cells[i]);
	return writer_row(d->gap_writer, cells);
}

/* The gaps that stand before the row. */
static int
print_gaps(struct dump *d, uint64_t row)
{
	int	err = ERR_OK;

	while (d->gap < d->ngaps && d->placed[d->gap].row <= row && err == ERR_OK)
		err = print_gap(d, &d->placed[d->gap++]);
	return err;
}

static int
print_event(struct dump *d, const struct event *e, uint64_t row)
{
	struct buf	*out = output_buf(d->s->o);

	if (d->w != NULL) {
		field_get(d->reader, d->fields.v, d->fields.n, e, row, d->cells);
		return writer_row(d->w, d->cells);
	}
	if (d->s->st.format == OUT_JSONL)
		event_out_json(d->x, out, e, row);
	else
		event_out_text(d->x, out, e, row);
	return output_step(d->s->o);
}

static int
dump_event(void *arg, const struct event *e, uint64_t row)
{
	struct dump	*d = arg;
	bool		 in_file_order = d->s->opt->choice[OPT_ORDER] == 1;
	int		 err = ERR_OK;

	if (d->left == 0)
		return 1;
	if (d->ngaps > 0 && !in_file_order)
		err = print_gaps(d, row);
	if (err == ERR_OK)
		err = print_event(d, e, row);
	if (err != ERR_OK)
		return err;
	if (--d->left > 0)
		return 0;
	return in_file_order || d->ngaps == 0 || print_gaps(d, row + 1) == 0 ? 1 : ERR_IO;
}

static int
open_fields(struct dump *d, const struct event_out_options *opt)
{
	const char	*list = d->s->opt->text[OPT_FIELDS];
	struct buf	 all, why;
	int		 code = 0;

	buf_init(&all);
	buf_init(&why);
	field_list_all(&all, d->s->t, opt->rows, opt->crc, opt->raw);
	if (field_list_init(&d->fields, list != NULL ? list : buf_str(&all), &why) < 0) {
		message_put("-e: %s", buf_str(&why));
		code = EXIT_USAGE;
	}
	buf_release(&all);
	buf_release(&why);
	if (code == 0)
		code = run_check_fields(d->s, &d->fields, "-e");
	if (code != 0)
		return code;
	d->reader = field_reader_new(d->s->t, &(struct field_options){ .no_rows = !opt->rows,
	    .words = opt->enums ? WORDS_INSTEAD : WORDS_CHEAP });
	d->cells = mem_zalloc(d->fields.n, sizeof *d->cells);
	d->w = writer_new(d->s->o, &d->s->st, d->fields.names, d->fields.n);
	return 0;
}

static int
dump_open(struct dump *d, struct run *s)
{
	const struct options		*o = s->opt;
	struct event_out_options	 opt = {
		.enums = o->given[OPT_ENUMS],
		.crc = o->given[OPT_CRC],
		.raw = o->given[OPT_RAW],
		.rows = o->choice[OPT_ORDER] == 0,
	};

	memset(d, 0, sizeof *d);
	d->s = s;
	d->left = o->given[OPT_LIMIT] ? o->number[OPT_LIMIT] : UINT64_MAX;
	d->x = event_out_new(s->t, &s->st, &opt);
	if (o->given[OPT_GAPS]) {
		d->ngaps = run_gaps(s, &d->gaps, &d->placed);
		gaps_sort_by_row(d->placed, d->ngaps);
		for (unsigned i = 0; i < GAPS_IN_FILES; i++)
			d->gap_names[i] = gaps_column[i].name;
		if (s->st.format == OUT_JSONL)
			d->gap_writer = writer_new(s->o, &s->st, d->gap_names,
			    GAPS_IN_FILES);
	}
	if (o->given[OPT_FIELDS] || s->st.format == OUT_CSV || s->st.format == OUT_TSV)
		return open_fields(d, &opt);
	return 0;
}

static void
dump_close(struct dump *d)
{
	if (d->w != NULL)
		(void)writer_end(d->w);
	if (d->gap_writer != NULL)
		(void)writer_end(d->gap_writer);
	event_out_free(d->x);
	field_reader_free(d->reader);
	field_list_release(&d->fields);
	mem_free(d->cells);
	mem_free(d->gaps);
	mem_free(d->placed);
}

int
command_dump(const struct options *o)
{
	struct run	s;
	struct dump	d;
	int		code = run_open(&s, o), err;

	if (code != 0)
		return code;
	code = dump_open(&d, &s);
	if (code == 0) {
		err = o->choice[OPT_ORDER] == 1 ? run_walk_file(&s, dump_event, &d) :
		    run_walk(&s, dump_event, &d);
		if (err == 0)
			err = print_gaps(&d, UINT64_MAX);
		code = exit_of_reading(err);
	}
	dump_close(&d);
	return run_close(&s, code, false);
}
