/*
 * A field under the cursor: its cell as displayed, and as written in filters.
 *
 *	cell U64 2 "Induced"  ->  text "2 Induced", value "2", raw the bytes of the payload
 *
 * Invariant: if value is not empty, the event that it came from matches "name = value".
 */
#include "ui/view/field.h"

#include <string.h>

#include "tnav/engine/filter.h"
#include "tnav/engine/naming.h"
#include "ui/view/view.h"

const struct field_options	field_at_options = { .words = WORDS_ALL,
	.frames = FRAMES_CLEAN, .most = 400 };

void
field_at_release(struct field_at *f)
{
	buf_release(&f->name);
	buf_release(&f->value);
	buf_release(&f->term);
	buf_release(&f->text);
}

void
field_at_clear(struct field_at *f)
{
	buf_clear(&f->name);
	buf_clear(&f->value);
	buf_clear(&f->term);
	buf_clear(&f->text);
	f->raw = (struct span){ NULL, 0 };
	f->front = 0;
	f->front_end = f->number = false;
}

bool
field_term(struct buf *out, const char *name, const char *value)
{
	if (name[0] == '\0' || value[0] == '\0')
		return false;
	buf_printf(out, "%s = %s", name, value);
	return true;
}

bool
field_at_term(struct buf *out, struct field_at *f)
{
	if (f->term.len == 0)
		return field_term(out, buf_str(&f->name), buf_str(&f->value));
	buf_add(out, f->term.p, f->term.len);
	return true;
}

void
field_of_frame(struct buf *name, struct buf *value, struct view *v, const struct frame_name *f,
    uint64_t ip)
{
	/* By its name it is found even if it was compiled again. */
	if (f->raw.p != NULL && filter_quote(value, (const char *)f->raw.p, f->raw.len)) {
		buf_puts(name, "stack.method");
		return;
	}
	buf_puts(name, "stack");
	view_address_text(v, ip, value);
}

static bool
is_system_id(const struct field_ref *ref)
{
	return ref->def->kind == FIELD_HEADER && (strcmp(ref->def->name, "pid") == 0 ||
	    strcmp(ref->def->name, "tid") == 0);
}

bool
field_at_ref(struct field_at *out, struct view *v, const struct field_ref *ref,
    const struct event *e, uint64_t row)
{
	struct cell	c;

	field_get(v->reader, ref, 1, e, row, &c);
	if (c.kind == CELL_NONE && c.word.p == NULL)
		return false;
	if (c.kind == CELL_DUR)
		c.show |= SHOW_ALIGNED;
	out->number = c.word.p == NULL && (cell_is_number(c.kind) || c.kind == CELL_HEX ||
	    c.kind == CELL_ADDRESS);
	if (c.kind == CELL_TIME)
		view_time(v, e->ts, &out->text);	/* in the chosen format */
	else if (c.kind == CELL_U64 && c.u == UINT32_MAX && is_system_id(ref))
		buf_putc(&out->text, '-');	/* kernels write this for an unknown id */
	else
		cell_text(&out->text, &c, v->display.ascii);
	(void)field_value(&out->value, ref, &c);
	out->raw = field_bytes(v->reader, 0);
	return true;
}

bool
field_at_name(struct field_at *out, struct view *v, const char *name, const struct event *e,
    uint64_t row)
{
	struct field_ref	ref;
	struct buf		why = { 0 };
	bool			found;

	found = field_ref_init(&ref, name, strlen(name), &why) == 0 &&
	    field_at_ref(out, v, &ref, e, row);
	field_ref_release(&ref);
	buf_release(&why);
	return found;
}

bool
view_check_fields(const struct view *v, const struct field_list *l, struct buf *why,
    struct buf *note)
{
	struct filter_error	e = { 0 };
	bool			good;

	good = filter_check_fields(v->t, l, v->complete, &e) == 0;
	if (!good || note->len == 0)
		buf_add(good ? note : why, e.text.p, e.text.len);
	filter_error_release(&e);
	return good;
}

bool
view_check_aggregate(const struct view *v, enum aggregate_kind kind, const struct field_ref *f,
    const char *name, struct buf *why)
{
	struct field_ref	ref = *f;
	struct field_list	one = { .v = &ref, .names = &name, .n = 1 };
	struct buf		note = { 0 };
	bool			good;

	good = view_check_fields(v, &one, why, &note);
	buf_release(&note);
	return good && aggregate_fits(kind, f, v->t, why);
}
