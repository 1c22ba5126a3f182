"""What a trial's rewards and exceptions amount to: which line of the table names its ending."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from denominator.importers.formats.harbor import endings as ends
from denominator.importers.formats.harbor.layout import table, tables, word
from denominator.importers.gathered import Gathered
from denominator.records.foreign import Ending

REWARD = "reward"
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


def exceptions(result: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The trial's exception, then those of its steps: Harbor keeps the first one of each."""
    for one in (result, *tables(result.get("step_results"))):
        if found := table(one.get("exception_info")):
            yield found


def judge(trial: Trial, where: str, result: Mapping[str, Any], rewards: Mapping[str, Any], told: Gathered) -> Judged:
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
    trial: Trial, where: str, name: str, rewards: Mapping[str, Any], green: bool | None, named: str, told: Gathered
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


def _plain(
    trial: Trial, where: str, rewards: Mapping[str, Any], green: bool | None, named: str, told: Gathered
) -> Ending:
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
    what = f"{named[:80]} is neither 0 nor 1: from which value on it is a pass is not recorded"
    told.say("no_pass_line", where, what, trial.task)
    return ends.OPEN


def _reward(rewards: Mapping[str, Any]) -> tuple[bool | None, str]:
    """Is the reward 1 or 0 (None: neither), and which key it stands under ("": nobody says which of several)."""
    named = REWARD if REWARD in rewards else next(iter(rewards)) if len(rewards) == 1 else ""
    value = rewards.get(named)
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or value not in (0, 1):
        return None, named
    return value == 1, named
