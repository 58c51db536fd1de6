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
import time

import check
from check import equal, true
from follower import Follower, Growing, is_closed, pause, same_as_whole, wait_for

SMALL, LARGE = 5, 2     # traces of a sample
FORMS = ([], ["--format", "jsonl"], ["--format", "csv"], ["--order", "file", "--format", "jsonl"],
         ["-f", "size > 4", "--format", "jsonl"], ["-n", "5", "--format", "tsv"])


class One(Follower):
    """A program that follows one file."""

    def __init__(self, path, args, data, rng):
        super().__init__([Growing(path, data)], args)
        self.file, self.rng = self.files[0], rng

    def append(self, to):
        """In pieces from one byte to 1 MB."""
        while self.file.at < to:
            self.file.append_piece(self.rng, to - self.file.at)
            pause(self.rng)


def whole(path, scratch, rng):
    name = check.stem(path)
    data, form = check.read(path), rng.choice(FORMS)
    if check.tnav("info", path).code > 1:
        return                  # it is refused
    f = One(os.path.join(scratch, name), form, data, rng)
    f.append(len(data))
    what = f"{name} {' '.join(form)}"
    if not is_closed(path):
        f.signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
    code, out, _ = f.end()
    same_as_whole(what, f, code, out)


def stopped(path, scratch, rng):
    """The writer stops anywhere, in the middle of a block as well."""
    name = check.stem(path)
    data = check.read(path)
    if len(data) == 0:
        return
    to = rng.randrange(len(data) // 3, len(data))
    f = One(os.path.join(scratch, name + ".part"), ["--format", "jsonl"], data, rng)
    f.append(to)
    f.signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
    code, out, _ = f.end()
    if check.tnav("info", f.path).code > 1:
        return                  # not even a header
    same_as_whole(f"{name} up to {to}", f, code, out)


def early(path, scratch, rng):
    """Rows before the end: those before a sequence point, with the numbers of the whole."""
    data = check.read(path)
    lines = check.tnav("dump", "--format", "jsonl", path).out
    f = One(os.path.join(scratch, "early"), ["--format", "jsonl"], data, rng)
    f.append(len(data) * 9 // 10)
    wait_for("rows before the end", lambda: len(f.printed()) > 0)
    some = f.printed()
    true("early: lines of the whole", lines.startswith(some) and len(some) > 100)
    f.append(len(data))
    f.signal(signal.SIGTERM)
    code, out, _ = f.end()
    equal("early: exit code", code, 1)      # it has no end mark
    true("early: the whole", out == lines)


def changed(path, scratch, rng):
    """The file does not stay what it was: that is said, and what was printed stays."""
    data = check.read(path)

    def until_rows(name):
        f = One(os.path.join(scratch, name), ["--format", "jsonl"], data, rng)
        f.append(len(data) * 9 // 10)
        wait_for("rows before the change", lambda: len(f.printed()) > 0)
        return f, f.printed()

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
    wait_for("removed: it is said", lambda: "was removed" in f.said())
    f.append(len(data))
    f.signal(signal.SIGTERM)
    code, out, err = f.end()
    equal("removed: it is said once", err.count("was removed"), 1)
    same_as_whole("removed: all of it", f, code, out, f.path + ".old")

    f, before = until_rows("middle")
    with open(f.path, "r+b") as g:      # the same length, and the same bytes at both ends
        g.seek(300)
        g.write(bytes(f.file.at - 600))
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
    points = check.read(path)[:os.path.getsize(path) * 9 // 10]
    for name, part, args, words in (("points", points, [], "printed at the next one"),
                                    ("heph", check.read(heph), [], "printed at its end"),
                                    ("order", points, ["--order", "file"], "waiting for more (Ctrl-C ends)")):
        f = One(os.path.join(scratch, "waits-" + name), ["--format", "jsonl", *args], part, rng)
        f.append(len(part))
        wait_for(f"{name}: it is said", lambda: "waiting for more" in f.said())
        before = f.printed()
        time.sleep(1.5)
        f.signal(signal.SIGINT)
        _, out, err = f.end()
        equal(f"{name}: it is said once", err.count("waiting"), 1)
        true(f"{name}: what is said", words in err)
        true(f"{name}: events are held back", len(out) > len(before) or name == "order")


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
