# How much of a long test runs, for the shell tests: a sample chosen by a seed in make check, all
# in make check-all. To be sourced.

# check_all: is everything to be tested?
check_all() {
	[ -n "${TNAV_CHECK_ALL:-}" ] && [ "$TNAV_CHECK_ALL" != 0 ]
}

# The seed is printed, so that a failure can be repeated.
check_seed() {
	if [ -z "${TNAV_SEED:-}" ]; then
		TNAV_SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')
		export TNAV_SEED
	fi
	echo "sample: TNAV_SEED=$TNAV_SEED"
}

# check_sample N: N of the lines of standard input, in their order, or the part of N that
# TNAV_CHECK_PART says. check_seed comes first.
check_sample() {
	if check_all; then
		cat
		return
	fi
	awk -v seed="$TNAV_SEED" -v n="$1" -v less="${TNAV_CHECK_PART:-1}" '
		{ line[NR] = $0 }
		END {
			n = n < less ? 1 : int(n / less)
			srand(seed)
			for (i = 1; i <= NR && n > 0; i++)
				if (rand() * (NR - i + 1) < n) {
					print line[i]
					n--
				}
		}'
}
