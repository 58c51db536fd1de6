#!/usr/bin/env python3
"""`tnav cut` and `tnav repair`: what they write has the events, losses, stacks and names of its origin.

The whole of a trace, windows and filters drawn anew, damaged traces, and small ones whose numbers are
worked out by hand and read by a second reader (tests/support/nt4.py).
"""
import collections
import json
import os
import random
import re

import check
import nt4
import nt4_make
import nt6

FIELDS = ("t,ticks,provider,id,version,name,level,keywords,opcode,pid,tid,captureTid,thread,cpu,activity,related,"
          "labels,crc,stack")
SMALL, LARGE = 30, 6        # traces that are written whole, and likewise
WINDOWS, DAMAGED = 30, 40   # windows of traces, and mutants
EVENT, POINT, STACKS = nt4_make.event, nt4_make.barrier, nt4_make.stacks


def rows(path, *args):
    return check.tnav("dump", "--format", "jsonl", "--crc", "-e", FIELDS, *args, path).out.splitlines()


def gaps(path, *args):
    """How the gaps of a trace are; incarnations are counted anew in a part of one."""
    return [tuple(g.get(k) for k in ("gap", "tid", "threadIndex", "why", "from", "to"))
            for g in check.jsonl("gaps", *args, path)[1]]


def lost(path, *args):
    """Events lost by thread."""
    out = collections.Counter()
    for g in gaps(path, *args):
        out[g[1] if g[1] is not None else g[2]] += g[0]
    return out


def written(command, path, to, *args):
    """Run it: is there a result?"""
    if os.path.exists(to):
        os.unlink(to)
    r = check.tnav(command, "-o", to, *args, path)
    check.true(f"{command} {' '.join(args)} {path}: {r.code}, and a file unless it is 2",
               os.path.exists(to) == (r.code < 2))
    return os.path.exists(to)


def whole(path, scratch):
    """The copy of a whole trace is the trace."""
    to, name = os.path.join(scratch, "whole.nettrace"), os.path.basename(path)
    if not written("repair", path, to):
        return 0
    check.equal(f"{name}: repaired", rows(to), rows(path))
    check.equal(f"{name}: repaired, gaps", gaps(to), gaps(path))
    check.equal(f"{name}: repaired, check", check.tnav("check", to).code, 0)
    folded = [check.tnav("stacks", "--fold", "--weight", "count", x).out for x in (path, to)]
    check.equal(f"{name}: repaired, stacks", folded[1], folded[0])
    return 1


def choose(path, rng):
    """A window, and at times a filter, as options of cut; those of the window alone."""
    types = check.jsonl("types", path)[1]
    times = [t[k] for t in types for k in ("first", "last") if t.get(k) is not None]
    if not times:
        return None
    ends = sorted(rng.randint(max(0, min(times)), max(0, max(times))) for _ in "12")
    if ends[1] - ends[0] < 10**6:       # at least a tick of any clock
        ends[1] += 10**6
    window = []
    for option, at in zip(("--from", "--to"), ends):
        if rng.random() < 0.8:
            window += [option, f"{at // 10**9}.{at % 10**9:09}s"]
    chosen = []
    if rng.random() < 0.5:
        word = rng.choice(types)[rng.choice(("provider", "name"))]
        word = "".join(c if c.isascii() and c.isalnum() else "." for c in word)[:200]
        chosen = ["-f", f'{rng.choice(("", "not "))}{rng.choice(("name", "provider"))} ~ {json.dumps(word)}']
    return window + chosen, window


def part(path, scratch, rng):
    """A part has the events of the window that match, others of the trace, and its losses by thread."""
    options = choose(path, rng)
    to, again = os.path.join(scratch, "part.nettrace"), os.path.join(scratch, "again.nettrace")
    if options is None:
        return 0
    chosen, window = options
    names = ("--symbols", rng.choice(("used", "all", "none")))
    if not written("cut", path, to, *chosen, *names):
        return 0
    what = f"{path} {' '.join(chosen + list(names))}"
    check.equal(what, rows(to, *chosen), rows(path, *chosen))
    every = collections.Counter(x.split(b'"stack"')[0].rstrip(b",}") for x in rows(path))
    mine = collections.Counter(x.split(b'"stack"')[0].rstrip(b",}") for x in rows(to))
    check.true(f"{what}: only events of the trace", not mine - every)
    check.equal(f"{what}: lost", lost(to), lost(path, *window))
    check.equal(f"{what}: check", check.tnav("check", to).code, 0)
    if written("cut", to, again, *chosen, *names):
        check.equal(f"{what}: cut again", rows(again), rows(to))
        check.equal(f"{what}: cut again, gaps", gaps(again), gaps(to))
    return 1


def texts(value, out, name=None):
    """All texts in a payload, added to a list; what is left of it without them. Of the name of a thread in a
    tracepoint the recorder declares the first byte only, as a number."""
    if name in ("comm", "prev_comm", "next_comm") and isinstance(value, int):
        out.append(value)
        return ""
    if isinstance(value, str):
        out.append(value)
        return ""
    if isinstance(value, dict):
        return {k: texts(v, out, k) for k, v in value.items()}
    return [texts(v, out) for v in value] if isinstance(value, list) else value


def redacted(path, scratch):
    """All events are there, with all but their texts; equal texts are equal, and none is in the file."""
    to, again = os.path.join(scratch, "red.nettrace"), os.path.join(scratch, "red2.nettrace")
    what = f"redacted {os.path.basename(path)}"
    if not written("cut", path, to, "--redact", "all", "--redact-key", "k"):
        return 0
    written("cut", path, again, "--redact", "all", "--redact-key", "k")
    check.true(f"{what}: the same with the same key", check.read(to) == check.read(again))
    check.equal(f"{what}: check", check.tnav("check", to).code, 0)
    keep = "t,provider,id,name,size,pid,tid,cpu,activity,related,stack"
    check.equal(what, check.jsonl("dump", "-e", keep, to)[1], check.jsonl("dump", "-e", keep, path)[1])
    before, after, names, hidden = [], [], set(), check.read(to)
    for a, b in zip(check.jsonl("dump", "-e", "payload", path)[1], check.jsonl("dump", "-e", "payload", to)[1]):
        left = texts(a.get("payload"), before)
        names.add(json.dumps(left))
        check.equal(f"{what}: layout", texts(b.get("payload"), after), left)
    check.true(f"{what}: no letter of a thread's name", not any(y for y in after if isinstance(y, int)))
    before, after = ([x for x in v if isinstance(x, str)] for v in (before, after))
    made = {}
    check.true(f"{what}: equal texts stay equal", all(made.setdefault(x, y) == y for x, y in zip(before, after)))
    check.true(f"{what}: lengths", all(len(y) in (len(x.encode()), len(x.encode("utf-16-le")) // 2)
                                       for x, y in zip(before, after)))
    # The names of providers, events and fields stay; a few bytes may be part of one.
    public = check.tnav("types", "--format", "jsonl", path).out.decode() + " ".join(names)
    found = [x for x in set(before) if len(x) >= 4 and not x.startswith("0x") and x not in public and
             (len(x) >= 8 and x.encode() in hidden or x.encode("utf-16-le") in hidden)]
    check.equal(f"{what}: texts in the file", found, [])
    return bool(before)


def listed(path):
    """--dry-run counts the texts of each field."""
    out = check.tnav("cut", "--dry-run", path).out.decode().splitlines()
    mine, seen = collections.Counter(), collections.Counter()
    for line in out[1:]:
        kind, field, n = line.split("  ", 1)[0], *re.split(r"  +", line.split("  ", 1)[1].strip())[:2]
        check.true(f"{path}: {kind}", kind in ("paths", "args", "names", "text"))
        mine[field] += int(n.replace(",", ""))
    for e in check.jsonl("dump", "-e", "provider,name,payload", path)[1]:
        for key, value in (e.get("payload") or {}).items():
            if isinstance(value, str) and value:
                seen[f"{e['provider']}/{e['name']}.{key}"] += 1
    check.equal(f"{path}: texts listed", {k: n for k, n in mine.items() if k in seen},
                {k: n for k, n in seen.items() if k in mine})
    check.true(f"{path}: command lines are args", any(x.startswith("args") and "CommandLine" in x for x in out))


def chosen_fields(path, scratch):
    """A field by itself, and all but one."""
    to, field = os.path.join(scratch, "field.nettrace"), "Microsoft-DotNETCore-EventPipe/ProcessInfo.CommandLine"
    check.true("one field", written("cut", path, to, "--redact-field", field))
    before, after = (check.jsonl("dump", "-e", "payload", x)[1] for x in (path, to))
    check.equal("one field of one event", sum(a != b for a, b in zip(before, after)), 1)
    check.true("all but one", written("cut", path, to, "--redact", "args", "--keep-field", field))
    check.equal("all but one", check.jsonl("dump", "-e", "payload", to)[1], before)
    check.equal("no such event", check.tnav("cut", "--redact-field", "A/B.C", "-o", to, path).code, 2)
    kept = "Microsoft-Windows-DotNETRuntime/GC/AllocationTick.TypeName"
    r = check.tnav("cut", "--redact", "all", "--keep-field", kept, "-o", "-", path)
    text = re.search(b"redacted elsewhere: '(.*)'", r.err).group(1).decode()
    check.true(f"what was piped is without {text}", r.code == 3 and r.out.startswith(b"Nettrace") and
               text.encode("utf-16-le") not in r.out)


def damage(path, scratch, rng):
    """What dump shows of a damaged trace is in the repaired one."""
    data = bytearray(check.read(path)) or bytearray(1)
    if rng.random() < 0.3:
        del data[rng.randrange(len(data) // 2, len(data)):]
    for _ in range(rng.choice((1, 2, 5, 20))):
        at, n = rng.randrange(len(data) + 1), rng.randint(1, 2000)
        data[at:at + n] = rng.choice((b"", bytes(min(n, len(data) - at)), bytes([rng.randrange(256)]) * 3,
                                      bytes(data[at // 2:at // 2 + n])))
    bad, to = os.path.join(scratch, "bad.nettrace"), os.path.join(scratch, "good.nettrace")
    with open(bad, "wb") as f:
        f.write(data)
    if not written("repair", bad, to):
        return 0
    check.equal(f"a damaged {os.path.basename(path)}", rows(to), rows(bad))
    r = check.tnav("check", to)         # a date that is none stays, as all times do
    check.true(f"a damaged {os.path.basename(path)} is clean: {r.out[:400]}", r.code == 0 or b"bad-header" in r.out)
    return 1


def numbers(path):
    """Of a V4 trace: (ticks, thread, number) of events, (ticks, its list) of points, in the file's order."""
    t = nt4.read(path)
    check.true(f"{path}: whole", t.closed and not t.error)
    check.true(f"{path}: all events are sorted", all(e.is_sorted for e in t.events()))
    return [(x.ts, x.tid, x.seq) if isinstance(x, nt4.Event) else (x.ts, sorted(x.threads))
            for x in t.items if not isinstance(x, nt4.Stacks)]


# Each: what, the items of a trace, options, and what comes of it. The clock has a tick a nanosecond.
BY_HAND = [
    ("in time order, numbered from 1",
     [EVENT(30, 1, 1), EVENT(40, 1, 2), EVENT(10, 2, 1), EVENT(35, 2, 2)], [],
     [(10, 2, 1), (30, 1, 1), (35, 2, 2), (40, 1, 2)]),
    ("what is left out is not lost, and what is lost is",
     [EVENT(10, 1, 1), EVENT(20, 1, 2), EVENT(30, 1, 6), EVENT(40, 1, 7)],
     ["--from", "20ns", "--to", "40ns"], [(20, []), (20, 1, 1), (30, 1, 5), (40, [(1, 5)])]),
    ("a gap into the window is told in it",
     [EVENT(10, 1, 1), EVENT(30, 1, 6)], ["--from", "20ns"], [(20, []), (30, 1, 5)]),
    ("a gap out of the window is told at its end",
     [EVENT(10, 1, 1), EVENT(30, 1, 6)], ["--to", "20ns"], [(10, 1, 1), (20, [(1, 5)])]),
    ("a gap outside is not told",
     [EVENT(10, 1, 1), EVENT(12, 1, 6), EVENT(20, 1, 7), EVENT(30, 1, 8), EVENT(40, 1, 10)],
     ["--from", "20ns", "--to", "30ns"], [(20, []), (20, 1, 1), (30, [(1, 1)])]),
    ("a point tells of a loss where the trace did",
     [EVENT(10, 1, 1), EVENT(11, 2, 1), POINT(20, [(1, 3), (2, 1)]), EVENT(30, 2, 2)], [],
     [(10, 1, 1), (11, 2, 1), (20, [(1, 3), (2, 1)]), (30, 2, 2)]),
    ("a thread id that was used again is another incarnation",
     [EVENT(10, 1, 1), EVENT(11, 1, 2), EVENT(12, 1, 1), EVENT(13, 1, 2)], [],
     [(10, 1, 1), (11, 1, 2), (12, 1, 1), (13, 1, 2)]),
    ("a point at the end of the window is the end's",
     [EVENT(10, 1, 1), POINT(20, [(1, 3)]), EVENT(30, 1, 4)], ["--to", "20ns"], [(10, 1, 1), (20, [(1, 3)])]),
    ("an incarnation that has ended is on no point",
     [EVENT(10, 1, 1), EVENT(11, 1, 2), EVENT(12, 1, 1), POINT(20, [(1, 3)]), EVENT(30, 1, 4)], [],
     [(10, 1, 1), (11, 1, 2), (12, 1, 1), (20, [(1, 3)]), (30, 1, 4)]),
    ("nor is a thread after its last event",
     [EVENT(10, 1, 1), EVENT(12, 2, 1), POINT(15, [(1, 1), (2, 1)]), EVENT(22, 2, 2), POINT(30, [(2, 4)]),
      EVENT(40, 2, 5)], [],
     [(10, 1, 1), (12, 2, 1), (15, [(2, 1)]), (22, 2, 2), (30, [(2, 4)]), (40, 2, 5)]),
]


def by_hand(scratch):
    origin, to = os.path.join(scratch, "made.nettrace"), os.path.join(scratch, "out.nettrace")
    for what, items, options, want in BY_HAND:
        with open(origin, "wb") as f:
            f.write(nt4_make.trace(items))
        if written("cut", origin, to, *options):
            check.equal(what, numbers(to), want)


def blocks(scratch):
    """A block is written when it has 64 KiB; what comes last may be more, but not much."""
    origin, to = os.path.join(scratch, "long.nettrace"), os.path.join(scratch, "long-out.nettrace")
    stacks = [range(1 + i, 41 + i) for i in range(600)]
    with open(origin, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(nt6.thread(1, nt6.thread_id(5))), nt6.metadata(nt6.row(1, "P", 1, "E")),
            nt6.stacks(1, *stacks), nt6.events([nt6.event(1, 1, 1, 1, stack=1 + i) for i in range(600)]),
            nt6.events([nt6.event(1, 1, 1, 10000, bytes(100)) for _ in range(2000)]),
            nt6.events([nt6.event(1, 1, 1, 10**8, bytes(60000)) for _ in range(3)])]))
    check.true("a long trace", written("repair", origin, to))
    check.equal("a long trace, repaired", rows(to), rows(origin))
    data, at, sizes = check.read(to), 20, collections.defaultdict(list)
    while data[at:at + 4] != bytes(4):
        sizes[data[at + 3]].append(int.from_bytes(data[at:at + 3], "little"))
        at += 4 + sizes[data[at + 3]][-1]
    for kind, least in ((nt6.STACK, 3), (nt6.EVENT, 8)):
        check.true(f"blocks of kind {kind}: {sizes[kind]}",
                   len(sizes[kind]) >= least and max(sizes[kind]) < 80000)


def called(scratch):
    """A type whose fields are damaged is written anew, and called the same: names have all lengths of UTF-8."""
    origin, to = os.path.join(scratch, "called.nettrace"), os.path.join(scratch, "called-out.nettrace")
    made, old = nt4_make.trace([EVENT(10, 1, 1)]), "Made\0".encode("utf-16-le")
    fields = "E\0".encode("utf-16-le") + bytes(12) + b"\4\0\0\0"
    check.equal("names and fields", (made.count(old), made.count(fields)), (1, 1))
    for name in ("M\x7f\x80\u07ff", "\u0800\ufffdde", "\U00010000de", "\U0010ffffde"):
        with open(origin, "wb") as f:
            f.write(made.replace(old, (name + "\0").encode("utf-16-le")).replace(fields + b"\0", fields + b"\5"))
        check.true(f"{name!a} is written", written("repair", origin, to))
        for path in (origin, to):
            check.equal(f"{name!a}", [e["provider"] for e in check.jsonl("dump", "-e", "provider", path)[1]],
                        [name])
    with open(origin, "wb") as f:       # a field is missing; the second type is
        f.write(nt6.trace([nt6.threads(nt6.thread(1)), nt6.metadata(nt6.row(1, "P", 7, "E", nt6.u16(3))),
                           nt6.events([nt6.event(1, 0, 1, 10), nt6.event(2, 0, 1, 10)])]))
    check.true("damaged and missing types of V6", written("repair", origin, to))
    for path in (origin, to):
        check.equal("their names", [(e["provider"], e["id"], e["name"]) for e in
                                    check.jsonl("dump", "-e", "provider,id,name", path)[1]],
                    [("P", 7, "E"), ("", 0, "metadata #2 missing")])


def doors(scratch):
    """What is refused, and leaves nothing; the key of V6."""
    origin, to = os.path.join(scratch, "v6.nettrace"), os.path.join(scratch, "v6-out.nettrace")
    made = nt6.trace([nt6.threads(nt6.thread(1, nt6.thread_id(5))), nt6.metadata(nt6.row(1, "P", 1, "E")),
                      nt6.events([nt6.event(1, 1, 1, 10), nt6.event(1, 1, 1, 10)])])
    with open(origin, "wb") as f:
        f.write(made)
    r = check.tnav("cut", "--to", "15ns", "-o", origin, origin)
    check.equal("the input is not written over", (r.code, check.read(origin)), (3, made))
    check.equal("-o is needed", check.tnav("cut", origin).code, 2)
    r = check.tnav("cut", "-o", to, origin, origin)
    check.equal("one file", (r.code, b"only one file" in r.err), (2, True))
    check.equal("what is redacted is known", check.tnav("cut", "--redact", "text,nix", "-o", to, origin).code, 2)
    heph = next(p for p in check.all_data_traces(scratch) if p.endswith(".heph"))
    r = check.tnav("repair", "-o", to, heph)
    check.equal("Heph is refused with words", (r.code, b"Heph" in r.err, os.path.exists(to)), (2, True, False))
    check.true("a part of V6", written("cut", origin, to, "--to", "15ns"))
    check.true("says what it is", b"tnav.cut" in check.read(to) and b"cut --to 15ns" in check.read(to))
    check.true("a whole one", written("repair", origin, to))
    check.true("does not", b"tnav.cut" not in check.read(to))


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    check.need_shared()
    by_hand(scratch)
    blocks(scratch)
    called(scratch)
    doors(scratch)
    listed(os.path.join(check.DATA, "demo.nettrace"))
    chosen_fields(os.path.join(check.DATA, "demo.nettrace"), scratch)
    listed(check.first_shared("v4/net10-activities-http.nettrace", "v4/cut-http.nettrace"))
    traces = [p for p in check.all_data_traces(scratch) + check.all_shared_traces() if not p.endswith(".heph")]
    sound = [p for p in traces if check.tnav("check", p).code == 0]
    seed = check.check_seed()
    check.true("traces were written", sum(check.check_useful(lambda p: whole(p, scratch), sound, SMALL, LARGE)) > 9)
    rng = random.Random(f"{seed} parts")
    small = [p for p in sound if os.path.getsize(p) < 1 << 20]
    n = sum(part(rng.choice(small), scratch, rng) for _ in range(check.check_part(check.tier(WINDOWS, 200))))
    check.true("parts were written", n > 0)
    n = sum(map(lambda p: redacted(p, scratch), check.check_sample(small, SMALL)))
    check.true("traces were redacted", n > 0)
    rng = random.Random(f"{seed} damaged")
    small = [p for p in sound if os.path.getsize(p) < 1 << 17]
    n = sum(damage(rng.choice(small), scratch, rng) for _ in range(check.check_part(check.tier(DAMAGED, 1000))))
    check.true("traces were repaired", n > 0)
    check.finish()


main()
