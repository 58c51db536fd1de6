/*
 * A term of a filter and the values of its field, one after another. Private to the engine.
 */
#ifndef ENGINE_FILTER_PROBE_H
#define ENGINE_FILTER_PROBE_H

#include "engine/filter/ast.h"
#include "engine/filter/set.h"
#include "tnav/model/value.h"

/* What all probes of an evaluator share. */
struct probe_env {
	struct regex_match	*match;
	struct buf		 text;		/* scratch */
	bool			 limit_hit;	/* a regular expression was too costly */
	bool			 fresh;		/* the budget is to be given anew */
	uint64_t		 steps;		/* literals of lists that were looked at */
};

struct probe {
	struct probe_env		*env;
	const struct filter_term	*term;
	bool				 present, hit;
};

/* Who matches patterns, with the whole budget if the event has not used any. */
static inline struct regex_match *
probe_match(struct probe_env *env)
{
	if (env->fresh)
		regex_match_begin(env->match);
	env->fresh = false;
	return env->match;
}

/* Does the term hold, of all values that were given? */
bool	probe_result(const struct probe *p);

/* Give a value. A text that is NULL is none. */
void	probe_text(struct probe *p, const char *text);
void	probe_span(struct probe *p, struct span text);
/* The text front/name: a pattern must reach into the name, for it is not asked of the front. */
void	probe_behind(struct probe *p, const char *front, struct span name);
void	probe_hex(struct probe *p, struct span text);	/* digits: any case is the same */
bool	probe_folded(struct probe *p, struct span text);	/* equal but for capitals? FO_EQ */
void	probe_u64(struct probe *p, uint64_t v);
void	probe_i64(struct probe *p, int64_t v);
void	probe_address(struct probe *p, uint64_t v);
/* One of a payload, which is no container; and all of a payload's field. */
void	probe_value(struct probe *p, const struct value *v);
void	probe_payload(struct probe *p, const struct event_type *type, struct span payload,
	    unsigned pointer_size);

/* Search a text for the term's pattern. */
void	probe_regex(struct probe *p, struct span text);
/* For fields whose values are compared in a way of their own. */
bool	has_bits(uint64_t value, uint64_t bits);	/* all of them, and some */

#endif
