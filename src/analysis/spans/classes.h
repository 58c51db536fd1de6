/*
 * What events of a type are for spans: the pairs that they begin or end, and how a key is made.
 */
#ifndef ANALYSIS_SPANS_CLASSES_H
#define ANALYSIS_SPANS_CLASSES_H

#include "analysis/spans/names.h"
#include "analysis/spans/pairs.h"
#include "tnav/engine/trace.h"
#include "tnav/model/program.h"

#define CLASS_PARTS	4u		/* of a key, at the most */
#define PAIR_BY_NAME	UINT16_MAX	/* XStart and XStop of any EventSource */
#define PAIR_NATIVE	(UINT16_MAX - 1u)

enum part_kind { PART_THREAD, PART_PROCESS, PART_ACTIVITY, PART_FIELD, PART_ARGUMENT };

struct class_part {
	enum part_kind		 kind;
	const struct program	*field;
	const char		*argument;	/* the key that is looked for, in a list of ... */
	const struct program	*keys, *values;	/* ... these */
};

/* One pair that the event begins or ends. */
struct class_use {
	uint16_t		 pair;		/* of span_pairs, or PAIR_... */
	bool			 stop;
	enum span_rule		 rule;
	uint32_t		 name;		/* of the span that would begin here */
	uint32_t		 base;		/* BY_NAME: number of provider and base name */
	bool			 has_opcode;	/* ... and what the type says */
	uint8_t			 opcode;
	const struct program	*when;		/* NULL: always, else if the field is ... */
	const char		*is;		/* ... this */
	unsigned		 nparts;
	struct class_part	 part[CLASS_PARTS];
};

struct type_class {
	unsigned		 n;		/* 0: no part of a span. Stops come first. */
	struct class_use	*use;
};

/* What an event of a use BY_NAME is: its opcode says so, if it is 1 or 2, else its name. False:
   neither a start nor a stop. */
static inline bool
class_by_opcode(const struct class_use *u, unsigned opcode, bool *stop)
{
	*stop = opcode == 0 ? u->stop : opcode == 2;
	return opcode <= 2;
}

struct classes;

struct classes	*classes_new(struct trace *t, struct name_table *names, bool native);
void		 classes_free(struct classes *c);
/* Under the caller's lock; what it gives stays, and any thread may read it. */
const struct type_class *classes_get(struct classes *c, uint32_t type);
/* An expression that is true of all events that can be a part of a span, and of few others. */
void		 classes_filter(struct buf *out);

#endif
