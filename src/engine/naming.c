/*
 * Names of stack addresses: the namer that was lent to the trace, and the text of a frame.
 *
 *	trace -> namer -> frame	System.Array.Copy(class System.Array) ?
 *				libc.so.6+0x2784f
 *				0x7f88647878af
 */
#include "tnav/engine/naming.h"

#include "engine/index/index.h"

bool
trace_name_frame(struct trace *t, const struct event *e, uint64_t ip, unsigned depth, bool clean,
    struct frame_name *out)
{
	const struct stack_namer	*n = trace_lent(t, DERIVED_SYMBOLS);

	if (n != NULL)
		return n->frame(n->self, e, ip, depth, clean, out);
	*out = (struct frame_name){ .why = NAME_NOT_READ, .from = INT64_MIN, .to = INT64_MAX };
	return false;
}

bool
trace_name_bounded(struct trace *t, const struct event *e, uint64_t ip, unsigned depth, bool clean,
    size_t behind, struct frame_name *out)
{
	if (behind < STACK_TEXT_MOST)
		return trace_name_frame(t, e, ip, depth, clean, out);
	*out = (struct frame_name){ .why = NAME_NOT_READ, .from = INT64_MIN, .to = INT64_MAX };
	return false;
}

void
frame_text(struct buf *out, const struct frame_name *f, uint64_t ip, enum frame_form form)
{
	struct span	name = form == FRAME_CLEAN ? f->clean : f->raw;

	if (name.p == NULL)
		name = f->raw;
	if (name.p != NULL) {
		buf_add(out, name.p, name.len);
		if (f->unsure)
			buf_puts(out, " ?");
		return;
	}
	if (f->has_offset) {
		buf_add(out, f->module.p, f->module.len);
		buf_puts(out, "+0x");
		buf_hex(out, f->offset, 1);
		return;
	}
	buf_puts(out, "0x");
	buf_hex(out, ip, 1);
}

const char *
name_why_text(enum name_why w)
{
	static const char *const	text[NAME_WHYS] = {
		[NAME_NOT_READ] = "names were not read",
		[NAME_NO_METHODS] = "the trace has no method names (no rundown)",
		[NAME_NO_RUNDOWN] = "no rundown in the trace: earlier methods have no names",
		[NAME_LATER] = "a guess: this code was loaded later",
		[NAME_UNLOADED] = "a guess: this code was unloaded earlier",
		[NAME_ENTRY_POINT] = "a guess: the nearest entry point of precompiled code",
		[NAME_DYNAMIC] = "unsure: dynamic code, and its loads were not recorded",
		[NAME_LOST] = "the event that names it may be among the lost ones",
		[NAME_NATIVE] = "native code without symbols",
		[NAME_STUB] = "native code or a stub of the runtime",
		[NAME_UNMAPPED] = "outside all mappings of the process",
	};

	return w < NAME_WHYS ? text[w] : NULL;
}
