/*
 * The file behind one mapping.
 *
 *	0                 size          reserved
 *	|  the file       |  room       |        one mmap, PROT_READ, MAP_SHARED
 *
 * The mapping reaches beyond the end of the file, so that a growing file rarely needs a second one.
 * When it does, the old mapping stays until source_close(), because spans point into it.
 *
 * Any thread may ask for the feed while another one begins to follow the file. So feeds are a list
 * whose first one is the feed; those before it stay until source_close().
 *
 * Invariant: a span stays readable until source_close(). Bytes that the file has lost read as
 * zeroes, and the count of lost pages shows that this happened.
 */
#include "tnav/io/source.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tnav/base/err.h"
#include "tnav/base/job.h"
#include "tnav/base/mem.h"
#include "io/seen.h"
#include "io/spool.h"
#include "io/watch.h"

#define MAPPINGS	1024u		/* of all sources together: of 256 joined traces, which may
					   grow, and others */
#define ROOM_LEAST	(16u << 20)	/* bytes mapped beyond the end of the file */
#define ROOM_FEED	((uint64_t)1 << 40)	/* ... for a source with a feed */

#define LOST_KEPT	256u		/* lost pages that are kept one by one */

/* The table that the handler of SIGBUS searches. Only map_add() and map_drop() write it. */
struct mapping {
	_Atomic uintptr_t	from, to;	/* to: 0 when the entry is free */
	_Atomic(struct source *) source;
};

struct supply {
	struct feed	 feed;
	struct supply	*before;	/* an ended one; NULL: there is none */
};

struct source {
	int			 fd;		/* -1: memory */
	int			 named;		/* the regular file that path names: fd, or the
						   spool's input; -1: there is none */
	char			*path;
	dev_t			 dev;
	ino_t			 ino;
	_Atomic(const uint8_t *) p;
	_Atomic uint64_t	 size;
	_Atomic uint64_t	 reserved;
	_Atomic uint64_t	 lost;		/* pages */
	_Atomic bool		 rewritten;	/* no byte can be trusted any more */
	_Atomic uint64_t	 lost_page[LOST_KEPT];	/* their offsets + 1; 0: not set yet */
	_Atomic uint64_t	 lost_most;	/* further lost pages are at this offset or above */
	_Atomic(struct supply *) supply;	/* NULL: there is no feed */
	_Atomic bool		 stopped;	/* no more bytes are taken from the feed */
	_Atomic bool		 unmapped;	/* new bytes of the feed can't be mapped */
	struct lock		*remap;		/* with a feed: held while mapping more */
	struct seen		 seen;		/* of named */
};

static struct mapping	mappings[MAPPINGS];
static struct sigaction	before_us;

/* The feed, or NULL. */
static const struct feed *
feed_of(const struct source *s)
{
	const struct supply	*supply = atomic_load_explicit(&s->supply, memory_order_acquire);

	return supply != NULL ? &supply->feed : NULL;
}

static void
feed_set(struct source *s, const struct feed *feed)
{
	struct supply	*supply = mem_zalloc(1, sizeof *supply);

	if (s->remap == NULL)
		s->remap = lock_new(LOCK_MAPPING);
	supply->feed = *feed;
	supply->before = atomic_load(&s->supply);
	atomic_store_explicit(&s->supply, supply, memory_order_release);
}

static void
feeds_free(struct source *s)
{
	for (struct supply *i = atomic_load(&s->supply), *before; i != NULL; i = before) {
		before = i->before;
		i->feed.ops->free(i->feed.self);
		mem_free(i);
	}
}

/* Async-signal-safe. */
static void
lost_add(struct source *s, uint64_t off)
{
	uint64_t	n = atomic_fetch_add(&s->lost, 1);
	uint64_t	least;

	if (n < LOST_KEPT) {
		atomic_store(&s->lost_page[n], off + 1);
		return;
	}
	least = atomic_load(&s->lost_most);
	while (least > off && !atomic_compare_exchange_weak(&s->lost_most, &least, off))
		;
}

/* mmap() is not on POSIX's list of async-signal-safe functions, but in libc it is a system call. */
static void
on_sigbus(int sig, siginfo_t *si, void *context)
{
	uintptr_t	at = (uintptr_t)si->si_addr;
	uintptr_t	page = (uintptr_t)sysconf(_SC_PAGESIZE);

	for (unsigned i = 0; i < MAPPINGS && si->si_code == BUS_ADRERR; i++) {
		struct mapping	*m = &mappings[i];

		if (at < atomic_load(&m->from) || at >= atomic_load(&m->to))
			continue;
		/* Counted first, so that a thread which reads the zeroes also sees the count. */
		lost_add(atomic_load(&m->source),
		    (uint64_t)((at & ~(page - 1)) - atomic_load(&m->from)));
		if (mmap((void *)(at & ~(page - 1)), page, PROT_READ,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
			break;
		return;
	}
	if ((before_us.sa_flags & SA_SIGINFO) != 0 && before_us.sa_sigaction != NULL) {
		before_us.sa_sigaction(sig, si, context);
		return;
	}
	if (before_us.sa_handler != SIG_DFL && before_us.sa_handler != SIG_IGN) {
		before_us.sa_handler(sig);
		return;
	}
	signal(SIGBUS, SIG_DFL);	/* the instruction faults again: the process ends */
}

static void
handler_install(void)
{
	struct sigaction	sa = { .sa_sigaction = on_sigbus,
				    .sa_flags = SA_SIGINFO | SA_ONSTACK };
	struct sigaction	now;

	sigaction(SIGBUS, NULL, &now);
	if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_sigbus)
		return;
	before_us = now;
	sigemptyset(&sa.sa_mask);
	sigaction(SIGBUS, &sa, NULL);
}

/* Add a mapping; a source whose file outgrew its room has several. False: the table is full. */
static bool
map_add(struct source *s, const uint8_t *p, uint64_t len)
{
	for (unsigned i = 0; i < MAPPINGS; i++) {
		struct source	*none = NULL;

		if (!atomic_compare_exchange_strong(&mappings[i].source, &none, s))
			continue;
		atomic_store(&mappings[i].from, (uintptr_t)p);
		atomic_store(&mappings[i].to, (uintptr_t)p + len);
		return true;
	}
	return false;
}

static void
map_drop_all(struct source *s)
{
	for (unsigned i = 0; i < MAPPINGS; i++) {
		uintptr_t	from, to;

		if (atomic_load(&mappings[i].source) != s)
			continue;
		from = atomic_load(&mappings[i].from);
		to = atomic_load(&mappings[i].to);
		atomic_store(&mappings[i].to, 0);
		atomic_store(&mappings[i].from, 0);
		atomic_store(&mappings[i].source, NULL);
		munmap((void *)from, to - from);
	}
}

/* Map the first size bytes and room after them; 0 or an error with errno. */
static int
map_file(struct source *s, uint64_t size)
{
	uint64_t	room = size / 4 > ROOM_LEAST ? size / 4 : ROOM_LEAST;
	uint64_t	want = size + (feed_of(s) != NULL ? ROOM_FEED : room);
	void		*p;

	p = mmap(NULL, want, PROT_READ, MAP_SHARED | MAP_NORESERVE, s->fd, 0);
	for (; p == MAP_FAILED && room > 0; room /= 16) {
		want = size + room;		/* the address space is limited */
		p = mmap(NULL, want, PROT_READ, MAP_SHARED | MAP_NORESERVE, s->fd, 0);
	}
	if (p == MAP_FAILED)
		return errno == ENOMEM ? ERR_NOMEM : ERR_IO;
	if (!map_add(s, p, want)) {
		munmap(p, want);
		return ERR_LIMIT;
	}
	atomic_store(&s->reserved, want);
	atomic_store(&s->p, p);
	atomic_store(&s->size, size);
	return ERR_OK;
}

static const char *
kind_words(mode_t mode)
{
	if (S_ISDIR(mode))
		return "is a directory, not a trace";
	if (S_ISCHR(mode) && isatty(STDIN_FILENO))
		return "is a terminal: give a file, or pipe a trace into it";
	return "is a device, not a trace";
}

/* Devices are read only as standard input. */
static bool
can_be_read(const char *path, int fd, mode_t mode)
{
	return S_ISREG(mode) || S_ISFIFO(mode) || S_ISSOCK(mode) ||
	    (S_ISCHR(mode) && strcmp(path, "-") == 0 && !isatty(fd));
}

/* Does the file have to be decompressed? */
static bool
is_compressed(int fd)
{
	uint8_t	head[4];
	ssize_t	n = pread(fd, head, sizeof head, 0);

	return n > 0 && spool_kind_of((struct span){ head, (size_t)n }) != SPOOL_PLAIN;
}

/* Start to spool it into a file that can be mapped. */
static int
spool_file(struct source *s, struct buf *why)
{
	struct feed_state	*spool = spool_start(s->fd, &s->fd, why);

	if (spool == NULL) {
		s->fd = -1;
		return ERR_IO;
	}
	feed_set(s, &(struct feed){ &spool_feed, spool });
	return map_file(s, 0);
}

static void
say_unmapped(struct buf *why, int err, uint64_t size)
{
	buf_puts(why, "cannot be mapped: ");
	if (err == ERR_LIMIT) {
		buf_puts(why, "too many files are open");
	} else if (err == ERR_NOMEM) {
		buf_counts(why, "# bytes of address space are needed", size);
	} else {
		buf_puts(why, strerror(errno));
	}
}

int
source_open(struct source **out, const char *path, struct buf *why)
{
	struct source	*s = mem_zalloc(1, sizeof *s);
	struct stat	 st;
	int		 err = ERR_IO;

	*out = NULL;
	atomic_store(&s->lost_most, UINT64_MAX);
	s->named = -1;
	s->fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
	    open(path, O_RDONLY | O_CLOEXEC);
	if (s->fd < 0 || fstat(s->fd, &st) != 0) {
		buf_puts(why, strerror(errno));
		if (errno == EMFILE || errno == ENFILE)
			err = ERR_NOMEM;
		goto fail;
	}
	if (!can_be_read(path, s->fd, st.st_mode)) {
		buf_puts(why, kind_words(st.st_mode));
		err = ERR_UNSUPPORTED;
		goto fail;
	}
	s->path = mem_strdup(path);
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	handler_install();
	if (S_ISREG(st.st_mode) && !is_compressed(s->fd))
		err = map_file(s, (uint64_t)st.st_size);
	if (S_ISREG(st.st_mode)) {
		s->named = s->fd;
		seen_take(&s->seen, s->named, &st, (uint64_t)st.st_size);
	}
	if (err == ERR_IO)		/* also if the file system has no mappings */
		err = spool_file(s, why);
	if (err < 0) {
		if (why->len == 0)
			say_unmapped(why, err, (uint64_t)st.st_size);
		goto fail;
	}
	*out = s;
	return ERR_OK;
fail:
	source_close(s);
	return err;
}

int
source_open_feed(struct source **out, int fd, const struct feed *feed, struct buf *why)
{
	struct source	*s = mem_zalloc(1, sizeof *s);
	int		 err;

	*out = NULL;
	atomic_store(&s->lost_most, UINT64_MAX);
	s->fd = fd;
	s->named = -1;
	feed_set(s, feed);
	handler_install();
	err = map_file(s, 0);
	if (err < 0) {
		say_unmapped(why, err, 0);
		source_close(s);
		return err;
	}
	*out = s;
	return ERR_OK;
}

struct source *
source_of_memory(struct span bytes)
{
	struct source	*s = mem_zalloc(1, sizeof *s);

	s->fd = s->named = -1;
	atomic_store(&s->lost_most, UINT64_MAX);
	atomic_store(&s->p, bytes.p);
	atomic_store(&s->size, bytes.len);
	return s;
}

void
source_close(struct source *s)
{
	if (s == NULL)
		return;
	map_drop_all(s);
	feeds_free(s);
	if (s->fd >= 0)
		close(s->fd);
	lock_free(s->remap);
	mem_free(s->path);
	mem_free(s);
}

uint64_t
source_size(const struct source *s)
{
	return atomic_load_explicit(&s->size, memory_order_acquire);
}

bool
source_complete(const struct source *s)
{
	const struct feed	*f = feed_of(s);

	if (f == NULL || atomic_load(&s->unmapped))
		return true;
	return (atomic_load(&s->stopped) || atomic_load(&f->self->done)) &&
	    atomic_load(&f->self->size) == source_size(s);
}

void
source_wait(struct source *s, uint64_t n, int64_t until)
{
	const struct feed	*f = feed_of(s);
	uint64_t		 size;

	if (f == NULL)
		return;
	f->ops->wait(f->self, n, until);
	if (f->ops == &watch_feed && watch_rewritten(f->self))
		atomic_store(&s->rewritten, true);
	lock_take(s->remap);
	size = atomic_load(&f->self->size);
	if (size <= atomic_load(&s->reserved))
		atomic_store(&s->size, size);
	else if (map_file(s, size) < 0)
		atomic_store(&s->unmapped, true);
	lock_drop(s->remap);
}

void
source_stop(struct source *s)
{
	const struct feed	*f = feed_of(s);

	atomic_store(&s->stopped, true);
	if (f != NULL)
		f->ops->stop(f->self);
}

const char *
source_error(const struct source *s)
{
	const struct feed	*f = feed_of(s);

	return f == NULL ? NULL : atomic_load(&f->self->error);
}

static bool
is_spooled(const struct source *s)
{
	const struct feed	*f = feed_of(s);

	return f != NULL && f->ops == &spool_feed;
}

bool
source_arrives(const struct source *s)
{
	return is_spooled(s) && s->named < 0;
}

bool
source_can_follow(const struct source *s)
{
	return s->named >= 0 && s->named == s->fd;
}

bool
source_follow(struct source *s, struct buf *why)
{
	const struct feed	*f = feed_of(s);
	enum source_change	 change;
	struct stat		 st;
	struct feed_state	*w;

	if (f != NULL && f->ops != &watch_feed) {
		buf_puts(why, "compressed files cannot be followed");
		return false;
	}
	if (s->fd < 0 || fstat(s->fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		buf_puts(why, "only a file can be followed");
		return false;
	}
	change = source_lost(s) > 0 ? SOURCE_SHRANK : source_look(s);
	if (change == SOURCE_SHRANK) {
		buf_puts(why, "the file was truncated");
		return false;
	}
	if (change == SOURCE_REWRITTEN) {
		buf_puts(why, "the file was rewritten");
		return false;
	}
	w = watch_new(s->fd, s->path, &st, source_size(s));
	atomic_store(&s->stopped, false);
	feed_set(s, &(struct feed){ &watch_feed, w });
	return true;
}

struct span
source_span(const struct source *s, uint64_t off, uint64_t len)
{
	uint64_t	size = source_size(s);
	struct span	out = { (const uint8_t *)"", 0 };	/* never NULL */

	if (off >= size)
		return out;
	out.p = atomic_load_explicit(&s->p, memory_order_acquire) + off;
	out.len = (size_t)(len < size - off ? len : size - off);
	return out;
}

void
source_ahead(const struct source *s, uint64_t off, uint64_t len)
{
#ifdef MADV_POPULATE_READ
	uintptr_t	page = (uintptr_t)sysconf(_SC_PAGESIZE);
	struct span	b = source_span(s, off, len);
	uintptr_t	from = (uintptr_t)b.p & ~(page - 1);

	if (s->fd >= 0 && b.len > 0)
		madvise((void *)from, (uintptr_t)b.p + b.len - from, MADV_POPULATE_READ);
#else
	(void)s, (void)off, (void)len;
#endif
}

bool
source_is_file(const struct source *s, const char *path)
{
	struct stat	st;

	return s->path != NULL && stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_dev == s->dev && st.st_ino == s->ino;
}

uint64_t
source_lost(const struct source *s)
{
	return atomic_load(&s->lost);
}

bool
source_rewritten(const struct source *s)
{
	return atomic_load(&s->rewritten);
}

bool
source_is_lost(const struct source *s, uint64_t off, uint64_t len)
{
	uint64_t	n = atomic_load(&s->lost), page = (uint64_t)sysconf(_SC_PAGESIZE);

	if (atomic_load(&s->rewritten))
		return true;
	if (n > LOST_KEPT && off + len > atomic_load(&s->lost_most))
		return true;
	for (uint64_t i = 0; i < n && i < LOST_KEPT; i++) {
		uint64_t	at = atomic_load(&s->lost_page[i]);

		if (at == 0 || (off + len > at - 1 && off < at - 1 + page))
			return true;
	}
	return false;
}

/* The bytes of the named file that were read. */
static uint64_t
bytes_read(const struct source *s)
{
	uint64_t	taken;

	if (!is_spooled(s))
		return source_size(s);
	taken = spool_taken(feed_of(s)->self);
	return taken > s->seen.size ? taken : s->seen.size;
}

/* Does the name lead to no file (SOURCE_REMOVED), to another one, or to this one? */
static enum source_change
look_at_name(const struct source *s)
{
	struct stat	st;

	if (s->named < 0 || strcmp(s->path, "-") == 0)
		return SOURCE_SAME;
	if (stat(s->path, &st) != 0)
		return errno == ENOENT || errno == ENOTDIR ? SOURCE_REMOVED : SOURCE_SAME;
	return st.st_dev == s->dev && st.st_ino == s->ino ? SOURCE_SAME : SOURCE_REPLACED;
}

bool
source_removed(const struct source *s)
{
	return look_at_name(s) == SOURCE_REMOVED;
}

enum source_change
source_look(struct source *s)
{
	enum source_change	name;
	struct stat		st;
	uint64_t		size, now;

	if (s->named < 0 || (is_spooled(s) && !source_complete(s)) || fstat(s->named, &st) != 0)
		return SOURCE_SAME;
	size = bytes_read(s);
	now = st.st_size < 0 ? 0 : (uint64_t)st.st_size;
	if (now < size)
		return SOURCE_SHRANK;
	if (!seen_stands(&s->seen, s->named, &st)) {
		if (is_spooled(s))
			return SOURCE_REWRITTEN;	/* what was spooled can be trusted */
		atomic_store(&s->rewritten, true);
	}
	if (atomic_load(&s->rewritten))
		return SOURCE_REWRITTEN;
	name = look_at_name(s);
	if (name != SOURCE_SAME)
		return name;
	if (now > size)
		return SOURCE_GREW;
	if (!s->seen.sampled || s->seen.size != size)
		seen_sample(&s->seen, s->named, &st, size);
	return SOURCE_SAME;
}

enum source_change
source_refresh(struct source *s)
{
	enum source_change	change = source_look(s);
	struct stat		st;
	uint64_t		now;

	if ((change != SOURCE_SHRANK && change != SOURCE_GREW) || is_spooled(s) ||
	    fstat(s->fd, &st) != 0)
		return change;
	now = st.st_size < 0 ? 0 : (uint64_t)st.st_size;
	if (now <= atomic_load(&s->reserved))
		atomic_store(&s->size, now);
	else if (map_file(s, now) < 0)
		return SOURCE_SAME;	/* keep the old size */
	seen_take(&s->seen, s->named, &st, now);
	return change;
}

/* ---- temporary files of the program */

void *
source_map_room(int fd, uint64_t off, size_t len)
{
	void	*p = mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)off);

	if (p == MAP_FAILED)
		return NULL;
#ifdef MADV_POPULATE_WRITE
	/* All of it is going to be written: one call for its pages, not a fault each. */
	(void)madvise(p, len, MADV_POPULATE_WRITE);
#endif
	return p;
}

void
source_unmap_room(void *p, size_t len)
{
	munmap(p, len);
}
