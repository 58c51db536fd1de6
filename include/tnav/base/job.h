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

struct lock;
struct lock	*lock_new(void);
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
