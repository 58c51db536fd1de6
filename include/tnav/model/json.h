/*
 * JSON text piece by piece: the commas follow from what the buffer ends with.
 *
 *	json_open(b, '{');
 *	json_key(b, "count");
 *	json_u64(b, 2);
 *	json_close(b, '}');			{"count":2}
 *
 * The buffer holds nothing but the JSON text.
 */
#ifndef TNAV_MODEL_JSON_H
#define TNAV_MODEL_JSON_H

#include "tnav/base/buf.h"

void	json_open(struct buf *b, char bracket);		/* { or [ */
void	json_close(struct buf *b, char bracket);
void	json_key(struct buf *b, const char *name);	/* a name without special characters */
void	json_key_text(struct buf *b, struct span name);
void	json_u64(struct buf *b, uint64_t v);
void	json_key_u64(struct buf *b, const char *name, uint64_t v);	/* a key and its number */
void	json_i64(struct buf *b, int64_t v);
void	json_key_i64(struct buf *b, const char *name, int64_t v);
void	json_f64(struct buf *b, double v);
void	json_str(struct buf *b, const char *s);		/* NULL: null */
void	json_next(struct buf *b);	/* before a value that another function appends */

#endif
