/*
 * The doctor: what is wrong with the program, and why.
 *
 *	events -> reports, call tree of samples, signs -> struct exam
 *	exam -> each row of diagnoses.tsv -> struct diagnosis -> those that others explain are
 *	dropped -> ranked
 *
 * A diagnosis is one file in src/analysis/diagnoses and one row of diagnoses.tsv.
 * doc/diagnoses.md says for each one its rule, its threshold and why.
 */
#ifndef ANALYSIS_DIAGNOSES_DOCTOR_H
#define ANALYSIS_DIAGNOSES_DOCTOR_H

#include "analysis/diagnoses/exam.h"

struct doctor;

struct doctor	*doctor_new(const struct report_run *run);
void		 doctor_free(struct doctor *d);		/* NULL is fine */
/* What the doctor reads of the trace, beside the reports. */
struct fact_reader doctor_reader(struct doctor *d);
/* Examine, when the reports have their rows. */
void		 doctor_examine(struct doctor *d, const struct report_work *part, unsigned nparts);
size_t		 doctor_n(const struct doctor *d);
const struct diagnosis *doctor_diagnosis(const struct doctor *d, size_t i);
/* Append what it means that there is no diagnosis, as a sentence; nothing if there is one. */
void		 doctor_verdict(const struct doctor *d, struct buf *out);
/* Append what was not recorded but could tell of an illness, as a sentence; or nothing. */
void		 doctor_missing(const struct doctor *d, struct buf *out);

#endif
