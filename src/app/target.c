/*
 * What is to be traced.
 *
 *	options -> choice -> request --\
 *	process_find() -> socket -------> session
 */
#include "app/target.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/out/message.h"

#define NS_PER_S	INT64_C(1000000000)
#define LIST_WAIT_NS	NS_PER_S
#define START_WAIT_NS	(10 * NS_PER_S)

void
target_init(struct target *t, const struct options *o)
{
	*t = (struct target){ .o = o, .tty = isatty(STDERR_FILENO) == 1 };
	t->choice = choice_new();
}

void
target_release(struct target *t)
{
	process_list_release(&t->list);
	choice_free(t->choice);
}

/* ---- the choice of events */

static int
wrong(const char *option, struct buf *why)
{
	message_put("%s%s%s", option, option[0] != '\0' ? ": " : "", buf_str(why));
	return EXIT_USAGE;
}

/* Options that say nothing alone, or too much. */
static int
check_options(const struct options *o)
{
	if (o->given[OPT_BUFFER] && (o->number[OPT_BUFFER] == 0 ||
	    o->number[OPT_BUFFER] > INT32_MAX)) {
		message_put("--buffersize: a number of megabytes from 1 on, not %" PRIu64,
		    o->number[OPT_BUFFER]);
		return EXIT_USAGE;
	}
	if (o->given[OPT_CLR_LEVEL] && !o->given[OPT_CLR_EVENTS]) {
		message_put("--clreventlevel needs --clrevents");
		return EXIT_USAGE;
	}
	if (o->given[OPT_REFRESH] && !o->given[OPT_COUNTERS]) {
		message_put("--refresh-interval needs --counters");
		return EXIT_USAGE;
	}
	return 0;
}

static int
read_choice(struct target *t, const char *profiles, bool stacks)
{
	const struct options	*o = t->o;
	struct choice		*c = t->choice;
	struct buf		 why;
	/* Counters alone replace what is recorded, and come on top of what is viewed. */
	bool			 chosen = o->given[OPT_PROVIDERS] || o->given[OPT_PROFILE] ||
				    o->given[OPT_CLR_EVENTS] || (stacks && o->given[OPT_COUNTERS]);
	int			 code = 0;

	buf_init(&why);
	if (o->given[OPT_RUNDOWN] && choice_rundown(c, o->text[OPT_RUNDOWN], &why) != 0)
		code = wrong("", &why);
	else if (o->given[OPT_PROVIDERS] &&
	    choice_providers(c, o->text[OPT_PROVIDERS], &why) != 0)
		code = wrong("--providers", &why);
	else if (o->given[OPT_PROFILE] && choice_profile(c, o->text[OPT_PROFILE], &why) != 0)
		code = wrong("--profile", &why);
	else if (o->given[OPT_CLR_EVENTS] && choice_clr_events(c, o->text[OPT_CLR_EVENTS],
	    o->text[OPT_CLR_LEVEL], &why) != 0)
		code = wrong("--clrevents", &why);
	else if (o->given[OPT_COUNTERS] && choice_counters(c, o->text[OPT_COUNTERS],
	    o->given[OPT_REFRESH] ? (unsigned)o->number[OPT_REFRESH] : 1, &why) != 0)
		code = wrong("--counters", &why);
	else if (!chosen && choice_profile(c, profiles, &why) != 0)
		code = wrong("--profile", &why);
	else if (o->given[OPT_EVENT_IDS] && choice_events(c, o->text[OPT_EVENT_IDS], &why) != 0)
		code = wrong("--events", &why);
	choice_stacks(c, (stacks || chosen) && !o->given[OPT_NO_STACKS]);
	if (o->given[OPT_BUFFER])
		choice_buffer(c, (uint32_t)o->number[OPT_BUFFER]);
	buf_release(&why);
	return code;
}

int
target_choose(struct target *t, const char *profiles, bool stacks)
{
	int	code = check_options(t->o);

	return code != 0 ? code : read_choice(t, profiles, stacks);
}

/* A collection of the whole heap stops the program: it is not done unasked. */
int
target_ask(struct target *t)
{
	char	answer[8] = "";

	if (!choice_collects_heap(t->choice))
		return 0;
	if (isatty(STDIN_FILENO) != 1 || !t->tty) {
		message_put("these keywords make the program collect its whole heap at once, all "
		    "threads stopped; on a terminal tnav asks before it does that");
		return EXIT_USAGE;
	}
	message_put("these keywords make the program collect its whole heap at once, all threads "
	    "stopped. Go on? (y/n)");
	if (fgets(answer, sizeof answer, stdin) == NULL || (answer[0] != 'y' && answer[0] != 'Y'))
		return EXIT_USAGE;
	return 0;
}

/* ---- the process */

int
target_find(struct target *t)
{
	const struct options	*o = t->o;
	const char		*what = o->nfiles > 0 ? o->files[0] : o->text[OPT_NAME];
	struct buf		 why;
	size_t			 i;
	int			 code = 0;

	if (o->given[OPT_PID])
		what = o->text[OPT_PID];
	if ((o->nfiles > 0) + o->given[OPT_PID] + o->given[OPT_NAME] > 1) {
		message_put("the process is given twice: by -p, -n, or as a word");
		return EXIT_USAGE;
	}
	process_list_make(&t->list, LIST_WAIT_NS);
	buf_init(&why);
	if (process_find(&t->list, what, &i, &why) != 0) {
		code = wrong("", &why);
	} else if (t->list.v[i].state != PROCESS_READY) {
		message_put("process %" PRIu64 " can't be recorded: %s", t->list.v[i].pid,
		    t->list.v[i].why);
		code = EXIT_USAGE;
	} else {
		t->p = &t->list.v[i];
	}
	buf_release(&why);
	return code;
}

/* ---- the session */

static void
tell_lines(const char *lines)
{
	while (*lines != '\0') {
		size_t	len = strcspn(lines, "\n");

		message_put("%.*s", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
}

int
target_start(struct target *t, struct session **s, int fd)
{
	struct buf	notes, why;
	int		rc;

	buf_init(&notes);
	buf_init(&why);
	tell_lines(choice_notes(t->choice));
	rc = session_start(s, t->p->socket, choice_collect(t->choice), fd, START_WAIT_NS,
	    &notes, &why);
	tell_lines(buf_str(&notes));
	if (rc != 0)
		message_put("process %" PRIu64 " (%s) can't be recorded: %s", t->p->pid,
		    process_name(t->p), buf_str(&why));
	buf_release(&notes);
	buf_release(&why);
	if (rc == 0)
		return 0;
	return rc == ERR_NOMEM ? EXIT_RESOURCE : EXIT_USAGE;
}

void
target_file_name(const struct target *t, struct buf *out)
{
	struct tm	now;
	time_t		seconds = time(NULL);
	char		date[32];
	size_t		first = out->len;

	localtime_r(&seconds, &now);
	strftime(date, sizeof date, "%Y%m%d_%H%M%S", &now);
	for (const char *s = process_name(t->p); *s != '\0'; s++)
		buf_putc(out, strchr("/\\ ", *s) != NULL || (unsigned char)*s < ' ' ? '_' : *s);
	if (out->len == first)		/* a program can take any name */
		buf_putc(out, '_');
	if (out->p[first] == '.' || out->p[first] == '-')
		out->p[first] = '_';
	buf_printf(out, "_%s", date);
}
