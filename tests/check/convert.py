#!/usr/bin/env python3
"""`tnav convert`: every format is whole; profiles say the same as `stacks --fold`, timelines as `spans`.

A second program (tools/validate/convcheck.py) reads each file strictly and reduces it to folded stacks.
"""
import collections
import decimal
import glob
import importlib.util
import json
import os
import random

import check
import hostile_names
import nt6
import screen

PROFILES = {"folded": "x.folded", "speedscope": "x.speedscope.json", "pprof": "x.pb.gz"}
TIMELINES = {"chrome": "x.json", "perfetto": "x.pftrace"}
SMALL, LARGE = 20, 5


def convcheck():
    path = os.path.join(check.SHARED, "tools", "validate", "convcheck.py")
    spec = importlib.util.spec_from_file_location("convcheck", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def convert(path, to, *args):
    if os.path.exists(to):
        os.unlink(to)
    r = check.tnav("convert", "-o", to, *args, path)
    check.equal(f"convert {to} {' '.join(args)} {path}: a file or a reason", os.path.exists(to), r.code < 2)
    check.true(f"convert {path}: a line says what was done: {r.err}", r.err)
    return os.path.exists(to)


def read(reader, form, path, what):
    """The folded stacks in a file, which must be right."""
    reader.BAD.clear()
    out, note = getattr(reader, form)(reader.content(path), None)
    # It adds times as doubles: where a damaged trace has hours, the sum of two may differ in the last digit.
    wrong = [x for x in reader.BAD if "damaged" not in what or "overlaps another" not in x]
    check.equal(f"{what} as {form}", wrong, [])
    return collections.Counter({k: v for k, v in out.items() if v and ";" in k}), note


def folded(text):
    out = collections.Counter()
    for line in text.decode().splitlines():
        stack, n = line.rsplit(" ", 1)
        if ";" in stack:        # one without frames is told differently by each format
            out[stack] += int(n)
    return out


def profiles(reader, path, scratch, *args):
    """All formats of a profile have the stacks of `stacks --fold`."""
    got = {}
    for form, name in PROFILES.items():
        to = os.path.join(scratch, name)
        if not convert(path, to, *args):
            return 0
        got[form] = read(reader, form, to, f"{path} {' '.join(args)}")[0]
    for form in ("speedscope", "pprof"):
        check.equal(f"{path} {' '.join(args)}: {form} is folded", got[form], got["folded"])
    return got["folded"]


def every(reader, path, scratch):
    """Any event may be a sample."""
    want = folded(check.tnav("stacks", "--fold", "--weight", "count", path).out)
    got = profiles(reader, path, scratch, "--stacks", "row >= 0")
    if not got:
        return 0
    check.equal(f"{path}: all events", got, want)
    profiles(reader, path, scratch, "--stacks", "row >= 0", "--weight", "time")
    return 1


def samples(reader, path, scratch):
    """Samples are those of the trace's sampler, and their sum is their number."""
    want = folded(check.tnav("stacks", "--fold", path).out)
    check.equal(f"{path}: samples", profiles(reader, path, scratch), want)
    times = folded(check.tnav("stacks", "--fold", "--weight", "time", path).out)
    got = profiles(reader, path, scratch, "--weight", "time")
    check.true(f"{path}: time is at most that to the next sample", all(got[k] <= times[k] for k in got))
    window = ("--from", "1s", "-f", "tid != 12")
    part = folded(check.tnav("stacks", "--fold", "--to", "2s", *window, path).out)
    check.equal(f"{path}: a part", profiles(reader, path, scratch, "--to", "2s", *window), part)


def chrome_slices(path):
    """Name, start and duration (ns) of each slice but losses; how many other events there are, by ph."""
    out, begun, others = collections.Counter(), {}, collections.Counter()
    with open(path) as f:
        events = json.load(f, parse_float=decimal.Decimal)["traceEvents"]
    for e in events:
        others[e["ph"]] += e["ph"] in "iCs" or e.get("cat") == "loss" and e["ph"] in "Xb"
        if e.get("cat") == "loss":
            continue
        if e["ph"] == "X":
            out[e["name"], int(e["ts"] * 1000), int(e["dur"] * 1000)] += 1
        elif e["ph"] == "b":
            begun[e["cat"], e["id"]] = e
        elif e["ph"] == "e":
            b = begun.pop((e["cat"], e["id"]))
            out[b["name"], int(b["ts"] * 1000), int((e["ts"] - b["ts"]) * 1000)] += 1
    return out, others


def timeline(reader, path, scratch):
    """Slices are the spans that have both ends; each other event is an instant or a counter's value."""
    notes = {}
    for form, name in TIMELINES.items():
        to = os.path.join(scratch, name)
        if not convert(path, to):
            return 0
        notes[form] = read(reader, form, to, path)[1]
    slices, others = chrome_slices(os.path.join(scratch, "x.json"))
    spans = [s for s in check.jsonl("spans", "--list", path)[1] if s["kind"] == "span"]
    rows = check.jsonl("dump", "-e", "row,t", path)[1]
    first = min([0] + [r["t"] for r in rows])
    paired = [s for s in spans if s["state"] == "paired"]
    in_order = all(a["t"] <= b["t"] for a, b in zip(rows, rows[1:]))
    if in_order:                # else slices begin later, so that time never goes back
        check.equal(f"{path}: slices", collections.Counter(k[1:] for k in slices.elements()),
                    collections.Counter((s["start"] - first, s["dur"]) for s in paired))
    ends = {s[k] for s in spans for k in ("row", "stopRow") if s.get(k) is not None}
    check.equal(f"{path}: instants", others["i"] + others["C"],
                len(rows) - len(ends) + len(spans) - len(paired))
    check.equal(f"{path}: losses", others["X"] + others["b"], len(check.jsonl("gaps", path)[1]))
    got = notes["perfetto"]
    check.equal(f"{path}: perfetto", [got.get(k, 0) for k in ("begin", "end", "instant", "counter")],
                [len(paired) + others["X"] + others["b"]] * 2 + [others["i"], others["C"]])
    return 1


def lanes(reader, scratch):
    """Slices that overlap without nesting have tracks of their own in Perfetto, as many of a name as are begun
    at a time: one that is free again is taken before another is made. Texts have their numbers from the first
    packet on: a later one that clears what is known (sequence_flags 1) would lose them."""
    path = os.path.join(check.DATA, "spans", "nested-thrice.nettrace.zst")
    to = os.path.join(scratch, "lanes.pftrace")
    check.true(f"{path} to Perfetto", convert(path, to))
    group, tracks, now, most, slices = {}, collections.Counter(), collections.Counter(), collections.Counter(), 0
    flags = []
    for _, _, packet in reader.message(reader.content(to)):
        p = {k: v for k, _, v in reader.message(packet)}
        flags.append(p.get(13))
        if 60 in p:
            track = {k: v for k, _, v in reader.message(p[60])}
            if 5 in track and 2 in track and 4 not in track and 8 not in track:
                group[track[1]] = track[5], track[2]
                tracks[group[track[1]]] += 1
        elif 11 in p:
            event = {k: v for k, _, v in reader.message(p[11])}
            of = group.get(event.get(11))
            now[of] += {1: 1, 2: -1}.get(event.get(9), 0)
            most[of] = max(most[of], now[of])
            slices += of is not None and event.get(9) == 1
    del most[None]
    check.equal(f"{path}: sequence_flags", (flags[0], set(flags[1:])), (3, {2}))
    check.equal(f"{path}: tracks", tracks, most)
    check.true(f"{path}: {slices} slices on {sum(tracks.values())} tracks", slices > 2 * sum(tracks.values()) > 4)


def counters(reader, scratch):
    """Each EventCounters is a value of the counter that its payload names: the mean, or the increment."""
    path = os.path.join(check.DATA, "reports", "counter-rates.nettrace.zst")
    check.true(f"{path}: a timeline", timeline(reader, path, scratch))
    with open(os.path.join(scratch, "x.json")) as f:
        got = [(e["name"], e["args"]["value"]) for e in json.load(f)["traceEvents"] if e["ph"] == "C"]
    rows = [r for r in check.jsonl("dump", path)[1] if r["name"] == "EventCounters"]
    told = [(r["provider"], r["payload"][""]["Payload"]) for r in rows]
    check.equal(f"{path}: counters", got,
                [(f"{p}/{c['Name']}", c["Mean"] if "Mean" in c else c["Increment"]) for p, c in told])
    check.true(f"{path}: {len(got)} values", len({name for name, _ in got}) > 3)


def hostile(reader, scratch):
    """Names with separators, controls, bad encodings and 64 KiB of text are whole in each format."""
    path = os.path.join(scratch, "hostile.nettrace")
    hostile_names.write(path)
    for form, name in (*PROFILES.items(), *TIMELINES.items()):
        to = os.path.join(scratch, "hostile-" + name)
        check.true(f"hostile {form}", convert(path, to, *(("--stacks", "row >= 0") if form in PROFILES else ())))
        read(reader, form, to, "hostile names")
    check.true("hostile profiles", profiles(reader, path, scratch, "--stacks", "row >= 0"))
    with open(os.path.join(scratch, "hostile-x.json")) as f:
        names = {e["name"] for e in json.load(f)["traceEvents"]}
    check.true("a hostile name is the very name", hostile_names.EVIL in names)


def damaged(reader, path, scratch, rng):
    """What is read of a damaged trace is as whole in each format."""
    data = bytearray(check.read(path)) or bytearray(1)
    for _ in range(rng.choice((1, 3, 20))):
        at, n = rng.randrange(len(data)), rng.randint(1, 200)
        data[at:at + n] = rng.choice((b"", bytes(n), rng.randbytes(n), bytes(data[at // 2:at // 2 + n])))
        data = data or bytearray(1)
    bad = os.path.join(scratch, "bad.nettrace")
    with open(bad, "wb") as f:
        f.write(data)
    profiles(reader, bad, scratch, "--stacks", "row >= 0", "--weight", rng.choice(("samples", "time")))
    for form, name in TIMELINES.items():
        to = os.path.join(scratch, name)
        if convert(bad, to):
            read(reader, form, to, f"a damaged {path}")


def counted(scratch):
    """How many samples a profile has, of how many threads, and how many of them are without a stack."""
    to = os.path.join(scratch, "counted.folded")
    for without, ending in ((0, ""), (1, ", 1 without a stack"), (2, ", 2 without a stack")):
        made = os.path.join(scratch, f"without{without}.nettrace")
        with open(made, "wb") as f:
            f.write(nt6.trace([
                nt6.threads(nt6.thread(1), nt6.thread(2)), nt6.metadata(nt6.row(1, "Made", 1, "Made")),
                nt6.stacks(1, (1,), (2,)),
                nt6.events([nt6.event(1, i, 1 + i % 2, i, stack=i if i <= 2 else 0) for i in range(1, 3 + without)])]))
        r = check.tnav("convert", "-o", to, "--stacks", "row >= 0", made)
        check.true(f"convert of {without} without a stack: {r.err.decode()}",
                   f"{2 + without} samples of 2 threads, {2 + (without > 0)} different stacks{ending}\n" in r.err.decode())


def refused(scratch):
    """What cannot be converted leaves no file, and says why."""
    path, to = check.trace("net10-eventsource-types.nettrace"), os.path.join(scratch, "no.folded")
    for args, why in (((), b"--stacks EXPR"), (("--to", "chrom"), b"neither a format nor a time"),
                      (("--stacks", "tid = 99999999"), b"matches none"), (("--to", "2s", "--from", "3s"), b"--from")):
        r = check.tnav("convert", "-o", to, *args, path)
        check.equal(f"refused {args}", (r.code, os.path.exists(to), why in r.err), (2, False, True))
    r = check.tnav("convert", "-o", os.path.join(scratch, "x.out"), path)
    check.equal("no format", (r.code, b"--to FORMAT" in r.err), (2, True))
    copy = os.path.join(scratch, "over.folded")
    with open(copy, "wb") as f:
        f.write(check.read(path))
    r = check.tnav("convert", "--to", "folded", "--stacks", "row >= 0", "-o", copy, copy)
    check.equal("over its input", (r.code, check.read(copy)), (3, check.read(path)))
    early = check.tnav("--to", "pprof", "--weight", "samples", "convert", "-o", "-", "--stacks", "row >= 0", path)
    check.equal("options before the command", early.out[:2], b"\x1f\x8b")
    check.equal("to a pipe", check.tnav("convert", "--to", "pprof", "-o", "-", "--stacks", "row >= 0", path).out[:2],
                b"\x1f\x8b")


def viewer(scratch):
    """The viewer writes what the subcommand would write of what is shown."""
    path, to = os.path.join(check.DATA, "tour.nettrace.zst"), os.path.join(scratch, "it's; shown")
    if not screen.available():
        return
    shown = ("--from", "2s", "--to", "3s", "-f", "tid = 35", "--weight", "samples", path)
    with screen.Screen([check.TNAV, "-f", "tid = 35", path]) as s:
        s.wait("row ", "15,791 lost in 9 gaps")
        s.ask("@2s..3s\r", "2.000 \u2026 3.000 s")
        s.ask("\033i", "idle hidden")
        s.ask(f":w {to}.folded\r", "shown.folded written")
        s.ask(f":w {to}.pb.gz\r", "shown.pb.gz written")
        s.ask(f":w {scratch}/none/x.folded\r", "cannot be written", "press Enter")
        s.ask("\r", "x.folded was not written")
    check.equal("folded by the viewer", check.read(to + ".folded"),
                check.tnav("stacks", "--fold", "--fold-rule", "idle", *shown).out)
    check.equal("pprof by the viewer", check.read(to + ".pb.gz"),
                check.tnav("convert", "--to", "pprof", "-o", "-", *shown[:6], path).out)


def main():
    check.need_tnav()
    check.need_shared()
    reader, scratch = convcheck(), check.temp_dir()
    samples(reader, check.first_shared("v4/net10-sampler.nettrace"), scratch)
    samples(reader, check.first_shared("v6/perf-on-off-cpu.nettrace", "v6/cut-on-off-cpu.nettrace"), scratch)
    done = check.check_useful(lambda path: every(reader, path, scratch), check.all_data_traces(scratch), SMALL, LARGE)
    check.true("traces with stacks", done)
    check.true("timelines", check.check_useful(lambda path: timeline(reader, path, scratch),
                                               check.all_data_traces(scratch), SMALL, LARGE))
    for path in sorted(glob.glob(os.path.join(check.DATA, "spans", "*.nettrace"))):
        check.true(path, timeline(reader, path, scratch))
    lanes(reader, scratch)
    counters(reader, scratch)
    hostile(reader, scratch)
    rng = random.Random(check.check_seed())
    traces = [p for p in check.all_data_traces(scratch) if os.path.getsize(p) < check.LARGE]
    for _ in range(check.check_part(check.tier(25, 1000))):
        damaged(reader, rng.choice(traces), scratch, rng)
    counted(scratch)
    refused(scratch)
    viewer(scratch)
    check.finish(60)


main()
