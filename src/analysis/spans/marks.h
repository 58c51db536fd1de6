/*
 * Marks: where spans begin and end, as any thread finds them, piece by piece.
 */
#ifndef ANALYSIS_SPANS_MARKS_H
#define ANALYSIS_SPANS_MARKS_H

#include <string.h>

#include "analysis/spans/private.h"
#include "tnav/base/hash.h"

struct span_mark {
	uint64_t	row, off;
	int64_t		ts;
	union {
		uint64_t	hash;		/* of the key */
		uint64_t	dur;		/* native: it has no key */
	};
	uint32_t	key, len;		/* bytes of marks.keys */
	union {
		uint32_t	by;		/* likewise */
		uint32_t	whole;		/* done: its time, of marks.whole; or UINT32_MAX */
	};
	uint32_t	by_len;			/* no value: UINT32_MAX */
	uint32_t	thread, name;
	uint8_t		rule;			/* enum span_rule */
	bool		stop, by_thread, chosen, native;
	/* What is left of a start whose end is known: it throws out what is open under its key, */
	bool		done, throws;
	bool		outer;			/* ... or its time, in nothing of its piece */
};
_Static_assert(sizeof(struct span_mark) == 64, "a mark is one cache line");

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
	bool			 all;		/* every span is asked for */
};

/* Nearly all keys have one part: two words, or three. */
static inline bool
key_same(const void *a, const void *b, size_t len)
{
	uint64_t	x[3], y[3];

	if (len != sizeof x && len != 2 * sizeof *x)
		return memcmp(a, b, len) == 0;
	memcpy(x, a, 2 * sizeof *x);
	memcpy(y, b, 2 * sizeof *y);
	if (x[0] != y[0] || x[1] != y[1])
		return false;
	return len == 2 * sizeof *x || memcmp((const char *)a + 16, (const char *)b + 16, 8) == 0;
}

struct marks	*marks_new(struct spans *s, uint64_t seed);
void		 marks_free(struct marks *m);
void		 marks_clear(struct marks *m);
void		 marks_whole(struct marks *m, const struct span_record *r);
void		 marks_add(struct marks *m, const struct event *e, uint64_t row);
/* The values of an event's key as a JSON array of texts, of the pair that the name belongs to. */
void		 marks_key_text(struct marks *m, const struct event *e, uint32_t name, bool stop,
		    struct buf *out);

#endif
