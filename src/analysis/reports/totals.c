/*
 * The totals of a report, by a format.
 *
 *	format	"[{count|wait|waits} took {total}]"
 *		 part of a part ...	a part knows whether it has a value
 */
#include "analysis/reports/totals.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/reports/common.h"

struct totals {
	const struct table	*t;
	size_t			 row;
	bool			 ascii;
	struct buf		*out;
};

/* The number of this key in the JSON text of statistics. False: it has none. */
static bool
statistic(struct span json, struct span key, int64_t *ns)
{
	struct buf	 name = { 0 };
	const char	*at;

	buf_printf(&name, "\"%.*s\":", (int)key.len, (const char *)key.p);
	at = memmem(json.p, json.len, name.p, name.len);
	if (at != NULL)
		*ns = strtoll(at + name.len, NULL, 10);
	buf_release(&name);
	return at != NULL;
}

/* The cell of a name, which may be one of statistics. Ids are not numbers to be grouped. */
static struct cell
cell_of(const struct totals *x, struct span name)
{
	const uint8_t	*dot = memchr(name.p, '.', name.len);
	size_t		 len = dot != NULL ? (size_t)(dot - name.p) : name.len;
	unsigned	 col = table_find_column(x->t, (const char *)name.p, len, NULL);
	struct cell	 c;
	int64_t		 ns;

	assert(col < x->t->ncolumns);
	x->t->cell(x->t->src, x->row, col, &c);
	if (c.word.p != NULL && !x->t->raw_names)
		return (struct cell){ .kind = CELL_TEXT, .text = c.word };
	if ((x->t->column[col].flags & COLUMN_ID) == 0)
		c.show |= SHOW_GROUPED;
	if (dot == NULL)
		return c;
	if (c.kind != CELL_RAW || !statistic(c.text, (struct span){ dot + 1, name.len - len - 1 },
	    &ns))
		return cell_none();
	return cell_dur(ns);
}

static void
put_cell(struct buf *out, const struct cell *c, bool ascii)
{
	if (c->kind == CELL_BYTES)
		buf_counts(out, "# bytes", c->u);
	else if (c->kind == CELL_DUR && !ascii)
		put_dur(out, c->i);
	else if (c->kind > CELL_NULL && c->kind != CELL_RAW)
		cell_text(out, c, ascii);
}

/* {name} or {name|one|many}, without the first brace. *any: it has a value. */
static const char *
put_value(const struct totals *x, const char *f, bool *any)
{
	size_t		 len = strcspn(f, "|}");
	struct cell	 c = cell_of(x, (struct span){ (const uint8_t *)f, len });
	const char	*end = strchr(f, '}'), *one = f + len + 1, *many;

	put_cell(x->out, &c, x->ascii);
	*any |= c.kind > CELL_NULL && (c.kind != CELL_U64 || c.u > 0);
	if (f[len] == '|') {
		many = strchr(one, '|') + 1;
		buf_putc(x->out, ' ');
		if (c.kind == CELL_U64 && c.u == 1)
			buf_add(x->out, one, (size_t)(many - 1 - one));
		else
			buf_add(x->out, many, (size_t)(end - many));
	}
	return end + 1;
}

static const char *put_part(const struct totals *x, const char *f, bool *any);

/* Is the part with this mark before the name of a cell one of the totals? */
static bool
is_marked(char mark, const struct cell *c)
{
	bool	zero = c->kind == CELL_U64 && c->u == 0;

	switch (mark) {
	case '?':
		return c->kind > CELL_NULL;
	case '!':
		return c->kind <= CELL_NULL;
	case '+':
		return c->kind > CELL_NULL && !zero;
	default:
		return zero;
	}
}

/* Is the text from there " TEXT", after TEXT alone? */
static bool
repeats(const struct buf *b, size_t at)
{
	return at > 0 && b->len == 2 * at + 1 && b->p[at] == ' ' &&
	    memcmp(b->p, b->p + at + 1, at) == 0;
}

/* [...], or [?name ...] and the like, without the first bracket. */
static const char *
put_optional(const struct totals *x, const char *f, bool *any)
{
	size_t		at = x->out->len, len = strcspn(f, " ]");
	bool		has = false, is = true;
	struct cell	c;

	if (*f != '\0' && strchr("?!+0", *f) != NULL) {
		c = cell_of(x, (struct span){ (const uint8_t *)f + 1, len - 1 });
		is = is_marked(*f, &c);
		has = is;
		f += len + 1;
	}
	f = put_part(x, f, &has);
	if (!is || !has || repeats(x->out, at))
		x->out->len = at;
	else
		*any = true;
	return f + 1;
}

/* Append up to the end, or to the bracket that closes the part. */
static const char *
put_part(const struct totals *x, const char *f, bool *any)
{
	while (*f != '\0' && *f != ']') {
		size_t	len = strcspn(f, "{[]");

		buf_add(x->out, f, len);
		f += len;
		if (*f == '{')
			f = put_value(x, f + 1, any);
		else if (*f == '[')
			f = put_optional(x, f + 1, any);
	}
	return f;
}

void
sentence_put(const struct table *t, size_t row, const char *format, bool ascii, struct buf *out)
{
	struct totals	x = { .t = t, .row = row, .ascii = ascii, .out = out };
	bool		any = false;

	(void)put_part(&x, format, &any);
}

void
totals_put(struct rows *r, unsigned ncolumns, const char *format, struct buf *out)
{
	struct table	*t = rows_table(r, "summary");
	struct totals	 x = { .t = t, .out = out };
	bool		 any = false;

	t->ncolumns = ncolumns;
	for (; x.row < t->nrows; x.row++)
		(void)put_part(&x, format, &any);
	table_free(t);
}
