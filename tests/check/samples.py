#!/usr/bin/env python3
"""The reports samples, cpu and switches by a second implementation.

They are made here once more from the events that dump prints, by their definitions: exclusive counts
samples whose innermost frame is the method, inclusive those that have it anywhere, once each; a
cswitch says that its thread comes back, Value ticks after it left. Names are those of dump --symbols.
Frames of callers in native code are named by the address itself in reports and by the byte before in
dump. So inclusive is compared with dump where code is .NET's, else with the stacks that
oracle/symbols folded; and the caller of the kernel where the name of either frame is the same.
"""
import collections
import os
import subprocess

import check

check.need_tnav()
check.need_shared()
SAMPLER, SYSTEM = "Microsoft-DotNETCore-SampleProfiler", "Universal.Events"
EXTERNAL = 1
KERNEL_FIRST = 1 << 63
NONE = "(no frames)"


def traces():
    found = check.all_shared_traces()
    symbols = os.path.join(check.SHARED, "oracle", "symbols", "net10-symbols.nettrace")
    big = [os.path.join(check.SHARED, "traces", "big", n) for n in
           ("net10-mixed-100MB.nettrace.zst", "v6-perf-sched-85MB.nettrace.zst")]
    return found + [symbols] + (big if check.check_all() else [])


def lines(report, path, *options):
    """Rows by kind; what lines of all reports have is left to their own tests."""
    r, rows = check.jsonl(report, *options, path)
    out = collections.defaultdict(list)
    for x in rows:
        out[x["kind"]].append(x)
    return out


def events(path, which, *options):
    r, found = check.jsonl("dump", *options, "-f", which, path)
    check.true(f"dump -f '{which}' {path}: {r.err[:200]}", r.code < 2)
    return found


def frame(name):
    return name[:-2] if name.endswith(" ?") else name


def share(part, whole):
    return None if not whole else part / whole


def near(what, got, want):
    check.true(f"{what}: {got}, not {want}", got == want or
               (got is not None and want is not None and abs(got - want) < 1e-9))


# ---- samples

def samples(path, *options):
    name = f"{os.path.basename(path)} samples {options}"
    taken = [e for e in events(path, f'provider ~ "^({SAMPLER}|{SYSTEM})$"', "--symbols", *options)
             if (e["provider"] == SAMPLER and e["id"] == 0) or
             (e["provider"] == SYSTEM and e["name"] == "cpu")]
    typed = any(e["provider"] == SAMPLER for e in taken)
    own, outside, with_it = collections.Counter(), collections.Counter(), collections.Counter()
    for e in taken:
        stack = [frame(f) for f in e.get("stack") or [NONE]]
        own[stack[0]] += 1
        outside[stack[0]] += e["provider"] == SAMPLER and e["payload"].get("Type") == EXTERNAL
        for f in set(stack):
            with_it[f] += 1
    got = lines("samples", path, *options)
    if not taken:
        check.equal(f"{name}: no rows", dict(got), {})
        return 0
    rows = collections.defaultdict(list)
    for r in got["method"]:
        rows[r["method"]].append(r)
    check.equal(f"{name}: exclusive", {m: n for m, n in
                ((m, sum(r["exclusive"] for r in v)) for m, v in rows.items()) if n}, dict(own))
    for m, v in rows.items():
        for r in v:
            near(f"{name}: share of {m}", r["share"], share(r["exclusive"], len(taken)))
            near(f"{name}: inclusiveShare of {m}", r["inclusiveShare"],
                 share(r["inclusive"], len(taken)))
            check.true(f"{name}: {m} has no more exclusive than inclusive",
                       r["exclusive"] <= r["inclusive"])
            if not typed:
                check.equal(f"{name}: {m} is neither managed nor external",
                            (r["managed"], r["external"]), (None, None))
        if typed:
            check.equal(f"{name}: external of {m}", sum(r["external"] for r in v), outside[m])
            check.equal(f"{name}: managed of {m}", sum(r["managed"] for r in v),
                        own[m] - outside[m])
        if typed and len(v) == 1:
            check.equal(f"{name}: inclusive of {m}", v[0]["inclusive"], with_it[m])
    if typed:
        check.equal(f"{name}: methods", set(rows), set(with_it))
    total = got["summary"][0]
    check.equal(f"{name}: summary", (total["count"], total["withoutStack"], total["methods"]),
                (len(taken), sum(not e.get("stack") for e in taken), len(got["method"])))
    if typed:
        check.equal(f"{name}: managed and external of all", (total["managed"], total["external"]),
                    (len(taken) - sum(outside.values()), sum(outside.values())))
    order = [r["exclusive"] for r in got["method"]]
    check.equal(f"{name}: the most first", order, sorted(order, reverse=True))
    return 1


def native_inclusive(path):
    """Native code: inclusive against the stacks that the oracle folded, names by the address itself."""
    base = os.path.basename(path).replace(".zst", "")
    oracle = os.path.join(check.SHARED, "oracle", "symbols", base + ".folded.zst")
    if not os.path.exists(oracle):
        return 0
    want, samples_n = collections.Counter(), 0
    done = subprocess.run(["zstd", "-dc", oracle], capture_output=True, check=True)
    for line in done.stdout.decode(errors="replace").splitlines():
        stack, _, n = line.rpartition(" ")
        frames = stack.split(";")[1:]
        for f in set(frames) or {NONE}:
            want[f] += int(n)
        samples_n += int(n)
    got = lines("samples", path)
    rows = collections.defaultdict(list)
    for r in got["method"]:
        rows[r["method"].replace(";", ":")].append(r["inclusive"])
    check.equal(f"{base}: methods of the oracle", set(rows), set(want))
    for m, v in rows.items():
        # One name in two modules is two rows here and one name there.
        check.true(f"{base}: inclusive of {m}: {v}, not {want[m]}",
                   want[m] == v[0] if len(v) == 1 else max(v) <= want[m] <= sum(v))
    check.equal(f"{base}: samples of the oracle", got["summary"][0]["count"], samples_n)
    print(f"{base}: inclusive of {len(rows)} methods")
    return 1


# ---- cpu

def cpu(path, *options):
    name = f"{os.path.basename(path)} cpu {options}"
    taken = events(path, f'provider ~ "^{SYSTEM}$" and name ~ "^cpu$"', "--symbols", *options)
    threads, processes = collections.defaultdict(list), collections.defaultdict(set)
    for e in taken:
        threads[e.get("pid"), e.get("tid")].append(e)
        processes[e.get("pid")].add((e.get("pid"), e.get("tid")))
    got = lines("cpu", path, *options)
    if not taken:
        check.equal(f"{name}: no rows", dict(got), {})
        return 0
    want, tops = collections.Counter(), collections.defaultdict(list)
    for v in threads.values():
        leaves = collections.Counter(frame(e["stack"][0]) for e in v if e.get("stack"))
        top = max(leaves.values(), default=None)
        key = (v[0].get("pid"), v[0].get("tid"), len(v), top)
        want[key] += 1
        tops[key].append({n for n in leaves if leaves[n] == top} or {None})
    check.equal(f"{name}: threads", collections.Counter(
        (r["pid"], r["tid"], r["samples"], r.get("topSamples")) for r in got["thread"]), want)
    for r in got["thread"]:
        near(f"{name}: share of {r['tid']}", r["share"], share(r["samples"], len(taken)))
        key = (r["pid"], r["tid"], r["samples"], r.get("topSamples"))
        check.true(f"{name}: top method of {r['tid']}: {r['topMethod']}, not {tops[key]}",
                   any(r["topMethod"] in names for names in tops[key]))
    check.equal(f"{name}: processes", sorted(
        ((r["pid"], r["threads"], r["samples"]) for r in got["process"]), key=str), sorted(
        ((pid, len(v), sum(len(threads[t]) for t in v)) for pid, v in processes.items()), key=str))
    for r in got["process"]:
        near(f"{name}: share of process {r['pid']}", r["share"], share(r["samples"], len(taken)))
    total = got["summary"][0]
    check.equal(f"{name}: summary", (total["count"], total["threads"], total["processes"]),
                (len(taken), len(threads), len(processes)))
    return 1


# ---- switches

def caller(named, plain):
    """The innermost frame outside of the kernel, else of all; None: there is no stack."""
    stack = plain.get("stack") or []
    at = next((i for i, ip in enumerate(stack) if int(ip, 16) < KERNEL_FIRST), 0)
    return frame(named["stack"][at]) if stack else None


def switches(path, *options):
    name = f"{os.path.basename(path)} switches {options}"
    which = f'provider ~ "^{SYSTEM}$" and name ~ "^cswitch$"'
    taken = events(path, which, "--symbols", *options)
    plain = {e["row"]: e for e in events(path, which, *options)}
    got = lines("switches", path, *options)
    if not taken:           # those of sched_switch are the subject of switches.py
        check.equal(f"{name}: rows", bool(got), bool(events(path, 'provider ~ "^sched$" and '
                                                            'name ~ "^sched_switch$"', *options)))
        return 0
    threads = {}
    for e in taken:
        t = threads.setdefault((e.get("pid"), e.get("tid")), {
            "pid": e.get("pid"), "tid": e.get("tid"), "n": 0, "on": 0, "off": 0, "longest": -1,
            "back": None})
        off = e["payload"]["Value"]     # the clock of these traces has a tick a nanosecond
        t["n"] += 1
        t["off"] += off
        if t["back"] is not None and e["t"] - off > t["back"]:
            t["on"] += e["t"] - off - t["back"]
        t["back"] = e["t"]
        if off > t["longest"]:
            t.update(longest=off, row=e["row"], by=caller(e, plain[e["row"]]))
    rows = {r["row"]: r for r in got["thread"]}
    check.equal(f"{name}: rows of the longest times off", set(rows), {t["row"] for t in threads.values()})
    other = 0
    for t in threads.values():
        r = rows.get(t["row"])
        if r is None:
            continue
        check.equal(f"{name}: thread {t['tid']}",
                    tuple(r[k] for k in ("pid", "tid", "switches", "onCpu", "offCpu", "longestOff")),
                    tuple(t[k] for k in ("pid", "tid", "n", "on", "off", "longest")))
        near(f"{name}: onShare of {t['tid']}", r["onShare"], share(t["on"], t["on"] + t["off"]))
        check.equal(f"{name}: {t['tid']} has a caller", r["by"] is None, t["by"] is None)
        other += r["by"] != t["by"]
    check.true(f"{name}: {other} of {len(threads)} callers are called otherwise",
               other * 10 <= len(threads))
    total = got["summary"][0]
    check.equal(f"{name}: summary", tuple(total[k] for k in ("switches", "threads", "onCpu", "offCpu")),
                (len(taken), len(threads), sum(t["on"] for t in threads.values()),
                 sum(t["off"] for t in threads.values())))
    return 1


def main():
    seen = collections.Counter()
    for path in traces():
        info, types = check.jsonl("types", path)
        if info.code >= 2:
            continue
        system = any(t["provider"] == SYSTEM for t in types)
        if not system and not any(t["provider"] == SAMPLER for t in types):
            continue
        end = max((t["last"] for t in types if t.get("last") is not None), default=0)
        chosen = [(), ("--from", f"{end // 3}ns", "--to", f"{end // 3 * 2}ns")]
        for options in check.check_sample(chosen, 1):
            seen["samples"] += samples(path, *options)
            seen["cpu"] += cpu(path, *options)
            seen["switches"] += switches(path, *options)
        if system:
            seen["inclusive"] += native_inclusive(path)
    for report, least in (("samples", 5 if check.whole_shared() else 4), ("cpu", 2), ("switches", 1),
                          ("inclusive", 2)):
        check.true(f"{report} was compared {seen[report]} times", seen[report] >= least)


main()
check.finish(500)
