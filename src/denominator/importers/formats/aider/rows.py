"""Results of aider's benchmark as rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from denominator.errors import InputError
from denominator.importers.exception_names import last_exception, provider_cause
from denominator.importers.foreign import at, foreign_row
from denominator.importers.formats.aider import endings
from denominator.importers.formats.aider.layout import Run
from denominator.importers.formats.aider.survey import outcomes_of
from denominator.importers.measured import cost_or, count_or, ms_or, plain_scalars, spent_or, text_or
from denominator.records.facts import OwnAccount
from denominator.records.foreign import Ending, ForeignRow, Told
from denominator.records.rows import Usage
from denominator.wire.sources import Source, loose_json

NO_TOKENS = "aider wrote no count of these tokens, or 0"
NO_COST = "aider wrote no cost, or 0, which it writes where it knows no price"


def rows_of(files: Source, run_id: str, run: Run, told: Told) -> Iterator[ForeignRow]:
    """One row for each exercise with a result; the others have none, and count."""
    for task, name in sorted(run.results.items()):
        try:
            found = loose_json(files.read(name), name)
            if not isinstance(found, dict):
                raise InputError("holds no object", where=name)
        except InputError as error:
            told.say("unreadable_result", name, f"{task}: {error.what}", task, blocks=False)
            place = at(name)
            yield foreign_row(run_id, endings.UNREADABLE, task, importer="aider", source=place, stratum=_suite(task))
            continue
        if "exception" not in found and found.get("testcase") not in (None, task.rpartition("/")[2]):
            what = f"the result in the folder of {task} calls itself {str(found['testcase'])[:80]!r}"
            told.say("foreign_id", name, what, task)
        ending = _ending(found)
        if ending is None:
            told.say("unknown_ending", name, f"{task}: neither a list of outcomes nor an exception", task)
        yield foreign_row(
            run_id, ending, task, importer="aider", source=at(name, element=found), numbered=False, stratum=_suite(task),
            extra=_extra(found), **_facts(found),
        )  # fmt: skip


def _suite(task: str) -> str:
    return task.partition("/")[0] if "/" in task else ""


def _ending(found: dict[str, Any]) -> Ending | None:
    if "exception" in found:
        text = found["exception"]
        cause = provider_cause(last_exception(text)) if isinstance(text, str) else ""
        return endings.RAISED.get(cause, endings.EXCEPTION)
    outcomes = outcomes_of(found)
    if outcomes is None:
        return None
    if any(outcomes):
        return endings.FIRST if outcomes[0] else endings.LATER
    if not outcomes:
        return endings.NO_TESTS
    hung = count_or(found.get("test_timeouts"), "not stated")
    return endings.HUNG if hung == len(outcomes) else endings.RED


def _facts(found: dict[str, Any]) -> dict[str, Any]:
    if "exception" in found:
        return {}
    return {
        "agent_ms": ms_or(found.get("duration"), "aider wrote no duration"),
        "asked_model": text_or(found.get("model"), "aider wrote no model"),
        "usage": Usage(
            prompt=spent_or(found.get("prompt_tokens"), NO_TOKENS),
            completion=spent_or(found.get("completion_tokens"), NO_TOKENS),
            reasoning=spent_or(found.get("thinking_tokens"), NO_TOKENS),
        ),
        "own_account": OwnAccount(source="aider", cost=cost_or(found.get("cost"), NO_COST)),
    }


def _extra(found: dict[str, Any]) -> dict[str, object]:
    """Counts beside the outcome; never a path, a traceback or a text of the model's."""
    kept = plain_scalars(found, "testdir", "testcase", "exception", "model")
    if (outcomes := outcomes_of(found)) is not None:
        kept["tests_outcomes"] = outcomes[:20]
    if isinstance(text := found.get("exception"), str):
        kept["exception_class"] = last_exception(text)
    return kept
