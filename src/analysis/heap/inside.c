/*
 * The lists inside of a walk of the heap: see inside.h. A list is made when Enter asks for it.
 *
 *	rows	heading | row row ... | heading | ...	parents before their children
 *
 * A tree of dominators has as many rows as there are objects. Rows that retain less than a share of
 * it are one row together, and what lies deeper than some levels is in the list of that object.
 */
#include "analysis/heap/inside.h"

#include <string.h>

#include "analysis/heap/private.h"
#include "tnav/analysis/columns.h"
#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/sort.h"

#define OBJECTS_MOST	10000u	/* rows of a list of objects */
#define BESIDE_MOST	200u	/* references, or referrers */
#define WAY_MOST	24u	/* objects of a path */
#define ALIKE_MOST	50u	/* objects of a type below one object */
#define LEVELS_MOST	40u
#define LEAST		2000u	/* a row of a tree retains this part of it, ... */
#define GROUPS_LEAST	8u	/* ... or is one of the first below its object; */
#define GROUPS_MOST	64u	/* types below one object */
#define TREE_MOST	20000u	/* rows of a tree */
#define INDENT_MOST	40u

#define NO_PARENT	UINT32_MAX

struct inside_row {
	uint32_t	parent;
	uint32_t	object;		/* where Enter goes; 0: `type`, or nowhere */
	uint32_t	type;		/* of several objects that `holder` holds; or HEAP_NONE */
	uint32_t	holder;
	uint32_t	words;		/* in place of the type's name, a text; or TEXT_NONE */
	uint8_t		depth;
	bool		heading, bare;	/* heading: words across the line; bare: no figures */
	uint64_t	objects, bytes, retained;
};

struct inside_list {
	struct table			 table;
	const struct heap_walks		*w;
	const struct heap		*h;
	const struct heap_paths		*p;
	struct inside_row		*row;
	size_t				 n, cap;
	struct texts			*texts;
	struct buf			 text, word;
	/* The tree in the making: */
	struct heap_alike		*alike;	/* by type; count 0: none */
	uint64_t			 least;
	bool				 full;
};

struct table_inside
heap_inside(const struct heap *h, enum heap_inside kind, uint32_t type, uint32_t object)
{
	return (struct table_inside){ .kind = kind, .type = type, .object = object,
	    .of = h->off };
}

/* ---- rows */

static uint32_t
row_add(struct inside_list *x, const struct inside_row *row)
{
	x->row = mem_grow(x->row, &x->cap, x->n + 1, sizeof *x->row);
	x->row[x->n] = *row;
	if (row->parent != NO_PARENT)
		x->row[x->n].depth = (uint8_t)(x->row[row->parent].depth + 1);
	return (uint32_t)x->n++;
}

static uint32_t
object_add(struct inside_list *x, uint32_t parent, uint32_t object)
{
	const struct heap	*h = x->h;

	return row_add(x, &(struct inside_row){ .parent = parent, .object = object,
	    .type = HEAP_NONE, .words = TEXT_NONE, .objects = 1, .bytes = h->size[object],
	    .retained = heap_weight(h, object) });
}

/* A row of words, which are in x->text. */
static uint32_t
words_add(struct inside_list *x, uint32_t parent, uint32_t object)
{
	uint32_t	words = texts_add(x->texts, span_of_buf(&x->text));

	buf_clear(&x->text);
	return row_add(x, &(struct inside_row){ .parent = parent, .object = object,
	    .type = HEAP_NONE, .words = words, .heading = true, .bare = true });
}

static void
more_add(struct inside_list *x, uint32_t parent, uint64_t n, const char *words)
{
	if (n == 0)
		return;
	buf_counts(&x->text, "# more", n);
	buf_puts(&x->text, words);
	(void)words_add(x, parent, 0);
}

/* ---- objects of a type, and what roots of a kind hold */

static void
list_type(struct inside_list *x, const struct table_inside *at, struct buf *title)
{
	const struct heap	*h = x->h;
	uint64_t		 all = at->object == 0 ? h->type[at->type].count : 0;
	uint32_t		*object;
	size_t			 n = heap_greatest(h, at->type, at->object, OBJECTS_MOST, &object);

	for (uint32_t i = at->object > 0 ? h->kid[at->object] : 0; i != 0; i = h->next[i])
		all += h->name[i] == at->type;
	heap_type_words(h->type[at->type].name, title);
	buf_counts(title, ": # object{s}", all);
	if (at->object != 0) {
		buf_puts(title, " held by ");
		heap_type_words(h->type[h->name[at->object]].name, title);
	}
	for (size_t i = 0; i < n; i++)
		(void)object_add(x, NO_PARENT, object[i]);
	mem_free(object);
	more_add(x, NO_PARENT, all - n, " objects");
}

SORT_ORDER(compare_held, struct inside_row, FALLING(retained) RISING(object))

/* One row a root: the same object may be held by several. */
static void
list_roots(struct inside_list *x, const struct table_inside *at, struct buf *title)
{
	const struct heap	*h = x->h;

	buf_counts(title, "# root{s}: ", h->roots[at->type]);
	buf_puts(title, heap_root_word((enum heap_root_kind)at->type));
	for (uint32_t i = 0; i < h->nroots; i++) {
		uint32_t	object = h->root[i].object, row;

		if (h->root[i].kind != at->type)
			continue;
		row = object_add(x, NO_PARENT, object);
		heap_root_text(x->w, h, &h->root[i], true, &x->text);
		if (h->root[i].kind != HEAP_STATIC) {
			buf_puts(&x->text, ": ");
			heap_type_words(h->type[h->name[object]].name, &x->text);
		}
		x->row[row].words = texts_add(x->texts, span_of_buf(&x->text));
		buf_clear(&x->text);
	}
	sort_array(x->row, x->n, sizeof *x->row, compare_held);
}

/* ---- one object: the way from a root */

static void
root_words(struct inside_list *x, uint32_t object)
{
	const struct heap_root	*r = heap_root_best(x->h, object);

	if (r != NULL)
		heap_root_text(x->w, x->h, r, true, &x->text);
}

/* The objects from a root to this one; the middle of a long way is left out. */
static void
add_way(struct inside_list *x, uint32_t object)
{
	uint32_t	*step, n = 0, heading, root = object;

	if (x->p == NULL || x->p->from[object] == HEAP_NONE) {
		buf_puts(&x->text, x->p == NULL ? "how roots hold it is not known" :
		    "no root holds it: it is garbage, or weakly held");
		(void)words_add(x, NO_PARENT, 0);
		return;
	}
	for (uint32_t at = object; at != 0; at = x->p->from[at], n++)
		root = at;
	step = mem_alloc(((size_t)n + 1) * sizeof *step);
	for (uint32_t at = object, i = n; at != 0; at = x->p->from[at])
		step[--i] = at;
	buf_counts(&x->text, "held by a root, # step{s} away", n);
	heading = words_add(x, NO_PARENT, 0);
	root_words(x, root);
	(void)words_add(x, heading, root);
	for (uint32_t i = 0; i < n; i++) {
		if (n > WAY_MOST && i == WAY_MOST / 2) {
			more_add(x, heading, n - WAY_MOST, " objects on the way");
			i = n - WAY_MOST / 2;
		}
		(void)object_add(x, heading, step[i]);
	}
	mem_free(step);
}

/* ---- what it holds */

/* Objects of a type that one object holds. */
struct heap_alike {
	uint64_t	count, bytes, retained;
	uint32_t	type;
	uint32_t	first;		/* the greatest; then, of several, by next_alike */
};

SORT_ORDER(compare_alike, struct heap_alike, FALLING(retained) RISING(type))

/* What the object holds directly, by type: the greatest first. mem_free() it. */
static struct heap_alike *
group_kids(struct inside_list *x, uint32_t object, size_t *n)
{
	const struct heap	*h = x->h;
	struct heap_alike	*out = NULL;
	size_t			 cap = 0;

	*n = 0;
	for (uint32_t k = h->kid[object]; k != 0; k = h->next[k]) {
		struct heap_alike	*a = &x->alike[h->name[k]];

		if (a->count++ == 0) {
			out = mem_grow(out, &cap, *n + 1, sizeof *out);
			out[(*n)++].type = h->name[k];
		}
		a->bytes = add_u64(a->bytes, h->size[k]);
		a->retained = add_u64(a->retained, h->retained[k]);
		if (a->first == 0 || h->retained[k] > h->retained[a->first])
			a->first = k;
	}
	for (size_t i = 0; i < *n; i++) {
		uint32_t	type = out[i].type;

		out[i] = x->alike[type];
		out[i].type = type;
		x->alike[type] = (struct heap_alike){ .count = 0 };
	}
	if (*n > 1)
		sort_array(out, *n, sizeof *out, compare_alike);
	return out;
}

static void	add_held(struct inside_list *x, uint32_t parent, uint32_t object, unsigned level);

/* The objects of the group, the greatest first; those after them in one row. */
static void
add_alike(struct inside_list *x, uint32_t parent, uint32_t holder, const struct heap_alike *a,
    unsigned level)
{
	uint32_t	*object, row;
	size_t		 n;

	if (a->count == 1) {
		row = object_add(x, parent, a->first);
		add_held(x, row, a->first, level + 1);
		return;
	}
	row = row_add(x, &(struct inside_row){ .parent = parent, .type = a->type,
	    .holder = holder, .words = TEXT_NONE, .objects = a->count, .bytes = a->bytes,
	    .retained = a->retained });
	n = heap_greatest(x->h, a->type, holder, ALIKE_MOST, &object);
	for (size_t i = 0; i < n; i++) {
		uint32_t	at = object_add(x, row, object[i]);

		add_held(x, at, object[i], level + 2);
	}
	mem_free(object);
	more_add(x, row, a->count - n, " objects (Enter on their type lists them)");
}

/* Levels are few, so that this may call itself. */
static void
add_held(struct inside_list *x, uint32_t parent, uint32_t object, unsigned level)
{
	size_t			 n, i;
	uint64_t		 others = 0;
	struct heap_alike	*a;

	if (level >= LEVELS_MOST || x->n >= TREE_MOST || x->h->kid[object] == 0) {
		x->full |= x->n >= TREE_MOST;
		return;
	}
	a = group_kids(x, object, &n);
	for (i = 0; i < n && i < GROUPS_MOST && (a[i].retained >= x->least ||
	    (level == 0 && i < GROUPS_LEAST)); i++)
		add_alike(x, parent, object, &a[i], level);
	for (; i < n; i++)
		others += a[i].count;
	more_add(x, parent, others, " objects, each of little");
	mem_free(a);
}

/* How many objects it dominates. */
static uint64_t
count_held(const struct heap *h, uint32_t object)
{
	uint64_t	n = 0;
	uint32_t	at = h->kid[object];

	while (at != 0) {
		n++;
		if (h->kid[at] != 0) {
			at = h->kid[at];
			continue;
		}
		while (at != object && h->next[at] == 0)
			at = h->dom[at];
		at = at != object ? h->next[at] : 0;
	}
	return n;
}

/* Rows of less and less are left out, until those that remain have room. */
static void
add_tree(struct inside_list *x, uint32_t object)
{
	const struct heap	*h = x->h;
	size_t			 from = x->n;
	uint64_t		 held;
	uint32_t		 heading;

	if (!h->exact || h->dom[object] == HEAP_NONE)
		return;
	held = count_held(h, object);
	x->alike = mem_zalloc((size_t)h->ntypes + 1, sizeof *x->alike);
	x->least = h->retained[object] / LEAST;
	do {
		x->n = from;
		x->full = false;
		buf_counts(&x->text, held > 0 ? "holds # other object{s} alone" :
		    "holds nothing alone", held);
		heading = words_add(x, NO_PARENT, 0);
		x->row[heading].bare = held == 0;
		x->row[heading].retained = h->retained[object] - h->size[object];
		x->row[heading].objects = held;
		x->row[heading].bytes = x->row[heading].retained;
		add_held(x, heading, object, 0);
		x->least = x->least * 4 + 1;
	} while (x->full && x->least < h->retained[object]);
	mem_free(x->alike);
	x->alike = NULL;
}

/* ---- references */

/* An object that refers to it several times is one row, and so is one that it refers to. */
static void
add_references(struct inside_list *x, uint32_t object)
{
	const struct heap	*h = x->h;
	size_t			 all = h->first[object + 1] - h->first[object], n = 0;
	uint32_t		*to = mem_alloc((all + 1) * sizeof *to), heading;

	memcpy(to, h->to + h->first[object], all * sizeof *to);
	sort_array(to, all, sizeof *to, compare_u32);
	for (size_t i = 0; i < all; i++)
		if (i == 0 || to[i] != to[i - 1])
			to[n++] = to[i];
	buf_counts(&x->text, "refers to # object{s}", (uint64_t)n);
	heading = words_add(x, NO_PARENT, 0);
	for (size_t i = 0; i < n && i < BESIDE_MOST; i++)
		(void)object_add(x, heading, to[i]);
	more_add(x, heading, n > BESIDE_MOST ? n - BESIDE_MOST : 0, " objects");
	mem_free(to);
}

/* The way up to a root, below a referrer. */
static void
add_up(struct inside_list *x, uint32_t parent, uint32_t object)
{
	uint32_t	root = object, n = 0;

	if (x->p == NULL || x->p->from[object] == HEAP_NONE)
		return;
	for (uint32_t at = object; at != 0; at = x->p->from[at], n++) {
		root = at;
		if (n > 0 && n <= WAY_MOST)
			(void)object_add(x, parent, at);
	}
	more_add(x, parent, n > WAY_MOST + 1 ? n - WAY_MOST - 1 : 0, " objects on the way");
	root_words(x, root);
	(void)words_add(x, parent, root);
}

static void
add_referrers(struct inside_list *x, uint32_t object)
{
	const struct heap	*h = x->h;
	uint32_t		*by = mem_alloc(BESIDE_MOST * sizeof *by), heading;
	uint64_t		 n = 0;

	for (uint32_t i = 1; i <= h->n; i++)
		for (uint32_t e = h->first[i]; e < h->first[i + 1]; e++) {
			if (h->to[e] != object)
				continue;
			if (n < BESIDE_MOST)
				by[n] = i;
			n++;
			break;
		}
	buf_counts(&x->text, h->exact ? "referred to by # object{s}" :
	    "referred to by at least # object{s}", n);
	heading = words_add(x, NO_PARENT, 0);
	for (uint64_t i = 0; i < n && i < BESIDE_MOST; i++)
		add_up(x, object_add(x, heading, by[i]), by[i]);
	more_add(x, heading, n > BESIDE_MOST ? n - BESIDE_MOST : 0, " objects");
	mem_free(by);
}

static void
list_object(struct inside_list *x, uint32_t object, struct buf *title)
{
	const struct heap	*h = x->h;
	unsigned		 generation = heap_generation(h, object);

	heap_type_words(h->type[h->name[object]].name, title);
	buf_puts(title, " 0x");
	buf_hex(title, h->addr[object], 1);
	if (generation < HEAP_GENERATIONS)
		buf_printf(title, ", %s", heap_generation_word(generation));
	add_way(x, object);
	add_tree(x, object);
	add_references(x, object);
	add_referrers(x, object);
	x->table.open_depth = 1;
}

/* ---- the table */

static void
put_name(struct inside_list *x, const struct inside_row *r)
{
	const struct heap	*h = x->h;
	uint32_t		 type = r->object != 0 ? h->name[r->object] : r->type;

	if (r->words != TEXT_NONE)
		buf_span(&x->text, texts_at(x->texts, r->words));
	else if (type != HEAP_NONE && x->table.raw_names)
		buf_span(&x->text, h->type[type].name);
	else if (type != HEAP_NONE)
		heap_type_words(h->type[type].name, &x->text);
}

/* The name, indented by depth on the screen alone. */
static struct cell
name_cell(struct inside_list *x, const struct inside_row *r)
{
	struct cell	c = { .kind = CELL_TEXT };
	size_t		blanks = r->depth > 1 ? r->depth - 1u : 0;

	blanks = blanks < INDENT_MOST ? blanks : INDENT_MOST;
	buf_clear(&x->text);
	buf_fill(&x->text, ' ', blanks);
	put_name(x, r);
	c.word = span_of_buf(&x->text);
	c.text = (struct span){ c.word.p + blanks, c.word.len - blanks };
	return c;
}

static struct cell
holder_cell(struct inside_list *x, uint32_t object)
{
	const struct heap	*h = x->h;
	const struct heap_root	*root = heap_root_best(h, object);

	buf_clear(&x->word);
	if (root != NULL)
		heap_root_text(x->w, h, root, true, &x->word);
	else if (!h->exact || h->dom[object] == HEAP_NONE)
		return cell_null();
	else if (h->dom[object] == 0)
		buf_puts(&x->word, "several roots");
	else
		heap_type_words(h->type[h->name[h->dom[object]]].name, &x->word);
	return (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(&x->word) };
}

static struct cell
cell_of(struct inside_list *x, const struct inside_row *r, unsigned col)
{
	unsigned	generation;

	switch ((enum heap_inside_column)col) {
	case HELD_NAME:
		return name_cell(x, r);
	case HELD_RETAINED:
		return x->h->exact && !r->bare ? cell_bytes(r->retained) : cell_none();
	case HELD_SHARE:
		return !r->bare ? cell_share((double)r->retained, heap_whole(x->h)) : cell_none();
	case HELD_OBJECTS:
		return !r->bare ? cell_u64(r->objects) : cell_none();
	case HELD_BYTES:
		return !r->bare ? cell_bytes(r->bytes) : cell_none();
	default:
		break;
	}
	if (r->object == 0 || r->bare)
		return cell_none();
	generation = heap_generation(x->h, r->object);
	if (col == HELD_GENERATION)
		return generation < HEAP_GENERATIONS ?
		    cell_str(heap_generation_word(generation)) : cell_null();
	return col == HELD_HOLDER ? holder_cell(x, r->object) :
	    cell_hex(x->h->addr[r->object]);
}

static void
inside_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct inside_list	*x = src;

	*out = cell_of(x, &x->row[row], col);
}

static size_t
inside_parent(void *src, size_t row)
{
	uint32_t	parent = ((struct inside_list *)src)->row[row].parent;

	return parent == NO_PARENT ? TABLE_NO_ROW : parent;
}

static bool
inside_heading(void *src, size_t row, struct buf *out)
{
	struct inside_list	*x = src;

	if (x->row[row].heading)
		buf_span(out, texts_at(x->texts, x->row[row].words));
	return x->row[row].heading;
}

static bool
inside_evidence(void *src, size_t row, struct table_evidence *out)
{
	const struct inside_list	*x = src;
	const struct inside_row		*r = &x->row[row];

	if (r->object == 0 && r->type == HEAP_NONE)
		return false;
	out->kind = EVIDENCE_INSIDE;
	out->inside = heap_inside(x->h, r->object != 0 ? INSIDE_OBJECT : INSIDE_TYPE, r->type,
	    r->object != 0 ? r->object : r->holder);
	out->ts = x->h->ts;
	out->off = x->h->off;
	return true;
}

static void
inside_release(void *src)
{
	struct inside_list	*x = src;

	mem_free(x->row);
	texts_free(x->texts);
	buf_release(&x->text);
	buf_release(&x->word);
	mem_free(x);
}

static bool
is_there(const struct heap *h, const struct table_inside *at)
{
	switch ((enum heap_inside)at->kind) {
	case INSIDE_TYPE:
		return at->type < h->ntypes && at->object <= h->n &&
		    (at->object == 0 || h->exact);
	case INSIDE_OBJECT:
		return at->object >= 1 && at->object <= h->n;
	case INSIDE_ROOTS:
		return at->type < HEAP_ROOTS;
	default:
		return false;
	}
}

/* A column that says nothing here is left out. */
static uint64_t
idle_columns(const struct heap *h, const struct table_inside *at)
{
	uint64_t	idle = 0;

	if (h->nranges == 0)
		idle |= UINT64_C(1) << HELD_GENERATION;
	if (!h->exact)
		idle |= UINT64_C(1) << HELD_RETAINED;
	if (at->kind == INSIDE_OBJECT)
		idle |= UINT64_C(1) << HELD_HOLDER;
	else
		idle |= UINT64_C(1) << HELD_OBJECTS;
	return idle;
}

struct table *
heap_inside_table(const struct heap_walks *w, const struct heap *h, const struct heap_paths *p,
    const struct table_inside *at, struct buf *title)
{
	struct inside_list	*x;

	if (!is_there(h, at))
		return NULL;
	x = mem_zalloc(1, sizeof *x);
	*x = (struct inside_list){ .w = w, .h = h, .p = p, .texts = texts_new() };
	x->table = (struct table){ .column = heap_inside_columns, .ncolumns = HELD_COLUMNS,
	    .src = x, .lead = HELD_NAME + 1, .has_names = true,
	    .sort = at->kind == INSIDE_OBJECT ? 0 : 1u + (h->exact ? HELD_RETAINED : HELD_BYTES),
	    .idle = idle_columns(h, at), .cell = inside_cell, .evidence = inside_evidence,
	    .release = inside_release };
	if (at->kind == INSIDE_TYPE)
		list_type(x, at, title);
	else if (at->kind == INSIDE_ROOTS)
		list_roots(x, at, title);
	else
		list_object(x, at->object, title);
	if (at->kind == INSIDE_OBJECT) {
		x->table.parent = inside_parent;
		x->table.heading = inside_heading;
	}
	x->table.nrows = x->n;
	return &x->table;
}
