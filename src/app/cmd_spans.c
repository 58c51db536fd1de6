/*
 * tnav spans: intervals from one event to another, each by itself or summed by name.
 *
 *	text, CSV	by name, or with --list each span
 *	JSON lines	each span, then each name; with --by-name, --sort or --top only names
 */

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/analysis/spans.h"
#include "tnav/base/err.h"
#include "tnav/engine/field.h"

/* Columns of the sums in text, CSV and TSV, where a cell is one number. */
static const unsigned	figures[] = {
	SPANS_GROUP, SPANS_NAME, SPANS_BY, SPANS_COUNT, SPANS_TOTAL, SPANS_SELF_TOTAL, SPANS_MEAN,
	SPANS_P50, SPANS_P90, SPANS_P99, SPANS_P999, SPANS_MAX, SPANS_OPENED, SPANS_LOST,
	SPANS_ORPHANED, SPANS_DOUBTFUL, SPANS_HISTOGRAM,
};
/* Those that fit into lines of text. */
static const unsigned	main_figures[] = {
	SPANS_GROUP, SPANS_NAME, SPANS_BY, SPANS_COUNT, SPANS_TOTAL, SPANS_SELF_TOTAL, SPANS_P50,
	SPANS_P99, SPANS_MAX, SPANS_LOST, SPANS_HISTOGRAM,
};
static const unsigned	each[] = {
	SPANS_START, SPANS_DUR, SPANS_SELF, SPANS_TID, SPANS_STOP_TID, SPANS_STATE, SPANS_GROUP,
	SPANS_NAME, SPANS_BY, SPANS_LABEL, SPANS_KEY, SPANS_ROW, SPANS_STOP_ROW,
};
static const unsigned	all[] = {
	SPANS_KIND, SPANS_GROUP, SPANS_PROVIDER, SPANS_NAME, SPANS_BY, SPANS_START, SPANS_DUR,
	SPANS_TID, SPANS_STOP_TID, SPANS_ACTIVITY, SPANS_MATCHED, SPANS_KEY, SPANS_STATE,
	SPANS_ROW, SPANS_STOP_ROW, SPANS_PID, SPANS_GAP, SPANS_SELF, SPANS_STATES_OF, SPANS_CROSS,
	SPANS_SELF_TOTAL,
};

#define COUNT(a)	(sizeof (a) / sizeof *(a))

/* Read the field of --by. Returns 0, or EXIT_USAGE after a message. */
static int
read_by(struct run *s, struct field_list *by)
{
	const char	*text = s->opt->text[OPT_BY];
	struct buf	 why = { 0 };
	int		 code = 0;

	*by = (struct field_list){ .n = 0 };
	if (text == NULL)
		return 0;
	if (field_list_init(by, text, &why) < 0)
		code = EXIT_USAGE;
	else if (by->n != 1) {
		buf_puts(&why, "give one field only");
		code = EXIT_USAGE;
	}
	if (code != 0)
		message_put("--by: %s", buf_str(&why));
	else
		code = run_check_fields(s, by, "--by");
	buf_release(&why);
	s->stop = s->stop || code != 0;
	return code;
}

/* Select columns by format and by what is listed, unless -e did. */
static void
pick(struct run *s, const struct spans_table_of *of, bool by)
{
	const unsigned	*col = figures;
	size_t		 n = COUNT(figures);

	if (out_is_whole(s->st.format)) {
		col = all;
		n = COUNT(all);
	} else if (of->list) {
		col = each;
		n = COUNT(each);
	} else if (out_is_for_people(s->st.format)) {
		col = main_figures;
		n = COUNT(main_figures);
	}
	if (s->npick > 0)
		return;
	listing_pick_source(s, spans_columns, SPANS_COLUMNS);
	for (size_t i = 0; i < n; i++)
		if (col[i] != SPANS_BY || by)
			listing_pick(s, col[i]);
}

static void
put_part(struct buf *out, uint64_t n, const char *what)
{
	if (n == 0)
		return;
	if (out->len > 0)
		buf_puts(out, ", ");
	buf_grouped(out, n);
	buf_puts(out, what);
}

/* Report how many spans have no end or a doubtful one, and why. */
static void
tell_unsure(struct run *s, struct spans *spans)
{
	uint64_t	state[SPAN_STATES] = { 0 }, doubtful = 0, by_start = 0;
	struct buf	text = { 0 };

	for (uint32_t i = 0; i < spans_names(spans); i++) {
		const struct span_sum	*m = spans_sum(spans, i);

		doubtful += m->doubtful;
		by_start += m->by_start;
		for (unsigned k = 0; k < SPAN_STATES; k++)
			state[k] += m->states[k];
	}
	put_part(&text, state[SPAN_OPEN], " whose end is not found");
	put_part(&text, state[SPAN_REPLACED], " followed by another start of the same key");
	put_part(&text, state[SPAN_ORPHAN], " that began before the trace or its provider");
	put_part(&text, state[SPAN_ORPHAN_WITHOUT_ID],
	    " stops without an activity id of their own that no single start fits");
	put_part(&text, state[SPAN_LOST_IN_GAP] + state[SPAN_ORPHAN_AFTER_GAP],
	    " whose other end may be among lost events");
	put_part(&text, doubtful, " doubtful, because their thread lost events in between");
	put_part(&text, by_start, " paired by thread, as the stop lacks its activity id");
	if (text.len > 0)
		message_put("%s: spans without a reliable duration: %s; --list -e "
		    "state,matched,gap,group,key lists them", run_name(s), buf_str(&text));
	buf_release(&text);
}

static void
tell(struct run *s, struct spans *spans, const struct pass_result *result)
{
	run_take_result(s, result);
	run_tell_remark(s, spans_remark(spans));
	if (spans_found(spans) == 0)
		message_note("%s: no event starts or ends a span; `tnav types` lists what was "
		    "collected", run_name(s));
	tell_unsure(s, spans);
	run_tell_loss(s);
}

static int
print_spans(struct run *s, const struct field_list *by)
{
	bool			 sorted = s->opt->given[OPT_SORT] || s->opt->given[OPT_TOP];
	bool			 both = out_is_whole(s->st.format) && !sorted &&
				    !s->opt->given[OPT_BY_NAME];
	struct spans_options	 o = {
		.pass = run_pass_options(s), .by = by->n > 0 ? by->v : NULL,
	};
	struct spans_table_of	 of = {
		.list = both || s->opt->given[OPT_LIST],
		.names = both || !s->opt->given[OPT_LIST],
	};
	struct spans		*spans = spans_new(s->t);
	struct pass_result	 result;
	struct table		*t;
	int			 err;

	o.pass.tick = run_tick_pairing;
	o.sums_only = !of.list;
	err = spans_build(spans, &o, &result);
	progress_end(&s->progress);
	if (err == ERR_OK) {
		if (of.list && s->opt->given[OPT_TOP] && s->sort == TABLE_UNSORTED)
			of.longest = (size_t)s->opt->number[OPT_TOP];
		pick(s, &of, by->n > 0);
		t = spans_table(spans, &of);
		err = listing_print(s, t);
		table_free(t);
		tell(s, spans, &result);
	}
	spans_free(spans);
	return err;
}

int
spans_each(struct run *s)
{
	struct field_list	by;
	int			code = listing_check(s, spans_columns, SPANS_COLUMNS);

	if (code != 0)
		return code;
	if (s->opt->given[OPT_LIST] && s->opt->given[OPT_BY_NAME])
		return run_refuse(s, "spans: --list and --by-name cannot be combined");
	/* In sums, self and dur mean their totals. */
	if (!s->opt->given[OPT_LIST] && s->sort == SPANS_SELF)
		s->sort = SPANS_SELF_TOTAL;
	if (!s->opt->given[OPT_LIST] && s->sort == SPANS_DUR)
		s->sort = SPANS_TOTAL;
	code = read_by(s, &by);
	if (code == 0)
		code = exit_of_reading(print_spans(s, &by));
	field_list_release(&by);
	return code;
}
