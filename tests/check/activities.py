#!/usr/bin/env python3
"""Activities by a second implementation, and by the reports of ../shared where they are.

Ids, paths and parents are worked out here from the lines of dump: paths by the layout of the bytes,
parents by the rule that the related id of a start goes before the path.
"""
import collections
import os
import random
import struct
import subprocess
import sys
import uuid

import check
import nt6

CUT = os.path.join(check.DATA, "spans", "cut-http.nettrace")


def path_of(guid, pid):
    """The numbers of a path as a tuple of (separator, number), or None."""
    raw = uuid.UUID(guid).bytes_le
    words = struct.unpack("<4I", raw)
    mixed = (sum(words[:3]) + 0x599D99AD & 0xFFFFFFFF) ^ words[3]
    if mixed and (mixed != pid if pid else mixed >> 20):
        return None
    nibbles = [n for b in raw[:12] for n in (b >> 4, b & 15)] + [0]
    out, at = [], 0
    while nibbles[at]:
        mark = "/"
        if nibbles[at] == 11:
            mark, at = "$", at + 1
        size = nibbles[at] - 11
        if size <= 0:
            if mark == "$" or nibbles[at] == 11:
                return None
            out.append((mark, nibbles[at]))
            at += 1
            continue
        high = 0
        at += 1
        if at % 2:
            high = nibbles[at] if size == 1 else 0
            at += 1
        if at + 2 * size > 24:
            return None
        out.append((mark, int.from_bytes(raw[at // 2:at // 2 + size], "little") + (high << 8)))
        at += 2 * size
        if high and raw[at // 2:at // 2 + 1] == b"\0" and at < 24:
            at += 2
    return tuple(out) or None


def text_of(path):
    return path and "/" + "".join(f"{mark}{n}" for mark, n in path)


class Activity:
    def __init__(self, pid):
        self.pid, self.own, self.related = pid, [], 0
        self.parents = collections.Counter()

    def starts(self):
        return [e for e in self.own if e.get("opcode") == 1]


def activities(events):
    all_ = {}
    for e in events:
        for key in ("activity", "related"):
            if e.get(key):
                all_.setdefault(e[key], Activity(e.get("pid")))
        if e.get("related"):
            all_[e["related"]].related += 1
        if e.get("activity"):
            a = all_[e["activity"]]
            a.own.append(e)
            if e.get("opcode") == 1 and e.get("related"):
                a.parents[e["related"]] += 1
    by_path = {}
    for guid, a in all_.items():
        a.path = path_of(guid, a.pid)
        if a.path:
            by_path.setdefault(a.path, guid)
    out = {}
    for guid, a in all_.items():
        above = None
        for n in range(len(a.path or ()) - 1, 0, -1):
            above = above or by_path.get(a.path[:n])
        related = max(a.parents, key=a.parents.get) if a.parents else None
        parent = related or above
        starts = a.starts()
        out[guid] = {
            "path": text_of(a.path), "events": len(a.own), "asRelated": a.related,
            "first": a.own[0]["t"] if a.own else None, "last": a.own[-1]["t"] if a.own else None,
            "threads": sorted({e["tid"] for e in a.own if "tid" in e}), "starts": len(starts),
            "stops": sum(e.get("opcode") == 2 for e in a.own),
            "creator": starts[0]["provider"] + "/" + (starts[0].get("event") or starts[0]["name"])
                       if starts else None,
            "parentByPath": above, "parentByRelated": related, "parent": parent,
            "parentPath": text_of(all_[parent].path) if parent else None}
    return out


def compare(path):
    name = check.stem(path)
    _, events = check.jsonl("dump", path)
    _, got = check.jsonl("activities", path)
    want = activities(events)
    rows = {a["activity"]: a for a in got if a["kind"] == "activity"}
    check.equal(f"{name}: ids", sorted(rows), sorted(want))
    for guid, a in want.items():
        check.equal(f"{name}: {guid}", {k: rows.get(guid, {}).get(k) for k in a}, a)
    seen = set()
    for a in got:
        if a["kind"] == "activity":
            seen.add(a["activity"])
            check.true(f"{name}: {a['activity']} stands behind what it belongs to",
                       a["parent"] is None or a["parent"] in seen)
    critical(name, [a for a in got if a["kind"] == "activity"])
    began(path, events, rows)
    one, two = (check.tnav("activities", "--format", "jsonl", "-j", j, path).out for j in "14")
    check.equal(f"{name}: -j 1 and -j 4", one == two, True)
    return rows


def began(path, events, rows):
    """The times and the state of an activity are those of the span that its first start begins."""
    name, first = check.stem(path), {}
    for e in events:
        if e.get("opcode") == 1 and e.get("activity"):
            first.setdefault(e["activity"], e["row"])
    spans = {s["row"]: s for s in check.jsonl("spans", path)[1]
             if s["kind"] == "span" and s["row"] is not None}
    for guid, a in rows.items():
        span = spans.get(first.get(guid), {})
        check.equal(f"{name}: the span of {guid}",
                    [a.get("start"), a.get("dur"), a.get("state"), a.get("self") is not None],
                    [span.get("start"), span.get("dur"), span.get("state"),
                     span.get("state") == "paired"])


def within(path, n):
    """A filter by the tree, by the id and by the path of what stands above."""
    name = check.stem(path)
    _, events = check.jsonl("dump", path)
    tree = activities(events)
    inside = collections.defaultdict(set)
    for guid in tree:
        at, seen = guid, set()
        while at and at not in seen:
            seen.add(at)
            inside[at].add(guid)
            at = tree[at]["parent"]
    largest = sorted(tree, key=lambda g: -len(inside[g]))
    for guid in largest[:3] + check.check_sample(sorted(tree), n):
        want = [e["row"] for e in events if e.get("activity") in inside[guid]]
        for top in (guid, tree[guid]["path"]):
            if top:
                _, got = check.jsonl("dump", "-e", "row", "-f", f"activity within {top}", path)
                check.equal(f"{name}: within {top}", [e["row"] for e in got], want)
    _, got = check.jsonl("dump", "-e", "row", "-f", "activity within //9/9/9/9", path)
    check.equal(f"{name}: within what there is not", got, [])
    return any(tree[g]["path"] and not (tree[g]["path"] + "/").startswith(tree[t]["path"] + "/")
               for t in largest if tree[t]["path"] for g in inside[t])


def critical(name, rows):
    """Backwards from the end of a parent: each time the child that ended last until then. What is on
    the path of one that has no timed one above it shares out its time."""
    children, known = collections.defaultdict(list), {a["activity"]: a for a in rows}
    timed = {a["activity"] for a in rows if a.get("dur") is not None}
    for a in rows:
        if a["parent"] and a["activity"] in timed:
            children[a["parent"]].append(a)
    want = {}

    def walk(a, low, head):
        """The time of [low, end of a] by who it is of."""
        at, own = a["start"] + a["dur"], 0
        for c in sorted(children[a["activity"]], key=lambda c: (-c["start"] - c["dur"],
                                                                -c["start"])):
            last = c["start"] + c["dur"]
            if last < low:
                break
            if last <= at and c["activity"] not in want:
                first = max(low, c["start"])
                walk(c, first, head)
                own += at - last
                at = first
        want[a["activity"]] = own + at - low, head

    for a in rows:
        if a["activity"] not in timed:
            continue
        above, seen = a["parent"], {a["activity"]}
        while above in known and above not in seen and above not in timed:
            seen.add(above)
            above = known[above]["parent"]
        if above not in timed:
            walk(a, a["start"], a)
    got = {a["activity"]: a["criticalTime"] for a in rows if a.get("critical")}
    check.equal(f"{name}: time on critical paths", got, {k: own for k, (own, _) in want.items()})
    for a in rows:
        if a["activity"] not in want:
            check.equal(f"{name}: {a['activity']} is on no path",
                        (a.get("critical"), a.get("criticalTime"), a.get("criticalShare")),
                        (None, None, None))
            continue
        own, head = want[a["activity"]]
        check.equal(f"{name}: share of {a['activity']}", a["criticalShare"],
                    own / head["dur"] if head["dur"] else None)
    paths = collections.Counter()
    for own, head in want.values():
        paths[head["activity"]] += own
    for guid, sum_ in paths.items():
        check.equal(f"{name}: the path of {guid} is as long as it", sum_, known[guid]["dur"])
    return len(want)


def reports():
    tool = os.path.join(check.SHARED, "tools", "compare_report.py")
    folder = os.path.join(check.SHARED, "oracle", "reports", "activities")
    if not os.path.exists(tool) or not os.path.isdir(folder):
        print("no ../shared: its reports are left out")
        return
    where = {os.path.basename(p): p for p in check.all_shared_traces()}
    where[os.path.basename(CUT)] = CUT
    ours = os.path.join(check.temp_dir(), "ours.jsonl")
    for report in sorted(os.listdir(folder)):
        if report == "paths.tsv":
            continue
        with open(ours, "wb") as f:
            f.write(check.tnav("activities", "--format", "jsonl",
                               where[report.removesuffix(".zst").removesuffix(".jsonl")]).out)
        done = subprocess.run([sys.executable, tool, "activities", ours,
                               os.path.join(folder, report)],
                              capture_output=True, timeout=check.WATCHDOG_S)
        check.equal(f"{report}: {done.stdout.decode()}", done.returncode, 0)


def labels():
    """TraceId and SpanId labels are a tree of two levels."""
    path = check.trace("v6-labels-all-kinds.nettrace")
    _, events = check.jsonl("dump", path)
    _, got = check.jsonl("activities", path)
    for key, kind in (("TraceId", "traceId"), ("SpanId", "spanId")):
        want = sum(key in e.get("labels", {}) for e in events)
        check.equal(f"{kind}: events", sum(a["events"] for a in got if a["kind"] == kind), want)
        check.true(f"{kind}: there are some", want)
        check.equal(f"{kind}: ids", {a["activity"] for a in got if a["kind"] == kind},
                    {e["labels"][key] for e in events if key in e.get("labels", {})})


def paths():
    """Ids made by the writer's algorithm are shown as the paths that it was given, 400 of 400."""
    table = os.path.join(check.SHARED, "oracle", "reports", "activities", "paths.tsv")
    if not os.path.exists(table):
        return
    with open(table, encoding="utf-8") as f:
        want = [line.rstrip("\n").split("\t") for line in f if not line.startswith("#")]
    pids = sorted({int(pid) for _, pid, _ in want})
    made = os.path.join(check.temp_dir(), "paths.nettrace")
    with open(made, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(*(nt6.thread(1 + i, nt6.process_id(pid), nt6.thread_id(pid))
                          for i, pid in enumerate(pids))),
            nt6.metadata(nt6.row(1, "Made", 1, "Made")),
            nt6.labels(1, *([(1, uuid.UUID(guid).bytes_le)] for guid, _, _ in want)),
            nt6.events([nt6.event(1, 0, 1 + pids.index(int(pid)), 1, label=1 + i)
                        for i, (_, pid, _) in enumerate(want)])]))
    got = {a["activity"]: a.get("path") for a in check.jsonl("activities", made)[1]
           if a["kind"] == "activity"}
    check.equal("ids of the writer", len(want), 400)
    for guid, pid, path in want:
        check.equal(f"path of {guid} of process {pid}", got.get(guid), path)


def many_threads():
    """All threads of an activity are listed, also of a trace with more than some dozens of them."""
    n = 200
    made = os.path.join(check.temp_dir(), "threads.nettrace")
    guid = uuid.UUID(int=7).bytes_le
    some = [i for i in range(n) if i % 7 == 0] * 2
    with open(made, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(*(nt6.thread(i, nt6.process_id(1), nt6.thread_id(1000 + i))
                          for i in range(n))),
            nt6.metadata(nt6.row(1, "Made", 1, "Made")), nt6.labels(1, [(1, guid)]),
            nt6.events([nt6.event(1, 0, i, 1) for i in range(n)] +
                       [nt6.event(1, 0, i, 1, label=1) for i in some])]))
    got = [a for a in check.jsonl("activities", made)[1] if a["kind"] == "activity"]
    check.equal("threads of the activity", [(a["events"], a["threads"]) for a in got],
                [(len(some), [1000 + i for i in some[:len(some) // 2]])])


def many_related():
    """The related id of most starts counts, wherever it is among few or many; else the first."""
    made = os.path.join(check.temp_dir(), "related.nettrace")
    guids = [str(uuid.UUID(int=i + 1)) for i in range(100)]
    most = {n: n * 5 // 8 for n in (1, 7, 8, 9, 10, 40)}    # of so many, this one is twice there
    pairs = [(50 + n, i) for _ in range(2) for n in most for i in range(n)]
    pairs += [(50 + n, i) for n, i in most.items()] + [(99, i) for i in range(20)]
    with open(made, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(nt6.thread(1, nt6.process_id(1), nt6.thread_id(1))),
            nt6.metadata(nt6.row(1, "Made", 1, "Made")),
            nt6.labels(1, *([(1, uuid.UUID(guids[a]).bytes_le), (2, uuid.UUID(guids[b]).bytes_le),
                             (7, bytes([1]))] for a, b in pairs)),
            nt6.events([nt6.event(1, 0, 1, 1, label=1 + i) for i in range(len(pairs))])]))
    got = {a["activity"]: a["parentByRelated"] for a in check.jsonl("activities", made)[1]
           if a["kind"] == "activity"}
    for n, i in most.items():
        check.equal(f"the parent of {n} related ids", got[guids[50 + n]], guids[i])
    check.equal("of equally many the first", got[guids[99]], guids[0])


def circles():
    """A circle of parents is cut by time, wherever its activities are in the file: the one that was
    seen first stays below its parent."""
    made = os.path.join(check.temp_dir(), "circle.nettrace")
    ids = [uuid.UUID(int=i).bytes_le for i in (1, 2)]
    with open(made, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(*(nt6.thread(i, nt6.process_id(1), nt6.thread_id(i)) for i in (1, 2))),
            nt6.metadata(nt6.row(1, "Made", 1, "Made")),
            nt6.labels(1, *([(1, a), (2, b), (7, bytes([1]))] for a, b in (ids, ids[::-1]))),
            nt6.events([nt6.event(1, 0, 1, 100, label=2)]),
            nt6.events([nt6.event(1, 0, 2, 50, label=1)])]))
    got = [a["activity"][-1] for a in check.jsonl("activities", made)[1] if a["kind"] == "activity"]
    check.equal("the parent, then the activity that was seen first", got, ["2", "1"])


def compare_needed(path):
    few, all_ = (check.tnav("activities", "--format", "jsonl", *more, path).out
                 for more in ((), ("-f", "not span.name = Nobody")))
    check.equal(f"{check.stem(path)}: times by the spans that are needed, and by all",
                few == all_, True)
    return few


def needed_spans():
    """Times are those of all spans, though only the spans of first starts are looked for: a filter
    that matches everything makes it find all."""
    made = os.path.join(check.temp_dir(), "needed.nettrace")
    choose = random.Random(5)
    used = [(choose.choice((1, 2, 3, 4)), choose.randrange(60), 1 + choose.randrange(4))
            for _ in range(6000)]       # type, activity and thread of an event
    ids = [[(1, uuid.UUID(int=1 + a).bytes_le), (2, uuid.UUID(int=1 + a // 3).bytes_le),
            (7, bytes([opcode]))] for opcode in (2, 1) for a in range(60)]
    ids.append([(2, uuid.UUID(int=7).bytes_le), (7, bytes([2]))])   # a stop may lack its id
    events = [nt6.event(kind, 0, thread, ts + 1, label=121 if kind == 2 and ts % 97 == 0 else
                        1 + activity + kind % 2 * 60)
              for ts, (kind, activity, thread) in enumerate(used)]
    with open(made, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(*(nt6.thread(i, nt6.process_id(1), nt6.thread_id(i)) for i in range(1, 5))),
            nt6.metadata(*(nt6.row(i, "Made", i, name) for i, name in
                           enumerate(("OrderStart", "OrderStop", "StepStart", "StepStop"), 1))),
            nt6.labels(1, *ids)] +
            [nt6.events(events[i:i + 500]) for i in range(0, len(events), 500)]))
    for path in (made, CUT):
        check.true("they have times", compare_needed(path).count(b'"dur":') > 3)


def stop_of_around():
    """A stop may have the id of what is around the activity: then that one's events matter, too."""
    made = os.path.join(check.temp_dir(), "around.nettrace")
    around, own = (uuid.UUID(int=i).bytes_le for i in (1, 2))
    with open(made, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(nt6.thread(1, nt6.process_id(1), nt6.thread_id(1))),
            nt6.metadata(nt6.row(1, "Made", 1, "OrderStart"), nt6.row(2, "Made", 2, "OrderStop")),
            nt6.labels(1, [(1, own), (2, around), (7, bytes([1]))], [(1, around), (7, bytes([2]))]),
            nt6.events([nt6.event(1, 0, 1, 10, label=1), nt6.event(2, 0, 1, 10, label=2)])]))
    check.equal("it is paired", compare_needed(made).count(b'"state":"paired"'), 1)


ORDERLY = (("Made", "OrderStart"), ("Made", "OrderStop"), ("Made", "StepStart"),
           ("Made", "StepStop"), ("System.Net.Http", "RequestStart"),
           ("System.Net.Http", "RequestStop"), ("Made", "Note"))


def orderly_events(choose, n):
    """Starts, each with a stop but for some, and some events that are of no pair: (type, thread,
    activity, related one, opcode)."""
    ids, order, odd, strays, no_id = (choose.choice(c) for c in (
        (3, 30, n), (.5, .9, 1), (0, .1), (0, .1), (True, False)))
    started, running = 0, []
    for _ in range(n):
        kind, thread = choose.randrange(7), choose.randrange(4)
        activity = (started // 2 - choose.randrange(3)) % ids
        if choose.random() < order and running and choose.random() < .5:
            kind, activity, thread = running.pop(-choose.choice((1, 1, 1, len(running))))
        elif choose.random() < order:
            kind, activity, started = choose.choice((0, 2, 4)), started // 2 % ids, started + 1
            running.append((kind + 1, activity, thread))
        opcode = 0 if kind == 6 else 1 + kind % 2
        if choose.random() < odd:
            opcode = choose.choice((0, 1, 2, 9))
        around = activity // 3 if opcode == 1 and choose.random() < .8 else None
        if opcode == 2 and choose.random() < strays:
            activity = None if no_id else activity // 3
        yield kind, thread, activity, around, opcode


def orderly_spans(seed):
    """The same of activities that mostly end, in any order in the file, with losses or without."""
    choose, lists, ts, blocks = random.Random(seed), {}, 1000, []
    made = os.path.join(check.temp_dir(), f"orderly-{seed}.nettrace")
    seq, lost, step = [1] * 4, choose.choice((0, 0, .005)), choose.choice((1, 50))
    events = list(orderly_events(choose, choose.choice((60, 600))))
    for i in range(0, len(events), 40):
        before, block = (0, 0), []
        for kind, thread, *ids in events[i:i + 40]:
            ts += choose.randrange(step + 1)
            seq[thread] += 3 * (choose.random() < lost)
            at = max(before[1], ts - choose.choice((0, 0, step)))
            block.append(nt6.event(1 + kind, seq[thread] - before[0] - 1 & 0xffffffff, 1 + thread,
                                   at - before[1], label=lists.setdefault(tuple(ids),
                                                                          1 + len(lists))))
            before, seq[thread] = (seq[thread], at), seq[thread] + 1
        blocks.append(nt6.events(block))
    lists = [[(code, uuid.UUID(int=1 + i).bytes_le) for code, i in ((1, own), (2, related))
              if i is not None] + [(7, bytes([opcode]))] for own, related, opcode in lists]
    with open(made, "wb") as f:
        f.write(nt6.trace([
            nt6.threads(*(nt6.thread(i, nt6.process_id(1), nt6.thread_id(i)) for i in range(1, 5))),
            nt6.metadata(*(nt6.row(i, provider, i, name)
                           for i, (provider, name) in enumerate(ORDERLY, 1))),
            nt6.labels(1, *lists)] + blocks))
    compare_needed(made)


def words():
    """Who has no ids is told what to collect."""
    r = check.tnav("activities", os.path.join(check.DATA, "demo.nettrace"))
    check.true("demo: what to collect", b"TplEventSource" in r.err and b"0x80" in r.err)
    made = os.path.join(check.temp_dir(), "none.nettrace")
    with open(made, "wb") as f:
        f.write(nt6.trace([nt6.threads(nt6.thread(1)), nt6.metadata(nt6.row(1, "Made", 1, "Made")),
                           nt6.events([nt6.event(1, 0, 1)])]))
    r = check.tnav("activities", made)
    check.true("V6: labels are named, and that .NET programs are meant",
               b"or a TraceId label" in r.err and b"of .NET programs" in r.err)
    r = check.tnav("activities", check.trace("actors-1worker.heph"))
    check.true("heph: it has no ids", b"no activity ids" in r.err)


def main():
    check.need_tnav()
    compare(CUT)
    for name in ("v3-stacks-and-activities.netperf", "v4-activity-ids.nettrace",
                 "v6-labels-all-kinds.nettrace"):
        compare(check.trace(name))
    shared = os.path.join(check.SHARED, "traces", "v4", "net10-activities-http.nettrace")
    if os.path.exists(shared):
        compare(shared)
        check.true("the tree is not that of the paths", within(shared, 3))
    within(CUT, 8)
    labels()
    many_threads()
    many_related()
    circles()
    needed_spans()
    for seed in range(40):
        orderly_spans(seed)
    stop_of_around()
    paths()
    words()
    reports()
    check.finish(300)


main()
