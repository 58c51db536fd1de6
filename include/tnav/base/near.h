/*
 * Names similar to a misspelt one: " (near: Depth, Path)".
 *
 *	near_init(&near, "Dpeth", 0);
 *	near_text(&near, "Depth");	for each name that there is
 *	near_put(&near, why);
 */
#ifndef TNAV_BASE_NEAR_H
#define TNAV_BASE_NEAR_H

#include <stdbool.h>
#include <stddef.h>

#include "tnav/base/buf.h"

#define NEAR_MAX	3u		/* names that are told */
#define NEAR_LEN	64u		/* longer names are near nothing */

struct near {
	const char	*front, *name;	/* the path before what is looked for; that itself */
	size_t		 nfront;
	unsigned	 limit, looks;
	unsigned	 n;
	unsigned	 distance[NEAR_MAX];
	char		 found[NEAR_MAX][NEAR_LEN + 1];
};

/*
 * Look for what is near the name, which must stay. Its first front bytes are a path with its
 * separator: a name on the same path is nearer than one on another.
 */
void	near_init(struct near *near, const char *name, size_t front);
/* Weigh a name that there is, on a path with its separator, or on none. The name itself is no
   near one. After some 200,000 names nothing more is weighed. */
void	near_consider(struct near *near, const char *path, size_t npath, const char *name,
	    size_t len);
void	near_text(struct near *near, const char *name);		/* a whole name, or NULL */
bool	near_is_full(const struct near *near);			/* is nothing more weighed? */
/* Where the text has the len bytes of the part, whatever the case of ASCII letters, or NULL. */
const char *near_find(const char *s, const char *part, size_t len);
/* Append " (near: A, B, C)", nearest first, or nothing. */
void	near_put(const struct near *near, struct buf *out);

#endif
