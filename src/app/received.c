/*
 * The file of a session that is viewed.
 *
 *	session -> file with a name	ended -> stays, or is removed if the user discards it
 *	:w NAME -> a second name, on another disk a copy at the end
 *
 * The file has its name from the first byte on, so it survives any end of this program. If it has
 * become longer than --keep says, its first events were let go (keeping.c), and at the end it is
 * replaced by a trace of those that are kept.
 */
#include "app/received.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/exit.h"
#include "app/recording.h"
#include "app/target.h"
#include "tnav/base/err.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"
#include "tnav/io/paths.h"
#include "tnav/out/message.h"

#define COPY_CHUNK	((size_t)1 << 20)

struct received
received_none(const struct options *o, const struct keeping *keep)
{
	return (struct received){ .o = o, .memory = -1, .keep = *keep };
}

int
received_fd(const struct received *f)
{
	return f->file != NULL ? file_new_fd(f->file) : f->memory;
}

/* Where no folder can be written; anything odd in the place of one is no reason. */
static bool
make_memory(struct received *f)
{
	struct stat	st;

	if (f->keep.whole || (f->path.len > 0 && lstat(buf_str(&f->path), &st) == 0) ||
	    (f->path.len > 0 && errno != ENOENT && errno != EACCES))
		return false;
	f->memory = file_in_memory();
	keeping_in_memory(&f->keep, f->o);
	buf_clear(&f->path);
	buf_puts(&f->path, "memory");
	return f->memory >= 0;
}

/* Is this the file that is received? */
static bool
is_received(const struct received *f, const struct stat *st)
{
	struct stat	own;

	return fstat(received_fd(f), &own) == 0 && own.st_dev == st->st_dev &&
	    own.st_ino == st->st_ino;
}

/* keep: under the name that it has while it grows. */
static void
end_file(struct received *f, bool keep)
{
	if (f->file != NULL)
		(void)file_new_end(f->file, keep);
	if (f->memory >= 0)
		close(f->memory);
	f->file = NULL;
	f->memory = -1;
}

bool
received_make(struct received *f, const struct target *t, const char *what, struct buf *why)
{
	char	*name;
	int	 rc;

	buf_clear(&f->path);
	if (!paths_live(&f->path)) {
		if (make_memory(f))
			return true;
		buf_printf(why, "%s: no private folder for the received trace",
		    f->path.len > 0 ? buf_str(&f->path) : "$HOME is not set");
		return false;
	}
	buf_putc(&f->path, '/');
	target_file_name(t, &f->path);
	buf_printf(&f->path, "_%" PRIu64 "%s" NAME_END, t->pid, what);	/* 0: of another host */
	name = mem_strdup(buf_str(&f->path));
	rc = recorded_open_numbered(&f->file, &f->path, name, 1);
	mem_free(name);
	if (rc == 0)
		rc = file_new_place(f->file);
	if (rc != 0 && errno == EROFS && !f->keep.whole) {
		buf_clear(&f->path);
		return make_memory(f);
	}
	if (rc != 0)
		buf_printf(why, "%s: cannot be written: %s", buf_str(&f->path), strerror(errno));
	else
		keeping_test(&f->keep, received_fd(f), buf_str(&f->path));
	return rc == 0;
}

void
received_drop(struct received *f)
{
	end_file(f, false);
}

bool
received_name(struct received *f, const char *path, bool replace, struct buf *why)
{
	struct stat	other;

	if (stat(path, &other) == 0 && is_received(f, &other)) {
		buf_puts(why, "this is the file that is being received");
		return false;
	}
	if (file_link(received_fd(f), path, FILE_PRIVATE | (replace ? FILE_REPLACE : 0)) == 0) {
		mem_free(f->kept);
		f->kept = mem_strdup(path);
		return true;
	}
	if (errno != EXDEV && errno != EPERM && errno != EMLINK) {
		buf_puts(why, strerror(errno));
		return false;
	}
	mem_free(f->copy);
	f->copy = mem_strdup(path);
	buf_puts(why, f->memory >= 0 ? "written when the session ends" :
	    "on another disk: written when the session ends");
	return false;
}

/* Copy it to a name on another file system. */
static int
write_copy(struct received *f)
{
	struct buf	 chunk = { 0 };
	struct file_new	*to;
	int		 in = f->memory >= 0 ? fcntl(f->memory, F_DUPFD_CLOEXEC, 0) :
			    open(buf_str(&f->path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	int		 rc = ERR_IO;
	off_t		 off = 0;
	ssize_t		 n = 0;

	if (in < 0)
		return ERR_IO;
	if (file_new(&to, f->copy, FILE_PRIVATE | FILE_REPLACE) == 0) {
		do {
			n = pread(in, buf_room(&chunk, COPY_CHUNK), COPY_CHUNK, off);
			off += n > 0 ? n : 0;
			rc = n < 0 ? ERR_IO : file_write(file_new_fd(to), chunk.p, (size_t)n, NULL);
		} while (n > 0 && rc == 0);
		if (file_new_end(to, rc == 0) != 0)
			rc = ERR_IO;
	}
	buf_release(&chunk);
	close(in);
	return rc;
}

/* ---- the end */

void
received_replace(struct received *f, const struct receive *r, struct trace *t)
{
	struct stat	 st;
	/* What the user named, if it still is the file that was received. */
	const char	*other = f->kept != NULL && lstat(f->kept, &st) == 0 &&
			    is_received(f, &st) ? f->kept : NULL;
	const char	*path = f->memory >= 0 ? f->copy : buf_str(&f->path);

	if (path == NULL || t == NULL || !keeping_has_let_go(t) ||
	    (f->discarded && f->kept == NULL && f->copy == NULL))
		return;
	errno = EINTR;
	if (receive_await_index(r, t, "reading the rest (Ctrl-C skips it)") &&
	    keeping_write(t, path, other, &f->kept_bytes) == 0)
		return;
	if (f->memory >= 0)
		message_put("%s: cannot be written: %s", path, strerror(errno));
	else
		message_put("%s: the file has a hole where events were let go (--keep %s): `tnav "
		    "repair` writes the rest; a trace of it is not written: %s",
		    buf_str(&f->path), f->keep.words, strerror(errno));
}

int
received_end(struct received *f, const struct receive *r, struct session_state *st)
{
	bool	stays = !f->discarded;
	int	code;

	/* From memory the excerpt was written to where the copy would be. */
	if (f->copy != NULL && ((f->memory >= 0 && f->kept_bytes > 0) || write_copy(f) == 0)) {
		mem_free(f->kept);
		f->kept = f->copy;
		f->copy = NULL;
	} else if (f->copy != NULL) {
		message_put("%s: cannot be written: %s", f->copy, strerror(errno));
		stays = true;
	}
	stays = stays && (f->kept == NULL || f->copy != NULL);
	if (stays && f->memory >= 0)
		message_put("the trace was in memory, and is gone");
	stays = stays && f->memory < 0;
	code = st->whole ? EXIT_CLEAN : EXIT_DAMAGED;
	if (f->kept_bytes > 0)
		st->written = f->kept_bytes;
	if (stays || f->kept != NULL)
		code = receive_tell(r, st, stays ? buf_str(&f->path) : f->kept);
	if (f->kept_bytes > 0 && (stays || f->kept != NULL))
		message_note("these are the last %s of the session (--keep)", f->keep.words);
	end_file(f, stays);
	if (stays)
		keeping_add(&f->keep, buf_str(&f->path));
	return code;
}

void
received_release(struct received *f)
{
	mem_free(f->kept);
	mem_free(f->copy);
	buf_release(&f->path);
}
