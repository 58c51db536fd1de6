#!/usr/bin/env python3
"""Parquet: every table has the rows and the values of its JSON lines.

tests/support/parquet.py reads the files, and holds what they say of themselves against their values.
"""
import calendar
import collections
import json
import os
import re
import struct
import subprocess
import time

import check
import nt6
import parquet



def traces():
    found = []
    for folder, _, names in os.walk(check.DATA):
        found += [os.path.join(folder, n) for n in names if n.endswith(check.ENDINGS)]
    return sorted(found)


def as_parquet(kind, value):
    """A value of the JSON lines as one of a column of this type."""
    if value is None:
        return None
    if isinstance(value, dict) and kind == "LIST<STRING>":      # labels
        return [f"{k}={v}" for k, vs in value.items() for v in (vs if isinstance(vs, list) else [vs])]
    if kind.startswith("LIST<"):
        return [as_parquet(kind[5:-1], v) for v in value]
    if kind in ("UINT_64", "UINT_32", "UINT_16", "UINT_8") and isinstance(value, str):
        return int(value, 16)
    if kind == "DOUBLE":
        return float(value)
    if kind == "FLOAT":
        return struct.unpack("<f", struct.pack("<f", value))[0]
    if kind == "BYTES":
        return bytes.fromhex(value)
    return value


def from_parquet(kind, value):
    return json.loads(value) if kind == "JSON" and value is not None else value


def same(what, file, rows):
    """The file has these rows of JSON, of which other columns are not known."""
    check.equal(f"{what}: rows", file.rows, len(rows))
    if file.rows != len(rows):
        return
    names = set(file.names())
    keys = {k for row in rows for k in row}
    check.true(f"{what}: keys {sorted(keys - names)}", keys <= names)
    for column in file.columns:
        if column.name not in keys:     # left out of the lines: of this trace, or the file's own
            continue
        got = [from_parquet(column.type, v) for v in column.values]
        want = [as_parquet(column.type, row.get(column.name)) for row in rows]
        if got != want:
            at = next(i for i, (g, w) in enumerate(zip(got, want)) if g != w)
            check.equal(f"{what}: {column.name} {column.type} of row {at}", got[at], want[at])


def read(what, path):
    try:
        return parquet.read(path)
    except parquet.Bad as why:
        check.fail(f"{what}: {path}: {why}")
        return None


def compare(trace, command, *args):
    """One subcommand: its file, or the files of its kinds."""
    what = f"{command} {' '.join(args)} {os.path.relpath(trace, check.DATA)}"
    folder = check.temp_dir()
    r, rows = check.jsonl(command, *args, trace)
    p = check.tnav(command, *args, "-o", os.path.join(folder, "x.parquet"), trace)
    check.equal(f"{what}: exit code", p.code, r.code)
    check.equal(f"{what}: messages", p.err, r.err)
    check.equal(f"{what}: output", p.out, b"")
    if r.code == 2:
        check.equal(f"{what}: files", os.listdir(folder), [])
        return
    kinds = collections.defaultdict(list)
    for row in rows:
        kinds[row.get("kind")].append(row)
    if not any(kinds):
        kinds = {None: rows}
    files = {".".join(filter(None, ("x", kind, "parquet"))): kind for kind in kinds}
    check.equal(f"{what}: files", sorted(os.listdir(folder)), sorted(files))
    for name in set(files) & set(os.listdir(folder)):
        file = read(what, os.path.join(folder, name))
        if file is not None:
            same(f"{what}: {name}", file, kinds[files[name]])


def commands():
    with open(os.path.join(check.TOP, "include/tnav/analysis/report.h"), encoding="utf-8") as f:
        reports = re.findall(r"^\s*REPORT\((\w+),", f.read(), re.M)
    out = [(name,) for name in ("info", "types", "threads", "gaps", "check", "stats", "spans",
                                "activities", "stacks", "providers", *reports)]
    return out + [("stats", "--by", "tid,level", "--sum", "size", "--pct", "50,99:size"),
                  ("stats", "--by", "payload.TypeName"), ("spans", "--list", "--top", "7")]


EVENTS = (("dump",), ("dump", "--crc", "--raw", "--enums"), ("dump", "--order", "file"),
          ("dump", "-n", "3"), ("dump", "--symbols"), ("dump", "-f", "tid > 0", "--from", "1ms"),
          ("dump", "-e", "t,name,payload,stack[0],dur,label.TraceId"),
          ("dump", "-e", "row,payload.Reason,payload.Type,payload.id,raw,error,thread.role,stack.method"))


def events():
    """The events, all keys or some, and `time` beside `t`."""
    for trace in check.check_traces(traces(), 12, 6):
        for command in check.check_sample(EVENTS, 4):
            compare(trace, *command)
    for fields in ((), ("-e", "row,name"), ("-e", "labels,row")):
        compare(os.path.join(check.DATA, "features", "v6-labels-all-kinds.nettrace"), "dump", *fields)
    trace = os.path.join(check.DATA, "demo.nettrace")
    path = os.path.join(check.temp_dir(), "x.parquet")
    check.tnav("dump", "-o", path, trace)
    file = read("events", path)
    _, (info,) = check.jsonl("info", trace)
    check.true("time and t", len({a - b for a, b in zip(file["time"].values, file["t"].values)}) == 1)
    check.true("time", file.keys["tnav.started"].startswith(info["syncTime"][:-1]))
    for key, what in (("format", "format"), ("tickFrequency", "tickFrequency"), ("pid", "pid"), ("processors", "processors")):
        check.equal(key, file.keys["tnav." + key], str(info[what]))
    check.equal("sorted", [g[4][0][1] for g in file.meta[4]], [file.names().index("time")])


def file_name(text):
    """As doc/fleet.md has it: what may be in a name of a file as it is, the rest as %XX."""
    plain = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,+=@ "
    return "".join(chr(b) if b in plain and (b != 46 or i) else f"%{b:02X}"
                   for i, b in enumerate(text.encode())) or "_"


def by_type():
    """A file for each type of which an event was selected: the header as in the JSON lines, and the
    fields of the payload."""
    for i, trace in enumerate(check.check_traces(traces(), 12, 6)):
        out = os.path.join(check.temp_dir(), "lake")
        some = ("-f", "id < 100") if i % 2 else ()
        r = check.tnav("dump", "--format", "parquet", "--by-type", "-o", out, *some, trace)
        j, rows = check.jsonl("dump", *some, trace)
        what = f"by type {os.path.relpath(trace, check.DATA)}"
        check.equal(f"{what}: exit code", r.code, j.code)
        types = collections.defaultdict(list)
        for row in rows:
            types[file_name(f"{row['provider']}/{row['name']}")].append(row)
        folders = os.listdir(out) if os.path.exists(out) else []
        if max(map(len, types), default=0) <= 200:
            check.equal(f"{what}: folders", sorted(folders), sorted(f"type={t}" for t in types))
        for folder in folders:
            (name,) = os.listdir(os.path.join(out, folder))
            file = read(what, os.path.join(out, folder, name))
            mine = types.get(folder.removeprefix("type="))
            if file is not None and mine is not None:
                same(f"{what}: {folder}", file, [unfolded(row, file) for row in mine])
                header = file.names()[:file.names().index("error") + 1]
                check.equal(f"{what}: {folder}: a payload without fields is one", "payload" in header,
                            len(header) == len(file.names()))


def unfolded(row, file):
    """The row with the fields of its payload as keys, where the file has them."""
    if "payload" in file.names():
        return row
    row = dict(row)
    payload = row.pop("payload")
    taken = {k.lower() for k in file.names()[:file.names().index("error") + 1]} | {"type"}
    for name, value in payload.items():
        key = f"payload.{name}" if name.lower() in taken else name
        if key not in file.names():
            key = f"payload.{name}"     # another has it in capitals
        if key in file.names():
            row[key] = value
    return row


def converted():
    """convert --to parquet: each table is that of its subcommand; a kind without rows has no file."""
    told = [t for t in traces() if "v6-trace-key-values" in t]
    for trace in check.check_traces(traces(), 4, 4) + told:
        out = check.temp_dir()
        what = f"convert {os.path.relpath(trace, check.DATA)}"
        r = check.tnav("convert", "--to", "parquet", "-o", out, trace)
        check.true(f"{what}: exit code {r.code}", r.code in (0, 1, 2))
        if r.code == 2:
            check.equal(f"{what}: files", os.listdir(out), [])
            continue
        files = {}
        for table in os.listdir(out):
            (name,) = os.listdir(os.path.join(out, table))
            files[table] = read(what, os.path.join(out, table, name))
        of_trace(what, trace, files)
        frames, stacks = files.pop("frames"), files.pop("stacks")
        check.equal(f"{what}: ids", [frames["id"].values, stacks["id"].values],
                    [list(range(frames.rows)), list(range(stacks.rows))])
        named = [[frames["method"].values[f] for f in s] for s in stacks["frames"].values]
        at = [[f"0x{frames['address'].values[f]:x}" for f in s] for s in stacks["frames"].values]
        key = list(zip(frames["method"].values, frames["module"].values, frames["address"].values))
        check.equal(f"{what}: each frame once", len(set(key)), frames.rows)
        check.equal(f"{what}: each stack once", len(set(map(tuple, stacks["frames"].values))), stacks.rows)
        for table, file in files.items():
            name, _, kind = table.partition(".")
            command = ("dump", "--symbols") if name == "events" else (name,)
            _, rows = check.jsonl(*command, trace)
            if name == "events":
                plain = [r.get("stack") for r in check.jsonl("dump", trace)[1]]
                ids = file["stack"].values
                check.equal(f"{what}: addresses of stacks", [None if s is None else at[s] for s in ids],
                            [s or None for s in plain])
                file.columns = [c for c in file.columns if c.name != "stack"]
                check.equal(f"{what}: names of stacks", [None if s is None else named[s] for s in ids],
                            [r.get("stack") or None for r in rows])
                rows = [{k: v for k, v in r.items() if k != "stack"} for r in rows]
            if file is not None:
                same(f"{what}: {table}", file, [r for r in rows if not kind or r["kind"] == kind])
        check.true(f"{what}: tables", {"events", "info", "types", "threads", "gaps"} <= set(os.listdir(out)))


def of_trace(what, trace, files):
    """Each file says of what trace it is, of what computer, process and time; so does the table info."""
    _, (info,) = check.jsonl("info", trace)
    keys = info["keyValues"]
    name = next((v for k, v in keys.items() if k.lower() in ("hostname", "host", "machinename", "machine")), None)
    check.equal(f"{what}: host", info["host"], name or None)
    want = {k: None if info[k] is None else str(info[k])
            for k in ("host", "format", "pid", "processors", "tickFrequency")}
    want["trace"] = check.stem(trace.removesuffix(".zst"))
    for table, file in files.items():
        started = file.keys.get("tnav.started")
        check.equal(f"{what}: {table}: facts", {k: file.keys.get(f"tnav.{k}") for k in want}, want)
        check.equal(f"{what}: {table}: started", *(t and ns_of(t) for t in (started, info["syncTime"])))
    if info["syncTime"] is not None:
        check.equal(f"{what}: started of info", files["info"]["started"].values,
                    [ns_of(info["syncTime"])])


def ns_of(text):
    """Nanoseconds since 1970 of 2026-11-21T12:17:06.278Z."""
    whole, _, part = text.rstrip("Z").partition(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) * 10 ** 9 + int(part.ljust(9, "0"))


def hostile():
    """300 columns; quotes, dots, slashes, emoji and 1,000 letters in names; text that is no UTF-16."""
    u32, text = nt6.type_(nt6.U32), nt6.type_(nt6.TEXT16)
    names = [f'f"{i}.\\U0001f600' for i in range(298)] + ["time", "ROW"]
    providers = ["../../up", "..", "a/b'\"c", "\U0001f600" * 300, "tab\there"]
    rows = [nt6.row(i + 1, p, 1, "E." + p[:9], nt6.fields(*((n, u32) for n in names), ("t\u00e9", text)))
            for i, p in enumerate(providers)]
    bad = b"a\0" + b"\0\xd8" + b"b\0" + b"\0\0"     # a lone surrogate
    pay = struct.pack("<300I", *range(300)) + bad
    blocks = [nt6.threads(nt6.thread(1, nt6.thread_id(7))), nt6.metadata(*rows),
              nt6.events([nt6.event(i + 1, i, 1, 1, pay) for i in range(len(providers))])]
    where = check.temp_dir()
    trace, out = os.path.join(where, "in", ".. odd\n'\".nettrace"), os.path.join(where, "a", "b", "lake")
    os.mkdir(os.path.dirname(trace))
    with open(trace, "wb") as f:
        f.write(nt6.trace(blocks))
    r = check.tnav("dump", "--format", "parquet", "--by-type", "-o", out, trace)
    check.equal("hostile: exit code", r.code, 0)
    check.equal("hostile: places", (sorted(os.listdir(where)), os.listdir(os.path.join(where, "a"))),
                (["a", "in"], ["b"]))
    check.equal("hostile: files", len(os.listdir(out)), len(providers))
    for folder in os.listdir(out):
        (name,) = os.listdir(os.path.join(out, folder))
        check.true(f"hostile: {folder}", len(folder.encode()) < 256 and name.startswith("%2E. odd%0A"))
        file = read("hostile", os.path.join(out, folder, name))
        if file is None:
            continue
        taken = {"time": "payload.time", "ROW": "payload.ROW"}
        check.equal("hostile: values", [file[taken.get(n, n)].values for n in names], [[i] for i in range(300)])
        check.equal("hostile: text", file["t\u00e9"].values, ["a\ufffdb"])
    for command in (("dump",), ("types",), ("stats", "--by", "name,payload.ROW"), ("dump", "-e", "t,payload.ROW")):
        compare(trace, *command)


def groups():
    """More row groups than are in memory at a time: what serves the next ones keeps no value. Lists of
    all lengths, also null, for more than a page."""
    n, part = 400000, 5000
    depth = [(i * i // 700) % 40 for i in range(997)]       # by stack - 1; 0: it has no frames
    stacks = [[0x1000 + (k * i) % 300 for k in range(d)] for i, d in enumerate(depth)]
    which = [i * 7919 % 1300 for i in range(n)]             # the rest has none
    value = [i * 31 % (3 if i < n // 2 else 100003) for i in range(n)]
    blocks = [nt6.threads(nt6.thread(1, nt6.thread_id(7))),
              nt6.metadata(nt6.row(1, "Made", 1, "E", nt6.fields(("v", nt6.type_(nt6.U32))))),
              nt6.stacks(1, *stacks)]
    for at in range(0, n, part):
        blocks.append(nt6.events([
            nt6.event(1, at + 1 if i == at else 1, 1, i * 100 if i == at else 100,
                      struct.pack("<I", value[i]), stack=which[i] if which[i] <= 997 else 0)
            for i in range(at, at + part)]))
    where = check.temp_dir()
    trace, out = os.path.join(where, "t.nettrace"), os.path.join(where, "t.parquet")
    with open(trace, "wb") as f:
        f.write(nt6.trace(blocks))
    r = check.tnav("dump", "-j1", "-e", "ticks,stack,payload.v", "-o", out, trace)
    check.equal("groups: exit code", r.code, 0)
    file = read("groups", out)
    if file is None:
        return
    check.equal("groups: how many", len(file.meta[4]), 4)
    check.equal("groups: ticks", file["ticks"].values, [i * 100 for i in range(n)])
    check.equal("groups: values", file["payload.v"].values, value)
    check.equal("groups: stacks", file["stack"].values,
                [stacks[w - 1] or None if 0 < w <= 997 else None for w in which])


def tables():
    for trace in check.check_traces(traces(), 8, 4):
        for command in check.check_sample(commands(), 8):
            compare(trace, *command)


def folder():
    """Several traces: a file for each in the folder, also where two have the same name."""
    where = check.temp_dir()
    a = traces()[0]
    other = os.path.join(where, "in", os.path.basename(a))
    os.mkdir(os.path.dirname(other))
    os.symlink(a, other)
    out = os.path.join(where, "lake", "types")
    r = check.tnav("types", "--format", "parquet", "-o", out, a, other)
    check.true(f"folder: {r.err}", r.code in (0, 1))
    name = os.path.basename(a).rsplit(".", 1)[0]
    check.equal("folder: files", sorted(os.listdir(out)), [f"{name}.parquet", f"{name}~2.parquet"])
    for trace in (name, f"{name}~2"):
        file = read("folder", os.path.join(out, f"{trace}.parquet"))
        check.equal("folder: trace", set(file["trace"].values), {trace})
        check.equal("folder: key", file.keys["tnav.trace"], trace)
        _, rows = check.jsonl("types", a)
        same("folder", file, rows)
    r = check.tnav("types", "--format", "parquet", "--trace-name", "web 1/a", "-o", out, a, other)
    names = ["web 1%2Fa", "web 1%2Fa~2"]
    check.true(f"--trace-name: {r.err}", all(os.path.exists(f"{out}/{n}.parquet") for n in names))
    check.equal("--trace-name", set(read("folder", f"{out}/{names[1]}.parquet")["trace"].values), {names[1]})
    for wrong in (("types",), ("convert", "--to", "folded", "-o", "-")):
        check.equal(f"--trace-name: {wrong}", check.tnav(*wrong, "--trace-name", "x", a).code, 2)


def declared():
    """The type of a column of a table follows from the column, not from the cells of a trace: files
    of all traces are one table."""
    types, out = {}, os.path.join(check.temp_dir(), "lake")
    for trace in check.check_traces(traces(), 40, 20):
        r = check.tnav("convert", "--to", "parquet", "-o", out, trace)
        check.true(f"declared: {trace}: {r.code}", r.code < 3)
    for where, _, names in os.walk(out):
        for name in names:
            file, table = read("declared", os.path.join(where, name)), os.path.relpath(where, out)
            for column in file.columns if file is not None else ():
                first = types.setdefault((table, column.name), (column.type, name))
                check.equal(f"{table}: {column.name}: of {name} and of {first[1]}", column.type, first[0])
    check.true("declared: columns", len(types) > 200)


def refused():
    """What cannot be written says what to do instead, and writes nothing."""
    a, where = traces()[0], check.temp_dir()
    x = os.path.join(where, "x.parquet")
    for args, word in (((), b"needs a file"), (("-o", x + ".zst"), b"compressed inside"),
                       (("-o", x, a), b"-o FOLDER"), (("-o", x, "--follow"), b"--follow")):
        r = check.tnav("dump" if "--follow" in args else "types", "--format", "parquet", a, *args)
        check.equal(f"refused {args}: code", r.code, 2)
        check.true(f"refused {args}: {r.err}", word in r.err)
    r = check.tnav("dump", "--format", "parquet", a, "-o", x, "--top", "3")
    check.equal(f"another option is refused once: {r.err}", r.err.count(b"has no option"), 1)
    lake = os.path.join(where, "lake")
    r = subprocess.run(["sh", "-c", 'ulimit -f 1; exec "$0" "$@"', check.TNAV, "dump", "--format", "parquet", "--by-type",
                        "-o", lake, os.path.join(check.DATA, "demo.nettrace")], capture_output=True, check=False)
    check.true(f"no room: code {r.returncode}", r.returncode == 3 and b"cannot be written" in r.stderr)
    check.true("no room: nothing is left", not os.path.exists(lake))
    os.mkdir(x)
    r = check.tnav("types", "-o", x, a)
    check.equal("a folder of this name: code", r.code, 3)
    check.true("a folder of this name", b"cannot be written" in r.err)
    check.equal("refused: files", os.listdir(where), ["x.parquet"])
    trace = os.path.join(where, "t.parquet")
    with open(a, "rb") as f, open(trace, "wb") as to:
        to.write(f.read())
    before = os.path.getsize(trace)
    r = check.tnav("types", "-o", trace, trace)
    check.equal("over its input: code", r.code, 3)
    check.equal("over its input: size", os.path.getsize(trace), before)


def to_pipe():
    r = check.tnav("threads", "--format", "parquet", "-o", "-", traces()[0])
    path = os.path.join(check.temp_dir(), "x.parquet")
    with open(path, "wb") as f:
        f.write(r.out)
    same("to a pipe", read("to a pipe", path), check.jsonl("threads", traces()[0])[1])


def main():
    check.need_tnav()
    tables()
    groups()
    events()
    by_type()
    converted()
    hostile()
    folder()
    declared()
    refused()
    to_pipe()
    check.finish(least=200)


main()
