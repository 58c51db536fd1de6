/*
 * Restoring the terminal, and the signals of the viewer. Does not use curses.
 *
 *	signals --handler--> flags + a bell --poll--> the loop
 *	the end --any way--> restore_now(): bytes computed beforehand, then the settings
 *
 * Invariant: while the terminal is changed it can be restored at any instruction, with bytes that
 * were computed before, and without waiting for output. Every way to end leads here: the normal
 * one, exit() by any code, lack of memory in any thread, signals, faults.
 *
 * Only the thread that opened the terminal writes to it. A worker that must end the program sends
 * that thread a signal to restore and end, since it might otherwise go on changing the terminal.
 */
#ifdef HAVE_CONFIG_H
#include <config.h>
#endif
#include "ui/term/restore.h"

#include <sys/time.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "tnav/base/bell.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "(development)"
#endif

#define STUCK_MS	300	/* for the loop to handle a signal that ends the program */
#define AWAIT_MS	1000	/* for a worker to wait for the terminal's thread */
#define ALT_STACK	65536
#define BYTES_MAX	512

static const char	crash_text[] = "tnav " PACKAGE_VERSION
			    ": crashed; the terminal was restored\n";

static const int	end_signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU,
			    SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2 };
static const int	fault_signals[] = { SIGSEGV, SIGABRT, SIGFPE, SIGILL, SIGSYS };
static const int	other_signals[] = { SIGTSTP, SIGCONT, SIGWINCH, SIGALRM };

#define LENGTH(a)	(sizeof (a) / sizeof *(a))

/* Everything that handlers access. */
static struct {
	volatile sig_atomic_t	changed;	/* the terminal is, */
	volatile sig_atomic_t	restoring;	/* ... and is being changed back */
	volatile sig_atomic_t	in_frame;	/* in a write that may block for ever */
	volatile sig_atomic_t	in_library;
	volatile sig_atomic_t	ending;		/* signal that ends the program */
	volatile sig_atomic_t	exhausted;	/* a worker requests the end: there is no memory */
	volatile sig_atomic_t	event[RESTORE_EVENTS];
	volatile sig_atomic_t	away;		/* another program has the terminal */
	struct bell		*bell;
	int			fd, out_fd;
	struct termios		saved;
	char			bytes[BYTES_MAX];
	volatile sig_atomic_t	nbytes;
	void			*alt_stack;
	struct sigaction	old[NSIG];
} tty;

/* True in the thread that opened the terminal. */
static _Thread_local bool	own_thread;

void
restore_now(void)
{
	sigset_t	ttou, before;
	ssize_t		n;

	file_unlink_temporaries();	/* every way to end calls this */
	if (!tty.changed)
		return;
	tty.restoring = 1;
	tty.changed = 0;
	sigemptyset(&ttou);
	sigaddset(&ttou, SIGTTOU);	/* also in the background */
	sigprocmask(SIG_BLOCK, &ttou, &before);
	if (tty.in_frame) {
		tcflush(tty.fd, TCOFLUSH);
		n = write(tty.out_fd, "\030", 1);	/* cancels an incomplete sequence */
	}
	n = write(tty.out_fd, tty.bytes, (size_t)tty.nbytes);
	(void)n;
	restore_settings();
	tty.restoring = 0;
	sigprocmask(SIG_SETMASK, &before, NULL);
}

void
restore_settings(void)
{
	tcsetattr(tty.fd, TCSANOW, &tty.saved);
}

/* ---- ways to end */

static void
end_by_default(int sig)
{
	signal(sig, SIG_DFL);
	raise(sig);
}

static void
die_of(int sig)
{
	sigset_t	set;

	restore_now();
	sigemptyset(&set);
	sigaddset(&set, sig);
	signal(sig, SIG_DFL);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	raise(sig);
	_exit(128 + sig);
}

/* The hook of mem.h, in any thread whose allocation failed. */
static void
on_exhausted(void)
{
	struct timespec	wait = { .tv_sec = AWAIT_MS / 1000 };

	if (!own_thread) {
		tty.exhausted = 1;
		kill(getpid(), SIGALRM);	/* blocked in workers */
		nanosleep(&wait, NULL);
	}
	restore_now();
}

/* exit() called by a library: curses does that only for lack of memory. */
static void
on_exit_of_library(void)
{
	if (!tty.changed && !tty.in_library)
		return;
	restore_now();
	mem_end();
}

/* ---- handlers */

static void
on_signal(int sig)
{
	int			 saved_errno = errno;
	struct itimerval	 soon = { .it_value = { .tv_usec = STUCK_MS * 1000 } };

	switch (sig) {
	case SIGWINCH:
		tty.event[RESTORE_RESIZED] = 1;
		break;
	case SIGCONT:
		tty.event[RESTORE_CONTINUED] = 1;
		break;
	case SIGTSTP:
		tty.event[RESTORE_STOPPING] = 1;
		break;
	case SIGALRM:
		/* A worker's request does not cut short what is already being undone. */
		if (tty.exhausted && !tty.restoring) {
			restore_now();
			mem_end();
		}
		if (tty.ending)
			die_of(tty.ending);
		break;
	default:
		if (tty.away && (sig == SIGINT || sig == SIGQUIT))
			return;		/* it is for the program that has the terminal */
		tty.ending = sig;
		if (tty.in_frame)
			die_of(sig);
		/* A plain system call, though it is missing in POSIX's list of async-signal-safe
		   functions. */
		setitimer(ITIMER_REAL, &soon, NULL);
	}
	bell_ring(tty.bell);
	errno = saved_errno;
}

static void
on_fault(int sig)
{
	ssize_t	n;
	bool	refused = own_thread && tty.in_library && errno == ENOMEM;

	restore_now();
	if (refused && sig == SIGSEGV)
		mem_end();
	n = write(STDERR_FILENO, crash_text, sizeof crash_text - 1);
	(void)n;
	end_by_default(sig);	/* delivered on return */
}

/*
 * The source's handler runs first, since it handles pages that a shrinking file lost. If it gave
 * up, it has set the default action.
 */
static void
on_bus(int sig, siginfo_t *si, void *context)
{
	const struct sigaction	*source = &tty.old[SIGBUS];
	struct sigaction	 now;
	ssize_t			 n;

	/* A page that the file lost concerns the source; a signal that was sent does not. */
	if (si->si_code == BUS_ADRERR && (source->sa_flags & SA_SIGINFO) != 0 &&
	    source->sa_sigaction != NULL) {
		source->sa_sigaction(sig, si, context);
		if (sigaction(SIGBUS, NULL, &now) == 0 && now.sa_handler != SIG_DFL)
			return;
	}
	restore_now();
	n = write(STDERR_FILENO, crash_text, sizeof crash_text - 1);
	(void)n;
	end_by_default(sig);
}

/* ---- installing and restoring handlers */

static void
install(const int *sigs, size_t n, void (*handler)(int), int flags)
{
	struct sigaction	sa = { .sa_handler = handler, .sa_flags = flags };

	sigfillset(&sa.sa_mask);
	for (size_t i = 0; i < n; i++) {
		struct sigaction	*old = &tty.old[sigs[i]];

		/* Ignored signals (nohup) stay ignored. */
		if (sigaction(sigs[i], NULL, old) == 0 && old->sa_handler != SIG_IGN)
			sigaction(sigs[i], &sa, NULL);
	}
}

static void
install_all(void)
{
	struct sigaction	bus = { .sa_sigaction = on_bus,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	stack_t			stack = { .ss_size = ALT_STACK };

	stack.ss_sp = tty.alt_stack;
	sigaltstack(&stack, NULL);
	install(end_signals, LENGTH(end_signals), on_signal, SA_RESTART);
	install(fault_signals, LENGTH(fault_signals), on_fault, (int)(SA_ONSTACK | SA_RESETHAND));
	install(other_signals, LENGTH(other_signals), on_signal, SA_RESTART);
	sigfillset(&bus.sa_mask);
	sigaction(SIGBUS, &bus, &tty.old[SIGBUS]);
}

static void
uninstall(const int *sigs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		sigaction(sigs[i], &tty.old[sigs[i]], NULL);
}

bool
restore_open(int fd, int out_fd, struct buf *why)
{
	static bool	at_exit;

	tty.fd = fd;
	tty.out_fd = out_fd;
	tty.nbytes = 0;
	if (tcgetattr(fd, &tty.saved) != 0) {
		buf_puts(why, "cannot read the terminal settings");
		return false;
	}
	tty.bell = bell_new();
	if (tty.bell == NULL) {
		buf_printf(why, "cannot create a pipe: %s", strerror(errno));
		return false;
	}
	if (!at_exit && atexit(on_exit_of_library) != 0)
		mem_exhausted();
	at_exit = true;
	own_thread = true;
	tty.alt_stack = mem_alloc(ALT_STACK);
	install_all();
	mem_on_exhausted(on_exhausted);
	return true;
}

void
restore_close(void)
{
	struct itimerval	off = { 0 };
	stack_t			disable = { .ss_flags = SS_DISABLE, .ss_size = ALT_STACK };

	mem_on_exhausted(file_unlink_temporaries);	/* as before */
	setitimer(ITIMER_REAL, &off, NULL);
	uninstall(end_signals, LENGTH(end_signals));
	if (restore_ending() == 0)
		signal(SIGINT, SIG_IGN);	/* Ctrl-C after `q` does not change the exit code */
	uninstall(fault_signals, LENGTH(fault_signals));
	uninstall(other_signals, LENGTH(other_signals));
	sigaction(SIGBUS, &tty.old[SIGBUS], NULL);
	sigaltstack(&disable, NULL);
	mem_free(tty.alt_stack);
	bell_free(tty.bell);
	tty.bell = NULL;
}

/* ---- state */

bool
restore_bytes(const char *bytes, size_t len)
{
	sigset_t	all, before;

	if (len > BYTES_MAX)
		return false;
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (len > 0)
		memcpy(tty.bytes, bytes, len);
	tty.nbytes = (int)len;
	sigprocmask(SIG_SETMASK, &before, NULL);
	return true;
}

void
restore_hold(bool changed)
{
	tty.changed = changed;
}

void
restore_in_frame(bool in)
{
	tty.in_frame = in;
}

void
restore_in_library(bool in)
{
	errno = 0;
	tty.in_library = in;
}

void
restore_away(bool away)
{
	tty.away = away;
}

bool
restore_take(enum restore_event e)
{
	if (!tty.event[e])
		return false;
	tty.event[e] = 0;
	return true;
}

void
restore_raise(enum restore_event e)
{
	tty.event[e] = 1;
}

int
restore_ending(void)
{
	return tty.ending;
}

int
restore_fd(void)
{
	return bell_fd(tty.bell);
}

void
restore_heard(void)
{
	(void)bell_heard(tty.bell);
}
