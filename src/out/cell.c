/*
 * Cells: one value, four spellings.
 *
 *	kind	text			jsonl		csv			tsv
 *	TEXT	cleaned			"escaped"	"quoted, ""guarded"	\t \n \\
 *	PLAIN	cleaned			"escaped"	"quoted"		\t \n \\
 *	TIME	1.604311000 or UTC	1604311000	1604311000 or UTC	the same
 *	RAW	unchanged	unchanged	quoted			unchanged, escaped
 *
 * Invariant: text from a file is always escaped for its destination. For a terminal, text_clean()
 * does that in every format.
 */
#include "tnav/out/cell.h"

#include "out/separated.h"
#include "tnav/base/units.h"
#include "tnav/model/value.h"

void
out_time(struct buf *out, int64_t ns, const struct out_style *st)
{
	int64_t	utc;

	if (!st->utc) {
		units_secs_exact(out, ns);
		return;
	}
	if (__builtin_add_overflow(st->sync_utc, ns, &utc))
		utc = ns < 0 ? INT64_MIN : INT64_MAX;
	units_utc(out, utc, 9);
}

static void
put_u_escape(struct buf *out, uint32_t unit)
{
	buf_puts(out, "\\u");
	buf_hex(out, unit, 4);
}

void
out_json_line(struct buf *out, struct span line, const struct out_style *st)
{
	const uint8_t		*p = line.p, *end = line.p + line.len;
	struct text_scratch	 scratch;
	struct text_piece	 piece;
	int32_t			 cp;

	if (!st->tty) {
		buf_add(out, line.p, line.len);
		return;
	}
	while (p < end) {
		const uint8_t	*at = p;

		if (*p == '\n' || (*p >= 0x20 && *p < 0x7f)) {
			buf_putc(out, (char)*p++);
			continue;
		}
		/* Combining marks stay with their base: text_next() consumes both. */
		if (!text_next(&p, end, st->mode, &scratch, &piece))
			break;
		if (!piece.escaped && piece.len == (size_t)(p - at)) {
			buf_add(out, piece.p, piece.len);
			continue;
		}
		for (const uint8_t *q = at; q < p;) {
			q += text_decode(q, p, &cp);
			if (cp < 0)
				cp = 0xfffd;
			if (cp > 0xffff)
				put_u_escape(out, 0xd800 + ((uint32_t)(cp - 0x10000) >> 10));
			put_u_escape(out, cp > 0xffff ? 0xdc00 + ((uint32_t)cp & 0x3ff)
			    : (uint32_t)cp);
		}
	}
}

static void
put_separated(struct buf *out, struct span text, const struct out_style *st, bool guard)
{
	if (st->format == OUT_CSV)
		csv_text(out, text, guard && st->guard);
	else
		tsv_text(out, text);
}

/* guard: the text is from a file, and must not become a formula in CSV. */
static void
put_text(struct buf *out, struct span text, const struct out_style *st, bool guard)
{
	struct buf	clean = { 0 };

	if (st->format == OUT_TEXT) {
		text_clean(out, text, st->mode, SIZE_MAX);
		return;
	}
	if (!st->tty) {
		put_separated(out, text, st, guard);
		return;
	}
	text_clean(&clean, text, st->mode, SIZE_MAX);
	put_separated(out, span_of_buf(&clean), st, guard);
	buf_release(&clean);
}

/* Values and objects. If one has words, people see these. */
static void
put_raw(struct buf *out, const struct cell *c, const struct out_style *st)
{
	if (c->word.p != NULL)
		put_text(out, c->word, st, true);
	else if (st->tty || st->format == OUT_TEXT)
		put_text(out, c->text, st, false);
	else if (st->format == OUT_CSV)
		csv_json(out, c->text);
	else
		tsv_json(out, c->text);
}

/* A spelling that CSV, TSV and text share: digits, letters and the like. */
static void
put_plain(struct buf *out, const struct cell *c)
{
	struct cell	bare = *c;

	bare.word.p = NULL;
	bare.show &= (unsigned)SHOW_ROUNDED;
	cell_text(out, &bare, true);
}

/* JSON and the like have no NaN and infinities. */
static void
put_float(struct buf *out, const struct cell *c, const struct out_style *st)
{
	struct cell	exact = *c;

	if (c->f - c->f != 0)
		return;
	exact.kind = c->kind == CELL_F32 ? CELL_F32 : CELL_F64;
	if (c->kind == CELL_SHARE)
		exact.show |= SHOW_ROUNDED;
	if (st->format != OUT_TEXT)
		exact.show &= ~(unsigned)SHOW_ROUNDED;
	put_plain(out, &exact);
}

/* A block for each part; the highest is the greatest of this row. */
static void
put_spark(struct buf *out, const struct cell_spark *s, const struct out_style *st)
{
	static const char	ascii[] = " .:-=+*#@";
	uint64_t		max = 0;

	for (uint32_t i = 0; i < s->n; i++)
		max = s->part[i] > max ? s->part[i] : max;
	for (uint32_t i = 0; i < s->n; i++) {
		unsigned	level = 0;

		if (s->part[i] > 0)
			level = 1 + (unsigned)((double)s->part[i] / (double)max * 7);
		if (level == 0 || st->mode == TEXT_ASCII)
			buf_putc(out, ascii[level]);
		else
			buf_printf(out, "\xe2\x96%c", 0x80 + (int)level);
	}
}

/* Does its word stand for the text? */
static bool
shows_word(const struct cell *c, const struct out_style *st)
{
	return c->word.p != NULL && ((c->show & SHOW_NAME) != 0 ||
	    (st->format == OUT_TEXT && c->text.len == 0));
}

/* As in text, with what has a meaning in Markdown or HTML escaped; always safe for a terminal. */
static void
put_markdown(struct buf *out, const struct cell *c, const struct out_style *st)
{
	struct out_style	text = *st;
	struct buf		plain = { 0 };

	text.format = OUT_TEXT;
	cell_put(&plain, c, &text);
	markdown_text(out, span_of_buf(&plain));
	buf_release(&plain);
}

void
cell_put(struct buf *out, const struct cell *c, const struct out_style *st)
{
	if (st->format == OUT_MARKDOWN) {
		put_markdown(out, c, st);
		return;
	}
	if (st->format == OUT_JSONL) {
		cell_json(out, c);
		return;
	}
	switch (c->kind) {
	case CELL_NULL:
		if (st->format == OUT_TEXT && c->word.p != NULL) {
			text_clean(out, c->word, st->mode, SIZE_MAX);
			break;
		}
		/* fall through */
	case CELL_NONE:
		if (st->format == OUT_TEXT)
			buf_putc(out, '-');
		break;
	case CELL_U64: case CELL_BYTES:
		buf_u64(out, c->u);
		break;
	case CELL_F32: case CELL_F64: case CELL_SHARE:
		put_float(out, c, st);
		break;
	case CELL_TIME:
		if (st->format == OUT_TEXT || st->utc)
			out_time(out, c->i, st);
		else
			buf_i64(out, c->i);
		break;
	case CELL_DUR:
		if (st->format == OUT_TEXT)
			units_secs_exact(out, c->i);
		else
			buf_i64(out, c->i);
		break;
	case CELL_TEXT:
		put_text(out, shows_word(c, st) ? c->word : c->text, st, true);
		break;
	case CELL_PLAIN:
		put_text(out, c->text, st, false);
		break;
	case CELL_RAW:
		put_raw(out, c, st);
		break;
	case CELL_SPARK:
		if (st->format == OUT_TEXT)
			put_spark(out, &c->spark, st);
		else
			cell_json(out, c);
		break;
	default:
		put_plain(out, c);
	}
}
