/*
 * Rows about the past at the head of a trace.
 *
 *	row	0 1 2 ... 2,531 | 2,532		all at the time of the first one
 *	type	mappings, symbols | cswitch
 *	index	0 (stands for all) | 2,532
 *
 * Invariant: no row is hidden from a filter, a search, a window that begins later, or a jump: the
 * row is there only where the list begins with the trace and the cursor is not among them.
 */
#include "ui/view/past.h"

#include <string.h>

#include "ui/view/view.h"

#define LEAST		8u		/* fewer rows are shown as they are */
#define MOST		(1u << 17)	/* rows that are looked at */
#define SYSTEM		"Universal.System"

static bool
is_about_past(const struct event_type *type)
{
	static const char *const	names[] = { "ExistingProcess", "ProcessMapping",
					    "ProcessMappingMetadata", "ProcessSymbol" };

	if (strcmp(type->provider, SYSTEM) != 0)
		return false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(type->name, names[i]) == 0)
			return true;
	return false;
}

static uint64_t
count_rows(struct view *v)
{
	struct event	e;
	int64_t		first = 0;
	uint64_t	n = 0, rows = trace_rows(v->t);

	for (; n < rows && n < MOST && trace_event(v->t, n, &e) == 1; n++) {
		if (n == 0)
			first = e.ts;
		if (e.ts != first || !is_about_past(trace_type(v->t, e.type)))
			break;
	}
	return n >= LEAST ? n : 0;
}

uint64_t
view_past(struct view *v)
{
	struct past	*p = &v->past;
	uint64_t	 at = view_index(v);

	if (p->open || v->filter.q != NULL || v->window.row0 != 0)
		return 0;
	if (!p->known || view_changed(v, &p->seen, VIEW_INDEX)) {
		p->known = true;
		p->seen = v->changes;
		p->n = count_rows(v);
	}
	if (at > 0 && at < p->n)
		view_past_open(v, true);
	return p->open || p->n > v->window.row1 ? 0 : p->n;
}

void
view_past_open(struct view *v, bool open)
{
	v->past.open = open;
	view_change(v, VIEW_LIST);
}

uint64_t
view_past_skip(struct view *v, uint64_t cursor, uint64_t to)
{
	uint64_t	n = view_past(v), last = view_count(v) - 1;

	if (n == 0 || to == 0 || (cursor > 0 && to >= n))
		return to;
	if (cursor > 0)
		return 0;
	return n - 1 + to < last ? n - 1 + to : last;
}

void
view_past_text(struct view *v, struct buf *out)
{
	buf_grouped(out, view_past(v));
	buf_puts(out, " rows about what was there before: processes, mappings, symbols (Enter "
	    "shows them)");
}
