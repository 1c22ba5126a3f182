"""Runs a shell command of the pack; its report file has a name that nobody knows before. Never better than level G1."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import tempfile

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

REPORT_BYTES_MAX = 8 << 20


def prepare(order: Mapping[str, Any], tests: Mapping[str, bytes]) -> None:
    """Nothing to load: the command is the pack's own."""


def run(order: Mapping[str, Any], paths: Sequence[str], channel: Any) -> int:
    folder = tempfile.mkdtemp(prefix="report-")
    report = os.path.join(folder, "report")
    env = {**os.environ, "REPORT": report, "HIDDEN": order["hidden"], "SUT_DIR": order["work"]}
    with subprocess.Popen(
        ["/bin/sh", "-c", order["command"]], env=env, stdin=subprocess.DEVNULL, start_new_session=True
    ) as process:
        code = process.wait()
        kill_group(process.pid)
    if order["report"]:
        channel.send("report", format=order["report"], data=base64.b64encode(read(report)).decode())
    return code if 0 <= code < 128 else 127


def kill_group(pid: int) -> None:
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def read(path: str) -> bytes:
    """The report's bytes, or nothing where there is none, or a link, or too much."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with open(fd, "rb") as file:
        data = file.read(REPORT_BYTES_MAX + 1)
    return data if len(data) <= REPORT_BYTES_MAX else b""
