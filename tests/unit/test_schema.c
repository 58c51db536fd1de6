/*
 * The built-in table: facts from the documentation of the events, not from the parser, and the
 * rules by which a type is completed.
 */
#include "../support/cases.h"
#include "../support/types.h"
#include "tnav/base/arena.h"
#include "tnav/base/job.h"
#include "tnav/model/info.h"
#include "tnav/model/schema.h"

#define DEEP	6

static void
find_one(void *arg)
{
	bool	exact;

	*(const struct schema_row **)arg = schema_find("Microsoft-Windows-DotNETRuntime", 1, 2, "",
	    &exact);
}

/* Runs first: the table does not exist yet, and all threads request it at the same time. */
TEST(threads_that_ask_at_one_time_get_one_table)
{
	const struct schema_row	*row[8] = { NULL };
	struct job		*job[8];

	for (int i = 0; i < 8; i++) {
		job[i] = job_start(find_one, &row[i]);
		if (job[i] == NULL)
			find_one(&row[i]);
	}
	for (int i = 0; i < 8; i++) {
		job_join(job[i]);
		assert_non_null(row[i]);
		assert_ptr_equal(row[i], row[0]);
	}
}

static const char *
word_or_dash(const char *word)
{
	return word != NULL ? word : "-";
}

CASE(find)
{
	bool				 exact = false;
	uint32_t			 id = (uint32_t)case_u64(arg[1]);
	uint32_t			 version = (uint32_t)case_u64(arg[2]);
	const struct schema_row		*r = schema_find(case_text(arg[0]), id, version,
					    case_text(arg[3]), &exact);

	if (r == NULL) {
		buf_puts(out, "none");
		return;
	}
	buf_printf(out, "%s %d %s %s %s %s %u slots: ", exact ? "exact" : "older",
	    (int)r->version, r->name, word_or_dash(r->display), word_or_dash(r->task_word),
	    word_or_dash(r->opcode_word), r->nslots);
	types_put(out, r->fields, r->nfields);
}

CASE(complete)
{
	static const char *const	sources[] = {
		[SCHEMA_TRACE] = "trace", [SCHEMA_BUILTIN] = "table", [SCHEMA_OLDER] = "older",
		[SCHEMA_NONE] = "nothing",
	};
	struct arena			a = { 0 };
	struct event_type		t = {
		.provider = case_text(arg[0]), .id = (uint32_t)case_u64(arg[1]),
		.version = (uint32_t)case_u64(arg[2]), .name = case_text(arg[3]),
		.source = arg[4].len > 0 ? SCHEMA_TRACE : SCHEMA_NONE,
		.has_opcode = arg[5].len > 0, .opcode = (uint8_t)case_u64(arg[5]),
	};

	types_parse(&t, &a, case_text(arg[4]));
	schema_complete(&t, &a);
	buf_printf(out, "%s %s %s from %s, %u slots%s%s%s%s: ", t.name, word_or_dash(t.event),
	    word_or_dash(t.task_word), sources[t.source], t.nslots, t.odd_bool ? ", bool" : "",
	    t.odd_date ? ", date" : "", t.odd_text ? ", text" : "", t.odd_real ? ", real" : "");
	types_put(out, t.fields, t.nfields);
	arena_release(&a);
}

CASES("schema.txt", 35)

TEST(every_row_is_whole_and_in_order)
{
	uint32_t	i, rows = 0, empty = 0;

	for (i = 0; schema_row_at(i) != NULL; i++) {
		const struct schema_row	*r = schema_row_at(i), *next = schema_row_at(i + 1);

		assert_int_not_equal(strlen(r->provider), 0);
		assert_int_not_equal(strlen(r->name), 0);
		empty += r->nfields == 0;
		if (next != NULL && strcmp(r->provider, next->provider) == 0)
			assert_true(r->id < next->id || r->version < next->version ||
			    strcmp(r->name, next->name) < 0);
		rows++;
	}
	assert_int_equal(rows, 652);
	assert_int_equal(empty, 91);
	assert_null(schema_row_at(UINT32_MAX));
}

TEST(maps_have_the_values_of_the_table)
{
	const struct value_map	*m = schema_map("GCReason");

	assert_non_null(m);
	assert_false(m->bits);
	assert_int_equal(m->values[1].value, 1);
	assert_string_equal(m->values[1].name, "Induced");
	m = schema_map("MethodFlags");
	assert_non_null(m);
	assert_true(m->bits);
	assert_int_equal(m->n, 7);
	assert_null(schema_map("NoSuchMap"));
	assert_null(schema_map(""));
}

/* ---- completion */

TEST(the_least_size_of_a_monster_is_saturated)
{
	struct field		f[DEEP];
	struct arena		a = { 0 };
	struct event_type	t = { .provider = "P", .id = 1, .name = "E" };

	for (int i = 0; i < DEEP; i++) {
		f[i] = (struct field){ .name = "", .kind = FK_U64, .array = AK_FIXED,
				       .count = 65535 };
		if (i > 0)
			f[i].inner = &f[i - 1];
	}
	t.source = SCHEMA_TRACE;
	t.fields = &f[DEEP - 1];
	t.nfields = 1;
	schema_complete(&t, &a);
	arena_release(&a);
}

TEST(words_of_the_model)
{
	assert_string_equal(level_name(0), "LogAlways");
	assert_string_equal(level_name(1), "critical");
	assert_string_equal(level_name(5), "verbose");
	assert_null(level_name(6));
	assert_string_equal(gap_why_name(GAP_NUMBERS), "gap");
	assert_string_equal(gap_why_name(GAP_START), "start");
	assert_string_equal(gap_why_name(GAP_BARRIER), "barrier");
	assert_string_equal(gap_why_name(GAP_REMOVE), "remove");
	assert_string_equal(schema_source_words(SCHEMA_BUILTIN), "built-in manifest");
}
