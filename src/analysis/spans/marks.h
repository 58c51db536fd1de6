/*
 * Marks: where spans begin and end, as any thread finds them, piece by piece.
 */
#ifndef ANALYSIS_SPANS_MARKS_H
#define ANALYSIS_SPANS_MARKS_H

#include <string.h>

#include "analysis/spans/private.h"
#include "tnav/base/hash.h"
#include "tnav/engine/pass.h"

struct span_mark {
	uint64_t	row;
	int64_t		ts;			/* as in the event, one after the other */
	uint64_t	off;
	union {
		uint64_t	hash;		/* of the key */
		uint64_t	dur;		/* native: it has no key */
	};
	uint32_t	key, len;		/* bytes of marks.keys */
	uint32_t	by;			/* likewise */
	uint32_t	by_len;			/* no value: UINT32_MAX */
	uint32_t	thread, name;
	union {
		struct {
			uint8_t	rule;		/* enum span_rule */
			bool	stop, by_thread, chosen, native;
		};
		uint64_t	flags;		/* all of these */
	};
};
_Static_assert(sizeof(struct span_mark) == 64, "a mark is one cache line");

/* Those of a piece, in time order; of one event the stops first. */
struct marks {
	struct span_mark	*v;
	size_t			 n, cap;
	struct span_record	*whole;		/* spans whose end is known */
	size_t			 nwhole, whole_cap;
	struct buf		 keys;
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

void		 span_marks_init(struct marks *m);
void		 span_marks_release(struct marks *m);
void		 span_marks_clear(struct marks *m);
/* Where the next span goes whose end is known. */
struct span_record *span_marks_whole(struct marks *m);

/* Events of a piece that are fetched before they are needed: they may lie anywhere in its slice. */
#define EVENTS_AHEAD	12u

static inline const struct event *
batch_event(const struct pass_batch *b, uint32_t i)
{
	if (i + EVENTS_AHEAD < b->n) {
		const struct event	*e = &b->ev[b->at[i + EVENTS_AHEAD]];

		/* Both of the cache lines that it lies in. */
		__builtin_prefetch(e);
		__builtin_prefetch((const char *)(e + 1) - 1);
	}
	return &b->ev[b->at[i]];
}

/* What all marks of a type have in common, where it begins or ends one pair without a condition. */
struct plain_mark {
	bool		is;
	uint32_t	name;
	uint64_t	head;			/* of a key that is the thread */
	uint64_t	flags;
};

/* Who makes them: any thread, one at a time. */
struct marker {
	struct spans		*s;
	struct field_reader	*reader;
	struct field_reader	*texts;		/* of --by */
	struct filter_eval	*eval;
	struct marks		*to;		/* the marks that are made */
	struct buf		 text;
	const struct type_class	**class;	/* by type, as they were asked for */
	struct plain_mark	*plain;		/* likewise; if every span is asked for */
	size_t			 nclasses, classes_cap, plain_cap;
	struct hash_keys	 by;
	uint64_t		 hash;		/* of the key that is made */
	bool			 all;		/* every span is asked for */
};

/* The same seed for all whose keys are compared. */
struct marker	*marker_new(struct spans *s, uint64_t seed);
void		 marker_free(struct marker *m);		/* NULL is fine */
/* The values of an event's key as a JSON array of texts, of the pair that the name belongs to. */
void		 marker_key_text(struct marker *m, const struct event *e, uint32_t name, bool stop,
		    struct buf *out);
void		 marker_add_any(struct marker *m, struct marks *to, const struct event *e,
		    uint64_t row);

/* Of a key but its texts. */
#define KEY_ROOM	(8u + CLASS_PARTS * 24u)

/* All but the value of a key of one part, which is whole words. */
static inline uint64_t
key_head(const struct class_use *u, char tag)
{
	return u->pair | (uint64_t)u->base << 16 | (uint64_t)(uint8_t)tag << 56;
}

/* Where neither is set, no format has one; to ask it takes longer. */
static inline bool
may_have_activity(const struct event *e)
{
	return (e->labels | e->activity_back) != 0;
}

/* The event's marks. In line what nearly all are: one, whose key is the thread. */
static inline __attribute__((always_inline)) void
marker_add(struct marker *m, struct marks *to, const struct event *e, uint64_t row)
{
	const struct plain_mark	*p = e->type < m->nclasses ? &m->plain[e->type] : NULL;
	struct span_mark	*k;
	uint64_t		 key[2];

	if (p == NULL || !p->is || may_have_activity(e) || to->n == to->cap ||
	    to->keys.cap - to->keys.len <= KEY_ROOM) {
		marker_add_any(m, to, e, row);
		return;
	}
	key[0] = p->head;
	key[1] = e->thread;
	memcpy(to->keys.p + to->keys.len, key, sizeof key);
	k = &to->v[to->n++];
	k->row = row;
	k->ts = e->ts;
	k->off = e->off;
	k->hash = hash_fold(key[0] ^ m->by.k[0], key[1] ^ m->by.k[1]);
	k->key = (uint32_t)to->keys.len;
	k->len = sizeof key;
	k->by = 0;
	k->by_len = UINT32_MAX;
	k->thread = e->thread;
	k->name = p->name;
	k->flags = p->flags;
	to->keys.len += sizeof key;
}

#endif
