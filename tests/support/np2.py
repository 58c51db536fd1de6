"""NetPerf V1 and V2 files from Python: one object that holds all events (doc/formats/netperf3.md).

    w = Writer(2)
    t = w.row("Provider", 1, 0, name="E", fields=[(9, "n")])
    w.event(t, tid=7, ts=1000001, payload=b"\\1\\0\\0\\0", stack=[0x1000])
    data = w.close()
"""
import struct
import uuid

NAME = b"Microsoft.DotNet.Runtime.EventPipeFile"


def utf16(s):
    return s.encode("utf-16-le") + b"\0\0"


class Writer:
    def __init__(self, version, date=(2017, 8, 0, 14, 3, 4, 5, 678), ts=1000000, freq=1000):
        self.version = version
        self.out = bytearray(struct.pack("<i", 20) + b"!FastSerialization.1\4\4\1")
        self.out += struct.pack("<iii", version, 0, len(NAME)) + NAME + b"\6"
        self.out += struct.pack("<i8hqq", 0, *date, ts, freq)

    def raw(self, metadata, tid, ts, activity, related, payload, stack):
        at = len(self.out)
        body = struct.pack("<iiq16s16si", metadata, tid, ts, activity, related, len(payload))
        body += payload + struct.pack("<i", len(stack)) + stack
        self.out += struct.pack("<i", len(body)) + body
        return at

    def row(self, provider, event_id, event_version, name=None, keywords=0, level=0, fields=()):
        """The id that events of the type have. provider: a name, of V1 a GUID as text."""
        row = uuid.UUID(provider).bytes_le if self.version == 1 else utf16(provider)
        more = b""
        if name is not None:
            more = struct.pack("<i", event_id) + utf16(name)
            more += struct.pack("<qiii", keywords, event_version, level, len(fields))
            more += b"".join(struct.pack("<i", code) + utf16(field) for code, field in fields)
        row += struct.pack("<iii", event_id, event_version, len(more)) + more
        return self.row_bytes(row)

    def row_bytes(self, row):
        return self.raw(0, 0, 0, bytes(16), bytes(16), row, b"")

    def event(self, metadata, tid, ts, payload=b"", stack=(), activity=bytes(16),
              related=bytes(16)):
        addresses = b"".join(struct.pack("<Q", a) for a in stack)
        self.raw(metadata, tid, ts, activity, related, payload, addresses)

    def close(self):
        end = len(self.out)
        self.out += b"\6" + struct.pack("<ii", 1, end) + struct.pack("<ii", end + 1, end + 9)
        return bytes(self.out)
