/*
 * Functions that make cells. Cells borrow their texts.
 */
#include "tnav/model/cell.h"

#include <string.h>

bool
cell_is_number(enum cell_kind kind)
{
	switch (kind) {
	case CELL_U64:
	case CELL_I64:
	case CELL_F32:
	case CELL_F64:
	case CELL_BYTES:
	case CELL_TIME:
	case CELL_DUR:
	case CELL_SHARE:
		return true;
	default:
		return false;
	}
}

struct cell
cell_u64(uint64_t v)
{
	return (struct cell){ .kind = CELL_U64, .u = v };
}

struct cell
cell_i64(int64_t v)
{
	return (struct cell){ .kind = CELL_I64, .i = v };
}

struct cell
cell_f64(double v)
{
	return (struct cell){ .kind = CELL_F64, .show = SHOW_ROUNDED, .f = v };
}

struct cell
cell_bool(bool v)
{
	return (struct cell){ .kind = CELL_BOOL, .u = v };
}

struct cell
cell_time(int64_t ns)
{
	return (struct cell){ .kind = CELL_TIME, .i = ns };
}

struct cell
cell_dur(int64_t ns)
{
	return (struct cell){ .kind = CELL_DUR, .i = ns };
}

struct cell
cell_str(const char *s)
{
	if (s == NULL)
		return cell_null();
	return (struct cell){ .kind = CELL_TEXT, .text = { (const uint8_t *)s, strlen(s) } };
}

struct cell
cell_name(const char *s)
{
	struct cell	c = cell_str(s);

	if (c.kind == CELL_TEXT && c.text.len == 0)
		c.word = (struct span){ (const uint8_t *)"(no name)", 9 };
	return c;
}

struct cell
cell_unknown(void)
{
	return (struct cell){ .kind = CELL_NULL, .word = { (const uint8_t *)"unknown", 7 } };
}

struct cell
cell_raw(const char *json, size_t len)
{
	return (struct cell){ .kind = CELL_RAW, .text = { (const uint8_t *)json, len } };
}
