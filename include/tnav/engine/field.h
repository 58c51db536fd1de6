/*
 * The only table of event fields. Filter, columns, `dump -e`, `stats --by`, tally, details,
 * completion, help and the man page are made from it: a new field is one entry in
 * src/engine/field/event_fields.c.
 *
 *	"tid"			FIELD_HEADER	an entry of the table
 *	"stack[3]"		FIELD_FRAME	path "stack[3]", number 3
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
#include "tnav/engine/derived.h"
#include "tnav/engine/trace.h"
#include "tnav/model/cell.h"
#include "tnav/model/value.h"

/* The kind of values, which decides the operators and literals that fit. */
enum field_class {
	CLASS_TEXT, CLASS_NUMBER, CLASS_BYTES, CLASS_LEVEL, CLASS_KEYWORDS, CLASS_OPCODE,
	CLASS_TIME, CLASS_DUR, CLASS_STACK, CLASS_GUID,
	CLASS_FRAMES,	/* texts: names in the frames of a stack */
	CLASS_ANY,	/* depends on the event */
};

/* What a field's value depends on: counts and caches read it once for each of these. */
enum field_of {
	OF_TYPE, OF_META,	/* META: of the type, unless labels override it */
	OF_THREAD, OF_EVENT, OF_PAYLOAD
};

enum field_ref_kind { FIELD_HEADER, FIELD_FRAME, FIELD_LABEL, FIELD_PAYLOAD, FIELD_ROW_TEXT };

/* The number of struct event that orders the field's values. */
enum field_raw {
	RAW_NONE, RAW_TIME, RAW_TICKS,	/* ts; TICKS: if it has no epoch */
	RAW_DUR, RAW_CPU, RAW_SEQ, RAW_SIZE
};

#define FIELD_ZERO	0x1u	/* a filter treats its absence as 0, except for `has` */
#define FIELD_QUALIFIED	0x4u	/* a filter also accepts it after "PROVIDER/" */
#define FIELD_STOP	0x10u	/* of spans that the event ends, not of those that it begins */
#define FIELD_MADE	0x20u	/* not a key of the JSON: it is derived from another one */
#define FIELD_ROWS	0x80u	/* depends on the time order; costly in any other order */
#define FIELD_MIDDLE	0x200u	/* its texts begin alike: long ones are cut in the middle */
#define FIELD_DUMP	0x2u	/* printed by dump on request; not allowed in a filter, but ... */
#define FIELD_BUILTIN	0x400u	/* ... this one is beside the payload: a filter finds its fields */

struct field_reader;
struct field_ref;
struct label_set;
struct span_info;

/* Fill the cell, which is CELL_NONE. */
typedef void (*field_fn)(struct field_reader *r, const struct event *e, struct cell *c);

/* The same from a span; text may be appended to. */
typedef void (*field_span_fn)(struct trace *t, const struct span_info *i, struct buf *text,
    struct cell *c);

struct field_def {
	const char		*name;		/* in the filter language */
	enum field_class	 class;
	enum field_of		 of;
	uint8_t			 cost;		/* 0: once per type ... 7: the row's text */
	const char		*help;		/* one sentence */
	const char		*json;		/* its name in the JSON, or NULL; both are read */
	const char		*title;		/* of a column; NULL: name */
	enum field_ref_kind	 kind;
	enum field_raw		 raw;
	unsigned		 needs;		/* HAS_... of the trace, or 0 */
	unsigned		 flags;		/* FIELD_... */
	unsigned		 derived;	/* NEEDS_...: facts that it shows */
	field_fn		 get;		/* of the header; NULL: only spans have it */
	field_fn		 also;		/* a second value that a filter compares, or NULL */
	field_span_fn		 span;		/* of spans, unless events have it themselves; or
						   NULL */
	const char *const	*words;		/* all values it may have, NULL at the end; NULL:
						   any text */
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
/* The derived facts that it needs in this trace, or (t NULL) in any: NEEDS_..., or 0. */
unsigned		 field_needs(const struct field_ref *r, struct trace *t);
/* May events of the trace have it? */
bool			 field_in_trace(const struct field_def *d, struct trace *t);
/* Does it come from spans in this trace? */
bool			 field_is_span(const struct field_def *d, struct trace *t);

/* A field that was requested by name. */
struct field_ref {
	const struct field_def	*def;
	char			*path;		/* key of a label, path of a payload; or NULL */
	unsigned		 frame;		/* of FIELD_FRAME: 0 is the innermost */
};

/* 0, or ERR_USAGE with one line in why. Whether any event has the name is not checked. */
int	field_ref_init(struct field_ref *r, const char *name, size_t len, struct buf *why);
/* The same for a plain name without quotes. */
int	field_ref_bare(struct field_ref *r, const char *name, struct buf *why);
/* A path into the payload, never another field; the row's text. */
void	field_ref_payload(struct field_ref *r, const char *path);
void	field_ref_row_text(struct field_ref *r);
void	field_ref_release(struct field_ref *r);
/* What its value depends on in this trace: without labels, OF_META is OF_TYPE. */
enum field_of field_ref_of(const struct field_ref *r, struct trace *t);

/* A list like "t,name,tid,Depth,payload.Reason,label.TraceId". */
struct field_list {
	struct field_ref	*v;
	const char		**names;	/* as typed, for filters */
	char			**titles;	/* without quotes: titles and keys; or NULL */
	size_t			 n;
	char			*text;
};

/* Does one of them have the flag? */
bool	field_list_has(const struct field_list *l, unsigned flag);
/* What they need, as field_needs(). */
unsigned field_list_needs(const struct field_list *l, struct trace *t);
/* Bytes of the first name of a list; commas and blanks in quotes belong to it. */
size_t	field_name_len(const char *list);
/* The name without the quotes of its last part: payload."a b" is payload.a b. To be freed. */
char	*field_title(const char *name, size_t len);
/* 0, or ERR_USAGE and why says it in one line. */
int	field_list_init(struct field_list *l, const char *list, struct buf *why);
/* Remove a field of the header. */
void	field_list_drop(struct field_list *l, const char *name);
bool	field_list_titled(const struct field_list *l, const char *title);
void	field_list_release(struct field_list *l);
/* All keys that the JSON of this trace may have, or of any trace if t is NULL. rows, crc and raw:
   also these. */
void	field_list_all(struct field_list *l, struct trace *t, bool rows, bool crc, bool raw);

enum field_words {
	WORDS_CHEAP,		/* cells have only the words that cost nothing */
	WORDS_BARE,		/* cells have no words: only values are compared */
	WORDS_ALL,		/* cells have all words */
	WORDS_INSTEAD,		/* numbers of payloads that have words are texts (dump --enums) */
};

/* The form of a stack's frames: addresses, or names by the trace's namer. */
enum field_frames { FRAMES_ADDRESSES, FRAMES_RAW, FRAMES_CLEAN };

struct field_options {
	enum field_words words;
	enum field_frames frames;
	bool		 no_rows;	/* rows are not known and not looked up */
	size_t		 most;		/* bytes of an array or object that are needed; 0: all */
};

/*
 * A reader of fields, for one thread: scratch memory and cached data of threads. What it returns
 * stays valid until the next call.
 */
struct field_reader	*field_reader_new(struct trace *t, const struct field_options *o);
void			 field_reader_free(struct field_reader *r);
/* Set the form of frames from now on. */
void			 field_reader_frames(struct field_reader *r, enum field_frames frames);
/* The cells of n fields. row: the event's, or ROW_UNKNOWN. */
void	field_get(struct field_reader *r, const struct field_ref *f, size_t n,
	    const struct event *e, uint64_t row, struct cell *cells);
/* A single field of the header that the trace has. also: its second value, for filters. */
void	field_get_header(struct field_reader *r, const struct field_def *d, bool also,
	    const struct event *e, uint64_t row, struct cell *c);
/* The same for several fields of an event, one after another; shared data is looked up once. Call
   field_turn() before each event; a cell is valid until the next field_turn(). */
void	field_turn(struct field_reader *r);
void	field_get_next(struct field_reader *r, const struct field_def *d, bool also,
	    const struct event *e, uint64_t row, struct cell *c);
/*
 * Call fn for each value of a field, as a filter compares them: elements of arrays, including
 * arrays on the path, a label given twice, the frames of a stack. field_get() makes one CELL_RAW
 * array of several values. An object is one CELL_RAW; an empty array has no value. The cell is
 * valid during the call. If fn returns anything but 0, that ends the calls and is returned. The
 * cells of the last field_get() stay valid.
 */
typedef int	(*field_cell_fn)(void *arg, const struct cell *c);
int	field_each(struct field_reader *r, const struct field_ref *f, const struct event *e,
	    uint64_t row, field_cell_fn fn, void *arg);
/* Is this cell an array of values, or the first of several? If not, it is the only value. */
bool	field_is_list(const struct field_ref *f, const struct cell *c);
/* The bytes of the payload from which the i-th cell of field_get() was made; p NULL: none. */
struct span field_bytes(const struct field_reader *r, size_t i);

/* Ids and names of a thread. Valid until the next call with the reader; the texts until the trace
   is closed. */
struct field_who {
	bool		 known, has_tid, has_pid;
	uint64_t	 tid, pid;	/* pid: 0 if it is not known */
	const char	*name;		/* or NULL */
	const char	*role, *process;	/* or NULL; see tnav/engine/thread_names.h */
	char		 number[24];	/* "#3", if it has no id */
	uint32_t	 source;	/* of joined traces */
};
const struct field_who *field_who(struct field_reader *r, uint32_t thread);	/* or NULL */

/* A single value of a payload as a cell, which may borrow the text. */
void	field_value_cell(struct cell *c, const struct value *v, enum field_words words,
	    struct buf *text);

/*
 * Append the value as a literal of the filter language, so that "NAME = value" matches the event.
 * False: nothing is added, because the language has no literal for it.
 */
bool	field_value(struct buf *out, const struct field_ref *f, const struct cell *c);
uint32_t	field_crc(struct span payload);
/* The time stamp as in the file; Heph: ns since 1970, by the epoch of the event. */
int64_t		field_ticks(const struct event *e, const struct event_extra *extra);
/* The addresses of the stack, owned by the reader. */
size_t		 field_stack(struct field_reader *r, const struct event *e, const uint64_t **ips);
/* Append ["0x...",...]. */
void		field_stack_json(struct field_reader *r, struct buf *out, const struct event *e);
/* Write n addresses in at most n * STACK_TEXT_EACH + STACK_TEXT_ENDS bytes; returns the end. */
typedef char	*(*stack_text_fn)(char *to, const uint64_t *ips, size_t n);
#define STACK_TEXT_EACH	28u
#define STACK_TEXT_ENDS	16u
/* Append the text that write makes of the event's addresses, and keep it for its next event. */
void		 field_stack_text(struct field_reader *r, struct buf *out, const struct event *e,
		    stack_text_fn write);
/* The labels of the event, owned by the reader. */
const struct label_set *field_labels(struct field_reader *r, const struct event *e);
/* Append the payload as "key=value ...", then " builtin={...}" if the event has such an object.
   Returns whether it has one. A payload that is read by a plan has no note in res. */
bool		 field_payload_text(struct field_reader *r, struct buf *out, const struct event *e,
		    struct payload_result *res);
/* Append the text that a bare /regex/ searches: "provider/name provider/event thread key=value ...
   builtin={key=value ...} undecoded=N [label=value ...]". UTF-8, not cleaned. */
void		field_row_text(struct field_reader *r, struct buf *out, const struct event *e);
/* Append the first part of that text, which depends on the type alone. */
void		field_row_names(struct buf *out, const struct event_type *type);
#endif
