#!/usr/bin/env python3
"""Generated `tnav stats` commands: keys, steps of time and aggregates against a second
implementation over the JSON lines of the whole dump.

Rows, counts, sums, averages, ends, percentiles by nearest rank and numbers of different values must
be the same, and the order of the rows the one that was asked for. Each command also runs with -j1
and -j7, which must print the same bytes. The seed is that of the run (TNAV_SEED).
"""
import collections
import fractions
import json
import math
import os
import random
import re
import shlex
import struct
import subprocess

import check
import nt6

SMALL, LARGE, EACH = 7, 2, 3        # traces of a sample, and commands for each
EACH_OF_ALL = 12                    # ... and for each of all traces
ROWS_MOST = 60000
TEXT_MOST = 4096
HEADERS = ("provider", "name", "id", "version", "level", "tid", "pid", "cpu", "stream", "opcode",
           "threadIndex")
NUMBERS = ("size", "t", "dur", "seq", "tid", "id")
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
STEPS = (("1us", 10**3), ("100us", 10**5), ("1ms", 10**6), ("100ms", 10**8), ("1s", 10**9),
         ("7ms", 7 * 10**6))
SHARES = ("50", "90", "99", "99.9", "25", "100", "0.000001", "33.333333")


def is_number(v):
    return isinstance(v, (int, float)) and not isinstance(v, bool)


def floats_of(v):
    """Floats of 32 bits are spelled shorter than what they are."""
    try:
        return struct.unpack("f", struct.pack("f", v))[0] if isinstance(v, float) else v
    except OverflowError:
        return v


def values_in(obj, path):
    """What is at the path: elements of arrays one by one."""
    if isinstance(obj, list):
        return [v for element in obj for v in values_in(element, path)]
    if not path:
        return [obj]
    if not isinstance(obj, dict):
        return []
    found = values_in(obj[path[0]], path[1:]) if path[0] in obj else []
    return found + (values_in(obj[""], path) if "" in obj else [])     # as if beside it


def field_values(event, field):
    """The values that a field has in an event; a list is several of them."""
    if field.startswith("payload."):
        return values_in(event.get("payload", {}), field.split(".")[1:])
    if field.startswith("label."):
        return values_in(event.get("labels", {}), [field[6:]])
    return [event[field]] if field in event else []


def is_listed(event, field):
    """Does the field have an array on its way, so that it may have no value at all?"""
    if not field.startswith("payload."):
        return False
    obj = event.get("payload", {})
    for step in field.split(".")[1:]:
        if isinstance(obj, list):
            return True
        if isinstance(obj, dict) and "" in obj and step not in obj:
            obj = obj[""]
        if not isinstance(obj, dict) or step not in obj:
            return False
        obj = obj[step]
    return isinstance(obj, list)


def paths_of(obj, front, out, depth=0):
    if isinstance(obj, list):
        for v in obj[:20]:
            paths_of(v, front, out, depth)
    elif isinstance(obj, dict) and depth < 4:
        for name, v in obj.items():
            if PLAIN.match(name):
                paths_of(v, f"{front}.{name}", out, depth + 1)
    if depth > 0 and isinstance(obj, (int, float, str, list, type(None))):
        out.setdefault(front, []).append(obj)


class Group:
    def __init__(self):
        self.events = self.bytes = 0
        self.times = []
        self.numbers = {}       # field -> numbers
        self.values = {}        # field -> different values, as JSON


def row_keys(event, by, step):
    """The keys of an event: one, or one for each element where a field has several values."""
    columns = [field_values(event, f) for f in by]
    many = [len(v) if is_listed(event, f) or len(v) > 1 else None for f, v in zip(by, columns)]
    most = max([1] + [n for n in many if n is not None])
    keys = []
    for i in range(most):
        key = [event["t"] // step * step] if step else []
        for values, n in zip(columns, many):
            at = i if n is not None and n != 1 else 0
            key.append(values[at] if at < len(values) else None)
        keys.append(json.dumps(key, ensure_ascii=False, sort_keys=True))
    return keys


def group(events, by, step, fields):
    groups = {}
    for e in events:
        keys = row_keys(e, by, step)
        for key in keys:
            g = groups.setdefault(key, Group())
            g.events += 1
            g.bytes += e["size"]
            g.times.append(e["t"])
        for f in fields:
            values = field_values(e, f)
            if len(values) > 1 or is_listed(e, f):
                pairs = zip(keys, values) if len(keys) > 1 else ((keys[0], v) for v in values)
            else:
                pairs = ((k, v) for k in keys for v in values)
            for key, v in pairs:
                if v is None:
                    continue
                groups[key].values.setdefault(f, set()).add(json.dumps(v, sort_keys=True))
                if is_number(v):
                    groups[key].numbers.setdefault(f, []).append(v)
    return groups


def rank(numbers, share):
    parts = fractions.Fraction(share) / 100
    return sorted(numbers)[max(1, math.ceil(parts * len(numbers))) - 1]


def total(numbers):
    if not all(math.isfinite(v) for v in numbers):
        return sum(float(v) for v in numbers)
    if any(isinstance(v, float) for v in numbers):
        return math.fsum(numbers) if all(abs(v) < 2**53 for v in numbers) else \
            float(sum(fractions.Fraction(v) for v in numbers))
    return sum(numbers)


def average(field, numbers):
    if field in ("t", "dur"):
        s, n = sum(numbers), len(numbers)
        return (abs(s) * 2 + n) // (2 * n) * (1 if s >= 0 else -1)
    return float(total(numbers)) / len(numbers)


def expected(g, kind, field):
    """The values that are right: floats may be of 32 or of 64 bits."""
    numbers = g.numbers.get(field, [])
    if kind == "count":
        return [len(numbers)]
    if kind == "distinct":
        return [len(g.values.get(field, ()))]
    if not numbers:
        return [None]
    if kind == "sum":
        return [total(numbers), total([floats_of(v) for v in numbers])]
    if kind == "avg":
        return [average(field, numbers), average(field, [floats_of(v) for v in numbers])]
    if kind in ("min", "max"):
        return [(min if kind == "min" else max)(numbers)]
    return [rank(numbers, kind[1:])]


class Maker:
    def __init__(self, rng, events):
        paths = {}
        for e in events[:2000] + events[-200:]:
            paths_of(e.get("payload", {}), "payload", paths)
        self.rng = rng
        self.paths = sorted(paths)
        self.numbers = [f for f in self.paths if any(
            is_number(v) for v in paths[f] + sum((v for v in paths[f] if isinstance(v, list)), []))]
        self.labels = sorted({"label." + k for e in events[:500] for k in e.get("labels", {})
                              if PLAIN.match(k)})
        self.headers = [h for h in HEADERS if any(h in e for e in events)]
        self.sizes = [h for h in NUMBERS if any(h in e for e in events)]

    def key(self):
        pools = [self.headers] * 3 + [p for p in (self.paths, self.labels) if p]
        return self.rng.choice(self.rng.choice(pools))

    def number(self):
        return self.rng.choice(self.rng.choice([self.sizes] + ([self.numbers] if self.numbers else [])))

    def command(self):
        by = list(dict.fromkeys(self.key() for _ in range(self.rng.choice((1, 1, 2, 3)))))
        args, columns = ["--by", ",".join(by)], []
        step = None
        if self.rng.random() < 0.3:
            name, step = self.rng.choice(STEPS)
            args += ["--every", name]
        for _ in range(self.rng.randint(1, 4)):
            kind = self.rng.choice(("count", "sum", "avg", "min", "max", "pct", "distinct"))
            field = self.key() if kind == "distinct" else self.number()
            if kind == "pct":
                shares = self.rng.sample(SHARES, 2)
                new = [(f"p{s}", field) for s in shares]
                arg = f"{','.join(shares)}:{field}"
            else:
                new, arg = [(kind, field)], field
            if any(c in columns for c in new):
                continue
            args += [f"--{kind}", arg]
            columns += new
        return by, step, columns, args


def first_of(rows, top, step):
    """The first rows; with --every, of each step."""
    count = collections.Counter()
    some = []
    for row in rows:
        at = row["time"] if step else None
        count[at] += 1
        if count[at] <= top:
            some.append(row)
    return some


def check_order(what, rows, column, up):
    values = [r[column] for r in rows if r[column] is not None]
    check.equal(f"{what}: rows without {column} come last",
                [r[column] is None for r in rows], sorted(r[column] is None for r in rows))
    check.equal(f"{what}: order", values, sorted(values, reverse=not up))


def check_command(path, events, maker):
    by, step, columns, args = maker.command()
    names = (["time"] if step else []) + by
    what = f"stats {' '.join(args)} {check.stem(path)}"
    r, rows = check.jsonl("stats", *args, path)
    if r.code == 2:             # a field that is no number: said, not summed
        check.true(f"{what}: {r.err.decode()}", b"and has no" in r.err)
        return
    groups = group(events, by, step, {f for _, f in columns})
    if any(len(k) > TEXT_MOST for k in groups):
        return
    got = {json.dumps([row[n] for n in names], ensure_ascii=False, sort_keys=True): row
           for row in rows}
    check.equal(f"{what}: no row twice", len(got), len(rows))
    check.equal(f"{what}: rows", sorted(got), sorted(groups))
    all_events = sum(g.events for g in groups.values())
    for key, g in groups.items():
        row = got.get(key)
        if row is None:
            continue
        at = f"{what}: {key}"
        check.equal(f"{at}: counts", (row["events"], row["bytes"], row["first"], row["last"]),
                    (g.events, g.bytes, min(g.times), max(g.times)))
        check.equal(f"{at}: share", row["share"], g.events / all_events)
        for kind, field in columns:
            right = expected(g, kind, field)
            value = row[f"{kind}.{field}"]
            check.equal(f"{at}: {kind}.{field} is one of {right}", value in right, True)
    check_order(what, rows, "time" if step else "events", bool(step))
    if columns and rows:
        kind, field = columns[0]
        up = maker.rng.random() < 0.5
        top = maker.rng.randint(1, len(rows))
        sort = ["--sort", f"{kind}.{field}{':asc' if up else ''}"]
        more = [*sort, "--top", str(top)]
        _, some = check.jsonl("stats", *args, *more, path)
        _, every = check.jsonl("stats", *args, *sort, path)
        check.equal(f"{what} --top {top}", some, first_of(every, top, step))
        check_order(f"{what} {' '.join(more)}", some, f"{kind}.{field}", up)
    for jobs in ("-j1", "-j7"):
        again = check.tnav("stats", "--format", "jsonl", jobs, *args, path)
        check.true(f"{what}: the same with {jobs}", again.out == r.out and again.code == r.code)


def check_refused(path):
    for args, said in ((["--sum", "nothing"], "nothing"), (["--sum", "provider"], "is text"),
                       (["--sum", "size,size"], "twice"), (["--by", "name,name"], "twice"),
                       (["--pct", "50"], "colon"), (["--pct", "0:size"], "not a percentile"),
                       (["--pct", "101:size"], "not a percentile"), (["--pct", "x:size"], "percentile"),
                       (["--every", "0"], "not a time step"), (["--every", "5"], "not a time step"),
                       (["--every", "-1s"], "not a time step"), (["--sort", "evnts"], "events"),
                       (["--by", "time", "--every", "1s"], "twice"),
                       (["--avg", "keywords"], "bits"), (["--sum", "t"], "time")):
        r = check.tnav("stats", *args, path)
        check.equal(f"{args}: exit code", r.code, 2)
        check.equal(f"{args}: nothing is printed", r.out, b"")
        check.true(f"{args}: {r.err.decode()!r} says {said}", said.encode() in r.err)


def check_large(path):
    """A sum of more than 64 bits has all of its digits."""
    values = [-2**63, -1, 2**63 - 1, 2**63 - 1, 2**62, 2**62, 2**63 - 1, -2**63, -2**63, -5]
    with open(path, "wb") as f:
        f.write(nt6.trace([nt6.threads(nt6.thread(1, nt6.thread_id(7))),
                           nt6.metadata(nt6.row(1, "P", 1, "E", nt6.fields(("v", nt6.type_(nt6.I64)))))] + [
            nt6.events([nt6.event(1, i + 1, 1, i + 1, struct.pack("<q", v))]) for i, v in enumerate(values)]))
    for first in range(len(values)):
        for last in range(first, len(values)):
            r, (row,) = check.jsonl("stats", "--sum", "payload.v", "-f", f"row in {first}..{last + 1}", path)
            check.equal(f"sum of {values[first:last + 1]}", int(row["sum.payload.v"]), sum(values[first:last + 1]))


def check_no_events(path):
    """There may be nothing to sort."""
    for args in ((), ("--every", "10ms"), ("--sort", "events"), ("--by", "tid", "--sort", "tid")):
        r, rows = check.jsonl("stats", *args, path)
        check.equal(f"stats {args} of no events: exit code", r.code, 0)
        check.equal(f"stats {args} of no events", rows, [])


def check_page(scratch):
    """The examples of doc/filter.md print what stands there."""
    with open(os.path.join(check.TOP, "doc", "filter.md"), encoding="utf-8") as f:
        page = f.read()
    files = {"tour.nettrace.zst": os.path.join(check.DATA, "tour.nettrace.zst"),
             "actors-1worker.heph": check.trace("actors-1worker.heph", scratch)}
    examples = re.findall(r"^    \$ ((?:.*[\\|]\n)*.*\n)((?:    .*\n)+)", page, re.M)
    for command, output in examples:
        run = command.replace("tnav ", shlex.quote(check.TNAV) + " ", 1)
        for name, path in files.items():
            run = run.replace(name, shlex.quote(path))
        done = subprocess.run(["sh", "-c", run], capture_output=True, timeout=check.WATCHDOG_S,
                              env=dict(os.environ, LC_ALL="C.UTF-8"))
        want = [line[4:] for line in output.splitlines()]
        got = [line.rstrip() for line in done.stdout.decode().splitlines()]
        check.equal(f"doc/filter.md: {command}", got, want)
    check.equal("doc/filter.md: examples", len(examples), 5)


def some_commands(path):
    """How many commands were compared with the events of the trace; 0: it has none, or too many."""
    r = check.tnav("dump", "--format", "jsonl", path)
    events = r.lines()
    if not events or len(events) > ROWS_MOST or r.code not in (0, 1):
        return 0
    maker = Maker(random.Random(f"{check.check_seed()} {os.path.basename(path)}"), events)
    commands = EACH_OF_ALL if check.check_all() else EACH
    for _ in range(commands):
        check_command(path, events, maker)
    return commands


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    paths = check.all_data_traces(scratch) + [p for p in check.all_shared_traces()
                                              if "/features/" not in p]
    check_refused(check.trace("v6-threads.nettrace", scratch))
    check_no_events(check.trace("v6-headers-only.nettrace", scratch))
    check_large(os.path.join(scratch, "large.nettrace"))
    check_page(scratch)
    commands = check.check_useful(some_commands, paths, SMALL, LARGE)
    print(f"{sum(commands)} commands over {len(commands)} traces")
    check.true("enough commands", sum(commands) >= check.check_part(check.tier(12, 300)))
    check.finish(least=100)


main()
