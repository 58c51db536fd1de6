#!/usr/bin/env python3
"""Reports of traces that are full of one thing: types, locks, blocks and compilations that never end.

Each ends within bounded memory, which the system enforces, says what is counted together, and its sums
are still those of all events.
"""
import json
import os
import struct

import check
import nt4_make
from check import equal, true
from nt6 import (I32, I64, TEXT16, U32, U64, event, events, fields, metadata, process_id, row,
                 thread, thread_id, threads, trace, type_)

N = 270_000             # more than LIMIT_REPORT_GROUPS
LIMIT = 1 << 18
DATA = 768 << 20
SAMPLE = 1
RUNTIME, RUNDOWN = "Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntimeRundown"
FRAMEWORK = "System.Diagnostics.Eventing.FrameworkEventSource"
TASKS = "System.Threading.Tasks.TplEventSource"
KESTREL = "Microsoft-AspNetCore-Server-Kestrel"
MAIN = threads(thread(1, process_id(1), thread_id(7)))


def wide(s):
    return (s + "\0").encode("utf-16le")


def made(types, of):
    """types: (id, provider, fields); of: (number of the type from 1, payload) in their order."""
    rows = [row(n, provider, number, "E", fields(*described))
            for n, (number, provider, described) in enumerate(types, 1)]
    blocks, size = [MAIN, metadata(*rows)], 2000
    for at in range(0, len(of), size):
        # Of a block the first event has its number and its time, the others what is added.
        blocks.append(events([event(kind, 0 if i else at + 1, 1, 1 if i else at + 1, pay)
                              for i, (kind, pay) in enumerate(of[at:at + size])]))
    return trace(blocks)


def q(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def allocs():
    types = [(10, RUNTIME, [("AllocationAmount64", type_(U64)), ("TypeName", type_(TEXT16))])]
    return made(types, [(1, q(10) + wide(f"T{i}")) for i in range(N)])


def contention():
    types = [(81, RUNTIME, [("LockID", type_(U64)), ("LockOwnerThreadID", type_(U64))]),
             (91, RUNTIME, [])]
    return made(types, [x for i in range(N) for x in ((1, q(i, i)), (2, b""))])


def exceptions():
    """Blocks that nothing ends; stops of another kind; then one that ends them all."""
    start = [("EntryEIP", type_(U64)), ("MethodName", type_(TEXT16))]
    types = [(80, RUNTIME, [("ExceptionType", type_(TEXT16))]), (250, RUNTIME, start),
             (252, RUNTIME, start), (253, RUNTIME, []), (255, RUNTIME, [])]
    return made(types, [(3, q(1) + wide("M"))] + [(1, wide(f"T{i}")) for i in range(N)] +
                [(2, q(i) + wide("M")) for i in range(N)] + [(5, b"")] * N + [(4, b"")])


def jit():
    """All start before the first ends, which is the one that began first."""
    names = [("MethodNamespace", type_(TEXT16)), ("MethodName", type_(TEXT16))]
    types = [(145, RUNTIME, [("MethodID", type_(U64))] + names),
             (143, RUNTIME, [("MethodID", type_(U64)), ("MethodFlags", type_(U32))] + names)]
    text = [wide("N") + wide(f"M{i}") for i in range(N)]
    return made(types, [(1, q(i) + text[i]) for i in range(N)] +
                [(2, q(i) + struct.pack("<I", 8) + text[i]) for i in range(N)])


def loader():
    types = [(73, RUNTIME, [("TypeLoadStartID", type_(U32))]),
             (74, RUNTIME, [("TypeLoadStartID", type_(U32)), ("TypeName", type_(TEXT16))])]
    return made(types, [(1, struct.pack("<I", i)) for i in range(N)] +
                [(2, struct.pack("<I", i) + wide(f"T{i}")) for i in range(N)])


def threadpool():
    types = [(30, FRAMEWORK, [("workID", type_(I64))]), (31, FRAMEWORK, [("workID", type_(I64))])]
    return made(types, [(1, q(i)) for i in range(N)] + [(2, q(N - 1 - i)) for i in range(N)] +
                [x for i in range(N) for x in ((1, q(5)), (1, q(5)), (2, q(5)), (2, q(5)))])


def requests():
    types = [(n, KESTREL, [("requestId", type_(TEXT16)), ("path", type_(TEXT16)),
                           ("method", type_(TEXT16))]) for n in (3, 4)]
    text = [wide(f"R{i}") + wide(f"/p{i}/x") + wide("GET") for i in range(N)]
    return made(types, [(1, t) for t in text] + [(2, t) for t in text])


def tasks():
    types = [(7, TASKS, [("TaskID", type_(I32))]), (8, TASKS, [("TaskID", type_(I32))]),
             (9, TASKS, [("TaskID", type_(I32))]), (14, TASKS, [("TaskID", type_(I32)),
                                                                ("OperationName", type_(TEXT16))])]
    ids = [struct.pack("<i", -i) for i in range(N)]
    return made(types, [(1, i) for i in ids] + [(2, i) for i in ids] + [(3, i) for i in ids] +
                [(4, ids[i] + wide(f"O{i}")) for i in range(N)])


# What the summary says, and what is said beside it.
FULL = {
    allocs: ({"count": N, "types": LIMIT, "bytes": 10 * N}, "types beyond the limit"),
    contention: ({"count": N, "paired": N, "locks": LIMIT}, "locks beyond the limit"),
    exceptions: ({"count": N, "types": LIMIT, "blocks": {"catch": {"left": N},
                  "finally": {"paired": 1}, "filter": {"orphan": N}}}, "beyond the limit"),
    jit: ({"count": N, "open": 0, "withoutStart": 0, "methods": LIMIT}, "methods beyond"),
    loader: ({"count": N, "types": N}, "types beyond the limit"),
    threadpool: ({"paired": 3 * N, "neverDequeued": 0, "dequeuedWithoutEnqueue": 0}, ""),
    requests: ({"count": N, "paired": N}, "routes beyond the limit"),
    tasks: ({"tasks": N, "neverStarted": 0, "neverEnded": 0, "operations": N},
            "operations beyond the limit"),
}


def values_beyond_the_limit(path):
    """Values of counters take more than their events: so many are kept."""
    most, n, size = 4 << 20, (4 << 20) + 90000, 30000
    with open(path, "wb") as f:
        f.write(trace([MAIN, metadata(row(1, "System.Diagnostics.Metrics", 5, "E", fields()))] +
                      [events([event(1, 1, 1, 1)] * size)] * (n // size + 1)))
    r = check.tnav("counters", "--format", "jsonl", "-e", "samples", path)
    equal(f"values kept: {r.err}", [json.loads(line).get("samples") for line in
                                       r.out.splitlines()][0], most)
    true(f"values left out: {r.err}", b"later values are left out" in r.err)


def keys_beyond_the_limit(path):
    """Of more keys than are kept, the events beyond are counted and added up together."""
    most, size, blocks = 1 << 20, 30000, 35
    with open(path, "wb") as f:
        f.write(trace([MAIN, metadata(row(1, "P", 1, "E", fields()))] +
                      [events([event(1, 1, 1, 1)] * size)] * blocks))
    r = check.tnav("stats", "--by", "row", "--top", "1", "--sum", "tid", "--pct", "50:tid",
                   "--distinct", "tid", "--avg", "tid", path)
    n = size * blocks - most
    true(f"keys left out: {r.err}", f": {n} more events, with values beyond the limit, are not listed: "
         f"bytes 0, sum.tid {7 * n}, avg.tid 7\n" in r.err.decode())


def missing_beyond_the_limit(path):
    """Of the collections that no event has, the first ones are listed by number."""
    with open(path, "wb") as f:
        f.write(nt4_make.runtime(RUNTIME, [(i + 1, 7, 1, 0, struct.pack("<II", number, 0))
                                           for i, number in enumerate((1, 700, 2000))]))
    r, lines = check.jsonl("gc", path)
    missing = [n for n in range(2, 2000) if n != 700]
    equal(f"collections that are missing: {r.err}", lines[-1]["numbersMissing"], missing[:1000])


def at_both_ends(types, of):
    """The same events, one half at the least time that there is, the other at the greatest."""
    rows = [row(n, provider, number, "E", fields(*described))
            for n, (number, provider, described) in enumerate(types, 1)]
    half, last = (len(of) + 1) // 2, 2 ** 63 - 1
    block = [event(kind, 0 if i else 1, 1, {0: 2 ** 63, half: 2 * last + 1}.get(i, 0), pay)
             for i, (kind, pay) in enumerate(of)]
    return trace([MAIN, metadata(*rows), events(block)])


def numbers(x, name=""):
    """(name, number) of all lengths of time that are in it."""
    if isinstance(x, dict):
        return [p for k, v in x.items() for p in numbers(v, k)]
    lengths = "dur", "total", "self", "max", "waited", "wait", "duration", "flight", "blocked"
    return [(name, x)] if isinstance(x, int) and name in lengths else []


def ends_of_time(path):
    """What lasts longer than 64 bits of ns lasts as long as they hold, and so do sums of such."""
    global made, N
    before = made, N
    for make, n in (contention, 1), (jit, 2), (loader, 2), (threadpool, 2), (requests, 2), (tasks, 2):
        made, N = at_both_ends, n
        with open(path, "wb") as f:
            f.write(make())
        got, lines = check.jsonl(make.__name__, path)
        found = [p for line in lines for p in numbers(line)]
        equal(f"{make.__name__} at both ends of time: {got.err}", got.code, 0)
        true(f"{make.__name__} at both ends of time: {found}",
             all(v >= 0 for _, v in found) and any(v == 2 ** 63 - 1 for _, v in found))
    made, N = before


def main():
    check.need_tnav()
    path = os.path.join(check.temp_dir(), "full.nettrace")
    # A sanitized program does not run within a limit.
    limit = DATA if check.tnav("--version", limit=DATA).code == 0 else None
    for make, (want, remark) in check.check_sample(FULL.items(), SAMPLE):
        kind = make.__name__
        with open(path, "wb") as f:
            f.write(make())
        r = check.tnav(kind, "--format", "jsonl", path, limit=limit)
        equal(f"{kind}: exit code ({r.err.decode()[:200]})", r.code, 0)
        if r.code != 0:
            continue
        last = check.json.loads(r.out.splitlines()[-1])
        equal(f"{kind}: summary", {k: last.get(k) for k in want}, want)
        true(f"{kind}: {r.err.decode()[:300]!r}", remark in r.err.decode())
    ends_of_time(path)
    keys_beyond_the_limit(path)
    missing_beyond_the_limit(path)
    if check.check_all():
        values_beyond_the_limit(path)
    check.finish(3 * SAMPLE + 2 * 6 + 1)


main()
