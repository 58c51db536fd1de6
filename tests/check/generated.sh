#!/bin/sh
# The man page and the completions that are committed are what the program makes of its tables.
# generated.sh --update writes them anew.
set -u
srcdir=${srcdir:-.}
TNAV=${TNAV:-./tnav}
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
failed=0

[ -x "$TNAV" ] || { echo "no program at $TNAV: set TNAV"; exit 99; }

# fill TEMPLATE: the parts on standard input, each behind its @name@, take the place of the lines of
# the template that name them. All must be used, and no other named.
fill() {
	awk '
	FNR == NR && /^@[a-z-]+@$/ { name = $0; part[name] = ""; next }
	FNR == NR { part[name] = part[name] $0 "\n"; next }
	$0 in part { printf "%s", part[$0]; used[$0] = 1; next }
	/^@/ { print FILENAME ": no part " $0 >"/dev/stderr"; bad = 1 }
	{ print }
	END {
		for (name in part)
			if (!(name in used)) {
				print "the template does not use " name >"/dev/stderr"
				bad = 1
			}
		exit bad
	}' - "$1"
}

# fresh TOPIC FILE [TEMPLATE]
fresh() {
	"$TNAV" help "$1" >"$tmp/new" || { echo "tnav help $1 failed"; failed=1; return; }
	if [ $# -gt 2 ]; then
		fill "$srcdir/$3" <"$tmp/new" >"$tmp/filled" || failed=1
		{
			echo '.\" Made of doc/tnav.1.in by tests/check/generated.sh; do not edit.'
			grep -v '^\.\\"' "$tmp/filled"
		} >"$tmp/new"
	fi
	if [ "$update" = --update ]; then
		mkdir -p "$(dirname "$srcdir/$2")" && cp "$tmp/new" "$srcdir/$2"
	elif ! cmp -s "$tmp/new" "$srcdir/$2"; then
		diff "$srcdir/$2" "$tmp/new" | head -10
		echo "$2 is stale: tests/check/generated.sh --update"
		failed=1
	fi
}

update=${1:-}
fresh --man doc/tnav.1 doc/tnav.1.in
fresh --bash doc/completion/tnav.bash
fresh --zsh doc/completion/_tnav

# They must also be good for something.
if command -v bash >/dev/null; then
	bash -n "$srcdir/doc/completion/tnav.bash" || failed=1
	bash -c '. "$1"; compopt() { :; }
	COMP_WORDS=(tnav dump --for) COMP_CWORD=2; _tnav tnav --for dump
	[ "${COMPREPLY[*]}" = --format ] || exit 1
	COMP_WORDS=(tnav dump --format j) COMP_CWORD=3; _tnav tnav j --format
	[ "${COMPREPLY[*]}" = jsonl ]' - "$srcdir/doc/completion/tnav.bash" ||
	    { echo 'the completion of bash does not complete'; failed=1; }
fi
if command -v groff >/dev/null; then
	groff -man -Tutf8 -ww "$srcdir/doc/tnav.1" >/dev/null 2>"$tmp/err" || failed=1
	[ ! -s "$tmp/err" ] || { cat "$tmp/err"; failed=1; }
fi
exit $failed
