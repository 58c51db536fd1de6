/*
 * The only table of event fields. Filter, columns, `dump -e`, `stats --by`, tally, details,
 * completion, help and the man page are made from it: a new field is one entry in
 * src/engine/field/table.c.
 *
 *	"tid"			FIELD_HEADER	an entry of the table
 *	"label.TraceId"		FIELD_LABEL	key "TraceId"
 *	"payload.Reason"	FIELD_PAYLOAD	path "Reason"; as any other bare name
 *	payload."odd name"	FIELD_PAYLOAD	quoted as the filter language quotes
 *
 * A field returns one cell: CELL_NONE if the event lacks it; several values (elements of an array
 * on the path, a repeated label, frames) are one CELL_RAW array. A filter
 * receives each value, and the field's other names (field_def.also).
 */
#ifndef TNAV_ENGINE_FIELD_H
#define TNAV_ENGINE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"
#include "tnav/model/cell.h"
#include "tnav/model/payload_plan.h"
#include "tnav/model/value.h"

/* The kind of values, which decides the operators and literals that fit. */
enum field_class {
	CLASS_TEXT, CLASS_NUMBER, CLASS_BYTES, CLASS_LEVEL, CLASS_KEYWORDS, CLASS_OPCODE,
	CLASS_TIME, CLASS_DUR, CLASS_STACK, CLASS_GUID,
	CLASS_FRAMES,	/* texts: what the frames of a stack are called */
	CLASS_ANY,	/* known at the event only */
};

/* What its value depends on: counts and caches ask once for each of these. */
enum field_of {
	OF_TYPE, OF_META,	/* META: of the type, unless labels override it */
	OF_THREAD, OF_EVENT, OF_PAYLOAD
};

enum field_ref_kind { FIELD_HEADER, FIELD_LABEL, FIELD_PAYLOAD, FIELD_ROW_TEXT };

/* The number of struct event that orders the field's values. */
enum field_raw {
	RAW_NONE, RAW_TIME, RAW_TICKS,	/* ts; TICKS: where it has no epoch */
	RAW_DUR, RAW_CPU, RAW_SEQ, RAW_SIZE
};

#define FIELD_ZERO	0x1u	/* a filter treats its absence as 0, except for `has` */
#define FIELD_BEHIND	0x4u	/* a filter also accepts it after "PROVIDER/" */
#define FIELD_SPAN	0x8u	/* of spans that the event begins, unless it has a duration */
#define FIELD_STOP	0x10u	/* ... that it ends */
#define FIELD_MADE	0x20u	/* not a key of the JSON: it is derived from another one */
#define FIELD_WHO	0x40u	/* needs what is known of threads (who.h) */
#define FIELD_ROWS	0x80u	/* follows from time order; costly in any other order */
#define FIELD_DELTA	0x100u	/* ... and from a pass over all rows (tnav/engine/deltas.h) */
#define FIELD_MIDDLE	0x200u	/* its texts begin alike: people see long ones cut in the middle */
#define FIELD_DUMP	0x2u	/* printed by dump on request; not allowed in a filter */

struct field_reader;
struct field_ref;
struct label_set;
struct span_info;

/* Fill the cell, which is CELL_NONE. */
typedef void (*field_fn)(struct field_reader *r, const struct event *e, uint64_t row,
    struct cell *c);

typedef void (*span_cell_fn)(struct trace *t, const struct span_info *i, struct buf *text,
    struct cell *c);

struct field_def {
	const char		*name;		/* in the filter language */
	const char		*json;		/* ... in the JSON, or NULL; both are read */
	const char		*title;		/* of a column; NULL: name */
	const char		*help;		/* one sentence */
	enum field_ref_kind	 kind;
	enum field_class	 class;
	enum field_of		 of;
	enum field_raw		 raw;
	uint8_t			 cost;		/* 0: decided once a type ... 7: the row's text */
	unsigned		 needs;		/* HAS_... of the trace, or 0 */
	unsigned		 flags;		/* FIELD_... */
	field_fn		 get;		/* of the header */
	field_fn		 also;		/* a second value that a filter compares, or NULL */
	span_cell_fn		 span;		/* FIELD_SPAN */
};

/*
 * The table: the fields of the header in the order of the JSON, then label.KEY and payload.FIELD,
 * which stand for any number; NULL at the end.
 */
const struct field_def	*field_def(unsigned i);
/* label.KEY or payload.FIELD. */
const struct field_def	*field_def_of(enum field_ref_kind kind);
const char		*field_json_name(const struct field_def *d);
/* Of a field of CLASS_FRAMES: modules, or methods? */
bool			 frames_are_modules(const struct field_def *d);
/* Does it need names of frames? The trace's namer has to be set then. */
bool			 field_needs_names(const struct field_ref *r);
/* May events of the trace have it? */
bool			 field_in_trace(const struct field_def *d, struct trace *t);
/* Does it, in this trace, need spans that have to be found first? (tnav/engine/spans.h) */
bool			 field_is_span(const struct field_def *d, struct trace *t);

/* A field that was requested by name. */
struct field_ref {
	const struct field_def	*def;
	char			*path;		/* key of a label, path of a payload; or NULL */
};

/* 0, or ERR_USAGE with one line in why. Whether any event has the name is not checked. */
int	field_ref_init(struct field_ref *r, const char *name, size_t len, struct buf *why);
/* The same for a plain name without quotes. */
int	field_ref_bare(struct field_ref *r, const char *name, struct buf *why);
/* Always a path into the payload; or the row's text. */
void	field_ref_payload(struct field_ref *r, const char *path);
void	field_ref_row_text(struct field_ref *r);
void	field_ref_release(struct field_ref *r);
/* What its value depends on in this trace: without labels, OF_META is OF_TYPE. */
enum field_of field_ref_of(const struct field_ref *r, struct trace *t);

/* A list like "t,name,tid,Depth,payload.Reason,label.TraceId". */
struct field_list {
	struct field_ref	*v;
	const char		**names;	/* as they were typed: titles and keys */
	size_t			 n;
	char			*text;
};

/* Does one of them have the flag? */
bool	field_list_has(const struct field_list *l, unsigned flag);
/* Bytes of the first name of a list; commas and blanks in quotes belong to it. */
size_t	field_name_len(const char *list);
/* 0, or ERR_USAGE and why says it in one line. */
int	field_list_init(struct field_list *l, const char *list, struct buf *why);
void	field_list_release(struct field_list *l);
/* The list of all keys that the JSON of this trace may have, of any trace if it is NULL; those that
   dump is asked for (crc, raw) only where that is said. */
void	field_list_all(struct buf *out, struct trace *t, bool rows, bool crc, bool raw);

enum field_words {
	WORDS_CHEAP,		/* cells have the words that cost nothing */
	WORDS_BARE,		/* no cell has any: what is compared is the value alone */
	WORDS_ALL,		/* ... and all others */
	WORDS_INSTEAD,		/* numbers of payloads that have words are texts (dump --enums) */
};

/* What the frames of a stack are: addresses, or what the trace's namer calls them. */
enum field_frames { FRAMES_ADDRESSES, FRAMES_RAW, FRAMES_CLEAN };

struct field_options {
	enum field_words words;
	enum field_frames frames;
	bool		 no_rows;	/* rows are not known and not looked for */
	size_t		 most;		/* bytes of an array or object that are of use; 0: all */
};

/*
 * One thread's reader of fields: scratch memory, what it knows of threads. What it gives stays
 * valid until it is asked again.
 */
struct field_reader	*field_reader_new(struct trace *t, const struct field_options *o);
void			 field_reader_free(struct field_reader *r);
/* The cells of n fields in one walk over the payload. row: the event's, or ROW_UNKNOWN. */
void	field_get(struct field_reader *r, const struct field_ref *f, size_t n,
	    const struct event *e, uint64_t row, struct cell *cells);
/* A field of the header that the trace has, alone; also: what else a filter compares. */
void	field_get_header(struct field_reader *r, const struct field_def *d, bool also,
	    const struct event *e, uint64_t row, struct cell *c);
/* The same for several fields of an event, one after another: what they share is looked up once.
   Turn to each event first; a cell is valid until the next one. */
void	field_turn(struct field_reader *r);
void	field_get_next(struct field_reader *r, const struct field_def *d, bool also,
	    const struct event *e, uint64_t row, struct cell *c);
/*
 * The values of a field one by one, as a filter is given them: elements of arrays, those of arrays
 * that the path goes through, a label given twice, the frames of a stack. Where there are several,
 * field_get() makes one CELL_RAW array of them. An object is one CELL_RAW; an empty array is no
 * value. The cell is valid during the call; fn gives 0, or what ends it and is returned. The cells
 * of the last field_get() stay valid.
 */
typedef int	(*field_cell_fn)(void *arg, const struct cell *c);
int	field_each(struct field_reader *r, const struct field_ref *f, const struct event *e,
	    uint64_t row, field_cell_fn fn, void *arg);
/* May the cell of the field stand for several values, or none? If not it is the only one. */
bool	field_is_list(const struct field_ref *f, const struct cell *c);
/* The bytes of the payload that the i-th of them was made from; p NULL: none. */
struct span field_bytes(const struct field_reader *r, size_t i);

/* Who a thread is. Valid until the next call with the reader, its texts until the trace's end. */
struct field_who {
	bool		 known, has_tid, has_pid;
	uint64_t	 tid, pid;	/* pid: 0 where V6 knows of none, as elsewhere */
	const char	*name;		/* or NULL */
	const char	*role, *process;	/* likewise, as tnav/engine/who.h has them */
	char		 number[24];	/* "#3", where it has no id */
};
const struct field_who *field_who(struct field_reader *r, uint32_t thread);	/* or NULL */

/*
 * The values of a payload's field one by one, until fn gives anything but 0: elements of an array
 * after the array itself, of an object nothing but the object. What lies past the payload's end
 * is left out. For comparisons, which need no cells.
 */
void	field_walk(const char *path, const struct event_type *type, struct span payload,
	    unsigned pointer_size, value_fn fn, void *arg);
/*
 * The first of them that is single and no object, by the plan of the path (or NULL) where that
 * tells; it borrows from the payload. False: the payload has no value there.
 */
bool	field_first(const struct payload_plan *plan, const char *path,
	    const struct event_type *type, struct span payload, unsigned pointer_size,
	    struct value *v);
/* A single value of a payload as a cell, which may borrow the text. */
void	field_value_cell(struct cell *c, const struct value *v, enum field_words words,
	    struct buf *text);

/*
 * The value as the filter language reads it back, so that "NAME = value" is true of the event.
 * False, and nothing is added: the language can't say it.
 */
bool	field_value(struct buf *out, const struct field_ref *f, const struct cell *c);
uint32_t	field_crc(struct span payload);
/* The time stamp as in the file; Heph: ns since 1970, by the epoch of the event. */
int64_t		field_ticks(const struct event *e, const struct event_extra *extra);
/* The addresses of the stack, which the reader keeps. */
size_t		 field_stack(struct field_reader *r, const struct event *e, const uint64_t **ips);
/* Append ["0x...",...]. */
void		field_stack_json(struct field_reader *r, struct buf *out, const struct event *e);
/* The labels of the event, which the reader keeps. */
const struct label_set *field_labels(struct field_reader *r, const struct event *e);
/* Append the payload as "key=value ...", and behind it " builtin={...}" where the event has such an
   object: whether it has is returned. What is read by plan has no note in res. */
bool		 field_payload_text(struct field_reader *r, struct buf *out, const struct event *e,
		    struct payload_result *res);
/* Append the text that a bare /regex/ searches: "provider/name provider/event thread key=value ...
   builtin={key=value ...} undecoded=N [label=value ...]". UTF-8, not cleaned. */
void		field_row_text(struct field_reader *r, struct buf *out, const struct event *e);
/* Append what it begins with, which follows from the type. */
void		field_row_names(struct buf *out, const struct event_type *type);
#endif
