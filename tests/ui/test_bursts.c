/*
 * Keys that come faster than frames: a held key, a slow link. Fifty in one write do what fifty do
 * with a frame after each, for every key that moves, in every pane.
 */
#include "../support/desk.h"
#include "../support/test.h"
#include "../support/tier.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "ui/command/command.h"
#include "ui/pane/table.h"
#include "ui/term/key.h"

#define DEMO	"tests/data/demo.nettrace"
#define D	"tests/data/features/v4-dropped-events.nettrace"
#define LABELS	"tests/data/features/v6-labels-all-kinds.nettrace"
#define HTTP	"tests/data/spans/cut-http.nettrace"
#define THROWN	"tests/data/spans/cut-exceptions.nettrace"

#define ROWS	24
#define COLS	80
#define BURST	50
#define SAMPLE	300	/* of pairs of a pane and a command; about one in four moves */

/* How a pane is come to, and where in it the keys begin. */
static const struct way {
	const char	*trace;
	enum pane_id	 pane;
	const char	*keys;
} ways[] = {
	{ DEMO, PANE_EVENTS, "" }, { DEMO, PANE_EVENTS, "3 0 0 G" }, { DEMO, PANE_EVENTS, "G" },
	{ DEMO, PANE_EVENTS, ":`collapse on` <Enter> 3 0 0 G" },
	{ DEMO, PANE_EVENTS, ":`blocks on` <Enter> 3 0 0 G" },
	{ DEMO, PANE_EVENTS, "f `name ~ GC` <Enter> G" },
	{ D, PANE_EVENTS, "" },
	{ DEMO, PANE_TIMELINE, "" }, { DEMO, PANE_TIMELINE, "z j j 3 0 0 G" },
	{ DEMO, PANE_DETAILS, "3 0 0 G <Enter>" }, { DEMO, PANE_DETAILS, "3 0 0 G <Enter> <Tab> G" },
	{ DEMO, PANE_STACK, "3 0 0 G" }, { DEMO, PANE_THREADS, "" }, { DEMO, PANE_THREADS, "z G" },
	{ LABELS, PANE_DETAILS, "2 G M-6" }, { DEMO, PANE_STATS, "" }, { DEMO, PANE_STATS, "G" },
	{ D, PANE_GAPS, "" }, { DEMO, PANE_PROBLEMS, "" }, { DEMO, PANE_HELP, "" },
	{ DEMO, PANE_HELP, "G" }, { DEMO, PANE_EXPLAIN, "" }, { DEMO, PANE_COLUMNS, "" },
	{ DEMO, PANE_FILTERS, "" }, { DEMO, PANE_MARKS, "" },
	{ HTTP, PANE_SPANS, "" }, { HTTP, PANE_SPANS, "G" },
	{ HTTP, PANE_SPANS, "z" },
	{ HTTP, PANE_SPANS, "M-a" }, { HTTP, PANE_SPANS, "M-a z j j" },
	{ HTTP, PANE_TOP, ":`top delta` <Enter>" }, { THROWN, PANE_CALLS, "" },
	{ THROWN, PANE_CALLS, "z j j" }, { THROWN, PANE_FLAME, "" }, { THROWN, PANE_FLAME, "z j" },
	{ DEMO, PANE_REPORTS, "" }, { DEMO, PANE_REPORT, ":`gc` <Enter>" },
	{ DEMO, PANE_REPORT, ":`allocs` <Enter> z" },
	{ THROWN, PANE_REPORT, ":`exceptions` <Enter>" },
	{ HTTP, PANE_REPORT, ":`requests` <Enter> G" }, { DEMO, PANE_DIFF, "M-d j j" },
	{ DEMO, PANE_MESSAGES, "" }, { DEMO, PANE_CHANGES, "" }, { DEMO, PANE_CHOOSER, "" },
};

TEST(every_pane_is_among_them)
{
	bool	tried[PANES] = { false };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		tried[ways[i].pane] = true;
	for (int i = 0; i < PANES; i++)
		if (!tried[i])
			fail_msg("no keys come fast in the pane %s", pane_names[i]);
}

static const char *
pane_keys(enum pane_id id)
{
	static char	text[64];

	switch (id) {
	case PANE_EVENTS:
		return "";
	case PANE_HELP:
		return "?";
	case PANE_EXPLAIN:
		return "K";
	default:
		snprintf(text, sizeof text, ":`pane %s` <Enter>", pane_names[id]);
		return text;
	}
}

/*
 * Where a table stands. What it shows follows from that, but how wide its columns are also from the
 * rows that it has shown so far.
 */
static void
put_place(const struct pane *p, struct buf *out)
{
	const struct table_pane	*t = p->self;

	buf_printf(out, "cursor %llu, top %llu\n", (unsigned long long)t->list.cursor,
	    (unsigned long long)t->list.top);
}

/* All that can be seen: text and marks; and what is selected. */
static void
see(struct desk *d, struct buf *out)
{
	const struct pane	*p = &d->ui->panes.pane[d->ui->panes.focus];
	bool			 table = p->ops->table != NULL;

	buf_clear(out);
	for (int y = 0; y < ROWS; y++) {
		if (table && y >= p->at.y && y < p->at.y + p->at.h)
			continue;
		buf_printf(out, "%s\n", memterm_line(d->m, y));
		for (int x = 0; x < COLS; x++)
			buf_putc(out, (char)('0' + memterm_mark(d->m, y, x)));
		buf_putc(out, '\n');
	}
	if (table)
		put_place(p, out);
	buf_printf(out, "row %llu, window %lld..%lld\n", (unsigned long long)d->ui->v.sel.row,
	    (long long)d->ui->v.window.from, (long long)d->ui->v.window.to);
}

static struct desk
come_to(const struct way *w)
{
	struct desk	d = desk_open(w->trace, ROWS, COLS, false, NULL);

	/* Something to mark, to filter and to look for; a place in the middle to be at. */
	desk_do(&d, "m a j j m b /`a` <Enter>");
	if (w->pane == PANE_FILTERS)
		desk_do(&d, ":`filter-keep tid = 1` <Enter> :`filter-keep tid = 2` <Enter>");
	if (strstr(w->keys, "<Enter>") == NULL || w->pane == PANE_EVENTS)
		desk_do(&d, pane_keys(w->pane));
	desk_do(&d, w->keys);
	if (d.ui->panes.focus != w->pane)
		desk_do(&d, pane_keys(w->pane));
	assert_int_equal(d.ui->panes.focus, w->pane);
	return d;
}

/* A step that a busy machine does not end within its time is added to the next one, which can
   change the line of the cursor, though not its row: it must be the same in one of the tries. */
#define TRIES	3

static int
try_key(const struct way *w, const char *key, int tries)
{
	struct desk	 one = come_to(w), all = come_to(w);
	struct buf	*keys = test_buf(), *a = test_buf(), *b = test_buf();
	int		 failed = 0;

	for (int i = 0; i < BURST; i++) {
		buf_printf(keys, "%s ", key);
		desk_do(&one, key);
	}
	desk_do(&all, buf_str(keys));
	see(&one, a);
	see(&all, b);
	if (strcmp(buf_str(a), buf_str(b)) != 0 && tries > 1) {
		failed = try_key(w, key, tries - 1);
	} else if (strcmp(buf_str(a), buf_str(b)) != 0) {
		fprintf(stderr, "%d times %s in %s after \"%s\", one by one:\n%s\nat once:\n%s\n",
		    BURST, key, pane_names[w->pane], w->keys, buf_str(a), buf_str(b));
		failed = 1;
	}
	desk_close(&one);
	desk_close(&all);
	return failed;
}

/* What moves the cursor, the window or the place in the history. */
static bool
moves(const struct command *cmd)
{
	static const char *const	others[] = { "time-format", "zero" };

	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(cmd->name, others[i]) == 0)
			return false;
	if (cmd->args != NULL)
		return false;		/* it asks */
	return strcmp(cmd->group, "Moving") == 0 || strcmp(cmd->group, "Time window") == 0 ||
	    strcmp(cmd->name, "next-hit") == 0 || strcmp(cmd->name, "previous-hit") == 0 ||
	    strcmp(cmd->name, "next-mark") == 0 || strcmp(cmd->name, "previous-mark") == 0 ||
	    strcmp(cmd->name, "last-jump") == 0;
}

static bool
is_tried(const struct way *w, const struct command *cmd)
{
	return cmd->keys[0] != '\0' && (cmd->scope & SCOPE(w->pane)) != 0 && moves(cmd);
}

/* The command's first key; the others are bound to the same. */
static int
try_command(const struct way *w, const struct command *cmd)
{
	char		key[32];
	size_t		len = strcspn(cmd->keys, " ");

	if (len == 2)	/* two keys in a row */
		snprintf(key, sizeof key, "%c %c", cmd->keys[0], cmd->keys[1]);
	else
		snprintf(key, sizeof key, "%.*s", (int)len, cmd->keys);
	return try_key(w, key, TRIES);
}

TEST(fifty_keys_in_one_write_move_fifty_times)
{
	size_t	n = command_ntable, pairs = sizeof ways / sizeof *ways * n;
	bool	*take = mem_zalloc(pairs, sizeof *take);
	int	 failed = 0, tried = 0;

	(void)check_sample(take, pairs, SAMPLE);
	for (size_t i = 0; i < pairs && failed < 3; i++) {
		if (!take[i] || !is_tried(&ways[i / n], &command_table[i % n]))
			continue;
		failed += try_command(&ways[i / n], &command_table[i % n]);
		tried++;
	}
	mem_free(take);
	assert_int_equal(failed, 0);
	assert_true(tried > 0);
}

/* By arithmetic: a list of h lines shows the last line of a page first on the next. */
DESK_TEST(pages_in_one_write_are_as_many, DEMO, ROWS, COLS)
{
	int	h = d->ui->panes.pane[PANE_EVENTS].at.h - 1;	/* without the titles */

	desk_try_row(d, "<Space> <Space> <Space> <PgDn> C-f", (uint64_t)(5 * (h - 1)));
	desk_try_row(d, "b <PgUp> C-b", (uint64_t)(2 * (h - 1)));
}

/* Frames of progress are not what a key's frame is kept apart from: the next key's is. */
DESK_TEST(a_key_waits_for_the_frame_of_a_key_alone, DEMO, ROWS, COLS)
{
	const int64_t	later = job_now_ns() + (int64_t)3600 * 1000000000;
	unsigned	frames;

	desk_rest(d);
	frames = memterm_puts(d->m);
	d->ui->timing.last_frame = later;
	d->ui->timing.last_keyed = 0;
	memterm_press(d->m, "j");
	ui_turn(d->ui);
	assert_int_equal(memterm_puts(d->m), frames + 1);
	d->ui->timing.last_frame = d->ui->timing.last_keyed = later;
	memterm_press(d->m, "j");
	ui_turn(d->ui);
	assert_int_equal(memterm_puts(d->m), frames + 1);
	assert_int_equal(d->ui->v.sel.row, 2);
}
