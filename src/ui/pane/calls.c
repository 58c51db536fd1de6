/*
 * Calls: sums of the stacks of events in the window that match the filter, as a top-down or
 * bottom-up tree, by method, module or namespace, or as the callers and callees of one method.
 * Enter shows the events whose stacks have the row's method.
 *
 * Actions of act(): 0 the next form or a named one; 1 the callers of the method under the cursor, 2
 * its callees; 3 a fold rule for it.
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "ui/pane/table.h"

#define LEAST		0.0005		/* of a tree: rows with a smaller share are left out */
#define OPEN_DEPTH	8u
#define MOST		20000u		/* rows of a list */

enum { ACT_FORM, ACT_CALLERS, ACT_CALLEES, ACT_FOLD };

static const struct {
	const char		*name, *title;
	enum calltree_form	 form;
	enum calltree_group	 group;
	bool			 threads;
} forms[] = {
	{ "top-down", "top-down", FORM_TOP_DOWN, GROUP_METHOD, false },
	{ "threads", "top-down by thread", FORM_TOP_DOWN, GROUP_METHOD, true },
	{ "bottom-up", "bottom-up", FORM_BOTTOM_UP, GROUP_METHOD, false },
	{ "methods", "by method", FORM_BY, GROUP_METHOD, false },
	{ "modules", "by module", FORM_BY, GROUP_MODULE, false },
	{ "namespaces", "by namespace", FORM_BY, GROUP_NAMESPACE, false },
	{ "callers", "callers of", FORM_CALLERS, GROUP_METHOD, false },
	{ "callees", "callees of", FORM_CALLEES, GROUP_METHOD, false },
};
#define FORMS		(sizeof forms / sizeof *forms)
#define FORM_CALLERS_AT	6u
#define FORM_CALLEES_AT	7u

struct calls_pane {
	struct table_pane	 p;
	struct calls_shape	 of_tree;
	unsigned		 form;
	char			*of;		/* callers and callees: raw name of the method */
	uint64_t		 shown;		/* number of tables made so far */
	bool			 raw, parted;
};

static void
drop(struct calls_pane *self)
{
	table_free(self->p.built);
	self->p.built = NULL;
	calls_shape_drop(&self->of_tree);
}

/* Make the table of the current shape. */
static void
make_table(struct calls_pane *self, struct view *v)
{
	bool		 list = forms[self->form].form == FORM_BY;
	bool		 parted = v->calls.parted;
	uint64_t	 exclusive = UINT64_C(1) << CALLS_EXCL | UINT64_C(1) << CALLS_EXCL_SHARE;

	table_free(self->p.built);
	self->raw = v->display.raw_names;
	self->p.built = calltree_table(calls_tree(&v->calls), self->of_tree.shape,
	    &(struct calltree_table_of){ .raw = self->raw, .tree = !list });
	self->p.built->open_depth = OPEN_DEPTH;
	self->p.built->idle |= UINT64_C(1) << CALLS_DEPTH;
	if (self->parted != parted) {		/* its columns mean something else */
		self->p.chosen = self->p.inverted = self->p.touched = false;
		self->p.list.cursor = self->p.list.top = 0;
	}
	self->parted = parted;
	if (list)
		self->p.built->sort = 1 + (parted ? CALLS_DIFFERENCE : CALLS_EXCL);
	else
		self->p.built->idle |= UINT64_C(1) << CALLS_EXCL_SHARE;
	if ((!list && forms[self->form].form != FORM_TOP_DOWN) || parted)
		self->p.built->idle |= exclusive;
	if (parted)
		self->p.built->idle |= UINT64_C(1) << CALLS_INCL_SHARE;
	self->shown++;
	self->p.built->stamp = self->p.built->rows_stamp = self->shown;
}

/* Get the shape of the current tree, or the previous shape while a new one is made. */
static void
follow(struct calls_pane *self, struct view *v)
{
	bool				 list = forms[self->form].form == FORM_BY;
	struct calltree_shape_options	 o = {
		.form = forms[self->form].form, .group = forms[self->form].group,
		.threads = forms[self->form].threads, .of = self->of,
		.least = list ? 0 : LEAST, .most = MOST,
	};

	if (calls_follow(&v->calls, &self->of_tree, &o)) {
		table_free(self->p.built);
		self->p.built = NULL;
	}
	if (self->of_tree.shape != NULL &&
	    (self->p.built == NULL || self->raw != v->display.raw_names))
		make_table(self, v);
}

/* Why there is nothing to show. */
static const char *
why_empty(const struct calls_pane *self, struct view *v)
{
	const struct calltree_shape	*s = self->of_tree.shape;
	bool				 callers = self->form == FORM_CALLERS_AT;

	if (self->form < FORM_CALLERS_AT || s == NULL || s->total <= 0 || calls_busy(&v->calls))
		return calls_empty(v, s);
	if (s->unknown)
		return "no stack has a frame with this name: write it as it is shown, with its "
		    "parameters";
	return callers ? "it is outermost: nothing calls it" : "it calls nothing in these stacks";
}

static const struct table *
calls_pane_table(void *arg, struct view *v)
{
	struct calls_pane	*self = arg;

	follow(self, v);
	if (self->p.built == NULL) {
		self->p.t = (struct table)TABLE_WITHOUT_ROWS(calltree_columns, CALLS_COLUMNS,
		    calls_empty(v, self->of_tree.shape));
		return &self->p.t;
	}
	self->p.built->empty = why_empty(self, v);
	return self->p.built;
}

static void
put_part(const struct calltree *c, double all, double part, struct buf *out)
{
	if (calltree_part_name(c) != NULL && all > 0)
		buf_printf(out, ", %.0f %% %s", 100 * part / all, calltree_part_name(c));
}

/* What a weight counts; NULL: it has a unit of its own. */
static const char *
counted(enum calltree_weighing kind, bool one)
{
	switch (kind) {
	case WEIGH_COUNT:
		return one ? "event" : "events";
	case WEIGH_SAMPLES:
		return one ? "sample" : "samples";
	case WEIGH_CPU:
		return one ? "CPU sample" : "CPU samples";
	case WEIGH_SWITCHES:
		return one ? "switch" : "switches";
	case WEIGH_EXCEPTIONS:
		return one ? "exception" : "exceptions";
	case WEIGH_TIME:
	case WEIGH_BYTES:
	case WEIGH_SELF:
	case WEIGH_HEAP:
	case WEIGH_FIELD:
		break;
	}
	return NULL;
}

/* "13,271 samples, 54 % external" */
static void
put_total(struct calls_pane *self, struct view *v, struct buf *out)
{
	const struct calltree		*c = calls_tree(&v->calls);
	const struct calltree_shape	*s = self->of_tree.shape;
	const struct calltree_weight	*w = &v->calls.of->weight;
	const char			*what;
	struct calltree_totals		 t;
	struct cell			 total;

	calltree_totals(c, &t);
	total = calltree_weight_cell(w, s != NULL ? s->total : t.weight);
	total.show |= total.kind == CELL_U64 ? SHOW_GROUPED : 0;
	cell_text(out, &total, v->display.ascii);
	what = counted(w->kind, total.kind == CELL_U64 && total.u == 1);
	buf_printf(out, " %s", what != NULL ? what : "total");
	put_part(c, s != NULL ? s->total : t.weight, s != NULL ? s->total_part : t.part, out);
	if (calls_busy(&v->calls))
		buf_printf(out, ", %u %% read", percent_of(calls_share(&v->calls)));
	else if (t.cut)
		buf_puts(out, ", some stacks cut");
	if (s != NULL && forms[self->form].form == FORM_BY && s->left_out > 0)
		buf_counts(out, ", # lighter rows left out", s->left_out);
}

static void
calls_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct calls_pane	*self = arg;

	(void)calls_pane_table(self, v);
	if (forms[self->form].group == GROUP_METHOD && forms[self->form].form == FORM_BY &&
	    v->calls.of->weight.kind == WEIGH_HEAP)
		buf_puts(left, "by type");
	else
		buf_puts(left, forms[self->form].title);
	if (self->of != NULL && self->form >= FORM_CALLERS_AT)
		buf_printf(left, " %s", self->of);
	if (calls_tree(&v->calls) == NULL)
		return;
	buf_printf(left, ", weighted by %s", v->calls.of->weight.name);
	if (folding_folds(v->calls.rules))
		buf_puts(left, ", folded");
	calls_put_comparing(&v->calls, left);
	calls_put_hidden(self->of_tree.shape, left);
	put_total(self, v, right);
}

/* ---- acts */

static const struct calltree_label *
label_here(struct calls_pane *self, struct view *v)
{
	const struct calltree_shape	*s;
	size_t				 row;

	(void)calls_pane_table(self, v);
	row = table_pane_row(&self->p, v);
	s = self->of_tree.shape;
	if (row == TABLE_NO_ROW || s == NULL)
		return NULL;
	return &s->label[s->v[row + 1].label];
}

static void
choose(struct calls_pane *self, unsigned form)
{
	self->form = form;
	drop(self);
	self->p.touched = self->p.chosen = false;
	self->p.list.cursor = self->p.list.top = 0;
}

static void
choose_form(struct calls_pane *self, struct view *v, const char *name)
{
	if (name[0] == '\0') {
		choose(self, (self->form + 1) % FORM_CALLERS_AT);
		return;
	}
	for (unsigned i = 0; i < FORMS; i++) {
		if (strcmp(forms[i].name, name) != 0)
			continue;
		if (i >= FORM_CALLERS_AT && self->of == NULL)
			view_say(v, "select a method first: ( shows its callers, ) its callees");
		else
			choose(self, i);
		return;
	}
	view_refuse(v, "calls: '%s' is not one of top-down, threads, bottom-up, methods, modules, "
	    "namespaces", name);
}

/* For the named method, or the one under the cursor. */
static void
choose_method(struct calls_pane *self, struct view *v, unsigned form, const char *name)
{
	const struct calltree_label	*l = label_here(self, v);
	char				*of;

	if (name[0] == '\0' && (l == NULL || (l->kind != LABEL_FRAME &&
	    l->kind != LABEL_ADDRESS))) {
		view_say(v, "no method under the cursor");
		return;
	}
	of = name[0] != '\0' ? mem_strdup(name) :
	    mem_strndup((const char *)l->text.p, l->text.len);
	mem_free(self->of);
	self->of = of;
	choose(self, form);
}

static void
calls_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct calls_pane	*self = arg;

	switch (what) {
	case ACT_FORM:
		choose_form(self, v, name);
		break;
	case ACT_CALLERS:
		choose_method(self, v, FORM_CALLERS_AT, name);
		break;
	case ACT_CALLEES:
		choose_method(self, v, FORM_CALLEES_AT, name);
		break;
	default:
		calls_fold_label(v, label_here(self, v));
		break;
	}
}

static void
calls_pane_release(void *arg)
{
	struct calls_pane	*self = arg;

	drop(self);
	calls_shape_release(&self->of_tree);
	mem_free(self->of);
}

static bool
calls_print_options(void *arg, struct view *v, struct buf *out)
{
	const struct calls_pane	*self = arg;
	const char		*form = forms[self->form].name;

	if (!calls_put_command(&v->calls, "--tree", out))
		return true;
	if (forms[self->form].group != GROUP_METHOD)
		buf_printf(out, "--by=%.*s%c", (int)strlen(form) - 1, form, '\0');
	else if (self->form >= FORM_CALLERS_AT && self->of != NULL)
		buf_printf(out, "--tree=%s:%s%c", form, self->of, '\0');
	else if (forms[self->form].form != FORM_BY)
		buf_printf(out, "--tree=%s%c", form, '\0');
	return true;
}

const struct pane_ops	pane_calls = {
	.hints = "open=events calls-form callers callees weight fold-frame close help",
	.size = sizeof(struct calls_pane),
	.release = calls_pane_release,
	.title = calls_title,
	.table = calls_pane_table,
	TABLE_PANE_SORTED,
	.print_options = calls_print_options,
	.depends = PRINTS_WINDOW | PRINTS_FILTER | PRINTS_OTHER,
	.act = calls_act,
};
