#!/bin/sh
# deb.sh BUILD: makes tnav_VERSION_ARCH.deb in the folder BUILD, where tnav was built, by `make deb`. It
# needs dpkg-deb, and no debhelper.
set -eu

build=$1
version=$(sed -n "s/^PACKAGE_VERSION='\(.*\)'$/\1/p" "$build/config.log")
source=$(cd "$(dirname "$0")/../.." && pwd)
arch=$(dpkg --print-architecture)
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root"
umask 022

make -C "$build" install DESTDIR="$root" prefix=/usr exec_prefix=/usr bindir=/usr/bin datarootdir=/usr/share \
    datadir=/usr/share mandir=/usr/share/man >/dev/null
# zsh reads the functions of packages from another folder than those of the administrator.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_tnav" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
strip --remove-section=.comment --remove-section=.note "$root/usr/bin/tnav"
gzip -9n "$root/usr/share/man/man1/tnav.1"

doc=$root/usr/share/doc/tnav
mkdir -p "$doc/formats" "$root/DEBIAN"
for f in README.md doc/convert.md doc/diagnoses.md doc/diff.md doc/filter.md doc/fleet.md doc/production.md \
    doc/reports.md doc/stacks.md; do
	cp "$source/$f" "$doc/"
done
cp "$source"/doc/formats/*.md "$doc/formats/"
cp "$source/doc/packaging/copyright" "$doc/copyright"
gzip -9nc "$source/CHANGELOG.md" >"$doc/CHANGELOG.md.gz"
# Whoever builds a package to pass on gives an address that can be reached.
maintainer="${DEBFULLNAME:-tnav maintainers} <${DEBEMAIL:-nobody@tnav.invalid}>"
date=$(date -R -u -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")
gzip -9nc >"$doc/changelog.gz" <<END
tnav ($version) unstable; urgency=medium

  * What has changed is in CHANGELOG.md.gz.

 -- $maintainer  $date
END

# The packages of the shared libraries, each at least as new as the one here.
needs=
for lib in $(ldd "$root/usr/bin/tnav" | sed -n 's/.*=> \(\/[^ ]*\) .*/\1/p'); do
	path=$(readlink -f "$lib")
	package=$(dpkg -S "$lib" "$path" "/usr$path" "${path#/usr}" 2>/dev/null | sed -n '1s/:.*//p')
	[ -n "$package" ] || { echo "deb.sh: no package has $lib" >&2; exit 1; }
	least=$(dpkg-query -W -f '${Version}' "$package" | sed 's/-[^-]*$//')
	case " $needs" in *" $package "*) ;; *) needs="$needs$package (>= $least), " ;; esac
done

size=$(du -sk --exclude=DEBIAN "$root" | cut -f 1)
cat >"$root/DEBIAN/control" <<END
Package: tnav
Version: $version
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $size
Depends: ${needs%, }
Section: devel
Priority: optional
Description: terminal navigator for event traces of .NET programs
 tnav shows the events of a trace of any size on the terminal: every event,
 every gap where events were lost, and all threads. It records running .NET
 programs, follows them live, and explains what they wait for.
 .
 Subcommands print, count, compare and convert traces in scripts.
END
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
dpkg-deb --root-owner-group --build "$root" "$build/tnav_${version}_$arch.deb" >/dev/null
ls -l "$build/tnav_${version}_$arch.deb"
