/*
 * Messages of the diagnostics protocol of .NET: requests as bytes, answers as values.
 *
 *	offset	0		14	16	17	18	20
 *		magic		size	set	command	0	payload
 *
 * A malformed request can kill the program that receives it, so only requests made by these
 * functions are sent. An answer is untrusted: every count is checked against the bytes that are
 * left. Bytes after the known fields are allowed.
 *
 * Specification: "the diagnostics protocol of .NET", sections 2 to 5 and 8.
 */
#ifndef TNAV_LIVE_MESSAGE_H
#define TNAV_LIVE_MESSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tnav/base/buf.h"
#include "tnav/base/cursor.h"

#define MESSAGE_HEADER	20u
#define MESSAGE_MOST	UINT16_MAX		/* greatest size of a message in bytes */
#define ADVERT_BYTES	34u

/* ---- requests */

/* set << 8 | command */
enum request {
	REQUEST_STOP = 0x0201,
	REQUEST_COLLECT1 = 0x0202,	/* .NET Core 3: stacks and rundown always */
	REQUEST_COLLECT2 = 0x0203,	/* with or without rundown */
	REQUEST_COLLECT3 = 0x0204,	/* ... stacks */
	REQUEST_COLLECT4 = 0x0205,	/* a mask of rundown keywords */
	REQUEST_COLLECT5 = 0x0206,	/* chosen event ids */
	REQUEST_COLLECT6 = 0x0207,	/* block in place of drop */
	REQUEST_INFO1 = 0x0400,
	REQUEST_RESUME = 0x0401,
	REQUEST_INFO2 = 0x0404,
	REQUEST_INFO3 = 0x0408,
};

#define RUNDOWN_DEFAULT	0x80020139u

/* Which events of a provider: all, only these ids, all except these, none. */
enum collect_ids { COLLECT_ALL, COLLECT_ONLY, COLLECT_BUT };

struct collect_provider {
	const char	*name;		/* UTF-8, not empty; case counts */
	const char	*arguments;	/* "key=value;key=value", or NULL */
	uint64_t	 keywords;
	uint32_t	 level;		/* 0 to 5 */
	enum collect_ids which;
	const uint32_t	*ids;
	size_t		 nids;
};

/* What a session collects. The names of providers differ. */
struct collect {
	const struct collect_provider *provider;
	size_t		 n;
	uint32_t	 buffer_mb;
	uint64_t	 rundown;	/* keywords, 0: none */
	bool		 no_stacks, block;
};

/* The oldest request that can express this, so that older runtimes need no second attempt. */
enum request	collect_request(const struct collect *c);
/*
 * The next older request, for a runtime that does not know this one. 0: there is none, or it could
 * lose events although the user wants the program to block. *without is a literal phrase for what
 * the older request cannot express.
 */
enum request	collect_fall_back(const struct collect *c, enum request r, const char **without);
/* Returns 0; ERR_LIMIT if a message is too small for it; ERR_USAGE for what no runtime accepts:
   no provider or too many, an empty name, a repeated name, a level above 5, no buffer. */
int		collect_encode(struct buf *out, const struct collect *c, enum request r);
/* A request without a payload: info, resume. */
void		request_encode(struct buf *out, enum request r);
void		stop_encode(struct buf *out, uint64_t session);

/* ---- answers */

enum answer_kind { ANSWER_OK, ANSWER_ERROR };

/* What runtimes answer to an unknown request. */
#define ANSWER_UNKNOWN_COMMAND	0x80131385u

struct answer {
	enum answer_kind kind;
	uint32_t	 error;		/* of ANSWER_ERROR */
	struct span	 payload;	/* borrowed */
};

/*
 * The size of the whole answer with this header, MESSAGE_HEADER to MESSAGE_MOST. 0: not an answer.
 * head has MESSAGE_HEADER bytes.
 */
size_t	answer_size(const uint8_t head[MESSAGE_HEADER]);
/* Decode an answer of answer_size() bytes. Returns 0, or ERR_FORMAT. */
int	answer_decode(struct span bytes, struct answer *a);
/* A phrase for an error code, or NULL. */
const char *answer_error_text(uint32_t error);

/* The number of a session, from the answers to collect and stop. Returns 0, or ERR_TRUNCATED. */
int	session_decode(struct span payload, uint64_t *session);

/* What a program reports about itself. Texts are UTF-8, NUL-terminated, and empty if missing. A
   zeroed one has none. */
struct process_info {
	uint64_t	 pid;		/* as it sees itself */
	uint8_t		 cookie[16];	/* differs between two runs with the same pid */
	struct buf	 command_line, os, arch, assembly, version, rid;
};

void	process_info_release(struct process_info *p);
/* The payload of the answer to r, one of REQUEST_INFO1 to 3. 0, or ERR_TRUNCATED, ERR_FORMAT. */
int	process_info_decode(struct process_info *p, struct span payload, enum request r);

/* What a program sends after it has connected to our port. */
struct advert {
	uint8_t		 cookie[16];
	uint64_t	 pid;
};

/* Returns 0, or ERR_FORMAT. */
int	advert_decode(struct advert *a, const uint8_t bytes[ADVERT_BYTES]);

#endif
