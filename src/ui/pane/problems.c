/*
 * Trace health: what is wrong with the file and what was lost, as the index found it; and what to
 * change when the next one is collected.
 *
 *	format      NetTrace V4, cut at byte 547,512: what came after is not known
 *	            at collection: stop it cleanly (dotnet-trace: Enter or Ctrl-C)
 *	lost        at least 1,482 events lost in 3 gaps ...
 *
 *	        kind               at offset  what			the findings
 *	warning cut                  547,512  the file is cut inside a block
 */
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/base/units.h"
#include "ui/pane/pane.h"

#define LABEL_W	12

struct problems {
	struct list	 list;
	struct finding	*v;
	uint64_t	 gen;
	bool		 loaded;
	bool		 runtime, rundown, tasks;	/* which .NET sources have events */
};

/* Events of which sources are there? What others could have told is missing. */
static void
find_sources(struct problems *self, struct view *v)
{
	struct type_stat	*st;
	size_t			 n = trace_type_stats(v->t, &st);

	self->runtime = self->rundown = self->tasks = false;
	for (size_t i = 0; i < n; i++) {
		const char	*provider = trace_type(v->t, st[i].type)->provider;

		if (strcmp(provider, "Microsoft-Windows-DotNETRuntime") == 0)
			self->runtime = true;
		else if (strcmp(provider, "Microsoft-Windows-DotNETRuntimeRundown") == 0)
			self->rundown = true;
		else if (strcmp(provider, "System.Threading.Tasks.TplEventSource") == 0)
			self->tasks = true;
	}
	mem_free(st);
}

static void
load(struct problems *self, struct view *v)
{
	if (self->loaded && self->gen == v->gen)
		return;
	mem_free(self->v);
	self->v = NULL;
	self->list.n = diag_list(trace_diag(v->t), &self->v);
	find_sources(self, v);
	self->gen = v->gen;
	self->loaded = true;
}

static void
finding_text(struct buf *b, const struct finding *f)
{
	if (f->count > 1)
		buf_printf(b, "%llu times: ", (unsigned long long)f->count);
	buf_puts(b, f->text);
	if (f->bytes > 0) {
		buf_puts(b, ", ");
		buf_grouped(b, f->bytes);
		buf_puts(b, f->bytes == 1 ? " byte" : " bytes");
	}
}

/* The chosen finding in full, broken where the lines end. */
static void
draw_whole(struct canvas *c, struct rect r, const struct finding *f)
{
	struct buf	b;
	size_t		at = 0, w = r.w > 4 ? (size_t)r.w - 4 : 1;

	buf_init(&b);
	finding_text(&b, f);
	canvas_hline(c, r.y, r.x, r.w, ST_TITLE);
	for (int y = r.y + 1; y < r.y + r.h && at < b.len; y++) {
		size_t	n = b.len - at, fit = n;

		if (n > w)
			for (fit = w; fit > 1 && b.p[at + fit] != ' '; fit--)
				;
		if (n > w && fit == 1)
			fit = w;
		(void)canvas_text(c, y, r.x + 2, r.w - 2, ST_NORMAL,
		    (struct span){ (const uint8_t *)b.p + at, fit });
		at += fit;
		at += at < b.len && b.p[at] == ' ';
	}
	buf_release(&b);
}

static void
draw_finding(struct canvas *c, struct rect r, int y, const struct finding *f)
{
	struct buf	b;
	int		x = r.x + 2;
	enum style	st = f->severity == SEV_ERROR ? ST_ERROR :
			    f->severity == SEV_WARN ? ST_WARN : ST_DIM;

	buf_init(&b);
	(void)canvas_puts(c, y, x, 8, st, severity_name(f->severity));
	(void)canvas_puts(c, y, x + 8, 13, ST_NORMAL, finding_kind_name(f->kind));
	buf_grouped(&b, f->off);
	canvas_right(c, y, x + 20, 14, ST_NORMAL, buf_str(&b));
	buf_clear(&b);
	finding_text(&b, f);
	(void)canvas_buf(c, y, x + 36, r.x + r.w - x - 36, ST_NORMAL, &b);
	buf_release(&b);
}

/* ---- the trace as a whole */

/* A line of what is so, and below it what to change. Returns the line behind. */
static int
draw_fact(struct canvas *c, struct rect r, int y, const char *label, enum style st,
    const struct buf *text, const char *advice)
{
	(void)canvas_puts(c, y, r.x + 2, LABEL_W, ST_DIM, label);
	(void)canvas_buf(c, y, r.x + 2 + LABEL_W, r.w - 2 - LABEL_W, st, text);
	if (advice == NULL)
		return y + 1;
	(void)canvas_puts(c, y + 1, r.x + 2 + LABEL_W, r.w - 2 - LABEL_W, ST_DIM, advice);
	return y + 2;
}

static bool
has_kind(const struct problems *self, enum finding_kind kind)
{
	for (uint64_t i = 0; i < self->list.n; i++)
		if (self->v[i].kind == kind)
			return true;
	return false;
}

static int
draw_format(struct problems *self, struct view *v, struct canvas *c, struct rect r, int y)
{
	const char	*advice = "at collection: stop it cleanly (dotnet-trace: Enter or Ctrl-C)";
	enum style	 st = ST_WARN;
	uint64_t	 off;
	struct buf	 b;

	buf_init(&b);
	buf_puts(&b, trace_info(v->t)->format);
	if (v->complete && trace_cut(v->t, &off)) {
		buf_puts(&b, ", cut at byte ");
		buf_grouped(&b, off);
		buf_puts(&b, ": what came after is not known");
	} else if (has_kind(self, FIND_NOT_CLOSED)) {
		buf_puts(&b, ", not closed: what came after is not known");
	} else {
		buf_puts(&b, !v->complete ? ", still being read" :
		    trace_info(v->t)->version > 0 ? ", closed" : "");
		st = ST_NORMAL;
		advice = NULL;
	}
	y = draw_fact(c, r, y, "format", st, &b, advice);
	buf_release(&b);
	return y;
}

/* What the numbers of the events say, which is no damage of the file. */
static int
draw_loss(struct view *v, struct canvas *c, struct rect r, int y)
{
	const char	*advice = NULL;
	enum style	 st = v->loss.gaps > 0 ? ST_GAP : ST_NORMAL;
	uint64_t	 off;
	bool		 unsure = !v->complete || trace_cut(v->t, &off);
	struct buf	 b;

	buf_init(&b);
	if (!trace_has(v->t, HAS_NUMBERS)) {
		buf_puts(&b, "this format does not number its events: losses can't be seen");
	} else if (v->loss.gaps == 0) {
		buf_puts(&b, unsure ? "no events known to be lost so far" :
		    "no events lost, by their numbers");
	} else {
		buf_puts(&b, unsure ? "at least " : "");
		buf_grouped(&b, v->loss.lost);
		buf_puts(&b, " events lost in ");
		buf_grouped(&b, v->loss.gaps);
		buf_puts(&b, " gaps  (} the next, Alt-5 threads)");
		advice = "at collection: a larger buffer (dotnet-trace --buffersize)";
	}
	y = draw_fact(c, r, y, "lost", st, &b, advice);
	buf_release(&b);
	return y;
}

/* What a .NET trace lacks because it was not asked for. */
static int
draw_sources(struct problems *self, struct canvas *c, struct rect r, int y)
{
	struct buf	b;

	buf_init(&b);
	if (self->runtime && !self->rundown) {
		buf_puts(&b, "none: methods from before the trace have no names");
		y = draw_fact(c, r, y, "rundown", ST_NORMAL, &b,
		    "at collection: stop it cleanly, and not with --rundown false");
	}
	if (self->runtime && !self->tasks) {
		buf_clear(&b);
		buf_puts(&b, "no TplEventSource: activity ids do not follow tasks");
		y = draw_fact(c, r, y, "activities", ST_NORMAL, &b,
		    "at collection: add System.Threading.Tasks.TplEventSource:0x80");
	}
	buf_release(&b);
	return y;
}

static void
draw_findings(struct problems *self, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	if (self->list.n == 0)
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_NORMAL, v->complete ?
		    "nothing in the structure of the file is wrong" :
		    "nothing wrong so far; the file is still being read");
	else
		(void)canvas_puts(c, r.y, r.x + 2, r.w - 2, ST_DIM,
		    "        kind               at offset  what");
	list_fit(&self->list, self->list.n, r.h - 1);
	for (int i = 0; i < r.h - 1; i++) {
		uint64_t	at = self->list.top + (uint64_t)i;

		if (at >= self->list.n)
			break;
		draw_finding(c, r, r.y + 1 + i, &self->v[at]);
		if (at == self->list.cursor)
			pane_cursor_row(c, r, r.y + 1 + i, focus);
	}
}

static void
problems_draw(void *arg, struct view *v, struct canvas *c, struct rect r, bool focus)
{
	struct problems	*self = arg;
	int		 whole, end = r.y + r.h;

	load(self, v);
	r.y = draw_format(self, v, c, r, r.y);
	r.y = draw_loss(v, c, r, r.y);
	if (end - r.y >= 10) {
		r.y = draw_sources(self, c, r, r.y);
		r.y++;
	}
	r.h = end - r.y;
	whole = self->list.n > 0 && r.h >= 8 ? 4 : 0;
	r.h -= whole;
	draw_findings(self, v, c, r, focus);
	if (whole > 0 && self->list.cursor < self->list.n)
		draw_whole(c, (struct rect){ r.y + r.h, r.x, whole, r.w },
		    &self->v[self->list.cursor]);
}

static void
problems_title(void *arg, struct view *v, struct buf *left, struct buf *right)
{
	struct problems	*self = arg;

	load(self, v);
	(void)left;
	buf_grouped(right, self->list.n);
	buf_puts(right, self->list.n == 1 ? " finding" : " findings");
}

static bool
problems_move(void *arg, struct view *v, struct move m)
{
	(void)v;
	return list_move(&((struct problems *)arg)->list, m);
}

static void
problems_release(void *arg)
{
	mem_free(((struct problems *)arg)->v);
}

const struct pane_ops	pane_problems = {
	.name = "problems",
	.hints = "next-gap close help",
	.size = sizeof(struct problems),
	.release = problems_release,
	.title = problems_title,
	.draw = problems_draw,
	.move = problems_move,
};
