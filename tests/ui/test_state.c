/*
 * What is kept of a trace is data: whatever a trace's texts hold, they come back byte by byte and
 * never become a command. A second reader of the files stands here, which shares no code with the
 * one of the viewer.
 */
#include <unistd.h>

#include "../support/desk.h"
#include "../support/hostile.h"
#include "../support/test.h"
#include "app/export.h"
#include "ui/command/command.h"
#include "ui/command/commands.h"
#include "ui/reread.h"
#include "ui/state/keep.h"
#include "ui/state/record.h"
#include "ui/state/script.h"
#include "ui/state/state.h"
#include "ui/view/field.h"

#define D	"tests/data/features/v4-dropped-events.nettrace"
#define PWNED	"tnav-pwned"		/* what the hostile commands would make */

static const struct ui_options	keeping = { .state = true, .export = &app_export };

/* ---- a folder of our own */

static char	folder[64] = "/tmp/tnav-state-XXXXXX";

static int
make_folder(void)
{
	if (mkdtemp(folder) == NULL)
		return -1;
	setenv("XDG_STATE_HOME", folder, 1);
	setenv("XDG_CONFIG_HOME", folder, 1);
	unsetenv("TNAV_NO_STATE");
	return 0;
}

static int
remove_folder(void)
{
	return test_remove(folder);
}

static void
read_text(const char *path, struct buf *out)
{
	FILE	*f = fopen(path, "rb");
	size_t	 n;

	assert_non_null(f);
	buf_clear(out);
	do {
		n = fread(buf_room(out, 4096), 1, 4096, f);
		out->len += n;
	} while (n > 0);
	fclose(f);
}

/* The only state file there is. */
static void
state_file(struct buf *path)
{
	char	command[128];
	FILE	*f;
	size_t	 n;

	snprintf(command, sizeof command, "ls '%s'/tnav/*.tnav", folder);
	f = popen(command, "r");
	assert_non_null(f);
	buf_clear(path);
	n = fread(buf_room(path, 4096), 1, 4096, f);
	assert_int_equal(pclose(f), 0);
	assert_true(n > 1);
	path->len = n - 1;
	assert_null(memchr(path->p, '\n', path->len));
	(void)buf_str(path);
}

static void
forget_state(void)
{
	char	path[128];

	snprintf(path, sizeof path, "%s/tnav", folder);
	assert_int_equal(test_remove(path), 0);
}

static void
nothing_ran(const char *what)
{
	if (access(PWNED, F_OK) == 0) {
		unlink(PWNED);
		fail_msg("a text of the trace has become a command: %s", what);
	}
}

/* ---- what is shown, as a list of names and values, each with its length */

static void
put(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, "%s[%zu]%s\n", name, strlen(value), value);
}

static void
shown(struct ui *ui, struct buf *out)
{
	struct view	*v = &ui->v;
	struct buf	*b = test_buf();

	if (!v->window.whole) {
		buf_printf(b, "%lld %lld", (long long)v->window.from, (long long)v->window.to);
		put(out, "window-ticks", buf_str(b));
	}
	buf_clear(b);
	for (size_t i = 0; i < v->display.columns.n; i++)
		if (v->display.columns.v[i].shown && v->display.columns.chosen)
			buf_printf(b, "%s%s", b->len > 0 ? "," : "",
			    v->display.columns.v[i].name);
	if (b->len > 0)
		put(out, "columns", buf_str(b));
	for (size_t i = 0; i < v->filter.n; i++) {
		put(out, v->filter.item[i].on ? "filter-add" : "filter-keep",
		    v->filter.item[i].text);
		if (v->filter.item[i].name != NULL)
			put(out, "filter-name", v->filter.item[i].name);
	}
	for (size_t i = 0; i < v->marks.n; i++) {
		const struct mark	*m = &v->marks.v[i];

		buf_clear(b);
		buf_printf(b, "%c %lld %llu%s%s", m->letter != 0 ? m->letter : '-',
		    (long long)m->ts, (unsigned long long)m->off, m->note != NULL ? " " : "",
		    m->note != NULL ? m->note : "");
		put(out, "mark-at", buf_str(b));
	}
	if (v->sel.has) {
		buf_clear(b);
		buf_printf(b, "%lld %llu", (long long)v->sel.ts, (unsigned long long)v->sel.off);
		put(out, "at", buf_str(b));
	}
}

/* The second reader: one record a line, two digits behind each \x, nothing but ASCII. */
static void
read_records(const struct buf *file, struct buf *out)
{
	const char	*p = file->p, *end = p + file->len;
	struct buf	*value = test_buf();

	assert_true(file->len > 13 && memcmp(p, "tnav-state 1\n", 13) == 0);
	for (p += 13; p < end; p++) {
		char		name[32] = "";
		size_t		n = 0;
		unsigned	byte;

		for (; p < end && *p != ' ' && n < sizeof name - 1; p++)
			name[n++] = *p;
		buf_clear(value);
		for (p++; p < end && *p != '\n'; p++) {
			assert_true(*p >= 0x20 && *p < 0x7f);
			byte = (unsigned char)*p;
			if (*p == '\\') {
				assert_int_equal(sscanf(p, "\\x%2x", &byte), 1);
				p += 3;
			}
			buf_putc(value, (char)byte);
		}
		assert_true(p < end);
		put(out, name, buf_str(value));
	}
}

static void
need_same(const struct buf *is, const struct buf *want, const char *what)
{
	if (is->len != want->len || memcmp(is->p, want->p, is->len) != 0)
		fail_msg("%s:\n%.*s\nis not\n%.*s", what, (int)is->len, is->p, (int)want->len,
		    want->p);
}

/* ---- everything that a person can do with a text of the trace */

/* Stand on the first field of the payload in the details. False: none has a value. */
static bool
on_payload(struct desk *d)
{
	struct pane	*p = &d->ui->panes.pane[PANE_DETAILS];
	struct field_at	 f = { 0 };
	bool		 found = false;

	desk_do(d, "M-3 g");
	for (int i = 0; i < 20 && !found; i++) {
		desk_do(d, "j");
		field_at_clear(&f);
		found = p->ops->field(p->self, &d->ui->v, &f) && f.value.len > 0 &&
		    strncmp(buf_str(&f.name), "payload.", 8) == 0;
	}
	field_at_release(&f);
	return found;
}

/* On row n: the filter from its value, columns, tallies, marks and notes of its text. */
static void
use_row(struct desk *d, size_t n, const struct buf *text)
{
	struct field_at	f = { 0 };
	struct buf	line = { 0 }, why = { 0 };
	struct event	e;

	buf_printf(&line, "row %zu", n);
	assert_true(ui_command(d->ui, buf_str(&line)));
	desk_rest(d);
	if (on_payload(d)) {
		desk_do(d, n % 2 ? "x" : "i");
		if (memchr(text->p, '\0', text->len) == NULL && text->len > 0 && text->len < 4000)
			assert_non_null(d->ui->v.filter.text);
	}
	desk_do(d, "= q M-2 g");
	desk_do(d, "m a");
	assert_true(view_event(&d->ui->v, 0, &e, &(uint64_t){ 0 }));
	if (field_at_name(&f, &d->ui->v, "provider", &e, 0) && f.value.len > 0) {
		buf_clear(&line);
		buf_printf(&line, "filter-keep provider = %s", buf_str(&f.value));
		(void)ui_command(d->ui, buf_str(&line));
		desk_do(d, ":`filters` <Enter> G n `one` <Enter> q");
	}
	field_at_release(&f);
	if (memchr(text->p, '\0', text->len) == NULL && text->len > 0 && text->len < 4000) {
		buf_clear(&line);
		buf_puts(&line, "note ");
		script_quote(&line, text->p);
		assert_true(ui_command(d->ui, buf_str(&line)));
		buf_clear(&line);
		buf_puts(&line, "search ");
		script_quote(&line, text->p);
		(void)ui_command(d->ui, buf_str(&line));
		buf_clear(&line);
		filter_quote_name(&line, "payload.", text->p, text->len);
		if (columns_choose(&d->ui->v, buf_str(&line), &why))
			desk_rest(d);
		buf_release(&why);
	}
	desk_do(d, "w");
	buf_release(&line);
}

static void
same_after(struct desk *d, const struct buf *want, const char *what)
{
	struct buf	*is = test_buf();

	desk_rest(d);
	shown(d->ui, is);
	need_same(is, want, what);
	nothing_ran(what);
	assert_false(d->ui->quit);
}

static void
one_row(const char *path, size_t n)
{
	struct desk	 d = desk_open(path, 30, 100, false, &keeping);
	struct buf	*text = test_buf(), *want = test_buf(), *file = test_buf();
	struct buf	*name = test_buf(), *read = test_buf(), *session = test_buf();

	hostile_text(n, text);
	(void)buf_str(text);
	use_row(&d, n, text);
	nothing_ran("used");
	shown(d.ui, want);
	/* The texts that matter most are in it. */
	if (text->len > 0 && strstr(text->p, "pipe touch") != NULL)
		assert_non_null(strstr(buf_str(want), "pipe touch " PWNED));
	assert_true(ui_reread(d.ui));
	same_after(&d, want, "read again");
	buf_printf(session, "save-session %s/session", folder);
	assert_true(ui_command(d.ui, buf_str(session)));
	buf_clear(session);
	buf_printf(session, "%s/session", folder);
	keep_save(d.ui);
	desk_close(&d);

	state_file(name);
	read_text(buf_str(name), file);
	read_records(file, read);
	need_same(read, want, "written");
	d = desk_open(path, 30, 100, false, &keeping);
	same_after(&d, want, "restored");
	desk_close(&d);
	forget_state();
	d = desk_open(path, 30, 100, false, &(struct ui_options){ .export = &app_export,
	    .script_file = buf_str(session) });
	same_after(&d, want, "run as a script");
	desk_close(&d);
	assert_int_equal(unlink(buf_str(session)), 0);
}

static void
every_row(void (*make)(struct buf *))
{
	struct buf	trace = { 0 }, path = { 0 };

	make(&trace);
	hostile_write(&trace, &path);
	for (size_t n = 0; n < hostile_count(); n++)
		one_row(buf_str(&path), n);
	hostile_remove(&path);
	buf_release(&trace);
}

TEST(no_text_of_a_trace_becomes_a_command_v4)
{
	every_row(hostile_v4);
}

TEST(no_text_of_a_trace_becomes_a_command_v6)
{
	every_row(hostile_v6);
}

/* ---- state files of others */

/* ---- what reaches commands */

TEST(no_name_of_the_state_is_a_command_that_acts_outside)
{
	const char	*name;

	for (size_t i = 0; (name = state_name(i)) != NULL; i++) {
		const struct command	*cmd = command_by_name(name, strlen(name));

		assert_non_null(cmd);		/* a saved session is made of them */
		if (cmd->does != 0)
			fail_msg("%s acts outside the viewer", name);
	}
}

DESK_TEST_WITH(a_pasted_text_fills_a_prompt_and_is_not_run, D, 24, 100, &keeping)
{
	for (int i = 0; i < 3; i++) {
		static const char *const	opens[] = { "", ":", "|" };

		desk_do(d, opens[i]);
		memterm_paste(d->m, "pipe touch " PWNED "\n:pipe touch " PWNED "\r\n\r");
		desk_rest(d);
		nothing_ran("a paste");
		assert_int_equal(d->ui->typing.prompt.kind,
		    i == 0 ? PROMPT_NONE : i == 1 ? PROMPT_COMMAND :
		    PROMPT_PIPE);
		desk_do(d, "<Esc>");
		nothing_ran("a paste, given up");
	}
}

/* Each line of an older state opens a quote that has no end: the file is not read for each. */
TEST(quotes_without_end_cost_in_proportion)
{
	struct record_reader	r;
	struct buf		text = { 0 }, name = { 0 }, value = { 0 };
	size_t			n = 0;

	for (unsigned i = 0; i < 20000; i++)
		buf_puts(&text, "filter-add name = \\\"\n");
	record_reader_init(&r, text.p, text.len);
	for (; record_next(&r, &name, &value); n++)
		assert_string_equal(buf_str(&value), "name = \\\"");
	assert_int_equal(n, 20000);
	assert_in_range(r.vain, 1, 4 * text.len);
	buf_release(&text);
	buf_release(&name);
	buf_release(&value);
}

/* Put so many numbers into "tid in (...)" that two of them are longer than a filter may be. */
static void
put_long_filter(struct buf *b, unsigned first)
{
	buf_printf(b, "tid in (%u", first);
	while (b->len < 40000)
		buf_printf(b, ", %u", ++first);
	buf_putc(b, ')');
}

DESK_TEST_WITH(a_filter_that_can_not_be_switched_on_costs_no_other, D, 24, 80, &keeping)
{
	struct buf	*one = test_buf(), *two = test_buf();

	put_long_filter(one, 10000);
	put_long_filter(two, 20000);
	assert_true(view_filter_add_off(&d->ui->v, buf_str(one)));
	assert_true(view_filter_add(&d->ui->v, buf_str(two)));
	assert_true(view_filter_add_off(&d->ui->v, "tid = 2"));
	assert_false(view_filter_add(&d->ui->v, buf_str(one)));
	assert_int_equal(d->ui->v.filter.n, 3);
	assert_false(d->ui->v.filter.item[0].on);
	assert_string_equal(d->ui->v.filter.item[2].text, "tid = 2");
}

GROUP(make_folder, remove_folder)
