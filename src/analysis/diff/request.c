/*
 * What is compared: which rows of which reports, and the keys by which they are joined.
 */
#include "tnav/analysis/diff_measure.h"

#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/engine/field.h"

#define COUNT(a)	(sizeof (a) / sizeof *(a))

static const struct diff_origin	of_requests[] = {
	{ "client", "System.Net.Http" },
	{ "server", "Microsoft.AspNetCore.Hosting" },
	{ "kestrel", "Microsoft-AspNetCore-Server-Kestrel" },
	{ NULL, NULL },
};

static const struct diff_report	diff_reports[] = {
	{ .report = &report_gc, .kind = "gc", .by = "generation", .time = "start", .dur = "pause" },
	{ .report = &report_allocs, .kind = "type", .by = "type", .n = "count",
	    .weight = "bytes", .bytes = true },
	{ .report = &report_exceptions, .kind = "exception", .by = "type", .time = "t",
	    .dur = "flight" },
	{ .report = &report_contention, .kind = "contention", .by = "site", .time = "start",
	    .dur = "dur" },
	{ .report = &report_jit, .kind = "jit", .by = "tier", .time = "start", .dur = "dur" },
	{ .report = &report_loader, .kind = "load", .by = "what,name", .judging = DIFF_BY_VALUE },
	{ .report = &report_threadpool, .kind = "adjustment", .by = "reason", .time = "t" },
	{ .report = &report_requests, .kind = "request", .by = "side,route", .time = "start",
	    .dur = "dur", .provider = "side", .origin = of_requests },
	{ .report = &report_tasks, .kind = "task", .by = "task", .time = "scheduled",
	    .dur = "dur" },
	{ .report = &report_counters, .kind = "series", .by = "provider,name,tags",
	    .means = true, .provider = "provider",
	    .other_provider = "System.Diagnostics.Metrics" },
	{ .report = &report_heap, .kind = "type", .by = "type", .n = "count", .weight = "bytes",
	    .bytes = true, .judging = DIFF_BY_VALUE },
	{ .report = &report_summary, .kind = "diagnosis", .by = "id,unit", .weight = "number",
	    .judging = DIFF_BY_PRESENCE },
	{ .report = &report_cpu, .kind = "thread", .by = "process,threadName", .n = "samples",
	    .shares = true },
	{ .report = &report_switches, .kind = "thread", .by = "process,threadName",
	    .n = "switches" },
	{ .report = &report_samples, .kind = "method", .by = "method", .n = "exclusive",
	    .shares = true },
};

const struct diff_report *
diff_report_find(const char *name, struct buf *names)
{
	for (size_t i = 0; i < COUNT(diff_reports); i++)
		if (strcmp(diff_reports[i].report->name, name) == 0)
			return &diff_reports[i];
	for (size_t i = 0; i < COUNT(diff_reports) && names != NULL; i++)
		buf_printf(names, "%s%s", i > 0 ? ", " : "", diff_reports[i].report->name);
	return NULL;
}

enum diff_per
diff_per_usual(const struct diff_request *r)
{
	if (r->of != NULL && (r->of->judging != DIFF_BY_NOISE || r->of->means))
		return DIFF_PER_NONE;
	return r->what == DIFF_TREE || (r->of != NULL && r->of->shares) ? DIFF_PER_EVENT :
	    DIFF_PER_SECOND;
}

const char *
diff_events_by(const struct diff_request *r)
{
	return r->by != NULL ? r->by : "provider,name";
}

unsigned
diff_needs(const struct diff_request *r, struct trace *t)
{
	if (r->what == DIFF_TREE)
		return NEEDS_SYMBOLS;
	return r->what == DIFF_REPORT ? report_needs(r->of->report, t) : 0;
}

/* ---- keys */

static unsigned
column_of(const struct report *r, const char *name)
{
	struct table	t = { .column = r->column, .ncolumns = r->ncolumns };

	if (name == NULL)
		return UINT_MAX;
	return table_find_column(&t, name, strlen(name), NULL);
}

/* The columns of a report's key. */
static bool
read_report_key(struct diff_request *r, struct diff_options *o, struct buf *why)
{
	const struct diff_report	*c = r->of;
	const char	*at = r->by != NULL ? r->by : c->by;
	struct table	 t = { .column = c->report->column, .ncolumns = c->report->ncolumns };

	r->columns = (struct diff_columns){ .kind = c->kind,
	    .time = column_of(c->report, c->time), .dur = column_of(c->report, c->dur),
	    .n = column_of(c->report, c->n), .weight = column_of(c->report, c->weight),
	    .provider = column_of(c->report, c->provider), .other_provider = c->other_provider,
	    .origin = c->origin };
	o->bytes = c->bytes;
	o->means = c->means;
	o->judging = c->judging;
	for (size_t len; at != NULL; at = at[len] == ',' ? at + len + 1 : NULL) {
		unsigned	col;

		len = strcspn(at, ",");
		col = table_find_column(&t, at, len, why);
		if (col == t.ncolumns)
			return false;
		if (o->nkeys == DIFF_KEYS) {
			buf_puts(why, "too many columns");
			return false;
		}
		r->columns.key[o->nkeys] = col;
		o->key[o->nkeys++] = t.column[col].name;
	}
	return true;
}

/* The titles are borrowed from the list. */
static bool
read_event_key(struct diff_request *r, struct diff_options *o, struct field_list *by,
    struct buf *why)
{
	if (field_list_init(by, diff_events_by(r), why) < 0)
		return false;
	if (by->n > DIFF_KEYS) {
		buf_printf(why, "at most %u fields can be given", DIFF_KEYS);
		return false;
	}
	for (size_t i = 0; i < by->n; i++)
		o->key[o->nkeys++] = by->titles[i];
	return true;
}

struct sides *
diff_open(struct diff_request *r, const unsigned traces[2], struct buf *why)
{
	struct diff_options	 o = { .per = r->per, .span = r->span, .windows = r->windows,
				    .traces = { traces[0], traces[1] } };
	struct field_list	 by = { .n = 0 };
	struct sides		*d = NULL;
	bool			 good = true;

	switch (r->what) {
	case DIFF_EVENTS:
		good = read_event_key(r, &o, &by, why);
		break;
	case DIFF_REPORT:
		good = read_report_key(r, &o, why);
		break;
	case DIFF_SPANS: case DIFF_TREE:
		o.key[0] = r->what == DIFF_TREE ? "path" : "group";
		o.key[1] = r->what == DIFF_TREE ? "method" : "name";
		o.nkeys = 2;
		o.tree = r->what == DIFF_TREE;
		break;
	}
	if (good)
		d = diff_new(&o);
	field_list_release(&by);
	return d;
}

void
diff_request_release(struct diff_request *r)
{
	calltree_weight_release(&r->weight);
}
