#!/bin/sh
# The man page and the completions, which are made when the program is built, have what the program's
# tables have, and are good for something.
set -u
TNAV=${TNAV:-./tnav}
doc=$(dirname "$TNAV")/doc
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
failed=0

[ -x "$TNAV" ] || { echo "no program at $TNAV: set TNAV"; exit 99; }

# Each row of a kind of the tables has cells, and its name is in the man page.
"$TNAV" help --tables >"$tmp/tables" || failed=1
awk -F '\t' '
	FNR == NR { gsub(/\\-/, "-"); gsub(/\\\(ti/, "~"); page = page $0 "\n"; next }
	$1 == "command" && NF != 9 || $1 == "option" && NF != 8 || $1 == "viewer" && NF != 6 {
		print "not all cells: " $0; bad = 1
	}
	$1 == "command" { command[$2] = 1; columns += split($8, w, " "); groups += split($9, w, " ") }
	$1 == "option" && split($8, w, " ") == 0 { print "of no command: " $0; bad = 1 }
	$1 == "option" { for (i in w) takes[w[i]] = $2 }
	/(^|\t) |  +[a-z]*\t| (\t|$)/ && $1 == "command" { print "an empty word: " $0; bad = 1 }
	{
		name = $1 == "viewer" ? ":" $4 : $2
		if (index(page, name) == 0) { print "not in the man page: " $1 " " name; bad = 1 }
		seen[$1]++
	}
	END {
		if (!seen["command"] || !seen["option"] || !seen["field"] || !seen["viewer"])
			bad = 1
		for (name in takes)
			if (name != "viewer" && !(name in command)) { print "no command: " name; bad = 1 }
		if (columns < 100 || groups < 100) { print columns " columns, " groups " groups"; bad = 1 }
		exit bad
	}' "$doc/tnav.1" "$tmp/tables" || failed=1

# The completion completes, and troff has nothing to say about the page.
if command -v bash >/dev/null; then
	bash -n "$doc/tnav.bash" || failed=1
	bash -c '. "$1"; compopt() { :; }
	COMP_WORDS=(tnav dump --for) COMP_CWORD=2; _tnav tnav --for dump
	[ "${COMPREPLY[*]}" = --format ] || exit 1
	COMP_WORDS=(tnav dump --format j) COMP_CWORD=3; _tnav tnav j --format
	[ "${COMPREPLY[*]}" = jsonl ]' - "$doc/tnav.bash" ||
	    { echo 'the completion of bash does not complete'; failed=1; }
fi
if command -v groff >/dev/null; then
	groff -man -Tutf8 -ww "$doc/tnav.1" >/dev/null 2>"$tmp/err" || failed=1
	[ ! -s "$tmp/err" ] || { cat "$tmp/err"; failed=1; }
fi
exit $failed
