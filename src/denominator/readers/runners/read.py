"""One runner's ending, read: report first, exit status second, text never alone (SIGNATURES, METHODS M0.3)."""

from __future__ import annotations

from denominator.readers.runners.blame import blames_patch
from denominator.readers.runners.conclude import Conclusion, conclude
from denominator.readers.runners.expected import reported_ids
from denominator.readers.runners.formats.counts import from_counts
from denominator.readers.runners.judged import judged_part
from denominator.readers.runners.kinds import runner_of
from denominator.readers.runners.kinds.shape import Runner
from denominator.readers.runners.registry import read_document
from denominator.readers.runners.said import hints
from denominator.readers.runners.shape import (
    ERROR,
    FAILED,
    PASSED,
    SKIPPED,
    XFAILED,
    XPASSED,
    Evidence,
    Report,
    ReportedIds,
    RunnerInput,
    RunnerReading,
)
from denominator.readers.runners.signals import signal_of
from denominator.readers.runners.tally import merged
from denominator.records.facts import TestCounts
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding

EVIDENCE_MAX = 20
QUOTE_MAX = 200


def read_ending(given: RunnerInput) -> RunnerReading:
    """How the runner ended, what it reported, and whether that points at the patch. Never raises for bad bytes."""
    report = read_reports(given)
    runner = runner_of(given.runner or (report.runner if report else ""))
    ids = reported_ids(given, report) if report is not None else ReportedIds(missing=given.expected)
    signal = signal_of(given.exit, given.signal)
    judged = judged_part(given, report, ids) if report is not None else None
    part = (
        conclude(given, runner, None, ids, signal)
        if judged is None
        else conclude(judged.given, runner, judged.report, ids, signal)
    )
    found = _agreed(given, report, part)
    return RunnerReading(
        ending=found.ending,
        why=found.why[:1000],
        runner=given.runner or (report.runner if report else "") or runner.name,
        format=report.format if report else "",
        counts=_counts(given, report, ids),
        ids=ids,
        blames_patch=blames_patch(found.ending, given, runner, found.troubles, found.signal),
        evidence=_evidence(given, runner, found),
    )


def read_reports(given: RunnerInput) -> Report | None:
    """Every document in one normal form; a harness's own numbers where there is none; None where there is nothing."""
    read = [read_document(document, given.format, given.runner) for document in given.reports]
    found = [report for report in read if report is not None]
    if found:
        return merged(found)
    return None if isinstance(given.counts, NotMeasured) else from_counts(given.counts)


def _agreed(given: RunnerInput, report: Report | None, found: Conclusion) -> Conclusion:
    """A harness's own numbers beside a report must not deny it."""
    if report is None or report.counts_only or isinstance(given.counts, NotMeasured):
        return found
    claimed = from_counts(given.counts)
    if claimed is None:
        return found
    bad = bool(sum(report.kinds.values()))
    claims_bad = bool(sum(claimed.kinds.values()))
    claims_good = claimed.numbers.get(PASSED, 0) > 0 and not claims_bad
    if (bad and claims_good) or (claims_bad and not bad and report.numbers.get(PASSED, 0)):
        why = "the harness's own numbers and the report contradict each other"
        return Conclusion(RunnerEnding.DISAGREES, why, found.troubles)
    return found


def _counts(given: RunnerInput, report: Report | None, ids: ReportedIds) -> TestCounts:
    """Counts of the report, without the ids that must fail. What no report says stays unknown."""
    expected: int | NotMeasured = len(set(given.expected)) if given.expected else given.expected_n
    if isinstance(expected, NotMeasured) and not isinstance(given.counts, NotMeasured):
        expected = given.counts.expected
    if report is None:
        return TestCounts(expected=expected)
    if report.counts_only and not isinstance(given.counts, NotMeasured):
        return TestCounts(
            expected=expected,
            passed=given.counts.passed,
            failed=given.counts.failed,
            errors=given.counts.errors,
            skipped=given.counts.skipped,
            xfailed=given.counts.xfailed,
            xpassed=given.counts.xpassed,
        )
    numbers = dict(report.numbers)
    if given.must_fail or report.only_expected:
        numbers = {word: len(getattr(ids, word)) for word in (PASSED, FAILED, ERROR, SKIPPED, XFAILED, XPASSED)}
        for id_ in ids.other:
            numbers[report.words[id_]] += 1
    return TestCounts(
        expected=expected,
        passed=numbers.get(PASSED, 0),
        failed=numbers.get(FAILED, 0),
        errors=numbers.get(ERROR, 0),
        skipped=numbers.get(SKIPPED, 0),
        xfailed=numbers.get(XFAILED, 0),
        xpassed=numbers.get(XPASSED, 0),
    )


def _evidence(given: RunnerInput, runner: Runner, found: Conclusion) -> tuple[Evidence, ...]:
    """Where it stands: the troubles that the ending rests on, the texts beside it, and the status."""
    troubles = dict.fromkeys((*found.troubles, *hints(given, runner)))
    places = [
        Evidence(
            source=one.source,
            offset=one.offset,
            length=len(one.text.encode("utf-8", "replace")),
            quote=_short(one.text),
        )
        for one in troubles
    ]
    status = given.exit if isinstance(given.exit, int) else "unknown"
    return (*places[:EVIDENCE_MAX], Evidence(source="exit", quote=f"exit {status}, signal {found.signal}"))


def _short(text: str) -> str:
    flat = "".join(char if char.isprintable() else " " for char in text.strip())
    return flat if len(flat) <= QUOTE_MAX else f"{flat[: QUOTE_MAX // 2]} ... {flat[-QUOTE_MAX // 2 :]}"
