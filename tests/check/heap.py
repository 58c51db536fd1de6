#!/usr/bin/env python3
"""The report heap: what an independent reader says of recorded traces, what a slow and plain count
says of made ones, and what is said of a walk when some of its events were lost.

A made walk is dominated by removal: an object retains what can't be reached without it.
"""
import itertools
import json
import os
import random
import struct
import subprocess

import check
import nt4_make

check.need_tnav()
check.need_shared()
RUNTIME = "Microsoft-Windows-DotNETRuntime"
KINDS = "heap", "root", "type", "object"
ROOTS = {0: "local", 1: "finalizer", 2: "handle", 3: "other"}
STEP = 5        # elements of an event
SIZES = 0, 64, 256, 1024, 4096, 16384, 85000, 1 << 20
DEEP = 38       # levels that the groups of objects have for sure


def rows(path, *options):
    r, found = check.jsonl("heap", *options, path)
    check.true(f"heap {path}: {r.err[:300]}", r.code < 2)
    return found


# ---- recorded traces

def unpacked(path):
    return subprocess.run(["zstd", "-dc", path], check=True, stdout=subprocess.PIPE).stdout


def recorded():
    folder = os.path.join(check.SHARED, "oracle", "heap")
    names = [n for n in sorted(os.listdir(folder)) if ".jsonl" in n]
    check.true("a recorded trace", names)
    for name in names:
        stem = name.split(".")[0]
        text = unpacked(os.path.join(folder, name)) if name.endswith(".zst") else open(os.path.join(folder, name), "rb").read()
        want = [json.loads(line) for line in text.splitlines()]
        traces = os.path.join(check.SHARED, "traces", "heap")
        path = next(os.path.join(traces, n) for n in sorted(os.listdir(traces)) if n.startswith(stem + ".nettrace"))
        got = rows(path)
        same = [r for r in got if r["kind"] in KINDS]
        check.true(f"{stem}: row for row", same == want)
        truth = json.load(open(os.path.join(traces, stem + ".truth.json")))
        counts = {r["type"]: r["count"] for r in got if r["kind"] == "type"}
        for kind, n in truth["counts"].items():
            if kind not in ("leaked", "GenericInt"):
                check.true(f"{stem}: {kind}", counts.get(kind, 0) == n)
        paths = {r["type"]: r for r in got if r["kind"] == "path"}
        if stem.endswith("two"):
            leak = paths["System.Collections.Generic.List`1[System.Byte[]]"]
            check.true("the path of the leak", leak["root"].endswith(".leak") and leak["length"] == 1)


# ---- made walks

class Made:
    """A heap of n objects, at addresses in several runs, with references, roots and links at random."""

    def __init__(self, rng, n):
        self.addr = rng.sample(range(0x10000, 0x10000 + 64 * n, 8), n)
        cut = rng.randrange(n)
        self.addr = sorted(self.addr[:cut]) + sorted(self.addr[cut:])
        self.size = [rng.randrange(24, 5000) for _ in range(n)]
        self.type = [rng.randrange(4) for _ in range(n)]
        self.edges = [[rng.choice(self.addr + [0, 12345]) for _ in range(rng.choice((0, 0, 1, 1, 2, 5)))]
                      for _ in range(n)]
        for i in range(n - 1):          # lists, as deep as they are long
            if rng.random() < 0.5:
                self.edges[i].append(self.addr[i + 1])
        self.names = {1 + i: f"Made.Type{i % 3}" for i in range(3)}
        self.names[4] = "System.Object[]"
        self.roots = [(rng.choice(self.addr + [7]), rng.choice((0, 1, 2, 3, 9)), rng.choice((0, 0, 1, 2, 8)))
                      for _ in range(rng.randrange(1, 5))]
        self.statics = [(rng.choice(self.addr), f"field{i}") for i in range(rng.randrange(1, 4))]
        if rng.random() < 0.5:          # a table of the runtime
            table = rng.randrange(n)
            self.type[table] = 3
            self.edges[table] += [a for a, _ in self.statics]
            self.roots.append((self.addr[table], rng.choice((2, 3)), 0))
        edge = sorted(rng.sample(range(0xf000, 0x10000 + 70 * n), 6))
        self.ranges = [(rng.randrange(5), edge[i], edge[i + 1] - edge[i]) for i in (4, 0, 2)] * rng.randrange(2)
        self.links = [(rng.choice(self.addr), rng.choice(self.addr)) for _ in range(rng.randrange(3))]

    def events(self):
        """(id, version, payload) of the walk, with its names after it."""
        def parts(kind, items, version=0):
            for i in range(0, len(items), STEP):
                some = items[i:i + STEP]
                yield kind, version, struct.pack("<IIH", i // STEP, len(some), 1) + b"".join(some)
        yield 1, 2, struct.pack("<IIIIHQ", 7, 2, 1, 0, 1, 0)
        node = [struct.pack("<QQQQ", a, s, 1 + t, len(e)) for a, s, t, e in
                zip(self.addr, self.size, self.type, self.edges)]
        for f, name in self.statics:
            kind = 1 + self.type[self.addr.index(f)]
            yield 38, 0, struct.pack("<IQH", 1, 1, 1) + struct.pack("<QQQI", 1, f, kind, 0) + (
                name + "\0").encode("utf-16-le")
        yield from self.range_events(1)         # of the addresses before the collection
        yield from parts(18, node)
        yield from self.range_events(0)
        yield from parts(19, [struct.pack("<QI", to, 0) for e in self.edges for to in e])
        yield from parts(16, [struct.pack("<QBIQ", a, k, f, 0) for a, k, f in self.roots])
        yield from parts(17, [struct.pack("<QQQ", a, b, 0) for a, b in self.links])
        yield 2, 1, struct.pack("<IIH", 7, 2, 1)
        for i, name in self.names.items():
            yield 15, 0, struct.pack("<IH", 1, 1) + struct.pack("<QQIIB", i, 0, 0, 0, 0) + (
                name + "\0").encode("utf-16-le") + struct.pack("<I", 0)

    def range_events(self, other):
        for generation, start, length in self.ranges:
            yield 23, 0, struct.pack("<BQQQH", (generation + other) % 5, start, length, 1 << 22, 1)

    def generations(self):
        """Rows of generations: what lies in no range is unknown."""
        rows = {}
        for a, size in zip(self.addr, self.size):
            word = next((("gen0", "gen1", "gen2", "large", "pinned")[g] for g, start, n in self.ranges
                         if start <= a < start + n), "unknown")
            t = rows.setdefault(word, [0, 0])
            t[0] += 1
            t[1] += size
        return rows if self.ranges else {}

    def classes(self):
        """Rows of sizes: (type, least size) of arrays."""
        rows = {}
        for t, size in zip(self.type, self.size):
            if self.names[1 + t].endswith("[]"):
                least = max(s for s in SIZES if s <= size)
                x = rows.setdefault((self.names[1 + t], least), [0, 0])
                x[0] += 1
                x[1] += size
        return rows

    def write(self, path, lost=()):
        made = [(10 + i, 1, kind, version, None if i in lost else payload)
                for i, (kind, version, payload) in enumerate(self.events())]
        with open(path, "wb") as f:
            f.write(nt4_make.runtime(RUNTIME, made + [(10 + len(made), 1, 3, 1, struct.pack("<H", 1))]))
        return len(made)

    def graph(self):
        at = {a: i for i, a in enumerate(self.addr)}
        out = [[at[to] for to in e if to in at] for e in self.edges]
        for key, value in self.links:
            out[at[key]].append(at[value])
        fixed = {at[a] for a, _ in self.statics}
        for a in {a for a, kind, _ in self.roots if kind in (2, 3) and a in at}:
            i = at[a]
            if self.type[i] == 3 and fixed & set(out[i]):
                out[i] = [j for j in out[i] if j not in fixed]
        held = fixed | {at[a] for a, _, flags in self.roots if a in at and not flags & 2}
        return out, held

    def expected(self):
        """Rows of types, and (retained, dominator) by address."""
        out, held = self.graph()

        def reach(without):
            seen, todo = set(), [i for i in held if i != without]
            while todo:
                i = todo.pop()
                if i not in seen:
                    seen.add(i)
                    todo.extend(j for j in out[i] if j != without)
            return seen
        live = reach(None)
        under = {i: live - reach(i) for i in live}      # with the object itself
        retained = {i: sum(self.size[j] for j in under[i]) for i in live}
        above = {i: [j for j in live if j != i and i in under[j]] for i in live}
        types = {}
        for i in range(len(self.addr)):
            t = types.setdefault(self.names[1 + self.type[i]], [0, 0, 0, 0])
            t[0] += 1
            t[1] += self.size[i]
            t[3] += i not in live
            if i in live and not any(self.names[1 + self.type[j]] == self.names[1 + self.type[i]]
                                     for j in above[i]):
                t[2] += retained[i]
        self.depth = max(map(len, above.values()), default=0)
        nearest = {i: max(above[i], key=lambda j: len(above[j]), default=None) for i in live}
        return types, {self.addr[i]: (retained[i], None if nearest[i] is None else self.addr[nearest[i]])
                       for i in live}


def made_walks(rng, path):
    for _ in range(40):
        heap = Made(rng, rng.randrange(1, 60))
        heap.write(path)
        got = rows(path)
        types, objects = heap.expected()
        seen = {r["type"]: [r["count"], r["bytes"], r["retained"], r["unreachable"]] for r in got
                if r["kind"] == "type"}
        check.true(f"types: {seen}, not {types}", seen == types)
        seen = {r["address"]: (r["retained"], r["dominator"]) for r in got if r["kind"] == "object"}
        check.true(f"objects: {seen}, not {objects}", seen == objects)
        for r in got:
            if r["kind"] == "path":
                check_path(heap, r)
        seen = {r["generation"]: [r["count"], r["bytes"]] for r in got if r["kind"] == "generation"}
        check.true(f"generations: {seen}, not {heap.generations()}", seen == heap.generations())
        seen = {(r["type"], r["sizeFrom"]): [r["count"], r["bytes"]] for r in got if r["kind"] == "size"}
        check.true(f"sizes: {seen}, not {heap.classes()}", seen == heap.classes())
        if heap.depth < DEEP:
            weights(heap, path, types)


def weights(heap, path, types):
    """As the weight of a call tree: what a type retains is inclusive, its reachable bytes are exclusive."""
    own = reachable_sums(heap)
    want = {name: (own[name][1], t[2]) for name, t in types.items() if t[0] > t[3]}
    got = {r["name"]: (r["exclusive"], r["inclusive"]) for r in check.jsonl("stacks", "--weight", "heap", path)[1]
           if r["module"] != "roots"}
    check.true(f"weights: {got}, not {want}", got == want)
    lines = check.tnav("stacks", "--weight", "heap", path).out.decode().splitlines()
    short = {name.split(".")[1] for name in want}
    check.equal("types are called in few letters", short - {word for line in lines for word in line.split()[4:5]}, set())
    r = check.tnav("stacks", "--weight", "heap", "-f", "tid > 0", path)
    check.true(f"weights of some events: {r.err}", r.code == 2 and b"tnav heap -f" in r.err)


def check_path(heap, row):
    """Each step is a reference or a link, and the first object is held by the root that is named."""
    steps = [heap.addr.index(s["address"]) for s in row["path"]]
    out, held = heap.graph()
    check.true("a path begins at a root", steps[0] in held and len(steps) == row["length"])
    check.true("a path follows references", all(b in out[a] for a, b in zip(steps, steps[1:])))
    level, far, seen = set(held), 1, set(held)
    while steps[-1] not in level:
        level = {j for i in level for j in out[i]} - seen
        seen |= level
        far += 1
    check.true("a path is a shortest one", far == len(steps))


def equal_or_unknown(what, got, whole):
    """Each number is that of the whole walk, or is said to be a lower bound or unknown."""
    wanted = {key(r): r for r in whole}
    for r in got:
        lossy = r["kind"] == "generation" or any(r.get("atLeast") for r in got)     # ranges have no number
        if r.get("generation") == "unknown":
            continue
        w = wanted.get(key(r))
        if w is None:
            check.true(f"{what}: a row of its own: {r}", lossy or r["type"].startswith("0x"))
            continue
        for name, value in r.items():
            if value is None or name in ("atLeast", "cut", "unknown", "gc", "root", "rootKind") or value == w.get(name):
                continue
            check.true(f"{what}: {name} of {r}, not {w}", lossy and isinstance(value, int) and value <= w[name])


def key(r):
    return r["kind"], r.get("type"), r.get("address"), r.get("rootKind"), r.get("sizeFrom"), r.get("generation")


def filtered(path):
    """-f is about rows, by their columns."""
    whole = rows(path)
    for text, want in (("type = Made.Type1", lambda r: r.get("type") == "Made.Type1"),
                       ("kind = type and bytes > 1000", lambda r: r["kind"] == "type" and r["bytes"] > 1000),
                       ("not retained >= 0", lambda r: "retained" not in r),
                       ("/Type0/ or count = 1", lambda r: "Type0" in json.dumps(r) or r.get("count") == 1)):
        check.true(text, rows(path, "-f", text) == [r for r in whole if want(r)])
    for text in ("typ ~ x", "tid = 1", "label.x = 1"):
        check.true(text, check.jsonl("heap", "-f", text, path)[0].code == 2)


def lost_events(rng, path):
    for _ in range(3):
        heap = Made(rng, rng.randrange(20, 40))
        n = heap.write(path)
        whole = rows(path)
        data = open(path, "rb").read()
        for i in range(n):
            heap.write(path, {i})
            found = rows(path)
            equal_or_unknown(f"without event {i} of {n}", [r for r in found if r["kind"] != "path"], whole)
        for i in rng.sample(range(len(data)), 40):      # cut anywhere
            with open(path, "wb") as f:
                f.write(data[:i])
            r, found = check.jsonl("heap", path)
            if r.code < 3:
                equal_or_unknown(f"cut at {i}", [r for r in found if r["kind"] != "path"], whole)


def lost_references(rng, path):
    """Without an event of references those before and behind it are still known, and whose are not."""
    heap = Made(rng, 60)
    n = heap.write(path)
    found = [i for i, (kind, _, _) in enumerate(heap.events()) if kind == 19]
    ends = list(itertools.accumulate(len(e) for e in heap.edges))
    for k, i in enumerate(found[:-1]):              # the last one is not full: how much it had is not known
        heap.write(path, {i})
        want = sum(len(e) > 0 and end - len(e) < (k + 1) * STEP and end > k * STEP
                   for e, end in zip(heap.edges, ends))
        got = {r["unknown"] for r in rows(path) if "unknown" in r}
        check.equal(f"without event {i} of {n}: objects of unknown references", got, {want})


def no_difference_of_a_part(rng, path):
    """Of a walk that lost events nothing is said to have grown or gone, on either side."""
    whole, parts = path + ".whole", 0
    heap = Made(rng, 30)
    n = heap.write(path)
    Made(rng, 40).write(whole)
    check.true("whole walks differ", any(r["kind"] == "diff" for r in rows(path, whole)))
    for i in rng.sample(range(n), 6):
        heap.write(path, {i})
        if any(r.get("atLeast") for r in rows(path)):
            parts += 1
            for files in ((path, whole), (whole, path)):
                check.true(f"without event {i}", not any(r["kind"] == "diff" for r in rows(*files)))
    check.true("some were parts", parts > 0)


def reachable_sums(heap):
    """Reachable objects and their bytes, by type."""
    out, live = heap.graph()
    todo = list(live)
    while todo:
        for j in out[todo.pop()]:
            if j not in live:
                live.add(j)
                todo.append(j)
    sums = {}
    for i in live:
        t = sums.setdefault(heap.names[1 + heap.type[i]], [0, 0])
        t[0] += 1
        t[1] += heap.size[i]
    return sums


def differences(rng, path):
    """What grew, by type: the rows of all groups together are the difference of what is reachable."""
    other = path + ".before"
    for _ in range(15):
        before, after = Made(rng, rng.randrange(1, 60)), Made(rng, rng.randrange(1, 60))
        before.write(other)
        after.write(path)
        r, found = check.jsonl("heap", other, path)
        a, b = reachable_sums(before), reachable_sums(after)
        want = {t: [b.get(t, [0, 0])[i] - a.get(t, [0, 0])[i] for i in (0, 1)] for t in a | b}
        got = {t: [0, 0] for t in want}
        for x in found:
            if x["kind"] == "diff":
                got[x["type"]][0] += x["countGrowth"]
                got[x["type"]][1] += x["bytesGrowth"]
                check.true("a path ends at its type", x["path"][-1] == x["type"])
        check.true(f"what grew: {got}, not {want}", got == want)
    folder = os.path.join(check.SHARED, "traces", "heap")
    one, two = [os.path.join(folder, n) for n in ("net10-heap-one.nettrace.zst", "net10-heap-two.nettrace.zst")]
    if not os.path.exists(one):
        return
    found = [x for x in check.jsonl("heap", one, two)[1] if x["kind"] == "diff"]
    grown = [(x["type"], x["countGrowth"], x["root"].split(".")[-1]) for x in found]
    for row in (("System.Byte[]", 400, "leak"), ("Listener", 200, "source")):
        check.true(f"{row} is among the first that grew", row in grown[:6])
    check.true("the chain is gone", ("Link", -50000, "chain") in grown)


def main():
    recorded()
    rng = random.Random(check.check_seed())
    path = os.path.join(check.temp_dir(), "made.nettrace")
    made_walks(rng, path)
    filtered(path)
    lost_events(rng, path)
    lost_references(rng, path)
    no_difference_of_a_part(rng, path)
    differences(rng, path)


main()
check.finish(500)
