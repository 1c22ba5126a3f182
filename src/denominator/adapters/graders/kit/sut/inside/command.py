"""Runs one command of the solution and says what it left: status, output, files. Caps hold here and on the other side."""

from __future__ import annotations

import base64
import os
import select
import stat
import subprocess
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

BYTES_MAX = 1_000_000
FILES_MAX = 200
BECOME = os.path.join(os.path.dirname(os.path.abspath(__file__)), "become.py")


class BrokenError(Exception):
    """What cannot be handed over."""


def run(spec: dict[str, Any], work: str) -> dict[str, Any]:
    """The command runs in the current folder; anything above a cap is an answer `broken`."""
    here = os.getcwd()
    try:
        put(spec["files"])
        code, out, err = execute(spec, work)
        left = collect(here)
        data = {name: coded(one(here, name)) for name in spec["keep"]}
    except BrokenError as error:
        return {"broken": str(error)}
    return {"code": code, "stdout": coded(out), "stderr": coded(err), "files": left, "data": data}


def read(spec: dict[str, Any], work: str) -> dict[str, Any]:
    """Files of the solution's tree."""
    try:
        return {"data": {name: coded(one(work, name)) for name in spec["keep"]}}
    except BrokenError as error:
        return {"broken": str(error)}


def execute(spec: dict[str, Any], work: str) -> tuple[int, bytes, bytes]:
    site = [] if spec["site"] else ["-S"]  # no package of the machine hides one of the solution, and a start is quicker
    with subprocess.Popen(
        [sys.executable, "-I", *site, "-B", "-X", "utf8", BECOME, work, *spec["argv"]],
        env={**os.environ, **spec["env"]},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin and process.stdout and process.stderr
        given = os.dup(process.stdin.fileno())
        process.stdin.close()
        heard = talk(given, base64.b64decode(spec["stdin"]), process.stdout.fileno(), process.stderr.fileno())
        return process.wait(), *heard


def talk(to_child: int, data: bytes, out: int, err: int) -> tuple[bytes, bytes]:
    """Feed and read until both outputs are closed."""
    heard = {out: bytearray(), err: bytearray()}
    poll = select.poll()
    os.set_blocking(to_child, False)
    poll.register(to_child, select.POLLOUT)
    for fd in heard:
        poll.register(fd, select.POLLIN)
    still = set(heard)
    while still:
        for fd, _ in poll.poll():
            if fd == to_child:
                data = fed(fd, data)
                if not data:
                    poll.unregister(fd)
                    os.close(fd)
            elif chunk := os.read(fd, 65536):
                heard[fd] += chunk
                if len(heard[fd]) > BYTES_MAX:
                    raise BrokenError("the command printed too much")
            else:
                poll.unregister(fd)
                still.discard(fd)
    return bytes(heard[out]), bytes(heard[err])


def fed(fd: int, data: bytes) -> bytes:
    try:
        return data[os.write(fd, data[:65536]) :] if data else b""
    except BlockingIOError:
        return data
    except OSError:
        return b""


def put(files: dict[str, str]) -> None:
    for name, text in files.items():
        if os.path.dirname(name):
            os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "wb") as file:
            file.write(base64.b64decode(text))


def collect(root: str) -> dict[str, str]:
    """Every regular file that the command left, by name; too many or too much is broken."""
    found: dict[str, str] = {}
    room = BYTES_MAX
    for parent, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = os.path.join(parent, name)
            info = os.lstat(path)
            if not stat.S_ISREG(info.st_mode):
                continue
            room -= info.st_size
            if room < 0 or len(found) >= FILES_MAX:
                raise BrokenError("the command left too much behind")
            inside = os.path.relpath(path, root)
            if printable(inside):
                found[inside] = coded(one(root, inside))
    return found


def printable(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def one(root: str, name: str) -> bytes:
    """The bytes of one regular file below `root`; links are refused, on the way too."""
    path = os.path.join(root, name)
    if os.path.isabs(name) or os.path.realpath(path) != os.path.join(os.path.realpath(root), os.path.normpath(name)):
        raise BrokenError(f"{name}: a link, or outside")
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise BrokenError(f"{name}: {error.strerror}") from None
    with open(fd, "rb") as file:
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            raise BrokenError(f"{name}: not a regular file")
        data = file.read(BYTES_MAX + 1)
    if len(data) > BYTES_MAX:
        raise BrokenError(f"{name}: too large")
    return data


def coded(data: bytes) -> str:
    return base64.b64encode(data).decode()
