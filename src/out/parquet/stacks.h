/*
 * The different stacks of a trace's events, as the tables `stacks` and `frames`. Private to this
 * directory.
 *
 *	stack_part_frame, innermost first .. stack_part_end -> a number of the part, any thread
 *	stack_part_map: a column of these numbers becomes ids of the table, one thread
 */
#ifndef OUT_PARQUET_STACKS_H
#define OUT_PARQUET_STACKS_H

#include "out/parquet/place.h"

struct stack_book;
struct stack_part;

struct stack_book *stack_book_new(void);
void	stack_book_free(struct stack_book *b);		/* NULL is fine */
/* Write both tables, each to its folder of the place. Returns 0 or ERR_IO, as place_open(). */
int	stack_book_write(const struct stack_book *b, struct parquet_place *p,
	    const struct place_facts *facts);

struct stack_part *stack_part_new(struct stack_book *b);
void	stack_part_free(struct stack_part *p);		/* NULL is fine */
/* module p NULL: not known. */
void	stack_part_frame(struct stack_part *p, struct span method, struct span module,
	    uint64_t address);
uint32_t stack_part_end(struct stack_part *p);
/* In the order of the rows: the ids follow from it. A number is the low half of a value. */
void	stack_part_map(struct stack_part *p, struct parquet_cells *c);

#endif
