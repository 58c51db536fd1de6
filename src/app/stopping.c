/*
 * Signals that ask for an end in order.
 *
 * Invariant: asked counts them; nothing else is done in the handler.
 */
#include "app/stopping.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t	asked;

static void
on_signal(int sig)
{
	(void)sig;
	if (asked < 100)
		asked++;
}

void
stopping_begin(void)
{
	static const int	sigs[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction	sa = { .sa_handler = on_signal };

	sigemptyset(&sa.sa_mask);
	(void)signal(SIGPIPE, SIG_IGN);		/* a failed write, with EPIPE, like any other */
	for (size_t i = 0; i < sizeof sigs / sizeof *sigs; i++) {
		struct sigaction	old;

		/* What was ignored from the begin (nohup) stays so. */
		if (sigaction(sigs[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			(void)sigaction(sigs[i], &sa, NULL);
	}
}

unsigned
stopping_asked(void)
{
	return (unsigned)asked;
}
