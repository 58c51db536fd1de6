/*
 * The table of threads. As a tree it has processes, and incarnations of thread ids.
 *
 *	row	process 4711	events 16,120	 its threads' sums		sum[0]
 *	row	  25		worker						st[0]
 *	row	    incarnation 1		lost 350			st[0], incarnation 1
 *
 * Invariant: st is sorted by source, then by process, with unknown processes last, then by index.
 */
#include <string.h>

#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/joined.h"
#include "tnav/engine/thread_names.h"

#define INCARNATIONS_SHOWN	1000u		/* per thread */
#define INCARNATION_ROWS	(1u << 16)	/* in all */
#define PROCESS		UINT32_MAX

struct thread_row {
	uint32_t	at;		/* index of st; of a process: sum; of an incarnation: inc */
	uint32_t	inc;		/* its number; 0: the thread itself; PROCESS */
	uint32_t	parent;		/* row + 1; 0: none */
};

struct process_row {
	struct thread_stat	 sum;
	const char		*name;	/* the smallest name of its threads */
	const char		*called;	/* from an event; or NULL */
};

struct incarnation_loss {
	uint64_t	lost, gaps;
};

struct threads {
	struct table		 table;
	struct trace		*t;
	struct threads_of	 of;
	struct thread_stat	*st;
	struct thread_names	*words;		/* by index of the thread */
	size_t			 n;
	struct process_row	*sum;
	size_t			 nsum, sum_cap;
	struct thread_row	*row;
	size_t			 row_cap;
	struct incarnation_loss	*inc;		/* of all threads with several, by row */
	size_t			 ninc, inc_cap;
	struct buf		 text, name;
};

/* ---- construction */

SORT_ORDER(by_process, struct thread_stat, RISING(source) FALLING(has_pid) RISING(pid)
    RISING(thread))

static bool
same_process(const struct thread_stat *a, const struct thread_stat *b)
{
	return a->source == b->source && a->has_pid == b->has_pid &&
	    (!a->has_pid || a->pid == b->pid);
}

static bool
touches(const struct threads *s, const struct gap *g)
{
	return g->to >= s->of.from && g->from < s->of.to;
}

/* Apply part and window. st is still sorted by index. */
static void
take_part(struct threads *s)
{
	size_t	kept = 0;

	for (size_t i = 0; i < s->n && s->of.part != NULL; i++)
		s->st[i].c = s->of.part[i];
	for (size_t i = 0; i < s->n && s->of.window; i++)
		s->st[i].lost = s->st[i].gaps = 0;
	for (size_t i = 0; i < s->of.ngaps && s->of.window; i++) {
		const struct gap	*g = &s->of.gaps[i];

		if (g->thread >= s->n || !touches(s, g))
			continue;
		s->st[g->thread].lost += g->lost;
		s->st[g->thread].gaps++;
	}
	if (!s->of.only_part)
		return;
	for (size_t i = 0; i < s->n; i++)
		if (s->st[i].c.events > 0)
			s->st[kept++] = s->st[i];
	s->n = kept;
}

static void
add_row(struct threads *s, struct thread_row r)
{
	ARRAY_ADD(s->row, s->table.nrows, s->row_cap, r);
}

static void
sum_up(struct process_row *p, const struct thread_stat *st)
{
	struct count		*c = &p->sum.c;
	const struct count	*of = &st->c;

	if (of->events > 0 && (c->events == 0 || of->first < c->first))
		c->first = of->first;
	if (of->events > 0 && (c->events == 0 || of->last > c->last))
		c->last = of->last;
	c->events += of->events;
	c->bytes += of->bytes;
	p->sum.lost += st->lost;
	p->sum.gaps += st->gaps;
	if (st->name != NULL && (p->name == NULL || strcmp(st->name, p->name) < 0))
		p->name = st->name;
}

static void
add_process(struct threads *s, const struct thread_stat *st)
{
	s->sum = mem_grow(s->sum, &s->sum_cap, s->nsum + 1, sizeof *s->sum);
	s->sum[s->nsum] = (struct process_row){ .sum = { .has_pid = st->has_pid, .pid = st->pid,
	    .source = st->source },
	    .called = s->words[st->thread].process };
	add_row(s, (struct thread_row){ .at = (uint32_t)s->nsum++, .inc = PROCESS });
}

static bool
several_processes(const struct threads *s)
{
	for (size_t i = 1; i < s->n; i++)
		if (s->st[i].source != s->st[0].source || (s->st[i].has_pid && s->st[0].has_pid &&
		    s->st[i].pid != s->st[0].pid))
			return true;
	return false;
}

static void
add_incarnation(struct threads *s, uint32_t number, uint32_t parent)
{
	s->inc = mem_grow(s->inc, &s->inc_cap, s->ninc + 1, sizeof *s->inc);
	s->inc[s->ninc] = (struct incarnation_loss){ 0, 0 };
	add_row(s, (struct thread_row){ .at = (uint32_t)s->ninc++, .inc = number,
	    .parent = parent });
}

/* Sum up the losses of each incarnation. */
static void
sum_lives(struct threads *s)
{
	uint32_t	 n = trace_threads(s->t);
	uint32_t	*first = mem_zalloc((size_t)n + 1, sizeof *first);	/* by thread */

	for (size_t i = 0; i < s->table.nrows; i++)
		if (s->row[i].inc == 1)
			first[s->st[s->row[s->row[i].parent - 1].at].thread] = (uint32_t)i;
	for (size_t i = 0; i < s->of.ngaps; i++) {
		const struct gap	*g = &s->of.gaps[i];
		size_t			 row = g->thread < n ? first[g->thread] : 0;

		if (row == 0 || g->incarnation == 0 || !touches(s, g))
			continue;
		row += g->incarnation - 1;
		if (row >= s->table.nrows || s->row[row].inc != g->incarnation)
			continue;
		s->inc[s->row[row].at].lost += g->lost;
		s->inc[s->row[row].at].gaps++;
	}
	mem_free(first);
}

static void
make_rows(struct threads *s)
{
	bool		processes = s->of.tree && several_processes(s);
	uint32_t	above = 0, own;

	for (size_t i = 0; i < s->n; i++) {
		const struct thread_stat	*st = &s->st[i];

		if (processes && (i == 0 || !same_process(st, st - 1))) {
			add_process(s, st);
			above = (uint32_t)s->table.nrows;
		}
		if (processes)
			sum_up(&s->sum[s->nsum - 1], st);
		add_row(s, (struct thread_row){ .at = (uint32_t)i, .parent = above });
		own = (uint32_t)s->table.nrows;
		for (uint32_t k = 1; s->of.tree && st->incarnations > 1 && k <= st->incarnations &&
		    k <= INCARNATIONS_SHOWN && s->ninc < INCARNATION_ROWS; k++)
			add_incarnation(s, k, own);
	}
	s->table.open_depth = processes;
}

/* ---- access */

/* The thread of a row that is not a process. */
static const struct thread_stat *
stat_of(const struct threads *s, const struct thread_row *r)
{
	return &s->st[r->inc > 0 ? s->row[r->parent - 1].at : r->at];
}

static size_t
threads_parent(void *src, size_t row)
{
	const struct threads	*s = src;

	return s->row[row].parent > 0 ? s->row[row].parent - 1 : TABLE_NO_ROW;
}

static uint64_t
threads_id(void *src, size_t row)
{
	const struct threads	*s = src;
	const struct thread_row	*r = &s->row[row];

	if (r->inc == PROCESS)
		return UINT64_MAX - (s->sum[r->at].sum.has_pid ? s->sum[r->at].sum.pid : 0) -
		    s->sum[r->at].sum.has_pid - ((uint64_t)s->sum[r->at].sum.source << 34);
	return (uint64_t)stat_of(s, r)->thread * (INCARNATIONS_SHOWN + 1) + r->inc;
}

/* Kernels write the greatest 32-bit number for an unknown id. */
static struct cell
system_id_cell(uint64_t id)
{
	struct cell	c = cell_u64(id);

	if (id == UINT32_MAX) {
		c.word = span_of("-");
		c.show |= SHOW_WORD;
	}
	return c;
}

static void
put_process(struct buf *out, const struct process_row *p)
{
	struct cell	c = system_id_cell(p->sum.pid);

	buf_puts(out, "process ");
	cell_text(out, &c, false);
	if (p->called != NULL)
		buf_printf(out, " %s", p->called);
}

static bool
threads_heading(void *src, size_t row, struct buf *out)
{
	const struct threads	*s = src;
	const struct thread_row	*r = &s->row[row];

	if (r->inc == 0)
		return false;
	if (r->inc != PROCESS)
		buf_printf(out, "incarnation %u", r->inc);
	else if (!s->sum[r->at].sum.has_pid)
		buf_puts(out, "no process");
	else
		put_process(out, &s->sum[r->at]);
	return true;
}

/* A cell of a column that is a sum over events and gaps. */
static struct cell
sum_cell(const struct threads *s, const struct thread_stat *st, unsigned col)
{
	double	all = (double)st->lost + (double)st->c.events;

	if (col >= THREADS_LOST && !trace_has(s->t, HAS_NUMBERS))
		return cell_unknown();
	switch (col) {
	case THREADS_EVENTS:
		return cell_u64(st->c.events);
	case THREADS_BYTES:
		return cell_bytes(st->c.bytes);
	case THREADS_FIRST:
		return stats_time(s->t, &st->c, st->c.first);
	case THREADS_LAST:
		return stats_time(s->t, &st->c, st->c.last);
	case THREADS_LOST:
		return cell_u64(st->lost);
	case THREADS_GAPS:
		return cell_u64(st->gaps);
	default:
		return (struct cell){ .kind = CELL_SHARE, .f = all > 0 ?
		    (double)st->lost / all : 0 };
	}
}

static struct cell
incarnation_cell(const struct threads *s, const struct thread_row *r, unsigned col)
{
	if (col >= THREADS_LOST && col <= THREADS_GAPS && !trace_has(s->t, HAS_NUMBERS))
		return cell_unknown();
	if (col == THREADS_LOST)
		return cell_u64(s->inc[r->at].lost);
	if (col == THREADS_GAPS)
		return cell_u64(s->inc[r->at].gaps);
	return cell_none();
}

static struct cell
process_cell(const struct threads *s, const struct process_row *p, unsigned col)
{
	struct cell	none = { .kind = CELL_NONE };

	if (col == THREADS_NAME)
		return cell_str(p->name);
	if (col == THREADS_TID || col == THREADS_PID)
		return p->sum.has_pid ? system_id_cell(p->sum.pid) : none;
	if (col == THREADS_PROCESS)
		return p->called != NULL ? cell_str(p->called) : none;
	if (col == THREADS_INDEX || col == THREADS_INCARNATIONS || col == THREADS_KEY_VALUES ||
	    col == THREADS_ACTIVITY || col == THREADS_ROLE || col == THREADS_DERIVED ||
	    col == THREADS_COMM)
		return none;
	return sum_cell(s, &p->sum, col);
}

static struct cell
tid_cell(struct threads *s, const struct thread_stat *st)
{
	struct cell	c = { .kind = CELL_NULL };

	if (st->has_tid)
		return system_id_cell(st->tid);
	buf_clear(&s->text);
	buf_putc(&s->text, '#');
	buf_u64(&s->text, st->has_index ? st->thread_index : st->thread);
	c.word = span_of_buf(&s->text);
	return c;
}

static struct cell
name_cell(struct threads *s, const struct thread_stat *st)
{
	const struct thread_names	*w = &s->words[st->thread];
	const char			*name = st->name != NULL ? st->name : w->name;
	struct cell			 c = cell_str(name);

	if (name == NULL && s->of.tree)
		name = w->label;
	if (!s->of.tree || (st->incarnations < 2 && (name == NULL || c.kind == CELL_TEXT)))
		return c;
	buf_clear(&s->name);
	buf_puts(&s->name, name != NULL ? name : "");
	if (st->incarnations > 1)
		buf_printf(&s->name, "%s(%u incarnations)", name != NULL ? " " : "",
		    st->incarnations);
	c.word = span_of_buf(&s->name);
	return c;
}

/* A derived role is displayed in brackets. */
static struct cell
role_cell(const struct thread_names *w)
{
	struct cell	c = cell_str(w->role);

	if (w->role == NULL)
		return (struct cell){ .kind = CELL_NONE };
	if (w->derived)
		c.word = (struct span){ (const uint8_t *)w->label, strlen(w->label) };
	return c;
}

static struct cell
key_values_cell(struct threads *s, const struct thread_stat *st)
{
	if (st->nkv == 0)
		return cell_none();
	buf_clear(&s->text);
	key_values_json(&s->text, st->kv, st->nkv);
	return cell_raw(s->text.p, s->text.len);
}

static struct cell
spark_cell(const struct threads *s, const struct thread_stat *st)
{
	struct cell	c = { .kind = CELL_SPARK };

	if (s->of.spark == NULL || !s->of.spark(s->of.arg, st->thread, &c.spark))
		c.kind = CELL_NONE;
	return c;
}

static struct cell
thread_cell(struct threads *s, const struct thread_stat *st, unsigned col)
{
	const struct thread_names	*w = &s->words[st->thread];

	switch (col) {
	case THREADS_PROCESS:
		return w->process != NULL ? cell_str(w->process) :
		    (struct cell){ .kind = CELL_NONE };
	case THREADS_ROLE:
		return role_cell(w);
	case THREADS_DERIVED:
		return w->role != NULL ? cell_bool(w->derived) :
		    (struct cell){ .kind = CELL_NONE };
	case THREADS_COMM:
		return w->comm != NULL ? cell_str(w->comm) : (struct cell){ .kind = CELL_NONE };
	case THREADS_TID:
		return tid_cell(s, st);
	case THREADS_PID:
		/* As in dump: 0 where V6 names no process. */
		return st->has_pid || st->has_index ? system_id_cell(st->pid) :
		    cell_null();
	case THREADS_INDEX:
		return st->has_index ? cell_u64(st->thread_index) :
		    cell_none();
	case THREADS_NAME:
		return name_cell(s, st);
	case THREADS_INCARNATIONS:
		return cell_u64(st->incarnations);
	case THREADS_KEY_VALUES:
		return key_values_cell(s, st);
	case THREADS_ACTIVITY:
		return spark_cell(s, st);
	default:
		return sum_cell(s, st, col);
	}
}

static void
threads_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct threads		*s = src;
	const struct thread_row	*r = &s->row[row];

	if (col == THREADS_FILE || col == THREADS_SOURCE)
		*out = source_cell(s->t, r->inc == PROCESS ? s->sum[r->at].sum.source :
		    stat_of(s, r)->source, col == THREADS_FILE);
	else if (r->inc == PROCESS)
		*out = process_cell(s, &s->sum[r->at], col);
	else if (r->inc > 0)
		*out = incarnation_cell(s, r, col);
	else
		*out = thread_cell(s, &s->st[r->at], col);
}

/* Does another process have a thread with this id? */
static bool
is_shared(const struct threads *s, const struct thread_stat *st)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->st[i].has_tid && s->st[i].tid == st->tid && s->st[i].pid != st->pid &&
		    s->st[i].source == st->source)
			return true;
	return false;
}

static bool
threads_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	const struct threads		*s = src;
	const struct thread_row		*r = &s->row[row];
	const struct thread_stat	*st = r->inc == PROCESS ? &s->sum[r->at].sum :
					    stat_of(s, r);
	bool				 process = r->inc == PROCESS;

	if (process ? !st->has_pid : !st->has_tid)
		return false;
	buf_puts(field, process ? "pid" : "tid");
	buf_u64(value, process ? st->pid : st->tid);
	return true;
}

static bool
threads_evidence(void *src, size_t row, struct table_evidence *out)
{
	const struct threads		*s = src;
	const struct thread_row		*r = &s->row[row];
	const struct thread_stat	*st = r->inc == PROCESS ? NULL : stat_of(s, r);
	struct buf			 field = { 0 }, value = { 0 };
	bool				 known;

	known = threads_key(src, row, &field, &value);
	if (known)
		buf_printf(&out->filter, "%s = %s", buf_str(&field), buf_str(&value));
	if (known && trace_sources(s->t) > 1)
		buf_printf(&out->filter, " and source = %u", st != NULL ? st->source :
		    s->sum[r->at].sum.source);
	if (known && st != NULL && st->has_pid && is_shared(s, st))
		buf_printf(&out->filter, " and pid = %llu", (unsigned long long)st->pid);
	buf_release(&field);
	buf_release(&value);
	out->kind = EVIDENCE_FILTER;
	out->alone = true;
	return known;
}

uint32_t
threads_table_thread(const struct table *t, size_t row)
{
	const struct threads	*s = t->src;

	if (row >= t->nrows || s->row[row].inc == PROCESS)
		return EVENT_NONE;
	return stat_of(s, &s->row[row])->thread;
}

static void
threads_release(void *src)
{
	struct threads	*s = src;

	mem_free(s->st);
	mem_free(s->words);
	mem_free(s->sum);
	mem_free(s->row);
	mem_free(s->inc);
	buf_release(&s->text);
	buf_release(&s->name);
	mem_free(s);
}

/* ---- columns without values */

#define BIT(col)	(UINT64_C(1) << (col))

static uint64_t
idle_columns(const struct threads *s)
{
	uint64_t	idle = s->of.spark == NULL ? BIT(THREADS_ACTIVITY) : 0;
	struct loss	loss;
	bool		named = false;

	trace_loss(s->t, &loss);
	if (loss.gaps == 0)
		idle |= BIT(THREADS_LOST) | BIT(THREADS_GAPS) | BIT(THREADS_SHARE);
	for (size_t i = 0; i < s->n && !named; i++) {
		const struct thread_names	*w = &s->words[s->st[i].thread];

		named = s->st[i].name != NULL || w->name != NULL || w->label != NULL ||
		    s->st[i].incarnations > 1;
	}
	return named ? idle : idle | BIT(THREADS_NAME);
}

/* Take names and roles from the trace's source. Columns without any are absent. */
static void
take_words(struct threads *s)
{
	uint64_t	absent = BIT(THREADS_PROCESS) | BIT(THREADS_ROLE) | BIT(THREADS_DERIVED) |
			    BIT(THREADS_COMM);

	s->words = mem_zalloc(s->n + 1, sizeof *s->words);
	for (size_t i = 0; i < s->n; i++) {
		trace_thread_names(s->t, (uint32_t)i, &s->words[i]);
		if (s->words[i].process != NULL)
			absent &= ~BIT(THREADS_PROCESS);
		if (s->words[i].role != NULL)
			absent &= ~(BIT(THREADS_ROLE) | BIT(THREADS_DERIVED));
		if (s->words[i].comm != NULL)
			absent &= ~BIT(THREADS_COMM);
	}
	s->table.absent |= absent;
}

struct table *
threads_table(struct trace *t, const struct threads_of *of)
{
	struct threads	*s = mem_zalloc(1, sizeof *s);

	s->t = t;
	s->of = *of;
	s->n = trace_thread_stats(t, &s->st);
	s->table = (struct table){ .column = threads_columns, .ncolumns = THREADS_COLUMNS,
	    .src = s, .cell = threads_cell, .parent = threads_parent, .id = threads_id,
	    .heading = threads_heading, .evidence = threads_evidence, .key = threads_key,
	    .release = threads_release, .empty = "no threads", .tie = THREADS_EVENTS + 1 };
	if (!trace_has(t, HAS_INDEXES))
		s->table.absent = BIT(THREADS_INDEX) | BIT(THREADS_KEY_VALUES);
	s->table.absent |= sources_absent(t, THREADS_FILE);
	take_words(s);
	take_part(s);
	s->table.idle = idle_columns(s);
	sort_array(s->st, s->n, sizeof *s->st, by_process);
	make_rows(s);
	if (s->ninc > 0)
		sum_lives(s);
	if (of->tree)
		s->table.sort = (s->table.idle & BIT(THREADS_LOST) ? THREADS_EVENTS :
		    THREADS_LOST) + 1;
	return &s->table;
}
