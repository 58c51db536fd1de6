/*
 * Writing what is shown as a trace: the window and the filter are fixed when it begins.
 *
 *	task: context (names of code) -> excerpt -> output		the viewer waits or goes on
 */
#include "ui/command/cutting.h"

#include "tnav/analysis/context.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "ui/view/view.h"

#define PASSES	3u		/* addresses, names, events */

static void
cut(void *arg)
{
	struct cutting	*c = arg;
	struct event	*context = NULL;

	c->err = ERR_OK;
	if (c->filter != NULL || c->part.pass.has_from)
		c->err = context_choose(c->t, &c->part.pass, false, &context, &c->part.ncontext);
	c->part.context = context;
	c->task.step = PASSES - 1;
	if (c->err == ERR_OK)
		c->err = excerpt_write(c->t, c->o, &c->part, &c->result);
	mem_free(context);
}

/* What was asked for, for the trace's key tnav.cut. */
static void
put_note(struct buf *out, const struct view *v, bool redacts)
{
	buf_puts(out, "cut");
	if (!v->window.whole)
		buf_printf(out, " --from %.9fs --to %.9fs",
		    (double)trace_ns(v->t, v->window.from) / 1e9,
		    (double)trace_ns(v->t, v->window.to) / 1e9);
	if (redacts)
		buf_puts(out, " --redact all");
	else if (v->filter.text != NULL)	/* else it may say what is redacted */
		buf_printf(out, " -f %s", v->filter.text);
}

struct cutting *
cutting_new(struct view *v, struct filter *f, struct output *o, bool redacts)
{
	struct cutting		*c = mem_zalloc(1, sizeof *c);
	const struct window	*w = &v->window;

	c->t = v->t;
	c->o = o;
	c->filter = f;
	if (f != NULL)
		c->threads = excerpt_threads(v->t, v->filter.text, v->filter.now_ns);
	put_note(&c->note, v, redacts);
	if (redacts)
		c->redact = redact_new(REDACT_ALL, NULL);
	c->part = (struct excerpt_options){
		.pass = window_pass(w, f, &c->task), .threads = c->threads,
		.note = f != NULL || !w->whole || redacts ? buf_str(&c->note) : NULL,
		.redact = c->redact,
	};
	c->task.steps = PASSES;
	task_start(&c->task, TASK_APART, cut, c);
	return c;
}

int
cutting_end(struct cutting *c, bool keep, struct excerpt_result *r)
{
	int	err, closed;

	if (!keep || !task_take(&c->task))
		task_halt(&c->task);
	err = c->err;
	closed = output_close(c->o, keep && err == ERR_OK, NULL);
	*r = c->result;
	filter_free(c->filter);
	filter_free(c->threads);
	redact_free(c->redact);
	buf_release(&c->note);
	task_release(&c->task);
	mem_free(c);
	return err != ERR_OK ? err : closed;
}
