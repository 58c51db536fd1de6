/*
 * Fold rules: frames that are hidden, or joined under one name.
 *
 *	Main > Task.Run > MoveNext > Sort		rule plumbing
 *	Main > MoveNext > Sort				a folded frame's weight goes to its caller
 *
 *	Main > Json.Read > Json.Next > Utf8.Copy	fold ^(Json|Utf8)\. as serializer
 *	Main > serializer				frames under one name that follow each other
 *							are one
 */
#ifndef TNAV_ANALYSIS_FOLDING_H
#define TNAV_ANALYSIS_FOLDING_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

struct folding;

struct folding	*folding_new(void);
struct folding	*folding_copy(const struct folding *f);
void		 folding_free(struct folding *f);	/* NULL is fine */
/*
 * One more rule: "my-code" (frames of the runtime, of its libraries and of native code), "plumbing"
 * (what throws, awaits, schedules and waits), or "REGEX" or "REGEX as NAME". The first rule that
 * fits a frame decides. 0, or ERR_USAGE and why says it in one line.
 */
int		 folding_add(struct folding *f, const char *rule, struct buf *why);
/* The rules that are there, as folding_add() takes them. */
size_t		 folding_rules(const struct folding *f);
const char	*folding_rule(const struct folding *f, size_t i);
void		 folding_remove(struct folding *f, size_t i);
/* Is it one of the two that have a name? */
bool		 folding_has(const struct folding *f, const char *rule, size_t *at);

/* Names of a frame that rules look at. */
struct folding_frame {
	struct span	raw, clean, module;
	bool		method;		/* of .NET, as opposed to a native symbol */
};
enum folding_what { FOLD_KEEP, FOLD_AWAY, FOLD_AS };
/* The answer; FOLD_AS: *name, which lives as long as the rules. One thread at a time. */
enum folding_what folding_ask(const struct folding *f, const struct folding_frame *frame,
		    struct span *name);

#endif
