/*
 * The subcommands that print one table of the trace: types, threads, gaps, check.
 *
 * Counts come from the index; only where a filter or a window of time asks for a part of the
 * events are they counted one by one.
 */
#include <inttypes.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/run.h"
#include "app/walk.h"
#include "tnav/base/mem.h"
#include "tnav/engine/count.h"
#include "tnav/out/message.h"

/* Counts of a part of the events, by type or by thread. */
struct part {
	struct count	*count;		/* NULL: all events are meant */
	size_t		 n;
	bool		 by_thread;
};

static int
part_event(void *arg, const struct event *e, uint64_t row)
{
	struct part	*p = arg;
	uint32_t	 i = p->by_thread ? e->thread : e->type;

	(void)row;
	if (i < p->n)
		count_add(&p->count[i], e);
	return 0;
}

static int
part_count(struct part *p, struct run *s, bool by_thread)
{
	if (!selection_is_part(&s->sel))
		return 0;
	p->by_thread = by_thread;
	p->n = by_thread ? trace_threads(s->t) : trace_types(s->t);
	p->count = mem_zalloc(p->n, sizeof *p->count);
	for (size_t i = 0; i < p->n; i++)
		p->count[i].first = p->count[i].last = INFO_NO_TIME;
	return run_walk(s, part_event, p);
}

int
subcommand_types(const struct options *o)
{
	struct run	 s;
	struct listing	 l;
	struct part	 part = { NULL, 0, false };
	struct table	*t;
	int		 code = run_open(&s, o), err;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, types_column, TYPES_COLUMNS);
	if (code != 0)
		return run_close(&s, code, false);
	err = part_count(&part, &s, false);
	t = types_table(s.t, part.count);
	if (err >= 0)
		err = listing_print(&l, &s, t);
	table_free(t);
	mem_free(part.count);
	listing_close(&l);
	return run_close(&s, exit_of_reading(err), false);
}

int
subcommand_threads(const struct options *o)
{
	struct run	 s;
	struct listing	 l;
	struct part	 part = { NULL, 0, true };
	struct table	*t;
	int		 code = run_open(&s, o), err;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, threads_column, THREADS_COLUMNS);
	if (code != 0)
		return run_close(&s, code, false);
	err = part_count(&part, &s, true);
	t = threads_table(s.t, &(struct threads_of){ .part = part.count,
	    .only_part = part.count != NULL });
	if (err >= 0)
		err = listing_print(&l, &s, t);
	table_free(t);
	mem_free(part.count);
	listing_close(&l);
	return run_close(&s, exit_of_reading(err), false);
}

/* In the order of when they begin. */
int
subcommand_gaps(const struct options *o)
{
	struct run		 s;
	struct listing		 l;
	struct gap		*all;
	struct placed_gap	*placed;
	struct table		*t;
	struct loss		 loss;
	size_t			 n;
	int			 code = run_open(&s, o), err;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, gaps_column, GAPS_COLUMNS);
	if (code != 0)
		return run_close(&s, code, false);
	n = run_gaps(&s, &all, &placed);
	t = gaps_table(s.t, placed, n);
	err = listing_print(&l, &s, t);
	table_free(t);
	mem_free(placed);
	mem_free(all);
	listing_close(&l);
	trace_loss(s.t, &loss);
	if (loss.kept < loss.gaps)
		message_put("%s: %" PRIu64 " more gaps are counted but not listed",
		    run_name(o), loss.gaps - loss.kept);
	return run_close(&s, exit_of_reading(err), false);
}

/* The closing line for people. It never says more than is known. */
static void
print_verdict(struct run *s)
{
	struct buf	*out = output_buf(s->o);
	struct loss	 loss;
	uint64_t	 off;

	trace_loss(s->t, &loss);
	buf_puts(out, trace_clean(s->t) ? "no damage found; " : "damaged; ");
	if (trace_cut(s->t, &off)) {
		buf_puts(out, "cut at offset ");
		buf_u64(out, off);
		buf_puts(out, "; ");
	}
	buf_grouped(out, trace_rows(s->t));
	buf_puts(out, trace_rows(s->t) == 1 ? " event readable, " : " events readable, ");
	if (loss.gaps == 0) {
		buf_puts(out, "none known to be lost\n");
		return;
	}
	buf_grouped(out, loss.lost);
	buf_puts(out, " lost in ");
	buf_grouped(out, loss.gaps);
	buf_puts(out, loss.gaps == 1 ? " gap\n" : " gaps\n");
}

int
subcommand_check(const struct options *o)
{
	struct run	 s;
	struct listing	 l;
	struct table	*t;
	int		 code = run_open(&s, o), err;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, findings_column, FINDINGS_COLUMNS);
	if (code != 0)
		return run_close(&s, code, true);
	t = findings_table(s.t);
	err = listing_print(&l, &s, t);
	table_free(t);
	listing_close(&l);
	if (s.st.format == OUT_TEXT && err >= 0)
		print_verdict(&s);
	return run_close(&s, exit_of_reading(err), true);
}
