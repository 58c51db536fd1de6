#!/bin/sh
# Samples of long tests, in shell and in Python: as many as asked for, in order, the same for the
# same seed, others for another, all in make check-all.
set -u
support=$(dirname "$0")/../support
. "$support/tier.sh"
unset TNAV_CHECK_ALL TNAV_CHECK_PART
failed=0

complain() {
	echo "FAIL $1"
	failed=1
}

in_shell() {
	TNAV_SEED=$1
	check_seed >/dev/null
	seq 100 | check_sample 7
}

in_python() {
	TNAV_SEED=$1 PYTHONPATH=$support "$PYTHON3" -c '
import check
print(*check.check_sample(range(1, 101), 7), sep="\n")' | grep -v sample:
}

for language in shell python; do
	[ "$language" = shell ] || command -v "${PYTHON3:=python3}" >/dev/null || continue
	first=$(in_$language 1)
	[ "$(echo "$first" | wc -l)" -eq 7 ] || complain "$language: not 7 of 100"
	[ "$(echo "$first" | sort -nu)" = "$first" ] || complain "$language: not in order"
	[ "$(in_$language 1)" = "$first" ] || complain "$language: another sample for the same seed"
	[ "$(in_$language 2)" != "$first" ] || complain "$language: the seed changes nothing"
	export TNAV_CHECK_PART=3
	[ "$(in_$language 1 | wc -l)" -eq 2 ] || complain "$language: a third of 7 is not 2"
	export TNAV_CHECK_PART=30
	[ "$(in_$language 1 | wc -l)" -eq 1 ] || complain "$language: a small part is nothing"
	unset TNAV_CHECK_PART
	TNAV_CHECK_ALL=1
	export TNAV_CHECK_ALL
	[ "$(in_$language 1 | wc -l)" -eq 100 ] || complain "$language: check-all leaves something out"
	unset TNAV_CHECK_ALL
done
exit $failed
