#!/bin/sh
# No mutable globals: the objects of the library have no .data and no .bss, but for those that
# must remember something for a handler (mem, file, restore, source, stopping) or for all threads
# (large, message), and what is made once and never changes then: the built-in schemas, the keys of
# the hash.
set -u

[ -f libtnav.a ] || { echo "libtnav.a is not here"; exit 99; }
# Sanitizers put data of their own into every object: there the plain build is what counts.
if nm libtnav.a 2>/dev/null | grep -qE '__(asan|tsan|ubsan)_'; then
	echo "built with sanitizers: nothing to see"
	exit 0
fi
size -A libtnav.a | awk '
	/ex .*libtnav\.a/ { object = $1; next }
	$1 ~ /^\.(data|bss|tdata|tbss)(\.rel\.local|\.rel)?$/ && $2 > 0 {
		if (object ~ /(^|-)(hash|large|mem|message|file|restore|schema|source|stopping)\.o$/)
			next
		print object ": " $2 " bytes of " $1 ": a mutable global"
		failed = 1
	}
	{ seen++ }
	END { exit failed || seen == 0 }'
