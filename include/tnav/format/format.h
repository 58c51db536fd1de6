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
	FRAME_SKIP,		/* unknown, or too new: commit() only reports it */
};

struct frame {
	enum frame_kind	 kind;
	unsigned	 sub;		/* the format's own kind */
	uint64_t	 off, next;	/* the whole frame: [off, next) */
	uint64_t	 body, len;	/* its content, clipped to the file */
	bool		 cut;		/* the file, or a later frame, ends it early */
	/*
	 * Events only: the end is not known yet, and next and len are upper bounds. The frame ends
	 * at decode_state.pos of its body when scan() is done or decode() gives 0. Two such frames
	 * fit in one scan.
	 */
	bool		 open;
	bool		 growing;	/* cut, but the rest may still come: no damage */
};

/* The state of a decoder between two events of a frame. Each format knows its own fields. */
struct decode_state {
	uint64_t	 pos;		/* offset of the next event in the body */
	uint64_t	 w[12];
};

/* Raw thread ids met while decoding; struct event's thread and capture index it. */
struct id_list {
	uint64_t	*id;
	size_t		 n, cap;
};

/* A declaration of a thread (V6). Strings live in the arena. */
struct thread_decl {
	uint64_t	 index;		/* raw id, by which events name it */
	bool		 has_pid, has_tid;
	uint64_t	 pid, tid;
	const char	*name;		/* or NULL */
	uint32_t	 nkv;
	struct key_value *kv;
	uint64_t	 off;		/* valid from here on */
};

#define BARRIER_FLUSH_THREADS	0x1u	/* thread indexes become invalid here */
#define BARRIER_FLUSH_TYPES	0x2u	/* metadata ids become invalid here */

/* The engine's functions that commit() calls. All spans are bytes of the file. */
struct commit_ops {
	/*
	 * The metadata id denotes the type that these bytes of the file describe. True: the type is
	 * known already. False: pass it to type(), with all its memory in the arena.
	 */
	bool	(*type_known)(void *arg, uint64_t metadata_id, struct span content, uint64_t off);
	void	(*type)(void *arg, struct span content, const struct event_type *t);
	/* Stacks first .. first + count - 1 are in a frame whose body is at off. */
	void	(*stacks)(void *arg, uint32_t first, uint32_t count, uint64_t off, uint64_t len);
	/* A sequence point: one call of barrier(), one per thread, one of barrier_end(). */
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
	_Atomic uint64_t	*searched;	/* bytes that frame() and resync() searched for
						   the start of a frame; or NULL */
	const struct commit_ops	*up;
	void			*up_arg;
	struct trace_info	 info;
	bool			 reuses_ids;		/* number 1 may begin a new incarnation */
	bool			 declares;	/* threads are declared: V6 */
	/* Heph: raw type ids have 64 bits, so decode() gives indexes of its second id_list; */
	bool			 types_wide;
	bool			 no_end_mark;	/* a file that ends after a frame is complete */
	/*
	 * Set by the walk for frame(): the file is still being written. A frame that is longer than
	 * the file is accepted and cut, and no other frame is searched for inside it.
	 */
	bool			 growing;
	const void		*dialect;	/* how it uses conventions that formats share */
	void			*priv;		/* in the arena */
};

struct format_ops {
	const char	*name;			/* for --input-format */
	const char	*title;
	const char	*block;			/* the name of a block of events; NULL: there are no
						   blocks, and frames are runs of events */

	/* 0: not this format; up to 100: the certainty that it is. */
	int	(*probe)(struct span head);
	/*
	 * Read the stream header: fills info, *first is the first frame's offset. Fails as
	 * trace_open() says, with why.
	 */
	int	(*open)(struct format *f, uint64_t *first, struct buf *why);
	/*
	 * The frame at off. 1: a frame; 0: the end mark (out->next is after it); ERR_TRUNCATED: too
	 * few bytes to tell; ERR_FORMAT: no frame begins here. Any thread.
	 */
	int	(*frame)(const struct format *f, uint64_t off, struct frame *out);
	/* The next offset at or after off where a frame begins; false: none. */
	bool	(*resync)(const struct format *f, uint64_t off, uint64_t *at);

	/* The state at the start of a frame of events; ERR_FORMAT with *text: undecodable. */
	int	(*begin)(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, const char **text);
	/*
	 * Decode headers from st on and add them to s. 1: the frame is done, or the rest of it is
	 * bad. The rest is added to s->bad, unless the frame is growing: then st is before it, and
	 * the scan can continue when more of the frame has arrived. 0: s is full; empty it and call
	 * again.
	 */
	int	(*scan)(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, struct scan *s);
	/*
	 * Decode up to max events into out, except for the final indexes: type is the raw metadata
	 * id, and thread and capture are indexes of ids. Returns how many; 0 at the end of the
	 * frame or of its good part.
	 */
	size_t	(*decode)(const struct format *f, const struct frame *fr, struct span body,
		    struct decode_state *st, struct event *out, size_t max, struct id_list *ids,
		    struct id_list *types);
	int	(*commit)(struct format *f, const struct frame *fr, struct span body);
	/*
	 * Or NULL. Commit a metadata row that lies among the events (V3, see scan_add_row()) or,
	 * with types_wide, the type with raw id `id` of the event at off: calls up->type*().
	 */
	void	(*commit_row)(struct format *f, uint64_t id, uint64_t off);

	/*
	 * Stack number index in the body of a frame that was given to commit_ops.stacks: its
	 * addresses as bytes in the body. walk keeps the position for the next call; {0, 0} at
	 * first.
	 */
	struct span (*stack)(const struct format *f, struct span body, uint32_t index,
		    uint64_t walk[2]);
	/* Or NULL: the addresses that follow the event itself (V3). */
	struct span (*own_stack)(const struct format *f, const struct event *e);
	/* Or NULL: label list number index in the body, like stack(). Returns how many, <= max. */
	size_t	(*labels)(const struct format *f, struct span body, uint32_t index,
		    uint64_t walk[2], struct label *out, size_t max);
	/* Or NULL: fields of the event's header that are not in struct event (Heph). */
	void	(*extra)(const struct format *f, const struct event *e, struct event_extra *out);
};

/* The registry: NULL after the last. */
const struct format_ops	*format_at(unsigned i);
/* By name, or by the file's first bytes. NULL: why names its format, or those that can be read. */
const struct format_ops	*format_choose(const struct source *s, const char *name, struct buf *why,
			    int *err);

extern const struct format_ops	format_nettrace4;
extern const struct format_ops	format_nettrace6;
extern const struct format_ops	format_netperf3;
extern const struct format_ops	format_netperf2;
extern const struct format_ops	format_heph;

/* Append a raw id unless it is the last one; returns its index. */
uint32_t	id_list_add(struct id_list *l, uint64_t id);

#endif
