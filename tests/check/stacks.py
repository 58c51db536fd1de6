#!/usr/bin/env python3
"""tnav stacks against stacks that others folded, and against what dump prints.

The folded text is that of oracle/symbols (tools/compare_folded.py). Trees and lists are made once more
here from the folded text, and the folded text from the stacks that dump --symbols prints, over traces
and filters that a seed chooses. The tables of dotnet-trace report weigh samples by time.
"""
import collections
import json
import os
import random
import re
import subprocess
import sys

import check
import namelang

check.need_tnav()
check.need_shared()
ORACLE = os.path.join(check.SHARED, "oracle", "symbols")
TOOL = os.path.join(check.SHARED, "tools", "compare_folded.py")
SCRATCH = check.temp_dir()


def all_traces():
    found = {os.path.basename(p): p for p in check.all_shared_traces()}
    found["net10-symbols.nettrace"] = os.path.join(ORACLE, "net10-symbols.nettrace")
    return found


def big(name):
    return os.path.join(check.SHARED, "traces", "big", name + ".zst")


TRACES = all_traces()


def trace_of(*names):
    """The first of these that is there: a whole trace, or what is cut from it."""
    return next(TRACES[n + ".nettrace"] for n in names if n + ".nettrace" in TRACES)


GC, SAMPLER, SYMBOLS = (TRACES[f"net10-{n}.nettrace"] for n in ("gc", "sampler", "symbols"))
EXCEPTIONS = trace_of("net10-exceptions", "cut-exceptions")
HTTP = trace_of("net10-activities-http", "cut-http")
PERF = trace_of("perf-on-off-cpu", "cut-on-off-cpu")


# ---- the folded files

def folded_files():
    out = []
    for f in sorted(os.listdir(ORACLE)):
        if not f.endswith(".folded.zst"):
            continue
        name, only = f[:-len(".folded.zst")], None
        for word, number in ((".managed", 2), (".external", 1)):
            if name.endswith(word):
                name, only = name[:-len(word)], f"Type = {number}"
        path = TRACES.get(name, big(name))
        if check.check_all() or name in TRACES:
            out.append((f, path, only))
    return out


def compare_folded(oracle, path, only):
    ours = os.path.join(SCRATCH, "folded.txt")
    options = ["-f", only] if only else []
    check.tnav("stacks", "--fold", "--weight", "samples", *options, "-o", ours, path)
    done = subprocess.run([sys.executable, TOOL, ours, os.path.join(ORACLE, oracle)],
                          capture_output=True, text=True, timeout=check.WATCHDOG_S)
    check.equal(f"{oracle}: compare_folded.py finds no difference", done.returncode, 0)
    if done.returncode != 0:
        print(done.stdout)
    lines = open(ours, encoding="utf-8", errors="replace").read().splitlines()
    check.equal(f"{oracle}: no line comes twice", len({x.rpartition(" ")[0] for x in lines}),
                len(lines))


# ---- shapes against the folded text

def flat(name):
    if name == "(no frames)":
        return name
    return re.sub("[\r\n\0]", " ", namelang.without_arguments(name.removesuffix(" ?")).replace(";", ":"))


def folded(path, *options):
    """{(thread, frame, ...): weight} and the lines themselves."""
    r, lines = check.jsonl("stacks", "--fold", *options, path)
    out = collections.Counter()
    for x in lines:
        out[tuple([x["stack"][0]] + [flat(f) for f in x["stack"][1:]])] += x["weight"]
    return out


def from_dump(path, *options):
    """The same, counted, by the names that dump prints."""
    _, events = check.jsonl("dump", "--symbols", *options, path)
    out = collections.Counter()
    for e in events:
        tid = e.get("tid")
        thread = f"Thread ({tid})" if tid is not None else None
        out[tuple([thread] + [flat(f) for f in reversed(e.get("stack", []))])] += 1
    return out


def tree_paths(rows):
    """{path: (inclusive, exclusive)} of the rows of a tree."""
    out, at = {}, []
    for r in rows:
        at[r["depth"] - 1:] = [r["name"]]
        key = tuple(at)
        check.true(f"a path comes once: {key[-1]}", key not in out or r.get("module") is not None)
        a = out.get(key, (0, 0))
        out[key] = (a[0] + r["inclusive"], a[1] + r["exclusive"])
    return out


def add(counter, key, value):
    if value:
        counter[key] += value


def near(what, got, want):
    got = {k: round(v, 3) for k, v in got.items() if v}
    want = {k: round(v, 3) for k, v in want.items() if v}
    check.equal(what, {k: v for k, v in got.items() if want.get(k) != v},
                {k: v for k, v in want.items() if got.get(k) != v})


def shapes(path, *options):
    name = f"{os.path.basename(path)} {options}"
    lines = folded(path, *options)
    _, rows = check.jsonl("stacks", "--tree=threads", *options, path)
    got = collections.Counter()
    for p, (_, own) in tree_paths(rows).items():
        thread = re.match(r"Thread \([^)]*\)", p[0]).group(0)
        add(got, tuple([thread] + [flat(f) for f in p[1:]]), own)
    near(f"{name}: the tree by threads has the folded stacks", got, lines)

    want_in, want_own = collections.Counter(), collections.Counter()
    by_in, by_own = collections.Counter(), collections.Counter()
    up = collections.Counter()
    for s, n in lines.items():
        s = s[1:]
        for i in range(1, len(s) + 1):
            want_in[s[:i]] += n
        want_own[s] += n
        for f in set(s):
            by_in[f] += n
        if s:
            by_own[s[-1]] += n
        turned = tuple(reversed(s)) or ("(no frames)",)
        for i in range(1, len(turned) + 1):
            up[turned[:i]] += n
    _, rows = check.jsonl("stacks", "--tree", *options, path)
    got_in, got_own = collections.Counter(), collections.Counter()
    for p, (inclusive, own) in tree_paths(rows).items():
        add(got_in, tuple(map(flat, p)), inclusive)
        add(got_own, tuple(map(flat, p)), own)
    want_own.pop((), None)
    near(f"{name}: top-down, inclusive", got_in, want_in)
    near(f"{name}: top-down, exclusive", got_own, want_own)
    _, rows = check.jsonl("stacks", "--tree=bottom-up", *options, path)
    got = collections.Counter()
    for p, (inclusive, _) in tree_paths(rows).items():
        add(got, tuple(map(flat, p)), inclusive)
    near(f"{name}: bottom-up", got, up)

    _, rows = check.jsonl("stacks", *options, path)
    names = collections.Counter(flat(r["name"]) for r in rows)
    got_in, got_own = {}, collections.Counter()
    for r in rows:
        if r["name"] == "(no frames)":
            continue
        add(got_own, flat(r["name"]), r["exclusive"])
        if names[flat(r["name"])] == 1:     # no overloads, which may call each other
            got_in[flat(r["name"])] = r["inclusive"]
    near(f"{name}: by method, exclusive", got_own, by_own)
    near(f"{name}: by method, inclusive", got_in, {k: by_in[k] for k in got_in})
    total = sum(lines.values())
    check.true(f"{name}: the shares of what is exclusive make 1",
               not rows or not total or
               abs(sum(r["exclusiveShare"] or 0 for r in rows) - 1) < 1e-6)
    return lines


def callers_and_callees(path):
    lines = folded(path)
    _, rows = check.jsonl("stacks", path)
    names = collections.Counter(flat(r["name"]) for r in rows)
    rows = [r for r in rows if names[flat(r["name"])] == 1 and r["name"] != "(no frames)"]
    for r in check.check_sample(rows, 4):
        name = flat(r["name"])
        callers, callees = collections.Counter(), collections.Counter()
        for s, n in lines.items():
            s = s[1:]
            at = [i for i, f in enumerate(s) if f == name]
            if not at:
                continue
            above, below = tuple(reversed(s[:at[0]])), s[at[-1] + 1:]
            for i in range(1, len(above) + 1):
                callers[above[:i]] += n
            for i in range(1, len(below) + 1):
                callees[below[:i]] += n
        for which, want in (("callers", callers), ("callees", callees)):
            _, got = check.jsonl("stacks", f"--tree={which}:{r['name']}", path)
            found = collections.Counter()
            for p, (inclusive, _) in tree_paths(got).items():
                add(found, tuple(map(flat, p)), inclusive)
            near(f"{which} of {name}", found, want)


FILTERS = 50            # of each trace with stacks, in make check-all


def filters(path):
    """Different filters that choose some events of the trace."""
    _, types = check.jsonl("types", path)
    _, threads = check.jsonl("threads", path)
    rng = random.Random(f"{check.check_seed()} {path}")
    tids = [t["tid"] for t in threads if t.get("tid") is not None] or [1]
    names = [t["name"] for t in types if t.get("name")] or ["x"]
    ends = [t["last"] for t in types if t.get("last") is not None] or [1]

    def term():
        tid, name = rng.choice(tids), rng.choice(names)
        at = rng.randrange(max(ends) + 1) // 1000
        return rng.choice([
            f"tid = {tid}", f"tid != {tid}", f"name = {json.dumps(name)}", "has stack",
            f"t < {at}us", f"t >= {at}us and tid = {tid}", f"t >= {at}us", "Type = 1", "Type != 2",
            f"not name = {json.dumps(name)}", "stack ~ System", "not stack ~ [Mm]ain",
        ])

    out = {}
    for i in range(20 * FILTERS):
        if len(out) < FILTERS:
            out[rng.choice([term(), term(), f"{term()} or {term()}", f"({term()}) and {term()}"])] = i
    return list(out)


def has_names_by_address(path):
    """Callers in native code are named by the address itself, by dump with the byte before."""
    return os.sep + "v6" + os.sep not in path


def has_stacks(path):
    _, rows = check.jsonl("stacks", "--weight", "count", path)
    return any(r["name"] != "(no frames)" for r in rows)


def agree():
    paths = [p for p in TRACES.values() if not os.path.basename(p).startswith("v4-event-block")]
    small = [p for p in paths if os.path.getsize(p) <= check.LARGE]
    large = [p for p in paths if os.path.getsize(p) > check.LARGE and os.path.getsize(p) < 8 << 20]
    seen = 0
    for path in check.check_sample(small, 4) + check.check_sample(large, 2):
        if check.tnav("info", path).code >= 2:
            continue
        chosen = filters(path)
        if not has_stacks(path):
            chosen = chosen[:1]
        elif check.check_all():
            check.equal(f"{path}: filters", len(chosen), FILTERS)
        for f in check.check_sample(chosen, 2):
            lines = shapes(path, "--weight", "count", "-f", f)
            seen += 1
            if not has_names_by_address(path) or path.endswith(".heph"):
                continue
            want = from_dump(path, "-f", f)
            if any(s[0] is None for s in want):
                continue
            near(f"{path} {f}: the folded stacks are those of dump", lines, want)
    print(f"{seen} filters, {len(paths)} traces")


# ---- weights

def report(name):
    """dotnet-trace report: {name: [(inclusive, exclusive)]}, names with their arguments, cut."""
    out, kind = [], {}
    for kind in ("exclusive", "inclusive"):
        path = os.path.join(ORACLE, "report", f"{name}.topN.{kind}.txt")
        entry = None
        for line in open(path, encoding="utf-8"):
            row = re.match(r"^\d+\.\s+(.*?)\s+([\d.]+)%\s+([\d.]+)%\s*$", line)
            if row:
                entry = [row.group(1), float(row.group(2)), float(row.group(3))]
                out.append(entry)
            elif entry and line.startswith("    "):
                entry[0] += line.strip()
    return out


def short(module, name):
    """Two parts of the name, as the report shows them."""
    full = f"{os.path.splitext(module or '')[0]}!{name}"
    front, paren, args = full.partition("(")
    return ".".join(front.split(".")[-2:]) + paren + args


def by_time():
    for name in ("net10-sampler.nettrace", "sampler-managed.nettrace"):
        if name not in TRACES:
            continue
        _, rows = check.jsonl("stacks", "--weight", "time", TRACES[name])
        ours = collections.defaultdict(set)
        for r in rows:
            ours[short(r["module"], r["name"]).replace(" ", "")].add(
                (round(100 * r["inclusiveShare"], 2), round(100 * r["exclusiveShare"], 2)))
        seen = 0
        for label, inclusive, exclusive in report(name):
            label = label.replace(" ", "")
            if label in ("(Non-Activities)", "Threads") or re.match(r"^\W*Thread\(\d+\)$", label):
                continue
            if inclusive < 0.01 or label not in ours and exclusive == 0:
                continue        # roots that the report has besides
            seen += 1
            check.true(f"{name}: {label} {inclusive} {exclusive}: {ours.get(label)}",
                       any(abs(a - inclusive) < 0.011 and abs(b - exclusive) < 0.011
                           for a, b in ours.get(label, ())))
        check.true(f"{name}: rows of the report were looked at", seen >= (10 if "10" in name else 2))


# What the reference weighs besides samples, and rows that it has alone: roots, texts of events.
BESIDES = {
    "net10-symbols.nettrace": "not provider ~ DotNETRuntime",
    "perf-on-off-cpu.nettrace": "provider = Universal.Events",
    "netcore30-win-x64.nettrace": "not provider ~ DotNETRuntime or name ~ AllocationTick",
}
ROOTS = re.compile(r"\(Non-Activities\)|Threads|STARTING TASK|EventData: .*")
# A work item of the thread pool that ran between two samples: the reference shows this time below
# the stack that queued it, with the share of STARTING TASK. So these methods have that much more.
QUEUED_BY = {
    "netcore30-win-x64.nettrace": {"Missing Symbol", "Program+<>c__DisplayClass1_0.<Main>b__0()"},
}
# TraceEvent 3.1.23, which made the tables, leaves frames of some processes without names that it
# gives in others. 3.2.5 names them, and says this.
LATER = {("perf-on-off-cpu.nettrace", "libc.so.6!?"): (67.86, 0.0)}


def named(frame):
    """A frame as the reference names it: by no guess, and without an offset."""
    if re.match(r"0x[0-9a-f]+$|.* \?$", frame):
        return "Missing Symbol"
    return re.sub(r"\+0x[0-9a-f]+$", "!?", frame)


def label_of(frame):
    """As the report names it: two parts of a method's name, no module, "file!?" without a name."""
    frame = re.sub(r"^[\w.-]+!(?!\?)", "", frame)
    front, paren, args = frame.partition("(")
    return (".".join(front.split(".")[-2:]) + paren + args if paren else frame).replace(" ", "")


def as_the_reference(path, filter_):
    """{label: {(inclusive, exclusive)}} in percent: each event until the next one of its thread."""
    _, events = check.jsonl("dump", "--symbols", "-f", filter_, path)
    weight, last = [0] * len(events), {}
    for i, e in enumerate(events):
        if e["tid"] in last:
            weight[last[e["tid"]]] = e["t"] - events[last[e["tid"]]]["t"]
        last[e["tid"]] = i
    inclusive, exclusive = collections.Counter(), collections.Counter()
    for e, w in zip(events, weight):
        frames = [named(str(f)) for f in e.get("stack", [])]
        if not (e["provider"].endswith("SampleProfiler") or "AllocationTick" in e["name"]):
            frames.insert(0, f"EventName: {e['provider']}/{e['name']}")
        for f in set(frames):
            inclusive[f] += w
        if frames:
            exclusive[frames[0]] += w
    out = collections.defaultdict(set)
    for f in inclusive:
        out[label_of(f)].add(tuple(100 * x[f] / sum(weight) for x in (inclusive, exclusive)))
    return out


def by_the_definition_of_the_reference():
    """Tables that our definition does not give: from our events and names, by the reference's."""
    for name, besides in BESIDES.items():
        if name not in TRACES:
            continue
        ours = as_the_reference(TRACES[name], besides)
        rows = report(name)
        queued = max((r[1] for r in rows if r[0] == "STARTING TASK"), default=0)
        seen = 0
        for label, inclusive, exclusive in rows:
            if ROOTS.fullmatch(label) or inclusive < 0.01:
                continue
            seen += 1
            inclusive, exclusive = LATER.get((name, label), (inclusive, exclusive))
            got = ours.get(label_of(label), ())
            if label in QUEUED_BY.get(name, ()):
                inclusive -= queued
            check.true(f"{name}: {label} {inclusive} {exclusive}: {got}",
                       any(abs(a - inclusive) < 0.011 and abs(b - exclusive) < 0.011
                           for a, b in got))
        print(f"{name}: {seen} rows as the reference has them")
        check.true(f"{name}: rows of the report were looked at", seen >= 10)


def total(path, *options):
    r, lines = check.jsonl("stacks", "--fold", *options, path)
    return sum(x["weight"] for x in lines), sum(x["events"] for x in lines)


def stat(path, term, *options):
    _, rows = check.jsonl("stats", "--by", "provider", "-f", term, *options, path)
    return rows[0] if rows else {}


def weights():
    tick = stat(GC, "id = 10 and provider = Microsoft-Windows-DotNETRuntime", "--sum",
                "payload.AllocationAmount64")
    check.equal("bytes are those of the ticks", total(GC, "--weight", "bytes"),
                (tick["sum.payload.AllocationAmount64"], tick["events"]))
    thrown = stat(EXCEPTIONS, "id = 80 and provider = Microsoft-Windows-DotNETRuntime")
    check.equal("exceptions", total(EXCEPTIONS, "--weight", "exceptions"), (thrown["events"],) * 2)
    field = stat(GC, "has payload.AllocationAmount64", "--sum", "payload.AllocationAmount64")
    check.equal("a field", total(GC, "--weight", "payload.AllocationAmount64")[0],
                field["sum.payload.AllocationAmount64"])
    for weight, name in (("cpu", "cpu"), ("samples", "cpu"), ("switches", "cswitch")):
        n = stat(PERF, f"name = {name} and provider = Universal.Events")["events"]
        check.equal(f"{weight} of V6", total(PERF, "--weight", weight), (n, n))
    _, rows = check.jsonl("stats", "--by", "provider", "-f", "has self", "--sum", "self", HTTP)
    check.equal("self time", total(HTTP, "--weight", "self")[0],
                sum(r["sum.self"] for r in rows))


# ---- two windows

def inclusive_of(lines):
    """{path: weight} of a tree from above, without threads."""
    out = collections.Counter()
    for s, n in lines.items():
        for i in range(2, len(s) + 1):
            out[s[1:i]] += n
    return out


def tenth(x):
    """To a tenth, halves away from zero; what lies near a half may go either way."""
    return {round(x * 10 + d) / 10 for d in (-1e-6, 1e-6)}


def compared(path, weight, first, second):
    """Rows of --compare against the folded text of the two windows, or of one and of all."""
    name = f"{os.path.basename(path)} {weight} {first} {second}"
    options = ["--compare", f"{first[0]}ns..{first[1]}ns"]
    part = folded(path, "--weight", weight, "--from", f"{first[0]}ns", "--to", f"{first[1]}ns")
    if second is None:
        rest = folded(path, "--weight", weight)
        rest.subtract(part)
    else:
        options += ["--compare", f"{second[0]}ns..{second[1]}ns"]
        rest = folded(path, "--weight", weight, "--from", f"{second[0]}ns", "--to",
                      f"{second[1]}ns")
    _, rows = check.jsonl("stacks", "--tree", "--weight", weight, *options, path)
    at, got, parts, differences = [], collections.Counter(), collections.Counter(), {}
    for r in rows:
        at[r["depth"] - 1:] = [flat(r["name"])]
        add(got, tuple(at), r["inclusive"])
        add(parts, tuple(at), r["part"])
        differences.setdefault(tuple(at), []).append(r["difference"])
    want, want_part = inclusive_of(rest), inclusive_of(part)
    want.update(want_part)
    near(f"{name}: what both windows have", got, want)
    near(f"{name}: what the first has", parts, want_part)
    a, b = sum(part.values()), sum(rest.values())
    for p, d in differences.items():
        if not a or not b:
            check.equal(f"{name}: no difference where a window is empty", d, [None] * len(d))
        elif len(d) == 1:
            x = 100 * (want_part[p] / a - (want[p] - want_part[p]) / b)
            check.true(f"{name}: difference {d[0]} of {p[-1]}, which is {x}", d[0] in tenth(x))
    return a, b


def windows():
    rng = random.Random(check.check_seed())
    traces = [SAMPLER, SYMBOLS, PERF, GC]
    seen = 0
    for path in traces:
        _, types = check.jsonl("types", path)
        end = max(t["last"] for t in types if t.get("last") is not None)
        for weight in check.check_sample(["samples", "count"], 1):
            for second in (False, True):
                at = sorted(rng.randrange(end) for _ in range(4))
                a, b = compared(path, weight, at[:2], at[2:] if second else None)
                seen += a > 0 and b > 0
    check.true(f"windows that have something were compared: {seen}", seen >= 2)
    for bad in (["1s"], ["2s..1s"], ["x..2s"], ["1s..3s", "2s..4s"], ["1s..2s"] * 3):
        r = check.tnav("stacks", *[x for b in bad for x in ("--compare", b)], traces[0])
        check.equal(f"--compare {bad} is refused", r.code, 2)
    r = check.tnav("stacks", "--fold", "--compare", "1s..2s", traces[0])
    check.equal("--fold --compare is refused", r.code, 2)


# ---- rules, forms

def rules():
    path = SAMPLER
    plain = folded(path)
    want = collections.Counter()
    for s, n in plain.items():
        kept = [s[0]]
        for f in s[1:]:
            if re.search(r"^System\.Threading\.", f):
                continue
            if re.search(r"^System\.", f):
                if kept[-1] != "runtime":
                    kept.append("runtime")
                continue
            kept.append(f)
        want[tuple(kept)] += n
    got = folded(path, "--fold-rule", r"^System\.Threading\.", "--fold-rule", r"^System\. as runtime")
    near("rules fold frames away, and under one name", got, want)
    mine = folded(path, "--fold-rule", "my-code")
    check.equal("my-code leaves the weights", sum(mine.values()), sum(plain.values()))
    check.true("my-code leaves frames of the program alone",
               all(f.startswith("Demo.") or f.startswith("<") or f.startswith("Program")
                   for s in mine for f in s[1:]))
    plumbing = folded(HTTP, "--fold-rule", "plumbing")
    check.equal("plumbing leaves the weights", sum(plumbing.values()),
                sum(folded(HTTP).values()))
    left = folded(path, "--fold-rule", "plumbing")
    check.equal("plumbing leaves no waits", [f for s in left for f in s if "WaitHandle" in f], [])
    idle_rule()
    check.equal("a bad rule is told", check.tnav("stacks", "--fold-rule", "(", path).code, 2)


def idle_rule():
    path = os.path.join(check.DATA, "clinic", "starvation.nettrace.zst")
    plain, busy = folded(path), folded(path, "--fold-rule", "idle")
    check.equal("idle changes no stack that it shows", {s: plain.get(s) for s in busy}, busy)
    hidden = [s for s in plain if s not in busy]
    waits = ("LowLevelLifoSemaphore.WaitForSignal", "GateThread.GateThreadStart", "Program.<Main>",
             "TimerQueue.TimerThread", "CounterGroup.PollForValues", "EventPipeEventDispatcher", "SocketAsyncEngine.EventLoop")
    check.true("idle hides something", len(hidden) > 0)
    check.equal("idle hides threads that wait for work",
                [s for s in hidden if not any(w in f for w in waits for f in s)], [])
    check.equal("idle shows none of them", [s for s in busy if any(
        w in f for w in waits[:2] for f in s)], [])
    check.equal("idle leaves other weights alone",
                folded(path, "--weight", "count", "--fold-rule", "idle"),
                folded(path, "--weight", "count"))


def groups():
    path = SAMPLER
    _, methods = check.jsonl("stacks", path)
    for by in ("module", "namespace"):
        _, rows = check.jsonl("stacks", "--by", by, path)
        own = collections.Counter()
        for m in methods:
            ns = namelang.without_arguments(m["name"].removesuffix(" ?"))
            ns = re.split(r"[+`\[<]", ns)[0]
            own[m["module"] if by == "module" else ns] += m["exclusive"]
        if by == "module":
            check.equal("exclusive by module", {r["name"]: r["exclusive"] for r in rows},
                        dict(own))
        else:
            check.equal("exclusive by namespace", sum(r["exclusive"] for r in rows),
                        sum(own.values()))
            check.true("namespaces", {"System.Threading", "Demo"} <= {r["name"] for r in rows})


def forms():
    path = SAMPLER
    out = [check.tnav("stacks", *f, f"-j{j}", path).out for f in
           (["--fold"], ["--tree"], ["--weight", "time"]) for j in (1, 2, 5)]
    for i in (0, 3, 6):
        check.true("any number of workers gives the same", out[i] and len(set(out[i:i + 3])) == 1)
    scope = json.loads(check.tnav("stacks", "--speedscope", path).out)
    lines = collections.Counter()
    for p in scope["profiles"]:
        check.equal("weights of a profile", len(p["weights"]), len(p["samples"]))
        check.equal("its end", p["endValue"], sum(p["weights"]))
        for s, n in zip(p["samples"], p["weights"]):
            lines[tuple([p["name"]] + [flat(scope["shared"]["frames"][f]["name"]) for f in s])] += n
    near("speedscope has the folded stacks", lines, folded(path))
    for bad in (["--fold", "--tree"], ["--by", "nothing"], ["--tree=sideways"],
                ["--weight", "payload.Nothing"], ["--fold", "--format", "csv"]):
        check.equal(f"{bad} is refused", check.tnav("stacks", *bad, path).code, 2)
    text = check.tnav("stacks", "--fold", path).out.decode().splitlines()
    check.equal("lines are sorted by their bytes",
                [x.rpartition(" ")[0].encode() + b" " for x in text],
                sorted(x.rpartition(" ")[0].encode() + b" " for x in text))
    r = check.tnav("stacks", "--weight", "samples", GC)
    check.true("no samples: what to collect is told", b"SampleProfiler" in r.err)


def main():
    for f in check.check_sample(folded_files(), 3):
        compare_folded(*f)
    agree()
    shapes(SYMBOLS)
    callers_and_callees(SYMBOLS)
    by_time()
    by_the_definition_of_the_reference()
    weights()
    windows()
    rules()
    groups()
    forms()


main()
check.finish(60)
