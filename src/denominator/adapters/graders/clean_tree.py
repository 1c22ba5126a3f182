"""The clean-tree grader: one fresh sandbox, hidden tests of the pack, our own runner, a report that leaves by pipe."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from denominator.adapters.graders import beside
from denominator.adapters.graders.bytecode import write_module
from denominator.adapters.graders.decide import Decision, Expectation, decide
from denominator.adapters.graders.inverted import make_counter_tests
from denominator.adapters.graders.reports import KINDS
from denominator.adapters.graders.sentinels import Pick, Sentinel, make_sentinels
from denominator.errors import InputError
from denominator.ports import Ended, Graded, GradeOrder, Job, Mount, Sandbox, Stop
from denominator.readers import runners
from denominator.wire.trees import read_file, read_tree, write_file

HERE = Path(__file__).parent
READERS = Path(runners.__file__).parent
READERS_USED = ("formats/", "shape.py", "tally.py", "texts.py")
RUNNERS = ("unittest", "pytest", "command")
BEST_LEVEL = {"unittest": "G3", "pytest": "G2", "command": "G1"}


class CleanTree:
    """Grades at G1 to G3. At G3 tests and solution are in two sandboxes; the tests are only in a process's memory."""

    name = "clean_tree"

    def __init__(self, pick: Pick = secrets.randbelow) -> None:
        self._pick = pick

    def digest(self) -> str:
        """sha256 over every file that decides: kit, readers of reports, decision and this module."""
        return _digest(_files())

    def grade(self, order: GradeOrder, sandbox: Sandbox, stop: Stop | None = None) -> Graded:
        """One grading in a fresh sandbox under the grader's role; at G3 the solution has another one beside it."""
        verify = order.task.verify
        if verify.runner not in RUNNERS:
            raise InputError(f"unknown runner {verify.runner!r}", where=order.task.id, fix=f"use one of {RUNNERS}")
        if verify.report and verify.report not in KINDS:
            raise InputError(f"unknown report {verify.report!r}", where=order.task.id, fix=f"use one of {KINDS}")
        files = _files()  # read once: what is hashed is what is used
        hidden = _hidden(order.hidden)
        sentinels = self._sentinels(order, hidden)
        generated = self._generated(order, hidden)
        expect = _expectation(order, sentinels, generated)
        folder = Path(tempfile.mkdtemp(prefix="grading-"))
        try:
            made = (*sentinels, *generated)
            mounts = _stage(folder, files, order, hidden, made, expect.level)
            ended, solution = self._run(folder, files, order, _job(order, expect, mounts, hidden, made), sandbox, stop)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
        return _graded(expect, decide(expect, ended, solution), ended, _digest(files))

    def _run(
        self,
        folder: Path,
        files: Mapping[str, bytes],
        order: GradeOrder,
        job: Job,
        sandbox: Sandbox,
        stop: Stop | None,
    ) -> tuple[Ended, Ended | None]:
        if json.loads(job.stdin)["level"] != "G3":
            return sandbox.run(job, stop), None
        solution, door = beside.stage(folder, files, order, sandbox)
        return beside.run_pair(sandbox, replace(job, mounts=(*job.mounts, door)), solution, stop)

    def _sentinels(self, order: GradeOrder, hidden: Mapping[str, bytes]) -> tuple[Sentinel, ...]:
        verify = order.task.verify
        if verify.runner == "command":
            return ()
        return make_sentinels(verify.runner, hidden, verify.expected_tests, self._pick)

    def _generated(self, order: GradeOrder, hidden: Mapping[str, bytes]) -> tuple[Sentinel, ...]:
        verify = order.task.verify
        if verify.runner == "command" or not verify.generated_counter_tests:
            return ()
        return make_counter_tests(verify.runner, hidden, verify.expected_tests, self._pick)


def _digest(files: Mapping[str, bytes]) -> str:
    both = {**files, **_readers()}
    lines = [f"{hashlib.sha256(data).hexdigest()}  {path}\n" for path, data in sorted(both.items())]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def _files() -> dict[str, bytes]:
    """The grader's own files by relative path."""
    return _below(HERE)


def _readers() -> dict[str, bytes]:
    """The files of the shared report readers that a grading uses."""
    found = _below(READERS)
    return {f"readers/{path}": data for path, data in found.items() if path.startswith(READERS_USED)}


def _below(root: Path) -> dict[str, bytes]:
    """The files of a folder of ours by relative path (bytecode left out)."""
    tree = read_tree(root, trusted=True)
    paths = [entry.path for entry in tree.entries if entry.kind == "file" and "__pycache__" not in entry.path]
    return {path: read_file(root, path) for path in paths}


def _hidden(root: Path) -> dict[str, bytes]:
    """The hidden folder's files, read once: what is checked is what is used. A task without hidden files may lack it."""
    if not root.is_dir():
        return {}
    tree = read_tree(root, trusted=True)
    odd = [*(r.path for r in tree.refused), *(e.path for e in tree.entries if e.kind != "file")]
    if odd:
        raise InputError("is no regular file that can be read", where=f"{root}/{odd[0]}", fix="remove it from the pack")
    return {entry.path: read_file(root, entry.path) for entry in tree.entries if "__pycache__" not in entry.path}


def _expectation(order: GradeOrder, sentinels: tuple[Sentinel, ...], generated: tuple[Sentinel, ...]) -> Expectation:
    verify = order.task.verify
    return Expectation(
        expected=verify.expected_tests,
        counter=(*verify.counter_tests, *(one.id for one in generated)),
        sentinels=tuple(sentinel.id for sentinel in sentinels),
        nonce=order.nonce or secrets.token_hex(16),
        level=min(verify.level, BEST_LEVEL[verify.runner]),
        exit_code_only=verify.runner == "command" and not verify.report and not verify.expected_tests,
    )


def _stage(
    folder: Path,
    files: Mapping[str, bytes],
    order: GradeOrder,
    hidden: Mapping[str, bytes],
    sentinels: tuple[Sentinel, ...],
    level: str,
) -> list[Mount]:
    """Fresh copies of kit and hidden tests, readable for the grader's uid, and the mounts that show them."""
    folder.chmod(0o755)
    for path, data in files.items():
        inside = path.removeprefix("kit/")
        if inside != path:
            inside = f"kit/lib/{inside}" if inside.startswith("sut/") else f"kit/{inside}"
            write_module(folder, inside, f"/{inside}", data)
    mounts = [Mount(host=folder / "kit", inside="/kit")]
    if level != "G3":
        mounts.append(Mount(host=order.tree, inside="/graded"))
        (folder / "hidden").mkdir()
        (folder / "hidden").chmod(0o755)
        for path, data in {**hidden, **{s.path: s.data for s in sentinels}}.items():
            write_file(folder, f"hidden/{path}", data, 0o644)
        mounts.append(Mount(host=folder / "hidden", inside="/hidden"))
    if order.site and order.task.verify.runner == "pytest":
        mounts.append(Mount(host=Path(order.site), inside="/site"))
    return mounts


def _job(
    order: GradeOrder,
    expect: Expectation,
    mounts: list[Mount],
    hidden: Mapping[str, bytes],
    sentinels: tuple[Sentinel, ...],
) -> Job:
    verify = order.task.verify
    files = {**hidden, **{s.path: s.data for s in sentinels}} if expect.level == "G3" else {}
    message = {
        "nonce": expect.nonce,
        "runner": verify.runner,
        "level": expect.level,
        "graded": "/graded",
        "work": "/work",
        "hidden": "/hidden",
        "kit": "/kit/lib",
        "ini": "/kit/pytest.ini",
        "site": "/site" if order.site else "",
        "command": verify.command,
        "report": verify.report,
        "service": verify.service,
        "door": beside.DOOR if expect.level == "G3" else "",
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


def _graded(expect: Expectation, decision: Decision, ended: Ended, grader_sha: str) -> Graded:
    return Graded(
        grade=decision.grade,
        why=decision.why,
        level=expect.level,
        stage=decision.stage,
        expected=expect.expected,
        passed=decision.passed,
        failed=decision.failed,
        skipped=decision.skipped,
        missing=decision.missing,
        other=decision.other,
        sentinels_expected=len(expect.sentinels),
        sentinels_failed=decision.sentinels_failed,
        counter_expected=len(expect.counter),
        counter_failed=decision.counter_failed,
        grader_sha=grader_sha,
        report=ended.report,
        ended=ended,
        solution_caused=decision.solution_caused,
        broken=decision.broken,
    )
