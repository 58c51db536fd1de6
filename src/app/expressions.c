/*
 * The filter of the command line.
 *
 *	-f 'tid = 3' -f @FILE	v[0] "tid = 3"	v[1] "a or b"	all "tid = 3 and (a or b)"
 *
 * Each one is compiled by itself first, so that a message has the position in the typed text.
 *
 * Of several files, one may lack a field or a name that another one has: there the term is false.
 * It is a mistake if no file has it (missing.h).
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
read_file(struct expressions *x, const char *option, const char *path)
{
	struct buf	text = { 0 };

	if (file_read(path, 0, FILE_MOST, &text) < 0) {
		message_put("%s: %s: %s", option, path, strerror(errno));
		buf_release(&text);
		return EXIT_USAGE;
	}
	while (text.len > 0 && strchr(" \t\r\n", text.p[text.len - 1]) != NULL)
		text.len--;
	if (memchr(buf_str(&text), '\0', text.len) != NULL) {
		message_put("%s: %s: contains a NUL byte: not a text file", option, path);
		buf_release(&text);
		return EXIT_USAGE;
	}
	buf_printf(&x->from[x->n], "%s @%s", option, path);
	/* Some editors begin a file with a byte order mark. */
	if (strncmp(text.p, "\xef\xbb\xbf", 3) == 0)
		x->v[x->n++] = mem_strdup(text.p + 3);
	else
		x->v[x->n++] = mem_strdup(text.p);
	buf_release(&text);
	return 0;
}

/* Compile one for a trace, with the message in text if that fails. */
static int
compile_once(const struct expressions *x, size_t i, struct filter **f, struct trace *t,
    struct filter_error *e, struct buf *text)
{
	int	err = filter_new(f, x->v[i], strlen(x->v[i]), t,
		    t == NULL || trace_index_done(t), 0, e);

	buf_clear(text);
	if (err < 0)
		buf_printf(text, "%.*s: column %zu: %s; see `tnav help filter`",
		    (int)x->from[i].len, x->from[i].p, filter_error_column(e, x->v[i]),
		    e->text.len > 0 ? buf_str(&e->text) : err_text(err));
	return err;
}

static int
compile(struct expressions *x, size_t i, struct filter **f, struct trace *t, const char *where,
    bool *noted)
{
	struct missing_names	*names = NULL;
	struct filter_error	 e = { 0 };
	struct buf		 text = { 0 };
	int			 err;

	if (x->many && t != NULL) {
		buf_printf(&text, "-f %zu", i);
		names = missing_begin(&x->missing, buf_str(&text));
	}
	do
		err = compile_once(x, i, f, t, &e, &text);
	while (err < 0 && names != NULL && missing_skip(names, &e, buf_str(&text)));
	*noted |= e.text.len > 0 || (names != NULL && names->nskip > 0);
	if (err < 0)
		message_put("%s%s", where, buf_str(&text));
	else if (e.text.len > 0)
		message_note("%s%s: %s", where, buf_str(&x->from[i]), buf_str(&e.text));
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
	for (size_t i = 0; i < o->nfilters && code == 0; i++) {
		const char	*text = o->filters[i];
		/* --stacks gives one of the filters: the one that its own text is. */
		const char	*option = text == o->text[OPT_STACKS] ? "--stacks" : "-f";
		struct filter	*f = NULL;

		if (text[0] == '@') {
			code = read_file(x, option, text + 1);
		} else {
			buf_puts(&x->from[x->n], option);
			x->v[x->n++] = mem_strdup(text);
		}
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
	for (size_t i = 0; i < x->n; i++) {
		mem_free(x->v[i]);
		buf_release(&x->from[i]);
	}
	missing_release(&x->missing);
	buf_release(&x->all);
	x->n = 0;
}

int
expressions_compile(struct expressions *x, struct filter **f, struct trace *t,
    const char *where, bool *noted)
{
	struct filter_error	 e = { 0 };
	int			 code = 0;

	for (size_t i = 0; i < x->n && code == 0; i++) {
		filter_free(*f);
		*f = NULL;
		code = compile(x, i, f, t, where, noted);
	}
	if (x->n < 2 || code != 0)
		return code;
	filter_free(*f);
	if (filter_new(f, x->all.p, x->all.len, t,
	    t == NULL || (!x->many && trace_index_done(t)), 0, &e) < 0)
		code = exit_usage("%s-f: combined: %s", where, buf_str(&e.text));
	filter_error_release(&e);
	return code;
}
