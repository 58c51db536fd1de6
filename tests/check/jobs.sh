#!/bin/sh
# The output does not depend on the number of workers: -j1 and -j2 give the same bytes.
set -u
TNAV=${TNAV:-./tnav}
here=$(dirname "$0")
top=$here/../..
. "$here/../support/tier.sh"
shared=${TNAV_SHARED:-$top/../shared}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/tnav-jobs.XXXXXX") || exit 1
trap 'rm -rf "$tmp"' EXIT
bad=0 n=0
SAMPLE=12		# traces; five commands each

same() {
	"$TNAV" "$@" -j1 >"$tmp/1" 2>"$tmp/1e"
	one=$?
	"$TNAV" "$@" -j2 >"$tmp/2" 2>"$tmp/2e"
	two=$?
	n=$((n + 1))
	if [ $one -ne $two ] || ! cmp -s "$tmp/1" "$tmp/2" || ! cmp -s "$tmp/1e" "$tmp/2e"; then
		echo "FAIL $*: -j1 and -j2 differ (exit codes $one and $two)"
		bad=$((bad + 1))
	fi
}

check_seed
ls "$top"/tests/data/features/*.nettrace "$top"/tests/data/traces/*.nettrace \
    "$shared"/traces/v[45]/*.nettrace "$shared"/traces/features/v[45]-*.nettrace 2>/dev/null |
    check_sample $SAMPLE >"$tmp/files"
while read -r f; do
	same dump --format jsonl --crc --gaps "$f"
	same check --format jsonl "$f"
	same gaps --format jsonl "$f"
	same threads --format jsonl "$f"
	same types --format jsonl "$f"
done <"$tmp/files"
[ -d "$shared/traces" ] || echo "without ../shared: only the traces of tests/data"
echo "$n comparisons, $bad failures"
[ $n -ge $((5 * SAMPLE)) ] && [ $bad -eq 0 ]
