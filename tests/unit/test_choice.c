/*
 * What the options of a session choose: providers with their keywords, levels, arguments and ids,
 * the rundown, the oldest request that can say it, and notes.
 */
#include <inttypes.h>

#include "../support/cases.h"
#include "tnav/base/err.h"
#include "tnav/live/choice.h"

struct row {
	const char	*profile, *providers, *clr, *level, *counters, *events, *rundown;
};

static int
choose(struct choice *c, const struct row *r, struct buf *why)
{
	uint32_t	level = CHOICE_LEVEL_DEFAULT;
	int		rc = 0;

	if (r->profile != NULL)
		rc = choice_profile(c, r->profile, why);
	if (rc == 0 && r->providers != NULL)
		rc = choice_providers(c, r->providers, why);
	if (rc == 0 && r->level != NULL)
		rc = choice_level(r->level, &level, why);
	if (rc == 0 && r->clr != NULL)
		rc = choice_clr_events(c, r->clr, level, why);
	if (rc == 0 && r->counters != NULL)
		rc = choice_counters(c, r->counters, 2, why);
	if (rc == 0 && r->events != NULL)
		rc = choice_events(c, r->events, why);
	if (rc == 0 && r->rundown != NULL)
		rc = choice_rundown(c, r->rundown, why);
	return rc;
}

static void
put_provider(struct buf *b, const struct collect_provider *p)
{
	static const char *const	which[] = { "", " only", " but" };

	buf_printf(b, "%s:%" PRIx64 ":%u", p->name, p->keywords, p->level);
	if (p->arguments != NULL)
		buf_printf(b, ":%s", p->arguments);
	buf_puts(b, which[p->which]);
	for (size_t i = 0; i < p->nids; i++)
		buf_printf(b, " %u", p->ids[i]);
	buf_puts(b, "; ");
}

/* What stands behind NAME= in one of the arguments; NULL: nothing. */
static const char *
option(const struct span *arg, const char *name)
{
	size_t	len = strlen(name);

	for (; arg->len > 0; arg++)
		if (strncmp(case_text(*arg), name, len) == 0 && arg->p[len] == '=')
			return case_text(*arg) + len + 1;
	return NULL;
}

CASE(choose)
{
	const struct row	 r = {
		.profile = option(arg, "profile"), .providers = option(arg, "providers"),
		.clr = option(arg, "clr"), .level = option(arg, "level"),
		.counters = option(arg, "counters"), .events = option(arg, "events"),
		.rundown = option(arg, "rundown"),
	};
	struct choice		*c = choice_new();
	struct buf		*why = test_buf();
	const struct collect	*of;

	if (choose(c, &r, why) != 0) {
		buf_puts(out, buf_str(why));
	} else {
		of = choice_collect(c);
		for (size_t i = 0; i < of->n; i++)
			put_provider(out, &of->provider[i]);
		buf_printf(out, "rundown %" PRIx64 ", request %x%s", of->rundown,
		    (unsigned)collect_request(of), choice_collects_heap(c) ? ", heap" : "");
		for (size_t i = 0; choice_named(c, i) != NULL; i++)
			buf_printf(out, ", named %s", choice_named(c, i));
		if (*choice_notes(c) != '\0')
			buf_printf(out, "\n%s", choice_notes(c));
	}
	choice_free(c);
}

CASES("choices.txt", 60)

/* The profile heap's keywords are those of the table, here as a number. */
TEST(a_walk_of_the_heap_is_added_to_any_choice_and_taken_back)
{
	static const char	runtime[] = "Microsoft-Windows-DotNETRuntime";
	static const struct row	each[] = {
		{ .providers = "A" }, { .profile = "gc-collect" }, { .clr = "exception" },
		{ .providers = "Microsoft-Windows-DotNETRuntime:exception:warning",
		    .events = "Microsoft-Windows-DotNETRuntime:80" },
	};

	for (size_t i = 0; i < sizeof each / sizeof *each; i++) {
		struct choice		*c = choice_new();
		struct buf		*before = test_buf(), *after = test_buf();
		const struct collect	*of;
		bool			 any = false;

		assert_int_equal(choose(c, &each[i], test_buf()), 0);
		of = choice_collect(c);
		for (size_t k = 0; k < of->n; k++)
			put_provider(before, &of->provider[k]);
		choice_heap(c, true);
		of = choice_collect(c);
		for (size_t k = 0; k < of->n; k++) {
			const struct collect_provider	*p = &of->provider[k];

			if (strcmp(p->name, runtime) != 0)
				continue;
			any = true;
			assert_int_equal(p->keywords & 0x1d80001, 0x1d80001);
			assert_int_equal(p->level, 5);
			assert_int_equal(p->which, COLLECT_ALL);
		}
		assert_true(any);
		choice_heap(c, false);
		of = choice_collect(c);
		for (size_t k = 0; k < of->n; k++)
			put_provider(after, &of->provider[k]);
		assert_string_equal(buf_str(after), buf_str(before));
		choice_free(c);
	}
}

TEST(stacks_buffer_and_blocking_are_in_the_request)
{
	struct choice		*c = choice_new();
	struct buf		*why = test_buf();
	const struct collect	*of;

	assert_int_equal(choice_providers(c, "A", why), 0);
	of = choice_collect(c);
	assert_false(of->no_stacks || of->block);
	choice_buffer(c, 77);
	choice_stacks(c, false);
	of = choice_collect(c);
	assert_int_equal(of->buffer_mb, 77);
	assert_true(of->no_stacks);
	assert_int_equal(collect_request(of), REQUEST_COLLECT3);
	choice_block(c, true);
	assert_true(choice_collect(c)->block);
	assert_int_equal(collect_request(choice_collect(c)), REQUEST_COLLECT6);
	assert_int_equal(choice_counters(c, "A", 0, why), ERR_USAGE);
	assert_non_null(strstr(buf_str(why), "at least one second"));
	choice_free(c);
}
