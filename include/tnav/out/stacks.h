/* The stacks of a call tree: folded text, JSON lines, or a file for speedscope. */
#ifndef TNAV_OUT_STACKS_H
#define TNAV_OUT_STACKS_H

#include "tnav/analysis/calltree.h"
#include "tnav/io/output.h"
#include "tnav/out/cell.h"

/*
 * Thread (12);Demo.Program.Main;Demo.Work.Spin 314
 *
 * or, as JSON lines, {"stack":["Thread (12)",...],"weight":314,"events":314}. Folded text rounds
 * weights to whole numbers and leaves out stacks without weight. At most `limit` stacks are
 * written. A stack whose names are longer than STACK_TEXT_MOST ends in "(7 frames left out)"; *cut
 * counts these. Returns 0 or ERR_IO.
 */
int	stacks_fold(struct output *o, const struct out_style *st, const struct calltree *c,
	    const struct folding *rules, uint64_t limit, uint64_t *cut);
/* name: what the profile shows. Returns 0 or ERR_IO. */
int	stacks_speedscope(struct output *o, const struct out_style *st, const struct calltree *c,
	    const struct folding *rules, const struct calltree_weight *weight, const char *name);

#endif
