"""What code addresses are called: once more, over the JSON lines of a dump.

Written from the rules for names, not from the program. Managed code lives from its load to its
unload, or to the unload of its module; what only a rundown or an unload tells of was there from the
beginning, or since the last code at its place was unloaded. Native code has the symbols of the
mapping that holds its address.
"""
import bisect
import collections
import re

RUNTIME, RUNDOWN = "Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntimeRundown"
SYSTEM = "Universal.System"
LOADS, UNLOADS = {141, 143}, {142, 144}
SAID_SO = {(RUNTIME, n) for n in range(137, 141)} | {(RUNDOWN, n) for n in range(141, 145)}
ENTRY_REACH = 4096
KERNEL = 0xffff800000000000
PAGE = 1 << 12
FIRST, LAST = float("-inf"), float("inf")


class Life:
    def __init__(self, p, name, since, born):
        self.start, self.end = p["MethodStartAddress"], p["MethodStartAddress"] + p["MethodSize"]
        self.key = self.start, p["MethodSize"], p["MethodID"]
        self.module, self.name, self.since, self.until = p.get("ModuleID"), name, since, LAST
        self.born = born
        self.dynamic = p.get("MethodFlags", 0) & 1 != 0


def raw_name(p):
    """The type, a dot, the method, and what follows the two spaces of the signature."""
    if "MethodName" not in p:
        return None
    name = (p["MethodNamespace"] + "." if p["MethodNamespace"] else "") + p["MethodName"]
    return name + p.get("MethodSignature", "").partition("  ")[2]


def base_name(path):
    return re.split(r"[/\\]", path)[-1]


class Process:
    """The managed code of one process."""
    def __init__(self):
        self.lives, self.open, self.ended, self.entries = [], {}, {}, []
        self.loads_told = False

    def tell(self, kind, p, at):
        start, key = p["MethodStartAddress"], None
        if p["MethodSize"] == 0:
            return
        key = start, p["MethodSize"], p["MethodID"]
        life = self.open.get(key)
        loaded = kind[0] == RUNTIME and kind[1] in LOADS
        if life is None:
            since = at if loaded else self.ended.get(start, FIRST)
            life = self.open[key] = Life(p, raw_name(p), since, len(self.lives))
            self.lives.append(life)
        life.name = life.name or raw_name(p)
        if kind[0] == RUNTIME and kind[1] in UNLOADS:
            self.close(life, at)

    def close(self, life, at):
        life.until = at
        self.ended[life.start] = at
        del self.open[life.key]

    def unload_module(self, module, at):
        for life in [x for x in self.open.values() if x.module == module]:
            self.close(life, at)

    def ready(self):
        """Lives by pages; entry points and starts in order."""
        self.pages = collections.defaultdict(list)
        for x in self.lives:
            if x.name is not None and x.since < x.until:
                for page in range(x.start // PAGE, (x.end - 1) // PAGE + 1):
                    self.pages[page].append(x)
        self.starts = sorted({x.start for x in self.lives})
        self.entries.sort(key=lambda e: e[0])
        self.entry_places = [e[0] for e in self.entries]

    def name(self, address, t):
        """The name and whether it is sure."""
        here = [x for x in self.pages.get(address // PAGE, ()) if x.start <= address < x.end]
        now = [x for x in here if x.since <= t < x.until]
        if now:
            best = max(now, key=lambda x: (x.since, x.born))
            return best.name, not best.dynamic or self.loads_told
        if here:
            return {x.name for x in here}, False
        return self.entry(address, t), False

    def entry(self, address, t):
        """The nearest entry point at or below that was there, with no method between."""
        i = bisect.bisect_right(self.entry_places, address) - 1
        k = bisect.bisect_right(self.starts, address) - 1
        if i < 0 or address - self.entry_places[i] >= ENTRY_REACH or \
                k >= 0 and self.starts[k] > self.entry_places[i]:
            return None
        same = [e for e in self.entries if e[0] == self.entry_places[i] and e[1] < t]
        return max(same, key=lambda e: e[1])[2] if same else None


class Names:
    def __init__(self, events):
        self.processes = collections.defaultdict(Process)
        self.maps, self.symbols = collections.defaultdict(list), collections.defaultdict(list)
        self.kernel = []
        for e in events:
            if "id" in e and e.get("payload"):
                self.hear((e["provider"], e["id"]), e, e["payload"])
        for p in self.processes.values():
            p.ready()

    def hear(self, kind, e, p):
        process = self.processes[e.get("pid")]
        if kind in SAID_SO or kind[0] == RUNTIME and kind[1] in LOADS | UNLOADS:
            if "MethodStartAddress" in p and "MethodSize" in p:
                process.tell(kind, p, e["ticks"])
                if kind[0] == RUNTIME and kind[1] in LOADS:
                    process.loads_told = True
        elif kind == (RUNTIME, 153):
            process.unload_module(p["ModuleID"], e["ticks"])
        elif kind == (RUNTIME, 159):
            process.entries.append((p["EntryPoint"], e["ticks"], raw_name(p)))
        elif kind[0] == SYSTEM and e["name"] == "ProcessMapping":
            self.maps[e.get("pid")].append((e["ticks"], p))
            if p["FileName"] == "vmlinux":
                self.kernel.append(p["Id"])
        elif kind[0] == SYSTEM and e["name"] == "ProcessSymbol":
            self.symbols[p["MappingId"]].append(
                (p["StartAddress"], p["EndAddress"], p["Name"]))

    def frame(self, pid, address, depth, t):
        """All that the frame may be called."""
        at = address - (depth > 0)
        name, sure = self.processes[pid].name(at, t) if pid in self.processes else (None, False)
        if name is not None:
            names = name if isinstance(name, set) else {name}
            return names if sure else {n + " ?" for n in names}
        return self.native(pid, address, at, t)

    def native(self, pid, address, at, t):
        maps = [(ts <= t, ts, i, m) for i, (ts, m) in enumerate(self.maps.get(pid, ()))
                if m["StartAddress"] <= at <= m["EndAddress"]]
        if not maps:    # the caller stands at the first byte of one
            return {hex(address)} if at == address else self.native(pid, address, address, t)
        m = max(maps, key=lambda x: x[:3])[3]
        ids = set(self.kernel) if at >= KERNEL else {m["Id"]}
        found = [(e - s, n.lstrip("_") != n, len(n), n) for i in ids
                 for s, e, n in self.symbols.get(i, ()) if s <= at <= e]
        if found:
            return {min(found)[3]}
        return {f"{base_name(m['FileName'])}+{hex(address - m['StartAddress'] + m['FileOffset'])}"}


def without_arguments(name):
    """A name of code, or of a signature, up to the brackets at its end."""
    depth = 0
    for i in range(len(name) - 1, -1, -1):
        depth += (name[i] == ")") - (name[i] == "(")
        if depth == 0:
            return name[:i] if name.endswith(")") else name
    return name


def writers(events):
    """Of each event that Demo.Here.Say wrote for a method: it, the method that it names, the frame
    after Demo.Here.Say, and whether this is the method. A `*` stands for the start of a name."""
    for e in events:
        stack = e.get("stack", [])
        at = [i for i, f in enumerate(stack) if f.startswith("Demo.Here.Say")]
        if not at:
            continue
        want, frame = next(iter(e["payload"].values())), stack[at[0] + 1]
        yield e, want, frame, want[1:] in frame if want.startswith("*") else \
            want in (frame, without_arguments(frame))
