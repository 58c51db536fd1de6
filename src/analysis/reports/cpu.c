/*
 * CPU samples by process and thread.
 *
 *	stacks of samples -> call tree -> cells by thread -> samples, and the method with the most
 */
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "analysis/reports/groups.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

struct thread_samples {
	uint64_t		 samples, top;
	struct frame_name	 leaf;		/* of top, if it is not 0 */
	uint64_t		 ip;
};

struct of_leaf {
	uint64_t		 samples;
};

enum { THREADS, LEAVES };	/* thread_samples by thread; of_leaf by thread and leaf */

struct cpu {
	uint64_t		 samples;
};

static void
add_cell(struct report_state *s, const struct calltree_cell *c)
{
	struct thread_samples	*t = groups_get(s->keyed[THREADS], c->thread, 0);
	struct of_leaf		*leaf;

	((struct cpu *)s->own)->samples += c->events;
	if (t == NULL)
		return;
	t->samples += c->events;
	if (!c->has_leaf)
		return;
	leaf = groups_get(s->keyed[LEAVES], c->thread,
	    c->leaf.raw.p != NULL ? (uintptr_t)c->leaf.raw.p : c->ip);
	if (leaf == NULL)
		return;
	leaf->samples += c->events;
	if (leaf->samples > t->top) {
		t->top = leaf->samples;
		t->leaf = c->leaf;
		t->ip = c->ip;
	}
}

/* ---- rows */

SORT_ORDER(by_samples, struct thread_samples, FALLING(samples))

static void
put_thread(struct report_state *s, struct rows *r, uint32_t thread, const struct thread_samples *t)
{
	const struct cpu	*c = s->own;
	const struct field_who	*who = report_who(s, thread);

	row_begin(r, "thread");
	row_put(r, CP_PROCESS_KEY, cell_u64(who != NULL && who->has_pid ? who->pid : UINT64_MAX));
	row_who(r, s, thread, &(struct who_columns){ CP_PROCESS, CP_PID, CP_THREAD });
	row_put(r, CP_TID, report_tid(s->run, thread));
	row_put(r, CP_SAMPLES, cell_u64(t->samples));
	row_share(r, CP_SHARE, (double)t->samples, (double)c->samples);
	row_filter_tid(r, s->run, thread, "provider = Universal.Events and name = cpu");
	if (t->top == 0) {
		row_null(r, CP_TOP);
		return;
	}
	row_frame_name(r, CP_TOP, &t->leaf, t->ip);
	row_put(r, CP_TOP_SAMPLES, cell_u64(t->top));
}

static void
cpu_rows(struct report_state *s, struct rows *r)
{
	const struct calltree	*tree = s->tree;
	const struct groups	*threads = s->keyed[THREADS];
	struct calltree_cell	 c;
	uint32_t		*order;

	for (size_t i = 0; i < calltree_cells(tree); i++) {
		calltree_cell(tree, i, &c);
		add_cell(s, &c);
	}
	order = groups_order(threads, by_samples);
	for (size_t i = 0; i < groups_n(threads); i++)
		put_thread(s, r, (uint32_t)groups_key(threads, order[i]).a,
		    groups_at(threads, order[i]));
	mem_free(order);
}

static void
put_count_of_all(struct report_state *s, struct rows *r)
{
	const struct cpu	*c = s->own;

	row_put(r, CP_COUNT, cell_u64(c->samples));
}

const struct report	report_cpu = {
	.title = "CPU samples",
	TABLES_OF(cpu, CP),
	.needs = NEEDS_SYMBOLS | NEEDS_WHO, .own = sizeof(struct cpu),
	.keyed = { { sizeof(struct thread_samples), LIMIT_REPORT_GROUPS },
	    { sizeof(struct of_leaf), LIMIT_REPORT_GROUPS } },
	.calls = "cpu", .rows = cpu_rows, .summed = put_count_of_all,
};
