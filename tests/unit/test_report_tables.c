/*
 * The tables of the summary name reports, kinds of rows and columns that are there.
 */
#include "../support/test.h"
#include "analysis/reports/tables.h"
#include "tnav/analysis/report.h"

static const struct report *
report_named(const char *name)
{
	for (unsigned i = 0; i < REPORTS; i++)
		if (strcmp(reports[i]->name, name) == 0)
			return reports[i];
	fail_msg("there is no report %s", name);
	return NULL;
}

static void
check_kind(const struct report *r, const char *kind)
{
	if (strcmp(kind, "summary") != 0 &&
	    report_part_find(r, kind, strlen(kind)) == report_parts(r))
		fail_msg("%s has no part %s", r->name, kind);
}

static void
check_column(const struct report *r, const char *name)
{
	unsigned	i = 0;

	while (i < r->ncolumns && strcmp(r->column[i].name, name) != 0)
		i++;
	if (i == r->ncolumns)
		fail_msg("%s has no column %s", r->name, name);
}

TEST(rules_name_what_reports_have)
{
	assert_true(finding_nrules > 10);
	for (size_t i = 0; i < finding_nrules; i++) {
		const struct finding_rule	*x = &finding_rules[i];
		const struct report		*r = report_named(x->report);

		check_kind(r, x->kind);
		check_column(r, x->column);
		if (x->show_kind == NULL)
			continue;
		check_kind(r, x->show_kind);
		check_column(r, x->show_column);
	}
}

TEST(places_name_what_reports_have)
{
	assert_true(evidence_nplaces > 5);
	for (size_t i = 0; i < evidence_nplaces; i++) {
		const struct evidence_place	*x = &evidence_places[i];
		const struct report		*r;

		if (x->report == NULL)
			continue;		/* spans */
		r = report_named(x->report);
		check_kind(r, x->kind);
		check_column(r, x->column);
		check_column(r, x->enough_of);
	}
}
