"""A second reader of NetTrace V4 and V5, for the checks: small, slow and independent of src/.

    trace = nt4.read(path)      trace.items is what stands in the file, in its order

It frames the objects, decodes both kinds of event headers, and keeps sequence points. A file that
is cut gives everything complete before the cut. It repairs nothing: damage ends the reading.
"""
import collections
import struct
import subprocess
import zlib

MAGIC = b"Nettrace\x14\0\0\0!FastSerialization.1"
MASK32, MASK64 = (1 << 32) - 1, (1 << 64) - 1

Event = collections.namedtuple(
    "Event", "ts tid capture seq cpu stack mid is_sorted activity related off size end order")
Barrier = collections.namedtuple("Barrier", "off ts threads")
Stacks = collections.namedtuple("Stacks", "first ips")
Object = collections.namedtuple("Object", "name version least start body end")


class Cut(Exception):
    """The bytes end before the thing does."""


class Trace:
    def __init__(self):
        self.items = []         # Event, Barrier and Stacks
        self.count = 0          # events among them
        self.objects = []       # Object, the Trace object not included
        self.header_end = 0     # of the Trace object
        self.closed = False     # the null tag was there
        self.cut = None         # where the reading ended without it
        self.error = None
        self.sync = self.freq = self.pointer = self.pid = 0

    def events(self):
        return [x for x in self.items if isinstance(x, Event)]

    def ns(self, ts):
        return (ts - self.sync) * 10**9 // self.freq

    def stacks(self):
        """The addresses of each event that has any, by its order in the file."""
        known, out = {}, {}
        for x in self.items:
            if isinstance(x, Barrier):
                known = {}
            elif isinstance(x, Stacks):
                known.update(enumerate(x.ips, x.first))
            elif x.stack in known:
                out[x.order] = known[x.stack]
        return out

    def rows(self):
        """Position in time order, ties by file order, for each event by its order in the file."""
        events = self.events()
        row = [0] * len(events)
        for at, e in enumerate(sorted(events, key=lambda e: (e.ts, e.order))):
            row[e.order] = at
        return row


def content(path):
    """The file's bytes; a .zst is decompressed."""
    if str(path).endswith(".zst"):
        return subprocess.run(["zstd", "-dcq", str(path)], check=True,
                              stdout=subprocess.PIPE).stdout
    with open(path, "rb") as f:
        return f.read()


def read(path):
    return parse(content(path))


def parse(data):
    t = Trace()
    try:
        frame(t, data)
    except (Cut, struct.error, IndexError):
        t.cut = len(data)
    except ValueError as why:
        t.error = str(why)
    t.data = data
    return t


def frame(t, data):
    if len(data) < len(MAGIC):
        raise Cut
    if not data.startswith(MAGIC):
        raise ValueError("not a NetTrace V4 file")
    at = len(MAGIC)
    name, version, least, at = object_head(data, at)
    if name != b"Trace":
        raise ValueError("the first object is not Trace")
    if least > 4:
        raise ValueError(f"version {version}, least reader {least}")
    t.sync, t.freq, t.pointer, t.pid, t.processors, t.rate = struct.unpack_from("<qqiiii", data, at + 16)
    at += 48
    if data[at] != 6:
        raise ValueError("no end of the Trace object")
    t.header_end = at = at + 1
    while True:
        if at >= len(data):
            raise Cut
        if data[at] == 1:
            t.closed = True
            return
        start = at
        name, version, least, at = object_head(data, at)
        size, = struct.unpack_from("<i", data, at)
        body = (at + 4 + 3) & ~3
        if size < 0:
            raise ValueError(f"size {size} at {at}")
        if name in (b"EventBlock", b"MetadataBlock", b"StackBlock", b"SPBlock") and least > 2:
            raise ValueError(f"{name.decode()} at {start} needs reader {least}")
        stop = min(body + size, len(data))
        if name == b"EventBlock":
            events(t, data, body, stop)
        elif name == b"SPBlock" and body + size <= len(data):
            ts, n = struct.unpack_from("<qi", data, body)
            t.items.append(Barrier(start, ts, list(struct.iter_unpack("<qI", data[body + 12:body + 12 + 12 * n]))))
        elif name == b"StackBlock" and body + size <= len(data):
            t.items.append(stacks(data, body, t.pointer))
        at = body + size
        if at >= len(data):
            raise Cut
        if data[at] != 6:
            raise ValueError(f"no end of object at {at}")
        at += 1
        t.objects.append(Object(name.decode(), version, least, start, body, at))


def stacks(data, at, pointer):
    first, count = struct.unpack_from("<ii", data, at)
    at, out = at + 8, []
    for _ in range(count):
        size, = struct.unpack_from("<i", data, at)
        form = f"<{size // pointer}{'Q' if pointer == 8 else 'I'}"
        out.append(struct.unpack_from(form, data, at + 4))
        at += 4 + size
    return Stacks(first, out)


def object_head(data, at):
    if at + 11 > len(data):
        raise Cut
    if data[at:at + 3] != b"\5\5\1":
        raise ValueError(f"no object at {at}")
    version, least, n = struct.unpack_from("<iii", data, at + 3)
    at += 15
    if at + n + 1 > len(data):
        raise Cut
    return data[at:at + n], version, least, at + n + 1


def events(t, data, at, stop):
    """The events of one block; one that is cut short is left out."""
    head, flags = struct.unpack_from("<hh", data, at)
    decode = compressed if flags & 1 else uncompressed
    t.count = decode(t.items, data, at + head, stop, t.count)


def uncompressed(out, data, at, stop, order):
    while at + 80 <= stop:
        (length, mid, seq, tid, capture, cpu, stack, ts, act, rel,
         size) = struct.unpack_from("<iIIqqiiq16s16si", data, at)
        if at + 4 + length > stop:
            break
        out.append(Event(ts, tid, capture, seq, cpu, stack, mid & 0x7fffffff, not mid >> 31,
                         act, rel, at + 80, size, at + 4 + length, order))
        order += 1
        at += 4 + length
    return order


def compressed(out, data, at, stop, order):
    mid = seq = capture = cpu = tid = stack = ts = size = 0
    act = rel = bytes(16)

    def varint():
        nonlocal at
        shift = value = 0
        while True:
            if at >= stop:
                raise Cut
            byte = data[at]
            at += 1
            value |= (byte & 0x7f) << shift
            if byte < 0x80:
                return value
            shift += 7

    try:
        while at < stop:
            flags = data[at]
            at += 1
            if flags & 1:
                mid = varint()
            if flags & 2:
                seq += varint()
                capture = varint()
                cpu = varint()
            if mid:
                seq += 1
            seq &= MASK32
            if flags & 4:
                tid = varint()
            if flags & 8:
                stack = varint()
            ts = (ts + varint()) & MASK64
            if flags & 16:
                act = data[at:at + 16]
                at += 16
            if flags & 32:
                rel = data[at:at + 16]
                at += 16
            if flags & 128:
                size = varint()
            if at + size > stop:
                break
            signed = ts - (1 << 64) if ts >> 63 else ts
            out.append(Event(signed, tid, capture, seq, cpu, stack, mid, bool(flags & 64),
                             act, rel, at, size, at + size, order))
            order += 1
            at += size
    except Cut:
        pass
    return order


def crc(data, e):
    return f"{zlib.crc32(data[e.off:e.off + e.size]):08x}"
