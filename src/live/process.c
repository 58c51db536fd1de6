/*
 * Finding running .NET programs.
 *
 *	/proc/PID/{status,stat,environ,cmdline} -> look() -> sockets of all -> ask() in rounds
 *
 * A round sends all processes without an answer the request of the next older runtime. What cannot
 * be read about a process is unknown, which is not an error: processes end, and some belong to
 * other users.
 *
 * Invariant: a process of the list has a socket or runs the runtime; why says
 * why one is not ready.
 */
#include "tnav/live/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "live/folder.h"
#include "live/peer.h"
#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/near.h"
#include "tnav/base/sort.h"
#include "tnav/base/text.h"
#include "tnav/io/file.h"

#define PASSWD_MOST	((size_t)1 << 20)	/* bytes of the list of users */
#define FILE_MOST	((size_t)4 << 20)	/* of a file in /proc */
#define NS_PER_S	INT64_C(1000000000)
#define SOCKET_MOST	107u			/* of a socket's path */

/* ---- reading /proc */

static bool
read_proc(uint64_t pid, const char *name, struct buf *out)
{
	char	path[64];

	buf_clear(out);
	snprintf(path, sizeof path, "/proc/%" PRIu64 "/%s", pid, name);
	return file_read(path, 0, FILE_MOST, out) == 0;
}

/* The first and the last number after a heading of /proc/PID/status. */
static bool
status_numbers(const char *status, const char *heading, uint64_t *first, uint64_t *last)
{
	const char	*p = strstr(status, heading);
	char		*end;
	bool		 any = false;

	for (p = p != NULL ? p + strlen(heading) : ""; *p == '\t' || *p == ' '; p = end) {
		uint64_t	n = strtoull(p, &end, 10);

		if (end == p)
			break;
		if (!any)
			*first = n;
		*last = n;
		any = true;
	}
	return any;
}

/* Field 22 of /proc/PID/stat. The name before it may contain anything. If *name is set, free it,
   also after false. */
static bool
read_start(uint64_t pid, struct buf *text, uint64_t *started, char **name)
{
	const char	*open, *p;

	if (!read_proc(pid, "stat", text))
		return false;
	p = strrchr(buf_str(text), ')');
	open = strchr(text->p, '(');
	if (p == NULL || open == NULL || open > p)
		return false;
	*name = mem_strndup(open + 1, (size_t)(p - open) - 1);
	for (unsigned field = 2; field < 22 && p != NULL; field++)
		p = strchr(p + 1, ' ');
	if (p == NULL)
		return false;
	*started = strtoull(p, NULL, 10);
	return true;
}

/* The value of a variable among those of /proc/PID/environ, or NULL. */
static const char *
variable(const struct buf *variables, const char *name)
{
	size_t	len = strlen(name);

	for (const char *p = variables->p; p != NULL && p < variables->p + variables->len;
	    p += strlen(p) + 1)
		if (strncmp(p, name, len) == 0 && p[len] == '=')
			return p + len + 1;
	return NULL;
}

static bool
is_off(const struct buf *variables, const char *name)
{
	struct buf	key = { 0 };
	const char	*value = NULL;

	for (unsigned i = 0; i < 2 && value == NULL; i++) {
		buf_clear(&key);
		buf_printf(&key, "%s_%s", i == 0 ? "DOTNET" : "COMPlus", name);
		value = variable(variables, buf_str(&key));
	}
	buf_release(&key);
	return value != NULL && strcmp(value, "0") == 0;
}

static char *
read_command_line(uint64_t pid, struct buf *text)
{
	if (!read_proc(pid, "cmdline", text))
		return mem_strdup("");
	while (text->len > 0 && text->p[text->len - 1] == '\0')
		text->len--;
	for (size_t i = 0; i < text->len; i++)
		if (text->p[i] == '\0')
			text->p[i] = ' ';
	return mem_strdup(buf_str(text));
}

/* ---- one process */

struct looking {
	struct folders	 folders;
	struct buf	 text, environ;
	int64_t		 uptime_ns;		/* of the machine */
	const char	*own_tmp;		/* of this program, or NULL */
};

static void
set_socket(struct process *p, const char *folder, const struct folder_socket *s)
{
	struct buf	path = { 0 };

	buf_printf(&path, "%s/%s", folder, s->name);
	p->socket = mem_strdup(buf_str(&path));
	buf_release(&path);
	if (s->key != p->started && p->pid == p->inner)
		p->state = PROCESS_STALE;
}

static void
find_socket(struct looking *l, struct process *p, const char *folder)
{
	const struct folder_socket	*s;
	struct buf			 inside = { 0 };

	buf_printf(&inside, "/proc/%" PRIu64 "/root%s", p->pid, folder);
	s = folders_find(&l->folders, buf_str(&inside), p->inner, p->started, p->uid);
	/* Prefer the shorter path, if it leads to the same folder. */
	if (p->pid == p->inner) {
		const struct folder_socket	*here;

		here = folders_find(&l->folders, folder, p->inner, p->started, p->uid);
		if (here != NULL && (s == NULL || here == s || here->key == p->started)) {
			set_socket(p, folder, here);
			s = NULL;
		}
	}
	if (s != NULL)
		set_socket(p, buf_str(&inside), s);
	buf_release(&inside);
}

/* Is /proc/PID/root closed, where its socket may be? */
static bool
is_closed(const struct process *p)
{
	char	path[64];

	snprintf(path, sizeof path, "/proc/%llu/root/.", (unsigned long long)p->pid);
	return access(path, F_OK) != 0 && errno == EACCES;
}

/* The reason why it has no socket. NULL: it does not run the runtime. */
static const char *
why_no_socket(struct looking *l, const struct process *p, const char *folder)
{
	if (!read_proc(p->pid, "maps", &l->text) ||
	    memmem(l->text.p, l->text.len, "/libcoreclr.so", 14) == NULL)
		return NULL;
	if (is_off(&l->environ, "EnableDiagnostics") ||
	    is_off(&l->environ, "EnableDiagnostics_IPC"))
		return "diagnostics are disabled in its environment";
	if (strlen(folder) + strlen("/dotnet-diagnostic--12345678-socket") + 8 > SOCKET_MOST)
		return "its TMPDIR is too long for a socket";
	if (access(folder, F_OK) != 0)
		return "its TMPDIR no longer exists";
	if (is_closed(p))
		return "its files cannot be seen: run tnav as its user, or as root with "
		    "CAP_SYS_PTRACE";
	return "it has no diagnostics socket: the socket was removed, or the program is still "
	    "starting";
}

static bool
look(struct looking *l, struct process *p)
{
	uint64_t	 first = 0, last = 0;
	const char	*folder, *why;

	if (!read_proc(p->pid, "status", &l->text))
		return false;
	if (!status_numbers(buf_str(&l->text), "\nUid:", &first, &last))
		return false;
	p->uid = (uint32_t)first;
	p->inner = p->pid;
	if (status_numbers(l->text.p, "\nNSpid:", &first, &last))
		p->inner = last;
	if (!read_start(p->pid, &l->text, &p->started, &p->name))
		return false;
	p->uptime_ns = l->uptime_ns - (int64_t)(p->started * (uint64_t)(NS_PER_S /
	    sysconf(_SC_CLK_TCK)));
	(void)read_proc(p->pid, "environ", &l->environ);
	(void)buf_str(&l->environ);
	folder = variable(&l->environ, "TMPDIR");
	if (folder == NULL || *folder == '\0')
		folder = "/tmp";
	p->state = PROCESS_SILENT;
	find_socket(l, p, folder);
	if (p->socket == NULL && l->environ.len == 0 && l->own_tmp != NULL)
		find_socket(l, p, l->own_tmp);
	if (p->socket == NULL) {
		why = why_no_socket(l, p, folder);
		if (why == NULL)
			return false;
		p->state = PROCESS_NO_SOCKET;
		p->why = mem_strdup(why);
	}
	p->command_line = read_command_line(p->pid, &l->text);
	return true;
}

static void
release_process(struct process *p)
{
	mem_free(p->name);
	mem_free(p->command_line);
	mem_free(p->socket);
	mem_free(p->why);
	process_info_release(&p->info);
}

/* ---- queries */

static void
say_why(struct process *p, enum process_state state, const char *text)
{
	p->state = state;
	mem_free(p->why);
	p->why = mem_strdup(text);
}

#ifdef STATIC_PROGRAM
/* A static program cannot load what the system uses to find users: it reads NAME:x:UID:... */
void
process_user(struct buf *out, uint32_t uid)
{
	struct buf	text = { 0 };
	size_t		before = out->len;
	unsigned	id;
	int		name;

	if (file_read("/etc/passwd", 0, PASSWD_MOST, &text) == 0)
		for (const char *s = buf_str(&text); *s != '\0' && out->len == before;
		    s += strcspn(s, "\n"), s += *s != '\0')
			if (sscanf(s, "%*[^:\n]%n:%*[^:\n]:%u:", &name, &id) == 1 && id == uid)
				buf_add(out, s, (size_t)name);
	buf_release(&text);
}
#else
void
process_user(struct buf *out, uint32_t uid)
{
	const struct passwd	*p = getpwuid(uid);

	buf_puts(out, p != NULL ? p->pw_name : "");
}
#endif

static void
say_denied(struct process *p)
{
	struct buf	b = { 0 };
	size_t		len;

	buf_puts(&b, "it belongs to ");
	len = b.len;
	process_user(&b, p->uid);
	if (b.len == len)
		buf_printf(&b, "user %" PRIu32, p->uid);
	buf_puts(&b, ": run tnav as that user or as root");
	say_why(p, PROCESS_DENIED, buf_str(&b));
	buf_release(&b);
}

/* The state of a process without an answer. */
static enum process_state
state_of(enum exchange_end end)
{
	switch (end) {
	case EXCHANGE_STALE:
		return PROCESS_STALE;
	case EXCHANGE_DENIED:
		return PROCESS_DENIED;
	case EXCHANGE_SILENT:
	case EXCHANGE_GONE:
	case EXCHANGE_CLOSED:
		return PROCESS_SILENT;
	case EXCHANGE_ANSWERED:
	case EXCHANGE_GARBLED:
	case EXCHANGE_FAILED:
		break;
	}
	return PROCESS_REFUSED;
}

static void
say_exchange(struct process *p, const struct exchange *x)
{
	struct buf	why = { 0 };

	exchange_why(x, &why);
	say_why(p, state_of(x->end), buf_str(&why));
	buf_release(&why);
}

static void
say_error(struct process *p, uint32_t error)
{
	struct buf	why = { 0 };

	answer_why(error, &why);
	say_why(p, PROCESS_REFUSED, buf_str(&why));
	buf_release(&why);
}

/* True: it does not know the request, so send an older one. */
static bool
take_answer(struct process *p, struct exchange *x, enum request r)
{
	struct answer	a;

	if (x->end == EXCHANGE_DENIED) {
		say_denied(p);
		return false;
	}
	if (x->end == EXCHANGE_ANSWERED && answer_decode(span_of_buf(&x->answer), &a) != 0)
		x->end = EXCHANGE_GARBLED;
	if (x->end != EXCHANGE_ANSWERED) {
		say_exchange(p, x);
		return false;
	}
	if (a.kind == ANSWER_ERROR) {
		say_error(p, a.error);
		return a.error == ANSWER_UNKNOWN_COMMAND;
	}
	if (process_info_decode(&p->info, a.payload, r) != 0) {
		say_why(p, PROCESS_REFUSED, "its answer is cut short");
		return false;
	}
	p->state = PROCESS_READY;
	mem_free(p->why);
	p->why = NULL;
	return false;
}

/*
 * Query the processes at[0] ... at[n - 1]. Those that need an older request stay in `at`; returns
 * their number. The time limit is for the whole round, so a slow program does not delay others.
 */
static size_t
ask_round(struct process_list *l, size_t *at, size_t n, enum request r, int64_t wait_ns)
{
	struct exchange	*x = mem_zalloc(n + 1, sizeof *x);
	size_t		 left = 0;

	for (size_t i = 0; i < n; i++) {
		exchange_init(&x[i], l->v[at[i]].socket);
		request_encode(&x[i].request, r);
	}
	exchange_run(x, n, job_now_ns() + wait_ns, NULL);
	for (size_t i = 0; i < n; i++) {
		if (take_answer(&l->v[at[i]], &x[i], r))
			at[left++] = at[i];
		exchange_release(&x[i]);
	}
	mem_free(x);
	return left;
}

static void
ask(struct process_list *l, int64_t wait_ns)
{
	static const enum request	rounds[] = { REQUEST_INFO3, REQUEST_INFO2, REQUEST_INFO1 };
	size_t				*at = mem_zalloc(l->n + 1, sizeof *at), n = 0;

	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].socket != NULL)
			at[n++] = i;
	for (size_t i = 0; i < sizeof rounds / sizeof *rounds && n > 0; i++)
		n = ask_round(l, at, n, rounds[i], wait_ns);
	for (size_t i = 0; i < n; i++)
		say_why(&l->v[at[i]], PROCESS_READY, "its runtime is too old to report more");
	mem_free(at);
}

/* ---- the list */

SORT_ORDER(by_id, struct process, RISING(pid))

static int64_t
machine_uptime(struct buf *text)
{
	buf_clear(text);
	if (file_read("/proc/uptime", 0, FILE_MOST, text) != 0)
		return 0;
	return (int64_t)(strtod(buf_str(text), NULL) * (double)NS_PER_S);
}

static void
look_at_all(struct process_list *l, struct looking *looking)
{
	struct dirent	*e;
	DIR		*dir = opendir("/proc");

	for (e = dir != NULL ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
		struct process	p = { .pid = strtoull(e->d_name, NULL, 10) };

		if (!isdigit((unsigned char)e->d_name[0]) || p.pid == (uint64_t)getpid())
			continue;
		if (!look(looking, &p)) {
			release_process(&p);
			continue;
		}
		ARRAY_ADD(l->v, l->n, l->cap, p);
	}
	if (dir != NULL)
		closedir(dir);
}

void
process_list_make(struct process_list *l, int64_t wait_ns)
{
	struct looking	looking = { .own_tmp = getenv("TMPDIR") };

	*l = (struct process_list){ 0 };
	looking.uptime_ns = machine_uptime(&looking.text);
	look_at_all(l, &looking);
	sort_array(l->v, l->n, sizeof *l->v, by_id);
	ask(l, wait_ns);
	folders_release(&looking.folders);
	buf_release(&looking.text);
	buf_release(&looking.environ);
}

void
process_list_ask(struct process_list *l, const char *socket, int64_t wait_ns)
{
	struct process	p = { .socket = mem_strdup(socket), .name = mem_strdup("program"),
			    .command_line = mem_strdup("") };

	*l = (struct process_list){ 0 };
	ARRAY_ADD(l->v, l->n, l->cap, p);
	ask(l, wait_ns);
	l->v[0].pid = l->v[0].inner = l->v[0].info.pid;
}

void
process_resume(const char *socket, int64_t wait_ns)
{
	struct exchange	x;

	exchange_init(&x, socket);
	request_encode(&x.request, REQUEST_RESUME);
	exchange_run(&x, 1, job_now_ns() + wait_ns, NULL);
	exchange_release(&x);
}

void
process_list_release(struct process_list *l)
{
	for (size_t i = 0; i < l->n; i++)
		release_process(&l->v[i]);
	mem_free(l->v);
	*l = (struct process_list){ 0 };
}

const char *
process_name(const struct process *p)
{
	return p->info.assembly.len > 0 ? p->info.assembly.p : p->name;
}

/* ---- finding a process */

/* Is a word of the command line a file of that name, with or without .dll? */
static bool
runs_file(const char *command, const char *name)
{
	size_t	len = strlen(name);

	while (*command != '\0') {
		size_t		 word = strcspn(command, " "), rest;
		const char	*base = command;

		for (size_t i = 0; i < word; i++)
			if (command[i] == '/')
				base = command + i + 1;
		rest = word - (size_t)(base - command);
		if (strncasecmp(base, name, len) == 0 && rest >= len &&
		    (rest == len || (rest == len + 4 && strncasecmp(base + len, ".dll", 4) == 0)))
			return true;
		command += word + strspn(command + word, " ");
	}
	return false;
}

bool
process_is_called(const struct process *p, const char *what)
{
	return strcasecmp(process_name(p), what) == 0 || strcasecmp(p->name, what) == 0 ||
	    runs_file(p->command_line, what);
}

static void
list_meant(const struct process_list *l, const char *what, struct buf *why)
{
	buf_printf(why, "more than one process has the name %s:", what);
	for (size_t i = 0; i < l->n; i++)
		if (l->v[i].state != PROCESS_STALE && process_is_called(&l->v[i], what))
			buf_printf(why, " %" PRIu64, l->v[i].pid);
	buf_puts(why, " (give the id)");
}

static void
say_none(const struct process_list *l, const char *what, struct buf *why)
{
	struct near	near;

	buf_printf(why, "no .NET process has the name %s", what);
	if (strchr(what, '/') != NULL) {
		buf_puts(why, access(what, F_OK) == 0 ? ", and it is not a socket" :
		    ", and there is no such socket");
		return;
	}
	near_init(&near, what, 0);
	for (size_t i = 0; i < l->n; i++)
		near_text(&near, process_name(&l->v[i]));
	near_put(&near, why);
	if (l->n == 0)
		buf_puts(why, "; no running .NET process is visible");
}

static void
say_no_pid(uint64_t pid, const char *what, struct buf *why)
{
	bool	exists = pid <= INT_MAX && (kill((pid_t)pid, 0) == 0 || errno != ESRCH);

	if (exists)
		buf_printf(why, "process %s is not a .NET program, or belongs to another user",
		    what);
	else
		buf_printf(why, "there is no process %s", what);
}

bool
process_is_socket(const char *what)
{
	struct stat	st;

	return stat(what, &st) == 0 && S_ISSOCK(st.st_mode);
}

int
process_find(const struct process_list *l, const char *what, size_t *i, struct buf *why)
{
	size_t		 found = 0;
	char		*end;
	uint64_t	 pid = strtoull(what, &end, 10);

	for (size_t k = 0; k < l->n; k++) {
		if (l->v[k].state == PROCESS_STALE)
			continue;
		if (*end == '\0' && end != what ? l->v[k].pid == pid :
		    text_same(l->v[k].socket, what) ||
		    process_is_called(&l->v[k], what)) {
			*i = k;
			found++;
		}
	}
	if (found == 1)
		return 0;
	if (found > 1)
		list_meant(l, what, why);
	else if (*end == '\0' && end != what)
		say_no_pid(pid, what, why);
	else
		say_none(l, what, why);
	return ERR_USAGE;
}
