#!/usr/bin/env python3
"""Generated filters: what tnav finds against the language done a second time.

An expression is made as a tree from the values of a trace's events, spelled as text for `tnav dump
-f`, and decided here, slowly, by the rules of doc/filter.md for each of the JSON lines of the whole
dump. The rows must be the same. The seed is fixed; FILTER_SEED chooses another.
"""
import os
import random
import re
import sys
import uuid

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import check  # noqa: E402

DATA = ("features/v4-activity-ids.nettrace", "features/v4-dropped-events.nettrace",
        "features/v5-metadata-tags.nettrace", "features/v6-labels-all-kinds.nettrace",
        "features/v6-all-scalars.nettrace", "features/v6-threads.nettrace",
        "features/v6-nested-structs.nettrace", "features/v6-nested-arrays.nettrace",
        "features/v3-stacks-and-activities.netperf", "traces/actors-1worker.heph",
        "traces/net10-eventsource-types.nettrace", "traces/netcore21-linux-x64-tracelogging.netperf")
SHARED = ("v4/net10-exceptions.nettrace", "v4/net10-activities-http.nettrace",
          "v6/perf-tracepoints-labels.nettrace", "heph/attributes-2workers.heph")
EACH, EACH_SHARED = 20, 25
NUMBERS = ("id", "version", "level", "pid", "tid", "cpu", "seq", "row", "size")
LEVELS = ("LogAlways", "critical", "Error", "warning", "informational", "verbose")
CHANGED = re.compile(r"[0-9a-fA-F-]{8,}|\d{4}-\d\d-\d\dT.*|NaN|-?Infinity|.*[\0\ufffd].*", re.S)


# ---- what an event has: a list of values for each field, empty where the field is not there

def values(e, field):
    """All values that a comparison of the field looks at."""
    if field in ("name", "thread"):
        both = (e.get("name"), e.get("event")) if field == "name" else (
            e.get("thread"), str(e["tid"]) if "tid" in e else None)
        return [v for v in both if v is not None]
    if field == "time":
        return [e["t"]]
    if field == "lost":
        return [e.get("lost", 0)]
    if field == "pid" and e.get("pid") == 0 and "tid" not in e:
        return []               # a V6 thread of which neither is known: the dump writes a 0
    if field == "keywords":
        return [int(e["keywords"], 16)] if "keywords" in e else []
    if field.startswith("label."):
        v = (e.get("labels") or {}).get(field[6:])
    elif field.startswith("payload."):
        v = in_payload(e, field[8:])
    else:
        v = e.get(field)
    return [] if v is None else v if isinstance(v, list) else [v]


def in_payload(e, name):
    """The value of a field by its points; what an object without a name holds is the event's own."""
    at = [e.get("payload")]
    for part in name.split("."):
        at += [v[""] for v in at if isinstance(v, dict) and "" in v]
        at = [v[part] for v in at if isinstance(v, dict) and part in v]
    return at[0] if at else None


def search(pattern, text):
    flags = 0 if re.search("[A-Z]", pattern) else re.I
    return re.search(pattern, str(text), flags) is not None


def path_of(guid):
    """The numbers of a path that .NET's tracker packed into an activity id; None: it is none."""
    raw = uuid.UUID(guid).bytes_le
    words = [int.from_bytes(raw[i:i + 4], "little") for i in (0, 4, 8, 12)]
    pid = None
    total = (words[0] + words[1] + words[2] + 0x599D99AD) & 0xffffffff
    if words[3] != total:
        pid = words[3] ^ total
        if pid > 0x3fffff:
            return None
    out, at = [], 0                     # in nibbles, the high one of a byte first
    nibble = lambda i: raw[i // 2] >> 4 if i % 2 == 0 else raw[i // 2] & 15  # noqa: E731
    while at < 24:
        n = nibble(at)
        at += 1
        if n == 0:
            break
        if n <= 10:
            out.append(n)
            continue
        if n == 11:
            return None                 # of the overflow kind: not modelled
        value = nibble(at) if at % 2 else 0
        at += at % 2
        for _ in range(n - 12 + 1):
            if at >= 24:
                break
            value = value << 8 | raw[at // 2]
            at += 2
        out.append(value)
    return pid, out


# ---- conditions: (text, function of the event)

def compare(field, op, v, text):
    test = {"=": lambda x: x == v, "<": lambda x: x < v, "<=": lambda x: x <= v,
            ">": lambda x: x > v, ">=": lambda x: x >= v}.get(op)
    if op == "!=":
        return f"{field} != {text}", lambda e: bool(values(e, field)) and v not in values(e, field)
    return f"{field} {op} {text}", lambda e: any(test(x) for x in values(e, field))


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def spell_time(rng, ns):
    forms = [f"{ns}ns"]
    for unit, size in (("us", 10**3), ("\u00b5s", 10**3), ("ms", 10**6), ("s", 10**9)):
        whole, rest = divmod(ns, size)
        digits = str(rest).zfill(len(str(size)) - 1).rstrip("0")
        if ns >= 0:
            forms.append(f"{whole}.{digits}{unit}" if digits else f"{whole}{unit}")
    return rng.choice(forms)


def spell_number(rng, field, v):
    forms = [str(v)]
    if v >= 0:
        forms.append(hex(v))
    if field == "size" and v % 1000 == 0:
        forms.append(f"{v // 1000}KB")
    if field == "size" and v % 512 == 0:
        forms.append(f"{v / 1024:g}KiB")
    if field == "level" and v < 6:
        forms.append(LEVELS[v])
    return rng.choice(forms)


def ordered(rng, field, seen, spell):
    """A condition on a field whose values have an order."""
    v = rng.choice(seen)
    kind = rng.randrange(6)
    if kind < 3:
        return compare(field, rng.choice(("=", "!=", "<", "<=", ">", ">=")), v, spell(v))
    if kind == 3:
        some = [rng.choice(seen) for _ in range(rng.randrange(1, 4))]
        return (f"{field} in ({', '.join(spell(x) for x in some)})",
                lambda e: any(x in some for x in values(e, field)))
    low, high = sorted((v, rng.choice(seen)))
    if kind == 4:
        return (f"{field} in {spell(low)}..{spell(high)}",
                lambda e: any(low <= x < high for x in values(e, field)))
    return rng.choice((
        (f"{field} in {spell(low)}..", lambda e: any(x >= low for x in values(e, field))),
        (f"{field} in ..{spell(high)}", lambda e: any(x < high for x in values(e, field)))))


def textual(rng, field, seen):
    v = rng.choice(seen)
    kind = rng.randrange(5)
    if kind < 2:
        return compare(field, "=" if kind else "!=", v, quoted(v))
    if kind == 2:
        some = [rng.choice(seen) for _ in range(rng.randrange(1, 4))]
        return (f"{field} in ({', '.join(quoted(x) for x in some)})",
                lambda e: any(x in some for x in values(e, field)))
    word = rng.choice(re.findall(r"[A-Za-z]{2,}|\d+", v, re.ASCII) or ["e"])
    pattern = rng.choice((word, word.lower(), f"^{word}", f"{word}$", f"({word}|x.z)+", f"[^a]{word[1:]}"))
    if kind == 3:
        return (f"{field} ~ {quoted(pattern)}",
                lambda e: any(search(pattern, x) for x in values(e, field)))
    return (f"{field} !~ {quoted(pattern)}",
            lambda e: bool(values(e, field)) and not any(search(pattern, x) for x in values(e, field)))


def payload_fields(events):
    """Names of fields whose values are all of one kind here, and plain: {name: [values]}."""
    seen = {}

    def walk(prefix, obj):
        for k, v in obj.items():
            if not re.fullmatch(r"[A-Za-z_]\w*", k):
                continue
            if isinstance(v, dict):
                walk(prefix + k + ".", v)
            seen.setdefault(prefix + k, []).extend(v if isinstance(v, list) else [v])
    for e in events:
        walk("", e.get("payload") or {})
    return {k: v for k, v in seen.items() if v and len({type(x) for x in v}) == 1 and (
        type(v[0]) is int or type(v[0]) is str and all(len(x) < 200 and not CHANGED.fullmatch(x) for x in v))}


class Maker:
    def __init__(self, rng, events):
        self.rng, self.events = rng, events
        self.payload = payload_fields(events)
        self.labels = sorted({k for e in events for k, v in (e.get("labels") or {}).items()
                              if re.fullmatch(r"[A-Za-z_]\w*", k) and type(v) in (int, str)})

    def seen(self, field):
        return [v for e in self.events for v in values(e, field)]

    def has(self, field):
        if field == "lost":
            return "has lost", lambda e: e.get("lost", 0) > 0
        if field.startswith("payload."):
            return f"has {field}", lambda e: in_payload(e, field[8:]) is not None
        return f"has {field}", lambda e: bool(values(e, field))

    def activity(self):
        field = self.rng.choice(("activity", "related"))
        seen = self.seen(field)
        if not seen:
            return self.has(field)
        guid = self.rng.choice(seen)
        path = path_of(guid)
        if path is None or not path[1] or self.rng.random() < 0.3:
            return compare(field, self.rng.choice(("=", "!=")), guid, self.rng.choice(
                (guid, guid.upper(), "{" + guid + "}", guid.replace("-", ""))))
        pid, numbers = path
        known = [(x, path_of(x)) for x in set(seen)]
        inside = {x for x, p in known if p and p[0] == pid and p[1][:len(numbers)] == numbers}
        return f"{field} under {guid}", lambda e: bool(inside.intersection(values(e, field)))

    def of_payload(self):
        if not self.payload:
            return self.has("stack")
        name = self.rng.choice(sorted(self.payload))
        field, seen = "payload." + name, self.payload[name]
        if self.rng.random() < 0.15:
            return self.has(field)
        if type(seen[0]) is int:
            return ordered(self.rng, field, seen, str)
        return textual(self.rng, field, seen)

    def term(self):
        rng = self.rng
        kind = rng.randrange(12)
        if kind < 3:
            return self.of_payload()
        if kind < 5:
            field = rng.choice(NUMBERS + ("lost",))
            seen = self.seen(field)
            return ordered(rng, field, seen, lambda v: spell_number(rng, field, v)) if seen else self.has(field)
        if kind == 5:
            field = rng.choice(("time", "time", "dur"))
            seen = [v for v in self.seen(field) if v >= 0]
            return ordered(rng, field, seen, lambda v: spell_time(rng, v)) if seen else self.has("stack")
        if kind < 8:
            field = rng.choice(("provider", "name", "name", "event", "thread"))
            seen = [v for v in self.seen(field) if v and "\ufffd" not in v and "\0" not in v]
            return textual(rng, field, seen) if seen else self.has(field)
        if kind == 8:
            return self.activity()
        if kind == 9 and self.labels:
            key = rng.choice(self.labels)
            v = rng.choice(self.seen("label." + key))
            return compare("label." + key, rng.choice(("=", "!=")), v, quoted(v) if isinstance(v, str) else str(v))
        if kind == 10 and self.seen("keywords"):
            bits = rng.choice(self.seen("keywords")) & rng.getrandbits(64) or 1
            return (f"keywords has {hex(bits)}",
                    lambda e: any(x & bits == bits for x in values(e, "keywords")))
        stack = self.seen("stack")
        if stack and rng.random() < 0.5:
            ip = rng.choice(stack)
            return f"stack = {ip}", lambda e: ip in values(e, "stack")
        return self.has(rng.choice(("stack", "activity", "related", "lost", "thread", "event")))

    def tree(self, depth):
        """(text, function, how closely it binds: 0 or, 1 and, 2 not or a term)."""
        kind = self.rng.random()
        if depth == 0 or kind < 0.25:
            return (*self.term(), 2)
        if kind < 0.45:
            text, f, binds = self.tree(depth - 1)
            return f"not {text if binds == 2 else f'({text})'}", (lambda e: not f(e)), 2
        mine, word = (1, "and") if kind < 0.75 else (0, "or")
        parts = [self.tree(depth - 1) for _ in range(self.rng.randrange(2, 4))]
        text = f" {word} ".join(t if b > mine or b == mine and self.rng.random() < 0.5 else f"({t})"
                                for t, _, b in parts)
        tests = [f for _, f, _ in parts]
        every = all if mine else any
        return text, (lambda e: every(f(e) for f in tests)), mine


def one(path, n, rng):
    name = os.path.basename(path)
    r, events = check.jsonl("dump", path)
    if not events:
        return
    maker = Maker(rng, events)
    for _ in range(n):
        text, test, _ = maker.tree(3)
        r = check.tnav("dump", "--format", "tsv", "-e", "row", "-f", text, path)
        if r.code not in (0, 1):
            check.fail(f"{name}: {text}: {r.err.decode('utf-8', 'replace')}")
            continue
        got = {int(x) for x in r.out.split() if x.isdigit()}
        want = {e["row"] for e in events if test(e)}
        check.equal(f"{name}: {text}: {len(got)} and {len(want)} rows, too many and too few",
                    (sorted(got - want)[:5], sorted(want - got)[:5]), ([], []))


def main():
    check.need_tnav()
    rng = random.Random(int(os.environ.get("FILTER_SEED", "20261121")))
    for name in DATA:
        one(os.path.join(check.DATA, name), EACH, rng)
    for name in SHARED:
        path = os.path.join(check.SHARED, "traces", name)
        if os.path.exists(path):
            one(path, EACH_SHARED, rng)
    check.finish()


if __name__ == "__main__":
    main()
