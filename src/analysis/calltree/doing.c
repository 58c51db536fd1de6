/*
 * What a thread does, by the frames of its stack.
 *
 *	frame -> what its method is -> place: what all methods up to here are -> doing
 *
 * Invariant: a place depends on the place of the caller and on its own frame alone.
 */
#include "analysis/calltree/doing.h"

#include <stddef.h>
#include <string.h>

/* More of what a method is. */
#define IS_IDLE		0x004u		/* a wait for work, or a thread of the runtime */
#define IS_WAIT		0x008u		/* waits for something */
#define IS_LOCK		0x010u
#define IS_THROW	0x020u
#define IS_FINALIZERS	0x040u		/* runs finalizers */
#define IS_STOP		0x080u
#define IS_AWAIT_MAIN	0x100u		/* the main thread waits for an async Main */
#define IS_FINALIZER	0x400u		/* is a finalizer, if nothing of the program is above */

static const struct method_kind {
	const char	*begin;		/* of the name */
	unsigned	 is;
} kinds[] = {
	{ "System.Threading.PortableThreadPool+WorkerThread.", METHOD_WORKER },
	{ "System.Threading.ThreadPoolWorkQueue.Dispatch", METHOD_WORKER },
	{ "System.Threading.PortableThreadPool+GateThread.", IS_IDLE },
	{ "System.Threading.PortableThreadPool+IOCompletionPoller.", IS_IDLE },
	{ "System.Threading.PortableThreadPool+WaitThread.", IS_IDLE },
	{ "System.Threading.LowLevelLifoSemaphore.", IS_IDLE },
	{ "System.Threading.LowLevelSpinWaiter.", IS_IDLE },
	{ "System.Threading.TimerQueue.TimerThread", IS_IDLE },
	{ "System.Diagnostics.Tracing.CounterGroup.", IS_IDLE },
	{ "System.Diagnostics.Metrics.AggregationManager.CollectWorker", IS_IDLE },
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
	{ "System.Threading.Tasks.Task.Run", METHOD_QUEUE },
	{ "System.Threading.Tasks.TaskFactory.StartNew", METHOD_QUEUE },
	{ "System.Threading.Tasks.TaskFactory`1.StartNew", METHOD_QUEUE },
	{ "System.Threading.ThreadPool.QueueUserWorkItem", METHOD_QUEUE },
	{ "System.Threading.ThreadPool.UnsafeQueueUserWorkItem", METHOD_QUEUE },
	{ "System.Threading.ThreadPool.UnsafeQueueUserWorkItemInternal", METHOD_QUEUE },
};

static unsigned
kind_of(struct span name)
{
	unsigned	is = 0;

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (span_begins(name, kinds[i].begin))
			is |= kinds[i].is;
	return is;
}

bool
doing_waits(struct span name)
{
	return (kind_of(name) & (IS_IDLE | IS_WAIT | IS_LOCK | IS_AWAIT_MAIN)) != 0;
}

unsigned
doing_method(const struct folding *own, const struct folding_frame *f)
{
	struct span	name;
	unsigned	is = kind_of(f->raw);

	if (is == 0 && !span_begins(f->raw, "dynamicClass.") &&
	    memchr(f->raw.p, '(', f->raw.len) != NULL &&
	    folding_ask(own, f, &name) == FOLD_KEEP)
		is = METHOD_OWN;
	if (span_ends(f->raw, ".Finalize()"))
		is |= IS_FINALIZER;
	return is;
}

enum doing
doing_at(const struct doing_place *p, bool managed)
{
	if ((p->is & IS_THROW) != 0)
		return DOING_THROW;
	if ((p->is & IS_FINALIZERS) != 0)
		return p->below != FRAME_NO || p->own != FRAME_NO ? DOING_FINALIZE :
		    DOING_IDLE;
	if ((p->is & (IS_IDLE | IS_AWAIT_MAIN)) != 0 && (p->is & IS_LOCK) == 0 &&
	    ((p->is & METHOD_WORKER) == 0 || p->own == FRAME_NO))
		return DOING_IDLE;
	if ((p->is & IS_LOCK) != 0)
		return DOING_LOCK;
	if ((p->is & IS_WAIT) != 0)
		return (p->is & METHOD_WORKER) != 0 ? DOING_BLOCKED : DOING_OTHER;
	return managed || (p->is & IS_STOP) != 0 ? DOING_RUN : DOING_OTHER;
}

struct folding *
doing_rules(void)
{
	struct folding	*own = folding_new();

	(void)folding_add(own, "my-code", NULL);
	return own;
}

struct doing_place
doing_start(void)
{
	return (struct doing_place){ .own = FRAME_NO, .below = FRAME_NO };
}

void
doing_call(struct doing_place *p, uint32_t frame, unsigned is)
{
	unsigned	before = p->is;
	bool		outermost = p->own == FRAME_NO && before == 0;

	p->is |= is;
	if ((is & IS_FINALIZER) != 0 && outermost)
		p->is |= IS_FINALIZERS;	/* before .NET 10 the runtime calls them */
	if ((is & METHOD_OWN) != 0) {
		p->own = frame;
		p->below = FRAME_NO;
		p->is &= ~(unsigned)(IS_AWAIT_MAIN | METHOD_QUEUE | IS_WAIT);
	} else if (p->below == FRAME_NO && (p->own != FRAME_NO ||
	    (is & (IS_WAIT | IS_LOCK)) != 0 || (before & IS_FINALIZERS) != 0)) {
		p->below = frame;
	}
	if ((p->is & IS_STOP) != 0 && p->below == frame)
		p->below = FRAME_NO;
}
