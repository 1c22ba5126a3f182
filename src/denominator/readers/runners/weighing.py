"""What a report adds up to: how much is bad and of which kind, and whether a clean one proves a pass."""

from __future__ import annotations

from denominator.readers.runners.kinds.shape import Runner
from denominator.readers.runners.shape import ERROR, FAILED, PASSED, WORST_FIRST, Report, ReportedIds, RunnerInput
from denominator.records.values import NotMeasured


def cases_in(report: Report | None) -> int:
    """How many tests are reported, whatever their result."""
    return 0 if report is None else sum(report.numbers.get(word, 0) for word in WORST_FIRST)


def bad_in(report: Report) -> int:
    """How many bad things are shown, in tests and outside them."""
    return sum(report.kinds.values())


def errors_in(report: Report) -> int:
    """How many things broke outside a test's own body."""
    return report.numbers.get(ERROR, 0) + sum(report.kinds.get(kind, 0) for kind in ("collection", "build"))


def kinds_of(report: Report, runner: Runner) -> dict[str, int]:
    """Bad cases by kind; what no report explains is what this runner's errors usually are."""
    kinds = dict(report.kinds)
    unsaid = kinds.pop("unsaid", 0)
    if unsaid:
        known = runner.name != "command" and not report.counts_only
        kind = runner.errors_are if known else "setup"
        kinds[kind] = kinds.get(kind, 0) + unsaid
    return kinds


def only_flaky(report: Report) -> bool:
    """Is every bad result one of an id that also has a good one?"""
    bad = [id_ for id_, word in report.words.items() if word in (FAILED, ERROR)]
    outside = sum(report.kinds.get(kind, 0) for kind in ("build", "internal"))
    return bool(bad) and not outside and set(bad) <= set(report.flaky)


def expected_n(given: RunnerInput) -> int | NotMeasured:
    """How many tests were expected, by the first account that says so."""
    if given.expected:
        return len(set(given.expected))
    if isinstance(given.expected_n, int):
        return given.expected_n
    if not isinstance(given.counts, NotMeasured) and isinstance(given.counts.expected, int):
        return given.counts.expected
    return NotMeasured("not told")


def unproved(given: RunnerInput, report: Report, ids: ReportedIds) -> str:
    """Why a clean report does not prove a pass; "" when it does."""
    if report.flaky:
        return f"{len(report.flaky)} tests were run again or reported with several results, {report.flaky[0]} first"
    if given.expected and not report.counts_only:
        short = (*ids.missing, *ids.skipped, *ids.xfailed, *ids.xpassed, *ids.failed, *ids.error)
        if short:
            how = "are not reported" if ids.missing else "did not pass"
            return f"{len(short)} of {len(set(given.expected))} expected tests {how}, {short[0]} first"
        return ""
    wanted = expected_n(given)
    if isinstance(wanted, NotMeasured):
        return "it is not known which tests were expected"
    passed = report.numbers.get(PASSED, 0)
    if wanted < 1:
        return "no test was expected, so nothing is proved"
    return "" if passed == wanted else f"{passed} tests passed where {wanted} were expected"
