/*
 * Fuzz target: a filter over events, both hostile.
 *
 *   size of the expression, 2 bytes | expression | a trace of any format
 *
 * Whatever the two are: an event matches or it doesn't, however it is asked for, alone or among
 * others; what a type alone
 * decides is true of its events; the opposite matches where the filter does not; and a query, which
 * decides on a thread of its own, finds the same rows.
 *
 * Corpus: tests/fuzz/corpus/filter_eval.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "fuzz_trace.h"
#include "tnav/base/buf.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/engine/query.h"
#include "tnav/engine/trace.h"

#define ROWS_MAX	512u
#define COSTLY_MAX	2u		/* events that use up the budget of a pattern */

static struct filter *
compile(struct trace *t, const struct buf *text)
{
	struct filter_error	 e = { 0 };
	struct filter		*f;

	(void)filter_new(&f, text->p, text->len, t, false, 0, &e);
	filter_error_release(&e);
	return f;
}

struct asked {
	struct filter		*f, *not_f;
	struct filter_eval	*eval, *not_eval;
	struct event		 ev[ROWS_MAX];
	bool			 hit[ROWS_MAX];
	uint64_t		 rows, hits;
};

static void
ask_event(struct asked *a, const struct event *ev, uint64_t row)
{
	uint64_t	costly = filter_costly(a->eval);
	int		verdict = filter_type_verdict(a->eval, ev->type);
	bool		hit = filter_match_row(a->eval, ev, row), other;

	check(filter_match(a->eval, ev) == hit);
	if (filter_costly(a->eval) == costly) {
		check(verdict < 0 || hit == verdict);
		costly = filter_costly(a->not_eval);
		other = filter_match_row(a->not_eval, ev, row);
		check(filter_costly(a->not_eval) > costly || other != hit);
	}
	a->hit[row] = hit;
	a->hits += hit;
}

static void
ask_some(struct trace *t, struct asked *a)
{
	struct filter_eval	*e = filter_eval_new(a->f, t);
	uint32_t		 at[ROWS_MAX], n, next = 0;

	for (uint32_t row = 0; row < a->rows; row++)
		at[row] = row;
	n = filter_match_some(e, a->ev, at, (uint32_t)a->rows, 0, NULL);
	check(n == a->hits);
	for (uint32_t row = 0; row < a->rows; row++)
		if (a->hit[row])
			check(at[next++] == row);
	filter_eval_free(e);
}

static void
ask_query(struct trace *t, struct asked *a, const struct buf *text)
{
	struct query	*q = query_new(t, compile(t, text), 0, a->rows, a->rows / 2);
	uint64_t	 set;

	check(query_step(q, INT64_MAX));
	check(query_hits(q) == a->hits);
	for (uint64_t row = 0; row < a->rows; row++) {
		while (query_hits_at(q, row, &set) == 0)
			query_wait(q, INT64_MAX);
		check((set & 1) == a->hit[row]);
	}
	query_free(q);
}

static void
ask_trace(struct trace *t, const struct buf *text)
{
	struct asked	*a = mem_zalloc(1, sizeof *a);
	struct buf	opposite = { 0 };
	bool		costly = false;

	a->f = compile(t, text);
	if (a->f == NULL) {
		mem_free(a);
		return;
	}
	buf_puts(&opposite, "not (");
	buf_add(&opposite, text->p, text->len);
	buf_puts(&opposite, " )");
	a->not_f = compile(t, &opposite);
	check(a->not_f != NULL || opposite.len > LIMIT_FILTER_LEN || strchr(text->p, '(') != NULL);
	a->eval = filter_eval_new(a->f, t);
	a->not_eval = filter_eval_new(a->not_f != NULL ? a->not_f : a->f, t);
	for (uint64_t rows = trace_rows(t); a->not_f != NULL && a->rows < rows; a->rows++) {
		struct event	ev;

		if (a->rows == ROWS_MAX || costly)
			break;
		check(trace_event(t, a->rows, &ev) == 1);
		a->ev[a->rows] = ev;
		ask_event(a, &ev, a->rows);
		costly = filter_costly(a->eval) > COSTLY_MAX;
	}
	if (!costly && a->not_f != NULL) {
		ask_some(t, a);
		ask_query(t, a, text);
	}
	filter_eval_free(a->eval);
	filter_eval_free(a->not_eval);
	filter_free(a->f);
	filter_free(a->not_f);
	mem_free(a);
	buf_release(&opposite);
}

int
LLVMFuzzerTestOneInput(const uint8_t *p, size_t len)
{
	struct trace		*t;
	struct buf		 text = { 0 };
	size_t			 n = len >= 2 ? (size_t)p[0] | (size_t)p[1] << 8 : 0;

	if (len < 2 || n > len - 2)
		return 0;
	buf_add(&text, p + 2, n);
	(void)buf_str(&text);
	t = fuzz_open((struct span){ p + 2 + n, len - 2 - n }, 1);
	if (t != NULL)
		ask_trace(t, &text);
	trace_close(t);
	buf_release(&text);
	return 0;
}
