/*
 * Marks: where spans begin and end, as any thread finds them, piece by piece.
 */
#ifndef ANALYSIS_SPANS_MARKS_H
#define ANALYSIS_SPANS_MARKS_H

#include "analysis/spans/private.h"
#include "tnav/base/hash.h"

struct span_mark {
	uint64_t	row, off;
	int64_t		ts;
	uint64_t	dur;			/* NATIVE */
	uint64_t	hash;			/* of the key */
	uint32_t	key, len;		/* bytes of marks.keys */
	uint32_t	by, by_len;		/* likewise; no value: by_len is UINT32_MAX */
	uint32_t	thread, name;
	bool		stop, by_thread, chosen;
	uint8_t		rule;			/* enum span_rule */
	bool		native;
	/* What is left of a start whose end is known: it throws out what is open under its key, */
	bool		done, throws;
	uint32_t	whole;			/* ... or its time, of marks.whole; or UINT32_MAX */
};

/* Those of a piece, in time order; of one event the stops first. */
struct marks {
	struct spans		*s;
	struct field_reader	*reader;
	struct field_reader	*texts;		/* of --by */
	struct filter_eval	*eval;
	struct span_mark	*v;
	size_t			 n, cap;
	struct span_record	*whole;		/* spans whose end is known */
	size_t			 nwhole, whole_cap;
	struct buf		 keys;
	struct buf		 text;
	const struct type_class	**class;	/* by type, as they were asked for */
	size_t			 nclasses, classes_cap;
	struct hash_keys	 by;
	uint64_t		 hash;		/* of the key that is made */
};

struct marks	*marks_new(struct spans *s, uint64_t seed);
void		 marks_free(struct marks *m);
void		 marks_clear(struct marks *m);
void		 marks_whole(struct marks *m, const struct span_record *r);
void		 marks_add(struct marks *m, const struct event *e, uint64_t row);
/* The values of an event's key as a JSON array of texts, of the pair that the name belongs to. */
void		 marks_key_text(struct marks *m, const struct event *e, uint32_t name, bool stop,
		    struct buf *out);

#endif
