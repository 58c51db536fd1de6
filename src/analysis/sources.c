/* Which of several traces a row is of: see tnav/analysis/tables.h. */
#include "tnav/analysis/tables.h"
#include "tnav/base/text.h"
#include "tnav/engine/joined.h"

uint64_t
sources_absent(struct trace *t, unsigned file)
{
	return trace_sources(t) > 1 ? 0 : UINT64_C(3) << file;
}

struct cell
source_cell(struct trace *t, uint32_t source, bool file)
{
	const char	*path = trace_path(trace_source(t, source));
	struct cell	 c;

	if (trace_sources(t) == 1)
		return cell_none();
	if (!file)
		return cell_u64(source);
	c = cell_str(path);
	c.word = span_of(text_base_name(path));	/* on the screen */
	return c;
}
