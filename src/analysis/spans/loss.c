/*
 * Gaps by thread and of all threads, in the order of their begins.
 *
 *	from	10    30    40		ascending
 *	to	20    90    50
 *	most	20    90    90		of all up to here: the first that reaches beyond a time
 *	ends	20    50    90		sorted: how many end before a time
 *
 * Invariant: each question takes a few binary searches, whatever the number of gaps, but for the
 * last gap within an interval that begins somewhere, which nobody asks for.
 */
#include "analysis/spans/loss.h"

#include <string.h>

#include "tnav/base/array.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"
#include "tnav/engine/joined.h"
#include "tnav/model/json.h"

struct loss_entry {
	int64_t		from, to, most, ends;
	uint32_t	thread, gap;
};

struct loss_list {
	struct loss_entry	*v;
	size_t			 n;
};

struct span_losses {
	struct gap		*gap;
	size_t			 n;
	struct loss_list	 all, by;	/* by: one thread after the other */
};

SORT_ORDER(by_thread, struct loss_entry, RISING(thread) RISING(gap))

/* Those of one list, whose ends are sorted by themselves. */
static void
list_ready(struct loss_entry *v, size_t n)
{
	int64_t	*ends = mem_zalloc(n + 1, sizeof *ends);

	for (size_t i = 0; i < n; i++) {
		v[i].most = i > 0 && v[i - 1].most > v[i].to ? v[i - 1].most : v[i].to;
		if (i > 0 && v[i].from < v[i - 1].from)
			v[i].from = v[i - 1].from;
		ends[i] = v[i].to;
	}
	sort_array(ends, n, sizeof *ends, compare_i64);
	for (size_t i = 0; i < n; i++)
		v[i].ends = ends[i];
	mem_free(ends);
}

/* How many entries are of lower threads. */
static size_t
count_below(const struct span_losses *l, uint64_t thread)
{
	size_t	at = 0;

	BISECT(at, l->by.n, i, l->by.v[i].thread < thread);
	return at;
}

/* The entries of a thread begin at *from; how many they are. */
static size_t
thread_range(const struct span_losses *l, uint32_t thread, size_t *from)
{
	*from = count_below(l, thread);
	return count_below(l, (uint64_t)thread + 1) - *from;
}

struct span_losses *
losses_new(struct trace *t, uint32_t source)
{
	struct span_losses	*l = mem_zalloc(1, sizeof *l);

	l->n = l->all.n = l->by.n = trace_source_gaps(t, source, &l->gap);
	l->all.v = mem_zalloc(l->n + 1, sizeof *l->all.v);
	l->by.v = mem_zalloc(l->n + 1, sizeof *l->by.v);
	for (size_t i = 0; i < l->n; i++)
		l->all.v[i] = (struct loss_entry){ .from = trace_ns(t, l->gap[i].from),
		    .to = trace_ns(t, l->gap[i].to), .thread = l->gap[i].thread,
		    .gap = (uint32_t)i };
	if (l->n > 0)
		memcpy(l->by.v, l->all.v, l->n * sizeof *l->by.v);
	sort_array(l->by.v, l->n, sizeof *l->by.v, by_thread);
	list_ready(l->all.v, l->n);
	for (size_t i = 0, n; i < l->n; i += n) {
		n = 1;
		while (i + n < l->n && l->by.v[i + n].thread == l->by.v[i].thread)
			n++;
		list_ready(&l->by.v[i], n);
	}
	return l;
}

void
losses_free(struct span_losses *l)
{
	if (l == NULL)
		return;
	mem_free(l->gap);
	mem_free(l->all.v);
	mem_free(l->by.v);
	mem_free(l);
}

bool
losses_any(const struct span_losses *l)
{
	return l->n > 0;
}

/* What entries are searched by: it ascends in each list. */
enum loss_by { BY_FROM, BY_ENDS, BY_MOST };

static int64_t
value_of(const struct loss_entry *e, enum loss_by by)
{
	switch (by) {
	case BY_FROM:
		return e->from;
	case BY_ENDS:
		return e->ends;
	case BY_MOST:
		break;
	}
	return e->most;
}

/* How many entries are less than a time; too: or equal to it. */
static size_t
count_to(const struct loss_entry *v, size_t n, enum loss_by by, int64_t time, bool too)
{
	size_t	at = 0;

	BISECT(at, n, i, value_of(&v[i], by) < time || (too && value_of(&v[i], by) == time));
	return at;
}

uint64_t
losses_find(const struct span_losses *l, const struct loss_query *a, struct gap *out)
{
	const struct loss_entry	*v = l->all.v;
	size_t			 n = l->all.n, from = 0, begins, ends, at;

	if (a->thread != EVENT_NONE) {
		n = thread_range(l, a->thread, &from);
		v = l->by.v + from;
	}
	begins = a->has_to ? count_to(v, n, BY_FROM, a->to, false) : n;
	ends = a->has_from ? count_to(v, n, BY_ENDS, a->from, true) : 0;
	if (begins <= ends)
		return 0;
	at = a->has_from ? count_to(v, n, BY_MOST, a->from, true) : 0;
	if (a->last)
		at = begins - 1;
	*out = l->gap[v[at].gap];
	return begins - ends;
}

void
gap_json(struct buf *out, struct trace *t, const struct gap *g, struct cell tid,
    uint64_t candidates)
{
	json_open(out, '{');
	json_key(out, "tid");
	cell_json(out, &tid);
	json_key_u64(out, "lost", g->lost);
	json_key_i64(out, "from", trace_ns(t, g->from));
	json_key_i64(out, "to", trace_ns(t, g->to));
	json_key_u64(out, "candidates", candidates);
	json_close(out, '}');
}
