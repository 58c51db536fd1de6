/*
 * The buffer of tmux.
 *
 *	text --socket--> tmux load-buffer -w -		at most a second, then it is ended
 *	                 refused: the same without -w
 *
 * By default (set-clipboard external), tmux makes no buffer from OSC 52 of a program, but it does
 * from load-buffer. -w makes tmux pass the text on to the outer terminal.
 */
#include "ui/command/clip.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tnav/base/job.h"

#define MOST_NS		((int64_t)1000000000)
#define NOT_FOUND	127

bool
clip_here(void)
{
	const char	*tmux = getenv("TMUX");

	return tmux != NULL && tmux[0] != '\0';
}

static void
close_input(struct clip *c)
{
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

static void
give_up(struct clip *c)
{
	if (c->pid <= 0)
		return;
	close_input(c);
	kill(c->pid, SIGKILL);
	while (waitpid(c->pid, NULL, 0) < 0 && errno == EINTR)
		;
	c->pid = 0;
}

void
clip_release(struct clip *c)
{
	give_up(c);
	buf_release(&c->text);
	buf_release(&c->why);
}

/* Between fork and exec, only async-signal-safe calls are allowed: the program has threads. */
static pid_t
start_tmux(int fd, bool old)
{
	char		 tmux[] = "tmux", load[] = "load-buffer", w[] = "-w", in[] = "-";
	char		*now[] = { tmux, load, w, in, NULL }, *before[] = { tmux, load, in, NULL };
	pid_t		 pid = fork();

	if (pid != 0)
		return pid;
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	/* Its output is discarded. */
	if (dup2(fd, STDIN_FILENO) >= 0 && dup2(fd, STDOUT_FILENO) >= 0 &&
	    dup2(fd, STDERR_FILENO) >= 0)
		execvp(tmux, old ? before : now);
	_exit(NOT_FOUND);
}

static bool
start(struct clip *c, bool old)
{
	int	fd[2];

	c->at = 0;
	c->old = old;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fd) != 0) {
		buf_printf(&c->why, "tmux load-buffer: %s", strerror(errno));
		return false;
	}
	c->pid = start_tmux(fd[1], old);
	close(fd[1]);
	c->fd = fd[0];
	if (c->pid > 0 && fcntl(c->fd, F_SETFL, O_NONBLOCK) == 0)
		return true;
	buf_printf(&c->why, "tmux load-buffer: %s", strerror(errno));
	give_up(c);
	close_input(c);
	c->pid = 0;
	return false;
}

bool
clip_start(struct clip *c, const struct buf *text)
{
	give_up(c);
	buf_clear(&c->why);
	buf_clear(&c->text);
	buf_add(&c->text, text->p, text->len);
	c->deadline = job_now_ns() + MOST_NS;
	return start(c, false);
}

/* Write what it accepts now. If it accepts nothing any more, it has ended. */
static void
feed(struct clip *c)
{
	ssize_t	n = 1;

	while (c->fd >= 0 && c->at < c->text.len && n > 0) {
		n = send(c->fd, c->text.p + c->at, c->text.len - c->at, MSG_NOSIGNAL);
		c->at += n > 0 ? (size_t)n : 0;
	}
	if (c->at == c->text.len || (n < 0 && errno != EAGAIN && errno != EINTR))
		close_input(c);
}

static enum clip_end
ended(struct clip *c, int status)
{
	close_input(c);
	c->pid = 0;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return CLIP_TAKEN;
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND)
		buf_puts(&c->why, "tmux cannot be run");
	else if (!c->old)
		return start(c, true) ? CLIP_GOES_ON : CLIP_REFUSED;
	else if (WIFEXITED(status))
		buf_printf(&c->why, "tmux load-buffer: exit code %d", WEXITSTATUS(status));
	else
		buf_printf(&c->why, "tmux load-buffer: signal %d", WTERMSIG(status));
	return CLIP_REFUSED;
}

enum clip_end
clip_step(struct clip *c)
{
	int	status;
	pid_t	pid;

	feed(c);
	pid = waitpid(c->pid, &status, WNOHANG);
	if (pid == c->pid)
		return ended(c, status);
	if (pid == 0 && job_now_ns() < c->deadline)
		return CLIP_GOES_ON;
	buf_puts(&c->why, "tmux load-buffer: no answer within a second");
	give_up(c);
	return CLIP_REFUSED;
}
