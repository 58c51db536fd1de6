#!/usr/bin/env python3
"""`tnav record --rotate` against a stand-in for a runtime: when sessions begin and end, which are asked for
names of methods, and which files are there at the end."""
import json
import os
import signal
import subprocess
import tempfile
import time

import check
from expect import Fake
from stage import BIG, PATIENCE, STREAM, TRACE, environment


class Recording:
    """A recording into a folder, whose messages are read as they come."""

    def __init__(self, folder, *args, out=None):
        self.out = out or tempfile.mkdtemp(dir=folder)
        self.said = []
        self.child = subprocess.Popen(
            [check.TNAV, "record", "-o", self.out, *args], env=environment(folder), stdin=subprocess.DEVNULL,
            stderr=subprocess.PIPE, text=True)

    def await_said(self, part, n=1):
        """Wait until n more messages contain this."""
        while n > 0:
            line = self.child.stderr.readline()
            if line == "":
                raise EOFError(f"{part!r} was not said, but {self.said!r}")
            self.said.append(line.rstrip("\n"))
            n -= part in line

    def end(self):
        self.child.send_signal(signal.SIGINT)
        self.said += self.child.stderr.read().splitlines()
        return self.child.wait(PATIENCE)

    def files(self):
        return sorted(os.listdir(self.out))


def sessions(fake):
    """"start" and "stop" in their order, and the rundown that each start asked for."""
    order, rundown = [], []
    for r in fake.requests():
        if "asked" in r:
            order.append("start")
            rundown.append(bool(r["asked"].get("rundown", True)))
        elif "stop" in json.dumps(r).lower():
            order.append("stop")
    return order, rundown


def check_order(scratch):
    """Each session begins before the last one is stopped; only the last is asked for names."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s")
        r.await_said("events, none", 3)
        check.equal(f"exit code ({r.said!r})", r.end(), 0)
        order, rundown = sessions(fake)
        check.equal("first a session, then one before each stop, then the last stop",
                    order, ["start"] + ["start", "stop"] * (len(rundown) - 1) + ["stop"])
        check.true("at least 4 sessions", len(rundown) >= 4)
        check.equal("names of methods", rundown, [False] * (len(rundown) - 1) + [True])
        check.equal("a file each", len(r.files()), len(rundown))
        for name in r.files():
            check.true(f"{name} is the stream", check.read(os.path.join(r.out, name)) == STREAM)


def check_rundown(scratch):
    """--rundown gives each file its names."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s", "--rundown", "true")
        r.await_said("events, none")
        check.equal("exit code", r.end(), 0)
        _, rundown = sessions(fake)
        check.true("two sessions", len(rundown) >= 2)
        check.equal("names of methods", rundown, [True] * len(rundown))


def check_keep(scratch):
    """So many files stay, the newest; nothing is removed that the recording has not made."""
    folder = tempfile.mkdtemp(dir=scratch)
    out = tempfile.mkdtemp(dir=scratch)
    other = os.path.join(out, "a_20200101_000000.nettrace")
    with open(other, "w") as f:
        f.write("mine")
    with Fake(folder, trace=TRACE) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s", "--keep", "2", out=out + "/a.nettrace")
        r.await_said("events, none")
        first = [line.split(": ")[1] for line in r.said if "events, none" in line][0]
        os.remove(first)                # somebody else's file takes the name
        with open(first, "w") as f:
            f.write("mine, too")
        r.await_said("removed (--keep)", 2)
        check.equal("exit code", r.end(), 0)
        made = [line.split(": ")[1] for line in r.said if "events, none" in line]
        check.equal("what is there", sorted(os.path.join(out, n) for n in os.listdir(out)),
                    sorted([other, first, *made[-2:]]))
        check.equal("a file of another origin", open(first).read(), "mine, too")


def check_killed(scratch):
    """After kill -9 the next recording counts the files of the one before, and no others; after an end in order not."""
    folder = tempfile.mkdtemp(dir=scratch)
    out = tempfile.mkdtemp(dir=scratch)
    listed = os.path.join(out, ".a.rotation")
    with Fake(folder, trace=TRACE) as fake:
        def begin(keep):
            return Recording(folder, str(fake.pid), "--rotate", "1s", "--keep", keep, out=out + "/a.nettrace")

        r = begin("9")
        r.await_said("events, none", 3)
        r.child.kill()
        r.child.wait(PATIENCE)
        r.said += r.child.stderr.read().splitlines()
        before = sorted(os.listdir(out))[1:]                      # the first is the list
        check.true(f"a list: {sorted(os.listdir(out))}", os.path.exists(listed) and len(before) >= 4)
        mine = [os.path.join(out, n) for n in ("a_20200101_000000.nettrace", "b_20200101_000000.nettrace")]
        for path in mine:
            with open(path, "w") as f:
                f.write("mine")
        changed = os.path.join(out, before[0])
        with open(changed, "a") as f:
            f.write("mine, too")
        with open(listed, "a") as f:                # a list that says more than is true
            st = os.stat(mine[0])
            f.write(f"whole {st.st_dev} {st.st_ino} 5 1 1 a_20200101_000000.nettrace\n"
                    f"begun {st.st_dev} {st.st_ino} 0 1 1 a_20200101_000000.nettrace\n"
                    f"begun 1\nwhole 1 2 3 4 5 ../a_20200101_000000.nettrace\n\n")
        r = begin("1")
        r.await_said("which did not end in order")
        r.await_said("removed (--keep)", len(before) - 1)
        check.equal(f"exit code ({r.said!r})", r.end(), 0)
        there = set(sorted(os.listdir(out)))
        check.true(f"files of others stay: {there}", {os.path.basename(p) for p in [*mine, changed]} <= there)
        check.true("those of the killed recording are gone", not there & set(before[1:]))
        check.true("the list is gone", not os.path.exists(listed))
        before = there
        r = begin("1")
        r.await_said("removed (--keep)")
        check.equal("exit code", r.end(), 0)
        check.true("after an end in order all stay", before <= set(sorted(os.listdir(out))))
        os.mkfifo(listed)                           # nor does a list of another kind matter
        r = begin("1")
        r.await_said("removed (--keep)")
        check.equal("exit code", r.end(), 0)
        check.true("it stays", os.path.exists(listed))


def check_incident(scratch):
    """SIGUSR1 and an event of --when: what is there, the current file and the next one stay."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s", "--keep", "1")
        r.await_said("events, none", 2)
        r.child.send_signal(signal.SIGUSR1)
        r.await_said(": kept", 2)
        r.await_said("removed (--keep)", 1)
        check.equal("exit code", r.end(), 0)
        made = [line.split(": ")[1] for line in r.said if "events, none" in line]
        kept = [line.split(": ")[1] for line in r.said if line.endswith(": kept")]
        check.true(f"current and next: {made}, {kept}", len(kept) in (2, 3) and set(kept) <= set(made))
        check.true("they are there", all(os.path.exists(p) for p in kept))
        _, rundown = sessions(fake)
        check.true("the file after it has names", True in rundown[:-1])
    with Fake(folder, trace=TRACE) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s", "--keep", "1", "--when", "id >= 0")
        r.await_said("--when: the files", 3)
        check.equal("exit code", r.end(), 0)
        made = [line.split(": ")[1] for line in r.said if "events, none" in line]
        check.true("nearly all stay", len(r.files()) >= len(made) - 1)
    with Fake(folder, trace=TRACE) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s", "--keep", "1", "--when", "id > 60000")
        r.await_said("removed", 2)
        check.equal("exit code", r.end(), 0)
        check.true("nothing matches", not any("kept" in line for line in r.said))


def counter_values(path):
    """Time and value of each value of cpu-usage, from the JSON lines."""
    for e in check.jsonl("dump", path)[1]:
        told = ((e.get("payload") or {}).get("") or {}).get("Payload") or {}
        if e["name"] == "EventCounters" and told.get("Name") == "cpu-usage":
            yield e["t"], told["Mean"]


def check_counter(scratch):
    """A counter that stays beyond a value."""
    folder = tempfile.mkdtemp(dir=scratch)
    trace = check.tour()
    values = list(counter_values(trace))
    top, span = max(v for _, v in values), (values[-1][0] - values[0][0]) / 1e9
    for text, holds in ((f"cpu-usage > {top * 0.99:.3f}", True), (f"cpu-usage > {top + 1:.3f}", False),
                        (f"cpu-usage >= 0 for {span - 0.1:.3f}s", True),
                        (f"cpu-usage >= 0 for {span + 0.1:.3f}s", False),
                        (f"cpu-usage > {top * 0.99:.3f} for 1ms", False), ("gc-heap-size < 0 for 1s", False)):
        with Fake(folder, trace=trace, args=["--end", "close"]) as fake:
            r = Recording(folder, str(fake.pid), "--rotate", "60s", "--keep", "9", "--when", text)
            r.said += r.child.stderr.read().splitlines()
            check.equal("exit code", r.child.wait(PATIENCE), 0)
            check.equal(f"{text}: {r.said}", any("--when: the files" in line for line in r.said), holds)
            asked = [p["name"] for q in fake.starts() for p in q["asked"]["providers"]]
            check.true("counters are asked for", "System.Runtime" in asked)


def check_faults(scratch):
    """A session that cannot begin: the old file goes on. One that does not end: a second signal ends it."""
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--fault", "start:error=0x80004005@=2"]) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s")
        r.await_said("no new file: the program refuses")
        check.equal("exit code", r.end(), 0)
        check.equal("one file, and the last one", len(r.files()), 2)
    with Fake(folder, trace=TRACE, args=["--fault", "stop:keep"]) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s")
        while len(r.files()) < 2:
            time.sleep(0.05)
        while r.child.poll() is None:   # two signals at the same time are one
            r.child.send_signal(signal.SIGINT)
            time.sleep(0.2)
        r.said += r.child.stderr.read().splitlines()
        check.equal(f"at once ({r.said!r})", r.child.returncode, 1)
        check.equal("both are told", sum("stopped at once" in line for line in r.said), 2)
    with Fake(folder, trace=TRACE) as fake:
        r = Recording(folder, str(fake.pid), "--rotate", "1s")
        r.await_said("events, none")
        fake.send("die")
        r.said += r.child.stderr.read().splitlines()
        check.equal(f"the program is killed ({r.said[-1]!r})", r.child.wait(PATIENCE), 1)
        check.true("told", "the program ended" in r.said[-1])


def check_full_disk(scratch):
    """A full disk: the oldest file goes, and the recording goes on."""
    folder = tempfile.mkdtemp(dir=scratch)
    apart = ["unshare", "--mount", "--fork", "--kill-child"]
    if subprocess.run([*apart, "true"], capture_output=True).returncode != 0:
        return                          # this user may not
    out = tempfile.mkdtemp(dir=scratch)
    size = os.path.getsize(BIG)
    script = f'mount -t tmpfs -o size={size * 7 // 2} none "$2" && exec "$1" record -o "$2" --rotate 1s "$3"'
    with Fake(folder, trace=BIG) as fake:
        child = subprocess.Popen([*apart, "sh", "-c", script + " --keep 100", "sh", check.TNAV, out, str(fake.pid)],
                                 env=environment(folder), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said = []
        while not any("recording again" in line for line in said):
            said.append(child.stderr.readline())
            if said[-1] == "":
                break
        check.true(f"a file is removed: {said}", any("removed (the disk is full)" in line for line in said))
        check.true("it goes on", "recording again" in said[-1])
        child.kill()                    # and what it has started
        child.communicate(timeout=PATIENCE)


def check_words(scratch):
    """What the options refuse."""
    folder = tempfile.mkdtemp(dir=scratch)
    for words, part in ((["--rotate", "5"], "not a time"), (["--rotate", "10"], "not a time"),
                        (["--rotate", "1ms"], "from 1s"), (["--rotate", "1KB"], "from 100KB"),
                        (["--keep", "3"], "need --rotate"), (["--when", "id = 1"], "need --rotate"),
                        (["--rotate", "1s", "--keep", "0"], "--keep"), (["--rotate", "1s", "--keep", "x"], "--keep"),
                        (["--rotate", "1s", "--max-size", "1MB"], "--max-size"),
                        (["--rotate", "1s", "--until", "id = 1"], "--until"),
                        (["--rotate", "1s", "--when", "dur > 1us"], "--when: dur is known only"),
                        (["--rotate", "1s", "--when", "zorn ="], "--when: missing value")):
        r = subprocess.run([check.TNAV, "record", "-o", folder, *words, "99999999"], capture_output=True, text=True,
                           timeout=PATIENCE)
        check.equal(f"{words}: exit code", r.returncode, 2)
        check.true(f"{words}: {r.stderr!r}", part in r.stderr)


CHECKS = (check_full_disk, check_faults, check_order, check_keep, check_killed, check_incident, check_counter, check_rundown,
          check_words)


def main():
    check.need_tnav()
    made = check.apart_by_name(CHECKS, 8)
    check.finish(80 if made == len(CHECKS) else made)


if __name__ == "__main__":
    main()
