#!/bin/sh
# The output does not depend on the number of workers: -j1, -j2 and -j7 give the same bytes.
set -u
TNAV=${TNAV:-./tnav}
here=$(dirname "$0")
top=$here/../..
. "$here/../support/tier.sh"
shared=${TNAV_SHARED:-$top/../shared}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/tnav-jobs.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
bad=0 n=0
SAMPLE=6		# traces, with so many
COMMANDS=10		# commands each

# Every command, one a line, its words as the shell has them.
cat >"$tmp/all" <<'END'
info --format jsonl
check --format jsonl
gaps --format jsonl
types --format jsonl
threads --format jsonl
dump
dump -n 1
dump -n 4097
dump --utc --enums
dump --gaps
dump --gaps -n 5000
dump --gaps -f "tid > 100"
dump --format jsonl
dump --format jsonl --crc --gaps
dump --format jsonl --raw -n 3000
dump --format jsonl --enums -f "name ~ a"
dump --format jsonl -f "/[a-z]{4}/" -n 100
dump --format jsonl --order file
dump --format jsonl --order file -n 5000
dump --format jsonl --order file -f "tid > 100" --gaps
dump --format jsonl --from 1ms
dump --format jsonl --to 50ms
dump --format jsonl --from 10ms --to 1s -f "has stack"
dump --format csv
dump --format csv -n 0
dump --format csv -f "name ~ Start" --from 1ms
dump --format tsv -n 4500
dump --format csv -e row,t,name,tid,lost
dump --format tsv -e t,provider,payload -f "tid != 0"
dump --format jsonl -e row,name,stack -n 9000
dump -e row,name,tid
dump -e t,name,tid -n 1001 --gaps
dump -e name,payload --order file
types -f "name ~ a" --format jsonl
types -f "tid > 100" --format jsonl
types --from 1ms --format csv
types -f "/a/ and tid > 3" --to 1s --format jsonl
threads -f "name ~ a" --format jsonl
threads --from 1ms --to 2s --format tsv
threads -f "not /a/" --format jsonl
stats --format jsonl
stats --by tid --format jsonl
stats --by provider,tid,level --format csv
stats --by row --top 5 --format jsonl
stats --by keywords --format jsonl
stats --by payload --top 50 --format jsonl
stats --by t --top 20 --format jsonl
stats --by activity,thread --format jsonl
stats -f "name ~ a" --format jsonl
stats -f "provider ~ Micro" --by name --format jsonl
stats -f "tid > 100" --format jsonl
stats -f "tid > 100" --by tid,name --format jsonl
stats -f "row in 10..4000" --by tid --format jsonl
stats -f "/[A-Z]{2}/" --format jsonl
stats -f "has stack" --by tid --format jsonl
stats -f "lost > 0" --by tid --format jsonl
stats --from 1ms --format jsonl
stats --from 1ms --to 100ms --by name,tid --format jsonl
stats -f "payload.bytes > 20" --by payload.bytes --format jsonl
stats --by stack --top 10 --format jsonl
END

# same LINE FILE
same() {
	for j in 1 2 7; do
		eval "\"\$TNAV\" $1 -j$j \"\$2\"" >"$tmp/$j" 2>"$tmp/$j.err"
		echo $? >>"$tmp/$j.err"
	done
	n=$((n + 1))
	for j in 2 7; do
		cmp -s "$tmp/1" "$tmp/$j" && cmp -s "$tmp/1.err" "$tmp/$j.err" && continue
		echo "FAIL $1 $2: -j1 and -j$j differ"
		bad=$((bad + 1))
	done
}

check_seed
ls "$top"/tests/data/features/*.nettrace "$top"/tests/data/traces/*.* \
    "$shared"/traces/v[3456]/*.net* "$shared"/traces/heph/*.heph \
    "$shared"/traces/features/*.net* 2>/dev/null | grep -v json |
    check_sample $SAMPLE >"$tmp/files"
all=$(wc -l <"$tmp/all") seed=$TNAV_SEED
[ "$all" -eq 60 ] || { echo "FAIL there are $all commands"; exit 1; }
while read -r f; do
	TNAV_SEED=$((TNAV_SEED + 1))	# other commands for each file
	check_sample $COMMANDS <"$tmp/all" >"$tmp/commands"
	while read -r line; do
		same "$line" "$f"
	done <"$tmp/commands"
done <"$tmp/files"
TNAV_SEED=$seed
[ -d "$shared/traces" ] || echo "without ../shared: only the traces of tests/data"
echo "$n comparisons, $bad failures"
part=${TNAV_CHECK_PART:-1}
[ $n -gt 0 ] && [ $n -ge $((COMMANDS / part * (SAMPLE / part))) ] && [ $bad -eq 0 ]
