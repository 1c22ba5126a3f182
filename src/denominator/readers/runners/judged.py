"""The part of a report that counts, where some ids must fail in every good run (sentinels, counter-tests)."""

from __future__ import annotations

from dataclasses import dataclass, replace

from denominator.readers.runners.shape import ERROR, FAILED, WORST_FIRST, Report, ReportedIds, RunnerInput
from denominator.records.values import NotMeasured

OF_CASES = ("assertion", "raised", "unsaid", "setup")


@dataclass(frozen=True, slots=True)
class Judged:
    """The report without those ids, and the exit status that a run without them would have had."""

    given: RunnerInput
    report: Report


def judged_part(given: RunnerInput, report: Report, ids: ReportedIds) -> Judged:
    """Unchanged where nothing must fail, or where the status already denies the whole report."""
    if not (given.must_fail or report.only_expected):
        return Judged(given, report)
    bad = bool(sum(report.kinds.values()))
    if isinstance(given.exit, NotMeasured) or (given.exit == 0) == bad or report.defect:
        return Judged(given, report)
    numbers = {word: len(getattr(ids, word)) for word in WORST_FIRST}
    for id_ in ids.other:
        numbers[report.words[id_]] += 1
    outside = {kind: count for kind, count in report.kinds.items() if kind not in OF_CASES}
    kinds = {"assertion": numbers[FAILED], "raised": numbers[ERROR], **outside}
    left = replace(report, numbers=numbers, kinds={kind: count for kind, count in kinds.items() if count}, exit=None)
    clean = not left.kinds and given.exit in (0, 1)
    return Judged(replace(given, exit=0) if clean else given, left)
