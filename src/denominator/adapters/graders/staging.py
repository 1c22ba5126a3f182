"""What the grader's sandbox shows, and the order that its runner gets on stdin."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from denominator.adapters.graders.beside import DOOR
from denominator.adapters.graders.kits import RUNNER
from denominator.ports import GradeOrder, Job, Mount
from denominator.wire.trees import write_file


def stage(folder: Path, kit: Path, order: GradeOrder, tests: Mapping[str, bytes], level: str) -> list[Mount]:
    """Fresh copies of hidden tests, readable for the grader's uid, and the mounts that show them beside the `kit`.

    Of modules there are only names, of which pytest asks to see files; at G3 there is nothing.
    """
    folder.chmod(0o755)
    mounts = [Mount(host=kit / RUNNER, inside="/kit")]
    if level != "G3":
        mounts.append(Mount(host=order.tree, inside="/graded"))
        (folder / "hidden").mkdir()
        (folder / "hidden").chmod(0o755)
        for path, data in tests.items():
            by_memory = in_memory(order) and path.endswith(".py")
            write_file(folder, f"hidden/{path}", b"" if by_memory else data, 0o644)
        mounts.append(Mount(host=folder / "hidden", inside="/hidden"))
    if order.site and order.task.verify.runner == "pytest":
        mounts.append(Mount(host=Path(order.site), inside="/site"))
    return mounts


def in_memory(order: GradeOrder) -> bool:
    """Does the runner import hidden modules itself? A command reads them from the folder."""
    return order.task.verify.runner != "command"


def make_job(order: GradeOrder, mounts: Sequence[Mount], tests: Mapping[str, bytes], level: str, nonce: str) -> Job:
    """The runner's job. The modules of tests go with its order, into memory; at G3 their data too."""
    verify = order.task.verify
    files = {p: data for p, data in tests.items() if in_memory(order) and (level == "G3" or p.endswith(".py"))}
    message = {
        "nonce": nonce,
        "runner": verify.runner,
        "level": level,
        "graded": "/graded",
        "work": "/work",
        "hidden": "/hidden",
        "kit": "/kit/lib",
        "ini": "/kit/pytest.ini",
        "site": "/site" if order.site else "",
        "command": verify.command,
        "report": verify.report,
        "service": verify.service,
        "door": DOOR if level == "G3" else "",
        "files": {path: base64.b64encode(data).decode() for path, data in files.items()},
    }
    return Job(
        argv=(order.python, "-I", "-B", "-X", "utf8", "/kit/run.py"),
        role="grader",
        slot=order.slot,
        limits=replace(order.limits, wall_s=min(order.limits.wall_s, verify.timeout_s)),
        mounts=mounts,
        stdin=json.dumps(message).encode(),
        report=True,
    )
