#!/usr/bin/env python3
"""What commands print, byte for byte, as tests/golden/commands has it.

    commands.py                 compare
    commands.py --update        write it anew (then read the difference before committing it)

A file there is a list of command lines, some with variables before them. Below each stands what it prints:
| on standard output, at most LINES of it, ! on standard error, and = the exit code, where it is not 0, the
number of lines and their checksum, where they are more. every.txt has FEW lines of each. Of what is no text
there are only the number of bytes and the checksum.
"""
import concurrent.futures
import gzip
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import zlib

import check

FOLDER = os.path.join(check.GOLDEN, "commands")
LINES, FEW = 12, 2
WIDTH = 240                     # characters of a line that are kept


def environment(folder):
    """Nothing of the user's that changes what is printed."""
    keep = {k: v for k, v in os.environ.items() if k in ("PATH", "HOME", "LD_LIBRARY_PATH") or k.endswith("SAN_OPTIONS")}
    return {**keep, "LC_ALL": "C.UTF-8", "TZ": "UTC", "TMPDIR": folder}


def unpacked(out):
    """What a compressed output has in it: how it is packed differs between versions of the library."""
    return gzip.decompress(out) if out[:2] == b"\x1f\x8b" else out


def marked(mark, text, most):
    return [f"{mark} {line[:WIDTH]}" for line in text.splitlines()[:most]]


def printed(line, folder, most):
    """The lines that stand below a command line."""
    args = shlex.split(line[2:])
    own = dict(a.split("=", 1) for a in itertools.takewhile(lambda a: re.match("[A-Z_]+=", a), args))
    r = subprocess.run([check.TNAV, *args[len(own):]], cwd=folder, env={**environment(folder), **own}, check=False,
                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
    whole = unpacked(r.stdout)
    out, err = (re.sub(rb"[^\n -~\x80-\xff]", b"?", x).decode("utf-8", "replace") for x in (whole, r.stderr))
    end = [str(r.returncode)] * (r.returncode != 0)
    n = len(out.splitlines())
    if re.search(rb"[\0\x10-\x1a]", whole):
        out, end = "", [str(r.returncode), f"{len(whole)} bytes", f"{zlib.crc32(whole):08x}"]
    elif n > most:
        end = [str(r.returncode), f"{n} lines", f"{zlib.crc32(whole):08x}"]
    return marked("|", out, most) + marked("!", err, LINES) + [f"= {' '.join(end)}"] * bool(end)


def play(text, folder, most):
    """The list with what its commands print now, and how many were tried: with sanitizers a sample."""
    heads = [line for line in text.splitlines() if line.startswith("$ ")]
    chosen = set(heads if "--update" in sys.argv else check.check_sample(heads, len(heads)))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        below = dict(zip(chosen, pool.map(lambda c: printed(c, folder, most), chosen)))
    out, head = [], ""
    for line in text.splitlines():
        output = line[:2] in ("| ", "! ", "= ")
        head = head if output else line
        if not (output and head in below):
            out.append(line)
            out += below.get(line, [])
    return "".join(x + "\n" for x in out), len(chosen)


def differences(name, want, now):
    """The first differing line of each command."""
    blocks = [dict((b.split("\n", 1) + [""])[:2] for b in re.split(r"^\$ ", text, flags=re.M)[1:])
              for text in (want, now)]
    for command, block in blocks[1].items():
        old, new = blocks[0].get(command, "").split("\n"), block.split("\n")
        if old != new:
            i = next((i for i, (a, b) in enumerate(zip(old, new)) if a != b), min(len(old), len(new)) - 1)
            yield f"{name}: tnav {command}\n\t-{old[i]}\n\t+{new[i]}"


def main():
    check.need_tnav()
    check.find_leaks()
    with tempfile.TemporaryDirectory(prefix="tnav-check-") as folder:
        os.symlink(os.path.join(os.path.abspath(check.TOP), "tests"), os.path.join(folder, "tests"))
        for name in sorted(os.listdir(FOLDER)):
            path = os.path.join(FOLDER, name)
            want = check.read(path).decode("utf-8")
            now, n = play(want, folder, FEW if name == "every.txt" else LINES)
            if "--update" in sys.argv:
                with open(path, "w", encoding="utf-8") as f:
                    f.write(now)
                want = now
            for text in differences(name, want, now):
                check.fail(text)
            check.true(f"{name}: {n} commands, as they were", n > 0 and want == now)
    check.finish()


if __name__ == "__main__":
    main()
