"""The solution's side of the door: starts a fresh process for each session, and ends it when it is told to.

`main.py door SOCKET GRADED WORK` connects, says that it is there, and copies the graded tree to where it runs;
`main.py local FD` serves the tests of its own sandbox. Nothing of the solution runs before the first `new`, and what
runs then can reach this process: the tests believe nothing that comes from here but its first word.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import socket
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
PATIENCE_S = 60.0
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TZ": "UTC", "COLUMNS": "80", "NO_COLOR": "1"}
HELLO = b"here"


def own(name: str) -> Any:
    """A module of ours, taken out of reach of an `import` in the solution once loaded."""
    sys.path.insert(0, HERE)
    found = importlib.import_module(name)
    sys.path.remove(HERE)
    del sys.modules[name]
    return found


class Side:
    """The processes of the open sessions by number. `work` is the solution's folder, or "" where each session says it."""

    def __init__(self, control: socket.socket, work: str, trouble: str) -> None:
        self.control, self.work, self.trouble = control, work, trouble
        serve = own("serve")
        self.serve, self.rehearse = (
            serve.serve,
            serve.rehearse,
        )  # the one that most sessions want; the others are loaded where they are
        self.scratch = os.environ.get("TMPDIR") or "/tmp"
        os.environ.clear()
        os.environ.update(ENVIRONMENT)
        self.children: dict[str, tuple[Any, str]] = {}
        self.fork = own("spare").Spare
        self.spare = self.ahead()

    def run(self) -> None:
        """Do as told until the other end is gone."""
        while True:
            data, fds, _, _ = socket.recv_fds(self.control, 64, 1, socket.MSG_CMSG_CLOEXEC)
            word, _, number = data.decode().partition(" ")
            if word == "new" and fds:
                self.start(number, fds[0])
            elif word == "kill":
                self.end(number)
            else:
                break
        for number in list(self.children):
            self.end(number)
        if self.spare:
            self.spare.end()

    def start(self, number: str, fd: int) -> None:
        """Hand the session to the process that waits for one, and have another one wait while it is at work."""
        folder = os.path.join(self.scratch, f"sut-{os.getpid()}-{number}")
        spare = self.spare or self.fork(self.control, self.obey)
        if not spare.hand(fd, folder):
            spare.end()
            spare = self.fork(self.control, self.obey)
            spare.hand(fd, folder)
        os.close(fd)
        self.children[number] = spare, folder
        self.spare = self.ahead()

    def ahead(self) -> Any:
        """A process for the next session; None where no more processes are allowed at the moment."""
        with contextlib.suppress(OSError):
            return self.fork(self.control, self.obey, self.rehearse)
        return None

    def end(self, number: str) -> None:
        if number in self.children:
            process, folder = self.children.pop(number)
            process.end()
            try:
                os.rmdir(folder)
            except OSError:
                remove(folder)

    def obey(self, sock: socket.socket) -> None:
        lines = sock.makefile("rb")
        spec = json.loads(lines.readline() or b"{}")
        kind, work = spec.get("kind", ""), self.work or spec.get("dir", "")
        if self.trouble:
            number = {"id": json.loads(lines.readline())["id"]} if kind == "serve" else {}
            say(sock, {**number, "broken": self.trouble})
        elif kind == "serve":
            prepare(work, spec["site"])
            self.serve(sock, lines)
        elif kind in ("service", "dial"):
            getattr(own("service"), kind)(sock, spec, work)
        elif kind in ("run", "read"):
            say(sock, getattr(own("command"), kind)(spec, work))


def prepare(work: str, site: bool) -> None:
    """The solution's folders come last on the path, so that they shadow nothing."""
    sys.argv = ["solution"]
    if site:
        import site as packages

        packages.main()
    sys.path += [folder for folder in (work, os.path.join(work, "src")) if os.path.isdir(folder)]


def say(sock: socket.socket, answer: dict[str, Any]) -> None:
    with contextlib.suppress(BrokenPipeError):
        sock.sendall(json.dumps(answer).encode() + b"\n")


def remove(folder: str) -> None:
    """What a session left; links are not followed."""
    for parent, folders, names in os.walk(folder, topdown=False):
        for name in (*names, *folders):
            path = os.path.join(parent, name)
            with contextlib.suppress(OSError):
                os.rmdir(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
    with contextlib.suppress(OSError):
        os.rmdir(folder)


def reach(path: str) -> socket.socket:
    """The tests' socket, which may not be there yet."""
    control = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            control.connect(path)
            return control
        except (FileNotFoundError, ConnectionRefusedError, PermissionError):
            if time.monotonic() > deadline:
                raise
            time.sleep(0.002)


def main(mode: str, *words: str) -> None:
    if mode == "local":
        Side(socket.socket(fileno=int(words[0])), "", "").run()
        return
    path, graded, work = words
    control, trouble = reach(path), ""
    control.sendall(HELLO)
    try:
        own("place").copy(graded, work)
    except (OSError, RecursionError) as error:
        trouble = f"the graded tree cannot be copied: {error}"
    Side(control, work, trouble).run()


if __name__ == "__main__":
    main(*sys.argv[1:])
    os._exit(0)  # all is said and ended: what an interpreter does at its end would only take time
