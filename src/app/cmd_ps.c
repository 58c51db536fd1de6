/*
 * tnav ps: the running .NET programs as a table.
 *
 *	/proc, sockets -> struct process_list -> table -> the printer
 */
#include <stdio.h>

#include "app/columns.h"
#include "app/command.h"
#include "app/exit.h"
#include "app/listing.h"
#include "app/run.h"
#include "tnav/base/mem.h"
#include "tnav/live/process.h"

#define WAIT_NS	INT64_C(1000000000)

/* Columns of the text output; the other formats have all columns. */
static const unsigned	in_text[] = {
	PS_PID, PS_USER, PS_NAME, PS_RUNTIME, PS_UPTIME, PS_STATE, PS_COMMAND,
};

struct ps {
	struct process_list	 list;
	size_t			*row, n;	/* processes that are shown */
	char			 user[64];
	bool			 text, brief;	/* brief: text with its own columns */
	char			 uptime[32];
};

static const char *const	state_words[] = {
	[PROCESS_READY] = "ready", [PROCESS_SILENT] = "silent", [PROCESS_DENIED] = "denied",
	[PROCESS_REFUSED] = "refused", [PROCESS_NO_SOCKET] = "no socket",
	[PROCESS_STALE] = "stale",
};

static struct cell
text_cell(const struct buf *b)
{
	return b->len > 0 ? (struct cell){ .kind = CELL_TEXT, .text = span_of_buf(b) } :
	    cell_null();
}

static const char *
user_name(struct ps *ps, uint32_t uid)
{
	struct buf	b = { 0 };

	process_user(&b, uid);
	(void)snprintf(ps->user, sizeof ps->user, "%s", buf_str(&b));
	buf_release(&b);
	return ps->user[0] != '\0' ? ps->user : NULL;
}

/* 02:03:04, or 1-02:03:04 from one day on, as ps(1) prints it. */
static const char *
uptime_text(struct ps *ps, int64_t ns)
{
	int64_t	s = ns / INT64_C(1000000000), day = s / 86400;
	char	days[16] = "";

	if (day > 0)
		snprintf(days, sizeof days, "%d-", (int)day);
	snprintf(ps->uptime, sizeof ps->uptime, "%s%02d:%02d:%02d", days,
	    (int)(s / 3600 % 24), (int)(s / 60 % 60), (int)(s % 60));
	return ps->uptime;
}

/* The command line; in text, for a process that cannot be queried, the reason instead. */
static struct cell
command_cell(const struct ps *ps, const struct process *p)
{
	if (ps->brief && p->why != NULL)
		return cell_str(p->why);
	return p->command_line[0] != '\0' ? cell_str(p->command_line) :
	    text_cell(&p->info.command_line);
}

static void
ps_cell(void *src, size_t row, unsigned col, struct cell *out)
{
	struct ps		*ps = src;
	const struct process	*p = &ps->list.v[ps->row[row]];

	if (col == PS_PID)
		*out = cell_u64(p->pid);
	if (col == PS_INNER)
		*out = cell_u64(p->inner);
	if (col == PS_UID)
		*out = cell_u64(p->uid);
	if (col == PS_USER)
		*out = cell_str(user_name(ps, p->uid));
	if (col == PS_NAME)
		*out = cell_str(process_name(p));
	if (col == PS_COMMAND)
		*out = command_cell(ps, p);
	if (col == PS_RUNTIME)
		*out = text_cell(&p->info.version);
	if (col == PS_ARCH)
		*out = text_cell(&p->info.arch);
	if (col == PS_RID)
		*out = text_cell(&p->info.rid);
	if (col == PS_UPTIME)
		*out = ps->text ? cell_str(uptime_text(ps, p->uptime_ns)) : cell_dur(p->uptime_ns);
	if (col == PS_STATE)
		*out = cell_str(state_words[p->state]);
	if (col == PS_WHY)
		*out = cell_str(p->why);
	if (col == PS_SOCKET)
		*out = cell_str(p->socket);
}

static int
print(struct run *s)
{
	struct ps	ps = { .n = 0 };
	struct table	t = { .column = ps_columns, .ncolumns = PS_COLUMNS, .src = &ps,
			    .cell = ps_cell, .tie = PS_PID + 1 };
	int		code = listing_check(s, ps_columns, PS_COLUMNS);

	if (code != 0)
		return code;
	ps.text = s->st.format == OUT_TEXT;
	process_list_make(&ps.list, WAIT_NS);
	ps.row = mem_zalloc(ps.list.n + 1, sizeof *ps.row);
	for (size_t i = 0; i < ps.list.n; i++)
		if (ps.list.v[i].state != PROCESS_STALE || s->opt->given[OPT_ALL])
			ps.row[ps.n++] = i;
	t.nrows = ps.n;
	ps.brief = ps.text && s->npick == 0;
	if (ps.brief)
		for (size_t i = 0; i < sizeof in_text / sizeof *in_text; i++)
			listing_pick(s, in_text[i]);
	(void)listing_print(s, &t);		/* finish_rows() reports errors */
	if (ps.n == 0)
		message_note("no running .NET process is visible");
	mem_free(ps.row);
	process_list_release(&ps.list);
	return EXIT_CLEAN;
}

int
subcommand_ps(const struct options *o)
{
	return run_alone(o, print);
}
