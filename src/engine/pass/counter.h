/*
 * The members of a counter, for its files: count.c has the interface, count_keys.c finds the keys
 * of an event, count_stacks.c those of a stack, count_values.c adds its values, count_placed.c does
 * both without cells.
 */
#ifndef ENGINE_PASS_COUNTER_H
#define ENGINE_PASS_COUNTER_H

#include "engine/field/programs.h"
#include "engine/pass/distinct.h"
#include "engine/pass/figure.h"
#include "engine/pass/key.h"
#include "tnav/base/arena.h"
#include "tnav/base/hashtable.h"
#include "tnav/engine/bins.h"
#include "tnav/engine/count.h"

#define BEYOND		COUNT_BEYOND	/* in place of a key's number */
#define WITHOUT		(COUNT_BEYOND - 1)
#define KEY_PAIRS	1024u
#define KEY_NUMBERS	256u

struct key_texts {
	uint64_t	 hash;
	const char	*id, *note;	/* note NULL: its events have different ones */
	uint32_t	 id_len, note_len;
	struct count	 count;
};

/* Key number + 1 for events of a type and a thread; 0: free. */
struct type_thread {
	uint32_t	type, thread, key;
};

/* Key number + 1 of a key that is a single number; 0: free. */
struct key_number {
	uint64_t	u;
	uint32_t	kind, show, key;
};

/* The values of one field of the key in one event, as bytes, one after another. */
struct parts {
	struct key_bytes	 bytes;
	size_t			*id_end, *note_end;	/* ends of each value's bytes */
	size_t			 n, id_cap, note_cap;
};

/* The place of a field's number in events of a type. */
struct number_place {
	enum {
		PLACE_CELL,		/* not known: a cell is needed */
		PLACE_NEVER,		/* the events don't have the field */
		PLACE_TYPE,		/* of a key: the same for all events of the type */
		PLACE_HEADER,		/* raw */
		PLACE_PAYLOAD,		/* program, and how its cell is shown */
	}				 is;
	enum field_raw			 raw;
	unsigned			 show;
	struct payload_place		 at;	/* width 0: run the program */
	const struct program		*program;
};

/* How events of a type are counted. */
struct type_way {
	bool			 made;	/* the rest is set */
	bool			 same;	/* the key depends on the type alone */
	bool			 placed;	/* key and values have places */
	bool			 bare;	/* ... and the events have neither */
	struct number_place	*at;	/* by field of the counter's refs */
};

/* A value of an event, and the kind of its cell; NUM_NONE: there is none. */
struct placed_number {
	struct filter_num	num;
	enum cell_kind		kind;
};

struct counter {
	struct trace			*t;
	const struct field_list		*by;
	struct count_options		 opt;
	struct field_reader		*reader, *numbers;	/* of keys; of values: maybe it */
	struct field_ref		*refs;			/* of keys, then values; borrowed */
	struct cell			*cells;			/* of keys, then of values */
	size_t				 nvalues;
	struct key_texts		*entry;
	size_t				 n, cap;
	struct bins			 bins;
	struct {
		int64_t			 first, last;	/* all times from first to last lie in it */
		unsigned		 at;
	}				 slice;		/* that of the last event */
	struct accumulator		*figure;	/* nvalues per key */
	size_t				 figures_cap;
	struct accumulator		*beyond_figure;	/* nvalues */
	bool				*ranked, *different;	/* by value: which are requested */
	uint64_t			 nranked;	/* numbers in all ranks */
	bool				 rough;		/* ... are too many: ranks are sketches */
	struct distinct			 distinct;
	struct hashtable		 table;
	struct count			 all, beyond, without;
	struct arena			 arena;
	struct key_options		 key_options;
	bool				 lists;		/* key fields may have several values */
	struct key_bytes		 key;		/* scratch: */
	struct parts			*parts;		/* by field of the key */
	uint32_t			*keys;		/* the keys of the event */
	size_t				 nkeys, keys_cap;
	struct buf			*text;		/* of the aggregates of each value */
	enum field_of			 of;		/* what all fields depend on */
	uint32_t			*known;		/* by type or thread: key number + 1 */
	size_t				 nknown;
	struct type_thread		*pairs;		/* KEY_PAIRS; NULL: not used */
	struct key_number		*lone;		/* KEY_NUMBERS; NULL: not used */
	struct field_programs		*programs;	/* by field of refs */
	struct type_way			*way;		/* by type, made when needed */
	size_t				 nways;
	struct placed_number		*number;	/* scratch: by value */
	struct stack_keys		*stacks;	/* NULL: no field has names of frames */
	uint64_t			 searched;	/* keys that were searched by their bytes */
};

/* A key as bytes, with the hash of its id. */
struct key_view {
	uint64_t	 hash;
	const char	*id, *note;
	uint32_t	 id_len, note_len;
};

/* count_cells.c. */
/* Add the first cell of a key by time: the start of the step that contains the event. */
void		counter_add_time(struct counter *c, struct key_bytes *key, const struct event *e);
/* Set c->cells to the cells of the key and of the values. refs: c->refs, or others in their
   place. */
void		counter_cells_get(struct counter *c, const struct field_ref *refs,
		    const struct event *e, uint64_t row);
/* Replace the numbers of the key by the steps that contain them. */
void		counter_cells_step(struct counter *c);
/* May the cell of the field be the first of several? */
bool		counter_is_list(const struct counter *c, size_t field);

/* The number of the key, added if it is new and there is room for it; or BEYOND. */
uint32_t	counter_key(struct counter *c, const struct key_view *k);
uint32_t	counter_bytes_find(struct counter *c, const struct key_bytes *b);
/* Add a key to those of the event. */
void		counter_keys_put(struct counter *c, uint32_t key);
/* Keep the key of a type or thread, whichever all fields depend on. */
void		counter_know(struct counter *c, uint32_t at, uint32_t key);
/* Set c->keys to those of the event's cells, and c->cells to the cells of its values. */
void		counter_cells_find(struct counter *c, const struct event *e, uint64_t row);
/* The key whose only cell is the number c->cells[0]; c->lone isn't NULL. */
uint32_t	counter_find_lone(struct counter *c, const struct event *e);

/* count_stacks.c: the same by what is known of its type, thread or stack, else by its cells. */
void		counter_find(struct counter *c, const struct event *e, uint64_t row);
/* From now on events are counted by stack where that can be. */
void		counter_stacks_later(struct counter *c);
/* Count the event by its stack. False: it must be counted by its keys. */
bool		counter_stack_count(struct counter *c, const struct event *e, uint64_t row);
/* Add to the keys what was counted by stack. */
void		counter_stacks_settle(struct counter *c);
void		counter_stacks_init(struct counter *c);
void		counter_stacks_free(struct counter *c);

/* count_placed.c: set c->number to the values of an event, and unless its key depends on the type
   alone, set the key's cell. False: the event needs cells. */
bool		counter_placed(struct counter *c, const struct type_way *w,
		    const struct event *e);
const struct type_way	*counter_way_new(struct counter *c, uint32_t type);
void		counter_ways_init(struct counter *c);
void		counter_ways_release(struct counter *c);

/* Add the event's values of a field to its keys. */
void		counter_add_values(struct counter *c, size_t value, const struct event *e,
		    uint64_t row);
/* Add one number to a key. */
void		counter_add_number(struct counter *c, uint32_t key, size_t value,
		    const struct placed_number *n);
/* Add the figures of a key of another counter. */
void		counter_merge_figures(struct counter *into, uint32_t key,
		    const struct accumulator *from);
/* keys: for each key of from, its number in into. */
void		counter_merge_distinct(struct counter *into, const struct counter *from,
		    const uint32_t *keys);

/* The cache entry for the key of the event's type and thread. */
static inline struct type_thread *
counter_pair(const struct counter *c, const struct event *e)
{
	return &c->pairs[(e->type * 31 + e->thread) % KEY_PAIRS];
}

/* Key number + 1 of the event, if it depends on type and thread alone and is cached; or 0. */
static inline uint32_t
counter_known(const struct counter *c, const struct event *e)
{
	uint32_t			 at = c->of == OF_THREAD ? e->thread : e->type;
	const struct type_thread	*pair;

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

static inline struct accumulator *
counter_figure_of(struct counter *c, uint32_t key, size_t value)
{
	if (key == BEYOND)
		return &c->beyond_figure[value];
	return &c->figure[key * c->nvalues + value];
}

#endif
