/*
 * tnav activities: the activities of all threads, as a tree.
 */
#include "app/command.h"
#include "app/exit.h"
#include "app/gaps.h"
#include "app/listing.h"
#include "app/pass.h"
#include "app/run.h"
#include "tnav/analysis/activities.h"
#include "tnav/base/err.h"

static const unsigned	people[] = {
	ACT_PATH, ACT_NAME, ACT_START, ACT_DUR, ACT_SELF, ACT_STATE, ACT_CRITICAL_SHARE, ACT_EVENTS,
	ACT_EXCEPTIONS, ACT_THREADS, ACT_ACTIVITY,
};

static void
tell(struct run *s, struct activities *a, const struct pass_result *result)
{
	run_take_result(s, result);
	run_tell_remark(s, activities_remark(a));
	run_tell_loss(s);
}

static void
print(struct run *s, struct activities *a, int *err)
{
	bool		 text = out_is_for_people(s->st.format);
	unsigned	 flags = out_is_whole(s->st.format) ? ACTIVITIES_SUMMARY : 0;
	struct table	*t = activities_table(a, text ? ACTIVITIES_INDENT : flags);
	bool		 pick = text && s->npick == 0;

	if (pick)
		listing_pick_source(s, activities_columns, ACT_COLUMNS);
	for (size_t i = 0; pick && i < sizeof people / sizeof *people; i++)
		listing_pick(s, people[i]);
	*err = listing_print(s, t);
	table_free(t);
}

static int
print_activities(struct run *s)
{
	const struct pass_options	 o = run_pass_options(s);
	struct activities		*a = NULL;
	struct pass_result		 result = { .lost = false };
	const char			*spans_remark = NULL;
	int				 err = activities_new(&a, s->t, &o, &result);

	if (err == ERR_OK && s->facts.of[DERIVED_SPANS] != NULL)
		activities_join(a, s->facts.of[DERIVED_SPANS]);
	else if (err == ERR_OK)
		err = activities_complete(a, &o, &spans_remark);
	progress_end(&s->progress);
	if (err == ERR_OK) {
		print(s, a, &err);
		run_tell_remark(s, spans_remark);
		tell(s, a, &result);
	}
	activities_free(a);
	return err;
}

int
activities_each(struct run *s)
{
	int	code = listing_check(s, activities_columns, ACT_COLUMNS);

	return code != 0 ? code : exit_of_reading(print_activities(s));
}
