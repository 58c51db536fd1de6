/*
 * Details, stack, labels: the tree of an event, its bytes, and what its lines are to the filter.
 *
 * The trace is written here: one event with a number, a text that is JSON, one of pairs, and one
 * that is neither; a stack of three frames.
 */
#include <unistd.h>

#include "ui/pane/text_tree.h"
#include "../support/desk.h"
#include "../support/nt4_writer.h"
#include "../support/test.h"
#include "tnav/base/mem.h"
#include "tnav/engine/label.h"

#define STRUCTS	"tests/data/features/v6-nested-structs.nettrace"
#define LABELS	"tests/data/features/v6-labels-all-kinds.nettrace"
#define ACT	"tests/data/features/v4-activity-ids.nettrace"
#define SHORT	"tests/data/features/v6-payload-shorter-or-longer-than-fields.nettrace"
#define DEMO	"tests/data/demo.nettrace"

static void
put_text(struct buf *b, const char *s)
{
	do {
		buf_putc(b, *s);
		buf_putc(b, '\0');
	} while (*s++ != '\0');
}

/* Two events of the same content; the path, to be removed. */
static char *
write_trace(void)
{
	static const struct nt4_field	 fields[] = { { NT4_U32, "Count" }, { NT4_STRING, "Json" },
				{ NT4_STRING, "Pairs" }, { NT4_STRING, "Plain" } };
	static const uint64_t		 ips[] = { 0x7f0000001000, 0x7f0000002000, 0x7f0000003000 };
	char				*path = strdup("/tmp/tnav-details-XXXXXX");
	FILE				*f = fdopen(mkstemp(path), "w");
	struct nt4_writer		 w;
	struct buf			*b = test_buf();

	assert_non_null(f);
	buf_add(b, "\x07\0\0\0", 4);
	put_text(b, "{\"user\":\"ann\",\"ids\":[1,22]}");
	put_text(b, "path=/index;code=404");
	put_text(b, "just words");
	nt4_init(&w, f);
	nt4_trace(&w, &(struct nt4_trace){ .freq = 1000000, .pointer_size = 8 });
	nt4_block(&w, "MetadataBlock", NT4_COMPRESSED);
	nt4_metadata(&w, 1, "Test", 7, "Made", fields, 4);
	nt4_block_end(&w);
	nt4_stacks(&w, 1, 1, ips, 3);
	nt4_block(&w, "EventBlock", NT4_COMPRESSED);
	for (uint32_t i = 0; i < 2; i++)
		nt4_event(&w, &(struct nt4_event){ .mid = 1, .seq = i + 1, .tid = 5, .capture = 5,
		    .ts = 1000 * (i + 1), .stack = i == 0, .sorted = true, .payload = b->p,
		    .size = (uint32_t)b->len });
	nt4_block_end(&w);
	nt4_end(&w);
	nt4_release(&w);
	assert_int_equal(fclose(f), 0);
	return path;
}

static struct desk
open_made(int rows, char **path)
{
	*path = write_trace();
	return desk_open(*path, rows, 100, false, NULL);
}

static void
close_made(struct desk *d, char *path)
{
	desk_close(d);
	unlink(path);
	free(path);
}

/* Put the cursor of the details on the line with the text. */
static void
stand_on(struct desk *d, const char *text)
{
	desk_do(d, "M-3 g");
	for (int i = 0; i < 100; i++) {
		int	y = memterm_find(d->m, text);

		if (y >= 0 && (memterm_mark(d->m, y, 10) & MARK_CURSOR))
			return;
		desk_do(d, "j");
	}
	fail_msg("no line \"%s\":\n%s", text, memterm_text(d->m));
}

static void
need_filter(struct desk *d, const char *filter)
{
	assert_non_null(d->ui->v.filter.text);
	assert_string_equal(d->ui->v.filter.text, filter);
}

/* ---- text with a structure */

struct seen {
	char	text[256];
	size_t	n;
};

static void
see(void *arg, unsigned depth, struct span key, struct span value, bool opens)
{
	struct seen	*s = arg;

	s->n += (size_t)snprintf(s->text + s->n, sizeof s->text - s->n, "%u%.*s=%.*s%s ", depth,
	    (int)key.len, (const char *)key.p, (int)value.len, (const char *)value.p,
	    opens ? "+" : "");
}

static const char *
members(struct seen *s, const char *text)
{
	char	*exact = malloc(strlen(text) + 1);
	bool	 ok;

	memcpy(exact, text, strlen(text) + 1);
	s->n = 0;
	s->text[0] = '\0';
	ok = text_tree((struct span){ (const uint8_t *)exact, strlen(text) }, see, s);
	free(exact);
	return ok ? s->text : NULL;
}

TEST(a_text_is_a_tree_as_a_whole_or_not_at_all)
{
	static const char *const	none[] = { "", "x", "just words", "{\"a\":1", "{\"a\":1}x", "[1,]",
				"{a:1}", "[\"\x01\"]", "a=1", "a b=1 c", "=1;=2", "{\"a\" 1}", "nul" };
	struct seen			s;

	assert_string_equal(members(&s, "{\"a\":[1,\"x\\\"y\"],\"b\":{}}"),
	    "0a=+ 1=1 1=x\\\"y 0b=+ ");
	assert_string_equal(members(&s, " [ true , null ] "), "0=true 0=null ");
	assert_string_equal(members(&s, "a=1;b=two words"), "0a=1 0b=two words ");
	assert_string_equal(members(&s, "a=1 b=2"), "0a=1 0b=2 ");
	assert_string_equal(members(&s, "x=1&y="), "0x=1 0y= ");
	for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
		if (members(&s, none[i]) != NULL)
			fail_msg("\"%s\" is a tree: %s", none[i], s.text);
		assert_int_equal(s.n, 0);
	}
}

TEST(deep_json_is_no_tree_and_ends)
{
	char		*deep = calloc(1, 40001);
	struct seen	 s;

	memset(deep, '[', 20000);
	memset(deep + 20000, ']', 20000);
	assert_null(members(&s, deep));
	free(deep);
}

/* ---- the tree */

TEST(json_and_pairs_in_a_text_stand_as_lines_of_their_own)
{
	char		*path;
	struct desk	 d = open_made(50, &path);

	desk_try(&d, "M-3 z", "user  ", "ann", "[1]  ", "22", "code  ", "404");
	assert_string_equal(memterm_line(d.m, memterm_find(d.m, "user  ")), "     user      ann");
	assert_string_equal(memterm_line(d.m, memterm_find(d.m, "[1]  ")), "       [1]     22");
	stand_on(&d, "{\"user\"");
	desk_try(&d, "<Left>", "Json [+]");
	assert_int_equal(memterm_find(d.m, "ann    "), -1);
	desk_need(&d, "404");
	desk_try_not(&d, "<Enter>", "Json [+]");
	/* What is closed stays so from event to event. */
	desk_do(&d, "<Left> z q j");
	desk_try(&d, "M-3 z", "Json [+]");
	close_made(&d, path);
}

TEST(the_bytes_of_the_line_under_the_cursor_are_marked_and_back)
{
	char		*path;
	struct desk	 d = open_made(60, &path);
	int		 y, x;

	desk_do(&d, "M-3 z");
	stand_on(&d, "Count  ");
	desk_need(&d, "bytes 0..4 of ");
	y = memterm_find(d.m, "0000  07 00 00 00");
	assert_true(y > 0);
	x = 8;
	assert_true(memterm_mark(d.m, y, x) & MARK_CURSOR);
	assert_true(memterm_mark(d.m, y, x + 10) & MARK_CURSOR);
	assert_false(memterm_mark(d.m, y, x + 12) & MARK_CURSOR);
	stand_on(&d, "0000  07 00 00 00");
	y = memterm_find(d.m, "Count  ");
	assert_true(memterm_mark(d.m, y, 5) & MARK_HIT);
	y = memterm_find(d.m, "Plain  ");
	assert_false(memterm_mark(d.m, y, 5) & MARK_HIT);
	close_made(&d, path);
}

TEST(lines_are_taken_into_the_filter_and_tallied)
{
	char		*path;
	struct desk	 d = open_made(60, &path);

	stand_on(&d, "Count  ");
	desk_do(&d, "i");
	need_filter(&d, "payload.Count = 7");
	assert_int_equal(view_count(&d.ui->v), 2);
	desk_do(&d, "X");
	stand_on(&d, "Plain  ");
	desk_do(&d, "x");
	need_filter(&d, "not payload.Plain = \"just words\"");
	desk_need(&d, "no event matches");
	desk_do(&d, "X");
	stand_on(&d, "Plain  ");
	desk_try(&d, "H", "22 bytes: 6a 00 75 00");
	desk_try(&d, "=", "by payload.Plain", "just words   ");
	stand_on(&d, "offset");
	desk_try(&d, "i", "not a single field");
	close_made(&d, path);
}

DESK_TEST(objects_and_arrays_open_and_their_paths_are_fields, STRUCTS, 80, 100)
{
	desk_try(d, "M-3 z", "deep");
	stand_on(d, "-300");
	desk_do(d, "i");
	need_filter(d, "payload.o.deep.v = -300");
	assert_int_equal(view_count(&d->ui->v), 1);
	desk_do(d, "X");
	stand_on(d, "1099511627776");
	desk_do(d, "i");
	need_filter(d, "payload.list.id = 1099511627776");
	assert_int_equal(view_count(&d->ui->v), 1);
}

DESK_TEST(what_is_not_decoded_and_what_went_wrong_is_said, SHORT, 80, 100)
{
	bool	left = false, error = false;

	desk_do(d, "M-3 z");
	for (uint64_t i = 0; i < trace_rows(d->t); i++) {
		left |= desk_shows(d, "bytes are not decoded");
		error |= desk_shows(d, "error: ");
		desk_do(d, "M-2 j M-3");
	}
	assert_true(left);
	assert_true(error);
	desk_need(d, "header bytes");
}

/* ---- stack and labels */

TEST(a_stack_shows_its_addresses_and_why_they_have_no_names)
{
	char		*path;
	struct desk	 d = open_made(24, &path);

	desk_try(&d, "M-4", "#0    0x00007f0000001000", "#2    0x00007f0000003000", "3 frames");
	desk_need(&d, "the trace has no method names");
	desk_do(&d, "M-4 j i");
	need_filter(&d, "stack = 0x00007f0000002000");
	assert_int_equal(view_count(&d.ui->v), 1);
	desk_try(&d, "X M-2 j M-4", "no stack (");
	close_made(&d, path);
}

/* Row 3 has TraceId, row 4 SpanId: the first label of each is the only one. */
DESK_TEST(each_label_has_its_line_in_the_details, LABELS, 40, 120)
{
	struct label_set	*l = mem_zalloc(1, sizeof *l);
	struct event		 e;
	unsigned		 named = 0;

	for (uint64_t row = 0; row < trace_rows(d->t); row++) {
		assert_int_equal(trace_event(d->t, row, &e), 1);
		labels_load(l, d->t, &e);
		desk_do(d, row == 0 ? "M-2 g M-3 z" : "z M-2 j M-3 z");
		for (size_t i = 0; i < l->n; i++) {
			struct buf	*need = test_buf();
			struct span	 name;

			if (!label_name(&l->v[i], &name))
				continue;
			buf_puts(need, "label.");
			buf_add(need, name.p, name.len);
			desk_need(d, buf_str(need));
			named++;
		}
	}
	assert_true(named >= 4);
	mem_free(l);
}

DESK_TEST(labels_are_counted_over_the_window_and_filter, ACT, 24, 100)
{
	int	y;

	desk_do(d, "M-6");
	y = memterm_find(d->m, "00112233-4455-6677-8899-aabbccddeeff");
	assert_true(y > 0);
	assert_non_null(strstr(memterm_line(d->m, y), " 4 events"));
	desk_need(d, "counted in the trace");
	desk_try(d, "i", "f: activity = 00112233-4455-6677-8899-aabbccddeeff");
	assert_int_equal(view_count(&d->ui->v), 4);
	desk_try_bottom(d, "X M-2 2 G M-6", "no activity and no labels");
	desk_reopen(d, LABELS, 24, 100, false, NULL);
	for (int i = 0; i < 30 && !desk_shows(d, "TraceId"); i++)
		desk_do(d, "M-2 j M-6");
	desk_need(d, "TraceId");
}

DESK_TEST(counting_of_labels_goes_on_after_esc_when_asked, LABELS, 24, 100)
{
	for (int i = 0; i < 30 && !desk_shows(d, "TraceId"); i++)
		desk_do(d, "M-2 j M-6");
	desk_try_not(d, "M-6", "stopped: j goes on");
	assert_true(view_set_filter(&d->ui->v, "row >= 0"));
	view_stop(&d->ui->v);
	d->ui->screen.dirty = true;
	desk_rest(d);
	desk_need(d, "0 % counted, stopped: j resumes");
	desk_try_not(d, "j", "% counted");
}

TEST(a_field_without_a_name_is_quoted)
{
	struct buf	*b = test_buf();

	filter_quote_name(b, "payload.", NULL, 0);
	assert_string_equal(buf_str(b), "payload.\"\"");
}

/* ---- the cursor */

/* The field under the cursor of the details. */
static void
need_field(struct desk *d, const char *name)
{
	struct pane	*p = &d->ui->panes.pane[PANE_DETAILS];
	struct field_at	 f = { 0 };

	assert_true(p->ops->field(p->self, &d->ui->v, &f));
	if (strcmp(buf_str(&f.name), name) != 0)
		fail_msg("on %s, not on %s:\n%s", buf_str(&f.name), name, memterm_text(d->m));
	field_at_release(&f);
}

/* GC/SetGCHandle has other fields than GC/HeapStats, so that what follows stands elsewhere. */
/* The bytes of the value as H shows them, the lowest first, are the address that is shown. */
DESK_TEST(an_address_is_shown_in_hex_whatever_its_field_is_called, "tests/data/tour.nettrace.zst",
    43, 132)
{
	const char	*bytes;
	char		 hex[32] = "0x", want[64];
	unsigned	 b[8];

	desk_do(d, "f `name = ExceptionCatch/Start` <Enter> M-3 /`EntryEIP` <Enter> H");
	bytes = strstr(desk_bottom(d), "8 bytes: ");
	assert_non_null(bytes);
	assert_int_equal(sscanf(bytes + 9, "%2x %2x %2x %2x %2x %2x %2x %2x", &b[0], &b[1], &b[2],
	    &b[3], &b[4], &b[5], &b[6], &b[7]), 8);
	assert_int_equal(b[7] | b[6], 0);
	assert_true(b[5] >= 0x10);
	for (int i = 0; i < 6; i++)
		(void)snprintf(hex + 2 + 2 * i, 3, "%02x", b[5 - i]);
	(void)snprintf(want, sizeof want, "EntryEIP=%s", hex);
	desk_need(d, want);			/* in the list */
	desk_try_bottom(d, "y f", hex);
	desk_do(d, "M-2 :`columns time,EntryEIP` <Enter>");
	(void)snprintf(want, sizeof want, "%s", hex);
	assert_true(memterm_find(d->m, want) >= 0);
}

DESK_TEST(the_cursor_stays_on_its_field_when_the_event_is_another, "tests/data/demo.nettrace", 40,
    100)
{
	uint64_t	lines[2] = { 0, 0 };

	desk_do(d, "M-3 G k k k k k k k k k");
	for (int i = 0; i < 40 && !desk_shows(d, "\xe2\x96\xb8thread "); i++)
		desk_do(d, "k");
	need_field(d, "tid");
	for (uint64_t row = 0; row < 2000; row += 97) {
		struct list	*l = d->ui->panes.pane[PANE_DETAILS].self;

		view_select_row(&d->ui->v, row);
		d->ui->screen.dirty = true;
		desk_rest(d);
		need_field(d, "tid");
		lines[row > 0 && l->cursor != lines[0]] = l->cursor;
	}
	assert_true(lines[1] != 0);		/* it was not the same line all the time */
}
