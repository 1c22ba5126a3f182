"""One trial of a foreign journal: what its rows and its verdict say of a (task, repeat)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from denominator.errors import Problem
from denominator.faultbench.foreign_rows import Point, points_at
from denominator.faultbench.foreign_states import is_application
from denominator.records.durability import NOT_STATED
from denominator.records.faults import NO_FAULT, Applied, BenchControl, Count, Flag, Text, Trial
from denominator.records.values import NotMeasured
from denominator.records.words import Checkpoint, Outcome

UNSAID = NotMeasured("the verdict does not say whether it was interrupted")
NO_VERDICT = NotMeasured("there is no verdict")
ZEROS = NotMeasured("the journal writes 0 everywhere")
NOT_KEPT = NotMeasured("the journal does not record it")
OUTCOMES = {"passed": "pass", "failed": "fail", **{str(one): str(one) for one in Outcome}}


@dataclass(frozen=True, slots=True)
class Told:
    """One verdict as it is stated."""

    interrupted: Flag
    ended: Text
    strange: str
    fault: str
    manual_edit: bool
    noop: Flag
    expected: str
    where: str
    without: Text | None = None

    @classmethod
    def read(cls, value: Mapping[str, Any], where: str, problems: list[Problem]) -> Told:
        """Read a verdict; a flag that is neither true nor false is a problem, never a guess."""
        flags = {name: value.get(name) for name in ("interrupted", "manual_edit", "second_resume_noop")}
        for name, found in flags.items():
            if found is not None and not isinstance(found, bool):
                problems.append(Problem(where, f"{value.get('task_id')}: {name} is neither true nor false"))
        word = next((value[key] for key in ("status", "outcome", "verdict") if value.get(key) is not None), None)
        known = OUTCOMES.get(word) if isinstance(word, str) else None
        point = value.get("at") or value.get("checkpoint")
        kind = value.get("fault") or value.get("kind") or ""
        return cls(
            interrupted=flags["interrupted"] if isinstance(flags["interrupted"], bool) else UNSAID,
            ended=known or NO_VERDICT,
            strange="" if word is None or known else str(word),
            fault=f"{point}:{kind}" if point and kind and ":" not in str(kind) else str(kind),
            manual_edit=flags["manual_edit"] is True,
            noop=flags["second_resume_noop"] if isinstance(flags["second_resume_noop"], bool) else NOT_KEPT,
            expected=str(value.get("expected") or ""),
            where=where,
            without=_without(value),
        )


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one (task, repeat); `order` is that of the declared checkpoints."""

    task: str
    repeat: int
    points: tuple[Point, ...]
    order: tuple[str, ...]

    def reached(self) -> tuple[str, ...]:
        """The checkpoints that have a row, in the declared order."""
        there = {one.checkpoint for one in self.points}
        return tuple(name for name in self.order if name in there)

    def written(self) -> tuple[tuple[str, str], ...]:
        """What the journal of these rows says, without times: checkpoints and digests."""
        return tuple(sorted((one.checkpoint, str(one.digest)) for one in self.points))

    def applied(self) -> tuple[Applied, ...]:
        """One entry an attempt and workspace: how many different effects it saw. Rows that say nothing of what stay unknown.

        Another place is another workspace, and so is one after a declared reset.
        """
        found: dict[tuple[int, str], list[Point]] = {}
        for one in self.points:
            if is_application(one.checkpoint) and not one.rolled_back:
                found.setdefault((one.attempt, self._workspace(one)), []).append(one)
        return tuple(
            Applied(workspace=workspace, attempt=attempt, times=_times(rows))
            for (attempt, workspace), rows in sorted(found.items())
        )

    def _workspace(self, point: Point) -> str:
        resets = {
            one.epoch for one in self.points if one.attempt == point.attempt and one.reset and one.epoch <= point.epoch
        }
        place = f" in {point.place}" if point.place else ""
        return f"{self.task}#{self.repeat}.{point.attempt}{place}" + (f" after reset {len(resets)}" if resets else "")

    def replayed(self) -> bool:
        """Was an effect written again with the digest that it had?"""
        seen = Counter(
            (one.attempt, one.checkpoint, one.digest)
            for one in self.points
            if is_application(one.checkpoint) and isinstance(one.digest, str)
        )
        return any(number > 1 for number in seen.values())

    def redrafted(self) -> bool:
        """Was another patch drafted in one attempt?"""
        drafts: dict[int, set[str]] = {}
        for one in points_at(self.points, Checkpoint.PATCH_DRAFTED):
            drafts.setdefault(one.attempt, set()).add(str(one.digest))
        return any(len(digests) > 1 for digests in drafts.values())

    def again(self, amount: str) -> Count:
        """An amount over rows of points that the journal already knew: unknown where it is not kept, or is 0 in all rows."""
        values = [getattr(one, amount) for one in self.points]
        if not values or any(isinstance(one, NotMeasured) for one in values):
            return NOT_KEPT
        if not any(values):
            return ZEROS
        known: dict[tuple[int, str], list[int]] = {}
        for one in sorted(self.points, key=lambda point: (point.epoch, getattr(point, amount))):
            known.setdefault((one.attempt, one.checkpoint), []).append(getattr(one, amount))
        return sum(sum(found[1:]) for found in known.values())


def _times(rows: Sequence[Point]) -> Count:
    digests = {one.digest for one in rows if isinstance(one.digest, str)}
    if len(digests) > 1 or len(rows) == 1:
        return max(len(digests), 1)
    if all(isinstance(one.digest, str) for one in rows):
        return 1
    return NotMeasured("rows of the application name no digest")


def states_expected(manifest: Mapping[str, Any]) -> bool:
    """Does the manifest say which verdict each task should end in?"""
    return isinstance(manifest.get("expected"), dict)


def is_negative(group: Group, plan: Iterable[str]) -> bool:
    """Was this task killed at context_loaded, by the plan, and never resumed?"""
    killed = any(one.partition(":")[0] == Checkpoint.CONTEXT_LOADED for one in plan)
    return killed and all(one.epoch <= 1 and one.attempt == 1 for one in group.points)


def control_trial(group: Group, workspace: Mapping[str, Any], where: str, plan: Iterable[str], number: int) -> Trial:
    """The negative control: what lay there when the process was dead."""
    fault = next(one for one in plan if one.partition(":")[0] == Checkpoint.CONTEXT_LOADED)
    return Trial(
        bench_id="",
        task_id=group.task,
        repeat=number,
        fault=fault,
        control=str(BenchControl.NEGATIVE),
        fired=True,
        interrupted=True,
        ended="unscoreable",
        checkpoints=group.reached(),
        tree_base=_text(workspace.get("base_digest")),
        tree_at_death=_text(workspace.get("tree_digest")),
        note=where,
    )


def journal_trial(
    group: Group, told: Told | None, plan: Sequence[str], lost: bool, manifest: Mapping[str, Any]
) -> Trial:
    """One (task, repeat) with its verdict, if it has one; `lost`: nobody can explain its workspace."""
    interrupted: Flag = told.interrupted if told else UNSAID
    fault = told.fault if told else ""
    if not fault and interrupted is not False:
        fault = plan[0] if len(plan) == 1 else NOT_STATED
    expected = manifest.get("expected")
    stated = expected.get(group.task) if isinstance(expected, dict) else None
    return Trial(
        bench_id="",
        task_id=group.task,
        repeat=group.repeat,
        fault=fault or NO_FAULT,
        fired=interrupted is True or fault not in ("", NOT_STATED),
        interrupted=interrupted,
        ended="unscoreable" if lost else told.ended if told else NO_VERDICT,
        expected=(told.expected if told else "") or (stated if isinstance(stated, str) else "pass"),
        applied=group.applied(),
        redrafts=int(group.redrafted()),
        replay_calls=group.again("calls"),
        replay_tokens=group.again("tokens"),
        replay_ms=group.again("wall_ms"),
        second_resume_noop=told.noop if told else NOT_KEPT,
        unknown_state=lost,
        manual_edit=told.manual_edit if told else False,
        checkpoints=group.reached(),
    )


WITHOUT = ("without_faults", "status_without_faults", "passes_without_faults", "baseline_status")


def _without(value: Mapping[str, Any]) -> Text | None:
    """How the paired run without faults ended, where a verdict says that too."""
    word = next((value[key] for key in WITHOUT if value.get(key) is not None), None)
    if isinstance(word, bool):
        return "pass" if word else "fail"
    return OUTCOMES.get(word, NO_VERDICT) if isinstance(word, str) else None


def plain_trial(key: tuple[str, int], told: Told | Text, manifest: Mapping[str, Any]) -> Trial:
    """The paired run without faults of a task: its verdict; nothing else of it was written down."""
    ended = told.ended if isinstance(told, Told) else told
    stated = manifest.get("expected")
    expected = stated.get(key[0]) if isinstance(stated, dict) else None
    return Trial(
        bench_id="",
        task_id=key[0],
        repeat=key[1],
        interrupted=told.interrupted if isinstance(told, Told) and told.interrupted is True else False,
        ended=ended,
        expected=expected if isinstance(expected, str) else "pass",
        manual_edit=told.manual_edit if isinstance(told, Told) else False,
        note="the run without faults",
    )


def _text(value: object) -> Text:
    return value if isinstance(value, str) and value else NotMeasured("not stated")
