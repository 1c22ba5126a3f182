"""How trials end in Terminal-Bench: `is_resolved` (true, false, null) under each `failure_mode`."""

from __future__ import annotations

from collections.abc import Mapping

from denominator.importers.foreign import failure
from denominator.records.foreign import Ending

TRUE, FALSE, NULL = "is_resolved=true", "is_resolved=false", "is_resolved=null"
BY_FLAG = {True: TRUE, False: FALSE, None: NULL}

PLAIN = ("unset", "none", "unknown")
"""Nothing is said against the trial."""
OWN_ENDS = ("fatal_llm_parse_error", "context_length_exceeded", "output_length_exceeded")
"""The model ended the agent's work; the tests run all the same."""
MODES = (
    *PLAIN, "test_timeout", "agent_timeout", "unknown_agent_error", "parse_error", *OWN_ENDS, "agent_installation_failed",
)  # fmt: skip

_GRADER: Mapping[str, object] = {"first_unrecovered": failure("grader_error", "verifier", "verify")}
_LATE: Mapping[str, object] = {"stop_reason": "timeout", "killed_by": "budget_wall"}


def _line(mode: str, flag: bool | None) -> Ending:
    word = f"failure_mode={mode}, {BY_FLAG[flag]}"
    if mode == "test_timeout":
        why = "the tests did not end in time, so nothing that is said of them is a verdict; whether one hung is not recorded"
        return _unscoreable(word, "harness_timeout", why, {"killed_by": "verify_timeout"})
    if mode == "parse_error":
        return _unscoreable(word, "grader_error", "what the tests printed could not be read", _GRADER)
    if mode == "agent_installation_failed":
        return _never_began(word, flag)
    if mode == "agent_timeout":
        return _late(word, flag)
    if flag is True:
        why = "every reported test passed"
        return Ending(word=word, outcome="pass", origin="MODEL", facts={"grade": "green"}, why=why)
    if mode == "unknown_agent_error":
        why = "the agent's program broke on something that was not recorded; the red of what it left is not taken as its own"
        return _infra(word, why, {})
    if flag is False:
        why = "a reported test failed"
        return Ending(word=word, outcome="fail", origin="MODEL", facts={"grade": "red"}, why=why)
    why = "there is no verdict, and nothing says why not; `accuracy` counts it as a failure"
    return Ending(word=word, outcome="unscoreable", origin="HARNESS", why=why)


def _unscoreable(word: str, reason: str, why: str, facts: Mapping[str, object]) -> Ending:
    return Ending(word=word, outcome="unscoreable", origin="HARNESS", reason=reason, why=why, facts=facts)


def _infra(word: str, why: str, facts: Mapping[str, object]) -> Ending:
    return Ending(
        word=word, outcome="unscoreable", origin="INFRA", reason="env_flake", why=why, facts=facts, judged=True
    )


def _never_began(word: str, flag: bool | None) -> Ending:
    if flag is True:
        why = "the tests pass although no agent was installed: they pass without one"
        return _unscoreable(word, "bad_task", why, {"grade": "green", "green_without_agent": True})
    return _infra(word, "no agent was installed, so the tests judged the untouched tree", {"agent_started": False})


def _late(word: str, flag: bool | None) -> Ending:
    if flag is None:
        why = "its own time was spent, and there is no verdict on what it left"
        return Ending(word=word, outcome="fail", origin="MODEL", failure_class="timeout", facts=_LATE, why=why)
    late = {**_LATE, "after_cap": True, "grade": "green" if flag else "red"}
    why = f"its time was over, and what it left {'passes' if flag else 'fails'}; the tests run all the same"
    if flag:
        return Ending(word=word, outcome="pass", origin="MODEL", facts=late, why=why)
    return Ending(word=word, outcome="fail", origin="MODEL", failure_class="timeout", facts=late, why=why)


TABLE: Mapping[tuple[str, bool | None], Ending] = {
    (mode, flag): _line(mode, flag) for mode in MODES for flag in (True, False, None)
}

EMPTY = _unscoreable(
    "is_resolved without a reported test", "grader_error",
    "no test stands in parser_results, and all of nothing is true: nobody tested anything", {"runner_ending": "nothing_ran"},
)  # fmt: skip
CONTRADICTED = _unscoreable(
    "is_resolved against its own parser_results", "grader_error", "flag and tests say opposite things", _GRADER
)
KILLED = Ending(
    word="a trial folder without results.json, and no row of it", outcome="unscoreable", origin="HARNESS",
    reason="harness_killed", facts={"closed": False, "first_unrecovered": failure("harness_killed", "harness", "run")},
    why="the trial began, and its runner went before it could write a result",
)  # fmt: skip
BROKEN = Ending(
    word="a result that cannot be read", outcome="unscoreable", origin="HARNESS", reason="missing_artifact",
    facts={"first_unrecovered": failure("missing_artifact", "harness", "run")}, why="the result was written and is damaged",
)  # fmt: skip

ENDINGS: tuple[Ending, ...] = (*TABLE.values(), EMPTY, CONTRADICTED, KILLED, BROKEN)
