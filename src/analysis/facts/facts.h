/*
 * Facts: the events that a report requests, with the fields that it requests.
 *
 *	workers, any order	| facts | facts | facts |	fields read by compiled plans
 *	one thread, in order	add(fact) add(fact) ...		by rows
 *	or by the workers	add(part, fact) ...		merge(part), one thread
 *
 * Events of other types are skipped. Pieces of the trace without facts are not decoded.
 */
#ifndef ANALYSIS_FACTS_FACTS_H
#define ANALYSIS_FACTS_FACTS_H

#include "analysis/facts/tables.h"
#include "tnav/analysis/report.h"
#include "tnav/model/event.h"
#include "tnav/model/value.h"

#define FACT_BY_NAME	UINT32_MAX

#define RUNTIME		"Microsoft-Windows-DotNETRuntime"
#define RUNDOWN		"Microsoft-Windows-DotNETRuntimeRundown"

struct fact;

/* A kind of event that is read. */
struct fact_def {
	unsigned	 kind;			/* the reader's own number for it */
	const char	*provider;		/* NULL: any */
	uint32_t	 id;			/* or FACT_BY_NAME */
	const char	*event;			/* its name; FACT_BY_NAME: matched by it */
	const char	*field[FACT_FIELDS + 1];/* paths of payload fields; NULL ends them */
	unsigned	 flags;
	/* For a report: what to do with it, the same for all of a kind; NULL: only count it. */
	void		(*add)(struct report_state *s, const struct fact *f);
};
#define FACT_STACK	0x1u	/* addresses of the stack are read */
#define FACT_ACTIVITY	0x2u	/* activity and related activity are read */
#define FACT_ARRAYS	0x4u	/* the fields after the first one are arrays of unsigned numbers */
#define FACT_EXTRA	0x8u	/* read where it is there; no reason for the report */

#define FACT_LIST_MOST	5u	/* numbers of an array that are kept: its first ones */

enum fact_value_kind {
	FACT_NONE,	/* the type lacks the field, or the payload ends before it */
	FACT_UINT,	/* u; also booleans, and FILETIME unconverted */
	FACT_INT,	/* i */
	FACT_FLOAT,	/* f */
	FACT_TEXT,	/* bytes: UTF-8; see fact_text() */
	FACT_GUID,	/* bytes: 16 */
	FACT_LIST,	/* bytes: numbers, see fact_list() */
};

struct fact_value {
	enum fact_value_kind	 kind;
	uint32_t		 len;		/* of bytes, which are in fact.bytes */
	union {
		uint64_t	 u;
		int64_t		 i;
		double		 f;
		uint64_t	 at;		/* where the bytes begin */
	};
};

/* Valid during the call only. */
struct fact {
	unsigned	 kind;
	bool		 chosen;	/* it lies in the window and matches the filter */
	uint64_t	 row;
	int64_t		 ns;		/* since the start of the trace */
	const struct event *ev;		/* thread, type, ts, off; its payload may be read, too */
	const struct field_who *who;	/* of the thread, if fact_parts.who; NULL: not known */
	unsigned	 nfields;
	const struct fact_value *v;	/* in the order of fact_def.field */
	const uint8_t	*bytes;		/* of its values, and of other facts */
	const uint64_t	*ips;		/* FACT_STACK: innermost first */
	size_t		 nips;
	const uint8_t	*activity, *related;	/* FACT_ACTIVITY: 16 bytes, or NULL */
};

/* The field as this type, or 0 if it has none. A negative number is not a uint. */
uint64_t	 fact_u64(const struct fact *f, unsigned i);
/* The bits of a signed or unsigned number. */
uint64_t	 fact_bits(const struct fact *f, unsigned i);
double		 fact_f64(const struct fact *f, unsigned i);
bool		 fact_has(const struct fact *f, unsigned i);
struct span	 fact_text(const struct fact *f, unsigned i);	/* len 0: none */
/* Copy the numbers of an array, and return how many there are. */
unsigned	 fact_list(const struct fact *f, unsigned i, uint64_t v[FACT_LIST_MOST]);
/* A number as a cell; null if the field is missing. */
struct cell	 fact_cell(const struct fact *f, unsigned i);

/* Receives facts. */
struct fact_reader {
	const struct fact_def	*def;		/* ended by an entry without provider and event */
	bool			 pairs;		/* also pass facts that are not chosen */
	void			(*add)(void *self, const struct fact *f);
	void			*self;
};
#define FACT_READERS	32u

/* Read the facts of a trace for n readers in one pass. Returns 0 or ERR_CANCELED. */
int		 facts_read(const struct report_run *run, const struct fact_reader *reader,
		    unsigned n, struct pass_result *result);

/*
 * Facts in any order, for results that do not depend on it: each piece of the trace has a part of
 * the result. A type has the first definition that matches it, which has no flags.
 */
struct fact_parts {
	const struct fact_def	*def;
	size_t			 size;				/* of a part */
	bool			 who;				/* facts have the thread's ids */
	void	(*begin)(void *part, void *arg);	/* the part is all zeros; any thread */
	/* Is the event of no use? Then none of its fields is read. Likewise; or NULL. */
	bool	(*skips)(void *part, unsigned kind, const struct event *e);
	void	(*add)(void *part, const struct fact *f);	/* likewise: kind, fields, ev */
	void	(*merge)(void *arg, void *part);	/* in the order of the file; one thread */
	void	(*release)(void *part);			/* what the part owns; any thread */
};

/* o: workers and tick; all events are read. Returns 0, or ERR_CANCELED: then not all parts were
   merged. */
int		 facts_parts(struct trace *t, const struct fact_parts *parts, void *arg,
		    const struct pass_options *o);

/* Read one event as a fact; nothing if no definition matches it, and without what flags say. */
void		 facts_event(struct trace *t, const struct fact_def *def, const struct event *e,
		    void (*add)(void *self, const struct fact *f), void *self);

/* The definition that matches the type, or NULL. */
const struct fact_def *facts_match(const struct fact_def *def, const struct event_type *type);

/* Append an expression that all of these events match, and few others. */
void		 facts_terms(const struct fact_def *def, struct buf *out);
/* The number of events that become facts, without those that are extra. */
uint64_t	 facts_count(const struct fact_def *def, struct trace *t);
/* The provider of all events of these types, and their least level; NULL: of several, or none. */
const char	*facts_provider(const struct fact_def *def, struct trace *t, uint8_t *level);

#endif
