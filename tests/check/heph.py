#!/usr/bin/env python3
"""Every Heph trace of ../shared against the second reader there; the rest of the command line on
the small one of tests/data, whose dump is also a golden file."""
import collections
import os
import subprocess
import sys

import check
from check import equal, true

OWN = "actors-1worker.heph"


def second_reader(path):
    """The other program reads our dump and says how it differs."""
    name = check.stem(path)
    r = check.tnav("dump", "--format", "jsonl", path)
    equal(f"{name}: exit code", r.code, 0)
    equal(f"{name}: stderr", r.err, b"")
    tool = os.path.join(check.SHARED, "tools", "heph2jsonl.py")
    done = subprocess.run([sys.executable, tool, path, "--compare"], input=r.out,
                          capture_output=True)
    equal(f"{name}: {done.stdout.decode()[-600:]}{done.stderr.decode()[-300:]}", done.returncode, 0)


def command_line(path):
    name = check.stem(path)
    r, events = check.jsonl("dump", path)
    equal(f"{name}: exit code", r.code, 0)
    equal(f"{name}: keys", list(events[0]), [
        "row", "t", "ticks", "dur", "provider", "name", "tid", "seq", "stream", "substream",
        "size", "payload"])
    true(f"{name}: ticks are t and one epoch", len({e["ticks"] - e["t"] for e in events}) == 1)
    true(f"{name}: by start", all(a["t"] <= b["t"] for a, b in zip(events, events[1:])))
    true(f"{name}: the stream is the thread", all(e["tid"] == e["stream"] for e in events))
    # The counters of a stream are 0, 1, 2, ... in the order of the file: nothing is lost.
    _, in_file = check.jsonl("dump", "--order", "file", path)
    streams = collections.defaultdict(list)
    for e in in_file:
        streams[e["stream"]].append(e["seq"])
    for stream, numbers in streams.items():
        equal(f"{name}: counters of stream {stream}", numbers, list(range(len(numbers))))
    _, gaps = check.jsonl("gaps", path)
    equal(f"{name}: gaps", gaps, [])
    _, facts = check.jsonl("info", path)
    equal(f"{name}: info", (facts[0]["format"][:4], facts[0]["events"], facts[0]["clean"],
          facts[0]["threads"], facts[0]["lost"]), ("Heph", len(events), True, len(streams), 0))
    _, chosen = check.jsonl("dump", "-e", "dur,stream,substream,name", path)
    equal(f"{name}: chosen fields", chosen,
          [{k: e[k] for k in ("dur", "stream", "substream", "name")} for e in events])
    _, long = check.jsonl("dump", "-f", "dur > 1us", path)
    equal(f"{name}: longer than a microsecond", [e["row"] for e in long],
          [e["row"] for e in events if e["dur"] > 1000])


def attributes(path):
    """No type declares attributes: the events do. A name that none has is an error."""
    name = check.stem(path)
    _, events = check.jsonl("dump", path)
    by_type = collections.defaultdict(set)
    for e in events:
        by_type[e["name"]].update(e["payload"])
    _, types = check.jsonl("types", path)
    for t in types:
        equal(f"{name}: fields of {t['name']}", sorted(f.rsplit(":", 1)[0] for f in t["fields"]),
              sorted(by_type[t["name"]]))
        equal(f"{name}: each once", len(t["fields"]), len(set(t["fields"])))
    some = max((k for of in by_type.values() for k in of), key=len)
    for wrong in (some[1] + some[0] + some[2:], some + "x"):
        for args in (("-f", f"payload.{wrong} = 1"), ("-e", wrong)):
            r = check.tnav("dump", *args, path)
            equal(f"{name}: {args}: exit code", r.code, 2)
            true(f"{name}: {args}: {r.err}", f'unknown field "{wrong}" (near: {some}'.encode() in r.err)
    for field in {k for of in by_type.values() for k in of}:
        _, found = check.jsonl("dump", "-f", f'has payload."{field}"', path)
        equal(f"{name}: has {field}", [e["row"] for e in found],
              [e["row"] for e in events if field in e["payload"]])
    for expr, key, value in (("stream = 1", "stream", 1), ("substream = 0", "substream", 0)):
        r, found = check.jsonl("dump", "-f", expr, path)
        equal(f"{name}: {expr}", (r.err, [e["row"] for e in found]),
              (b"", [e["row"] for e in events if e[key] == value]))


def a_lost_span(path, scratch):
    """Without its third packet the trace has a gap of one, on that packet's stream."""
    data = check.read(path)
    at, events = 0, []
    while at < len(data):
        size = int.from_bytes(data[at + 4:at + 8], "big")
        if data[at:at + 4] == b"\xc1\xfc\x1f\xb7":
            events.append((at, size, int.from_bytes(data[at + 8:at + 12], "big")))
        at += size
    by_stream = collections.defaultdict(list)
    for e in events:
        by_stream[e[2]].append(e)
    stream, packets = max(by_stream.items(), key=lambda s: len(s[1]))
    at, size, _ = packets[2]
    lossy = os.path.join(scratch, "lossy.heph")
    with open(lossy, "wb") as f:
        f.write(data[:at] + data[at + size:])
    r, gaps = check.jsonl("gaps", lossy)
    equal("a lost span: exit code", r.code, 0)
    equal("a lost span: gaps", [(g["gap"], g["tid"], g["stream"], g["why"]) for g in gaps],
          [(1, stream, stream, "gap")])
    _, lines = check.jsonl("dump", "--gaps", lossy)
    equal("a lost span: in the dump", [g for g in lines if "gap" in g], gaps)
    equal("a lost span: lost", sum(e.get("lost", 0) for e in lines if "row" in e), 1)


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    own = check.trace(OWN, scratch)
    command_line(own)
    attributes(own)
    a_lost_span(own, scratch)
    for path in check.all_shared_traces():
        if path.endswith(".heph"):
            second_reader(path)
    check.finish()


if __name__ == "__main__":
    main()
