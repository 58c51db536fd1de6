/*
 * Fuzz target: ids of activities as paths, and paths as people write them. What one of the two reads
 * the other reads back. Corpus: tests/fuzz/corpus/activity.
 *
 *	input	| process id, 8 bytes | flags | 16 bytes of an id ... | or text
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tnav/base/buf.h"
#include "tnav/model/activity.h"

#define HEAD	9u

static bool
same(const struct activity_path *a, const struct activity_path *b)
{
	return a->n == b->n && a->overflow == b->overflow &&
	    memcmp(a->step, b->step, a->n * sizeof *a->step) == 0;
}

/* A path's text is that path again, and lies under itself and under all that it begins with. */
static void
check_path(const struct activity_path *p)
{
	struct activity_path	again, top = *p;
	struct buf		text = { 0 };

	check(p->n <= ACTIVITY_STEPS);
	if (p->n == 0)			/* "//", which all paths lie under, is no id's */
		return;
	activity_path_text(&text, p);
	check(activity_path_parse(&again, buf_str(&text), text.len) && same(&again, p));
	for (; top.n > 0; top.n--) {
		top.overflow &= top.n < 32 ? (UINT32_C(1) << top.n) - 1 : UINT32_MAX;
		check(activity_path_under(p, &top));
		check(top.n == p->n || !activity_path_under(&top, p));
	}
	buf_release(&text);
}

static void
check_id(const uint8_t *id, bool has_pid, uint64_t pid)
{
	struct activity_path	with, without;
	bool			is = activity_path_decode(&with, id, has_pid, pid);

	if (!is)
		return;
	check(with.n > 0);
	check_path(&with);
	/* Who knows the process reads the same as who guesses it, if that one can guess it. */
	if (activity_path_decode(&without, id, false, 0))
		check(same(&with, &without));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct activity_path	p;
	uint8_t			guid[16];
	uint64_t		pid = 0;

	if (size < HEAD)
		return 0;
	memcpy(&pid, data, sizeof pid);
	if (size - HEAD >= sizeof guid) {
		memcpy(guid, data + HEAD, sizeof guid);
		check_id(guid, (data[8] & 1) != 0, pid);
		/* Few ids have the sum that makes them a path: make it one. */
		uint32_t	w[4];

		memcpy(w, guid, sizeof w);
		w[3] = (w[0] + w[1] + w[2] + UINT32_C(0x599d99ad)) ^ (uint32_t)(pid & 0xfffff);
		memcpy(guid, w, sizeof w);
		check_id(guid, (data[8] & 1) != 0, pid & 0xfffff);
	}
	if (activity_path_parse(&p, (const char *)data + HEAD, size - HEAD))
		check_path(&p);
	(void)guid_parse(guid, (const char *)data + HEAD, size - HEAD);
	return 0;
}
