/*
 * Lists of cases: what functions make of their arguments. A line of tests/golden/lists/NAME is the
 * function's name, its answer and its arguments, with tabs between them; those that it lacks are
 * empty. \n, \t, \\ and \xNN stand for bytes.
 *
 *	dur	1.204 ms	1204000
 *
 *	CASE(dur)
 *	{
 *		units_dur(out, case_i64(arg[0]), true);
 *	}
 *
 *	CASES("units.txt", 180)			each of so many at least, and each function has one
 */
#ifndef TNAV_TESTS_CASES_H
#define TNAV_TESTS_CASES_H

#include "data.h"
#include "test.h"

#define CASE(function)							\
	static void	answer_##function(struct buf *out, const struct span *arg);	\
	__attribute__((constructor)) static void			\
	add_answer_##function(void)					\
	{								\
		case_add(#function, answer_##function);			\
	}								\
	static void							\
	answer_##function(struct buf *out, const struct span *arg)

#define CASES(list, least)						\
	TEST(each_case_of_the_list_has_its_answer)			\
	{								\
		case_try(list, least);					\
	}

/* fn puts its answer; each argument lies in a block of just its size, and behind the last one is an
   empty one. */
void	case_add(const char *function, void (*fn)(struct buf *out, const struct span *arg));
void	case_try(const char *list, size_t least);
/* An argument as a text with a NUL, and as a number; until the end of the rule. */
const char	*case_text(struct span arg);
int64_t		 case_i64(struct span arg);
uint64_t	 case_u64(struct span arg);
double		 case_f64(struct span arg);
/* If there is an error, its text is the answer, and this is false. */
bool	case_good(struct buf *out, int err);

#endif
