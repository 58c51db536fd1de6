#!/usr/bin/env python3
"""The report of context switches against a machine that counts them itself.

A made-up machine of two processors runs threads that wait, are woken by each other or by an
interrupt, and are preempted. It writes each switch as cswitch and as sched_switch, and keeps its own
account of what each thread did. Both kinds of events must give that account. The kernel's ids of
threads are not those of the trace, as in a container; two threads have no id in the trace.
"""
import os
import random
import struct

import check
import nt6

CSWITCH, SWITCH, WAKEUP = 1, 2, 3
CPUS, THREADS, STEPS = 2, 9, 4000
UNSEEN = 2                  # threads without an id in the trace
FOREIGN = 5000              # what the kernel adds to the ids of threads
KERNEL = 0xffffffff81000000
RUNNING, SLEEPING, PREEMPTED = 0, 1, 0x100
INTERRUPT = 0x08
PADDING = bytes(4)          # perf's, of a payload of 64 bytes


class Account:
    """What a thread did between its first and its last time off the processor."""

    def __init__(self):
        self.n = self.on = self.off = self.waiting = 0
        self.longest, self.woken, self.back, self.left_in = -1, None, None, None

    def absence(self, left, woken, back, by, place):
        if self.n and left > self.back:
            self.on += left - self.back
        self.n += 1
        self.off += back - left
        self.waiting += woken - left
        self.back = back
        if back - left > self.longest:
            self.longest, self.woken, self.left_in = back - left, by, place


class Machine:
    def __init__(self, seed, lost=0):
        self.random = random.Random(seed)
        self.lost, self.missed, self.strict = lost, 0, {}
        self.now, self.seq, self.events = 0, {}, []
        self.running = [None] * CPUS
        self.ready, self.asleep = list(range(1, THREADS + 1)), []
        self.left, self.woken = {}, {}
        self.account = {}
        self.window, self.inside = None, {}

    def kernel_id(self, thread):
        return 0 if thread is None else FOREIGN + thread

    def index(self, thread):
        """Threads that the recorder can't see, and the idle ones, are thread 0 of the trace."""
        return 0 if thread is None or thread <= UNSEEN else thread

    def write(self, mid, thread, payload, stack=0):
        at = self.index(thread)
        self.seq[at] = self.seq.get(at, 0) + 1
        self.events.append(nt6.plain_event(mid, self.seq[at], at, self.now, payload, stack=stack))

    def tracepoint(self, mid, flags, current, rest):
        return struct.pack("<HBBi", mid, flags, 0, self.kernel_id(current)) + rest

    def keep(self, previous, following):
        """The account of one who sees only the switches that are in the trace."""
        if self.random.random() < self.lost:
            return False
        now = self.now
        for t, leaves in ((previous, True), (following, False)):
            if t is None:
                continue
            k = self.strict.setdefault(t, {"n": 0, "on": 0, "off": 0, "last": 0, "was": None})
            seen = k["was"]
            # The time on the CPU counts at the event after it.
            k["on"], k["last"] = k["on"] + k["last"], 0
            if seen is not None and seen[0] != leaves and leaves:
                k["last"] = now - seen[1] if k["n"] else 0
            elif seen is not None and seen[0] != leaves:
                k["off"] += now - seen[1]
                k["n"] += 1
            self.missed += seen is not None and seen[0] == leaves
            if seen is not None or leaves:
                k["was"] = leaves, now
        return True

    def switch(self, cpu, state, following):
        previous = self.running[cpu]
        if previous is following:
            return
        if self.keep(previous, following):
            self.write_switch(previous, state, following)
        if previous is not None:
            self.left[previous] = self.now
            self.woken[previous] = (self.now, None) if state != SLEEPING else None
            (self.ready if state != SLEEPING else self.asleep).append(previous)
        if following is not None:
            self.ready.remove(following)
            self.comes_back(following)
        self.running[cpu] = following

    def write_switch(self, previous, state, following):
        self.write(SWITCH, previous, self.tracepoint(
            SWITCH, 1, previous, b"previous".ljust(16, b"\0") +
            struct.pack("<iiq", self.kernel_id(previous), 120, state) +
            b"next".ljust(16, b"\0") + struct.pack("<ii", self.kernel_id(following), 120) + PADDING),
            stack=0 if previous is None else previous)

    def comes_back(self, thread):
        if thread not in self.left:
            return
        left = self.left[thread]
        woken, by = self.woken[thread] or (self.now, None)
        if self.index(thread) != 0:
            self.write(CSWITCH, thread, nt6.varu(self.now - left), stack=thread)
        for account in (self.account, self.inside):
            if account is self.account or self.window[0] <= self.now < self.window[1]:
                account.setdefault(thread, Account()).absence(left, woken, self.now, by, thread)

    def wake(self, thread, waker, flags):
        self.asleep.remove(thread)
        self.ready.append(thread)
        self.woken[thread] = (self.now, "interrupt" if flags & INTERRUPT else self.index(waker))
        self.write(WAKEUP, waker, self.tracepoint(
            WAKEUP, flags, waker, b"woken".ljust(16, b"\0") +
            struct.pack("<iii", self.kernel_id(thread), 120, 0)))

    def step(self):
        self.now += self.random.choice((10, 500, 20000))
        cpu = self.random.randrange(CPUS)
        if self.asleep and self.random.random() < .5:
            waker = self.running[cpu]
            soft = waker is None or self.random.random() < .4
            self.wake(self.random.choice(self.asleep), waker, INTERRUPT if soft else 0)
            return
        state = self.random.choice((SLEEPING, SLEEPING, RUNNING, PREEMPTED))
        self.switch(cpu, state, self.random.choice(self.ready) if self.ready else None)

    def run(self):
        self.window = (STEPS * 1500, STEPS * 4000)
        for _ in range(STEPS):
            self.step()
        return self.trace()

    def trace(self):
        u32 = nt6.type_(nt6.U32)
        common = nt6.fields(("common_type", nt6.type_(nt6.U16)), ("common_flags", nt6.type_(nt6.U8)),
                            ("common_preempt_count", nt6.type_(nt6.U8)), ("common_pid", u32))
        rows = [nt6.row(CSWITCH, "Universal.Events", 1, "cswitch",
                        nt6.fields(("Value", nt6.type_(nt6.VARU)))),
                nt6.row(SWITCH, "sched", SWITCH, "sched_switch", common),
                nt6.row(WAKEUP, "sched", WAKEUP, "sched_wakeup", common)]
        known = [nt6.thread(0, nt6.process_id(0), nt6.thread_id(0))]
        known += [nt6.thread(i, nt6.process_id(7), nt6.thread_id(i)) for i in
                  range(UNSEEN + 1, THREADS + 1)]
        stacks = nt6.stacks(1, *[(KERNEL + i, 0x1000 * i) for i in range(1, THREADS + 1)])
        return nt6.trace([nt6.threads(*known), nt6.metadata(*rows), stacks,
                          nt6.events(self.events, compressed=False)])


def report(path, *options):
    _, rows = check.jsonl("switches", *options, path)
    return {r["tid"]: r for r in rows if r["kind"] == "thread"}, \
        [r for r in rows if r["kind"] == "summary"]


def compare(name, path, account, states, *options):
    rows, summary = report(path, *options)
    seen = {t: a for t, a in account.items() if t > UNSEEN}
    check.equal(f"{name}: threads", set(rows), set(seen))
    for t, a in seen.items():
        r = rows.get(t, {})
        check.equal(f"{name}: thread {t}", tuple(r.get(k) for k in (
            "switches", "onCpu", "offCpu", "longestOff", "by")),
            (a.n, a.on, a.off, a.longest, f"0x{0x1000 * a.left_in:x}"))
        woken = a.woken if a.woken in ("interrupt", None) else str(a.woken) if a.woken else None
        check.equal(f"{name}: how thread {t} waited", tuple(r.get(k) for k in (
            "waiting", "ready", "wokenBy")), (a.waiting, a.off - a.waiting, woken) if states else
            (None, None, None))
    check.equal(f"{name}: summary", [tuple(s[k] for k in ("threads", "switches", "onCpu", "offCpu"))
                                     for s in summary],
                [(len(seen),) + tuple(sum(getattr(a, k) for a in seen.values())
                                      for k in ("n", "on", "off"))])


def switches_that_are_lost():
    """Of two leaves of a thread with no return between, the time between is neither on nor off."""
    machine = Machine(check.check_seed(), lost=.2)
    path = os.path.join(check.temp_dir(), "lost.nettrace")
    with open(path, "wb") as f:
        f.write(machine.run())
    rows, _ = report(path, "-f", "provider = sched")
    for t, k in machine.strict.items():
        if machine.index(t) != 0:
            check.equal(f"lost: thread {t}", tuple(rows[t][x] for x in ("switches", "onCpu", "offCpu")),
                        (k["n"], k["on"], k["off"]))
    err = check.tnav("switches", "-f", "provider = sched", path).err
    check.true(f"{machine.missed} are missed: {err}",
               f"{machine.missed:,} switches are not in the trace".encode() in err)


def main():
    check.need_tnav()
    for seed in range(3):
        machine = Machine(check.check_seed() + seed)
        path = os.path.join(check.temp_dir(), f"machine-{seed}.nettrace")
        with open(path, "wb") as f:
            f.write(machine.run())
        window = [x for k, v in zip(("--from", "--to"), machine.window) for x in (k, f"{v}ns")]
        sched, kernel = ("-f", "provider = sched"), ("-f", "provider = Universal.Events")
        compare("both", path, machine.account, False)
        compare("cswitch", path, machine.account, False, *kernel)
        compare("sched_switch", path, machine.account, True, *sched)
        compare("cswitch in a window", path, machine.inside, False, *kernel, *window)
        rows, _ = report(path, "-f", "provider = sched and tid = 5")
        check.equal("a filter chooses threads by their own switches", list(rows), [5])
        r = check.tnav("switches", *sched, path)
        left_out = sum(a.n for t, a in machine.account.items() if t <= UNSEEN)
        check.true(f"{left_out} switches are left out: {r.err}",
                   f"{left_out:,} switches of threads without an id".encode() in r.err)
    switches_that_are_lost()
    check.finish(100)


main()
