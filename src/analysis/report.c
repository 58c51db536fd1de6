/*
 * Reports: their list, and making the rows of one from a trace.
 *
 *	report_make: begin -> facts or a pass of its own -> rows
 *
 * Of joined traces each has a report of its own, over the events of the whole that are of this
 * source: its times, rows and fields are those of the whole, and nothing is paired with what
 * another source has. A table has the rows of all.
 */
#include "tnav/analysis/report.h"

#include <string.h>
#include <strings.h>

#include "analysis/reports/common.h"
#include "analysis/reports/state.h"
#include "analysis/spans/loss.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"

#define REPORT_POINTER(id, ...)	&report_##id,
const struct report *const	reports[REPORTS] = { REPORT_TABLE(REPORT_POINTER) };

/* The report of one source. */
struct report_of {
	struct report_work	 w;
	struct report_run	 run;
	struct filter		*filter;	/* of several sources: run.o.pass.filter */
	bool			 has_loss;
	uint64_t		 lost, gaps;
};

struct report_made {
	const struct report	*report;
	struct trace		*t;
	struct report_of	*of;		/* n of them, by source */
	uint32_t		 n;
	struct rows		**rows;		/* theirs */
	struct buf		 remark;
};

/* ---- what a report needs */

uint64_t
report_events(const struct report *r, struct trace *t)
{
	return r->fact != NULL ? facts_count(r->fact, t) : 0;
}

bool
report_present(const struct report *r, struct trace *t)
{
	return r == &report_summary || report_events(r, t) > 0;
}

const char *
report_provider(const struct report *r, struct trace *t, uint8_t *level)
{
	return r->fact != NULL ? facts_provider(r->fact, t, level) : NULL;
}

unsigned
report_needs(const struct report *r, struct trace *t)
{
	unsigned	needs = 0;

	if (r != &report_summary)
		return report_events(r, t) > 0 ? r->needs : 0;
	for (unsigned i = 0; i < REPORTS; i++)
		if (reports[i] != &report_summary)
			needs |= report_needs(reports[i], t);
	return r->needs & needs;
}

/* ---- making a report */

/* Find the gaps that touch the window. For the whole trace, the totals include gaps that were
   not kept. */
static void
find_loss(struct report_of *m)
{
	const struct report_options	*o = &m->run.o;
	struct loss			 whole;
	struct gap			*gap;
	size_t				 n;

	m->has_loss = trace_has(m->run.home, HAS_NUMBERS);
	if (!pass_is_bounded(&o->pass)) {
		trace_loss(m->run.home, &whole);
		m->lost = whole.lost;
		m->gaps = whole.gaps;
		return;
	}
	n = trace_source_gaps(m->run.t, o->source, &gap);
	for (size_t i = 0; i < n; i++) {
		if (!gap_touches(&gap[i], &o->pass))
			continue;
		m->gaps++;
		m->lost = add_u64(m->lost, gap[i].lost);
	}
	mem_free(gap);
}

static int
report_of_read(struct report_of *m, const struct report_made *all, uint32_t source,
    const struct report_options *o, struct pass_result *result)
{
	struct pass_result	own = { .lost = false };
	int			err;

	m->run = (struct report_run){ .t = all->t, .home = trace_source(all->t, source), .o = *o,
	    .filtered = o->pass.filter != NULL, .losses = losses_new(all->t, source),
	    .frames = frame_cache_new(),
	    .before = o->before != NULL && source < o->before->n ?
	    o->before->of[source].w.s : NULL, .reports = reports, .nreports = REPORTS };
	m->run.o.source = source;
	if (all->n > 1) {
		m->filter = filter_of_source(o->pass.filter, source);
		m->run.o.pass.filter = m->filter;
		m->run.o.memory = NULL;		/* it is for one reader of the trace */
	}
	report_work_begin(&m->w, all->report, &m->run);
	err = report_works_read(&m->run, &m->w, 1, NULL, &own);
	result->lost |= own.lost;
	result->costly += own.costly;
	return err;
}

static void
link_sources(struct report_made *m)
{
	struct report_state	**s = mem_zalloc(m->n, sizeof *s);

	for (uint32_t i = 0; i < m->n; i++)
		s[i] = m->of[i].w.s;
	m->report->relate(s, m->n);
	mem_free(s);
}

static void
report_of_fill(struct report_of *m)
{
	find_loss(m);
	rows_loss(m->w.rows, m->has_loss, m->lost, m->gaps);
	report_work_fill(&m->w);
}

int
report_make(struct report_made **out, const struct report *r, struct trace *t,
    const struct report_options *o, struct pass_result *result)
{
	struct report_made	*m = mem_zalloc(1, sizeof *m);
	int			 err = ERR_OK;

	*out = NULL;
	*result = (struct pass_result){ .lost = false };
	m->report = r;
	m->t = t;
	m->n = trace_sources(t);
	m->of = mem_zalloc(m->n, sizeof *m->of);
	m->rows = mem_zalloc(m->n, sizeof *m->rows);
	for (uint32_t i = 0; i < m->n && err == ERR_OK; i++) {
		err = report_of_read(&m->of[i], m, i, o, result);
		m->rows[i] = m->of[i].w.rows;
	}
	if (err != ERR_OK) {
		report_free(m);
		return err;
	}
	if (r->relate != NULL)
		link_sources(m);
	for (uint32_t i = 0; i < m->n; i++)
		report_of_fill(&m->of[i]);
	*out = m;
	return ERR_OK;
}

void
report_free(struct report_made *m)
{
	if (m == NULL)
		return;
	for (uint32_t i = 0; i < m->n; i++) {
		if (m->of[i].w.report == NULL)
			continue;
		report_work_release(&m->of[i].w);
		losses_free(m->of[i].run.losses);
		frame_cache_free(m->of[i].run.frames);
		filter_free(m->of[i].filter);
	}
	mem_free(m->of);
	mem_free(m->rows);
	buf_release(&m->remark);
	mem_free(m);
}

/* ---- the finished report */

unsigned
report_parts(const struct report *r)
{
	unsigned	n = 0;

	while (r->part[n].kind != NULL)
		n++;
	return n;
}

/* Is it the kind, or what it is by: lock for byLock, thread for byTid? */
static bool
is_kind(const char *of, const char *kind, size_t len)
{
	static const char	thread[] = "thread";

	if (strlen(of) == len && memcmp(of, kind, len) == 0)
		return true;
	if (strncmp(of, "by", 2) != 0)
		return false;
	if (strcmp(of, "byTid") == 0 && len == strlen(thread) && memcmp(kind, thread, len) == 0)
		return true;
	return strlen(of + 2) == len && strncasecmp(of + 2, kind, len) == 0;
}

unsigned
report_part_find(const struct report *r, const char *kind, size_t len)
{
	unsigned	i = 0;

	while (r->part[i].kind != NULL && !is_kind(r->part[i].kind, kind, len))
		i++;
	return i;
}

/* The part that is a page has the rows of one source after the other. */
static bool
is_page(const struct report *r, unsigned part)
{
	return r->page != NULL && part == 0;
}

struct table *
report_table(const struct report_made *m, unsigned part)
{
	const struct report_part	*p = part == REPORT_ALL ? NULL : &m->report->part[part];
	bool				 merged = p == NULL || !is_page(m->report, part);
	const char			*kind = p != NULL ? p->kind : NULL;
	struct table			*t = rows_table_of(m->rows, m->n, kind, merged);
	uint64_t			 shown = m->n > 1 ? UINT64_C(1) << ROW_FILE : 0;

	if (p == NULL)
		return t;
	t->sort = p->sort + 1;
	if (t->column[p->column[0]].kind != CELL_TIME)
		t->lead = p->column[0] + 1;
	for (const unsigned *c = p->column; *c != REPORT_END; c++)
		shown |= (uint64_t)1 << *c;
	t->idle |= ~shown;
	if (p->sort < TABLE_COLUMNS)
		t->idle &= ~(UINT64_C(1) << p->sort);
	return t;
}

struct table *
report_inside(const struct report_made *m, const struct table_inside *at, struct buf *title)
{
	return at->source < m->n && m->report->inside != NULL ?
	    m->report->inside(m->of[at->source].w.s, at, title) : NULL;
}

static int
cells_new(struct filter_cells **out, const struct report *r, const struct filter *f,
    struct buf *why)
{
	const char	*names[TABLE_MOST];

	for (unsigned i = 0; i < r->ncolumns; i++)
		names[i] = r->column[i].name;
	return filter_cells_new(out, f, names, r->ncolumns, why);
}

bool
report_filters(const struct report *r, const struct filter *f, struct buf *why)
{
	struct filter_cells	*e;
	bool			 good = cells_new(&e, r, f, why) == ERR_OK;

	filter_cells_free(e);
	return good;
}

struct table *
report_table_of(const struct report_made *m, unsigned part, const struct filter *f)
{
	struct filter_cells	*e;
	struct table		*t = report_table(m, part);
	struct buf		 why = { 0 };

	if (cells_new(&e, m->report, f, &why) == ERR_OK)
		rows_filter_table(t, e);
	filter_cells_free(e);
	buf_release(&why);
	return t;
}

size_t
report_rows(const struct report_made *m)
{
	size_t	n = 0;

	for (uint32_t i = 0; i < m->n; i++)
		n += rows_n(m->rows[i]);
	return n;
}

uint32_t
report_sources(const struct report_made *m)
{
	return m->n;
}

const char *
report_totals(const struct report_made *m, uint32_t source)
{
	return buf_str(&m->of[source].w.totals);
}

/* The page of a source begins with its file, if there are several (on a screen, its name). Its rows
   follow those of the sources before it. */
void
report_page(const struct report_made *m, const struct table *t, bool evidence, struct page *out)
{
	size_t	before = 0, items = 0;

	for (uint32_t i = 0; i < m->n; i++) {
		struct table	*own = rows_table(m->rows[i], m->report->part[0].kind);

		own->raw_names = t->raw_names;
		if (m->n > 1)
			page_heading(out, evidence ? trace_path(m->of[i].run.home) :
			    text_base_name(trace_path(m->of[i].run.home)));
		if (m->of[i].run.o.diagnoses)
			report_diagnoses_page(own, evidence, out);
		else
			m->report->page(own, evidence, out);
		for (; items < out->n; items++)
			if (out->item[items].row != TABLE_NO_ROW)
				out->item[items].row += before;
		before += own->nrows;
		table_free(own);
	}
}

const char *
report_remark(struct report_made *m)
{
	buf_clear(&m->remark);
	for (uint32_t i = 0; i < m->n; i++) {
		size_t	at = m->remark.len;

		rows_remarks(m->rows[i], &m->remark);
		if (m->n == 1 || m->remark.len == at)
			continue;
		m->remark.len = at;
		buf_printf(&m->remark, "%s%s: ", at > 0 ? "; " : "",
		    text_base_name(trace_path(m->of[i].run.home)));
		rows_remarks(m->rows[i], &m->remark);
	}
	return m->remark.len > 0 ? buf_str(&m->remark) : NULL;
}

bool
report_loss(const struct report_made *m, uint32_t source, uint64_t *lost, uint64_t *gaps)
{
	*lost = m->of[source].lost;
	*gaps = m->of[source].gaps;
	return m->of[source].has_loss;
}

/* ---- plots */

/* Add the cells of a row, if it has a time and at least one number. */
static void
add_row(struct report_plot *p, const struct table *t, const struct report_plot_def *d, size_t row)
{
	double		v[PLOT_LAYERS] = { 0 };
	struct cell	time = table_cell_at(t, row, d->time), c;
	long double	number;
	bool		any = p->layers == 0;

	if (time.kind != CELL_TIME)
		return;
	for (unsigned i = 0; i < p->layers; i++) {
		c = table_cell_at(t, row, d->value[i]);
		if (!table_number(&c, &number))
			continue;
		v[i] = (double)number;
		any = true;
	}
	if (any && (p->n == 0 || time.i >= p->ns[p->n - 1]))
		report_plot_add(p, time.i, v);
}

static void
make_plot(const struct report_made *m, const struct report_plot_def *d, uint32_t source,
    struct report_plot *p)
{
	struct table	*t = rows_table(m->rows[source], d->kind);

	buf_puts(&p->title, d->title);
	if (m->n > 1)
		buf_printf(&p->title, ", %s", text_base_name(trace_path(m->of[source].run.home)));
	p->how = d->how;
	p->kind = CELL_U64;
	for (; p->layers < PLOT_LAYERS && d->value[p->layers] != REPORT_END &&
	    d->how != PLOT_COUNT; p->layers++) {
		p->layer[p->layers] = table_title(t, d->value[p->layers]);
		p->kind = t->column[d->value[p->layers]].kind;
	}
	for (size_t i = 0; i < t->nrows; i++)
		add_row(p, t, d, i);
	table_free(t);
}

bool
report_plot(const struct report_made *m, unsigned part, size_t row, unsigned which,
    struct report_plot *out)
{
	const struct report	*r = m->report;
	unsigned		 n = 0;
	struct table		*t;
	uint64_t		 key;
	size_t			 of;
	bool			 own = false;

	*out = (struct report_plot){ .kind = CELL_F64 };
	while (r->plot[n].title != NULL)
		n++;
	if (which < n * m->n)
		make_plot(m, &r->plot[which / m->n], which % m->n, out);
	else if (which == n * m->n && r->plot_row != NULL && part < report_parts(r)) {
		t = report_table(m, part);
		own = rows_key(t, row, &key, &of) && r->plot_row(m->of[of].w.s, key, out);
		table_free(t);
	}
	return which < n * m->n || own;
}
