#!/usr/bin/env python3
"""What `info` tells of the process and of the providers, against the events of `dump`.

Of each kind of event that tells of the process the first one counts, and only in a trace of one
process. Texts that no such event has are null, and providers are counted event by event.
"""
import collections
import os
import re

import check
import nt6

KINDS = (("Microsoft-DotNETCore-EventPipe", 1),
         ("Microsoft-Windows-DotNETRuntime", 187),
         ("Microsoft-Windows-DotNETRuntimeRundown", 187))
TEXTS = {"commandLine": "CommandLine", "os": "OSInformation", "architecture": "ArchInformation",
         "runtimePath": "RuntimeDllPath"}
SYSTEM = "Universal.System"      # an event for each process; of one process it is its command
VERSION = ("BclMajorVersion", "BclMinorVersion", "BclBuildNumber", "BclQfeNumber")
SIZE = 2 << 20
SMALL, LARGE = 16, 4    # traces of a sample


def told(events):
    """The payloads of the first event of each kind."""
    first = {}
    for e in events:
        first.setdefault((e.get("provider"), e.get("id")), e.get("payload") or {})
    return [first[k] for k in KINDS if k in first]


def wanted(events, processes):
    payloads = told(events) if processes <= 1 else []
    want = {key: next((p[name] for p in payloads if p.get(name)), None)
            for key, name in TEXTS.items()}
    system = [e for e in events if e.get("provider") == SYSTEM and e.get("id") in (0, 1)]
    if not want["commandLine"] and processes <= 1 and len(system) == 1:
        want["commandLine"] = (system[0].get("payload") or {}).get("Name") or None
    version = next((p for p in payloads if VERSION[0] in p), None)
    want["runtime"] = version and ".".join(str(version[v]) for v in VERSION)
    return want


def compare(path):
    name = check.stem(path)
    r, lines = check.jsonl("dump", path)
    if r.code == 2:
        return {}
    facts = check.jsonl("info", path)[1][0]
    events = [e for e in lines if "row" in e]
    want = wanted(events, facts["processes"])
    check.equal(f"{name}: process", {k: facts[k] for k in want}, want)
    count = collections.Counter(e.get("provider", "") for e in events)
    got = [(p["provider"], p["events"]) for p in facts["eventsByProvider"]]
    check.equal(f"{name}: events by provider", {p: n for p, n in got if n > 0}, dict(count))
    check.equal(f"{name}: most events first", got,
                sorted(got, key=lambda p: (-p[1], p[0].encode())))
    check.equal(f"{name}: providers", facts["providers"], len(got))
    page(path, name, facts, got)
    return want


def made(folder):
    """A V6 trace that tells one command, and one that tells two."""
    paths, text = [], nt6.type_(nt6.ARRAY, nt6.type_(nt6.CHAR8))
    for n in (1, 2):
        names = [f"/bin/app {i}".encode() for i in range(n)]
        event = [nt6.event(1, i, 1 + i, ticks=10 + i,
                           pay=nt6.varu(i) + nt6.u16(len(name)) + name)
                 for i, name in enumerate(names)]
        meta = nt6.metadata(nt6.row(1, SYSTEM, n - 1, "Process",
                                    nt6.fields(("NamespaceId", nt6.type_(nt6.VARU)),
                                               ("Name", text))))
        rows = [nt6.thread(1 + i, nt6.process_id(70), nt6.thread_id(70 + i)) for i in range(n)]
        paths.append(os.path.join(folder, f"process{n}.nettrace"))
        with open(paths[-1], "wb") as f:
            f.write(nt6.trace([nt6.threads(*rows), meta, nt6.events(event)]))
    return paths


def page(path, name, facts, got):
    """The page has what the row has, of providers the first five without -v."""
    text = check.tnav("info", path).out.decode()
    command = facts["commandLine"]
    if command and command.isascii() and command.isprintable():
        check.true(f"{name}: command", f"\ncommand   {command}\n" in text)
    else:
        check.true(f"{name}: no command", command or "\ncommand " not in text)
    for provider, n in got[:5]:
        if re.fullmatch(r"[\w.-]+", provider, re.A):
            check.true(f"{name}: {provider}", f" {provider}  {n:,}\n" in text)
    more = re.search(r"^ +and (\d+) more; `tnav info -v` lists them$", text, re.M)
    check.equal(f"{name}: more providers", int(more[1]) if more else 0, max(len(got) - 5, 0))


def main():
    check.need_tnav()
    scratch = check.temp_dir()
    one, two = made(scratch)
    check.equal("one process", compare(one).get("commandLine"), "/bin/app 0")
    check.equal("two processes", compare(two).get("commandLine"), None)
    paths = check.all_data_traces(scratch)
    paths += [p for p in check.all_shared_traces() if "/features/" not in p]
    paths = [p for p in paths if os.path.getsize(p) < SIZE]
    always = [p for p in paths if check.stem(p) in ("net10-exceptions", "v6-headers-only")]
    seen = [compare(p) for p in always + check.check_traces(paths, SMALL, LARGE)]
    check.true("a trace with a command line", any(w.get("commandLine") for w in seen))
    if check.all_shared_traces():
        check.true("a trace with a runtime", any(w.get("runtime") for w in seen))
    check.true("a trace without", any(not any(w.values()) for w in seen))
    check.finish()


if __name__ == "__main__":
    main()
