"""How the verifier's runner ended in a foreign row: its counts first, its exit status second (`readers.runners`)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import fields

from denominator.importers.columns import Cells
from denominator.importers.scope import changed_paths, gone_paths
from denominator.importers.values import BadValueError, count
from denominator.readers.runners import RunnerInput, RunnerReading, read_ending
from denominator.records.facts import TestCounts
from denominator.records.rows import Count
from denominator.records.values import NotMeasured
from denominator.records.words import RunnerEnding

UNTOLD = NotMeasured("no such column in the source")
OTHER_WORDS = {"error": "errors", "errored": "errors", "xfail": "xfailed", "xpass": "xpassed", "total": "expected"}
COUNTS = frozenset(one.name for one in fields(TestCounts))
STATUS_SAYS = frozenset((124, 126, 127))
WHO = {
    RunnerEnding.COLLECTION_ERROR: "import_target_in_patch",
    RunnerEnding.INTERNAL_ERROR: "changed_file_in_traceback",
    RunnerEnding.USAGE_ERROR: "agent_removed_tests",
    RunnerEnding.NOTHING_RAN: "agent_removed_tests",
}
"""What a source may say itself of an ending that can be the patch's or not."""
# Which runner a verify command starts; the longer names first, because one may begin another.
COMMANDS = (
    ("cargo-nextest", re.compile(r"\bnextest\b")),
    ("pytest", re.compile(r"\bpy\.?test\b")),
    ("unittest", re.compile(r"\bunittest\b")),
    ("vitest", re.compile(r"\bvitest\b")),
    ("jest", re.compile(r"\bjest\b")),
    ("node", re.compile(r"\bnode\b.*--test\b")),
    ("go", re.compile(r"\bgo\s+test\b")),
    ("cargo", re.compile(r"\bcargo\s+test\b")),
    ("maven", re.compile(r"\bmvnw?\b")),
    ("gradle", re.compile(r"\bgradlew?\b")),
)


def verifier_facts(cells: Cells) -> dict[str, object]:
    """runner, runner_ending, runner_blames_patch, baseline_collects, test_counts, verify_signal; nothing without a word of them."""
    found: dict[str, object] = {}
    counts = counts_of(cells)
    if counts is not None:
        found["test_counts"] = counts
    if (collects := cells.flag("baseline_collects")) is not None:
        found["baseline_collects"] = collects
    reading = ending_of(cells)
    if reading is None:
        return found
    found["runner_ending"] = str(reading.ending)
    if name := runner_name(cells):
        found["runner"] = name
    if (signal := _signal(cells)) is not None:
        found["verify_signal"] = signal
    told = cells.flag(WHO.get(reading.ending, ""))
    blames = reading.blames_patch if told is None else told
    return found if isinstance(blames, NotMeasured) else {**found, "runner_blames_patch": blames}


def ending_of(cells: Cells) -> RunnerReading | None:
    """The reading of the runner's ending, where the row says enough: counts, a named runner, or a status that tells by
    itself that no runner ran to its end. Read once a row."""
    if "ending" not in cells.memo:
        cells.memo["ending"] = _read(cells)
    found = cells.memo["ending"]
    return found if isinstance(found, RunnerReading) else None


def _read(cells: Cells) -> RunnerReading | None:
    status, counts, runner = cells.number("exit_code"), counts_of(cells), runner_name(cells)
    if status is None or (counts is None and not runner and not _telling(status)):
        return None
    report = cells.table("verify_report")
    changed = changed_paths(cells.known.get("changes"))
    reading = read_ending(
        RunnerInput(
            runner=runner,
            exit=status,
            counts=UNTOLD if counts is None else counts,
            text=_printed(report),
            expected_n=UNTOLD if counts is None else counts.expected,
            touched=UNTOLD if changed is None else changed,
            removed=_removed(cells),
            named=tuple(one for one in (cells.text("import_target"), *(cells.names("traceback_files") or ())) if one),
            baseline_collects=UNTOLD if (flag := cells.flag("baseline_collects")) is None else flag,
        )
    )
    return None if _says_nothing(status, counts, reading.ending) else reading


def _printed(report: Mapping[str, object]) -> bytes:
    """What the runner's front end printed: read beside its status only, and never against a test that ran."""
    told = (report.get(name) for name in ("stderr", "stdout", "output", "message"))
    return "\n".join(one for one in told if isinstance(one, str)).encode("utf-8", "surrogatepass")


def _says_nothing(status: int, counts: TestCounts | None, ending: str) -> bool:
    """A status alone, or a clean report that only lacks the number of expected tests, is not cut short: it tells no end."""
    if ending not in (RunnerEnding.INCOMPLETE, RunnerEnding.UNKNOWN) or _telling(status):
        return False
    return counts is None or (status == 0 and isinstance(counts.expected, NotMeasured))


def _telling(status: int) -> bool:
    return status in STATUS_SAYS or status < 0 or 128 < status <= 192


def _signal(cells: Cells) -> int | None:
    status = cells.number("exit_code")
    if status is None or ending_of(cells) is None:
        return None
    return -status if status < 0 else status - 128 if 128 < status <= 192 else None


def runner_name(cells: Cells) -> str:
    """The runner as stated, as the verify command names it, or pytest where the counts use its words."""
    stated = cells.text("runner").strip().lower() or str(cells.table("verify_report").get("runner") or "").lower()
    if stated:
        return stated
    command = cells.text("verify_cmd")
    named = next((name for name, pattern in COMMANDS if pattern.search(command)), "")
    ours = cells.table("verify_report").keys() & {"errors", "xfailed", "xpassed"}
    return named or ("pytest" if ours and not command else "")


def counts_of(cells: Cells) -> TestCounts | None:
    """Counts of the report, else of the hidden tests, all of which are expected; what is no count is the row's problem."""
    report = cells.table("verify_report") or cells.table("hidden_tests")
    found: dict[str, Count] = {}
    for key, value in report.items():
        name = OTHER_WORDS.get(key, key)
        if name in COUNTS and value is not None:
            try:
                found.setdefault(name, count(value))
            except BadValueError as error:
                _once(cells, f"verify_report.{key}: {error}")
    if found and not cells.table("verify_report"):
        found.setdefault("expected", sum(number for number in found.values() if isinstance(number, int)))
    expected = cells.number("expected_tests")
    if expected is not None:
        found["expected"] = expected
    return TestCounts(**found) if found else None


def _once(cells: Cells, problem: str) -> None:
    if problem not in cells.problems:
        cells.problems.append(problem)


def _removed(cells: Cells) -> tuple[str, ...]:
    """Files that the attempt deleted, or renamed away, as its changes list them."""
    return (*gone_paths(cells.known.get("changes")), *(cells.names("removed_files") or ()))


ENDED_WITHOUT = frozenset(
    word
    for word in RunnerEnding
    if word not in (RunnerEnding.PASSED, RunnerEnding.ASSERTION_FAILED, RunnerEnding.DISAGREES, RunnerEnding.UNKNOWN)
)
"""Endings after which no verdict came into being: which tests would have failed nobody knows."""
