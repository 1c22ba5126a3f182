"""What the status of a sample says, for either set of tests."""

from __future__ import annotations

from denominator.records.foreign import Ending
from denominator.records.words import Grade, RunnerEnding

PASS, FAIL, TIMEOUT, NONE = "pass", "fail", "timeout", "null"
STATUS = {"pass": PASS, "fail": FAIL, "timeout": TIMEOUT, None: NONE}
GREEN, RED = {"grade": Grade.GREEN}, {"grade": Grade.RED}
HUNG, NOT_RUN = {"runner_ending": RunnerEnding.TEST_TIMEOUT}, {"runner_ending": RunnerEnding.NOTHING_RAN}


def _passed(word: str, why: str) -> Ending:
    return Ending(word=word, outcome="pass", origin="MODEL", facts=GREEN, why=why)


def _failed(word: str, why: str) -> Ending:
    return Ending(word=word, outcome="fail", origin="MODEL", facts=RED, why=why)


def _hung(word: str, why: str) -> Ending:
    return Ending(word=word, outcome="fail", origin="MODEL", facts=HUNG, why=why)


def _not_run(word: str, why: str) -> Ending:
    return Ending(word=word, outcome="unscoreable", origin="HARNESS", reason="grader_error", facts=NOT_RUN, why=why)


BASE = {
    PASS: _passed("base: base_status=pass", "every test of the original set passed"),
    FAIL: _failed("base: base_status=fail", "a test of the original set failed, or one of them ran too long"),
    TIMEOUT: _hung("base: base_status=timeout", "the check of the original set did not end"),
    NONE: _not_run("base: base_status=null", "the original set was not run"),
}
PLUS_OF_PASS = {
    PASS: _passed("plus: base_status=pass, plus_status=pass", "every test of both sets passed"),
    FAIL: _failed("plus: base_status=pass, plus_status=fail", "a test of the added set failed, or one ran too long"),
    TIMEOUT: _hung("plus: base_status=pass, plus_status=timeout", "the check of the added set did not end"),
    NONE: _not_run("plus: base_status=pass, plus_status=null", "the added set was not run"),
}
PLUS = {
    FAIL: _failed("plus: base_status=fail", "a test of the original set failed, whatever the added set says"),
    TIMEOUT: _hung("plus: base_status=timeout", "the check of the original set did not end"),
    NONE: _not_run("plus: base_status=null", "the original set was not run"),
}
ENDINGS = (*BASE.values(), *PLUS_OF_PASS.values(), *PLUS.values())


def ending_of(base: object, plus: object, suite: str) -> Ending | None:
    """The line of the table, or None for a status that is on none."""
    if not all(one is None or isinstance(one, str) for one in (base, plus)):
        return None
    of_base, of_plus = STATUS.get(base), STATUS.get(plus)  # type: ignore[call-overload]
    if of_base is None or of_plus is None:
        return None
    if suite == "base":
        return BASE[of_base]
    return PLUS_OF_PASS[of_plus] if of_base == PASS else PLUS[of_base]
