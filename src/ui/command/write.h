/*
 * Files that the user names for writing: what is allowed, and the question before one is replaced
 * or much is written.
 */
#ifndef UI_COMMAND_WRITE_H
#define UI_COMMAND_WRITE_H

#include <stdint.h>

struct ui;

enum write_answer {
	WRITE_NOT,		/* a message says why */
	WRITE_NEW,		/* the name is free */
	WRITE_OVER,		/* a file has the name: ask */
};

enum write_answer write_look(struct ui *ui, const char *path);
/* Ask whether the file may be written or replaced, with about so many bytes; 0: not said. If so,
   call yes with its path. */
void	write_ask(struct ui *ui, const char *path, enum write_answer found, uint64_t bytes,
	    void (*yes)(struct ui *ui, const char *path));

#endif
