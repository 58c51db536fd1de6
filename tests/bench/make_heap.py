"""A made walk of the heap, of any size, written as it is made.

    chain   each object refers to the next one: as deep as it is long
    groups  arrays of 100 objects, all held by one array
"""
import os
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import nt4_make  # noqa: E402

RUNTIME = "Microsoft-Windows-DotNETRuntime"
KINDS = ((1, 2), (2, 1), (15, 0), (16, 0), (18, 0), (19, 0))
BASE, SIZE, PART = 1 << 20, 32, 2000        # of the first object; of each; elements of an event
GROUP = 100


def references(i, n, chain):
    """The objects that object i refers to."""
    if chain:
        return range(i + 1, min(i + 2, n))
    if i == 0:
        return range(1, n, GROUP + 1)
    return range(i + 1, min(i + GROUP + 1, n)) if (i - 1) % (GROUP + 1) == 0 else range(0)


def parts(n, chain):
    """Payloads of the events of nodes, then of references."""
    values = struct.Struct("<4Q")
    for index, first in enumerate(range(0, n, PART)):
        some = range(first, min(first + PART, n))
        yield 4, struct.pack("<IIH", index, len(some), 1) + b"".join(
            values.pack(BASE + SIZE * i, SIZE, 1 + (i % 2), len(references(i, n, chain))) for i in some)
    values, index, held = struct.Struct("<QI"), 0, []
    for i in range(n):
        held.extend(references(i, n, chain))
        while len(held) >= PART or (i == n - 1 and held):
            some, held = held[:PART], held[PART:]
            yield 5, struct.pack("<IIH", index, len(some), 1) + b"".join(values.pack(BASE + SIZE * j, 0) for j in some)
            index += 1


def write(path, n, chain):
    def events():
        yield 0, struct.pack("<IIIIHQ", 1, 2, 1, 0, 1, 0)
        yield from parts(n, chain)
        yield 3, struct.pack("<IIH", 0, 1, 1) + struct.pack("<QBIQ", BASE, 2, 0, 0)
        yield 1, struct.pack("<IIH", 1, 2, 1)
        for i, name in ((1, "Made.Even"), (2, "Made.Odd")):
            yield 2, struct.pack("<IH", 1, 1) + struct.pack("<QQIIB", i, 0, 0, 0, 0) + (
                name + "\0").encode("utf-16-le") + struct.pack("<I", 0)
    out = bytearray(nt4_make.runtime(RUNTIME, [(1, 2, *k, None) for k in KINDS])[:-1])
    with open(path, "wb") as f:
        for number, (kind, payload) in enumerate(events(), 1):
            nt4_make.block(out, "EventBlock", False, number, number,
                           nt4_make.blob(kind + 1, number, 1, number, payload))
            whole = len(out) & ~7                   # blocks are aligned
            f.write(out[:whole])
            del out[:whole]
        f.write(out + b"\1")


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), sys.argv[3] == "chain")
