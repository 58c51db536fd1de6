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

# fresh TOPIC FILE
fresh() {
	"$TNAV" help "$1" >"$tmp/new" || { echo "tnav help $1 failed"; failed=1; return; }
	if [ "$update" = --update ]; then
		mkdir -p "$(dirname "$srcdir/$2")" && cp "$tmp/new" "$srcdir/$2"
	elif ! cmp -s "$tmp/new" "$srcdir/$2"; then
		diff "$srcdir/$2" "$tmp/new" | head -10
		echo "$2 is stale: tests/check/generated.sh --update"
		failed=1
	fi
}

update=${1:-}
fresh --man doc/tnav.1
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
