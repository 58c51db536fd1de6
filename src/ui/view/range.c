/*
 * The time range that the user marks.
 *
 *	growing		a |-------> the selection
 *	drawn		a |-------| b			both ends belong to it
 */
#include "ui/view/range.h"

#include "ui/view/view.h"

bool
view_range(const struct view *v, int64_t *from, int64_t *to)
{
	int64_t	b = v->range.growing ? v->sel.ts : v->range.b;

	*from = v->range.a < b ? v->range.a : b;
	*to = v->range.a < b ? b : v->range.a;
	if (*to < INT64_MAX)
		++*to;		/* both ends belong to it */
	return v->range.set;
}

static void
say_range(struct view *v, const char *end)
{
	int64_t		from, to;

	(void)view_range(v, &from, &to);
	view_say(v, "range ");
	view_secs(v, from, &v->message);
	buf_puts(&v->message, " \xe2\x80\xa6 ");
	view_secs(v, to, &v->message);
	buf_puts(&v->message, " (");
	view_dur(v, from, to, &v->message);
	buf_printf(&v->message, ")%s", end);
}

void
view_range_toggle(struct view *v)
{
	if (!v->sel.has) {
		view_say(v, "no event to start a range at");
	} else if (v->range.set && v->range.growing) {
		v->range.b = v->sel.ts;
		v->range.growing = false;
		say_range(v, ": Enter zooms to it, Esc drops it");
	} else {
		v->range = (struct range){ .set = true, .growing = true, .a = v->sel.ts };
		view_say(v, "range: move, v ends it, Enter zooms to it");
	}
}

void
view_range_set(struct view *v, int64_t from, int64_t to)
{
	v->range = (struct range){ .set = true, .a = from, .b = to > from ? to - 1 : from };
	say_range(v, ": Enter zooms to it, Esc drops it");
}

bool
view_range_zoom(struct view *v)
{
	int64_t	from, to;

	if (!view_range(v, &from, &to))
		return false;
	v->range = (struct range){ .set = false };
	if (!view_window(v, from, to))
		view_say(v, "that is already the window");
	return true;
}
