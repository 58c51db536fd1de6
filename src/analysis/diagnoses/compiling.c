/* Time goes into compiling methods after the start. */
#include "analysis/diagnoses/exam.h"

#include "tnav/base/mem.h"

#define SHARE		0.10		/* of a thread's time, after the start */
#define METHODS		50u
#define ORDINARY_S	5.0		/* methods are compiled when they first run: later it is no
					   start any more */
#define DYNAMIC		20.0		/* dynamic methods a second, with */
#define DYNAMIC_SHARE	0.02
#define DYNAMIC_METHODS	100u

struct compile_sums {
	double		ns, dynamic_ns;
	double		late_ns;	/* of what began after ORDINARY_S */
	uint64_t	n, dynamic, late;
};

static void
read_compiled(const struct exam *e, struct compile_sums *c)
{
	struct table	*t = exam_rows(e, "jit", "jit");
	unsigned	 start = exam_column(t, "start"), self = exam_column(t, "self");
	unsigned	 background = exam_column(t, "background");
	unsigned	 dynamic = exam_column(t, "dynamic");

	*c = (struct compile_sums){ .n = 0 };
	for (size_t i = 0; t != NULL && i < t->nrows; i++) {
		double	took = exam_number_at(t, i, self);

		if (exam_number_at(t, i, start) < (double)e->started ||
		    exam_number_at(t, i, background) > 0)
			continue;
		c->n++;
		c->ns += took;
		if (exam_number_at(t, i, start) >= (double)e->first + ORDINARY_S * 1e9) {
			c->late++;
			c->late_ns += took;
		}
		if (exam_number_at(t, i, dynamic) <= 0)
			continue;
		c->dynamic++;
		c->dynamic_ns += took;
	}
	table_free(t);
}

/* Dynamic methods tell at once; ordinary ones only long after the start. */
static bool
is_much(const struct exam *e, const struct compile_sums *c, double after)
{
	double	late = (double)e->last - ((double)e->first + ORDINARY_S * 1e9);

	if (c->dynamic_ns > 0.5 * c->ns)
		return (c->dynamic >= METHODS && c->ns >= SHARE * after) ||
		    (c->dynamic >= DYNAMIC_METHODS && c->ns >= DYNAMIC_SHARE * after &&
		    (double)c->dynamic >= DYNAMIC * after / 1e9);
	return late > 1e9 && c->late >= METHODS && c->late_ns >= SHARE * late;
}

static bool
examine(const struct exam *e, struct diagnosis *d)
{
	double		after = ((double)e->last - (double)e->started);
	struct compile_sums	c;
	struct site	site;

	read_compiled(e, &c);
	d->share = after > 0 ? c.ns / after : 0;
	if (!is_much(e, &c, after))
		return false;
	d->value = (double)c.n / (after / 1e9);
	d->unit = "methods/s";
	d->since = e->started;
	buf_counts(&d->text, "# method{s} were compiled after the start", c.n);
	buf_puts(&d->text, ", which took ");
	put_share(&d->text, d->share);
	buf_puts(&d->text, " of a thread's time. ");
	if (c.dynamic_ns > 0.5 * c.ns) {
		put_share(&d->text, (double)c.dynamic / (double)c.n);
		buf_puts(&d->text, " of them are dynamic methods");
		buf_puts(&d->cause, "dynamic methods");
	} else {
		buf_puts(&d->text, "Most are ordinary methods that run for the first time");
		buf_puts(&d->cause, "methods that run for the first time");
	}
	if (c.dynamic_ns > 0.5 * c.ns && (wall_top(&e->wall, DOING_OTHER, &site) ||
	    wall_top(&e->wall, DOING_RUN, &site)) && site.own != LABEL_NONE) {
		buf_puts(&d->cause, ", made by ");
		wall_cause(&e->wall, &site, &d->cause);
		buf_puts(&d->text, ", most made by ");
		wall_cause(&e->wall, &site, &d->text);
	}
	buf_puts(&d->text, ".");
	evidence_report(d, "jit", NULL);
	return true;
}

const struct diagnosis_def	diagnosis_compiling = {
	.id = "compiling",
	.title = "Methods are compiled all the time.",
	.why = "Compiling is for the start. Code that makes code (compiled expressions, emitted "
	    "methods, new regular expressions) should keep what it has made.",
	.examine = examine,
	.explains = DIAGNOSIS_BIT(cpu_bound),
};
