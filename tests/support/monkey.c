/*
 * The steps of a monkey: by weight, from the command table and from words that are near the edge
 * of what the prompts take.
 */
#include "monkey.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asserts.h"
#include "tnav/base/text.h"
#include "ui/command/command.h"
#include "ui/command/commands.h"
#include "ui/term/key.h"
#include "ui/pane/pane.h"

#define COUNT(a)	(sizeof (a) / sizeof *(a))
#define PICK(m, a)	((a)[monkey_below((m), COUNT(a))])

static const char *const	names[] = {
	"provider", "name", "event", "id", "version", "level", "keywords", "opcode", "time", "dur",
	"pid", "tid", "thread", "cpu", "seq", "row", "size", "stack", "activity", "related", "lost",
	"label.TraceId", "label.x", "label.", "n", "payload.n", "payload.Reason", "Depth",
	"payload.", "payload.\"a b\"", "\"http method\"", "nonesuch", "delta", "payload", "detail",
	"type", "process",
};
static const char *const	values[] = {
	"0", "1", "2", "5", "6", "9", "25", "-1", "255", "256", "65535", "65536", "2147483647",
	"2147483648", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
	"-9223372036854775808", "-9223372036854775809", "18446744073709551615",
	"18446744073709551616", "99999999999999999999999", "0x10", "0x", "1e308", "1e309", "nan",
	"2.5", "-0", "", " ", "x", "\"x\"", "\"\"", "'y'", "\"", "/z/", "//1/2", "//$", "warning",
	"Start", "GC/Start", "true", "10KB", "1GiB", "4bf92f35-77b3-4da6-a3ce-929d0e0e4736",
	"(", ")", ",", "..", "!", "~", "\xe7\x95\x8c", "\xc3\xa9", "e\xcc\x81", "\xe2\x80\xae",
	"a b", "%s%n", "$(x)", "auto", "on", "off", "red", "#f00", "-", "--", "*",
};
static const char *const	times[] = {
	"0s", "1ms", "4ms", "2.1s", "-1s", "+5s", "-5s", "+1ms", "1h", "99999999h", "1ns", "0ns",
	"9223372036854775807ns", "9223372036854775808ns", "1e30s", "5", "s", "1us", "1\xc2\xb5s",
	"2026-11-21T12:17:35Z", "2026-11-21T12:17:35.123456789+14:00", "0000-00-00T00:00:00Z",
	"9999-12-31T23:59:60Z", "14:03:22.5", "24:00:00", "",
};
static const char *const	patterns[] = {
	".", ".*", "^$", "[", "(", "a|b", "(a+)+$", "\\d+", "\\p{L}", "(?R)", "\\", "[[:alpha:]]",
	"n=5", "start", "x{70000}", "(?i)GC", "\\K", "(*COMMIT)", "\xc3\xa9", "e", "/", "\\/", "=",
	"(?<=a{1,9})b", "\\Q", "[^\\x00-\\x7f]", "zzz", "$", " ", "(((((((((((((((((((((((((((((",
};
static const char *const	pipes[] = {
	"cat >/dev/null", "true", "false", "head -n 1 >/dev/null",
};
static const char *const	motions[] = {
	"j", "k", "h", "l", "<Down>", "<Up>", "<Left>", "<Right>", "<Space>", "b", "<PgDn>",
	"<PgUp>", "C-d", "C-u", "G", "g", "<Home>", "<End>", "w", "s", "n", "N", ".", ",", "*", "#",
	"}", "{", "[", "]", "e", "E", "<Tab>", "<Enter>", "d", "a",
};
static const char *const	edits[] = {
	"<Left>", "<Right>", "<Home>", "<End>", "<Backspace>", "<Delete>", "<Up>", "<Down>",
	"<Tab>", "<S-Tab>", "C-a", "C-e", "C-u", "C-k", "C-w", "C-d", "C-b", "C-f", "C-n", "C-p",
	"<Enter>", "<Esc>", "C-g", "C-c", "M-q", "<Insert>", "<F7>",
};
static const int		sizes[][2] = {
	{ 24, 80 }, { 24, 80 }, { 10, 40 }, { 8, 40 }, { 43, 132 }, { 50, 200 }, { 50, 160 },
	{ 40, 100 }, { 1, 1 }, { 7, 39 }, { 300, 100 }, { 5, 200 }, { 9, 300 }, { 30, 41 },
	{ 12, 190 },
};

/* splitmix64 */
uint64_t
monkey_below(struct monkey *m, uint64_t n)
{
	uint64_t	z = m->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (z ^ z >> 31) % n;
}

void
monkey_init(struct monkey *m, uint64_t seed)
{
	static const unsigned	rush[] = { 0, 0, 15, 80 };

	m->state = seed * 0xd1342543de82ef95u;	/* not the step below: else seeds share numbers */
	m->rush = PICK(m, rush);
}

static bool
chance(struct monkey *m, unsigned percent)
{
	return monkey_below(m, 100) < percent;
}

/* ---- names of keys, as memterm_press() and the scripts spell them */

static void
put_key(struct buf *out, int32_t key)
{
	struct buf	name = { 0 };

	buf_putc(out, ' ');
	buf_putc(&name, '<');
	key_write(&name, key);
	buf_putc(&name, '>');
	if (key_parse(name.p, name.len) == key) {
		buf_add(out, name.p, name.len);
	} else if (key > TK_ALT) {
		buf_printf(out, "M-%c", (char)(key - TK_ALT));
	} else if (key < ' ') {
		buf_printf(out, "C-%c", (char)(key + '`'));
	} else {
		char	utf8[4];

		buf_add(out, utf8, text_encode(key, utf8));
	}
	buf_release(&name);
}

static int32_t
any_key(struct monkey *m)
{
	static const int32_t	wide[] = { 0xe9, 0x754c, 0x301, 0x1f600, 0x202e, 0xa0 };

	switch (monkey_below(m, 8)) {
	case 0:
		return (int32_t)(1 + monkey_below(m, 26));	/* Ctrl */
	case 1:
		return TK_ALT + (int32_t)(' ' + 1 + monkey_below(m, 94));
	case 2:
		return TK_UP + (int32_t)monkey_below(m, TK_F12 - TK_UP + 1);
	case 3:
		return PICK(m, wide);
	default:
		return (int32_t)(' ' + monkey_below(m, 95));
	}
}

bool
monkey_quits(const struct command *cmd)
{
	return cmd->run == cmd_quit;
}

/* A key of the command table; all commands alike, though some leave more often than they should. */
static void
put_command_key(struct monkey *m, struct buf *out)
{
	const struct command	*cmd;
	struct key_pair		 k = { TK_NONE, TK_NONE }, next;
	const char		*p;
	unsigned		 n = 0;

	do
		cmd = &command_table[monkey_below(m, command_ntable)];
	while (cmd->keys[0] == '\0' || (monkey_quits(cmd) && !chance(m, 5)) ||
	    (strcmp(cmd->name, "close") == 0 && !chance(m, 50)));
	p = cmd->keys;
	for (next = key_pair_next(&p); next.key != TK_NONE; next = key_pair_next(&p))
		if (monkey_below(m, ++n) == 0)
			k = next;
	put_key(out, k.key);
	if (k.then == TK_ANY)
		put_key(out, chance(m, 80) ? (int32_t)('a' + monkey_below(m, 3)) : any_key(m));
	else if (k.then != TK_NONE)
		put_key(out, k.then);
}

/* ---- texts */

static void
put_junk(struct monkey *m, struct buf *out)
{
	for (uint64_t n = monkey_below(m, 12); n > 0; n--) {
		char	utf8[4];
		int32_t	cp = any_key(m);

		if (cp >= ' ' && cp < TK_BASE)
			buf_add(out, utf8, text_encode(cp, utf8));
	}
}

static void
put_time(struct monkey *m, struct buf *out)
{
	buf_puts(out, PICK(m, times));
	if (chance(m, 40)) {
		buf_puts(out, "..");
		buf_puts(out, PICK(m, times));
	}
}

static void
put_filter(struct monkey *m, struct buf *out, unsigned depth)
{
	static const char *const	ops[] = { " = ", " != ", " < ", " <= ", " > ", " >= ",
					    " ~ ", " !~ ", "=", " has ", " under ", " " };

	if (depth > 0 && chance(m, 25)) {
		buf_puts(out, chance(m, 30) ? "not (" : "(");
		put_filter(m, out, depth - 1);
		buf_puts(out, chance(m, 50) ? ") and (" : ") or (");
		put_filter(m, out, depth - 1);
		buf_puts(out, chance(m, 95) ? ")" : "");
		return;
	}
	switch (monkey_below(m, 10)) {
	case 0:
		buf_puts(out, "has ");
		buf_puts(out, PICK(m, names));
		break;
	case 1:
		buf_printf(out, "/%s/", PICK(m, patterns));
		break;
	case 2:
		buf_puts(out, "time in ");
		put_time(m, out);
		break;
	case 3:
		buf_printf(out, "%s in (%s, %s)", PICK(m, names), PICK(m, values), PICK(m, values));
		break;
	case 4:
		buf_printf(out, "%s ~ \"%s\"", PICK(m, names), PICK(m, patterns));
		break;
	case 5:
		put_junk(m, out);
		break;
	default:
		buf_puts(out, PICK(m, names));
		buf_puts(out, PICK(m, ops));
		buf_puts(out, PICK(m, values));
	}
}

static void
put_list(struct monkey *m, struct buf *out)
{
	for (uint64_t n = monkey_below(m, 6) + 1; n > 0; n--)
		buf_printf(out, "%s%s%s", chance(m, 15) ? "!" : "", PICK(m, names),
		    n > 1 ? "," : "");
}

static void
put_numbers(struct monkey *m, struct buf *out, unsigned n)
{
	while (n-- > 0)
		buf_printf(out, "%s%s", PICK(m, values), n > 0 ? " " : "");
}

static void
put_binding(struct monkey *m, struct buf *out)
{
	buf_puts(out, chance(m, 30) ? "all" : pane_names[monkey_below(m, PANES)]);
	put_key(out, any_key(m));
	if (chance(m, 20))
		put_key(out, any_key(m));
	buf_printf(out, " %s", command_table[monkey_below(m, command_ntable)].name);
	if (chance(m, 30)) {
		buf_putc(out, ' ');
		put_filter(m, out, 0);
	}
}

/* What a command takes, more or less. */
static void
put_argument(struct monkey *m, const char *args, struct buf *out)
{
	if (args == NULL || chance(m, 15)) {
		buf_puts(out, PICK(m, values));
	} else if (strncmp(args, "EXPR", 4) == 0) {
		put_filter(m, out, 1);
		if (args[4] != '\0')
			buf_puts(out, chance(m, 80) ? " red" : " nocolor");
	} else if (strcmp(args, "REGEX") == 0) {
		buf_puts(out, PICK(m, patterns));
	} else if (strcmp(args, "TIME") == 0) {
		put_time(m, out);
	} else if (strcmp(args, "LIST") == 0) {
		put_list(m, out);
	} else if (strcmp(args, "FIELD") == 0 || strcmp(args, "COLUMN") == 0) {
		buf_puts(out, PICK(m, names));
	} else if (strncmp(args, "PANE", 4) == 0) {
		put_binding(m, out);
	} else if (strcmp(args, "FILE") == 0) {
		buf_printf(out, "out%u.%s", (unsigned)monkey_below(m, 3),
		    chance(m, 50) ? "csv" : "jsonl");
	} else if (strcmp(args, "COMMAND") == 0) {
		buf_puts(out, PICK(m, pipes));
	} else if (strcmp(args, "TICKS OFFSET") == 0 || strcmp(args, "FROM TO") == 0) {
		put_numbers(m, out, 2);
	} else if (strncmp(args, "LETTER", 6) == 0) {
		buf_printf(out, "%c ", (char)('a' + monkey_below(m, 26)));
		put_numbers(m, out, args[6] != '\0' ? 3 : 0);
	} else {
		put_numbers(m, out, 1);
	}
}

static void
put_command(struct monkey *m, struct buf *out)
{
	static const char *const	more[] = {
		"pane ", "set mouse ", "set ascii ", "set esc-delay ", "set columns ", "layout ",
		"layout auto", "layout single", "layout split", "layout wide", "time-format local",
		"time-format delta", "pin-lane tid=5", "pin-lane tid=", "sort lost",
		"sort busy", "sort name",
		"stats tid", "stats payload.n", "columns row,time,payload.n", "collapse", "fil", "",
	};
	const struct command		*cmd = &command_table[monkey_below(m, command_ntable)];

	if (chance(m, 30)) {
		buf_puts(out, PICK(m, more));
		if (out->len > 0 && out->p[out->len - 1] == ' ')
			buf_puts(out, chance(m, 50) ? PICK(m, values) :
			    pane_names[monkey_below(m, PANES)]);
		return;
	}
	buf_puts(out, cmd->name);
	if (chance(m, cmd->args != NULL ? 90 : 10)) {
		buf_putc(out, ' ');
		put_argument(m, cmd->args, out);
	}
}

static void
put_escaped(struct buf *out, const struct buf *text)
{
	for (size_t i = 0; i < text->len; i++) {
		unsigned char	c = (unsigned char)text->p[i];

		if (c < ' ' || c == 127)
			buf_printf(out, "\\x%02x", c);
		else if (c == '\\')
			buf_puts(out, "\\\\");
		else
			buf_putc(out, (char)c);
	}
}

void
monkey_text(const char *escaped, struct buf *out)
{
	for (; *escaped != '\0'; escaped++) {
		char	hex[3] = { 0 };

		if (escaped[0] == '\\' && escaped[1] == 'x' && strlen(escaped) >= 4) {
			memcpy(hex, escaped + 2, 2);
			buf_putc(out, (char)strtoul(hex, NULL, 16));
			escaped += 3;
		} else {
			escaped += escaped[0] == '\\' && escaped[1] != '\0';
			buf_putc(out, *escaped);
		}
	}
}

/* ---- steps */

/* A prompt from its key to Enter: one step, since half of one means little. */
static void
put_prompt(struct monkey *m, struct buf *out)
{
	static const char	opens[] = "f::::::/@@|P";
	char			open = opens[monkey_below(m, sizeof opens - 1)];
	struct buf		text = { 0 };

	switch (open) {
	case 'f':
		put_filter(m, &text, 2);
		break;
	case '/':
		buf_puts(&text, PICK(m, patterns));
		break;
	case '@':
		put_time(m, &text);
		break;
	case '|':
		buf_puts(&text, PICK(m, pipes));
		break;
	case 'P':
		buf_printf(&text, "%sout.%s", chance(m, 50) ? "-f " : "",
		    chance(m, 50) ? "tsv" : "txt");
		break;
	default:
		put_command(m, &text);
	}
	buf_printf(out, "prompt %c ", open);
	put_escaped(out, &text);
	buf_release(&text);
}

static void
put_keys(struct monkey *m, struct buf *out, uint64_t n)
{
	buf_puts(out, "key");
	while (n-- > 0) {
		if (chance(m, 75))
			put_command_key(m, out);
		else
			put_key(out, any_key(m));
	}
}

static void
put_count(struct monkey *m, struct buf *out)
{
	buf_puts(out, "key");
	for (uint64_t n = chance(m, 80) ? 1 + monkey_below(m, 2) : monkey_below(m, 25); n > 0; n--)
		buf_printf(out, " %u", (unsigned)monkey_below(m, 10));
	buf_printf(out, " %s", PICK(m, motions));
}

static void
put_mouse(struct monkey *m, struct buf *out)
{
	static const char *const	kinds[] = { "press", "press", "drag", "drag", "release",
					    "wheel" };
	bool				near = chance(m, 90);

	buf_printf(out, "mouse %s %d %d %d", PICK(m, kinds),
	    near ? (int)monkey_below(m, 50) : (int)monkey_below(m, 500) - 100,
	    near ? (int)monkey_below(m, 120) : (int)monkey_below(m, 100000) - 100,
	    chance(m, 50) ? 1 : -1);
}

static void
put_file(struct monkey *m, struct buf *out)
{
	static const char *const	whats[] = { "cut", "cut", "grow", "flip", "flip", "whole",
					    "new", "gone" };
	const char			*what = PICK(m, whats);

	buf_printf(out, "file %s %u", what, (unsigned)monkey_below(m, 101));
}

static void
put_typing(struct monkey *m, struct buf *out)
{
	struct buf	text = { 0 };

	if (chance(m, 50))
		put_junk(m, &text);
	else
		put_filter(m, &text, 1);
	if (chance(m, 10))
		buf_puts(&text, "\n\033[31m\t");
	buf_puts(out, chance(m, 60) ? "type " : "paste ");
	put_escaped(out, &text);
	buf_release(&text);
}

static void
put_step(struct monkey *m, struct buf *out)
{
	uint64_t	what = monkey_below(m, 100);

	if (what < 40) {
		put_keys(m, out, 1);
	} else if (what < 48) {
		put_keys(m, out, 2 + monkey_below(m, 8));
	} else if (what < 56) {
		put_count(m, out);
	} else if (what < 72) {
		put_prompt(m, out);
	} else if (what < 76) {
		buf_printf(out, "key M-%u", 1 + (unsigned)monkey_below(m, 7));
	} else if (what < 80) {
		buf_puts(out, "key <Esc>");
	} else if (what < 84) {
		buf_printf(out, "key %s", PICK(m, edits));
	} else if (what < 87) {
		put_typing(m, out);
	} else if (what < 94) {
		put_mouse(m, out);
	} else if (what < 97) {
		const int	*size = PICK(m, sizes);

		buf_printf(out, "size %d %d", size[0], size[1]);
	} else if (what < 98) {
		put_file(m, out);
	} else {
		buf_puts(out, "key <F5>");
	}
}

void
monkey_step(struct monkey *m, struct buf *out)
{
	struct buf	line = { 0 };
	size_t		word;

	put_step(m, &line);
	word = strcspn(buf_str(&line), " ");
	buf_printf(out, "%.*s%s%s", (int)word, line.p, chance(m, m->rush) ? "!" : "",
	    line.p + word);
	buf_release(&line);
}

bool
monkey_may_run(const char *command)
{
	for (size_t i = 0; i < COUNT(pipes); i++)
		if (strcmp(command, pipes[i]) == 0)
			return true;
	return false;
}

/* ---- the file */

static void
write_at(const char *path, int flags, const void *p, size_t len, off_t at)
{
	int	fd = open(path, O_WRONLY | O_CLOEXEC | flags, 0600);

	if (fd < 0)
		return;			/* it is gone */
	assert_int_equal(pwrite(fd, p, len, at), (ssize_t)len);
	close(fd);
}

void
monkey_file(const char *path, const struct buf *whole, const char *what)
{
	size_t		blank = strcspn(what, " "), at;
	unsigned long	percent = strtoul(what + blank, NULL, 10);
	struct stat	st = { 0 };
	char		byte = (char)(percent * 37 + 1);
	struct buf	other = { 0 };

	if (percent > 100)
		percent = 100;
	at = whole->len * percent / 100;
	(void)stat(path, &st);
	if (strncmp(what, "cut", blank) == 0) {
		if (truncate(path, (off_t)((uint64_t)st.st_size * percent / 100)) != 0)
			return;
	} else if (strncmp(what, "grow", blank) == 0) {
		write_at(path, 0, whole->p, at, st.st_size);
	} else if (strncmp(what, "flip", blank) == 0) {
		write_at(path, 0, &byte, 1, (off_t)at);
	} else if (strncmp(what, "whole", blank) == 0) {
		write_at(path, O_CREAT, whole->p, whole->len, 0);
	} else if (strncmp(what, "gone", blank) == 0) {
		(void)unlink(path);
	} else {
		buf_printf(&other, "%s.new", path);
		write_at(buf_str(&other), O_CREAT | O_TRUNC, whole->p, at, 0);
		assert_int_equal(rename(buf_str(&other), path), 0);
		buf_release(&other);
	}
}
