/*
 * A counter as its parts see it: count.c has the whole, count_keys.c finds the keys of an event,
 * count_values.c keeps what its values amount to.
 */
#ifndef ENGINE_PASS_COUNTER_H
#define ENGINE_PASS_COUNTER_H

#include "engine/field/plans.h"
#include "engine/pass/bins.h"
#include "engine/pass/distinct.h"
#include "engine/pass/figure.h"
#include "engine/pass/key.h"
#include "tnav/base/arena.h"
#include "tnav/base/hashtable.h"
#include "tnav/engine/count.h"

#define BEYOND		COUNT_BEYOND	/* in place of a key's number */
#define WITHOUT		(COUNT_BEYOND - 1)
#define KEY_PAIRS	1024u
#define KEY_NUMBERS	256u

struct entry {
	uint64_t	 hash;
	const char	*id, *note;	/* note NULL: events differ in it */
	uint32_t	 id_len, note_len;
	struct count	 count;
};

/* The key, + 1, of events of a type and a thread; 0: none. */
struct key_pair {
	uint32_t	type, thread, key;
};

/* The key, + 1, of a number that stands alone; 0: none. */
struct key_number {
	uint64_t	u;
	uint32_t	kind, show, key;
};

/* The values that a field of the key has in one event, as bytes one after another. */
struct parts {
	struct key_bytes	 bytes;
	size_t			*id_end, *note_end;	/* of each */
	size_t			 n, id_cap, note_cap;
};

/* Where a type's events have the number of a field. */
struct place {
	enum {
		PLACE_CELL,		/* only its cell tells */
		PLACE_NEVER,		/* none has the field */
		PLACE_TYPE,		/* of a key: the same for all of them */
		PLACE_HEADER,		/* raw */
		PLACE_PAYLOAD,		/* plan, and how its cell is shown */
	}				 is;
	enum field_raw			 raw;
	unsigned			 show;
	struct payload_place		 at;	/* width 0: the plan tells */
	const struct payload_plan	*plan;
};

/* How events of a type are counted. */
struct type_way {
	bool		 made;		/* the rest is known */
	bool		 same;		/* their key follows from the type */
	bool		 placed;	/* key and values lie at places */
	bool		 bare;		/* ... and they have neither */
	struct place	*at;		/* by field of the counter's refs */
};

/* A value of an event, and the kind that its cell has; NUM_NONE: there is none. */
struct placed_number {
	struct filter_num	num;
	enum cell_kind		kind;
};

struct counter {
	struct trace			*t;
	const struct field_list		*by;
	struct count_options		 opt;
	struct field_reader		*reader, *numbers;	/* of keys; of values: often it */
	struct field_ref		*refs;			/* by and values; borrowed paths */
	struct cell			*cells;			/* of by, of values */
	size_t				 nvalues;
	struct entry			*entry;
	size_t				 n, cap;
	struct bins			 bins;
	struct figure			*figure;	/* nvalues a key */
	size_t				 figures_cap;
	struct figure			*beyond_figure;	/* nvalues */
	bool				*ranked, *different;	/* asked for, by value */
	uint64_t			 nranked;	/* numbers in all ranks */
	bool				 rough;		/* ... are too many: these are sketches */
	struct distinct			 distinct;
	struct hashtable		 table;
	uint64_t			 seed;
	struct count			 all, beyond, without;
	struct arena			 arena;
	struct key_options		 key_options;
	bool				 lists;		/* fields of the key may have several */
	struct key_bytes		 key;		/* scratch: */
	struct parts			*parts;		/* by field of the key */
	uint32_t			*keys;		/* of the event */
	size_t				 nkeys, keys_cap;
	struct buf			 text;
	enum field_of			 of;		/* what all fields follow from */
	uint32_t			*known;		/* by type or thread: number + 1 */
	size_t				 nknown, known_cap;
	struct key_pair			*pairs;		/* KEY_PAIRS; NULL: of no use */
	struct key_number		*lone;		/* KEY_NUMBERS; NULL: of no use */
	struct field_plans		*plans;		/* by field of refs */
	struct type_way			*way;		/* by type, as they are asked for */
	size_t				 nways, ways_cap;
	struct placed_number		*number;	/* scratch: by value */
};

/* A key as bytes, with the hash of its id. */
struct key_view {
	uint64_t	 hash;
	const char	*id, *note;
	uint32_t	 id_len, note_len;
};

/* The number of the key, which is made if there is none and there is room for it; or BEYOND. */
uint32_t	counter_key(struct counter *c, const struct key_view *k);
/* Keep the key of a type or thread, by which of them the counter goes. */
void		counter_know(struct counter *c, uint32_t at, uint32_t key);
/* The event's keys in c->keys, and the cells of its values in c->cells. */
void		counter_find(struct counter *c, const struct event *e, uint64_t row);
/* The key of the number that is the only cell of it, c->cells[0]; c->lone isn't NULL. */
uint32_t	counter_find_lone(struct counter *c, const struct event *e);
/* May the cell of the field stand for several? */
bool		counter_is_list(const struct counter *c, size_t field);

/* count_placed.c: the values of an event in c->number, and unless its key is the same for its type,
   the key's cell; false: only all cells can tell. */
bool		counter_placed(struct counter *c, const struct type_way *w,
		    const struct event *e);
const struct type_way	*counter_way_new(struct counter *c, uint32_t type);
void		counter_ways_init(struct counter *c);
void		counter_ways_release(struct counter *c);

/* The event's values of a field to its keys. */
void		counter_add_values(struct counter *c, size_t value, const struct event *e,
		    uint64_t row);
/* One number to a key. */
void		counter_add_number(struct counter *c, uint32_t key, size_t value,
		    const struct placed_number *n);
/* What a part of the events has of a key's values. */
void		counter_merge_figures(struct counter *into, uint32_t key,
		    const struct figure *from);
/* keys: by key of the part, its number here. */
void		counter_merge_distinct(struct counter *into, const struct counter *from,
		    const uint32_t *keys);

/* Where the key of the event's type and thread is kept. */
static inline struct key_pair *
counter_pair(const struct counter *c, const struct event *e)
{
	return &c->pairs[(e->type * 31 + e->thread) % KEY_PAIRS];
}

/* The event's key, + 1, if that follows from type and thread and is known; or 0. */
static inline uint32_t
counter_known(const struct counter *c, const struct event *e)
{
	uint32_t		 at = c->of == OF_THREAD ? e->thread : e->type;
	const struct key_pair	*pair;

	if (c->pairs == NULL)
		return at < c->nknown ? c->known[at] : 0;
	pair = counter_pair(c, e);
	return pair->type == e->type && pair->thread == e->thread ? pair->key : 0;
}

static inline const struct type_way *
counter_way(struct counter *c, uint32_t type)
{
	if (type < c->nways && c->way[type].made)
		return &c->way[type];
	return counter_way_new(c, type);
}

static inline struct count *
counter_count_of(struct counter *c, uint32_t key)
{
	return key == BEYOND ? &c->beyond : key == WITHOUT ? &c->without : &c->entry[key].count;
}

static inline struct figure *
counter_figure_of(struct counter *c, uint32_t key, size_t value)
{
	if (key == BEYOND)
		return &c->beyond_figure[value];
	return &c->figure[key * c->nvalues + value];
}

#endif
