/*
 * What was recorded on each side, and how that differs.
 */
#ifndef ANALYSIS_DIFF_ABOUT_H
#define ANALYSIS_DIFF_ABOUT_H

#include "analysis/diff/diff.h"

/* A number of both sides; NAN: unknown, or none. */
struct diff_note {
	const char	*subject;	/* a provider, or NULL; borrowed */
	const char	*figure;
	double		 a, b;
	char		*text;		/* owned; NULL: not for people */
};

struct diff_notes {
	struct diff_note	*v;
	size_t			 n, cap;
};

void	diff_notes_make(struct diff_notes *out, struct sides *d);	/* out is zeroed */
void	diff_notes_release(struct diff_notes *n);

#endif
