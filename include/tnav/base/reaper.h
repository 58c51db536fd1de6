/*
 * What comes to its end behind the caller's back: threads that were told to stop, and what they
 * work on.
 *
 *	reaper_give(r, job_end, job);		its threads may still look at what job->asked says,
 *	reaper_give(r, mem_free, asked);	so that goes after it: ends follow each other
 */
#ifndef TNAV_BASE_REAPER_H
#define TNAV_BASE_REAPER_H

struct reaper;
struct reaper	*reaper_new(void);
/* Waits for everything that was given; NULL is fine. */
void		 reaper_free(struct reaper *r);
/*
 * Have another thread call end(arg), after the ends of all that was given before. It may wait for
 * threads, which were told to stop already: this call doesn't, unless LIMIT_RETIRED others have not
 * ended yet. Where the machine gives no thread the caller's own calls it.
 */
void		 reaper_give(struct reaper *r, void (*end)(void *arg), void *arg);
/* Wait until everything that was given has ended. */
void		 reaper_settle(struct reaper *r);

#endif
