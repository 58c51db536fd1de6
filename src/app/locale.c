/*
 * The character set. In a static program the C library finds no locale on a system without its
 * files, or with those of another version; so this one has a copy of C.UTF-8's characters.
 *
 *	the copy -> FOLDER/C.UTF-8/LC_CTYPE -> setlocale() maps it -> the folder is removed
 *
 * Without a folder to write to it remains ASCII, as with LANG=C.
 */
#include "app/locale.h"

#include <locale.h>
#include <stddef.h>

#ifdef LOCALE_FILE
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tnav/base/buf.h"
#include "tnav/io/file.h"

__asm__(".section .rodata\n"
    "locale_ctype: .incbin \"" LOCALE_FILE "\"\n"
    "locale_ctype_end: .byte 0\n"
    ".previous\n");
extern const char	locale_ctype[], locale_ctype_end[];

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

/* With the copy in a folder of its own below this one. */
static bool
try_folder(const char *below)
{
	struct buf	folder, inner, path, text;
	bool		good = false;

	buf_init(&folder);
	buf_init(&inner);
	buf_init(&path);
	buf_init(&text);
	buf_printf(&folder, "%s/tnav-XXXXXX", below);
	(void)buf_str(&folder);
	if (mkdtemp(folder.p) != NULL) {
		buf_printf(&inner, "%s/C.UTF-8", folder.p);
		buf_printf(&path, "%s/C.UTF-8/LC_CTYPE", folder.p);
		buf_add(&text, locale_ctype, (size_t)(locale_ctype_end - locale_ctype));
		good = mkdir(buf_str(&inner), 0700) == 0 &&
		    file_put(buf_str(&path), &text, FILE_PRIVATE) == 0 &&
		    setenv("LOCPATH", folder.p, 1) == 0 &&
		    setlocale(LC_CTYPE, "C.UTF-8") != NULL;
		(void)unsetenv("LOCPATH");
		(void)unlink(buf_str(&path));
		(void)rmdir(buf_str(&inner));
		(void)rmdir(folder.p);
	}
	buf_release(&folder);
	buf_release(&inner);
	buf_release(&path);
	buf_release(&text);
	return good;
}

static void
use_copy(void)
{
	const char	*below[] = { getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp",
			    "/dev/shm", "/var/tmp", "/run", "." };

	for (size_t i = 0; i < sizeof below / sizeof *below; i++)
		if (below[i] != NULL && below[i][0] != '\0' && try_folder(below[i]))
			return;
}
#endif

void
locale_begin(void)
{
	const char	*found = setlocale(LC_CTYPE, "");

#ifdef LOCALE_FILE
	if (wants_utf8() && (found == NULL || strcmp(found, "C") == 0) &&
	    setlocale(LC_CTYPE, "C.UTF-8") == NULL)
		use_copy();
#else
	(void)found;
#endif
}
