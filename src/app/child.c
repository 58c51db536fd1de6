/*
 * A command that is started to be traced.
 *
 *	environment + DOTNET_DiagnosticPorts -> posix_spawnp() -> waitpid() now and then
 *
 * Invariant: the command's signals are set as a shell would set them, even those that this program
 * ignores.
 */
#include "app/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tnav/base/mem.h"
#include "tnav/io/file.h"

#define VARIABLE	"DOTNET_DiagnosticPorts="

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

static int
spawn(struct child_process *c, char *const *words, char **env, bool io)
{
	posix_spawn_file_actions_t	files;
	posix_spawnattr_t		attr;
	sigset_t			all, none;
	int				error, nothing = io ? -1 : file_open_special("/dev/null");

	posix_spawn_file_actions_init(&files);
	posix_spawnattr_init(&attr);
	if (nothing >= 0) {
		posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
		posix_spawn_file_actions_adddup2(&files, nothing, 1);
		posix_spawn_file_actions_adddup2(&files, nothing, 2);
	}
	sigfillset(&all);
	sigemptyset(&none);
	posix_spawnattr_setsigdefault(&attr, &all);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
	error = posix_spawnp(&c->pid, words[0], &files, &attr, words, env);
	posix_spawnattr_destroy(&attr);
	posix_spawn_file_actions_destroy(&files);
	if (nothing >= 0)
		close(nothing);
	return error;
}

bool
child_start(struct child_process *c, char *const *words, const char *ports, bool io,
    struct buf *why)
{
	struct buf	variable;
	char		**env;
	int		error;

	*c = (struct child_process){ .pid = 0 };
	buf_init(&variable);
	buf_printf(&variable, VARIABLE "%s", ports);
	(void)buf_str(&variable);
	env = make_environment(variable.p);
	error = spawn(c, words, env, io);
	mem_free(env);
	buf_release(&variable);
	if (error == 0)
		return true;
	c->pid = 0;
	buf_printf(why, "%s: cannot be started: %s", words[0], strerror(error));
	return false;
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
