#!/usr/bin/env python3
"""Lost events: `tnav gaps` against numbers written by hand, and against the rule of lives done
a second time (tests/support/lives.py); every gap lies between the rows that it names."""
import collections
import os
import random

import check
import lives
import nt4
import nt4_make

SMALL, LARGE = 16, 4    # traces of a sample
SEEDS, SOME = 40, 15    # made ones, and a sample of them
FIELDS = ("tid", "life", "gap", "why", "after", "from", "to")

# Worked out from the bytes of the files. The clock of these has 1000 ticks a second, so a tick is
# a million ns; the sync time is tick 1,000,000.
#
# v4-dropped-events, in file order:          offset
#   event  thread 5 number 1  tick 1000001    0x160    row 0
#   event  thread 5 number 5  tick 1000002    0x1b4    row 1     2, 3, 4 are missing
#   sequence point            tick 1000003    0x20e              5: 8 (6, 7, 8), 6: 3 (1, 2, 3)
#   event  thread 6 number 5  tick 1000004    0x27c    row 2     4 is missing
#   event  thread 5 number 9  tick 1000005    0x2d0    row 3
BY_HAND = {
    "v4-dropped-events": [
        (5, 1, 3, "gap", 0, 1000000, 2000000),
        (5, 1, 3, "barrier", 1, 2000000, 3000000),
        (6, 1, 3, "barrier", None, 0, 3000000),
        (6, 1, 1, "gap", None, 3000000, 4000000),
    ],
    "v4-activity-ids": [], "v4-capture-threads": [], "v4-event-block-needs-reader-3": [],
    "v4-headers-only": [], "v4-many-blocks": [], "v4-non-ascii-names": [],
    "v4-trace-object-version-5-reader-4": [], "v4-unknown-object": [], "v5-metadata-tags": [],
}

# What a sequence point proves. Thread 1 at 10 ticks a step, one tick a nanosecond:
MADE_BY_HAND = [
    ("the point tells what was read: what is lost is lost behind it",
     [nt4_make.event(10, 1, 1), nt4_make.barrier(20, [(1, 1)]), nt4_make.event(30, 1, 5)],
     [(1, 1, 3, "gap", 0, 20, 30)]),
    ("of two points the later one",
     [nt4_make.event(10, 1, 1), nt4_make.barrier(20, [(1, 1)]), nt4_make.barrier(25, [(1, 1)]),
      nt4_make.event(30, 1, 5)],
     [(1, 1, 3, "gap", 0, 25, 30)]),
    ("the point tells of a loss: what is lost later is lost behind it",
     [nt4_make.event(10, 1, 1), nt4_make.barrier(20, [(1, 3)]), nt4_make.event(30, 1, 6)],
     [(1, 1, 2, "barrier", 0, 10, 20), (1, 1, 2, "gap", 0, 20, 30)]),
    ("likewise if the next to tell is a point",
     [nt4_make.event(10, 1, 1), nt4_make.barrier(20, [(1, 1)]), nt4_make.barrier(30, [(1, 4)])],
     [(1, 1, 3, "barrier", 0, 20, 30)]),
    ("an event behind the point: the gap begins at the event",
     [nt4_make.event(10, 1, 1), nt4_make.barrier(20, [(1, 1)]), nt4_make.event(30, 1, 2),
      nt4_make.event(40, 1, 5)],
     [(1, 1, 2, "gap", 1, 30, 40)]),
    ("a point that tells less than was read proves nothing of what is lost behind that",
     [nt4_make.event(10, 1, 1), nt4_make.event(15, 1, 2), nt4_make.barrier(20, [(1, 1)]),
      nt4_make.event(30, 1, 5)],
     [(1, 1, 2, "gap", 1, 15, 30)]),
    ("a point that is earlier than the event changes nothing",
     [nt4_make.event(10, 1, 1), nt4_make.barrier(5, [(1, 1)]), nt4_make.event(30, 1, 5)],
     [(1, 1, 3, "gap", 0, 10, 30)]),
    ("a gap does not begin behind its end",
     [nt4_make.event(10, 1, 1), nt4_make.barrier(50, [(1, 1)]), nt4_make.event(30, 1, 5)],
     [(1, 1, 3, "gap", 0, 30, 30)]),
]


def order(gap):
    return [(x is not None, x) if not isinstance(x, str) else (True, x) for x in gap]


def gaps_of(path):
    r, lines = check.jsonl("gaps", path)
    out = []
    for g in lines:
        check.equal(f"{os.path.basename(path)}: first key", next(iter(g)), "gap")
        out.append(tuple(g.get(k) for k in FIELDS))
    return r, lines, out


def between_rows(name, trace, gap, rows):
    """The gap's own ends, looked up in the events: nothing of this life lies within."""
    tid, _, lost, why, after, start, to = gap
    check.true(f"{name}: {gap}: from <= to", start <= to)
    check.true(f"{name}: {gap}: lost", lost > 0)
    if after is not None:
        e = rows[after]
        check.equal(f"{name}: {gap}: thread of the row before", e.capture, tid)
        check.true(f"{name}: {gap}: begins at the row before or at a later sequence point",
                   trace.ns(e.ts) == start or (trace.ns(e.ts) < start and
                                               (start in trace.barriers or start == to)))
    if why in ("gap", "start"):
        check.true(f"{name}: {gap}: an event of the thread stands at its end",
                   (tid, to) in trace.ends)
    if why == "barrier":
        check.true(f"{name}: {gap}: a sequence point stands at its end", to in trace.barriers)


def compare(path):
    name = os.path.basename(path).removesuffix(".nettrace")
    trace = nt4.read(path)
    if trace.error and not trace.items:
        return
    r, lines, got = gaps_of(path)
    events = trace.events()
    rows = sorted(events, key=lambda e: (e.ts, e.order))
    trace.ends = {(e.capture, trace.ns(e.ts)) for e in events}
    trace.barriers = {trace.ns(x.ts) for x in trace.items if isinstance(x, nt4.Barrier)}
    want = lives.losses(trace)
    check.equal(f"{name}: gaps", sorted(got, key=order), sorted(want, key=order))
    check.equal(f"{name}: order by from", [g[5] for g in got], sorted(g[5] for g in got))
    for g in got:
        between_rows(name, trace, g, rows)
    if name in BY_HAND:
        check.equal(f"{name}: gaps by hand", sorted(got, key=order), sorted(BY_HAND[name], key=order))
    sums = collections.Counter()
    for g in want:
        sums[g[0]] += g[2]
    _, threads = check.jsonl("threads", path)
    lost = {t["tid"]: t.get("lost", 0) for t in threads if t.get("lost", 0)}
    check.equal(f"{name}: lost by thread", lost, dict(sums))
    _, info = check.jsonl("info", path)
    check.equal(f"{name}: lost in info", info[0]["lost"], sum(sums.values()))
    check.equal(f"{name}: gaps in info", info[0]["gaps"], len(want))
    in_dump(name, path, lines)


def in_dump(name, path, gaps):
    """dump --gaps says the same, each one on the line behind the row that it names."""
    if not gaps:
        return
    _, lines = check.jsonl("dump", "--gaps", path)
    found, row = [], None
    for x in lines:
        if "gap" not in x:
            row = x["row"]
            continue
        found.append(x)
        if x["after"] is not None:
            check.equal(f"{name}: the row before {x}", row, x["after"])
    key = lambda g: order(tuple(g.get(k) for k in FIELDS))  # noqa: E731
    check.equal(f"{name}: gaps in the dump", sorted(found, key=key), sorted(gaps, key=key))


def random_lives(rng):
    """A trace of threads that die, come back under one id, lose events; sequence points between."""
    items, ts = [], 0
    alive = []                  # [tid, last number]

    for _ in range(rng.randrange(5, 80)):
        ts += rng.randrange(1, 50)
        what = rng.random()
        if what < 0.12 or not alive:
            alive.append([rng.randrange(1, 5), 0])
        elif what < 0.2:
            alive.remove(rng.choice(alive))
        elif what < 0.3:
            listed = [tuple(x) for x in alive]
            rng.shuffle(listed)
            items.append(nt4_make.barrier(ts, listed))
        else:
            thread = rng.choice(alive)
            thread[1] += rng.choice((1, 1, 1, 1, 2, 3, 40))
            if rng.random() < 0.9:
                items.append(nt4_make.event(ts, thread[0], thread[1], rng.random() < 0.5))
    return items


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    paths = check.data_traces(scratch) + check.shared_traces()
    for path in check.check_traces([p for p in paths if check.stem(p) not in BY_HAND], SMALL, LARGE) + \
            [p for p in paths if check.stem(p) in BY_HAND]:
        compare(path)
    for i, (rule, items, want) in enumerate(MADE_BY_HAND):
        path = os.path.join(scratch, f"by-hand-{i}.nettrace")
        with open(path, "wb") as f:
            f.write(nt4_make.trace(items))
        check.equal(rule, sorted(gaps_of(path)[2], key=order), sorted(want, key=order))
        compare(path)
    for seed in check.check_sample(range(SEEDS), SOME):
        path = os.path.join(scratch, f"random-lives-{seed}.nettrace")
        with open(path, "wb") as f:
            f.write(nt4_make.trace(random_lives(random.Random(seed))))
        compare(path)
    check.finish()


if __name__ == "__main__":
    main()
