/*
 * The statistics of two sides: is a difference more than noise? doc/diff.md explains the choice.
 *
 *	counts	 x[i] in slice i of the window, whose exposure is e[i] (seconds, events, requests)
 *		 rate = sum x / sum e		dispersion = how much wilder x is than chance alone
 *	numbers	 durations; each has the slice that it lies in
 *
 * A result is a z: how many standard errors the difference has. DIFF_Z of them are a change.
 */
#ifndef ANALYSIS_DIFF_STATS_H
#define ANALYSIS_DIFF_STATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIFF_Z		3.0	/* |z| from which on there is a change */
#define DIFF_APART	4.0	/* quantiles that lie less apart may be those of one program */
#define DIFF_Z_SHOWN	2.0	/* standard errors on each side of a shown interval */

/* Counts over slices of one side, of one window or of several one after the other. */
struct diff_slices {
	float		*x;
	double		*e;
	size_t		 n;
};

/*
 * By how much the variance of the counts exceeds that of independent events: Pearson's chi-square
 * of x against the mean rate, divided by the degrees of freedom. floor: the least result, 1 for
 * counts, the mean weight for sums. The greatest of the results for slices, for pairs of them, and
 * for runs of four, so that slow waves count. df: the degrees of freedom of the slices, 0: unknown.
 */
double	diff_dispersion(const struct diff_slices *s, double floor, double *df);

/* The difference of two rates. */
struct diff_rates {
	double	a, b;		/* rates */
	double	change;		/* b / a - 1; NAN if a is 0 */
	double	low, high;	/* of change */
	double	z;
};
/* a / ta and b / tb; phi is the dispersion of both, df the degrees of freedom that it has. */
void	diff_rates(double a, double ta, double b, double tb, double phi, double df,
	    struct diff_rates *out);
/* Values of a side, and how many independent ones they are worth: values that follow each other in
   time are alike where a level stays or drifts. */
struct diff_values {
	const double	*v;
	size_t		 n;
	double		 worth;		/* 2 to n, or n if it is less than 2 */
};
/* By the correlation of each value with the next. */
double	diff_worth(const double *v, size_t n);
double	diff_mean(const struct diff_values *v);		/* n > 0 */
/* The difference of two means: Welch's t. least: the least standard error, as of counts that are
   not dispersed. */
void	diff_means(const struct diff_values *a, const struct diff_values *b, double least,
	    struct diff_rates *out);
/* How far two means lie apart, in standard deviations of the values of a side (the mean variance of
   both), as a z: DIFF_Z where it is DIFF_APART of them. */
double	diff_means_apart(const struct diff_values *a, const struct diff_values *b);
/* Of two z the nearer one to 0; 0 if they do not agree. */
double	diff_lesser(double x, double y);
/* A t of so many degrees of freedom as the z with nearly the same probability. */
double	diff_z_of_t(double t, double df);

/* A number, and the part of its side that it lies in: a slice, or a recording if there are more. */
struct diff_number {
	double		v;
	uint32_t	part;
};

/* An order statistic, and an interval of it by the ranks around it, whatever the distribution is:
   0 and INFINITY where there is no such rank. */
struct diff_quantile {
	double	v, low, high;
};

/*
 * Sort both sides, which are not empty, and compare them by Mann-Whitney's U with ties. As numbers
 * of one part may be alike, its variance is multiplied by the dispersion of ranks among parts.
 * That is stored, with what few degrees of freedom add to it, for intervals.
 */
double	diff_ranks(struct diff_number *a, size_t na, struct diff_number *b, size_t nb,
	    double *dispersion);
/* q in (0, 1), by nearest rank; v is sorted, n > 0. The interval has DIFF_Z_SHOWN standard errors
   of the rank on each side. */
struct diff_quantile	diff_quantile(const struct diff_number *v, size_t n, double q,
			    double dispersion);
/* b / a - 1 with its interval: the logarithms' distances to the ends add up as squares. */
void	diff_quantiles(const struct diff_quantile *a, const struct diff_quantile *b,
	    struct diff_rates *out);
/*
 * How far the quantiles lie apart, in standard deviations of the logarithms of those of the parts,
 * as a z: DIFF_Z where it is DIFF_APART of them. What differs between parts of a recording may
 * differ as much between recordings, however many numbers there are. NAN: too few parts have enough
 * numbers. Both are sorted.
 */
double	diff_apart(const struct diff_number *a, size_t na, const struct diff_number *b, size_t nb,
	    double q, double ratio);
/*
 * Are there more great numbers in b? Of both sides together, a share of 1 - q is greater than c.
 * The shares of A and B that are greater are compared as rates. Both are sorted. *above: how many
 * are.
 */
double	diff_tail(const struct diff_number *a, size_t na, const struct diff_number *b, size_t nb,
	    double q, size_t *above);

#endif
