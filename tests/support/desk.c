/*
 * The viewer in memory: opened, pressed, looked at.
 */
#include "desk.h"

#define OWN_MAIN
#include "data.h"
#include "frame_check.h"
#include "test.h"
#include "tnav/base/mem.h"
#include "tnav/engine/joined.h"

#define TURNS	10000000

void
desk_rest(struct desk *d)
{
	for (int i = 0; i < TURNS; i++) {
		if (d->ui->quit || (ui_idle(d->ui) && !memterm_pending(d->m)))
			return;
		d->ui->timing.last_frame = 0;		/* draw the next frame at once */
		ui_turn(d->ui);
	}
	fail_msg("the viewer does not come to rest");
}

static void
release(struct desk *d)
{
	ui_free(d->ui);
	memterm_free(d->m);
	trace_close(d->t);
}

static void
close_kept(void *arg)
{
	release(arg);
	mem_free(arg);
}

static struct trace *
open_one(const char *path, const struct trace_options *opt)
{
	struct trace	*t;
	struct buf	*why = test_buf();

	if (path[0] != '/')
		path = data_path(path);
	if (trace_open(&t, path, opt, why) != 0)
		fail_msg("%s: %s", path, buf_str(why));
	return t;
}

/* "A + B": both as one list. */
static struct trace *
open_trace(const char *path, size_t cache_bytes, unsigned workers)
{
	struct trace_options	 opt = { .eager = true,	/* as the program */
				    .cache_bytes = cache_bytes, .workers = workers };
	const char		*plus = strstr(path, " + ");
	struct trace		*t, *two[2];
	struct buf		*first = test_buf(), *why = test_buf();

	if (plus == NULL) {
		t = open_one(path, &opt);
	} else {
		buf_add(first, path, (size_t)(plus - path));
		two[0] = open_one(buf_str(first), &opt);
		two[1] = open_one(plus + 3, &opt);
		assert_int_equal(trace_join(&t, two, 2, &(struct trace_join){ .shift = NULL }, &opt,
		    why), 0);
	}
	trace_index_start(t);
	assert_true(trace_index_wait(t, -1));
	return t;
}

static struct desk
open_desk(struct trace *t, int rows, int cols, bool ascii, const struct ui_options *o)
{
	struct ui_options	 none = { .color = UI_COLOR_AUTO };
	struct desk		 d = { .t = t, .m = memterm_new(rows, cols, ascii) };
	struct buf		*why = test_buf();

	(void)unsetenv("TMUX");	/* the test may run in one, which is not the viewer's */
	memterm_watch(d.m, frame_check);
	d.ui = ui_new(d.t, o != NULL ? o : &none, memterm_screen(d.m), why);
	if (d.ui == NULL)
		fail_msg("%s", buf_str(why));
	d.kept = mem_alloc(sizeof d);
	*d.kept = d;
	test_later(close_kept, d.kept);
	desk_rest(&d);
	return d;
}

struct desk
desk_open(const char *path, int rows, int cols, bool ascii, const struct ui_options *o)
{
	return open_desk(open_trace(path, 0, 0), rows, cols, ascii, o);
}

struct desk
desk_open_alike(const char *path, int rows, int cols, bool ascii, const struct ui_options *o)
{
	return open_desk(open_trace(path, 0, 1), rows, cols, ascii, o);
}

struct desk
desk_open_cached(const char *path, int rows, int cols, size_t cache_bytes)
{
	return open_desk(open_trace(path, cache_bytes, 0), rows, cols, false, NULL);
}

void
desk_close(struct desk *d)
{
	struct desk	*kept = d->kept;

	if (kept != NULL) {
		*kept = *d;		/* its viewer may be another one by now */
		test_now(kept);
	} else {
		release(d);
	}
}

void
desk_reopen(struct desk *d, const char *path, int rows, int cols, bool ascii,
    const struct ui_options *o)
{
	desk_close(d);
	*d = desk_open(path, rows, cols, ascii, o);
}

void
desk_do(struct desk *d, const char *script)
{
	while (*script != '\0') {
		size_t	 len = strcspn(script, "`"), typed;
		char	*keys = mem_strndup(script, len), *text;

		memterm_press(d->m, keys);
		mem_free(keys);
		desk_rest(d);
		script += len;
		if (*script == '\0')
			break;
		typed = strcspn(++script, "`");
		text = mem_strndup(script, typed);
		memterm_type(d->m, text);
		mem_free(text);
		desk_rest(d);
		script += typed + (script[typed] == '`');
	}
}

bool
desk_shows(struct desk *d, const char *text)
{
	return memterm_find(d->m, text) >= 0;
}

void
desk_need_all(struct desk *d, const char *const *texts)
{
	for (; *texts != NULL; texts++)
		if (!desk_shows(d, *texts))
			fail_msg("\"%s\" is not on the screen:\n%s", *texts, memterm_text(d->m));
}

void
desk_need_none(struct desk *d, const char *const *texts)
{
	for (; *texts != NULL; texts++)
		if (desk_shows(d, *texts))
			fail_msg("\"%s\" is on the screen:\n%s", *texts, memterm_text(d->m));
}

const char *
desk_bottom(struct desk *d)
{
	return memterm_line(d->m, d->ui->screen.rows - 1);
}

void
desk_need_bottom(struct desk *d, const char *text)
{
	if (strstr(desk_bottom(d), text) == NULL)
		fail_msg("\"%s\" is not on the bottom line:\n%s\n%s", text, desk_bottom(d),
		    memterm_text(d->m));
}

void
desk_try_all(struct desk *d, const char *script, const char *const *texts)
{
	desk_do(d, script);
	desk_need_all(d, texts);
}

void
desk_try_none(struct desk *d, const char *script, const char *const *texts)
{
	desk_do(d, script);
	desk_need_none(d, texts);
}

void
desk_try_bottom(struct desk *d, const char *script, const char *need)
{
	desk_do(d, script);
	desk_need_bottom(d, need);
}

void
desk_try_row(struct desk *d, const char *script, uint64_t row)
{
	desk_do(d, script);
	assert_int_equal(d->ui->v.sel.row, row);
}

const char *
desk_file(const char *folder, const char *name)
{
	static char	 text[1 << 20];
	char		 path[4096];
	size_t		 n = 0;
	FILE		*f;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	f = fopen(path, "r");
	if (f != NULL) {
		n = fread(text, 1, sizeof text - 1, f);
		fclose(f);
	}
	text[n] = '\0';
	return text;
}
