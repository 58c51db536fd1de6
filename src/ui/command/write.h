/*
 * Files that the user names for writing: what is allowed, and the question before one is replaced.
 */
#ifndef UI_COMMAND_WRITE_H
#define UI_COMMAND_WRITE_H

struct ui;

enum write_answer {
	WRITE_NOT,		/* a message says why */
	WRITE_NEW,		/* the name is free */
	WRITE_OVER,		/* a file has the name: ask */
};

enum write_answer write_look(struct ui *ui, const char *path);
/* Ask whether the file may be replaced. If so, call yes with its path. */
void	write_ask(struct ui *ui, const char *path, void (*yes)(struct ui *ui, const char *path));

#endif
