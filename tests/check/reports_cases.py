#!/usr/bin/env python3
"""Reports of what real programs do and few traces show, each as a small written trace.

A module that is unloaded as the program ends and is then listed in the rundown; waits for a
System.Threading.Lock; events of a keyword without those of another; tasks that a waiting thread ran.
"""
import os
import struct

import check
from check import equal, true
from nt6 import (DATETIME, F32, F64, I32, I64, OBJECT, TEXT16, U16, U32, U64, event, events, fields, metadata,
                 process_id, row, stacks, thread, thread_id, threads, trace, type_)

RUNTIME, RUNDOWN = "Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntimeRundown"
FRAMEWORK = "System.Diagnostics.Eventing.FrameworkEventSource"
TASKS = "System.Threading.Tasks.TplEventSource"
HTTP, METERS = "System.Net.Http", "System.Diagnostics.Metrics"
HOSTING = "Microsoft.AspNetCore.Hosting"
NAMES = {(METERS, 14): "ObservableInstrumentCallbackError", (METERS, 1): "Message", (RUNTIME, 203): "GCJoin",
         ("Own", 1): "EventCounters"}
THREADS = threads(thread(1, process_id(1), thread_id(7)), thread(2, process_id(1), thread_id(8)))


def wide(s):
    return (s + "\0").encode("utf-16le")


def q(*numbers):
    return struct.pack(f"<{len(numbers)}Q", *numbers)


def i(*numbers):
    return struct.pack(f"<{len(numbers)}i", *numbers)


def made(name, types, of, frames=(), at=None):
    """types: (id, provider, {field: type}); of: (type from 1, payload[, thread[, stack]]), 1 us apart, or at those ms."""
    rows = [row(n, provider, number, NAMES.get((provider, number), "E"), fields(*((f, type_(*t) if isinstance(t, tuple) else type_(t))
                                              for f, t in has.items())))
            for n, (number, provider, has) in enumerate(types, 1)]
    blocks, seq = [THREADS, metadata(*rows)] + ([stacks(1, *frames)] if frames else []), {1: 0, 2: 0}
    for n, (kind, pay, *more) in enumerate(of, 1):
        who, stack = (more + [1, 0][len(more):])[:2]
        blocks.append(events([event(kind, seq[who], who, at[n - 1] * 1000000 if at else 1000 * n, pay, stack)]))
        seq[who] += 1
    path = os.path.join(check.temp_dir(), name + ".nettrace")
    with open(path, "wb") as f:
        f.write(trace(blocks))
    return path


def report(kind, path, *args):
    """Rows, the summary, and what people are told below the table."""
    _, rows = check.jsonl(kind, *args, path)
    equal(f"{kind}: nothing was lost", rows[-1]["lost"], 0)
    return rows, rows[-1], check.tnav(kind, *args, path).out.decode()


def unloaded_and_there():
    has = {"ModuleID": U64, "AssemblyID": U64, "ModuleILPath": TEXT16}
    types = [(152, RUNTIME, has), (153, RUNTIME, has), (154, RUNDOWN, has)]

    def module(n, name):
        return q(n, n) + wide("/app/" + name)

    rows, s, text = report("loader", made("loads", types, [
        (1, module(1, "a.dll")), (1, module(2, "b.dll")), (1, module(3, "c.dll")),
        (2, module(1, "a.dll")), (2, module(2, "b.dll")), (2, module(9, "before.dll")),
        (2, module(9, "before.dll")), (3, module(1, "a.dll")), (3, module(2, "new.dll")),
        (3, module(3, "c.dll")), (3, module(4, "d.dll")), (3, module(4, "d.dll")),
        (3, module(9, "before.dll"))]))
    got = [(r["name"], r["state"]) for r in rows if r["kind"] == "load"]
    equal("each module once", got, [
        ("a.dll", "unloaded"), ("b.dll", "unloaded"), ("c.dll", "loaded"),
        ("before.dll", "unloaded"), ("before.dll", "unloaded"), ("new.dll", "there"),
        ("d.dll", "there")])
    equal("modules of the rundown only", (s["modules"], s["rundown"]), (7, 2))
    true(f"modules in text: {text}", "7 modules; load time unknown: 2\n" in text)


def bindings():
    """Without activities a binding ends the latest one of its thread that is open."""
    types = [(290, RUNTIME, {"AssemblyName": TEXT16, "AssemblyPath": TEXT16}),
             (291, RUNTIME, {"AssemblyName": TEXT16, "ResultAssemblyPath": TEXT16, "Success": U16, "Cached": U16})]
    begin, end = (lambda *names: b"".join(map(wide, names))), struct.Struct("<HH").pack
    rows, _, _ = report("loader", made("bindings", types, [
        (1, begin("Outer", "/asked")), (1, begin("Inner", "")), (1, begin("Other", ""), 2),
        (2, begin("Inner", "") + end(0, 0)), (2, begin("Outer", "/found") + end(1, 1)),
        (2, begin("Other", "") + end(1, 0), 2), (2, begin("Early", "/early") + end(1, 0)), (1, begin("Late", ""))]))
    equal("bindings", [tuple(r.get(k) for k in ("name", "path", "result", "dur", "self", "state"))
                       for r in rows if r["kind"] == "load"],
          [("Outer", "/found", "cached", 4000, 2000, "paired"), ("Inner", None, "not found", 2000, 2000, "paired"),
           ("Other", None, "found", 3000, 3000, "paired"), ("Early", "/early", "found", None, None, "orphan"),
           ("Late", None, None, None, None, "open")])


def new_locks():
    """The runtime's own methods are not those that wait."""
    names = ["System.Diagnostics.Tracing.NativeRuntimeEventSource", "System.Threading.Lock",
             "Shop.Till", "System.Threading.Monitor"]
    has = {"MethodID": U64, "MethodStartAddress": U64, "MethodSize": U32, "MethodFlags": U32,
           "MethodNamespace": TEXT16, "MethodName": TEXT16, "MethodSignature": TEXT16}
    types = [(143, RUNTIME, has), (81, RUNTIME, {"LockID": U64, "LockOwnerThreadID": U64}),
             (91, RUNTIME, {})]
    methods = [(1, q(n, 0x1000 * n) + struct.pack("<II", 0x100, 0) + wide(name) + wide("Do") +
                wide("void ()")) for n, name in enumerate(names, 1)]
    path = made("locks", types, methods + [
        (2, q(5, 8), 1, 1), (3, b""), (2, q(5, 8), 1, 2), (3, b""), (2, q(6, 8), 2, 2)],
        [(0x1010, 0x2010, 0x3010), (0x4010, 0x3010)])
    rows, s, text = report("contention", path)
    equal("where threads wait", {r["site"] for r in rows if r["kind"] == "contention"},
          {"Shop.Till.Do()"})
    equal("waits", (s["count"], s["paired"], s["open"]), (3, 2, 1))
    true(f"waits in text: {text}", "3 waits of 2 threads for 2 locks took 2" in text)
    _, s, text = report("contention", path, "-f", "LockID = 6")
    equal("a wait without an end", (s["count"], s["open"]), (1, 1))
    true(f"no time of it: {text}", "1 wait of 1 thread for 1 lock\n" in text)


def tasks_without_starts():
    task = {"TaskID": I32, "CreatingTaskID": I32}
    wait = {"TaskID": I32, "Behavior": I32}
    types = [(7, TASKS, task), (10, TASKS, wait), (8, TASKS, {"TaskID": I32}),
             (11, TASKS, {"TaskID": I32})]
    queued = [(1, i(1, 0)), (1, i(2, 0)), (2, i(1, 1))]
    rows, s, text = report("tasks", made("tasks", types, queued))
    equal("not known", [s[k] for k in ("tasks", "blocked", "neverStarted", "neverEnded",
                                       "blockedTotal")], [2, 1, None, None, None])
    equal("states", [r["state"] for r in rows if r["kind"] == "task"], ["queued"] * 2)
    waits = report("tasks", made("waits", types, [(2, i(1, how)) for how in (1, 2, 9)]))[0]
    equal("what waits do", [r["behavior"] for r in waits if r["kind"] == "wait"],
          ["Synchronous", "Asynchronous", "9"])
    true(f"which keyword: {text}", "2 tasks; the trace has no starts and ends of them "
         f"({TASKS}:0x2)\n1 wait blocked a thread\n" in text)
    _, s, text = report("tasks", made("tasks", types, queued + [(3, i(1)), (4, i(1))]))
    equal("known", [s[k] for k in ("neverStarted", "neverEnded", "blockedTotal")], [1, 1, 2000])
    true(f"counted: {text}", "not started: 1, not ended: 1\n1 wait blocked a thread, for 2" in text)
    rows, s, _ = report("tasks", made("begun", types, [(3, i(3)), (3, i(4))]))
    equal("scheduled before the trace", [(r["task"], r["state"], r["dur"]) for r in rows if r["kind"] == "task"],
          [(3, "running", None), (4, "running", None)])


def faults():
    """The program counted 30 faults: 21 passed up to six frames of async code, 4 were thrown again by
    `throw;`, which has no event, and 5 were plain."""
    path = os.path.join(check.DATA, "reports", "faults.nettrace.zst")
    rows, s, text = report("exceptions", path)
    equal("faults", (s["faults"], s["count"]), (30, 30 + sum(3 * d for d in range(7)) + 21))
    equal("of the type", [(r["faults"], r["count"]) for r in rows if r["kind"] == "type"],
          [(s["faults"], s["count"])])
    true(f"in the totals: {text}", f"30 failures of 1 type, seen {s['count']} times, " in text)
    thrown = [r for r in rows if r["kind"] == "exception"]
    again = [r for r in thrown if "ExceptionDispatchInfo.Throw" in r["thrower"]]
    equal("thrown again", len(again), s["count"] - s["faults"])
    true("their source is code of the program", all(r["source"].startswith("P") for r in thrown))


def bodies_of_tasks():
    """The program measured the body of each task. Six run a continuation before TaskCompleted."""
    measured = {2: 21.0031, 1: 40.0071, 4: 20.0051, 3: 40.0092, 6: 20.0024, 5: 40.0207, 8: 15.0049,
                10: 15.0056, 12: 15.0014, 13: 10.0035, 14: 10.0023, 15: 10.0026, 16: 10.0016,
                17: 30.1346, 18: 25.0067, 19: 8.0045, 20: 30.0055}
    path = os.path.join(check.DATA, "reports", "task-bodies.nettrace.zst")
    rows, _, _ = report("tasks", path)
    tasks = {r["task"]: r for r in rows if r["kind"] == "task"}
    for task, ms in measured.items():
        dur = tasks[task]["dur"] / 1e6
        true(f"task {task}: {dur} ms, its body took {ms}", ms <= dur < ms + 1.5)
        after = tasks[task]["continuations"] / 1e6
        want = {2: 40, 4: 40, 6: 40, 8: 60, 10: 60, 12: 60}.get(task, 0)
        true(f"task {task}: {after} ms of continuations, not {want}", want <= after < want + 1.5)


def bodies_that_run_others():
    """An async method goes on within the body that sets its result, for 38 ms of the 77.894 ms
    that the program measured, and ends there: the body does not."""
    path = os.path.join(check.DATA, "reports", "task-results.nettrace.zst")
    rows, _, _ = report("tasks", path)
    tasks = {r["task"]: r for r in rows if r["kind"] == "task"}
    for task, ms in {26: 77.894, 11: 22.012, 10: 27.507, 13: 33.822}.items():
        dur = tasks[task]["dur"] / 1e6
        true(f"task {task}: {dur} ms, its body took {ms}", ms <= dur < ms + 1.5)
    true(f"not continuations: {tasks[26]}", tasks[26]["continuations"] < 1e6)


def operations_without_tasks():
    types = [(14, TASKS, {"TaskID": I32, "OperationName": TEXT16}), (10, TASKS, {
        "TaskID": I32, "Behavior": I32})]
    _, s, text = report("tasks", made("operations", types, [
        (1, i(1) + wide("Async: Go")), (2, i(1, 2)), (2, i(2, 2))]))
    equal("no tasks", (s["tasks"], s["operations"], s["waits"]), (0, 1, 2))
    true(f"what else there is: {text}", "0 tasks; 1 operation and 2 waits (--by operation or wait)\n"
         in text)


def caught_or_not():
    types = [(80, RUNTIME, {"ExceptionType": TEXT16, "ExceptionFlags": U16}),
             (250, RUNTIME, {"EntryEIP": U64, "MethodName": TEXT16}), (251, RUNTIME, {})]
    thrown = [(1, wide("A") + struct.pack("<H", 0)), (1, wide("A") + struct.pack("<H", 4))]
    _, s, text = report("exceptions", made("exceptions", types, thrown))
    equal("not known to be caught", (s["count"], s["caught"], s["reThrown"]), (2, 0, 1))
    true(f"what is missing: {text}", f"1 failure of 1 type, seen 2 times; the trace has no catch blocks "
         f"({RUNTIME}:0x8000:4), 1 rethrown\n" in text)
    _, s, text = report("exceptions", made("exceptions", types, thrown + [(2, q(1) + wide("M")),
                                                                         (3, b"")]))
    true(f"caught: {text}", "1 failure of 1 type, seen 2 times, 1 caught, 1 rethrown\n" in text)
    rows, s, _ = report("exceptions", made("exceptions", types, [(3, b"")] + thrown + [(2, q(1) + wide("M")),
                                                                                      (3, b"")]))
    equal("a block whose start is missing", [(r["state"], r["method"]) for r in rows if r["kind"] == "catch"],
          [("orphan", None), ("paired", "M")])
    equal("blocks by state", s["blocks"], {"catch": {"orphan": 1, "paired": 1}})


def pool():
    types = [(50, RUNTIME, {"ActiveWorkerThreadCount": U32}), (30, FRAMEWORK, {"workID": I64}),
             (55, RUNTIME, {"AverageThroughput": F64, "NewWorkerThreadCount": U32, "Reason": U32})]
    work = [(1, i(1)), (1, i(2)), (2, q(5))]
    _, s, text = report("threadpool", made("pool", types, work))
    equal("no adjustment", (s["adjustments"], s["workerStarts"], s["neverDequeued"]), (0, 2, 1))
    true(f"pool in text: {text}", "1 work item was not dequeued: " in text and
         "2 worker threads started; their number was not adjusted\n" in text)
    _, _, text = report("threadpool", made("pool", types, work + [
        (3, struct.pack("<dII", 1, 3, 0))]))
    true(f"an adjustment: {text}", "not adjusted" not in text and "3 at the last" in text)


def requests_without_activities():
    types = [(1, HTTP, {"scheme": TEXT16, "host": TEXT16, "port": I32, "pathAndQuery": TEXT16}),
             (2, HTTP, {"statusCode": I32})]
    start = wide("http") + wide("h") + i(80) + wide("/a")
    advice = f"collect activity ids ({TASKS}:0x80:4)\n"
    _, s, text = report("requests", made("requests", types, [(1, start), (2, i(200), 2)]))
    equal("by thread", (s["count"], s["paired"]), (2, 0))
    true(f"what to collect: {text}", advice in text)
    _, s, text = report("requests", made("requests", types, [(1, start), (2, i(200))]))
    equal("on one thread", (s["count"], s["paired"]), (1, 1))
    true(f"nothing to collect: {text}", advice not in text)


def requests_that_failed():
    """On the server by an exception that nothing handled; its stop follows."""
    types = [(3, HOSTING, {"method": TEXT16, "path": TEXT16}), (4, HOSTING, {}), (5, HOSTING, {})]
    start, stop, thrown = (1, wide("GET") + wide("/a")), (2, b""), (3, b"")
    path = made("failed", types, [thrown, stop, start, thrown, stop, start, stop])
    rows, s, _ = report("requests", path)
    equal("failed", [(r["state"], r["failed"]) for r in rows if r["kind"] == "request"],
          [("orphan", False), ("paired", True), ("paired", False)])
    equal("failed in all", s["failed"], 1)
    equal("one request stands out", [(r["value"], r["remark"].split(" ended")[0]) for r in check.jsonl("summary", path)[1]
                                     if r.get("what") == "failed requests"], [("1", "request")])


def routes_of_requests():
    """Numbers and ids of at least 16 hexadecimal digits are {n} in a route; what is before the path stays."""
    types = [(1, HTTP, {"scheme": TEXT16, "host": TEXT16, "port": I32, "pathAndQuery": TEXT16}),
             (2, HTTP, {"statusCode": I32})]
    want = {"/a/123": "/a/{n}", "/a/12x/7": "/a/12x/{n}", "/": "/", "": "", "/a//1/": "/a//{n}/",
            "/0123456789abcdef": "/{n}", "/0123456789abcde": "/0123456789abcde", "/a?x=/1": "/a",
            "/ABCDEF-012345678": "/{n}", "/0123456789abcdeg": "/0123456789abcdeg", "/1?2": "/{n}",
            "/0123456789abcde/f": "/0123456789abcde/f", "/`123456789abcdef": "/`123456789abcdef",
            "/@123456789ABCDEF": "/@123456789ABCDEF", "/1:/9/0/f": "/1:/{n}/{n}/f", "/?": "/"}
    of = [x for path in want for x in ((1, wide("http") + wide("1") + i(80) + wide(path)), (2, i(200)))]
    rows, _, _ = report("requests", made("routes", types, of))
    equal("routes", [(r["url"], r["route"]) for r in rows if r["kind"] == "request"],
          [("http://1:80" + path, "http://1:80" + route) for path, route in want.items()])
    groups = {}
    for route in want.values():
        groups["http://1:80" + route] = groups.get("http://1:80" + route, 0) + 1
    equal("requests of a route", {r["route"]: r["count"] for r in rows if r["kind"] == "route"}, groups)


def numbers_of_collections():
    types = [(1, RUNTIME, {"Count": U32, "Depth": U32, "Reason": U32, "Type": U32}),
             (2, RUNTIME, {"Count": U32, "Depth": U32})]
    of = [x for n, gen in ((3, 0), (4, 2), (7, 0), (8, 1), (9, 2))
          for x in ((1, i(n, gen, 0, 0)), (2, i(n, gen)))]
    path = made("collections", types, of)
    _, s, text = report("gc", path)
    equal("numbers missing", s["numbersMissing"], [5, 6])
    true(f"numbers in text: {text}", "5 collections (gen0 2, gen1 1, gen2 2), 2 numbers have none\n" in text)
    # What is filtered out is not missing.
    _, s, text = report("gc", path, "-f", "Depth = 2")
    equal("of some collections", (s["count"], s["numbersMissing"]), (2, [5, 6]))
    _, s, text = report("gc", path, "-f", "Depth = 0 and Count = 7 or Count > 7")
    equal("of the last ones", s["numbersMissing"], [])
    true(f"nothing is missing: {text}", "none" not in text)


def suspension_without_an_end():
    """The program is stopped from a suspension to its restart; of one without a restart nobody knows."""
    path = made("suspensions", [(9, RUNTIME, {"Reason": U32, "Count": U32}), (3, RUNTIME, {"ClrInstanceID": U16})],
                [(1, i(1, 0)), (2, b"\1\0"), (1, i(1, 1))])
    _, s, _ = report("gc", path)
    equal("suspensions", [s[k] for k in ("suspensions", "suspensionsUnclosed", "stoppedForGC")], [2, 1, 1000])


def stops_of_threads():
    """A stop ends once. One that is asked for during another one begins when that is over."""
    ends = [(2, b""), (2, b"")]         # the second one is none
    types = [(9, RUNTIME, {}), (8, RUNTIME, {}), (3, RUNTIME, {})]
    path = made("stops", types, [(1, b""), *ends, (1, b""), (3, b""), *ends, (3, b"")] * 2,
                at=[0, 100, 150, 200, 300, 500, 550, 600, 1000, 1200, 1250, 1300, 1400, 1500, 1550, 2000])
    _, rows = check.jsonl("diagnose", path)
    # From the end of the stop before: 100 + 200 (from 300) + 200 + 100 (from 1400) of 2000 ms.
    equal("stops", [(r["number"], r["share"], r["remark"]) for r in rows if r.get("id") == "slow-suspension"],
          [(0.15, 0.3, "Stopping the threads took 30 % of the time, 150 ms each time (mean), at most 200 ms.")])


def allocated_between_collections():
    """Server GC with two heaps and two background collections. The program counted what it had
    allocated by GC.GetTotalAllocatedBytes, just before its last collection."""
    path = os.path.join(check.DATA, "reports", "gc-server.nettrace.zst")
    counted = 414_661_248
    rows, s, text = report("gc", path)
    gcs = [r for r in rows if r["kind"] == "gc"]
    true(f"within a hundredth: {s['allocated']:,}", abs(s["allocated"] - counted) < counted / 100)
    equal("collections without a part", [r["number"] for r in gcs if r.get("allocated") is None], [])
    equal("the sum of the parts", s["allocated"], sum(r.get("allocated") or 0 for r in gcs))
    equal("by generation", s["allocated"],
          sum(r["allocated"] for r in rows if r["kind"] == "generation"))
    true(f"background ones make it a bound: {text}",
         "; at least 417,140,840 bytes allocated before them\n" in text)
    err = check.tnav("gc", path).err.decode()
    true(f"and how often: {err}", "3 collections came after memory that a background" in err)


def allocated_by_ticks():
    """Where background collections hide what was allocated, GC/AllocationTick tells it, and what
    came after the last collection. The program counted the same as above when it ended."""
    path = os.path.join(check.DATA, "reports", "gc-ticks.nettrace.zst")
    counted = 205_926_176
    rows, s, text = report("gc", path)
    _, handed_out, _ = report("allocs", path)
    gcs = [r for r in rows if r["kind"] == "gc"]
    rest = [r["allocated"] for r in rows if r["kind"] == "rest"]
    equal("one row for the rest", len(rest), 1)
    equal("the sum of the parts", s["allocated"], sum(r["allocated"] for r in gcs))
    true(f"with the rest within a hundredth: {s['allocated'] + rest[0]:,}",
         abs(s["allocated"] + rest[0] - counted) < counted / 100)
    true("as allocs has it", abs(s["allocated"] + rest[0] - handed_out["bytes"]) < counted / 100)
    ticks, want = 0, []
    for e in check.jsonl("dump", "-f", "name in (GC/Start, GC/AllocationTick)", path)[1]:
        if e["name"] == "GC/Start":
            want.append(ticks)
        ticks = 0 if e["name"] == "GC/Start" else ticks + e["payload"]["AllocationAmount64"]
    equal("the rest is what the last ticks say", rest, [ticks])
    for r, by_ticks in zip(gcs, want, strict=True):
        if r["type"] == "BackgroundGC":
            equal(f"allocated before {r['number']}", r["allocated"], by_ticks)
        else:
            true(f"before {r['number']}, {r['allocated']:,} is near {by_ticks:,}",
                 abs(r["allocated"] - by_ticks) < 700_000)
    true(f"in text: {text}", f"; {s['allocated']:,} bytes allocated before them, "
         f"{rest[0]:,} bytes after the last\n" in text)
    err = check.tnav("gc", path).err.decode()
    true(f"and where: {err}", "sum of GC/AllocationTick" in err and "at least" not in err)
    # Of collections that are chosen, the rest comes after the last one of these.
    rows, _, _ = report("gc", path, "--to", "400ms")
    equal("in a window", [r["allocated"] for r in rows if r["kind"] == "rest"],
          [sum(e["payload"]["AllocationAmount64"]
               for e in check.jsonl("dump", "-f", "name = GC/AllocationTick", "--to", "400ms", path)[1]
               if e["t"] > [r for r in rows if r["kind"] == "gc"][-1]["start"])])


def errors_of_meters():
    types = [(14, METERS, {"sessionId": TEXT16, "errorMessage": TEXT16}),
             (1, METERS, {"Message": TEXT16})]
    path = made("meters", types, [(1, wide("s") + wide("bad")), (2, wide("hello")),
                                  (1, wide("s") + wide("bad"))])
    rows, _, text = report("counters", path)
    equal("notices", [r["event"] for r in rows if r["kind"] == "notice"],
          ["ObservableInstrumentCallbackError", "Message", "ObservableInstrumentCallbackError"])
    true(f"errors: {text}", "2 errors were reported (--by notice)\n" in text)


def rates_of_counters():
    """Six counters of one program, of which 400 hits were counted: the rate is by the time that each
    says, and the unit says which."""
    path = os.path.join(check.DATA, "reports", "counter-rates.nettrace.zst")
    rows, _, _ = report("counters", path)
    series = {r["name"]: r for r in rows if r["kind"] == "series"}
    for name, unit, seconds in (("per-sec", "/ s", 1), ("per-min", "/ min", 60), ("ipoll", "/ h", 3600),
                                ("per-10s", "/ 10 s", 10), ("per-half", "/ 0.5 s", 0.5)):
        r = series[name]
        equal(f"{name}: hits", r["sum"], 400)
        last = r["points"][-1]
        second = last["value"] / last["interval"]
        equal(f"{name}: unit", r["rateUnit"], unit)
        true(f"{name}: a second {r['perSecond']}", abs(r["perSecond"] - second) < 1e-6)
        true(f"{name}: rate {r['rate']}", abs(r["rate"] - second * seconds) < 1e-6 * seconds)
    equal("no rate", [series[n].get("rate") for n in ("mean", "poll")], [None, None])
    _, _, text = report("counters", path, "-f", "payload.Payload.Name = per-min")
    true(f"text: {text}", "/ min" in text and "/ s" not in text)


def scales_of_rates():
    """A TimeSpan says what a rate refers to; what is none of less than 1e9 s is a second."""
    day = 86400
    want = {"00:00:01": ("/ s", 1), "00:01:00": ("/ min", 60), "01:00:00": ("/ h", 3600), "": ("/ s", 1),
            "1.00:00:00": ("/ d", day), "24:00:00": ("/ d", day), "1.02:03:04.25": (f"/ {day + 7384.25} s", day + 7384.25),
            "00:00:00.125": ("/ 0.125 s", 0.125), "00:00:00": ("/ s", 1), "00:01": ("/ s", 1), "60": ("/ s", 1),
            "0:0:0:9": ("/ s", 1), "-00:01:00": ("/ s", 1), "11574.01:46:39": ("/ 999999999 s", 999999999),
            "11574.01:46:40": ("/ s", 1), "00:00:10.5.5": ("/ s", 1), "00:00:0/": ("/ s", 1), "00:00:02": ("/ 2 s", 2)}
    has = {"Name": TEXT16, "DisplayRateTimeScale": TEXT16, "IntervalSec": F64, "Increment": F64}
    types = [(1, "Own", {"Payload": (OBJECT, fields(*((f, type_(t)) for f, t in has.items())))})]
    rows, _, _ = report("counters", made("scales", types, [
        (1, wide(f"c{n}") + wide(scale) + struct.pack("<dd", 4, 6)) for n, scale in enumerate(want)]))
    series = {r["name"]: r for r in rows if r["kind"] == "series"}
    for n, (scale, (unit, seconds)) in enumerate(want.items()):
        r = series[f"c{n}"]
        equal(f"scale {scale!r}", (r["rateUnit"], r["rate"], r["perSecond"], r.get("rateScale")),
              (unit, 1.5 * seconds, 1.5, scale or None))


def base2_histograms():
    """Totals since the start; but of intervals, if one of them falls."""
    types = [(19, METERS, {
        "sessionId": TEXT16, "meterName": TEXT16, "meterVersion": TEXT16, "instrumentName": TEXT16,
        "instrumentId": I32, "unit": TEXT16, "tags": TEXT16, "scale": I32, "sum": F64, "count": I64,
        "zeroCount": I64, "minimum": F64, "maximum": F64, "buckets": TEXT16})]

    def value(name, count, total, least, most):
        return (1, wide("s") + wide("Shop") + wide("1") + wide(name) + i(1) + wide("ms") + wide("") +
                i(3) + struct.pack("<dqqdd", total, count, 0, least, most) + wide("1, 0, 2"))

    inf = float("inf")
    rows, s, _ = report("counters", made("base2", types, [
        value("total", 0, 0, inf, -inf), value("total", 2, 10, 4, 6), value("total", 5, 40, 3, 20),
        value("total", 5, 40, 3, 20), value("each", 2, 10, 4, 6), value("each", 3, 30, 5, 20),
        value("other", 3, 30, 5, 20), value("other", 2, 10, 4, 6), value("one", 7, 8, 0.5, 2)]))
    keys = "count", "sum", "min", "max", "samples"
    equal("histograms", {r["name"]: [r.get(k) for k in keys] for r in rows if r["kind"] == "series"},
          {"total": [5, 40, 3, 20, 4], "each": [5, 40, 4, 20, 2], "other": [5, 40, 4, 20, 2],
           "one": [7, 8, 0.5, 2, 1]})
    points = next(r["points"] for r in rows if r.get("name") == "total")
    equal("points", [[p[k] for k in ("count", "sum", "min", "max", "quantiles")] for p in points[:2]],
          [[0, 0, None, None, None], [2, 10, 4, 6, None]])
    equal("all", (s["series"], s["points"]), (4, 9))


def many_quantiles():
    """All quantiles of a histogram are listed."""
    types = [(6, METERS, {
        "sessionId": TEXT16, "meterName": TEXT16, "meterVersion": TEXT16, "instrumentName": TEXT16,
        "unit": TEXT16, "tags": TEXT16, "quantiles": TEXT16, "count": I32, "sum": F64})]
    want = {f"0.{n:03}": n for n in range(1, 1000)}
    value = ("s", "Shop", "1", "total", "ms", "", ";".join(f"{k}={v}" for k, v in want.items()))
    rows, _, _ = report("counters", made("quantiles", types, [
        (1, b"".join(wide(v) for v in value) + i(2) + struct.pack("<d", 10))]))
    series = next(r for r in rows if r["kind"] == "series")
    equal("quantiles", (series["points"][0]["quantiles"], series["quantiles"]), (want, want))
    # Numbers are texts of up to 63 characters; what is none is not known.
    numbers = {"a": ("1e3", 1000), "b": ("", None), "c": ("abc", None), "d": ("1e999", None), "e": ("-.5", -0.5),
               "f": ("0x10", None), "": ("7", 7), "g": ("0." + "0" * 60 + "5", 5e-61), "h": ("1-", None),
               "i": ("0." + "0" * 61 + "5", None), "j": ("-", None), "k": (" 1", None), "l": ("+2E1", 20)}
    value = value[:6] + (";".join(["none", *(f"{k}={v}" for k, (v, _) in numbers.items()), ""]),)
    rows, _, _ = report("counters", made("quantiles", types, [
        (1, b"".join(wide(v) for v in value) + i(2) + struct.pack("<d", 10))]))
    equal("numbers", next(r["points"] for r in rows if r["kind"] == "series")[0]["quantiles"],
          {k: v for k, (_, v) in numbers.items()})


def one_event():
    """What a single event says: the role of its thread; an allocated type by its id alone."""
    path = made("finalizes", [(13, RUNTIME, {"Count": U32})], [(1, i(1), 2)])
    equal("role", [(r["tid"], r.get("role")) for r in check.jsonl("threads", path)[1]], [(7, None), (8, "finalizer")])
    path = made("unnamed", [(10, RUNTIME, {"AllocationAmount": U32, "TypeID": U64})], [(1, i(5) + q(0x7f01))])
    rows, _, _ = report("allocs", path)
    equal("type", [r["type"] for r in rows if r["kind"] == "type"], ["TypeID 0x7f01"])


def sums_beyond_64_bits():
    path = made("sums", [(1, "Big", {"u": U64, "i": I64})],
                [(1, struct.pack("<Qq", 2**64 - 1, -2**63)), (1, struct.pack("<Qq", 2**64 - 2, -2**63)),
                 (1, struct.pack("<Qq", 1, 5))])
    _, rows = check.jsonl("stats", "--by", "provider", "--sum", "payload.u,payload.i", path)
    equal("sums", [rows[0][k] for k in ("sum.payload.u", "sum.payload.i")], [2**65 - 2, 5 - 2**64])


def values_and_their_lack():
    """A number has the digits of its type; an event that ends before a field has no value of it."""
    path = made("numbers", [(1, "Num", {"f": F32, "d": F64, "n": U32})],
                [(1, struct.pack("<fdI", 0.1, 0.1 + 0.2, 5)), (1, struct.pack("<fd", 0.1, 0.1 + 0.2))])
    _, rows = check.jsonl("stats", "--by", "provider", "--max", "payload.f,payload.d", path)
    equal("greatest", [rows[0][k] for k in ("max.payload.f", "max.payload.d")], [0.1, 0.1 + 0.2])
    _, rows = check.jsonl("stats", "--by", "payload.n", path)
    equal("by number", sorted((r.get("payload.n") or 0, r["events"]) for r in rows), [(0, 1), (5, 1)])


def days_that_no_month_has():
    def day(n):
        return (1, struct.pack("<8H", 2026, 1, 0, n, 12, 0, 0, 0))
    path = made("days", [(1, "Day", {"when": DATETIME})], [day(30), day(31), day(32)])
    _, found = check.jsonl("dump", "-f", "payload.when >= 2026-01-31", path)
    equal("events of a day", [e["row"] for e in found], [1])


def joins():
    """A join begins with JoinTime 0 and ends with 1; 2 is neither."""
    types = [(203, RUNTIME, {"Heap": U32, "JoinTime": U32, "JoinType": U32, "ClrInstanceID": U16, "JoinID": U32})]
    join = struct.Struct("<IIIHI").pack
    path = made("joins", types, [(1, join(3, 0, 1, 1, 7)), (1, join(4, 0, 1, 1, 7), 2), (1, join(3, 2, 1, 1, 7)),
                                 (1, join(3, 1, 1, 1, 7)), (1, join(4, 1, 1, 1, 7), 2), (1, join(4, 2, 1, 1, 7))])
    spans = [r for r in check.jsonl("spans", path)[1] if r["kind"] == "span"]
    equal("joins", [(r["group"], r["tid"], r["start"], r["dur"]) for r in spans],
          [("GC join wait", 7, 1000, 3000), ("GC join wait", 8, 2000, 3000)])


def sampled():
    """A sampled object of 1000 bytes stands for more memory than one of 100,000."""
    types = [(303, RUNTIME, {"AllocationKind": I32, "TypeName": TEXT16, "ObjectSize": U64})]
    of = [(1, i(0) + wide("Small") + q(1000), 1)] * 3 + [(1, i(0) + wide("Large") + q(100000), 2)]
    path = made("sampled", types, of)
    rows, s, text = report("allocs", path)
    small, large = 1000 / (1 - (1 - 1 / 102400) ** 1000), 100000 / (1 - (1 - 1 / 102400) ** 100000)
    everything = 3 * small + large
    got = [(r.get("type", r.get("method", r.get("tid"))), round(r["share"], 6)) for r in rows if r["kind"] != "summary"]
    shares = [round(3 * small / everything, 6), round(large / everything, 6)]
    equal("shares of memory", got, [("Small", shares[0]), ("Large", shares[1]),
                                    ("(no stack)", 1), (7, shares[0]), (8, shares[1])])
    true(f"bytes a second: {s['rate']}", abs(s["rate"] * 3e-6 / everything - 1) < 1e-6)
    true(f"most first: {text}", text.index("Small") < text.index("Large"))
    _, calls = check.jsonl("stacks", "--by", "method", "--weight", "bytes", path)
    true(f"stacks: {calls}", abs(calls[0]["inclusive"] / everything - 1) < 1e-6)
    rows, s, text = report("summary", path)
    equal("summary", [s[k] for k in ("remarks", "reports", "missing")], [1, 1, 13])
    remarks = [r for r in rows if r["kind"] == "remark"]
    equal("one remark", [r["what"] for r in remarks], ["allocations"])
    true(f"its value: {remarks}", abs(remarks[0]["number"] * 3e-6 / everything - 1) < 1e-6)
    true(f"its evidence: {remarks}", "Small" in remarks[0]["evidence"])


def what_stands_out():
    """A summary says what is missing in the trace, and counts its remarks; one that all is well is none."""
    for name, remarks, *want in (
            ("v4-dropped-events", 1, "lost events", "10 events in 4 gaps", "lost > 0"),
            ("v6-remove-thread", 1, "lost events", "3 events in 1 gap", "row = 2"),
            ("v6-cut-in-block", 1, "the file is cut", "no end mark", "row = 1"),
            ("v6-bad-payload-size", 1, "the file is damaged", "parts of it", None),
            ("v6-threads", 0, "nothing stands out", "by the rules", None)):
        _, rows = check.jsonl("summary", check.trace(name + ".nettrace"))
        equal(f"{name}: remarks", [[r["what"], r["value"], r.get("evidence")] for r in rows
                                   if r["kind"] == "remark"], [want])
        equal(f"{name}: summary", [rows[-1][k] for k in ("remarks", "reports", "missing")],
              [remarks, 0, 14])
    path = os.path.join(check.temp_dir(), "one-gap.nettrace")
    with open(path, "wb") as f:
        f.write(trace([THREADS, metadata(row(1, "Own", 1, "E", fields()))] +
                      [events([event(1, number, 1, 1000 + number)]) for number in (0, 3)]))
    _, rows = check.jsonl("summary", path)
    equal("an event after the only gap", [(r["value"], r["evidence"]) for r in rows if r["kind"] == "remark"],
          [("2 events in 1 gap", "lost > 0")])
    _, rows = check.jsonl("summary", check.trace("actors-1worker.heph"))
    equal("a format without ids: what is missing", [(r["what"], r["remark"]) for r in rows if r["kind"] == "missing"],
          [("all reports", "the format has no .NET events")])
    equal("a format without ids: number", rows[-1]["missing"], 14)


def who_was_traced():
    """What a summary says first of the program and its machine."""
    _, rows = check.jsonl("summary", os.path.join(check.DATA, "demo.nettrace"))
    equal("process", [(r["value"], r["remark"]) for r in rows if r.get("what") == "process"],
          [("/usr/share/dotnet/dotnet /srv/demo/app/demo.dll gc wait=1", "pid 12, 2 processors")])
    equal("system", [(r["value"], r.get("remark")) for r in rows if r.get("what") == "system"], [("Linux, x64", None)])
    data = bytearray(check.read(os.path.join(check.DATA, "demo.nettrace")))
    at = data.index(b"Trace\6") + 6 + 32 + 8       # behind the times, the size of pointers and the process
    equal("processors in the file", struct.unpack_from("<I", data, at), (2,))
    struct.pack_into("<I", data, at, 0xffff)        # as NativeAOT has it
    path = os.path.join(check.temp_dir(), "ahead.nettrace")
    with open(path, "wb") as f:
        f.write(data)
    _, rows = check.jsonl("summary", path)
    equal("not counted", [r["remark"] for r in rows if r.get("what") == "process"], ["pid 12"])
    equal("nor in info", check.jsonl("info", path)[1][0].get("processors"), None)


def main():
    check.need_tnav()
    who_was_traced()
    what_stands_out()
    unloaded_and_there()
    bindings()
    new_locks()
    tasks_without_starts()
    faults()
    bodies_of_tasks()
    bodies_that_run_others()
    operations_without_tasks()
    caught_or_not()
    pool()
    requests_without_activities()
    requests_that_failed()
    routes_of_requests()
    numbers_of_collections()
    suspension_without_an_end()
    stops_of_threads()
    allocated_between_collections()
    allocated_by_ticks()
    errors_of_meters()
    many_quantiles()
    rates_of_counters()
    scales_of_rates()
    base2_histograms()
    one_event()
    joins()
    values_and_their_lack()
    days_that_no_month_has()
    sums_beyond_64_bits()
    sampled()
    check.finish()


main()
