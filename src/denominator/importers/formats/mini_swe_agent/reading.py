"""The importer of mini-swe-agent's output."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from denominator.errors import InputError
from denominator.importers.agentruns import (
    NAMED,
    Handed,
    Prediction,
    Settings,
    evaluations,
    exit_statuses,
    predictions,
    tell_evaluations,
)
from denominator.importers.foreign import at, chosen, digest, foreign_row, pointed, readable_id, undeclared
from denominator.importers.formats.mini_swe_agent.endings import EMPTY, ENDINGS, LOST, SUBMITTED, UNFINISHED, ending_of
from denominator.importers.formats.mini_swe_agent.folder import Folder, folders, planned
from denominator.importers.formats.mini_swe_agent.trajectory import Trajectory, trajectory_of, under_billed
from denominator.records.foreign import Ending, ForeignRow, ForeignRun, Part, Recognition, Told
from denominator.records.values import NotMeasured
from denominator.wire.sources import Source, loose_json

NAME = "mini-swe-agent"
NO_PLAN = "mini-swe-agent writes no list of the instances that it was asked to run"
NOT_COLLECTED = NotMeasured("no patch is collected unless the agent submits")
OVERWRITTEN = NotMeasured("a later try overwrote what it left")


class MiniSweAgent:
    """Patches and endings of a run of mini-swe-agent; no verdicts."""

    name = NAME
    title = "mini-swe-agent: an output folder, or one trajectory"
    endings = ENDINGS
    cannot_tell: Mapping[str, str] = {
        "model_snapshot": "mini-swe-agent records the name that was asked for, and no snapshot",
        "harness_commit": "mini-swe-agent records its version, and no commit",
        "scoring_script_sha256": "mini-swe-agent grades nothing",
        "env_image_digest": "mini-swe-agent records the name of an image, and no digest",
        "budget_tokens_per_task": "mini-swe-agent limits steps, cost and time, not tokens",
        "retry_policy": "mini-swe-agent records no policy of retries, of calls or of instances",
        "network": "mini-swe-agent records nothing of the network of its boxes",
        "concurrency": "mini-swe-agent records no number of workers",
        "task_slice_sha256": "mini-swe-agent records neither the data set nor the ids that were selected",
    }

    def recognise(self, files: Source) -> Recognition | None:
        """Trajectories `.traj.json`, or files of exit statuses, that begin as the tool writes them."""
        try:
            runs = folders(files)
            if not runs:
                return None
            graded = bool(evaluations(files))
        except InputError:
            return None
        n = sum(len(one.trajectories) for one in runs.values())
        why = f"{n} trajectories of mini-swe-agent" + (", with an evaluation beside them" if graded else "")
        parts = tuple(Part(name=name, title=f"{len(one.trajectories)} trajectories") for name, one in runs.items())
        return Recognition(why=why, parts=parts, sure=not graded)

    def read(self, files: Source, part: str = "") -> ForeignRun:
        """One output folder, or one trajectory."""
        runs = folders(files)
        if not runs:
            raise InputError("holds no trajectories of mini-swe-agent", where=files.name)
        name = chosen([Part(name=one) for one in runs], part, files.name).name
        told = Told()
        tell_evaluations(evaluations(files), told)
        run = _Run(name, files, runs[name], told)
        run.look()
        for member in run.folder.twice:
            told.say("duplicate_trajectory", member, "a second trajectory of its id: the first one is read")
        n = planned(files, run.folder.log)
        if run.folder.log:
            told.files[run.folder.log] = "how many instances were to be run" if n is not None else "no single start"
        return ForeignRun(
            name=name, arm=name, document=run.document, unknown=run.unknown, told=told, rows=run.rows(),
            declared=undeclared(name, NO_PLAN, n),
        )  # fmt: skip


@dataclass(slots=True)
class _Run:
    name: str
    files: Source
    folder: Folder
    told: Told
    settings: Settings = field(default_factory=Settings)
    document: dict[str, object] = field(default_factory=dict)
    unknown: dict[str, str] = field(default_factory=dict)
    entries: Mapping[str, Prediction] = field(default_factory=dict)
    talks: dict[str, Trajectory | None] = field(default_factory=dict)
    unlisted: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    cheap: list[str] = field(default_factory=list)

    def look(self) -> None:
        """Read every file once: the conditions of a run are what all of its trajectories agree on. Conversations are dropped."""
        self.document |= {"run_id": self.name, "agent_id": NAME, "harness_name": NAME}
        if self.folder.predictions:
            self.entries = predictions(self.files, self.folder.predictions, self.told)
        for task, member in self.folder.trajectories.items():
            self.talks[task] = self._trajectory(member, task)
        for task, one in self.entries.items():
            if one.model and self.talks.get(task) is None:
                self.settings.take(task, {"model_id": one.model})
        self.settings.settle(self.document, self.unknown, self.told, self.folder.path or self.files.name)

    def rows(self) -> Iterator[ForeignRow]:
        """Every try of every id that any file names."""
        rounds = [(name, exit_statuses(self.files, name, self.told)) for name in self.folder.statuses]
        tasks = {*self.entries, *self.folder.trajectories, *(task for _, one in rounds for task in one)}
        for task in sorted(tasks):
            if readable_id(self.told, self.folder.path, task):
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
                self.name, ending, task, importer=NAME, source=where, attempt=number,
                patch=OVERWRITTEN, extra={"exit_status": status},
            )  # fmt: skip
        if len(tries) > 1:
            what = f"{task} was run {len(tries)} times: only the last try has left its trajectory and its patch"
            self.told.say("overwritten_attempt", tries[-1][0], what, task, blocks=False)
        yield self._last(task, self.entries.get(task), tries, max(1, len(tries)))

    def _last(self, task: str, entry: Prediction | None, tries: list[tuple[str, str]], number: int) -> ForeignRow:
        member = self.folder.trajectories.get(task, "")
        found = self.talks.get(task)
        listed = tries[-1][1] if tries else None
        status = found.status if found is not None and found.status else listed
        if (
            found is not None
            and found.status
            and listed is not None
            and listed.removeprefix("Uncaught ") != found.status
        ):
            what = f"{task}: the trajectory says {found.status[:60]!r}, the exit statuses say {listed[:60]!r}"
            self.told.say("conflicting_endings", tries[-1][0], what, task)
        patch = self._patch(task, status, entry, found)
        calls = found.calls if found is not None else None
        ending: Ending | None
        if status:
            ending = ending_of(status, patch, calls, found.message if found is not None else "")
        elif patch is not None and patch.is_diff:
            ending = SUBMITTED
        else:
            ending = UNFINISHED if found is not None or listed is not None else LOST
        self._known(ending, status or "", task, member or self.folder.predictions)
        place = member or (tries[-1][0] if tries else self.folder.predictions)
        where = at(place, "" if member else pointed(task), element=[task, status, patch and patch.facts.sha256])
        kept = ending in (SUBMITTED, EMPTY)
        fields: dict[str, Any] = {"patch": patch.facts if kept and patch is not None else NOT_COLLECTED}
        if kept:
            fields["patch_made_by"] = "agent_text"
        if self.folder.predictions and entry is None:
            self.unlisted.append(task)
        if not member:
            self.unseen.append(task)
        fields |= _facts(found) if found is not None else {}
        if found is None and entry is not None and entry.model:
            fields["asked_model"] = entry.model
        return foreign_row(
            self.name, ending, task, importer=NAME, source=where, attempt=number, numbered=len(tries) > 1,
            extra=_extra(status, found), **fields,
        )  # fmt: skip

    def _trajectory(self, member: str, task: str) -> Trajectory | None:
        """A trajectory that can be read; what is broken is told, and its row keeps its place."""
        self.told.files[member] = "a trajectory"
        try:
            found = trajectory_of(loose_json(self.files.read(member), member))
        except InputError as error:
            self.told.say("broken_file", member, f"{task}: {error.what}", task)
            return None
        if found is None:
            self.told.say("broken_file", member, f"{task}: is no trajectory of mini-swe-agent", task)
            return None
        if found.task and found.task != task:
            self.told.say("id_mismatch", member, f"it says that it is of {found.task[:80]!r}", task)
        self.settings.take(task, found.settings)
        if under_billed(found):
            what = f"{task}: its calls sum to {found.billed} dollars, it counts {found.cost}: the cost is unknown"
            self.told.say("accounting_anomaly", member, what, task, blocks=False)
        if found.cost == 0 and found.messages > 2:
            self.cheap.append(task)
        return found

    def _patch(
        self, task: str, status: str | None, entry: Prediction | None, found: Trajectory | None
    ) -> Handed | None:
        """The patch that would be graded: the entry's, else the trajectory's; two that differ block."""
        stated = entry.patch if entry is not None else None
        told = found.submission if found is not None else None
        if status == "Submitted" and stated and told and stated.facts != told.facts:
            what = f"{task}: the entry in the predictions is not what the trajectory submitted"
            self.told.say("patch_differs", self.folder.predictions, what, task)
        if status and status != "Submitted" and stated and not stated.empty:
            self.texts.append(task)
        return stated if stated is not None else told

    def _known(self, ending: Ending | None, status: str, task: str, where: str) -> None:
        if ending is None:
            self.told.say("unknown_ending", where, f"{task}: exit status {status[:60]!r} is no known ending", task)

    def _tell(self, n: int) -> None:
        """What holds for the whole run."""
        notes = self.told.notes
        notes.append(f"{n} ids are named by any of predictions, exit statuses and trajectories")
        notes.append("this run holds patches and no verdicts: grade them, then import the evaluation")
        if not self.folder.predictions:
            notes.append("there is no preds.json: nothing says which ids were finished")
        for tasks, what in (
            (self.unlisted, "have a trajectory and no prediction: the run may have died while they were worked on"),
            (self.unseen, "have no trajectory: the container never started, or the file was lost"),
            (self.texts, "have a text in the place of a patch, after an ending without a submission: it is no patch"),
            (self.cheap, "cost 0: no price was known, so their cost is unknown"),
        ):
            if tasks:
                self.told.say(_kinds(what), self.folder.path, f"{len(tasks)} ids {what}", *tasks[:NAMED], blocks=False)


def _kinds(what: str) -> str:
    if "text in the place" in what:
        return "text_as_patch"
    return "unknown_cost" if what.startswith("cost 0") else "incomplete_files"


def _facts(found: Trajectory) -> dict[str, Any]:
    model = found.settings.get("model_id")
    fields: dict[str, Any] = {"usage": found.usage, "own_account": found.account}
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


IMPORTER = MiniSweAgent()
