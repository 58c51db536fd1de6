/*
 * The formats that tnav reads, and how a file is recognised. A new format is one line here.
 */
#include <string.h>

#include "tnav/base/err.h"
#include "tnav/format/format.h"

static const struct format_ops *const	formats[] = {
	&format_nettrace4,
	&format_nettrace6,
	&format_netperf3,
	&format_netperf2,
	&format_heph,
	NULL
};

/* Other files that users may open by mistake, by their first bytes. */
static const struct magic {
	const char	*bytes;
	size_t		 len;
	const char	*what;
} magics[] = {
	{ "PK\003\004", 4, "is a zip file: unpack it first" },
	{ "\x1f\x8b", 2, "is compressed with gzip: decompress it first" },
	{ "\x28\xb5\x2f\xfd", 4, "is compressed with zstd: decompress it first" },
	{ "\xfd" "7zXZ", 5, "is compressed with xz: decompress it first" },
	{ "BZh", 3, "is compressed with bzip2: decompress it first" },
	{ "\x04\x22\x4d\x18", 4, "is compressed with lz4: decompress it first" },
	{ "\xd4\xc3\xb2\xa1", 4, "is a packet capture (pcap), not a trace" },
	{ "\xa1\xb2\xc3\xd4", 4, "is a packet capture (pcap), not a trace" },
	{ "\x0a\x0d\x0d\x0a", 4, "is a packet capture (pcapng), not a trace" },
	{ "\x7f" "ELF", 4, "is a program or library (ELF), not a trace" },
	{ "PERFILE2", 8, "is a perf.data file, which tnav does not read" },
	{ "{\"$schema\":\"https://www.speedscope", 33, "is a speedscope file, not a trace" },
};

const struct format_ops *
format_at(unsigned i)
{
	return i < sizeof formats / sizeof *formats ? formats[i] : NULL;
}

static bool
is_text(struct span head)
{
	for (size_t i = 0; i < head.len; i++)
		if (head.p[i] < 0x20 && memchr("\t\n\r\f\033", head.p[i], 5) == NULL)
			return false;
	return head.len > 0;
}

static void
say_what_it_is(struct span head, struct buf *why)
{
	for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
		if (head.len >= magics[i].len &&
		    memcmp(head.p, magics[i].bytes, magics[i].len) == 0) {
			buf_puts(why, magics[i].what);
			return;
		}
	}
	buf_puts(why, is_text(head) ? "is a text file, not a trace; tnav reads" :
	    "is not a trace; tnav reads");
	for (unsigned i = 0; formats[i] != NULL; i++) {
		buf_puts(why, i ? ", " : " ");
		buf_puts(why, formats[i]->title);
	}
}

static const struct format_ops *
by_name(const char *name, struct buf *why, int *err)
{
	for (unsigned i = 0; formats[i] != NULL; i++)
		if (strcmp(formats[i]->name, name) == 0)
			return formats[i];
	buf_puts(why, "unknown input format; known:");
	for (unsigned i = 0; formats[i] != NULL; i++)
		buf_printf(why, " %s", formats[i]->name);
	*err = ERR_USAGE;
	return NULL;
}

const struct format_ops *
format_choose(const struct source *s, const char *name, struct buf *why, int *err)
{
	struct span		 head = source_span(s, 0, 4096);
	const struct format_ops	*best = NULL;
	int			 most = 0;

	*err = ERR_FORMAT;
	if (name != NULL)
		return by_name(name, why, err);
	if (head.len == 0) {
		buf_puts(why, source_error(s) != NULL ? source_error(s) : "is empty");
		return NULL;
	}
	for (unsigned i = 0; formats[i] != NULL; i++) {
		int	sure = formats[i]->probe(head);

		if (sure > most) {
			most = sure;
			best = formats[i];
		}
	}
	if (best == NULL)
		say_what_it_is(head, why);
	return best;
}
