#!/usr/bin/env python3
"""Reports against what did not come from them.

What the traced programs counted themselves (.truth.json of ../shared); loads and tasks as a second
implementation here finds them in the events; the other kinds as the one of ../shared does, on traces
that are cut and damaged, too. A window has the rows of the whole that begin in it.
"""
import collections
import itertools
import json
import os
import random
import re
import subprocess
import sys

import check
from check import equal, true

RUNTIME, RUNDOWN = "Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntimeRundown"
TASKS = "System.Threading.Tasks.TplEventSource"
KINDS = ("allocs", "exceptions", "contention", "jit", "threadpool", "requests")
OWN = ("loader", "tasks")
TOUR = check.tour()
TOOLS = os.path.join(check.SHARED, "oracle", "reports", "tools", "reports.py")


def rows_of(kind, *args):
    """The rows by the word of their kind."""
    rows = collections.defaultdict(list)
    for r in check.jsonl(kind, *args)[1]:
        rows[r["kind"]].append(r)
    return rows


# ---- what the programs counted

def truth(name):
    path = os.path.join(check.SHARED, "traces", "v4", f"net10-{name}.nettrace")
    with open(path.removesuffix(".nettrace") + ".truth.json", encoding="utf-8") as f:
        return path, json.load(f)["workload"]


def plain(name):
    """The runtime writes a generic type without its namespace and its outer class."""
    return name.split("+")[-1].split("[")[0]


def truth_exceptions(name):
    path, work = truth(name)
    rows = rows_of("exceptions", path)
    got = {plain(r["type"]): r["count"] for r in rows["type"]}
    equal(f"{name}: by type", got, {plain(k): n for k, n in work["thrownByType"].items()})
    s = rows["summary"][0]
    equal(f"{name}: thrown, all caught", (s["count"], s["caught"]), (work["counts"]["thrown"],) * 2)
    # What is thrown again has no event of its own, but one more catch block.
    equal(f"{name}: catch blocks", len(rows["catch"]),
          work["counts"]["thrown"] + work["counts"]["rethrown"])


def truth_contention():
    path, work = truth("contention")
    counts = work["counts"]
    s = rows_of("contention", path)["summary"][0]
    equal("contention: waits", (s["count"], s["paired"]), (counts["lockContentions"],) * 2)
    s = rows_of("threadpool", path)["summary"][0]
    equal("threadpool: work", (s["enqueued"], s["dequeued"], s["paired"]),
          (counts["workItemsCompleted"],) * 3)
    equal("threadpool: threads at the end", s["lastWorkers"], work["poolThreadsAtEnd"])


def truth_jit():
    path, work = truth("jit-rundown")
    rows = rows_of("jit", path)
    own = [r["method"] for r in rows["jit"]]
    equal("jit: dynamic methods", sum(".Dynamic_" in m for m in own), work["counts"]["dynamicMethods"])
    equal("jit: emitted types", len({m.split(".")[1] for m in own if m.startswith("Emitted.")}),
          work["counts"]["emittedTypes"])
    true("jit: methods of the run", rows["summary"][0]["count"] >= work["counts"]["methodsCompiled"])


def truth_requests():
    path, work = truth("activities-http")
    s = {r["side"]: r for r in rows_of("requests", path)["summary"]}
    want = {k.split()[-1]: n for k, n in work["counts"].items() if k.startswith("requests answered")}
    equal("requests: by status", s["client"]["byStatus"], want)
    for side in ("client", "server", "kestrel"):
        equal(f"requests: {side}", (s[side]["count"], s[side]["paired"]),
              (work["counts"]["requestsServed"],) * 2)


def truth_allocs():
    path, work = truth("gc")
    s = rows_of("allocs", path)["summary"][0]
    equal("allocs: large objects", s["byKind"]["Large"]["count"], work["counts"]["largeObjects"])
    # The program counts its own; the rest of the process allocates a little, too.
    true(f"allocs: {s['bytes']} bytes", 0.99 < s["bytes"] / work["counts"]["allocatedBytes"] < 1.02)


# ---- a second implementation: memory by the program's method

LIBRARIES = ("System.", "Microsoft.", "Internal.", "Interop.", "Interop+")


def own_method(stack):
    """The innermost method of the program; None: .NET alone is there."""
    return next((m for m in stack if "(" in m and not m.startswith(LIBRARIES)), None)


def methods_of_allocs(path):
    want, own = collections.Counter(), set()
    ticks = check.jsonl("dump", "--symbols", "-f", "name = GC/AllocationTick", path)[1]
    for e in ticks:
        method = own_method(e.get("stack", ()))
        want[method] += e["payload"]["AllocationAmount64"]
        own.add(method)
    rows = rows_of("allocs", path)
    got = collections.Counter()
    for r in rows["method"]:
        got[r["method"] if r["method"] in own else None] += r["bytes"]
    equal("allocs: by the program's methods", got, want)
    return len(own)


def methods_of_tasks(path):
    """The program's method that scheduled a task."""
    want = {(e["payload"]["TaskID"], e["t"]): own_method(e["stack"])
            for e in check.jsonl("dump", "--symbols", "-f", "event = TaskScheduled", path)[1]}
    got = {(r["task"], r["scheduled"]): r.get("method") for r in rows_of("tasks", path)["task"] if r["scheduled"]}
    equal("tasks: scheduled by", {k: got.get(k) for k, v in want.items() if v}, {k: v for k, v in want.items() if v})
    summary = check.tnav("summary", path).out.decode()
    longest = max((r for r in rows_of("tasks", path)["task"] if r["dur"]), key=lambda r: r["dur"])
    name = longest["method"].split("(")[0].split("<")[1].split(">")[0]
    true(f"tasks: {name} is in the summary", re.search(rf"task {longest['task']} scheduled by \S*{name}", summary))
    return len({v for v in want.values() if v})


# ---- a second implementation: tasks

def dump(path):
    return check.jsonl("dump", "--gaps", path)[1]


def task_key(e):
    return e["payload"].get("TaskID")


def second_tasks(events):
    out, queue = [], collections.defaultdict(list)
    blocked, awaited = collections.defaultdict(list), collections.defaultdict(list)
    threads = collections.defaultdict(list)     # the tasks that each runs, innermost last

    def body(x, e):
        if x["_start"] is not None and x["_body"] is None and x["runTid"] == e["tid"]:
            x["_body"] = e["t"]

    def new(kind, e, **more):
        out.append({"kind": kind, "task": task_key(e), "row": e["row"],
                    "activity": e.get("activity"), "tid": None, "runTid": None, "_start": None,
                    "_stop": None, "_scheduled": None, "_body": None, **more})
        return out[-1]

    for e in events:
        if e.get("provider") != TASKS:
            continue
        i, t, tid, key = e["id"], e["t"], e["tid"], task_key(e)
        if i == 7:
            queue[key].append(new("task", e, _scheduled=t, tid=tid))
        elif i == 8:
            if not queue[key] or queue[key][-1]["_start"] is not None:
                queue[key].append(new("task", e))
            queue[key][-1].update(_start=t, runTid=tid)
            threads[tid].append(queue[key][-1])
        elif i == 15 and queue[key]:
            body(queue[key][-1], e)
        elif i == 18 and e["payload"]["Work"] == 2 and threads[tid]:
            body(threads[tid][-1], e)
        elif i == 9:
            x = queue[key].pop() if queue[key] else new("task", e)
            x["_stop"] = t
            if threads[tid] and threads[tid][-1] is x:
                threads[tid].pop()
            x["runTid"] = tid if x["runTid"] is None else x["runTid"]
            x["exceptional"] = e["payload"]["IsExceptional"]
        elif i == 10:
            x = new("wait", e, _start=t, tid=tid)
            (blocked[key, tid] if e["payload"]["Behavior"] == 1 else awaited[key]).append(x)
        elif i == 11:
            mine = blocked[key, tid] or awaited[key]
            x = mine.pop() if mine else new("wait", e)
            x.update(_stop=t, runTid=tid)
    for x in out:
        start, stop, scheduled, end = (x.pop(k) for k in ("_start", "_stop", "_scheduled", "_body"))
        both = start is not None and stop is not None
        last = stop if end is None else end
        x.update(start=start, dur=last - start if both else None)
        if x["kind"] == "task":
            x["continuations"] = stop - end if both and end is not None else None
            x["scheduled"] = scheduled
            x["waited"] = start - scheduled if scheduled is not None and start is not None else None
    return out


# ---- ... and loads

def last_part(path):
    return path.replace("\\", "/").rpartition("/")[2]


def naming(p):
    return p.get("ModuleILPath") or p.get("ModuleNativePath") or p.get("FullyQualifiedAssemblyName")


def second_loads(events):
    out, latest, stacks = [], {}, collections.defaultdict(list)

    def new(what, e, **more):
        out.append({"kind": "load", "what": what, "row": e["row"], "tid": e["tid"], "t": None,
                    "name": None, **more})
        return out[-1]

    for e in events:
        p, i, t = e.get("payload"), e.get("id"), e.get("t")
        if e.get("provider") == RUNTIME and i == 73:
            x = new("type", e, t=t, dur=None, self=None)
            stacks[e["tid"]].append((p["TypeLoadStartID"], x, [0]))
        elif e.get("provider") == RUNTIME and i == 74:
            stack = stacks[e["tid"]]
            at = next((n for n in reversed(range(len(stack))) if stack[n][0] == p["TypeLoadStartID"]),
                      None)
            if at is None:
                new("type", e, name=p["TypeName"], dur=None, self=None)
                continue
            _, x, nested = stack[at]
            del stack[at:]
            x.update(name=p["TypeName"], dur=t - x["t"])
            x["self"] = x["dur"] - nested[0]
            if stack:
                stack[-1][2][0] += x["dur"]
        elif (e.get("provider"), i) in ((RUNTIME, 152), (RUNTIME, 154)):
            what = "module" if i == 152 else "assembly"
            key = (what, p["ModuleID" if i == 152 else "AssemblyID"])
            name = last_part(p["ModuleILPath"] or p["ModuleNativePath"]) if i == 152 else \
                p["FullyQualifiedAssemblyName"]
            latest[key] = new(what, e, t=t, name=name, unloaded=None)
        elif (e.get("provider"), i) in ((RUNTIME, 153), (RUNTIME, 155)):
            what = "module" if i == 153 else "assembly"
            key = (what, p["ModuleID" if i == 153 else "AssemblyID"])
            if key not in latest or latest[key].get("unloaded") is not None:
                latest[key] = new(what, e)
            latest[key].update(unloaded=t, named=naming(p))
        elif e.get("provider") == RUNDOWN and i in (153, 154, 155, 156):
            what = "module" if i < 155 else "assembly"
            key = (what, p["ModuleID" if i < 155 else "AssemblyID"])
            # Also what the program has just unloaded, as it ended; but an id may have another owner.
            if key not in latest or latest[key].get("named", naming(p)) != naming(p):
                latest[key] = new(what, e)
    for x in out:
        x.pop("named", None)
    return out


def second(path):
    name = check.stem(path)
    events = dump(path)
    for kind, made in (("tasks", second_tasks(events)), ("loader", second_loads(events))):
        rows = rows_of(kind, path)
        got = {r["row"]: r for word in ("task", "wait", "load") for r in rows[word]
               if r.get("what") != "binding"}
        equal(f"{name} {kind}: rows", sorted(got), sorted(m["row"] for m in made))
        for m in made:
            if m["name" if kind == "loader" else "task"] is None and kind == "loader":
                m.pop("name")
            equal(f"{name} {kind}: row", {k: got[m["row"]].get(k) for k in m}, m)
        if kind == "tasks" and rows["summary"]:
            s = rows["summary"][0]
            equal(f"{name}: tasks and waits", (s["tasks"], s["waits"]),
                  (len(rows["task"]), len(rows["wait"])))
    return len(events)


# ---- the implementation of ../shared, on whole and on hurt traces

def hurt(rng, how, data):
    """Cut, with a few odd bytes, or without a stretch of them."""
    data = bytearray(data)
    if how == 0:
        return data[:rng.randrange(len(data))]
    if how == 1:
        for _ in range(rng.choice((1, 5, 20))):
            data[rng.randrange(len(data))] = rng.randrange(256)
        return data
    at = rng.randrange(len(data))
    del data[at:at + rng.randrange(1, 60000)]
    return data


# Of these the other implementation takes an odd value from a damaged payload as it is: a float for a
# number of ns that no 64 bits hold, what is missing for the word None, a method whose code is the whole
# memory, a kind of allocation that there is none of, a sum that no 64 bits hold. A payload that is cut is
# no event.
ODD = ("allocs", "contention", "exceptions", "jit")


def other_rows(events, folder):
    """The rows of each kind by the other implementation: of all at once, of each alone where one fails."""
    tool = [sys.executable, TOOLS]
    done = subprocess.run([*tool, "all", events, folder, "rows", *KINDS], capture_output=True, check=False)
    files = {kind: os.path.join(folder, kind, "rows.jsonl") for kind in KINDS}
    if done.returncode == 0:
        return {kind: check.read(f) if os.path.exists(f) else b"" for kind, f in files.items()}
    alone = {kind: subprocess.run([*tool, kind, events], capture_output=True, check=False)
             for kind in KINDS}
    return {kind: done.stdout for kind, done in alone.items() if done.returncode == 0}


def shared(path, name, odd=()):
    """Every row that it has is in ours, and equal."""
    folder = check.temp_dir()
    events = os.path.join(folder, "events")
    with open(events, "wb") as f:
        f.write(check.tnav("dump", "--format", "jsonl", "--gaps", path).out)
    for kind, want in other_rows(events, folder).items():
        if kind in odd:
            continue
        ours = check.tnav(kind, "--format", "jsonl", path)
        if not want:
            equal(f"{name} {kind}: nothing to report", ours.out, b"")
            continue
        file = os.path.join(folder, "want")
        with open(file, "wb") as f:
            f.write(want)
        r = subprocess.run([sys.executable, os.path.join(check.SHARED, "tools", "compare_report.py"),
                            kind, "-", file], input=ours.out, capture_output=True, check=False)
        equal(f"{name} {kind}: {r.stdout.decode()[:400]}", r.returncode, 0)


def shared_all():
    scratch = check.temp_dir()
    shared(TOUR, "tour")
    rng = random.Random(check.check_seed())
    cut = os.path.join(check.SHARED, "oracle", "reports", "cut")
    traces = [os.path.join(cut, f) for f in os.listdir(cut)] + \
        [os.path.join(check.SHARED, "traces", "v4", f"net10-{n}.nettrace")
         for n in ("contention", "gc", "jit-rundown", "activities-http")]
    for n, path in enumerate(check.check_sample(sorted(traces) * 4, 3)):
        with open(path, "rb") as f:
            body = hurt(rng, n % 3, f.read())
        copy = os.path.join(scratch, f"hurt{n}.nettrace")
        with open(copy, "wb") as f:
            f.write(body)
        shared(copy, f"{check.stem(path)} hurt {n}", ODD if n % 3 > 0 else ())


# ---- work items, from their events

PARTS = 60          # intervals of the trace


def second_pool(path):
    """Waits are first in, first out for each id; an item belongs to the interval and the thread that took it."""
    events = dump(path)
    first, last = events[0]["t"], events[-1]["t"]
    queues, waits, went, came = collections.defaultdict(collections.deque), [], [0] * PARTS, [0] * PARTS
    taken, without = collections.Counter(), 0

    def part(t):
        return min(PARTS - 1, int((t - first) / (last - first) * PARTS))
    for e in events:
        what, has = e["name"].replace("/", ""), e.get("payload", {})
        of = has.get("workID", has.get("WorkID"))
        if what.startswith("ThreadPoolEnqueue"):
            queues[of].append(e)
            came[part(e["t"])] += 1
        elif what.startswith("ThreadPoolDequeue"):
            went[part(e["t"])] += 1
            if queues[of]:
                begun = queues[of].popleft()
                waits.append((e["t"] - begun["t"], begun["t"], begun["tid"], e["tid"], part(e["t"])))
                taken[e["tid"]] += 1
            else:
                without += 1
    rows = rows_of("threadpool", path)
    s, all_ = rows["summary"][0], sorted(w[0] for w in waits)
    equal(f"{path}: totals", (s["enqueued"], s["dequeued"], s["paired"], s["neverDequeued"],
                              s["dequeuedWithoutEnqueue"], s["itemsByThread"]),
          (sum(came), sum(went), len(waits), sum(map(len, queues.values())), without,
           {str(k): n for k, n in taken.items()}))
    equal(f"{path}: waits", (s["total"], s["wait"]["min"], s["max"], s["mean"]),
          (sum(all_), all_[0], all_[-1], sum(all_) // len(all_)))
    equal(f"{path}: the longest", sorted((r["wait"], r["t"], r["fromTid"], r["tid"]) for r in rows["item"]),
          sorted(w[:4] for w in sorted(waits, reverse=True)[:1000]))
    equal(f"{path}: by thread", sorted((r["tid"], r["items"], r["total"]) for r in rows["byTid"]),
          sorted((tid, n, sum(w[0] for w in waits if w[3] == tid)) for tid, n in taken.items()))
    queued = list(itertools.accumulate(zip(came, went), lambda n, x: max(0, n + x[0] - x[1]), initial=0))[1:]
    for r in rows["part"]:
        n = round((r["t"] - first) / (last - first) * PARTS)
        mine = [w[0] for w in waits if w[4] == n]
        equal(f"{path}: interval {n}", (r["enqueued"], r["dequeued"], r["queued"], r.get("max")),
              (came[n], went[n], queued[n], max(mine, default=None)))
    return len(waits)


# ---- windows

ANCHOR = {"exception": "t", "contention": "start", "jit": "start", "request": "start",
          "wait": "start", "load": "t", "task": "scheduled", "adjustment": "t"}


def window(kind):
    """Rows that begin in a window are those of the whole trace."""
    last = check.jsonl("info", TOUR)[1]
    true("info", last)
    whole = rows_of(kind, TOUR)
    for begin, end in ((1.0, 2.0), (2.2, 2.5), (0, 0.5)):
        part = rows_of(kind, "--from", f"{begin}s", "--to", f"{end}s", TOUR)
        for word, key in ANCHOR.items():
            want = [r for r in whole[word]
                    if r.get(key) is not None and begin * 1e9 <= r[key] < end * 1e9]
            got = [r for r in part[word] if r.get(key) is not None]
            equal(f"{kind} {word} from {begin} to {end}", got, want)


def sums(kind):
    """What is summed up by one thing comes to the same as by another."""
    rows = rows_of(kind, TOUR)
    by = {"allocs": [("type", "bytes"), ("method", "bytes"), ("byTid", "bytes")],
          "contention": [("byTid", "count"), ("contention", None)],
          "exceptions": [("type", "count"), ("thrower", "count"), ("exception", None)],
          "jit": [("tier", "count"), ("module", "count"), ("byTid", "count")],
          "requests": [("status", "count"), ("request", None)]}.get(kind, [])
    totals = {(word, key): len(rows[word]) if key is None else sum(r[key] for r in rows[word])
              for word, key in by}
    equal(f"{kind}: sums agree", len(set(totals.values())), min(1, len(totals)))


def main():
    check.need_tnav()
    true("the tour has events", second(TOUR) > 50000)
    true("allocs: methods of the program", methods_of_allocs(TOUR) > 10)
    true("tasks: methods of the program", methods_of_tasks(TOUR) > 1)
    for name, least in (("pool-items", 500), ("pool-items-old", 5)):
        n = second_pool(os.path.join(check.DATA, "reports", name + ".nettrace.zst"))
        true(f"{name}: {n} work items", n >= least)
    for name in ("contention", "exceptions", "http", "jit"):
        second(os.path.join(check.DATA, "spans", f"cut-{name}.nettrace"))
    for kind in KINDS + OWN:
        window(kind)
        sums(kind)
    if os.path.isdir(os.path.dirname(TOOLS)):
        truth_exceptions("exceptions")
        truth_exceptions("envvar")
        truth_contention()
        truth_jit()
        truth_requests()
        truth_allocs()
        for name in ("jit-rundown", "activities-http"):
            second(truth(name)[0])
        shared_all()
    check.finish(1000)


main()
