/*
 * The threads, most lost first: events, lost events, and when. l shows the incarnations of a reused
 * id.
 *
 * The order is made again when the counts are complete, not while they grow.
 */
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "ui/pane/density.h"
#include "ui/pane/table.h"

#define DEPENDS		(VIEW_INDEX | VIEW_WINDOW | VIEW_ROWS | VIEW_COUNTS | VIEW_NAMES)
#define PARTS		120u	/* of the activity; a narrow column joins them */

struct threads_pane {
	struct table_pane	 p;
	struct count		*part;
	uint64_t		 rows_stamp;	/* for which the order was made */
	uint64_t		 rows;		/* of the trace, for that order */
	uint32_t		 threads;	/* likewise */
	bool			 crossed;	/* some of its gaps extend beyond the window */
	uint64_t		 counts[PARTS];
	float			 lost[PARTS];
};

/* When the thread was active within the window. */
static bool
threads_spark(void *arg, uint32_t thread, struct cell_spark *out)
{
	struct threads_pane	*self = arg;
	struct view		*v = self->p.v;
	const struct tally	*ty = &v->tallies.by_thread;
	struct lost_row		 row = { thread, 0 };

	if (ty->all == NULL || thread >= ty->lines || ty->nparts != PARTS ||
	    ty->from != v->window.from || ty->to != v->window.to)
		return false;
	for (unsigned i = 0; i < PARTS; i++) {
		self->counts[i] = tally_bin(ty, thread, i);
		self->lost[i] = 0;
	}
	density_lost(v, &row, 1, self->lost, PARTS);
	*out = (struct cell_spark){ .part = self->counts, .lost = self->lost, .n = PARTS,
	    .known = ty->done || ty->rough != NULL ? PARTS :
	    time_bucket(ty->upto, ty->from, ty->to, PARTS) };
	return true;
}

/* Replace the counts of the whole trace by those of the window. */
static void
take_window(struct threads_pane *self, struct view *v)
{
	struct thread_stat	*st;
	size_t			 n = trace_thread_stats(v->t, &st);

	self->part = mem_zalloc(n + 1, sizeof *self->part);
	for (size_t i = 0; i < n; i++) {
		self->part[i] = st[i].c;
		self->part[i].events = self->part[i].bytes = 0;
		if (v->tallies.by_thread.events != NULL && i < v->tallies.by_thread.threads) {
			self->part[i].events = v->tallies.by_thread.events[i];
			self->part[i].bytes = v->tallies.by_thread.bytes[i];
		}
	}
	mem_free(st);
	for (size_t i = 0; i < v->gaps.n; i++) {
		const struct gap	*g = &v->gaps.v[i];

		if (g->to >= v->window.from && g->from < v->window.to)
			self->crossed |= g->from < v->window.from || g->to > v->window.to;
	}
}

static void
make_table(struct threads_pane *self, struct view *v)
{
	struct threads_of	of = { .tree = true, .gaps = v->gaps.v, .ngaps = v->gaps.n,
				    .from = v->window.from, .to = v->window.to,
				    .window = !v->window.whole,
				    .spark = threads_spark, .arg = self };

	mem_free(self->part);
	self->part = NULL;
	self->crossed = false;
	if (!v->window.whole)
		take_window(self, v);
	of.part = self->part;
	self->p.built = threads_table(v->t, &of);
}

static const struct table *
threads_pane_table(void *arg, struct view *v)
{
	struct threads_pane	*self = arg;
	uint32_t		 n = trace_threads(v->t);
	bool			 stays = !view_changed(v, &self->p.seen, VIEW_WINDOW) &&
				    view_order_stays(v, self->rows, self->threads, n);

	view_tally_want(v, &v->tallies.by_thread, PARTS);
	if (!table_pane_stale(&self->p, DEPENDS))
		return self->p.built;
	make_table(self, v);
	if (!stays) {
		self->rows_stamp = view_stamp(v, DEPENDS);
		self->rows = trace_rows(v->t);
		self->threads = n;
	}
	self->p.built->stamp = view_stamp(v, DEPENDS);
	self->p.built->rows_stamp = self->rows_stamp;
	return self->p.built;
}

static void
threads_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct threads_pane	*self = arg;
	const struct table	*t = threads_pane_table(self, v);
	const struct tally	*y = &v->tallies.by_thread;

	table_pane_put_sort(&self->p, t, "", left);
	if (!v->complete && !v->following)
		buf_puts(right, "indexing, ");
	else if (v->complete && y->wanted && y->all != NULL && !y->done)
		buf_printf(right, "%s%u %%, ", y->stopped ? "stopped at " : "counting ",
		    percent_of(tally_share(y)));
	if (v->complete || v->following || !v->window.whole)
		buf_puts(right, v->window.whole ? "whole trace, " : self->crossed ?
		    "this window and gaps across its edge, " : "this window, ");
	buf_counts(right, "# thread{s}", trace_threads(v->t));
}

static int
threads_lines(void *arg, struct view *v, bool opened)
{
	(void)arg;
	(void)opened;
	return (int)(trace_threads(v->t) < 1000 ? trace_threads(v->t) : 1000) + 2;
}

static uint32_t
threads_thread(void *arg, struct view *v)
{
	struct threads_pane	*self = arg;
	size_t			 row = table_pane_row(&self->p, v);

	return row == TABLE_NO_ROW ? EVENT_NONE : threads_table_thread(self->p.built, row);
}

static void
threads_release(void *arg)
{
	mem_free(((struct threads_pane *)arg)->part);
}

static const struct legend	legend[] = {
	{ "\xe2\x86\x93 \xe2\x86\x91", "v ^", "Sorted by this column, down or up." },
	{ "+ -", "+ -", "Incarnations of the thread id: folded, shown." },
	{ "\xe2\x96\x81\xe2\x96\x83\xe2\x96\x88", ".-@",
	    "Activity: the busiest part of the row is the highest." },
	{ "\xe2\x96\x91 \xe2\x96\x92 \xe2\x96\x93", "/ % $",
	    "Lost events: fewer than 10 in the part, fewer than 1,000, more." },
	{ "underlined", "underlined", "Some events of the part were lost." },
	{ NULL, NULL, NULL },
};

const struct pane_ops	pane_threads = {
	.prints = "threads",
	.depends = PRINTS_WINDOW,
	.hints = "open=only next-gap sort sort-invert close help",
	.size = sizeof(struct threads_pane),
	.release = threads_release,
	.legend = legend,
	.title = threads_title,
	.lines = threads_lines,
	.table = threads_pane_table,
	TABLE_PANE_SORTED,
	.thread = threads_thread,
};
