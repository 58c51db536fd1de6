/*
 * Findings: what is wrong with a file, as data. Thread-safe; deduplicated by (kind, text) so that
 * a million bad rows are one finding with a count; limited in number, and the limit is reported.
 */
#ifndef TNAV_BASE_DIAG_H
#define TNAV_BASE_DIAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum severity {
	SEV_NOTE,	/* worth knowing, no damage (a decode by the built-in table) */
	SEV_WARN,	/* damage: something could not be read, or breaks the format's rules */
	SEV_ERROR,	/* damage that lost the rest of the file */
};

/* The names of the kinds never change: `check --format jsonl` prints them. */
enum finding_kind {
	FIND_CUT,		/* "cut"          the file ends in the middle of something */
	FIND_NOT_CLOSED,	/* "not-closed"   no end mark */
	FIND_TRAILING,		/* "trailing"     bytes after the end mark */
	FIND_SKIPPED,		/* "skipped"      bytes that could not be framed */
	FIND_BAD_BLOCK,		/* "bad-block"    a block whose rest could not be decoded */
	FIND_BAD_HEADER,	/* "bad-header"   odd values in the stream header */
	FIND_UNKNOWN_KIND,	/* "unknown-kind" an object or block of a kind that is not known */
	FIND_TOO_NEW,		/* "too-new"      a block that needs a newer reader */
	FIND_METADATA,		/* "metadata"     a metadata row that is bad, double or missing */
	FIND_STACK,		/* "stack"        a stack block that is bad */
	FIND_ORDER,		/* "order"        events that break the order the format promises */
	FIND_SEQUENCE,		/* "sequence"     numbers that can't be explained */
	FIND_THREAD,		/* "thread"       a thread that is not known, or double */
	FIND_LABEL,		/* "label"        a label list that is bad or not known */
	FIND_TIME,		/* "time"         time stamps out of any sensible range */
	FIND_SHRUNK,		/* "shrunk"       the file became shorter while it was read */
	FIND_UNREADABLE,	/* "unreadable"   the machine could not read a part of the file */
	FIND_LIMIT,		/* "limit"        a limit of the program was reached */
	FIND_KINDS
};

struct finding {
	enum severity		 severity;
	enum finding_kind	 kind;
	uint64_t		 off;		/* file offset of the first one */
	uint64_t		 bytes;		/* affected bytes in all; 0: none or unknown */
	uint64_t		 count;
	const char		*text;		/* one line, clean UTF-8; owned by the diag */
};

struct diag;

struct diag	*diag_new(void);
void		 diag_free(struct diag *d);
/*
 * Add a finding. The text contains no offset (off has it) and no number that differs between
 * findings of a kind: they could not be merged. Always returns ERR_FORMAT, so that a parser can
 * write `return diag_add(...)`.
 */
int		 diag_add(struct diag *d, enum severity sev, enum finding_kind kind, uint64_t off,
		    uint64_t bytes, const char *fmt, ...) __attribute__((format(printf, 6, 7)));
/* The same, for something found so many times from off on. */
int		 diag_add_times(struct diag *d, enum severity sev, enum finding_kind kind,
		    uint64_t off, uint64_t bytes, uint64_t times, const char *fmt, ...)
		    __attribute__((format(printf, 7, 8)));
/* Subtract one from the count of a finding that was wrong, as later bytes show. It may be one that
   was not kept: then nothing happens. */
void		 diag_take_back(struct diag *d, enum finding_kind kind, const char *text);
/*
 * Set a mark. diag_unjudge() takes back the findings added since. There is one mark at a time.
 */
void		 diag_judge(struct diag *d);
void		 diag_unjudge(struct diag *d);
/* A copy of all, by offset; the caller frees the array with mem_free(). Texts stay the diag's. */
size_t		 diag_list(struct diag *d, struct finding **out);
uint64_t	 diag_total(struct diag *d);		/* all, merged and dropped ones included */
bool		 diag_damaged(struct diag *d);		/* any above SEV_NOTE */
const char	*finding_kind_name(enum finding_kind k);
const char	*severity_name(enum severity s);	/* note warning error */

#endif
