"""What the lists of files name is there, what is there is listed, and the tarball has all of it.

make distdir copies what a tarball would have: it fails if a listed file is missing, and what it did
not copy is listed nowhere. It copies no product of the build. Files of folders that are copied whole are compared with the lists.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile

SRC = os.environ.get("srcdir", ".")
# What only a repository has, and what only a tarball has.
NOT_SENT = (".ci/", ".git")
GENERATED = ("configure", "configure~", "aclocal.m4", "Makefile.in", "build-aux/")
# Each name in these folders is one of these lists: its pattern, and what the list leaves out of it.
LISTED = [
    ("src/sources.mk", r"src/.*\.[ch]", ""),
    ("tests/tests.mk", r"tests/check/.*\.(sh|py)", ""),
    ("tests/tests.mk", r"tests/support/[^/]*\.[ch]", ".c"),
    ("tests/tests.mk", r"tests/(unit|ui)/.*\.c", ".c"),
    ("tests/tests.mk", r"tests/fuzz/fuzz_.*\.c", ".c"),
]


def tracked():
    """The files of a repository; none where this is a tarball, or where git is missing."""
    if not os.path.exists(os.path.join(SRC, ".git")) or shutil.which("git") is None:
        return set()
    out = subprocess.run(["git", "-c", "safe.directory=*", "-C", SRC, "ls-files", "-z"],
                         capture_output=True, check=True).stdout
    return {n for n in os.fsdecode(out).split("\0")[:-1] if os.path.exists(os.path.join(SRC, n))}


def under(top):
    return {os.path.relpath(os.path.join(folder, name), top)
            for folder, _, names in os.walk(top) for name in names}


def sent(folder):
    """The files of a tarball."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    made = os.path.join(folder, "sent")
    run = subprocess.run(["make", "distdir", "distdir=" + made, "am__remove_distdir=:"], env=env,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if run.returncode != 0:
        sys.exit("make distdir fails:\n" + run.stdout[-2000:])
    return under(made)


def not_listed(files):
    for path, pattern, cut in LISTED:
        with open(os.path.join(SRC, path), encoding="utf-8") as f:
            words = set(re.sub(r"#.*", "", f.read()).split())
        for name in sorted(files):
            if re.fullmatch(pattern, name) and not {name, name.removesuffix(cut)} & words:
                yield f"{name} is not in {path}"


def main():
    with tempfile.TemporaryDirectory() as folder:
        copied = sent(folder)
    assert len(copied) > 1000, "this is no tarball"
    known = tracked()
    files = known | copied
    found = [f"{n} is not in the tarball" for n in sorted(files - copied) if not n.startswith(NOT_SENT)]
    if known:
        found += [f"{n} is in the tarball" for n in sorted(copied - known) if not n.startswith(GENERATED)]
    found += not_listed(files)
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
