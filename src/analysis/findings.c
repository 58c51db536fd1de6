/* The table of findings: damage and oddities of the file. */
#include "tnav/analysis/tables.h"
#include "tnav/base/mem.h"

struct findings {
	struct table	 table;
	struct finding	*v;
};

static void
findings_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	const struct finding	*f = &((struct findings *)src)->v[row];

	switch (col) {
	case FINDINGS_SEVERITY:
		*out = cell_str(severity_name(f->severity));
		break;
	case FINDINGS_KIND:
		*out = cell_str(finding_kind_name(f->kind));
		break;
	case FINDINGS_OFFSET:
		*out = cell_u64(f->off);
		break;
	case FINDINGS_BYTES:
		*out = cell_bytes(f->bytes);
		break;
	case FINDINGS_COUNT:
		*out = cell_u64(f->count);
		break;
	default:
		*out = cell_str(f->text);
		break;
	}
}

static enum tone
findings_tone(void *src, size_t row, unsigned col)
{
	enum severity	severity = ((struct findings *)src)->v[row].severity;

	if (col != FINDINGS_SEVERITY)
		return TONE_NORMAL;
	return severity == SEV_ERROR ? TONE_ERROR : severity == SEV_WARN ? TONE_WARN : TONE_DIM;
}

const struct finding *
findings_table_finding(const struct table *t, size_t row)
{
	return row < t->nrows ? &((struct findings *)t->src)->v[row] : NULL;
}

static void
findings_release(void *src)
{
	struct findings	*s = src;

	mem_free(s->v);
	mem_free(s);
}

struct table *
findings_table(struct trace *t)
{
	struct findings	*s = mem_zalloc(1, sizeof *s);
	bool		 bytes = false, several = false;
	size_t		 n = diag_list(trace_diag(t), &s->v);

	for (size_t i = 0; i < n; i++) {
		bytes |= s->v[i].bytes > 0;
		several |= s->v[i].count > 1;
	}
	s->table = (struct table){ .column = findings_columns, .ncolumns = FINDINGS_COLUMNS,
	    .nrows = n, .src = s, .cell = findings_cell, .tone = findings_tone,
	    .release = findings_release };
	if (!bytes)
		s->table.idle |= UINT64_C(1) << FINDINGS_BYTES;
	if (!several)
		s->table.idle |= UINT64_C(1) << FINDINGS_COUNT;
	return &s->table;
}
