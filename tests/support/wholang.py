"""Who threads are, and what processes are called: once more, over the JSON lines of a dump.

Written from the tables of the runtime's events, not from the program. What an event says of a
thread goes before what follows from what the thread did.
"""
import re

RUNTIME, RUNDOWN = "Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntimeRundown"
SAMPLER, PIPE = "Microsoft-DotNETCore-SampleProfiler", "Microsoft-DotNETCore-EventPipe"
SYSTEM = "Universal.System"
FRAMEWORK = "System.Diagnostics.Eventing.FrameworkEventSource"
# What a thread does that writes such an event; the first of these is what it is.
DEEDS = {(RUNTIME, 13): "finalizer", (RUNTIME, 14): "finalizer", (RUNTIME, 283): "tiered JIT",
         (RUNTIME, 284): "tiered JIT", (RUNTIME, 50): "pool worker", (RUNTIME, 51): "pool worker",
         (RUNTIME, 57): "pool worker", (RUNTIME, 62): "pool worker", (FRAMEWORK, 31): "pool worker",
         (RUNDOWN, 145): "rundown", (RUNDOWN, 146): "rundown"}
ORDER = ("main", "finalizer", "sampler", "tiered JIT", "pool worker", "GC", "rundown")
FLAGS = ((2, "finalizer"), (4, "pool worker"), (1, "GC"))


def program(command):
    """The base name of the program that a command line begins with."""
    m = re.match(r'"([^"]*)|([^ ]*)', command)
    return re.split(r"[/\\]", m[1] if m[1] is not None else m[2])[-1]


class Who:
    def __init__(self, events):
        self.told, self.deeds, self.names, self.commands = {}, {}, {}, {}
        self.left, self.came, self.foreign = {}, {}, False
        for e in events:
            if "id" in e:
                self.hear(e)

    def did(self, pid, tid, what):
        self.deeds.setdefault((pid, tid), set()).add(what)

    def hear(self, e):
        kind, p = (e["provider"], e["id"]), e.get("payload") or {}
        pid, tid = e.get("pid"), e.get("tid")
        if kind in ((RUNTIME, 85), (RUNDOWN, 159)) and "OSThreadID" in p:
            self.told[pid, p["OSThreadID"]] = p
        elif kind == (SAMPLER, 0) and "captureTid" in e:
            self.did(pid, e["captureTid"], "sampler")
        elif kind == (RUNTIME, 9) and p.get("Reason") == 6 or \
                kind == (RUNTIME, 202) and p.get("HeapNum", 0) > 0:
            self.did(pid, tid, "GC")
        elif kind in DEEDS:
            self.did(pid, tid, DEEDS[kind])
        elif e["provider"] == "sched" and e.get("name") == "sched_switch" and "builtin" in e:
            self.switch(e["ticks"], pid, tid, e["builtin"])
        elif kind == (PIPE, 1) and program(p.get("CommandLine") or ""):
            self.commands[pid] = max(self.commands.get(pid, (-2**63, "")),
                                     (e["ticks"], program(p["CommandLine"])))
        elif e["provider"] == SYSTEM and p.get("Name") and \
                {"ExistingProcess", "ProcessCreate"} & {e.get("name"), e.get("event")}:
            self.names[pid] = max(self.names.get(pid, (-2**63, "")), (e["ticks"], p["Name"]))

    def switch(self, ticks, pid, tid, b):
        """The event's thread leaves; the other is told by the kernel's id, which is the trace's
        unless those that leave have other ids there."""
        def newest(of, key, name):
            if name and ticks >= of.get(key, (-2**63,))[0]:
                of[key] = ticks, name
        if b["next_pid"] != 0:
            newest(self.came, b["next_pid"], b["next_comm"])
        if tid not in (None, 0, 2**32 - 1):
            newest(self.left, (pid, tid), b["prev_comm"])
            self.foreign |= b["prev_pid"] != tid

    def comm_of(self, pid, tid):
        """What the kernel called a thread last, or None."""
        known = self.left.get((pid, tid))
        if known is None and not self.foreign and tid not in (None, 0):
            known = self.came.get(tid)
        return known and known[1]

    def role_of(self, pid, tid):
        """(role, is it derived?) of a thread, or (None, None)."""
        told = self.told.get((pid, tid), {})
        for bit, role in FLAGS:
            if told.get("Flags", 0) & bit:
                return role, False
        does = set(self.deeds.get((pid, tid), ()))
        if told.get("ManagedThreadIndex") == 1 or tid == pid and tid not in (None, 0, 2**32 - 1):
            does.add("main")
        return next(((role, True) for role in ORDER if role in does), (None, None))

    def process_of(self, pid):
        return self.names.get(pid, self.commands.get(pid, (0, None)))[1]

    def role(self, e):
        return self.role_of(e.get("pid"), e.get("tid"))[0]

    def process(self, e):
        return self.process_of(e.get("pid"))
