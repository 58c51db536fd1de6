/*
 * Names that some of several files lack.
 *
 *	-f 'A = 1 and B = 2'	a.nettrace	b.nettrace
 *	column 0: A		lacks it	has it		files 1 of 2: no mistake
 *	column 10: B		lacks it	lacks it	files 2 of 2: a mistake
 *
 * Invariant: a column is at most once among the names of an expression, and counted once per file.
 */
#include "app/missing.h"

#include <string.h>

#include "app/exit.h"
#include "tnav/base/mem.h"

struct missing_names *
missing_begin(struct missing *m, const char *of)
{
	size_t	i = 0;

	while (i < m->n && strcmp(m->v[i]->of, of) != 0)
		i++;
	if (i == m->n) {
		m->v = mem_grow(m->v, &m->cap, m->n + 1, sizeof *m->v);
		m->v[m->n] = mem_zalloc(1, sizeof **m->v);
		m->v[m->n++]->of = mem_strdup(of);
	}
	m->v[i]->files++;
	m->v[i]->nskip = 0;
	return m->v[i];
}

static struct missing_name *
name_at(struct missing_names *names, size_t column)
{
	size_t	i = 0;

	while (i < names->n && names->v[i].column != column)
		i++;
	if (i == names->n) {
		ARRAY_ADD(names->v, names->n, names->cap, (struct missing_name){
		    .column = column });
	}
	return &names->v[i];
}

static bool
is_skipped(const struct missing_names *names, size_t column)
{
	size_t	i = 0;

	while (i < names->nskip && names->skip[i] != column)
		i++;
	return i < names->nskip;
}

bool
missing_skip(struct missing_names *names, struct filter_error *e, const char *why)
{
	struct missing_name	*name = name_at(names, e->column);

	if (is_skipped(names, e->column)) {
		name->files--;		/* the caller reports it: it is wrong in this file */
		return false;
	}
	name->files++;
	if (name->why == NULL)
		name->why = mem_strdup(why);
	ARRAY_ADD(names->skip, names->nskip, names->skip_cap, e->column);
	e->skip = names->skip;
	e->nskip = names->nskip;
	return true;
}

int
missing_end(const struct missing *m)
{
	int	code = 0;

	for (size_t i = 0; i < m->n; i++) {
		const struct missing_names	*names = m->v[i];

		for (size_t k = 0; k < names->n; k++) {
			if (names->v[k].files < names->files)
				continue;
			code = exit_usage("%s", names->v[k].why);
		}
	}
	return code;
}

void
missing_release(struct missing *m)
{
	for (size_t i = 0; i < m->n; i++) {
		for (size_t k = 0; k < m->v[i]->n; k++)
			mem_free(m->v[i]->v[k].why);
		mem_free(m->v[i]->of);
		mem_free(m->v[i]->v);
		mem_free(m->v[i]->skip);
		mem_free(m->v[i]);
	}
	mem_free(m->v);
	*m = (struct missing){ .n = 0 };
}
