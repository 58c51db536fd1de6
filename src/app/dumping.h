/* Events as rows of text, which a pass writes in pieces. */
#ifndef APP_DUMPING_H
#define APP_DUMPING_H

#include "tnav/engine/pass.h"
#include "tnav/out/rows.h"

struct dumping {
	struct row_writer	*w;
	bool			 limited;
	uint64_t		 limit, left;	/* lines to print; lines still to be printed */
	struct placed_gap	*placed;
	size_t			 ngaps, gap;	/* number of gaps; the next one */
	bool			 unplaced;	/* events are in file order: gaps follow them */
	uint64_t		 n;		/* events that matched */
};

/* limit: NULL: none. */
void	dumping_init(struct dumping *d, const uint64_t *limit);
/* Its argument is a struct dumping. The merge ends with 1 at the limit. */
extern const struct pass_ops	dumping_pass;
/* Print gaps from the next one up to `to`, within the limit. */
int	dumping_gaps(struct dumping *d, size_t to);

#endif
