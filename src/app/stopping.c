/*
 * Signals that request an orderly end, and the one that marks a moment.
 *
 * Invariant: `asked` counts them, `last` is the newest, `any` says that there was one; `marks`
 * counts SIGUSR1. The handlers do nothing else.
 */
#include "app/stopping.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

#include "tnav/out/message.h"

#define NS_PER_S	1000000000
#define READER_NS	20000000	/* between two looks for a reader */

static volatile sig_atomic_t	stops, last, marks;
static atomic_bool		any;

static const int		signals[] = { SIGINT, SIGTERM, SIGHUP };

static void
on_signal(int sig)
{
	last = sig;
	if (stops < 100)
		stops++;
	atomic_store(&any, true);
}

/* A signal that was ignored at the start (nohup) stays ignored. */
static void
handle(void (*handler)(int))
{
	struct sigaction	sa = { .sa_handler = handler }, old;

	sigemptyset(&sa.sa_mask);
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &sa, NULL);
}

static void
on_mark(int sig)
{
	(void)sig;
	marks = (marks + 1) & 0xffff;
}

void
stopping_count_marks(void)
{
	struct sigaction	sa = { .sa_handler = on_mark };

	sigemptyset(&sa.sa_mask);
	(void)sigaction(SIGUSR1, &sa, NULL);
}

unsigned
stopping_marks(void)
{
	return (unsigned)marks;
}

void
stopping_begin(void)
{
	handle(on_signal);
}

void
stopping_end(void)
{
	handle(SIG_DFL);
}

void
stopping_forget(void)
{
	stopping_end();
	stops = 0;
	atomic_store(&any, false);
}

unsigned
stopping_count(void)
{
	return (unsigned)stops;
}

const atomic_bool *
stopping_flag(void)
{
	return &any;
}

bool
stopping_await(int64_t ns)
{
	const struct timespec	wait = { ns / NS_PER_S, ns % NS_PER_S };

	if (stops == 0 && ns > 0)
		(void)nanosleep(&wait, NULL);
	return stops > 0;
}

bool
stopping_await_reader(const char *path, bool *announced)
{
	if (errno != EAGAIN)
		return false;
	if (!*announced)
		message_note("%s: waiting for a reader of the named pipe", path);
	*announced = true;
	return !stopping_await(READER_NS);
}

int
stopping_signal(void)
{
	return (int)last;
}
