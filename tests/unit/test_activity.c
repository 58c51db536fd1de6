/*
 * Activity ids that are paths. Some ids are from a recorded trace of process 12, others are made by
 * hand. The expected paths are those that other readers show.
 */
#include "../support/test.h"
#include "tnav/model/activity.h"

static bool
decode(struct activity_path *path, const char *guid, bool has_pid, uint64_t pid)
{
	uint8_t	bytes[16];

	assert_true(guid_parse(bytes, guid, strlen(guid)));
	return activity_path_decode(path, bytes, has_pid, pid);
}

static void
assert_path(const char *guid, uint64_t pid, const char *want)
{
	struct activity_path	 path, again;
	struct buf		*b = test_buf();

	assert_true(decode(&path, guid, true, pid));
	activity_path_text(b, &path);
	assert_string_equal(buf_str(b), want);
	assert_true(activity_path_parse(&again, b->p, b->len));
	assert_int_equal(again.n, path.n);
	assert_true(activity_path_under(&again, &path) && activity_path_under(&path, &again));
}

TEST(ids_of_a_trace_are_paths)
{
	assert_path("00000011-0000-0000-0000-0000b2999d59", 12, "//1/1");
	assert_path("00001b1c-0000-0000-0000-0000c5b49d59", 12, "//1/27");
	assert_path("00111e1c-0000-0000-0000-0000c5b7ae59", 12, "//1/30/1/1");
	assert_path("10c0261c-0000-0000-0000-0000c5bf5d6a", 12, "//1/38/16");
	assert_path("00000011-0000-0000-0000-0000be999d59", 0, "//1/1");
}

/* The twelve bytes of a path, completed for the process. */
static bool
decode_bytes(struct activity_path *path, const uint8_t bytes[12], uint32_t pid)
{
	uint8_t		guid[16];
	uint32_t	sum = 0x599d99ad;

	memcpy(guid, bytes, 12);
	for (unsigned i = 0; i < 12; i += 4)
		sum += load_u32le(guid + i);
	sum ^= pid;
	for (unsigned i = 0; i < 4; i++)
		guid[12 + i] = (uint8_t)(sum >> 8 * i);
	return activity_path_decode(path, guid, true, pid);
}

TEST(steps_of_all_sizes)
{
	/* 1, 0x1234 in two bytes, $ 7 in one byte, and the end. */
	static const uint8_t	bytes[12] = { 0x1d, 0x34, 0x12, 0xbc, 0x07 };
	struct activity_path	path;

	assert_true(decode_bytes(&path, bytes, 12));
	assert_int_equal(path.n, 3);
	assert_int_equal(path.step[0], 1);
	assert_int_equal(path.step[1], 0x1234);
	assert_int_equal(path.step[2], 7);
	assert_int_equal(path.overflow, 4);
}

TEST(no_twelve_bytes_lead_outside)
{
	uint64_t		x = 88172645463325252;
	struct activity_path	path;
	uint8_t			bytes[12];

	for (int round = 0; round < 100000; round++) {
		for (unsigned i = 0; i < 12; i++) {
			x ^= x << 13;
			x ^= x >> 7;
			x ^= x << 17;
			bytes[i] = round % 2 ? (uint8_t)(x | 0xc0) : (uint8_t)x;
		}
		if (decode_bytes(&path, bytes, 7))
			assert_true(path.n <= ACTIVITY_STEPS);
	}
}

TEST(other_guids_are_no_paths)
{
	struct activity_path	path;

	assert_false(decode(&path, "00112233-4455-6677-8899-aabbccddeeff", true, 12));
	assert_false(decode(&path, "00112233-4455-6677-8899-aabbccddeeff", false, 0));
	assert_false(decode(&path, "00000000-0000-0000-0000-000000000000", false, 0));
	/* An id of process 12 is not a path in process 13, but in an unknown process it is. */
	assert_false(decode(&path, "00000011-0000-0000-0000-0000b2999d59", true, 13));
	assert_true(decode(&path, "00000011-0000-0000-0000-0000b2999d59", false, 0));
}

static bool
under(const char *path, const char *top)
{
	struct activity_path	p, t;

	assert_true(activity_path_parse(&p, path, strlen(path)));
	assert_true(activity_path_parse(&t, top, strlen(top)));
	return activity_path_under(&p, &t);
}

TEST(a_path_is_under_itself_and_its_beginnings)
{
	assert_true(under("//1/2", "//1/2"));
	assert_true(under("//1/2/3", "//1/2/"));
	assert_true(under("//1/2", "//"));
	assert_false(under("//1/2", "//1/2/3"));
	assert_false(under("//1/23", "//1/2"));
	assert_false(under("//1$2", "//1/2"));
}

TEST(what_is_no_path_or_guid_is_refused)
{
	static const char *const	bad[] = {
		"", "/", "/1", "1/2", "//x", "//1/x", "//1//2", "//1$", "//4294967296", "//-1",
		"//1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1/1",
	};
	static const char *const	bad_guids[] = {
		"", "0", "00112233-4455-6677-8899-aabbccddeef",
		"00112233-4455-6677-8899-aabbccddeefg",
		"00112233+4455-6677-8899-aabbccddeeff", "{00112233-4455-6677-8899-aabbccddeeff",
		"0011223344556677-8899-aabbccddeeff00",
	};
	struct activity_path		path;
	uint8_t				guid[16];

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(activity_path_parse(&path, bad[i], strlen(bad[i])));
	for (size_t i = 0; i < sizeof bad_guids / sizeof bad_guids[0]; i++)
		assert_false(guid_parse(guid, bad_guids[i], strlen(bad_guids[i])));
	assert_true(guid_parse(guid, "{00112233-4455-6677-8899-AABBCCDDEEFF}", 38));
	assert_memory_equal(guid, "\x33\x22\x11\x00\x55\x44\x77\x66"
	    "\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 16);
}
