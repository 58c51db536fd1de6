/*
 * The values of a payload in order, and values as text. The programs that give them:
 * tnav/model/program.h.
 */
#ifndef TNAV_MODEL_VALUE_H
#define TNAV_MODEL_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/model/type.h"

enum value_kind {
	VK_NULL,		/* the payload ended before the field */
	VK_BOOL,		/* u */
	VK_UINT,		/* u */
	VK_INT,			/* i */
	VK_F32,			/* f */
	VK_F64,			/* f */
	VK_GUID,		/* bytes: 16, as in the file */
	VK_FILETIME,		/* u: 100 ns since 1601 */
	VK_SYSTEMTIME,		/* bytes: 16, eight i16 */
	VK_TEXT16,		/* bytes: UTF-16LE without its NUL */
	VK_TEXT8,		/* bytes: UTF-8 */
	VK_BYTES,		/* bytes, to be shown in hex */
	VK_OBJECT, VK_OBJECT_END,
	VK_ARRAY, VK_ARRAY_END,
};

struct value {
	enum value_kind		 kind;
	const struct field	*field;		/* never NULL; elements: the array's field */
	struct span		 name;		/* UTF-8 that may have bad bytes: of the field or
						   the attribute. An element's is its array's */
	bool			 attribute;	/* (Heph): the payload has its name */
	bool			 plain_name;	/* known to be ASCII that JSON does not escape */
	bool			 labelled;	/* a blank lies before the name, "=" after it */
	bool			 element;	/* inside an array: has no name of its own */
	bool			 nested;	/* inside an object at a program's path */
	unsigned		 depth;		/* 0: a field of the event */
	uint32_t		 off, len;	/* bytes of the payload that it was read from; a
						   container's begin has len 0, its end has all */
	union {
		uint64_t	 u;
		int64_t		 i;
		double		 f;
		struct span	 bytes;
	};
};

/* Return 0 to go on, anything else to stop the walk (payload_walk gives it back). */
typedef int (*value_fn)(void *arg, const struct value *v);

struct payload_result {
	uint32_t	 undecoded;	/* bytes left over after the last field */
	const char	*error;		/* why the payload stopped, a constant text; or NULL */
	const char	*note;		/* a choice that the walk made ("booleans of one byte",
					   "DateTime of 16 bytes", "text with a count",
					   "decimals as doubles"), or NULL */
};

/*
 * Give every value of the payload to fn, in order. A field that lies past the payload's end is
 * VK_NULL with error set, and so are all fields after it at that level; nothing is read beyond.
 * A type without fields gives no value and undecoded = the payload's size.
 * If the payload does not have the declared encoding but exactly fits a known variant (one-byte
 * booleans, 16-byte DateTime, counted text in a lone CHAR8, decimals as doubles), the variant is
 * used and noted.
 */
int	payload_walk(const struct event_type *t, struct span payload, value_fn fn, void *arg,
	    struct payload_result *res);

/*
 * Some tracepoints of Linux declare fewer fields than they write. If a payload exactly fits the
 * kernel's layout, all its fields are given in an object `builtin` after the declared ones.
 */
const struct builtin	*builtin_find(const struct event_type *t);	/* or NULL */
const struct field	*builtin_object(const struct event_type *t);	/* its field, or NULL */
/* Does the payload of the event with this id have the layout, which is only known for pointers of 8
   bytes? If so, it is cut to the layout's bytes. */
bool	builtin_fits(const struct builtin *b, uint32_t id, struct span *payload);

/* The event that the kernel writes when it switches from one thread to another: its ids and names
   of threads. The names may have any bytes. */
struct builtin_switch {
	uint32_t	prev_pid, next_pid;
	struct span	prev_comm, next_comm;
	bool		prev_runnable;	/* it was preempted, it does not wait */
};

/* False: it is no such event, or does not have the layout. */
bool	builtin_switch(const struct event_type *t, struct span payload,
	    struct builtin_switch *out);

/* The kernel's id of a thread that was made runnable, and whether an interrupt did it. */
struct builtin_wakeup {
	uint32_t	pid;
	bool		in_interrupt;
};

/* The same for sched_wakeup, sched_wakeup_new and sched_waking. */
bool	builtin_wakeup(const struct event_type *t, struct span payload,
	    struct builtin_wakeup *out);
/* payload_walk(), then the object. */
int	payload_walk_all(const struct event_type *t, struct span payload, value_fn fn, void *arg,
	    struct payload_result *res);

/* Append the value as readable text: 7, 0x1f, "text" unquoted, hex for bytes, with the enum's
   word after its number: "0 AllocSmall". Not cleaned: the caller does that. */
void	value_text(struct buf *out, const struct value *v);
/* The i-th value of the field's map, and its word: "-1 SocketError". */
void	value_name_text(struct buf *out, const struct field *f, uint32_t i);
/* Append as a JSON value: see doc/tnav.1.in for the forms. Not for containers. */
void	value_json(struct buf *out, const struct value *v, bool enum_names);
/* The words of a number by the field's map: "AllocSmall", "Jitted|Dynamic|0x40". False: none. */
bool	value_words(struct buf *out, const struct value_map *map, uint64_t v);
/* A number of a payload without its words, as value_text() spells it. */
void	value_number_text(struct buf *out, const struct value *v);
/* The words of a number in a payload, if its field has a map: a sum of bits has no sign. */
bool	value_number_words(struct buf *out, const struct value *v);

/* JSON text of a string, with quotes; bad bytes become U+FFFD, controls \u00XX. */
void	json_text8(struct buf *out, struct span utf8);
void	json_name(struct buf *out, struct span utf8);	/* likewise, and the colon after it */
void	json_text16(struct buf *out, struct span utf16le);
void	guid_text(struct buf *out, const uint8_t guid[16]);	/* 8-4-4-4-12, lower case */

/* The whole payload as one JSON object; and as "key=value key=value" for rows and searches. */
void	payload_json(struct buf *out, const struct event_type *t, struct span payload,
	    bool enum_names, struct payload_result *res);
/* payload_json() for attributes. A name that occurs twice has an array as its value. */
void	attributes_json(struct buf *out, const struct event_type *t, struct span payload,
	    struct payload_result *res);
/* The object builtin alone as JSON. False, and nothing is added: the event has none. */
bool	builtin_json(struct buf *out, const struct event_type *t, struct span payload);
void	payload_line(struct buf *out, const struct event_type *t, struct span payload,
	    struct payload_result *res);
/* Append " builtin={key=value ...}" to the line, if the event has such an object. */
void	builtin_line(struct buf *out, const struct event_type *t, struct span payload);
/*
 * Append only the parts of both lines that are neither names nor texts, with blanks between them,
 * and the number of bytes after the last field if there are any. Numbers of fewer than `shortest`
 * digits may be left out. So a text of at least so many bytes, without a separator, that is found
 * in the lines but not in this output lies in a name or in a text.
 */
void	payload_numbers(struct buf *out, const struct event_type *t, struct span payload,
	    size_t shortest);

#endif
