/*
 * Tables: columns found by name, and orders of rows.
 *
 *	rows	0  1  2  3  4		parent of 1 and 2 is 0, of 4 is 3
 *	keys	5  7  6  9  1
 *	sorted	0 3 | 1 2 | 4		by parent, then key, then number
 *	order	0 2 1 3 4		each row, then its children
 *
 * Invariant: an order has every row once. A row is followed by its descendants.
 */
#include "tnav/analysis/table.h"

#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/base/sort.h"

#define KEY_BYTES	512u	/* of a text that are compared */

void
table_free(struct table *t)
{
	if (t != NULL && t->release != NULL)
		t->release(t->src);
}

const char *
table_title(const struct table *t, unsigned col)
{
	return t->column[col].title != NULL ? t->column[col].title : t->column[col].name;
}

const char *
table_unit(const struct table *t, unsigned col)
{
	const char	*title = table_title(t, col);

	if (strstr(title, "ytes") != NULL || strchr(title, '(') != NULL)
		return NULL;
	return t->column[col].kind == CELL_BYTES && t->column[col].unit == NULL ? "B" :
	    t->column[col].unit;
}

static bool
is_word(const char *word, const char *name, size_t len)
{
	return strlen(word) == len && memcmp(word, name, len) == 0;
}

/* Names near an unknown one, or else all names. */
static void
put_columns(const struct table *t, const char *name, size_t len, struct buf *why)
{
	const char	*comma = " (";
	size_t		 before;
	char		*whole = mem_strndup(name, len);
	struct near	 near;

	buf_printf(why, "unknown column \"%.*s\"", (int)(len < 100 ? len : 100), name);
	before = why->len;
	near_init(&near, whole, 0);
	for (unsigned i = 0; i < t->ncolumns; i++)
		if (i >= TABLE_COLUMNS || (t->absent >> i & 1) == 0)
			near_text(&near, t->column[i].name);
	near_put(&near, why);
	mem_free(whole);
	if (why->len > before)
		return;
	for (unsigned i = 0; i < t->ncolumns; i++) {
		if (i < TABLE_COLUMNS && t->absent >> i & 1)
			continue;
		buf_printf(why, "%s%s", comma, t->column[i].name);
		comma = ", ";
	}
	buf_putc(why, ')');
}

unsigned
table_find_column(const struct table *t, const char *name, size_t len, struct buf *why)
{
	for (unsigned i = 0; i < t->ncolumns; i++)
		if (is_word(t->column[i].name, name, len))
			return i;
	for (unsigned i = 0; i < t->ncolumns; i++)
		if (t->column[i].printed != NULL && is_word(t->column[i].printed, name, len))
			return i;
	for (unsigned i = 0; i < t->ncolumns; i++)
		if (is_word(table_title(t, i), name, len))
			return i;
	if (why != NULL)
		put_columns(t, name, len, why);
	return t->ncolumns;
}

bool
table_sorts_up(const struct table *t, unsigned col)
{
	const struct table_column	*c = &t->column[col];

	return !cell_is_number(c->kind) || (c->flags & COLUMN_FIRST_UP) != 0;
}

bool
table_in_files(const struct table *t, unsigned col)
{
	return (t->column[col].flags & COLUMN_SCREEN) == 0 &&
	    (col >= TABLE_COLUMNS || (t->absent >> col & 1) == 0);
}

unsigned
table_depth(const struct table *t, size_t row)
{
	unsigned	depth = 0;

	if (t->parent == NULL)
		return 0;
	for (row = t->parent(t->src, row); row != TABLE_NO_ROW; row = t->parent(t->src, row))
		depth++;
	return depth;
}

/* ---- orders */

enum key_class { KEY_NUMBER, KEY_TEXT, KEY_NONE };	/* in this order */

struct sort_key {
	uint32_t	row, parent;	/* parent: row + 1; 0: none */
	enum key_class	class;
	bool		up;
	long double	number, tie;	/* exact for 64-bit integers on most machines */
	struct span	text;		/* its p is an offset until all texts are known */
};

/* The number in a text of up to 38 digits, perhaps with a minus: a sum of more than 64 bits. */
static bool
digits_number(struct span s, long double *n)
{
	size_t			i = s.len > 0 && s.p[0] == '-';
	unsigned __int128	v = 0;

	if (i == s.len || s.len - i > 38)
		return false;
	for (; i < s.len; i++) {
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
		v = v * 10 + (unsigned)(s.p[i] - '0');
	}
	*n = s.p[0] == '-' ? -(long double)v : (long double)v;
	return true;
}

struct cell
table_cell_at(const struct table *t, size_t row, unsigned col)
{
	struct cell	c = cell_none();

	if (row < t->nrows && col < t->ncolumns)
		t->cell(t->src, row, col, &c);
	return c;
}

bool
table_number(const struct cell *c, long double *n)
{
	switch (c->kind) {
	case CELL_BOOL:
	case CELL_U64:
	case CELL_HEX:
	case CELL_ADDRESS:
	case CELL_BYTES:
		*n = (long double)c->u;
		return true;
	case CELL_I64:
	case CELL_TIME:
	case CELL_DUR:
		*n = (long double)c->i;
		return true;
	case CELL_F32:
	case CELL_F64:
	case CELL_SHARE:
		*n = (long double)c->f;
		return c->f - c->f == 0;
	case CELL_RAW:
		return digits_number(c->text, n);
	default:
		return false;
	}
}

double
table_number_or(const struct cell *c, double other)
{
	long double	n;

	return table_number(c, &n) ? (double)n : other;
}

/* A word that is shown where there is no value, such as a thread's role, is a text. */
static void
key_set(struct sort_key *k, const struct cell *c, struct buf *texts)
{
	bool		has_word = c->word.len > 0 &&
			    (c->kind == CELL_NONE || c->kind == CELL_NULL);
	struct span	text = has_word ? c->word : c->text;
	size_t		len = text.len < KEY_BYTES ? text.len : KEY_BYTES;

	k->class = KEY_NONE;
	if (table_number(c, &k->number)) {
		k->class = KEY_NUMBER;
	} else if (c->kind == CELL_TEXT || c->kind == CELL_GUID || c->kind == CELL_BLOB ||
	    c->kind == CELL_PLAIN || c->kind == CELL_RAW || has_word) {
		k->class = KEY_TEXT;
		k->number = (long double)texts->len;
		k->text.len = len;
		buf_add(texts, text.p, len);
	}
}

static int
compare(const void *a, const void *b)
{
	const struct sort_key	*x = a, *y = b;
	int			 r = 0;

	if (x->parent != y->parent)
		return x->parent < y->parent ? -1 : 1;
	if (x->class != y->class)
		return x->class < y->class ? -1 : 1;
	if (x->class == KEY_NUMBER)
		r = (x->number > y->number) - (x->number < y->number);
	else if (x->class == KEY_TEXT)
		r = spans_compare(x->text, y->text);
	if (r != 0)
		return x->up ? r : -r;
	if (x->tie != y->tie)
		return x->tie > y->tie ? -1 : 1;
	return (x->row > y->row) - (x->row < y->row);
}

static struct sort_key *
make_keys(const struct table *t, size_t n, unsigned col, bool up, struct buf *texts)
{
	struct sort_key	*k = mem_zalloc(n + 1, sizeof *k);

	for (size_t i = 0; i < n; i++) {
		struct cell	c = { .kind = CELL_NONE };
		size_t		parent = t->parent != NULL ? t->parent(t->src, i) : TABLE_NO_ROW;

		k[i].row = (uint32_t)i;
		k[i].parent = parent < i ? (uint32_t)parent + 1 : 0;
		k[i].up = up;
		k[i].class = KEY_NONE;
		if (col >= t->ncolumns)
			continue;
		t->cell(t->src, i, col, &c);
		key_set(&k[i], &c, texts);
		if (t->tie == 0 || t->tie == col + 1)
			continue;
		t->cell(t->src, i, t->tie - 1, &c);
		if (!table_number(&c, &k[i].tie))
			k[i].tie = 0;
	}
	for (size_t i = 0; i < n; i++)
		if (k[i].class == KEY_TEXT)
			k[i].text.p = (const uint8_t *)buf_str(texts) + (size_t)k[i].number;
	return k;
}

/* Turn keys, which are grouped by parent, into an order: each row is followed by its children. */
static void
put_in_order(struct table_order *o, const struct sort_key *k, size_t n)
{
	/* By parent (0: none): its first key + 1; 0: no children. */
	uint32_t	*first = mem_zalloc(n + 1, sizeof *first);
	uint32_t	*next = mem_zalloc(n + 1, sizeof *next);	/* key + 1, by depth */
	size_t		 depth = 1;

	for (size_t i = n; i-- > 0; )
		first[k[i].parent] = (uint32_t)i + 1;
	next[0] = first[0];
	while (depth > 0) {
		uint32_t	at = next[depth - 1];

		if (at == 0) {
			depth--;
			continue;
		}
		o->row[o->n++] = k[at - 1].row;
		next[depth - 1] = at < n && k[at].parent == k[at - 1].parent ? at + 1 : 0;
		if (first[k[at - 1].row + 1] != 0)
			next[depth++] = first[k[at - 1].row + 1];
	}
	mem_free(first);
	mem_free(next);
}

void
table_order_make(struct table_order *o, const struct table *t, unsigned col, bool up)
{
	size_t		 n = t->nrows < UINT32_MAX ? t->nrows : UINT32_MAX - 1;
	struct buf	 texts = { 0 };
	struct sort_key	*k;

	o->n = 0;
	if (n > o->cap)
		o->row = mem_grow(o->row, &o->cap, n, sizeof *o->row);
	k = make_keys(t, n, col, up, &texts);
	sort_array(k, n, sizeof *k, compare);
	put_in_order(o, k, n);
	mem_free(k);
	buf_release(&texts);
}

void
table_order_release(struct table_order *o)
{
	mem_free(o->row);
	*o = (struct table_order){ .n = 0 };
}
