/*
 * A recording's files: their names, their ends.
 *
 *	-o FILE		FILE, FILE_2, ...	runs of a program
 *	(none)		NAME_DATE_TIME
 *	--rotate	FILE_DATE_TIME, FOLDER/NAME_DATE_TIME
 *
 * Invariant: a name that is made up never replaces a file.
 */
#include "app/recording.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/exit.h"
#include "tnav/base/err.h"
#include "tnav/out/message.h"

#define NAME_TRIES	10000u

void
recorded_release(struct recorded_run *p)
{
	session_free(p->session);
	if (p->file != NULL)
		(void)file_new_end(p->file, false);
	else if (p->stream > STDERR_FILENO)
		close(p->stream);
	if (p->receive.copy >= 0)
		close(p->receive.copy);
	buf_release(&p->path);
}

size_t
recorded_stem(const char *path)
{
	size_t	len = path != NULL ? strlen(path) : 0, end = strlen(NAME_END);

	return len > end && strcmp(path + len - end, NAME_END) == 0 ? len - end : len;
}

int
recorded_open_numbered(struct file_new **f, struct buf *path, const char *name, unsigned n)
{
	size_t	len = recorded_stem(name);
	bool	ends = name[len] != '\0';
	int	rc = ERR_IO;

	errno = EEXIST;
	for (; rc != 0 && errno == EEXIST && n <= NAME_TRIES; n++) {
		buf_clear(path);
		buf_add(path, name, len);
		if (n > 1)
			buf_printf(path, "_%u", n);
		buf_puts(path, ends ? NAME_END : "");
		rc = file_new(f, buf_str(path), FILE_PRIVATE);
	}
	return rc;
}

void
recorded_put_stem(struct buf *out, const struct target *t)
{
	const char	*path = t->o->text[OPT_STREAM];
	struct stat	 st;
	bool		 folder = path != NULL && stat(path, &st) == 0 && S_ISDIR(st.st_mode);

	if (path != NULL)
		buf_add(out, path, folder ? strlen(path) : recorded_stem(path));
	if (folder)
		buf_putc(out, '/');
	if (folder || path == NULL)
		target_put_name(t->name.p, t->name.len, out);
}

int
recorded_open_dated(struct recorded_run *p, const struct target *t)
{
	struct buf	 name = { 0 };
	int		 rc;

	recorded_put_stem(&name, t);
	target_file_date(&name);
	buf_puts(&name, NAME_END);
	rc = recorded_open_numbered(&p->file, &p->path, buf_str(&name), 1);
	buf_release(&name);
	return rc;
}

enum begun
recorded_begin(struct recording *r, enum recorded_run_of of, struct buf *why)
{
	struct recorded_run	*p = &r->next;
	const char		*path = r->target.o->text[OPT_STREAM];
	enum begun		 begun = BEGUN;
	int			 rc, fd;

	*p = (struct recorded_run){ .receive = receive_like(&r->now.receive), .stream = -1 };
	rc = path == NULL || r->rotation.on ? recorded_open_dated(p, &r->target) :
	    recorded_open_numbered(&p->file, &p->path, path, 2);
	fd = rc == 0 ? file_new_fd(p->file) : -1;
	if (rc != 0 || file_new_place(p->file) != 0) {
		buf_printf(why, "%s: cannot be written: %s", buf_str(&p->path), strerror(errno));
		begun = NO_FILE;
	} else if (!(of == RUN_NEXT ? target_start_again : target_start_more)(&r->target,
	    &p->session, fd, why)) {
		begun = NO_SESSION;
	}
	if (begun == BEGUN && of == RUN_SAME)
		rotation_add_begun(&r->rotation, buf_str(&p->path));
	if (begun == BEGUN)
		receive_begin(&p->receive, p->session);
	else
		recorded_release(p);
	return begun;
}

int
recorded_tell_unwritable(struct recorded_run *p)
{
	message_put("%s: cannot be written: %s", buf_str(&p->path), strerror(errno));
	return EXIT_OUTPUT;
}

/* All of the file was read: is it to be kept for its last events? */
static void
look_again(struct recording *r, struct recorded_run *p)
{
	if (receive_arrived(&p->receive) && !p->announced && r->rotation.on)
		rotation_keep(&r->rotation, 2, "--when");
	p->announced = p->receive.arrived;
}

void
recorded_watch(struct recorded_run *p)
{
	int	fd = p->file != NULL ? file_new_fd(p->file) : p->receive.copy;

	if (fd >= 0)
		receive_watch(&p->receive, buf_str(&p->path), fd);
}

/* Was the file removed by another program while it was written? */
static bool
was_removed(const struct recorded_run *p, struct stat *st)
{
	return fstat(file_new_fd(p->file), st) == 0 && st->st_nlink == 0 &&
	    file_new_placed(p->file);
}

int
recorded_end(struct recording *r, struct recorded_run *p, const struct session_state *st)
{
	int		code = receive_tell(&p->receive, st, buf_str(&p->path));
	bool		keep = !r->rotation.on || st->written > 0;
	struct stat	was = { 0 };

	look_again(r, p);
	receive_watch_no_more(&p->receive);
	if (p->file != NULL && was_removed(p, &was) && !r->rotation.on) {
		message_put("%s: the file was removed by another program", buf_str(&p->path));
		exit_worsen(&code, EXIT_OUTPUT);
	}
	if (p->file != NULL && file_new_end(p->file, keep) != 0 && code < EXIT_OUTPUT)
		code = recorded_tell_unwritable(p);
	p->file = NULL;
	if (r->rotation.on)
		rotation_add(&r->rotation, buf_str(&p->path), keep ? &was : NULL);
	return code;
}
