/*
 * tnav dump: the events, one a line.
 *
 *	row 7	{"row":7,...}
 *		{"gap":1482,...,"after":7,...}		with --gaps
 *	row 8	{"row":8,...}
 *
 * What a row looks like is told by tnav/out/rows.h.
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
#include "tnav/out/rows.h"

struct dump {
	struct run		*s;
	struct field_list	 fields;	/* when they were chosen */
	struct row_writer	*w;
	uint64_t		 left;		/* events that may still be printed */
	struct gap		*gaps;
	struct placed_gap	*placed;
	size_t			 ngaps, gap;	/* how many, the next one */
};

/* The gaps that stand before the row. */
static int
print_gaps(struct dump *d, uint64_t row)
{
	int	err = ERR_OK;

	while (d->gap < d->ngaps && d->placed[d->gap].row <= row && err == ERR_OK)
		err = row_writer_gap(d->w, &d->placed[d->gap++]);
	return err;
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
		err = row_writer_event(d->w, e, row);
	if (err != ERR_OK)
		return err;
	if (--d->left > 0)
		return 0;
	return in_file_order || d->ngaps == 0 || print_gaps(d, row + 1) == 0 ? 1 : ERR_IO;
}

/* The fields of -e. 0 or an exit code after a message. */
static int
open_fields(struct dump *d)
{
	struct buf	why;
	int		code = 0;

	buf_init(&why);
	if (field_list_init(&d->fields, d->s->opt->text[OPT_FIELDS], &why) < 0) {
		message_put("-e: %s", buf_str(&why));
		d->s->stop = true;
		code = EXIT_USAGE;
	}
	buf_release(&why);
	return code == 0 ? run_check_fields(d->s, &d->fields, "-e") : code;
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
		.file = s->many ? s->file : NULL,
		.file_cells = s->file_cells,
	};
	int				 code;

	memset(d, 0, sizeof *d);
	d->s = s;
	d->left = o->given[OPT_LIMIT] ? o->number[OPT_LIMIT] : UINT64_MAX;
	if (o->given[OPT_GAPS]) {
		d->ngaps = run_gaps(s, &d->gaps, &d->placed);
		gaps_sort_by_row(d->placed, d->ngaps);
	}
	code = o->given[OPT_FIELDS] ? open_fields(d) : 0;
	if (code == 0)
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

int
dump_each(struct run *s)
{
	struct dump	d;
	int		code = dump_open(&d, s), err;

	if (code == 0) {
		err = s->opt->choice[OPT_ORDER] == 1 ? run_walk_file(s, dump_event, &d) :
		    run_walk(s, dump_event, &d);
		if (err == 0)
			err = print_gaps(&d, UINT64_MAX);
		code = exit_of_reading(err);
	}
	dump_close(&d);
	return code;
}
