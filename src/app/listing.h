/*
 * The rows of a subcommand's table, with --fields and --limit applied.
 */
#ifndef APP_LISTING_H
#define APP_LISTING_H

#include <stddef.h>
#include <stdint.h>

#include "app/run.h"
#include "tnav/out/writer.h"

struct listing {
	struct writer	 *w;
	const char	**names;	/* of the columns that are printed */
	size_t		 *pick;		/* their numbers among all */
	struct cell	 *cells;
	size_t		  n;
	uint64_t	  left;		/* rows that may still be printed */
};

/* 0 or EXIT_USAGE after a message; nothing is then to be closed. */
int	listing_open(struct listing *l, struct run *s, const char *const *names, size_t n);
/* 0; 1: enough; or ERR_IO. */
int	listing_row(struct listing *l, const struct cell *cells);
/* 0 or EXIT_OUTPUT. */
int	listing_close(struct listing *l);

/* Ticks as a cell; null if there is no time. */
struct cell	run_time_cell(struct run *s, int64_t ts);
/* Add an event to a count; a zeroed count is empty. */
void		count_add(struct count *c, const struct event *e);

#endif
