/*
 * Whole traces as the tests of damage see them: the bytes, where blocks lie, the events in the
 * file's order, and what the engine makes of the bytes when they are changed.
 */
#ifndef TNAV_TESTS_SAMPLE_H
#define TNAV_TESTS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define SLOW	1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLOW	1
#endif
#endif
#ifndef SLOW
#define SLOW	0
#endif

enum kind { KIND_V4, KIND_V6, KIND_V3, KIND_HEPH };

/* Where a block or a packet lies. */
struct place {
	size_t	start, end;
	bool	describes;		/* types or threads */
};

/* What identifies an event whatever follows it in the file. */
struct seen {
	uint64_t	off, tid, mid;
	uint64_t	least, most;	/* of it are in the file: surely whole; maybe whole */
	int64_t		ts;
	uint32_t	size, seq;
};

struct sample {
	char		 name[64];
	enum kind	 kind;
	uint8_t		*p;
	size_t		 len, header;	/* less than the header is refused */
	struct seen	*seen;		/* in the file's order */
	size_t		 n;
	struct place	*places;	/* blocks, objects or packets */
	size_t		 nplaces;
	bool		 refused;
};

/* How closely to look. */
enum depth {
	LOOK_FILE,	/* events in the file's order, counts, findings */
	LOOK_ROWS,	/* also all rows */
	LOOK_ALL,	/* also payloads, stacks and ids */
};

#define MAX_FINDINGS	64

struct result {
	int		 err;
	bool		 clean, cut;
	uint64_t	 cut_off;
	uint64_t	 damage[MAX_FINDINGS];	/* where findings above a note are */
	size_t		 ndamage;
	struct seen	*seen;
	size_t		 n;
};

/* Open the bytes, in a block of exactly their size, and look at all of it. */
void	look(struct result *r, enum kind kind, const uint8_t *p, size_t len, enum depth depth);
void	result_release(struct result *r);

bool	seen_equal(const struct seen *a, const struct seen *b, bool types);

/* The bytes, from malloc(), become the sample's. */
void	sample_init(struct sample *s, const char *name, uint8_t *p, size_t len);
void	sample_release(struct sample *s);

/*
 * Run fn on each trace of dir/files that can be read and has from least to most bytes; returns
 * how many there were.
 */
size_t	each_trace(const char *dir, const char *files, size_t least, size_t most,
	    void (*fn)(struct sample *s));

#endif
