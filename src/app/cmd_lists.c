/*
 * The subcommands that print one table of the trace: types, threads, gaps, check.
 *
 * Counts come from the index. Events are counted one by one only if a filter or a window selects
 * some of them.
 */
#include <inttypes.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/run.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/count.h"
#include "tnav/out/message.h"

/* ---- counts of the selected events, by type or by thread */

struct shown_counts {
	struct count	*count;		/* NULL: all events are selected */
	size_t		 n;
	bool		 by_thread;
};

/* The counts of a piece, and which of them are not empty. */
struct part_piece {
	const struct shown_counts	*part;
	struct count			*count;
	uint32_t			*used;
	size_t				 nused, cap;
};

static void *
part_begin(void *arg)
{
	const struct shown_counts	*p = arg;
	struct part_piece		*pc = mem_zalloc(1, sizeof *pc);

	pc->part = p;
	pc->count = mem_zalloc(p->n, sizeof *pc->count);
	return pc;
}

static void
part_add(void *state, const struct pass_batch *b)
{
	struct part_piece	*pc = state;

	for (uint32_t k = 0; k < b->n; k++) {
		const struct event	*e = &b->ev[b->at[k]];
		uint32_t		 i = pc->part->by_thread ? e->thread : e->type;

		if (i >= pc->part->n)
			continue;
		if (pc->count[i].events == 0)
			ARRAY_ADD(pc->used, pc->nused, pc->cap, i);
		count_add(&pc->count[i], e);
	}
}

static int
part_merge(void *arg, void *state)
{
	struct shown_counts	*p = arg;
	struct part_piece	*pc = state;

	for (size_t k = 0; k < pc->nused; k++)
		count_merge(&p->count[pc->used[k]], &pc->count[pc->used[k]]);
	return 0;
}

static void
part_clear(void *state)
{
	struct part_piece	*pc = state;

	while (pc->nused > 0)
		pc->count[pc->used[--pc->nused]] = (struct count){ .events = 0 };
}

static void
part_free(void *state)
{
	struct part_piece	*pc = state;

	mem_free(pc->count);
	mem_free(pc->used);
	mem_free(pc);
}

static const struct pass_ops	part_ops = {
	.begin = part_begin, .add = part_add, .merge = part_merge, .clear = part_clear,
	.free = part_free,
};

static void
part_of_type(void *arg, uint32_t type, const struct count *c)
{
	struct shown_counts	*p = arg;

	if (type < p->n)
		count_merge(&p->count[type], c);
}

/* If the filter depends on types only, the index has the counts by type. */
static bool
part_by_index(struct shown_counts *p, struct run *s)
{
	return !p->by_thread && !s->sel.has_from && !s->sel.has_to &&
	    count_types(s->t, s->sel.eval, part_of_type, p);
}

static void
part_count(struct shown_counts *p, struct run *s, bool by_thread)
{
	*p = (struct shown_counts){ .by_thread = by_thread };
	if (!selection_is_part(&s->sel))
		return;
	p->n = by_thread ? trace_threads(s->t) : trace_types(s->t);
	p->count = mem_zalloc(p->n, sizeof *p->count);
	for (size_t i = 0; i < p->n; i++)
		p->count[i] = (struct count){ .first = INFO_NO_TIME, .last = INFO_NO_TIME };
	if (part_by_index(p, s))
		return;
	(void)run_pass(s, PASS_ANY, &part_ops, p);
}

/* ---- each table */

/* Print the table and free it with the counts of its part. */
static int
print_part(struct run *s, struct table *t, struct shown_counts *part)
{
	int	err = listing_print(s, t);

	run_tell_loss(s);
	table_free(t);
	mem_free(part->count);
	return err;
}

static int
print_types(struct run *s)
{
	struct shown_counts	 part;

	part_count(&part, s, false);
	return print_part(s, types_table(s->t, part.count), &part);
}

static int
print_threads(struct run *s)
{
	struct shown_counts	 part;

	(void)run_need(s, NEEDS_COMMS);
	part_count(&part, s, true);
	return print_part(s, threads_table(s->t, &(struct threads_of){ .part = part.count,
	    .only_part = part.count != NULL }), &part);
}

/* In the order of their first times. */
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
	run_tell_unnumbered(s);
	trace_loss(s->t, &loss);
	if (loss.kept < loss.gaps)
		message_put("%s: %" PRIu64 " more gaps are counted but not listed",
		    run_name(s), loss.gaps - loss.kept);
	return err;
}

/* The last line of the text output. It must not claim more than is known. */
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
	buf_counts(out, "# event{s} readable, ", trace_rows(s->t));
	if (!trace_has(s->t, HAS_NUMBERS)) {
		buf_puts(out, "lost events cannot be detected\n");
		return;
	}
	if (loss.gaps == 0) {
		buf_puts(out, "no lost events detected\n");
		return;
	}
	buf_counts(out, "# lost in # gap{s}\n", loss.lost, loss.gaps);
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
		{ types_columns, print_types },
		{ threads_columns, print_threads },
		{ gaps_columns, print_gaps },
		{ findings_columns, print_findings },
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
