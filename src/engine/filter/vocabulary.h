/*
 * What the fields of payloads hold, by all types of the trace: which values they may have at all,
 * and which words. Private to the engine.
 */
#ifndef ENGINE_FILTER_VOCABULARY_H
#define ENGINE_FILTER_VOCABULARY_H

#include "engine/filter/ast.h"
#include "tnav/base/near.h"

/* What a value may be. */
#define HELD_NUMBER	0x01u
#define HELD_FLOAT	0x02u
#define HELD_BOOL	0x04u
#define HELD_GUID	0x08u
#define HELD_TEXT	0x10u
#define HELD_OBJECT	0x20u
#define HELD_OTHER	0x40u	/* dates, bytes, and what is known at the event only */

#define HELD_MAPS_MAX	16u

/* The fields at one path. */
struct held {
	unsigned		 kinds;			/* HELD_... */
	const struct value_map	*map[HELD_MAPS_MAX];	/* of numbers, each once */
	unsigned		 nmaps;
	bool			 more;			/* there are more maps */
	bool			 unnamed;		/* one at least has no map */
	const struct field	*object;		/* one of those that are objects */
};

void	held_find(struct held *h, struct trace *t, const char *path);
/* May a value be equal to the literal? A quoted one that is a number may be. */
bool	held_may_be(const struct held *h, const struct filter_literal *l);
/* May it be more or less than a number or a time? */
bool	held_has_order(const struct held *h);
/* Can its bits mean anything? Not if it is one of several values. */
bool	held_has_bits(const struct held *h);
/* Are there flags of this name? */
bool	held_has_word(const struct held *h, const struct filter_literal *l);
/* Append why it can't be, after "NAME": " is a number", and near words. */
void	held_say(struct buf *out, const struct held *h, const struct filter_literal *l);
/* Append " is an object" and some of its fields. */
void	held_say_object(struct buf *out, const struct held *h, const char *path);

#endif
