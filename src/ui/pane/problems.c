/*
 * Trace health: damage and losses that the index found, and what to change in the next collection.
 *
 *	format      NetTrace V4, cut at byte 547,512: the rest is missing	notes
 *	            stop the collection cleanly (dotnet-trace: Enter or Ctrl-C)
 *	lost        at least 1,482 events lost in 3 gaps ...
 *
 *	severity  kind  at offset  what							the findings
 *	warning   cut     547,512  the file is cut inside a block
 */
#include <string.h>

#include "tnav/analysis/origin.h"
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "ui/pane/table.h"

struct problems {
	struct table_pane	 p;
	bool			 runtime, rundown, tasks;	/* which .NET providers have
								   events */
};

/* Find out which providers have events. Information from others is missing. */
static void
find_sources(struct problems *self, struct view *v)
{
	struct type_stat	*st;
	size_t			 n = trace_type_stats(v->t, &st);

	self->runtime = self->rundown = self->tasks = false;
	for (size_t i = 0; i < n; i++) {
		const char	*provider = trace_type(v->t, st[i].type)->provider;

		if (strcmp(provider, "Microsoft-Windows-DotNETRuntime") == 0)
			self->runtime = true;
		else if (strcmp(provider, "Microsoft-Windows-DotNETRuntimeRundown") == 0)
			self->rundown = true;
		else if (strcmp(provider, "System.Threading.Tasks.TplEventSource") == 0)
			self->tasks = true;
	}
	mem_free(st);
}

/* ---- the trace as a whole */

static bool
has_kind(const struct problems *self, enum finding_kind kind)
{
	for (size_t i = 0; i < self->p.built->nrows; i++)
		if (findings_table_finding(self->p.built, i)->kind == kind)
			return true;
	return false;
}

static void
note_format(struct problems *self, struct view *v)
{
	struct table_note	*n = table_pane_note(&self->p, "format", TONE_WARN,
		    "stop the collection cleanly (dotnet-trace: Enter or Ctrl-C)");
	uint64_t		 off;

	buf_puts(&n->text, trace_info(v->t)->format);
	if (v->complete && trace_cut(v->t, &off)) {
		buf_counts(&n->text, ", cut at byte #: the rest is missing", off);
	} else if (has_kind(self, FIND_NOT_CLOSED)) {
		buf_puts(&n->text, ", not closed: the rest is missing");
	} else {
		buf_puts(&n->text, !v->complete ? ", still being read" :
		    trace_info(v->t)->version > 0 ? ", closed" : "");
		n->tone = TONE_NORMAL;
		n->advice = NULL;
	}
}

/* The traced process, if events describe it. */
static void
note_origin(struct problems *self, struct view *v)
{
	const struct origin	*o = view_origin(v);
	struct buf		*b;

	if (o == NULL)
		return;
	if (o->command.len > 0)
		buf_span(&table_pane_note(&self->p, "command", TONE_NORMAL, NULL)->text,
		    span_of_buf(&o->command));
	if (o->runtime.len + o->os.len == 0)
		return;
	b = &table_pane_note(&self->p, "runtime", TONE_NORMAL, NULL)->text;
	buf_printf(b, "%s%.*s%s%.*s", o->runtime.len > 0 ? ".NET " : "", (int)o->runtime.len,
	    o->runtime.len > 0 ? o->runtime.p : "", o->runtime.len > 0 && o->os.len > 0 ?
	    " on " : "", (int)o->os.len, o->os.len > 0 ? o->os.p : "");
}

/* Losses, as sequence numbers show them. They are not damage of the file. */
static void
note_loss(struct problems *self, struct view *v)
{
	struct table_note	*n = table_pane_note(&self->p, "lost", TONE_NORMAL, NULL);
	uint64_t		 off;
	bool			 unsure = !v->complete || trace_cut(v->t, &off);

	if (!trace_has(v->t, HAS_NUMBERS)) {
		buf_puts(&n->text, "unknown: this format has no sequence numbers");
	} else if (v->gaps.loss.gaps == 0) {
		buf_puts(&n->text, unsure ? "no lost events detected so far" :
		    "no lost events detected");
	} else {
		buf_puts(&n->text, unsure ? "at least " : "");
		buf_counts(&n->text, "# events lost in # gaps", v->gaps.loss.lost,
		    v->gaps.loss.gaps);
		buf_puts(&n->text, "  (Enter lists them, } goes to the next)");
		n->tone = TONE_LOSS;
		n->advice = "collect with a larger buffer "
		    "(dotnet-trace --buffersize)";
	}
}

/* What a .NET trace lacks because it was not collected. */
static void
note_sources(struct problems *self, struct view *v)
{
	find_sources(self, v);
	if (self->runtime && !self->rundown)
		buf_puts(&table_pane_note(&self->p, "rundown", TONE_NORMAL,
		    "stop the collection cleanly, without --rundown false")->text,
		    "none: methods compiled before the trace have no names");
	if (self->runtime && !self->tasks)
		buf_puts(&table_pane_note(&self->p, "activities", TONE_NORMAL,
		    "also collect System.Threading.Tasks.TplEventSource:0x80")->text,
		    "no TplEventSource events; ids follow tasks if its 0x80 was on");
}

static const struct table *
problems_table(void *arg, struct view *v)
{
	struct problems	*self = arg;
	struct table	*t;

	if (!table_pane_stale(&self->p, VIEW_INDEX))
		return self->p.built;
	t = self->p.built = findings_table(v->t);
	t->stamp = t->rows_stamp = view_stamp(v, VIEW_INDEX);
	t->empty = v->complete ? "no damage found in the file" :
	    "no damage found so far; still reading the file";
	self->p.whole = FINDINGS_TEXT + 1;
	table_pane_drop_notes(&self->p);
	note_format(self, v);
	note_origin(self, v);
	note_loss(self, v);
	note_sources(self, v);
	return t;
}

const struct pane_ops	pane_problems = {
	.prints = "check",
	.hints = "open=gaps next-gap close sort help",
	.size = sizeof(struct problems),
	.counts = "# finding{s}",
	.table = problems_table,
	TABLE_PANE,
	TABLE_PANE_SORTS,
};
