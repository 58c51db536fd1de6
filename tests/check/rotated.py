#!/usr/bin/env python3
"""The files of one recording by `record --rotate`, opened as one: an event that is in two files is shown once.

tests/data/rotated has the end of one file and the begin of the next one. The program gave each Tick a number of its
own in its thread, so that thread and number say which events are the same. They have other times and sequence
numbers in the two files. What one of the files has lost is shown once, too.
"""
import collections
import itertools
import os
import random
import struct
import sys

import check
import nt4_make

FILES = [os.path.join(check.DATA, "rotated", f"{n}.nettrace") for n in (1, 2)]
MADE = 24
PAUSE = 20_000_000      # ns
NEAR = 1_000_000
ALIKE = 1000            # bytes of payloads that are not unlike all others


def events(*args):
    return check.jsonl("dump", *args)[1]


def identity(e):
    return (e["tid"], e["name"], e["payload"].get("number"))


def ticks(rows):
    return [e for e in rows if e["name"] == "Tick"]


def union(files):
    """The Ticks of both files by thread and number; those of the first file stand for both."""
    out = {}
    for source, f in enumerate(files):
        for e in ticks(events(f)):
            out.setdefault(identity(e), (e["ticks"], source))
    return out


def compare(what, files):
    """The list, and what is counted, against the union. Returns how many events are in both."""
    want, alone = union(files), [len(ticks(events(f))) for f in files]
    rows = events(*files)
    got = [identity(e) for e in ticks(rows)]
    check.equal(f"{what}: each once", collections.Counter(got).most_common(1)[0][1], 1)
    check.equal(f"{what}: all", set(got), set(want))
    check.equal(f"{what}: times and files", [(e["ticks"], e["source"]) for e in ticks(rows)], sorted(want.values()))
    check.equal(f"{what}: rows", [e["row"] for e in rows], list(range(len(rows))))
    counted(what, files, rows)
    return sum(alone) - len(want)


def counted(what, files, rows):
    for by in ("name", "source,name", "tid"):
        key = lambda r: tuple(str(r.get(k)) for k in by.split(","))
        for only in ((), ("-f", "size >= 0")):
            check.equal(f"{what}: stats --by {by} {only}",
                        {key(r): r["events"] for r in check.jsonl("stats", "--by", by, *only, *files)[1]},
                        dict(collections.Counter(map(key, rows))))
    for command in ("types", "threads"):
        got = check.jsonl(command, *files)[1]
        check.equal(f"{what}: {command}", (sum(r["events"] for r in got), sum(r["bytes"] for r in got)),
                    (len(rows), sum(e["size"] for e in rows)))
    for workers in ("-j1", "-j4"):
        check.equal(f"{what}: {workers}", events(workers, *files), rows)
    for text, chosen in (("source = 1", lambda e: e["source"] == 1),
                         ("number >= 152600", lambda e: e["payload"].get("number", 0) >= 152600),
                         ("/Tick/", lambda e: e["name"] == "Tick")):
        check.equal(f"{what}: {text}", [e["row"] for e in events("-f", text, *files)], [e["row"] for e in rows if chosen(e)])


def program(rng, n):
    """What a program writes: (time, thread, payload). Most payloads are unlike all others, by their length."""
    out, at = [], 10**6
    for i in range(n):
        out.append((at, rng.randrange(3) + 1, bytes(i if rng.random() < 0.6 else ALIKE)))
        at += PAUSE if rng.random() < 0.03 else rng.choice((300, 2000, 40000))
    return out


def session(rng, written, begin, end, lossy):
    """The rows of a session that runs from event begin to event end, and the times of the events that it has. The time
    of an event is between the program's events before and after it; those of a thread stay in their order. Runs are
    lost."""
    rows, lost, have = [], set(), {}
    for _ in range(lossy):
        at = rng.randrange(begin, end)
        lost |= set(range(at, at + rng.randrange(1, 12)))
    for i in range(begin, end):
        t, tid, payload = written[i]
        pause = i + 1 < len(written) and written[i + 1][0] - t == PAUSE
        late = rng.randrange(PAUSE // 2) if pause and rng.random() < 0.5 else rng.randrange(100)
        rows.append((t + late, tid, 1, 0, None if i in lost else payload))
        if i not in lost:
            have[i] = t + late
    return sorted(rows, key=lambda r: r[0]), have


def doubtful(written, spans, sessions):
    """How many events it may not be known of that they are one: those of a thread of which two sessions share so few
    at nearly one time that this may be chance. If it lost events, two pairs of others may look like it, and so may
    events that one session has lost, whose payload others have, too."""
    n, votes, shared, lossy = 0, collections.Counter(), collections.Counter(), set()
    for k, (begin, end) in enumerate(spans):
        lossy |= {(k, written[i][1]) for i in range(begin, end) if i not in sessions[k]}
    for (j, a), (k, b) in itertools.combinations(enumerate(sessions), 2):
        begin, end = max(min(a.values()), min(b.values())) - NEAR, min(max(a.values()), max(b.values())) + NEAR
        for i in a.keys() | b.keys():
            at, which = written[i][1], (j, k, written[i][1])
            if i in a and i in b:
                shared[which] += 1
                votes[which] += abs(a[i] - b[i]) <= NEAR
            elif len(written[i][2]) == ALIKE and {(j, at), (k, at)} & lossy and begin <= a.get(i, b.get(i)) <= end:
                votes[which] -= 1
    for (j, k, tid), both in shared.items():
        n += both if votes[j, k, tid] < (3 if {(j, tid), (k, tid)} & lossy else 1) else 0
    return n


def made(scratch):
    """Programs with sessions that overlap and lose runs of events: each event that any file has is shown once."""
    rng = random.Random(check.check_seed())
    for i in range(MADE):
        written = program(rng, 400)
        spans = ((0, 200), (120, 330), (rng.randrange(150, 320), 400))
        files, kept, sessions = [], set(), []
        for k, (begin, end) in enumerate(spans):
            rows, have = session(rng, written, begin, end, i % 4)
            files.append(os.path.join(scratch, f"made{i}-{k}.nettrace"))
            with open(files[-1], "wb") as f:
                f.write(nt4_make.runtime("Made", rows))
            kept |= have.keys()
            sessions.append(have)
        got = events("-e", "tid,size", *files)
        want = collections.Counter((written[n][1], len(written[n][2])) for n in kept)
        have = collections.Counter((e["tid"], e["size"]) for e in got)
        check.equal(f"made {i}: left out", want - have, collections.Counter())
        twice = have - want
        check.true(f"made {i}: are twice {twice}", sum(twice.values()) <= doubtful(written, spans, sessions))
        check.equal(f"made {i}: stats", sum(r["events"] for r in check.jsonl("stats", *files)[1]), len(got))


def together(scratch):
    """Which files are of one recording."""
    a, b = (len(events(f)) for f in FILES)
    once = len(events(*FILES))
    check.equal("the other order", sorted(map(identity, events(*FILES[::-1]))), sorted(map(identity, events(*FILES))))
    check.equal("the first file twice", len(events(FILES[0], FILES[1], FILES[0])), once + a)
    check.equal("the second file twice", len(events(*FILES, FILES[1])), once + once - a)
    for align in ("start", "+1ms"):
        check.equal(f"--align {align}: another clock", len(events("--align", align, *FILES)), a + b)
    check.equal("--align ticks", len(events("--align", "ticks", *FILES)), once)
    pid = check.jsonl("info", FILES[1])[1][0]["pid"]
    data = check.read(FILES[1])
    at = data.index(struct.pack("<I", pid), 0, 200)
    other = os.path.join(scratch, "other.nettrace")
    with open(other, "wb") as f:
        f.write(data[:at] + struct.pack("<I", pid + 1) + data[at + 4:])
    check.equal("another process", len(events(FILES[0], other)), a + b)
    check.equal("gaps", check.jsonl("gaps", *FILES)[1], [])


def spans(scratch):
    """What starts in one file and stops in another is a span, as in one recording of all; a copy of a file has its own.
    Payloads: flags and the runtime's number; the others only tell events apart."""
    start, stop, other = (81, 1, bytes(3)), (91, 1, bytes(11)), (90, 0)
    rows = [(10**6 + i * 1000, i % 3 + 1, *other, bytes(i)) for i in range(300)]
    for begin, end, tid in ((20, 290, 7), (30, 90, 8), (100, 130, 10), (140, 280, 9), (210, 240, 8)):
        rows += [(10**6 + begin * 1000 + 500, tid, *start), (10**6 + end * 1000 + 500, tid, *stop)]
    rows.sort(key=lambda r: r[0])
    files = []
    for name, part in (("all", rows), ("first", rows[:160]), ("second", rows[110:250]), ("third", rows[200:])):
        files.append(os.path.join(scratch, f"spans-{name}.nettrace"))
        with open(files[-1], "wb") as f:
            f.write(nt4_make.runtime("Microsoft-Windows-DotNETRuntime", part))
    def found(*names):
        return sorted((e["ticks"], e["tid"], e["dur"]) for e in check.jsonl("dump", "-e", "ticks,tid,dur", "-f", "dur > 0", *names)[1])
    whole = found(files[0])
    check.equal("spans of one file", len(whole), 5)
    for some in itertools.permutations(files[1:]):
        check.equal("spans of its parts", found(*some), whole)
    check.equal("a file and a copy", found(files[1], files[1]), sorted(found(files[1]) * 2))
    check.equal("a file, the next one and a copy", len(found(*files[1:3], files[1])),
                len(found(*files[1:3])) + len(found(files[1])))


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    spans(scratch)
    check.true("events in both", compare("whole", FILES) > 300)
    made(scratch)
    together(scratch)
    check.finish(90)


if __name__ == "__main__":
    sys.exit(main())
