/*
 * The built-in table: facts from the documentation of the events, not from the parser, and the
 * rules by which a type is completed.
 */
#include "../support/test.h"
#include "tnav/base/arena.h"
#include "tnav/base/job.h"
#include "tnav/model/info.h"
#include "tnav/model/schema.h"

#define RUNTIME	"Microsoft-Windows-DotNETRuntime"
#define TPL	"System.Threading.Tasks.TplEventSource"
#define DEEP	6

struct want {
	const char	*name;
	enum field_kind	 kind;
	const char	*map;
};

static void
check_fields(const struct field *f, uint32_t n, const struct want *want, uint32_t nwant)
{
	assert_int_equal(n, nwant);
	for (uint32_t i = 0; i < n; i++) {
		assert_string_equal(f[i].name, want[i].name);
		assert_int_equal(f[i].kind, want[i].kind);
		assert_int_equal(f[i].map != NULL, want[i].map != NULL);
		if (want[i].map != NULL)
			assert_string_equal(f[i].map->name, want[i].map);
	}
}

TEST(gc_start_of_version_2_has_six_fields)
{
	static const struct want	want[] = {
		{ "Count", FK_U32, NULL }, { "Depth", FK_U32, "GCGeneration" },
		{ "Reason", FK_U32, "GCReason" }, { "Type", FK_U32, "GCType" },
		{ "ClrInstanceID", FK_U16, NULL }, { "ClientSequenceNumber", FK_U64, NULL },
	};
	bool				exact = false;
	const struct schema_row		*r = schema_find(RUNTIME, 1, 2, "", &exact);

	assert_non_null(r);
	assert_true(exact);
	assert_string_equal(r->name, "GCStart");
	assert_string_equal(r->display, "GC/Start");
	assert_string_equal(r->task_word, "GarbageCollection");
	assert_string_equal(r->opcode_word, "Start");
	check_fields(r->fields, r->nfields, want, 6);
	assert_int_equal(r->nslots, 0);
}

TEST(a_newer_version_takes_the_highest_below)
{
	bool				exact = true;
	const struct schema_row		*r = schema_find(RUNTIME, 1, 77, "", &exact);

	assert_non_null(r);
	assert_false(exact);
	assert_int_equal(r->version, 2);
	assert_null(schema_find(RUNTIME, 54321, 0, "", &exact));
	assert_null(schema_find("No-Such-Provider", 1, 0, "", &exact));
	assert_null(schema_find("", 0, 0, "", &exact));
	/* The task library's event 7 has version 1 only: nothing is at or below 0. */
	assert_null(schema_find(TPL, 7, 0, "TaskScheduled", &exact));
}

TEST(rows_for_any_id_are_found_by_name)
{
	bool				exact = false;
	const struct schema_row		*r = schema_find("Universal.Events", 8, 0, "cpu", &exact);

	assert_non_null(r);
	assert_true(exact);
	assert_string_equal(r->name, "cpu");
	r = schema_find("Universal.Events", 1, 0, "sched/sched_switch", &exact);
	assert_non_null(r);
	assert_string_equal(r->name, "*");
	assert_null(schema_find("Universal.Events", 3, 0, "", &exact));
}

TEST(an_array_is_counted_by_the_field_that_it_names)
{
	bool			 exact;
	const struct field	*f, *v;

	/* Count;ClrInstanceID;Values:{...;TypeParameterCount;TypeParameters[...]}[Count] */
	f = schema_find(RUNTIME, 15, 0, "", &exact)->fields;
	assert_int_equal(f[0].slot, f[2].count);
	assert_int_equal(f[2].array, AK_BY_FIELD);
	assert_int_equal(f[2].kind, FK_OBJECT);
	assert_int_equal(f[2].nfields, 8);
	v = f[2].fields;
	assert_string_equal(v[0].name, "TypeID");
	assert_int_equal(v[0].flags, FIELD_HEX);
	assert_string_equal(v[7].name, "TypeParameters");
	assert_int_equal(v[7].array, AK_BY_FIELD);
	assert_int_equal(v[7].count, v[6].slot);
	assert_int_not_equal(v[6].slot, f[0].slot);
	assert_int_equal(f[1].slot, FIELD_NO_SLOT);
	/* ThreadStackWalk: Stack:ptr[*] */
	f = schema_find("Microsoft-DotNETCore-SampleProfiler", 1, 0, "", &exact)->fields;
	assert_int_equal(f[0].array, AK_REST);
	assert_int_equal(f[0].kind, FK_PTR);
}

TEST(filler_is_no_value)
{
	bool			 exact;
	const struct field	*v;

	v = schema_find(RUNTIME, 209, 0, "", &exact)->fields[4].fields;	/* GCFitBucketInfo */
	assert_string_equal(v[1].name, "Padding");
	assert_int_equal(v[1].kind, FK_PAD);
	assert_int_equal(v[1].count, 2);
	v = schema_find(RUNTIME, 208, 0, "", &exact)->fields[2].fields;	/* GCLOHCompact */
	assert_int_equal(v[3].kind, FK_PAD);
	assert_int_equal(v[3].count, 0);
}

TEST(marks_of_single_fields)
{
	bool				exact;
	const struct schema_row		*r = schema_find(RUNTIME, 80, 1, "", &exact);

	assert_string_equal(r->fields[1].name, "ExceptionMessage");
	assert_int_equal(r->fields[1].flags, FIELD_IF_FITS);
	assert_int_equal(r->fields[0].flags, 0);
	r = schema_find("Universal.System", 3, 0, "ProcessMapping", &exact);
	assert_int_equal(r->nfields, 8);
	assert_string_equal(r->fields[6].name, "SymbolMetadata");
	assert_int_equal(r->fields[6].flags, FIELD_OPTIONAL);
	assert_int_equal(r->fields[6].kind, FK_STR16);
	assert_int_equal(r->fields[1].kind, FK_VARU);
	assert_int_equal(r->fields[1].flags, FIELD_HEX);
}

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

static struct event_type
type_of(const char *provider, uint32_t id, uint32_t version, const char *name)
{
	return (struct event_type){ .provider = provider, .id = id, .version = version,
				    .name = name, .source = SCHEMA_NONE };
}

TEST(an_opcode_of_the_file_parts_the_name)
{
	static const struct {
		const char	*name;
		bool		 has;
		uint8_t		 opcode;
		const char	*shown, *event;
	} names[] = {
		{ "OrderStart", true, 1, "Order/Start", "OrderStart" },
		{ "OrderStop", true, 2, "Order/Stop", "OrderStop" },
		{ "OrderStart", false, 1, "OrderStart", NULL },
		{ "OrderStart", true, 2, "OrderStart", NULL },
		{ "OrderStart", true, 0, "OrderStart", NULL },
		{ "Orderstart", true, 1, "Orderstart", NULL },
		{ "Start", true, 1, "Start", NULL }, { "Order/Start", true, 1, "Order/Start", NULL },
		{ "Restart", true, 1, "Restart", NULL },
	};
	struct arena			a = { 0 };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct event_type	t = {
			.provider = "Demo-Spans", .id = 1, .name = names[i].name,
			.has_opcode = names[i].has, .opcode = names[i].opcode,
			.source = SCHEMA_TRACE,
		};

		schema_complete(&t, &a);
		assert_string_equal(t.name, names[i].shown);
		if (names[i].event == NULL)
			assert_null(t.event);
		else
			assert_string_equal(t.event, names[i].event);
	}
	arena_release(&a);
}

TEST(a_nameless_type_takes_all_from_the_table)
{
	struct arena		a = { 0 };
	struct event_type	t = type_of(RUNTIME, 1, 2, "");

	schema_complete(&t, &a);
	assert_string_equal(t.name, "GC/Start");
	assert_string_equal(t.event, "GCStart");
	assert_string_equal(t.task_word, "GarbageCollection");
	assert_int_equal(t.source, SCHEMA_BUILTIN);
	assert_int_equal(t.nfields, 6);
	assert_false(t.odd_bool || t.odd_date || t.odd_text);
	t = type_of(RUNTIME, 1, 9, "");
	schema_complete(&t, &a);
	assert_int_equal(t.source, SCHEMA_OLDER);
	t = type_of(RUNTIME, 15, 0, "");
	schema_complete(&t, &a);
	assert_int_equal(t.nslots, 2);
	t = type_of(RUNTIME, 80, 1, "");
	schema_complete(&t, &a);
	assert_string_equal(t.name, "Exception/Start");
	arena_release(&a);
}

TEST(what_nobody_knows_is_a_number)
{
	struct arena		a = { 0 };
	struct event_type	t = type_of("Some-Provider", 4294967295u, 0, "");

	schema_complete(&t, &a);
	assert_string_equal(t.name, "#4294967295");
	assert_null(t.event);
	assert_int_equal(t.source, SCHEMA_NONE);
	assert_int_equal(t.nfields, 0);
	t = type_of("Universal.Events", 9, 0, "");
	schema_complete(&t, &a);
	assert_string_equal(t.name, "#9");
	t = type_of("Universal.Events", 7, 0, "reads");
	schema_complete(&t, &a);
	assert_string_equal(t.name, "reads");
	assert_null(t.event);
	assert_int_equal(t.nfields, 1);
	arena_release(&a);
}

TEST(the_traces_own_description_goes_first)
{
	static const struct field	own[] = {
		{ .name = "OriginatingTaskSchedulerID", .kind = FK_I32 },
		{ .name = "OriginatingTaskID", .kind = FK_I32 },
		{ .name = "TaskID", .kind = FK_I32 },
		{ .name = "Behavior", .kind = FK_I64 },		/* not as in the table */
	};
	struct arena			a = { 0 };
	struct event_type		t = type_of(TPL, 10, 3, "TaskWaitBegin");

	t.source = SCHEMA_TRACE;
	t.fields = own;
	t.nfields = 4;
	schema_complete(&t, &a);
	assert_string_equal(t.name, "TaskWait/Send");
	assert_string_equal(t.event, "TaskWaitBegin");
	assert_int_equal(t.source, SCHEMA_TRACE);
	assert_int_equal(t.nfields, 4);
	assert_int_equal(t.fields[3].kind, FK_I64);
	assert_string_equal(t.fields[3].map->name, "TaskWaitBehavior");
	/* The same number under another name is another event. */
	t = type_of(TPL, 10, 3, "Renumbered");
	t.source = SCHEMA_TRACE;
	t.fields = own;
	t.nfields = 4;
	schema_complete(&t, &a);
	assert_string_equal(t.name, "Renumbered");
	assert_null(t.event);
	assert_null(t.task_word);
	assert_ptr_equal(t.fields, own);
	arena_release(&a);
}

TEST(the_table_wins_where_descriptions_are_known_to_be_wrong)
{
	static const struct field	task[] = {
		{ .name = "TaskID", .kind = FK_I32 }, { .name = "Object", .kind = FK_I32 },
	};
	static const struct field	process[] = {
		{ .name = "NamespaceId", .kind = FK_VARU }, { .name = "Name", .kind = FK_CHAR8 },
		{ .name = "NamespaceName", .kind = FK_CHAR8 },
	};
	static const struct field	bulk[] = {
		{ .name = "Count", .kind = FK_U32 }, { .name = "ClrInstanceID", .kind = FK_U16 },
	};
	static const struct want	want[] = {
		{ "TaskID", FK_I64, NULL }, { "Object", FK_U64, NULL },
	};
	struct arena			a = { 0 };
	struct event_type		t = type_of(TPL, 20, 0, "RunningContinuation");

	t.source = SCHEMA_TRACE;
	t.fields = task;
	t.nfields = 2;
	schema_complete(&t, &a);
	assert_int_equal(t.source, SCHEMA_BUILTIN);
	check_fields(t.fields, t.nfields, want, 2);

	t = type_of("Universal.System", 0, 0, "ExistingProcess");
	t.source = SCHEMA_TRACE;
	t.fields = process;
	t.nfields = 3;
	schema_complete(&t, &a);
	assert_int_equal(t.fields[1].kind, FK_STR16);
	assert_false(t.odd_text);

	/* A description that stops before the array ... */
	t = type_of(RUNTIME, 15, 0, "");
	t.source = SCHEMA_TRACE;
	t.fields = bulk;
	t.nfields = 2;
	schema_complete(&t, &a);
	assert_int_equal(t.source, SCHEMA_BUILTIN);
	assert_int_equal(t.nfields, 3);
	assert_int_equal(t.nslots, 2);
	/* ... but not one with other names. */
	t = type_of(RUNTIME, 1, 2, "");
	t.source = SCHEMA_TRACE;
	t.fields = task;
	t.nfields = 2;
	schema_complete(&t, &a);
	assert_int_equal(t.source, SCHEMA_TRACE);
	assert_int_equal(t.nfields, 2);
	assert_int_equal(t.nslots, 0);
	arena_release(&a);
}

TEST(encoding_variants_are_marked_wherever_they_may_occur)
{
	static const struct field	deep[] = {
		{ .name = "b", .kind = FK_BOOL32 }, { .name = "d", .kind = FK_DATETIME },
		{ .name = "c", .kind = FK_CHAR8 }, { .name = "r", .kind = FK_DECIMAL },
	};
	static const struct field	object[] = {
		{ .name = "", .kind = FK_OBJECT, .fields = deep, .nfields = 4 },
	};
	static const struct field	text[] = {
		{ .name = "t", .kind = FK_CHAR8, .array = AK_COUNT16, .flags = FIELD_TEXT },
	};
	struct arena			a = { 0 };
	struct event_type		t = type_of("P", 1, 0, "E");

	t.source = SCHEMA_TRACE;
	t.fields = object;
	t.nfields = 1;
	schema_complete(&t, &a);
	assert_true(t.odd_bool && t.odd_date && t.odd_text && t.odd_real);
	t = type_of("P", 1, 0, "E");
	t.source = SCHEMA_TRACE;
	t.fields = text;
	t.nfields = 1;
	schema_complete(&t, &a);
	assert_false(t.odd_bool || t.odd_date || t.odd_text || t.odd_real);
	arena_release(&a);
}

TEST(the_least_size_of_a_monster_is_saturated)
{
	struct field		f[DEEP];
	struct arena		a = { 0 };
	struct event_type	t = type_of("P", 1, 0, "E");

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

/* ---- threads, words */

static void
find_one(void *arg)
{
	bool	exact;

	*(const struct schema_row **)arg = schema_find(RUNTIME, 1, 2, "", &exact);
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
