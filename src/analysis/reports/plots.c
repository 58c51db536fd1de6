/*
 * Plots as numbers: points one after the other, each with a value for each layer.
 *
 *	ns	t0     t1     t2
 *	v	a0 b0  a1 b1  a2 b2		two layers
 */
#include <string.h>

#include "tnav/analysis/report.h"
#include "tnav/base/mem.h"

void
report_plot_add(struct report_plot *p, int64_t ns, const double *v)
{
	size_t	values = (p->n + 1) * p->layers;

	p->ns = mem_grow(p->ns, &p->cap, p->n + 1, sizeof *p->ns);
	p->ns[p->n] = ns;
	if (p->layers > 0) {
		p->v = mem_grow(p->v, &p->values_cap, values, sizeof *p->v);
		memcpy(p->v + p->n * p->layers, v, p->layers * sizeof *v);
	}
	p->n++;
}

void
report_plot_release(struct report_plot *p)
{
	buf_release(&p->title);
	mem_free(p->ns);
	mem_free(p->v);
	*p = (struct report_plot){ .n = 0 };
}
