/*
 * The pass that fills a tree.
 *
 *	worker	event -> weighs? -> stack -> cell	counts of a piece
 *	merge	cell's stack -> node of the tree	in the order of pieces; stacks that the
 *							worker has met before are known already
 *
 *	TIME	piece	thread 7: first 10, 12, last 15	10 weighs 2, 12 weighs 3
 *		merge	last of 7 was 4			it weighs 6
 *
 * Invariant: the result depends only on the pieces, so the tree is the same for any number of
 * workers, even where limits are reached.
 */
#include "analysis/calltree/private.h"
#include "tnav/base/hash.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

/*
 * A cache: the cell of events of a stack's number and a thread. It is used where every event weighs
 * 1 and none is a part. Most traces have few such pairs at a time, and a thread belongs to one
 * process.
 */
#define PAIRS		2048u		/* slots; a power of two */

struct stack_thread {
	uint32_t	number, thread, scope, cell;
	int64_t		from, to;
};

/* A thread's samples in a piece. */
struct ends {
	uint32_t	thread;
	uint32_t	cell;		/* of the last sample; CELL_NO: the filter rejects it */
	int64_t		first, last;
};

struct worker {
	struct calltree		*c;
	struct stacks		*stacks;
	const struct stack_scope *scope;	/* the current scope of stacks */
	struct weigher		 weigher;
	struct filter_eval	*eval;		/* or NULL */
	uint64_t		 costly_counted;	/* costly events of eval, so far */
	struct weight_cells	 cells;		/* of the piece */
	uint64_t		 stackless;
	struct ends		*ends;
	size_t			 nends, cap;
	struct hashtable	 by_thread;
	struct tree_sample	*sample;
	size_t			 nsamples, sample_cap;
	uint32_t		*node_cell;	/* merge: cell of the piece -> cell of the tree */
	size_t			 node_cell_cap;
	bool			 plain;		/* every event weighs 1 and is no part */
	struct stack_thread	 pair[PAIRS];	/* of the piece; scope 0: unused */
};

static struct worker *
worker_new(struct calltree *c)
{
	struct worker	*w = mem_zalloc(1, sizeof *w);

	w->c = c;
	w->stacks = stacks_new(c->t);
	w->scope = stacks_scope(w->stacks);
	weigher_init(&w->weigher, c->t, c->o.weight, c->by_ticks);
	if (c->o.filter != NULL && c->events != NULL)
		w->eval = filter_eval_new(c->o.filter, c->t);
	w->plain = c->o.weight->kind == WEIGH_COUNT && !c->o.parted && !c->o.samples &&
	    w->eval == NULL;
	return w;
}

void
worker_free(struct worker *w)
{
	stacks_free(w->stacks);
	weigher_release(&w->weigher);
	filter_eval_free(w->eval);
	cells_release(&w->cells);
	hashtable_release(&w->by_thread);
	mem_free(w->ends);
	mem_free(w->sample);
	mem_free(w->node_cell);
	mem_free(w);
}

static void *
piece_begin(void *arg)
{
	struct calltree	*c = arg;
	struct worker	*w = spares_take(c->idle);

	if (w == NULL)
		return worker_new(c);
	stacks_trim(w->stacks);
	return w;
}

/* Reset the worker for another piece. It keeps the stacks that it has met. */
static void
piece_free(void *state)
{
	struct worker	*w = state;

	cells_clear(&w->cells);
	if (w->plain)
		memset(w->pair, 0, sizeof w->pair);
	hashtable_clear(&w->by_thread);
	w->nends = w->nsamples = 0;
	w->stackless = 0;
	spares_give(w->c->idle, w);
}

/* ---- adding */

static struct ends *
ends_of(struct worker *w, uint32_t thread)
{
	uint64_t	hash = hash_u64(thread);

	HASHTABLE_EACH(&w->by_thread, hash, i)
		if (w->ends[*i].thread == thread)
			return &w->ends[*i];
	hashtable_add(&w->by_thread, hash, (uint32_t)w->nends);
	w->ends = mem_grow(w->ends, &w->cap, w->nends + 1, sizeof *w->ends);
	w->ends[w->nends] = (struct ends){ .thread = thread, .cell = CELL_NO };
	return &w->ends[w->nends++];
}

static double
dur_of(const struct calltree *c, int64_t from, int64_t to)
{
	return (double)trace_ns(c->t, to) - (double)trace_ns(c->t, from);
}

static void
add_end(struct worker *w, const struct event *e, uint32_t cell)
{
	size_t		 n = w->nends;
	struct ends	*of = ends_of(w, e->thread);

	if (n < w->nends)
		of->first = e->ts;
	else if (of->cell != CELL_NO)
		w->cells.v[of->cell].weight += dur_of(w->c, of->last, e->ts);
	of->cell = cell;
	of->last = e->ts;
}

enum side { SIDE_REST, SIDE_PART, SIDE_NEITHER };

static enum side
side_of(const struct calltree_options *o, const struct event *e, const struct weighed *x)
{
	if (!o->parted)
		return x->external ? SIDE_PART : SIDE_REST;
	if (e->ts >= o->part_from && e->ts < o->part_to)
		return SIDE_PART;
	if (o->against && (e->ts < o->against_from || e->ts >= o->against_to))
		return SIDE_NEITHER;
	return SIDE_REST;
}

static void
keep_sample(struct worker *w, const struct event *e, uint32_t stack)
{
	ARRAY_ADD(w->sample, w->nsamples, w->sample_cap, (struct tree_sample){
	    .ts = e->ts, .stack = stack, .thread = e->thread });
}

static void
add_event(struct worker *w, const struct event *e, uint64_t row)
{
	uint32_t	stack, cell = CELL_NO;
	struct weighed	x;
	enum side	side;

	if (!weigher_ask(&w->weigher, e, row, &x))
		return;
	side = side_of(&w->c->o, e, &x);
	if (side != SIDE_NEITHER && (w->eval == NULL || filter_match_row(w->eval, e, row))) {
		stack = stacks_of(w->stacks, e);
		cell = cells_get(&w->cells, stack, e->thread, side == SIDE_PART, CELL_NO);
		w->cells.v[cell].events++;
		w->cells.v[cell].weight += x.value;
		w->stackless += stack == 0;
		if (w->c->o.samples)
			keep_sample(w, e, stack);
	}
	if (w->c->o.weight->kind == WEIGH_TIME)
		add_end(w, e, cell);
}

/* Fill a cache entry for an event that it does not hold. */
static void
learn_pair(struct worker *w, const struct event *e, struct stack_thread *k)
{
	uint32_t	stack = stacks_of(w->stacks, e);

	*k = (struct stack_thread){ .number = e->stack, .thread = e->thread };
	if (stack != 0 && stack_scope_has(w->scope, e))
		k->scope = w->scope->now.number;
	stacks_times(w->stacks, &k->from, &k->to);
	k->cell = cells_get(&w->cells, stack, e->thread, false, CELL_NO);
	w->stackless += stack == 0;
}

static void
add_plain(struct worker *w, const struct event *e)
{
	struct stack_thread	*k = &w->pair[(stack_place(e) * 33 ^ e->thread * 5) % PAIRS];

	if (k->scope != w->scope->now.number || !stack_scope_has(w->scope, e) ||
	    k->number != e->stack || k->thread != e->thread || e->ts < k->from ||
	    e->ts >= k->to)
		learn_pair(w, e, k);
	w->cells.v[k->cell].events++;
}

static void
piece_add(void *state, const struct pass_batch *b)
{
	struct worker	*w = state;

	for (uint32_t i = 0; i < b->n && w->plain; i++)
		add_plain(w, &b->ev[b->at[i]]);
	for (uint32_t i = 0; i < b->n && !w->plain; i++)
		add_event(w, &b->ev[b->at[i]], pass_row(b, i));
}

/* ---- merging */

static void
weigh(struct calltree *c, uint32_t cell, double weight)
{
	c->cells.v[cell].weight += weight;
	c->weight += weight;
	c->part += c->cells.v[cell].part ? weight : 0;
}

static uint32_t
merge_cell(struct calltree *c, struct worker *w, const struct weight_cell *x)
{
	uint32_t	node = stacks_node(w->stacks, x->stack, c);
	uint32_t	cell = cells_get(&c->cells, node, x->thread, x->part, LIMIT_CALL_CELLS);

	if (cell == CELL_NO) {
		c->cut = true;
		/* The limit is exceeded by at most these two cells. */
		cell = cells_get(&c->cells, 0, THREAD_OTHERS, x->part, LIMIT_CALL_CELLS + 2);
	}
	c->cells.v[cell].events += x->events;
	c->events_n += x->events;
	weigh(c, cell, w->plain ? (double)x->events : x->weight);
	return cell;
}

static void
merge_end(struct calltree *c, const struct worker *w, const struct ends *of)
{
	if (of->thread >= c->nlast) {
		size_t	n = (size_t)of->thread + 1;

		c->last = mem_grow(c->last, &c->last_cap, n, sizeof *c->last);
		c->last_ts = mem_grow(c->last_ts, &c->ts_cap, n, sizeof *c->last_ts);
		while (c->nlast < n)
			c->last[c->nlast++] = CELL_NO;
	}
	if (c->last[of->thread] != CELL_NO)
		weigh(c, c->last[of->thread], dur_of(c, c->last_ts[of->thread], of->first));
	c->last[of->thread] = of->cell != CELL_NO ? w->node_cell[of->cell] : CELL_NO;
	c->last_ts[of->thread] = of->last;
}

static void
merge_samples(struct calltree *c, struct worker *w)
{
	for (size_t i = 0; i < w->nsamples; i++)
		w->sample[i].stack = stacks_node(w->stacks, w->sample[i].stack, c);
	c->unkept += w->nsamples - scratch_append(c->samples, w->sample, w->nsamples);
}

static int
piece_merge(void *arg, void *state)
{
	struct calltree	*c = arg;
	struct worker	*w = state;
	uint64_t	 costly = w->eval != NULL ? filter_costly(w->eval) : 0;

	w->node_cell = mem_grow(w->node_cell, &w->node_cell_cap, w->cells.n + 1,
	    sizeof *w->node_cell);
	for (size_t i = 0; i < w->cells.n; i++)
		w->node_cell[i] = merge_cell(c, w, &w->cells.v[i]);
	for (size_t i = 0; i < w->nends; i++)
		if (w->ends[i].thread != EVENT_NONE)
			merge_end(c, w, &w->ends[i]);
	if (c->samples != NULL)
		merge_samples(c, w);
	c->stackless += w->stackless;
	c->costly += costly - w->costly_counted;
	w->costly_counted = costly;
	c->cut = c->cut || c->nodes.full;
	return 0;
}

const struct pass_ops	calltree_ops = {
	.begin = piece_begin, .add = piece_add, .merge = piece_merge, .free = piece_free,
};
