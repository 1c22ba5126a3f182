"""Did a verdict come into being in a foreign row? Its verifier must have finished, counted every test, and agree with itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from denominator.importers.columns import Cells
from denominator.importers.values import BadValueError, count


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
    counts = _counts(cells.table("verify_report"))
    if counts is None:
        return Verdict(green)
    expected, passed, failed = counts
    if failed > 0 if green else passed == expected:
        return Verdict(disagrees=True)
    return Verdict(green) if passed + failed == expected else NO_VERDICT


def _says_green(cells: Cells) -> bool | None:
    exit_code, after, reward = cells.number("exit_code"), cells.flag("tests_after_pass"), cells.known.get("reward")
    if after is not None:
        return after
    if exit_code is not None:
        return exit_code == 0
    return None if reward is None else reward == 1


def _counts(report: Mapping[str, object]) -> tuple[int, int, int] | None:
    """Expected, passed, failed; nothing when the report does not hold all three as counts."""
    try:
        return count(report.get("expected")), count(report.get("passed")), count(report.get("failed"))
    except BadValueError:
        return None
