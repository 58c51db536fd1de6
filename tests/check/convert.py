#!/usr/bin/env python3
"""`tnav convert`: every format is whole, and the formats of a profile say the same as `stacks --fold`.

A second program (tools/validate/convcheck.py) reads each file strictly and reduces it to folded stacks.
"""
import collections
import importlib.util
import os

import check

PROFILES = {"folded": "x.folded", "speedscope": "x.speedscope.json", "pprof": "x.pb.gz"}
SMALL, LARGE = 20, 5


def convcheck():
    path = os.path.join(check.SHARED, "tools", "validate", "convcheck.py")
    spec = importlib.util.spec_from_file_location("convcheck", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def convert(path, to, *args):
    if os.path.exists(to):
        os.unlink(to)
    r = check.tnav("convert", "-o", to, *args, path)
    check.equal(f"convert {to} {' '.join(args)} {path}: a file or a reason", os.path.exists(to), r.code < 2)
    check.true(f"convert {path}: one line says what was done: {r.err}", r.err)
    return os.path.exists(to)


def read(reader, form, path, what):
    """The folded stacks in a file, which must be right."""
    reader.BAD.clear()
    out, note = getattr(reader, form)(reader.content(path), None)
    check.equal(f"{what} as {form}", reader.BAD, [])
    return collections.Counter({k: v for k, v in out.items() if v and ";" in k}), note


def folded(text):
    out = collections.Counter()
    for line in text.decode().splitlines():
        stack, n = line.rsplit(" ", 1)
        if ";" in stack:        # one without frames is told differently by each format
            out[stack] += int(n)
    return out


def profiles(reader, path, scratch, *args):
    """All formats of a profile have the stacks of `stacks --fold`."""
    got = {}
    for form, name in PROFILES.items():
        to = os.path.join(scratch, name)
        if not convert(path, to, *args):
            return 0
        got[form] = read(reader, form, to, f"{path} {' '.join(args)}")[0]
    for form in ("speedscope", "pprof"):
        check.equal(f"{path} {' '.join(args)}: {form} is folded", got[form], got["folded"])
    return got["folded"]


def every(reader, path, scratch):
    """Any event may be a sample."""
    want = folded(check.tnav("stacks", "--fold", "--weight", "count", path).out)
    got = profiles(reader, path, scratch, "--stacks", "row >= 0")
    if not got:
        return 0
    check.equal(f"{path}: all events", got, want)
    profiles(reader, path, scratch, "--stacks", "row >= 0", "--weight", "time")
    return 1


def samples(reader, path, scratch):
    """Samples are those of the trace's sampler, and their sum is their number."""
    want = folded(check.tnav("stacks", "--fold", path).out)
    check.equal(f"{path}: samples", profiles(reader, path, scratch), want)
    times = folded(check.tnav("stacks", "--fold", "--weight", "time", path).out)
    got = profiles(reader, path, scratch, "--weight", "time")
    check.true(f"{path}: time is at most that to the next sample", all(got[k] <= times[k] for k in got))
    window = ("--from", "1s", "-f", "tid != 12")
    part = folded(check.tnav("stacks", "--fold", "--to", "2s", *window, path).out)
    check.equal(f"{path}: a part", profiles(reader, path, scratch, "--to", "2s", *window), part)


def refused(scratch):
    """What cannot be converted leaves no file, and says why."""
    path, to = check.trace("net10-eventsource-types.nettrace"), os.path.join(scratch, "no.folded")
    for args, why in (((), b"--stacks EXPR"), (("--to", "chrom"), b"neither a format nor a time"),
                      (("--stacks", "tid = 99999999"), b"matches none"), (("--to", "2s", "--from", "3s"), b"--from")):
        r = check.tnav("convert", "-o", to, *args, path)
        check.equal(f"refused {args}", (r.code, os.path.exists(to), why in r.err), (2, False, True))
    r = check.tnav("convert", "-o", os.path.join(scratch, "x.out"), path)
    check.equal("no format", (r.code, b"--to FORMAT" in r.err), (2, True))
    copy = os.path.join(scratch, "over.folded")
    with open(copy, "wb") as f:
        f.write(check.read(path))
    r = check.tnav("convert", "--to", "folded", "--stacks", "row >= 0", "-o", copy, copy)
    check.equal("over its input", (r.code, check.read(copy)), (3, check.read(path)))
    check.equal("to a pipe", check.tnav("convert", "--to", "pprof", "-o", "-", "--stacks", "row >= 0", path).out[:2],
                b"\x1f\x8b")


def main():
    check.need_tnav()
    check.need_shared()
    reader, scratch = convcheck(), check.temp_dir()
    samples(reader, check.first_shared("v4/net10-sampler.nettrace"), scratch)
    samples(reader, check.first_shared("v6/perf-on-off-cpu.nettrace", "v6/cut-on-off-cpu.nettrace"), scratch)
    done = check.check_useful(lambda path: every(reader, path, scratch), check.all_data_traces(scratch), SMALL, LARGE)
    check.true("traces with stacks", done)
    refused(scratch)
    check.finish(60)


main()
