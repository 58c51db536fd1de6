/*
 * tnav stacks: sums of the stacks of events.
 *
 *	by method	exclusive and inclusive			--by module, namespace
 *	--tree		calls below their callers, or reversed
 *	--fold		each stack on a line
 *	--speedscope	the same for the program speedscope
 */
#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/payload.h"
#include "app/run.h"
#include "tnav/analysis/calltree.h"
#include "tnav/analysis/heap.h"
#include "tnav/base/err.h"
#include "tnav/engine/field.h"
#include "tnav/out/convert.h"
#include "tnav/out/stacks.h"

struct stacks_request {
	struct calltree_weight		 weight;
	struct folding			*rules;
	struct calltree_shape_options	 shape;
	struct calltree_options		 tree_of;	/* with the windows to compare */
	bool				 fold, tree, speedscope;
};

#define COUNT(a)	(sizeof (a) / sizeof *(a))

static const unsigned	list_columns[] = {
	CALLS_EXCL, CALLS_EXCL_SHARE, CALLS_INCL, CALLS_INCL_SHARE, CALLS_PART, CALLS_NAME,
	CALLS_MODULE,
};
static const unsigned	tree_columns[] = {
	CALLS_INCL, CALLS_INCL_SHARE, CALLS_EXCL, CALLS_PART, CALLS_NAME, CALLS_MODULE,
};

/* ---- options */

static int
read_group(struct run *s, struct stacks_request *a)
{
	static const char *const	names[] = { "method", "module", "namespace" };
	const char			*by = s->opt->text[OPT_BY];

	if (by == NULL)
		return 0;
	for (unsigned i = 0; i < COUNT(names); i++)
		if (strcmp(by, names[i]) == 0) {
			a->shape.group = (enum calltree_group)i;
			return 0;
		}
	return run_refuse(s, "--by: stacks groups by method, module or namespace");
}

static int
read_form(struct run *s, struct stacks_request *a)
{
	static const struct {
		const char		*name;
		enum calltree_form	 form;
		bool			 of;
	} forms[] = {
		{ "top-down", FORM_TOP_DOWN, false }, { "threads", FORM_TOP_DOWN, false },
		{ "bottom-up", FORM_BOTTOM_UP, false }, { "callers:", FORM_CALLERS, true },
		{ "callees:", FORM_CALLEES, true },
	};
	const char	*which = s->opt->text[OPT_TREE];
	size_t		 len;

	a->shape.form = a->tree ? FORM_TOP_DOWN : FORM_BY;
	if (which == NULL)
		return 0;
	for (unsigned i = 0; i < COUNT(forms); i++) {
		len = strlen(forms[i].name);
		if (strncmp(which, forms[i].name, len) != 0 || (which[len] != '\0') != forms[i].of)
			continue;
		a->shape.form = forms[i].form;
		a->shape.threads = i == 1;
		a->shape.of = which + len;
		return 0;
	}
	return run_refuse(s, "--tree: '%s' is not one of top-down, threads, bottom-up, "
	    "callers:METHOD, callees:METHOD", which);
}

static int
read_weight(struct run *s, struct stacks_request *a)
{
	const char		*text = s->opt->text[OPT_WEIGHT];
	struct field_list	 list;
	struct buf		 why = { 0 };
	int			 code = 0;

	if (text == NULL)
		text = calltree_weight_usual(s->t);
	if (calltree_weight_init(&a->weight, text, &why) < 0)
		code = exit_usage("--weight: %s", buf_str(&why));
	if (code == 0 && a->weight.kind == WEIGH_FIELD) {
		if (field_list_init(&list, text, &why) < 0)
			code = EXIT_USAGE;
		else
			code = run_check_fields(s, &list, "--weight");
		field_list_release(&list);
	}
	buf_release(&why);
	return code != 0 ? run_usage(s) : 0;
}

static int
read_rules(struct run *s, struct stacks_request *a)
{
	struct buf	why = { 0 };
	int		code = 0;

	a->rules = folding_new();
	for (size_t i = 0; i < s->opt->nuses && code == 0; i++) {
		if (s->opt->use[i].id != OPT_FOLD_RULE)
			continue;
		if (folding_add(a->rules, s->opt->use[i].arg, &why) < 0)
			code = run_refuse(s, "--fold-rule: %s", buf_str(&why));
	}
	buf_release(&why);
	a->shape.folding = a->rules;
	return code;
}

static int
read_compare(struct run *s, struct stacks_request *a)
{
	struct calltree_options	*o = &a->tree_of;
	int			 code = 0;

	for (size_t i = 0; i < s->opt->nuses && code == 0; i++) {
		const char	*text = s->opt->use[i].arg;

		if (s->opt->use[i].id != OPT_COMPARE)
			continue;
		if (o->against) {
			code = exit_usage("--compare: at most two windows can be given");
		} else if (!o->parted) {
			code = selection_window(s->t, "", "--compare", text, &o->part_from,
			    &o->part_to);
			o->parted = true;
		} else {
			code = selection_window(s->t, "", "--compare", text, &o->against_from,
			    &o->against_to);
			o->against = true;
		}
	}
	if (code == 0 && o->against && o->against_from < o->part_to &&
	    o->part_from < o->against_to)
		code = exit_usage("--compare: the two windows overlap");
	return code != 0 ? run_usage(s) : 0;
}

static int
read_request(struct run *s, struct stacks_request *a)
{
	const struct options	*o = s->opt;
	int			 code;

	*a = (struct stacks_request){ .fold = o->given[OPT_FOLD], .tree = o->given[OPT_TREE],
	    .speedscope = o->given[OPT_SPEEDSCOPE] };
	if (a->fold + a->tree + a->speedscope > 1)
		return run_refuse(s, "stacks: only one of --fold, --tree and --speedscope can be "
		    "given");
	if ((a->fold || a->speedscope) && (o->given[OPT_BY] || o->given[OPT_FIELDS] ||
	    s->st.format == OUT_CSV || s->st.format == OUT_TSV || run_to_parquet(s)))
		return run_refuse(s, "stacks: --%s does not work with --by, --fields, csv, tsv or "
		    "parquet", a->fold ? "fold" : "speedscope");
	if ((a->fold || a->speedscope) && o->given[OPT_COMPARE])
		return run_refuse(s, "stacks: --compare works with lists and trees, not with --%s",
		    a->fold ? "fold" : "speedscope");
	code = read_group(s, a);
	if (code == 0)
		code = read_compare(s, a);
	if (code == 0)
		code = read_form(s, a);
	if (code == 0)
		code = read_rules(s, a);
	if (code == 0)
		code = read_weight(s, a);
	if (code == 0 && a->weight.kind == WEIGH_HEAP && s->sel.filter != NULL)
		code = run_refuse(s, "stacks: --weight heap needs all events of a walk: -f does "
		    "not apply; `tnav heap -f` chooses types and objects");
	return code;
}

static void
request_release(struct stacks_request *a)
{
	calltree_weight_release(&a->weight);
	folding_free(a->rules);
}

/* ---- printing */

static void
pick(struct run *s, const struct calltree *c, const unsigned *col, size_t n)
{
	bool	parted = s->opt->given[OPT_COMPARE];

	for (size_t i = 0; i < n; i++) {
		if (col[i] == CALLS_PART && calltree_part_name(c) == NULL)
			continue;
		listing_pick(s, col[i]);
		if (col[i] == CALLS_PART && parted) {
			listing_pick(s, CALLS_PART_SHARE);
			listing_pick(s, CALLS_DIFFERENCE);
		}
	}
}

static int
print_shape(struct run *s, const struct calltree *c, const struct stacks_request *a)
{
	bool				 text = out_is_for_people(s->st.format);
	const struct calltree_table_of	 of = { .raw = !text, .indent = text && a->tree };
	struct calltree_shape		*shape = calltree_shape_new(c, &a->shape);
	struct table			*t = calltree_table(c, shape, &of);
	int				 err;

	if (!a->tree)
		t->idle |= 1u << CALLS_DEPTH;
	if (text && s->npick == 0 && a->tree)
		pick(s, c, tree_columns, COUNT(tree_columns));
	else if (text && s->npick == 0)
		pick(s, c, list_columns, COUNT(list_columns));
	err = listing_print(s, t);
	if (shape->cut)
		message_put("%s: too many different calls: some stacks are cut short",
		    run_name(s));
	if (shape->unknown)
		message_put("%s: no stack has a frame '%s': write names as --format jsonl prints "
		    "them",
		    run_name(s), a->shape.of);
	else if (shape->n <= 1 && a->shape.form == FORM_CALLERS)
		message_put("%s: '%s' is outermost: nothing calls it", run_name(s), a->shape.of);
	else if (shape->n <= 1 && a->shape.form == FORM_CALLEES)
		message_put("%s: '%s' calls nothing", run_name(s), a->shape.of);
	table_free(t);
	calltree_shape_free(shape);
	return err;
}

static enum profile_unit
unit_of(const struct calltree_weight *w)
{
	switch (calltree_weight_cell(w, 1).kind) {
	case CELL_DUR:
		return PROFILE_NS;
	case CELL_BYTES:
		return PROFILE_BYTES;
	default:
		return PROFILE_NUMBER;
	}
}

static int
encode(struct run *s, const struct calltree *c, const struct stacks_request *a, uint64_t limit,
    uint64_t *cut)
{
	const struct profile_encoder	*to = a->fold ? &convert_folded : &convert_speedscope;
	void				*self = encoder_new(&to->state, s->o, run_base_name(s));
	int				 err;

	err = calltree_sums(c, a->rules, unit_of(&a->weight), a->fold ? limit : UINT64_MAX,
	    &to->ops, self);
	*cut = to->cut != NULL ? to->cut(self) : 0;
	encoder_free(&to->state, self);
	return err;
}

static int
print(struct run *s, const struct calltree *c, const struct stacks_request *a)
{
	uint64_t	limit = s->opt->given[OPT_LIMIT] ? s->opt->number[OPT_LIMIT] : UINT64_MAX;
	uint64_t	cut;
	int		err;

	if (!a->fold && !a->speedscope)
		return print_shape(s, c, a);
	if (a->fold && s->st.format == OUT_JSONL)
		err = stacks_json_lines(s->o, &s->st, c, a->rules, limit, &cut);
	else
		err = encode(s, c, a, limit, &cut);
	run_tell_cut_stacks(s, cut);
	return err;
}

static void
tell(struct run *s, const struct calltree *c)
{
	struct calltree_totals	totals;

	calltree_totals(c, &totals);
	s->sel.costly += totals.costly;
	run_tell_remark(s, calltree_remark(c));
	if (totals.stackless > 0)
		message_note("%s: %llu of %llu events have no stack", run_name(s),
		    (unsigned long long)totals.stackless, (unsigned long long)totals.events);
	run_tell_loss(s);
}

/* The tree's names belong to *heap. */
static int
fill_of_heap(struct run *s, struct calltree *c, struct heap_weights **heap)
{
	const struct report_options	 o = { .pass = run_pass_options(s) };
	struct pass_result		 result;
	int				 err = heap_weights_make(heap, s->t, &o, &result);

	if (err == ERR_OK) {
		run_take_result(s, &result);
		heap_weights_fill(*heap, c);
	}
	return err;
}

static int
stacks_print(struct run *s, const struct stacks_request *a)
{
	struct calltree_options	 o = a->tree_of;
	struct calltree		*c;
	struct heap_weights	*heap = NULL;
	int			 err;

	o.weight = &a->weight;
	o.filter = s->sel.filter;
	(void)run_need(s, NEEDS_SYMBOLS | (a->weight.field.def != NULL ?
	    field_needs(&a->weight.field, s->t) : 0));
	c = calltree_new(s->t, &o);
	err = a->weight.kind == WEIGH_HEAP ? fill_of_heap(s, c, &heap) :
	    run_pass_filter(s, calltree_order(c), calltree_filter(c), &calltree_ops, c);
	progress_end(&s->progress);
	calltree_settle(c);
	if (err == ERR_OK) {
		err = print(s, c, a);
		tell(s, c);
	}
	calltree_free(c);
	heap_weights_free(heap);
	return err;
}

int
stacks_each(struct run *s)
{
	struct stacks_request	a;
	int			code = listing_check(s, calltree_columns, CALLS_COLUMNS);

	if (code != 0)
		return code;
	code = read_request(s, &a);
	if (code == 0 && (a.fold || a.speedscope) &&
	    (s->opt->given[OPT_SORT] || s->opt->given[OPT_TOP]))
		code = run_refuse(s, "stacks: --sort and --top do not apply to --fold and "
		    "--speedscope");
	if (code == 0 && a.speedscope && output_is_tty(s->o))
		code = run_refuse(s, "a file for speedscope is not written to a terminal: use -o "
		    "FILE");
	if (code == 0)
		code = exit_of_reading(stacks_print(s, &a));
	request_release(&a);
	return code;
}
