/*
 * What the details make of a text, and labels. tests/golden/screens/fields.txt has the rest.
 */
#include "ui/pane/text_tree.h"
#include "../support/desk.h"
#include "../support/test.h"
#include "ui/view/field.h"

#define LABELS	"tests/data/features/v6-labels-all-kinds.nettrace"

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

/* ---- labels */

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
