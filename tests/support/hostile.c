/*
 * The texts, and the two formats around them, by hand.
 */
#include "hostile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asserts.h"
#include "nt4_writer.h"
#include "tnav/base/text.h"

#define LONG_LEN	9000
#define FLOOD		400
#define FILE_NAME	"x\033[31m\033]0;t\007\n\t\xe2\x80\xae" "e\xcc\x81\xcc\x81\x9b" "2J\xff.nettrace"

static const struct {
	const char	*p;
	size_t		 len;
} fixed[] = {
#define TEXT(s)	{ s, sizeof s - 1 }
	TEXT("plain"),
	TEXT(""),
	TEXT("\033[2J\033[1;1H\033[31mred\033c\033(0"),
	TEXT("\033]0;title\007\033]52;c;aGk=\033\\\033P+q\033\\\033_x\033\\"),
	TEXT("line\nline\r\ntab\ttab\b\b\v\f\016\017"),
	TEXT("nul\0nul\0"),
	TEXT("\x9b" "31m\x90\x9d" "0;t\x9c raw C1"),
	TEXT("\xc2\x9b" "31m\xc2\x85\xc2\x9d" "0;t\xc2\x9c C1"),
	TEXT("\xe2\x80\xae" "gnp.exe\xe2\x80\xac\xe2\x81\xa6\xe2\x81\xa9\xd8\x9c\xe2\x80\x8f bidi"),
	TEXT("a\xe2\x80\x8b" "b\xe2\x80\x8d" "c\xef\xbb\xbf" "d\xe2\x81\xa0" "e\xc2\xad"
	    "f\xe1\xa0\x8e"),
	TEXT("\xe3\x85\xa4\xe1\x85\x9f\xef\xbe\xa0 fillers \xe2\xa0\x80"),
	TEXT("\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\x83\xe3\x80\x80\xc2\xa0 blanks and line ends"),
	TEXT("\xed\xa0\x80\xed\xbf\xbf\xc0\x80\xe0\x80\xaf\xf4\x90\x80\x80 no UTF-8"),
	TEXT("cut \xe6\x97"),
	TEXT("\xff\xfe\xfd\x80\xbf"),
	TEXT("\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e\xef\xbc\xa1\xed\x95\x9c wide"),
	TEXT("\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7\xf0\x9f\x87\xa9"
	    "\xf0\x9f\x87\xaa\xe2\x9d\xa4\xef\xb8\x8f\xf0\x9f\x8f\xbd emoji"),
	TEXT("\xee\x80\x80\xf3\xb0\x80\x80\xcd\xb8\xef\xbf\xbf\xef\xb7\x90\xf3\xa0\x81\x81 no letters"),
	TEXT("\xcc\x81\xcc\x82 begins with marks"),
	TEXT("\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xd8\xb3\xd9\x84\xd8\xa7\xd9\x85 right to left"),
	TEXT("\xe0\xb8\x81\xe0\xb9\x89\xe0\xb9\x89 \xe0\xa4\x95\xe0\xa5\x8d\xe0\xa4\xb7 \xea\xa6\x83 marks"),
	TEXT("^[ <U+202E> \\x1b <9b> looks escaped"),
	TEXT("{\"a\":\"\\u001b[31m\\u202e\",\"b\":[\"\\u0000\"]} JSON"),
	TEXT("k=\033[1m v=\"\xe2\x80\xae\" ; k2:\n3"),
	TEXT("%s%n%d%1000000s ~ / : \" ' ( )"),
	/* Out to become a command: of a state file, a script, a shell. */
	TEXT("\"\npipe touch tnav-pwned\nfilter-add name = \"x"),
	TEXT("x\" ; pipe touch tnav-pwned ; note \"y"),
	TEXT("a\npipe touch tnav-pwned\nsave-session tnav-pwned\nexport tnav-pwned\nquit\n"),
	TEXT("$'\\'' ; pipe touch tnav-pwned # \\x0apipe touch tnav-pwned\\"),
	TEXT("'\n!touch tnav-pwned\n`touch tnav-pwned` $(touch tnav-pwned); touch tnav-pwned\n"),
#undef TEXT
};

/* Behind these come the made ones. */
enum { FLOOD_OF_MARKS = sizeof fixed / sizeof *fixed, LONG_WIDE, LONG_NARROW, CONTROLS, TEXTS };

size_t
hostile_count(void)
{
	return TEXTS;
}

void
hostile_text(size_t n, struct buf *out)
{
	if (n < FLOOD_OF_MARKS)
		buf_add(out, fixed[n].p, fixed[n].len);
	else if (n == FLOOD_OF_MARKS)
		for (int i = 0; i < FLOOD; i++)
			buf_puts(out, i == 0 ? "Z" : "\xcc\x9b\xcd\x85\xe2\x83\x9d");
	else if (n == LONG_WIDE)
		for (int i = 0; i < LONG_LEN / 3; i++)
			buf_puts(out, "\xe5\xad\x97");
	else if (n == LONG_NARROW)
		for (int i = 0; i < LONG_LEN; i++)
			buf_putc(out, (char)('a' + i % 26));
	else
		for (int c = 1; c < 0xa1; c++)
			buf_putc(out, (char)c);
}

/* ---- bytes */

static void
put_le(struct buf *b, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_putc(b, (char)(v >> 8 * i));
}

static void
put_var(struct buf *b, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		put_le(b, (v & 0x7f) | 0x80, 1);
	put_le(b, v, 1);
}

static void
put_text(struct buf *b, const struct buf *s)
{
	put_var(b, s->len);
	buf_add(b, s->p, s->len);
}

/* As UTF-16 with an end; NULs inside are left out, bad bytes become surrogates without a pair. */
static void
put_utf16(struct buf *b, const struct buf *s)
{
	const uint8_t	*p = (const uint8_t *)s->p, *end = p + s->len;

	while (s->len > 0 && p < end) {
		int32_t	cp;

		p += text_decode(p, end, &cp);
		if (cp > 0xffff) {
			put_le(b, (uint64_t)(0xd800 + ((cp - 0x10000) >> 10)), 2);
			put_le(b, (uint64_t)(0xdc00 + ((cp - 0x10000) & 0x3ff)), 2);
		} else if (cp != 0) {
			put_le(b, cp < 0 ? (p[-1] & 1 ? 0xdc80 : 0xd8ff) : (uint64_t)cp, 2);
		}
	}
	put_le(b, 0, 2);
}

/* ---- V4 */

static void
v4_type(struct nt4_writer *w, size_t n, const struct buf *text)
{
	struct nt4_event	e = { .sorted = true };
	struct buf		row = { 0 };

	put_le(&row, n + 1, 4);
	put_utf16(&row, text);
	put_le(&row, n + 1, 4);
	put_utf16(&row, text);
	put_le(&row, 0, 8);
	put_le(&row, 0, 4);
	put_le(&row, 4, 4);
	put_le(&row, 1, 4);
	put_le(&row, NT4_STRING, 4);
	put_utf16(&row, text);
	e.payload = row.p;
	e.size = (uint32_t)row.len;
	nt4_event(w, &e);
	buf_release(&row);
}

static void
v4_event(struct nt4_writer *w, size_t n, const struct buf *text)
{
	struct nt4_event	e = { .sorted = true, .mid = (uint32_t)n + 1, .seq = 2, .tid = n + 1,
				    .capture = n + 1, .ts = (int64_t)(1000 + n) };
	struct buf		payload = { 0 };

	put_utf16(&payload, text);
	e.payload = payload.p;
	e.size = (uint32_t)payload.len;
	nt4_event(w, &e);
	buf_release(&payload);
}

void
hostile_v4(struct buf *out)
{
	struct nt4_writer	w;
	struct buf		text = { 0 };

	nt4_init(&w, NULL);
	nt4_trace(&w, &(struct nt4_trace){ .freq = 1000000, .pointer_size = 8 });
	for (int events = 0; events < 2; events++) {
		nt4_block(&w, events ? "EventBlock" : "MetadataBlock", NT4_UNCOMPRESSED);
		for (size_t n = 0; n < hostile_count(); n++) {
			buf_clear(&text);
			hostile_text(n, &text);
			(events ? v4_event : v4_type)(&w, n, &text);
		}
		nt4_block_end(&w);
	}
	nt4_end(&w);
	buf_add(out, w.p, w.len);
	nt4_release(&w);
	buf_release(&text);
}

/* ---- V6 */

enum { V6_TRACE = 1, V6_EVENTS, V6_METADATA, V6_THREADS = 6, V6_LABELS = 8 };

static void
put_row(struct buf *b, struct buf *row)
{
	assert_true(row->len <= UINT16_MAX);
	put_le(b, row->len, 2);
	buf_add(b, row->p, row->len);
	buf_clear(row);
}

/* Two fields: UTF-16 with an end, UTF-8 behind its length. */
static void
v6_type(struct buf *b, size_t n, const struct buf *text)
{
	struct buf	row = { 0 }, field = { 0 };

	put_var(&row, n + 1);
	put_text(&row, text);
	put_var(&row, n + 1);
	put_text(&row, text);
	put_le(&row, 2, 2);
	put_text(&field, text);
	put_le(&field, 18, 1);
	put_row(&row, &field);
	put_text(&field, text);
	buf_puts(&field, "\x13\x17");		/* an array of UTF-8 units */
	put_row(&row, &field);
	put_le(&row, 0, 2);
	put_row(b, &row);
	buf_release(&row);
	buf_release(&field);
}

static void
v6_thread(struct buf *b, size_t n, const struct buf *text)
{
	struct buf	row = { 0 };

	put_var(&row, n + 1);
	put_le(&row, 1, 1);
	put_text(&row, text);
	put_le(&row, 3, 1);
	put_var(&row, 100 + n);
	put_le(&row, 4, 1);
	put_text(&row, text);
	put_text(&row, text);
	put_row(b, &row);
	buf_release(&row);
}

static void
v6_label(struct buf *b, size_t n, const struct buf *text)
{
	(void)n;
	put_le(b, 5 | 0x80, 1);			/* the last of its list */
	put_text(b, text);
	put_text(b, text);
}

static void
v6_event(struct buf *b, size_t n, const struct buf *text)
{
	struct buf	payload = { 0 };

	put_utf16(&payload, text);
	put_le(&payload, text->len, 2);
	buf_add(&payload, text->p, text->len);
	put_le(b, 48 + payload.len, 4);
	put_le(b, n + 1, 4);
	put_le(b, 2, 4);			/* one was lost before it */
	put_le(b, n + 1, 8);
	put_le(b, n + 1, 8);
	put_le(b, 0, 4);
	put_le(b, 0, 4);
	put_le(b, 1000 + n, 8);
	put_le(b, n + 1, 4);
	put_le(b, payload.len, 4);
	buf_add(b, payload.p, payload.len);
	buf_release(&payload);
}

static void
v6_block(struct buf *out, unsigned kind, struct buf *head,
    void (*one)(struct buf *, size_t, const struct buf *))
{
	struct buf	text = { 0 };

	for (size_t n = 0; one != NULL && n < hostile_count(); n++) {
		buf_clear(&text);
		hostile_text(n, &text);
		one(head, n, &text);
	}
	put_le(out, head->len | (uint64_t)kind << 24, 4);
	buf_add(out, head->p, head->len);
	buf_clear(head);
	buf_release(&text);
}

static void
v6_trace(struct buf *b)
{
	static const uint16_t	date[8] = { 2026, 2, 0, 1, 3, 4, 5, 678 };
	struct buf		text = { 0 };

	for (size_t i = 0; i < 8; i++)
		put_le(b, date[i], 2);
	put_le(b, 1000, 8);
	put_le(b, 1000000, 8);
	put_le(b, 8, 4);
	put_le(b, hostile_count(), 4);
	for (size_t n = 0; n < hostile_count(); n++) {
		buf_clear(&text);
		hostile_text(n, &text);
		put_text(b, &text);
		put_text(b, &text);
	}
	buf_release(&text);
}

void
hostile_v6(struct buf *out)
{
	struct buf	b = { 0 };

	buf_add(out, "Nettrace\0\0\0\0\6\0\0\0\0\0\0\0", 20);
	v6_trace(&b);
	v6_block(out, V6_TRACE, &b, NULL);
	put_le(&b, 0, 2);
	v6_block(out, V6_METADATA, &b, v6_type);
	v6_block(out, V6_THREADS, &b, v6_thread);
	put_le(&b, 1, 4);
	put_le(&b, hostile_count(), 4);
	v6_block(out, V6_LABELS, &b, v6_label);
	put_le(&b, 20, 2);
	put_le(&b, 0, 2);
	put_le(&b, 1000, 8);
	put_le(&b, 2000, 8);
	v6_block(out, V6_EVENTS, &b, v6_event);
	put_le(out, 0, 4);
	buf_release(&b);
}

/* ---- files */

void
hostile_write(const struct buf *trace, struct buf *path)
{
	char	folder[] = "/tmp/tnav-hostile-XXXXXX";
	int	fd;

	assert_non_null(mkdtemp(folder));
	buf_clear(path);
	buf_printf(path, "%s/%s", folder, FILE_NAME);
	fd = open(buf_str(path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, trace->p, trace->len), (ssize_t)trace->len);
	assert_int_equal(close(fd), 0);
}

void
hostile_remove(struct buf *path)
{
	char	*slash;

	assert_int_equal(unlink(buf_str(path)), 0);
	slash = strrchr(path->p, '/');
	*slash = '\0';
	assert_int_equal(rmdir(path->p), 0);
	buf_release(path);
}
