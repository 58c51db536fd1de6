#!/usr/bin/env python3
"""Several files that grow, as one list: what dump --follow A B has printed at any moment is the
beginning of what a dump of the whole files prints, and at the end all of it, with the same exit
code, in whatever pieces and turns they grow. Rows come before the end where all files have sequence
points. One that ends, or has no end mark, holds up nobody."""
import os
import random
import signal
import subprocess
import sys
import time

import check
from check import equal, true

SMALL, LARGE = 6, 2     # lists of a sample
WAIT_S = 120
FORMS = ([], ["--format", "jsonl"], ["--format", "csv"], ["-f", "size > 4", "--format", "jsonl"],
         ["-f", "source = 1 or size < 30", "--format", "jsonl"], ["-n", "50", "--format", "tsv"], ["-j1", "--format", "jsonl"])


def wait_for(what, done):
    end = time.monotonic() + WAIT_S
    while not done():
        if time.monotonic() > end:
            sys.exit(f"{what}: not in {WAIT_S} s")
        time.sleep(0.01)


class Growing:
    """A file to which a trace is appended."""

    def __init__(self, path, data):
        self.path, self.data, self.at = path, data, 0
        self.file = open(path, "wb", 0)

    def append(self, n):
        self.file.write(self.data[self.at:self.at + n])
        self.at += n

    def to(self, share):
        self.append(int(len(self.data) * share) - self.at)

    def left(self):
        return len(self.data) - self.at


class Follower:
    def __init__(self, files, args):
        self.files, self.args, self.path = files, args, files[0].path
        self.out, self.err = open(self.path + ".out", "wb"), open(self.path + ".err", "wb")
        self.p = subprocess.Popen([check.TNAV, "dump", "--follow", *args, *(f.path for f in files)],
                                  stdout=self.out, stderr=self.err)

    def printed(self):
        return check.read(self.path + ".out")

    def handles(self, sig):
        if self.p.poll() is not None:
            return True
        with open(f"/proc/{self.p.pid}/status") as f:
            caught = [line.split()[1] for line in f if line.startswith("SigCgt:")]
        return bool(int(caught[0], 16) >> (sig - 1) & 1)

    def signal(self, sig):
        wait_for("the signal is handled", lambda: self.handles(sig))
        self.p.send_signal(sig)

    def end(self):
        code = self.p.wait(WAIT_S)
        for f in (self.out, self.err, *(g.file for g in self.files)):
            f.close()
        return code, self.printed()

    def whole(self):
        return subprocess.run([check.TNAV, "dump", *self.args, *(f.path for f in self.files)], capture_output=True)


def same_as_whole(what, f, code, out):
    whole = f.whole()
    if "-n" not in f.args or code != 1:
        equal(f"{what}: exit code", code, whole.returncode)
    true(f"{what}: what a dump of the whole files prints", out == whole.stdout)


def is_closed(path):
    r = check.tnav("check", "--format", "jsonl", path)
    return r.code == 0 and b"trailing" not in r.out and not path.endswith(".heph")


def grow(files, rng):
    """In pieces from one byte to 1 MB, in any turns."""
    while any(f.left() for f in files):
        f = rng.choice([f for f in files if f.left()])
        for _ in range(rng.randrange(1, 20)):
            f.append(min(f.left(), 1 + rng.randrange(1 << rng.randrange(21))))
        if rng.randrange(8) == 0:
            time.sleep(rng.random() / 100)


def together(paths, scratch, rng):
    form = rng.choice(FORMS)
    what = f"{' '.join(map(check.stem, paths))} {' '.join(form)}"
    f = Follower([Growing(os.path.join(scratch, f"{i}-{check.stem(p)}"), check.read(p)) for i, p in enumerate(paths)],
                 form)
    grow(f.files, rng)
    if not all(map(is_closed, paths)):
        f.signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
    same_as_whole(what, f, *f.end())


def early(paths, scratch):
    """Rows before the end, of both; and how far: not beyond the last sequence point of the file that is behind."""
    f = Follower([Growing(os.path.join(scratch, f"early{i}"), check.read(p)) for i, p in enumerate(paths)],
                 ["--align", "start", "--format", "jsonl"])
    f.files[0].to(0.9)
    f.files[1].to(0.5)
    wait_for("rows before the end", lambda: len(f.printed()) > 0)
    some = f.printed()
    f.files[1].to(0.9)
    wait_for("more rows", lambda: len(f.printed()) > len(some))
    more = f.printed()
    for g in f.files:
        g.to(1)
    f.signal(signal.SIGTERM)
    code, out = f.end()
    true("early: the beginning of the whole", out.startswith(more) and more.startswith(some))
    for source in (0, 1):
        true(f"early: events of {source}", b'"source":%d' % source in some)
    same_as_whole("early", f, code, out)


def one_is_complete(paths, scratch):
    """Beside a file that is closed, the other one alone decides what is final."""
    f = Follower([Growing(os.path.join(scratch, f"complete{i}"), check.read(p)) for i, p in enumerate(paths)],
                 ["--align", "start", "--format", "jsonl"])
    f.files[1].to(1)
    f.files[0].to(0.6)
    wait_for("rows beside a complete file", lambda: len(f.printed()) > 0)
    before = f.printed()
    f.files[0].to(1)
    f.signal(signal.SIGTERM)
    code, out = f.end()
    true("complete: the beginning of the whole", out.startswith(before))
    same_as_whole("complete", f, code, out)


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    rng = random.Random(check.check_seed())
    own = [p for p in check.all_data_traces(scratch) if check.tnav("info", p).code <= 1]
    events = [p for p in own if not p.endswith(".heph")]
    have = {check.stem(p) for p in own}
    large = [p for p in check.all_shared_traces() if check.stem(p) not in have and not p.endswith(".heph") and
             os.path.getsize(p) < 20 << 20 and check.tnav("info", p).code <= 1]
    for i in range(check.tier(SMALL, 60)):
        together(rng.choices(events, k=rng.choice((2, 2, 3))), os.path.join(scratch), rng)
    for i in range(check.tier(LARGE, 20)):
        together(rng.choices(large or events, k=2), os.path.join(scratch), rng)
    points = check.trace("net9-cut-short.nettrace")     # it has sequence points
    early([points, points], scratch)
    one_is_complete([points, check.trace("net10-eventsource-types.nettrace")], scratch)
    check.finish(check.tier(15, 30))


if __name__ == "__main__":
    main()
