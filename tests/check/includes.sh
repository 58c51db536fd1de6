#!/bin/sh
# Every module includes its own header first, so that its compilation shows that the header compiles
# alone. A header without a module is compiled here.
set -u
srcdir=${srcdir:-.}
failed=0

built=$(pwd)/src
cd "$srcdir" || exit 99
for h in $(find include src -name '*.h' | sort); do
	name=${h#src/}
	name=${name#include/}
	c=${h#src/}
	c=src/${c#include/tnav/}
	c=${c%.h}.c
	if [ -f "$c" ]; then
		first=$(sed -nE '/config\.h/d; s/^#include[ \t]+["<]([^">]*)[">].*/\1/p; T; q' "$c")
		[ "$first" = "$name" ] && continue
		echo "$c: includes \"$first\" before its own header"
		failed=1
	fi
	${CC:-cc} -std=c11 -D_GNU_SOURCE -Iinclude -Isrc -I"$built" -Wall -Wextra -Werror -fsyntax-only -x c - <<-EOF || failed=1
	#include "$name"
	extern int tnav_headers_check;
	EOF
done
exit $failed
