#!/usr/bin/env python3
"""`tnav attach A B`: several programs as one list, in a pseudo-terminal against stand-ins for runtimes. All that
they send is in the list in the order of time; what the user does is done to all; one that ends, or refuses, holds
up nobody, and the screen says which; each has a file, byte for byte. No test waits for a time."""
import json
import os
import sys
import tempfile

import check
import nt4_make
import screen
from expect import Fake

NAMES = ("orders", "stock", "mail")
EVENTS = 40


def times(i):
    """Those of one program's events, in the order of its file: they lie between those of the others."""
    return [1000 * k + 7 * i for k in range(1, EVENTS + 1 + i)]


def made(scratch, i):
    """What a program sends, with a sequence point after each ten events."""
    path = os.path.join(scratch, f"sent{i}.nettrace")
    items = []
    for n, ts in enumerate(times(i), 1):
        items.append(nt4_make.event(ts, 70 + i, n))
        if n % 10 == 0:
            items.append(nt4_make.barrier(ts + 1, [(70 + i, n)]))
    with open(path, "wb") as f:
        f.write(nt4_make.trace(items))
    return path


class Several:
    """Stand-ins, and the viewer on all of them: given by id, the first by its socket, the last by its name."""

    def __init__(self, scratch, *args, fakes=((), ()), rows=24, cols=100):
        self.folder = tempfile.mkdtemp(dir=scratch)
        self.state = os.path.join(self.folder, "state")
        self.paths = [made(scratch, i) for i in range(len(fakes))]
        self.names = [name + self.folder[-4:].replace("_", "x") for name in NAMES[:len(fakes)]]  # no other one's
        self.fakes = [Fake(self.folder, trace=path, args=["--entry", name, *more])
                      for path, name, more in zip(self.paths, self.names, fakes)]
        who = [str(f.pid) for f in self.fakes]
        who[0], who[-1] = self.fakes[0].socket, self.names[-1]
        self.screen = screen.Screen([check.TNAV, "attach", *who, *args], rows, cols, {
            "TMPDIR": self.folder, "XDG_STATE_HOME": self.state, "LC_ALL": "C.UTF-8"})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.screen.close()
        for f in self.fakes:
            f.__exit__()

    def kept(self, i):
        """What lies in the folder of what was received, of this program."""
        return [data for name, data in check.received(self.state).items() if name.startswith(self.names[i])]

    def label(self, i):
        return f"{self.names[i]}_{self.fakes[i].pid}"

    def who(self, i):
        return f"process {self.fakes[i].pid} ({self.names[i]})"

    def first_sends(self):
        """Something, until it is on the screen."""
        self.fakes[0].send_until(self.screen, lambda text: "[live" in text)

    def end(self, what, code, kept=None, stops=None):
        """The exit code, what lies in the folder, how often each was stopped."""
        check.equal(f"{what}: exit code", self.screen.finish(), code)
        for i, path in enumerate(self.paths):
            whole = [check.read(path)]
            check.true(f"{what}: {NAMES[i]}: its file", self.kept(i) == (kept[i] if kept else whole))
            check.equal(f"{what}: {NAMES[i]}: stops", len(self.fakes[i].stops()), stops[i] if stops else 1)


def listed(a, name):
    """The rows of the list, as the viewer exports them: (time in ns, thread, source)."""
    path = os.path.join(a.folder, name)
    a.screen.ask(f":export {path}\r", "written")
    with open(path, encoding="utf-8") as f:
        rows = [json.loads(line) for line in f]
    return [(r["t"], r["tid"], r["source"]) for r in rows]


def merged(n, before=None):
    return sorted((ts, 70 + i, i) for i in range(n) for ts in times(i) if before is None or i not in before or
                  ts <= before[i])


def total(n):
    return len(merged(n))


def check_list(scratch):
    """All that two or three have sent is there, in the order of time, each with its source; s stops all, once,
    then the traces are complete, and stay on the screen."""
    for n in (2, 3):
        with Several(scratch, fakes=[()] * n) as a:
            a.screen.wait("[live", f"{total(n)} ev", *(a.label(i) for i in range(2)))
            a.screen.ask("q", "k keep the traces and quit")
            a.screen.ask("s", "all sessions ended: the traces are complete", gone=("[live", "[stopping"))
            check.true("list: the rows", listed(a, "rows.jsonl") == merged(n))
            a.screen.send("Q")
            a.end(f"list of {n}", 0)


def check_leave(scratch):
    """Q stops and keeps all; d drops them."""
    with Several(scratch) as a:
        a.screen.wait("[live", f"{total(2)} ev")
        a.screen.send("Q")
        a.end("Q", 0)
    with Several(scratch) as a:
        a.screen.wait("[live", f"{total(2)} ev")
        a.screen.ask("q", "d discard")
        a.screen.send("d")
        a.end("discard", 0, kept=([], []))


def check_keep(scratch):
    """:w makes names for each, as record -o does, in a folder too; it replaces nothing."""
    with Several(scratch) as a:
        a.screen.wait("[live", f"{total(2)} ev")
        one = os.path.join(a.folder, "mine.nettrace")
        names = [one.replace(".nettrace", f"_{f.pid}.nettrace") for f in a.fakes]
        a.screen.ask(f":w {one}\r", "kept as")
        other = os.path.join(a.folder, f"x_{a.fakes[1].pid}.nettrace")
        with open(other, "wb") as f:
            f.write(b"another")
        a.screen.ask(f":w {a.folder}/x\r", f"{other}: File exists")
        folder = os.path.join(a.folder, "all")
        os.mkdir(folder)
        a.screen.ask(f":w {folder}\r", "kept as")
        a.screen.ask("q", "d discard")
        a.screen.send("d")
        a.end("keep", 0, kept=([], []))
        for name, path in zip(names, a.paths):
            check.true(f"keep: {name}", check.read(name) == check.read(path))
        check.equal("keep: another file", check.read(other), b"another")
        check.equal("keep: in a folder", [f.split("_")[0] for f in sorted(os.listdir(folder))], a.names)


def check_one_ends(scratch):
    """One hangs up, or dies: the other goes on, the screen says which one ended, and how many are left."""
    for fault in ("stream:cut=1500", "stream:die=1500"):
        with Several(scratch, fakes=(["--manual"], ["--fault", fault])) as a:
            cut = check.read(a.paths[1])[:1500]
            a.first_sends()
            a.screen.wait(f"{a.who(1)} ended or hung up: its trace has no end", "[live 1 of 2")
            a.fakes[0].send("send all")
            a.screen.wait_for(lambda text: " ev" in text and int(text.split(" ev")[0].split()[-1]) > EVENTS,
                              what="what the other one sends")
            a.screen.ask("q", "s stop, decide later")
            a.screen.ask("s", f"all sessions ended; incomplete: {a.who(1)}", gone=("[live",))
            rows = listed(a, "rows.jsonl")
            there = [r for r in rows if r[2] == 1]
            check.true(f"{fault}: all of the one", [r for r in rows if r[2] == 0] == merged(1))
            check.true(f"{fault}: what the other has sent", 0 < len(there) < EVENTS and
                       there == [r for r in merged(2) if r[2] == 1][:len(there)] and rows == sorted(rows))
            a.screen.send("Q")
            a.end(fault, 1, kept=([check.read(a.paths[0])], [cut]), stops=(1, 0))


def check_one_is_silent(scratch):
    """One that sends nothing is named, and Ctrl-C ends its session alone."""
    with Several(scratch, fakes=((), ["--manual"])) as a:
        a.screen.wait(f"waiting for the first events of {a.who(1)}; Ctrl-C goes on without it")
        a.screen.ask("\x03", "[live 1 of 2, ")
        check.equal("silent: stops", [len(f.stops()) for f in a.fakes], [0, 1])
        a.screen.send("Q")
        a.end("silent", 0)


def check_one_is_complete(scratch):
    """One ends in order: that is told, too; it is no failure."""
    with Several(scratch, fakes=(["--manual"], ["--end", "close"])) as a:
        a.first_sends()
        a.screen.wait(f"{a.who(1)}: the session ended, its trace is complete", "[live 1 of 2")
        a.fakes[0].send("send all")
        a.screen.send("Q")
        check.equal("one is complete: exit code", a.screen.finish(), 0)


def check_refuses(scratch):
    """One that refuses the session is left out, and told after the viewer; nobody is left: no viewer."""
    with Several(scratch, fakes=((), ["--fault", "start:error=0x80004005"])) as a:
        a.screen.wait("[live", f"{total(1)} ev")
        a.screen.send("Q")
        a.end("one refuses", 2, kept=([check.read(a.paths[0])], []), stops=(1, 0))
        check.true("one refuses: it is told", f"{a.who(1)} cannot be recorded" in a.screen.text())
    with Several(scratch, fakes=(["--fault", "start:close"], ["--fault", "stream:garbage=0"])) as a:
        check.equal("both: exit code", a.screen.finish(), 2)
        text = a.screen.text()
        check.true(f"both: {text}", f"{a.who(0)} cannot be recorded" in text and
                   f"the stream of {a.who(1)} cannot be read" in text)


def check_limits(scratch):
    """What --until waits for may come from any: all end, with all that they have sent."""
    for args in (["--until", "tid = 71 and seq = 30"], ["--max-size", "300B"], ["--duration", "1ms"]):
        with Several(scratch, *args) as a:
            a.screen.wait("all sessions ended: the traces are complete", gone=("[live", "[stopping"))
            a.screen.send("Q")
            a.end(str(args), 0)


def check_more(scratch):
    """Ctrl-T goes on with sessions that record stacks, of all programs; what was received is kept."""
    with Several(scratch) as a:
        a.screen.wait("[live", f"{total(2)} ev")
        a.screen.ask("\x14", "[live", f"{total(2)} ev", f"{a.label(0)}_stacks + ")
        a.screen.ask("\x14:messages\r", "this session records stacks")
        a.screen.send("Q")
        check.equal("more: exit code", a.screen.finish(), 0)
        for i, path in enumerate(a.paths):
            check.true("more: both are kept", a.kept(i) == [check.read(path)] * 2)
            asked = [r["asked"]["stacks"] for r in a.fakes[i].starts()]
            check.equal("more: stacks", asked[:2], [False, True])


def check_hang_up(scratch):
    """A signal stops all, once."""
    with Several(scratch) as a:
        a.screen.wait("[live", f"{total(2)} ev")
        os.kill(a.screen.pid, 15)
        check.equal("signal: exit code", a.screen.finish(), 0)
        for i, path in enumerate(a.paths):
            check.true("signal: its file", a.kept(i) == [check.read(path)])


def check_twice(scratch):
    """One that is given by its name and its id is one."""
    folder = tempfile.mkdtemp(dir=scratch)
    path = made(scratch, 0)
    with Fake(folder, trace=path, args=["--entry", "twice" + folder[-4:]]) as fake, screen.Screen(
            [check.TNAV, "attach", "twice" + folder[-4:], str(fake.pid)], 24, 100,
            {"TMPDIR": folder, "XDG_STATE_HOME": folder, "LC_ALL": "C.UTF-8"}) as s:
        s.wait("[live", f"{EVENTS} ev")
        s.send("Q")
        check.equal("twice: exit code", s.finish(), 0)
        check.equal("twice: sessions", len(fake.starts()), 1)


def check_refused(_):
    """What several programs cannot have: which option, before anything is asked of them."""
    for args, text in ((["--listen", "/tmp/x"], "--listen: several programs"),
                       (["--dport", "/tmp/x"], "--diagnostic-port: several programs"),
                       (["--", "true"], "-- COMMAND: several programs"),
                       (["-n", "c"], "the processes are given more than once"),
                       (["--keep", "5MB"], "--keep: of several programs everything is kept")):
        with screen.Screen([check.TNAV, "attach", "1", "2", *args], 24, 100) as s:
            check.equal(f"{args}: exit code", s.finish(), 2)
            check.true(f"{args}: {s.text()}", text in s.text())


AT_ONCE = 6
CHECKS = (check_list, check_one_ends, check_one_is_silent, check_one_is_complete, check_limits, check_more, check_refuses,
          check_keep, check_leave, check_hang_up, check_twice, check_refused)


def main():
    check.need_tnav()
    if not screen.available():
        print("the program `cells` is not built: skipped")
        sys.exit(77)
    made_of = check.apart_by_name(CHECKS, AT_ONCE)
    check.finish(80 if made_of == len(CHECKS) else made_of)


if __name__ == "__main__":
    main()
