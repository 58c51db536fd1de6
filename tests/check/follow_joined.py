#!/usr/bin/env python3
"""Several files that grow, as one list: what dump --follow A B has printed at any moment is the
beginning of what a dump of the whole files prints, and at the end all of it, with the same exit
code, in whatever pieces and turns they grow. Rows come before the end where all files have sequence
points. One that ends, or has no end mark, holds up nobody."""
import os
import random
import signal

import check
from check import true
from follower import Follower, Growing, is_closed, pause, same_as_whole, wait_for

SMALL, LARGE = 6, 2     # lists of a sample
FORMS = ([], ["--format", "jsonl"], ["--format", "csv"], ["-f", "size > 4", "--format", "jsonl"],
         ["-f", "source = 1 or size < 30", "--format", "jsonl"], ["-n", "50", "--format", "tsv"], ["-j1", "--format", "jsonl"])
FROM_STARTS = ["--align", "start", "--format", "jsonl"]


def follow(name, paths, scratch, args):
    """Files without anything yet that become these."""
    return Follower([Growing(os.path.join(scratch, f"{name}{i}-{check.stem(p)}"), check.read(p))
                     for i, p in enumerate(paths)], args)


def grow(files, rng):
    """In pieces from one byte to 1 MB, in any turns."""
    while any(f.left() for f in files):
        f = rng.choice([f for f in files if f.left()])
        for _ in range(rng.randrange(1, 20)):
            f.append_piece(rng, f.left())
        pause(rng)


def together(paths, scratch, rng):
    form = rng.choice(FORMS)
    what = f"{' '.join(map(check.stem, paths))} {' '.join(form)}"
    f = follow("", paths, scratch, form)
    grow(f.files, rng)
    if not all(map(is_closed, paths)):
        f.signal(rng.choice((signal.SIGINT, signal.SIGTERM)))
    code, out, _ = f.end()
    same_as_whole(what, f, code, out)


def early(paths, scratch):
    """Rows before the end, of both; and how far: not beyond the last sequence point of the file that is behind."""
    f = follow("early", paths, scratch, FROM_STARTS)
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
    code, out, _ = f.end()
    true("early: the beginning of the whole", out.startswith(more) and more.startswith(some))
    for source in (0, 1):
        true(f"early: events of {source}", b'"source":%d' % source in some)
    same_as_whole("early", f, code, out)


def one_is_complete(paths, scratch):
    """Beside a file that is closed, the other one alone decides what is final."""
    f = follow("complete", paths, scratch, FROM_STARTS)
    f.files[1].to(1)
    f.files[0].to(0.6)
    wait_for("rows beside a complete file", lambda: len(f.printed()) > 0)
    before = f.printed()
    f.files[0].to(1)
    f.signal(signal.SIGTERM)
    code, out, _ = f.end()
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
        together(rng.choices(events, k=rng.choice((2, 2, 3))), scratch, rng)
    for i in range(check.tier(LARGE, 20)):
        together(rng.choices(large or events, k=2), scratch, rng)
    points = check.trace("net9-cut-short.nettrace")     # it has sequence points
    early([points, points], scratch)
    one_is_complete([points, check.trace("net10-eventsource-types.nettrace")], scratch)
    check.finish(check.tier(15, 30))


if __name__ == "__main__":
    main()
