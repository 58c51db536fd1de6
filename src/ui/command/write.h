/*
 * Files that a person asks for: what may be written, and what is asked before it is replaced.
 */
#ifndef UI_COMMAND_WRITE_H
#define UI_COMMAND_WRITE_H

struct ui;

enum write_answer {
	WRITE_NOT,		/* the message says why */
	WRITE_NEW,		/* nothing has the name */
	WRITE_OVER,		/* a file has it: ask */
};

enum write_answer write_look(struct ui *ui, const char *path);
/* Ask whether the file may be replaced; yes is then called with its path. */
void	write_ask(struct ui *ui, const char *path, void (*yes)(struct ui *ui, const char *path));

#endif
