"""The tests that the report of an instance names."""

from __future__ import annotations

from denominator.importers.swebench.cases import Case
from denominator.importers.swebench.folders import Folder
from denominator.records.rows import TestIds

MUST_PASS = ("FAIL_TO_PASS", "PASS_TO_PASS")
SHOWN = 3


def tests_of(case: Case, folder: Folder) -> TestIds | None:
    """The tests that must pass, and how they ended; nothing where the table is not what it should be."""
    table = folder.tests
    if table is None:
        if folder.report.get("tests_status") is not None:
            case.say("broken_report", "tests_status is no table", blocks=False)
        return None
    groups = [table.get(name, {}) for name in MUST_PASS]
    for group in groups:
        if not isinstance(group, dict) or not all(
            _texts(group.get(key, [])) for key in ("success", "failure", "skipped")
        ):
            case.say("broken_report", "tests_status holds no lists of test ids", blocks=False)
            return None
    passed, failed, skipped = (names_of(folder, None, key) for key in ("success", "failure", "skipped"))
    if both := sorted(set(passed) & {*failed, *skipped}):
        case.say("contradiction", f"{len(both)} tests passed and did not: {', '.join(both[:SHOWN])}")
    expected = tuple(dict.fromkeys((*passed, *failed, *skipped)))
    return TestIds(expected=expected, passed=passed, failed=failed, skipped=skipped)


def names_of(folder: Folder, group: str | None, *keys: str) -> tuple[str, ...]:
    """The tests of one group, or of all that must pass, under some of success, failure and skipped."""
    table = folder.tests or {}
    found: list[str] = []
    for name in (group,) if group else MUST_PASS:
        part = table.get(name)
        for key in keys:
            found += part.get(key) or [] if isinstance(part, dict) else []
    return tuple(dict.fromkeys(found))


def odd_names(tests: TestIds | None) -> dict[str, object]:
    """How many names were cut inside their brackets, and how many of the failed ones differ from others by spaces at most."""
    if tests is None:
        return {}
    cut = sum(one.rfind("[") > one.rfind("]") for one in tests.expected)
    spaced = sum(one != " ".join(one.split()) for one in tests.failed)
    found = {"cut_test_names": cut, "spaced_test_names": spaced}
    return {name: many for name, many in found.items() if many}


def _texts(value: object) -> bool:
    return value is None or (isinstance(value, list) and all(isinstance(one, str) for one in value))
