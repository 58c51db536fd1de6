/*
 * What threads did, by samples.
 *
 *	shape by thread, top-down	node = a frame below its parent
 *	place of a node	= place of its parent + what the frame's method is
 *	samples that end at the node -> doing, by its place
 *
 * Invariant: a node's place depends on its parent's place and its own label alone, and parents come
 * first, so that all nodes are seen once.
 */
#include "analysis/diagnoses/wall.h"

#include <string.h>

#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

/* What a method is. */
#define IS_OWN		0x001u		/* of the program */
#define IS_WORKER	0x002u		/* the loop of a pool thread */
#define IS_IDLE		0x004u		/* a wait for work, or a thread of the runtime */
#define IS_WAIT		0x008u		/* waits for something */
#define IS_LOCK		0x010u
#define IS_THROW	0x020u
#define IS_FINALIZERS	0x040u		/* runs finalizers */
#define IS_STOP		0x080u
#define IS_AWAIT_MAIN	0x100u		/* the main thread waits for an async Main */
#define IS_QUEUE	0x200u		/* queues a work item */
#define IS_FINALIZER	0x400u		/* is a finalizer, if nothing of the program is above */

static const struct method_kind {
	const char	*begin;		/* of the name */
	unsigned	 is;
} kinds[] = {
	{ "System.Threading.PortableThreadPool+WorkerThread.", IS_WORKER },
	{ "System.Threading.ThreadPoolWorkQueue.Dispatch", IS_WORKER },
	{ "System.Threading.PortableThreadPool+GateThread.", IS_IDLE },
	{ "System.Threading.PortableThreadPool+IOCompletionPoller.", IS_IDLE },
	{ "System.Threading.PortableThreadPool+WaitThread.", IS_IDLE },
	{ "System.Threading.LowLevelLifoSemaphore.", IS_IDLE },
	{ "System.Threading.LowLevelSpinWaiter.", IS_IDLE },
	{ "System.Threading.TimerQueue.TimerThread", IS_IDLE },
	{ "System.Diagnostics.Tracing.CounterGroup.", IS_IDLE },
	{ "System.Diagnostics.Tracing.EventPipeEventDispatcher.", IS_IDLE },
	{ "System.IO.FileSystemWatcher", IS_IDLE },
	{ "System.Net.Sockets.SocketAsyncEngine.EventLoop", IS_IDLE },
	{ "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.Infrastructure.Heartbeat.", IS_IDLE },
	{ "Microsoft.Extensions.Hosting.HostingAbstractionsHostExtensions.", IS_IDLE },
	{ "Microsoft.Extensions.Logging.Console.ConsoleLoggerProcessor.", IS_IDLE },
	{ "System.Threading.Thread.Join", IS_IDLE },
	{ "System.ConsolePal.", IS_IDLE },
	{ "System.Console.Read", IS_IDLE },
	{ "System.Runtime.CompilerServices.TaskAwaiter.HandleNonSuccess", IS_AWAIT_MAIN },
	{ "System.Runtime.CompilerServices.TaskAwaiter.GetResult", IS_AWAIT_MAIN },
	{ "System.Threading.Monitor.Wait", IS_WAIT },
	{ "System.Threading.Monitor.Enter", IS_LOCK },
	{ "System.Threading.Monitor.ReliableEnter", IS_LOCK },
	{ "System.Threading.Monitor.TryEnter", IS_LOCK },
	{ "System.Threading.Lock.Enter", IS_LOCK },
	{ "System.Threading.Lock.TryEnter", IS_LOCK },
	{ "System.Threading.ReaderWriterLockSlim.", IS_LOCK },
	{ "System.Threading.SpinLock.", IS_LOCK },
	{ "System.Threading.WaitHandle.", IS_WAIT },
	{ "System.Threading.ManualResetEventSlim.Wait", IS_WAIT },
	{ "System.Threading.SemaphoreSlim.Wait", IS_WAIT },
	{ "System.Threading.CountdownEvent.Wait", IS_WAIT },
	{ "System.Threading.Barrier.", IS_WAIT },
	{ "System.Threading.Condition.Wait", IS_WAIT },
	{ "System.Threading.Thread.Sleep", IS_WAIT },
	{ "System.Threading.Tasks.Task.InternalWait", IS_WAIT },
	{ "System.Threading.Tasks.Task.SpinThenBlockingWait", IS_WAIT },
	{ "System.Threading.Tasks.Task.Wait", IS_WAIT },
	{ "Interop+Sys.", IS_WAIT },
	{ "Interop+NetSecurityNative.", IS_WAIT },
	{ "System.Runtime.EH.", IS_THROW },
	{ "System.Runtime.ExceptionServices.InternalCalls.", IS_THROW },
	{ "System.Diagnostics.StackTrace.", IS_THROW },
	{ "System.GC.RunFinalizers", IS_FINALIZERS },
	{ "System.Threading.Thread.PollGC", IS_STOP },
	{ "System.Threading.Thread.<PollGC>", IS_STOP },
	{ "System.Threading.Tasks.Task.Run", IS_QUEUE },
	{ "System.Threading.Tasks.TaskFactory.StartNew", IS_QUEUE },
	{ "System.Threading.Tasks.TaskFactory`1.StartNew", IS_QUEUE },
	{ "System.Threading.ThreadPool.QueueUserWorkItem", IS_QUEUE },
	{ "System.Threading.ThreadPool.UnsafeQueueUserWorkItem", IS_QUEUE },
	{ "System.Threading.ThreadPool.UnsafeQueueUserWorkItemInternal", IS_QUEUE },
};

/* Where a node is. */
struct node_place {
	uint32_t	own;		/* label of the innermost own method */
	uint32_t	below;		/* of what it called; else of what waits, or finalizes */
	uint32_t	thread;		/* number in wall.thread */
	unsigned	is;		/* of all frames up to here */
};

static bool
begins(struct span text, const char *with)
{
	size_t	len = strlen(with);

	return text.len >= len && memcmp(text.p, with, len) == 0;
}

static bool
ends(struct span text, const char *with)
{
	size_t	len = strlen(with);

	return text.len >= len && memcmp(text.p + text.len - len, with, len) == 0;
}

static unsigned
kind_of(struct folding *own, const struct calltree_label *l)
{
	const struct folding_frame	frame = { .raw = l->text, .clean = l->clean,
					    .module = l->module, .method = true };
	struct span			name;
	unsigned			is = 0;

	if (l->kind != LABEL_FRAME)
		return 0;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (begins(l->text, kinds[i].begin))
			is |= kinds[i].is;
	if (is == 0 && !begins(l->text, "dynamicClass.") &&
	    memchr(l->text.p, '(', l->text.len) != NULL &&
	    folding_ask(own, &frame, &name) == FOLD_KEEP)
		is = IS_OWN;
	if (ends(l->text, ".Finalize()"))
		is |= IS_FINALIZER;
	return is;
}

static enum doing
doing_at(const struct node_place *p, bool managed)
{
	if ((p->is & IS_THROW) != 0)
		return DOING_THROW;
	if ((p->is & IS_FINALIZERS) != 0)
		return p->below != LABEL_NONE || p->own != LABEL_NONE ? DOING_FINALIZE :
		    DOING_IDLE;
	if ((p->is & (IS_IDLE | IS_AWAIT_MAIN)) != 0 && (p->is & IS_LOCK) == 0 &&
	    ((p->is & IS_WORKER) == 0 || p->own == LABEL_NONE))
		return DOING_IDLE;
	if ((p->is & IS_LOCK) != 0)
		return DOING_LOCK;
	if ((p->is & IS_WAIT) != 0)
		return (p->is & IS_WORKER) != 0 ? DOING_BLOCKED : DOING_OTHER;
	return managed || (p->is & IS_STOP) != 0 ? DOING_RUN : DOING_OTHER;
}

/* label: of the innermost method. */
static void
add_samples(struct wall *w, const struct node_place *p, uint32_t label, bool managed,
    double samples)
{
	enum doing	 doing = doing_at(p, managed);
	uint32_t	 below = p->own == LABEL_NONE && p->below == LABEL_NONE ? label : p->below;
	struct site	*s;

	if (samples <= 0)
		return;
	w->doing[doing] += samples;
	w->thread[p->thread].all += samples;
	w->thread[p->thread].doing[doing] += samples;
	if (doing == DOING_LOCK)
		w->thread[p->thread].lock_own = p->own;
	if ((p->is & IS_WORKER) != 0 && doing != DOING_IDLE)
		w->workers += samples;
	s = groups_get(w->sites, ((uint64_t)doing << 32) | p->own, below);
	if (s == NULL)
		return;
	if (s->samples == 0 || s->thread != p->thread)
		s->threads++;
	s->doing = doing;
	s->own = p->own;
	s->below = below;
	s->thread = p->thread;
	s->samples += samples;
}

static struct node_place
place_below(struct wall *w, const struct node_place *above, uint32_t label, unsigned is)
{
	struct node_place	p = *above;

	if (w->shape->label[label].kind == LABEL_THREAD) {
		w->thread = mem_grow(w->thread, &w->cap, w->nthreads + 1, sizeof *w->thread);
		w->thread[w->nthreads] = (struct wall_thread){ .label = label,
		    .lock_own = LABEL_NONE };
		return (struct node_place){ .own = LABEL_NONE, .below = LABEL_NONE,
		    .thread = (uint32_t)w->nthreads++ };
	}
	p.is |= is;
	if ((is & IS_FINALIZER) != 0 && above->is == 0 && above->own == LABEL_NONE)
		p.is |= IS_FINALIZERS;	/* before .NET 10 the runtime calls them */
	if ((is & IS_OWN) != 0) {
		p.own = label;
		p.below = LABEL_NONE;
		p.is &= ~(unsigned)(IS_AWAIT_MAIN | IS_QUEUE | IS_WAIT);
	} else if (p.below == LABEL_NONE && (p.own != LABEL_NONE ||
	    (is & (IS_WAIT | IS_LOCK)) != 0 || (above->is & IS_FINALIZERS) != 0)) {
		p.below = label;
	}
	if ((p.is & IS_STOP) != 0 && p.below == label)
		p.below = LABEL_NONE;
	return p;
}

/* The own method with most samples in methods that queue. */
static void
find_queuer(struct wall *w, const double *queued)
{
	double	most = 0;

	w->queuer = LABEL_NONE;
	for (uint32_t i = 0; i < w->shape->nlabels; i++) {
		if (queued[i] <= most)
			continue;
		most = queued[i];
		w->queuer = i;
	}
}

static void
add_nodes(struct wall *w, const unsigned *is)
{
	const struct calltree_shape	*s = w->shape;
	struct node_place			*place = mem_zalloc(s->n, sizeof *place);
	double				*queued = mem_zalloc(s->nlabels + 1, sizeof *queued);

	place[0] = (struct node_place){ .own = LABEL_NONE, .below = LABEL_NONE };
	for (uint32_t i = 1; i < s->n; i++) {
		const struct calltree_node	*n = &s->v[i];
		double				 external = calltree_part(s, i).excl;

		place[i] = place_below(w, &place[n->parent], n->label, is[n->label]);
		if (w->nthreads == 0)
			continue;
		if ((place[i].is & IS_QUEUE) != 0 && place[i].own != LABEL_NONE)
			queued[place[i].own] += n->excl;
		add_samples(w, &place[i], n->label, true, n->excl - external);
		add_samples(w, &place[i], n->label, false, external);
	}
	find_queuer(w, queued);
	mem_free(queued);
	mem_free(place);
}

void
wall_init(struct wall *w, const struct calltree *tree)
{
	const struct calltree_shape_options	 o = { .form = FORM_TOP_DOWN, .threads = true };
	struct folding				*own;
	unsigned				*is;

	*w = (struct wall){ .queuer = LABEL_NONE };
	w->sites = groups_new(sizeof(struct site), LIMIT_REPORT_GROUPS);
	if (tree == NULL || calltree_part_name(tree) == NULL)
		return;
	w->shape = calltree_shape_new(tree, &o);
	is = mem_zalloc(w->shape->nlabels + 1, sizeof *is);
	own = folding_new();
	(void)folding_add(own, "my-code", NULL);
	for (uint32_t i = 0; i < w->shape->nlabels; i++)
		is[i] = kind_of(own, &w->shape->label[i]);
	folding_free(own);
	add_nodes(w, is);
	mem_free(is);
	for (size_t i = 0; i < w->nthreads; i++)
		if (w->thread[i].all > w->rounds)
			w->rounds = w->thread[i].all;
}

void
wall_release(struct wall *w)
{
	groups_free(w->sites);
	calltree_shape_free(w->shape);
	mem_free(w->thread);
}

double
wall_threads(const struct wall *w, enum doing doing)
{
	return w->rounds > 0 ? w->doing[doing] / w->rounds : 0;
}

bool
wall_top(const struct wall *w, enum doing doing, struct site *out)
{
	out->samples = 0;
	for (size_t i = 0; i < groups_n(w->sites); i++) {
		const struct site	*s = groups_at(w->sites, i);

		if (s->doing == doing && s->samples > out->samples)
			*out = *s;
	}
	return out->samples > 0;
}

/* Where the last two names before the parameters begin: Task.Wait of System.Threading.Tasks. */
static struct span
brief_name(struct span name)
{
	size_t	end = 0, from = 0;
	int	depth = 0, dots = 0;

	while (end < name.len && name.p[end] != '(')
		end++;
	for (size_t i = end; i > 0 && dots < 2; i--) {
		char	c = (char)name.p[i - 1];

		depth += c == '>' || c == ']' ? 1 : c == '<' || c == '[' ? -1 : 0;
		if (c == '.' && depth == 0 && ++dots == 2)
			from = i;
	}
	return (struct span){ name.p + from, end - from };
}

void
wall_name(const struct wall *w, uint32_t label, bool brief, struct buf *out)
{
	struct span	name = w->shape->label[label].clean;

	buf_span(out, brief ? brief_name(name) : name);
}

void
wall_cause(const struct wall *w, const struct site *s, struct buf *out)
{
	if (s->below != LABEL_NONE)
		wall_name(w, s->below, true, out);
	if (s->below != LABEL_NONE && s->own != LABEL_NONE)
		buf_puts(out, ", called from ");
	if (s->own != LABEL_NONE)
		wall_name(w, s->own, false, out);
}
