/*
 * Stacks as folded text, and for speedscope.
 *
 *	folded		frames separated by ';', a blank, the weight
 *	speedscope	profiles, one a thread, then the names of their frames: so that nothing but
 *			weights and the numbers of frames is held back; a line ends after a while,
 *			between two samples
 */
#include "tnav/out/stacks.h"

#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/engine/naming.h"
#include "tnav/model/value.h"

/* ---- folded */

#define WHOLE_MOST	9e15		/* larger doubles have no fraction */

struct fold_out {
	struct output		*o;
	const struct out_style	*st;
	struct buf		 line;
	uint64_t		 left, cut;
	/* Frames of the previous line: their ids, and where they end. */
	struct folded_frame {
		uint32_t	id;
		size_t		end;
	}			*frame;
	size_t			 frame_cap;
	uint32_t		 nframes;
};

/* The number of frames that fit. The line says how many others were left out. */
static uint32_t
frames_fitting(const struct calltree_stack *s)
{
	size_t		len = 0;
	uint32_t	n = 0;

	while (n < s->n && s->frame[n].len <= STACK_TEXT_MOST - len)
		len += s->frame[n++].len;
	return n;
}

/* The nearest whole number. Large numbers are whole already. */
static double
whole(double v)
{
	if (v < -WHOLE_MOST || v > WHOLE_MOST)
		return v;
	return (double)(int64_t)(v < 0 ? v - 0.5 : v + 0.5);
}

/* Stacks are sorted, so most frames are those of the previous line. */
static void
put_frames(struct fold_out *f, const struct calltree_stack *s, uint32_t n)
{
	uint32_t	i = 0;

	while (i < n && i < f->nframes && f->frame[i].id == s->id[i])
		i++;
	f->line.len = i > 0 ? f->frame[i - 1].end : 0;
	f->frame = mem_grow(f->frame, &f->frame_cap, n, sizeof *f->frame);
	for (; i < n; i++) {
		if (i > 0)
			buf_putc(&f->line, ';');
		buf_add(&f->line, s->frame[i].p, s->frame[i].len);
		f->frame[i] = (struct folded_frame){ s->id[i], f->line.len };
	}
	f->nframes = n;
}

static void
put_folded(struct fold_out *f, const struct calltree_stack *s, uint32_t n)
{
	put_frames(f, s, n);
	if (n < s->n)
		buf_printf(&f->line, ";(%u frames left out)", s->n - n);
	buf_putc(&f->line, ' ');
	if (s->weight >= 0 && s->weight < WHOLE_MOST)
		buf_u64(&f->line, (uint64_t)whole(s->weight));
	else
		buf_printf(&f->line, "%.0f", whole(s->weight));
}

static void
put_json(struct fold_out *f, const struct calltree_stack *s, uint32_t n)
{
	buf_puts(&f->line, "{\"stack\":[");
	for (uint32_t i = 0; i < n; i++) {
		if (i > 0)
			buf_putc(&f->line, ',');
		json_text8(&f->line, s->frame[i]);
	}
	if (n < s->n)
		buf_printf(&f->line, ",\"(%u frames left out)\"", s->n - n);
	buf_puts(&f->line, "],\"weight\":");
	buf_f64(&f->line, s->weight);
	buf_puts(&f->line, ",\"events\":");
	buf_u64(&f->line, s->events);
	buf_putc(&f->line, '}');
}

static int
fold_one(void *arg, const struct calltree_stack *s)
{
	struct fold_out	*f = arg;
	struct buf	*out = output_buf(f->o);
	bool		 json = f->st->format == OUT_JSONL;
	uint32_t	 n;

	if (!json && whole(s->weight) == 0)
		return ERR_OK;
	if (f->left == 0)
		return ERR_CANCELED;
	f->left--;
	n = frames_fitting(s);
	f->cut += n < s->n;
	if (json) {
		buf_clear(&f->line);
		put_json(f, s, n);
		out_json_line(out, span_of_buf(&f->line), f->st);
	} else {
		put_folded(f, s, n);
		if (f->st->tty)
			(void)text_clean(out, span_of_buf(&f->line), f->st->mode, SIZE_MAX);
		else
			buf_add(out, f->line.p, f->line.len);
	}
	buf_putc(out, '\n');
	return output_step(f->o);
}

int
stacks_fold(struct output *o, const struct out_style *st, const struct calltree *c,
    const struct folding *rules, uint64_t limit, uint64_t *cut)
{
	struct fold_out	f = { .o = o, .st = st, .left = limit };
	int		err;

	buf_init(&f.line);
	err = calltree_stacks(c, rules, fold_one, &f);
	buf_release(&f.line);
	mem_free(f.frame);
	*cut = f.cut;
	return err == ERR_CANCELED ? ERR_OK : err;
}

/* ---- speedscope */

#define PIECE	65536u		/* bytes after which a line ends */

struct scope_out {
	struct output		*o;
	const struct out_style	*st;
	const char		*unit;
	struct buf		 line, weights, frames;
	double			 total;		/* of the current profile */
	bool			 open, more;	/* a profile is open; it has samples */
	uint32_t		 thread;
	uint32_t		*frame;		/* by id: its number + 1 */
	size_t			 nframe, cap;
	uint32_t		 nframes;
};

static int
put_line(struct scope_out *x)
{
	out_json_line(output_buf(x->o), span_of_buf(&x->line), x->st);
	buf_putc(output_buf(x->o), '\n');
	buf_clear(&x->line);
	return output_step(x->o);
}

static uint32_t
frame_number(struct scope_out *x, uint32_t id, struct span name)
{
	if (id >= x->nframe) {
		x->frame = mem_grow(x->frame, &x->cap, (size_t)id + 1, sizeof *x->frame);
		while (x->nframe <= id)
			x->frame[x->nframe++] = 0;
	}
	if (x->frame[id] == 0) {
		buf_puts(&x->frames, x->nframes > 0 ? ",{\"name\":" : "{\"name\":");
		json_text8(&x->frames, name);
		buf_putc(&x->frames, '}');
		x->frame[id] = ++x->nframes;
	}
	return x->frame[id] - 1;
}

static void
end_profile(struct scope_out *x)
{
	if (!x->open)
		return;
	buf_puts(&x->line, "],\"weights\":[");
	buf_add(&x->line, x->weights.p, x->weights.len);
	buf_puts(&x->line, "],\"startValue\":0,\"endValue\":");
	buf_f64(&x->line, x->total);
	buf_putc(&x->line, '}');
	x->open = x->more = false;
	x->total = 0;
	buf_clear(&x->weights);
}

static void
begin_profile(struct scope_out *x, struct span name, bool first)
{
	buf_puts(&x->line, first ? "{" : ",{");
	buf_printf(&x->line, "\"type\":\"sampled\",\"unit\":\"%s\",\"name\":", x->unit);
	json_text8(&x->line, name);
	buf_puts(&x->line, ",\"samples\":[");
	x->open = true;
}

static int
scope_one(void *arg, const struct calltree_stack *s)
{
	struct scope_out	*x = arg;
	int			 err = ERR_OK;

	if (!(s->weight > 0))
		return ERR_OK;
	if (!x->open || x->thread != s->id[0]) {
		bool	first = !x->open;

		end_profile(x);
		if (!first)
			err = put_line(x);
		begin_profile(x, s->frame[0], first);
		x->thread = s->id[0];
	}
	buf_puts(&x->line, x->more ? ",[" : "[");
	for (uint32_t i = 1; i < s->n; i++) {
		if (i > 1)
			buf_putc(&x->line, ',');
		buf_u64(&x->line, frame_number(x, s->id[i], s->frame[i]));
	}
	buf_putc(&x->line, ']');
	if (x->more)
		buf_putc(&x->weights, ',');
	buf_f64(&x->weights, s->weight);
	x->total += s->weight;
	x->more = true;
	if (err == ERR_OK && x->line.len > PIECE)
		err = put_line(x);
	return err;
}

static const char *
unit_of(const struct calltree_weight *w)
{
	switch (calltree_weight_cell(w, 1).kind) {
	case CELL_DUR:
		return "nanoseconds";
	case CELL_BYTES:
		return "bytes";
	default:
		return "none";
	}
}

int
stacks_speedscope(struct output *o, const struct out_style *st, const struct calltree *c,
    const struct folding *rules, const struct calltree_weight *weight, const char *name)
{
	struct scope_out	x = { .o = o, .st = st, .unit = unit_of(weight) };
	int			err;

	buf_init(&x.line);
	buf_init(&x.weights);
	buf_init(&x.frames);
	buf_puts(&x.line, "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\","
	    "\"exporter\":\"tnav\",\"name\":");
	json_text8(&x.line, span_of(name));
	buf_puts(&x.line, ",\"profiles\":[");
	err = calltree_stacks(c, rules, scope_one, &x);
	end_profile(&x);
	buf_puts(&x.line, "],\"shared\":{\"frames\":[");
	buf_add(&x.line, x.frames.p, x.frames.len);
	buf_puts(&x.line, "]}}");
	if (err == ERR_OK)
		err = put_line(&x);
	buf_release(&x.line);
	buf_release(&x.weights);
	buf_release(&x.frames);
	mem_free(x.frame);
	return err;
}
