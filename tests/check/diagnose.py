#!/usr/bin/env python3
"""What is wrong with a program: programs with one known illness each, and healthy ones.

Figures are counted once more from what dump prints. The evidence of a diagnosis is a command, which
is run as a shell would read it. Damaged traces must not crash it, and nothing is said of what has no
events.

    diagnose.py                 compare
    diagnose.py --update        write tests/golden/clinic.jsonl anew: all that is said of the clinic's programs
"""
import collections
import itertools
import json
import os
import random
import re
import shlex
import struct
import subprocess
import sys

import check
import nt4_make
from expect import Fake
import stage

check.need_tnav()
RUNTIME = "Microsoft-Windows-DotNETRuntime"
KEYS = ["id", "rank", "certainty", "share", "value", "number", "unit", "cause", "since", "until", "evidence", "text"]
# Cut out of traces whose programs are known: what is first, and a name in its cause.
SMALL = {"deadlock": ("deadlock", "Program.Main.lambda"), "induced": ("induced-collections", "GC.Collect"),
         "exceptions": ("exception-storm", "Exception"), "starvation": ("thread-pool-starvation", "Task."),
         "pool-stuck": ("thread-pool-starvation", "GetResult"),
         "pool-counters": ("thread-pool-starvation", "unknown"),
         "stuck": ("deadlock", "Dead3")}


def said(r):
    return r.err.decode("utf-8", "replace")[-300:]


def text_of(r):
    return r.out.decode("utf-8", "replace")


def diagnoses(path, *options):
    r, found = check.jsonl("diagnose", *options, path)
    check.true(f"diagnose {path}: exit {r.code}: {said(r)}", r.code < 2)
    found = [d for d in found if d["kind"] == "diagnosis"]
    check.equal(f"{path}: ranks", [d["rank"] for d in found], list(range(1, len(found) + 1)))
    return found


def dump(path, which):
    return check.jsonl("dump", "-f", which, path)[1]


def seconds(path):
    """The time in which the sampler stopped the threads."""
    stops = dump(path, "name = GC/SuspendEEStart")
    return (stops[-1]["t"] - stops[0]["t"]) / 1e9


# ---- figures, counted again

def near(what, got, want):
    check.true(f"{what}: {got}, not {want}", abs(got - want) <= 1e-6 * abs(want))


def exceptions(path, d):
    near("exceptions a second", d["number"], len(dump(path, "name = Exception/Start")) / seconds(path))


def induced(path, d):
    starts = dump(path, "name = GC/Start and payload.Reason in (1, 7, 9, 10, 17)")
    near("requested collections a second", d["number"], len(starts) / seconds(path))


def items(path, d):
    done = dump(path, 'name = EventCounters and payload ~ "threadpool-completed-items-count"')
    text = " ".join(str(e) for e in done)
    total = sum(float(x) for x in re.findall(r"'Increment': ([0-9.]+)", text))
    if total > 0:
        near("work items a second", d["number"], total / seconds(path))


def convoy(path, d):
    """The waits of each thread for the lock that was waited for most."""
    since, waited = {}, collections.Counter()
    for e in dump(path, 'name ~ "^Contention/(Start|Stop)"'):
        if e["name"].endswith("Start"):
            since[e["tid"]] = (e["t"], e["payload"]["LockID"])
        elif e["tid"] in since:
            at, lock = since.pop(e["tid"])
            waited[lock] += e["t"] - at
    near("threads that wait", d["number"], waited.most_common(1)[0][1] / 1e9 / seconds(path))


def deadlock(path, d):
    """Each thread of the cause waits at the end, for a lock of another one of them."""
    waits = {}
    for e in dump(path, 'name ~ "^Contention/(Start|Stop)"'):
        if e["name"].endswith("Start"):
            waits[e["tid"]] = e["payload"]["LockOwnerThreadID"]
        else:
            waits.pop(e["tid"], None)
    told = {int(x) for x in re.findall(r"thread (\d+)", d["cause"])}
    check.true(f"{path}: a circle of {told} in {waits}", len(told) > 1 and
               {waits.get(t) for t in told} == told)
    check.equal(f"{path}: threads in it", d["number"], len(told))


AGAIN = {"exception-storm": exceptions, "induced-collections": induced, "work-item-flood": items,
         "lock-convoy": convoy, "deadlock": deadlock}


# ---- what each diagnosis must have

def evidence(path, d):
    """The command shows something."""
    words = shlex.split(d["evidence"])
    check.equal(f"{path}: {d['evidence']}", [words[0], words[-1]], ["tnav", "FILE"])
    r = check.tnav(*words[1:-1], path)
    check.true(f"{path}: {d['evidence']}: exit {r.code}, {said(r)}", r.code < 2 and text_of(r).count("\n") > 1)


def page(path, found):
    r = check.tnav("diagnose", path)
    check.true(f"{path}: exit {r.code}", r.code < 2)
    lines = [x for x in text_of(r).splitlines() if x and not x.startswith("   See: ")]
    check.true(f"{path}: wider than 80: {[x for x in lines if len(x) > 80]}", all(len(x) <= 80 for x in lines))
    text = " ".join(" ".join(lines).split())
    for d in found:
        check.true(f"{path}: {d['rank']}. and {d['text'][:60]} in {text}", f"{d['rank']}. {d['text'][:30]}" in text)
    check.equal(f"{path}: nothing is wrong", "Nothing is wrong" in text, not found)


def one(path, name, first, cause, besides, full):
    found = diagnoses(path)
    ids = [d["id"] for d in found]
    if first == "-":
        check.true(f"{name} is healthy, but {ids}", set(ids) <= besides)
    else:
        check.equal(f"{name}: the first of {ids}", ids[:1], [first])
        check.true(f"{name}: beyond: {ids}", set(ids) <= besides | {first})
        check.true(f"{name}: cause {found[0]['cause'] if found else None}",
                   found and any(c in found[0]["cause"] for c in cause))
    for d in found:
        check.equal(f"{name}: keys", [k for k in KEYS if k not in d], [])
        check.true(f"{name}: share {d['share']}", 0 <= d["share"] <= 1)
        parts = d["cause"].split("; ")
        check.equal(f"{name}: each method once in {d['cause']}", len(parts), len(set(parts)))
        check.true(f"{name}: {d['certainty']}", d["certainty"] in ("certain", "likely", "possible"))
        evidence(path, d)
        if d["id"] in AGAIN and full and d["certainty"] != "possible":
            AGAIN[d["id"]](path, d)
    page(path, found)
    return found


def small():
    for name, (first, cause) in SMALL.items():
        path = os.path.join(check.DATA, "clinic", name + ".nettrace.zst")
        one(path, name, first, [cause], set(), True)


def clinic():
    """The programs of the clinic, by what is known of them."""
    with open(os.path.join(check.SHARED, "oracle", "clinic", "clinic.tsv")) as f:
        rows = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    check.equal("programs", len(rows), 20)
    golden, now = os.path.join(check.GOLDEN, "clinic.jsonl"), []
    for name, first, besides, cause in rows:
        path = os.path.join(check.SHARED, "traces", "clinic", name + ".nettrace.zst")
        found = one(path, name, first, cause.split("|"), set(besides.split(",")) - {"-"}, True)
        now += [{"trace": name, **{k: float(f"{v:.9g}") if isinstance(v, float) else v for k, v in d.items()}}
                for d in found]
    if "--update" in sys.argv:
        with open(golden, "w", encoding="utf-8") as f:
            f.writelines(json.dumps(d, ensure_ascii=False) + "\n" for d in now)
    want = [json.loads(line) for line in check.read(golden).splitlines()]
    for a, b in itertools.zip_longest(want, now):
        check.equal("what is said of the clinic", b, a)


# ---- damage, and traces without anything

def damaged(folder):
    rng = random.Random(check.check_seed())
    for name in SMALL:
        whole = subprocess.run(["zstd", "-dc", os.path.join(check.DATA, "clinic", name + ".nettrace.zst")],
                               check=True, stdout=subprocess.PIPE).stdout
        for i in range(3):
            data = bytearray(whole[:rng.randrange(100, len(whole))])
            for _ in range(rng.choice((0, 1, 20))):
                data[rng.randrange(len(data))] = rng.randrange(256)
            path = os.path.join(folder, "damaged.nettrace")
            with open(path, "wb") as f:
                f.write(data)
            r = check.tnav("diagnose", path)
            check.true(f"{name} cut and changed: exit {r.code}: {said(r)}", r.code in (0, 1, 2))


def without(folder):
    """Nothing is diagnosed where there is nothing; a lossy trace is less certain."""
    for path in (os.path.join(check.DATA, "traces", "actors-1worker.heph"),
                 os.path.join(check.DATA, "traces", "net10-eventsource-types.nettrace")):
        check.equal(f"{path}: diagnoses", diagnoses(path), [])
        check.true(f"{path}: nothing was examined",
                   b"Nothing was examined" in check.tnav("diagnose", path).out)
    path = os.path.join(check.DATA, "clinic", "induced.nettrace.zst")
    check.equal("a window before it", diagnoses(path, "--to", "500ms"), [])
    check.equal("a filter without it", diagnoses(path, "-f", "name = ThreadSample"), [])
    r = check.tnav("diagnose", "-o", os.path.join(folder, "x.nettrace"), path)
    check.true(f"-o with a recording: {r.code} {r.err}", r.code == 2 and "is one already" in said(r))


def waits(folder, name, owners, last):
    """A trace in which each thread waits for a lock of its owner (0: not told), until the time of the last event."""
    path = os.path.join(folder, name + ".nettrace")
    start = [(i + 1, tid, 81, 2, struct.pack("<BHQQQ", 0, 1, 0x1000 + tid, 0x2000 + tid, owner))
             for i, (tid, owner) in enumerate(owners)]
    with open(path, "wb") as f:
        f.write(nt4_make.runtime(RUNTIME, start + [(last, 999, 9, 1, bytes(6))]))
    return path


def circles(folder):
    """Waits that lead back to themselves, for long enough; an owner that is not told ends none."""
    ring = [(i, i % 10 + 1) for i in range(1, 11)]
    for name, owners, last, circle, since in (
            ("two", [(1, 2), (2, 1)], 10**9, 2, 2), ("ten", ring, 10**9, 10, 10),
            ("three of four", [(1, 2), (2, 3), (3, 1), (4, 1)], 10**9, 3, 3),
            ("the last wait counts", [(1, 2), (2, 9), (2, 1)], 10**9, 2, 3),
            ("a chain", [(1, 2), (2, 3)], 10**9, 0, 0), ("not told", [(1, 0), (2, 0)], 10**9, 0, 0),
            ("young", [(1, 2), (2, 1)], 5 * 10**8 + 1, 0, 0), ("old enough", [(1, 2), (2, 1)], 5 * 10**8 + 2, 2, 2)):
        found = [d for d in diagnoses(waits(folder, name, owners, last)) if d["id"] == "deadlock"]
        check.equal(f"{name}: circles", [d["number"] for d in found], [circle] if circle else [])
        for d in found:
            check.equal(f"{name}: since", d["since"], since)
            check.equal(f"{name}: named", d["cause"].count("thread"), min(circle, 8))
            check.equal(f"{name}: likewise", re.findall(r"(\d+) more waits? likewise", d["text"]),
                        [str(circle - 8)] if circle > 8 else [])


def alike(folder):
    """Methods are named once each, also if one name is the end of another."""
    path, what = os.path.join(folder, "alike.nettrace"), "+<>c__DisplayClass29_"
    whole = subprocess.run(["zstd", "-dc", os.path.join(check.DATA, "clinic", "stuck.nettrace.zst")],
                           stdout=subprocess.PIPE, check=True).stdout
    one, other = (name.encode("utf-16-le") for name in (f"Trial.Program{what}0", f"Program{what}0000000"))
    check.equal("a class", (whole.count(one), len(one)), (1, len(other)))
    with open(path, "wb") as f:
        f.write(whole.replace(one, other))
    check.equal("methods", [sorted(d["cause"].split("; ")) for d in diagnoses(path)],
                [["Program.Dead3.lambda()", "Trial.Program.Dead3.lambda()"]])


def made(folder, events):
    """The ids of the diagnoses of a trace with these events of the runtime: (seconds, tid, id, version, payload)."""
    path = os.path.join(folder, "made.nettrace")
    with open(path, "wb") as f:
        f.write(nt4_make.runtime(RUNTIME, sorted((int(s * 1e9), *rest) for s, *rest in events)))
    return [d["id"] for d in diagnoses(path)]


def compiled(number, at, took):
    """A method is compiled."""
    head, names = struct.pack("<QQ", number, 1), "Shop\0Pay\0void ()\0".encode("utf-16-le")
    return [(at, 1, 145, 0, head + struct.pack("<II", 0x6000001, 10) + names),
            (at + took, 1, 143, 0, head + struct.pack("<QIII", number << 12, 100, 0x6000001, 8) + names)]


def bursts(folder):
    """Methods that are compiled all the time are told, a burst of them late in the program is not."""
    for what, begins, ids in (("all the time", [5 + i / 20 for i in range(100)], ["compiling"]),
                              ("at the end", [8 + i / 50 for i in range(100)], []),
                              ("in the middle", [6.7 + i / 100 for i in range(100)], []),
                              ("twice", [5 + i / 50 for i in range(50)] + [9 + i / 50 for i in range(50)], [])):
        events = [e for n, at in enumerate(begins) for e in compiled(n + 1, at, 0.015)]
        check.equal(f"compiled {what}", made(folder, events + [(0, 1, 9, 1, bytes(6)), (10, 1, 9, 1, bytes(6))]), ids)


def churn(folder):
    """Collections for large objects are no churn of these where only others were allocated."""
    for what, ticks, ids in (("large", [1], ["large-object-churn"]), ("not recorded", [], ["large-object-churn"]),
                             ("small and pinned", [0, 2], []), ("small and large", [0, 1], ["large-object-churn"])):
        events = [(i, 1, 1, 1, struct.pack("<IIIIH", i + 1, 2, 4, 0, 1)) for i in range(10)]
        events += [(i + 0.5, 1, 2, 1, struct.pack("<IIH", i + 1, 2, 1)) for i in range(10)]
        events += [(i + 0.1 + kind / 10, 1, 10, 2, struct.pack("<IIHQQHI", 100_000, kind, 1, 100_000, 1, 0, 0))
                   for i in range(10) for kind in ticks]
        check.equal(f"allocated: {what}", made(folder, events), ids)


def none_to_collect(folder):
    """Where allocations were recorded, so were collections, though there were none."""
    tick = struct.pack("<IIHQQHI", 100_000, 0, 1, 100_000, 1, 0, 0)
    check.equal("allocated, not collected", made(folder, [(i, 1, 10, 2, tick) for i in range(3)]), [])
    text = text_of(check.tnav("diagnose", os.path.join(folder, "made.nettrace")))
    check.true(f"collections were recorded: {text}", "Not recorded" in text and "collections" not in text)


def queues(folder):
    """Work items that wait for long are told, without stacks, too; many that wait for a moment are not."""
    for what, items, wait, ids in (("24 items, 4 s", 24, 4, ["thread-pool-starvation"]), ("3 items, 4 s", 3, 4, []),
                                   ("6,000 items, 10 ms", 6000, 0.01, [])):
        events = [(1 + i * 4 / items, 1, 61, 0, struct.pack("<QH", i + 1, 1)) for i in range(items)]
        events += [(1 + i * 4 / items + wait, 2, 62, 0, struct.pack("<QH", i + 1, 1)) for i in range(items)]
        check.equal(f"queued: {what}", made(folder, events + [(10, 1, 9, 1, bytes(6))]), ids)


def lengths(folder):
    """Without stacks, work that waits in one value of the counter is a burst."""
    path, key = os.path.join(folder, "lengths.nettrace"), "threadpool-queue-length\0ThreadPool Queue Length\0"
    whole = subprocess.run(["zstd", "-dc", os.path.join(check.DATA, "clinic", "pool-counters.nettrace.zst")],
                           stdout=subprocess.PIPE, check=True).stdout
    begin, *parts = whole.split(key.encode("utf-16-le"))
    check.equal("values of the length", len(parts), 3)
    for values, ids in (((20, 20, 20), ["thread-pool-starvation"]), ((60, 0, 0), []), ((0, 60, 0), []),
                        ((0, 60, 20), ["thread-pool-starvation"]), ((60, 0, 15), [])):
        with open(path, "wb") as f:
            f.write(begin + b"".join(key.encode("utf-16-le") + struct.pack("<d", value) + part[8:]
                                     for value, part in zip(values, parts)))
        check.equal(f"lengths {values}", [d["id"] for d in diagnoses(path)], ids)


def run(folder, *args):
    r = stage.run(folder, "diagnose", *args, cwd=folder)
    return r.returncode, r.stderr.decode(), r.stdout.decode()


def running(folder):
    """A program is recorded, the file kept, and the page printed."""
    trace = os.path.join(check.DATA, "traces", "net10-eventsource-types.nettrace")
    kept = os.path.join(folder, "kept.nettrace")
    with Fake(folder, trace=trace, args=["--end", "close"]) as fake:
        code, err, out = run(folder, str(fake.pid), "--duration", "1s", "-o", kept)
        asked = [x["asked"]["providers"] for x in fake.starts()]
    check.true(f"a program: {code} {err}", code < 2 and "Nothing was examined" in out)
    check.true(f"the file is kept and named: {err}", os.path.exists(kept) and kept in err)
    names = {p["name"] for p in asked[0]} if asked else set()
    check.true(f"the profile: {names}", {RUNTIME, "Microsoft-DotNETCore-SampleProfiler", "System.Runtime"} <= names)
    code, err, _ = run(folder, "no-such-program-here")
    check.true(f"no such program: {code} {err}", code == 2 and "no-such-program-here" in err)


scratch = check.temp_dir()
small()
damaged(scratch)
without(scratch)
circles(scratch)
alike(scratch)
bursts(scratch)
churn(scratch)
none_to_collect(scratch)
queues(scratch)
lengths(scratch)
running(scratch)
if check.whole_shared():
    clinic()
check.finish(60)
