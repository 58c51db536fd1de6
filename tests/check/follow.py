#!/usr/bin/env python3
"""tnav dump --follow: what it prints of a file that grows in pieces is, byte for byte, what a dump
of the whole file prints, with the same exit code; whether the end mark, SIGINT or SIGTERM ends it,
and wherever the writer stops. Rows come before the end where a sequence point makes them final. A
file that is truncated, rewritten or replaced ends it, which is said; a removed one is followed. What it waits for is
said once."""
import os
import random
import signal
import subprocess
import sys
import time

import check
from check import equal, true

SMALL, LARGE = 5, 2     # traces of a sample
WAIT_S = 120
FORMS = ([], ["--format", "jsonl"], ["--format", "csv"], ["--order", "file", "--format", "jsonl"],
         ["-f", "size > 4", "--format", "jsonl"], ["-n", "5", "--format", "tsv"])


def wait_for(what, done):
    end = time.monotonic() + WAIT_S
    while not done():
        if time.monotonic() > end:
            sys.exit(f"{what}: not in {WAIT_S} s")
        time.sleep(0.01)


class Follower:
    """A program that follows a file, to which a trace is appended."""

    def __init__(self, path, args, data, rng):
        self.path, self.args, self.data, self.rng, self.at = path, args, data, rng, 0
        self.file = open(path, "wb", 0)
        self.out = open(path + ".out", "wb")
        self.err = open(path + ".err", "wb")
        self.p = subprocess.Popen([check.TNAV, "dump", "--follow", *args, path],
                                  stdout=self.out, stderr=self.err)

    def append(self, to):
        """In pieces from one byte to 1 MB."""
        while self.at < to:
            n = min(to - self.at, 1 + self.rng.randrange(1 << self.rng.randrange(21)))
            self.file.write(self.data[self.at:self.at + n])
            self.at += n
            if self.rng.randrange(8) == 0:
                time.sleep(self.rng.random() / 100)

    def printed(self):
        return os.path.getsize(self.path + ".out")

    def takes(self, sig):
        """Does it handle the signal, so that it may be sent?"""
        if self.p.poll() is not None:
            return True         # damage in a file may end it
        with open(f"/proc/{self.p.pid}/status") as f:
            for line in f:
                if line.startswith("SigCgt:"):
                    return bool(int(line.split()[1], 16) >> (sig - 1) & 1)
        return False

    def signal(self, sig):
        wait_for("the signal is handled", lambda: self.takes(sig))
        self.p.send_signal(sig)

    def end(self):
        """The exit code, what it printed, its messages."""
        code = self.p.wait(WAIT_S)
        for f in (self.file, self.out, self.err):
            f.close()
        with open(self.path + ".out", "rb") as f, open(self.path + ".err") as g:
            return code, f.read(), g.read()


def same_as_whole(what, f, code, out, path=None):
    whole = subprocess.run([check.TNAV, "dump", *f.args, path or f.path], capture_output=True)
    # With its last line it ends, and the file may have no end mark yet.
    if "-n" not in f.args or code != 1:
        equal(f"{what}: exit code", code, whole.returncode)
    true(f"{what}: what a dump of the whole file prints", out == whole.stdout)


def read(path):
    return check.read(path)


def is_closed(path):
    """Does following it end by itself? One without an end mark waits for more."""
    r = check.tnav("check", "--format", "jsonl", path)
    return r.code == 0 and b"trailing" not in r.out and not path.endswith(".heph")


def whole(path, scratch, rng):
    name = check.stem(path)
    data, form = read(path), rng.choice(FORMS)
    if check.tnav("info", path).code > 1:
        return                  # it is refused
    f = Follower(os.path.join(scratch, name), form, data, rng)
    f.append(len(data))
    what = f"{name} {' '.join(form)}"
    if not is_closed(path):
        f.signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
    code, out, _ = f.end()
    same_as_whole(what, f, code, out)


def stopped(path, scratch, rng):
    """The writer stops anywhere, in the middle of a block as well."""
    name = check.stem(path)
    data = read(path)
    if len(data) == 0:
        return
    to = rng.randrange(len(data) // 3, len(data))
    f = Follower(os.path.join(scratch, name + ".part"), ["--format", "jsonl"], data, rng)
    f.append(to)
    f.signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
    code, out, _ = f.end()
    if check.tnav("info", f.path).code > 1:
        return                  # not even a header
    same_as_whole(f"{name} up to {to}", f, code, out)


def early(path, scratch, rng):
    """Rows before the end: those before a sequence point, with the numbers of the whole."""
    data = read(path)
    lines = check.tnav("dump", "--format", "jsonl", path).out
    f = Follower(os.path.join(scratch, "early"), ["--format", "jsonl"], data, rng)
    f.append(len(data) * 9 // 10)
    wait_for("rows before the end", lambda: f.printed() > 0)
    some = read(f.path + ".out")
    true("early: lines of the whole", lines.startswith(some) and len(some) > 100)
    f.append(len(data))
    f.signal(signal.SIGTERM)
    code, out, _ = f.end()
    equal("early: exit code", code, 1)      # it has no end mark
    true("early: the whole", out == lines)


def changed(path, scratch, rng):
    """The file does not stay what it was: that is said, and what was printed stays."""
    data = read(path)

    def until_rows(name):
        f = Follower(os.path.join(scratch, name), ["--format", "jsonl"], data, rng)
        f.append(len(data) * 9 // 10)
        wait_for("rows before the change", lambda: f.printed() > 0)
        return f, read(f.path + ".out")

    f, before = until_rows("truncated")
    os.truncate(f.path, len(data) // 3)
    code, out, err = f.end()
    equal("truncated: exit code", code, 1)
    true("truncated: it is said", "truncated" in err)
    true("truncated: what was printed stays", out.startswith(before))
    true("truncated: whole lines", out.endswith(b"}\n"))

    f, before = until_rows("replaced")
    with open(f.path + ".new", "wb") as g:
        g.write(data)
    os.rename(f.path, f.path + ".old")
    os.rename(f.path + ".new", f.path)
    code, out, err = f.end()
    true("replaced: it is said", "another file" in err)
    same_as_whole("replaced: the file that was opened", f, code, out, f.path + ".old")

    f, before = until_rows("removed")   # the writer goes on
    os.rename(f.path, f.path + ".old")
    wait_for("removed: it is said", lambda: b"was removed" in read(f.path + ".err"))
    f.append(len(data))
    f.signal(signal.SIGTERM)
    code, out, err = f.end()
    equal("removed: it is said once", err.count("was removed"), 1)
    same_as_whole("removed: all of it", f, code, out, f.path + ".old")

    f, before = until_rows("middle")
    with open(f.path, "r+b") as g:      # the same length, and the same bytes at both ends
        g.seek(300)
        g.write(bytes(f.at - 600))
    os.utime(f.path, (1, 1))
    code, out, err = f.end()
    equal("middle: exit code", code, 1)
    true("middle: it is said", "rewritten" in err)
    true("middle: what was printed stays", out.startswith(before))

    f, before = until_rows("anew")
    with open(f.path, "r+b") as g:      # longer, and with other bytes
        g.write(bytes(len(data)))
    code, out, err = f.end()
    equal("anew: exit code", code, 1)
    true("anew: it is said", "rewritten" in err)
    true("anew: what was printed stays", out.startswith(before))


def waits(path, heph, scratch, rng):
    """Where nothing comes any more it says once what it waits for; what it then holds back is
    printed at the end."""
    points = read(path)[:os.path.getsize(path) * 9 // 10]
    for name, part, args, words in (("points", points, [], "printed at the next one"),
                                    ("heph", read(heph), [], "printed at its end"),
                                    ("order", points, ["--order", "file"], "waiting for more (Ctrl-C ends)")):
        f = Follower(os.path.join(scratch, "waits-" + name), ["--format", "jsonl", *args], part, rng)
        f.append(len(part))
        wait_for(f"{name}: it is said", lambda: b"waiting for more" in read(f.path + ".err"))
        before = f.printed()
        time.sleep(1.5)
        f.signal(signal.SIGINT)
        _, out, err = f.end()
        equal(f"{name}: it is said once", err.count("waiting"), 1)
        true(f"{name}: what is said", words in err)
        true(f"{name}: events are held back", len(out) > before or name == "order")


def refusals(path):
    for args, word in ((["--gaps"], "--gaps"), (["--symbols"], "--symbols"), (["-e", "name"], "-e"),
                       (["--each", path], "--each")):
        r = check.tnav("dump", "--follow", path, *args)
        equal(f"refused {args[0]}: exit code", r.code, 2)
        true(f"refused {args[0]}: it says why", word.encode() in r.err)
    r = check.tnav("dump", "--follow", "-", stdin=subprocess.DEVNULL)
    equal("refused input: exit code", r.code, 2)


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    rng = random.Random(check.check_seed())
    own = check.all_data_traces(scratch)
    have = {check.stem(p) for p in own}
    paths = own + [p for p in check.all_shared_traces() if check.stem(p) not in have]
    for path in check.check_traces(paths, SMALL, LARGE):
        whole(path, scratch, rng)
        stopped(path, scratch, rng)
    points = check.trace("net9-cut-short.nettrace")     # it has sequence points
    early(points, scratch, rng)
    changed(points, scratch, rng)
    waits(points, check.trace("actors-1worker.heph"), scratch, rng)
    refusals(points)
    check.finish(check.tier(15, 30))


if __name__ == "__main__":
    main()
