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
#include "tnav/base/text.h"
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

/* ---- each table */

static int
print_types(struct run *s)
{
	struct part	 part = { NULL, 0, false };
	int		 counted = part_count(&part, s, false);
	struct table	*t = types_table(s->t, part.count);
	int		 err = counted >= 0 ? listing_print(s, t) : counted;

	table_free(t);
	mem_free(part.count);
	return err;
}

static int
print_threads(struct run *s)
{
	struct part	 part = { NULL, 0, true };
	int		 counted = part_count(&part, s, true);
	struct table	*t = threads_table(s->t, &(struct threads_of){ .part = part.count,
			    .only_part = part.count != NULL });
	int		 err = counted >= 0 ? listing_print(s, t) : counted;

	table_free(t);
	mem_free(part.count);
	return err;
}

/* In the order of when they begin. */
static int
print_gaps(struct run *s)
{
	struct gap		*all;
	struct placed_gap	*placed;
	size_t			 n = run_gaps(s, &all, &placed);
	struct table		*t = gaps_table(s->t, placed, n);
	int			 err = listing_print(s, t);
	struct loss		 loss;

	table_free(t);
	mem_free(placed);
	mem_free(all);
	trace_loss(s->t, &loss);
	if (loss.kept < loss.gaps)
		message_put("%s: %" PRIu64 " more gaps are counted but not listed",
		    run_name(s), loss.gaps - loss.kept);
	return err;
}

/* The closing line for people. It never says more than is known. */
static void
put_verdict(struct run *s)
{
	struct buf	*out = &s->tail;
	struct loss	 loss;
	uint64_t	 off;

	trace_loss(s->t, &loss);
	text_clean(out, span_of_buf(&s->where), s->st.mode, SIZE_MAX);
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

static int
print_findings(struct run *s)
{
	struct table	*t = findings_table(s->t);
	int		 err = listing_print(s, t);

	table_free(t);
	s->quiet = true;
	if (s->st.format == OUT_TEXT && err >= 0)
		put_verdict(s);
	return err;
}

int
list_each(struct run *s)
{
	static const struct {
		const struct table_column	*column;
		int				(*print)(struct run *s);
	} lists[] = {
		{ types_column, print_types },
		{ threads_column, print_threads },
		{ gaps_column, print_gaps },
		{ findings_column, print_findings },
	};
	const struct command_def	*c = s->opt->command;
	int				 code = listing_check(s, c->columns, c->ncolumns);
	size_t				 i = 0;

	if (code != 0)
		return code;
	while (lists[i].column != c->columns)
		i++;
	return exit_of_reading(lists[i].print(s));
}
