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

static bool
has_kind(const struct table_pane *p, enum finding_kind kind)
{
	for (size_t i = 0; i < p->built->nrows; i++)
		if (findings_table_finding(p->built, i)->kind == kind)
			return true;
	return false;
}

static void
note_format(struct table_pane *p, struct view *v)
{
	struct table_note	*n = table_pane_note(p, "format", TONE_WARN,
		    "stop the collection cleanly (dotnet-trace: Enter or Ctrl-C)");
	uint64_t		 off;

	buf_puts(&n->text, trace_info(v->t)->format);
	if (v->complete && trace_cut(v->t, &off)) {
		buf_counts(&n->text, ", cut at byte #: the rest is missing", off);
	} else if (has_kind(p, FIND_NOT_CLOSED)) {
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
note_origin(struct table_pane *p, struct view *v)
{
	const struct origin	*o = view_origin(v);
	struct buf		*b;

	if (o == NULL)
		return;
	if (o->command.len > 0)
		buf_span(&table_pane_note(p, "command", TONE_NORMAL, NULL)->text,
		    span_of_buf(&o->command));
	if (o->runtime.len + o->os.len == 0)
		return;
	b = &table_pane_note(p, "runtime", TONE_NORMAL, NULL)->text;
	buf_printf(b, "%s%.*s%s%.*s", o->runtime.len > 0 ? ".NET " : "", (int)o->runtime.len,
	    o->runtime.len > 0 ? o->runtime.p : "", o->runtime.len > 0 && o->os.len > 0 ?
	    " on " : "", (int)o->os.len, o->os.len > 0 ? o->os.p : "");
}

/* Losses, as sequence numbers show them. They are not damage of the file. */
static void
note_loss(struct table_pane *p, struct view *v)
{
	struct table_note	*n = table_pane_note(p, "lost", TONE_NORMAL, NULL);
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

static bool
has_provider(const struct provider_count *p, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(p[i].name, name) == 0)
			return true;
	return false;
}

/* What a .NET trace lacks because it was not collected. */
static void
note_sources(struct table_pane *p, struct view *v)
{
	struct provider_count	*from;
	size_t			 n = provider_counts(v->t, &from);
	bool			 runtime = has_provider(from, n, "Microsoft-Windows-DotNETRuntime");

	if (runtime && !has_provider(from, n, "Microsoft-Windows-DotNETRuntimeRundown"))
		buf_puts(&table_pane_note(p, "rundown", TONE_NORMAL,
		    "stop the collection cleanly, without --rundown false")->text,
		    "none: methods compiled before the trace have no names");
	if (runtime && !has_provider(from, n, "System.Threading.Tasks.TplEventSource"))
		buf_puts(&table_pane_note(p, "activities", TONE_NORMAL,
		    "also collect System.Threading.Tasks.TplEventSource:0x80")->text,
		    "no TplEventSource events; ids follow tasks if its 0x80 was on");
	mem_free(from);
}

static const struct table *
problems_table(void *arg, struct view *v)
{
	struct table_pane	*p = arg;
	struct table		*t;

	if (!table_pane_stale(p, VIEW_INDEX))
		return p->built;
	t = p->built = findings_table(v->t);
	t->stamp = t->rows_stamp = view_stamp(v, VIEW_INDEX);
	t->empty = v->complete ? "no damage found in the file" :
	    "no damage found so far; still reading the file";
	p->whole = FINDINGS_TEXT + 1;
	table_pane_drop_notes(p);
	note_format(p, v);
	note_origin(p, v);
	note_loss(p, v);
	note_sources(p, v);
	return t;
}

const struct pane_ops	pane_problems = {
	.prints = "check",
	.hints = "open=gaps next-gap close sort help",
	.size = sizeof(struct table_pane),
	.counts = "# finding{s}",
	.table = problems_table,
	TABLE_PANE,
	TABLE_PANE_SORTS,
};
