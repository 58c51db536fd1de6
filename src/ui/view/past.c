/*
 * Rows about the past: runs of one time.
 *
 *	row	0 1 2 ... 1,885 | 1,886 | 1,887 ... 1,928 | 1,929
 *	type	mappings, symbols | cswitch | mappings | cswitch
 *	index	0 (stands for all) | 1,886 | 1,887 (for 42) | 1,929
 *
 * Invariant: no row is hidden from a filter, a search, a window that begins later, or a jump: a row
 * stands for others only where the list begins with the trace and the cursor is not among them.
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

/* Is the row about the past? Gives its time. */
static bool
is_past_row(struct view *v, uint64_t row, int64_t *ts)
{
	struct event	e;

	if (trace_event(v->t, row, &e) != 1 || !is_about_past(trace_type(v->t, e.type)))
		return false;
	*ts = e.ts;
	return true;
}

/* The run that contains the row, unless it is short. Its bounds are those of each of its rows. */
static struct past_run
count_rows(struct view *v, uint64_t row)
{
	struct past_run	run = { .first = row, .n = 0 }, none = run;
	uint64_t	least = row - row % MOST, end = row, rows = trace_rows(v->t);
	int64_t		ts, other;

	if (!is_past_row(v, row, &ts))
		return none;
	while (run.first > least && is_past_row(v, run.first - 1, &other) && other == ts)
		run.first--;
	do
		end++;
	while (end < rows && end < least + MOST && is_past_row(v, end, &other) && other == ts);
	if (end - run.first < LEAST)
		return none;
	run.n = end - run.first;
	return run;
}

static struct past_run
run_at(struct view *v, uint64_t row)
{
	struct past	*p = &v->past;
	struct past_run	 run;

	if (!p->known || view_changed(v, &p->seen, VIEW_INDEX))
		*p = (struct past){ .known = true, .open = p->open, .seen = v->changes };
	for (size_t i = 0; i < PAST_RUNS; i++)
		if (row - p->run[i].first < p->run[i].n)
			return p->run[i];
	run = count_rows(v, row);
	if (run.n > 0)
		p->run[p->next++ % PAST_RUNS] = run;
	return run;
}

uint64_t
view_past(struct view *v, uint64_t index, uint64_t *first)
{
	struct past_run	run;
	uint64_t	at = view_index(v);

	*first = index;
	if (v->past.open || v->filter.q != NULL || v->window.row0 != 0)
		return 0;
	run = run_at(v, at);
	if (at > run.first)
		view_past_open(v, true);
	run = run_at(v, index);
	if (v->past.open || run.first + run.n > v->window.row1)
		return 0;
	*first = run.first;
	return run.n;
}

bool
view_past_heads(struct view *v)
{
	return run_at(v, 0).n > 0;
}

void
view_past_open(struct view *v, bool open)
{
	struct past_run	run = run_at(v, view_index(v));

	if (!open && v->filter.q == NULL && v->window.row0 == 0 && run.n > 0)
		view_select(v, run.first);
	v->past.open = open;
	view_change(v, VIEW_LIST);
}

uint64_t
view_past_skip(struct view *v, uint64_t cursor, uint64_t to)
{
	uint64_t	first, n = view_past(v, cursor, &first), last = view_count(v) - 1;

	if (n > 0 && to > cursor)
		to = n - 1 + to < last ? n - 1 + to : last;
	n = view_past(v, to, &first);
	if (n == 0)
		return to;
	return to > cursor && to > first && first + n <= last ? first + n : first;
}

void
view_past_text(uint64_t first, uint64_t n, struct buf *out)
{
	buf_grouped(out, n);
	buf_printf(out, " rows about %sprocesses, mappings, symbols (Enter shows them)",
	    first == 0 ? "what was there before: " : "");
}
