/*
 * FastSerialization objects, the Trace object and metadata rows: see the header.
 *
 *	row   =  id provider event-id name keywords version level  fields  tags
 *
 * Invariant: a frame's body lies inside the file, whatever its size says.
 */
#include "format/fastser.h"

#include <string.h>

#include "format/common.h"
#include "format/fields.h"
#include "tnav/base/err.h"
#include "tnav/model/value.h"

#define TRACE_BODY	48u		/* bytes of the Trace object's fields */
#define NAME_MOST	64u		/* bytes of the name of an object's type */

enum { TAG_NULL = 1, TAG_END = 6 };

enum skip { SKIP_UNKNOWN, SKIP_TOO_NEW };

/* ---- objects */

struct object {
	uint32_t	version, least;
	struct span	name;
	uint64_t	body;		/* file offset after the type's end tag */
};

/* Read the head of an object, before its body. ERR_TRUNCATED, ERR_FORMAT or ERR_OK. */
static int
object_read(const struct fast_dialect *d, const struct source *s, uint64_t off, struct object *o)
{
	struct cursor	c = cursor_init(source_span(s, off, 20 + NAME_MOST), off);
	uint32_t	len;

	for (unsigned i = 0; i < 3; i++) {
		uint8_t	tag = cursor_u8(&c);

		if (!cursor_ok(&c))
			return ERR_TRUNCATED;
		if (tag != (i < 2 ? d->begin : TAG_NULL))
			return ERR_FORMAT;
	}
	o->version = cursor_u32le(&c);
	o->least = cursor_u32le(&c);
	len = cursor_u32le(&c);
	if (!cursor_ok(&c))
		return ERR_TRUNCATED;
	if (len == 0 || len > NAME_MOST)
		return ERR_FORMAT;
	o->name = cursor_take(&c, len);
	if (cursor_u8(&c) != TAG_END)
		return cursor_ok(&c) ? ERR_FORMAT : ERR_TRUNCATED;
	o->body = cursor_off(&c);
	return ERR_OK;
}

static const struct fast_kind *
kind_of(const struct fast_dialect *d, const struct object *o)
{
	for (size_t i = 0; i < d->nkinds; i++)
		if (span_is(o->name, d->kinds[i].name))
			return &d->kinds[i];
	return NULL;
}

bool
fast_resync(const struct format *f, uint64_t off, uint64_t *at)
{
	const struct fast_dialect *d = f->dialect;
	const uint8_t		 begin[3] = { d->begin, d->begin, TAG_NULL };

	for (;;) {
		struct span	rest = source_span(f->source, off, UINT64_MAX);
		const uint8_t	*hit;
		struct object	o;

		if (rest.len == 0)
			return false;
		hit = memmem(rest.p, rest.len, begin, sizeof begin);
		format_searched(f, hit == NULL ? rest.len : (uint64_t)(hit - rest.p) + 1);
		if (hit == NULL)
			return false;
		off += (uint64_t)(hit - rest.p);
		if (object_read(d, f->source, off, &o) == ERR_OK && kind_of(d, &o) != NULL) {
			*at = off;
			return true;
		}
		off++;
	}
}

/* Can an object end at off? Another object, the end tag or the file's end must follow. */
static bool
follows_object(const struct fast_dialect *d, const struct source *s, uint64_t off)
{
	struct span	b = source_span(s, off, 3);

	if (b.len == 0)
		return true;
	if (b.p[0] == TAG_NULL)
		return true;
	return b.p[0] == d->begin && (b.len < 2 || b.p[1] == d->begin) &&
	    (b.len < 3 || b.p[2] == TAG_NULL);
}

/*
 * Find the end of the body: by its size if there is an end tag; else where the next object begins;
 * else the end of the file.
 */
static void
body_end(const struct format *f, int64_t size, struct frame *fr)
{
	uint64_t	left = source_size(f->source) - fr->body, next;
	bool		fits = size >= 0 && (uint64_t)size < left;
	bool		tagged = false;

	if (fits) {
		uint64_t	tag = fr->body + (uint64_t)size;

		tagged = source_span(f->source, tag, 1).len == 1 &&
		    source_span(f->source, tag, 1).p[0] == TAG_END;
		fr->len = (uint64_t)size;
		fr->next = tag + 1;
		if (tagged && follows_object(f->dialect, f->source, fr->next))
			return;
	} else if (size >= 0 && (uint64_t)size == left) {
		/* The body is complete, but the file ends before its end tag. */
		fr->len = left;
		fr->next = fr->body + left;
		return;
	} else if (size >= 0 && f->growing) {
		fr->len = left;
		fr->next = fr->body + left;
		fr->cut = true;
		return;
	}
	if (fast_resync(f, fr->body, &next) && (!tagged || next < fr->next)) {
		fr->len = next - fr->body;
		if (fr->len > 0 && source_span(f->source, next - 1, 1).p[0] == TAG_END)
			fr->len--;
		fr->next = next;
		fr->cut = true;
		return;
	}
	if (tagged)
		return;		/* the bytes after the block are damaged, not the block */
	if (!fits || size < 0) {
		fr->len = left;
		fr->next = fr->body + left;
	}
	fr->cut = true;
}

int
fast_frame(const struct format *f, uint64_t off, struct frame *out)
{
	const struct fast_dialect *d = f->dialect;
	const struct fast_kind	*known;
	struct span		 b = source_span(f->source, off, 1);
	struct object		 o;
	int32_t			 size;
	int			 err;

	if (b.len == 1 && b.p[0] == TAG_NULL) {
		*out = (struct frame){ .off = off, .next = off + 1 };
		return 0;
	}
	err = object_read(d, f->source, off, &o);
	if (err < 0)
		return err;
	known = kind_of(d, &o);
	*out = (struct frame){ .off = off, .kind = FRAME_SKIP, .sub = SKIP_UNKNOWN };
	if (known != NULL && o.least > d->block_reader) {
		out->sub = SKIP_TOO_NEW;
	} else if (known != NULL) {
		out->kind = known->kind;
		out->sub = known->sub;
	}
	b = source_span(f->source, o.body, 4);
	if (b.len < 4)
		return ERR_TRUNCATED;
	size = (int32_t)load_u32le(b.p);
	out->body = (o.body + 4 + 3) & ~(uint64_t)3;
	if (out->body > source_size(f->source))
		return ERR_TRUNCATED;
	body_end(f, size, out);
	return 1;
}

void
fast_say_skipped(struct format *f, const struct frame *fr)
{
	const struct fast_dialect *d = f->dialect;
	struct object	o;

	if (object_read(d, f->source, fr->off, &o) < 0)
		return;
	if (fr->sub == SKIP_TOO_NEW)
		diag_add(f->diag, SEV_ERROR, FIND_TOO_NEW, fr->off,
		    fr->body + fr->len - fr->off,
		    "a block needs a reader of version %u or later; tnav reads version %u", o.least,
		    d->block_reader);
	else	/* without its end tag, which may not have arrived yet */
		diag_add(f->diag, SEV_NOTE, FIND_UNKNOWN_KIND, fr->off,
		    fr->body + fr->len - fr->off,
		    "an object of unknown kind \"%.*s\" is skipped", (int)o.name.len,
		    (const char *)o.name.p);
}

/* ---- the Trace object */

static void
read_trace_object(struct format *f, struct cursor *c)
{
	format_read_clock(f, c);
	f->info.pid = cursor_u32le(c);
	f->info.has_pid = true;
	format_set_processors(f, cursor_u32le(c));
	f->info.sampling_rate = cursor_u32le(c);
}

int
fast_open(struct format *f, const struct fast_dialect *d, uint64_t off, uint64_t *first,
    struct buf *why)
{
	struct object	o;
	struct cursor	c;
	struct span	end = { NULL, 0 };
	int		err = object_read(d, f->source, off, &o);

	f->dialect = d;
	if (err == ERR_OK && !span_is(o.name, "Trace"))
		err = ERR_FORMAT;
	if (err == ERR_OK && (o.least > d->trace_reader || o.version < d->trace_oldest)) {
		buf_printf(why, "has Trace version %u, which needs a reader of version %u or "
		    "later; tnav reads version %u", o.version, o.least, d->trace_reader);
		return ERR_UNSUPPORTED;
	}
	if (err == ERR_FORMAT) {
		buf_puts(why, "has a damaged stream header: no Trace object");
		return err;
	}
	if (err == ERR_OK) {
		c = cursor_init(source_span(f->source, o.body, TRACE_BODY), o.body);
		f->info.format = d->format;
		f->info.version = d->version;
		end = source_span(f->source, o.body + TRACE_BODY, 1);
		if (end.len == 1)
			read_trace_object(f, &c);
		else
			err = ERR_TRUNCATED;
	}
	if (err < 0) {
		buf_puts(why, "is cut inside the stream header");
		return err;
	}
	*first = o.body + TRACE_BODY + (end.p[0] == TAG_END);
	return ERR_OK;
}

/* ---- metadata rows */

/* The tags after a row's fields (V5). False: one is bad. */
static bool
read_tags(struct fields_row *r, struct cursor *c, struct event_type *t)
{
	enum { TAG_OPCODE = 1, TAG_FIELDS_V2 = 2 };

	r->layout = FIELDS_V5;
	while (cursor_left(c) >= 5) {
		uint32_t		 size = cursor_u32le(c), n;
		uint8_t			 kind = cursor_u8(c);
		struct span		 body = cursor_take(c, size);
		struct cursor		 tag = cursor_init(body, cursor_off(c) - size);
		const struct field	*fields;

		if (!cursor_ok(c))
			return false;
		if (kind == TAG_OPCODE && body.len >= 1) {
			t->has_opcode = true;
			t->opcode = body.p[0];
		} else if (kind == TAG_FIELDS_V2) {
			if (!fields_read(r, &tag, &fields, &n))
				return false;
			if (n > 0) {
				t->fields = fields;
				t->nfields = n;
			}
		} else {
			continue;
		}
		r->f->info.version = 5;
		r->f->info.format = "NetTrace V5";
	}
	return true;
}

/* Read a row from the event's id on. NULL, or what is wrong: a row that is cut is not used. */
static const char *
read_event(struct format *f, struct cursor *c, struct event_type *t)
{
	struct fields_row	 r = { .f = f, .layout = FIELDS_V4 };
	const char		*name;

	t->id = cursor_u32le(c);
	name = name_read_utf16z(f, c);
	t->keywords = cursor_u64le(c);
	t->version = cursor_u32le(c);
	t->level = (uint8_t)cursor_u32le(c);
	if (!cursor_ok(c))
		return FIELDS_TEXT_CUT;
	t->name = name;
	if (!fields_read(&r, c, &t->fields, &t->nfields) ||
	    (f->info.version > 3 && !read_tags(&r, c, t))) {
		t->fields = NULL;
		t->nfields = 0;
		return FIELDS_TEXT_BAD;
	}
	t->source = t->nfields > 0 ? SCHEMA_TRACE : SCHEMA_NONE;
	return NULL;
}

/* The providers that occur in V1 files. */
static const struct provider_guid {
	const char	*guid, *name;
} provider_guids[] = {
	{ "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4", "Microsoft-Windows-DotNETRuntime" },
	{ "a669021c-c450-4609-a035-5af59af4df18", "Microsoft-Windows-DotNETRuntimeRundown" },
	{ "763fd754-7086-4dfe-95eb-c01a46faf4ca", "Microsoft-Windows-DotNETRuntimePrivate" },
	{ "cc2bcbba-16b6-4cf3-8990-d74c2e8af500", "Microsoft-Windows-DotNETRuntimeStress" },
	{ "3c530d44-97ae-513a-1e6d-783e8f8e03a9", "Microsoft-DotNETCore-SampleProfiler" },
	{ "2e5dba47-a3d2-4d16-8ee0-6671ffdcd7b5", "System.Threading.Tasks.TplEventSource" },
	{ "8e9f5090-2d75-4d03-8a81-e5afbf85daf1",
	    "System.Diagnostics.Eventing.FrameworkEventSource" },
};

/* The name of the provider with this GUID, or the GUID as text if it is not known. */
static const char *
read_guid_name(struct format *f, struct cursor *c)
{
	struct span	 s = cursor_take(c, 16);
	const char	*name = NULL;
	struct buf	 b = { 0 };

	if (s.len < 16)
		return "";
	guid_text(&b, s.p);
	for (size_t i = 0; i < sizeof provider_guids / sizeof *provider_guids; i++)
		if (strcmp(buf_str(&b), provider_guids[i].guid) == 0)
			name = provider_guids[i].name;
	if (name == NULL)
		return name_keep(f, &b);
	buf_release(&b);
	return name;
}

/* Rows of the runtime's own events have only a provider, an id and a version. */
static const char *
read_old_row(struct format *f, struct cursor *c, struct event_type *t, bool guids)
{
	uint32_t	len;

	t->provider = guids ? read_guid_name(f, c) : name_read_utf16z(f, c);
	t->id = cursor_u32le(c);
	t->version = cursor_u32le(c);
	len = cursor_u32le(c);
	if (!cursor_ok(c))
		return FIELDS_TEXT_CUT;
	if (len > 0)
		return read_event(f, c, t);
	t->name = "";
	return NULL;
}

void
fast_commit_old_row(struct format *f, struct span payload, uint64_t off, uint32_t id, bool guids)
{
	struct cursor		c = cursor_init(payload, off);
	struct event_type	t = { .off = off, .metadata_id = id, .source = SCHEMA_NONE };

	if (payload.len == 0 || !f->up->type_known(f->up_arg, id, payload, off))
		fields_type(f, &t, payload, payload.len, read_old_row(f, &c, &t, guids));
}

void
fast_commit_row(struct format *f, struct span payload, uint64_t off)
{
	struct cursor		 c = cursor_init(payload, off);
	struct event_type	 t = { .off = off, .source = SCHEMA_NONE };
	uint32_t		 id = cursor_u32le(&c);
	struct span		 content = { c.p, cursor_left(&c) };
	const char		*text = FIELDS_TEXT_CUT;

	if (content.len > 0 && f->up->type_known(f->up_arg, id, content, off))
		return;
	t.metadata_id = id;
	if (content.len > 0) {
		t.provider = name_read_utf16z(f, &c);
		text = read_event(f, &c, &t);
	}
	fields_type(f, &t, content, payload.len, text);
}
