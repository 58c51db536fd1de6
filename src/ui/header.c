/*
 * The lines under the top line: the traced process, and its providers.
 *
 *	/usr/sh…l serve wait=1  .NET 10.0.12.0  Linux x64  started 2026-11-22T07:20:21Z
 *	Shop-Audit 18,617  Micro…pleProfiler 13,862  Micro…tNETRuntime 12,113  +11 more
 *
 * If there is too little room, the system is left out first, then start and runtime. Commands and
 * the names of providers are cut in the middle.
 *
 * Invariant: the number of lines depends on the size of the screen and the open panes, not on the
 * trace, so nothing moves while it is being indexed.
 */
#include "ui/header.h"

#include "tnav/analysis/origin.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/base/units.h"
#include "tnav/engine/joined.h"
#include "ui/shell.h"

#define LINES		2
#define ROWS_MIN	24	/* least height for the lines, if only the main pane is open */
#define ROWS_ALWAYS	40	/* least height for the lines in any case */
#define COMMAND_MIN	16	/* least width of a cut command */
#define NAME_MIN	16	/* least width of a cut provider's name */
#define PROVIDERS_MIN	3	/* providers that are shown in any case, */
#define PROVIDER_ROOM	40	/* ... and one per this width of the screen */
#define APART		2	/* blanks between two parts */

/* What is known about the process, in the order of the line. */
enum part { COMMAND, RUNTIME, SYSTEM, START, PARTS };

/* ... and in the order in which they are left out. */
static const enum part	left_out[] = { SYSTEM, START, RUNTIME };

void
header_release(struct header *h)
{
	mem_free(h->provider);
	*h = (struct header){ .off = h->off };
}

int
header_lines(const struct ui *ui, bool alone)
{
	int	least = alone ? ROWS_MIN : ROWS_ALWAYS;

	return !ui->header.off && ui->screen.rows >= least ? LINES : 0;
}

/* ---- the process */

/* "3 files, aligned by ticks and UTC" */
static void
put_clocks(struct trace *t, struct buf *b)
{
	static const char *const	words[] = { [CLOCK_TICKS] = "ticks", [CLOCK_UTC] = "UTC",
					    [CLOCK_START] = "their starts" };
	const struct trace_info		*first = trace_info(trace_source(t, 0));
	unsigned			used = 0;
	bool				boots = false;
	const char			*before = ", aligned by ";

	for (uint32_t i = 1; i < trace_sources(t); i++) {
		enum trace_clock	by = trace_source_clock(t, i);

		used |= 1u << by;
		boots |= by == CLOCK_UTC &&
		    !joined_same_boot(first, trace_info(trace_source(t, i)));
	}
	buf_counts(b, "# file{s}", trace_sources(t));
	for (unsigned k = CLOCK_TICKS; k <= CLOCK_START; k++) {
		if ((used & 1u << k) == 0)
			continue;
		buf_printf(b, "%s%s", before, words[k]);
		before = " and ";
	}
	if (boots)
		buf_puts(b, ", of several boots");
}

static void
put_command(struct trace *t, const struct origin *o, const struct trace_info *info, struct buf *b)
{
	if (trace_sources(t) > 1) {
		put_clocks(t, b);
	} else if (o != NULL && o->processes > 1) {
		buf_counts(b, "# processes", o->processes);
	} else if (o != NULL && o->command.len > 0) {
		buf_add(b, o->command.p, o->command.len);
	} else if (info->has_pid) {
		buf_printf(b, "process %llu", (unsigned long long)info->pid);
	}
}

/* Empty: nothing tells. */
static void
put_part(struct ui *ui, enum part part, struct buf *b)
{
	const struct trace_info	*info = trace_info(ui->v.t);
	const struct origin	*o = view_origin(&ui->v);

	buf_clear(b);
	if (trace_sources(ui->v.t) > 1)
		o = NULL;			/* that of each file */
	if (part == COMMAND) {
		put_command(ui->v.t, o, info, b);
	} else if (part == START && info->has_sync_utc) {
		buf_puts(b, "started ");
		units_utc(b, info->sync_utc, 0);
	} else if (part == RUNTIME && o != NULL && o->runtime.len > 0) {
		buf_puts(b, ".NET ");
		buf_add(b, o->runtime.p, o->runtime.len);
	} else if (part == SYSTEM && o != NULL) {
		buf_add(b, o->os.p, o->os.len);
		if (o->os.len > 0 && o->arch.len > 0)
			buf_putc(b, ' ');
		buf_add(b, o->arch.p, o->arch.len);
	}
}

void
header_text(struct ui *ui, struct buf *out)
{
	static const enum part	order[] = { RUNTIME, COMMAND, START };
	struct buf		one = { 0 };

	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		put_part(ui, order[i], &one);
		if (one.len > 0)
			buf_printf(out, "%s%s", out->len > 0 ? "  " : "", buf_str(&one));
	}
	buf_release(&one);
}

static void
draw_process(struct ui *ui, int y)
{
	struct canvas	*c = &ui->screen.c;
	struct buf	 part[PARTS] = { 0 };
	int		 cells[PARTS], room = c->cols - 1, x = 1, least;

	for (int i = 0; i < PARTS; i++) {
		put_part(ui, (enum part)i, &part[i]);
		cells[i] = canvas_width(span_of_buf(&part[i]), c->ascii);
		if (i != COMMAND && cells[i] > 0)
			room -= cells[i] + APART;
	}
	least = cells[COMMAND] < COMMAND_MIN ? cells[COMMAND] : COMMAND_MIN;
	for (size_t i = 0; i < sizeof left_out / sizeof *left_out && room < least; i++) {
		if (cells[left_out[i]] > 0)
			room += cells[left_out[i]] + APART;
		buf_clear(&part[left_out[i]]);
	}
	for (int i = 0; i < PARTS; i++) {
		if (part[i].len > 0)
			x += canvas_middle(c, y, x, i == COMMAND ? room : c->cols - x,
			    i == COMMAND ? ST_NORMAL : ST_DIM, span_of_buf(&part[i])) + APART;
		buf_release(&part[i]);
	}
}

/* ---- providers */

static void
count(struct ui *ui)
{
	struct header	*h = &ui->header;

	if (h->provider != NULL && !view_changed(&ui->v, &h->seen, VIEW_INDEX))
		return;
	header_release(h);
	h->n = provider_counts(ui->v.t, &h->provider);
	while (h->n > 0 && h->provider[h->n - 1].events == 0)
		h->n--;			/* providers without events come last */
	h->seen = ui->v.changes;
}

static const char *
name_of(const struct provider_count *p)
{
	return p->name[0] != '\0' ? p->name : "(no name)";
}

/* "+11 more" */
static void
put_more(struct buf *b, size_t n)
{
	buf_clear(b);
	if (n > 0)
		buf_printf(b, "+%zu more", n);
}

/* The number of providers that fit if no name is wider than most. */
static size_t
providers_in(struct ui *ui, int room, int most, struct buf *b)
{
	const struct header	*h = &ui->header;
	const struct canvas	*c = &ui->screen.c;
	int			 x = 0, more;
	size_t			 n = 0;

	for (size_t i = 0; i < h->n; i++) {
		int	name = canvas_width(span_of(name_of(&h->provider[i])), c->ascii);

		buf_clear(b);
		buf_grouped(b, h->provider[i].events);
		x += (name < most ? name : most) + 1 + (int)b->len;
		put_more(b, h->n - i - 1);
		more = b->len > 0 ? APART + (int)b->len : 0;
		if (x + more <= room)
			n = i + 1;
		else if (x > room)
			break;
		x += APART;
	}
	return n;
}

/* The greatest width of names with which the wanted number of providers fits. */
static int
most_of_names(struct ui *ui, int room, struct buf *b)
{
	size_t	want = (size_t)room / PROVIDER_ROOM, fit = providers_in(ui, room, NAME_MIN, b);
	int	least = NAME_MIN, most = room > NAME_MIN ? room : NAME_MIN;

	want = want < PROVIDERS_MIN ? PROVIDERS_MIN : want;
	want = want < fit ? want : fit;
	while (least < most) {		/* fewer fit if names are wider */
		int	middle = most - (most - least) / 2;

		if (providers_in(ui, room, middle, b) < want)
			most = middle - 1;
		else
			least = middle;
	}
	return least;
}

static void
draw_providers(struct ui *ui, int y)
{
	const struct header	*h = &ui->header;
	struct canvas		*c = &ui->screen.c;
	int			 x = 1, room = c->cols - 1, most;
	size_t			 n;
	struct buf		 b = { 0 };

	most = most_of_names(ui, room, &b);
	n = providers_in(ui, room, most, &b);
	for (size_t i = 0; i < n; i++) {
		x += canvas_middle(c, y, x, most, ST_NORMAL,
		    span_of(name_of(&h->provider[i]))) + 1;
		buf_clear(&b);
		buf_grouped(&b, h->provider[i].events);
		x += canvas_buf(c, y, x, c->cols - x, ST_DIM, &b) + APART;
	}
	put_more(&b, h->n - n);
	(void)canvas_buf(c, y, x, c->cols - x, ST_DIM, &b);
	buf_release(&b);
}

void
header_draw(struct ui *ui, int y, int lines)
{
	if (lines < LINES)
		return;
	draw_process(ui, y);
	count(ui);
	draw_providers(ui, y + 1);
}
