/*
 * Cells as readable text, and as JSON.
 *
 *	cell			text			JSON
 *	U64 1 "Induced"		1 Induced		1
 *	U64 3 "warning", WORD	warning			3
 *	TEXT A+B.C(int32), WORD	A.B.C(int)		"A+B.C(int32)"
 *	HEX 0x9 "GC Loader"	0x9 GC Loader		"0x9"
 *	NONE "Start"		Start			null
 *	DUR 1204311		1.204 ms		1204311
 *	GUID, of //1/2		//1/2			"00000212-..."
 */
#include "tnav/model/cell.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/units.h"
#include "tnav/model/value.h"

/* ---- readable text */

static void
put_word(struct buf *out, const struct cell *c, const char *before)
{
	if (c->word.p == NULL)
		return;
	buf_puts(out, before);
	buf_add(out, c->word.p, c->word.len);
}

static void
put_number(struct buf *out, const struct cell *c)
{
	if (c->show & SHOW_HEX) {
		buf_puts(out, "0x");
		buf_hex(out, c->u, 1);
	} else if (c->show & SHOW_GROUPED) {
		if (c->kind == CELL_I64 && c->i < 0)
			buf_putc(out, '-');
		buf_grouped(out, c->kind == CELL_I64 && c->i < 0 ? -(uint64_t)c->i : c->u);
	} else if (c->kind == CELL_I64) {
		buf_i64(out, c->i);
	} else {
		buf_u64(out, c->u);
	}
	put_word(out, c, " ");
}

/* In groups of three digits where each digit is sure. */
static void
put_rounded(struct buf *out, const struct cell *c)
{
	int	 digits = c->show & SHOW_POINT ? 1 :
		    c->show & SHOW_ALIGNED || fabs(c->f) < 10 ? 4 : 1;
	char	 text[32], *point;
	uint64_t whole;

	if ((c->show & SHOW_GROUPED) == 0 || fabs(c->f) >= 0x1p53) {
		buf_printf(out, "%.*f", digits, c->f);
		return;
	}
	(void)snprintf(text, sizeof text, "%.*f", digits, fabs(c->f));
	whole = strtoull(text, &point, 10);
	if (signbit(c->f))
		buf_putc(out, '-');
	buf_grouped(out, whole);
	buf_puts(out, point);
}

static void
put_float(struct buf *out, const struct cell *c)
{
	if (c->show & SHOW_ROUNDED && isfinite(c->f))
		put_rounded(out, c);
	else if (c->kind == CELL_F32)
		buf_f32(out, (float)c->f);
	else
		buf_f64(out, c->f);
}

/* Bytes as hex digits or as a GUID. */
static void
put_bytes(struct buf *out, const struct cell *c)
{
	if (c->kind == CELL_GUID && c->text.len == 16)
		guid_text(out, c->text.p);
	else
		buf_bytes_hex(out, c->text.p, c->text.len);
}

/* "12.8 %", rounded as printf() does. A value too close to halfway is left to printf(). */
static void
put_percent(struct buf *out, double v)
{
	double		tenths = v * 10, rest;
	uint64_t	n;

	if (!(v >= 0 && v < 1e6)) {
		buf_printf(out, "%.1f %%", v);
		return;
	}
	n = (uint64_t)tenths;
	rest = tenths - (double)n;
	if (rest > 0.499 && rest < 0.501) {
		buf_printf(out, "%.1f %%", v);
		return;
	}
	n += rest > 0.5;
	buf_u64(out, n / 10);
	buf_putc(out, '.');
	buf_u64(out, n % 10);
	buf_puts(out, " %");
}

void
cell_text(struct buf *out, const struct cell *c, bool ascii)
{
	if (c->show & SHOW_WORD && c->word.p != NULL) {
		put_word(out, c, "");
		return;
	}
	switch (c->kind) {
	case CELL_NONE:
		put_word(out, c, "");
		break;
	case CELL_NULL:
		if (c->word.p != NULL)
			put_word(out, c, "");
		else
			buf_puts(out, "null");
		break;
	case CELL_BOOL:
		buf_puts(out, c->u ? "true" : "false");
		break;
	case CELL_U64: case CELL_I64:
		put_number(out, c);
		break;
	case CELL_F32: case CELL_F64:
		put_float(out, c);
		break;
	case CELL_HEX: case CELL_ADDRESS:
		buf_puts(out, "0x");
		buf_hex(out, c->u, 1);
		put_word(out, c, " ");
		break;
	case CELL_BYTES:
		buf_grouped(out, c->u);
		break;
	case CELL_TIME:
		units_secs(out, c->i, 9);
		break;
	case CELL_DUR:
		if (c->show & SHOW_ALIGNED)
			units_dur_aligned(out, c->i, ascii);
		else
			units_dur(out, c->i, ascii);
		break;
	case CELL_SHARE:
		put_percent(out, c->f * 100);
		break;
	case CELL_GUID:
		if (c->word.p != NULL)
			put_word(out, c, "");
		else
			put_bytes(out, c);
		break;
	case CELL_BLOB:
		put_bytes(out, c);
		break;
	case CELL_TEXT: case CELL_PLAIN: case CELL_RAW:
		if (c->text.len > 0)
			buf_add(out, c->text.p, c->text.len);
		else
			put_word(out, c, "");
		break;
	case CELL_SPARK:
		break;
	}
}

/* ---- JSON */

static void
json_float(struct buf *out, const struct cell *c)
{
	size_t	start = out->len;

	if (!isfinite(c->f)) {
		buf_puts(out, "null");
		return;
	}
	if (c->kind == CELL_F32)
		buf_f32(out, (float)c->f);
	else
		buf_f64(out, c->f);
	if (c->show & SHOW_POINT && strcspn(buf_str(out) + start, ".e") == out->len - start)
		buf_puts(out, ".0");
}

static void
json_spark(struct buf *out, const struct cell_spark *spark)
{
	buf_putc(out, '[');
	for (uint32_t i = 0; i < spark->n; i++) {
		if (i > 0)
			buf_putc(out, ',');
		buf_u64(out, spark->part[i]);
	}
	buf_putc(out, ']');
}

void
cell_json(struct buf *out, const struct cell *c)
{
	switch (c->kind) {
	case CELL_NONE: case CELL_NULL:
		buf_puts(out, "null");
		break;
	case CELL_BOOL:
		buf_puts(out, c->u ? "true" : "false");
		break;
	case CELL_U64: case CELL_BYTES:
		buf_u64(out, c->u);
		break;
	case CELL_I64: case CELL_TIME: case CELL_DUR:
		buf_i64(out, c->i);
		break;
	case CELL_F32: case CELL_F64: case CELL_SHARE:
		json_float(out, c);
		break;
	case CELL_HEX: case CELL_ADDRESS:
		buf_puts(out, "\"0x");
		buf_hex(out, c->u, 1);
		buf_putc(out, '"');
		break;
	case CELL_GUID: case CELL_BLOB:
		buf_putc(out, '"');
		put_bytes(out, c);
		buf_putc(out, '"');
		break;
	case CELL_TEXT: case CELL_PLAIN:
		json_text8(out, c->text);
		break;
	case CELL_RAW:
		buf_add(out, c->text.p, c->text.len);
		break;
	case CELL_SPARK:
		json_spark(out, &c->spark);
		break;
	}
}
