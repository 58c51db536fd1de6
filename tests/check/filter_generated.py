#!/usr/bin/env python3
"""Generated filters: what tnav finds against the language done a second time.

Expressions are made as text from what the events of a trace hold, given to `tnav dump -f`, and
decided by tests/support/filterlang.py over the JSON lines of the whole dump. The rows must be the
same. Every real trace gets some; together they use each field, each operator and each form of a
value, and in most of them a part of the rows matches: that too is checked here.

The seed is that of the run (TNAV_SEED), printed with a failure. FILTER_EACH is how many expressions
a trace gets (a small one: a quarter of that), 200 for a long run.
"""
import collections
import concurrent.futures
import gc
import json
import os
import random
import re
import time
import uuid

import check
import filterlang
from filterlang import HERE, LEVEL_NAMES, LEVELS, Number, guid_bytes, text_of

SEED = check.check_seed()
EACH = int(os.environ.get("FILTER_EACH", "0"))
WEIGHT = 150000             # rows x expressions of a trace, about
MOST, LEAST, SMALL = check.tier(20, 40), 4, check.tier(6, 8)
ROWS_SMALL, ROWS_LARGE = 100, 15000
CHANCES, ROUNDS = 2000, 4
TRACES_SMALL, TRACES_LARGE = 5, 1       # of a sample, besides those of VARIED
VARIED = ("made-activity-paths.nettrace", "v6-labels-all-kinds.nettrace", "actors-1worker.heph",
          "v4-dropped-events.nettrace", "v4-capture-threads.nettrace", "v6-threads.nettrace",
          "v5-metadata-tags.nettrace", "v6-bad-thread-index.nettrace",
          "net10-eventsource-types.nettrace", "demo.nettrace")
PARTLY = 0.5                # the share of expressions that a part of the rows matches
DEEPEST = 60

ORDERS = ("=", "!=", "<", "<=", ">", ">=")
COVERED = {f"{f} {op}" for f in ("id", "version", "tid", "cpu", "seq", "row", "size", "level",
                                 "time", "dur", "delta", "lost", "payload number")
           for op in ORDERS + ("in", "range")}
COVERED |= {f"{f} {op}" for f in ("provider", "name", "event", "thread", "label", "activity",
                                  "related", "opcode", "payload text")
            for op in ("=", "!=", "in", "~")}
COVERED |= {f"has {f}" for f in ("event", "thread", "stack", "activity", "related", "lost",
                                 "label", "payload", "opcode")}
COVERED |= {
    "/", "provider !~", "name !~", "stack =", "stack !=", "stack ~", "keywords has name",
    "keywords has hex", "keywords =", "keywords !=", "keywords ~", "level ~", "level name",
    "opcode name", "enum name",
    "enum ~", "flags words", "number ~", "activity under path",
    "activity under guid", "activity under overflow", "activity path", "activity ~ path",
    "related under path", "guid spelled", "time UTC", "time local", "time offset", "time clock",
    "time unit", "time signed", "units mixed", "bytes KB", "bytes KiB", "hex", "float",
    "float order",
    "payload guid", "payload date", "payload bool", "payload bytes", "payload array",
    "payload nested", "payload quoted", "payload of a header's name", "label number", "label hex",
    "escaped", "single quotes", "non-ASCII", "no such field", "smart case", "capital", "deep",
    "name behind its provider", "a word in another case", "another sign", "another joint",
    "a unit behind a blank", "/regex/i", "not not", "big", "negative", "open above", "open below",
}


class Nothing(Exception):
    """The trace has nothing that the condition could be made of."""


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


class Maker:
    """Makes expressions for one trace. tags: what the last one uses."""

    def __init__(self, rng, trace):
        self.rng, self.trace = rng, trace
        self.tags = set()
        self.paths = []
        self.large = len(trace.events) > ROWS_LARGE
        self.kinds = [self.number] * 4 + [
            self.size, self.level, self.keywords, self.keywords, self.opcode, self.opcode,
            self.time, self.time, self.duration, self.text, self.text, self.text, self.stack,
            self.guid, self.guid, self.guid, self.label, self.label, self.row_text, self.row_text,
            self.there, self.missing] + [self.payload] * 10

    def tag(self, *tags):
        self.tags.update(tags)

    def one(self, *of):
        return self.rng.choice(of)

    def chance(self, p):
        return self.rng.random() < p

    def seen(self, field):
        """All values of a field, each different set of them once."""
        out = [x for v in self.trace.column(field)[1] for x in v if x is not HERE]
        if not out:
            raise Nothing(field)
        return out

    def event(self):
        return self.rng.choice(self.trace.events)

    # -- values as text

    def in_any_case(self, word):
        if self.chance(0.3):
            self.tag("a word in another case")
            return self.one(word.lower(), word.upper())
        return word

    def sign(self, op):
        """The operator, or what other languages write for it."""
        if op in ("=", "!=", "~") and self.chance(0.1):
            self.tag("another sign")
            return {"=": "==", "!=": "<>", "~": "=~"}[op]
        return op

    def quote(self, text):
        """A text as a value: bare where it may be, else in either quotes."""
        if "\0" in text or len(text) > 400:
            raise Nothing(text)
        if not text.isascii():
            self.tag("non-ASCII")
        if re.fullmatch(r"[\w][\w./:#-]*", text) and self.chance(0.5):
            return text
        if re.fullmatch(r"[\w.`]+(\[[\w.`,]*\])+", text) and self.chance(0.7):
            self.tag("a comma in brackets" if "," in text else "brackets")
            return text
        if "'" not in text and self.chance(0.3):
            self.tag("single quotes")
            return f"'{text}'"
        if '"' in text or "\\" in text:
            self.tag("escaped")
        return quoted(text)

    def pattern(self, text):
        """A regular expression that has to do with the text."""
        text = text.replace("\0", "")
        start = self.rng.randrange(max(1, len(text) - 3))
        piece = text[start:start + self.rng.randrange(1, 9)] or "x"
        p = re.escape(piece)
        word = re.search(r"[A-Za-z]{2,}", text[start:start + 40]) or re.search("[A-Za-z]{2,}", text)
        forms = [p, p, f"^{re.escape(text[:6])}", f"{re.escape(text[-5:])}$", f"{p}|zz+",
                 f"({p})+", f"[^{piece[0] if piece[0].isalnum() else 'a'}]{p}",
                 r"\d+\D?" + p[-1:] if p.isalnum() else r"\d{2}",
                 rf"\b{p[:1]}\w" if p.isalpha() else r"^\w+",
                 rf"\W{p[-1:]}" if p.isalnum() else r"\S\s",
                 rf"{p[:1]}\D" if p.isalnum() else r"^\S+$",
                 f"(?!zz){p}", f"{p}.?"]
        if word:
            low = word[0].lower()
            forms += [low, low, word[0], word[0].capitalize(),
                      f"{low[0]}.*{low[-1]}",
                      f"[{low[0]}-z]{low[1:]}", f"{low[:2]}(x|{low[2:] or 'y'})"]
        p = self.rng.choice(forms)
        self.tag("capital" if filterlang.compiled(p).flags & re.I == 0 else "smart case")
        if not p.isascii():
            self.tag("non-ASCII")
        return p

    def regex(self, text):
        """A pattern as a value; backslashes need no second one where they can't be mistaken."""
        p = self.pattern(text)
        if re.fullmatch(r"[\w^][\w.*+$|-]*", p) and self.chance(0.5):
            return p
        if p and "\\\\" not in p and not p.endswith("\\") and '"' not in p and self.chance(0.5):
            return f'"{p}"'
        self.tag("escaped")
        return quoted(p)

    # -- conditions of the common forms

    def ordered(self, field, as_tag, seen, spell, lists=True):
        """A condition on a field whose values have an order."""
        kind = self.rng.randrange(8)
        v = self.rng.choice(seen)
        if kind < 5 or not lists:
            op = self.rng.choice(ORDERS)
            self.tag(f"{as_tag} {op}")
            return f"{field} {self.sign(op)} {spell(v)}"
        if kind == 5:
            self.tag(f"{as_tag} in")
            some = [v] + [self.rng.choice(seen) for _ in range(self.rng.randrange(4))]
            texts = [spell(x) for x in some]
            if len({re.sub(r"^[-+]?[\d.]+", "", t) for t in texts}) > 1:
                self.tag("units mixed")
            return f"{field} in ({self.one(', ', ',', ' , ').join(texts)})"
        self.tag(f"{as_tag} range")
        low, high = sorted((v, self.rng.choice(seen)))
        form = self.rng.randrange(4)
        if form == 0:
            self.tag("open above")
            return f"{field} in {spell(low)}.."
        if form == 1:
            self.tag("open below")
            return f"{field} in ..{spell(high)}"
        return f"{field} in {spell(low)}..{spell(high)}"

    def textual(self, field, as_tag, text, quote=None):
        kind = self.rng.randrange(6)
        quote = quote or self.quote
        if kind < 3:
            op = self.one("=", "=", "!=")
            self.tag(f"{as_tag} {op}")
            return f"{field} {self.sign(op)} {quote(text())}"
        if kind == 3:
            self.tag(f"{as_tag} in")
            some = [quote(text()) for _ in range(self.rng.randrange(1, 4))]
            return f"{field} in ({', '.join(some)})"
        op = self.one("~", "~", "!~")
        self.tag(f"{as_tag} {op}")
        return f"{field} {self.sign(op)} {self.regex(text())}"

    def spell_number(self, v):
        forms = [str(v), str(v)]
        if v >= 0:
            forms += [f"0x{v:x}", f"0X{v:X}", f"+{v}"]
        if abs(v) < 2**50:
            forms += [f"{v}.0", f"{v}.5" if v >= 0 else f"{v}"]
        text = self.rng.choice(forms)
        if text[:2] in ("0x", "0X"):
            self.tag("hex")
        if v >= 2**63:
            self.tag("big")
        if v < 0:
            self.tag("negative")
        return text

    # -- fields of the header

    def number(self):
        field = self.one("id", "version", "pid", "tid", "cpu", "seq", "row", "lost", "lost")
        seen = self.seen(field)
        if self.chance(0.1):
            self.tag("number ~")
            return f"{field} ~ {self.regex(str(self.rng.choice(seen)))}"
        return self.ordered(field, field, seen, self.spell_number)

    def spell_bytes(self, v):
        forms = [str(v), f"{v}B"]
        for unit in ("KB", "KiB", "MiB"):
            size = filterlang.BYTES[unit]
            digits = f"{v / size:.10f}".rstrip("0").rstrip(".")
            if filterlang.scaled(digits + unit, filterlang.BYTES) == v:
                forms += [digits + unit] * 2
        text = self.rng.choice(forms)
        for unit in ("KB", "KiB"):
            if text.endswith(unit):
                self.tag(f"bytes {unit}")
        return self.apart(text)

    def apart(self, text):
        """The unit behind a blank."""
        m = re.fullmatch(r"([-+.\d]+)(\D+)", text)
        if not m or not self.chance(0.3):
            return text
        self.tag("a unit behind a blank")
        return f"{m[1]} {m[2]}"

    def size(self):
        return self.ordered("size", "size", self.seen("size"), self.spell_bytes)

    def level(self):
        def spell(v):
            if self.chance(0.4) or v >= len(LEVELS):
                return str(v)
            self.tag("level name")
            name = LEVELS[v]
            return self.one(name, name.capitalize(), name.upper())
        if self.chance(0.2):
            self.tag("level ~")
            v = self.rng.choice(self.seen("level"))
            return f"level ~ {self.regex(self.one(str(v), *LEVEL_NAMES[v:v + 1]))}"
        return self.ordered("level", "level", self.seen("level"), spell)

    def keywords(self):
        values = [v for v in self.trace.column("keywords")[1] if v[1]]
        if not values:
            raise Nothing("keywords")
        provider, bits = self.rng.choice(values)
        names = [n for (p, n), b in self.trace.tables.keywords.items()
                 if p == provider and b & bits == b]
        if names and self.chance(0.6):
            self.tag("keywords has name")
            name = self.rng.choice(names)
            return f"keywords has {self.one(name, name.upper(), name.capitalize())}"
        if self.chance(0.5):
            self.tag("keywords has hex")
            return f"keywords has 0x{bits & self.rng.getrandbits(64) or bits:x}"
        if self.chance(0.3):
            self.tag("keywords ~")
            return f"keywords ~ {self.regex(self.rng.choice(names or ['']) or hex(bits))}"
        op = self.one("=", "!=")
        self.tag(f"keywords {op}")
        return f"keywords {op} {self.one(hex(bits), str(bits))}"

    def opcode(self):
        values = [v for v in self.trace.column("opcode")[1] if v != (None, None)]
        if not values:
            raise Nothing("opcode")

        def text():
            number, word = self.rng.choice(values)
            if word is None or number is not None and self.chance(0.4):
                return str(number)
            self.tag("opcode name")
            return self.one(word, word, word.lower(), word.upper())
        if self.chance(0.2):
            return self.ordered("opcode", "opcode number", [v[0] or 0 for v in values], str)
        return self.textual("opcode", "opcode", text)

    def spell_ns(self, ns, signs=True):
        if self.chance(0.2):
            ns += self.one(-1, 1)
        if ns < 0:
            self.tag("negative")
        forms = []
        for unit, size in filterlang.NS.items():
            whole, rest = divmod(abs(ns), size)
            digits = f"{rest * 10**15 // size:015}".rstrip("0")
            text = "-" * (ns < 0) + str(whole) + "." * bool(digits) + digits + unit
            if filterlang.duration(text) == ns:
                forms.append(text)
        text = self.rng.choice(forms)
        if signs and self.chance(0.1):
            self.tag("time signed")
            text = text if ns < 0 else "+" + text
        return text

    def spell_time(self, ns):
        """A time since the start as what means it: with a unit, or of the clock."""
        sync = self.trace.sync
        if sync is None or self.chance(0.4):
            self.tag("time unit")
            return self.spell_ns(ns)
        at = sync + ns
        seconds, frac = divmod(at, 10**9)
        frac = f".{frac:09}".rstrip("0").rstrip(".")
        form = self.rng.randrange(5)

        def iso(east, blank="T"):
            return time.strftime(f"%Y-%m-%d{blank}%H:%M:%S", time.gmtime(seconds + east)) + frac
        local = time.localtime(seconds)
        same_day = local[:3] == time.localtime(sync // 10**9)[:3]
        if form == 0:
            self.tag("time local")
            return self.one(iso(local.tm_gmtoff), quoted(iso(local.tm_gmtoff, " ")))
        if form == 1 and same_day:
            self.tag("time clock")
            return time.strftime("%H:%M:%S", local) + frac
        if form == 2:
            self.tag("time offset")
            east = self.one(60, -300, 345, 570)
            sign = "-" if east < 0 else "+"
            hours, minutes = divmod(abs(east), 60)
            return iso(east * 60) + f"{sign}{hours:02}{self.one('', ':')}{minutes:02}"
        self.tag("time UTC")
        return iso(0) + self.one("Z", "z")

    def time(self):
        return self.ordered("time", "time", self.seen("time"), self.spell_time)

    def duration(self):
        field = self.one("dur", "delta")
        return self.ordered(field, field, [v for v in self.seen(field) if v >= 0],
                            lambda v: self.apart(self.spell_ns(v, False)))

    def text(self):
        field = self.one("provider", "name", "name", "event", "thread", "thread")
        seen = self.seen(field)

        def one():
            text = self.rng.choice(seen)
            if isinstance(text, filterlang.Behind):
                self.tag("name behind its provider")
            return text
        return self.textual(field, field, one)

    def stack(self):
        seen = [x for v in self.trace.column("stack")[1] for x in v]
        if not seen or self.chance(0.2):
            self.tag("has stack")
            return "has stack"
        number, text = self.rng.choice(seen)
        if self.chance(0.2):
            self.tag("stack ~")
            # So many digits that the offset of a module+0x... has them in no other frame.
            return f"stack ~ {self.one(text[-3:] + '$', '^' + text[:6], text[2:9])}"
        op = self.one("=", "!=")
        self.tag(f"stack {op}")
        return f"stack {op} {self.one(text, str(number), text.upper().replace('X', 'x'))}"

    def spell_guid(self, guid):
        form = self.rng.randrange(5)
        if form > 1:
            self.tag("guid spelled")
        return (guid, guid, guid.upper(), "{" + guid + "}", guid.replace("-", ""))[form]

    def guid(self):
        field = self.one("activity", "activity", "related")
        values = [v for v in self.trace.column(field)[1] if v[0]]
        if not values:
            raise Nothing(field)
        guid, _, _, path = self.rng.choice(values)
        if self.chance(0.1):
            self.tag(f"has {field}")
            return f"has {field}"
        if path and self.chance(0.7):
            top = path[:self.rng.randrange(len(path) + 1)] or path
            text = filterlang.path_text(top) + self.one("", "", "/")
            kind = self.rng.randrange(4)
            if kind == 0:
                self.tag(f"{field} path")
                return f"{field} {self.one('=', '!=')} {text}"
            if kind == 1:
                self.tag(f"{field} ~ path")
                return f"{field} ~ {quoted(re.escape(filterlang.path_text(top)))}"
            if kind == 2:
                self.tag(f"{field} under guid")
                return f"{field} under {self.spell_guid(guid)}"
            self.tag(f"{field} under path")
            if any(over for _, over in top):
                self.tag(f"{field} under overflow")
            return f"{field} under {text}"
        return self.textual(field, field, lambda: self.rng.choice(values)[0],
                            lambda t: self.spell_guid(t))

    def label(self):
        keys = sorted({k for e in self.trace.events for k in e.get("labels") or {}})
        if not keys:
            raise Nothing("labels")
        key = self.rng.choice(keys)
        field = f"label.{key}" if re.fullmatch(r"\w+", key) else f"label.{quoted(key)}"
        if "\0" in key or not key:
            raise Nothing(key)
        if self.chance(0.15):
            self.tag("has label")
            return f"has {field}"
        seen = self.seen("label." + key)
        v = self.rng.choice(seen)
        if isinstance(v, int) and self.chance(0.6):
            self.tag("label number")
            return self.ordered(field, "label number", [x for x in seen if isinstance(x, int)],
                                self.spell_number)
        if key in ("TraceId", "SpanId"):
            self.tag("label hex")
            return self.textual(field, "label", lambda: self.rng.choice(seen),
                                lambda t: self.one(t, t.upper()))
        return self.textual(field, "label", lambda: str(self.rng.choice(seen)))

    def there(self):
        field = self.one("event", "thread", "stack", "activity", "related", "lost", "opcode", "tid")
        self.tag(f"has {field}")
        return f"has {field}"

    def missing(self):
        """A field that none of these events has: false, whatever is asked of it."""
        field = self.one("related", "activity")
        self.tag("no such field")
        return field + " " + self.one("!= 00000000-0000-0000-0000-000000000000", "!~ x")

    def row_text(self):
        text = self.trace.row_text(self.event())
        self.tag("/")
        if self.chance(0.3):
            part = re.findall(r"[^\s=]+=[^\s=]*", text) or [text]
            text = self.rng.choice(part)
        pattern = "/" + self.pattern(text[:15000]).replace("/", "\\/") + "/"
        if not self.chance(0.2):
            return pattern
        self.tag("/regex/i")
        return pattern + "i"

    # -- fields of the payload

    def path(self):
        """The path to a value of some event's payload; of a large trace, few different ones."""
        if self.large and len(self.paths) >= 8:
            return self.rng.choice(self.paths)
        self.paths.append(self.new_path())
        return self.paths[-1]

    def new_path(self):
        at, path = self.event().get("payload"), []
        while isinstance(at, (dict, list)) and at:
            if isinstance(at, list):
                at = self.rng.choice(at)
                self.tag("payload array")
                continue
            name = self.rng.choice(list(at))
            at = at[name]
            path += [name] * (name != "")
        if not path or any("\0" in p for p in path):
            raise Nothing("payload")
        if len(path) > 1:
            self.tag("payload nested")
        return ".".join(path)

    def payload(self):
        path = self.path()
        field = path
        if path in filterlang.HEADER or path.split(".")[0] in ("label", "payload", "has", "not"):
            field = "payload." + path
            self.tag("payload of a header's name")
        elif not re.fullmatch(r"[^\s=!<>~(),\"'/]+", path):
            self.tag("payload quoted")
            field = self.one("", "payload.") + quoted(path)
        elif self.chance(0.5):
            field = "payload." + path
        if self.chance(0.08):
            self.tag("has payload")
            return f"has {field}"
        return self.of_value(field, self.seen("payload." + path))

    def of_value(self, field, seen):
        v = self.rng.choice(seen)
        same = [x for x in seen if type(x) is type(v)]
        if isinstance(v, bool):
            self.tag("payload bool")
            word = self.one("true", "false", "0", "1", "TRUE", "False")
            return f"{field} {self.one('=', '!=', '==', '<>')} {word}"
        if isinstance(v, Number):
            return self.of_number(field, v, same)
        if isinstance(v, float) or v in ("NaN", "Infinity", "-Infinity"):
            self.tag("float")
            if isinstance(v, float) and self.chance(0.6):
                self.tag("float order")
                return self.ordered(field, "float", same, lambda x: x.text)
            return f"{field} {self.one('=', '!=')} {text_of(v)}"
        any_text = lambda: self.rng.choice(same)  # noqa: E731
        if all(filterlang.GUID.fullmatch(x) for x in same):
            self.tag("payload guid")
            return self.textual(field, "payload guid", any_text, self.spell_guid)
        if all(filterlang.date_ns(x) is not None for x in same) and self.chance(0.8):
            self.tag("payload date")
            return self.ordered(field, "payload date", same, lambda x: x if self.chance(0.5) else
                                x[:-1] + "+00:00")
        if re.fullmatch("([0-9a-f]{2})+", v):
            self.tag("payload bytes")
        return self.textual(field, "payload text", any_text)

    def of_number(self, field, v, same):
        if v.words and self.chance(0.6):
            if "|" in v.words or self.chance(0.3):
                self.tag("flags words")
                return f"{field} {self.one('=', '!=')} {v.words}"
            if self.chance(0.3):
                self.tag("enum ~")
                return f"{field} ~ {self.regex(v.text)}"
            self.tag("enum name")
            return self.textual(field, "enum", lambda: self.in_any_case(
                self.rng.choice(same).words or "0"))
        if v.flags and self.chance(0.9):
            bits = [(b, w) for b, w in v.names if b and v.v & b == b]
            if bits:
                bit, word = self.rng.choice(bits)
                as_name = self.chance(0.6)
                self.tag("flags has name" if as_name else "flags has hex")
                return f"{field} has {self.in_any_case(word) if as_name else hex(bit)}"
        if self.chance(0.1):
            self.tag("number ~")
            return f"{field} ~ {self.regex(v.text)}"
        return self.ordered(field, "payload number", [x.v for x in same], self.spell_number)

    # -- expressions

    def term(self):
        """One condition, if it can be had one that a part of the rows meets."""
        tags, text = self.tags, None
        for attempt in range(30):
            self.tags = set()
            try:
                new = self.rng.choice(self.kinds)()
            except Nothing:
                continue
            text, made = new, self.tags
            if attempt % 3 == 2 or self.partly(self.trace.decide(filterlang.parse(text))):
                break
        if text is None:
            text, made = "row >= 0", set()
        self.tags = tags | made
        return text

    def partly(self, mask):
        return mask not in (0, self.trace.ones)

    def tree(self, depth):
        """(text, how closely it binds: 0 or, 1 and, 2 not or a term)"""
        kind = self.rng.random()
        if depth == 0 or kind < 0.25:
            return self.term(), 2
        if kind < 0.45:
            text, binds = self.tree(depth - 1)
            if self.chance(0.15):
                self.tag("not not")
                return f"not not not {text if binds == 2 else f'({text})'}", 2
            return f"not {text if binds == 2 else f'({text})'}", 2
        if kind < 0.6 and depth == 3:
            self.tag("deep")
            n = self.rng.randrange(20, DEEPEST)
            words = "".join(self.one("(", "( ", "not (") for _ in range(n))
            return words + self.tree(depth - 1)[0] + ")" * n, 2
        mine, word = (1, "and") if kind < 0.75 else (0, "or")
        if self.chance(0.2):
            self.tag("another joint")
            word = self.one(word.upper(), "&&" if mine else "||")
        parts = [self.tree(depth - 1) for _ in range(self.rng.randrange(2, 4))]
        return f" {word} ".join(t if b > mine or b == mine and self.chance(0.5) else f"({t})"
                                for t, b in parts), mine

    def expression(self):
        for _ in range(2 if self.large else 4):
            self.tags = set()
            text, _ = self.tree(self.rng.randrange(4))
            mask = self.trace.decide(filterlang.parse(text))
            if self.partly(mask):
                break
        return text, mask


# ---- what no trace at hand has

def packed(path, pid):
    """The activity id of a path, as .NET's ActivityTracker makes it."""
    nibbles, out = [], bytearray()

    def flush(high=0):
        if len(nibbles) % 2:
            nibbles.append(high)
        out.extend(nibbles[i] << 4 | nibbles[i + 1] for i in range(0, len(nibbles), 2))
        nibbles.clear()
    for number, overflow in path:
        if number <= 10 and not overflow:
            nibbles.append(number)
            continue
        n = max(1, (number.bit_length() + 7) // 8)
        nibbles.extend([11] * overflow + [11 + n])
        flush()
        out.extend(number.to_bytes(n, "little"))
    flush()
    raw = bytes(out) + bytes(12 - len(out))
    total = sum(int.from_bytes(raw[i:i + 4], "little") for i in (0, 4, 8)) + 0x599D99AD
    return raw + ((total & 0xffffffff) ^ pid).to_bytes(4, "little")


def with_paths(scratch):
    """A small trace whose activity ids are replaced by paths, some of the overflow kind."""
    raw = check.read(check.trace("v4-activity-ids.nettrace"))
    _, events = check.jsonl("dump", check.trace("v4-activity-ids.nettrace"))
    pid = events[0]["pid"]
    guids = {guid_bytes(e[k]) for e in events for k in ("activity", "related") if k in e}
    paths = [[(1, False)], [(1, False), (30, False)], [(1, False), (30, False), (5, True)],
             [(1, False), (30, False), (300, True), (2, False)], [(1, False), (5, True)],
             [(1, False), (70000, False)], [(2, False)], [(1, False), (5, False)]]
    places = sorted(m.start() for g in guids for m in re.finditer(re.escape(g), raw))
    for i, at in enumerate(places):
        raw = raw[:at] + packed(paths[i % len(paths)], pid * (i % 3 > 0)) + raw[at + 16:]
    path = os.path.join(scratch, "made-activity-paths.nettrace")
    with open(path, "wb") as f:
        f.write(raw)
    return path


# ---- traces

def traces(scratch):
    """All traces, each once; or a sample, with those that have much variety."""
    out = {}
    for path in check.all_shared_traces() + check.all_data_traces(scratch) + [
            with_paths(scratch), os.path.join(check.DATA, "demo.nettrace")]:
        out.setdefault(os.path.basename(path), path)
    varied = [p for p in out.values() if os.path.basename(p) in VARIED]
    others = [p for p in out.values() if os.path.basename(p) not in VARIED]
    return varied + check.check_traces(others, TRACES_SMALL, TRACES_LARGE)


def open_trace(path, tables):
    r = check.tnav("dump", "--format", "jsonl", path)
    if r.code not in (0, 1):
        return None
    events = [json.loads(line, parse_float=filterlang.Float) for line in r.out.splitlines()]
    info = json.loads(check.tnav("info", "--format", "jsonl", path).out)
    return filterlang.Trace(events, info, tables) if events else None


def how_many(rows):
    if rows < ROWS_SMALL:
        return EACH // 4 or SMALL
    return EACH or max(LEAST, min(MOST, WEIGHT // rows))


def rows_of(path, text):
    """The rows that tnav finds, or what it says."""
    r = check.tnav("dump", "--format", "tsv", "-e", "row", "-f", text, path)
    if r.code not in (0, 1):
        return r.err.decode("utf-8", "replace")
    return {int(x) for x in r.out.split() if x.isdigit()}


class Total:
    def __init__(self):
        self.expressions = self.partly = self.traces = 0
        self.tags = collections.Counter()

    def left(self):
        return COVERED.difference(self.tags)


class Asked:
    """The expressions that are put to a trace."""

    def __init__(self, path, tables, total, pool):
        self.path, self.name = path, os.path.basename(path)
        self.total, self.pool, self.asked = total, pool, []
        self.trace = open_trace(path, tables)
        if self.trace is not None:
            self.maker = Maker(random.Random(f"{SEED} {self.name}"), self.trace)

    def ask(self, text, mask):
        self.asked.append((text, mask, self.pool.submit(rows_of, self.path, text)))
        self.total.expressions += 1
        if self.maker.partly(mask):
            self.total.partly += 1
            self.total.tags.update(self.maker.tags)

    def some(self):
        for _ in range(how_many(len(self.trace.events))):
            self.ask(*self.maker.expression())

    def what_is_left(self):
        """Ask what no expression used yet, as far as it is met by chance."""
        for _ in range(CHANCES if not self.maker.large else CHANCES // 20):
            if not self.total.left():
                break
            self.maker.tags = set()
            text = self.maker.tree(3)[0] if self.total.left() & {"deep", "not not"} else self.maker.term()
            mask = self.trace.decide(filterlang.parse(text))
            if self.maker.partly(mask) and self.maker.tags & self.total.left():
                self.ask(text, mask)

    def compare(self):
        for text, mask, found in self.asked:
            got, want = found.result(), self.trace.rows(mask)
            what = f"TNAV_SEED={SEED} {self.name}: {text}"
            if isinstance(got, str):
                check.fail(f"{what}: {got}")
                continue
            check.equal(f"{what}: {len(got)} and {len(want)} rows, too many and too few",
                        (sorted(got - want)[:5], sorted(want - got)[:5]), ([], []))
        self.asked = []


def main():
    check.need_tnav()
    os.environ["TZ"] = "TNV-5:45"           # east of Greenwich, as no machine's own
    time.tzset()
    scratch, total = check.temp_dir(), Total()
    tables = filterlang.Tables()
    gc.disable()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        varied = []
        for path in traces(scratch):
            a = Asked(path, tables, total, pool)
            if a.trace is None:
                continue
            total.traces += 1
            a.some()
            a.compare()
            if a.name in VARIED:
                varied.append(a)
        for a in varied * ROUNDS:
            a.what_is_left()
            a.compare()
    print(f"{total.expressions} expressions on {total.traces} traces, {total.partly} of them match "
          "a part of the rows")
    check.true("enough expressions", total.expressions >= check.check_part(check.tier(100, 200)))
    check.true(f"enough of them match a part ({total.partly} of {total.expressions})",
               total.partly >= PARTLY * total.expressions)
    check.equal("what no expression used", sorted(total.left()), [])
    check.finish()


if __name__ == "__main__":
    main()
