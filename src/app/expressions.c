/*
 * The filter of the command line.
 *
 *	-f 'tid = 3' -f @FILE	v[0] "tid = 3"	v[1] "a or b"	all "tid = 3 and (a or b)"
 *
 * Each one is compiled by itself first, so that a message has the position in the typed text.
 *
 * Of several files, one may lack a field or a name that another one has: there the term is false.
 * It is a mistake if no file has it; the message waits until all files were read.
 */
#include "app/expressions.h"

#include <errno.h>
#include <string.h>

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/out/message.h"

#define FILE_MOST	(1u << 20)	/* the language has a limit of its own */

static int
read_file(struct expressions *x, const char *path)
{
	struct buf	text;

	buf_init(&text);
	if (file_read(path, 0, FILE_MOST, &text) < 0) {
		message_put("-f: %s: %s", path, strerror(errno));
		buf_release(&text);
		return EXIT_USAGE;
	}
	while (text.len > 0 && strchr(" \t\r\n", text.p[text.len - 1]) != NULL)
		text.len--;
	if (memchr(buf_str(&text), '\0', text.len) != NULL) {
		message_put("-f: %s: contains a NUL byte: not a text file", path);
		buf_release(&text);
		return EXIT_USAGE;
	}
	x->name[x->n] = path;
	/* Some editors begin a file with a byte order mark. */
	if (strncmp(text.p, "\xef\xbb\xbf", 3) == 0)
		x->v[x->n++] = mem_strdup(text.p + 3);
	else
		x->v[x->n++] = mem_strdup(text.p);
	buf_release(&text);
	return 0;
}

/* The filter, where what this file lacks is false. False: it is wrong in any file. */
static bool
compile_loosely(const char *text, size_t len, struct filter **f, struct trace *t)
{
	struct filter_error	e;
	int			err;

	filter_error_init(&e);
	err = filter_new(f, text, len, t, false, 0, &e);
	filter_error_release(&e);
	return err >= 0;
}

/* Keep the message of the first file. If another one is about something else, each of both names is
   in one file. */
static void
note_why(struct expressions *x, size_t i, const char *text)
{
	struct buf	*why = &x->why[i];
	size_t		 n = strcspn(text, "(;");	/* names that are near differ */

	if (why->len == 0)
		buf_puts(why, text);
	else if (strncmp(buf_str(why), text, n > 0 ? n - 1 : 0) != 0)
		x->fits[i] = true;
}

static int
compile(struct expressions *x, size_t i, struct filter **f, struct trace *t, const char *where,
    bool *noted)
{
	const char		*at = x->name[i] != NULL ? " @" : "";
	const char		*name = x->name[i] != NULL ? x->name[i] : "";
	size_t			 len = strlen(x->v[i]);
	struct filter_error	 e;
	struct buf		 text;
	int			 err;

	filter_error_init(&e);
	buf_init(&text);
	err = filter_new(f, x->v[i], len, t, t == NULL || trace_index_done(t), 0, &e);
	*noted |= e.text.len > 0;
	if (err < 0)
		buf_printf(&text, "-f%s%s: column %zu: %s; see `tnav help filter`", at, name,
		    filter_error_column(&e, x->v[i]),
		    e.text.len > 0 ? buf_str(&e.text) : err_text(err));
	else if (e.text.len > 0)
		message_put("%s-f%s%s: %s", where, at, name, buf_str(&e.text));
	x->fits[i] |= err >= 0 && t != NULL;
	if (err < 0 && x->many && t != NULL && compile_loosely(x->v[i], len, f, t)) {
		note_why(x, i, buf_str(&text));
		err = ERR_OK;
	} else if (err < 0) {
		message_put("%s%s", where, buf_str(&text));
	}
	filter_error_release(&e);
	buf_release(&text);
	return err < 0 ? EXIT_USAGE : 0;
}

int
expressions_init(struct expressions *x, const struct options *o)
{
	bool	noted = false;
	int	code = 0;

	*x = (struct expressions){ .many = o->nfiles > 1 };
	buf_init(&x->all);
	for (size_t i = 0; i < OPT_FILTERS_MOST; i++)
		buf_init(&x->why[i]);
	for (size_t i = 0; i < o->nfilters && code == 0; i++) {
		struct filter	*f = NULL;

		if (o->filters[i][0] == '@')
			code = read_file(x, o->filters[i] + 1);
		else
			x->v[x->n++] = mem_strdup(o->filters[i]);
		if (code == 0)
			code = compile(x, i, &f, NULL, "", &noted);
		filter_free(f);
	}
	if (x->n == 1)
		buf_puts(&x->all, x->v[0]);
	else
		filter_join(&x->all, (const char *const *)x->v, x->n);
	return code;
}

void
expressions_release(struct expressions *x)
{
	for (size_t i = 0; i < x->n; i++)
		mem_free(x->v[i]);
	for (size_t i = 0; i < OPT_FILTERS_MOST; i++)
		buf_release(&x->why[i]);
	buf_release(&x->all);
	x->n = 0;
}

int
expressions_end(struct expressions *x)
{
	int	code = 0;

	for (size_t i = 0; i < x->n; i++) {
		if (x->fits[i] || x->why[i].len == 0)
			continue;
		message_put("%s", buf_str(&x->why[i]));
		code = EXIT_USAGE;
	}
	return code;
}

int
expressions_compile(struct expressions *x, struct filter **f, struct trace *t,
    const char *where, bool *noted)
{
	struct filter_error	 e;
	int			 code = 0;

	for (size_t i = 0; i < x->n && code == 0; i++) {
		filter_free(*f);
		*f = NULL;
		code = compile(x, i, f, t, where, noted);
	}
	if (x->n < 2 || code != 0)
		return code;
	filter_free(*f);
	filter_error_init(&e);
	if (filter_new(f, x->all.p, x->all.len, t, !x->many && trace_index_done(t), 0, &e) < 0) {
		message_put("%s-f: combined: %s", where, buf_str(&e.text));
		code = EXIT_USAGE;
	}
	filter_error_release(&e);
	return code;
}
