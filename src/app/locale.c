/*
 * The character set. In a static program the C library finds no locale on a system without its
 * files, or with those of another version; so this one has a copy of C.UTF-8's characters.
 *
 *	the copy, gzip -> FOLDER/C.UTF-8/LC_CTYPE -> setlocale() maps it -> the folder is removed
 *
 * Only a terminal asks for a character set; what goes to files and pipes is always UTF-8, so that
 * nothing is written for it. Without a folder to write to it remains ASCII, as with LANG=C.
 */
#include "app/locale.h"

#include <locale.h>
#include <stddef.h>

#ifdef LOCALE_FILE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "tnav/base/buf.h"
#include "tnav/base/mem.h"
#include "tnav/io/file.h"

__asm__(".section .rodata\n"
    "locale_ctype: .incbin \"" LOCALE_FILE "\"\n"
    "locale_ctype_end: .byte 0\n"
    ".previous\n");
extern const char	locale_ctype[], locale_ctype_end[];

#define COPY_MOST	(1u << 20)	/* bytes; C.UTF-8 has 354 KB */
#define GZIP		16		/* for zlib: the bytes have a gzip header */

/* Is it asked for? Containers set none of these variables, and their terminals are not theirs. */
static bool
wants_utf8(void)
{
	static const char *const	names[] = { "LC_ALL", "LC_CTYPE", "LANG" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const char	*value = getenv(names[i]);

		if (value != NULL && value[0] != '\0')
			return strcasestr(value, "utf-8") != NULL ||
			    strcasestr(value, "utf8") != NULL;
	}
	return true;
}

static bool
unpack(struct buf *out)
{
	z_stream	z = { .next_in = (Bytef *)(uintptr_t)locale_ctype,
			    .avail_in = (uInt)(locale_ctype_end - locale_ctype),
			    .avail_out = COPY_MOST };
	bool		good = inflateInit2(&z, MAX_WBITS + GZIP) == Z_OK;

	if (!good)
		return false;
	z.next_out = (Bytef *)buf_room(out, COPY_MOST);
	good = inflate(&z, Z_FINISH) == Z_STREAM_END;
	out->len += z.total_out;
	(void)inflateEnd(&z);
	return good;
}

static void
restore(const char *name, const char *value)
{
	if (value != NULL)
		(void)setenv(name, value, 1);
	else
		(void)unsetenv(name);
}

/* With the copy in a folder of its own below this one. */
static bool
try_folder(const char *below, const struct buf *copy)
{
	const char	*given = getenv("LOCPATH");
	char		*before = given != NULL ? mem_strdup(given) : NULL;
	struct buf	folder = { 0 }, inner = { 0 }, path = { 0 };
	bool		good = false;

	buf_printf(&folder, "%s/tnav-XXXXXX", below);
	(void)buf_str(&folder);
	if (mkdtemp(folder.p) != NULL) {
		buf_printf(&inner, "%s/C.UTF-8", folder.p);
		buf_printf(&path, "%s/C.UTF-8/LC_CTYPE", folder.p);
		good = mkdir(buf_str(&inner), 0700) == 0 &&
		    file_put(buf_str(&path), copy, FILE_PRIVATE) == 0 &&
		    setenv("LOCPATH", folder.p, 1) == 0 &&
		    setlocale(LC_CTYPE, "C.UTF-8") != NULL;
		restore("LOCPATH", before);
		(void)unlink(buf_str(&path));
		(void)rmdir(buf_str(&inner));
		(void)rmdir(folder.p);
	}
	buf_release(&folder);
	buf_release(&inner);
	buf_release(&path);
	mem_free(before);
	return good;
}

static void
use_copy(void)
{
	const char	*below[] = { getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp",
			    "/dev/shm", "/var/tmp", "/run", "." };
	struct buf	 copy = { 0 };
	bool		 good;

	good = !unpack(&copy);
	for (size_t i = 0; i < sizeof below / sizeof *below && !good; i++)
		good = below[i] != NULL && below[i][0] != '\0' && try_folder(below[i], &copy);
	buf_release(&copy);
}
#endif

void
locale_begin(void)
{
	const char	*found = setlocale(LC_CTYPE, "");

#ifdef LOCALE_FILE
	if (wants_utf8() && (isatty(STDOUT_FILENO) == 1 || isatty(STDERR_FILENO) == 1) &&
	    (found == NULL || strcmp(found, "C") == 0) &&
	    setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		use_copy();
#else
	(void)found;
#endif
}
