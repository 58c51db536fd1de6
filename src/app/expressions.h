/*
 * The filter of the command line: each -f, all of which have to be true.
 */
#ifndef APP_EXPRESSIONS_H
#define APP_EXPRESSIONS_H

#include "app/options.h"
#include "tnav/engine/filter.h"

struct expressions {
	char		*v[OPT_FILTERS_MOST];	/* each one's text, that of a file read */
	const char	*name[OPT_FILTERS_MOST];	/* the file, or NULL */
	size_t		 n;
	struct buf	 all;			/* joined with "and"; empty when there is none */
};

/* Read them, and say on stderr what is wrong whatever the trace. 0 or EXIT_USAGE. To be released in
   both cases. */
int	expressions_init(struct expressions *x, const struct options *o);
void	expressions_release(struct expressions *x);
/*
 * Compile them for a trace; *f stays NULL when there is none. Messages begin with where. 0, or
 * EXIT_USAGE after a message. *noted becomes true where something was said that is no error.
 */
int	expressions_compile(const struct expressions *x, struct filter **f, struct trace *t,
	    const char *where, bool *noted);

#endif
