/*
 * The reader of fields as its parts see it: what getters of the table stand on.
 */
#ifndef ENGINE_FIELD_READER_H
#define ENGINE_FIELD_READER_H

#include "engine/field/path.h"
#include "engine/field/plans.h"
#include "tnav/base/arena.h"
#include "tnav/engine/field.h"
#include "tnav/engine/label.h"

struct delta_memo;
struct frame_texts;

/* What one field of those that are asked for needs while it is made. */
struct field_slot {
	struct buf		 text, word;	/* what its cell borrows */
	struct buf		 list;		/* JSON of several values */
	struct path_walk	 walk;
	unsigned		 open;		/* containers of a value that is one itself */
	unsigned		 values;
	bool			 cut;		/* no more of a container is of use */
	struct span		 bytes;
	bool			 done;		/* by its plan: no walk is needed */
	uint32_t		 plans;		/* of the reader: where they were last */
};

/* What the row's texts of a type are made with. */
struct row_type {
	char			*names;		/* that they begin with; NULL: not known yet */
	size_t			 names_len;
	struct line_plan	*line;
};

struct field_reader {
	struct trace		*t;
	struct field_options	 opt;
	unsigned		 pointer_size;
	struct field_who	*who;		/* by thread */
	size_t			 nwho, who_cap;
	uint64_t		 who_at;	/* trace_generation() when they were asked for */
	struct label_set	*labels;	/* of the event, once needed */
	uint64_t		*ips;		/* LIMIT_STACK_FRAMES of them, likewise */
	struct frame_texts	*texts;		/* of stacks with names, likewise */
	struct buf		 decoded;	/* the event's payload as JSON, likewise */
	struct payload_result	 result;
	struct event_extra	 event_extra;	/* likewise */
	bool			 has_labels, has_decoded;
	enum { EXTRA_UNKNOWN, EXTRA_NONE, EXTRA_SOME } extra;
	struct field_slot	*slot;
	size_t			 nslots, slots_cap;
	struct field_slot	*at;		/* of the field that is being made */
	struct field_slot	 each;		/* of the value that field_each() gives */
	struct field_plans	*plans;		/* of the paths that were asked for */
	size_t			 nplans, plans_cap;
	const struct event_type	**type;		/* by index, as they were asked for */
	size_t			 ntype, type_cap;
	struct row_type		*row;		/* by type */
	size_t			 nrow, row_cap;
	struct buf		 row_who;	/* of the row's text: what stands for a thread, */
	uint32_t		 row_thread;	/* ... this one, */
	uint64_t		 row_at;	/* ... at trace_generation(), + 1; 0: none */
	struct buf		 row_labels;	/* likewise of the labels, */
	uint64_t		 row_loads;	/* ... of that loading */
	struct delta_memo	*delta;		/* once needed */
};

/* The event's labels, its payload, and what its header says besides (or NULL): each is looked up at
   most once an event. */
const struct label_set	*reader_labels(struct field_reader *r, const struct event *e);
const struct payload_result *reader_decode(struct field_reader *r, const struct event *e);
const struct event_extra	*reader_extra(struct field_reader *r, const struct event *e);

/* The type of an event: as trace_type(), which takes the lock. */
const struct event_type	*reader_type(struct field_reader *r, uint32_t type);
/* The value at the path by its plan, where it has one: see payload_plan_get(). */
enum payload_at	reader_planned(struct field_reader *r, struct field_slot *s, const char *path,
		    const struct event_type *type, struct span payload, struct value *v);

/* What the row's texts of a type begin with, whatever the event. */
struct span	reader_row_front(struct field_reader *r, uint32_t type);
/* Append those values of the event that are no texts (line_plan_numbers()); false: can't tell. */
bool		reader_row_numbers(struct field_reader *r, struct buf *out, const struct event *e,
		    size_t shortest);
void		reader_row_release(struct field_reader *r);

/* Add one value of a container as JSON; s knows what is open. */
void	reader_nested(const struct field_reader *r, struct field_slot *s, struct buf *b,
	    const struct value *v);

/* frames.c: the names of methods or of modules in the event's stack, each once. */
int	reader_frame_names(struct field_reader *r, const struct event *e, bool modules,
	    field_cell_fn fn, void *arg);
/* What is kept of stacks. */
void	frame_texts_free(struct frame_texts *f);

extern const struct field_def	field_row_text_def;

#endif
