/*
 * The list of a rotation's files, beside them, for the recording that follows one that was killed.
 *
 *	FOLDER/NAME_DATE_TIME.nettrace ...	FOLDER/.NAME.rotation
 *
 * Only a list of this user's is believed, and of it only names of that form, of files that are as
 * the list says. It is locked while a recording uses it, and removed when that ends in order.
 */
#ifndef APP_ROTATION_LIST_H
#define APP_ROTATION_LIST_H

#include <stdint.h>
#include <sys/stat.h>

struct rotation;

/* Use the list of the files that begin so, and take over what is on it. Another recording may be
   using it: then this one goes without. */
void	rotation_list_open(struct rotation *r, const char *stem);
/* Add a file that is whole; ended: as job_now_ns(). */
void	rotation_take(struct rotation *r, const char *path, const struct stat *was, int64_t ended);
/* Write what the rotation has now. */
void	rotation_list_write(struct rotation *r);
/* The recording has ended in order: its files stay, and of sessions the list. */
void	rotation_list_end(struct rotation *r);

#endif
