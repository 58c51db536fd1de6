/*
 * Samples by method. The sampler samples every managed thread, running or waiting, so its samples
 * are wall-clock time. V6 traces have CPU samples instead.
 *
 *	stacks of samples -> call tree -> by method
 */
#include "analysis/reports/columns.h"
#include "analysis/reports/common.h"
#include "tnav/analysis/calltree.h"

/* CPU samples are neither managed nor external. */
static void
put_kinds(const struct calltree *tree, struct rows *r, double all, double external)
{
	if (calltree_part_name(tree) == NULL) {
		row_null(r, SA_MANAGED);
		row_null(r, SA_EXTERNAL);
		return;
	}
	row_put(r, SA_MANAGED, cell_u64((uint64_t)(all - external)));
	row_put(r, SA_EXTERNAL, cell_u64((uint64_t)external));
}

static void
put_method(const struct calltree *tree, struct rows *r, const struct calltree_shape *s,
    const struct calltree_node *n)
{
	const struct calltree_label	*l = &s->label[n->label];
	double				 external = calltree_part(s, (size_t)(n - s->v)).excl;
	struct buf			 filter = { 0 };

	row_begin(r, "method");
	row_name(r, SA_METHOD, l->text, l->clean);
	row_put(r, SA_EXCLUSIVE, cell_u64((uint64_t)n->excl));
	row_put(r, SA_INCLUSIVE, cell_u64((uint64_t)n->incl));
	put_kinds(tree, r, n->excl, external);
	if (calltree_part_name(tree) != NULL) {
		row_share(r, SA_MANAGED_SHARE, n->excl - external, s->total - s->total_part);
		row_share(r, SA_EXTERNAL_SHARE, external, s->total_part);
	}
	row_share(r, SA_SHARE, n->excl, s->total);
	row_share(r, SA_INCL_SHARE, n->incl, s->total);
	row_put(r, SA_MODULE, l->module.len > 0 ? (struct cell){ .kind = CELL_TEXT,
	    .text = l->module } : cell_null());
	if (calltree_label_filter(l, &filter))
		row_filter(r, buf_str(&filter));
	buf_release(&filter);
}

static void
samples_rows(struct report_state *s, struct rows *r)
{
	struct calltree				*tree = s->tree;
	const struct calltree_shape_options	 o = { .form = FORM_BY };
	struct calltree_shape			*shape;
	struct calltree_totals			 t;

	calltree_totals(tree, &t);
	if (t.events == 0)
		return;
	shape = calltree_shape_new(tree, &o);
	for (uint32_t i = 1; i < shape->n; i++)
		put_method(tree, r, shape, &shape->v[i]);
	row_begin(r, "summary");
	row_put(r, SA_COUNT, cell_u64(t.events));
	put_kinds(tree, r, t.weight, t.part);
	row_put(r, SA_METHODS, cell_u64(shape->n - 1));
	row_put(r, SA_STACKS, cell_u64(t.stacks));
	row_put(r, SA_STACKLESS, cell_u64(t.stackless));
	calltree_shape_free(shape);
}

static void
samples_totals(struct report_state *s, struct buf *out)
{
	struct calltree_totals	t;

	calltree_totals(s->tree, &t);
	if (t.cut)
		buf_puts(out, "too many different stacks: some are cut short\n");
}

const struct report	report_samples = {
	.title = "Samples by method",
	TABLES_OF(samples, SA),
	.needs = NEEDS_SYMBOLS, .calls = "samples", .rows = samples_rows, .totals = samples_totals,
};
