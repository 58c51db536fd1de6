#!/usr/bin/env python3
"""Names of stack addresses against two resolvers that others wrote (tools/compare_frames.py).

The program's names are compared with the reference's for the addresses that it prints itself without
--symbols. In net10-symbols each event of Demo-Where says which method wrote it: that must be the frame
behind Demo.Here.Say. Which frames have names must be as the oracle's README says, and any number of
workers must give the same.
"""
import collections
import os
import re
import subprocess
import sys
import tempfile

import check
import namelang

check.need_tnav()
check.need_shared()
ORACLE = os.path.join(check.SHARED, "oracle", "symbols")
TOOL = os.path.join(check.SHARED, "tools", "compare_frames.py")

# Shares of frames with a name, entry points included: the README's table, in percent.
SHARES = {
    "net10-symbols": 99.96, "net10-jit-rundown": 100.00, "netcore30-win-x64": 99.78,
    "netcore21-linux-x64": 85.71, "net10-envvar": 100, "net10-exceptions": 100,
    "net10-sampler": 100, "net9-perf": 100, "sampler-managed": 100,
    "net5-win-x64-arraytypes": 100, "perf-on-off-cpu": 49.26, "perf-tracepoints-labels": 52.18,
}


def traces():
    found = {check.stem(p): p for p in check.all_shared_traces()}
    found["net10-symbols"] = os.path.join(ORACLE, "net10-symbols.nettrace")
    names = [f.split(".")[0] for f in sorted(os.listdir(ORACLE)) if f.endswith(".frames.jsonl.zst")]
    return [found[n] for n in names if n in found]


def is_named(frame):
    """Has it a name? module+0x12 is none."""
    return not re.match(r"^(0x[0-9a-f]+|.*\+0x[0-9a-f]+)$", frame)


def compare(path, folder):
    name = check.stem(path)
    dumps = {}
    for kind, options in (("plain", []), ("named", ["--symbols"])):
        dumps[kind] = os.path.join(folder, f"{kind}.jsonl")
        check.tnav("dump", "--format", "jsonl", *options, "-o", dumps[kind], path)
    oracle = os.path.join(ORACLE, os.path.basename(path) + ".frames.jsonl.zst")
    done = subprocess.run([sys.executable, TOOL, dumps["named"], oracle, dumps["plain"]],
                          capture_output=True, text=True, timeout=check.WATCHDOG_S)
    check.equal(f"{name}: compare_frames.py finds no difference", done.returncode, 0)
    if done.returncode != 0:
        print(done.stdout)
    if name in SHARES:
        share(name, dumps["named"])


def share(name, dump):
    frames = named = 0
    with open(dump, encoding="utf-8") as f:
        for line in f:
            at = line.find('"stack":[')
            if at < 0:
                continue
            stack = check.json.loads(line)["stack"]
            frames += len(stack)
            named += sum(map(is_named, stack))
    got = 100 * named / frames
    # Callers are looked up at the byte before their address: see pitfall 8 of the README.
    room = 1.0 if name.startswith("perf-") else 0.02
    check.equal(f"{name}: {got:.2f} % of the frames have names, {SHARES[name]} should",
                abs(got - SHARES[name]) <= room, True)


def truth():
    """The method that an event names follows Demo.Here.Say in its stack."""
    _, events = check.jsonl("dump", "--symbols", "-f", "provider = Demo-Where",
                            os.path.join(ORACLE, "net10-symbols.nettrace"))
    said = [right for _, _, _, right in namelang.writers(events)]
    check.equal("net10-symbols: events that say their method", len(said), 767)
    check.equal("net10-symbols: the method that wrote the event follows", sum(said), 767)


def frames_by_number(path, events):
    """stack[N] is the frame that dump --symbols prints there; a guess is called so without `?`."""
    for n in (0, 1, 5):
        field = f"stack[{n}]"
        frame = {e["row"]: e["stack"][n].removesuffix(" ?") if len(e.get("stack", ())) > n else None
                 for e in events}
        _, chosen = check.jsonl("dump", "-e", f"row,{field}", path)
        check.equal(f"dump -e {field}", {c["row"]: c.get(field) for c in chosen}, frame)
        _, rows = check.jsonl("stats", "--by", field, path)
        counts = collections.Counter(frame.values())
        check.equal(f"stats --by {field}", {r[field]: r["events"] for r in rows}, dict(counts))
        for name in sorted(filter(None, counts))[::20] + ["0x7f"]:
            value = name if name.startswith("0x") else f'"{name}"'
            _, found = check.jsonl("dump", "-e", "row", "-f", f"{field} = {value}", path)
            check.equal(f"rows of {field} = {value}", [x["row"] for x in found],
                        [row for row, f in frame.items() if f == name])
        _, found = check.jsonl("dump", "-e", "row", "-f", f"not {field} ~ Thread", path)
        check.equal(f"rows of not {field} ~ Thread", [x["row"] for x in found],
                    [row for row, f in frame.items() if "Thread" not in (f or "")])


def asked():
    """Filter, columns and counts know the names that dump --symbols prints, raw and clean."""
    path = os.path.join(ORACLE, "net10-symbols.nettrace")
    _, events = check.jsonl("dump", "--symbols", path)
    stacks = {e["row"]: e["stack"] for e in events if "stack" in e}
    methods = {row: list(dict.fromkeys(f for f in s if is_named(f))) for row, s in stacks.items()}
    _, chosen = check.jsonl("dump", "-e", "row,stack.method", path)
    got = {c["row"]: c["stack.method"] for c in chosen if c.get("stack.method") is not None}
    check.equal("dump -e stack.method", got, {r: m for r, m in methods.items() if m})
    counts = collections.Counter(m for some in methods.values() for m in some)
    _, rows = check.jsonl("stats", "--by", "stack.method", path)
    check.equal("stats --by stack.method",
                {r["stack.method"]: r["events"] for r in rows if r["stack.method"]}, dict(counts))
    frames_by_number(path, events)
    item = "Demo.Shapes+Circle.get_Item(int32)"
    cases = {
        'stack ~ "Circle\\.(get|set)_Item"': lambda s: any(
            re.search(r"Circle\.(get|set)_Item", f) for f in s),
        f'stack.method = "{item}"': lambda s: item in s,
        'stack.method = "Demo.Shapes.Circle.get_Item(int)"': lambda s: item in s,
        f'stack = "{item}"': lambda s: item in s,
        f'stack != "{item}"': lambda s: s and item not in s,
        "has stack.method": lambda s: any(map(is_named, s)),
        "not has stack.method and has stack": lambda s: s and not any(map(is_named, s)),
        "stack ~ ^0x7 and not has stack.method": lambda s: s and not any(map(is_named, s)),
    }
    for f, holds in cases.items():
        _, found = check.jsonl("dump", "-e", "row", "-f", f, path)
        check.equal(f"rows of {f}", [x["row"] for x in found],
                    [e["row"] for e in events if holds(e.get("stack", []))])


def perf_map(folder):
    """A map of the person's own names what the trace does not."""
    path = os.path.join(check.SHARED, "traces", "v4", "net10-gc.nettrace")
    plain = check.jsonl("dump", "-f", "has stack", path)[1]
    ip = int(plain[0]["stack"][0], 16)
    name = "void [demo] A;B\tC::D(int)[Tier0]"
    file = os.path.join(folder, "perf-1.map")
    with open(file, "w", encoding="utf-8") as f:
        f.write(f"{ip - 16:x} 20 {name}\r\nnonsense\n{ip - 64:x} 1000 outer\n{ip:x} 0 empty\n")
    named = check.jsonl("dump", "--perf-map", file, "-f", "has stack", path)[1]
    for a, b in zip(plain, named):
        for depth, (x, y) in enumerate(zip(a["stack"], b["stack"])):
            at = int(x, 16) - (depth > 0)
            want = name if ip - 16 <= at < ip + 16 else \
                "outer" if ip - 64 <= at < ip - 64 + 0x1000 else x
            check.equal(f"perf map: frame {x}", y, want)
    r = check.tnav("dump", "-n", "1", "--perf-map", os.path.join(folder, "none"), path)
    check.true("a map that is not there is told", b"--perf-map" in r.err)
    check.equal("... and nothing is printed", (r.code, r.out), (2, b""))


def workers():
    path = os.path.join(ORACLE, "net10-symbols.nettrace")
    out = [check.tnav("dump", "--symbols", "--format", "jsonl", f"-j{n}", path).out for n in (1, 3)]
    check.equal("any number of workers gives the same names", out[0] == out[1], True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        for path in check.check_sample(traces(), 5):
            compare(path, folder)
        perf_map(folder)
    truth()
    asked()
    workers()


main()
check.finish()
