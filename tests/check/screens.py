#!/usr/bin/env python3
"""No screen has a cut word without its mark, a misaligned column, or a number that isn't there.

The scenes are those of screenshots/make, those below, and each pane and each report that the
program's own tables name; the sizes go down to 40x12, in UTF-8 and in ASCII. What a screen may say
is known from the same scene on a terminal that has room for everything. Nothing is cut there, so
each row of a small screen must be a row of it, some columns left out and the last word cut with its
mark. In tables, the name of a type or method keeps its last part, digits stand in groups of three,
what names the row is cut after bars and what is the same in all rows are left out, and the title of
a list that goes on says where it is.

    tests/check/screens.py [--show] [NAME...]       all of them; in make check a sample
    tests/check/screens.py --tour                   those of screenshots/make, for make tour
"""
import functools
import importlib.machinery
import importlib.util
import os
import re
import shutil
import sys
import tempfile
import unicodedata

import check
import screen

SIZES = ((24, 80), (30, 100), (43, 132), (50, 200), (12, 40))
LOCALES = ("C.UTF-8", "C")
WIDE = (100, 400)
SAMPLE = 6                      # scenes with a size and a locale, in make check
AT_ONCE = 6                     # they wait until a screen is quiet
ALT, ENTER, ESC, DOWN = "\033", "\r", "\033", "\033[B"
# libvterm takes the last character of a line that is repeated (REP) for one of the next line.
TERM = {"C.UTF-8": "xterm-256color", "C": "screen"}

DEMO = os.path.join(check.DATA, "tour.nettrace.zst")
STORM = os.path.join(check.DATA, "clinic", "exceptions.nettrace.zst")
LABELS = os.path.join(check.DATA, "features", "v6-labels-all-kinds.nettrace")
HEPH = os.path.join(check.DATA, "traces", "actors-1worker.heph")
TRACES = (DEMO, LABELS, HEPH, *(os.path.join(check.DATA, name) for name in (
    "demo.nettrace", "features/v6-stacks-64bit.nettrace", "traces/net10-eventsource-types.nettrace",
    "features/v3-stacks-and-activities.netperf", "reports/gc-server.nettrace.zst",
    "reports/faults.nettrace.zst", "reports/https.nettrace.zst", "reports/counter-rates.nettrace.zst",
    "reports/task-bodies.nettrace.zst")))


def panes(*keys):
    """One step for each pane that a key shows."""
    return tuple((k, ()) for k in keys)


def names_of(header, kind):
    """The names of a table of the program's: of its panes, of its reports."""
    with open(os.path.join(check.TOP, header), encoding="utf-8") as f:
        return re.findall(kind, f.read(), re.M)


PANES = [name for _, name in names_of("src/ui/pane/pane.h", r"^\t(PANE|OWN)\(\w+, (\w+), ZONE_")]
REPORTS = names_of("include/tnav/analysis/report.h", r"^\tREPORT\((\w+), \"")
# What a pane is shown with, where its name alone shows nothing; a report is of a scene of its own.
SHOWN_BY = {"top": ":top dur" + ENTER, "stats": ":stats provider,name" + ENTER}
WRAPPED = 30                    # a word as long may be the middle of one that is wrapped
KINDS = 3                       # of rows that a report has; it says so where it has fewer


def registered():
    """A scene for each pane and each report of each trace."""
    for path in TRACES:
        of = os.path.basename(path).partition(".")[0]
        for name in PANES:
            yield f"pane {name} {of}", path, panes(SHOWN_BY.get(name, f":pane {name}" + ENTER), "G")
        for name in REPORTS:
            yield f"report {name} {of}", path, panes(f":{name}" + ENTER, *"p" * (KINDS - 1), ALT + "p")


# Name, trace, keys, texts: as in screenshots/make.
SCENES = (
    ("panes", DEMO, panes("", ALT + "1", ALT + "2", ALT + "3", ALT + "4", ALT + "5", ALT + "6",
                          ALT + "7")),
    ("spans", DEMO, panes(ALT + "9", ":sort dur" + ENTER, ">name" + ENTER)),
    ("gaps", DEMO, panes(ALT + "g", ">" + DOWN + ENTER, ENTER)),
    ("counts", DEMO, panes(":tally TypeName sum AllocationAmount64" + ENTER,
                           ":tally provider,name p99 dur" + ENTER)),
    ("explain", DEMO, (("e", ("row 9,301",)), ("K", ("explain",)))),
    ("problems", DEMO, panes("!")),
    ("columns", DEMO, panes("c")),
    ("diff", DEMO, (("e", ()), (ALT + "d", ()), ("*", ()), (ALT + "d", ()))),
    ("changes", DEMO, panes(f":diff {STORM}" + ENTER, "p", "p", "p", ":sort change" + ENTER, ALT + "i",
                            ALT + "c")),
    ("marks", DEMO, (("ma", ()), ("10j", ()), ("Mslow" + ENTER, ()), (":marks" + ENTER, ()))),
    ("filters", DEMO, (("f" + "name ~ GC/" + ENTER, ()), (":filters" + ENTER, ()))),
    ("help", DEMO, panes("?", " ")),
    ("flame graph", DEMO, panes("L")),
    ("calls", DEMO, panes(":calls" + ENTER, ">" + DOWN + ENTER)),
    ("reports", DEMO, panes(ALT + "8")),
    ("heph spans", HEPH, panes(ALT + "9")),
    ("labels", LABELS, panes(ALT + "6", "j", "j")),
    ("heph events", HEPH, panes("", ALT + "3")),
)

# How many decimals a column of measures has follows from the rows on the screen.
DECIMAL = re.compile(r"-?[\d,]+\.\d+")
CUT = re.compile("[\u2026~]")
BLOCKS = re.compile("[\u2580-\u259f\u00b7]+")
# The place in a list stands in the title of a pane that is too small for the list.
PLACE = re.compile(r"(, line )?[\d,]+ of [\d,]+$|[\d,]+ of (?=[\d,]+ [a-z]+$)")
LISTED = re.compile(r"(?<!of )(?<![\d,])([\d,]+) (rows|values|steps|spans|names|threads|findings)$")
# Columns whose numbers are names.
IDS = re.compile(r"\b(tid|pid|thread|ends on|process|id|address|port|task|number|handle|row|value|gc|parent|"
                 r"version|key|token)\b")
# Titles of what names the rows, and the width from which others have room beside it.
NAMES, NAMES_WIDE = re.compile("[\u2191\u2193]?([v^] )?(name|type|method|object|route)"), 40
CODE = re.compile(r"[A-Za-z_][\w`+]*(\.[\w`+<>]+)+(?=$|[(\[,;:])")
LINES = "\u2500\u2502\u250c\u2510\u2514\u2518\u251c\u2524\u252c\u2534\u253c"
# What a small screen says shorter, and arguments that only its help has room for.
SHORT = {"ev", "thr", "V3", "V4", "V5", "V6", "EXPR", "FIELD", "COLUMN"}
# Lines that say how much time a cell stands for or which part is on the screen, bytes, and the
# greatest value of a plot: it follows from the size.
BY_WIDTH = re.compile("columns  |more lines?: z|z shows them|cell of|cell: |[│|][-\\d.]+( |$)|"
                      "^[^a-z]*\\[.*\\]|"
                      "^[\u25b8> ] *[0-9a-f]{4,}  ?([0-9a-f]{2} )+|"
                      "^ *[\\d,.]+( [a-zA-Z\u00b5]+)?( +[-.:=+*#@\u2581-\u2588]+)+$|"
                      "^ *([\\d,.]+( [a-zA-Z\u00b5]+)? +)?[0-4]+( +[0-4]+)*$")     # its layers


def side_by_side(lines):
    """The lines of each pane, where two stand beside each other."""
    return [part for line in lines for part in re.split("[│|](?![-\\d.]+(?: |$))", line)]


def words(line):
    """The words of a line; what draws (bars, lines, pointers) is no word."""
    line = re.sub("[.:=+*#@-]{3,}", " ", BLOCKS.sub(" ", line))
    line = re.sub("^([\u25b8> ])[-+](?=[^ \\d])", "\\1 ", line)  # whether a row is unfolded
    line = line.replace("~+", "~ ")             # the tick of a hit at the edge
    line = re.sub("(?<=[\u2026~)])(?![-.][A-Z])[-.:=+*#@]+(?=[A-Z ]|$)", " ", line)  # bars that touch
    for c in LINES + "\u25b8":
        line = line.replace(c, " ")
    found = []
    for word in line.split():
        word = word.strip("|").rstrip(";") if word.strip("|-+>") else ""
        word = re.sub("^[.:=+*@#]+(?=[A-Z])", "", word)          # in a bar
        if word and not re.fullmatch(r"[-+.:=*#@|/%$<>^\[\]\u25be\u2026~]+|v+", word):
            found.append(word)
    return found


def number(word):
    return float(word.replace(",", ""))


def fits(word, whole):
    """Is it that word, rounded, or what is left of it before, around or between marks of cuts?"""
    if DECIMAL.fullmatch(word) and DECIMAL.fullmatch(whole):
        places = len(word.partition(".")[2])
        return abs(number(word) - number(whole)) <= 0.501 / 10 ** places
    if not CUT.search(word):
        return word == whole or whole.endswith("/" + word)      # without its provider
    parts = CUT.split(word)
    if CUT.search(whole):           # the wide screen has two panes beside each other
        begin, end = CUT.split(whole)[0], CUT.split(whole)[-1]
        return (os.path.commonprefix((begin, parts[0])) in (begin, parts[0]) and
                os.path.commonprefix((end[::-1], parts[-1][::-1])) in (end[::-1], parts[-1][::-1]))
    if whole.startswith(parts[0]) and whole.endswith(parts[-1]):
        return True
    # The name of a type or method: its namespace, its arguments or its middle are cut.
    parts = [part for part in parts if part != ")"]
    return re.search(".*".join(map(re.escape, parts)), whole) is not None


def row_of(row, whole):
    """Are the words those of the whole row in their order, some left out?"""
    at = 0
    for word in row:
        begin, *_, end = CUT.split(word) if CUT.search(word) else ("", "")
        while at < len(whole) and not fits(word, whole[at]) and not (
                begin and whole[at].startswith(begin)):
            at += 1
        # The middle that is cut may hold several words.
        while at < len(whole) and not fits(word, whole[at]) and not (
                end and whole[at].endswith(end)):
            at += 1
        if at == len(whole):
            return False
        at += 1
    return True


class Words:
    """All that a scene says where there is room."""
    def __init__(self):
        self.rows, self.words, self.by_word, self.header = [], set(SHORT), {}, set()
        self.same, self.varied = {}, set()          # titles: with the one text below; with several

    def add_columns(self, lines):
        """What is the same in all rows? Nothing is where the list goes on."""
        for line, below in (part for n in range(len(lines)) for part in columns_of(lines, n)):
            for _, title, texts in table_of(line, below):
                if len(set(texts)) != 1 or self.same.setdefault(title, texts[0]) != texts[0]:
                    self.varied.add(title)
        if any(PLACE.search(line.rstrip("\u2500- ")) for line in lines if TITLE.match(line)):
            self.varied.update(self.same)

    def add(self, lines):
        self.add_columns(lines)
        self.header.update(text for line in lines[1:3] for _, _, text in cells(line))
        for line in side_by_side(lines):
            found = words(line)
            if found:
                for word in {w for f in found for w in (f, f.rpartition("/")[2])}:
                    for m in re.finditer("[-./]|[a-z](?=[A-Z])", word):   # it may be wrapped
                        self.words.update((word[:m.end()], word[m.end():]))
                    self.by_word.setdefault(word, []).append(len(self.rows))
                self.rows.append(found)
                self.words.update(found, (w.rpartition("/")[2] for w in found))

    def code_of(self, text):
        """The names of types and methods that it may be the beginning of."""
        return [m for m in map(CODE.match, self.by_word) if m and m.string.startswith(text.split()[0])]

    def has_row(self, row):
        sure = [w for w in row if not CUT.search(w)]
        if not sure:
            return True
        sure = [w for w in sure if not DECIMAL.fullmatch(w)]
        if not sure:
            return any(row_of(row, whole) for whole in self.rows)
        fewest = min((self.by_word.get(w, []) for w in sure), key=len)
        return any(row_of(row, self.rows[i]) for i in fewest)

    def is_header(self, line):
        """Does it say of the process or of the providers what the wide screen says?"""
        found = cells(line)
        return bool(found) and all(re.fullmatch(r"\+\d+ more", text) or
                                   any(fits(text, whole) for whole in self.header)
                                   for _, _, text in found)

    def has_word(self, word):
        if word in self.words or word.strip(".:-=+*#@") in self.words:     # beside a bar
            return True
        if len(word) > WRAPPED and any(word in w for w in self.words):
            return True             # the middle of a list that is longer than two lines
        several = CUT.search(word) or DECIMAL.fullmatch(word)
        return several is not None and any(fits(word, w) for w in self.words)


def cells(line):
    """(from, to, text) of what two blanks or more set apart."""
    return [(m.start(), m.end(), m.group()) for m in re.finditer(r"\S+(?: \S+)*", line)]


def titles_of(line):
    """The titles of a table's columns, by the arrow of the order; None: it is no such line."""
    found = cells(line)
    marked = [t for t in found if re.match("[\u2191\u2193]|[v^] [a-z]", t[2])]
    if len(marked) != 1 or len(found) < 2 or re.search("[\u2500>]|--", line):
        return None
    return found


TITLE = re.compile("[\u25b8>\u2500-] (%s)( |$)" % "|".join(PANES))

GAP = re.compile("[\u25b8> ](\u2500\u2500|--) ")


def is_edge(line):
    """Is it the title of a pane, or what divides its lines? (The cursor's row is none.)"""
    return line == "" or bool(TITLE.match(line)) or "\u2500\u2500" in line or "----" in line


def need(bad, what, good):
    if not good:
        bad.append(what)


def columns_of(lines, n):
    """The parts of the line n between the lines that divide panes, each with what is below it."""
    bounds = [-1] + [i for i, c in enumerate(lines[n]) if c in "\u2502|"] + [None]
    for a, b in zip(bounds, bounds[1:]):
        below = []
        for line in lines[n + 1:-1]:
            if a >= 0 and line[a:a + 1] not in ("\u2502", "|"):
                break
            below.append(line[a + 1:b].rstrip())
        yield lines[n][a + 1:b].rstrip(), below


def check_columns(what, lines, bad):
    """Each cell of a table begins or ends where a title does."""
    for line, below in (part for n in range(len(lines)) for part in columns_of(lines, n)):
        titles = titles_of(line)
        for row in below if titles else ():
            if is_edge(row):
                break
            if any(unicodedata.east_asian_width(c) in "WF" for c in row):
                continue            # its places are not those of its cells
            found = cells(BLOCKS.sub(lambda m: " " * len(m.group()), row[2:].rjust(len(row))))
            for a, b, text in found[1:]:
                need(bad, f"{what}: the number {text!r} is cut:\n{line}\n{row}",
                     not re.fullmatch("-?\\d[\\d,.]*[\u2026~]", text))
                if re.fullmatch(r"-?[\d.]+ %", text):
                    continue        # behind a bar that begins under the title
                if not re.fullmatch(r"[.:\-=+*#@/$%]+( [.:\-=+*#@/$%]+)*", text):
                    need(bad, f"{what}: {text!r} does not stand under a title:\n{line}\n{row}",
                         any(a == ta or b == tb for ta, tb, _ in titles))
            for ta, tb, title in titles:
                if re.search(r"\b(events|count)$", title):
                    need(bad, f"{what}: no number under {title!r}:\n{line}\n{row}",
                         any(a < tb and b > ta for a, b, _ in found))


def table_of(line, below):
    """Of each column of a table but the first: where it begins, its title, the texts below it."""
    titles = titles_of(line) or ()
    rows = []
    for row in below if titles else ():
        if is_edge(row):
            break
        if row:
            rows.append(cells(row[2:].rjust(len(row))))
    for ta, tb, title in titles:
        texts = [" ".join(t for a, b, t in row if a < tb and b > ta) for row in rows]
        if any(texts):
            yield ta, title, texts


def check_order(what, lines, whole, bad):
    """What names the rows is cut after bars, and what is the same in all rows, are left out."""
    for n in range(len(lines)):
        for line, below in columns_of(lines, n):
            columns = list(table_of(line, below))
            named = next((c for c in columns if NAMES.fullmatch(c[1])), None)
            if named is None or not any(CUT.search(t) and len(t) < NAMES_WIDE - 1 for t in named[2]):
                continue
            for at, title, texts in columns[1:]:
                need(bad, f"{what}: names are cut beside {title!r}, the same in all rows:\n{line}",
                     at == named[0] or title not in whole.same or title in whole.varied or
                     CODE.match(texts[0]) or re.match("[\u2191\u2193]|[v^] ", title))
                need(bad, f"{what}: names are cut beside the bars of {title!r}:\n{line}",
                     not any(BLOCKS.search(t) for t in texts))


def check_places(what, lines, bad):
    """A pane that says how many lines its list has, and not where in it the screen is, shows all."""
    for n, line in enumerate(lines):
        title = re.split("[\u2502\u252c\u2510\u2534\u253c+|]", line)[0]
        m = TITLE.match(title) and LISTED.search(title.rstrip("\u2500- "))
        if m:
            below = next((i for i, row in enumerate(lines[n + 1:]) if TITLE.match(row)),
                         len(lines) - n - 2)
            need(bad, f"{what}: the list goes on, its title does not say where it is:\n{line}",
                 number(m[1]) <= below)


def check_values(what, lines, whole, bad):
    """Digits of tables stand in groups, unless they are names; names of code keep their last part."""
    for line, below in (part for n in range(len(lines)) for part in columns_of(lines, n)):
        titles = titles_of(line)
        for row in below if titles else ():
            if is_edge(row):
                break
            for a, b, text in cells(row[2:].rjust(len(row))):
                title = next((t for ta, tb, t in titles if a == ta or b == tb), "id")
                need(bad, f"{what}: {text!r} has no groups:\n{line}\n{row}",
                     IDS.search(title) or not re.fullmatch(r"-?\d{5,}(\.\d+)?", text))
                if re.search("[\u2026~]$", text) and CODE.match(text[:-1]):
                    need(bad, f"{what}: the last part of {text!r} is cut:\n{row}",
                         any(m[0].rpartition(".")[2] in text for m in whole.code_of(text[:-1])))


def check_events(what, lines, bad):
    """Times, threads and names of events stand under their titles."""
    lines = [re.split("[│|]", line)[0].rstrip() for line in lines]      # of panes side by side
    for n, line in enumerate(lines):
        m = re.match(r"(?P<time> *time)(?P<delta> +delta)? *(?P<tid> tid) .*?(?P<event>event)\b",
                     line)
        for row in lines[n + 1:-1] if m else ():
            if GAP.match(row):
                continue
            if is_edge(row):
                break
            if not re.match(r"[\u25b8> ][^\w]*\d", row) or re.match(r"[\u25b8> ]?[\d,]+ rows? about ", row):
                continue                # a note, or the row that stands for the past
            for name in ("time", "tid"):
                need(bad, f"{what}: no number ends where {name!r} does:\n{line}\n{row}",
                     re.match(r"[\d-] ", row[m.end(name) - 1:]))
            at = m.start("event")
            need(bad, f"{what}: no name begins where 'event' does:\n{line}\n{row}",
                 row[at - 1] == " " and row[at:at + 1] != " ")


def row_of_bars(line):
    """Is it a lane of the timeline? What is named there follows from the width."""
    return bool(re.match("[\u25b8> ] ?.{0,14}\\d[\\d,]* .*(~ |[.:=+*#@]{4,}|[-.:=+*#@]$)", line))


def row_of_frames(line):
    """Is it a row of a flame graph of two sides? Which frames have room for a number follows from the width."""
    return bool(re.match(r"[|+-]\S", line))


def check_words(what, lines, whole, bad):
    """Rows are rows of the wide screen; the words of the other lines are words of it."""
    lines = lines[:2] + side_by_side(lines[2:])
    for n, line in enumerate(lines):
        row = words(PLACE.sub("", line.rstrip("\u2500- ")) if is_edge(line) else line)
        if whole.has_row(row) or BY_WIDTH.search(line) or (0 < n < 3 and whole.is_header(line)):
            continue
        numbers = sum(bool(re.search(r"\d", w)) for w in row)
        left = [w for w in row if not whole.has_word(w)]
        framed = row_of_bars(line) or row_of_frames(line) or n < 2 or n == len(lines) - 1 or is_edge(line)
        need(bad, f"{what}: these words are cut: {left}\n{line}", not left)
        framed |= any(len(w) > WRAPPED for w in row)
        need(bad, f"{what}: this is no row of the wide screen:\n{line}", framed or numbers < 2)


def play(path, steps, size, locale, quiet):
    """The screens of a scene, as lists of lines; each when nothing came for so many seconds."""
    state = tempfile.mkdtemp(prefix="tnav-screens-")
    env = {"XDG_STATE_HOME": state, "XDG_CONFIG_HOME": state, "TZ": "UTC", "LC_ALL": locale,
           "TERM": TERM[locale]}
    try:
        with screen.Screen([check.TNAV, path], *size, env=env) as s:
            s.wait("row ", gone=("indexing",))
            for keys, texts in steps:
                s.send(keys)
                s.settle(quiet)
                if size > SIZES[-1]:    # the smallest has no room for them
                    s.wait(*texts)
                s.wait_for(lambda text: not re.search(r"\b(counting|finding)\b", text))
                s.settle(quiet)
                yield s.lines()
                if size == WIDE:        # all of what has no room beside others
                    s.send("z")
                    s.settle(quiet)
                    yield s.lines()
                    s.send("z")
            s.send("Q")
            check.equal("exit", s.finish(), 0)
    finally:
        shutil.rmtree(state, ignore_errors=True)


def judge(name, path, steps, size, locale, quiet):
    """What is wrong with the screens of a scene."""
    bad, whole = [], Words()
    for lines in play(path, steps, WIDE, locale, quiet):
        whole.add(lines)
        check_columns(f"{name}, {locale}, wide", lines, bad)
    for i, lines in enumerate(play(path, steps, size, locale, quiet)):
        what = f"{name} {i + 1}, {size[1]}x{size[0]}, {locale}"
        if "--show" in sys.argv:
            print(f"==== {what}", *lines, sep="\n")
        check_words(what, lines, whole, bad)
        check_columns(what, lines, bad)
        check_events(what, lines, bad)
        check_places(what, lines, bad)
        check_values(what, lines, whole, bad)
        check_order(what, lines, whole, bad)
        check.equal(f"{what}: lines", len(lines), size[0])
    return bad


def check_scene(*scene):
    """A busy machine may stop in mid-frame: what seems wrong is looked at again, with patience."""
    bad = judge(*scene, 0.3)
    for what in judge(*scene, 3) if bad else ():
        check.fail(what)


def tour():
    """The scenes of screenshots/make, with their traces; none without ../shared."""
    path = os.path.join(check.TOP, "screenshots", "make")
    loader = importlib.machinery.SourceFileLoader("make_screens", path)
    spec = importlib.util.spec_from_loader("make_screens", loader)
    made = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    loader.exec_module(made)
    folder = os.path.join(check.SHARED, "traces")
    return tuple((name, os.path.join(folder, trace), steps) for name, trace, steps in made.SCENES
                 if os.path.exists(os.path.join(folder, trace)))


def main():
    check.need_tnav()
    if not screen.available():
        sys.exit(f"no program at {screen.CELLS}")
    only = [a for a in sys.argv[1:] if a[0] != "-"]
    of_tour = "--tour" in sys.argv
    own = () if of_tour else (*SCENES, *registered())
    scenes = [s for s in (*own, *tour()) if not only or s[0] in only]
    every = [(*s, size, locale) for s in scenes for size in SIZES for locale in LOCALES]
    check.apart([functools.partial(check_scene, *one) for one in
                 (every if only or of_tour else check.check_sample(every, SAMPLE))], AT_ONCE)
    check.finish(20)


if __name__ == "__main__":
    main()
