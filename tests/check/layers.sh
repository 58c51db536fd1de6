#!/bin/sh
# The rules of the source text that no compiler checks: which layer may include which, which file
# alone may include a dangerous header or call a dangerous function, that a tag is defined once, and
# that a line has at most 100 columns. See doc/HACKING.md.
set -u
srcdir=${srcdir:-.}
here=$srcdir/tests/check
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
failed=0

# Is this check able to see anything at all?
expect=$(printf 'int a; /* malloc(1) */\nchar *s = "malloc(2)"; /* a\n b */ malloc(3);\n' |
    awk -f "$here/strip.awk" | grep -n 'malloc')
if [ "$expect" != '3: malloc(3);' ] && [ "$expect" != '3:  malloc(3);' ]; then
	echo "strip.awk is broken: '$expect'"
	exit 1
fi

complain() {
	echo "$1"
	failed=1
}

# deny EXCEPT PATTERN REASON: no line of code may match, but in the files EXCEPT (a pattern too).
deny() {
	hits=$(cd "$tmp/code" && grep -rnE "$2" src include | grep -vE "^($1):" | sort) || return 0
	[ -z "$hits" ] || complain "$hits
  ^ $3"
}

# The layers that each layer may include.
below() {
	case $1 in
	base)	echo base ;;
	io)	echo base io ;;
	model)	echo base io model ;;
	format)	echo base io model format ;;
	engine)	echo base io model format engine ;;
	analysis) echo base io model format engine analysis ;;
	out)	echo base io model format engine analysis out ;;
	ui)	echo base io model format engine analysis ui ;;
	live)	echo base io model live ;;
	app)	echo base io model format engine analysis out ui live app ;;
	esac
}

WORD='(^|[^A-Za-z0-9_.>])'	# a call of our own names is not one of these: x->free(), mem_free()

(cd "$srcdir" && find src include -name '*.[ch]' | sort) >"$tmp/files"
[ -s "$tmp/files" ] || complain "no sources found under $srcdir"
mkdir "$tmp/code"
sed 's|/[^/]*$||' "$tmp/files" | sort -u | (cd "$tmp/code" && xargs mkdir -p)
(strip=$(cd "$here" && pwd)/strip.awk && cd "$srcdir" &&
    xargs awk -v to="$tmp/code/" -f "$strip" <"$tmp/files")
[ "$(cd "$tmp/code" && find . -type f | wc -l)" -eq "$(wc -l <"$tmp/files")" ] ||
	complain "not every source was read"
for layer in $(sed -E 's#^(src|include/tnav)/([^/]*).*#\2#' "$tmp/files" | sort -u); do
	[ -n "$(below "$layer")" ] || complain "$layer: not a layer"
done

# "file" layer "included", one a line.
(cd "$tmp/code" && grep -rE '^[ \t]*#[ \t]*include[ \t]+"' src include) |
    sed -nE 's#^((src|include/tnav)/([^/:]*)[^:]*):[^"]*"([^"]*)".*#\1 \3 \4#p' >"$tmp/includes"
[ -s "$tmp/includes" ] || complain "no includes found"
for layer in base io model format engine analysis out ui live app; do
	allowed=$(below $layer | tr ' ' '|')
	grep -E "^[^ ]* $layer tnav/" "$tmp/includes" | grep -vE " tnav/($allowed)/" >"$tmp/wrong" &&
		complain "$(sed "s|$| is not of a layer that $layer may include|" "$tmp/wrong")"
	grep -E "^[^ ]* $layer " "$tmp/includes" | grep -vE "^[^ ]* $layer (tnav|$layer)/" >"$tmp/wrong" &&
		complain "$(sed "s|$| is neither a public header nor one of layer $layer|" "$tmp/wrong")"
done
deny '' '#[ \t]*include[ \t]+"[^"]*\.\./' 'no include goes up the tree'
for rule in 'src/ui/term/term.c curses' 'src/(io/source|base/large).c sys/mman' 'src/base/job.c pthread' \
    'src/analysis/symbols/elf.c (libelf|gelf)' 'src/live/peer.c sys/un'; do
	deny "${rule% *}" "#[ \t]*include[ \t]+<(ncursesw/|ncurses)?n?${rule#* }\.h>" \
	    "<${rule#* }.h> only in ${rule% *}"
done
deny src/ui/term/term.c "$WORD(mv|w|mvw)?(printw|addn?str|addn?wstr|putp|tputs)[ \t]*\\(" \
    'curses only in src/ui/term/term.c'
deny src/base/mem.c \
    "$WORD(malloc|calloc|realloc|reallocarray|free|strn?dup|v?asprintf)[ \t]*\\(" \
    'memory comes from tnav/base/mem.h'
deny include/tnav/base/sort.h "${WORD}qsort[ \t]*\\(" \
    'arrays are sorted by sort_array(), which takes what is empty'
deny 'src/io/file.c|src/ui/term/.*' \
    "(^|[^A-Za-z0-9_])(O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)([^A-Z_]|\$)|(creat|f(re|d)?open|mko?stemps?|tmpfile|rename(at2?)?|link(at)?|truncate)[ \t]*\\()" \
    'files are written by src/io/file.c'
deny 'src/out/.*|src/app/.*|src/io/output.c|src/ui/term/term.c' \
    "$WORD(printf|puts|putchar)[ \t]*\\(|${WORD}stdout([^A-Za-z0-9_]|\$)" \
    'results leave through out'
deny src/live/peer.c "$WORD(socket|connect|bind|listen|accept4?)[ \t]*\\(" \
    'named sockets are opened by src/live/peer.c'
deny '' \
    "$WORD(v?sprintf|strcpy|stpcpy|strcat|strtok(_r)?|ato[ifl]|atoll|gets|alloca|_?longjmp|_?setjmp|sig(set|long)jmp|system|popen|mktemp|tmpnam)[ \t]*\\(" \
    'a banned function'
deny '' 'typedef[ \t]+(struct|union|enum)' 'struct x, not a typedef for it'

# A tag is defined once, also where the two files never meet.
(cd "$tmp/code" &&
    grep -rnoE '(^|[^(A-Za-z0-9_])(struct|union|enum)[ \t]+[A-Za-z0-9_]+[ \t]*\{' src include) |
    sed -E 's/^([^:]*:[0-9]+):.*[ \t]([A-Za-z0-9_]+)[ \t]*\{$/\2 \1/' | sort >"$tmp/tags"
[ -s "$tmp/tags" ] || complain "no tags found"
awk '$1 == tag { print file " and " $2 ": the tag " tag " is defined twice" } { tag = $1; file = $2 }' \
    "$tmp/tags" >"$tmp/wrong"
[ ! -s "$tmp/wrong" ] || complain "$(cat "$tmp/wrong")"

(cd "$srcdir" && LC_ALL=C xargs awk '{
	line = $0
	gsub(/[\200-\277]/, "", line)	# one column a character
	if (length(line) + 7 * gsub(/\t/, "\t", line) <= 100 && $0 !~ /[ \t\r]$/) next
	n = 0
	for (i = 1; i <= length(line); i++)
		n += substr(line, i, 1) == "\t" ? 8 - n % 8 : 1
	if (n > 100) print FILENAME ":" FNR ": " n " columns"
	if ($0 ~ /[ \t\r]$/) print FILENAME ":" FNR ": blanks at the end"
}') <"$tmp/files" >"$tmp/layout"
[ ! -s "$tmp/layout" ] || complain "$(cat "$tmp/layout")"

exit $failed
