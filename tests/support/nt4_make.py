"""Small NetTrace V4 files from Python, for checks that need many odd ones.

    nt4_make.trace([stacks(1, [[0x1000]]), event(10, 1, 1, stack=1), event(12, 1, 2), barrier(20, [(1, 2)])])

Events carry a thread, its number and no payload; the clock has 10**9 ticks a second, sync at 0.
"""
import struct

from nt6 import varu


def event(ts, tid, number, compressed=False, stack=0):
    return "event", compressed, ts, tid, number, stack


def stacks(first, ips):
    """Lists of addresses, the first of which has this number."""
    return "stacks", first, ips


def barrier(ts, threads):
    return "barrier", ts, threads


def obj(out, name, body):
    name = name.encode()
    out += b"\5\5\1" + struct.pack("<iii", 2, 2, len(name)) + name + b"\6"
    out += struct.pack("<i", len(body))
    out += bytes(-len(out) % 4) + body + b"\6"


def blob(mid, ts, tid, number, payload=b"", stack=0):
    fixed = struct.pack("<IIqqiiq32xi", mid, number, tid, tid, 0, stack, ts, len(payload)) + payload
    fixed += bytes(-len(fixed) % 4)
    return struct.pack("<i", len(fixed)) + fixed


def block(out, name, compressed, first, last, body):
    obj(out, name, struct.pack("<hhqq", 20, int(compressed), first, last) + body)


def runtime(provider, rows):
    """Events of a provider that the file only gives ids of, as the runtime's: (ts, tid, id, version,
    payload), in the order of time, each in a block of its own. Without a payload (None), it was lost."""
    out = bytearray(b"Nettrace\x14\0\0\0!FastSerialization.1\5\5\1")
    out += struct.pack("<iii", 4, 4, 5) + b"Trace\6"
    out += struct.pack("<8hqqiiii", 2026, 11, 6, 21, 12, 0, 0, 0, 0, 10**9, 8, 1, 1, 1) + b"\6"
    kinds = sorted({(r[2], r[3]) for r in rows})
    body = b""
    for n, (number, version) in enumerate(kinds, 1):
        row = struct.pack("<i", n) + (provider + "\0").encode("utf-16-le")
        row += struct.pack("<i", number) + "\0".encode("utf-16-le")
        body += blob(0, 0, 0, 0, row + struct.pack("<qiii", 0, version, 4, 0))
    block(out, "MetadataBlock", False, 0, 0, body)
    seen = {}
    for ts, tid, number, version, payload in rows:
        seen[tid] = seen.get(tid, 0) + 1
        if payload is None:
            continue
        body = blob(kinds.index((number, version)) + 1, ts, tid, seen[tid], payload)
        block(out, "EventBlock", False, ts, ts, body)
    return bytes(out + b"\1")


def trace(items, closed=True):
    out = bytearray(b"Nettrace\x14\0\0\0!FastSerialization.1\5\5\1")
    out += struct.pack("<iii", 4, 4, 5) + b"Trace\6"
    out += struct.pack("<8hqqiiii", 2026, 11, 6, 21, 12, 0, 0, 0, 0, 10**9, 8, 1, 1, 1) + b"\6"
    row = struct.pack("<i", 1) + "Made\0".encode("utf-16-le") + struct.pack("<i", 1)
    row += "E\0".encode("utf-16-le") + struct.pack("<qiii", 0, 0, 4, 0)
    block(out, "MetadataBlock", False, 0, 0, blob(0, 0, 0, 0, row))
    for item in items:
        if item[0] == "barrier":
            _, ts, threads = item
            body = struct.pack("<qi", ts, len(threads))
            obj(out, "SPBlock", body + b"".join(struct.pack("<qI", *x) for x in threads))
            continue
        if item[0] == "stacks":
            body = struct.pack("<II", item[1], len(item[2]))
            body += b"".join(struct.pack(f"<I{len(ips)}Q", 8 * len(ips), *ips) for ips in item[2])
            obj(out, "StackBlock", body)
            continue
        _, compressed, ts, tid, number, stack = item
        body = blob(1, ts, tid, number, stack=stack)
        if compressed:
            body = bytes([1 | 2 | 4 | 8 | 64]) + varu(1) + varu(number - 1) + varu(tid)
            body += varu(0) + varu(tid) + varu(stack) + varu(ts)
        block(out, "EventBlock", compressed, ts, ts, body)
    if closed:
        out += b"\1"
    return bytes(out)
