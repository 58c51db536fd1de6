#!/usr/bin/env python3
"""Traces that arrive compressed, through a pipe or on standard input: the same bytes are printed
and the same exit code is given as for the plain file."""
import gzip
import os
import shutil
import struct
import subprocess
import zlib

import check
from check import equal, true

ARGS = ("dump", "--format", "jsonl", "--crc", "--gaps")
SMALL, LARGE = 6, 2     # traces of a sample
TOOLS = {"zst": ("zstd", "-qc"), "gz": ("gzip", "-c")}


def piped(*command, args=ARGS):
    """command | tnav ARGS -"""
    with subprocess.Popen(command, stdout=subprocess.PIPE) as p:
        return check.tnav(*args, "-", stdin=p.stdout)


def same(what, r, plain):
    equal(f"{what}: exit code", r.code, plain.code)
    true(f"{what}: the same output", r.out == plain.out)
    equal(f"{what}: lines on stderr", len(r.err.splitlines()), len(plain.err.splitlines()))


def one(path, scratch):
    name = check.stem(path)
    plain = check.tnav(*ARGS, path)
    with open(path, "rb") as f:
        same(f"{name} on standard input", check.tnav(*ARGS, "-", stdin=f), plain)
    same(f"{name} through a pipe", piped("cat", path), plain)
    for ending, (tool, *options) in TOOLS.items():
        packed = os.path.join(scratch, f"{name}.{ending}")
        with open(packed, "wb") as f:
            subprocess.run([tool, *options, path], stdout=f, check=True)
        same(f"{name}, {ending}", check.tnav(*ARGS, packed), plain)
        same(f"{name}, {ending} through a pipe", piped("cat", packed), plain)
        os.unlink(packed)


def every_command(path):
    """They say the same of a pipe, but for the name of the file."""
    for command in ("info", "types", "threads", "stats", "gaps", "check"):
        plain = check.tnav(command, "--format", "jsonl", path)
        r = piped("cat", path, args=(command, "--format", "jsonl"))
        equal(f"{command} -: exit code", r.code, plain.code)
        want = plain.out.decode().replace(f'"file":"{path}"', '"file":"-"')
        equal(f"{command} -: output", r.out.decode(), want)
    same("tnav -", piped("cat", path, args=()), check.tnav(path))


def a_fifo(path, scratch):
    fifo = os.path.join(scratch, "fifo")
    os.mkfifo(fifo)
    with subprocess.Popen([shutil.which("sh"), "-c", 'cat "$1" >"$2"', "sh", path, fifo]):
        same("a FIFO by its name", check.tnav(*ARGS, fifo), check.tnav(*ARGS, path))


def slowly(path):
    """Two bytes, then the rest after a while: what is not there yet is waited for."""
    script = 'head -c 2 "$1"; sleep 0.3; tail -c +3 "$1"'
    same("a slow pipe", piped("sh", "-c", script, "sh", path), check.tnav(*ARGS, path))


def cut_short(path, scratch):
    """A compressed file that ends early: what came before is shown, and it is said."""
    packed = os.path.join(scratch, "cut.gz")
    with open(packed, "wb") as f:
        subprocess.run(["gzip", "-c", path], stdout=f, check=True)
    os.truncate(packed, os.path.getsize(packed) // 2)
    r, lines = check.jsonl("dump", packed)
    equal("a cut gzip file: exit code", r.code, 1)
    true("a cut gzip file: events", lines)
    true(f"a cut gzip file: says so: {r.err}", r.err)


def several_members(path, scratch):
    """A compressed file may be several, one behind the other, and what is to be skipped."""
    data = check.read(path)
    half = len(data) // 2
    skipped = b"\x50\x2a\x4d\x18" + struct.pack("<I", 5) + b"notes"
    plain = check.tnav(*ARGS, path)
    for ending, (tool, *options) in TOOLS.items():
        parts = [subprocess.run([tool, *options], input=b, stdout=subprocess.PIPE, check=True).stdout
                 for b in (data[:half], data[half:])]
        if ending == "zst":
            parts = [skipped, parts[0], skipped, parts[1]]
        packed = os.path.join(scratch, "members." + ending)
        with open(packed, "wb") as f:
            f.write(b"".join(parts))
        same(f"several members, {ending}", check.tnav(*ARGS, packed), plain)
        with open(packed, "ab") as f:
            f.write(b"no member")
        r = check.tnav(*ARGS, packed)
        equal(f"something behind the last member, {ending}: exit code", r.code, 1)
        true(f"something behind the last member, {ending}: all events", r.out == plain.out)
        true(f"something behind the last member, {ending}: {r.err}", b"is damaged" in r.err)


def damaged_inside(path, scratch):
    """All that can be unfolded in front of the damage is there."""
    packed = os.path.join(scratch, "damaged.gz")
    with open(path, "rb") as f:
        data = bytearray(gzip.compress(f.read()))
    data[len(data) // 2:len(data) // 2 + 6] = b"\xff" * 6
    with open(packed, "wb") as f:
        f.write(data)
    unfold, want, damaged = zlib.decompressobj(31), 0, False
    try:
        for byte in data:
            want += len(unfold.decompress(bytes([byte])))
    except zlib.error:
        damaged = True
    true("a damaged gzip file: is damaged", damaged)
    r, lines = check.jsonl("info", packed)
    equal("a damaged gzip file: exit code", r.code, 1)
    equal("a damaged gzip file: size", lines[0]["size"], want)


def refusals(scratch):
    for n in (2, 12):
        head = os.path.join(scratch, "head.gz")
        with open(head, "wb") as f:
            f.write(b"\x1f\x8b\x08\0\0\0\0\0\0\3\0\0"[:n])
        r = check.tnav("info", head)
        equal(f"{n} bytes of gzip: exit code", r.code, 2)
        true(f"{n} bytes of gzip: {r.err}", b"cut short" in r.err)
    for what, data in (("nothing", b""), ("text", b"hello\n"), ("noise", bytes(range(200, 256)))):
        junk = os.path.join(scratch, "junk")
        with open(junk, "wb") as f:
            f.write(data)
        r = piped("cat", junk)
        equal(f"{what} through a pipe: exit code", r.code, 2)
        equal(f"{what} through a pipe: stdout", r.out, b"")
        equal(f"{what} through a pipe: one line: {r.err}", len(r.err.splitlines()), 1)
        true(f"{what} through a pipe: {r.err}", r.err.startswith(b"tnav: standard input: "))


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    own = check.all_data_traces(scratch)
    have = {check.stem(p) for p in own}
    paths = own + [p for p in check.all_shared_traces() if check.stem(p) not in have]
    for path in check.check_traces(paths, SMALL, LARGE):
        one(path, scratch)
    good = check.trace("net10-eventsource-types.nettrace")
    every_command(good)
    a_fifo(good, scratch)
    slowly(good)
    cut_short(good, scratch)
    several_members(good, scratch)
    damaged_inside(os.path.join(check.DATA, "demo.nettrace"), scratch)
    refusals(scratch)
    check.finish(least=15 * SMALL)


if __name__ == "__main__":
    main()
