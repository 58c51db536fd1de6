/*
 * Threads, locks and the flags between them: the only module that includes <pthread.h>. Threads
 * made here block all signals but SIGBUS and SIGSEGV.
 */
#ifndef TNAV_BASE_JOB_H
#define TNAV_BASE_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The order of locks: a thread that has taken one takes only locks of levels below it in this list.
 * So no two threads can wait for each other. Of LOCK_HOLD, one thread may have several, in any
 * order: only the user's thread takes more than its own pass's, so no circle of waiting threads has
 * two of them. TSan does not know that, and reports the two orders. A sanitized build checks the
 * order of levels.
 */
enum lock_level {
	LOCK_HOLD,	/* results of a background pass, while they are read */
	LOCK_TASK,	/* what an owner and its thread share: tasks, background passes, queries,
			   whether joined traces are followed */
	LOCK_WORK,	/* what the workers of a pass share, and what they make */
	LOCK_VIEWS,	/* the cache of views */
	LOCK_TICKETS,	/* of the threads that build the index */
	LOCK_TRACE,	/* the index */
	LOCK_MAPPING,	/* of a source, while it is mapped anew */
	LOCK_FEED,	/* what a source grows by: spool, watch, session */
	LOCK_LEAF,	/* its owner calls nothing that takes another */
	LOCK_LEVELS,
};

struct lock;
struct lock	*lock_new(enum lock_level level);
void		 lock_free(struct lock *l);
void		 lock_take(struct lock *l);
void		 lock_drop(struct lock *l);
/* Wait until lock_wake(). The caller has the lock, before and after. It may wake for no reason. */
void		 lock_wait(struct lock *l);
/* The same, until job_now_ns() reaches ns at the latest: false if it has. */
bool		 lock_wait_until(struct lock *l, int64_t ns);
void		 lock_wake(struct lock *l);	/* all waiters */

/* Start a thread that runs fn(arg). NULL: no thread could be started; the caller does the work. */
struct job;
struct job	*job_start(void (*fn)(void *arg), void *arg);
/*
 * The same for the nth of several jobs that run in parallel: it starts on another processor than
 * the caller's. The system would move it there too, but some milliseconds later.
 */
struct job	*job_start_apart(unsigned n, void (*fn)(void *arg), void *arg);
void		 job_join(struct job *j);	/* waits for the end and frees; NULL is fine */

/*
 * Lower the priority of the calling thread and of those that it starts from now on, so that the
 * other threads of the process get the processors first. For work that nobody is waiting for.
 */
void		 job_give_way(void);

unsigned	 job_cpus(void);		/* processors of this process, at least 1 */
int64_t		 job_now_ns(void);		/* monotonic */

#endif
