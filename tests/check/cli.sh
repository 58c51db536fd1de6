#!/bin/sh
# The command line: exit codes, messages, options, outputs that fail. Runs $TNAV on the traces of
# tests/data.
set -u
srcdir=${srcdir:-.}
TNAV=${TNAV:-./tnav}
data=$srcdir/tests/data/features
good=$data/v4-activity-ids.nettrace	# 8 events
lossy=$data/v4-dropped-events.nettrace
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
failed=0

[ -x "$TNAV" ] || { echo "no program at $TNAV: set TNAV"; exit 99; }

complain() {
	echo "FAIL $1"
	sed 's/^/	out: /' "$tmp/out" | head -3
	sed 's/^/	err: /' "$tmp/err" | head -3
	failed=1
}

# run CODE ARGS...: exit code as said; output in $tmp/out and $tmp/err.
run() {
	want=$1
	shift
	"$TNAV" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null
	got=$?
	[ $got -eq "$want" ] || complain "tnav $*: exit code $got, expected $want"
}

# says PATTERN: exactly one line on stderr, which matches.
says() {
	[ "$(wc -l <"$tmp/err")" -eq 1 ] || complain "not one line on stderr (expected: $1)"
	grep -qiE "^tnav: .*($1)" "$tmp/err" || complain "stderr does not say: $1"
	! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" "$tmp/err" ||
	    complain "a control byte on stderr"
}

silent() {
	[ ! -s "$tmp/$1" ] || complain "something on std$1"
}

lines() {
	[ "$(wc -l <"$tmp/out")" -eq "$1" ] || complain "$(wc -l <"$tmp/out") lines, expected $1"
}

# refused PATTERN ARGS...: usage or unreadable.
refused() {
	pattern=$1
	shift
	run 2 "$@"
	silent out
	says "$pattern"
}

# --- usage
run 0 "$good" "$good"
run 0 dump "$good" "$good"
refused 'filter can be given 64 times at most' dump $(printf -- '-f id=1 %.0s' $(seq 65)) "$good"
run 0 dump -n1 $(printf -- '-f n>%d ' $(seq -63 0)) "$good"
lines 1
refused 'sum: too many options of this kind' stats $(printf -- '--sum n%d ' $(seq 65)) "$good"
for name in --symbols --perf-map=x --symbol-path=x; do
	refused 'follow does not work with --symbols: ' dump --follow $name "$good"
done
run 0 dump --limit 18446744073709551615 "$good"
refused 'unknown option --' dump "--$(printf '\033[31m')" "$good"

# --- files that are no traces
: >"$tmp/empty"
echo 'hello, world' >"$tmp/text"
printf '\324\303\262\241\002\000\004\000' >"$tmp/pcap"
printf 'PK\003\004\024\000' >"$tmp/zip"
printf '\000\001\002\003' >"$tmp/noise"
head -c 5000 /dev/zero >"$tmp/zeroes"
for command in info dump types threads stats gaps check; do
	refused 'no such file' $command "$tmp/missing"
	refused 'directory' $command "$tmp"
	refused 'empty' $command "$tmp/empty"
	refused 'text' $command "$tmp/text"
	refused 'pcap' $command "$tmp/pcap"
	refused 'zip' $command "$tmp/zip"
	refused 'not a trace' $command "$tmp/noise"
	refused 'zeroes: is not a trace' $command "$tmp/zeroes"
	refused 'version|newer|too new|supported' $command "$data/v7-major-version-too-new.nettrace"
done
# A file system without mappings: the file is read all the same.
[ ! -r /proc/cpuinfo ] || refused 'text file' dump /proc/cpuinfo
if [ "$(id -u)" -ne 0 ]; then
	cp "$good" "$tmp/locked" && chmod 000 "$tmp/locked"
	refused 'permission' dump "$tmp/locked"
fi
# A name with an escape sequence in it stays one clean line.
refused 'no such file' dump "$(printf '%s/\033]0;title\007\nx' "$tmp")"

# --- too little of the machine; a sanitized program does not run within so little
truncate -s 3G "$tmp/large" && head -c 2000 "$good" | dd of="$tmp/large" conv=notrunc 2>"$tmp/err"
if (ulimit -v 400000 && "$TNAV" --version) >"$tmp/out" 2>&1; then
	(ulimit -v 400000 && "$TNAV" info "$tmp/large") >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 4 ] || complain 'a file larger than the address space: not exit code 4'
	says '3,221,225,472 bytes of address space'
	least=20000		# the program itself, its libraries, and nothing to spare
	while (ulimit -v $((least - 500)) && "$TNAV" --version) >"$tmp/out" 2>&1; do
		least=$((least - 500))
	done
	(ulimit -v $least && "$TNAV" info -j1 "$good") >"$tmp/out" 2>"$tmp/err"
	[ $? -eq 4 ] || complain 'no memory: not exit code 4'
	says 'out of memory|address space'
fi
rm -f "$tmp/large"

# --- what works
run 0 --version;	silent err; lines 1
for topic in info dump types threads stats gaps check help filter formats; do
	run 0 help $topic
	silent err
done
run 0 dump --help
grep -q -- '--gaps' "$tmp/out" || complain 'dump --help does not know --gaps'

for format in jsonl text; do
	run 0 dump --format $format "$good"
	silent err; lines 8
done
run 0 dump --format tsv -e '"a\"b",payload."a\"b"' "$srcdir/tests/data/features/v6-names-that-need-escaping.nettrace"
silent err;	lines 2
cp "$good" "$tmp/dump"
(cd "$tmp" && "$OLDPWD/$TNAV" ./dump) >"$tmp/out" 2>"$tmp/err" ||
    (cd "$tmp" && "$TNAV" ./dump) >"$tmp/out" 2>"$tmp/err" || complain 'a file called dump'
lines 8

# Chosen fields are the same values as in whole lines, in the order asked for.
run 0 dump --format jsonl -e seq,t,n "$good"
head -1 "$tmp/out" | grep -q '^{"seq":1,"t":1000000,"n":1}$' || complain 'dump -e seq,t,n'
cp "$tmp/out" "$tmp/spaced"
run 0 dump --format jsonl -e ' seq , t,n ' "$good"
cmp "$tmp/out" "$tmp/spaced" || complain 'dump -e with blanks'
all=$("$TNAV" dump --format csv --crc --raw "$good" | head -1 | tr -d '\r')
"$TNAV" dump --format jsonl --crc --raw "$good" >"$tmp/whole"
"$TNAV" dump --format jsonl --crc --raw -e "$all" "$good" >"$tmp/chosen"
cmp "$tmp/whole" "$tmp/chosen" || complain 'all fields chosen are not the whole line'

# Fields are named by their path as in the filter; an object without a name is stepped through.
nested=$data/v5-metadata-tags.nettrace
run 0 dump --format jsonl -f 'id = 4' -e o.x,o,payload.o.l,ai,z "$nested"
grep -q '^{"o.x":-3,"o":{"x":-3,"l":"010203"},"payload.o.l":"010203","z":4}$' "$tmp/out" ||
    complain 'dump -e o.x'
run 0 stats --by o.x --format jsonl "$nested"
grep -q '^{"o.x":-3,"events":1,' "$tmp/out" || complain 'stats --by o.x'

# Several filters are all true, whatever is in them; one may stand in a file.
run 0 dump -f 'n > 2 and (n < 5 or n = 7) and (tid = 5 or tid = 6)' "$good"
cp "$tmp/out" "$tmp/filtered"
[ -s "$tmp/filtered" ] || complain 'no event has n of 3, 4 or 7'
run 0 dump -f 'n > 2' -f 'n < 5 or n = 7' -f 'tid = 5 or tid = 6' "$good"
cmp "$tmp/out" "$tmp/filtered" || complain 'several -f'
printf 'n < 5\nor\tn = 7\n\n' >"$tmp/filter"
run 0 dump -f 'n > 2' -f "@$tmp/filter" "$good"
cmp "$tmp/out" "$tmp/filtered" || complain '-f @FILE'
{ printf '\357\273\277'; cat "$tmp/filter"; } >"$tmp/marked"
run 0 dump -f 'n > 2' -f "@$tmp/marked" "$good"
cmp "$tmp/out" "$tmp/filtered" || complain '-f @FILE with a byte order mark'
refused 'f: .*: no such file' dump -f "@$tmp/missing" "$good"
refused 'f: .*: is a directory' dump -f "@$tmp" "$good"
refused 'f: .*: contains a NUL byte' dump -f "@$srcdir/tests/data/demo.nettrace" -o "$tmp/file" "$good"
echo 'id = = 1' >"$tmp/filter"
refused 'f @.*/filter: column 6: ' dump -f 'n > 2' -f "@$tmp/filter" "$good"

# A window is half-open; the same as the filter's.
run 0 dump -f 'time in 2s..4s' "$good"
cp "$tmp/out" "$tmp/filtered"
run 0 dump --from 2s --to 4s "$good"
cmp "$tmp/out" "$tmp/filtered" || complain '--from and --to differ from the filter'

# In file order there is no row.
run 0 dump --order file --format jsonl "$good"
lines 8
! grep -q '"row"' "$tmp/out" || complain 'a row in file order'

# Gaps stand among the events, one line each, and are those of `tnav gaps`.
run 0 gaps --format jsonl "$lossy"
sort "$tmp/out" >"$tmp/gaps"
[ -s "$tmp/gaps" ] || complain 'no gaps'
run 0 dump --gaps --format jsonl "$lossy"
grep '^{"gap":' "$tmp/out" | sort | cmp - "$tmp/gaps" || complain 'gaps of dump are not gaps'
awk -F '[:,]' '/^{"row"/ { row = $2 }
	/"after":[0-9]/ { match($0, /"after":[0-9]+/); a = substr($0, RSTART + 8, RLENGTH - 8)
	    if (a != row) { print "gap after row " a " stands after " row; exit 1 } }' "$tmp/out" ||
    complain 'a gap stands in the wrong place'

# A limit is of lines, whatever they are.
run 0 dump --gaps --format jsonl "$lossy"
cp "$tmp/out" "$tmp/all"
total=$(wc -l <"$tmp/all")
n=0
while [ $n -le $((total + 1)) ]; do
	run 0 dump --gaps -n $n --format jsonl "$lossy"
	head -n $n "$tmp/all" | cmp - "$tmp/out" || complain "dump --gaps -n $n"
	run 0 dump --gaps -n $n --format jsonl -e seq "$lossy"
	lines $((n < total ? n : total))
	n=$((n + 1))
done

# Tables have a line of titles; counts are those of dump.
for command in types threads stats; do
	run 0 $command --format csv "$good"
	[ "$(wc -l <"$tmp/out")" -ge 2 ] || complain "$command: no rows"
	run 0 $command --format jsonl "$good"
	total=$(sed 's/.*"events":\([0-9]*\).*/\1/' "$tmp/out" | awk '{ n += $1 } END { print n }')
	[ "$total" = 8 ] || complain "$command: $total events"
	run 0 $command --format jsonl -f 'n > 4' "$good"
	total=$(sed 's/.*"events":\([0-9]*\).*/\1/' "$tmp/out" | awk '{ n += $1 } END { print n }')
	[ "$total" = 4 ] || complain "$command -f: $total events"
done
run 0 info "$good"
run 0 check "$good"
grep -q 'no damage found' "$tmp/out" || complain 'check does not say that it found nothing'
! grep -qi 'intact' "$tmp/out" || complain 'check claims too much'

# --- damage
size=$(wc -c <"$good")
head -c $((size - 40)) "$good" >"$tmp/cut"
run 1 dump "$tmp/cut"
[ -s "$tmp/err" ] || complain 'a cut trace, and nothing on stderr'
run 1 info "$tmp/cut"
run 1 check "$tmp/cut";	silent err
run 1 check --format jsonl "$tmp/cut"
grep -q '"severity":' "$tmp/out" || complain 'check of a cut trace finds nothing'

# --- filters that are too much
types=$srcdir/tests/data/traces/net10-eventsource-types.nettrace
run 0 dump -f '/end=9+/' "$srcdir/tests/data/features/v6-array-over-32767.nettrace"
silent err
run 2 dump -f "$(printf '(%.0s' $(seq 1000))id = 1" "$good"
says 'column 65: brackets are nested too deeply'
run 2 dump -f "$(printf 'not %.0s' $(seq 20000))id = 1" "$good"
says 'column 65537: the filter is too long'
run 0 dump -f "$(printf 'id = %d or ' $(seq 4000))id = 1" "$good"

# --- outputs
run 0 dump --format jsonl -o "$tmp/file" "$good"
silent out
[ "$(wc -l <"$tmp/file")" -eq 8 ] || complain '-o'
run 2 dump -f 'nosuchfield = 3' -o "$tmp/file" "$good"
[ "$(wc -l <"$tmp/file")" -eq 8 ] || complain 'a usage error replaced the file of -o'
# The name chooses format and compression; --format is before it.
for form in jsonl csv tsv text; do
	end=$form
	[ $form != text ] || end=txt
	run 0 dump --format $form "$good"
	cp "$tmp/out" "$tmp/plain"
	run 0 dump -o "$tmp/x.$end" "$good";		cmp "$tmp/x.$end" "$tmp/plain" || complain "-o x.$end"
	run 0 dump -o "$tmp/x.$end.gz" "$good"
	gzip -dc "$tmp/x.$end.gz" | cmp - "$tmp/plain" || complain "-o x.$end.gz"
	run 0 dump -o "$tmp/x.csv" --format $form "$good"
	cmp "$tmp/x.csv" "$tmp/plain" || complain "-o x.csv --format $form"
done
run 0 dump -o "$tmp/x.gz" "$good"
gzip -dc "$tmp/x.gz" | cmp - "$tmp/plain" || complain '-o x.gz is not text'
run 0 dump -n0 -o "$tmp/x.gz" "$good"
[ -z "$(gzip -dc "$tmp/x.gz" | tr -d '\0')" ] || complain 'nothing, compressed, is something'
refused 'gaps works with text and jsonl only' dump --gaps -o "$tmp/x.csv" "$good"
run 3 dump -o "$tmp/none/file" "$good";	says "cannot be written"
run 3 dump -o "$tmp" "$good";		says "cannot be written"
# The trace is never replaced by what is read from it, whatever its names.
cp "$good" "$tmp/own" && ln -s own "$tmp/link"
for name in own link ./own; do
	run 3 dump -o "$tmp/$name" "$tmp/own";	says 'to the trace that is being read'
done
cmp "$good" "$tmp/own" || complain 'the trace was replaced by its own dump'
# shellcheck disable=SC2012
[ "$(ls -a "$tmp" | grep -c '^\.tnav')" -eq 0 ] || complain 'a temporary file was left'
if [ -w /dev/full ]; then
	for command in 'dump' 'info' 'check' 'help' '--version'; do
		file=$good
		case $command in help|--version) file= ;; esac
		# shellcheck disable=SC2086
		"$TNAV" $command ${file:+"$file"} >/dev/full 2>"$tmp/err"
		[ $? -eq 3 ] || complain "$command to a full device: not exit code 3"
		: >"$tmp/out"
		says 'write failed'
	done
fi
# A name that ends in a unit does not stand before another one.
run 0 contention "$srcdir/tests/data/spans/cut-contention.nettrace"
grep -q ' measured (s) ' "$tmp/out" || complain 'contention: no column measured (s)'
# A file that may not grow any more: no signal.
(ulimit -f 8 && "$TNAV" dump -o "$tmp/grown" "$srcdir/tests/data/demo.nettrace") \
    >"$tmp/out" 2>"$tmp/err"
[ $? -eq 3 ] || complain 'a file that may not grow: not exit code 3'
says 'File too large'
(ulimit -f 8 && "$TNAV" dump "$srcdir/tests/data/demo.nettrace") >"$tmp/out" 2>"$tmp/err"
[ $? -eq 3 ] || complain 'a standard output that may not grow: not exit code 3'
says 'File too large'
# A reader that goes away: no message, ended by SIGPIPE, also where that was ignored.
closed_pipe() {
	{ "$TNAV" dump --raw "$srcdir/tests/data/demo.nettrace"; echo $? >"$tmp/code"; } \
	    2>"$tmp/err" | head -n 1 >"$tmp/out"
	silent err
	[ "$(cat "$tmp/code")" -eq 141 ] || complain "a closed pipe: $(cat "$tmp/code"), not 141"
}
closed_pipe
trap '' PIPE
closed_pipe

[ $failed -eq 0 ] && echo 'the command line does what it says'
exit $failed
