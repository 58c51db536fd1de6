/*
 * A command that is started: to be traced, or to bring the trace of another host.
 *
 *	environment + DOTNET_DiagnosticPorts -> posix_spawnp() -> waitpid() now and then
 *
 * Invariant: the command's signals are set as a shell would set them, even those that this program
 * ignores; of child_start_on() those of the terminal are ignored.
 */
#include "app/child.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tnav/base/mem.h"
#include "tnav/io/file.h"

#define VARIABLE	"DOTNET_DiagnosticPorts="

static const int	terminal_signals[] = { SIGINT, SIGQUIT, SIGHUP };
#define TERMINAL_SIGNALS	(sizeof terminal_signals / sizeof *terminal_signals)

extern char	**environ;

/* The environment with this variable set or replaced. */
static char **
make_environment(char *variable)
{
	size_t	n = 0, k = 0;
	char	**env;

	while (environ[n] != NULL)
		n++;
	env = mem_zalloc(n + 2, sizeof *env);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], VARIABLE, strlen(VARIABLE)) != 0)
			env[k++] = environ[i];
	env[k] = variable;
	return env;
}

/* fds: its standard input, output and error. deaf: signals of the terminal are ignored now. */
static int
spawn(struct child_process *c, char *const *words, char **env, const int fds[3], bool deaf)
{
	posix_spawn_file_actions_t	files;
	posix_spawnattr_t		attr;
	sigset_t			all, none;
	int				error;

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	for (int i = 0; i < 3; i++)
		posix_spawn_file_actions_adddup2(&files, fds[i], i);
	sigfillset(&all);
	for (size_t i = 0; deaf && i < TERMINAL_SIGNALS; i++)
		sigdelset(&all, terminal_signals[i]);
	sigemptyset(&none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	error = posix_spawnp(&c->pid, words[0], &files, &attr, words, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	return error;
}

static bool
has_started(struct child_process *c, const char *what, int error, struct buf *why)
{
	if (error == 0)
		return true;
	c->pid = 0;
	buf_printf(why, "%s: cannot be started: %s", what, strerror(error));
	return false;
}

bool
child_start(struct child_process *c, char *const *words, const char *ports, bool io,
    struct buf *why)
{
	struct buf	variable = { 0 };
	char		**env;
	int		error, nothing = io ? -1 : file_open_special("/dev/null");
	int		in = nothing >= 0 ? open("/dev/null", O_RDONLY | O_CLOEXEC) : -1;

	*c = (struct child_process){ .pid = 0 };
	buf_printf(&variable, VARIABLE "%s", ports);
	(void)buf_str(&variable);
	env = make_environment(variable.p);
	error = spawn(c, words, env, (const int[]){ in >= 0 ? in : STDIN_FILENO,
	    nothing >= 0 ? nothing : STDOUT_FILENO, nothing >= 0 ? nothing : STDERR_FILENO },
	    false);
	if (nothing >= 0)
		close(nothing);
	if (in >= 0)
		close(in);
	mem_free(env);
	buf_release(&variable);
	return has_started(c, words[0], error, why);
}

bool
child_start_on(struct child_process *c, char *const *words, const int fds[3], struct buf *why)
{
	const struct sigaction	ignore = { .sa_handler = SIG_IGN };
	struct sigaction	old[TERMINAL_SIGNALS];
	int			error;

	*c = (struct child_process){ .pid = 0 };
	for (size_t i = 0; i < TERMINAL_SIGNALS; i++)
		(void)sigaction(terminal_signals[i], &ignore, &old[i]);
	error = spawn(c, words, environ, fds, true);
	for (size_t i = 0; i < TERMINAL_SIGNALS; i++)
		(void)sigaction(terminal_signals[i], &old[i], NULL);
	return has_started(c, words[0], error, why);
}

bool
child_has_ended(struct child_process *c)
{
	if (c->pid > 0 && !c->ended)
		c->ended = waitpid(c->pid, &c->status, WNOHANG) == c->pid;
	return c->ended;
}

void
child_signal(struct child_process *c, int sig)
{
	if (c->pid <= 0 || child_has_ended(c))
		return;
	c->sent = sig;
	(void)kill(c->pid, sig);
}

bool
child_put_end(const struct child_process *c, struct buf *out)
{
	int	sig = WIFSIGNALED(c->status) ? WTERMSIG(c->status) : 0;

	if (sig != 0)
		buf_printf(out, "was ended by signal %d (%s)", sig, strsignal(sig));
	else
		buf_printf(out, "ended with exit code %d", WEXITSTATUS(c->status));
	return sig != 0 && sig != c->sent;
}

int
child_code(const struct child_process *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) : WEXITSTATUS(c->status);
}
