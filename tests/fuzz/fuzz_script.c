/*
 * Fuzz target: a script. Any bytes part into commands of one line each; and any argument that is
 * quoted comes back byte by byte, alone on a line and between other commands.
 *
 * Corpus: tests/fuzz/corpus/script.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tnav/base/mem.h"
#include "ui/state/script.h"

static void
split(const char *text, size_t len)
{
	const char	*s = text;
	unsigned	 line = 1, at = 0, before = 1;
	struct buf	 command = { 0 }, arg = { 0 };
	size_t		 sum = 0;

	while (script_next(&s, &line, &at, &command)) {
		check(at >= before && at <= line);
		before = at;
		check(command.len > 0 && memchr(command.p, '\n', command.len) == NULL);
		check(command.p[0] != ' ' && command.p[command.len - 1] != ' ');
		sum += command.len;
		buf_clear(&arg);
		script_unquote(&arg, buf_str(&command));
		check(arg.len <= command.len);
	}
	check(*s == '\0' && (size_t)(s - text) <= len && sum <= len);
	buf_release(&command);
	buf_release(&arg);
}

static void
need_command(const char **s, unsigned *line, const char *want)
{
	struct buf	command = { 0 };
	unsigned	at;

	check(script_next(s, line, &at, &command));
	check(at == 1 && strcmp(buf_str(&command), want) == 0);
	buf_release(&command);
}

static void
quote(const char *arg)
{
	struct buf	script = { 0 }, quoted = { 0 }, back = { 0 };
	unsigned	line = 1, at;
	const char	*s;

	script_quote(&quoted, arg);
	buf_printf(&script, "first \"x ; note %s ; last 'y'\n", buf_str(&quoted));
	s = buf_str(&script) + strlen("first \"x ; ");
	check(script_next(&s, &line, &at, &back));
	if (arg[0] != '\0') {
		check(strncmp(buf_str(&back), "note ", 5) == 0);
		check(strcmp(buf_str(&back) + 5, buf_str(&quoted)) == 0);
	}
	need_command(&s, &line, "last 'y'");
	buf_clear(&back);
	script_unquote(&back, buf_str(&quoted));
	check(strcmp(buf_str(&back), arg) == 0);
	buf_release(&script);
	buf_release(&quoted);
	buf_release(&back);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char	*text = mem_strndup((const char *)data, size);

	split(text, strlen(text));
	quote(text);
	mem_free(text);
	return 0;
}
