/*
 * Threads and locks over POSIX threads.
 *
 * Invariant: a thread started here takes no signal but SIGBUS and SIGSEGV, which belong to the
 * thread that touched the memory; all others go to the main thread.
 */
#include "tnav/base/job.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "tnav/base/mem.h"

#define GIVE_WAY	5		/* nice value: about a third of the processor time */

struct lock {
	pthread_mutex_t	mutex;
	pthread_cond_t	cond;
	enum lock_level	level;
};

struct job {
	pthread_t	thread;
	void		(*fn)(void *arg);
	void		*arg;
	cpu_set_t	cpus;			/* the set to restore, if put */
	bool		put;
};

/* The calls checked here fail only if the program misuses them. */
static void
must(int rc)
{
	assert(rc == 0);
	(void)rc;
}

/* ---- the order of locks */

#ifdef LOCK_CHECK
static _Thread_local unsigned	taken[LOCK_LEVELS];	/* by this thread, of each level */

static void
note_taken(const struct lock *l)
{
	for (unsigned i = l->level + (l->level == LOCK_HOLD); i < LOCK_LEVELS; i++)
		assert(taken[i] == 0);
	taken[l->level]++;
}

static void
note_dropped(const struct lock *l)
{
	assert(taken[l->level] > 0);
	taken[l->level]--;
}
#else
static void
note_taken(const struct lock *l)
{
	(void)l;
}

static void
note_dropped(const struct lock *l)
{
	(void)l;
}
#endif

/* ---- locks */

struct lock *
lock_new(enum lock_level level)
{
	struct lock		*l = mem_zalloc(1, sizeof *l);
	pthread_mutexattr_t	 kind;
	pthread_condattr_t	 attr;

	l->level = level;
	must(pthread_mutexattr_init(&kind));
#ifdef __GLIBC__
	/* Locks are held for less time than it takes to sleep and to be woken. */
	must(pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_ADAPTIVE_NP));
#endif
	must(pthread_mutex_init(&l->mutex, &kind));
	must(pthread_mutexattr_destroy(&kind));
	must(pthread_condattr_init(&attr));
	must(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC));
	must(pthread_cond_init(&l->cond, &attr));
	must(pthread_condattr_destroy(&attr));
	return l;
}

void
lock_free(struct lock *l)
{
	if (l == NULL)
		return;
	must(pthread_cond_destroy(&l->cond));
	must(pthread_mutex_destroy(&l->mutex));
	mem_free(l);
}

void
lock_take(struct lock *l)
{
	note_taken(l);
	must(pthread_mutex_lock(&l->mutex));
}

void
lock_drop(struct lock *l)
{
	note_dropped(l);
	must(pthread_mutex_unlock(&l->mutex));
}

void
lock_wait(struct lock *l)
{
	must(pthread_cond_wait(&l->cond, &l->mutex));
}

bool
lock_wait_until(struct lock *l, int64_t ns)
{
	struct timespec	t = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };
	int		rc = pthread_cond_timedwait(&l->cond, &l->mutex, &t);

	must(rc == ETIMEDOUT ? 0 : rc);
	return rc == 0;
}

void
lock_wake(struct lock *l)
{
	must(pthread_cond_broadcast(&l->cond));
}

static void *
job_main(void *arg)
{
	struct job	*j = arg;

	if (j->put)		/* it has started there; from now on the system may move it */
		(void)pthread_setaffinity_np(pthread_self(), sizeof j->cpus, &j->cpus);
	j->fn(j->arg);
	return NULL;
}

/* Make the thread start on the nth of the other processors, if there are others. */
static void
put_apart(struct job *j, unsigned n, pthread_attr_t *attr)
{
	int		cpu = sched_getcpu();
	size_t		here = (size_t)cpu, at = here;
	unsigned	others;
	cpu_set_t	one;

	if (cpu < 0 || sched_getaffinity(0, sizeof j->cpus, &j->cpus) != 0 ||
	    CPU_COUNT(&j->cpus) < 2)
		return;
	others = (unsigned)CPU_COUNT(&j->cpus) - 1;
	for (n = n % others + 1; n > 0; n--)
		do
			at = (at + 1) % CPU_SETSIZE;
		while (at == here || !CPU_ISSET(at, &j->cpus));
	CPU_ZERO(&one);
	CPU_SET(at, &one);
	j->put = pthread_attr_setaffinity_np(attr, sizeof one, &one) == 0;
}

static bool
job_create(struct job *j, const pthread_attr_t *attr)
{
	sigset_t	 block, old;
	int		 rc;

	/* The new thread inherits the mask, so there is no moment at which it is wrong. */
	sigfillset(&block);
	sigdelset(&block, SIGBUS);
	sigdelset(&block, SIGSEGV);
	must(pthread_sigmask(SIG_SETMASK, &block, &old));
	rc = pthread_create(&j->thread, attr, job_main, j);
	must(pthread_sigmask(SIG_SETMASK, &old, NULL));
	return rc == 0;
}

struct job *
job_start(void (*fn)(void *arg), void *arg)
{
	struct job	*j = mem_zalloc(1, sizeof *j);

	j->fn = fn;
	j->arg = arg;
	if (job_create(j, NULL))
		return j;
	mem_free(j);
	return NULL;
}

struct job *
job_start_apart(unsigned n, void (*fn)(void *arg), void *arg)
{
	struct job	*j = mem_zalloc(1, sizeof *j);
	pthread_attr_t	 attr;
	bool		 ok;

	j->fn = fn;
	j->arg = arg;
	must(pthread_attr_init(&attr));
	put_apart(j, n, &attr);
	ok = job_create(j, &attr);
	must(pthread_attr_destroy(&attr));
	if (ok)
		return j;
	mem_free(j);
	return job_start(fn, arg);	/* where processors cannot be chosen */
}

void
job_join(struct job *j)
{
	if (j == NULL)
		return;
	must(pthread_join(j->thread, NULL));
	mem_free(j);
}

/* On Linux each thread has its own priority. Elsewhere this does nothing. */
void
job_give_way(void)
{
#ifdef SYS_gettid
	(void)setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), GIVE_WAY);
#endif
}

unsigned
job_cpus(void)
{
	cpu_set_t	set;
	int		n;

	/* This fails if the machine has more processors than the set has room for. */
	if (sched_getaffinity(0, sizeof set, &set) != 0)
		return 1;
	n = CPU_COUNT(&set);
	return n > 0 ? (unsigned)n : 1;
}

int64_t
job_now_ns(void)
{
	struct timespec	t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
