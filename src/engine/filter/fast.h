/*
 * Terms that are decided without cells. Private to the engine.
 *
 *	size > 10KB	WAY_NUMBER	v - 10001 <= max - 10001, v from struct event
 *	tid = 4711	WAY_THREAD	once per thread
 *	Count > 5	WAY_PAYLOAD	a payload's field, numbers by the same bounds
 *	/text/		WAY_ROW		the row's text, from the first possible start of a match
 */
#ifndef ENGINE_FILTER_FAST_H
#define ENGINE_FILTER_FAST_H

#include "engine/field/programs.h"
#include "engine/filter/ast.h"

/* The whole numbers for which a comparison is true; signed ones in two's complement. */
struct whole {
	uint64_t	least, width;
	bool		none;
};

static inline bool
whole_holds(const struct whole *w, uint64_t v)
{
	return v - w->least <= w->width && !w->none;
}

enum term_way { WAY_CELL, WAY_NUMBER, WAY_THREAD, WAY_PAYLOAD, WAY_ROW };

struct fast_term {
	enum term_way	 way;
	enum field_raw	 raw;		/* NUMBER */
	bool		 negate;
	bool		 bounded;	/* whole numbers are decided by plain and sign */
	struct whole	 plain, sign;	/* for unsigned and signed; NUMBER: only plain */
	uint8_t		*thread;	/* THREAD: enum thread_verdict by thread */
	size_t		 nthread;
	struct field_programs programs;	/* PAYLOAD */
	uint32_t	*front;		/* ROW: 1 + regex_front() by type; 0: not known yet */
	size_t		 nfront;
};

/* The unsigned numbers for which the term is true; false: it can't be decided by bounds. */
bool	term_whole(const struct filter_term *term, struct whole *w);

enum thread_verdict { THREAD_UNKNOWN, THREAD_NO, THREAD_YES, THREAD_COSTLY };

/* threads: may it cache decisions by thread? */
void	fast_term_init(struct fast_term *f, const struct filter_term *term, struct trace *t,
	    bool threads);
void	fast_term_release(struct fast_term *f);
/* Compute the bounds again: they depend on the trace's clock, whose data may have changed. */
void	fast_term_refresh(struct fast_term *f, const struct filter_term *term, struct trace *t);
/* WAY_NUMBER: is the term true for the event? */
static inline bool
fast_number(const struct fast_term *f, const struct event *ev)
{
	uint64_t	v = 0;

	switch (f->raw) {
	case RAW_TIME: case RAW_TICKS:
		v = (uint64_t)ev->ts;
		break;
	case RAW_DUR:
		v = ev->dur;
		break;
	case RAW_CPU:
		if (ev->cpu < 0)
			return false;
		v = (uint64_t)ev->cpu;
		break;
	case RAW_SEQ:
		v = ev->seq;
		break;
	case RAW_SIZE:
		v = ev->size;
		break;
	case RAW_NONE:
		break;
	}
	return whole_holds(&f->plain, v) != f->negate;
}

/* WAY_PAYLOAD and bounded: is the term true for the value? 1 or 0; -1: not a whole number. */
static inline int
fast_value(const struct fast_term *f, enum value_kind kind, uint64_t u)
{
	if (kind == VK_UINT || kind == VK_BOOL)
		return whole_holds(&f->plain, u) != f->negate;
	if (kind == VK_INT)
		return whole_holds(&f->sign, u) != f->negate;
	return -1;
}

#endif
