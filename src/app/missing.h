/*
 * Names that some of several files lack. A name is a mistake if no file has it: the message waits
 * until all files were read.
 *
 *	names = missing_begin(&m, "-f 1");		for each file and expression
 *	while ((err = filter_new(..., &e)) < 0 && missing_skip(names, &e, why))
 *		;
 *	code = missing_end(&m);				after all files
 */
#ifndef APP_MISSING_H
#define APP_MISSING_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/engine/filter.h"

struct missing_name {
	size_t	 column;		/* of the expression */
	size_t	 files;			/* that lack it */
	char	*why;			/* the message about the first of them */
};

struct missing_names {
	char			*of;	/* which expression or list of fields it is */
	size_t			 files;	/* for which it was compiled */
	struct missing_name	*v;
	size_t			 n, cap;
	size_t			*skip;	/* columns of names that the current file lacks */
	size_t			 nskip, skip_cap;
};

struct missing {
	struct missing_names	**v;
	size_t			  n, cap;
};

/* Another file compiles this expression. The result is valid until the release. */
struct missing_names *missing_begin(struct missing *m, const char *of);
/*
 * Compiling failed as e says. If that is a name that the file lacks, note it, and accept it when e
 * is used again. False: it is another error, or the same one again.
 */
bool	missing_skip(struct missing_names *names, struct filter_error *e, const char *why);
/* EXIT_USAGE, after messages, if there are names that no file has; else 0. */
int	missing_end(const struct missing *m);
void	missing_release(struct missing *m);

#endif
