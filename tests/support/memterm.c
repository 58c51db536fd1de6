/*
 * A terminal in memory: frames are kept as text, and shown to who watches them.
 */
#include "memterm.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/base/buf.h"
#include "tnav/base/text.h"
#include "ui/draw/canvas.h"
#include "ui/term/key.h"
#include "ui/term/theme.h"

#define INPUTS	65536

struct memterm {
	struct screen	 s;
	int		 rows, cols;
	struct input	*in;
	size_t		 head, tail;
	struct buf	*line;			/* rows of the last frame */
	uint8_t		*mark;
	int		 put_rows, put_cols;
	struct buf	 all, copied;
	unsigned	 puts, suspends, repaints;
	void		(*watch)(const struct canvas *c);
};

static struct memterm *
mem_of(struct screen *s)
{
	return (struct memterm *)s;
}

static void
mem_size(struct screen *s, int *rows, int *cols)
{
	*rows = mem_of(s)->rows;
	*cols = mem_of(s)->cols;
}

static void
drop_lines(struct memterm *m)
{
	for (int y = 0; y < m->put_rows; y++)
		buf_release(&m->line[y]);
	free(m->line);
	free(m->mark);
	m->line = NULL;
	m->mark = NULL;
	m->put_rows = 0;
}

void
canvas_row(const struct canvas *c, int y, struct buf *out)
{
	size_t	keep = out->len;

	for (int x = 0; x < c->cols; x++) {
		const struct canvas_cell	*at = canvas_at(c, y, x);
		char			 utf8[4];

		for (unsigned i = 0; i <= CELL_MARKS && at->cp[i] != 0; i++)
			buf_add(out, utf8, text_encode(at->cp[i], utf8));
		if (at->cp[0] != ' ')
			keep = out->len;
	}
	out->len = keep;
}

static bool
mem_put(struct screen *s, const struct canvas *c)
{
	struct memterm	*m = mem_of(s);

	drop_lines(m);
	m->line = calloc((size_t)c->rows, sizeof *m->line);
	m->mark = calloc((size_t)c->rows, (size_t)c->cols);
	m->put_rows = c->rows;
	m->put_cols = c->cols;
	for (int y = 0; y < c->rows; y++) {
		for (int x = 0; x < c->cols; x++)
			m->mark[y * c->cols + x] = canvas_at(c, y, x)->mark;
		canvas_row(c, y, &m->line[y]);
	}
	if (m->watch != NULL)
		m->watch(c);
	m->puts++;
	return true;
}

static struct input
mem_read(struct screen *s)
{
	struct memterm	*m = mem_of(s);

	if (m->head == m->tail)
		return (struct input){ .kind = INPUT_NONE };
	return m->in[m->head++ % INPUTS];
}

static void
mem_wait(struct screen *s, int timeout_ms)
{
	(void)s;
	(void)timeout_ms;	/* the tests turn the loop as long as there is something to do */
}

static void
mem_repaint(struct screen *s)
{
	mem_of(s)->repaints++;
}

static void
mem_suspend(struct screen *s)
{
	mem_of(s)->suspends++;
}

static bool
mem_copy(struct screen *s, const char *text, size_t len)
{
	struct memterm	*m = mem_of(s);

	if (len > MEMTERM_COPY_MAX)
		return false;
	buf_clear(&m->copied);
	buf_add(&m->copied, text, len);
	return true;
}

static bool
mem_set(struct screen *s, const char *name, const char *value)
{
	(void)s;
	if (strcmp(name, "theme") == 0)
		return theme_find(value) != THEMES;
	return strcmp(name, "mouse") == 0;
}

static const struct screen_ops	ops = {
	.size = mem_size,
	.put = mem_put,
	.read = mem_read,
	.wait = mem_wait,
	.repaint = mem_repaint,
	.suspend = mem_suspend,
	.set = mem_set,
	.copy = mem_copy,
};

struct memterm *
memterm_new(int rows, int cols, bool ascii)
{
	struct memterm	*m = calloc(1, sizeof *m);

	m->s = (struct screen){ .ops = &ops, .ascii = ascii };
	m->in = calloc(INPUTS, sizeof *m->in);
	m->rows = rows;
	m->cols = cols;
	return m;
}

void
memterm_watch(struct memterm *m, void (*fn)(const struct canvas *c))
{
	m->watch = fn;
}

void
memterm_free(struct memterm *m)
{
	drop_lines(m);
	buf_release(&m->all);
	buf_release(&m->copied);
	free(m->in);
	free(m);
}

struct screen *
memterm_screen(struct memterm *m)
{
	return &m->s;
}

static void
add(struct memterm *m, enum input_kind kind, int32_t code)
{
	assert(m->tail - m->head < INPUTS);
	m->in[m->tail++ % INPUTS] = (struct input){ .kind = kind, .code = code };
}

void
memterm_press(struct memterm *m, const char *keys)
{
	for (int32_t key = key_next(&keys); key != TK_NONE; key = key_next(&keys))
		add(m, INPUT_KEY, key);
	assert(*keys == '\0');	/* a misspelt name */
}

static void
add_text(struct memterm *m, enum input_kind kind, const char *text)
{
	const uint8_t	*p = (const uint8_t *)text, *end = p + strlen(text);
	int32_t		 cp;

	while (p < end) {
		p += text_decode(p, end, &cp);
		add(m, kind, cp);
	}
}

void
memterm_type(struct memterm *m, const char *text)
{
	add_text(m, INPUT_KEY, text);
}

void
memterm_paste(struct memterm *m, const char *text)
{
	add_text(m, INPUT_PASTED, text);
}

void
memterm_mouse(struct memterm *m, enum mouse_kind kind, int y, int x, int n)
{
	assert(m->tail - m->head < INPUTS);
	m->in[m->tail++ % INPUTS] = (struct input){ .kind = INPUT_MOUSE,
	    .mouse = { .kind = kind, .y = y, .x = x, .n = n } };
}

void
memterm_resize(struct memterm *m, int rows, int cols)
{
	m->rows = rows;
	m->cols = cols;
	add(m, INPUT_RESIZE, 0);
}

bool
memterm_pending(const struct memterm *m)
{
	return m->head != m->tail;
}

const char *
memterm_line(struct memterm *m, int y)
{
	return y >= 0 && y < m->put_rows ? buf_str(&m->line[y]) : "";
}

const char *
memterm_text(struct memterm *m)
{
	buf_clear(&m->all);
	for (int y = 0; y < m->put_rows; y++) {
		buf_puts(&m->all, buf_str(&m->line[y]));
		buf_putc(&m->all, '\n');
	}
	return buf_str(&m->all);
}

const char *
memterm_copied(struct memterm *m)
{
	return buf_str(&m->copied);
}

int
memterm_find(struct memterm *m, const char *text)
{
	for (int y = 0; y < m->put_rows; y++)
		if (strstr(buf_str(&m->line[y]), text) != NULL)
			return y;
	return -1;
}

unsigned
memterm_puts(const struct memterm *m)
{
	return m->puts;
}

unsigned
memterm_suspends(const struct memterm *m)
{
	return m->suspends;
}

unsigned
memterm_repaints(const struct memterm *m)
{
	return m->repaints;
}

unsigned
memterm_mark(struct memterm *m, int y, int x)
{
	return m->mark[y * m->put_cols + x];
}
