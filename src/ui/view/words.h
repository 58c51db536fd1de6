/* Texts for times, threads, gaps and blocks, and the message on the bottom line. */
#ifndef UI_VIEW_WORDS_H
#define UI_VIEW_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/engine/trace.h"

struct view;

/* A time in the chosen format. ns: since the sync time. */
void	view_time(const struct view *v, int64_t ts, struct buf *out);
/* All digits of it, for the clipboard: "2.106856587s", "2026-11-22T07:20:21.729051751Z". */
void	view_time_exact(const struct view *v, int64_t ts, struct buf *out);
void	view_time_ns(const struct view *v, int64_t ns, struct buf *out);
/* 2.104 311 s, always relative */
void	view_secs(const struct view *v, int64_t ts, struct buf *out);
/* From one time to another: 2.261 s, 352.140 ms. Trailing zeros are kept, so that the width is
   stable while it grows. */
void	view_dur(const struct view *v, int64_t from, int64_t to, struct buf *out);
/* The length of the trace, as far as it is read. */
void	view_length(const struct view *v, struct buf *out);
/* "350 events lost within 1.204 ms (number 41,878 ... 42,227)" */
void	view_gap_text(const struct view *v, const struct gap *g, struct buf *out);
/* 0x and as many digits as an address has */
void	view_address_text(const struct view *v, uint64_t address, struct buf *out);
/* 4711 or #3 */
void	view_thread_text(const struct view *v, uint32_t thread, struct buf *out);
void	view_process_text(bool has_pid, uint64_t pid, struct buf *out);	/* "process 5" */
/* "0x1a2b30: 65,536 bytes, 1,204 events within 3.1 ms, thread 25", of the block of an event */
void	view_block_text(const struct view *v, const struct block *b, const struct event *e,
	    struct buf *out);
/* Remove the message from the bottom line. It stays in the list of messages. */
void	view_hush(struct view *v);
void	view_say(struct view *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The same for a wrong command: a script stops at it, tnavrc reports its line. Returns false. */
bool	view_refuse(struct view *v, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
