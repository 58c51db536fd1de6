/*
 * Signs: what the doctor reads of events that no report reads, and where memory is allocated.
 *
 *	AllocationTick		bytes by type and method; those of large objects apart
 *	SuspendEE		how long it took to stop the threads, for any reason
 *	PinObjectAtGCTime	pinned objects by type
 *	FinalizersStart, -Stop	when the finalizer thread was busy
 *
 * A method is that of the program's own code, if the stack has one.
 */
#ifndef ANALYSIS_DIAGNOSES_SIGNS_H
#define ANALYSIS_DIAGNOSES_SIGNS_H

#include "analysis/facts/facts.h"
#include "analysis/reports/groups.h"
#include "analysis/texts.h"

/* A sum by up to two texts: type and method; the key's a and b, or TEXT_NONE. */
struct sign_sum {
	double		bytes;
	uint64_t	events;
	int64_t		first, last;	/* ns */
};

struct signs {
	const struct report_run	*run;
	struct texts		*texts;
	struct groups		*ticks, *large;	/* struct sign_sum by type and method */
	struct groups		*pinned;	/* by type */
	struct {
		bool		open;
		int64_t		first, since, restarted;
		uint64_t	n;
		int64_t		total, longest;
	} stopping;				/* of threads, ns */
	struct {
		bool		open;
		int64_t		since, busy;	/* ns */
		uint64_t	ended, objects;
	} finalizers;
	uint64_t		 ticks_n;
	double			 bytes, large_bytes;
};

void	signs_init(struct signs *s, const struct report_run *run);
void	signs_release(struct signs *s);
extern const struct fact_def	signs_facts[];
void	signs_add(void *signs, const struct fact *f);

/* The key with the greatest sum of bytes (or events, if no bytes), over the first or second member
   of the keys. False: there are none. total: of all. */
struct sign_top {
	struct group_key	key;
	struct sign_sum		sum;
	double			total;
};
bool	signs_top(const struct groups *g, struct sign_top *out);
/* The same, where sums of the same first member are added up; its second one is that of the largest
   part. */
bool	signs_top_type(const struct groups *g, struct sign_top *out);
/* Append "Byte[], allocated in Shop.Load()" or what of it is known. */
void	signs_cause(const struct signs *s, struct group_key key, const char *verb,
	    struct buf *out);

#endif
