/*
 * The rows of a subcommand's table.
 *
 *	all columns	tid pid name events	what the subcommand gives
 *	pick		3 0			--fields events,tid
 */
#include "app/listing.h"

#include <string.h>

#include "app/command.h"
#include "app/exit.h"
#include "tnav/base/mem.h"
#include "tnav/out/message.h"

static size_t
find_name(const char *const *names, size_t n, const char *name, size_t len)
{
	for (size_t i = 0; i < n; i++)
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return i;
	return n;
}

static void
listing_release(struct listing *l)
{
	mem_free(l->names);
	mem_free(l->pick);
	mem_free(l->cells);
	memset(l, 0, sizeof *l);
}

/* Is the column one that no trace of this format has? */
static bool
column_absent(struct run *s, const char *name)
{
	if (strcmp(name, "threadIndex") == 0)
		return !trace_has(s->t, HAS_INDEXES);
	if (strcmp(name, "keyValues") == 0 && s->opt->command->columns == threads_columns)
		return !trace_has(s->t, HAS_INDEXES);
	return strcmp(name, "stream") == 0 && !trace_has(s->t, HAS_SUBSTREAMS);
}

static void
listing_add(struct listing *l, const char *const *names, size_t i)
{
	l->names = mem_realloc(l->names, l->n + 1, sizeof *l->names);
	l->pick = mem_realloc(l->pick, l->n + 1, sizeof *l->pick);
	l->names[l->n] = names[i];
	l->pick[l->n++] = i;
}

int
listing_open(struct listing *l, struct run *s, const char *const *names, size_t n)
{
	const char	*p = s->opt->text[OPT_FIELDS];

	memset(l, 0, sizeof *l);
	l->left = s->opt->given[OPT_LIMIT] ? s->opt->number[OPT_LIMIT] : UINT64_MAX;
	for (size_t i = 0; p == NULL && i < n; i++)
		if (!column_absent(s, names[i]))
			listing_add(l, names, i);
	for (size_t len; p != NULL; p = p[len] == ',' ? p + len + 1 : NULL) {
		size_t	i;

		len = strcspn(p, ",");
		i = find_name(names, n, p, len);
		if (i == n) {
			message_put("-e: %s has no field '%.*s'; `tnav help %s` lists them",
			    s->opt->command->name, (int)(len < 100 ? len : 100), p,
			    s->opt->command->name);
			listing_release(l);
			return EXIT_USAGE;
		}
		listing_add(l, names, i);
	}
	l->cells = mem_zalloc(l->n, sizeof *l->cells);
	l->w = writer_new(s->o, &s->st, l->names, l->n);
	return 0;
}

int
listing_row(struct listing *l, const struct cell *cells)
{
	int	err;

	if (l->left == 0)
		return 1;
	for (size_t i = 0; i < l->n; i++)
		l->cells[i] = cells[l->pick[i]];
	err = writer_row(l->w, l->cells);
	l->left--;
	return err < 0 ? err : l->left == 0;
}

int
listing_close(struct listing *l)
{
	int	err = writer_end(l->w);

	listing_release(l);
	return err < 0 ? EXIT_OUTPUT : 0;
}

/* ---- cells */

struct cell
run_time_cell(struct run *s, int64_t ts)
{
	if (ts == INFO_NO_TIME)
		return (struct cell){ .kind = CELL_NULL };
	return cell_time(trace_ns(s->t, ts));
}

void
count_add(struct count *c, const struct event *e)
{
	if (c->events == 0 || e->ts < c->first)
		c->first = e->ts;
	if (c->events == 0 || e->ts > c->last)
		c->last = e->ts;
	c->events++;
	c->bytes += e->size;
}
