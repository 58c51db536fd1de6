/*
 * A program of another host.
 *
 *	HOST:NAME -> ssh -T HOST "tnav record -o - --until-eof ... NAME"
 *	           socket <-> its standard input and output	-> session
 *	           unlinked file <- its standard error		-> the user, until the trace comes
 *
 * The end of what is sent over the socket is the stop: that tnav sees the end of its input, ends
 * the session in the program and sends the rest. It sees that also if this one is killed, or the
 * network is gone.
 *
 * Invariant: nothing from the command line is a word of the remote shell but quoted, or an option
 * of ssh.
 */
#include "app/remote.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "app/stopping.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "tnav/base/text.h"
#include "tnav/io/file.h"
#include "tnav/live/choice.h"
#include "tnav/out/message.h"

#define MAGIC		"Nettrace"	/* a trace begins with it */
#define TURN_MS		50
#define END_WAIT_NS	INT64_C(2000000000)	/* for ssh to end by itself, and after SIGTERM */
#define OUTPUT_MOST	((size_t)16 << 10)	/* of what ssh says, to show */
#define NOT_FOUND	127			/* exit code of a shell without the command */

bool
remote_is(const char *what)
{
	const char	*colon = strchr(what, ':'), *slash = strchr(what, '/');

	return colon != NULL && (slash == NULL || colon < slash);
}

/* The length of HOST in HOST:NAME. [HOST] may have colons. */
static size_t
host_len(const char *what)
{
	const char	*close = what[0] == '[' ? strstr(what, "]:") : NULL;

	return close != NULL ? (size_t)(close + 1 - what) : strcspn(what, ":");
}

bool
remote_init(struct remote *r, const char *what, struct buf *why)
{
	size_t	len = host_len(what);
	bool	bare = len > 1 && what[0] == '[' && what[len - 1] == ']';

	*r = (struct remote){ .output = -1 };
	r->host = mem_strndup(what + bare, len - 2u * bare);
	r->name = mem_strdup(what + len + 1);
	if (r->host[0] == '\0' || r->host[0] == '-' || strchr(r->host, ' ') != NULL ||
	    !text_is_clean(r->host, strlen(r->host)))
		buf_printf(why, "%s: not the name of a host: '%s'", what, r->host);
	else if (r->name[0] == '\0' || r->name[0] == '-' ||
	    !text_is_clean(r->name, strlen(r->name)))
		buf_printf(why, "%s: not the id, the name or the socket of a process: '%s'", what,
		    r->name);
	return why->len == 0;
}

const char *
remote_host(const struct remote *r)
{
	const char	*at = r->host != NULL ? strrchr(r->host, '@') : NULL;

	return at != NULL && at[1] != '\0' ? at + 1 : r->host;
}

/* ---- the command */

/* These mean the same there. Limits of time and size are those of this side. */
static const enum option_id	passed[] = {
	OPT_PROVIDERS, OPT_CLR_EVENTS, OPT_CLR_LEVEL, OPT_EVENT_IDS, OPT_COUNTERS, OPT_REFRESH,
	OPT_RUNDOWN, OPT_BUFFER, OPT_BUFFERING, OPT_RESUME,
};

/* A program's name: that in the environment, or else the usual one. */
static const char *
program(const char *variable, const char *usual)
{
	const char	*name = getenv(variable);

	return name != NULL && name[0] != '\0' ? name : usual;
}

static void
put_option(struct buf *out, const struct options *o, const struct option_def *d)
{
	if (!o->given[d->id])
		return;
	buf_printf(out, " --%s", d->name);
	if (o->text[d->id] == NULL)
		return;
	buf_putc(out, '=');
	text_quote(out, o->text[d->id]);
}

static void
put_command(struct buf *out, const struct remote *r, const struct options *o, const char *profile,
    struct choice *c)
{
	buf_printf(out, "%s record -o - --until-eof", program("TNAV_REMOTE", "tnav"));
	if (profile != NULL && profile[0] != '\0') {
		buf_puts(out, " --profile=");
		text_quote(out, profile);
	}
	for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
		put_option(out, o, &option_table[passed[i]]);
	if (choice_collect(c)->no_stacks)
		buf_puts(out, " --no-stacks");
	if (choice_collects_heap(c))		/* the user has been asked here */
		buf_puts(out, " --yes");
	buf_putc(out, ' ');
	text_quote(out, r->name);
	(void)buf_str(out);
}

/* ---- what it says */

static void
show_output(struct remote *r, bool ended)
{
	char	*text = mem_alloc(OUTPUT_MOST), *line = text, *end;
	ssize_t	 n = pread(r->output, text, OUTPUT_MOST - 1, (off_t)r->shown);

	text[n > 0 ? n : 0] = '\0';
	for (; *line != '\0'; line = end + 1) {
		end = line + strcspn(line, "\n");
		if (*end == '\0' && !ended)
			break;			/* the rest of the line is still to come */
		r->shown += (uint64_t)(end - line) + (*end != '\0');
		if (end > line)
			message_put("%s: %.*s", remote_host(r),
			    (int)(end - line) - (end[-1] == '\r'), line);
		if (*end == '\0')
			break;
	}
	mem_free(text);
}

/* ---- the stream */

/* Wait until it begins: 1; 0: it has ended, or a signal has; -1: it is something else. */
static int
await_stream(struct remote *r, int in, struct buf *why)
{
	struct pollfd	at = { .fd = in, .events = POLLIN };
	char		head[sizeof MAGIC - 1];
	ssize_t		n = 0;

	while (n < (ssize_t)sizeof head) {
		bool	ended = child_has_ended(&r->ssh);

		if (poll(&at, 1, TURN_MS) > 0)
			n = recv(in, head, sizeof head, MSG_PEEK | MSG_DONTWAIT);
		show_output(r, false);
		if (n > 0 && memcmp(head, MAGIC, (size_t)n) != 0) {
			buf_printf(why, "what it sends is no trace; it begins with '%.*s': its "
			    "shell must print nothing at the start", (int)n, head);
			return -1;
		}
		if (stopping_count() > 0 || (n == 0 && at.revents != 0) ||
		    (ended && n < (ssize_t)sizeof head))
			return 0;
		if (n > 0 && n < (ssize_t)sizeof head)
			(void)stopping_await((int64_t)TURN_MS * 1000000);
	}
	return 1;
}

static void
put_end(const struct remote *r, struct buf *why)
{
	if (stopping_count() > 0) {
		buf_puts(why, "stopped before it answered");
	} else if (r->ssh.ended && WIFEXITED(r->ssh.status) && child_code(&r->ssh) == NOT_FOUND) {
		buf_puts(why, "it has no tnav in its PATH: copy one there, the static file needs "
		    "nothing else, and set TNAV_REMOTE to its path");
	} else {
		buf_printf(why, "%s ", program("TNAV_SSH", "ssh"));
		(void)child_put_end(&r->ssh, why);
	}
}

static bool
start_ssh(struct remote *r, char *command, int pair[2], struct buf *why)
{
	char	*ssh = mem_strdup(program("TNAV_SSH", "ssh"));
	char	*words[] = { ssh, (char[]){ "-T" }, r->host, command, NULL };
	bool	good = false;

	r->output = file_temporary(why);
	r->shown = 0;
	if (r->output >= 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
		buf_puts(why, strerror(errno));
	} else if (r->output >= 0) {
		good = child_start_on(&r->ssh, words, (const int[]){ pair[1], pair[1], r->output },
		    why);
		close(pair[1]);
		if (!good)
			close(pair[0]);
	}
	mem_free(ssh);
	return good;
}

int
remote_start(struct remote *r, const struct options *o, const char *profile, struct choice *c,
    struct buf *why)
{
	struct buf	command = { 0 };
	int		pair[2], begun = -1;

	remote_end(r);
	put_command(&command, r, o, profile, c);
	if (start_ssh(r, command.p, pair, why))
		begun = await_stream(r, pair[0], why);
	buf_release(&command);
	if (begun == 1)
		return pair[0];
	if (r->ssh.pid > 0)
		close(pair[0]);
	if (begun < 0 || stopping_count() > 0)
		child_signal(&r->ssh, SIGTERM);
	remote_end(r);
	if (begun == 0)
		put_end(r, why);
	return -1;
}

/* ---- the end */

static bool
await_end(struct remote *r)
{
	int64_t	until = job_now_ns() + END_WAIT_NS;

	while (!child_has_ended(&r->ssh) && job_now_ns() < until)
		(void)nanosleep(&(struct timespec){ .tv_nsec = 10000000 }, NULL);
	return r->ssh.ended;
}

void
remote_end(struct remote *r)
{
	if (r->output < 0)
		return;
	if (r->ssh.pid > 0 && (stopping_count() > 1 || !await_end(r))) {
		child_signal(&r->ssh, SIGTERM);
		if (!await_end(r))
			child_signal(&r->ssh, SIGKILL);
		(void)await_end(r);
	}
	if (r->ssh.sent == 0 && (r->ssh.pid <= 0 || child_code(&r->ssh) != 0))
		show_output(r, true);
	close(r->output);
	r->output = -1;
}

void
remote_release(struct remote *r)
{
	remote_end(r);
	mem_free(r->host);
	mem_free(r->name);
	*r = (struct remote){ .output = -1 };
}
