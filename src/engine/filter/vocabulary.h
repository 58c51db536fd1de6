/*
 * The possible values and words of payload fields, by all types of the trace. Private to the
 * engine.
 */
#ifndef ENGINE_FILTER_VOCABULARY_H
#define ENGINE_FILTER_VOCABULARY_H

#include "engine/filter/ast.h"

/* Kinds of values. */
#define VOCAB_NUMBER	0x01u
#define VOCAB_FLOAT	0x02u
#define VOCAB_BOOL	0x04u
#define VOCAB_GUID	0x08u
#define VOCAB_TEXT	0x10u
#define VOCAB_OBJECT	0x20u
#define VOCAB_DATE	0x40u
#define VOCAB_OTHER	0x80u	/* bytes, and kinds that only an event shows */

#define VOCAB_MAPS_MAX	16u

/* All fields at one path. */
struct path_fields {
	unsigned		 kinds;			/* VOCAB_... */
	const struct value_map	*map[VOCAB_MAPS_MAX];	/* maps of numbers, each once */
	unsigned		 nmaps;
	bool			 more;			/* there are more maps */
	bool			 unnamed;		/* at least one number has no map */
	const struct field	*object;		/* a field that is an object, or NULL */
};

void	vocab_find(struct path_fields *h, struct trace *t, const char *path);
/* Can a value be equal to the literal? A quoted literal may also be a number. */
bool	vocab_may_be(const struct path_fields *h, const struct filter_literal *l);
/* Can a value be greater or less than a number or a time? */
bool	vocab_has_order(const struct path_fields *h);
/* Is it a date, so that only a time of the clock is before or after it? */
bool	vocab_is_date(const struct path_fields *h);
/* Can single bits have a meaning? Not in an enumerated value, nor if there is no number. */
bool	vocab_has_bits(const struct path_fields *h);
/* Is there a flag with this name? */
bool	vocab_has_word(const struct path_fields *h, const struct filter_literal *l);
/* Append why the value is impossible, after "NAME": " is a number", and near words. */
void	vocab_explain(struct buf *out, const struct path_fields *h, const struct filter_literal *l);
/* Append "PATH is an object" and some of its fields. */
void	vocab_explain_object(struct buf *out, const struct path_fields *h, const char *path);

#endif
