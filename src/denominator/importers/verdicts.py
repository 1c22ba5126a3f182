"""Did a verdict come into being in a foreign row? Its verifier must have finished, counted every test, and agree with itself."""

from __future__ import annotations

from dataclasses import dataclass

from denominator.importers.columns import Cells
from denominator.importers.verifier import ENDED_WITHOUT, counts_of, ending_of
from denominator.records.facts import TestCounts
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the verifier's own numbers say. `green` is None without a finished verdict; `disagrees`: it contradicts itself."""

    green: bool | None = None
    disagrees: bool = False


NO_VERDICT = Verdict()


def verdict_of(cells: Cells) -> Verdict:
    """Tests after the agent, else the verify command's status, else the reward; held against status and report."""
    green, verify = _says_green(cells), cells.table("verify")
    if green is None or verify.get("state") not in (None, "done"):
        return NO_VERDICT
    if 0 in (cells.number("tests_executed"), verify.get("tests_executed"), verify.get("tests_started")):
        return NO_VERDICT
    exit_code = cells.number("exit_code")
    if exit_code is not None and (exit_code == 0) != green:
        return Verdict(disagrees=True)
    ending = ending_of(cells)
    if ending is not None and ending.ending in ENDED_WITHOUT:
        return NO_VERDICT
    if ending is not None and ending.ending == RunnerEnding.DISAGREES:
        return Verdict(disagrees=True)
    return _by_counts(green, counts_of(cells))


def _by_counts(green: bool, counts: TestCounts | None) -> Verdict:
    """The verdict held against the report: it must not deny it, and it must account for every expected test."""
    if counts is None or isinstance(counts.expected, NotMeasured):
        return Verdict(green)
    passed, failed, errors = (_number(one) for one in (counts.passed, counts.failed, counts.errors))
    if failed + errors > 0 if green else passed == counts.expected:
        return Verdict(disagrees=True)
    others = sum(_number(one) for one in (counts.skipped, counts.xfailed, counts.xpassed))
    whole = passed == counts.expected if green else passed + failed + errors + others >= counts.expected
    return Verdict(green) if whole else NO_VERDICT


def _number(count: int | NotMeasured) -> int:
    return 0 if isinstance(count, NotMeasured) else count


def _says_green(cells: Cells) -> bool | None:
    exit_code, after, reward = cells.number("exit_code"), cells.flag("tests_after_pass"), cells.known.get("reward")
    if after is not None:
        return after
    if exit_code is not None:
        return exit_code == 0
    return None if reward is None else reward == 1
