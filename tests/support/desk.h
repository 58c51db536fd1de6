/*
 * A viewer on a terminal in memory, with a trace of tests/data on it.
 */
#ifndef TNAV_TESTS_DESK_H
#define TNAV_TESTS_DESK_H

#include <stdbool.h>
#include <stdint.h>

#include "memterm.h"
#include "tnav/engine/trace.h"
#include "ui/shell.h"

/*
 * A rule about a viewer with this trace on a screen of this size; the viewer is *d:
 *
 *	DESK_TEST(q_quits, "tests/data/demo.nettrace", 24, 80)
 *	{
 *		desk_do(d, "q");
 *		assert_true(d->ui->quit);
 *	}
 */
#define DESK_TEST_WITH(rule, path, rows, cols, options)				\
	static void	desk_##rule(struct desk *d);				\
	TEST(rule)								\
	{									\
		struct desk	d = desk_open(path, rows, cols, false, options);	\
										\
		desk_##rule(&d);						\
		desk_close(&d);							\
	}									\
	static void								\
	desk_##rule(struct desk *d)
#define DESK_TEST(rule, path, rows, cols)	DESK_TEST_WITH(rule, path, rows, cols, NULL)

struct desk {
	struct trace	*t;
	struct memterm	*m;
	struct ui	*ui;
	struct desk	*kept;		/* what the end of the rule closes; NULL: nothing */
};

/*
 * path: in the source tree, or absolute. o: NULL for none. What is opened is closed at the end of the
 * rule, if not before.
 */
struct desk	desk_open(const char *path, int rows, int cols, bool ascii,
		    const struct ui_options *o);
/* With one worker: what is estimated of the index is the same in each run. */
struct desk	desk_open_alike(const char *path, int rows, int cols, bool ascii,
		    const struct ui_options *o);
/* With this limit of the cache of views. */
struct desk	desk_open_cached(const char *path, int rows, int cols, size_t cache_bytes);
void		desk_close(struct desk *d);
/* Close it, and open another one in its place. */
void		desk_reopen(struct desk *d, const char *path, int rows, int cols, bool ascii,
		    const struct ui_options *o);
void		desk_rest(struct desk *d);	/* turn until there is nothing to do */
/* Keys by name; text between backquotes is typed: "f `tid = 6` <Enter>". */
void		desk_do(struct desk *d, const char *script);
bool		desk_shows(struct desk *d, const char *text);
/* All of these texts, or none of them, are on the screen. */
#define desk_need(d, ...)	desk_need_all(d, (const char *const[]){ __VA_ARGS__, NULL })
#define desk_need_not(d, ...)	desk_need_none(d, (const char *const[]){ __VA_ARGS__, NULL })
void		desk_need_all(struct desk *d, const char *const *texts);
void		desk_need_none(struct desk *d, const char *const *texts);
const char	*desk_bottom(struct desk *d);	/* the bottom line */
void		desk_need_bottom(struct desk *d, const char *text);
/* Do this, then look. */
#define desk_try(d, script, ...)						\
	desk_try_all(d, script, (const char *const[]){ __VA_ARGS__, NULL })
#define desk_try_not(d, script, ...)						\
	desk_try_none(d, script, (const char *const[]){ __VA_ARGS__, NULL })
void		desk_try_all(struct desk *d, const char *script, const char *const *texts);
void		desk_try_none(struct desk *d, const char *script, const char *const *texts);
void		desk_try_bottom(struct desk *d, const char *script, const char *need);
void		desk_try_row(struct desk *d, const char *script, uint64_t row);	/* selected */
/* What a file of the folder holds, as text, until the next call; "": there is none. */
const char	*desk_file(const char *folder, const char *name);

#endif
