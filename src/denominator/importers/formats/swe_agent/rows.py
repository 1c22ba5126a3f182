"""The rows of a run of SWE-agent: one for every id that any file names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from denominator.importers.agentruns import NAMED, Handed, Prediction
from denominator.importers.foreign import at, foreign_row, readable_id
from denominator.importers.formats.swe_agent.endings import LOST, SUBMITTED, UNFINISHED, bare, ending_of
from denominator.importers.formats.swe_agent.material import Material
from denominator.importers.formats.swe_agent.trajectory import Trajectory
from denominator.importers.swebench.endings import NO_PATCH
from denominator.records.foreign import Ending, ForeignRow
from denominator.records.rows import Usage
from denominator.records.values import NotMeasured

NAME = "swe-agent"
NOT_COLLECTED = NotMeasured("nothing was submitted, and no file says what was on disk")
ESTIMATED = NotMeasured("SWE-agent keeps its own estimate of tokens, not the provider's count")


@dataclass(slots=True)
class Rows:
    """Makes the rows; ids that lack a file, or were tried several times, are told at the end."""

    run: Material
    unlisted: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    tried: list[str] = field(default_factory=list)

    def every(self) -> Iterator[ForeignRow]:
        """Every id that any file names."""
        found = (self.run.entries, self.run.statuses, self.run.folder.trajectories, self.run.folder.begun)
        tasks = {task for one in found for task in one}
        for task in sorted(tasks):
            if readable_id(self.run.told, self.run.folder.path, task):
                yield self._row(task)
        self._tell(len(tasks))

    def _row(self, task: str) -> ForeignRow:
        member, entry, found = (
            self.run.folder.trajectories.get(task, ""),
            self.run.entries.get(task),
            self.run.talks.get(task),
        )
        listed = self.run.statuses.get(task)
        status = found.status if found is not None and found.status else listed
        if found is not None and found.status and listed and listed != found.status:
            what = f"{task}: the trajectory says {found.status[:60]!r}, the exit statuses say {listed[:60]!r}"
            self.run.told.say("conflicting_endings", self.run.folder.statuses, what, task)
        patch = self._patch(task, entry, found)
        calls = found.calls if found is not None else None
        ending = self._ending(task, status, patch, found, calls)
        place = member or next(
            (
                one
                for one in (
                    self.run.folder.predicted.get(task),
                    self.run.folder.statuses,
                    self.run.folder.begun.get(task),
                )
                if one
            ),
            "".join(self.run.folder.predictions[:1]),
        )
        where = at(place, element=[task, status, patch and patch.facts.sha256])
        empty = status == "submitted" and (patch is not None or found is not None)
        fields: dict[str, Any] = {"patch": NOT_COLLECTED, "usage": Usage(prompt=ESTIMATED, completion=ESTIMATED)}
        if patch is not None and (not patch.empty or empty):
            fields |= {"patch": patch.facts, "patch_made_by": "harness"}
        elif empty:
            fields["patch"] = NO_PATCH
        if self.run.folder.predictions and entry is None:
            self.unlisted.append(task)
        if not member:
            self.unseen.append(task)
        if found is not None:
            fields |= _facts(found)
            if len(found.tries) > 1:
                self.tried.append(task)
        return foreign_row(
            self.run.name,
            ending,
            task,
            importer=NAME,
            source=where,
            numbered=False,
            extra=_extra(status, found),
            **fields,
        )

    def _ending(
        self, task: str, status: str | None, patch: Handed | None, found: Trajectory | None, calls: int | None
    ) -> Ending | None:
        if not status:
            if patch is not None and patch.is_diff:
                return SUBMITTED
            return UNFINISHED if found is not None or task in self.run.statuses else LOST
        if status == "submitted" and patch is None and found is None:
            return LOST
        ending = ending_of(status, patch, calls, found.message if found is not None else "")
        if ending is None:
            where = self.run.folder.trajectories.get(task) or self.run.folder.statuses
            self.run.told.say("unknown_ending", where, f"{task}: exit status {status[:60]!r} is no known ending", task)
        return ending

    def _patch(self, task: str, entry: Prediction | None, found: Trajectory | None) -> Handed | None:
        """The patch that would be graded: the prediction's, else the trajectory's; two that differ block."""
        stated = entry.patch if entry is not None else None
        told = found.submission if found is not None else None
        if stated is not None and told is not None and stated.facts != told.facts:
            what = f"{task}: its prediction is not what the trajectory submitted"
            self.run.told.say("patch_differs", self.run.folder.path, what, task)
        return stated if stated is not None else told

    def _tell(self, n: int) -> None:
        """What holds for the whole run."""
        self.run.told.notes += [
            f"{n} ids are named by any of trajectories, predictions and exit statuses",
            "this run holds patches and no verdicts: grade them, then import the evaluation",
        ]
        for tasks, kind, what in (
            (self.unlisted, "incomplete_files", "are in no merged predictions: a grader never sees them"),
            (self.unseen, "incomplete_files", "have no trajectory: the box never started, or the file was lost"),
            (
                self.tried,
                "chosen_tries",
                "were tried several times, and the agent's own reviewer chose one: one row each",
            ),
        ):
            if tasks:
                self.run.told.say(kind, self.run.folder.path, f"{len(tasks)} ids {what}", *tasks[:NAMED], blocks=False)


def _facts(found: Trajectory) -> dict[str, Any]:
    fields: dict[str, Any] = {"own_account": found.account, "looked_beyond": found.looked_beyond}
    fields["usage"] = Usage(
        prompt=ESTIMATED, completion=ESTIMATED, calls=NotMeasured("not counted") if found.calls is None else found.calls
    )
    model = found.settings.get("model_id")
    if isinstance(model, str):
        fields["asked_model"] = model
    caps = {"cost_usd": found.settings.get("cost_cap_usd"), "calls": found.settings.get("call_cap")}
    fields["limits_enforced"] = {name: str(value) for name, value in caps.items() if value not in (None, "none")}
    return fields


def _extra(status: str | None, found: Trajectory | None) -> dict[str, object]:
    extra: dict[str, object] = {"exit_status": status or "", "submitted_after": bare(status or "") != (status or "")}
    if found is not None:
        extra |= {"steps": found.steps, "execution_ms": found.execution_ms}
        if found.tries:
            extra |= {"tries": list(found.tries), "chosen_try": found.chosen}
    return {name: value for name, value in extra.items() if value is not None}
