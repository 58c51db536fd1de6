/*
 * Fuzz target: what a peer on a socket sends. The first byte chooses the request that it answers;
 * the rest is an answer, or an advertisement. What is read is text without a NUL, from the bytes.
 *
 * Corpus: tests/fuzz/corpus/message.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tnav/base/err.h"
#include "tnav/live/message.h"

static void
check_text(const struct buf *b, size_t size)
{
	check(b->len <= size * 3 && (b->len == 0 || memchr(b->p, '\0', b->len) == NULL));
}

static void
check_info(struct span payload, enum request r)
{
	struct process_info	p = { 0 };

	(void)process_info_decode(&p, payload, r);
	check_text(&p.command_line, payload.len);
	check_text(&p.os, payload.len);
	check_text(&p.arch, payload.len);
	check_text(&p.assembly, payload.len);
	check_text(&p.version, payload.len);
	check_text(&p.rid, payload.len);
	process_info_release(&p);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum request	asked[] = { REQUEST_INFO1, REQUEST_INFO2, REQUEST_INFO3 };
	struct answer			a;
	struct advert			advert;
	uint64_t			session;

	if (size == 0)
		return 0;
	if (size - 1 == ADVERT_BYTES)
		check(advert_decode(&advert, data + 1) == 0 || memcmp(data + 1, "ADVR_V1", 8) != 0);
	if (size - 1 >= MESSAGE_HEADER)
		check(answer_size(data + 1) == 0 || answer_size(data + 1) >= MESSAGE_HEADER);
	if (answer_decode((struct span){ data + 1, size - 1 }, &a) != 0)
		return 0;
	check(a.payload.len == size - 1 - MESSAGE_HEADER);
	check((session_decode(a.payload, &session) == 0) == (a.payload.len >= 8));
	check_info(a.payload, asked[data[0] % 3]);
	return 0;
}
