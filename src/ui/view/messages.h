/* Messages of the bottom line, kept to be read again. */
#ifndef UI_VIEW_MESSAGES_H
#define UI_VIEW_MESSAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message {
	char		*text;
	uint64_t	 times;		/* consecutive repetitions */
};

struct messages {
	struct message	*v;		/* newest last; the oldest are dropped */
	size_t		 n, cap;
	uint64_t	 stamp;		/* changes with each message */
	bool		 mute;		/* messages are not kept at the moment */
};

void	messages_add(struct messages *m, const char *text);
void	messages_release(struct messages *m);

#endif
