"""The rows of a run of mini-swe-agent: every try of every id that any file names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from denominator.importers.agentruns import NAMED, Handed, Prediction, exit_statuses
from denominator.importers.foreign import at, digest, foreign_row, pointed, readable_id
from denominator.importers.formats.mini_swe_agent.endings import EMPTY, LOST, SUBMITTED, UNFINISHED, ending_of
from denominator.importers.formats.mini_swe_agent.material import NAME, Material
from denominator.importers.formats.mini_swe_agent.trajectory import Trajectory
from denominator.records.foreign import Ending, ForeignRow
from denominator.records.values import NotMeasured

NOT_COLLECTED = NotMeasured("no patch is collected unless the agent submits")
OVERWRITTEN = NotMeasured("a later try overwrote what it left")


@dataclass(slots=True)
class Rows:
    """Makes the rows; ids that lack a file, or hold a text in the place of a patch, are told at the end."""

    run: Material
    unlisted: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def every(self) -> Iterator[ForeignRow]:
        """Every try of every id that any file names."""
        rounds = [(name, exit_statuses(self.run.files, name, self.run.told)) for name in self.run.folder.statuses]
        tasks = {*self.run.entries, *self.run.folder.trajectories, *(task for _, one in rounds for task in one)}
        for task in sorted(tasks):
            if readable_id(self.run.told, self.run.folder.path, task):
                yield from self._task(task, rounds)
        self._tell(len(tasks))

    def _task(self, task: str, rounds: list[tuple[str, dict[str, str]]]) -> Iterator[ForeignRow]:
        tries = [(name, one[task]) for name, one in rounds if task in one]
        for number, (name, status) in enumerate(tries[:-1], start=1):
            ending = ending_of(status, None, None)
            ending = SUBMITTED if status == "Submitted" else ending
            self._known(ending, status, task, name)
            where = at(name, pointed("instances_by_exit_status", status), element={task: status})
            yield foreign_row(
                self.run.name, ending, task, importer=NAME, source=where, attempt=number,
                patch=OVERWRITTEN, extra={"exit_status": status},
            )  # fmt: skip
        if len(tries) > 1:
            what = f"{task} was run {len(tries)} times: only the last try has left its trajectory and its patch"
            self.run.told.say("overwritten_attempt", tries[-1][0], what, task, blocks=False)
        yield self._last(task, self.run.entries.get(task), tries, max(1, len(tries)))

    def _last(self, task: str, entry: Prediction | None, tries: list[tuple[str, str]], number: int) -> ForeignRow:
        member = self.run.folder.trajectories.get(task, "")
        found = self.run.talks.get(task)
        listed = tries[-1][1] if tries else None
        status = found.status if found is not None and found.status else listed
        if (
            found is not None
            and found.status
            and listed is not None
            and listed.removeprefix("Uncaught ") != found.status
        ):
            what = f"{task}: the trajectory says {found.status[:60]!r}, the exit statuses say {listed[:60]!r}"
            self.run.told.say("conflicting_endings", tries[-1][0], what, task)
        patch = self._patch(task, status, entry, found)
        calls = found.calls if found is not None else None
        ending: Ending | None
        if status:
            ending = ending_of(status, patch, calls, found.message if found is not None else "")
        elif patch is not None and patch.is_diff:
            ending = SUBMITTED
        else:
            ending = UNFINISHED if found is not None or listed is not None else LOST
        self._known(ending, status or "", task, member or self.run.folder.predictions)
        place = member or (tries[-1][0] if tries else self.run.folder.predictions)
        where = at(place, "" if member else pointed(task), element=[task, status, patch and patch.facts.sha256])
        kept = ending in (SUBMITTED, EMPTY)
        fields: dict[str, Any] = {"patch": patch.facts if kept and patch is not None else NOT_COLLECTED}
        if kept:
            fields["patch_made_by"] = "agent_text"
        if self.run.folder.predictions and entry is None:
            self.unlisted.append(task)
        if not member:
            self.unseen.append(task)
        fields |= _facts(found) if found is not None else {}
        if found is None and entry is not None and entry.model:
            fields["asked_model"] = entry.model
        return foreign_row(
            self.run.name, ending, task, importer=NAME, source=where, attempt=number, numbered=len(tries) > 1,
            extra=_extra(status, found), **fields,
        )  # fmt: skip

    def _patch(
        self, task: str, status: str | None, entry: Prediction | None, found: Trajectory | None
    ) -> Handed | None:
        """The patch that would be graded: the entry's, else the trajectory's; two that differ block."""
        stated = entry.patch if entry is not None else None
        told = found.submission if found is not None else None
        if status == "Submitted" and stated and told and stated.facts != told.facts:
            what = f"{task}: the entry in the predictions is not what the trajectory submitted"
            self.run.told.say("patch_differs", self.run.folder.predictions, what, task)
        if status and status != "Submitted" and stated and not stated.empty:
            self.texts.append(task)
        return stated if stated is not None else told

    def _known(self, ending: Ending | None, status: str, task: str, where: str) -> None:
        if ending is None:
            self.run.told.say("unknown_ending", where, f"{task}: exit status {status[:60]!r} is no known ending", task)

    def _tell(self, n: int) -> None:
        """What holds for the whole run."""
        notes = self.run.told.notes
        notes.append(f"{n} ids are named by any of predictions, exit statuses and trajectories")
        notes.append("this run holds patches and no verdicts: grade them, then import the evaluation")
        if not self.run.folder.predictions:
            notes.append("there is no preds.json: nothing says which ids were finished")
        for tasks, what in (
            (self.unlisted, "have a trajectory and no prediction: the run may have died while they were worked on"),
            (self.unseen, "have no trajectory: the container never started, or the file was lost"),
            (self.texts, "have a text in the place of a patch, after an ending without a submission: it is no patch"),
            (self.run.cheap, "cost 0: no price was known, so their cost is unknown"),
        ):
            if tasks:
                self.run.told.say(
                    _kinds(what), self.run.folder.path, f"{len(tasks)} ids {what}", *tasks[:NAMED], blocks=False
                )


def _kinds(what: str) -> str:
    if "text in the place" in what:
        return "text_as_patch"
    return "unknown_cost" if what.startswith("cost 0") else "incomplete_files"


def _facts(found: Trajectory) -> dict[str, Any]:
    model = found.settings.get("model_id")
    fields: dict[str, Any] = {
        "usage": found.usage, "own_account": found.account, "looked_beyond": found.looked_beyond,
    }  # fmt: skip
    if isinstance(model, str):
        fields["asked_model"] = model
    if found.started_at:
        fields["started_at"] = found.started_at
    caps = {"turns": found.settings.get("turn_cap"), "cost_usd": found.settings.get("cost_cap_usd")}
    caps["wall_s"] = found.settings.get("wall_cap_s")
    fields["limits_enforced"] = {name: str(value) for name, value in caps.items() if value not in (None, "none")}
    return fields | {"served_hosts": found.hosts, "served_models": found.models}


def _extra(status: str | None, found: Trajectory | None) -> dict[str, object]:
    extra: dict[str, object] = {"exit_status": status or ""}
    if found is not None:
        extra |= {"api_calls": found.calls, "instance_cost": found.cost, "messages": found.messages}
        extra |= {"trajectory_format": found.format}
        if found.message:
            extra["exception_sha256"] = digest(found.message)
    return {name: value for name, value in extra.items() if value is not None}
