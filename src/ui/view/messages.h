/*
 * What was said on the bottom line, so that it can be read again.
 */
#ifndef UI_VIEW_MESSAGES_H
#define UI_VIEW_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message {
	char		*text;
	uint64_t	 times;		/* said so often, one after the other */
};

struct messages {
	struct message	*v;		/* the newest last; the oldest are forgotten */
	size_t		 n, cap;
	uint64_t	 stamp;		/* changes with each */
	bool		 mute;		/* nothing is kept for now */
};

void	messages_add(struct messages *m, const char *text);
void	messages_release(struct messages *m);

#endif
