/*
 * The providers of a session, from the options of the command line.
 *
 *	--profile gc-verbose --providers My-Source:0x3:5 --clrevents gc+jit	-> struct collect
 *
 * A provider is in the result once. If two options name it, --providers takes precedence over
 * --profile; two of the same kind are united: all their keywords, the higher level. --clrevents is
 * ignored, with a message, if another option names the runtime's provider.
 *
 * Specification: "the diagnostics protocol of .NET", section 9.
 */
#ifndef TNAV_LIVE_CHOICE_H
#define TNAV_LIVE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/live/message.h"

struct choice;

struct choice	*choice_new(void);
void		 choice_free(struct choice *c);

/* Each 0, or ERR_USAGE and why says it in one line. Lists have commas between their items. */
int	choice_profile(struct choice *c, const char *list, struct buf *why);
/*
 * NAME[:KEYWORDS[:LEVEL[:ARGUMENTS]]],... Keywords in hex, with or without 0x, or names with a +
 * between them; without any, all of them, of the runtime's provider those of dotnet-common. The
 * level as a number or by name, informational by default. Quotes protect commas and colons.
 */
int	choice_providers(struct choice *c, const char *list, struct buf *why);
/* gc+exception+..., at a level (NULL: informational). */
int	choice_clr_events(struct choice *c, const char *names, const char *level, struct buf *why);
/* Counters of these EventSources, NULL: System.Runtime, every so many seconds. */
int	choice_counters(struct choice *c, const char *list, unsigned seconds, struct buf *why);
/* NAME:ID+ID,...: of these providers, which must have been chosen, only these events. */
int	choice_events(struct choice *c, const char *list, struct buf *why);
/* true, false, or a mask of keywords. */
int	choice_rundown(struct choice *c, const char *word, struct buf *why);
void	choice_stacks(struct choice *c, bool stacks);
void	choice_buffer(struct choice *c, uint32_t mb);
/* Hold the program's threads up where its buffer is full, rather than lose events. */
void	choice_block(struct choice *c, bool block);

/* Does it make the runtime collect its heap at once, all threads stopped? */
bool	choice_collects_heap(struct choice *c);
/* Lines for the user: what was left out. */
const char *choice_notes(struct choice *c);
/* Borrowed until the choice changes. */
const struct collect *choice_collect(struct choice *c);

/* The profiles: NULL at the end. */
struct choice_profile {
	const char	*name, *help;
};
const struct choice_profile *choice_profile_at(unsigned i);

#endif
