/*
 * Searching an event's bytes for the literals of a pattern before any text is formatted. Private to
 * the engine.
 *
 *	/time=out error/	the longest part of the literal without a separator: "error"
 *	type			can it be in names, enum words or numbers? once per type
 *	numbers			if only these can have it: format and search the numbers alone
 *	thread, labels		can it be in these? once per thread, once per label list
 *	payload			otherwise it must be there, in UTF-8 or UTF-16
 *
 * Invariant: if the answer is no, the pattern has no match in the text, and regex_find() would have
 * taken no steps.
 */
#ifndef ENGINE_FILTER_SEARCH_H
#define ENGINE_FILTER_SEARCH_H

#include "engine/filter/ast.h"
#include "tnav/base/needle.h"

struct text_search;

/* For one thread; it borrows its arguments. NULL: no term of the filter has such a pattern. */
struct text_search *text_search_new(const struct filter *f, struct trace *t,
		    struct field_reader *r);
void		    text_search_free(struct text_search *s);

/* Does the term have such a pattern? The functions below are for such terms only. */
bool	text_search_has(const struct text_search *s, size_t term);
/* May the term be true for the event? */
bool	text_search_may(struct text_search *s, size_t term, const struct event *e);

/* May the literals be in the type, the thread, or the event's labels? */
bool	text_in_type(struct text_search *s, size_t term, uint32_t type);
/* May they be in the type, or in the event's values that are not texts? Formats only these. */
bool	text_in_values(struct text_search *s, size_t term, const struct event *e);
bool	text_in_thread(struct text_search *s, size_t term, uint32_t thread);
bool	text_in_labels(struct text_search *s, size_t term, const struct event *e);
/* May they be in any thread that the trace has now; in any list of a block of label lists? */
bool	text_in_threads(struct text_search *s, size_t term);
bool	text_in_label_block(const struct text_search *s, size_t term, struct span block);
/* Does the term search the row's text, which includes threads and labels? */
bool	text_of_row(const struct text_search *s, size_t term);
/* The literals to search for in payloads: one of them must be there. */
const struct needle *text_needles(const struct text_search *s, size_t term, unsigned *n);

#endif
