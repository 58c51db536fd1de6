/*
 * Activity ids that are paths, and GUIDs as text.
 *
 *	byte    1c     1e     11     00 ...                              | sum ^ pid (4 bytes)
 *	nibble  1 c    (30)   1 1    0
 *	        |  \ one byte follows \ the end           ->  //1/30/1/1
 *
 * A nibble from 1 to 10 is a step itself. After a nibble from 12 to 15 a step of 1 to 4 bytes,
 * little-endian, begins with the next whole byte. 11 marks the following step as an overflow id. 0
 * ends the path. If there is a nibble between a 12 and its byte, it has bits 8 to 11 of the step;
 * the writer adds a zero byte to such a step, which does not end the path.
 *
 * Invariant: no step is read past the twelfth byte.
 */
#include "tnav/model/activity.h"

#include <string.h>

#include "tnav/base/cursor.h"
#include "tnav/base/hash.h"
#include "tnav/base/num.h"

#define PATH_BYTES	12u
#define PATH_SEED	0x599d99adu
#define PID_BITS	20u		/* of a process id, if it is not known */

#define NIBBLE_IMMEDIATE	10u	/* the largest step that is its own nibble */
#define NIBBLE_OVERFLOW		11u
#define NIBBLE_BYTES		12u	/* one byte; 13: two, ... */

static unsigned
nibble_at(const uint8_t *guid, unsigned i)
{
	return i % 2 == 0 ? guid[i / 2] >> 4 : guid[i / 2] & 0xfu;
}

static void
add_step(struct activity_path *p, uint32_t step, bool overflow)
{
	if (p->n == ACTIVITY_STEPS)
		return;
	if (overflow)
		p->overflow |= 1u << p->n;
	p->step[p->n++] = step;
}

static bool
is_path(const uint8_t *guid, bool has_pid, uint64_t pid)
{
	uint32_t	sum = load_u32le(guid) + load_u32le(guid + 4) + load_u32le(guid + 8) +
			    PATH_SEED;
	uint32_t	mixed = sum ^ load_u32le(guid + 12);

	if (nibble_at(guid, 0) == 0)
		return false;
	return mixed == 0 || (has_pid ? mixed == (uint32_t)pid : mixed >> PID_BITS == 0);
}

bool
activity_path_decode(struct activity_path *out, const uint8_t guid[16], bool has_pid, uint64_t pid)
{
	unsigned	i = 0;			/* nibbles */

	*out = (struct activity_path){ 0 };
	if (!is_path(guid, has_pid, pid))
		return false;
	while (i < 2 * PATH_BYTES && nibble_at(guid, i) != 0) {
		unsigned	v = nibble_at(guid, i++), nbytes, byte;
		bool		overflow = v == NIBBLE_OVERFLOW, long_form;
		uint32_t	step = 0;

		if (v <= NIBBLE_IMMEDIATE) {
			add_step(out, v, false);
			continue;
		}
		if (overflow) {
			if (i == 2 * PATH_BYTES)
				break;
			v = nibble_at(guid, i++);
			if (v < NIBBLE_BYTES)
				return false;
		}
		nbytes = v - NIBBLE_BYTES + 1;
		if (i % 2 != 0)
			step = nibble_at(guid, i++);
		if (nbytes > 1)
			step = 0;
		long_form = step != 0;
		byte = i / 2;
		if (byte + nbytes > PATH_BYTES)
			break;
		for (unsigned k = nbytes; k-- > 0; )
			step = step << 8 | guid[byte + k];
		i += 2 * nbytes;
		if (long_form && i < 2 * PATH_BYTES && guid[i / 2] == 0)
			i += 2;
		add_step(out, step, overflow);
	}
	return true;
}

bool
activity_path_parse(struct activity_path *out, const char *s, size_t len)
{
	size_t	i = 1;

	*out = (struct activity_path){ 0 };
	/* The first number may be an overflow, too: /$5. */
	if (len < 2 || s[0] != '/' || (s[1] != '/' && s[1] != '$'))
		return false;
	while (i < len) {
		bool		overflow = s[i] == '$';
		uint64_t	v = 0;
		size_t		start;

		if (!overflow && s[i] != '/')
			return false;
		start = ++i;
		for (; i < len && s[i] >= '0' && s[i] <= '9' && v <= UINT32_MAX; i++)
			v = v * 10 + (uint64_t)(s[i] - '0');
		if (i == start)
			return i == len && !overflow;	/* a slash at the end */
		if (v > UINT32_MAX || out->n == ACTIVITY_STEPS)
			return false;
		add_step(out, (uint32_t)v, overflow);
	}
	return true;
}

void
activity_path_text(struct buf *out, const struct activity_path *p)
{
	buf_putc(out, '/');
	for (unsigned i = 0; i < p->n; i++) {
		buf_putc(out, p->overflow >> i & 1 ? '$' : '/');
		buf_u64(out, p->step[i]);
	}
}

/* The mask of the overflow bits of n steps. */
static uint32_t
kinds_of(unsigned n)
{
	return n == 0 ? 0 : UINT32_MAX >> (32 - n);
}

bool
activity_path_under(const struct activity_path *p, const struct activity_path *top)
{
	return p->n >= top->n && ((p->overflow ^ top->overflow) & kinds_of(top->n)) == 0 &&
	    memcmp(p->step, top->step, top->n * sizeof p->step[0]) == 0;
}

uint64_t
activity_path_hash(const struct activity_path *p, unsigned n)
{
	return hash_more(hash_pair(n, p->overflow & kinds_of(n)), p->step,
	    n * sizeof p->step[0]);
}

bool
guid_parse(uint8_t guid[16], const char *s, size_t len)
{
	/* The place of each byte of the text: the first three groups are little-endian. */
	static const uint8_t	place[16] = {
		3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15,
	};
	bool	dashes;

	if (len >= 2 && s[0] == '{' && s[len - 1] == '}') {
		s++;
		len -= 2;
	}
	dashes = len == 36;
	if (!dashes && len != 32)
		return false;
	for (unsigned i = 0; i < 16; i++) {
		int	high, low;

		if (dashes && (i == 4 || i == 6 || i == 8 || i == 10) && *s++ != '-')
			return false;
		high = hex_value(s[0]);
		low = hex_value(s[1]);
		if (high < 0 || low < 0)
			return false;
		guid[place[i]] = (uint8_t)(high << 4 | low);
		s += 2;
	}
	return true;
}
