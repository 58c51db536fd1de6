/*
 * Counts by key: a key is a row of cells, and each different one has a count.
 */
#ifndef APP_TALLY_H
#define APP_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "tnav/model/info.h"
#include "tnav/out/cell.h"

#define TALLY_MAX	(1u << 20)	/* different keys; the rest is counted together */
#define TALLY_TEXT_MAX	4096u		/* bytes of a text that tell keys apart */

struct tally;

struct tally	*tally_new(size_t ncells);
void		 tally_free(struct tally *y);
/* The number of the key, which stays; TALLY_MAX: the count of all keys beyond the limit. */
uint32_t	 tally_find(struct tally *y, const struct cell *cells);
struct count	*tally_count(struct tally *y, uint32_t i);
/* Sort by events, most first (then by number), and say how many keys there are. Ends tally_find. */
uint32_t	 tally_sort(struct tally *y);
/* The key's cells, borrowed from the tally. */
void		 tally_cells(const struct tally *y, uint32_t i, struct cell *cells);

#endif
