/* The stacks of a call tree as JSON lines. The other forms are those of tnav/out/convert.h. */
#ifndef TNAV_OUT_STACKS_H
#define TNAV_OUT_STACKS_H

#include "tnav/analysis/calltree.h"
#include "tnav/io/output.h"
#include "tnav/out/cell.h"

/*
 * {"stack":["Thread (12)","Demo.Program.Main"],"weight":314,"events":314}
 *
 * At most `limit` stacks are written. A stack whose names are longer than STACK_TEXT_MOST ends in
 * "(7 frames left out)"; *cut counts these. Returns 0 or ERR_IO.
 */
int	stacks_json_lines(struct output *o, const struct out_style *st, const struct calltree *c,
	    const struct folding *rules, uint64_t limit, uint64_t *cut);

#endif
