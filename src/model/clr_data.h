/*
 * What is known of .NET's own events, as text: the tables of src/model/clr/, put into the program
 * when it is built. Rows end in LF, cells are separated by tabs, an empty cell is "-", lines that
 * start with '#' are comments.
 */
#ifndef MODEL_CLR_DATA_H
#define MODEL_CLR_DATA_H

/* One version of an event a row: provider, id, version, name, display, task, opcode, level,
   keywords, fields. */
extern const char	clr_events_tsv[];
/* A named value of a field a row: map, kind, value, name. */
extern const char	clr_maps_tsv[];
/* A keyword a row: provider, bit, name, description. */
extern const char	clr_keywords_tsv[];
/* What an event means a row: provider, id, name, text. */
extern const char	clr_docs_tsv[];

#endif
