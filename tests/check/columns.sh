#!/bin/sh
# A row of columns.tsv that is wrong ends the build: columns.awk makes no columns of it that C would take
# for something else. Nor does rows.awk take a row with another number of cells than its table.
set -u
analysis=${srcdir:-.}/src/analysis
clr=${srcdir:-.}/src/model/clr
reports=$analysis/reports
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
failed=0

made() {
	LC_ALL=C ${AWK:-awk} -f "$analysis/columns.awk" "$analysis/columns.tsv" "$1" >"$tmp/columns.h" 2>"$tmp/why"
}

made "$reports/columns.tsv" || { cat "$tmp/why"; failed=1; }
while read -r edit; do
	sed -E "$edit" "$reports/columns.tsv" >"$tmp/columns.tsv"
	cmp -s "$reports/columns.tsv" "$tmp/columns.tsv" && { printf "changes nothing: %s\n" "$edit"; failed=1; }
	made "$tmp/columns.tsv" && { printf "is taken: %s\n" "$edit"; failed=1; }
	grep -q '^[^:]*:[0-9]*: ' "$tmp/why" || { printf "no line is named: %s\n" "$edit"; failed=1; }
done <<'EDITS'
s/^(part\tgc\tCollections\t)pause\t/\1paus\t/
s/ start pause pauses / start paus pauses /
s/^(part\tgc\tCollections\t)pause\t/\1/
s/^part\tgc\t.*/&\nGC_X\tx\tU64/
/^part\tmethod\tMethods\texclusive/d
/^part\tthread\tThreads\toffCpu/d
s/^GC_DUR\tdur/GC_DUR dur/
s/^(GC_TYPE\ttype\tTEXT.*)/\1 /
s/^GC_GENERATION\t.*/&\tx/
s/^GC_MEAN\tmean/GC_MEAN\tmeen/
s/^CO_COUNT\tcount\tU64/CO_COUNT\tcount\t-/
s/^GC_TYPE\ttype/GC_TYPE\treason/
s/^GC_COUNT0\tcount0\tU64/GC_COUNT0/
s/^#: report gc/#:report gc/
s/\{count\|wait of/{counts|wait of/
s/^(total\tpaused .*)\[, \{/\1[?pausedShares , {/
s/^(plot\tgc\tpauses\tGREATEST\tstart\t)pause/\1pauze/
s/^(plot\tgc\tpauses\tGREATEST\t)start/\1begin/
s/^(group\tbyLock\t.*key=)lock/\1LOCK/
s/^(group\tbyLock\t.*key=)lock/\1site/
s/^(group\tbyLock\t.*threads=DIFFERENT:)THREAD_KEY/\1THREAD/
s/^(group\tbyLock\t)[^\t]*\t(.*)\t(key=)/\1\2 \3/
s/^(filter\t)lock/\1LOCK/
s/^beyond\t# wait.*locks/&\t/
s/^CO_KIND\tkind/beyond\tthese are too many\n&/
EDITS
# Nor does facts.awk make a fact of a row that lacks a name for an id, gives a field two numbers, has no reader or
# no events, or names fields or a provider that are not there.
for edit in 's/ MethodLoad\t/\t/' 's/^FACT_BIND\t.*/&\tx/' 's/B_NAME=AssemblyName B_PATH=A/B_PATH=A/' \
    's/^#: GC$/# GC/' 's/^\(GC_STARTED\tRUNTIME\t\)1\tGCStart/\1\t/' 's/^\(GC_STARTED\tRUNTIME\t\)1\tGCStart/\1-\t-/' \
    's/\tSIZES PROMOTED /\tSIZE PROMOTED /' 's/\tHEAP=HeapIndex/\tHEAP=/' \
    's/^\(GC_STARTED\t\)RUNTIME/\1RUNTIM/'; do
	sed "$edit" "$analysis/facts/facts.tsv" >"$tmp/facts.tsv"
	LC_ALL=C ${AWK:-awk} -f "$analysis/facts/facts.awk" "$tmp/facts.tsv" >"$tmp/facts.h" 2>"$tmp/why" &&
	    { printf "is taken: %s\n" "$edit"; failed=1; }
	grep -q '^[^:]*:[0-9]*: ' "$tmp/why" || { printf "no line is named: %s\n" "$edit"; failed=1; }
done
# There is room for the fields of any fact.
sed 's/^\(GC_STARTED\t.* ClrInstanceID\)/\1 a b c d e f g h i j k l m n/' "$analysis/facts/facts.tsv" >"$tmp/facts.tsv"
LC_ALL=C ${AWK:-awk} -f "$analysis/facts/facts.awk" "$tmp/facts.tsv" | grep -qx '#define FACT_FIELDS 19u' ||
    { echo "a fact of 19 fields has no room for them"; failed=1; }
# What a diagnosis explains is a diagnosis; its report is one, and has the rows that show it.
unknown() {
	LC_ALL=C ${AWK:-awk} -F '\t' '
		FILENAME == ARGV[1] && /^#: report / { split($0, word, " "); report = word[3]; is_report[report]; next }
		FILENAME == ARGV[1] { if ($1 == "group") has[report, $2]; next }
		/^#/ { next }
		{ id[$1]; n = split($7 == "-" ? "" : $7, word, ","); for (i = 1; i <= n; i++) explained[word[i]] }
		$5 != "-" && !($5 in is_report) { print "no report: " $5 }
		$6 != "-" && !(($5, $6) in has) { print "no group of " $5 ": " $6 }
		END { for (i in explained) if (!(i in id)) print "no diagnosis: " i }
	' "$reports/columns.tsv" "$1"
}
unknown "$analysis/diagnoses/diagnoses.tsv" >"$tmp/why"
[ -s "$tmp/why" ] && { cat "$tmp/why"; failed=1; }
for edit in 's/,cpu-bound\t/,cpu-bind\t/' 's/\trequests\t/\trequest\t/' 's/\tbySite\t/\tbySide\t/'; do
	sed "$edit" "$analysis/diagnoses/diagnoses.tsv" >"$tmp/diagnoses.tsv"
	[ -z "$(unknown "$tmp/diagnoses.tsv")" ] && { printf "is taken: %s\n" "$edit"; failed=1; }
done
for edit in 's/^gc\t/gc /' 's/^gc\t.*/&\t/'; do
	sed "$edit" "$clr/groups.tsv" >"$tmp/groups.tsv"
	LC_ALL=C ${AWK:-awk} -f "$clr/rows.awk" "$tmp/groups.tsv" >"$tmp/groups.c" 2>"$tmp/why" &&
	    { printf "is taken: %s\n" "$edit"; failed=1; }
	grep -q '^[^:]*:[0-9]*: ' "$tmp/why" || { printf "no line is named: %s\n" "$edit"; failed=1; }
done
exit $failed
