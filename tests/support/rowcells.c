/*
 * rowcells: what the viewer makes of fields, for tests/check/cells.py.
 *
 *	rowcells TRACE <"ROW TAB FIELD" LINES >JSON LINES
 *
 *	{"text":"2 Induced","value":"2","is":true,"has":true}
 *
 * For each line: the text of the cell in the field's column, the value that `i` takes from there,
 * whether the filter FIELD = value is true of the row's event (null: there is no value, or the
 * filter is refused), and whether `has FIELD` is.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tnav/analysis/roles.h"
#include "tnav/base/text.h"
#include "tnav/engine/filter.h"
#include "tnav/model/value.h"
#include "ui/view/view.h"

/* "true", "false", or "null" if it is refused. */
static const char *
decide(struct view *v, const char *expr, const struct event *e, uint64_t row)
{
	struct filter_error	 err = { 0 };
	struct filter		*f;
	struct filter_eval	*eval;
	const char		*verdict = "null";

	if (filter_new(&f, expr, strlen(expr), v->t, false, 0, &err) == 0) {
		eval = filter_eval_new(f, v->t);
		verdict = filter_match_row(eval, e, row) ? "true" : "false";
		filter_eval_free(eval);
		filter_free(f);
	} else {
		fprintf(stderr, "%s: %s\n", expr, buf_str(&err.text));
	}
	filter_error_release(&err);
	return verdict;
}

static void
put_json(struct buf *out, const char *key, struct buf *text)
{
	buf_puts(out, key);
	json_text8(out, (struct span){ (const uint8_t *)buf_str(text), text->len });
}

/* The column of a field; NULL: it has none, and that is said. */
static const struct column *
column_of(struct view *v, const char *name)
{
	struct buf		 why = { 0 };
	const struct column	*found = NULL;

	if (strncmp(name, "payload.", 8) == 0 || strncmp(name, "label.", 6) == 0 ||
	    strncmp(name, "builtin.", 8) == 0) {
		if (columns_set(&v->display.columns, name, &why))
			found = &v->display.columns.v[0];
		buf_release(&why);
		return found;
	}
	columns_default(&v->display.columns);
	for (size_t i = 0; i < v->display.columns.n && found == NULL; i++) {
		const struct field_def	*d = v->display.columns.v[i].ref.def;

		if (d != NULL && strcmp(d->name, name) == 0)
			found = &v->display.columns.v[i];
	}
	buf_release(&why);
	return found;
}

static void
answer(struct view *v, uint64_t row, const char *name)
{
	const struct column	*col = column_of(v, name);
	struct column_row	 at = { .v = v, .row = row };
	struct field_at		 f = { 0 };
	struct event		 e;
	struct buf		 expr = { 0 }, line = { 0 };

	if (col == NULL || trace_event(v->t, row, &e) != 1) {
		printf("{\"error\":\"no column\"}\n");
		return;
	}
	at.e = &e;
	if (!column_cell(col, &at, &f)) {
		buf_clear(&f.text);
		buf_clear(&f.value);
	}
	put_json(&line, "{\"text\":", &f.text);
	put_json(&line, ",\"value\":", &f.value);
	buf_printf(&expr, "%s = %s", buf_str(&f.name), buf_str(&f.value));
	buf_printf(&line, ",\"is\":%s", f.value.len > 0 ? decide(v, buf_str(&expr), &e, row) :
	    "null");
	buf_clear(&expr);
	buf_printf(&expr, "has %s", buf_str(&f.name));
	buf_printf(&line, ",\"has\":%s}\n", decide(v, buf_str(&expr), &e, row));
	(void)fwrite(line.p, 1, line.len, stdout);
	field_at_release(&f);
	buf_release(&line);
	buf_release(&expr);
}

int
main(int argc, char **argv)
{
	const struct trace_options	 opt = { .workers = 1 };
	const struct pass_options	 ro = { .tick = NULL };
	struct roles			*roles;
	struct trace			*t;
	struct view			*v;
	struct buf			 why = { 0 };
	char				*line = NULL, *name;
	size_t				 cap = 0;
	ssize_t				 n;

	if (argc != 2 || trace_open(&t, argv[1], &opt, &why) != 0) {
		fprintf(stderr, "usage: rowcells TRACE <LINES %s\n", buf_str(&why));
		return 2;
	}
	trace_index_start(t);
	(void)trace_index_wait(t, -1);
	v = calloc(1, sizeof *v);
	view_init(v, t, false);
	v->display.time_format = TIME_TICKS;
	roles = roles_new(t, &ro, false);	/* names of frames are not lent: dump has addresses */
	trace_lend(t, DERIVED_THREAD_NAMES, roles);
	for (n = getline(&line, &cap, stdin); n > 0; n = getline(&line, &cap, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		name = strchr(line, '\t');
		if (name != NULL)
			answer(v, strtoull(line, NULL, 10), name + 1);
	}
	free(line);
	view_release(v);
	free(v);
	roles_free(roles);
	trace_close(t);
	buf_release(&why);
	return 0;
}
