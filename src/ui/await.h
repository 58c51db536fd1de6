/* Taking over derived facts for the viewer, and commands that wait for spans. */
#ifndef UI_AWAIT_H
#define UI_AWAIT_H

#include <stdbool.h>

#include "tnav/base/buf.h"

struct command_call;
struct ui;

typedef void (*command_fn)(struct ui *ui, const struct command_call *call);

/* The command that waits for spans: at most one. */
struct awaiting {
	command_fn	 run;		/* NULL: none */
	bool		 rest;		/* until no spans are being found */
};

/* If there are new facts: run again what uses them. */
void	ui_follow_facts(struct ui *ui);
/* Request the spans, and wait for them as long as a key may take. True: they are available. */
bool	ui_ask_spans(struct ui *ui);
/*
 * The same for a command that cannot do without. False: it must return. It runs again, without
 * argument and count, once they are found, unless it is forgotten before.
 */
bool	ui_await_spans(struct ui *ui, command_fn run);
/* Are no spans being found? False: as for ui_await_spans(). */
bool	ui_await_rest(struct ui *ui, command_fn run);
bool	ui_awaits(const struct ui *ui);		/* does a command wait? */
void	ui_await_no_more(struct ui *ui);	/* forget it */
/* Run the command that waits, if what it waits for is there. True: it ran. */
bool	ui_awaited(struct ui *ui);
/* "finding spans ... 42 % (Esc stops)", for the bottom line. */
void	ui_await_text(const struct ui *ui, struct buf *out);

#endif
