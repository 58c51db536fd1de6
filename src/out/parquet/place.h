/* Where files of Parquet go, and what each says of its trace. Private to this layer. */
#ifndef OUT_PARQUET_PLACE_H
#define OUT_PARQUET_PLACE_H

#include "out/parquet/parquet.h"
#include "tnav/out/parquet.h"

#define FACTS_MOST	10u

/* Facts of a trace for the footer. */
struct place_facts {
	struct parquet_key	key[FACTS_MOST];
	size_t			n;
	struct buf		text[FACTS_MOST];
	bool			has_started;
	int64_t			started;	/* ns since 1970 */
};

void	place_facts_init(struct place_facts *f, const struct parquet_place *p);
void	place_facts_release(struct place_facts *f);

/*
 * Open the file of a table; its folders are made when it is closed. kind: of its rows, or NULL.
 * *path is its name, to be freed. ERR_IO: failed and error of the place are set, and *path is NULL.
 */
int	place_open(struct parquet_place *p, const char *name, const char *kind, struct output **o,
	    char **path);
/* Close it; keep: give it its name. Frees the path. Returns 0 or ERR_IO, as above. */
int	place_close(struct parquet_place *p, struct output *o, char *path, bool keep);

/* A table of n rows, which put(arg, row, r) adds without ending them. */
struct place_table {
	const char		*name, *kind;	/* as place_open() takes them */
	const struct parquet_column *column;
	size_t			 columns, n;
	void			(*put)(void *arg, size_t row, struct parquet_rows *r);
	void			*arg;
};

/* Write its file. Returns 0 or ERR_IO, as above. */
int	place_write(struct parquet_place *p, const struct place_facts *facts,
	    const struct place_table *t);

#endif
