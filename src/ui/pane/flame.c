/*
 * The flame graph: calls as bars whose widths are their weights, callees below their callers, the
 * heaviest on the left; or upside down.
 *
 *	all 13,271 ------------------------------------------
 *	|StartCallback 87.2 % ----------------|Main 12.8 % -
 *	|lambda 31.8 % |lambda 12.6 % |...     |Run 12.7 % -
 *
 * Drawing visits at most as many frames as the screen has cells, even for a large tree
 * (flame_bars.c).
 *
 * Where two sides are compared, the traces A and B or the rest and the marked range, a frame has a
 * share of each. Its own weight is the greater one, so that what is gone keeps its place, and the
 * sign says on which side it is more:
 *
 *	all --------------------------------------------------
 *	+Handle 20.1 %, +31.2 ---------------|-Log 9.3 %, -9.3
 *
 * Actions of act(): 0 turns it upside down, 3 adds a fold rule for the frame under the cursor.
 */
#include <math.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/num.h"
#include "tnav/base/regex.h"
#include "ui/pane/flame_bars.h"
#include "ui/pane/pane.h"

#define NAME_LEAST	3		/* least width of a bar with a name */
#define LEAST_MORE	0.05		/* points of percent: +0.1 if rounded */
#define MUCH		5.0		/* from so many on the colour is strong */
#define FEET		1		/* lines below the graph: the frame under the cursor */

enum { ACT_TURN, ACT_FOLD = 3 };

struct flame {
	struct list		 list;		/* for searches: its rows are nodes */
	struct calls_shape	 of_tree;
	const struct calltree_shape *shape;	/* made from of_tree */
	uint32_t		 at, zoom;	/* nodes: at the cursor; the widest bar */
	uint64_t		 at_id, zoom_id;
	double			*weight;	/* of each node, if two sides are compared; or
						   NULL */
	uint32_t		 top;		/* depth of the first line below zoom */
	bool			 turned;	/* upside down */
	int			 at_y, at_x;	/* of the pane, as last drawn */
	struct flame_bars	 bars;		/* as last drawn, in screen coordinates */
};

static bool
is_below(const struct calltree_shape *s, uint32_t node, uint32_t top)
{
	return node >= top && node < s->v[top].end;
}

/* Keep cursor and zoom on their nodes in a new shape: by the ids of their paths. */
static void
stay(struct flame *self)
{
	if (!calltree_shape_find(self->shape, self->zoom_id, &self->zoom))
		self->zoom = 0;
	if (!calltree_shape_find(self->shape, self->at_id, &self->at) ||
	    !is_below(self->shape, self->at, self->zoom))
		self->at = self->zoom;
	self->list.n = self->shape->n;
	self->list.cursor = self->at;
}

/* From the last node to the first: those below a node come after it. */
static void
weigh_both(struct flame *self)
{
	const struct calltree_shape	*s = self->shape;

	self->weight = mem_zalloc(s->n, sizeof *self->weight);
	for (uint32_t i = s->n; i-- > 0; ) {
		struct calltree_shares	x = calltree_shares(s, s->v[i].excl,
					    calltree_part(s, i).excl);

		self->weight[i] += x.a > x.b ? x.a : x.b;
		if (i > 0)
			self->weight[s->v[i].parent] += self->weight[i];
	}
}

/* The current shape, or the previous one while a new one is made. NULL: nothing to show. */
static const struct calltree_shape *
shape_of(struct flame *self, struct view *v)
{
	struct calltree_shape_options	 o = { .form = FORM_TOP_DOWN, .by_id = true };
	bool				 other = calls_follow(&v->calls, &self->of_tree, &o);

	self->shape = self->of_tree.shape;
	if (other) {
		mem_free(self->weight);
		self->weight = NULL;
	}
	if (other && self->shape != NULL)
		stay(self);
	if (other && self->shape != NULL && v->calls.parted)
		weigh_both(self);
	return self->shape != NULL && self->shape->n > 1 ? self->shape : NULL;
}

static void
stand(struct flame *self, uint32_t node)
{
	self->at = node;
	self->at_id = self->shape->v[node].id;
	self->list.cursor = node;
}

static void
zoom_to(struct flame *self, uint32_t node)
{
	self->zoom = node;
	self->zoom_id = self->shape->v[node].id;
	self->top = 0;
}

/* ---- drawing */

static const struct calltree_label *
label_of(const struct flame *self, uint32_t node)
{
	return &self->shape->label[self->shape->v[node].label];
}

static void
put_name(const struct flame *self, struct view *v, uint32_t node, struct buf *out)
{
	const struct calltree_label	*l = label_of(self, node);
	struct span			 name = v->display.raw_names ? l->text : l->clean;

	buf_add(out, name.p, name.len);
}

/* "Thread.StartCallback()" of "System.Threading.Thread.StartCallback()". */
static void
cut_namespace(struct buf *name)
{
	size_t	at[2] = { 0, 0 }, i = 0;
	int	depth = 0;

	for (; i < name->len && name->p[i] != '('; i++) {
		depth += (name->p[i] == '<') - (name->p[i] == '>');
		if (name->p[i] != '.' || depth != 0)
			continue;
		at[0] = at[1];
		at[1] = i + 1;
	}
	memmove(name->p, name->p + at[0], name->len - at[0]);
	name->len -= at[0];
}

static double
share_of(const struct flame *self, uint32_t node)
{
	if (self->weight != NULL)
		return self->weight[0] > 0 ? self->weight[node] / self->weight[0] : 0;
	return self->shape->total != 0 ? self->shape->v[node].incl / self->shape->total : 0;
}

/* How a bar looks: ':' if most of its weight is external; of two sides '+' or '-' if the second one
   has more or less of it, by as much as is shown. */
static char
sign_of(const struct flame *self, uint32_t node, enum style *st)
{
	double	more = 0;

	*st = ST_IN_BAR;
	if (self->weight != NULL) {
		*st = ST_ESCAPED;
		if (!calltree_difference(self->shape, node, &more) || fabs(more) < LEAST_MORE)
			return '|';
		if (fabs(more) < MUCH)
			*st = more > 0 ? ST_BIT_MORE : ST_BIT_LESS;
		else
			*st = more > 0 ? ST_MORE : ST_LESS;
		return more > 0 ? '+' : '-';
	}
	if (calltree_part(self->shape, node).incl * 2 > self->shape->v[node].incl)
		*st = ST_ESCAPED;
	return *st == ST_ESCAPED ? ':' : '|';
}

/* " 12.8 %"; of two sides the share of the first one, and how much more the second one has. */
static void
put_share(const struct flame *self, uint32_t node, struct buf *out)
{
	const struct calltree_shape	*s = self->shape;
	struct calltree_shares		 x;
	double				 more;

	if (self->weight == NULL) {
		buf_printf(out, " %.1f %%", 100 * share_of(self, node));
		return;
	}
	x = calltree_shares(s, s->v[node].incl, calltree_part(s, node).incl);
	buf_printf(out, " %.1f %%", 100 * x.a);
	if (calltree_difference(s, node, &more) && fabs(more) >= LEAST_MORE)
		buf_printf(out, ", %+.1f", more);
}

static void
draw_bar(struct flame *self, struct view *v, struct canvas *c, const struct flame_bar *b,
    bool focus)
{
	enum style	st;
	char		sign[2] = { sign_of(self, b->node, &st), '\0' };
	struct buf	name = { 0 };
	int		used = 0;

	if (b->node == self->at)
		st = ST_STRONG;
	for (int i = 0; i < b->w; i++)
		(void)canvas_puts(c, b->y, b->x + i, 1, st, " ");
	(void)canvas_puts(c, b->y, b->x, 1, st, sign);
	put_name(self, v, b->node, &name);
	if (name.len >= (size_t)b->w && name.len > 0 &&
	    label_of(self, b->node)->kind == LABEL_FRAME)
		cut_namespace(&name);
	if (name.len > (size_t)b->w * 8)
		name.len = (size_t)b->w * 8;
	if (b->w >= NAME_LEAST)
		used = canvas_buf(c, b->y, b->x + 1, b->w - 1, st, &name);
	buf_clear(&name);
	put_share(self, b->node, &name);
	if (used > 0 && used + 1 + (int)name.len < b->w)
		(void)canvas_buf(c, b->y, b->x + 1 + used, b->w - 1 - used, st, &name);
	buf_release(&name);
	if (b->node == self->at)
		canvas_mark(c, b->y, b->x, b->w, focus ? MARK_CURSOR : MARK_CURSOR_OFF);
}

/* Place the bars in r. */
static void
lay(struct flame *self, struct rect r)
{
	struct flame_bars	*b = &self->bars;
	size_t			 n = 0;

	flame_bars_lay(b, self->shape, self->weight, self->zoom, (int)self->top + r.h, r.w);
	for (size_t i = 0; i < b->n; i++) {
		struct flame_bar	x = b->v[i];

		x.y -= (int)self->top;
		if (x.y < 0)
			continue;
		x.y = self->turned ? r.y + r.h - 1 - x.y : r.y + x.y;
		x.x += r.x;
		b->v[n++] = x;
	}
	b->n = n;
}

static void
draw_foot(struct flame *self, struct view *v, struct canvas *c, struct rect r)
{
	const struct calltree_weight	*w = &v->calls.of->weight;
	const struct calltree_node	*n = &self->shape->v[self->at];
	const char			*part = calltree_part_name(calls_tree(&v->calls));
	struct cell			 incl = calltree_weight_cell(w, n->incl);
	struct cell			 excl = calltree_weight_cell(w, n->excl);
	double				 more;
	struct buf			 b = { 0 };

	incl.show |= incl.kind == CELL_U64 ? SHOW_GROUPED : 0;
	excl.show |= excl.kind == CELL_U64 ? SHOW_GROUPED : 0;
	cell_text(&b, &incl, v->display.ascii);
	buf_printf(&b, " (%.1f %%), exclusive ", 100 * share_of(self, self->at));
	cell_text(&b, &excl, v->display.ascii);
	if (self->weight != NULL && v->calls.comparing == COMPARE_OTHER) {
		struct calltree_shares	x = calltree_shares(self->shape, n->incl,
				    calltree_part(self->shape, self->at).incl);

		buf_printf(&b, ", A %.1f %%, B %.1f %%", 100 * x.a, 100 * x.b);
	} else if (part != NULL && n->incl > 0) {
		buf_printf(&b, ", %.1f %% %s",
		    100 * calltree_part(self->shape, self->at).incl / n->incl, part);
	}
	if (v->calls.parted && calltree_difference(self->shape, self->at, &more))
		buf_printf(&b, ", %+.1f points", more);
	buf_puts(&b, "  ");
	put_name(self, v, self->at, &b);
	(void)canvas_buf(c, r.y, r.x + 2, r.w - 2, ST_NORMAL, &b);
	buf_release(&b);
}

/* Scroll until the cursor is on the screen. */
static void
scroll(struct flame *self, int h)
{
	uint32_t	depth = self->shape->v[self->at].depth - self->shape->v[self->zoom].depth;

	if (depth < self->top)
		self->top = depth;
	if (h > 0 && depth >= self->top + (uint32_t)h)
		self->top = depth - (uint32_t)h + 1;
}

static void
flame_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct flame		*self = arg;
	struct rect		 bars = { r.y, r.x, r.h - FEET, r.w };

	if (shape_of(self, v) == NULL) {
		self->bars.n = 0;
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM,
		    calls_empty(v, self->of_tree.shape));
		return;
	}
	self->at_y = r.y;
	self->at_x = r.x;
	scroll(self, bars.h);
	lay(self, bars);
	for (size_t i = 0; i < self->bars.n; i++)
		draw_bar(self, v, c, &self->bars.v[i], focus);
	draw_foot(self, v, c, (struct rect){ r.y + r.h - FEET, r.x, FEET, r.w });
}

static void
flame_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct flame	*self = arg;
	const char	*part;

	if (shape_of(self, v) == NULL)
		return;
	part = calltree_part_name(calls_tree(&v->calls));
	buf_printf(left, "weighted by %s", v->calls.of->weight.name);
	if (folding_folds(v->calls.rules))
		buf_puts(left, ", folded");
	if (self->turned)
		buf_puts(left, ", callers below");
	calls_put_comparing(&v->calls, left);
	if (self->zoom != 0)
		buf_puts(left, ", zoomed");
	calls_put_hidden(self->of_tree.shape, left);
	if (self->weight != NULL)
		buf_printf(left, ", + more %s", part);
	else if (part != NULL)
		buf_printf(left, ", : mostly %s", part);
	if (calls_busy(&v->calls))
		buf_printf(right, "%u %% read, ", percent_of(calls_share(&v->calls)));
	buf_printf(right, "%.1f %% of all", 100 * share_of(self, self->zoom));
}

/* ---- moving */

/* The previous sibling: from the node before, go up. This takes at most as many steps as the
   tree is deep. */
static uint32_t
sibling_before(const struct calltree_shape *s, uint32_t node)
{
	uint32_t	parent = s->v[node].parent, at = node - 1;

	if (at == parent)
		return node;
	while (s->v[at].parent != parent)
		at = s->v[at].parent;
	return at;
}

/* The nearest bar on the same line, as last drawn; the node itself: there is none. */
static uint32_t
bar_beside(const struct flame *self, int dir)
{
	const struct flame_bar	*here = NULL, *best = NULL;

	for (size_t i = 0; i < self->bars.n && here == NULL; i++)
		if (self->bars.v[i].node == self->at)
			here = &self->bars.v[i];
	for (size_t i = 0; i < self->bars.n && here != NULL; i++) {
		const struct flame_bar	*b = &self->bars.v[i];

		if (b->y == here->y && (dir > 0 ? b->x > here->x : b->x < here->x) &&
		    (best == NULL || (dir > 0 ? b->x < best->x : b->x > best->x)))
			best = b;
	}
	return best != NULL ? best->node : self->at;
}

/* To a sibling, or else to the bar beside it that has another caller. */
static uint32_t
moved_aside(const struct flame *self, int dir)
{
	const struct calltree_shape	*s = self->shape;
	uint32_t			 at = self->at, next = at;

	if (at == self->zoom)
		return at;
	if (dir < 0)
		next = sibling_before(s, at);
	else if (s->v[at].end < s->v[s->v[at].parent].end && s->v[s->v[at].end].incl > 0)
		next = s->v[at].end;
	return next != at ? next : bar_beside(self, dir);
}

static uint32_t
moved(const struct flame *self, struct move m)
{
	const struct calltree_shape	*s = self->shape;
	uint32_t			 at = self->at;

	if (m.kind == MOVE_TO)
		return m.n >= 0 && (uint64_t)m.n < s->n ? (uint32_t)m.n : at;
	if (m.kind == MOVE_FIRST)
		return self->zoom;
	if (m.kind == MOVE_SIDE)
		return moved_aside(self, m.n < 0 ? -1 : 1);
	if (m.n < 0)
		return at != self->zoom ? s->v[at].parent : at;
	return at + 1 < s->v[at].end && s->v[at + 1].incl > 0 ? at + 1 : at;
}

static bool
flame_move(void *arg, struct view *v, struct move m)
{
	struct flame	*self = arg;
	int64_t		 steps = 1;
	uint32_t	 begin, to;

	if (shape_of(self, v) == NULL)
		return false;
	begin = self->at;
	if (m.kind == MOVE_LINES)
		steps = m.n < 0 ? -m.n : m.n;
	else if (m.kind == MOVE_PAGES || m.kind == MOVE_HALVES)
		steps = 8;
	else if (m.kind == MOVE_LAST)
		steps = INT64_MAX;
	if (self->turned && m.kind == MOVE_LINES)
		m.n = -m.n;
	if (m.kind == MOVE_LAST)
		m.n = 1;
	for (int64_t i = 0; i < steps; i++) {
		to = moved(self, m);
		if (to == self->at)
			break;
		stand(self, to);
	}
	if (!is_below(self->shape, self->at, self->zoom))
		zoom_to(self, 0);
	return self->at != begin;
}

/* Zoom in, or out if this is the widest bar. Returns false: the focus stays here. */
static bool
flame_enter(void *arg, struct view *v)
{
	struct flame	*self = arg;

	if (shape_of(self, v) == NULL)
		return false;
	if (self->at != self->zoom) {
		zoom_to(self, self->at);
		view_say(v, "zoomed: Enter on the widest bar goes back");
	} else {
		zoom_to(self, self->shape->v[self->zoom].parent);
	}
	return false;
}

static bool
flame_point(void *arg, struct view *v, int y, int x)
{
	struct flame	*self = arg;

	if (shape_of(self, v) == NULL || self->bars.n == 0)
		return false;
	for (size_t i = 0; i < self->bars.n; i++) {
		const struct flame_bar	*b = &self->bars.v[i];

		if (b->y - self->at_y != y || x < b->x - self->at_x ||
		    x >= b->x - self->at_x + b->w)
			continue;
		stand(self, b->node);
		return true;
	}
	return false;
}

static bool
flame_field(void *arg, struct view *v, struct field_at *out)
{
	struct flame			*self = arg;
	const struct calltree_label	*l;

	if (shape_of(self, v) == NULL)
		return false;
	l = label_of(self, self->at);
	put_name(self, v, self->at, &out->text);
	if (l->kind != LABEL_FRAME || v->calls.of->weight.kind == WEIGH_HEAP)
		return true;
	if (filter_quote(&out->value, (const char *)l->text.p, l->text.len))
		buf_puts(&out->name, "stack.method");
	return true;
}

static struct list *
flame_list(void *arg, struct view *v)
{
	struct flame	*self = arg;

	(void)shape_of(self, v);
	return &self->list;
}

static bool
flame_matches(void *arg, struct view *v, uint64_t line, const struct regex *re,
    struct regex_match *m)
{
	struct flame	*self = arg;
	struct buf	 b = { 0 };
	bool		 fits;

	if (shape_of(self, v) == NULL || line >= self->shape->n)
		return false;
	put_name(self, v, (uint32_t)line, &b);
	fits = regex_find(re, m, span_of_buf(&b), 0, NULL, NULL) == 1;
	buf_release(&b);
	return fits;
}

static void
flame_act(void *arg, struct view *v, int64_t what, const char *name)
{
	struct flame	*self = arg;

	(void)name;
	if (what == ACT_TURN)
		self->turned = !self->turned;
	else if (shape_of(self, v) != NULL)
		calls_fold_label(v, label_of(self, self->at));
}

static void
flame_release(void *arg)
{
	struct flame	*self = arg;

	calls_shape_release(&self->of_tree);
	flame_bars_release(&self->bars);
	mem_free(self->weight);
}

static const struct legend	flame_legend[] = {
	{ "|Main 12.8 %", "|Main 12.8 %", "a call; its width is its share of what is shown" },
	{ ":Wait 8.1 %", ":Wait 8.1 %", "most of it external; dim" },
	{ "+Wait 8.1 %, +4.2", "+Wait 8.1 %, +4.2",
	    "of two sides, 8.1 % of A (or of the rest) and 12.3 % of B (or of the range); red" },
	{ "-Wait 8.1 %, -4.2", "-Wait 8.1 %, -4.2", "less in B, down to none; blue" },
	{ NULL, NULL, NULL },
};

static bool
flame_print_options(void *arg, struct view *v, struct buf *out)
{
	(void)arg;
	if (calls_put_command(&v->calls, "--fold", out))
		buf_printf(out, "--fold%c", '\0');
	return true;
}

const struct pane_ops	pane_flame = {
	.hints = "open=zoom include flip weight fold-frame close help",
	.size = sizeof(struct flame),
	.release = flame_release,
	.title = flame_title,
	.draw = flame_draw,
	.move = flame_move,
	.list = flame_list,
	.matches = flame_matches,
	.enter = flame_enter,
	.enters = "Zoom to the frame; on the widest bar, zoom out to its caller.",
	.field = flame_field,
	.point = flame_point,
	.act = flame_act,
	.legend = flame_legend,
	.print_options = flame_print_options,
	.depends = PRINTS_WINDOW | PRINTS_FILTER | PRINTS_OTHER,
};
