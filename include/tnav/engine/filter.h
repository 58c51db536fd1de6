/*
 * The filter language (doc/filter.md): one parser and one evaluator for the list, the timeline,
 * search, colours, tallies and every subcommand.
 *
 *	provider ~ "Kestrel" and name = GC/Start and Depth >= 2
 *
 * A compiled filter is immutable; each thread evaluates through its own filter_eval, which keeps
 * the per-type decisions and scratch memory.
 */
#ifndef TNAV_ENGINE_FILTER_H
#define TNAV_ENGINE_FILTER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"
#include "tnav/model/cell.h"

struct filter;
struct filter_eval;

struct filter_error {
	size_t		 column;	/* 0-based byte of the expression */
	struct buf	 text;		/* one clean line, with near names if there are any */
	const size_t	*skip;		/* columns of names that may be unknown: their terms are
					   false; set by the caller */
	size_t		 nskip;
};

/*
 * Compile. t provides the names (types seen so far, their fields) by which a misspelt field is
 * reported; NULL: any name is accepted. strict: an unknown bare field is an error, else a warning
 * in err with the result ERR_OK (text empty when there is none). now_ns is the time of the
 * selection for +5s and -5s. On failure *out is NULL and the result ERR_USAGE or ERR_LIMIT.
 * err is zeroed at first.
 */
int	filter_new(struct filter **out, const char *text, size_t len, struct trace *t, bool strict,
	    int64_t now_ns, struct filter_error *err);
/* The same for an expression in the program, which has no errors. */
struct filter *filter_own(const char *text);
/* What f matches (NULL: everything) of one of several joined traces. It borrows f. */
struct filter *filter_of_source(const struct filter *f, uint32_t source);
void	filter_free(struct filter *f);
void	filter_error_release(struct filter_error *e);
/* The column to show: counted in characters, from 1. */
size_t	filter_error_column(const struct filter_error *e, const char *text);

struct filter_eval *filter_eval_new(const struct filter *f, struct trace *t);
void	filter_eval_free(struct filter_eval *e);
/* Does the event match? Payload and text are decoded only if a term needs them. */
bool	filter_match(struct filter_eval *e, const struct event *ev);
/* The same for an event whose row is known; filter_match() looks it up if the filter has `row`. */
bool	filter_match_row(struct filter_eval *e, const struct event *ev, uint64_t row);
/*
 * The same for many: keep those of ev[at[0]] ... ev[at[n - 1]] that match, and return how many are
 * left. row0: the row of ev[0], or ROW_UNKNOWN. If *stop becomes true, the rest is dropped; stop
 * may be NULL.
 */
uint32_t filter_match_some(struct filter_eval *e, const struct event *ev, uint32_t *at, uint32_t n,
    uint64_t row0, const atomic_bool *stop);
/*
 * Narrow the rows [*row0, *row1) to those that its terms on `row` allow. *row1 is never less than
 * *row0, which may be after the last row.
 */
void	filter_rows(const struct filter *f, uint64_t *row0, uint64_t *row1);
/* The derived facts that its hits depend on: NEEDS_..., or 0. f may be NULL. */
unsigned filter_needs(const struct filter *f, struct trace *t);
/* Does it need `row`, or a field that depends on the order of all events? f may be NULL. */
bool	filter_needs_rows(const struct filter *f);
/* Can an event be decided from that event alone, as it arrives, in a trace that has these HAS_...?
   Otherwise the reason is appended to why. */
bool	filter_is_immediate(const struct filter *f, unsigned has, struct buf *why);
/* Is it only a term for one activity or TraceId? */
bool	filter_is_activity(const struct filter *f);
/* 1: all events of this type match; 0: none does; -1: it depends on the event. */
int	filter_type_verdict(struct filter_eval *e, uint32_t type);
/* The number of events to decide between two reads of the clock; f may be NULL. */
uint32_t filter_batch(const struct filter *f);
/* Events for which a regular expression was too costly: they count as not matching. */
uint64_t filter_costly(const struct filter_eval *e);
/* Values of lists that were compared: few for each event, however long a list is. */
uint64_t filter_steps(const struct filter_eval *e);

/*
 * The same for rows that are no events: their fields are these columns. f must have been compiled
 * without a trace. cell() gets a cell of the current row, which is CELL_NONE at first. Returns 0,
 * or ERR_USAGE with the reason in why.
 */
struct filter_cells;
typedef void (*filter_cell_fn)(void *arg, uint32_t column, struct cell *out);
int	filter_cells_new(struct filter_cells **out, const struct filter *f,
	    const char *const *names, uint32_t n, struct buf *why);
void	filter_cells_free(struct filter_cells *e);	/* NULL is fine */
bool	filter_cells_match(struct filter_cells *e, filter_cell_fn cell, void *arg);

/*
 * Check the names of fields, with the same results, errors and warnings as in an expression. Fields
 * that can only be printed are accepted too.
 */
struct field_list;
int	filter_check_fields(struct trace *t, const struct field_list *l, bool strict,
	    struct filter_error *err);

/*
 * A time as the language writes it: 2.1s 1500ms, ISO, +5s -5s (from now_ns). Whole text.
 * Returns 0 or ERR_USAGE; *ns since the sync time.
 */
int	filter_parse_time(struct trace *t, const char *s, size_t len, int64_t now_ns, int64_t *ns);

/* ---- the syntax: expressions are written and split only here */

/*
 * Append the text in quotes: one line of printable UTF-8, which is read as the same bytes, whatever
 * they are. False: nothing is added, because it is too long for an expression.
 */
bool	filter_quote(struct buf *out, const char *text, size_t len);
/* Add a name: payload.Reason, or payload."odd name". */
void	filter_quote_name(struct buf *out, const char *prefix, const char *name, size_t len);
/* Append a pattern that searches the row's text: /a\/b/. */
void	filter_quote_pattern(struct buf *out, const char *pattern, size_t len);

/* Add "a and b", with brackets where they are needed. NULL and "" are left out. */
void	filter_join(struct buf *out, const char *const *exprs, size_t n);
/* Add "not a", with brackets where they are needed. */
void	filter_negate(struct buf *out, const char *expr);

struct filter_place {
	size_t		 begin, end;
};

/* The terms of an expression, separated by "and" at its top level. */
struct filter_terms {
	struct filter_place *v;
	size_t		 n, cap;
	bool		 alternatives;	/* "or" at the top level: one term, the whole */
	uint64_t	 steps;		/* steps of the parser */
};

/* False: the text is not an expression, and there is nothing to release. */
bool	filter_terms(struct filter_terms *out, const char *text, size_t len);
void	filter_terms_release(struct filter_terms *t);

/*
 * Suggestions for a pattern that no row contains: append " (near: A, B)" with names, words of
 * enumerations, and words of some rows from the given one on; or nothing.
 */
void	filter_near_text(struct buf *out, struct trace *t, const char *pattern, size_t len,
	    uint64_t row);

/* ---- the words: its fields are those of tnav/engine/field.h that have no FIELD_DUMP */

/* The precedence of an operator; a comparison is a term. */
enum filter_binds { BINDS_OR, BINDS_AND, BINDS_NOT, BINDS_COMPARE, BINDS_ALONE };

struct probe;

/* An operator: its name and help; the rest is private to the engine. */
struct filter_operator {
	const char		*name, *help;
	enum filter_binds	 binds;
	unsigned char		 operand, op, holds;
	bool			 negate;
	unsigned		 derived;	/* NEEDS_*, whatever its field needs */
	void			(*fits)(struct probe *p, struct span value);	/* by text */
};
const struct filter_operator *filter_operators(void);	/* name NULL at the end */

/* Receives a completion and a note or NULL. front: the text begins with the typed word. */
typedef void (*filter_offer_fn)(void *arg, const char *text, const char *note, bool front);
/*
 * Offer completions for the word at byte `at` of an unfinished expression: fields, values of the
 * field before it, words. Returns the byte where that word begins.
 */
size_t	filter_complete(struct trace *t, const char *s, size_t at, filter_offer_fn fn, void *arg);
/* Offer the fields that complete a name of len bytes. */
void	filter_complete_field(struct trace *t, const char *word, size_t len, filter_offer_fn fn,
	    void *arg);

#endif
