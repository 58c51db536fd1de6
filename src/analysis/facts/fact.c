/* Reading the fields of a fact. */
#include "analysis/facts/facts.h"

#include <string.h>

bool
fact_has(const struct fact *f, unsigned i)
{
	return i < f->nfields && f->v[i].kind != FACT_NONE;
}

uint64_t
fact_u64(const struct fact *f, unsigned i)
{
	if (!fact_has(f, i))
		return 0;
	if (f->v[i].kind == FACT_UINT)
		return f->v[i].u;
	return f->v[i].kind == FACT_INT && f->v[i].i > 0 ? (uint64_t)f->v[i].i : 0;
}

uint64_t
fact_bits(const struct fact *f, unsigned i)
{
	if (fact_has(f, i) && f->v[i].kind == FACT_INT)
		return (uint64_t)f->v[i].i;
	return fact_u64(f, i);
}

double
fact_f64(const struct fact *f, unsigned i)
{
	if (!fact_has(f, i))
		return 0;
	switch (f->v[i].kind) {
	case FACT_UINT:
		return (double)f->v[i].u;
	case FACT_INT:
		return (double)f->v[i].i;
	case FACT_FLOAT:
		return f->v[i].f - f->v[i].f == 0 ? f->v[i].f : 0;
	default:
		return 0;
	}
}

struct span
fact_text(const struct fact *f, unsigned i)
{
	if (!fact_has(f, i) || f->v[i].kind != FACT_TEXT)
		return (struct span){ NULL, 0 };
	return (struct span){ f->bytes + f->v[i].at, f->v[i].len };
}

unsigned
fact_list(const struct fact *f, unsigned i, uint64_t v[FACT_LIST_MOST])
{
	size_t	len;

	if (!fact_has(f, i) || f->v[i].kind != FACT_LIST)
		return 0;
	len = f->v[i].len;
	memcpy(v, f->bytes + f->v[i].at, len);
	return (unsigned)(len / sizeof *v);
}

struct cell
fact_cell(const struct fact *f, unsigned i)
{
	if (fact_has(f, i) && f->v[i].kind == FACT_UINT)
		return cell_u64(f->v[i].u);
	if (fact_has(f, i) && f->v[i].kind == FACT_INT)
		return cell_i64(f->v[i].i);
	if (fact_has(f, i) && f->v[i].kind == FACT_FLOAT && f->v[i].f - f->v[i].f == 0)
		return cell_f64(f->v[i].f);
	return cell_null();
}
