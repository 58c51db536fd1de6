/*
 * The providers of a session, from the options of the command line.
 *
 *	--profile gc-verbose --providers My-Source:0x3:5 --clrevents gc+jit	-> struct collect
 *
 * A provider is in the result once. If both options name it, --providers takes precedence over
 * --profile. Two of the same option are merged: all their keywords, the higher level. --clrevents
 * is ignored, with a message, if another option names the runtime's provider.
 *
 * Specification: "the diagnostics protocol of .NET", section 9.
 */
#ifndef TNAV_LIVE_CHOICE_H
#define TNAV_LIVE_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/live/message.h"

#define CHOICE_LEVEL_DEFAULT	4u	/* informational */

struct choice;

struct choice	*choice_new(void);
void		 choice_free(struct choice *c);

/* Each returns 0, or ERR_USAGE with the reason in why as one line. Items of lists are separated
   by commas. */
int	choice_profile(struct choice *c, const char *list, struct buf *why);
/*
 * NAME[:KEYWORDS[:LEVEL[:ARGUMENTS]]],... Keywords are hex, with or without 0x, or names separated
 * by +. Without keywords: all of them; for the runtime's provider those of dotnet-common. The level
 * is a number or a name, informational by default. * is all providers of the program. Quotes
 * protect commas and colons.
 */
int	choice_providers(struct choice *c, const char *list, struct buf *why);
/* A number or a name. */
int	choice_level(const char *text, uint32_t *level, struct buf *why);
/* gc+exception+... */
int	choice_clr_events(struct choice *c, const char *names, uint32_t level, struct buf *why);
/* Counters of these EventSources (NULL: System.Runtime), every `seconds` seconds. */
int	choice_counters(struct choice *c, const char *list, unsigned seconds, struct buf *why);
/* NAME:ID+ID,...: only these events of these providers, which must already be chosen. */
int	choice_events(struct choice *c, const char *list, struct buf *why);
/* true, false, or a mask of keywords. */
int	choice_rundown(struct choice *c, const char *word, struct buf *why);
void	choice_stacks(struct choice *c, bool stacks);
/* A walk of the heap besides, as with the profile heap, until this is said again. */
void	choice_heap(struct choice *c, bool heap);
void	choice_buffer(struct choice *c, uint32_t mb);
/* If the program's buffer is full, block its threads instead of losing events. */
void	choice_block(struct choice *c, bool block);

/* Does the session make the runtime collect its heap immediately, with all threads stopped? */
bool	choice_collects_heap(struct choice *c);
/* The ith provider of which choice_providers() or choice_counters() wants events, by its name; NULL
   at the end. */
const char *choice_named(const struct choice *c, size_t i);
/* Is it *: all providers that the program has when the session begins? */
bool	choice_takes_every(const struct choice *c);
/* Lines for the user about what was left out. */
const char *choice_notes(struct choice *c);
/* Valid until the choice changes. */
const struct collect *choice_collect(struct choice *c);

#endif
