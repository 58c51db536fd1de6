/*
 * tnav dump --format parquet: workers make the rows of pieces, which the merge gives to the file,
 * or with --by-type to that of their type.
 */
#include "app/dump_parquet.h"

#include "app/pass.h"
#include "tnav/base/err.h"
#include "tnav/out/parquet.h"

struct parquet_dump {
	struct event_file	*file;
	uint64_t		 left;		/* rows */
	bool			 any;
};

static void *
piece_begin(void *arg)
{
	const struct parquet_dump	*d = arg;

	return event_part_new(d->file);
}

static void
piece_free(void *state)
{
	event_part_free(state);
}

/* ---- the types of columns that depend on the events */

static void
look_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		event_part_look(state, &b->ev[b->at[i]]);
}

static int
look_merge(void *arg, void *state)
{
	struct parquet_dump	*d = arg;

	event_file_looked(d->file, state);
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
	for (uint32_t i = 0; i < b->n; i++)
		event_part_add(state, &b->ev[b->at[i]], pass_row(b, i));
}

static int
piece_merge(void *arg, void *state)
{
	struct parquet_dump	*d = arg;
	uint32_t		 rows = event_part_rows(state);
	int			 err = event_file_take(d->file, state, d->left);

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

int
dump_parquet(struct run *s, const struct event_out_options *opt, const struct field_list *fields,
    uint64_t limit, bool *any)
{
	struct parquet_dump	d = { .left = limit };
	enum pass_order		order = opt->rows ? PASS_TIME : PASS_FILE;
	int			err = ERR_OK, end;

	d.file = event_file_new(&s->place, s->place.name, s->t, opt, fields);
	if (event_file_looks(d.file))
		err = run_pass(s, PASS_ANY, &look_ops, &d);
	if (err == ERR_OK)
		err = event_file_open(d.file);
	if (err == ERR_OK && limit > 0)
		err = run_pass(s, order, &rows_ops, &d);
	end = event_file_end(d.file, err >= 0);
	*any = d.any;
	return err != ERR_OK ? err : end;
}

/* ---- a file for each type */

struct types_dump {
	struct event_types	*types;
	bool			 any;
};

static void *
types_begin(void *arg)
{
	const struct types_dump	*d = arg;

	return event_types_part_new(d->types);
}

static void
types_free(void *state)
{
	event_types_part_free(state);
}

static void
types_look(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		event_types_part_look(state, &b->ev[b->at[i]]);
}

static int
types_looked(void *arg, void *state)
{
	struct types_dump	*d = arg;

	event_types_looked(d->types, state);
	return ERR_OK;
}

static const struct pass_ops	types_look_ops = {
	.begin = types_begin, .add = types_look, .merge = types_looked, .free = types_free,
	.stays = true,
};

static void
types_add(void *state, const struct pass_batch *b)
{
	for (uint32_t i = 0; i < b->n; i++)
		event_types_part_add(state, &b->ev[b->at[i]], pass_row(b, i));
}

static int
types_merge(void *arg, void *state)
{
	struct types_dump	*d = arg;

	d->any = true;
	return event_types_take(d->types, state);
}

static const struct pass_ops	types_ops = {
	.begin = types_begin, .add = types_add, .merge = types_merge, .clear = piece_clear,
	.free = types_free,
};

int
dump_by_type(struct run *s, const struct event_out_options *opt, bool *any)
{
	struct types_dump	d = { .types = event_types_new(&s->place, s->t, opt) };
	enum pass_order		order = opt->rows ? PASS_TIME : PASS_FILE;
	int			err = run_pass(s, PASS_ANY, &types_look_ops, &d), closed;

	while (err == ERR_OK && event_types_next(d.types)) {
		err = run_pass(s, order, &types_ops, &d);
		closed = event_types_close(d.types, err == ERR_OK);
		err = err != ERR_OK ? err : closed;
	}
	event_types_free(d.types);
	*any = d.any;
	return err;
}
