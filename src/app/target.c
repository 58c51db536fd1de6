/*
 * The target: the program to be traced.
 *
 *	options -> choice -> request ------------------\
 *	process_find() -> socket ------------------------> session
 *	HOST:NAME -> remote_start() ---------------------/
 *	port <- program, started here or elsewhere ----/
 *	     <- other programs: a thread resumes them
 */
#include "app/target.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/stopping.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/live/port.h"
#include "tnav/out/message.h"

#define SAMPLES		"dotnet-sampled-thread-time"
#define NS_PER_S	INT64_C(1000000000)
#define LIST_WAIT_NS	NS_PER_S
#define START_WAIT_NS	(10 * NS_PER_S)
#define ASK_WAIT_NS	(2 * NS_PER_S)
#define STEP_NS		(NS_PER_S / 10)
#define PATIENCE_NS	(5 * NS_PER_S)		/* then a message says that nothing connects */
#define END_WAIT_NS	(10 * NS_PER_S)		/* for a command to end after the signal */
#define RUNDOWN_METHODS	0x30u		/* methods compiled by the runtime, and precompiled ones */
#define NAME_BYTES	100u			/* of a program's name in a file name */

void
target_init(struct target *t, const struct options *o)
{
	*t = (struct target){ .o = o, .remote.output = -1, .tty = isatty(STDERR_FILENO) == 1 };
	t->choice = choice_new();
	next_run_init(&t->next_run);
}

void
target_release(struct target *t)
{
	target_tend_no_more(t);
	remote_release(&t->remote);
	port_close(t->port);
	next_run_release(&t->next_run);
	process_list_release(&t->list);
	buf_release(&t->name);
	buf_release(&t->came_name);
	choice_free(t->choice);
}

/* ---- the choice of events */

static int
wrong(const char *option, struct buf *why)
{
	return exit_usage("%s%s%s", option, option[0] != '\0' ? ": " : "", buf_str(why));
}

/* Refuse options that have no effect alone, or contradict each other. */
static int
check_options(const struct options *o)
{
	if (o->given[OPT_BUFFER] && (o->number[OPT_BUFFER] == 0 ||
	    o->number[OPT_BUFFER] > INT32_MAX))
		return exit_usage("--buffersize: not a number of megabytes (1 or more): %" PRIu64,
		    o->number[OPT_BUFFER]);
	if (o->given[OPT_CLR_LEVEL] && !o->given[OPT_CLR_EVENTS])
		return exit_usage("--clreventlevel needs --clrevents");
	if (o->given[OPT_REFRESH] && !o->given[OPT_COUNTERS])
		return exit_usage("--refresh-interval needs --counters");
	return 0;
}

static bool
has_chosen(const struct options *o)
{
	return o->given[OPT_PROVIDERS] || o->given[OPT_PROFILE] || o->given[OPT_CLR_EVENTS];
}

bool
target_takes_heap(const struct options *o)
{
	return o->given[OPT_PROFILE] && strcasecmp(o->text[OPT_PROFILE], "heap") == 0 &&
	    !o->given[OPT_PROVIDERS] && !o->given[OPT_CLR_EVENTS];
}

/* Does the name end as traces do? Then a file is missing, not a program. */
static bool
is_trace_name(const char *name)
{
	static const char *const	ends[] = { ".nettrace", ".netperf", ".heph", ".zst",
					    ".gz" };
	size_t				len = strlen(name);

	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (len >= strlen(ends[i]) && strcmp(name + len - strlen(ends[i]), ends[i]) == 0)
			return true;
	return false;
}

bool
target_is_named(const struct options *o)
{
	const char	*name = o->nfiles == 1 ? o->files[0] : "-";

	if (strcmp(name, "-") == 0)
		return false;
	return process_is_socket(name) || (remote_is(name) && access(name, F_OK) != 0) ||
	    (access(name, F_OK) != 0 && strchr(name, '/') == NULL &&
	    !is_trace_name(name));
}

static int
read_choice(struct target *t, const char *profiles, bool stacks)
{
	const struct options	*o = t->o;
	struct choice		*c = t->choice;
	uint32_t		 level = CHOICE_LEVEL_DEFAULT;
	struct buf		 why = { 0 };
	/* Counters without other options replace the default of record, but are added to that of
	   attach. */
	bool			 chosen = has_chosen(o) || (stacks && o->given[OPT_COUNTERS]);
	int			 code = 0;

	t->profile = o->given[OPT_PROFILE] ? o->text[OPT_PROFILE] : chosen ? NULL : profiles;
	if (o->given[OPT_RUNDOWN] && choice_rundown(c, o->text[OPT_RUNDOWN], &why) != 0)
		code = wrong("", &why);
	else if (o->given[OPT_PROVIDERS] &&
	    choice_providers(c, o->text[OPT_PROVIDERS], &why) != 0)
		code = wrong("--providers", &why);
	else if (o->given[OPT_PROFILE] && choice_profile(c, o->text[OPT_PROFILE], &why) != 0)
		code = wrong("--profile", &why);
	else if (o->given[OPT_CLR_LEVEL] && choice_level(o->text[OPT_CLR_LEVEL], &level, &why) != 0)
		code = wrong("--clreventlevel", &why);
	else if (o->given[OPT_CLR_EVENTS] &&
	    choice_clr_events(c, o->text[OPT_CLR_EVENTS], level, &why) != 0)
		code = wrong("--clrevents", &why);
	else if (o->given[OPT_COUNTERS] && choice_counters(c, o->text[OPT_COUNTERS],
	    o->given[OPT_REFRESH] ? (unsigned)o->number[OPT_REFRESH] : 1, &why) != 0)
		code = wrong("--counters", &why);
	else if (!chosen && choice_profile(c, profiles, &why) != 0)
		code = wrong("--profile", &why);
	else if (o->given[OPT_EVENT_IDS] && choice_events(c, o->text[OPT_EVENT_IDS], &why) != 0)
		code = wrong("--events", &why);
	choice_stacks(c, (stacks || chosen) && !o->given[OPT_NO_STACKS] && !target_takes_heap(o));
	if (o->given[OPT_BUFFER])
		choice_buffer(c, (uint32_t)o->number[OPT_BUFFER]);
	choice_block(c, o->choice[OPT_BUFFERING] == 1);
	buf_release(&why);
	return code;
}

int
target_choose(struct target *t, const char *profiles, bool stacks)
{
	int	code = check_options(t->o);

	return code != 0 ? code : read_choice(t, profiles, stacks);
}

/* Collecting the whole heap stops the program, so the user is asked first. */
int
target_ask(struct target *t)
{
	static const char	what[] = "these keywords make the program run a full garbage "
				    "collection with all threads stopped";
	char			answer[8] = "";

	if (!choice_collects_heap(t->choice) || t->o->given[OPT_YES])
		return 0;
	if (isatty(STDIN_FILENO) != 1 || !t->tty)
		return exit_usage("%s; --yes confirms that", what);
	message_put("%s. Continue? (y/n)", what);
	if (fgets(answer, sizeof answer, stdin) == NULL || (answer[0] != 'y' && answer[0] != 'Y'))
		return EXIT_USAGE;
	return 0;
}

/* ---- finding the process */

/* Take the process of the socket that was found; what: its name in messages if it has no id. */
static int
take_process(struct target *t, const struct process *p, const char *what)
{
	if (p->state != PROCESS_READY && p->pid == 0)
		return exit_usage("%s: cannot be recorded: %s", what, p->why);
	if (p->state != PROCESS_READY)
		return exit_usage("process %" PRIu64 " cannot be recorded: %s", p->pid, p->why);
	t->peer.socket = p->socket;
	t->pid = p->pid;
	buf_puts(&t->name, process_name(p));
	return 0;
}

/* Take the program behind a socket at any path: also one of a container, or of a shared folder. */
static int
take_socket(struct target *t, const char *path)
{
	int	code;

	process_list_release(&t->list);
	process_list_ask(&t->list, path, LIST_WAIT_NS);
	code = take_process(t, &t->list.v[0], path);
	t->may_wait = code == 0;
	return code;
}

/* The program of another host is found there, when the session starts. */
static int
take_remote(struct target *t, const char *what)
{
	struct buf	why = { 0 };
	int		code = 0;

	if (!remote_init(&t->remote, what, &why))
		code = wrong("", &why);
	else if (t->o->given[OPT_ROTATE])
		code = exit_usage("--rotate needs a program of this host: run it on %s",
		    remote_host(&t->remote));
	buf_printf(&t->name, "%s@%s", t->remote.name, remote_host(&t->remote));
	(void)buf_str(&t->name);
	buf_release(&why);
	return code;
}

static int
find_process(struct target *t)
{
	const struct options	*o = t->o;
	const char		*what = o->nfiles > 0 ? o->files[0] : o->text[OPT_NAME];
	struct buf		 why = { 0 };
	size_t			 i;
	int			 code = 0;

	if (o->given[OPT_PID])
		what = o->text[OPT_PID];
	if ((o->nfiles > 0) + o->given[OPT_PID] + o->given[OPT_NAME] > 1)
		return exit_usage("the process is given more than once: give -p, -n or a process");
	if (o->nfiles > 0 && remote_is(what))
		return take_remote(t, what);
	process_list_make(&t->list, LIST_WAIT_NS);
	if (process_find(&t->list, what, &i, &why) != 0)
		code = process_is_socket(what) ? take_socket(t, what) : wrong("", &why);
	else
		code = take_process(t, &t->list.v[i], what);
	buf_release(&why);
	return code;
}

/* ---- programs that connect to the port */

/* The path that is given. *connect: it is the socket of a program. */
static bool
port_given(const struct options *o, struct buf *path, bool *connect)
{
	const char	*text = o->text[o->given[OPT_LISTEN] ? OPT_LISTEN : OPT_PORT];
	const char	*tag = text != NULL ? strrchr(text, ',') : NULL;

	*connect = false;
	if (text == NULL)
		return false;
	if (!o->given[OPT_LISTEN] && tag != NULL && strcmp(tag, ",connect") == 0)
		*connect = true;
	else if (o->given[OPT_LISTEN] || tag == NULL || strcmp(tag, ",listen") != 0)
		tag = text + strlen(text);
	buf_add(path, text, (size_t)(tag - text));
	return true;
}

/*
 * With a name: the program of that name. Else, without a command: any program. Else the command
 * itself, or a program that it has started, except the dotnet command, which starts others.
 */
static bool
is_meant(const struct target *t, const struct advert *who, const struct buf *name)
{
	if (t->o->given[OPT_NAME])
		return strcasecmp(name->p, t->o->text[OPT_NAME]) == 0;
	return t->child.pid == 0 || who->pid == (uint64_t)t->child.pid ||
	    strcasecmp(name->p, "dotnet") != 0;
}

static int
start_child(struct target *t)
{
	struct buf	ports = { 0 }, why = { 0 };
	int		code = 0;

	buf_printf(&ports, "%s,suspend,connect", port_path(t->port));
	if (!child_start(&t->child, t->o->child, buf_str(&ports), t->o->given[OPT_CHILD_IO],
	    &why))
		code = wrong("", &why);
	buf_release(&ports);
	buf_release(&why);
	return code;
}

/* Will no program connect? The reason is in why. Else, after a while, a message is written once. */
static bool
is_in_vain(struct target *t, int64_t begun, bool *announced, struct buf *why)
{
	if (stopping_count() > 0) {
		buf_puts(why, "stopped before a program connected");
	} else if (child_has_ended(&t->child)) {
		buf_printf(why, "%s ", t->o->child[0]);
		(void)child_put_end(&t->child, why);
		buf_puts(why, " before a .NET program connected");
	} else if (t->child.pid > 0 && !*announced && job_now_ns() - begun > PATIENCE_NS) {
		message_note("%s has not connected: it is not a .NET program, is older than .NET "
		    "5, or has diagnostics disabled; waiting", t->o->child[0]);
		*announced = true;
	}
	return why->len > 0;
}

/* Not more often than once a second. */
static void
tell_peer(struct target *t, uint64_t pid, const char *why)
{
	if (stopping_count() > 0 || job_now_ns() - t->announced_ns <= NS_PER_S)
		return;
	message_note("process %" PRIu64 " has connected, but %s; waiting for another", pid, why);
	t->announced_ns = job_now_ns();
}

/* Is it the program that is waited for? Another one runs on. */
static bool
try_program(struct target *t, const struct advert *who)
{
	bool	found = is_meant(t, who, &t->name);

	if (!found)
		port_resume(t->port, who->cookie, 0, NULL);
	return found;
}

/* What goes wrong with those that connect; *full: it was said that they are too many. */
static void
tell_trouble(struct target *t, bool *full)
{
	struct advert	who;
	struct buf	why = { 0 };

	if (!*full && port_overflowed(t->port)) {
		message_put("too many connections: the oldest ones are closed");
		*full = true;
	}
	if (port_has_failed(t->port, &who, &why))
		tell_peer(t, who.pid, buf_str(&why));
	buf_release(&why);
}

static int
await_program(struct target *t)
{
	int64_t		 begun = job_now_ns();
	struct advert	 who;
	struct buf	 why = { 0 };
	bool		 announced = false, found = false, full = false;

	while (!found && !is_in_vain(t, begun, &announced, &why)) {
		tell_trouble(t, &full);
		found = port_next(t->port, STEP_NS, &who, &t->name) && try_program(t, &who);
	}
	if (!found)
		message_put("%s", buf_str(&why));
	buf_release(&why);
	if (!found)
		return EXIT_USAGE;
	t->pid = who.pid;
	t->peer.port = t->port;
	memcpy(t->peer.cookie, who.cookie, sizeof t->peer.cookie);
	return 0;
}

static int
find_by_port(struct target *t, const char *path)
{
	struct buf	why = { 0 };
	int		code = 0;

	if (port_open(&t->port, path, &why) != 0) {
		message_put("no program can connect: %s", buf_str(&why));
		code = EXIT_OUTPUT;
	}
	buf_release(&why);
	if (code == 0 && t->o->child != NULL)
		code = start_child(t);
	else if (code == 0)
		message_note("waiting for a program started with DOTNET_DiagnosticPorts=%s",
		    port_path(t->port));
	return code != 0 ? code : await_program(t);
}

int
target_find(struct target *t)
{
	const struct options	*o = t->o;
	struct buf		 path = { 0 };
	bool			 connect, given;
	int			 code;

	given = port_given(o, &path, &connect);
	if ((given || o->child != NULL) && (o->nfiles > 0 || o->given[OPT_PID])) {
		code = exit_usage("give either a port or a command, or the id or name of a "
		    "process");
	} else if (given && path.len == 0) {
		code = exit_usage("a port needs a path: --listen PATH, --diagnostic-port PATH");
	} else if (given && connect) {
		code = take_socket(t, buf_str(&path));
	} else if (given || o->child != NULL) {
		code = find_by_port(t, given ? buf_str(&path) : NULL);
	} else {
		code = find_process(t);
	}
	buf_release(&path);
	return code;
}

static bool
is_to_resume(const struct options *o)
{
	return o->choice[OPT_RESUME] == 0;		/* true, also by default */
}

/* Has the target connected again after its previous run ended? */
static bool
is_taken(struct target *t, const struct advert *who)
{
	if (t->next_run.begin == NULL || port_has(t->port, t->peer.cookie))
		return false;
	t->came = *who;
	return is_meant(t, who, &t->came_name) && next_run_take(&t->next_run);
}

/* Programs that the command starts are suspended, too, until they are resumed here. */
static void
tend(void *arg)
{
	struct target	*t = arg;
	struct advert	 who;

	while (!atomic_load(&t->over))
		if (port_next(t->port, STEP_NS, &who, &t->came_name) && !is_taken(t, &who))
			port_resume(t->port, who.cookie, 0, NULL);
}

void
target_tend_no_more(struct target *t)
{
	atomic_store(&t->over, true);
	job_join(t->tender);
	t->tender = NULL;
}

bool
target_may_come_again(const struct target *t)
{
	return t->o->given[OPT_LISTEN] && t->child.pid == 0;
}

void
target_take(struct target *t)
{
	t->pid = t->came.pid;
	memcpy(t->peer.cookie, t->came.cookie, sizeof t->peer.cookie);
	buf_clear(&t->name);
	buf_add(&t->name, t->came_name.p, t->came_name.len);
	(void)buf_str(&t->name);
}

/* ---- the session */

/* What a session is asked to send. */
static struct collect
request_of(const struct target *t)
{
	struct collect	c = *choice_collect(t->choice);

	if (t->nameless)
		c.rundown = 0;
	return c;
}

void
target_put(const struct target *t, struct buf *out)
{
	if (t->pid != 0)
		buf_printf(out, "process %" PRIu64 " (%.*s)", t->pid, (int)t->name.len, t->name.p);
	else
		buf_add(out, t->name.p, t->name.len);
}

static int
start_remote(struct target *t, struct session **s, int fd, int copy, struct buf *why)
{
	struct buf	profile = { 0 };
	int		stream;

	if (t->profile != NULL)
		buf_printf(&profile, "%s,", t->profile);
	buf_printf(&profile, "%s%s", t->samples ? SAMPLES "," : "", t->heap ? "heap," : "");
	profile.len -= profile.len > 0;		/* the last comma */
	stream = remote_start(&t->remote, t->o, buf_str(&profile), t->choice, why);
	buf_release(&profile);
	return stream < 0 ? ERR_IO : session_receive(s, stream, fd, copy, why);
}

/* Here, or on the other host. */
static int
begin_session(struct target *t, const struct collect *c, struct session **s, int fd, int copy,
    struct buf *notes, struct buf *why)
{
	if (t->remote.host != NULL)
		return start_remote(t, s, fd, copy, why);
	return session_start(s, &t->peer, c, fd, copy, START_WAIT_NS, stopping_flag(), notes, why);
}

int
target_start(struct target *t, struct session **s, int fd, int copy)
{
	struct collect		 c = request_of(t);
	struct buf		 notes = { 0 }, why = { 0 }, what = { 0 };
	int			 rc;

	target_put(t, &what);
	message_lines("", "", choice_notes(t->choice));
	if (t->port != NULL && choice_takes_every(t->choice))
		message_note("* takes the providers that are there when the session begins, not "
		    "the EventSources that a program makes after its start");
	rc = begin_session(t, &c, s, fd, copy, &notes, &why);
	message_lines("", "", buf_str(&notes));
	t->lost = rc == ERR_IO && t->port != NULL && t->child.pid == 0 && stopping_count() == 0;
	if (rc == ERR_IO && stopping_count() > 0)
		message_put("stopped before %s answered", buf_str(&what));
	else if (rc != 0)
		message_put("%s cannot be recorded: %s", buf_str(&what), buf_str(&why));
	buf_release(&notes);
	buf_release(&why);
	buf_release(&what);
	if (t->lost)
		return EXIT_USAGE;
	if (t->may_wait && (rc != 0 || is_to_resume(t->o)))
		process_resume(t->peer.socket, ASK_WAIT_NS);
	if (t->port != NULL) {		/* it is running, even if it cannot be traced */
		if (rc != 0 || is_to_resume(t->o))
			port_resume(t->port, t->peer.cookie, ASK_WAIT_NS,
			    stopping_flag());
		t->tender = job_start(tend, t);
	}
	if (rc == 0)
		return 0;
	return rc == ERR_NOMEM ? EXIT_RESOURCE : EXIT_USAGE;
}

bool
target_find_another(struct target *t, int *code)
{
	if (!t->lost)
		return false;
	message_note("waiting for another program");
	*code = await_program(t);
	return *code == 0;
}

bool
target_wants_names(const struct target *t)
{
	const struct collect	*c = choice_collect(t->choice);

	return t->remote.host == NULL && !c->no_stacks && (c->rundown & RUNDOWN_METHODS) != 0;
}

bool
target_start_more(struct target *t, struct session **s, int fd, struct buf *why)
{
	struct collect	c = request_of(t);
	struct buf	notes = { 0 };		/* shown at the first start already */
	int		rc;

	rc = session_start(s, &t->peer, &c, fd, -1, START_WAIT_NS, &t->over, &notes, why);
	buf_release(&notes);
	return rc == 0;
}

bool
target_start_again(struct target *t, struct session **s, int fd, struct buf *why)
{
	bool	good = target_start_more(t, s, fd, why);

	if (good && is_to_resume(t->o))
		port_resume(t->port, t->peer.cookie, ASK_WAIT_NS, &t->over);
	return good;
}

/* Start one with more events; what: these. */
static int
start_with(struct target *t, struct session **s, int fd, const char *profile, const char *what)
{
	struct buf	notes = { 0 }, why = { 0 }, name = { 0 };
	int		rc;

	target_put(t, &name);
	if (profile != NULL)
		(void)choice_profile(t->choice, profile, &why);
	rc = begin_session(t, choice_collect(t->choice), s, fd, -1, &notes, &why);
	if (rc != 0)
		message_put("%s cannot be recorded with %s: %s", buf_str(&name), what,
		    buf_str(&why));
	buf_release(&name);
	buf_release(&notes);
	buf_release(&why);
	return rc == 0 ? 0 : EXIT_USAGE;
}

int
target_start_stacks(struct target *t, struct session **s, int fd)
{
	choice_stacks(t->choice, true);
	t->samples = !has_chosen(t->o);
	return start_with(t, s, fd, has_chosen(t->o) ? NULL : SAMPLES, "stacks");
}

int
target_start_heap(struct target *t, struct session **s, int fd)
{
	int	code;

	choice_heap(t->choice, true);
	t->heap = true;
	code = start_with(t, s, fd, NULL, "a walk of the heap");
	choice_heap(t->choice, false);
	t->heap = false;
	return code;
}

void
target_file_date(struct buf *out)
{
	struct tm	now;
	time_t		seconds = time(NULL);
	char		date[32];

	localtime_r(&seconds, &now);
	strftime(date, sizeof date, "_%Y%m%d_%H%M%S", &now);
	buf_puts(out, date);
}

void
target_put_name(const char *name, size_t len, struct buf *out)
{
	size_t	first = out->len;

	for (size_t i = 0; i < len && i < NAME_BYTES; i++)
		buf_putc(out, name[i] > ' ' && name[i] <= '~' &&
		    strchr("/\\", name[i]) == NULL ? name[i] : '_');
	if (out->len == first)		/* a program can have any name */
		buf_putc(out, '_');
	if (out->p[first] == '.' || out->p[first] == '-')
		out->p[first] = '_';
}

void
target_file_name(const struct target *t, struct buf *out)
{
	target_put_name(t->name.p, t->name.len, out);
	target_file_date(out);
}

/* Wait for the command. A signal is passed on, and another one ends the waiting. */
static void
await_child(struct target *t)
{
	unsigned	before = stopping_count(), taken = before;
	int64_t		begun = job_now_ns(), signalled = 0;
	bool		announced = false;

	while (!child_has_ended(&t->child)) {
		int64_t	now = job_now_ns();

		if (!announced && now - begun > NS_PER_S) {
			message_note("waiting for %s to end%s", t->o->child[0],
			    t->tty ? " (Ctrl-C is passed on to it)" : "");
			announced = true;
		}
		if (stopping_count() > taken && taken > before)
			return;
		if (stopping_count() > taken) {
			taken = stopping_count();
			child_signal(&t->child, stopping_signal());
			signalled = now;
		}
		if (signalled > 0 && now - signalled > END_WAIT_NS)
			return;
		(void)nanosleep(&(struct timespec){ .tv_nsec = STEP_NS / 5 }, NULL);
	}
}

static void
tell_signal(const struct target *t)
{
	struct buf	how = { 0 };

	if (child_put_end(&t->child, &how))
		message_put("%s %s", t->o->child[0], buf_str(&how));
	buf_release(&how);
}

int
target_code(struct target *t, int code)
{
	if (t->child.pid == 0)
		return code;
	await_child(t);
	if (!t->child.ended) {
		message_note("%s is still running", t->o->child[0]);
		return code;
	}
	if (code > EXIT_DAMAGED)
		return code;
	tell_signal(t);
	return child_code(&t->child);
}
