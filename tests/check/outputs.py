#!/usr/bin/env python3
"""What the subcommands say beside the events: what is unknown, field types, notes on losses."""
import json
import os
import re
import subprocess
import tempfile

import check
import nt6
from check import equal, true
from feature import path_of, run_all
from screen import Screen

V3 = path_of("v3-stacks-and-activities.netperf")
LOSSY = path_of("v4-dropped-events")
DEMO = os.path.join(os.environ.get("srcdir", "."), "tests", "data", "demo.nettrace")
CUT = path_of("net9-cut-short")


def rows(*args):
    return [json.loads(s) for s in check.tnav(*args, "--format", "jsonl").out.splitlines()]


def text(*args):
    return check.tnav(*args).out.decode("utf-8")


# ---- tables on a terminal

TOUR = check.tour()


def on_terminal(columns, locale, *args):
    """What the subcommand prints on a terminal that is so wide."""
    with Screen([check.TNAV, *args], 50, columns, {"LC_ALL": locale, "TERM": "dumb"}) as screen:
        equal(f"{args}: ends", screen.finish(), 0)
        return screen.bytes.decode("utf-8").replace("\r\n", "\n").splitlines()


def test_what_a_narrow_terminal_leaves_out_matters_least():
    """Empty columns go first, then what a screen has only when asked, then what is the same in all
    rows, then by importance."""
    for command, stay, gone in (
            ("threads", "tid events lost gaps", "name roleDerived lives process"),
            ("types", "id version name events bytes", "fields first provider"),
            ("gc", "number gen start pause reason", "poh tid dur incomplete"),
            ("summary", "kind what value remark", "evidence")):
        args = (command, TOUR, "-n", "5", "--color", "never", "--format", "text")
        lines = on_terminal(80, "C.UTF-8", *args)
        titles = next(line.split() for line in lines if not line.startswith("tnav: "))
        true(f"{command}: {titles} has {stay}", set(stay.split()) <= set(titles))
        true(f"{command}: {titles} is without {gone}", not set(gone.split()) & set(titles))
        equal(f"{command}: and says so", titles[-1], "…")
    whole = text("threads", TOUR).splitlines()[0]
    titles = on_terminal(len(whole) - 3, "C.UTF-8", "threads", TOUR, "--color", "never")[1].split()
    equal("the empty names alone are left out", titles,
          [t for t in whole.split() if t != "name"] + ["…"])


def test_a_table_is_no_wider_than_the_terminal():
    for command, columns, locale in ((c, w, l) for c in ("gc", "jit", "types", "threads")
                                     for w in (40, 80, 400) for l in ("C.UTF-8", "C")):
        what, mark = f"{command}, {columns} columns, {locale}", "…" if locale == "C.UTF-8" else "~"
        args = (command, TOUR, "-n", "5", "--color", "never", "--format", "text")
        whole = check.tnav(*args).out.decode("utf-8").splitlines()[:6]
        lines = on_terminal(columns, locale, *args)
        at = next(i for i, line in enumerate(lines) if not line.startswith("tnav: "))
        lines = lines[at:at + 6]
        equal(f"{what}: rows", len(lines), len(whole))
        true(f"{what}: none is too wide", max(map(len, lines)) <= columns)
        true(f"{what}: it says that columns are left out, or has all",
             lines[0].endswith("  " + mark) or len(re.split("  +", lines[0].strip())) ==
             len(re.split("  +", whole[0].strip())))
        for line, full in zip(lines, whole):
            words, all_words = line.rstrip(mark).split(), full.split()
            true(f"{what}: numbers are whole: {line}", all(
                w in all_words for w in words if re.fullmatch(r"[\d.]+", w)))
            for word in (w for w in words if mark in w and w != mark):
                true(f"{what}: a cut word is one of the row: {word}",
                     re.search(".*".join(map(re.escape, word.split(mark))), full))


def test_titles_of_text_tables_have_units():
    for command, titles in (("gc", ("start (s)", "pause (s)", "heap before (B)")),
                            ("allocs", ("bytes/s", "  bytes  ")), ("gaps", ("from (s)", "to (s)")),
                            ("exceptions", ("  caught  ", "first (s)"))):
        title = text(command, TOUR).splitlines()[0]
        true(f"{command}: {title}", all(t in title for t in titles))
        keys = set(rows(command, TOUR)[0])
        true(f"{command}: keys of JSON are without: {keys}", not any("(" in k for k in keys))
    true("a UTC time is no number of seconds", "from  " in text("gaps", "--utc", TOUR))


def test_times_that_are_asked_for_have_units():
    out = text("stats", "--by", "delta", "--max", "t", "--avg", "delta", "--sort", "max.t", DEMO)
    true("titles", re.match(r"delta \(s\) .* max\.t \(s\)  avg\.delta \(s\)\n", out.lstrip()))
    times = [r["t"] for r in rows("stats", "--by", "t", "--sort", "t", DEMO)]
    true("times as keys ascend", len(times) > 2 and times == sorted(times))


def test_what_to_collect_is_of_the_trace_s_kind():
    heph = os.path.join(check.DATA, "traces", "actors-1worker.heph")
    for command in ("gc", "samples", "cpu", "summary"):
        r = check.tnav(command, heph)
        said = (r.err + r.out).decode("utf-8")
        true(f"Heph: {command} advises no .NET providers: {said}",
             "the format has no .NET events" in said and "providers" not in said
             and "dotnet-trace" not in said)
    lack = [r["what"] for r in rows("summary", heph) if r["kind"] == "missing"]
    true(f"Heph: the summary says once what no report has: {lack}", lack == ["all reports"])
    said = check.tnav("gc", V3).err.decode("utf-8")
    true(f"NetPerf: {said}", "COMPlus_EventPipeConfig=Microsoft-Windows-DotNETRuntime:0x1:4" in said
         and "dotnet-trace" not in said and "tnav record" not in said)
    said = check.tnav("gc", LOSSY).err.decode("utf-8")
    true(f"V4: {said}", "dotnet-trace collect --providers Microsoft-Windows-DotNETRuntime:0x1:4 -p" in
         said)


# ---- what is unknown

def test_losses_without_numbers_are_unknown():
    facts = rows("info", V3)[0]
    equal("V3: info", (facts["lost"], facts["gaps"]), (None, None))
    equal("V3: threads", {(t["lost"], t["gaps"]) for t in rows("threads", V3)}, {(None, None)})
    true("V3: text of info", re.search(r"^lost +unknown", text("info", V3), re.M))
    true("V3: text of check", "no damage found" in text("check", V3))
    true("V3: text of check says what it can't", "lost events cannot be detected" in text("check", V3))
    table = text("threads", V3).splitlines()
    equal("V3: text of threads", table[1].split().count("unknown"), 2)
    for command in (("gaps",), ("dump", "--gaps", "-n", "1")):
        r = check.tnav(*command, V3)
        equal(f"V3: {command[0]} ends well", r.code, 0)
        true(f"V3: {command[0]} says why there are no gaps", b"has no sequence numbers" in r.err)
    true("V4: nothing is unknown", b"unknown" not in check.tnav("info", LOSSY).out)


def test_info_has_as_json_what_its_text_shows():
    for path in (V3, LOSSY, CUT, DEMO):
        facts = rows("info", "-v", path)[0]
        page = text("info", "-v", path)
        pid = re.search(r"^process +(\d+)(?: on (\d+) processors)?$", page, re.M)
        equal(f"{path}: process", [facts["pid"], facts["processors"]],
              [int(pid[1]), int(pid[2])] if pid else [None, None])
        told = re.findall(r"^(?:findings| +) *(\w+), offset (\d+): (.*?)(?:, times ([\d,]+))?$",
                          page, re.M)
        equal(f"{path}: findings", [(f["severity"], str(f["offset"]), f["text"]) for f in
              facts["firstFindings"]], [t[:3] for t in told])
        equal(f"{path}: all findings with -v", len(facts["firstFindings"]), facts["findings"])
        true(f"{path}: memory", facts["memory"] > 1000)
        equal(f"{path}: no memory without -v", rows("info", path)[0]["memory"], None)


# ---- types

def test_types_have_the_types_of_their_fields():
    fields = {t["name"]: t["fields"] for t in rows("types", DEMO)}
    equal("GC/Start", fields["GC/Start"],
          ["Count:u32", "Depth:u32 GCGeneration", "Reason:u32 GCReason", "Type:u32 GCType",
           "ClrInstanceID:u16", "ClientSequenceNumber:u64"])
    scalars = [f.split(":")[1] for t in rows("types", path_of("v6-all-scalars"))
               for f in t["fields"]]
    for kind in ("bool", "u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f32", "f64",
                 "guid", "char"):
        true(f"a {kind} among the scalars", kind in scalars)
    true("text of types", "Count:u32,Depth:u32 GCGeneration" in text("types", DEMO))


def test_bytes_are_called_what_they_are():
    for command in ("types", "threads", "stats"):
        true(f"{command}: title", "payload bytes" in text(command, DEMO).splitlines()[0])
        true(f"{command}: key", "bytes" in rows(command, DEMO)[0])
    equal("-e takes the title, too", text("types", "-e", "payload bytes", DEMO),
          text("types", "-e", "bytes", DEMO))


def test_a_quoted_field_is_called_what_it_is():
    heph = path_of("actors-1worker.heph")
    fields = 'row,"local amount",payload."shared amount"'
    names = ["row", "local amount", "payload.shared amount"]
    has = ["-f", 'has "local amount"', heph]
    equal("keys of dump", list(rows("dump", "-e", fields, *has)[0]), names)
    for fmt, comma in (("csv", ","), ("tsv", "\t")):
        equal(f"titles of {fmt}", text("dump", "--format", fmt, "-e", fields, *has).splitlines()[0],
              comma.join(names))
    equal("titles of text", text("dump", "-e", fields, *has).splitlines()[0], "  ".join(names))
    found = rows("stats", "--by", '"local amount"', "--sum", '"local amount",payload."total amount"',
                 "--pct", '50:"local amount"', "--sort", 'sum."local amount"', *has)
    asked = ["local amount", "sum.local amount", "sum.payload.total amount", "p50.local amount"]
    equal("keys of stats", [k for k in found[0] if "amount" in k], asked)
    equal("columns may be quoted", list(rows("stats", "--by", '"local amount"', "-e",
          '"local amount",events', *has)[0]), ["local amount", "events"])
    r = check.tnav("dump", "-e", '"local amount",local amount', heph)
    equal("a key stands once", (r.code, r.err), (2, b"tnav: -e: 'local amount' is given twice\n"))


def test_text_tables_stay_aligned_beside_long_names():
    lines = text("threads", "-e", "events,bytes", DEMO).splitlines()
    equal("numbers end in one column", len({len(line) for line in lines}), 1)
    with open(os.path.join(check.temp_dir(), "n" * 120 + ".nettrace"), "wb") as f:
        f.write(open(LOSSY, "rb").read())
    lines = text("types", "--each", "-e", "name,events", f.name, LOSSY).splitlines()
    true("the name is a long one", len(lines[1]) > 120)
    equal("rows of files with long names end alike", len({len(line) for line in lines}), 1)


# ---- losses

def test_lines_of_v6_have_the_process_before_the_thread():
    for name, v6 in (("v6-threads.nettrace", True), ("v4-activity-ids.nettrace", False)):
        events = rows("dump", check.trace(name))
        want = [(f"{e['pid']}/" if v6 and e["pid"] else "") + str(e.get("tid", "-")) for e in events]
        equal(f"{name}: threads", [line.split()[1] for line in text("dump", check.trace(name)).splitlines()], want)


def test_times_before_the_clock_was_read_are_negative():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "early.nettrace")
        with open(path, "wb") as f:
            f.write(nt6.trace([nt6.threads(nt6.thread(1)), nt6.metadata(nt6.row(1, "P", 1, "E")),
                               nt6.events([nt6.event(1, 0, 1, 10), nt6.event(1, 0, 1, 95)])], sync=100))
        for fmt, comma in (("csv", ","), ("tsv", "\t")):
            equal(fmt, text("dump", "--format", fmt, "-e", "t,ticks", path).splitlines(),
                  [comma.join(line) for line in (("t", "ticks"), ("-90", "10"), ("5", "105"))])


def test_a_filter_that_matches_nothing_says_so():
    for args, said in ((["-f", "Depth = 77777"], b"-f: matches no event\n"),
                       (["-f", "Depth = 0", "--to", "1ns"], b"-f: matches no event in this time range\n"),
                       (["-f", "tid = 999999"], b"-f: matches no event: tid = 999999\n"),
                       (["-f", "time in 5s..2s"], b"empty range"), (["-f", "Depth = 0"], b""),
                       (["--to", "1ns"], b"")):
        for command in ("stats", "dump"):
            r = check.tnav(command, *args, DEMO)
            equal(f"{command} {args}: exit code", r.code, 0)
            true(f"{command} {args}: {r.err}", said in r.err)
            equal(f"{command} {args}: said once", r.err.count(b"-f: "), said != b"")
    window = ["--from", "0.2s", "--to", "0.4s"]
    what = {row["what"]: row["value"] for row in rows("summary", *window, DEMO) if row["kind"] == "trace"}
    n = sum(row["events"] for row in rows("stats", *window, DEMO))
    equal("the summary counts the window", what["window"], f"{n:,} events in 200 ms")
    true("beside the whole trace", what["whole trace"].startswith(f"{len(rows('dump', DEMO)):,} events in "))
    # In the tour, Thread/Creating has a field ID, and a later type, Order/Start, has id.
    for trace in (check.trace("net10-eventsource-types.nettrace"), TOUR):
        r = check.tnav("dump", "-f", "id > 999", trace)
        equal("a field of payloads has the name", r.err.splitlines()[0],
              b"tnav: -f: matches no event: id > 999; the field of payloads is payload.id")
    first, last = (f"{row['t'] / 1e9:.9f}s" for row in (rows("dump", DEMO)[0], rows("dump", DEMO)[-1]))
    for args in (["--from", "99s"], ["--to", "1ns"], ["--from", "99s", "--to", "100s"]):
        for command in ("stats", "dump", "types", "threads", "spans"):
            r = check.tnav(command, *args, DEMO)
            equal(f"{command} {args}", (r.code, r.err.decode()), (0, "tnav: no event is in this "
                  f"time range; the trace has events from {first} to {last}\n"))
    equal("a range with events", check.tnav("types", "--from", first, DEMO).err, b"")
    r = check.tnav("dump", "-n", "0", "-f", "Depth = 77777", DEMO)
    equal("nobody asked for events", r.err, b"")


def test_counts_with_losses_say_so():
    gaps = rows("gaps", LOSSY)
    for command in ("stats", "types", "threads"):
        for args, at in (((), gaps), (("-f", "tid > 0"), gaps), (("--from", "0s", "--to", "2500us"),
                         [g for g in gaps if g["from"] < 2500000]),
                         (("--from", "3500us"), [g for g in gaps if g["to"] >= 3500000])):
            r = check.tnav(command, *args, LOSSY)
            said = re.findall(rb"([\d,]+) events? lost", r.err)
            equal(f"{command} {args}: lost", said, [b"%d" % sum(g["gap"] for g in at)])
        equal(f"{command}: no loss, no word",
              check.tnav(command, "-f", "n > 0", path_of("v4-activity-ids")).err, b"")


# ---- names of files

def test_the_ending_of_a_name_counts_in_any_case():
    want = {fmt: check.tnav("dump", "--format", fmt, DEMO).out for fmt in ("csv", "jsonl", "tsv")}
    with tempfile.TemporaryDirectory() as folder:
        for name, fmt, unpack in (("x.csv", "csv", None), ("X.CSV", "csv", None), ("X.Tsv", "tsv", None),
                                  ("X.CSV.GZ", "csv", "gzip"), ("x.csv.gz", "csv", "gzip"),
                                  ("X.JSONL.Zst", "jsonl", "zstd")):
            path = os.path.join(folder, name)
            equal(f"{name}: exit code", check.tnav("dump", "-o", path, DEMO).code, 0)
            got = check.read(path)
            if unpack is not None:
                got = subprocess.run([unpack, "-dcq"], input=got, capture_output=True, check=True).stdout
            true(f"{name}: the same as --format {fmt}", got == want[fmt])


def test_a_compression_that_there_is_not_is_refused():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("x.csv.bz2", "x.xz", "x.jsonl.LZ4", "x.zip"):
            path = os.path.join(folder, name)
            r = check.tnav("dump", "-o", path, DEMO)
            equal(name, (r.code, r.err.decode()), (2, f"tnav: {path}: cannot be written: "
                  "only .gz and .zst are compressed\n"))
        equal("nothing is written", os.listdir(folder), [])


if __name__ == "__main__":
    run_all(globals())
