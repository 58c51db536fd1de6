/*
 * Text in CSV, TSV and Markdown.
 */
#ifndef OUT_SEPARATED_H
#define OUT_SEPARATED_H

#include <stdbool.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

/*
 * Text is unchanged, including control characters, but invalid UTF-8 becomes U+FFFD. guard: text
 * that a spreadsheet could take for a formula gets a leading apostrophe.
 */
void	csv_text(struct buf *out, struct span text, bool guard);
void	tsv_text(struct buf *out, struct span text);
/* The same for JSON, which is UTF-8 without control characters. */
void	csv_json(struct buf *out, struct span json);
void	tsv_json(struct buf *out, struct span json);
/* Append readable text with what Markdown and HTML would read in it escaped. */
void	markdown_text(struct buf *out, struct span text);

#endif
