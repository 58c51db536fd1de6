/*
 * Fuzz target: a perf map, and the names of addresses by it. Corpus: tests/fuzz/corpus/perfmap.
 */
#include "fuzz.h"

#include <stdlib.h>

#include "analysis/symbols/names.h"
#include "analysis/symbols/perfmap.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct perf_map		m = { .n = 0 };
	struct sym_names	names;
	struct spots		spots;
	size_t			lines = 1;

	for (size_t i = 0; i < size; i++)
		lines += data[i] == '\n';
	sym_names_init(&names);
	perf_map_read(&m, (struct span){ data, size }, &names);
	if (m.n > lines)
		abort();
	spots_init(&spots, m.v, m.n, sym_names_better, &names);
	for (size_t i = 0; i < spots.n; i++) {
		if (spots.v[i].last < spots.v[i].start ||
		    spots_find(&spots, 0, spots.v[i].start) != spots.v[i].name ||
		    spots_find(&spots, 0, spots.v[i].last) != spots.v[i].name)
			abort();
		(void)sym_names_clean(&names, spots.v[i].name);
	}
	spots_release(&spots);
	perf_map_release(&m);
	sym_names_release(&names);
	return 0;
}
