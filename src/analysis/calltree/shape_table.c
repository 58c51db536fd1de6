/*
 * A shape as a table.
 */
#include "analysis/calltree/private.h"
#include "tnav/base/mem.h"

#define INDENT_MOST	40u
#define NAME_COMPARED	34		/* least width of a name beside what is compared */

struct calls_src {
	struct table			 table;
	struct table_column		 column[CALLS_COLUMNS];
	const struct calltree		*c;
	const struct calltree_shape	*s;
	struct calltree_table_of	 of;
	struct buf			 text;
};

/* Row i is node i + 1: the root has no row. */
static const struct calltree_node *
node_of(const struct calls_src *x, size_t row)
{
	return &x->s->v[row + 1];
}

static const struct calltree_label *
label_of(const struct calls_src *x, size_t row)
{
	return &x->s->label[node_of(x, row)->label];
}

static struct cell
share_cell(double part, double whole)
{
	if (whole == 0 || part - part != 0)
		return cell_null();
	return (struct cell){ .kind = CELL_SHARE, .f = part / whole };
}

static struct cell
difference_cell(const struct calltree_shape *s, size_t node)
{
	double	d;

	if (!calltree_difference(s, node, &d) || !(d > -1e6 && d < 1e6))
		return cell_null();
	d = (double)(int64_t)(d * 10 + (d < 0 ? -0.5 : 0.5)) / 10;	/* to a tenth */
	return (struct cell){ .kind = CELL_F64, .show = SHOW_POINT, .f = d };
}

/* The name, indented by depth: its text in print, only the word of a tree's row on a screen, since
   files and copies have the name alone. */
static struct cell
name_cell(struct calls_src *x, size_t row)
{
	const struct calltree_label	*l = label_of(x, row);
	struct cell			 cell = { .kind = CELL_TEXT };
	uint32_t			 depth = node_of(x, row)->depth;
	size_t				 blanks = 0;
	struct span			 name = x->of.raw ? l->text : l->clean, all;

	if ((x->of.indent || x->of.tree) && depth > 1)
		blanks = (x->of.tree ? 1u : 2u) *
		    ((depth < INDENT_MOST ? depth : INDENT_MOST) - 1);
	buf_clear(&x->text);
	buf_fill(&x->text, ' ', blanks);
	buf_span(&x->text, name);
	if (x->of.raw && l->unsure)
		buf_puts(&x->text, " ?");
	cell.text = all = span_of_buf(&x->text);
	if (!x->of.indent)
		cell.text = (struct span){ all.p + blanks, all.len - blanks };
	if (x->of.tree)
		cell.word = all;
	return cell;
}

static void
calls_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct calls_src		*x = src;
	const struct calltree_node	*n = node_of(x, row);
	const struct calltree_label	*l = label_of(x, row);
	double				 part = calltree_part(x->s, (size_t)(n - x->s->v)).incl;

	switch ((enum calltree_column)col) {
	case CALLS_DEPTH:
		*out = cell_u64(n->depth);
		break;
	case CALLS_NAME:
		*out = name_cell(x, row);
		break;
	case CALLS_INCL:
		*out = calltree_weight_cell(x->c->o.weight, n->incl);
		break;
	case CALLS_INCL_SHARE:
		*out = share_cell(n->incl, x->s->total);
		break;
	case CALLS_EXCL:
		*out = calltree_weight_cell(x->c->o.weight, n->excl);
		break;
	case CALLS_EXCL_SHARE:
		*out = share_cell(n->excl, x->s->total);
		break;
	case CALLS_PART:
		*out = calltree_weight_cell(x->c->o.weight, part);
		break;
	case CALLS_PART_SHARE:
		*out = x->c->o.parted ? share_cell(part, x->s->total_part) :
		    share_cell(part, n->incl);
		break;
	case CALLS_DIFFERENCE:
		*out = difference_cell(x->s, (size_t)(n - x->s->v));
		break;
	case CALLS_EVENTS:
		*out = cell_u64(n->events);
		break;
	default:
		*out = (struct cell){ .kind = l->module.len > 0 ? CELL_TEXT : CELL_NULL,
		    .text = l->module };
		break;
	}
}

static size_t
calls_parent(void *src, size_t row)
{
	const struct calls_src	*x = src;
	uint32_t		 parent = node_of(x, row)->parent;

	return parent == 0 ? TABLE_NO_ROW : parent - 1;
}

static uint64_t
calls_id(void *src, size_t row)
{
	return node_of(src, row)->id;
}

static bool
calls_evidence(void *src, size_t row, struct table_evidence *out)
{
	if (((struct calls_src *)src)->c->o.weight->kind == WEIGH_HEAP)
		return false;
	out->kind = EVIDENCE_FILTER;
	return calltree_label_filter(label_of(src, row), &out->filter);
}

static bool
calls_key(void *src, size_t row, struct buf *field, struct buf *value)
{
	const struct calltree_label	*l = label_of(src, row);

	if ((l->kind != LABEL_FRAME && l->kind != LABEL_MODULE) ||
	    ((struct calls_src *)src)->c->o.weight->kind == WEIGH_HEAP)
		return false;
	buf_puts(field, l->kind == LABEL_FRAME ? "stack.method" : "stack.module");
	return filter_quote(value, (const char *)l->text.p, l->text.len);
}

static void
calls_release(void *src)
{
	struct calls_src	*x = src;

	buf_release(&x->text);
	mem_free(x);
}

static void
set_columns(struct calls_src *x)
{
	enum cell_kind	 kind = calltree_weight_cell(x->c->o.weight, 0).kind;
	const char	*part = calltree_part_name(x->c);
	uint64_t	*absent = &x->table.absent;

	memcpy(x->column, calltree_columns, sizeof x->column);
	x->column[CALLS_INCL].kind = x->column[CALLS_EXCL].kind = kind;
	x->column[CALLS_PART].kind = kind;
	if (part == NULL)
		*absent |= 1u << CALLS_PART | 1u << CALLS_PART_SHARE;
	if (!x->c->o.parted)
		*absent |= 1u << CALLS_DIFFERENCE;
	x->column[CALLS_PART].title = part;
	if (x->c->o.parted) {		/* this is what is asked for */
		x->column[CALLS_DIFFERENCE].rank = x->column[CALLS_PART].rank = 0;
		x->column[CALLS_NAME].width = NAME_COMPARED;
	}
	if (!x->c->o.parted)
		x->column[CALLS_PART].name = "external";
	x->column[CALLS_PART_SHARE].title = x->c->o.joined ? "B %" :
	    x->c->o.parted ? "range %" : "ext %";
	if (!x->c->o.parted)
		x->column[CALLS_PART_SHARE].name = "externalShare";
}

struct table *
calltree_table(const struct calltree *c, const struct calltree_shape *s,
    const struct calltree_table_of *of)
{
	struct calls_src	*x = mem_zalloc(1, sizeof *x);

	*x = (struct calls_src){ .c = c, .s = s, .of = *of };
	x->table = (struct table){ .column = x->column, .ncolumns = CALLS_COLUMNS,
	    .nrows = s->n - 1, .tie = CALLS_INCL + 1, .src = x,
	    .cell = calls_cell, .id = calls_id, .evidence = calls_evidence,
	    .key = calls_key, .release = calls_release };
	set_columns(x);
	if (of->tree)
		x->table.parent = calls_parent;
	return &x->table;
}
