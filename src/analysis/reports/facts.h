/*
 * Facts: events of the kinds that a report asks for, with the fields that it asks for.
 *
 *	workers, any order	| facts | facts | facts |	fields read by compiled plans
 *	one thread, in order	add(fact) add(fact) ...		by rows
 *
 * Events of other types are not looked at; pieces of the trace without any are not decoded.
 */
#ifndef ANALYSIS_REPORTS_FACTS_H
#define ANALYSIS_REPORTS_FACTS_H

#include "tnav/analysis/report.h"
#include "tnav/model/event.h"
#include "tnav/model/value.h"

#define FACT_FIELDS	16u
#define FACT_BY_NAME	UINT32_MAX

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define RUNDOWN		"Microsoft-Windows-DotNETRuntimeRundown"

/* Events that a report reads. */
struct fact_def {
	unsigned	 kind;			/* the report's own number for it */
	const char	*provider;		/* NULL: any */
	uint32_t	 id;			/* or FACT_BY_NAME */
	const char	*event;			/* its name; FACT_BY_NAME goes by it */
	const char	*field[FACT_FIELDS + 1];/* paths of payload fields; NULL ends them */
	unsigned	 flags;
};
#define FACT_STACK	0x1u	/* its addresses are wanted */
#define FACT_ACTIVITY	0x2u	/* its activity and its related activity are wanted */

enum fact_value_kind {
	FACT_NONE,	/* it lacks the field, or the payload ends before it */
	FACT_UINT,	/* u; booleans, and FILETIME as it is */
	FACT_INT,	/* i */
	FACT_FLOAT,	/* f */
	FACT_TEXT,	/* text: UTF-8 */
	FACT_GUID,	/* text: 16 bytes */
};

struct fact_value {
	enum fact_value_kind	 kind;
	const struct field	*field;		/* for its map of words */
	union {
		uint64_t	 u;
		int64_t		 i;
		double		 f;
		struct span	 text;
	};
};

/* Valid during the call. */
struct fact {
	unsigned	 kind;
	bool		 chosen;	/* it lies in the window and the filter holds */
	uint64_t	 row;
	int64_t		 ns;		/* since the start of the trace */
	const struct event *ev;		/* thread, type, ts, off; the payload may be read, too */
	unsigned	 nfields;
	const struct fact_value *v;	/* in the order of fact_def.field */
	const uint64_t	*ips;		/* FACT_STACK: innermost first */
	size_t		 nips;
	const uint8_t	*activity, *related;	/* FACT_ACTIVITY: 16 bytes, or NULL */
};

/* The field as what it is asked for, or 0; a negative number is no uint. */
uint64_t	 fact_u64(const struct fact *f, unsigned i);
double		 fact_f64(const struct fact *f, unsigned i);
bool		 fact_has(const struct fact *f, unsigned i);
struct span	 fact_text(const struct fact *f, unsigned i);	/* len 0: none */
/* A number as a cell; null where it lacks it. */
struct cell	 fact_cell(const struct fact *f, unsigned i);
/* Append the word of a number by this map of the built-in table, else the number. */
void		 map_word(struct buf *out, const char *map, uint64_t v);

/* Who is given facts. */
struct fact_reader {
	const struct fact_def	*def;		/* ended by one without a provider and an event */
	bool			 pairs;		/* also those that are not chosen */
	void			(*add)(void *self, const struct fact *f);
	void			*self;
};
#define FACT_READERS	32u

/* Read the facts of a trace, for n readers in one pass. 0 or ERR_CANCELED. */
int		 facts_read(const struct report_run *run, const struct fact_reader *reader,
		    unsigned n, struct pass_result *result);
/* Does the type make facts? */
const struct fact_def *facts_match(const struct fact_def *def, const struct event_type *type);

/* How many events of the trace make facts. */
uint64_t	 facts_count(const struct fact_def *def, struct trace *t);

/* ---- what several reports ask */

/* "PROVIDER:KEYWORDS:LEVEL,...": what --providers takes; need may be NULL. */
void		 report_need_providers(const struct report_need *need, struct buf *out);
/* Can a session with these providers record such a trace with what is needed? */
bool		 report_need_session(const struct report_need *need, struct trace *t);
/* How to collect it, or why it can't be in such a trace, in a few words. */
void		 report_need_advice(const struct report_need *need, struct trace *t,
		    struct buf *out);

/* A thread's id, or null where it has none. */
struct cell	 report_tid(const struct report_run *run, uint32_t thread);
/*
 * The gap of a thread (EVENT_NONE: any) that meets the open interval of ns, the first or the last
 * of them, as a cell of the row at hand: {"tid":12,"lost":1,"from":5,"to":9,"candidates":1}. False,
 * and no cell: there is none.
 */
struct loss_asked;
bool		 report_gap(const struct report_run *run, struct rows *rows, unsigned col,
		    const struct loss_asked *asked);
/* First and last time of the events in the window, ns. False: there are none. */
bool		 report_times(const struct report_run *run, int64_t *first, int64_t *last);

#endif
