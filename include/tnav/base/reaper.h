/*
 * Ends and frees objects in the background: threads that were told to stop, and what they work on.
 *
 *	reaper_give(r, job_end, job);		its threads may still read job->asked,
 *	reaper_give(r, mem_free, asked);	which is therefore freed after it: the order is kept
 */
#ifndef TNAV_BASE_REAPER_H
#define TNAV_BASE_REAPER_H

struct reaper;
struct reaper	*reaper_new(void);
/* Waits until everything given has ended; NULL is fine. */
void		 reaper_free(struct reaper *r);
/*
 * Have another thread call end(arg) after everything given before has ended. end() may wait for
 * threads, which must have been told to stop. This call does not wait, unless LIMIT_RETIRED others
 * have not ended yet. If no thread can be started, the caller's thread calls end().
 */
void		 reaper_give(struct reaper *r, void (*end)(void *arg), void *arg);
/* Wait until everything given has ended. */
void		 reaper_settle(struct reaper *r);

#endif
