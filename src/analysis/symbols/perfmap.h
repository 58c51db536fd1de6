/*
 * Maps of compiled code as programs write them for perf: /tmp/perf-PID.map.
 */
#ifndef ANALYSIS_SYMBOLS_PERFMAP_H
#define ANALYSIS_SYMBOLS_PERFMAP_H

#include "analysis/symbols/names.h"
#include "analysis/symbols/spots.h"
#include "tnav/base/cursor.h"

struct perf_map {
	struct spot	*v;
	size_t		 n, cap;
};

/* Add the lines of a map to names and spots; all spots are in group 0. */
void	perf_map_read(struct perf_map *m, struct span text, struct sym_names *names);
void	perf_map_release(struct perf_map *m);

#endif
