#!/bin/sh
# Every header compiles alone, and every module includes its own header first.
set -u
srcdir=${srcdir:-.}
failed=0

cd "$srcdir" || exit 99
for h in $(find include src -name '*.h' | sort); do
	${CC:-cc} -std=c11 -D_GNU_SOURCE -Iinclude -Isrc -Wall -Wextra -Werror -fsyntax-only -x c - <<-EOF || failed=1
	#include "$h"
	extern int tnav_headers_check;
	EOF
done
for c in $(find src -name '*.c' | sort); do
	h=${c#src/}
	h=${h%.c}.h
	if [ -f "include/tnav/$h" ]; then
		h=tnav/$h
	elif [ ! -f "src/$h" ]; then
		continue
	fi
	first=$(sed -nE 's/^#include[ \t]+["<]([^">]*)[">].*/\1/p' "$c" |
	    grep -vx config.h | head -n 1)
	if [ "$first" != "$h" ]; then
		echo "$c: includes \"$first\" before its own header"
		failed=1
	fi
done
exit $failed
