#!/usr/bin/env python3
"""`tnav attach` in a pseudo-terminal against a stand-in for a runtime (tests/support/live): events on the
screen as they arrive, following and pausing, stop, keep, discard, what is left after each fault, and that
it is stopped once. No test waits for a time: what is waited for is text on the screen. With names of
checks only these are made: in a build for TSan, check_stop check_leave check_signal check_earlier check_since
check_since_again go through every thread of a session."""
import json
import os
import re
import signal
import struct
import sys
import tempfile

import check
import nt4
import nt4_make
import screen
from expect import Fake
from stage import BIG, TRACE


class Attached:
    """A stand-in, and the viewer on it."""

    def __init__(self, scratch, *args, fake=(), before=(), trace=TRACE):
        self.folder = tempfile.mkdtemp(dir=scratch)
        self.state = os.path.join(self.folder, "state")
        self.fake = Fake(self.folder, trace=trace, args=fake)
        self.screen = screen.Screen([*before, check.TNAV, "attach", str(self.fake.pid), *args], 24, 100, {
            "TMPDIR": self.folder, "XDG_STATE_HOME": self.state, "LC_ALL": "C.UTF-8"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.screen.close()
        self.fake.__exit__()

    def spools(self):
        """What lies in the folder of what was received."""
        live = os.path.join(self.state, "tnav", "live")
        if not os.path.isdir(live):
            return []
        check.equal("mode of the folder", os.stat(live).st_mode & 0o777, 0o700)
        found = check.received(self.state)
        for name in found:
            check.equal(f"{name}: mode", os.stat(os.path.join(live, name)).st_mode & 0o777, 0o600)
        return list(found.values())

    def stops(self, so_far=False):
        """What stops it was asked for: so far, or in all, which ends it."""
        if not so_far:
            self.fake.end()
        return self.fake.stops()

    def end(self, what, code, kept, stops=1):
        """Its end: the exit code, what lies in the folder, how often it was stopped."""
        check.equal(f"{what}: exit code", self.screen.finish(), code)
        check.true(f"{what}: what is kept is what was sent", self.spools() == kept)
        check.equal(f"{what}: stops", len(self.stops()), stops)


def sent(trace=TRACE):
    return check.read(trace)


def check_folders(scratch):
    """A folder in which somebody else could put something is not received into, nor is a link's."""
    for what, spoil in (
            ("a state folder of all", lambda state: os.chmod(state, 0o777)),
            ("a link", lambda state: os.symlink("/tmp", os.path.join(state, "live"))),
            ("a folder of a group", lambda state: (os.mkdir(os.path.join(state, "live")),
                                                   os.chmod(os.path.join(state, "live"), 0o770))),
            ("a file", lambda state: open(os.path.join(state, "live"), "wb").close())):
        folder = tempfile.mkdtemp(dir=scratch)
        state = os.path.join(folder, "tnav")
        os.mkdir(state, 0o700)
        spoil(state)
        with Fake(folder, trace=TRACE) as fake, screen.Screen(
                [check.TNAV, "attach", str(fake.pid)], 24, 100,
                {"TMPDIR": folder, "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8"}) as s:
            check.equal(f"{what}: exit code", s.finish(), 3)
            check.true(f"{what}: {s.text()!r}", "no private folder" in s.text())
            check.true(f"{what}: no start", "ollect" not in str(fake.requests()))


def check_stop(scratch):
    """Stopped from within; the trace is complete and stays on the screen."""
    with Attached(scratch) as a:
        a.screen.wait("[live")
        a.screen.ask("q", "s stop, decide later")
        a.screen.ask("s", "the trace is complete", gone=("[live", "[stopping"))
        rows = check.tnav("info", "--format", "jsonl", TRACE).out
        check.true("stop: all events are told", b'"events":' in rows)
        a.screen.ask("q", "k keep the trace")
        a.screen.send("k")
        a.end("stop and keep", 0, [sent()])
    with Attached(scratch) as a:
        a.screen.wait("[live")
        a.screen.ask("q", "k keep the trace")
        a.screen.send("Q")
        a.end("Q as an answer", 0, [sent()])


def check_usual(scratch):
    """What is asked for unless it is said: one session, without stacks and samples. Keywords: GC 1, Loader 8,
    Jit 10, Contention 4000, Exception 8000, Threading 10000."""
    with Attached(scratch) as a:
        a.screen.wait("[live")
        a.screen.send("Q")
        a.end("usual", 0, [sent()])
        asked = [r["asked"] for r in a.fake.starts()]
        check.equal("usual: sessions", len(asked), 1)
        check.true("usual: no stacks", asked[0]["stacks"] is False)
        check.equal("usual: providers",
                    {(p["name"], p["keywords"], p["level"], p["args"]) for p in asked[0]["providers"]},
                    {(RUNTIME, 0x1c019, 4, ""), ("System.Runtime", 2**64 - 1, 4, "EventCounterIntervalSec=1")})


def check_record_stacks(scratch):
    """Ctrl-T ends a session without stacks, keeps it, and begins one with stacks and samples, once."""
    with Attached(scratch) as a:
        a.screen.wait("[live")
        a.screen.ask(":pane calls\r", "this session records no stacks (Ctrl-T begins one that does)")
        a.screen.ask("\x14", "_stacks.nettrace", "[live")
        a.screen.ask("\x14:messages\r", "this session records stacks")     # others may follow it
        a.screen.send("Q")
        check.equal("stacks: exit code", a.screen.finish(), 0)
        check.true("stacks: both are kept", a.spools() == [sent()] * 2)
        asked = [r["asked"] for r in a.fake.starts()]
        check.true("stacks: the first without", asked[0]["stacks"] is False)
        check.true("stacks: the second with", asked[1]["stacks"] is True)
        names = [{p["name"] for p in x["providers"]} for x in asked[:2]]
        check.equal("stacks: samples besides", names[1] - names[0], {"Microsoft-DotNETCore-SampleProfiler"})


def check_record_heap(scratch):
    """Alt-s asks; then it ends the session, keeps it, and begins one that collects the heap besides; and again."""
    with Attached(scratch) as a:
        a.screen.wait("[live")
        a.screen.ask("\x1bs", "Collect the heap now")
        a.screen.ask("n", "[live", gone=("Collect the heap",))
        a.screen.ask("\x1bs", "Collect the heap now")
        a.screen.ask("y", "_heap1.nettrace", "[live", "The heap by type")
        a.screen.ask("\x1bs", "Collect the heap now")
        a.screen.ask("y", "_heap2.nettrace", "[live", "The heap by type")
        a.screen.send("Q")
        check.equal("heap: exit code", a.screen.finish(), 0)
        check.true("heap: all are kept", a.spools() == [sent()] * 3)
        asked = [r["asked"] for r in a.fake.starts()]
        runtime = [next(p for p in x["providers"] if p["name"] == RUNTIME) for x in asked]
        check.equal("heap: sessions", [p["keywords"] & 0x1d80001 == 0x1d80001 for p in runtime], [False, True, True])
        check.equal("heap: level", [p["level"] for p in runtime], [4, 5, 5])


def check_leave(scratch):
    """Q stops and keeps; d drops it; another key goes on."""
    with Attached(scratch) as a:
        a.screen.wait("[live")
        a.screen.send("Q")
        a.end("Q", 0, [sent()])
    with Attached(scratch) as a:
        a.screen.wait("[live")
        a.screen.ask("q", "d discard")
        a.screen.ask("x", "[live", gone=("d discard",))
        a.screen.ask("q", "d discard")
        a.screen.send("d")
        a.end("discard", 0, [])


def check_keep(scratch):
    """:w gives the stream a name of the user's, also while it grows."""
    with Attached(scratch) as a:
        name = os.path.join(a.folder, "mine.nettrace")
        a.screen.wait("[live")
        a.screen.ask(f":w {name}\r", "kept as")
        a.screen.ask("q", "d discard")
        a.screen.send("d")
        a.end("keep", 0, [])
        with open(name, "rb") as f:
            check.true("keep: the whole stream", f.read() == sent())


def check_arrival(scratch):
    """Events that have arrived are shown, those that have not are not; the pause is of the list only."""
    with Attached(scratch, fake=["--manual"]) as a:
        text = a.fake.send_until(a.screen, lambda text: "may still move" in text, 0.3)
        check.true("arrival: not all of it yet", "complete" not in text)
        a.screen.ask("F", "[paused")
        a.screen.ask("F", "[live")
        a.screen.ask("gg", "[paused")
        a.fake.send("send all")
        a.screen.send("Q")
        a.end("arrival", 0, [sent()])


def with_late_field(path):
    """Four events without fields, then the type of events with a field n, and eight of these."""
    out = bytearray(nt4_make.trace([nt4_make.event(i, 1, i) for i in range(1, 5)], closed=False))
    row = struct.pack("<i", 2) + "Late\0".encode("utf-16-le") + struct.pack("<i", 2)
    row += "L\0".encode("utf-16-le") + struct.pack("<qiiii", 0, 0, 4, 1, 9) + "n\0".encode("utf-16-le")
    nt4_make.block(out, "MetadataBlock", False, 0, 0, nt4_make.blob(0, 0, 0, 0, row))
    for i in range(5, 13):
        nt4_make.block(out, "EventBlock", False, i, i, nt4_make.blob(2, i, 1, i, struct.pack("<i", i)))
    with open(path, "wb") as f:
        f.write(out + b"\1")


def check_to_come(scratch):
    """A field that nothing has yet may come: that is told, and the filter stays."""
    path = os.path.join(scratch, "late.nettrace")
    with_late_field(path)
    with Attached(scratch, "-f", "n = 7", fake=["--manual"], trace=path) as a:
        a.fake.send_until(a.screen, lambda text: 'unknown field "n" so far' in text, 0.1)
        a.fake.send("send all")
        a.screen.wait("1 of 12", "n=7", gone=("n=6", "n=8"))
        a.screen.send("Q")
        a.end("a field to come", 0, [sent(path)])


def newest_row(text):
    """Where the cursor stands, by the status line."""
    rows = re.findall(r" row ([0-9]+)", text)
    return int(rows[-1]) if rows else -1


def check_slide(scratch):
    """The window moves on with the end of the list, also under a filter: of an event a second the newest
    is seen, in the window of the last thirty seconds, though nothing comes after it."""
    path = os.path.join(scratch, "slow.nettrace")
    with open(path, "wb") as f:
        f.write(nt4_make.trace([nt4_make.event(i * 10**9, 1, i + 1) for i in range(150)]))
    for args in ((), ("-f", "tid = 1")):
        with Attached(scratch, *args, fake=["--manual"], trace=path) as a:
            a.fake.send_until(a.screen, lambda text: newest_row(text) >= 45, 0.02)
            for _ in range(120):        # at once, so that some come right after a move of the window
                a.fake.send("send 1 objects")
            a.screen.wait_for(lambda text: newest_row(text) >= 149, what="the last row")
            a.fake.send("send all")
            a.screen.send("Q")
            a.end(f"slide {args}", 0, [sent(path)])


def check_slide_end(scratch):
    """What has come since the window moved last, under a filter, is in it once the session has ended."""
    path = os.path.join(scratch, "end.nettrace")
    with open(path, "wb") as f:
        f.write(nt4_make.trace([nt4_make.event(i * 10**9, 1, i + 1) for i in range(150)]))
    for args, listed in (((), "events"), (("-f", "tid = 1"), "31 of ")):
        with Attached(scratch, *args, fake=["--manual", "--end", "close"], trace=path) as a:
            a.fake.send_until(a.screen, lambda text: newest_row(text) >= 45, 0.02)      # it has moved just now
            a.fake.send("send all")
            a.screen.wait_for(lambda text: newest_row(text) == 149 and listed in text, gone=("[live",),
                              what="the last row, in the last 30 s")
            a.screen.send("Q")
            a.end(f"slide end {args}", 0, [sent(path)], stops=0)


# A fault, the exit code, what is said, how much is kept, stops: of a session that has begun.
FAULTS = (
    ("stream:cut=600", 1, "the end of the trace is missing", 600, 0),
    ("stream:die=600", 1, "the end of the trace is missing", 600, 0),
    ("stop:silent", 0, "the trace is complete", -1, 1),
    ("stop:close", 0, "the trace is complete", -1, 1),
    ("stop:error=0x80131384", 0, "the trace is complete", -1, 1),
    ("stop:late=2", 0, "the trace is complete", -1, 1),
    ("0206:unknown", 0, "the trace is complete", -1, 1),
    ("0205:unknown", 0, "the trace is complete", -1, 1),
    ("start:split", 0, "the trace is complete", -1, 1),
    ("info:unknown@1", 0, "the trace is complete", -1, 1),
    ("stream:stall=300:1", 0, "the trace is complete", -1, 1),
)
# ... that none comes of.
REFUSED = (
    ("start:error=0x80004005", "64 sessions"),
    ("start:unknown", "does not support event"),
    ("start:magic", "not belong to a .NET"),
    ("start:close", "closed the connection"),
    ("start:size=19", "not belong to a .NET runtime"),
    ("start:size=65535", "closed the connection"),
    ("start:empty", "not that of a .NET runtime"),
    ("start:garbage=28", "not belong to a .NET runtime"),
    ("connect:refuse", "not a .NET program"),
    ("connect:deaf", "does not answer"),
    ("connect:close", "closed the connection"),
    ("info:silent", "does not answer"),
    ("info:short=20", "closed the connection"),
    ("info:strings", "cut short"),
    ("info:garbage=28", "not belong to a .NET runtime"),
    ("info:error=0x80131386", "another version"),
    ("stream:cut=0", "cannot be read"),
    ("stream:garbage=0", "cannot be read"),
    ("start:extra=5", "cannot be read"),
    ("stream:cut=3", "cannot be read"),
)


def check_faults(scratch):
    stream = sent()
    for fault, code, text, kept, stops in check.check_sample(FAULTS, 5):
        with Attached(scratch, fake=["--fault", fault]) as a:
            if stops:
                a.screen.wait("[live")
                a.screen.ask("q", "s stop, decide later")
                a.screen.send("s")
            a.screen.wait(text)
            a.screen.send("Q")
            a.end(fault, code, [stream if kept < 0 else stream[:kept]], stops)
    for fault in check.check_sample(("stream:flip=400", "stream:garbage=400", "stream:flip=700"), 1):
        with Attached(scratch, fake=["--fault", fault]) as a:
            a.screen.wait("NetTrace")       # damage is on the way
            a.screen.send("Q")
            check.true(f"{fault}: it ends", a.screen.finish() in (0, 1))
            check.equal(f"{fault}: one stop", len(a.stops()), 1)
            check.equal(f"{fault}: one file", len(a.spools()), 1)
    for fault, text in check.check_sample(REFUSED, 7):
        with Attached(scratch, fake=["--fault", fault]) as a:
            check.equal(f"{fault}: exit code", a.screen.finish(), 2)
            check.true(f"{fault}: {a.screen.text()!r} says {text}", text in a.screen.text())
            check.true(f"{fault}: at most one stop", len(a.stops()) <= 1)


def check_half_an_answer(scratch):
    """An answer that stops halfway, and one that never comes: the start is given up. Both at once, since
    the limit of ten seconds is the program's."""
    with Attached(scratch, fake=["--fault", "start:hold=7"]) as a, \
         Attached(scratch, fake=["--fault", "start:silent"]) as b:
        for x in (a, b):
            check.equal("half an answer: exit code", x.screen.finish(), 2)
            check.true(f"half an answer: {x.screen.text()!r}", "it does not answer" in x.screen.text())
            check.equal("half an answer: no stop, no file", (x.stops(), x.spools()), ([], []))


def check_no_permission(scratch):
    """A socket that only another user may use: who is told, and root may all the same."""
    with Attached(scratch, fake=["--fault", "connect:mode=000"]) as a:
        if os.geteuid() == 0:
            a.screen.wait("[live")
            a.screen.send("Q")
            a.end("mode 000, as root", 0, [sent()])
            return
        check.equal("mode 000: exit code", a.screen.finish(), 2)
        check.true(f"mode 000: {a.screen.text()!r}", "user" in a.screen.text())
        check.equal("mode 000: no stop, no file", (a.stops(), a.spools()), ([], []))


def check_runtimes(scratch):
    """Older runtimes, which know less."""
    for version in ("3", "5", "8", "9"):
        with Attached(scratch, fake=["--runtime", version]) as a:
            a.screen.wait("[live")
            a.screen.send("Q")
            a.end(f"runtime {version}", 0, [sent()])


def check_adverts(scratch):
    """Who connects to a port and is no runtime costs nothing, and holds nobody up."""
    for fault in ("advertise:magic@3", "advertise:short=20@3", "advertise:split", "advertise:silent"):
        folder = tempfile.mkdtemp(dir=scratch)
        port, state = os.path.join(folder, "port"), os.path.join(folder, "state")
        with screen.Screen([check.TNAV, "attach", "--listen", port], 24, 100, {
                "TMPDIR": folder, "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"}) as s:
            s.wait("waiting for a program")
            args = ["--no-listen", "--suspend", "--connect", port]
            with Fake(folder, trace=TRACE, args=[*args, "--fault", fault]) as fake:
                if fault == "advertise:silent":
                    fake.await_what("advertised")
                    with Fake(folder, trace=TRACE, args=args):
                        s.wait("[live")
                        s.send("Q")
                        check.equal(f"{fault}: exit code", s.finish(), 0)
                    check.equal(f"{fault}: it was asked nothing", fake.requests(), [])
                    continue
                s.wait("[live")
                s.send("Q")
                check.equal(f"{fault}: exit code", s.finish(), 0)


def check_stubborn(scratch):
    """A program that goes silent, or goes on after the stop: the second stop is one of ours alone."""
    stream = sent()
    for fault, begin in (("stream:stall=600", 600), ("stop:keep", 300)):
        with Attached(scratch, fake=["--fault", fault]) as a:
            a.screen.wait("[live")
            a.screen.ask("q", "s stop, decide later")
            a.screen.send("s")
            while not a.stops(so_far=True):
                a.fake.await_what("request")
            a.screen.wait("[stopping")
            a.screen.ask("q", "s stop now")
            a.screen.ask("s", "the end of the trace is missing", gone=("[stopping",))
            a.screen.ask("q", "k keep the trace")
            a.screen.send("k")
            check.equal(f"{fault}: exit code", a.screen.finish(), 1)
            kept = a.spools()
            check.true(f"{fault}: what came is there", len(kept) == 1 and
                       len(kept[0]) >= begin and stream.startswith(kept[0]) and
                       len(kept[0]) < len(stream))
            check.equal(f"{fault}: one stop", len(a.stops()), 1)


def check_again(scratch):
    """A port: the program ends and starts again. Who watches the end goes on with it at once, who
    looks at something else when he asks for it; each run is a file of its own."""
    folder = tempfile.mkdtemp(dir=scratch)
    port, state = os.path.join(folder, "port"), os.path.join(folder, "state")
    s = screen.Screen([check.TNAV, "attach", "--listen", port, "-n", "served"], 24, 100, {
        "TMPDIR": folder, "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"})
    a = Attached.__new__(Attached)
    a.state, a.screen = state, s
    args = ["--no-listen", "--suspend", "--connect", port]

    def program(*more):
        return Fake(folder, trace=TRACE, args=[*args, "--entry", "served", *more])

    s.wait("waiting for a program")
    with program("--fault", "stream:cut=600") as fake:
        s.wait("waiting for it to start again")
        check.equal("again: no stop of one that has ended", fake.stops(), [])
    with Fake(folder, trace=TRACE, args=[*args, "--entry", "other"]) as other:
        while "esume" not in str(other.await_what("request")):
            pass                # it runs on, untraced
        check.true("again: another one is not traced", "ollect" not in str(other.requests()))
    with program("--fault", "start:error=0x80004005") as refuses:
        s.wait("its next run cannot be traced: the program refuses the session")
        while "esume" not in str(refuses.requests()):
            refuses.await_what("request")       # it runs on
    with program() as fake:
        s.wait("[live", gone=("waiting for it",))
        check.true("again: it was let run", "esume" in str(fake.requests()))
    s.wait("waiting for it to start again")     # its input has ended
    s.send("gg")
    with program() as fake:
        s.wait("F shows it")
        check.true("again: it was let run at once", "esume" in str(fake.requests()))
        s.ask("F", "[live", gone=("F shows it",))
        with program() as second:       # beside one that still runs
            while "esume" not in str(second.await_what("request")):
                pass
            check.true("again: a second one is not traced",
                       "ollect" not in str(second.requests()))
        s.send("Q")
        check.equal("again: exit code", s.finish(), 0)
        check.equal("again: one stop", len(fake.stops()), 1)
    kept = sorted(a.spools(), key=len)
    check.equal("again: three files", len(kept), 3)
    check.true("again: what each has sent", kept[0] == sent()[:600] and kept[2] == sent() and
               sent().startswith(kept[1]))
    check.true("again: the port is gone", not os.path.exists(port))
    s.close()


def check_limits(scratch):
    """Limits stop the session by themselves, once; the viewer stays."""
    for args in (["--max-size", "300B"], ["--until", "n = 3"], ["--duration", "1ms"],
                 ["--counters", "--refresh-interval", "2", "--max-size", "1B"]):
        with Attached(scratch, *args) as a:
            a.screen.wait("the trace is complete", gone=("[live", "[stopping"))
            asked = [p for r in a.fake.requests() for p in r.get("asked", {}).get("providers", [])]
            counters = [p for p in asked if "EventCounterIntervalSec=2" in str(p)]
            check.equal(f"{args}: counters are asked for", bool(counters), "--counters" in args)
            a.screen.ask("q", "k keep the trace")
            a.screen.send("k")
            a.end(str(args), 0, [sent()])
    with Attached(scratch, "--until", "n = 300", fake=["--end", "close"]) as a:
        a.screen.wait("the trace is complete", gone=("[live", "[stopping"))
        a.screen.send("Q")
        a.end("until never", 0, [sent()], stops=0)


LOADS = 0x38            # modules, compiled and precompiled methods: keywords of loading and of rundown
RUNTIME = "Microsoft-Windows-DotNETRuntime"
SAMPLER = ("--profile", "dotnet-sampled-thread-time")


def check_earlier(scratch):
    """With stacks, names of what was compiled before are asked for once, by a session that is stopped at
    once, and those of what is compiled from then on by one that goes on; however these end, the main one
    goes on as ever."""
    before, since = "before the start: ", "from now on: "
    for args, fault, text in check.check_sample((
            (SAMPLER, None, before + "the program sends none"),
            (("--providers", RUNTIME + ":1"), None, before + "the program sends none"),
            (SAMPLER, "0205:error=0x80004005", before + "the program refuses the session"),
            (SAMPLER, "0205:garbage=28", before + "its socket does not belong to"),
            (SAMPLER, "0205:close", before),
            (SAMPLER, "0205:silent", before),
            (SAMPLER, "0206:error=0x80004005", since + "the program refuses the session"),
            (SAMPLER, "0206:garbage=28", since + "its socket does not belong to"),
            (SAMPLER, "0206:close", since),
            (SAMPLER, "0206:silent", since),
            (SAMPLER, "stream:cut=300@=2", since + "the program ended their session"),
            (SAMPLER, "stream:garbage=0@=2", since),
            (SAMPLER, "stream:cut=300@3+", before + "the program stopped sending them"),
            (SAMPLER, "stream:garbage=0@3+", before),
            (SAMPLER, "stream:garbage=400@3+", before),
            (SAMPLER, "stop:keep@1", before + "the program stopped sending them")), 6):
        with Attached(scratch, *args, fake=["--fault", fault] if fault else []) as a:
            what = f"{args} {fault}"
            a.screen.wait("[live")
            a.screen.wait("names of methods compiled")
            a.screen.ask(":messages\r", text)
            a.screen.send("q")
            sessions = a.fake.starts()
            check.equal(f"{what}: sessions", len(sessions), 3)
            main, loads, rundown = (s["asked"] for s in sessions)
            check.true(f"{what}: the main one is not filled with loads: {main}",
                       not any(p["keywords"] & LOADS for p in main["providers"] if p["name"] == RUNTIME))
            check.true(f"{what}: names of loads are asked for: {loads}",
                       [(p["name"], p["keywords"] & LOADS, p["level"]) for p in loads["providers"]] ==
                       [(RUNTIME, LOADS, 5)])
            check.equal(f"{what}: rundowns", (loads["rundown"], rundown["rundown"]), (0, LOADS))
            check.equal(f"{what}: stacks", bool(loads["stacks"] or rundown["stacks"]), False)
            a.screen.send("Q")
            check.equal(f"{what}: exit code", a.screen.finish(), 0)
            check.true(f"{what}: only the main one is kept", a.spools() == [sent()])
            stopped = [r["session"] for r in a.stops()]
            check.true(f"{what}: none is stopped twice", len(stopped) == len(set(stopped)))
            began = [s["session"] for s in sessions]
            refused = {"0206": began[1], "0205": began[2]}.get((fault or "")[:4])
            check.true(f"{what}: no stop of one that did not begin", refused not in stopped)
            for session in began:       # one that was cut may have ended before
                if session != refused and "cut" not in (fault or ""):
                    check.true(f"{what}: each one is stopped", session in stopped)
    for args in ((), (*SAMPLER, "--no-stacks"), (*SAMPLER, "--rundown", "false"),
                 ("--profile", "gc-collect")):
        with Attached(scratch, *args) as a:
            a.screen.wait("[live")
            a.screen.send("Q")
            a.end(str(args), 0, [sent()])
            check.equal(f"{args}: sessions", len(a.fake.starts()), 1)


def method_load(ts, address, number):
    """The row of a method that was compiled: nt4_make.runtime()."""
    text = "".join(part + "\0" for part in ("Demo.A", f"Fresh{number}", "void  ()")).encode("utf-16-le")
    return ts, 1, 143, 1, struct.pack("<QQQIII", number, 7, address, 16, 0x6000001, 0) + text + bytes(2)


def with_stacks(scratch):
    """A trace of an event a second, each with a stack of two addresses, and one that names them."""
    main, loads = os.path.join(scratch, "stacks.nettrace"), os.path.join(scratch, "loads.nettrace")
    with open(main, "wb") as f:
        f.write(nt4_make.trace([nt4_make.stacks(1, [[0x1004, 0x2005]])] + [
            nt4_make.event(i * 10**9, 1, i, stack=1) for i in range(1, 6)]))
    with open(loads, "wb") as f:
        f.write(nt4_make.runtime(RUNTIME, [method_load(5, 0x1000, 1), method_load(6, 0x2000, 2)]))
    return main, loads


def wait_for_all(a, text=" row 4"):
    """Until the main session has sent what it has; one that has not begun yet takes nothing."""
    a.fake.send_until(a.screen, lambda screen: text in screen)


def check_since(scratch):
    """What is compiled while it is watched has names as soon as its program tells them: in the stack, and
    for a filter; the session that tells them is stopped with the main one, and nothing of it is kept."""
    main, loads = with_stacks(scratch)
    other = ["--manual", "--trace-of", f"5={loads}"]
    for asked, unnamed, named in (
            ("stack", ("#0    0x0000000000001004", "#1    0x0000000000002005"),
             ("#0    Demo.A.Fresh1()", "#1    0x0000000000002005")),
            ("filter", (" 0 of 5",), (" 5 of 5",))):
        args = ("-f", 'stack ~ "Fresh1"') if asked == "filter" else ()
        with Attached(scratch, *SAMPLER, *args, fake=other, trace=main) as a:
            if asked == "stack":
                wait_for_all(a)
                a.screen.send("\x1b4")
            else:
                wait_for_all(a, " of 5")
            a.screen.wait(*unnamed)
            a.fake.send("other 4 objects")      # its header (2), its types, the first method
            a.screen.wait("[live", *named)
            a.fake.send("other all")
            if asked == "stack":
                a.screen.wait("#0    Demo.A.Fresh1()", "#1    Demo.A.Fresh2()", "[live")
            a.screen.send("Q")
            check.equal("since: exit code", a.screen.finish(), 0)
            check.true("since: only the main one is kept", a.spools() == [sent(main)])
            stopped = sorted(r["session"] for r in a.stops())
            check.equal("since: each is stopped once", stopped, sorted(s["session"] for s in a.fake.starts()))


def check_since_again(scratch):
    """The same of a program that ends and starts again: each run has sessions of its own for names."""
    main, loads = with_stacks(scratch)
    folder = tempfile.mkdtemp(dir=scratch)
    port, state = os.path.join(folder, "port"), os.path.join(folder, "state")
    with screen.Screen([check.TNAV, "attach", "--listen", port, *SAMPLER], 24, 100, {
            "TMPDIR": folder, "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"}) as s:
        s.wait("waiting for a program")
        for last in (False, True):
            with Fake(folder, trace=main, args=["--no-listen", "--suspend", "--connect", port,
                                                "--trace-of", f"5={loads}"]) as fake:
                s.wait("[live", " row 4")
                s.ask("\x1b4", "#0    Demo.A.Fresh1()", "#1    Demo.A.Fresh2()", "[live")
                s.send("\x1b4")
                check.equal("since again: sessions", len(fake.starts()), 3)
                if not last:
                    fake.send("die")
                    s.wait("waiting for it to start again")
                    continue
                s.send("Q")
                check.equal("since again: exit code", s.finish(), 0)
                stopped = sorted(r["session"] for r in fake.stops())
                check.equal("since again: each is stopped once", stopped,
                            sorted(r["session"] for r in fake.starts()))


def check_much(scratch):
    """Beyond 64 MiB what names methods is received no more, which is said; the rest goes on."""
    main, loads = with_stacks(scratch)
    big = os.path.join(scratch, "big.nettrace")
    out = bytearray(sent(loads)[:-1])
    events = b"".join(nt4_make.blob(1, 7, 1, n, method_load(7, 0x100000 + 32 * n, n)[-1])
                      for n in range(3, 6000))
    while len(out) <= 65 << 20:
        nt4_make.block(out, "EventBlock", False, 7, 7, events)
    with open(big, "wb") as f:
        f.write(out + b"\1")
    # What comes after the stop comes at once: the program pauses, so that its size is seen before the end.
    stalls = ["--fault", f"stream:stall={(64 << 20) + 1000}:2@=3"]
    for level, when, fault in ((5, "from now on", []), (1, "before the start", stalls)):
        with Attached(scratch, *SAMPLER, fake=["--manual", "--trace-of", f"{level}={big}", *fault],
                      trace=main) as a:
            # First what names methods: that session is given up after some seconds of silence.
            while f"names of methods compiled {when}" not in a.screen.text():
                a.fake.send("send 1 objects")
                a.fake.send("other all")
                a.screen.settle(0.05)
            a.screen.ask(":messages\r", f"names of methods compiled {when}: the program sends more than 64 MiB")
            a.screen.send("q")
            wait_for_all(a)
            a.screen.send("\x1b4")
            a.screen.wait("#0    Demo.A.Fresh1()", "[live")     # those that came
            a.screen.send("Q")
            check.equal("much: exit code", a.screen.finish(), 0)
            check.true("much: only the main one is kept", a.spools() == [sent(main)])


def elsewhere(scratch):
    """A folder on another file system than scratch, or None."""
    for folder in ("/dev/shm", os.path.expanduser("~"), check.TOP):
        if os.access(folder, os.W_OK) and os.stat(folder).st_dev != os.stat(scratch).st_dev:
            return folder
    return None


def check_other_disk(scratch):
    """:w to another file system: a copy, once the session has ended."""
    folder = elsewhere(scratch)
    if folder is None:
        print("there is no other file system to write to: a copy is not tried")
        return
    with tempfile.TemporaryDirectory(dir=folder) as other, Attached(scratch) as a:
        name = os.path.join(other, "mine.nettrace")
        a.screen.wait("[live")
        a.screen.ask(f":w {name}\r", "written when the session ends")
        a.screen.send("Q")
        a.end("another disk", 0, [])
        with open(name, "rb") as f:
            check.true("another disk: the whole stream", f.read() == sent())
        check.equal("another disk: mode", os.stat(name).st_mode & 0o777, 0o600)
        check.equal("another disk: nothing else", os.listdir(other), ["mine.nettrace"])


def check_full(scratch):
    """What can't be written any more: said, stopped, the file has what could be. A limit on the size of
    files stands for a full disk."""
    limited = ["/bin/sh", "-c", 'ulimit -f 4 && exec "$0" "$@"']
    with Attached(scratch, before=limited, trace=BIG) as a:
        a.screen.wait("the session ended", gone=("[live", "[stopping"))
        check.true(f"full: {a.screen.text()!r} says why", "File too large" in a.screen.text())
        a.screen.send("Q")
        check.equal("full: exit code", a.screen.finish(), 3)
        kept = a.spools()
        check.true("full: what could be written is there", len(kept) == 1 and 0 < len(kept[0]) <= 4096 and
                   sent(BIG).startswith(kept[0]))
        check.true("full: at most one stop", len(a.stops()) <= 1)


def check_signal(scratch):
    """SIGTERM stops in order; SIGKILL leaves what came."""
    with Attached(scratch) as a:
        a.screen.wait("[live")
        os.kill(a.screen.pid, signal.SIGTERM)
        a.end("SIGTERM", 0, [sent()])
    with Attached(scratch) as a:        # the terminal is closed
        a.screen.wait("[live")
        os.kill(a.screen.pid, signal.SIGHUP)
        check.true("SIGHUP: it ends", a.screen.finish() is not None)
        check.true("SIGHUP: the whole stream", a.spools() == [sent()])
        check.equal("SIGHUP: one stop", len(a.stops()), 1)
    with Attached(scratch) as a:
        a.screen.wait("[live")
        os.kill(a.screen.pid, signal.SIGKILL)
        a.screen.finish()
        kept = a.spools()
        check.true("SIGKILL: what came is there", len(kept) == 1 and len(kept[0]) > 100 and
                   sent().startswith(kept[0]))


PARTS, EVENTS = 40, 1500        # of a long session: between sequence points, in each


def long_session(path):
    """40 parts of about 0.35 MB: stacks, events with a number, a sequence point. Part 7 brings a new type."""
    head = nt4_make.trace([], closed=False)
    out, ends = bytearray(head), []
    for part in range(PARTS):
        if part == 7:
            row = struct.pack("<i", 2) + "Late\0".encode("utf-16-le") + struct.pack("<i", 2)
            row += "Two\0".encode("utf-16-le") + struct.pack("<qiii", 0, 0, 4, 0)
            nt4_make.block(out, "MetadataBlock", False, 0, 0, nt4_make.blob(0, 0, 0, 0, row))
        first = part * EVENTS + 1
        body = struct.pack("<II", part * 10 + 1, 10)
        body += b"".join(struct.pack("<I3Q", 24, part, i, 77) for i in range(10))
        nt4_make.obj(out, "StackBlock", body)
        for at in range(first, first + EVENTS, 500):
            nt4_make.block(out, "EventBlock", False, at * 1000, (at + 499) * 1000, b"".join(
                nt4_make.blob(2 if part >= 7 and n % 3 == 0 else 1, n * 1000, 1, n, struct.pack("<Q", n) * 15,
                              part * 10 + 1 + n % 10)
                for n in range(at, at + 500)))
        nt4_make.obj(out, "SPBlock", struct.pack("<qiqI", (first + EVENTS) * 1000, 1, 1, first + EVENTS - 1))
        ends.append(len(out))
    with open(path, "wb") as f:
        f.write(out + b"\1")
    return ends


def numbers(path):
    """Number, type and stack of all events, in the order of the file, by the second reader."""
    trace = nt4.read(path)
    check.true(f"{path}: a sound file", trace.closed and trace.error is None and trace.cut is None)
    stacks, data = trace.stacks(), sent(path)
    return [(struct.unpack_from("<Q", data, e.off)[0], e.mid, tuple(stacks[e.order])) for e in trace.events()]


def spool_of(a):
    live = os.path.join(a.state, "tnav", "live")
    return os.path.join(live, next(x for x in os.listdir(live) if not x.startswith(".")))


def is_bounded(a, size, room):
    """Has so much been received, and does it take no more room than that?"""
    spool = os.stat(spool_of(a))
    return spool.st_size >= size and spool.st_blocks * 512 < room


def check_keep_last(scratch):
    """--keep: the disk stays bounded while ten times as much arrives; what is left at the end is a sound trace
    of the last events, with their types and stacks, also under a name of the user's."""
    path = os.path.join(scratch, "long.nettrace")
    ends = long_session(path)
    keep = 1_000_000
    check.true("keep last: ten times the limit", ends[-1] > 10 * keep)
    whole = numbers(path)
    with Attached(scratch, "--keep", "1MB", fake=["--manual"], trace=path) as a:
        name = os.path.join(a.folder, "mine.nettrace")
        a.screen.wait("waiting for")        # a stream that is not there yet takes nothing
        for part, end in enumerate(ends):
            a.fake.send(f"send {end - (ends[part - 1] if part > 0 else 0)}")
            a.screen.wait_for(lambda _, end=end: is_bounded(a, end, 2 * keep), what=f"part {part}, on a bounded disk")
            if part == 5:
                a.screen.ask(f":w {name}\r", "kept as")
        a.screen.wait("last 1MB")
        a.screen.ask("0gg:messages\r", "the last 1MB are kept")
        a.screen.send("Q")
        check.equal("keep last: exit code", a.screen.finish(), 0)
        check.true("keep last: said at the end", "the last 1MB of the session" in a.screen.text())
        kept = numbers(name)
        check.true(f"keep last: {len(kept)} events are kept", 1500 <= len(kept) <= 6 * EVENTS)
        check.true("keep last: the last ones, as they were",
                   [(n, s) for n, _, s in kept] == [(n, s) for n, _, s in whole[-len(kept):]])
        types = [json.loads(x) for x in check.tnav("types", "--format", "jsonl", name).out.splitlines()]
        check.equal("keep last: types", {t["name"]: t["events"] for t in types if t["events"]},
                    {"E": sum(n % 3 != 0 for n, *_ in kept), "Two": sum(n % 3 == 0 for n, *_ in kept)})
        check.equal("keep last: sound", check.tnav("info", name).code, 0)
        check.equal("keep last: one name only", a.spools(), [])


def send_parts(a, ends, n):
    """The first n parts of a long session, on a bounded disk."""
    a.screen.wait("waiting for")
    for part, end in enumerate(ends[:n]):
        a.fake.send(f"send {end - (ends[part - 1] if part > 0 else 0)}")
        a.screen.wait_for(lambda _, end=end: is_bounded(a, end, 2_000_000), what=f"part {part}")
    a.screen.wait("last 1MB")


def check_keep_faults(scratch):
    """What goes wrong when events were let go: the program ends, this one is killed, the disk is full, the trace
    is discarded."""
    path = os.path.join(scratch, "long-faults.nettrace")
    ends = long_session(path)
    whole = [n for n, *_ in numbers(path)]
    with Attached(scratch, "--keep", "1MB", fake=["--manual"], trace=path) as a:
        send_parts(a, ends, 20)
        a.fake.send("close")
        a.screen.wait("the end of the trace is missing")
        name = spool_of(a)
        a.screen.send("Q")
        check.equal("keep, closed: exit code", a.screen.finish(), 1)
        kept = [n for n, *_ in numbers(name)]
        check.true("keep, closed: the last ones that came", len(kept) >= EVENTS and
                   kept == whole[20 * EVENTS - len(kept):20 * EVENTS])
    with Attached(scratch, "--keep", "1MB", fake=["--manual"], trace=path) as a:
        send_parts(a, ends, 20)
        name, mended = spool_of(a), os.path.join(a.folder, "mended.nettrace")
        os.kill(a.screen.pid, signal.SIGKILL)
        a.screen.finish()
        check.true("keep, killed: a hole", os.stat(name).st_blocks * 512 < os.stat(name).st_size / 2)
        check.equal("keep, killed: it can be mended", check.tnav("repair", name, "-o", mended).code in (0, 1), True)
        kept = numbers(mended)
        check.true("keep, killed: the last ones, with their types", len(kept) >= EVENTS and
                   [n for n, *_ in kept] == whole[20 * EVENTS - len(kept):20 * EVENTS])
        types = [json.loads(x) for x in check.tnav("types", "--format", "jsonl", mended).out.splitlines()]
        check.equal("keep, killed: types", sorted(t["name"] for t in types if t["events"]), ["E", "Two"])
    limited = ["/bin/sh", "-c", 'ulimit -f 8000 && exec "$0" "$@"']     # 4,096,000 bytes
    with Attached(scratch, "--keep", "1MB", fake=["--manual"], trace=path, before=limited) as a:
        send_parts(a, ends, 11)
        a.fake.send("send all")
        a.screen.wait("the session ended")
        check.true(f"keep, full: {a.screen.text()!r} says why", "File too large" in a.screen.text())
        name = spool_of(a)
        a.screen.send("Q")
        check.equal("keep, full: exit code", a.screen.finish(), 3)
        kept = [n for n, *_ in numbers(name)]
        check.true("keep, full: what was kept is sound", len(kept) >= EVENTS and kept == list(
            range(kept[0], kept[0] + len(kept))))
    with Attached(scratch, "--keep", "1MB", fake=["--manual"], trace=path) as a:
        send_parts(a, ends, 10)
        a.screen.ask("q", "d discard")
        a.screen.send("d")
        a.fake.send("send all")
        check.equal("keep, discarded: exit code", a.screen.finish(), 0)
        check.equal("keep, discarded: nothing is left", a.spools(), [])


def attach_once(folder, state, trace, *args, answer="Q"):
    """A session from its begin to its end; what the program said after the screen."""
    with Fake(folder, trace=trace) as fake, screen.Screen(
            [check.TNAV, "attach", str(fake.pid), *args], 24, 100,
            {"TMPDIR": folder, "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"}) as s:
        s.wait("[live")
        s.send(answer)
        check.equal("once: exit code", s.finish(), 0)
        return s.text()


def check_old_sessions(scratch):
    """Sessions beyond four times --keep are removed, the oldest first, if they are on the list and as it says."""
    folder = tempfile.mkdtemp(dir=scratch)
    state = os.path.join(folder, "state")
    live = os.path.join(state, "tnav", "live")
    trace = os.path.join(folder, "part.nettrace")
    out = bytearray(nt4_make.trace([], closed=False))
    nt4_make.block(out, "EventBlock", False, 7, 7, b"".join(
        nt4_make.blob(1, 7, 1, n, b"x" * 120) for n in range(1, 8001)))
    with open(trace, "wb") as f:
        f.write(out + b"\1")           # about 1.5 MB
    made = []

    def there():
        return sorted(x for x in os.listdir(live) if x.endswith(".nettrace"))

    attach_once(folder, state, trace, "--keep", "1MB")
    # Of two sessions that begin within a second the other one has such a name.
    first = there()[0]
    made.append(first.replace(".nettrace", "_2.nettrace"))
    os.rename(os.path.join(live, first), os.path.join(live, made[0]))
    listed = os.path.join(live, ".received.rotation")
    text = check.read(listed).decode().replace(first, made[0])
    with open(listed, "w") as f:
        f.write(text)
    # Files that nobody listed, and names that a list must not reach, stay.
    for name in ("a_20200101_000000_1.nettrace", "mine.nettrace"):
        with open(os.path.join(live, name), "wb") as f:
            f.write(bytes(9_000_000))
    victim = os.path.join(state, "victim_20200101_000000_1.nettrace")
    with open(victim, "wb") as f:
        f.write(bytes(9_000_000))
    st = os.stat(victim)
    with open(listed, "a") as f:
        f.write(f"whole {st.st_dev} {st.st_ino} {st.st_size} {int(st.st_mtime)} {st.st_mtime_ns % 10**9} "
                f"../{os.path.basename(victim)}\n")
    attach_once(folder, state, trace, "--keep", "1MB")
    changed = next(x for x in there() if x not in made and x.startswith("fake"))
    os.utime(os.path.join(live, changed), (1, 1))       # it is not as it was left
    attach_once(folder, state, trace, "--keep", "1MB")
    text = attach_once(folder, state, trace, "--keep", "1MB")
    check.true(f"old sessions: {text!r} says what is removed", "removed(theoldestof" in "".join(text.split()))
    check.true("old sessions: the first one is removed", made[0] not in there())
    for _ in range(3):
        attach_once(folder, state, trace, "--keep", "1MB")
    names = there()
    check.true("old sessions: what is not on the list stays", {"a_20200101_000000_1.nettrace", "mine.nettrace"} <=
               set(names) and os.path.exists(victim))
    check.true("old sessions: one that was changed stays", changed in names)
    check.equal("old sessions: room for two", sum(x.startswith("fake") and x != changed for x in names), 2)
    attach_once(folder, state, trace, "--keep", "all")
    check.equal("old sessions: with all nothing is removed", len(there()), len(names) + 1)


def check_in_memory(scratch):
    """Without a folder to write to, the trace is in memory; :w keeps it, else it is gone, which is said."""
    folder = tempfile.mkdtemp(dir=scratch)
    name = os.path.join(folder, "mine.nettrace")
    for keys, kept in ((f":w {name}\r", True), ("", False)):
        with Fake(folder, trace=TRACE) as fake, screen.Screen(
                [check.TNAV, "attach", str(fake.pid)], 24, 100,
                {"TMPDIR": folder, "XDG_STATE_HOME": "/proc/none", "HOME": "/proc/none",
                 "LC_ALL": "C.UTF-8"}) as s:
            s.wait("[live", "the trace is in memory")
            check.equal("memory: the trace is called so", s.lines()[0].split()[0], "memory")
            if kept:
                s.ask(keys, "written when the session ends")
            s.send("Q")
            check.equal("memory: exit code", s.finish(), 0)
            check.equal("memory: said that it is gone", "is gone" in s.text(), not kept)
        check.true("memory: what is kept is what was sent", sent(name) == sent())


def check_in_memory_long(scratch):
    """In memory, of a long session the last part is kept, and written under the name of the user's."""
    path, folder = os.path.join(scratch, "long-memory.nettrace"), tempfile.mkdtemp(dir=scratch)
    ends, name = long_session(path), os.path.join(scratch, "from-memory.nettrace")
    whole = numbers(path)
    with Fake(folder, trace=path, args=["--manual"]) as fake, screen.Screen(
            [check.TNAV, "attach", str(fake.pid), "--keep", "1MB"], 24, 100,
            {"TMPDIR": folder, "XDG_STATE_HOME": "/proc/none", "HOME": "/proc/none", "LC_ALL": "C.UTF-8"}) as s:
        s.wait("waiting for")
        for part, end in enumerate(ends):
            fake.send(f"send {end - (ends[part - 1] if part > 0 else 0)}")
            last = (part + 1) * EVENTS
            s.wait(f"0.{last // 1000:03} {last % 1000:03}")
        s.ask(f":w {name}\r", "written when the session ends", "last 1MB")
        s.send("Q")
        check.equal("long, in memory: exit code", s.finish(), 0)
        kept = numbers(name)
        check.true("long, in memory: the last ones", 0 < len(kept) < len(whole) / 2 and
                   [n for n, *_ in kept] == [n for n, *_ in whole[-len(kept):]])


AT_ONCE = 8             # they wait for text on a screen; the longest first
CHECKS = (
    check_earlier, check_faults, check_half_an_answer, check_much, check_slide_end, check_slide,
    check_folders, check_stop, check_usual, check_record_stacks, check_record_heap, check_leave,
    check_keep, check_keep_last, check_keep_faults, check_old_sessions, check_in_memory, check_in_memory_long, check_arrival, check_to_come,
    check_no_permission, check_runtimes, check_adverts, check_stubborn, check_again, check_limits,
    check_since, check_since_again, check_other_disk, check_full, check_signal,
)
LEAST = check.tier(300, 500)    # comparisons of all of them


def main():
    check.need_tnav()
    if not screen.available():
        print("the program `cells` is not built: skipped")
        sys.exit(77)
    made = check.apart_by_name(CHECKS, AT_ONCE)
    check.finish(LEAST if made == len(CHECKS) else made)


if __name__ == "__main__":
    main()
