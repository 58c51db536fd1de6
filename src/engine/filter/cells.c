/*
 * A filter on rows that are no events: the columns of a table are the fields.
 *
 *	type ~ "Order" and retained > 1MB	->	terms by column, nodes as for events
 *
 * A pattern by itself searches all texts of the row.
 */
#include <string.h>

#include "engine/filter/ast.h"
#include "engine/filter/probe.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/near.h"

#define ANY_COLUMN	UINT32_MAX

struct filter_cells {
	const struct filter	*f;
	uint32_t		*column;	/* of each term */
	uint32_t		 n;		/* columns */
	struct probe_env	 env;
};

/* The name as it was written; NULL: it is none of a column. */
static const char *
name_of(const struct filter_term *t)
{
	if (t->op == FO_UNDER || t->op == FO_WITHIN)
		return NULL;
	if (t->ref.def->kind == FIELD_HEADER)
		return t->ref.def->name;
	return t->ref.def->kind == FIELD_PAYLOAD ? t->ref.path : NULL;
}

static bool
find_column(const struct filter_term *t, const char *const *names, uint32_t n, uint32_t *out)
{
	const char	*name = name_of(t);

	*out = ANY_COLUMN;
	if (t->ref.def->kind == FIELD_ROW_TEXT)
		return true;
	for (uint32_t i = 0; name != NULL && i < n; i++)
		if (strcmp(names[i], name) == 0)
			*out = i;
	return *out != ANY_COLUMN;
}

static void
say_unknown(const struct filter_term *t, const char *const *names, uint32_t n, struct buf *why)
{
	const char	*name = name_of(t) != NULL ? name_of(t) : t->ref.def->name;
	struct near	 near;

	buf_printf(why, "column %zu: these rows have no field \"%.100s\"", t->column + 1, name);
	near_init(&near, name, 0);
	for (uint32_t i = 0; i < n; i++)
		near_text(&near, names[i]);
	near_put(&near, why);
}

int
filter_cells_new(struct filter_cells **out, const struct filter *f, const char *const *names,
    uint32_t n, struct buf *why)
{
	struct filter_cells	*e = mem_zalloc(1, sizeof *e);

	*out = NULL;
	e->f = f;
	e->n = n;
	e->column = mem_zalloc(f->nterms + 1, sizeof *e->column);
	e->env.match = regex_match_new();
	for (size_t i = 0; i < f->nterms; i++) {
		if (find_column(&f->terms[i], names, n, &e->column[i]))
			continue;
		say_unknown(&f->terms[i], names, n, why);
		filter_cells_free(e);
		return ERR_USAGE;
	}
	*out = e;
	return ERR_OK;
}

void
filter_cells_free(struct filter_cells *e)
{
	if (e == NULL)
		return;
	mem_free(e->column);
	regex_match_free(e->env.match);
	buf_release(&e->env.text);
	mem_free(e);
}

static void
probe_cell(struct probe *p, const struct cell *c)
{
	switch (c->kind) {
	case CELL_U64:
	case CELL_BYTES:
	case CELL_HEX:
		probe_u64(p, c->u);
		break;
	case CELL_BOOL:
		probe_text(p, c->u != 0 ? "true" : "false");
		break;
	case CELL_I64:
	case CELL_TIME:
	case CELL_DUR:
		probe_i64(p, c->i);
		break;
	case CELL_TEXT:
	case CELL_RAW:
		probe_span(p, c->text);
		break;
	default:
		return;
	}
	if (c->word.p != NULL && !p->hit)
		probe_span(p, c->word);
}

static bool
match_term(struct filter_cells *e, uint32_t term, filter_cell_fn cell, void *arg)
{
	struct probe	p = { .env = &e->env, .term = &e->f->terms[term] };
	uint32_t	column = e->column[term];
	bool		any = column == ANY_COLUMN;
	struct cell	c;

	for (uint32_t i = any ? 0 : column; i < (any ? e->n : column + 1) && !p.hit; i++) {
		c = cell_none();
		cell(arg, i, &c);
		if (!any || c.kind == CELL_TEXT || c.kind == CELL_RAW)
			probe_cell(&p, &c);
	}
	return probe_result(&p);
}

static bool
match_node(struct filter_cells *e, uint32_t node, filter_cell_fn cell, void *arg)
{
	const struct filter_node	*n = &e->f->nodes[node];
	bool				 all = n->kind == NODE_AND;

	if (n->kind == NODE_TERM)
		return match_term(e, n->term, cell, arg);
	if (n->kind == NODE_NOT)
		return !match_node(e, n->first, cell, arg);
	for (uint32_t c = n->first; c != 0; c = e->f->nodes[c].next)
		if (match_node(e, c, cell, arg) != all)
			return !all;
	return all;
}

bool
filter_cells_match(struct filter_cells *e, filter_cell_fn cell, void *arg)
{
	e->env.fresh = true;
	return match_node(e, e->f->root, cell, arg);
}
