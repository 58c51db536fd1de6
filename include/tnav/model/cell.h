/*
 * One typed value of an event or of a row of a table. What a column shows, `dump` prints, `stats`
 * groups by and a filter compares is the same cell.
 *
 * A cell borrows what it points to; the function that returns it says for how long.
 */
#ifndef TNAV_MODEL_CELL_H
#define TNAV_MODEL_CELL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

enum cell_kind {
	CELL_NONE,	/* there is no such thing: JSON leaves the key out */
	CELL_NULL,	/* there is, but it has no value */
	CELL_BOOL,	/* u */
	CELL_U64,	/* u */
	CELL_I64,	/* i */
	CELL_F32,	/* f: a float; its shortest spelling is another than a double's */
	CELL_F64,	/* f */
	CELL_HEX,	/* u as 0x...; a string in JSON: bits */
	CELL_ADDRESS,	/* u as 0x...; a string in JSON: a place in memory */
	CELL_BYTES,	/* u: a number of bytes */
	CELL_TIME,	/* i: ns since the sync time */
	CELL_DUR,	/* i: ns */
	CELL_SHARE,	/* f: 0 to 1 */
	CELL_TEXT,	/* text: any bytes */
	CELL_GUID,	/* text: 16 bytes, as in the file */
	CELL_BLOB,	/* text: any bytes, spelled in hex */
	CELL_PLAIN,	/* text: spelled already, and quoted in JSON: a date */
	CELL_RAW,	/* text: a JSON number, array or object, taken as it is */
	CELL_SPARK,	/* spark: counts by equal part of a time; a JSON array */
};

/* How people see it; programs see the value as its kind says. */
enum cell_show {
	SHOW_HEX	= 0x1,		/* a whole number as 0x... */
	SHOW_GROUPED	= 0x2,		/* 1,234,567 */
	SHOW_WORD	= 0x4,		/* its word in place of the number */
	SHOW_POINT	= 0x8,		/* JSON, too: a float that is a whole number has .0 */
	SHOW_ROUNDED	= 0x10,		/* a float of few digits: a measure */
	SHOW_ALIGNED	= 0x20,		/* with the zeros at its end: it stands in a column */
	SHOW_MANY	= 0x40,		/* the first of several values: field_each() gives all */
};

struct cell_spark {
	const uint64_t	*part;
	const float	*lost;		/* events lost in each part, or NULL */
	uint32_t	 n, known;	/* known: the first parts, which are counted */
};

struct cell {
	enum cell_kind	kind;
	unsigned	show;		/* SHOW_... */
	union {
		uint64_t	u;
		int64_t		i;
		double		f;
		struct span	text;
		struct cell_spark spark;
	};
	/* What a value means, where the trace or a built-in table knows: "AllocSmall", "warning",
	   "GC Loader", the path of an activity. p NULL: nothing. A cell without a value may have
	   one: an opcode that only the table knows. */
	struct span	word;
};

bool		cell_is_number(enum cell_kind kind);	/* times and shares are numbers, too */

/* No such thing: JSON leaves the key out. */
static inline struct cell
cell_none(void)
{
	return (struct cell){ .kind = CELL_NONE };
}

/* Without a value. */
static inline struct cell
cell_null(void)
{
	return (struct cell){ .kind = CELL_NULL };
}

struct cell	cell_u64(uint64_t v);
struct cell	cell_i64(int64_t v);
struct cell	cell_f64(double v);		/* a measure: text rounds it */
struct cell	cell_bool(bool v);
struct cell	cell_time(int64_t ns);		/* INFO_NO_TIME is for the caller to see to */
struct cell	cell_dur(int64_t ns);
struct cell	cell_str(const char *s);	/* NULL: CELL_NULL. Borrows s */
struct cell	cell_name(const char *s);	/* people read "(no name)" of an empty one */
struct cell	cell_unknown(void);		/* null; people read "unknown" */
struct cell	cell_raw(const char *json, size_t len);

/*
 * Append the cell as people read it: numbers grouped and in hex as show says, after a number its
 * word, durations and times with their units. Not cleaned.
 */
void	cell_text(struct buf *out, const struct cell *c, bool ascii);
/* Append the cell as a JSON value; CELL_NONE is null. */
void	cell_json(struct buf *out, const struct cell *c);

#endif
