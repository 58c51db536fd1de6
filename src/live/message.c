/*
 * Encoding requests, decoding answers.
 *
 *	request	-> header | payload	size filled in at the end
 *	answer	-> header: size -> the rest: OK with a payload, or an error code
 *
 * Invariant: before the first byte of a request is written, its contents are checked against what
 * runtimes accept: providers, names, levels, sizes. On failure nothing is added.
 */
#include "tnav/live/message.h"

#include <string.h>

#include "tnav/base/err.h"
#include "tnav/base/text.h"

#define MAGIC		"DOTNET_IPC_V1"		/* including its NUL */
#define MAGIC_BYTES	14u
#define ADVERT_MAGIC	"ADVR_V1"		/* including its NUL */
#define SET_ANSWER	0xffu
#define PROVIDERS_MOST	1000u
#define LEVEL_MOST	5u
#define FORMAT_NETTRACE	1u
#define SESSION_STREAM	0u			/* events arrive over the connection */

/* ---- writing */

static size_t
begin(struct buf *out, enum request r)
{
	size_t	at = out->len;

	buf_add(out, MAGIC, MAGIC_BYTES);
	buf_le(out, 0, 2);
	buf_le(out, (uint64_t)r >> 8, 1);
	buf_le(out, (uint64_t)r & 0xff, 1);
	buf_le(out, 0, 2);
	return at;
}

static int
end(struct buf *out, size_t at)
{
	size_t	size = out->len - at;

	if (size > MESSAGE_MOST) {
		out->len = at;
		return ERR_LIMIT;
	}
	out->p[at + MAGIC_BYTES] = (char)size;
	out->p[at + MAGIC_BYTES + 1] = (char)(size >> 8);
	return 0;
}

/* Length in UTF-16 units including the NUL, then the units. An empty text has length 0. */
static void
put_text(struct buf *out, const char *s)
{
	const uint8_t	*p = (const uint8_t *)s, *stop;
	size_t		 at = out->len;
	uint32_t	 units = 0;
	int32_t		 cp;

	buf_le(out, 0, 4);
	if (s == NULL || *s == '\0')
		return;
	for (stop = p + strlen(s); p < stop; ) {
		p += text_decode(p, stop, &cp);
		if (cp < 0)
			cp = 0xfffd;
		if (cp >= 0x10000) {
			buf_le(out, 0xd800 + (((uint64_t)cp - 0x10000) >> 10), 2);
			buf_le(out, 0xdc00 + (((uint64_t)cp - 0x10000) & 0x3ff), 2);
			units += 2;
		} else {
			buf_le(out, (uint64_t)cp, 2);
			units++;
		}
	}
	buf_le(out, 0, 2);
	units++;
	for (unsigned i = 0; i < 4; i++)
		out->p[at + i] = (char)(units >> 8 * i);
}

static void
put_ids(struct buf *out, const struct collect_provider *p)
{
	size_t	n = p->which == COLLECT_ALL ? 0 : p->nids;

	buf_le(out, p->which == COLLECT_ONLY, 1);
	buf_le(out, n, 4);
	for (size_t i = 0; i < n; i++)
		buf_le(out, p->ids[i], 4);
}

/* ---- requests */

static bool
names_ids(const struct collect *c)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->provider[i].which != COLLECT_ALL)
			return true;
	return false;
}

enum request
collect_request(const struct collect *c)
{
	if (c->block)
		return REQUEST_COLLECT6;
	if (names_ids(c))
		return REQUEST_COLLECT5;
	if (c->rundown != 0 && c->rundown != RUNDOWN_DEFAULT)
		return REQUEST_COLLECT4;
	return c->no_stacks ? REQUEST_COLLECT3 : REQUEST_COLLECT2;
}

enum request
collect_fall_back(const struct collect *c, enum request r, const char **without)
{
	switch (r) {
	case REQUEST_COLLECT5:
		*without = names_ids(c) ? "cannot choose events by id: all of them are collected" :
		    NULL;
		return REQUEST_COLLECT4;
	case REQUEST_COLLECT4:
		*without = c->rundown != 0 && c->rundown != RUNDOWN_DEFAULT ?
		    "cannot choose the contents of the rundown: the default rundown is sent" : NULL;
		return REQUEST_COLLECT3;
	case REQUEST_COLLECT3:
		*without = c->no_stacks ? "cannot leave out stacks" : NULL;
		return REQUEST_COLLECT2;
	case REQUEST_COLLECT2:
		*without = c->rundown == 0 ? "cannot leave out the rundown" : NULL;
		return REQUEST_COLLECT1;
	default:
		*without = NULL;
		return 0;
	}
}

static int
check_collect(const struct collect *c)
{
	if (c->n == 0 || c->n > PROVIDERS_MOST || c->buffer_mb == 0)
		return ERR_USAGE;
	for (size_t i = 0; i < c->n; i++) {
		if (c->provider[i].name[0] == '\0' || c->provider[i].level > LEVEL_MOST)
			return ERR_USAGE;
		for (size_t k = 0; k < i; k++)
			if (strcmp(c->provider[i].name, c->provider[k].name) == 0)
				return ERR_USAGE;
	}
	return 0;
}

int
collect_encode(struct buf *out, const struct collect *c, enum request r)
{
	int	rc = check_collect(c);
	size_t	at;

	if (rc != 0)
		return rc;
	at = begin(out, r);
	if (r >= REQUEST_COLLECT5)
		buf_le(out, SESSION_STREAM, 4);
	buf_le(out, c->buffer_mb, 4);
	buf_le(out, FORMAT_NETTRACE, 4);
	if (r >= REQUEST_COLLECT4)
		buf_le(out, c->rundown, 8);
	else if (r >= REQUEST_COLLECT2)
		buf_le(out, c->rundown != 0, 1);
	if (r >= REQUEST_COLLECT3)
		buf_le(out, !c->no_stacks, 1);
	buf_le(out, c->n, 4);
	for (size_t i = 0; i < c->n; i++) {
		const struct collect_provider	*p = &c->provider[i];

		buf_le(out, p->keywords, 8);
		buf_le(out, p->level, 4);
		put_text(out, p->name);
		put_text(out, p->arguments);
		if (r >= REQUEST_COLLECT5)
			put_ids(out, p);
	}
	if (r >= REQUEST_COLLECT6)
		buf_le(out, c->block, 4);
	return end(out, at);
}

void
request_encode(struct buf *out, enum request r)
{
	(void)end(out, begin(out, r));
}

void
stop_encode(struct buf *out, uint64_t session)
{
	size_t	at = begin(out, REQUEST_STOP);

	buf_le(out, session, 8);
	(void)end(out, at);
}

/* ---- answers */

size_t
answer_size(const uint8_t head[MESSAGE_HEADER])
{
	size_t	size = load_u16le(head + MAGIC_BYTES);

	if (memcmp(head, MAGIC, MAGIC_BYTES) != 0 || size < MESSAGE_HEADER)
		return 0;
	return head[16] == SET_ANSWER ? size : 0;
}

int
answer_decode(struct span bytes, struct answer *a)
{
	struct cursor	c;

	if (bytes.len < MESSAGE_HEADER || answer_size(bytes.p) != bytes.len)
		return ERR_FORMAT;
	*a = (struct answer){ .payload = { bytes.p + MESSAGE_HEADER, bytes.len - MESSAGE_HEADER } };
	if (bytes.p[17] == 0)
		return 0;
	c = cursor_init(a->payload, 0);
	a->kind = ANSWER_ERROR;
	a->error = cursor_u32le(&c);
	return cursor_ok(&c) ? 0 : ERR_FORMAT;
}

const char *
answer_error_text(uint32_t error)
{
	static const struct {
		uint32_t	 error;
		const char	*text;
	} known[] = {
		{ 0x80131384, "it rejects the request as malformed" },
		{ ANSWER_UNKNOWN_COMMAND, "its runtime is too old for that" },
		{ 0x80131386, "it speaks another version of the protocol" },
		{ 0x80004005, "it failed; a process allows at most 64 sessions" },
		{ 0x80131515, "it does not support that" },
		{ 0x8013135b, "it is still starting" },
		{ 0x80131371, "it is still starting" },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (known[i].error == error)
			return known[i].text;
	return NULL;
}

int
session_decode(struct span payload, uint64_t *session)
{
	struct cursor	c = cursor_init(payload, 0);

	*session = cursor_u64le(&c);
	return cursor_ok(&c) ? 0 : ERR_TRUNCATED;
}

/* ---- processes */

void
process_info_release(struct process_info *p)
{
	buf_release(&p->command_line);
	buf_release(&p->os);
	buf_release(&p->arch);
	buf_release(&p->assembly);
	buf_release(&p->version);
	buf_release(&p->rid);
}

/* A text ends at its first NUL, even if its length is greater. */
static void
take_text(struct cursor *c, struct buf *out)
{
	uint64_t	units = cursor_u32le(c);
	struct span	s = cursor_take(c, units * 2);
	size_t		len = 0;

	while (len + 2 <= s.len && (s.p[len] != 0 || s.p[len + 1] != 0))
		len += 2;
	buf_clear(out);
	text_from_utf16(out, (struct span){ s.p, len });
	(void)buf_str(out);
}

int
process_info_decode(struct process_info *p, struct span payload, enum request r)
{
	struct cursor	c = cursor_init(payload, 0);
	struct span	cookie;

	if (r == REQUEST_INFO3 && cursor_u32le(&c) == 0)
		return cursor_ok(&c) ? ERR_FORMAT : ERR_TRUNCATED;
	p->pid = cursor_u64le(&c);
	cookie = cursor_take(&c, sizeof p->cookie);
	if (cookie.len > 0)
		memcpy(p->cookie, cookie.p, sizeof p->cookie);
	take_text(&c, &p->command_line);
	take_text(&c, &p->os);
	take_text(&c, &p->arch);
	if (r != REQUEST_INFO1) {
		take_text(&c, &p->assembly);
		take_text(&c, &p->version);
	}
	if (r == REQUEST_INFO3)
		take_text(&c, &p->rid);
	return cursor_ok(&c) ? 0 : ERR_TRUNCATED;
}

int
advert_decode(struct advert *a, const uint8_t bytes[ADVERT_BYTES])
{
	if (memcmp(bytes, ADVERT_MAGIC, sizeof ADVERT_MAGIC) != 0)
		return ERR_FORMAT;
	memcpy(a->cookie, bytes + 8, sizeof a->cookie);
	a->pid = load_u64le(bytes + 24);
	return 0;
}
