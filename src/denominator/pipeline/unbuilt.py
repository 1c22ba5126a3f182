"""Did the solution not even compile? For gradings of ours whose hidden tests load the solution only when they call it.

Such tests are collected whatever the patch holds, and code that does not compile shows as many failed tests. So where no
expected test passed, each Python file of the patch is read with the grammar of the sandbox's own Python.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable

from denominator.pipeline.surfaces import python_of
from denominator.pipeline.world import OpenRun
from denominator.ports import Graded
from denominator.records.events import Json
from denominator.records.packs import Task
from denominator.records.trees import Change, Patch
from denominator.records.words import Grade, RunnerEnding
from denominator.run.paths import kept

BYTES_MAX = 1_000_000


def unbuilt_facts(run: OpenRun, task: Task, patch: Patch, graded: Graded) -> dict[str, Json]:
    """runner_ending, runner_why and runner_blames_patch of a solution that does not compile; else nothing."""
    if graded.grade != Grade.RED or graded.passed or not graded.failed:
        return {}
    found = broken_file([one for one in patch.changes if kept(task, one)], run.blobs.get, python_of(run.seal))
    if not found:
        return {}
    why = f"no expected test passed, and the patch does not compile: {found}"
    return {"runner_ending": str(RunnerEnding.BUILD_FAILED), "runner_why": why, "runner_blames_patch": True}


def broken_file(changes: list[Change], read: Callable[[str], bytes], python: str) -> str:
    """The first Python file among these that does not parse, with its line. Nothing where our grammar is the older one."""
    version = tuple(int(part) for part in python.split(".")[:2] if part.isdigit())
    if len(version) != 2 or version[0] != 3 or version > sys.version_info[:2]:
        return ""
    written = (c for c in changes if c.op in ("add", "modify", "retype") and c.kind == "file" and c.size <= BYTES_MAX)
    for change in sorted((c for c in written if c.path.endswith(".py")), key=lambda c: c.path):
        line = _broken_line(read(change.blob), version[1])
        if line:
            return f"{change.path}, line {line}"
    return ""


def _broken_line(source: bytes, minor: int) -> int:
    """The line at which it does not parse, or 0; what cannot be read at all, or is too deep to tell, is 0 too."""
    try:
        ast.parse(source, feature_version=(3, minor))
    except SyntaxError as error:
        return error.lineno or 1
    except (ValueError, RecursionError, MemoryError):
        return 0
    return 0
