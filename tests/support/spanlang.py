"""Spans by a second implementation: the rules of pairing, over the JSON lines of dump --gaps.

    spans = spanlang.spans(lines)       dicts with the keys of `tnav spans --format jsonl`

It reads the table of pairs from tests/data/spans/pairs.tsv, which the program has a copy of.
"""
import os
import re

PAIRS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "data", "spans", "pairs.tsv")
RUNTIME = {"Microsoft-Windows-DotNETRuntime", "Microsoft-Windows-DotNETRuntimeRundown"}
LASTING = {"Thread", "Module", "Assembly", "Code", "GC handle life"}


class Pair:
    def __init__(self, number, cells):
        self.number = number
        self.group, self.provider, start, stop, self.key, self.rule = cells[:6]
        self.label = cells[6] if len(cells) > 6 else None
        self.ends = {False: self.names(start), True: self.names(stop)}

    @staticmethod
    def names(text):
        return dict((m[1], (m[2], m[3])) for m in
                    (re.fullmatch(r"(\w+)(?:\[(\w+)=([^\]]+)\])?", n) for n in text.split("|")) if m)


def pairs():
    out = []
    with open(PAIRS, encoding="utf-8") as f:
        for line in f:
            cells = line.rstrip("\n").split("\t")
            if line.startswith("#") or len(cells) < 6 or cells[1] == "*" or cells[0] in LASTING:
                continue
            if cells[3] == "-" or " " in cells[3]:
                continue
            out.append(Pair(len(out), cells))
    return out


def value(payload, path):
    head, _, rest = path.partition(".")
    v = payload.get(head)
    if not rest:
        return v
    for pair in v if isinstance(v, list) else ():
        if pair.get("Key") == rest:
            return pair.get("Value")
    return value(payload, head + ".Id") if rest == "SpanId" else None


def thread(e):
    return ("thread", e.get("pid"), e.get("tid"), e.get("tid") is None and e.get("threadIndex"))


def key_of(text, e, stop):
    """The values of a key, and whether the thread is one of them."""
    out, by_thread = [], False
    for part in text.split("+"):
        if part == "process":
            out.append(e.get("pid"))
        elif part == "thread" or part == "activity" and not e.get("activity"):
            out.append(thread(e))
            by_thread = True
        elif part == "activity":
            out.append(e["activity"])
        else:
            out.append(str(value(e.get("payload") or {}, part.split("=")[-1 if stop else 0])))
    return tuple(out), by_thread


def name_of(e):
    return (e.get("event") or e["name"]).replace("/", "")


class Pairing:
    def __init__(self, gaps):
        self.gaps, self.open, self.out, self.table = gaps, {}, [], pairs()
        self.strays = []
        self.known = {(p.provider, n) for p in self.table for end in p.ends.values() for n in end}

    def gap(self, begin, end, tid=None, last=False):
        met = [g for g in self.gaps if (tid is None or g.get("tid") == tid[0])
               and (begin is None or g["to"] > begin) and (end is None or g["from"] < end)]
        if not met:
            return None
        g = met[-1 if last else 0]
        return {"tid": g.get("tid"), "lost": g["gap"], "from": g["from"], "to": g["to"],
                "candidates": len(met)}

    def put(self, group, start, stop, state, gap):
        e = start or stop
        self.out.append({
            "kind": "span", "group": group, "provider": e["provider"], "name": name_of(e),
            "start": start and start["t"], "dur": stop["t"] - start["t"] if start and stop else None,
            "tid": start and start.get("tid"), "stopTid": stop and stop.get("tid"),
            "activity": e.get("activity"), "state": state, "row": start and start["row"],
            "stopRow": stop and stop["row"], "pid": e.get("pid"), "gap": gap,
            "ends": (thread(start), thread(stop)) if start and stop else None})
        return self.out[-1]

    def stop(self, group, rule, key, by_thread, e):
        waiting = self.open.get(key)
        if waiting:
            start = waiting.pop(0 if rule == "fifo" else -1)[0]
            self.put(group, start, e, "paired",
                     self.gap(start["t"], e["t"], (e.get("tid"),)) if by_thread else None)
            return
        gap = self.gap(None, e["t"], (e.get("tid"),) if by_thread else None, last=True)
        orphan = self.put(group, None, e, "orphanAfterGap" if gap else "orphan", gap)
        if key[-1] in ((e.get("activity"),), (thread(e),)):
            self.strays.append((key[:-1], e, orphan))

    def start(self, group, rule, key, by_thread, e):
        waiting = self.open.setdefault(key, [])
        while rule == "one" and waiting:
            self.left(*waiting.pop(0), until=e["t"])
        waiting.append((e, group, by_thread))

    def left(self, e, group, by_thread, until=None):
        gap = self.gap(e["t"], until, (e.get("tid"),) if by_thread else None)
        state = "lostInGap" if gap else "open" if until is None else "replaced"
        return self.put(group, e, None, state, gap)

    def stray_stops(self, left):
        """Stops without an id of their own, in order: each ends the one start that fits, if it is one.
        left: what is open in the end, by what it is besides the activity. Starts of a thread that had
        as many stops as they are, each of which fits all of them, are over."""
        over, stops = set(), {}
        for what, e, orphan in self.strays:
            place = what, thread(e)
            own = [s for s in left.get(what, ()) if s[0]["row"] < e["row"] and
                   thread(s[0]) == thread(e) and s[0]["row"] not in over]
            fit = [s for s in own if e.get("activity") in (None, s[0].get("related"))]
            if orphan["state"] == "orphan" and len(fit) == 1 and fit[0][1]["state"] == "open":
                start, span = fit[0]
                left[what].remove(fit[0])
                self.out.remove(orphan)
                span.update(state="paired", stopRow=e["row"], stopTid=e.get("tid"),
                            dur=e["t"] - start["t"], ends=(thread(start), thread(e)))
                own.remove(fit[0])
            elif orphan["state"] == "orphan" and fit:
                orphan["state"] = "orphanWithoutId"
                if 1 < len(fit) <= 64 and len(fit) == len(own):
                    stops[place] = stops.get(place, 0) + 1
            if stops.get(place, 0) >= max(1, len(own)):
                over.update(s[0]["row"] for s in own)
                stops[place] = 0
        for what, e, orphan in self.strays:
            if orphan["state"] == "orphan" and not e.get("activity") and any(
                    s[0]["row"] < e["row"] for s in left.get(what, ())):
                orphan["state"] = "orphanWithoutId"

    def event(self, e):
        provider, called = e["provider"], e.get("event") or e["name"]
        if (provider, called) not in self.known:
            called = e["name"].replace("/", "")
        if (provider, called) not in self.known:
            self.by_name(e)
            return
        for stop in (True, False):
            for p in self.table:
                if p.provider != provider or called not in p.ends[stop]:
                    continue
                field, wanted = p.ends[stop][called]
                if field and str(value(e["payload"], field)) != wanted:
                    continue
                key, by_thread = key_of(p.key, e, stop)
                (self.stop if stop else self.start)(p.group, p.rule, (p.number, key), by_thread, e)

    def by_name(self, e):
        m = re.search(r"(Start|Stop)\Z", e["name"])
        opcode = e.get("opcode") or 0
        if e["provider"] in RUNTIME or not m or opcode not in (0, 1, 2):
            return
        base = re.sub(r"/\Z", "", e["name"][:m.start()])
        stop = opcode == 2 or opcode == 0 and m[1] == "Stop"
        key, by_thread = key_of("activity", e, stop)
        (self.stop if stop else self.start)("EventSource", "lifo", (e["provider"], base, key),
                                            by_thread, e)

    def end(self):
        starts = {}
        for key, waiting in self.open.items():
            for w in waiting:
                span = self.left(*w)
                if key[-1] == (w[0].get("activity"),):
                    starts.setdefault(key[:-1], []).append((w[0], span))
        self.stray_stops(starts)


def selves(spans):
    """self and depth: each span by all spans of its thread, the slow way."""
    by = {}
    for s in spans:
        s["self"], s["depth"] = s["dur"], 0
        if s["state"] == "paired" and s["ends"][0] == s["ends"][1]:
            by.setdefault(s["ends"][0], []).append(s)
    for of in by.values():
        of.sort(key=lambda s: (s["row"], -s["stopRow"], s["group"]))
        around, children = [], {}
        for s in of:
            around = [x for x in around if x["stopRow"] >= s["row"]]
            outer = [x for x in around if x["stopRow"] >= s["stopRow"]]
            if outer:
                children.setdefault(id(outer[-1]), []).append((s["start"], s["start"] + s["dur"]))
                s["depth"] = outer[-1]["depth"] + 1
            around.append(s)
        for s in of:
            reached = s["start"]
            for begin, end in sorted(children.get(id(s), ())):
                s["self"] -= max(0, end - max(begin, reached))
                reached = max(reached, end)


def spans(lines):
    p = Pairing([g for g in lines if "gap" in g])
    for e in lines:
        if "gap" not in e:
            p.event(e)
    p.end()
    p.out.sort(key=lambda s: (s["stopRow"] if s["row"] is None else s["row"], s["group"],
                              s["stopRow"] or 0))
    selves(p.out)
    return p.out


def native(lines):
    """Events that last: each is a span, in the order of time."""
    out = []
    for e in lines:
        out.append({"kind": "span", "group": "Span", "provider": e.get("provider", ""),
                    "name": e["name"], "start": e["t"], "dur": e["dur"], "tid": e.get("tid"),
                    "stopTid": e.get("tid"), "state": "paired", "row": e["row"], "stopRow": None})
    return out


def rank(values, permille):
    """Nearest rank: the least value that so many are at or below."""
    values = sorted(values)
    return values[max(0, -(-permille * len(values) // 1000) - 1)]


def names(spans_):
    by = {}
    for s in spans_:
        by.setdefault((s["group"], s["provider"], s["name"]), []).append(s)
    out = {}
    for key, of in by.items():
        durs = [s["dur"] for s in of if s["dur"] is not None]
        states = {}
        for s in of:
            states[s["state"]] = states.get(s["state"], 0) + 1
        dist = {"count": len(durs), "total": sum(durs)}
        if durs:
            dist.update({"min": min(durs), "mean": sum(durs) // len(durs), "max": max(durs)},
                        **{f"p{n}": rank(durs, m) for n, m in
                           ((50, 500), (90, 900), (99, 990), (999, 999))})
        out[key] = {"states": states, "dur": dist,
                    "selfTotal": sum(s["self"] for s in of if s["self"] is not None)}
    return out


def labels(spans, events, words=None):
    """What each span is about: {Field} of its start, {stop.Field} of its stop. events: the lines of
    dump by row; words(e, field, number): what it is called, where they are not of --enums."""
    table = {}
    for p in pairs():
        for n in [*p.ends[False], *p.ends[True]]:
            table.setdefault((p.group, p.provider, n), p)

    def text(v):
        if v is None:
            return "?"
        if isinstance(v, bool):
            return "true" if v else "false"
        return v if isinstance(v, str) else str(v)

    for s in spans:
        pair = table.get((s["group"], s["provider"], s["name"]))
        if pair is None:
            yield s["name"].removesuffix("Start")
            continue
        out = ""
        for plain, field in re.findall(r"([^{]*)(?:\{([^}]*)\})?", pair.label):
            out += plain
            if not field:
                continue
            row = s.get("stopRow" if field.startswith("stop.") else "row")
            e = events[row] if row is not None else {}
            field = field.removeprefix("stop.")
            v = value(e.get("payload") or {}, field)
            v = text(words and isinstance(v, int) and words(e, field, v) or v)
            before = re.search(r"[A-Za-z]*$", out)[0]
            if before and len(v) > len(before) and v.lower().startswith(before.lower()):
                out = out[:-len(before)]
            out += v
        yield out
