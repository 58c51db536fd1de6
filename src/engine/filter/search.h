/*
 * What a pattern over texts of an event needs, searched in the bytes before anything is formatted.
 * Private to the engine.
 *
 *	/time=out error/	of the literal the longest part without a separator, "error"
 *	type			can its names, enum words or numbers hold that? once a type
 *	numbers			if only these can: the event's, formatted without all else
 *	thread, labels		likewise
 *	payload			else it stands there, as UTF-8 or as UTF-16
 *
 * Invariant: where the answer is no, the pattern is not found in the text, and finding that out
 * takes no steps (regex_find()).
 */
#ifndef ENGINE_FILTER_SEARCH_H
#define ENGINE_FILTER_SEARCH_H

#include "engine/filter/ast.h"
#include "tnav/base/needle.h"

struct text_search;

/* One thread's; it borrows all of them. NULL: no term of the filter has such a pattern. */
struct text_search *text_search_new(const struct filter *f, struct trace *t,
		    struct field_reader *r);
void		    text_search_free(struct text_search *s);

/* Does the term have such a pattern? Of others nothing below may be asked. */
bool	text_search_has(const struct text_search *s, size_t term);
/* May the term hold for the event? */
bool	text_search_may(struct text_search *s, size_t term, const struct event *e);

/* The parts of it: may what the type, the thread, the event's labels say hold it? */
bool	text_in_type(struct text_search *s, size_t term, uint32_t type);
/* ... may the event, by that and by its values that are no texts? Those are formatted alone. */
bool	text_in_values(struct text_search *s, size_t term, const struct event *e);
bool	text_in_thread(struct text_search *s, size_t term, uint32_t thread);
bool	text_in_labels(struct text_search *s, size_t term, const struct event *e);
/* Any thread that the trace knows of by now; any list of a block of label lists? */
bool	text_in_threads(struct text_search *s, size_t term);
bool	text_in_label_block(const struct text_search *s, size_t term, struct span block);
/* Is it of the row's text, to which threads and labels belong? */
bool	text_of_row(const struct text_search *s, size_t term);
/* What is searched for in payloads, one of which must be there. */
const struct needle *text_needles(const struct text_search *s, size_t term, unsigned *n);

#endif
