/*
 * Method names for display: C# types, parameter types without namespaces, readable names for
 * generated code. oracle/symbols/display.tsv of the shared data has the expected names.
 */
#ifndef ANALYSIS_SYMBOLS_CLEAN_H
#define ANALYSIS_SYMBOLS_CLEAN_H

#include <stdbool.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

struct method_parts {
	struct span	type;		/* Demo.Shapes+Outer`1[System.__Canon] */
	struct span	name;		/* get_Item */
	struct span	args;		/* (int32,class Circle) */
	bool		is_bool;	/* it returns a boolean */
};

/* Append the clean name: Demo.Shapes.Outer<__Canon>.get_Item(int, Circle). */
void	clean_method(struct buf *out, const struct method_parts *m);

#endif
