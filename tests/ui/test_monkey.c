/*
 * A monkey at the viewer: random scripts on every kind of trace, whole, damaged or changed while
 * it is shown. After each step the screen and the state are asked whether they can be true.
 *
 *	step -> keys -> the viewer in memory -> at rest -> check_all() -> the next step
 *
 * How to run it longer or again: ../support/monkey_run.h.
 */
#include <unistd.h>

#include "../support/asserts.h"
#include "../support/desk.h"
#include "../support/frame_check.h"
#include "../support/monkey.h"
#include "../support/monkey_run.h"
#include "app/export.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/filter.h"
#include "ui/term/key.h"

#define PLACES_MAX	200
#define BROKEN		3		/* exit code of a process whose viewer is */

/* ---- what must be true */

static struct ui		*watched;
static const struct screen_ops	*below;
static const char		*step = "open";
static bool			 may_quit;
static unsigned			 played;
static const struct trace	*changed;	/* the file that it shows is not the one it read */

static _Noreturn void __attribute__((format(printf, 1, 2)))
broken(const char *fmt, ...)
{
	va_list	ap;

	va_start(ap, fmt);
	fprintf(stderr, "broken at \"%s\": ", step);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fputc('\n', stderr);
	if (watched != NULL && watched->screen.c.cell != NULL)
		for (int y = 0; y < watched->screen.c.rows; y++) {
			struct buf	row = { 0 };

			canvas_row(&watched->screen.c, y, &row);
			fprintf(stderr, "%3d|%s\n", y, buf_str(&row));
			buf_release(&row);
		}
	fflush(stderr);
	_exit(BROKEN);
}

#define must(cond)	((cond) ? (void)0 : broken("%s", #cond))

static void
check_window(struct view *v)
{
	struct event	e;

	must(v->window.row0 <= v->window.row1 && v->window.row1 <= trace_rows(v->t));
	must((v->filter.q != NULL) == (v->filter.text != NULL));
	must(!v->window.any || v->window.from < v->window.to || v->window.to == INT64_MAX);
	must(!v->sel.settling && !v->search.seek.seeking && !v->walk.seek.seeking);
	must(v->history.back.n <= PLACES_MAX && v->history.forward.n <= PLACES_MAX);
	must(v->filter.n == 0 || v->filter.at < v->filter.n);
	if (!v->sel.has || v->t == changed)
		return;
	must(v->window.row0 == v->window.row1 ||
	    (v->sel.row >= v->window.row0 && v->sel.row < v->window.row1));
	if (v->sel.row < trace_rows(v->t) && trace_event(v->t, v->sel.row, &e) == 1)
		must(e.ts == v->sel.ts && e.off == v->sel.off);
}

/* Rows of the list ascend, and are as many as match one by one. */
static void
check_list(struct view *v)
{
	struct filter_error	 err = { 0 };
	struct filter		*f = NULL;
	struct filter_eval	*eval = NULL;
	uint64_t		 n = view_count(v), at = 0, row;
	struct event		 e;

	if (v->filter.q == NULL || v->t == changed || !query_done(v->filter.q) ||
	    v->window.row1 - v->window.row0 > 2000)
		return;
	must(filter_new(&f, v->filter.text, strlen(v->filter.text), v->t, false, view_now_ns(v),
	    &err) == 0);
	eval = filter_eval_new(f, v->t);
	for (uint64_t r = v->window.row0; r < v->window.row1; r++) {
		if (trace_event(v->t, r, &e) != 1 || !filter_match_row(eval, &e, r))
			continue;
		if (strstr(v->filter.text, "+") == NULL && strstr(v->filter.text, "-") == NULL &&
		    (view_row(v, at, &row) != 1 || row != r))
			broken("row %llu of the list is %llu, not %llu", (unsigned long long)at,
			    (unsigned long long)row, (unsigned long long)r);
		at++;
	}
	if (strstr(v->filter.text, "+") == NULL && strstr(v->filter.text, "-") == NULL && at != n)
		broken("the list has %llu rows, but %llu match", (unsigned long long)n,
		    (unsigned long long)at);
	filter_eval_free(eval);
	filter_free(f);
	filter_error_release(&err);
}

static bool
overlap(const struct pane *p, const struct pane *q)
{
	return p->at.y - p->titled < q->at.y + q->at.h && q->at.y - q->titled < p->at.y + p->at.h &&
	    p->at.x < q->at.x + q->at.w && q->at.x < p->at.x + p->at.w;
}

static bool
pops_up(int pane)
{
	return (SCOPE(pane) & SCOPE_OVERLAYS) != 0;
}

static void
check_panes(struct ui *ui)
{
	bool	small = ui->screen.rows < SHELL_MIN_ROWS || ui->screen.cols < SHELL_MIN_COLS;

	must(ui->panes.focus < PANES && (small || ui->panes.pane[ui->panes.focus].shown));
	for (int i = 0; i < PANES && !small; i++) {
		const struct pane	*p = &ui->panes.pane[i];

		if (!p->shown)
			continue;
		if (p->at.y < 1 + p->titled || p->at.x < 0 || p->at.h < 1 || p->at.w < 1 ||
		    p->at.y + p->at.h > ui->screen.rows - 1 || p->at.x + p->at.w > ui->screen.cols)
			broken("%s stands at %d,%d, %d x %d of %d x %d", p->name, p->at.y,
			    p->at.x, p->at.h, p->at.w, ui->screen.rows, ui->screen.cols);
		if (i != (int)ui->panes.focus && pops_up(i))
			broken("%s has popped up without the keys", p->name);
		for (int j = 0; j < i; j++)
			if (ui->panes.pane[j].shown && overlap(p, &ui->panes.pane[j]) &&
			    !pops_up(i) && !pops_up(j))
				broken("%s stands upon %s", p->name, ui->panes.pane[j].name);
	}
}

static void
check_prompt(struct ui *ui)
{
	const struct prompt	*p = &ui->typing.prompt;
	const struct canvas	*c = &ui->screen.c;

	must(p->at <= p->text.len && p->kind < PROMPT_KINDS);
	must(p->at == p->text.len || ((unsigned char)p->text.p[p->at] & 0xc0) != 0x80);
	must(ui->typing.palette.n == 0 || ui->typing.palette.at < ui->typing.palette.n);
	must(c->cursor_y == -1 || (c->cursor_y >= 0 && c->cursor_y < c->rows && c->cursor_x >= 0 &&
	    c->cursor_x < c->cols));
	if (c->rows >= SHELL_MIN_ROWS && c->cols >= SHELL_MIN_COLS)
		must((p->kind != PROMPT_NONE) == (c->cursor_y == c->rows - 1));
}

static void
check_marks(const struct view *v)
{
	const struct marks	*m = &v->marks;

	must(m->n <= MARKS_MAX);
	for (size_t i = 1; i < m->n; i++)
		must(m->v[i - 1].ts < m->v[i].ts ||
		    (m->v[i - 1].ts == m->v[i].ts && m->v[i - 1].off < m->v[i].off));
}

static bool
same_cell(const struct canvas_cell *a, const struct canvas_cell *b)
{
	return a->style == b->style && a->mark == b->mark && a->width == b->width &&
	    memcmp(a->cp, b->cp, sizeof a->cp) == 0;
}

/* What stands there is what stands there when all of it is drawn anew, unless a followed file turns out
   to have ended meanwhile. */
static void
check_drawn(struct desk *d)
{
	struct canvas	*c = &d->ui->screen.c;
	size_t		 n = (size_t)c->rows * (size_t)c->cols;
	struct canvas_cell	*before = mem_alloc(n * sizeof *before + 1);
	int		 rows = c->rows, cols = c->cols;
	bool		 complete = d->ui->v.complete;
	struct buf	 row = { 0 };

	memcpy(before, c->cell, n * sizeof *before);
	memterm_resize(d->m, rows, cols);
	d->ui->timing.last_frame = 0;
	desk_rest(d);
	must(c->rows == rows && c->cols == cols);
	for (size_t i = 0; i < n && d->ui->v.t != changed && d->ui->v.complete == complete; i++) {
		if (same_cell(&before[i], &c->cell[i]))
			continue;
		for (size_t x = i - i % (size_t)cols, to = x + (size_t)cols; x < to; x++) {
			char	utf8[4];

			if (before[x].width > 0)
				buf_add(&row, utf8, text_encode(before[x].cp[0], utf8));
		}
		broken("drawn anew, line %zu differs at column %zu; it was\n    %s",
		    i / (size_t)cols, i % (size_t)cols, buf_str(&row));
	}
	mem_free(before);
}

static void
check_lines(struct desk *d)
{
	const struct canvas	*c = &d->ui->screen.c;

	if (c->rows < SHELL_MIN_ROWS || c->cols < SHELL_MIN_COLS) {
		must(c->rows * c->cols < 20 || desk_shows(d, "too small"));
		return;
	}
	must(memterm_line(d->m, 0)[0] != '\0');
	must(memterm_line(d->m, c->rows - 1)[0] != '\0');
}

static void
check_all(struct desk *d, bool deep)
{
	if (d->ui->quit)
		return;
	must(ui_idle(d->ui));
	check_window(&d->ui->v);
	check_panes(d->ui);
	check_prompt(d->ui);
	check_marks(&d->ui->v);
	check_lines(d);
	if (deep)
		check_list(&d->ui->v);
	check_drawn(d);
	check_window(&d->ui->v);
}

/* ---- keys on their way to the viewer */

/* What a key is bound to now; NULL: nothing, or it goes into a prompt. */
static const struct binding *
bound(const struct ui *ui, int32_t key)
{
	if (ui->typing.prompt.kind != PROMPT_NONE && key <= TK_ALT)
		return NULL;
	if (ui->typing.prompt.kind != PROMPT_NONE)
		key -= TK_ALT;
	return keymap_find(&ui->keymap, ui->typing.prefix != TK_NONE ? ui->typing.prefix : key,
	    ui->typing.prefix != TK_NONE ? key : TK_NONE, SCOPE(ui->panes.focus));
}

/* May a command of this name, in full or in part, do that? */
static bool
harmless(const char *name, size_t len, const char *arg)
{
	arg += strspn(arg, " \t");
	if (len > 0 && strncmp(name, "pipe", len) == 0)
		return arg[0] == '\0' || monkey_may_run(arg);
	if (len > 0 && (strncmp(name, "export", len) == 0 || strncmp(name, "cut", len) == 0 ||
	    strncmp(name, "save-session", len) == 0))
		return strchr(arg, '/') == NULL;
	return true;
}

static bool
is_harmless(struct ui *ui, int32_t key)
{
	const struct binding	*b = bound(ui, key);
	const char		*text = buf_str(&ui->typing.prompt.text);
	const char		*word = text + strspn(text, " \t");
	size_t			 len = strcspn(word, " \t");

	if (b != NULL && b->arg != NULL)
		return harmless(b->cmd->name, strlen(b->cmd->name), b->arg);
	if (key != TK_ENTER || *word == '\0')
		return true;
	if (ui->typing.prompt.kind == PROMPT_PIPE)
		return monkey_may_run(text);
	if (ui->typing.prompt.kind == PROMPT_EXPORT)
		return strchr(text, '/') == NULL;
	return ui->typing.prompt.kind != PROMPT_COMMAND || harmless(word, len, word + len);
}

/* Only what is bound to it, or typed, ends the viewer; and no text of the monkey's does harm. */
static struct input
watched_read(struct screen *s)
{
	struct input	in = { .kind = INPUT_NONE };

	/* What a key does depends on those before it, so it is given when they have been run. */
	if (watched == NULL || !typeahead_any(&watched->ahead))
		in = below->read(s);
	if (watched == NULL || in.kind == INPUT_NONE)
		return in;
	may_quit = false;
	if (in.kind == INPUT_KEY) {
		const struct binding	*b = bound(watched, in.code);

		if (!is_harmless(watched, in.code))
			in.code = TK_ESC;
		may_quit = b != NULL ? monkey_quits(b->cmd) || strcmp(b->cmd->name, "close") == 0 :
		    watched->typing.prompt.kind == PROMPT_COMMAND && in.code == TK_ENTER;
	}
	return in;
}

/* ---- one script */

static void
rest(struct desk *d, bool wait)
{
	d->ui->timing.last_frame = 0;
	if (wait)
		desk_rest(d);
	else
		ui_turn(d->ui);
}

static void
play_mouse(struct desk *d, const char *what)
{
	static const char *const	kinds[] = { "press", "drag", "release", "wheel" };
	size_t				len = strcspn(what, " ");
	int				y, x, n;

	for (unsigned k = 0; k < 4; k++)
		if (strlen(kinds[k]) == len && strncmp(what, kinds[k], len) == 0 &&
		    sscanf(what + len, "%d %d %d", &y, &x, &n) == 3)
			memterm_mouse(d->m, (enum mouse_kind)k, y, x, n);
}

static void
play_prompt(struct desk *d, const char *what)
{
	struct buf	text = { 0 };
	char		open[2] = { what[0], '\0' };

	monkey_text(what + 1 + (what[1] == ' '), &text);
	memterm_press(d->m, open);
	memterm_press(d->m, "C-u");
	memterm_type(d->m, buf_str(&text));
	memterm_press(d->m, "<Enter>");
	buf_release(&text);
}

static void
play_step(struct desk *d, const char *path, const struct buf *whole, const char *line)
{
	size_t		 len = strcspn(line, " !");
	bool		 wait = line[len] != '!';
	const char	*what = line + len + strspn(line + len, "! ");
	struct buf	 text = { 0 };
	int		 rows, cols;

	step = line;
	if (strncmp(line, "key", len) == 0) {
		memterm_press(d->m, what);
	} else if (strncmp(line, "prompt", len) == 0) {
		play_prompt(d, what);
	} else if (strncmp(line, "type", len) == 0) {
		monkey_text(what, &text);
		memterm_type(d->m, buf_str(&text));
	} else if (strncmp(line, "paste", len) == 0) {
		monkey_text(what, &text);
		memterm_paste(d->m, buf_str(&text));
	} else if (strncmp(line, "mouse", len) == 0) {
		play_mouse(d, what);
	} else if (strncmp(line, "size", len) == 0 && sscanf(what, "%d %d", &rows, &cols) == 2) {
		memterm_resize(d->m, rows, cols);
	} else if (strncmp(line, "file", len) == 0) {
		monkey_file(path, whole, what);
		changed = d->ui->v.t;
	} else {
		broken("no such step");
	}
	buf_release(&text);
	rest(d, wait);
	if (d->ui->quit && !may_quit)
		broken("the viewer was left by no key for it");
	if (wait && !d->ui->quit)
		check_all(d, ++played % 4 == 0);
}

/* False: nothing can be shown of it. */
static bool
open_desk(struct desk *d, const char *screen, const char *path)
{
	static struct screen_ops	ops;
	struct ui_options		o = { .color = UI_COLOR_AUTO, .export = &app_export };
	int				rows, cols;
	struct buf			why = { 0 };

	must(sscanf(screen, "screen %d %d", &rows, &cols) == 2);
	if (trace_open(&d->t, path, NULL, &why) != 0) {
		buf_release(&why);
		return false;
	}
	trace_index_start(d->t);
	if (strstr(screen, "early") == NULL)
		must(trace_index_wait(d->t, -1));
	d->m = memterm_new(rows, cols, strstr(screen, "ascii") != NULL);
	memterm_watch(d->m, frame_check);
	below = memterm_screen(d->m)->ops;
	ops = *below;
	ops.read = watched_read;
	memterm_screen(d->m)->ops = &ops;
	d->ui = ui_new(d->t, &o, memterm_screen(d->m), &why);
	buf_release(&why);
	if (d->ui == NULL) {
		memterm_free(d->m);
		trace_close(d->t);
		return false;
	}
	watched = d->ui;
	return true;
}

static void
play(const struct script *s, const char *path, const struct buf *whole)
{
	struct desk	d = { 0 };
	size_t		i = MONKEY_FIRST;

	while (i < s->n && open_desk(&d, s->line[MONKEY_SCREEN], path)) {
		rest(&d, true);
		while (i < s->n && !d.ui->quit)
			play_step(&d, path, whole, s->line[i++]);
		step = "close";
		changed = NULL;
		watched = NULL;
		desk_close(&d);
	}
}

static void
choose_screen(struct monkey *m, struct buf *out)
{
	static const char *const	sizes[] = { "24 80", "24 80", "10 40", "43 132", "50 200",
					    "1 1", "300 100", "5 200", "30 100" };

	buf_puts(out, sizes[monkey_below(m, sizeof sizes / sizeof *sizes)]);
	buf_puts(out, monkey_below(m, 3) == 0 ? " ascii" : "");
	buf_puts(out, monkey_below(m, 4) == 0 ? " early" : "");
}

int
main(void)
{
	static const struct monkey_test	test = { .seeds = 40, .steps = 60, .max = 1 << 20,
					    .screen = choose_screen, .play = play };

	return monkey_main(&test);
}
