"""One trial folder as a row: its reward or its exception, its times, what its agent says that it spent."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from denominator.errors import InputError
from denominator.importers.clocks import between, moment
from denominator.importers.foreign import at, foreign_row
from denominator.importers.formats.harbor import endings as ends
from denominator.importers.formats.harbor.layout import holds, table, word
from denominator.importers.formats.harbor.spent import Spent, spent_of
from denominator.importers.formats.harbor.verdict import REWARD, Judged, Trial, exceptions, judge
from denominator.importers.formats.harbor.words import words_in
from denominator.importers.gathered import Gathered
from denominator.importers.measured import text_or
from denominator.importers.members import member_in
from denominator.records.foreign import Ending, ForeignRow, Told
from denominator.wire.sources import Source, loose_json

NO_TIME = "the trial records no such times"
FILES = ("verifier/reward.json", "verifier/reward.txt")
WORDS_BYTES = 4 << 20
LEFT = ("config.json", "trial.log")


def row_of(run_id: str, trial: Trial, files: Source, told: Told, odd: Gathered) -> tuple[ForeignRow, Judged]:
    """The row of a trial, whatever is left of it."""
    where = trial.file("result.json")
    if not holds(files, where):
        file = next((trial.file(one) for one in LEFT if holds(files, trial.file(one))), member_in(files, trial.folder))
        told.files[file] = "a trial without a result"
        return _bare(run_id, trial, ends.KILLED, file), Judged(ends.KILLED)
    told.files[where] = "rows"
    try:
        data = files.read(where)
        result = loose_json(data, where)
        if not isinstance(result, dict):
            raise InputError("is no JSON object", where=where)
    except InputError as error:
        told.say("broken_file", where, f"{error.what}; the trial keeps its place without a verdict", trial.task)
        return _bare(run_id, trial, ends.BROKEN, where), Judged(ends.BROKEN)
    return _whole(run_id, trial, files, told, odd, result, hashlib.sha256(data).hexdigest())


def _bare(run_id: str, trial: Trial, ending: Ending, file: str) -> ForeignRow:
    source = at(file, element=trial.folder)
    extra = {"trial_name": trial.name}
    return foreign_row(
        run_id,
        ending,
        trial.task,
        importer="harbor",
        source=source,
        repeat=trial.repeat,
        numbered=trial.numbered,
        extra=extra,
    )


def _whole(
    run_id: str, trial: Trial, files: Source, told: Told, odd: Gathered, result: Mapping[str, Any], sha: str
) -> tuple[ForeignRow, Judged]:
    where = trial.file("result.json")
    rewards = table(table(result.get("verifier_result")).get("rewards"))
    judged = judge(trial, where, result, rewards, odd)
    _hold_against_files(trial, files, rewards, judged, told)
    spent = spent_of(trial, files, result, judged.exception, told)
    config = table(result.get("config"))
    row = foreign_row(
        run_id, judged.ending, trial.task, importer="harbor", source=at(where, sha256=sha), repeat=trial.repeat,
        numbered=trial.numbered, extra=_extra(trial, result, rewards, spent), usage=spent.usage, tools=spent.tools,
        looked_beyond=spent.looked_beyond,
        own_account=spent.account, asked_model=text_or(table(config.get("agent")).get("model_name"), "no model was asked for"),
        started_at=moment(result.get("started_at"), NO_TIME), words=_words(trial, files), **_clock(result),
    )  # fmt: skip
    return row, judged


def _hold_against_files(trial: Trial, files: Source, rewards: Mapping[str, Any], judged: Judged, told: Told) -> None:
    """The verifier's own file says what the result says; of two files the JSON one counts, as for Harbor."""
    there = [trial.file(one) for one in FILES if holds(files, trial.file(one))]
    if not there or (judged.exception and not rewards):
        return
    found = [(name, _of_file(files, name)) for name in there]
    if len(found) > 1 and _same(found[0][1]) != _same(found[1][1]):
        told.say(
            "two_reward_files",
            there[0],
            "reward.json and reward.txt differ: the JSON one counts",
            trial.task,
            blocks=False,
        )
    if found[0][1] is not None and _same(found[0][1]) != _same(rewards):
        told.say("reward_differs", found[0][0], "the verifier's file does not say what result.json says", trial.task)


def _of_file(files: Source, name: str) -> Mapping[str, Any] | None:
    try:
        found = loose_json(files.read(name, 1 << 20), name)
    except InputError:
        return None
    return found if isinstance(found, dict) else {REWARD: found}


def _same(rewards: Mapping[str, Any] | None) -> object:
    """Rewards as they compare: numbers by value."""
    kept = {name: value for name, value in (rewards or {}).items() if isinstance(value, int | Decimal)}
    return sorted((name, Decimal(value)) for name, value in kept.items())


def _clock(result: Mapping[str, Any]) -> dict[str, Any]:
    """Durations of the phases; a trial of several steps has them by step, and their sum is no phase."""
    parts = {
        name: table(result.get(name)) for name in ("environment_setup", "agent_setup", "agent_execution", "verifier")
    }
    spans = {name: between(one.get("started_at"), one.get("finished_at"), NO_TIME) for name, one in parts.items()}
    ready = (parts["environment_setup"].get("started_at"), parts["agent_setup"].get("finished_at"))
    return {
        "setup_ms": between(*ready, NO_TIME),
        "agent_ms": spans["agent_execution"],
        "grade_ms": spans["verifier"],
        "wall_ms": between(result.get("started_at"), result.get("finished_at"), NO_TIME),
    }


def _extra(trial: Trial, result: Mapping[str, Any], rewards: Mapping[str, Any], spent: Spent) -> dict[str, object]:
    raised = [word(one.get("exception_type"))[:200] for one in exceptions(result)]
    agent = table(result.get("agent_info"))
    found: dict[str, object] = {
        "trial_name": word(result.get("trial_name"))[:200] or trial.name,
        "task_name": word(result.get("task_name"))[:200],
        "rewards": {
            str(name)[:80]: value for name, value in list(rewards.items())[:40] if isinstance(value, int | Decimal)
        },
        "exceptions": raised[:40],
        "agent_name": word(agent.get("name"))[:200],
        "agent_version": word(agent.get("version"))[:200],
        "task_checksum": word(result.get("task_checksum"))[:200],
        "verifier_environment_mode": word(result.get("verifier_environment_mode"))[:40],
        **spent.extra,
    }
    return {name: value for name, value in found.items() if value not in ("", [], {}, None)}


def _words(trial: Trial, files: Source) -> Any:
    """Known texts in what the tests printed: for a person to read, and no rule reads them."""
    name = trial.file("verifier/test-stdout.txt")
    if not holds(files, name):
        return ()
    try:
        with files.open(name) as stream:
            return words_in(stream.read(WORDS_BYTES))
    except InputError:
        return ()
