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
	CELL_NONE,	/* does not exist: JSON leaves the key out */
	CELL_NULL,	/* exists, but has no value */
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
	CELL_PLAIN,	/* text: formatted already, and quoted in JSON: a date */
	CELL_RAW,	/* text: a JSON number, array or object, printed as it is */
	CELL_SPARK,	/* spark: counts in equal parts of an interval; a JSON array */
};

/* How text shows it. JSON depends on the kind alone, except for SHOW_POINT. */
enum cell_show {
	SHOW_HEX	= 0x1,		/* a whole number as 0x... */
	SHOW_GROUPED	= 0x2,		/* 1,234,567 */
	SHOW_WORD	= 0x4,		/* its word in place of the number or text */
	SHOW_POINT	= 0x8,		/* a float that is a whole number has .0, in JSON too;
					   rounded, it has one decimal */
	SHOW_ROUNDED	= 0x10,		/* a float of few digits: a measure */
	SHOW_ALIGNED	= 0x20,		/* for a column: keeps trailing zeros */
	SHOW_NAME	= 0x80,		/* a name: text is as in the trace, word is clean */
	SHOW_MANY	= 0x40,		/* the first of several values: field_each() gives all */
};

struct cell_spark {
	const uint64_t	*part;
	const float	*lost;		/* events lost in each part, or NULL */
	uint32_t	 n, known;	/* known: how many parts are counted so far */
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
	/* The meaning of the value, if the trace or a built-in table has one: "AllocSmall",
	   "warning", "GC Loader", the path of an activity. p NULL: none. A cell without a value may
	   have a word: an opcode that only the table knows. */
	struct span	word;
};

bool		cell_is_number(enum cell_kind kind);	/* times and shares are numbers, too */

/* Does not exist: JSON leaves the key out. */
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

static inline struct cell
cell_bytes(uint64_t bytes)
{
	return (struct cell){ .kind = CELL_BYTES, .u = bytes };
}

static inline struct cell
cell_address(uint64_t ip)
{
	return (struct cell){ .kind = CELL_ADDRESS, .u = ip };
}

static inline struct cell
cell_guid(const uint8_t guid[16])
{
	return (struct cell){ .kind = CELL_GUID, .text = { guid, 16 } };
}

/* Null if the whole is not more than 0. */
static inline struct cell
cell_share(double part, double whole)
{
	if (!(whole > 0))
		return cell_null();
	return (struct cell){ .kind = CELL_SHARE, .f = part / whole };
}

static inline struct cell
cell_hex(uint64_t v)
{
	return (struct cell){ .kind = CELL_U64, .show = SHOW_HEX, .u = v };
}

struct cell	cell_u64(uint64_t v);
struct cell	cell_i64(int64_t v);
struct cell	cell_f64(double v);		/* a measure: text rounds it */
struct cell	cell_bool(bool v);
struct cell	cell_time(int64_t ns);		/* not INFO_NO_TIME */
struct cell	cell_dur(int64_t ns);
struct cell	cell_str(const char *s);	/* NULL: CELL_NULL. Borrows s */
struct cell	cell_name(const char *s);	/* an empty one is shown as "(no name)" */
struct cell	cell_unknown(void);		/* null in JSON, shown as "unknown" */
struct cell	cell_raw(const char *json, size_t len);

/*
 * Append the cell as readable text: numbers grouped or in hex as show says and followed by their
 * words, durations and times with units. Not cleaned.
 */
void	cell_text(struct buf *out, const struct cell *c, bool ascii);
/* Append the cell as a JSON value; CELL_NONE is null. */
void	cell_json(struct buf *out, const struct cell *c);

#endif
