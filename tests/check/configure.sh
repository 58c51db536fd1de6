#!/bin/sh
# Configure names the package that a sanitizer or the fuzzer lacks, and refuses 32 bits: a compiler
# stands in for a clang without its runtime, for one that knows no sanitizer at all, and for one that
# compiles for 32 bits.
set -u
srcdir=${srcdir:-.}
. "$srcdir/tests/support/tier.sh"
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
failed=0

# As much of the tree as configure looks at; it refuses one that is configured in place.
mkdir -p "$tmp/src/include/tnav/base" "$tmp/build"
cp -R "$srcdir/configure" "$srcdir/build-aux" "$tmp/src"
cp "$srcdir/include/tnav/base/cursor.h" "$tmp/src/include/tnav/base"

# What the configure of this build found out holds for its compiler under another name, too.
grep '^a[cm]_cv_' config.log | grep -v '^ac_cv_env_\|^ac_cv_prog_CC=\|^ac_cv_prog_ac_ct_CC=' >"$tmp/cache"

# compiler NAME FLAGS [FLAG]: works, but not with a sanitizer; FLAG is for compiling, not for linking.
compiler() {
	cat >"$tmp/$1" <<-EOF
	#!/bin/sh
	narrow=
	for word; do
		case \$word in
		-fsanitize*) echo "cannot find the runtime of \$word" >&2; exit 1 ;;
		-c) narrow=${3-} ;;
		esac
	done
	exec ${CC:-cc} $2 \$narrow "\$@"
	EOF
	chmod +x "$tmp/$1"
}

# refuses PATTERN COMPILER OPTION
refuses() {
	if (cd "$tmp/build" && ../src/configure --cache-file="$tmp/cache" CC="$tmp/$2" "$3") >"$tmp/log" 2>&1 </dev/null; then
		echo "FAIL configure $3 was satisfied with $2"
		failed=1
	elif ! grep -qE "configure: error: .*$1" "$tmp/log"; then
		echo "FAIL configure $3 with $2 does not say: $1"
		tail -n 3 "$tmp/log"
		failed=1
	fi
}

compiler clang '-D__clang__=1 -D__clang_major__=14'
compiler other ''
check_seed
check_sample 2 >"$tmp/wanted" <<-EOF
	apt-get install libclang-rt-14-dev:clang:--enable-sanitize
	apt-get install libclang-rt-14-dev:clang:--enable-sanitize=thread
	apt-get install libclang-rt-14-dev:clang:--enable-fuzz
	can't link with -fsanitize=address,undefined:other:--enable-sanitize
EOF
while IFS=: read -r pattern name option; do
	refuses "$pattern" "$name" "$option"
done <"$tmp/wanted"
# Where the compiler can't make such objects, nobody can ask for them.
if echo 'int x;' | ${CC:-cc} -m32 -c -x c -o "$tmp/x.o" - 2>/dev/null; then
	compiler narrow '' -m32
	refuses 'less than 64 bits' narrow --enable-werror
fi
exit $failed
