#!/usr/bin/env python3
"""Speed and memory of tnav as a Markdown table, each figure beside what bounds it.

    make bench [BENCH_ARGS="--runs 9 --only index,memory"] >doc/BENCHMARKS.md

Absolute times say nothing on a shared machine: the ratios count. Every figure is the median of
several runs, floor and index taking turns. Parts: index, query, dump, memory, spans, stacks,
reports, reference, screen, names, ui, busy, line, live. Big files go to $TMPDIR (else /var/tmp)
and are removed; 3 GB must be free there, 12 GB with --huge.
"""
import argparse
import fcntl
import json
import os
import platform
import pty
import re
import select
import shutil
import resource
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time

import beside
import make_heap
import live

TNAV = os.path.abspath(os.environ.get("TNAV") or "tnav")
TOOLS = os.path.join(os.path.dirname(TNAV), "tests", "bench")
TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SHARED = os.environ.get("TNAV_SHARED") or os.path.join(TOP, "..", "shared")
BIG = os.path.join(SHARED, "traces", "big")
MIXED = os.path.join(BIG, "net10-mixed-100MB.nettrace.zst")
# Of the other formats: what it is, its file, is its sort by time apart from the goal?
OTHERS = (("V6 of 85 MB", "v6-perf-sched-85MB.nettrace.zst", False),
          ("Heph of 81 MB", "heph-requests-81MB.heph.zst", True))

# Questions about every event: what it is, the goal as a multiple of `tnav info` on two cores, the
# arguments of `stats`. One that a trace has no events for stands under the other traces only.
QUERIES = {
    "real V4 of 105 MB": (
        ("by type", 1.5, ("-f", "name = Sample")),
        ("by provider", 1.5, ("-f", "provider ~ SampleProfiler")),
        ("by time", 1.5, ("-f", "t in 2s..4s")),
        ("by thread", 2.2, ("-f", "tid = 27")),
        ("by a number of the header", 2.2, ("-f", "seq > 100000")),
        ("by a numeric field", 2.5, ("-f", "payload.bytes > 1000000")),
        ("by a regex with a literal on one field", 2.5, ("-f", 'TypeName ~ "String"')),
        ("by a regex with a literal on many texts", 2.5, ("-f", "route ~ orders/30092")),
        ("by /text/, rare", 3, ("-f", "/orders\\/300922/")),
        ("by /text/, frequent", 3, ("-f", "/returned/")),
        ("by /text/ without a literal", 12, ("-f", "/[A-Z]{3}\\d+/")),
        ("by an address of the stack", 4, ("-f", "stack ~ 7f5bce9ad45e")),
        ("--by F --sum G --pct 99:G", 4, ("--by", "status", "--sum", "ms", "--pct", "99:ms")),
    ),
    "V6 of 85 MB": (
        ("by type", 1.5, ("-f", "name = sched_switch")),
        ("by time", 1.5, ("-f", "t in 10s..20s")),
        ("by thread", 2.2, ("-f", "tid = 13")),
        ("by a number of the header", 2.2, ("-f", "cpu = 1")),
        ("by a numeric field", 2.5, ("-f", "common_pid > 30000")),
        ("by /text/, rare", 3, ("-f", "/da_write/")),
        ("by /text/ without a literal", 12, ("-f", "/[A-Z]{3}\\d+/")),
        ("--by F --sum G --pct 99:G", 4,
         ("--by", "common_preempt_count", "--sum", "common_pid", "--pct", "99:common_pid")),
    ),
    "Heph of 81 MB": (
        ("by type", 1.5, ("-f", "name = 'parse request'".replace("'", '"'))),
        ("by thread", 2.2, ("-f", "tid = 1")),
        ("by duration", 2.2, ("-f", "dur > 1ms")),
        ("by /text/, rare", 3, ("-f", "/comm_actor/")),
        ("by /text/ without a literal", 12, ("-f", "/[A-Z]{3}\\d+/")),
        ("--by F --sum G --pct 99:G", 4, ("--by", "name", "--sum", "dur", "--pct", "99:dur")),
    ),
    "made": (
        ("by type", 1.5, ("-f", 'name ~ "[37]$"')),
        ("by time", 1.5, ("-f", "t in 1s..2s")),
        ("by thread", 2.2, ("-f", "tid = 1003")),
        ("by a number of the header", 2.2, ("-f", "seq > 100000")),
        ("by a numeric field", 2.5, ("-f", "count > 100")),
        ("by /text/, rare", 3, ("-f", "/nothingofthekind/")),
        ("by /text/ without a literal", 12, ("-f", "/[A-Z]{3}\\d+/")),
    ),
}
# Of 10 GB the last one alone would take an hour; what it costs an event is seen at 1 GB.
QUERIES["made, large"] = QUERIES["made"][:-1]
MIB = 1 << 20
SCREEN_LIMIT_S = 20


def tool(name, *args):
    done = subprocess.run([os.path.join(TOOLS, name), *args], check=True, stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def wall(args):
    start = time.monotonic()
    subprocess.run(args, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def wall_and_processor(args):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = wall(args)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return took, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def two_at_once(path):
    """How much faster than one after the other this machine does two floors: 2 at the best."""
    one = tool("floor", "-n", "3", path)["median"]
    args = [os.path.join(TOOLS, "floor"), "-n", "3", path]
    pair = [subprocess.Popen(args, stdout=subprocess.PIPE) for _ in range(2)]
    both = max(json.loads(p.communicate()[0])["median"] for p in pair)
    return 2 * one / both


def output_bytes(args):
    """How much a command prints."""
    with subprocess.Popen(args, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL) as p:
        total = 0
        while chunk := p.stdout.read(MIB):
            total += len(chunk)
    return total


def peak_anonymous(args):
    """The highest RssAnon that was seen, in bytes; the mapping's page cache is not in it."""
    with subprocess.Popen(args, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as p:
        peak = 0
        while p.poll() is None:
            try:
                with open(f"/proc/{p.pid}/status", encoding="ascii") as f:
                    for line in f:
                        if line.startswith("RssAnon:"):
                            peak = max(peak, int(line.split()[1]) * 1024)
            except (FileNotFoundError, ProcessLookupError):
                break
            time.sleep(0.002)
    return peak


def first_screen(path, marker=b"row "):
    """Seconds from the start of the program to the end of the first frame with rows in it."""
    start = time.monotonic()
    pid, fd = pty.fork()
    if pid == 0:
        os.environ["TERM"] = "xterm-256color"
        fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        os.execv(TNAV, [TNAV, path])
    took, seen = None, b""
    try:
        while time.monotonic() - start < SCREEN_LIMIT_S:
            ready, _, _ = select.select([fd], [], [], 0.25)
            if not ready:
                continue
            try:
                chunk = os.read(fd, 65536)
            except OSError:
                break
            seen += chunk
            if marker in seen and not select.select([fd], [], [], 0)[0]:
                took = time.monotonic() - start
                break
        os.write(fd, b"Q")
        deadline = time.monotonic() + 5
        while time.monotonic() < deadline:
            if select.select([fd], [], [], 0.1)[0]:
                try:
                    if not os.read(fd, 65536):
                        break
                except OSError:
                    break
            if os.waitpid(pid, os.WNOHANG)[0]:
                pid = 0
                break
    except OSError:
        pass
    finally:
        os.close(fd)
        if pid:
            try:
                if not os.waitpid(pid, os.WNOHANG)[0]:
                    os.kill(pid, signal.SIGKILL)
                    os.waitpid(pid, 0)
            except ChildProcessError:
                pass
    return took


class Viewer:
    """The viewer in a pseudo-terminal of which the bench decides how fast it is read."""

    def __init__(self, path, marker=b"row "):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
            os.execve(TNAV, [TNAV, path], {**os.environ, "TERM": "xterm-256color",
                                           "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": "/dev/null/none"})
        seen, until = b"", time.monotonic() + SCREEN_LIMIT_S
        while marker not in seen and time.monotonic() < until:
            seen += self.take(65536, 0.25)
        while self.take(65536, 0.5):
            pass

    def take(self, most, timeout):
        if not select.select([self.fd], [], [], timeout)[0]:
            return b""
        try:
            return os.read(self.fd, most)
        except OSError:
            return b""

    def end(self, sig, limit=SCREEN_LIMIT_S):
        """Seconds from a signal to the end of the process; nobody reads the terminal."""
        start = time.monotonic()
        os.kill(self.pid, sig)
        while time.monotonic() - start < limit:
            if os.waitpid(self.pid, os.WNOHANG)[0]:
                self.pid = 0
                break
            time.sleep(0.002)
        took = time.monotonic() - start
        self.close()
        return took

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.pid = 0
        os.close(self.fd)


def slow_line(path, rate=77000 // 8, pages=90, hertz=30):
    """Seconds from the last of 90 page-downs to silence, over a line of 77 kbit/s; and the bytes."""
    viewer = Viewer(path)
    start, sent, total, last, allowed = time.monotonic(), 0, 0, 0.0, 0.0
    keys_end = pages / hertz
    while True:
        now = time.monotonic() - start
        while sent < pages and sent / hertz <= now:
            os.write(viewer.fd, b" ")
            sent += 1
        allowed = min(allowed + rate * 0.01, rate * 0.1)
        chunk = viewer.take(max(1, int(allowed)), 0)
        allowed -= len(chunk)
        total += len(chunk)
        if chunk:
            last = time.monotonic() - start
        elif sent == pages and now > max(last, keys_end) + 1:
            break
        if now > SCREEN_LIMIT_S:
            break
        time.sleep(0.01)
    viewer.close()
    return max(0.0, last - keys_end), total


def stalled_exit(path):
    """Seconds from SIGTERM to the end when the terminal has stopped reading."""
    viewer = Viewer(path)
    os.set_blocking(viewer.fd, False)
    for _ in range(300):
        try:
            os.write(viewer.fd, b"  bb")
        except BlockingIOError:
            break
        time.sleep(0.002)
    return viewer.end(signal.SIGTERM)


class Bench:
    def __init__(self, runs, scratch):
        self.runs, self.scratch = runs, scratch

    def row(self, what, figure, bound, ratio, goal):
        print(f"| {what} | {figure} | {bound} | {ratio} | {goal} |", flush=True)

    def note(self, text):
        print(text, file=sys.stderr, flush=True)

    def make(self, name, *args):
        path = os.path.join(self.scratch, name)
        self.note(f"making {name}")
        return path, tool("make-trace", *args, "-o", path)

    def index(self, what, path, sort_apart=False):
        floors, ones, twos, walls, walls2 = [], [], [], [], []
        for _ in range(self.runs):
            floor = tool("floor", "-n", "1", path)
            floors.append(floor["best"])
            ones.append(tool("index", "-n", "1", "-j", "1", path))
            twos.append(tool("index", "-n", "1", "-j", "2", path)["best"])
            walls.append(wall([TNAV, "info", "-j", "1", path]))
            walls2.append(wall([TNAV, "info", "-j", "2", path]))
        events, size = floor["events"], floor["bytes"]
        if ones[0]["events"] != events:
            self.note(f"{what}: the index has {ones[0]['events']} events, the floor {events}")
        floor = statistics.median(floors)
        one = statistics.median(x["best"] for x in ones)
        two = statistics.median(twos)

        def figure(s):
            return f"{s * 1000:.1f} ms, {s * 1e9 / events:.1f} ns/event, {size / s / 1e9:.2f} GB/s"

        self.row(f"decode floor, {what} ({events:,} events)", figure(floor), "-", "-", "-")
        if sort_apart:
            sort = statistics.median(x["sort"] for x in ones)
            self.row(f"scan of index -j1, {what}", figure(one - sort), "decode floor",
                     f"{(one - sort) / floor:.2f}", "≤ 1.5")
            self.row(f"its sort by start, {what}", figure(sort), "decode floor",
                     f"{sort / floor:.2f}", "-")
        self.row(f"index -j1, {what}", figure(one), "decode floor", f"{one / floor:.2f}",
                 "-" if sort_apart else "≤ 1.5")
        self.row(f"index -j2, {what}", figure(two),
                 f"index -j1 (two floors at once: {two_at_once(path):.2f} ×)",
                 f"{one / two:.2f} × faster", "-" if sort_apart else "≥ 1.8")
        for n, times in ((1, walls), (2, walls2)):
            t = statistics.median(times)
            self.row(f"`tnav info -j{n}`, whole process, {what}", f"{t * 1000:.1f} ms",
                     "decode floor", f"{t / floor:.2f}", "-")

    def query(self, what, path, which):
        """Each question beside `tnav info` of the same run: whole processes on two cores."""
        queries = [q for q in QUERIES[which] if self.can_ask(path, q)]
        info, one, two = [], {q[0]: [] for q in queries}, {q[0]: [] for q in queries}
        for _ in range(self.runs):
            info.append(wall([TNAV, "info", "-j", "2", path]))
            for name, _, args in queries:
                two[name].append(wall([TNAV, "stats", "-j", "2", *args, path]))
                one[name].append(wall([TNAV, "stats", "-j", "1", *args, path]))
        info = statistics.median(info)
        for name, goal, _ in queries:
            t2, t1 = statistics.median(two[name]), statistics.median(one[name])
            self.row(f"`stats` {name}, {what}", f"{t2 * 1000:.0f} ms, -j1 {t1 * 1000:.0f} ms",
                     f"`tnav info` {info * 1000:.0f} ms",
                     f"{t2 / info:.2f}; {t1 / t2:.2f} × faster on two", f"≤ {goal}")

    def can_ask(self, path, query):
        done = subprocess.run([TNAV, "stats", *query[2], path], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if done.returncode:
            self.note(f"{query[0]}: not asked: {done.stderr.strip()}")
        return done.returncode == 0

    def dump(self, what, path):
        def took(form, jobs):
            args = [TNAV, "dump", "--format", form, "-j", jobs, path]
            return statistics.median(wall(args) for _ in range(self.runs))
        for form, name in (("jsonl", "JSON lines"), ("csv", "CSV"), ("tsv", "TSV")):
            size = output_bytes([TNAV, "dump", "--format", form, path])
            t1, t2 = took(form, "1"), took(form, "2")
            self.row(f"dump to {name}, {what}", f"{t1:.2f} s, -j2 {t2:.2f} s for {size / 1e6:.0f} MB",
                     f"-j1 {size / t1 / 1e6:.0f} MB/s (≥ 600)", f"{t1 / t2:.2f} × faster on two",
                     "≥ 1.8")

    def memory(self, what, path):
        size = os.path.getsize(path)
        goal = 64 * MIB + size // 100
        peak = statistics.median(peak_anonymous([TNAV, "info", path])
                                 for _ in range(max(3, self.runs // 2)))
        self.row(f"peak anonymous memory, {what} ({size / 1e6:.0f} MB)",
                 f"{peak / MIB:.1f} MiB", f"{goal / MIB:.1f} MiB", f"{peak / goal:.2f}", "≤ 1")

    def beside_info(self, what, path, commands):
        """Commands with their goals beside the index: whole processes on two cores, turn by turn."""
        info, took = [], [[] for _ in commands]
        for _ in range(self.runs):
            info.append(wall([TNAV, "info", "-j", "2", path]))
            for times, (args, _) in zip(took, commands):
                times.append(wall([TNAV, *args, "-j", "2", path]))
        index = statistics.median(info)
        for times, (args, goal) in zip(took, commands):
            t = statistics.median(times)
            self.row(f"`tnav {' '.join(args)}`, {what}", f"{t * 1000:.0f} ms",
                     f"`tnav info` {index * 1000:.0f} ms", f"{t / index:.2f}", f"≤ {goal}" if goal else "")

    def spans(self, what, path, goal):
        """What pairing costs."""
        self.beside_info(what, path, ((["spans"], goal), (["activities"], 4)))
        size = os.path.getsize(path)
        for args, bound in ((["spans"], 64 * MIB + size // 100),
                            (["spans", "--list"], 64 * MIB + size // 100),
                            (["activities"], 64 * MIB + 4 * size)):
            peak = peak_anonymous([TNAV, *args, path])
            self.row(f"peak anonymous memory of `tnav {' '.join(args)}`, {what}",
                     f"{peak / MIB:.1f} MiB", f"{bound / MIB:.1f} MiB", f"{peak / bound:.2f}",
                     "≤ 1")

    def stacks(self):
        """What adding up stacks costs beside the index, symbols included: whole processes, two cores."""
        for what, packed in (("real V4 of 105 MB", MIXED),
                             *((w, os.path.join(BIG, n)) for w, n, _ in OTHERS)):
            if not os.path.exists(packed) or packed.endswith(".heph.zst"):
                continue
            path = self.unpack(packed)
            self.stacks_of(what, path)
            os.unlink(path)

    def cuts(self, what, path):
        """The middle 1 % of a trace as a trace, and all of it."""
        out = subprocess.run([TNAV, "types", "--format", "jsonl", path], check=True, capture_output=True).stdout
        end = max(json.loads(x).get("last") or 0 for x in out.splitlines())
        self.beside_info(what, path, ((["cut", "--from", f"{end // 200 * 100}ns", "--to",
                                        f"{end // 200 * 102}ns", "-o", "/dev/null"], 1.5),
                                      (["repair", "-o", "/dev/null"], 10)))

    def converted(self, what, path):
        """All of a trace in the forms of other tools, each to a file of its own."""
        out = os.path.join(self.scratch, "converted")
        self.beside_info(what, path, [(["convert", "--to", to, "-o", out], None) for to in ("folded", "pprof")] +
                         [(["dump", "-o", out + ".parquet"], None)])
        for name in (out, out + ".parquet"):
            os.unlink(name)

    def cuts_all(self):
        for what, packed in (("real V4 of 105 MB", MIXED),
                             *((w, os.path.join(BIG, n)) for w, n, _ in OTHERS)):
            if os.path.exists(packed) and not packed.endswith(".heph.zst"):
                path = self.unpack(packed)
                self.cuts(what, path)
                self.converted(what, path)
                os.unlink(path)

    def stacks_of(self, what, path):
        self.beside_info(what, path, ((["stacks"], 4),
                                      (["stacks", "--fold", "--weight", "count"], 4),
                                      (["stacks", "--tree", "--weight", "time"], 4)))
        for weight in ("samples", "count"):
            runs = [tool("ui-bench", "--calls", path, weight) for _ in range(max(3, self.runs // 2))]

            def middle(get):
                return statistics.median(get(x) for x in runs)
            index, complete = middle(lambda x: x["index"]), middle(lambda x: x["complete"])
            self.row(f"first calls by {weight} on the screen, {what}",
                     f"{middle(lambda x: x['first']) * 1000:.0f} ms",
                     f"{middle(lambda x: x['cpu']) * 1000:.0f} ms of processors", "-", "≤ 100 ms")
            self.row(f"all calls by {weight} on the screen, {what}", f"{complete * 1000:.0f} ms",
                     f"index {index * 1000:.0f} ms", f"{complete / index:.2f}", "≤ 4")
            for i, key in enumerate(("redraw", "a key that moves", "a key that zooms")):
                self.row(f"flame graph by {weight}, {key}, 200x50, {what}",
                         f"p99 {middle(lambda x, i=i: x['flame'][i]):.2f} ms", "-", "-", "≤ 16 ms")

    def reports(self, quick):
        """Each report, also where the trace has none of its events, and stacks of a large trace."""
        with open(os.path.join(TOP, "include", "tnav", "analysis", "report.h")) as f:
            names = re.findall(r"REPORT\((\w+),", f.read())
        for what, packed in (("real V4 of 105 MB", MIXED),
                             *((w, os.path.join(BIG, n)) for w, n, _ in OTHERS)):
            if os.path.exists(packed):
                path = self.unpack(packed)
                self.beside_info(what, path, [([n], 4) for n in names] + [(["diagnose"], 5)])
                os.unlink(path)
        what, path = self.large(quick)
        self.beside_info(what, path, [([n], 4) for n in names])
        self.stacks_of(what, path)
        os.unlink(path)

    def large(self, quick):
        """The real V4 trace ten times over; a made one where it is not there."""
        times, size = ("2", "100M") if quick else ("10", "1G")
        if not os.path.exists(MIXED):
            return f"made trace of {size}B", self.make("reports.nettrace", "--size", size,
                                                       "--stacks", "0.3/16")[0]
        one, path = self.unpack(MIXED), os.path.join(self.scratch, "large.nettrace")
        tool("repeat-trace", "-n", times, "-o", path, one)
        os.unlink(one)
        return f"real V4 of 105 MB, {times} times over", path

    def reference(self):
        """The reference library doing the same on the same files; what both find has to be equal."""
        program, why = beside.build(self.scratch)
        if program is None:
            self.note(f"The reference library was not measured: {why}.")
            return
        v4 = os.path.join(SHARED, "traces", "v4")
        for kind, packed in (("gc", MIXED), ("stacks", MIXED),
                             ("gc", os.path.join(v4, "net10-gc.nettrace")),
                             ("jit", os.path.join(v4, "net10-jit-rundown.nettrace")),
                             ("stacks", os.path.join(v4, "net10-sampler.nettrace"))):
            if not os.path.exists(packed):
                continue
            path = self.unpack(packed) if packed.endswith(".zst") else packed
            ours, theirs, found = beside.compare(TNAV, program, kind, path, self.runs)
            same = f"both found {found[0]:,}" if found[0] == found[1] else \
                f"**not equal**: {found[0]:,} and {found[1]:,}"
            self.row(f"`tnav {kind}`, {os.path.basename(path)}", f"{ours * 1000:.0f} ms",
                     f"the reference {theirs * 1000:.0f} ms; {same}", f"{theirs / ours:.1f} × faster", "-")
            if path != packed:
                os.unlink(path)

    def spans_all(self, quick):
        for what, packed in (("real V4 of 105 MB", MIXED),
                             *((w, os.path.join(BIG, n)) for w, n, _ in OTHERS)):
            if os.path.exists(packed):
                path = self.unpack(packed)
                self.spans(what, path, 3)
                os.unlink(path)
        n = 10**6 if quick else 10**7
        made = f"made trace of {n // 10**6} M spans"
        for what, more in ((made, ()), (f"{made}, 100,000 activities", ("--activities", "100K"))):
            path, _ = self.make("spans.nettrace", "--spans", "--events", str(2 * n), *more)
            self.spans(what, path, 6)
            os.unlink(path)
        path, _ = self.make("spans.heph", "--format", "heph", "--events", str(n))
        self.spans(f"made Heph trace of {n // 10**6} M spans", path, 6)
        os.unlink(path)

    def heaps(self, quick):
        """Walks of the heap: time beside tnav info, memory for each object."""
        n = 10**5 if quick else 2 * 10**6
        for shape in "groups", "chain":
            path = os.path.join(self.scratch, "heap.nettrace")
            make_heap.write(path, n, shape == "chain")
            info = statistics.median(wall([TNAV, "info", path]) for _ in range(self.runs))
            took, spent = (statistics.median(x) for x in zip(*(
                wall_and_processor([TNAV, "heap", "--format", "jsonl", path]) for _ in range(self.runs))))
            most = 4 * info + n / 2e6
            self.row(f"`tnav heap`, {n:,} objects, {shape}",
                     f"{took * 1000:.0f} ms, processor time {spent * 1000:.0f} ms", f"4 × info + 1 s per 2 M "
                     f"objects: {most * 1000:.0f} ms", f"{took / most:.2f}", "≤ 1")
            peak = peak_anonymous([TNAV, "heap", "--format", "jsonl", path])
            self.row(f"peak anonymous memory of it, {shape}", f"{peak / MIB:.1f} MiB", "-",
                     f"{peak / n:.0f} bytes an object", "≤ 100")
            os.unlink(path)

    def memory_made(self, events, name):
        path, _ = self.make(f"memory-{name}.nettrace", "--events", str(events),
                            "--small-payloads", "--loss", "0.001")
        self.memory(f"{name} events", path)
        os.unlink(path)

    def unpack(self, packed):
        path = os.path.join(self.scratch, os.path.basename(packed)[:-len(".zst")])
        subprocess.run(["zstd", "-dqf", packed, "-o", path], check=True)
        return path

    def others(self, parts):
        """The formats that make-trace does not write."""
        for what, name, sort_apart in OTHERS:
            packed = os.path.join(BIG, name)
            if not os.path.exists(packed):
                continue
            path = self.unpack(packed)
            if "index" in parts:
                self.index(what, path, sort_apart)
            if "query" in parts:
                self.query(what, path, what)
            if "memory" in parts:
                self.memory(what, path)
            os.unlink(path)

    def screen(self, what, path):
        bare = statistics.median(wall([TNAV, "--version"]) for _ in range(self.runs))
        times = [first_screen(path) for _ in range(self.runs)]
        if None in times:
            self.row(f"first screen, {what}", "no screen", "-", "-", "≤ 150 ms")
            return
        t = statistics.median(times)
        self.row(f"first screen, {what}", f"{t * 1000:.0f} ms", f"`tnav --version` {bare * 1000:.0f} ms",
                 f"{t / bare:.1f}", "≤ 150 ms")


    def ui(self, what, path):
        runs = [tool("ui-bench", path, "name ~ 7$") for _ in range(max(3, self.runs // 2))]

        def middle(get):
            return statistics.median(get(x) for x in runs)
        for name, get in (("jump to a row", lambda x: x["jump"]), ("scroll a page", lambda x: x["scroll"]),
                          ("redraw, the whole trace", lambda x: x["redraw"][0]),
                          ("redraw, 1/64 of it", lambda x: x["redraw"][1]),
                          ("redraw, 1/262144 of it", lambda x: x["redraw"][2])):
            self.row(f"{name}, 200x50, {what}", f"p99 {middle(get):.2f} ms", "-", "-", "≤ 16 ms")
        index, took = middle(lambda x: x["index"]), middle(lambda x: x["filter"])
        self.row(f"name filter, {what} ({runs[0]['hits']:,} hits)", f"{took * 1000:.0f} ms",
                 f"index {index * 1000:.0f} ms", f"{index / took:.2f} of its rate", "≥ 0.8")
        self.row(f"first hit of it on the screen, {what}", f"{middle(lambda x: x['first']) * 1000:.0f} ms",
                 "-", "-", "≤ 100 ms")

    def busy(self, what, path):
        """Keys, Esc and a search while a filter, a search and a tally run, each without an end."""
        runs = [tool("ui-bench", "--busy", path, r"/[a-z]\d[2-7]/", r"[A-Z]{3}\d+", "tid")
                for _ in range(max(3, self.runs // 2))]

        def middle(key, i):
            return statistics.median(x[key][i] for x in runs)
        self.row(f"a key while a filter, a search and a tally run, 200x50, {what}",
                 f"p50 {middle('key', 0):.1f} ms, p99 {middle('key', 1):.1f} ms",
                 f"p99 without waiting for a processor {middle('key', 2):.1f} ms", "-", "≤ 16 ms")
        for i, name in enumerate(("the filter", "the search", "the tally", "all of them")):
            self.row(f"Esc until {name} has stopped, longest of 10, {what}",
                     f"{middle('stop', i):.1f} ms", "-", "-", "≤ 50 ms")
        self.row(f"first hit of a text 0.9 % after the cursor, beside filter and tally, {what}",
                 f"{middle('hit', 0):.1f} ms, longest of 9 {middle('hit', 1):.1f} ms", "-", "-",
                 "≤ 100 ms")

    def names(self, what, path, goal="≤ 1"):
        """Names of code beside the index of the same process, and what a stack costs."""
        args = ("-n", str(self.runs))
        one, two = tool("names", *args, "-j", "1", path), tool("names", *args, "-j", "2", path)
        for n, x in ((1, one), (2, two)):
            self.row(f"names -j{n}, {what} ({x['methods']:,} methods, {x['symbols']:,} symbols)",
                     f"{x['names'] * 1000:.1f} ms", f"index {x['index'] * 1000:.1f} ms",
                     f"{x['names'] / x['index']:.2f}", goal)
        self.row(f"threads and processes -j2, {what}", f"{two['roles'] * 1000:.1f} ms",
                 f"index {two['index'] * 1000:.1f} ms", f"{two['roles'] / two['index']:.2f}", "≤ 1")
        if one["stacks"]:
            self.row(f"naming a stack of {one['frames'] / one['stacks']:.0f} frames, {what}",
                     f"{one['naming'] / one['stacks'] * 1e6:.1f} µs", f"{one['stacks']:,} stacks",
                     f"{one['naming'] / one['frames'] * 1e9:.0f} ns a frame", "≤ 20 µs")
        size = os.path.getsize(path)
        most = 64 * MIB + 4 * size
        peak = peak_anonymous([os.path.join(TOOLS, "names"), "-n", "1", path])
        self.row(f"peak anonymous memory with names, {what}", f"{peak / MIB:.1f} MiB",
                 f"{most / MIB:.1f} MiB", f"{peak / most:.2f}", "≤ 1")

    def all_names(self, quick):
        for what, name in (("real trace of 105 MB", MIXED),
                           ("V6 of 85 MB", os.path.join(BIG, OTHERS[0][1]))):
            if os.path.exists(name):
                path = self.unpack(name)
                self.names(what, path)
                os.unlink(path)
        methods = 10**5 if quick else 10**6
        path = os.path.join(self.scratch, "methods.nettrace")
        subprocess.run([os.path.join(TOOLS, "names"), "-m", str(methods), path], check=True)
        self.names("a made trace", path, "-")       # it is nothing but methods
        os.unlink(path)

    def line(self, what, path):
        settle = [slow_line(path) for _ in range(max(3, self.runs // 2))]
        self.row(f"90 pages down at 30 Hz over 77 kbit/s, {what}",
                 f"settled {statistics.median(s for s, _ in settle):.2f} s after the last key",
                 "-", f"{statistics.median(b for _, b in settle):,.0f} bytes", "≤ 2.5 s")
        took = statistics.median(stalled_exit(path) for _ in range(self.runs))
        self.row(f"end by SIGTERM, the terminal has stalled, {what}", f"{took * 1000:.0f} ms", "-", "-",
                 "≤ 500 ms")


def compiler():
    cc = (os.environ.get("CC") or "cc").split()
    try:
        done = subprocess.run([*cc, "--version"], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()[0]
    except (OSError, subprocess.CalledProcessError, IndexError):
        return "unknown compiler"


def main():
    args = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    args.add_argument("--runs", type=int, default=5, help="of each figure (default 5)")
    args.add_argument("--only", default="index,query,dump,memory,spans,stacks,cut,reports,heap,reference,screen,"
                      "names,ui,busy,line,live",
                      help="parts, with commas")
    args.add_argument("--quick", action="store_true", help="smaller files: 100 MB and 10 M events at the most")
    args.add_argument("--huge", action="store_true",
                      help="also questions about a file of 10 GB, and the viewer on it")
    args = args.parse_args()
    parts = set(args.only.split(","))
    scratch = tempfile.mkdtemp(prefix="tnav-bench-", dir=os.environ.get("TMPDIR") or "/var/tmp")
    bench = Bench(args.runs, scratch)
    try:
        print("# Benchmarks\n\nMade by `make bench`. Ratios count; absolute times are those of one "
              "machine on one day.\n")
        print(f"{len(os.sched_getaffinity(0))} cores, {platform.machine()}, {compiler()}; median of "
              f"{args.runs} runs, files in the page cache. Load at the start: "
              f"{os.getloadavg()[0]:.1f}.\n")
        print("| what | figure | bound | ratio | goal |\n|---|---|---|---|---|", flush=True)
        mixed = None
        if parts & {"index", "query", "dump"} and os.path.exists(MIXED):
            mixed = bench.unpack(MIXED)
            if "index" in parts:
                bench.index("real trace of 105 MB", mixed)
            if "query" in parts:
                bench.query("real trace of 105 MB", mixed, "real V4 of 105 MB")
        if parts & {"index", "query", "screen", "dump", "busy"}:
            sizes = ["10M", "100M"] if args.quick else ["10M", "100M", "1G"]
            for size in sizes:
                what = f"made trace of {size}B"
                if size != sizes[-1] and "screen" not in parts and not ("dump" in parts and size == "100M"):
                    continue
                path, _ = bench.make(f"made-{size}.nettrace", "--size", size, "--stacks", "0.3/16")
                if "index" in parts and size == sizes[-1]:
                    bench.index(what, path)
                if "query" in parts and size == sizes[-1]:
                    bench.query(what, path, "made")
                if "busy" in parts and size == sizes[-1]:
                    bench.busy(what, path)
                if "dump" in parts and size == "100M":
                    bench.dump("real trace of 105 MB" if mixed else what, mixed or path)
                if "screen" in parts:
                    bench.screen(what, path)
                os.unlink(path)
        if parts & {"query", "busy", "cut"} and args.huge:
            path, _ = bench.make("made-10G.nettrace", "--size", "10G", "--stacks", "0.3/16")
            if "query" in parts:
                bench.query("made trace of 10GB", path, "made, large")
            if "busy" in parts:
                bench.busy("made trace of 10GB", path)
            if "cut" in parts:
                bench.cuts("made trace of 10GB", path)
            os.unlink(path)
        if parts & {"index", "query", "memory"}:
            bench.others(parts)
        if "names" in parts:
            bench.all_names(args.quick)
        if parts & {"ui", "line"}:
            events = 10**6 if args.quick else 10**8
            path, _ = bench.make("viewer.nettrace", "--events", str(events), "--small-payloads",
                                 "--loss", "0.001")
            what = f"{events // 10**6} M events"
            if "ui" in parts:
                bench.ui(what, path)
            if "line" in parts:
                bench.line(what, path)
            os.unlink(path)
        if "spans" in parts:
            bench.spans_all(args.quick)
        if "stacks" in parts:
            bench.stacks()
        if "cut" in parts:
            bench.cuts_all()
        if "reports" in parts:
            bench.reports(args.quick)
        if "heap" in parts:
            bench.heaps(args.quick)
        if "live" in parts:
            live.bench(bench.row, bench.note, TNAV, SHARED, scratch, args.runs, 3 if args.quick else 10)
        if "reference" in parts:
            bench.reference()
        if "memory" in parts:
            for events, name in ((10**6, "1 M"), (10**7, "10 M"), (10**8, "100 M"))[:2 if args.quick else 3]:
                bench.memory_made(events, name)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
