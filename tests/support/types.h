/*
 * Descriptions of fields as text, with blanks between them:
 *
 *	n:u32  list:utf16z[u16]  text:char16[u16]"  o:{a:varu b:utf8z}[3]  table:i32[u16][u32]
 *
 * Behind a kind stand how many there are (the width of the count, a number, * for the rest, rel or
 * data for a location elsewhere), again for arrays of arrays, then marks: " for a text, ? for
 * optional, x for hexadecimal.
 */
#ifndef TNAV_TESTS_TYPES_H
#define TNAV_TESTS_TYPES_H

#include "tnav/model/type.h"

/* Sets the fields of the type; they are in the arena. */
void	types_parse(struct event_type *t, struct arena *a, const char *text);
/* Fields as such a text, with the name of its map behind an = where a field has one. */
void	types_put(struct buf *out, const struct field *f, uint32_t n);

#endif
