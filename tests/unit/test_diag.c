/*
 * Findings: merged, capped, clean, and counted exactly from any number of threads.
 */
#include "../support/test.h"
#include "tnav/base/buf.h"
#include "tnav/base/diag.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/limits.h"
#include "tnav/base/mem.h"

TEST(equal_text_of_a_kind_is_one_finding_with_a_count)
{
	struct diag	*d = diag_new();
	struct finding	*f;

	assert_int_equal(diag_add(d, SEV_NOTE, FIND_CUT, 90, 5, "row of %s", "x"), ERR_FORMAT);
	diag_add(d, SEV_WARN, FIND_CUT, 70, 6, "row of x");
	diag_add(d, SEV_NOTE, FIND_CUT, 80, 0, "row of x");
	assert_int_equal(diag_list(d, &f), 1);
	assert_string_equal(f->text, "row of x");
	assert_int_equal(f->kind, FIND_CUT);
	assert_int_equal(f->severity, SEV_WARN);
	assert_int_equal(f->off, 70);
	assert_int_equal(f->bytes, 11);
	assert_int_equal(f->count, 3);
	assert_int_equal(diag_total(d), 3);
	mem_free(f);
	diag_free(d);
}

TEST(equal_text_of_two_kinds_is_two_findings)
{
	struct diag	*d = diag_new();
	struct finding	*f;

	diag_add(d, SEV_NOTE, FIND_STACK, 2, 0, "the same");
	diag_add(d, SEV_NOTE, FIND_LABEL, 1, 0, "the same");
	assert_int_equal(diag_list(d, &f), 2);
	assert_int_equal(f[0].kind, FIND_LABEL);
	assert_int_equal(f[1].kind, FIND_STACK);
	mem_free(f);
	diag_free(d);
}

TEST(only_more_than_a_note_is_damage)
{
	struct diag	*d = diag_new();

	assert_false(diag_damaged(d));
	diag_add(d, SEV_NOTE, FIND_METADATA, 0, 0, "a note");
	assert_false(diag_damaged(d));
	diag_add(d, SEV_WARN, FIND_METADATA, 0, 0, "a warning");
	assert_true(diag_damaged(d));
	diag_free(d);
}

TEST(text_from_the_file_reaches_nobody_raw)
{
	struct diag	*d = diag_new();
	struct finding	*f;

	diag_add(d, SEV_WARN, FIND_METADATA, 0, 0, "name %s", "\033]0;x\a\n\r\t\x7f\x9b\xff end");
	assert_int_equal(diag_list(d, &f), 1);
	for (const char *p = f->text; *p != '\0'; p++)
		assert_true((unsigned char)*p >= 0x20 && *p != 0x7f && (unsigned char)*p < 0x80);
	assert_non_null(strstr(f->text, " end"));
	mem_free(f);
	diag_free(d);
}

TEST(beyond_the_limit_one_finding_says_how_many)
{
	struct diag	*d = diag_new();
	struct finding	*f, *before;
	size_t		 n;

	for (unsigned i = 0; i < LIMIT_FINDINGS; i++)
		diag_add(d, SEV_NOTE, FIND_ORDER, i, 1, "finding %u", i);
	assert_int_equal(diag_list(d, &f), LIMIT_FINDINGS);
	mem_free(f);
	for (unsigned i = 0; i < 1500; i++)
		diag_add(d, SEV_WARN, FIND_ORDER, 7, 1, "late finding %u", i);
	diag_add(d, SEV_NOTE, FIND_ORDER, 5, 1, "finding 5");	/* is known: still merged */
	n = diag_list(d, &before);
	assert_int_equal(n, LIMIT_FINDINGS + 1);
	assert_int_equal(before[5].count, 2);
	assert_int_equal(before[n - 1].kind, FIND_LIMIT);
	assert_int_equal(before[n - 1].severity, SEV_WARN);
	assert_int_equal(before[n - 1].count, 1500);
	assert_int_equal(before[n - 1].bytes, 1500);
	assert_string_equal(before[n - 1].text, "and 1,500 more findings");
	assert_true(diag_damaged(d));
	assert_int_equal(diag_total(d), LIMIT_FINDINGS + 1501);

	diag_add(d, SEV_WARN, FIND_ORDER, 7, 1, "one more");
	assert_int_equal(diag_list(d, &f), n);
	assert_string_equal(f[n - 1].text, "and 1,501 more findings");
	assert_string_equal(before[n - 1].text, "and 1,500 more findings");
	mem_free(before);
	mem_free(f);
	diag_free(d);
}

/* The findings as "count kind text;", and whether they are damage. */
static const char *
state(struct diag *d)
{
	struct buf	*b = test_buf();
	struct finding	*f;
	size_t		 n = diag_list(d, &f);

	for (size_t i = 0; i < n; i++)
		buf_printf(b, "%d %s;", (int)f[i].count, f[i].text);
	buf_printf(b, " %d%s", (int)diag_total(d), diag_damaged(d) ? " damaged" : "");
	mem_free(f);
	return buf_str(b);
}

TEST(what_came_after_the_mark_is_dropped)
{
	struct diag	*d = diag_new();

	diag_add(d, SEV_NOTE, FIND_CUT, 1, 1, "a");
	diag_add_times(d, SEV_NOTE, FIND_CUT, 2, 1, 2, "b");
	diag_unjudge(d);		/* there is no mark */
	assert_string_equal(state(d), "1 a;2 b; 3");
	diag_judge(d);
	diag_add(d, SEV_WARN, FIND_CUT, 2, 1, "b");
	diag_add(d, SEV_ERROR, FIND_CUT, 3, 1, "c");
	assert_string_equal(state(d), "1 a;3 b;1 c; 5 damaged");
	diag_unjudge(d);
	assert_string_equal(state(d), "1 a;2 b; 3");
	diag_add(d, SEV_NOTE, FIND_CUT, 3, 1, "c");
	diag_unjudge(d);		/* once */
	assert_string_equal(state(d), "1 a;2 b;1 c; 4");
	for (unsigned i = 3; i < LIMIT_FINDINGS; i++)
		diag_add(d, SEV_NOTE, FIND_CUT, 4, 1, "%u", i);
	diag_add(d, SEV_WARN, FIND_CUT, 9, 1, "x");
	diag_judge(d);
	diag_add(d, SEV_NOTE, FIND_CUT, 9, 1, "y");
	assert_int_equal(diag_total(d), LIMIT_FINDINGS + 3);
	diag_unjudge(d);
	assert_int_equal(diag_total(d), LIMIT_FINDINGS + 2);
	assert_non_null(strstr(state(d), "1 and 1 more finding;"));
	assert_true(diag_damaged(d));	/* of what is not kept */
	diag_free(d);
}

TEST(what_is_taken_back_was_not_found_neither_now_nor_before_the_mark)
{
	struct diag	*d = diag_new();

	diag_add(d, SEV_NOTE, FIND_CUT, 1, 1, "a");
	diag_add_times(d, SEV_WARN, FIND_CUT, 2, 1, 2, "b");
	diag_judge(d);
	diag_add(d, SEV_WARN, FIND_CUT, 3, 1, "c");
	diag_take_back(d, FIND_CUT, "none");
	diag_take_back(d, FIND_LABEL, "a");
	assert_string_equal(state(d), "1 a;2 b;1 c; 4 damaged");
	diag_take_back(d, FIND_CUT, "b");
	diag_take_back(d, FIND_CUT, "c");
	diag_take_back(d, FIND_CUT, "c");
	assert_string_equal(state(d), "1 a;1 b; 2 damaged");
	diag_take_back(d, FIND_CUT, "b");
	assert_string_equal(state(d), "1 a; 1");
	diag_unjudge(d);
	assert_string_equal(state(d), "1 a; 1");
	diag_add(d, SEV_WARN, FIND_CUT, 2, 1, "b");
	assert_string_equal(state(d), "1 a;1 b; 2 damaged");
	diag_free(d);
}

static void
add_many(void *arg)
{
	for (unsigned i = 0; i < 2000; i++)
		diag_add(arg, SEV_WARN, FIND_THREAD, i, 1, "thread %u", i % 50);
}

TEST(threads_lose_no_finding)
{
	struct diag	*d = diag_new();
	struct finding	*f;
	struct job	*jobs[4];

	for (unsigned i = 0; i < 4; i++) {
		jobs[i] = job_start(add_many, d);
		if (jobs[i] == NULL)
			add_many(d);
	}
	for (unsigned i = 0; i < 4; i++)
		job_join(jobs[i]);
	assert_int_equal(diag_list(d, &f), 50);
	for (unsigned i = 0; i < 50; i++) {
		assert_int_equal(f[i].count, 160);
		assert_int_equal(f[i].bytes, 160);
		assert_int_equal(f[i].off, i);
	}
	mem_free(f);
	diag_free(d);
}

TEST(every_kind_and_severity_has_a_word_of_its_own)
{
	for (int i = 0; i < FIND_KINDS; i++) {
		assert_string_not_equal(finding_kind_name((enum finding_kind)i), "unknown");
		for (int k = 0; k < i; k++)
			assert_string_not_equal(finding_kind_name((enum finding_kind)i),
			    finding_kind_name((enum finding_kind)k));
	}
	assert_string_equal(severity_name(SEV_NOTE), "note");
	assert_string_equal(severity_name(SEV_WARN), "warning");
	assert_string_equal(severity_name(SEV_ERROR), "error");
}
