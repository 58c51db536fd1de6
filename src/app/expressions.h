/* The filter of the command line: all -f options must match. */
#ifndef APP_EXPRESSIONS_H
#define APP_EXPRESSIONS_H

#include "app/missing.h"
#include "app/options.h"
#include "tnav/engine/filter.h"

struct expressions {
	char		*v[OPT_FILTERS_MOST];	/* the text of each, or of its file */
	struct buf	 from[OPT_FILTERS_MOST];	/* the option, and its file */
	size_t		 n;
	struct buf	 all;			/* joined with "and"; empty: no filter */
	bool		 many;			/* they are for several files */
	struct missing	 missing;		/* names that some of the files lack */
};

/* Read the options, and report errors that do not depend on a trace. Returns 0 or EXIT_USAGE.
   Release it in both cases. */
int	expressions_init(struct expressions *x, const struct options *o);
void	expressions_release(struct expressions *x);
/*
 * Compile them for a trace; *f stays NULL if there are none. Messages begin with `where`. Returns
 * 0, or EXIT_USAGE after a message. Of several files, a name that this one lacks is no error.
 * *noted becomes true if there was a note that is not an error.
 */
int	expressions_compile(struct expressions *x, struct filter **f, struct trace *t,
	    const char *where, bool *noted);

#endif
