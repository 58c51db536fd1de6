/*
 * Fields and names in rows of metadata of NetPerf and NetTrace, V1 to V6.
 */
#ifndef TNAV_SRC_FORMAT_FIELDS_H
#define TNAV_SRC_FORMAT_FIELDS_H

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/format/format.h"
#include "tnav/model/type.h"

enum fields_layout {
	FIELDS_V4,		/* V1 to V4 */
	FIELDS_V5,
	FIELDS_V6,
};

struct fields_row {
	struct format		*f;
	enum fields_layout	 layout;
	uint32_t		 n;	/* fields read so far, nested ones too */
};

/*
 * Read a list of fields into the arena. False: one of them, or the list, can't be read. In V6 the
 * fields before that one are returned, and the cursor is after the list if the sizes are good. In
 * other versions no fields are returned, and the cursor may be anywhere.
 */
bool		fields_read(struct fields_row *r, struct cursor *c, const struct field **out,
		    uint32_t *n);

#define FIELDS_TEXT_CUT	"a metadata row is cut short"
#define FIELDS_TEXT_BAD	"a metadata row's fields cannot be read"

/* Commit the type of a row if it has a name. text: the finding about the row, or NULL; bytes: the
   row's size. */
void		fields_type(struct format *f, const struct event_type *t, struct span content,
		    size_t bytes, const char *text);

/* Copy the text of b into the arena; releases b. */
const char	*name_keep(struct format *f, struct buf *b);
/* Read UTF-16 up to a NUL: all versions except V6. */
const char	*name_read_utf16z(struct format *f, struct cursor *c);
/* A name of UTF-8; a NUL inside it becomes U+FFFD. */
const char	*name_from_utf8(struct format *f, struct span s);
/* Read a length and UTF-8 (V6), as a span of bytes and as a name. */
struct span	name_take_utf8(struct cursor *c);
const char	*name_read_utf8(struct format *f, struct cursor *c);

#endif
