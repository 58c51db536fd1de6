/*
 * The stacks of a call tree one by one: folded text, JSON lines, or a file for speedscope.
 */
#ifndef TNAV_OUT_STACKS_H
#define TNAV_OUT_STACKS_H

#include "tnav/analysis/calltree.h"
#include "tnav/io/output.h"
#include "tnav/out/cell.h"

/*
 * Thread (12);Demo.Program.Main;Demo.Work.Spin 314
 *
 * or, as JSON lines, {"stack":["Thread (12)",...],"weight":314,"events":314}. Weights are rounded
 * to whole numbers in folded text, and stacks that weigh nothing are left out there. At most limit
 * of them. A stack whose names are longer than STACK_TEXT_MOST ends in "(7 frames left out)"; *cut
 * tells how many do. 0 or ERR_IO.
 */
int	stacks_fold(struct output *o, const struct out_style *st, const struct calltree *c,
	    const struct folding *rules, uint64_t limit, uint64_t *cut);
/* 0 or ERR_IO. name: what the profile is of. */
int	stacks_speedscope(struct output *o, const struct out_style *st, const struct calltree *c,
	    const struct folding *rules, const struct calltree_weight *weight, const char *name);

#endif
