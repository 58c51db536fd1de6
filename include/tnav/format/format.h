/*
 * A file format behind a table of functions. A format is one .c file and one line in registry.c;
 * the engine knows it by this header only.
 *
 * The file is a stream header and then frames (V4 to V6: objects or blocks; Heph: packets), walked
 * by frame(). Frames of events are scanned and decoded by any thread, from their bytes and a
 * struct decode_state alone; all other frames are given to commit() by one thread, in file order,
 * before the events of frames after them are counted.
 */
#ifndef TNAV_FORMAT_FORMAT_H
#define TNAV_FORMAT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/arena.h"
#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/base/diag.h"
#include "tnav/format/scan.h"
#include "tnav/io/source.h"
#include "tnav/model/event.h"
#include "tnav/model/info.h"
#include "tnav/model/type.h"

enum frame_kind {
	FRAME_EVENTS,		/* scanned and decoded */
	FRAME_DATA,		/* types, stacks, threads, labels: committed */
	FRAME_BARRIER,		/* committed between the events before it and after it: a
				   sequence point, which closes the region, a thread's removal */
	FRAME_SKIP,		/* unknown, or too new: commit() only says so */
};

struct frame {
	enum frame_kind	 kind;
	unsigned	 sub;		/* the format's own kind */
	uint64_t	 off, next;	/* the whole frame: [off, next) */
	uint64_t	 body, len;	/* what is in it; clipped to the file */
	bool		 cut;		/* the file, or what can be framed of it, ends inside */
	/*
	 * Of events: next and len are the most that they can be. It ends at decode_state.pos of its
	 * body when scan() is done or decode() gives 0. Two of them fit one scan.
	 */
	bool		 open;
	bool		 growing;	/* cut, but the rest may still come: no damage */
};

/* The state of a decoder between two events of a frame. Each format knows its own fields. */
struct decode_state {
	uint64_t	 pos;		/* of the next event, from the body's begin */
	uint64_t	 w[12];
};

/* Raw thread ids met while decoding; struct event's thread and capture index it. */
struct id_list {
	uint64_t	*id;
	size_t		 n, cap;
};

/* What a file says of a thread (V6). Strings live in the arena. */
struct thread_decl {
	uint64_t	 index;		/* raw id, by which events name it */
	bool		 has_pid, has_tid;
	uint64_t	 pid, tid;
	const char	*name;		/* or NULL */
	uint32_t	 nkv;
	struct key_value *kv;
	uint64_t	 off;		/* it is true from here on */
};

#define BARRIER_FLUSH_THREADS	0x1u	/* thread indexes mean nothing from here on */
#define BARRIER_FLUSH_TYPES	0x2u	/* metadata ids likewise */

/* What commit() tells the engine. All spans are bytes of the file. */
struct commit_ops {
	/*
	 * Metadata id stands for the type that these bytes of the file describe. True: it is known,
	 * nothing is to be done. False: describe it by type(), all its memory in the arena.
	 */
	bool	(*type_known)(void *arg, uint64_t metadata_id, struct span content, uint64_t off);
	void	(*type)(void *arg, struct span content, const struct event_type *t);
	/* Stacks first .. first + count - 1 are in a frame whose body is at off. */
	void	(*stacks)(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len);
	/* A sequence point: ts, then its threads, then the end of it. */
	void	(*barrier)(void *arg, int64_t ts, uint64_t off);
	void	(*barrier_thread)(void *arg, uint64_t raw_id, uint32_t number);
	void	(*barrier_end)(void *arg, unsigned flush, uint64_t next);
	/* V6 only: */
	void	(*thread)(void *arg, const struct thread_decl *d);
	void	(*thread_remove)(void *arg, uint64_t index, uint32_t number, uint64_t off);
	/* Label lists, as stacks. */
	void	(*labels)(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len);
};

struct format {
	const struct format_ops	*ops;
	const struct source	*source;
	struct diag		*diag;
	struct arena		*arena;		/* of the trace; commit() and open() only */
	_Atomic uint64_t	*searched;	/* bytes gone through by frame() and resync() for
						   the begin of a frame; or NULL */
	const struct commit_ops	*up;
	void			*up_arg;
	uint64_t		 seed;		/* of hashes */
	struct trace_info	 info;
	bool			 reuses_ids;		/* number 1 may begin a new incarnation */
	bool			 declares;	/* threads are declared: V6 */
	/* Heph: raw type ids are 64 bits, and decode() gives indexes of its second id_list; */
	bool			 types_wide;
	bool			 unordered;	/* file order is not even nearly time order; */
	bool			 no_end_mark;	/* a file that ends after a frame is whole */
	/*
	 * The walk's, for frame(): the file is still being written, so that a frame that says that
	 * it is longer is believed, and cut; nothing is searched for in its place.
	 */
	bool			 growing;
	const void		*dialect;	/* how it uses conventions that formats share */
	void			*priv;		/* in the arena */
};

struct format_ops {
	const char	*name;			/* for --input-format */
	const char	*title;
	const char	*block;			/* what a block of events is called; NULL: events
						   stand alone, and frames are runs of them */

	/* 0: not this format; else how sure, up to 100. */
	int	(*probe)(struct span head);
	/*
	 * Read the stream header: fills info, *first is the first frame's offset. Fails as
	 * trace_open() says, with why.
	 */
	int	(*open)(struct format *f, uint64_t *first, struct buf *why);
	/*
	 * The frame at off. 1 a frame; 0 the end mark (out->next is after it); ERR_TRUNCATED: the
	 * file ends before it can be told what it is; ERR_FORMAT: no frame begins here. Any thread.
	 */
	int	(*frame)(const struct format *f, uint64_t off, struct frame *out);
	/* The next offset at or after off where a frame begins; false: none. */
	bool	(*resync)(const struct format *f, uint64_t off, uint64_t *at);

	/* The state at the begin of a frame of events; ERR_FORMAT with *text: undecodable. */
	int	(*begin)(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, const char **text);
	/*
	 * Decode headers from st on, adding to s: 1 the frame is done (or what is left of it is
	 * bad: added to s->bad, unless the frame is growing; st then stands before it, and when
	 * more of the frame is there the scan can go on), 0 s is full: call again after it was
	 * emptied.
	 */
	int	(*scan)(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, struct scan *s);
	/*
	 * Decode up to max events into out (all but type's and threads' final indexes, which stay
	 * raw: type is the metadata id, thread and capture index ids). Returns how many; 0 at the
	 * frame's end or at what is bad.
	 */
	size_t	(*decode)(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
		    struct id_list *types);
	int	(*commit)(struct format *f, const struct frame *fr, struct span body);
	/*
	 * Or NULL. A metadata row that lies among the events (V3: scan_add_row() saw it) or, with
	 * types_wide, the type of the event at off, whose raw id is id: calls up->type*().
	 */
	void	(*commit_row)(struct format *f, uint64_t id, uint64_t off);

	/*
	 * The stack of number index in the body of a frame that was given to commit_ops.stacks:
	 * its addresses as bytes in the body. *walk is the caller's memory of a walk (0 at first).
	 */
	struct span (*stack)(const struct format *f, struct span body, uint32_t index,
		    uint64_t walk[2]);
	/* Or NULL: the addresses that follow the event itself (V3). */
	struct span (*own_stack)(const struct format *f, const struct event *e);
	/* Or NULL: label list number index in the body, as stack(); at most max, how many. */
	size_t	(*labels)(const struct format *f, struct span body, uint32_t index,
		    uint64_t walk[2], struct label *out, size_t max);
	/* Or NULL: what only the event's header in the file says (Heph). */
	void	(*extra)(const struct format *f, const struct event *e, struct event_extra *out);
};

/* The registry: NULL after the last. */
const struct format_ops	*format_at(unsigned i);
/* By name, or by looking at the file. NULL with why: which format it is, or what is read. */
const struct format_ops	*format_choose(const struct source *s, const char *name, struct buf *why,
			    int *err);

extern const struct format_ops	format_nettrace4;
extern const struct format_ops	format_nettrace6;
extern const struct format_ops	format_netperf3;
extern const struct format_ops	format_netperf2;
extern const struct format_ops	format_heph;

/* Append a raw id unless it is the last one; its index. */
uint32_t	id_list_add(struct id_list *l, uint64_t id);

#endif
