/*
 * Names similar to a misspelt one: " (near: Depth, Path)".
 *
 *	near_init(&near, "Dpeth", 0);
 *	near_text(&near, "Depth");	for each existing name
 *	near_put(&near, why);
 */
#ifndef TNAV_BASE_NEAR_H
#define TNAV_BASE_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

#define NEAR_MAX	3u		/* names that are offered */
#define NEAR_LEN	64u		/* longer names are not compared */

struct near {
	const char	*front, *name;	/* the path, and the last part that is looked for */
	size_t		 nfront;
	unsigned	 limit, looks;
	unsigned	 n;
	unsigned	 distance[NEAR_MAX];
	char		 nearest[NEAR_MAX][NEAR_LEN + 1];
};

/*
 * Begin a search for names near this one, which must stay valid. Its first front bytes are a path
 * and its separator: names on the same path are nearer than names on another.
 */
void	near_init(struct near *near, const char *name, size_t front);
/* Compare with an existing name, on a path that includes its separator, or on none. An equal name
   is ignored. After some 200,000 names the rest are ignored. */
void	near_consider(struct near *near, const char *path, size_t npath, const char *name,
	    size_t len);
void	near_text(struct near *near, const char *name);		/* a whole name, or NULL */
bool	near_is_full(const struct near *near);			/* are further names ignored? */
/* The first place in s that equals the len bytes of part, ignoring ASCII case; or NULL. */
const char *near_find(const char *s, const char *part, size_t len);
/* Append " (near: A, B, C)", nearest first, or nothing. */
void	near_put(const struct near *near, struct buf *out);

#endif
