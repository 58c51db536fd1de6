/*
 * Names of stack addresses. The engine shows and compares names, but does not make them: their
 * maker (tnav/analysis/symbols.h) lends the trace a namer.
 *
 *	ip 0x7fd384779773	named	raw    System.Array.Copy(class System.Array,int32)
 *					clean  System.Array.Copy(Array, int)
 *					module System.Private.CoreLib.dll
 *	ip 0x7f88647878af	known	module libc.so.6, offset 0x2784f, why NAME_NATIVE
 *	ip 0x7f3c00000010	neither	why NAME_UNMAPPED
 */
#ifndef TNAV_ENGINE_NAMING_H
#define TNAV_ENGINE_NAMING_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"
#include "tnav/engine/derived.h"
#include "tnav/model/event.h"

/* Why a frame has no name, or an unsure one. */
enum name_why {
	NAME_SURE,
	NAME_NOT_READ,		/* names were not searched */
	NAME_NO_METHODS,	/* the trace has no names of methods */
	NAME_NO_RUNDOWN,	/* it has only names of methods compiled during the recording */
	NAME_LATER,		/* the code there was loaded later */
	NAME_UNLOADED,		/* ... and unloaded before */
	NAME_ENTRY_POINT,	/* only the start of precompiled code is known, not its length */
	NAME_DYNAMIC,		/* dynamic code, whose loads and unloads were not recorded */
	NAME_LOST,		/* events were lost, maybe the one with its name */
	NAME_NATIVE,		/* native code without symbols */
	NAME_STUB,		/* native code or a stub between methods */
	NAME_UNMAPPED,		/* outside of all mappings of its process */
	NAME_WHYS
};

/* A frame; texts are UTF-8 of any content and stay valid as long as the namer. */
struct frame_name {
	struct span	raw, clean;	/* p NULL: there is no name */
	bool		method;		/* a .NET method; else a native symbol without parts */
	uint32_t	type_len, args_at;	/* raw: bytes of its type, and where the parameter
					   list begins */
	struct span	module;		/* base name of its file; p NULL: not known */
	bool		has_offset;	/* no name, but the offset in the module's file is known */
	uint64_t	offset;
	bool		unsure;		/* the name is a guess; why says why */
	enum name_why	why;
	int64_t		from, to;	/* ticks [from, to) for which this is valid */
};

/* Names are valid in [*from, *to): only in [a, b), too. */
static inline void
time_narrow(int64_t *from, int64_t *to, int64_t a, int64_t b)
{
	if (a > *from)
		*from = a;
	if (b < *to)
		*to = b;
}

/* A namer of frames. Its functions are called by any thread at any time. */
struct stack_namer {
	void	*self;
	/* The frame of the event's stack at depth (0: the innermost). False: it has no name, but
	   the other members are set. clean: also set clean, which costs a little more. */
	bool	(*frame)(void *self, const struct event *e, uint64_t ip, unsigned depth, bool clean,
		    struct frame_name *out);
	/* The number of the process of the event's thread. An address has the same name in all
	   events of a process, within the name's time. This is very fast. */
	uint32_t (*process)(void *self, const struct event *e);
};

/* The frame by the trace's namer; NAME_NOT_READ if there is none. */
bool	trace_name_frame(struct trace *t, const struct event *e, uint64_t ip, unsigned depth,
	    bool clean, struct frame_name *out);

enum frame_form { FRAME_RAW, FRAME_CLEAN };

/* The same for a frame after so many bytes of names in its stack: beyond STACK_TEXT_MOST it is an
   address. */
bool	trace_name_bounded(struct trace *t, const struct event *e, uint64_t ip, unsigned depth,
	    bool clean, size_t behind, struct frame_name *out);

/* After so many bytes of names, the frames of a stack are written as addresses: a name can be long,
   and thousands of frames, in any number of events, can have it. */
#define STACK_TEXT_MOST	(1u << 20)

/*
 * Append the frame as one text: its name, followed by " ?" if that is a guess; module+0x12; or
 * 0x7f...
 */
void	frame_text(struct buf *out, const struct frame_name *f, uint64_t ip, enum frame_form form);
/* A phrase, NULL for NAME_SURE: "native code without symbols". */
const char *name_why_text(enum name_why w);

#endif
