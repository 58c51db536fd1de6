/*
 * tnav dump: the events, one a line.
 */
#include <string.h>

#include "app/command.h"
#include "app/dumping.h"
#include "app/exit.h"
#include "app/follow.h"
#include "app/gaps.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/out/parquet.h"
#include "tnav/out/rows.h"

struct dump {
	struct run		*s;
	struct field_list	 fields;	/* chosen fields */
	struct event_out_options out;
	struct dumping		 of;
	bool			 in_file_order;
	struct gap		*gaps;
};

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

	if (!d->in_file_order || (needs & NEEDS_ORDER) == 0)
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
	dumping_init(&d->of, o->given[OPT_LIMIT] ? &o->number[OPT_LIMIT] : NULL);
	d->in_file_order = o->choice[OPT_ORDER] == 1;
	if (opt.symbols)
		(void)run_need(s, NEEDS_SYMBOLS);
	if (o->given[OPT_GAPS]) {
		run_tell_unnumbered(s);
		d->of.ngaps = run_gaps(s, &d->gaps, &d->of.placed);
		gaps_sort_by_row(d->of.placed, d->of.ngaps);
		d->of.unplaced = d->in_file_order;
	}
	code = o->given[OPT_FIELDS] ? open_fields(d) : 0;
	if (code == 0)
		code = check_order(d);
	d->out = opt;
	if (code == 0 && !run_to_parquet(s))
		d->of.w = row_writer_new(s->t, s->o, &s->st, &opt,
		    o->given[OPT_FIELDS] ? &d->fields : NULL, &s->rows);
	return code;
}

static void
dump_close(struct dump *d)
{
	if (d->of.w != NULL)
		(void)row_writer_end(d->of.w);
	field_list_release(&d->fields);
	mem_free(d->gaps);
	mem_free(d->of.placed);
}

/* Returns 0, 1 if the limit was reached, or an error. */
static int
dump_events(struct dump *d)
{
	int	err = 1;

	if (d->of.left > 0)
		err = run_pass(d->s, d->in_file_order ? PASS_FILE : PASS_TIME, &dumping_pass,
		    &d->of);
	return err == 0 ? dumping_gaps(&d->of, d->of.ngaps) : err;
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

/* Returns 0 or an error; the run tells of a file that could not be written. */
static int
dump_files(struct dump *d, bool *any)
{
	const struct options	*o = d->s->opt;
	struct event_files	*x = o->given[OPT_BY_TYPE] ?
				    event_files_by_type(&d->s->place, d->s->t, &d->out) :
				    event_files_new(&d->s->place, d->s->t, &d->out,
				    o->given[OPT_FIELDS] ? &d->fields : NULL, d->of.limit);
	int			 err = ERR_OK, closed;

	if (event_files_look(x))
		err = run_pass(d->s, PASS_ANY, &event_look_pass, x);
	while (err >= 0) {
		err = event_files_next(x);
		if (err <= 0)
			break;
		if (d->of.limit > 0)
			err = run_pass(d->s, d->in_file_order ? PASS_FILE : PASS_TIME,
			    &event_rows_pass, x);
		closed = event_files_close(x, err >= 0);
		err = err < 0 ? err : closed;
	}
	*any = event_files_any(x);
	event_files_free(x);
	return err;
}

int
dump_each(struct run *s)
{
	struct dump	d;
	struct pass_place segment = { 0, 0 };	/* the next one in file order */
	bool		any = false;		/* events are in files of Parquet */
	int		code = dump_open(&d, s);

	s->few_rows = !run_to_parquet(s);
	s->resume = s->opt->given[OPT_FOLLOW] && d.in_file_order ? &segment : NULL;
	if (code == 0 && run_to_parquet(s))
		code = exit_of_reading(dump_files(&d, &any));
	else if (code == 0)
		code = exit_of_reading(s->opt->given[OPT_FOLLOW] ?
		    follow_rows(s->t, s->o, !d.in_file_order, dump_some, &d) : dump_events(&d));
	if (code == EXIT_CLEAN && !any && d.of.n == 0 && d.of.limit > 0)
		selection_tell_none(&s->sel, buf_str(&s->where));
	dump_close(&d);
	return code;
}
