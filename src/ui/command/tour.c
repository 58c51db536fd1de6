/*
 * The tour: a guided walk through the open trace, step by step, on the bottom line.
 *
 *	:tour	3/10  / searches by regex: n N go from hit to hit
 *
 * A step is a row of tour.tsv: a text, and script commands that show what the text describes.
 * All keys work meanwhile; F3 and :tour go on. {name} is replaced by the key of that command, as
 * currently bound.
 *
 * Invariant: a step begins with the whole trace, no filter, and only the pane of events. The
 * history keeps the previous state. A step for which the trace has no events is skipped with a
 * note.
 */
#include "ui/command/tour.h"

#include <stdlib.h>
#include <string.h>

#include "tnav/base/mem.h"
#include "tnav/engine/filter.h"
#include "ui/command/commands.h"
#include "ui/shell.h"
#include "ui/state/script.h"


/* ---- which steps are possible */

static bool
has_events(struct trace *t, const char *expr)
{
	struct filter_error	 err = { 0 };
	struct filter		*f;
	struct filter_eval	*eval;
	struct type_stat	*type;
	size_t			 n;
	bool			 has = false;

	if (filter_new(&f, expr, strlen(expr), t, true, 0, &err) == 0) {
		eval = filter_eval_new(f, t);
		n = trace_type_stats(t, &type);
		for (size_t i = 0; i < n && !has; i++)
			has = type[i].c.events > 0 &&
			    filter_type_verdict(eval, type[i].type) != 0;
		mem_free(type);
		filter_eval_free(eval);
	}
	filter_free(f);
	filter_error_release(&err);
	return has;
}

static bool
can_show(struct ui *ui, const struct tour_step *s)
{
	if (s->gaps && ui->v.gaps.loss.gaps == 0)
		return false;
	return s->needs == NULL || has_events(ui->v.t, s->needs);
}

/* ---- the walk */

/* Show the whole trace and only the pane of events. The cursor stays. */
static void
begin_afresh(struct ui *ui)
{
	while (layout_close_last(ui))
		;
	ui->panes.focus = layout_home();
	if (ui->v.filter.text != NULL)
		(void)view_set_filter(&ui->v, NULL);
	view_window_all(&ui->v);
	view_search_drop(&ui->v, true);
	layout_place(ui);
}

/* Run them immediately, so that a key typed ahead meets the finished step. */
static void
run_commands(struct ui *ui, const char *commands)
{
	struct buf	 one = { 0 };
	unsigned	 line = 1, at;

	while (script_next(&commands, &line, &at, &one))
		(void)ui_command(ui, buf_str(&one));
	buf_release(&one);
}

/* The first step from this one on for which the trace has events; above tour_nsteps: none. */
static unsigned
next_step(struct ui *ui, unsigned step)
{
	const char	*last = "";

	buf_clear(&ui->tour.skipped);
	for (; step <= tour_nsteps && !can_show(ui, &tour_steps[step - 1]); step++) {
		if (strcmp(last, tour_steps[step - 1].without) == 0)
			continue;
		last = tour_steps[step - 1].without;
		buf_printf(&ui->tour.skipped, "%s%s", ui->tour.skipped.len > 0 ? ", " : "(", last);
	}
	if (ui->tour.skipped.len > 0)
		buf_puts(&ui->tour.skipped, ") ");
	return step;
}

bool
tour_end(struct ui *ui)
{
	bool	was = ui->tour.step > 0;

	ui->tour.step = 0;
	ui->tour.fresh = false;
	return was;
}

/* Offer the tour to new users: on the bottom line until the first key. */
static void
offer(struct ui *ui)
{
	view_say(&ui->v, "New here? :tour is a guided tour in %zu steps, ? lists the keys, q quits",
	    tour_nsteps);
}

void
cmd_tour(struct ui *ui, const struct command_call *call)
{
	unsigned	step = ui->tour.step + 1;

	if (strcmp(call->arg, "0") == 0) {
		offer(ui);
		return;
	}
	if (call->arg[0] != '\0') {
		char	*end;
		long	 n = strtol(call->arg, &end, 10);

		if (*end != '\0' || n < 1 || n > (long)tour_nsteps) {
			view_refuse(&ui->v, "tour: no step \"%s\" (1 to %zu)", call->arg,
			    tour_nsteps);
			return;
		}
		step = (unsigned)n;
	}
	if (!ui->v.complete) {
		view_say(&ui->v, "the tour begins when the trace is indexed");
		return;
	}
	step = next_step(ui, step);
	if (step > tour_nsteps) {
		tour_end(ui);
		view_say(&ui->v, "End of the tour: ? lists all keys, :tour restarts it");
		return;
	}
	begin_afresh(ui);
	ui->tour.step = step;
	ui->tour.fresh = true;
	run_commands(ui, tour_steps[step - 1].commands);
}

/* ---- the bottom line */

/* Draw text from s on, up to the column `end`. {name} becomes the command's key. */
static void
draw_words(struct ui *ui, int y, int x, int end, const char *s)
{
	struct canvas	*c = &ui->screen.c;
	struct buf	 b = { 0 };

	while (*s != '\0') {
		bool			 key = *s == '{';
		size_t			 n = strcspn(s + key, key ? "}" : "{");
		const struct command	*cmd;

		buf_clear(&b);
		cmd = key ? command_by_name(s + 1, n) : NULL;
		if (cmd != NULL)
			keymap_keys(&ui->keymap, cmd, SCOPE_ANY, 1, &b);
		if (b.len == 0) {		/* plain text, or a command without a key */
			buf_puts(&b, key ? ":" : "");
			buf_add(&b, s + key, n);
		}
		x += canvas_buf(c, y, x, end - x, key ? ST_KEY : ST_NORMAL, &b);
		s += key + n + key;
	}
	buf_release(&b);
}

/* Draw how to continue at the end of the line, even if there is little room. Returns its first
   column. */
static int
draw_way_on(struct ui *ui, int y)
{
	const char	*what = ui->tour.step < tour_nsteps ? " next" : " ends";
	int		 x = ui->screen.cols - 1 - (int)strlen(what), w;
	struct buf	 key = { 0 };

	key_write(&key, TOUR_KEY);
	w = canvas_cells(&ui->screen.c, buf_str(&key));
	(void)canvas_puts(&ui->screen.c, y, x, (int)strlen(what), ST_NORMAL, what);
	(void)canvas_buf(&ui->screen.c, y, x - w, w, ST_KEY, &key);
	buf_release(&key);
	return x - w - 1;
}

/* Is the line used for something else? */
static bool
line_is_taken(const struct ui *ui)
{
	return ui->typing.question.yes != NULL || ui->typing.prompt.kind != PROMPT_NONE ||
	    ui->typing.count >= 0 || ui->typing.prefix != TK_NONE ||
	    (!ui->tour.fresh && (ui->v.message.len > 0 || ui->v.search.shown));
}

void
tour_draw(struct ui *ui)
{
	struct canvas	*c = &ui->screen.c;
	struct buf	 b = { 0 };
	int		 x = 1, y = ui->screen.rows - 1, end;

	if (ui->tour.step == 0 || line_is_taken(ui) || ui->screen.rows < SHELL_MIN_ROWS ||
	    ui->screen.cols < SHELL_MIN_COLS)
		return;
	canvas_blank(c, (struct rect){ y, 0, 1, ui->screen.cols }, ST_NORMAL);
	buf_printf(&b, "%u/%zu ", ui->tour.step, tour_nsteps);
	end = draw_way_on(ui, y);
	x += canvas_buf(c, y, x, end - x, ST_STRONG, &b);
	x += canvas_buf(c, y, x, end - x, ST_DIM, &ui->tour.skipped);
	draw_words(ui, y, x, end, tour_steps[ui->tour.step - 1].words);
	buf_release(&b);
}
