#!/usr/bin/env python3
"""Connections that go wrong, against peers that this test plays itself and a stand-in for a runtime
(tests/support/live): who connects to a port and does not answer, sockets at any path, programs that do
not obey the stop. No test waits for a time: what is waited for is said by the program."""
import contextlib
import json
import os
import resource
import selectors
import signal
import socket
import struct
import sys
import tempfile

import check
import screen
import ipc
from expect import Fake
from stage import PATIENCE, STREAM, TRACE, end, environment, run, said_until, start

CONNECTING = ("--no-listen", "--suspend", "--end", "close", "--connect")


class Peer:
    """A client of a port that sends a whole advertisement."""

    def __init__(self, port, pid=77, more=b""):
        self.port, self.pid, self.cookie = port, pid, os.urandom(16)
        self.connect(more)

    def connect(self, more=b""):
        self.s = socket.socket(socket.AF_UNIX)
        self.s.connect(self.port)
        self.s.sendall(b"ADVR_V1\0" + self.cookie + struct.pack("<QH", self.pid, 0) + more)

    def request(self):
        return self.s.recv(4096)


def answer_info(peer, request, name):
    """As a runtime: answer, close the connection, connect again."""
    _, _, group, number, _ = ipc.HEADER.unpack(request[:ipc.HEADER.size])
    info = ipc.Info(peer.pid, peer.cookie, name, "Linux", "x64", name, "10.0.0", "linux-x64")
    peer.s.sendall(ipc.answer(ipc.info_payload(group << 8 | number, info)))
    peer.s.close()
    peer.connect()


def close_at_once(peer):
    peer.s.close()


def close_when_asked(peer):
    peer.request()
    peer.s.close()


def answer_garbage(peer):
    peer.request()
    peer.s.sendall(b"x" * 64)


def answer_short(peer):
    peer.request()
    peer.s.sendall(b"DOTNET_IPC_V1\0" + struct.pack("<HBBH", 24, 0xFF, 0, 0) + b"1234")


@contextlib.contextmanager
def listening(scratch, *args, **options):
    """record --listen: the child, its folder, its port, its file."""
    folder = tempfile.mkdtemp(dir=scratch)
    port, path = os.path.join(folder, "port"), os.path.join(folder, "out.nettrace")
    child = start(folder, "record", "--listen", port, "-o", path, *args, **options)
    try:
        said_until(child, b"waiting for a program")
        yield child, folder, port, path
    finally:
        child.kill()
        child.communicate()


def takes_program(child, folder, port, path, what):
    """The next program that connects is recorded."""
    with Fake(folder, trace=TRACE, args=[*CONNECTING, port]) as fake:
        said_until(child, b"to start again")
        end(child, what, 0)
        check.true(f"{what}: it was resumed", "esume" in json.dumps(fake.requests()))
    check.true(f"{what}: the stream", check.read(path) == STREAM)


def check_peers(scratch):
    """A peer of a port that does not answer is reported, and the next program is recorded."""
    for act, text in ((close_when_asked, b"closed the connection"), (answer_garbage, b"not belong to a .NET"),
                      (answer_short, b"not belong to a .NET"), (None, b"does not answer")):
        what = f"peer {act.__name__ if act else 'silent'}"
        with listening(scratch) as (child, folder, port, path):
            peer = Peer(port)
            if act:
                act(peer)
            said = said_until(child, b"waiting for another")
            check.true(f"{what}: {said!r}", b"process 77 " in said and text in said)
            takes_program(child, folder, port, path, what)
    with listening(scratch) as (child, folder, port, path):
        close_at_once(Peer(port))
        said_until(child, b"process 77 has connected")
        takes_program(child, folder, port, path, "peer close_at_once")
    with listening(scratch) as (child, folder, port, path):
        Peer(port, more=b"x" * 64)
        said_until(child, b"process 77 has connected")
        takes_program(child, folder, port, path, "peer that sends more")


def check_no_session(scratch):
    """A program that answers, but then closes the connection for the session, is not the last one."""
    with listening(scratch) as (child, folder, port, path):
        with Fake(folder, trace=TRACE, args=[*CONNECTING, port, "--fault", "start:close"]):
            said_until(child, b"waiting for another program")
        takes_program(child, folder, port, path, "no session")


def check_signals(scratch):
    """A signal ends the waiting for an answer."""
    for stop in (signal.SIGINT, signal.SIGTERM):
        with listening(scratch) as (child, _, port, path):
            peer = Peer(port)
            check.true("signals: it is asked", peer.request().startswith(b"DOTNET_IPC_V1"))
            said = end(child, f"{stop.name} while a peer is asked", 2, stop)
            check.true(f"{stop.name}: {said!r}", "stopped before a program connected" in said)
            check.true(f"{stop.name}: nothing is said of the peer", "has connected" not in said)
            check.true(f"{stop.name}: no file", not os.path.exists(path))
    folder = tempfile.mkdtemp(dir=scratch)
    with Fake(folder, trace=TRACE, args=["--fault", "start:silent"]) as fake:
        child = start(folder, "record", str(fake.pid), "-o", os.path.join(folder, "out"))
        while "ollect" not in json.dumps(fake.await_what("request")):
            pass
        said = end(child, "a signal while the session is started", 2)
        check.true(f"a signal while the session is started: {said!r}", "stopped before process" in said)


def few_descriptors():
    resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))


def connect_crowd(port, n):
    """Clients of many kinds. Those with an advertisement that are silent are returned first."""
    silent = [Peer(port, pid=1000 + i) for i in range(n)]
    others = [socket.socket(socket.AF_UNIX) for _ in range(n)]
    for s in others:
        s.connect(port)
    for i in range(n):
        close_at_once(Peer(port, pid=2000 + i))
        others.append(Peer(port, pid=3000 + i, more=b"x" * 64).s)
    return silent, others


def order_of(peers, name=None):
    """What arrives at the peers until each is closed, in order. With a name they answer the first
    request, which is for their names."""
    what = []
    with selectors.DefaultSelector() as s:
        for peer in peers:
            s.register(peer.s, selectors.EVENT_READ, (peer, name))
        while s.get_map():
            for key, _ in s.select(PATIENCE):
                peer, answer = key.data
                data = peer.request()
                what.append("name" if data and answer else "request" if data else "end")
                if data and not answer:
                    continue
                s.unregister(key.fileobj)
                if data:
                    answer_info(peer, data, answer)
                    s.register(peer.s, selectors.EVENT_READ, (peer, None))
    return what


def check_crowd(scratch):
    """All that connect are asked at the same time: those that do not answer delay no other one."""
    n = 30
    with listening(scratch) as (child, folder, port, path):
        child.send_signal(signal.SIGSTOP)       # so that they connect before it looks
        silent, others = connect_crowd(port, n)
        child.send_signal(signal.SIGCONT)
        check.equal("crowd: what arrives", order_of(silent), ["request"] * n + ["end"] * n)
        takes_program(child, folder, port, path, "after a crowd")
        for s in others:
            s.close()
    with listening(scratch) as (child, folder, port, path):
        child.send_signal(signal.SIGSTOP)
        crowd = connect_crowd(port, n)
        child.send_signal(signal.SIGCONT)
        takes_program(child, folder, port, path, "within a crowd")
        del crowd


def check_others(scratch):
    """With a name, programs of other names are resumed at the same time, whether they take it or not."""
    n = 10
    with listening(scratch, "-n", "fake") as (child, folder, port, path):
        others = [Peer(port, pid=1000 + i) for i in range(n)]
        what = order_of(others, "other")
        check.equal("others: requests", (what.count("name"), what.count("request")), (n, n))
        check.equal("others: what arrives last", what[-n:], ["end"] * n)
        takes_program(child, folder, port, path, "after others")


def check_descriptors(scratch):
    """More clients than there are descriptors: that is said, and the program is recorded."""
    for what in ("silent", "with an advertisement", "mixed"):
        with listening(scratch, preexec_fn=few_descriptors) as (child, folder, port, path):
            crowd = []
            if what == "silent":
                crowd = [socket.socket(socket.AF_UNIX) for _ in range(100)]
                for s in crowd:
                    s.connect(port)
            elif what == "mixed":
                crowd = connect_crowd(port, 30)
            else:
                crowd = [Peer(port) for _ in range(60)]
            said_until(child, b"too many connections")
            takes_program(child, folder, port, path, f"descriptors, {what}")
            del crowd


def check_socket(scratch):
    """A path of a socket that is found nowhere in /proc is one of a program."""
    folder, shared = tempfile.mkdtemp(dir=scratch), tempfile.mkdtemp(dir=scratch)
    args = ["--tmpdir", shared, "--end", "close", "--entry", "sidecar"]
    with Fake(folder, trace=TRACE, args=args) as fake:
        other = fake.socket
        path = os.path.join(folder, "out.nettrace")
        child = start(folder, "record", other, "-o", path)
        said = end(child, "socket", 0, None)
        check.true(f"socket: {said!r}", "(sidecar)" in said)
        check.true("socket: the stream", check.read(path) == STREAM)
        with screen.Screen([check.TNAV, "attach", other], 24, 100, environment(folder)) as s:
            s.wait("the trace is complete")
            s.send("Q")
            check.equal("socket: exit code of attach", s.finish(), 0)
        os.symlink(other, os.path.join(folder, "beside"))
        child = start(folder, "record", "beside", "-o", path, cwd=folder)
        said = end(child, "socket in the working directory", 0, None)
        check.true(f"socket in the working directory: {said!r}", "(sidecar)" in said)
        r = run(folder, "providers", other)
        check.equal(f"socket: providers ({r.stderr!r})", r.returncode, 0)
    for what, text in ((path, "not a socket"), (os.path.join(folder, "none"), "no such socket")):
        said = end(start(folder, "record", what), "no socket", 2, None)
        check.true(f"no socket: {said!r}", text in said)


def check_frozen(scratch):
    """Every way out of a viewer on a program that is stopped ends at once: with a message that says why."""
    for how in ("Q", "qk", signal.SIGTERM, signal.SIGHUP):
        folder = tempfile.mkdtemp(dir=scratch)
        with Fake(folder, trace=TRACE) as fake, \
             screen.Screen([check.TNAV, "attach", str(fake.pid)], 24, 100, environment(folder)) as s:
            s.wait("[live")
            fake.freeze()
            try:
                if isinstance(how, str):
                    for key in how:
                        s.send(key)
                        if key != how[-1]:
                            s.wait("k keep the trace and quit")
                else:
                    os.kill(s.pid, how)
                check.equal(f"frozen, {how}: exit code", s.finish(), 1)
            finally:
                os.kill(fake.pid, signal.SIGCONT)
            said = " ".join(s.text().split())
            check.true(f"frozen, {how}: {said!r}", "the session in it is not ended" in said)
            kept = list(check.received(os.path.join(folder, "state")).values())
            check.true(f"frozen, {how}: what came is kept", len(kept) == 1 and len(kept[0]) > 100 and
                       STREAM.startswith(kept[0]))


def check_ignored_stop(folder):
    """A program that ignores the stop: that is said, a signal ends the waiting."""
    with Fake(folder, trace=TRACE, args=["--fault", "stream:stall=300"]) as fake:
        child = start(folder, "record", str(fake.pid), "--duration", "1s", "-o", os.path.join(folder, "out"))
        said = said_until(child, b"waiting up to 10 s")
        check.true(f"ignored stop: {said!r}", b"sends nothing" in said)
        said = end(child, "ignored stop", 1)
        check.true(f"ignored stop: {said!r}", "stopped at once" in said)


def check_damaged(scratch):
    """A stream that is not one of a trace does not end as a complete one."""
    for at in (0, 16):
        folder = tempfile.mkdtemp(dir=scratch)
        with Fake(folder, trace=TRACE, args=["--end", "close", "--fault", f"stream:flip={at}"]) as fake:
            child = start(folder, "record", str(fake.pid), "-o", os.path.join(folder, "out"))
            said = end(child, f"damaged at {at}", 1, None)
            check.true(f"damaged at {at}: {said!r}", "did not send a trace" in said)


def check_pipes(folder):
    """-o of a named pipe says that it waits for a reader; --perf-map takes none."""
    pipe = os.path.join(folder, "pipe")
    os.mkfifo(pipe)
    with Fake(folder, trace=TRACE, args=["--end", "close"]) as fake:
        child = start(folder, "record", str(fake.pid), "-o", pipe)
        said_until(child, b"waiting for a reader")
        check.equal("pipe: the stream", check.read(pipe), STREAM)
        end(child, "pipe", 0, None)
        child = start(folder, "record", str(fake.pid), "-o", pipe)
        said_until(child, b"waiting for a reader")
        said = end(child, "pipe without a reader", 3)
        check.true(f"pipe without a reader: {said!r}", "before the named pipe had a reader" in said)
    child = start(folder, "dump", TRACE, "-o", pipe)
    said_until(child, b"waiting for a reader")
    check.true("pipe: of dump", len(check.read(pipe)) > 100)
    end(child, "pipe of dump", 0, None)
    said = end(start(folder, "dump", TRACE, "--perf-map", pipe), "perf map", 2, None)
    check.true(f"perf map: {said!r}", "not a file" in said)


def check_columns(_):
    """A width that no terminal has is not believed."""
    with screen.Screen([check.TNAV, TRACE], 24, 100, {"COLUMNS": "999999999", "LINES": "999999999"}) as s:
        s.wait("row 0")
        s.send("Q")
        check.equal("columns: exit code", s.finish(), 0)


AT_ONCE = 4             # they wait for programs and for time limits
CHECKS = (check_peers, check_no_session, check_signals, check_crowd, check_others,
          check_descriptors, check_socket, check_frozen,
          check_ignored_stop, check_damaged, check_pipes, check_columns)


def main():
    check.need_tnav()
    if not screen.available():
        print("the program `cells` is not built: skipped")
        sys.exit(check.SKIP)
    made = check.apart_by_name(CHECKS, AT_ONCE)
    check.finish(80 if made == len(CHECKS) else made)


if __name__ == "__main__":
    main()
