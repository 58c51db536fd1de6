/* Stacks as JSON lines. */
#include "tnav/out/stacks.h"

#include "tnav/base/err.h"
#include "tnav/engine/naming.h"
#include "tnav/model/value.h"

struct stack_lines {
	struct output		*o;
	const struct out_style	*st;
	struct buf		 line;
	uint64_t		 left, cut;
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

static int
put_line(void *arg, const struct calltree_stack *s)
{
	struct stack_lines	*f = arg;
	struct buf		*out = output_buf(f->o);
	uint32_t		 n = frames_fitting(s);

	if (f->left == 0)
		return ERR_CANCELED;
	f->left--;
	f->cut += n < s->n;
	buf_clear(&f->line);
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
	out_json_line(out, span_of_buf(&f->line), f->st);
	buf_putc(out, '\n');
	return output_step(f->o);
}

int
stacks_json_lines(struct output *o, const struct out_style *st, const struct calltree *c,
    const struct folding *rules, uint64_t limit, uint64_t *cut)
{
	struct stack_lines	f = { .o = o, .st = st, .left = limit };
	int			err;

	err = calltree_stacks(c, rules, put_line, &f);
	buf_release(&f.line);
	*cut = f.cut;
	return err == ERR_CANCELED ? ERR_OK : err;
}
