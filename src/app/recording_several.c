/*
 * Several programs at a time.
 *
 *	tnav --fork--> tnav, which records PID1 to NAME_PID1_DATE_TIME.nettrace
 *	     --fork--> tnav, which records PID2
 *	     <- one pipe -- their messages, as whole lines; signals to all of them -->
 *
 * One that hangs, or whose program does, is none of the others' concern. Each is in a process group
 * of its own, so that Ctrl-C reaches it once, from here; it is asked to stop if this process ends.
 */
#include "app/recording_several.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/recording.h"
#include "app/stopping.h"
#include "app/target.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/out/message.h"

#define LIST_WAIT_NS	INT64_C(1000000000)
#define TURN_MS		100
#define PROGRAMS_MOST	256u

struct several {
	const struct options	*o;
	struct process_list	 list;
	size_t			 chosen[PROGRAMS_MOST];	/* indexes of list */
	pid_t			 child[PROGRAMS_MOST];	/* 0: it has ended */
	size_t			 n, more;		/* more: beyond the limit */
	int			 messages[2];	/* the pipe that all write to */
	unsigned		 stops, marks;		/* signals that were passed on */
	int			 code;
};

bool
several_requested(const struct options *o)
{
	return o->nfiles > 1 || o->given[OPT_EACH];
}

static bool
has_remote(const struct options *o)
{
	for (size_t i = 0; i < o->nfiles; i++)
		if (remote_is(o->files[i]))
			return true;
	return false;
}

bool
several_is_refused(const struct options *o)
{
	const char	*waits = o->child != NULL ? "-- COMMAND" :
			    o->given[OPT_LISTEN] ? "--listen" :
			    o->given[OPT_PORT] ? "--diagnostic-port" : NULL;

	if (o->given[OPT_EACH] && (!o->given[OPT_NAME] || o->nfiles > 0))
		message_put("--all needs -n NAME, and no other process");
	else if (o->nfiles > 1 && (o->given[OPT_NAME] || o->given[OPT_PID]))
		message_put("the processes are given more than once: give -p, -n or processes");
	else if (waits != NULL)
		message_put("%s: several programs cannot be waited for: give the ids of running "
		    "ones", waits);
	else
		return false;
	return true;
}

/* The same of recordings alone. */
static bool
has_no_meaning(const struct options *o)
{
	const char	*path = o->text[OPT_STREAM];

	if (several_is_refused(o))
		return true;
	if (has_remote(o))
		message_put("programs of other hosts are recorded one at a time");
	else if (path != NULL && (strcmp(path, "-") == 0 || file_is_special(path)))
		message_put("several programs need several files: give -o FOLDER");
	else
		return false;
	return true;
}

static void
choose(struct several *s, size_t i)
{
	for (size_t k = 0; k < s->n; k++)
		if (s->chosen[k] == i)
			return;
	if (s->n < PROGRAMS_MOST)
		s->chosen[s->n++] = i;
	else
		s->more++;
}

/* Those that are asked for, by name or one by one. 0, or an exit code after a message. */
static int
choose_all(struct several *s)
{
	const struct options	*o = s->o;
	struct buf		 why = { 0 };
	size_t			 i;
	int			 code = 0;

	for (i = 0; o->given[OPT_EACH] && i < s->list.n; i++)
		if (s->list.v[i].state == PROCESS_READY &&
		    process_is_called(&s->list.v[i], o->text[OPT_NAME]))
			choose(s, i);
	for (size_t k = 0; k < o->nfiles && why.len == 0; k++)
		if (process_find(&s->list, o->files[k], &i, &why) == 0)
			choose(s, i);
	if (why.len == 0 && s->n == 0)
		buf_printf(&why, "no program named %s can be recorded", o->text[OPT_NAME]);
	if (why.len > 0)
		code = exit_usage("%s", buf_str(&why));
	if (code == 0 && s->more > 0)
		message_put("only %u programs are recorded at a time; %zu more are not",
		    PROGRAMS_MOST, s->more);
	buf_release(&why);
	return code;
}

void
several_name_file(struct buf *out, const char *path, struct span name, uint64_t pid, bool dated)
{
	struct stat	 st;
	bool		 folder = path == NULL || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));

	if (path != NULL)
		buf_add(out, path, folder ? strlen(path) : recorded_stem(path));
	if (folder && path != NULL)
		buf_putc(out, '/');
	if (folder)
		target_put_name((const char *)name.p, name.len, out);
	if (pid != 0) {
		buf_printf(out, "_%" PRIu64, pid);
	} else if (!folder) {
		buf_putc(out, '_');
		target_put_name((const char *)name.p, name.len, out);
	}
	if (folder && dated)
		target_file_date(out);
	buf_puts(out, NAME_END);
}

/* In the process that was forked: record one program. */
static _Noreturn void
record_one(const struct several *s, const struct process *p, pid_t parent,
    int (*one)(const struct options *o))
{
	struct options	o = *s->o;
	struct buf	path = { 0 }, id = { 0 };
	char		*operand;
	int		code;

	(void)setpgid(0, 0);
	(void)prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent || dup2(s->messages[1], STDERR_FILENO) < 0)
		_exit(EXIT_RESOURCE);
	close(s->messages[0]);
	close(s->messages[1]);
	/* With --rotate the date is added for each file. */
	several_name_file(&path, s->o->text[OPT_STREAM], span_of(process_name(p)), p->pid,
	    !s->o->given[OPT_ROTATE]);
	message_about(p->pid);
	buf_printf(&id, "%" PRIu64, p->pid);
	(void)buf_str(&id);
	operand = id.p;
	o.files = &operand;
	o.nfiles = 1;
	o.given[OPT_NAME] = false;
	o.text[OPT_NAME] = NULL;
	o.given[OPT_STREAM] = true;
	o.text[OPT_STREAM] = buf_str(&path);
	code = one(&o);
	fflush(NULL);
	_exit(code);
}

static void
start_all(struct several *s, int (*one)(const struct options *o))
{
	pid_t	self = getpid();

	for (size_t i = 0; i < s->n; i++) {
		s->child[i] = fork();
		if (s->child[i] == 0)
			record_one(s, &s->list.v[s->chosen[i]], self, one);
		if (s->child[i] < 0) {
			message_put("process %" PRIu64 " cannot be recorded: %s",
			    s->list.v[s->chosen[i]].pid, strerror(errno));
			s->child[i] = 0;
			s->code = EXIT_RESOURCE;
		}
	}
	close(s->messages[1]);
}

static void
signal_all(struct several *s, int sig)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->child[i] > 0)
			(void)kill(s->child[i], sig);
}

/* What they say; messages are whole lines. False: all of them have ended. */
static bool
pass_on(struct several *s)
{
	struct pollfd	in = { .fd = s->messages[0], .events = POLLIN };
	char		bytes[4096];
	ssize_t		n = 1;

	if (poll(&in, 1, TURN_MS) > 0)
		n = read(s->messages[0], bytes, sizeof bytes);
	else
		return true;
	if (n > 0)
		(void)file_write(STDERR_FILENO, bytes, (size_t)n, NULL);
	return n > 0 || (n < 0 && errno == EINTR);
}

static void
wait_for_all(struct several *s)
{
	bool	more = true;

	while (more) {
		more = pass_on(s);
		for (; s->stops < stopping_count(); s->stops++)
			signal_all(s, stopping_signal());
		for (; s->marks != stopping_marks(); s->marks = stopping_marks())
			signal_all(s, SIGUSR1);
	}
	for (size_t i = 0; i < s->n; i++) {
		int	status = 0;

		if (s->child[i] <= 0 || waitpid(s->child[i], &status, 0) != s->child[i])
			continue;
		exit_worsen(&s->code, WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_RESOURCE);
	}
}

int
several_record(const struct options *o, int (*one)(const struct options *o))
{
	struct several	*s;
	int		 code;

	if (has_no_meaning(o))
		return EXIT_USAGE;
	s = mem_zalloc(1, sizeof *s);
	s->o = o;
	process_list_make(&s->list, LIST_WAIT_NS);
	s->code = choose_all(s);
	if (s->code == 0 && pipe(s->messages) != 0) {
		message_put("no pipe: %s", strerror(errno));
		s->code = EXIT_RESOURCE;
	}
	if (s->code == 0) {
		stopping_begin();
		stopping_count_marks();
		start_all(s, one);
		wait_for_all(s);
		close(s->messages[0]);
	}
	code = s->code;
	process_list_release(&s->list);
	mem_free(s);
	return code;
}
