/*
 * Messages of the diagnostics protocol, byte for byte as a runtime took and gave them
 * (tests/data/live/golden.tsv), and answers that are none.
 */
#include "../support/test.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/live/message.h"

#define LINE_MOST	4096
#define SESSION		UINT64_C(0x7f7dec0016e0)

struct exchange {
	char		name[32];
	struct buf	sent, got;
};

static struct exchange	golden[32];
static size_t		ngolden;

static void
read_hex(struct buf *out, const char *hex)
{
	unsigned	byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2)
		buf_putc(out, (char)byte);
}

static int
read_golden(void)
{
	const char	*srcdir = getenv("srcdir");
	char		 line[LINE_MOST], name[32], way, hex[LINE_MOST];
	FILE		*f;

	snprintf(line, sizeof line, "%s/tests/data/live/golden.tsv", srcdir != NULL ? srcdir : ".");
	f = fopen(line, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL) {
		if (sscanf(line, "%31[^\t#]\t%c\t%4095s", name, &way, hex) != 3)
			continue;
		if (way == '>') {
			assert_true(ngolden < sizeof golden / sizeof *golden);
			strcpy(golden[ngolden].name, name);
			read_hex(&golden[ngolden].sent, hex);
		} else {
			assert_string_equal(golden[ngolden].name, name);
			read_hex(&golden[ngolden++].got, hex);
		}
	}
	fclose(f);
	return 0;
}

static int
release_golden(void)
{
	for (size_t i = 0; i < ngolden; i++) {
		buf_release(&golden[i].sent);
		buf_release(&golden[i].got);
	}
	return 0;
}

static const uint32_t			ids[] = { 2, 4 };
static const struct collect_provider	one[] = {
	{ .name = "Live-App", .keywords = 1, .level = 4 },
};
static const struct collect_provider	two[] = {
	{ .name = "Live-App", .keywords = 1, .level = 4, .which = COLLECT_ONLY, .ids = ids,
	    .nids = 2 },
	{ .name = "System.Runtime", .level = 4, .arguments = "EventCounterIntervalSec=1" },
};
static const struct {
	const char	*name;
	enum request	 r;
	struct collect	 c;
} collects[] = {
	{ "CollectTracing", REQUEST_COLLECT1, { one, 1, 256, RUNDOWN_DEFAULT, false, false } },
	{ "CollectTracing2", REQUEST_COLLECT2, { one, 1, 256, 0, false, false } },
	{ "CollectTracing3", REQUEST_COLLECT3, { one, 1, 256, 0, true, false } },
	{ "CollectTracing4", REQUEST_COLLECT4, { one, 1, 256, RUNDOWN_DEFAULT, false, false } },
	{ "CollectTracing5", REQUEST_COLLECT5, { two, 2, 256, RUNDOWN_DEFAULT, false, false } },
	{ "CollectTracing6", REQUEST_COLLECT6, { two, 2, 256, 0, false, true } },
};

static bool
encode(const char *name, struct buf *out)
{
	for (size_t i = 0; i < sizeof collects / sizeof *collects; i++)
		if (strcmp(collects[i].name, name) == 0) {
			assert_int_equal(collect_encode(out, &collects[i].c, collects[i].r), 0);
			return true;
		}
	if (strcmp(name, "ProcessInfo") == 0)
		request_encode(out, REQUEST_INFO1);
	else if (strcmp(name, "ProcessInfo2") == 0)
		request_encode(out, REQUEST_INFO2);
	else if (strcmp(name, "ProcessInfo3") == 0)
		request_encode(out, REQUEST_INFO3);
	else if (strcmp(name, "ResumeRuntime") == 0)
		request_encode(out, REQUEST_RESUME);
	else if (strcmp(name, "StopTracing") == 0)
		stop_encode(out, SESSION);
	else
		return false;
	return true;
}

TEST(requests_are_what_the_runtime_took)
{
	struct buf	out = { 0 };
	size_t		refused = 0;

	assert_true(ngolden >= 16);
	for (size_t i = 0; i < ngolden; i++) {
		assert_true(encode(golden[i].name, &out));
		if (golden[i].got.len == 24 && golden[i].sent.len < out.len) {
			refused++;		/* without a provider: this encoder never sends it */
		} else {
			assert_int_equal(out.len, golden[i].sent.len);
			assert_memory_equal(out.p, golden[i].sent.p, out.len);
		}
		buf_release(&out);
	}
	assert_int_equal(refused, 1);
}

TEST(answers_are_read_as_the_runtime_gave_them)
{
	struct process_info	p = { 0 };
	struct answer		a;
	uint64_t		session;

	for (size_t i = 0; i < ngolden; i++) {
		const struct exchange	*g = &golden[i];
		enum request		 r;

		assert_int_equal(answer_size((const uint8_t *)g->got.p), g->got.len);
		assert_int_equal(answer_decode(span_of_buf(&g->got), &a), 0);
		r = (enum request)((uint8_t)g->sent.p[16] << 8 | (uint8_t)g->sent.p[17]);
		if (a.kind == ANSWER_ERROR) {
			assert_int_equal(a.error, r == REQUEST_COLLECT6 ? ANSWER_UNKNOWN_COMMAND :
			    0x80131384);
			assert_non_null(answer_error_text(a.error));
		} else if (r == REQUEST_INFO1 || r == REQUEST_INFO2 || r == REQUEST_INFO3) {
			assert_int_equal(process_info_decode(&p, a.payload, r), 0);
			assert_int_equal(p.pid, 1);
			assert_int_equal(p.cookie[0], 0xf0);
			assert_string_equal(buf_str(&p.command_line),
			    "/usr/share/dotnet/dotnet /srv/app/live-app.dll");
			assert_string_equal(buf_str(&p.arch), "x64");
		} else if (r != REQUEST_RESUME) {
			assert_int_equal(session_decode(a.payload, &session), 0);
			assert_true(session == SESSION);
		}
	}
	assert_string_equal(buf_str(&p.assembly), "live-app");
	assert_string_equal(buf_str(&p.version), "10.0.12");
	assert_string_equal(buf_str(&p.rid), "linux-x64");
	process_info_release(&p);
}

/* Each prefix of an answer in a block of its own size, so that a sanitizer sees a byte too far. */
TEST(cut_answers_are_none)
{
	struct process_info	p = { 0 };
	struct answer		a;

	for (size_t i = 0; i < ngolden; i++)
		for (size_t n = MESSAGE_HEADER; n < golden[i].got.len; n++) {
			uint8_t		*copy = mem_alloc(n);
			struct span	 payload = { copy + MESSAGE_HEADER, n - MESSAGE_HEADER };

			memcpy(copy, golden[i].got.p, n);
			assert_int_equal(answer_decode((struct span){ copy, n }, &a), ERR_FORMAT);
			if (strcmp(golden[i].name, "ProcessInfo3") == 0)
				assert_int_equal(process_info_decode(&p, payload, REQUEST_INFO3),
				    ERR_TRUNCATED);
			mem_free(copy);
		}
	process_info_release(&p);
}

static void
need_refused(struct collect c, int rc)
{
	struct buf	*out = test_buf();

	buf_puts(out, "before");
	assert_int_equal(collect_encode(out, &c, collect_request(&c)), rc);
	assert_string_equal(buf_str(out), "before");
}

TEST(what_no_runtime_takes_is_not_sent)
{
	struct collect_provider	 p[1001] = { { .name = "A" }, { .name = "A" } };
	struct collect		 c = { p, 2, 256, 0, false, false };
	char			*name = mem_alloc(70000);

	need_refused(c, ERR_USAGE);		/* twice */
	c.n = 0;
	need_refused(c, ERR_USAGE);
	c.n = 1001;
	need_refused(c, ERR_USAGE);
	c.n = 1;
	p[0].level = 6;
	need_refused(c, ERR_USAGE);
	p[0] = (struct collect_provider){ .name = "" };
	need_refused(c, ERR_USAGE);
	p[0].name = "A";
	c.buffer_mb = 0;
	need_refused(c, ERR_USAGE);
	c.buffer_mb = 256;
	memset(name, 'x', 70000);
	name[69999] = '\0';
	p[0].name = name;
	need_refused(c, ERR_LIMIT);
	mem_free(name);
}

/* From the newest request downward, each wish that is lost is said once. */
TEST(older_runtimes_are_asked_for_less)
{
	struct collect	 c = { two, 2, 256, 0, true, true };
	enum request	 r = collect_request(&c);
	const char	*without;
	unsigned	 said = 0, steps = 0;

	assert_int_equal(r, REQUEST_COLLECT6);
	assert_int_equal(collect_fall_back(&c, r, &without), 0);	/* never silently */
	c.block = false;
	r = collect_request(&c);
	assert_int_equal(r, REQUEST_COLLECT5);
	while (r != 0) {
		r = collect_fall_back(&c, r, &without);
		said += without != NULL;
		steps++;
	}
	assert_int_equal(steps, 5);
	assert_int_equal(said, 3);	/* ids, stacks, rundown */
	c = (struct collect){ one, 1, 256, 0x38, false, false };
	assert_int_equal(collect_request(&c), REQUEST_COLLECT4);
	assert_int_equal(collect_fall_back(&c, REQUEST_COLLECT4, &without), REQUEST_COLLECT3);
	assert_non_null(without);
	c.rundown = RUNDOWN_DEFAULT;
	assert_int_equal(collect_request(&c), REQUEST_COLLECT2);
	c.no_stacks = true;
	assert_int_equal(collect_request(&c), REQUEST_COLLECT3);
}

TEST(texts_beyond_ascii_are_counted_in_units)
{
	static const uint8_t	 units[] = { 4, 0, 0, 0, 0x3d, 0xd8, 0, 0xde, 0xe9, 0, 0, 0 };
	struct collect_provider	 p = { .name = "\xf0\x9f\x98\x80\xc3\xa9" };
	struct collect		 c = { &p, 1, 256, 0, false, false };
	struct buf		*out = test_buf();

	assert_int_equal(collect_encode(out, &c, REQUEST_COLLECT2), 0);
	assert_non_null(memmem(out->p, out->len, units, sizeof units));
}

TEST(an_advertisement_is_34_bytes)
{
	uint8_t		bytes[ADVERT_BYTES] = "ADVR_V1";
	struct advert	a;

	bytes[8] = 0x0f;
	bytes[24] = 2;
	bytes[25] = 0x17;
	assert_int_equal(advert_decode(&a, bytes), 0);
	assert_int_equal(a.pid, 0x1702);
	assert_int_equal(a.cookie[0], 0x0f);
	bytes[6] = '2';
	assert_int_equal(advert_decode(&a, bytes), ERR_FORMAT);
}

GROUP(read_golden, release_golden)
