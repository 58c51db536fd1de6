/*
 * The labels of frames in a shape.
 *
 *	frame	Demo.Shapes+Circle.get_Item(int32), Demo.dll
 *	label	method		the same, shown as Demo.Shapes.Circle.get_Item(int)
 *		module		Demo.dll
 *		namespace	Demo
 *		folded		Demo.Shapes+Circle.get_Item
 *		by a rule	the rule's name; or none: LABEL_AWAY
 */
#include "analysis/calltree/private.h"
#include "tnav/base/hash.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"

#define NO_MODULE	"(unknown module)"
#define NO_NAMESPACE	"(no namespace)"

void
labels_release(struct labels *l)
{
	hashtable_release(&l->by_text);
	buf_release(&l->scratch);
	arena_release(&l->arena);
	mem_free(l->v);
	mem_free(l->of_frame);
}

static uint32_t
add(struct labels *l, const struct calltree_label *x)
{
	ARRAY_ADD(l->v, l->n, l->cap, *x);
	return (uint32_t)(l->n - 1);
}

/* The label with that text and kind, added if it is new. The text may be in scratch. */
static uint32_t
of_text(struct labels *l, struct span text, struct calltree_label x)
{
	uint64_t	hash = hash_more(x.kind, text.p, text.len);

	HASHTABLE_EACH(&l->by_text, hash, i)
		if (l->v[*i].kind == x.kind && spans_equal(l->v[*i].text, text))
			return *i;
	x.text.p = (const uint8_t *)arena_strndup(&l->arena, (const char *)text.p, text.len);
	x.text.len = text.len;
	x.clean = x.text;
	hashtable_add(&l->by_text, hash, (uint32_t)l->n);
	return add(l, &x);
}

static struct span
without_args(const struct frame_name *name)
{
	struct span	s = name->raw;

	if (name->method && name->args_at <= s.len)
		s.len = name->args_at;
	return s;
}

/* ---- the text of a frame's label */

static struct span
namespace_of(const struct frame_name *name)
{
	struct span	s = name->raw;
	size_t		dot = 0;

	if (!name->method)
		return name->module.len > 0 ? name->module : span_of(NO_MODULE);
	s.len = name->type_len <= s.len ? name->type_len : s.len;
	for (size_t i = 0; i < s.len && strchr("+`[<", s.p[i]) == NULL; i++)
		if (s.p[i] == '.')
			dot = i;
	if (dot == 0)
		return span_of(NO_NAMESPACE);
	s.len = dot;
	return s;
}

static uint32_t
method_label(struct labels *l, const struct call_frame *f)
{
	struct calltree_label	 x = { .kind = LABEL_FRAME, .module = f->name.module,
				    .text = f->name.raw, .clean = f->name.clean,
				    .unsure = f->name.unsure };

	if (f->name.raw.p != NULL && !x.unsure)
		return add(l, &x);
	buf_clear(&l->scratch);
	frame_text(&l->scratch, &f->name, f->ip, FRAME_CLEAN);
	x.clean.p = (const uint8_t *)arena_strndup(&l->arena, buf_str(&l->scratch),
	    l->scratch.len);
	x.clean.len = l->scratch.len;
	if (f->name.raw.p == NULL) {
		x.kind = LABEL_ADDRESS;
		x.address = f->ip;
		x.text = x.clean;
	}
	return add(l, &x);
}

static bool
separates_lines(int32_t cp)
{
	return (cp < 0x20 && cp != '\t') || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 ||
	    cp == 0x2029;
}

void
calltree_fold_name(struct buf *to, struct span name)
{
	const uint8_t	*p = name.p, *end = p + name.len;
	size_t		 before = to->len;

	while (p < end) {
		int32_t	cp;
		char	text[4];

		p += text_decode(p, end, &cp);
		if (cp == ';')
			cp = ':';
		else if (cp < 0)
			cp = 0xfffd;
		else if (separates_lines(cp))
			cp = ' ';
		buf_add(to, text, text_encode(cp, text));
	}
	if (to->len == before)
		buf_puts(to, "(no name)");
}

static void
flatten(struct labels *l)
{
	struct buf	to = { 0 };

	calltree_fold_name(&to, span_of_buf(&l->scratch));
	buf_release(&l->scratch);
	l->scratch = to;
}

static uint32_t
folded_label(struct labels *l, const struct call_frame *f)
{
	struct frame_name	name = f->name;
	struct buf		*b = &l->scratch;

	name.raw = without_args(&name);
	buf_clear(b);
	frame_text(b, &name, f->ip, FRAME_RAW);
	flatten(l);
	return of_text(l, span_of_buf(b), (struct calltree_label){ .kind = LABEL_FRAME,
	    .module = name.module, .address = name.raw.p == NULL ? f->ip : 0 });
}

static uint32_t
label_of(struct labels *l, const struct call_frame *f, enum label_form form)
{
	struct span	module = f->name.module;

	switch (form) {
	case LABELS_MODULE:
		return of_text(l, module.len > 0 ? module : span_of(NO_MODULE),
		    (struct calltree_label){ .kind = LABEL_MODULE, .module = module });
	case LABELS_NAMESPACE:
		return of_text(l, namespace_of(&f->name),
		    (struct calltree_label){ .kind = LABEL_NAMESPACE });
	case LABELS_FOLDED:
		return folded_label(l, f);
	default:
		return method_label(l, f);
	}
}

static uint32_t
by_rules(struct labels *l, const struct call_frame *f, const struct folding *rules,
    enum label_form form)
{
	const struct folding_frame	x = { .raw = f->name.raw, .clean = f->name.clean,
					    .module = f->name.module, .method = f->name.method };
	struct span			name;

	switch (folding_ask(rules, &x, &name)) {
	case FOLD_AWAY:
		return LABEL_AWAY;
	case FOLD_AS:
		buf_clear(&l->scratch);
		buf_add(&l->scratch, name.p, name.len);
		if (form == LABELS_FOLDED)
			flatten(l);
		return of_text(l, span_of_buf(&l->scratch),
		    (struct calltree_label){ .kind = LABEL_RULE });
	default:
		return label_of(l, f, form);
	}
}

void
labels_of_frames(struct labels *l, const struct calltree *c, enum label_form form,
    const struct folding *rules, const atomic_bool *stop)
{
	bool	any = rules != NULL && folding_folds(rules);

	l->nframes = c->frames.n;
	l->of_frame = mem_zalloc(l->nframes + 1, sizeof *l->of_frame);
	for (size_t i = 0; i < l->nframes && !labels_stopped(stop, i); i++) {
		const struct call_frame	f = frames_at(&c->frames, (uint32_t)i);

		l->of_frame[i] = any ? by_rules(l, &f, rules, form) : label_of(l, &f, form);
	}
}

uint32_t
labels_thread(struct labels *l, struct trace *t, uint32_t thread, bool folded)
{
	struct calltree_label	x = { .kind = LABEL_THREAD };
	struct thread_stat	s = { .tid = 0 };
	struct buf		*b = &l->scratch;

	buf_clear(b);
	if (thread != EVENT_NONE)
		trace_thread(t, thread, &s);
	if (thread == EVENT_NONE)
		buf_puts(b, "Thread (?)");
	else if (s.has_tid)
		buf_printf(b, "Thread (%llu)", (unsigned long long)s.tid);
	else
		buf_printf(b, "Thread (#%u)", thread);
	if (!folded && s.name != NULL)
		buf_printf(b, " %s", s.name);
	return of_text(l, span_of_buf(b), x);
}

uint32_t
labels_other(struct labels *l, const char *text)
{
	return of_text(l, span_of(text), (struct calltree_label){ .kind = LABEL_ROOT });
}

uint32_t
labels_find(const struct labels *l, const char *text)
{
	size_t	len = strlen(text);

	for (size_t i = 0; i < l->n; i++)
		if ((l->v[i].text.len == len && memcmp(l->v[i].text.p, text, len) == 0) ||
		    (l->v[i].clean.len == len && memcmp(l->v[i].clean.p, text, len) == 0))
			return (uint32_t)i;
	return LABEL_AWAY;
}

static bool
joins(const struct labels *l, uint32_t label)
{
	return l->v[label].kind == LABEL_RULE || l->v[label].kind == LABEL_MODULE ||
	    l->v[label].kind == LABEL_NAMESPACE;
}

uint32_t
labels_step(const struct labels *l, struct nodes *to, uint32_t at, uint32_t frame)
{
	uint32_t	label = l->of_frame[frame], child;

	if (label == LABEL_AWAY || (at & NODE_CUT) != 0 ||
	    (at != 0 && to->v[at].key == label && joins(l, label)))
		return at;
	child = nodes_child(to, at, label);
	return child != at ? child : at | NODE_CUT;
}

bool
calltree_label_filter(const struct calltree_label *l, struct buf *out)
{
	switch (l->kind) {
	case LABEL_FRAME:
		buf_puts(out, "stack.method = ");
		return filter_quote(out, (const char *)l->text.p, l->text.len);
	case LABEL_MODULE:
		if (l->module.len == 0)
			return false;
		buf_puts(out, "stack.module = ");
		return filter_quote(out, (const char *)l->module.p, l->module.len);
	case LABEL_ADDRESS:
		buf_puts(out, "stack = 0x");
		buf_hex(out, l->address, 1);
		return true;
	default:
		return false;
	}
}

/*
 * Labels that belong to one frame each; NULL: there are frames without a node of their own. A path
 * of such labels is the path of one node of the tree, so its nodes need not be searched.
 */
static bool *
labels_alone(const struct labels *l)
{
	uint32_t	*frames = mem_zalloc(l->n + 1, sizeof *frames);
	bool		*alone = mem_zalloc(l->n + 1, sizeof *alone), away = false;

	for (size_t i = 0; i < l->nframes; i++) {
		away = away || l->of_frame[i] >= l->n;
		if (!away)
			frames[l->of_frame[i]]++;
	}
	for (uint32_t i = 0; i < l->n; i++)
		alone[i] = frames[i] == 1 && !joins(l, i);
	mem_free(frames);
	if (!away)
		return alone;
	mem_free(alone);
	return NULL;
}

void
labels_of_nodes(const struct labels *l, const struct calltree *c, struct nodes *to,
    uint32_t *node, const atomic_bool *stop)
{
	const struct node	*v = c->nodes.v;
	bool			*alone = labels_alone(l);
	bool			*sole = mem_zalloc(c->nodes.n, sizeof *sole);

	sole[0] = alone != NULL;
	for (size_t i = 1; i < c->nodes.n && !labels_stopped(stop, i); i++) {
		uint32_t	up = v[i].parent, label = l->of_frame[v[i].key];

		sole[i] = sole[up] && alone[label] && to->n < to->most;
		if (sole[i])
			node[i] = nodes_append(to, node[up], label);
		else
			node[i] = labels_step(l, to, node[up], v[i].key);
	}
	mem_free(sole);
	mem_free(alone);
}
