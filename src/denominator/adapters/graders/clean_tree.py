"""The clean-tree grader: fresh sandboxes, hidden tests of the pack, our own runner, a report that leaves by pipe."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from denominator.adapters.graders import beside
from denominator.adapters.graders.decide import Decision, Expectation, decide
from denominator.adapters.graders.inverted import make_counter_tests
from denominator.adapters.graders.kits import kit
from denominator.adapters.graders.own_files import digest_of, hidden_files, own_files
from denominator.adapters.graders.reports import KINDS
from denominator.adapters.graders.sentinels import Pick, Sentinel, make_sentinels
from denominator.adapters.graders.staging import make_job, stage
from denominator.errors import InputError
from denominator.ports import Ended, Graded, GradeOrder, Sandbox, Stop
from denominator.wire.scratch import scratch_folder

RUNNERS = ("unittest", "pytest", "command")
BEST_LEVEL = {"unittest": "G3", "pytest": "G2", "command": "G1"}


class CleanTree:
    """Grades at G1 to G3. At G3 tests and solution are in two sandboxes; the tests are only in a process's memory."""

    name = "clean_tree"

    def __init__(self, pick: Pick = secrets.randbelow) -> None:
        self._pick = pick

    def digest(self) -> str:
        """sha256 over every file that decides: kit, readers of reports, decision and this module."""
        return digest_of(own_files())

    def grade(self, order: GradeOrder, sandbox: Sandbox, stop: Stop | None = None) -> Graded:
        """One grading in a fresh sandbox under the grader's role; at G3 the solution has another one beside it."""
        verify = order.task.verify
        if verify.runner not in RUNNERS:
            raise InputError(f"unknown runner {verify.runner!r}", where=order.task.id, fix=f"use one of {RUNNERS}")
        if verify.report and verify.report not in KINDS:
            raise InputError(f"unknown report {verify.report!r}", where=order.task.id, fix=f"use one of {KINDS}")
        files, hidden = own_files(), hidden_files(order.hidden)  # read once: what is hashed is what is used
        sentinels, generated = self._sentinels(order, hidden), self._generated(order, hidden)
        expect = _expectation(order, sentinels, generated)
        tests = {**hidden, **{one.path: one.data for one in (*sentinels, *generated)}}
        with scratch_folder("grading") as folder:
            ended, solution = _run(folder, kit(files), order, tests, expect, sandbox, stop)
        return _graded(expect, decide(expect, ended, solution), ended, digest_of(files))

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


def _run(
    folder: Path,
    shown: Path,
    order: GradeOrder,
    tests: Mapping[str, bytes],
    expect: Expectation,
    sandbox: Sandbox,
    stop: Stop | None,
) -> tuple[Ended, Ended | None]:
    """How the grading ended, and at G3 how the solution's sandbox did."""
    mounts = stage(folder, shown, order, tests, expect.level)
    job = make_job(order, mounts, tests, expect.level, expect.nonce)
    if expect.level != "G3":
        return sandbox.run(job, stop), None
    solution, door = beside.stage(folder, shown, order, sandbox)
    return beside.run_pair(sandbox, replace(job, mounts=(*mounts, door)), solution, stop)


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
