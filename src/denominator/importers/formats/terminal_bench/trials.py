"""One trial as a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from denominator.importers.clocks import between, moment
from denominator.importers.foreign import foreign_row
from denominator.importers.formats.terminal_bench import endings as ends
from denominator.importers.formats.terminal_bench.layout import word
from denominator.importers.gathered import Gathered
from denominator.importers.measured import spent_or
from denominator.records.facts import TestCounts
from denominator.records.foreign import Ending, ForeignRow
from denominator.records.rows import Source, Usage
from denominator.records.values import NotMeasured

NAME = re.compile(r"(?P<k>[1-9][0-9]{0,8})-of-(?P<n>[1-9][0-9]{0,8})\.(?P<run>.+)\Z", re.DOTALL)
NO_TIME = "the trial records no such times"
NO_TOKENS = "Terminal-Bench writes 0 or null where the agent counts no tokens"
PASSED, FAILED = "passed", "failed"
SAID_ALREADY = ("agent_timeout", "unknown_agent_error", "agent_installation_failed")
"""Modes that say by themselves how a trial without a verdict ended."""


class Named(NamedTuple):
    """What a trial's name says: which of how many attempts, of which run; 0 and "" where it says nothing."""

    repeat: int = 0
    of: int = 0
    run: str = ""


def named(trial_name: str, task: str) -> Named:
    """`<task>.<k>-of-<n>.<run>`; task ids hold dots themselves, so the task is taken off first."""
    if not trial_name.startswith(f"{task}."):
        return Named()
    found = NAME.match(trial_name, len(task) + 1)
    return Named(int(found["k"]), int(found["n"]), found["run"]) if found else Named()


def row_of(
    run_id: str, task: str, repeat: int, numbered: bool, trial: Mapping[str, Any], source: Source, told: Gathered
) -> ForeignRow:
    """The row of a trial: its flag under its failure mode, its tests as counts, its times."""
    ending = ending_of(trial, task, source.file, told)
    tests = _tests(trial)
    prompt, completion = (spent_or(trial.get(f"total_{one}_tokens"), NO_TOKENS) for one in ("input", "output"))
    known = not isinstance(prompt, NotMeasured) and not isinstance(completion, NotMeasured)
    extra = {
        "trial_name": word(trial.get("trial_name"))[:300],
        "failure_mode": word(trial.get("failure_mode"))[:80],
        "is_resolved": trial.get("is_resolved") if isinstance(trial.get("is_resolved"), bool) else None,
        "trial_id": word(trial.get("id"))[:80],
        "failed_tests": sorted(name[:200] for name, said in tests.items() if said == FAILED)[:20],
    }
    return foreign_row(
        run_id, ending, task, importer="terminal-bench", source=source, repeat=repeat, numbered=numbered,
        extra={name: value for name, value in extra.items() if value not in ("", [])},
        usage=Usage(prompt=prompt, completion=completion, complete=known),
        started_at=moment(trial.get("trial_started_at"), NO_TIME),
        **_counts(ending, tests), **_clock(trial),
    )  # fmt: skip


def ending_of(trial: Mapping[str, Any], task: str, where: str, told: Gathered) -> Ending | None:
    """The line of the table; a flag without tests, or against them, is no verdict whatever the mode says."""
    mode, flag = trial.get("failure_mode", "unset"), trial.get("is_resolved")
    if not (flag is None or isinstance(flag, bool)):
        told.say("bad_value", where, f"is_resolved is {str(flag)[:40]!r}: neither true, false nor null", task)
        return None
    line = ends.TABLE.get((mode, flag)) if isinstance(mode, str) else None
    if line is None:
        told.say("unknown_ending", where, f"failure_mode {str(mode)[:80]!r} is none that Terminal-Bench had", task)
        return None
    if "grade" not in line.facts:
        return line
    tests = _tests(trial)
    if not tests and mode in SAID_ALREADY:
        return ends.TABLE[mode, None]
    if not tests:
        told.say(
            "empty_report", where, f"is_resolved is {str(flag).lower()}, and no test is reported", task, blocks=False
        )
        return ends.EMPTY
    if set(tests.values()) - {PASSED, FAILED}:
        told.say("bad_value", where, "parser_results holds words that are neither passed nor failed", task)
        return ends.CONTRADICTED
    if (FAILED not in tests.values()) is not flag:
        told.say("contradiction", where, f"is_resolved is {str(flag).lower()}, its tests say the opposite", task)
        return ends.CONTRADICTED
    return line


def _tests(trial: Mapping[str, Any]) -> Mapping[str, str]:
    found = trial.get("parser_results")
    return {str(name): str(said) for name, said in found.items()} if isinstance(found, dict) else {}


def _counts(ending: Ending | None, tests: Mapping[str, str]) -> dict[str, Any]:
    """Tests as counts where they were the verdict: how many should have run is not recorded."""
    if ending is None or "grade" not in ending.facts or not tests:
        return {}
    said = list(tests.values())
    return {"test_counts": TestCounts(passed=said.count(PASSED), failed=said.count(FAILED))}


def _clock(trial: Mapping[str, Any]) -> dict[str, Any]:
    at = {name: trial.get(name) for name in trial if name.endswith(("_started_at", "_ended_at"))}
    return {
        "setup_ms": between(at.get("trial_started_at"), at.get("agent_started_at"), NO_TIME),
        "agent_ms": between(at.get("agent_started_at"), at.get("agent_ended_at"), NO_TIME),
        "grade_ms": between(at.get("test_started_at"), at.get("test_ended_at"), NO_TIME),
        "wall_ms": between(at.get("trial_started_at"), at.get("trial_ended_at"), NO_TIME),
    }
