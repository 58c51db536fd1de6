#!/usr/bin/env python3
"""`tnav attach|record|diagnose HOST:NAME` through a stand-in for ssh, a script that runs the command line here: what
is passed to it, what is refused, what is kept when the connection is cut, and that the session in the program ends
with this one, whatever ends it. No test waits for a time."""
import os
import select
import signal
import subprocess
import tempfile

import check
import screen
from expect import Fake
from stage import PATIENCE, TRACE

# It writes down what it was called with, and its process, which a test may kill.
SSH = """#!/bin/sh
printf '%s\\n' "$$" >"$HERE/pid"
printf '%s\\0' "$@" >"$HERE/words"
BEFORE
exec sh -c "exec $3"
"""


class Host:
    """A folder with a stand-in for ssh, and an environment that names it."""

    def __init__(self, scratch, before=""):
        self.folder = tempfile.mkdtemp(dir=scratch)
        self.ssh = os.path.join(self.folder, "ssh")
        with open(self.ssh, "w", encoding="ascii") as f:
            f.write(SSH.replace("BEFORE", before))
        os.chmod(self.ssh, 0o700)
        self.state = os.path.join(self.folder, "state")
        self.env = {"TMPDIR": self.folder, "XDG_STATE_HOME": self.state, "HERE": self.folder,
                    "TNAV_SSH": self.ssh, "TNAV_REMOTE": check.TNAV, "LC_ALL": "C.UTF-8"}

    def fake(self, *args, trace=TRACE):
        return Fake(self.folder, trace=trace, args=args)

    def start(self, *words):
        return subprocess.Popen([check.TNAV, *words], env=os.environ | self.env, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder)

    def run(self, *words):
        """Exit code, and what was said."""
        p = self.start(*words)
        said = p.communicate(timeout=PATIENCE)[1].decode()
        return p.returncode, said

    def view(self, *words):
        return screen.Screen([check.TNAV, "attach", *words], 24, 100, self.env)

    def words(self):
        return check.read(os.path.join(self.folder, "words")).decode().split("\0")[:-1]

    def cut(self):
        """The connection breaks: ssh and the tnav that it runs in one process."""
        os.kill(int(check.read(os.path.join(self.folder, "pid"))), signal.SIGKILL)

    def kept(self):
        return check.received(self.state)


def check_refused(scratch):
    """What ssh or a shell could take for something else is refused, and ssh is not called."""
    host = Host(scratch)
    for what, why in ((":x", "name of a host"), ("a b:x", "name of a host"), ("a\x1b[m:x", "name of a host"),
                      ("a\nb:x", "name of a host"), ("[]:x", "name of a host"), ("h:", "id, the name"),
                      ("h:-o", "id, the name"), ("h:\x07", "id, the name"), ("h:a\nb", "id, the name")):
        code, said = host.run("record", "-o", "x.nettrace", what)
        check.equal(f"{what!r}: exit code ({said!r})", code, 2)
        check.true(f"{what!r}: {said!r} says why", why in said and "\x1b" not in said)
    code, said = host.run("record", "-o", "x.nettrace", "--rotate", "1s", "h:x")
    check.true(f"--rotate: {said!r}", code == 2 and "--rotate needs" in said)
    code, said = host.run("record", "h:x", "h:y")
    check.true(f"two: {said!r}", code == 2 and "one at a time" in said)
    check.true("ssh was not called", not os.path.exists(os.path.join(host.folder, "words")))
    check.true("no file is left", not os.path.exists(os.path.join(host.folder, "x.nettrace")))


def check_host(scratch):
    """A leading minus of the host, which the command line takes for an option, and -- for a command."""
    host = Host(scratch)
    for words in (["record", "-oProxyCommand=x:y"], ["diagnose", "-oProxyCommand=x:y"], ["record", "--", "-o:x"]):
        check.true(f"{words}", host.run(*words)[0] != 0)
    check.true("ssh was not called", not os.path.exists(os.path.join(host.folder, "words")))


def check_words(scratch):
    """The host and the name are single words, whatever is in them."""
    host = Host(scratch)
    for what, name in (("me@web-1:it's $(touch bad); \"x\" `touch bad` *", "it's $(touch bad); \"x\" `touch bad` *"),
                       ("[fe80::1]:orders", "orders"), ("web:/tmp/a b-socket", "/tmp/a b-socket"), ("web:4711", "4711")):
        code, said = host.run("record", "-o", "x.nettrace", what)
        check.equal(f"{what}: exit code ({said!r})", code, 2)
        words = host.words()
        check.equal(f"{what}: words", words[:2], ["-T", "fe80::1" if what[0] == "[" else what.split(":")[0]])
        there = subprocess.run(["sh", "-c", "set -- " + words[2] + "; printf '%s\\0' \"$@\""], capture_output=True,
                               check=True).stdout.decode().split("\0")[:-1]
        check.equal(f"{what}: the name there", there[-1], name)
        check.true(f"{what}: {said!r} has what is said there", "no .NET process" in said or "process" in said)
    check.equal("nothing else ran", [x for x in os.listdir(host.folder) if x == "bad"], [])


def check_record(scratch):
    """The file is what the program sent; options reach it; the stop is one, and in order."""
    host = Host(scratch)
    out = os.path.join(host.folder, "out.nettrace")
    with host.fake() as fake:
        code, said = host.run("record", "-o", out, "--duration", "1s", f"web:{fake.pid}", "--providers",
                              "It's:0x3:5:a=\"b\"", "--no-stacks", "--buffersize", "64", "--rundown", "false")
        check.equal(f"record: exit code ({said!r})", code, 0)
        check.true(f"record: {said!r}", f"recording {fake.pid}@web to" in said and "8 events, none lost" in said)
        check.equal("record: the stream", check.read(out), check.read(TRACE))
        asked = [r["asked"] for r in fake.starts()]
        check.equal("record: asked for", [(p["name"], p["keywords"], p["level"]) for p in asked[0]["providers"]],
                    [("It's", 3, 5)])
        check.equal("record: options", (asked[0]["stacks"], asked[0]["mb"], len(asked)), (False, 64, 1))
        check.equal("record: stops", len(fake.stops()), 1)
        os.unlink(out)
        p = host.start("record", "-o", out, f"web:{fake.pid}")
        while not os.path.exists(out) or os.path.getsize(out) < 100:
            pass
        p.send_signal(signal.SIGINT)
        said = p.communicate(timeout=PATIENCE)[1]
        check.equal(f"Ctrl-C: exit code ({said!r})", p.returncode, 0)
        check.equal("Ctrl-C: stops", len(fake.stops()), 2)


def check_diagnose(scratch):
    host = Host(scratch)
    with host.fake("--end", "close") as fake:
        code, said = host.run("diagnose", f"web:{fake.pid}")
        check.true(f"diagnose: {code}, {said!r}", code <= 1 and f"{fake.pid}@web" in said)
        check.true("diagnose: its profile", "--profile='diagnose'" in host.words()[2])


def check_attach(scratch):
    """Live as of this host: following and pausing, the summary, Ctrl-T; Q stops and keeps."""
    host = Host(scratch)
    with host.fake() as fake:
        with host.view(f"me@web:{fake.pid}") as s:
            s.wait("[live")
            s.ask("F", "[paused")
            s.ask("F", "[live")
            s.ask("\x1b0", "What stands out")
            s.ask("\x14", "_stacks.nettrace", "[live")
            s.send("Q")
            check.equal("attach: exit code", s.finish(), 0)
        kept = host.kept()
        check.true(f"attach: {list(kept)}: both are kept", list(kept.values()) == [check.read(TRACE)] * 2)
        check.true("attach: the names say the host", all(x.startswith(f"{fake.pid}@web_") for x in kept))
        asked = [r["asked"] for r in fake.starts()]
        check.equal("attach: stacks", [a["stacks"] for a in asked], [False, True])
        names = [{p["name"] for p in a["providers"]} for a in asked]
        check.equal("attach: samples besides", names[1] - names[0], {"Microsoft-DotNETCore-SampleProfiler"})
        check.equal("attach: stops", len(fake.stops()), 2)


def check_several(scratch):
    """A program of this host and one of another are one list; each has a file of its own name."""
    host = Host(scratch)
    with host.fake() as near, host.fake() as far, host.view(str(near.pid), f"web:{far.pid}") as s:
        s.wait("[live", "16 ev")
        s.ask(f":w {host.folder}/x\r", "kept as")
        kept = [os.path.join(host.folder, f"x_{name}.nettrace") for name in (near.pid, f"{far.pid}@web")]
        host.cut()
        s.wait(f"{far.pid}@web ended or hung up", "[live 1 of 2, ")
        check.true(f"several: {s.text()}", ",," not in s.text())
        s.ask("q", "s stop")
        s.ask("s", f"incomplete: {far.pid}@web")
        s.send("Q")
        check.equal("several: exit code", s.finish(), 1)
        check.true("several: the near one is whole", check.read(kept[0]) == check.read(TRACE))
        check.true("several: what the far one sent", len(check.read(kept[1])) > 0 and
                   check.read(TRACE).startswith(check.read(kept[1])))
        check.equal("several: stops", len(near.stops()), 1)


def check_password(scratch):
    """ssh asks on the terminal, before the viewer starts."""
    asks = 'printf "password: " >/dev/tty; read word </dev/tty; [ "$word" = sesame ] || exit 255'
    host = Host(scratch, asks)
    with host.fake() as fake:
        with host.view(f"web:{fake.pid}") as s:
            s.ask("", "password:")
            s.ask("sesame\n", "[live")
            s.send("Q")
            check.equal("password: exit code", s.finish(), 0)
        host.env["XDG_STATE_HOME"] += "2"       # two in a second would have one name
        with host.view(f"web:{fake.pid}") as s:
            s.ask("", "password:")
            s.send("wrong\n")
            check.equal("wrong password: exit code", s.finish(), 2)
            check.true("wrong password: said", "ended with exit code 255" in s.text())


def check_cut(scratch):
    """The connection breaks in the middle: what came is kept, and the message says what has ended."""
    host = Host(scratch)
    with host.fake("--manual") as fake, host.view(f"web:{fake.pid}") as s:
        fake.send_until(s, lambda text: "may still move" in text, 0.3)
        host.cut()
        s.wait(gone=("[live",))
        s.send("Q")
        check.equal("cut: exit code", s.finish(), 1)
        check.true(f"cut: {s.text()!r}", "incomplete: the connection to web" in s.text().replace("\n", ""))
        (kept,) = host.kept().values()
        check.true("cut: what came is kept", 0 < len(kept) < os.path.getsize(TRACE)
                   and check.read(TRACE).startswith(kept))


def check_hang_up(scratch):
    """Nobody reads any more, or this side is killed: a program that sends nothing loses its session all the same."""
    host = Host(scratch)
    for killed in (False, True):
        with host.fake("--manual") as fake:
            p = host.start("record", "-o", "-", f"web:{fake.pid}" if killed else str(fake.pid))
            got = b""
            while not got:      # a stream that is not there yet takes nothing
                fake.send("send 1 objects")
                got = os.read(p.stdout.fileno(), 1) if select.select([p.stdout], [], [], 0.2)[0] else b""
            if killed:
                p.kill()
            p.stdout.close()
            while not fake.stops():
                pass
            check.equal(f"hang-up, killed {killed}: stops", len(fake.stops()), 1)
            fake.send("send all")
            p.stderr.read()
            p.wait(PATIENCE)


def check_failures(scratch):
    """What ssh says is shown, cleaned; so is what kind of failure it is."""
    for before, code, texts in (
            ('printf "Permission denied \\033[31m(publickey).\\n" >&2; exit 255', 2,
             ("web: Permission denied", "(publickey).", "ended with exit code 255")),
            ("exit 127", 2, ("no tnav in its PATH", "TNAV_REMOTE")),
            ('echo "Welcome to web"; exec sleep 60', 2, ("is no trace", "Welcome")),
            ("printf Net; exit 0", 2, ("ended with exit code 0",)),
            ("kill -9 $$", 2, ("was ended by signal 9",))):
        host = Host(scratch, before)
        got, said = host.run("record", "-o", "x.nettrace", "web:orders")
        check.equal(f"{before}: exit code ({said!r})", got, code)
        for text in texts:
            check.true(f"{before}: {said!r} has {text!r}", text in said)
        check.true(f"{before}: cleaned", "\x1b" not in said)
        check.true(f"{before}: no file", not os.path.exists(os.path.join(host.folder, "x.nettrace")))
    host = Host(scratch)
    host.env["TNAV_SSH"] = "/nonexistent/ssh"
    got, said = host.run("record", "-o", "x.nettrace", "web:orders")
    check.true(f"no ssh: {said!r}", got == 2 and "/nonexistent/ssh" in said and "cannot be started" in said)


def main():
    check.need_tnav()
    with tempfile.TemporaryDirectory() as scratch:
        for f in (check_refused, check_host, check_words, check_record, check_diagnose, check_hang_up, check_failures):
            f(scratch)
        if screen.available():
            for f in (check_attach, check_several, check_password, check_cut):
                f(scratch)
    check.finish(90)


if __name__ == "__main__":
    main()
