/*
 * The members of the reader of fields, and functions for the getters of the table. Private to the
 * fields.
 */
#ifndef ENGINE_FIELD_READER_H
#define ENGINE_FIELD_READER_H

#include "engine/field/programs.h"
#include "tnav/engine/field.h"
#include "tnav/engine/label.h"

struct delta_memo;
struct frame_texts;

/* The data of one requested field while its cell is made. */
struct field_slot {
	struct buf		 text, word;	/* borrowed by its cell */
	struct buf		 list;		/* JSON of several values */
	unsigned		 open;		/* open containers of the value */
	unsigned		 values;
	bool			 cut;		/* the rest of a container is not needed */
	struct span		 bytes;
	uint32_t		 programs;	/* index of the last used of reader.programs */
};

/* Data for the row texts of a type. */
struct row_type {
	char			*names;		/* their first part; NULL: not known yet */
	size_t			 names_len;
};

#define STACK_READERS	32u

struct field_reader {
	struct trace		*t;
	struct field_options	 opt;
	struct field_who	*who;		/* by thread */
	size_t			 nwho;
	uint64_t		 who_at;	/* trace_generation() when who was read */
	struct label_set	*labels;	/* of the event, if needed */
	uint64_t		 event_row;	/* ROW_UNKNOWN: it is looked up */
	uint64_t		*ips;		/* LIMIT_STACK_FRAMES addresses, if needed */
	struct stack_reader	 stacks[STACK_READERS];
	struct frame_texts	*texts;		/* texts of stacks with names, if needed */
	struct buf		 decoded;	/* the event's payload as JSON, if needed */
	struct payload_result	 result;
	struct event_extra	 event_extra;	/* if needed */
	bool			 has_labels, has_decoded;
	enum { EXTRA_UNKNOWN, EXTRA_NONE, EXTRA_SOME } extra;
	struct field_slot	*slot;
	size_t			 nslots;
	struct field_slot	*at;		/* the slot of the current field */
	struct field_slot	 each;		/* the slot of field_each() */
	struct field_programs	*programs;	/* by path, for requested paths */
	size_t			 nprograms, programs_cap;
	const struct event_type	**type;		/* by index, NULL until needed */
	size_t			 ntype;
	struct row_type		*row;		/* by type */
	size_t			 nrow;
	struct buf		 row_who;	/* the thread's part of the row's text, */
	uint32_t		 row_thread;	/* ... for this thread, */
	uint64_t		 row_at;	/* ... at trace_generation() + 1; 0: none */
	struct buf		 row_labels;	/* the labels' part of the row's text, */
	uint64_t		 row_loads;	/* ... at labels->loads */
	struct delta_memo	*delta;		/* if needed */
};

/* The event's labels, its decoded payload, and further fields of its header (or NULL). Each is read
   at most once per event. */
const struct label_set	*reader_labels(struct field_reader *r, const struct event *e);
const struct payload_result *reader_decode(struct field_reader *r, const struct event *e);
const struct event_extra	*reader_extra(struct field_reader *r, const struct event *e);

/* The type with this index. It stays the same, because programs refer to it. */
const struct event_type	*reader_type(struct field_reader *r, uint32_t type);
/* The program that gives the values at the path. */
const struct program	*reader_program(struct field_reader *r, struct field_slot *s,
			    const char *path, const struct event_type *type);

/* The first part of a type's row texts, which is the same for all events. */
struct span	reader_row_front(struct field_reader *r, uint32_t type);
/* Append the event's values that are not texts: payload_numbers(). */
void		reader_row_numbers(struct field_reader *r, struct buf *out, const struct event *e,
		    size_t shortest);
void		reader_row_release(struct field_reader *r);

/* Append one value of a container as JSON; s has the open containers. */
void	reader_nested(const struct field_reader *r, struct field_slot *s, struct buf *b,
	    const struct value *v);

/* frames.c: the names of methods or of modules in the event's stack, each once. */
int	reader_frame_names(struct field_reader *r, const struct event *e, bool modules,
	    field_cell_fn fn, void *arg);
/* The number of this list of names: events with the same number have the same list. 0: the list has
   no number, because it isn't kept. */
uint64_t reader_frame_list(struct field_reader *r, const struct event *e, bool modules);
/* The frame with this number: its name as a text, or its address; CELL_NONE if there is none. */
void	reader_frame(struct field_reader *r, const struct event *e, unsigned frame, struct cell *c);
void	frame_texts_free(struct frame_texts *f);

extern const struct field_def	field_row_text_def;

#endif
