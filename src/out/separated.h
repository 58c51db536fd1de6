/*
 * Text in CSV and TSV.
 */
#ifndef OUT_SEPARATED_H
#define OUT_SEPARATED_H

#include <stdbool.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

/*
 * A text stays what it is, control characters included; only bytes that are no UTF-8 become U+FFFD.
 * guard: what a spreadsheet could take for a formula gets a quote before it.
 */
void	csv_text(struct buf *out, struct span text, bool guard);
void	tsv_text(struct buf *out, struct span text);
/* The same of JSON, which is UTF-8 without control characters. */
void	csv_json(struct buf *out, struct span json);
void	tsv_json(struct buf *out, struct span json);

#endif
