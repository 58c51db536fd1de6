/*
 * tnav dump --format parquet: workers make the rows of pieces, which the merge gives to the file,
 * or with --by-type to that of their type.
 */
#include "app/dump_parquet.h"

#include "app/pass.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/out/parquet.h"

struct parquet_dump {
	struct event_types	*types;		/* or NULL: one file */
	struct event_file	*file;
	uint64_t		 left;		/* rows of the one file */
	bool			 any;
};

/* The rows of a piece. */
struct parquet_piece {
	struct event_types_part	*types;		/* or NULL */
	struct event_part	*part;
};

static void *
piece_begin(void *arg)
{
	const struct parquet_dump	*d = arg;
	struct parquet_piece		*p = mem_zalloc(1, sizeof *p);

	if (d->types != NULL)
		p->types = event_types_part_new(d->types);
	else
		p->part = event_part_new(d->file);
	return p;
}

static void
piece_free(void *state)
{
	struct parquet_piece	*p = state;

	if (p->types != NULL)
		event_types_part_free(p->types);
	event_part_free(p->part);
	mem_free(p);
}

/* ---- the types of columns that depend on the events */

static void
look_add(void *state, const struct pass_batch *b)
{
	struct parquet_piece	*p = state;

	for (uint32_t i = 0; i < b->n; i++) {
		if (p->types != NULL)
			event_types_part_look(p->types, &b->ev[b->at[i]]);
		else
			event_part_look(p->part, &b->ev[b->at[i]]);
	}
}

static int
look_merge(void *arg, void *state)
{
	struct parquet_dump	*d = arg;
	struct parquet_piece	*p = state;

	if (p->types != NULL)
		event_types_looked(d->types, p->types);
	else
		event_file_looked(d->file, p->part);
	return ERR_OK;
}

static const struct pass_ops	look_ops = {
	.begin = piece_begin, .add = look_add, .merge = look_merge, .free = piece_free,
	.stays = true,
};

/* ---- rows */

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct parquet_piece	*p = state;

	if (p->types != NULL)
		event_types_part_add(p->types, b);
	else
		event_part_add(p->part, b);
}

static int
piece_merge(void *arg, void *state)
{
	struct parquet_dump	*d = arg;
	struct parquet_piece	*p = state;
	uint32_t		 rows;
	int			 err;

	if (p->types != NULL) {
		d->any = true;
		return event_types_take(d->types, p->types);
	}
	rows = event_part_rows(p->part);
	err = event_file_take(d->file, p->part, d->left);
	d->any |= rows > 0;
	d->left -= rows < d->left ? rows : d->left;
	return err == ERR_OK && d->left == 0 ? 1 : err;
}

/* Its rows were taken. */
static void
piece_clear(void *state)
{
	(void)state;
}

static const struct pass_ops	rows_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .clear = piece_clear,
	.free = piece_free,
};

static enum pass_order
order_of(const struct event_out_options *opt)
{
	return opt->rows ? PASS_TIME : PASS_FILE;
}

int
dump_parquet(struct run *s, const struct event_out_options *opt, const struct field_list *fields,
    uint64_t limit, bool *any)
{
	struct parquet_dump	d = { .left = limit };
	int			err = ERR_OK, end;

	d.file = event_file_new(&s->place, s->place.name, s->t, opt, fields);
	if (event_file_looks(d.file))
		err = run_pass(s, PASS_ANY, &look_ops, &d);
	if (err == ERR_OK)
		err = event_file_open(d.file, false);
	if (err == ERR_OK && limit > 0)
		err = run_pass(s, order_of(opt), &rows_ops, &d);
	end = event_file_end(d.file, err >= 0);
	*any = d.any;
	return err != ERR_OK ? err : end;
}

int
dump_by_type(struct run *s, const struct event_out_options *opt, bool *any)
{
	struct parquet_dump	d = { .types = event_types_new(&s->place, s->t, opt) };
	int			err = run_pass(s, PASS_ANY, &look_ops, &d), closed;

	while (err == ERR_OK && event_types_next(d.types)) {
		err = run_pass(s, order_of(opt), &rows_ops, &d);
		closed = event_types_close(d.types, err == ERR_OK);
		err = err != ERR_OK ? err : closed;
	}
	event_types_free(d.types);
	*any = d.any;
	return err;
}
