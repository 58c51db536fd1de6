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
/* Wait until lock_wake(), the lock taken before and after; may wake for no reason. */
void		 lock_wait(struct lock *l);
/* The same, until a time of job_now_ns() at the latest: false if that has come. */
bool		 lock_wait_until(struct lock *l, int64_t ns);
void		 lock_wake(struct lock *l);	/* all waiters */

/* A thread that runs fn(arg) once. NULL if the machine gives none: the caller does the work. */
struct job;
struct job	*job_start(void (*fn)(void *arg), void *arg);
/*
 * The same for the nth of several jobs that are to run side by side at once: it begins on another
 * processor than the caller's. The system would find one, but some milliseconds later.
 */
struct job	*job_start_apart(unsigned n, void (*fn)(void *arg), void *arg);
void		 job_join(struct job *j);	/* waits for the end and frees; NULL is fine */

/*
 * The calling thread, and those that it starts from now on, give way to the other threads of the
 * process where there are too few processors. For work that nobody waits for at this moment.
 */
void		 job_give_way(void);

unsigned	 job_cpus(void);		/* that this process may run on, at least 1 */
int64_t		 job_now_ns(void);		/* monotonic */

#endif
