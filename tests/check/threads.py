#!/usr/bin/env python3
"""Who threads are and what processes are called is one value, wherever it is seen.

For traces of each format, a second implementation (tests/support/wholang.py) over the JSON lines:

    threads                 process, role, roleDerived, comm of each thread
    dump -e, stats --by     process and thread.role of each event
    filter                  process = NAME, thread.role ~ NAME, has process
    viewer                  the columns, and what i takes from them
    truth                   the main thread is the one that the traced program says it was

A made trace has names that events give to threads, and hostile ones.
"""
import collections
import json
import os
import re
import subprocess

import check
import nt6
import screen
import wholang

TOOL = os.path.join(os.path.dirname(check.TNAV), "tests", "support", "rowcells")
FIELDS = ("process", "thread.role")
EVENTS_MOST = 150_000
ALWAYS = ("tour.nettrace.zst", "perf-on-off-cpu.nettrace", "net10-contention.nettrace",
          "net10-gc.nettrace", "perf-tracepoints-labels.nettrace")


def traces():
    yield os.path.join(check.DATA, "tour.nettrace.zst")
    yield os.path.join(check.DATA, "demo.nettrace")
    for base, _, files in os.walk(os.path.join(check.SHARED, "traces")):
        if os.path.basename(base) != "big":
            yield from (os.path.join(base, f) for f in files if f.endswith(check.ENDINGS))


def compare_threads(name, path, who):
    for t in check.jsonl("threads", path)[1]:
        # A V6 event says 0 where its thread names no process.
        pid, tid = t.get("pid"), t.get("tid")
        role, derived = who.role_of(pid, tid)
        where = f"{name} thread {pid}/{tid}"
        check.equal(f"{where}: process", t.get("process"), who.process_of(pid))
        check.equal(f"{where}: comm", t.get("comm"), who.comm_of(pid, tid))
        check.equal(f"{where}: role", (t.get("role"), t.get("roleDerived")), (role, derived))


def rows_of(path, expression):
    return [e["row"] for e in check.jsonl("dump", "-e", "row", "-f", expression, path)[1]]


def compare_filters(name, path, events, values):
    for field in FIELDS:
        some = [v for v in dict.fromkeys(values[field]) if v is not None][:check.tier(2, 4)]
        for v in some:
            want = [e["row"] for e, x in zip(events, values[field]) if x == v]
            check.equal(f"{name}: {field} = {v}", rows_of(path, f'{field} = {json.dumps(v, ensure_ascii=False)}'), want)
            check.equal(f"{name}: {field} ~ {v}",
                        rows_of(path, f'{field} ~ {json.dumps("^" + re.escape(v) + "$", ensure_ascii=False)}'), want)
        check.equal(f"{name}: has {field}", rows_of(path, f"has {field}"),
                    [e["row"] for e, x in zip(events, values[field]) if x is not None])


def compare_viewer(name, path, events, values):
    step = max(1, len(events) // 100)
    asked = [(e["row"], f, x) for f in FIELDS for e, x in list(zip(events, values[f]))[::step]]
    lines = "".join(f"{row}\t{field}\n" for row, field, _ in asked)
    done = subprocess.run([TOOL, path], input=lines.encode(), capture_output=True,
                          timeout=check.WATCHDOG_S)
    answers = [json.loads(x) for x in done.stdout.decode().splitlines()]
    check.equal(f"{name}: answers", len(answers), len(asked))
    for (row, field, want), a in zip(asked, answers):
        where = f"{name} row {row} {field}"
        check.equal(f"{where}: column", a.get("text"), want or "")
        check.true(f"{where}: {a.get('value')}", a["is"] is (True if want else None))
        check.equal(f"{where}: has", a["has"], want is not None)


def compare(path):
    name = os.path.basename(path)
    events = check.jsonl("dump", path)[1]
    if not events or "id" not in events[0] or len(events) > EVENTS_MOST:
        return 0
    who = wholang.Who(events)
    values = {"process": [who.process(e) for e in events],
              "thread.role": [who.role(e) for e in events]}
    compare_threads(name, path, who)
    got = check.jsonl("dump", "-e", "row," + ",".join(FIELDS), path)[1]
    for field in FIELDS:
        check.equal(f"{name}: dump -e {field}", [e.get(field) for e in got], values[field])
        counts = collections.Counter(values[field])
        check.equal(f"{name}: stats --by {field}",
                    {r.get(field): r["events"] for r in check.jsonl("stats", "--by", field, path)[1]},
                    dict(counts))
    compare_filters(name, path, events, values)
    compare_viewer(name, path, events, values)
    return sum(x is not None for f in FIELDS for x in values[f])


def compare_truth():
    base = os.path.join(check.SHARED, "traces", "v4")
    for f in sorted(os.listdir(base)) if os.path.isdir(base) else ():
        if not f.endswith(".truth.json"):
            continue
        with open(os.path.join(base, f), encoding="utf-8") as opened:
            main = (json.load(opened).get("workload") or {}).get("mainThread")
        path = os.path.join(base, f.replace(".truth.json", ".nettrace"))
        threads = check.jsonl("threads", path)[1]
        got = [t["tid"] for t in threads if t.get("role") == "main"]
        if main is not None and any(t["tid"] == main for t in threads):
            check.equal(f"{f}: main thread", got, [main])


HOSTILE = "ls;\x1b[31m\t\u202e" + "x" * 300
PROCESSES = {7: HOSTILE, 8: "second", 9: None}
THREADS = {(7, 7): "worker;\x1b]0;t\x07", (7, 70): None, (8, 80): "", (9, 9): "in the file",
           (8, 81): None, (0, 0): None}
# What the kernel calls them: 16 bytes without an end, the newest of two, one that only came.
COMMS = {(7, 70): "a;\x1b]0;t\x07\t\u202e\u00e9xy", (8, 80): "second", (8, 81): "came late"}


def write_made(path):
    """Threads of three processes; events name two of the processes, some twice, and threads."""
    def text16(s):
        s = s.encode()
        return nt6.u16(len(s)) + s

    def utf16z(s):
        return s.encode("utf-16-le") + b"\0\0"

    def created(flags, tid):
        return nt6.u64(1) + nt6.u64(1) + nt6.u32(flags) + nt6.u32(5) + nt6.u32(tid) + nt6.u16(0)

    def switch(prev, next_):
        def side(tid, comm):
            return comm.encode().ljust(16, b"\0") + nt6.u32(tid) + nt6.u32(120)
        return nt6.u16(372) + bytes(6) + side(*prev) + nt6.u64(0) + side(*next_) + bytes(4)

    who = {key: i + 1 for i, key in enumerate(THREADS)}
    v, t = nt6.type_(nt6.VARU), nt6.type_(nt6.CHAR8)
    rows = [nt6.thread(i, *([nt6.thread_name("in the file")] if key == (9, 9) else []),
                       nt6.process_id(key[0]), nt6.thread_id(key[1])) for key, i in who.items()]
    of = [(1, (7, 7), nt6.varu(0) + text16("before") + text16("")),
          (1, (7, 70), nt6.varu(0) + text16(HOSTILE) + text16("")),
          (1, (8, 80), nt6.varu(0) + text16("second") + text16("")),
          (2, (8, 80), utf16z('"C:\\a b\\other.exe" -x') + utf16z("") + utf16z("")),
          (3, (7, 70), nt6.u64(7) + utf16z("earlier")),
          (3, (7, 70), nt6.u64(7) + utf16z(THREADS[7, 7])),
          (3, (9, 9), nt6.u64(9) + utf16z("not in place of the file's")),
          (3, (9, 9), nt6.u64(7) + utf16z("of another process")),
          (4, (8, 80), created(4, 80)), (4, (8, 80), created(2, 80)),      # the id was used again
          (4, (7, 7), created(2, 70)), (4, (7, 7), created(0, 70)),
          (5, (7, 70), switch((70, COMMS[7, 70]), (81, "came early"))),
          (5, (0, 0), switch((0, "swapper/0"), (81, COMMS[8, 81]))),
          (5, (8, 80), switch((80, "first"), (0, "swapper/0"))),
          (5, (8, 80), switch((80, COMMS[8, 80]), (70, "not in its place")))]
    events = [nt6.event(mid, i, who[key], ticks=10 * i, pay=pay)
              for i, (mid, key, pay) in enumerate(of)]
    metadata = nt6.metadata(
        nt6.row(1, "Universal.System", 1, "ProcessCreate",
                nt6.fields(("NamespaceId", v), ("Name", t), ("NamespaceName", t))),
        nt6.row(2, "Microsoft-DotNETCore-EventPipe", 1, "ProcessInfo",
                nt6.fields(*((n, nt6.type_(nt6.TEXT16)) for n in
                             ("CommandLine", "OSInformation", "ArchInformation")))),
        nt6.row(3, "Microsoft-DotNETRuntimeMonoProfiler", 61, "MonoProfilerThreadName",
                nt6.fields(("ThreadID", nt6.type_(nt6.U64)),
                           ("ThreadName", nt6.type_(nt6.TEXT16)))),
        nt6.row(4, "Microsoft-Windows-DotNETRuntime", 85, "ThreadCreated",
                nt6.fields(("ManagedThreadID", nt6.type_(nt6.U64)),
                           ("AppDomainID", nt6.type_(nt6.U64)), ("Flags", nt6.type_(nt6.U32)),
                           ("ManagedThreadIndex", nt6.type_(nt6.U32)),
                           ("OSThreadID", nt6.type_(nt6.U32)),
                           ("ClrInstanceID", nt6.type_(nt6.U16)))),
        nt6.row(5, "sched", 372, "sched_switch",
                nt6.fields(("common_type", nt6.type_(nt6.U16)), ("common_flags", nt6.type_(nt6.U8)),
                           ("common_preempt_count", nt6.type_(nt6.U8)),
                           ("common_pid", nt6.type_(nt6.I32)), ("prev_comm", nt6.type_(nt6.U8)))))
    with open(path, "wb") as f:
        f.write(nt6.trace([nt6.threads(*rows), metadata, nt6.events(events)]))
    return [key for _, key, _ in of]


def compare_made(folder):
    path = os.path.join(folder, "made.nettrace")
    of = write_made(path)
    for t in check.jsonl("threads", path)[1]:
        key = t["pid"], t["tid"]
        name, process = THREADS[key], PROCESSES.get(key[0])
        check.equal(f"made thread {key}: name", t["name"], name or None)
        check.equal(f"made thread {key}: process", t.get("process"),
                    process.encode()[:256].decode() if process else None)
        check.equal(f"made thread {key}: comm", t.get("comm"), COMMS.get(key))
        check.equal(f"made thread {key}: role", (t.get("role"), t.get("roleDerived")),
                    ("main", True) if key[0] == key[1] != 0 else
                    ("finalizer", False) if key == (8, 80) else (None, None))
    named = [e.get("thread") for e in check.jsonl("dump", path)[1]]
    check.equal("made: thread of each event", named, [THREADS[key] or None for key in of])
    check.equal("made: filter", rows_of(path, "thread ~ ^worker"),
                [i for i, key in enumerate(of) if key == (7, 7)])
    if screen.available():      # the pane of threads, and the lanes
        with screen.Screen([check.TNAV, path], 40, 120) as s:
            s.wait("row 0")
            s.ask("\x1b5", "process 8 second")
            s.wait("ls;^[[31m^I")
            s.wait("(a;^[]0;t^G^I")
            s.wait("(came late)")
            s.ask("\x1b1z", "process 8 second")
            s.wait("process 9 ")
    shown = check.tnav("threads", path).out
    check.true("made: no controls on the screen", b"\x1b" not in shown and b"\x07" not in shown)


def main():
    check.need_tnav()
    paths = sorted(set(traces()))
    chosen = set(check.check_traces(paths, 3, 1))
    known = 0
    for path in paths:
        if os.path.exists(path) and (path in chosen or os.path.basename(path) in ALWAYS):
            known += compare(path)
    compare_truth()
    compare_made(check.temp_dir())
    print(f"{known} values")
    check.finish(least=20)


if __name__ == "__main__":
    main()
