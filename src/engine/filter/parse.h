/*
 * The parser of the filter language. Private to the engine.
 */
#ifndef ENGINE_FILTER_PARSE_H
#define ENGINE_FILTER_PARSE_H

#include "engine/filter/ast.h"
#include "engine/filter/quote.h"
#include "engine/filter/vocabulary.h"

struct parser {
	const char		*s;		/* the expression and a NUL */
	size_t			 len, pos;
	struct filter		*f;
	struct trace		*t;
	int64_t			 now_ns;
	bool			 strict;
	unsigned		 depth;
	struct filter_error	*err;
	int			 result;	/* ERR_OK until the first error */
	struct filter_terms	*terms;		/* or NULL; set: only note the places of terms */
	struct path_fields	 vocab;		/* of the term's field, if it is a payload field */
	uint64_t		 steps;		/* bytes read, words tried, nodes linked */
};

/* ---- read.c */

#define BLANKS	" \t\r\n"

enum word_end {
	WORD_VALUE,	/* a blank, or a bracket that the word did not open */
	WORD_PATTERN,	/* the same */
	WORD_ITEM,	/* or a comma outside of brackets */
	WORD_BOUND,	/* or two points */
};

struct filter_operator;

void	read_blanks(struct parser *p);
bool	read_at_end(const struct parser *p);
char	read_peek(const struct parser *p);		/* NUL at the end */
bool	read_char(struct parser *p, char c);
/* Read the word w, in any case, as a separate word. */
bool	read_word(struct parser *p, const char *w);
/* Read the word w before a term. In capitals it may be a field of that name: NOT = 1. */
bool	read_first(struct parser *p, const char *w);
/* Read an operator that joins terms, a word or a sign (&&). */
bool	read_joint(struct parser *p, const struct filter_operator *o);
/* Is there a quoted text at pos? */
bool	read_at_quote(const struct parser *p);
/* Read the quoted text at pos; for want and where see quote_read(). */
bool	read_quoted(struct parser *p, struct buf *out, size_t want, size_t *where);
/* Read a value, quoted or bare. The literal owns the text. */
bool	read_literal(struct parser *p, struct filter_literal *l, enum word_end ends);

/* ---- term.c */

bool	term_read(struct parser *p, struct filter_term *term);

/* ---- parse.c */

/* Read all of s into f, which is empty. */
void	parse_expression(struct parser *p);

/* ---- error.c */

/* Note the first error and stop. Always false, so that a rule can do `return parse_fail()`. */
bool	parse_fail(struct parser *p, int err, size_t column, const char *fmt, ...)
	    __attribute__((format(printf, 4, 5)));
/* Add a note about a likely mistake, unless there is a note or an error already. */
void	parse_note(struct parser *p, size_t column, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));
/* Report a name that nothing in the trace has: an error if strict, else a warning. False: stop. */
bool	parse_unknown(struct parser *p, size_t column, enum name_kind kind, const char *what,
	    const char *name);

/* Report something that is wrong for this trace so far: an error if strict, else a note. Releases
   the text. */
bool	parse_complain(struct parser *p, size_t column, struct buf *text);

/* ---- remark.c */

/* Note a term that no event can match, by the types and threads of the whole trace. */
void	parse_remarks(struct parser *p);

/* ---- presence.c */

/* Report a label or an attribute that no event has, and note such a field of the header. */
void	parse_presence(struct parser *p);

/* ---- fields.c: the literals that fit a field. False: parse_fail() was called. */

/* Look up the field; quoted: only as a payload field. */
bool	field_set(struct parser *p, struct filter_term *term, const char *name, bool quoted);
/* Choose the literal's meaning for the term's field and operator. */
bool	field_fit(struct parser *p, const struct filter_term *term, struct filter_literal *l);
bool	field_need_order(struct parser *p, const struct filter_term *term, const char *op);
bool	field_need_text(struct parser *p, const struct filter_term *term);
bool	field_need_path(struct parser *p, const struct filter_term *term);
bool	field_need_bits(struct parser *p, const struct filter_term *term);
/* The cost of the term: the cheap terms of a chain come first; 0: decided once per type. */
uint8_t	field_cost(const struct filter_term *term);

#endif
