/*
 * The making of a report, by what its struct report says.
 *
 *	facts -> add[kind] -> state, records -> row, rows -> groups -> totals
 */
#include "analysis/reports/state.h"

#include <string.h>

#include "analysis/group.h"
#include "analysis/reports/common.h"
#include "analysis/reports/totals.h"
#include "tnav/base/mem.h"

static struct pairs *
records_new(const struct report_records *x)
{
	return x->size > 0 ? pairs_new(x->size, x->spaces) : NULL;
}

static void
tree_new(struct report_state *s, const char *weight)
{
	struct calltree_options	 o = { .weight = &s->weight, .filter = s->run->o.pass.filter };

	(void)calltree_weight_init(&s->weight, weight, NULL);
	s->tree = calltree_new(s->run->t, &o);
}

void
report_work_begin(struct report_work *w, const struct report *r, const struct report_run *run)
{
	struct report_state	*s = mem_zalloc(1, sizeof *s);
	const struct fact_def	*d = r->fact;

	*w = (struct report_work){ .report = r, .s = s, .rows = rows_new(r->column, r->ncolumns) };
	if (run->home != run->t)
		rows_of_source(w->rows, run->t, run->o.source);
	s->run = run;
	s->rows = w->rows;
	s->texts = texts_new();
	s->pairs = records_new(&r->records[0]);
	s->more = records_new(&r->records[1]);
	for (unsigned i = 0; i < REPORT_KEYED; i++)
		if (r->keyed[i].size > 0)
			s->keyed[i] = groups_new(r->keyed[i].size, r->keyed[i].most);
	if (r->calls != NULL)
		tree_new(s, r->calls);
	for (; d != NULL && (d->provider != NULL || d->event != NULL); d++)
		s->add[d->kind] = d->add;
	if (r->own > 0)
		s->own = mem_zalloc(1, r->own);
	if (r->begin != NULL)
		r->begin(s);
}

void
report_work_release(struct report_work *w)
{
	struct report_state	*s = w->s;

	if (s == NULL)
		return;
	if (w->report->release != NULL)
		w->report->release(s);
	mem_free(s->own);
	for (unsigned i = 0; i < REPORT_KEYED; i++)
		groups_free(s->keyed[i]);
	calltree_free(s->tree);
	calltree_weight_release(&s->weight);
	field_reader_free(s->reader);
	texts_free(s->texts);
	pairs_free(s->pairs);
	pairs_free(s->more);
	buf_release(&s->text);
	mem_free(s);
	rows_free(w->rows);
	buf_release(&w->totals);
}

static void
add_fact(void *self, const struct fact *f)
{
	struct report_state	*s = self;

	s->n[f->kind]++;
	s->chosen[f->kind] += f->chosen;
	if (s->add[f->kind] != NULL)
		s->add[f->kind](s, f);
}

/* Fill the call tree. */
static int
tree_read(struct report_state *s, struct pass_result *result)
{
	struct pass_options	 o = s->run->o.pass;
	struct calltree_totals	 t;
	int			 err;

	o.order = calltree_order(s->tree);
	o.filter = calltree_filter(s->tree);
	err = pass_run(s->run->t, &o, &calltree_ops, s->tree, result);
	calltree_settle(s->tree);
	calltree_totals(s->tree, &t);
	result->costly += t.costly;
	return err;
}

static bool
is_read_apart(const struct report_work *w)
{
	return w->report->collect != NULL || w->report->calls != NULL;
}

/* Read those that need a pass of their own. */
static int
read_apart(struct report_work *w, unsigned n, struct pass_result *result)
{
	int	err = 0;

	for (unsigned i = 0; i < n && err == 0; i++) {
		struct pass_result	own = { .lost = false };

		if (w[i].s == NULL || !is_read_apart(&w[i]))
			continue;
		err = w[i].s->tree != NULL ? tree_read(w[i].s, &own) :
		    w[i].report->collect(w[i].s, &own);
		result->lost |= own.lost;
		result->costly += own.costly;
	}
	return err;
}

int
report_works_read(const struct report_run *run, struct report_work *w, unsigned n,
    const struct fact_reader *more, struct pass_result *result)
{
	struct fact_reader		 reader[FACT_READERS];
	unsigned			 nreaders = 0;
	int				 err = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct report	*r = w[i].report;

		if (w[i].s == NULL || is_read_apart(&w[i]))
			continue;
		reader[nreaders++] = (struct fact_reader){ .def = r->fact, .add = add_fact,
		    .self = w[i].s, .pairs = r->pairs };
	}
	if (more != NULL)
		reader[nreaders++] = *more;
	if (nreaders > 0)
		err = facts_read(run, reader, nreaders, result);
	return err == 0 ? read_apart(w, n, result) : err;
}

/* Returns the number of events for which there was no room. */
static uint64_t
put_records(const struct report_records *x, struct report_state *s, struct pairs *p,
    struct rows *rows)
{
	const void	*record;

	if (x->row == NULL)
		return 0;
	for (uint32_t i = 0; (record = pairs_next(p, &i)) != NULL;)
		x->row(s, rows, record);
	return pairs_dropped(p);
}

void
report_work_fill(struct report_work *w)
{
	const struct report	*r = w->report;
	struct group_rows	*groups = NULL;
	uint64_t		 dropped;

	if (r->group->kind != NULL)
		groups = group_rows_new(w->rows, r->group, r->figures);
	dropped = put_records(&r->records[0], w->s, w->s->pairs, w->rows);
	dropped += put_records(&r->records[1], w->s, w->s->more, w->rows);
	rows_remark(w->rows, dropped, EVENTS_DROPPED);
	if (r->rows != NULL)
		r->rows(w->s, w->rows);
	if (groups != NULL)
		group_rows_put(groups, r, w->s);
	group_rows_free(groups);
	if (r->total[0] != '\0')
		totals_put(w->rows, r->ncolumns + r->nhidden, r->total, &w->totals);
	if (r->totals != NULL && rows_n(w->rows) > 0)
		r->totals(w->s, &w->totals);
	if (w->s->run->o.ascii)
		plain_units(&w->totals);
}

const struct report_work *
report_work_find(const struct report_work *w, unsigned n, const char *name)
{
	for (unsigned i = 0; i < n; i++)
		if (w[i].rows != NULL && strcmp(w[i].report->name, name) == 0)
			return &w[i];
	return NULL;
}
