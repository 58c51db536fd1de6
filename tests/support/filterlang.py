"""The filter language a second time: slowly, over the JSON lines of a dump.

Written from the language's description (doc/filter.md), not from the program. An expression is
parsed to a tree; a term is decided once for each different value of its field, and what is left
are masks, one byte a row.

    name = GC/Start and Depth >= 2   ->   ("and", [Term, Term])   ->   0b...0001 0000 0001
"""
import calendar
import datetime
import json
import math
import re
import time
from fractions import Fraction

import spanlang
import wholang
from clr import Tables

TEXTS = ("provider", "name", "event", "thread", "error", "span.name", "span.label", "span.state",
         "thread.role", "process")
NUMBERS = ("id", "version", "pid", "tid", "cpu", "seq", "row", "lost", "ticks", "threadIndex",
           "captureTid", "stream", "substream", "undecoded")
WHOLE = NUMBERS + ("level", "time", "delta", "dur", "size", "self", "span.depth", "stop.dur")
SPANS = {"dur": "dur", "self": "self", "span.name": "group", "span.label": "label", "span.state": "state",
         "span.depth": "depth", "stop.dur": "dur"}
HEADER = TEXTS + WHOLE + ("keywords", "opcode", "stack", "activity", "related", "labels")
LEVEL_NAMES = ("LogAlways", "critical", "error", "warning", "informational", "verbose")
LEVELS = tuple(name.lower() for name in LEVEL_NAMES)
OPCODES = {0: "Info", 1: "Start", 2: "Stop", 3: "DCStart", 4: "DCStop", 5: "Extension",
           6: "Reply", 7: "Resume", 8: "Suspend", 9: "Send", 240: "Receive"}
NS = {"ns": 1, "us": 10**3, "\u00b5s": 10**3, "\u03bcs": 10**3, "ms": 10**6, "s": 10**9,
      "m": 60 * 10**9, "h": 3600 * 10**9}
BYTES = {"B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
ROW = 0

GUID = re.compile(r"\{?([0-9a-fA-F]{8})-?([0-9a-fA-F]{4})-?([0-9a-fA-F]{4})-?"
                  r"([0-9a-fA-F]{4})-?([0-9a-fA-F]{12})\}?")
DATE = re.compile(r"(-?\d+)-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{7})Z")
ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?"
                 r"(Z|z|[+-]\d\d(?::?\d\d)?)?)?")
CLOCK = re.compile(r"\d\d:\d\d(:\d\d([.,]\d+)?)?")


class FilterError(Exception):
    pass


class Float(float):
    """A float and how the JSON spells it."""

    def __new__(cls, text):
        self = super().__new__(cls, text)
        self.text = text
        return self


# ---- values as they are written

def guid_bytes(text):
    m = GUID.fullmatch(text)
    if not m or text.startswith("{") != text.endswith("}") or text.count("-") not in (0, 4):
        return None
    b = bytes.fromhex("".join(m.groups()))
    return b[3::-1] + b[5:3:-1] + b[7:5:-1] + b[8:]


def iso_ns(text):
    """Of an absolute time: ns since 1970, local without Z or offset; None."""
    m = ISO.fullmatch(text)
    if not m:
        return None
    year, month, day, hour, minute, second = (int(x or 0) for x in m.groups()[:6])
    try:
        datetime.datetime(year, month, day, hour, minute, second)
    except ValueError:
        return None
    zone = m[8]
    if zone is None:
        seconds = int(time.mktime((year, month, day, hour, minute, second, 0, 0, -1)))
    else:
        seconds = calendar.timegm((year, month, day, hour, minute, second))
        if zone not in "Zz":
            east = int(zone[1:3]) * 3600 + int(zone[-2:] if len(zone) > 3 else 0) * 60
            seconds -= east if zone[0] == "+" else -east
    return seconds * 10**9 + int((m[7] or "0")[:9].ljust(9, "0"))


def date_ns(text):
    """Of a date in the JSON lines."""
    m = DATE.fullmatch(text)
    if not m:
        return None
    year, month, day, hour, minute, second, frac = map(int, m.groups())
    try:
        days = datetime.date(year, month, day).toordinal() - datetime.date(1970, 1, 1).toordinal()
    except ValueError:
        return None
    return ((days * 24 + hour) * 60 + minute) * 60 * 10**9 + second * 10**9 + frac * 100


def scaled(text, units):
    """DIGITS[.DIGITS]UNIT, cut off to whole ones; None."""
    m = re.fullmatch(r"(\d+)(?:\.(\d+))?(\D+)", text, re.ASCII)
    if not m or m[3] not in units:
        return None
    digits = m[2] or ""
    return int(m[1] + digits) * units[m[3]] // 10 ** len(digits)


def duration(text):
    sign, rest = (text[0], text[1:]) if text[:1] in ("+", "-") else ("", text)
    v = scaled(rest, NS)
    return v if v is None or sign != "-" else -v


def path_of(guid, pid):
    """The path that an activity id stands for: [(number, overflow)]; None: it is none.

    .NET's ActivityTracker packs nibbles, the high one of a byte first: 1 to 10 are numbers, 12 to
    15 come before a number of 1 to 4 bytes, 11 before an overflow, 0 ends. The last word is a
    checksum of the others, mixed with the process id.
    """
    words = [int.from_bytes(guid[i:i + 4], "little") for i in (0, 4, 8, 12)]
    mixed = (sum(words[:3]) + 0x599D99AD & 0xffffffff) ^ words[3]
    if guid[0] >> 4 == 0 or mixed != 0 and (mixed != pid if pid is not None else mixed >> 22):
        return None
    nibbles = [n for b in guid[:12] for n in (b >> 4, b & 15)]
    out, at = [], 0
    while at < 24 and nibbles[at]:
        code, at = nibbles[at], at + 1
        if code <= 10:
            out.append((code, False))
            continue
        overflow = code == 11
        if overflow:
            if at == 24:
                break
            code, at = nibbles[at], at + 1
            if code < 12:
                return None
        high = 0
        if at % 2:
            high, at = nibbles[at], at + 1
        raw = guid[at // 2:min(at // 2 + code - 11, 12)]
        if len(raw) < code - 11:
            break
        at += 2 * len(raw)
        out.append(((high << 8 * len(raw) | int.from_bytes(raw, "little")) & 0xffffffff, overflow))
    return out


def path_text(path):
    return "/" + "".join(("$" if over else "/") + str(n) for n, over in path)


def parse_path(text):
    if not re.fullmatch(r"/(?:[/$]\d+)*/?", text, re.ASCII) or len(text) < 2:
        return None
    return [(int(n), sign == "$") for sign, n in re.findall(r"([/$])(\d+)", text, re.ASCII)]


class Literal:
    """A value of an expression, and all that it can mean."""

    def __init__(self, text, quoted=False):
        self.text, self.quoted = text, quoted
        self.guid, self.path, self.utc = guid_bytes(text), parse_path(text), iso_ns(text)
        self.num, self.unit, self.exact = None, None, None
        if self.guid is not None:
            return
        if re.fullmatch(r"0[xX][0-9a-fA-F]+", text):
            self.num = int(text, 16)
        elif re.fullmatch(r"[+-]?\d+", text, re.ASCII):
            self.num = int(text)
        elif re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII):
            # Beyond e400 nothing has another order to the values of 64 bits; it only takes long.
            near = re.sub(r"[eE]([+-]?)\d{4,}$", r"e\g<1>400", text)
            self.num, self.exact = float(text), Fraction(near)
        elif duration(text) is not None:
            self.num, self.unit = duration(text), "time"
        elif scaled(text, BYTES) is not None:
            self.num, self.unit = scaled(text, BYTES), "bytes"


# ---- the parser

class Term:
    def __init__(self, field, op, lits=(), pattern=None):
        self.field, self.op, self.lits, self.pattern = field, op, lits, pattern


class Parser:
    BLANK = " \t\r\n"

    def __init__(self, text):
        self.s, self.at = text, 0

    def fail(self, why):
        raise FilterError(f"{why} at {self.at} of {self.s!r}")

    def peek(self):
        return self.s[self.at:self.at + 1]

    def blanks(self):
        while self.peek() and self.peek() in self.BLANK:
            self.at += 1

    def word(self, w):
        self.blanks()
        end = self.at + len(w)
        if self.s[self.at:end].lower() != w or (
                end < len(self.s) and self.s[end] not in self.BLANK + "()/\"'"):
            return False
        self.at = end
        return True

    def first(self, w):
        """A word in front of a term; in capitals it may be a field of that name."""
        start = self.at
        if not self.word(w):
            return False
        if self.s[self.at - len(w):self.at] != w:
            self.blanks()
            if self.peek() and self.peek() in "=!<>~":
                self.at = start
                return False
        return True

    def joint(self, w):
        if self.word(w):
            return True
        sign = {"and": "&&", "or": "||"}[w]
        if not self.s.startswith(sign, self.at):
            return False
        self.at += 2
        return True

    def char(self, c):
        self.blanks()
        if self.peek() != c:
            return False
        self.at += 1
        return True

    def quoted(self):
        quote, out = self.peek(), ""
        self.at += 1
        while self.peek() != quote:
            if not self.peek():
                self.fail("no end")
            two = self.s[self.at:self.at + 2]
            if quote != "'" and two == "\\" + quote or quote == '"' and two == "\\\\":
                out += two[1]
                self.at += 2
            elif quote == "/" and two == "\\\\":
                out += two
                self.at += 2
            else:
                out += two[0]
                self.at += 1
        self.at += 1
        return out

    def value(self, ends=""):
        """A quoted value, or a bare one up to a blank or a bracket that it did not open."""
        if self.peek() and self.peek() in "\"'":
            return Literal(self.quoted(), True)
        start = self.at
        if not self.bare(ends, ends == ","):
            self.at = start
            self.bare(ends, False)
        if self.at == start and ends != "..":
            self.fail("no value")
        text = self.s[start:self.at]
        unit = re.match(r"[ \t\r\n]+([^\s),.]+)(?=[\s),.]|$)", self.s[self.at:])
        if ends != "~" and unit and re.fullmatch(r"[-+.\d]+", text, re.ASCII) and (
                unit[1] in NS or unit[1] in BYTES):
            text += unit[1]
            self.at += unit.end()
        return Literal(text) if text else None

    def bare(self, ends, brackets):
        """False: the word opens a bracket of the other kinds that it does not close."""
        opened = others = 0
        while self.peek() and self.peek() not in self.BLANK:
            c = self.peek()
            if opened == 0 and (c == ")" or c == "," and ends == "," and others == 0) or (
                    ends == ".." and self.s.startswith("..", self.at)):
                break
            opened += (c == "(") - (c == ")")
            if brackets:
                others = max(0, others + (c in "[{<") - (c in "]}>"))
            self.at += 1
        return others == 0

    def field(self):
        name, start = "", self.at
        while self.peek() and self.peek() not in self.BLANK + "=!<>~(),\"'":
            name += self.peek()
            self.at += 1
        all_quoted = not name
        if self.peek() in ("'", '"') and (not name or name[-1] == "."):
            name += self.quoted()
        if self.at == start:
            self.fail("no field")
        if name == "t" and not all_quoted:
            return "time"
        if not all_quoted and (name in HEADER or name.startswith(("label.", "payload."))):
            return name
        return "payload." + name

    def term(self):
        if self.peek() == "/":
            pattern = self.quoted()
            if re.match(r"i(?=[ \t\r\n)]|$)", self.s[self.at:]):
                self.at += 1
                pattern = "(?i)" + pattern
            return Term("/", "~", pattern=pattern)
        if self.first("has"):
            self.blanks()
            return Term(self.field(), "has")
        field = self.field()
        self.blanks()
        for op in ("==", "=~", "<>", "!=", "!~", "<=", ">=", "=", "<", ">", "~"):
            if self.s.startswith(op, self.at):
                self.at += len(op)
                self.blanks()
                op = {"==": "=", "=~": "~", "<>": "!="}.get(op, op)
                v = self.value("~" if "~" in op else "")
                return Term(field, op, [v], v.text)
        if self.word("has"):
            self.blanks()
            return Term(field, "bits", [self.value()])
        if self.word("under"):
            self.blanks()
            return Term(field, "under", [self.value()])
        if not self.word("in"):
            self.fail("no operator")
        if self.char("("):
            return Term(field, "in", self.items())
        self.blanks()
        low = self.value("..")
        if not self.s.startswith("..", self.at):
            self.fail("no range")
        self.at += 2
        return Term(field, "range", [low, self.value("..")])

    def items(self):
        out = []
        while True:
            self.blanks()
            out.append(self.value(","))
            if self.char(")"):
                return out
            if not self.char(","):
                self.fail("no comma")

    def unary(self):
        if self.first("not"):
            return ("not", [self.unary()])
        if self.char("("):
            inner = self.chain("or")
            if not self.char(")"):
                self.fail("no )")
            return inner
        return self.term()

    def chain(self, word):
        of = self.unary if word == "and" else lambda: self.chain("and")
        parts = [of()]
        while self.joint(word):
            parts.append(of())
        return parts[0] if len(parts) == 1 else (word, parts)

    def parse(self):
        tree = self.chain("or")
        self.blanks()
        if self.at != len(self.s):
            self.fail("more")
        return tree


def parse(text):
    return Parser(text).parse()


def terms_of(tree):
    if isinstance(tree, Term):
        return [tree]
    return [t for part in tree[1] for t in terms_of(part)]


# ---- patterns

def compiled(pattern):
    """Smart case: small letters match capitals too, unless the pattern has a capital."""
    if pattern.startswith("(?i)"):
        return re.compile(pattern)
    letters = re.sub(r"\\x\{[0-9A-Fa-f]*\}|\\.", "", pattern)
    return re.compile(pattern, 0 if any(c.isupper() for c in letters) else re.I)


def searcher(pattern):
    r = compiled(pattern)

    def search(text):
        if not isinstance(text, Behind):
            return r.search(text) is not None
        found = r.search(text)          # a match must reach into the name
        while found and found.end() <= text.front:
            found = r.search(text, found.start() + 1)
        return found is not None
    return search


# ---- what an event has

class Hex(str):
    """Hexadecimal digits, whose case says nothing."""


class Behind(str):
    """A name behind its provider, whose text begins with front characters of that."""

    def __new__(cls, provider, name):
        self = super().__new__(cls, f"{provider}/{name}")
        self.front = len(provider) + 1
        return self


class Number:
    """A number of a payload with what the tables know of it."""

    def __init__(self, v, words, in_hex, names=(), flags=False):
        self.v, self.words, self.names, self.flags = v, words, names, flags
        self.shown = f"0x{v & 0xffffffffffffffff:x}" if in_hex else str(v)
        self.text = self.shown if words is None else f"{self.shown} {words}"


HERE = object()             # an array or an object: there, and equal to nothing


class Trace:
    """The JSON lines of a dump, by columns: the different values of a field, and which row has
    which."""

    def __init__(self, events, info, tables=None):
        self.events, self.info = events, info
        self.tables = tables or Tables()
        self.columns, self.rows_of, self.masks, self.holders = {}, {}, {}, {}
        self.lasting, self.spans, self.who = any("dur" in e for e in events), None, None
        self.deltas = None
        self.sync = iso_ns(info["syncTime"]) if info.get("syncTime") else None
        self.ones = int.from_bytes(b"\1" * len(events), "little")

    # -- columns

    def row_of(self, e):
        """What the tables know of an event; kept in it under a key that no JSON has."""
        if ROW not in e:
            key = (e["provider"], e.get("id"), e.get("version"), e.get("name"), e.get("event"))
            if key not in self.rows_of:
                self.rows_of[key] = self.tables.row(e) if "id" in e else None
            e[ROW] = self.rows_of[key]
        return e[ROW]

    def column(self, field):
        """(number of the value by row, [value]); a value is a tuple, empty where there is none."""
        if field not in self.columns:
            known, ids, distinct = {}, [], []
            get = self.getter(field)
            for e in self.events:
                key = get(e)
                i = known.get(key)
                if i is None:
                    i = known[key] = len(distinct)
                    distinct.append(self.made(field, key))
                ids.append(i)
            self.columns[field] = ids, distinct
        return self.columns[field]

    def word_of(self, e, name, v):
        row = self.row_of(e)
        f = next((f for f in row.fields if f.name == name), None) if row else None
        return self.tables.words(f.map, v) if f and f.map else None

    def span_values(self, e, field):
        """The values of the spans that an event begins, or ends."""
        if self.spans is None:
            self.spans = {}, {}
            spans = spanlang.spans(self.events)
            for s, label in zip(spans, spanlang.labels(spans, self.events, self.word_of)):
                s["label"] = label
                if s["row"] is not None:
                    self.spans[0].setdefault(s["row"], []).append(s)
                    self.spans[1].setdefault(s["stopRow"], []).append(s)
        of = self.spans[field == "stop.dur"].get(e["row"], ())
        return tuple(s[SPANS[field]] for s in of if s[SPANS[field]] is not None)

    def who_value(self, e, field):
        if self.who is None:
            self.who = wholang.Who(self.events)
        return self.who.process(e) if field == "process" else self.who.role(e)

    def delta(self, e):
        """The time since the event before of the same thread."""
        if self.deltas is None:
            last, self.deltas = {}, {}
            for other in sorted(self.events, key=lambda x: x["row"]):
                who = (other.get("pid"), other.get("tid"))
                self.deltas[other["row"]] = other["t"] - last[who] if who in last else None
                last[who] = other["t"]
        return self.deltas[e["row"]]

    def getter(self, field):
        """A function from the event to a key that tells its values from others."""
        if field == "/":
            return self.row_text
        if field in ("process", "thread.role"):
            return lambda e: self.who_value(e, field)
        if field in SPANS and not self.lasting:
            return lambda e: self.span_values(e, field)
        if field.startswith("label."):
            return lambda e, k=field[6:]: tuple(flat((e.get("labels") or {}).get(k)))
        if field.startswith("payload."):
            path = field[8:]
            return lambda e: self.in_payload(e, path)
        return {
            "name": lambda e: (e["provider"], e.get("name"), e.get("event")),
            "thread": lambda e: (e.get("thread"), str(e["tid"]) if "tid" in e else None),
            "time": lambda e: (e["t"],),
            "delta": lambda e: (self.delta(e),),
            "lost": lambda e: (e.get("lost", 0),),
            "labels": lambda e: (json.dumps(e["labels"], ensure_ascii=False, separators=(",", ":"))
                                 if "labels" in e else None,),
            "keywords": lambda e: (e["provider"], e.get("keywords")),
            "opcode": self.opcode,
            "stack": lambda e: tuple(e.get("stack", ())),
            "activity": lambda e: (e.get("pid"), e.get("activity")),
            "related": lambda e: (e.get("pid"), e.get("related")),
        }.get(field, lambda e: (e.get(field),))

    def made(self, field, key):
        """The values that a key stands for, as the conditions want them."""
        if field == "/":
            return key
        if field == "keywords":
            return key[0], None if key[1] is None else int(key[1], 16)
        if field in ("activity", "related"):
            pid = key[0] or None        # a V6 thread of which none is known has a 0
            guid = None if key[1] is None else guid_bytes(key[1])
            return key[1], guid, pid, None if guid is None else path_of(guid, pid)
        if field == "opcode":
            return key
        if field == "name":
            names = [n for n in key[1:] if n is not None]
            return (*names, *(Behind(key[0], n) for n in names if key[0]))
        if field == "stack":
            return tuple((int(x, 16), x) for x in key)
        if field.startswith("payload."):
            return tuple(self.value_of(k) for k in key)
        if field in ("label.TraceId", "label.SpanId"):
            return tuple(Hex(v) for v in key)
        return tuple(v for v in key if v is not None)

    def opcode(self, e):
        """(number or None, word or None)"""
        row, number = self.row_of(e), e.get("opcode")
        return number, row.opcode if row and row.opcode else OPCODES.get(number)

    def in_payload(self, e, path):
        """The values of a field by its points, each with what the tables say of it, as a key."""
        payload = e.get("payload") or {}
        if "builtin" in e:      # also without its name, where the payload has none of that
            inner = {k: v for k, v in e["builtin"].items() if k not in payload}
            payload = {**payload, "builtin": e["builtin"], **inner}
        key = path, *payload
        may = self.holders.get(key)
        if may is None:
            may = self.holders[key] = any(path == k or k == "" or path.startswith(k + ".")
                                          for k in payload)
        if not may:
            return ()
        row = self.row_of(e)
        return tuple(found(payload, path, row.fields if row else []))

    def value_of(self, key):
        kind, v, name, in_hex = key
        if kind == "here":
            return HERE
        if kind == "number":
            return Number(v, self.tables.words(name, v) if name else None, in_hex,
                          self.tables.maps[name][1] if name else (),
                          bool(name) and self.tables.maps[name][0])
        return v

    def row_text(self, e):
        row = self.row_of(e)
        thread = [str(e[k]) for k in ("tid", "thread") if k in e]
        line = self.line(e.get("payload") or {}, row.fields if row else [])
        front = e["provider"] + "/" if e["provider"] else ""
        names = [front + e[k] for k in ("name", "event") if k in e]
        text = " ".join((*names, " ".join(thread), line))
        if "builtin" in e:
            text += " " + self.line({"builtin": e["builtin"]}, [])
        if "undecoded" in e:
            text += f" undecoded={e['undecoded']}"
        labels = [f"{k}={v}" for k, of in e.get("labels", {}).items() for v in flat(of)]
        return text + (" [" + " ".join(labels) + "]" if labels else "")

    def line(self, obj, fields):
        out = []
        for i, (k, v) in enumerate(obj.items()):
            out.append((k + "=" if k else "") + self.spelled(v, known(fields, i, k)))
        return " ".join(out)

    def spelled(self, v, f):
        if isinstance(v, dict):
            return "{" + self.line(v, f.fields or [] if f else []) + "}"
        if isinstance(v, list):
            return "[" + " ".join(self.spelled(x, f) for x in v) + "]"
        if v is None or isinstance(v, bool):
            return {None: "null", True: "true", False: "false"}[v]
        if isinstance(v, str):
            return v
        if isinstance(v, Float):
            return v.text
        words = self.tables.words(f.map, v) if f and f.map else None
        if words is not None and v == f.greatest:       # it stands for what its words say
            return words
        return Number(v, words, bool(f and f.hex)).text

    # -- conditions

    def decide(self, tree):
        """The rows that match as a number with one byte a row."""
        if isinstance(tree, Term):
            key = (tree.field, tree.op, tree.pattern,
                   *((x and (x.text, x.quoted)) for x in tree.lits))
            if key not in self.masks:
                ids, distinct = self.column(tree.field)
                test = self.test(tree)
                hit = bytes(bool(test(v)) for v in distinct)
                self.masks[key] = int.from_bytes(bytes(map(hit.__getitem__, ids)), "little")
            return self.masks[key]
        word, parts = tree
        masks = [self.decide(p) for p in parts]
        if word == "not":
            return masks[0] ^ self.ones
        out = masks[0]
        for m in masks[1:]:
            out = out & m if word == "and" else out | m
        return out

    def rows(self, mask):
        return {i for i, b in enumerate(mask.to_bytes(len(self.events), "little")) if b}

    def test(self, t):
        """A function that says whether the values of the field meet the term."""
        if t.op in ("!=", "!~"):
            inner = self.test(Term(t.field, t.op[1], t.lits, t.pattern))
            has = self.test(Term(t.field, "has" if t.field != "lost" else "present"))
            return lambda v: has(v) and not inner(v)
        if t.field == "/":
            return searcher(t.pattern)
        if t.field == "keywords":
            return self.test_keywords(t)
        if t.field == "opcode":
            return self.test_opcode(t)
        if t.field in ("activity", "related"):
            return self.test_guid(t)
        return self.test_values(t)

    def test_values(self, t):
        if t.op == "present":
            return bool
        if t.op == "has":
            return bool if t.field != "lost" else (lambda v: v[0] > 0)
        one = self.one(t)
        return lambda v: any(map(one, v))

    def one(self, t):
        """The condition on one value."""
        if t.op == "~":
            search = searcher(t.pattern)
            if t.field == "level":
                return lambda x: search(str(x)) or x < len(LEVELS) and search(LEVEL_NAMES[x])
            return lambda x: x is not HERE and any(map(search, texts_of(x)))
        lits = [self.fitted(t.field, x) for x in t.lits]
        if t.field in WHOLE:
            return compare_whole(t.op, [x and x.num for x in lits])
        if t.op == "bits":
            return lambda x: isinstance(x, Number) and has_bits(x, t.lits[0])
        if t.op in ("=", "in"):
            return lambda x: any(equal(x, v) for v in lits)
        if t.op == "range":
            low, high = lits
            return lambda x: (low is None or order(x, low) in (0, 1)) and (
                high is None or order(x, high) == -1)
        want = {"<": (-1,), "<=": (-1, 0), ">": (1,), ">=": (1, 0)}[t.op]
        return lambda x: order(x, lits[0]) in want

    def fitted(self, field, lit):
        """A literal as the field wants it."""
        if lit is None:
            return None
        if field == "level" and lit.text.lower() in LEVELS:
            return Literal(str(LEVELS.index(lit.text.lower())))
        if field == "time":
            return Literal(str(self.time(lit)))
        return lit

    def time(self, lit):
        """ns since the sync time."""
        if lit.text == "0" or lit.unit == "time":
            return lit.num
        text = lit.text
        if CLOCK.fullmatch(text):
            text = time.strftime("%Y-%m-%dT", time.localtime(self.sync // 10**9)) + text
        return iso_ns(text) - self.sync

    def test_keywords(self, t):
        if t.op == "bits":
            lit = t.lits[0]

            def has(v):
                provider, bits = v
                want = lit.num
                if want is None:
                    want = self.tables.keywords.get((provider, lit.text.lower()))
                return bits is not None and bool(want) and bits & want == want
            return has
        if t.op == "~":
            search = searcher(t.pattern)
            return lambda v: v[1] is not None and (
                search(f"0x{v[1]:x}") or search(self.keyword_words(*v)))
        test = self.test_values(t)
        return lambda v: test(v[1:] if v[1] is not None else ())

    def keyword_words(self, provider, bits):
        return "".join(f" {w}" for p, b, w in self.tables.keyword_list
                       if p == provider and b & bits == b)

    def test_opcode(self, t):
        def test(v):
            number, word = v
            if t.op == "has":
                return number is not None or word is not None
            if t.op == "~":
                search = searcher(t.pattern)
                return (word is not None and search(word)) or (
                    number is not None and search(str(number)))
            if t.op in ("=", "in"):
                return any(x.num is not None and number is not None and x.num == number or
                           word is not None and x.text.lower() == word.lower() for x in t.lits)
            return number is not None and self.one(t)(number)
        return test

    def test_guid(self, t):
        def test(v):
            text, guid, pid, path = v
            if text is None or t.op == "has":
                return text is not None
            if t.op == "~":
                search = searcher(t.pattern)
                return search(text) or path is not None and search(path_text(path))
            for lit in t.lits:
                top = lit.path
                if lit.guid is not None:
                    if lit.guid == guid:
                        return True
                    top = path_of(lit.guid, pid) if t.op == "under" else None
                if top is not None and path is not None and top == (
                        path[:len(top)] if t.op == "under" else path):
                    return True
            return False
        return test


def known(fields, i, name):
    """What the tables say of the i-th field, if they mean this one."""
    return fields[i] if i < len(fields) and fields[i].name == name else None


def flat(v):
    """The elements of an array of arrays, or the one value."""
    if isinstance(v, list):
        return [x for e in v for x in flat(e)]
    return [] if v is None else [v]


def found(v, path, fields):
    """Keys of the values at a path of an object: an array's elements each, also those of arrays
    within it; what an object without a name holds stands as if beside it."""
    out = []
    for i, (k, x) in enumerate(v.items() if isinstance(v, dict) else ()):
        f = known(fields, i, k)
        if k == path:
            out += ends(x, f)
        rest = path if k == "" else path[len(k) + 1:] if path.startswith(k + ".") else ""
        if rest:
            for inner in flat(x):
                out += found(inner, rest, f.fields or [] if f else [])
    return out


def ends(x, f):
    if x is None:
        return []
    if isinstance(x, list):
        return [("here", None, None, False)] + [k for e in x for k in ends(e, f)]
    if isinstance(x, dict):
        return [("here", None, None, False)]
    if isinstance(x, (bool, str, Float)):
        return [(type(x).__name__, x, getattr(x, "text", None), False)]
    return [("number", x, f.map if f else None, bool(f and f.hex))]


# ---- single values against literals

def text_of(x):
    if isinstance(x, tuple):
        return x[1]             # an address
    if isinstance(x, Behind):
        return x
    if isinstance(x, bool):
        return "true" if x else "false"
    return x.text if isinstance(x, (Number, Float)) else str(x)


def texts_of(x):
    """A number and its name are searched each by itself."""
    if isinstance(x, Number) and x.words is not None:
        return [x.shown, x.words]
    return [text_of(x)]


def number_of(x):
    if isinstance(x, tuple):
        return x[0]
    if isinstance(x, Number):
        return x.v
    if isinstance(x, str):
        return float(x) if x in ("NaN", "Infinity", "-Infinity") else None
    return None if x is HERE else x


def order(x, lit):
    """-1, 0, 1, or None if the two have no order."""
    n, v = number_of(x), lit.num
    if isinstance(n, int) and lit.exact is not None:
        v = lit.exact
    if n is None:
        n, v = date_ns(x) if isinstance(x, str) else None, lit.utc
    if n is None or v is None or isinstance(n, float) and math.isnan(n):
        return None
    return (n > v) - (n < v)


def compare_whole(op, v):
    """For fields that hold nothing but whole numbers."""
    if op in ("=", "in"):
        return set(v).__contains__
    if op == "range":
        return lambda x: (v[0] is None or x >= v[0]) and (v[1] is None or x < v[1])
    return {"<": lambda x: x < v[0], "<=": lambda x: x <= v[0],
            ">": lambda x: x > v[0], ">=": lambda x: x >= v[0]}[op]


def has_bits(x, lit):
    bits = next((b for b, w in x.names if w.lower() == lit.text.lower()), 0) if lit.num is None else lit.num
    return bits != 0 and x.v & bits == bits


def equal(x, lit):
    if x is HERE:
        return False
    if isinstance(x, Hex):
        return x.lower() == lit.text.lower()
    if not (lit.quoted and lit.unit and not isinstance(x, str)):
        if order(x, lit) is not None:
            return order(x, lit) == 0
    if isinstance(x, str):
        guid = guid_bytes(x) if len(x) == 36 else None
        return x == lit.text or guid is not None and guid == lit.guid
    if isinstance(x, Number):
        return lit.text.lower() == (x.words or x.text).lower()
    return lit.text.lower() == text_of(x).lower()
