/*
 * Fold rules: frames that are hidden, or joined under one name.
 *
 *	Main > Task.Run > MoveNext > Sort		rule plumbing
 *	Main > MoveNext > Sort				a folded frame's weight goes to its caller
 *
 *	Main > Json.Read > Json.Next > Utf8.Copy	fold ^(Json|Utf8)\. as serializer
 *	Main > serializer				consecutive frames under one name
 *							become one frame
 *
 * The rule "idle" hides whole stacks: those of threads that wait for work.
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
 * Add a rule: "idle", "my-code" (folds frames of the runtime, of its libraries and of native
 * code), "plumbing" (folds what throws, awaits, schedules and waits), "REGEX" or "REGEX as NAME".
 * The first rule that matches a frame decides. Returns 0, or ERR_USAGE with the reason in why as
 * one line.
 */
int		 folding_add(struct folding *f, const char *rule, struct buf *why);
/* The rules, as folding_add() takes them. */
size_t		 folding_rules(const struct folding *f);
const char	*folding_rule(const struct folding *f, size_t i);
void		 folding_remove(struct folding *f, size_t i);
/* Does it have this rule? *at is its index. */
bool		 folding_has(const struct folding *f, const char *rule, size_t *at);

/* Is there a rule for frames; is there the rule "idle"? */
bool		 folding_folds(const struct folding *f);
bool		 folding_hides_idle(const struct folding *f);

/* The names of a frame that rules are matched with. */
struct folding_frame {
	struct span	raw, clean, module;
	bool		method;		/* a .NET method, not a native symbol */
};
enum folding_what { FOLD_KEEP, FOLD_AWAY, FOLD_AS };
/* What to do with a frame. FOLD_AS: sets *name, which lives as long as the rules. Not
   thread-safe. */
enum folding_what folding_ask(const struct folding *f, const struct folding_frame *frame,
		    struct span *name);

#endif
