/*
 * The one table of event fields. Filter, columns, `dump -e`, `stats --by`, tally, details,
 * completion, help and the man page are made from it: a new field is one entry in
 * src/engine/field/table.c.
 *
 *	"tid"			FIELD_HEADER	an entry of the table
 *	"label.TraceId"		FIELD_LABEL	key "TraceId"
 *	"payload.Reason"	FIELD_PAYLOAD	path "Reason"; as any other bare name
 *	payload."odd name"	FIELD_PAYLOAD	quoted as the filter language quotes
 *
 * A field gives a list of cells: none (the event lacks it), one, or several (elements of an array
 * that the path goes through, a label given twice, frames).
 */
#ifndef TNAV_ENGINE_FIELD_H
#define TNAV_ENGINE_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"
#include "tnav/model/cell.h"

/* What values a field has, hence which operators and literals fit it. */
enum field_class {
	CLASS_TEXT, CLASS_NUMBER, CLASS_BYTES, CLASS_LEVEL, CLASS_KEYWORDS, CLASS_OPCODE,
	CLASS_TIME, CLASS_DUR, CLASS_STACK, CLASS_GUID,
	CLASS_ANY,	/* known at the event only */
};

/* What its value follows from: who counts or caches asks once for each of these. */
enum field_of {
	OF_TYPE,
	OF_META,	/* of the type, unless labels override it */
	OF_THREAD,
	OF_EVENT,
	OF_PAYLOAD,
};

struct field_def {
	const char		*name;		/* as the filter language and the JSON call it */
	const char		*title;		/* of a column */
	const char		*help;		/* one sentence */
	enum field_class	 class;
	enum field_of		 of;
	uint8_t			 cost;		/* 0: decided once a type ... 7: the row's text */
	unsigned		 needs;		/* HAS_... of the trace, or 0 */
};

/* The fields of the header by number, NULL at the end; not label.KEY and payload.FIELD. */
const struct field_def	*field_def(unsigned i);

enum field_place { FIELD_HEADER, FIELD_LABEL, FIELD_PAYLOAD };

/* A field that was asked for by name. */
struct field_ref {
	enum field_place	 place;
	const struct field_def	*def;		/* of a label or a payload field: a general one */
	unsigned		 id;		/* FIELD_HEADER: index of field_def() */
	char			*path;		/* key or path; else NULL */
};

/* 0, or ERR_USAGE with one line in why. Whether the trace has such a field is field_check()'s. */
int	field_ref_init(struct field_ref *r, const char *name, size_t len, struct buf *why);
void	field_ref_release(struct field_ref *r);
/* May events of the trace have it? If not, why says so with near names. Complete index only. */
bool	field_check(const struct field_ref *r, struct trace *t, struct buf *why);

/*
 * One thread's reader of fields: scratch memory, what it knows of types and threads. The cells of
 * an event stay valid until the next field_get() of the same reader with the same ref.
 */
struct field_reader;

struct field_reader	*field_reader_new(struct trace *t);
void			 field_reader_free(struct field_reader *r);
/* How many cells there are, at *cells. row: the event's, or ROW_UNKNOWN. */
size_t	field_get(struct field_reader *r, const struct field_ref *f, const struct event *e,
	    uint64_t row, const struct cell **cells);
/*
 * The values of several fields in one walk over the payload; one cell each: several values are one
 * CELL_RAW array. This is what columns, -e and --by ask for.
 */
void	field_get_row(struct field_reader *r, const struct field_ref *f, size_t n,
	    const struct event *e, uint64_t row, struct cell *cells);

/* The value as the filter language reads it back, so that "NAME = value" is true of the event.
   False: the language can't say it. */
bool	field_value(struct buf *out, const struct cell *c);

#endif
