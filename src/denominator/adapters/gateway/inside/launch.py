"""Gives an agent its model at a loopback address and runs it. Runs inside the sandbox, as the sandbox's command.

`launch.py SOCKET -- COMMAND...`: listens on a free port of 127.0.0.1, passes every connection on to the unix socket,
puts the address in the place of the marks in command and environment, runs the command as its child, passes signals on,
and ends as it ended: same exit code, or the same signal. When nobody listens at the socket any more, each request is
answered with 503 and a body in the providers' shape; the agent is not ended for it.
"""

from __future__ import annotations

import contextlib
import os
import resource
import selectors
import signal
import socket
import subprocess
import sys
import threading

URL_MARK = "@DENOMINATOR_MODEL_URL@"
ROOT_MARK = "@DENOMINATOR_MODEL_ROOT@"
_BODY = b'{"error":{"message":"the model relay is gone","type":"relay_unavailable","code":"relay_unavailable"}}'
GONE = (
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "
    + str(len(_BODY)).encode()
    + b"\r\n\r\n"
    + _BODY
)
CHUNK = 65536
# Bytes on their way in one direction; past it the sender has to wait.
HELD_MAX = 4 * CHUNK
# How long to wait where the other side's queue, or our table of open files, is full for a moment.
AGAIN_S = 0.02
BACKLOG = 1024
# The harness's pipe, if it gave one: it belongs to the command, which says on it whether the agent was found.
REPORT = 3
PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def main(argv: list[str]) -> int:
    """Starts the forwarder, runs the agent, returns its exit code."""
    path, command = argv[1], argv[3:]
    # Asked before anything is opened, because what we open first would take its number.
    report = (REPORT,) if _is_open(REPORT) else ()
    listener = socket.create_server(("127.0.0.1", 0), backlog=BACKLOG)
    root = f"http://127.0.0.1:{listener.getsockname()[1]}"
    threading.Thread(target=Forwarder(listener, path).run, daemon=True).start()
    environment = {name: _fill(value, root) for name, value in os.environ.items()}
    environment["DENOMINATOR_MODEL_URL"] = f"{root}/v1"
    return _run([_fill(part, root) for part in command], environment, report)


def _fill(text: str, root: str) -> str:
    return text.replace(URL_MARK, f"{root}/v1").replace(ROOT_MARK, root)


def _run(command: list[str], environment: dict[str, str], report: tuple[int, ...]) -> int:
    # The handlers are there before the agent is, so that no signal can end us and leave it behind.
    children: list[subprocess.Popen[bytes]] = []
    early: list[int] = []
    for number in PASSED_ON:
        signal.signal(number, lambda got, _: children[0].send_signal(got) if children else early.append(got))
    try:
        child = subprocess.Popen(command, env=environment, pass_fds=report)
    except OSError as error:
        # The shell's codes: 127 not found, 126 found but not to be run.
        print(f"launch: {command[0]}: {error.strerror}", file=sys.stderr)
        return 127 if isinstance(error, FileNotFoundError) else 126
    for descriptor in report:
        os.close(descriptor)
    # Two open files a stream; raised for us only, the command has started with what it was given.
    with contextlib.suppress(OSError, ValueError):
        hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    children.append(child)
    for missed in early:
        child.send_signal(missed)
    code = child.wait()
    if code >= 0:
        return code
    if -code != signal.SIGKILL:
        signal.signal(-code, signal.SIG_DFL)
    os.kill(os.getpid(), -code)
    # Process 1 of a namespace cannot be killed by its own signal; then the shell's convention says it.
    return 128 - code


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


class Flow:
    """One direction of a connection."""

    def __init__(self, source: socket.socket, target: socket.socket) -> None:
        self.source, self.target = source, target
        self.held = bytearray()
        self.ended = False
        self.done = False

    @property
    def reads(self) -> bool:
        """Is there room for more?"""
        return not self.ended and len(self.held) < HELD_MAX

    def read(self) -> None:
        """Takes what is there."""
        try:
            data = self.source.recv(CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        self.held += data
        self.ended = not data

    def write(self) -> None:
        """Passes on what can be passed on; the end comes behind the last byte."""
        try:
            while self.held:
                del self.held[: self.target.send(self.held)]
        except BlockingIOError:
            return
        except OSError:
            # Nobody takes it any more, so whoever sends it learns that.
            self.held.clear()
            self.ended = True
            _shut(self.source, socket.SHUT_RD)
        if self.ended and not self.done:
            self.done = True
            _shut(self.target, socket.SHUT_WR)


class Refusal(Flow):
    """Answers the first bytes of a request with `GONE`; what follows is read and forgotten, for closing over it resets."""

    def __init__(self, client: socket.socket) -> None:
        super().__init__(client, client)
        self._said = False

    def read(self) -> None:
        """The answer follows the first bytes."""
        super().read()
        self.held[:] = b"" if self._said or not self.held else GONE
        self._said = self._said or bool(self.held)

    def write(self) -> None:
        """Says that no more comes, right after the answer."""
        super().write()
        if self._said and not self.held:
            _shut(self.target, socket.SHUT_WR)


def _shut(end: socket.socket, how: int) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(how)


class Forwarder:
    """Every connection of the agent, to the unix socket and back, on one thread."""

    def __init__(self, listener: socket.socket, path: str) -> None:
        self._listener, self._path = listener, path
        self._selector = selectors.DefaultSelector()
        self._masks: dict[socket.socket, int] = {}
        self._flows: dict[socket.socket, list[Flow]] = {}
        self._waiting: list[socket.socket] = []
        listener.setblocking(False)

    def run(self) -> None:
        """Without end."""
        self._selector.register(self._listener, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select(AGAIN_S if self._waiting else None):
                if key.fileobj is self._listener:
                    self._accept()
                elif key.fileobj in self._flows:
                    self._step(self._flows[key.fileobj], key.fileobj)
            waiting, self._waiting = self._waiting, []
            for client in waiting:
                self._connect(client)

    def _accept(self) -> None:
        try:
            client, _ = self._listener.accept()
        except BlockingIOError:
            return
        except OSError:
            # Too many open files: streams that end make room.
            threading.Event().wait(AGAIN_S)
            return
        client.setblocking(False)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Without a file for the other side it waits its turn too.
        self._waiting.append(client)

    def _connect(self, client: socket.socket) -> None:
        try:
            relay = socket.socket(socket.AF_UNIX)
        except OSError:
            self._waiting.append(client)
            return
        relay.setblocking(False)
        try:
            relay.connect(self._path)
        except BlockingIOError:
            relay.close()
            self._waiting.append(client)
            return
        except OSError:
            relay.close()
            flows: list[Flow] = [Refusal(client)]
        else:
            flows = [Flow(client, relay), Flow(relay, client)]
        for flow in flows:
            self._flows[flow.source] = flows
        self._watch(flows)

    def _step(self, flows: list[Flow], ready: socket.socket) -> None:
        """Moves what can be moved; a socket that says more than it was asked is tried once."""
        for flow in flows:
            if flow.source is ready and flow.reads:
                flow.read()
            flow.write()
        if all(flow.done for flow in flows):
            self._end(flows)
        else:
            self._watch(flows)

    def _watch(self, flows: list[Flow]) -> None:
        wanted: dict[socket.socket, int] = {}
        for flow in flows:
            wanted[flow.source] = wanted.get(flow.source, 0) | (selectors.EVENT_READ if flow.reads else 0)
            wanted[flow.target] = wanted.get(flow.target, 0) | (selectors.EVENT_WRITE if flow.held else 0)
        for end, mask in wanted.items():
            self._listen(end, mask)

    def _listen(self, end: socket.socket, mask: int) -> None:
        have = self._masks.get(end, 0)
        if mask == have:
            return
        if not have:
            self._selector.register(end, mask)
        elif not mask:
            self._selector.unregister(end)
        else:
            self._selector.modify(end, mask)
        self._masks[end] = mask

    def _end(self, flows: list[Flow]) -> None:
        for end in {end for flow in flows for end in (flow.source, flow.target)}:
            self._listen(end, 0)
            self._masks.pop(end, None)
            self._flows.pop(end, None)
            end.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv))
