"""A writer of NetTrace V6 traces, for the checks: block by block, as the format's text says, and
also what it forbids.

    data = trace([threads(thread(1, thread_name("main"))),
                  metadata(row(1, "P", 7, "Ev", fields(("n", type_(I32))))),
                  events([event(1, 0, 1, pay=i32(5))])])
"""
import struct

(OBJECT, BOOL, CHAR16, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64) = (
    1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14)
(DATETIME, GUID, TEXT16, ARRAY, VARI, VARU, FIXED, CHAR8, RELLOC, DATALOC, BOOL8) = (
    16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26)
TRACE, EVENT, METADATA, SEQUENCE, STACK, THREAD, REMOVE, LABEL = range(1, 9)
END = bytes(4)
MASK64 = (1 << 64) - 1


def u16(n):
    return struct.pack("<H", n)


def u32(n):
    return struct.pack("<I", n)


def i32(n):
    return struct.pack("<i", n)


def u64(n):
    return struct.pack("<Q", n & MASK64)


_BYTES = [bytes([n]) for n in range(0x80)]


def varu(n):
    if 0 <= n <= 0x7f:
        return _BYTES[n]
    out = bytearray()
    while n > 0x7f:
        out.append(n & 0x7f | 0x80)
        n >>= 7
    out.append(n)
    return bytes(out)


def vari(n):
    return varu((n << 1 ^ n >> 63) & MASK64)


def text(s):
    s = s.encode()
    return varu(len(s)) + s


def block(kind, body):
    return u32(len(body) | kind << 24) + body


def trace(blocks, keys=(), freq=10**9, sync=0, more=b"", end=END):
    """A whole file; more: what stands behind the last known field of the Trace block."""
    head = struct.pack("<8hqqii", 2026, 11, 6, 21, 12, 0, 0, 0, sync, freq, 8, len(keys))
    head += b"".join(text(k) + text(v) for k, v in keys)
    return (b"Nettrace" + u32(0) + u32(6) + u32(0) + block(TRACE, head + more) + b"".join(blocks) +
            end)


# ---- metadata

def type_(code, *rest):
    return bytes([code]) + b"".join(rest)


def fields(*of, more=b""):
    """Pairs of name and type; more: what stands behind each."""
    out = u16(len(of))
    for name, t in of:
        one = text(name) + t + more
        out += u16(len(one)) + one
    return out


def row(mid, provider, event_id, name, described=fields(), optional=b"", more=b""):
    one = (varu(mid) + text(provider) + varu(event_id) + text(name) + described +
           u16(len(optional)) + optional + more)
    return u16(len(one)) + one


def metadata(*rows, head=b""):
    return block(METADATA, u16(len(head)) + head + b"".join(rows))


# ---- threads

def thread_name(s):
    return b"\1" + text(s)


def process_id(n):
    return b"\2" + varu(n)


def thread_id(n):
    return b"\3" + varu(n)


def key_value(k, v):
    return b"\4" + text(k) + text(v)


def thread(index, *items):
    one = varu(index) + b"".join(items)
    return u16(len(one)) + one


def threads(*rows):
    return block(THREAD, b"".join(rows))


def remove(*pairs):
    return block(REMOVE, b"".join(varu(index) + varu(number) for index, number in pairs))


# ---- what events refer to

def stacks(first, *of):
    return block(STACK, u32(first) + u32(len(of)) + b"".join(
        u32(8 * len(ips)) + b"".join(map(u64, ips)) for ips in of))


def labels(first, *lists):
    """Lists of (kind, bytes)."""
    out = u32(first) + u32(len(lists))
    for one in lists:
        for kind, value in one[:-1]:
            out += bytes([kind]) + value
        out += bytes([one[-1][0] | 0x80]) + one[-1][1]
    return block(LABEL, out)


def sequence_point(ticks, flags=0, numbers=()):
    return block(SEQUENCE, u64(ticks) + u32(flags) + u32(len(numbers)) + b"".join(
        varu(index) + varu(number) for index, number in numbers))


# ---- events

def event(mid, seq, who, ticks=0, pay=b"", stack=0, label=0):
    """Compressed, with all parts; seq and ticks are added to those of the event before."""
    who = varu(who)
    return b"".join((b"\xdf", varu(mid), varu(seq), who, b"\0", who, varu(stack),
                     varu(ticks & MASK64), varu(label), varu(len(pay)), pay))


def plain_event(mid, seq, who, ticks, pay=b"", padding=b"", stack=0):
    body = struct.pack("<IIQQIIQII", mid, seq, who, who, 0, stack, ticks & MASK64, 0, len(pay))
    return u32(len(body + pay + padding)) + body + pay + padding


def events(of, compressed=True, more=b""):
    return block(EVENT, struct.pack("<hhqq", 20 + len(more), compressed, 0, (1 << 63) - 1) + more +
                 b"".join(of))
