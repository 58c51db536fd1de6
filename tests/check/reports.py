#!/usr/bin/env python3
"""Reports: equal to expected ones, the same with any number of threads, and sound on any input.

The expected lines were made by a program that shares no code with tnav: those of tests/data/reports
(a trace of tests/data or tests/data/spans each), and all of ../shared where it is. There
tools/compare_report.py compares.
"""
import collections
import glob
import json
import os
import random
import re
import struct
import subprocess
import sys

import check
import filterlang
import nt4_make

ORACLE = os.path.join(check.SHARED, "oracle", "reports")
GOLDEN = os.path.join(check.DATA, "reports")


def registry():
    """The names of REPORT_TABLE."""
    with open(os.path.join(check.TOP, "include/tnav/analysis/report.h"), encoding="utf-8") as f:
        return re.findall(r"^\s*REPORT\((\w+),", f.read(), re.M)


def traces():
    """All traces of tests/data, packed ones too."""
    found = []
    for folder, _, files in os.walk(check.DATA):
        for name in files:
            if name.endswith(check.ENDINGS) or name.removesuffix(".zst").endswith(check.ENDINGS):
                found.append(os.path.join(folder, name))
    return sorted(found)


def sound(what, r):
    """It ended as it should, every line is JSON, and no number is none."""
    check.true(f"{what}: exit code {r.code}", r.code in (0, 1, 2))
    if r.code == 2:
        return
    text = r.out.decode("utf-8")
    check.true(f"{what}: numbers", not re.search(r"[:\[,](-?nan|-?inf|NaN|-?Infinity)\b", text))
    rows = r.lines()
    for row in rows:
        check.true(f"{what}: kind", row.get("kind"))
        if row["kind"] == "summary":
            check.true(f"{what}: lost and gaps", {"lost", "gaps"} <= row.keys())


def alike(got, want):
    """Each key that is expected is there; floats may differ in the last digits."""
    if isinstance(want, dict):
        return isinstance(got, dict) and all(k in got and alike(got[k], want[k]) for k in want)
    if isinstance(want, list):
        return isinstance(got, list) and len(got) == len(want) and all(map(alike, got, want))
    if isinstance(want, float) or isinstance(got, float):
        return isinstance(got, (int, float)) and isinstance(want, (int, float)) and \
            abs(got - want) <= 1e-6 * max(abs(got), abs(want), 1e-9)
    return got == want and isinstance(got, bool) == isinstance(want, bool)


def golden(kinds):
    """The committed ones: each key that is expected is there, and equal."""
    for path in sorted(glob.glob(os.path.join(GOLDEN, "*", "*.jsonl"))):
        kind, name = path.split(os.sep)[-2], os.path.basename(path).removesuffix(".jsonl")
        if kind not in kinds:
            continue
        trace = next(t for t in traces() if os.path.basename(t).removesuffix(".zst") == name)
        with open(path, encoding="utf-8") as f:
            want = [json.loads(line) for line in f]
        _, got = check.jsonl(kind, trace)
        words = {w["kind"] for w in want}
        got = [g for g in got if g["kind"] in words]
        check.equal(f"{kind} {name}: rows", len(got), len(want))
        for w in want:
            like = [g for g in got if g["kind"] == w["kind"] and g.get("row") == w.get("row")]
            same = any(alike(g, w) for g in like)
            check.true(f"{kind} {name}: row {w} in {str(like)[:800] if not same else len(like)}", same)


def oracle(kinds):
    """Those of ../shared, by its own comparison."""
    done = 0
    for kind in kinds:
        for path in sorted(glob.glob(os.path.join(ORACLE, kind, "*.jsonl*"))):
            name = os.path.basename(path).removesuffix(".zst").removesuffix(".jsonl")
            trace = glob.glob(os.path.join(check.SHARED, "traces", "v*", name)) + \
                glob.glob(os.path.join(ORACLE, "cut", name))
            ours = check.tnav(kind, "--format", "jsonl", trace[0])
            r = subprocess.run([sys.executable, os.path.join(check.SHARED, "tools",
                               "compare_report.py"), kind, "-", path], input=ours.out,
                               capture_output=True, check=False)
            check.equal(f"{kind} {name}: {r.stdout.decode()}{r.stderr.decode()}", r.returncode, 0)
            done += 1
    return done


def everywhere(kinds):
    """Every report on a sample of traces, with one and with seven threads, as text too."""
    for kind in kinds:
        for path in check.check_traces(traces(), 4, 1):
            what = f"{kind} {os.path.basename(path)}"
            one = check.tnav(kind, "--format", "jsonl", "-j", "1", path)
            sound(what, one)
            seven = check.tnav(kind, "--format", "jsonl", "-j", "7", path)
            check.equal(f"{what}: -j 7", seven.out == one.out and seven.code == one.code, True)
            text = check.tnav(kind, path)
            check.equal(f"{what}: text ends alike", text.code, one.code)
            if one.code == 0 and not one.out:
                check.true(f"{what}: says what to collect", b"--providers" in text.err or
                           b"no such events" in text.err or b"no events" in text.err)


def hurt(kinds):
    """Cut and damaged copies of traces that have something to report."""
    rng = random.Random(check.check_seed())
    bodies = []
    for path in traces():
        if path.endswith(".zst") or os.path.getsize(path) < 2000:
            continue
        with open(path, "rb") as f:
            bodies.append((os.path.basename(path), f.read()))
    bodies = [b for b in bodies if b"D\0o\0t\0N\0E\0T\0" in b[1]] or bodies
    copy = os.path.join(check.temp_dir(), "hurt.nettrace")
    for kind in kinds:
        for name, body in check.check_sample(bodies, 1):
            for n in range(4):
                data = bytearray(body[:rng.randrange(len(body))] if n < 2 else body)
                for _ in range(0 if n == 0 else 20):
                    data[rng.randrange(len(data))] = rng.randrange(256)
                with open(copy, "wb") as f:
                    f.write(data)
                sound(f"{kind} {name} hurt", check.tnav(kind, "--format", "jsonl", copy))


def windows(kinds):
    """A part of a trace: its rows are those of the whole that begin in it."""
    trace = os.path.join(check.DATA, "demo.nettrace")
    if "gc" not in kinds:
        return
    _, whole = check.jsonl("gc", trace)
    _, part = check.jsonl("gc", "--from", "0.2s", "--to", "0.4s", trace)
    want = [g["number"] for g in whole if g["kind"] == "gc" and 200e6 <= g["start"] < 400e6]
    check.equal("gc of a window", [g["number"] for g in part if g["kind"] == "gc"], want)
    check.equal("its summary", part[-1]["count"], len(want))
    _, part = check.jsonl("gc", "-f", "Count > 50", trace)
    check.equal("gc of a filter", [g["number"] for g in part if g["kind"] == "gc"],
                [g["number"] for g in whole if g["kind"] == "gc" and g["number"] > 50])


def gc_start(number, gen, kind):
    return 1, 2, struct.pack("<IIIIHQ", number, gen, 0, kind, 9, 0)


def gc_end(number, gen):
    return 2, 1, struct.pack("<IIH", number, gen, 9)


def heap_stats(sizes, promoted):
    both = b"".join(struct.pack("<QQ", a, b) for a, b in zip(sizes[:4], promoted[:4]))
    return 4, 2, both + struct.pack("<QQIIIHQQ", 0, 0, 0, 0, 0, 9, sizes[4], promoted[4])


def per_heap(heap, values):
    """values: for each generation size before, free and size after, survived, budget."""
    body = struct.pack("<H6Q5IIQI", 9, *[0] * 6, *[0] * 5, heap, 0, len(values))
    for before, free, after, survived, budget in values:
        body += struct.pack("<10Q", before, 0, 0, after, free, 0, 0, 0, survived, budget)
    return 204, 3, body


SUSPEND, STOPPED, RESTARTED = (9, 1), (8, 1, struct.pack("<H", 9)), (3, 1, struct.pack("<H", 9))


def suspend(reason):
    return *SUSPEND, struct.pack("<IIH", reason, 0, 9)


def server_and_background():
    """
    Several heaps, and a foreground collection in the pause of a background one, at times of which
    the sums are easily seen. What is expected follows from the definitions.
    """
    rows = [
        # Number 1: thread 50 stops the program, 51 and 52 collect two heaps.
        (100, 50, suspend(1)), (120, 50, STOPPED), (200, 51, gc_start(1, 1, 0)),
        (300, 51, per_heap(0, [(1000, 10, 400, 90, 5), (500, 20, 600, 60, 6)])),
        (310, 52, per_heap(1, [(2000, 30, 500, 110, 7), (700, 40, 700, 40, 8)])),
        (400, 51, gc_end(1, 1)), (410, 51, heap_stats((1, 2, 3, 4, 5), (6, 7, 8, 9, 10))),
        (500, 50, RESTARTED),
        # Number 2 in the background; 3 in its first pause; a second pause for it.
        (1000, 60, suspend(1)), (1005, 60, STOPPED), (1010, 60, gc_start(2, 2, 1)),
        (1100, 60, gc_start(3, 0, 2)), (1200, 60, gc_end(3, 0)),
        (1250, 60, heap_stats((1,) * 5, (1,) * 5)), (1300, 60, RESTARTED),
        (2000, 60, suspend(6)), (2010, 60, STOPPED), (2100, 60, RESTARTED),
        (2200, 60, gc_end(2, 2)), (2210, 60, heap_stats((2,) * 5, (2,) * 5)),
    ]
    path = os.path.join(check.temp_dir(), "made.nettrace")
    with open(path, "wb") as f:
        f.write(nt4_make.runtime("Microsoft-Windows-DotNETRuntime",
                                 [(ts, tid, *what) for ts, tid, what in rows]))
    _, got = check.jsonl("gc", path)
    gcs = {g["number"]: g for g in got if g["kind"] == "gc"}
    check.equal("collections", sorted(gcs), [1, 2, 3])
    one = gcs[1]
    check.equal("pause of a server's collection", (one["pause"], one["suspend"]), (400, 20))
    check.equal("heaps", one["heaps"], 2)
    check.equal("before", one["sizeBefore"], {"gen0": 3000, "gen1": 1200})
    check.equal("budget", one["budget"], {"gen0": 12, "gen1": 14})
    check.equal("survived", one["survived"], {"gen0": 200, "gen1": 100})
    check.equal("free", one["free"], {"gen0": 40, "gen1": 60})
    check.equal("after", one["sizeAfter"], dict(zip(("gen0", "gen1", "gen2", "loh", "poh"),
                                                    (1, 2, 3, 4, 5))))
    check.true("survival", abs(one["survival"] - 300 / 4200) < 1e-9)
    check.true("fragmentation", abs(one["fragmentation"] - 100 / 2200) < 1e-9)
    check.equal("background", (gcs[2]["type"], gcs[2]["pauses"], gcs[2]["pause"]),
                ("BackgroundGC", [[1000, 1100], [1200, 1300], [2000, 2100]], 300))
    check.equal("foreground", (gcs[3]["type"], gcs[3]["pauses"]),
                ("ForegroundGC", [[1100, 1200]]))
    check.equal("time stopped", got[-1]["stoppedForGC"], 400 + 300 + 100)
    check.equal("its share", got[-1]["pausedShare"], round(800 / 2110, 9))


def ran_between():
    """A collection is compared with the time that the program ran since the one before: suspensions
    in which none begins are not the end of that time, and no part of it."""
    def stop(at, end, reason, *what):
        return [(at, 50, suspend(reason)), (at + 1, 50, STOPPED),
                *[(at + 2 + i, 50, x) for i, x in enumerate(what)], (end, 50, RESTARTED)]
    rows = [
        *stop(0, 100, 1, gc_start(1, 0, 0), per_heap(0, [(1000, 0, 400, 400, 5)]), gc_end(1, 0)),
        *stop(600, 900, 6),
        *stop(910, 960, 1, gc_start(2, 0, 0), per_heap(0, [(1900, 0, 500, 500, 5)]), gc_end(2, 0)),
        *stop(2000, 2100, 1, gc_start(3, 2, 1)), *stop(2300, 2400, 6), (2500, 50, gc_end(3, 2)),
        *stop(3000, 3050, 1, gc_start(4, 0, 0), gc_end(4, 0)),
    ]
    path = os.path.join(check.temp_dir(), "ran.nettrace")
    with open(path, "wb") as f:
        f.write(nt4_make.runtime("Microsoft-Windows-DotNETRuntime",
                                 [(ts, tid, *what) for ts, tid, what in rows]))
    _, got = check.jsonl("gc", path)
    gcs = {g["number"]: g for g in got if g["kind"] == "gc"}
    check.equal("bytes a second of running", (gcs[2]["allocated"], gcs[2]["allocRate"]),
                (1500, 1500 * 10 ** 9 // (500 + 10)))
    for number, pause, ran in (2, 50, 510), (3, 200, 1040), (4, 50, 200 + 600):
        check.true(f"share of the pause of {number}",
                   abs(gcs[number]["pauseShare"] - pause / (pause + ran)) < 1e-9)


def objects(values, size, unused):
    """Bytes of objects where programs allocate: gen0, large and pinned."""
    return sum(v[size] - v["FreeList" + unused] - v["FreeObj" + unused]
               for i, v in enumerate(values) if i in (0, 3, 4))


def collections_once_more(name):
    """What the gc report makes of the histories and of restarts, from the events that dump prints."""
    path = os.path.join(check.SHARED, "traces", "v4", name)
    _, events = check.jsonl("dump", "-f", 'name ~ "^GC/"', path)
    _, rows = check.jsonl("gc", path)
    gcs = {r["number"]: r for r in rows if r["kind"] == "gc"}
    now, number, before, seen, open_ = None, None, None, 0, {}
    restart, ran, began = None, None, False     # ran: since the pause in which one began last
    ticks, by_ticks = 0, 0      # bytes since the latest GC/Start, and before it
    for e in events:
        v, pay = e["name"], e["payload"]
        if v == "GC/SuspendEEStart":
            open_.pop(e["tid"], None)
            if pay["Reason"] in (1, 6):
                open_[e["tid"]] = e["t"]
                ran = ran if ran is None else ran + e["t"] - restart
        elif v == "GC/RestartEEStop" and open_.pop(e["tid"], None) is not None:
            restart = e["t"]
            ran, began = 0 if began else ran, False
        elif v == "GC/AllocationTick":
            ticks += pay["AllocationAmount64"]
        elif v == "GC/Start":
            now = pay["Count"]
            ticks, by_ticks = 0, ticks
            row, began, share = gcs[now], True, None
            if ran is not None and row["pause"] is not None:
                share = row["pause"] / (row["pause"] + ran)
            check.true(f"{name}: pauseShare of {now}: {row.get('pauseShare')}, not {share}",
                       row.get("pauseShare") == share or
                       abs(row["pauseShare"] - share) < 1e-9)
            since = ran
        elif v == "GC/PerHeapHistory" and row["type"] == "NonConcurrentGC" and row["heaps"] == 1:
            values = pay["Values"]
            seen += 1
            got = row["survivalByGeneration"]
            for i, gen in enumerate(("gen0", "gen1", "gen2", "loh", "poh")[:len(values)]):
                x = values[i]
                there = x["SizeBefore"] - x["FreeListBefore"] - x["FreeObjBefore"]
                if there <= 0 or (row["generation"] < 2 and i > row["generation"]):
                    check.equal(f"{name}: no survival of {gen} in {now}", gen in got, False)
                    continue
                want = (x["PinnedSurv"] + x["NonePinnedSurv"]) / there
                check.true(f"{name}: survival of {gen} in {now}", abs(got[gen] - want) < 1e-8)
            if before is not None and now > number + 1:
                check.equal(f"{name}: one before {now} has no events", row["allocated"], by_ticks)
            elif before is not None:
                want = max(0, objects(values, "SizeBefore", "Before") -
                           objects(before, "SizeAfter", "After"))
                check.equal(f"{name}: allocated before {now}", row["allocated"], want)
                if since:
                    check.equal(f"{name}: allocRate of {now}", row["allocRate"],
                                int(want * 1e9 / since))
            before, number = values, now
        elif v == "GC/PerHeapHistory":
            before = None       # in the background: not checked here, nor the one behind it
    check.true(f"{name}: histories were looked at", seen >= 40)
    total = rows[-1]
    gens = [r for r in rows if r["kind"] == "generation"]
    check.equal(f"{name}: generations", [(r["generation"], r["count"]) for r in gens],
                [(i, n) for i, n in enumerate(total["byGeneration"]) if n])
    for key in ("allocated", "promotedTotal", "induced"):
        check.equal(f"{name}: {key} of all", sum(r[key] or 0 for r in gens), total[key])
    for r in gens:
        of = [g for g in gcs.values() if g["generation"] == r["generation"]]
        check.equal(f"{name}: generation {r['generation']}",
                    (r["total"], r["max"], r["promotedTotal"]),
                    (sum(g["pause"] for g in of), max(g["pause"] for g in of),
                     sum(g["promotedTotal"] for g in of)))
        check.equal(f"{name}: induced of {r['generation']}", r["induced"],
                    sum(g["reason"].startswith("Induced") for g in of))


def inlining():
    """Events of inlining are those of the compilation that their thread is in, by its method."""
    path = os.path.join(check.SHARED, "traces", "v4", "net10-jit-rundown.nettrace")
    _, events = check.jsonl("dump", "-f", 'name ~ "^Method/Inlining"', path)
    _, rows = check.jsonl("jit", path)
    want = {}
    for e in events:
        p = e["payload"]
        key = (e["tid"], f"{p['MethodBeingCompiledNamespace']}.{p['MethodBeingCompiledName']}(")
        want.setdefault(key, [0, 0])[e["name"] == "Method/InliningFailed"] += 1
    got = {}
    for r in rows:
        if r["kind"] == "jit" and r.get("inlined", 0) + r.get("notInlined", 0) > 0:
            key = (r["tid"], r["method"].partition("(")[0] + "(")
            for i, k in enumerate(("inlined", "notInlined")):
                got.setdefault(key, [0, 0])[i] += r[k]
    check.equal("calls that were inlined, by method", got, want)
    check.true("there are some", len(want) > 5)
    total = rows[-1]
    check.equal("all of them", (total["inlined"], total["notInlined"],
                                sum(total["notInlinedBy"].values())),
                (sum(a for a, _ in want.values()), sum(b for _, b in want.values()),
                 sum(b for _, b in want.values())))


def summary(kinds):
    """What it says is what the reports say, and its rules are those of doc/reports.md."""
    if "summary" not in kinds:
        return
    with open(os.path.join(check.TOP, "src/analysis/reports/rules.tsv"), encoding="utf-8") as f:
        told = [line.split("\t") for line in f if not line.startswith("#")]
    with open(os.path.join(check.TOP, "doc/reports.md"), encoding="utf-8") as f:
        table = [line for line in f if line.startswith("| ")]
    check.true("rules were found", len(told) >= 10)
    for report, kind, column, _, _, _, _, what, *_ in told:
        line = next((t for t in table if t.startswith(f"| {what} |")), "")
        check.true(f"rule '{what}' stands in doc/reports.md",
                   f"{report}, {kind}, {column}" in line)
    reported = [os.path.join(check.DATA, *p) for p in (
        ("demo.nettrace",), ("spans", "cut-http.nettrace"), ("reports", "https.nettrace.zst"))]
    for path in reported + check.check_sample([t for t in traces() if t not in reported], 5):
        r = check.tnav("summary", "--format", "jsonl", path)
        if r.code == 2:
            continue
        rows = r.lines()
        have = {r["what"] for r in rows if r["kind"] == "report"}
        lack = {r["what"] for r in rows if r["kind"] == "missing"}
        check.equal("a report is there or it is missing", have & lack, set())
        check.equal(f"{path}: its own counts",
                    (rows[-1]["reports"], lack if "all reports" in lack else rows[-1]["missing"]),
                    (len(have), lack if "all reports" in lack else len(lack)))
        for remark in (r for r in rows if r["kind"] in ("remark", "time")):
            shown = remark.get("evidence")
            if remark["what"] in ("nothing stands out", "the file is damaged"):
                check.true(f"{path}: no event shows that {remark['what']}", shown is None)
                continue
            if shown is None and not check.tnav("dump", "-n", "1", path).out:
                continue        # there is none
            check.true(f"{path}: {remark['what']} has evidence", shown is not None)
            events = check.jsonl("dump", "-n", "1", "-f", shown or "t < 0", path)[1]
            check.true(f"{path}: evidence of {remark['what']}: {shown}", len(events) > 0)
    places(table)
    _, rows = check.jsonl("summary", os.path.join(check.DATA, "demo.nettrace"))
    _, types = check.jsonl("types", os.path.join(check.DATA, "demo.nettrace"))
    rate = sum(t["events"] for t in types) * 1e9 / (
        max(t["last"] for t in types if t["events"]) - min(t["first"] for t in types if t["events"]))
    check.true(f"events a second: {rate}", any(
        f" {rate:,.0f} events a second" in (r["remark"] or "") for r in rows if r["kind"] == "trace"))
    check.equal("values are texts", {type(r["value"]) for r in rows if r.get("value")}, {str})
    remarks = {r["what"]: r["number"] for r in rows if r["kind"] == "remark"}
    _, gcs = check.jsonl("gc", os.path.join(check.DATA, "demo.nettrace"))
    check.equal("induced collections", remarks.get("induced collections"),
                sum(g["kind"] == "gc" and g["reason"].startswith("Induced") for g in gcs))


TAKING = ("System.Threading.Monitor.", "System.Threading.Lock.", "System.Threading.Lock+",
          "System.Threading.SyncTable.", "System.Threading.ObjectHeader.",
          "System.Diagnostics.Tracing.NativeRuntimeEventSource.")


def sites(kinds):
    """Where threads wait for locks, by the named stacks of dump."""
    if "contention" not in kinds:
        return
    path = os.path.join(check.DATA, "tour.nettrace.zst")
    _, events = check.jsonl("dump", "--symbols", "-f", "name = ContentionStart", path)
    want = {e["row"]: next((f for f in e.get("stack", ()) if not f.startswith(TAKING) and
                            not re.match(r"0x|\S+\+0x", f)), None) for e in events}
    _, rows = check.jsonl("contention", path)
    got = {r["row"]: r.get("site") for r in rows if r["kind"] == "contention"}
    check.equal("sites of waits", got, want)
    check.true("different sites", len(set(want.values()) - {None}) >= 3)
    waits = {r["row"]: r for r in rows if r["kind"] == "contention"}
    for r in (r for r in rows if r["kind"] == "bySite"):
        mine = [w for w in waits.values() if w["site"] == r["site"]]
        check.equal(f"waits in {r['site']}", (r["count"], r["total"], r["threads"]),
                    (len(mine), sum(w["dur"] or 0 for w in mine), len({w["tid"] for w in mine})))


BOUNDS = {"RequestHeaders": "headers", "RequestContent": "body", "ResponseContent": "response",
          "Resolution": "dns", "Connect": "connect", "Handshake": "tls"}
BEGINS = {k + "Start": v for k, v in BOUNDS.items()}
ENDS = {k + "Stop": v for k, v in BOUNDS.items()}


def phases(kinds):
    """Phases of the client's requests, by the paths of activities in the dump."""
    if "requests" not in kinds:
        return
    phases_of(os.path.join(check.DATA, "tour.nettrace.zst"), 200, ())
    https()
    if os.path.isdir(ORACLE):
        phases_of(os.path.join(check.SHARED, "traces", "v4", "net10-activities-http.nettrace"), 180,
                  ("connect",))


# What the program that was recorded counted. Each of three rounds asked for six pages that are there,
# two that answer 503 and 500, and three times in vain: a certificate that is not trusted, a name that
# nothing has, a port that nobody listens on.
HTTPS = {200: 18, 503: 3, 500: 3, None: 9}


def https():
    """TLS, names that are resolved, connections that fail."""
    path = os.path.join(check.DATA, "reports", "https.nettrace.zst")
    phases_of(path, 150, ("dns", "connect", "tls"))
    _, rows = check.jsonl("requests", path)
    client = [r for r in rows if r["kind"] == "request" and r["side"] == "client"]
    check.equal("statuses", collections.Counter(r["status"] for r in client), HTTPS)
    check.equal("failed are those without a status", [r for r in client
                                                      if r["failed"] != (r["status"] is None)], [])
    want = {"//localhost:5443": {"dns", "connect", "tls", "queue"},
            "//no-such-host.": {"dns", "queue"}, "//localhost:5999": {"dns", "connect", "queue"}}
    for r in (r for r in client if r["failed"]):
        check.equal(f"phases of what failed at {r['url']}",
                    {k for k in ("queue", "dns", "connect", "tls", "headers", "body", "wait",
                                 "response") if r[k] is not None},
                    next(v for k, v in want.items() if k in r["url"]))
    for r in client:
        if r["url"].startswith("http:"):
            check.equal(f"no TLS without https: {r['url']}", r["tls"], None)
        if "//127." in r["url"]:
            check.equal(f"no name is resolved for an address: {r['url']}", r["dns"], None)
        check.true(f"a phase is no longer than {r['url']}",
                   all(r[k] is None or r[k] <= r["dur"] for k in ("dns", "connect", "tls", "wait")))


def phases_of(path, least, with_):
    _, events = check.jsonl("dump", "-f", 'provider ~ "^System[.]Net[.]" and has activity', path)
    open_, want, state = {}, {}, {}
    for e in events:
        steps = filterlang.path_of(filterlang.guid_bytes(e["activity"]), e.get("pid"))
        name = e.get("event", e["name"]).replace("/", "")
        if name == "RequestStart":
            open_[tuple(steps)] = e["row"]
            want[e["row"]], state[e["row"]] = {}, {}
            continue
        if name == "RequestStop":
            open_.pop(tuple(steps), None)
            continue
        row = next((open_[tuple(steps[:n])] for n in range(len(steps), 0, -1)
                    if tuple(steps[:n]) in open_), None) if steps else None
        if row is None:
            continue
        of, at = want[row], state[row]
        if name == "RequestLeftQueue":
            of["queue"] = int(e["payload"]["timeOnQueueMilliseconds"] * 1e6)
        elif name in BEGINS:
            at[BEGINS[name]] = e["t"]
        elif name in ENDS and ENDS[name] in at:
            of[ENDS[name]] = of.get(ENDS[name], 0) + e["t"] - at.pop(ENDS[name])
        if name in ("RequestHeadersStop", "RequestContentStop"):
            at["sent"] = e["t"]
        if name == "ResponseHeadersStop" and "sent" in at:
            of["wait"] = of.get("wait", 0) + e["t"] - at.pop("sent")
    _, rows = check.jsonl("requests", path)
    names = ("queue", "dns", "connect", "tls", "headers", "body", "wait", "response")
    got = {r["row"]: {k: r[k] for k in names if r.get(k) is not None}
           for r in rows if r["kind"] == "request" and r["side"] == "client"}
    check.equal("phases of requests", got, want)
    check.true("there are phases", sum(len(v) for v in want.values()) > least)
    for name in with_:
        check.true(f"there is {name}", any(name in v for v in want.values()))
    sums = {r["phase"]: (r["count"], r["total"]) for r in rows if r["kind"] == "phase"}
    check.equal("phases together", sums, {
        k: (sum(k in v for v in want.values()), sum(v.get(k, 0) for v in want.values()))
        for k in names if any(k in v for v in want.values())})


# Methods that wait do not run, although the sample was taken in managed code.
WAITS = re.compile(r"System\.Threading\.(Thread\.(Sleep|Join)|WaitHandle\.|Monitor\.|Lock\.(Try)?Enter|LowLevel\w+\.|"
                   r"SpinLock\.|Barrier\.|ReaderWriterLockSlim\.|Condition\.|"
                   r"(ManualResetEventSlim|SemaphoreSlim|CountdownEvent)\.Wait|"
                   r"Tasks\.Task\.(InternalWait|SpinThenBlockingWait|Wait))|System\.Console")
PLACES_LEAST = {"samples": 10, "cpu": 10}      # shares of fewer samples say nothing
PLACES = {      # what: report, kind, by, enough of, from there on, column that is told
    "running in": ("samples", "method", "managed", "managedShare", 0.05, "managed"),
    "waiting or native in": ("samples", "method", "external", "externalShare", 0.05, "external"),
    "most CPU": ("cpu", "thread", "samples", "share", 0.05, "samples"),
    "longest off the CPU": ("switches", "thread", "longestOff", "longestOff", 1e7, None),
    "longest requests": ("requests", "request", "dur", "dur", 1e6, None),
    "longest tasks": ("tasks", "task", "dur", "dur", 1e7, None),
    "longest waits for locks": ("contention", "contention", "dur", "dur", 1e6, None),
    "longest spans": ("spans", "span", "dur", "dur", 1e7, None),
}


def places(table):
    """Where time went: the first three of the reports, by the lines of these, each event once."""
    for what, (report, kind, by, *_) in PLACES.items():
        line = next((t for t in table if t.startswith(f"| {what} |")), "")
        check.true(f"place '{what}' stands in doc/reports.md", f"{report}, {kind}, {by}" in line)
    found = 0
    tour = os.path.join(check.DATA, "tour.nettrace.zst")
    some = check.check_sample(check.all_shared_traces(), 3) if check.all_shared_traces() else []
    for path in [os.path.join(check.DATA, "demo.nettrace"), tour] + some:
        name = check.stem(path)
        _, rows = check.jsonl("summary", path)
        _, cpus = check.jsonl("cpu", path)
        shown = set()
        for what, (report, kind, by, enough, least, told) in PLACES.items():
            got = [r for r in rows if r["kind"] == "time" and r["what"] == what]
            _, lines = check.jsonl(report, *(("--list",) if report == "spans" else ()), path)
            best = [r for r in lines if r["kind"] == kind and r.get(by) is not None and
                    not (what == "running in" and WAITS.match(r["method"]))]
            first = {}
            for r in sorted(best, key=lambda r: -r[by]):
                first.setdefault(r.get("row", len(first)), r)
            best = [r for r in first.values() if f"row = {r.get('row')}" not in shown][:3]
            shown |= {g.get("evidence") for g in got}
            want = []
            for r in best:
                if r[enough] is None or r[enough] < least or r[by] < PLACES_LEAST.get(report, 0):
                    break
                want.append(r)
            if report == "samples" and cpus:
                want = []
            check.equal(f"{name}: {what}", len(got), len(want))
            for g, w in zip(got, want):
                if told:
                    check.true(f"{name}: {what}: {g['remark']} of {w[told]}",
                               f"{w[told]:,}" in g["remark"])
                elif "row" in w:
                    tied = [r["row"] for r in lines if r["kind"] == kind and r.get(by) == w[by]]
                    check.true(f"{name}: {what}: {g.get('evidence')}",
                               g.get("evidence") in {f"row = {n}" for n in tied})
                found += 1
    check.true("places were found", found >= 9)


def named_once(kinds):
    """A span whose label is its name is named once."""
    if "summary" not in kinds:
        return
    path = check.trace("actors-1worker.heph")
    _, rows = check.jsonl("summary", path)
    _, spans = check.jsonl("spans", "--list", path)
    names = {r["name"] for r in spans if r["kind"] == "span"}
    values = [r["value"] for r in rows if r["kind"] == "time" and r["what"] == "longest spans"]
    check.true(f"the longest spans: {values}", values and set(values) <= names)


def rates(kinds):
    """Exceptions a second, by the report of exceptions and the times of the first and last event."""
    if not {"summary", "exceptions"} <= set(kinds):
        return
    path = os.path.join(check.DATA, "spans", "cut-exceptions.nettrace")
    _, rows = check.jsonl("summary", path)
    _, events = check.jsonl("dump", path)
    _, thrown = check.jsonl("exceptions", path)
    remark = next(r for r in rows if r["what"] == "exceptions" and r["kind"] == "remark")
    rate = thrown[-1]["count"] / ((events[-1]["t"] - events[0]["t"]) / 1e9)
    check.true("exceptions a second", abs(remark["number"] - rate) <= 1e-6 * rate)


def longest_pause(kinds):
    """The parts of the longest pause are between the events of its thread."""
    if "gc" not in kinds:
        return
    path = os.path.join(check.DATA, "demo.nettrace")
    _, rows = check.jsonl("gc", path)
    gc = max((r for r in rows if r["kind"] == "gc"), key=lambda r: r["pause"])
    _, events = check.jsonl("dump", "-f", f"tid = {gc['tid']} and provider ~ Runtime and name ~ ^GC/", path)
    ends = [next(e["t"] for e in events if e["t"] >= gc["pauseStart"] and e["name"] == "GC/" + name)
            for name in ("SuspendEEStart", "SuspendEEStop", "Start", "Stop", "RestartEEStart", "RestartEEStop")]
    line = next(x for x in check.tnav("gc", path).out.decode().splitlines() if x.startswith("longest pause: "))
    check.true(line, f"collection {gc['number']} of gen{gc['generation']}, {gc['reason']}" in line)
    told = 0
    for i, what in enumerate(("stopping", "before", "collecting", "after", "restarting")):
        found, part = re.search(rf"[,;] (\S+) (µs|ms) {what}", line), ends[i + 1] - ends[i]
        check.equal(f"a part of {part} of {gc['pause']} ns is told", found is not None, part >= gc["pause"] // 100)
        told += found is not None
        check.true(f"{what}: {line}", found is None or
                   abs(float(found[1]) * {"µs": 1e3, "ms": 1e6}[found[2]] - part) < 1e3)
    check.true(f"parts: {line}", told > 1)
    check.equal("parts in JSON", list(gc["parts"].values()), [b - a for a, b in zip(ends, ends[1:])])


LIBRARIES = ("System.", "Microsoft.", "Internal.", "Interop.", "Interop+")


def own_method(stack):
    """The innermost method of the program, or None."""
    return next((m for m in stack if "(" in m and not m.startswith(LIBRARIES)), None)


def causes(kinds):
    """The method that caused a collection is that of the last GCTriggered before its start; what ran in the
    longest pause is told by the sample of each thread that is nearest to it."""
    if "gc" not in kinds:
        return
    path = os.path.join(check.DATA, "tour.nettrace.zst")
    _, events = check.jsonl("dump", "--symbols", "-f", "name in (GC/Triggered, GC/Start, Thread/Sample)",
                            path)
    _, rows = check.jsonl("gc", path)
    gcs = {r["number"]: r for r in rows if r["kind"] == "gc"}
    last = None
    for e in events:
        if e["name"] == "GC/Triggered":
            last = own_method(e["stack"])
        elif e["name"] == "GC/Start":
            check.equal(f"cause of {e['payload']['Count']}", gcs[e["payload"]["Count"]].get("method"), last)
    gc = max(gcs.values(), key=lambda r: r["pause"])
    begin, end = gc["pauses"][0]
    near = {}
    for e in events:
        away = max(begin - e["t"], e["t"] - end, 0)
        if e["name"] == "Thread/Sample" and away <= 10e6:
            near[e["tid"]] = min(near.get(e["tid"], (away, e["row"], e)), (away, e["row"], e), key=lambda x: x[:2])
    ran = {tid: own_method(e["stack"]) or e["stack"][0] for tid, (_, _, e) in near.items() if e["payload"]["Type"] == 2}
    check.equal("what ran", {r["tid"]: r["method"] for r in rows if r["kind"] == "ran"}, ran)
    text = check.tnav("gc", path).out.decode()
    check.true("what ran, in text", len(ran) > 1 and f"; {len(near) - len(ran)} threads waited" in text)


def suspensions(path):
    """The times of the events of a suspension, by the time at which it began."""
    _, events = check.jsonl("dump", "-f", "provider ~ Runtime$ and name ~ EE", "-e", "t,tid,name", path)
    names = ["GC/SuspendEEStart", "GC/SuspendEEStop", "GC/RestartEEStart", "GC/RestartEEStop"]
    found, running = {}, {}
    for e in events:
        at = names.index(e["name"])
        if at == 0:
            found[e["t"]] = running[e["tid"]] = [e["t"]]
        elif len(running.get(e["tid"], ())) == at:
            running[e["tid"]].append(e["t"])
    return found


def pauses(kinds):
    """The parts of every pause are between the events of its suspensions; shares are those of generations."""
    if "gc" not in kinds:
        return
    shared = 0
    for path in (os.path.join(check.DATA, "demo.nettrace"), os.path.join(check.DATA, "tour.nettrace.zst"),
                 os.path.join(check.DATA, "reports", "gc-background.nettrace.zst")):
        name, stops = check.stem(path), suspensions(path)
        _, rows = check.jsonl("gc", path)
        rows = [r for r in rows if r["kind"] == "gc"]
        text = check.tnav("gc", "-e", "number,pauses,pause", path).out.decode().splitlines()
        shown = {int(line.split()[0]): line.split()[1:] for line in text[1:len(rows) + 1]}
        by_pause = sorted((r for r in rows), key=lambda r: -r["pause"])
        check.equal(f"{name}: the longest pause comes first", list(shown), [r["number"] for r in by_pause])
        for r in rows:
            want, end = [0, 0, 0, 0], r["start"] + r["dur"]
            for begin, last in r["pauses"]:
                of = stops.get(begin) or next(v for v in stops.values() if v[0] <= begin and last <= v[3])
                shared += begin not in stops or last != of[3]
                cuts = [of[0], of[1], max(of[1], r["start"]), max(of[1], min(of[2], end)), of[3]]
                for i in range(4):
                    want[i] += max(0, min(cuts[i + 1], last) - max(cuts[i], begin))
            got = [float(x) * 1e6 for x in shown[r["number"]][0].split("+")]
            check.equal(f"{name}: parts of {r['number']}", sum(want), r["pause"])
            check.true(f"{name}: parts of {r['number']}: {got}, not {want}",
                       len(got) == 4 and all(abs(a - b) <= 500 for a, b in zip(got, want)))
        sums = collections.Counter()
        for r in rows:
            kind = ("gen0", "gen1", "gen2 blocking")[r["generation"]]
            sums["gen2 background" if r["generation"] == 2 and r["type"] == "BackgroundGC" else kind] += r["pause"]
        line = next(x for x in check.tnav("gc", path).out.decode().splitlines() if x.startswith("pause time: "))
        got = re.findall(r"(gen\d(?: [a-z]+)?) ([\d.]+) %", line)
        check.equal(f"{name}: kinds of pauses", {g[0] for g in got}, set(sums))
        for kind, share in got:
            check.true(f"{name}: {kind}: {share}",
                       abs(float(share) - 100 * sums[kind] / sum(sums.values())) <= 0.051)
    check.true("collections shared a suspension", shared > 0)
    cut = check.tnav("gc", "-e", "number,pauses", os.path.join(check.DATA, "spans", "cut-gc.nettrace")).out.decode()
    cut = [line.split()[1] for line in cut.splitlines() if re.match(r" *\d+ +\S+$", line)]
    check.true(f"parts are known or not: {cut}", "-" in cut and not any("[" in x for x in cut))


def throwers(kinds):
    """Failures and the methods of the program that threw them, by the frames of the stacks."""
    if "exceptions" not in kinds:
        return
    path = os.path.join(check.DATA, "tour.nettrace.zst")
    _, events = check.jsonl("dump", "--symbols", "-f", "name = ExceptionThrown", path)
    own, seen = collections.defaultdict(collections.Counter), collections.Counter()
    for e in events:
        kind = e["payload"]["ExceptionType"]
        seen[kind] += 1
        if not any("ExceptionDispatchInfo.Throw(" in frame for frame in e["stack"][:2]):
            frames = [f for f in e["stack"] if not f.startswith(("System.", "Microsoft.", "0x"))]
            own[kind][frames[0] if frames else e["stack"][1]] += 1
    _, rows = check.jsonl("exceptions", path)
    types = {r["type"]: r for r in rows if r["kind"] == "type"}
    check.equal("seen", {k: r["count"] for k, r in types.items()}, dict(seen))
    caught = collections.defaultdict(collections.Counter)
    for r in rows:
        if r["kind"] == "exception" and r["caughtBy"] is not None:
            caught[r["type"]][r["caughtBy"]] += 1
    check.equal("catchers", {k: r["catchers"] for k, r in types.items()}, {k: dict(v) for k, v in caught.items()})
    check.equal("throwers", {k: r["sources"] for k, r in types.items()}, {k: dict(v) for k, v in own.items()})
    check.equal("failures", {k: r["faults"] for k, r in types.items()},
                {k: sum(v.values()) for k, v in own.items()})
    bare = check.tnav("exceptions", "-e", "type,sources", os.path.join(check.DATA, "spans", "cut-exceptions.nettrace"))
    check.true("without stacks no thrower is shown", re.search(rb"System.FormatException +-\n", bare.out))
    check.equal("6 failures, seen 18 times", (types["Shop.OutOfStockException"]["faults"],
                                              seen["Shop.OutOfStockException"]), (6, 18))


def losses(kinds):
    """Where events were lost, text says so, and JSON how many; V3 can't tell."""
    if "gc" not in kinds:
        return
    cut = os.path.join(check.DATA, "spans", "cut-gc.nettrace")
    check.true("lost", b"18 events lost in 8 gaps: counts" in check.tnav("gc", cut).out)
    _, rows = check.jsonl("gc", cut)
    check.equal("lost", (rows[-1]["lost"], rows[-1]["gaps"]), (18, 8))
    whole = check.tnav("gc", os.path.join(check.DATA, "demo.nettrace"))
    check.true("nothing was lost", b"lower bounds" not in whole.out)
    v3 = os.path.join(check.DATA, "features", "v3-stacks-and-activities.netperf")
    _, rows = check.jsonl("summary", v3)
    check.equal("lost of V3", (rows[-1]["lost"], rows[-1]["gaps"]), (None, None))


def main():
    check.need_tnav()
    kinds = registry()
    check.true("reports are registered", "gc" in kinds)
    golden(kinds)
    everywhere(kinds)
    hurt(kinds)
    windows(kinds)
    summary(kinds)
    sites(kinds)
    phases(kinds)
    rates(kinds)
    named_once(kinds)
    longest_pause(kinds)
    causes(kinds)
    pauses(kinds)
    throwers(kinds)
    losses(kinds)
    server_and_background()
    ran_between()
    if os.path.isdir(ORACLE):
        check.true("reports of ../shared", oracle(kinds) >= 3)
        collections_once_more("net10-gc.nettrace")
        collections_once_more("netcore30-win-x64.nettrace")
        inlining()
    check.finish()


main()
