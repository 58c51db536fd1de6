#!/usr/bin/env python3
"""NetPerf V1 and V2: files that are written here, whole, cut and damaged; and the events of recorded
V3 files, laid out as V2 has them, against the dump of the file that they come from."""
import os
import struct

import check
import np2
from check import equal, true

RUNTIME = ("Microsoft-Windows-DotNETRuntime", "e13c0d23-ccbc-4e12-931b-d9cc2eee27e4")
OWN = ("Own.Provider", "11111111-2222-3333-4444-555566667777")
I32, TEXT = 9, 18


def made(version, n=3):
    """n events of two types; what is to be seen of them."""
    w = np2.Writer(version)
    own = w.row((OWN[1], OWN[0])[version - 1], 5, 2, "Hello", 0x10, 4, [(I32, "n"), (TEXT, "s")])
    gc = w.row((RUNTIME[1], RUNTIME[0])[version - 1], 1, 1)
    events = []
    for i in range(n):
        payload = struct.pack("<i", i) + np2.utf16("x" * (i % 3))
        w.event(own, 7, 1000000 + 2 * i, payload, [0x1000 + i, 0x2000], activity=bytes([i + 1]) * 16)
        events.append(("Hello", 7, 2 * i, {"n": i, "s": "x" * (i % 3)}, [hex(0x1000 + i), "0x2000"]))
        w.event(gc, 8, 1000001 + 2 * i, struct.pack("<IIIH", i, 0, 1, 9))
        events.append(("GC/Start", 8, 2 * i + 1, None, None))
    return w, events


def whole(scratch, version):
    what = f"V{version}"
    w, want = made(version)
    path = os.path.join(scratch, f"v{version}.netperf")
    with open(path, "wb") as f:
        f.write(w.close())
    r, events = check.jsonl("dump", path)
    equal(f"{what}: exit code ({r.err})", r.code, 0)
    equal(f"{what}: stderr", r.err, b"")
    equal(f"{what}: events", [(e["name"], e["tid"], e["t"] // 1000000) for e in events],
          [x[:3] for x in want])
    for e, x in zip(events, want):
        if x[3] is not None:
            equal(f"{what}: payload", e["payload"], x[3])
            equal(f"{what}: stack", e["stack"], x[4])
            true(f"{what}: activity", "activity" in e and "related" not in e)
            equal(f"{what}: type", (e["provider"], e["id"], e["version"], e["level"], e["keywords"]),
                  ((OWN[1], OWN[0])[version - 1], 5, 2, 4, "0x10"))
        else:
            equal(f"{what}: the runtime's", (e["provider"], e["id"], e["version"]),
                  (RUNTIME[0], 1, 1))
            equal(f"{what}: its payload", e["payload"]["Count"], (e["t"] // 1000000 - 1) // 2)
    info = check.jsonl("info", path)[1][0]
    equal(f"{what}: info", [info[k] for k in (
        "format", "version", "pointerSize", "syncTime", "tickFrequency", "events", "types",
        "threads", "lost", "clean", "findings", "cut")],
        [f"NetPerf {what}", version, None, "2017-08-14T03:04:05.678Z", 1000, 6, 2, 2, None, True, 0,
         None])
    return path


def bare(scratch, version):
    """The smallest events: without payload and stack."""
    w = np2.Writer(version)
    kind = w.row((OWN[1], OWN[0])[version - 1], 5, 2, "Bare")
    for i in range(3):
        w.event(kind, 7, 1000000 + i)
    path = os.path.join(scratch, "bare.netperf")
    with open(path, "wb") as f:
        f.write(w.close())
    r, events = check.jsonl("dump", path)
    equal(f"V{version}: bare events ({r.err})", (r.code, [(e["name"], e["t"] // 1000000) for e in events]),
          (0, [("Bare", i) for i in range(3)]))


def prefixes(scratch, version):
    """Each cut file gives the events in front of the cut, and says so."""
    w, _ = made(version, 4)
    data, ends = w.close(), []
    at = 114
    while data[at] != 6 or struct.unpack_from("<i", data, at + 1)[0] != 1:
        at += 4 + struct.unpack_from("<i", data, at)[0]
        ends.append(at)
    rows = 2
    path = os.path.join(scratch, "prefix.netperf")
    for n in check.check_sample(range(len(data)), 40):
        with open(path, "wb") as f:
            f.write(data[:n])
        r = check.tnav("info", "--format", "jsonl", path)
        if n < 114:
            equal(f"V{version} cut at {n}: exit code ({r.err})", r.code, 2)
            continue
        info = check.jsonl("info", path)[1][0]
        equal(f"V{version} cut at {n}: events", info["events"],
              max(0, sum(e <= n for e in ends) - rows))
        equal(f"V{version} cut at {n}: clean", info["clean"], False)
        equal(f"V{version} cut at {n}: where", info["cut"], n)


def damaged(scratch):
    """An event that is overwritten is lost alone; so is what stands between two events."""
    w, want = made(2, 50)
    data = bytearray(w.close())
    at, starts = 114, []
    while data[at] != 6 or struct.unpack_from("<i", data, at + 1)[0] != 1:
        starts.append(at)
        at += 4 + struct.unpack_from("<i", data, at)[0]
    victim = starts[41]
    data[victim:victim + 4] = b"\xff\xff\xff\x7f"
    other = starts[31]              # this one claims to go on behind the end of the file
    data[other:other + 4] = struct.pack("<i", 1 << 24)
    data[other + 52:other + 56] = struct.pack("<i", (1 << 24) - 56)
    noise = starts[61]
    data[noise:noise] = b"noise" * 20
    path = os.path.join(scratch, "damaged.netperf")
    with open(path, "wb") as f:
        f.write(data)
    r, events = check.jsonl("dump", path)
    equal("damaged: exit code", r.code, 1)
    # Metadata ids are offsets in front of the noise, so that all events keep their types.
    equal("damaged: events", [(e["name"], e["t"] // 1000000) for e in events],
          [(x[0], x[2]) for i, x in enumerate(want) if i not in (29, 39)])
    true(f"damaged: says so: {r.err}", b"skipped" in r.err)


def too_new(scratch):
    w, _ = made(2)
    data = bytearray(w.close())
    data[27] = 9
    path = os.path.join(scratch, "new.netperf")
    with open(path, "wb") as f:
        f.write(data)
    r = check.tnav("info", path)
    equal("version 9: exit code", r.code, 2)
    true(f"version 9: {r.err}", b"version 9" in r.err and b"damaged" not in r.err)


def headers(scratch):
    """A stream header that is whole is looked at."""
    path = os.path.join(scratch, "header.netperf")
    for n, says in ((23, b"is cut inside the stream header"), (24, b"does not begin like a NetPerf file")):
        with open(path, "wb") as f:
            f.write(bytes(n))
        r = check.tnav("info", "--input-format", "netperf3", path)
        true(f"{n} bytes: {r.err}", r.code == 2 and says in r.err)


def from_v3(scratch, path):
    """The events of a V3 file as V2: the same dump, but for the process that V2 does not name."""
    name = check.stem(path)
    v3 = check.read(path)
    date = struct.unpack_from("<8hqq", v3, 46)
    w = np2.Writer(2, date[:8], date[8], date[9])
    ids, at = {}, 94 + 1
    while v3[at] == 4:
        at = at + 3 + 8 + 4 + len("EventBlock") + 1
        size = struct.unpack_from("<i", v3, at)[0]
        at = (at + 4 + 3) & ~3
        end = at + size
        while at < end:
            total, mid, tid, ts, act, rel, n = struct.unpack_from("<iiiq16s16si", v3, at)
            payload = v3[at + 56:at + 56 + n]
            stack_n = struct.unpack_from("<i", v3, at + 56 + n)[0]
            stack = v3[at + 60 + n:at + 60 + n + stack_n]
            if mid == 0:
                row_id = struct.unpack_from("<i", payload)[0]
                p = 4
                while payload[p:p + 2] != b"\0\0":
                    p += 2
                provider, rest = payload[4:p + 2], payload[p + 2:]
                event_id = struct.unpack_from("<i", rest)[0]
                q = 4
                while rest[q:q + 2] != b"\0\0":
                    q += 2
                version = struct.unpack_from("<i", rest, q + 2 + 8)[0]
                ids[row_id] = w.row_bytes(provider + struct.pack("<iii", event_id, version,
                                                                 len(rest)) + rest)
            else:
                w.raw(ids[mid], tid, ts, act, rel, payload, stack)
            at += 4 + total
        at = end + 1
    v2 = os.path.join(scratch, name + "-as-v2.netperf")
    with open(v2, "wb") as f:
        f.write(w.close())
    want = check.jsonl("dump", path)[1]
    r, got = check.jsonl("dump", v2)
    equal(f"{name} as V2: exit code ({r.err})", r.code, 0)
    for e in want:
        e.pop("pid", None)
    true(f"{name} as V2: {len(want)} events", got == want)
    for x, y in zip(got, want):
        if x != y:
            equal(f"{name} as V2: first difference", x, y)
            break


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    for version in (1, 2):
        whole(scratch, version)
        bare(scratch, version)
        prefixes(scratch, version)
    damaged(scratch)
    too_new(scratch)
    headers(scratch)
    for path in check.data_traces(scratch) + check.shared_traces():
        if path.endswith(".netperf"):
            from_v3(scratch, path)
    check.finish()


if __name__ == "__main__":
    main()
