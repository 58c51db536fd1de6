#!/bin/sh
# The rules of the source text that no compiler checks: which layer may include which, which file
# alone may include a dangerous header, which functions nobody calls. See doc/HACKING.md.
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

# deny FILE CODE PATTERN REASON: no line of CODE may match.
deny() {
	hits=$(grep -nE "$3" "$2") || return 0
	echo "$hits" | sed "s|^|$1:|"
	complain "  ^ $4"
}

layer_of() {
	case $1 in
	src/*)	 rest=${1#src/} ;;
	include/tnav/*) rest=${1#include/tnav/} ;;
	esac
	echo "${rest%%/*}"
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

while read -r f; do
	code=$tmp/code
	awk -f "$here/strip.awk" "$srcdir/$f" >"$code"
	layer=$(layer_of "$f")
	allowed=$(below "$layer")
	[ -n "$allowed" ] || complain "$f: not in a layer"
	case $f in
	src/*)	grep -qF "$f" "$srcdir/src/sources.mk" || complain "$f: not in src/sources.mk" ;;
	esac
	for l in $(sed -nE 's|^[ \t]*#[ \t]*include[ \t]+"tnav/([^/]*)/.*|\1|p' "$code" | sort -u); do
		case " $allowed " in
		*" $l "*) ;;
		*) complain "$f: layer $layer may not include tnav/$l" ;;
		esac
	done
	deny "$f" "$code" '#[ \t]*include[ \t]+"[^"]*\.\./' 'no include goes up the tree'
	for l in $(sed -nE 's|^[ \t]*#[ \t]*include[ \t]+"([^"]*)".*|\1|p' "$code" | grep -v '^tnav/'); do
		case $l in
		"$layer"/*) ;;
		*) complain "$f: \"$l\" is neither a public header nor one of layer $layer" ;;
		esac
	done
	for rule in 'src/ui/term/term.c curses' 'src/io/source.c sys/mman' 'src/base/job.c pthread' 'src/analysis/symbols/elf.c (libelf|gelf)' \
	    'src/live/peer.c sys/un'; do
		[ "$f" = "${rule% *}" ] ||
			deny "$f" "$code" "#[ \t]*include[ \t]+<(ncursesw/|ncurses)?n?${rule#* }\.h>" \
			    "<${rule#* }.h> only in ${rule% *}"
	done
	[ "$f" = src/ui/term/term.c ] || deny "$f" "$code" \
	    "$WORD(mv|w|mvw)?(printw|addn?str|addn?wstr|putp|tputs)[ \t]*\\(" 'curses only in src/ui/term/term.c'
	[ "$f" = src/base/mem.c ] || deny "$f" "$code" \
	    "$WORD(malloc|calloc|realloc|reallocarray|free|strn?dup|v?asprintf)[ \t]*\\(" \
	    'memory comes from tnav/base/mem.h'
	[ "$f" = include/tnav/base/sort.h ] || deny "$f" "$code" "${WORD}qsort[ \t]*\\(" \
	    'arrays are sorted by sort_array(), which takes what is empty'
	case $f in
	src/io/file.c|src/io/spool.c|src/ui/term/*) ;;
	*) deny "$f" "$code" \
	    "(^|[^A-Za-z0-9_])(O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)([^A-Z_]|\$)|(creat|f(re|d)?open|mko?stemps?|tmpfile|rename(at2?)?|link(at)?|truncate)[ \t]*\\()" \
	    'files are written by src/io/file.c' ;;
	esac
	case $f in
	src/out/*|src/app/*|src/io/output.c|src/ui/term/term.c) ;;
	*) deny "$f" "$code" "$WORD(printf|puts|putchar)[ \t]*\\(|${WORD}stdout([^A-Za-z0-9_]|\$)" \
	    'results leave through out' ;;
	esac
	deny "$f" "$code" \
	    "$WORD(v?sprintf|strcpy|stpcpy|strcat|strtok(_r)?|ato[ifl]|atoll|gets|alloca|_?longjmp|_?setjmp|sig(set|long)jmp|system|popen|mktemp|tmpnam)[ \t]*\\(" \
	    'a banned function'
	deny "$f" "$code" 'typedef[ \t]+(struct|union|enum)' 'struct x, not a typedef for it'
	LC_ALL=C awk '{
		line = $0
		gsub(/[\200-\277]/, "", line)	# one column a character
		n = 0
		for (i = 1; i <= length(line); i++)
			n += substr(line, i, 1) == "\t" ? 8 - n % 8 : 1
		if (n > 100) print FNR ": " n " columns"
		if ($0 ~ /[ \t\r]$/) print FNR ": blanks at the end"
	}' "$srcdir/$f" >"$tmp/layout"
	if [ -s "$tmp/layout" ]; then
		sed "s|^|$f:|" "$tmp/layout"
		failed=1
	fi
done <"$tmp/files"

exit $failed
