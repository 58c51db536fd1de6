/*
 * The parser of the filter language, and what it asks of the table of fields. Private to the
 * engine.
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
	struct filter_terms	*terms;		/* or NULL: note places, and compile no pattern */
	struct held		 held;		/* of the term's field, if it is a payload's */
	uint64_t		 steps;		/* bytes read, words looked for, nodes linked */
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
/* The word w, in any case, as a word of its own. */
bool	read_word(struct parser *p, const char *w);
/* The word w in front of a term. In capitals it may be a field of that name: NOT = 1. */
bool	read_first(struct parser *p, const char *w);
/* What joins terms: a word, or a sign of other languages. */
bool	read_joint(struct parser *p, const struct filter_operator *o);
/* Does a quoted text stand here? */
bool	read_at_quote(const struct parser *p);
/* Text between quotes, the first of which is at pos; for want and where see quote_read(). */
bool	read_quoted(struct parser *p, struct buf *out, size_t want, size_t *where);
/* A value: quoted or bare. The text is owned by the literal. */
bool	read_literal(struct parser *p, struct filter_literal *l, enum word_end ends);

/* ---- term.c */

bool	term_read(struct parser *p, struct filter_term *term);

/* ---- parse.c */

/* Read all of s into f, which is empty. */
void	parse_expression(struct parser *p);

/* ---- error.c */

/* Remember the first error and stop. Always false, so that a rule can say `return parse_fail()`. */
bool	parse_fail(struct parser *p, int err, size_t column, const char *fmt, ...)
	    __attribute__((format(printf, 4, 5)));
/* Say what is no error but most likely a mistake, unless something was said already. */
void	parse_note(struct parser *p, size_t column, const char *fmt, ...)
	    __attribute__((format(printf, 3, 4)));
/* A name that nothing in the trace has: an error when strict, else a warning. False to stop. */
bool	parse_unknown(struct parser *p, size_t column, enum name_kind kind, const char *what,
	    const char *name);

/* What is wrong only as far as the trace is known: an error when strict, else a note. */
bool	parse_complain(struct parser *p, size_t column, struct buf *text);

/* ---- remark.c */

/* Note a term of which the types and threads of the whole trace say that no event meets it. */
void	parse_remarks(struct parser *p);

/* ---- presence.c */

/* Complain of a label or an attribute that no event has, and note such a field of the header. */
void	parse_presence(struct parser *p);

/* ---- fields.c: which values fit the fields. False: parse_fail(). */

/* Look up the field; quoted: only as a payload's. */
bool	field_set(struct parser *p, struct filter_term *term, const char *name, bool quoted);
/* Give the literal the meaning that it has for the term's field and operator. */
bool	field_fit(struct parser *p, const struct filter_term *term, struct filter_literal *l);
bool	field_need_order(struct parser *p, const struct filter_term *term, const char *op);
bool	field_need_text(struct parser *p, const struct filter_term *term);
bool	field_need_path(struct parser *p, const struct filter_term *term);
bool	field_need_bits(struct parser *p, const struct filter_term *term);
/* What the term costs, so that the cheap ones of a chain come first; 0: decided once a type. */
uint8_t	field_cost(const struct filter_term *term);

#endif
