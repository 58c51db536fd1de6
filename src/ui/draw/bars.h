/*
 * Spans as bars in lanes: how much of each cell of a thread's lane they cover, depth by depth.
 */
#ifndef UI_DRAW_BARS_H
#define UI_DRAW_BARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BARS_DEPTHS	6u		/* of nested spans */

/* Per cell. Cut: the begin or end is outside the window, or unknown. */
#define BAR_FROM_BEFORE	0x1u
#define BAR_GOES_ON	0x2u
#define BAR_DOUBTFUL	0x4u

/* A span. Add them in the order of begins; of the same begin the longest first. */
struct bar {
	uint32_t	thread, name;
	int64_t		from, to;	/* to == from: one end is unknown */
	unsigned	flags;
};

/* A bar that is long enough for its name. */
struct named_bar {
	uint32_t	thread, name;
	uint16_t	depth, first, n;	/* cells that it covers, at least in part */
};

struct bar_nest;

struct bars {
	int64_t		 from, to;
	unsigned	 n;			/* cells per lane */
	uint32_t	 lines;			/* the first threads */
	float		*share;			/* lines x BARS_DEPTHS x n; NULL: none */
	uint8_t		*flags;			/* likewise */
	struct bar_nest	*nest;
	struct named_bar *named;
	size_t		 nnamed;
	unsigned	 depths;		/* greatest depth needed by a thread */
};

/* The number of threads that may have lanes of n cells. */
uint32_t bars_lines(uint32_t threads, unsigned n);
void	bars_init(struct bars *b, int64_t from, int64_t to, unsigned n, uint32_t lines);
void	bars_release(struct bars *b);
/* Add a span that touches the window. Its thread must be one of the lines. */
void	bars_add(struct bars *b, const struct bar *one);
/* The n cells of one depth. */
const float	*bars_share(const struct bars *b, uint32_t thread, unsigned depth);
const uint8_t	*bars_flags(const struct bars *b, uint32_t thread, unsigned depth);

#endif
