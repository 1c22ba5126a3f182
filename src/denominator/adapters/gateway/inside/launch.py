"""Gives an agent its model at a loopback address and runs it. Runs inside the sandbox, as the sandbox's command.

`launch.py SOCKET -- COMMAND...`: listens on a free port of 127.0.0.1, passes every connection on to the unix socket,
puts the address in the place of the marks in command and environment, runs the command as its child, passes signals on,
and ends as it ended: same exit code, or the same signal. When nobody listens at the socket any more, each request is
answered with 503 and a body in the providers' shape; the agent is not ended for it.
"""

from __future__ import annotations

import contextlib
import os
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
# The harness's pipe, if it gave one: it belongs to the command, which says on it whether the agent was found.
REPORT = 3
PASSED_ON = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGUSR1, signal.SIGUSR2)


def main(argv: list[str]) -> int:
    """Starts the forwarder, runs the agent, returns its exit code."""
    path, command = argv[1], argv[3:]
    # Asked before anything is opened, because what we open first would take its number.
    report = (REPORT,) if _is_open(REPORT) else ()
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    root = f"http://127.0.0.1:{listener.getsockname()[1]}"
    threading.Thread(target=_accept, args=(listener, path), daemon=True).start()
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


def _accept(listener: socket.socket, path: str) -> None:
    while True:
        client, _ = listener.accept()
        threading.Thread(target=_serve, args=(client, path), daemon=True).start()


def _serve(client: socket.socket, path: str) -> None:
    relay = socket.socket(socket.AF_UNIX)
    with client, relay:
        try:
            relay.connect(path)
        except OSError:
            _refuse(client)
            return
        back = threading.Thread(target=_pump, args=(relay, client), daemon=True)
        back.start()
        _pump(client, relay)
        back.join()


def _refuse(client: socket.socket) -> None:
    try:
        client.settimeout(5)
        client.recv(65536)
        client.sendall(GONE)
        client.shutdown(socket.SHUT_WR)
        # Closing with unread bytes would reset the connection before the answer is read.
        while client.recv(65536):
            pass
    except OSError:
        pass


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end, how in ((target, socket.SHUT_WR), (source, socket.SHUT_RD)):
        with contextlib.suppress(OSError):
            end.shutdown(how)


if __name__ == "__main__":
    sys.exit(main(sys.argv))
