/*
 * What the rows of metadata of NetPerf and NetTrace, V1 to V6, have in common: fields and names.
 */
#ifndef TNAV_SRC_FORMAT_FIELDS_H
#define TNAV_SRC_FORMAT_FIELDS_H

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/format/format.h"
#include "tnav/model/type.h"

enum fields_layout {
	FIELDS_V4,		/* up to it */
	FIELDS_V5,
	FIELDS_V6,
};

struct fields_row {
	struct format		*f;
	enum fields_layout	 layout;
	uint32_t		 n;	/* fields read so far, nested ones too */
};

/*
 * Read a list of fields into the arena. False: one of them, or the list, can't be read. Of V6 the
 * fields before that one are given, and the cursor is after the list, if sizes lead there; of the
 * others none are, and the cursor may be anywhere.
 */
bool		fields_read(struct fields_row *r, struct cursor *c, const struct field **out,
		    uint32_t *n);

#define FIELDS_TEXT_CUT	"a metadata row is cut short"
#define FIELDS_TEXT_BAD	"a metadata row's fields cannot be read"

/* Say what is wrong with a row of so many bytes, or NULL; hand up its type if it has a name. */
void		fields_type(struct format *f, const struct event_type *t, struct span content,
		    size_t bytes, const char *text);

/* What stands in b, in the arena; releases b. */
const char	*name_keep(struct format *f, struct buf *b);
/* UTF-16 up to a NUL, as all but V6 have it. */
const char	*name_read_utf16z(struct format *f, struct cursor *c);
/* A span of UTF-8; a NUL inside it is shown as what it is, a bad character. */
const char	*name_from_utf8(struct format *f, struct span s);
/* A length and UTF-8 of V6, as a span and as clean text. */
struct span	name_take_utf8(struct cursor *c);
const char	*name_read_utf8(struct format *f, struct cursor *c);

#endif
