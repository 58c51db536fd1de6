/*
 * Activity ids that are paths. Some ids are from a recorded trace of process 12, others are made by
 * hand. The expected paths are those that other readers show.
 */
#include "../support/cases.h"
#include "tnav/model/activity.h"

CASE(id)
{
	struct activity_path	path, again;
	uint8_t			bytes[16];

	assert_true(guid_parse(bytes, (const char *)arg[0].p, arg[0].len));
	if (!activity_path_decode(&path, bytes, arg[1].len > 0, case_u64(arg[1]))) {
		buf_puts(out, "none");
		return;
	}
	activity_path_text(out, &path);
	assert_true(activity_path_parse(&again, out->p, out->len));
	assert_int_equal(again.n, path.n);
	assert_true(activity_path_under(&again, &path) && activity_path_under(&path, &again));
}

CASE(under)
{
	struct activity_path	path, top;

	assert_true(activity_path_parse(&top, (const char *)arg[1].p, arg[1].len));
	if (activity_path_parse(&path, (const char *)arg[0].p, arg[0].len))
		buf_puts(out, activity_path_under(&path, &top) ? "yes" : "no");
	else
		buf_puts(out, "no path");
}

CASE(guid)
{
	uint8_t	guid[16];

	if (guid_parse(guid, (const char *)arg[0].p, arg[0].len))
		buf_bytes_hex(out, guid, sizeof guid);
	else
		buf_puts(out, "none");
}

CASES("activity.txt", 30)

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
