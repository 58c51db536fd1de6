/*
 * Which columns of a table have room, and how wide they are: for the viewer and for printed text.
 *
 *	type        thrown  share              caught  state
 *	…Exception      18  ########   47.4 %      18  caught	the state goes
 *	…Exception       9  ###        23.7 %       9  caught	first, then bars
 */
#ifndef TNAV_ANALYSIS_FIT_H
#define TNAV_ANALYSIS_FIT_H

#include <stdbool.h>

#define FIT_WORDS	0x1u		/* may be cut */
#define FIT_NAMES	0x2u		/* names the row: cut last, and never left out */
#define FIT_EXTRA	0x80u		/* few look at it: left out first */
#define FIT_BARS	0x100u		/* a drawing: left out before a name is cut */
#define FIT_SAME	0x4u		/* the same in all rows: left out next */
#define FIT_STAYS	0x8u		/* never left out */
#define FIT_TIME	0x10u		/* a time, which is left out before durations */
#define FIT_DUR		0x20u
#define FIT_REST	0x40u		/* takes what remains; only names are widened before */

struct fit_column {
	int		 full;		/* the width that it needs */
	int		 least;		/* where there is little room; of names so much that
					   they can be told apart */
	int		 bare;		/* without its bar, if it has one; 0: it has none */
	unsigned	 rank;		/* the greatest is left out first; 0: after the others */
	unsigned	 flags;
	bool		 in;		/* is it one of them? Set false: left out */
	int		 w;		/* its width, if it is in */
};

/* Choose among the columns that are in. Returns the cells that remain. */
int	fit_columns(struct fit_column *c, unsigned n, int room, int between);

#endif
