"""One trial folder as a row: its reward or its exception, its times, what its agent says that it spent."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from denominator.errors import InputError
from denominator.importers.clocks import between, moment
from denominator.importers.foreign import at, foreign_row
from denominator.importers.formats.harbor import endings as ends
from denominator.importers.formats.harbor.layout import holds, table, tables, word
from denominator.importers.formats.harbor.spent import Spent, spent_of
from denominator.importers.formats.harbor.words import words_in
from denominator.importers.measured import text_or
from denominator.records.foreign import Ending, ForeignRow, Told
from denominator.wire.sources import Source, loose_json

NO_TIME = "the trial records no such times"
REWARD = "reward"
FILES = ("verifier/reward.json", "verifier/reward.txt")
WORDS_BYTES = 4 << 20
KNOWN = {*ends.INVALID, *ends.REWARD_STANDS, *ends.REFUSALS, ends.TIMEOUT}


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A trial that was found: its folder, its draw."""

    folder: str
    task: str
    repeat: int
    numbered: bool = True

    @property
    def name(self) -> str:
        """The trial's own name: its folder's."""
        return self.folder.rpartition("/")[2]

    def file(self, name: str) -> str:
        """A file of the trial."""
        return f"{self.folder}/{name}" if self.folder else name


@dataclass(frozen=True, slots=True)
class Judged:
    """How a trial ended by our table; `reward` is what its verdict rests on."""

    ending: Ending | None
    exception: str = ""
    valid: bool = False


def row_of(run_id: str, trial: Trial, files: Source, told: Told) -> tuple[ForeignRow, Judged]:
    """The row of a trial, whatever is left of it."""
    where = trial.file("result.json")
    if not holds(files, where):
        told.files.setdefault(trial.folder or trial.name, "a trial without a result")
        file = next((trial.file(one) for one in ("config.json", "trial.log") if holds(files, trial.file(one))), where)
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
    return _whole(run_id, trial, files, told, result, hashlib.sha256(data).hexdigest())


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
    run_id: str, trial: Trial, files: Source, told: Told, result: Mapping[str, Any], sha: str
) -> tuple[ForeignRow, Judged]:
    where = trial.file("result.json")
    rewards = table(table(result.get("verifier_result")).get("rewards"))
    judged = _judge(trial, where, result, rewards, told)
    _hold_against_files(trial, files, rewards, judged, told)
    spent = spent_of(trial, files, result, judged.exception, told)
    config = table(result.get("config"))
    row = foreign_row(
        run_id, judged.ending, trial.task, importer="harbor", source=at(where, sha256=sha), repeat=trial.repeat,
        numbered=trial.numbered, extra=_extra(trial, result, rewards, spent), usage=spent.usage, tools=spent.tools,
        own_account=spent.account, asked_model=text_or(table(config.get("agent")).get("model_name"), "no model was asked for"),
        started_at=moment(result.get("started_at"), NO_TIME), words=_words(trial, files), **_clock(result),
    )  # fmt: skip
    return row, judged


def exceptions(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The trial's exception, then those of its steps: Harbor keeps the first one of each."""
    for one in (result, *tables(result.get("step_results"))):
        if found := table(one.get("exception_info")):
            yield found


def _judge(trial: Trial, where: str, result: Mapping[str, Any], rewards: Mapping[str, Any], told: Told) -> Judged:
    """Reward first where it stands; else what ended the trial."""
    raised = [(word(one.get("exception_type")), _stands(one)) for one in exceptions(result)]
    name, stands = next((one for one in raised if not one[1]), raised[0] if raised else ("", True))
    green, named = _reward(rewards)
    if not raised:
        return Judged(_plain(trial, where, rewards, green, named, told), valid=bool(rewards))
    if name in ends.INVALID and not stands:
        return Judged(ends.INVALID[name], name)
    if not stands:
        told.say(
            "policy_override",
            where,
            f"the job's error policy takes no reward after {name[:80]}",
            trial.task,
            blocks=False,
        )
        return Judged(ends.LATE[""] if name == ends.TIMEOUT else ends.OVERRIDDEN, name)
    return Judged(_standing(trial, where, name, rewards, green, named, told), name, bool(rewards))


def _stands(exception: Mapping[str, Any]) -> bool:
    """Does a reward stand after it, as the trial records or, in older files, as Harbor's table has it?"""
    recorded = table(exception.get("policy")).get("has_valid_reward")
    if not isinstance(recorded, bool):
        recorded = table(exception.get("policy_override")).get("has_valid_reward")
    return recorded if isinstance(recorded, bool) else word(exception.get("exception_type")) not in ends.INVALID


def _standing(
    trial: Trial, where: str, name: str, rewards: Mapping[str, Any], green: bool | None, named: str, told: Told
) -> Ending | None:
    """An exception after which a reward stands, with the reward or without one."""
    if rewards and green is None:
        return _plain(trial, where, rewards, green, named, told)
    said = "" if green is None else "reward=1" if green else "reward=0"
    if name == ends.TIMEOUT:
        return ends.LATE[said]
    if name in ends.INVALID:
        told.say(
            "policy_override",
            where,
            f"the job's error policy takes the reward after {name[:80]}",
            trial.task,
            blocks=False,
        )
    elif name not in KNOWN:
        what = f"the exception {name[:80]!r} is none that Harbor knows"
        if green is None:
            told.say("unknown_ending", where, f"{what}, and there is no reward", trial.task)
            return None
        told.say(
            "unknown_exception", where, f"{what}; the reward counts, as Harbor counts it", trial.task, blocks=False
        )
        return ends.UNKNOWN_STANDING[0 if green else 1]
    if green is None:
        return ends.REFUSED if name in ends.REFUSALS else ends.INVALID.get(name, ends.UNJUDGED)
    return ends.STANDING[0 if green else 1]


def _plain(trial: Trial, where: str, rewards: Mapping[str, Any], green: bool | None, named: str, told: Told) -> Ending:
    """A trial whose reward alone says how it ended."""
    if green is not None:
        return ends.PASSED if green else ends.FAILED
    if not rewards:
        told.say("no_verdict", where, "no reward, and no exception says why not", trial.task)
        return ends.UNREWARDED
    if not named:
        listed = ", ".join(sorted(map(str, rewards))[:12])[:300]
        told.say(
            "several_rewards",
            where,
            f"none of the rewards {listed} is called {REWARD}: which one is the pass?",
            trial.task,
        )
        return ends.SEVERAL
    value = str(rewards[named])[:40]
    told.say("no_pass_line", where, f"{named} is {value}: from which value on it is a pass is not recorded", trial.task)
    return ends.OPEN


def _reward(rewards: Mapping[str, Any]) -> tuple[bool | None, str]:
    """Is the reward 1 or 0 (None: neither), and which key it stands under ("": nobody says which of several)."""
    named = REWARD if REWARD in rewards else next(iter(rewards)) if len(rewards) == 1 else ""
    value = rewards.get(named)
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value not in (0, 1):
        return None, named
    return value == 1, named


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
        "trial_name": trial.name,
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
