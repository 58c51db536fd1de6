/*
 * The table of a subcommand on its way out.
 *
 *	all columns	tid pid name events	what the table has
 *	pick		3 0			--fields events,tid
 */
#include "app/listing.h"

#include <string.h>

#include "app/exit.h"
#include "tnav/base/mem.h"
#include "tnav/out/message.h"
#include "tnav/out/table.h"

static void
listing_add(struct listing *l, unsigned col)
{
	l->pick = mem_realloc(l->pick, l->n + 1, sizeof *l->pick);
	l->pick[l->n++] = col;
}

int
listing_open(struct listing *l, struct run *s, const struct table_column *column,
    unsigned ncolumns)
{
	struct table	 t = { .column = column, .ncolumns = ncolumns };
	const char	*p = s->opt->text[OPT_FIELDS];

	*l = (struct listing){ .n = 0 };
	for (size_t len; p != NULL; p = p[len] == ',' ? p + len + 1 : NULL) {
		unsigned	col;

		len = strcspn(p, ",");
		col = table_find_column(&t, p, len, NULL);
		if (col == ncolumns || (column[col].flags & COLUMN_SCREEN) != 0) {
			message_put("-e: %s has no field '%.*s'; `tnav help %s` lists them",
			    s->opt->command->name, (int)(len < 100 ? len : 100), p,
			    s->opt->command->name);
			listing_close(l);
			return EXIT_USAGE;
		}
		listing_add(l, col);
	}
	return 0;
}

int
listing_print(struct listing *l, struct run *s, const struct table *t)
{
	uint64_t	limit = s->opt->given[OPT_LIMIT] ? s->opt->number[OPT_LIMIT] : UINT64_MAX;

	for (unsigned i = 0; s->opt->text[OPT_FIELDS] == NULL && i < t->ncolumns; i++)
		if (table_in_files(t, i))
			listing_add(l, i);
	return table_print(s->o, &s->st, t, NULL, l->pick, l->n, limit);
}

void
listing_close(struct listing *l)
{
	mem_free(l->pick);
	*l = (struct listing){ .n = 0 };
}
