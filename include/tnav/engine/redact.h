/*
 * Redaction: texts of a trace become letters, each of the length that it had.
 *
 *	/home/ann/app.dll	->	GkTfBwZmRdCnXpHsL	the same wherever it stands
 *
 * The letters follow from a keyed hash of the text, so equal texts stay equal, and numbers of them
 * can be counted. Lengths stay, too, and all numbers, times, addresses and ids. So do the names of
 * providers, events and fields. What cannot be decoded becomes zeroes.
 */
#ifndef TNAV_ENGINE_REDACT_H
#define TNAV_ENGINE_REDACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/model/type.h"

enum redact_what {
	REDACT_PATHS = 0x1,	/* of files, in URLs, hosts: by the field, or with a slash in it */
	REDACT_ARGS = 0x2,	/* command lines, arguments */
	REDACT_NAMES = 0x4,	/* of code, threads and processes */
	REDACT_TEXT = 0x8,	/* all other texts, and bytes */
	REDACT_ALL = 0xf,
};

struct redact;
struct redact_texts;

/* key NULL: a random one. */
struct redact	*redact_new(unsigned what, const char *key);
void		 redact_free(struct redact *r);		/* NULL is fine */

/* Redact the texts of one field, PROVIDER/EVENT.FIELD, whatever their kind; or, if keep, never. */
void		 redact_field(struct redact *r, const char *field, bool keep);
/* Also redact all texts, of any kind, that contain one of these, which are sorted. */
void		 redact_seek(struct redact *r, const struct redact_texts *hidden);

/* The kinds of text that a field has, by its name and its text as UTF-8: one of REDACT_... */
unsigned	 redact_kind(struct span field, struct span text);
/* Copy the payload to out, redacted. Texts that are replaced are added to `texts`, or NULL. */
void		 redact_payload(const struct redact *r, const struct event_type *t,
		    struct span payload, struct buf *out, struct redact_texts *texts);
/* Redact UTF-8 in place, if it is to be. */
void		 redact_utf8(const struct redact *r, unsigned kind, char *p, size_t len,
		    struct redact_texts *texts);

/* Different texts of at least REDACT_LEAST bytes. One thread at a time. */
#define REDACT_LEAST	8u
/* most: bytes of texts that are kept. */
struct redact_texts *redact_texts_new(size_t most);
void		 redact_texts_free(struct redact_texts *x);
void		 redact_texts_add(struct redact_texts *x, const struct redact_texts *more);
/* Prepare for redact_texts_find(); no text is found that is added later. */
void		 redact_texts_sort(struct redact_texts *x);
/* Is one of them in the bytes, as UTF-8 or UTF-16? Then *at is where, and *text which. */
bool		 redact_texts_find(const struct redact_texts *x, struct span s, size_t *at,
		    struct span *text);
size_t		 redact_texts_count(const struct redact_texts *x);
bool		 redact_texts_beyond(const struct redact_texts *x);	/* some were not kept */

#endif
