"""No circles of files inside a layer.

A file depends on another of its layer when it uses something that the other defines, as the objects
tell. Files that depend on each other in a circle are one file that was cut in pieces: none can be
understood, tested or moved without all others. Nor may headers include each other in a circle.
"""
import fnmatch
import os
import re
import subprocess
import sys

SRC = os.environ.get("srcdir", ".")

# Circles that still stand, as patterns of the files in them. A pattern leaves this list when its
# circle is dissolved; none is added.
ALLOWED = [
]


def sources():
    out = []
    for top in ("src", "include"):
        for folder, _, names in os.walk(os.path.join(SRC, top)):
            for name in names:
                if name.endswith((".c", ".h")):
                    out.append(os.path.relpath(os.path.join(folder, name), SRC))
    return out


def in_layers(graph):
    """Without the uses that lead to another layer, which layers.sh looks at."""
    return {a: {b: why for b, why in to.items() if a != b and a.split("/")[0] == b.split("/")[0]}
            for a, to in graph.items()}


def uses_of_objects():
    """The files that each file uses, by the symbols that the objects define and lack."""
    objects = [os.path.splitext(path)[0] + ".o" for path in sources() if path.endswith(".c")]
    text = subprocess.run(["nm", "-A", "-P", *filter(os.path.exists, objects)], check=True,
                          capture_output=True, text=True).stdout
    owner, uses = {}, {}
    for line in text.splitlines():
        path, symbol, kind = line.split()[:3]
        file = path[len("src/"):-len(".o:")]
        used = uses.setdefault(file, set())
        if kind == "U":
            used.add(symbol)
        elif kind.isupper():
            owner[symbol] = file
    if len(uses) < 50:
        sys.exit("no objects here: this check sees nothing")
    graph = {}
    for file, used in uses.items():
        for symbol in used:
            if symbol in owner:
                graph.setdefault(file, {}).setdefault(owner[symbol], symbol)
    return in_layers(graph)


def includes():
    """The headers that each header includes."""
    paths = sources()
    graph = {}
    for path in paths:
        if not path.endswith(".h"):
            continue
        with open(os.path.join(SRC, path), encoding="utf-8") as f:
            for header in re.findall(r'^#include "([^"]*\.h)"', f.read(), re.M):
                where = "include/" if header.startswith("tnav/") else "src/"
                graph.setdefault(path, {}).setdefault(where + header, "included")
    return graph


def circles(graph):
    """The sets of files that reach each other, by Tarjan's algorithm."""
    order, low, stack, found = {}, {}, [], []

    def visit(a):
        order[a] = low[a] = len(order)
        stack.append(a)
        for b in graph.get(a, ()):
            if b not in order:
                visit(b)
            if b in stack:
                low[a] = min(low[a], low[b])
        if low[a] == order[a]:
            group = set()
            while a not in group:
                group.add(stack.pop())
            if len(group) > 1:
                found.append(group)

    sys.setrecursionlimit(10000)
    for a in sorted(graph):
        if a not in order:
            visit(a)
    return found


def selftest():
    assert circles({"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"]}) == [{"a", "b", "c"}]
    assert circles({"a": ["b", "c"], "b": ["c"], "c": []}) == []


def stands(group):
    return any(all(any(fnmatch.fnmatch(file, p) for p in one.split()) for file in group)
               for one in ALLOWED)


def main():
    selftest()
    failed = False
    for graph in (uses_of_objects(), includes()):
        for group in circles(graph):
            if stands(group):
                print("a circle that still stands:", *sorted(group))
                continue
            failed = True
            print("a circle:", *sorted(group))
            for a in sorted(group):
                for b in sorted(group & set(graph[a])):
                    print(f"    {a} -> {b}  ({graph[a][b]})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
