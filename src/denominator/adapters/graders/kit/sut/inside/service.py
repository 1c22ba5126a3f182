"""A service of the solution on this side's own loopback, and connections to it."""

from __future__ import annotations

import json
import os
import select
import socket
import subprocess

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def service(sock: socket.socket, spec: dict[str, Any], work: str) -> None:
    """Start the command with `$PORT`, say the port, and later how the command ended, should it end first."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    env = {**os.environ, **spec["env"], "PORT": str(port), "PYTHONDONTWRITEBYTECODE": "1"}
    with subprocess.Popen(["/bin/sh", "-c", spec["command"]], cwd=work, env=env) as process:
        say(sock, {"port": port})
        say(sock, {"ended": process.wait()})


def dial(sock: socket.socket, spec: dict[str, Any], work: str) -> None:
    """Connect, say whether it went well, then carry bytes both ways until one side has no more."""
    try:
        there = socket.create_connection(("127.0.0.1", spec["port"]), 5.0)
    except OSError as error:
        return say(sock, {"refused": str(error)})
    there.settimeout(None)
    say(sock, {"connected": True})
    ends = {sock: there, there: sock}
    while True:
        for one in select.select(list(ends), [], [])[0]:
            data = one.recv(65536)
            if not data:
                return None
            ends[one].sendall(data)


def say(sock: socket.socket, answer: dict[str, Any]) -> None:
    sock.sendall(json.dumps(answer).encode() + b"\n")
