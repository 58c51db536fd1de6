#!/usr/bin/env python3
"""--symbol-path names native code by files that have the trace's build ids, and by no others.

A library is built here, and a trace is written in which its code is in stacks, at the first byte of
each function, in its middle and at the last one. What nm says of the library is what dump has to
say, whichever way the symbols are found; a file that is only named by the trace is never read.
"""
import os
import re
import shutil
import struct
import subprocess

import check
import nt6

BASE = 0x7f1200000000
ID = "abcdef01"         # of a file that is written here
SYMBOLS, NOTES = 2, 7   # kinds of sections
LIMIT = 768 << 20
SOURCE = r"""
int shown(int x) { volatile int y = x; return y * 3 + 1; }
static int __attribute__((noinline)) hidden(int x) { volatile int y = x; return y * 5 + 2; }
int caller(int x) { return hidden(x) + shown(x) * 7; }
int a_function_with_a_long_name_that_is_shown_whole(int x) { volatile int y = x; return y - 4; }
"""


def run(*argv):
    return subprocess.run(argv, check=True, capture_output=True).stdout.decode()


def build(folder, extra="", *flags):
    """A library with symbols; its path."""
    path = os.path.join(folder, "own.c")
    with open(path, "w", encoding="utf-8") as f:
        f.write(SOURCE + extra)
    lib = os.path.join(folder, "libown.so")
    run(os.environ.get("CC", "cc").split()[-1], "-shared", "-fPIC", "-O1", "-Wl,--build-id=sha1",
        *flags, "-o", lib, path)
    return lib


def build_id(lib):
    return re.search(r"Build ID: ([0-9a-f]+)", run("readelf", "-n", lib))[1]


def functions(lib):
    """{name: (address, size)} by nm."""
    out = {}
    for line in run("nm", "-S", "--defined-only", lib).splitlines():
        m = re.fullmatch(r"([0-9a-f]+) ([0-9a-f]+) [tT] (\S+)", line)
        if m:
            out[m[3]] = int(m[1], 16), int(m[2], 16)
    return out


def code(lib):
    """(offset, address, bytes) of the segment that is run."""
    for line in run("readelf", "-lW", lib).splitlines():
        m = re.match(r"\s+LOAD\s+(0x\w+) (0x\w+) 0x\w+ (0x\w+) 0x\w+ R E", line)
        if m:
            return tuple(int(x, 16) for x in m.groups())
    return None


def text16(s):
    s = s.encode()
    return nt6.u16(len(s)) + s


def system_row(mid, event_id, name, *of):
    return nt6.row(mid, "Universal.System", event_id, name, nt6.fields(*of))


def write_trace(path, lib, file_name, frames):
    off, vaddr, size = code(lib) if lib else (0, 0, 0x1000)
    page, end = off & ~0xfff, vaddr + size
    start = BASE + vaddr - (off - page)
    v, t = nt6.type_(nt6.VARU), nt6.type_(nt6.CHAR8)
    identity = '{"type": "ELF","debug_link": "x.debug","build_id": "%s"}' % (
        build_id(lib) if lib else ID)
    mapping = (nt6.varu(1) + nt6.varu(start) + nt6.varu(BASE + end - 1) + nt6.varu(page) +
               text16(file_name) + nt6.varu(7))
    blocks = [nt6.threads(nt6.thread(1, nt6.process_id(40), nt6.thread_id(40))),
              nt6.metadata(system_row(1, 3, "ProcessMapping", ("Id", v), ("StartAddress", v),
                                      ("EndAddress", v), ("FileOffset", v), ("FileName", t),
                                      ("MetadataId", v)),
                           system_row(2, 5, "ProcessMappingMetadata", ("Id", v),
                                      ("SymbolMetadata", t), ("VersionMetadata", t)),
                           nt6.row(3, "Universal.Events", 1, "cpu", nt6.fields())),
              nt6.stacks(1, *frames) if frames else b"",
              nt6.events([nt6.event(1, 0, 1, pay=mapping),
                          nt6.event(2, 1, 1, pay=nt6.varu(7) + text16(identity) + text16(""))] +
                         [nt6.event(3, 2 + i, 1, stack=1 + i) for i in range(len(frames))])]
    with open(path, "wb") as f:
        f.write(nt6.trace(blocks))


def stacks(trace, *options):
    got, lines = check.jsonl("dump", "--symbols", *options, trace)
    return got, [e["stack"] for e in lines if e["name"] == "cpu"]


def compare(what, trace, folder, want, told=0):
    got, frames = stacks(trace, "--symbol-path", folder)
    check.equal(f"{what}: frames", frames, want)
    check.equal(f"{what}: messages", got.err.count(b"--symbol-path"), told)


def same_bytes(path, kind, sections, size):
    """An ELF file of the other byte order whose sections, of that kind, are all the same bytes."""
    note = struct.pack(">III4s4s", 4, 4, 3, b"GNU", bytes.fromhex(ID))
    at = 64 + 56 + len(note)
    section = struct.Struct(">IIQQQQIIQQ")
    head = b"\x7fELF\2\2\1" + bytes(9) + struct.pack(">HHIQQQIHHHHHH", 3, 62, 1, 0, 64, at + size, 0,
                                                      64, 56, 1, 64, sections + 2, 0)
    with open(path, "wb") as f:
        f.write(head + struct.pack(">IIQQQQQQ", 4, 4, 64 + 56, 0, 0, len(note), len(note), 4))
        f.write(note + bytes(size) + section.pack(*[0] * 10))
        f.write(section.pack(0, 3, 0, 0, at, 64, 0, 0, 1, 0))
        f.write(section.pack(0, kind, 0, 0, at, size, 1, 0, 8, 24) * sections)


def peak(trace, folder):
    """KiB that the program has at most; it is held to LIMIT."""
    with open(os.devnull, "wb") as null:
        p = subprocess.Popen(
            [*check.within(LIMIT), check.TNAV, "dump", "--symbol-path", folder, trace], stdout=null, stderr=null)
    return os.wait4(p.pid, 0)[2].ru_maxrss


def overlapping_sections(folder):
    """Files of 1.6 MB that name 10 GB: what is read of them is bounded by their size."""
    trace = os.path.join(folder, "hostile.nettrace")
    write_trace(trace, None, "libown.so", [])
    for kind in SYMBOLS, NOTES:
        same_bytes(os.path.join(folder, "libown.so"), kind, 10000, 24 * 40000)
        kib = peak(trace, folder)
        check.true(f"sections of kind {kind}: {kib} KiB", kib < LIMIT >> 12)


def headed(scratch):
    """The header of the file lies in the segment of code: a file of symbols keeps these bytes of it."""
    folder = {n: os.path.join(scratch, "headed", n) for n in ("built", "debug")}
    for path in folder.values():
        os.makedirs(path)
    lib = build(folder["built"], "", "-Wl,-z,noseparate-code")
    names = {n: v for n, v in functions(lib).items() if n in SOURCE}
    off, vaddr, _ = code(lib)
    check.equal("offset and address of the code", (off, vaddr), (0, 0))
    trace = os.path.join(scratch, "headed.nettrace")
    asked = [(n, BASE + a + d) for n, (a, size) in names.items() for d in (0, size - 1)]
    write_trace(trace, lib, "/gone/libown.so", [(a,) for _, a in asked])
    compare("a header before the code", trace, folder["built"], [[n] for n, _ in asked])
    run("objcopy", "--only-keep-debug", lib, os.path.join(folder["debug"], "libown.so.debug"))
    compare("the same, symbols alone", trace, folder["debug"], [[n] for n, _ in asked])


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    folder = {n: os.path.join(scratch, n) for n in
              ("built", "whole", "ids", "debug", "link", "other", "empty", "pipe")}
    for path in folder.values():
        os.mkdir(path)
    lib = build(folder["built"])
    names = functions(lib)
    names = {n: names[n] for n in names if n in SOURCE}
    check.equal("functions", len(names), 4)
    off, vaddr, _ = code(lib)
    asked = [(n, BASE + a + d) for n, (a, size) in names.items() for d in (0, size // 2, size - 1)]
    frames = [(a, b + 1) for (_, a), (_, b) in zip(asked, asked[::-1])]     # b is a caller
    named = [[n, m] for (n, _), (m, _) in zip(asked, asked[::-1])]
    plain = [[f"libown.so+0x{a - BASE - vaddr + off:x}" for a in f] for f in frames]
    trace = os.path.join(scratch, "native.nettrace")
    write_trace(trace, lib, lib, frames)        # the path is true, and is not followed

    check.equal("without folders", stacks(trace)[1], plain)
    compare("an empty folder", trace, folder["empty"], plain, 1)
    compare("no folder", trace, os.path.join(scratch, "none"), plain, 2)

    os.mkdir(os.path.join(folder["whole"], "deep"))
    shutil.copy(lib, os.path.join(folder["whole"], "deep", "libown.so"))
    compare("by name, deep", trace, folder["whole"], named)

    build_id_of = build_id(lib)
    at = os.path.join(folder["ids"], ".build-id", build_id_of[:2])
    os.makedirs(at)
    shutil.copy(lib, os.path.join(at, build_id_of[2:] + ".debug"))
    compare("by build id", trace, folder["ids"], named)

    # The library without its table of symbols, and the file that has it beside.
    run("objcopy", "--only-keep-debug", lib, os.path.join(folder["debug"], "libown.so.debug"))
    run("strip", "-o", os.path.join(folder["debug"], "libown.so"), lib)
    compare("symbols in a file of their own", trace, folder["debug"], named)
    os.remove(os.path.join(folder["debug"], "libown.so"))
    compare("the same alone", trace, folder["debug"], named)
    shutil.copy(os.path.join(folder["debug"], "libown.so.debug"),
                os.path.join(folder["link"], "x.debug"))
    compare("by the name of the debug link", trace, folder["link"], named)

    shutil.copy(build(folder["other"], "int more(void) { return 1; }"), folder["empty"])
    compare("another build", trace, folder["empty"], plain, 1)

    headed(scratch)

    os.mkfifo(os.path.join(folder["pipe"], "libown.so"))
    compare("a pipe of that name", trace, folder["pipe"], plain, 1)

    got, counts = check.jsonl("stats", "--by", "stack.method", "--symbol-path", folder["whole"],
                              trace)
    check.equal("stats --by stack.method", {c["stack.method"] for c in counts} - {None}, set(names))
    got, lines = check.jsonl("dump", "-e", "row", "-f", "stack ~ ^hidden$", "--symbol-path",
                             folder["empty"], "--symbol-path", folder["whole"], trace)
    check.equal("filter", len(lines), sum("hidden" in f for f in named))
    os.mkdir(os.path.join(scratch, "hostile"))
    if peak(trace, folder["whole"]) < LIMIT >> 12:      # not a sanitized program
        overlapping_sections(os.path.join(scratch, "hostile"))
    check.finish(least=15)


if __name__ == "__main__":
    main()
