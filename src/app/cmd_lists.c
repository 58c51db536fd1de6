/*
 * The subcommands that print one list of the trace: types, threads, gaps, check.
 *
 * Counts come from the index; only where a filter or a window of time asks for a part of the
 * events are they counted one by one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/run.h"
#include "app/walk.h"
#include "tnav/base/err.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/model/value.h"

/* Counts of a part of the events, by type or by thread. */
struct part {
	struct count	*count;
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
part_count(struct part *p, struct run *s, size_t n, bool by_thread)
{
	p->count = mem_zalloc(n, sizeof *p->count);
	p->n = n;
	p->by_thread = by_thread;
	for (size_t i = 0; i < n; i++)
		p->count[i].first = p->count[i].last = INFO_NO_TIME;
	return run_walk(s, part_event, p);
}

static void
put_count(struct run *s, struct cell *cells, const struct count *c)
{
	cells[0] = cell_u64(c->events);
	cells[1] = cell_u64(c->bytes);
	cells[2] = run_time_cell(s, c->events > 0 ? c->first : INFO_NO_TIME);
	cells[3] = run_time_cell(s, c->events > 0 ? c->last : INFO_NO_TIME);
}

/* ---- types */

const char *const types_columns[] = {
	"provider", "id", "version", "name", "event", "events", "bytes", "first", "last", "fields",
	NULL,
};

/* The fields of an object without a name stand for it, as in paths. */
static void
add_fields(struct buf *b, const struct field *fields, uint32_t n, bool json, unsigned depth)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct field	*f = &fields[i];

		if (f->kind == FK_PAD)
			continue;
		if (f->name[0] == '\0' && f->kind == FK_OBJECT && depth < LIMIT_NESTING) {
			add_fields(b, f->fields, f->nfields, json, depth + 1);
			continue;
		}
		if (b->len > (json ? 1 : 0))
			buf_putc(b, ',');
		if (json)
			json_text8(b, (struct span){ (const uint8_t *)f->name, strlen(f->name) });
		else
			buf_puts(b, f->name);
	}
}

/* Names of the fields: a list in JSON, words for people. */
static struct cell
fields_cell(struct buf *b, const struct event_type *ty, enum out_format format)
{
	buf_clear(b);
	if (format == OUT_JSONL)
		buf_putc(b, '[');
	add_fields(b, ty->fields, ty->nfields, format == OUT_JSONL, 0);
	if (format == OUT_JSONL)
		buf_putc(b, ']');
	return cell_raw(b->p, b->len);
}

static int
print_types(struct run *s, struct listing *l, const struct type_stat *st, size_t n,
    const struct part *part)
{
	const struct cell	none = { .kind = CELL_NONE };
	struct cell		c[10];
	struct buf		fields;
	int			err = 0;

	buf_init(&fields);
	for (size_t i = 0; i < n && err == 0; i++) {
		const struct event_type	*ty = trace_type(s->t, st[i].type);
		const struct count	*count = &st[i].c;

		if (part->count != NULL) {
			count = &part->count[st[i].type];
			if (count->events == 0)
				continue;
		}
		c[0] = cell_str(ty->provider);
		c[1] = trace_has(s->t, HAS_IDS) ? cell_u64(ty->id) : none;
		c[2] = trace_has(s->t, HAS_IDS) ? cell_u64(ty->version) : none;
		c[3] = cell_str(ty->name);
		c[4] = cell_str(ty->event);
		put_count(s, &c[5], count);
		c[9] = fields_cell(&fields, ty, s->st.format);
		err = listing_row(l, c);
	}
	buf_release(&fields);
	return err;
}

int
command_types(const struct options *o)
{
	struct run		 s;
	struct listing		 l;
	struct part		 part = { NULL, 0, false };
	struct type_stat	*st;
	size_t			 n;
	int			 code = run_open(&s, o), err = 0;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, types_columns, 10);
	if (code == 0) {
		n = trace_type_stats(s.t, &st);
		if (selection_is_part(&s.sel))
			err = part_count(&part, &s, trace_types(s.t), false);
		if (err >= 0)
			err = print_types(&s, &l, st, n, &part);
		code = exit_of_reading(err);
		(void)listing_close(&l);
		mem_free(part.count);
		mem_free(st);
	}
	return run_close(&s, code, false);
}

/* ---- threads */

const char *const threads_columns[] = {
	"tid", "pid", "threadIndex", "name", "events", "bytes", "first", "last", "lost", "gaps",
	"lives", "keyValues", NULL,
};

#define THREADS_COLUMNS	12u

/* By process; within one, as they came. Those of no known process are last. */
static int
by_process(const void *a, const void *b)
{
	const struct thread_stat	*x = a, *y = b;

	if (x->has_pid != y->has_pid)
		return x->has_pid ? -1 : 1;
	if (x->has_pid && x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

static struct cell
key_values_cell(struct buf *b, const struct thread_stat *st)
{
	if (st->nkv == 0)
		return (struct cell){ .kind = CELL_NONE };
	buf_clear(b);
	put_key_values(b, st->kv, st->nkv);
	return cell_raw(b->p, b->len);
}

static int
print_threads(struct run *s, struct listing *l, const struct thread_stat *st, size_t n,
    const struct part *part)
{
	const struct cell	null = { .kind = CELL_NULL }, none = { .kind = CELL_NONE };
	struct cell		c[THREADS_COLUMNS];
	struct buf		kv;
	int			err = 0;

	buf_init(&kv);
	for (size_t i = 0; i < n && err == 0; i++) {
		const struct count	*count = &st[i].c;

		if (part->count != NULL) {
			count = &part->count[st[i].thread];
			if (count->events == 0)
				continue;
		}
		c[0] = st[i].has_tid ? cell_u64(st[i].tid) : null;
		c[1] = st[i].has_pid ? cell_u64(st[i].pid) : null;
		c[2] = st[i].has_index ? cell_u64(st[i].thread_index) : none;
		c[3] = cell_str(st[i].name);
		put_count(s, &c[4], count);
		c[8] = cell_u64(st[i].lost);
		c[9] = cell_u64(st[i].gaps);
		c[10] = cell_u64(st[i].lives);
		c[11] = key_values_cell(&kv, &st[i]);
		err = listing_row(l, c);
	}
	buf_release(&kv);
	return err;
}

int
command_threads(const struct options *o)
{
	struct run		 s;
	struct listing		 l;
	struct part		 part = { NULL, 0, true };
	struct thread_stat	*st;
	size_t			 n;
	int			 code = run_open(&s, o), err = 0;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, threads_columns, THREADS_COLUMNS);
	if (code == 0) {
		n = trace_thread_stats(s.t, &st);
		qsort(st, n, sizeof *st, by_process);
		if (selection_is_part(&s.sel))
			err = part_count(&part, &s, trace_threads(s.t), true);
		if (err >= 0)
			err = print_threads(&s, &l, st, n, &part);
		code = exit_of_reading(err);
		(void)listing_close(&l);
		mem_free(part.count);
		mem_free(st);
	}
	return run_close(&s, code, false);
}

/* ---- gaps */

/* In the order of the rows that they stand at, which is that of time. */
static int
print_gaps(struct run *s, struct listing *l, struct event_out *x)
{
	struct gap		*all;
	struct placed_gap	*placed;
	size_t			 n = run_gaps(s, &all, &placed);
	struct cell		 c[GAP_COLUMNS];
	int			 err = 0;

	for (size_t i = 0; i < n && err == 0; i++) {
		event_out_gap_cells(x, &placed[i].line, c);
		err = listing_row(l, c);
	}
	mem_free(placed);
	mem_free(all);
	return err;
}

int
command_gaps(const struct options *o)
{
	struct event_out_options opt = { .rows = true };
	struct run		 s;
	struct listing		 l;
	struct event_out	*x;
	struct loss		 loss;
	int			 code = run_open(&s, o), err;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, gap_columns, GAP_COLUMNS);
	if (code != 0)
		return run_close(&s, code, false);
	x = event_out_new(s.t, &s.st, &opt);
	err = print_gaps(&s, &l, x);
	code = exit_of_reading(err);
	(void)listing_close(&l);
	event_out_free(x);
	trace_loss(s.t, &loss);
	if (loss.kept < loss.gaps)
		message_put("%s: %" PRIu64 " more gaps are counted but not listed",
		    run_name(o), loss.gaps - loss.kept);
	return run_close(&s, code, false);
}

/* ---- check */

const char *const check_columns[] = {
	"severity", "kind", "offset", "bytes", "count", "text", NULL,
};

static int
print_findings(struct run *s, struct listing *l)
{
	struct finding	*list;
	size_t		 n = diag_list(trace_diag(s->t), &list);
	struct cell	 c[6];
	int		 err = 0;

	for (size_t i = 0; i < n && err == 0; i++) {
		c[0] = cell_str(severity_name(list[i].severity));
		c[1] = cell_str(finding_kind_name(list[i].kind));
		c[2] = cell_u64(list[i].off);
		c[3] = cell_u64(list[i].bytes);
		c[4] = cell_u64(list[i].count);
		c[5] = cell_str(list[i].text);
		err = listing_row(l, c);
	}
	mem_free(list);
	return err;
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
command_check(const struct options *o)
{
	struct run	s;
	struct listing	l;
	int		code = run_open(&s, o), err;

	if (code != 0)
		return code;
	code = listing_open(&l, &s, check_columns, 6);
	if (code == 0) {
		err = print_findings(&s, &l);
		code = exit_of_reading(err);
		(void)listing_close(&l);
		if (s.st.format == OUT_TEXT && err >= 0)
			print_verdict(&s);
	}
	return run_close(&s, code, true);
}
