/*
 * The options of stats to columns.
 *
 *	--every 1s --by name --sum Size --pct 50,99:Size
 *	columns	time | name | events bytes share ... | sum.Size p50.Size p99.Size
 *
 * Invariant: no two columns have the same name, so that each is a key of the JSON lines; and the
 * columns follow from the options alone, so that each trace has the same.
 */
#include "app/stats_request.h"

#include <string.h>

#include "app/exit.h"
#include "app/listing.h"
#include "app/payload.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/base/units.h"

#define WORD_QUOTED	100

/* A word of the command line is wrong, so the next file would fail alike. */
static int
refuse(struct run *s, const char *option, struct buf *why)
{
	return run_refuse(s, "%s: %s", option, buf_str(why));
}

/* ---- the options */

static int
read_by(struct stats_request *a, struct run *s, struct buf *why)
{
	const char	*by = s->opt->text[OPT_BY];

	if (field_list_init(&a->by, by != NULL ? by : "provider,name", why) < 0)
		return refuse(s, "--by", why);
	return run_check_fields(s, &a->by, "--by");
}

static int
read_every(struct stats_request *a, struct run *s, struct buf *why)
{
	const char	*every = s->opt->text[OPT_EVERY];

	if (every == NULL)
		return 0;
	if (units_parse_dur(every, strlen(every), 0, &a->every_ns) == 0 && a->every_ns > 0)
		return 0;
	buf_printf(why, "not a time step: '%.*s' (100ms, 1s, 5m)", WORD_QUOTED, every);
	return refuse(s, "--every", why);
}

/* Does the trace have the field, and may it be a number where one is needed? */
static int
check_aggregates(struct stats_request *a, struct run *s, size_t from, const char *option,
    struct buf *why)
{
	for (size_t i = from; i < a->aggregates.n; i++) {
		const struct aggregate	*g = &a->aggregates.v[i];
		struct field_list	 one = { .v = &a->aggregates.values.v[g->value],
					    .names = &a->aggregates.values.names[g->value],
					    .n = 1 };
		int			 code = run_check_fields(s, &one, option);

		if (code != 0)
			return code;
		if (!aggregate_fits(g->kind, one.v, s->t, why))
			return exit_usage("%s%s: %s", buf_str(&s->where), option, buf_str(why));
	}
	return 0;
}

static int
read_aggregates(struct stats_request *a, struct run *s, struct buf *why)
{
	struct buf	option = { 0 };
	int		code = 0;

	for (size_t i = 0; i < s->opt->nuses && code == 0; i++) {
		const struct option_use	*u = &s->opt->use[i];
		enum aggregate_kind	 kind = (enum aggregate_kind)(u->id - OPT_COUNT);
		size_t			 from = a->aggregates.n;

		if (u->id < OPT_COUNT || u->id > OPT_DISTINCT)
			continue;
		buf_clear(&option);
		buf_printf(&option, "--%s", option_table[u->id].name);
		if (aggregates_add(&a->aggregates, kind, u->arg, why) < 0)
			code = refuse(s, buf_str(&option), why);
		else
			code = check_aggregates(a, s, from, buf_str(&option), why);
	}
	buf_release(&option);
	return code;
}

/* ---- columns */

/* The kind of most cells of the field, if they are times or durations. */
static enum cell_kind
time_cells(const struct field_ref *f, enum cell_kind others)
{
	if (f->def->class == CLASS_TIME)
		return CELL_TIME;
	return f->def->class == CLASS_DUR ? CELL_DUR : others;
}

/* What most of the aggregate's cells are: it says how the column is sorted at first. */
static enum cell_kind
aggregate_cells(const struct stats_request *a, const struct aggregate *g)
{
	const struct field_ref	*f = &a->aggregates.values.v[g->value];

	if (g->kind == AGGREGATE_COUNT || g->kind == AGGREGATE_DISTINCT)
		return CELL_U64;
	return time_cells(f, CELL_F64);
}

static struct table_column
key_column(const char *name, enum cell_kind kind)
{
	return (struct table_column){ .name = name, .printed = name, .kind = kind,
	    .flags = kind == CELL_TIME ? COLUMN_FIRST_UP : 0 };
}

static void
make_columns(struct stats_request *a)
{
	unsigned	n = 0;

	a->nkeys = (unsigned)a->by.n + (a->every_ns > 0);
	a->ncolumns = a->nkeys + STATS_COLUMNS + (unsigned)a->aggregates.n;
	a->column = mem_zalloc(a->ncolumns, sizeof *a->column);
	if (a->every_ns > 0)
		a->column[n++] = key_column("time", CELL_TIME);
	for (size_t i = 0; i < a->by.n; i++)
		a->column[n++] = key_column(a->by.titles[i],
		    time_cells(&a->by.v[i], CELL_NONE));
	memcpy(a->column + n, stats_columns, sizeof stats_columns);
	n += STATS_COLUMNS;
	for (size_t i = 0; i < a->aggregates.n; i++)
		a->column[n++] = (struct table_column){ .name = a->aggregates.v[i].name,
		    .printed = a->aggregates.v[i].name,
		    .kind = aggregate_cells(a, &a->aggregates.v[i]) };
}

/* JSON keys must differ. A field with the name of our column can be written with its prefix. */
static int
check_columns(const struct stats_request *a, struct run *s, struct buf *why)
{
	for (unsigned i = 0; i < a->ncolumns; i++) {
		for (unsigned k = 0; k < i && k < a->nkeys; k++) {
			if (strcmp(a->column[i].name, a->column[k].name) != 0)
				continue;
			if (i < a->nkeys)
				buf_printf(why, "%.*s is given twice", WORD_QUOTED,
				    a->column[k].name);
			else
				buf_printf(why, "a column %s already exists; write payload.%s",
				    a->column[k].name, a->column[k].name);
			return refuse(s, "--by", why);
		}
	}
	if (a->ncolumns <= TABLE_COLUMNS)
		return 0;
	buf_printf(why, "too many columns: %u (at most %u)", a->ncolumns, TABLE_COLUMNS);
	return refuse(s, "stats", why);
}

static int
read_sort(struct stats_request *a, struct run *s)
{
	a->sort = a->every_ns > 0 ? 0 : TABLE_UNSORTED;
	a->up = true;
	return listing_sort(s, a->column, a->ncolumns, &a->sort, &a->up);
}

int
stats_request_init(struct stats_request *a, struct run *s)
{
	struct buf	why = { 0 };
	int		code;

	*a = (struct stats_request){ .ncolumns = 0 };
	code = read_by(a, s, &why);
	if (code == 0)
		code = read_every(a, s, &why);
	if (code == 0)
		code = read_aggregates(a, s, &why);
	if (code == 0) {
		make_columns(a);
		code = check_columns(a, s, &why);
	}
	if (code == 0)
		code = read_sort(a, s);
	buf_release(&why);
	return code;
}

void
stats_request_release(struct stats_request *a)
{
	field_list_release(&a->by);
	aggregates_release(&a->aggregates);
	mem_free(a->column);
}
