/*
 * Going over the events that a subcommand is asked for: slice by slice in time order, or block by
 * block in the order of the file.
 */
#include "app/walk.h"

#include "tnav/base/mem.h"

#define FILE_BATCH	1024u

static int
walk_view(struct run *s, const struct slice_view *v, walk_fn fn, void *arg)
{
	uint64_t	row0 = s->sel.row0, row1 = s->sel.row1;
	uint32_t	from = row0 > v->row0 ? (uint32_t)(row0 - v->row0) : 0;
	uint32_t	to = row1 - v->row0 < v->n ? (uint32_t)(row1 - v->row0) : v->n;
	int		err = 0;

	for (uint32_t i = from; i < to && err == 0; i++)
		if (selection_has(&s->sel, &v->ev[i]))
			err = fn(arg, &v->ev[i], v->row0 + i);
	return err;
}

int
run_walk(struct run *s, walk_fn fn, void *arg)
{
	const struct slice_view	*v;
	int			 err = 0;

	for (uint64_t row = s->sel.row0; row < s->sel.row1 && err == 0;) {
		int	got = trace_view_get(s->t, row, &v);

		if (got <= 0)
			return got;
		err = walk_view(s, v, fn, arg);
		row = v->row0 + v->n;
		trace_view_put(s->t, v);
		if (!s->st.tty)
			progress_tick(&s->progress, "reading", row - s->sel.row0,
			    s->sel.row1 - s->sel.row0);
	}
	return err;
}

int
run_walk_file(struct run *s, walk_fn fn, void *arg)
{
	struct event	*ev = mem_zalloc(FILE_BATCH, sizeof *ev);
	struct file_pos	 pos = { { 0 } };
	uint64_t	 done = 0;
	int		 n, err = 0;

	do {
		n = trace_file_next(s->t, &pos, ev, FILE_BATCH);
		for (int i = 0; i < n && err == 0; i++) {
			if (selection_has(&s->sel, &ev[i]))
				err = fn(arg, &ev[i], 0);
		}
		done += n > 0 ? (uint64_t)n : 0;
		if (!s->st.tty)
			progress_tick(&s->progress, "reading", done, trace_rows(s->t));
	} while (n > 0 && err == 0);
	mem_free(ev);
	return n < 0 ? n : err;
}
