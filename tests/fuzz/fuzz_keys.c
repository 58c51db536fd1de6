/*
 * Bytes of a terminal as keys, cut in two ways: what comes out is the same, each input is one that
 * the viewer takes, and there are not more of them than bytes.
 *
 * Corpus: tests/fuzz/corpus/keys.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "ui/term/input.h"
#include "ui/term/key.h"

#define PIECE_MOST	200u
#define CELL_MOST	1000000

struct taken {
	struct input	*v;
	size_t		 n, cap;
};

static void
check_keys(const struct input *in)
{
	switch (in->kind) {
	case INPUT_KEY:
		check(in->code > 0);
		check(in->code < TK_ANY || (in->code > TK_ALT && in->code <= TK_ALT + 0x10ffff));
		break;
	case INPUT_PASTED:
		check(in->code >= 0 && in->code <= 0x10ffff);
		break;
	case INPUT_MOUSE:
		check(in->mouse.kind <= MOUSE_WHEEL && in->mouse.n >= -1 && in->mouse.n <= 1);
		check(in->mouse.y >= -1 && in->mouse.y < CELL_MOST);
		check(in->mouse.x >= -1 && in->mouse.x < CELL_MOST);
		break;
	default:
		abort();
	}
}

/* Take all that the decoder gives. last: there are no more bytes. */
static void
take(struct input_decoder *d, bool last, struct taken *out)
{
	struct input	in;

	while (input_next(d, last, &in) == INPUT_WHOLE) {
		check_keys(&in);
		check(out->n < out->cap);
		out->v[out->n++] = in;
	}
	check(!last || input_next(d, true, &in) == INPUT_EMPTY);
}

/* Decode in pieces whose lengths follow from seed; 0: as large as there is room for. */
static void
decode(const uint8_t *p, size_t len, uint32_t seed, struct taken *out)
{
	static struct input_decoder	d;
	size_t				piece = PIECE_MOST;

	input_init(&d);
	input_learn(&d, "\001@\r", TK_F1);
	input_learn(&d, "\033[[A", TK_F2);
	input_learn(&d, "\033[15~", TK_F5);
	input_usual(&d);
	while (len > 0) {
		if (seed != 0) {
			seed = seed * 1664525u + 1013904223u;
			piece = 1 + (seed >> 24) % 7;
		}
		if (piece > len)
			piece = len;
		check(input_feed(&d, p, piece) == piece);
		p += piece;
		len -= piece;
		take(&d, false, out);
	}
	take(&d, true, out);
}

static int
same(const struct input *a, const struct input *b)
{
	return a->kind == b->kind && a->code == b->code && a->mouse.kind == b->mouse.kind &&
	    a->mouse.y == b->mouse.y && a->mouse.x == b->mouse.x && a->mouse.n == b->mouse.n;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct taken	a, b;

	if (size == 0)
		return 0;
	a = (struct taken){ .v = calloc(size, sizeof *a.v), .cap = size };
	b = (struct taken){ .v = calloc(size, sizeof *b.v), .cap = size };
	if (a.v == NULL || b.v == NULL)
		abort();
	decode(data + 1, size - 1, 0, &a);
	decode(data + 1, size - 1, 1u + data[0], &b);
	check(a.n == b.n);
	for (size_t i = 0; i < a.n; i++)
		check(same(&a.v[i], &b.v[i]));
	free(a.v);
	free(b.v);
	return 0;
}
