#!/usr/bin/env python3
"""The scheduler's tracepoints of perf traces by a second decoder.

The kernel writes them as C structures, which are unpacked here from the raw payloads. What tnav says
must be the same wherever it says it: dump, dump -e, stats and filters, by either name of a field; and
nothing else of the event may change.
"""
import collections
import os
import re
import struct
import subprocess

import check

COMMON = "<HBBi"
LAYOUTS = {
    "sched_switch": (COMMON + "16siiq16sii", ("prev_comm", "prev_pid", "prev_prio", "prev_state",
                                              "next_comm", "next_pid", "next_prio")),
    "sched_wakeup": (COMMON + "16siii", ("comm", "pid", "prio", "target_cpu")),
}
PART = 20000        # events of the large trace


def text(v):
    return v.split(b"\0")[0].decode("utf-8", "replace") if isinstance(v, bytes) else v


def unpacked(e):
    """What the kernel wrote, or None."""
    if e["provider"] != "sched" or e["name"] not in LAYOUTS:
        return None
    layout, names = LAYOUTS[e["name"]]
    raw, size = bytes.fromhex(e["raw"]), struct.calcsize(layout)
    if len(raw) not in (size, (size + 4 + 7) // 8 * 8 - 4) or any(raw[size:]):
        return None
    values = struct.unpack(layout, raw[:size])
    if values[0] != e["id"]:
        return None
    return dict(zip(names, map(text, values[4:])))


def compare(path, extra):
    name = check.stem(path)
    _, events = check.jsonl("dump", "--raw", *extra, path)
    seen = collections.Counter()
    for e in events:
        want = unpacked(e)
        seen[e["name"]] += want is not None
        check.equal(f"{name} row {e['row']}: builtin", e.get("builtin"), want)
        if want is None:
            continue
        keys = list(e)
        check.equal(f"{name} row {e['row']}: it stands behind the payload",
                    keys.index("builtin") - keys.index("payload"), 1)
        check.equal(f"{name} row {e['row']}: the payload ends where it is declared to",
                    (list(e["payload"])[:4], e["undecoded"]),
                    (["common_type", "common_flags", "common_preempt_count", "common_pid"],
                     e["size"] - 9))
    switches = [(e, unpacked(e)) for e in events if e["name"] == "sched_switch"]
    check.true(f"{name}: it has some", len(switches) > 1000 and seen["sched_switch"] ==
               len(switches))
    return [(e, b) for e, b in switches if b]


def ask(path, extra, switches):
    """Columns, groups and filters."""
    name = check.stem(path)
    common = collections.Counter(b["next_comm"] for _, b in switches).most_common()
    pid = collections.Counter(b["prev_pid"] for _, b in switches).most_common(2)[-1][0]
    for field in ("next_comm", "builtin.next_comm"):
        only = ["-f", "name = sched_switch", *extra]
        _, rows = check.jsonl("dump", "-e", f"row,{field}", *only, path)
        check.equal(f"{name}: -e {field}", [(r["row"], r[field]) for r in rows],
                    [(e["row"], b["next_comm"]) for e, b in switches])
    if not extra:
        _, rows = check.jsonl("stats", "--by", "next_comm", "-f", "name = sched_switch", path)
        check.equal(f"{name}: stats", {r["next_comm"]: r["events"] for r in rows}, dict(common))
    last = switches[-1][0]["row"]
    for expr, test in (
            (f"prev_pid = {pid}", lambda b: b["prev_pid"] == pid),
            (f"builtin.prev_pid != {pid}", lambda b: b["prev_pid"] != pid),
            (f'next_comm = "{common[0][0]}"', lambda b: b["next_comm"] == common[0][0]),
            ("builtin.prev_state > 0", lambda b: b["prev_state"] > 0),
            ("builtin.prev_comm ~ swapper", lambda b: "swapper" in b["prev_comm"].lower()),
            ("has next_prio", lambda b: True), ("has builtin", lambda b: True),
            ("not has builtin", lambda b: False)):
        r = check.tnav("dump", "--format", "tsv", "-e", "row", "-f",
                       f"{expr} and name = sched_switch and row in ..{last + 1}", path)
        check.equal(f"{name}: {expr}", [int(x) for x in r.out.split()[1:]],
                    [e["row"] for e, b in switches if test(b)])


def lines(path, extra):
    """The same as text: what a row shows, and what /regex/ searches."""
    name = check.stem(path)
    _, events = check.jsonl("dump", "--raw", *extra, path)
    r = check.tnav("dump", "--format", "text", *extra, path)
    rows = r.out.decode().splitlines()
    check.equal(f"{name}: lines", len(rows), len(events))
    want = {}
    for e, line in zip(events, rows):
        b = unpacked(e)
        said = "" if b is None else \
            " builtin={" + " ".join(f"{k}={v}" for k, v in b.items()) + "}"
        check.equal(f"{name} row {e['row']}: as text",
                    line[line.find(" builtin={"):] if " builtin={" in line else "",
                    said + line[line.rfind("}") + 1:] if said else "")
        if b is not None:
            want[e["row"]] = said
    some = sorted(want.items())[:: max(1, len(want) // 5)]
    for row, said in some:
        pattern = "^.*" + re.escape(said).replace("/", "\\/")
        r = check.tnav("dump", "--format", "tsv", "-e", "row", "-f",
                       f"/{pattern}/ and row in ..{max(want) + 1}", path)
        check.equal(f"{name}: /{pattern}/", [int(x) for x in r.out.split()[1:]],
                    [k for k, v in sorted(want.items()) if said in v])


def mistakes(path):
    for expr, says in (("next_pod = 1", b"near: builtin.next_pid"),
                       ("builtin.next_pod = 1", b"near: builtin.next_pid"),
                       ("builtin = 1", b"builtin is an object with fields: builtin."),
                       ("builtin ~ x", b"builtin is an object")):
        r = check.tnav("dump", "-f", expr, path)
        check.equal(f"{expr}: exit code", r.code, 2)
        check.true(f"{expr}: {r.err}", says in r.err)


def elsewhere(path):
    r = check.tnav("stats", "-f", "has builtin", path)
    check.equal("has builtin where there is none", (r.code, r.err),
                (0, b'tnav: -f: no event in this trace has "builtin"\n'))


def main():
    check.need_shared()
    check.need_tnav()
    small = check.first_shared("v6/perf-tracepoints-labels.nettrace", "v6/cut-tracepoints.nettrace")
    ask(small, [], compare(small, []))
    lines(small, [])
    mistakes(small)
    elsewhere(check.first_shared("v6/perf-on-off-cpu.nettrace", "v6/cut-on-off-cpu.nettrace"))
    elsewhere(check.first_shared("v4/net10-gc.nettrace"))
    if check.whole_shared():
        large()
    check.finish(least=1000)


def large():
    big = os.path.join(check.temp_dir(), "sched.nettrace")
    subprocess.run(["zstd", "-dq", check.first_shared("big/v6-perf-sched-85MB.nettrace.zst"), "-o", big],
                   check=True)
    part = ["-n", str(PART)]
    seen = compare(big, part)
    ask(big, ["-n", str(len(seen))], seen)
    lines(big, part)


if __name__ == "__main__":
    main()
