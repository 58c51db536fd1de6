/*
 * What is known about .NET's own events: the tables of src/model/clr/ as texts, embedded when the
 * program is built. Rows end in LF, cells are separated by tabs, an empty cell is "-", and lines
 * that start with '#' are comments.
 */
#ifndef MODEL_CLR_DATA_H
#define MODEL_CLR_DATA_H

/* A row for each version of an event: provider, id, version, name, display, task, opcode, level,
   keywords, fields. */
extern const char	clr_events_tsv[];
/* A row for each named value of a field: map, kind, value, name. */
extern const char	clr_maps_tsv[];
/* A row for each keyword: provider, bit, name, description. */
extern const char	clr_keywords_tsv[];
/* A row for each description of an event: provider, id, name, text. */
extern const char	clr_docs_tsv[];

#endif
