/* Which of several traces a row is of: see tnav/analysis/tables.h. */
#include <string.h>

#include "tnav/analysis/tables.h"
#include "tnav/engine/joined.h"

uint64_t
sources_absent(struct trace *t, unsigned file)
{
	return trace_sources(t) > 1 ? 0 : UINT64_C(3) << file;
}

struct cell
source_cell(struct trace *t, uint32_t source, bool file)
{
	const char	*path = trace_path(trace_source(t, source)), *slash = strrchr(path, '/');
	struct cell	 c;

	if (trace_sources(t) == 1)
		return cell_none();
	if (!file)
		return cell_u64(source);
	c = cell_str(path);
	c.word = span_of(slash != NULL ? slash + 1 : path);	/* on the screen */
	return c;
}
