/*
 * Comparing a term of a filter with the values of its field, one after another. Private to the
 * engine.
 */
#ifndef ENGINE_FILTER_PROBE_H
#define ENGINE_FILTER_PROBE_H

#include "engine/filter/ast.h"
#include "engine/filter/set.h"
#include "tnav/model/program.h"

/* The data that all probes of an evaluator share. */
struct probe_env {
	struct regex_match	*match;
	struct buf		 text;		/* scratch */
	bool			 limit_hit;	/* a regular expression was too costly */
	bool			 fresh;		/* a new event: restore the budget first */
	uint64_t		 steps;		/* literals of lists that were compared */
};

struct probe {
	struct probe_env		*env;
	const struct filter_term	*term;
	bool				 present, hit;
};

/* The state for matching patterns; restores the budget if the event has not used it yet. */
static inline struct regex_match *
probe_match(struct probe_env *env)
{
	if (env->fresh)
		regex_match_begin(env->match);
	env->fresh = false;
	return env->match;
}

/* Is the term true for the values that were given? */
bool	probe_result(const struct probe *p);

/* Give a value. A NULL text is no value. */
void	probe_text(struct probe *p, const char *text);
void	probe_span(struct probe *p, struct span text);
/* Give the text front/name. A match must reach into the name. */
void	probe_qualified(struct probe *p, const char *front, struct span name);
void	probe_hex(struct probe *p, struct span text);	/* digits: case does not matter */
bool	probe_folded(struct probe *p, struct span text);	/* FO_EQ: equal without case? */
void	probe_u64(struct probe *p, uint64_t v);
void	probe_i64(struct probe *p, int64_t v);
void	probe_address(struct probe *p, uint64_t v);
void	probe_payload(struct probe *p, const struct program *program, struct span payload);

/* Search a text for the term's pattern. */
void	probe_regex(struct probe *p, struct span text);
/* Does the value have all of the bits, of which there are some? */
bool	has_bits(uint64_t value, uint64_t bits);

#endif
