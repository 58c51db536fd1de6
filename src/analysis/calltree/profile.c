/*
 * The samples of a tree, given to an encoder.
 *
 *	samples		in time order, of all threads, linked by thread first
 *	thread 7	12 at 1.2 ms -> 12 at 2.3 ms -> 15 at 90 ms		next
 *	by time		1.1 ms           1.3 ms, then a pause: at most PROFILE_LONGEST times the
 *			usual distance, and never over a loss
 *
 * Memory follows the different stacks and threads; the samples are in a scratch file.
 */
#include "analysis/calltree/places.h"
#include "tnav/base/array.h"
#include "tnav/base/err.h"
#include "tnav/base/num.h"
#include "tnav/base/mem.h"
#include "tnav/base/sort.h"

#define NO_SAMPLE	UINT64_MAX

/* A thread, by its name: a name may be that of several incarnations. */
struct profiled {
	struct span	name;
	uint32_t	label;
	uint64_t	first, last, n;		/* samples */
};

/* When a thread lost events. */
struct lossy {
	uint32_t	label;
	int64_t		from, to;
};

struct profiling {
	const struct calltree	*c;
	bool			 by_time;
	const struct profile_ops *ops;
	void			*self;
	struct profile_totals	*totals;
	struct places		 places;
	struct profiled	*thread;	/* by label, then as they are given */
	size_t			 nthreads;
	struct lossy		*lossy;
	size_t			 nlossy;
	uint64_t		*sum;		/* by number of a stack */
	bool			*used;		/* likewise: by any thread */
	uint32_t		*node;		/* likewise: of the trie */
	uint32_t		*path;		/* scratch: frames of a stack */
};

static struct tree_sample *
sample_at(const struct profiling *p, uint64_t i)
{
	return scratch_at(p->c->samples, i);
}

/* The number of the sample's stack in the order of names; 0: none. */
static uint32_t
stack_of(const struct profiling *p, const struct tree_sample *s)
{
	return p->places.v[p->places.node[s->stack]].number;
}

/* ---- before the samples */

/* The label of each thread's name; of the last one for threads that are not known. */
static uint32_t *
label_threads(struct profiling *p)
{
	uint32_t	 n = trace_threads(p->c->t);
	uint32_t	*label = mem_zalloc((size_t)n + 1, sizeof *label);

	for (uint32_t i = 0; i <= n; i++)
		label[i] = labels_thread(&p->places.labels, p->c->t, i < n ? i : EVENT_NONE, true);
	return label;
}

static void
link_samples(struct profiling *p, const uint32_t *label)
{
	uint32_t	threads = trace_threads(p->c->t);
	uint64_t	n = scratch_n(p->c->samples);

	p->nthreads = p->places.labels.n;
	p->thread = mem_zalloc(p->nthreads + 1, sizeof *p->thread);
	for (uint64_t i = 0; i < n; i++) {
		struct tree_sample	*s = sample_at(p, i);
		uint32_t		 at = label[s->thread < threads ? s->thread : threads];
		struct profiled	*of = &p->thread[at];

		s->next = NO_SAMPLE;
		if (of->n++ == 0)
			of->first = i;
		else
			sample_at(p, of->last)->next = i;
		of->last = i;
	}
}

SORT_ORDER(by_name, struct profiled, COMPARED(spans_compare, name))

SORT_ORDER(by_samples, struct profiled, FALLING(n) COMPARED(spans_compare, name))

/* Keep the threads that have samples, in the encoder's order. */
static void
order_threads(struct profiling *p)
{
	size_t	n = 0;

	for (uint32_t i = 0; i < p->nthreads; i++) {
		if (p->thread[i].n == 0)
			continue;
		p->thread[n] = p->thread[i];
		p->thread[n].label = i;
		p->thread[n++].name = p->places.labels.v[i].text;
	}
	p->nthreads = n;
	sort_array(p->thread, n, sizeof *p->thread, p->ops->in_time ? by_samples : by_name);
}

SORT_ORDER(by_label, struct lossy, RISING(label) RISING(from))

static void
find_losses(struct profiling *p, const uint32_t *label)
{
	struct gap	*g;
	size_t		 n = trace_gaps(p->c->t, &g);
	uint32_t	 threads = trace_threads(p->c->t);

	p->lossy = mem_zalloc(n + 1, sizeof *p->lossy);
	for (size_t i = 0; i < n; i++)
		if (g[i].thread < threads)
			p->lossy[p->nlossy++] = (struct lossy){ label[g[i].thread], g[i].from,
			    g[i].to };
	mem_free(g);
	sort_array(p->lossy, p->nlossy, sizeof *p->lossy, by_label);
}

static uint64_t
distance(const struct profiling *p, int64_t from, int64_t to)
{
	return to > from ? (uint64_t)trace_dur(p->c->t, from, to) : 0;
}

/* ---- the usual distance of samples */

#define STEPS		32u		/* of an octave: a median is exact to 3 percent */
#define OCTAVES		64u

/* 0 1 ... 31 | 32 33 ... 63 | 64 66 ... */
static unsigned
step_of(uint64_t v)
{
	unsigned	octave;

	if (v < STEPS)
		return (unsigned)v;
	octave = 63 - (unsigned)__builtin_clzll(v);
	return (octave - 4) * STEPS + (unsigned)(v >> (octave - 5)) - STEPS;
}

static uint64_t
step_from(unsigned step)
{
	unsigned	octave = step / STEPS;

	return octave == 0 ? step : (uint64_t)(STEPS + step % STEPS) << (octave - 1);
}

/* The median of all distances of two samples of a thread. */
static uint64_t
usual_distance(const struct profiling *p)
{
	uint64_t	*n = mem_zalloc(STEPS * OCTAVES, sizeof *n), all = 0, seen = 0;
	unsigned	 step = 0;

	for (size_t i = 0; i < p->nthreads; i++) {
		struct tree_sample	*s = sample_at(p, p->thread[i].first);

		for (; s->next != NO_SAMPLE; all++) {
			struct tree_sample	*next = sample_at(p, s->next);

			n[step_of(distance(p, s->ts, next->ts))]++;
			s = next;
		}
	}
	for (; step < STEPS * OCTAVES - 1; step++) {
		seen += n[step];
		if (seen * 2 >= all)
			break;
	}
	mem_free(n);
	return step_from(step);
}

/* ---- giving them */

struct weighing {
	uint64_t	longest;	/* ns */
	size_t		lossy;		/* the first loss that may lie behind */
};

/* The ns that a sample weighs, until the next one of its thread; *pause: the rest. */
static uint64_t
time_of(const struct profiling *p, struct weighing *w, uint32_t label,
    const struct tree_sample *s, uint64_t *pause)
{
	const struct tree_sample	*next;
	const struct lossy		*l;
	uint64_t			 all, own;

	*pause = 0;
	if (s->next == NO_SAMPLE)
		return 0;
	next = sample_at(p, s->next);
	own = all = distance(p, s->ts, next->ts);
	for (; w->lossy < p->nlossy; w->lossy++) {
		l = &p->lossy[w->lossy];
		if (l->label > label || (l->label == label && l->to > s->ts))
			break;
	}
	l = &p->lossy[w->lossy];
	if (w->lossy < p->nlossy && l->label == label && l->from < next->ts)
		own = distance(p, s->ts, l->from);
	own = own < w->longest ? own : w->longest;
	*pause = all - own;
	return own;
}

/* Losses are by label, threads are not: find the thread's first one. */
static size_t
first_loss(const struct profiling *p, uint32_t label)
{
	size_t	at = 0;

	BISECT(at, p->nlossy, i, p->lossy[i].label < label);
	return at;
}

static int
give_sample(struct profiling *p, uint32_t stack, uint64_t weight)
{
	uint32_t	at = p->node[stack];
	size_t		n = p->places.v[at].depth;

	for (size_t i = n; i > 0; i--) {
		p->path[i - 1] = p->places.trie.v[at].key;
		at = p->places.trie.v[at].parent;
	}
	return p->ops->sample(p->self, p->path, n, (double)weight);
}

/* Give the sums of a thread's stacks. */
static int
give_sums(struct profiling *p, uint32_t *met, size_t n)
{
	int	err = ERR_OK;

	sort_array(met, n, sizeof *met, compare_u32);
	for (size_t i = 0; i < n; i++) {
		uint32_t	stack = met[i];

		if (err == ERR_OK)
			err = give_sample(p, stack, p->sum[stack]);
		p->sum[stack] = 0;
	}
	return err;
}

static int
give_one(struct profiling *p, uint32_t stack, uint64_t weight, uint64_t pause)
{
	int	err = weight > 0 ? give_sample(p, stack, weight) : ERR_OK;

	return err == ERR_OK && pause > 0 ? give_sample(p, 0, pause) : err;
}

static int
give_thread(struct profiling *p, const struct profiled *of, uint64_t longest,
    uint32_t *met)
{
	struct weighing		 w = { longest, first_loss(p, of->label) };
	struct tree_sample	*s = sample_at(p, of->first);
	struct profile_thread	 t = { of->name, trace_ns(p->c->t, s->ts) };
	int			 err = p->ops->thread(p->self, &t);
	size_t			 n = 0;

	for (uint64_t i = of->first; i != NO_SAMPLE && err == ERR_OK; i = s->next) {
		uint64_t	pause = 0, weight = 1;
		uint32_t	stack;

		s = sample_at(p, i);
		stack = stack_of(p, s);
		p->totals->stacks += !p->used[stack];
		p->used[stack] = true;
		if (p->by_time)
			weight = time_of(p, &w, of->label, s, &pause);
		if (p->ops->in_time) {
			err = give_one(p, stack, weight, pause);
			continue;
		}
		if (p->sum[stack] == 0 && weight > 0)
			met[n++] = stack;
		p->sum[stack] = add_u64(p->sum[stack], weight);
	}
	return err == ERR_OK ? give_sums(p, met, n) : err;
}

/* Find the node of each number, and the room that the deepest one needs. */
static void
number_nodes(struct profiling *p)
{
	uint32_t	deepest = 0;

	p->node = mem_zalloc(p->places.trie.n, sizeof *p->node);
	for (uint32_t i = 0; i < p->places.trie.n; i++) {
		p->node[p->places.v[i].number] = i;
		deepest = p->places.v[i].depth > deepest ? p->places.v[i].depth : deepest;
	}
	p->path = mem_zalloc((size_t)deepest + 1, sizeof *p->path);
}

static int
give(struct profiling *p)
{
	uint64_t		 n = scratch_n(p->c->samples);
	uint64_t		 longest = p->by_time ? usual_distance(p) : 0;
	uint32_t		*met = mem_zalloc(p->places.trie.n, sizeof *met);
	struct trace		*t = p->c->t;
	const struct trace_info	*info = trace_info(t);
	struct profile_head	 h = { .unit = p->by_time ? PROFILE_NS : PROFILE_NUMBER,
				    .has_utc = info->has_sync_utc,
				    .utc = info->sync_utc,
				    .frames = (uint32_t)p->places.labels.n };
	int			 err;

	if (n > 0) {
		h.first = trace_ns(t, sample_at(p, 0)->ts);
		h.last = trace_ns(t, sample_at(p, n - 1)->ts);
	}
	longest = longest < UINT64_MAX / PROFILE_LONGEST ? longest * PROFILE_LONGEST : UINT64_MAX;
	err = p->ops->begin(p->self, &h);
	if (err == ERR_OK)
		places_define(&p->places, p->ops, p->self);
	for (size_t i = 0; i < p->nthreads && err == ERR_OK; i++)
		err = give_thread(p, &p->thread[i], longest, met);
	if (err == ERR_OK && p->ops->end != NULL)
		err = p->ops->end(p->self);
	mem_free(met);
	return err;
}

int
calltree_profile(const struct calltree *c, bool by_time, const struct profile_ops *ops,
    void *self, struct profile_totals *totals)
{
	struct profiling	 p = { .c = c, .by_time = by_time, .ops = ops, .self = self,
				    .totals = totals };
	uint32_t		*label;
	int			 err;

	*totals = (struct profile_totals){ .samples = scratch_n(c->samples) };
	places_init(&p.places, c, NULL);
	label = label_threads(&p);
	link_samples(&p, label);
	find_losses(&p, label);
	order_threads(&p);
	number_nodes(&p);
	p.sum = mem_zalloc(p.places.trie.n, sizeof *p.sum);
	p.used = mem_zalloc(p.places.trie.n, sizeof *p.used);
	totals->threads = p.nthreads;
	err = give(&p);
	places_release(&p.places);
	mem_free(label);
	mem_free(p.thread);
	mem_free(p.lossy);
	mem_free(p.sum);
	mem_free(p.used);
	mem_free(p.node);
	mem_free(p.path);
	return err;
}

const char *
calltree_samples_remark(const struct calltree *c)
{
	return c->unkept > 0 ? scratch_error(c->samples) : NULL;
}
