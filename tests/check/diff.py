#!/usr/bin/env python3
"""tnav diff: its statistics by a second implementation, which follows the definitions in doc/diff.md over
the events and spans that `dump` and `spans` print; what is not compared; limits; wrong usage."""
import collections
import math
import os
import random
import re
import statistics
import struct

import check
import nt4_make
import nt6

check.need_tnav()
check.need_shared()
SLICES, Z, SHOWN, APART, FEW, FEW_ABOVE = 20, 3.0, 2.0, 4.0, 20, 10
REL = 1e-6
TRACES = ["v4/net10-gc.nettrace", "v4/net10-contention.nettrace", "v4/net10-exceptions.nettrace",
          "v4/net10-activities-http.nettrace", "v4/net10-storm-drops.nettrace", "v4/net10-counters.nettrace",
          "v4/net10-thread-churn.nettrace", "v6/perf-on-off-cpu.nettrace", "v4/cut-http.nettrace",
          "v4/cut-exceptions.nettrace"]


# ---- the definitions

def t_of_z(df):
    z = Z
    return (z + (z**3 + z) / (4 * df) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * df**2)
            + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * df**3))


def z_of_t(t, df):
    return t * Z / t_of_z(df) if df > 0 else t


def dispersion(x, e, floor=1.0):
    """The greatest chi-square per degree of freedom of slices, pairs and fours; and the slices' degrees."""
    most, degrees = floor, 0
    if sum(x) <= 0 or sum(e) <= 0:
        return floor, 0
    rate = sum(x) / sum(e)
    for run in (1, 2, 4):
        parts = [(sum(x[i:i + run]), sum(e[i:i + run]) * rate) for i in range(0, len(x), run)]
        parts = [(n, want) for n, want in parts if want > 0]
        if len(parts) < 2:
            break
        most = max(most, sum((n - want)**2 / want for n, want in parts) / (len(parts) - 1))
        if run == 1:
            degrees = len(parts) - 1
    return most, degrees


def change(a, b, se, df):
    z = z_of_t((b - a) / se, df) if se > 0 else 0
    if a <= 0:
        return dict(a=a, b=b, change=None, low=None, high=None), z
    wide = SHOWN * se * (t_of_z(df) / Z if df > 0 else 1)
    return dict(a=a, b=b, change=b / a - 1, low=max(-1, (b - a - wide) / a), high=(b - a + wide) / a), z


def verdict(z, no_a=False, no_b=False):
    if abs(z) < Z:
        return "same"
    return ("new" if no_a else "more") if z > 0 else ("gone" if no_b else "less")


def judge_rate(sides, lost):
    """sides: for each, a list of (x, e) by recording."""
    n = [sum(sum(x) for x, _ in side) for side in sides]
    whole = [sum(sum(e) for _, e in side) for side in sides]
    rates = [[sum(x) / sum(e) if sum(e) > 0 else 0 for x, e in side] for side in sides]

    def compared(more_a, more_b):
        if min(map(len, sides)) > 1 and not more_a + more_b:
            var = [statistics.variance(r) / len(r) for r in rates]
            df = len(rates[0]) + len(rates[1]) - 2
            least = sum(c / w**2 for c, w in zip(n, whole)) if all(whole) else 0
            if sum(var) > least * (1 + 1e-9):
                df = sum(var)**2 / sum(v * v / (len(r) - 1) for v, r in zip(var, rates))
            return change(*map(statistics.fmean, rates), math.sqrt(max(sum(var), least)), df)
        phi, df = zip(*(dispersion(sum((list(x) for x, _ in side), []), sum((list(e) for _, e in side), []))
                        for side in sides))
        if not all(whole):
            return change(*(c / w if w else 0 for c, w in zip(n, whole)), 0, 0)
        a, b = n[0] + more_a, n[1] + more_b
        se = math.sqrt(max(phi) * (a / whole[0]**2 + b / whole[1]**2))
        return change(a / whole[0], b / whole[1], se, sum(df))

    row, z = compared(0, 0)
    said = "unknown" if sum(n) < FEW else verdict(z, n[0] == 0, n[1] == 0)
    if said not in ("unknown", "same") and sum(lost) > 0:
        _, other = compared(lost[0] if z > 0 else 0, lost[1] if z < 0 else 0)
        if verdict(other) == "same" or other * z < 0:
            said = "unknown"
    return dict(row, verdict=said), z


def rank_dispersion(ranks, parts):
    avg = statistics.fmean(ranks)
    var = statistics.variance(ranks) if len(ranks) > 1 else 0
    by = collections.defaultdict(list)
    for r, p in zip(ranks, parts):
        by[p].append(r)
    if var <= 0:
        return 1, 0
    if len(by) < 2:
        return 1, 0
    chi2 = sum((sum(v) - len(v) * avg)**2 / (len(v) * var) for v in by.values())
    return max(1, chi2 / (len(by) - 1)), len(by) - 1


def mann_whitney(a, b):
    both = sorted([(v, 0, p) for v, p in a] + [(v, 1, p) for v, p in b])
    ranks, ties, i = [0.0] * len(both), 0, 0
    while i < len(both):
        k = i
        while k < len(both) and both[k][0] == both[i][0]:
            k += 1
        for j in range(i, k):
            ranks[j] = (i + 1 + k) / 2
        ties += (k - i)**3 - (k - i)
        i = k
    side = [[(r, p) for r, (_, s, p) in zip(ranks, both) if s == want] for want in (0, 1)]
    na, nb, n = len(a), len(b), len(both)
    u = sum(r for r, _ in side[1]) - nb * (nb + 1) / 2 - na * nb / 2
    var = na * nb / 12 * (n + 1 - (ties / (n * (n - 1)) if n > 1 else 0))
    phi, df = zip(*(rank_dispersion(*zip(*s)) for s in side))
    z = z_of_t(u / math.sqrt(var * max(phi)), sum(df)) if var > 0 else 0
    return z, max(phi) * ((t_of_z(sum(df)) / Z)**2 if sum(df) > 0 else 1)


def quantile(v, q, phi):
    v = sorted(x for x, _ in v)
    n = len(v)
    half = SHOWN * math.sqrt(n * q * (1 - q) * phi)
    k, low, high = max(1, math.ceil(n * q)), math.floor(n * q - half), math.ceil(n * q + half) + 1
    return v[k - 1], (v[low - 1] if low >= 1 else 0), (v[high - 1] if high <= n else math.inf)


def apart(a, b, q, ratio):
    logs = []
    for side in (a, b):
        by = collections.defaultdict(list)
        for v, p in side:
            by[p].append(v)
        logs.append([math.log(max(1, sorted(v)[math.ceil(len(v) * q) - 1])) for v in by.values()
                     if len(v) * (1 - q) >= 2])
    if min(map(len, logs)) < 3:
        return None
    s = math.sqrt(max(0, sum(statistics.variance(x) for x in logs) / 2))
    d = math.log(ratio) if ratio > 0 else -math.inf
    if s < 1e-12:
        return math.copysign(math.inf, d) if d else 0
    return z_of_t(d / s * Z / APART, sum(map(len, logs)) - 2)


def tail(a, b, q):
    both = sorted(v for v, _ in a + b)
    c = both[math.ceil(len(both) * q) - 1]
    above, phi, df = [], [], []
    for side in (a, b):
        parts = max(p for _, p in side) + 1
        x, e = [0] * parts, [0] * parts
        for v, p in side:
            e[p] += 1
            x[p] += v > c
        above.append(sum(x))
        f, d = dispersion(x, e)
        phi.append(f)
        df.append(d)
    se = math.sqrt(max(phi) * sum(x / len(s)**2 for x, s in zip(above, (a, b))))
    return change(above[0] / len(a), above[1] / len(b), se, sum(df))[1], sum(above)


def judge_dur(a, b, figure):
    z, phi = mann_whitney(a, b)
    q = 0.5 if figure == "p50.dur" else 0.99
    (va, la, ha), (vb, lb, hb) = (quantile(s, q, phi) for s in (a, b))
    row = dict(a=va, b=vb, change=None, low=None, high=None)
    if va > 0:
        row["change"] = vb / va - 1
    if va > 0 and vb > 0:
        log = lambda x, y: math.inf if y == 0 or x == math.inf else math.log(x / y)
        row["low"] = vb / va * math.exp(-math.hypot(log(vb, lb), log(ha, va))) - 1
        up = math.hypot(log(hb, vb), log(va, la))
        row["high"] = None if up == math.inf else vb / va * math.exp(up) - 1
    few, least = len(a) + len(b), FEW
    if q > 0.5:
        z, few = tail(a, b, q)
        least = FEW_ABOVE
    other = apart(a, b, 0.9 if q > 0.5 else q, vb / va if va > 0 else math.inf)
    if few < least or other is None:
        return dict(row, verdict="unknown"), z
    z = 0 if z * other <= 0 else min(z, other, key=abs)
    return dict(row, verdict=verdict(z)), z


def worth(v):
    """How many independent values these are worth, by the correlation of each with the next."""
    m = statistics.fmean(v)
    squares, following = sum((x - m)**2 for x in v), sum((x - m) * (y - m) for x, y in zip(v, v[1:]))
    r = following / squares if len(v) > 2 and following > 0 else 0
    return len(v) if r == 0 else max(2, len(v) * (1 - r) / (1 + r))


def judge_mean(a, b):
    """Values of slices: Welch's t, and how many standard deviations of a side's values the means lie apart."""
    means, n = [statistics.fmean(v) for v in (a, b)], [worth(v) for v in (a, b)]
    var = [statistics.pvariance(v) * w / (w - 1) if w > 1 else 0 for v, w in zip((a, b), n)]
    parts = [x / w for x, w in zip(var, n)]
    least = 1e-9 * sum(map(abs, means))
    df = sum(n) - 2
    if sum(parts) > least**2 * (1 + 1e-9) and min(n) > 1:
        df = sum(parts)**2 / sum(v * v / (w - 1) for v, w in zip(parts, n))
    row, z = change(*means, math.sqrt(max(sum(parts), least**2)), df)
    s, d = math.sqrt(sum(var) / 2), means[1] - means[0]
    other = z_of_t(d / s * Z / APART, sum(n) - 2) if s > 0 else math.copysign(math.inf, d) if d else 0
    z = 0 if z * other <= 0 else min(z, other, key=abs)
    return dict(row, verdict="unknown" if min(len(a), len(b)) < 3 else verdict(z)), z


# ---- what is measured

def bucket(ts, window):
    lo, hi = window
    return 0 if hi <= lo or ts <= lo else min(SLICES - 1, math.floor((ts - lo) * SLICES / (hi - lo)))


def lost_of(path, *window):
    return sum(g["gap"] for g in check.jsonl("gaps", *window, path)[1])


class Trace:
    def __init__(self, path):
        self.path = path
        r, rows = check.jsonl("dump", "-e", "t,ticks,provider,name,tid,level", path)
        self.events = [e for e in rows if "t" in e]
        r, rows = check.jsonl("spans", "--list", path)
        self.spans = [s for s in rows if s["kind"] == "span" and s.get("start") is not None]
        self.ns = {e["ticks"]: e["t"] for e in self.events}
        self.level = {}
        for e in self.events:
            self.level[e["provider"]] = max(self.level.get(e["provider"], 0), e.get("level") or 0)
        self.lost = lost_of(path)


class Side:
    """A window of a trace."""
    def __init__(self, trace, rng, part):
        times = sorted({e["ticks"] for e in trace.events})
        self.trace, self.args = trace, []
        self.lo, self.hi = times[0], times[-1]
        if part and len(times) > 8:
            i, k = sorted(rng.sample(range(len(times)), 2))
            self.lo, end = times[i], times[k]
            self.args = [f"{trace.ns[self.lo]}ns", f"{trace.ns[end]}ns"]
            self.hi = end - 1
        tick = next((abs((trace.ns[b] - trace.ns[a]) / (b - a)) for a, b in zip(times, times[1:]) if b > a), 1)
        self.ns = (trace.ns[self.lo], trace.ns[self.lo] + (self.hi - self.lo) * tick)
        self.events = [e for e in trace.events if self.lo <= e["ticks"] <= self.hi]
        self.spans = [s for s in trace.spans if self.ns[0] <= s["start"] <= self.ns[1]]
        self.lost = 0 if self.args else trace.lost

    def exposure(self, per, rows):
        if per == "second":
            return [(self.ns[1] - self.ns[0]) / 1e9 / SLICES] * SLICES
        if per == "none":
            return [1 / SLICES] * SLICES
        if per == "event":
            return [sum(x) for x in zip(*rows.values())] if rows else [0] * SLICES
        e = [0] * SLICES
        for s in self.spans:
            if s["name"] == per[5:]:
                e[bucket(s["start"], self.ns)] += 1
        return e


def counted(side, keys):
    rows = collections.defaultdict(lambda: [0] * SLICES)
    for e in side.events:
        rows[tuple(e.get(k) for k in keys)][bucket(e["ticks"], (side.lo, side.hi))] += 1
    return rows


def numbers(side, part):
    out = collections.defaultdict(list)
    for s in side.spans:
        if s.get("dur") is not None:
            at = bucket(s["start"], side.ns)
            out[s["group"], s["name"]].append((s["dur"], at if part is None else part))
    return out


# ---- tables

def close(x, y):
    if x is None or y is None:
        return x is None and y is None
    return abs(x - y) <= REL * max(1, abs(x), abs(y))


def compare_rows(what, found, want):
    for key, (row, z) in want.items():
        got = found.pop(key, None)
        check.true(f"{what}: {key}: a row", got is not None)
        if got is None:
            continue
        for name in ("a", "b", "change", "low", "high"):
            near = 1.5 if key[-1].startswith("p") and name in "ab" else 0
            check.true(f"{what}: {key}: {name} {got[name]}, not {row[name]}",
                       close(got[name], row[name]) or (near and abs(got[name] - row[name]) <= near))
        if abs(abs(z) - Z) > 1e-6:
            check.equal(f"{what}: {key}: verdict (z {z:.3f})", got["verdict"], row["verdict"])
    check.equal(f"{what}: further rows", found, {})


def is_compared(sources, sides):
    """Where only one side has events of a row, does the other have their provider, up to their level?"""
    for key, other in ((0, 1), (1, 0)):
        if not sources[key]:
            provider, level = min(sources[other], key=lambda s: s[1])
            if not any(s.trace.level.get(provider, -1) >= level for s in sides[other ^ 1]):
                return False
    return True


def table(rng, traces):
    files = rng.choice([1, 1, 1, 2, 3])
    windows = rng.random() < 0.7
    sides = [[Side(rng.choice(traces), rng, windows and files == 1) for _ in range(files)] for _ in "AB"]
    spans = rng.random() < 0.4
    names = {s["name"] for side in sides[0] for s in side.spans}
    for side in sides[0] + sides[1]:
        names &= {s["name"] for s in side.spans}
    per = rng.choice(["second", "second", "event", "none"] + ([f"span:{rng.choice(sorted(names))}"] if names else []))
    keys = ["group", "name"] if spans else rng.choice([["provider", "name"], ["name"], ["tid"], ["provider", "tid"]])
    args = ["--per", per] + (["--spans"] if spans else ["--by", ",".join(keys)])
    for option, side in (("", sides[0][0]), ("b-", sides[1][0])):
        if side.args:
            args += [f"--{option}from", side.args[0], f"--{option}to", side.args[1]]
    if bool(sides[0][0].args) != bool(sides[1][0].args):
        return False            # B would have the window of A
    paths = [s.trace.path for s in sides[0]] + ["--"] + [s.trace.path for s in sides[1]]
    what = " ".join(args + [os.path.basename(p) for p in paths])
    r, found = check.jsonl("diff", *args, *paths)
    check.true(f"{what}: exit {r.code}: {r.err[:200]}", r.code < 2)
    found = {tuple(row.get(k) for k in keys) + (row["figure"],): row for row in found if row["kind"] == "row"}

    lost = [sum(s.lost for s in side) for side in sides]
    if windows and files == 1:
        lost = [lost_in(s) for side in sides for s in side]
    rows, durs = [], [collections.defaultdict(list), collections.defaultdict(list)]
    for i, side in enumerate(sides):
        rows.append([])
        for k, s in enumerate(side):
            if spans:
                by = collections.defaultdict(lambda: [0] * SLICES)
                for x in s.spans:
                    by[x["group"], x["name"]][bucket(x["start"], s.ns)] += 1
                for key, v in numbers(s, None if files == 1 else i * files + k).items():
                    durs[i][key] += v
            else:
                by = counted(s, keys)
            rows[-1].append((by, s.exposure(per, by)))
    figure = {"second": "rate", "event": "share", "none": "count"}.get(per, "perSpan")
    want, sources = {}, [sources_of(side, keys, spans) for side in sides]
    nothing = per == "event" and not all(any(by for by, _ in side) for side in rows)
    for key in {k for side in rows for by, _ in side for k in by}:
        if nothing or not compared_here(key, keys, sides, sources):
            continue
        want[key + (figure,)] = judge_rate([[(by.get(key, [0] * SLICES), e) for by, e in side] for side in rows], lost)
        if durs[0][key] and durs[1][key]:
            for name in ("p50.dur", "p99.dur"):
                want[key + (name,)] = judge_dur(durs[0][key], durs[1][key], name) if files == 1 else \
                    judge_files(durs[0][key], durs[1][key], name)
    compare_rows(what, found, want)
    return len(want)


def judge_files(a, b, figure):
    """Of several recordings these are the parts, and the medians of parts are not asked for."""
    global apart
    kept, apart = apart, lambda a, b, q, ratio: 0 if ratio == 1 else math.copysign(math.inf, ratio - 1)
    try:
        return judge_dur(a, b, figure)
    finally:
        apart = kept


def sources_of(side, keys, spans):
    """The providers and levels of the events of each key."""
    out = collections.defaultdict(set)
    for s in side:
        for x in s.spans if spans else ():
            out[x["group"], x["name"]].add((x["provider"], 0))
        for e in () if spans else s.events:
            out[tuple(e.get(k) for k in keys)].add((e["provider"], e.get("level") or 0))
    return out


def compared_here(key, keys, sides, sources):
    """Is the row judged? What only one side can have is not."""
    if "tid" in keys:
        return True             # events of one key have any provider
    found = [s[key] for s in sources]
    return len({p for side in found for p, _ in side}) > 1 or is_compared(found, sides)


def window_of(side):
    return ["--from", side.args[0], "--to", side.args[1]] if side.args else []


def as_float(x):
    return struct.unpack("f", struct.pack("f", x))[0]


def series(side):
    """The mean of the values of each counter in each slice; of those that count, their change per second."""
    out = collections.defaultdict(list)
    for r in check.jsonl("counters", *window_of(side), side.trace.path)[1]:
        if r["kind"] != "series":
            continue
        slices = collections.defaultdict(lambda: [0, 0])
        field = {"Counter": "rate", "Histogram": "count"}.get(r["type"], "value")
        points = [(p["t"], p[field]) for p in r["points"]
                  if p[field] is not None and (r["type"] != "Mean" or p["count"] > 0)]
        for i, (t, v) in enumerate(points):
            one = slices[bucket(t, side.ns)]
            if r["type"] not in ("Counter", "Histogram", "Sum"):
                one[0], one[1] = one[0] + v, one[1] + 1
            elif i > 0:
                one[0], one[1] = one[0] + v, one[1] + (t - points[i - 1][0]) / 1e9
        out[r["provider"], r["name"], r["tags"]] = [as_float(s / n) for s, n in slices.values() if n > 0]
    return out


def counters():
    """Their means by a second implementation; of the loader how often each is loaded."""
    rng = random.Random(check.check_seed())
    trace = Trace(check.first_shared("v4/net10-counters.nettrace", "v4/net10-gc.nettrace"))
    jit = Trace(check.first_shared("v4/net10-jit-rundown.nettrace", "v4/net10-gc.nettrace"))
    judged = 0
    for _ in range(check.tier(3, 20)):
        a, b = (Side(trace, rng, True) for _ in "AB")
        windows = window_of(a) + [x.replace("--", "--b-") if x.startswith("--") else x for x in window_of(b)]
        _, rows = check.jsonl("diff", "--report", "counters", *windows, trace.path)
        found = {(r["provider"], r["name"], r["tags"], r["figure"]): r for r in rows if r["kind"] == "row"}
        va, vb = series(a), series(b)
        for r in [k for k in found if not va.get(k[:3]) or not vb.get(k[:3])]:
            check.true(f"{r}: on one side", found.pop(r)["verdict"] in ("new", "gone"))
        want = {k + ("mean",): judge_mean(va[k], vb[k]) for k in va if va[k] and vb.get(k)}
        compare_rows(f"counters {windows}", found, want)
        judged += len(want)

        a, b = (Side(jit, rng, True) for _ in "AB")
        windows = window_of(a) + [x.replace("--", "--b-") if x.startswith("--") else x for x in window_of(b)]
        _, rows = check.jsonl("diff", "--report", "loader", *windows, jit.path)
        for side, of in zip("ab", (a, b)):
            loads = collections.Counter((r["what"], r["name"]) for r in check.jsonl("loader", *window_of(of), jit.path)[1]
                                        if r["kind"] == "load")
            got = {(r["what"], r["name"]): r[side] for r in rows if r["kind"] == "row" and r[side] is not None}
            check.equal(f"loads {windows} {side}", got, dict(loads))
    check.true(f"counters: {judged}", judged > 0 or "counters" not in trace.path)
    _, rows = check.jsonl("diff", "--report", "counters", trace.path, jit.path)
    check.equal("counters that one side did not record", [r for r in rows if r["kind"] == "row"], [])


def lost_in(side):
    """Lost events of gaps that touch the window; they are not those of the whole trace."""
    if not side.args:
        return side.lost
    return lost_of(side.trace.path, "--from", side.args[0], "--to", side.args[1])


def second_implementation():
    rng = random.Random(check.check_seed())
    paths = [os.path.join(check.SHARED, "traces", t) for t in TRACES]
    traces = [Trace(p) for p in paths if os.path.exists(p)]
    check.true("traces", len(traces) >= 3)
    tables = rows = 0
    while tables < check.check_part(check.tier(25, 100)):
        n = table(rng, traces)
        tables += n is not False
        rows += n
    check.true(f"rows in {tables} tables: {rows}", rows > 3 * tables)


# ---- what is said, and refused

def used():
    demo = os.path.join(check.DATA, "demo.nettrace")
    r = check.tnav("diff", demo)
    check.true("one file", r.code == 2 and b"--b-from" in r.err)
    r = check.tnav("diff", demo, demo, demo)
    check.true("three files", r.code == 2 and b"--" in r.err)
    r = check.tnav("diff", demo, demo, "--report", "x")
    check.true("no such report", r.code == 2 and b"gc, allocs" in r.err and b"samples" in r.err and not r.out)
    r = check.tnav("diff", demo, demo, "--per", "minute")
    check.true("no such per", r.code == 2 and b"span:NAME" in r.err)
    r = check.tnav("diff", demo, demo, "--per", "span:nothing")
    check.true("no such span", r.code == 2 and b"tnav spans" in r.err and not r.out)
    r = check.tnav("diff", demo, demo, "--spans", "--tree")
    check.true("two kinds", r.code == 2)
    r = check.tnav("diff", demo, demo, "--sort", "x")
    check.true("no such column", r.code == 2 and not r.out)
    for limit in ("p99 > +10 %", "rate > x", "rate 10 %", "rate > 10", "rate > nan %", "rate > 10 % x", ""):
        r = check.tnav("diff", demo, demo, "--fail-on", limit)
        check.true(f"--fail-on {limit}", r.code == 2 and b"--fail-on" in r.err and not r.out)
    r = check.tnav("diff", demo, demo, "--fail-on", "rate > +0 %", "--fail-on", "rate < -0 %")
    check.true("a trace and itself do not differ", r.code == 0)
    r = check.tnav("diff", demo, os.path.join(check.DATA, "no-such-file"))
    check.true("a missing file", r.code == 2 and not r.out)


def made(folder, name, kinds, seconds=10):
    """A trace of steady events: {id: (how often a second, how many of 10 are lost)}."""
    rows = sorted((int((i + 0.5) * 1e9 / rate), 1, number, 0, None if i % 10 < lost else b"")
                  for number, (rate, lost) in kinds.items() for i in range(rate * seconds))
    path = os.path.join(folder, name)
    with open(path, "wb") as f:
        f.write(nt4_make.runtime("Made", rows))
    return path


def limits(folder):
    """Made traces: the verdicts, the order of rows, exit code 5, lost events."""
    a = made(folder, "a.nettrace", {1: (100, 0), 2: (20, 0), 3: (10, 0), 5: (1, 0)})
    b = made(folder, "b.nettrace", {1: (100, 0), 2: (100, 0), 4: (10, 0), 5: (1, 0)})
    lossy = made(folder, "lossy.nettrace", {1: (100, 0), 2: (100, 8), 3: (10, 0), 5: (1, 0)})
    _, rows = check.jsonl("diff", "--by", "id", a, b)
    about = {row["figure"]: row for row in rows if row["kind"] == "about" and "subject" not in row}
    check.equal("events", (about["events"]["a"], about["events"]["b"]), (1310, 2110))
    check.equal("losses", (about["lost"]["a"], about["lost"]["b"]), (0, 0))
    got = {row["id"]: row for row in rows if row["kind"] == "row"}
    check.equal("verdicts", {k: r["verdict"] for k, r in got.items()},
                {1: "same", 2: "more", 3: "gone", 4: "new", 5: "same"})
    check.true("rates", abs(got[2]["a"] - 20) < 0.1 and abs(got[2]["b"] - 100) < 0.2 and got[4]["a"] == 0)
    check.true("the interval", 3 < got[2]["low"] < got[2]["change"] < got[2]["high"] < 5)
    check.equal("what changed comes first", {r["id"] for r in rows if r["kind"] == "row"} - set(list(got)[:3]), {1, 5})
    text = check.tnav("diff", "--by", "id", a, b).out.decode()
    for word in ("new", "gone", "~", "+40"):
        check.true(f"text has {word}", word in text)

    order = [line.split()[0] for line in check.tnav("diff", "--by", "id", "--sort", "b", a, b).out.decode().splitlines()
             if line.split()[0].isdigit()]
    check.equal("sorted by numbers", [int(n) for n in order[-2:]], [5, 3])
    for limit, code in (("rate > +10 %", 5), ("rate<-50%", 5), ("count > +1e6 %", 5), ("p99.dur > 1 %", 0)):
        r = check.tnav("diff", a, b, "--by", "id", "--fail-on", limit)
        check.true(f"--fail-on {limit}: exit {r.code}", r.code == code and r.out)
        check.equal(f"--fail-on {limit}: message", b"beyond it" in r.err, code == 5)
    r = check.tnav("diff", a, b, "--by", "id", "-f", "id = 2", "--fail-on", "rate > +1000 %")
    check.equal("within the limit", r.code, 0)
    out = os.path.join(folder, "x.jsonl")
    r = check.tnav("diff", a, b, "--fail-on", "rate > +10 %", "-o", out)
    check.true("a file is kept", r.code == 5 and os.path.getsize(out) > 0)
    r = check.tnav("diff", a, os.path.join(folder, "none"), "-o", os.path.join(folder, "y.jsonl"))
    check.true("nothing is written", r.code == 2 and not os.path.exists(os.path.join(folder, "y.jsonl")))

    _, rows = check.jsonl("diff", "--by", "id", lossy, b)
    got = {row.get("id"): row for row in rows if row["kind"] == "row"}
    check.equal("what lost events may explain", got[2]["verdict"], "unknown")
    check.equal("lost", [(r["a"], r["b"]) for r in rows if r.get("figure") == "lost"], [(800, 0)])
    _, rows = check.jsonl("diff", "--by", "id", b, lossy)
    check.equal("... and the other way", {r.get("id"): r["verdict"] for r in rows if r["kind"] == "row"}[2], "unknown")
    _, rows = check.jsonl("diff", a, "--from", "0s", "--to", "5s", "--b-from", "5s", "--b-to", "10s", "--by", "id")
    check.equal("two windows of one", {r["verdict"] for r in rows if r["kind"] == "row"} - {"unknown"}, {"same"})
    _, rows = check.jsonl("diff", "--by", "id", a, a, "--", b, b)
    got = {row.get("id"): row for row in rows if row["kind"] == "row"}
    check.equal("two files a side", {k: got[k]["verdict"] for k in (1, 2)}, {1: "same", 2: "more"})


def kinds():
    """Each kind of comparison in each form."""
    storm = os.path.join(check.DATA, "clinic", "exceptions.nettrace.zst")
    other = os.path.join(check.DATA, "clinic", "deadlock.nettrace.zst")
    for option in ([], ["--spans"], ["--threads"], ["--tree"], ["--diagnose"], ["--heap"], ["--report", "gc"], ["--report", "exceptions"],
                   ["--report", "samples"], ["--report", "allocs"], ["--report", "jit"],
                   ["--report", "loader"], ["--report", "counters"], ["--report", "contention"], ["--report", "threadpool"], ["--report", "requests"],
                   ["--report", "tasks"], ["--report", "cpu"], ["--report", "switches"], ["--report", "exceptions", "--by", "thrower"]):
        for form in ("text", "jsonl", "csv", "tsv", "markdown"):
            r = check.tnav("diff", *option, "--format", form, other, storm)
            check.true(f"diff {option} {form}: exit {r.code} {r.err[:200]}", r.code == 0)


def page():
    """Diagnoses that came and went, and what changed; without noise, numbers are compared as they are."""
    storm, dead = (os.path.join(check.DATA, "clinic", n + ".nettrace.zst") for n in ("exceptions", "deadlock"))
    ids = [{r["id"]: r["number"] for r in check.jsonl("diagnose", p)[1]} for p in (storm, dead)]
    _, rows = check.jsonl("diff", "--diagnose", storm, dead)
    rows = {r["id"]: r for r in rows if r["kind"] == "row"}
    check.equal("diagnoses", set(rows), set(ids[0]) | set(ids[1]))
    for name, row in rows.items():
        check.equal(f"{name}: numbers", (row["a"], row["b"]), (ids[0].get(name), ids[1].get(name)))
        check.equal(f"{name}: verdict", row["verdict"], "same" if name in ids[0] and name in ids[1] else
                    "gone" if name in ids[0] else "new")
    for of, verdicts in (("and not tid = 9433", ("less", "more")), ("", ("same", "same"))):
        few = os.path.join(check.temp_dir(), "few.nettrace")
        thrown = f"payload.ExceptionType ~ Format {of}"
        check.tnav("cut", "-f", f"not name = Exception/Start or {thrown}", "-o", few, storm)
        times = 2458 / len(check.jsonl("dump", "-f", f"name = Exception/Start and {thrown}", storm)[1])
        check.equal(f"{times} times the exceptions", times > 3, verdicts != ("same", "same"))
        for sides, verdict in zip(((storm, few), (few, storm)), verdicts):
            row = next(r for r in check.jsonl("diff", "--diagnose", *sides)[1] if r.get("id") == "exception-storm")
            check.equal(f"exceptions, {row['a']}, {row['b']}: verdict", row["verdict"], verdict)
    text = check.tnav("diff", storm, dead).out.decode()
    for word in ("Diagnoses", "Events", "Spans", "Methods", "exception-storm", "deadlock", "gone", "new"):
        check.true(f"the page has {word}", word in text)
    starved = os.path.join(check.DATA, "clinic", "starvation.nettrace.zst")
    methods = [r for r in check.jsonl("diff", "--report", "samples", storm, starved)[1] if r["kind"] == "row"]
    changed = [r["method"] for r in methods if r["verdict"] not in ("same", "unknown")]
    check.true("methods changed", changed)
    text = check.tnav("diff", storm, starved).out.decode()
    lines = text.partition("\nMethods")[2].splitlines()[3:]
    check.equal("methods of the page", [any(m.startswith(x.split("  ")[0][:40]) for m in changed) for x in lines],
                [True] * min(len(changed), 12))
    check.true("how many", f"{len(changed)} of {len(methods)} figures" in text)
    r = check.tnav("diff", *[os.path.join(check.DATA, "features", "v4-dropped-events.nettrace")] * 2)
    check.equal("without samples", (b"Methods" in r.out, b"no events for the report" in r.err), (False, False))

    walks = [check.first_shared(f"heap/net10-heap-{n}.nettrace.zst", f"heap/net10-heap-{n}.nettrace",
                                "heap/net10-heap-two.nettrace") for n in ("one", "two")]
    sizes = [{r["type"]: r["bytes"] for r in check.jsonl("heap", "--by", "type", w)[1]} for w in walks]
    _, rows = check.jsonl("diff", "--heap", *walks)
    rows = [r for r in rows if r["kind"] == "row"]
    check.true("types", len(rows) > 100)
    apart_by = [abs((r["a"] or 0) - (r["b"] or 0)) for r in rows]
    check.equal("the greatest difference is first", apart_by, sorted(apart_by, reverse=True))
    named = {r["type"]: r for r in rows}
    check.equal("bytes", (named["System.Byte[]"]["a"], named["System.Byte[]"]["b"]),
                (sizes[0]["System.Byte[]"], sizes[1]["System.Byte[]"]))


def requests():
    """Requests are on the page by route; those of a provider that one side did not record are not gone."""
    tour, less = os.path.join(check.DATA, "tour.nettrace.zst"), os.path.join(check.temp_dir(), "less.nettrace")
    text = check.tnav("diff", tour, tour).out.decode()
    check.true("the page has requests after diagnoses", re.search(r"\nDiagnoses\n[^\0]*\nRequests, by route\n[^\0]*"
                                                                 r"\nEvents\n", text))
    for provider, gone in (("Microsoft.AspNetCore.Hosting", "server"), ("System.Net.Http", "client"),
                           ("Microsoft-AspNetCore-Server-Kestrel", "kestrel")):
        check.tnav("cut", "-f", f'not provider = "{provider}"', "-o", less, tour)
        for pair in ((tour, less), (less, tour)):
            _, rows = check.jsonl("diff", "--report", "requests", *pair)
            check.equal(f"requests without {provider}", {r["side"] for r in rows if r["kind"] == "row"},
                        {"client", "server", "kestrel"} - {gone})


def tree():
    """The weights of a tree are those of `stacks --tree`; text has each row below its parent."""
    paths = [check.first_shared("v4/net10-sampler.nettrace", "v4/sampler-managed.nettrace", "v4/net10-gc.nettrace"),
             os.path.join(check.DATA, "clinic", "starvation.nettrace.zst")]
    _, rows = check.jsonl("diff", "--tree", "--per", "none", *paths)
    rows = [r for r in rows if r["kind"] == "row"]
    for side, path in zip("ab", paths):
        nodes = check.jsonl("stacks", "--tree", path)[1]
        top = min(n["depth"] for n in nodes)
        check.equal(f"{path}: at the top", sorted(r[side] for r in rows if r["path"] == "" and r[side]),
                    sorted(n["inclusive"] for n in nodes if n["depth"] == top))
    named = {(r["path"] + ";" if r["path"] else "") + r["method"] for r in rows}
    check.true("each has its parent", all(r["path"] in named for r in rows if r["path"]))
    lines = check.tnav("diff", "--tree", *paths).out.decode().splitlines()
    at = next(i for i, line in enumerate(lines) if line.endswith("method"))
    column, above = lines[at].index("method"), []
    for line in lines[at + 1:]:
        name = line[column:]
        depth = len(name) - len(name.lstrip(" "))
        check.true("no level is left out", depth <= len(above))
        above[depth:] = [name.strip()]
        check.true(f"a path of the rows: {above[-1]}", ";".join(above) in named or depth >= 60)
    check.equal("rows of text", len(lines) - at - 1, len(rows))


def by_depth(lines, columns):
    """{(frames of a stack): the sums of its weights}: names of methods have arguments here and none there."""
    sums = collections.defaultdict(lambda: [0] * columns)
    for line in lines:
        stack, *weights = line.rsplit(" ", columns)
        for i, weight in enumerate(weights):
            sums[stack.count(";")][i] += int(weight)
    return sums


def folded():
    """Stacks with both weights: those that `stacks --fold` prints of each side, below their threads."""
    paths = [os.path.join(check.DATA, "clinic", f"{n}.nettrace.zst") for n in ("deadlock", "exceptions")]
    both = by_depth(check.tnav("diff", "--fold", *paths).out.decode().splitlines(), 2)
    for side, path in enumerate(paths):
        lines = check.tnav("stacks", "--fold", path).out.decode().splitlines()
        want = by_depth((line.partition(";")[2] for line in lines if ";" in line), 1)
        check.equal(f"folded weights of {'AB'[side]}", {n: w[side] for n, w in both.items() if w[side]},
                    {n: w[0] for n, w in want.items()})
    check.equal("lines", len(check.tnav("diff", "--fold", "-n", "3", *paths).out.splitlines()), 3)
    for options in (["--top", "3"], ["--per", "none"], ["--format", "jsonl"], ["--tree"], ["--fail-on", "rate > +1 %"]):
        check.equal(f"--fold {options}", check.tnav("diff", "--fold", *options, *paths).code, 2)


def not_compared():
    """What only one side recorded is told, and is no row."""
    demo = os.path.join(check.DATA, "demo.nettrace")
    storm = os.path.join(check.DATA, "clinic", "exceptions.nettrace.zst")
    _, rows = check.jsonl("diff", demo, storm)
    told = {row["subject"] for row in rows if row["kind"] == "about" and "subject" in row
            and row["figure"] == "events"}
    providers = [{row["provider"] for row in check.jsonl("stats", "--by", "provider", p)[1]} for p in (demo, storm)]
    check.equal("providers of one side", told, providers[0] ^ providers[1])
    check.true("no row of these", not told & {row.get("provider") for row in rows if row["kind"] == "row"})
    # Nor is a row of a report, if the other side has none of its events' provider; nor a share of nothing.
    other = os.path.join(check.DATA, "features", "v4-dropped-events.nettrace")
    for what in (["--report", "exceptions"], ["--report", "samples"], ["--tree"], ["--spans", "--per", "event"]):
        check.true(f"{what}: A has some", any(r["kind"] == "row" for r in check.jsonl("diff", *what, storm, storm)[1]))
        for files in ([storm, other], [other, storm]):
            if what == ["--tree"] and files[0] == other:
                continue        # A has no samples: stacks of all events are compared
            _, rows = check.jsonl("diff", *what, *files)
            check.equal(f"{what}: rows", [r for r in rows if r["kind"] == "row"], [])
            counted = [[r.get("a") is None, r.get("b") is None] for r in rows if r.get("figure") == "counted"]
            check.equal(f"{what}: shares of nothing", counted, [] if "exceptions" in what else
                        [[files[0] == other, files[1] == other]])
    page = check.tnav("diff", "--tree", storm, other).out.decode()
    check.true("it is told", "Only A has any of what is counted: nothing is compared." in page)


def many_not_compared(folder):
    """To people, ten of what only one side recorded are told, and how many more there are."""
    for n in (10, 11, 12):
        paths = [os.path.join(folder, f"{n}-{own}.nettrace") for own in (0, n)]
        for path, own in zip(paths, (0, n)):
            with open(path, "wb") as f:
                f.write(nt6.trace([
                    nt6.threads(nt6.thread(1)), nt6.metadata(*(nt6.row(1 + i, f"P{i}", 1, "E") for i in range(own + 1))),
                    nt6.events([nt6.event(1 + i % (own + 1), 0, 1, 10) for i in range(20)])]))
        page = check.tnav("diff", *paths).out.decode()
        check.equal(f"{n} providers of one side", (page.count("Only B has"), re.findall("And .* more such [a-z]*", page)),
                    (10, [[], ["And 1 more such difference"], ["And 2 more such differences"]][n - 10]))


def no_time(folder):
    """A recording in which no time passes has a rate of 0, which is no reason for a change."""
    paths = [os.path.join(folder, f"{step}.nettrace") for step in (0, 10**8)]
    for path, step in zip(paths, (0, 10**8)):
        with open(path, "wb") as f:
            f.write(nt6.trace([nt6.threads(nt6.thread(1)), nt6.metadata(nt6.row(1, "P", 1, "E")),
                               nt6.events([nt6.event(1, 0, 1, step)] * 40)]))
    zero, some = paths
    for files, a, b in (((zero, some, "--", some, some), 20 / 3.9, 40 / 3.9), ((zero, zero, "--", zero, zero), 0, 0)):
        row = [r for r in check.jsonl("diff", *files)[1] if r["kind"] == "row"][0]
        check.true(f"no time passes: {row}", close(row["a"], a) and close(row["b"], b) and row["verdict"] == "same")


def damaged():
    """Damaged and odd traces on both sides: no crash, and JSON that is JSON."""
    folder = os.path.join(check.DATA, "features")
    paths = [os.path.join(folder, n) for n in sorted(os.listdir(folder)) if n.endswith(check.ENDINGS)]
    for path in check.check_sample(paths, 25):
        for options in (["--by", "name,tid"], ["--spans"], ["--tree"], ["--threads"], ["--per", "event"]):
            r, rows = check.jsonl("diff", *options, path, paths[len(path) % len(paths)])
            check.true(f"{os.path.basename(path)} {options}: exit {r.code}", r.code in (0, 1, 2))


def json_of_names():
    path = os.path.join(check.DATA, "features", "v6-names-that-need-escaping.nettrace")
    r = check.tnav("diff", path, path)
    check.true("no control characters", r.code == 0 and not any(b < 32 and b != 10 for b in r.out))


def markdown(folder):
    """A table, whatever the names are: each line has as many cells, and nothing is markup."""
    path = os.path.join(check.DATA, "features", "v6-names-that-need-escaping.nettrace")
    for args in (["stats", "--by", "provider,name", path], ["diff", "--by", "provider,name", path, path]):
        lines = check.tnav(*args, "--format", "markdown").out.decode().splitlines()
        lines = [re.sub(r"\\.", "", line) for line in lines if line.startswith("|")]
        check.true(f"{args[0]}: a rule below the titles", set(lines[1]) <= set("|- "))
        check.equal(f"{args[0]}: cells", {line.count("|") for line in lines}, {lines[0].count("|")})
        check.true(f"{args[0]}: no markup", len(lines) >= 3 and not any(c in "".join(lines) for c in "<>`*"))
    out = os.path.join(folder, "x.md")
    check.true("by its name", check.tnav("stats", "-o", out, path).code == 0 and check.read(out).startswith(b"| "))


second_implementation()
counters()
used()
limits(check.temp_dir())
kinds()
page()
requests()
tree()
folded()
not_compared()
many_not_compared(check.temp_dir())
no_time(check.temp_dir())
damaged()
json_of_names()
markdown(check.temp_dir())
check.finish()
