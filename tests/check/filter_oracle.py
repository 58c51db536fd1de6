#!/usr/bin/env python3
"""Filters on every V4, V5 and V6 trace of ../shared.

An expression and the same condition in Python must find as many events: conditions on the header
over what the reference reader says, conditions on payloads over tnav's own dump (which oracle.py
compares with the reference; the reader has names of its own for some fields). Besides fixed
conditions, each trace gives conditions made from the values of some of its events.
"""
import json
import os
import random
import re
import subprocess

import check

SAMPLES = 4             # events a trace from whose values conditions are made
SMALL, LARGE = 6, 2     # traces of a sample
CONDITIONS = 14         # of a trace in it


def oracle_of(path):
    folder, name = os.path.split(path)
    base = os.path.join(check.SHARED, "oracle", os.path.basename(folder), name)
    for ending in (".flushed.jsonl.zst", ".flushed.jsonl", ".jsonl.zst", ".jsonl"):
        if os.path.exists(base + ending):
            return base + ending
    return None


def events_of(oracle):
    if oracle.endswith(".zst"):
        text = subprocess.run(["zstd", "-dcq", oracle], capture_output=True, check=True).stdout
    else:
        text = check.read(oracle)
    out = []
    for line in text.splitlines():
        e = json.loads(line)
        if "qpc" in e:
            out.append(e)
    return out


def field(e, name):
    payload = e.get("payload")
    return payload.get(name) if isinstance(payload, dict) else None


def fixed():
    yield "size >= 0", lambda e: True
    yield "has stack", lambda e: "stack" in e
    yield "not has stack and size > 20", lambda e: "stack" not in e and e["size"] > 20
    yield "has activity", lambda e: "activity" in e
    yield "has related or size = 0", lambda e: "related" in e or e["size"] == 0
    yield "level <= warning", lambda e: e["level"] <= 3
    yield "level in 4..5", lambda e: e["level"] == 4
    yield "id in (1, 2, 80)", lambda e: e["id"] in (1, 2, 80)
    yield "provider ~ runtime and id >= 10", (
        lambda e: "runtime" in e["provider"].lower() and e["id"] >= 10)
    yield "provider ~ DotNETRuntime$", lambda e: e["provider"].endswith("DotNETRuntime")
    yield "keywords has 0x1", lambda e: int(e["keywords"], 16) & 1
    yield "time in 10ms..50ms", lambda e: 10 ** 7 <= e["t"] < 5 * 10 ** 7
    yield "time >= 1s", lambda e: e["t"] >= 10 ** 9
    yield "size in 1KiB..", lambda e: e["size"] >= 1024
    yield "version = 1 or not size < 64B", lambda e: e["version"] == 1 or e["size"] >= 64


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def header_conditions(e, rng):
    """Conditions that this event meets, or others, by its header."""
    provider, eid, tid, size = e["provider"], e["id"], e["tid"], e["size"]
    if 0 < eid < 1000:          # the reference reader cuts ids to 16 bits
        yield f"provider = {quoted(provider)} and id = {eid}", (
            lambda x: x["provider"] == provider and x["id"] == eid)
    if tid >= 0:
        yield f"tid = {tid} and size <= {size}", lambda x: x["tid"] == tid and x["size"] <= size
        yield f"tid != {tid}", lambda x: x["tid"] not in (tid, -1)
    if "activity" in e:
        guid = e["activity"]
        yield f"activity = {guid}", lambda x: x.get("activity") == guid
        yield f"activity ~ ^{guid[:6]}", lambda x: x.get("activity", "").startswith(guid[:6])
    if "stack" in e:
        ip = rng.choice(e["stack"])
        yield f"stack = {ip}", lambda x: ip in x.get("stack", [])
    labels = e.get("labels", {})
    if "traceIdHex" in labels:
        trace_id = labels["traceIdHex"]
        yield f"label.TraceId = {trace_id}", (
            lambda x: x.get("labels", {}).get("traceIdHex") == trace_id)
    for key, value in labels.get("kv", []):
        if key and "\0" not in key + str(value):
            yield f"label.{quoted(key)} = {quoted(str(value))}", (
                lambda x, kv=[key, value]: kv in x.get("labels", {}).get("kv", []))


def payload_conditions(e, events, rng):
    """The same by one field of its payload that is a number or a text."""
    provider, eid = e["provider"], e["id"]
    plain = [(k, v) for k, v in (e.get("payload") or {}).items()
             if re.fullmatch(r"[A-Za-z_]\w*", k) and isinstance(v, (int, str))]
    if not plain:
        return
    name, value = rng.choice(plain)
    # Other types may show the field of that name in another way (a date, a pointer): only this one.
    only = f"provider = {quoted(provider)} and id = {eid} and version = {e['version']} and "

    def same(x):
        return (x["provider"], x["id"], x["version"]) == (provider, eid, e["version"])
    # A float is now 0, now 1.5, now "NaN" in JSON: only fields of one kind.
    if len({type(field(x, name)) for x in events if same(x)}) != 1:
        return
    if isinstance(value, bool):
        yield f"{only}payload.{name} = {str(value).lower()}", (
            lambda x: same(x) and field(x, name) is value)
    elif isinstance(value, int):
        yield f"{only}payload.{name} = {value}", lambda x: same(x) and field(x, name) == value
        yield f"{only}payload.{name} < {value}", (
            lambda x: same(x) and isinstance(field(x, name), int) and field(x, name) < value)
        yield f"{only}not payload.{name} in ({value}, 5)", (
            lambda x: same(x) and field(x, name) not in (value, 5))
    elif len(value) < 1000 and "\ufffd" not in value and "\0" not in value:
        yield f"{only}payload.{name} = {quoted(value)}", (
            lambda x: same(x) and field(x, name) == value)
        word = re.search(r"[A-Z]\w{3,9}", value, re.ASCII)
        if word:
            yield f"{only}payload.{name} ~ {word[0]}", (
                lambda x: same(x) and word[0] in (field(x, name) or ""))


def count(path, expression):
    """How many rows; the last one is all that is printed."""
    r = check.tnav("dump", "--format", "tsv", "-e", "row", "-f", expression, path)
    if r.code not in (0, 1):
        return r.err.decode("utf-8", "replace")
    lines = r.out.decode().split()
    return len(lines) - (lines[:1] == ["row"])


def one(path, rng):
    name = os.path.basename(path)
    oracle = oracle_of(path)
    if oracle is None:
        return 0
    events = events_of(oracle)
    if not events or count(path, "size >= 0") != len(events):
        return 0        # one reader goes on where the other stops: not this check's matter
    tests = [(events, t) for t in fixed()]
    for e in rng.sample(events, min(SAMPLES, len(events))):
        tests += [(events, t) for t in header_conditions(e, rng)]
    _, dumped = check.jsonl("dump", path)
    for e in rng.sample(dumped, min(SAMPLES, len(dumped))):
        tests += [(dumped, t) for t in payload_conditions(e, dumped, rng)]
    tests = check.check_sample(tests, CONDITIONS)
    for over, (expression, condition) in tests:
        want = sum(1 for e in over if condition(e))
        check.equal(f"{name}: {expression}", count(path, expression), want)
    return len(tests)


def v6_traces():
    out = []
    for folder in ("v6", "features"):
        path = os.path.join(check.SHARED, "traces", folder)
        out += [os.path.join(path, f) for f in sorted(os.listdir(path))
                if f.endswith(".nettrace") and (folder == "v6" or f.startswith("v6-"))]
    return out


def main():
    check.need_shared()
    check.need_tnav()
    rng = random.Random(check.check_seed())
    asked = check.check_useful(lambda path: one(path, rng), check.shared_traces() + v6_traces(), SMALL, LARGE)
    print(f"{sum(asked)} conditions on {len(asked)} traces")
    check.finish(least=CONDITIONS * LARGE)


if __name__ == "__main__":
    main()
